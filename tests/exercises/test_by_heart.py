"""No answer is right that knows by heart what a check has asked: the next one asks otherwise."""

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from minigrad.exercises.exercise import Exercise, all_exercises
from minigrad.exercises.judging import judge
from minigrad.exercises.result import NOT_YET, RIGHT
from tests.exercises.answering import answer, run
from tests.exercises.by_heart import learners
from tests.exercises.sample import FUNCTION

EXERCISES = all_exercises()


@pytest.fixture(autouse=True)
def seeds(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Each check draws other inputs, and each test the same ones at every run."""
    counted, generator = itertools.count(), np.random.default_rng
    monkeypatch.setattr(np.random, "default_rng", lambda: generator(next(counted)))
    return counted


def outcomes(exercise: Exercise, stale: bool) -> list[str]:
    """For each function in the first solution, learnt by heart: its second check."""
    found = []
    namespace = run(exercise, exercise.solutions[0])
    for name in exercise.answers:
        right = namespace[name]
        for learner, learning in learners(right, stale):
            namespace[name] = learning
            assert judge(exercise, namespace, drawn=False).outcome == RIGHT
            assert learner.asked
            learner.learnt()
            found.append(judge(exercise, namespace, drawn=False).outcome)
        namespace[name] = right
    return found


@pytest.mark.parametrize("stale", [False, True], ids=["raises", "stale"])
@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.id)
def test_what_was_learnt_by_heart_is_not_right(exercise: Exercise, stale: bool) -> None:
    found = outcomes(exercise, stale)
    assert found == [NOT_YET] * len(found)


def test_that_finds_a_check_of_fixed_inputs() -> None:
    assert outcomes(FUNCTION, stale=False) == [RIGHT]


def test_every_exercise_that_asks_for_a_function_is_found() -> None:
    asked = [one.id for one in EXERCISES if outcomes(one, stale=False)]
    assert asked == [one.id for one in EXERCISES if "def " in one.starter]


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.id)
def test_solutions_are_right_whatever_is_drawn(exercise: Exercise) -> None:
    for code in exercise.solutions * 3:
        found = answer(exercise, code)
        assert found.outcome == RIGHT, found
