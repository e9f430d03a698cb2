"""A process that has imported everything, and forks one that grades for each submission.

It reads requests from its standard input, one a line, and writes a grade for each, one a line. It
ends when its input does, and what it has started ends with it.
"""

import contextlib
import json
import os
import select
import shutil
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from minigrad.classroom.grades import Grade, exercises_of_lesson, ungraded
from minigrad.classroom.judging import grade_here
from minigrad.classroom.library import make_library
from minigrad.classroom.protection import Limits, Protection
from minigrad.classroom.session import Place

MEMORY = 3 << 30  # bytes of address space of a process that grades
_GRACE = 15.0  # seconds more than a submission has, which may be graded twice


class Hangup(Exception):
    """Whoever asked is not there any more."""


def main() -> None:
    """Answer until nobody asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is the asker's to end
    library = make_library()
    try:
        while True:
            line = sys.stdin.readline()
            if not line:
                break
            print(_answer(json.loads(line), library), flush=True)
    except (Hangup, BrokenPipeError):
        pass
    finally:
        shutil.rmtree(library, ignore_errors=True)


def request(path: Path, lesson: str, limits: Limits, protection: Protection) -> str:
    """A request, as one line."""
    given = {"path": str(path), "lesson": lesson, "protection": protection.value}
    return json.dumps(given | {"limits": vars(limits)})


def _answer(given: dict[str, Any], library: Path) -> str:
    limits = Limits(**given["limits"])
    place = Place(library, Protection(given["protection"]), limits)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _grade(given, place, writing)
    os.close(writing)
    with contextlib.suppress(OSError):  # both sides do it: neither knows who comes first
        os.setpgid(child, child)
    try:
        said = _wait(reading, time.monotonic() + 2 * limits.seconds + _GRACE)
    finally:
        os.close(reading)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
    if said:
        return said
    lesson, problem = given["lesson"], "Looking at its answers went wrong."
    return ungraded(lesson, exercises_of_lesson(lesson), problem, final=False).to_json()


def _grade(given: dict[str, Any], place: Place, writing: int) -> None:
    """In a process of its own: whatever an answer does to it, it does to no other."""
    import resource  # not on Windows, where nothing is graded in a sandbox

    try:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(nothing, 1)
        exercises = exercises_of_lesson(given["lesson"])
        grade = grade_here(Path(given["path"]), given["lesson"], exercises, place)
        with open(writing, "w", encoding="utf-8") as file:
            file.write(grade.to_json())
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)


def _wait(reading: int, end: float) -> str:
    """What the process that grades has written; nothing, if it did not in time."""
    parts = bytearray()
    while time.monotonic() < end:
        ready, _, _ = select.select([reading, 0], [], [], 1)
        if 0 in ready:  # nothing is asked before the answer is there: it is the end
            raise Hangup
        if reading in ready:
            part = os.read(reading, 1 << 20)
            if not part:
                break
            parts += part
    return parts.decode() if _whole(parts) else ""


def _whole(answer: bytearray) -> bool:
    try:
        Grade.from_json(answer.decode())
    except (ValueError, KeyError, TypeError):
        return False
    return True


if __name__ == "__main__":
    main()
