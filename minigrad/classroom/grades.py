"""Grade: what becomes of one submission, as plain data."""

import json
from dataclasses import asdict, dataclass, replace
from typing import Any

from minigrad.exercises.exercise import Exercise, exercises_of, lesson_modules, own_exercises
from minigrad.exercises.result import RIGHT

NOT_GRADED = "This could not be graded."
NOT_LOOKED_AT = "not looked at"  # an outcome, beside those of `check`


@dataclass(frozen=True)
class ExerciseGrade:
    """What one exercise earned.

    outcome: "right", "not yet", "not attempted" or "not looked at". message: what the student
    should read. misconception: the number of the one that the answer shows. tried: how many
    different answers.
    """

    exercise: str
    outcome: str
    message: str
    misconception: int | None = None
    points: float = 0
    max_points: float = 1
    tried: int = 0

    @property
    def right(self) -> bool:
        """Whether it earned its points."""
        return self.outcome == RIGHT


@dataclass(frozen=True)
class Grade:
    """What one submission earned.

    problem: a sentence for the teacher, if it could not be graded as it should: unreadable file,
    wrong notebook, too much time, memory or output. incidents: what it tried and was refused, as
    far as that was noticed. seconds: how long grading took. final: False if the grader failed, not
    the submission, so that another attempt may tell more. timeout: "cpu" or "clock" if a time was
    up, by which. total: the points and the most there are, if the gradebook knows better.
    """

    lesson: str
    exercises: tuple[ExerciseGrade, ...]
    problem: str | None = None
    incidents: tuple[str, ...] = ()
    seconds: float = 0.0
    final: bool = True
    timeout: str = ""
    total: tuple[float, float] | None = None

    @property
    def points(self) -> float:
        """What was earned."""
        return self.total[0] if self.total else sum(one.points for one in self.exercises)

    @property
    def max_points(self) -> float:
        """What could have been earned."""
        return self.total[1] if self.total else sum(one.max_points for one in self.exercises)

    def within(self, attempts: int | None) -> "Grade":
        """Without the points for what took more different answers than that; None: any number."""
        if attempts is None:
            return self
        kept = [
            replace(one, points=one.points if one.tried <= attempts else 0)
            for one in self.exercises
        ]
        return replace(self, exercises=tuple(kept))

    def to_json(self) -> str:
        """The grade as one line of JSON."""
        return json.dumps(asdict(self))  # in ASCII: half a letter has no bytes

    @staticmethod
    def from_json(text: str) -> "Grade":
        """The grade that `to_json` wrote; ValueError, KeyError or TypeError for anything else."""
        given: dict[str, Any] = json.loads(text)
        exercises = tuple(ExerciseGrade(**one) for one in given["exercises"])
        return Grade(**given | {"exercises": exercises, "incidents": tuple(given["incidents"])})


def ungraded(
    lesson: str,
    exercises: list[Exercise],
    problem: str,
    final: bool = True,
    timeout: str = "",
) -> Grade:
    """A grade without points, and the reason."""
    nothing = [ExerciseGrade(one.id, NOT_LOOKED_AT, NOT_GRADED) for one in exercises]
    return Grade(lesson, tuple(nothing), problem, final=final, timeout=timeout)


def exercises_of_lesson(lesson: str) -> list[Exercise]:
    """The exercises of a lesson, by a name that begins with its number; LookupError if none."""
    number, module = lesson[:2], f"lesson_{lesson[:2]}"
    series = exercises_of(module) if module in lesson_modules() else {}
    own = [one for one in own_exercises().values() if one.id.startswith(f"{number}_")]
    if not (series or own):
        raise LookupError(f"There is no lesson {lesson!r} with exercises.")
    return [*series.values(), *own]
