"""What a run leaves for people: a table for the teacher, and a page for each student."""

import csv
import errno
import functools
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, Protocol

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from minigrad.classroom.assignment import Assignment
from minigrad.classroom.grades import NOT_LOOKED_AT, ExerciseGrade
from minigrad.classroom.store import Graded
from minigrad.exercises.exercise import find
from minigrad.exercises.result import NOT_ATTEMPTED, NOT_YET, RIGHT, page

LONGEST = 20_100  # characters of a text; a spreadsheet's field takes 32,767
# Control characters, halves of letters, and what turns the direction of writing.
_ODD = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_FORMULA = re.compile(r"""(^|;)([\s"']*[=+\-@＝＋－＠])""")
NO_ANSWER = "There is no answer to this one."
_REMARKS = ("misconceptions", "problem", "note", "incidents", "seconds", "notebook")
_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)
SIGNS = {NOT_LOOKED_AT: "?", NOT_ATTEMPTED: "○", NOT_YET: "→", RIGHT: "✓"}


@dataclass(frozen=True)
class Report:
    """One line of the table, one page: whose submission, and what came of it."""

    student: str
    notebook: str
    graded: Graded
    note: str | None = None


class Table(Protocol):
    """Takes one report after the other."""

    def add(self, report: Report) -> None:
        """Write it down."""


class _Table:
    def __init__(self, file: IO[str], assignment: Assignment) -> None:
        self._writer = csv.writer(file)
        self._assignment = assignment
        exercises = assignment.exercises
        self._row("student", "assignment", "score", "max_score", *exercises, *_REMARKS)

    def add(self, report: Report) -> None:
        told = data(report, self._assignment)
        shown = [f"{one}: {number}" for one, number in told["misconceptions"].items()]
        self._row(
            *(told["student"], told["assignment"], told["score"], told["max_score"]),
            *told["exercises"].values(),
            *("; ".join(shown), told["problem"] or "", told["note"] or ""),
            *("; ".join(told["incidents"]), f"{told['seconds']:.2f}", told["notebook"]),
        )

    def _row(self, *values: object) -> None:
        self._writer.writerow([harmless(str(value)) for value in values])


def data(report: Report, assignment: Assignment) -> dict[str, Any]:
    """A report as plain data, for programs."""
    grade = report.graded.grade
    outcomes = {one.exercise: one.outcome for one in grade.exercises}
    return {
        "student": plain(report.student),
        "assignment": assignment.name,
        "score": grade.points,
        "max_score": grade.max_points,
        "exercises": {one: outcomes.get(one, NOT_LOOKED_AT) for one in assignment.exercises},
        "misconceptions": {
            one.exercise: one.misconception for one in grade.exercises if one.misconception
        },
        "problem": grade.problem and plain(grade.problem),
        "note": report.note and plain(report.note),
        "incidents": [plain(one) for one in grade.incidents],
        "seconds": grade.seconds,
        "notebook": plain(report.notebook),
    }


def plain(text: str, most: int = LONGEST) -> str:
    """The text, cut to that length, in which what can't be stored or misleads the eye is spelled.

    >>> plain("a\\x00b\\u202ec")
    'a\\\\x00b\\\\u202ec'
    """
    if len(text) > most:
        text = f"{text[:most]}… ({len(text):,} characters in all)"
    return _ODD.sub(lambda found: ascii(found[0])[1:-1], text)


def harmless(text: str) -> str:
    """The text of a field in which no spreadsheet sees a formula, in one line.

    Nor does one that ends a field at a semicolon.

    >>> harmless("=HYPERLINK(1)")
    "'=HYPERLINK(1)"
    >>> harmless("a;=HYPERLINK(1)")
    "a;'=HYPERLINK(1)"
    """
    return _FORMULA.sub(r"\1'\2", " ".join(plain(text).split()))


def not_written(report: Report, error: Exception) -> Report:
    """A report whose page or line in the gradebook can't be written; raises what stops them all."""
    if isinstance(error, OSError) and error.errno in _DISK:
        raise error
    kind = type(error).__name__
    problem = f"It was graded, but its page or gradebook can't be written: {kind}: {error}"
    grade = replace(report.graded.grade, problem=problem)
    return replace(report, graded=replace(report.graded, grade=grade))


@contextmanager
def table(path: Path, assignment: Assignment) -> Iterator[Table]:
    """A CSV file with one line for each student; there once it is whole."""
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8", newline="") as file:
        yield _Table(file, assignment)
    os.replace(part, path)


def feedback(report: Report, assignment: Assignment) -> str:
    """The student's page. All that students have written is text in it, and never markup."""
    grade = report.graded.grade
    cells = [cell for cell in report.graded.cells if not cell.given]
    answers = {cell.exercise: cell.source for cell in cells if cell.exercise}
    text: str = _template().render(
        student=report.student,
        assignment=assignment.name,
        grade=grade,
        exercises=[
            _about(one, answers.get(one.exercise), grade.problem is None) for one in grade.exercises
        ],
        others=[cell for cell in cells if not cell.exercise],
    )
    return text


def _about(one: ExerciseGrade, answer: str | None, read: bool) -> dict[str, object]:
    untouched = one.outcome == NOT_ATTEMPTED and read  # then all there is is the starter
    message = NO_ANSWER if untouched else plain(one.message)
    return {
        "title": find(one.exercise).title,
        "id": one.exercise,
        "outcome": one.outcome,
        "kind": one.outcome.replace(" ", "-"),
        "sign": SIGNS[one.outcome],
        "points": one.points,
        "max_points": one.max_points,
        "message": Markup(page(message)),  # which escapes what it is given
        "answer": None if untouched else answer,
    }


@functools.cache
def _template() -> Any:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        finalize=_finalized,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("feedback.html")


def _finalized(value: object) -> object:
    return plain(value) if type(value) is str else value
