"""Recording a backward pass: it tells what happened, and the program notices nothing."""

import gc
import importlib
import warnings
import weakref
from dataclasses import asdict

import pytest

from minigrad.viz import draw
from minigrad.viz.backward.recording import BackwardRecorder
from tests.viz.backward_programs import (
    PROGRAMS,
    diamond,
    failing_function,
    freed,
    named,
    record,
    recorder_of,
    recording_of,
)

each_program = pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)


def outcome(program, recorded):
    """All that a user can see of a run: errors, warnings, gradients, what is freed, their hooks."""
    earlier = [leaf.grad for leaf in program.leaves]
    error = None
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            if recorded:
                with recorder_of(program):
                    program.run()
            else:
                program.run()
        except Exception as caught:
            error = caught
        grads = [leaf.grad for leaf in program.leaves]
    return {
        "error": (type(error), str(error)),
        "warnings": [(each.category, str(each.message)) for each in warned],
        "grads": [repr(grad) for grad in grads],
        "same objects": [a is b for a, b in zip(earlier, grads, strict=True)],
        "graph after": repr(draw(*program.roots, names=dict(named(program)))),
        "log": getattr(program, "log", []),
    }


def rounded(data):
    """The same without the last bits of the numbers, in which the engines differ."""
    if isinstance(data, float):
        return float(f"{data:.5g}")
    if isinstance(data, list | tuple):
        return [rounded(item) for item in data]
    return {k: rounded(v) for k, v in data.items()} if isinstance(data, dict) else data


@each_program
def test_the_program_notices_nothing(torch, program):
    outcome(program(torch), recorded=False)  # some warnings come only once
    assert outcome(program(torch), recorded=True) == outcome(program(torch), recorded=False)


@each_program
def test_no_hook_stays_behind(torch, program):
    prepared = program(torch)
    with recorder_of(prepared) as recorder:
        pass
    outcome(prepared, recorded=False)
    assert recorder.recording.events == ()


@pytest.mark.parity
@each_program
def test_both_engines_are_recorded_alike(program):
    ours, our_error = record(program(importlib.import_module("minigrad")))
    theirs, their_error = record(program(importlib.import_module("torch")))
    assert rounded(asdict(ours)) == rounded(asdict(theirs))
    assert str(our_error) == str(their_error)


def test_the_events_of_a_diamond(torch):
    recording, _ = record(diamond(torch))
    assert [event.node for event in recording.events] == ["n4", "n3", "n2", "n0", "n1"]
    last, add, first, x, y = recording.events
    assert [edge.gradient.numbers for edge in last.edges] == [6.0, 8.0]
    assert [(p.factor, p.local.numbers) for p in last.edges] == [("other", 6.0), ("self", 8.0)]
    assert [(p.factor, p.local.numbers) for p in add.edges] == [("1", 1.0), ("1", 1.0)]
    assert [part.numbers for part in first.parts] == [8.0, 6.0]
    assert first.upstream[0].numbers == 14.0
    assert first.saved == first.freed == ("self", "other")
    assert [part.numbers for part in x.parts] == [6.0, 42.0]
    (stored,) = x.updates
    assert (stored.tensor, stored.old, stored.new.numbers) == ("t0", None, 48.0)
    assert y.updates[0].new.numbers == 28.0
    assert all(event.finished for event in recording.events)


def test_a_pass_that_fails_says_where(torch):
    recording, error = record(freed(torch))
    assert "a second time" in str(error)
    assert [(event.node, event.finished) for event in recording.events] == [
        ("n2", True),
        ("n1", False),
    ]
    assert recording.error.startswith("RuntimeError: Trying to backward through the graph a second")
    recording, error = record(failing_function(torch))
    assert isinstance(error, ArithmeticError)
    assert recording.error == "ArithmeticError: no gradient today"
    assert not recording.events[-1].finished


def test_a_broadcast_that_is_undone_is_said_to_be_summed(torch):
    w = torch.ones(2, 3, requires_grad=True)
    scale = torch.tensor(2.0, requires_grad=True)
    loss = (w * scale).sum()
    product = recording_of(loss).events[1]
    assert [edge.summed for edge in product.edges] == [False, True]
    assert product.edges[1].gradient.numbers == 6.0


def test_what_a_hook_changed_is_not_called_a_product(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    y.grad_fn.register_hook(lambda gradients, _: (gradients[0] + 1, None))
    (edge,) = recording_of(y).events[0].edges
    assert edge.gradient.numbers == 4.0
    assert edge.local is None


def test_saved_values_that_a_hook_packed_are_not_unpacked(torch):
    unpacked = []
    x = torch.tensor(2.0, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: unpacked.append(1) or t):
        y = x.exp()
    with BackwardRecorder([y]) as recorder:
        assert unpacked == []
        y.backward()
    assert unpacked == [1]  # by the engine
    assert recorder.recording.events[0].saved == ("result",)
    assert recorder.recording.events[0].edges[0].local is None


def test_infinite_gradients_are_text_only(torch):
    x = torch.tensor(0.0, requires_grad=True)
    recording = recording_of(x.log())
    amount = recording.events[1].updates[0].new
    assert (amount.text, amount.numbers) == ("inf", None)


def test_a_recording_keeps_nothing_of_the_program_alive(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    recording = recording_of(y, x=x, y=y)
    gone = weakref.ref(y)
    del y
    gc.collect()
    assert gone() is None
    assert recording.events[0].node == "n1"


def test_no_more_nodes_are_watched_than_allowed(torch):
    x = torch.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(100):
        y = y * 1.0
    with BackwardRecorder([y], limit=5) as recorder:
        y.backward()
    assert len(recorder.recording.events) == 5
    assert recorder.recording.snapshot.left_out
