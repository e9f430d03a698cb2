"""Slips: an answer that behaves like a known one gets its diagnosis, whatever it looks like."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest

from minigrad.exercises.attempt import Attempt
from minigrad.exercises.exercise import Exercise, Observation, Slip
from minigrad.exercises.judging import judge
from tests.exercises.answering import answer, run


def _probe(attempt: Attempt) -> Iterator[Observation]:
    slope = attempt.function("slope")
    yield "`slope` at 3", slope(3.0)
    x = attempt.drawn() + 0.03
    yield f"`slope` at {x}", slope(x)


SLOPE = Exercise(
    id="99_slope",
    title="The slope of x²",
    prompt="Write it.",
    starter="def slope(x):\n    ...",
    answers=("slope",),
    solutions=("def slope(x):\n    return 2 * x",),
    hints=("", "", ""),
    because="It's 2x.",
    probe=_probe,
    slips=(
        Slip("a value", "def slope(x):\n    return x * x", "That's the value.", misconception=1),
        Slip("no number", "def slope(x):\n    return str(x)", "That's a text."),
        Slip("an error", "def slope(x):\n    return x.grad", "A float has no grad."),
        Slip("a cell that stops", "slope = lambda x: 2 * x\n1 / 0", "The cell divides by 0."),
        Slip("rounded", "slope = lambda x: float(round(2 * x))", "Right, but.", accepted=True),
        Slip("huge", "", "It's huge.", when=lambda seen: seen["`slope` at 3"] > 1e6),
    ),
)


@pytest.mark.parametrize(
    ("code", "outcome", "slip"),
    [
        ("slope = lambda x: x + x", "right", None),
        ("slope = lambda x: x ** 2", "not yet", "a value"),
        ("slope = lambda x: f'{x}'", "not yet", "no number"),
        ("slope = lambda number: number.grad", "not yet", "an error"),
        ("def slope(x):\n    return 2 * x\na = 1 // 0", "not yet", None),
        ("slope = 2\n1 / 0", "not yet", "a cell that stops"),
        ("slope = lambda x: round(x + x)", "right", "rounded"),
        ("slope = lambda x: 1e9", "not yet", "huge"),
        ("slope = lambda x: 6", "not yet", None),
        ("slope = lambda x: print(x)", "not yet", None),
    ],
)
def test_an_answer_is_judged_by_what_it_does(code: str, outcome: str, slip: str | None) -> None:
    found = answer(SLOPE, code)
    assert (found.outcome, found.slip if found.slip != "error" else None) == (outcome, slip), found


def test_an_unknown_answer_is_told_what_differs_first() -> None:
    found = answer(SLOPE, "slope = lambda x: 7 * x")
    assert found.message == "`slope` at 3 is `21`. That isn't what the task asks for."


def test_a_slip_says_what_it_says() -> None:
    found = answer(SLOPE, "slope = lambda x: x * x")
    assert (found.message, found.misconception) == ("That's the value.", 1)


def _yields(*observations: Observation) -> Exercise:
    """An exercise without slips: what it sees in `answer`, which has to be as in the solution."""

    def probe(attempt: Attempt) -> Iterator[Observation]:
        for (what, _), value in zip(observations, attempt["answer"], strict=True):
            yield what, value

    solution = f"answer = {[value for _, value in observations]!r}"
    changes = {"answers": ("answer",), "solutions": (solution,), "slips": (), "probe": probe}
    return dataclasses.replace(SLOPE, **changes)


@pytest.mark.parametrize(
    ("value", "others"),
    [
        (["add", "mul"], [["mul", "add"], ["add"], ["add", "mul", "sum"], "add", ["add", 1.0], []]),
        ([[1.0], [2.0, 3.0]], [[[1.0], [2.0, 4.0]], [[1.0, 2.0], [3.0]], [[1.0]], [1.0, 2.0], 1.0]),
        ([["a", 1.0], ["b"]], [[["a", 2.0], ["b"]], [["a"], ["b"]], [["a", 1.0], ["c"]]]),
    ],
)
def test_a_list_agrees_with_its_like_only(value: list[Any], others: list[Any]) -> None:
    exercise = _yields(("the list", value))
    assert answer(exercise, f"answer = {[value]!r}").outcome == "right"
    for other in others:
        assert answer(exercise, f"answer = {[other]!r}").outcome == "not yet", other


def test_two_observations_of_one_name_are_both_compared() -> None:
    exercise = _yields(("the loss", 1.0), ("the loss", 2.0))
    assert answer(exercise, "answer = [1.0, 2.0]").outcome == "right"
    for first, second, named in [(7.0, 2.0, 7), (1.0, 8.0, 8), (2.0, 2.0, 2), (1.0, 1.0, 1)]:
        found = answer(exercise, f"answer = [{first}, {second}]")
        assert found.message == f"The loss is `{named}`. That isn't what the task asks for."


def test_a_known_answer_may_take_as_long_as_a_learners() -> None:
    exercise = dataclasses.replace(SLOPE, probe=lambda attempt: iter([("", attempt.seconds)]))
    assert judge(exercise, run(exercise, SLOPE.solutions[0]), seconds=52.0).outcome == "right"
