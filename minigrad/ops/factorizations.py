"""Matrices taken apart, QR, singular values, eigenvalues, and what is made of the parts.

Source: https://github.com/pytorch/pytorch/blob/main/torch/csrc/autograd/FunctionsManual.cpp
"""

# Formulas refer to operations that are declared below them.
# mypy: disable-error-code="has-type"

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad.autograd.node import Array
from minigrad.memory import in_columns
from minigrad.ops.calls import refusing
from minigrad.ops.check import (
    check,
    checked_tensors,
    name_of,
    of_full_precision,
    squares,
)
from minigrad.ops.define import define
from minigrad.ops.extremes import amax, amin
from minigrad.ops.in_place import in_place
from minigrad.ops.linalg import mm
from minigrad.ops.matrices import _LinAlgError, inverse_or_infinite
from minigrad.ops.pointwise import masked_fill, mul_number, nan_to_num, reciprocal
from minigrad.ops.promotion import check_broadcast
from minigrad.ops.reduction import check_norm, vector_norm
from minigrad.ops.registry import public
from minigrad.ops.shape import (
    cat_tensors,
    diag_embed,
    diagonal,
    inverse,
    permute_dims,
    reshaped,
    slice_view,
    squeeze_one,
    sum_dims,
    tril,
    triu,
    unsqueeze,
    zeros,
)
from minigrad.ops.triangular import adjoint, triangular_solve
from minigrad.outside import warn
from minigrad.size import checked_dim
from minigrad.tensor import Tensor, from_array

MATRIX_NORMS = ("fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf)


def matrices(name: str, array: Array) -> Array:
    """Return an array of matrices of floating-point numbers.

    Raises:
        RuntimeError: if it has fewer than two dimensions, or another dtype.
    """
    text = "{}: The input tensor A must have at least 2 dimensions."
    check(array.ndim >= 2, text, name)
    text = "{}: Expected a floating point or complex tensor as input. Got {}"
    check(array.dtype.kind == "f", text, name, name_of(array))
    return array


def row(values: Any) -> Any:
    """Return vectors as matrices of one row."""
    return unsqueeze(values, -2) if isinstance(values, Tensor) else values[..., None, :]


def column(values: Any) -> Any:
    """Return vectors as matrices of one column."""
    return unsqueeze(values, -1) if isinstance(values, Tensor) else values[..., None]


def half_diagonal(matrix: Any) -> Any:
    """Halve the diagonals of new matrices, of arrays or Tensors, in place."""
    if isinstance(matrix, Tensor):
        mul_by_number(diagonal(matrix, 0, -2, -1), 0.5)
    else:
        set_diagonal(matrix, matrix.diagonal(0, -2, -1) / 2)
    return matrix


mul_by_number = in_place("mul_", mul_number)


def set_diagonal(matrix: Any, values: Any) -> Any:
    """Write numbers onto the diagonals of new matrices, of arrays or Tensors, in place."""
    if not isinstance(matrix, Tensor):
        places = np.arange(matrix.shape[-1])
        matrix[..., places, places] = values
    elif isinstance(values, Tensor):
        diagonal(matrix, 0, -2, -1).copy_(values)
    else:
        diagonal(matrix, 0, -2, -1).fill_(values)
    return matrix


def distances(values: Any) -> Any:
    """Return the differences of all pairs of values, and 1 between each and itself."""
    subtracted = column(values)
    return set_diagonal(row(values) - subtracted, 1)


# QR


def qr_backward(grad: list[Any], mode: str, Q: Any, R: Any) -> Any:
    """Return the gradient of a matrix from those of its factors.

    Raises:
        RuntimeError: if there is no Q, or it is complete for more rows than columns.
    """
    of_q, of_r = grad
    check(mode != "r", QR_WITHOUT_Q)
    rows, columns = Q.shape[-2], R.shape[-1]
    text = "The QR decomposition is not differentiable when mode='complete' and nrows > ncols."
    check(mode == "reduced" or rows <= columns, text)
    inner: Any = None if of_q is None else adjoint(Q) @ of_q
    if of_r is None:
        inner = -inner
    else:
        outer = of_r @ adjoint(R)
        inner = outer if inner is None else outer - inner
    if rows >= columns:
        inner = triu(inner, 0)
        total = Q @ half_diagonal(inner + adjoint(inner))
        total = total if of_q is None else total + of_q
        return triangular_solve(adjoint(R), total, False, False, False)
    inner = -inner
    total = Q @ tril(inner - adjoint(inner), 0)
    square = adjoint(slice_view(R, -1, 0, rows, 1))
    total = triangular_solve(square, total, False, False, False)
    rest = zeros((*R.shape[:-1], columns - rows), R)
    total = cat_tensors([total, rest], -1, (rows, columns - rows))
    return total if of_r is None else total + Q @ of_r


QR_WITHOUT_Q = (
    "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use "
    "linalg.qr(A, mode='reduced') if you are going to differentiate through linalg.qr."
)


@define("LinalgQrBackward0", "", outputs="Q R", A=qr_backward)
def linalg_qr(A: Array, mode: Any = "reduced") -> Any:
    """Return an orthogonal and an upper triangular matrix whose product is `A`.

    Args:
        mode: ``"reduced"``, ``"complete"`` or ``"r"``.

    Raises:
        RuntimeError: for another mode, fewer than two dimensions, or what is not floating point.

    >>> import minigrad as torch
    >>> Q, R = torch.linalg.qr(torch.tensor([[3.0, 1.0], [4.0, 2.0]]))
    >>> R.abs()
    tensor([[5.0000, 2.2000],
            [0.0000, 0.4000]])
    """
    text = (
        "qr received unrecognized mode '{}' but expected one of 'reduced' (default), 'r', or "
        "'complete'"
    )
    matrices("linalg.qr", A)
    check(mode in ("reduced", "complete", "r"), text, mode)
    of_full_precision(A, "geqrf_cpu")
    if mode == "r":
        alone: Any = np.linalg.qr(A, "r")
        return np.empty(0, A.dtype), in_columns(alone)
    Q, R = np.linalg.qr(A, mode)
    return in_columns(Q), in_columns(R)


# Singular values


def singular(A: Array, full_matrices: bool = True, **options: Any) -> Any:
    """Return numpy's singular value decomposition; raise RuntimeError for what is not finite."""
    wrong = ~np.isfinite(A).all((-2, -1))
    text = (
        "linalg.svd: {}The algorithm failed to converge because the input matrix contained "
        "non-finite values."
    )
    if wrong.any():
        batch = f"(Batch element {int(wrong.argmax())}): " if A.ndim > 2 else ""
        raise _LinAlgError(text.format(batch))
    decomposition: Any = np.linalg.svd
    return decomposition(A, full_matrices, **options)


def svd_backward(grad: list[Any], full_matrices: bool, U: Any, S: Any, Vh: Any) -> Any:
    """Return the gradient of a matrix from those of its singular values and vectors."""
    of_u, of_s, of_vh = grad
    if full_matrices:
        count = S.shape[-1]
        Vh, U = slice_view(Vh, -2, 0, count, 1), slice_view(U, -1, 0, count, 1)
        of_vh = None if of_vh is None else slice_view(of_vh, -2, 0, count, 1)
        of_u = None if of_u is None else slice_view(of_u, -1, 0, count, 1)
    rows, columns = U.shape[-2], Vh.shape[-1]
    if of_u is None and of_vh is None:
        return U @ (column(of_s) * Vh) if rows >= columns else (U * row(of_s)) @ Vh
    inner = svd_inner(of_u, of_vh, U, S, Vh)
    if of_s is not None:
        inner = inner + diag_embed(of_s)
    if rows > columns and of_u is not None:
        inner = U @ inner
        scaled = of_u / row(S)
        less = U @ (adjoint(U) @ scaled)
        return (inner + scaled - less) @ Vh
    if rows < columns and of_vh is not None:
        inner = inner @ Vh
        scaled = of_vh / column(S)
        less = (scaled @ adjoint(Vh)) @ Vh
        return U @ (inner + scaled - less)
    return U @ (inner @ Vh) if rows >= columns else (U @ inner) @ Vh


def svd_inner(of_u: Any, of_vh: Any, U: Any, S: Any, Vh: Any) -> Any:
    """Return what the gradients of singular vectors make of that between them."""
    turn_u = None if of_u is None else skew(adjoint(U) @ of_u)
    turn_v = None if of_vh is None else skew(Vh @ adjoint(of_vh))
    apart = distances(S * S)
    if turn_v is None:
        beside = row(S)
        return (turn_u / apart) * beside
    if turn_u is None:
        inner = turn_v / apart
        return column(S) * inner
    right = column(S) * turn_v
    return (turn_u * row(S) + right) / apart


def skew(matrix: Any) -> Any:
    """Return matrices less their transposes."""
    return matrix - adjoint(matrix)


@define("LinalgSvdBackward0", "", outputs="U S Vh", A=svd_backward)
def linalg_svd(A: Array, full_matrices: bool = True) -> Any:
    """Return orthogonal matrices, and between them the singular values, in descending order.

    Raises:
        RuntimeError: if there are fewer than two dimensions, or it is not floating point.
    """
    of_full_precision(matrices("linalg.svd", A), "linalg_svd_cpu")
    left, values, right = singular(A, full_matrices)
    return in_columns(left), values, in_columns(right)


def svdvals(A: Tensor) -> Any:
    """Return the singular values in descending order."""
    return linalg_svd(A, False)[1]


def pinv_backward(grad: Any, self: Any, result: Any) -> Any:
    """Return the gradient of a matrix from that of its pseudoinverse.

    It is computed in PyTorch's order.
    """
    both, turned = adjoint(result), adjoint(grad)
    if self.shape[-2] <= self.shape[-1]:
        inner = turned @ result
        outer = inner @ both
        through = both @ result
        rest = through @ (turned - inner @ self)
        less = (self @ result) @ outer
        return -adjoint(result @ inner) + outer - less + rest
    inner = result @ turned
    outer = both @ inner
    less = (outer @ result) @ self
    rest = ((turned - self @ inner) @ result) @ both
    return -adjoint(inner @ result) + rest + outer - less


@define("LinalgPinvBackward0", "", self=pinv_backward)
def linalg_pinv(
    self: Array, rcond: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None
) -> Any:
    """Return the pseudoinverse: singular values up to `atol`, or `rtol` of the largest, count as 0.

    `rcond` is another name of `rtol`. With `hermitian`, of symmetric matrices only the lower
    triangle is read.
    """
    if atol is not None and rtol is None:
        text = "Dimension specified as -2 but tensor has no dimensions"
        check(self.ndim, text, error=IndexError)
        checked_dim(-2, self.ndim)
        limited = self.ndim < 2 or self.dtype.kind == "f" or isinstance(atol, np.ndarray)
        check(limited, "This function doesn't handle types other than float and double")
    check(
        self.ndim >= 2 and self.dtype.char in "fd",
        "linalg.pinv({}{{{}}}): expected a tensor with 2 or more dimensions of float, double, "
        "cfloat or cdouble types",
        name_of(self),
        list(self.shape),
    )
    if not self.size:
        return np.zeros((*self.shape[:-2], self.shape[-1], self.shape[-2]), self.dtype)
    left, values, right = singular(self, full_matrices=False, hermitian=hermitian)
    kept = values > least_value(values, self.shape, atol, rcond if rtol is None else rtol)
    inverses = np.divide(1, values, out=np.zeros(kept.shape, values.dtype), where=kept)
    return (right.swapaxes(-2, -1) * inverses[..., None, :]) @ left.swapaxes(-2, -1)


def least_value(values: Array, shape: tuple[int, ...], atol: Any, rtol: Any) -> Any:
    """Return up to where singular values of matrices of a shape count as 0."""
    atol, rtol = [getattr(one, "_array", one) for one in (atol, rtol)]
    if rtol is None:
        given = atol is not None and np.any(np.asarray(atol) > 0)
        rtol = 0.0 if given else max(shape[-2:]) * np.finfo(values.dtype).eps
    largest = values.max(-1, initial=0)
    check_broadcast([np.shape(atol), np.shape(rtol), largest.shape])
    return np.maximum(0 if atol is None else atol, largest * rtol)[..., None]


@public("pinverse")
def pinverse(input: Tensor, rcond: float = 1e-15) -> Any:
    """Return the pseudoinverse; an older name of `linalg.pinv`."""
    return linalg_pinv(input, rcond)


def cond(A: Tensor, p: Any = None) -> Any:
    """Return how much equations with a matrix can enlarge errors, in a norm.

    This is the norm of the matrix times that of its inverse; infinite where it has none. For p=2,
    the default, it is the largest singular value over the smallest, for -2 the other way round.

    Raises:
        RuntimeError: if there are no matrices, or for another norm; for others than 2 and -2 also
            if they are not square.
    """
    check(A.ndim >= 2, "linalg.cond: The input tensor must have at least 2 dimensions.")
    p = 2 if p is None else p
    check(p in MATRIX_NORMS, "linalg.cond got an invalid norm type: {}", p)
    if not A._array.size:
        return from_array(np.zeros(A.shape[:-2], A._array.dtype))
    if p in (2, -2):
        values = svdvals(A)
        count = values.shape[-1]
        ends = slice_view(values, -1, 0, 1, 1), slice_view(values, -1, count - 1, count, 1)
        return squeeze_one(ends[0] / ends[1] if p == 2 else ends[1] / ends[0], -1)
    squares(f"cond(ord={p})", A._array, any_dtype=True)
    if p == "nuc":
        values = svdvals(A)
        return sum_dims(values, (-1,), False, None) * sum_dims(
            reciprocal(values), (-1,), False, None
        )
    inverse = inverse_or_infinite(A)
    infinite = from_array(np.isinf(inverse._array).all((-2, -1), keepdims=True))
    product = matrix_norm(A, p) * matrix_norm(masked_fill(inverse, infinite, math.inf), p)
    return nan_to_num(product, math.inf, math.inf, -math.inf)


def matrix_rank(
    A: Tensor, tol: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None
) -> Tensor:
    """Return how many singular values do not count as 0.

    These are the ones above `tol`, or above `atol` and `rtol` times the largest; by default what is
    more than their rounding. With `hermitian`, of symmetric matrices only the lower triangle is
    read.
    """
    array = A._array
    text = "torch.linalg.matrix_rank: The input tensor input must have at least 2 dimensions."
    check(array.ndim >= 2, text)
    text = "This function doesn't handle types other than float and double"
    check(array.dtype.char in "fd", text)
    if not array.size:
        return from_array(np.zeros(array.shape[:-2], np.int64))
    values = singular(array, compute_uv=False, hermitian=hermitian)
    atol, rtol = (atol, rtol) if tol is None else (tol, 0)
    least = least_value(values, array.shape, atol, rtol)
    return from_array(np.asarray((values > least).sum(-1), np.int64))


def multi_dot(tensors: Sequence[Tensor]) -> Any:
    """Return the product of matrices, in the order that takes the fewest multiplications.

    The first and the last may be vectors.

    Raises:
        TypeError: for one tensor.
        RuntimeError: if there are fewer than two, or they cannot be multiplied.
    """
    check(isinstance(tensors, (tuple, list)), "multi_dot() takes several tensors", error=TypeError)
    text = "multi_dot(): expected at least 2 tensors but got {}"
    check(len(tensors) >= 2, text, len(tensors))
    first, *between, last = tensors
    check_chain(tensors)
    shape = (*first.shape[:-1], *last.shape[1:])
    chain = [unsqueeze(first, 0) if first.ndim == 1 else first, *between]
    chain.append(unsqueeze(last, -1) if last.ndim == 1 else last)
    text = "multi_dot(): tensors {} and {} with shapes {} and {} cannot be multiplied"
    for place, (left, right) in enumerate(itertools.pairwise(chain)):
        shapes = [list(tensors[one].shape) for one in (place, place + 1)]
        check(left.shape[-1] == right.shape[0], text, place, place + 1, *shapes)
    lengths = [chain[0].shape[0], *[one.shape[1] for one in chain]]
    return reshaped(product_of(chain, cheapest(lengths), 0, len(chain) - 1), shape)


def check_chain(tensors: Sequence[Tensor]) -> None:
    """Refuse what is no matrix, or vector at the ends, and other dtypes than the first's."""
    for which, one in (("first", tensors[0]), ("last", tensors[-1])):
        text = "multi_dot(): the {} tensor must be 1D or 2D but got {}D"
        check(one.ndim in (1, 2), text, which, one.ndim)
    for place, one in enumerate(tensors[1:-1], 1):
        check(one.ndim == 2, "multi_dot(): tensor {} must be 2D but got {}D", place, one.ndim)
    for place, one in enumerate(tensors):
        names = tensors[0].dtype.cpp_name, one.dtype.cpp_name
        text = (
            "multi_dot(): all tensors must have be the same dtype but tensor 0 is {} and tensor {} "
            "{}"
        )
        check(names[0] == names[1], text, names[0], place, names[1])


@public("chain_matmul", "function")
def chain_matmul(*matrices: Tensor) -> Any:
    """Return the product of matrices, as `linalg.multi_dot` does: deprecated.

    Raises:
        RuntimeError: if there are none.
    """
    matrices = checked_tensors(matrices)
    warn(CHAIN_MATMUL)
    check(matrices, "chain_matmul(): Expected one or more matrices")
    for one in matrices:
        check(one.ndim == 2, "Tensor dimension is {}, expected 2 instead.", one.ndim)
    return multi_dot(matrices) if len(matrices) > 1 else matrices[0].clone()


CHAIN_MATMUL = (
    "torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use "
    "torch.linalg.multi_dot instead, which accepts a list of two or more tensors rather than "
    "multiple parameters."
)


def cheapest(lengths: Sequence[int]) -> dict[tuple[int, int], int]:
    """Return, for each range of a chain of matrices of these lengths, where to divide it."""
    count = len(lengths) - 1
    costs = {(one, one): 0 for one in range(count)}
    divided: dict[tuple[int, int], int] = {}
    for size in range(1, count):
        for begin in range(count - size):
            end = begin + size
            options = [
                (
                    costs[begin, at]
                    + costs[at + 1, end]
                    + lengths[begin] * lengths[at + 1] * lengths[end + 1],
                    at,
                )
                for at in range(begin, end)
            ]
            # Of two ways alike PyTorch takes the right one of three matrices, the left one of more.
            least = min(options, key=lambda one: (one[0], -one[1] if count == 3 else one[1]))
            costs[begin, end], divided[begin, end] = least
    return divided


def product_of(
    chain: Sequence[Tensor], divided: dict[tuple[int, int], int], begin: int, end: int
) -> Any:
    """Return the product of a range of a chain."""
    if begin == end:
        return chain[begin]
    at = divided[begin, end]
    return mm(product_of(chain, divided, begin, at), product_of(chain, divided, at + 1, end))


# Eigenvalues


def eigh_backward(grad: list[Any], eigenvalues: Any, eigenvectors: Any) -> Any:
    """Return the gradient of a symmetric matrix from those of its eigenvalues and eigenvectors."""
    of_values, of_vectors = grad
    turned = adjoint(eigenvectors)
    if of_vectors is None:
        return (eigenvectors * row(of_values)) @ turned
    inner = mul_number(skew(turned @ of_vectors), 0.5) / distances(eigenvalues)
    if of_values is not None:
        inner = set_diagonal(inner, of_values)
    return eigenvectors @ (inner @ adjoint(eigenvectors))


@define("LinalgEighBackward0", "", outputs="eigenvalues eigenvectors", A=eigh_backward)
def linalg_eigh(A: Array, UPLO: Any = "L") -> Any:
    """Return eigenvalues, in ascending order, and eigenvectors of a symmetric matrix.

    Raises:
        RuntimeError: if it is not square, or `UPLO` is neither "L" nor "U".
    """
    squares("eigh", A, any_dtype=True)
    text = "Expected UPLO argument to be 'L' or 'U', but got {}"
    check(UPLO.upper() in ("L", "U"), text, UPLO)
    values, vectors = np.linalg.eigh(of_full_precision(A, "linalg_eigh_cpu"), UPLO)
    return values, in_columns(vectors)


def eigvalsh(A: Tensor, UPLO: str = "L") -> Any:
    """Return the eigenvalues of a symmetric matrix in ascending order."""
    return linalg_eigh(A, UPLO)[0]


# Norms


@refusing("linalg_matrix_norm", out=True)
def matrix_norm(
    A: Tensor,
    ord: Any = "fro",
    dim: Sequence[int] = (-2, -1),
    keepdim: bool = False,
    *,
    dtype: Any = None,
) -> Any:
    """Return the norm of matrices: "fro", or the largest (1, inf) or smallest (-1, -inf) sum.

    The sums are those of absolute values along columns (1) or rows (inf). Other orders are the
    largest (2) or smallest (-2) singular value, and their sum ("nuc").

    Raises:
        RuntimeError: if there are no matrices, or of another order, or a dtype does not do.
    """
    check(ord in MATRIX_NORMS, "linalg.matrix_norm: Order {} not supported.", ord)
    check(A.ndim >= 2, "linalg.matrix_norm: The input tensor A must have at least 2 dimensions.")
    check_norm("linalg.matrix_norm", A, None)
    text = "linalg.matrix_norm: dim must be a 2-tuple. Got {}"
    check(len(dim) == 2, text, " ".join(map(str, dim)))
    first, second = [checked_dim(one, A.ndim) for one in dim]
    text = "linalg.matrix_norm: dims must be different. Got ({}, {})"
    check(first != second, text, first, second)
    check_norm("linalg.matrix_norm", A, dtype)
    if ord == "fro":
        return vector_norm(A, 2, (first, second), keepdim, dtype=dtype)
    if ord in (2, -2, "nuc"):
        text = "linalg.matrix_norm: Low precision dtypes not supported. Got {}"
        check(A._array.dtype.char != "e", text, A.dtype.scalar_name)
        return spectral_norm(in_dtype(A, dtype), ord, (first, second), keepdim)
    if abs(ord) == math.inf:
        first, second = second, first
    sums = vector_norm(A, 1, first, keepdim, dtype=dtype)
    second -= second > first and not keepdim
    return extreme_norm(sums, ord, second, keepdim)


def in_dtype(input: Tensor, dtype: Any) -> Any:
    """Return a tensor in a dtype; None for its own."""
    return input if dtype is None else input.to(dtype)


def extreme_norm(norms: Tensor, ord: Any, dim: int, keepdim: bool) -> Any:
    """Return the largest of norms along a dimension, 0 of none; the least for negative orders."""
    if norms.shape[dim] or ord < 0:
        return (amax if ord > 0 else amin)(norms, dim, keepdim)
    return sum_dims(norms.detach(), (dim,), keepdim, None)


def spectral_norm(A: Tensor, ord: Any, dims: tuple[int, int], keepdim: bool) -> Any:
    """Return the norm of matrices, along two dimensions, that is found from singular values."""
    order = (*[dim for dim in range(A.ndim) if dim not in dims], *dims)
    values = svdvals(permute_dims(A, order))
    if ord == "nuc":
        found = sum_dims(values, (-1,), keepdim, None)
    else:
        found = extreme_norm(values, ord, -1, keepdim)
    return permute_dims(unsqueeze(found, -1), inverse(order)) if keepdim else found


@refusing("linalg_norm", out=True)
def linalg_norm(
    A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Any:
    """Return a norm: of vectors along one dimension, or of matrices of two; else of all elements.

    Raises:
        RuntimeError: if an order is given and `A` is neither vector nor matrix, as `matrix_norm`.
    """
    if ord is None:
        return vector_norm(A, 2, dim, keepdim, dtype=dtype)
    text = "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {}D."
    check(dim is not None or A.ndim in (1, 2), text, A.ndim)
    dims = (dim,) if isinstance(dim, int) else tuple(range(A.ndim) if dim is None else dim)
    text = "linalg.norm: If dim is specified, it must be of length 1 or 2. Got {}"
    check(len(dims) in (1, 2), text, list(dims))
    if len(dims) == 2 or isinstance(ord, str):
        return matrix_norm(A, ord, (-2, -1) if dim is None else dims, keepdim, dtype=dtype)
    return vector_norm(A, ord, dim, keepdim, dtype=dtype)


@public("norm")
def norm(
    input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None
) -> Any:
    """Return the p-norm of all elements, or of those along some dimensions.

    `p` may be any number, infinite ones included; ``"fro"`` is 2, ``"nuc"`` the sum of the singular
    values of matrices.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if the dtype is not floating point.

    >>> import minigrad as torch
    >>> torch.tensor([3.0, 4.0]).norm()
    tensor(5.)
    """
    if isinstance(dim, int):
        dim = (dim,)
    if isinstance(p, str) and (p != "fro" or (dim is not None and len(dim) > 2)):
        dims = tuple(range(input.ndim)) if dim is None else dim
        return matrix_norm(input, p, dims, keepdim, dtype=dtype)
    order = 2 if p in ("fro", None) else p
    return vector_norm(input, order, dim, keepdim, dtype=dtype)
