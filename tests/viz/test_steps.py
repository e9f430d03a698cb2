"""Stepping through a backward pass: what is drawn and said, in right and wrong orders."""

import pytest

from minigrad.viz.backward.orders import ORDERS
from minigrad.viz.backward.steps import Steps
from minigrad.viz.draw.drawing import Drawing
from tests.viz import backward_programs
from tests.viz.backward_programs import PROGRAMS, record, recording_of


def steps_of(program, order="engine"):
    """The steps of a program's pass; whatever exception ends it is part of them."""
    recording, error = record(program)
    assert recording.error == (f"{type(error).__name__}: {error}" if error else "")
    return Steps(recording, order)


def simple(torch, compute, order, start=1.0):
    """The steps of ``c = compute(a)``, and a's gradient at their end."""
    a = torch.tensor(start, requires_grad=True)
    c = compute(a)
    steps = Steps(recording_of(c, a=a, c=c), order)
    return steps, steps.events[-1].updates[0].new.numbers


def sums(a):
    b = a + a
    return b + b


def note(steps, part):
    return steps.marks.parts[part].note


def texts(steps):
    """The numbers on the edges that have any."""
    return {key: mark.text for key, mark in steps.marks.gradients.items() if mark.text}


def test_a_diamond_step_by_step(torch):
    steps = steps_of(backward_programs.diamond(torch))
    assert steps.text == "Before backward: it will begin at loss with 1."
    assert note(steps, "n2") == "waits for 2"
    assert texts(steps) == {("t4", 0): "1"}
    steps.go(steps.position + 1)
    assert steps.text == (
        "1 arrives at the × that made loss. It passes 1 × b (= 6) = 6 to c, and "
        "1 × c (= 8) = 8 to b. Then it frees its saved self and other."
    )
    notes = [note(steps, part) for part in ("n4", "n3", "n2")]
    assert notes == ["runs now", "ready", "waits for 1"]
    assert texts(steps) == {("t4", 0): "1", ("n4", 0): "1 × 6 = 6", ("n4", 1): "1 × 8 = 8"}
    steps.go(steps.position + 1)
    assert steps.text == ("6 arrives at the + that made c. It passes 6 on to b, and 6 on to x.")
    assert note(steps, "n4") == "done"
    assert note(steps, "n2") == "ready"
    assert texts(steps)[("n4", 0)] == "6"
    steps.go(steps.position + 1)
    assert steps.text.startswith(
        "8 + 6 = 14 arrives at the × that made b. It passes 14 × y (= 3) = 42"
    )
    steps.go(steps.position + 1)
    assert steps.text == "6 + 42 = 48 arrives for x.grad: None → 48."
    assert note(steps, "n0") == "None → 48"
    x, y = steps.snapshot.tensors[:2]
    assert (x.grad_state, x.grad.text, y.grad_state) == ("stored", "48", "none")
    steps.go(steps.last)
    assert steps.text == "Backward is over. x.grad is 48. y.grad is 28."
    assert steps.position == steps.last


def test_equal_numbers_are_written_once_where_all_of_them_are_too_long(torch):
    steps, _ = simple(torch, lambda a: ((a + 2) * 3).mean(), "engine", [[1.0, 2.0], [3.0, 4.0]])
    steps.go(steps.last)
    assert set(texts(steps).values()) == {"1", "all 0.25", "all 0.75"}
    steps, _ = simple(torch, lambda a: (a * a).sum(), "engine", [[1.0, 2.0], [3.0, 4.0]])
    steps.go(steps.last)
    assert set(texts(steps).values()) == {"1", "[[1, 1], [1, 1]]", "[[1, 2], [3, 4]]"}


def test_going_back_takes_everything_back(torch):
    steps = steps_of(backward_programs.diamond(torch))
    seen = []
    for position in range(steps.last + 1):
        steps.go(position)
        seen.append((steps.text, steps.snapshot, steps.marks))
    for position in reversed(range(steps.last)):
        steps.go(position)
        assert (steps.text, steps.snapshot, steps.marks) == seen[position]


def test_a_gradient_that_is_retained_on_the_way(torch):
    steps = steps_of(backward_programs.retained_graph(torch))
    steps.go(2)
    assert "arrives for y.grad: None → 40.1711." in steps.text
    assert steps.snapshot.tensors[1].grad.text == "40.1711"
    assert "frees" not in steps.text  # retain_graph=True


def test_what_is_not_needed_is_said_and_faded(torch):
    steps = steps_of(backward_programs.only_some_inputs(torch))
    unneeded = [name for name, mark in steps.marks.parts.items() if mark.note == "not needed"]
    steps.go(steps.last)
    assert steps.text.startswith("Backward is over. x.grad is 1210.28")
    assert "y.grad" not in steps.text
    assert len(unneeded) == 1


def test_a_pass_that_fails_shows_where(torch):
    steps = steps_of(backward_programs.freed(torch))
    steps.go(2)
    assert steps.text.startswith(
        "1 arrives at the × that made y. Backward ends there: RuntimeError: Trying to "
    )
    assert note(steps, "n1") == "runs now"
    steps.go(steps.position + 1)
    assert steps.text.startswith("Backward has ended: RuntimeError: Trying to backward")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_each_step_can_be_drawn_and_said(torch, program, order):
    steps = steps_of(program(torch), order)
    for position in range(steps.last + 1):
        steps.go(position)
        assert steps.text
        assert Drawing(steps.snapshot, marks=steps.marks).svg().startswith("<svg")


@pytest.mark.parametrize(
    ("order", "gradient", "of_square"),
    [("engine", 4.0, 6.0), ("recursion", 6.0, 6.0), ("overwrite", 1.0, 3.0)],
)
def test_added_twice_in_a_row_and_a_number_times_itself(torch, order, gradient, of_square):
    assert simple(torch, lambda a: a * a, order, start=3.0)[1] == of_square
    steps, stored = simple(torch, sums, order)
    assert stored == gradient
    steps.go(steps.last)
    wrong = "" if order == "engine" else ", but the engine stores 4"
    assert steps.text == f"Backward is over. a.grad is {stored:g}{wrong}."


def test_a_diamond_goes_wrong_as_it_does_by_hand(torch):
    def compute(a):
        b = a * 2
        return b + b * b

    # What b has, whenever something arrives: along the sum, then twice along the product.
    grads_of_b = [1, 1 + 6, 1 + 6 + 6]
    assert simple(torch, compute, "recursion", start=3.0)[1] == sum(2 * one for one in grads_of_b)
    assert simple(torch, compute, "engine", start=3.0)[1] == 2 * grads_of_b[-1]


def test_naive_recursion_runs_nodes_again_and_says_so(torch):
    steps, _ = simple(torch, sums, "recursion")
    assert [event.node for event in steps.events] == ["n2", "n1", "n0", "n0", "n1", "n0", "n0"]
    steps.go(5)
    assert note(steps, "n1") == "runs again, time 2"
    assert steps.text.startswith("1 + 1 = 2 arrives at the + (n1).")
    steps.go(steps.last)
    assert note(steps, "n1") == "ran 2 times"


def test_assigning_says_that_only_the_last_is_kept(torch):
    steps, _ = simple(torch, lambda a: a * a, "overwrite", start=3.0)
    steps.go(2)
    assert steps.text == "3, then 3; only the last is kept: 3 arrives for a.grad: None → 3."


def test_recursion_through_many_diamonds_is_cut_short(torch):
    loss = a = torch.tensor(1.0, requires_grad=True)
    for _ in range(10):
        loss = loss + loss
    steps = Steps(recording_of(loss, a=a), "recursion")
    assert len(steps.events) == 500
    steps.go(steps.last)
    assert "stopped after 500 steps" in steps.text


def test_what_the_recording_does_not_tell_is_not_made_up(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    y = w @ x
    steps = Steps(recording_of((y * y + y).sum(), x=x, w=w), "recursion")
    steps.go(steps.last)
    assert "the recording does not tell what MvBackward0 passes on" in steps.text
