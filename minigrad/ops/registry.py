"""The names that users see, collected while `minigrad.ops` and its like are imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

Operation = Callable[..., Any]


class Public(NamedTuple):
    """A name that users see, and in which forms: "function", "method", "inplace"."""

    name: str
    function: Operation
    variants: frozenset[str]


registry: list[Public] = []


def public(name: str, variants: str = "function method") -> Callable[[Operation], Operation]:
    """Declare a Python function, composed of operations, to be one that users see.

    `variants` says as what: "function" (torch.NAME), "method" (Tensor.NAME), "inplace"
    (Tensor.NAME_), divided by blanks.
    """

    def register(function: Operation) -> Operation:
        registry.append(Public(name, function, frozenset(variants.split())))
        return function

    return register
