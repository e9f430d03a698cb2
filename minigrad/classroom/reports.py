"""What a run leaves for people: a table for the teacher, and a page for each student."""

import csv
import functools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from minigrad.classroom.assignment import Assignment
from minigrad.classroom.grades import NOT_LOOKED_AT, ExerciseGrade
from minigrad.classroom.store import Graded
from minigrad.exercises.exercise import find
from minigrad.exercises.result import NOT_ATTEMPTED, NOT_YET, RIGHT, page

LONGEST_MESSAGE = 10_000
NO_ANSWER = "There is no answer to this one."
_REMARKS = ("misconceptions", "problem", "incidents", "seconds", "notebook")
SIGNS = {NOT_LOOKED_AT: "?", NOT_ATTEMPTED: "○", NOT_YET: "→", RIGHT: "✓"}


@dataclass(frozen=True)
class Report:
    """One line of the table, one page: whose submission, and what came of it."""

    student: str
    notebook: str
    graded: Graded


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
        grade, assignment = report.graded.grade, self._assignment
        outcomes = {one.exercise: one.outcome for one in grade.exercises}
        shown = [
            f"{one.exercise}: {one.misconception}" for one in grade.exercises if one.misconception
        ]
        self._row(
            *(report.student, assignment.name, grade.points, grade.max_points),
            *(outcomes.get(exercise, NOT_LOOKED_AT) for exercise in assignment.exercises),
            *("; ".join(shown), grade.problem or "", "; ".join(grade.incidents)),
            *(f"{grade.seconds:.2f}", report.notebook),
        )

    def _row(self, *values: object) -> None:
        self._writer.writerow([harmless(str(value)) for value in values])


def harmless(text: str) -> str:
    """The text of a field in which no spreadsheet sees a formula, in one line.

    >>> harmless("=HYPERLINK(1)")
    "'=HYPERLINK(1)"
    """
    text = " ".join(text.split())
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


@contextmanager
def table(path: Path, assignment: Assignment) -> Iterator[Table]:
    """A CSV file with one line for each student; there once it is whole."""
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8", newline="") as file:
        yield _Table(file, assignment)
    os.replace(part, path)


def feedback(report: Report, assignment: Assignment) -> str:
    """The student's page. All that students have written is text in it, and never markup."""
    grade, cells = report.graded.grade, report.graded.cells
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
    message = NO_ANSWER if untouched else one.message[:LONGEST_MESSAGE]
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
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("feedback.html")
