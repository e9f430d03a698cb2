"""A real JupyterHub on loopback, with the configuration in binder/hub/."""

import json
import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from minigrad.classroom import builds
from minigrad.cli import packaged_lessons
from tests.browser.lab import free_port
from tests.hub.reach import opened

ROOT = Path(__file__).parents[2]
SHARED = ROOT / "binder" / "hub" / "jupyterhub_config.py"
PROXY = Path(__file__).parent / "node_modules" / ".bin" / "configurable-http-proxy"
_PATIENCE = 120  # seconds


@dataclass(frozen=True)
class Hub:
    """Where it is, and the password that lets every student in."""

    address: str
    password: str


@contextmanager
def running_hub(place: Path, students: list[str]) -> Iterator[Hub]:
    """Serve the lessons to ``students``, users of this system; all that it writes is in ``place``.

    Hub, proxy and the students' servers end with the context. AssertionError if npm's proxy is not
    installed, or the hub does not start.
    """
    assert PROXY.exists(), "The hub's proxy is not installed: `make hub` does it."
    hub = Hub(f"http://127.0.0.1:{free_port()}", secrets.token_hex(16))
    node = shutil.which("node")
    assert node, "The hub's proxy needs Node.js."
    settings = {
        "shared": str(SHARED),
        "place": str(place),
        "address": hub.address,
        "hub_port": free_port(),
        "proxy": [node, str(PROXY)],
        "proxy_api": f"http://127.0.0.1:{free_port()}",
        "password": hub.password,
        "students": students,
    }
    stage = place / "stage"
    stage.mkdir()
    needed = [Path(sys.prefix), Path(sys.base_prefix), ROOT, Path(node).resolve().parents[1]]
    configuration = Path(__file__).with_name("jupyterhub_config.py")
    command = [sys.executable, "-m", "jupyterhub", "-f", str(configuration)]
    with serving_lessons(place / "git") as lessons:
        environment = {
            **{name: os.environ[name] for name in ("LANG", "LC_ALL") if name in os.environ},
            "PATH": os.pathsep.join([str(Path(sys.prefix, "bin")), os.environ["PATH"]]),
            "MINIGRAD_LESSONS": lessons,
            "MINIGRAD_HUB_TEST": json.dumps(settings),
        }
        log = place / "jupyterhub.log"
        with (
            log.open("w") as written,
            subprocess.Popen(
                [*opened(needed, stage), *command],
                cwd=place,
                env=environment,
                stdout=written,
                stderr=subprocess.STDOUT,
            ) as process,
        ):
            try:
                _wait(process, f"{hub.address}/hub/api/", log)
                yield hub
            finally:
                process.terminate()  # the hub ends servers and proxy first
                process.wait(_PATIENCE)


def _wait(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    """Until the hub answers."""
    deadline = time.monotonic() + _PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        try:
            with urlopen(address, timeout=_PATIENCE):
                return
        except URLError:
            time.sleep(0.2)
    raise AssertionError(f"JupyterHub did not start:\n{log.read_text()}")


@contextmanager
def serving_lessons(folder: Path) -> Iterator[str]:
    """What `minigrad student` makes, as a git repository that is served; gives its address."""
    repository = folder / "lessons"
    builds.build("student", packaged_lessons(), repository)

    def git(*words: str) -> None:
        author = ["-c", "user.name=Teacher", "-c", "user.email=teacher@example.org"]
        subprocess.run(["git", *author, *words], cwd=repository, check=True)

    git("init", "--quiet", "--initial-branch=main")
    git("add", ".")
    git("commit", "--quiet", "--message=The lessons")
    port = free_port()
    command = ["git", "daemon", "--listen=127.0.0.1", f"--port={port}", "--export-all"]
    with subprocess.Popen([*command, f"--base-path={folder}", str(folder)]) as daemon:
        try:
            yield f"git://127.0.0.1:{port}/lessons"
        finally:
            daemon.terminate()
