"""Hands the cells of a submission to this thread's warm process, and gets its grade."""

import atexit
import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Set
from dataclasses import replace

from minigrad.classroom.grades import Grade, exercises_of_lesson, ungraded
from minigrad.classroom.protection import Limits, Protection, Unprotected
from minigrad.classroom.reading import Cell
from minigrad.classroom.warm import request

TRIES = 10  # of a submission, whose process may be killed


def grade_cells(
    cells: list[Cell],
    lesson: str,
    *,
    given: Set[int] = frozenset(),
    limits: Limits,
    protection: Protection,
) -> Grade:
    """The grade of these cells; nothing is raised for what is in them. given: see `grade_here`.

    LookupError for a lesson that has no exercises, Unprotected on Windows. It may be called in
    several threads and processes: each thread has a grader of its own, which is started by its
    first call and ends with the process.
    """
    if not hasattr(os, "fork"):
        raise Unprotected("Submissions can be graded on Linux, and unprotected on macOS.")
    started = time.monotonic()
    asked, grade = request(cells, lesson, given, limits, protection), None
    for _ in range(TRIES):
        grader = _grader()
        grade = grader.ask(asked)
        if grade is not None or grader not in _all:  # nobody killed it: `end_graders` did
            break
    if grade is None:
        said = "The process that grades has ended."
        grade = ungraded(lesson, exercises_of_lesson(lesson), said, final=False)
    return replace(grade, seconds=time.monotonic() - started)


class _Grader:
    """A warm process, see `minigrad.classroom.warm`."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "minigrad.classroom.warm"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )

    def ask(self, line: str) -> Grade | None:
        """The grade; None if the process is not there any more."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            said = self.process.stdout.readline()
        except BaseException as error:
            self.end()
            if isinstance(error, OSError):
                return None
            raise
        if not said:
            self.end()
            return None
        return Grade.from_json(said)

    def end(self) -> None:
        """Let it end, and all that it has started."""
        for stream in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()
        self.process.wait()


class _Graders(threading.local):
    mine: _Grader | None = None


_graders = _Graders()
_all: list[_Grader] = []


def _grader() -> _Grader:
    """This thread's, in this process."""
    mine = _graders.mine
    if mine is None or mine.process.poll() is not None or mine not in _all:
        mine = _graders.mine = _Grader()
        _all.append(mine)
    return mine


def end_graders() -> None:
    """End all warm processes; the next call starts one again."""
    while _all:
        _all.pop().end()


atexit.register(end_graders)
# What a fork has inherited belongs to its parent.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_all.clear)
