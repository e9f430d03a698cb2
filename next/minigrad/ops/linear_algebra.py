"""Products of vectors, matrices, and batches of matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minigrad.dtypes import TITLES
from minigrad.graph import Array
from minigrad.op import op
from minigrad.operands import ARRAYS, broadcast_error
from minigrad.ops.reductions import sum_dims
from minigrad.ops.shapes import (
    clone,
    diagonal,
    expand_op,
    permute_op,
    reshape,
    t,
    transpose,
    unsafe_view,
    unsqueeze,
)
from minigrad.public import public
from minigrad.tensor import Tensor

C_NAMES = {"Float": "float", "Double": "double", "Long": "long int", "Int": "int"}
PRODUCT: dict[str, Any] = {"kind": "pointwise", "variants": ""}


def transposed(matrix: Any) -> Any:
    return matrix.T if isinstance(matrix, ARRAYS) else t(matrix)


# Products of two tensors of certain dimensions. The operations compute what fits.

dot_op = op(
    "dot",
    "DotBackward0",
    lambda self, tensor: self @ tensor,
    **PRODUCT,
    self=lambda grad, tensor: grad * tensor,
    tensor=lambda grad, self: grad * self,
)
mv_op = op(
    "mv",
    "MvBackward0",
    lambda self, vec: self @ vec,
    **PRODUCT,
    self=lambda grad, vec: grad.reshape(-1, 1) * vec,
    vec=lambda grad, self: transposed(self) @ grad,
)
mm_op = op(
    "mm",
    "MmBackward0",
    lambda self, mat2: self @ mat2,
    **PRODUCT,
    self=lambda grad, mat2: grad @ transposed(mat2),
    mat2=lambda grad, self: transposed(self) @ grad,
)
bmm_op = op(
    "bmm",
    "BmmBackward0",
    lambda self, mat2: self @ mat2,
    **PRODUCT,
    self=lambda grad, mat2: bmm_op(grad, transpose(mat2, 1, 2)),
    mat2=lambda grad, self: bmm_op(transpose(self, 1, 2), grad),
)


@public("dot")
def dot(input: Tensor, tensor: Tensor) -> Any:
    """The inner product of two vectors."""
    a, b = input._array, tensor._array
    if a.ndim != 1 or b.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {a.ndim}D and {b.ndim}D tensors")
    check_dtypes(a, b, "dot : expected both vectors to have same dtype, but found {a} and {b}")
    if a.size != b.size:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{a.size}] and src [{b.size}] to have the "
            f"same number of elements, but got {a.size} and {b.size} elements respectively"
        )
    return dot_op(input, tensor)


@public("mv")
def mv(input: Tensor, vec: Tensor) -> Any:
    """A matrix times a vector."""
    a, b = input._array, vec._array
    if a.ndim != 2 or b.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {a.ndim}, {b.ndim}")
    check_dtypes(a, b, "addmv input tensors must have the same dtype, but got {b}, {a}, and {b}")
    if a.shape[1] != b.size:
        size = f"{a.shape[0]}x{a.shape[1]}"
        raise RuntimeError(f"size mismatch, got input ({len(a)}), mat ({size}), vec ({b.size})")
    return mv_op(input, vec)


@public("mm")
def mm(input: Tensor, mat2: Tensor) -> Any:
    """The product of two matrices."""
    a, b = input._array, mat2._array
    if a.ndim != 2 or b.ndim != 2:
        raise RuntimeError(f"{'self' if a.ndim != 2 else 'mat2'} must be a matrix")
    if a.dtype != b.dtype:
        one, two = [C_NAMES.get(TITLES[x.dtype], str(x.dtype)) for x in (a, b)]
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {one} != {two}")
    if a.shape[1] != b.shape[0]:
        sizes = " and ".join(f"{rows}x{columns}" for rows, columns in (a.shape, b.shape))
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({sizes})")
    return mm_op(input, mat2)


@public("bmm")
def bmm(input: Tensor, mat2: Tensor) -> Any:
    """The product of each matrix of one batch with the matrix of the other batch."""
    a, b = input._array, mat2._array
    check_dtypes(a, b, "expected scalar type {a} but found {b}")
    if (len(a), a.shape[2]) != b.shape[:2]:
        raise RuntimeError(
            "Expected size for first two dimensions of batch2 tensor to be: "
            f"[{len(a)}, {a.shape[2]}] but got: {list(b.shape[:2])}."
        )
    return bmm_op(input, mat2)


def check_dtypes(a: Array, b: Array, text: str) -> None:
    if a.dtype != b.dtype:
        raise RuntimeError(text.format(a=TITLES[a.dtype], b=TITLES[b.dtype]))


@op(
    "addmm",
    "AddmmBackward0",
    variants="",
    self=lambda grad: grad,
    mat1=lambda grad, mat2: grad @ transposed(mat2),
    mat2=lambda grad, mat1, by_columns: (
        transposed(transposed(grad) @ mat1) if by_columns else transposed(mat1) @ grad
    ),
)
def addmm(self: Array, mat1: Array, mat2: Array, by_columns: bool = True) -> Any:
    """self + mat1 @ mat2.

    `by_columns` says that mat2 lies in memory column by column, as the transposed weight of a
    linear layer does. So does its gradient then. Otherwise an optimizer would combine arrays of
    different orders, which takes eight times as long.
    """
    return self + mat1 @ mat2


@public("outer ger")
def outer(input: Tensor, vec2: Tensor) -> Any:
    """The products of each element of one vector with each element of another."""
    return input.reshape(-1, 1) * vec2


# Products of any dimensions


@op("squeeze", "SqueezeBackward4", variants="", self=lambda grad: unsqueeze(grad, 0))
def squeeze_first(self: Array) -> Any:
    return self[0]


@public("matmul")
def matmul(input: Tensor, other: Tensor) -> Any:
    """The product of vectors, matrices, or batches of matrices, which are broadcast.

    RuntimeError if the sizes don't fit or the dtypes differ.
    """
    match input._array.ndim, other._array.ndim:
        case 2, 2:
            return mm(input, other)
        case 2, 1:
            return mv(input, other)
        case 1, 1:
            return dot(input, other)
        case 1, 2:
            return squeeze_first(mm(unsqueeze(input, 0), other))
        case (0, _) | (_, 0) as dims:
            raise RuntimeError(
                "both arguments to matmul need to be at least 1D, but they are "
                f"{dims[0]}D and {dims[1]}D"
            )
        case _, 1 | 2:
            return matmul_rows(input, other)
        case 1, _:
            return matmul_rows(transpose(other, -2, -1), input)
        case 2, _:
            product = matmul_rows(transpose(other, -2, -1), t(input))
            return clone(transpose(product, -2, -1))
    return matmul_batches(input, other)


def matmul_rows(batches: Tensor, other: Tensor) -> Any:
    """Batches times one matrix or vector: all their rows become one matrix."""
    *sizes, width = batches._array.shape
    rows = reshape(batches, math.prod(sizes), width)
    if other._array.ndim == 1:
        return unsafe_view(mv(rows, other), tuple(sizes))
    return unsafe_view(mm(rows, other), (*sizes, other._array.shape[1]))


def matmul_batches(input: Tensor, other: Tensor) -> Any:
    """Batches times batches: they are broadcast, and become one dimension."""
    a, b = input._array.shape, other._array.shape
    try:
        batch = np.broadcast_shapes(a[:-2], b[:-2])
    except ValueError:
        raise broadcast_error(a[:-2], b[:-2]) from None  # type: ignore[misc]
    first, second = [
        reshape(expand_op(x, (*batch, *shape[-2:])), math.prod(batch), *shape[-2:])
        for x, shape in ((input, a), (other, b))
    ]
    return unsafe_view(bmm(first, second), (*batch, a[-2], b[-1]))


def matmul_operator(self: Tensor, other: Any) -> Any:
    return matmul(self, other) if isinstance(other, Tensor) else NotImplemented


Tensor.__matmul__ = matmul_operator  # type: ignore[attr-defined]


@public("einsum", "function")
def einsum(equation: str, *operands: Any) -> Any:
    """The sum of products that an equation such as "ij,jk->ik" describes.

    Each operand has a letter for each dimension. Elements with the same letters are multiplied, and
    the products are added up over the letters that don't follow `->`. Without `->`, the result has
    the letters that occur once, in alphabetical order.
    """
    tensors = operands[0] if isinstance(operands[0], (tuple, list)) else operands
    left, arrow, kept = equation.replace(" ", "").partition("->")
    letters = sorted({*left} - {","})
    if not arrow:
        kept = "".join(letter for letter in letters if left.count(letter) == 1)
    order = [*kept, *[letter for letter in letters if letter not in kept]]
    product: Any = None
    for number, (term, operand) in enumerate(zip(left.split(","), tensors, strict=True)):
        if len(term) != operand.ndim:
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({len(term)}) does not match "
                f"the number of dimensions ({operand.ndim}) for operand {number} and no ellipsis "
                "was given"
            )
        aligned = align(operand, term, order)
        product = aligned if product is None else product * aligned
    summed = tuple(range(len(kept), len(order)))
    return sum_dims(product, summed, False) if summed else product


def align(operand: Any, term: str, order: list[str]) -> Any:
    """An operand with a dimension for each letter, of size 1 for those that it doesn't have."""
    while repeated := [letter for letter in term if term.count(letter) > 1]:
        first, second = [d for d, letter in enumerate(term) if letter == repeated[0]][:2]
        operand = diagonal(operand, 0, first, second)
        term = "".join([x for d, x in enumerate(term) if d not in (first, second)]) + repeated[0]
    missing = [letter for letter in order if letter not in term]
    for _ in missing:
        operand = unsqueeze(operand, -1)
    return permute_op(operand, tuple([[*term, *missing].index(letter) for letter in order]))
