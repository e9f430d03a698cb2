"""Backward passes within `vmap`: from batched tensors, or to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minigrad.creation import ones_like, zeros_like
from minigrad.func.batched import Vmap
from minigrad.func.slices import stacked_slices
from minigrad.tensor import Tensor

Call = Callable[..., Any]


def gradients(vmap: Vmap, func: Call, args: Any, kwargs: Any) -> Any:
    """Differentiate: at once if all is batched, as slices do not depend on each other.

    Otherwise a pass is made for each slice, as for gradients of what all slices share.
    """
    outputs, inputs = args
    given = kwargs.pop("grad_outputs", None)
    starts = [None] * len(outputs) if given is None else listed(given)
    if all(map(vmap.has, inputs)):
        starts = [start_of(vmap, *pair) for pair in zip(outputs, starts, strict=True)]
        outputs = tuple(map(vmap.batch_of, outputs))
        found = func(outputs, tuple([one.batch for one in inputs]), starts, **kwargs)
        return tuple([None if one is None else vmap.of(one) for one in found])
    whole = [one.batch if vmap.has(one) else one for one in outputs]
    rows = []
    for place in range(vmap.size):
        begin = [start_at(vmap, place, *pair) for pair in zip(outputs, starts, strict=True)]
        ends = tuple([one.batch if vmap.has(one) else one for one in inputs])
        retain = kwargs["retain_graph"] if place == vmap.size - 1 else True
        found = func(whole, ends, begin, **{**kwargs, "retain_graph": retain})
        pairs = zip(found, inputs, strict=True)
        rows.append([g[place] if vmap.has(x) and g is not None else g for g, x in pairs])
    return tuple([stacked_slices(vmap, column) for column in zip(*rows, strict=True)])


def listed(given: Any) -> list[Any]:
    """Return gradients to start with, of which one may be given by itself."""
    return [given] if isinstance(given, Tensor) else list(given)


def start_of(vmap: Vmap, output: Any, start: Any) -> Any:
    """Return the gradient that a pass starts with at all slices of an output.

    Raises:
        RuntimeError: if none is given, and the output has dimensions.
    """
    if start is not None:
        return vmap.batch_of(start)
    if vmap.has(output) and output.batch.ndim == 1:
        return ones_like(output.batch)
    raise RuntimeError("grad can be implicitly created only for scalar outputs")


def start_at(vmap: Vmap, place: int, output: Tensor, start: Any) -> Any:
    """Return the gradient that a pass starts with for one slice."""
    if not vmap.has(output):
        return start.batch[place] if vmap.has(start) else start
    every = start_of(vmap, output, start)
    here = zeros_like(every)
    here[place] = every[place]
    return here


def hooked(vmap: Vmap, func: Call, args: Any, kwargs: Any) -> Any:
    """Let a hook see the gradient of a slice."""
    one, hook = args

    def whole(gradient: Tensor) -> Any:
        with vmap:
            result = hook(vmap.of(gradient))
        return None if result is None else vmap.batch_of(result)

    return func(one.batch, whole, **kwargs)
