"""Grades one notebook in a sandbox, as a worker does."""

from pathlib import Path

from minigrad.classroom.grades import Grade, exercises_of_lesson, ungraded
from minigrad.classroom.protection import Limits, Protection
from minigrad.classroom.reading import NotRead, Refused, parse, read_whole
from minigrad.classroom.submission import grade_cells
from minigrad.classroom.task import LIMITS


def grade_submission(
    notebook: Path, lesson: str, *, limits: Limits = LIMITS, protection: Protection
) -> Grade:
    """Grade the notebook as a submission of that lesson, such as ``"03"``."""
    exercises = exercises_of_lesson(lesson)
    try:
        cells = parse(read_whole(notebook, limits.notebook)).code(exercises)
    except (Refused, NotRead) as reason:
        return ungraded(lesson, exercises, str(reason), final=isinstance(reason, Refused))
    return grade_cells(cells, lesson, limits=limits, protection=protection)
