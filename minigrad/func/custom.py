"""Functions with a derivative of one's own, within `vmap`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from minigrad.autograd.forward_ad.custom import check_mappable
from minigrad.autograd.function import MORE, Function
from minigrad.func.batched import Batched, Vmap
from minigrad.func.slices import slice_by_slice
from minigrad.func.trees import dims_for
from minigrad.tensor import Tensor
from minigrad.utils._pytree import (
    tree_flatten,
    tree_leaves,
    tree_map,
    tree_structure,
    tree_unflatten,
)

BY_KEYWORD = (
    "Run vmap on autograd.Function with kwarg-only Tensor args. Please do not pass kwarg-only "
    "Tensors to autograd.Function. Got: {}"
)
NOT_TWO = (
    "Expected the vmap staticmethod to have two returns, an output and out_dims with pytree "
    "structure compatible with the output. Got {} instead"
)
INCOMPATIBLE = (
    "The autograd.Function's vmap staticmethod returned an incompatible (output, out_dims) tuple. "
    "Expected out_dims={} to be compatible with the structure of `output`. out_dims has structure "
    f"{{}} but output has structure {{}}. {MORE}"
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
        RuntimeError: if it has neither, or both, or its own returns something else.
        NotImplementedError: if tensors are given by keyword.
    """
    if any(isinstance(one, Tensor) for one in tree_leaves(kwargs)):
        raise NotImplementedError(BY_KEYWORD.format(kwargs))
    check_mappable(function)
    if function.generate_vmap_rule:
        return slice_by_slice(vmap, function.apply, args, kwargs, own=True)
    in_dims = tree_map(lambda one: one.in_dim if vmap.has(one) else None, args)
    whole = tree_map(lambda one: as_given(one) if vmap.has(one) else one, args)
    returned = function.vmap(VmapInfo(vmap.size, vmap.randomness), in_dims, *whole, **kwargs)
    if not (isinstance(returned, tuple) and len(returned) == 2):
        got = f"{len(returned)} returns" if isinstance(returned, tuple) else f"a {type(returned)}"
        raise RuntimeError(NOT_TWO.format(got))
    return batched(vmap, *returned, zip(tree_leaves(whole), tree_leaves(args), strict=True))


def as_given(one: Batched) -> Any:
    """Return the slices of a tensor, along the dimension where they were given."""
    return one.batch.movedim(0, one.in_dim) if one.in_dim else one.batch


def batched(vmap: Vmap, outputs: Any, out_dims: Any, given: Iterable[tuple[Any, Any]]) -> Any:
    """Return a tree of outputs, whose slices are along dimensions, where they have any.

    What was `given`, as it is, is what it was given for.
    """
    leaves, spec = tree_flatten(outputs)
    dims = dims_for(out_dims, spec)
    if dims is None:
        raise RuntimeError(INCOMPATIBLE.format(out_dims, tree_structure(out_dims), spec))
    known = {id(one): before for one, before in given}

    def as_output(one: Any, dim: int | None) -> Any:
        if id(one) in known:
            return known[id(one)]
        return vmap.of(one.movedim(dim, 0)) if isinstance(one, Tensor) and dim is not None else one

    return tree_unflatten(list(map(as_output, leaves, dims)), spec)
