"""Lines of text in cards and labels: how they are written, and the entries of tensors in them."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap

from minigrad.viz.draw.fonts import STYLES, width_of
from minigrad.viz.draw.layout import LANE
from minigrad.viz.read.values import Value

_MOST_ROWS, _MOST_DIGITS = 4, 8
_LONGEST_AMOUNT = 14
_REASON_WIDTH = 26
_CELL = 6  # of a heat map


@dataclass(frozen=True)
class Ink:
    """A piece of text, how it is written, and what it is about."""

    text: str
    style: str
    role: str = "text"

    @property
    def width(self) -> float:
        return width_of(self.text, self.style)


@dataclass(frozen=True)
class Heat:
    """The entries of a matrix as small squares: the more ink, the larger. role: whose they are."""

    shades: tuple[tuple[int, ...], ...]
    role: str

    @property
    def cell(self) -> float:
        return _CELL if len(self.shades) <= 8 and len(self.shades[0]) <= 8 else _CELL / 2

    @property
    def width(self) -> float:
        return self.cell * len(self.shades[0])

    @property
    def height(self) -> float:
        return self.cell * len(self.shades) + 4


@dataclass(frozen=True)
class Row:
    """One line of a card or a label: text at its left and at its right, or a heat map.

    lanes: in a module, how many lanes run through it here. space: the height of an empty one.
    """

    left: tuple[Ink, ...] = ()
    right: tuple[Ink, ...] = ()
    heat: Heat | None = None
    lanes: int = 0
    space: float = 0

    @property
    def width(self) -> float:
        if self.heat is not None:
            between = 8 if self.left else 0
            return self.heat.width + sum(ink.width for ink in self.left) + between
        between = 10 if self.left and self.right else 0
        return sum(ink.width for ink in (*self.left, *self.right)) + between

    @property
    def height(self) -> float:
        if self.lanes or self.space:
            return self.space or 2 * LANE + 8
        sizes = [STYLES[ink.style].size for ink in (*self.left, *self.right)]
        return max(self.heat.height if self.heat else 0, 1.3 * max(sizes, default=0))


def amount(value: Value | None) -> str:
    """A gradient beside its road: a number, "all 4.5" for equal ones, or else the shape."""
    if value is None or value.items is None:
        return ""
    if equal := _equal(value):
        return equal
    text = value.text.replace("-", "−")
    return text if len(text) <= _LONGEST_AMOUNT else size_text(value)


def _equal(value: Value) -> str:
    """What all entries are, as in "all 4.5"; empty where they differ."""
    numbers = {number for row in value.rows for number in row}
    if len(numbers) != 1 or not value.shape or value.items is None or not math.prod(value.shape):
        return ""
    return "all " * (math.prod(value.shape) > 1) + numbers.pop().replace("-", "−")


def add_up(texts: Sequence[str], total: str) -> bool:
    """Whether nothing else has come, such as from operations that aren't drawn."""
    try:
        numbers = [float(text.replace("all ", "").replace("−", "-")) for text in (*texts, total)]
    except ValueError:
        return True
    *terms, whole = numbers
    return math.isclose(math.fsum(terms), whole, rel_tol=1e-3, abs_tol=1e-4 * len(numbers))


def gradient_rows(value: Value, text: str) -> list[Row]:
    """A gradient beside its road: in digits if it has few entries, else as a heat map, too."""
    if text != size_text(value) or not (value.shades or _is_short(value)):
        return [Row((Ink(text, "edge", "grad"),))]
    rows = [Row(row.right, heat=row.heat) for row in entries(value, "grad", "edge")]
    return [Row((Ink(text, "edge", "grad"),)), *rows] if value.shades else rows


def size_text(value: Value) -> str:
    """The shape, as in ``2×3``; empty for a single number."""
    return "×".join(map(str, value.shape))


def reason_rows(reason: str, role: str = "warning") -> Iterator[Row]:
    """A reason in lines short enough for a card."""
    yield from (Row((Ink(part, "reason", role),)) for part in wrap(reason, _REASON_WIDTH))


def labeled(label: str, value: Value, role: str) -> list[Row]:
    """The entries of a value, with a label before the first of them."""
    rows = list(entries(value, role, "grad" if role == "grad" else "number"))
    return [
        replace(row, left=(Ink(label if i == 0 else "", "label", "muted"),))
        for i, row in enumerate(rows)
    ]


def entries(value: Value, role: str, style: str = "number") -> Iterator[Row]:
    """ "all 4.5", or up to eight entries in digits, or a heat map; nothing of what is larger."""
    equal = _equal(value)
    if equal:
        yield Row((), (Ink(equal, style, "text" if role == "muted" else role),))
    elif value.shades:
        yield Row(heat=Heat(value.shades, role))
    elif _is_short(value):
        for row in value.rows:
            ink = Ink("  ".join(row).replace("-", "−"), style, "text" if role == "muted" else role)
            yield Row((), (ink,))
    elif role == "grad":
        yield Row((), (Ink("stored", style, role),))


def _is_short(value: Value) -> bool:
    few = len(value.rows) <= _MOST_ROWS and math.prod(value.shape) <= _MOST_DIGITS
    return value.items is not None and few
