"""Choosing elements by their places: ``x[...]``, and the functions that gather and scatter.

``x[index]`` takes an index apart from left to right as PyTorch does: integers and slices become
views one after the other, and what is left, tensors of places and masks, is one copying operation.
Source: https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/TensorIndexing.h
"""

# Formulas refer to operations that are declared below them.
# mypy: disable-error-code="has-type"

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from operator import index as as_index
from typing import Any

import numpy as np

from minigrad.autograd.node import Array
from minigrad.autograd.saved import modified
from minigrad.c_code import type_name
from minigrad.data import checked_array
from minigrad.memory import laid_out_as, laid_out_by, order_of
from minigrad.ops.check import check, check_dtypes, length_along, name_of
from minigrad.ops.declare import op
from minigrad.ops.define import define, hidden
from minigrad.ops.pointwise import masked_fill, mul_number, refuse_backward, remainder
from minigrad.ops.registry import Operation, public
from minigrad.ops.shape import (
    TO_THE_END,
    common_shape,
    contiguous_clone,
    expand_as,
    expand_to,
    reshaped,
    select_view,
    slice_view,
    sum_all,
    sum_to,
    unbind,
    unsqueeze,
    view_as_size,
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

TOO_LARGE = "Expected index {1} to be no larger than self {2} apart from dimension {3}"

_add_at: Any = np.add.at

INTEGERS = (np.int64, np.int32)

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
    """Return a value that can be broadcast to a shape, without the lengths 1 that it begins with.

    Raises:
        RuntimeError: if it cannot be broadcast, with PyTorch's texts.
    """
    if value.shape == shape:
        return value
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
    """Apply an index as far as it gives views, and return what is left for a copying operation."""
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
    check_masks(view._array.shape, indices)
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


def index_error(error: IndexError, indices: Places) -> IndexError:
    """Return numpy's error in PyTorch's words, which counts indexed dimensions alone."""
    arrays = [one for one in indices if one is not None]
    text = str(error)
    if text.startswith("shape mismatch"):
        shapes = [one.nonzero()[0].shape if is_mask(one) else one.shape for one in arrays]
        return IndexError(
            "shape mismatch: indexing tensors could not be broadcast together with shapes "
            + ", ".join(str(list(shape)) for shape in shapes)
        )
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
    fitted = fitting(values._array, shape, "indexing result")
    if accumulate or not is_filling(indices, values):
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


# Gathering and scattering along a dimension


def checked_places(name: str, self: Array, dim: int, index: Array, text: str) -> int:
    """Return the dimension, if all indices are places along it; `text` is for other dimensions.

    Raises:
        IndexError, RuntimeError: if there is no such dimension or place, or `index` does not fit.
    """
    dim = checked_dim(dim, self.ndim)
    fits = index.dtype in INTEGERS or not index.size
    check(fits, "{}(): Expected dtype int32/int64 for index", name)
    fits = max(index.ndim, 1) == max(self.ndim, 1)
    who = "input" if name == "gather" else "self"
    check(fits, "Index tensor must have the same number of dimensions as {} tensor", who)
    for place, length in enumerate(index.shape if self.ndim else ()):
        fits = place == dim or length <= self.shape[place]
        check(fits, text, place, list(index.shape), list(self.shape), dim)
    check_bounds(self, dim, index)
    return dim


def check_bounds(
    self: Array,
    dim: int,
    index: Array,
    error: type[Exception] = RuntimeError,
    text: str = "index {} is out of bounds for dimension {} with size {}",
    least: int = 0,
) -> None:
    """Refuse indices that are no places along a dimension."""
    length = length_along(self.shape, dim)
    wrong = index[(index < least) | (index >= length)]
    check(not wrong.size, text, *wrong.flat[:1], dim, length, error=error)


def check_ndim(index: Array, src: Array) -> None:
    """Refuse a source that has more dimensions than its index."""
    fits = src.ndim <= max(index.ndim, 1)
    check(fits, "Index tensor must have the same number of dimensions as src tensor")


def too_large(src: Array) -> str:
    """Return what is wrong with an index that is larger than a source, or than what it is for."""
    return f"{TOO_LARGE} and to be no larger size than src {list(src.shape)}"


def check_source(name: str, self: Array, dim: int, index: Array, src: Array) -> None:
    """Refuse a source that has too few dimensions or elements, or another dtype."""
    if src.ndim < index.ndim:
        checked_dim(src.ndim, src.ndim)
    for place, (length, have) in enumerate(zip(index.shape, src.shape, strict=False)):
        shapes = list(index.shape), list(self.shape)
        check(length <= have, too_large(src), place, *shapes, dim)
    check(src.dtype is self.dtype, "{}(): Expected self.dtype to be equal to src.dtype", name)


def grid(ndim: int, dim: int, index: Array) -> tuple[Any, ...]:
    """Return numpy's index of the places that `index` means along a dimension."""
    if ndim == 0:
        return ()
    places: list[Array] = list(np.ogrid[tuple([slice(n) for n in index.shape])]) or [index]
    places[dim] = index.astype(np.int64, copy=False)  # of another dtype are none at all
    return tuple(places)


def part_of(source: Any, index: Array) -> Any:
    """Return those elements of a source, or the number, that have an index."""
    return source[tuple([slice(n) for n in index.shape])] if np.ndim(source) else source


def scattered(self: Array, dim: int, index: Array, src: Any) -> Array:
    """Return a copy with values, or a number, written along a dimension."""
    result = np.array(self, order="C")
    result[grid(self.ndim, dim, index)] = part_of(src, index)
    return result


scatter_source = hidden(
    "ScatterBackward0",
    scattered,
    self=lambda grad, dim, index: scatter_number(grad, dim, index, 0),
    src=lambda grad, dim, index: gather(grad, dim, index),
)
scatter_number = hidden(
    "ScatterBackward1",
    lambda self, dim, index, value: scattered(self, dim, index, value),
    self=lambda grad, dim, index: scatter_number(grad, dim, index, 0),
)


@define(
    "GatherBackward0",
    self=lambda grad, self, dim, index: scatter_add(zeros(self.shape, grad), dim, index, grad),
)
def gather(self: Array, dim: int, index: Array, *, sparse_grad: bool = False) -> Any:
    """Return ``input[i][index[i][j]]`` for ``dim=1``, and so on: one element for each of `index`.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if an index is out of bounds, or `index` has another number of dimensions, is
            longer than `input` along another one, or is not integer.
    """
    text = (
        "Size does not match at dimension {} expected index {} to be no larger than self {} apart "
        "from dimension {}"
    )
    dim = checked_places("gather", self, dim, index, text)
    if not self.ndim:
        return np.full(index.shape, self)
    return self[grid(self.ndim, dim, index)].reshape(index.shape)


def combined(self: Array, dim: int, index: Array, src: Any, reduce: str) -> Array:
    """Return a copy in which elements of a source, or a number, are added or multiplied."""
    result = np.atleast_1d(np.array(self, order="C"))
    values = part_of(src, index) if isinstance(src, np.ndarray) else src
    combine = np.add if reduce == "add" else np.multiply
    places = grid(self.ndim, dim, index) or (np.zeros(index.shape, np.int64),)
    combine.at(result, places, np.asarray(values).astype(self.dtype))
    return result.reshape(self.shape)


combine_number = hidden("NotImplemented", combined, self=lambda grad: refuse_backward("scatter"))
combine_source = hidden(
    "NotImplemented",
    combined,
    self=lambda grad: refuse_backward("scatter"),
    src=lambda grad: refuse_backward("scatter"),
)


@public("scatter", ALL)
def scatter(
    input: Tensor,
    dim: int,
    index: Tensor,
    src: Any = None,
    *,
    value: Any = None,
    reduce: str | None = None,
) -> Any:
    """Return a copy with elements of `src`, or a number, written where `gather` would read.

    With `reduce`, ``"add"`` or ``"multiply"``, what was there is kept and combined with them; that
    is not differentiated, as `scatter_add` and `scatter_reduce` are.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if an index is out of bounds, or shapes or dtypes do not fit.
        TypeError: if there is neither `src` nor `value`.
    """
    source = value if src is None else src
    if source is None:
        raise TypeError("scatter(): there is neither src nor value")
    if reduce is not None and isinstance(source, Tensor):
        warn(
            "The reduce argument of torch.scatter with Tensor src is deprecated and will be "
            "removed in a future PyTorch release. Use torch.scatter_reduce instead for more "
            "reduction options."
        )
    known = reduce in (None, "add", "multiply")
    check(known, "reduce argument must be either add or multiply.")
    if isinstance(source, Tensor):
        check_ndim(index._array, source._array)
    text = too_large(source._array) if isinstance(source, Tensor) else TOO_LARGE
    dim = checked_places("scatter", input._array, dim, index._array, text)
    if not isinstance(source, Tensor):
        if reduce:
            return combine_number(input, dim, index, source, reduce)
        return scatter_number(input, dim, index, source)
    check_source("scatter", input._array, dim, index._array, source._array)
    if reduce:
        return combine_source(input, dim, index, source, reduce)
    return scatter_source(input, dim, index, source)


@define(
    "ScatterAddBackward0",
    ALL,
    self=lambda grad: grad,
    src=lambda grad, dim, index: gather(grad, dim, index),
)
def scatter_add(self: Array, dim: int, index: Array, src: Array) -> Any:
    """Return a copy with elements of `src` added where `gather` would read; raises as `scatter`."""
    check_ndim(index, src)
    dim = checked_places("scatter", self, dim, index, too_large(src))
    check_source("scatter", self, dim, index, src)
    result = np.array(self, order="C")
    values = part_of(src, index).reshape(index.shape if self.ndim else ())
    _add_at(result, grid(self.ndim, dim, index), values)
    return result


@public("take_along_dim")
def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Any:
    """Return the elements that `argsort` or `argmax` along `dim` pointed at.

    Raises as `gather`, unless `dim` is given: then indices are taken by the remainder, and other
    dimensions are broadcast.
    """
    text = "torch.take_along_dim(): dtype of indices should be Long but got {}"
    check(indices._array.dtype == np.int64, text, indices.dtype.scalar_name)
    if dim is None:
        return gather(view_as_size(input, (-1,)), 0, view_as_size(indices, (-1,)))
    dim = checked_dim(dim, input._array.ndim)
    text = (
        "torch.take_along_dim(): input and indices should have the same number of dimensions, but "
        "got {} dimensions for input, and {} dimensions for indices"
    )
    check(input.ndim == indices.ndim, text, input.ndim, indices.ndim)
    nowhere = "Dimension specified as {} but tensor has no dimensions"
    check(input.ndim, nowhere, dim, error=IndexError)
    shapes = [list(input._array.shape), list(indices._array.shape)]
    lengths = [shape[dim] for shape in shapes]
    shapes[0][dim] = shapes[1][dim] = 1
    common = common_shape(*shapes)
    sizes = [(*common[:dim], length, *common[dim + 1 :]) for length in lengths]
    places = remainder(indices, lengths[0]) if indices.numel() else indices
    return gather(expand_to(input, sizes[0]), dim, expand_to(places, sizes[1]))


# Whole places along a dimension


def at(dim: int, index: Array) -> tuple[Any, ...]:
    """Return numpy's index of whole places along a dimension."""
    return (slice(None),) * dim + (index.reshape(-1),)


def times(grad: Any, factor: Any) -> Any:
    """Return a gradient times a number, unless that is 1."""
    return grad if factor == 1 else mul_number(grad, factor)


@define(
    "IndexSelectBackward0",
    self=lambda grad, self_sym_sizes, dim, index: index_add(
        zeros(self_sym_sizes, grad), dim, index, grad
    ),
)
def index_select(self: Array, dim: int, index: Array) -> Any:
    """Return a copy of the places in `index`, a vector, along a dimension.

    Raises:
        IndexError: if there is no such dimension or place, or `index` is no vector.
        RuntimeError: if it is not integer.
    """
    dim = checked_dim(dim, self.ndim)
    text = "index_select(): Index is supposed to be a vector"
    check(index.ndim <= 1, text, error=IndexError)
    fits = index.dtype in INTEGERS
    check(fits, "index_select(): Expected dtype int32 or int64 for index")
    text = "index_select(): Index to scalar can have only 1 value, got {} value(s)"
    check(self.ndim or index.size == 1, text, index.size)
    check_bounds(self, dim, index, IndexError, "index out of range in self")
    return self.take(index.reshape(-1), dim) if self.ndim else self.copy()


@define(
    "IndexAddBackward0",
    ALL,
    self=lambda grad: grad,
    source=lambda grad, source, dim, index, alpha: times(
        expand_as_recorded(index_select(grad, dim, index), source), alpha
    ),
)
def index_add(self: Array, dim: int, index: Array, source: Array, *, alpha: Any = 1) -> Any:
    """Return a copy with ``alpha * source`` added to the places in `index` along a dimension.

    Raises:
        IndexError: if there is no such dimension, or `index` is no vector.
        RuntimeError: if there is no such place, or `source` does not fit.
    """
    dim = checked_dim(dim, self.ndim)
    found, name = length_along(source.shape, dim), name_of(index)
    text = (
        "index_add_(): Index is supposed to be a vector, but got dim: {} with type: {} and size: {}"
    )
    check(index.ndim <= 1, text, index.ndim, name, list(index.shape), error=IndexError)
    text = "index_add_(): Expected dtype int32/int64 for index but got: {}"
    check(index.dtype in INTEGERS, text, name)
    text = "index_add_(): self ({}) and source ({}) must have the same scalar type"
    check_dtypes(text, self, source)
    text = (
        "index_add_(): Number of indices ({}) should be equal to source.size(dim): ({}), for dim: "
        "{}"
    )
    no_dimension = f"Dimension specified as {dim} but tensor has no dimensions"
    check(source.ndim or index.size == 1, no_dimension, error=IndexError)
    check(index.size == found, text, index.size, found, dim)
    shapes = [[*one.shape[:dim], *one.shape[dim + 1 :]] for one in (self, source)]
    text = (
        "source tensor shape must match self tensor shape, excluding the specified dimension. Got "
        "self.shape = {} source.shape = {}"
    )
    check(shapes[0] == shapes[1], text, list(self.shape), list(source.shape))
    if self.ndim <= 1:
        check_bounds(self, dim, index, IndexError, "index out of range in self")
    check_bounds(self, dim, index)
    result = np.atleast_1d(self.copy())
    _add_at(result, at(dim, index), np.atleast_1d(source * np.array(alpha).astype(source.dtype)))
    return result.reshape(self.shape)


def expand_as_recorded(grad: Any, source: Any) -> Any:
    """Return the gradient of a source, which may have had the selected dimension alone."""
    return expand_as(grad, source) if isinstance(grad, Tensor) and source.ndim else grad


def filled_at(self: Array, dim: int, index: Array, value: Any) -> Array:
    """Return a copy with one value at places along a dimension."""
    dim = checked_dim(dim, self.ndim)
    text = "index_fill_(): Expected dtype int64 for index."
    check(index.dtype == np.int64, text, error=IndexError)
    check(index.ndim <= 1, "Index has to be a vector/scalar")
    text = "index {} is out of bounds for dimension {} with size {}"
    check_bounds(self, dim, index, IndexError, text, -length_along(self.shape, dim))
    result = np.atleast_1d(self.copy(order_of(self)))
    result[at(dim, index)] = value
    return result.reshape(self.shape)


fill_places_with_number = hidden(
    "IndexFillBackward0", filled_at, self=lambda grad, dim, index: index_fill(grad, dim, index, 0)
)
fill_places_with_tensor = hidden(
    "IndexFillBackward1",
    filled_at,
    self=lambda grad, dim, index: index_fill(grad, dim, index, 0),
    value=lambda grad, dim, index: sum_all(index_select(grad, dim, once(index)), None),
)


def once(index: Any) -> Any:
    """Return indices, a tensor or an array, each a single time."""
    if isinstance(index, Tensor):
        return from_array(np.unique(index._array))
    return np.unique(index)


@public("index_fill", ALL)
def index_fill(input: Any, dim: int, index: Any, value: Any) -> Any:
    """Return a copy with `value`, a number or 0-d tensor, at places along a dimension.

    Raises:
        IndexError: if there is no such dimension or place, or `index` is not int64.
        RuntimeError: if `index` is no vector, or `value` has dimensions.
    """
    if not isinstance(value, Tensor):
        return fill_places_with_number(input, dim, index, value)
    text = (
        "index_fill_ only supports a 0-dimensional value tensor, but got tensor with {} "
        "dimension(s)."
    )
    check(not value.ndim, text, value.ndim)
    return fill_places_with_tensor(input, dim, index, value)


@define(
    "IndexCopyBackward0",
    ALL,
    self=lambda grad, dim, index: index_fill(grad, dim, index, 0),
    source=lambda grad, source, dim, index: expand_as_recorded(
        index_select(grad, dim, index), source
    ),
)
def index_copy(self: Array, dim: int, index: Array, source: Array) -> Any:
    """Return a copy with the places of `source` written to those in `index` along a dimension.

    Raises:
        IndexError: if there is no such dimension or place, or not as many places.
        RuntimeError: if `source` does not fit, or `index` is not int64.
    """
    dim = checked_dim(dim, self.ndim)
    text = "index_copy_(): Index should have dimension 1 or 0 (got {})"
    check(index.ndim <= 1, text, index.ndim, error=IndexError)
    text = "index_copy_(): Expected a long tensor for index, but got {}"
    check(index.dtype == np.int64, text, name_of(index))
    text = (
        "index_copy_(): self and source expected to have the same dtype, but got (self) {} and "
        "(source) {}"
    )
    check_dtypes(text, self, source)
    shapes = [[*one.shape[:dim], *one.shape[dim + 1 :]] for one in (self, source)]
    text = (
        "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice "
        "shape: {} at dimension {} and source slice shape: {} at dimension 0."
    )
    slices = [" ".join(map(str, shape)) for shape in shapes]
    check(shapes[0] == shapes[1], text, slices[0], dim, slices[1])
    found = length_along(source.shape, dim)
    text = "index_copy_(): When source is scalar, index should have one element (got {})"
    check(source.ndim or index.size == 1, text, index.size, error=IndexError)
    text = "index_copy_(): Number of indices ({}) should be equal to source.size(dim) ({})"
    check(index.size == found, text, index.size, found, error=IndexError)
    text = "index_copy_(): index {} is out of bounds for dimension {} with size {}"
    check_bounds(self, dim, index, IndexError, text)
    result = np.atleast_1d(self.copy())
    result[at(dim, index)] = source
    return result.reshape(self.shape)


@public("repeat_interleave", "function")
def repeat_interleave(
    input: Any = None,
    repeats: Any = None,
    dim: int | None = None,
    *,
    output_size: int | None = None,
) -> Any:
    """Repeat each place along a dimension, as often as the number or tensor `repeats` says.

    Without `dim`, repeat the elements as if they were in one line. Of a vector alone, return each
    of its places as often as it says.

    Raises:
        RuntimeError: if `repeats` is negative or there are not as many as places, or `output_size`
            are not so many as there will be.
    """
    if input is not None and repeats is not None:
        return repeated(input, repeats, dim, output_size=output_size)
    times = repeats if input is None else input
    check(times.ndim == 1, "repeat_interleave only accept 1D vector as repeat")
    return repeated(from_array(np.arange(len(times))), times, 0, output_size=output_size)


@public("repeat_interleave", METHOD)
def repeated(
    input: Tensor, repeats: Any, dim: int | None = None, *, output_size: int | None = None
) -> Any:
    """Repeat each place along a dimension, as often as the number or tensor `repeats` says.

    Without `dim`, repeat the elements as if they were in one line.

    Raises:
        RuntimeError: if `repeats` is negative or there are not as many as places, or `output_size`
            are not so many as there will be.
    """
    if dim is None:
        flat = input if input.ndim == 1 else reshaped(input, (-1,))
        return repeated(flat, repeats, 0, output_size=output_size)
    dim = checked_dim(dim, input._array.ndim)
    shape = input._array.shape
    if not isinstance(repeats, Tensor):
        check(repeats >= 0, "Repeats must be non-negative")
        apart = expand_to(
            unsqueeze(input, dim + 1), (*shape[: dim + 1], repeats, *shape[dim + 1 :])
        )
        length = shape[dim] * repeats
        text = "repeat_interleave: Invalid output_size, expected {} but got {}"
        check(output_size in (None, length), text, length, output_size)
        size = (*shape[:dim], length, *shape[dim + 1 :])
        return view_as_size(contiguous_clone(apart), size)
    counts = repeats._array
    kernel = "\"{}\" not implemented for '{}'"
    fits, kind = counts.dtype in INTEGERS, name_of(counts)
    check(fits, kernel, "repeat_interleave_cpu", kind, error=NotImplementedError)
    check(counts.ndim <= 1, "repeats must be 0-dim or 1-dim tensor")
    text = (
        "repeats must have the same size as input along dim, but got repeats.size(0) = {} and "
        "input.size({}) = {}"
    )
    check(counts.size in (1, shape[dim]), text, counts.size, dim, shape[dim])
    check((counts >= 0).all(), "repeats can not be negative")
    places = np.repeat(np.arange(shape[dim]), counts.reshape(-1))
    fits = output_size in (None, places.size)
    check(fits, "allocated size does not match required size")
    return index_select(input, dim, from_array(places))


# Elements in one line, and masks


def check_line(self: Array, index: Array, name: str) -> None:
    """Refuse indices that are no places of the array seen as one line."""
    text = "{}(): Expected a long tensor for index, but got {}"
    check(index.dtype == np.int64, text, name, name_of(index))
    text = "tried to take from" if name == "take" else "Tried to put elements into"
    fits = self.size or not index.size
    check(fits, "{}(): {} an empty tensor", name, text, error=IndexError)
    wrong = index[(index < -self.size) | (index >= self.size)]
    text = "out of range: tried to access index {} on a tensor of {} elements."
    check(not wrong.size, text, *wrong.flat[:1], self.size, error=IndexError)


@define(
    "TakeBackward0",
    self=lambda grad, self, index: put(zeros(self.shape, grad), index, grad, True),
)
def take(self: Array, index: Array) -> Any:
    """Return the elements at places of the tensor seen as one line, in the shape of `index`.

    Raises:
        IndexError: if there is no such place.
        RuntimeError: if `index` is not int64.
    """
    check_line(self, index, "take")
    return self.take(index)


@define(
    "PutBackward0",
    ALL,
    self=lambda grad, index, source, accumulate: (
        grad if accumulate else put(grad, index, zeros(source.shape, grad), False)
    ),
    source=lambda grad, source_sym_sizes, index: reshaped(take(grad, index), source_sym_sizes),
)
def put(self: Array, index: Array, source: Array, accumulate: bool = False) -> Any:
    """Return a copy with elements written, or added, at places of the tensor seen as one line.

    Raises:
        IndexError: if there is no such place, or `source` has not as many elements.
        RuntimeError: if `index` is not int64, or the dtypes differ.
    """
    text = (
        "put_(): self and source expected to have the same dtype, but got self.dtype = {} and "
        "source.dtype = {}"
    )
    check_dtypes(text, self, source)
    text = (
        "put_(): Expected source and index to have the same number of elements, but got "
        "source.numel() = {}, index.numel() = {}"
    )
    check(source.size == index.size, text, source.size, index.size, error=IndexError)
    check_line(self, index, "put_")
    line = self.flatten()
    values = source.reshape(index.shape)
    if accumulate:
        _add_at(line, index, values)
    else:
        line[index] = values
    return laid_out_as(line.reshape(self.shape), self)


@define(
    "MaskedSelectBackward0",
    self=lambda grad, self, mask: sum_to(
        masked_scatter(zeros(np.broadcast_shapes(self.shape, mask.shape), grad), mask, grad),
        self.shape,
    ),
)
def masked_select(self: Array, mask: Array) -> Any:
    """Return a vector of the elements where `mask`, which is broadcast, holds.

    Raises:
        RuntimeError: if the mask is not boolean or cannot be broadcast.
    """
    check(is_mask(mask), "masked_select: expected BoolTensor for mask")
    shape = common_shape(mask.shape, self.shape)
    return np.broadcast_to(self, shape)[np.broadcast_to(mask, shape)]


@define(
    "MaskedScatterBackward0",
    ALL,
    self=lambda grad, mask: masked_fill(grad, mask, 0),
    source=lambda grad, source_sym_sizes, mask: masked_scatter_backward(
        grad, mask, source_sym_sizes
    ),
)
def masked_scatter(self: Array, mask: Array, source: Array) -> Any:
    """Return a copy with the elements of `source`, one after the other, where `mask` holds.

    Raises:
        RuntimeError: if the mask is not boolean or cannot be broadcast, or the dtypes differ, or
            `source` has too few elements.
    """
    text = "masked_scatter: expected self and source to have same dtypes but got{} and {}"
    check_dtypes(text, self, source)
    if mask.dtype == np.uint8:
        warn(
            "masked_scatter_ received a mask with dtype torch.uint8, this behavior is now "
            "deprecated,please use a mask with dtype torch.bool instead."
        )
    text = "masked_scatter_ only supports boolean masks, but got mask with dtype {}"
    check(is_mask(mask), text, name_of(mask))
    shape = common_shape(mask.shape, self.shape)
    result, places = np.broadcast_to(self, shape).copy(), np.broadcast_to(mask, shape)
    count = int(places.sum())
    check(source.size >= count, "Number of elements of source < number of ones in mask")
    result[places] = source.reshape(-1)[:count]
    return result


def taken_in_order(grad_output: Array, mask: Array, sizes: tuple[int, ...]) -> Array:
    """Return what a mask takes as the first elements of zeros of a shape."""
    line = np.zeros(math.prod(sizes), grad_output.dtype)
    taken = grad_output[np.broadcast_to(mask, grad_output.shape)]
    line[: taken.size] = taken
    return line.reshape(sizes)


masked_scatter_backward = hidden(
    "MaskedScatterBackwardBackward0",
    taken_in_order,
    grad_output=lambda grad, grad_output_sym_sizes, mask: masked_scatter(
        zeros(grad_output_sym_sizes, grad), mask, grad
    ),
)


@define("")
def argwhere(self: Array) -> Any:
    """Return the indices of the elements that are not zero: a row for each of them."""
    return np.argwhere(self)


@public("nonzero")
def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """Return the indices of the elements that are not zero: a row for each of them.

    With `as_tuple`, a vector for each dimension.
    """
    if not as_tuple:
        return argwhere(input)
    return unbind(argwhere(input if input.ndim else unsqueeze(input, 0)), 1)
