"""The gradient check: the error of nudging has a minimum, and where it is is asked before."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad
from minigrad.widgets import GradientCheck
from minigrad.widgets.gradient_check import GradientCheckState


def sine(x):
    return x.sin().sum()


@pytest.fixture
def state(torch):
    return GradientCheckState(sine, torch.tensor(1.0))


def shown(state):
    """By nudging, by backward, and the error, of the chosen ε."""
    return [float(number) for number in state.rows[state.current][1:]]


def test_nothing_is_shown_before_the_prediction(state):
    assert state.current is None
    assert state.rows == []
    assert state.chart() == ""
    assert state.text == "Gradient check: float32, nothing shown yet"
    state.choose(exponent=-5)
    assert state.rows == []


def test_too_small_is_the_typical_mistake(state):
    said = str(state.predict("1e-12"))
    assert said.startswith("Not quite: 1e-12? Such a small nudge changes f by less than rounding")
    assert "1e-2" not in said
    assert not state.is_shown
    said = str(state.predict("10^-12"))
    assert said.startswith("Not quite: you said 1e-12; the answer is 1e-2. Such a small nudge")
    assert state.exponent == -2
    assert state.rows[1][0] == "1e-2"
    assert shown(state)[1] == pytest.approx(math.cos(1), abs=1e-6)
    assert shown(state)[2] < 1e-4


@pytest.mark.parametrize("given", ["0.001", "1e-3", "10^-3", "10**-3", "1/1000", "-3", -3, 0.001])
def test_epsilon_is_an_answer_as_well_as_its_exponent(state, given):
    assert str(state.predict(given)).startswith("Right: 1e-2. With an ε larger than 1e-2")


def test_too_large_is_told_apart_from_too_small(state):
    state.choose(dtype="float64")
    assert str(state.predict("0.1")) == (
        "Not quite: 1e-1? Such a large nudge measures the slope of a long piece of the curve, not "
        "the slope at x. Try again."
    )


@pytest.mark.parametrize("given", ["3", "1", "0", "0.5", "1e-20", "-20"])
def test_what_is_no_small_number_is_asked_for_again(state, given):
    with pytest.raises(ValueError, match="ε is between 1e-12 and 0.1"):
        state.predict(given)


def test_the_chosen_nudge_is_marked_in_the_chart(state):
    state.predict(-2)
    for exponent in (-1, -7, -12):
        state.choose(exponent=exponent)
        assert f">ε = 1e{exponent}</text>" in state.chart()


def test_the_error_falls_and_rises_again(state):
    for dtype, best in (("float32", -2), ("float64", -5)):
        state.choose(dtype=dtype)
        assert not state.is_shown
        assert state.predict(best).right
        errors = [error for _, error in state.errors(dtype)]
        lowest = errors.index(min(errors))
        assert 0 < lowest < len(errors) - 1
        assert errors[-1] > 20 * errors[lowest]
        assert errors[0] > 20 * errors[lowest]
    assert "float32, float64" in state.chart()
    assert len(state.rows) == 12


def test_each_entry_is_checked(torch):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]]).t()
    state = GradientCheckState(lambda x: (x * x).sum(), x)
    state.predict(-2)
    for entry, value in enumerate(x.flatten().tolist()):
        state.choose(entry=entry)
        numeric, analytic, _ = shown(state)
        assert analytic == 2 * value
        assert numeric == pytest.approx(2 * value, rel=1e-3)
    assert x.grad is None
    assert x.tolist() == [[1.0, 3.0], [2.0, 4.0]]


@given(st.floats(-3, 3), st.sampled_from(["sin", "exp", "tanh", "sigmoid"]))
def test_a_right_backward_is_near_the_nudge_wherever_it_is(at, name):
    state = GradientCheckState(lambda x: getattr(x, name)(), minigrad.tensor(at))
    state.choose(dtype="float64", exponent=-5)
    while state.question is not None:
        state.predict(-5)
    state.choose(exponent=-5)
    assert shown(state)[2] < 1e-8


def test_a_wrong_backward_is_far_from_every_nudge(torch):
    class Wrong(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * x

        @staticmethod
        def backward(ctx, grad):
            return grad * 3

    state = GradientCheckState(Wrong.apply, torch.tensor(1.0))
    state.predict(-1)
    assert min(error for _, error in state.errors("float32")) > 0.5
    state.predict(-3)
    assert "backward is wrong here" in state.verdict.text


def test_what_cannot_be_checked_is_refused(torch):
    x = torch.ones(2)
    with pytest.raises(TypeError, match="x must be a tensor, but is float"):
        GradientCheckState(sine, 1.0)
    with pytest.raises(ValueError, match=r"f\(x\) must be one number, but has shape \[2\]"):
        GradientCheckState(lambda x: x * 2, x)
    with pytest.raises(TypeError, match=r"f\(x\) must be a tensor, but is float"):
        GradientCheckState(lambda x: x.sum().item(), x)
    with pytest.raises(ValueError, match="no gradient leads back"):
        GradientCheckState(lambda x: x.detach().sum(), x)
    w = torch.ones(2, requires_grad=True)
    with pytest.raises(ValueError, match="no gradient reaches x"):
        GradientCheckState(lambda x: w.sum(), x)
    with pytest.raises(RuntimeError, match="only Tensors of floating point"):
        GradientCheckState(sine, torch.tensor(1))


@pytest.mark.parametrize(
    "choice", [{"dtype": "int64"}, {"exponent": 0}, {"exponent": -13}, {"entry": 1}, {"entry": -1}]
)
def test_what_is_not_there_to_choose_is_refused(state, choice):
    with pytest.raises(ValueError, match=f"{next(iter(choice))} must be"):
        state.choose(**choice)


def test_its_controls(torch):
    check = GradientCheck(sine, torch.tensor([1.0, 2.0]))
    assert check._results.layout.display == "none"
    check._panel.text.value = "0.01"
    check._panel.button.click()
    assert check._results.layout.display == ""
    # As in the chart, larger is on the right.
    assert [value for _, value in check.nudge.options] == sorted(range(-12, 0))
    assert "<svg" in check.chart.value
    check.nudge.value = -6
    assert check._feedback.value == ""
    assert repr(check).startswith("<GradientCheck: float32, ε = 1e-6, error ")
    assert check.state.current == 5
    check.entry.value = 1
    assert shown(check.state)[1] == pytest.approx(math.cos(2), abs=1e-6)
    check.dtype.value = "float64"
    assert check.nudge.disabled
    assert check._results.layout.display == ""  # float32's errors stay
    assert "float64: with which ε" in check._panel._prompt.value
