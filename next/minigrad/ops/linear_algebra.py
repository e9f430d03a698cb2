"""Products of vectors and matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.op import op, public
from minigrad.ops.shapes import t, transpose, unsafe_view, unsqueeze
from minigrad.tensor import Tensor

dot = op(
    "dot",
    "DotBackward0",
    lambda self, tensor: np.dot(self, tensor),
    kind="pointwise",
    self=lambda grad, tensor: grad * tensor,
    tensor=lambda grad, self: grad * self,
)
mv = op(
    "mv",
    "MvBackward0",
    lambda self, vec: self @ vec,
    kind="pointwise",
    self=lambda grad, vec: unsqueeze(grad, 1) * vec,
    vec=lambda grad, self: t(self) @ grad,
)
mm = op(
    "mm",
    "MmBackward0",
    lambda self, mat2: self @ mat2,
    kind="pointwise",
    self=lambda grad, mat2: grad @ mat2.T,
    mat2=lambda grad, self: self.T @ grad,
)
vm = op(  # PyTorch has no such node: it squeezes the product of a matrix of one row
    "",
    "SqueezeBackward4",
    lambda self, mat: self @ mat,
    kind="pointwise",
    self=lambda grad, mat: mat @ grad,
    mat=lambda grad, self: unsqueeze(self, 1) * grad,
)
bmm = op(
    "bmm",
    "BmmBackward0",
    lambda self, mat2: self @ mat2,
    kind="pointwise",
    self=lambda grad, mat2: grad @ transpose(mat2, -2, -1),
    mat2=lambda grad, self: transpose(self, -2, -1) @ grad,
)
addmm = op(
    "addmm",
    "AddmmBackward0",
    lambda self, mat1, mat2: self + mat1 @ mat2,
    self=lambda grad: grad,
    mat1=lambda grad, mat2: grad @ mat2.T,
    mat2=lambda grad, mat1: mat1.T @ grad,
)


C_NAMES = {"float32": "float", "float64": "double", "int64": "long int", "int32": "int"}


def check_product(a: Tensor, b: Tensor) -> None:
    x, y = a._array, b._array
    if x.dtype is not y.dtype and y.ndim == 1 < x.ndim:
        mat, vec = dtypes.TITLES[x.dtype], dtypes.TITLES[y.dtype]
        raise RuntimeError(
            f"addmv input tensors must have the same dtype, but got {vec}, {mat}, and {vec}"
        )
    if x.dtype is not y.dtype:
        names = [str(one.dtype).removeprefix("torch.") for one in (a, b)]
        raise RuntimeError(
            "expected m1 and m2 to have the same dtype, but got: "
            + " != ".join(C_NAMES.get(n, n) for n in names)
        )
    if x.ndim == 0 or y.ndim == 0:
        raise RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {x.ndim}D and {y.ndim}D"
        )
    if x.shape[-1] == y.shape[-2 if y.ndim > 1 else 0]:
        return
    if x.ndim == y.ndim == 1:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{x.size}] and src [{y.size}] to have the "
            f"same number of elements, but got {x.size} and {y.size} elements respectively"
        )
    if x.ndim == 2 and y.ndim == 1:
        raise RuntimeError(
            f"size mismatch, got input ({x.shape[0]}), mat ({x.shape[0]}x{x.shape[1]}), "
            f"vec ({y.size})"
        )
    rows = x.shape[0] if x.ndim == 2 else 1 if x.ndim == 1 else x.size // x.shape[-1]
    raise RuntimeError(
        f"mat1 and mat2 shapes cannot be multiplied ({rows}x{x.shape[-1]} and "
        f"{y.shape[-2]}x{y.shape[-1]})"
    )


def matmul(input: Any, other: Any) -> Any:
    """The product of vectors, matrices, or stacks of matrices."""
    if not isinstance(input, Tensor):
        return input @ other
    a, b = input._array, other._array
    if b.ndim == 2 and a.dtype is b.dtype and a.shape and a.shape[-1] == b.shape[0]:
        if a.ndim < 3:
            return mm(input, other) if a.ndim == 2 else vm(input, other)
    check_product(input, other)
    match a.ndim, b.ndim:
        case 2, 1:
            return mv(input, other)
        case 1, 1:
            return dot(input, other)
        case 1, _:
            return unsafe_view(bmm(unsqueeze(input, 0), other), (*b.shape[:-2], b.shape[-1]))
        case _, 1:
            return unsafe_view(bmm(input, unsqueeze(other, 1)), a.shape[:-1])
    product = bmm(input, other)
    return unsafe_view(product, product._array.shape)


public(matmul, "matmul")
public(lambda input, vec2: unsqueeze(input, 1) * vec2, "outer ger")
Tensor.__matmul__ = matmul
Tensor.__rmatmul__ = lambda self, other: matmul(other, self)
