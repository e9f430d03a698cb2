"""What a picture shows of a snapshot: cards, operations and roads, with their texts."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from minigrad.viz.draw.folded import Folded
from minigrad.viz.draw.fonts import width_of
from minigrad.viz.draw.layout import LANE, Road, Room
from minigrad.viz.draw.marks import NO_MARK, REMOVED, EdgeKey, Gradient, Marks
from minigrad.viz.draw.rows import (
    Ink,
    Row,
    add_up,
    amount,
    entries,
    gradient_rows,
    labeled,
    reason_rows,
    size_text,
)
from minigrad.viz.draw.text import Words, shorten
from minigrad.viz.read.notes import NO_GRADIENT
from minigrad.viz.read.saved import FREED, HELD
from minigrad.viz.read.snapshot import Cut, Input, Node, Saved, Snapshot, Tensor
from minigrad.viz.read.values import SHORTENED, Value
from minigrad.viz.rules import BETWEEN, RULES, sign_of

DETAILS = ("values", "saved", "all")
RADIUS, PADDING, TOP = 23, 10, 6
EDGE = 4  # of what is folded: a second one behind it
_GAP = 3  # between a road's lanes and its labels
_LONGEST_LABEL, _LONGEST_SUM, _LONGEST_NAME, _LONGEST_NODE = 14, 30, 24, 18
_SHORT_NODE, _LONGEST_SIGN = 12, 14
_RESERVED = "−00.00"  # a gradient that hasn't arrived yet
_BESIDE, _MOST_BESIDE = 12, 24  # roads that end at one operation
_MOST_DEEP = 4  # operations: what is used later stands there, not where the picture begins


@dataclass(frozen=True)
class Box:
    """A card, or an operation with what is written below it.

    kind: "leaf", "result", "tensor", "data", "constant", "cut", "more", "module", "fold",
    "operation" or "fork". sign: what an operation shows large. state: a mark's. entering: how many
    roads end at it.
    """

    id: str
    kind: str
    rows: tuple[Row, ...] = ()
    sign: str = ""
    state: str = ""
    column: str = ""
    name: str = ""
    entering: int = 0

    @property
    def style(self) -> str:
        """How an operation's sign is written."""
        return "sign" if len(self.sign) < 3 else "word"

    def pill(self, down: bool) -> tuple[float, float]:
        """The size of an operation's sign with the line around it: longer where many roads end."""
        width = width_of(self.sign, self.style) + 22
        height = 2 * RADIUS if width <= 2 * RADIUS else 2 * RADIUS - 4
        side = _BESIDE * min(self.entering, _MOST_BESIDE) if self.entering > 3 else 0
        return _even(max(2 * RADIUS, width, side * down)), max(height, side * (not down))

    def size(self, down: bool) -> tuple[float, float]:
        width = max((row.width for row in self.rows), default=0)
        height = sum(row.height for row in self.rows)
        if self.kind == "fork":
            return 8, 8
        if self.kind == "operation":
            wide, high = self.pill(down)
            return _even(max(wide, width)), _even(high + height)
        edge = EDGE if self.kind in ("module", "fold") else 0
        width = _even(max(width + 2 * PADDING, 44)) + edge
        return width, _even(height + 2 * TOP + 2) + edge * down

    def room(self, down: bool) -> Room:
        """What it takes in a layout, and where roads come and go."""
        width, height = self.size(down)
        sign = self.pill(down) if self.kind == "operation" else (width, height)
        if down:
            return Room(height, width / 2, width / 2, self.column, self.name, sign[0])
        level, before = sign[1] / 2, float(TOP)
        for row in self.rows:
            if row.lanes:
                level = math.ceil(before + row.height / 2)
            before += row.height
        return Room(width, level, height - level, self.column, self.name)


@dataclass(frozen=True)
class Way:
    """A road as it is drawn: what stands above it (values) and below it (gradients).

    kind: "value", "removed" (from one drawing to the next), "data" (no gradient comes back),
    "missing" (the graph has no such edge) or "dotted" (there is more than is drawn). edges: those
    of the graph that it stands for. back: whether a gradient has come along it, or "passing",
    which is happening now.
    """

    id: str
    source: str
    target: str
    kind: str = "value"
    above: tuple[Row, ...] = ()
    below: tuple[Row, ...] = ()
    edges: tuple[EdgeKey, ...] = ()
    back: str = ""

    def road(self, down: bool) -> Road:
        wide = [max((row.width for row in rows), default=0) for rows in (self.above, self.below)]
        high = [sum(row.height for row in rows) for rows in (self.above, self.below)]
        along, across = (max(high), wide) if down else (max(wide), high)
        half = math.ceil(LANE + _GAP + max(across))
        room = Room(_even(max(along, 8) + 6), half, half)
        return Road(self.id, self.source, self.target, room, self.kind not in ("missing", "dotted"))


@dataclass(frozen=True)
class Scene:
    """Everything that a picture shows, before it has places."""

    boxes: tuple[Box, ...]
    ways: tuple[Way, ...]
    words: Words = field(repr=False)


def check_detail(detail: str) -> None:
    """ValueError for anything but one of ``DETAILS``."""
    if detail not in DETAILS:
        raise ValueError(f"detail must be 'values', 'saved' or 'all', but got {detail!r}")


def scene_of(
    snapshot: Snapshot, marks: Marks, detail: str = "values", narrow: bool = False
) -> Scene:
    """The scene of a snapshot, folded or not.

    detail: one of ``DETAILS``. narrow: whether the names of nodes are cut into shorter lines.
    """
    builder = _Builder(Words(snapshot), marks, detail, narrow)
    ways = tuple(builder.ways())
    return Scene(tuple(builder.boxes(ways)), ways, builder.words)


class _Builder:
    """The boxes and ways of one snapshot."""

    def __init__(self, words: Words, marks: Marks, detail: str, narrow: bool) -> None:
        self.words, self.marks = words, marks
        self.longest = _SHORT_NODE if narrow else _LONGEST_NODE
        self.level = DETAILS.index(detail)
        self.nodes = {node.id: node for node in words.snapshot.nodes}
        self.cards = {t.id: t for t in words.snapshot.tensors if _has_card(t)}
        self.data: dict[tuple[object, ...], Box] = {}
        self.signs: dict[str, str] = {}
        self.numbers = count()

    # Boxes

    def boxes(self, ways: Sequence[Way]) -> Iterator[Box]:
        found = {box.id: box for box in self._found()}
        found |= {w.target: Box(w.target, "fork") for w in ways if w.target.startswith("f")}
        order = {way.source: index for index, way in reversed(list(enumerate(ways)))}
        targets = Counter(way.target for way in ways)
        near = _near(ways)
        for box in sorted(found.values(), key=lambda box: order.get(box.id, len(ways))):
            first = box.id in near and box.kind in ("leaf", "data", "constant", "module")
            last = box.kind == "result" and box.id not in order
            column = "first" if first else "last" if last else ""
            yield replace(box, column=column, entering=targets[box.id])

    def _found(self) -> Iterator[Box]:
        snapshot = self.words.snapshot
        for node in snapshot.nodes:
            if isinstance(node, Folded):
                yield self._fold(node)
            elif node.kind == "operation":
                yield self._operation(node)
        yield from (self._card(tensor) for tensor in self.cards.values())
        yield from self.data.values()
        for index, cut in enumerate(self.words.cuts.get(None, ())):
            yield Box(f"exit{index}", "cut", tuple(reason_rows(cut.reason)))
        if snapshot.left_out:
            yield Box(
                "more", "more", tuple(reason_rows(f"{SHORTENED} {self.words.stopped}", "muted"))
            )

    def _state(self, part: str) -> tuple[str, tuple[Row, ...]]:
        mark = self.marks.parts.get(part, NO_MARK)
        note = (Row((Ink(shorten(mark.note), "small", "muted"),)),) if mark.note else ()
        return mark.state, note

    def _operation(self, node: Node) -> Box:
        state, note = self._state(node.id)
        name = self.words.operation(node)
        rows = [Row((Ink(part, "node", "muted"),)) for part in _parts(name, self.longest)]
        if self.level >= 1:
            rows += [Row((self._kept(saved),)) for saved in node.saved]
        if self.level >= 2:
            rows.append(Row((Ink(node.id, "small", "muted"),)))
        sign = shorten(self._sign(node), _LONGEST_SIGN)
        return Box(node.id, "operation", (*rows, *note), sign, state, name=name)

    def _sign(self, node: Node) -> str:
        """What an operation shows large, with a plain number that took part."""
        sign = sign_of(node.name)
        number = self.signs.get(node.id) or (node.number if sign in BETWEEN else None)
        if number is None:
            return sign
        number = number.replace("-", "−")
        rule = RULES.get(node.name)
        return f"{number} {sign}" if rule and rule.number_first else f"{sign} {number}"

    def _kept(self, saved: Saved) -> Ink:
        mark, role = {HELD: ("■", "text"), FREED: ("□", "muted")}.get(saved.state, ("■̸", "warning"))
        text = (
            self.words.saved(saved, _LONGEST_LABEL) if saved.state == HELD else shorten(saved.name)
        )
        ending = "" if saved.state == HELD else " freed" if saved.state == FREED else " changed"
        return Ink(f"{mark} {shorten(text, _LONGEST_NAME)}{ending}", "small", role)

    def _fold(self, node: Folded) -> Box:
        state, note = self._state(node.id)
        module = node.times == 1
        role = "leaf" if module else "text"
        rows = [Row((Ink(shorten(node.title, _LONGEST_NAME), "title", role),))]
        rows += [Row((Ink(shorten(line, _LONGEST_NAME), "small", "muted"),)) for line in node.lines]
        if module:
            for value in node.values:
                rows += [Row(space=_GAP), *entries(value, "text", "small")]
            rows.append(Row(lanes=2 if node.grads else 1))
            for value in reversed(node.grads):
                rows += [*entries(value, "grad", "small"), Row(space=_GAP)]
        kind = "module" if module else "fold"
        return Box(node.id, kind, (*rows, *note), "", state, name=node.title)

    def _card(self, tensor: Tensor) -> Box:
        part = tensor.node if tensor.is_leaf and tensor.node else tensor.id
        state, note = self._state(part)
        kind = "tensor" if tensor.role == "intermediate" else tensor.role
        if tensor.role == "constant" and tensor.id not in self.words.cuts:
            rows = [*self._head(tensor, "data"), *entries(tensor.value, "muted")]
            return Box(tensor.id, "data", (*rows, *note), "", state, name=self.words.tensor(tensor))
        rows = [*self._head(tensor, kind), *labeled("value", tensor.value, "text")]
        if tensor.grad is not None:
            rows += labeled("grad", tensor.grad, "grad")
        elif tensor.grad_state == "none" and tensor.requires_grad:
            rows.append(Row((Ink("grad", "label", "muted"),), (Ink("None", "number", "muted"),)))
        reasons = dict.fromkeys(cut.reason for cut in self.words.cuts.get(tensor.id, ()))
        rows += [row for reason in reasons for row in reason_rows(reason)]
        name = self.words.tensor(tensor)
        return Box(tensor.id, kind, (*rows, *note), "", state, name=name)

    def _head(self, tensor: Tensor, kind: str) -> Iterator[Row]:
        role = {"leaf": "leaf", "result": "result"}.get(kind, "text")
        name = shorten(tensor.names[0], _LONGEST_NAME) if tensor.names else kind
        shape = tensor.value.kind if self.level >= 2 else size_text(tensor.value)
        yield Row((Ink(name, "title", role),), (Ink(shape, "label", "muted"),) if shape else ())
        if tensor.names[1:]:
            others = ", ".join(tensor.names[1:4])
            yield Row((Ink(f"also {shorten(others, _LONGEST_NAME)}", "label", "muted"),))
        if self.level >= 2 and tensor.version:
            yield Row((Ink(f"version {tensor.version}", "small", "muted"),))

    # Ways

    def ways(self) -> Iterator[Way]:
        """The ways in topological order of their targets; where a tensor is used twice, a fork."""
        uses: dict[tuple[str, int], list[EdgeKey]] = {}
        for node in self.words.snapshot.nodes:
            for index, source in enumerate(node.inputs):
                if source.node is not None:
                    place = self._start(source.node, source.output), source.output
                    uses.setdefault(place, []).append((node.id, index))
        forks: dict[tuple[str, int], str] = {}
        for node in self.words.snapshot.nodes:
            for index, source in enumerate(node.inputs):
                if source.left_out:
                    yield Way(self._road(), "more", node.id, "dotted")
                elif source.node is not None:
                    yield from self._edge(node.id, index, source, uses, forks)
            yield from self._constants(node)
            yield from self._outputs(node)
        yield from self._missing()

    def _road(self) -> str:
        return f"r{next(self.numbers)}"

    def _start(self, node: str, output: int) -> str:
        tensor = self.words.at.get((node, output))
        return tensor.id if tensor is not None and tensor.id in self.cards else node

    def _edge(
        self,
        node: str,
        index: int,
        source: Input,
        uses: Mapping[tuple[str, int], list[EdgeKey]],
        forks: dict[tuple[str, int], str],
    ) -> Iterator[Way]:
        assert source.node is not None
        start = self._start(source.node, source.output)
        place = start, source.output
        edges = uses[place]
        above = self._named(source.node, source.output) if start == source.node else ()
        if len(edges) == 1:
            yield self._way(start, node, [(node, index)], above)
            return
        if place not in forks:
            forks[place] = f"f{len(forks)}"
            yield self._way(start, forks[place], edges, above)
        yield self._way(forks[place], node, [(node, index)], ())

    def _way(
        self, source: str, target: str, edges: Sequence[EdgeKey], above: tuple[Row, ...]
    ) -> Way:
        """A way for gradients, too. The gradients of several edges are added up on it."""
        here = [edge for edge in edges if self._state(edge[0])[0] != REMOVED]
        removed = not here or self._state(source)[0] == REMOVED
        edges = here or edges
        gradients = [self._gradient(edge) for edge in edges]
        texts = [gradient.text for gradient in gradients if gradient.text]
        back = "passing" if any(gradient.passing for gradient in gradients) else "back"
        text = texts[0] if len(texts) == len(edges) == 1 else ""
        several = len(edges) > 1 and len(texts) > 0
        total = self.marks.sums.get(tuple(edges)) or self._received(edges[0]) if several else ""
        if several and (total or len(texts) == len(edges)):
            parts = [text.rpartition("= ")[2] for text in texts]  # what products come to
            more = [] if add_up(parts, total) else [SHORTENED]
            text = " + ".join([*parts, *more]).replace("+ −", "− ")
            text += f" = {total}" if total else ""
            if len(text) > _LONGEST_SUM and total:
                text = f"{len(texts)} gradients: {total}"
        style = "slope" if back == "passing" else "edge"
        room = Ink(_RESERVED if len(edges) == 1 else "", style, "none")
        below = [Row((Ink(shorten(text, _LONGEST_SUM), style, "grad") if text else room,))]
        value = self._passed(edges[0]) if len(edges) == 1 else None
        if value is not None and edges[0] not in self.marks.gradients:
            below = gradient_rows(value, text)
        kind = back if text else ""
        way = "removed" if removed else "value"
        return Way(self._road(), source, target, way, above, tuple(below), tuple(edges), kind)

    def _gradient(self, edge: EdgeKey) -> Gradient:
        """What has come back along an edge: as it is marked, or as a recording has seen it."""
        marked = self.marks.gradients.get(edge)
        return Gradient(amount(self._passed(edge))) if marked is None else marked

    def _passed(self, edge: EdgeKey) -> Value | None:
        """The gradient of an edge that a recording has seen."""
        part, index = edge
        if part in self.nodes:
            passed = self.nodes[part].passed
            return passed[index] if index < len(passed) else None
        tensor = self.words.tensors[part]
        received = self.nodes[tensor.node].received if tensor.node in self.nodes else ()
        return received[tensor.output] if received else None

    def _received(self, edge: EdgeKey) -> str:
        """What the gradients of a tensor that is used several times add up to."""
        source = self.nodes[edge[0]].inputs[edge[1]]
        received = self.nodes[source.node or ""].received
        return amount(received[source.output]) if source.output < len(received) else ""

    def _named(self, node: str, output: int) -> tuple[Row, ...]:
        """What a way is called, and its value if it is short."""
        tensor = self.words.at.get((node, output))
        name = tensor.names[0] if tensor and tensor.names else self.words.given(node, output)
        if not name and len(self.words.outputs[node]) > 1:
            name = f"output {output}"
        name = shorten(name.rpartition(".")[2], 12)
        if tensor is None:
            return (Row((Ink(name, "name"),)),) if name else ()
        if tensor.value.shape == ():
            number = Ink(tensor.value.text, "edge")
            return (Row((Ink(f"{name} = ", "name"), number) if name else (number,)),)
        shape = (
            Ink(f"{name} " if name else "", "name"),
            Ink(size_text(tensor.value), "label", "muted"),
        )
        return (Row(shape), *(row for row in entries(tensor.value, "text") if row.heat))

    def _outputs(self, node: Node) -> Iterator[Way]:
        for output in self.words.outputs.get(node.id, ()):
            tensor = self.words.at.get((node.id, output))
            if node.kind != "accumulate" and tensor is not None and tensor.id in self.cards:
                several = len(self.words.outputs[node.id]) > 1
                name = (Row((Ink(f"output {output}", "name"),)),) if several else ()
                yield self._way(node.id, tensor.id, [(tensor.id, 0)], name)

    def _constants(self, node: Node) -> Iterator[Way]:
        """Data that took part, as far as the node keeps it; a plain number belongs to the sign."""
        for cut in self.words.cuts.get(node.id, ()):
            if self._is_data(cut):
                assert cut.tensor is not None
                yield Way(self._road(), cut.tensor, node.id, "data")
        rule = RULES.get(node.name)
        names = list(rule.backward) if rule is not None else []
        free = [i for i, source in enumerate(node.inputs) if source.node is None]
        for saved in node.saved:
            value, tensor = saved.value, self.words.tensors.get(saved.tensor or "")
            if tensor is not None and tensor.node is None:
                value, called = tensor.value, tensor.names
            else:
                called = saved.names
            at = names.index(saved.name) if saved.name in names else None
            known = at is not None and at not in free  # an input with an edge
            if value is None or saved.name == "result" or known:
                continue
            if not (free or isinstance(node, Folded)):
                continue
            if free:
                free.remove(at if at in free else free[0])
            if not value.shape and not called:
                self.signs[node.id] = value.text
                continue
            source = tensor.id if tensor is not None and tensor.id in self.cards else None
            key = (called, value)
            if source is None and key not in self.data:
                name = shorten(called[0], _LONGEST_NAME) if called else "data"
                head = Row((Ink(name, "title"),), (Ink(size_text(value), "label", "muted"),))
                rows = (head, *entries(value, "muted"))
                self.data[key] = Box(f"d{len(self.data)}", "data", rows, name=name)
            yield Way(self._road(), source or self.data[key].id, node.id, "data")

    def _missing(self) -> Iterator[Way]:
        """The edges that the graph lacks; a card says itself why it has none."""
        exits = count()
        for cut in self.words.snapshot.cuts:
            source = self._cut_start(cut)
            if source is None or self._is_data(cut):
                continue
            if cut.target is None:
                yield Way(self._road(), source, f"exit{next(exits)}", "missing")
            elif cut.target in self.cards or cut.tensor is not None:
                yield Way(self._road(), source, cut.target, "missing")
            else:
                below = tuple(reason_rows(cut.reason))
                yield Way(self._road(), source, cut.target, "missing", (), below)

    def _is_data(self, cut: Cut) -> bool:
        """Whether a tensor took part that never was to get a gradient."""
        tensor = self.words.tensors.get(cut.tensor or "")
        made = tensor is not None and any(self.words.cuts.get(tensor.id, ()))
        return cut.reason == NO_GRADIENT and tensor is not None and not made

    def _cut_start(self, cut: Cut) -> str | None:
        """The box that a missing edge would come from."""
        return cut.tensor if cut.node is None else self._start(cut.node, cut.output)


def _near(ways: Sequence[Way]) -> set[str]:
    """Where the picture begins: what no road leads to, if it is used among the first operations."""
    depth: dict[str, int] = {}
    for way in ways:
        step = not way.target.startswith("f")
        depth[way.target] = max(depth.get(way.target, 0), depth.get(way.source, 0) + step)
    used: dict[str, int] = {}
    for way in reversed(ways):
        here = used.get(way.target, _MOST_DEEP) if way.target.startswith("f") else depth[way.target]
        used[way.source] = min(used.get(way.source, here), here)
    return {box for box, first in used.items() if box not in depth and first < _MOST_DEEP}


def _even(size: float) -> float:
    """Whole pixels that have a middle, so that roads meet boxes at the same level."""
    return 2 * math.ceil(size / 2)


def _has_card(tensor: Tensor) -> bool:
    return tensor.drawn or tensor.role == "leaf" or tensor.grad_state != "not retained"


def _parts(name: str, longest: int) -> list[str]:
    """A node's name in lines short enough to stand under its sign, cut between its words."""
    lines = [""]
    for word in re.findall("^[^A-Z]+|[A-Z][^A-Z]*", name):
        if lines[-1] and len(lines[-1]) + len(word) > longest:
            lines.append("")
        lines[-1] += word
    return lines
