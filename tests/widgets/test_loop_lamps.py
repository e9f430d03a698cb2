"""The loop lamps: every changed loop is really run, and what comes of it is asked before."""

from itertools import combinations

import pytest

from minigrad.widgets import LoopLamps
from minigrad.widgets.state.loop_lamps import (
    FALLS,
    LINES,
    RAISES,
    STAYS,
    SWINGS,
    LoopLampsState,
)

OUTCOMES = {
    (None, None): FALLS,
    ("zero", None): SWINGS,
    ("forward", None): RAISES,
    ("backward", None): STAYS,
    ("step", None): STAYS,
    (None, ("zero", "forward")): FALLS,
    (None, ("zero", "backward")): STAYS,
    (None, ("zero", "step")): STAYS,
    (None, ("forward", "backward")): FALLS,
    (None, ("forward", "step")): STAYS,
    (None, ("backward", "step")): STAYS,
}


@pytest.fixture
def state(torch):
    return LoopLampsState(torch)


@pytest.mark.parametrize(("change", "outcome"), OUTCOMES.items())
def test_what_comes_of_each_loop(state, change, outcome):
    state.change(*change)
    assert state.predict(outcome).right
    assert state.run.outcome == outcome
    assert (len(state.run.losses) == 11) == (outcome != RAISES)


def test_it_is_the_loop_that_is_shown(torch, state):
    for left_out in (None, *LINES):
        for swapped in (None, *combinations(LINES, 2)):
            state.change(left_out, swapped)
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


def test_nothing_is_run_or_shown_before_the_prediction(state):
    state.change("zero")
    assert state.question.prompt == (
        "The loop runs 10 times without optimizer.zero_grad(). What does the loss do?"
    )
    assert state.rows == []
    assert state.chart() == ""
    assert state.run is None
    assert state.summary == "forward → backward → step: not run yet"
    state.predict(SWINGS)
    assert state.rows[0] == ["start", "18.6667", "0", "None"]
    assert state.rows[2] == ["2", "0.6198", "2.3644", "-28.6222"]
    assert "<svg" in state.chart()
    assert "it falls and rises again" in state.text


def test_the_exact_error_is_shown(state):
    state.change("forward")
    verdict = str(state.predict(STAYS))
    assert "In turn 2: RuntimeError: Trying to backward through the graph a second time" in verdict
    assert state.run.error in state.text


def test_what_was_predicted_is_shown_again(state):
    state.change("step")
    state.predict(STAYS)
    state.change()
    assert state.question is not None
    state.change("step")
    assert state.question is None
    assert state.run.outcome == STAYS
    assert state.verdict is None


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("zero", None), "backward() adds to .grad"),
        (("backward", None), "there is no gradient"),
        (("step", None), "only step() changes the weight"),
        ((None, ("zero", "backward")), "takes the gradient away before step()"),
        ((None, ("forward", "backward")), "of the turn before"),
        ((None, None), "the slope that this turn has computed"),
    ],
)
def test_the_reason_is_given(state, change, says):
    state.change(*change)
    assert says in str(state.predict(FALLS))


def test_its_controls(torch):
    lamps = LoopLamps(torch)
    assert (lamps.leave_out.label, lamps.swap.label) == ("nothing", "nothing")
    lamps.leave_out.value = "zero"
    assert "<s" in lamps._lamps.value
    assert "optimizer.zero_grad()</s>" in lamps._lamps.value
    assert "<table>" not in lamps._results.value
    lamps._panel.choice.value = SWINGS
    lamps._panel.button.click()
    assert "<table>" in lamps._results.value
    assert "Right:" in lamps._feedback.value
    lamps.change(swapped=("backward", "step"))
    assert lamps.leave_out.label == "nothing"
    assert lamps.swap.value == ("backward", "step")
    assert lamps._lamps.value.count("⇅") == 2
    assert repr(lamps) == "<LoopLamps: zero → forward → step → backward: not run yet>"


def test_what_the_loop_does_not_have_is_refused(torch, state):
    with pytest.raises(ValueError, match="the loop's lines are zero, .*; not 'print'"):
        state.change("print")
    with pytest.raises(ValueError, match="turns must be at least 1, but got 0"):
        LoopLampsState(torch, turns=0)
