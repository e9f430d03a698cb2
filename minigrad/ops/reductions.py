"""Operations along dimensions: sums, products, spread, norms, extremes, and running sums.

They call `ufunc.reduce`, because numpy's `sum`, `mean` and `max` cost several times as much for
small arrays.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.graph import Array
from minigrad.modes import ALIASES
from minigrad.op import op
from minigrad.ops import indexing
from minigrad.ops.copies import flip
from minigrad.ops.pointwise import abs, maximum, minimum, scale, sgn, share, where
from minigrad.ops.shapes import Shape, expand_op, unsqueeze
from minigrad.public import public
from minigrad.shape import wrap_dim
from minigrad.tensor import Tensor, from_array

# Along dimensions: (array, axes, dtype, None, keepdims). Any, because numpy's stubs want keywords.
sum_along: Any = np.add.reduce
product_along: Any = np.multiply.reduce
largest_along: Any = np.maximum.reduce
smallest_along: Any = np.minimum.reduce

INTEGER_MEAN = (
    "mean(): could not infer output dtype. Input dtype must be either a floating point or complex "
    "dtype. Got: {}"
)
INTEGER_NORM = "linalg.vector_norm: Expected a floating point or complex tensor as input. Got {}"

# Dimensions


def wrap_dims(dim: Any, ndim: int) -> Shape:
    """Dimensions counted from 0: one or several, or all of them if `dim` is None or empty."""
    several = dim if isinstance(dim, (tuple, list)) else () if dim is None else (dim,)
    dims = tuple([wrap_dim(d, ndim) for d in several])
    return dims if dims and ndim else tuple(range(ndim))


def with_dims(x: Any, ndim: int, dim: Any, keepdim: bool) -> Any:
    """Insert the dimensions that a reduction removed, with size 1; of all, broadcasting does it."""
    for d in () if keepdim or dim in (None, (), []) else sorted(wrap_dims(dim, ndim)):
        x = unsqueeze(x, d)
    return x


def count(shape: Shape, dim: Any) -> int:
    """How many elements each result of a reduction is computed from."""
    return math.prod([shape[d] for d in wrap_dims(dim, len(shape))])


def sum_dtype(array: Array) -> Any:
    """The dtype of a sum or product, for numpy: int64 for integers and bools."""
    return None if array.dtype.kind == "f" else np.int64


def converted(input: Any, dtype: Any) -> Any:
    return input if dtype is None else input.to(dtype)


# Sums and means


def everywhere(grad: Any, self_shape: Shape) -> Any:
    """The gradient of a sum, for each element."""
    if isinstance(grad, Tensor):
        return expand_op(grad, self_shape)
    array = np.empty(self_shape, grad.dtype)  # as fast as numpy's broadcast_to
    array[...] = grad
    return array


def sum_slope(grad: Any, self_shape: Shape, dim: Any, keepdim: bool) -> Any:
    return everywhere(with_dims(grad, len(self_shape), dim, keepdim), self_shape)


def mean_slope(grad: Any, self_shape: Shape, dim: Any, keepdim: bool) -> Any:
    size = count(self_shape, dim)
    if not isinstance(grad, Tensor):  # divided first, while it is small
        return sum_slope(grad / size, self_shape, dim, keepdim)
    return share(sum_slope(grad, self_shape, dim, keepdim), size)


def mean_all_slope(grad: Any, self_shape: Shape) -> Any:
    size = math.prod(self_shape)
    if isinstance(grad, Tensor):
        return share(expand_op(grad, self_shape), size)
    return everywhere(grad / size, self_shape)


@op("", "SumBackward0", kind="pointwise", self=everywhere)
def sum_all(self: Array) -> Any:
    return sum_along(self, None, sum_dtype(self))


@op("", "SumBackward1", self=sum_slope)
def sum_dims(self: Array, dim: Any, keepdim: bool) -> Any:
    return sum_along(self, wrap_dims(dim, self.ndim), sum_dtype(self), None, keepdim)


@op("", "MeanBackward0", kind="pointwise", self=mean_all_slope)
def mean_all(self: Array) -> Any:
    check_floating(self)
    return sum_along(self, None) / self.size


@op("", "MeanBackward1", self=mean_slope)
def mean_dims(self: Array, dim: Any, keepdim: bool) -> Any:
    check_floating(self)
    dims = wrap_dims(dim, self.ndim)
    return sum_along(self, dims, None, None, keepdim) / count(self.shape, dim)


def check_floating(array: Array, text: str = INTEGER_MEAN) -> None:
    if array.dtype.kind != "f":
        raise RuntimeError(text.format(dtypes.TITLES[array.dtype]))


@public("sum")
def sum(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The sum of all elements, or along dimensions. Integers and bools add up to int64.

    >>> import minigrad as torch
    >>> torch.tensor([[1.0, 2.0], [3.0, 4.0]]).sum(0)
    tensor([4., 6.])
    """
    input = converted(input, dtype)
    return sum_all(input) if dim is None and not keepdim else sum_dims(input, dim, keepdim)


@public("mean")
def mean(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The mean of all elements, or along dimensions. RuntimeError for integers."""
    input = converted(input, dtype)
    return mean_all(input) if dim is None and not keepdim else mean_dims(input, dim, keepdim)


# Products


def without_each(x: Any, dim: int) -> Any:
    """For each element along a dimension, a copy of `x` with 1 in place of this element.

    The copies are numbered by `dim`; the dimension itself comes after it.
    """
    size = x.shape[dim]
    eye = np.eye(size, dtype=bool).reshape(size, size, *[1] * (x.ndim - dim - 1))
    return where(from_array(eye) if isinstance(x, Tensor) else eye, 1, unsqueeze(x, dim))


def prod_slope(grad: Any, self: Any, result: Any, dim: int, keepdim: bool) -> Any:
    """The gradient times the product of the other elements."""
    if not self.ndim:
        return grad
    grad = with_dims(grad, self.ndim, dim, keepdim)
    if (self == 0).any():
        dim = wrap_dim(dim, self.ndim)
        return grad * prod_dim(without_each(self, dim), dim + 1, False)
    return grad * (with_dims(result, self.ndim, dim, keepdim) / self)


def prod_all_slope(grad: Any, self: Any, result: Any) -> Any:
    if self.ndim and (self == 0).any():
        return prod_slope(grad, self.reshape(-1), result, 0, False).reshape(self.shape)
    return grad * (result / self) if self.ndim else grad


@op("", "ProdBackward0", kind="pointwise", self=prod_all_slope)
def prod_all(self: Array) -> Any:
    return product_along(self, None, sum_dtype(self))


@op("", "ProdBackward1", self=prod_slope)
def prod_dim(self: Array, dim: int, keepdim: bool) -> Any:
    return product_along(self, wrap_dim(dim, self.ndim), sum_dtype(self), None, keepdim)


@public("prod")
def prod(input: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    """The product of all elements, or along a dimension."""
    return prod_all(input) if dim is None else prod_dim(input, dim, keepdim)


# Variance, standard deviation, norm


def var_slope(grad: Any, self: Any, dim: Any, correction: float, keepdim: bool) -> Any:
    freedom = count(self.shape, dim) - correction
    grad = with_dims(grad, self.ndim, dim, keepdim)
    distance = self - (mean_all(self) if dim is None else mean_dims(self, dim, True))
    return scale(grad, 2 / freedom if freedom > 0 else math.inf) * distance


def std_slope(grad: Any, self: Any, result: Any, dim: Any, correction: float, keepdim: bool) -> Any:
    grad = indexing.masked_fill_number(grad / scale(result, 2), result == 0, 0)
    return var_slope(grad, self, dim, correction, keepdim)


@op("", "VarBackward0", self=var_slope)
def var_op(self: Array, dim: Any, correction: float, keepdim: bool) -> Any:
    check_floating(self, "std and var only support floating point and complex dtypes")
    dims, size = wrap_dims(dim, self.ndim), count(self.shape, dim)
    distance = self - sum_along(self, dims, None, None, True) / size
    return sum_along(distance * distance, dims, None, None, keepdim) / max(size - correction, 0)


@op("", "StdBackward0", self=std_slope)
def std_op(self: Array, dim: Any, correction: float, keepdim: bool) -> Any:
    return np.sqrt(var_op(self, dim, correction, keepdim))


def var_mean_slope(grads: Any, self: Any, dim: Any, correction: float, keepdim: bool) -> Any:
    spread = var_slope(grads[0], self, dim, correction, keepdim)
    return spread + mean_slope(grads[1], tuple(self.shape), dim, keepdim)


@op("", "VarMeanBackward0", outputs="result0 result1", self=var_mean_slope)
def var_mean_op(self: Array, dim: Any, correction: float, keepdim: bool) -> Any:
    total = sum_along(self, wrap_dims(dim, self.ndim), None, None, keepdim)
    return var_op(self, dim, correction, keepdim), total / count(self.shape, dim)


ALIASES["unbiased"] = "correction"  # an older name, for True and False instead of 1 and 0


def publish_spread(name: str, operation: Callable[..., Any], variants: str) -> None:
    """Make var, std or var_mean public."""

    @public(name, variants)
    def spread(input: Any, dim: Any = None, correction: Any = 1, keepdim: bool = False) -> Any:
        """The variance (its root, the standard deviation) of all elements, or along dimensions.

        The squares of the distances from the mean are added up and divided by the number of
        elements minus `correction`.
        """
        if isinstance(dim, bool):
            dim, correction = None, dim
        # +True is 1.
        return operation(input, dim, 1 if correction is None else +correction, keepdim)


publish_spread("var", var_op, "function method")
publish_spread("std", std_op, "function method")
publish_spread("var_mean", var_mean_op, "function")


def norm_slope(grad: Any, self: Any, p: float, result: Any, dim: Any, keepdim: bool) -> Any:
    grad = with_dims(grad, self.ndim, dim, keepdim)
    result = with_dims(result, self.ndim, dim, keepdim)
    if p == 1:
        return sgn(self) * grad
    if p == 2:
        return grad * indexing.masked_fill_number(self / result, result == 0, 0)
    if math.isinf(p):
        largest = abs(self) == result
        return sgn(self) * ((grad / sum_dims(largest, dim, True)) * largest)
    part = indexing.masked_fill_number(grad / result ** (p - 1), result == 0, 0)
    return (self * abs(self) ** (p - 2) if p > 2 else sgn(self) * abs(self) ** (p - 1)) * part


@op("", "LinalgVectorNormBackward0", self=norm_slope)
def vector_norm(self: Array, p: float, dim: Any, keepdim: bool) -> Any:
    check_floating(self, INTEGER_NORM)
    dims = wrap_dims(dim, self.ndim)
    if p == 2:
        return np.sqrt(sum_along(self * self, dims, None, None, keepdim))
    if math.isinf(p):
        return (largest_along if p > 0 else smallest_along)(np.abs(self), dims, None, None, keepdim)
    return sum_along(np.abs(self) ** p, dims, None, None, keepdim) ** (1 / p)


@public("norm")
def norm(input: Any, p: Any = "fro", dim: Any = None, keepdim: bool = False) -> Any:
    """The p-norm of all elements as one vector, or along dimensions; Euclidean by default."""
    return vector_norm(input, 2 if p in ("fro", None) else p, dim, keepdim)


# Extremes


def extreme_slope(grad: Any, self: Any, result: Any) -> Any:
    """The gradient of an extreme of all elements: equal elements share it."""
    extreme = (self == result) | (self != self)  # or nan
    zeros = indexing.zeros_for(grad, tuple(self.shape))
    return indexing.masked_fill_tensor(zeros, extreme, grad / sum_all(extreme))


def selected_slope(grads: Any, self_shape: Shape, dim: int, keepdim: bool, indices: Any) -> Any:
    """The gradient of the elements that max or min selected along a dimension."""
    if self_shape and not keepdim:
        grads, indices = [unsqueeze(grads[0], dim)], unsqueeze(indices, dim)
    return indexing.scatter_grad(grads, self_shape, dim, indices)


def declare_extremes(name: str, pairwise: Callable[..., Any], reduce: Any) -> None:
    """Declare max and argmax, or min and argmin."""
    title, result_type = name.capitalize(), type(name, (indexing.ValuesAndIndices,), {})
    find = getattr(np.ndarray, f"arg{name}")

    @op("", f"{title}Backward1", kind="pointwise", self=extreme_slope)
    def of_all(self: Array) -> Any:
        return reduce(self, None)

    @op("", f"{title}Backward0", outputs="values indices", self=selected_slope)
    def along_dim(self: Array, dim: int, keepdim: bool) -> Any:
        dim = wrap_dim(dim, self.ndim)
        return reduce(self, dim, None, None, keepdim), find(self, dim, keepdims=keepdim)

    @public(name)
    def extreme(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
        """The extreme of all elements; along a dimension, with its index; or of two tensors."""
        if isinstance(dim, Tensor):
            return pairwise(input, dim)
        return of_all(input) if dim is None else result_type(*along_dim(input, dim, keepdim))

    @op(f"arg{name}", "")
    def index_of_extreme(self: Array, dim: int | None = None, keepdim: bool = False) -> Any:
        """The index of the first extreme: along a dimension, or in the flattened tensor."""
        return find(self, None if dim is None else wrap_dim(dim, self.ndim), keepdims=keepdim)


declare_extremes("max", maximum, largest_along)
declare_extremes("min", minimum, smallest_along)


@op("all", "")
def all(self: Array, dim: Any = None, keepdim: bool = False) -> Any:
    """Whether all elements are true (not zero), or all along dimensions."""
    return np.all(self, wrap_dims(dim, self.ndim), keepdims=keepdim)


@op("any", "")
def any(self: Array, dim: Any = None, keepdim: bool = False) -> Any:
    """Whether any element is true (not zero), or any along dimensions."""
    return np.any(self, wrap_dims(dim, self.ndim), keepdims=keepdim)


# Running sums


def cumsum_slope(grad: Any, dim: int) -> Any:
    return flip(cumsum(flip(grad, dim), dim), dim) if grad.ndim else grad


@op("cumsum", "CumsumBackward0", self=cumsum_slope)
def cumsum(self: Array, dim: int) -> Any:
    """The sum of all elements up to each element along a dimension."""
    dim = wrap_dim(dim, self.ndim)
    return np.add.accumulate(np.atleast_1d(self), dim, sum_dtype(self)).reshape(self.shape)
