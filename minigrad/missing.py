"""Names that minigrad doesn't have: one error for all of them, which says what is near."""

from __future__ import annotations

import difflib
import functools
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

REASON = "minigrad is the part of PyTorch that its lessons use, so PyTorch may have it"


def missing_name(owner: str, name: str, has_names: Any) -> AttributeError:
    """Return the error for a name that `owner` doesn't have.

    It begins with PyTorch's own text and continues with names from ``dir(has_names)`` that are
    near. If one of these differs in upper and lower case only, it must be the one that was meant.
    Otherwise PyTorch may have what minigrad leaves out. Names that begin with an underscore get
    PyTorch's text alone: Python, numpy and Jupyter try many of them by themselves.

    >>> from types import SimpleNamespace
    >>> print(missing_name("module 'torch.nn'", "linear", SimpleNamespace(Linear=0, Tanh=1)))
    module 'torch.nn' has no attribute 'linear'. Near it: Linear.
    """
    text = f"{owner} has no attribute '{name}'"
    if not name.startswith("_"):
        near = near_names(name, tuple(dir(has_names)))
        text += f". Near it: {', '.join(near)}" if near else ""
        text += "." if name.lower() in (one.lower() for one in near) else f". {REASON}."
    return AttributeError(text, name=name)


@functools.cache  # programs ask for a name with hasattr() again and again
def near_names(name: str, names: tuple[str, ...]) -> list[str]:
    """Return at most three names: the same in other letters, or longer ones, or similar ones."""
    lower, public = name.lower(), [one for one in names if not one.startswith("_")]
    by_lower = {one.lower(): one for one in public}
    same = [one for one in public if one.lower() == lower]
    longer = [one for one in public if one.lower().startswith(lower) and len(name) > 2]
    similar = difflib.get_close_matches(lower, by_lower, n=3, cutoff=0.7)
    return same or longer[:3] or [by_lower[one] for one in similar]


def module_hooks(
    module: str, names: Sequence[str]
) -> tuple[Callable[[], list[str]], Callable[[str], NoReturn]]:
    """Return the `__dir__` and `__getattr__` of a module whose public names are `names`.

    ``dir`` lists these names alone, without what the module imports for its own use.
    """
    owner = f"module '{module.replace('minigrad', 'torch', 1)}'"

    def __dir__() -> list[str]:
        return sorted(names)

    def __getattr__(name: str) -> NoReturn:
        raise missing_name(owner, name, sys.modules[module])

    return __dir__, __getattr__
