"""What messages call a thing, and classes that call themselves PyTorch's."""

from __future__ import annotations

import importlib
from typing import Any

from minigrad.tensor import Tensor


def typename(obj: Any, /) -> str:
    """Return the name of an object's type, with its module; of a class or function its own name.

    >>> import minigrad as torch
    >>> torch.typename(torch.ones(1)), torch.typename(1.5), torch.typename(torch.nn.Linear)
    ('torch.FloatTensor', 'float', 'torch.nn.modules.linear.Linear')
    """
    if isinstance(obj, Tensor):
        name: str = obj.type()
        return name
    if not hasattr(obj, "__qualname__") and not hasattr(obj, "__name__"):
        obj = type(obj)
    name = getattr(obj, "__qualname__", "") or obj.__name__
    module = getattr(obj, "__module__", "") or ""
    return name if module in ("", "builtins") else f"{module}.{name}"


class NamedAsInTorch:
    """A base whose subclasses in this package say that they are where PyTorch has them.

    Pickle finds them where they are all the same.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.__module__.startswith(
            ("minigrad.distributions.", "minigrad.nn.", "minigrad.optim.")
        ):
            cls.__module__ = "torch" + cls.__module__.removeprefix("minigrad")

    def __reduce_ex__(self, protocol: Any) -> Any:
        made, kind = self.reduced(protocol), type(self)
        if not kind.__module__.startswith("torch."):
            return made
        return (unpickled, (where(kind.__module__), kind.__qualname__), *made[2:])

    def reduced(self, protocol: Any) -> Any:
        """Return what pickle writes of any object: its class, and its state."""
        return super().__reduce_ex__(protocol)


def where(module: str) -> str:
    """Return the module of minigrad that has what PyTorch has in this one."""
    return "minigrad" + module.removeprefix("torch") if module.startswith("torch.") else module


def unpickled(module: str, name: str) -> Any:
    """Return an object, as yet empty, of a class of minigrad's."""
    made = getattr(importlib.import_module(module), name)
    return made.__new__(made)
