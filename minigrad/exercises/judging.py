"""Judging an answer: it is run, silently and with a time limit, and compared with known answers."""

import sys
from types import ModuleType
from typing import Any

from minigrad.exercises.attempt import Attempt
from minigrad.exercises.cell_guard import trouble
from minigrad.exercises.errors import explain
from minigrad.exercises.exercise import Exercise, NotYet
from minigrad.exercises.limits import TimeLimit, TookTooLong
from minigrad.exercises.observations import diagnose, slip_like
from minigrad.exercises.result import NOT_ATTEMPTED, NOT_YET, RIGHT, Result, result, slip_result
from minigrad.exercises.undisturbed import undisturbed
from minigrad.viz.draw.drawing import Drawing, draw
from minigrad.viz.read.names import names_in
from minigrad.viz.read.protocol import is_tensor

SECONDS = 5.0  # for one call of the learner's code
SECONDS_IN_ALL = 20.0  # for the whole check, whose own programs may take their time
_LARGEST_DRAWING = 40


def judge(
    exercise: Exercise,
    namespace: dict[str, Any],
    *,
    seconds: float | None = None,
    seconds_in_all: float | None = None,
    drawn: bool = True,
) -> Result:
    """What the answers in `namespace` show; progress is not touched.

    seconds: for one call of the learner's code, SECONDS by default. seconds_in_all: for everything,
    SECONDS_IN_ALL by default.
    drawn: whether to draw the learner's graph.
    """
    torch = engine(namespace)
    attempt = Attempt(exercise, namespace, torch, SECONDS if seconds is None else seconds)
    whole = SECONDS_IN_ALL if seconds_in_all is None else seconds_in_all
    try:
        with undisturbed(torch, namespace), TimeLimit(whole):
            return _judged(exercise, attempt, namespace, drawn)
    except TookTooLong as error:
        said = explain(error, namespace, attempt.calling)
        return result(exercise, NOT_YET, said.message, said.misconception)
    except KeyboardInterrupt:
        return result(exercise, NOT_YET, "The check was interrupted before it finished.")
    except BaseException as error:  # an object of the learner's that does not let itself be read
        said = explain(error, namespace, "Looking at your answer")
        message = (
            f"{said.message}\n\nIs it the kind of thing that the task asks for? If you've changed "
            "`torch` itself, restart the kernel."
        )
        return result(exercise, NOT_YET, message)


def _judged(exercise: Exercise, attempt: Attempt, namespace: dict[str, Any], drawn: bool) -> Result:
    stopped = trouble(exercise.id)
    if stopped is not None:
        slip = slip_like(exercise, attempt, [("error", stopped.error)])
        if slip is not None:
            return slip_result(exercise, slip)
        return result(exercise, NOT_YET, stopped.message, stopped.misconception or "error")
    if not attempt.started():
        missing = [name for name in exercise.answers if name not in namespace]
        there = f"There's no `{missing[0]}`. Is it spelled that way? " if missing else ""
        return result(
            exercise,
            NOT_ATTEMPTED,
            f"{there}Write your answer into the cell above, run it, then run this one. "
            f'Stuck? `hint("{exercise.id}")` in a cell of its own.',
        )
    try:
        slip = diagnose(exercise, attempt)
        if slip is None:
            return result(exercise, RIGHT, exercise.because)
        drawing = _drawing(attempt, namespace) if drawn else None
        return slip_result(exercise, slip, drawing)
    except NotYet as found:
        return result(exercise, NOT_YET, found.message, found.shows)


def _drawing(attempt: Attempt, namespace: dict[str, Any]) -> Drawing | None:
    """The graph of the first answer that has one, or else of a result that was observed."""
    answers = [*map(namespace.get, attempt.names), attempt.graph]
    graphs = (one for one in answers if is_tensor(one) and one.grad_fn is not None)
    root = next(graphs, None)
    if root is None:
        return None
    return draw(root, names=dict(names_in(namespace)), limit=_LARGEST_DRAWING)


def engine(namespace: dict[str, Any]) -> Any:
    """The engine that a notebook uses: what it calls torch; else that of its tensors; minigrad."""
    named = namespace.get("torch")
    if isinstance(named, ModuleType) and hasattr(named, "tensor") and hasattr(named, "autograd"):
        return named
    torch = sys.modules.get("torch")
    if torch is not None and any(isinstance(t, torch.Tensor) for _, t in names_in(namespace)):
        return torch
    import minigrad

    return minigrad
