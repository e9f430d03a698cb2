"""Answers that are chosen: one of several options, or any number of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from minigrad.viz.backward.answers import AnswerKind

NONE = "none of them"  # of the options
_NOTHING = "Choose an answer first."


@dataclass(frozen=True)
class Choice(AnswerKind):
    """One of several options, given as its text or, for yes and no, as a bool.

    >>> Choice(("True", "False")).read(True)
    'True'
    >>> Choice(("falls", "stays")).read("")
    Traceback (most recent call last):
    ValueError: Choose an answer first.
    """

    options: tuple[str, ...]

    def read(self, prediction: Any) -> str:
        wanted = str(prediction).strip().casefold()
        for option in self.options:
            if option.casefold() == wanted:
                return option
        raise ValueError(_choose("one", self.options) if wanted else _NOTHING)

    def show(self, value: Any) -> str:
        """More than a word is in quotation marks, which set it off from the rest."""
        return f"“{value}”" if " " in value else str(value)


@dataclass(frozen=True)
class Subset(AnswerKind):
    """Any number of the options. "None of them" is an answer, too, but has to be given.

    >>> Subset(("w", "b")).show(Subset(("w", "b")).read(["b"]))
    'b'
    >>> Subset(("w", "b")).show(Subset(("w", "b")).read("none of them"))
    'none'
    """

    options: tuple[str, ...]

    def read(self, prediction: Any) -> frozenset[str]:
        if isinstance(prediction, str):
            words = [word.strip() for word in prediction.split(",") if word.strip()]
            if not words:
                raise ValueError(_NOTHING)
            none = len(words) == 1 and words[0].casefold() in ("none", NONE)
            prediction = [] if none else words
        chosen = frozenset(map(str, prediction)) if isinstance(prediction, Iterable) else None
        if chosen is None or chosen - {*self.options}:
            raise ValueError(_choose("any", self.options))
        return chosen

    def show(self, value: Any) -> str:
        return ", ".join(option for option in self.options if option in value) or "none"


def _choose(how_many: str, options: tuple[str, ...]) -> str:
    return f"Choose {how_many} of these: {', '.join(options)}."
