"""A scene with its places as SVG: cards, operations, roads with two lanes, and their labels."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from html import escape
from itertools import pairwise
from textwrap import wrap

from minigrad.viz.draw.fonts import STYLES
from minigrad.viz.draw.layout import LANE, Area, Placed
from minigrad.viz.draw.roads import Line, Point, arrowhead, inset, lane, path, trim
from minigrad.viz.draw.rows import Heat, Ink, Row
from minigrad.viz.draw.scene import EDGE, PADDING, TOP, Box, Scene, Way
from minigrad.viz.draw.theme import MONO, SANS, THEMES, Theme

MARGIN = 8
_HEAD = 8  # an arrowhead's length
_STROKES = {
    "×": ((-7, -7, 7, 7), (-7, 7, 7, -7)),
    "+": ((-9, 0, 9, 0), (0, -9, 0, 9)),
    "−": ((-9, 0, 9, 0),),
}
_SHADES = 8
_LINE_HEIGHT, _LONGEST_LINE = 16, 96

_STYLE = """
{root} .ground {{ fill: {background}; stroke: {frame}; }}
{root} text {{ font-family: {sans}; fill: {text}; }}
{root} .frame {{ stroke-width: 1.2; stroke: {card}; fill: {background}; }}
{root} .leaf .frame, {root} .module .frame {{ stroke-width: 2; stroke: {leaf}; fill: {leaf_fill}; }}
{root} .result .frame {{ stroke-width: 1.6; stroke: {result}; fill: {result_fill}; }}
{root} .data .frame, {root} .constant .frame {{ stroke: {data}; fill: {data_fill}; }}
{root} .operation .frame, {root} .fold .frame {{ stroke-width: 1.4; stroke: {operation}; }}
{root} .operation .frame, {root} .fold .frame {{ fill: {operation_fill}; }}
{root} .cut .frame, {root} .more .frame {{ stroke: {cut}; stroke-dasharray: 1.5 5; fill: none; }}
{root} .words .frame {{ display: none; }}
{root} .added .frame {{ stroke-width: 3.5; }}
{root} .changed .frame, {root} .current .frame {{ stroke: {grad}; stroke-width: 2; }}
{root} .current .frame {{ stroke-width: 3.5; }}
{root} .faded {{ opacity: 0.55; }}
{root} .faded .frame {{ stroke-dasharray: 1.5 4; }}
{root} .removed .frame, {root} .removed .lane {{ stroke: {cut}; stroke-dasharray: 1.5 4; }}
{root} .removed .frame {{ fill: none; }}
{root} .removed .tip {{ fill: {cut}; }}
{root} .stroke {{ stroke: {text}; stroke-width: 2.6; stroke-linecap: round; }}
{root} .fork ellipse {{ fill: {arrow}; }}
{root} .lane {{ fill: none; stroke-width: 1.6; stroke: {arrow}; }}
{root} .tip {{ fill: {arrow}; }}
{root} .lane.back {{ stroke-width: 1.8; stroke: {grad}; stroke-dasharray: 6 4; }}
{root} .tip.back {{ fill: {grad}; }}
{root} .through {{ opacity: 0.45; }}
{root} .passing .lane.back {{ stroke-width: 3; }}
{root} .road.data .lane {{ stroke-width: 1.2; stroke: {data}; }}
{root} .road.data .tip {{ fill: {data}; }}
{root} .missing .lane, {root} .dotted .lane {{ stroke: {cut}; stroke-dasharray: 1.5 5; }}
{root} .missing .tip, {root} .dotted .tip {{ fill: {background}; stroke: {cut}; }}
{root} text.muted {{ fill: {muted}; }}
{root} text.grad {{ fill: {grad}; }}
{root} text.warning {{ fill: {warning}; }}
{root} text.leaf {{ fill: {leaf_text}; }}
{root} text.result {{ fill: {result_text}; }}
{root} .heat {{ fill: {leaf}; }}
{root} .heat.muted {{ fill: {data}; }}
{root} .heat.grad {{ fill: {grad}; }}
{root} .heat.negative {{ fill: {text}; }}
{root} .heat.frame {{ fill: {background}; stroke-width: 1; }}
"""


def stylesheet(root: str, colors: Mapping[str, str]) -> str:
    """The rules for pictures inside of ``root``, a CSS selector."""
    rules = _STYLE.format(root=root, sans=SANS, **colors)
    for name, (size, weight, mono, italic) in STYLES.items():
        face = f" font-family: {MONO};" if mono else ""
        slant = " font-style: italic;" if italic else ""
        rules += (
            f"{root} text.{name} {{ font-size: {size}px; font-weight: {weight};{face}{slant} }}\n"
        )
    return rules


def svg_of(
    scene: Scene,
    placed: Placed,
    down: bool,
    title: str,
    text: str,
    about: Mapping[str, str],
    scale: float = 1,
) -> str:
    """The SVG of a scene, without colors: ``colored`` gives it those of a theme.

    title, text: a short and a long description for screen readers. about: what to say of each part
    when it is pointed at. scale: how much smaller than drawn it is shown.
    """
    writer = _Writer(scene, placed, down, about)
    width, height = placed.width + 2 * MARGIN, placed.height + 2 * MARGIN
    body = "\n".join([*writer.roads(), *writer.boxes()])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="minigrad-picture"'
        f' width="{width * scale:.0f}" height="{height * scale:.0f}"'
        f' viewBox="{-MARGIN} {-MARGIN} {width:.0f} {height:.0f}"'
        f' style="max-width: 100%; height: auto" role="img" aria-label="{escape(title)}">\n'
        f"<title>{escape(title)}</title>\n<desc>{escape(text)}</desc>\n{body}\n</svg>\n"
    )


def colored(svg: str, theme: str | None = None) -> str:
    """The same on an opaque ground in the colors of a theme, by default of the page that shows it.

    A page says what it has by the CSS property ``color-scheme``, of an image too.
    """
    root = f"minigrad-{theme or 'page'}"
    style = stylesheet(f".{root}", asdict(THEMES[theme or "light"]))
    if theme is None:
        dark = _STYLE.format(root=f".{root}", sans=SANS, **asdict(THEMES["dark"]))
        style += f"@media (prefers-color-scheme: dark) {{{dark}}}\n"
    ground = f'<rect class="ground" x="{-MARGIN}" y="{-MARGIN}" width="100%" height="100%" rx="8"/>'
    before, after = svg.split("</desc>\n", 1)
    before = before.replace('class="minigrad-picture"', f'class="minigrad-picture {root}"', 1)
    return f"{before}</desc>\n<style>{style}</style>\n{ground}\n{after}"


def of_text(text: str, note: str, theme: Theme) -> str:
    """The outline and a note as a picture, for where there is no Graphviz."""
    lines = [part for line in [*text.split("\n"), "", note] for part in _wrapped(line)]
    width = 7.3 * max(map(len, lines)) + 28
    height = _LINE_HEIGHT * len(lines) + 28
    written = "\n".join(
        f'<text x="14" y="{14 + _LINE_HEIGHT * (index + 0.75):g}" font-family="{MONO}"'
        f' font-size="12" fill="{theme.text}" xml:space="preserve">{escape(line)}</text>'
        for index, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}"'
        f' viewBox="0 0 {width:g} {height:g}" style="max-width: 100%; height: auto" role="img"'
        f' aria-label="{escape(lines[0])}">\n<title>{escape(lines[0])}</title>\n'
        f"<desc>{escape(text)}</desc>\n"
        f'<rect width="100%" height="100%" rx="8" fill="{theme.background}"'
        f' stroke="{theme.frame}"/>\n{written}\n</svg>\n'
    )


def _wrapped(line: str) -> list[str]:
    indent = line[: len(line) - len(line.lstrip())] + "    "
    return wrap(line, _LONGEST_LINE, subsequent_indent=indent) or [""]


class _Writer:
    """The parts of one picture as text."""

    def __init__(self, scene: Scene, placed: Placed, down: bool, about: Mapping[str, str]) -> None:
        self.scene, self.placed, self.down, self.about = scene, placed, down, about
        self.known = {box.id: box for box in scene.boxes}

    # Boxes

    def boxes(self) -> Iterator[str]:
        for box in self.scene.boxes:
            area = self.placed.boxes[box.id]
            classes = " ".join(filter(None, ("box", box.kind, box.state)))
            about = self.about.get(box.id)
            title = f"<title>{escape(about)}</title>" if about else ""
            inner = "".join(self._inside(box, area))
            yield f'<g class="{classes}" data-part="{box.id}">{title}{inner}</g>'

    def _inside(self, box: Box, area: Area) -> Iterator[str]:
        if box.kind == "fork":
            long, thick = LANE + 3, 4
            x, y = area.x + area.width / 2, area.y + area.height / 2
            rx, ry = (long, thick) if self.down else (thick, long)
            yield f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{rx:g}" ry="{ry:g}"/>'
        elif box.kind == "operation":
            yield from self._operation(box, area)
        else:
            yield from self._card(box, area)

    def _operation(self, box: Box, area: Area) -> Iterator[str]:
        width, height = box.pill(self.down)
        x, y = area.x + area.width / 2, area.y + height / 2
        yield _frame(Area(x - width / 2, area.y, width, height), min(width, height) / 2)
        if box.sign in _STROKES:
            for x1, y1, x2, y2 in _STROKES[box.sign]:
                yield (
                    f'<line class="stroke" x1="{x + x1:.1f}" y1="{y + y1:.1f}" x2="{x + x2:.1f}"'
                    f' y2="{y + y2:.1f}"/>'
                )
        else:
            base = y + 0.35 * STYLES[box.style].size
            yield _text(Ink(box.sign, box.style), x, base, "middle")
        top = area.y + height + 2
        for row in box.rows:
            yield from _row(row, top, x, x, "middle")
            top += row.height

    def _card(self, box: Box, area: Area) -> Iterator[str]:
        radius = 4 if box.kind in ("data", "constant") else 9
        whole = area
        if box.kind in ("module", "fold"):
            down = EDGE * self.down
            area = Area(area.x, area.y + down, area.width - EDGE, area.height - down)
            yield _frame(area._replace(x=area.x + EDGE, y=area.y - EDGE), radius)
        yield _frame(area, radius)
        top, left, right = area.y + TOP, area.x + PADDING, area.x + area.width - PADDING
        for row in box.rows:
            if row.lanes:
                yield from self._through(whole, area.y + box.room(False).before, row.lanes)
            elif box.kind == "module" and not row.left:
                yield from _row(row, top, area.x + area.width / 2, 0, "middle")
            else:
                yield from _row(row, top, left, right)
            top += row.height

    def _through(self, area: Area, level: float, lanes: int) -> Iterator[str]:
        """The lanes of the road that runs through a module."""
        if self.down:
            return
        for y, kind in ((level - LANE, ""), (level + LANE, " back"))[:lanes]:
            line = [Point(area.x + 1, y), Point(area.x + area.width - 1, y)]
            yield f'<path class="lane{kind} through" d="{path(line)}"/>'

    # Roads

    def roads(self) -> Iterator[str]:
        for way in self.scene.ways:
            classes = " ".join(filter(None, ("road", way.kind, way.back)))
            edges = " ".join(f"{part}:{index}" for part, index in way.edges)
            inner = "".join([*self._lanes(way), *self._labels(way)])
            yield (
                f'<g class="{classes}" data-road="{way.id}" data-from="{way.source}"'
                f' data-to="{way.target}" data-edges="{edges}">{inner}</g>'
            )

    def _line(self, way: Way) -> Line:
        """The road's line, up to the rounded sides of operations."""
        line = list(self.placed.lines[way.id])
        start, end = self.known[way.source], self.known[way.target]
        if start.kind == "operation" and not self.down:
            line.insert(0, self._rim(start, line[0], 1))
        if end.kind == "operation":
            line.append(self._rim(end, line[-1], -1))
        elif end.kind == "fork":
            area = self.placed.boxes[end.id]
            line.append(Point(area.x + area.width / 2, area.y + area.height / 2))
        apart = [point for point, after in pairwise(line) if math.dist(point, after) > 0.5]
        return [*apart, line[-1]]  # points that coincide have no direction

    def _rim(self, box: Box, last: Point, side: int) -> Point:
        """Where a road that comes to ``last`` meets the sign's outline."""
        area, (width, height) = self.placed.boxes[box.id], box.pill(self.down)
        x, y = area.x + area.width / 2, area.y + height / 2
        radius = min(width, height) / 2
        away, half = (last.x - x, width / 2) if self.down else (last.y - y, height / 2)
        depth = inset(away, half, radius)
        if self.down:
            return Point(last.x, y + side * (height / 2 - depth))
        return Point(x + side * (width / 2 - depth), last.y)

    def _lanes(self, way: Way) -> Iterator[str]:
        line = self._line(way)
        side = -1 if self.down else 1
        through = self.known[way.target].kind == "fork", self.known[way.source].kind == "fork"
        single = way.kind not in ("value", "removed")
        value = lane(line, 0 if single else -LANE * side)
        yield from _arrow(trim(value, 2, 2), "", not through[0])
        if way.back:
            yield from _arrow(trim(lane(line, LANE * side)[::-1], 2, 2), " back", not through[1])

    def _labels(self, way: Way) -> Iterator[str]:
        area = self.placed.labels[way.id]
        for rows, above in ((way.above, True), (way.below, False)):
            height = sum(row.height for row in rows)
            if self.down:
                x = area.x + area.width / 2 + (-LANE - 3 if above else LANE + 3)
                top = area.y + (area.height - height) / 2
                anchor = "end" if above else "start"
            else:
                x = area.x + area.width / 2
                level = area.y + area.height / 2
                top = level - LANE - 2 - height if above else level + LANE + 2
                anchor = "middle"
            for row in rows:
                yield from _row(row, top, x, x, anchor)
                top += row.height


def _arrow(line: Line, kind: str, head: bool) -> Iterator[str]:
    yield f'<path class="lane{kind}" d="{path(trim(line, 0, _HEAD) if head else line)}"/>'
    if head:
        yield f'<path class="tip{kind}" d="{arrowhead(trim(line, 0, _HEAD), _HEAD)}"/>'


def _frame(area: Area, radius: float) -> str:
    return (
        f'<rect class="frame" x="{area.x:.1f}" y="{area.y:.1f}" width="{area.width:.1f}"'
        f' height="{area.height:.1f}" rx="{radius:g}"/>'
    )


def _row(row: Row, top: float, left: float, right: float, anchor: str = "") -> Iterator[str]:
    """A row's text at the left and at the right, or all of it around one place."""
    base = top + 0.78 * row.height
    if anchor:
        whole = sum(ink.width for ink in (*row.left, *row.right)) + (
            row.heat.width if row.heat else 0
        )
        left -= {"start": 0, "middle": whole / 2, "end": whole}[anchor]
        right = left + whole
    for ink in row.left:
        yield _text(ink, left, base)
        left += ink.width
    if row.heat is not None:
        yield from _heat(row.heat, right - row.heat.width, top + 2)
    for ink in reversed(row.right):
        yield _text(ink, right, base, "end")
        right -= ink.width


def _text(ink: Ink, x: float, y: float, anchor: str = "") -> str:
    place = f' text-anchor="{anchor}"' if anchor else ""
    hidden = ' visibility="hidden"' if ink.role == "none" else ""
    role = "" if ink.role in ("text", "none") else f" {ink.role}"
    return (
        f'<text class="{ink.style}{role}" x="{x:.1f}" y="{y:.1f}"{place}{hidden}'
        f' xml:space="preserve">{escape(ink.text)}</text>'
    )


def _heat(heat: Heat, x: float, y: float) -> Iterator[str]:
    """One path for each shade: squares of ink in the color of the role, dark where negative."""
    squares: dict[int, list[str]] = {}
    size = heat.cell
    for i, row in enumerate(heat.shades):
        for j, shade in enumerate(row):
            if shade:
                place = f"M{x + j * size:g},{y + i * size:g}h{size:g}v{size:g}h-{size:g}z"
                squares.setdefault(shade, []).append(place)
    role = "" if heat.role == "text" else f" {heat.role}"
    yield (
        f'<rect class="heat frame" x="{x:g}" y="{y:g}" width="{heat.width:g}"'
        f' height="{len(heat.shades) * size:g}"/>'
    )
    for shade, places in sorted(squares.items()):
        negative = " negative" if shade < 0 else ""
        yield (
            f'<path class="heat{role}{negative}" fill-opacity="{abs(shade) / _SHADES:g}"'
            f' d="{"".join(places)}"/>'
        )
