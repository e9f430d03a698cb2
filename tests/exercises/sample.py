"""Exercises for the tests of check itself: one asks for a number, one for a function."""

from collections.abc import Iterator

from minigrad.exercises.attempt import Attempt
from minigrad.exercises.exercise import Exercise, Observation, Slip


def _double(attempt: Attempt) -> Iterator[Observation]:
    double = attempt.function("double")
    x = attempt.torch.tensor([1.0, 2.0], requires_grad=True)
    yield "`double(x)`", attempt.checked_tensor(double(x), "What `double` returns")


NUMBER = Exercise(
    id="99_number",
    title="A number",
    prompt="Which number comes after 5?",
    starter="six = ...",
    answers=("six",),
    solutions=("six = 6", "six = 5 + 1"),
    hints=("It is not 5.", "It is not 7 either."),
    because="5 + 1 = 6.",
    slips=(
        Slip("Seven", "six = 7", "You added 2.", 2),
        Slip("A graph", "six = torch.tensor(2.0, requires_grad=True) * 4", "You multiplied."),
    ),
)

FUNCTION = Exercise(
    id="99_function",
    title="A function",
    prompt="Double it.",
    starter="def double(x):\n    ...",
    answers=("double",),
    solutions=("def double(x):\n    return 2 * x", "double = lambda x: x + x"),
    hints=("Two times.", "Write `2 * x`."),
    probe=_double,
    slips=(Slip("Three times", "def double(x):\n    return x * 3", "It doesn't double."),),
)
