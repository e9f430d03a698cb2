"""A number is asked for before it is shown, and typical mistakes are recognised."""

import pytest

from minigrad.viz.backward.steps import Steps
from tests.viz.backward_programs import recording_of


@pytest.fixture
def steps(torch):
    """``loss = x * y + x`` at 2 and 5; x.grad holds 10 from before."""
    x = torch.tensor(2.0, requires_grad=True)
    y = torch.tensor(5.0, requires_grad=True)
    (x * 10).backward()
    loss = (x * y + x) * 3
    return Steps(recording_of(loss, x=x, y=y, loss=loss))


def said(steps, prediction):
    return steps.question.judge(prediction).text


def test_what_has_no_name_is_called_by_its_operation_too(steps):
    assert (
        steps.question.prompt == "MulBackward0 receives 1. What does it pass to AddBackward0 (n3)?"
    )


def test_an_edge(steps):
    steps.go(2)
    assert steps.question.prompt == "MulBackward0 receives 3. What does it pass to x?"
    right = steps.question.judge(15)
    assert right.right
    assert right.text == "Right: 15. It passes 3 × other (= 5) = 15."
    assert steps.question.judge(15.04).right
    assert not steps.question.judge(15.4).right


@pytest.mark.parametrize(
    ("prediction", "says"),
    [
        (5, "multiply it by the gradient that arrives"),
        (3, "multiply it by the local derivative"),
        (8, "they are not added"),
        (6, "That goes to its other input"),
        (2, "That is the value, forward"),
        (-15, "The sign is the other way round"),
        (99, "you said 99; the answer is 15. It passes"),
    ],
)
def test_mistakes_at_an_edge(steps, prediction, says):
    steps.go(2)
    assert says in said(steps, prediction)
    assert not steps.question.judge(prediction).right


@pytest.mark.parametrize(
    ("prediction", "says"),
    [
        (18, "what arrives now: .grad adds to what was there before"),
        (10, "what arrives now is added to it"),
        (3, "along one way only"),
        (15, "along one way only"),
        (2, "That is the value, forward"),
        (-28, "The sign is the other way round"),
    ],
)
def test_mistakes_at_a_leaf(steps, prediction, says):
    steps.go(3)
    assert steps.question.prompt == (
        "The gradient reaches x; x.grad was 10 until now. What is x.grad after this step?"
    )
    assert says in said(steps, prediction)
    assert steps.question.judge(28).text == (
        "Right: 28. 3 + 15 = 18 arrives for x.grad: 10 + 18 = 28."
    )


def test_a_forgotten_sum_on_the_way(torch):
    a = torch.tensor(2.0, requires_grad=True)
    b = a * 7
    steps = Steps(recording_of(b * b, a=a, b=b))
    steps.go(1)
    assert steps.question.answer == 28 * 7
    assert "they are added up first" in said(steps, 14 * 7)


def test_one_number_of_many_is_asked_for(torch):
    w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    steps = Steps(recording_of((w**2).sum(), w=w))
    steps.go(1)
    assert steps.question.prompt.endswith("What does it pass to w, at [0, 0]?")
    steps.go(2)
    assert "What is w.grad[0, 0] after this step?" in steps.question.prompt
    assert steps.question.answer == 2.0


def test_the_prompt_does_not_give_the_answer_away(steps):
    for position in range(steps.last):
        steps.go(position)
        if steps.question is not None:
            answer = f"{steps.question.answer:g}"
            if answer not in ("3",):  # what arrives may be what is passed on
                assert answer not in steps.question.prompt.split("What")[1]
    steps.go(steps.last)
    assert steps.question is None


def test_numbers_that_are_not_known_are_not_asked_for(torch):
    x = torch.tensor(0.0, requires_grad=True)
    assert Steps(recording_of(x.log(), x=x)).question is None
