"""Equations with a triangular matrix.

Source: https://github.com/pytorch/pytorch/blob/main/torch/csrc/autograd/FunctionsManual.cpp
"""

# Formulas refer to operations that are declared below them.
# mypy: disable-error-code="has-type"

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.autograd.node import Array
from minigrad.memory import in_columns
from minigrad.ops.check import check, of_full_precision, squares
from minigrad.ops.define import hidden
from minigrad.ops.promotion import check_broadcast
from minigrad.ops.shape import transpose, tril, triu
from minigrad.tensor import Tensor


def adjoint(matrix: Any) -> Any:
    """Return matrices transposed."""
    return transpose(matrix, -2, -1)


def triangular_backward(
    grad: Any,
    self: Any,
    upper: bool,
    left: bool,
    unitriangular: bool,
    result: Any,
    grad_input_mask: tuple[bool, bool],
) -> Any:
    """Return the gradients of both sides; of the diagonal too unless that counts as ones."""
    of_right = triangular_solve(adjoint(self), grad, not upper, left, unitriangular)
    of_matrix = None
    if grad_input_mask[0]:
        turned = adjoint(result)
        full = -(of_right @ turned if left else turned @ of_right)
        free = int(unitriangular)
        of_matrix = triu(full, free) if upper else tril(full, -free)
    return of_matrix, of_right if grad_input_mask[1] else None


def triangular_solution(A: Array, B: Array, upper: bool, left: bool, ones: bool) -> Array:
    """Return what a triangular matrix has to be multiplied with for another one.

    Row by row, each from those that are known; a zero on the diagonal makes inf and nan.
    """
    check_triangular(A, B, left)
    if not left:
        turned = triangular_solution(A.swapaxes(-2, -1), B.swapaxes(-2, -1), not upper, True, ones)
        return turned.swapaxes(-2, -1)
    batch = np.broadcast_shapes(A.shape[:-2], B.shape[:-2])
    found = np.empty((*batch, *B.shape[-2:]), np.result_type(A, B))
    size = A.shape[-1]
    with np.errstate(all="ignore"):
        for place in reversed(range(size)) if upper else range(size):
            known = slice(place + 1, size) if upper else slice(0, place)
            through = A[..., place, None, known] @ found[..., known, :]
            rest = B[..., place, :] - through[..., 0, :]
            found[..., place, :] = rest if ones else rest / A[..., place, place, None]
    return found


def check_triangular(A: Array, B: Array, left: bool) -> None:
    """Refuse equations whose sides do not fit, with PyTorch's texts."""
    squares("solve_triangular", A, any_dtype=True)
    text = "linalg.solve_triangular: The input tensor B must have at least 2 dimensions."
    check(B.ndim >= 2, text)
    text = (
        "linalg.solve_triangular: Incompatible shapes of A and B for the equation {} "
        "({}x{} and {}x{})"
    )
    fits = A.shape[-1] == B.shape[-2 if left else -1]
    check(fits, text, "AX = B" if left else "XA = B", *A.shape[-2:], *B.shape[-2:])
    check_broadcast([B.shape[:-2], A.shape[:-2]])
    of_full_precision(A, "triangular_solve_cpu")


triangular_solve = hidden(
    "LinalgSolveTriangularBackward0",
    lambda self, B, upper, left, unitriangular: in_columns(
        triangular_solution(self, B, upper, left, unitriangular)
    ),
    self=triangular_backward,
    B=triangular_backward,
)


def solve_triangular(
    A: Tensor, B: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False
) -> Any:
    """Return X of ``A @ X = B``, or ``X @ A = B`` unless `left`, where A is triangular.

    Of A only the upper, or the lower, triangle is read, and `unitriangular` without the diagonal,
    which counts as ones. Where there is no solution, there are inf and nan.

    Raises:
        RuntimeError: if A is not square, or does not fit B.
        NotImplementedError: if they are not floating point.
    """
    return triangular_solve(A, B, upper, left, unitriangular)
