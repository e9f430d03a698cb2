"""The part of PyTorch's public protocol that viz reads, and nothing else of any engine."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeGuard


class GraphNode(Protocol):
    """A node of the autograd graph, such as ``loss.grad_fn``."""

    @property
    def next_functions(self) -> Iterable[tuple["GraphNode | None", int]]: ...

    def name(self) -> str: ...
    def register_hook(self, fn: Callable[..., Any], /) -> Any: ...
    def register_prehook(self, fn: Callable[..., Any], /) -> Any: ...


class LeafNode(GraphNode, Protocol):
    """AccumulateGrad, where the gradient of one leaf is added up."""

    @property
    def variable(self) -> "TensorLike": ...


class TensorLike(Protocol):
    """A tensor: a value, its flags, and its place in the autograd graph."""

    @property
    def shape(self) -> Sequence[int]: ...
    @property
    def dtype(self) -> object: ...
    @property
    def requires_grad(self) -> bool: ...
    @property
    def is_leaf(self) -> bool: ...
    @property
    def retains_grad(self) -> bool: ...
    @property
    def grad(self) -> "TensorLike | None": ...
    @property
    def grad_fn(self) -> GraphNode | None: ...
    @property
    def output_nr(self) -> int: ...

    def detach(self) -> "TensorLike": ...
    def tolist(self) -> Any: ...
    def __getitem__(self, index: Any, /) -> "TensorLike": ...


_MARKS = ("grad_fn", "requires_grad", "is_leaf", "output_nr", "retains_grad", "backward", "detach")


def is_tensor(thing: object) -> TypeGuard[TensorLike]:
    """Whether ``thing`` speaks the protocol; asks its class alone, so that no code of it runs."""
    return all(hasattr(type(thing), mark) for mark in _MARKS)


def is_leaf_node(node: GraphNode) -> TypeGuard[LeafNode]:
    """Whether ``node`` is an AccumulateGrad."""
    return node.name().endswith("AccumulateGrad") and hasattr(type(node), "variable")
