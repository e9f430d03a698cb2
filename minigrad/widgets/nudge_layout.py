"""Where the parts of nudge's picture are, from the most spacious layout to the closest one."""

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from minigrad.viz.draw.fonts import width_of
from minigrad.viz.draw.layout import LANE, Area, Fit, Layout, Placed, Road, Room
from minigrad.viz.draw.roads import Line, Point, inset

_ROW, _RADIUS, _MOST_ROWS = 16, 23, 4
_MOST_PARTS = 4  # of a sum that is spelled out
_MARGIN = 1  # for the outer half of lines around boxes
_OPERATION = 26  # half of its room: as much as a label's, so that roads run straight


class Look(NamedTuple):
    """How close everything is; tight: with smaller boxes."""

    fit: Fit
    tight: bool


LOOKS = (Look(Fit(13, 28), False), Look(Fit(5, 22), False), Look(Fit(1, 15), True))


def layouts(graph: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The picture's places in each of ``LOOKS``, as JSON; RenderError without Graphviz.

    Boxes and the labels of roads are x, y, width and height; a line is a list of points.
    """
    return [_layout(graph, look) for look in LOOKS]


def _layout(graph: Mapping[str, Any], look: Look) -> dict[str, Any]:
    ways = list(_ways(graph))
    rooms = dict(_rooms(graph, look.tight))
    rooms |= {way["to"]: Room(9, 4.5, 4.5) for way in ways if way["to"].startswith("f")}
    roads = [Road(way["id"], way["from"], way["to"], _label_room(way)) for way in ways]
    placed = Layout(rooms, roads, look.fit).place()
    areas = {**placed.labels, **placed.boxes}
    return {
        "width": placed.width + 2 * _MARGIN,
        "height": placed.height + 2 * _MARGIN,
        "tight": look.tight,
        "roads": ways,
        "boxes": {
            name: (area.x + _MARGIN, area.y + _MARGIN, area.width, area.height)
            for name, area in areas.items()
        },
        "lines": {
            road.id: [(x + _MARGIN, y + _MARGIN) for x, y in _to_rim(placed, road)]
            for road in roads
        },
    }


def _rooms(graph: Mapping[str, Any], tight: bool) -> Iterator[tuple[str, Room]]:
    for index, leaf in enumerate(graph["leaves"]):
        vector = leaf["entries"][0].endswith("]")
        width = 176 if not tight else 156 if vector else 112
        half = (34 + 44 * len(leaf["first"])) / 2 if vector else 46
        yield f"l{index}", Room(width, half, half, "first", leaf["name"])
    for index, data in enumerate(graph["data"]):
        rows = rows_of(data["shape"])
        numbers = width_of("−0.00" if rows else str(data["shape"]), "number")
        name = width_of(data["name"], "slope") + 10 if data["name"] else 0
        half = 7 + 10 * max(rows, 1)
        yield f"d{index}", Room(math.ceil(numbers + name + 22), half, half, "first", data["name"])
    for index, operation in enumerate(graph["operations"]):
        words = [operation[part] for part in ("before", "sign", "after") if operation[part]]
        wide = max(52, math.ceil(width_of(" ".join(words), "sign")) + (14 if tight else 26))
        square = operation["sign"] == "^" and operation["after"] == "2"
        width = 2 * _RADIUS if square or len(" ".join(words)) <= 1 else wide
        yield f"o{index}", Room(width, _OPERATION, _OPERATION, "", operation["name"])
    width = max(86 if tight else 104, math.ceil(width_of(graph["result"], "title")) + 26)
    yield "r", Room(width, 33, 33, "last", graph["result"])


def rows_of(shape: list[int] | None) -> int:
    """How many entries of a tensor are written one below the other; 0 if it has too many."""
    count = math.prod(shape or [])
    return count if count <= _MOST_ROWS else 0


def _ways(graph: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The roads: an edge is one, and where a tensor is used twice, one leads to the fork.

    ``rows`` and ``width`` are the room of its label, above and below it.
    """
    uses: dict[tuple[object, ...], list[int]] = {}
    for index, edge in enumerate(graph["edges"]):
        key = (edge["from"], edge["output"], index if edge["data"] else "")
        uses.setdefault(key, []).append(index)
    forks = 0
    number = math.ceil(width_of("−00.00", "edge"))
    for edges in uses.values():
        first = graph["edges"][edges[0]]
        start, rows = first["from"], max(1, rows_of(first["shape"]))
        inner = start[0] == "o" and first["name"]
        wide = math.ceil(width_of(f"{first['name']} = −00.00", "edge")) if inner else number
        width = 0 if first["data"] else wide
        if len(edges) > 1:
            parts = (
                " + ".join(["−00.00"] * len(edges)) if len(edges) <= _MOST_PARTS else "sum of 99"
            )
            sums = max(width, math.ceil(width_of(f"{parts} = −00.00", "slope") if rows == 1 else 0))
            fork, forks = f"f{forks}", forks + 1
            way = {"from": start, "to": fork, "edges": edges, "rows": rows, "width": sums}
            yield {"id": f"t{forks}", **way}
            start, width = fork, number
        for index in edges:
            way = {"from": start, "to": graph["edges"][index]["to"], "edges": [index]}
            yield {"id": f"e{index}", **way, "rows": rows, "width": width}


def _label_room(way: Mapping[str, Any]) -> Room:
    half = _ROW * way["rows"] + LANE + 4
    return Room(way["width"] + 6, half, half) if way["width"] else Room(6, 2 * LANE, 2 * LANE)


def _to_rim(placed: Placed, road: Road) -> Line:
    """The road's line, up to the rounded side of an operation."""
    line = list(placed.lines[road.id])
    if road.target.startswith("o"):
        area: Area = placed.boxes[road.target]
        radius = min(area.width / 2, _RADIUS)
        away = line[-1].y - area.y - area.height / 2
        line.append(Point(area.x + inset(away, radius, radius), line[-1].y))
    return line
