"""Sums, means, extremes and what is computed with them."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from minigrad import dtypes
from minigrad.op import ARRAYS, functions, op, public
from minigrad.ops.pointwise import exp, share, where
from minigrad.ops.shapes import broadcast, expand, expand_op, put, unsqueeze
from minigrad.tensor import Tensor


def axes(dim: Any, ndim: int) -> tuple[int, ...]:
    """Dimensions as numbers from 0: all of them if none are given."""
    dims = range(ndim) if dim is None or dim == () else (dim,) if isinstance(dim, int) else dim
    return tuple(axis(d, ndim) for d in dims)


def axis(dim: int, ndim: int) -> int:
    size = max(ndim, 1)
    if not -size <= dim < size:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-size}, {size - 1}], "
            f"but got {dim})"
        )
    return dim % size


def numpy_axes(self: Any, dim: Any) -> tuple[int, ...]:
    return axes(dim, self.ndim) if self.ndim else ()


def restored(grad: Any, shape: tuple[int, ...], dim: Any, keepdim: bool) -> Any:
    """A gradient of what was reduced, with the dimensions that were lost and their size."""
    return expand(with_dims(grad, len(shape), dim, keepdim), shape)


def with_dims(x: Any, ndim: int, dim: Any, keepdim: bool) -> Any:
    if not keepdim and ndim and x.ndim < ndim:
        for d in sorted(axes(dim, ndim)):
            x = unsqueeze(x, d)
    return x


def count(shape: tuple[int, ...], dim: Any) -> int:
    return math.prod(shape[d] for d in axes(dim, len(shape))) if shape else 1


def total(self: Any, dtype: np.dtype) -> Any:
    return np.add.reduce(self, None) if dtype.kind == "f" else np.add.reduce(self, None, "i8")


def add_up(self: Any, dim: Any = None, keepdim: bool = False) -> Any:
    dtype = np.dtype("i8") if self.dtype.kind in "bui" else None
    return np.add.reduce(self, numpy_axes(self, dim), dtype, None, keepdim)


def average(self: Any, dim: Any = None, keepdim: bool = False) -> Any:
    if self.dtype.kind != "f":
        name = dtypes.TITLES[self.dtype]
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or "
            f"complex dtype. Got: {name}"
        )
    return add_up(self, dim, keepdim) / self.dtype.type(count(self.shape, dim))


sum_all = op(
    "",
    "SumBackward0",
    lambda self: total(self, self.dtype),
    kind="pointwise",
    self=lambda grad, self_shape: expand_op(grad, self_shape),
)
sum_dims = op(
    "",
    "SumBackward1",
    lambda self, dim, keepdim: add_up(self, dim, keepdim),
    self=lambda grad, self_shape, dim, keepdim: restored(grad, self_shape, dim, keepdim),
)
mean_all = op(
    "",
    "MeanBackward0",
    lambda self: total(self, self.dtype) / self.size if self.dtype.kind == "f" else average(self),
    kind="pointwise",
    self=lambda grad, self_shape: shared_by_all(grad, self_shape),
)


def shared_by_all(grad: Any, shape: tuple[int, ...]) -> Any:
    if isinstance(grad, ARRAYS):  # much the same, and faster
        return broadcast(grad / math.prod(shape), shape)
    return share(expand_op(grad, shape), math.prod(shape))


mean_dims = op(
    "",
    "MeanBackward1",
    lambda self, dim, keepdim: average(self, dim, keepdim),
    self=lambda grad, self_shape, dim, keepdim: share(
        restored(grad, self_shape, dim, keepdim), count(self_shape, dim)
    ),
)
prod_all = op(
    "",
    "ProdBackward0",
    lambda self: np.multiply.reduce(self, None),
    self=lambda grad, self: grad * others_product(self.reshape(-1), 0).reshape(self.shape),
)
prod_dim = op(
    "",
    "ProdBackward1",
    lambda self, dim, keepdim: np.multiply.reduce(self, dim, keepdims=keepdim),
    self=lambda grad, self, dim, keepdim: (
        with_dims(grad, self.ndim, dim, keepdim) * others_product(self, dim)
    ),
)


def others_product(x: Any, dim: int) -> Any:
    """The product of all other elements, for each element: right even where some are zero."""
    parts = [
        unsqueeze(x.take(i, dim) if not isinstance(x, Tensor) else x.select(dim, i), dim)
        for i in range(x.shape[dim])
    ]
    one = parts[0] * 0 + 1
    before, after = [one], [one]
    for part in parts[:-1]:
        before.append(before[-1] * part)
    for part in parts[:0:-1]:
        after.append(after[-1] * part)
    products = [a * b for a, b in zip(before, reversed(after))]
    return functions["cat"](products, dim)


def two_ways(name: str, whole: Any, along: Any) -> None:
    """A reduction of everything, or along dimensions: PyTorch names their nodes differently."""

    def call(
        input: Tensor,
        *dims: int,
        dim: Any = None,
        keepdim: bool = False,
        dtype: Any = None,
        axis: Any = None,
        out: Any = None,
    ) -> Tensor:
        if dtype is not None:
            input = input.to(dtype)
        if axis is not None:
            dim = axis
        if dims:
            dim, keepdim = (dims[0], dims[1]) if type(dims[-1]) is bool else (dims, keepdim)
            dim = dim[0] if isinstance(dim, tuple) and len(dim) == 1 else dim
        return whole(input) if dim is None else along(input, dim, keepdim)

    call.__name__ = name
    public(call, name)


two_ways("sum", sum_all, sum_dims)
two_ways("mean", mean_all, mean_dims)
two_ways("prod", prod_all, prod_dim)

# Variance and norm


def correction_of(unbiased: Any, correction: Any) -> Any:
    return correction if correction is not None else int(unbiased is None or unbiased)


var_op = op(
    "",
    "VarBackward0",
    lambda self, dim, correction, keepdim: np.var(
        self, numpy_axes(self, dim), ddof=correction, keepdims=keepdim
    ),
    self=lambda grad, self, dim, correction, keepdim: var_slope(
        grad, self, dim, correction, keepdim
    ),
)
std_op = op(
    "",
    "StdBackward0",
    lambda self, dim, correction, keepdim: np.std(
        self, numpy_axes(self, dim), ddof=correction, keepdims=keepdim
    ),
    self=lambda grad, self, result, dim, correction, keepdim: std_slope(
        grad, self, result, dim, correction, keepdim
    ),
)


def var_slope(grad: Any, x: Any, dim: Any, correction: int, keepdim: bool) -> Any:
    scale = 2 / (count(x.shape, dim) - correction)
    return restored(grad, tuple(x.shape), dim, keepdim) * centred(x, dim) * scale


def std_slope(grad: Any, x: Any, result: Any, dim: Any, correction: int, keepdim: bool) -> Any:
    return var_slope(grad / (2 * result), x, dim, correction, keepdim)


def centred(x: Any, dim: Any) -> Any:
    return x - (mean_dims(x, axes(dim, x.ndim), True) if x.ndim else x)


def spread(operation: Any) -> Any:
    def call(
        input: Tensor,
        dim: Any = None,
        unbiased: Any = None,
        keepdim: bool = False,
        *,
        correction: Any = None,
    ) -> Tensor:
        if isinstance(dim, bool):
            dim, unbiased = None, dim
        return operation(input, dim, correction_of(unbiased, correction), keepdim)

    return call


var, std = public(spread(var_op), "var"), public(spread(std_op), "std")


def mean_slope(grad: Any, x: Any, dim: Any, keepdim: bool) -> Any:
    return restored(grad / count(x.shape, dim), tuple(x.shape), dim, keepdim)


def with_mean(name: str, spread_of: Any, formula: Any) -> None:
    """The variance, or its root, and the mean, as two outputs of one operation."""
    both = op(
        "",
        f"{name.capitalize()}MeanBackward0",
        lambda self, dim, correction, keepdim: (
            spread_of(self, numpy_axes(self, dim), ddof=correction, keepdims=keepdim),
            average(self, dim, keepdim),
        ),
        outputs="result0 result1",
        self=formula,
    )
    public(spread(both), f"{name}_mean", "function")


with_mean(
    "var",
    np.var,
    lambda grads, self, dim, correction, keepdim: (
        var_slope(grads[0], self, dim, correction, keepdim)
        + mean_slope(grads[1], self, dim, keepdim)
    ),
)
with_mean(
    "std",
    np.std,
    lambda grads, self, result0, dim, correction, keepdim: (
        std_slope(grads[0], self, result0, dim, correction, keepdim)
        + mean_slope(grads[1], self, dim, keepdim)
    ),
)


def norm_gradient(grad: Any, self: Any, result: Any, p: float, dim: Any, keepdim: bool) -> Any:
    grad = with_dims(grad, self.ndim, dim, keepdim)
    result = with_dims(result, self.ndim, dim, keepdim)
    if p == 1:
        return grad * functions["sign"](self)
    divisor = where(result == 0, result * 0 + 1, result)
    if p == 2:
        return where(result == 0, self * 0, grad * self / divisor)
    if p == math.inf:
        hit = functions["abs"](self) == result
        return grad * functions["sign"](self) * hit / add_up(hit, dim, True)
    size = functions["abs"](self)
    return grad * functions["sign"](self) * (size / divisor) ** (p - 1)


norm_op = op(
    "",
    "LinalgVectorNormBackward0",
    lambda self, p, dim, keepdim: vector_norm(self, p, numpy_axes(self, dim), keepdim),
    self=norm_gradient,
)


def vector_norm(a: np.ndarray, p: float, dims: tuple[int, ...], keepdim: bool) -> Any:
    if p == 2:
        return np.sqrt(np.add.reduce(a * a, dims, keepdims=keepdim))
    if abs(p) == math.inf:
        return (np.max if p > 0 else np.min)(np.abs(a), dims, keepdims=keepdim)
    return np.add.reduce(np.abs(a) ** p, dims, keepdims=keepdim) ** (1 / p)


def norm(input: Tensor, p: Any = 2, dim: Any = None, keepdim: bool = False) -> Tensor:
    return norm_op(input, {"fro": 2, None: 2}.get(p, p), dim, keepdim)


public(norm, "norm")

# Extremes: equals share the gradient of the whole; along a dimension the first takes it


class Extremes(NamedTuple):
    """What `max` and `min` along a dimension return."""

    values: Tensor
    indices: Tensor

    def __repr__(self) -> str:
        name = type(self).__name__
        return f"torch.return_types.{name}(\nvalues={self.values!r},\nindices={self.indices!r})"


def extreme(name: str, reduce: Any, place: Any, pairwise: Any) -> None:
    """`max` or `min` of everything, along a dimension with places, or of two tensors."""
    whole = op(
        "",
        f"{name.capitalize()}Backward1",
        lambda self: reduce(self),
        self=lambda grad, self, result: among_equals(grad, self, result, None, False),
    )
    along = op(
        "",
        f"{name.capitalize()}Backward0",
        lambda self, dim, keepdim: with_places(self, place, dim, keepdim),
        outputs="values indices",
        self=lambda grads, self_shape, dim, keepdim, indices: along_put(
            grads[0], with_dims(indices, len(self_shape), dim, keepdim), self_shape, dim, keepdim
        ),
    )
    named = type(name, (Extremes,), {})

    def call(
        input: Tensor, dim: Any = None, keepdim: bool = False, axis: Any = None, out: Any = None
    ) -> Any:
        dim = axis if dim is None else dim
        if dim is None:
            return whole(input)
        if isinstance(dim, Tensor):
            return pairwise(input, dim)
        return named(*along(input, dim, keepdim)) if input.ndim else whole(input)

    call.__name__ = name
    public(call, name)
    op(
        f"a{name}",
        f"A{name}Backward0",
        lambda self, dim=(), keepdim=False: reduce(self, numpy_axes(self, dim), keepdims=keepdim),
        self=among_equals,
    )
    op(
        f"arg{name}",
        "",
        lambda self, dim=None, keepdim=False: np.int64(place(self, dim, keepdims=keepdim)),
    )


def among_equals(grad: Any, self: Any, result: Any, dim: Any, keepdim: bool) -> Any:
    hit = self == with_dims(result, self.ndim, dim, keepdim)
    number = sum_dims(hit, dim, True)
    return with_dims(grad, self.ndim, dim, keepdim) * hit / number


def with_places(a: np.ndarray, place: Any, dim: int, keepdim: bool) -> tuple:
    at = place(a, dim, keepdims=True)
    values = np.take_along_axis(a, at, dim)
    return (values, at) if keepdim else (values.squeeze(dim), at.squeeze(dim))


def along_put(grad: Any, indices: Any, shape: tuple, dim: int, keepdim: bool) -> Any:
    """Put each gradient where its element was found along a dimension."""
    indices = indices._array if isinstance(indices, Tensor) else indices
    grid = list(np.ogrid[tuple(map(slice, indices.shape))])
    grid[dim] = indices
    return put(with_dims(grad, len(shape), dim, keepdim), tuple(grid), shape, False)


extreme("max", np.max, np.argmax, functions["maximum"])
extreme("min", np.min, np.argmin, functions["minimum"])

op("all", "", lambda self, dim=None, keepdim=False: np.all(self, dim, keepdims=keepdim))
op("any", "", lambda self, dim=None, keepdim=False: np.any(self, dim, keepdims=keepdim))
cumsum = op(
    "cumsum",
    "CumsumBackward0",
    lambda self, dim: np.cumsum(self, dim),
    self=lambda grad, dim: reverse(cumsum(reverse(grad, dim), dim), dim),
)


cumprod = op(
    "cumprod",
    "CumprodBackward0",
    lambda self, dim: np.cumprod(self, dim),
    self=lambda grad, self, result, dim: (
        reverse(cumsum(reverse(grad * result, dim), dim), dim) / self
    ),
)


def reverse(x: Any, dim: int) -> Any:
    return functions["flip"](x, (dim,))


# Softmax and its relatives


def stable_exp(a: np.ndarray, dim: int) -> np.ndarray:
    return np.exp(a - np.max(a, dim, keepdims=True))


softmax = op(
    "",
    "SoftmaxBackward0",
    lambda self, dim: (e := stable_exp(self, dim)) / np.add.reduce(e, dim, keepdims=True),
    kind="scores",
    self=lambda grad, result, dim: result * (grad - sum_dims(grad * result, dim, True)),
)
log_softmax = op(
    "",
    "LogSoftmaxBackward0",
    lambda self, dim: (
        (z := self - np.max(self, dim, keepdims=True))
        - np.log(np.add.reduce(np.exp(z), dim, keepdims=True))
    ),
    kind="scores",
    self=lambda grad, result, dim: grad - exp(result) * sum_dims(grad, dim, True),
)
logsumexp = op(
    "logsumexp",
    "LogsumexpBackward0",
    lambda self, dim, keepdim=False: with_top(self, numpy_axes(self, dim), keepdim),
    self=lambda grad, self, result, dim, keepdim: (
        with_dims(grad, self.ndim, dim, keepdim)
        * exp(self - with_dims(result, self.ndim, dim, keepdim))
    ),
)


def with_top(a: np.ndarray, dims: tuple[int, ...], keepdim: bool) -> Any:
    top = np.max(a, dims, keepdims=True)
    result = top + np.log(np.add.reduce(np.exp(a - top), dims, keepdims=True))
    return result if keepdim else result.squeeze(dims)


for name, call in dict(softmax=softmax, log_softmax=log_softmax).items():

    def along(input: Tensor, dim: int, dtype: Any = None, call: Any = call) -> Tensor:
        return call(input if dtype is None else input.to(dtype), dim)

    public(along, name)
