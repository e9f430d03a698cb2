"""grade: what the hidden cells of an assignment call."""

import sys

from minigrad.exercises.exercise import find
from minigrad.exercises.judging import judge
from minigrad.exercises.result import RIGHT


class NotRight(AssertionError):
    """The answer earns no points; the text is what `check` says of it."""

    def _render_traceback_(self) -> list[str]:
        # What IPython shows, and nbgrader's feedback with it: no lines of minigrad's own.
        return [str(self)]


def grade(exercise_id: str) -> None:
    """Return if the caller's answer to the exercise is right; NotRight, with a diagnosis, if not.

    LookupError for an id that no exercise has.

    >>> a_grad = 9
    >>> grade("04_diamond")
    """
    found = judge(find(exercise_id), sys._getframe(1).f_globals)
    if found.outcome != RIGHT:
        raise NotRight(str(found))
