"""While a class is graded, another user of the machine finds nothing to call, read or signal."""

import contextlib
import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.classroom import synthetic
from tests.classroom.running import Run
from tests.classroom.test_grade import NAME, OPTIONS

pytestmark = [
    pytest.mark.classroom,
    pytest.mark.skipif(sys.platform != "linux", reason="looks into Linux's /proc"),
]
NUMBER = int(os.environ.get("SUBMISSIONS", "12"))
SOMEBODY = 61_234

# What somebody else tries, again and again. Its arguments: a folder, and processes.
TRIES = """
import json, os, signal, socket, sys
from pathlib import Path

got = []

def attempt(what, do):
    try:
        do()
    except OSError:
        return
    got.append(what)

def listening():
    for table, family in (("tcp", socket.AF_INET), ("tcp6", socket.AF_INET6)):
        for line in Path("/proc/net", table).read_text().splitlines()[1:]:
            words = line.split()
            if words[3] == "0A":
                yield family, int(words[1].rpartition(":")[2], 16), words[9]

def names():
    for line in Path("/proc/net/unix").read_text().splitlines()[1:]:
        words = line.split()
        if len(words) > 7:
            yield words[7], words[6]

folder, *pids = sys.argv[1:]
for pid in pids:
    attempt(f"signal {pid}", lambda: os.kill(int(pid), 0))
    for name in ("mem", "environ", "fd/0", "fd/1", "cwd/.", "root/."):
        attempt(f"{name} of {pid}", lambda: os.open(f"/proc/{pid}/{name}", os.O_RDONLY))
for place in Path(folder).glob("*"):
    attempt(f"list {place}", lambda: os.listdir(place))
    attempt(f"write to {place}", lambda: os.open(place / "new", os.O_CREAT | os.O_WRONLY))
heard = [(port, inode) for _, port, inode in listening()] + list(names())
print(json.dumps([got, heard]))
"""


@pytest.fixture
def open_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A temporary folder for all, as /tmp is."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        temporary = Path(folder) / "temporary"
        temporary.mkdir()
        temporary.chmod(0o1777)
        yield temporary


def tree(run: Run) -> list[psutil.Process]:
    with contextlib.suppress(psutil.NoSuchProcess):
        parent = psutil.Process(run.process.pid)
        return [parent, *parent.children(recursive=True)]
    return []


def sockets_of(processes: list[psutil.Process]) -> set[str]:
    """The inodes of all sockets that these processes hold."""
    found = set()
    for process in processes:
        with contextlib.suppress(OSError):
            for handle in Path(f"/proc/{process.pid}/fd").iterdir():
                with contextlib.suppress(OSError):
                    target = str(handle.readlink())
                    if target.startswith("socket:["):
                        found.add(target[8:-1])
    return found


def tried(folder: Path, processes: list[psutil.Process]) -> tuple[list[str], list[list[object]]]:
    """What another user got, and all ports and named sockets there are, with their inodes."""
    command = [sys.executable, "-c", TRIES, str(folder), *(str(one.pid) for one in processes)]
    as_another: dict[str, object] = {}
    if os.geteuid() == 0:
        as_another = {"user": SOMEBODY, "group": SOMEBODY, "extra_groups": []}
        command[0] = "/usr/bin/python3"  # this one may lie in root's own folder
    done = subprocess.run(command, capture_output=True, text=True, check=True, **as_another)  # type: ignore[call-overload]
    got, heard = json.loads(done.stdout)
    return (got if as_another else []), heard


def test_nothing_listens_and_nothing_is_open_to_others(tmp_path: Path, open_folder: Path) -> None:
    folder = tmp_path / "submitted"
    synthetic.write(folder, NAME, NUMBER, seed=4)
    run = Run(folder, *OPTIONS, TMPDIR=str(open_folder))
    looks = most = 0
    while run.process.poll() is None:
        processes = tree(run)
        sockets = sockets_of(processes)
        got, heard = tried(open_folder, processes)
        assert got == []
        assert [one for one in heard if one[1] in sockets] == []
        for place in open_folder.iterdir():
            assert stat.S_IMODE(place.stat().st_mode) == 0o700, place
        looks, most = looks + 1, max(most, len(processes))
    said = run.end()
    assert run.process.returncode == 0, said
    assert looks > 3
    assert most > 4  # the run, its warm processes, their sandboxes
    assert list(open_folder.iterdir()) == []


def test_what_a_killed_run_leaves_the_next_one_removes(tmp_path: Path, open_folder: Path) -> None:
    folder = tmp_path / "submitted"
    synthetic.write(folder, NAME, 4, seed=4)
    other = open_folder / ".minigrad-temporary-of-somebody"
    other.mkdir()
    if os.geteuid() == 0:
        os.chown(other, SOMEBODY, SOMEBODY)
    run = Run(folder, *OPTIONS, TMPDIR=str(open_folder))
    run.wait_for(1)
    processes = tree(run)
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.send_signal(signal.SIGKILL)
    run.end()
    psutil.wait_procs(processes, timeout=30)
    assert len(list(open_folder.iterdir())) > 1
    run = Run(folder, *OPTIONS, TMPDIR=str(open_folder))
    said = run.end()
    assert run.process.returncode == 0, said
    assert list(open_folder.iterdir()) == ([other] if os.geteuid() == 0 else [])
