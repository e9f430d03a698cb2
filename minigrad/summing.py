"""Sums of floats in the order in which PyTorch adds, so that all digits of a sum are PyTorch's.

Its kernel (aten/src/ATen/native/cpu/SumKernel.cpp) adds elements that lie side by side in lanes, as
many as a register of 256 bits holds; four such rows at once; and rows in blocks of 16, the sums of
blocks in blocks of 16 again, so that small numbers are not lost beside a large sum. This is what it
does in one thread of a processor with AVX2. Biases of matrix products are added up otherwise
(`column_sums`).
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np

from minigrad.arrays import Array, multiply_add, read_only

Dims = tuple[int, ...] | None  # None stands for all

REGISTER = 32  # bytes
ROWS = 4
BLOCK = 16
LEVELS = 4
# From here on PyTorch shares the work among threads, if it has several: the order is the machine's.
SHARED = 32768
# Up to here a product with ones is the faster sum of columns.
FEW = 256
SINGLE, DOUBLE = np.dtype(np.float32), np.dtype(np.float64)

_sum: Any = np.add.reduce
_running_sum: Any = np.add.accumulate


def total(array: Any) -> Any:
    """Return the sum of all elements, of an array or number; of -0 alone it is 0."""
    if not is_exact(array):
        return _sum(array, None)
    if not array.flags.forc:
        return sums(array)
    flat, lanes = array.ravel("K"), REGISTER // array.itemsize
    few = flat.size < 2 * lanes
    found = one_by_one(flat[order_of_few(flat.size, lanes)]) if few else side_by_side(flat)
    return found + 0.0


@functools.cache
def order_of_few(length: int, lanes: int) -> Any:
    """Return the order in which elements that fill less than two rows of lanes are added."""
    if length < ROWS:
        return slice(None)
    if length < lanes:
        return np.array([0, *range(ROWS, length), *range(1, ROWS)])
    return np.array([*range(lanes, length), *range(lanes)])


def sums(array: Array, dims: Dims = None, keepdim: bool = False) -> Any:
    """Return the sums of an array along some dimensions, or all; these are left out or kept."""
    if not is_exact(array):
        return _sum(array, dims, None, None, keepdim)
    order, lengths, outer, shape = layout(array.shape, array.strides, dims, keepdim)
    result = array
    if lengths:
        # What lies closest in memory is added first, the results of that one after the other.
        result = array.transpose(order).reshape(lengths)
        result = of_last(result, not outer and len(lengths) > 1)
        if outer:
            result = in_turn(result.reshape(math.prod(lengths[:outer]), -1))
    # Adding starts from 0, so that of -0 alone the sum is 0.
    return (result + 0.0).reshape(shape)


@functools.lru_cache(maxsize=256)
def layout(
    shape: tuple[int, ...], strides: tuple[int, ...], dims: Dims, keepdim: bool
) -> tuple[tuple[int, ...], tuple[int, ...], int, tuple[int, ...]]:
    """Return how an array is to be looked at so that the innermost that is added up comes last.

    Returns:
        The order of its dimensions; the lengths of what they are merged to, none if there is
        nothing to add; how many of these, in front, are added up as well; the result's shape.
    """
    every = range(len(shape))
    added = every if dims is None else [dim % len(shape) for dim in dims]
    kept = [dim for dim in every if dim not in added]
    along = merged(shape, strides, outermost_first(shape, strides, added))
    groups = [*along[:-1], *merged(shape, strides, kept), *along[-1:]]
    ones = [dim for dim in every if shape[dim] == 1]
    lengths = [math.prod([shape[dim] for dim in group]) for group in groups] if along else []
    of_result = [shape[dim] if dim in kept else 1 for dim in every if keepdim or dim in kept]
    order = (*ones, *itertools.chain(*groups))
    return order, tuple(lengths), len(along) - 1, tuple(of_result)


def outermost_first(
    shape: tuple[int, ...], strides: tuple[int, ...], dims: Collection[int]
) -> list[int]:
    """Return dimensions in the order in which they lie in memory; expanded ones stay in place."""
    places = [
        (strides[dim], shape[dim], dim)
        for dim in range(len(shape))
        if dim in dims and shape[dim] != 1
    ]
    for start in reversed(range(len(places) - 1)):
        here = start
        for there in range(start + 1, len(places)):
            if not places[here][0] or not places[there][0]:
                continue
            if places[here][:2] >= places[there][:2]:
                break
            places[here], places[there] = places[there], places[here]
            here = there
    return [dim for _, _, dim in places]


def merged(
    shape: tuple[int, ...], strides: tuple[int, ...], dims: Iterable[int]
) -> list[list[int]]:
    """Return dimensions in groups, of such as continue one another in memory, without length 1."""
    groups: list[list[int]] = []
    step = 0
    for dim in dims:
        length, stride = shape[dim], strides[dim]
        if length == 1:
            continue
        if groups and step == length * stride:
            groups[-1].append(dim)
        else:
            groups.append([dim])
        step = stride
    return groups


def squares(array: Array, dims: Dims, keepdim: bool) -> Any:
    """Return the sums of the squares along some dimensions, in the order of PyTorch's norms.

    Source: aten/src/ATen/native/cpu/ReduceOpsKernel.cpp.
    """
    if not is_exact(array):
        return _sum(array * array, dims, None, None, keepdim)
    rows, shape, close = as_rows(array, dims, keepdim)
    return (squares_side_by_side(rows) if close else one_by_one(rows * rows)).reshape(shape)


def plain_sums(array: Array, dims: Dims, keepdim: bool) -> Any:
    """Return the sums along some dimensions, of one element after the other, as in other norms."""
    if not is_exact(array):
        return _sum(array, dims, None, None, keepdim)
    rows, shape, _ = as_rows(array, dims, keepdim)
    return one_by_one(rows).reshape(shape)


def as_rows(array: Array, dims: Dims, keepdim: bool) -> tuple[Array, tuple[int, ...], bool]:
    """Return an array with what is added up along its last dimension, for sums of which shape.

    And whether all that is added up for one sum lies side by side in memory.
    """
    order, lengths, outer, shape = layout(array.shape, array.strides, dims, keepdim)
    if not lengths:
        return array[..., None], shape, False
    rows = array.transpose(order).reshape(lengths)
    if not outer:
        return rows, shape, rows.strides[-1] == rows.itemsize
    kept = lengths[outer:-1]
    last = [*range(outer, len(lengths) - 1), *range(outer), len(lengths) - 1]
    return rows.transpose(last).reshape(*kept, -1), shape, False


def squares_side_by_side(array: Array) -> Any:
    """Return the sums of squares along the last dimension, where elements lie side by side.

    Of the rest that does not fill the lanes four at a time are squared and added, as compiled;
    then the last ones, each rounded once.
    """
    *batch, length = array.shape
    lanes = REGISTER // array.itemsize
    whole = length // lanes * lanes
    square = array * array
    parts = [square[..., whole : length - (length - whole) % ROWS]]
    if whole:
        parts.insert(0, _sum(square[..., :whole].reshape(*batch, -1, lanes), -2))
    joined = np.concatenate(parts, -1)
    found = one_by_one(joined) if joined.shape[-1] else np.zeros(batch, array.dtype)
    for place in range(length - length % ROWS, length):
        found = multiply_add(found, array[..., place], array[..., place])
    return found


def column_sums(matrix: Array) -> Any:
    """Return the sums of the columns of an array, as is fastest: for biases of matrix products.

    The last digits of such products are those of a BLAS and its processor, not PyTorch's.
    """
    if matrix.ndim > 2 or not 0 < len(matrix) <= FEW or not is_exact(matrix):
        return _sum(matrix, 0)
    return ones(len(matrix), matrix.dtype).dot(matrix)


@functools.lru_cache(maxsize=64)
def ones(length: int, dtype: np.dtype[Any]) -> Array:
    """Return a vector of ones."""
    return read_only(np.ones(length, dtype))


def is_exact(array: Any) -> bool:
    """Return whether an array is added up in PyTorch's order: one of floats that is not large."""
    return (array.dtype is SINGLE or array.dtype is DOUBLE) and 0 < array.size < SHARED


def of_last(array: Array, beside: bool) -> Any:
    """Return the sums along the last dimension, by the way that suits the order in memory.

    Args:
        array: elements along the last dimension.
        beside: whether the dimension before is one of columns, which are kept.
    """
    step, close = array.strides[-1], array.itemsize
    lanes = REGISTER // close
    if step == close and array.shape[-1] >= lanes:
        return side_by_side(array)
    wide = beside and array.strides[-2] == close and array.shape[-2] >= lanes
    if not wide and (not beside or step < array.strides[-2]):
        return by_fours(array[..., None])[..., 0]
    together = ROWS * lanes if wide else ROWS
    whole = array.shape[-2] // together * together
    rows = array.swapaxes(-1, -2)
    return np.concatenate((cascade(rows[..., :whole]), by_fours(rows[..., whole:])), -1)


def side_by_side(array: Array) -> Any:
    """Return the sums along the last dimension, where elements lie side by side: in lanes."""
    *batch, length = array.shape
    lanes = REGISTER // array.itemsize
    together = ROWS * lanes
    count = length // together
    whole, end = count * together, length // lanes * lanes
    four = cascade(array[..., :whole].reshape(*batch, count, together))
    if whole < end:
        four = np.concatenate((four[..., :lanes], array[..., whole:end], four[..., lanes:]), -1)
    of_lanes = in_turn(four.reshape(*batch, -1, lanes))
    return one_by_one(np.concatenate((array[..., end:], of_lanes), -1))


def by_fours(rows: Array) -> Any:
    """Return the sum of rows, of the last two dimensions: every fourth by itself, then these."""
    *batch, length, columns = rows.shape
    count = length // ROWS
    if not count:
        return in_turn(rows)
    whole = count * ROWS
    four = cascade(rows[..., :whole, :].reshape(*batch, count, ROWS * columns))
    four = four.reshape(*batch, ROWS, columns)
    if whole < length:
        four = np.concatenate((four[..., :1, :], rows[..., whole:, :], four[..., 1:, :]), -2)
    return in_turn(four)


def in_blocks(losses: Array) -> Any:
    """Return the sum of losses as `nll_loss` adds: in blocks, to which the first one comes last.

    Source: aten/src/ATen/native/LossNLL.cpp.
    """
    if losses.ndim != 1 or not is_exact(losses):
        return _sum(losses, None)
    return cascade(losses[1:, None])[0] + losses[0] if losses.size > 1 else losses[0]


def cascade(rows: Array) -> Any:
    """Return the sum of rows: of those that fill no block, of blocks that fill none, and so on."""
    parts = []
    for _ in range(LEVELS - 1):
        *batch, length, columns = rows.shape
        count = length // BLOCK
        if not count:
            break
        whole = count * BLOCK
        if whole < length:
            parts.append(in_turn(rows[..., whole:, :]))
        rows = in_turn(rows[..., :whole, :].reshape(*batch, count, BLOCK, columns))
    return functools.reduce(np.add, (*parts, in_turn(rows)))


def in_turn(rows: Array) -> Any:
    """Return the sum of rows, of the last two dimensions, one added after the other.

    numpy adds whole rows like that, if the columns lie side by side.
    """
    if rows.shape[-1] == 1:
        return one_by_one(rows[..., 0])[..., None]
    return _sum(rows if rows.flags.c_contiguous else rows.copy(), -2)


def one_by_one(array: Array) -> Any:
    """Return the sum of the elements along the last dimension; numpy's reduces by halves."""
    return _running_sum(array, -1)[..., -1]
