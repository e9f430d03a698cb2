"""Handles of hooks, as PyTorch has them in the namespace ``torch.utils.hooks``."""

from typing import TypeVar

from minigrad.autograd.hooks import RemovableHandle as RemovableHandle
from minigrad.copying import warn_if_has_hooks as warn_if_has_hooks

Hook = TypeVar("Hook")


def unserializable_hook(f: Hook) -> Hook:
    """Decorate a hook of which pickle does not warn that it is left out."""
    f.__torch_unserializable__ = True  # type: ignore[attr-defined]
    return f
