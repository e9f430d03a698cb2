"""The engine that lesson 20 builds: its parts, and the file that they make."""

import functools
import inspect
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from minigrad.exercises import pocket, standing
from minigrad.exercises.cell_guard import mark
from minigrad.exercises.exercise import exercises_of, find
from minigrad.exercises.judging import judge
from minigrad.exercises.result import RIGHT

NAME = "my_engine"
STEPS = ("20_record", "20_rules", "20_order", "20_accumulate", "20_free", "20_tensors")


@functools.cache
def parts() -> tuple[str, ...]:
    """The pocket engine's source: what is given, and one part for each step."""
    _, *found = re.split(r"^# Part \d: .*\n", inspect.getsource(pocket), flags=re.M)
    return tuple(part.strip() for part in found)


def solved_names() -> set[str]:
    """The functions of the steps that the learner has solved."""
    solved = [one for one in exercises_of("lesson_20").values() if standing.standing(one.id).solved]
    return {name for one in solved for name in one.answers}


def build_engine() -> ModuleType:
    """Write ``my_engine.py`` from the steps that you've solved, and import it.

    A step that isn't solved yet comes from the pocket engine, so the engine always runs. It prints
    whose parts are whose.
    """
    space = sys._getframe(1).f_globals
    given, *ours = parts()
    texts, yours = [f"# Part 0: given.\n{given}"], []
    for number, (step, part) in enumerate(zip(STEPS, ours, strict=True), start=1):
        cell = _solved_cell(step, space)
        yours += [] if cell is None else [number]
        whose = "from the pocket engine" if cell is None else "yours"
        texts.append(f"# Part {number}: {whose}.\n{part if cell is None else cell}")
    theirs = [number for number in range(1, len(STEPS) + 1) if number not in yours]
    first, rest = (", ".join(map(str, numbers)) or "none" for numbers in (yours, theirs))
    print(f"Your parts: {first}. From the pocket engine: {rest}.")
    return _module("\n\n\n".join(texts) + "\n")


def _solved_cell(step: str, space: dict[str, Any]) -> str | None:
    """The cell that was last run for a step, without its mark, if its answers are right."""
    first = mark(step)
    ran = [cell for cell in space.get("In", ()) if cell.startswith(first)]
    if not ran or judge(find(step), space, drawn=False).outcome != RIGHT:
        return None
    return str(ran[-1]).removeprefix(first).strip()


def _module(source: str) -> ModuleType:
    path = Path.cwd() / f"{NAME}.py"
    try:
        path.write_text(source, encoding="utf-8")
    except OSError as error:
        print(f"{path.name} can't be written here ({error.strerror or error}).")
    module = ModuleType(NAME)
    module.__file__ = str(path)
    exec(compile(source, str(path), "exec"), vars(module))
    sys.modules[NAME] = module  # so that `import my_engine` finds this one
    return module
