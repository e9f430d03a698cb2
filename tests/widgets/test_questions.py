"""A question reveals its answer to a prediction, and to nothing else."""

import pickle
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minigrad.viz.backward.answers import Mistake, Numbers
from minigrad.widgets import PredictFirst, teacher_mode
from minigrad.widgets.answers import Choice, Subset
from minigrad.widgets.questions import Question, Sealed


def asked(expected=None, answer=6.0, **more):
    return Question("What is x.grad?", expected or Numbers(), lambda: answer, **more)


def test_nothing_is_revealed_before_a_prediction():
    question = asked()
    with pytest.raises(PredictFirst, match="Predict first: What is x.grad?"):
        _ = question.answer
    with pytest.raises(PredictFirst):
        question.reveal()
    question.predict(5)
    assert question.answer == question.reveal() == 6.0


def test_the_answer_is_not_even_computed_before():
    computed = []
    question = Question("?", Numbers(), lambda: computed.append(1) or 1.0)
    with pytest.raises(ValueError, match="Type a number"):
        question.predict("three")
    assert computed == []
    question.predict(1)
    assert computed == [1]


def test_a_teacher_may_look(monkeypatch):
    monkeypatch.setattr("minigrad.widgets.questions._teacher", None)  # as it is afterwards
    monkeypatch.setenv("MINIGRAD_TEACHER", "1")
    assert asked().reveal() == 6.0
    teacher_mode(False)
    with pytest.raises(PredictFirst):
        asked().reveal()
    teacher_mode()
    assert asked().reveal() == 6.0


def test_a_wrong_prediction_is_told_its_mistake_and_the_reason():
    def mistakes(answer):
        return [Mistake(answer / 2, "That is one of two paths."), Mistake(0, "Nothing is erased.")]

    verdict = asked(mistakes=mistakes, because="3 + 3.").predict("3")
    assert not verdict.right
    said = "Not quite: you said 3; the answer is 6. That is one of two paths. 3 + 3."
    assert repr(verdict) == said
    assert asked(mistakes=mistakes).predict(7).text == "Not quite: you said 7; the answer is 6."


def test_the_first_prediction_counts():
    question = asked()
    first = question.predict(1)
    assert question.predict(6) is first
    assert question.prediction == 1


def test_a_sealed_value_is_not_found_by_looking_at_attributes():
    sealed = Sealed("secret")
    assert "secret" not in repr([sealed, vars(type(sealed)), sealed.open])
    with pytest.raises((AttributeError, TypeError, pickle.PicklingError)):
        pickle.dumps(sealed)
    assert sealed.open() == "secret"


@pytest.mark.parametrize(
    "prediction",
    ["2, 4", "tensor([2., 4.])", " 2   4 ", "4/2, 2^2", "4/2 2^2", [2, 4], np.array([2, 4])],
)
def test_numbers_are_read_however_they_are_written(prediction):
    assert Numbers((2,)).read(prediction) == [2.0, 4.0]


def test_numbers_of_a_tensor_are_read(torch):
    read = Numbers((2, 2)).read(torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True))
    assert read == [[1.0, 2.0], [3.0, 4.0]]


def test_one_number_stands_for_all():
    assert Numbers((2, 2)).read("4.5") == [[4.5, 4.5], [4.5, 4.5]]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1/2", 0.5),
        ("-3/4", -0.75),
        ("−3", -3),
        ("1e-3", 0.001),
        ("10^-3", 0.001),
        ("10**-3", 0.001),
        ("2 × 3", 6),
        ("2*10^-1", 0.2),
        ("(1/2)^2", 0.25),
    ],
)
def test_fractions_and_powers_are_numbers(text, number):
    assert Numbers().read(text) == pytest.approx(number)


@pytest.mark.parametrize("text", ["1/0", "9^99999", "(-8)^0.5", "1 +", "1 if 1 else 2", "8,0"])
def test_what_is_no_number_is_asked_for_again(text):
    with pytest.raises(ValueError, match=r"^Type a number, such as 1\.$"):
        Numbers().read(text)


def test_a_wrong_prediction_may_leave_a_number_of_other_tries():
    question = asked(mistakes=[Mistake(5, "Too small.")], again=1)
    assert question.predict(5).text == "Not quite: 5? Too small. Try again."
    assert question.is_open
    assert question.predict(5).text == "Not quite: you said 5; the answer is 6. Too small."
    assert not question.is_open


@pytest.mark.parametrize(
    "prediction",
    ["", "x", "1, 2, 3", "None", "[[1]", None, object(), "__import__('os')", "9, " * 10**5],
    ids=lambda prediction: str(prediction)[:7],
)
def test_what_are_no_numbers_is_refused_in_words(prediction):
    with pytest.raises(ValueError, match=r"^Type 2 numbers, such as 1, 1\.$"):
        Numbers((2,)).read(prediction)


def test_none_is_a_prediction_where_it_can_be():
    expected = Numbers(or_none=True)
    assert expected.read("None") is expected.read(None) is None
    assert expected.near(None, None)
    assert not expected.near(None, 0.0)
    assert not expected.near(0.0, None)


@given(st.floats(-1e6, 1e6))
def test_what_is_rounded_as_it_is_printed_is_near_enough(number):
    assert Numbers().near(float(f"{number:.2f}"), number)


@given(st.floats(1e-3, 1e6), st.sampled_from([-1, 0.5, 0.97, 1.03, 2]))
def test_another_number_is_not(number, factor):
    assert not Numbers(absolute=0).near(number * factor, number)


@given(st.text())
def test_any_text_is_read_or_refused(text):
    for expected in (Numbers((2,), or_none=True), Choice(("a", "b")), Subset(("a", "b"))):
        with suppress(ValueError):
            assert expected.show(expected.read(text))


def test_a_choice_and_a_subset_say_what_there_is():
    with pytest.raises(ValueError, match=r"^Choose one of these: True, False\.$"):
        Choice(("True", "False")).read("maybe")
    assert Choice(("True", "False")).read(False) == "False"
    for unknown in (["w", "c"], 3):
        with pytest.raises(ValueError, match=r"^Choose any of these: w, b\.$"):
            Subset(("w", "b")).read(unknown)
    for expected in (Choice(("True", "False")), Subset(("w", "b"))):
        with pytest.raises(ValueError, match=r"^Choose an answer first\.$"):
            expected.read("")
    assert Subset(("w", "b")).read("b, w") == {"w", "b"}
    for none in ([], "None", "none of them"):
        assert Subset(("w", "b")).read(none) == frozenset()
