"""Answer an exercise as a learner does: run code in a notebook's namespace, then check."""

import importlib
import linecache
from typing import Any

from minigrad.exercises.cell_guard import remember
from minigrad.exercises.cells import code_source
from minigrad.exercises.exercise import Exercise
from minigrad.exercises.judging import judge
from minigrad.exercises.result import Result


def answer(exercise: Exercise, code: str, engine: str = "minigrad") -> Result:
    """What check says after the exercise's cell was run with `code` in it.

    An error in the cell is remembered, as the notebook's guard does.
    """
    return judge(exercise, run(exercise, code, engine))


def run(exercise: Exercise, code: str, engine: str = "minigrad") -> dict[str, Any]:
    """The namespace that the exercise's cell leaves behind."""
    namespace: dict[str, Any] = {"torch": importlib.import_module(engine)}
    error = None
    code = code_source(exercise, code)
    name = f"<cell of {exercise.id}>"
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    try:
        exec(compile(code, name, "exec"), namespace)
    except Exception as raised:
        error = raised
    remember(exercise.id, error, namespace)
    return namespace
