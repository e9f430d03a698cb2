"""Write setup and exercises into the lessons, run them, and save them without what differs by run.

    python tools/normalise_lessons.py [NOTEBOOK ...]

Without arguments every notebook in lessons/ is executed in place. A second run changes nothing:
prompts and starters come from the exercises' definitions, cell ids from the cells' text, metadata
is what a lesson needs and no more, addresses and the paths of temporary files are replaced. A cell
that raises without the tag `raises-exception` stops the run, and its notebook stays as it was.
"""

import argparse
import copy
import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_output

from minigrad.cli import is_setup
from minigrad.contents import leave_out_widgets
from minigrad.exercises.cells import write_exercises

LESSONS = Path(__file__).parent.parent / "lessons"
SECONDS_PER_CELL = 120

ADDRESS = "0x7f0000000000"
CELL_FILE = "ipykernel/cell.py"

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]+")
_CELL_FILE = re.compile(r"[^\s'\"]*ipykernel_\d+[/\\]\d+\.py")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")

_KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


# The first cell of each lesson, for places without minigrad, such as Colab. The copies of
# `minigrad lab` don't have it, nor do the site's pages. Pyodide installs what's imported.
SETUP = """\
# On Colab or Kaggle, run this cell first: it installs minigrad. Elsewhere it does nothing.
import importlib.util
import sys

if importlib.util.find_spec("minigrad") is None and sys.platform != "emscripten":
    packages = "minigrad-lessons anywidget matplotlib pygraphviz"
    get_ipython().run_line_magic("pip", f"install -q {packages}")"""
SETUP_METADATA = {
    "jupyter": {"source_hidden": True},
    "minigrad": {"setup": True},
    "tags": ["remove-cell"],
}


def write_setup(notebook: NotebookNode) -> None:
    """Put the cell that installs minigrad at the top, in place of the one that is there."""
    notebook.cells = [cell for cell in notebook.cells if not is_setup(cell)]
    notebook.cells.insert(0, new_code_cell(SETUP, metadata=copy.deepcopy(SETUP_METADATA)))


def execute(notebook: NotebookNode, folder: Path) -> None:
    """Run every cell, in a fresh kernel started in `folder`; the outputs stay in `notebook`.

    Raises nbclient's CellExecutionError at a cell that raises and is not tagged for it.
    """
    NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=SECONDS_PER_CELL,
        record_timing=False,
        store_widget_state=False,
        resources={"metadata": {"path": str(folder)}},
    ).execute()


def normalise(notebook: NotebookNode) -> None:
    """Bring an executed notebook into the one form in which it is saved."""
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.metadata = NotebookNode(
        kernelspec=NotebookNode(_KERNELSPEC),
        language_info=NotebookNode(name="python"),
        **_kept(notebook.metadata, "minigrad"),
    )
    leave_out_widgets(notebook)  # their kernel ends here
    for cell, cell_id in zip(notebook.cells, _cell_ids(notebook), strict=True):
        cell.id = cell_id
        cell.metadata = NotebookNode(_kept(cell.metadata, "minigrad", "tags", "jupyter"))
        if cell.cell_type == "code":
            cell.outputs = _streams_joined(cell.outputs)
            for output in cell.outputs:
                _normalise_output(output)


def save(notebook: NotebookNode, path: Path) -> bool:
    """Write the notebook and say whether the file changed."""
    text = nbformat.writes(notebook) + "\n"
    changed = not path.exists() or path.read_text(encoding="utf-8") != text
    path.write_text(text, encoding="utf-8", newline="\n")
    return changed


def _kept(metadata: NotebookNode, *names: str) -> dict[str, object]:
    return {name: metadata[name] for name in names if metadata.get(name)}


def _cell_ids(notebook: NotebookNode) -> Iterator[str]:
    """One id for each cell, from its text: an insertion leaves the other cells' ids alone."""
    seen: Counter[str] = Counter()
    for cell in notebook.cells:
        digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:8]
        seen[digest] += 1
        yield digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"


def _streams_joined(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Streams arrive in pieces, cut and interleaved differently in every run."""
    joined: list[NotebookNode] = []
    for streams, run in groupby(outputs, key=lambda output: output.output_type == "stream"):
        if not streams:
            joined.extend(run)
            continue
        texts = {"stdout": "", "stderr": ""}
        for piece in run:
            texts[piece.name] += piece.text
        joined.extend(
            new_output("stream", name=name, text=texts[name]) for name in texts if texts[name]
        )
    return joined


def _normalise_output(output: NotebookNode) -> None:
    if output.output_type == "stream":
        output.text = _steady(output.text)
    elif output.output_type == "error":
        output.evalue = _steady(output.evalue)
        output.traceback = [_steady(frame) for frame in output.traceback if _of_lesson(frame)]
    else:
        for kind, content in output.data.items():
            if kind.startswith("text/"):
                output.data[kind] = _steady(content)


def _steady(text: str) -> str:
    return _CELL_FILE.sub(CELL_FILE, _ADDRESS.sub(ADDRESS, text))


def _of_lesson(frame: str) -> bool:
    """Frames within packages name places on one machine, and the reader has no use for them."""
    return not _COLOUR.sub("", frame).startswith("File ")


def main() -> None:
    parser = argparse.ArgumentParser(description="Execute the lessons and save them normalised.")
    parser.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK")
    paths = parser.parse_args().notebooks or sorted(LESSONS.glob("*.ipynb"))
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        write_setup(notebook)
        write_exercises(notebook)
        execute(notebook, path.parent)
        normalise(notebook)
        print(f"{path.stem}: {'changed' if save(notebook, path) else 'unchanged'}")


if __name__ == "__main__":
    main()
