"""What a prediction looks like: how it is read, shown, and when it is near enough."""

from __future__ import annotations

import ast
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from minigrad.viz.protocol import is_tensor
from minigrad.viz.values import format_number

_LONGEST = 10_000  # characters of a prediction that are read


class Expected(ABC):
    """One kind of prediction."""

    hint: str = ""  # what to type, in a few words

    @abstractmethod
    def read(self, prediction: Any) -> Any:
        """The prediction in its plain form; ValueError, saying what is expected, if it is none."""

    @abstractmethod
    def near(self, prediction: Any, answer: Any) -> bool:
        """Whether what was read is right."""

    def show(self, value: Any) -> str:
        """A prediction or an answer in words."""
        return str(value)


@dataclass(frozen=True)
class Choice(Expected):
    """One of several options, given as its text or, for yes and no, as a bool.

    >>> Choice(("True", "False")).read(True)
    'True'
    >>> Choice(("falls", "stays")).read("grows")
    Traceback (most recent call last):
    ValueError: choose one of: falls, stays; not 'grows'
    """

    options: tuple[str, ...]
    hint = "choose one"

    def show(self, value: Any) -> str:
        """In quotation marks, if it is more than a word, so that it can be told from the rest."""
        return f"“{value}”" if " " in value else str(value)

    def read(self, prediction: Any) -> str:
        wanted = str(prediction).strip().casefold()
        for option in self.options:
            if option.casefold() == wanted:
                return option
        raise ValueError(f"choose one of: {', '.join(self.options)}; not {_quoted(prediction)}")

    def near(self, prediction: Any, answer: Any) -> bool:
        return bool(prediction == answer)


@dataclass(frozen=True)
class Subset(Expected):
    """Any number of the options, none of them included.

    >>> Subset(("w", "b")).show(Subset(("w", "b")).read(["b"]))
    'b'
    >>> Subset(("w", "b")).show(Subset(("w", "b")).read("none"))
    'none'
    """

    options: tuple[str, ...]
    hint = "choose any number of them"

    def read(self, prediction: Any) -> frozenset[str]:
        given = _split(prediction) if isinstance(prediction, str) else prediction
        if not isinstance(given, Iterable):
            raise ValueError(f"choose any of: {self._listed}; not {_quoted(prediction)}")
        chosen = frozenset(str(item).strip() for item in given)
        unknown = chosen - {*self.options}
        if unknown:
            raise ValueError(f"choose any of: {self._listed}; not {_quoted(min(unknown))}")
        return chosen

    def near(self, prediction: Any, answer: Any) -> bool:
        return frozenset(prediction) == frozenset(answer)

    def show(self, value: Any) -> str:
        return ", ".join(option for option in self.options if option in value) or "none"

    @property
    def _listed(self) -> str:
        return ", ".join(self.options)


@dataclass(frozen=True)
class Numbers(Expected):
    """A number, or numbers nested as a tensor of this shape is; None too where ``or_none``.

    Given as text (``1.5, 2``), a list, an array or a tensor. One number stands for all, in any
    shape. Near enough is what differs by less than ``relative`` of the answer, or ``absolute``.

    >>> Numbers((2,)).read("1, 2.5")
    [1.0, 2.5]
    >>> Numbers((2,)).read("1, 2, 3")
    Traceback (most recent call last):
    ValueError: 2 numbers are asked for, such as 1, 1; not '1, 2, 3'
    """

    shape: tuple[int, ...] = ()
    or_none: bool = False
    relative: float = 0.01
    absolute: float = 0.005

    @property
    def hint(self) -> str:  # type: ignore[override]
        example = self._example
        return f"such as {example}" + (", or None" if self.or_none else "")

    def read(self, prediction: Any) -> Any:
        given = self._parsed(prediction)
        if given is None and self.or_none:
            return None
        numbers = _flat(given)
        size = math.prod(self.shape)
        if numbers is not None and len(numbers) == 1:
            numbers = numbers * size
        if numbers is None or len(numbers) != size:
            raise ValueError(f"{self._asked}, {self.hint}; not {_quoted(prediction)}")
        return _nested(numbers, self.shape)

    def near(self, prediction: Any, answer: Any) -> bool:
        if prediction is None or answer is None:
            return prediction is None and answer is None
        said, true = _flat(_plain(prediction)), _flat(_plain(answer))
        if said is None or true is None or len(said) != len(true):
            return False
        return all(map(self._close, said, true))

    def show(self, value: Any) -> str:
        return _shown(_plain(value))

    def _close(self, said: float, true: float) -> bool:
        if not (math.isfinite(said) and math.isfinite(true)):
            return said == true or (math.isnan(said) and math.isnan(true))
        return abs(said - true) <= max(self.relative * abs(true), self.absolute)

    def _parsed(self, prediction: Any) -> Any:
        if not isinstance(prediction, str):
            return _plain(prediction)
        text = prediction.strip()
        if len(text) > _LONGEST:
            return "too long"
        text = text.removeprefix("tensor(").removesuffix(")") if "tensor(" in text else text
        try:
            return ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            pass
        try:
            return [float(word) for word in text.replace(",", " ").split()]
        except ValueError:
            return "no numbers"

    @property
    def _asked(self) -> str:
        size = math.prod(self.shape)
        return "one number is asked for" if size == 1 else f"{size} numbers are asked for"

    @property
    def _example(self) -> str:
        return ", ".join(["1"] * min(math.prod(self.shape), 4))


def _split(text: str) -> list[str]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    return [] if [word.casefold() for word in words] == ["none"] else words


def _plain(value: Any) -> Any:
    """Numbers of a tensor or an array as nested lists."""
    if is_tensor(value):
        return value.detach().tolist()
    return value.tolist() if hasattr(value, "tolist") else value


def _flat(value: Any) -> list[float] | None:
    """All numbers in nested lists; None if there is anything else."""
    if isinstance(value, bool | int | float):
        return [float(value)]
    if not isinstance(value, list | tuple):
        return None
    parts = [_flat(_plain(part)) for part in value]
    flat: list[float] = []
    for part in parts:
        if part is None:
            return None
        flat += part
    return flat


def _nested(numbers: list[float], shape: tuple[int, ...]) -> Any:
    if not shape:
        return numbers[0]
    step = math.prod(shape[1:])
    return [
        _nested(numbers[start * step : (start + 1) * step], shape[1:]) for start in range(shape[0])
    ]


def _shown(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_shown, value))}]"
    return "None" if value is None else format_number(value)


def _quoted(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
