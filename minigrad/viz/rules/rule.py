"""One rule: what an operation computes, and what it passes back."""

from collections.abc import Mapping
from typing import NamedTuple


class Rule(NamedTuple):
    """The forward formula, for each input what is passed back to it, and both in mathematics."""

    forward: str
    backward: Mapping[str, str]
    mathematics: str


def of_one(rules: Mapping[str, tuple[str, str, str]]) -> dict[str, Rule]:
    """Rules for operations of one input: forward, backward, mathematics."""
    return {
        name: Rule(forward, {"self": backward}, mathematics)
        for name, (forward, backward, mathematics) in rules.items()
    }
