"""legend(): what the cards, operations and roads of a picture mean."""

from dataclasses import replace
from textwrap import wrap
from typing import Any, NamedTuple

from minigrad.viz.draw.layout import Area, Placed
from minigrad.viz.draw.roads import Point
from minigrad.viz.draw.rows import Ink, Row
from minigrad.viz.draw.scene import Box, Scene, Way
from minigrad.viz.draw.svg import colored, svg_of
from minigrad.viz.draw.text import Words
from minigrad.viz.draw.theme import THEMES
from minigrad.viz.read.snapshot import Snapshot

_TITLE = "How to read the picture"
_WIDTH, _SYMBOL, _GAP = 56, 120, 10


class Entry(NamedTuple):
    """A symbol, what it is called in words, and what it means."""

    symbol: Box | Way
    called: str
    meaning: str


def _card(kind: str, name: str, value: str, grad: str = "") -> Box:
    role = kind if kind in ("leaf", "result") else "text"
    rows = [Row((Ink(name, "title", role),)), _labeled("value", value, "number", "text")]
    if grad:
        rows.append(_labeled("grad", grad, "grad", "grad" if grad != "None" else "muted"))
    return Box("", kind, tuple(rows))


def _labeled(label: str, value: str, style: str, role: str) -> Row:
    return Row((Ink(label, "label", "muted"),), (Ink(value, style, role),))


def _road(kind: str, above: str = "", below: str = "") -> Way:
    name = (Row((Ink(above, "name"),)),) if above else ()
    number = (Row((Ink(below, "edge", "grad"),)),) if below else ()
    return Way("", "from", "to", kind, name, number, back="back" if below else "")


_NAME = Row((Ink("MulBackward0", "node", "muted"),))
_REASON = Row((Ink("detached", "reason", "warning"),))
_CUT = Box("", "constant", (*_card("constant", "d", "6").rows, _REASON))
_ENTRIES = (
    Entry(
        _card("leaf", "x", "3", "None"),
        "blue card",
        "a leaf: a tensor that you made, and that gets a gradient",
    ),
    Entry(
        _card("leaf", "x", "3", "2"),
        "grad in the card",
        "the gradient that is stored; None: nothing has arrived yet",
    ),
    Entry(_card("data", "X", "4"), "gray card", "data: a tensor that gets no gradient"),
    Entry(
        Box("", "operation", (_NAME,), "×"),
        "operation",
        "what was computed; below it is the name of its node",
    ),
    Entry(_card("result", "out", "6"), "purple card", "a result: what the picture was asked for"),
    Entry(_CUT, "card with a reason", "a tensor that was cut off from the graph, and why"),
    Entry(_road("value", "y"), "solid arrow", "the way of a value, with its name above it"),
    Entry(
        _road("value", "", "2"),
        "dashed arrow back",
        "the way of a gradient, with its numbers below it",
    ),
    Entry(_road("missing"), "dotted arrow", "a value went here, but no gradient comes back"),
)


class Legend:
    """What the parts of a picture mean. A notebook shows it as a picture; ``repr`` is its text."""

    def __init__(self, theme: str | None = None) -> None:
        self._theme = theme

    @property
    def text(self) -> str:
        """The legend in words, one symbol to a line."""
        return "\n".join([_TITLE, *(f"- {one.called}: {one.meaning}" for one in _ENTRIES)])

    def svg(self) -> str:
        """The picture as SVG."""
        return colored(svg_of(*_arranged(), False, _TITLE, self.text, {}), self._theme)

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": self.text, "image/svg+xml": self.svg()}


def legend(theme: str | None = None) -> Legend:
    """What the cards, operations and roads of a picture mean: a picture itself, and a text.

    theme: ``"light"`` or ``"dark"``, by default that of the page; ValueError for another.

    >>> print(legend())
    How to read the picture
    - blue card: a leaf: a tensor that you made, and that gets a gradient
    - grad in the card: the gradient that is stored; None: nothing has arrived yet
    - gray card: data: a tensor that gets no gradient
    - operation: what was computed; below it is the name of its node
    - purple card: a result: what the picture was asked for
    - card with a reason: a tensor that was cut off from the graph, and why
    - solid arrow: the way of a value, with its name above it
    - dashed arrow back: the way of a gradient, with its numbers below it
    - dotted arrow: a value went here, but no gradient comes back
    """
    if theme not in (None, *THEMES):
        raise ValueError(f"theme must be 'light' or 'dark', but got {theme!r}")
    return Legend(theme)


def _arranged() -> tuple[Scene, Placed]:
    """Symbols in one column, meanings in another."""
    boxes, ways, areas, labels, lines, top = [], [], {}, {}, {}, 0.0
    for index, (symbol, called, meaning) in enumerate(_ENTRIES):
        words = (
            Row((Ink(called, "slope"),)),
            *(Row((Ink(part, "label", "muted"),)) for part in wrap(meaning, _WIDTH)),
        )
        said = Box(f"w{index}", "words", words)
        room = symbol.size(False) if isinstance(symbol, Box) else (_SYMBOL, 44)
        height = max(room[1], said.size(False)[1])
        place = Area((_SYMBOL - room[0]) / 2, top + (height - room[1]) / 2, *room)
        if isinstance(symbol, Box):
            boxes.append(replace(symbol, id=f"s{index}"))
            areas[f"s{index}"] = place
        else:
            ends = [f"a{index}", f"b{index}"]
            boxes += [Box(end, "words") for end in ends]
            level = place.y + place.height / 2
            areas |= dict(
                zip(ends, (Area(0, level, 0, 0), Area(_SYMBOL, level, 0, 0)), strict=True)
            )
            ways.append(replace(symbol, id=f"s{index}", source=ends[0], target=ends[1]))
            across = symbol.road(False).room.before
            labels[f"s{index}"] = Area(0, level - across, _SYMBOL, 44)
            lines[f"s{index}"] = [Point(0, level), Point(_SYMBOL, level)]
        boxes.append(said)
        areas[said.id] = Area(
            _SYMBOL + 16, top + (height - said.size(False)[1]) / 2, *said.size(False)
        )
        top += height + _GAP
    scene = Scene(tuple(boxes), tuple(ways), Words(Snapshot(0, (), ())))
    return scene, Placed(_SYMBOL + 16 + 5.6 * _WIDTH, top - _GAP, areas, labels, lines)
