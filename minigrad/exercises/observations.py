"""How `check` finds out what an answer shows: it watches it, and known answers, do the same things.

An exercise's probe yields observations: the values of the answers, or what a function returns, or
whether a result has a graph. The learner's answer is right if all observations are those of the
solution, and shows a slip if they are those of that slip.
"""

import copy
from typing import Any

import numpy as np

from minigrad.exercises.attempt import Attempt, close, numerals, plain, shown
from minigrad.exercises.exercise import Exercise, NotYet, Observation, Slip
from minigrad.widgets.running import run


def diagnose(exercise: Exercise, attempt: Attempt) -> Slip | None:
    """None if the answer is right, or the slip that it shows.

    NotYet, with the first observation that differs, for an answer that behaves like none of them.
    """
    start = copy.deepcopy(attempt.random)
    seen, stop = observe(exercise, attempt)
    attempt.random = start
    expected = _known(exercise, attempt, exercise.solutions[0])
    if _same(seen, expected):
        return None
    slip = slip_like(exercise, attempt, seen)
    if slip is not None:
        return slip
    raise stop or _first_difference(exercise, attempt, seen, expected)


def slip_like(exercise: Exercise, attempt: Attempt, seen: list[Observation]) -> Slip | None:
    """The first slip that shows these observations."""
    for slip in exercise.slips:
        if _recognizes(slip, seen) or _same(seen, _known(exercise, attempt, slip.code)):
            return slip
    return None


def observe(exercise: Exercise, attempt: Attempt) -> tuple[list[Observation], NotYet | None]:
    """The observations of an attempt, and what ended them early, if anything did."""
    seen: list[Observation] = []
    probe = exercise.probe or _values
    try:
        for what, value in probe(attempt):
            if attempt.graph is None and getattr(value, "grad_fn", None) is not None:
                attempt.graph = value
            seen.append((what, plain(value)))
    except NotYet as stop:
        return [*seen, ("error", stop.error or stop.message)], stop
    return seen, None


def _values(attempt: Attempt) -> Any:
    for name in attempt.names:
        yield f"`{name}`", attempt[name]


def _known(exercise: Exercise, attempt: Attempt, code: str) -> list[Observation]:
    """The observations of a known answer, on the inputs that the learner's got."""
    ran = run(code, {"torch": attempt.torch}, attempt.seconds)
    if ran.error:
        return [("error", ran.error)]
    random = copy.deepcopy(attempt.random)
    known = Attempt(exercise, ran.space, attempt.torch, attempt.seconds, random)
    return observe(exercise, known)[0]


def _recognizes(slip: Slip, seen: list[Observation]) -> bool:
    if slip.when is None:
        return False
    try:
        return slip.when(dict(seen))
    except (KeyError, TypeError):  # the probe ended before that, or saw something of another kind
        return False


def _same(left: list[Observation], right: list[Observation]) -> bool:
    return len(left) == len(right) and all(map(_agree, left, right))


def _agree(left: Observation, right: Observation) -> bool:
    return left[0] == right[0] and _alike(left[1], right[1])


def _alike(seen: Any, expected: Any) -> bool:
    exact = str | bool | None
    if isinstance(seen, exact) or isinstance(expected, exact):
        return type(seen) is type(expected) and bool(seen == expected)
    try:
        return close(seen, expected) or _both_nan(seen, expected)
    except (TypeError, ValueError, OverflowError):
        # No array of numbers: texts in a list, or a ragged list.
        both = isinstance(seen, list) and isinstance(expected, list)
        return both and len(seen) == len(expected) and all(map(_alike, seen, expected))


def _both_nan(seen: Any, expected: Any) -> bool:
    left, right = (np.asarray(one, dtype=np.float64) for one in (seen, expected))
    return left.shape == right.shape and np.array_equal(left, right, equal_nan=True)


def _first_difference(
    exercise: Exercise, attempt: Attempt, seen: list[Observation], expected: list[Observation]
) -> NotYet:
    known: dict[str, list[Any]] = {}
    for what, value in expected:
        known.setdefault(what, []).append(value)
    for what, value in seen:
        wanted = known.get(what)  # the second of a name is compared with the second
        if not wanted or not _alike(value, wanted.pop(0)):
            return NotYet(f"{_begun(what)} is {_short(value)}. That isn't what the task asks for.")
    return NotYet("Something is missing from your answer.")


def _begun(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _short(value: Any) -> str:
    try:
        return numerals(value) if not isinstance(value, bool) else shown(value)
    except (TypeError, ValueError, OverflowError):
        return shown(value)
