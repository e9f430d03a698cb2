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
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

import numpy as np

from minigrad.arrays import Array, multiply_add, read_only
from minigrad.size import count_along

Order = tuple[int, ...]
Dims = Order | None  # None stands for all

REGISTER = 32  # bytes
ROWS = 4
BLOCK = 16
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
    column = array.ravel("K")[:, None]
    close = array.size >= REGISTER // array.itemsize
    return (side_by_side(column) if close else by_fours(column))[0] + 0.0


def sums(array: Array, dims: Dims = None, keepdim: bool = False) -> Any:
    """Return the sums of an array along some dimensions, or all; these are left out or kept."""
    if not is_exact(array):
        return _sum(array, dims, None, None, keepdim)
    plan = plan_of(array.shape, array.strides, array.itemsize, dims, keepdim)
    result = array
    if plan.length:
        # What lies closest in memory is added first, the results of that one after the other.
        rows = array.transpose(plan.order).reshape(plan.length, -1)
        in_lanes = plan.close and plan.length >= REGISTER // array.itemsize
        result = side_by_side(rows) if in_lanes else of_columns(rows, plan.columns, plan.blocks)
        if plan.outer > 1:
            result = in_turn(result.reshape(plan.outer, -1))
    # Adding starts from 0, so that of -0 alone the sum is 0.
    return (result + 0.0).reshape(plan.shape)


class Plan(NamedTuple):
    """How an array of some shape and strides is added up along some dimensions.

    Attributes:
        order: the dimensions: those added up that are innermost in memory, the others that are
            added up, those that are kept. So each sum is that of a column of a matrix.
        length: how many elements the innermost have, 0 if there is nothing to add.
        outer: how many elements the others have.
        close: whether the innermost lie side by side in memory.
        columns: how many columns continue one another in memory.
        blocks: how many of these, in front, are added up in blocks at once.
        shape: the result's.
    """

    order: Order
    length: int
    outer: int
    close: bool
    columns: int
    blocks: int
    shape: Order


@functools.lru_cache(maxsize=256)
def plan_of(shape: Order, strides: Order, itemsize: int, dims: Dims, keepdim: bool) -> Plan:
    """Return how an array is added up along some dimensions."""
    every = range(len(shape))
    added = every if dims is None else [dim % len(shape) for dim in dims]
    kept = [dim for dim in every if dim not in added]
    ones = [dim for dim in every if shape[dim] == 1]
    *others, inner = merged(shape, strides, outermost_first(shape, strides, added)) or [[]]
    outer, beside = [*itertools.chain(*others)], merged(shape, strides, kept)
    columns, blocks = 1, 0
    if inner and beside and not outer:
        columns = count_along(shape, beside[-1])
        blocks = in_front(columns, strides[beside[-1][-1]], strides[inner[-1]], itemsize)
    return Plan(
        order=(*inner, *outer, *itertools.chain(*beside), *ones),
        length=count_along(shape, inner) if inner else 0,
        outer=count_along(shape, outer) if outer else 1,
        close=bool(inner) and strides[inner[-1]] == itemsize,
        columns=columns,
        blocks=blocks,
        shape=tuple([shape[dim] if dim in kept else 1 for dim in every if keepdim or dim in kept]),
    )


def in_front(columns: int, step: int, stride: int, itemsize: int) -> int:
    """Return how many columns are added up in blocks at once: as many as fill whole lanes.

    Args:
        columns: how many there are.
        step: bytes from one to the next.
        stride: bytes from one element of a column to the next.
        itemsize: bytes of an element.
    """
    lanes = REGISTER // itemsize
    if step == itemsize and columns >= lanes:
        return columns // (ROWS * lanes) * (ROWS * lanes)
    return columns // ROWS * ROWS if stride >= step else 0


def outermost_first(shape: Order, strides: Order, dims: Collection[int]) -> list[int]:
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


def merged(shape: Order, strides: Order, dims: Iterable[int]) -> list[list[int]]:
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
    return (squares_side_by_side(rows) if close else in_turn(rows * rows)).reshape(shape)


def plain_sums(array: Array, dims: Dims, keepdim: bool) -> Any:
    """Return the sums along some dimensions, of one element after the other, as in other norms."""
    if not is_exact(array):
        return _sum(array, dims, None, None, keepdim)
    rows, shape, _ = as_rows(array, dims, keepdim)
    return in_turn(rows).reshape(shape)


def as_rows(array: Array, dims: Dims, keepdim: bool) -> tuple[Array, Order, bool]:
    """Return a matrix of which each column is added up, the shape of the sums, and how they lie.

    That is whether all that is added up for one sum lies side by side in memory.
    """
    plan = plan_of(array.shape, array.strides, array.itemsize, dims, keepdim)
    if not plan.length:
        return array.reshape(1, -1), plan.shape, False
    rows = array.transpose(plan.order).reshape(plan.length, plan.outer, -1).swapaxes(0, 1)
    close = plan.close and plan.outer == 1
    return rows.reshape(plan.length * plan.outer, -1), plan.shape, close


def squares_side_by_side(rows: Array) -> Any:
    """Return the sums of the squares of columns, each of which lies side by side in memory.

    Of the rest that does not fill the lanes four at a time are squared and added, as compiled;
    then the last ones, each rounded once.
    """
    length, columns = rows.shape
    lanes = REGISTER // rows.itemsize
    whole, end = length // lanes * lanes, length // ROWS * ROWS
    square = rows[:end] * rows[:end]
    if whole:
        of_lanes = in_turn(square[:whole].reshape(-1, lanes * columns)).reshape(lanes, columns)
        square = np.concatenate((of_lanes, square[whole:]))
    found = in_turn(square) if end else np.zeros(columns, rows.dtype)
    for row in rows[end:]:
        found = multiply_add(found, row, row)
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


def of_columns(rows: Array, columns: int, blocks: int) -> Any:
    """Return the sums of columns; in front of so many that lie together, some in blocks at once."""
    if not blocks:
        return by_fours(rows)
    groups = rows.reshape(len(rows), -1, columns)
    found = cascade(groups[..., :blocks].reshape(len(rows), -1)).reshape(-1, blocks)
    if blocks < columns:
        others = by_fours(groups[..., blocks:].reshape(len(rows), -1))
        found = np.concatenate((found, others.reshape(len(found), -1)), -1)
    return found


def side_by_side(rows: Array) -> Any:
    """Return the sums of columns, each of which lies side by side in memory: in lanes."""
    length, columns = rows.shape
    lanes = REGISTER // rows.itemsize
    end = length // lanes * lanes
    of_lanes = by_fours(rows[:end].reshape(-1, lanes * columns)).reshape(lanes, columns)
    return in_turn(np.concatenate((rows[end:], of_lanes)) if end < length else of_lanes)


def by_fours(rows: Array) -> Any:
    """Return the sum of rows: of every fourth by itself, then of these."""
    length, columns = rows.shape
    whole = length // ROWS * ROWS
    if not whole:
        return in_turn(rows)
    four = cascade(rows[:whole].reshape(-1, ROWS * columns)).reshape(ROWS, columns)
    return in_turn(np.concatenate((four[:1], rows[whole:], four[1:])) if whole < length else four)


def in_blocks(losses: Array) -> Any:
    """Return the sum of losses as `nll_loss` adds: in blocks, to which the first one comes last.

    Source: aten/src/ATen/native/LossNLL.cpp.
    """
    if losses.ndim != 1 or not is_exact(losses):
        return _sum(losses, None)
    return cascade(losses[1:, None])[0] + losses[0] if losses.size > 1 else losses[0]


def cascade(rows: Array) -> Any:
    """Return the sum of rows: of blocks, of blocks of their sums, and so on; 0 fills the last."""
    while len(rows) > BLOCK:
        length, columns = rows.shape
        blocks = np.zeros((-(-length // BLOCK), BLOCK, columns), rows.dtype)
        blocks.reshape(-1, columns)[:length] = rows
        rows = in_turn(blocks)
    return in_turn(rows)


def in_turn(rows: Array) -> Any:
    """Return the sum of rows, of the last two dimensions, one added after the other.

    numpy adds whole rows like that, if the columns lie side by side; a single column by halves.
    """
    if rows.shape[-1] == 1:
        return _running_sum(rows[..., 0], -1)[..., -1:]
    return _sum(rows if rows.flags.c_contiguous else rows.copy(), -2)
