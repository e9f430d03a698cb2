"""legend(): what the cards, pills and arrows of a picture mean."""

from collections.abc import Iterator
from textwrap import wrap
from typing import Any, NamedTuple

from minigrad.viz.draw import svg
from minigrad.viz.draw.boxes import NAME, SMALL, SPACE, Run
from minigrad.viz.draw.dot import boxes_of, missing_style
from minigrad.viz.draw.render import RenderError, render
from minigrad.viz.draw.theme import THEMES, Theme
from minigrad.viz.read.saved import FREED, HELD
from minigrad.viz.read.snapshot import Cut, Node, Saved, Snapshot, Tensor
from minigrad.viz.read.values import Value

_TITLE = "How to read the picture"
_WIDTH = 42


class Entry(NamedTuple):
    """A symbol, what it is called in words, and what it means."""

    symbol: str
    called: str
    meaning: str


def _tensor(part: str, name: str, role: str, numbers: str, grad: str | None = None) -> Tensor:
    value = Value("float32", (), numbers)
    return Tensor(
        id=part,
        names=(name,),
        role=role,
        drawn=True,
        node=None,
        output=0,
        requires_grad=role != "constant",
        is_leaf=role in ("leaf", "constant"),
        value=value,
        grad_state="not retained" if role == "result" else "stored" if grad else "none",
        grad=None if grad is None else Value("float32", (), grad),
    )


_EXAMPLE = Snapshot(
    limit=1000,
    nodes=(
        Node("n0", "operation", "MulBackward0", (), (Saved("self", HELD), Saved("other", HELD))),
        Node("n1", "operation", "MulBackward0", (), (Saved("self", FREED), Saved("other", FREED))),
    ),
    tensors=(
        _tensor("t0", "x", "leaf", "3"),
        _tensor("t1", "x", "leaf", "3", "2"),
        _tensor("t2", "out", "result", "6"),
        _tensor("t3", "data", "constant", "4"),
        _tensor("t4", "d", "constant", "6"),
    ),
    cuts=(Cut("detached", "t4"),),
)

_BOXES = (
    Entry(
        "t0", "blue card, thick edge", "a leaf: a tensor that you made and that wants a gradient"
    ),
    Entry("t1", "grad in the card", "the gradient that is stored; None: nothing has arrived yet"),
    Entry("n0", "grey pill", "an operation that was recorded, and what it keeps for backward()"),
    Entry("n1", "pill with a dashed edge", "backward() has used what was kept, and freed it"),
    Entry("t2", "purple card", "a result: what the picture was asked for"),
    Entry("t3", "dotted card", "a tensor outside of the graph: no gradient reaches it"),
    Entry("t4", "dotted card with a reason", "a tensor that was cut off from the graph, and why"),
)
_ARROWS = (
    Entry("forward", "solid arrow", "the way of a value; its name rides on the arrow"),
    Entry("missing", "dashed arrow, empty head", "a value went here, but no gradient comes back"),
    Entry("backward", "dashed arrow back", "a gradient on its way back, with its numbers"),
    Entry("left_out", "dotted arrow", "there is more than is drawn"),
)


class Legend:
    """What the parts of a picture mean. A notebook shows it as a picture; ``repr`` is its text."""

    def __init__(self, theme: str = "light") -> None:
        self._theme = THEMES[theme]

    @property
    def text(self) -> str:
        """The legend in words, one symbol to a line."""
        return "\n".join(
            [_TITLE, *(f"- {entry.called}: {entry.meaning}" for entry in (*_BOXES, *_ARROWS))]
        )

    @property
    def dot(self) -> str:
        """The picture as Graphviz source."""
        theme = self._theme
        head = [
            f'  graph [rankdir=LR, bgcolor="{theme.background}", pad=0.13, nodesep=0.12,'
            " ranksep=0.1]",
            '  node [shape=box, margin="0.1,0.06", height=0, width=0, fontname="Helvetica"]',
            f'  edge [color="{theme.arrow}", fontname="Helvetica", penwidth=1.2, arrowsize=0.7]',
        ]
        return "\n".join(["digraph {", *head, *_rows(theme), "}"]) + "\n"

    def svg(self) -> str:
        """The picture as SVG; without a Graphviz to draw it, the text as SVG."""
        try:
            picture = render(self.dot, "svg")
        except RenderError as error:
            return svg.of_text(self.text, str(error), self._theme)
        return svg.finish(picture, self._theme, _TITLE, self.text, {})

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": self.text, "image/svg+xml": self.svg()}


def legend(theme: str = "light") -> Legend:
    """What the cards, pills and arrows of a picture mean: a picture itself, and a text.

    theme: ``"light"`` or ``"dark"``; ValueError for another.

    >>> print(legend())
    How to read the picture
    - blue card, thick edge: a leaf: a tensor that you made and that wants a gradient
    - grad in the card: the gradient that is stored; None: nothing has arrived yet
    - grey pill: an operation that was recorded, and what it keeps for backward()
    - pill with a dashed edge: backward() has used what was kept, and freed it
    - purple card: a result: what the picture was asked for
    - dotted card: a tensor outside of the graph: no gradient reaches it
    - dotted card with a reason: a tensor that was cut off from the graph, and why
    - solid arrow: the way of a value; its name rides on the arrow
    - dashed arrow, empty head: a value went here, but no gradient comes back
    - dashed arrow back: a gradient on its way back, with its numbers
    - dotted arrow: there is more than is drawn
    """
    if theme not in THEMES:
        raise ValueError(f"theme must be 'light' or 'dark', but got {theme!r}")
    return Legend(theme)


def _rows(theme: Theme) -> Iterator[str]:
    """Symbols in one column, meanings in another; invisible edges keep the rows in order."""
    yield from (box.source for box in boxes_of(_EXAMPLE, theme))
    for entry in _BOXES:
        yield f"  {entry.symbol} -> {entry.symbol}_text [style=invis, minlen=2, weight=99]"
    for entry in _ARROWS:
        start, end = f"{entry.symbol}_from", f"{entry.symbol}_to"
        for point in (start, end):
            yield f'  {point} [id="{point}", shape=point, style=invis]'
        yield f"  {start} -> {end} [{_style(entry.symbol, theme)}, weight=99]"
        yield f"  {end} -> {entry.symbol}_text [style=invis, weight=99]"
    for entry in (*_BOXES, *_ARROWS):
        words = _words(entry, theme)
        yield f'  {entry.symbol}_text [id="text_{entry.symbol}", shape=plaintext, label=<{words}>]'
    starts = [entry.symbol for entry in _BOXES] + [f"{entry.symbol}_from" for entry in _ARROWS]
    ends = [f"{entry.symbol}_to" for entry in _ARROWS]
    texts = [f"{entry.symbol}_text" for entry in (*_BOXES, *_ARROWS)]
    for column in (starts, ends, texts):
        yield f"  {{rank=same; {' -> '.join(column)} [style=invis]}}"


def _style(arrow: str, theme: Theme) -> str:
    if arrow == "forward":
        return f"label=<{Run(' y ', theme.text, NAME, style='I').html}>"
    if arrow == "backward":
        number = Run(" 2 ", theme.grad, NAME, mono=True).html
        above = f"{number}<BR/>{Run('', theme.grad).html}"  # two lines are drawn, higher than one
        return f'label=<{above}>, dir=both, color="{theme.arrow}:{theme.grad}"'
    if arrow == "left_out":
        return f'style=dotted, color="{theme.muted}", label="{SPACE * 6}"'
    return f'{missing_style(theme)}, label="{SPACE * 6}"'


def _words(entry: Entry, theme: Theme) -> str:
    lines = [Run(entry.called, theme.text, SMALL, style="B")]
    lines += [Run(part, theme.muted) for part in wrap(entry.meaning, _WIDTH)]
    rows = "".join(f'<TR><TD ALIGN="LEFT">{line.html}</TD></TR>' for line in lines)
    frame = 'BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"'
    return f'<TABLE {frame} WIDTH="{_WIDTH * SMALL / 2:.0f}">{rows}</TABLE>'
