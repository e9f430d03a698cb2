"""What keeps a submission away from everything else: which means of the system there are."""

import enum
import os
import shutil
import subprocess
from dataclasses import dataclass


class Protection(enum.Enum):
    """How a submission is shut in; the value is what to call it."""

    BUBBLEWRAP = "bubblewrap"
    NAMESPACES = "namespaces"
    NONE = "none"


class Unprotected(RuntimeError):
    """This system has nothing to shut a submission in; the text says what is missing."""


@dataclass(frozen=True)
class Limits:
    """What one submission may use."""

    seconds: float = 60.0  # of the clock, in all
    cell_seconds: float = 5.0  # for one cell, and for one call of a function
    cpu_seconds: int = 60
    memory: int = 1 << 30  # bytes of address space of each process
    disk: int = 16 << 20  # bytes in all, in memory
    files: int = 1024  # inodes
    open_files: int = 64
    processes: int = 16
    answer: int = 4 << 20  # bytes of one message to the grader
    notebook: int = 20 << 20  # bytes of the file


def find_protection() -> Protection:
    """The best protection that works here, tried out; Unprotected if there is none."""
    tried = {
        Protection.BUBBLEWRAP: ["bwrap", "--ro-bind", "/", "/", "--unshare-all", "true"],
        Protection.NAMESPACES: [
            *("unshare", "--user", "--map-root-user", "--mount", "--net", "--pid", "--ipc"),
            *("--fork", "true"),
        ],
    }
    reasons = []
    for protection, command in tried.items():
        reason = _why_not(command)
        if reason is None:
            return protection
        reasons.append(f"{command[0]}: {reason}")
    raise Unprotected(
        "This system cannot shut a submission in: it could read your files, those of other "
        f"students and the tests, use the network, and leave processes behind. "
        f"({'; '.join(reasons)}.) Install bubblewrap, or allow unprivileged user namespaces. To grade "
        "all the same, only what you trust: --unprotected."
    )


def _why_not(command: list[str]) -> str | None:
    if os.name != "posix" or shutil.which(command[0]) is None:
        return "not installed"
    done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    return None if done.returncode == 0 else done.stderr.strip() or "does not work here"
