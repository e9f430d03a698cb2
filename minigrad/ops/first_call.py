"""A function that is compiled when it is first called."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from minigrad.ops.registry import Operation


def waiting(*arguments: Any, **keywords: Any) -> Any:
    """Run as the code of every function that was not called yet; it has globals of its own."""
    complete()  # type: ignore[name-defined]  # noqa: F821
    return call(*arguments, **keywords)  # type: ignore[name-defined]  # noqa: F821


def on_first_call(like: Operation, make: Callable[[], Operation]) -> Operation:
    """Return a function that becomes, when it is first called, the one that `make` returns.

    It keeps its identity, with the name and documentation of `like`; help shows what that takes.
    What `make` returns must have no closure: a function's code can be exchanged, but not that.
    """
    scope: dict[str, Any] = {}
    call = types.FunctionType(waiting.__code__, scope, like.__name__)

    def complete() -> None:
        made = make()
        scope.update(made.__globals__)
        call.__defaults__, call.__kwdefaults__ = made.__defaults__, made.__kwdefaults__
        scope["call"] = call
        call.__code__ = made.__code__

    scope["complete"], scope["call"] = complete, call
    call.__module__, call.__qualname__ = like.__module__, like.__qualname__
    call.__doc__ = like.__doc__
    call.__wrapped__ = like  # type: ignore[attr-defined]
    return call
