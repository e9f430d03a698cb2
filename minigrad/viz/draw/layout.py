"""Where the parts of a picture are: Graphviz places boxes, and a room on each road for its labels.

A road is the way from a box to another one. Its labels have a room of their own among the boxes,
and the road runs straight through the middle of it, so that no label ever lies on a line.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import chain, pairwise
from typing import NamedTuple

from minigrad.viz.draw.render import layout
from minigrad.viz.draw.roads import Line, Point, along
from minigrad.viz.draw.text import shorten

LANE = 4.5  # from the middle of a road to each of its two lanes
_NEAR = 90  # nearer than this, a road swings over in one S
_STUB = 11  # straight, for an arrowhead
_LEVEL = 2  # what differs less in height is level
_CORNER = 7  # of a box, where no road ends
_APART = 16  # between roads that enter a box


IsFree = Callable[[Line], bool]


class Area(NamedTuple):
    """A rectangle of the picture, in pixels."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Room:
    """What a box takes: along the roads, and across them before and behind the road's level.

    column: "first" for the beginning of the picture, "last" for its end. name: what to call it.
    length: that of its side, where roads come and go, if it is less than all of it.
    """

    along: float
    before: float
    behind: float
    column: str = ""
    name: str = ""
    length: float = math.inf

    @property
    def side(self) -> float:
        """How far from their level roads may come and go."""
        return max(min(self.length / 2, self.before) - _CORNER, 0)


@dataclass(frozen=True)
class Road:
    """A road between two boxes, and the room for its labels beside it.

    main: whether it runs straight before others do.
    """

    id: str
    source: str
    target: str
    room: Room
    main: bool = True


class Fit(NamedTuple):
    """How close everything is: between columns, and for a road to change its level."""

    gap: float
    swerve: float


WIDE, NARROW = Fit(13, 26), Fit(3, 15)


@dataclass(frozen=True)
class Placed:
    """Where everything is. A road's line runs from its source to its target."""

    width: float
    height: float
    boxes: Mapping[str, Area]
    labels: Mapping[str, Area]
    lines: Mapping[str, Line]

    def turned(self) -> "Placed":
        """The same from top to bottom instead of from left to right."""
        return Placed(
            self.height,
            self.width,
            {name: _turned(area) for name, area in self.boxes.items()},
            {name: _turned(area) for name, area in self.labels.items()},
            {name: [Point(y, x) for x, y in line] for name, line in self.lines.items()},
        )


def _turned(area: Area) -> Area:
    return Area(area.y, area.x, area.height, area.width)


class Layout:
    """Boxes and roads for Graphviz, and where it puts them.

    down: whether the roads run from top to bottom instead of from left to right.
    """

    def __init__(
        self, rooms: Mapping[str, Room], roads: Sequence[Road], fit: Fit = WIDE, down: bool = False
    ) -> None:
        self.rooms, self.roads, self.fit, self.down = rooms, roads, fit, down
        self._from: dict[str, list[Road]] = {}
        self._to: dict[str, list[Road]] = {}
        for road in roads:
            self._from.setdefault(road.source, []).append(road)
            self._to.setdefault(road.target, []).append(road)

    @property
    def source(self) -> str:
        """Graphviz source: the boxes, and one more for the labels of each road."""
        rank = "TB" if self.down else "LR"
        inches = f"nodesep={12 / 72:.3f}, ranksep={self.fit.gap / 72:.3f}"
        lines = [
            f"graph [rankdir={rank}, {inches}]",
            'node [shape=plain, fontname="Helvetica"] edge [arrowhead=none]',
            *(self._box(name, room) for name, room in self.rooms.items()),
        ]
        for road in self.roads:
            lines += self._road(road)
        lines += self._columns()
        return "digraph {\n" + "\n".join(f"  {line}" for line in lines) + "\n}\n"

    @property
    def width(self) -> float:
        """About how long it is along the roads: that of the longest way through it."""
        reach: dict[str, float] = {}
        for name in self._in_order():
            before = [
                reach[road.source] + road.room.along + sum(self._swerves(road)) + 2 * self.fit.gap
                for road in self._to.get(name, ())
            ]
            reach[name] = max(before, default=0) + self.rooms[name].along
        return max(reach.values(), default=0)

    def _in_order(self) -> Iterator[str]:
        """The boxes, each after those that roads to it come from."""
        waiting = Counter(road.target for road in self.roads)
        ready = [name for name in self.rooms if not waiting[name]]
        while ready:
            name = ready.pop()
            yield name
            for road in self._from.get(name, ()):
                waiting[road.target] -= 1
                if not waiting[road.target]:
                    ready.append(road.target)

    def _road(self, road: Road) -> Iterator[str]:
        start, end = ("s", "n") if self.down else ("e", "w")
        lead, tail = self._swerves(road)
        near, far = (20, 9) if road.main else (1, 1)
        yield self._box(road.id, replace(road.room, along=road.room.along + lead))
        yield f"{road.source}:p:{start} -> {road.id}:p:{end} [weight={2 if lead else near}]"
        last = road.id
        if tail:
            last = f"{road.id}x"
            yield self._box(last, Room(tail, 2 * LANE, 2 * LANE))
            yield f"{road.id}:p:{start} -> {last}:p:{end} [weight=2]"
        yield f"{last}:p:{start} -> {road.target}:p:{end} [weight={far}]"

    def _swerves(self, road: Road) -> tuple[float, float]:
        """The room in which a road changes its level, before its label and behind it."""
        beside = [other for other in self._from[road.source] if other.main or not road.main]
        leaves, enters = len(beside) > 1 or not road.main, len(self._to[road.target]) > 1
        return self.fit.swerve * leaves, self.fit.swerve * enters

    def _columns(self) -> Iterator[str]:
        """What is in a column of its own, and in which order."""
        first = [name for name, room in self.rooms.items() if room.column == "first"]
        if first:
            order = f"{' -> '.join(first)} [style=invis, weight=9]" if first[1:] else first[0]
            yield f"{{ rank=min; {order} }}"
        last = [name for name, room in self.rooms.items() if room.column == "last"]
        if last:
            yield f"{{ rank=max; {'; '.join(last)} }}"

    def _box(self, name: str, room: Room) -> str:
        """A table: a cell with the port at the middle of its sides, and one for the rest."""
        port, rest = 2 * min(room.before, room.behind), abs(room.before - room.behind)
        cells = [_cell(room.along, port, self.down, 'PORT="p" ', shorten(room.name))]
        if rest >= 1:
            cells.insert(room.behind > room.before, _cell(room.along, rest, self.down))
        rows = "".join(cells) if self.down else "</TR><TR>".join(cells)
        frame = 'BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"'
        return f"{name} [label=<<TABLE {frame}><TR>{rows}</TR></TABLE>>]"

    def place(self) -> Placed:
        """Where everything is; RenderError where there is no Graphviz."""
        plain = _parsed(layout(self.source), self.down)
        starts, ends = self._starts(plain), self._ends(plain)
        solid = {
            name: plain.boxes[name] for name in [*self.rooms, *(road.id for road in self.roads)]
        }
        labels, lines = {}, {}
        for road in self.roads:
            lead, _ = self._swerves(road)
            whole = plain.boxes[road.id]
            label = Area(whole.x + lead, whole.y, whole.width - lead, whole.height)
            level = label.y + road.room.before
            is_free = self._ground(road, solid)
            curve = plain.curves[road.source, road.id]
            line = _way(starts[road.id], Point(label.x, level), curve, is_free)
            last = Point(label.x + label.width, level)
            line += self._rest(road, last, ends[road.id], plain, is_free)
            labels[road.id], lines[road.id] = label, _without_repeats(line)
        boxes = {name: plain.boxes[name] for name in self.rooms}
        placed = Placed(plain.width, plain.height, boxes, _centered(boxes, labels, lines), lines)
        return placed.turned() if self.down else placed

    @staticmethod
    def _ground(road: Road, solid: Mapping[str, Area]) -> IsFree:
        """What says whether a line keeps clear of the boxes and labels that aren't this road's."""
        own = (road.source, road.id, road.target)

        def is_free(line: Line) -> bool:
            whole = _around(line)
            met = [name for name, area in solid.items() if _meet(whole, area)]
            near = [solid[name] for name in met if name not in own]
            return not any(_meet(_around(way), area) for area in near for way in pairwise(line))

        return is_free

    def _rest(self, road: Road, last: Point, end: Point, plain: "_Plain", is_free: IsFree) -> Line:
        """A road's line behind its label: level as far as it can be, else as Graphviz says."""
        corner = plain.boxes.get(f"{road.id}x")
        if corner is None:
            return _way(last, end, plain.curves[road.id, road.target], is_free)
        turn = Point(corner.x, corner.y + corner.height / 2)
        near = end.x - last.x <= _NEAR
        level = _bend(last, end) if near else [last, *_bend(Point(turn.x, last.y), end)]
        if is_free(level):
            return level
        bent = _way(last, turn, plain.curves[road.id, f"{road.id}x"], is_free)
        return bent + _way(turn, end, plain.curves[f"{road.id}x", road.target], is_free)

    def _starts(self, plain: "_Plain") -> dict[str, Point]:
        """Where each road begins at the side of a box."""
        found = {}
        for source, leaving in self._from.items():
            box = plain.boxes[source]
            for road, level in self._beside(plain, source, leaving):
                found[road.id] = Point(box.x + box.width, level)
        return found

    def _ends(self, plain: "_Plain") -> dict[str, Point]:
        """Where each road ends at the side of a box."""
        return {
            road.id: Point(plain.boxes[target].x, level)
            for target, entering in self._to.items()
            for road, level in self._beside(plain, target, entering)
        }

    def _beside(
        self, plain: "_Plain", box: str, roads: Sequence[Road]
    ) -> Iterator[tuple[Road, float]]:
        """The roads at one side of a box, and their levels: one beside the other, as they come."""
        levels = {road.id: plain.boxes[road.id].y + road.room.before for road in roads}
        roads = sorted(roads, key=lambda road: levels[road.id])
        middle, side = plain.boxes[box].y + self.rooms[box].before, self.rooms[box].side
        step = min(_APART, 2 * side / max(len(roads) - 1, 1))
        span = step * (len(roads) - 1)
        straight = [levels[r.id] - index * step for index, r in enumerate(roads) if r.main]
        fitting = [first for first in straight if -side <= first - middle <= side - span]
        even = middle - span / 2
        first = min(fitting, key=lambda first: abs(first - even), default=even)
        for index, road in enumerate(roads):
            yield road, first + index * step


def _cell(along: float, across: float, down: bool, port: str = "", text: str = "") -> str:
    width, height = (across, along) if down else (along, across)
    size = f'FIXEDSIZE="TRUE" WIDTH="{width:.0f}" HEIGHT="{height:.0f}"'
    # Graphviz reads escapes such as \\N in labels, and lets no text begin with a bracket.
    safe = escape(text).replace("\\", "&#92;").replace("]", "&#93;")
    return f"<TD {port}{size}>{safe}</TD>"


class _Plain(NamedTuple):
    """What Graphviz says, in pixels, with y growing downward."""

    width: float
    height: float
    boxes: dict[str, Area]
    curves: dict[tuple[str, str], Line]


def _parsed(plain: str, down: bool) -> _Plain:
    """Graphviz's plain format, which has inches from the bottom; down: with x and y exchanged."""
    width = height = 0.0
    boxes: dict[str, Area] = {}
    curves: dict[tuple[str, str], Line] = {}
    for line in plain.splitlines():
        kind, *words = line.split(" ")
        if kind == "graph":
            width, height = (float(word) * 72 for word in words[1:3])
        elif kind == "node":
            x, y, wide, high = (float(word) * 72 for word in words[1:5])
            boxes[words[0]] = Area(x - wide / 2, height - y - high / 2, wide, high)
        elif kind == "edge":
            count = int(words[2])
            numbers = [float(word) * 72 for word in words[3 : 3 + 2 * count]]
            points = [
                Point(x, height - y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)
            ]
            curves[words[0], words[1]] = along(points)
    if down:
        boxes = {name: _turned(area) for name, area in boxes.items()}
        curves = {ends: [Point(y, x) for x, y in line] for ends, line in curves.items()}
        width, height = height, width
    return _Plain(width, height, boxes, curves)


def _way(start: Point, end: Point, curve: Line, is_free: IsFree) -> Line:
    """The way between two points: an S where they are near, else as Graphviz says."""
    bend = _bend(start, end)
    is_near = end.x - start.x < _NEAR or abs(start.y - end.y) < _LEVEL
    return bend if is_near and is_free(bend) else [start, *curve, end]


def _bend(start: Point, end: Point) -> Line:
    """An S from one level to another."""
    if abs(start.y - end.y) < _LEVEL:
        return [start, end]
    stop = end.x - min(_STUB, (end.x - start.x) / 3)
    middle = (start.x + stop) / 2
    bends = [start, Point(middle, start.y), Point(middle, end.y), Point(stop, end.y)]
    return [*along(bends), end]


def _centered(
    boxes: Mapping[str, Area], labels: Mapping[str, Area], lines: Mapping[str, Line]
) -> dict[str, Area]:
    """The labels, half way along the straight part of their roads if nothing else is there."""
    found = dict(labels)
    whole = {name: _around(line) for name, line in lines.items()}
    for name, label in labels.items():
        first, last = label.x, label.x + label.width
        for a, b in pairwise(lines[name]):
            if a.y == b.y and a.x <= last and b.x >= first:
                first, last = min(first, a.x), max(last, b.x)
        moved = label._replace(x=(first + last - label.width) / 2)
        others = chain(boxes.values(), (area for other, area in found.items() if other != name))
        near = (other for other in lines if other != name and _meet(moved, whole[other]))
        ways = (map(_around, pairwise(lines[other])) for other in near)
        if not any(_meet(moved, area) for area in chain(others, *ways)):
            found[name] = moved
    return found


def _meet(one: Area, other: Area) -> bool:
    x, y, width, height = one
    left, top, wide, high = other
    return x < left + wide and left < x + width and y < top + high and top < y + height


def _around(line: Sequence[Point]) -> Area:
    """What a road, or a part of it, takes with its two lanes."""
    across, down = [x for x, _ in line], [y for _, y in line]
    left, top = min(across) - LANE, min(down) - LANE
    return Area(left, top, max(across) + LANE - left, max(down) + LANE - top)


def _without_repeats(line: Line) -> Line:
    kept = line[:1]
    for point in line[1:]:
        if abs(point.x - kept[-1].x) + abs(point.y - kept[-1].y) > 0.5:
            kept.append(point)
    return kept
