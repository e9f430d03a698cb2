"""Operations on lists of tensors: joined along a dimension, old or new."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.graph import Node, state, tick
from minigrad.op import new, public
from minigrad.ops.shapes import select_op
from minigrad.tensor import Tensor, from_array


def list_op(name: str, node_name: str, forward: Callable, formula: Callable) -> Callable:
    """An operation on a list of tensors and a dimension; the formula gives a list."""
    about = {"__slots__": (), "__module__": "builtins", "formula": staticmethod(formula)}
    node_class = type(node_name, (ListNode,), about)

    def call(tensors: Any, dim: int = 0, *, axis: int | None = None) -> Any:
        dim = dim if axis is None else axis
        tensors = tuple(tensors)
        if not isinstance(tensors[0], Tensor):
            return forward(tensors, dim)
        arrays = [t._array for t in tensors]
        if any(a.dtype is not arrays[0].dtype for a in arrays):
            dtype = arrays[0].dtype
            for a in arrays[1:]:
                dtype = dtypes.common(np.empty(1, dtype), np.empty(1, a.dtype))
            arrays = [a.astype(dtype, copy=False) for a in arrays]
        try:
            result = from_array(forward(arrays, dim))
        except ValueError:
            raise unequal_sizes(arrays, dim) from None
        edges = tuple([t._fresh_edge() for t in tensors])
        if state.enabled and any(edge is not None for edge in edges):
            node = new(node_class)
            node.edges, node.sequence, node._hooks = edges, tick(), None
            node.dim, node.shapes = dim, [a.shape for a in arrays]
            result._edge = (node, 0, result._array.shape, result._array.dtype)
        return result

    call.__name__ = call.__qualname__ = name
    return public(call, name, "function")


def unequal_sizes(arrays: list[np.ndarray], dim: int) -> RuntimeError:
    text = "Sizes of tensors must match except in dimension {}. Expected size {} but got size {} "
    first = arrays[0].shape
    for number, array in enumerate(arrays):
        for d, (want, got) in enumerate(zip(first, array.shape)):
            if d != dim % len(first) and want != got:
                text += "for tensor number {} in the list."
                return RuntimeError(text.format(dim, want, got, number))
    return RuntimeError(f"Tensors must have same number of dimensions: got {first}")


class ListNode(Node):
    """A recorded operation on a list of tensors."""

    __slots__ = ("dim", "shapes")
    formula: Callable

    def apply(self, grads: list[Any], taped: bool) -> Sequence[Any]:
        if grads[0] is None:
            return [None] * len(self.edges)
        return self.formula(grads[0], self.shapes, self.dim)


def parts(grad: Any, shapes: list, dim: int) -> list[Any]:
    """Divide a gradient along a dimension."""
    ends = np.cumsum([shape[dim] for shape in shapes]).tolist()
    key = (slice(None),) * (dim % len(shapes[0]))
    return [grad[(*key, slice(end - shape[dim], end))] for end, shape in zip(ends, shapes)]


cat = list_op("cat concat concatenate", "CatBackward0", np.concatenate, parts)
stack = list_op(
    "stack",
    "StackBackward0",
    np.stack,
    lambda grad, shapes, dim: [select_op(grad, dim % grad.ndim, i) for i in range(len(shapes))],
)
public(lambda tensors: cat(tensors, 0 if tensors[0].ndim == 1 else 1), "hstack", "function")
public(
    lambda tensors: cat([one if one.ndim > 1 else one[None] for one in tensors], 0),
    "vstack",
    "function",
)
