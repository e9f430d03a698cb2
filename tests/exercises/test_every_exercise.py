"""What holds of every exercise in the series."""

import ast
import re
from collections import Counter

import pytest

from minigrad.exercises.exercise import Exercise, Slip, all_exercises, lesson_modules
from minigrad.exercises.misconceptions import MISCONCEPTIONS
from minigrad.exercises.predictions import predictions_of
from minigrad.exercises.result import NOT_ATTEMPTED, NOT_YET, RIGHT
from tests.exercises.answering import answer
from tests.exercises.renaming import renamed

ENGINES = ["minigrad", pytest.param("torch", marks=pytest.mark.parity)]
EXERCISES = all_exercises()
SOLUTIONS = [(one, code) for one in EXERCISES for code in one.solutions]
SLIPS = [(one, slip) for one in EXERCISES for slip in one.slips]


def ids(value: object) -> str:
    return value.id if isinstance(value, Exercise) else ""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("exercise", EXERCISES, ids=ids)
def test_the_starter_is_no_attempt(exercise: Exercise, engine: str) -> None:
    found = answer(exercise, exercise.starter, engine)
    assert found.outcome == NOT_ATTEMPTED, found


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("exercise", "code"), SOLUTIONS, ids=ids)
def test_a_solution_is_right(exercise: Exercise, code: str, engine: str) -> None:
    found = answer(exercise, code, engine)
    assert found.outcome == RIGHT, found
    other_names = renamed(code, set(exercise.answers))
    assert answer(exercise, other_names, engine) == found, other_names


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("exercise", "slip"), SLIPS, ids=ids)
def test_a_slip_gets_its_own_diagnosis(exercise: Exercise, slip: Slip, engine: str) -> None:
    for code in (slip.code, renamed(slip.code, set(exercise.answers))):
        found = answer(exercise, code, engine)
        outcome = RIGHT if slip.accepted else NOT_YET
        assert (found.outcome, found.slip, found.message) == (outcome, slip.name, slip.says), code


@pytest.mark.parametrize("exercise", EXERCISES, ids=ids)
def test_an_exercise_is_whole(exercise: Exercise) -> None:
    assert len({ast.unparse(ast.parse(code)) for code in exercise.solutions}) >= 1
    assert len(exercise.hints) == 3
    assert exercise.slips
    assert exercise.because
    assert exercise.answers
    assert all(exercise.starter.find(name) >= 0 for name in exercise.answers)
    assert exercise.title
    assert len(exercise.prompt) > 40


def test_ids_begin_with_their_lesson_and_answers_are_not_shared() -> None:
    for module in lesson_modules():
        lesson = [one for one in EXERCISES if one.id[:3] == f"{module[-2:]}_"]
        names = Counter(name for exercise in lesson for name in exercise.answers)
        assert lesson, module
        assert [name for name, count in names.items() if count > 1] == []
    assert len({exercise.id for exercise in EXERCISES}) == len(EXERCISES)


def test_the_series_is_complete() -> None:
    lessons = Counter(exercise.id[:2] for exercise in EXERCISES)
    assert lessons.keys() == {f"{number:02}" for number in range(22)}
    assert {*lessons.values()} <= {*range(3, 9)}
    slips = [slip for exercise in EXERCISES for slip in exercise.slips]
    assert {slip.misconception for slip in slips} - {None} == set(MISCONCEPTIONS)


def test_each_lesson_asks_before_it_shows() -> None:
    for module in lesson_modules():
        known = predictions_of(module[-2:])
        kinds = Counter(re.sub(r"\d+$", "", key[3:]) for key in known)
        assert kinds["p"] >= 3, module
        assert kinds["r"] == (0 if module == "lesson_00" else 3), module
        for one in known.values():
            assert all(sentence.endswith((".", "?")) for sentence in one.options.values()), one
