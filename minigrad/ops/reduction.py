"""Operations that make one number of many: sums, means, extremes, norms; and orders and softmax.

Each takes all elements together, or those along some dimensions, which then disappear, or with
`keepdim` remain with length 1.
Source: https://github.com/pytorch/pytorch/blob/main/tools/autograd/derivatives.yaml
"""

# Formulas refer to operations that are declared below them.
# mypy: disable-error-code="has-type"

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Sequence
from operator import index as as_index
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.arrays import total as sum_of
from minigrad.autograd.node import Array
from minigrad.memory import in_line, laid_out_as
from minigrad.ops.calls import refusing
from minigrad.ops.check import (
    check,
    checked_int,
    chosen_dims,
    length_along,
    require,
)
from minigrad.ops.define import define, hidden, result_type
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
    sgn,
    to_dtype,
)
from minigrad.ops.registry import Operation, public
from minigrad.ops.shape import (
    added,
    axes,
    cat_tensors,
    expand_to,
    fit,
    flip_dims,
    reduced,
    restored,
    slice_view,
    stack_tensors,
    sum_all,
    sum_dims,
    unsqueeze,
    view_as_size,
    zeros,
)
from minigrad.outside import warn
from minigrad.size import checked_dim
from minigrad.tensor import Tensor, from_array

FUNCTION = "function"

NO_ELEMENTS = (
    "{0}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction "
    "dim with the 'dim' argument."
)
NOT_GIVEN: Any = type("NotGiven", (), {"__repr__": lambda self: "NOT_GIVEN"})()
_max: Any = np.maximum.reduce
_min: Any = np.minimum.reduce
_product: Any = np.multiply.reduce


def named(name: str, documentation: str, declare: Any) -> Callable[[Any], Operation]:
    """Give a function that serves for several operations the name of one, and declare it."""

    def rename(function: Any) -> Operation:
        function.__name__ = function.__qualname__ = name
        function.__doc__ = documentation
        operation: Operation = declare(function)
        return operation

    return rename


# Sums, means, products


def shared(grad: Any, self_sym_sizes: tuple[int, ...]) -> Any:
    """Return the gradient of a mean of all elements: to each the same share."""
    count = math.prod(self_sym_sizes)
    if isinstance(grad, Tensor):
        return div_number(expand_to(grad, self_sym_sizes), count)
    shares = np.empty(self_sym_sizes, grad.dtype)
    shares.fill(grad / count if count else np.nan)
    return shares


def averaged(self: Array, dim: Any, keepdim: bool, dtype: Any) -> Any:
    """Return the mean along some dimensions."""
    if dim is None and dtype is None and not keepdim and self.dtype.char in "fd":
        return sum_of(self) / self.size
    if self.dtype.char == "e" and dtype is None:
        return averaged(self, dim, keepdim, np.dtype(np.float32)).astype(self.dtype)
    total = added(self, axes(self, dim), keepdim, dtype)
    return total / (self.size if dim is None else count_along(self.shape, dim))


def count_along(sizes: tuple[int, ...], dim: Sequence[int] | None) -> int:
    """Return how many elements of a shape go into one of its reduction along some dimensions."""
    if not dim or not sizes:
        return math.prod(sizes)
    return math.prod([sizes[one] for one in dim])


def prod_backward(
    grad: Any, self: Any, result: Any, dim: int | None = None, keepdim: bool = True
) -> Any:
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
    before = cumprod_along(before, dim, None)
    after = flip_dims(slice_view(self, dim, 1, length, 1), (dim,))
    after = cat_tensors([ones, after], dim, (1, length - 1))
    return before * flip_dims(cumprod_along(after, dim, None), (dim,))


def one_like(self: Any, dim: int) -> Any:
    """Return ones in the shape of an array or tensor, with length 1 along a dimension."""
    sizes = (*self.shape[:dim], 1, *self.shape[dim + 1 :])
    return zeros(sizes, self) + 1


mean_all = hidden(
    "MeanBackward0", lambda self, dtype: averaged(self, None, False, dtype), self=shared
)
mean_dims = hidden(
    "MeanBackward1",
    averaged,
    self=lambda grad, self_sym_sizes, dim, keepdim: div_number(
        expand_to(restored(grad, self_sym_sizes, dim, keepdim), self_sym_sizes),
        count_along(self_sym_sizes, dim),
    ),
)
prod_all = hidden(
    "ProdBackward0",
    lambda self, dtype: _product(self, None, dtype),
    self=lambda grad, self, result: prod_backward(grad, self, result),
)
prod_dim = hidden(
    "ProdBackward1",
    lambda self, dim, keepdim, dtype: reduced(
        _product(self, dim if self.ndim else None, dtype, None, keepdim), keepdim
    ),
    self=prod_backward,
)


@public("sum")
def sum(
    input: Tensor,
    dim: Any = NOT_GIVEN,
    keepdim: bool = False,
    *,
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
    plain = dtype is None and input._value.dtype.kind == "f"
    as_type = None if plain else sum_dtype(input, dtype)
    if dim is NOT_GIVEN:
        return sum_all(input, as_type)
    return sum_dims(input, chosen_dims("sum", dim, input._array.ndim), keepdim, as_type)


@public("mean")
def mean(
    input: Tensor,
    dim: Any = NOT_GIVEN,
    keepdim: bool = False,
    *,
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
    if dtype is not None or input._value.dtype.kind != "f":
        which, wrong = ("Optional", dtype) if dtype is not None else ("Input", input.dtype)
        text = (
            "mean(): could not infer output dtype. {} dtype must be either a floating point or "
            "complex dtype. Got: {}"
        )
        check(wrong.is_floating_point, text, which, wrong.scalar_name)
        dtype = wrong.numpy_dtype
    if dim is NOT_GIVEN:
        return mean_all(input, dtype)
    return mean_dims(input, chosen_dims("mean", dim, input._array.ndim), keepdim, dtype)


def nansum_backward(grad: Any, self: Any, dim: Any, keepdim: bool) -> Any:
    """Return the gradient of a sum: 0 for what counts as 0."""
    dtype = getattr(self, "_value", self).dtype
    grad = restored(fit(grad, grad.shape, dtype), self.shape, dim, keepdim)
    return expand_to(grad, self.shape) * ~isnan(self)


@define("NansumBackward0", self=nansum_backward)
def nansum(self: Array, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """Return a sum in which nan counts as zero; otherwise as `sum`."""
    along = axes(self, chosen_dims("nansum", dim, self.ndim))
    default = None if self.dtype.kind == "f" else np.dtype(np.int64)
    as_type = default if dtype is None else dtype.numpy_dtype
    return added(np.where(np.isnan(self), self.dtype.type(0), self), along, keepdim, as_type)


@public("prod")
def prod(input: Tensor, dim: Any = NOT_GIVEN, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """Return the product of all elements, or of those along a dimension.

    Booleans and integers are multiplied as int64, unless `dtype` says otherwise.

    Raises:
        IndexError: if there is no such dimension.
    """
    if dim is NOT_GIVEN:
        return prod_all(input, sum_dtype(input, dtype))
    checked_dim(as_index(dim), input._array.ndim)
    return prod_dim(input, dim, keepdim, sum_dtype(input, dtype))


def sum_dtype(input: Tensor, dtype: Any) -> np.dtype[Any] | None:
    """Return the dtype in which elements are added up; None for their own."""
    if dtype is None:
        return None if input._value.dtype.kind == "f" else np.dtype(np.int64)
    fits = dtype.is_floating_point or not input._requires_grad
    check(fits, "Autograd not support dtype: {}", dtype.scalar_name)
    as_type: np.dtype[Any] = dtype.numpy_dtype
    return as_type


# Extremes


def is_true(value: Any) -> bool:
    """Return whether a 0-d array or tensor is true."""
    return bool(value)


def shared_out(grad: Any, self: Any, result: Any) -> Any:
    """Return a gradient shared evenly by the elements that are equal to the result."""
    mask = isnan(self) if is_true(isnan(result)) else self == result
    return fill_tensor(zeros(self.shape, self), mask, grad / mask.sum())


def shared_along(grad: Any, self: Any, dim: Any, keepdim: bool, result: Any) -> Any:
    """Return gradients shared evenly by the elements that equal the result along dimensions."""
    dims = (dim,) if isinstance(dim, int) else tuple(dim)
    if self.shape and not keepdim:
        gone = [one % len(self.shape) for one in dims or range(len(self.shape))]
        sizes = tuple([1 if place in gone else n for place, n in enumerate(self.shape)])
        grad, result = view_as_size(grad, sizes), view_as_size(result, sizes)
    mask = self == result
    return (grad / sum_dims(mask, dims or None, True, None)) * mask


def to_places(
    grad: Any, self_sym_sizes: tuple[int, ...], dim: int, keepdim: bool, indices: Any
) -> Any:
    """Return gradients put at the places from which their values were taken along a dimension."""
    sizes = self_sym_sizes
    grad = grad[0] if isinstance(grad, list) else grad
    if not keepdim and sizes:
        grad, indices = unsqueeze(grad, dim), unsqueeze(indices, dim)
    return scatter_source(zeros(sizes, grad), dim % builtins.max(len(sizes), 1), indices, grad)


def put_back(grad: Any, self_sym_sizes: tuple[int, ...], dim: int, indices: Any) -> Any:
    """Return gradients put at the places from which several values were taken along a dimension."""
    return to_places(grad, self_sym_sizes, dim, True, indices)


def at_places(self: Array, find: Any, dim: int, keepdim: bool) -> tuple[Any, Any]:
    """Return the values and places that a function finds along a dimension."""
    if not self.ndim:
        return self.copy(), np.zeros((), np.int64)
    places = np.expand_dims(find(self, dim), dim)
    values = np.take_along_axis(self, places, dim)
    return (values, places) if keepdim else (values.squeeze(dim), places.squeeze(dim))


def place_of_extreme(node: str, find: Callable[..., Any]) -> Operation:
    """Declare a choice of one element along a dimension, and of its place."""
    return hidden(
        node,
        lambda self, dim, keepdim: at_places(self, find, dim, keepdim),
        outputs="values indices",
        self=to_places,
    )


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


def nanmedian_places(self: Array, dim: int) -> Any:
    """Return the places of the lower medians of what is no nan along a dimension."""
    if self.dtype.kind != "f":
        return median_places(self, dim)
    count = (~np.isnan(self)).sum(dim, keepdims=True)
    middle = np.maximum(count - 1, 0) // 2
    return np.take_along_axis(sorting(self, dim, False), middle, dim).squeeze(dim)


def nanmedian_of(self: Array) -> Any:
    """Return the lower median of all elements that are no nans; nan of none."""
    if not self.size:
        return np.asarray(np.nan).astype(self.dtype)
    line = self.reshape(-1)
    return line[nanmedian_places(line, 0)]


def mode_places(self: Array, dim: int) -> Array:
    """Return the last places of the most frequent elements, the smallest of several."""
    lines = np.moveaxis(self, dim, -1)
    found = [mode_place(line) for line in lines.reshape(-1, lines.shape[-1])]
    return np.array(found, np.int64).reshape(lines.shape[:-1])


def mode_place(line: Array) -> Any:
    """Return the last place of the most frequent element, the smallest of several."""
    values, counts = np.unique(line, return_counts=True, equal_nan=False)
    most = values[counts.argmax()]
    return np.flatnonzero((line == most) | (most != most))[-1]  # a NaN if there is nothing else


max_all = hidden("MaxBackward1", lambda self: _max(self, None), self=shared_out)
min_all = hidden("MinBackward1", lambda self: _min(self, None), self=shared_out)
median_all = hidden("MedianBackward0", median_of, self=shared_out)
nanmedian_all = hidden("NanmedianBackward0", nanmedian_of, self=shared_out)
nanmedian_dim = place_of_extreme("NanmedianBackward1", nanmedian_places)
max_dim = place_of_extreme("MaxBackward0", np.argmax)
min_dim = place_of_extreme("MinBackward0", np.argmin)
median_dim = place_of_extreme("MedianBackward1", median_places)


def extreme(name: str, whole: Operation, along: Operation, binary: Operation) -> Operation:
    """Return max or min: of all elements, along a dimension, or of two tensors."""
    result = result_type(name, "values indices")
    documentation = f"""Return the {name}imum of all elements.

    With ``dim``, return the {name}ima along that dimension and their places, as a named tuple of
    ``values`` and ``indices``; with another tensor, the larger element of each pair.

    Raises:
        RuntimeError, IndexError: if there is nothing to choose from, or no such dimension.
    """

    @named(name, documentation, public(name))
    def function(
        input: Tensor, dim: Any = None, keepdim: bool = False, *, other: Any = None
    ) -> Any:
        if other is not None:
            return binary(input, other)
        if dim is None:
            check(input._array.size, NO_ELEMENTS, name)
            return whole(input)
        check_not_empty(name, input._array, dim)
        return result(along(input, dim, keepdim))

    return function


def check_not_empty(name: str, self: Array, dim: int) -> int:
    """Return a dimension counted from the front, if there is something along it."""
    place = checked_dim(dim, self.ndim)
    text = "{}(): Expected reduction dim {} to have non-zero size."
    check(self.size or self.shape[place], text, name, place, error=IndexError)
    return place


max = extreme("max", max_all, max_dim, maximum)
min = extreme("min", min_all, min_dim, minimum)


def extremes(name: str, reduce: Any, best: str) -> Operation:
    """Return amax or amin."""
    documentation = f"""Return the {best} elements along some dimensions, or of all.

    Elements that are equal share the gradient.

    Raises:
        RuntimeError, IndexError: if there is nothing to choose from, or no such dimension.
    """

    @named(name, documentation, define(f"{name.capitalize()}Backward0", self=shared_along))
    def function(self: Array, dim: Any = (), keepdim: bool = False) -> Any:
        given = (dim,) if isinstance(dim, int) else dim
        check(self.size or given, NO_ELEMENTS, name)
        text = "{}(): Expected reduction dim {} to have non-zero size."
        for one in () if self.size else given:
            length = length_along(self.shape, checked_dim(one, self.ndim))
            check(length, text, name, one, error=IndexError)
        dims = chosen_dims(name, dim, self.ndim)
        return reduced(reduce(self, axes(self, dims), None, None, keepdim), keepdim)

    return function


amax = extremes("amax", _max, "largest")
amin = extremes("amin", _min, "smallest")


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
    check_not_empty("median", input._array, dim)
    require(input._array, "fiu", "median_out")
    return MedianResult(median_dim(input, dim, keepdim))


@public("nanmedian")
def nanmedian(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """Return the median of what is no nan, as `median` does.

    Raises:
        IndexError: if there is no such dimension, or nothing along it.
    """
    if dim is None:
        if input._array.size:
            require(input._array, "fiu", "median_cpu")
        return nanmedian_all(input)
    check_not_empty("median", input._array, dim)
    require(input._array, "fiu", "median_out")
    return NanmedianResult(nanmedian_dim(input, dim, keepdim))


MedianResult = result_type("median", "values indices")
NanmedianResult = result_type("nanmedian", "values indices")


@define("ModeBackward0", outputs="values indices", self=to_places)
def mode(self: Array, dim: int = -1, keepdim: bool = False) -> Any:
    """Return the most frequent elements along a dimension, the smallest of several, and a place.

    Raises:
        IndexError: if there is no such dimension, or nothing along it.
    """
    check_not_empty("mode", self, dim)
    return at_places(self, mode_places, dim, keepdim)


@define("KthvalueBackward0", outputs="values indices", self=to_places)
def kthvalue(self: Array, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """Return the k-th smallest elements along a dimension, counted from 1, and their places.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if there are not as many elements.
    """
    place = checked_dim(dim, self.ndim)
    check_not_empty("kthvalue", self, dim)
    if self.ndim:
        require(self, "fiu", "kthvalue_cpu")
    fits = 1 <= k <= length_along(self.shape, place)
    check(fits, "kthvalue(): selected number k out of range for dimension {}", place)
    return at_places(
        self, lambda line, axis: sorting(line, axis, False).take(k - 1, axis), dim, keepdim
    )


def place_of(name: str, find: Any, best: str) -> Operation:
    """Return argmax or argmin."""
    documentation = f"""Return the place of the {best} element in the tensor seen as one line.

    With ``dim``, return the places along that dimension. Of several, it is the first.

    Raises:
        IndexError: if there is no such dimension, or nothing to choose from.
        RuntimeError: for booleans.
    """

    @named(name, documentation, define(""))
    def function(self: Array, dim: int | None = None, keepdim: bool = False) -> Any:
        check(self.dtype.kind != "b", "{}(): does not support bool input", name)
        if dim is None:
            text = "{}(): Expected reduction dim to be specified for input.numel() == 0."
            check(self.size, text, name, error=IndexError)
            return np.asarray(find(self)).reshape((1,) * self.ndim if keepdim else ())
        dim = checked_int(name, dim)
        check_not_empty(name, self, dim)
        return find(self, dim, keepdims=keepdim) if self.ndim else np.zeros((), np.int64)

    return function


argmax = place_of("argmax", np.argmax, "largest")
argmin = place_of("argmin", np.argmin, "smallest")


def truth(name: str, reduce: Any, meaning: str) -> Operation:
    """Return any or all."""
    documentation = f"""Return whether {meaning} true, that is, not zero.

    With ``dim``, one dimension or several, return it for those along them.

    Raises:
        IndexError: if there is no such dimension.
    """

    @named(name, documentation, define(""))
    def function(self: Array, dim: Any = None, keepdim: bool = False) -> Any:
        dims = () if dim in ((), []) else axes(self, chosen_dims(name, dim, self.ndim))
        result = reduced(reduce(self, dims, np.bool_, None, keepdim), keepdim)
        return result.astype(np.uint8) if self.dtype == np.uint8 else result

    return function


any = truth("any", np.logical_or.reduce, "some element is")
all = truth("all", np.logical_and.reduce, "all elements are")


@define("")
def count_nonzero(self: Array, dim: Any = None) -> Any:
    """Return how many elements are not zero, of all or along some dimensions."""
    dims = axes(self, chosen_dims("count_nonzero", dim, self.ndim))
    return in_line(np.asarray(np.count_nonzero(self, axis=dims)))


# Spread


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
        apart = self - middle
        return mul_number(grad, 2 / freedom) * apart
    if len(self.shape) > 1:
        grad = restored(grad, self.shape, dim, keepdim)
    freedom = count_along(self.shape, dim) - less
    factor = 2 / freedom if freedom else math.inf
    apart = self - mean_dims(self, dim, True, None)
    return mul_number(grad, factor) * apart


def over_root(grad: Any, result: Any) -> Any:
    """Return the gradient of what a root was taken of; 0 where it is 0."""
    return masked_fill(grad / mul_number(result, 2), result == 0, 0)


where_equal = hidden(
    "", lambda self, other: np.where(self == other, np.nan, np.inf).astype(np.float32)
)
var_dims = hidden("VarBackward0", variance, self=var_backward)
std_dims = hidden(
    "StdBackward0",
    lambda self, dim, correction, keepdim: np.sqrt(variance(self, dim, correction, keepdim)),
    self=lambda grad, self, dim, correction, keepdim, result: var_backward(
        over_root(grad, result), self, dim, correction, keepdim
    ),
)


def spread_with_mean_backward(
    slope: Any, grad: Any, self: Any, dim: Any, correction: Any, keepdim: bool
) -> Any:
    """Return the gradient of a spread and a mean; `slope` makes that of a spread its variance's."""
    of_spread, of_mean = grad
    parts = []
    if of_spread is not None:
        parts.append(var_backward(slope(of_spread), self, dim, correction, keepdim))
    if of_mean is not None:
        whole = expand_to(restored(of_mean, self.shape, dim, keepdim), self.shape)
        parts.append(div_number(whole, count_along(self.shape, dim)))
    return parts[0] if len(parts) == 1 else parts[0] + parts[1]


def with_mean(node: str, root: Any, gradient: Any) -> Operation:
    """Declare a variance or standard deviation that comes with the mean."""
    return hidden(
        node,
        lambda self, dim, correction, keepdim: (
            root(variance(self, dim, correction, keepdim)),
            np.asarray(averaged(self, dim, keepdim, None)),
        ),
        outputs="result0 result1",
        self=gradient,
    )


var_mean_dims = with_mean(
    "VarMeanBackward0",
    np.asarray,
    lambda grad, self, dim, correction, keepdim: spread_with_mean_backward(
        lambda of_var: of_var, grad, self, dim, correction, keepdim
    ),
)
std_mean_dims = with_mean(
    "StdMeanBackward0",
    np.sqrt,
    lambda grad, self, dim, correction, keepdim, result0: spread_with_mean_backward(
        lambda of_std: over_root(of_std, result0), grad, self, dim, correction, keepdim
    ),
)


def spread(
    name: str, operation: Operation, meaning: str, variants: str = "function method"
) -> Operation:
    """Return var or std, or one of them with the mean."""
    documentation = f"""Return the {meaning} of all elements, or of those along dimensions.

    The sum of squares is divided by the number of elements less ``correction``: 1 by default, or
    with ``unbiased=False``, 0.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if the dtype is not floating point.
    """

    @named(name, documentation, public(name, variants))
    def function(
        input: Tensor,
        dim: Any = None,
        unbiased: bool | None = None,
        keepdim: bool = False,
        *,
        correction: Any = NOT_GIVEN,
    ) -> Any:
        fits = input._array.dtype.kind == "f"
        who = name if "mean" in name else "std and var"
        check(fits, "{} only support floating point and complex dtypes", who)
        if isinstance(dim, bool):
            dim, unbiased = None, dim
        if correction is NOT_GIVEN:
            default = None if dim is None and unbiased is None else 1
            correction = default if unbiased is None else int(unbiased)
        dims = chosen_dims(name, dim, input._array.ndim)
        less = 1 if correction is None else correction
        if not input._array.size or count_along(input._array.shape, dims) <= less:
            warn(
                f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than "
                "the reduction factor (input numel divided by output numel)."
            )
        return operation(input, dims, correction, keepdim)

    return function


var = spread("var", var_dims, "variance")
std = spread("std", std_dims, "standard deviation")
var_mean = spread("var_mean", var_mean_dims, "variance and the mean", FUNCTION)
std_mean = spread("std_mean", std_mean_dims, "standard deviation and the mean", FUNCTION)


# Norms


def norm_of(self: Array, ord: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    """Return the norm along some dimensions; of float16 it is computed in float32."""
    result_dtype = dtype or self.dtype
    wide = np.dtype(np.float32) if self.dtype.char == "e" else result_dtype
    sizes, along = np.absolute(self.astype(wide, copy=False)), axes(self, dim)
    if ord == math.inf:
        total = _max(sizes, along, None, None, keepdim)
    elif ord == -math.inf:
        total = _min(sizes, along, None, None, keepdim)
    elif ord == 0:
        total = added(sizes != 0, along, keepdim, wide)
    elif ord == 1:
        total = added(sizes, along, keepdim, None)
    elif ord == 2:
        total = np.sqrt(added(sizes * sizes, along, keepdim, None))
    else:
        total = added(sizes**ord, along, keepdim, None) ** (1 / ord)
    return reduced(np.asarray(total).astype(result_dtype, copy=False), keepdim)


def norm_backward(grad: Any, self: Any, ord: Any, dim: Any, keepdim: bool, result: Any) -> Any:
    """Return the gradient of a norm; of orders above 1 it is zero where the norm is."""
    grad = restored(grad, self.shape, dim, keepdim)
    result = restored(result, self.shape, dim, keepdim)
    if ord == 0:
        return None
    if ord == 1:
        return sgn(self) * grad
    if ord == 2:
        return grad * masked_fill(self / result, result == 0, 0)
    if math.isinf(ord):
        largest = (abs(self) == result) | (isnan(self) & isnan(result))
        return sgn(self) * ((grad / sum_dims(largest, dim, True, None)) * largest)
    if ord < 1:
        scaled = sgn(self) * masked_fill(pow(abs(self), ord - 1), self == 0, 0)
        return scaled * grad * pow(result, 1 - ord)
    powers = pow(abs(self), ord - 2) if ord >= 2 else pow(abs(self), ord - 1)
    scaled = (self if ord >= 2 else sgn(self)) * powers
    return scaled * masked_fill(grad / pow(result, ord - 1), result == 0, 0)


vector_norm_dims = hidden("LinalgVectorNormBackward0", norm_of, self=norm_backward)


@refusing("linalg_vector_norm", out=True)
def vector_norm(
    x: Tensor, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Any:
    """Return the norm of order `ord` of all elements, or of those along some dimensions.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if the dtype is not floating point, or a maximum of nothing is asked for.
    """
    check_norm("linalg.vector_norm", x, dtype)
    dims = chosen_dims("linalg.vector_norm", dim, x._array.ndim)
    empty = [] if x._array.size else [one for one in dims or () if not length_along(x.shape, one)]
    which = f"the dimension {empty[0]}" if empty else "an empty tensor "  # sic
    text = (
        "linalg.vector_norm cannot compute the {:g} norm on {}because {}the operation does not "
        "have an identity"
    )
    defined = not empty if dims else x._array.size
    also = "this dimension is empty and " * bool(empty)
    check(defined or 0 <= ord < math.inf, text, ord, which, also)
    return vector_norm_dims(x, ord, dims, keepdim, None if dtype is None else dtype.numpy_dtype)


def check_norm(name: str, input: Tensor, dtype: dtypes.dtype | None) -> None:
    """Refuse to compute norms of a tensor, in a dtype, unless both are floating point."""
    own, text = input.dtype, "{}: Expected a floating point or complex tensor as input. Got {}"
    check(own.is_floating_point, text, name, own.scalar_name)
    if dtype is not None:
        text = "{}: dtype should be floating point or complex, but got {}"
        check(dtype.is_floating_point, text, name, dtype.scalar_name)
        text = (
            "{}: the dtype of the input ({}) should be convertible without narrowing to the "
            "specified dtype ({})"
        )
        fits = dtypes.promote_types(own, dtype) is dtype
        check(fits, text, name, own.scalar_name, dtype.scalar_name)


# Softmax and its logarithm


def softmax_of(self: Array, dim: int) -> Any:
    """Return the softmax along a dimension; the largest element is taken off first."""
    if not self.size or not self.ndim:
        return np.ones(self.shape, self.dtype)
    if not self.flags.c_contiguous:
        self = self.copy()
    exponentials = np.exp(self - _max(self, dim, None, None, True))
    exponentials /= np.add.reduce(exponentials, dim, keepdims=True)
    return exponentials


def log_softmax_of(self: Array, dim: int) -> Any:
    """Return the logarithm of the softmax along a dimension."""
    if not self.size or not self.ndim:
        return np.zeros(self.shape, self.dtype)
    if not self.flags.c_contiguous:
        self = self.copy()
    shifted = self - _max(self, dim, None, None, True)
    shifted -= np.log(np.add.reduce(np.exp(shifted), dim, keepdims=True))
    return shifted


softmax_along = hidden(
    "SoftmaxBackward0",
    softmax_of,
    self=lambda grad, result, dim: softmax_backward(grad, result, dim),
)
softmax_backward = hidden(
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
log_softmax_along = hidden(
    "LogSoftmaxBackward0",
    log_softmax_of,
    self=lambda grad, result, dim: log_softmax_backward(grad, result, dim),
)
log_softmax_backward = hidden(
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


@define(
    "LogsumexpBackward0",
    self=lambda grad, self, dim, keepdim, result: (
        restored(grad, self.shape, dim, keepdim)
        * exp(self - restored(result, self.shape, dim, keepdim))
    ),
)
def logsumexp(self: Array, dim: Any, keepdim: bool = False) -> Any:
    """Return the logarithm of the sum of exponentials along some dimensions, without overflow.

    Raises:
        IndexError: if there is no such dimension.
    """
    along = axes(self, chosen_dims("logsumexp", dim, self.ndim))
    if self.dtype.kind != "f":
        self = self.astype(dtypes.get_default_dtype().numpy_dtype)
    if not self.size:
        return np.log(added(np.exp(self), along, keepdim, None))
    largest = _max(self, along, None, None, True)
    largest = np.where(np.isinf(largest), self.dtype.type(0), largest)
    total = np.log(added(np.exp(self - largest), along, keepdim, None))
    return total + largest.reshape(np.shape(total))


# Running totals


def running(accumulate: Any) -> Callable[..., Any]:
    """Return the forward function of a running sum or product."""
    return lambda self, dim, dtype: (
        accumulate(in_line(self), dim, dtype) if self.ndim else self.astype(dtype or self.dtype)
    )


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


def partial_sums(array: Array, dim: int, dtype: Any) -> Any:
    """Return the sums of the first elements along a dimension; of -0 alone 0."""
    return np.add.accumulate(array, dim, dtype) + 0


cumsum_along = hidden("CumsumBackward0", running(partial_sums), self=cumsum_backward)
cumprod_along = hidden("CumprodBackward0", running(np.multiply.accumulate), self=cumprod_backward)


@public("cumsum", "function method inplace")
def cumsum(input: Tensor, dim: int, *, dtype: Any = None) -> Any:
    """Return the sums of all elements so far along a dimension; dtypes and errors as `sum`."""
    checked_dim(dim, input._array.ndim)
    return cumsum_along(input, dim, sum_dtype(input, dtype))


@public("cumprod", "function method inplace")
def cumprod(input: Tensor, dim: int, *, dtype: Any = None) -> Any:
    """Return the products of all elements so far along a dimension; dtypes and errors as `sum`."""
    checked_dim(dim, input._array.ndim)
    return cumprod_along(input, dim, sum_dtype(input, dtype))


# Orders


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
    values = np.take_along_axis(self, places, dim)
    return laid_out_as(values, self), laid_out_as(places, self)


sort_along = hidden("SortBackward0", in_order, outputs="values indices", self=put_back)
# PyTorch numbers the one that promises to be stable differently.
sort_stably = hidden("SortBackward1", in_order, outputs="values indices", self=put_back)
SortResult = result_type("sort", "values indices")


@public("sort")
def sort(
    input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool | None = None
) -> Any:
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
    return SortResult(operation(input, dim, descending))


@define("")
def argsort(self: Array, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """Return the places of the elements along a dimension in the order of `sort`."""
    checked_dim(dim, self.ndim)
    return in_order(self, dim, descending)[1]


@define("TopkBackward0", outputs="values indices", self=put_back)
def topk(self: Array, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """Return the `k` largest elements along a dimension, or the smallest, and their places.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if there are not as many elements.
    """
    fits = 0 <= k <= length_along(self.shape, checked_dim(dim, self.ndim))
    check(fits, "selected index k out of range")
    check(self.dtype.kind != "b", "topk does not support bool dtypes on CPU")
    values, places = in_order(self, dim, largest)
    if self.ndim:
        values, places = values.take(range(k), dim), places.take(range(k), dim)
    return values, places


def without_formula(node_name: str, function: str) -> Operation:
    """Declare what is found among the elements; PyTorch records it, and cannot differentiate it."""

    def refuse(grad: Any) -> Any:
        raise NotImplementedError(f"the derivative for '{function}' is not implemented.")

    return hidden(node_name, lambda self, found: found, self=refuse)


unique_elements = without_formula("Unique2Backward0", "_unique2")
unique_places = without_formula("UniqueDimBackward0", "unique_dim")


def checked_unique_dim(array: Array, dim: int, no_int: str) -> int:
    """Return the dimension along which places are compared, counted from the front."""
    is_int = isinstance(dim, int) and not isinstance(dim, bool)
    check(is_int, no_int, type(dim).__name__, error=TypeError)
    nowhere = "Dimension specified as {} but tensor has no dimensions"
    check(array.ndim, nowhere, dim, error=IndexError)
    dim = checked_dim(dim, array.ndim)
    text = "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied"
    check(array.size or array.shape.count(0) == (array.shape[dim] == 0), text)
    return dim


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
        RuntimeError: if there is nothing in any place along it.
    """
    if dim is not None:
        text = "unique_dim(): argument 'dim' (position 2) must be int, not {}"
        dim = checked_unique_dim(input._array, dim, text)
    found: Any = np.unique(  # type: ignore[call-overload]
        input._array,
        return_inverse=return_inverse,
        return_counts=return_counts,
        axis=dim,
        equal_nan=False,
    )
    recorded = unique_elements if dim is None else unique_places
    if not isinstance(found, tuple):
        return recorded(input, found)
    return recorded(input, found[0]), *map(from_array, found[1:])
