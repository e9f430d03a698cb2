"""The line of a road as points, and the two lanes beside it."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

STEPS = 10  # points for each curve
# How much each of a curve's four controls weighs in each of its points.
_MIXES = [
    ((1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t * t, t**3)
    for t in (step / STEPS for step in range(1, STEPS + 1))
]


class Point(NamedTuple):
    """A place in the picture, in pixels; y grows downward."""

    x: float
    y: float


Line = list[Point]


def along(controls: Sequence[Point]) -> Line:
    """The points along Bézier curves that are joined: a start, then three points for each curve."""
    points = list(controls[:1])
    for at in range(0, len(controls) - 3, 3):
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = controls[at : at + 4]
        for a, b, c, d in _MIXES:
            x, y = a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy
            points.append(Point(x, y))
    return points


def lane(line: Line, distance: float) -> Line:
    """The line that runs beside another one, to its right by this distance."""
    moved = []
    for index, (x, y) in enumerate(line):
        before, after = line[max(index - 1, 0)], line[min(index + 1, len(line) - 1)]
        dx, dy = after.x - before.x, after.y - before.y
        length = math.hypot(dx, dy) or 1
        moved.append(Point(x - dy / length * distance, y + dx / length * distance))
    return moved


def trim(line: Line, first: float, last: float) -> Line:
    """The line without its first and last pixels."""
    return _cut(_cut(line, first)[::-1], last)[::-1]


def _cut(line: Line, length: float) -> Line:
    left = list(line)
    while len(left) > 1:
        a, b = left[:2]
        distance = math.dist(a, b)
        if distance > length or len(left) == 2:
            share = min(1, length / (distance or 1))
            left[0] = Point(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)
            break
        length -= distance
        del left[0]
    return left


def thin(line: Line) -> Line:
    """The line without points that lie on the straight way between their neighbors."""
    kept = line[:1]
    for point, after in pairwise(line[1:]):
        a = kept[-1]
        bend = (point.x - a.x) * (after.y - a.y) - (point.y - a.y) * (after.x - a.x)
        if abs(bend) > 0.02 * math.dist(a, after):
            kept.append(point)
    return [*kept, *line[-1:]] if len(line) > 1 else kept


def path(line: Line) -> str:
    """The line as the data of an SVG path."""
    return "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in thin(line))


def arrowhead(line: Line, size: float) -> str:
    """The data of an SVG path for the head at the end of a line, ``size`` pixels beyond it."""
    a, b = line[max(len(line) - 2, 0)], line[-1]
    angle = math.atan2(b.y - a.y, b.x - a.x)
    ux, uy = math.cos(angle) * size, math.sin(angle) * size
    half = 0.48
    tips = ((ux, uy), (-uy * half, ux * half), (uy * half, -ux * half))
    return "M" + "L".join(f"{b.x + x:.1f},{b.y + y:.1f}" for x, y in tips) + "Z"


def inset(away: float, half: float, radius: float) -> float:
    """How far a rounded side lies behind a straight one, ``away`` from the middle of its length.

    half: half of that length. radius: that of its corners.
    """
    off = min(max(abs(away) - (half - radius), 0), radius)
    return radius - math.sqrt(radius**2 - off**2)
