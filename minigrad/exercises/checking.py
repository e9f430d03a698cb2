"""check, hint and solution: what a learner calls."""

import os
import sys
from dataclasses import replace
from types import ModuleType
from typing import Any

from minigrad.exercises import standing
from minigrad.exercises.attempt import Attempt
from minigrad.exercises.cell_guard import trouble
from minigrad.exercises.errors import explain
from minigrad.exercises.exercise import Exercise, NotYet, all_exercises, find
from minigrad.exercises.limits import TimeLimit, TookTooLong
from minigrad.exercises.observations import diagnose, graph_of_answers, slip_like
from minigrad.exercises.result import (
    NOT_ATTEMPTED,
    NOT_YET,
    RIGHT,
    Result,
    Told,
    result,
    slip_result,
)
from minigrad.exercises.undisturbed import undisturbed
from minigrad.viz.draw.drawing import Drawing, draw
from minigrad.viz.read.names import names_in
from minigrad.viz.read.protocol import is_tensor

SECONDS = 5.0  # for one call of the learner's code
SECONDS_IN_ALL = 20.0  # for the whole check, whose own programs may take their time
_LARGEST_DRAWING = 40


def check(exercise_id: str) -> Result:
    """Look at the answers to an exercise among the caller's variables, and say what they show.

    Not attempted, not yet (with a diagnosis), or right. It runs the answers, silently, each call
    for five seconds at most, and leaves all tensors, gradients and random numbers as they were. It
    raises nothing, whatever the answers are.
    """
    namespace = sys._getframe(1).f_globals
    try:
        exercise = find(exercise_id)
    except LookupError as error:
        return Result(str(error), "", str(exercise_id), NOT_ATTEMPTED)
    found = judge(exercise, namespace)
    if found.outcome == NOT_ATTEMPTED:
        return found
    unsaved = standing.note(exercise.id, attempts=1, solved=found.outcome == RIGHT)
    return replace(found, message="\n\n".join(filter(None, [found.message, unsaved])))


def judge(
    exercise: Exercise,
    namespace: dict[str, Any],
    *,
    seconds: float | None = None,
    drawn: bool = True,
) -> Result:
    """What the answers in `namespace` show; progress is not touched.

    seconds: for one call of the learner's code, SECONDS by default.
    drawn: whether to draw the learner's graph.
    """
    torch = engine(namespace)
    attempt = Attempt(exercise, namespace, torch, SECONDS if seconds is None else seconds)
    try:
        with undisturbed(torch, namespace), TimeLimit(SECONDS_IN_ALL):
            return _judged(exercise, attempt, namespace, drawn)
    except TookTooLong as error:
        said = explain(error, namespace, attempt.calling)
        return result(exercise, NOT_YET, said.message, said.misconception)
    except KeyboardInterrupt:
        return result(exercise, NOT_YET, "The check was interrupted before it had finished.")
    except BaseException as error:  # an object of the learner's that does not let itself be read
        said = explain(error, namespace, "Looking at your answer")
        message = (
            f"{said.message}\n\nIs it of the kind that is asked for? And if you have changed "
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
        there = f"There is no `{missing[0]}`. Is it spelt like that? " if missing else ""
        return result(
            exercise,
            NOT_ATTEMPTED,
            f"{there}Write your answer into the cell above, run it, then run this one. "
            f'Stuck? `hint("{exercise.id}")` in a cell of its own.',
        )
    try:
        if exercise.check is not None:
            exercise.check(attempt)
            return result(exercise, RIGHT, exercise.because)
        slip = diagnose(exercise, attempt)
        if slip is None:
            return result(exercise, RIGHT, exercise.because)
        drawing = _drawing(graph_of_answers(exercise, namespace), namespace) if drawn else None
        return slip_result(exercise, slip, drawing)
    except NotYet as found:
        drawing = _drawing(found.draw, namespace) if drawn else None
        return result(exercise, NOT_YET, found.message, found.shows, drawing)


def _drawing(tensors: object, namespace: dict[str, Any]) -> Drawing | None:
    if isinstance(tensors, dict):
        return draw(*tensors.values(), names=tensors, limit=_LARGEST_DRAWING)
    if is_tensor(tensors):
        return draw(tensors, names=dict(names_in(namespace)), limit=_LARGEST_DRAWING)
    return None


def hint(exercise_id: str) -> Told:
    """The next hint for an exercise; one more each time, and after the last one the last again."""
    try:
        exercise = find(exercise_id)
    except LookupError as error:
        return Told("No such exercise", str(error))
    taken = min(standing.standing(exercise.id).hints, len(exercise.hints) - 1)
    standing.note(exercise.id, hints=1)
    message = exercise.hints[taken]
    if taken + 1 == len(exercise.hints):
        message += f'\n\nThis was the last one. After an attempt: `solution("{exercise.id}")`'
    return Told(f"{exercise.title}: hint {taken + 1} of {len(exercise.hints)}", message)


def solution(exercise_id: str) -> Told:
    """The solutions of an exercise, as code, once it was attempted.

    To teachers, who set MINIGRAD_TEACHER in the environment, they are shown at once.
    """
    try:
        exercise = find(exercise_id)
    except LookupError as error:
        return Told("No such exercise", str(error))
    if not standing.standing(exercise.id).attempts and not os.environ.get("MINIGRAD_TEACHER"):
        return Told(
            f"{exercise.title}: try it first",
            f'Write an answer, even a doubtful one, and run `check("{exercise.id}")`. '
            "What it says is worth more than the solution.",
        )
    ways = [
        "\n".join(f"    {line}" for line in way.strip("\n").split("\n"))
        for way in exercise.solutions
    ]
    message = "\n\nOr in another way:\n\n".join(ways)
    if exercise.because:
        message += f"\n\n{exercise.because}"
    return Told(f"{exercise.title}: solution", message)


def progress() -> Told:
    """A table of the exercises: solved or not, attempts and hints."""
    known = standing.standings()
    lines = [f"    {'':2}{'exercise':32}{'attempts':>8}{'hints':>7}"]
    for exercise in all_exercises():
        now = known.get(exercise.id, standing.Standing())
        sign = "✓" if now.solved else "→" if now.attempts else "○"
        lines.append(f"    {sign} {exercise.id:32}{now.attempts:8}{now.hints:7}")
    solved = sum(now.solved for now in known.values())
    return Told(f"Exercises: {solved} of {len(lines) - 1} solved", "\n".join(lines))


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
