"""The loop lamps: every changed loop is really run, and what comes of it is asked before."""

from itertools import combinations, permutations

import pytest

from minigrad.widgets import LoopLamps
from minigrad.widgets.loop_lamps import FALLS, LINES, RAISES, RISES, STAYS, LoopLampsState

# By the first letters of the lines that run, in their order.
OUTCOMES = {FALLS: "zfbs fzbs szfb", RISES: "fbs zbfs", RAISES: "zbs", STAYS: "zfs zfb bfzs zfsb -"}
LOOPS = [(loop, outcome) for outcome, loops in OUTCOMES.items() for loop in loops.split()]


@pytest.fixture
def state(torch):
    return LoopLampsState(torch)


def change(state, loop):
    """Let these lines alone run, in this order."""
    lines = [line for letter in loop for line in LINES if line[0] == letter]
    off = [line for line in LINES if line not in lines]
    state.change([*lines, *off], off)


@pytest.mark.parametrize(("loop", "outcome"), LOOPS)
def test_what_comes_of_each_loop(state, loop, outcome):
    change(state, loop)
    assert state.predict(outcome).right
    assert state.run.outcome == outcome
    assert (len(state.run.losses) == 11) == (outcome != RAISES)


def test_it_is_the_loop_that_is_shown(torch, state):
    for order in permutations(LINES):
        for off in [(), *combinations(LINES, 1), *combinations(LINES, 2)]:
            state.change(order, off)
            space = {"torch": torch}
            try:
                exec(state.source, space)
                error = ""
            except Exception as raised:
                error = str(raised)
            if state.question is not None:
                state.predict(FALLS)
            assert state.run.error.endswith(error)
            assert bool(state.run.error) == bool(error)
            if not error:
                assert state.run.weights[-1] == space["w"].item()


def test_an_old_gradient_makes_the_loss_rise(state):
    state.swap("forward")
    says = str(state.predict(FALLS))
    assert "the answer is “it rises at least once”" in says
    assert "The gradient is one iteration old" in says
    assert state.run.losses[2] < state.run.losses[3] < state.run.losses[4]


def test_a_rate_that_is_too_large_or_small(torch):
    assert "the learning rate is too large" in str(LoopLampsState(torch, rate=0.5).predict(RISES))
    assert LoopLampsState(torch, rate=0.0001).predict(FALLS).right


def test_lamps_are_switches_and_lines_are_swapped(state):
    state.switch("zero")
    state.switch("step")
    state.swap("forward")
    assert state.topic == ("backward", "forward")
    state.switch("zero")
    state.swap("backward")
    assert state.topic == ("zero", "forward", "backward")


def test_nothing_is_run_or_shown_before_the_prediction(state):
    state.switch("zero")
    assert state.question.prompt == "This loop runs 10 times. What does the loss do?"
    assert state.rows == []
    assert state.chart() == ""
    assert state.run is None
    assert state.summary == "forward → backward → step: not run yet"
    state.predict(RISES)
    assert state.rows[0] == ["start", "18.6667", "0", "None"]
    assert state.rows[2] == ["2", "0.6198", "2.3644", "-28.6222"]
    assert "<svg" in state.chart()
    assert "it rises at least once" in state.text


def test_the_exact_error_is_shown(state):
    state.switch("forward")
    verdict = str(state.predict(STAYS))
    assert (
        "In iteration 2: RuntimeError: Trying to backward through the graph a second time"
        in verdict
    )
    assert state.run.error in state.text


def test_what_was_predicted_is_shown_again(state):
    state.switch("step")
    state.predict(STAYS)
    state.switch("step")
    assert state.question is not None
    state.switch("step")
    assert state.question is None
    assert state.run.outcome == STAYS
    assert state.verdict is None


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("fbs", "backward() adds to .grad"),
        ("zfs", "there's no gradient"),
        ("zfb", "Only step() changes the weight"),
        ("bfzs", "clears the gradient before step()"),
        ("zbfs", "backward() uses the loss from before the step"),
        ("zfbs", "the slope at the current weight."),
    ],
)
def test_the_reason_is_given(state, lines, says):
    change(state, lines)
    assert says in str(state.predict(FALLS))


def test_its_controls(torch):
    lamps = LoopLamps(torch)
    assert [lamp.description for lamp in lamps.lamps] == [f"● {line}" for line in LINES]
    lamps.lamps[0].click()
    assert lamps.lamps[0].description == "○ zero"
    assert "optimizer.zero_grad()</s>" in lamps._code[0].value
    assert "<table>" not in lamps.table.value
    lamps._panel.choice.value = RISES
    lamps._panel.button.click()
    assert "<table>" in lamps.table.value
    assert "Right:" in lamps._feedback.value
    lamps.switch("zero")
    lamps.swaps[2].click()
    assert lamps.lamps[2].description == "● step"
    assert repr(lamps) == "<LoopLamps: zero → forward → step → backward: not run yet>"
    lamps.swap("step")
    assert repr(lamps) == "<LoopLamps: zero → forward → backward → step: not run yet>"


def test_what_the_loop_does_not_have_is_refused(torch, state):
    for act in (state.switch, state.swap, lambda line: state.change(off=[line])):
        with pytest.raises(ValueError, match="line must be one of zero, .*, but got 'print'"):
            act("print")
    with pytest.raises(ValueError, match="step is the last line"):
        state.swap("step")
    with pytest.raises(ValueError, match="order must have each of zero, .* once"):
        state.change(["zero", "zero", "forward", "step"])
    with pytest.raises(ValueError, match="iterations must be at least 1, but got 0"):
        LoopLampsState(torch, iterations=0)
