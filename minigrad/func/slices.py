"""The slices of batched tensors, one after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minigrad.creation import zeros
from minigrad.func.batched import Vmap, plain
from minigrad.functions import stack
from minigrad.tensor import Tensor
from minigrad.utils._pytree import (
    tree_flatten,
    tree_leaves,
    tree_map,
    tree_unflatten,
)

Call = Callable[..., Any]


def batched_in(vmap: Vmap, tree: Any) -> bool:
    """Return whether a tree has tensors of a `vmap` in it."""
    return any(map(vmap.has, tree_leaves(tree)))


def in_slices(vmap: Vmap, tree: Any) -> list[Any]:
    """Return a tree for each slice, with the slices of the tensors in it."""
    leaves, spec = tree_flatten(tree)
    parts = [one.batch.unbind(0) if vmap.has(one) else (one,) * vmap.size for one in leaves]
    return [tree_unflatten(row, spec) for row in zip(*parts, strict=True)]


def slice_at(vmap: Vmap, place: int, tree: Any) -> Any:
    """Return a tree with one slice of the tensors in it, as they are now."""
    return tree_map(lambda one: one.batch.select(0, place) if vmap.has(one) else one, tree)


def slice_by_slice(
    vmap: Vmap, func: Call, args: tuple[Any, ...], kwargs: dict[str, Any], own: bool = False
) -> Any:
    """Return a tree of batched tensors: what a function gives for each slice.

    Where that is no tensor it is a shape or a dtype, the same for all. A view of a slice lies in it
    as in all others: so there is one of the tensor of all slices, unless each has its own index or
    is of a function with a derivative of its `own`.
    """
    if not vmap.size:
        return of_no_slice(vmap, func, args, kwargs)
    (first, named), *others = in_slices(vmap, (args, kwargs))
    result = func(*first, **named)
    leaves, spec = tree_flatten(result)
    viewed = [viewed_by(vmap, one, (args, kwargs)) for one in leaves if isinstance(one, Tensor)]
    if not own and all(one is not None for one in viewed):
        whole = iter(viewed)
        found = [
            view_like(vmap, next(whole), one) if isinstance(one, Tensor) else one for one in leaves
        ]
        return tree_unflatten(found, spec)
    results = [result, *[func(*rest, **named) for rest, named in others]]
    return tree_map(lambda *together: stacked_slices(vmap, together), *results)


def viewed_by(vmap: Vmap, view: Tensor, given: Any) -> Any:
    """Return the batched tensor of which a tensor is a view of the first slice, None if of none."""
    base = plain(view)._base
    batched = [one for one in tree_leaves(given) if vmap.has(one)]
    indices = [one for one in batched if one.batch.ndim == 1 and len(batched) > 1]
    for one in batched if base is not None and not indices else ():
        memory = plain(one)
        if base is (memory if memory._base is None else memory._base):
            return one
    return None


def view_like(vmap: Vmap, one: Any, view: Tensor) -> Tensor:
    """Return the view of all slices that has this view of the first one."""
    every = one.batch
    place = (vmap.size, *view.shape), (every.stride(0), *view.stride()), view.storage_offset()
    return vmap.of(every.as_strided(*place))


def stacked_slices(vmap: Vmap, together: Sequence[Any]) -> Any:
    """Return slices as a batched tensor; what is no tensor as it is in the first."""
    if not isinstance(together[0], Tensor):
        return together[0]
    return vmap.of(stack(list(together)))


def of_no_slice(vmap: Vmap, func: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return what a function gives where there are no slices: none of its shape."""

    def drawn(one: Any) -> Any:
        return zeros(one.batch.shape[1:], dtype=one.batch.dtype) if vmap.has(one) else one

    def none_of(one: Any) -> Any:
        if not isinstance(one, Tensor):
            return one
        return vmap.of(zeros((0, *one.shape), dtype=one.dtype))

    args, kwargs = tree_map(drawn, (args, kwargs))
    return tree_map(none_of, func(*args, **kwargs))
