"""What a sandbox uses, seen from outside: time, memory and processes, all together."""

import os
import time
from pathlib import Path

from minigrad.classroom.bridge.channel import Lost
from minigrad.classroom.protection import Limits
from minigrad.exercises.limits import BACKSTOP

START_SECONDS = 10.0  # of CPU time, for the sandbox itself
_MOSTLY = 0.5  # of a time that was up in the sandbox: an alarm counts CPU time by the tick
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


class Usage:
    """Raises Lost once a process and those below it use more than they may.

    timeouts: by what a time was up, "cpu" or "clock". The clock also runs while others have the
    machine, so it says nothing about a submission.
    """

    def __init__(self, process: int, limits: Limits) -> None:
        self.timeouts: set[str] = set()
        self._process = process
        self._limits = limits
        self._started = time.monotonic()
        self._most = limits.seconds + START_SECONDS
        self.ask(START_SECONDS)

    def ask(self, seconds: float) -> None:
        """Something new has to be done: its time begins."""
        self._seconds = seconds
        self._asked = time.monotonic(), self._worked(below(self._process))

    def note(self, seconds: float) -> bool:
        """Whether what was asked last has used as much time, which becomes one of the timeouts."""
        worked = self._worked(below(self._process)) - self._asked[1]
        if worked >= _MOSTLY * seconds:
            self.timeouts.add("cpu")
        elif time.monotonic() - self._asked[0] >= _MOSTLY * BACKSTOP * seconds:
            self.timeouts.add("clock")
        else:
            return False
        return True

    def check(self) -> None:
        """Look once."""
        processes, now = below(self._process), time.monotonic()
        worked = self._worked(processes)
        self._limit(self._seconds, worked - self._asked[1], now - self._asked[0], "")
        self._limit(self._most, worked, now - self._started, " in all")
        # Those of the sandbox itself come on top.
        if len(processes) > self._limits.processes + 6:
            raise Lost(f"It started more than {self._limits.processes} processes.")
        most = self._limits.memory
        if sum(map(resident, processes)) > most and sum(map(own, processes)) > most:
            raise Lost(f"It used more than {self._limits.memory >> 20} MB of memory.")

    def _limit(self, seconds: float, worked: float, passed: float, what: str) -> None:
        if worked > seconds:
            self.timeouts.add("cpu")
            raise Lost(f"It used more than {seconds:g} seconds of CPU time{what}.")
        if passed > BACKSTOP * seconds:
            self.timeouts.add("clock")
            raise Lost(f"It took more than {BACKSTOP * seconds:g} seconds{what}.")

    @staticmethod
    def _worked(processes: list[int]) -> float:
        return sum(map(worked, processes))


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
