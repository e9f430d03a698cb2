"""Copies with a part written anew, and reductions into places: select_scatter, scatter_reduce."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from minigrad.autograd.node import Array
from minigrad.data import element
from minigrad.memory import in_line
from minigrad.ops.check import check, require
from minigrad.ops.define import define, hidden
from minigrad.ops.gathering import (
    check_bounds,
    check_scatter,
    checked_rows,
    copy_and_places,
    gather,
    index_add,
    index_fill,
    index_select,
    scatter_add,
    scatter_number,
)
from minigrad.ops.pointwise import choose, masked_fill
from minigrad.ops.promotion import array_of
from minigrad.ops.registry import Operation
from minigrad.ops.shape import (
    along,
    check_two_dims,
    diagonal,
    diagonals,
    select_view,
    slice_view,
    sliced,
    zeros,
)
from minigrad.outside import warn
from minigrad.size import checked_dim


def with_part(self: Array, src: Array, view: Any, *where: Any) -> Array:
    """Return a copy in which what a view shows is `src`.

    Raises:
        RuntimeError: if that has another shape.
    """
    result = in_line(self.copy())
    shown = view(result, *where)
    text = "expected src to have a size equal to the slice of self. src size = {}, slice size = {}"
    check(src.shape == shown.shape, text, list(src.shape), list(shown.shape))
    shown[...] = src
    return result


@define(
    "SelectScatterBackward0",
    self=lambda grad, dim, index: select_scatter(
        grad, zeros(select_view(grad, dim, index).shape, grad), dim, index
    ),
    src=lambda grad, dim, index: select_view(grad, dim, index),
)
def select_scatter(self: Array, src: Array, dim: int, index: int) -> Any:
    """Return a copy in which ``select(dim, index)`` is `src`.

    Raises:
        IndexError: if there is no such dimension or place.
        RuntimeError: if `src` has another shape than the part.

    >>> import minigrad as torch
    >>> torch.zeros(2, 3).select_scatter(torch.ones(3), 0, 1)
    tensor([[0., 0., 0.],
            [1., 1., 1.]])
    """
    text = "select() cannot be applied to a 0-dim tensor."
    check(self.ndim, text, error=IndexError)
    place, shape = checked_dim(dim, self.ndim), list(self.shape)
    text = "select(): index {} out of range for tensor of size {} at dimension {}"
    fits = -shape[place] <= index < shape[place]
    check(fits, text, index, shape, place, error=IndexError)
    return with_part(self, src, along, place, index)


@define(
    "SliceScatterBackward0",
    self=lambda grad, dim, start, end, step: slice_scatter(
        grad, zeros(sliced_part(grad, dim, start, end, step).shape, grad), dim, start, end, step
    ),
    src=lambda grad, dim, start, end, step: sliced_part(grad, dim, start, end, step),
)
def slice_scatter(
    self: Array,
    src: Array,
    dim: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
) -> Any:
    """Return a copy in which every `step`-th place from `start` to before `end` is `src`.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if `src` has another shape than the part, or the step is not positive.
    """
    check(self.ndim, "slice() cannot be applied to a 0-dim tensor.", error=IndexError)
    place = checked_dim(dim, self.ndim)
    check(step > 0, "slice step must be positive")
    return with_part(self, src, sliced, place, start, end, step)


def sliced_part(grad: Any, dim: int, start: int | None, end: int | None, step: int) -> Any:
    """Return the part of a gradient, array or Tensor, that `slice_scatter` writes."""
    begin, stop, _ = slice(start, end).indices(grad.shape[dim])
    return slice_view(grad, dim, begin, stop, step)


@define(
    "DiagonalScatterBackward0",
    self=lambda grad, offset, dim1, dim2: diagonal_scatter(
        grad, zeros(diagonal(grad, offset, dim1, dim2).shape, grad), offset, dim1, dim2
    ),
    src=lambda grad, offset, dim1, dim2: diagonal(grad, offset, dim1, dim2),
)
def diagonal_scatter(self: Array, src: Array, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """Return a copy in which a diagonal of two dimensions is `src`.

    Raises:
        IndexError, RuntimeError: if there are no such dimensions, or `src` has another shape.
    """
    check_two_dims(dim1, dim2, self.ndim)
    return with_part(self, src, diagonals, offset, dim1, dim2)


@define("ConstantPadNdBackward0", "", self=lambda grad, pad: constant_pad(grad, inverse(pad), 0))
def constant_pad(self: Array, pad: tuple[int, ...], value: Any = 0) -> Any:
    """Return a copy with so many elements more before and behind each of the last dimensions.

    Args:
        pad: before and behind the last dimension, then the one before it; negative to take away.

    Raises:
        RuntimeError: if these are not pairs, or more is taken away than there is.
    """
    check(len(pad) % 2 == 0, "Length of pad must be even but instead it equals {}", len(pad))
    pairs = [(0, 0)] * (self.ndim - len(pad) // 2)
    pairs += list(zip(pad[-2::-2], pad[::-2], strict=True))
    added = [(max(before, 0), max(behind, 0)) for before, behind in pairs]
    padded = np.pad(self, added, constant_values=element(value, self.dtype))
    for dim, (before, behind) in enumerate(pairs):
        length = self.shape[dim] + before + behind
        kept = self.shape[dim] + min(before, 0)
        fits = min(kept, kept + min(behind, 0)) >= 0
        check(fits, "narrow(): length must be non-negative.")
        padded = sliced(padded, dim, max(-before, 0), max(-before, 0) + length, 1)
    return in_line(padded)


def inverse(pad: tuple[int, ...]) -> tuple[int, ...]:
    """Return what takes away what was added, and the reverse."""
    return tuple([-one for one in pad])


def extremes(dtype: np.dtype[Any]) -> tuple[Any, Any]:
    """Return what no element of a dtype is less than, and none greater."""
    if dtype.kind == "f":
        return -np.inf, np.inf
    if dtype.kind == "b":
        return False, True
    return np.iinfo(dtype).min, np.iinfo(dtype).max


# How elements that go to one place are reduced, and what that begins with.
REDUCTIONS: dict[str, tuple[Any, Any]] = {
    "sum": (np.add, lambda dtype: 0),
    "prod": (np.multiply, lambda dtype: 1),
    "mean": (np.add, lambda dtype: 0),
    "amax": (np.maximum, lambda dtype: extremes(dtype)[0]),
    "amin": (np.minimum, lambda dtype: extremes(dtype)[1]),
}


def not_twice(function: str, source: str) -> Operation:
    """Declare what gives a gradient back, and refuses to differentiate it."""
    text = (
        f"{function}(): Double backward is unsupported for {source} when >1 zeros in {source} are "
        "scattered to the same position in self"
    )

    def refuse(grad: Any) -> Any:
        raise RuntimeError(text)

    return hidden("Error", lambda self: self.copy(), self=refuse)


not_twice_scattered = not_twice("scatter_reduce", "src")
not_twice_indexed = not_twice("index_reduce", "source")


def scatter_reduce_backward(
    grad: Any,
    self: Any,
    dim: int,
    index: Any,
    src: Any,
    reduce: str,
    include_self: bool,
    result: Any,
    grad_input_mask: tuple[bool, bool],
) -> tuple[Any, Any]:
    """Return the gradients of both inputs of `scatter_reduce`."""
    return reduced_gradients(
        grad, self, dim, index, src, reduce, include_self, result, grad_input_mask, scatter_ways()
    )


@define(
    "ScatterReduceBackward0",
    "function method inplace",
    self=scatter_reduce_backward,
    src=scatter_reduce_backward,
)
def scatter_reduce(
    self: Array, dim: int, index: Array, src: Array, reduce: str, *, include_self: bool = True
) -> Any:
    """Return a copy in which the elements of `src` that go to one place are reduced there.

    Args:
        index: where each goes along `dim`, as in `scatter`.
        reduce: ``"sum"``, ``"prod"``, ``"mean"``, ``"amax"`` or ``"amin"``.
        include_self: whether the element that was there before counts, too.

    Raises:
        RuntimeError: for another way to reduce, or as `scatter` does.
        NotImplementedError: for the mean of booleans.

    >>> import minigrad as torch
    >>> index = torch.tensor([0, 0, 1])
    >>> torch.zeros(2).scatter_reduce(0, index, torch.tensor([1.0, 2.0, 5.0]), "amax")
    tensor([2., 5.])
    """
    dim = check_scatter(self, dim, index, src)
    text = "reduce argument must be either sum, prod, mean, amax or amin, got {}"
    check(reduce in REDUCTIONS, text, reduce)
    if not include_self:
        check_bounds(self, dim, index)
    if reduce == "mean":
        kernel = "scatter_gather_tensor_cpu_reduce_mean" if index.size else "div_floor_cpu"
        require(self, "iuf", kernel)
    return scattered(self, dim, index, src, reduce, include_self)


def scattered(
    self: Array, dim: int, index: Array, src: Array, reduce: str, include_self: bool
) -> Array:
    """Return a copy in which the elements that go to one place are reduced there."""
    combine, first = REDUCTIONS[reduce]
    result, places, values = copy_and_places(self, dim, index, src)
    if not include_self:
        result[places] = first(self.dtype)
    combine.at(result, places, values)
    if reduce == "mean":
        counts = np.full(result.shape, 1 if include_self else 0)
        np.add.at(counts, places, 1)
        counts = np.maximum(counts, 1)
        result = result // counts if self.dtype.kind != "f" else result / counts
    return result.astype(self.dtype, copy=False).reshape(self.shape)


def beside(index: Any, dim: int, source: Any) -> Any:
    """Return a vector of places along a dimension, expanded to the shape of what goes there."""
    shape = [1] * len(source.shape)
    if shape:
        shape[dim % len(shape)] = -1
    return np.broadcast_to(array_of(index).reshape(shape), source.shape)


def index_reduce_backward(
    grad: Any,
    self: Any,
    dim: int,
    index: Any,
    source: Any,
    reduce: str,
    include_self: bool,
    result: Any,
    grad_input_mask: tuple[bool, bool],
) -> tuple[Any, Any]:
    """Return the gradients of both inputs of `index_reduce`."""
    return reduced_gradients(
        grad, self, dim, index, source, reduce, include_self, result, grad_input_mask, index_ways()
    )


@define(
    "IndexReduceBackward0",
    "function method inplace",
    self=index_reduce_backward,
    source=index_reduce_backward,
)
def index_reduce(
    self: Array, dim: int, index: Array, source: Array, reduce: str, *, include_self: bool = True
) -> Any:
    """Return a copy in which the parts of `source` that go to one place are reduced there.

    Args:
        index: a vector that says where each part along `dim` goes.
        reduce: ``"prod"``, ``"mean"``, ``"amax"`` or ``"amin"``.
        include_self: whether what was there before counts, too.

    Raises:
        RuntimeError: for another way to reduce, or shapes that do not fit.
        IndexError: if there is no such dimension or place.
    """
    text = "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {}."
    check(reduce in REDUCTIONS and reduce != "sum", text, reduce)
    dim = checked_rows("index_reduce_", self, dim, index, source)
    size = self.shape[dim] if self.ndim else 1
    warn("index_reduce() is in beta and the API may change at any time.")
    if not include_self:
        require(self, "fiu", "index_reduce_func_exclude_input_init")
        check_bounds(self, dim, index, IndexError)
    if self.ndim < 2:
        require(self, "fiu", "index_func_")
    inside = not index.size or (index.min() >= 0 and index.max() < size)
    check(inside, "index out of range in self", error=IndexError)
    if reduce == "mean":
        require(self, "fiu", "div_floor_cpu")
    return scattered(self, dim, beside(index, dim, source), source, reduce, include_self)


class Ways(NamedTuple):
    """How elements are taken from places, added to them and reduced there, and what takes none."""

    take: Operation
    add: Operation
    reduce: Operation
    empty: Operation
    not_twice: Operation


def scatter_ways() -> Ways:
    """Return what the gradient of `scatter_reduce` is made of."""
    return Ways(gather, scatter_add, scatter_reduce, scatter_number, not_twice_scattered)


def index_ways() -> Ways:
    """Return what the gradient of `index_reduce` is made of."""
    return Ways(index_select, index_add, index_reduce, index_fill, not_twice_indexed)


def reduced_gradients(
    grad: Any,
    self: Any,
    dim: int,
    index: Any,
    src: Any,
    reduce: str,
    include: bool,
    result: Any,
    needed: tuple[bool, bool],
    ways: Ways,
) -> tuple[Any, Any]:
    """Return the gradients of what was there before, and of what was written."""
    written = None
    if reduce == "sum":
        kept, written = grad, ways.take(grad, dim, index) if needed[1] else None
    elif reduce == "mean":
        counts = zeros(self.shape, grad) + int(include)
        counts = ways.add(counts, dim, index, zeros(src.shape, grad) + 1)
        counts = masked_fill(counts, counts == 0, 1)
        kept = grad / counts
        if needed[1]:
            written = ways.take(grad, dim, index) / ways.take(counts, dim, index)
    elif reduce == "prod":
        kept = product_kept(grad, self, dim, index, src, include, ways)
        written = product_written(grad, self, dim, index, src, include, result, ways)
    else:  # Elements that are equal share the gradient.
        before = choose(self == result, zeros(self.shape, grad) + 1, 0)
        later = choose(src == ways.take(result, dim, index), zeros(src.shape, grad) + 1, 0)
        share = grad / ways.add(before, dim, index, later)
        kept = before * share
        written = later * ways.take(share, dim, index) if needed[1] else None
    if needed[0] and not include:
        kept = ways.empty(kept, dim, index, 0)
    return kept if needed[0] else None, written if needed[1] else None


def product_kept(
    grad: Any, self: Any, dim: int, index: Any, src: Any, include: bool, ways: Ways
) -> Any:
    """Return the gradient of what was multiplied: the product of the others, 1 where it is zero."""
    alone = masked_fill(self, self == 0, 1)
    others = ways.reduce(alone, dim, index, src, "prod", include_self=include)
    return grad * others / alone


def product_written(
    grad: Any,
    self: Any,
    dim: int,
    index: Any,
    src: Any,
    include: bool,
    result: Any,
    ways: Ways,
) -> Any:
    """Return the gradient of what was multiplied in; there is no second one of several zeros."""
    zero = src == 0
    zeros_there = ways.add(
        zeros(self.shape, grad), dim, index, choose(zero, zeros(src.shape, grad) + 1, 0)
    )
    alone = zero & (ways.take(zeros_there, dim, index) == 1)
    others = ways.reduce(self, dim, index, masked_fill(src, alone, 1), "prod", include_self=include)
    ordinary = ways.take(grad * result, dim, index) / masked_fill(src, zero, 1)
    gradient = choose(alone, ways.take(grad * others, dim, index), ordinary)
    return ways.not_twice(gradient) if (zeros_there > 1).any() else gradient
