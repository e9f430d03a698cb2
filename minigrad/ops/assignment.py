"""Writing ``x[index] = value``: into a view for integers and slices, else to places in it.

Source: https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/TensorIndexing.h
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.autograd.grad_mode import state
from minigrad.autograd.node import quiet_copy
from minigrad.c_code import type_name
from minigrad.data import element
from minigrad.ops.in_place import in_place
from minigrad.ops.indexing import (
    METHOD,
    Places,
    check_masks,
    check_values,
    fitting,
    index_put,
    is_filling,
    located,
    numpy_index,
    without_ones,
)
from minigrad.ops.promotion import as_operand
from minigrad.ops.registry import public
from minigrad.ops.shape import expand_to, view_as_size
from minigrad.tensor import Tensor, from_array


@public("__setitem__", METHOD)
def set_item(input: Tensor, index: Any, value: Any) -> None:
    """Write elements at an index; `value` is a number or a tensor that fits there.

    Raises:
        RuntimeError: if the value does not fit, or autograd cannot follow.
        ValueError: if it is an integer of more than 64 bits.
        IndexError, TypeError: if it is no index or no value.
    """
    if not isinstance(value, (Tensor, int, float, np.number, np.bool_)):
        raise TypeError(f"can't assign a {type_name(value)} to a {input.type()}")
    if not isinstance(value, Tensor):
        check_number(value, input._value.dtype)
    if index is False:
        return
    view, indices = located(input, None if index is True else index)
    given = as_operand(value, input)
    if is_followed(view, given):
        set_recorded(view, indices, given)
        return
    view._check_in_place(False, "index_put_" if indices else "copy_")
    if indices:
        set_places(view, indices, given)
        view._count_change()
    else:
        written = fitting(given._array, view._array.shape, "")
        view._check_apart()
        if given._value.ndim and written.size == view._array.size:
            view._check_whole([from_array(written.reshape(view._array.shape))])
        quiet_copy().run(np.copyto, view._array, written, "unsafe")
        view._count_change()


def is_followed(view: Tensor, given: Tensor) -> bool:
    """Return whether derivatives go through what is written to a view."""
    return state.grad_enabled and (view._requires_grad or given._requires_grad)


put_in_place = in_place("index_put_", index_put)


def check_number(number: Any, dtype: np.dtype[Any]) -> None:
    """Refuse a number to be written that a dtype cannot hold."""
    if isinstance(number, int) and not -(2**63) <= number < 2**63:
        raise ValueError("Overflow when unpacking long long")
    element(number, dtype)


def set_recorded(view: Any, indices: Places, given: Any) -> None:
    """Write values to a view, or to places in it, by the in-place method that records it."""
    shape, size = view._array.shape, given._array.shape
    without = without_ones(size)
    if indices:
        put_in_place(view, indices, given if size == without else view_as_size(given, without))
    elif size == shape:
        view.copy_(given)
    elif size:
        fitting(given._array, shape, "")
        given = view_as_size(given, without)
        view.copy_(given if without == shape else expand_to(given, shape))
    else:
        view.fill_(given)


def set_places(view: Tensor, indices: Places, given: Tensor) -> None:
    """Write values to places in a view."""
    check_masks(view._array.shape, indices)
    filling = is_filling(indices, given)
    view._check_put("index_put_", [] if filling else [given])
    if filling:
        view._check_put("masked_fill_")
    if given._number is not None:
        given = from_array(given._array.astype(view._array.dtype))
    given = from_array(given._array.reshape(without_ones(given._array.shape)))
    written = check_values(view, indices, given)
    quiet_copy().run(view._array.__setitem__, numpy_index(view._array, indices), written)
