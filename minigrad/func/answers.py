"""How a public call is answered for batched tensors: all slices at once, or one after another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minigrad.func.at_random import RANDOM, at_random, draws
from minigrad.func.batched import Vmap
from minigrad.func.refusals import MAPPED_OPERAND, refuse
from minigrad.func.rules import changes_in_place, rule_of
from minigrad.func.slices import batched_in, slice_at, slice_by_slice
from minigrad.functions import broadcast_shapes
from minigrad.tensor import Tensor

Call = Callable[..., Any]

# What changes the shape in place.
RESHAPED = {"squeeze_", "swapaxes_", "swapdims_", "t_", "transpose_", "unsqueeze_"}


def answered(vmap: Vmap, func: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return what a public call gives within `vmap`.

    Raises:
        RuntimeError: for what depends on the values of slices, or cannot be done here.
    """
    name, mapped = call_name(func), batched_in(vmap, (args, kwargs))
    refuse(vmap, name, args, kwargs, mapped)
    if name in RANDOM and draws(name, args, kwargs):
        return at_random(vmap, name, func, args, kwargs)
    if not mapped:
        return func(*args, **kwargs)
    result = rule_of(name)(vmap, func, args, kwargs)
    if result is not NotImplemented:
        return result
    if changes_in_place(name):
        return in_place(vmap, name, func, args, kwargs)
    return slice_by_slice(vmap, func, args, kwargs)


def call_name(func: Call) -> str:
    """Return the name of a function, a method, or a property that is asked for or set."""
    if func.__name__ not in ("__get__", "__set__"):
        return func.__name__
    name: str = func.__self__.fget.__name__  # type: ignore[attr-defined]
    return f"{name}.{func.__name__}"


def in_place(vmap: Vmap, name: str, func: Call, args: Any, kwargs: Any) -> Any:
    """Change each slice of a tensor, and return it.

    Raises:
        RuntimeError: if it is the same for all slices, and they want to change it differently.
    """
    changed, *others = args
    if not vmap.has(changed):
        if name == "add_" and vmap.has(others[0]):
            raise RuntimeError(
                f"output with shape {list(changed.shape)} doesn't match the broadcast shape "
                f"{[vmap.size, *broadcast_shapes(changed.shape, others[0].batch.shape[1:])]}"
            )
        raise RuntimeError(MAPPED_OPERAND)
    if name in RESHAPED:
        apart = getattr(Tensor, name.removesuffix("_"))
        changed.batch, changed.in_dim = slice_by_slice(vmap, apart, args, kwargs).batch, 0
        return changed
    for place in range(vmap.size):
        rest, named = slice_at(vmap, place, (others, kwargs))
        func(changed.batch.select(0, place), *rest, **named)
    return changed
