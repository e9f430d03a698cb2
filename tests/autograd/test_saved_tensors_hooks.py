"""Hooks on saved tensors: packed when saved, unpacked when needed, freed with the graph."""

from __future__ import annotations

import gc
import threading
import weakref
from typing import Any

import pytest


def test_gradients_are_those_of_what_is_unpacked(torch: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t.tolist(), torch.tensor):
        y = x.exp() * x
    y.sum().backward()
    expected = ((1 + x) * x.exp()).detach()
    assert torch.allclose(x.grad, expected)


def test_outside_the_block_nothing_is_packed(torch: Any) -> None:
    packed: list[Any] = []
    x = torch.ones(2, requires_grad=True)
    hooks = torch.autograd.graph.saved_tensors_hooks(
        lambda t: packed.append(1) or t.detach(), lambda p: p
    )
    with hooks:
        _ = x * x
    _ = x * x
    assert packed == [1, 1]


def test_hooks_belong_to_a_thread(torch: Any) -> None:
    packed: list[str] = []
    x = torch.ones(2, requires_grad=True)

    def compute() -> None:
        assert torch.equal((x * x).grad_fn._saved_self, x)
        packed.append("computed")

    hooks = torch.autograd.graph.saved_tensors_hooks(
        lambda t: packed.append("packed") or t.detach(), lambda p: p
    )
    with hooks:
        other = threading.Thread(target=compute)
        other.start()
        other.join()
    assert packed == ["computed"]


def test_an_exception_in_the_block_ends_it(torch: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    hooks = torch.autograd.graph.saved_tensors_hooks(lambda t: 1 / 0, lambda p: p)
    with pytest.raises(ZeroDivisionError), hooks:
        _ = x * x
    assert (x * x).grad_fn._saved_self is x


def test_what_is_packed_dies_with_the_graph(torch: Any) -> None:
    gc.collect()
    gc.disable()
    try:
        x = torch.ones(2, requires_grad=True)
        alive = weakref.ref(x)
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), lambda p: p):
            y = (x * x).exp()
        y.sum().backward()
        del x, y
        assert alive() is None
    finally:
        gc.enable()


def test_an_error_of_the_unpack_hook_is_its_own_and_no_reason_to_ask_again(torch: Any) -> None:
    asked = []

    def unpack(packed: Any) -> Any:
        asked.append(packed)
        raise ValueError("mine")

    x = torch.ones(2, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, unpack):
        y = x * x
    with pytest.raises(ValueError, match="^mine$"):
        y.sum().backward()
    assert len(asked) == 1


def test_modes_that_a_hook_enters_end_with_it(torch: Any) -> None:
    packed: list[Any] = []
    hooks = torch.autograd.graph.saved_tensors_hooks(packed.append, lambda packed: packed)
    x = torch.ones(2, requires_grad=True)

    def enter(gradient: Any) -> None:
        hooks.__enter__()
        torch.set_grad_enabled(True)

    seen = []

    def use(gradient: Any) -> None:
        seen.append(torch.is_grad_enabled())
        with torch.enable_grad():
            x.exp()

    y = x * 2
    z = y * 3
    z.register_hook(enter)
    y.register_hook(use)
    z.sum().backward()
    x.exp()
    assert seen == [False]
    assert not packed
    with pytest.raises(RuntimeError):
        hooks.__exit__()


def test_modes_that_a_custom_backward_enters_end_with_it(torch: Any) -> None:
    seen = []

    class Twice(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            seen.append(torch.is_grad_enabled())
            torch.set_grad_enabled(True)
            return gradient * 2

    x = torch.ones(2, requires_grad=True)
    x.register_hook(lambda gradient: seen.append(torch.is_grad_enabled()))
    Twice.apply(Twice.apply(x)).sum().backward()
    assert seen == [False, False, False]
