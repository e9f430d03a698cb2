"""What messages call a thing, and classes that call themselves PyTorch's."""

from __future__ import annotations

from typing import Any

from minigrad.pickling import PickledFromHere
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


class NamedAsInTorch(PickledFromHere):
    """A base whose subclasses in this package say that they are where PyTorch has them."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.__module__.startswith(
            ("minigrad.distributions.", "minigrad.nn.", "minigrad.optim.")
        ):
            cls.__module__ = "torch" + cls.__module__.removeprefix("minigrad")
