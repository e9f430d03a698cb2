"""Functions that gather elements by their places, and scatter to them.

Along a dimension, whole places along it, or as if all elements were in one line.
"""

# Formulas refer to operations that are declared below them.
# mypy: disable-error-code="has-type"

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad.autograd.node import Array
from minigrad.data import element
from minigrad.memory import in_line_strides, laid_out_as, order_of
from minigrad.ops.check import check, check_dtypes, length_along, name_of, require
from minigrad.ops.define import define, hidden
from minigrad.ops.indexing import is_mask
from minigrad.ops.pointwise import (
    floor_divide,
    masked_fill,
    mul_number,
    refuse_backward,
    remainder,
)
from minigrad.ops.registry import Operation, public
from minigrad.ops.shape import (
    common_shape,
    contiguous_clone,
    expand_as,
    expand_to,
    reshaped,
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

_add_at: Any = np.add.at

INTEGERS = (np.int64, np.int32)


# Gathering and scattering along a dimension


def check_index(name: str, index: Array) -> None:
    """Refuse indices that are no integers."""
    fits = index.dtype in INTEGERS or not index.size
    check(fits, "{}(): Expected dtype int32/int64 for index", name)


def check_ndim(name: str, index: Array, other: Array) -> None:
    """Refuse indices of another number of dimensions; none count as one."""
    text = "Index tensor must have the same number of dimensions as {} tensor"
    check(max(index.ndim, 1) == max(other.ndim, 1), text, name)


def is_longer(index: Array, other: Array, but: int = -1) -> bool:
    """Return whether an index is longer along a dimension, but for one; raise if there is none."""
    for dim, length in enumerate(index.shape):
        if dim != but and length > (other.shape[checked_dim(dim, other.ndim)] if other.ndim else 1):
            return True
    return False


def check_scatter(self: Array, dim: int, index: Array, src: Array | None = None) -> int:
    """Return the dimension along which a source, or a number, goes to places, if these fit.

    Raises:
        IndexError, RuntimeError: if there is no such dimension, or shapes or dtypes do not fit.
    """
    dim = checked_dim(dim, self.ndim)
    check_index("scatter", index)
    same = src is None or src.dtype == self.dtype
    check(same, "scatter(): Expected self.dtype to be equal to src.dtype")
    if not index.size:
        return dim
    check_ndim("self", index, self)
    longer = is_longer(index, self, dim)
    text = "Expected index {} to be no larger than self {} apart from dimension {}"
    if src is not None:
        longer = longer or is_longer(index, src)
        check_ndim("src", index, src)
        text += f" and to be no larger size than src {list(src.shape)}"
    check(not longer, text, list(index.shape), list(self.shape), dim)
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


def grid(dim: int, index: Array) -> tuple[Any, ...]:
    """Return numpy's index of the places that `index` means along a dimension."""
    places: list[Array] = list(np.ogrid[tuple([slice(n) for n in index.shape])])
    places[dim] = index
    return tuple(places)


def copy_and_places(
    self: Array, dim: int, index: Array, src: Any
) -> tuple[Array, tuple[Any, ...], Any]:
    """Return a copy, of a dimension at least, where in it values are to go, and these.

    Raises:
        RuntimeError: if an index is out of bounds.
    """
    check_bounds(self, dim, index)
    result = np.array(self, order="C", ndmin=1)
    if not index.size:
        return result, (np.zeros(0, np.int64),) * result.ndim, np.zeros(0, self.dtype)
    index = np.atleast_1d(index)
    places = grid(dim, index)
    if not isinstance(src, np.ndarray):
        return result, places, element(src, self.dtype)
    return result, places, np.atleast_1d(src)[tuple([slice(n) for n in index.shape])]


def scattered(self: Array, dim: int, index: Array, src: Any) -> Array:
    """Return a copy with values, or a number, written along a dimension."""
    result, places, values = copy_and_places(self, dim, index, src)
    result[places] = values
    return result.reshape(self.shape)


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
    dim = checked_dim(dim, self.ndim)
    check_index("gather", index)
    if not index.size:
        return np.empty(index.shape, self.dtype)
    check_ndim("input", index, self)
    for place, length in enumerate(index.shape if self.ndim else ()):
        fits = place == dim or length <= self.shape[place]
        check(fits, text, place, list(index.shape), list(self.shape), dim)
    check_bounds(self, dim, index)
    return np.atleast_1d(self)[grid(dim, np.atleast_1d(index))].reshape(index.shape)


def combined(self: Array, dim: int, index: Array, src: Any, reduce: str) -> Array:
    """Return a copy in which elements of a source, or a number, are added or multiplied."""
    result, places, values = copy_and_places(self, dim, index, src)
    combine = np.add if reduce == "add" else np.multiply
    combine.at(result, places, values)
    return result.reshape(self.shape)


def scattering(name: str, variants: str) -> Operation:
    """Declare `scatter`; the refusal to differentiate what is combined names the form."""

    def refuse(grad: Any) -> Any:
        refuse_backward(name)

    combine_number = hidden("NotImplemented", combined, self=refuse)
    combine_source = hidden("NotImplemented", combined, self=refuse, src=refuse)

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

        With `reduce`, ``"add"`` or ``"multiply"``, what was there is kept and combined with them;
        that is not differentiated, as `scatter_add` and `scatter_reduce` are.

        Raises:
            IndexError: if there is no such dimension.
            RuntimeError: if an index is out of bounds, or shapes or dtypes do not fit.
            TypeError: if there is neither `src` nor `value`.
        """
        source = value if src is None else src
        if source is None:
            raise TypeError("scatter(): there is neither src nor value")
        written = isinstance(source, Tensor)
        if reduce is not None and written:
            warn(
                "The reduce argument of torch.scatter with Tensor src is deprecated and will be "
                "removed in a future PyTorch release. Use torch.scatter_reduce instead for more "
                "reduction options."
            )
        check_scatter(input._array, dim, index._array, source._array if written else None)
        known = reduce in (None, "add", "multiply")
        check(known, "reduce argument must be either add or multiply.")
        if reduce:
            return (combine_source if written else combine_number)(
                input, dim, index, source, reduce
            )
        return (scatter_source if written else scatter_number)(input, dim, index, source)

    return public("scatter", variants)(scatter)


scatter = scattering("scatter", "function method")
scattering("scatter_", "inplace")


@define(
    "ScatterAddBackward0",
    ALL,
    self=lambda grad: grad,
    src=lambda grad, dim, index: gather(grad, dim, index),
)
def scatter_add(self: Array, dim: int, index: Array, src: Array) -> Any:
    """Return a copy with elements of `src` added where `gather` would read; raises as `scatter`."""
    check_scatter(self, dim, index, src)
    result, places, values = copy_and_places(self, dim, index, src)
    _add_at(result, places, values)
    return result.reshape(self.shape)


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
    places = expand_to(remainder(indices, lengths[0]), sizes[1])
    return gather(expand_to(input, sizes[0]), dim, places)


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
        IndexError: if there is no such dimension, or place along most, or `index` is no vector.
        RuntimeError: if it is not integer, or there is no such place along the second dimension,
            or in what is empty.
    """
    dim = checked_dim(dim, self.ndim)
    text = "index_select(): Index is supposed to be a vector"
    check(index.ndim <= 1, text, error=IndexError)
    fits = index.dtype in INTEGERS
    check(fits, "index_select(): Expected dtype int32 or int64 for index")
    text = "index_select(): Index to scalar can have only 1 value, got {} value(s)"
    check(self.ndim or index.size == 1, text, index.size)
    if self.ndim > 1 and (dim == 1 or not self.size):
        text = "index_select(): self indexing axis dim should be positive"
        check(self.shape[dim] or not index.size, text)
        text = "INDICES element is out of DATA bounds, id={0} axis_dim={2}"
        check_bounds(self, dim, index, text=text)
    check_bounds(self, dim, index, IndexError, "index out of range in self")
    return self.take(index.reshape(-1), dim) if self.ndim else self.copy()


def checked_rows(name: str, self: Array, dim: int, index: Array, source: Array) -> int:
    """Return the dimension along which the parts of a source go to places, if these fit.

    Raises:
        IndexError: if there is no such dimension, or `index` is no vector.
        RuntimeError: if dtypes or shapes do not fit.
    """
    dim = checked_dim(dim, self.ndim)
    found, dtype = length_along(source.shape, dim), name_of(index)
    text = "{}(): Index is supposed to be a vector, but got dim: {} with type: {} and size: {}"
    check(index.ndim <= 1, text, name, index.ndim, dtype, list(index.shape), error=IndexError)
    check(
        index.dtype in INTEGERS,
        "{}(): Expected dtype int32/int64 for index but got: {}",
        name,
        dtype,
    )
    check_dtypes(
        f"{name}(): self ({{}}) and source ({{}}) must have the same scalar type", self, source
    )
    text = "{}(): Number of indices ({}) should be equal to source.size(dim): ({}), for dim: {}"
    no_dimension = f"Dimension specified as {dim} but tensor has no dimensions"
    check(source.ndim or index.size == 1, no_dimension, error=IndexError)
    check(index.size == found, text, name, index.size, found, dim)
    shapes = [[*one.shape[:dim], *one.shape[dim + 1 :]] for one in (self, source)]
    fits = self.ndim == source.ndim and shapes[0] == shapes[1]
    text = (
        "source tensor shape must match self tensor shape, excluding the specified dimension. Got "
        "self.shape = {} source.shape = {}"
    )
    check(fits, text, list(self.shape), list(source.shape))
    return dim


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
    dim = checked_rows("index_add_", self, dim, index, source)
    if self.ndim <= 1:
        check_bounds(self, dim, index, IndexError, "index out of range in self")
    check_bounds(self, dim, index)
    result = np.atleast_1d(self.copy())
    _add_at(result, at(dim, index), np.atleast_1d(source * element(alpha, source.dtype)))
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
    result[at(dim, index)] = element(value, self.dtype)
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
    text = "index_copy_(): When source is scalar, index should have one element (got {})"
    check(source.ndim or index.size == 1, text, index.size, error=IndexError)
    text = (
        "index_copy_(): When source and destination are not scalars, their dimensionality must "
        "match. Source dimensionality ({}), destination dimensionality ({})"
    )
    fits = not (self.ndim and source.ndim) or self.ndim == source.ndim
    check(fits, text, source.ndim, self.ndim, error=IndexError)
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
    require(times._array, "iu", "repeat_interleave_cpu")
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
    self=lambda grad, index, source_sym_sizes, accumulate: (
        grad if accumulate else put(grad, index, zeros(source_sym_sizes, grad), False)
    ),
    source=lambda grad, source, index: reshaped(take(grad, index), tuple(source.shape)),
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


@public("unravel_index", "function")
def unravel_index(indices: Tensor, shape: Any) -> Any:
    """Return where elements are that are numbered one after the other: along each dimension.

    Args:
        indices: numbers of elements, integers of any shape.
        shape: that of the tensor whose elements they are.

    Raises:
        TypeError: for indices of another dtype, or what is no shape.
        ValueError: for negative lengths.

    >>> import minigrad as torch
    >>> x = torch.tensor([[1, 5], [7, 3]])
    >>> torch.unravel_index(x.argmax(), x.shape)
    (tensor(1), tensor(0))
    """
    integers = not indices.is_complex() and indices.dtype.kind in "iu"
    text = "expected 'indices' to be integer dtype, but got {}"
    check(integers, text, indices.dtype, error=TypeError)
    text = "expected 'shape' to be int or sequence of ints, but got {}"
    check(isinstance(shape, (int, Sequence)), text, type(shape), error=TypeError)
    lengths = (shape,) if isinstance(shape, int) else tuple(shape)
    for one in lengths:
        text = "expected 'shape' sequence to only contain ints, but got {}"
        check(isinstance(one, int), text, type(one), error=TypeError)
    text = "'shape' cannot have negative values, but got {}"
    check(all(one >= 0 for one in lengths), text, lengths, error=ValueError)
    steps = in_line_strides(lengths)
    divisors, moduli = (from_array(np.array(one, np.int64)) for one in (steps, lengths))
    return unbind(remainder(floor_divide(unsqueeze(indices, -1), divisors), moduli), -1)
