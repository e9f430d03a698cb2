"""Choosing elements by their places: ``x[...]``, and `index_put`.

``x[index]`` takes an index apart from left to right as PyTorch does: integers and slices become
views one after the other, and what is left, tensors of places and masks, is one copying operation.
Source: https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/TensorIndexing.h
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import index as as_index
from typing import Any

import numpy as np

from minigrad.autograd.node import Array
from minigrad.autograd.saved import modified
from minigrad.c_code import type_name
from minigrad.data import checked_array
from minigrad.memory import laid_out_by, order_of
from minigrad.ops.check import check
from minigrad.ops.declare import op
from minigrad.ops.registry import Operation, public
from minigrad.ops.shape import (
    TO_THE_END,
    select_view,
    slice_view,
    unsqueeze,
    zeros,
)
from minigrad.outside import warn
from minigrad.size import checked_dim
from minigrad.tensor import Tensor, from_array

METHOD = "method"
ALL = "function method inplace"

NO_NUMBER = (
    "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ "
    "to convert a 0-dim tensor to a number"
)
NO_INDEX = (
    "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
    "indices (got {})"
)
BYTE_MASK = (
    "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead."
)
LIST_AS_TUPLE = (
    "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in "
    "pytorch 2.9; use x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as "
    "tensor index, x[torch.tensor(seq)], which will result either in an error or a different result"
)

_add_at: Any = np.add.at


# An index array for each dimension, or None for all its places.
Places = tuple[Array | None, ...]


class Taken(Places):
    """Places, and the tensors that they were taken from, with their versions then."""

    tensors: Sequence[tuple[Tensor, int]] = ()


def taken(places: Sequence[Array | None], given: Sequence[Any]) -> Taken:
    """Return places that are known to be the elements of those tensors that were given."""
    known = Taken(places)
    known.tensors = getattr(given, "tensors", None) or [
        (one, *one._counter) for one in given if isinstance(one, Tensor)
    ]
    return known


def unchanged(indices: Places) -> Places:
    """Return places; raise RuntimeError if the tensors that they were taken from were modified."""
    for tensor, version in getattr(indices, "tensors", ()):
        if tensor._counter != [version]:
            raise RuntimeError(modified(tensor, version))
    return indices


# Reading and writing x[index]

alias: Operation = op(
    "", "AliasBackward0", lambda self: self[...], view=True, self=lambda grad: grad
)
index_at: Operation = op(
    "",
    "IndexBackward0",
    lambda self, indices: chosen(self, indices),
    self=lambda grad, self_sym_sizes, indices: put_at(
        zeros(self_sym_sizes, grad), unchanged(indices), grad, True
    ),
)
put_at: Operation = op(
    "",
    "IndexPutImplBackward0",
    lambda self, indices, values, accumulate: with_values(self, indices, values, accumulate),
    self=lambda grad, indices, accumulate: without_places(grad, indices, accumulate),
    values=lambda grad, indices: index_at(grad, unchanged(indices)),
)
put_values: Operation = op(
    "",
    "IndexPutBackward0",
    lambda self, indices, values, accumulate: with_values(self, indices, values, accumulate),
    self=lambda grad, indices, accumulate: without_places(grad, indices, accumulate),
    values=lambda grad, indices: index_at(grad, unchanged(indices)),
)


@public("__getitem__", METHOD)
def get_item(input: Tensor, index: Any) -> Any:
    """Return the elements at an index: a view for integers and slices, else a copy.

    Raises:
        IndexError: if there is no such place, or it is no index.
        ValueError: if the step of a slice is not positive.
    """
    if index.__class__ is slice:
        return sliced(input, 0, index, keep=True)
    view, indices = located(input, index)
    if indices:
        check_masks(view._array.shape, indices)
        return index_at(view, indices)
    return alias(view) if view is input else view


def without_ones(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return a shape without the lengths 1 that it begins with."""
    first = next((dim for dim, length in enumerate(shape) if length != 1), len(shape))
    return shape[first:]


def is_filling(indices: Places, given: Tensor) -> bool:
    """Return whether a single element is written to all places that masks choose."""
    return given._array.size == 1 and all(one is None or is_mask(one) for one in indices)


def is_mask(index: Array) -> bool:
    """Return whether an index array is a mask, not one of places."""
    return bool(index.dtype.kind == "b")


def fitting(value: Array, shape: tuple[int, ...], target: str) -> Array:
    """Return a value that can be broadcast to a shape, which messages call that of a `target`.

    Where that is "", the lengths 1 that the value begins with are taken away first.

    Raises:
        RuntimeError: if it cannot be broadcast, with PyTorch's texts.
    """
    if value.shape == shape:
        return value
    if not target:
        value = value.reshape(without_ones(value.shape))
    extra = len(shape) - value.ndim
    wrong = [
        dim for dim, have in enumerate(value.shape, extra) if dim < 0 or have not in (1, shape[dim])
    ]
    if not wrong:
        return value
    if target:
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(value.shape)} cannot be broadcast to "
            f"{target} of shape {list(shape)}"
        )
    if extra < 0:
        raise RuntimeError(
            f"expand({from_array(value).type()}{{{list(value.shape)}}}, size={list(shape)}): the "
            f"number of sizes provided ({len(shape)}) must be greater or equal to the number of "
            f"dimensions in the tensor ({value.ndim})"
        )
    raise RuntimeError(
        f"The expanded size of the tensor ({shape[wrong[-1]]}) must match the existing size "
        f"({value.shape[wrong[-1] - extra]}) at non-singleton dimension {wrong[-1]}.  Target "
        f"sizes: {list(shape)}.  Tensor sizes: {list(value.shape)}"
    )


def located(input: Tensor, index: Any) -> tuple[Tensor, Places]:
    """Apply an index as far as it gives views, and return what is left for a copying operation.

    That has to check masks among it.
    """
    if index.__class__ is int:
        return selected(input, 0, 0, index), ()
    if index.__class__ is slice:
        return sliced(input, 0, index, keep=False), ()
    given = items_of(index)
    items = [as_item(one) for one in given]
    ndim = input._array.ndim
    specified = sum([dims_of_item(one) for one in items])
    if items and specified > ndim:
        raise IndexError(f"too many indices for tensor of dimension {ndim}")
    view, dim = input, 0
    indices: list[Array | None] = []
    covered = 0  # the dimensions of the view that the indices stand for
    for position, item in enumerate(items):
        if isinstance(item, int):
            view = selected(view, dim, position, item)
        elif item is Ellipsis:
            dim += ndim - specified
        elif isinstance(item, slice):
            view = sliced(view, dim, item, keep=False)
            dim += 1
        elif item is None:
            view = unsqueeze(view, dim)
            dim += 1
        else:
            if item.ndim == 0:
                view = unsqueeze(view, dim)
                item = np.zeros(1 if item else 0, np.int64)
            indices += [None] * (dim - covered) + [item]
            dim += dims_of_item(item)
            covered = dim
    text = "too many indices for tensor of dimension {} (got {})"
    check(covered <= view._array.ndim, text, view._array.ndim, covered, error=IndexError)
    return view, taken(indices, given) if indices else ()


def items_of(index: Any) -> Sequence[Any]:
    """Return the parts of an index; a short list that holds more than numbers counts as a tuple."""
    if isinstance(index, tuple):
        return index
    if isinstance(index, (list, str)) and len(index) < 32:
        parts = (Tensor, list, tuple, range, str, slice, type(None), type(...))
        if any(isinstance(one, parts) for one in index):
            warn(LIST_AS_TUPLE)
            return index
    return (index,)


def as_item(item: Any) -> Any:
    """Return one part of an index as int, slice, None, Ellipsis or array; a bool as 0-d array.

    Raises:
        IndexError, TypeError: if it is none of them, with PyTorch's texts.
    """
    if item is None or item is Ellipsis or isinstance(item, slice):
        return item
    if isinstance(item, bool):
        return np.array(item)
    if isinstance(item, (int, np.integer)):
        return int(item)
    if isinstance(item, str):
        raise TypeError("new(): invalid data type 'str'")
    if isinstance(item, (list, tuple, range)):
        array = np.array([one.item() if isinstance(one, Tensor) else one for one in item])
        return array if array.dtype.kind == "b" and array.size else array.astype(np.int64)
    if not isinstance(item, (Tensor, np.ndarray)):
        raise IndexError(NO_INDEX.format(type_name(item)))
    array = item._array if isinstance(item, Tensor) else checked_array(item)
    if isinstance(item, np.ndarray) and array.dtype not in (np.uint8, np.bool_):
        array = array.astype(np.int64)
    whole = array.dtype.kind == "i" and (not array.ndim or array.itemsize >= 4)
    if not whole and array.dtype not in (np.uint8, np.bool_):
        raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    if array.dtype == np.uint8:
        if array.ndim:
            warn(BYTE_MASK)
        return array.astype(np.bool_)
    if array.dtype.kind == "b":
        return array.copy()  # what a node saves of it does not see the mask change
    return array if array.ndim else int(array)


def dims_of_item(item: Any) -> int:
    """Return how many dimensions one part of an index takes up."""
    if item is None or item is Ellipsis:
        return 0
    return item.ndim if isinstance(item, np.ndarray) and is_mask(item) else 1


def selected(input: Tensor, dim: int, position: int, place: int) -> Any:
    """Return a view of one place along `dim`, which an index names in this position."""
    shape = input._array.shape
    if not shape and not place:
        raise IndexError(NO_NUMBER)
    size = shape[dim] if dim < len(shape) else 0  # a second "..." may lead behind the last
    if not -size <= place < size:
        raise IndexError(
            f"index {place} is out of bounds for dimension {position} with size {size}"
        )
    return select_view(input, dim, place)


def sliced(input: Tensor, dim: int, part: slice, keep: bool) -> Any:
    """Return a view of a slice; the tensor itself if that is all of it, unless `keep`."""
    shape = input._array.shape
    if not shape:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    try:
        start = 0 if part.start is None else as_index(part.start)
        end = TO_THE_END if part.stop is None else as_index(part.stop)
        step = 1 if part.step is None else as_index(part.step)
    except TypeError as error:
        if any(isinstance(one, Tensor) for one in (part.start, part.stop, part.step)):
            raise
        text = "slice indices must be integers or None or have an __index__ method"
        raise TypeError(text) from error
    if step < 1:
        raise ValueError("step must be greater than zero" if step else "slice step cannot be zero")
    if not keep and start == 0 and step == 1 and (dim >= len(shape) or end >= shape[dim]):
        return input
    dim = checked_dim(dim, len(shape))
    return slice_view(input, dim, start, end, step)


def check_masks(shape: tuple[int, ...], indices: Sequence[Array | None]) -> None:
    """Refuse a mask that does not have the shape of what it chooses from."""
    dim = 0
    for item in indices:
        if item is None or not is_mask(item):
            dim += 1
            continue
        for place, length in enumerate(item.shape):
            if length != shape[dim]:
                raise IndexError(
                    f"The shape of the mask {list(item.shape)} at index {place} does not match the "
                    f"shape of the indexed tensor {list(shape)} at index {dim}"
                )
            dim += 1


def numpy_index(self: Array, indices: Places) -> tuple[Any, ...]:
    """Return an index of an array as numpy writes it."""
    if not self.size:
        indices = anywhere(self, indices)
    return tuple([slice(None) if one is None else one for one in indices])


def anywhere(self: Array, indices: Places) -> Places:
    """Return indices of an array without elements: all numbers will do, as in PyTorch.

    Raises:
        IndexError: if a place is asked for along a dimension of length 0.
    """
    nothing = any(one is not None and not one.size for one in indices)
    try:
        np.broadcast_shapes(*shapes_of(indices))
    except ValueError:
        raise mismatch(indices) from None
    dim = 0
    for one in indices:
        if not (one is None or is_mask(one) or self.shape[dim] or nothing):
            raise IndexError("index is out of bounds for dimension with size 0")
        dim += dims_of_item(one) or 1
    return firsts(indices)


def firsts(indices: Places) -> Places:
    """Return indices of the same shapes that name the first place along each dimension."""
    return tuple([one if one is None or is_mask(one) else np.zeros_like(one) for one in indices])


def chosen(self: Array, indices: Places) -> Any:
    """Return a copy of the elements at some places.

    Raises:
        IndexError: if there are no such places, with PyTorch's texts.
    """
    try:
        elements = self[numpy_index(self, indices)]
    except IndexError as error:
        raise index_error(error, indices) from None
    arrays = [self, elements, *[one for one in indices if one is not None]]
    if elements.ndim < 2 or all(one.flags.c_contiguous for one in arrays):
        return elements
    return laid_out_by(elements, strides_read(self, indices, elements.ndim))


def strides_read(self: Array, indices: Places, ndim: int) -> list[tuple[int, ...]]:
    """Return by which strides an array and its indices are read along each dimension of a result.

    The dimensions of the indices come where these stand, or first if others stand between them.
    """
    places = [place for place, one in enumerate(indices) if one is not None]
    before = places[0] if places[-1] - places[0] == len(places) - 1 else 0
    kept: list[int] = []
    dim = 0
    for one in indices:
        if one is None:
            kept.append(self.strides[dim])
        dim += dims_of_item(one) or 1
    kept += self.strides[dim:]
    width = ndim - len(kept)
    read = [(*kept[:before], *[0] * width, *kept[before:])]
    for place in places:
        steps = index_strides(np.asarray(indices[place]))
        ahead = before + width - len(steps)
        read.append((*[0] * ahead, *steps, *[0] * (ndim - before - width)))
    return read


def index_strides(index: Array) -> list[int]:
    """Return the strides of an index array, 0 where it is broadcast; of a mask, those of places."""
    if is_mask(index):
        return [8]
    return [step if n > 1 else 0 for step, n in zip(index.strides, index.shape, strict=True)]


def shapes_of(indices: Places) -> list[tuple[int, ...]]:
    """Return the shapes of arrays of places; of a mask, as many as it chooses."""
    given = [one for one in indices if one is not None]
    return [one.nonzero()[0].shape if is_mask(one) else one.shape for one in given]


def mismatch(indices: Places) -> IndexError:
    """Return PyTorch's error for arrays of places that cannot be broadcast."""
    return IndexError(
        "shape mismatch: indexing tensors could not be broadcast together with shapes "
        + ", ".join(str(list(shape)) for shape in shapes_of(indices))
    )


def index_error(error: IndexError, indices: Places) -> IndexError:
    """Return numpy's error in PyTorch's words, which counts indexed dimensions alone."""
    text = str(error)
    if text.startswith("shape mismatch"):
        return mismatch(indices)
    if text.endswith("size 0"):
        return IndexError("index is out of bounds for dimension with size 0")
    before, axis, after = re.split(r"axis (\d+)", text)
    skipped, place = 0, 0
    for one in indices:
        if place >= int(axis):
            break
        skipped += one is None
        place += 1 if one is None else dims_of_item(one)
    return IndexError(f"{before}dimension {int(axis) - skipped}{after}")


def with_values(self: Array, indices: Places, values: Array, accumulate: bool) -> Array:
    """Return a copy with values written, or added, at some places."""
    result = self.copy(order_of(self))
    if not accumulate:
        result[numpy_index(result, indices)] = values
    elif all(one is None or is_mask(one) for one in indices):
        result[numpy_index(result, indices)] += values
    else:
        _add_at(result, numpy_index(result, indices), values)
    return result


def without_places(grad: Any, indices: Places, accumulate: bool) -> Any:
    """Return the gradient of what was there before: none where it was replaced."""
    return grad if accumulate else put_values(grad, unchanged(indices), zeros((), grad), False)


@public("index_put", ALL)
def index_put(
    input: Tensor, indices: Sequence[Any], values: Tensor, accumulate: bool = False
) -> Any:
    """Return a copy with values written, or added if `accumulate`, at the places ``x[indices]``.

    Raises:
        RuntimeError: if the dtypes differ or the values do not fit.
        IndexError: if there are no such places.
    """
    text = "too many indices for tensor of dimension {} (got {})"
    check(len(indices) <= input.ndim, text, input.ndim, len(indices), error=IndexError)
    items = [None if one is None else as_item(one) for one in indices]
    places = taken([np.asarray(one) if isinstance(one, int) else one for one in items], indices)
    count, ndim = sum([dims_of_item(one) or 1 for one in places]), input._array.ndim
    text = "too many indices for tensor of dimension {} (got {})"
    check(count <= ndim, text, ndim, count, error=IndexError)
    check_masks(input._array.shape, places)
    check_values(input, places, values, accumulate)
    return put_values(input, places, values, accumulate)


def check_values(input: Tensor, indices: Places, values: Tensor, accumulate: bool = False) -> Array:
    """Return the values that may be written at some places.

    Raises:
        RuntimeError: if the dtypes differ or the values do not fit.
        IndexError: if there are no such places.
    """
    nowhere = None
    try:
        shape = chosen(input._array, indices).shape
    except IndexError as error:
        nowhere = error  # PyTorch tells first what is wrong with the values.
        shape = chosen(input._array, firsts(indices)).shape
    fitted = values._array
    if accumulate or not is_filling(indices, values):
        fitted = fitting(fitted, shape, "indexing result")
        check_same_dtype(input, values)
    if nowhere:
        raise nowhere
    return fitted


def check_same_dtype(input: Tensor, values: Tensor) -> None:
    """Refuse values of another dtype than what they are written to."""
    if values._array.dtype is not input._array.dtype:
        raise RuntimeError(
            "Index put requires the source and destination dtypes match, got "
            f"{input.dtype.scalar_name} for the destination and {values.dtype.scalar_name} for the "
            "source."
        )
