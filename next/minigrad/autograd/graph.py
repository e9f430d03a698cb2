"""torch.autograd.graph: hooks on what is saved, on several tensors, and edges by themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import contextmanager
from typing import Any

from minigrad.engine import GradientEdge
from minigrad.graph import Handle, Node, state
from minigrad.tensor import Tensor

__all__ = ["GradientEdge", "Node", "get_gradient_edge", "increment_version"]


class saved_tensors_hooks:
    """While entered, what operations save is packed by one hook and unpacked by another."""

    def __init__(self, pack_hook: Callable, unpack_hook: Callable) -> None:
        self.pack, self.unpack = pack_hook, unpack_hook

    def __enter__(self) -> None:
        if state.hooks_disabled:
            raise RuntimeError(state.hooks_disabled)
        state.hooks = [*state.hooks, self]

    def __exit__(self, *_: object) -> None:
        state.hooks = state.hooks[:-1]


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Any:
    before = state.hooks_disabled
    if state.hooks:
        raise RuntimeError(error_message)
    state.hooks_disabled = error_message
    try:
        yield
    finally:
        state.hooks_disabled = before


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    if not tensor.requires_grad:
        raise RuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not require "
            "gradients"
        )
    return GradientEdge(*tensor._fresh_edge()[:2])


def increment_version(tensor: Any) -> None:
    for one in [tensor] if isinstance(tensor, Tensor) else tensor:
        one._stamp()


class MultiHandle(Handle):
    """Removes hooks on several tensors."""

    def __init__(self, handles: Sequence[Handle]) -> None:
        self.handles = handles

    def remove(self) -> None:
        for handle in self.handles:
            handle.remove()


def register_multi_grad_hook(
    tensors: Sequence[Tensor], fn: Callable, *, mode: str = "all"
) -> MultiHandle:
    """Call `fn` when the gradients of all the tensors (or of any) have been computed."""
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    found: dict[int, Any] = {}
    called: list[bool] = []

    def hook_of(number: int) -> Callable:
        def hook(grad: Tensor) -> None:
            if mode == "any":
                if not called:
                    called.append(True)
                    fn(grad)
                return
            found[number] = grad
            if len(found) == len(tensors):
                grads = [found.get(i) for i in range(len(tensors))]
                found.clear()
                fn(grads)

        return hook

    return MultiHandle([one.register_hook(hook_of(i)) for i, one in enumerate(tensors)])
