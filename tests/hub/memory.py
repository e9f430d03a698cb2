"""What each user's processes take of the machine's memory, from /proc."""

import re
import threading
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

# Proportional set size: what a process has for itself, and its share of what others use as well.
_PSS = re.compile(r"^Pss: +(\d+) kB", re.MULTILINE)
_INTERVAL = 1.0  # seconds


@dataclass(frozen=True)
class Memory:
    """Megabytes (2**20 bytes) of one user: the server and what belongs to it, and the kernels."""

    server: float = 0.0
    kernels: float = 0.0

    @property
    def total(self) -> float:
        """Both together."""
        return self.server + self.kernels


def measure(users: list[int]) -> dict[int, Memory]:
    """What the processes of each of the users (their ids) take now."""
    server: dict[int, float] = defaultdict(float)
    kernels: dict[int, float] = defaultdict(float)
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            user = process.stat().st_uid
            if user in users:
                part = kernels if b"ipykernel" in (process / "cmdline").read_bytes() else server
                part[user] += _megabytes(process)
    return {user: Memory(server[user], kernels[user]) for user in users}


def _megabytes(process: Path) -> float:
    found = _PSS.search((process / "smaps_rollup").read_text())
    return int(found[1]) / 1024 if found else 0.0


class Watch:
    """Looks once a second while the ``with`` block runs; `most` has each user's largest total."""

    def __init__(self, users: list[int]) -> None:
        self._users = users
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self.most = dict.fromkeys(users, Memory())

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(_INTERVAL):
            for user, now in measure(self._users).items():
                self.most[user] = max(self.most[user], now, key=lambda memory: memory.total)
