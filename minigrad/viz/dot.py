"""A snapshot as Graphviz source, with the labels, shapes and colours of the picture."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from itertools import zip_longest
from textwrap import wrap

from minigrad.viz.saved import FREED, HELD, MODIFIED
from minigrad.viz.snapshot import Node, Saved, Snapshot, Tensor
from minigrad.viz.text import Words, shorten
from minigrad.viz.theme import Theme
from minigrad.viz.values import SHORTENED, Value

WIDEST = 760  # pixels: what a notebook has room for
_MOST_ROWS = 7
_LONGEST_ROW = 64
_LONGEST_CONSTANT = 12
_KEEPS_WIDTH = 26
_SPACE = "\N{NO-BREAK SPACE}"
_RANK_GAP, _BOX_MARGIN = 20, 17
_TITLE, _NAME, _NUMBER, _SMALL = 14, 11.5, 11, 10.5  # sizes of type


@dataclass(frozen=True)
class Run:
    """A piece of text of one face, size and colour."""

    text: str
    color: str
    size: float = _SMALL
    mono: bool = False
    style: str = ""

    @property
    def html(self) -> str:
        # In labels, Graphviz replaces escapes such as \N, also where it reads HTML.
        # Older versions do not take a font or style around nothing.
        text = escape(self.text).replace("\\", "\\\\").replace(" ", _SPACE) or _SPACE
        styled = f"<{self.style}>{text}</{self.style}>" if self.style else text
        face = ' FACE="Courier"' if self.mono else ""
        return f'<FONT COLOR="{self.color}" POINT-SIZE="{self.size}"{face}>{styled}</FONT>'

    @property
    def width(self) -> float:
        return len(self.text) * self.size * (0.6 if self.mono else 0.52)


Line = list[Run]


@dataclass(frozen=True)
class Box:
    """A card or a pill: its text and how it is framed."""

    id: str
    lines: list[Line]
    align: str
    attributes: str

    @property
    def width(self) -> float:
        return max(sum(run.width for run in line) for line in self.lines) + _BOX_MARGIN

    @property
    def source(self) -> str:
        cells = ("".join(run.html for run in line) for line in self.lines)
        rows = "".join(f'<TR><TD ALIGN="{self.align}">{cell}</TD></TR>' for cell in cells)
        table = f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="1">{rows}</TABLE>'
        return f'  {self.id} [id="{self.id}", label=<{table}>, {self.attributes}]'


@dataclass(frozen=True)
class Arrow:
    """A forward edge of the picture, and the name that rides on it."""

    source: str
    target: str
    label: str
    dotted: bool = False


def dot_source(snapshot: Snapshot, theme: Theme, direction: str | None = None) -> str:
    """Graphviz source of the picture.

    direction: ``"LR"`` (left to right) or ``"TB"`` (top to bottom); by default left to right if
    that fits 760 pixels.
    """
    picture = _Picture(Words(snapshot), theme)
    boxes, arrows = list(picture.boxes()), list(picture.arrows())
    if direction is None:
        direction = "LR" if _width(boxes, arrows) <= WIDEST else "TB"
    head = [
        f'  graph [rankdir={direction}, bgcolor="{theme.background}", pad=0.13, nodesep=0.22,'
        " ranksep=0.27, ordering=in]",
        '  node [shape=box, margin="0.1,0.06", height=0, width=0, fontname="Helvetica"]',
        f'  edge [color="{theme.arrow}", fontname="Helvetica", penwidth=1.2, arrowsize=0.7]',
    ]
    body = [box.source for box in boxes] + [picture.arrow_source(arrow) for arrow in arrows]
    return "\n".join(["digraph {", *head, *body, "}"]) + "\n"


def _width(boxes: list[Box], arrows: list[Arrow]) -> float:
    """About how wide the picture is from left to right: the widest box of each rank, and gaps."""
    ranks = {box.id: 0 for box in boxes}
    for arrow in arrows:  # these come in topological order
        ranks[arrow.target] = max(ranks[arrow.target], ranks[arrow.source] + 1)
    nearest: dict[str, int] = {}
    for arrow in arrows:
        rank = ranks[arrow.target]
        nearest[arrow.source] = min(nearest.get(arrow.source, rank), rank)
    for start in nearest.keys() - {arrow.target for arrow in arrows}:
        ranks[start] = nearest[start] - 1
    columns: dict[int, float] = {}
    for box in boxes:
        columns[ranks[box.id]] = max(columns.get(ranks[box.id], 0), box.width)
    gaps: dict[int, float] = {}
    for arrow in arrows:
        rank = ranks[arrow.source]
        gaps[rank] = max(gaps.get(rank, _RANK_GAP), _RANK_GAP + len(arrow.label) * _NAME * 0.5)
    return sum(columns.values()) + sum(gaps.values()) + _RANK_GAP


class _Picture:
    """The boxes and arrows of one snapshot."""

    def __init__(self, words: Words, theme: Theme) -> None:
        self.words = words
        self.theme = theme
        self.cards = {t.id for t in words.snapshot.tensors if _has_card(t)}

    def boxes(self) -> Iterator[Box]:
        snapshot = self.words.snapshot
        yield from (self._pill(node) for node in snapshot.nodes if node.kind == "operation")
        yield from (self._card(tensor) for tensor in snapshot.tensors if tensor.id in self.cards)
        if snapshot.left_out:
            theme = self.theme
            line = [Run(f"{SHORTENED} {self.words.stopped}", theme.muted)]
            yield Box("more", [line], "LEFT", _frame("rounded,dotted", theme.muted))

    def arrows(self) -> Iterator[Arrow]:
        """The arrows in topological order of their targets."""
        for node in self.words.snapshot.nodes:
            seen: set[tuple[str, int]] = set()
            for source in node.inputs:
                if source.left_out:
                    yield Arrow("more", node.id, "", dotted=True)
                elif source.node is not None:
                    place = (source.node, source.output)
                    yield self._forward(*place, node.id, named=place not in seen)
                    seen.add(place)
            for output in self.words.outputs.get(node.id, ()):
                tensor = self.words.at.get((node.id, output))
                if node.kind == "operation" and tensor is not None and tensor.id in self.cards:
                    yield Arrow(node.id, tensor.id, self._output_label(node.id, output))

    def arrow_source(self, arrow: Arrow) -> str:
        name = f" {arrow.label} "  # so that it does not touch the arrow
        label = f"label=<{Run(name, self.theme.text, _NAME, style='I').html}>"
        attributes = [label] if arrow.label else []
        attributes += [f'style=dotted, color="{self.theme.muted}"'] if arrow.dotted else []
        return f"  {arrow.source} -> {arrow.target} [{', '.join(attributes)}]"

    def _forward(self, node: str, output: int, target: str, named: bool) -> Arrow:
        tensor = self.words.at.get((node, output))
        if tensor is not None and tensor.id in self.cards:
            return Arrow(tensor.id, target, "")
        if not named:
            return Arrow(node, target, _SPACE)  # keeps parallel arrows apart
        if tensor is not None and tensor.names:
            label = shorten(tensor.names[0])
        else:
            label = self._output_label(node, output)
        return Arrow(node, target, label)

    def _output_label(self, node: str, output: int) -> str:
        return f"output {output}" if self.words.outputs[node] != [0] else ""

    def _card(self, tensor: Tensor) -> Box:
        theme = self.theme
        border, fill, style = {
            "leaf": (theme.leaf, theme.leaf_fill, "rounded,filled,bold"),
            "result": (theme.result, theme.result_fill, "rounded,filled"),
            "intermediate": (theme.card, theme.background, "rounded,filled"),
            "constant": (theme.muted, theme.background, "rounded,filled,dotted"),
        }[tensor.role]
        lines = list(self._head(tensor))
        lines += _table("value", tensor.value, theme.muted, theme.text)
        if tensor.grad is not None:
            lines += _table("grad", tensor.grad, theme.grad, theme.grad)
        elif tensor.grad_state == "none" and tensor.requires_grad:
            lines.append(
                [_label("grad", theme.muted), Run("None", theme.muted, _NUMBER, mono=True)]
            )
        return Box(tensor.id, lines, "LEFT", _frame(style, border, fill))

    def _head(self, tensor: Tensor) -> Iterator[Line]:
        theme = self.theme
        name = shorten(tensor.names[0]) if tensor.names else tensor.role
        kind = "no graph" if tensor.role == "constant" else tensor.role
        yield [
            Run(name, theme.text, _TITLE, style="B" if tensor.names else "I"),
            *([Run(f"  {kind}", theme.muted)] if tensor.names or kind != tensor.role else []),
        ]
        if tensor.names[1:]:
            yield [Run(f"also {', '.join(map(shorten, tensor.names[1:4]))}", theme.muted)]
        yield [Run(tensor.value.kind, theme.muted)]
        if tensor.role == "constant":
            yield [Run("requires_grad=False", theme.muted, mono=True)]

    def _pill(self, node: Node) -> Box:
        theme = self.theme
        lines = [[Run(self.words.operation(node), theme.text, _NAME, mono=True)]]
        for text, color in (
            (self._kept(node), theme.muted),
            (_listed(node, FREED, "{} freed"), theme.muted),
            (_listed(node, MODIFIED, "{} modified in place"), theme.warning),
        ):
            lines += [[Run(part, color)] for part in wrap(text, _KEEPS_WIDTH)]
        empty = any(saved.state != HELD for saved in node.saved)
        fill = theme.background if empty else theme.operation_fill
        style = "rounded,filled,dashed" if empty else "rounded,filled"
        return Box(node.id, lines, "CENTER", _frame(style, theme.operation, fill))

    def _kept(self, node: Node) -> str:
        kept = [self._keeps(saved) for saved in node.saved if saved.state == HELD]
        return f"keeps {', '.join(kept)}" if kept else ""

    def _keeps(self, saved: Saved) -> str:
        """Constants by name or number; what is in the picture anyway by the input's name alone."""
        tensor = self.words.tensors[saved.tensor] if saved.tensor else None
        in_graph = tensor is not None and tensor.node is not None
        if in_graph or (saved.value is not None and saved.value.shape and not saved.names):
            return shorten(saved.name)
        return self.words.saved(saved, _LONGEST_CONSTANT).replace(" ", _SPACE)


def _has_card(tensor: Tensor) -> bool:
    return tensor.drawn or tensor.role == "leaf" or tensor.grad_state != "not retained"


def _frame(style: str, border: str, fill: str | None = None) -> str:
    filled = f', fillcolor="{fill}"' if fill else ""
    return f'style="{style}", color="{border}"{filled}'


def _listed(node: Node, state: str, sentence: str) -> str:
    names = [shorten(saved.name) for saved in node.saved if saved.state == state]
    return sentence.format(", ".join(names)) if names else ""


def _label(text: str, color: str) -> Run:
    return Run(f"{text:6}", color, _NUMBER, mono=True)


def _table(label: str, value: Value, label_color: str, color: str) -> list[Line]:
    """The numbers in columns, right-aligned in a fixed-width face, after a label."""
    rows = value.rows
    if len(rows) > _MOST_ROWS:
        rows = [*rows[: _MOST_ROWS - 1], [SHORTENED]]
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    lines = ["  ".join(map(str.rjust, row, widths)) for row in rows]
    return [
        [
            _label("" if index else label, label_color),
            Run(shorten(line, _LONGEST_ROW), color, _NUMBER, mono=True),
        ]
        for index, line in enumerate(lines)
    ]
