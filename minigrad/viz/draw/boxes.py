"""The pieces that a picture is made of: boxes with lines of text, and arrows between them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape

TITLE, NAME, NUMBER, SMALL = 14, 11.5, 11, 11  # sizes of type
_LEADING = 1.35  # from line to line, by size: faces have heights of their own
SPACE = "\N{NO-BREAK SPACE}"
_RANK_GAP, _BOX_MARGIN = 20, 17
_MOST_PASSES = 10


@dataclass(frozen=True)
class Run:
    """A piece of text of one face, size and colour."""

    text: str
    color: str
    size: float = SMALL
    mono: bool = False
    style: str = ""

    @property
    def html(self) -> str:
        # In labels, Graphviz replaces escapes such as \N, also where it reads HTML.
        # Older versions do not take a font or style around nothing.
        text = escape(self.text).replace("\\", "\\\\").replace(" ", SPACE) or SPACE
        text = re.sub("^]", "&#93;", text)  # with which it lets no text begin
        styled = f"<{self.style}>{text}</{self.style}>" if self.style else text
        face = ' FACE="Courier"' if self.mono else ""
        return f'<FONT COLOR="{self.color}" POINT-SIZE="{self.size}"{face}>{styled}</FONT>'

    @property
    def width(self) -> float:
        return len(self.text) * self.size * (0.6 if self.mono else 0.52)


Line = list[Run]
# How much text boxes have: width, and the size of type in each line; and arrows: characters.
BoxRoom = tuple[float, tuple[float, ...]]


@dataclass(frozen=True)
class Box:
    """A card or a pill: its text and how it is framed."""

    id: str
    lines: list[Line]
    align: str
    attributes: str
    least: BoxRoom = (0, ())

    @property
    def room(self) -> BoxRoom:
        """How much room the text takes, or is to take at least."""
        width = max(sum(run.width for run in line) for line in self.lines)
        sizes = tuple(max(run.size for run in line) for line in self.lines)
        return max(width, self.least[0]), max(sizes, self.least[1], key=len)

    @property
    def width(self) -> float:
        return self.room[0] + _BOX_MARGIN

    @property
    def source(self) -> str:
        blank = [[Run("", self.lines[0][0].color, size)] for size in self.least[1]]
        width = f' WIDTH="{self.least[0]:.0f}"' if self.least[0] else ""
        rows = "".join(
            f'<TR><TD ALIGN="{self.align}" HEIGHT="{_LEADING * max(run.size for run in line):.0f}"'
            f"{width}>{''.join(run.html for run in line)}</TD></TR>"
            for line in self.lines + blank[len(self.lines) :]
        )
        label = f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">{rows}</TABLE>'
        return f'  {self.id} [id="{self.id}", label=<{label}>, {self.attributes}]'

    def recolored(self, color: str, attributes: str) -> "Box":
        """The same box with all its text in one colour, framed in another way."""
        lines = [[replace(run, color=color) for run in line] for line in self.lines]
        return replace(self, lines=lines, attributes=attributes)


@dataclass(frozen=True)
class Arrow:
    """A forward edge of the picture, and the name that rides on it.

    ``key`` is the edge as ``Marks`` know it; ``gradient`` is the text on its way back along it, or
    None where none ever is, and ``columns`` how many characters that has room for. ``missing``: the
    graph has no such edge.
    """

    source: str
    target: str
    label: str
    dotted: bool = False
    missing: bool = False
    key: tuple[str, int] = ("", 0)
    gradient: str | None = None
    passing: bool = False
    columns: int = 0

    @property
    def width(self) -> float:
        """About how wide what rides on the arrow is."""
        number = self.columns + 2 if self.columns else 0  # a blank on both sides
        return max(len(self.label) * NAME * 0.5, number * NUMBER * 0.6)


def width_of(boxes: Sequence[Box], arrows: Sequence[Arrow]) -> float:
    """About how wide the picture is from left to right: the widest box of each rank, and gaps."""
    ranks = _ranks(boxes, arrows)
    columns: dict[int, float] = {}
    for box in boxes:
        columns[ranks[box.id]] = max(columns.get(ranks[box.id], 0), box.width)
    gaps: dict[int, float] = {}
    for arrow in arrows:
        rank = ranks[arrow.source]
        gaps[rank] = max(gaps.get(rank, _RANK_GAP), _RANK_GAP + arrow.width)
    return sum(columns.values()) + sum(gaps.values()) + _RANK_GAP


def _ranks(boxes: Iterable[Box], arrows: Sequence[Arrow]) -> dict[str, int]:
    ranks = {box.id: 0 for box in boxes}
    for _ in range(_MOST_PASSES):  # arrows come in topological order, but for those of no graph
        before = dict(ranks)
        for arrow in arrows:
            ranks[arrow.target] = max(ranks[arrow.target], ranks[arrow.source] + 1)
        if ranks == before:
            break
    nearest: dict[str, int] = {}
    for arrow in arrows:
        rank = ranks[arrow.target]
        nearest[arrow.source] = min(nearest.get(arrow.source, rank), rank)
    for start in nearest.keys() - {arrow.target for arrow in arrows}:
        ranks[start] = nearest[start] - 1
    return ranks
