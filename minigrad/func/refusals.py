"""What cannot be done within `vmap`: the texts, and which calls they are for."""

from __future__ import annotations

from typing import Any

from minigrad.dtypes import bool_
from minigrad.func.batched import ITEM, Vmap

CONTROL = (
    "vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. We "
    "don't support that yet, please file an issue at https://github.com/pytorch/pytorch/issues ."
)
STORAGE = "Cannot access data pointer of Tensor that doesn't have storage"
DYNAMIC = (
    "vmap: We do not support batching operators that can output dynamic shape. Attempted to vmap "
    "over aten::{}. Please file an issue at https://github.com/pytorch/pytorch/issues if you need "
    "this feature."
)
MASK = (
    "vmap: We do not support batching operators that can support dynamic shape. Attempting to "
    "batch over indexing with a boolean mask."
)
MASKED_SELECT = (
    "vmap: Attempted to vmap over `mask` in torch.masked_select(self, mask) We cannot support this "
    "because for each batch this would return a differently shaped Tensor. Please file an issue at "
    "https://github.com/pytorch/pytorch/issues if you need this feature."
)
ALLCLOSE = (
    "vmap over torch.allclose isn't supported yet. Please file an issue at "
    "https://github.com/pytorch/pytorch/issues if you need this feature."
)
# What depends on the values of the slices, by the names of functions.
REFUSED = {
    **dict.fromkeys(["__bool__", "is_nonzero"], CONTROL),
    **dict.fromkeys(["item", "__float__", "__int__", "__index__", "__contains__"], ITEM),
    **dict.fromkeys(["arange", "full", "scalar_tensor", "tensor"], ITEM),
    **dict.fromkeys(
        ["tolist", "numpy", "__array__", "data_ptr", "storage", "untyped_storage"], STORAGE
    ),
    **{name: DYNAMIC.format(name) for name in ("nonzero", "argwhere", "unique_consecutive")},
    "unique": DYNAMIC.format("_unique2"),
    "allclose": ALLCLOSE,
    "equal": "Batching rule not implemented for aten::equal. We could not generate a fallback.",
}
MAPPED_OPERAND = (
    "vmap: inplace arithmetic(self, *extra_args) is not possible because there exists a Tensor "
    "`other` in extra_args that has more elements than `self`. This happened due to `other` being "
    "vmapped over but `self` not being vmapped over in a vmap. Please try to use out-of-place "
    "operators instead of inplace arithmetic. If said operator is being called inside the PyTorch "
    "framework, please file a bug report instead."
)


def refuse(
    vmap: Vmap, name: str, args: tuple[Any, ...], kwargs: dict[str, Any], mapped: bool
) -> None:
    """Refuse a call of that name, of which arguments are `mapped` over or not.

    Raises:
        RuntimeError: with PyTorch's text.
    """
    if mapped and name in REFUSED:
        raise RuntimeError(REFUSED[name])
    if name == "masked_select" and any(map(vmap.has, (*args[1:], kwargs.get("mask")))):
        raise RuntimeError(MASKED_SELECT)
    if name == "__format__" and vmap.has(args[0]) and args[0].batch.ndim == 1:
        raise RuntimeError(ITEM)
    if name in ("__getitem__", "__setitem__"):
        check_places(vmap, args[1])


def check_places(vmap: Vmap, places: Any) -> None:
    """Refuse masks of which slices may have different numbers, and bounds that depend on values.

    Raises:
        RuntimeError: with PyTorch's text.
    """
    for place in places if isinstance(places, tuple) else (places,):
        if vmap.has(place) and place.batch.dtype is bool_:
            raise RuntimeError(MASK)
        bounds = (place.start, place.stop, place.step) if isinstance(place, slice) else ()
        if any(map(vmap.has, bounds)):
            raise RuntimeError(ITEM)
