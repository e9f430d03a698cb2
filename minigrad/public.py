"""How functions become public: ``torch.exp``, ``Tensor.exp`` and ``Tensor.exp_``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minigrad.modes import Function, overridable
from minigrad.tensor import Tensor

functions: dict[str, Callable[..., Any]] = {}  # what `torch` offers, by name


def public(names: str, variants: str = "function method") -> Callable[[Function], Function]:
    """Make a plain function known under public names, in the forms that `variants` lists.

    The function itself is returned, so calls within the engine take no detour. Users get one that
    accepts PyTorch's other parameter names and that function modes see.
    """

    def decorate(function: Function) -> Function:
        call = overridable(function)
        call.__name__ = call.__qualname__ = function.__qualname__ = names.split()[0]
        publish(call, names, variants)
        return function

    return decorate


def publish(call: Callable[..., Any], names: str, variants: str) -> None:
    """Put a function where users find it: in `torch`, on Tensor, and on Tensor with a `_`."""
    for name in names.split():
        if "function" in variants:
            functions[name] = call
        if "method" in variants:
            setattr(Tensor, name, call)
        if "inplace" in variants:
            setattr(Tensor, f"{name}_", in_place(call, f"{name}_"))


def in_place(call: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The in-place method: the operation, copied over (see `views.overwrite`)."""

    def method(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        if not self._edge_is_current and self.requires_grad:
            self._check_in_place()
        return self._overwrite(call(self, *args, **kwargs))

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"`{call.__name__}` in place: the tensor takes the result and its history."
    return overridable(method)
