"""What describes many elements: quantiles, covariances, running extremes, counts, grids.

Source: https://github.com/pytorch/pytorch/blob/main/tools/autograd/derivatives.yaml
"""

# Formulas refer to operations that are declared below them.
# mypy: disable-error-code="has-type"

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.autograd.node import Array
from minigrad.data import evenly
from minigrad.memory import in_line
from minigrad.ops import extremes, ordering, reduction
from minigrad.ops.check import (
    check,
    check_shapes,
    checked_tensors,
    chosen_dims,
    name_of,
    of_full_precision,
    require,
)
from minigrad.ops.define import define, hidden, named
from minigrad.ops.gathering import gather, masked_select, scatter_add
from minigrad.ops.half import rounded_once
from minigrad.ops.linalg import mm
from minigrad.ops.pointwise import (
    abs,
    choose,
    clamp,
    div_number,
    div_tensors,
    exp,
    isnan,
    log,
    logical_xor,
    masked_fill,
    mul_number,
    refuse_backward,
    refuse_bools,
    sqrt,
    sub_tensors,
    zeros_like,
)
from minigrad.ops.promotion import array_of, as_operand, check_tensor
from minigrad.ops.registry import public
from minigrad.ops.shape import (
    FUNCTION,
    axes,
    cat,
    common_shape,
    diagonal,
    expand_to,
    flatten,
    flip_dims,
    meshgrid,
    narrow,
    reshaped,
    select_view,
    slice_view,
    squeeze,
    stack_tensors,
    t,
    transpose,
    unsqueeze,
    view_as_size,
    viewed,
    zeros,
)
from minigrad.outside import warn
from minigrad.return_types import result_type
from minigrad.size import checked_dim
from minigrad.tensor import Tensor, from_array

NO_FREEDOM = (
    "cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of "
    "observations."
)
TOO_MANY_DIMENSIONS = (
    "{}(): expected input to have two or fewer dimensions but got an input with {} dimensions"
)

# Extremes: of both kinds, and running ones


def aminmax_backward(grad: Any, self: Any, dim: Any, keepdim: bool, min: Any, max: Any) -> Any:
    """Return the gradient of a smallest and a largest element: shared by those that equal them."""
    dims = () if dim is None else dim
    parts = [
        extremes.shared_along(one, self, dims, keepdim, result)
        for one, result in zip(grad, (min, max), strict=True)
        if one is not None
    ]
    return parts[0] if len(parts) == 1 else parts[0] + parts[1]


aminmax_of = hidden(
    "AminmaxBackward0",
    lambda self, dim, keepdim: tuple(
        [
            reduce(self, axes(self, chosen_dims("aminmax", dim, self.ndim)), keepdims=keepdim)
            for reduce in (np.min, np.max)
        ]
    ),
    outputs="min max",
    self=aminmax_backward,
)
AminmaxResult = result_type("aminmax", "min max")


@public("aminmax")
def aminmax(input: Tensor, *, dim: int | None = None, keepdim: bool = False) -> Any:
    """Return the smallest and the largest element, of all or along a dimension, as `min`, `max`.

    Raises:
        RuntimeError, IndexError: if there is nothing to choose from, or no such dimension.
    """
    if dim is not None:
        place = checked_dim(dim, input.ndim)
        text = "aminmax: Expected reduction dim {} to have non-zero size."
        empty = not input._array.size and not input._array.shape[place]
        check(not empty, text, place, error=IndexError)
    text = (
        "aminmax(): cannot compute aminmax over an empty dimension as the operation has no "
        "identity."
    )
    check(input._array.size or dim is not None, text)
    return AminmaxResult(aminmax_of(input, dim, keepdim))


def running_extreme(self: Array, dim: int, accumulate: Any) -> tuple[Any, Any]:
    """Return the extremes so far along a dimension, and the places of the last that equal them."""
    if not self.size:
        return self.copy(), np.zeros(self.shape, np.int64)
    checked_dim(dim, self.ndim)
    if not self.ndim:
        return self.copy(), np.zeros((), np.int64)
    self = in_line(self)
    values = accumulate(self, dim)
    hit = (self == values) | (self != self)
    line = np.arange(self.shape[dim]).reshape([-1] + [1] * (self.ndim - 1 - dim % self.ndim))
    return values, np.maximum.accumulate(np.where(hit, line, 0), dim)


def added_at_places(grad: Any, self: Any, dim: int, indices: Any) -> Any:
    """Return gradients added up at the places from which their values were taken."""
    if 0 in self.shape:
        return self
    return scatter_add(zeros(self.shape, grad[0]), dim, indices, grad[0])


@define("CummaxBackward0", outputs="values indices", self=added_at_places)
def cummax(self: Array, dim: int) -> Any:
    """Return the largest elements so far along a dimension, and their places."""
    return running_extreme(self, dim, np.maximum.accumulate)


@define("CumminBackward0", outputs="values indices", self=added_at_places)
def cummin(self: Array, dim: int) -> Any:
    """Return the smallest elements so far along a dimension, and their places."""
    return running_extreme(self, dim, np.minimum.accumulate)


def logcumsumexp_backward(grad: Any, self: Any, dim: int, result: Any) -> Any:
    """Return the gradient of a running log of sums; of either sign apart, as logarithms."""
    if not math.prod(grad.shape) or not grad.shape:
        return grad
    sizes, least = log(abs(grad)), float(np.finfo(array_of(grad).dtype).min)
    parts = []
    for side in (grad > 0, grad < 0):
        reverse = flip_dims(choose(side, sizes, least) - result, (dim,))
        parts.append(exp(flip_dims(logcumsumexp(reverse, dim), (dim,)) + self))
    return parts[0] - parts[1]


@define("LogcumsumexpBackward0", self=logcumsumexp_backward)
@rounded_once
def logcumsumexp(self: Array, dim: int) -> Any:
    """Return the logarithms of the sums of exponentials so far along a dimension."""
    checked_dim(dim, self.ndim)
    require(self, "f", "logcumsumexp_out_cpu")
    return np.logaddexp.accumulate(in_line(self), dim) if self.ndim else self.copy()


# Quantiles and means

ROUNDING: dict[str, Any] = {"lower": np.floor, "higher": np.ceil, "nearest": np.round}


@public("quantile")
def quantile(
    input: Tensor,
    q: Any,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    interpolation: str = "linear",
) -> Any:
    """Return the quantiles for `q`, a number or vector from [0, 1], of all elements or along `dim`.

    `interpolation` between two elements is "linear", "lower", "higher", "nearest" or "midpoint".

    Raises:
        RuntimeError: if the dtype is not floating point, or `q` is not from [0, 1] or of another.

    >>> import minigrad as torch
    >>> torch.quantile(torch.tensor([1.0, 2.0, 4.0]), 0.75)
    tensor(3.)
    """
    return quantile_of(input, q, dim, keepdim, interpolation, False)


@public("nanquantile")
def nanquantile(
    input: Tensor,
    q: Any,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    interpolation: str = "linear",
) -> Any:
    """Return the quantiles of what is no nan, as `quantile` does; raises as that.

    >>> import minigrad as torch
    >>> torch.nanquantile(torch.tensor([1.0, float("nan"), 2.0]), 0.5)
    tensor(1.5000)
    """
    return quantile_of(input, q, dim, keepdim, interpolation, True)


def quantile_of(
    input: Tensor, q: Any, dim: int | None, keepdim: bool, interpolation: str, ignore_nan: bool
) -> Any:
    """Return quantiles; nan where there is a nan, unless these are ignored."""
    array = input._array
    text = "quantile() q must be in the range [0, 1] but got {:g}"
    check(isinstance(q, Tensor) or 0 <= q <= 1, text, q)
    text = (
        "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but "
        "got {}"
    )
    check(interpolation in (*ROUNDING, "linear", "midpoint"), text, interpolation)
    chances = q if isinstance(q, Tensor) else from_array(np.asarray(q, array.dtype))
    several = chances.ndim
    check(array.size, "quantile() input tensor must be non-empty")
    check(several < 2, "quantile() q must be a scalar or 1D tensor")
    check(array.dtype.char in "fd", "quantile() input tensor must be either float or double dtype")
    same = chances.dtype is input.dtype
    check(same, "quantile() q tensor must be same dtype as the input tensor")
    text = "quantile() q values must be in the range [0, 1]"
    check(((chances._array >= 0) & (chances._array <= 1)).all(), text)
    place = None if dim is None else checked_dim(dim, array.ndim)
    if place is None:
        lines, kept = flatten(input), ((1,) * array.ndim if keepdim else ())
    else:
        last = place == array.ndim - 1
        lines = input if last else transpose(unsqueeze(input, array.ndim), place, -1)
        middle = (1,) if keepdim and array.ndim else ()
        kept = (*array.shape[:place], *middle, *array.shape[place + 1 :])
    ordered = view_as_size(ordering.sort(lines)[0], (*kept, lines._array.shape[-1]))
    found = interpolated(ordered, chances, interpolation, ignore_nan)
    if several:
        found.unsqueeze_(0).transpose_(0, -1)
    return found.squeeze_(-1)


def interpolated(ordered: Tensor, chances: Tensor, interpolation: str, ignore_nan: bool) -> Any:
    """Return quantiles from elements in order along the last dimension.

    What PyTorch computes in place is so here: the versions can be seen.
    """
    last = ordered._array.shape[-1] - 1
    nans = np.isnan(ordered._array)
    if ignore_nan:
        last_number = (~nans).sum(-1, keepdims=True) - 1
        product = chances._array * last_number.astype(chances._array.dtype)
        ranks = from_array(np.asarray(np.maximum(product, 0)).astype(chances._array.dtype))
    else:
        broken = from_array(np.asarray(nans.any(-1, keepdims=True)))
        ranks = mul_number(chances, last)
        lengths = common_shape(ranks.shape, broken.shape)
        ranks = masked_fill(
            ranks if ranks.shape == lengths else expand_to(ranks, lengths), broken, last
        )
    rounded = ROUNDING.get(interpolation, np.asarray)(ranks._array)
    places = from_array(rounded.astype(np.int64))
    below = gather(ordered, -1, places)
    if interpolation in ROUNDING:
        return below
    halves = interpolation == "midpoint"
    weights = from_array(np.full_like(rounded, 0.5)) if halves else sub_tensors(ranks, places)
    above = gather(ordered, -1, from_array(np.ceil(rounded).astype(np.int64)))
    return below.lerp_(above, weights)


@public("nanmean")
def nanmean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """Return the mean of the elements that are not nan, of all or along some dimensions.

    Raises:
        RuntimeError: if the elements, or the mean, are not of floating point.
    """
    text = "nanmean(): expected input to have floating point or complex dtype but got {}"
    check(input.is_floating_point(), text, input.dtype.scalar_name)
    text = (
        "nanmean(): could not infer output dtype. Optional dtype must be either a floating point "
        "or complex dtype. Got: {}"
    )
    if dtype is not None:
        check(dtype.is_floating_point, text, dtype.scalar_name)
    total = reduction.nansum(input, dim, keepdim, dtype=dtype)
    return div_tensors(total, reduction.sum(~isnan(input.detach()), dim, keepdim))


@public("msort")
def msort(input: Tensor) -> Any:
    """Return the elements in order along the first dimension."""
    return ordering.sort(input, 0)[0]


distance = hidden(
    "DistBackward0",
    lambda self, other, p: reduction.norm_of(of_distance(self - other), p, None, False, None),
    promote="common",
    self=lambda grad, self, other, p, result: distance_backward(grad, self, other, p, result),
    other=lambda grad, self, other, p, result: negated(
        distance_backward(grad, self, other, p, result)
    ),
)


@public("dist")
def dist(input: Tensor, other: Tensor, p: float = 2) -> Any:
    """Return the p-norm of the difference of two tensors.

    Raises:
        RuntimeError: if the shapes cannot be broadcast, or the difference is not of floating point.
    """
    refuse_bools(input, other)
    check_shapes(input, other)
    return distance(input, other, p)


def of_distance(difference: Array) -> Array:
    """Return a difference that has a norm."""
    text = "norm(): input dtype should be either floating point or complex. Got {} instead."
    check(difference.dtype.kind == "f", text, name_of(difference))
    return difference


def negated(gradient: Any) -> Any:
    """Return a gradient with the other sign; raise RuntimeError if there is none."""
    text = (
        "Expected a proper Tensor but got None (or an undefined Tensor in C++) for argument #0 "
        "'self'"
    )
    check(gradient is not None, text)
    return -gradient


def distance_backward(grad: Any, self: Any, other: Any, p: Any, result: Any) -> Any:
    """Return the gradient of the first of two whose distance was measured."""
    return reduction.norm_backward(grad, self - other, p, None, False, result)


OTHER_THAN_INPUT = (
    "diff expects the shape of tensor to prepend or append to match that of input except along the "
    "differencing dimension; input.size({}) = {}, but got tensor.size({}) = {}"
)


@public("diff")
def diff(input: Tensor, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """Return the differences of neighbours along a dimension, `n` times over.

    Raises:
        RuntimeError: if `input` has no dimensions, or `n` is negative.
        IndexError: if there is no such dimension.
    """
    check(input.ndim, "diff expects input to be at least one-dimensional")
    along = checked_dim(dim, input.ndim)
    check(n >= 0, "order must be non-negative but got {}", n)
    parts = [one for one in (prepend, input, append) if one is not None]
    for one in parts:
        text = "diff expects prepend or append to be the same dimension as input"
        check(one.ndim == input.ndim, text)
        for place, (n_input, n_one) in enumerate(zip(input.shape, one.shape, strict=True)):
            check(
                place == along or n_input == n_one, OTHER_THAN_INPUT, place, n_input, place, n_one
            )
    if n == 0:
        return from_array(np.zeros_like(input._array)).copy_(input)
    result = input if len(parts) == 1 else cat(parts, dim)
    for _ in range(min(n, result.shape[dim])):
        length = result.shape[dim] - 1
        left, right = narrow(result, dim, 0, length), narrow(result, dim, 1, length)
        result = logical_xor(right, left) if result.dtype is dtypes.bool_ else right - left
    return result


@public("cov")
def cov(input: Tensor, *, correction: int = 1, fweights: Any = None, aweights: Any = None) -> Any:
    """Return the matrix of covariances of variables, each a row of observations.

    Args:
        correction: what is taken from the number of observations that is divided by.
        fweights, aweights: vectors of how often each was made, and of how much it counts.

    Raises:
        RuntimeError: if there are more than two dimensions, or weights that do not fit or sum to 0.
    """
    check(input.ndim <= 2, TOO_MANY_DIMENSIONS, "cov", input.ndim)
    check(input.dtype is not dtypes.bool_, "cov(): bool dtype is not supported for input")
    rows = input if input.ndim == 2 else view_as_size(input, (1, -1))
    if not rows.is_floating_point():
        rows = rows.to(dtypes.get_default_dtype())
    given = [
        ("fweights", fweights, "iu", "integral"),
        ("aweights", aweights, "f", "floating point"),
    ]
    weights: Any = None
    for name, one, kinds, kind in given:
        if one is not None:
            check_weights(name, one, kinds, kind, rows.shape[1])
            weights = one if weights is None else weights * one

    def weighed(values: Any) -> Any:
        return values if weights is None else values * weights

    total = from_array(np.asarray(rows.shape[1])) if weights is None else weights.sum()
    check(weights is None or total != 0, "cov(): weights sum to zero, can't be normalized")
    centred = rows - unsqueeze(div_tensors(reduction.sum(weighed(rows), 1), total), 1)
    lost: Any = correction
    if aweights is not None and correction:
        lost = correction * (weights * aweights).sum() / total
    freedom = total - lost if correction else total
    if freedom <= 0:
        warn(NO_FREEDOM)
        freedom = zeros_like(freedom)
    return squeeze(div_tensors(mm(centred, t(weighed(centred))), freedom))


def check_weights(name: str, weights: Tensor, kinds: str, kind: str, count: int) -> None:
    """Refuse weights of observations that are not one of the kind for each of so many."""
    array, expected = weights._array, f"cov(): expected {name} to have "
    text = "one or fewer dimensions but got {} with {} dimensions"
    check(array.ndim < 2, expected + text, name, array.ndim)
    text = "{} dtype but got {} with {} dtype"
    check(array.dtype.kind in kinds, expected + text, kind, name, weights.dtype.scalar_name)
    text = "the same numel as there are observations in the input but got {} != {}"
    check(array.size == count, expected + text, array.size, count)
    check((array >= 0).all(), "cov(): {} cannot be negative", name)


@public("corrcoef")
def corrcoef(input: Tensor) -> Any:
    """Return the matrix of correlations of variables, each a row of observations.

    Raises:
        RuntimeError: if there are more than two dimensions.
    """
    check(input.ndim <= 2, TOO_MANY_DIMENSIONS, "corrcoef", input.ndim)
    covariance = cov(input)
    if not covariance.ndim:
        return covariance / covariance
    spread = sqrt(diagonal(covariance))
    scaled = covariance / view_as_size(spread, (-1, 1)) / view_as_size(spread, (1, -1))
    return clamp(scaled, -1, 1)


# Counts, and places among numbers in order


@public("bincount")
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Any:
    """Return how often each integer from 0 on occurs in a vector, or the sums of its `weights`.

    Raises:
        RuntimeError: if `input` is no vector of integers from 0 on, the weights do not fit, or
            `minlength` is negative.
    """
    array = require(input._array, "iu", "bincount_cpu")
    check(minlength >= 0, "minlength should be >= 0")
    fits = array.ndim == 1 and not (array.size and array.min() < 0)
    check(fits, "bincount only supports 1-d non-negative integral inputs.")
    if weights is None or not array.size:
        return from_array(np.bincount(array, minlength=minlength))
    fits = weights._array.shape == array.shape
    check(fits, "weights should be 1-d and have the same length as input")
    return weighed(input, weights, minlength)


def weights_at(self: Array, weights: Array, minlength: int) -> Array:
    """Return the sums of the weights of each integer, in float32 if they are, else in float64."""
    dtype = np.dtype(np.float32 if weights.dtype == np.float32 else np.float64)
    return np.bincount(self, weights, minlength).astype(dtype)


weighed = hidden("NotImplemented", weights_at, weights=lambda grad: refuse_backward("bincount"))


@define("")
def histc(self: Array, bins: int = 100, min: Any = 0, max: Any = 0) -> Any:
    """Return how many elements lie in each of `bins` equal parts of the range from `min` to `max`.

    Where both are the same, the range is that of the elements.

    Raises:
        RuntimeError: if there are no bins, or the range is not finite, or it ends before it begins.
    """
    check(bins > 0, "torch.histogram(): bins must be > 0, but got {} for dimension 0", bins)
    if min == max and self.size:
        min, max = self.min(), self.max()
    finite = np.isfinite(min) and np.isfinite(max)
    check(finite, "torch.histc: range of [{:g}, {:g}] is not finite", min, max)
    check(min <= max, "torch.histc: max must be larger than min")
    require(self, "fiu", "linspace_cpu")
    require(self, "f", "histogram_cpu")
    low, high = [self.dtype.type(one) for one in ((min - 1, max + 1) if min == max else (min, max))]
    inside = self[(self >= low) & (self <= high)]
    places = ((inside - low) * self.dtype.type(bins) / (high - low)).astype(np.int64)
    counts = np.bincount(np.minimum(places, bins - 1), minlength=bins)
    return counts.astype(self.dtype)


Histogram = result_type("histogram", "hist bin_edges")


@public("histogram")
def histogram(
    input: Tensor,
    bins: Any = 100,
    *,
    range: Any = None,
    weight: Tensor | None = None,
    density: bool = False,
) -> Any:
    """Return how many elements lie between each edge and the next, and the edges.

    Args:
        bins: how many equal parts the range has, or the edges themselves.
        range: the first edge and the last; the least and the greatest element if None.
        weight: what each element counts, of as many elements.
        density: divide by the sum and the widths, so that the area is 1.

    Raises:
        RuntimeError: if there are no bins, the range is not finite or ends before it begins, or
            edges or weights do not fit.
        NotImplementedError: if the elements are not of 32 or 64 bits and floating point.
    """
    if isinstance(bins, Tensor):
        if range is not None:
            raise TypeError("histogram(): edges are given, and a range")
        edges = checked_edges(input, bins).copy()
    else:
        text = "torch.histogram(): bins must be > 0, but got {} for dimension 0"
        check(bins > 0, text, bins)
        array = input._array
        dtype = array.dtype if array.dtype.kind == "f" else np.dtype(float)
        edges = evenly(*range_of(array, range), bins + 1, dtype)
    if weight is not None:
        check_counts(input, weight)
    by_number = not isinstance(bins, Tensor)
    searched = by_number and range is None and input.numel()
    stepped = by_number and input.dtype is dtypes.bool_
    kernel = "histogramdd" if searched else "linspace_cpu" if stepped else "histogram_cpu"
    of_full_precision(input._array, kernel)
    return Histogram(counted(input, edges, weight, density))


def checked_edges(input: Tensor, bins: Tensor) -> Array:
    """Return the edges that a user gives, or refuse them."""
    text = (
        "torch.histogramdd: input tensor and bins tensors should have the same dtype, but got "
        "input with dtype {} and bins for dimension 0 with dtype {}"
    )
    check(bins.dtype is input.dtype, text, input.dtype.cpp_name, bins.dtype.cpp_name)
    text = (
        "torch.histogramdd: bins tensor should have one dimension, but got {} dimensions in the "
        "bins tensor for dimension 0"
    )
    check(bins.dim() == 1, text, bins.dim())
    text = (
        "torch.histogramdd: bins tensor should have at least 1 element, but got 0 elements in the "
        "bins tensor for dimension 0"
    )
    check(bins.numel(), text)
    text = "torch.histogram(): bins must be > 0, but got 0 for dimension 0"
    check(bins.numel() > 1, text)
    return bins._array


def range_of(values: Array, given: Any) -> tuple[Any, Any]:
    """Return the first edge and the last; around elements that are all the same, one apart."""
    if given is None:
        least, greatest = (values.min(), values.max()) if values.size else (0, 1)
    else:
        text = (
            "torch.histogramdd: for a 1-dimensional histogram range should have 2 elements, but "
            "got {}"
        )
        check(len(given) == 2, text, len(given))
        least, greatest = given
    text = "torch.histogramdd: dimension 0's range [{:g}, {:g}] is not finite"
    check(np.isfinite([least, greatest]).all(), text, least, greatest)
    text = "torch.histogramdd: min should not exceed max, but got min {:g} max {:g} for dimension 0"
    check(least <= greatest, text, least, greatest)
    return (least - 0.5, greatest + 0.5) if least == greatest else (least, greatest)


def check_counts(input: Tensor, weight: Tensor) -> None:
    """Refuse weights that are not one for each element."""
    text = (
        "torch.histogramdd: if weight tensor is provided it should have the same shape as the "
        "input tensor excluding its innermost dimension, but got input with shape {} and weight "
        "with shape {}"
    )
    given, counts = input.numel(), weight.numel()
    check(given == counts, text, [given, 1], [counts])
    text = (
        "torch.histogramdd: if weight tensor is provided, input tensor and weight tensor should "
        "have the same dtype, but got input({}), and weight({})"
    )
    check(weight.dtype is input.dtype, text, input.dtype.cpp_name, weight.dtype.cpp_name)


def counts_between(
    self: Array, edges: Array, weight: Array | None, density: bool
) -> tuple[Array, Array]:
    """Return what lies between edges, the last of which belongs to what is before it."""
    values, last = self.reshape(-1), edges.size - 2
    place = np.minimum(np.searchsorted(edges, values, "right") - 1, last)
    inside = (values >= edges[0]) & (values <= edges[-1])
    weights = None if weight is None else weight.reshape(-1)[inside]
    found = np.bincount(place[inside], weights, last + 1).astype(self.dtype)
    if density:
        with np.errstate(all="ignore"):
            found = found / found.sum() / np.diff(edges)
    return found, edges


counted = hidden(
    "NotImplemented",
    counts_between,
    outputs="hist bin_edges",
    self=lambda grad: refuse_backward("histogram"),
    weight=lambda grad: refuse_backward("histogram"),
)

SLOWED = (
    "torch.searchsorted(): {0} tensor is non-contiguous, this will lower the performance due to "
    "extra data copy when converting non-contiguous tensor to contiguous, please use contiguous "
    "{0} tensor if possible. This message will only appear once per program."
)


@public("searchsorted", FUNCTION)
def searchsorted(
    sorted_sequence: Tensor,
    input: Any,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Any = None,
) -> Any:
    """Return where elements would be put in to keep a sequence in order.

    Of equal ones it is before them, or with ``right=True`` or ``side="right"`` behind them. Indices
    in `sorter` bring the sequence in order.

    Raises:
        RuntimeError: if all dimensions but the last of two sequences differ, or `side` or `sorter`
            does not fit.
    """
    for name, one in (("input value", input), ("boundary", sorted_sequence), ("sorter", sorter)):
        if isinstance(one, Tensor) and not one.is_contiguous():
            warn(SLOWED.format(name))
    values = input._array if isinstance(input, Tensor) else np.asarray(input)
    text = "torch.searchsorted(): side can only be 'left' or 'right' but got {}"
    check(side in (None, "left", "right"), text, side)
    text = (
        "torch.searchsorted(): side and right can't be set to opposites, got side of left while "
        "right was True"
    )
    check(not (right and side == "left"), text)
    sequence = in_order(sorted_sequence, sorter)
    where: Any = "right" if right or side == "right" else "left"
    kind = np.int32 if out_int32 else np.int64
    if sequence.ndim == 1:
        return from_array(np.asarray(np.searchsorted(sequence, values, where), kind))
    check_lines(sequence, values)
    found = np.empty(values.shape, kind)
    for line in np.ndindex(values.shape[:-1]):
        found[line] = np.searchsorted(sequence[line], values[line], where)
    return from_array(found)


def in_order(sequence: Tensor, sorter: Tensor | None) -> Array:
    """Return a sequence in the order that the indices in `sorter` bring it in."""
    if sorter is None:
        return sequence._array
    text = (
        "torch.searchsorted(): boundary and sorter must have the same size, but got boundary "
        "tensor {}and got sorter tensor {}"
    )
    check(sequence.shape == sorter.shape, text, list(sequence.shape), list(sorter.shape))
    text = "torch.searchsorted(): sorter must be a tensor of long dtype but got dtype {}"
    check(sorter.dtype is dtypes.int64, text, sorter.dtype.scalar_name)
    check(sequence.ndim, "ArrayRef: attempted to access back() of empty list")
    known = (sorter._array >= 0) & (sorter._array < sequence.shape[-1])
    check(known.all(), "torch.searchsorted(): sorter index out of range")
    return np.take_along_axis(sequence._array, sorter._array, -1)


def check_lines(sequences: Array, values: Array) -> None:
    """Refuse values for several sequences that are not as many lines."""
    text = (
        "torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension "
        "is 1, but we got boundaries tensor dim({}) and input value's dim(0) numel(1)"
    )
    check(values.ndim, text, sequences.ndim)
    text = (
        "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions "
        "of boundaries tensor and input value tensor must match, but we got boundaries tensor {} "
        "and input value tensor {}"
    )
    fits = sequences.shape[:-1] == values.shape[:-1]
    check(fits, text, list(sequences.shape), list(values.shape))


@public("bucketize", FUNCTION)
def bucketize(
    input: Any, boundaries: Tensor, *, out_int32: bool = False, right: bool = False
) -> Any:
    """Return in which part each element lies, of those that `boundaries`, in order, divide.

    Raises:
        RuntimeError: if these are no vector.
    """
    text = "boundaries tensor must be 1 dimension, but got dim({})"
    check(boundaries.ndim == 1, text, boundaries.ndim)
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)


@public("isin", FUNCTION)
def isin(
    elements: Any, test_elements: Any, *, assume_unique: bool = False, invert: bool = False
) -> Tensor:
    """Return which elements are among others; with `invert`, which are not.

    Raises:
        TypeError: for two numbers.
        RuntimeError: for truth values.
    """
    tensor = elements if isinstance(elements, Tensor) else test_elements
    check(isinstance(tensor, Tensor), "isin() takes a tensor", error=TypeError)
    text = "Unsupported input type encountered for isin(): Bool"
    check(not isinstance(elements, bool) and not isinstance(test_elements, bool), text)
    ours, others = (as_operand(one, tensor)._array for one in (elements, test_elements))
    check("b" not in (ours.dtype.kind, others.dtype.kind), text)
    if others.size < int(10 * ours.size**0.145):  # PyTorch does not sort so few, but views them
        viewed(others, (-1,))
    found = np.isin(ours, others, invert=invert)
    return from_array(np.asarray(found))


consecutive_elements = ordering.without_formula("UniqueConsecutiveBackward0", "unique_consecutive")


@public("unique_consecutive")
def unique_consecutive(
    input: Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """Return the elements, or places along `dim`, without those that equal the one before.

    Without `dim`, it is as if they were in one line. With `return_inverse` and `return_counts` also
    where each is among them, and how often each occurs.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if the places along it have no elements.
    """
    check_tensor("unique_consecutive", input)
    asked = {"return_inverse": return_inverse, "return_counts": return_counts}
    ordering.check_bools("unique_consecutive", asked)
    shape = input._array.shape
    if dim is None:
        line = input._array.reshape(-1)
    else:
        text = "unique_consecutive(): argument 'dim' must be int, not {}"
        dim = ordering.checked_unique_dim(input._array, dim, text)
        line, shape = np.moveaxis(input._array, dim, 0), shape[dim : dim + 1]
    differ = (line[1:] != line[:-1]).any(tuple(range(1, line.ndim)))
    new = np.append(np.ones(min(len(line), 1), np.bool_), differ)
    inverse = np.cumsum(new) - 1
    found = [consecutive_elements(input, np.moveaxis(line[new], 0, dim or 0))]
    found += [from_array(inverse.reshape(shape))] if return_inverse else []
    found += [from_array(np.bincount(inverse))] if return_counts else []
    return tuple(found) if len(found) > 1 else found[0]


# Grids of elements, and of places


@public("cartesian_prod", FUNCTION)
def cartesian_prod(*tensors: Tensor) -> Any:
    """Return all ways to take one element from each vector, a row for each."""
    tensors = checked_tensors(tensors)
    for one in tensors:
        check(one.ndim == 1, "Expect a 1D vector, but got shape {}", list(one.shape))
    if len(tensors) == 1:
        return tensors[0]
    return stack_tensors([reshaped(one, (-1,)) for one in meshgrid(*tensors, indexing="ij")], 1)


@public("combinations", FUNCTION)
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Any:
    """Return all ways to take `r` elements of a vector in its order, a row for each."""
    check(input.ndim == 1, "Expect a 1D vector, but got shape {}", list(input.shape))
    check(r >= 0, "Expect a non-negative number, but got {}", r)
    if not r:
        return from_array(np.empty(0, input._array.dtype))
    places = np.indices((input._array.size,) * r)
    ordered = np.less_equal if with_replacement else np.less
    mask = np.ones(places.shape[1:], np.bool_)
    for first, second in itertools.pairwise(places):
        mask &= ordered(first, second)
    grids: Sequence[Any] = meshgrid(*[input] * r, indexing="ij")
    return stack_tensors([masked_select(grid, from_array(mask)) for grid in grids], 1)


@public("vander", FUNCTION)
def vander(x: Tensor, N: int | None = None, increasing: bool = False) -> Any:
    """Return the matrix whose columns are powers of a vector, by default from high to low."""
    check(x.ndim == 1, "x must be a one-dimensional tensor.")
    shape = x.shape[0], x.shape[0] if N is None else N
    check(shape[1] >= 0, "N must be non-negative.")
    dtype = dtypes.promote_types(x.dtype, dtypes.int64)
    result: Any = from_array(np.zeros(shape, dtype.numpy_dtype))
    if shape[1]:
        select_view(result, 1, 0).fill_(1)
    if shape[1] > 1:
        slice_view(result, 1, 1, shape[1], 1).copy_(unsqueeze(x, 1))
        powers = slice_view(result, 1, 1, shape[1], 1)
        powers.copy_(reduction.cumprod(slice_view(result, 1, 1, shape[1], 1), 1))
    return result if increasing else flip_dims(result, (1,))


def triangle(name: str, places: Any) -> None:
    """Declare tril_indices or triu_indices."""

    def function(row: int, col: int, offset: int = 0, *, dtype: Any = None) -> Tensor:
        dtype = dtype or dtypes.int64
        check(row >= 0, "row must be non-negative, got{}", row)
        check(col >= 0, "col must be non-negative, got{}", col)
        fits, text = dtype in (dtypes.int32, dtypes.int64), "\"{}\" not implemented for '{}'"
        check(fits, text, name, dtype.scalar_name, error=NotImplementedError)
        return from_array(np.stack(places(row, offset, col)).astype(dtype.numpy_dtype))

    documentation = f"""Return rows and columns of the elements that `{name[:4]}` leaves there."""
    named(name, documentation, public(name, FUNCTION))(function)


triangle("tril_indices", np.tril_indices)
triangle("triu_indices", np.triu_indices)


# Integrals


def trapezoids(name: str, y: Tensor, x: Tensor | None, dim: int) -> tuple[Any, Any]:
    """Return twice the mean heights of the trapezoids along a dimension, and their widths if given.

    Raises:
        IndexError: if there is no dimension.
        RuntimeError: if there are not as many abscissas as heights.
    """
    check(y.ndim, "slice() cannot be applied to a 0-dim tensor.", error=IndexError)
    dim = checked_dim(dim, y.ndim)
    length = y.shape[dim]
    if x is not None and x.ndim == 1:
        text = "{}: There must be one `x` value for each sample point"
        check(x.shape[0] == length, text, name)
        x = x.view([1] * dim + [length] + [1] * (y.ndim - dim - 1))
    widths = None
    if x is not None:
        if x.ndim < y.ndim:
            x = x.view([1] * (y.ndim - x.ndim) + list(x.shape))
        count = x.shape[dim]
        left = slice_view(x, dim, 0, count - 1, 1)
        widths = slice_view(x, dim, 1, count, 1) - left
    return slice_view(y, dim, 0, length - 1, 1) + slice_view(y, dim, 1, length, 1), widths


def refuse_bool(name: str, y: Tensor, x: Tensor | None) -> None:
    """Refuse booleans as heights or abscissas."""
    given = "`y`" if x is None else "`x` or `y`"
    text = "{}: received a bool input for {}, but bool is not supported"
    check(dtypes.bool_ not in (y.dtype, y.dtype if x is None else x.dtype), text, name, given)


def floating(tensor: Tensor) -> Any:
    """Return a tensor; one of integers, in the default dtype."""
    return tensor if tensor.is_floating_point() else tensor.to(dtypes.get_default_dtype())


@public("trapezoid", "function")
def trapezoid(y: Tensor, x: Tensor | None = None, *, dx: float = 1.0, dim: int = -1) -> Any:
    """Return the integral along a dimension, by trapezoids `dx` wide, or between abscissas `x`.

    >>> import minigrad as torch
    >>> torch.trapezoid(torch.tensor([1.0, 5.0, 10.0]))
    tensor(10.5000)
    """
    text = "Dimension specified as {} but tensor has no dimensions"
    check(y.ndim or x is not None, text, dim, error=IndexError)
    place = checked_dim(dim, y.ndim)
    check(y.ndim, text, place, error=IndexError)
    if not y.shape[place]:
        return zeros((*y.shape[:place], *y.shape[place + 1 :]), y)
    refuse_bool("trapezoid", y, x)
    if x is None:
        ends = select_view(y, place, 0) + select_view(y, place, y.shape[place] - 1)
        half = mul_number(floating(ends), 0.5)
        return mul_number(y.sum(dim) - half, dx)
    heights, widths = trapezoids("trapezoid", y, x, place)
    return div_number(floating((heights * widths).sum(place)), 2.0)


public("trapz", "function")(trapezoid)


@public("cumulative_trapezoid", "function")
def cumulative_trapezoid(
    y: Tensor, x: Tensor | None = None, *, dx: float = 1.0, dim: int = -1
) -> Any:
    """Return the integrals along a dimension up to each place; otherwise as `trapezoid`."""
    refuse_bool("cumulative_trapezoid", y, x)
    heights, widths = trapezoids("cumulative_trapezoid", y, x, dim)
    if widths is None:
        return mul_number(floating(heights), dx / 2).cumsum(dim)
    areas = (heights * widths).cumsum(checked_dim(dim, y.ndim))
    return div_number(floating(areas), 2.0)
