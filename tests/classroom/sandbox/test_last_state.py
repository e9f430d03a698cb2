"""Which of several answers counts, and how many were tried."""

import json
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from minigrad.classroom.grades import ExerciseGrade
from minigrad.classroom.protection import Protection
from tests.classroom.one import grade_submission

pytestmark = pytest.mark.sandbox

IMPORTS = "import minigrad as torch\nfrom minigrad.exercises import check"
CHECK = "check('04_diamond')"
RIGHT, WRONG = "a_grad = 9", "a_grad = 3"


def diamond(path: Path, *cells: str, metadata: dict[str, object] | None = None) -> ExerciseGrade:
    """The grade of 04_diamond in a notebook with these cells."""
    sources = [IMPORTS, "# exercise 04_diamond\na_grad = ...", *cells]
    notebook = new_notebook(cells=[new_code_cell(one, metadata=metadata or {}) for one in sources])
    path.write_text(json.dumps(notebook), encoding="utf-8")
    grade = grade_submission(path, "04", protection=Protection.BUBBLEWRAP)
    (found,) = [one for one in grade.exercises if one.exercise == "04_diamond"]
    tried = [one for one in grade.incidents if "answers tried" in one]
    assert tried == ([f"04_diamond: {found.tried} answers tried."] if found.tried > 5 else [])
    assert grade.within(found.tried) == grade
    assert not any(one.points for one in grade.within(found.tried - 1).exercises)
    return found


@pytest.mark.parametrize(
    ("cells", "points", "tried"),
    [
        ([RIGHT, CHECK], 1, 1),
        ([RIGHT, CHECK, CHECK, RIGHT, CHECK], 1, 1),
        ([WRONG, CHECK, RIGHT, CHECK], 1, 2),
        ([RIGHT, CHECK, WRONG, CHECK], 0, 2),
        ([RIGHT, CHECK, WRONG], 0, 2),
        ([WRONG, CHECK, RIGHT], 1, 2),
        ([RIGHT, f"# {CHECK}", WRONG], 0, 1),
        ([RIGHT, f"'''{CHECK}'''", WRONG], 0, 1),
        ([f"a_grad = {n}\n# {CHECK}" for n in range(20)], 0, 1),
        ([f"a_grad = {n}\n{CHECK}" for n in range(17, 0, -1)], 0, 17),
        ([f"a_grad = {n}\nlook = check; look('04_diamond')" for n in range(10)], 1, 10),
        ([f"for a_grad in range(30):\n    if {CHECK}.outcome == 'right': break"], 0, 1),
        ([f"a_grad = torch.tensor(3.)\n{CHECK}", f"a_grad *= 3\n{CHECK}"], 1, 2),
        (["a_grad = torch.tensor(9.)", CHECK, "a_grad.grad = torch.tensor(1.)", "b = 2"], 1, 1),
    ],
)
def test_the_last_state_counts(cells: list[str], points: int, tried: int, tmp_path: Path) -> None:
    found = diamond(tmp_path / "it.ipynb", *cells)
    assert (found.points, found.tried) == (points, tried), found


def test_what_a_student_says_of_a_cell_decides_nothing(tmp_path: Path) -> None:
    for marks in ({"grade": True, "points": 9, "grade_id": "04_diamond_grade"}, "right", 7):
        metadata = {"nbgrader": marks, "tags": ["skip-execution"]}
        assert diamond(tmp_path / "it.ipynb", WRONG, CHECK, metadata=metadata).points == 0
        assert diamond(tmp_path / "it.ipynb", RIGHT, CHECK, metadata=metadata).points == 1
