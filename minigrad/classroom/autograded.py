"""A submission as nbgrader's autograder leaves it, for formgrader and nbgrader's own feedback."""

from typing import Any

import nbformat
from nbformat import v4

from minigrad.classroom.assignment import Assignment, cell_of
from minigrad.classroom.course import POINTS, marked
from minigrad.classroom.grades import ExerciseGrade
from minigrad.classroom.reports import plain
from minigrad.classroom.store import Cell, Graded


def autograded(graded: Graded, assignment: Assignment) -> str | None:
    """The notebook, with the verdicts as the outputs of nbgrader's cells; None if it has none.

    It is made from the cells' texts. Nothing else that the student saved is in it.
    """
    wanted = sorted(assignment.grade_ids)
    if sorted(str(cell.grade_id) for cell in graded.cells if cell.grade_id in wanted) != wanted:
        return None
    verdicts = {cell_of(one.exercise): one for one in graded.grade.exercises}
    notebook = v4.new_notebook(
        cells=[_cell(f"cell-{at}", cell, verdicts) for at, cell in enumerate(graded.cells)]
    )
    return str(nbformat.writes(notebook)) + "\n"


def _cell(name: str, cell: Cell, verdicts: dict[str, ExerciseGrade]) -> Any:
    if cell.kind != "code":
        return v4.new_markdown_cell(plain(cell.source), id=name)
    made = v4.new_code_cell(plain(cell.source), id=name)
    verdict = verdicts.get(cell.grade_id or "")
    if verdict is not None:
        made.metadata["nbgrader"] = marked(cell_of(verdict.exercise), points=POINTS)
        made.outputs = _outputs(verdict)
    elif cell.exercise:
        made.metadata["nbgrader"] = marked(cell.exercise, solution=True)
    return made


def _outputs(one: ExerciseGrade) -> list[Any]:
    if one.right:
        return []
    said = plain(f"{one.exercise}: {one.outcome}\n\n{one.message}")
    return [v4.new_output("error", ename="NotRight", evalue=said, traceback=[said])]
