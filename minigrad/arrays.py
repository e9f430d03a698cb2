"""Small arrays are what lessons compute with: numpy's cheapest ways to do common things to them."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

PRINTED = 1000
WIDER = {
    np.dtype(narrow): np.dtype(wide)
    for narrow, wide in (("e", np.float32), ("f", np.float64), ("d", np.longdouble))
}


@functools.lru_cache(maxsize=256, typed=True)
def constant(value: Any, dtype: np.dtype[Any]) -> Array:
    """Return a number as a 0-d array, which numpy takes beside an array faster than the number."""
    return read_only(np.array(value, dtype))


def multiply_add(array: Any, other: Any, factor: Any) -> Any:
    """Return ``array + other * factor``, rounded once, as the processor does it for PyTorch.

    In the wider dtype products are exact. It takes twice as long, so of arrays with more
    elements than are printed in full the products are rounded, too, unless they are float16.
    """
    dtype = array.dtype
    if dtype not in WIDER or (array.size > PRINTED and dtype.char != "e"):
        return array + other * factor
    return wide_multiply_add(array, other, factor, WIDER[dtype]).astype(dtype)


def multiply_add_to(array: Array, other: Any, factor: Any) -> None:
    """Set ``array += other * factor``, rounded as `multiply_add` does."""
    dtype = array.dtype
    if dtype not in WIDER or (array.size > PRINTED and dtype.char != "e"):
        np.add(array, other * factor, array)
    else:
        array[...] = wide_multiply_add(array, other, factor, WIDER[dtype])


def wide_multiply_add(array: Any, other: Any, factor: Any, wider: np.dtype[Any]) -> Any:
    """Return ``array + other * factor`` in a wider dtype."""
    if isinstance(factor, (np.ndarray, np.generic)):
        factor = factor.astype(wider)
    else:
        factor = wide_constant(factor, array.dtype, wider)
    return widened(other, wider) * factor + widened(array, wider)


def widened(array: Any, wider: np.dtype[Any]) -> Any:
    """Return an array in a wider dtype: at once, which is faster than piece by piece as ufuncs do.

    But what was expanded, and has no order in memory, `astype` would turn around.
    """
    return array.astype(wider) if array.flags.forc else np.positive(array, dtype=wider)


@functools.lru_cache(maxsize=256, typed=True)
def wide_constant(value: Any, dtype: np.dtype[Any], wider: np.dtype[Any]) -> Array:
    """Return a number, rounded to a dtype, as a 0-d array of a wider one."""
    return read_only(np.array(value, dtype).astype(wider))


def read_only(array: Array) -> Array:
    """Make an array one that cannot be written to, and return it."""
    array.flags.writeable = False
    return array
