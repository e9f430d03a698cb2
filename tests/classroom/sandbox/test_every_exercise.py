"""Through the sandbox every answer is judged as it is in the notebook."""

import pytest

from minigrad.classroom.session import Place, running
from minigrad.exercises.cells import code_source
from minigrad.exercises.exercise import Exercise, all_exercises
from minigrad.exercises.result import RIGHT
from tests.exercises.answering import answer

pytestmark = pytest.mark.sandbox

FORGET = (
    "for _name in [n for n in globals() if not n.startswith('__')]: del globals()[_name]\n"
    "import minigrad as torch"
)


@pytest.mark.parametrize("exercise", all_exercises(), ids=lambda one: one.id)
def test_all_known_answers(exercise: Exercise, place: Place) -> None:
    codes = [exercise.starter, *exercise.solutions, *(one.code for one in exercise.slips)]
    with running(place) as session:
        for number, code in enumerate(codes):
            session.run(0, FORGET, False)
            error, _ = session.run(number + 1, code_source(exercise, code), True)
            found = session.judge(exercise, error)
            wanted = answer(exercise, code)
            assert found.outcome == wanted.outcome
            if wanted.outcome != RIGHT:  # a remark on a right answer may not be found
                told = found.message, found.misconception, found.slip
                assert told == (wanted.message, wanted.misconception, wanted.slip)
