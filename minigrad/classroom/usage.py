"""What a sandbox uses, seen from outside: time, memory and processes, all together."""

import os
import time
from pathlib import Path

from minigrad.classroom.bridge.channel import Lost
from minigrad.classroom.protection import Limits

START_SECONDS = 30.0  # for the sandbox itself, on a machine that does much else
_LITTLE = 0.25  # of the time that has gone by
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


class Usage:
    """Raises Lost once a process and those below it use more than they may."""

    def __init__(self, process: int, limits: Limits, end: float) -> None:
        self._process = process
        self._limits = limits
        self._end = end
        self._seconds = START_SECONDS
        self._started = self._asked = time.monotonic()
        self._own = time.process_time()
        self.starved = False  # whether the time was up although little was done in it

    def ask(self) -> None:
        """Something new is to be done: its time begins."""
        self._seconds = self._limits.order_seconds
        self._asked = time.monotonic()

    def check(self) -> None:
        """Look once."""
        now = time.monotonic()
        if now > self._end:
            done = sum(map(worked, below(self._process))) + time.process_time() - self._own
            self.starved = done < _LITTLE * (now - self._started)
            raise Lost(f"It went on for more than {self._limits.seconds:g} seconds in all.")
        if now > self._asked + self._seconds:
            raise Lost(f"It went on for more than {self._seconds:g} seconds.")
        processes = below(self._process)
        # Those of the sandbox itself come on top.
        if len(processes) > self._limits.processes + 6:
            raise Lost(f"It started more than {self._limits.processes} processes.")
        most = self._limits.memory
        if sum(map(resident, processes)) > most and sum(map(own, processes)) > most:
            raise Lost(f"It used more than {self._limits.memory >> 20} MB of memory.")


def below(process: int) -> list[int]:
    """The process and all that came from it, as far as the system tells."""
    found = [process]
    for one in found:
        for thread in _listed(Path(f"/proc/{one}/task")):
            children = _read(thread / "children").split()
            found += map(int, children)
            if len(found) > 1000:
                return found
    return found


def is_running(process: int) -> bool:
    """Whether it is there, and not just waiting to be reaped."""
    return bool(_read(Path(f"/proc/{process}/cmdline")))


def resident(process: int) -> int:
    """The bytes of memory that a process uses; what it shares with a fork counts for both."""
    numbers = _read(Path(f"/proc/{process}/statm")).split()
    return (int(numbers[1]) - int(numbers[2])) * _PAGE if len(numbers) > 2 else 0


def worked(process: int) -> float:
    """The seconds of CPU time that a process has used, and what it started and has waited for."""
    times = _read(Path(f"/proc/{process}/stat")).rpartition(")")[2].split()[11:15]
    return sum(map(int, times)) / _TICKS


def own(process: int) -> int:
    """The same, what is shared divided among those who share it; slower to find out."""
    for line in _read(Path(f"/proc/{process}/smaps_rollup")).splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) << 10
    return resident(process)


def _listed(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
