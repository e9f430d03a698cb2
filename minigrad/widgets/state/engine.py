"""The package that a tensor belongs to: minigrad, PyTorch, or whatever speaks the protocol."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


def package_of(tensor: Any) -> ModuleType:
    """The imported package whose ``Tensor`` this is."""
    for name, module in list(sys.modules.items()):
        is_package = "." not in name and hasattr(module, "__path__")
        kind = vars(module).get("Tensor") if is_package else None
        if isinstance(kind, type) and isinstance(tensor, kind):
            return module
    raise TypeError(f"no imported package has tensors of type {type(tensor).__name__}")
