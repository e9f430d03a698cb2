"""What a worker does: it grades one notebook, whose bytes travel with the task."""

import functools
from collections import Counter

from minigrad.classroom.assignment import Assignment, edition, fingerprint
from minigrad.classroom.grades import exercises_of_lesson, ungraded
from minigrad.classroom.protection import Limits, Protection, find_protection
from minigrad.classroom.reading import Cell as Code
from minigrad.classroom.reading import Notebook, NotRead, Refused, Written, among, parse
from minigrad.classroom.store import Cell, Graded
from minigrad.classroom.submission import grade_cells
from minigrad.exercises.exercise import own_exercises

LIMITS = Limits()
# What of a student's cells is kept for the feedback; nobody writes more by hand.
MOST_CELLS = 400
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
        parsed = parse(notebook)
        cells = parsed.code(exercises)
    except (Refused, NotRead) as reason:
        final = isinstance(reason, Refused)
        return Graded(ungraded(lesson, exercises, str(reason), final)).to_json()
    given = {cell.number for cell in cells if _is_given(cell, assignment)}
    grade = grade_cells(cells, lesson, given=given, limits=LIMITS, protection=protection)
    return Graded(grade, cells_of(parsed, assignment)).to_json()


def _is_given(cell: Code, assignment: Assignment) -> bool:
    """Whether it is as every student gets it; a teacher's own exercises may ask for its data."""
    own = own_exercises()
    return not (cell.exercise or own) and fingerprint(cell.source) in assignment.given


_protection = functools.cache(find_protection)


def cells_of(notebook: Notebook, assignment: Assignment) -> tuple[Cell, ...]:
    """The cells that a student has written or changed, shortened; of nbgrader's notebooks all."""
    kept = [_cell(cell, assignment) for cell in notebook.cells]
    graded = Counter(cell.grade_id for cell in kept if cell.grade_id in assignment.grade_ids)
    if graded != Counter(assignment.grade_ids):
        kept = [cell for cell in kept if not cell.given]
    return tuple(kept[:MOST_CELLS])


def _cell(cell: Written, assignment: Assignment) -> Cell:
    exercise = among(assignment.exercises, cell.exercise) if cell.kind == "code" else None
    text = cell.source
    given = exercise is None and fingerprint(text) in assignment.given
    if len(text) > MOST_CHARACTERS:
        text = f"{text[:MOST_CHARACTERS]}\n… ({len(text):,} characters in all)"
    return Cell(cell.kind, text, exercise, cell.grade_id, given or not text.strip())
