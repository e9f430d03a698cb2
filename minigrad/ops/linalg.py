"""Products of vectors and matrices, and what follows from them.

`matmul` is no operation of its own: it is put together of `dot`, `mv`, `mm` and `bmm` as in
PyTorch, whose graph shows the parts.
Source: https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/LinearAlgebra.cpp
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from minigrad.autograd.node import Array
from minigrad.data import element
from minigrad.ops.check import check, checked_dims, require
from minigrad.ops.declare import op
from minigrad.ops.define import hidden
from minigrad.ops.gathering import fill_places_with_tensor
from minigrad.ops.half import HALF, halved, widened
from minigrad.ops.pointwise import c_name, mul, mul_number
from minigrad.ops.registry import Operation, public
from minigrad.ops.shape import (
    common_shape,
    contiguous,
    expand_to,
    expanded_shape,
    flatten,
    permute_dims,
    reshaped,
    squeeze_in_place,
    squeeze_one,
    sum_dims,
    t,
    transpose,
    unsafe_view,
    unsqueeze,
    view_as_size,
)
from minigrad.tensor import Tensor, from_array

FUNCTION = "function"
METHOD = "method"


# Products of two

mm_product: Operation = op(
    "",
    "MmBackward0",
    lambda self, mat2: product(self, mat2, "addmm_impl_cpu_"),
    self=lambda grad, mat2, self_sym_sizes, self_sym_strides: left_gradient(
        grad, mat2, self_sym_sizes, self_sym_strides
    ),
    mat2=lambda grad, self, mat2_sym_sizes, mat2_sym_strides: right_gradient(
        grad, self, mat2_sym_sizes, mat2_sym_strides
    ),
)
mv_product: Operation = op(
    "",
    "MvBackward0",
    lambda self, vec: product(self, vec, "addmv_impl_cpu"),
    self=lambda grad, vec: outer_product(grad, vec),
    vec=lambda grad, self: mv_product(t(self), grad),
)
dot_product: Operation = op(
    "",
    "DotBackward0",
    lambda self, tensor: product(self, tensor, "dot"),
    self=lambda grad, tensor: grad * tensor,
    tensor=lambda grad, self: grad * self,
)
bmm_product: Operation = op(
    "",
    "BmmBackward0",
    lambda self, mat2: batch_product(self, mat2),
    self=lambda grad, mat2: bmm_product(grad, transpose(mat2, 1, 2)),
    mat2=lambda grad, self: bmm_product(transpose(self, 1, 2), grad),
)
addmm_product: Operation = op(
    "",
    "AddmmBackward0",
    lambda self, mat1, mat2, beta, alpha: sum_of_products(
        self, unrounded_product(mat1, mat2, "addmm_impl_cpu_"), beta, alpha
    ),
    self=lambda grad, beta: scaled(grad, beta),
    mat1=lambda grad, mat2, mat1_sym_sizes, alpha, mat1_sym_strides: scaled(
        left_gradient(grad, mat2, mat1_sym_sizes, mat1_sym_strides), alpha
    ),
    mat2=lambda grad, mat1, mat2_sym_sizes, alpha, mat2_sym_strides: scaled(
        right_gradient(grad, mat1, mat2_sym_sizes, mat2_sym_strides), alpha
    ),
)


def kept_letters(dims: Collection[int]) -> str:
    """Return letters for four dimensions but these."""
    return "".join(letter for dim, letter in enumerate("abcd") if dim not in dims)


def trilinear_of(
    i1: Array,
    i2: Array,
    i3: Array,
    expand1: Sequence[int],
    expand2: Sequence[int],
    expand3: Sequence[int],
    sumdim: Sequence[int],
) -> Array:
    """Return the products of three arrays, which lack some of four dimensions, summed over some.

    As in PyTorch, the first two are summed over what the third lacks, but for the dimension of
    outputs, before that is multiplied with them.
    """
    one, two, three = map(kept_letters, (expand1, expand2, expand3))
    later = kept_letters({*sumdim} & {*expand3} - {1})
    pair = "".join(letter for letter in later if letter in one + two)
    product = np.einsum(f"{one},{two}->{pair}", i1, i2)
    return np.asarray(np.einsum(f"{pair},{three}->{kept_letters(sumdim)}", product, i3))


trilinear: Operation = hidden(
    "TrilinearBackward0",
    trilinear_of,
    i1=lambda grad, i2, i3, expand1, expand2, expand3, sumdim: trilinear(
        grad, i2, i3, sumdim, expand2, expand3, expand1
    ),
    i2=lambda grad, i1, i3, expand1, expand2, expand3, sumdim: trilinear(
        i1, grad, i3, expand1, sumdim, expand3, expand2
    ),
    i3=lambda grad, i1, i2, expand1, expand2, expand3, sumdim: trilinear(
        i1, i2, grad, expand1, expand2, sumdim, expand3
    ),
)


@public("bilinear", "function")
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Any:
    """Return ``input1 @ weight[o] @ input2`` for each output, plus the bias.

    Args:
        input1, input2: (..., in1) and (..., in2).
        weight: (out, in1, in2).
        bias: (out).

    Raises:
        RuntimeError: if the shapes do not fit, or the dtypes differ.
    """
    given = {"input1": input1, "input2": input2, "weight": weight, "bias": bias}
    kinds = {name: c_name(one.dtype) for name, one in given.items() if one is not None}
    text = "All tensors must have the same dtype, got {}"
    listed = ", ".join(f"{name}: {kind}" for name, kind in kinds.items())
    check(len(set(kinds.values())) == 1, text, listed)
    text = "bilinear(): input dimensions do not match: got {} and {}"
    check(input1.ndim == input2.ndim, text, input1.ndim, input2.ndim)
    for dim, pair in enumerate(zip(input1.shape[:-1], input2.shape[:-1], strict=True)):
        text = "bilinear(): input batch dimensions do not match at dim {}: got {} and {}"
        check(pair[0] == pair[1], text, dim, *pair)
    text = "bilinear(): {} size does not match weight size: got {} but expected {}"
    for dim, name in enumerate(("input1", "input2"), 1):
        wanted, length = weight.size(dim), given[name].size(-1)  # type: ignore[union-attr]
        check(length == wanted, text, name, length, wanted)
    if bias is not None:
        check(bias.size(0) == weight.shape[0], text, "bias", bias.size(0), weight.shape[0])
    check(weight.ndim == 3, "number of dimensions must match")
    rows = [reshaped(one, (-1, one.shape[-1])) for one in (input1, input2)]
    result = trilinear(rows[0], weight, rows[1], (1, 3), (0,), (1, 2), (2, 3))
    result = reshaped(result, (*input1.shape[:-1], weight.shape[0]))
    return result if bias is None else result + bias


@public("mm")
def mm(input: Tensor, mat2: Tensor) -> Any:
    """Return the product of two matrices.

    Raises:
        RuntimeError: if they are no matrices, do not fit or differ in dtype.

    >>> import minigrad as torch
    >>> torch.mm(torch.ones(1, 2), torch.tensor([[3.0], [4.0]]))
    tensor([[7.]])
    """
    a, b = input._value, mat2._value
    if a.ndim == b.ndim == 2 and a.shape[1] == b.shape[0] and a.dtype is b.dtype:
        return mm_product(input, mat2)
    if a.ndim != 2:
        raise RuntimeError("self must be a matrix")
    if b.ndim != 2:
        raise RuntimeError("mat2 must be a matrix")
    check_shapes(a, b)
    raise RuntimeError(
        "expected m1 and m2 to have the same dtype, but got: "
        f"{c_name(input.dtype)} != {c_name(mat2.dtype)}"
    )


@public("mv")
def mv(input: Tensor, vec: Tensor) -> Any:
    """Return the product of a matrix and a vector; raises as `mm`."""
    a, b = input._array, vec._array
    if not a.ndim:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    if a.ndim != 2 or b.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {a.ndim}, {b.ndim}")
    if a.shape[1] != b.shape[0]:
        raise RuntimeError(
            f"size mismatch, got input ({a.shape[0]}), mat ({a.shape[0]}x{a.shape[1]}), vec "
            f"({b.shape[0]})"
        )
    if a.dtype is not b.dtype:
        names = [input.dtype.scalar_name, vec.dtype.scalar_name]
        raise RuntimeError(
            f"addmv input tensors must have the same dtype, but got {names[1]}, {names[0]}, and "
            f"{names[1]}"
        )
    return mv_product(input, vec)


@public("dot")
def dot(input: Tensor, tensor: Tensor) -> Any:
    """Return the dot product of two vectors; raises as `mm`."""
    a, b = input._array, tensor._array
    if a.ndim != 1 or b.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {a.ndim}D and {b.ndim}D tensors")
    if a.dtype is not b.dtype:
        raise RuntimeError(
            "dot : expected both vectors to have same dtype, but found "
            f"{input.dtype.scalar_name} and {tensor.dtype.scalar_name}"
        )
    if a.size != b.size:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{a.size}] and src [{b.size}] to have the "
            f"same number of elements, but got {a.size} and {b.size} elements respectively"
        )
    return dot_product(input, tensor)


@public("bmm")
def bmm(input: Tensor, mat2: Tensor) -> Any:
    """Return the products of a batch of matrices and another batch; raises as `mm`."""
    a, b = input._array, mat2._array
    for number, array in ((1, a), (2, b)):
        if array.ndim != 3:
            raise RuntimeError(f"batch{number} must be a 3D tensor")
    if b.shape[:2] != (a.shape[0], a.shape[2]):
        raise RuntimeError(
            "Expected size for first two dimensions of batch2 tensor to be: "
            f"[{a.shape[0]}, {a.shape[2]}] but got: [{b.shape[0]}, {b.shape[1]}]."
        )
    check_scalar_type(input, mat2)
    require(a, "fiu", "bmm")
    return bmm_product(input, mat2)


@public("addmm", "function method inplace")
def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Return ``beta * input + alpha * (mat1 @ mat2)``.

    Raises:
        RuntimeError: if the matrices do not fit, `input` cannot be broadcast, or dtypes differ.
    """
    a, b = mat1._value, mat2._value
    bias = input._value
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[0] or a.dtype is not b.dtype:
        refuse_product(input, mat1, mat2)
    if bias.shape != b.shape[1:] or bias.dtype is not b.dtype:
        expanded_shape(input, (a.shape[0], b.shape[1]))
        refuse_product(input, mat1, mat2)
    return addmm_product(input, mat1, mat2, beta, alpha)


def refuse_product(input: Tensor, mat1: Tensor, mat2: Tensor) -> None:
    """Refuse what `addmm` cannot multiply, with PyTorch's texts."""
    a, b = mat1._array, mat2._array
    for name, one in (("self", input), ("mat1", mat1)):
        if one._array.dtype is not b.dtype:
            raise RuntimeError(
                f"{name} and mat2 must have the same dtype, but got "
                f"{one.dtype.scalar_name} and {mat2.dtype.scalar_name}"
            )
    for name, array in (("mat1", a), ("mat2", b)):
        if array.ndim != 2:
            raise RuntimeError(f"{name} must be a matrix, got {array.ndim}-D tensor")
    check_shapes(a, b)
    expanded_shape(input, (a.shape[0], b.shape[1]))


@public("outer")
def outer(input: Tensor, vec2: Tensor) -> Any:
    """Return the matrix of all products of an element of one vector and one of another.

    Raises:
        RuntimeError: if they are no vectors.
    """
    for name, vector in (("self", input), ("vec2", vec2)):
        if vector.ndim != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {vector.ndim}-D")
    return outer_product(input, vec2)


public("ger")(outer)


def outer_product(column: Any, row: Any) -> Any:
    """Return all products of two vectors, tensors or arrays."""
    return mul(reshaped(column, (column.shape[0], 1)), row)


def product(a: Array, b: Array, kernel: str) -> Any:
    """Return a matrix product; of float16 it is computed in float32.

    Raises:
        NotImplementedError: for booleans, with the name of the kernel that PyTorch lacks.
    """
    if a.dtype is HALF:
        return halved(unrounded_product(a, b, kernel))
    if a.dtype.kind == "b" and a.size and b.size:
        raise NotImplementedError(f"\"{kernel}\" not implemented for 'Bool'")
    # `dot` is faster, but passes over nan where the one element of the other is 0.
    return a @ b if a.size == 1 or b.size == 1 else a.dot(b)


def unrounded_product(a: Array, b: Array, kernel: str) -> Any:
    """Return a matrix product, of float16 as float32; raise as `product`."""
    return widened(a).dot(widened(b)) if a.dtype is HALF else product(a, b, kernel)


def batch_product(a: Array, b: Array) -> Array:
    """Return the matrix products of two batches; of float16 they are computed in float32."""
    return halved(widened(a) @ widened(b)) if a.dtype is HALF else a @ b


def sum_of_products(self: Array, products: Array, beta: Any, alpha: Any) -> Array:
    """Return ``beta * self + alpha * products``; what is multiplied by 0 is left out.

    Factors of integers and booleans are cut to these.
    """
    beta, alpha = [one if one == 1 else element(one, products.dtype) for one in (beta, alpha)]
    if alpha == 0 and products.dtype.itemsize > 2:
        products = np.zeros_like(products)
    elif alpha != 1:
        products = products * alpha
    if beta != 0:
        products += self if beta == 1 else self * beta
    return halved(products) if self.dtype is HALF else products


def scaled(grad: Any, factor: Any) -> Any:
    """Return a gradient times a number, unless that is 1."""
    return grad if factor == 1 else mul_number(grad, factor)


def left_gradient(grad: Any, mat2: Any, sizes: tuple[int, ...], strides: tuple[int, ...]) -> Any:
    """Return the gradient of the left matrix, which had these sizes and strides."""
    columns = by_columns(grad, sizes, strides)
    if isinstance(grad, Tensor):
        return t(mm(mat2, t(grad))) if columns else mm(grad, t(mat2))
    return product(mat2, grad.T, "").T if columns else product(grad, mat2.T, "")


def right_gradient(grad: Any, mat1: Any, sizes: tuple[int, ...], strides: tuple[int, ...]) -> Any:
    """Return the gradient of the right matrix, which had these sizes and strides."""
    columns = by_columns(grad, sizes, strides)
    if isinstance(grad, Tensor):
        return t(mm(t(grad), mat1)) if columns else mm(t(mat1), grad)
    return product(grad.T, mat1, "").T if columns else product(mat1.T, grad, "")


def by_columns(grad: Any, sizes: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Return whether a matrix lay in memory column by column: its gradient then does as well.

    So that the gradient of a matrix that was transposed first lies as that matrix does.
    """
    if 0 in sizes and not any(strides):  # numpy has forgotten them
        return sizes[0] == 1
    return strides == (grad.itemsize, grad.itemsize * sizes[0])


def check_shapes(a: Array, b: Array) -> None:
    """Refuse two matrices that cannot be multiplied."""
    if a.shape[1] != b.shape[0]:
        raise RuntimeError(
            "mat1 and mat2 shapes cannot be multiplied "
            f"({a.shape[0]}x{a.shape[1]} and {b.shape[0]}x{b.shape[1]})"
        )


def check_scalar_type(first: Tensor, second: Tensor) -> None:
    """Refuse two batches of different dtypes."""
    if first._array.dtype is not second._array.dtype:
        raise RuntimeError(
            f"expected scalar type {first.dtype.scalar_name} but found {second.dtype.scalar_name}"
        )


# Products of any number of dimensions


@public("matmul")
def matmul(input: Tensor, other: Tensor) -> Any:
    """Return the matrix product, of vectors, matrices or batches of matrices.

    A vector counts as a row on the left and as a column on the right; batches are broadcast.

    Raises:
        RuntimeError: if shapes do not fit or dtypes differ.

    >>> import minigrad as torch
    >>> torch.matmul(torch.eye(2), torch.tensor([1.0, 2.0]))
    tensor([1., 2.])
    """
    if not isinstance(other, Tensor):
        raise TypeError(
            f"matmul(): argument 'other' (position 1) must be Tensor, not {type(other).__name__}"
        )
    left, right = input._value.ndim, other._value.ndim
    if left == 2 and right == 2:
        return mm(input, other)
    if left == 0 or right == 0:
        raise RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {left}D and {right}D"
        )
    if left == 1 and right == 1:
        return dot(input, other)
    if left == 2 and right == 1:
        return mv(input, other)
    if left == 1 and right == 2:
        row = unsqueeze(input, 0) if input._requires_grad else as_row(input)
        product = squeeze_in_place(mm(row, other), 0)
        product._count_change()  # as the name says
        return product
    if folds(input, other):
        return folded_product(input, other)
    return broadcast_product(input, other)


def as_row(vector: Tensor) -> Tensor:
    """Return a vector that needs no gradient as a matrix of one row, of the same memory."""
    row = from_array(vector._array[None])
    row._counter = vector._counter
    return row


def folds(input: Tensor, other: Tensor) -> bool:
    """Return whether a batch times a matrix or vector is computed as one matrix product."""
    swap = input.ndim < other.ndim
    large, small = (other, input) if swap else (input, other)
    if small.ndim > 2:
        return False
    if small._requires_grad:
        return True
    if input.ndim == 2:
        return False
    array = large._array.swapaxes(-1, -2) if swap else large._array
    return not array.size or all(
        array.strides[dim] == array.strides[dim + 1] * array.shape[dim + 1]
        for dim in range(array.ndim - 2)
    )


def folded_product(input: Tensor, other: Tensor) -> Any:
    """Return the product of a batch and a matrix or vector, whose rows are multiplied as one."""
    swap = input.ndim < other.ndim
    large = transpose(other, -2, -1) if swap else input
    small = (t(input) if input.ndim == 2 else input) if swap else other
    shape = large._array.shape
    rows = reshaped(large, (math.prod(shape[:-1]), shape[-1]))
    if small.ndim == 1:
        return unsafe_view(mv(rows, small), shape[:-1])
    result = unsafe_view(mm(rows, small), (*shape[:-1], small._array.shape[1]))
    return contiguous(transpose(result, -2, -1)) if swap else result


def broadcast_product(input: Tensor, other: Tensor) -> Any:
    """Return the products of batches, expanded to the same number of matrices."""
    a, b = input._array.shape, other._array.shape
    if len(a) == len(b) == 3 and a[0] != b[0]:
        if a[0] == 1 and input._requires_grad:
            return matmul(squeeze_one(input, 0), other)
        if b[0] == 1 and other._requires_grad:
            return matmul(input, squeeze_one(other, 0))
    n, m = (a[-2] if len(a) > 1 else 1), a[-1]
    vector = len(b) == 1
    batch = common_shape(a[:-2], b[:-2])
    count = math.prod(batch)
    left = reshaped(expand_to(input, (*batch, n, m)), (count, n, m))
    if vector:
        right = unsqueeze(reshaped(expand_to(other, (*batch, b[0])), (count, b[0])), 2)
    else:
        right = reshaped(expand_to(other, (*batch, *b[-2:])), (count, *b[-2:]))
    size = batch + ((n,) if len(a) > 1 else ()) + (() if vector else (b[-1],))
    products = bmm(left, right)
    return unsafe_view(squeeze_one(products, -1) if vector else products, size)


@public("inner")
def inner(input: Tensor, other: Tensor) -> Any:
    """Return the sums of products along the last dimensions of two tensors.

    Raises:
        RuntimeError: if these have different lengths.
    """
    a, b = input._array.shape, other._array.shape
    if not a or not b:
        return mul(input, other)
    if a[-1] != b[-1]:
        raise RuntimeError(
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{list(a)} and {list(b)}"
        )
    return tensordot(input, other, dims=([-1], [-1]))


@public("tensordot", FUNCTION)
def tensordot(a: Tensor, b: Tensor, dims: Any = 2) -> Any:
    """Multiply two tensors and sum over pairs of dimensions.

    `dims` is two lists of dimensions, or how many of the last of `a` go with the first of `b`.

    Raises:
        RuntimeError: if the lengths of such a pair differ, there are not as many dimensions, or the
            dtypes differ.
    """
    dims = contracted_dims(a, b, dims)
    check(len(dims[0]) == len(dims[1]), "both dimension lists should have same length")
    if a._array.dtype != b._array.dtype:
        raise RuntimeError("both inputs should have same dtype")
    for one in (one for one, tensor in zip(dims, (a, b), strict=True) if not tensor.ndim):
        nowhere = "Dimension specified as {} but tensor has no dimensions"
        check(not one, nowhere, *one[:1], error=IndexError)
    summed = [list(checked_dims(*one)) for one in zip(dims, (a.ndim, b.ndim), strict=True)]
    shapes = a._array.shape, b._array.shape
    for one, two in zip(*dims, strict=True):
        if 1 in (shapes[0][one], shapes[1][two]):
            # What is broadcast along a dimension can be summed before.
            if shapes[1][two] == 1:
                a = sum_dims(a, (one,), True, None)
            else:
                b = sum_dims(b, (two,), True, None)
        elif shapes[0][one] != shapes[1][two]:
            raise RuntimeError(
                "contracted dimensions need to match, but first has size "
                f"{shapes[0][one]} in dim {one} and second has size {shapes[1][two]} in dim {two}"
            )
    shapes = a._array.shape, b._array.shape
    free = [
        [dim for dim in range(len(shape)) if dim not in chosen]
        for chosen, shape in zip(summed, shapes, strict=True)
    ]
    length = math.prod(shapes[0][dim] for dim in summed[0])
    sizes = tuple(shape[dim] for chosen, shape in zip(free, shapes, strict=True) for dim in chosen)
    orders = tuple(free[0] + summed[0]), tuple(summed[1] + free[1])
    rows = math.prod(shapes[0][dim] for dim in free[0])
    columns = math.prod(shapes[1][dim] for dim in free[1])
    vectors = rows == columns == 1
    left = permute_dims(a, orders[0])
    left = flatten(left) if vectors else reshaped(left, (rows, length))
    right = permute_dims(b, orders[1])
    right = flatten(right) if vectors else reshaped(right, (length, columns))
    if vectors:
        return view_as_size(dot(left, right), sizes)
    return reshaped(mm(left, right), sizes)


def contracted_dims(a: Tensor, b: Tensor, dims: Any) -> tuple[Sequence[int], Sequence[int]]:
    """Return which dimensions of two tensors `tensordot` is to multiply and sum over."""
    text = (
        "tensordot expects dims to be int or tuple[list[int], list[int]] or list[list[int]] "
        "containing two lists, but got dims={}"
    )
    check(isinstance(dims, (int, tuple, list, Tensor)), text, dims)
    if isinstance(dims, Tensor) and dims.numel() > 1:
        text = "dims tensor must have size 2 in first dimension, got {}"
        check(len(dims) == 2, text, len(dims), error=AssertionError)
        dims = dims.tolist()
    if isinstance(dims, (tuple, list)):
        of_a, of_b = dims
    else:
        check(dims >= 0, "tensordot expects dims >= 0, but got dims={}", dims)
        fits = isinstance(dims, Tensor) or dims <= min(a.ndim, b.ndim)
        check(fits, "tensordot expects dims < ndim_a or ndim_b, but got dims={}", dims)
        of_a, of_b = list(range(-int(dims), 0)), list(range(int(dims)))
    text = "tensordot(): argument 'dims_{}' (position {}) must be tuple of ints, not {}"
    for name, place, one in (("self", 3, of_a), ("other", 4, of_b)):
        check(
            isinstance(one, (tuple, list)), text, name, place, type(one).__name__, error=TypeError
        )
    return of_a, of_b


# Of one matrix

trace_of: Operation = op(
    "",
    "TraceBackward0",
    lambda self: require(self, "fiu", "trace").trace(
        dtype=None if self.dtype.kind == "f" else np.int64
    ),
    self=lambda grad, self_sym_sizes: trace_backward(grad, self_sym_sizes),
)


def trace_backward(grad: Any, sizes: tuple[int, ...]) -> Any:
    """Return a matrix, an array or a Tensor as the gradient is, which has it on the diagonal."""
    elements: Any = np.zeros(math.prod(sizes), getattr(grad, "_value", grad).dtype)
    places: Any = np.arange(min(sizes)) * (sizes[1] + 1)
    if isinstance(grad, Tensor):
        elements, places = from_array(elements), from_array(places)
    return view_as_size(fill_places_with_tensor(elements, 0, places, grad), sizes)


@public("trace")
def trace(input: Tensor) -> Any:
    """Return the sum of the diagonal of a matrix.

    Raises:
        RuntimeError: if it is none.
    """
    require(input._array, "fiu", "trace")
    if input.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {input.ndim}")
    return trace_of(input)
