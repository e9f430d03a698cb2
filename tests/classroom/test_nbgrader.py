"""The course under nbgrader itself: assignments, grades and feedback of one lesson."""

import copy
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from minigrad.classroom.grading import NotRight, grade
from minigrad.exercises.cells import code_source, exercise_in
from minigrad.exercises.exercise import all_exercises
from tests.classroom.running import nbgrader, rows

ASSIGNMENT = "04_gradients_add_up"
EXERCISES = [exercise for exercise in all_exercises() if exercise.id.startswith("04_")]

# What a student writes into the cell of each exercise; where nothing is said, the starter stays.
Answers = dict[str, str]


def solutions() -> Answers:
    return {exercise.id: exercise.solutions[-1] for exercise in EXERCISES}


def submissions() -> dict[str, tuple[Answers, int]]:
    """What each student hands in, and how many points it is worth."""
    most = len(EXERCISES)
    looping = {
        "04_diamond": "a_grad = 0\nwhile True:\n    a_grad += 1",
        "04_repair": "def gradient_of_each(w, batches):\n    while True:\n        pass",
    }
    crashing = {
        "04_diamond": "a_grad = 9\nraise ValueError('I give up')",
        "04_turns": "import os\nos._exit(1)",
        "04_repair": "import sys\ndef gradient_of_each(w, batches):\n    sys.exit('enough')",
    }
    return {
        "right": (solutions(), most),
        "nothing": ({}, 0),
        "partly": ({exercise.id: exercise.solutions[0] for exercise in EXERCISES[:2]}, 2),
        "wrong": ({exercise.id: exercise.slips[0].code for exercise in EXERCISES}, 0),
        "looping": (solutions() | looping, most - len(looping)),
        "crashing": (solutions() | crashing, most - len(crashing)),
    }


def test_grade_returns_or_says_why_not() -> None:
    namespace = {"grade": grade, "a_grad": 9}
    exec("grade('04_diamond')", namespace)
    namespace["a_grad"] = 4
    with pytest.raises(NotRight, match="one side of the diamond"):
        exec("grade('04_diamond')", namespace)
    with pytest.raises(LookupError, match="04_dimond"):
        grade("04_dimond")


@pytest.fixture(scope="module")
def released(course: Path) -> NotebookNode:
    """The assignment as students get it."""
    nbgrader(course, "generate_assignment", ASSIGNMENT)
    path = course / "release" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    return nbformat.read(path, as_version=4)


@pytest.fixture(scope="module")
def grades(course: Path, released: NotebookNode) -> dict[str, tuple[float, float]]:
    """Each student's points, and the most there are, as nbgrader exports them."""
    for student, (answers, _) in submissions().items():
        submit(course, released, student, answers)
    nbgrader(course, "autograde", ASSIGNMENT)
    nbgrader(course, "export", "--to", "grades.csv")
    return {
        row["student_id"]: (float(row["score"]), float(row["max_score"]))
        for row in rows(course / "grades.csv")
        if row["assignment"] == ASSIGNMENT
    }


def submit(course: Path, released: NotebookNode, student: str, answers: Answers) -> None:
    """Hand the assignment in, as the student has filled it in."""
    notebook = copy.deepcopy(released)
    for cell in notebook.cells:
        held = exercise_in(cell)
        exercise = next((one for one in EXERCISES if one.id == held), None)
        if cell.cell_type == "code" and exercise is not None and exercise.id in answers:
            cell.source = code_source(exercise, answers[exercise.id])
    place = course / "submitted" / student / ASSIGNMENT
    place.mkdir(parents=True)
    nbformat.write(notebook, place / f"{ASSIGNMENT}.ipynb")


@pytest.mark.classroom
def test_students_get_starters_and_no_solutions(released: NotebookNode) -> None:
    text = "\n".join(cell.source for cell in released.cells)
    for exercise in EXERCISES:
        assert code_source(exercise, exercise.starter) in text
        assert exercise.solutions[0].strip() not in text
    assert "SOLUTION" not in text
    assert "HIDDEN" not in text
    assert "grade(" not in text
    assert "## For teachers" not in text


@pytest.mark.classroom
@pytest.mark.parametrize("student", submissions())
def test_a_submission_gets_its_points(student: str, grades: dict[str, tuple[float, float]]) -> None:
    _, points = submissions()[student]
    assert grades[student] == (points, len(EXERCISES))


@pytest.mark.classroom
def test_feedback_follows_answers(course: Path, grades: dict[str, tuple[float, float]]) -> None:
    nbgrader(course, "generate_feedback", ASSIGNMENT)

    def feedback(student: str) -> str:
        path = course / "feedback" / student / ASSIGNMENT / f"{ASSIGNMENT}.html"
        return path.read_text(encoding="utf-8")

    assert "one side of the diamond" in feedback("wrong")
    assert "ran too long" in feedback("looping")
    assert "I give up" in feedback("crashing")
    assert "This cell ended Python itself" in feedback("crashing")
    assert "one side of the diamond" not in feedback("right")
