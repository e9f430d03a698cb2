"""Exercises for the tests of check itself: one asks for a number, one for a function."""

from minigrad.exercises.attempt import Attempt, close
from minigrad.exercises.exercise import Exercise, NotYet


def _number(attempt: Attempt) -> None:
    if not close(attempt.number("six"), 6):
        raise NotYet("It is not that.", shows=2)


def _function(attempt: Attempt) -> None:
    double = attempt.function("double")
    x = attempt.torch.tensor([1.0, 2.0], requires_grad=True)
    y = attempt.checked_tensor(double(x), "What `double` returns")
    if not close(y, 2 * x):
        raise NotYet("It does not double.", shows="no doubling", draw=y)


NUMBER = Exercise(
    id="99_number",
    title="A number",
    prompt="Which number comes after 5?",
    starter="six = ...",
    answers=("six",),
    solutions=("six = 6", "six = 5 + 1"),
    hints=("It is not 5.", "It is not 7 either."),
    check=_number,
    wrong=(),
    because="5 + 1 = 6.",
)

FUNCTION = Exercise(
    id="99_function",
    title="A function",
    prompt="Double it.",
    starter="def double(x):\n    ...",
    answers=("double",),
    solutions=("def double(x):\n    return 2 * x", "double = lambda x: x + x"),
    hints=("Two times.", "Write `2 * x`."),
    check=_function,
    wrong=(),
)
