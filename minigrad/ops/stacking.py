"""Joins and parts along dimensions with names of their own: columns, depth, blocks, diagonals."""

# Formulas refer to operations that are declared below them.
# mypy: disable-error-code="has-type"

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.autograd.node import Array
from minigrad.memory import laid_out_as
from minigrad.ops.check import check, checked_tensors
from minigrad.ops.define import define, hidden
from minigrad.ops.promotion import NUMBERS
from minigrad.ops.registry import public
from minigrad.ops.shape import (
    FUNCTION,
    cat,
    checked_list,
    common_dtype,
    contiguous,
    diag_embed,
    each,
    reshaped,
    slice_view,
    squeeze_one,
    unsqueeze,
    view_as_size,
    vstack,
    zeros,
)
from minigrad.ops.views import as_strided
from minigrad.size import checked_dim
from minigrad.tensor import Tensor, from_array

public("row_stack", FUNCTION)(vstack)


@public("atleast_3d", FUNCTION)
def atleast_3d(*tensors: Any) -> Any:
    """Return the tensor, one of fewer than three dimensions with more of length 1; or several."""

    def block(input: Tensor) -> Any:
        if input.ndim == 0:
            return reshaped(input, (1, 1, 1))
        if input.ndim == 1:
            return unsqueeze(unsqueeze(input, 0), -1)
        return unsqueeze(input, -1) if input.ndim == 2 else input

    return each("atleast_3d", block, tensors)


@public("dstack", FUNCTION)
def dstack(tensors: Sequence[Tensor]) -> Any:
    """Join tensors along the third dimension of at least three."""
    return cat([atleast_3d(one) for one in checked_list("dstack", tensors)], 2)


@public("column_stack", FUNCTION)
def column_stack(tensors: Sequence[Tensor]) -> Any:
    """Join vectors, as columns, and matrices side by side."""
    tensors = checked_list("column_stack", tensors)
    columns = [reshaped(one, (one.numel(), 1)) if one.ndim <= 1 else one for one in tensors]
    return cat(columns, 1)


def of_python(number: Any) -> Any:
    """Return an integer of numpy as one of Python, and anything else as it is."""
    return int(number) if isinstance(number, np.integer) else number


@public("tensor_split")
def tensor_split(input: Tensor, indices_or_sections: Any, dim: int = 0) -> tuple[Any, ...]:
    """Return views of parts: so many, of nearly one length, or those between given places.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if there are no dimensions, or no parts are asked for, or a tensor of places
            is not int64 or no vector.
    """
    check(
        input.ndim,
        "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims",
    )
    place, given = checked_dim(dim, input.ndim), of_python(indices_or_sections)
    if isinstance(given, Tensor):
        text = "tensor_split expected tensor_indices_or_sections to "
        long = given._array.dtype == np.int64
        check(long, text + "have dtype of long, but got {}", given.dtype.scalar_name)
        text += "be a zero-dimensional or one-dimensional tensor, but got a tensor with {} dims"
        check(given.ndim < 2, text, given.ndim)
        given = given.tolist()
    length = input.shape[place]
    if isinstance(given, int):
        check(given > 0, "number of sections must be larger than 0, got {}", given)
        small, larger = divmod(length, given)
        sizes = [small + 1] * larger + [small] * (given - larger)
        given = list(itertools.accumulate(sizes))[:-1]
    return tuple(
        slice_view(input, place, start, end, 1)
        for start, end in itertools.pairwise([0, *given, length])
    )


def splitting(name: str, least: int, along: int) -> None:
    """Declare hsplit, vsplit or dsplit."""

    def function(input: Tensor, indices_or_sections: Any) -> tuple[Any, ...]:
        ndim, given = input.ndim, of_python(indices_or_sections)
        text = (
            "torch.{} requires a tensor with at least {} dimension, but got a tensor with {} "
            "dimensions!"
        )
        check(ndim >= least, text, name, least, ndim)
        dim = along if ndim > 1 else 0
        text = (
            "torch.{} attempted to split along dimension {}, but the size of the dimension {} is "
            "not divisible by the split_size {}!"
        )
        fits = not isinstance(given, int) or (given and input.shape[dim] % given == 0)
        check(fits, text, name, dim, input.shape[dim], given)
        parts: tuple[Any, ...] = tensor_split(input, given, dim)
        return parts

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"Return views of parts of a tensor, as `tensor_split` along dimension {along}."
    )
    public(name)(function)


splitting("hsplit", 1, 1)
splitting("vsplit", 2, 0)
splitting("dsplit", 3, 2)


@public("diagflat")
def diagflat(input: Tensor, offset: int = 0) -> Any:
    """Return a matrix with all elements on its diagonal."""
    return diag_embed(view_as_size(contiguous(input), (-1,)), offset)


@public("fill_diagonal_", "method")
def fill_diagonal_(input: Tensor, fill_value: Any, wrap: bool = False) -> Tensor:
    """Write a number to the diagonal of a tensor and return the tensor.

    With `wrap` the diagonal of a tall matrix begins again, a row below where it ended.

    Raises:
        RuntimeError: if there are fewer than two dimensions, or more of different lengths.
    """
    text = "fill_diagonal_(): argument 'fill_value' (position 1) must be Number, not {}"
    is_number = isinstance(fill_value, NUMBERS)
    check(is_number, text, type(fill_value).__name__, error=TypeError)
    check(input.ndim >= 2, "dimensions must larger than 1")
    alike = input.ndim == 2 or len(set(input.shape)) == 1
    check(alike, "all dimensions of input must be of equal length")
    offset, step = input.storage_offset(), sum(input.stride())
    size = min(input.shape)
    as_strided(input, (size,), (step,), offset).fill_(fill_value)
    if wrap and input.ndim == 2 and len(input) > input.shape[1] + 1:
        begun = offset + (size + 1) * input.stride(0)
        rest = -(-input.numel() // (size + 1)) - size
        as_strided(input, (rest,), (step,), begun).fill_(fill_value)
    return input


def blocks(tensors: Sequence[Array], shapes: Sequence[tuple[int, int]]) -> Array:
    """Return a matrix with others along its diagonal."""
    whole = np.zeros(np.sum([(0, 0), *shapes], 0), common_dtype(tensors))
    for where, one in zip(corners(shapes), tensors, strict=True):
        whole[where] = one
    return whole


def corners(shapes: Sequence[tuple[int, int]]) -> list[tuple[slice, ...]]:
    """Return where blocks of these shapes lie."""
    ends = np.cumsum(shapes, 0).tolist()
    return [
        tuple(slice(end - size, end) for end, size in zip(end, shape, strict=True))
        for end, shape in zip(ends, shapes, strict=True)
    ]


def block_parts(grad: Any, shapes: Any, sizes: Any) -> list[Any]:
    """Return the gradients of blocks."""
    parts = []
    for where, size in zip(corners(shapes), sizes, strict=True):
        part = grad
        for dim, place in enumerate(where):
            part = slice_view(part, dim, place.start, place.stop, 1)
        for _ in range(2 - len(size)):  # the engine takes away what remains
            part = squeeze_one(part, -1)
        parts.append(zeros((0,), grad) if size == (0,) else part)
    return parts


block_matrix = hidden(
    "BlockDiagBackward0",
    lambda tensors, shapes, sizes: blocks(tensors, shapes),
    tensors=block_parts,
)


@public("block_diag", FUNCTION)
def block_diag(*tensors: Tensor) -> Any:
    """Return a matrix with others along its diagonal; vectors count as rows.

    Raises:
        RuntimeError: if one has more than two dimensions.
    """
    text = (
        "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {} has {} "
        "dimensions"
    )
    tensors = checked_tensors(tensors)
    for number, one in enumerate(tensors):
        check(one.ndim <= 2, text, number, one.ndim)
    sizes = tuple(one._array.shape for one in tensors)
    if not tensors:
        return from_array(np.empty((1, 0), dtypes.get_default_dtype().numpy_dtype))
    shapes = tuple((1,) * (2 - len(size)) + size for size in sizes)
    return block_matrix(list(tensors), shapes, sizes)


@define("Rot90Backward0", self=lambda grad, k, dims: rot90(grad, -k, dims))
def rot90(self: Array, k: int = 1, dims: Sequence[int] = (0, 1)) -> Any:
    """Return a copy turned by 90 degrees `k` times, from the first of two dimensions to the second.

    Raises:
        RuntimeError: if there are not two, or they are the same.
        IndexError: if there are no such dimensions.
    """
    count, ndim = len(dims), self.ndim
    check(count == 2, "expected total rotation dims == 2, but got dims = {}", count)
    check(ndim >= 2, "expected total dims >= 2, but got total dims = {}", ndim)
    text = "expected rotation dims to be different, but got dim0 = {} and dim1 = {}"
    check(checked_dim(dims[0], ndim) != checked_dim(dims[1], ndim), text, *dims)
    turned = np.rot90(self, k, (dims[0], dims[1]))
    # A quarter of a turn is a flip, which copies, and a transposition, which does not.
    flipped = (turned.swapaxes(*dims) if k % 2 else turned).copy()
    copy = laid_out_as(flipped, self) if k % 4 else flipped
    return copy.swapaxes(*dims) if k % 2 else copy
