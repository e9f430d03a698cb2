"""Through the sandbox every answer is judged as it is in the notebook."""

import time

import pytest

from minigrad.classroom.session import Place, running
from minigrad.exercises.cells import code_source
from minigrad.exercises.exercise import Exercise, all_exercises
from tests.exercises.answering import answer

pytestmark = pytest.mark.sandbox

FORGET = (
    "for _name in [n for n in globals() if not n.startswith('__')]: del globals()[_name]\n"
    "import minigrad as torch"
)


@pytest.mark.parametrize("exercise", all_exercises(), ids=lambda one: one.id)
def test_all_known_answers(exercise: Exercise, place: Place) -> None:
    codes = [exercise.starter, *exercise.solutions, *(one.code for one in exercise.wrong)]
    with running(place, time.monotonic() + 60) as session:
        for number, code in enumerate(codes):
            session.run(0, FORGET, False)
            error = session.run(number + 1, code_source(exercise, code), True)
            found = session.judge(exercise, error)
            wanted = answer(exercise, code)
            told = found.outcome, found.message, found.misconception, found.slip
            assert told == (wanted.outcome, wanted.message, wanted.misconception, wanted.slip)
