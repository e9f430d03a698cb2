"""The largest, smallest and middle elements, where they are, and what holds of any or all.

Source: https://github.com/pytorch/pytorch/blob/main/tools/autograd/derivatives.yaml
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad.autograd.node import Array
from minigrad.memory import in_line
from minigrad.ops.check import (
    check,
    checked_int,
    chosen_dims,
    length_along,
    require,
)
from minigrad.ops.choosing import MANY, line_of, nth_element, sort
from minigrad.ops.define import define, hidden, named
from minigrad.ops.ordering import sorting, to_places
from minigrad.ops.pointwise import (
    fill_tensor,
    is_true,
    isnan,
    maximum,
    minimum,
)
from minigrad.ops.registry import Operation, public
from minigrad.ops.shape import (
    axes,
    reduced,
    sum_dims,
    view_as_size,
    zeros,
)
from minigrad.return_types import result_type
from minigrad.size import checked_dim
from minigrad.tensor import Tensor

NO_ELEMENTS = (
    "{0}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction "
    "dim with the 'dim' argument."
)
_max: Any = np.maximum.reduce
_min: Any = np.minimum.reduce


def shared_out(grad: Any, self: Any, result: Any) -> Any:
    """Return a gradient shared evenly by the elements that are equal to the result."""
    mask = isnan(self) if is_true(isnan(result)) else self == result
    return fill_tensor(zeros(self.shape, self), mask, grad / mask.sum())


def shared_along(grad: Any, self: Any, dim: Any, keepdim: bool, result: Any) -> Any:
    """Return gradients shared evenly by the elements that equal the result along dimensions."""
    dims = (dim,) if isinstance(dim, int) else tuple(dim)
    if not keepdim:
        gone = [one % len(self.shape) for one in dims or range(len(self.shape)) if self.shape]
        sizes = tuple([1 if place in gone else n for place, n in enumerate(self.shape)])
        sizes = sizes if self.shape else (1,) * len(dims)
        grad, result = view_as_size(grad, sizes), view_as_size(result, sizes)
    mask = self == result
    return (grad / sum_dims(mask, dims or None, True, None)) * mask


def at_places(self: Array, find: Any, dim: int, keepdim: bool) -> tuple[Any, Any]:
    """Return the values and places that a function finds along a dimension."""
    if not self.ndim:
        return self.copy(), np.zeros((), np.int64)
    places = in_line(np.expand_dims(find(self, dim), dim))
    values = np.take_along_axis(self, places, dim)
    return (values, places) if keepdim else (values.squeeze(dim), places.squeeze(dim))


def place_of_extreme(node: str, find: Callable[..., Any]) -> Operation:
    """Declare a choice of one element along a dimension, and of its place."""
    return hidden(
        node,
        lambda self, dim, keepdim: at_places(self, find, dim, keepdim),
        outputs="values indices",
        self=to_places,
    )


def median_places(self: Array, dim: int) -> Any:
    """Return the places of the lower medians along a dimension; of a nan if there is one."""
    middle = (self.shape[dim] - 1) // 2
    places = sorting(self, dim, False).take(middle, dim)
    if self.dtype.kind != "f":
        return places
    nans = np.isnan(self)
    return np.where(nans.any(dim), nans.argmax(dim), places)


def median_of(self: Array) -> Any:
    """Return the lower median of all elements; nan of none."""
    if not self.size:
        return np.asarray(np.nan).astype(self.dtype)
    line = self.reshape(-1)
    return line[median_places(line, 0)]


def nanmedian_places(self: Array, dim: int) -> Any:
    """Return the places of the lower medians of what is no nan along a dimension."""
    if self.dtype.kind != "f":
        return median_places(self, dim)
    count = (~np.isnan(self)).sum(dim, keepdims=True)
    middle = np.maximum(count - 1, 0) // 2
    places = np.take_along_axis(sorting(self, dim, False), middle, dim)
    line = line_of([0] * self.shape[dim])  # of nans alone PyTorch finds this one
    nth_element(line, 0)
    return np.where(count, places, line[0].place).squeeze(dim)


def nanmedian_of(self: Array) -> Any:
    """Return the lower median of all elements that are no nans; nan of none."""
    if not self.size:
        return np.asarray(np.nan).astype(self.dtype)
    line = self.reshape(-1)
    return line[nanmedian_places(line, 0)]


def mode_places(self: Array, dim: int) -> Array:
    """Return the places of the most frequent elements, the smallest of several."""
    lines = np.moveaxis(self, dim, -1)
    found = [mode_place(line) for line in lines.reshape(-1, lines.shape[-1])]
    return np.array(found, np.int64).reshape(lines.shape[:-1])


def mode_place(line: Array) -> Any:
    """Return the last place of the most frequent element, the smallest of several, in order."""
    _, ranks, counts = np.unique(line, return_inverse=True, return_counts=True)
    if line.size > MANY:
        return np.flatnonzero(ranks == counts.argmax())[-1]
    ranks = ranks.reshape(-1).astype(np.float64)
    ranks[line != line] = np.nan
    in_order = line_of(ranks.tolist())
    sort(in_order, len(in_order))
    values = np.asarray(in_order)
    last = np.flatnonzero(np.append(values[1:] != values[:-1], True))
    return in_order[last[np.diff(last, prepend=-1).argmax()]].place


max_all = hidden("MaxBackward1", lambda self: _max(self, None), self=shared_out)
min_all = hidden("MinBackward1", lambda self: _min(self, None), self=shared_out)
median_all = hidden("MedianBackward0", median_of, self=shared_out)
nanmedian_all = hidden("NanmedianBackward0", nanmedian_of, self=shared_out)
nanmedian_dim = place_of_extreme("NanmedianBackward1", nanmedian_places)
max_dim = place_of_extreme("MaxBackward0", np.argmax)
min_dim = place_of_extreme("MinBackward0", np.argmin)
median_dim = place_of_extreme("MedianBackward1", median_places)


def extreme(name: str, whole: Operation, along: Operation, binary: Operation) -> Operation:
    """Return max or min: of all elements, along a dimension, or of two tensors."""
    result = result_type(name, "values indices")
    documentation = f"""Return the {name}imum of all elements.

    With ``dim``, return the {name}ima along that dimension and their places, as a named tuple of
    ``values`` and ``indices``; with another tensor, the larger element of each pair.

    Raises:
        RuntimeError, IndexError: if there is nothing to choose from, or no such dimension.
    """

    @named(name, documentation, public(name))
    def function(
        input: Tensor, dim: Any = None, keepdim: bool = False, *, other: Any = None
    ) -> Any:
        if other is not None:
            return binary(input, other)
        if dim is None:
            check(input._array.size, NO_ELEMENTS, name)
            return whole(input)
        check_not_empty(name, input._array, dim)
        return result(along(input, dim, keepdim))

    return function


def check_not_empty(name: str, self: Array, dim: int) -> int:
    """Return a dimension counted from the front, if there is something along it."""
    place = checked_dim(dim, self.ndim)
    text = "{}(): Expected reduction dim {} to have non-zero size."
    check(self.size or self.shape[place], text, name, place, error=IndexError)
    return place


max = extreme("max", max_all, max_dim, maximum)
min = extreme("min", min_all, min_dim, minimum)


def extremes(name: str, reduce: Any, best: str) -> Operation:
    """Return amax or amin."""
    documentation = f"""Return the {best} elements along some dimensions, or of all.

    Elements that are equal share the gradient.

    Raises:
        RuntimeError, IndexError: if there is nothing to choose from, or no such dimension.
    """

    @named(name, documentation, define(f"{name.capitalize()}Backward0", self=shared_along))
    def function(self: Array, dim: Any = (), keepdim: bool = False) -> Any:
        given = (dim,) if isinstance(dim, int) else dim
        check(self.size or given, NO_ELEMENTS, name)
        text = "{}(): Expected reduction dim {} to have non-zero size."
        for one in () if self.size else given:
            length = length_along(self.shape, checked_dim(one, self.ndim))
            check(length, text, name, one, error=IndexError)
        dims = chosen_dims(name, dim, self.ndim)
        return reduced(reduce(self, axes(self, dims), None, None, keepdim), keepdim)

    return function


amax = extremes("amax", _max, "largest")
amin = extremes("amin", _min, "smallest")


@public("median")
def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """Return the median, the lower one of two; or the medians along a dimension and their places.

    Raises:
        IndexError: if there is no such dimension, or nothing along it.
    """
    check_middle(input._array, dim)
    return median_all(input) if dim is None else MedianResult(median_dim(input, dim, keepdim))


@public("nanmedian")
def nanmedian(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """Return the median of what is no nan, as `median` does.

    Raises:
        IndexError: if there is no such dimension, or nothing along it.
    """
    check_middle(input._array, dim)
    if dim is None:
        return nanmedian_all(input)
    return NanmedianResult(nanmedian_dim(input, dim, keepdim))


def check_middle(array: Array, dim: int | None) -> None:
    """Refuse what has no median, along a dimension or of all elements."""
    if dim is not None:
        check_not_empty("median", array, dim)
        require(array, "fiu", "median_out")
    elif array.size:
        require(array, "fiu", "median_cpu")


MedianResult = result_type("median", "values indices")
NanmedianResult = result_type("nanmedian", "values indices")


@define("ModeBackward0", outputs="values indices", self=to_places)
def mode(self: Array, dim: int = -1, keepdim: bool = False) -> Any:
    """Return the most frequent elements along a dimension, the smallest of several, and a place.

    Raises:
        IndexError: if there is no such dimension, or nothing along it.
    """
    check_not_empty("mode", self, dim)
    return at_places(self, mode_places, dim, keepdim)


@define("KthvalueBackward0", outputs="values indices", self=to_places)
def kthvalue(self: Array, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    """Return the k-th smallest elements along a dimension, counted from 1, and their places.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if there are not as many elements.
    """
    place = checked_dim(dim, self.ndim)
    check_not_empty("kthvalue", self, dim)
    fits = 1 <= k <= length_along(self.shape, place)
    check(fits, "kthvalue(): selected number k out of range for dimension {}", place)
    if self.ndim:
        require(self, "fiu", "kthvalue_cpu")
    return at_places(self, lambda lines, axis: kth_places(lines, k - 1, axis), dim, keepdim)


def kth_places(lines: Array, k: int, dim: int) -> Array:
    """Return the place of the k-th smallest element of each line along a dimension."""
    lines = np.moveaxis(lines, dim, -1)
    rows = lines.reshape(-1, lines.shape[-1])
    places = rows.argsort(-1, kind="stable")[:, k]
    kth = rows[np.arange(len(rows)), places][:, None]
    equal = (rows == kth) | ((rows != rows) & (kth != kth))
    for row in np.flatnonzero(equal.sum(-1) > 1):  # which of them PyTorch finds
        places[row] = select(np.unique(rows[row], return_inverse=True)[1].reshape(-1).tolist(), k)
    return places.reshape(lines.shape[:-1])


def select(ranks: list[int], k: int) -> int:
    """Return where Hoare's selection, the pivot being a median of three, finds the k-th element."""
    places, low, high = list(range(len(ranks))), 0, len(ranks) - 1

    def swap(one: int, other: int) -> None:
        for items in (ranks, places):
            items[one], items[other] = items[other], items[one]

    while low + 1 < high:
        swap(low + (high - low) // 2, low + 1)
        for one, other in ((low + 1, high), (low, high), (low + 1, low)):
            if ranks[one] > ranks[other]:
                swap(one, other)
        up, down = low + 2, high - 1
        while True:
            while ranks[up] < ranks[low]:
                up += 1
            while ranks[down] > ranks[low]:
                down -= 1
            if down < up:
                break
            swap(up, down)
            up, down = up + 1, down - 1
        swap(low, down)
        low, high = up if down <= k else low, down - 1 if down >= k else high
    if low < high and ranks[low] > ranks[high]:
        swap(low, high)
    return places[k]


def place_of(name: str, find: Any, best: str) -> Operation:
    """Return argmax or argmin."""
    documentation = f"""Return the place of the {best} element in the tensor seen as one line.

    With ``dim``, return the places along that dimension. Of several, it is the first.

    Raises:
        IndexError: if there is no such dimension, or nothing to choose from.
        RuntimeError: for booleans.
    """

    @named(name, documentation, define(""))
    def function(self: Array, dim: int | None = None, keepdim: bool = False) -> Any:
        check(self.dtype.kind != "b", "{}(): does not support bool input", name)
        if dim is None:
            text = "{}(): Expected reduction dim to be specified for input.numel() == 0."
            check(self.size, text, name, error=IndexError)
            return np.asarray(find(self)).reshape((1,) * self.ndim if keepdim else ())
        dim = checked_int(name, dim)
        check_not_empty(name, self, dim)
        return find(self, dim, keepdims=keepdim) if self.ndim else np.zeros((), np.int64)

    return function


argmax = place_of("argmax", np.argmax, "largest")
argmin = place_of("argmin", np.argmin, "smallest")


def truth(name: str, reduce: Any, meaning: str) -> Operation:
    """Return any or all."""
    documentation = f"""Return whether {meaning} true, that is, not zero.

    With ``dim``, one dimension or several, return it for those along them.

    Raises:
        IndexError: if there is no such dimension.
    """

    @named(name, documentation, define(""))
    def function(self: Array, dim: Any = None, keepdim: bool = False) -> Any:
        none = isinstance(dim, (tuple, list)) and not dim
        dims = () if none else axes(self, chosen_dims(name, dim, self.ndim))
        result = reduced(reduce(self, dims, np.bool_, None, keepdim), keepdim)
        return result.astype(np.uint8) if self.dtype == np.uint8 else result

    return function


any = truth("any", np.logical_or.reduce, "some element is")
all = truth("all", np.logical_and.reduce, "all elements are")


@define("")
def count_nonzero(self: Array, dim: Any = None) -> Any:
    """Return how many elements are not zero, of all or along some dimensions."""
    dims = axes(self, chosen_dims("count_nonzero", dim, self.ndim))
    return in_line(np.asarray(np.count_nonzero(self, axis=dims)))
