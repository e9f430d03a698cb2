"""Read a submitted notebook, which may be anything: what is to be run, and where to look."""

import json
import re
from dataclasses import dataclass
from typing import Any

from minigrad.exercises.cell_guard import marked
from minigrad.exercises.exercise import Exercise

MOST_CELLS = 2_000

_CHECK = re.compile(r"""\bcheck\(\s*["'](\w+)["']""")


class BadNotebook(Exception):
    """This is no submission of that lesson; the text says why, to the teacher."""


@dataclass(frozen=True)
class Cell:
    """A cell of code. exercise: the one whose answer it is; checks: those to look at after it."""

    number: int
    source: str
    exercise: str | None
    checks: tuple[str, ...]


def read_submission(content: bytes, exercises: list[Exercise]) -> list[Cell]:
    """The cells of code in the notebook; BadNotebook if it is none, or of another lesson."""
    known = {one.id for one in exercises}
    cells = [
        Cell(number, source, _exercise(cell, source, known), _checks(source, known))
        for number, (cell, source) in enumerate(_code(_parsed(content)))
    ]
    if not any(cell.exercise or cell.checks for cell in cells):
        wanted = exercises[0].id[:2]
        raise BadNotebook(f"There is no exercise of lesson {wanted} in it. Is it another notebook?")
    return cells


def _parsed(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise BadNotebook("The file is no notebook: it cannot be read as JSON.") from error


def _code(notebook: Any) -> list[tuple[dict[str, Any], str]]:
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise BadNotebook("The file is no notebook of format 4: it has no list of cells.")
    code = [cell for cell in cells if cell.get("cell_type") == "code"]
    if len(code) > MOST_CELLS:
        raise BadNotebook(f"The notebook has more than {MOST_CELLS} cells.")
    return [(cell, _source(cell.get("source"))) for cell in code]


def _source(source: Any) -> str:
    lines = [source] if isinstance(source, str) else source
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise BadNotebook("The file is no notebook of format 4: a cell holds no text.")
    return "".join(lines)


def _exercise(cell: dict[str, Any], source: str, known: set[str]) -> str | None:
    """By its metadata, or by its first line where a tool has lost them."""
    held: Any = cell
    for key in ("metadata", "minigrad", "exercise"):
        held = held.get(key) if isinstance(held, dict) else None
    if not isinstance(held, str):
        held = marked(source)
    return held if held in known else None


def _checks(source: str, known: set[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in _CHECK.findall(source) if name in known))
