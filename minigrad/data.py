"""From Python's numbers, lists and arrays to the arrays of tensors."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.arrays import WIDER
from minigrad.autograd.grad_mode import is_grad_enabled
from minigrad.autograd.node import Array, quiet_copy
from minigrad.c_code import type_name
from minigrad.device import device as device_of
from minigrad.memory import Memory, allocated
from minigrad.outside import warn
from minigrad.size import Size

NUMBER_WITH_GRAD = (
    "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
    "Consider using tensor.detach() first."
)

MOST_DIMENSIONS = 128  # that PyTorch counts before it gives up
SLOW_LIST = (
    "Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting "
    "the list to a single numpy.ndarray with numpy.array() before converting to a tensor."
)


def array_of_data(data: Any, dtype: np.dtype[Any] | None) -> Array:
    """Return a copy of what `tensor` is given, in this dtype or the one it has by itself."""
    if isinstance(data, Memory):
        return np.array(data._array, dtype)
    if isinstance(data, (np.ndarray, np.generic)):
        return quiet_copy().run(np.array, checked_array(data), dtype)
    shape = shape_of_data(data)
    leaves: list[Any] = []
    collect(data, shape, 0, leaves)
    given, dtype = dtype, inferred(leaves) if dtype is None else dtype
    if dtype.kind in "iu":
        for number in leaves:
            if isinstance(number, int) and not -(2**63) <= number < 2**63:
                raise ValueError("Overflow when unpacking long long")
            if given is not None:
                check_fits(number, dtype, dtype.name)
    return quiet_copy().run(cast, leaves, dtype).reshape(shape)


def shape_of_data(data: Any) -> tuple[int, ...]:
    """Return the shape of nested sequences, as their first elements tell it."""
    shape: list[int] = []
    while is_sequence(data) and not isinstance(data, (str, bytes)):
        if isinstance(data, Memory) and data.numel() == 1:
            break  # it stands for its number
        if isinstance(data, (np.ndarray, Memory)):
            return (*shape, *data.shape)
        shape.append(len(data))
        if len(shape) > MOST_DIMENSIONS:
            raise ValueError(f"too many dimensions '{type_name(data)}'")
        if not len(data):
            break
        try:
            data = data[0]
        except Exception:
            text = f"could not determine the shape of object type '{type_name(data)}'"
            raise ValueError(text) from None
    return tuple(shape)


def is_sequence(data: Any) -> bool:
    """Return whether elements can be taken from data by their number."""
    return hasattr(type(data), "__getitem__") and not isinstance(data, (dict, np.generic))


def warn_of_grad(number: Any) -> None:
    """Warn that a tensor becomes a number, if it requires grad, where that is recorded."""
    if number._requires_grad and is_grad_enabled():
        warn(NUMBER_WITH_GRAD)


def collect(data: Any, shape: tuple[int, ...], depth: int, leaves: list[Any]) -> None:
    """Append the elements of nested sequences, which must have this shape, to `leaves`."""
    if isinstance(data, Memory):
        if data._array.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        warn_of_grad(data)
        leaves.extend(data._array.flat)
    elif isinstance(data, np.ndarray) and data.shape == shape[depth:]:
        warn(SLOW_LIST)
        leaves.extend(data.flat)
    elif depth == len(shape):
        leaves.append(checked_number(data, depth, leaves))
    elif not is_sequence(data):
        raise TypeError("not a sequence")
    elif len(data) != shape[depth]:
        raise ValueError(
            f"expected sequence of length {shape[depth]} at dim {depth} (got {len(data)})"
        )
    else:
        for element in data:
            if element is data:
                raise TypeError("new(): self-referential lists are incompatible")
            collect(element, shape, depth + 1, leaves)


def checked_number(value: Any, depth: int, before: Sequence[Any]) -> Any:
    """Return a number that comes after others, or say why there is none."""
    if isinstance(value, (bool, int, float, np.generic)):
        return value
    if isinstance(value, np.ndarray):
        return float(value)  # which numpy refuses
    if isinstance(value, (str, bytes)):
        if isinstance(value, str) and depth and not before:
            raise ValueError(f"too many dimensions '{type_name(value)}'")
        raise TypeError(f"new(): invalid data type '{type_name(value)}'")
    if is_sequence(value):
        wanted = "must be real number, not list"
        if not any(isinstance(one, float) for one in before):
            wanted = "'list' object cannot be interpreted as an integer"
        raise TypeError(wanted)
    if isinstance(value, complex):
        raise dtypes.no_complex()
    raise RuntimeError(f"Could not infer dtype of {type_name(value)}")


def inferred(leaves: Sequence[Any]) -> np.dtype[Any]:
    """Return the dtype that holds all of these numbers."""
    if not leaves:
        return dtypes.get_default_dtype().numpy_dtype
    found = {
        dtypes.of_numpy(one.dtype) if isinstance(one, np.generic) else dtypes.of_number(one)
        for one in leaves
    }
    result = found.pop()
    for other in found:
        result = dtypes.promote_types(result, other)
    return result.numpy_dtype


def checked_array(array: Any) -> Any:
    """Return a numpy array as tensors have it, with the one dtype object that each dtype has.

    Unpickled arrays have others, equal to it.

    Raises:
        ValueError: if its numbers are not as this machine has them, or it goes backwards through
            memory, with PyTorch's texts.
        TypeError: if it is of a dtype that tensors do not have.
    """
    if not array.dtype.isnative:
        raise ValueError(
            "given numpy array has byte order different from the native byte order. Conversion "
            "between byte orders is currently not supported."
        )
    if any(stride < 0 for stride in array.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative "
            "strides are not currently supported. (You can probably work around this by making a "
            "copy of your array  with array.copy().) "
        )
    return array.view(dtypes.of_numpy(array.dtype).numpy_dtype)


def cast(leaves: Sequence[Any], dtype: np.dtype[Any]) -> Array:
    """Return numbers as an array; integers that are too large for their dtype wrap around."""
    return np.array(leaves, dtype if dtype.kind == "f" else None).astype(dtype)


def element(number: Any, dtype: np.dtype[Any]) -> Any:
    """Return a number as a dtype holds it: its fraction cut off, or a negative one wrapped around.

    Raises as `check_fits`.
    """
    if type(number) is not float and type(number) is not int:
        number = np.asarray(number).item()
    check_fits(number, dtype)
    return np.array(number).astype(dtype)[()]


def check_fits(number: Any, dtype: np.dtype[Any], name: str = "") -> None:
    """Refuse a number that a dtype cannot hold; an unsigned one holds negative integers, wrapped.

    Raises:
        RuntimeError: with PyTorch's text, in which the dtype has this name, or that of C.
        OverflowError: if it is an integer of more than 64 bits.
    """
    whole = isinstance(number, (int, np.integer))
    if whole and number < -(2**63):
        raise OverflowError("can't convert negative int to unsigned")
    if whole and number >= 2**64:
        raise OverflowError("int too big to convert")
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        least = -limits.max if dtype.kind == "u" and whole else limits.min
        fits = math.isfinite(number) and least <= number <= limits.max
    else:
        fits = dtype.kind != "f" or not math.isfinite(number) or abs(number) <= largest(dtype)
    if not fits:
        name = name or c_type(dtype)
        raise RuntimeError(f"value cannot be converted to type {name} without overflow")


@functools.cache
def largest(dtype: np.dtype[Any]) -> float:
    """Return the largest finite number of a floating point dtype."""
    return float(np.finfo(dtype).max)


def c_type(dtype: np.dtype[Any]) -> str:
    """Return what C calls a dtype."""
    names = {"int32": "int", "float16": "c10::Half", "float32": "float", "float64": "double"}
    return names.get(dtype.name, f"{dtype.name}_t")


def legacy_array(
    arguments: tuple[Any, ...],
    dtype: np.dtype[Any],
    size: Any = None,
    data: Any = None,
    device: Any = None,
    **others: Any,
) -> Array:
    """Return the array that ``Tensor(...)`` or ``FloatTensor(...)`` makes of its arguments.

    Integers are sizes of an uninitialised tensor; a sequence holds the elements.

    Raises:
        TypeError, ValueError, RuntimeError: for other arguments, with PyTorch's texts.
    """
    kind = "cpu" if device is None else device_of(device).type
    if kind != "cpu":
        raise RuntimeError(
            f"legacy constructor expects device type: cpu but device type: {kind} was passed"
        )
    if size is not None:
        arguments = tuple(size)
    elif data is not None:
        arguments = (data,)
    sizes = all(isinstance(one, int) and not isinstance(one, bool) for one in arguments)
    if sizes and not others:
        return allocated(np.empty, checked_sizes(arguments or (0,)), dtype)
    if len(arguments) > 1 or others:
        kinds = [type_name(one) for one in arguments]
        kinds += [f"{name}={type_name(one)}" for name, one in others.items()]
        given = ", ".join(kinds) + ", " * (not arguments)  # as PyTorch has it
        raise TypeError(f"new() received an invalid combination of arguments - got ({given})")
    (data,) = arguments
    if isinstance(data, Size):
        return np.empty(data, dtype)
    if isinstance(data, Memory):
        if data._value.dtype != dtype:
            raise TypeError(f"expected {options(dtype)} (got {options(data._value.dtype)})")
        return data._array
    if isinstance(data, str):
        raise TypeError("new(): invalid data type 'str'")
    if not is_sequence(data):
        raise TypeError(f"new(): data must be a sequence (got {type_name(data)})")
    return array_of_data(data, dtype)


def options(dtype: np.dtype[Any]) -> str:
    """Return what C++ says of a tensor with a dtype."""
    return (
        f"TensorOptions(dtype={dtypes.of_numpy(dtype).cpp_name}, device=cpu, layout=Strided, "
        "requires_grad=false (default), pinned_memory=false (default), memory_format=(nullopt))"
    )


def checked_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    """Return a shape, or refuse one with a negative length."""
    for length in sizes:
        if length < 0:
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {length}: {list(sizes)}"
            )
    return tuple(sizes)


def evenly(start: Any, end: Any, steps: int, dtype: np.dtype[Any]) -> Array:
    """Return evenly spaced numbers, each half counted from its own end as PyTorch does.

    Like there a product and a sum are rounded once, so that what should be 0 may not quite be; but
    twice as float16.
    """
    kind = dtype if dtype.kind == "f" else np.dtype(np.float64)
    first, last = np.array([[element(one, dtype)] for one in (start, end)]).astype(kind)
    step = (last - first) / kind.type(max(steps - 1, 1))
    wide = kind if kind == np.float16 else WIDER[kind]
    first, last, step = (one.astype(wide) for one in (first, last, step))
    index = np.arange(steps)
    rising = first + step * index.astype(wide)
    falling = last - step * index[::-1].astype(wide)
    numbers: Array = np.where(index < max(steps // 2, 1), rising, falling).astype(kind)
    return numbers.astype(dtype)
