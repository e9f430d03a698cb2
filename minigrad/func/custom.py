"""Functions with a derivative of one's own, within `vmap`."""

from __future__ import annotations

from typing import Any, NamedTuple

from minigrad.autograd.function import MORE, Function
from minigrad.func.batched import Batched, Vmap
from minigrad.func.slices import slice_by_slice
from minigrad.utils._pytree import tree_map

BOTH = (
    "You tried to vmap over {}, but it has both generate_vmap_rule=True and an overridden vmap "
    "staticmethod. Please set generate_vmap_rule=False or delete the overridden vmap staticmethod "
    f"to avoid ambiguity. {MORE}"
)
NEITHER = (
    "You tried to vmap over {}, but it does not have vmap support. Please override and implement "
    f"the vmap staticmethod or set generate_vmap_rule=True. {MORE}"
)


class VmapInfo(NamedTuple):
    """What a function's own `vmap` is told."""

    batch_size: int
    randomness: str


def custom(
    vmap: Vmap, function: type[Function], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Return what a function gives: by its own `vmap`, or slice by slice if it allows that.

    Raises:
        RuntimeError: if it has neither, or both.
    """
    name, own = function.__name__, function.vmap is not Function.vmap
    if own and function.generate_vmap_rule:
        raise RuntimeError(BOTH.format(name))
    if function.generate_vmap_rule:
        return slice_by_slice(vmap, function.apply, args, kwargs)
    if not own:
        raise RuntimeError(NEITHER.format(name))
    in_dims = tree_map(lambda one: one.in_dim if vmap.has(one) else None, args)
    whole = tree_map(lambda one: as_given(one) if vmap.has(one) else one, args)
    outputs, out_dims = function.vmap(VmapInfo(vmap.size, vmap.randomness), in_dims, *whole)
    if isinstance(outputs, tuple):
        dims = out_dims if isinstance(out_dims, tuple) else (out_dims,) * len(outputs)
        return tuple([batched(vmap, *pair) for pair in zip(outputs, dims, strict=True)])
    return batched(vmap, outputs, out_dims)


def as_given(one: Batched) -> Any:
    """Return the slices of a tensor, along the dimension where they were given."""
    return one.batch.movedim(0, one.in_dim) if one.in_dim else one.batch


def batched(vmap: Vmap, one: Any, dim: int | None) -> Any:
    """Return an output, whose slices are along a dimension, if it has any."""
    return one if dim is None else vmap.of(one.movedim(dim, 0))
