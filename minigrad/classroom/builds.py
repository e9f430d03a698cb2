"""The lessons with stubs for students, and with solutions for their teachers.

A build is a list of changes to a notebook, which is JSON here: it needs no Jupyter.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from minigrad.exercises.cells import code_source, exercise_in, write_exercises
from minigrad.exercises.exercise import OWN, Exercise, find, own_exercises

Notebook = dict[str, Any]
Cell = dict[str, Any]


def student(notebook: Notebook) -> None:
    """As a student should first see it: starters, no outputs, no notes for teachers."""
    write_exercises(notebook)
    clear_outputs(notebook)
    notebook["cells"] = [cell for cell in notebook["cells"] if not _is_for_teachers(cell)]


def solved(notebook: Notebook) -> None:
    """With a solution in place of each starter; after its check, the others and the hints."""
    write_exercises(notebook)
    clear_outputs(notebook)
    for exercise, at in reversed(exercises_in(notebook)):
        cells = notebook["cells"]
        cells[at]["source"] = code_source(exercise, exercise.solutions[0])
        cells.insert(at + 2, markdown(f"{exercise.id}-solved", _about(exercise)))


BUILDS: dict[str, Callable[[Notebook], None]] = {"student": student, "solved": solved}


def build(kind: str, lessons: list[Path], folder: Path) -> None:
    """Write the lessons to `folder`. kind: "student" or "solved". OSError if that cannot be."""
    folder.mkdir(parents=True, exist_ok=True)
    for lesson in lessons:
        notebook = read(lesson)
        BUILDS[kind](notebook)
        write(notebook, folder / lesson.name)
    if own_exercises():
        shutil.copy2(OWN, folder)


def own_lessons() -> list[Path]:
    """The notebooks in the current folder that hold exercises of ``my_exercises.py``.

    LookupError or ValueError for a file that isn't a notebook.
    """
    own = own_exercises()
    paths = sorted(Path.cwd().glob("*.ipynb")) if own else []
    return [path for path in paths if own.keys() & set(map(exercise_in, read(path)["cells"]))]


def exercises_in(notebook: Notebook) -> list[tuple[Exercise, int]]:
    """The exercises of a notebook, each with the place of the cell that is to be written in."""
    held = [
        (exercise_in(cell), at)
        for at, cell in enumerate(notebook["cells"])
        if cell["cell_type"] == "code"
    ]
    return [(find(name), at) for name, at in held if name is not None]


def markdown(cell_id: str, text: str) -> Cell:
    """A cell of text."""
    return {"cell_type": "markdown", "id": cell_id, "metadata": {}, "source": text}


def grading_source(exercise: str) -> str:
    """What students get of the cell in which nbgrader grades an exercise."""
    return f"# Here {exercise} is graded."


def clear_outputs(notebook: Notebook) -> None:
    """Leave nothing of an earlier run."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = []
            cell["execution_count"] = None


def read(path: Path) -> Notebook:
    """The notebook at `path`, the text of each cell in one piece."""
    notebook: Notebook = json.loads(path.read_bytes())
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
    return notebook


def write(notebook: Notebook, path: Path) -> None:
    """Save the notebook as Jupyter does."""
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _is_for_teachers(cell: Cell) -> bool:
    return cell["cell_type"] == "markdown" and str(cell["source"]).startswith("## For teachers")


def _about(exercise: Exercise) -> str:
    ways = [f"```python\n{way.strip()}\n```" for way in exercise.solutions[1:]]
    parts = ["**Solved.**", exercise.because, "Also right:", *ways, "The hints were:"]
    hints = "\n".join(f"{number}. {hint}" for number, hint in enumerate(exercise.hints, start=1))
    return "\n\n".join(part for part in [*parts, hints] if part)
