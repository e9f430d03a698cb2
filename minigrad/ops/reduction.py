"""Operations that make one number of many: sums, means, extremes, norms; and orders and softmax.

Each takes all elements together, or those along some dimensions, which then disappear, or with
`keepdim` remain with length 1.
Source: https://github.com/pytorch/pytorch/blob/main/tools/autograd/derivatives.yaml
"""

from __future__ import annotations

import builtins
import math
import warnings
from collections import namedtuple
from collections.abc import Callable, Sequence
from operator import index as as_index
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.autograd.node import Array
from minigrad.ops.check import checked_dims
from minigrad.ops.declare import op
from minigrad.ops.indexing import scatter_source
from minigrad.ops.pointwise import (
    abs,
    div_number,
    exp,
    fill_tensor,
    isnan,
    masked_fill,
    maximum,
    minimum,
    mul_number,
    pow,
    require,
    sgn,
    to_dtype,
)
from minigrad.ops.registry import Operation, public
from minigrad.ops.shape import (
    added,
    axes,
    cat_tensors,
    expand_to,
    flip_dims,
    restored,
    slice_view,
    stack_tensors,
    sum_all,
    sum_dims,
    unsqueeze,
    view_as_size,
    zeros,
)
from minigrad.size import checked_dim
from minigrad.tensor import Tensor, from_array

FUNCTION = "function"
METHOD = "method"

NOT_GIVEN: Any = type("NotGiven", (), {"__repr__": lambda self: "NOT_GIVEN"})()
_max: Any = np.maximum.reduce
_min: Any = np.minimum.reduce
_product: Any = np.multiply.reduce


# Sums, means, products

mean_all: Operation = op(
    "",
    "MeanBackward0",
    lambda self, dtype: averaged(self, None, False, dtype),
    self=lambda grad, self_sym_sizes: shared(grad, self_sym_sizes),
)
mean_dims: Operation = op(
    "",
    "MeanBackward1",
    lambda self, dim, keepdim, dtype: averaged(self, dim, keepdim, dtype),
    self=lambda grad, self_sym_sizes, dim, keepdim: div_number(
        expand_to(restored(grad, self_sym_sizes, dim, keepdim), self_sym_sizes),
        count_along(self_sym_sizes, dim),
    ),
)
nansum_dims: Operation = op(
    "",
    "NansumBackward0",
    lambda self, dim, keepdim, dtype: added(
        np.where(np.isnan(self), np.zeros((), self.dtype), self), axes(self, dim), keepdim, dtype
    ),
    self=lambda grad, self, dim, keepdim: (
        expand_to(restored(grad, self.shape, dim, keepdim), self.shape) * ~isnan(self)
    ),
)
prod_all: Operation = op(
    "",
    "ProdBackward0",
    lambda self, dtype: _product(self, None, dtype),
    self=lambda grad, self, result: prod_backward(grad, self, result, None, True),
)
prod_dim: Operation = op(
    "",
    "ProdBackward1",
    lambda self, dim, keepdim, dtype: _product(self, one_axis(self, dim), dtype, None, keepdim),
    self=lambda grad, self, result, dim, keepdim: prod_backward(grad, self, result, dim, keepdim),
)


@public("sum")
def sum(
    input: Tensor,
    dim: Any = NOT_GIVEN,
    keepdim: bool = False,
    *,
    axis: Any = NOT_GIVEN,
    dtype: Any = None,
) -> Any:
    """Return the sum of all elements, or of those along the dimensions `dim`.

    Booleans and integers are summed as int64, unless `dtype` says otherwise.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if a dimension is named twice.

    >>> import minigrad as torch
    >>> torch.ones(2, 3).sum(0)
    tensor([2., 2., 2.])
    """
    dim = dim if axis is NOT_GIVEN else axis
    as_type = None
    if dtype is not None or input._value.dtype.kind != "f":
        as_type = sum_dtype(input, dtype)
    if dim is NOT_GIVEN:
        return sum_all(input, as_type)
    return sum_dims(input, chosen_dims("sum", dim, input._array.ndim), keepdim, as_type)


@public("mean")
def mean(
    input: Tensor,
    dim: Any = NOT_GIVEN,
    keepdim: bool = False,
    *,
    axis: Any = NOT_GIVEN,
    dtype: Any = None,
) -> Any:
    """Return the mean of all elements, or of those along the dimensions `dim`.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if a dimension is named twice, or the dtype is not floating point.

    >>> import minigrad as torch
    >>> torch.tensor([1.0, 3.0]).mean()
    tensor(2.)
    """
    dim = dim if axis is NOT_GIVEN else axis
    if dtype is not None or input._value.dtype.kind != "f":
        which, wrong = ("Optional", dtype) if dtype is not None else ("Input", input.dtype)
        if not wrong.is_floating_point:
            raise RuntimeError(
                f"mean(): could not infer output dtype. {which} dtype must be either a floating "
                f"point or complex dtype. Got: {wrong.scalar_name}"
            )
        dtype = wrong.numpy_dtype
    if dim is NOT_GIVEN:
        return mean_all(input, dtype)
    return mean_dims(input, chosen_dims("mean", dim, input._array.ndim), keepdim, dtype)


@public("nansum")
def nansum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """Return a sum in which nan counts as zero; otherwise as `sum`."""
    if input._array.dtype.kind != "f":
        return sum(input, dim, keepdim, dtype=dtype)
    as_type = None if dtype is None else dtype.numpy_dtype
    return nansum_dims(input, chosen_dims("nansum", dim, input._array.ndim), keepdim, as_type)


@public("prod")
def prod(input: Tensor, dim: Any = NOT_GIVEN, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """Return the product of all elements, or of those along a dimension.

    Booleans and integers are multiplied as int64, unless `dtype` says otherwise.

    Raises:
        IndexError: if there is no such dimension.
    """
    as_type = None
    if dtype is not None or input._value.dtype.kind != "f":
        as_type = sum_dtype(input, dtype)
    if dim is NOT_GIVEN:
        return prod_all(input, as_type)
    checked_dim(as_index(dim), input._array.ndim)
    return prod_dim(input, dim, keepdim, as_type)


def sum_dtype(input: Tensor, dtype: Any) -> np.dtype[Any]:
    """Return the dtype in which elements are added up."""
    if dtype is None:
        return np.dtype(np.int64)
    if input._requires_grad and not dtype.is_floating_point:
        raise RuntimeError(f"Autograd not support dtype: {dtype.scalar_name}")
    as_type: np.dtype[Any] = dtype.numpy_dtype
    return as_type


def chosen_dims(name: str, dim: Any, ndim: int) -> tuple[int, ...] | None:
    """Return the dimensions of a reduction as a tuple; None for all.

    Raises:
        IndexError, RuntimeError: if there is none such, or one is named twice.
        TypeError: if they are no integers.
    """
    if dim is None:
        return None
    if dim.__class__ is int:
        checked_dim(dim, ndim)
        return (dim,)
    if isinstance(dim, (tuple, list)):
        for place, one in enumerate(dim):
            if not hasattr(one, "__index__"):
                raise TypeError(
                    f"{name}(): argument 'dim' failed to unpack the object at pos {place + 1} with "
                    f'error "type must be tuple of ints,but got {type(one).__name__}"'
                )
        checked_dims(dim, ndim)
        return tuple(dim)
    if isinstance(dim, bool) or not hasattr(dim, "__index__"):
        raise TypeError(f"{name}(): argument 'dim' must be tuple of ints, not {type(dim).__name__}")
    return (as_index(dim),)


def one_axis(self: Array, dim: int) -> int | None:
    """Return a dimension as numpy wants it: a 0-d array has none."""
    return dim if self.ndim else None


def shared(grad: Any, sizes: tuple[int, ...]) -> Any:
    """Return the gradient of a mean of all elements: to each the same share."""
    count = math.prod(sizes)
    if isinstance(grad, Tensor):
        return div_number(expand_to(grad, sizes), count)
    shares = np.empty(sizes, grad.dtype)
    shares.fill(grad / count if count else np.nan)
    return shares


def averaged(self: Array, dim: Any, keepdim: bool, dtype: Any) -> Any:
    """Return the mean along some dimensions."""
    if dim is None and dtype is None and not keepdim and self.dtype.char in "fd":
        return np.add.reduce(self, None) / self.size
    if self.dtype.char == "e" and dtype is None:
        return averaged(self, dim, keepdim, np.dtype(np.float32)).astype(self.dtype)
    total = added(self, axes(self, dim), keepdim, dtype)
    return total / (self.size if dim is None else count_along(self.shape, dim))


def count_along(sizes: tuple[int, ...], dim: Sequence[int] | None) -> int:
    """Return how many elements of a shape go into one of its reduction along some dimensions."""
    if not dim or not sizes:
        return math.prod(sizes)
    return math.prod([sizes[one] for one in dim])


def prod_backward(grad: Any, self: Any, result: Any, dim: int | None, keepdim: bool) -> Any:
    """Return the gradient of a product: the product of the others, also where some are zero."""
    if not self.shape:
        return grad
    if not (self == 0).any():
        if dim is not None:
            grad = restored(grad, self.shape, dim, keepdim)
            result = restored(result, self.shape, dim, keepdim)
        return grad * (result / self)
    if dim is None:
        flat = view_as_size(self, (-1,))
        return view_as_size(grad * others_product(flat, 0), self.shape)
    return restored(grad, self.shape, dim, keepdim) * others_product(self, dim)


def others_product(self: Any, dim: int) -> Any:
    """Return, for each element along a dimension, the product of all the others."""
    dim %= len(self.shape)
    length = self.shape[dim]
    ones = one_like(self, dim)
    before = cat_tensors([ones, slice_view(self, dim, 0, length - 1, 1)], dim, (1, length - 1))
    after = flip_dims(slice_view(self, dim, 1, length, 1), (dim,))
    after = cat_tensors([ones, after], dim, (1, length - 1))
    return cumprod_along(before, dim, None) * flip_dims(cumprod_along(after, dim, None), (dim,))


def one_like(self: Any, dim: int) -> Any:
    """Return ones in the shape of an array or tensor, with length 1 along a dimension."""
    sizes = (*self.shape[:dim], 1, *self.shape[dim + 1 :])
    return zeros(sizes, self) + 1


# Extremes


def result_type(name: str, fields: str) -> Any:
    """Make the type of a result with several named parts, which prints as PyTorch's."""
    names = fields.split()

    def text(self: Any) -> str:
        parts = ",\n".join(f"{one}={getattr(self, one)!r}" for one in names)
        return f"torch.return_types.{name}(\n{parts})"

    base = namedtuple(name, names)  # type: ignore[misc]
    members = {"__slots__": (), "__module__": "torch.return_types", "__repr__": text}
    return type(name, (base,), members)


MaxResult = result_type("max", "values indices")
MinResult = result_type("min", "values indices")
MedianResult = result_type("median", "values indices")
ModeResult = result_type("mode", "values indices")
KthValueResult = result_type("kthvalue", "values indices")
SortResult = result_type("sort", "values indices")
TopKResult = result_type("topk", "values indices")


def whole_extreme(node: str, forward: Callable[..., Any]) -> Operation:
    """Declare a choice among all elements: those that are equal to it share the gradient."""
    return op("", node, forward, self=lambda grad, self, result: shared_out(grad, self, result))


def place_of_extreme(node: str, forward: Callable[..., Any]) -> Operation:
    """Declare a choice of one element along a dimension, and of its place."""
    return op(
        "",
        node,
        forward,
        outputs="values indices",
        self=lambda grad, self_sym_sizes, dim, keepdim, indices: to_places(
            grad, self_sym_sizes, dim, keepdim, indices
        ),
    )


def extremes(node: str, reduce: Any) -> Operation:
    """Declare a choice along dimensions: elements that are equal to it share the gradient."""
    return op(
        "",
        node,
        lambda self, dim, keepdim: reduce(self, axes(self, dim), None, None, keepdim),
        self=lambda grad, self, dim, keepdim, result: shared_along(
            grad, self, dim, keepdim, result
        ),
    )


max_all = whole_extreme("MaxBackward1", lambda self: _max(self, None))
min_all = whole_extreme("MinBackward1", lambda self: _min(self, None))
median_all = whole_extreme("MedianBackward0", lambda self: median_of(self))
max_dim = place_of_extreme(
    "MaxBackward0", lambda self, dim, keepdim: at_places(self, np.argmax, dim, keepdim)
)
min_dim = place_of_extreme(
    "MinBackward0", lambda self, dim, keepdim: at_places(self, np.argmin, dim, keepdim)
)
median_dim = place_of_extreme(
    "MedianBackward1", lambda self, dim, keepdim: at_places(self, median_places, dim, keepdim)
)
mode_dim = place_of_extreme(
    "ModeBackward0", lambda self, dim, keepdim: at_places(self, mode_places, dim, keepdim)
)
kthvalue_dim: Operation = op(
    "",
    "KthvalueBackward0",
    lambda self, k, dim, keepdim: at_places(
        self,
        lambda line, axis: sorting(line, axis, False).take(k - 1, axis),
        dim,
        keepdim,
    ),
    outputs="values indices",
    self=lambda grad, self_sym_sizes, dim, keepdim, indices: to_places(
        grad, self_sym_sizes, dim, keepdim, indices
    ),
)
amax_dims = extremes("AmaxBackward0", _max)
amin_dims = extremes("AminBackward0", _min)


def extreme(
    name: str, whole: Operation, along: Operation, binary: Operation, result: Any
) -> Operation:
    """Return max or min: of all elements, along a dimension, or of two tensors."""

    def function(
        input: Tensor, dim: Any = None, keepdim: bool = False, *, other: Any = None
    ) -> Any:
        if isinstance(dim, Tensor) or other is not None:
            return binary(input, dim if other is None else other)
        if dim is None:
            if not input._array.size:
                raise RuntimeError(no_elements(name))
            return whole(input)
        if not hasattr(dim, "__index__"):
            raise TypeError(
                f"{name}() received an invalid combination of arguments - got "
                f"({type(dim).__name__}), but expected one of:\n * ()\n * (Tensor other)\n"
                " * (int dim, bool keepdim = False)\n"
            )
        check_not_empty(name, input, dim)
        return result(*along(input, dim, keepdim))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""Return the {name}imum of all elements.

    With ``dim``, return the {name}ima along that dimension and their places, as a named tuple of
    ``values`` and ``indices``; with another tensor, the larger element of each pair.

    Raises:
        RuntimeError, IndexError: if there is nothing to choose from, or no such dimension.
    """
    return public(name)(function)


def no_elements(name: str) -> str:
    """Return PyTorch's message for an extreme of no elements."""
    return (
        f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
        "reduction dim with the 'dim' argument."
    )


def check_not_empty(name: str, input: Tensor, dim: int) -> int:
    """Return a dimension counted from the front, if there is something along it."""
    place = checked_dim(dim, input._array.ndim)
    if not input._array.size and not input._array.shape[place]:
        raise IndexError(f"{name}(): Expected reduction dim {place} to have non-zero size.")
    return place


def check_each_not_empty(name: str, input: Tensor, dim: Any) -> None:
    """Refuse to look for extremes along dimensions in which there is nothing."""
    dims = (dim,) if isinstance(dim, int) else dim
    if not dims:
        raise RuntimeError(no_elements(name))
    for one in dims:
        if not input._array.shape[checked_dim(one, input._array.ndim)]:
            raise IndexError(f"{name}(): Expected reduction dim {one} to have non-zero size.")


max = extreme("max", max_all, max_dim, maximum, MaxResult)
min = extreme("min", min_all, min_dim, minimum, MinResult)


def along_dims(name: str, operation: Operation, best: str) -> Operation:
    """Return amax or amin."""

    def function(input: Tensor, dim: Any = (), keepdim: bool = False) -> Any:
        if not input._array.size:
            check_each_not_empty(name, input, dim)
        dims = chosen_dims(name, dim, input._array.ndim) or ()
        return operation(input, dims, keepdim)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""Return the {best} elements along some dimensions, or of all.

    Elements that are equal share the gradient.

    Raises:
        RuntimeError, IndexError: if there is nothing to choose from, or no such dimension.
    """
    return public(name)(function)


amax = along_dims("amax", amax_dims, "largest")
amin = along_dims("amin", amin_dims, "smallest")


@public("median")
def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """Return the median, the lower one of two; or the medians along a dimension and their places.

    Raises:
        IndexError: if there is no such dimension, or nothing along it.
    """
    if dim is None:
        if input._array.size:
            require(input._array, "fiu", "median_cpu")
        return median_all(input)
    check_not_empty("median", input, dim)
    require(input._array, "fiu", "median_out")
    return MedianResult(*median_dim(input, dim, keepdim))


@public("mode")
def mode(input: Tensor, dim: int = -1, keepdim: bool = False) -> Any:
    """Return the most frequent elements along a dimension, the smallest of several, and a place.

    Raises:
        IndexError: if there is no such dimension, or nothing along it.
    """
    check_not_empty("mode", input, dim)
    return ModeResult(*mode_dim(input, dim, keepdim))


@public("kthvalue")
def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """Return the k-th smallest elements along a dimension, counted from 1, and their places.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if there are not as many elements.
    """
    place = checked_dim(dim, input._array.ndim)
    if not 1 <= k <= (input._array.shape[place] if input.ndim else 1):
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {place}")
    return KthValueResult(*kthvalue_dim(input, k, dim, keepdim))


def place_of(name: str, find: Any, best: str) -> Operation:
    """Return argmax or argmin."""

    def function(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
        if input._array.dtype.kind == "b":
            raise RuntimeError(f"{name}(): does not support bool input")
        if dim is None:
            if not input._array.size:
                raise IndexError(
                    f"{name}(): Expected reduction dim to be specified for input.numel() == 0."
                )
            place = np.asarray(find(input._array))
            return from_array(place.reshape((1,) * input.ndim) if keepdim else place)
        check_not_empty(name, input, dim)
        if not input.ndim:
            return from_array(np.asarray(0))
        return from_array(find(input._array, dim, keepdims=keepdim))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""Return the place of the {best} element in the tensor seen as one line.

    With ``dim``, return the places along that dimension. Of several, it is the first.

    Raises:
        IndexError: if there is no such dimension, or nothing to choose from.
        RuntimeError: for booleans.
    """
    return public(name)(function)


argmax = place_of("argmax", np.argmax, "largest")
argmin = place_of("argmin", np.argmin, "smallest")


def truth(name: str, reduce: Any, meaning: str) -> Operation:
    """Return any or all."""

    def function(input: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
        array = input._array
        dims = axes(array, chosen_dims(name, dim, array.ndim))
        result = reduce(array, dims, np.bool_, None, keepdim)
        return from_array(result.astype(np.uint8) if array.dtype == np.uint8 else result)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""Return whether {meaning} true, that is, not zero.

    With ``dim``, one dimension or several, return it for those along them.

    Raises:
        IndexError: if there is no such dimension.
    """
    return public(name)(function)


any = truth("any", np.logical_or.reduce, "some element is")
all = truth("all", np.logical_and.reduce, "all elements are")


@public("count_nonzero")
def count_nonzero(input: Tensor, dim: Any = None) -> Any:
    """Return how many elements are not zero, of all or along some dimensions."""
    dims = chosen_dims("count_nonzero", dim, input._array.ndim)
    return from_array(np.asarray(np.count_nonzero(input._array, axis=axes(input._array, dims))))


def shared_out(grad: Any, self: Any, result: Any) -> Any:
    """Return a gradient shared evenly by the elements that are equal to the result."""
    mask = isnan(self) if is_true(isnan(result)) else self == result
    return fill_tensor(zeros(self.shape, self), mask, grad / mask.sum())


def is_true(value: Any) -> bool:
    """Return whether a 0-d array or tensor is true."""
    return bool(value)


def shared_along(grad: Any, self: Any, dim: tuple[int, ...], keepdim: bool, result: Any) -> Any:
    """Return gradients shared evenly by the elements that equal the result along dimensions."""
    if self.shape and not keepdim:
        dims = [one % len(self.shape) for one in dim or range(len(self.shape))]
        sizes = tuple([1 if place in dims else n for place, n in enumerate(self.shape)])
        grad, result = view_as_size(grad, sizes), view_as_size(result, sizes)
    mask = self == result
    return (grad / sum_dims(mask, dim or None, True, None)) * mask


def to_places(grad: Any, sizes: tuple[int, ...], dim: int, keepdim: bool, indices: Any) -> Any:
    """Return gradients put at the places from which their values were taken along a dimension."""
    grad = grad[0] if isinstance(grad, list) else grad
    if not keepdim and sizes:
        grad, indices = unsqueeze(grad, dim), unsqueeze(indices, dim)
    return scatter_source(zeros(sizes, grad), dim % builtins.max(len(sizes), 1), indices, grad)


def at_places(self: Array, find: Any, dim: int, keepdim: bool) -> tuple[Any, Any]:
    """Return the values and places that a function finds along a dimension."""
    if not self.ndim:
        return self.copy(), np.zeros((), np.int64)
    places = np.expand_dims(find(self, dim), dim)
    values = np.take_along_axis(self, places, dim)
    return (values, places) if keepdim else (values.squeeze(dim), places.squeeze(dim))


def median_places(self: Array, dim: int) -> Any:
    """Return the places of the lower medians along a dimension; of a nan if there is one."""
    middle = (self.shape[dim] - 1) // 2
    places = sorting(self, dim, False).take(middle, dim)
    if self.dtype.kind != "f":
        return places
    nans = np.isnan(self)
    return np.where(nans.any(dim), nans.argmax(dim), places)


def median_of(self: Array) -> Any:
    """Return the lower median of all elements; nan of none."""
    if not self.size:
        return np.asarray(np.nan).astype(self.dtype)
    line = self.reshape(-1)
    return line[median_places(line, 0)]


def mode_places(self: Array, dim: int) -> Array:
    """Return the last places of the most frequent elements, the smallest of several."""
    order = sorting(self, dim, False)
    lines = np.moveaxis(np.take_along_axis(self, order, dim), dim, -1)
    places = np.moveaxis(order, dim, -1)
    found = np.empty(lines.shape[:-1], np.int64)
    for line in np.ndindex(found.shape):
        _, first, counts = np.unique(lines[line], return_index=True, return_counts=True)
        best = counts.argmax()
        found[line] = places[line][first[best] + counts[best] - 1]
    return found


# Spread

var_dims: Operation = op(
    "",
    "VarBackward0",
    lambda self, dim, correction, keepdim: variance(self, dim, correction, keepdim),
    self=lambda grad, self, dim, correction, keepdim: var_backward(
        grad, self, dim, correction, keepdim
    ),
)
std_dims: Operation = op(
    "",
    "StdBackward0",
    lambda self, dim, correction, keepdim: np.sqrt(variance(self, dim, correction, keepdim)),
    self=lambda grad, self, dim, correction, keepdim, result: var_backward(
        masked_fill(grad / mul_number(result, 2), result == 0, 0), self, dim, correction, keepdim
    ),
)


def spread(name: str, operation: Operation, meaning: str) -> Operation:
    """Return var or std."""

    def function(
        input: Tensor,
        dim: Any = None,
        unbiased: bool | None = None,
        keepdim: bool = False,
        *,
        correction: Any = NOT_GIVEN,
    ) -> Any:
        if input._array.dtype.kind != "f":
            raise RuntimeError("std and var only support floating point and complex dtypes")
        if isinstance(dim, bool):
            dim, unbiased = None, dim
        if correction is NOT_GIVEN:
            default = None if dim is None and unbiased is None else 1
            correction = default if unbiased is None else int(unbiased)
        dims = chosen_dims(name, dim, input._array.ndim)
        less = 1 if correction is None else correction
        if not input._array.size or count_along(input._array.shape, dims) <= less:
            warnings.warn(
                f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than "
                "the reduction factor (input numel divided by output numel).",
                UserWarning,
                stacklevel=2,
            )
        return operation(input, dims, correction, keepdim)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""Return the {meaning} of all elements, or of those along dimensions.

    The sum of squares is divided by the number of elements less ``correction``: 1 by default, or
    with ``unbiased=False``, 0.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if the dtype is not floating point.
    """
    return public(name)(function)


var = spread("var", var_dims, "variance")
std = spread("std", std_dims, "standard deviation")


def variance(self: Array, dim: Any, correction: Any, keepdim: bool) -> Any:
    """Return the variance along some dimensions, computed in float64."""
    along, wide = axes(self, dim), self.astype(np.float64)
    number = count_along(self.shape, dim)
    centred = wide - np.add.reduce(wide, along, keepdims=True) / np.float64(number)
    squares = added(centred * centred, along, keepdim, None)
    freedom = builtins.max(number - (1 if correction is None else correction), 0)
    return np.asarray(squares / np.float64(freedom)).astype(self.dtype)


def var_backward(grad: Any, self: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    """Return the gradient of a variance."""
    less = 1 if correction is None else correction
    if not self.shape or dim is None:
        freedom = math.prod(self.shape) - less
        middle = mean_all(self, None)
        if freedom <= 0:
            return grad * where_equal(self, middle)
        return mul_number(grad, 2 / freedom) * (self - middle)
    if len(self.shape) > 1:
        grad = restored(grad, self.shape, dim, keepdim)
    freedom = count_along(self.shape, dim) - less
    factor = 2 / freedom if freedom else math.inf
    return mul_number(grad, factor) * (self - mean_dims(self, dim, True, None))


where_equal: Operation = op(
    "", "", lambda self, other: np.where(self == other, np.nan, np.inf).astype(np.float32)
)


# Norms

vector_norm_dims: Operation = op(
    "",
    "LinalgVectorNormBackward0",
    lambda self, ord, dim, keepdim, dtype: norm_of(self, ord, dim, keepdim, dtype),
    self=lambda grad, self, ord, dim, keepdim, result: norm_backward(
        grad, self, ord, dim, keepdim, result
    ),
)


@public("norm")
def norm(
    input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None
) -> Any:
    """Return the p-norm of all elements, or of those along some dimensions.

    `p` may be any number, infinite ones included; ``"fro"`` is 2.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if the dtype is not floating point.

    >>> import minigrad as torch
    >>> torch.tensor([3.0, 4.0]).norm()
    tensor(5.)
    """
    if isinstance(p, str):
        if p != "fro":
            raise RuntimeError(f"linalg.matrix_norm: Order {p} not supported.")
        p = 2
    return vector_norm(input, 2 if p is None else p, dim, keepdim, dtype=dtype)


def vector_norm(
    x: Tensor, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Any:
    """Return the norm of order `ord` of all elements, or of those along some dimensions.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if the dtype is not floating point, or a maximum of nothing is asked for.
    """
    if x._array.dtype.kind != "f":
        raise RuntimeError(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got "
            f"{x.dtype.scalar_name}"
        )
    dims = chosen_dims("linalg.vector_norm", dim, x._array.ndim)
    if not x._array.size and math.isinf(ord):
        raise RuntimeError(
            f"linalg.vector_norm cannot compute the {ord} norm on an empty tensor because the "
            "operation does not have an identity"
        )
    return vector_norm_dims(x, ord, dims, keepdim, None if dtype is None else dtype.numpy_dtype)


def norm_of(self: Array, order: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    """Return the norm along some dimensions; of float16 it is computed in float32."""
    result_dtype = dtype or self.dtype
    wide = np.dtype(np.float32) if self.dtype.char == "e" else result_dtype
    sizes, along = np.absolute(self.astype(wide, copy=False)), axes(self, dim)
    if order == math.inf:
        total = _max(sizes, along, None, None, keepdim)
    elif order == -math.inf:
        total = _min(sizes, along, None, None, keepdim)
    elif order == 0:
        total = added(sizes != 0, along, keepdim, wide)
    elif order == 1:
        total = added(sizes, along, keepdim, None)
    elif order == 2:
        total = np.sqrt(added(sizes * sizes, along, keepdim, None))
    else:
        total = added(sizes**order, along, keepdim, None) ** (1 / order)
    return np.asarray(total).astype(result_dtype, copy=False)


def norm_backward(grad: Any, self: Any, order: Any, dim: Any, keepdim: bool, result: Any) -> Any:
    """Return the gradient of a norm; of orders above 1 it is zero where the norm is."""
    grad = restored(grad, self.shape, dim, keepdim)
    result = restored(result, self.shape, dim, keepdim)
    if order == 0:
        return None
    if order == 1:
        return sgn(self) * grad
    if order == 2:
        return grad * masked_fill(self / result, result == 0, 0)
    if math.isinf(order):
        largest = (abs(self) == result) | (isnan(self) & isnan(result))
        return sgn(self) * ((grad / sum_dims(largest, dim, True, None)) * largest)
    if order < 1:
        scaled = sgn(self) * masked_fill(pow(abs(self), order - 1), self == 0, 0)
        return scaled * grad * pow(result, 1 - order)
    powers = pow(abs(self), order - 2) if order >= 2 else pow(abs(self), order - 1)
    scaled = (self if order >= 2 else sgn(self)) * powers
    return scaled * masked_fill(grad / pow(result, order - 1), result == 0, 0)


# Softmax and its logarithm

softmax_along: Operation = op(
    "",
    "SoftmaxBackward0",
    lambda self, dim: softmax_of(self, dim),
    self=lambda grad, result, dim: softmax_backward(grad, result, dim),
)
softmax_backward: Operation = op(
    "",
    "SoftmaxBackwardDataBackward0",
    lambda grad_output, output, dim: (
        output * (grad_output - np.add.reduce(grad_output * output, dim, keepdims=True))
        if output.ndim
        else grad_output * 0
    ),
    grad_output=lambda grad, output, dim: softmax_backward(grad, output, dim),
    output=lambda grad, grad_output, output, dim: (
        grad_output * grad
        - sum_dims(output * grad_output, (dim,), True, None) * grad
        - grad_output * sum_dims(output * grad, (dim,), True, None)
    ),
)
log_softmax_along: Operation = op(
    "",
    "LogSoftmaxBackward0",
    lambda self, dim: log_softmax_of(self, dim),
    self=lambda grad, result, dim: log_softmax_backward(grad, result, dim),
)
log_softmax_backward: Operation = op(
    "",
    "LogSoftmaxBackwardDataBackward0",
    lambda grad_output, output, dim: (
        grad_output - np.exp(output) * np.add.reduce(grad_output, dim, keepdims=True)
        if output.ndim
        else grad_output * 0
    ),
    grad_output=lambda grad, output, dim: grad - sum_dims(grad * exp(output), (dim,), True, None),
    output=lambda grad, grad_output, output, dim: (
        -sum_dims(grad_output, (dim,), True, None) * exp(output) * grad
    ),
)
logsumexp_dims: Operation = op(
    "",
    "LogsumexpBackward0",
    lambda self, dim, keepdim: log_of_sum(self, dim, keepdim),
    self=lambda grad, self, dim, keepdim, result: (
        restored(grad, self.shape, dim, keepdim)
        * exp(self - restored(result, self.shape, dim, keepdim))
    ),
)


@public("softmax")
def softmax(input: Tensor, dim: int, dtype: Any = None) -> Any:
    """Return exponentials along a dimension, divided by their sum: positive numbers with sum 1.

    Raises:
        IndexError: if there is no such dimension.
        NotImplementedError: if the dtype is not floating point.

    >>> import minigrad as torch
    >>> torch.softmax(torch.zeros(4), 0)
    tensor([0.2500, 0.2500, 0.2500, 0.2500])
    """
    return softmax_along(prepared(input, dim, dtype, "softmax"), dim)


@public("log_softmax")
def log_softmax(input: Tensor, dim: int, dtype: Any = None) -> Any:
    """Return the logarithm of `softmax`, without its loss of precision; raises as `softmax`."""
    return log_softmax_along(prepared(input, dim, dtype, "log_softmax"), dim)


@public("logsumexp")
def logsumexp(input: Tensor, dim: Any, keepdim: bool = False) -> Any:
    """Return the logarithm of the sum of exponentials along some dimensions, without overflow.

    Raises:
        IndexError: if there is no such dimension.
    """
    dims = chosen_dims("logsumexp", dim, input._array.ndim) or ()
    if input._array.dtype.kind != "f":
        input = to_dtype(input, dtypes.get_default_dtype())
    return logsumexp_dims(input, dims, keepdim)


def prepared(input: Tensor, dim: int, dtype: Any, name: str) -> Tensor:
    """Return a tensor in the dtype asked for.

    Raises:
        IndexError, NotImplementedError: if it has no such dimension, or is not floating point.
    """
    if dtype is not None:
        input = to_dtype(input, dtype)
    last = checked_dim(dim, input._array.ndim) >= input._array.ndim - 1
    if input._array.size:
        require(input._array, "f", f"{name}_{'lastdim_' if last else ''}kernel_impl")
    return input


def softmax_of(self: Array, dim: int) -> Any:
    """Return the softmax along a dimension; the largest element is taken off first."""
    if not self.size or not self.ndim:
        return np.ones(self.shape, self.dtype)
    exponentials = np.exp(self - _max(self, dim, None, None, True))
    exponentials /= np.add.reduce(exponentials, dim, keepdims=True)
    return exponentials


def log_softmax_of(self: Array, dim: int) -> Any:
    """Return the logarithm of the softmax along a dimension."""
    if not self.size or not self.ndim:
        return np.zeros(self.shape, self.dtype)
    shifted = self - _max(self, dim, None, None, True)
    shifted -= np.log(np.add.reduce(np.exp(shifted), dim, keepdims=True))
    return shifted


def log_of_sum(self: Array, dim: Any, keepdim: bool) -> Any:
    """Return the logarithm of the sum of exponentials along some dimensions."""
    along = axes(self, dim)
    if not self.size:
        return np.log(added(np.exp(self), along, keepdim, None))
    largest = _max(self, along, None, None, True)
    largest = np.where(np.isinf(largest), np.zeros((), self.dtype), largest)
    total = np.log(added(np.exp(self - largest), along, keepdim, None))
    return total + largest.reshape(np.shape(total))


# Running totals

cumsum_along: Operation = op(
    "",
    "CumsumBackward0",
    lambda self, dim, dtype: (
        np.add.accumulate(self, dim, dtype) if self.ndim else self.astype(dtype or self.dtype)
    ),
    self=lambda grad, dim: cumsum_backward(grad, dim),
)
cumprod_along: Operation = op(
    "",
    "CumprodBackward0",
    lambda self, dim, dtype: (
        np.multiply.accumulate(self, dim, dtype) if self.ndim else self.astype(dtype or self.dtype)
    ),
    self=lambda grad, self, dim, result: cumprod_backward(grad, self, dim, result),
)


@public("cumsum")
def cumsum(input: Tensor, dim: int, *, dtype: Any = None) -> Any:
    """Return the sums of all elements so far along a dimension; dtypes and errors as `sum`."""
    checked_dim(dim, input._array.ndim)
    as_type = None
    if dtype is not None or input._value.dtype.kind != "f":
        as_type = sum_dtype(input, dtype)
    return cumsum_along(input, dim, as_type)


@public("cumprod")
def cumprod(input: Tensor, dim: int, *, dtype: Any = None) -> Any:
    """Return the products of all elements so far along a dimension; dtypes and errors as `sum`."""
    checked_dim(dim, input._array.ndim)
    as_type = None
    if dtype is not None or input._value.dtype.kind != "f":
        as_type = sum_dtype(input, dtype)
    return cumprod_along(input, dim, as_type)


def cumsum_backward(grad: Any, dim: int) -> Any:
    """Return the gradient of running sums: the running sums from the other end."""
    if math.prod(grad.shape) <= 1 or grad.shape[dim] == 1:
        return grad
    return flip_dims(cumsum_along(flip_dims(grad, (dim,)), dim, None), (dim,))


def cumprod_backward(grad: Any, self: Any, dim: int, result: Any) -> Any:
    """Return the gradient of running products, also where some elements are zero."""
    if math.prod(grad.shape) <= 1 or grad.shape[dim] == 1:
        return grad
    if not is_true((self == 0).any()):
        return cumsum_backward(result * grad, dim) / self
    dim %= len(self.shape)
    length = self.shape[dim]
    ones = one_like(self, dim)
    gradients = []
    for place in range(length):
        before = prod_dim(slice_view(self, dim, 0, place, 1), dim, True, None)
        after = cumprod_along(slice_view(self, dim, place + 1, length, 1), dim, None)
        others = before * cat_tensors([ones, after], dim, (1, length - place - 1))
        gradients.append(
            sum_dims(slice_view(grad, dim, place, length, 1) * others, (dim,), False, None)
        )
    return stack_tensors(gradients, dim)


# Orders


def ordering(node: str) -> Operation:
    """Declare a sort; PyTorch numbers the one that promises to be stable differently."""
    return op(
        "",
        node,
        lambda self, dim, descending: in_order(self, dim, descending),
        outputs="values indices",
        self=lambda grad, self_sym_sizes, dim, indices: to_places(
            grad, self_sym_sizes, dim, True, indices
        ),
    )


sort_along = ordering("SortBackward0")
sort_stably = ordering("SortBackward1")
topk_along: Operation = op(
    "",
    "TopkBackward0",
    lambda self, k, dim, largest: first_in_order(self, k, dim, largest),
    outputs="values indices",
    self=lambda grad, self_sym_sizes, dim, indices: to_places(
        grad, self_sym_sizes, dim, True, indices
    ),
)


@public("sort")
def sort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool | None = None) -> Any:
    """Return the elements along a dimension in order, and the places where they were.

    nan counts as the largest number. Equal elements keep their order.

    Raises:
        IndexError: if there is no such dimension.

    >>> import minigrad as torch
    >>> torch.tensor([2.0, 3.0, 1.0]).sort()
    torch.return_types.sort(
    values=tensor([1., 2., 3.]),
    indices=tensor([2, 0, 1]))
    """
    checked_dim(dim, input._array.ndim)
    operation = sort_along if stable is None else sort_stably
    return SortResult(*operation(input, dim, descending))


@public("argsort")
def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """Return the places of the elements along a dimension in the order of `sort`."""
    checked_dim(dim, input._array.ndim)
    return from_array(in_order(input._array, dim, descending)[1])


@public("topk")
def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """Return the `k` largest elements along a dimension, or the smallest, and their places.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if there are not as many elements.
    """
    place = checked_dim(dim, input._array.ndim)
    if not 0 <= k <= (input._array.shape[place] if input.ndim else 1):
        raise RuntimeError("selected index k out of range")
    return TopKResult(*topk_along(input, k, dim, largest))


@public("unique")
def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """Return the different elements in order, or the different places along a dimension.

    With `return_inverse` and `return_counts` also where each element is among them, and how often
    each occurs.

    Raises:
        IndexError: if there is no such dimension.
    """
    if dim is not None:
        checked_dim(dim, input._array.ndim)
    found: Any = np.unique(  # type: ignore[call-overload]
        input._array, return_inverse=return_inverse, return_counts=return_counts, axis=dim
    )
    if not isinstance(found, tuple):
        return from_array(found)
    return tuple([from_array(one) for one in found])


def sorting(self: Array, dim: int, descending: bool) -> Any:
    """Return the places of elements in order, equal ones as they come; nan is the largest."""
    if not descending:
        return self.argsort(dim, kind="stable")
    backward = np.flip(np.flip(self, dim).argsort(dim, kind="stable"), dim)
    return self.shape[dim] - 1 - backward


def in_order(self: Array, dim: int, descending: bool) -> tuple[Any, Any]:
    """Return the elements along a dimension in order, and their places."""
    if not self.ndim:
        return self.copy(), np.zeros((), np.int64)
    places = sorting(self, dim, descending)
    return np.take_along_axis(self, places, dim), places


def first_in_order(self: Array, k: int, dim: int, descending: bool) -> tuple[Any, Any]:
    """Return the first `k` elements in order along a dimension, and their places."""
    values, places = in_order(self, dim, descending)
    if not self.ndim:
        return values, places
    return values.take(range(k), dim), places.take(range(k), dim)
