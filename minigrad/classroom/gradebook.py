"""Writes scores into nbgrader's gradebook, by nbgrader's own means."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from nbgrader import api
from nbgrader.coursedir import CourseDirectory
from traitlets.config.loader import Config, ConfigFileNotFound, PyFileConfigLoader

from minigrad.classroom.assignment import Assignment, cell_of
from minigrad.classroom.course import POINTS
from minigrad.classroom.grades import ExerciseGrade, Grade
from minigrad.classroom.reports import plain
from minigrad.exercises.result import NOT_ATTEMPTED

COURSE = "minigrad"
# nbgrader's own words.
NO_RESPONSE = "No response."


def course_directory(folder: Path) -> CourseDirectory:
    """nbgrader's view of the folder: as its ``nbgrader_config.py`` says, if it has one."""
    try:
        config = PyFileConfigLoader("nbgrader_config.py", path=str(folder)).load_config()
    except ConfigFileNotFound:
        config = Config()
    given = config.CourseDirectory
    if "root" not in given:
        given.root = str(folder.resolve())
    if "course_id" not in given:
        given.course_id = COURSE
    return CourseDirectory(config=config)


class Gradebook:
    """A gradebook with this assignment in it, added as `nbgrader generate_assignment` would.

    What is there already is left alone: the assignment and its points, students' names, manual
    scores, extra credit and comments. Only what nbgrader's autograder would write is written.
    """

    def __init__(self, book: api.Gradebook, assignment: Assignment) -> None:
        self._book = book
        self._name = name = assignment.name
        try:
            book.find_notebook(name, name)
        except api.MissingEntry:
            book.update_or_create_assignment(name)
            book.add_notebook(name, name)
            for exercise in assignment.exercises:
                book.add_grade_cell(
                    cell_of(exercise), name, name, max_score=POINTS, cell_type="code"
                )
                book.add_solution_cell(exercise, name, name)

    def save(self, student: str, grade: Grade) -> Grade:
        """Write down what a student has earned; doing it twice changes nothing.

        The grade with the points that are in the gradebook then: by weights, and by hand.
        """
        try:
            return self._save(student, grade)
        except Exception:
            self._book.db.rollback()
            raise

    def _save(self, student: str, grade: Grade) -> Grade:
        book, name = self._book, self._name
        book.update_or_create_student(student)
        with book.db.no_autoflush:  # which warns of what nbgrader does there
            submission = book.update_or_create_submission(name, student)
        (notebook,) = [one for one in submission.notebooks if one.name == name]
        scores = {one.name: one for one in notebook.grades}
        comments = {one.name: one for one in notebook.comments}
        for exercise in grade.exercises:
            if (score := scores.get(cell_of(exercise.exercise))) is not None:
                score.auto_score = score.max_score * exercise.points / exercise.max_points
                score.needs_manual_grade = score.manual_score is not None
            if (comment := comments.get(exercise.exercise)) is not None:
                comment.auto_comment = _comment(exercise)
        book.db.commit()
        exercises = tuple(
            _in_book(one, scores.get(cell_of(one.exercise))) for one in grade.exercises
        )
        score = max(0.0, submission.score - submission.late_submission_penalty)  # as it's exported
        return replace(grade, exercises=exercises, total=(score, submission.max_score))


def _in_book(exercise: ExerciseGrade, score: Any) -> ExerciseGrade:
    if score is None:
        return exercise
    return replace(exercise, points=score.score, max_points=score.max_score)


def _comment(exercise: ExerciseGrade) -> str | None:
    if exercise.outcome == NOT_ATTEMPTED:
        return NO_RESPONSE
    return None if exercise.right else plain(exercise.message)


@contextmanager
def gradebook(course: CourseDirectory, assignment: Assignment) -> Iterator[Gradebook]:
    """The course's gradebook, which is made if there is none."""
    # To make one nbgrader calls alembic, by name, which lies beside this Python.
    programs = Path(sys.executable).parent
    os.environ["PATH"] = f"{programs}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    with api.Gradebook(course.db_url, course.course_id) as book:
        yield Gradebook(book, assignment)
