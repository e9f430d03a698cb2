"""Distances and angles between vectors."""

from __future__ import annotations

from typing import Any

from minigrad import dtypes
from minigrad.autograd.grad_mode import no_grad
from minigrad.ops import shape
from minigrad.ops.calls import kernel, refusing
from minigrad.ops.check import check_shapes
from minigrad.ops.define import hidden
from minigrad.ops.pointwise import add_number, floating
from minigrad.ops.reduction import norm_backward, norm_of
from minigrad.tensor import Tensor


@refusing()
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Any:
    """Return the cosine of the angle between vectors along a dimension.

    Raises:
        RuntimeError: if both are of integers or booleans.
    """
    dtype = dtypes.promote_types(x1.dtype, x2.dtype)
    if not dtype.is_floating_point:
        raise RuntimeError(
            "expected common dtype to be floating point, yet common dtype is " + dtype.scalar_name
        )
    x1, x2 = [one if one.is_floating_point() else one.to(dtype) for one in (x1, x2)]
    if x1.shape != x2.shape:
        check_shapes(x1, x2)
        common = shape.common_shape(x1.shape, x2.shape)
        x1, x2 = shape.expand_to(x1, common), shape.expand_to(x2, common)
    lengths = length(x1, dim, eps), length(x2, dim, eps)
    second = x2 / lengths[1]  # recorded first, as PyTorch does: the engine follows this order
    return (x1 / lengths[0] * second).sum(dim)


def length(vectors: Tensor, dim: int, eps: float) -> Any:
    """Return the 2-norm along a dimension, at least `eps`, whose gradient is not limited."""
    norm = vectors.norm(2, dim, keepdim=True).clone()
    with no_grad():
        norm.clamp_min_(eps)
    return norm


norm_along = hidden("NormBackward1", norm_of, self=norm_backward)


@kernel("pairwise_distance")
def pairwise_distance(
    x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Any:
    """Return the distance of each two vectors: the p-norm of their difference, plus `eps`.

    Args:
        x1, x2: (..., length), of shapes that can be broadcast.

    >>> import minigrad as torch
    >>> torch.nn.functional.pairwise_distance(torch.zeros(1, 2), torch.tensor([[3.0, 4.0]]))
    tensor([5.0000])
    """
    last = max(x1.ndim, x2.ndim) - 1
    return norm_along(plus(x1 - x2, eps), p, (last,), keepdim, None)


def plus(input: Tensor, number: float) -> Any:
    """Return a tensor of any dtype plus a number, in floating point."""
    return add_number(floating(input), number)
