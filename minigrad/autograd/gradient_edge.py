"""Edges of the graph as users hold them, and hooks on several of them at once.

PyTorch has them in the namespace ``torch.autograd.graph``.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Sequence
from operator import index as as_index
from typing import Any, NamedTuple

from minigrad.autograd.grad_mode import enable_grad, state
from minigrad.autograd.hooks import Hook, RemovableHandle
from minigrad.autograd.node import NO_EDGE, AccumulateGrad, Edge, Node, leaf_edge

MODES = ("all", "any")
NO_NODE = "GradientEdge's first object must be an autograd.graph.Node but got"


class _GradientEdge(NamedTuple):
    node: Node
    output_nr: int
    ownership_token: Node | None = None


_GradientEdge.__new__.__qualname__ = "GradientEdge.__new__"  # what errors call it


class GradientEdge(_GradientEdge):
    """Where a gradient is computed: a node, and which of its outputs the gradient belongs to.

    `backward` and `grad` take it in place of a tensor. `get_gradient_edge` makes one; one that is
    made by hand knows nothing of the output's shape and dtype, and takes those of the gradient that
    a walk starts with there.
    """

    __module__ = "torch.autograd.graph"

    edge: Edge | None = None


def get_gradient_edge(tensor: Any) -> GradientEdge:
    """Return the edge at which the gradient of a tensor is computed.

    Raises:
        RuntimeError: if the tensor does not require grad.
        AssertionError: if it is a view made without recording.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.graph.get_gradient_edge.html

    >>> import minigrad as torch
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> y = x * x
    >>> edge = torch.autograd.graph.get_gradient_edge(y)
    >>> torch.autograd.grad(y * 5, edge)
    (tensor(5.),)
    """
    if not tensor.requires_grad:
        raise RuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not require "
            "gradients"
        )
    full = node_edge(tensor)
    node, token = full[0].public(), None
    if node is not full[0]:  # PyTorch's contexts of custom functions do not hold the graph.
        with enable_grad():
            token = tensor.view_as(tensor).grad_fn
    edge = GradientEdge(node, full[1], token)
    edge.edge = full
    return edge


def edge_of(end: Any) -> Edge:
    """Return the engine's edge for a tensor that requires grad, or for a GradientEdge.

    Raises:
        RuntimeError, TypeError: if a GradientEdge was made of something else than node and number.
    """
    if isinstance(end, GradientEdge):
        node = end.node
        if not isinstance(node, Node):
            if not hasattr(node, "_node"):
                raise RuntimeError(f"{NO_NODE} {type(node).__name__}")
            node = node._node()  # of a custom function
        return end.edge or (node, as_index(end.output_nr), (), NO_EDGE[3])
    edge: Edge = end._gradient_edge()
    return edge


def node_edge(tensor: Any) -> Edge:
    """Return the edge of a tensor, which leads to a node.

    Raises:
        AssertionError: if it does not: the tensor needs no gradient, or is a view made without
            recording.
    """
    edge = edge_of(tensor) if tensor.requires_grad else NO_EDGE
    if edge[0] is None:
        raise AssertionError("Expected gradient function to be set")
    return edge


class _MultiHandle(RemovableHandle):
    """Removes the hooks of several tensors."""

    __module__ = "torch.autograd.graph"

    def __init__(self, handles: tuple[RemovableHandle, ...]) -> None:
        self.handles = handles

    def remove(self) -> None:
        for handle in self.handles:
            handle.remove()

    def __reduce__(self) -> tuple[Any, ...]:
        return (_MultiHandle, (self.handles,))


def register_multi_grad_hook(
    tensors: Sequence[Any], fn: Callable[[Any], None], *, mode: str = "all"
) -> RemovableHandle:
    """Call a hook once in each backward pass for several tensors.

    Args:
        tensors: those whose gradients the hook sees.
        fn: called, in mode ``"all"``, with a list of the gradients of all tensors once the last of
            those that the pass computes is known (None for the others); in mode ``"any"`` with the
            first gradient that is known. What it returns is ignored.
        mode: ``"all"`` or ``"any"``.

    Raises:
        ValueError: for another mode.
        AssertionError: in mode ``"all"``, for a tensor without a node: as it needs no gradient, or
            is a view made without recording.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.graph.register_multi_grad_hook.html

    >>> import minigrad as torch
    >>> a, b = torch.ones(2, requires_grad=True).unbind()
    >>> handle = torch.autograd.graph.register_multi_grad_hook((a, b), print)
    >>> (a * 3).backward()
    [tensor(3.), None]
    """
    if mode not in MODES:
        raise ValueError(f"Expects mode to be one of {MODES} but got {mode}")
    if mode == "any":
        hook = first_of_each_walk(fn)
        tensors = [tensor for tensor in tensors if tensor.requires_grad]
        return _MultiHandle(tuple([tensor.register_hook(hook) for tensor in tensors]))
    for tensor in tensors:
        node_edge(tensor)
    collect = all_of_each_walk([weak_node(tensor) for tensor in tensors], fn)
    return _MultiHandle(
        tuple(
            [
                tensor.register_hook(functools.partial(collect, place))
                for place, tensor in enumerate(tensors)
            ]
        )
    )


def first_of_each_walk(fn: Hook) -> Hook:
    """Return a hook that calls `fn` when it is itself called first in a backward pass."""
    seen: weakref.WeakSet[Any] = weakref.WeakSet()

    @functools.wraps(fn)
    def hook(gradient: Any) -> None:
        walk = running_walk()
        if walk not in seen:
            seen.add(walk)
            fn(gradient)

    return hook


def weak_node(tensor: Any) -> Callable[[], Node | None]:
    """Return a function that gives the node at which a tensor's gradient is computed, if it lives.

    A leaf is what its AccumulateGrad holds, so this would hold the hook that holds this.
    """
    edge = tensor._find_edge()
    if edge is not None:
        return weakref.ref(edge[0])
    reference = weakref.ref(tensor)

    def accumulator() -> Node | None:
        leaf = reference()
        return None if leaf is None else leaf_edge(leaf)[0]

    return accumulator


def all_of_each_walk(
    nodes: Sequence[Callable[[], Node | None]], fn: Hook
) -> Callable[[int, Any], None]:
    """Return a hook that gathers gradients and calls `fn` when all those of a pass are there."""
    gathered: weakref.WeakKeyDictionary[Any, dict[int, Any]] = weakref.WeakKeyDictionary()

    def hook(place: int, gradient: Any) -> None:
        walk = running_walk()
        gradients = gathered.setdefault(walk, {})
        gradients[place] = gradient
        if len(gradients) == sum([will_run(walk, node()) for node in nodes]):
            del gathered[walk]
            fn([gradients.get(place) for place in range(len(nodes))])

    return hook


def running_walk() -> Any:
    """Return the backward pass that is calling a hook in this thread."""
    if state.walk is None:
        raise AssertionError("expected this hook to be called inside a backward call")
    return state.walk


def will_run(walk: Any, node: Node | None) -> bool:
    """Return whether a backward pass gets to a node that is not its only root."""
    if node not in walk.counts or walk.reached is None:
        return node in walk.counts
    if isinstance(node, AccumulateGrad) and (node, 0) in walk.captured:
        raise RuntimeError(
            "A leaf node was passed to _will_engine_execute_node but we are currently running "
            "autograd.grad(). This is currently not supported."
        )
    return node in walk.reached
