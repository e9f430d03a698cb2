"""Operations that make one number of many: sums, means, spreads, norms; and running totals.

Each takes all elements together, or those along some dimensions, which then disappear, or with
`keepdim` remain with length 1.
Source: https://github.com/pytorch/pytorch/blob/main/tools/autograd/derivatives.yaml
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from operator import index as as_index
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.autograd.grad_mode import state
from minigrad.autograd.node import Array
from minigrad.memory import in_line
from minigrad.ops.calls import refusing
from minigrad.ops.check import (
    check,
    chosen_dims,
    length_along,
    require,
)
from minigrad.ops.define import define, hidden, named
from minigrad.ops.half import HALF, SINGLE
from minigrad.ops.pointwise import (
    abs,
    div_number,
    in_dtype_of,
    is_true,
    isnan,
    masked_fill,
    mul_number,
    pow,
    sgn,
)
from minigrad.ops.registry import Operation, public
from minigrad.ops.shape import (
    added,
    axes,
    cat_tensors,
    expand_to,
    fit,
    flip_dims,
    in_order,
    reduced,
    restored,
    slice_view,
    stack_tensors,
    sum_all,
    sum_dims,
    view_as_size,
    zeros,
)
from minigrad.outside import warn
from minigrad.size import checked_dim, count_along
from minigrad.summing import SHARED, plain_sums, squares
from minigrad.summing import total as sum_of
from minigrad.tensor import Tensor

FUNCTION = "function"

# What running sums and products are computed in.
RUNNING: dict[Any, Any] = {HALF: SINGLE, SINGLE: np.dtype(np.float64)}

NOT_GIVEN: Any = type("NotGiven", (), {"__repr__": lambda self: "NOT_GIVEN"})()
_max: Any = np.maximum.reduce
_min: Any = np.minimum.reduce
_product: Any = np.multiply.reduce
_sum: Any = np.add.reduce


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
    if (dtype or self.dtype) == HALF:
        wide = self.astype(HALF, copy=False).astype(SINGLE)
        return averaged(wide, dim, keepdim, None).astype(HALF)
    total = added(self, axes(self, dim), keepdim, dtype)
    return total / (self.size if dim is None else count_along(self.shape, dim))


def prod_backward(
    grad: Any, self: Any, result: Any, dim: int | None = None, keepdim: bool = True
) -> Any:
    """Return the gradient of a product: the product of the others, also where some are zero."""
    if not self.shape:
        return grad
    self = in_dtype_of(grad, self)
    if not (self == 0).any():
        if dim is not None:
            grad = restored(grad, self.shape, dim, keepdim)
            result = restored(result, self.shape, dim, keepdim)
        return grad * (result / self)
    if dim is None:
        if not isinstance(self, Tensor) and np.count_nonzero(self) < self.size - 1:
            return np.zeros_like(self)  # also beside what is not finite
        if self.shape == (1,) * len(self.shape):
            return view_as_size(grad, self.shape)
        flat = view_as_size(in_order(self), (-1,))
        return view_as_size(grad * others_product(flat, 0), self.shape)
    grad = restored(grad, self.shape, dim, keepdim)
    return grad if self.shape[dim] == 1 else grad * others_product(self, dim)


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
    dims = None if dim is NOT_GIVEN else chosen_dims("sum", dim, input._array.ndim)
    plain = dtype is None and input._value.dtype.kind == "f"
    as_type = None if plain else sum_dtype(input, dtype)
    if dim is NOT_GIVEN:
        return sum_all(input, as_type)
    return sum_dims(input, dims, keepdim, as_type)


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
    fits = dtype.is_floating_point or not (input._requires_grad and state.grad_enabled)
    check(fits, "Autograd not support dtype: {}", dtype.scalar_name)
    as_type: np.dtype[Any] = dtype.numpy_dtype
    return as_type


# Spread


def variance(self: Array, dim: Any, correction: Any, keepdim: bool, root: Any = np.asarray) -> Any:
    """Return the variance along some dimensions, or its root, computed in float64."""
    along, wide = axes(self, dim), self.astype(np.float64)
    number = count_along(self.shape, dim)
    centred = wide - _sum(wide, along, None, None, True) / np.float64(number)
    apart = reduced(_sum(centred * centred, along, None, None, keepdim), keepdim)
    freedom = builtins.max(number - (1 if correction is None else correction), 0)
    return np.asarray(root(apart / np.float64(freedom))).astype(self.dtype)


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
var_dims = hidden(
    "VarBackward0",
    lambda self, dim, correction, keepdim: variance(self, dim, correction, keepdim),
    self=var_backward,
)
std_dims = hidden(
    "StdBackward0",
    lambda self, dim, correction, keepdim: variance(self, dim, correction, keepdim, np.sqrt),
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


def mean_beside(self: Array, dim: Any, keepdim: bool) -> Array:
    """Return the mean that comes with a spread: nan where more follows on what is infinite.

    PyTorch takes one element after the other and adds a part of its difference from the mean.
    """
    mean: Array = np.asarray(averaged(self, dim, keepdim, None))
    if np.isfinite(mean).all() or not self.size:
        return mean
    every = dim is None or not self.ndim
    dims = tuple(range(self.ndim)) if every else tuple(one % self.ndim for one in dim)
    count = math.prod([self.shape[one] for one in dims])
    lines = np.moveaxis(self, dims, range(-len(dims), 0)).reshape(-1, count)
    followed = np.isinf(lines[:, :-1]).any(-1).reshape(mean.shape)
    return np.where(followed, mean.dtype.type(np.nan), mean)


def with_mean(node: str, root: Any, gradient: Any) -> Operation:
    """Declare a variance or standard deviation that comes with the mean."""
    return hidden(
        node,
        lambda self, dim, correction, keepdim: (
            variance(self, dim, correction, keepdim, root),
            mean_beside(self, dim, keepdim),
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


def check_some(shape: tuple[int, ...], ord: Any, dims: tuple[int, ...]) -> None:
    """Refuse the largest or smallest of nothing, along any of the dimensions or of all elements."""
    empty = [one for one in dims if not length_along(shape, one)]
    which = f"the dimension {empty[0]}" if empty else "an empty tensor "  # sic
    text = (
        "linalg.vector_norm cannot compute the {:g} norm on {}because {}the operation does not "
        "have an identity"
    )
    also = "this dimension is empty and " * bool(empty)
    check((dims and not empty) or 0 <= ord < math.inf, text, ord, which, also)


def norm_of(self: Array, ord: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    """Return the norm along some dimensions; of float16 it is computed in float32.

    Raises:
        RuntimeError: if a maximum of nothing is asked for.
    """
    if not self.size:
        check_some(self.shape, ord, dim or ())
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
        total = plain_sums(sizes, along, keepdim)
    elif ord == 2:
        total = np.sqrt(squares(self.astype(wide, copy=False), along, keepdim))
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
    name, array = "linalg.vector_norm", x._array
    check_norm(name, x, None)
    if not array.size:
        check_some(array.shape, ord, chosen_dims(name, dim, array.ndim) or ())
    check_norm(name, x, dtype)
    dims = chosen_dims(name, dim, array.ndim)
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


# Running totals


def running(name: str, combine: np.ufunc) -> Callable[..., Any]:
    """Return the forward function of a running sum or product, of anything but booleans.

    As in PyTorch, what runs is of a wider dtype than the results (not so of large float32 arrays,
    where it takes ten times as long); it starts from 0, so that of -0 alone the sum is 0.
    """

    def forward(self: Array, dim: int, dtype: np.dtype[Any] | None) -> Any:
        if not self.ndim:
            return self.astype(dtype or self.dtype)
        if self.size:
            require(np.empty(0, dtype or self.dtype), "fiu", f"{name}_out_cpu")
        result = self.dtype if dtype is None else dtype
        array = in_line(self).astype(result, copy=False)
        wider = result == HALF or array.size < SHARED
        found = combine.accumulate(array, dim, RUNNING.get(result, result) if wider else result)
        if combine is np.add:
            found += 0
        return found.astype(result, copy=False)

    return forward


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
    if not isinstance(self, Tensor):
        return cumprod_slopes(grad, self, dim, result)
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


def cumprod_slopes(grad: Array, self: Array, dim: int, result: Array) -> Array:
    """Return the gradient of running products that are 0 from some place on, in one pass.

    Elements before the first zero are in products up to it; the zero itself is in those up to the
    next; what comes behind has no influence.
    """
    zeros_so_far = np.cumsum(self == 0, dim)
    before, one = zeros_so_far == 0, zeros_so_far == 1
    first = one & (self == 0)
    slopes = cumsum_backward(np.where(before, result * grad, 0), dim)
    behind = np.cumprod(np.where(one & ~first, self, 1), dim) * np.where(one, grad, 0)
    ahead = np.roll(result, 1, dim)
    np.moveaxis(ahead, dim, 0)[0] = 1
    of_first = ahead * behind.sum(dim, keepdims=True)
    return np.where(before, slopes / np.where(before, self, 1), np.where(first, of_first, 0))


cumsum_along = hidden("CumsumBackward0", running("cumsum", np.add), self=cumsum_backward)
cumprod_along = hidden("CumprodBackward0", running("cumprod", np.multiply), self=cumprod_backward)


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
