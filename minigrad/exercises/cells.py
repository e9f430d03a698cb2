"""The cells of an exercise in a notebook: its prompt, its starter, and the call of check.

The first two carry ``metadata.minigrad.exercise``; their text is written from the definition. For
a cell of code, its first line will do: ``# exercise 04_diamond``.
"""

from typing import Any

from minigrad.exercises.cell_guard import mark, marked
from minigrad.exercises.exercise import Exercise, find


def prompt_source(exercise: Exercise) -> str:
    """The Markdown of the cell that sets the exercise."""
    return f"### Exercise: {exercise.title}\n\n{exercise.prompt.strip()}"


def code_source(exercise: Exercise, code: str) -> str:
    """The cell that holds `code`: the starter, a solution or any other answer."""
    return f"{mark(exercise.id)}\n{code.strip()}"


def check_source(exercise: Exercise) -> str:
    """The cell after it."""
    return f'check("{exercise.id}")'


def exercise_in(cell: Any) -> str | None:
    """The exercise that a notebook's cell carries, by its metadata or by its first line."""
    held = cell["metadata"].get("minigrad", {}).get("exercise")
    if held is None and cell["cell_type"] == "code":
        held = marked("".join(cell["source"]))
    return None if held is None else str(held)


def write_exercises(notebook: Any) -> None:
    """Write prompts and starters into the cells of a notebook that carry an exercise.

    LookupError for an id that no exercise has.
    """
    for cell in notebook["cells"]:
        held = exercise_in(cell)
        if held is not None:
            exercise = find(held)
            code = cell["cell_type"] == "code"
            cell["source"] = (
                code_source(exercise, exercise.starter) if code else prompt_source(exercise)
            )
