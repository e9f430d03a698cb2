"""An explanation as text, for a terminal of 80 columns, and as a page for a notebook."""

import html
import textwrap
from collections.abc import Iterator
from typing import Any

from minigrad.explain.case import Case, Scene
from minigrad.explain.page import Explanation
from minigrad.explain.source import Place
from minigrad.viz.draw.drawing import Drawing, draw

_WIDTH = 80
_MOST_OUTLINE = 24  # lines
_LONGEST_CODE = 100


class Report:
    """An explanation that shows itself: ``repr`` is its text, and a notebook adds the picture."""

    def __init__(self, explanation: Explanation, scene: Scene) -> None:
        self._explanation = explanation
        self._lines = list(_lines(explanation, scene))
        self._drawing = _drawing(explanation, scene)
        self._hint = "" if scene.recorded else _WITHOUT_TRAIL

    @property
    def what(self) -> str:
        """The one sentence that says what happened."""
        return self._explanation.what

    @property
    def text(self) -> str:
        """All of it, in lines of at most 80 columns."""
        said = self._explanation
        parts = ["\n".join(_wrapped(said.what)), "\n".join(self._listing())]
        if self._drawing is not None:
            parts.append(textwrap.indent(_shortened(self._drawing.outline), "  "))
        if said.fixes:
            parts.append("\n".join(_fixes(said)))
        parts.append("\n".join(self._footer()))
        return "\n\n".join(part for part in parts if part)

    def more(self) -> str:
        """The long story."""
        return "\n".join(_wrapped(self._explanation.more or self._explanation.what))

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
        if self._explanation.lesson:
            yield f"Lesson {self._explanation.lesson}"
        yield from _wrapped(self._hint)

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        bundle = {"text/plain": self.text}
        if self._drawing is not None:
            bundle["text/html"] = self._html()
        return bundle

    def _html(self) -> str:
        before, after = self.text.split(textwrap.indent(_shortened(self._outline()), "  "), 1)
        picture = "" if self._drawing is None else self._drawing.svg()
        return f"<pre>{html.escape(before)}</pre>{picture}<pre>{html.escape(after)}</pre>"

    def _outline(self) -> str:
        return "" if self._drawing is None else self._drawing.outline


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
    if not explanation.graph:
        return None
    return draw(*explanation.graph, names=scene.variables)


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
