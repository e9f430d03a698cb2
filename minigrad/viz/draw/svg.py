"""The SVG of a picture: Graphviz's, made accessible and fit for a page; or the outline's.

It brings its own opaque background, so that it reads well on a light page and on a dark one, and it
has no ids, so that any number of pictures can stand on one page.
"""

import re
from collections.abc import Mapping
from textwrap import wrap
from xml.etree import ElementTree as ET

from minigrad.viz.draw.theme import MONO, SANS, Theme

_NAMESPACE = "http://www.w3.org/2000/svg"
_CORNER, _DASHES = "8", "5 3"
_LINE_HEIGHT, _CHARACTER, _MARGIN = 16, 7.3, 14
_LONGEST_LINE = 96


def finish(
    graphviz_svg: bytes, theme: Theme, summary: str, text: str, about: Mapping[str, str]
) -> str:
    """Graphviz's SVG as a picture for a page.

    summary: its title, for a screen reader; text: its longer description.
    about: what to say of each node (by the id in the Graphviz source) when it is pointed at.
    """
    root = ET.fromstring(graphviz_svg)
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    graph = root.find("g")
    assert graph is not None
    _, _, width, height = (float(number) for number in root.attrib["viewBox"].split())
    for group in graph.findall("g"):
        _describe(group, about)
        _even(group)
        if group.attrib["id"].startswith("n"):
            _center(group)
    background = graph.find("polygon")
    if background is not None:
        graph.remove(background)
    for line in graph.iter("path"):
        if line.get("fill") == "none" and line.get("stroke") == theme.grad:
            line.set("stroke-dasharray", _DASHES)  # a gradient's way back along an arrow
    for words in graph.iter("text"):
        if "Courier" in words.attrib.pop("font-family"):
            words.set("font-family", MONO)
    _strip_ids(graph)
    return _picture(width, height, theme, summary, text, [graph])


def of_text(text: str, note: str, theme: Theme) -> str:
    """The outline and a note as a picture, for where there is no Graphviz."""
    lines = [part for line in [*text.split("\n"), "", note] for part in _wrapped(line)]
    width = _CHARACTER * max(map(len, lines)) + 2 * _MARGIN
    height = _LINE_HEIGHT * len(lines) + 2 * _MARGIN
    written = [
        _element(
            "text",
            {
                "x": str(_MARGIN),
                "y": str(_MARGIN + _LINE_HEIGHT * (index + 0.75)),
                "font-family": MONO,
                "font-size": "12",
                "fill": theme.text,
                "xml:space": "preserve",
            },
            line,
        )
        for index, line in enumerate(lines)
    ]
    return _picture(width, height, theme, lines[0], text, written)


def _picture(
    width: float, height: float, theme: Theme, summary: str, text: str, content: list[ET.Element]
) -> str:
    root = _element(
        "svg",
        {
            "xmlns": _NAMESPACE,
            "width": f"{width:g}",
            "height": f"{height:g}",
            "viewBox": f"0 0 {width:g} {height:g}",
            "style": "max-width: 100%; height: auto",
            "font-family": SANS,
            "role": "img",
            "aria-label": summary,
        },
    )
    frame = {
        "x": "0.5",
        "y": "0.5",
        "width": f"{width - 1:g}",
        "height": f"{height - 1:g}",
        "rx": _CORNER,
        "fill": theme.background,
        "stroke": theme.frame,
    }
    root.extend([_element("title", {}, summary), _element("desc", {}, text)])
    root.extend([_element("rect", frame), *content])
    return ET.tostring(root, encoding="unicode") + "\n"


def _wrapped(line: str) -> list[str]:
    indent = line[: len(line) - len(line.lstrip())] + "    "
    return wrap(line, _LONGEST_LINE, subsequent_indent=indent) or [""]


def _describe(group: ET.Element, about: Mapping[str, str]) -> None:
    """Say in the group's title, which browsers show as a tooltip, what it is."""
    title = group.find("title")
    assert title is not None
    description = about.get(group.attrib["id"])
    if description is None:
        group.remove(title)
    else:
        title.text = description


def _center(pill: ET.Element) -> None:
    """Center text by its middle: it stays there in a font other than the one Graphviz measured."""
    outline = pill.find("path")
    assert outline is not None
    across = [float(x) for x in re.findall(r"(-?[\d.]+),", outline.attrib["d"])]
    middle = (min(across) + max(across)) / 2
    for text in pill.findall("text"):
        text.set("text-anchor", "middle")
        text.set("x", f"{middle:g}")


def _even(group: ET.Element) -> None:
    """Lines below the first at even distances: Graphviz sets each by the height of its face."""
    texts = group.findall("text")
    _, *lines = sorted({float(text.attrib["y"]) for text in texts}) or [0.0]
    if len(lines) > 2:
        distance = (lines[-1] - lines[0]) / (len(lines) - 1)
        even = {line: lines[0] + index * distance for index, line in enumerate(lines)}
        for text in texts:
            line = float(text.attrib["y"])
            text.set("y", f"{even.get(line, line):g}")


def _strip_ids(graph: ET.Element) -> None:
    for element in graph.iter():
        element.attrib.pop("id", None)


def _element(tag: str, attributes: dict[str, str], text: str | None = None) -> ET.Element:
    element = ET.Element(tag, attributes)
    element.text = text
    return element
