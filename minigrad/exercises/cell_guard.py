"""Watches over the cells that hold an exercise: stops what does not end, and remembers errors.

Such a cell begins with a line ``# exercise 04_diamond``, by which it is known here; a line such as
``%%time`` may stand above it.
"""

import re
import sys
from collections.abc import Mapping
from types import FrameType
from typing import Any

from minigrad.exercises.errors import Trouble, explain
from minigrad.exercises.limits import Bounded, TimeLimit
from minigrad.explain.shell import shorten_errors

SECONDS = 5.0
CHARACTERS = 100_000  # that such a cell may print

# The errors in which cells ended that were run last, by the exercise they hold.
_troubles: dict[str, Trouble] = {}

_MARK = re.compile(r"(?:%%.*\n)?# exercise (\w+)[ \t]*$", re.MULTILINE)


def mark(exercise: str) -> str:
    """The first line of the cell of an exercise."""
    return f"# exercise {exercise}"


def marked(source: str) -> str | None:
    """The exercise whose cell this is, by its first line."""
    found = _MARK.match(source)
    return found and found[1]


def trouble(exercise: str) -> Trouble | None:
    """The error in which the exercise's cell ended when it was last run."""
    return _troubles.get(exercise)


def remember(exercise: str, error: BaseException | None, namespace: Mapping[str, Any]) -> None:
    """Note how the exercise's cell has ended."""
    _troubles.pop(exercise, None)
    if error is not None:
        _troubles[exercise] = explain(error, namespace, "Your cell")


class CellGuard:
    """Does so in an IPython shell, before and after each cell."""

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._limit: TimeLimit | None = None
        self._info: Any = None
        shell.events.register("pre_run_cell", self.before)
        shell.events.register("post_run_cell", self.after)

    def before(self, info: Any) -> None:
        """Set the limits, if the cell holds an exercise."""
        if marked(info.raw_cell or "") and self._limit is None:
            self._info = info
            self._limit = TimeLimit(SECONDS, within=self._is_learners)
            self._stdout, sys.stdout = sys.stdout, Bounded(sys.stdout, CHARACTERS)
            self._limit.__enter__()

    def after(self, result: Any) -> None:
        """Take the limits away, and note the error."""
        if self._limit is not None and result.info is self._info:  # not of a cell within it
            self._limit.__exit__(None, None, None)
            self._limit = None
            sys.stdout = self._stdout
        held = marked(getattr(result.info, "raw_cell", None) or "")
        if held:
            error = result.error_in_exec or result.error_before_exec
            remember(held, error, self._shell.user_ns)

    def _is_learners(self, frame: FrameType) -> bool:
        return frame.f_globals is self._shell.user_ns


def watch() -> None:
    """Watch over the notebook's cells, and shorten their errors, from now on; once is enough.

    Without IPython, do nothing.
    """
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is not None and not hasattr(shell, "_minigrad_cell_guard"):
        shell._minigrad_cell_guard = CellGuard(shell)
        shorten_errors(shell)
