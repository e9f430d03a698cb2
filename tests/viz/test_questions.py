"""The questions before the steps: typical mistakes are recognized, and lists can be typed."""

import pytest

from minigrad.viz.backward.steps import Steps
from tests.viz.backward_programs import recording_of


@pytest.fixture
def steps(torch):
    """``loss = (x * y + x) * 3`` at 2 and 5; x.grad holds 10 from before."""
    x = torch.tensor(2.0, requires_grad=True)
    y = torch.tensor(5.0, requires_grad=True)
    (x * 10).backward()
    loss = (x * y + x) * 3
    return Steps(recording_of(loss, x=x, y=y, loss=loss))


def said(steps, prediction):
    return steps.question.judge(prediction).text


def test_an_edge(steps):
    steps.go(2)
    assert steps.question.prompt == "3 arrives at the × (n2). What does it pass to x?"
    right = steps.question.judge("30/2")
    assert right.right
    assert right.text == "Right: 15. It passes 3 × y (= 5) = 15 to x."
    assert steps.question.judge(15.04).right
    assert not steps.question.judge(15.4).right


@pytest.mark.parametrize(
    ("prediction", "says"),
    [
        (5, "multiply it by the gradient that arrives"),
        (3, "multiply it by the local derivative"),
        (8, "instead of adding them"),
        (6, "That goes to its other input"),
        (2, "That's the value, which goes forward"),
        (-15, "It has the opposite sign"),
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
        (18, "what arrives now. It's added to what .grad held before"),
        (10, "What arrives now is added to it"),
        (3, "along only one path"),
        (15, "along only one path"),
        (2, "That's the value, which goes forward"),
        (-28, "It has the opposite sign"),
    ],
)
def test_mistakes_at_a_leaf(steps, prediction, says):
    steps.go(3)
    assert steps.question.prompt == (
        "The gradient reaches x; x.grad was 10 until now. What is x.grad after this step?"
    )
    assert says in said(steps, prediction)
    assert said(steps, 28) == "Right: 28. 3 + 15 = 18 arrives for x.grad: 10 + 18 = 28."
    steps.go(4)
    assert steps.marks.parts["n0"].note == "10 + 18 = 28"


def test_a_forgotten_sum_on_the_way(torch):
    a = torch.tensor(2.0, requires_grad=True)
    b = a * 7
    steps = Steps(recording_of(b * b, a=a, b=b))
    assert steps.question.prompt.endswith("What does it pass to b, each time?")
    steps.go(1)
    assert steps.question.answer == 28 * 7
    assert "They're added up first" in said(steps, 14 * 7)


def test_edges_from_one_tensor_with_different_gradients_are_told_apart(torch):
    a = torch.tensor(2.0, requires_grad=True)
    prompt = Steps(recording_of(a - a, a=a)).question.prompt
    assert prompt == "1 arrives at the − (n1). What does it pass to a, its first input?"


def test_a_few_numbers_are_asked_for_together(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    steps = Steps(recording_of((x * x).sum(), x=x))
    steps.go(2)
    assert steps.question.prompt.endswith("What is x.grad after this step?")
    assert steps.question.judge("4/2, 4").text.startswith("Right: [2, 4].")
    assert "along only one path" in said(steps, "1, 2")


def test_one_number_of_many_is_asked_for(torch):
    w = torch.tensor([[0.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
    steps = Steps(recording_of((w**2).sum(), w=w))
    steps.go(1)
    assert steps.question.prompt.endswith("What does it pass to w, at [0, 1]?")
    steps.go(2)
    assert "What is w.grad[0, 1] after this step?" in steps.question.prompt
    assert steps.question.judge(4).right


def test_the_prompt_does_not_give_the_answer_away(steps):
    for position in range(steps.last):
        steps.go(position)
        if steps.question is not None:
            answer = f"{steps.question.answer:g}"
            if answer not in ("3",):  # what arrives may be what is passed on
                assert answer not in steps.question.prompt.split("What")[1]
    steps.go(steps.last)
    assert steps.question is None


def test_only_the_grads_may_be_asked_for(torch):
    a = torch.tensor(1.0, requires_grad=True)
    steps = Steps(recording_of((a * 2) * 3, a=a), ask="grads")
    asked = []
    for position in range(steps.last + 1):
        steps.go(position)
        asked += [position] if steps.question else []
    assert asked == [2]


def test_numbers_that_are_not_known_are_not_asked_for(torch):
    x = torch.tensor(0.0, requires_grad=True)
    assert Steps(recording_of(x.log(), x=x)).question is None
