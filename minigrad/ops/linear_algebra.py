"""Products of vectors, matrices, and batches of matrices."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad.dtypes import TITLES
from minigrad.graph import Array
from minigrad.op import op
from minigrad.operands import ARRAYS, broadcast_error
from minigrad.ops import shapes
from minigrad.ops.reductions import sum_dims
from minigrad.public import public
from minigrad.tensor import Tensor, from_array

C_NAMES = {"Float": "float", "Double": "double", "Long": "long int", "Int": "int"}


def transposed(matrix: Any) -> Any:
    return matrix.T if isinstance(matrix, ARRAYS) else shapes.t(matrix)


# Slopes: of the left and of the right factor


def mm_slope(grad: Any, mat2: Any) -> Any:
    return grad @ transposed(mat2)


def right_slope(grad: Any, self: Any) -> Any:
    return transposed(self) @ grad


def mv_slope(grad: Any, vec: Any) -> Any:
    return grad.reshape(-1, 1) * vec


def dot_slope(grad: Any, tensor: Any) -> Any:
    return grad * tensor


def dot_right_slope(grad: Any, self: Any) -> Any:
    return grad * self


def bmm_slope(grad: Any, mat2: Any) -> Any:
    return bmm_op(grad, shapes.transpose(mat2, 1, 2))


def bmm_right_slope(grad: Any, self: Any) -> Any:
    return bmm_op(shapes.transpose(self, 1, 2), grad)


def addmm_right_slope(grad: Any, mat1: Any) -> Any:
    # In the memory layout of mat2, which is the transposed weight of a linear layer: an optimizer
    # would take eight times as long to combine arrays of different layouts.
    return transposed(transposed(grad) @ mat1)


# Products of two tensors of certain dimensions. The operations compute what fits.


def declare(name: str, forward: Callable[..., Any], **slopes: Any) -> Any:
    return op("", f"{name}Backward0", forward, kind="pointwise", **slopes)


dot_op = declare("Dot", lambda self, tensor: self @ tensor, self=dot_slope, tensor=dot_right_slope)
mv_op = declare("Mv", lambda self, vec: self @ vec, self=mv_slope, vec=right_slope)
mm_op = declare("Mm", lambda self, mat2: self @ mat2, self=mm_slope, mat2=right_slope)
bmm_op = declare("Bmm", lambda self, mat2: self @ mat2, self=bmm_slope, mat2=bmm_right_slope)


DOT = (
    "inconsistent tensor size, expected tensor [{n}] and src [{m}] to have the same number of "
    "elements, but got {n} and {m} elements respectively"
)
MV = "size mismatch, got input ({rows}), mat ({a}), vec ({m})"
MM = "mat1 and mat2 shapes cannot be multiplied ({a} and {b})"


def refuse(a: Array, b: Array, text: str) -> None:
    """Raise RuntimeError for two factors whose sizes don't fit."""
    one, two = ["x".join(map(str, x.shape)) for x in (a, b)]
    raise RuntimeError(text.format(a=one, b=two, n=a.size, m=b.size, rows=next(iter(a.shape), 0)))


def multiply(operation: Any, input: Tensor, other: Tensor, dims: tuple[int, int], text: str) -> Any:
    """The product. Raises RuntimeError unless both have these dimensions, one dtype, and fit."""
    a, b = input._array, other._array
    if a.dtype is not b.dtype:
        one, two = [C_NAMES.get(TITLES[x.dtype], str(x.dtype)) for x in (a, b)]
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {one} != {two}")
    if (a.ndim, b.ndim) != dims or a.shape[-1] != b.shape[-2:][0] or a.shape[:-2] != b.shape[:-2]:
        refuse(a, b, text)
    return operation(input, other)


@public("dot")
def dot(input: Tensor, tensor: Tensor) -> Any:
    """The inner product of two vectors."""
    return multiply(dot_op, input, tensor, (1, 1), DOT)


@public("mv")
def mv(input: Tensor, vec: Tensor) -> Any:
    """A matrix times a vector."""
    return multiply(mv_op, input, vec, (2, 1), MV)


@public("mm")
def mm(input: Tensor, mat2: Tensor) -> Any:
    """The product of two matrices."""
    return multiply(mm_op, input, mat2, (2, 2), MM)


@public("bmm")
def bmm(input: Tensor, mat2: Tensor) -> Any:
    """The product of each matrix of one batch with the matrix of the other batch."""
    return multiply(bmm_op, input, mat2, (3, 3), MM)


@op("", "AddmmBackward0", self=shapes.same, mat1=mm_slope, mat2=addmm_right_slope)
def addmm(self: Array, mat1: Array, mat2: Array) -> Any:
    """self + mat1 @ mat2."""
    if mat1.dtype is not mat2.dtype:
        one, two = TITLES[mat1.dtype], TITLES[mat2.dtype]
        raise RuntimeError(f"mat1 and mat2 must have the same dtype, but got {one} and {two}")
    if mat2.ndim != 2 or mat1.shape[1:] != mat2.shape[:1]:
        refuse(mat1, mat2, MM)
    return self + mat1 @ mat2


# Products of any dimensions


@op("", "SqueezeBackward4", kind="pointwise", self=lambda grad: shapes.unsqueeze(grad, 0))
def squeeze_first(self: Array) -> Any:
    return self[0]


@public("matmul")
def matmul(input: Tensor, other: Tensor) -> Any:
    """The product of vectors, matrices, or batches of matrices, which are broadcast.

    RuntimeError if the sizes don't fit or the dtypes differ.
    """
    a, b = input._array.ndim, other._array.ndim
    if not a or not b:
        raise RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {a}D and {b}D"
        )
    if a < b == 2:
        row = shapes.unsqueeze(input, 0) if input.requires_grad else from_array(input._array[None])
        result = squeeze_first(mm(row, other))
        result._shared_version_counter().version = 1  # PyTorch squeezes the product in place
        return result
    if a <= 2 and b <= 2:
        return mm(input, other) if b == 2 else mv(input, other) if a == 2 else dot(input, other)
    if b <= 2:
        return matmul_rows(input, other)
    if a <= 2:
        product = matmul_rows(shapes.transpose(other, -2, -1), input if a == 1 else shapes.t(input))
        return product if a == 1 else shapes.contiguous(shapes.transpose(product, -2, -1))
    return matmul_batches(input, other)


def matmul_rows(batches: Tensor, other: Tensor) -> Any:
    """Batches times one matrix or vector: all their rows become one matrix."""
    *sizes, width = batches._array.shape
    rows = shapes.reshape(batches, math.prod(sizes), width)
    if other._array.ndim == 1:
        return shapes.unsafe_view(mv(rows, other), tuple(sizes))
    return shapes.unsafe_view(mm(rows, other), (*sizes, other._array.shape[1]))


def matmul_batches(input: Tensor, other: Tensor) -> Any:
    """Batches times batches: they are broadcast, and become one dimension."""
    a, b = input._array.shape, other._array.shape
    try:
        batch = np.broadcast_shapes(a[:-2], b[:-2])
    except ValueError:
        raise broadcast_error(a[:-2], b[:-2]) from None  # type: ignore[misc]
    first, second = [
        shapes.reshape(shapes.expand_op(x, (*batch, *shape[-2:])), math.prod(batch), *shape[-2:])
        for x, shape in ((input, a), (other, b))
    ]
    return shapes.unsafe_view(bmm(first, second), (*batch, a[-2], b[-1]))


def matmul_operator(self: Tensor, other: Any) -> Any:
    return self.matmul(other) if isinstance(other, Tensor) else NotImplemented


Tensor.__matmul__ = matmul_operator  # type: ignore[operator]


@public("einsum", "function")
def einsum(equation: str, *operands: Any) -> Any:
    """The sum of products that an equation such as "ij,jk->ik" describes.

    Each operand has a letter for each dimension, all different. Elements with the same letters are
    multiplied, and the products are added up over the letters that don't follow `->`. Without `->`,
    the result has the letters that occur once, in alphabetical order.
    """
    tensors = operands[0] if isinstance(operands[0], (tuple, list)) else operands
    left, arrow, kept = equation.replace(" ", "").partition("->")
    letters = sorted({*left} - {","})
    if not arrow:
        kept = "".join(letter for letter in letters if left.count(letter) == 1)
    order = [*kept, *[letter for letter in letters if letter not in kept]]
    pairs = zip(tensors, left.split(","), strict=True)
    first, *others = [align(operand, term, order) for operand, term in pairs]
    products = math.prod(others, start=first)
    summed = tuple(range(len(kept), len(order)))
    return sum_dims(products, summed, False) if summed else products


def align(operand: Any, term: str, order: list[str]) -> Any:
    """An operand with a dimension for each letter, of size 1 for those that it doesn't have."""
    if len({*term}) < len(term):
        raise RuntimeError(f"einsum(): a subscript is repeated in '{term}'")
    missing = [letter for letter in order if letter not in term]
    for _ in missing:
        operand = shapes.unsqueeze(operand, -1)
    return shapes.permute(operand, [[*term, *missing].index(letter) for letter in order])
