"""More products of matrices, and what is found by taking a matrix apart: inverses, determinants.

Source: https://github.com/pytorch/pytorch/blob/main/torch/csrc/autograd/FunctionsManual.cpp
"""

# Formulas refer to operations that are declared below them.
# mypy: disable-error-code="has-type"

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.autograd.node import Array
from minigrad.data import element
from minigrad.memory import in_columns
from minigrad.ops.check import check, check_dtypes, name_of, of_full_precision, require, squares
from minigrad.ops.define import define
from minigrad.ops.half import widened
from minigrad.ops.linalg import bmm, dot, matmul, mv, outer_product, scaled, sum_of_products
from minigrad.ops.pointwise import clone, mul, mul_number
from minigrad.ops.promotion import check_broadcast
from minigrad.ops.reduction import sum
from minigrad.ops.registry import public
from minigrad.ops.shape import (
    diagonal,
    expanded_shape,
    squeeze_one,
    t,
    transpose,
    tril,
    unsafe_view,
    unsqueeze,
)
from minigrad.ops.triangular import triangular_solve
from minigrad.outside import warn
from minigrad.size import checked_dim
from minigrad.tensor import Tensor, from_array

ALL = "function method inplace"

CROSS_WITHOUT_DIM = (
    "Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass the dim "
    "explicitly or simply use torch.linalg.cross.\nThe default value of dim will change to agree "
    "with that of linalg.cross in a future release."
)
DIAGONAL = (
    "The diagonal element {} is zero, the inversion could not be completed because the input "
    "matrix is singular."
)
MINOR = (
    "The factorization could not be completed because the input is not positive-definite (the "
    "leading minor of order {} is not positive-definite)."
)


def expandable(self: Array, shape: tuple[int, ...]) -> Array:
    """Return an array, if it can be expanded to a shape."""
    expanded_shape(from_array(self), shape)
    return self


# Products that are added to something


@define(
    "AddmvBackward0",
    ALL,
    self=lambda grad, beta: scaled(grad, beta),
    mat=lambda grad, vec, alpha: scaled(outer_product(grad, vec), alpha),
    vec=lambda grad, mat, alpha: scaled(mv_of(t(mat), grad), alpha),
)
def addmv(self: Array, mat: Array, vec: Array, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Return ``beta * input + alpha * (mat @ vec)``.

    Raises:
        RuntimeError: if they do not fit or their dtypes differ.
    """
    ndims = (self.ndim, mat.ndim, vec.ndim)
    text = "vector + matrix @ vector expected, got {}, {}, {}"
    check(ndims[0] <= 1 and ndims[1:] == (2, 1), text, *ndims)
    at_all = self.ndim or mat.shape[1] == vec.size
    check(at_all, "Dimension specified as 0 but tensor has no dimensions", error=IndexError)
    text = "size mismatch, got input ({}), mat ({}x{}), vec ({})"
    fits = mat.shape[1] == vec.size and self.size in (1, mat.shape[0])
    check(fits, text, self.size, *mat.shape, vec.size)
    text = "addmv input tensors must have the same dtype, but got {}, {}, and {}"
    check_dtypes(text, self, mat, vec)
    if mat.size:
        require(mat, "fiu", "addmv_impl_cpu")
    return sum_of_products(self, widened(mat) @ widened(vec), beta, alpha)


def mv_of(mat: Any, vec: Any) -> Any:
    """Return the product of a matrix and a vector, tensors or arrays."""
    return mv(mat, vec) if isinstance(mat, Tensor) else mat @ vec


@define(
    "AddrBackward0",
    "function method",
    self=lambda grad, beta: scaled(grad, beta),
    vec1=lambda grad, vec2, alpha: scaled(mv_of(grad, vec2), alpha),
    vec2=lambda grad, vec1, alpha: scaled(mv_of(t(grad), vec1), alpha),
)
def addr(self: Array, vec1: Array, vec2: Array, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Return ``beta * input`` and ``alpha`` times the products of each two elements of vectors.

    Raises:
        RuntimeError: if they are no vectors, `input` cannot be expanded, or a factor is not of the
            result's kind.
    """
    for name, one in (("vec1", vec1), ("vec2", vec2)):
        check(one.ndim == 1, "addr: Expected 1-D argument {}, but got {}-D", name, one.ndim)
    expandable(self, (vec1.size, vec2.size))
    dtype = dtypes.common(self, vec1, vec2)
    for name, factor in (("beta", beta), ("alpha", alpha)):
        fits = dtype is dtypes.bool_ or not isinstance(factor, bool)
        check(fits, "Boolean {} only supported for Boolean results.", name)
        text = "For integral input tensors, argument {} must not be a floating point number."
        check(dtype.is_floating_point or not isinstance(factor, float), text, name)
    products = np.outer(vec1, vec2).astype(dtype.numpy_dtype)
    return sum_of_products(
        self.astype(products.dtype, copy=False), products * element(alpha, products.dtype), beta, 1
    )


@public("addr", "inplace")
def addr_in_place(
    self: Tensor, vec1: Tensor, vec2: Tensor, *, beta: Any = 1, alpha: Any = 1
) -> Any:
    """Return what `addr` does, for a matrix of just that size."""
    if vec1.ndim == vec2.ndim == 1:
        check(self.ndim == 2, "2D tensor expected, got {}D tensor for input", self.ndim)
        shapes = [list(one.shape) for one in (self, vec1, vec2)]
        text = "size mismatch, input: {}, v1: {}, v2: {}"
        check(shapes[0] == shapes[1] + shapes[2], text, *shapes)
    return addr(self, vec1, vec2, beta=beta, alpha=alpha)


@define(
    "BaddbmmBackward0",
    ALL,
    self=lambda grad, beta: scaled(grad, beta),
    batch1=lambda grad, batch2, alpha: scaled(bmm_of(grad, transpose(batch2, 1, 2)), alpha),
    batch2=lambda grad, batch1, alpha: scaled(bmm_of(transpose(batch1, 1, 2), grad), alpha),
)
def baddbmm(self: Array, batch1: Array, batch2: Array, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Return ``beta * input + alpha * (batch1 @ batch2)``, of batches of matrices.

    Raises:
        RuntimeError: if they do not fit.
    """
    for number, one in ((1, batch1), (2, batch2)):
        check(one.ndim == 3, "batch{} must be a 3D tensor", number)
    count, rows, inner = batch1.shape
    text = "Expected size for first two dimensions of batch2 tensor to be: {} but got: {}."
    fits = batch2.shape[:2] == (count, inner)
    check(fits, text, [count, inner], list(batch2.shape[:2]))
    expandable(self, (count, rows, batch2.shape[2]))
    names = [dtypes.of_numpy(one.dtype).cpp_name for one in (self, batch1, batch2)]
    text = "Input dtypes must be the same, got: input {}, batch1: {}, batch2: {}"
    check(self.dtype == batch1.dtype, text, *names)
    if batch1.size and batch2.size:
        require(batch1, "fiu", "baddbmm")
    check_dtypes("expected scalar type {} but found {}", batch1, batch2)
    products = widened(batch1) @ widened(batch2)
    return sum_of_products(self, products * element(alpha, products.dtype), beta, 1)


def bmm_of(one: Any, two: Any) -> Any:
    """Return the products of two batches, tensors or arrays."""
    return bmm(one, two) if isinstance(one, Tensor) else one @ two


@define(
    "VdotBackward0",
    self=lambda grad, other: grad * other,
    other=lambda grad, self: grad * self,
)
def vdot(self: Array, other: Array) -> Any:
    """Return the dot product of two vectors; raises as `dot`."""
    return dot(from_array(self), from_array(other))._array


@public("kron")
def kron(input: Tensor, other: Tensor) -> Any:
    """Return Kronecker's product: blocks of `other`, each times an element of `input`."""
    ndim = max(input.ndim, other.ndim)
    sizes = [(1,) * (ndim - one.ndim) + tuple(one.shape) for one in (input, other)]
    pairs = list(zip(*sizes, strict=True))
    left = unsafe_view(input, tuple(itertools.chain(*[(a, 1) for a, _ in pairs])))
    right = unsafe_view(other, tuple(itertools.chain(*[(1, b) for _, b in pairs])))
    return unsafe_view(mul(left, right), tuple([a * b for a, b in pairs]))


@define(
    "LinalgCrossBackward0",
    "",
    self=lambda grad, other, dim: linalg_cross(other, grad, dim=dim),
    other=lambda grad, self, dim: linalg_cross(grad, self, dim=dim),
)
def linalg_cross(self: Array, other: Array, *, dim: int = -1) -> Any:
    """Return the cross products of vectors of three elements along a dimension.

    Raises:
        NotImplementedError: for booleans.
        RuntimeError: if there are not three, the shapes cannot be broadcast, or the dtypes differ.
    """
    fits = self.ndim == other.ndim
    check(fits, "linalg.cross: inputs must have the same number of dimensions.")
    place = checked_dim(dim, self.ndim)
    no_dimension = "Dimension specified as {} but tensor has no dimensions"
    check(self.ndim, no_dimension, dim, error=IndexError)
    text = "linalg.cross: inputs dimension {} must have length 3. Got {} and {}"
    sizes = (self.shape[place], other.shape[place])
    check(sizes == (3, 3), text, dim, *sizes)
    check_broadcast([self.shape, other.shape])
    require(self, "fiu", "cross")
    text = "expected scalar type {} but found {}"
    check(self.dtype == other.dtype, text, name_of(self), name_of(other))
    return np.cross(self, other, axis=place)


@public("cross")
def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Any:
    """Return the cross products of vectors along a dimension, by default the first of length 3."""
    if dim is None and isinstance(other, Tensor):
        warn(CROSS_WITHOUT_DIM)
        text = "no dimension of size 3 in input"
        check(3 in input.shape, text)
        dim = input.shape.index(3)
    return linalg_cross(input, other, dim=-1 if dim is None else dim)


@public("matrix_power")
def matrix_power(input: Tensor, n: int) -> Any:
    """Return the product of `n` copies of a square matrix; of its inverse if `n` is negative."""
    squares("matrix_power", input._array, any_dtype=True)
    if n == 0:
        identity = np.eye(input.shape[-1], dtype=input._array.dtype)
        return clone(input).copy_(from_array(identity))
    base = input if n > 0 else linalg_inv(input)
    n = abs(n)
    if n == 1:
        return clone(base) if base is input else base
    if n == 3:
        return matmul(matmul(base, base), base)
    result = None
    while n:
        if n % 2:
            result = base if result is None else matmul(result, base)
        n //= 2
        base = matmul(base, base) if n else base
    return result


# Taken apart


class _LinAlgError(RuntimeError):
    """A matrix that cannot be inverted or factorised."""

    __module__ = "torch._C"


def factorised(
    name: str, factorise: Callable[..., Any], A: Array, fails: Callable[[Array], bool], text: str
) -> Any:
    """Return what numpy makes of matrices; or say which one fails, and how many of its columns."""
    try:
        return factorise(A)
    except np.linalg.LinAlgError:
        for number, matrix in enumerate(A.reshape(-1, *A.shape[-2:])):
            for order in range(1, len(matrix) + 1):
                if fails(matrix[:, :order]):
                    batch = f"(Batch element {number}): " if A.ndim > 2 else ""
                    raise _LinAlgError(f"{name}: {batch}{text.format(order)}") from None
        raise


def dependent(columns: Array) -> bool:
    """Return whether the last column follows from those before it."""
    return bool(np.linalg.matrix_rank(columns) < columns.shape[1])


def not_positive(columns: Array) -> bool:
    """Return whether the leading minor is not positive-definite."""
    return bool(np.linalg.eigvalsh(columns[: columns.shape[1]])[0] <= 0)


def inv_backward(grad: Any, inverse: Any) -> Any:
    """Return the gradient of a matrix from that of its inverse."""
    inner = grad @ transpose(inverse, -2, -1)
    return -(transpose(inverse, -2, -1) @ inner)


@define(
    "LinalgInvExBackward0",
    "",
    outputs="inverse",
    A=inv_backward,
)
def linalg_inv(A: Array) -> Any:
    """Return the inverse of a square matrix, or of each of a batch.

    Raises:
        RuntimeError: if it is not square, not floating point, or has no inverse.
    """
    inverse = factorised("linalg.inv", np.linalg.inv, squares("inv", A), dependent, DIAGONAL)
    return in_columns(inverse)


public("inverse")(linalg_inv)


@define("LinalgInvExBackward0", "", outputs="inverse", A=inv_backward)
def inverse_or_infinite(A: Array) -> Any:
    """Return the inverse of each of a batch of matrices; infinity where there is none."""
    found = np.full(A.shape, math.inf, squares("inv", A).dtype)
    for place in np.ndindex(*A.shape[:-2]):
        with contextlib.suppress(np.linalg.LinAlgError):
            found[place] = np.linalg.inv(A[place])
    return found


def takes_vectors(A: Any, B: Any) -> bool:
    """Return whether the right side of equations, or the solution, is a vector for each matrix."""
    return len(B.shape) == 1 or (len(A.shape) - 1 == len(B.shape) and A.shape[:-1] == B.shape)


def solve_backward(
    grad: Any, A: Any, result: Any, left: bool, grad_input_mask: tuple[bool, bool]
) -> Any:
    """Return the gradients of both sides of solved equations."""
    vectors = left and takes_vectors(A, result)
    grad = as_column(grad) if vectors else grad
    of_right = linalg_solve(transpose(A, -2, -1), grad, left=left)
    of_matrix = None
    if grad_input_mask[0]:
        found = transpose(as_column(result) if vectors else result, -2, -1)
        of_matrix = -(of_right @ found if left else found @ of_right)
    if grad_input_mask[1]:
        return of_matrix, squeeze_one(of_right, -1) if vectors else of_right
    return of_matrix, None


def as_column(vectors: Any) -> Any:
    """Return vectors as matrices of one column."""
    return unsqueeze(vectors, -1) if isinstance(vectors, Tensor) else vectors[..., None]


@define("LinalgSolveExBackward0", "", A=solve_backward, B=solve_backward)
def linalg_solve(A: Array, B: Array, *, left: bool = True) -> Any:
    """Return X with ``A @ X == B``, for a matrix or each of a batch; B may hold vectors.

    If not `left`, it is X with ``X @ A == B``.

    Raises:
        RuntimeError: if A is not square, has no inverse, or does not fit B.
    """
    squares("solve", A, half=True)
    text = (
        "linalg.solve: Expected A and B to have the same dtype, but found A of type {} and B of "
        "type {} instead"
    )
    check_dtypes(text, A, B)
    vectors = takes_vectors(A, B)
    right = B[..., None] if vectors else B
    text = "linalg.solve: Incompatible shapes of A and B for the equation {} = B ({}x{} and {}x{})"
    fits = A.shape[-1] == right.shape[-2 if left else -1]
    check(fits, text, "AX" if left else "XA", *A.shape[-2:], *right.shape[-2:])
    of_full_precision(A, "lu_cpu")
    try:
        if not left:
            return np.linalg.solve(A.mT, right.mT).mT
        found = np.linalg.solve(A, right)
    except np.linalg.LinAlgError:
        raise _LinAlgError(
            "torch.linalg.solve: The solver failed because the input matrix is singular."
        ) from None
    return in_columns(found[..., 0] if vectors else found)


def cholesky_backward(grad: Any, upper: bool, L: Any) -> Any:
    """Return the gradient of a matrix from that of its triangular root."""
    L, grad = upper_or_lower(L, upper), upper_or_lower(grad, upper)
    lower = tril(transpose(L, -2, -1) @ grad)
    middle = mul_number(lower + transpose(tril(lower, -1), -2, -1), 0.5)
    middle = triangular_solve(transpose(L, -2, -1), middle, True, True, False)
    return triangular_solve(L, middle, False, False, False)


def upper_or_lower(result: Any, upper: bool) -> Any:
    """Return a triangular root as the lower of the two that there are, or such a gradient."""
    return transpose(result, -2, -1) if upper else result


@define(
    "LinalgCholeskyExBackward0",
    "",
    outputs="L",
    self=lambda grad, upper, L: cholesky_backward(grad, upper, L),
)
def linalg_cholesky(self: Array, *, upper: bool = False) -> Any:
    """Return the lower triangular L with ``L @ L.mT`` the given positive-definite matrix.

    With `upper`, return ``L.mT``, of the upper triangle of the matrix.

    Raises:
        RuntimeError: if it is not square or not positive-definite.
    """
    matrices = upper_or_lower(
        of_full_precision(squares("cholesky", self, half=True), "cholesky_cpu"), upper
    )
    found = factorised("linalg.cholesky", np.linalg.cholesky, matrices, not_positive, MINOR)
    return in_columns(upper_or_lower(found, upper))


# Products and diagonals of many


def vecdot(x: Tensor, y: Tensor, *, dim: int = -1) -> Any:
    """Return the sums of products along a dimension; raise RuntimeError for other than floats."""
    text = "linalg.vecdot: Expected a floating point or complex tensor as input. Got {}"
    check(x.is_floating_point(), text, x.dtype.scalar_name)
    text = (
        "linalg.vecdot: Expected x and y to have the same dtype, but found x of type {} and y of "
        "type {} instead"
    )
    check_dtypes(text, x._array, y._array)
    if x.ndim == y.ndim == 1:
        return vdot(x, y)
    return sum(mul(x, y), dim)


def diagonals(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """Return a view of the diagonals of matrices."""
    return diagonal(A, offset, dim1, dim2)
