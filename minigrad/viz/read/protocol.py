"""The part of PyTorch's public protocol that viz reads, and nothing else of any engine."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Protocol, TypeGuard


class GraphNode(Protocol):
    """A node of the autograd graph, such as ``loss.grad_fn``.

    An engine in one file may have two lists instead of the two methods for hooks, ``prehooks`` and
    ``hooks``, and call the functions in them.
    """

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


def speaks_protocol(tensor_class: object) -> bool:
    """Whether instances of a class are tensors."""
    return isinstance(tensor_class, type) and _has_marks(tensor_class)


@lru_cache(maxsize=1000)
def _has_marks(tensor_class: type) -> bool:
    return all(hasattr(tensor_class, mark) for mark in _MARKS)


def is_tensor(thing: object) -> TypeGuard[TensorLike]:
    """Whether ``thing`` speaks the protocol; asks its class alone, so that no code of it runs."""
    return speaks_protocol(type(thing))


def maker(tensor: TensorLike) -> GraphNode | None:
    """The ``grad_fn`` of ``tensor``; None too for a view whose history is no longer possible."""
    try:
        return tensor.grad_fn
    except RuntimeError:  # an in-place change has made it so
        return None


def keeps_grad(tensor: TensorLike) -> bool:
    """Whether ``.grad`` may be read: of other tensors, PyTorch warns."""
    return tensor.is_leaf or tensor.retains_grad


def is_leaf_node(node: GraphNode) -> TypeGuard[LeafNode]:
    """Whether ``node`` is an AccumulateGrad."""
    return node.name().endswith("AccumulateGrad") and hasattr(type(node), "variable")


def version_of(tensor: TensorLike) -> int | None:
    """How often the elements were changed in place; None where that is not counted."""
    try:
        version = getattr(tensor, "_version", None)
    except RuntimeError:  # made in inference mode
        return None
    return version if isinstance(version, int) else None


def hooks_of(tensor: TensorLike) -> tuple[str, ...]:
    """The names of the functions that the tensor's gradient is handed to."""
    found = []
    for attribute in ("_backward_hooks", "_post_accumulate_grad_hooks"):
        hooks = getattr(tensor, attribute, None) or {}
        found += [getattr(hook, "__name__", type(hook).__name__) for hook in hooks.values()]
    return tuple(found)
