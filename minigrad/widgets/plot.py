"""Small charts as SVG: real text, colors of the page's theme, a text alternative.

Colors are CSS variables of ``style.css``. A saved picture, which has no page around it, has their
light values.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from minigrad.viz.draw.theme import SANS
from minigrad.viz.read.values import format_number

WIDTH, HEIGHT = 500, 250
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 14, 34, 44
_MOST_TICKS = 7
BACKGROUND = "var(--jp-layout-color0, #ffffff)"
TEXT = "var(--mg-text, #1b1f24)"
MUTED = "var(--mg-muted, #57606a)"
LINE = "var(--mg-line, #d8dee4)"
# Color, dashes and marker: no two series differ by color alone.
STYLES = (
    ("var(--mg-a, #0072b2)", "", "circle"),
    ("var(--mg-b, #a84300)", "7 4", "square"),
)


@dataclass(frozen=True)
class Series:
    """Points joined by a line; those that are not finite are left out."""

    label: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Axis:
    """The name of an axis, whether it is logarithmic, and numbers that must be on it."""

    label: str
    log: bool = False
    reach: tuple[float, ...] = ()


def chart(
    title: str, x: Axis, y: Axis, series: Sequence[Series], mark: tuple[float, str] | None = None
) -> str:
    """One or two lines over two axes, as an SVG whose title says what it shows.

    mark: a number on the x axis to mark by a line, and the text above the chart.
    """
    across = _Scale(x, [p[0] for s in series for p in s.points], _LEFT, WIDTH - _RIGHT)
    up = _Scale(y, [p[1] for s in series for p in s.points], HEIGHT - _BOTTOM, _TOP)
    parts = [*_grid(across, up), *_legend(series)]
    if mark is not None:
        parts += _marked(across.place(mark[0]), mark[1])
    for one, style in zip(series, STYLES, strict=False):
        places = [
            (across.place(a), up.place(b)) for a, b in one.points if across.holds(a) and up.holds(b)
        ]
        parts += _drawn(places, *style)
    return picture(title, WIDTH, HEIGHT, parts)


def picture(title: str, width: float, height: float, parts: Iterable[str]) -> str:
    """An SVG of these parts on the page's background; screen readers say its title."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"'
        f' viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(title)}"'
        f' font-family="{SANS}" font-size="12" style="max-width: 100%; height: auto">'
        f"<title>{escape(title)}</title>"
        f'<rect width="{width:g}" height="{height:g}" rx="6" fill="{BACKGROUND}"/>'
        f"{''.join(parts)}</svg>\n"
    )


def text(x: float, y: float, words: str, anchor: str = "start", **attributes: str) -> str:
    """A line of text at a place."""
    more = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    fill = "" if "fill" in attributes else f' fill="{TEXT}"'
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{fill}{more}>{escape(words)}</text>'


def marker(shape: str, x: float, y: float, color: str) -> str:
    """A small circle or square around a place."""
    if shape == "circle":
        return f'<circle cx="{x:.4g}" cy="{y:.4g}" r="3.5" fill="{color}"/>'
    return f'<rect x="{x - 3:.4g}" y="{y - 3:.4g}" width="6" height="6" fill="{color}"/>'


class _Scale:
    """Where numbers are along one axis, and which of them are ticks."""

    def __init__(self, axis: Axis, numbers: Sequence[float], start: float, end: float) -> None:
        self.axis, self.start, self.end = axis, start, end
        self.low: float
        self.high: float
        known = [n for n in (*numbers, *axis.reach) if self.holds(n)] or [1.0]
        low, high = self._on(min(known)), self._on(max(known))
        if axis.log:
            first, last = math.floor(low), max(math.ceil(high), math.floor(low) + 1)
            every = math.ceil((last - first) / _MOST_TICKS)
            self.low, self.high = first, last
            self.ticks = [10.0**k for k in range(first, last + 1, every)]
            return
        step = _nice((high - low or abs(high) or 1) / (_MOST_TICKS - 1))
        self.low, self.high = math.floor(low / step) * step, math.ceil(high / step) * step
        if self.low == self.high:
            self.high += step
        count = round((self.high - self.low) / step)
        self.ticks = [self.low + k * step for k in range(count + 1)]

    def holds(self, number: float) -> bool:
        return math.isfinite(number) and (number > 0 or not self.axis.log)

    def place(self, number: float) -> float:
        share = (self._on(number) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def written(self, tick: float) -> str:
        return f"1e{round(math.log10(tick))}" if self.axis.log else format_number(round(tick, 9))

    def _on(self, number: float) -> float:
        return math.log10(number) if self.axis.log else number


def _nice(step: float) -> float:
    """The next larger of 1, 2, 5, 10, 20, ..."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= step * 0.999)


def _grid(across: _Scale, up: _Scale) -> Iterable[str]:
    left, right, top, bottom = _LEFT, WIDTH - _RIGHT, _TOP, HEIGHT - _BOTTOM
    for tick in up.ticks:
        y = up.place(tick)
        yield f'<path d="M{left} {y:.4g}H{right}" stroke="{LINE}"/>'
        yield text(left - 7, y + 4, up.written(tick), "end", fill=MUTED)
    for tick in across.ticks:
        x = across.place(tick)
        yield f'<path d="M{x:.4g} {bottom}v5" stroke="{MUTED}"/>'
        yield text(x, bottom + 18, across.written(tick), "middle", fill=MUTED)
    yield f'<path d="M{left} {top}V{bottom}H{right}" fill="none" stroke="{MUTED}"/>'
    yield text((left + right) / 2, HEIGHT - 8, across.axis.label, "middle")
    middle = (top + bottom) / 2
    yield text(14, middle, up.axis.label, "middle", transform=f"rotate(-90 14 {middle:g})")


def _marked(x: float, words: str) -> Iterable[str]:
    yield f'<path d="M{x:.4g} {_TOP}V{HEIGHT - _BOTTOM}" stroke="{TEXT}" stroke-dasharray="3 3"/>'
    yield text(WIDTH - _RIGHT, 19, words, "end")


def _legend(series: Sequence[Series]) -> Iterable[str]:
    x = float(_LEFT)
    for one, (color, dashes, shape) in zip(series, STYLES, strict=False):
        yield f'<path d="M{x:g} 15h26" stroke="{color}" stroke-width="2"'
        yield f' stroke-dasharray="{dashes}"/>' if dashes else "/>"
        yield marker(shape, x + 13, 15, color)
        yield text(x + 32, 19, one.label)
        x += 32 + 7 * len(one.label) + 22


def _drawn(
    places: Sequence[tuple[float, float]], color: str, dashes: str, shape: str
) -> Iterable[str]:
    line = " ".join(f"{x:.4g},{y:.4g}" for x, y in places)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    yield f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"{dashed}/>'
    if len(places) <= 40:
        yield from (marker(shape, x, y, color) for x, y in places)
