"""JupyterLab for learners: a few lines in the terminal, everything else in a log.

JupyterLab also loads this module, as an extension of its server, and calls it once it serves.
"""

import contextlib
import json
import os
import runpy
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

# JupyterLab shows pictures where a widget's kernel is gone, asks nothing about news and updates,
# and hands controls to the kernel in their order, not over subshells.
SETUP = Path(__file__).parent / "jupyter"
LOG = ".jupyterlab.log"
WORKSPACES = ".jupyterlab"

# The side bars are closed until somebody opens them.
LAYOUT = {
    "data": {
        "layout-restorer:data": {
            "left": {"collapsed": True, "visible": True},
            "right": {"collapsed": True, "visible": True},
        }
    },
    "metadata": {"id": "default"},
}
SERVING = """\
--------------------------------------------------------------------------------
  If your browser doesn't open it:
    {address}
  To stop: press Control-C. Your work stays in {folder}
  To start again: run the same command.
--------------------------------------------------------------------------------"""


class Terminal:
    """Where a learner reads, while standard output and standard error go to a log."""

    def __init__(self, folder: Path, stream: TextIO) -> None:
        self.folder = folder
        self.stream = stream
        self.served = False

    def announce(self, server: Any) -> None:
        self.served = True
        box = SERVING.format(address=server.local_url, folder=self.folder)
        print(box, file=self.stream, flush=True)


terminal: Terminal | None = None


def run(folder: Path, first: str | None, options: Sequence[str]) -> None:
    """Serve `folder` until Control-C; `first` is the notebook to open, if any.

    JupyterLab runs in this process, so that Control-C and its exit code are its own.
    """
    prepare(folder)
    paths = filter(None, [str(SETUP), os.environ.get("JUPYTER_CONFIG_PATH")])
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(paths)
    own = [f"--LabApp.workspaces_dir={folder / WORKSPACES}", "--ServerApp.answer_yes=True"]
    if first:
        own.append(f"--LabApp.default_url=/lab/tree/{first}")
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # as in a container
        own.append("--allow-root")
    sys.argv[1:] = [str(folder), *own, *options]
    with quiet(folder):
        runpy.run_module("jupyterlab", run_name="__main__", alter_sys=True)


def prepare(folder: Path) -> None:
    """Close the side bars of a workspace that is new."""
    from jupyterlab_server.workspaces_handler import WorkspacesManager

    if not (folder / WORKSPACES).exists():
        WorkspacesManager(str(folder / WORKSPACES)).save("default", json.dumps(LAYOUT))


@contextlib.contextmanager
def quiet(folder: Path) -> Iterator[None]:
    """Send what this process and the kernels print to a log, until JupyterLab has ended.

    If it never served, the log is printed: it says why.
    """
    global terminal
    log = folder / LOG
    print(f"Starting JupyterLab. Its messages go to {log}", flush=True)
    sys.stderr.flush()
    kept = [os.dup(number) for number in (1, 2)]
    with log.open("wb") as written, os.fdopen(os.dup(1), "w") as stream:
        terminal = Terminal(folder, stream)
        try:
            for number in (1, 2):
                os.dup2(written.fileno(), number)
            yield
        finally:
            for number, own in zip((1, 2), kept, strict=True):
                os.dup2(own, number)
                os.close(own)
            said = "Stopped." if terminal.served else log.read_text("utf-8", "replace")
            print(said, file=stream, flush=True)
            terminal = None


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "minigrad.lab"}]


def _load_jupyter_server_extension(server: Any) -> None:
    """Say where the server is as soon as it serves."""
    if terminal is not None:
        server.io_loop.add_callback(terminal.announce, server)
