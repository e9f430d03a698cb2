"""What differs between systems makes no difference: encodings, consoles, locks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# Windows has none of these; a program that begins so believes itself there.
AS_ON_WINDOWS = """
import signal, sys
sys.modules.update(dict.fromkeys(("fcntl", "resource", "pwd", "grp", "termios")))
for name in ("setitimer", "getitimer", "SIGALRM", "ITIMER_REAL", "SIGKILL"):
    if hasattr(signal, name):
        delattr(signal, name)
"""


def run(program: str, folder: Path, *options: str, **environment: str) -> str:
    """What the program prints, run by a Python of its own in `folder`."""
    command = [sys.executable, *options, "-c", program]
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    kept = {"capture_output": True, "encoding": "utf-8", "timeout": 120}
    done = subprocess.run(command, cwd=folder, env=env, **kept)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_no_file_is_read_or_written_in_the_systems_own_encoding(tmp_path: Path) -> None:
    """Python warns of it, where it is asked to; here the warning is an error."""
    program = """
import minigrad as torch
from minigrad import cli
from minigrad.exercises import check
from minigrad.viz import draw

for kind in (*cli.BUILDS, "lessons"):
    assert cli.main([kind, kind]) == 0
x = torch.ones(2, requires_grad=True)
drawing = draw((x * 2).sum())
for ending in ("svg", "html", "json"):
    drawing.save(f"graph.{ending}")
check("04_diamond")
"""
    run(program, tmp_path, "-X", "warn_default_encoding", "-W", "error::EncodingWarning")


@pytest.mark.parametrize("command", ["--help", "lessons", "student", "solved", "nbgrader"])
def test_every_console_can_show_what_the_command_says(tmp_path: Path, command: str) -> None:
    words = [command] if command == "--help" else [command, "here"]
    program = f"import sys; from minigrad import cli; sys.exit(cli.main({words}))"
    assert run(program, tmp_path, PYTHONIOENCODING="ascii:strict", PYTHONUTF8="0")


def test_progress_is_kept_without_locks(tmp_path: Path) -> None:
    program = f"""{AS_ON_WINDOWS}
from minigrad.exercises import standing
assert standing.note("04_diamond", attempts=1, solved=True) == ""
print(standing.standing("04_diamond"))
"""
    assert "solved=True" in run(program, tmp_path)
    assert (tmp_path / ".minigrad-progress.json").exists()
