"""An explanation as text, for a terminal of 80 columns, and as a page for a notebook."""

import base64
import html
import re
import textwrap
from collections.abc import Iterator
from typing import Any

from minigrad.explain.case import Case, Scene
from minigrad.explain.page import Explanation
from minigrad.explain.source import Place
from minigrad.viz.draw.drawing import Drawing
from minigrad.viz.draw.marks import CHANGED, CURRENT, Gradient, Mark, Marks
from minigrad.viz.read.saved import FREED, MODIFIED
from minigrad.viz.read.snapshot import DEFAULT_LIMIT, Snapshot, take_snapshot

_WIDTH = 80
_MOST_OUTLINE = 24  # lines
_LONGEST_CODE = 100


class Report:
    """An explanation that shows itself: ``repr`` is its text, and a notebook adds the picture."""

    def __init__(self, explanation: Explanation, scene: Scene) -> None:
        self.explanation = explanation
        self._lines = list(_lines(explanation, scene))
        self.drawing = _drawing(explanation, scene)
        self._hint = "" if scene.recorded else _WITHOUT_TRAIL

    @property
    def what(self) -> str:
        """The one sentence that says what happened."""
        return self.explanation.what

    @property
    def fixes(self) -> str:
        """The ways to fix it, best first."""
        return "\n".join(_fixes(self.explanation))

    @property
    def title(self) -> str:
        """What the cause is in general."""
        return self.explanation.title

    @property
    def text(self) -> str:
        """All of it, in lines of at most 80 columns."""
        said = self.explanation
        parts = ["\n".join(_wrapped(said.what)), "\n".join(self._listing())]
        if self.drawing is not None:
            parts.append(self._outline())
        if said.fixes:
            parts.append(self.fixes)
        parts.append("\n".join(self._footer()))
        return "\n\n".join(part for part in parts if part)

    @property
    def colored(self) -> str:
        """The text in the colors of a terminal: what happened, the line, the ways to fix it."""
        what, separator, rest = self.text.partition("\n\n")
        for pattern, color in _COLORS:
            rest = re.sub(pattern, rf"\033[{color}m\g<0>\033[0m", rest, flags=re.MULTILINE)
        return f"\033[1m{what}\033[0m{separator}{rest}"

    def page(self, traceback: str) -> str:
        """A page of its own, light or dark as the system is, with the traceback above."""
        before, after = self._around_the_picture()
        return _PAGE.format(
            title=html.escape(self.what),
            before=html.escape(f"{traceback}\n{before}"),
            picture=_image(self.drawing) if self.drawing else "",
            after=html.escape(f"{after}\n\n{self.more()}"),
        )

    def more(self) -> str:
        """The long story."""
        return "\n".join(_wrapped(self.explanation.more or self.explanation.what))

    def _listing(self) -> Iterator[str]:
        width = max((len(where) for where, _, _ in self._lines), default=0)
        for where, code, note in self._lines:
            line = f"  {where:<{width}}  {code[:_LONGEST_CODE]}"
            if len(line) + len(note) + 4 <= _WIDTH:
                yield f"{line}  # {note}"
            else:
                yield line
                yield from _wrapped(f"# {note}", " " * (width + 4))

    def _footer(self) -> Iterator[str]:
        if self.explanation.lesson:
            yield f"Lesson {self.explanation.lesson}"
        yield from _wrapped(self._hint)

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        bundle = {"text/plain": self.text}
        if self.drawing is not None:
            before, after = map(html.escape, self._around_the_picture())
            bundle["text/html"] = f"<pre>{before}</pre>{_image(self.drawing)}<pre>{after}</pre>"
        return bundle

    def _around_the_picture(self) -> tuple[str, str]:
        """The text before the outline, which a picture takes the place of, and after it."""
        before, _, after = (
            self.text.partition(self._outline()) if self.drawing else (self.text, "", "")
        )
        return before.rstrip(), after.strip()

    def _outline(self) -> str:
        assert self.drawing is not None
        return textwrap.indent(_shortened(self.drawing.outline), "  ")


_COLORS = (  # a pattern in the text of a report, and its color
    (r"^  .*# (the cause|the error).*|^ +# (the cause|the error).*", "31"),
    (r"^(Ways to fix it|To fix it)$", "1"),
    (r"^  \d+\. .*", "32"),
    (r"^Lesson .*", "2"),
)
_PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ margin: 2rem auto; max-width: 60rem; padding: 0 1rem }}
pre {{ white-space: pre-wrap; font: 0.9rem/1.5 Menlo, Consolas, "DejaVu Sans Mono", monospace }}
img {{ max-width: 100% }}
</style>
<pre>{before}</pre>
{picture}
<pre>{after}</pre>
"""


_WITHOUT_TRAIL = (
    "This was found without a recording. `%load_ext minigrad.explain` in the first cell records "
    "the cells that follow, and the explanation of an error then names the line that caused it."
)


def _lines(explanation: Explanation, scene: Scene) -> Iterator[tuple[str, str, str]]:
    """What each line is called, its code, and what it did: in the order of the program."""
    found: dict[Place, list[str]] = {}
    for place, note in explanation.lines:
        found.setdefault(place, []).append(note)
    raised = scene.raised if isinstance(scene, Case) else None
    if explanation.cause is not None:
        same = explanation.cause == raised
        kind = "the error" if same else "the cause"
        note = f"{kind}: {explanation.note}" if explanation.note else kind
        found.setdefault(explanation.cause, []).append(note)
    if raised is not None and explanation.cause != raised:
        found.setdefault(raised, []).append("raised the error")
    for place in list(found):
        for caller, function in scene.callers(place):
            found.setdefault(caller, []).append(f"calls `{function}`")
    for place, notes in sorted(found.items(), key=lambda item: _order(item[0], scene)):
        yield scene.at(place), place.text, "; ".join(notes)


def _order(place: Place, scene: Scene) -> tuple[bool, int, str, int]:
    """Other cells and files first, the cells in their order."""
    name = scene.at(place)
    return place.filename == scene.home, len(name), name.rpartition(" ")[0], place.number


def _fixes(explanation: Explanation) -> Iterator[str]:
    yield "Ways to fix it" if len(explanation.fixes) > 1 else "To fix it"
    for number, fix in enumerate(explanation.fixes, 1):
        code = (fix.code or fix.cost).splitlines()
        yield f"  {number}. {code[0]}"
        yield from (f"     {line}" for line in code[1:])
        yield from _wrapped(fix.cost if fix.code else "", " " * 7)


def _wrapped(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(
        text, _WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )


def _drawing(explanation: Explanation, scene: Scene) -> Drawing | None:
    """The picture, if there is a graph to be seen."""
    if not explanation.graph:
        return None
    named = list(scene.variables.items())
    snapshot = take_snapshot(tuple(explanation.graph), named, DEFAULT_LIMIT)
    return Drawing(snapshot, marks=_marks(snapshot, scene.text))


def _marks(snapshot: Snapshot, message: str) -> Marks:
    """The node where a backward pass stops, the edge into it, and the tensor that was changed."""
    saved = [(node, one) for node in snapshot.nodes for one in node.saved]
    stopping = [(node, one) for node, one in saved if one.state == MODIFIED]
    if not stopping and "second time" in message:
        stopping = [(node, one) for node, one in saved if one.state == FREED][-1:]
    parts, edges = {}, {}
    for node, one in stopping:
        parts[node.id] = Mark(CURRENT, f"{one.name} {_HOW[one.state]}")
        if one.tensor is not None and one.state == MODIFIED:
            parts[one.tensor] = Mark(CHANGED, "changed after it was saved")
        for reader in snapshot.nodes:
            reading = (index for index, given in enumerate(reader.inputs) if given.node == node.id)
            edges.update({(reader.id, index): Gradient("no gradient", True) for index in reading})
    return Marks(parts, edges)


_HOW = {MODIFIED: "was changed", FREED: "was freed"}


def _image(drawing: Drawing) -> str:
    """A picture that shares no names with the page."""
    data = base64.b64encode(drawing.svg().encode()).decode()
    alt = html.escape(drawing.outline, quote=True)
    return f'<img alt="{alt}" src="data:image/svg+xml;base64,{data}">'


def _shortened(outline: str) -> str:
    """The first lines of an outline, and of each what fits."""
    lines = [
        line if len(line) <= _WIDTH - 2 else f"{line[: _WIDTH - 3]}…"
        for line in outline.splitlines()
    ]
    if len(lines) > _MOST_OUTLINE:
        more = len(lines) - _MOST_OUTLINE
        lines = [*lines[:_MOST_OUTLINE], f"... and {more} more lines"]
    return "\n".join(lines)
