"""The names that the reference documents one by one."""

from __future__ import annotations

import inspect

import minigrad


def function_names() -> list[str]:
    """The functions of `minigrad`, without in-place forms of others."""
    public = [name for name in dir(minigrad) if inspect.isfunction(getattr(minigrad, name))]
    return [name for name in public if name.rstrip("_") == name or name.rstrip("_") not in public]
