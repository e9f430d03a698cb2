"""Choosing elements by their places: ``x[...]``, and the functions that gather and scatter.

``x[index]`` takes an index apart from left to right as PyTorch does: integers and slices become
views one after the other, and what is left, tensors of places and masks, is one copying operation.
Source: https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/TensorIndexing.h
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from operator import index as as_index
from typing import Any

import numpy as np

from minigrad.autograd.grad_mode import state
from minigrad.autograd.node import Array, quiet_copy
from minigrad.ops.declare import op
from minigrad.ops.pointwise import mul_number
from minigrad.ops.promotion import as_operand, broadcasting_error
from minigrad.ops.registry import Operation, public
from minigrad.ops.shape import (
    TO_THE_END,
    contiguous_clone,
    expand_as,
    expand_to,
    reshaped,
    select_view,
    slice_view,
    sum_to,
    unsqueeze,
    view_as_size,
    zeros,
)
from minigrad.size import checked_dim
from minigrad.tensor import Tensor, from_array

FUNCTION = "function"
METHOD = "method"

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


# Reading and writing x[index]

alias: Operation = op(
    "", "AliasBackward0", lambda self: self[...], view=True, self=lambda grad: grad
)
index_at: Operation = op(
    "",
    "IndexBackward0",
    lambda self, indices: chosen(self, indices),
    self=lambda grad, self_sym_sizes, indices: put_at(
        zeros(self_sym_sizes, grad), indices, grad, True
    ),
)
put_at: Operation = op(
    "",
    "IndexPutImplBackward0",
    lambda self, indices, values, accumulate: with_values(self, indices, values, accumulate),
    self=lambda grad, indices, accumulate: without_places(grad, indices, accumulate),
    values=lambda grad, indices: index_at(grad, indices),
)
put: Operation = op(
    "",
    "IndexPutBackward0",
    lambda self, indices, values, accumulate: with_values(self, indices, values, accumulate),
    self=lambda grad, indices, accumulate: without_places(grad, indices, accumulate),
    values=lambda grad, indices: index_at(grad, indices),
)


@public("__getitem__", METHOD)
def get_item(input: Tensor, index: Any) -> Any:
    """Return the elements at an index: a view for integers and slices, else a copy.

    Raises:
        IndexError: if there is no such place, or it is no index.
        ValueError: if the step of a slice is not positive.
    """
    if index.__class__ is int:
        return selected(input, 0, 0, index)
    if index.__class__ is slice:
        return sliced(input, 0, index, keep=True)
    view, indices = located(input, index)
    if indices:
        return index_at(view, indices)
    return alias(view) if view is input else view


@public("__setitem__", METHOD)
def set_item(input: Tensor, index: Any, value: Any) -> None:
    """Write elements at an index; `value` is a number or a tensor that fits there.

    Raises:
        RuntimeError: if the value does not fit, or autograd cannot follow.
        IndexError, TypeError: if it is no index or no value.
        NotImplementedError: if it would have to be recorded.
    """
    if not isinstance(value, (Tensor, int, float, np.number, np.bool_)):
        raise TypeError(f"can't assign a {type(value).__name__} to a {input.type()}")
    view, indices = located(input, index)
    (alias(input) if view is input and not indices else view)._check_in_place()
    if state.grad_enabled and (view._requires_grad or getattr(value, "_requires_grad", False)):
        raise NotImplementedError("in-place operations on views are not recorded yet")
    given = as_operand(value, input)
    target = view._array
    if indices:
        filled = given._array.size == 1 and all(one is None or is_mask(one) for one in indices)
        if given._number is None and not filled:
            check_same_dtype(input, given)
        where = numpy_index(indices)
        written = fitting(given._array, chosen(target, indices).shape, "indexing result")
        quiet_copy().run(target.__setitem__, where, written)
    else:
        written = fitting(given._array, target.shape, "")
        quiet_copy().run(np.copyto, target, written, "unsafe")
    input._counter[0] += 1


def is_mask(index: Array) -> bool:
    """Return whether an index array is a mask, not one of places."""
    return bool(index.dtype.kind == "b")


def fitting(value: Array, shape: tuple[int, ...], target: str) -> Array:
    """Return a value that can be broadcast to a shape, without the ones in front that are too many.

    Raises:
        RuntimeError: if it cannot be broadcast, with PyTorch's texts.
    """
    while value.ndim > len(shape) and value.shape[0] == 1:
        value = value[0]
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
    items = [as_item(one) for one in items_of(index)]
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
    check_masks(view._array.shape, indices)
    return view, tuple(indices)


def items_of(index: Any) -> Sequence[Any]:
    """Return the parts of an index; a short list that holds more than numbers counts as a tuple."""
    if isinstance(index, tuple):
        return index
    if isinstance(index, (list, str)) and len(index) < 32:
        parts = (Tensor, list, tuple, range, str, slice, type(None), type(...))
        if any(isinstance(one, parts) for one in index):
            warnings.warn(LIST_AS_TUPLE, UserWarning, stacklevel=4)
            return index
    return (index,)


def as_item(item: Any) -> Any:
    """Return one part of an index as int, slice, None, Ellipsis or array; a bool as 0-d array.

    Raises:
        IndexError, TypeError: if it is none of them, with PyTorch's texts.
    """
    if item is None or item is Ellipsis or isinstance(item, slice):
        return item
    if isinstance(item, (bool, np.bool_)):
        return np.array(item)
    if isinstance(item, (int, np.integer)):
        return int(item)
    if isinstance(item, str):
        raise TypeError("new(): invalid data type 'str'")
    if isinstance(item, (list, tuple, range)):
        array = np.array([one.item() if isinstance(one, Tensor) else one for one in item])
        return array if array.dtype.kind == "b" and array.size else array.astype(np.int64)
    if not isinstance(item, (Tensor, np.ndarray)):
        raise IndexError(NO_INDEX.format(type(item).__name__))
    array = item._array if isinstance(item, Tensor) else item
    if array.dtype not in (np.int64, np.int32, np.uint8, np.bool_):
        raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    if array.dtype == np.uint8:
        warnings.warn(BYTE_MASK, UserWarning, stacklevel=5)
        return array.astype(np.bool_)
    return array if array.ndim or array.dtype.kind == "b" else int(array)


def dims_of_item(item: Any) -> int:
    """Return how many dimensions one part of an index takes up."""
    if item is None or item is Ellipsis:
        return 0
    return item.ndim if isinstance(item, np.ndarray) and is_mask(item) else 1


def selected(input: Tensor, dim: int, position: int, place: int) -> Any:
    """Return a view of one place along `dim`, which an index names in this position."""
    shape = input._array.shape
    if not shape:
        raise IndexError(NO_NUMBER)
    if not -shape[dim] <= place < shape[dim]:
        raise IndexError(
            f"index {place} is out of bounds for dimension {position} with size {shape[dim]}"
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
    except TypeError:
        raise TypeError(
            "slice indices must be integers or None or have an __index__ method"
        ) from None
    if step < 1:
        raise ValueError("step must be greater than zero" if step else "slice step cannot be zero")
    if not keep and start == 0 and step == 1 and end >= shape[dim]:
        return input
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


def numpy_index(indices: Places) -> tuple[Any, ...]:
    """Return an index as numpy writes it."""
    return tuple([slice(None) if one is None else one for one in indices])


def chosen(self: Array, indices: Places) -> Any:
    """Return a copy of the elements at some places.

    Raises:
        IndexError: if there are no such places, with PyTorch's texts.
    """
    try:
        return self[numpy_index(indices)]
    except IndexError as error:
        raise index_error(error, indices) from None


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
    result = self.copy()
    if not accumulate:
        result[numpy_index(indices)] = values
    elif all(one is None or is_mask(one) for one in indices):
        result[numpy_index(indices)] += values
    else:
        _add_at(result, numpy_index(indices), values)
    return result


def without_places(grad: Any, indices: Places, accumulate: bool) -> Any:
    """Return the gradient of what was there before: none where it was replaced."""
    return grad if accumulate else put(grad, indices, zeros((), grad), False)


@public("index_put")
def index_put(
    input: Tensor, indices: Sequence[Tensor | None], values: Tensor, accumulate: bool = False
) -> Any:
    """Return a copy with values written, or added if `accumulate`, at the places ``x[indices]``.

    Raises:
        RuntimeError: if the dtypes differ or the values do not fit.
        IndexError: if there are no such places.
    """
    places = tuple([None if one is None else as_item(one) for one in indices])
    wanted = chosen(input._array, places).shape
    fitting(values._array, wanted, "indexing result")
    check_same_dtype(input, values)
    return put(input, places, values, accumulate)


def check_same_dtype(input: Tensor, values: Tensor) -> None:
    """Refuse values of another dtype than what they are written to."""
    if values._array.dtype is not input._array.dtype:
        raise RuntimeError(
            "Index put requires the source and destination dtypes match, got "
            f"{input.dtype.scalar_name} for the destination and {values.dtype.scalar_name} for the "
            "source."
        )


# Gathering and scattering along a dimension

gather_along: Operation = op(
    "",
    "GatherBackward0",
    lambda self, dim, index: self[grid(self.ndim, dim, index)].reshape(index.shape),
    self=lambda grad, self_sym_sizes, dim, index: scatter_adding(
        zeros(self_sym_sizes, grad), dim, index, grad
    ),
)
scatter_source: Operation = op(
    "",
    "ScatterBackward0",
    lambda self, dim, index, src: scattered(self, dim, index, part_of(src, index)),
    self=lambda grad, dim, index: scatter_number(grad, dim, index, 0),
    src=lambda grad, dim, index: gather_along(grad, dim, index),
)
scatter_number: Operation = op(
    "",
    "ScatterBackward1",
    lambda self, dim, index, value: scattered(self, dim, index, value),
    self=lambda grad, dim, index: scatter_number(grad, dim, index, 0),
)
scatter_adding: Operation = op(
    "",
    "ScatterAddBackward0",
    lambda self, dim, index, src: scatter_added(self, dim, index, part_of(src, index)),
    self=lambda grad: grad,
    src=lambda grad, dim, index: gather_along(grad, dim, index),
)


@public("gather")
def gather(input: Tensor, dim: int, index: Tensor, *, sparse_grad: bool = False) -> Any:
    """Return ``input[i][index[i][j]]`` for ``dim=1``, and so on: one element for each of `index`.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if an index is out of bounds, or `index` has another number of dimensions, is
            longer than `input` along another one, or is not integer.
    """
    dim = checked_dim(dim, input._array.ndim)
    if index._array.dtype not in (np.int64, np.int32):
        raise RuntimeError("gather(): Expected dtype int32/int64 for index")
    if max(index.ndim, 1) != max(input.ndim, 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    for place, length in enumerate(index._array.shape if input.ndim else ()):
        if place != dim and length > input._array.shape[place]:
            raise RuntimeError(
                f"Size does not match at dimension {place} expected index {list(index.shape)} to "
                f"be no larger than self {list(input.shape)} apart from dimension {dim}"
            )
    check_bounds(input, dim, index, RuntimeError)
    return gather_along(input, dim, index)


@public("scatter")
def scatter(input: Tensor, dim: int, index: Tensor, src: Any = None, *, value: Any = None) -> Any:
    """Return a copy with elements of `src`, or a number, written where `gather` would read.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if an index is out of bounds, or shapes or dtypes do not fit.
    """
    source = value if src is None else src
    dim = checked_scatter(input, dim, index, source)
    if not isinstance(source, Tensor):
        return scatter_number(input, dim, index, source)
    if source._array.dtype is not input._array.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    return scatter_source(input, dim, index, source)


@public("scatter_add")
def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> Any:
    """Return a copy with elements of `src` added where `gather` would read; raises as `scatter`."""
    dim = checked_scatter(input, dim, index, src)
    if src._array.dtype is not input._array.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    return scatter_adding(input, dim, index, src)


def checked_scatter(input: Tensor, dim: int, index: Tensor, source: Any) -> int:
    """Return the dimension along which to scatter, if all fits."""
    dim = checked_dim(dim, input._array.ndim)
    if index._array.dtype not in (np.int64, np.int32):
        raise RuntimeError("scatter(): Expected dtype int32/int64 for index")
    if max(index.ndim, 1) != max(input.ndim, 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as self tensor")
    for place, length in enumerate(index._array.shape if input.ndim else ()):
        if place != dim and length > input._array.shape[place]:
            raise RuntimeError(
                f"Expected index {list(index.shape)} to be no larger than self "
                f"{list(input.shape)} apart from dimension {dim}"
            )
    if isinstance(source, Tensor) and source.ndim < index.ndim:
        checked_dim(source.ndim, source.ndim)
    check_bounds(input, dim, index, RuntimeError)
    return dim


def check_bounds(
    input: Tensor, dim: int, index: Tensor, kind: type[Exception], least: int = 0
) -> None:
    """Refuse indices that are no places along a dimension."""
    length = input._array.shape[dim] if input.ndim else 1
    wrong = (index._array < least) | (index._array >= length)
    if wrong.any():
        first = index._array[wrong].flat[0]
        raise kind(f"index {first} is out of bounds for dimension {dim} with size {length}")


def grid(ndim: int, dim: int, index: Array) -> tuple[Any, ...]:
    """Return numpy's index of the places that `index` means along a dimension."""
    if ndim == 0:
        return ()
    places: list[Array] = list(np.ogrid[tuple([slice(n) for n in index.shape])]) or [index]
    places[dim] = index
    return tuple(places)


def part_of(source: Array, index: Array) -> Array:
    """Return those elements of a source that have an index."""
    return source[tuple([slice(n) for n in index.shape])] if source.ndim else source


def scattered(self: Array, dim: int, index: Array, values: Any) -> Array:
    """Return a copy with values written along a dimension."""
    result = self.copy()
    result[grid(self.ndim, dim, index)] = values
    return result


def scatter_added(self: Array, dim: int, index: Array, values: Array) -> Array:
    """Return a copy with values added along a dimension."""
    result = self.copy()
    _add_at(
        result, grid(self.ndim, dim, index), values.reshape(() if not self.ndim else values.shape)
    )
    return result


@public("take_along_dim")
def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Any:
    """Return the elements that `argsort` or `argmax` along `dim` pointed at.

    Raises as `gather`; other dimensions are broadcast.
    """
    if dim is None:
        return gather(view_as_size(input, (-1,)), 0, view_as_size(indices, (-1,)))
    dim = checked_dim(dim, input._array.ndim)
    if input.ndim != indices.ndim:
        raise RuntimeError(
            "torch.take_along_dim(): input and indices should have the same number of dimensions, "
            f"but got {input.ndim} dimensions for input, and {indices.ndim} dimensions for indices"
        )
    shapes = [list(input._array.shape), list(indices._array.shape)]
    lengths = [shape[dim] for shape in shapes]
    shapes[0][dim] = shapes[1][dim] = 1
    try:
        common = list(np.broadcast_shapes(*map(tuple, shapes)))
    except ValueError:
        raise broadcasting_error(tuple(shapes[0]), tuple(shapes[1])) from None
    sizes = [(*common[:dim], length, *common[dim + 1 :]) for length in lengths]
    return gather(expand_to(input, sizes[0]), dim, expand_to(indices, sizes[1]))


# Whole places along a dimension

select_places: Operation = op(
    "",
    "IndexSelectBackward0",
    lambda self, dim, index: self.take(index.reshape(-1), dim) if self.ndim else self.copy(),
    self=lambda grad, self_sym_sizes, dim, index: add_places(
        zeros(self_sym_sizes, grad), dim, index, grad, 1
    ),
)
add_places: Operation = op(
    "",
    "IndexAddBackward0",
    lambda self, dim, index, source, alpha: places_added(self, dim, index, source, alpha),
    self=lambda grad: grad,
    source=lambda grad, dim, index, source, alpha: maybe_multiplied(
        expand_as_recorded(select_places(grad, dim, index), source), alpha
    ),
)


@public("index_select")
def index_select(input: Tensor, dim: int, index: Tensor) -> Any:
    """Return a copy of the places in `index`, a vector, along a dimension.

    Raises:
        IndexError: if there is no such dimension or place, or `index` is no vector.
        RuntimeError: if it is not integer.
    """
    dim = checked_dim(dim, input._array.ndim)
    if index.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if index._array.dtype not in (np.int64, np.int32):
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    length = input._array.shape[dim] if input.ndim else 1
    if ((index._array < 0) | (index._array >= length)).any():
        raise IndexError("index out of range in self")
    return select_places(input, dim, index)


@public("index_add")
def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: Any = 1) -> Any:
    """Return a copy with ``alpha * source`` added to the places in `index` along a dimension.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if there is no such place, or `source` does not fit.
    """
    dim = checked_dim(dim, input._array.ndim)
    found = source._array.shape[dim] if source.ndim else 1
    if index._array.size != found:
        raise RuntimeError(
            f"index_add_(): Number of indices ({index._array.size}) should be equal to "
            f"source.size(dim): ({found}), for dim: {dim}"
        )
    check_bounds(input, dim, index, RuntimeError)
    return add_places(input, dim, index, source, alpha)


@public("repeat_interleave")
def repeat_interleave(input: Tensor, repeats: Any, dim: int | None = None) -> Any:
    """Repeat each place along a dimension, as often as the number or tensor `repeats` says.

    Without `dim`, repeat the elements as if they were in one line.

    Raises:
        RuntimeError: if `repeats` is negative or there are not as many as places.
    """
    if dim is None:
        flat = input if input.ndim == 1 else reshaped(input, (-1,))
        return repeat_interleave(flat, repeats, 0)
    dim = checked_dim(dim, input._array.ndim)
    shape = input._array.shape
    if not isinstance(repeats, Tensor):
        if repeats < 0:
            raise RuntimeError("Repeats must be non-negative")
        apart = expand_to(
            unsqueeze(input, dim + 1), (*shape[: dim + 1], repeats, *shape[dim + 1 :])
        )
        size = (*shape[:dim], shape[dim] * repeats, *shape[dim + 1 :])
        return view_as_size(contiguous_clone(apart), size)
    counts = repeats._array
    if counts.size not in (1, shape[dim]):
        raise RuntimeError(
            "repeats must have the same size as input along dim, but got repeats.size(0) = "
            f"{counts.size} and input.size({dim}) = {shape[dim]}"
        )
    if (counts < 0).any():
        raise RuntimeError("repeats can not be negative")
    return select_places(
        input, dim, from_array(np.repeat(np.arange(shape[dim]), counts.reshape(-1)))
    )


def places_added(self: Array, dim: int, index: Array, source: Array, alpha: Any) -> Array:
    """Return a copy with multiples of a source added at places along a dimension."""
    result = np.atleast_1d(self.copy())
    values = np.atleast_1d(source if alpha == 1 else source * alpha)
    _add_at(result, (slice(None),) * dim + (index.reshape(-1),), values)
    return result.reshape(self.shape)


def expand_as_recorded(grad: Any, source: Any) -> Any:
    """Return the gradient of a source, which may have had the selected dimension alone."""
    return expand_as(grad, source) if isinstance(grad, Tensor) else grad


def maybe_multiplied(grad: Any, factor: Any) -> Any:
    """Return a gradient times a number, unless that is 1."""
    return grad if factor == 1 else mul_number(grad, factor)


# Elements in one line, and masks

take_places: Operation = op(
    "",
    "TakeBackward0",
    lambda self, index: self.take(index),
    self=lambda grad, self_sym_sizes, index: put_places(
        zeros(self_sym_sizes, grad), index, grad, True
    ),
)
put_places: Operation = op(
    "",
    "PutBackward0",
    lambda self, index, source, accumulate: put_in_line(self, index, source, accumulate),
    self=lambda grad, index, accumulate: (
        grad if accumulate else put_places(grad, index, zeros((), grad), False)
    ),
    source=lambda grad, source_sym_sizes, index: reshaped(
        take_places(grad, index), source_sym_sizes
    ),
)
select_masked: Operation = op(
    "",
    "MaskedSelectBackward0",
    lambda self, mask: np.broadcast_to(self, np.broadcast_shapes(self.shape, mask.shape))[
        np.broadcast_to(mask, np.broadcast_shapes(self.shape, mask.shape))
    ],
    self=lambda grad, self_sym_sizes, mask: masked_select_backward(grad, self_sym_sizes, mask),
)
scatter_masked: Operation = op(
    "",
    "MaskedScatterBackward0",
    lambda self, mask, source: masked_written(self, mask, source),
    self=lambda grad, mask: scatter_masked(grad, mask, zeros(mask.shape, grad)),
    source=lambda grad, mask: select_masked(grad, mask),
)


@public("take")
def take(input: Tensor, index: Tensor) -> Any:
    """Return the elements at places of the tensor seen as one line, in the shape of `index`.

    Raises:
        IndexError: if there is no such place.
        RuntimeError: if `index` is not int64.
    """
    if index._array.dtype != np.int64:
        raise RuntimeError(
            f"take(): Expected a long tensor for index, but got {index.dtype.scalar_name}"
        )
    count = input._array.size
    wrong = index._array[(index._array < -count) | (index._array >= count)]
    if wrong.size:
        raise IndexError(
            f"out of range: tried to access index {wrong[0]} on a tensor of {count} elements."
        )
    return take_places(input, index)


@public("masked_select")
def masked_select(input: Tensor, mask: Tensor) -> Any:
    """Return a vector of the elements where `mask`, which is broadcast, holds.

    Raises:
        RuntimeError: if the mask is not boolean or cannot be broadcast.
    """
    if mask._array.dtype.kind != "b":
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    a, b = mask._array.shape, input._array.shape
    try:
        np.broadcast_shapes(a, b)
    except ValueError:
        raise broadcasting_error(a, b) from None
    return select_masked(input, mask)


@public("nonzero")
def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """Return the indices of the elements that are not zero: a row for each of them.

    With `as_tuple`, a vector for each dimension.
    """
    array = input._array
    if as_tuple:
        return tuple([from_array(places) for places in np.atleast_1d(array).nonzero()])
    return from_array(np.argwhere(array))


@public("argwhere")
def argwhere(input: Tensor) -> Any:
    """Return ``input.nonzero()``."""
    return nonzero(input)


def put_in_line(self: Array, index: Array, source: Array, accumulate: bool) -> Array:
    """Return a copy with elements written, or added, at places of the array seen as one line."""
    line = self.reshape(-1).copy()
    if accumulate:
        _add_at(line, index, source.reshape(index.shape))
    else:
        line[index] = source
    return line.reshape(self.shape)


def masked_select_backward(grad: Any, sizes: tuple[int, ...], mask: Any) -> Any:
    """Return the gradient of the elements that a mask selected; zero for the others."""
    shape = np.broadcast_shapes(sizes, mask.shape)
    return sum_to(scatter_masked(zeros(shape, grad), mask, grad), sizes)


def masked_written(self: Array, mask: Array, source: Array) -> Array:
    """Return a copy with the elements of a source, one after the other, where a mask holds."""
    result = self.copy()
    places = np.broadcast_to(mask, self.shape)
    result[places] = source.reshape(-1)[: int(places.sum())]
    return result
