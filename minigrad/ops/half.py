"""How float16 is computed with, as in PyTorch: in float32, and rounded once at the end."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

Forward = TypeVar("Forward", bound=Callable[..., Any])

HALF, SINGLE = np.dtype(np.float16), np.dtype(np.float32)


def rounded_once(forward: Forward) -> Forward:
    """Let a forward function of several steps compute in float32 where its first array is float16.

    numpy's own functions do so by themselves, but each of them rounds.
    """
    forward.in_single = True  # type: ignore[attr-defined]
    return forward


def in_single(forward: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that does so."""

    def apply(*arguments: Any) -> Any:
        if arguments[0].dtype is not HALF:
            return forward(*arguments)
        return once(forward, *arguments)

    return functools.update_wrapper(apply, forward)


def once(forward: Callable[..., Any], *arguments: Any) -> Any:
    """Return what a function computes in float32 of float16 arrays, as float16."""
    return halved(forward(*map(widened, arguments)))


def widened(value: Any) -> Any:
    """Return a float16 array as float32, and anything else as it is."""
    return value.astype(SINGLE) if getattr(value, "dtype", None) is HALF else value


def halved(value: Any) -> Any:
    """Return a float32 array, or each of several, as float16, and anything else as it is."""
    if isinstance(value, tuple):
        return tuple(map(halved, value))
    return value.astype(HALF) if getattr(value, "dtype", None) is SINGLE else value
