"""The student's and the solved version of the lessons: what is in them, and that they run."""

import contextlib
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode

from minigrad import cli
from minigrad.exercises.cells import code_source, exercise_in
from minigrad.exercises.exercise import all_exercises, find
from tests.replay import run_cell, run_notebook, shown
from tools.normalise_lessons import LESSONS

NAMES = sorted(path.name for path in LESSONS.glob("*.ipynb"))


def read(path: Path) -> NotebookNode:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return notebook


def texts(notebook: NotebookNode) -> str:
    return "\n".join(cell.source for cell in notebook.cells)


def run(notebook: NotebookNode, folder: Path) -> list[str]:
    """Run all cells in this process; the headings of what check says in them.

    An error that is not meant to be fails the test.
    """
    namespace: dict[str, Any] = {"__name__": "__main__"}
    said: list[str] = []
    checks: list[str] = []
    with contextlib.chdir(folder):
        for cell in notebook.cells:
            if cell.cell_type != "code":
                continue
            answer = run_cell(cell.source, namespace)
            if "raises-exception" not in cell.metadata.get("tags", []):
                assert "error" not in answer, f"{cell.source}\n{answer['error']}"
            if cell.source.startswith("check("):
                checks.append(cell.source)
                said.append(outcome(answer))
        # The lesson goes on without giving an answer's name to something else.
        assert [outcome(run_cell(one, namespace)) for one in checks] == said
    return said


def outcome(answer: dict[str, str]) -> str:
    return answer["display"].splitlines()[0].rpartition(": ")[2]


def test_every_lesson_is_in_both(student: Path, solved: Path) -> None:
    assert sorted(path.name for path in student.iterdir()) == NAMES
    assert sorted(path.name for path in solved.iterdir()) == NAMES


def test_both_say_where_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["solved", str(tmp_path / "mine")])
    assert f"In {tmp_path / 'mine'}: the lessons with a solution" in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["student", "solved", "nbgrader"])
def test_no_overwriting(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "grades.csv").write_text("mine")
    assert cli.main([kind, str(tmp_path)]) == 1
    assert "is not empty" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["grades.csv"]


@pytest.mark.parametrize("kind", ["student", "solved", "nbgrader"])
def test_a_folder_that_cannot_be_written_is_said(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert cli.main([kind, str(tmp_path / "file" / "lessons")]) == 1
    assert "cannot write to" in capsys.readouterr().err


@pytest.mark.parametrize("name", NAMES)
def test_a_students_version_runs_and_nothing_is_attempted(name: str, student: Path) -> None:
    notebook = read(student / name)
    assert all(not cell.get("outputs") for cell in notebook.cells)
    assert "## For teachers" not in texts(notebook)
    held = [exercise_in(cell) for cell in notebook.cells if cell.cell_type == "code"]
    exercises = [find(one) for one in held if one]
    for exercise in exercises:
        assert code_source(exercise, exercise.solutions[0]) not in texts(notebook)
    assert run(notebook, student) == ["not attempted"] * len(exercises)
    (student / "my_engine.py").unlink(missing_ok=True)  # lesson 20 writes it
    assert sorted(path.name for path in student.iterdir()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_solved_version_runs_and_all_is_right(name: str, solved: Path) -> None:
    notebook = read(solved / name)
    exercises = [exercise for exercise in all_exercises() if exercise.id[:2] == name[:2]]
    for exercise in exercises:
        assert all(way.strip() in texts(notebook) for way in exercise.solutions)
        assert all(hint in texts(notebook) for hint in exercise.hints)
    assert run(notebook, solved) == ["right"] * len(exercises)


def test_a_solved_lesson_is_right_in_a_real_kernel(solved: Path) -> None:
    notebook = read(solved / "04_gradients_add_up.ipynb")
    run_notebook(notebook, solved)
    checks = [shown(cell) for cell in notebook.cells if cell.source.startswith("check(")]
    assert checks
    assert all(": right" in answer["display"] for answer in checks)
