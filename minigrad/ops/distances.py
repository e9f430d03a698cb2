"""Distances between all vectors of two lists, and vectors cut down to a length: cdist, renorm."""

# Formulas refer to operations that are declared below them.
# mypy: disable-error-code="has-type"

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.autograd.node import Array
from minigrad.ops.check import check, check_dtypes, name_of
from minigrad.ops.define import define, hidden
from minigrad.ops.pointwise import (
    add_number,
    c_name,
    choose,
    in_dtype_of,
    masked_fill,
    mul_number,
    reciprocal,
)
from minigrad.ops.promotion import NUMBERS, array_of, not_a_tensor
from minigrad.ops.reduction import norm_backward, norm_of, vector_norm_dims
from minigrad.ops.registry import public
from minigrad.ops.shape import (
    FUNCTION,
    common_shape,
    in_order,
    sum_dims,
    transpose,
    unsqueeze,
    view_as_size,
)
from minigrad.size import checked_dim
from minigrad.tensor import Tensor

# Which way PyTorch computes Euclidean distances: by products of matrices, or by differences.
MODES = (
    "use_mm_for_euclid_dist_if_necessary",
    "use_mm_for_euclid_dist",
    "donot_use_mm_for_euclid_dist",
)
MANY = 25  # vectors, from which on products of matrices are faster
TINY = 1e-7  # added to lengths, lest one be 0


def pairs(x1: Array, x2: Array) -> Array:
    """Return the differences of each vector of one list and each of the other."""
    return x1[..., :, None, :] - x2[..., None, :, :]


def distances(x1: Array, x2: Array, p: float) -> Any:
    """Return the p-norms of the differences; without any elements, zeros like the first vectors."""
    apart = pairs(x1, x2)
    if not apart.size:
        return np.zeros(apart.shape[:-1], x1.dtype)
    return norm_of(apart, p, (-1,), False, None)


def to_first(grad_output: Array, x1: Array, x2: Array, p: float, cdist: Array) -> Any:
    """Return the gradient of the first vectors from that of the distances."""
    apart = pairs(x1, x2)
    gradient = grad_output[..., None]
    with np.errstate(all="ignore"):
        slopes = norm_backward(gradient, apart, p, -1, True, cdist[..., None])
        if p == np.inf:  # of several elements that are the largest each has the whole gradient
            slopes = np.sign(apart) * (np.abs(apart) == cdist[..., None]) * gradient
        elif p > 1:  # whatever the gradient
            slopes = np.where(cdist[..., None] == 0, 0, slopes)
    return np.zeros_like(x1) if slopes is None else slopes.sum(-2)


def refuse_backward(*values: Any) -> Any:
    """Raise NotImplementedError: PyTorch has no derivative of this derivative."""
    raise NotImplementedError("the derivative for '_cdist_backward' is not implemented.")


cdist_backward = hidden(
    "CdistBackwardBackward0",
    to_first,
    grad_output=lambda grad: refuse_backward(grad),
    x1=lambda grad: refuse_backward(grad),
    x2=lambda grad: refuse_backward(grad),
    cdist=lambda grad: refuse_backward(grad),
)
cdist_of = hidden(
    "CdistBackward0",
    distances,
    x1=lambda grad, x1, x2, p, result: cdist_backward(grad, x1, x2, p, result),
    x2=lambda grad, x1, x2, p, result: to_second(grad, x1, x2, p, result),
)


def to_second(grad: Any, x1: Any, x2: Any, p: float, result: Any) -> Any:
    """Return the gradient of the second vectors."""
    result = in_order(transpose(result, -2, -1))
    return cdist_backward(in_order(transpose(grad, -2, -1)), x2, x1, p, result)


def by_products(x1: Array, x2: Array) -> Any:
    """Return Euclidean distances, from lengths and products."""
    squares = [(one * one).sum(-1) for one in (x1, x2)]
    products = squares[0][..., :, None] + squares[1][..., None, :] - 2 * (x1 @ x2.swapaxes(-2, -1))
    return np.sqrt(np.maximum(products, 0))


def euclidean_backward(
    grad: Any, x1: Any, x2: Any, result: Any, grad_input_mask: tuple[bool, bool]
) -> tuple[Any, Any]:
    """Return the gradients of both lists of vectors from that of their Euclidean distances."""
    ratio = masked_fill(grad / result, result == 0, 0)
    of_x1 = of_x2 = None
    if grad_input_mask[0]:
        of_x1 = x1 * sum_dims(ratio, (-1,), True, None) - ratio @ x2
    if grad_input_mask[1]:
        lengths = unsqueeze(sum_dims(ratio, (-2,), False, None), -1)
        of_x2 = x2 * lengths - transpose(ratio, -2, -1) @ x1
    return of_x1, of_x2


euclidean = hidden(
    "EuclideanDistBackward0",
    by_products,
    x1=euclidean_backward,
    x2=euclidean_backward,
)


@public("cdist", FUNCTION)
def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str = MODES[0]) -> Any:
    """Return the p-norm of the difference of each vector of one list and each of the other.

    Args:
        x1: (..., n, length).
        x2: (..., m, length).
        compute_mode: how the Euclidean distances of more than 25 vectors are computed.

    Returns:
        (..., n, m)

    Raises:
        TypeError: for what is no tensor, or a p that is no number.
        RuntimeError: if the shapes or dtypes do not fit, or p is negative.
        ValueError: for another mode.

    >>> import minigrad as torch
    >>> torch.cdist(torch.zeros(1, 2), torch.tensor([[3.0, 4.0], [0.0, 1.0]]))
    tensor([[5., 1.]])
    """
    text = "{} is not a valid value for compute_mode"
    check(compute_mode in MODES, text, compute_mode, error=ValueError)
    for place, (name, one) in enumerate((("x1", x1), ("x2", x2)), 1):
        if not isinstance(one, Tensor):
            raise not_a_tensor("cdist", name, place, one)
    text = "cdist(): argument 'p' (position 3) must be float, not {}"
    check(isinstance(p, NUMBERS), text, type(p).__name__, error=TypeError)
    for name, one in (("X1", x1), ("X2", x2)):
        text = "cdist only supports at least 2D tensors, {} got: {}D"
        check(one.ndim >= 2, text, name, one.ndim)
    text = "X1 and X2 must have the same number of columns. X1: {} X2: {}"
    check(x1.shape[-1] == x2.shape[-1], text, x1.shape[-1], x2.shape[-1])
    for name, one in (("X1", x1), ("X2", x2)):
        text = "cdist only supports floating-point dtypes, {} got: {}"
        check(one.is_floating_point(), text, name, name_of(one._array))
    check(p >= 0, "cdist only supports non-negative p values")
    common_shape(x1._array.shape[:-2], x2._array.shape[:-2])
    some = x1.numel() > 0 and x2.numel() > 0
    many = max(x1.shape[-2], x2.shape[-2]) > MANY and compute_mode == MODES[0]
    if p == 2 and some and (many or compute_mode == MODES[1]):
        text = "expected m1 and m2 to have the same dtype, but got: {} != {}"
        check(x1.dtype == x2.dtype, text, c_name(x1.dtype), c_name(x2.dtype))
        result = euclidean(x1, x2)
        return view_as_size(result, tuple(result.shape))
    if some:
        check_dtypes("expected scalar type {} but found {}", x1._array, x2._array)
    return cdist_of(x1, x2, float(p))


def cut_down(self: Array, p: Any, dim: int, maxnorm: Any) -> Any:
    """Return the parts along a dimension, those that are longer than `maxnorm` made as long."""
    others = tuple([one for one in range(self.ndim) if one != dim % self.ndim])
    lengths = norm_of(self, p, others, True, None)
    factors = np.where(lengths > maxnorm, maxnorm / (lengths + TINY), 1)
    return self * factors.astype(self.dtype)


def renorm_backward(grad: Any, self: Any, p: Any, dim: int, maxnorm: Any) -> Any:
    """Return the gradient of what `renorm` was given."""
    others = tuple([one for one in range(len(self.shape)) if one != dim % len(self.shape)])
    # As in PyTorch, numbers of 32 bits are added up in 64.
    wide = np.dtype(np.float32 if dtype_of(self).char == "e" else np.float64)
    lengths = vector_norm_dims(self, p, others, True, wide)
    along = sum_dims(self * grad, others, True, wide)
    slope = norm_backward(along, self, p, others, True, lengths)
    inverse = reciprocal(add_number(lengths, TINY))
    cut = mul_number(inverse, maxnorm) * (grad - inverse * slope)
    return choose(lengths > maxnorm, in_dtype_of(grad, cut), grad)


def dtype_of(values: Any) -> np.dtype[Any]:
    """Return numpy's dtype of an array or tensor."""
    dtype: np.dtype[Any] = array_of(values).dtype
    return dtype


@define("RenormBackward0", "function method inplace", self=renorm_backward)
def renorm(self: Array, p: Any, dim: int, maxnorm: Any) -> Any:
    """Return a tensor whose parts along a dimension are no longer than `maxnorm` in the p-norm.

    Raises:
        RuntimeError: if there are fewer than two dimensions, or p is not positive.
        IndexError: if there is no such dimension.

    >>> import minigrad as torch
    >>> torch.tensor([[3.0, 4.0], [0.3, 0.4]]).renorm(2, 0, 1)
    tensor([[0.6000, 0.8000],
            [0.3000, 0.4000]])
    """
    check(not isinstance(p, complex) and p > 0, "renorm: non-positive-norm not supported")
    text = "renorm: expected maxnorm to be >= 0 but got {:g}"
    check(maxnorm >= 0, text, maxnorm)
    text = "renorm: input needs at least 2 dimensions, got {} dimensions"
    check(self.ndim > 1, text, self.ndim)
    checked_dim(dim, self.ndim)
    text = "linalg.vector_norm: Expected a floating point or complex tensor as input. Got {}"
    check(self.dtype.kind == "f", text, name_of(self))
    return cut_down(self, p, dim, maxnorm)
