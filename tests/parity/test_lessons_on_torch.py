"""Every lesson, its import line changed to `import torch`, says on PyTorch what is committed."""

import copy
from pathlib import Path

import nbformat
import pytest

from tests.replay import differences, on_engine, run_notebook, shown

LESSONS = sorted((Path(__file__).parents[2] / "lessons").glob("*.ipynb"))

pytestmark = pytest.mark.parity


def code_cells(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_there_are_lessons() -> None:
    assert LESSONS


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.stem)
def test_the_lesson_says_the_same_on_pytorch(lesson: Path) -> None:
    committed = nbformat.read(lesson, as_version=4)
    executed = copy.deepcopy(committed)
    for cell in code_cells(executed):
        cell.source = on_engine(cell.source, "torch")
    assert executed != committed, f"{lesson.name} has no line `import minigrad as torch`"

    run_notebook(executed, lesson.parent)
    cells = code_cells(committed)
    said = [shown(cell) for cell in cells]
    on_pytorch = [shown(cell) for cell in code_cells(executed)]
    difference = differences([cell.source for cell in cells], said, on_pytorch)
    assert not difference, f"{lesson.name}\n{difference}"
