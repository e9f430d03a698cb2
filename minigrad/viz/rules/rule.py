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

    @property
    def number_first(self) -> bool:
        """Whether a plain number stands before the sign: ``1 - x`` begins with what is no input."""
        return not self.forward.startswith(self.inputs)


def rules(inputs: str, **declared: tuple[str, ...]) -> dict[str, Rule]:
    """Rules of operations with the same inputs: sign, forward, a formula for each input, words.

    Either of the last two may be left out. Words have ``{}`` in them.
    """
    names = tuple(inputs.split())
    found = {}
    for name, (sign, forward, *more) in declared.items():
        says = "".join(text for text in more if "{}" in text)
        formulas = [text for text in more if "{}" not in text]
        backward = dict(zip(names, formulas, strict=False))
        found[name] = Rule(sign, forward, names, backward, says)
    return found
