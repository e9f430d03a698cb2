"""The lessons as pages: what is committed is shown; nothing is run."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from docs.extension.examples import LESSONS, Example, examples, sections


def read(text: str) -> NotebookNode:
    """A notebook for MyST-NB: its pictures are part of the page, with what they say in words."""
    notebook = nbformat.reads(text, as_version=4)
    title = next(sections(notebook.cells))  # such as 03 · Backward on a scalar
    name = next(path.stem for path in LESSONS.glob(f"{title[:2]}_*.ipynb"))
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [_shown(output, cell) for output in cell.outputs]
    own = [example for example in examples() if example.lesson == name]
    notebook.cells = [
        notebook.cells[0],
        new_markdown_cell(
            "To work on it, open your own copy with `minigrad lab`, or take "
            f"{{download}}`the notebook <{name}.ipynb>`. What you see here was computed by it."
        ),
        *_with_examples(notebook.cells[1:], own),
    ]
    return notebook


def _with_examples(cells: list[NotebookNode], own: list[Example]) -> Iterator[NotebookNode]:
    """The cells, and each example at the end of the section that it belongs to."""
    waiting: list[Example] = []
    for cell in cells:
        begun = list(sections([cell]))
        if begun:
            yield from map(_example_cell, waiting)
            waiting = [example for example in own if example.section in begun]
        yield cell
    yield from map(_example_cell, waiting)


def _example_cell(example: Example) -> NotebookNode:
    return new_markdown_cell(f"```{{graph}} {example.name}\n```")


def _shown(output: NotebookNode, cell: NotebookNode) -> NotebookNode:
    """The output as a page shows it."""
    data = output.get("data", {})
    instrument = data.pop("application/vnd.jupyter.widget-view+json", None) is not None
    if "image/svg+xml" in data:
        data["text/html"] = _picture(data.pop("image/svg+xml"), data["text/plain"], instrument)
    elif "image/png" in data:
        says = cell.metadata.get("minigrad", {}).get("alt", "")
        data["text/html"] = (
            f'<img class="plot" src="data:image/png;base64,{data.pop("image/png").strip()}" '
            f'alt="{escape(says)}">'
        )
    return output


def _picture(svg: str, text: str, instrument: bool) -> str:
    note = (
        "<figcaption>In the notebook this instrument works: it asks, and answers you.</figcaption>"
        if instrument
        else ""
    )
    return (
        f'<figure class="graph">{svg}{note}'
        f"<details><summary>In words</summary><pre>{escape(text)}</pre></details></figure>"
    )
