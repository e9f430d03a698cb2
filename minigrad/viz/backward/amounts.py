"""Gradients, and what they are multiplied by: numbers to compute with, and their text."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from minigrad.viz.read.protocol import TensorLike
from minigrad.viz.read.values import SHORTENED, Items, Value, format_number, read_value

Array = np.ndarray[Any, np.dtype[np.float64]]

_MOST_NUMBERS = 1000
_EDGE = 3  # how many items each end of a long dimension shows, as in values


@dataclass(frozen=True)
class Amount:
    """What a tensor held: as text, and its numbers where these are real, finite and few."""

    value: Value
    numbers: Any = None  # a float, or lists of them

    @property
    def text(self) -> str:
        """The numbers in one line."""
        return self.value.text

    @property
    def array(self) -> Array | None:
        """The numbers as an array."""
        return None if self.numbers is None else np.asarray(self.numbers, dtype=float)

    @property
    def everywhere(self) -> str | None:
        """The number in every place; None if they differ, or are not known."""
        array = self.array
        if array is None or array.size == 0 or (array != array.flat[0]).any():
            return None
        return format_number(float(array.flat[0]))


def read_amount(tensor: TensorLike) -> Amount:
    """What ``tensor`` holds now."""
    value = read_value(tensor)
    few = math.prod(value.shape) <= _MOST_NUMBERS and value.items is not None
    real = value.dtype.startswith(("float", "bfloat", "int", "uint"))
    numbers = tensor.detach().tolist() if few and real else math.nan
    return Amount(value, numbers if np.isfinite(numbers).all() else None)


def amount_of(array: Array, dtype: str) -> Amount:
    """The same for numbers that were computed here."""
    return Amount(Value(dtype, array.shape, _items(array)), array.tolist())


def close(one: Array, other: Array) -> bool:
    """Whether two arrays are the same but for rounding in float32."""
    return one.shape == other.shape and bool(
        np.allclose(one, other, rtol=1e-4, atol=1e-6, equal_nan=True)
    )


def sum_to(array: Array, shape: tuple[int, ...]) -> Array | None:
    """``array`` summed over the dimensions in which ``shape`` was broadcast to it."""
    extra = array.ndim - len(shape)
    if extra < 0:
        return None
    summed = array.sum(axis=tuple(range(extra)))
    wide = tuple(i for i, size in enumerate(shape) if size == 1 and summed.shape[i] != 1)
    summed = summed.sum(axis=wide, keepdims=True)
    return summed if summed.shape == shape else None


def _items(array: Array) -> Items:
    if array.ndim == 0:
        return format_number(float(array))
    items = [_items(part) for part in array]
    if len(items) > 2 * _EDGE:
        items[_EDGE:-_EDGE] = [SHORTENED]
    return tuple(items)
