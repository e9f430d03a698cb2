"""A submission as nbgrader's autograder leaves it, for formgrader and nbgrader's own feedback."""

import json
import warnings
from typing import Any

import nbformat

from minigrad.classroom.gradebook import cell_of
from minigrad.classroom.grades import ExerciseGrade, Grade


def autograded(content: bytes, grade: Grade) -> str | None:
    """The notebook, with the verdicts as the outputs of nbgrader's cells; None if it has none.

    None too for what is no notebook. Outputs that the student saved are not kept.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # cells without ids get some
            notebook = nbformat.from_dict(json.loads(content))
            nbformat.validate(notebook, version=4)
    except Exception:  # whatever a file can be, it is said where it is graded
        return None
    verdicts = {cell_of(one.exercise): one for one in grade.exercises}
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    known = [cell for cell in cells if _grade_id(cell) in verdicts]
    if sorted(map(_grade_id, known)) != sorted(verdicts):
        return None
    for cell in cells:
        cell.outputs, cell.execution_count = [], None
    for cell in known:
        cell.outputs = _outputs(verdicts[_grade_id(cell)])
    return str(nbformat.writes(notebook)) + "\n"


def _grade_id(cell: Any) -> str:
    marks = cell.metadata.get("nbgrader")
    return str(marks.get("grade_id")) if isinstance(marks, dict) else ""


def _outputs(one: ExerciseGrade) -> list[Any]:
    if one.right:
        return []
    said = f"{one.exercise}: {one.outcome}\n\n{one.message}"
    return [nbformat.v4.new_output("error", ename="NotRight", evalue=said, traceback=[said])]
