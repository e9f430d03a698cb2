"""What programs ask of PyTorch's compiler for scripts: minigrad compiles nothing.

What is given to it comes back as it is, and runs as Python, at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NoReturn, TypeVar

from minigrad.nn import Module
from minigrad.outside import warn

__all__ = [
    "Final", "ScriptModule", "annotate", "export", "ignore", "is_scripting", "is_tracing",
    "script", "script_if_tracing", "unused",
]  # fmt: skip

T = TypeVar("T")


def is_scripting() -> bool:
    """Return False: what runs is never compiled.

    >>> import minigrad as torch
    >>> torch.jit.is_scripting()
    False
    """
    return False


def is_tracing() -> bool:
    """Return False: nothing is traced."""
    return False


def script(obj: T, optimize: None = None, **options: Any) -> T:
    """Return a function, a class or a module as it is, with PyTorch's warning.

    Raises:
        TypeError: if it is none of them.
    """
    warn(
        "`torch.jit.script` is deprecated. Please switch to `torch.compile` or `torch.export`.",
        DeprecationWarning,
    )
    if not callable(obj):
        raise TypeError(f"{type(obj)} is a built-in class")
    return obj


def script_if_tracing(fn: T) -> T:
    """Return a function as it is: nothing is traced."""
    return fn


def ignore(drop: Any = False, **kwargs: Any) -> Any:
    """Return a function as it is; or, from options, what does so.

    Raises:
        RuntimeError: if `drop` is neither a function nor a bool.

    >>> import minigrad as torch
    >>> @torch.jit.ignore
    ... def double(x: torch.Tensor) -> torch.Tensor:
    ...     return 2 * x
    >>> double(torch.ones(2))
    tensor([2., 2.])
    """
    if callable(drop):
        return drop
    if not isinstance(drop, bool):
        raise RuntimeError(
            f"Argument to @torch.jit.ignore must be a bool or a function but got {drop}"
        )
    return script_if_tracing


def unused(fn: T) -> T:
    """Return a function, or a property, as it is."""
    return fn


def export(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function as it is."""
    return fn


def annotate(the_type: Any, the_value: T) -> T:
    """Return a value as it is."""
    return the_value


class ScriptModule(Module):
    """What a compiled module would be: none is.

    Raises:
        NotImplementedError: always.
    """

    def __init__(self) -> NoReturn:
        raise NotImplementedError("minigrad compiles nothing: derive from torch.nn.Module")
