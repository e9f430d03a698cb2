"""Size: the shape of a tensor, and what is counted along it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from minigrad.c_code import c_method


class Size(tuple[int, ...]):
    """The shape of a tensor: a tuple that prints as ``torch.Size([2, 3])``."""

    __module__ = "torch"

    def __new__(cls, *lengths: Any, **keywords: Any) -> Size:
        given = tuple(*lengths, **keywords)  # which says what is wrong
        return super().__new__(cls, [checked_length(*item) for item in enumerate(given)])

    @c_method(0)
    def numel(self) -> int:
        """Return the number of elements of a tensor of this shape."""
        product = 1
        for length in self:
            product *= length
        return product

    def __add__(self, other: Any) -> Size:
        if not isinstance(other, tuple):
            kind = type(other).__name__
            raise TypeError(f"can only concatenate tuple (not {kind}) to torch.Size")
        return Size(tuple(self) + tuple(other))

    def __radd__(self, other: Any) -> Size:
        return Size(other + tuple(self)) if isinstance(other, tuple) else NotImplemented

    def __getitem__(self, index: Any) -> Any:
        item = tuple.__getitem__(self, index)
        return Size(item) if isinstance(index, slice) else item

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"'torch.Size' object has no attribute '{name}'")

    def __mul__(self, times: Any) -> Size:
        return Size(tuple(self) * times)

    __rmul__ = __mul__

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuilt, (tuple(self),))


def checked_length(place: int, length: Any) -> int:
    """Return an item of a shape: an integer, or a tensor of one."""
    if isinstance(length, int):
        return int(length)
    if hasattr(length, "requires_grad") and hasattr(length, "__index__"):
        return length.__index__()  # type: ignore[no-any-return]
    kind = type(length).__name__
    raise TypeError(f"torch.Size() takes an iterable of 'int' (item {place} is '{kind}')")


def _rebuilt(lengths: tuple[int, ...]) -> Size:
    return Size(lengths)


LEAF_IN_PLACE = "{} leaf Variable that requires grad is being used in an in-place operation."


def checked_dim(dim: int, ndim: int) -> int:
    """Return a dimension counted from the front.

    Raises:
        IndexError: if a tensor of `ndim` dimensions has no such dimension; a 0-d one has -1 and 0.
        TypeError: if it is a bool.
    """
    if dim is True or dim is False:
        raise TypeError("a dimension must be int, not bool")
    length = max(ndim, 1)
    if not -length <= dim < length:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-length}, {length - 1}], "
            f"but got {dim})"
        )
    return dim % length


def of_dim(numbers: tuple[int, ...], dim: int) -> int:
    """Return what belongs to one dimension, of numbers that there are for each.

    Raises:
        IndexError: if there is no such dimension.
        TypeError: if it is a bool.
    """
    place = checked_dim(dim, len(numbers)) if numbers or isinstance(dim, bool) else dim
    if not numbers:
        raise IndexError(f"Dimension specified as {place} but tensor has no dimensions")
    return numbers[place]


def count_along(sizes: tuple[int, ...], dim: Sequence[int] | None) -> int:
    """Return how many elements of a shape go into one of its reduction along some dimensions."""
    if not dim or not sizes:
        return math.prod(sizes)
    return math.prod([sizes[one] for one in dim])
