"""The exercises as they stand in the lessons: each in its place, as defined, without an answer."""

import copy

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from minigrad.exercises.cells import (
    check_source,
    code_source,
    exercise_in,
    prompt_source,
    write_exercises,
)
from minigrad.exercises.exercise import all_exercises, find
from tools.normalise_lessons import LESSONS

PATHS = {path.stem: path for path in sorted(LESSONS.glob("*.ipynb"))}


def read(name: str) -> NotebookNode:
    return nbformat.read(PATHS[name], as_version=4)


def exercise_faults(name: str, notebook: NotebookNode) -> list[str]:
    """Exercises that are missing, unknown, not as defined, or not checked in the next cell."""
    cells = [*notebook.cells, new_markdown_cell()]
    faults, placed = [], []
    for prompt, starter, check in zip(cells, cells[1:], cells[2:], strict=False):
        held = exercise_in(starter)
        if held is None or starter.cell_type != "code":
            continue
        try:
            exercise = find(held)
        except LookupError as error:
            faults.append(str(error))
            continue
        placed.append(held)
        if exercise_in(prompt) != held or prompt.source != prompt_source(exercise):
            faults.append(f"the prompt of {held} is not as defined: run make lessons")
        if starter.source != code_source(exercise, exercise.starter):
            faults.append(f"the starter of {held} is not as defined: run make lessons")
        if check.source != check_source(exercise):
            faults.append(f"the cell after {held} does not check it")
        if "not attempted" not in str(check.get("outputs")):
            faults.append(f"{held} is saved with an answer")
    defined = [exercise.id for exercise in all_exercises() if exercise.id[:2] == name[:2]]
    faults += [
        f"{one} is not in the lesson, or twice"
        for one in {*defined, *placed}
        if (defined.count(one), placed.count(one)) != (1, 1)
    ]
    if placed != defined and sorted(placed) == sorted(defined):
        faults.append(f"define them in the lesson's order, which `progress()` keeps: {placed}")
    return faults


@pytest.mark.parametrize("name", PATHS)
def test_a_lesson_holds_its_exercises_as_they_are_defined(name: str) -> None:
    assert exercise_faults(name, read(name)) == []


@pytest.mark.parametrize("name", PATHS)
def test_writing_the_exercises_again_changes_nothing(name: str) -> None:
    notebook = read(name)
    again = copy.deepcopy(notebook)
    write_exercises(again)
    assert again == notebook


def with_exercise(notebook: NotebookNode) -> int:
    """Where the starter of the first exercise is."""
    carriers = [i for i, cell in enumerate(notebook.cells) if exercise_in(cell)]
    return carriers[1]


def test_make_lessons_stops_at_an_unknown_exercise() -> None:
    notebook = read("04_gradients_add_up")
    notebook.cells[with_exercise(notebook)].metadata.minigrad.exercise = "04_dimond"
    with pytest.raises(LookupError, match="04_dimond"):
        write_exercises(notebook)
