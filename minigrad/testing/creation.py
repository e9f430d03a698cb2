"""Tensors of random numbers to test with."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

from minigrad import dtypes
from minigrad.creation import empty
from minigrad.limits import finfo, iinfo
from minigrad.random import randint
from minigrad.tensor import Tensor


def make_tensor(
    *shape: Any,
    dtype: dtypes.dtype,
    device: Any,
    low: float | None = None,
    high: float | None = None,
    requires_grad: bool = False,
    noncontiguous: bool = False,
    exclude_zero: bool = False,
    memory_format: Any = None,
) -> Tensor:
    """Return a tensor of numbers drawn evenly from `low` up to, without, `high`.

    Args:
        shape: the lengths, one by one or in a sequence.
        dtype, device: of the tensor.
        low, high: -9 and 9 by default; 10 for integers; 0 and 2 for booleans.
        requires_grad: whether operations on it are recorded.
        noncontiguous: whether to leave gaps in memory between the elements, if there are several.
        exclude_zero: whether the smallest positive normal number, or 1, takes the place of 0.
        memory_format: as of `Tensor.clone`.

    Raises:
        ValueError: if `low` is not less than `high`, one is nan, or the dtype reaches neither; if
            integers are to require grad; for `noncontiguous` with a `memory_format`.

    Source: https://docs.pytorch.org/docs/stable/testing.html

    >>> import minigrad as torch
    >>> generator = torch.manual_seed(0)
    >>> torch.testing.make_tensor(3, dtype=torch.float32, device="cpu", low=0, high=1)
    tensor([0.4963, 0.7682, 0.0885])
    """
    sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], Sequence) else shape
    if noncontiguous and memory_format is not None:
        raise ValueError(
            "The parameters `noncontiguous` and `memory_format` are mutually exclusive, "
            f"but got {noncontiguous=} and {memory_format=}"
        )
    if requires_grad and not dtype.is_floating_point:
        raise ValueError(
            "`requires_grad=True` is not supported for boolean and integral dtypes, but got "
            f"{dtype=}"
        )
    noncontiguous = noncontiguous and math.prod(sizes) > 1
    if noncontiguous:
        sizes = (*sizes[:-1], 2 * sizes[-1])
    result = drawn(sizes, dtype, device, *bounds(dtype, low, high))
    if noncontiguous:
        result = result[..., 1::2]
    elif memory_format is not None:
        result = result.clone(memory_format=memory_format)
    if exclude_zero:
        result[result == 0] = finfo(dtype).tiny if dtype.is_floating_point else 1
    tensor: Tensor = result.requires_grad_(requires_grad)
    return tensor


def bounds(dtype: dtypes.dtype, low: float | None, high: float | None) -> tuple[Any, Any]:
    """Return between which numbers of a dtype to draw: whole ones for integers."""
    if dtype is dtypes.bool_:
        least, beyond, known = 0, 2, (0, 2)
    elif dtype.is_floating_point or dtype.is_complex:
        least, beyond, known = finfo(dtype).min, finfo(dtype).max, (-9, 9)
    else:
        limits = iinfo(dtype)
        least, known = limits.min, (-9, 10)
        beyond = limits.max + (dtype is not dtypes.int64)  # which `randint` could not take
    low, high = known[0] if low is None else low, known[1] if high is None else high
    if math.isnan(low) or math.isnan(high):
        raise ValueError(f"`low` and `high` cannot be NaN, but got {low=} and {high=}")
    if low == high and dtype.is_floating_point:
        warnings.warn(
            "Passing `low==high` to `torch.testing.make_tensor` for floating or complex types "
            "is deprecated since 2.1 and will be removed in 2.3. Use `torch.full(...)` instead.",
            FutureWarning,
            stacklevel=3,
        )
    elif low >= high:
        raise ValueError(f"`low` must be less than `high`, but got {low} >= {high}")
    elif high < least or low >= beyond:
        raise ValueError(
            f"The value interval specified by `low` and `high` is [{low}, {high}), "
            f"but {dtype} only supports [{least}, {beyond})"
        )
    low, high = (min(max(one, least), beyond) for one in (low, high))
    return (low, high) if dtype.is_floating_point else (math.ceil(low), math.ceil(high))


def drawn(sizes: Sequence[int], dtype: dtypes.dtype, device: Any, low: Any, high: Any) -> Any:
    """Return a tensor of numbers between two, whose distance may be more than the dtype holds."""
    if not dtype.is_floating_point:
        return randint(low, high, sizes, device=device, dtype=dtype)
    result: Any = empty(sizes, device=device, dtype=dtype)
    if high - low >= finfo(dtype).max:
        return result.uniform_(low / 2, high / 2).mul_(2)
    return result.uniform_(low, high)
