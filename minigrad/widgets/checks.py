"""Errors for arguments that an instrument can't work with."""

from collections.abc import Callable, Collection
from typing import Any

from minigrad.viz.read.protocol import is_tensor


def check_choice(name: str, value: object, options: Collection[str]) -> None:
    """ValueError, naming the options, for a value that isn't one of them."""
    if value not in options:
        raise ValueError(f"{name} must be one of {', '.join(options)}, but got {value!r}")


def check_range(name: str, value: int, low: int, high: int) -> None:
    """ValueError for a value that isn't between these two."""
    if not low <= value <= high:
        raise ValueError(f"{name} must be from {low} to {high}, but got {value}")


def check_tensor(name: str, value: Any) -> Any:
    """The value; TypeError if it isn't a tensor."""
    if not is_tensor(value):
        raise TypeError(f"{name} must be a tensor, but is {type(value).__name__}")
    return value


def call_on_leaf(name: str, f: Callable[[Any], Any], x: Any) -> tuple[Any, Any]:
    """A copy of ``x`` that requires grad, and ``f`` of it.

    TypeError if that isn't a tensor, ValueError if no gradient leads back from it.
    """
    leaf = x.detach().clone().requires_grad_()
    result = check_tensor(f"{name}(x)", f(leaf))
    if not result.requires_grad:
        raise ValueError(f"no gradient leads back from {name}(x)")
    return leaf, result
