"""Operations that give a tensor new elements, whatever it held before: zero_, fill_, copy_."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.autograd.node import Array
from minigrad.data import element
from minigrad.ops.declare import op
from minigrad.ops.promotion import NUMBERS, broadcasting_error
from minigrad.ops.registry import Operation, public
from minigrad.tensor import Tensor, from_array

_zeros = op("", "ZeroBackward0", lambda self: np.zeros(self.shape, self.dtype))
zero = op(
    "zero",
    "ZeroBackward0",
    lambda self: np.zeros(self.shape, self.dtype),
    variants="inplace",
    self=lambda grad: _zeros(grad),
    about="Return zeros of the same shape.",
)


def _full(self: Array, value: Any) -> Array:
    # Negative integers wrap around in unsigned ones.
    return np.full(self.shape, np.asarray(value).astype(self.dtype))


# PyTorch numbers them: with a number and with a tensor, then the same in place.
_fill_0, _fill_2 = (op("", name, _full, self=_zeros) for name in ("FillBackward0", "FillBackward2"))
_fill_1, _fill_3 = (
    op("", name, _full, self=_zeros, value=lambda grad: grad.sum())
    for name in ("FillBackward1", "FillBackward3")
)


def _copied(self: Array, src: Array) -> Array:
    try:
        together = np.broadcast_shapes(self.shape, src.shape)
    except ValueError:
        raise broadcasting_error(self.shape, src.shape) from None
    if together != self.shape:
        raise RuntimeError(
            f"output with shape {list(self.shape)} doesn't match the broadcast shape "
            f"{list(together)}"
        )
    copied = np.empty(self.shape, self.dtype)
    copied[...] = src
    return copied


_copy = op(
    "",
    "CopyBackwards",
    _copied,
    self=lambda grad: _zeros(grad),
    src=lambda grad: grad,
)


@public("fill", "function")
def fill(input: Tensor, value: Any) -> Tensor:
    """Return a tensor of the shape and dtype of `input` whose elements are all `value`.

    `value` is a number or a 0-d tensor; anything else raises RuntimeError.
    """
    return filled_with(input, value, _fill_0, _fill_1)


@public("fill", "inplace")
def fill_(self: Tensor, value: Any) -> Tensor:
    """Fill the tensor with `value`, a number or a 0-d tensor; else raises RuntimeError."""
    return filled_with(self, value, _fill_2, _fill_3)


def filled_with(input: Tensor, value: Any, number: Operation, tensor: Operation) -> Tensor:
    """Return a tensor like `input`, full of a value, by the operation for its kind."""
    if isinstance(value, Tensor):
        if value.ndim:
            raise RuntimeError(
                "fill_ only supports 0-dimension value tensor but got tensor with "
                f"{value.ndim} dimensions."
            )
        result: Tensor = tensor(input, value)
    else:
        element(value, input._value.dtype)
        result = number(input, value)
    return result


@public("copy", "inplace")
def copy(self: Tensor, other: Any, non_blocking: bool = False) -> Tensor:
    """Return the elements of `other`, broadcast to the shape and cast to the dtype of `self`.

    Raises:
        TypeError: if `other` is neither a tensor nor a number.
        OverflowError: if it is an integer of more than 64 bits.
    """
    if isinstance(other, NUMBERS):
        if isinstance(other, int) and not -(2**63) <= other < 2**64:
            raise OverflowError("int too big to convert")
        other = from_array(np.array(other))
    # What becomes an integer has no gradient any more.
    result: Tensor = _copy(self, other if self.is_floating_point() else other.detach())
    return result
