"""A real JupyterLab on a learner's copy of the lessons, as `minigrad lab` starts it."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from minigrad.lab import LOG

ROOT = Path(__file__).parents[2]
_PATIENCE = 180  # seconds
_ADDRESS = re.compile(r"(http://127\.0\.0\.1:\d+)/lab/tree/\S+\?(token=\w+)")
_OPTIONS = ["--no-browser", "--ip=127.0.0.1", "--allow-root", "--expose-app-in-browser"]

# JupyterLab lets a notebook be scrolled off its screen, and saves it now and then, which another
# page that has it open is asked about.
_SETTINGS = {
    "docmanager-extension/plugin": {"autosave": False},
    "notebook-extension/tracker": {"scrollPastEnd": False},
}
# Notebook 7 is served beside JupyterLab.
_SERVER = {"ServerApp": {"jpserver_extensions": {"notebook": True}}}

# Before 7.4.0, ipykernel loses with this what its control channel hears before it has started; the
# server asks again. Source: https://github.com/ipython/ipykernel/issues/1567
_HEARD_TOO_EARLY = re.compile(
    r"^ERROR:tornado\.general:.*\n(?:(?!\[).*\n)*?.*'_control_lock' trait .*\n", re.MULTILINE
)


@contextmanager
def running_lab(
    place: Path, python: Path = Path(sys.executable), root: Path = ROOT
) -> Iterator[str]:
    """Serve a copy of the lessons from a folder in ``place``; gives the address, with its token.

    python: whose JupyterLab it is; root: the repository whose minigrad and lessons are taken.

    The user's own Jupyter is out of reach, and so is any program ``dot``: the pictures come from
    pygraphviz, as they do on a machine without Graphviz. Server and kernels end with the context.
    """
    log = place / "jupyterlab.log"
    command = [python, "-m", "minigrad", "lab", str(place / "lessons"), *_OPTIONS]
    command.append(f"--port={free_port()}")
    environment = _environment(place, root)
    with (
        log.open("w") as written,
        subprocess.Popen(
            command, env=environment, stdout=written, stderr=subprocess.STDOUT
        ) as server,
    ):
        try:
            yield _address(server, log)
            server.terminate()
            server.wait(_PATIENCE)
        finally:
            server.kill()
    said = _HEARD_TOO_EARLY.sub("", (place / "lessons" / LOG).read_text())
    assert not re.search(r"^\[E |Traceback", said, re.MULTILINE), said


def free_port() -> int:
    """A port that nobody uses; of port 0 Binder's older server does not say which it became."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _environment(place: Path, root: Path) -> dict[str, str]:
    """The environment of the server and, through it, of the kernels."""
    own = {
        name: str(place / name)
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    }
    for name, content in _SETTINGS.items():
        user_settings = Path(own["JUPYTER_CONFIG_DIR"], "lab", "user-settings", "@jupyterlab")
        settings = user_settings / f"{name}.jupyterlab-settings"
        settings.parent.mkdir(parents=True)
        settings.write_text(json.dumps(content))
    server = Path(own["JUPYTER_CONFIG_DIR"], "jupyter_server_config.json")
    server.write_text(json.dumps(_SERVER))
    folders = os.environ["PATH"].split(os.pathsep)
    path = os.pathsep.join(folder for folder in folders if not shutil.which("dot", path=folder))
    return {**os.environ, **own, "PATH": path, "PYTHONPATH": str(root)}


def _address(server: subprocess.Popen[bytes], log: Path) -> str:
    """Where the server is, once it answers: it says so a little before it listens."""
    deadline = time.monotonic() + _PATIENCE
    while server.poll() is None and time.monotonic() < deadline:
        if said := _ADDRESS.search(log.read_text()):
            try:
                with urlopen(f"{said[1]}/api?{said[2]}", timeout=_PATIENCE):
                    return f"{said[1]}/lab?{said[2]}"
            except HTTPError:
                raise
            except URLError:
                pass
        time.sleep(0.05)
    raise AssertionError(f"JupyterLab did not start:\n{log.read_text()}")
