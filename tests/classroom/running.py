"""Runs minigrad and nbgrader as a teacher does: as programs of their own."""

import contextlib
import csv
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def environment(home: Path) -> dict[str, str]:
    """With the programs of this environment, and nobody's settings."""
    programs = Path(sys.executable).parent  # nbgrader calls others of its environment by name
    return os.environ | {
        "HOME": str(home),
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PYTHONWARNINGS": "ignore",
    }


def nbgrader(course: Path, *command: str) -> str:
    """What a command of nbgrader's says, which must succeed."""
    line, env = [sys.executable, "-m", "nbgrader", *command], environment(course.parent)
    done = subprocess.run(line, cwd=course, env=env, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def rows(path: Path) -> list[dict[str, str]]:
    """The rows of a table, each by its columns' names."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


class Run:
    """`minigrad grade`, begun, in a process group and on a terminal of its own."""

    def __init__(self, folder: Path, *options: str, **variables: str) -> None:
        import pty  # which Windows does not have
        import termios

        self._terminal, other_end = pty.openpty()
        termios.tcsetwinsize(other_end, (24, 120))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "minigrad", "grade", str(folder), *options],
            env=environment(folder.parent) | variables,
            stdout=subprocess.PIPE,
            stderr=other_end,
            text=True,
            start_new_session=True,
            # Tests that run in a shell's background ignore Ctrl-C, and so would their children.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        os.close(other_end)

    def wait_for(self, number: int) -> None:
        """Until the progress bar shows that so many are graded."""
        said, done = "", 0
        while done < number:
            said += os.read(self._terminal, 1000).decode(errors="replace")
            done = max(map(int, re.findall(r" (\d+)/\d+ \[", said)), default=0)

    def end(self) -> str:
        """What it has said and shown in all, once it has ended."""
        said, _ = self.process.communicate(timeout=900)
        with contextlib.suppress(OSError):  # nobody holds the other end any more
            while shown := os.read(self._terminal, 1000):
                said += shown.decode(errors="replace")
        os.close(self._terminal)
        return said


def graded(folder: Path, *options: str) -> str:
    """What `minigrad grade` says, which must come to its end."""
    run = Run(folder, *options)
    said = run.end()
    assert run.process.returncode in (0, 3), said
    return said
