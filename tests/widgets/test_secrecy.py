"""No instrument gives an answer away before a prediction, wherever one looks."""

import json

import numpy as np
import pytest

from minigrad.widgets import (
    AccumulationLedger,
    Clinic,
    GradientCheck,
    GraphCutter,
    LeafInspector,
    LoopLamps,
    Playground,
    PredictFirst,
    VJPBench,
    base,
)
from tests.widgets.sample_cases import WRITTEN_OVER


def make_leaf_inspector(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    return LeafInspector(x, ask=("is_leaf", "grad")), ["True", "no recorded operation made it"]


def make_ledger(torch):
    x = torch.tensor(1.0, requires_grad=True)
    ledger = AccumulationLedger(x)
    for _ in range(2):
        (x * 17.1375).backward()
    ledger.refresh()
    return ledger, ["17.1375", "34.275"]


def make_cutter(torch):
    x, w = (torch.tensor(v, requires_grad=True) for v in (31.0, 17.0))
    cutter = GraphCutter("loss = x * w", x=x, w=w)
    cutter.cut(0, "detach")
    return cutter, ["Every path from x is cut", "None</td>", "grad now"]


def make_lamps(torch):
    lamps = LoopLamps(torch)
    lamps.switch("zero")
    return lamps, ["0.6198", "28.62", "sum of all gradients"]


def make_check(torch):
    return GradientCheck(lambda x: x.sin(), torch.tensor(1.0)), ["0.540", "polyline"]


def make_bench(torch):
    matrix = torch.tensor([[17.1375, 19.1375], [23.1375, 29.1375]])
    answers = ["17.1375", "19.1375", "23.1375", "29.1375"]
    return VJPBench(lambda x: matrix @ x, torch.ones(2)), answers


def make_playground(torch):
    playground = Playground(torch, layers=4, activation="sigmoid")
    playground.step()
    return playground, ["e-06", "the last. "]


def make_clinic(torch):
    case = WRITTEN_OVER
    return Clinic(torch, case.id), [case.because, "y = y + 1", *case.hints]


MAKERS = [make for name, make in list(globals().items()) if name.startswith("make_")]
EVERY = pytest.mark.parametrize("make", MAKERS)


def attributes(thing, seen, own=("minigrad.widgets", "ipywidgets")):
    """The text of everything that attributes lead to, within the instrument and its state."""
    if id(thing) in seen:
        return
    seen[id(thing)] = thing
    if isinstance(thing, str | int | float | bool | np.ndarray) or thing is None:
        yield str(thing)
    elif isinstance(thing, dict):
        for key, value in thing.items():
            yield from attributes(key, seen)
            yield from attributes(value, seen)
    elif isinstance(thing, list | tuple | set | frozenset):
        for item in thing:
            yield from attributes(item, seen)
    elif type(thing).__module__.startswith(own) and hasattr(thing, "__dict__"):
        for name, value in vars(thing).items():
            if name not in ("_x", "_start", "tensor", "functions", "torch", "_namespace", "comm"):
                yield from attributes(value, seen)


def everything(instrument):
    """All that can be read of an instrument without predicting."""
    traits, waiting = [], [instrument]
    while waiting:
        widget = waiting.pop()
        waiting += getattr(widget, "children", ())
        traits.append({k: v for k, v in widget.get_state().items() if not k.startswith("_")})
    data = instrument._repr_mimebundle_()
    inside = "\n".join(attributes(instrument.state, {}))
    style = json.dumps(base.STYLE, ensure_ascii=False)
    page = json.dumps(traits, default=str, ensure_ascii=False).replace(style, "")
    return "\n".join([repr(instrument), page, data["text/plain"], data["image/svg+xml"], inside])


@EVERY
def test_no_answer_can_be_read_before_the_prediction(torch, make):
    instrument, answers = make(torch)
    read = everything(instrument)
    question = instrument.state.question
    for prompt in (question.prompt, *getattr(question.kind, "options", ())):
        read = read.replace(prompt, "")
    if not isinstance(instrument, LeafInspector):
        assert [answer for answer in answers if answer in read] == []
    else:
        assert ">True</td>" not in read
        assert answers[1] not in read


@EVERY
def test_only_a_teacher_reveals(torch, make, monkeypatch):
    instrument, _ = make(torch)
    question = instrument.state.question
    with pytest.raises(PredictFirst):
        instrument.reveal()
    with pytest.raises(PredictFirst):
        _ = question.answer
    assert question.is_open
    monkeypatch.setenv("MINIGRAD_TEACHER", "1")
    instrument.reveal()
    assert not question.is_open
    assert instrument.state.verdict is None


@EVERY
def test_what_is_no_prediction_reveals_nothing(torch, make):
    instrument, _ = make(torch)
    question = instrument.state.question
    for nonsense in (object(), "no such thing", [[]], float):
        with pytest.raises(ValueError, match="(such as|Choose)"):
            instrument.predict(nonsense)
    instrument._panel.button.click()
    assert question.is_open


@EVERY
def test_after_the_prediction_it_is_shown(torch, make):
    instrument, _ = make(torch)
    before = instrument.state.text
    question = instrument.state.question
    numbers = question.kind.hint.removeprefix("such as ").removesuffix(", or None")
    options = getattr(question.kind, "options", (numbers, numbers))
    for option in options:  # the clinic asks until it hears the right one
        if question.is_open:
            instrument.predict(option)
    assert not question.is_open
    assert instrument._feedback.value
    assert instrument.state.text != before


@EVERY
def test_its_text_is_the_same_in_every_run(torch, make):
    one, other = make(torch)[0], make(torch)[0]
    assert one.state.text == other.state.text
    assert "\n" not in repr(one)
    assert len(repr(one)) < 120
    for instrument in (one, other):
        instrument.close()
