"""The lessons as pages: what is committed is shown. Only what is alive on a page is run."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from docs.extension.addresses import Addresses
from docs.extension.examples import LESSONS, Example, examples, sections
from docs.extension.live import cell_page, cell_title, frame, last_statement, shown_cells
from minigrad import widgets

_IN_LESSONS = "lessons/"  # how deep the pages are


def read(text: str, repository: str) -> NotebookNode:
    """A notebook for MyST-NB: its pictures are part of the page, with what they say in words."""
    notebook = nbformat.reads(text, as_version=4)
    title = next(sections(notebook.cells))  # such as 03 · Backward on a scalar
    name = next(path.stem for path in LESSONS.glob(f"{title[:2]}_*.ipynb"))
    addresses = Addresses(repository)
    first, *others = notebook.cells = shown_cells(notebook)
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type == "code":
            note = _note(cell.source, cell_page(name, number), addresses.notebook(name))
            cell.outputs = [_shown(output, cell, note) for output in cell.outputs]
    own = [example for example in examples() if example.lesson == name]
    notebook.cells = [
        first,
        new_markdown_cell(
            f"{addresses.buttons(name)}\n\nOr open your own copy with `minigrad lab`, or take "
            f"{{download}}`the notebook <{name}.ipynb>`. What you see here was computed by it."
        ),
        *_with_examples(others, own, list(sections([first]))),
    ]
    return notebook


def _with_examples(
    cells: list[NotebookNode], own: list[Example], begun: list[str]
) -> Iterator[NotebookNode]:
    """The cells, and each example at the end of its section; begun: those before the cells."""
    waiting = [example for example in own if example.section in begun]
    for cell in cells:
        begun = list(sections([cell]))
        if begun:
            yield from map(_example_cell, waiting)
            waiting = [example for example in own if example.section in begun]
        yield cell
    yield from map(_example_cell, waiting)


def _example_cell(example: Example) -> NotebookNode:
    return new_markdown_cell(f"```{{graph}} {example.name}\n```")


def _note(source: str, page: str, ways: dict[str, str]) -> str:
    """What belongs to an instrument: itself, alive, or where it is; nothing for other cells."""
    title = cell_title(source)
    if title is not None:
        return frame(page, title, _IN_LESSONS)
    if last_statement(source).partition("(")[0] not in dir(widgets):
        return ""
    links = " or ".join(f'<a href="{escape(way)}">{text}</a>' for text, way in ways.items())
    return (
        "<figcaption>This is a picture. In your own copy you can use the instrument: it asks, and "
        f"answers you. {links}</figcaption>"
    )


def _shown(output: NotebookNode, cell: NotebookNode, note: str) -> NotebookNode:
    """The output as a page shows it; note: what belongs to an instrument."""
    data = output.get("data", {})
    if "image/svg+xml" in data:
        svg, text = data.pop("image/svg+xml"), escape(data["text/plain"])
        svg = svg if cell_title(cell.source) is None else ""
        data["text/html"] = (
            f'<figure class="graph">{svg}{note}'
            f"<details><summary>In words</summary><pre>{text}</pre></details></figure>"
        )
    elif "image/png" in data:
        says = cell.metadata.get("minigrad", {}).get("alt", "")
        data["text/html"] = (
            f'<img class="plot" src="data:image/png;base64,{data.pop("image/png").strip()}" '
            f'alt="{escape(says)}">'
        )
    return output
