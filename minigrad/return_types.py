"""The types of results with several named parts, by the names of what returns them."""

from __future__ import annotations

import functools
from operator import itemgetter
from typing import Any, NoReturn


@functools.cache
def result_type(name: str, fields: str) -> Any:
    """Make the type of a result with several named parts, which is made of a tuple of them.

    It prints as PyTorch's, and is found in this module from then on.
    """
    names = fields.split()

    def text(self: Any) -> str:
        parts = ",\n".join(f"{one}={getattr(self, one)!r}" for one in names)
        return f"torch.return_types.{name}(\n{parts})"

    def miss(self: Any, attribute: str) -> NoReturn:
        raise AttributeError(f"'torch.return_types.{name}' object has no attribute '{attribute}'")

    def reduced(self: Any) -> tuple[Any, ...]:
        return _made, (name, fields, tuple(self))

    parts = {one: property(itemgetter(place)) for place, one in enumerate(names)}
    special = {"__repr__": text, "__getattr__": miss, "__reduce__": reduced}
    members = {"__slots__": (), "__module__": "torch.return_types", **special, **parts}
    kind = globals()[name] = type(name, (tuple,), members)
    return kind


def _made(name: str, fields: str, parts: tuple[Any, ...]) -> Any:
    return result_type(name, fields)(parts)
