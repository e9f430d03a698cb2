"""The one device there is."""

from __future__ import annotations

from typing import Any


class device:
    """Where a tensor's memory is: ``device(type='cpu')``.

    Raises:
        RuntimeError: for any device but the cpu.
    """

    __slots__ = ("index", "type")
    __module__ = "torch"

    def __init__(self, type: str | device, index: int | None = None) -> None:
        name, _, number = str(type).partition(":")
        if name != "cpu":
            raise RuntimeError(f"minigrad computes on the cpu alone, not on {type}")
        self.type = name
        self.index = int(number) if number else index

    def __repr__(self) -> str:
        number = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{number})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, device) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[Any, ...]:
        # As `torch`, the module that it names, is another's, pickle is given a function.
        return _rebuilt, (self.type, self.index)


def _rebuilt(type: str, index: int | None) -> device:
    return device(type, index)


CPU = device("cpu")
