"""What is wrong with a picture: labels on lines or on labels, lines through boxes.

Everything is read from the SVG as it is written; how wide text is, ``fonts.width_of`` says.
"""

import math
import re
from itertools import combinations, pairwise
from typing import NamedTuple
from xml.etree import ElementTree

from minigrad.viz.draw.fonts import STYLES, width_of

_CLOSE = 0.5  # pixels that lines and boxes may share
_INTO = 3.5  # pixels that a road may reach into the boxes it joins


class Area(NamedTuple):
    """A rectangle: from where to where, and whose it is."""

    left: float
    top: float
    right: float
    bottom: float
    text: str
    part: str
    radius: float = 0

    @property
    def name(self) -> str:
        return self.text or "heat map"

    def meets(self, other: "Area") -> bool:
        across = min(self.right, other.right) - max(self.left, other.left)
        return (
            across > _CLOSE and min(self.bottom, other.bottom) - max(self.top, other.top) > _CLOSE
        )

    def shrunk(self, by: float) -> "Area":
        left, top, right, bottom, *rest = self
        return Area(left + by, top + by, right - by, bottom - by, *rest)

    def is_entered(self, line: list[tuple[float, float]]) -> bool:
        """Whether a line goes deeper into the rounded frame than its arrow does."""
        left, top, right, bottom = self.shrunk(self.radius)[:4]
        return any(
            math.hypot(max(left - x, x - right, 0), max(top - y, y - bottom, 0))
            < self.radius - _INTO
            for start, end in pairwise(line)
            for x, y in _between(start, end)
        )

    def is_crossed(self, line: list[tuple[float, float]]) -> bool:
        return any(self._is_cut(*start, *end) for start, end in pairwise(line))

    def _is_cut(self, x1: float, y1: float, x2: float, y2: float) -> bool:
        """Liang and Barsky: whether some of the segment lies inside."""
        first, last = 0.0, 1.0
        sides = ((x1 - x2, x1 - self.left), (x2 - x1, self.right - x1))
        for slope, room in (*sides, (y1 - y2, y1 - self.top), (y2 - y1, self.bottom - y1)):
            if slope == 0 and room < 0:
                return False
            if slope < 0:
                first = max(first, room / slope)
            elif slope > 0:
                last = min(last, room / slope)
        return first < last


class Sheet:
    """The frames, the labels and the lines of one SVG."""

    def __init__(self, svg: str) -> None:
        self.frames: list[Area] = []
        self.labels: list[Area] = []
        self.lines: list[tuple[str, set[str], list[tuple[float, float]]]] = []
        for group in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}g"):
            part = group.get("data-part") or group.get("data-road") or ""
            ends = {part, group.get("data-from", part), group.get("data-to", part)}
            for shape in group:
                self._add(shape, part, ends)

    def _add(self, shape: ElementTree.Element, part: str, ends: set[str]) -> None:
        tag, (kind, *rest) = shape.tag.rpartition("}")[2], (shape.get("class", "") + " ").split(" ")
        if tag == "text":
            self.labels.append(_text(shape, kind, part))
        elif tag == "rect":
            left, top = float(shape.get("x", 0)), float(shape.get("y", 0))
            right = left + float(shape.get("width", 0))
            bottom, radius = top + float(shape.get("height", 0)), float(shape.get("rx", 0))
            area = Area(left, top, right, bottom, "", part, radius)
            (self.labels if kind == "heat" else self.frames).append(area)
        elif tag == "path" and kind == "lane":
            points = re.findall(r"(-?[\d.]+),(-?[\d.]+)", shape.get("d", ""))
            through = {f"{part} through"} if "through" in rest else ends
            self.lines.append((part, through, [(float(x), float(y)) for x, y in points]))

    def faults(self) -> list[str]:
        """What is wrong, in words."""
        found = [
            f"{one.name} of {one.part} lies on {other.name} of {other.part}"
            for one, other in combinations(self.labels, 2)
            if one.meets(other)
        ]
        for road, ends, line in self.lines:
            found += [
                f"road {road} runs through {label.name} of {label.part}"
                for label in self.labels
                if label.is_crossed(line)
            ]
            found += [
                f"road {road} runs through box {frame.part}"
                for frame in self.frames
                if f"{frame.part} through" not in ends
                if (frame.is_entered(line) if frame.part in ends else frame.is_crossed(line))
            ]
        return found


def _text(shape: ElementTree.Element, style: str, part: str) -> Area:
    text = shape.text or ""
    width, size = width_of(text, style), STYLES[style].size
    x, base = float(shape.get("x", 0)), float(shape.get("y", 0))
    left = x - width * {"middle": 0.5, "end": 1}.get(shape.get("text-anchor", ""), 0)
    return Area(left, base - 0.72 * size, left + width, base + 0.21 * size, text, part)


def _between(start: tuple[float, float], end: tuple[float, float]) -> list[tuple[float, float]]:
    """Points of a segment, about a pixel from one to the next."""
    steps = math.ceil(math.dist(start, end)) or 1
    (x1, y1), (x2, y2) = start, end
    return [(x1 + (x2 - x1) * i / steps, y1 + (y2 - y1) * i / steps) for i in range(steps + 1)]
