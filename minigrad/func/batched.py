"""Tensors that stand for many of the same shape, and the mode in which `vmap` computes with them.

A `Batched` tensor looks like one of its slices. It has no memory of its own, only a tensor with one
more dimension in front, so nothing computes with it but the mode, which sees every public call: by
a rule for all slices at once (`minigrad.func.rules`), else slice by slice. One mode within another
sees the inner one's tensors: each level is answered for with the outer ones still asked.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np

from minigrad.autograd.grad_mode import state
from minigrad.c_code import disabled_torch_function
from minigrad.overrides import TorchFunctionMode
from minigrad.overrides.asking import modes
from minigrad.overrides.watching import leave, watch
from minigrad.tensor import Tensor

ITEM = (
    "vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling "
    ".item() on a Tensor, please try to rewrite what you're doing with other operations. If error "
    "is occurring somewhere inside PyTorch internals, please file a bug report."
)
ESCAPED = (
    "Either your tensor may have escaped from inside a function being vmapped and this is a user "
    "error (see https://pytorch.org/functorch/stable/ux_limitations.html), or there is an internal "
    "functorch error in `gen_vmap_plumbing` Please file an issue if it looks like the latter"
)


class Batched(Tensor):
    """A tensor within `vmap`: `batch` holds its slices, along the first dimension."""

    __torch_function__ = disabled_torch_function  # type: ignore[assignment]  # the mode answers
    batch: Any
    vmap: Vmap
    in_dim = 0  # where the slices lie in the input of `vmap` that it stands for

    @property
    def _value(self) -> Any:
        """Elements that stand for a slice's while arguments are checked, by shape and dtype.

        Raises:
            RuntimeError: if somebody wants to compute with them.
        """
        if modes.checking:
            like = self.batch._value
            return np.broadcast_to(np.zeros((), like.dtype), like.shape[1:])
        raise RuntimeError(ITEM if self.vmap in active() else ESCAPED)

    def apply_custom(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return what a function with a derivative of its own gives."""
        inner = max([one.vmap for one in args if type(one) is Batched], key=attrgetter("level"))
        return inner.custom(inner, function, args, kwargs)

    def like(self, batch: Any) -> Batched:
        """Return other slices of the same `vmap`, in the place of these."""
        one = self.vmap.of(batch)
        one.in_dim = self.in_dim
        return one


# What users see of it.
Batched.__name__ = Batched.__qualname__ = Tensor.__name__
Batched.__module__ = Tensor.__module__


class Vmap(TorchFunctionMode):
    """Answers for the tensors of one `vmap` while its function runs."""

    def __init__(
        self,
        size: int,
        randomness: str,
        answer: Callable[..., Any],
        custom: Callable[..., Any],
    ) -> None:
        self.size, self.randomness, self.answer, self.custom = size, randomness, answer, custom
        self.level = 1 + state.transforms

    def __enter__(self) -> Vmap:
        watch()
        modes.beneath.append(self)
        state.transforms += 1
        return self

    def __exit__(self, *exception: object) -> None:
        state.transforms -= 1
        modes.beneath.remove(self)
        leave()

    def of(self, batch: Any) -> Batched:
        """Return the tensor whose slices are those of another along its first dimension."""
        one: Batched = object.__new__(Batched)
        one.batch, one.vmap = batch, self
        return one

    def has(self, one: Any) -> bool:
        """Return whether something is a tensor of this `vmap`, not of one around it."""
        return type(one) is Batched and one.vmap is self

    def batch_of(self, one: Any) -> Any:
        """Return the slices of a tensor: the same for all, if it is none of this `vmap`."""
        return one.batch if self.has(one) else one.expand(self.size, *one.shape)

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        return self.answer(self, func, args, kwargs or {})


def active() -> list[Vmap]:
    """Return those that are mapping, the innermost last."""
    return [mode for mode in modes.beneath if isinstance(mode, Vmap)]


def plain(one: Any) -> Any:
    """Return the tensor that holds all slices, of all levels."""
    while type(one) is Batched:
        one = one.batch
    return one


def spread(one: Tensor) -> Tensor:
    """Return a tensor as one of every `vmap` around: each slice has a gradient of its own."""
    return spread_over(one, active())


def spread_over(one: Tensor, vmaps: list[Vmap]) -> Tensor:
    """Return a tensor as one of each of these."""
    if not vmaps:
        return one
    *outer, vmap = vmaps
    every = spread_over(vmap.batch_of(one), outer)
    return one.like(every) if isinstance(one, Batched) and vmap.has(one) else vmap.of(every)
