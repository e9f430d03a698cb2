"""Elements in order, the first of them, and each only once.

Source: https://github.com/pytorch/pytorch/blob/main/tools/autograd/derivatives.yaml
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad.autograd.node import Array
from minigrad.c_code import type_name
from minigrad.memory import in_line, laid_out_as
from minigrad.ops import choosing
from minigrad.ops.check import (
    check,
    length_along,
)
from minigrad.ops.choosing import FEW, MANY, Ranked, line_of, places_of
from minigrad.ops.define import define, hidden
from minigrad.ops.gathering import scatter_source
from minigrad.ops.promotion import check_tensor
from minigrad.ops.registry import Operation, public
from minigrad.ops.shape import unsqueeze, zeros
from minigrad.return_types import result_type
from minigrad.size import checked_dim
from minigrad.tensor import Tensor, from_array


def to_places(
    grad: Any, self_sym_sizes: tuple[int, ...], dim: int, keepdim: bool, indices: Any
) -> Any:
    """Return gradients put at the places from which their values were taken along a dimension."""
    sizes = self_sym_sizes
    grad = grad[0] if isinstance(grad, list) else grad
    if not keepdim and sizes:
        grad, indices = unsqueeze(grad, dim), unsqueeze(indices, dim)
    return scatter_source(zeros(sizes, grad), dim % max(len(sizes), 1), indices, grad)


def put_back(grad: Any, self_sym_sizes: tuple[int, ...], dim: int, indices: Any) -> Any:
    """Return gradients put at the places from which several values were taken along a dimension."""
    return to_places(grad, self_sym_sizes, dim, True, indices)


def sorting(self: Array, dim: int, descending: bool) -> Any:
    """Return the places of elements in order, equal ones as they come; nan is the largest."""
    if not descending:
        return self.argsort(dim, kind="stable")
    backward = np.flip(np.flip(self, dim).argsort(dim, kind="stable"), dim)
    return self.shape[dim] - 1 - backward


def found_by(
    find: Callable[[list[Ranked]], None],
    self: Array,
    dim: int,
    descending: bool,
    count: int,
    always: bool = False,
) -> Array:
    """Return the places of the first elements in order, as PyTorch's kernel finds them.

    It has to be asked where there are equal ones among the first and the next, or `always`.
    """
    lines = np.moveaxis(self, dim, -1)
    places = np.moveaxis(sorting(self, dim, descending), dim, -1)
    values = np.take_along_axis(lines, places[..., : count + 1], -1)
    before, after = values[..., :-1], values[..., 1:]
    equal = (before == after) | ((before != before) & (after != after))
    found = places[..., :count].copy()
    if lines.shape[-1] > MANY:
        return np.moveaxis(found, -1, dim)
    for one in map(tuple, np.argwhere(equal.any(-1) | always)):
        ranks = np.unique(lines[one], return_inverse=True)[1].reshape(-1)
        line = line_of((-ranks if descending else ranks).tolist())
        find(line)
        found[one] = places_of(line)[:count]
    return np.moveaxis(found, -1, dim)


def in_order(self: Array, dim: int, descending: bool, stable: bool | None) -> tuple[Any, Any]:
    """Return the elements along a dimension in order, and their places."""
    if not self.ndim:
        return self.copy(), np.zeros((), np.int64)
    length = self.shape[dim]
    if stable or length <= FEW or length > MANY:
        places = sorting(self, dim, descending)
    else:
        places = found_by(lambda line: choosing.sort(line, length), self, dim, descending, length)
    values = np.take_along_axis(self, places, dim)
    return laid_out_as(values, self), laid_out_as(places, self)


sort_along = hidden("SortBackward0", in_order, outputs="values indices", self=put_back)
# PyTorch numbers the one that promises to be stable differently.
sort_stably = hidden("SortBackward1", in_order, outputs="values indices", self=put_back)
SortResult = result_type("sort", "values indices")


@public("sort")
def sort(
    input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool | None = None
) -> Any:
    """Return the elements along a dimension in order, and the places where they were.

    nan counts as the largest number. Equal elements keep their order if it is `stable`; otherwise
    they come as in PyTorch.

    Raises:
        IndexError: if there is no such dimension.

    >>> import minigrad as torch
    >>> torch.tensor([2.0, 3.0, 1.0]).sort()
    torch.return_types.sort(
    values=tensor([1., 2., 3.]),
    indices=tensor([2, 0, 1]))
    """
    checked_dim(dim, input._array.ndim)
    operation = sort_along if stable is None else sort_stably
    return SortResult(operation(input, dim, descending, stable))


@public("argsort")
def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """Return the places of the elements along a dimension in the order of `sort`."""
    return sort(input, dim, descending, stable=stable).indices


@define("TopkBackward0", outputs="values indices", self=put_back)
def topk(self: Array, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """Return the `k` largest elements along a dimension, or the smallest, and their places.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if there are not as many elements.
    """
    fits = 0 <= k <= length_along(self.shape, checked_dim(dim, self.ndim))
    check(fits, "selected index k out of range")
    check(self.dtype.kind != "b", "topk does not support bool dtypes on CPU")
    if not self.ndim:
        return self.copy(), np.zeros((), np.int64)

    def find(line: list[Ranked]) -> None:
        if 64 * k <= len(line):
            choosing.partial_sort(line, k)
        else:
            choosing.nth_element(line, k - 1)
            if sorted:
                choosing.sort(line, k - 1)

    places = found_by(find, self, dim, largest, k, always=k > 0 and not sorted)
    return in_line(np.take_along_axis(self, places, dim)), in_line(places)


def without_formula(node_name: str, function: str) -> Operation:
    """Declare what is found among the elements; PyTorch records it, and cannot differentiate it."""

    def refuse(grad: Any) -> Any:
        raise NotImplementedError(f"the derivative for '{function}' is not implemented.")

    return hidden(node_name, lambda self, found: found, self=refuse)


unique_elements = without_formula("Unique2Backward0", "_unique2")
unique_places = without_formula("UniqueDimBackward0", "unique_dim")


def checked_unique_dim(array: Array, dim: int, no_int: str) -> int:
    """Return the dimension along which places are compared, counted from the front."""
    is_int = isinstance(dim, int) and not isinstance(dim, bool)
    check(is_int, no_int, type(dim).__name__, error=TypeError)
    nowhere = "Dimension specified as {} but tensor has no dimensions"
    check(array.ndim, nowhere, dim, error=IndexError)
    dim = checked_dim(dim, array.ndim)
    text = "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied"
    check(array.size or array.shape.count(0) == (array.shape[dim] == 0), text)
    return dim


def check_bools(name: str, given: dict[str, Any]) -> None:
    """Refuse what is no bool, as the kernel of this name does.

    Raises:
        TypeError: if there is one.
    """
    text = "{}(): argument '{}' must be bool, not {}"
    for option, value in given.items():
        check(isinstance(value, bool), text, name, option, type_name(value), error=TypeError)


@public("unique")
def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """Return the different elements in order, or the different places along a dimension.

    With `return_inverse` and `return_counts` also where each element is among them, and how often
    each occurs.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if there is nothing in any place along it.
    """
    check_tensor("_unique2", input)
    asked = {"return_inverse": return_inverse, "return_counts": return_counts}
    check_bools("_unique2" if dim is None else "unique_dim", {"sorted": sorted} | asked)
    if dim is not None:
        text = "unique_dim(): argument 'dim' (position 2) must be int, not {}"
        dim = checked_unique_dim(input._array, dim, text)
    found: Any = np.unique(  # type: ignore[call-overload]
        input._array,
        return_inverse=return_inverse,
        return_counts=return_counts,
        axis=dim,
        equal_nan=False,
    )
    recorded = unique_elements if dim is None else unique_places
    if not isinstance(found, tuple):
        return recorded(input, found)
    return recorded(input, found[0]), *map(from_array, found[1:])
