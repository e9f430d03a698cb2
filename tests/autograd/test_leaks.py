"""Nothing is left behind: with the collector off, tensors and nodes are freed by their counts."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import minigrad as torch
from minigrad.autograd.node import Node


@pytest.fixture(autouse=True)
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def alive() -> int:
    """Return how many tensors, nodes and contexts of custom functions there are."""
    kinds = (torch.Tensor, Node, torch.autograd.function.BackwardCFunction)
    # By type alone: PyTorch, if it is loaded, has objects that warn when they are asked.
    return sum(issubclass(type(one), kinds) for one in gc.get_objects())


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        y = x * x
        ctx.save_for_backward(x, y, y + 1)
        return y

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        x, *_ = ctx.saved_tensors
        return gradient * x * 2


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        x.mul_(2)
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        (y,) = ctx.saved_tensors
        return gradient * 2 + y * 0


class Failing(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        raise ValueError("on purpose")


class Nested(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        with torch.enable_grad():
            ctx.rest = x.detach().requires_grad_() - 1
        return ctx.rest.detach()

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        if ctx.rest > 0:
            with torch.enable_grad():
                Nested.apply(ctx.rest).backward()
        return gradient


def leaf() -> torch.Tensor:
    return torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def forward() -> None:
    (leaf().exp() * leaf()).sum()


def backward() -> None:
    x = leaf()
    (x.tanh() * x + x[1:].sum()).sum().backward()


def grad_with_create_graph() -> None:
    x = leaf()
    (first,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
    torch.autograd.grad(first.sum(), x)


def changes_in_place() -> None:
    x = leaf() * 1
    x[1:].mul_(2)
    x.exp_()
    x.sum().backward()


def hooks() -> None:
    x = leaf()
    y = x * 2
    y.retain_grad()
    y.register_hook(lambda gradient: gradient * 2)
    x.register_hook(lambda gradient: None)
    x.register_post_accumulate_grad_hook(lambda tensor: None)
    y.grad_fn.register_hook(lambda *gradients: None)
    y.grad_fn.metadata["remark"] = "any"
    y.sum().backward()


def a_hook_that_fails() -> None:
    y = leaf() * 2
    y.register_hook(lambda gradient: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        (y.exp() * y).sum().backward()


def custom_functions() -> None:
    x = leaf()
    y = Square.apply(x)
    y.grad_fn.register_hook(lambda *gradients: None)
    y.grad_fn.remark = "any"
    assert len(y.grad_fn.saved_tensors) == 3
    y.sum().backward()


def custom_functions_twice() -> None:
    x = leaf()
    (first,) = torch.autograd.grad(Square.apply(x).sum(), x, create_graph=True)
    torch.autograd.grad(first.sum(), x)


def a_context_that_is_kept() -> None:
    node = Square.apply(leaf() * 2).grad_fn
    saved = node.saved_tensors[1]
    del node
    assert saved.grad_fn.name() == "SquareBackward"


def custom_functions_in_place() -> None:
    for changed in (leaf() * 1, (leaf() * 1)[1:]):
        Double.apply(changed).sum().backward()
    Double.apply((leaf() * 1)[1:])


def an_exception_in_the_middle() -> None:
    x = leaf()
    with pytest.raises(ValueError, match="on purpose"):
        (Failing.apply(x.exp()) * x).sum().backward()


def an_exception_in_forward() -> None:
    with pytest.raises(RuntimeError, match="must match the size"):
        (leaf() * 2).exp() * torch.ones(2)


def graphs_walked_twice() -> None:
    y = leaf().exp().sum()
    y.backward()
    with pytest.raises(RuntimeError, match="a second time"):
        y.backward()


def backward_inside_backward() -> None:
    Nested.apply(torch.tensor(120.0, requires_grad=True)).backward()


def hooks_on_saved_tensors() -> None:
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), lambda packed: packed):
        y = Square.apply(leaf().exp()) * leaf().tanh()
    y.sum().backward()


def anomaly_mode() -> None:
    with warnings.catch_warnings(), torch.autograd.set_detect_anomaly(True):
        warnings.simplefilter("ignore")
        grad_with_create_graph()
        an_exception_in_the_middle()


@pytest.mark.parametrize(
    "use",
    [
        forward,
        backward,
        grad_with_create_graph,
        changes_in_place,
        hooks,
        a_hook_that_fails,
        custom_functions,
        custom_functions_twice,
        custom_functions_in_place,
        a_context_that_is_kept,
        an_exception_in_the_middle,
        an_exception_in_forward,
        graphs_walked_twice,
        backward_inside_backward,
        hooks_on_saved_tensors,
        anomaly_mode,
    ],
)
def test_nothing_is_left(use: Callable[[], None]) -> None:
    use()  # what is made once and kept: numbers as tensors, classes of nodes
    gc.collect()
    before = alive()
    use()
    assert alive() == before


def test_what_is_alive_is_counted() -> None:
    before = alive()
    kept = Square.apply(leaf())
    assert alive() > before + 2
    del kept
    assert alive() == before
