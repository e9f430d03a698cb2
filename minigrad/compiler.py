"""What programs ask of PyTorch's compiler: minigrad compiles nothing, and runs all as Python."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

MODES = (
    "default", "lite", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune",
)  # fmt: skip


def is_compiling() -> bool:
    """Return False: what runs is never being compiled.

    >>> import minigrad as torch
    >>> torch.compiler.is_compiling()
    False
    """
    return False


def is_dynamo_compiling() -> bool:
    """Return False, as `is_compiling` does."""
    return False


def is_exporting() -> bool:
    """Return False: nothing is exported."""
    return False


def reset() -> None:
    """Forget what was compiled: nothing was."""


def disable(fn: Any = None, recursive: bool = True, *, reason: str | None = None) -> Any:
    """Return a function as it is; or, without one, what does so.

    Raises:
        AssertionError: if it cannot be called.
    """
    if fn is None:
        return disable
    if not callable(fn):
        raise AssertionError("fn must be callable")
    return fn


def compile(
    model: Any = None,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: str | Callable[..., Any] | None = None,
    mode: str | None = None,
    options: dict[str, Any] | None = None,
    disable: bool = False,
) -> Any:
    """Return a function or a module as it is; or, without one, what does so.

    The options change nothing: all runs as Python, at once.

    Raises:
        RuntimeError: if there is no such mode, or options come with one.
        AssertionError: if the model cannot be called.

    >>> import minigrad as torch
    >>> @torch.compile(fullgraph=True)
    ... def double(x):
    ...     return 2 * x
    >>> double(torch.ones(2))
    tensor([2., 2.])
    """
    if mode is not None and options is not None:
        raise RuntimeError(
            "Either mode or options can be specified, but both can't be specified at the same time."
        )
    if model is None:
        return functools.partial(compile, backend=backend, mode=mode, options=options)
    if mode is not None and mode not in MODES and backend in (None, "inductor"):
        raise RuntimeError(f"Unrecognized mode={mode}, should be one of: {', '.join(MODES)}")
    if not callable(model):
        raise AssertionError(f"A callable function is expected, but {type(model)} is provided.")
    return model
