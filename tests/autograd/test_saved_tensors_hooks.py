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
