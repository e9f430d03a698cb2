"""The classes of nodes, by their names, and two functions that make nodes for tests."""

# minigrad.nn.functional declares operations, too, whose nodes are to be found here.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minigrad.autograd import graph
from minigrad.autograd.function import Error as Error
from minigrad.autograd.grad_mode import state
from minigrad.autograd.node import NO_EDGE, WRITTEN_BY_HAND, Gradient, Node
from minigrad.autograd.node import AccumulateGrad as AccumulateGrad
from minigrad.nn import functional as _functional  # noqa: F401
from minigrad.ops.declare import rules
from minigrad.ops.views import CopySlices as CopySlices
from minigrad.tensor import Tensor


def __getattr__(name: str) -> Any:
    named = [rule.node_class for rule in rules if rule.name == name]
    if named and name:
        return named[0]
    raise AttributeError(f"module 'torch._C._functions' has no attribute '{name}'")


class UndefinedGradBackward(Node):
    """Passes no gradient on: None, not zeros."""

    __slots__ = ()
    __module__ = "builtins"

    def __init__(self, edges: Any) -> None:
        self.edges = edges
        self.sequence_number = next(state.sequence_numbers)
        self.outputs, self.hooks = len(edges), None

    def apply(self, arrived: Sequence[Gradient], recorded: bool) -> Sequence[Gradient]:
        return [None] * len(self.edges)


WRITTEN_BY_HAND.add(UndefinedGradBackward.__name__)


@graph.Node.register
class UndefinedGrad:
    """``UndefinedGrad()(tensor)`` is the same tensor, to which no gradient comes back."""

    def __call__(self, *inputs: Any) -> Any:
        if len(inputs) != 1:
            raise TypeError(f"expected 1 arguments, got {len(inputs)} instead")
        return behind(UndefinedGradBackward, inputs)


@graph.Node.register
class DelayedError:
    """``DelayedError("Boom!", 1)(tensor)`` is the same tensor; its backward pass is an error."""

    def __init__(self, message: str, number: int, /) -> None:
        self.message, self.number = message, number

    def __call__(self, *inputs: Any) -> Any:
        return behind(lambda edges: Error(edges, self.message), inputs)


def behind(make_node: Any, inputs: Sequence[Any]) -> Any:
    """Return the same tensors, with one node between these and those that are given."""
    for place, one in enumerate(inputs):
        if not isinstance(one, Tensor):
            raise TypeError(f"argument {place} is not a Variable")
    outputs = [one.detach() for one in inputs]
    if state.grad_enabled and any(one.requires_grad for one in inputs):
        node = make_node(
            tuple([one._gradient_edge() if one.requires_grad else NO_EDGE for one in inputs])
        )
        for number, one in enumerate(outputs):
            one._edge = (node, number, one._value.shape, one._value.dtype)
            one._requires_grad = True
    return tuple(outputs) if len(outputs) > 1 else outputs[0]
