"""predict, recall and explain: what they ask, when they answer, and what they keep."""

import re
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from minigrad.exercises import explain, predict, recall, standing
from minigrad.exercises.asking import Ask, ExplainIt, Questions
from minigrad.exercises.predictions import Explanation, Prediction
from tests.replay import run_notebook, shown

HALF = Prediction("99_p1", "A half?", "0.5", {"0.5": "Yes.", "2": "That's the inverse."}, True)
COLOR = Prediction("99_p2", "Which color?", "red", {"blue": "No blue.", "red": "It is."})


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_pick_is_answered_when_the_output_is_there() -> None:
    state = Questions([COLOR], at_once=False)
    state.pick(COLOR, "blue")
    assert state.verdicts == {}
    state.pick(COLOR, "red")
    state.settle()
    assert state.verdicts["99_p2"].text == "Right: red. It is."
    assert standing.standing("99_p2") == standing.Standing(attempts=1, solved=True)


def test_no_pick_is_no_attempt() -> None:
    state = Questions([COLOR], at_once=False)
    state.settle()
    assert "You didn't pick" in state.text
    assert standing.standing("99_p2").attempts == 0


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("0.50", "Right: 0.5. Yes."),
        (" ,5", "Right: 0.5. Yes."),
        ("1/2", "Right: 0.5. Yes."),
        ("2.0", "You said 2: That's the inverse."),
        ("7", "You said 7: Compare it with the output below."),
        ("x", "'x' isn't a number."),
    ],
)
def test_a_number_is_read_as_a_number(typed: str, said: str) -> None:
    ask = Ask(Questions([HALF], at_once=True))
    ask._controls[0].value = typed
    shown = re.sub("<.*?>", "", ask._verdicts["99_p1"].value)
    assert said.replace("'", "&#x27;") in shown


def test_the_next_cell_settles_a_prediction(tmp_path: Path) -> None:
    sources = [
        "from minigrad.exercises import predict",
        'asked = predict("00_p3")\nasked',
        "asked._controls[0].value = '5'",
        "print(asked.state.verdicts)",
    ]
    notebook = new_notebook(cells=[new_code_cell(source) for source in sources])
    run_notebook(notebook, tmp_path)
    _, asked, _, settled = map(shown, notebook.cells)
    assert "○ 5 and 20" in asked["display"]
    assert "You said 5: It's computed" in settled["stdout"]


def test_a_model_answer_comes_after_ones_own() -> None:
    one = ExplainIt(Explanation("99_explain", "Why?", "Because.", ("it says why",)))
    one.button.click()
    assert "Write a sentence first" in one._model.value
    one.answer.value = "So."
    one.button.click()
    assert "A model answer: Because." in one._model.value
    assert [box.description for box in one._points.children] == ["Yours says: it says why"]


def test_what_there_is_not_is_refused() -> None:
    with pytest.raises(LookupError, match="There is no prediction '00_p9'. There are: 00_p1"):
        predict("00_p9")
    with pytest.raises(LookupError, match="lesson 0"):
        recall(0)
    with pytest.raises(LookupError, match="There is no question '00_explain'"):
        explain("00_explain")
    with pytest.raises(ValueError, match="'green' is none of the options"):
        Prediction("99_p3", "?", "green", {"red": "."})
