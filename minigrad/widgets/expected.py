"""What a prediction looks like: how it is read, shown, and when it is near enough."""

from __future__ import annotations

import ast
import math
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from minigrad.viz.read.protocol import is_tensor
from minigrad.viz.read.values import format_number

NONE = "none of them"  # of the options
_NOTHING = "Choose an answer first."
_LONGEST = 10_000  # characters of a prediction that are read
_AS_PYTHON = str.maketrans("−×·", "-**")  # as prompts and pictures write them
_SIGNS: dict[type[ast.operator], Callable[[float, float], Any]] = {
    ast.Div: operator.truediv,
    ast.Mult: operator.mul,
    ast.Pow: operator.pow,
}


class Expected(ABC):
    """One kind of prediction."""

    hint: str = ""  # what to type, in a few words
    again: str = "Choose again."  # said where a wrong prediction leaves another try

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
    >>> Choice(("falls", "stays")).read("")
    Traceback (most recent call last):
    ValueError: Choose an answer first.
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
        raise ValueError(_choose("one", self.options) if wanted else _NOTHING)

    def near(self, prediction: Any, answer: Any) -> bool:
        return bool(prediction == answer)


@dataclass(frozen=True)
class Subset(Expected):
    """Any number of the options; none of them, too, but only if that is said.

    >>> Subset(("w", "b")).show(Subset(("w", "b")).read(["b"]))
    'b'
    >>> Subset(("w", "b")).show(Subset(("w", "b")).read("none of them"))
    'none'
    """

    options: tuple[str, ...]
    hint = "choose any number of them"

    def read(self, prediction: Any) -> frozenset[str]:
        if isinstance(prediction, str):
            if not prediction.strip():
                raise ValueError(_NOTHING)
            prediction = _split(prediction)
        chosen = frozenset(map(str, prediction)) if isinstance(prediction, Iterable) else None
        if chosen is None or chosen - {*self.options}:
            raise ValueError(_choose("any", self.options))
        return chosen

    def near(self, prediction: Any, answer: Any) -> bool:
        return frozenset(prediction) == frozenset(answer)

    def show(self, value: Any) -> str:
        return ", ".join(option for option in self.options if option in value) or "none"


@dataclass(frozen=True)
class Numbers(Expected):
    """A number, or numbers nested as a tensor of this shape is; None too where ``or_none``.

    Given as text (``1.5, -3/4``, ``10^-3``), a list, an array or a tensor. One number stands for
    all, in any shape. Near enough is what differs by less than ``relative`` of the answer, or
    ``absolute``.

    >>> Numbers((2,)).read("1/2, 2e-3")
    [0.5, 0.002]
    >>> Numbers((2,)).read("1, 2, 3")
    Traceback (most recent call last):
    ValueError: Type 2 numbers, such as 1, 1.
    """

    shape: tuple[int, ...] = ()
    or_none: bool = False
    relative: float = 0.01
    absolute: float = 0.005
    again = "Try again."

    @property
    def hint(self) -> str:  # type: ignore[override]
        example = ", ".join(["1"] * min(math.prod(self.shape), 4))
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
            asked = "a number" if size == 1 else f"{size} numbers"
            raise ValueError(f"Type {asked}, {self.hint}.")
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
        text = prediction.translate(_AS_PYTHON).replace("^", "**").strip()
        for spelled in (text, ",".join(text.replace(",", " ").split())):  # "1, -2", then "1 -2"
            try:
                return _value(ast.parse(spelled[:_LONGEST], mode="eval").body)
            except (ArithmeticError, ValueError, SyntaxError, MemoryError, RecursionError):
                continue
        return "no numbers"


def _value(tree: ast.AST) -> Any:
    """What numbers written as in Python mean: alone, in lists, as fractions and as powers.

    ValueError, or an ArithmeticError, for anything else.
    """
    match tree:
        case ast.Constant(None):
            return None
        case ast.Constant(int() | float() as number):
            return float(number)
        case ast.Name("nan" | "inf" as name):
            return float(name)
        case ast.UnaryOp(ast.USub() | ast.UAdd() as sign, operand):
            return -_number(operand) if isinstance(sign, ast.USub) else _number(operand)
        case ast.BinOp(left, ast.Div() | ast.Mult() | ast.Pow() as sign, right):
            return _SIGNS[type(sign)](_number(left), _number(right))
        case ast.List(parts) | ast.Tuple(parts):
            return [_value(part) for part in parts]
        case ast.Call(ast.Name("tensor"), [argument, *_]):
            return _value(argument)
    raise ValueError("no number")


def _number(tree: ast.AST) -> float:
    value = _value(tree)
    if isinstance(value, float):
        return value
    raise ValueError("no number")


def _choose(how_many: str, options: tuple[str, ...]) -> str:
    return f"Choose {how_many} of these: {', '.join(options)}."


def _split(text: str) -> list[str]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    return [] if [word.casefold() for word in words] in (["none"], [NONE]) else words


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
