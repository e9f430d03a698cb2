"""Variable: what tensors that require grad were called before PyTorch 0.4."""

from __future__ import annotations

from collections.abc import Callable
from operator import index as as_index
from typing import Any

import numpy as np

from minigrad.autograd.grad_mode import state
from minigrad.outside import warn
from minigrad.subclasses import WITHOUT_GRADIENTS
from minigrad.tensor import Tensor, from_array


class _VariableMeta(type):
    def __instancecheck__(cls, other: Any) -> bool:
        return isinstance(other, Tensor)


class _EngineBase:
    """What runs backward passes, as far as hooks may want to speak to it."""

    __module__ = "torch._C"

    def queue_callback(self, callback: Callable[[], Any]) -> None:
        """Call a function at the end of the backward pass that is running in this thread.

        Raises:
            RuntimeError: if none is running.
        """
        walk = state.walk
        if walk is None:
            raise RuntimeError("Final callbacks can only be installed during backward pass.")
        walk.callbacks = walk.callbacks or []
        walk.callbacks.append(callback)


class Variable(metaclass=_VariableMeta):
    """``Variable(tensor)`` is a new leaf of the same memory; every Tensor is an instance.

    >>> import minigrad as torch
    >>> torch.autograd.Variable(torch.ones(2), requires_grad=True)
    tensor([1., 1.], requires_grad=True)
    """

    __module__ = "torch.autograd.variable"
    _execution_engine = _EngineBase()

    def __new__(cls, data: Any = None, requires_grad: bool = False, volatile: bool = False) -> Any:
        if volatile:
            text = (
                "volatile was removed and now has no effect. Use `with torch.no_grad():` instead."
            )
            warn(text)
        if data is None:
            data = from_array(np.empty(0, np.float32))
        if not isinstance(data, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        if requires_grad and not data.is_floating_point():
            raise RuntimeError(WITHOUT_GRADIENTS)
        return data.detach().requires_grad_(bool(as_index(requires_grad)))


def variable(*arguments: Any, **keywords: Any) -> Any:
    """Raise: PyTorch has it no more.

    Raises:
        RuntimeError: always.
    """
    raise RuntimeError("torch.autograd.variable(...) is deprecated, use torch.tensor(...) instead")


variable.Variable = Variable  # type: ignore[attr-defined]
