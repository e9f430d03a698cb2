"""grade_submission: one student's notebook in, a Grade out, whatever is in the notebook."""

import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from minigrad.classroom.grades import ExerciseGrade as ExerciseGrade
from minigrad.classroom.grades import Grade as Grade
from minigrad.classroom.protection import Limits as Limits
from minigrad.classroom.protection import Protection as Protection
from minigrad.exercises.exercise import Exercise, exercises_of
from minigrad.exercises.result import NOT_ATTEMPTED

LIMITS = Limits()
NOT_GRADED = "This could not be graded."


def grade_submission(
    notebook: Path, lesson: str, *, limits: Limits = LIMITS, protection: Protection
) -> Grade:
    """Grade the notebook as a submission of that lesson, such as ``"03"``.

    It raises nothing for what is in the notebook; LookupError for a lesson that has no exercises.
    """
    started = time.monotonic()
    exercises = exercises_of_lesson(lesson)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "minigrad.classroom.plain", str(notebook), lesson],
            capture_output=True,
            timeout=limits.seconds,
            check=True,
        )
        grade = Grade.from_json(done.stdout.decode().splitlines()[-1])
    except subprocess.TimeoutExpired:
        grade = ungraded(lesson, exercises, "It ran out of time.")
    except (subprocess.SubprocessError, json.JSONDecodeError, IndexError):
        grade = ungraded(lesson, exercises, "It could not be read, or ended before its end.")
    return replace(grade, seconds=time.monotonic() - started)


def exercises_of_lesson(lesson: str) -> list[Exercise]:
    """The exercises of a lesson, by a name that begins with its number; LookupError if none."""
    try:
        return list(exercises_of(f"lesson_{lesson[:2]}").values())
    except ModuleNotFoundError:
        raise LookupError(f"There is no lesson {lesson!r} with exercises.") from None


def ungraded(lesson: str, exercises: list[Exercise], problem: str) -> Grade:
    """A grade without points, and the reason."""
    nothing = [ExerciseGrade(one.id, NOT_ATTEMPTED, NOT_GRADED) for one in exercises]
    return Grade(lesson, tuple(nothing), problem)
