"""The tangents that tensors have at levels of forward mode: kept apart from them, by their ids."""

from __future__ import annotations

import math
import threading
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from minigrad.autograd.grad_mode import _GradMode, state
from minigrad.creation import zeros
from minigrad.memory import strides, whole
from minigrad.ops.views import as_strided_part
from minigrad.tensor import Tensor, from_array


class DualLevel:
    """The tangents that tensors have at one level: along one direction, or along many at once.

    Those of many have one more dimension, the first. Tangents may have tangents themselves, but
    only at the levels `around`: so perturbations are not confused.

    Args:
        around: the levels that this one is within.
        count: how many directions there are, if tangents have that dimension.
    """

    def __init__(self, around: tuple[DualLevel, ...] = (), count: int | None = None) -> None:
        self.around = around
        self.lead = () if count is None else (count,)
        # By the ids of their tensors; None says that a view has none of its base's.
        self.duals: dict[int, tuple[weakref.ref[Any], Any]] = {}

    def keep(self, tensor: Tensor, tangent: Tensor | None) -> None:
        """Let a tensor have this tangent for as long as both it and the level exist."""
        key, duals = id(tensor), self.duals

        def forget(reference: Any) -> None:
            duals.pop(key, None)

        duals[key] = weakref.ref(tensor, forget), tangent

    def tangent_of(self, one: Any) -> Any:
        """Return the tangent of a tensor, if it has one: that of a view is part of its base's."""
        duals = self.duals
        if id(one) in duals:
            return duals[id(one)][1]
        base = getattr(one, "_base", None)
        if base is None or duals.get(id(base), (None, None))[1] is None or one.dtype != base.dtype:
            return None
        with Following(self.around):
            self.keep(one, self.part(duals[id(base)][1], one))
        return duals[id(one)][1]

    def part(self, tangent: Tensor, view: Tensor) -> Tensor:
        """Return what a view shows of a tangent that lies in memory as the tensor viewed."""
        size, stride, offset = view._geometry()
        step = (whole(view._array).nbytes // view.itemsize,) * len(self.lead)
        shown: Tensor = as_strided_part(tangent, (*self.lead, *size), (*step, *stride), offset)
        return shown

    def rows(self, tangent: Any) -> Sequence[Any]:
        """Return a tangent along each of many directions, None for each if there is none.

        They are copies, which a custom function may change in place.
        """
        if tangent is None:
            return (None,) * math.prod(self.lead)
        return [one.clone() for one in tangent.unbind(0)]

    def zeros_for(self, tensor: Tensor) -> Tensor:
        """Return the tangent of a tensor that does not change."""
        return zeros((*self.lead, *tensor.shape), dtype=tensor.dtype)

    def expanded(self, tangent: Tensor, shape: tuple[int, ...]) -> Tensor:
        """Return a tangent of a tensor that was broadcast to a shape."""
        wanted = (*self.lead, *shape)
        if tangent.shape == wanted:
            return tangent
        if self.lead and tangent.ndim < len(wanted):
            missing = len(wanted) - tangent.ndim
            tangent = tangent.reshape(*self.lead, *[1] * missing, *tangent.shape[1:])
        wide: Tensor = tangent.expand(wanted)
        return wide

    def set_tangent(self, tensor: Tensor, tangent: Tensor, others: Iterable[Any] = ()) -> None:
        """Give a tensor a tangent that lies in memory as it does, apart from those of others."""
        shared = any(whole(one._array) is whole(tangent._array) for one in others)
        if shared or tangent.is_inference():  # which cannot be saved for backward
            tangent = tangent.clone()
        if not self.lies_as(tangent, tensor):
            length = math.prod(self.lead) * (whole(tensor._array).nbytes // tensor.itemsize)
            memory = from_array(np.zeros(length, tangent._value.dtype))
            tangent = self.part(memory, tensor).copy_(tangent)
        self.keep(tensor, tangent)

    def lies_as(self, tangent: Tensor, tensor: Tensor) -> bool:
        """Return whether a tangent lies in memory as a tensor does, so that it has the same views.

        Those along many directions lie behind each other.
        """
        one, other = tangent._array, tensor._array
        length = whole(other).nbytes // other.itemsize
        steps = (*[length for _ in self.lead], *strides(other))
        places = zip(one.shape, strides(one), steps, strict=True)
        return (
            whole(one).nbytes // one.itemsize == math.prod(self.lead) * length
            and tangent.storage_offset() == tensor.storage_offset()
            and all(size < 2 or step == own for size, step, own in places)
        )

    def change_tangent(self, tensor: Tensor, tangent: Tensor | None) -> None:
        """Write the tangent of what a tensor has become into its own, and into its base's."""
        known, base = self.tangent_of(tensor), tensor._base
        if known is None and tangent is not None:
            if base is None or id(tensor) in self.duals:
                self.set_tangent(tensor, tangent)
                return
            self.set_tangent(base, self.zeros_for(base))
            known = self.tangent_of(tensor)
        if known is not None:
            known.zero_() if tangent is None else known.copy_(tangent)


class ForwardMode(threading.local):
    """Whether a thread computes tangents, and at which levels: those around others come first."""

    enabled = True
    levels: tuple[DualLevel, ...] = ()


mode = ForwardMode()


class _set_fwd_grad_enabled(_GradMode):
    """Let this thread compute tangents or not, at once and until the end of the ``with`` block."""

    __module__ = "torch.autograd.forward_ad"

    def __init__(self, mode_: bool) -> None:
        self.mode, self.prev = mode_, mode.enabled
        mode.enabled = mode_

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exception: object) -> None:
        mode.enabled = self.prev

    def clone(self) -> _set_fwd_grad_enabled:
        return _set_fwd_grad_enabled(self.mode)


class Following:
    """Compute tangents at these levels alone, in this thread."""

    def __init__(self, levels: tuple[DualLevel, ...]) -> None:
        self.levels = levels

    def __enter__(self) -> None:
        self.before = mode.__dict__.get("levels")
        mode.levels = self.levels

    def __exit__(self, *exception: object) -> None:
        if self.before is None:
            del mode.levels  # those of all threads
        else:
            mode.levels = self.before


class Aside(Following):
    """What is computed of tangents is not seen by hooks on saved tensors either."""

    def __enter__(self) -> None:
        super().__enter__()
        self.hooks, state.saved_tensors_hooks = state.saved_tensors_hooks, ()

    def __exit__(self, *exception: object) -> None:
        super().__exit__()
        state.saved_tensors_hooks = self.hooks


def is_followed() -> bool:
    """Return whether this thread computes tangents, if there is a level."""
    return mode.enabled and not state.inference


def levels() -> tuple[DualLevel, ...]:
    """Return the levels at which this thread computes tangents now."""
    return mode.levels if is_followed() else ()


def tangents_of(one: Any) -> list[tuple[DualLevel, Tensor]]:
    """Return the tangents of a tensor, with the levels at which it has them."""
    found = [(level, level.tangent_of(one)) for level in levels()]
    return [(level, tangent) for level, tangent in found if tangent is not None]


def has_tangent(*values: Any) -> bool:
    """Return whether one of these is a tensor with a tangent, and those are followed now."""
    return any(map(tangents_of, values))


def carry(tensor: Tensor, known: Any, made: Callable[[Any], Any] = lambda tangent: tangent) -> None:
    """Let a tensor have the tangents of what it was made of, or what is made of these."""
    for level, tangent in tangents_of(known):
        with Following(level.around):
            level.keep(tensor, made(tangent))


def with_tangents(tensors: Sequence[Tensor]) -> list[Tensor]:
    """Return tensors with their tangents, and the tangents of these."""
    found = list(tensors)
    for level, tangent in [pair for one in tensors for pair in tangents_of(one)]:
        with Following(level.around):
            found += with_tangents([tangent])
    return found


def differentiable(value: Any) -> bool:
    """Return whether something is a tensor that can have a tangent."""
    return isinstance(value, Tensor) and value.is_floating_point()


def flat(values: Iterable[Any]) -> list[Tensor]:
    """Return the tensors among some values, also in lists."""
    every = [one for some in values for one in (some if type(some) in (list, tuple) else [some])]
    return [one for one in every if isinstance(one, Tensor)]
