"""A snapshot as Graphviz source, with the labels, shapes and colours of the picture."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import zip_longest
from textwrap import wrap

from minigrad.viz.draw.boxes import (
    NAME,
    NUMBER,
    SMALL,
    SPACE,
    TITLE,
    Arrow,
    Box,
    BoxRoom,
    Line,
    Run,
    width_of,
)
from minigrad.viz.draw.folded import Folded
from minigrad.viz.draw.marks import (
    ADDED,
    CHANGED,
    CURRENT,
    FADED,
    NO_MARK,
    NO_MARKS,
    REMOVED,
    EdgeKey,
    Marks,
    Room,
)
from minigrad.viz.draw.text import Words, shorten
from minigrad.viz.draw.theme import THEMES, Theme
from minigrad.viz.read.saved import FREED, HELD, MODIFIED
from minigrad.viz.read.snapshot import Cut, Node, Saved, Snapshot, Tensor
from minigrad.viz.read.values import SHORTENED, Value

WIDEST = 750  # pixels: a notebook has room for 760
_MOST_ROWS = 7
_LONGEST_ROW = 64
_LONGEST_CONSTANT = 12
_KEEPS_WIDTH = 26
_NOTE_LENGTH = 40
_REASON_WIDTH = 28


def dot_source(
    snapshot: Snapshot,
    theme: Theme,
    direction: str | None = None,
    marks: Marks = NO_MARKS,
    live: bool = False,
) -> str:
    """Graphviz source of the picture.

    direction: ``"LR"`` (left to right) or ``"TB"`` (top to bottom); by default left to right if
    that fits 750 pixels. marks: what to draw besides the snapshot; they never bend its layout as
    long as their ``room`` holds what they say. live: whether a click on a fold opens it.
    """
    picture = _Picture(Words(snapshot), theme, marks, live)
    boxes, arrows = list(picture.boxes()), list(picture.arrows())
    if direction is None:
        direction = "LR" if width_of(boxes, arrows) <= WIDEST else "TB"
    # From top to bottom Graphviz would rather lead an arrow around a box than change this order.
    ordering = ", ordering=in" if direction == "LR" else ""
    head = [
        f'  graph [rankdir={direction}, bgcolor="{theme.background}", pad=0.13, nodesep=0.22,'
        f" ranksep=0.27{ordering}]",
        '  node [shape=box, margin="0.1,0.06", height=0, width=0, fontname="Helvetica"]',
        f'  edge [color="{theme.arrow}", fontname="Helvetica", penwidth=1.2, arrowsize=0.7]',
    ]
    body = [box.source for box in boxes]
    body += [picture.arrow_source(arrow, beside=direction == "TB") for arrow in arrows]
    return "\n".join(["digraph {", *head, *body, "}"]) + "\n"


def boxes_of(snapshot: Snapshot, theme: Theme) -> list[Box]:
    """The boxes alone."""
    return list(_Picture(Words(snapshot), theme, NO_MARKS).boxes())


def missing_style(theme: Theme) -> str:
    """How an edge is drawn that is not there."""
    return f'style=dashed, color="{theme.muted}", arrowhead=empty'


def room_for(pictures: Iterable[tuple[Snapshot, Marks]]) -> Room:
    """The room that the largest version of each part takes: with it all have the same layout."""
    boxes: dict[str, BoxRoom] = {}
    edges: dict[EdgeKey, int] = {}
    for snapshot, marks in pictures:
        picture = _Picture(Words(snapshot), THEMES["light"], marks)
        for box in picture.boxes():
            width, sizes = boxes.get(box.id, (0, ()))
            boxes[box.id] = max(width, box.room[0]), max(sizes, box.room[1], key=len)
        for arrow in picture.arrows():
            if arrow.gradient is not None:
                edges[arrow.key] = max(edges.get(arrow.key, 0), arrow.columns)
    return Room(boxes, edges)


class _Picture:
    """The boxes and arrows of one snapshot."""

    def __init__(self, words: Words, theme: Theme, marks: Marks, live: bool = False) -> None:
        self.words = words
        self.theme = theme
        self.marks = marks
        self.live = live
        self.cards = {t.id for t in words.snapshot.tensors if _has_card(t)}

    def boxes(self) -> Iterator[Box]:
        snapshot = self.words.snapshot
        for node in snapshot.nodes:
            if isinstance(node, Folded):
                yield self._marked(self._fold(node), node.id)
            elif node.kind == "operation":
                yield self._marked(self._pill(node), node.id)
        for tensor in snapshot.tensors:
            if tensor.id in self.cards:
                # What is said of AccumulateGrad is seen at its leaf.
                leaf_node = tensor.node if tensor.is_leaf else None
                yield self._marked(self._card(tensor), leaf_node or tensor.id)
        for index, cut in enumerate(self.words.cuts.get(None, ())):
            lines = [[Run(part, self.theme.muted)] for part in wrap(cut.reason, _REASON_WIDTH)]
            yield Box(f"exit{index}", lines, "LEFT", _frame("rounded,dashed", self.theme.muted))
        if snapshot.left_out:
            theme = self.theme
            line = [Run(f"{SHORTENED} {self.words.stopped}", theme.muted)]
            yield Box("more", [line], "LEFT", _frame("rounded,dotted", theme.muted))

    def arrows(self) -> Iterator[Arrow]:
        """The arrows in topological order of their targets."""
        for node in self.words.snapshot.nodes:
            seen: set[tuple[str, int]] = set()
            for index, source in enumerate(node.inputs):
                if source.left_out:
                    yield Arrow("more", node.id, "", dotted=True)
                elif source.node is not None:
                    place = (source.node, source.output)
                    arrow = self._forward(*place, node.id, named=place not in seen)
                    yield self._with_gradient(arrow, (node.id, index))
                    seen.add(place)
            for output in self.words.outputs.get(node.id, ()):
                tensor = self.words.at.get((node.id, output))
                if node.kind != "accumulate" and tensor is not None and tensor.id in self.cards:
                    arrow = Arrow(node.id, tensor.id, self._output_label(node.id, output))
                    yield self._with_gradient(arrow, (tensor.id, 0))

        yield from self._missing()

    def _missing(self) -> Iterator[Arrow]:
        """The edges that are not there; a card says itself why it has none."""
        exits = 0
        for cut in self.words.snapshot.cuts:
            source = self._start(cut)
            if source is None:
                continue
            if cut.target is None:
                yield Arrow(source, f"exit{exits}", "", missing=True)
                exits += 1
            elif cut.target in self.cards or cut.tensor is not None:
                yield Arrow(source, cut.target, "", missing=True)
            else:
                yield Arrow(source, cut.target, cut.reason, missing=True)

    def _start(self, cut: Cut) -> str | None:
        """The box that a missing edge would come from."""
        if cut.node is None:
            return cut.tensor
        tensor = self.words.at.get((cut.node, cut.output))
        return tensor.id if tensor is not None and tensor.id in self.cards else cut.node

    def arrow_source(self, arrow: Arrow, beside: bool) -> str:
        """beside: whether what rides on the arrow stands on its right rather than above it."""
        theme = self.theme
        told = _apart(arrow.label, beside)
        name = Run(told, theme.text, NAME, style="I")
        if arrow.missing:
            name = Run(told, theme.warning)
        lines = [name.html] if arrow.label else []
        attributes = []
        if arrow.gradient is not None:
            color = theme.grad if arrow.gradient else "transparent"
            place = str.ljust if beside else str.center
            text = _apart(place(arrow.gradient, arrow.columns), beside)
            style = "B" if arrow.passing else ""
            lines.append(Run(text, theme.grad, NUMBER, mono=True, style=style).html)
            attributes += ["dir=both", f'color="{theme.arrow}:{color}"']
            attributes += [] if arrow.gradient else ["arrowtail=none"]
        if lines:
            end = '<BR ALIGN="LEFT"/>' if beside else "<BR/>"
            label = end.join(lines) + (end if beside else "")
            attributes.insert(0, f"label=<{label}>")
        dotted = arrow.dotted or self._removed(arrow.source) or self._removed(arrow.target)
        attributes += [f'style=dotted, color="{theme.muted}"'] if dotted else []
        if arrow.missing:
            attributes.append(missing_style(theme))
        return f"  {arrow.source} -> {arrow.target} [{', '.join(attributes)}]"

    def _with_gradient(self, arrow: Arrow, key: EdgeKey) -> Arrow:
        gradient = self.marks.gradients.get(key)
        if gradient is None:
            return arrow
        text = shorten(gradient.text)
        columns = max(len(text), self.marks.room.edges.get(key, 0))
        return replace(arrow, key=key, gradient=text, passing=gradient.passing, columns=columns)

    def _marked(self, box: Box, part: str) -> Box:
        """The box with what its mark says of it, and as large as the marks leave room for."""
        theme, mark = self.theme, self.marks.parts.get(part, NO_MARK)
        box = replace(box, least=self.marks.room.boxes.get(box.id, box.least))
        if mark.note:
            note = Run(shorten(mark.note, _NOTE_LENGTH), theme.text, SMALL, mono=True)
            box = replace(box, lines=[*box.lines, [note]])
        if mark.state == CURRENT:
            frame = f'{box.attributes}, penwidth=3, color="{theme.grad}"'
            return replace(box, attributes=frame)
        if mark.state == ADDED:
            return replace(box, attributes=f"{box.attributes}, penwidth=3")
        if mark.state == CHANGED:
            return replace(box, attributes=f'{box.attributes}, penwidth=1.5, color="{theme.grad}"')
        if mark.state in (FADED, REMOVED):
            return box.recolored(theme.muted, _frame("rounded,dotted", theme.muted))
        return box

    def _removed(self, part: str) -> bool:
        return self.marks.parts.get(part, NO_MARK).state == REMOVED

    def _forward(self, node: str, output: int, target: str, named: bool) -> Arrow:
        tensor = self.words.at.get((node, output))
        if tensor is not None and tensor.id in self.cards:
            return Arrow(tensor.id, target, "")
        if not named:
            return Arrow(node, target, SPACE)  # keeps parallel arrows apart
        if tensor is not None and tensor.names:
            label = shorten(tensor.names[0])
        else:
            label = self.words.given(node, output) or self._output_label(node, output)
            label = shorten(label.rpartition(".")[2])  # the module's name stands where it begins
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
            lines.append([_label("grad", theme.muted), Run("None", theme.muted, NUMBER, mono=True)])
        return Box(tensor.id, lines, "LEFT", _frame(style, border, fill))

    def _head(self, tensor: Tensor) -> Iterator[Line]:
        theme = self.theme
        name = shorten(tensor.names[0]) if tensor.names else tensor.role
        kind = "no graph" if tensor.role == "constant" else tensor.role
        yield [
            Run(
                name, theme.text, TITLE, mono=bool(tensor.names), style="B" if tensor.names else "I"
            ),
            *([Run(f"  {kind}", theme.muted)] if tensor.names or kind != tensor.role else []),
        ]
        if tensor.names[1:]:
            yield [Run(f"also {', '.join(map(shorten, tensor.names[1:4]))}", theme.muted)]
        yield [Run(tensor.value.kind, theme.muted)]
        reasons = list(dict.fromkeys(cut.reason for cut in self.words.cuts.get(tensor.id, ())))
        for reason in reasons:
            yield from ([Run(part, theme.warning)] for part in wrap(reason, _REASON_WIDTH))
        if tensor.role == "constant" and not reasons:
            yield [Run("requires_grad=False", theme.muted, mono=True)]

    def _pill(self, node: Node) -> Box:
        theme = self.theme
        lines = [[Run(self.words.operation(node), theme.text, NAME, mono=True)]]
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

    def _fold(self, node: Folded) -> Box:
        """A box with a double frame, for there is more in it."""
        theme = self.theme
        module = node.times == 1
        border, fill = (
            (theme.leaf, theme.leaf_fill) if module else (theme.operation, theme.operation_fill)
        )
        lines = [[Run(node.title, theme.text, NAME, mono=True, style="B")]]
        lines += [[Run(shorten(line, _LONGEST_ROW), theme.muted)] for line in node.lines]
        opens = "folded: click to unfold" if self.live else "folded"
        lines.append([Run(opens, theme.muted, style="I")])
        frame = f"{_frame('rounded,filled', border, fill)}, peripheries=2"
        return Box(node.id, lines, "LEFT" if module else "CENTER", frame)

    def _kept(self, node: Node) -> str:
        kept = [self._keeps(saved) for saved in node.saved if saved.state == HELD]
        return f"keeps {', '.join(kept)}" if kept else ""

    def _keeps(self, saved: Saved) -> str:
        """Constants by name or number; what is in the picture anyway by the input's name alone."""
        tensor = self.words.tensors[saved.tensor] if saved.tensor else None
        in_graph = tensor is not None and tensor.node is not None
        if in_graph or (saved.value is not None and saved.value.shape and not saved.names):
            return shorten(saved.name)
        return self.words.saved(saved, _LONGEST_CONSTANT).replace(" ", SPACE)


def _has_card(tensor: Tensor) -> bool:
    return tensor.drawn or tensor.role == "leaf" or tensor.grad_state != "not retained"


def _apart(text: str, beside: bool) -> str:
    """With blanks, so as not to touch the arrow."""
    return f"  {text} " if beside else f" {text} "


def _frame(style: str, border: str, fill: str | None = None) -> str:
    filled = f', fillcolor="{fill}"' if fill else ""
    return f'style="{style}", color="{border}"{filled}'


def _listed(node: Node, state: str, sentence: str) -> str:
    names = [shorten(saved.name) for saved in node.saved if saved.state == state]
    return sentence.format(", ".join(names)) if names else ""


def _label(text: str, color: str) -> Run:
    return Run(f"{text:6}", color, NUMBER, mono=True)


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
            Run(shorten(line, _LONGEST_ROW), color, NUMBER, mono=True),
        ]
        for index, line in enumerate(lines)
    ]
