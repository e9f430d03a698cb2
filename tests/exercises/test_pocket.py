"""The pocket engine says what the big one says, and fits into 120 lines."""

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import minigrad
from minigrad.exercises import pocket
from minigrad.exercises.engine_file import parts
from minigrad.viz import draw, step
from minigrad.viz.backward.recording import record_backward
from tests.test_project import code_lines


def edges(torch: ModuleType) -> Any:
    a, b = (torch.tensor(number, requires_grad=True) for number in (2.0, 5.0))
    out = (a * b + a) * 3
    out.backward()
    return out, a, b


def diamond(torch: ModuleType) -> Any:
    a = torch.tensor(2.0, requires_grad=True)
    left, right = a * 3, a * a
    (left + right).backward()
    return (a,)


def doublings(torch: ModuleType) -> Any:
    a = torch.tensor(1.5, requires_grad=True)
    b = a + a
    c = b + b
    c.backward()
    return c, a


def product(torch: ModuleType, swapped: bool = False) -> Any:
    a = torch.tensor(2.0, requires_grad=True)
    b = a * a
    c = b + a
    d = c * b if swapped else b * c
    d.backward()
    return d, a


def swapped(torch: ModuleType) -> Any:
    return product(torch, swapped=True)


def three_calls(torch: ModuleType) -> Any:
    w = torch.tensor(2.0, requires_grad=True)
    for _ in range(3):
        (3 * w).backward()
    return (w,)


def chain(torch: ModuleType) -> Any:
    w0, w1, w2 = (torch.tensor(number, requires_grad=True) for number in (2.0, 3.0, 4.0))
    h1 = w1 * (w0 * 5.0)
    (w2 * h1.detach() + h1).backward()
    return w0, w1, w2


def kept(torch: ModuleType) -> Any:
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    y.backward(retain_graph=True)
    y.backward()
    return (x,)


def mean_of_squares(torch: ModuleType) -> Any:
    x = torch.ones(2, 2, requires_grad=True)
    y = x + 2
    out = (y * y * 3).mean()
    out.backward()
    return out, x


def weighed(torch: ModuleType) -> Any:
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    (x * x).backward(torch.tensor([1.0, 10.0, 100.0]))
    return (x,)


def layer(torch: ModuleType) -> Any:
    x = torch.tensor([[0.5, -1.0], [0.2, 0.3], [-0.7, 0.1]])
    w = torch.tensor([[0.1, -0.2, 0.3, 0.4], [0.5, 0.6, -0.7, 0.8]], requires_grad=True)
    b = torch.tensor([0.1, 0.2, -0.3, 0.4], requires_grad=True)
    column = torch.tensor([[1.0], [2.0], [-3.0]], requires_grad=True)
    out = (torch.tanh(x @ w + b) * column).sum()
    out.backward()
    return out, w, b, column


def trained(torch: ModuleType) -> Any:
    numbers = np.random.default_rng(0).normal(size=(4, 60)).astype("float32")
    points = torch.tensor(numbers[:2].T.tolist())
    targets = torch.tensor(np.sign(1 - (numbers[:2] ** 2).sum(0))[:, None].tolist())
    shapes = [(2, 8), (8,), (8, 1), (1,)]
    weights = [
        torch.tensor(numbers[2].flat[: int(np.prod(s))].reshape(s).tolist(), requires_grad=True)
        for s in shapes
    ]
    w1, b1, w2, b2 = weights
    for _ in range(20):
        error = torch.tanh(torch.tanh(points @ w1 + b1) @ w2 + b2) - targets
        (error * error).mean().backward()
        for w in weights:
            w.data -= 0.2 * w.grad.data
            w.grad = None
    return ((error * error).mean(), *weights)


PROGRAMS = [one for one in list(globals().values()) if getattr(one, "__module__", "") == __name__]


def numbers(tensors: Any) -> list[Any]:
    grads = [None if one.grad_fn else one.grad for one in tensors]
    return [
        (one.tolist(), None if grad is None else grad.tolist())
        for one, grad in zip(tensors, grads, strict=True)
    ]


@pytest.mark.parametrize("program", PROGRAMS)
def test_it_finds_what_the_big_engine_finds(program: Any) -> None:
    ours, theirs = numbers(program(pocket)), numbers(program(minigrad))
    for (value, grad), (expected, expected_grad) in zip(ours, theirs, strict=True):
        assert np.allclose(value, expected, atol=1e-5)
        assert (grad is None) == (expected_grad is None)
        assert grad is None or np.allclose(grad, expected_grad, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    "program",
    [
        lambda torch: torch.ones(3).sum().backward(),
        lambda torch: (torch.ones(3, requires_grad=True) * 2).backward(),
    ],
)
def test_its_errors_are_those_of_the_big_engine(program: Any) -> None:
    said = []
    for torch in (pocket, minigrad):
        with pytest.raises(RuntimeError) as raised:
            program(torch)
        said.append(str(raised.value))
    assert said[0] == said[1]


def test_a_second_pass_through_a_product_raises_and_through_a_sum_does_not() -> None:
    x = pocket.tensor(3.0, requires_grad=True)
    y, z = x * x, x + 2
    z.backward()
    z.backward()
    y.backward()
    assert x.grad.item() == 8
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.backward()


def test_no_grad_and_detach_leave_no_history() -> None:
    x = pocket.tensor(3.0, requires_grad=True)
    with pocket.no_grad():
        assert (x * x).grad_fn is None
    assert (x * x).grad_fn is not None
    assert not x.detach().requires_grad
    assert np.shares_memory(x.detach().data, x.data)


def test_a_long_chain_needs_no_deep_recursion() -> None:
    x = pocket.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(5000):
        y = y + x
    y.backward()
    assert x.grad.item() == 5001


@pytest.mark.parametrize("swap", [False, True])
def test_the_picture_is_that_of_the_big_engine(swap: bool) -> None:
    drawn = []
    for torch in (pocket, minigrad):
        a = torch.tensor(2.0, requires_grad=True)
        b = a * a
        c = b + a
        d = c * b if swap else b * c
        drawn += [draw(d, detail="saved").outline]
        d.backward()
        drawn += [draw(d, detail="saved").outline]
    assert drawn[:2] == drawn[2:]
    assert "freed self, other" in drawn[1]


def test_the_stepper_steps_through_it() -> None:
    told = []
    for torch in (pocket, minigrad):
        a = torch.tensor(2.0, requires_grad=True)
        b = a * a
        d = b * (b + a)
        recording = record_backward([d], named=[("a", a), ("b", b), ("d", d)])
        told.append([(one.node, one.upstream[0].text, one.freed) for one in recording.events])
        assert not recording.error
        assert step(d, names={"d": d}).steps.text  # with an error in it
    assert told[0] == told[1]


def test_it_fits_into_120_lines() -> None:
    assert len(code_lines(Path(pocket.__file__))) <= 120
    assert len(parts()) == 7
