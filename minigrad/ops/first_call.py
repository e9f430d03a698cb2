"""A function that is compiled when it is first called."""

from __future__ import annotations

import functools
import inspect
import threading
import types
from collections.abc import Callable
from typing import Any

from minigrad.ops.registry import Operation

# Held by whoever exchanges the code of functions.
exchanging = threading.RLock()


def waiting(*arguments: Any, **keywords: Any) -> Any:
    """Run as the code of every function that was not called yet; it has globals of its own."""
    __tracebackhide__ = True  # a notebook's tracebacks leave it out
    complete(call, make)  # type: ignore[name-defined]  # noqa: F821
    return call(*arguments, **keywords)  # type: ignore[name-defined]  # noqa: F821


def on_first_call(like: Operation, make: Callable[..., Operation], *given: Any) -> Operation:
    """Return a function that becomes, when it is first called, the one that `make(*given)` returns.

    It keeps its identity, with the name and documentation of `like`; help shows what that takes.
    What `make` returns must have no closure: a function's code can be exchanged, but not that.
    """
    scope: dict[str, Any] = {"complete": complete, "make": functools.partial(make, *given)}
    call = scope["call"] = types.FunctionType(waiting.__code__, scope, like.__name__)
    call.__module__, call.__qualname__ = like.__module__, like.__qualname__
    call.__doc__ = like.__doc__
    call.__wrapped__ = like  # type: ignore[attr-defined]
    call.__signature__ = SignatureOf(like)  # type: ignore[attr-defined]
    return call


class SignatureOf(inspect.Signature):
    """What a function takes, looked up when it is asked for: of another whose code may change."""

    def __init__(self, function: Operation) -> None:
        self.function = function

    @functools.cached_property
    def _parameters(self) -> Any:
        return inspect.signature(self.function).parameters

    @functools.cached_property
    def _return_annotation(self) -> Any:
        return inspect.signature(self.function).return_annotation

    def replace(self, **changes: Any) -> Any:
        """Return another signature, as those of bound methods are."""
        parameters = list(self.parameters.values())
        known = inspect.Signature(parameters, return_annotation=self.return_annotation)
        return known.replace(**changes)

    def __reduce__(self) -> Any:
        return self.replace().__reduce__()


def complete(call: Any, make: Callable[[], Operation]) -> None:
    """Make `call` what `make` returns, unless its code was exchanged meanwhile."""
    made = make()
    with exchanging:
        if call.__code__ is waiting.__code__:
            become(call, made)


def become(call: Any, made: Any) -> None:
    """Let one function do what another does; globals that are not its module's become the same.

    The code comes last: other threads may call it at any time.
    """
    if call.__globals__ is not made.__globals__:
        call.__globals__.update(made.__globals__, call=call)
    call.__defaults__, call.__kwdefaults__ = made.__defaults__, made.__kwdefaults__
    call.__code__ = made.__code__


def twin(function: Any) -> Any:
    """Return another function that does the same, whatever becomes of the first, its `twin_of`."""
    scope = function.__globals__
    apart = scope.get("call") is function
    own = types.FunctionType(
        function.__code__,
        dict(scope) if apart else scope,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    own.__qualname__, own.__kwdefaults__ = function.__qualname__, function.__kwdefaults__
    own.twin_of = function  # type: ignore[attr-defined]
    if apart:
        own.__globals__["call"] = own
    return own
