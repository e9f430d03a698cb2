"""The cells of an exercise in a notebook: its prompt, its starter, and the call of check.

The first two carry ``metadata.minigrad.exercise``; their text is written from the definition.
"""

from typing import Any

from minigrad.exercises.cell_guard import mark
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
    """The id of the exercise that a notebook's cell carries, if it carries one."""
    held = cell["metadata"].get("minigrad", {}).get("exercise")
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
