"""Equations of matrices, solved in more ways than `minigrad.ops.matrices` does; exponentials.

Source: https://github.com/pytorch/pytorch/blob/main/tools/autograd/derivatives.yaml
"""

# Formulas refer to operations that are declared below them.
# mypy: disable-error-code="has-type"

from __future__ import annotations

import contextlib
import functools
import inspect
import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad.autograd.node import Array
from minigrad.memory import in_columns
from minigrad.ops.check import check, check_dtypes, of_full_precision, squares
from minigrad.ops.define import define, hidden
from minigrad.ops.factorizations import linalg_pinv, linalg_svd, pinv_backward
from minigrad.ops.matrices import (
    DIAGONAL,
    MINOR,
    _LinAlgError,
    as_column,
    cholesky_backward,
    dependent,
    inverse_or_infinite,
    linalg_inv,
    linalg_solve,
    not_positive,
    solve_backward,
    upper_or_lower,
)
from minigrad.ops.pointwise import mul_number
from minigrad.ops.promotion import check_broadcast
from minigrad.ops.reduction import cumprod
from minigrad.ops.registry import public
from minigrad.ops.shape import (
    cat,
    expand_to,
    movedim,
    reshaped,
    squeeze_one,
    transpose,
    unsqueeze,
    zeros,
)
from minigrad.ops.triangular import triangular_solution
from minigrad.return_types import result_type
from minigrad.tensor import Tensor, from_array

# Exponentials


def exponential(self: Array) -> Any:
    """Return the exponentials of matrices: a series of what is small, squared again and again."""
    squares("matrix_exp", self, half=True)
    if not self.size:
        return self.copy()
    exact = self.astype(np.float64)
    size = np.abs(exact).sum(-2).max(initial=0)
    halvings = max(0, math.ceil(math.log2(size)) + 1) if 0 < size < math.inf else 0
    small = exact / 2.0**halvings
    total = term = np.broadcast_to(np.eye(self.shape[-1]), self.shape)
    for order in range(1, 19):
        term = term @ small / order
        total = total + term
    for _ in range(halvings):
        total = total @ total
    return total.astype(self.dtype)


def exponential_backward(grad: Any, self: Any) -> Any:
    """Return the gradient of an exponential, from that of a matrix of twice the size."""
    length = self.shape[-1]
    both = zeros((*self.shape[:-2], 2 * length, 2 * length), self)
    turned = transpose(self, -2, -1)
    both[..., :length, :length] = turned
    both[..., length:, length:] = turned
    both[..., :length, length:] = grad
    return linalg_matrix_exp(both)[..., :length, length:]


linalg_matrix_exp = hidden("LinalgMatrixExpBackward0", exponential, self=exponential_backward)


@public("matrix_exp")
def matrix_exp(input: Tensor) -> Any:
    """Return the exponential of a square matrix, or of each of a batch.

    Raises:
        RuntimeError: if it is not square, or not floating point.

    >>> import minigrad as torch
    >>> torch.matrix_exp(torch.zeros(2, 2))
    tensor([[1., 0.],
            [0., 1.]])
    """
    return linalg_matrix_exp(input)


# Singular values, by an older name

SvdResult = result_type("svd", "U S V")


@public("svd")
def svd(input: Tensor, some: bool = True, compute_uv: bool = True) -> Any:
    """Return orthogonal matrices U and V, and between them the singular values.

    Unless `some`, the matrices are square; unless `compute_uv`, they are zeros.

    Raises:
        RuntimeError: if there are fewer than two dimensions, or it is not floating point.
    """
    text = "linalg.svd: input should have at least 2 dimensions, but has {} dimensions instead"
    check(input.ndim >= 2, text, input.ndim)
    left, values, right = linalg_svd(input, not some and compute_uv)
    if compute_uv:
        return SvdResult((left, values, transpose(right, -2, -1)))
    rows, columns = [
        from_array(np.zeros((*input.shape[:-2], length, length), input._array.dtype))
        for length in input.shape[-2:]
    ]
    return SvdResult((rows, values, columns))


# Equations whose matrix is known by its triangular root


def solved_by_root(self: Array, input2: Array, upper: bool) -> Any:
    """Return X with ``A @ X == self`` from the triangle of a matrix that is the root of A."""
    root = np.triu(input2).swapaxes(-2, -1) if upper else np.tril(input2)
    half = triangular_solution(root, self, False, True, False)
    return triangular_solution(root.swapaxes(-2, -1), half, True, True, False)


def cholesky_solve_backward(
    grad: Any, self: Any, input2: Any, result: Any, upper: bool, grad_input_mask: tuple[bool, bool]
) -> Any:
    """Return the gradients of the right side and of the root."""
    of_right = solve_by_root(grad, input2, upper)
    if not grad_input_mask[1]:
        return of_right, None
    both = of_right @ transpose(result, -2, -1)
    both = both + transpose(both, -2, -1)
    return of_right, -(input2 @ both) if upper else -(both @ input2)


solve_by_root = hidden(
    "CholeskySolveBackward0",
    lambda self, input2, upper: in_columns(solved_by_root(self, input2, upper)),
    self=cholesky_solve_backward,
    input2=cholesky_solve_backward,
)


@public("cholesky_solve")
def cholesky_solve(input: Tensor, input2: Tensor, upper: bool = False) -> Any:
    """Return X with ``A @ X = input``, where `input2` is the Cholesky factor of A.

    Raises:
        RuntimeError: if the shapes or dtypes do not fit.
        NotImplementedError: if they are not of float32 or float64.
    """
    for name, one in (("b", input), ("u", input2)):
        text = "{} should have at least 2 dimensions, but has {} dimensions instead"
        check(one.ndim >= 2, text, name, one.ndim)
    rows, columns = input2.shape[-2:]
    text = "A must be batches of square matrices, but they are {} by {} matrices"
    check(rows == columns, text, rows, columns)
    text = (
        "Incompatible matrix sizes for cholesky_solve: each A matrix is {} by {} but each b matrix "
        "is {} by {}"
    )
    check(input.shape[-2] == rows, text, rows, columns, *input.shape[-2:])
    text = (
        "Expected b and A to have the same dtype, but found b of type {} and A of type {} instead."
    )
    check_dtypes(text, input._array, input2._array)
    of_full_precision(input._array, "cholesky_solve_cpu")
    return solve_by_root(input, input2, upper)


# What says by a number, instead of an error, that a matrix is none to begin with


def each(make: Any, A: Array, *others: Array) -> Array:
    """Return what numpy makes of each of a batch of matrices; nan where it fails."""
    places = np.ndindex(*A.shape[:-2])
    shape = np.broadcast_shapes(A.shape[:-1], *[one.shape[:-1] for one in others])
    like = [A, *others][-1]
    found = np.full((*shape, like.shape[-1]), np.nan, A.dtype)
    for place in places:
        with contextlib.suppress(np.linalg.LinAlgError):
            found[place] = make(A[place], *[one[place] for one in others])
    return in_columns(found)


def failures(A: Array, make: Any, fails: Any) -> Array:
    """Return for each of a batch of matrices how many columns it takes to fail; 0 if none do."""
    found = np.zeros(A.shape[:-2], np.int32)
    for place in np.ndindex(*found.shape):
        try:
            make(A[place])
        except np.linalg.LinAlgError:
            orders = range(1, A.shape[-1] + 1)
            found[place] = next(one for one in orders if fails(A[place][:, :one]))
    return found


def with_info(
    name: str, field: str, result: Tensor, info: Array, check_errors: bool, text: str
) -> Any:
    """Return a result with the numbers that say what failed; raise an error if so asked."""
    for number, order in enumerate(info.flat if check_errors else ()):
        batch = f"(Batch element {number}): " if info.ndim else ""
        check(not order, f"{name}: {batch}{text}", order, error=_LinAlgError)
    return result_type(f"linalg_{name.rpartition('.')[2]}", f"{field} info")(
        (result, from_array(np.asarray(info)))
    )


def inv_ex(A: Tensor, *, check_errors: bool = False) -> Any:
    """Return the inverse of a square matrix, and 0; or which element of its elimination is 0.

    Raises:
        RuntimeError: if it is not square or not floating point, or as asked, has no inverse.
    """
    result = inverse_or_infinite(A)
    info = failures(A._array, np.linalg.inv, dependent)
    return with_info("linalg.inv_ex", "inverse", result, info, check_errors, DIAGONAL)


@define(
    "LinalgCholeskyExBackward0",
    "",
    outputs="L",
    self=lambda grad, upper, L: cholesky_backward(grad, upper, L),
)
def root_or_nan(self: Array, upper: bool) -> Any:
    """Return the triangular roots of a batch of matrices; nan where there is none."""
    whole = of_full_precision(squares("cholesky", self, half=True), "cholesky_cpu")
    return upper_or_lower(each(np.linalg.cholesky, upper_or_lower(whole, upper)), upper)


def cholesky_ex(input: Tensor, *, upper: bool = False, check_errors: bool = False) -> Any:
    """Return the triangular root of a matrix, and 0; or which leading minor is not positive.

    Raises:
        RuntimeError: if it is not square or not floating point, or as asked, has no root.
    """
    result = root_or_nan(input, upper)
    info = failures(upper_or_lower(input._array, upper), np.linalg.cholesky, not_positive)
    return with_info("linalg.cholesky_ex", "L", result, info, check_errors, MINOR)


@define("LinalgSolveExBackward0", "", A=solve_backward, B=solve_backward)
def solution_or_nan(A: Array, B: Array, left: bool) -> Any:
    """Return the solutions of equations; nan where there is none for some of a batch."""
    try:
        return solved(A, B, left=left)
    except _LinAlgError:
        return np.full(np.broadcast_shapes(A.shape[:-2] + B.shape[-2:], B.shape), np.nan, A.dtype)


solved: Any = inspect.unwrap(linalg_solve)


def solve_ex(A: Tensor, B: Tensor, *, left: bool = True, check_errors: bool = False) -> Any:
    """Return X with ``A @ X == B``, and 0; or which element of the elimination is 0.

    Raises:
        RuntimeError: as `linalg.solve`, for what has no solution if so asked.
    """
    result = solution_or_nan(A, B, left)
    info = failures(A._array, np.linalg.inv, dependent)
    text = "torch.linalg.solve_ex: The solver failed because the input matrix is singular."
    check(not (check_errors and info.any()), text, error=_LinAlgError)
    return with_info("linalg.solve_ex", "result", result, info, False, "")


# Tensors taken for matrices


def tensorsolve(input: Tensor, other: Tensor, dims: Sequence[int] | None = None) -> Any:
    """Return X with ``tensordot(input, X, X.ndim) == other``, the `dims` of `input` being last.

    Raises:
        RuntimeError: if the lengths do not fit.
    """
    if dims is not None:
        input = movedim(input, tuple(dims), tuple(range(input.ndim - len(dims), input.ndim)))
    # PyTorch's own text: it builds a list of negative length.
    check(other.ndim <= input.ndim, "cannot create std::vector larger than max_size()")
    rest = tuple(input.shape[other.ndim :])
    rows, columns = other.numel(), math.prod(rest)
    text = (
        "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == "
        "prod(self.shape[:other.ndim]), but got {} != {}"
    )
    check(rows == columns, text, columns, rows)
    matrix, right = reshaped(input, (rows, columns)), other.flatten()
    return reshaped(linalg_solve(matrix, right), rest)


def tensorinv(input: Tensor, ind: int = 2) -> Any:
    """Return the inverse of a tensor as a matrix, whose columns are its dimensions from `ind` on.

    Raises:
        RuntimeError: if the lengths do not fit, or it has no inverse.
    """
    check(ind > 0, "Expected a strictly positive integer for 'ind', but got {}", ind)
    text = "ArrayRef: invalid slice, N = {}; size = {}"
    check(ind <= input.ndim, text, ind, input.ndim)
    first, last = input.shape[:ind], input.shape[ind:]
    text = (
        "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind])"
        ", but got {} != {}"
    )
    check(math.prod(first) == math.prod(last), text, math.prod(last), math.prod(first))
    matrix = reshaped(input, (math.prod(last), math.prod(first)))
    return reshaped(linalg_inv(matrix), (*last, *first))


def linalg_vander(x: Tensor, *, N: int | None = None) -> Any:
    """Return the powers of each element, from 0 on, along a new last dimension.

    Raises:
        RuntimeError: for booleans and float16, or fewer than two powers.
    """
    kind = x._array.dtype
    text = "linalg.vander supports floating point, complex, and integer tensors, but got {}"
    check(kind.kind in "iu" or kind.char in "fd", text, x.dtype.scalar_name)
    if N is None:
        N = x.shape[-1] if x.ndim else 1
    check(N > 1, "N must be greater than 1.")
    x = x if x.ndim else unsqueeze(x, 0)
    ones = from_array(np.ones((*x.shape, 1), kind))
    factors = expand_to(unsqueeze(x, -1), (*x.shape, N - 1))
    return cat([ones, cumprod(factors, -1)], -1)


# Least squares

DRIVERS = ("gels", "gelsy", "gelsd", "gelss")


def least_squares_backward(
    grad: Any, self: Any, b: Any, solution: Any, grad_input_mask: tuple[bool, bool]
) -> Any:
    """Return the gradients of both sides of equations that are solved by least squares."""
    of_solution, of_residuals = grad[:2]
    if len(b.shape) < len(self.shape):
        of_solution = None if of_solution is None else as_column(of_solution)
        found = least_squares_backward(
            (of_solution, of_residuals), self, as_column(b), as_column(solution), grad_input_mask
        )
        return found[0], None if found[1] is None else squeeze_one(found[1], -1)
    parts: list[tuple[Any, Any]] = []
    if of_solution is not None:
        inverse = linalg_pinv(self)
        parts.append((
            pinv_backward(of_solution @ transpose(b, -2, -1), self, inverse),
            transpose(inverse, -2, -1) @ of_solution,
        ))  # fmt: skip
    if of_residuals is not None and math.prod(of_residuals.shape):
        apart = mul_number(self @ solution - b, 2) * of_residuals[..., None, :]
        parts.append((apart @ transpose(solution, -2, -1), -apart))
    sides = [functools.reduce(operator.add, side) for side in zip(*parts, strict=True)]
    pairs = zip(sides or (None, None), grad_input_mask, strict=True)
    return tuple([side if need else None for side, need in pairs])


pseudoinverse: Any = inspect.unwrap(linalg_pinv)


def least_squares(self: Array, b: Array, rcond: Any, driver: str) -> tuple[Array, ...]:
    """Return solutions, residuals, ranks and singular values; empty what a driver does not give."""
    if b.ndim < self.ndim:
        solution, *others = least_squares(self, b[..., None], rcond, driver)
        return solution[..., 0], *others
    limit = max(self.shape[-2:]) * np.finfo(self.dtype).eps if rcond is None else rcond
    solution = in_columns(np.asarray(pseudoinverse(self, rtol=limit) @ b))
    values = np.linalg.svd(self, compute_uv=False)
    rank = np.asarray((values > limit * values.max(-1, keepdims=True, initial=0)).sum(-1), np.int64)
    none = np.zeros(0, self.dtype)
    residuals = none
    if driver != "gelsy" and self.shape[-2] > self.shape[-1] == rank.min(initial=self.shape[-1]):
        residuals = ((self @ solution - b) ** 2).sum(-2)
    return (
        solution,
        residuals,
        np.zeros(0, np.int64) if driver == "gels" else rank,
        values if driver in ("gelsd", "gelss") else none,
    )


solved_by_least_squares = hidden(
    "LinalgLstsqBackward0",
    least_squares,
    outputs="solution residuals rank singular_values",
    self=least_squares_backward,
    b=least_squares_backward,
)
LstsqResult = result_type("linalg_lstsq", "solution residuals rank singular_values")


def lstsq(input: Tensor, b: Tensor, rcond: float | None = None, *, driver: Any = None) -> Any:
    """Return X for which ``input @ X`` comes nearest to b, residuals, rank and singular values.

    What the `driver` of LAPACK (``"gelsy"`` unless given) does not compute is empty.

    Raises:
        RuntimeError: if the shapes or dtypes do not fit, or for another driver.
    """
    text = "torch.linalg.lstsq: input must have at least 2 dimensions."
    check(input.ndim >= 2, text)
    check(b.ndim >= 1, "torch.linalg.lstsq: other must have at least 1 dimension.")
    text = "torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)"
    check(driver is None or driver in DRIVERS, text)
    text = (
        "torch.linalg.lstsq: input.dim() must be greater or equal to other.dim() and (input.dim() "
        "- other.dim()) <= 1"
    )
    check(input.ndim - b.ndim in (0, 1), text)
    text = (
        "torch.linalg.lstsq: Expected input and other to have the same dtype, but got input's "
        "dtype {} and other's dtype {}"
    )
    check_dtypes(text, input._array, b._array)
    rows = -1 if b.ndim == 1 or b.shape == input.shape[:-1] else -2
    text = "torch.linalg.lstsq: input.size(-2) should match other.size({})"
    check(input.shape[-2] == b.shape[rows], text, rows)
    check_broadcast([input.shape[:-2], b.shape[: input.ndim - b.ndim - 2]])
    text = "This function doesn't handle types other than float and double"
    check(input._array.dtype.char in "fd", text)
    *found, values = solved_by_least_squares(input, b, rcond, driver or "gelsy")
    return LstsqResult((*found, from_array(values._array)))  # which are not differentiated
