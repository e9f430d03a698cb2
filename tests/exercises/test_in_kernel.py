"""An exercise in a real kernel: what a learner sees who writes an endless cell, and goes on."""

from pathlib import Path

from nbformat.v4 import new_code_cell, new_notebook

from minigrad.exercises.cells import code_source
from minigrad.exercises.exercise import find
from tests.replay import run_notebook, shown


def test_an_endless_cell_is_stopped_explained_and_can_be_mended(tmp_path: Path) -> None:
    exercise = find("04_diamond")
    sources = (
        "from minigrad.exercises import cell_guard, check, hint, progress",
        "cell_guard.SECONDS = 0.5",
        code_source(exercise, "a_grad = 0\nwhile True:\n    a_grad += 1"),
        *('check("04_diamond")', 'hint("04_diamond")'),
        code_source(exercise, "a_grad = 9"),
        *('check("04_diamond")', "progress()"),
    )
    notebook = new_notebook(cells=[new_code_cell(source) for source in sources])
    run_notebook(notebook, tmp_path)
    _, _, endless, stopped, hinted, mended, right, table = map(shown, notebook.cells)
    assert endless["error"] == "TookTooLong: stopped after 0.5 seconds"
    assert "ran too long and was stopped after 0.5 seconds" in stopped["display"]
    assert "hint 1 of" in hinted["display"]
    assert mended == {}
    assert ": right" in right["display"]
    assert "Exercises: 1 of" in table["display"]
