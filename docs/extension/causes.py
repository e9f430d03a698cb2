"""When it raises: a page for each cause that minigrad.explain declares, from its example.

```{causes}                     all messages, with their causes
```{cause} graph_freed_before   what a page says

The pages' sources hold no more than the second directive, and are written before Sphinx looks for
them. What the search compares a pasted message with is written beside the site's scripts.
"""

from __future__ import annotations

import json
import linecache
import re
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from docutils import nodes
from myst_parser.mdit_to_docutils.base import default_slugify
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from docs.extension.examples import LESSONS
from docs.extension.graphs import figure
from minigrad.explain import diagnose, script
from minigrad.explain.page import Cause
from minigrad.explain.render import Report
from minigrad.viz import Drawing, draw, record
from minigrad.viz.read.names import names_in
from minigrad.viz.read.notes import was_cut_off
from minigrad.viz.read.protocol import TensorLike

FOLDER = Path(__file__).parents[1] / "raises"
_MARK = re.compile("  # cause$", re.MULTILINE)
_ANSWER = re.compile(r"^why\((.*)\)$", re.MULTILINE)
_CONDITION = re.compile(r"\\[wd]|[\\^$.?*+()\[\]]+")
_SHORTEST = 12  # letters of a message


@dataclass(frozen=True)
class Raised:
    """A cause, its example, what that raised, and what is to be said about it."""

    cause: Cause
    program: str
    message: str
    report: Report
    variables: dict[str, TensorLike]

    @property
    def page(self) -> str:
        return f"docs/raises/{self.cause.name}"

    @property
    def heading(self) -> str:
        """The message word for word; for a question about a gradient, what the answer is."""
        return self.message or self.title

    @property
    def pattern(self) -> str:
        """The heading without its numbers: shapes, versions."""
        return re.sub(r"\d+", "0", self.heading)

    @property
    def texts(self) -> list[str]:
        """What a message with this cause may say."""
        said = (_CONDITION.sub(" ", part).strip() for part in self.cause.message.split("|"))
        return [self.heading, *(text for text in said if len(text) > _SHORTEST)]

    @property
    def title(self) -> str:
        return self.cause.title.rstrip(".")

    def picture(self) -> Drawing | None:
        """What the explanation draws; else the example's graph, and what is cut off from it."""
        found = [it for it in self.variables.values() if it.requires_grad or was_cut_off(it)]
        if self.report.drawing is None and not all(it.requires_grad and it.is_leaf for it in found):
            return draw(*found, names=self.variables)
        return self.report.drawing


def groups() -> Iterator[list[Raised]]:
    """The causes of one message, together; its numbers and names may differ."""
    found: dict[str, list[Raised]] = {}
    for it in all_raised():
        same = (
            name
            for name, (first, *_) in found.items()
            if it.pattern == first.pattern or it.cause.message == first.cause.message
        )
        found.setdefault(next(same, it.cause.name), []).append(it)
    yield from found.values()


@cache
def all_raised() -> tuple[Raised, ...]:
    """Every cause that has an example; what checkup finds raises nothing."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder) / "program.py"
        shown = (it for it in diagnose.CAUSES if it.example.strip() and it.message != "checkup")
        return tuple(run(cause, path) for cause in shown)


def run(cause: Cause, path: Path) -> Raised:
    """Run a cause's example, and explain it."""
    example = _MARK.sub("", cause.example)
    asks = _ANSWER.search(example) is not None
    head = "from minigrad.explain import why\n" if asks else ""
    program = f"import minigrad as torch\n{head}\n{example}"
    path.write_text(_ANSWER.sub(r"answer = why(\1); raise SystemExit(answer)", program))
    linecache.checkcache()
    with record():
        error, report = script.watched(path)
    if isinstance(error, SystemExit):
        report = error.code
    assert isinstance(report, Report), (cause.name, error)
    assert error is not None
    assert error.__traceback__ is not None
    message = "" if asks else f"{type(error).__name__}: {error}"
    variables = dict(names_in(error.__traceback__.tb_frame.f_globals))
    return Raised(cause, program.strip(), message, report, variables)


def section_of(cause: Cause, lesson: str) -> str:
    """The section of its lesson that first speaks of the message; empty if none does."""
    pattern = re.compile(cause.message)
    heading = ""
    for cell in nbformat.read(LESSONS / f"{lesson}.ipynb", as_version=4).cells:
        found = re.findall(r"^##+ (.+)$", cell.source, re.MULTILINE)
        heading = found[-1] if cell.cell_type == "markdown" and found else heading
        if heading and (pattern.search(cell.source) or pattern.search(str(cell.get("outputs")))):
            return heading
    return ""


class CauseDirective(SphinxDirective):
    """The page of one cause."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        (it,) = (one for one in all_raised() if one.cause.name == self.arguments[0])
        said = it.report.explanation
        page = nodes.section(ids=[nodes.make_id(it.cause.name)], classes=["raised"])
        page += nodes.title("", "", nodes.literal("", it.heading))
        first = f"{it.cause.title} " if it.message else ""  # else it is the heading
        page += self.parse_text_to_nodes(f"{first}{said.what}")
        program = nodes.literal_block(it.program, it.program, language="python")
        program["linenos"] = True
        if said.cause is not None:
            program["highlight_args"] = {"hl_lines": [said.cause.number]}
        page += program
        page += self.parse_text_to_nodes("\n".join(notes(it)))
        drawing = it.picture()
        if drawing is not None:
            page += nodes.raw("", figure(drawing), format="html")
        for number, fix in enumerate(said.fixes):
            start = "Or" if number else "To fix it"
            page += self.parse_text_to_nodes(f"**{start}**{': ' if fix.cost else ''}{fix.cost}")
            if fix.code:
                page += nodes.literal_block(fix.code, fix.code, language="python")
        page += self.parse_text_to_nodes(said.more)
        page += self.parse_text_to_nodes("\n".join(self.links(it)))
        return [page]

    def links(self, it: Raised) -> Iterator[str]:
        lesson = it.report.explanation.lesson
        heading = section_of(it.cause, lesson)
        where, anchor = (f", {heading}", f"#{default_slugify(heading)}") if heading else ("", "")
        yield f"[Lesson {lesson[:2]}{where}](/lessons/{lesson}.ipynb{anchor}) shows it."
        group = next(group for group in groups() if it in group)
        others = [f"[{one.title}](/{one.page}.md)" for one in group if one is not it]
        if others:
            yield "\nThe same message can have another cause:\n"
            yield from (f"- {other}" for other in others)


def notes(it: Raised) -> Iterator[str]:
    """What each line has done, in their order."""
    said = it.report.explanation
    lines = list(said.lines)
    if said.cause is not None:
        lines.append((said.cause, f"**the cause**{': ' if said.note else ''}{said.note}"))
    for place, note in sorted(lines, key=lambda line: line[0].number):
        yield f"- Line {place.number}: {note}"


class CausesDirective(SphinxDirective):
    """All messages; each leads to its causes."""

    def run(self) -> list[nodes.Node]:
        lines = []
        for first, *others in groups():
            lines.append(f"- {{doc}}`/{first.page}`")
            if others:
                lines += [f"  - {{doc}}`{it.title} </{it.page}>`" for it in (first, *others)]
        return self.parse_text_to_nodes("\n".join(lines))


def write_sources(_app: Sphinx) -> None:
    """Write the sources of the pages; remove those of causes that are no more."""
    FOLDER.mkdir(exist_ok=True)
    wanted = {f"{it.cause.name}.md": it for it in all_raised()}
    for path in FOLDER.glob("*.md"):
        if path.name not in wanted:
            path.unlink()
    for name, it in wanted.items():
        text = f"---\norphan: true\n---\n\n```{{cause}} {it.cause.name}\n```\n"
        path = FOLDER / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def write_index(app: Sphinx) -> None:
    """Write what the search page compares a pasted message with."""
    if app.builder.format != "html":
        return
    rows = [
        (it.heading, it.title, f"{it.page}.html", it.texts, number)
        for number, group in enumerate(groups())
        for it in group
    ]
    static = Path(app.outdir) / "_static"
    static.mkdir(parents=True, exist_ok=True)
    text = f"globalThis.minigradCauses = {json.dumps(rows, indent=0)};\n"
    (static / "causes.js").write_text(text, encoding="utf-8")


def name_page(_app: Sphinx, name: str, _template: str, context: dict[str, Any], _: Any) -> None:
    """Pages with the same message have their causes as titles; their sources can't be edited."""
    for it in all_raised():
        if it.page == name:
            context["title"] = it.title
            context["page_source_suffix"] = ""


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("cause", CauseDirective)
    app.add_directive("causes", CausesDirective)
    app.connect("builder-inited", write_sources)
    app.connect("builder-inited", write_index)
    app.connect("html-page-context", name_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
