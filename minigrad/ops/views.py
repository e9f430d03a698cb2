"""In-place changes of views, recorded: what becomes of the base's history, and of the view's.

PyTorch's design: the node of the change, which knows the view alone, is wrapped in a `CopySlices`
node of the base, which takes the view's part out of a gradient and puts what the change makes of it
back. The view, and all others, then are parts of the changed base, by `as_strided`.
Source: https://github.com/pytorch/pytorch/blob/main/torch/csrc/autograd/functions/tensor.cpp
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from minigrad.autograd.grad_mode import state
from minigrad.autograd.node import NO_EDGE, Array, Edge, Gradient, Node
from minigrad.autograd.saved import FREED, SavingNode, observe, observers
from minigrad.memory import Geometry, geometry, seen_as, whole
from minigrad.ops.check import check
from minigrad.ops.define import hidden
from minigrad.ops.gathering import index_add
from minigrad.ops.indexing import alias
from minigrad.ops.registry import public
from minigrad.ops.rule import Records, Rule
from minigrad.ops.shape import contiguous_clone, reshaped, squeeze_one, sum_dims, zeros
from minigrad.subclasses import NO_TENSORS
from minigrad.tensor import Tensor, from_array

OUT_OF_BOUNDS = (
    "setStorage: sizes {}, strides {}, storage offset {}, and itemsize {} requiring a storage size "
    "of {} are out of bounds for storage of size {}"
)


def strided(
    self: Array, size: Sequence[int], stride: Sequence[int], storage_offset: int | None
) -> Array:
    """Return elements of the memory that an array lies in, whatever part of it the array shows.

    Raises:
        RuntimeError: if they are not all in the memory.
    """
    memory, itemsize = whole(self), self.itemsize
    if storage_offset is None:
        storage_offset = geometry(self)[2]
    needed = itemsize * extent(size, stride, storage_offset)
    sizes, strides = list(size), list(stride)
    check(
        needed <= memory.nbytes,
        OUT_OF_BOUNDS,
        *(sizes, strides, storage_offset, itemsize, needed, memory.nbytes),
    )
    return seen_as(self, size, [step * itemsize for step in stride], storage_offset * itemsize)


def extent(size: Sequence[int], stride: Sequence[int], storage_offset: int) -> int:
    """Return how many elements a memory must have to hold the last one."""
    if 0 in size:
        return 0
    return storage_offset + 1 + sum((n - 1) * step for n, step in zip(size, stride, strict=True))


def overlaps(size: Sequence[int], stride: Sequence[int]) -> bool:
    """Return whether several elements may lie in one place."""
    last = 0
    for step, length in sorted(zip(stride, size, strict=True)):
        if length != 1:
            if step <= last:
                return True
            last += step * (length - 1)
    return False


def strided_backward(
    grad: Any,
    self_geometry: Geometry,
    size: Sequence[int],
    stride: Sequence[int],
    storage_offset: int | None,
) -> Any:
    """Return the gradient of what lies in the memory of which elements were shown."""
    shape, strides, offset = self_geometry
    if storage_offset is None:
        storage_offset = offset
    if not prod(shape) or not prod(size):
        return zeros(shape, grad)
    for dim in reversed(range(len(size))):
        if size[dim] == 1:
            grad = squeeze_one(grad, dim)
        elif not stride[dim]:
            grad = sum_dims(grad, (dim,), False, None)
    kept = [pair for pair in zip(size, stride, strict=True) if pair[0] != 1 and pair[1]]
    size, stride = [pair[0] for pair in kept], [pair[1] for pair in kept]
    start = min(offset, storage_offset)
    offset, shown = offset - start, storage_offset - start
    length = max(extent(shape, strides, offset), extent(size, stride, shown))
    memory, places = zeros((length,), grad), np.arange(length)
    if overlaps(size, stride):
        index = strided(places, size, stride, shown).reshape(-1)
        memory = index_add(memory, 0, index, reshaped(grad, (-1,)))
    elif isinstance(grad, Tensor):
        as_strided_part(memory, size, stride, shown).copy_(grad)
    else:
        as_strided_part(memory, size, stride, shown)[...] = grad
    if overlaps(shape, strides):
        counts = np.bincount(strided(places, shape, strides, offset).reshape(-1), minlength=length)
        # As in PyTorch, nan where the tensor shows nothing.
        counts = np.where(counts, counts, np.nan).astype(getattr(grad, "_value", grad).dtype)
        memory = memory / (from_array(counts) if isinstance(grad, Tensor) else counts)
    return as_strided_part(memory, shape, strides, offset)


as_strided_part = hidden("AsStridedBackward0", strided, view=True, self=strided_backward)
as_strided_in_place = hidden("AsStridedBackward1", strided, self=strided_backward)


@public("as_subclass", "method")
def as_subclass(input: Tensor, cls: Any) -> Any:
    """Return the same elements as a tensor of another class, a view that is recorded.

    Raises:
        TypeError: if it is no class, or none of tensors.
    """
    text = "cls must be a type (got {})"
    check(isinstance(cls, type), text, type(cls).__name__, error=TypeError)
    check(issubclass(cls, Tensor), NO_TENSORS, error=TypeError)
    view = alias(input)
    view.__class__ = cls
    return view


@public("as_strided")
def as_strided(
    input: Tensor, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None
) -> Any:
    """Return a view of any elements of the memory that the tensor lies in.

    Args:
        size: its shape.
        stride: for each dimension, by how many elements the memory moves on.
        storage_offset: at which element of the memory it begins; by default, as the tensor does.

    Raises:
        RuntimeError: if `size` and `stride` are not as many, or elements are not in the memory.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.as_strided.html

    >>> import minigrad as torch
    >>> torch.as_strided(torch.arange(6), (2, 2), (3, 1), 1)
    tensor([[1, 2],
            [4, 5]])
    """
    return as_strided_part(input, *checked_place(size, stride, storage_offset))


def checked_place(
    size: Sequence[int], stride: Sequence[int], storage_offset: int | None
) -> tuple[tuple[int, ...], tuple[int, ...], int | None]:
    """Return what part of the memory `as_strided` is to show, or raise what it does."""
    size, stride = tuple(size), tuple(stride)
    negative = "as_strided: Negative strides are not supported at the moment, got strides: {}"
    overflow = "Storage size calculation overflowed with sizes={} and strides={}"
    check(len(size) == len(stride), "mismatch in length of strides and shape")
    check(min(stride, default=0) >= 0, negative, list(stride))
    check(min(size, default=0) >= 0, overflow, list(size), list(stride))
    check((storage_offset or 0) >= 0, "Tensor: invalid storage offset {}", storage_offset)
    return size, stride, storage_offset


class CopySlices(Node):
    """The node of a base of which a view was changed in place.

    It has the edges of the node of the change, but that the gradient of the view's part goes on to
    the base as it was, together with that of all its other elements.
    """

    __slots__ = ("base", "change", "view")

    def __init__(self, view: Tensor, change: Node) -> None:
        base = view._base
        self.base, self.view = geometry(base._array), geometry(view._array)
        self.change: Node | None = change
        first = base._gradient_edge() if base._requires_grad else NO_EDGE
        self.edges = (first, *change.edges[1:])
        self.sequence_number = next(state.sequence_numbers)
        self.outputs = 1
        self.hooks = None
        if observers:
            observe(self, None)

    def apply(self, arrived: Sequence[Gradient], recorded: bool) -> Sequence[Gradient]:
        if not arrived:
            return (None,) * len(self.edges)
        if self.change is None:
            raise RuntimeError(FREED)
        # In tensors, also where nothing is recorded: this is one way for both.
        gradient = arrived[0] if recorded else from_array(np.asarray(arrived[0]))
        reached = None if state.walk is None else state.walk.reached
        if reached is not None and self.edges[0][0] in reached:
            # The change, too, is asked for its first gradient: that of the view as it was.
            reached.add(self.change.edges[0][0])
        shape, strides, offset = self.base
        memory = np.empty(extent(shape, strides, 0), gradient._array.dtype)
        result = from_array(strided(memory, shape, strides, 0))
        result.copy_(gradient)
        size, stride, start = self.view
        part = as_strided_part(result, size, stride, start - offset)
        copied = contiguous_clone(part)
        first, *others = self.change.apply([copied if recorded else copied._array], recorded)
        if first is None:
            return (None, *others)
        part.copy_(first if recorded else from_array(np.asarray(first)))
        return (result if recorded else result._array, *others)

    def release(self) -> None:
        self.change = None


CopySlices.__module__ = "builtins"


def set_history(tensor: Tensor, node: Node, number: int = 0) -> None:
    """Make a tensor that was modified in place, or its base, an output of this node."""
    if tensor._base is None:
        if tensor._edge is None and tensor._hooked:
            tensor._backward_hooks = None  # its AccumulateGrad calls them no more either
        set_edge(tensor, node, number)
    else:
        set_edge(tensor._base, CopySlices(tensor, node))
        edge = tensor._find_edge()
        if edge is not None and isinstance(node, SavingNode):
            node.show_outputs_as(edge[0])


def set_edge(tensor: Tensor, node: Node, number: int = 0) -> None:
    """Make a tensor an output of a node instead of what it was."""
    before = tensor._edge
    tensor._warn_accumulator()
    tensor._edge = (node, number, tensor._value.shape, tensor._value.dtype)
    tensor._require_grad(True)
    move_hooks(before, tensor)


def move_hooks(before: Edge | None, tensor: Tensor) -> None:
    """Let the node that computes a tensor now keep its gradient, if the one before did.

    Hooks stay with that one.
    """
    tensor._hooks = None
    if before is not None and tensor._edge is not None and before[0].hooks is not None:
        retain = before[0].hooks.retained.pop(before[1], None)
        if retain is not None:
            tensor._edge[0].ensure_hooks().retained[tensor._edge[1]] = retain


def see_base_anew(view: Tensor) -> None:
    """Record that a view shows a part of its base as that is now."""
    before, base = view._edge, view._base
    needed, arguments = (base._requires_grad,), (base, *view._geometry())
    record = records.get(needed) or rule.recorder(records, needed, arguments, view)
    record(*arguments, view)
    view._edge_version = view._version
    move_hooks(before, view)


rule: Rule = as_strided_part.rule  # type: ignore[attr-defined]
records: Records = {}
Tensor._see_base_anew = see_base_anew  # type: ignore[assignment,method-assign]
