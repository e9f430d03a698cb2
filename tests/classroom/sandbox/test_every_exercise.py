"""Through the sandbox every answer is judged as it is in the notebook."""

import pytest

from minigrad.classroom.session import Place, running
from minigrad.exercises.cells import code_source
from minigrad.exercises.exercise import Exercise, all_exercises, find
from minigrad.exercises.result import NOT_ATTEMPTED, RIGHT
from tests.exercises.answering import answer

pytestmark = pytest.mark.sandbox

FORGET = (
    "for _name in [n for n in globals() if not n.startswith('__')]: del globals()[_name]\n"
    "import minigrad as torch"
)


@pytest.mark.parametrize(
    "code",
    [
        "a_grad = 9  # really?",
        "%matplotlib inline\n!ls\na_grad = 9\na_grad?",
        "a_grad = (29\n          % 10)",
        "if True:\n    %time\n    a_grad = 9",
        "import torch\nfrom IPython.display import display\nimport matplotlib.pyplot as plt\n"
        "figure, axes = plt.subplots()\naxes.plot([1])\ndisplay(figure)\na_grad = 9",
        "%%bash\nls",
    ],
)
def test_what_only_a_notebook_understands_is_passed_over(code: str, place: Place) -> None:
    with running(place) as session:
        error = session.run(0, code, True)
        found = session.judge(find("04_diamond"), error)
    assert found.outcome == (NOT_ATTEMPTED if code.startswith("%%") else RIGHT), found


@pytest.mark.parametrize("exercise", all_exercises(), ids=lambda one: one.id)
def test_all_known_answers(exercise: Exercise, place: Place) -> None:
    codes = [exercise.starter, *exercise.solutions, *(one.code for one in exercise.wrong)]
    with running(place) as session:
        for number, code in enumerate(codes):
            session.run(0, FORGET, False)
            error = session.run(number + 1, code_source(exercise, code), True)
            found = session.judge(exercise, error)
            wanted = answer(exercise, code)
            told = found.outcome, found.message, found.misconception, found.slip
            assert told == (wanted.outcome, wanted.message, wanted.misconception, wanted.slip)
