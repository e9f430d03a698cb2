"""Determinants, and the logarithms of their absolute values.

Source: https://github.com/pytorch/pytorch/blob/main/torch/csrc/autograd/FunctionsManual.cpp
"""

# Formulas refer to operations that are declared below them.
# mypy: disable-error-code="has-type"

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minigrad.autograd.node import Array
from minigrad.ops.check import of_full_precision, squares
from minigrad.ops.define import define
from minigrad.ops.factorizations import linalg_svd, row
from minigrad.ops.matrices import linalg_solve
from minigrad.ops.pointwise import choose
from minigrad.ops.reduction import others_product
from minigrad.ops.registry import Operation, public
from minigrad.ops.shape import diag_embed, expand_to, transpose, unsqueeze
from minigrad.tensor import Tensor


def det_backward(grad: Any, A: Any, result: Any) -> Any:
    """Return the gradient of a determinant: its cofactors."""
    slope = grad * result
    if not isinstance(A, Tensor):
        # Of singular matrices it is zero, as in PyTorch, unless the pass is recorded.
        regular = np.where((result == 0)[..., None, None], np.eye(A.shape[-1], dtype=A.dtype), A)
        return np.linalg.solve(regular.swapaxes(-2, -1), on_diagonal(slope, A))
    right = transpose(on_diagonal(slope, A), -2, -1)
    if (abs(result) < 100 * np.finfo(A._array.dtype).eps).any():
        return cofactors(grad, A)
    return linalg_solve(transpose(A, -2, -1), right)


def on_diagonal(values: Any, A: Any) -> Any:
    """Return diagonal matrices like given ones, one number on all of each diagonal."""
    if not isinstance(values, Tensor):
        return values[..., None, None] * np.eye(A.shape[-1], dtype=A.dtype)
    return diag_embed(expand_to(unsqueeze(values, -1), tuple(A.shape[:-1])))


def cofactors(grad: Any, A: Any) -> Any:
    """Return the gradient of the determinant of a matrix that may be singular."""
    U, S, Vh = linalg_svd(A)
    right = linalg_det(Vh)
    sign = linalg_det(U) * right * grad
    return (U * row(unsqueeze(sign, -1) * others_product(S, -1))) @ Vh


@define("LinalgDetBackward0", "", A=det_backward)
def linalg_det(A: Array) -> Any:
    """Return the determinant of a square matrix, or of each of a batch.

    Raises:
        RuntimeError: if it is not square or not floating point.
    """
    return np.linalg.det(of_full_precision(squares("det", A, half=True), "lu_cpu"))


public("det")(linalg_det)


def slogdet_backward(grad: list[Any], A: Any, sign: Any) -> Any:
    """Return the gradient of the logarithm of a determinant: the transposed inverse."""
    if grad[1] is None:
        return None
    right = on_diagonal(grad[1], A)
    if isinstance(A, Tensor):
        right = transpose(right, -2, -1)
    return linalg_solve(transpose(A, -2, -1), right)


def signed_logarithm(name: str, variants: str) -> Operation:
    """Declare a sign and logarithm of determinants, as torch or torch.linalg names its result."""

    def forward(A: Array) -> Any:
        """Return the sign of the determinant, and the logarithm of its absolute value."""
        return tuple(np.linalg.slogdet(squares("slogdet", A)))

    forward.__name__ = name
    return define("LinalgSlogdetBackward0", variants, outputs="sign logabsdet", A=slogdet_backward)(
        forward
    )


linalg_slogdet = signed_logarithm("linalg_slogdet", "")
slogdet = signed_logarithm("slogdet", "function method")


@public("logdet")
def logdet(input: Tensor) -> Any:
    """Return the logarithm of the determinant; nan if that is negative."""
    squares("logdet", input._array)
    sign, logarithm = slogdet(input)
    return choose(sign == -1, math.nan, logarithm)
