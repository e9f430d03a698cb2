"""One rule: what an operation computes, and what it passes back."""

from collections.abc import Mapping
from typing import NamedTuple


class Rule(NamedTuple):
    """What an operation computes, and for each of its inputs what is passed back to it.

    sign: what a picture writes large on the operation. inputs: what the formulas call the inputs
    that can get a gradient. says: what each of them gets, in words with ``{}`` for its name, where
    a formula is harder to read.
    """

    sign: str
    forward: str
    inputs: tuple[str, ...]
    backward: Mapping[str, str]
    says: str


def rules(inputs: str, says: str = "", /, **declared: tuple[str, ...]) -> dict[str, Rule]:
    """Rules of operations with the same inputs: sign, forward, and a formula for each input."""
    names = tuple(inputs.split())
    return {
        name: Rule(sign, forward, names, dict(zip(names, backward, strict=False)), says)
        for name, (sign, forward, *backward) in declared.items()
    }
