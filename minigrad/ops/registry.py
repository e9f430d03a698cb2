"""The names that users see, collected while `minigrad.ops` and its like are imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Operation = Callable[..., Any]
# The names that users see, with their functions, and in which forms: "function", "method",
# "inplace", "property".
registry: list[tuple[str, Operation, frozenset[str]]] = []


def public(name: str, variants: str = "function method") -> Callable[[Operation], Operation]:
    """Declare a Python function, composed of operations, to be one that users see.

    `variants` says as what: "function" (torch.NAME), "method" (Tensor.NAME), "inplace"
    (Tensor.NAME_), divided by blanks.
    """

    def register(function: Operation) -> Operation:
        registry.append((name, function, frozenset(variants.split())))
        return function

    return register
