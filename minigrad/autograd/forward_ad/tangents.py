"""The tangents that tensors have while a level is open: kept apart from them, by their ids."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterable
from typing import Any

import numpy as np

from minigrad.autograd.grad_mode import state
from minigrad.creation import zeros_like
from minigrad.memory import strides, whole
from minigrad.ops.views import as_strided_part
from minigrad.tensor import Tensor, from_array

# The tangents there are, by the ids of their tensors; None says that it has none of its base's.
duals: dict[int, tuple[weakref.ref[Any], Any]] = {}


class ForwardMode(threading.local):
    """Whether a thread computes tangents."""

    enabled = True


mode = ForwardMode()


class Unfollowed:
    """What the library computes itself gets no tangents."""

    def __enter__(self) -> None:
        self.prev, mode.enabled = mode.enabled, False

    def __exit__(self, *exception: object) -> None:
        mode.enabled = self.prev


class Aside(Unfollowed):
    """What is computed of tangents is not seen by hooks on saved tensors either."""

    def __enter__(self) -> None:
        super().__enter__()
        self.hooks, state.saved_tensors_hooks = state.saved_tensors_hooks, ()

    def __exit__(self, *exception: object) -> None:
        super().__exit__()
        state.saved_tensors_hooks = self.hooks


def is_followed() -> bool:
    """Return whether this thread computes tangents."""
    return mode.enabled and not state.inference


def keep(tensor: Tensor, tangent: Tensor | None) -> None:
    """Let a tensor have this tangent for as long as both it and the level exist."""
    key = id(tensor)

    def forget(reference: Any) -> None:
        duals.pop(key, None)

    duals[key] = weakref.ref(tensor, forget), tangent


def tangent_of(one: Any) -> Any:
    """Return the tangent of a tensor, if it has one: that of a view is part of its base's."""
    if id(one) in duals:
        return duals[id(one)][1]
    base = getattr(one, "_base", None)
    if base is None or duals.get(id(base), (None, None))[1] is None or one.dtype != base.dtype:
        return None
    with Unfollowed():
        keep(one, as_strided_part(duals[id(base)][1], *one._geometry()))
    return duals[id(one)][1]


def has_tangent(*values: Any) -> bool:
    """Return whether one of these is a tensor with a tangent, and those are followed now."""
    return bool(duals) and is_followed() and any(tangent_of(one) is not None for one in values)


def set_tangent(tensor: Tensor, tangent: Tensor, others: Iterable[Any] = ()) -> None:
    """Give a tensor a tangent that lies in memory as it does, and apart from those of others."""
    if any(whole(one._array) is whole(tangent._array) for one in others):
        tangent = tangent.clone()
    if not lies_as(tangent, tensor):
        memory = whole(tensor._array)
        zeros = np.zeros(memory.nbytes // tensor.itemsize, tangent._value.dtype)
        part: Tensor = as_strided_part(from_array(zeros), *tensor._geometry())
        tangent = part.copy_(tangent)
    keep(tensor, tangent)


def lies_as(tangent: Tensor, tensor: Tensor) -> bool:
    """Return whether a tangent lies in memory as a tensor does, so that it has the same views."""
    one, other = tangent._array, tensor._array
    places = zip(one.shape, strides(one), strides(other), strict=True)
    return (
        whole(one).nbytes // one.itemsize == whole(other).nbytes // other.itemsize
        and tangent.storage_offset() == tensor.storage_offset()
        and all(size < 2 or step == own for size, step, own in places)
    )


def change_tangent(tensor: Tensor, tangent: Tensor | None) -> None:
    """Write the tangent of what a tensor's elements have become into its own, and its base's."""
    known, base = tangent_of(tensor), tensor._base
    if known is None and tangent is not None:
        if base is None or id(tensor) in duals:
            set_tangent(tensor, tangent)
            return
        set_tangent(base, zeros_like(base))
        known = tangent_of(tensor)
    if known is not None:
        known.zero_() if tangent is None else known.copy_(tangent)


def differentiable(value: Any) -> bool:
    """Return whether something is a tensor that can have a tangent."""
    return isinstance(value, Tensor) and value.is_floating_point()


def flat(values: Iterable[Any]) -> list[Tensor]:
    """Return the tensors among some values, also in lists."""
    every = [one for some in values for one in (some if type(some) in (list, tuple) else [some])]
    return [one for one in every if isinstance(one, Tensor)]
