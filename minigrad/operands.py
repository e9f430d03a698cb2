"""How operands become tensors of one dtype: numbers, arrays, promotion, and what doesn't fit.

Source: https://docs.pytorch.org/docs/stable/tensor_attributes.html#type-promotion-doc
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.graph import Array
from minigrad.shape import dim_error
from minigrad.tensor import Tensor, from_array

ARRAYS = (np.ndarray, np.generic)
NUMBERS = (int, float, np.number, np.bool_)


@functools.lru_cache(1000, typed=True)
def number_tensor(number: Any, dtype: np.dtype[Any]) -> Tensor:
    # Not np.array(number, dtype), which refuses -1 for uint8; PyTorch wraps it around.
    tensor = from_array(np.array(number).astype(dtype))
    tensor._number = number
    return tensor


def operand(value: Any, other: Tensor) -> Tensor | None:
    """An operand as a tensor; None if it can't be one.

    A number takes the dtype of the other operand if that can hold its kind: int with int, int or
    float with float.
    """
    dtype = other._array.dtype
    if type(value) in (float, int) and value and dtype.kind == "f":
        return number_tensor(value, dtype)
    if isinstance(value, NUMBERS):
        own = dtypes.of_number(value)
        fits = dtypes.CATEGORY[own.kind] <= dtypes.CATEGORY[dtype.kind]
        return number_tensor.__wrapped__(value, dtype if fits else own)
    return from_array(value) if isinstance(value, np.ndarray) else None


def argument_error(
    call: Callable[..., Any], name: str, position: int, value: Any, expected: str = "Tensor"
) -> TypeError:
    return TypeError(
        f"{call.__name__}(): argument '{name}' (position {position}) must be {expected}, not "
        f"{type(value).__name__}"
    )


def promote(a: Array, b: Array, floating: bool) -> tuple[Array, Array]:
    """Two arrays in their common dtype, a floating one if the operation needs that."""
    if a.dtype is b.dtype and not floating:
        return a, b
    dtype = dtypes.common(a, b)
    if floating and dtype.kind != "f":
        dtype = dtypes.default
    return a.astype(dtype, copy=False), b.astype(dtype, copy=False)


def broadcast_error(*shapes: tuple[int, ...]) -> RuntimeError | None:
    """PyTorch's error about the first shape that can't be broadcast with those before it."""
    known: tuple[int, ...] = ()
    for shape in shapes:
        for dim in range(-1, -1 - min(len(known), len(shape)), -1):
            a, b = known[dim], shape[dim]
            if a != b and 1 not in (a, b):
                return RuntimeError(
                    f"The size of tensor a ({a}) must match the size of tensor b ({b}) at "
                    f"non-singleton dimension {dim + max(len(known), len(shape))}"
                )
        known = np.broadcast_shapes(known, shape)
    return None


def torch_error(error: ValueError, arrays: Sequence[Any]) -> Exception:
    """What numpy refuses to do with arrays, as the error that PyTorch raises.

    Without arrays, numpy has refused nothing, and the error is PyTorch's own.
    """
    if isinstance(error, np.exceptions.AxisError) and error.ndim is not None:
        return dim_error(error.axis, error.ndim)
    shapes = [x.shape for x in arrays if isinstance(x, ARRAYS)]
    misfit = broadcast_error(*shapes) if "be broadcast" in str(error) else None
    return misfit or (RuntimeError(str(error)) if shapes else error)


def tensor_tuple(call: Callable[..., Any], tensors: Any) -> tuple[Any, ...]:
    """The tensors of a list operation. Raises TypeError if an element isn't a tensor."""
    if not isinstance(tensors, list | tuple):
        raise argument_error(call, "tensors", 1, tensors, "tuple of Tensors")
    for index, tensor in enumerate(tensors):
        if not isinstance(tensor, (Tensor, *ARRAYS)):
            raise TypeError(
                f"expected Tensor as element {index} in argument 0, but got {type(tensor).__name__}"
            )
    return tuple(tensors)
