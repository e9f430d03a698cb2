"""Size: the shape of a tensor, and what is counted along it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class Size(tuple[int, ...]):
    """The shape of a tensor: a tuple that prints as ``torch.Size([2, 3])``."""

    __module__ = "torch"

    def __new__(cls, lengths: Iterable[Any] = ()) -> Size:
        size = super().__new__(cls, lengths)
        for place, length in enumerate(size):
            if not isinstance(length, int):
                raise TypeError(
                    f"torch.Size() takes an iterable of 'int' (item {place} is "
                    f"'{type(length).__name__}')"
                )
        return size

    def numel(self) -> int:
        """Return the number of elements of a tensor of this shape."""
        product = 1
        for length in self:
            product *= length
        return product

    def __add__(self, other: Any) -> Size:
        return Size(tuple(self) + tuple(other))

    def __radd__(self, other: Any) -> Size:
        return Size(tuple(other) + tuple(self))

    def __getitem__(self, index: Any) -> Any:
        item = tuple.__getitem__(self, index)
        return Size(item) if isinstance(index, slice) else item

    def __mul__(self, times: Any) -> Size:
        return Size(tuple(self) * times)

    __rmul__ = __mul__

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuilt, (tuple(self),))


def _rebuilt(lengths: tuple[int, ...]) -> Size:
    return Size(lengths)


LEAF_IN_PLACE = "{} leaf Variable that requires grad is being used in an in-place operation."


def checked_dim(dim: int, ndim: int) -> int:
    """Return a dimension counted from the front.

    Raises:
        IndexError: if a tensor of `ndim` dimensions has no such dimension; a 0-d one has -1 and 0.
    """
    length = max(ndim, 1)
    if not -length <= dim < length:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-length}, {length - 1}], "
            f"but got {dim})"
        )
    return dim % length
