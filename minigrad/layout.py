"""How a tensor's elements lie in memory, by PyTorch's names: layouts and memory formats."""

from __future__ import annotations

from typing import Any


class layout:
    """A way to keep elements: ``torch.strided`` is the only one of minigrad."""

    __module__ = "torch"

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"torch.{self.name}"


class memory_format(layout):
    """An order of elements in memory."""

    __module__ = "torch"


strided = layout("strided")
contiguous_format = memory_format("contiguous_format")
preserve_format = memory_format("preserve_format")


def check_format(given: Any) -> None:
    """Refuse what is no memory format: the caller's call says it in PyTorch's words."""
    if not isinstance(given, memory_format):
        raise TypeError(f"{given} is not a memory format")
