"""Subclasses of Tensor: what they answer for the calls that their tensors are arguments of."""

from __future__ import annotations

import importlib
from typing import Any

from minigrad.autograd.bridge import tensors
from minigrad.c_code import disabled_torch_function


class Subclassed:
    """What Tensor has for its subclasses."""

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        answer = getattr(cls, "__torch_function__", None)
        if hasattr(tensors, "type") and answer is not disabled_torch_function:
            importlib.import_module("minigrad.overrides").watch_type(cls)

    @classmethod
    def __torch_function__(
        cls, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Answer a call that a tensor of a subclass is an argument of."""
        overrides = importlib.import_module("minigrad.overrides")
        return overrides.subclass_answers(cls, func, types, args, kwargs)

    @staticmethod
    def _make_subclass(cls: Any, data: Any, require_grad: bool = False) -> Any:
        """Return a leaf of a class that shares the memory of a tensor.

        Raises:
            RuntimeError: if it is to require grad and is not of floating point dtype.
            TypeError: if it is no class of tensors, `data` no tensor, or `require_grad` no bool.
        """
        if not isinstance(cls, type):
            raise TypeError(f"cls must be a type (got {type(cls).__name__})")
        if not isinstance(data, tensors.type):
            raise TypeError(
                "_make_subclass(): argument 'data' (position 2) must be Tensor, not "
                f"{type(data).__name__}"
            )
        if not issubclass(cls, tensors.type):
            raise TypeError(NO_TENSORS)
        if not isinstance(require_grad, bool):
            raise TypeError(
                "_make_subclass(): argument 'require_grad' (position 3) must be bool, not "
                f"{type(require_grad).__name__}"
            )
        tensor = data._alias()
        if require_grad and tensor._array.dtype.kind != "f":
            raise RuntimeError(WITHOUT_GRADIENTS)
        tensor._require_grad(require_grad)
        tensor.__class__ = cls
        return tensor


WITHOUT_GRADIENTS = "Only Tensors of floating point and complex dtype can require gradients"
NO_TENSORS = (
    "Creating a Tensor subclass from a class that does not inherit from Tensor is not possible. "
    "Make sure your class inherits from Tensor."
)
