"""The pages that are alive without a kernel: graphs, steppers and nudges, each in its own file.

They are made of the gallery's programs, and of the cells of lessons that end in an instrument which
needs no kernel. Such a cell is a program by itself.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from sphinx.application import Sphinx

import minigrad
from docs.extension.examples import LESSONS, Example, examples
from minigrad.cli import is_setup
from minigrad.exercises import pocket
from minigrad.viz import step
from minigrad.viz.draw.browser_state import page
from minigrad.widgets import BackwardStepper, Nudge, neuron, nudge

_NUDGE = Path(__file__).with_name("nudge.js").read_text(encoding="utf-8")
_NUDGE += "live.nudge({ model: nudgeModel(data), el: place });"
# What is alive, by how the last line of its cell begins: the page knows the operations of neuron.
_ALIVE = {"BackwardStepper(": "Step through it", "nudge(neuron,": "Drag its numbers"}


def frame(address: str, title: str, docname: str, *more: tuple[str, str]) -> str:
    """A live page, loaded when it is scrolled to, and links to it and to more pages."""
    top = "../" * docname.count("/")
    links = [("Open this alone", address), *more]
    linked = " · ".join(f'<a href="{top}{page}">{escape(text)}</a>' for text, page in links)
    return (
        f'<iframe class="live-graph" src="{top}{address}" title="{escape(title)}" loading="lazy">'
        f'</iframe>\n<p class="live-graph-link">{linked}</p>'
    )


def example_frame(example: Example, docname: str) -> str:
    """The live graph of an example."""
    steps = ("Step through its backward pass", example.steps_page)
    return frame(example.page, f"Live graph: {example.title}", docname, steps)


def cell_title(source: str) -> str | None:
    """What a reader can do with a cell's instrument on a page; None where it needs a kernel."""
    last = last_statement(source)
    return next((title for start, title in _ALIVE.items() if last.startswith(start)), None)


def last_statement(source: str) -> str:
    """The last statement of a cell, on one line; empty if the cell isn't Python."""
    try:
        return ast.unparse(ast.parse(source).body[-1:])
    except SyntaxError:
        return ""


def shown_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The cells that the site shows: not the one that installs minigrad elsewhere."""
    return [cell for cell in notebook.cells if not is_setup(cell)]


def cell_page(lesson: str, number: int) -> str:
    """Where the instrument of a lesson's cell is, by its number among those shown."""
    return f"graphs/{lesson}_{number}.html"


def save_cell(source: str, path: Path) -> None:
    """Run a cell by itself, and write the instrument that it ends with as a page."""
    space: dict[str, Any] = {"torch": minigrad, "BackwardStepper": BackwardStepper}
    # What it has before an exercise of lesson 20 is solved.
    space |= {"neuron": neuron, "nudge": nudge, "build_engine": lambda: pocket}
    *lines, last = source.rstrip().splitlines()
    exec("\n".join(lines), space)
    instrument = eval(last, space)
    if isinstance(instrument, Nudge):
        path.write_text(nudge_page(instrument), encoding="utf-8")
    else:
        instrument.save(path)


def nudge_page(it: Nudge) -> str:
    """A nudge of a function of single numbers, as a page that computes them itself."""
    data = {"graph": it.graph, "layouts": it.layouts, "themes": it.themes}
    return page("Nudge", it.outline, data, _NUDGE)


def pages() -> Iterator[tuple[str, Callable[[Path], None]]]:
    """Each live page, and what writes it.

    One is neither in the gallery nor in a lesson: how recursion goes wrong.
    """
    for example in examples():
        yield example.page, example.drawing().save
        yield example.steps_page, example.stepper().save
    a = minigrad.tensor(3.0, requires_grad=True)
    b = a + a
    c = b + b
    yield "graphs/recursion.html", step(c, order="recursion").save
    for lesson in sorted(LESSONS.glob("*.ipynb")):
        for number, cell in enumerate(shown_cells(nbformat.read(lesson, as_version=4))):
            if cell.cell_type == "code" and cell_title(cell.source):
                yield cell_page(lesson.stem, number), partial(save_cell, cell.source)


def write_pages(app: Sphinx) -> None:
    """Write them beside the pages that show them."""
    if app.builder.format == "html":
        (Path(app.outdir) / "graphs").mkdir(parents=True, exist_ok=True)
        for address, write in pages():
            write(Path(app.outdir) / address)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
