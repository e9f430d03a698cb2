"""The lessons as an nbgrader course: one assignment for each lesson that has exercises.

An exercise becomes two cells of nbgrader's. In one the student writes: its solution is stripped
from what students get, and the starter stays. The other grades it, by a hidden call of `grade`.
Source: https://nbgrader.readthedocs.io/en/stable/contributor_guide/metadata.html
"""

import shutil
from pathlib import Path
from typing import Any

from minigrad.classroom.builds import (
    Cell,
    Notebook,
    exercises_in,
    grading_source,
    read,
    student,
    write,
)
from minigrad.exercises.cells import code_source
from minigrad.exercises.exercise import OWN, Exercise, own_exercises

POINTS = 1
SECONDS_PER_CELL = 60

CONFIG = f'''"""The nbgrader course made by `minigrad nbgrader`."""

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "minigrad"
# The starter stands above each solution, and stays.
c.ClearSolutions.code_stub = {{"python": "# Write your answer above."}}
# An endless cell that minigrad does not watch over.
c.Execute.timeout = {SECONDS_PER_CELL}
# Goes on after a cell that ends Python itself, which nbgrader's own does not.
c.Autograde.autograde_preprocessors = [
    "minigrad.classroom.execute.Execute",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
'''


def course(lessons: list[Path], folder: Path) -> list[str]:
    """Write the course to `folder`; the names of its assignments. OSError if that cannot be."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    assignments, own = [], own_exercises()
    if own:
        shutil.copy2(OWN, folder)
    for lesson in lessons:
        notebook = read(lesson)
        if held := exercises_in(notebook):
            grade_by_nbgrader(notebook)
            place = folder / "source" / lesson.stem
            place.mkdir(parents=True, exist_ok=True)
            write(notebook, place / lesson.name)
            if any(exercise.id in own for exercise, _ in held):  # nbgrader hands it out
                shutil.copy2(OWN, place)
            assignments.append(lesson.stem)
    return assignments


def grade_by_nbgrader(notebook: Notebook) -> None:
    """Turn a lesson into the source of an assignment."""
    student(notebook)
    for exercise, at in reversed(exercises_in(notebook)):
        cell = notebook["cells"][at]
        cell["source"] = _solution(exercise)
        cell["metadata"]["nbgrader"] = marked(exercise.id, solution=True)
        notebook["cells"].insert(at + 2, _grading(exercise))


def _solution(exercise: Exercise) -> str:
    return "\n".join(
        [
            code_source(exercise, exercise.starter),
            "### BEGIN SOLUTION",
            exercise.solutions[0].strip(),
            "### END SOLUTION",
        ]
    )


def _grading(exercise: Exercise) -> Cell:
    source = [
        grading_source(exercise.id),
        "### BEGIN HIDDEN TESTS",
        "from minigrad.classroom import grade",
        f'grade("{exercise.id}")',
        "### END HIDDEN TESTS",
    ]
    return {
        "cell_type": "code",
        "id": f"{exercise.id}-grade",
        "metadata": {"nbgrader": marked(f"{exercise.id}_grade", points=POINTS)},
        "source": "\n".join(source),
        "outputs": [],
        "execution_count": None,
    }


def marked(grade_id: str, solution: bool = False, points: int | None = None) -> dict[str, Any]:
    """What nbgrader is told of a cell."""
    graded = points is not None
    marks = {
        "grade": graded,
        "grade_id": grade_id,
        "locked": graded,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }
    return marks | ({"points": points} if graded else {})
