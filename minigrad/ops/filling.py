"""Operations that give a tensor new elements, whatever it held before: zero_, fill_, copy_."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.autograd.node import Array
from minigrad.data import c_type, check_fits
from minigrad.ops.declare import op
from minigrad.ops.promotion import broadcasting_error
from minigrad.ops.registry import public
from minigrad.tensor import Tensor

_zeros = op("", "ZeroBackward0", lambda self: np.zeros(self.shape, self.dtype))
zero = op(
    "zero",
    "ZeroBackward0",
    lambda self: np.zeros(self.shape, self.dtype),
    variants="inplace",
    self=lambda grad: _zeros(grad),
)
_fill_number = op(
    "",
    "FillBackward0",
    lambda self, value: np.full(self.shape, value, self.dtype),
    self=lambda grad: _zeros(grad),
)
_fill_tensor = op(
    "",
    "FillBackward1",
    lambda self, value: np.full(self.shape, value, self.dtype),
    self=lambda grad: _zeros(grad),
    value=lambda grad: grad.sum(),
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


@public("fill", "function inplace")
def fill(input: Tensor, value: Any) -> Tensor:
    """Return a tensor of the shape and dtype of `input` whose elements are all `value`.

    `value` is a number or a 0-d tensor; anything else raises RuntimeError.
    """
    if isinstance(value, Tensor):
        if value.ndim:
            raise RuntimeError(
                "fill_ only supports 0-dimension value tensor but got tensor with "
                f"{value.ndim} dimensions."
            )
        result: Tensor = _fill_tensor(input, value)
    else:
        check_fits(value, input._value.dtype, c_type(input._value.dtype))
        result = _fill_number(input, value)
    return result


@public("copy", "inplace")
def copy(self: Tensor, src: Tensor, non_blocking: bool = False) -> Tensor:
    """Return the elements of `src`, broadcast to the shape and cast to the dtype of `self`."""
    # What becomes an integer has no gradient any more.
    result: Tensor = _copy(self, src if self.is_floating_point() else src.detach())
    return result
