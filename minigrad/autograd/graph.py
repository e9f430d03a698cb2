"""What users may know of the autograd graph.

PyTorch has it in the namespace ``torch.autograd.graph``.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterable
from typing import Any

from minigrad.autograd import node
from minigrad.autograd.allow_mutation import (
    allow_mutation_on_saved_tensors as allow_mutation_on_saved_tensors,
)
from minigrad.autograd.function import BackwardCFunction
from minigrad.autograd.gradient_edge import GradientEdge as GradientEdge
from minigrad.autograd.gradient_edge import get_gradient_edge as get_gradient_edge
from minigrad.autograd.gradient_edge import register_multi_grad_hook as register_multi_grad_hook
from minigrad.autograd.hooks import RemovableHandle
from minigrad.autograd.saved_tensors_hooks import (
    disable_saved_tensors_hooks as disable_saved_tensors_hooks,
)
from minigrad.autograd.saved_tensors_hooks import save_on_cpu as save_on_cpu
from minigrad.autograd.saved_tensors_hooks import saved_tensors_hooks as saved_tensors_hooks
from minigrad.tensor import Tensor


class Node(abc.ABC):
    """A node of the graph: ``grad_fn`` of a tensor, of whatever operation or custom function.

    There to be asked with `isinstance`; what it declares, every node has.

    >>> import minigrad as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> isinstance(x.exp().grad_fn, torch.autograd.graph.Node)
    True
    """

    __module__ = "torch.autograd.graph"

    @abc.abstractmethod
    def name(self) -> str:
        """Return the name of the node, ``ExpBackward0`` for instance."""

    @property
    @abc.abstractmethod
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """Where the gradients of the inputs go: pairs of node (or None) and output number."""

    @abc.abstractmethod
    def metadata(self) -> dict[Any, Any]:
        """A dictionary for whatever the user wants to keep with the node."""

    @abc.abstractmethod
    def register_hook(self, fn: Callable[..., Any]) -> RemovableHandle:
        """Call ``fn(grad_inputs, grad_outputs)`` after the node has run in a backward pass."""

    @abc.abstractmethod
    def register_prehook(self, fn: Callable[..., Any]) -> RemovableHandle:
        """Call ``fn(grad_outputs)`` before the node runs in a backward pass."""

    @abc.abstractmethod
    def _sequence_nr(self) -> int: ...

    @classmethod
    def __subclasshook__(cls, subclass: type) -> bool:
        if cls is Node and issubclass(subclass, (node.Node, BackwardCFunction)):
            return True
        return NotImplemented  # type: ignore[no-any-return]


def increment_version(tensor: Any) -> None:
    """Say that a tensor, or each of several, was changed in place in a way that cannot be seen.

    Raises:
        RuntimeError: if something else is given.

    >>> import minigrad as torch
    >>> x = torch.ones(2)
    >>> x.numpy()[0] = 5
    >>> torch.autograd.graph.increment_version(x)
    >>> x._version
    1
    """
    if not isinstance(tensor, (Tensor, Iterable)):
        raise RuntimeError("increment_version expect a Iterable[Tensor] as input")
    tensors = (tensor,) if isinstance(tensor, Tensor) else tuple(tensor)
    if not all(isinstance(one, Tensor) for one in tensors):
        raise RuntimeError("increment_version expects each element of the iterable to be a tensor")
    for one in tensors:
        if not one.is_inference():
            one._count_change()


def set_warn_on_accumulate_grad_stream_mismatch(enabled: bool) -> None:
    """Do nothing: there are no streams, of which PyTorch would warn.

    Raises:
        RuntimeError: if it is no bool.
    """
    check_enabled(enabled)


def set_override_stale_capture_stream(enabled: bool) -> None:
    """Do nothing: there are no streams.

    Raises:
        RuntimeError: if it is no bool.
    """
    check_enabled(enabled)


def check_enabled(enabled: Any) -> None:
    """Refuse anything but a bool, with PyTorch's text."""
    if not isinstance(enabled, bool):
        raise RuntimeError(f"enabled must be a bool, but got {type(enabled).__name__}")
