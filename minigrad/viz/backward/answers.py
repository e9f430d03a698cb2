"""Predictions of numbers: how they are read, when they are right, and what is said about them."""

from __future__ import annotations

import ast
import math
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from minigrad.viz.backward.amounts import Array
from minigrad.viz.read.protocol import is_tensor
from minigrad.viz.read.values import format_number

_LONGEST = 10_000  # characters of a prediction that are read
_AS_PYTHON = str.maketrans("−×·", "-**")  # as prompts and pictures write them
_SIGNS: dict[type[ast.operator], Callable[[float, float], Any]] = {
    ast.Div: operator.truediv,
    ast.Mult: operator.mul,
    ast.Pow: operator.pow,
}


class AnswerKind(ABC):
    """One kind of answer."""

    hint: str = ""  # what to type, in a few words
    again: str = "Choose again."  # added to the verdict if another try is left

    @abstractmethod
    def read(self, prediction: Any) -> Any:
        """The prediction in its plain form; a ValueError says what is expected instead."""

    def near(self, prediction: Any, answer: Any) -> bool:
        """Whether a prediction that was read is right."""
        return bool(prediction == answer)

    def show(self, value: Any) -> str:
        """A prediction or an answer in words."""
        return str(value)


@dataclass(frozen=True)
class Numbers(AnswerKind):
    """A number, or numbers nested like a tensor of this shape; None too if ``or_none``.

    A prediction is text (``1.5, -3/4``, ``10^-3``), a list, an array or a tensor. One number may
    stand for all of them, if ``one_for_all``. A prediction is right if it differs by at most
    ``absolute`` plus ``relative`` times the answer.

    >>> Numbers((2,)).read("1/2, 2e-3")
    [0.5, 0.002]
    >>> Numbers((2,)).read("1, 2, 3")
    Traceback (most recent call last):
    ValueError: Type 2 numbers, such as 1, 1.
    """

    shape: tuple[int, ...] = ()
    or_none: bool = False
    one_for_all: bool = True
    relative: float = 0.01
    absolute: float = 0.005
    again = "Try again."

    @property
    def hint(self) -> str:  # type: ignore[override]
        example = ", ".join(["1"] * min(math.prod(self.shape), 4))
        return f"such as {example}" + (", or None" if self.or_none else "")

    def read(self, prediction: Any) -> Any:
        value = _parse(prediction) if isinstance(prediction, str) else prediction
        if value is None and self.or_none:
            return None
        numbers, size = _array(value), math.prod(self.shape)
        sizes = (1, size) if self.one_for_all else (size,)
        if numbers is None or numbers.size not in sizes:
            wanted = "a number" if size == 1 else f"{size} numbers"
            raise ValueError(f"Type {wanted}, {self.hint}.")
        every = numbers.repeat(size) if numbers.size == 1 else numbers
        return every.reshape(self.shape).tolist()

    def near(self, prediction: Any, answer: Any) -> bool:
        if prediction is None or answer is None:
            return prediction is answer
        one, other = _array(prediction), _array(answer)
        if one is None or other is None or one.size != other.size:
            return False
        close = np.isclose(one.ravel(), other.ravel(), self.relative, self.absolute, equal_nan=True)
        return bool(close.all())

    def show(self, value: Any) -> str:
        numbers = _array(value)
        return "None" if numbers is None else _text(numbers.tolist())


@dataclass(frozen=True)
class Mistake:
    """A typical wrong prediction, and what to say about it."""

    prediction: Any
    says: str


@dataclass(frozen=True, repr=False)
class Verdict:
    """Whether a prediction was right, and a kind sentence or two about it."""

    right: bool
    text: str

    def __repr__(self) -> str:
        return self.text


def judge(
    kind: AnswerKind,
    prediction: Any,
    answer: Any,
    mistakes: Iterable[Mistake] = (),
    because: str = "",
    again: bool = False,
) -> Verdict:
    """What to say about a prediction that ``kind`` has read.

    again: whether another try is left; then a wrong prediction doesn't reveal the answer.

    >>> judge(Numbers(), 0.0, 4.0, [Mistake(0.0, "Add them.")], "2 + 2 = 4.")
    Not quite: you said 0; the answer is 4. Add them. 2 + 2 = 4.
    """
    shown, right = kind.show(prediction), kind.show(answer)
    if kind.near(prediction, answer):
        return Verdict(True, f"Right: {right}. {because}".rstrip())
    hints = [mistake.says for mistake in mistakes if kind.near(prediction, mistake.prediction)][:1]
    if again:
        return Verdict(False, " ".join([f"Not quite: {shown}?", *hints, kind.again]))
    sentences = [f"Not quite: you said {shown}; the answer is {right}.", *hints, because]
    return Verdict(False, " ".join(filter(None, sentences)))


def _array(value: Any) -> Array | None:
    """Numbers, nested or not, as an array; None for anything else."""
    try:
        array = np.asarray(value.detach() if is_tensor(value) else value)
    except (RuntimeError, TypeError, ValueError):  # such as lists of different lengths
        return None
    return array.astype(float) if array.dtype.kind in "biuf" else None


def _text(numbers: Any) -> str:
    if isinstance(numbers, list):
        return f"[{', '.join(map(_text, numbers))}]"
    return format_number(numbers)


def _parse(text: str) -> Any:
    """The numbers that a learner typed, or the text itself if it holds none."""
    written = text.translate(_AS_PYTHON).replace("^", "**").strip()
    for spelled in (written, ",".join(written.replace(",", " ").split())):  # "1, -2", then "1 -2"
        try:
            return _value(ast.parse(spelled[:_LONGEST], mode="eval").body)
        except (ArithmeticError, TypeError, ValueError, SyntaxError, MemoryError, RecursionError):
            continue
    return text


def _value(tree: ast.AST) -> Any:
    """What numbers written as in Python mean: alone, in lists, as fractions and as powers.

    ValueError, TypeError or an ArithmeticError for anything else.
    """
    match tree:
        case ast.Constant(None):
            return None
        case ast.Constant(int() | float() as number):
            return float(number)
        case ast.Name("nan" | "inf" as name):
            return float(name)
        case ast.UnaryOp(ast.USub() | ast.UAdd() as sign, operand):
            return -_value(operand) if isinstance(sign, ast.USub) else +_value(operand)
        case ast.BinOp(left, ast.Div() | ast.Mult() | ast.Pow() as sign, right):
            return _SIGNS[type(sign)](_value(left), _value(right))
        case ast.List(parts) | ast.Tuple(parts):
            return [_value(part) for part in parts]
        case ast.Call(ast.Name("tensor"), [argument, *_]):
            return _value(argument)
    raise ValueError("no number")
