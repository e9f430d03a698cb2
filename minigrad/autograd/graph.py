"""torch.autograd.graph: hooks on saved tensors, hooks on several gradients, and gradient edges.

Source: https://docs.pytorch.org/docs/stable/autograd.html#autograd-graph
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from minigrad.graph import GradientEdge, Hook, Node, RemovableHandle
from minigrad.missing import module_hooks
from minigrad.modes import rare_modes, state
from minigrad.tensor import Tensor

__all__ = [
    "GradientEdge",
    "Node",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
    "saved_tensors_hooks",
]
__dir__, __getattr__ = module_hooks(__name__, __all__)


class saved_tensors_hooks:
    """Choose in a ``with`` block how operations keep the tensors that they save.

    An operation keeps ``pack_hook(tensor)`` instead of the tensor. `unpack_hook` gets it when the
    tensor is needed, and returns a tensor with the same values. Of nested blocks, the innermost
    applies. A pack hook must not change its tensor in place.

    >>> import minigrad as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> with torch.autograd.graph.saved_tensors_hooks(lambda t: t.tolist(), torch.tensor):
    ...     y = x.exp()
    >>> y.sum().backward()
    >>> x.grad
    tensor([2.7183, 7.3891])
    """

    def __init__(self, pack_hook: Hook, unpack_hook: Hook) -> None:
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self) -> None:
        state.saved_hooks = (*state.saved_hooks, self)
        rare_modes.append(saved_tensors_hooks)

    def __exit__(self, *_: object) -> None:
        state.saved_hooks = state.saved_hooks[:-1]
        if saved_tensors_hooks in rare_modes:  # not if a backward pass has left it already
            rare_modes.remove(saved_tensors_hooks)


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """Where the gradient of a tensor goes, for `autograd.grad` and `autograd.backward`.

    It stands for the tensor without keeping its memory. RuntimeError if the tensor doesn't require
    grad.
    """
    edge = tensor._current_edge()
    if edge is None:
        raise RuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not require "
            "gradients"
        )
    return GradientEdge(*edge[:2])


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Tell autograd that the memory of one or several tensors was changed without it."""
    for changed in [tensor] if isinstance(tensor, Tensor) else list(tensor):
        changed._bump_version()


class Handles(RemovableHandle):
    """Removes a hook from several tensors."""

    def __init__(self, handles: Sequence[RemovableHandle]) -> None:
        self.handles = handles

    def remove(self) -> None:
        for handle in self.handles:
            handle.remove()


def register_multi_grad_hook(tensors: Sequence[Tensor], fn: Hook, *, mode: str = "all") -> Handles:
    """Call a hook once per backward pass, on the gradients of several tensors.

    With ``mode="all"``, ``fn(grads)`` is called when the last gradient has been computed; a tensor
    without a gradient in this pass has None. With ``mode="any"``, ``fn(grad)`` is called with the
    first gradient. The result's ``remove()`` takes the hook away.

    >>> import minigrad as torch
    >>> a, b = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    >>> handle = torch.autograd.graph.register_multi_grad_hook([a, b], print)
    >>> (a * 2).sum().backward()
    [tensor([2., 2.]), None]
    """
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    tensors = [t for t in tensors if mode == "all" or t.requires_grad]
    edges = map(get_gradient_edge, tensors)
    # Weak, because nodes own their hooks. A leaf outlives its AccumulateGrad.
    owners = [weakref.ref(getattr(edge.node, "variable", edge.node)) for edge in edges]
    key, count = object(), len(tensors)  # for what the hook has collected in each running pass
    if register_multi_grad_hook not in rare_modes:
        rare_modes.append(register_multi_grad_hook)  # from now on, passes tell what they reach

    def first(grad: Tensor) -> None:
        if state.backward_pass.gradients.setdefault(key, grad) is grad:
            fn(grad)

    def collect(number: int, grad: Tensor) -> None:
        grads = state.backward_pass.gradients.setdefault(key, {})
        grads[number] = grad
        alive: list[Any] = [owner() for owner in owners]
        nodes = [get_gradient_edge(o).node if isinstance(o, Tensor) else o for o in alive]
        if len(grads) == sum(node in state.backward_pass.reached for node in nodes):
            fn([grads.get(index) for index in range(count)])

    hooks = [first if mode == "any" else partial(collect, i) for i in range(count)]
    return Handles([t.register_hook(hook) for t, hook in zip(tensors, hooks, strict=True)])
