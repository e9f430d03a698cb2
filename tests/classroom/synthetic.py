"""Submissions that nobody wrote, drawn from a seed, each with the verdict it must get.

Answers come from the exercises' definitions: solutions and known wrong answers. What is hostile is
an answer that does harm; what is broken is no notebook of the lesson.
"""

import copy
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minigrad.classroom import builds
from minigrad.classroom.grades import NOT_LOOKED_AT
from minigrad.classroom.store import Graded
from minigrad.exercises.cells import code_source
from minigrad.exercises.exercise import Exercise
from minigrad.exercises.result import NOT_ATTEMPTED, NOT_YET, RIGHT
from tools.normalise_lessons import LESSONS

# How many of each there are among a hundred.
MIXTURE = {"right": 40, "wrong": 20, "partly": 22, "untouched": 4, "broken": 6, "hostile": 8}

# What an answer may do to the one who grades it. None of it is an answer.
HARM = {
    "loops": "while True:\n    pass",
    "sleeps": "import time\ntime.sleep(1e6)",
    "takes memory": "taken = []\nwhile True:\n    taken.append(bytearray(1 << 26))",
    "ends Python": "import os\nos._exit(0)",
    "kills itself": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
    "kills its parent": "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)",
    "floods": "while True:\n    print('no play ' * 1000)",
    "floods past Python": "import os\nwhile True:\n    os.write(1, b'no play ' * 1000)",
    "fills the disk": "with open('large', 'wb') as file:\n"
    "    while True:\n        file.write(bytes(1 << 24))",
    "leaves": "raise SystemExit(0)",
    "goes too deep": "def deeper():\n    return deeper()\ndeeper()",
    "forges": "import minigrad.exercises.checking as checking\n"
    "judging._judged = lambda exercise, *_: judging.result(exercise, 'right', '')",
    "prints a verdict": 'print(\'{"outcome": "right", "points": 1}\')',
}


@dataclass(frozen=True)
class Synthetic:
    """A submission, and what must come of it.

    outcomes: by exercise; an outcome with the misconception where one must be named. Where it is
    None, anything but right will do. problem: whether there must be one; None where there may be.
    """

    student: str
    kind: str
    content: bytes
    outcomes: dict[str, tuple[str, int | None] | None]
    problem: bool | None = False

    def disagreement(self, graded: Graded) -> str | None:
        """What is wrong with a verdict on it; None if it is as it must be."""
        found = {
            one.exercise: (one.outcome, one.misconception, one.points)
            for one in graded.grade.exercises
        }
        if found.keys() != self.outcomes.keys():
            return f"{self.kind}: exercises {sorted(found)}"
        for exercise, expected in self.outcomes.items():
            outcome, misconception, points = found[exercise]
            agrees = outcome != RIGHT if expected is None else expected == (outcome, misconception)
            if not agrees or points != (outcome == RIGHT):
                return f"{self.kind}: {exercise} is {found[exercise]}, expected {expected}"
        if self.problem is not None and (graded.grade.problem is not None) != self.problem:
            return f"{self.kind}: problem {graded.grade.problem!r}"
        return None


class Lesson:
    """A lesson, as students get it, to be filled in: from nbgrader, if `released` is given."""

    def __init__(self, name: str, released: Path | None = None) -> None:
        self.name = name
        self._notebook = builds.read(released or LESSONS / f"{name}.ipynb")
        builds.student(self._notebook)
        self.exercises = [exercise for exercise, _ in builds.exercises_in(self._notebook)]

    def filled_in(self, answers: dict[str, str], seed: int, at_the_end: str = "") -> bytes:
        """The notebook with these answers, and a cell that makes it differ from all others.

        at_the_end: code in one more cell.
        """
        notebook = copy.deepcopy(self._notebook)
        for exercise, at in builds.exercises_in(notebook):
            if exercise.id in answers:
                notebook["cells"][at]["source"] = code_source(exercise, answers[exercise.id])
        notebook["cells"].append(builds.markdown(f"note-{seed}", f"My note, {seed}."))
        if at_the_end:
            code = {"cell_type": "code", "outputs": [], "execution_count": None}
            text = builds.markdown(f"end-{seed}", at_the_end)
            notebook["cells"].append(text | code)
        return json.dumps(notebook, ensure_ascii=False).encode()


def submissions(name: str, number: int, seed: int) -> Iterator[Synthetic]:
    """That many submissions of a lesson; the same for the same seed."""
    lesson = Lesson(name)
    for at in range(number):
        draw = random.Random(f"{seed}-{at}")
        kind = draw.choices(list(MIXTURE), list(MIXTURE.values()))[0]
        yield KINDS[kind](lesson, f"student-{at:05}", draw)


def write(folder: Path, name: str, number: int, seed: int) -> None:
    """Write them to `folder` in nbgrader's layout."""
    for one in submissions(name, number, seed):
        place = folder / one.student / name
        place.mkdir(parents=True)
        (place / f"{name}.ipynb").write_bytes(one.content)


Verdicts = dict[str, tuple[str, int | None] | None]


def _answer(exercise: Exercise, draw: random.Random, kind: str) -> tuple[str, Any]:
    if kind == "right":
        return draw.choice(exercise.solutions), (RIGHT, None)
    if kind == "untouched":
        return exercise.starter, (NOT_ATTEMPTED, None)
    wrong = draw.choice([slip for slip in exercise.slips if not slip.accepted])
    return wrong.code, (NOT_YET, wrong.misconception)


def _drawn(
    lesson: Lesson, draw: random.Random, kinds: list[str]
) -> tuple[dict[str, str], Verdicts]:
    drawn = {one.id: _answer(one, draw, draw.choice(kinds)) for one in lesson.exercises}
    answers = {exercise: answer for exercise, (answer, _) in drawn.items()}
    return answers, {exercise: verdict for exercise, (_, verdict) in drawn.items()}


def _filled(*kinds: str) -> Any:
    def make(lesson: Lesson, student: str, draw: random.Random) -> Synthetic:
        answers, outcomes = _drawn(lesson, draw, list(kinds))
        content = lesson.filled_in(answers, draw.getrandbits(32))
        return Synthetic(student, " or ".join(kinds), content, outcomes)

    return make


def _hostile(lesson: Lesson, student: str, draw: random.Random) -> Synthetic:
    answers, outcomes = _drawn(lesson, draw, ["right", "wrong"])
    harm, victim = draw.choice(list(HARM)), draw.choice([None, *lesson.exercises])
    if victim is None:  # in a cell that holds no answer, when all are there
        content = lesson.filled_in(answers, draw.getrandbits(32), HARM[harm])
    else:
        content = lesson.filled_in(answers | {victim.id: HARM[harm]}, draw.getrandbits(32))
        outcomes |= {victim.id: None}
    return Synthetic(student, harm, content, outcomes, problem=None)


def _broken(lesson: Lesson, student: str, draw: random.Random) -> Synthetic:
    answers, _ = _drawn(lesson, draw, ["right"])
    whole = lesson.filled_in(answers, draw.getrandbits(32))
    another = Lesson("00_start_here" if lesson.name[:2] != "00" else "01_slopes_by_nudging")
    kind, content = draw.choice(
        [
            ("nothing", b""),
            ("cut", whole[: draw.randrange(1, len(whole) - 1)]),
            ("noise", draw.randbytes(2000)),
            ("a list", b"[1, 2, 3]"),
            ("a notebook without cells", b'{"cells": 7, "metadata": {}, "nbformat": 4}'),
            ("too deep", b"[" * 100_000),
            ("another lesson", another.filled_in({}, draw.getrandbits(32))),
        ]
    )
    nothing = {one.id: (NOT_LOOKED_AT, None) for one in lesson.exercises}
    return Synthetic(student, kind, content, nothing, problem=True)


KINDS = {
    "right": _filled("right"),
    "wrong": _filled("wrong"),
    "partly": _filled("right", "wrong", "untouched"),
    "untouched": _filled("untouched"),
    "broken": _broken,
    "hostile": _hostile,
}
