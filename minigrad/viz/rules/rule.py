"""One rule: what an operation computes, and what it passes back."""

import re
from collections.abc import Mapping
from typing import NamedTuple

# Which letters stand for inputs whose derivative is not written with its letter.
_USUAL = {"self": "x", "other": "z", "target": "t", "weight": "w"}


class Rule(NamedTuple):
    """The forward formula, for each input what is passed back to it, and both in mathematics.

    sign: what a picture writes large on the operation.
    """

    sign: str
    forward: str
    backward: Mapping[str, str]
    mathematics: str

    @property
    def letters(self) -> str:
        """What the letters in the mathematics are."""
        differentiated = list(dict.fromkeys(re.findall(r"∂L/∂(\w)", self.mathematics)))
        letters = dict(_USUAL)
        if len(differentiated) == len(self.backward):
            letters = dict(zip(self.backward, differentiated, strict=True))
        result, _, rest = self.mathematics.partition(" ")
        arriving = "g" if result.islower() else "G"
        inputs = [
            f"{letters[name]} is {name}"
            for name in self.backward
            if re.search(rf"\b{letters.get(name)}", rest)
        ]
        return ", ".join(
            [*inputs, f"{result[0]} the result", f"{arriving} = ∂L/∂{result[0]} what arrives"]
        )


def of_one(rules: Mapping[str, tuple[str, str, str, str]]) -> dict[str, Rule]:
    """Rules for operations of one input: sign, forward, backward, mathematics."""
    return {
        name: Rule(sign, forward, {"self": backward}, mathematics)
        for name, (sign, forward, backward, mathematics) in rules.items()
    }
