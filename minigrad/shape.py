"""The shape of a tensor."""

from __future__ import annotations

from typing import Any

import numpy as np


class Size(tuple[int, ...]):
    """The shape of a tensor: a tuple that prints as ``torch.Size([2, 3])``."""

    __slots__ = ()
    __module__ = "torch"

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    def __getitem__(self, index: Any) -> Any:
        part = tuple.__getitem__(self, index)
        return Size(part) if isinstance(index, slice) else part

    def __add__(self, other: Any) -> Any:
        return Size(tuple.__add__(self, other))

    def __radd__(self, other: Any) -> Any:
        return Size(other + tuple(self))

    def __mul__(self, count: Any) -> Any:
        return Size(tuple.__mul__(self, count))

    def __reduce__(self) -> Any:
        return size, (tuple(self),)  # pickle would look Size up in PyTorch

    def numel(self) -> int:
        """How many elements a tensor of this shape has."""
        return int(np.prod(self, dtype=int))


def size(dimensions: tuple[int, ...]) -> Size:
    return Size(dimensions)


def dim_error(dim: int | None, ndim: int | None) -> IndexError:
    """The error for a dimension that a tensor of `ndim` dimensions doesn't have."""
    if not ndim:
        return IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    limits = f"[{-ndim}, {ndim - 1}]"
    return IndexError(
        f"Dimension out of range (expected to be in range of {limits}, but got {dim})"
    )


def wrap_dim(dim: int, ndim: int) -> int:
    """A dimension counted from the first; negative ones count from the end.

    A 0-d tensor has one dimension here. Raises IndexError if there is no such dimension.
    """
    ndim = max(ndim, 1)
    if not -ndim <= dim < ndim:
        raise dim_error(dim, ndim)
    return dim % ndim
