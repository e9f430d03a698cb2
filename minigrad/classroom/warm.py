"""A process that has imported everything, and forks one that grades for each submission.

It reads requests from its standard input, one a line, and writes a grade for each, one a line. It
ends when its input does, and what it has started ends with it.
"""

import contextlib
import ctypes
import json
import os
import select
import signal
import sys
import traceback
from collections.abc import Set
from pathlib import Path
from typing import Any

from minigrad.classroom.grades import exercises_of_lesson, ungraded
from minigrad.classroom.judging import STARTS, grade_here
from minigrad.classroom.library import make_library, private_folder
from minigrad.classroom.protection import Limits, Protection, let_nobody_read
from minigrad.classroom.reading import Cell
from minigrad.classroom.session import Place
from minigrad.exercises.limits import BACKSTOP

MEMORY = 3 << 30  # bytes of address space of a process that grades
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of prctl(2)


class Hangup(Exception):
    """Whoever asked is not there any more."""


def main() -> None:
    """Answer until nobody asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is the asker's to end
    with contextlib.suppress(Hangup, BrokenPipeError), private_folder() as library:
        make_library(library)
        let_nobody_read(library)
        while line := sys.stdin.readline():
            print(_answer(json.loads(line), library), flush=True)


def request(
    cells: list[Cell], lesson: str, given: Set[int], limits: Limits, protection: Protection
) -> str:
    """A request, as one line."""
    asked = {
        "cells": [vars(cell) for cell in cells],
        "lesson": lesson,
        "given": sorted(given),
        "protection": protection.value,
        "limits": vars(limits),
    }
    return json.dumps(asked)


def _answer(asked: dict[str, Any], library: Path) -> str:
    limits = Limits(**asked["limits"])
    place = Place(library, Protection(asked["protection"]), limits)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _grade(asked, place, writing)
    os.close(writing)
    with contextlib.suppress(OSError):  # both sides do it: neither knows who comes first
        os.setpgid(child, child)
    said = None
    try:
        said = _wait(reading, STARTS * BACKSTOP * limits.seconds)
    finally:
        os.close(reading)
        if not said:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    return said if said and not status else _failed(asked["lesson"], said is None, status)


def _failed(lesson: str, late: bool, status: int) -> str:
    """The result where there is none: the process took too long, or was ended."""
    exercises = exercises_of_lesson(lesson)
    if late:
        problem, timeout = "Looking at its answers took too long.", "clock"
    elif os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
        problem, timeout = "Looking at its answers used too much CPU time.", "cpu"
    else:
        problem, timeout = "Looking at its answers went wrong.", ""
    return ungraded(lesson, exercises, problem, timeout == "cpu", timeout).to_json()


def _grade(asked: dict[str, Any], place: Place, writing: int) -> None:
    """In a process of its own: whatever an answer does to it, it does to no other."""
    import resource  # not on Windows, where nothing is graded in a sandbox

    try:
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        _, most = resource.getrlimit(resource.RLIMIT_CPU)  # which the sandbox sets for itself
        resource.setrlimit(resource.RLIMIT_CPU, (int(place.limits.seconds) + 1, most))
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(nothing, 1)
        exercises = exercises_of_lesson(asked["lesson"])
        cells = [Cell(**one) for one in asked["cells"]]
        given = frozenset(asked["given"])
        grade = grade_here(cells, asked["lesson"], exercises, place, given)
        with open(writing, "w", encoding="utf-8") as file:
            file.write(grade.to_json())
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _wait(reading: int, seconds: float) -> str | None:
    """What the process that grades writes until it ends; None if it does not end in time."""
    parts, waited = bytearray(), 0.0
    while waited < seconds:
        ready, _, _ = select.select([reading, 0], [], [], 1)
        if 0 in ready:  # nothing is asked before the answer is there: it is the end
            raise Hangup
        if not ready:
            waited += 1
        elif part := os.read(reading, 1 << 20):
            parts += part
        else:
            return parts.decode(errors="replace")
    return None


if __name__ == "__main__":
    main()
