"""What a worker does: it grades one notebook, whose bytes travel with the task."""

import functools
import json
from typing import Any

from minigrad.classroom.assignment import Assignment, edition, fingerprint
from minigrad.classroom.grades import exercises_of_lesson, ungraded
from minigrad.classroom.protection import Limits, Protection, find_protection
from minigrad.classroom.reading import BadNotebook, read_submission
from minigrad.classroom.store import Cell, Graded
from minigrad.classroom.submission import grade_cells
from minigrad.exercises.cell_guard import mark
from minigrad.exercises.cells import exercise_in

LIMITS = Limits()
# What of a student's cells is kept for the feedback; nobody writes more by hand.
MOST_CELLS = 200
MOST_CHARACTERS = 20_000


class OtherEdition(RuntimeError):
    """The worker's minigrad is not the one that the run was started with."""


def grade_bytes(notebook: bytes, assignment: Assignment, unprotected: bool) -> str:
    """The submission's result, as `Graded` writes itself.

    OtherEdition and Unprotected if this worker cannot grade. Nothing in the notebook raises.
    """
    if edition() != assignment.edition:
        raise OtherEdition(f"A worker has minigrad {edition()}, this run {assignment.edition}.")
    protection = Protection.NONE if unprotected else _protection()
    lesson, exercises = assignment.lesson, exercises_of_lesson(assignment.lesson)
    try:
        cells = read_submission(notebook, exercises)
    except BadNotebook as error:
        return Graded(ungraded(lesson, exercises, str(error))).to_json()
    grade = grade_cells(cells, lesson, limits=LIMITS, protection=protection)
    return Graded(grade, cells_of(notebook, assignment)).to_json()


_protection = functools.cache(find_protection)


def cells_of(notebook: bytes, assignment: Assignment) -> tuple[Cell, ...]:
    """The cells that a student has written or changed, shortened; none of what cannot be read."""
    try:
        cells = json.loads(notebook)["cells"]
        own = [_cell(cell, assignment) for cell in cells]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return ()
    return tuple(cell for cell in own if cell is not None)[:MOST_CELLS]


def _cell(cell: Any, assignment: Assignment) -> Cell | None:
    source = "".join(cell["source"])
    exercise = _exercise(cell, source, assignment) if cell["cell_type"] == "code" else None
    by_nbgrader = cell["metadata"].get("nbgrader", {}).get("grade", False)
    given = fingerprint(source) in assignment.given
    if by_nbgrader or not source.strip() or (given and exercise is None):
        return None
    kind = "code" if cell["cell_type"] == "code" else "text"
    text = source.encode(errors="replace").decode()  # halves of letters cannot be stored
    if len(text) > MOST_CHARACTERS:
        text = f"{text[:MOST_CHARACTERS]}\n… ({len(text):,} characters in all)"
    return Cell(kind, text, exercise)


def _exercise(cell: Any, source: str, assignment: Assignment) -> str | None:
    """By its metadata, or by its first line where a tool has lost them."""
    held = exercise_in(cell)
    marked = (one for one in assignment.exercises if source.startswith(f"{mark(one)}\n"))
    return held if held in assignment.exercises else next(marked, None)
