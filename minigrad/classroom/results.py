"""Writes down what came of a run: tables, nbgrader's gradebook, pages, and pages to return."""

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from nbgrader.coursedir import CourseDirectory

from minigrad.classroom import pages, reports
from minigrad.classroom.assignment import Assignment
from minigrad.classroom.autograded import autograded
from minigrad.classroom.discovery import submitted
from minigrad.classroom.gradebook import Gradebook, course_directory, gradebook
from minigrad.classroom.progress import bar
from minigrad.classroom.run import Run
from minigrad.classroom.store import Store


def write(run: Run, store: Store) -> list[reports.Row]:
    """All files, from what is kept; the rows of the table."""
    order, assignment, scores = run.order, run.order.assignment, {}
    course = course_directory(order.output)
    rows, whole = [], pages.Class(assignment)
    with (
        gradebook(course, assignment) as book,
        _zipped(order.file("feedback", "zip")) as returned,
        bar("Writing gradebook and feedback", len(run.submissions)) as progress,
    ):
        for submission in run.submissions:
            graded, notebook = run.graded(submission, store), submission.notebook
            place = notebook.within(submitted(order.folder)) if notebook else ""
            report = reports.Report(submission.student, place, graded, submission.note)
            if submission.filed and not run.later(submission, store):
                name = f"{submission.returned}{assignment.name}.html"
                try:
                    report, page = _file(report, assignment, course, book)
                    if name not in returned.namelist():  # a group's has one
                        returned.writestr(name, page)
                except Exception as error:
                    report = reports.not_written(report, error)
                grade = report.graded.grade
                scores[submission.student] = grade.points, grade.max_points
                whole.add(grade)
            rows.append(reports.data(report, assignment))
            progress.update()
    reports.write_table(order.file("grades", "csv"), reports.grades_table(rows, assignment))
    for lms, lines in reports.lms_tables(run.roster, scores, assignment):
        reports.write_table(order.file(lms, "csv"), lines)
    _write_whole(order.file("class", "html"), whole.page(run.missing))
    return rows


def _file(
    report: reports.Report,
    assignment: Assignment,
    course: CourseDirectory,
    book: Gradebook,
) -> tuple[reports.Report, str]:
    """A student's line in the gradebook, page and marked notebook; the report with its points."""
    student, name = report.student, assignment.name
    grade = book.save(student, report.graded.grade)
    report = replace(report, graded=replace(report.graded, grade=grade))
    page = pages.feedback(report, assignment)
    _write_whole(_place(course, "feedback", student, name, "html"), page)
    marked = autograded(report.graded, assignment)
    if marked is not None:
        _write_whole(_place(course, "autograded", student, name, "ipynb"), marked)
    return report, page


def _place(course: CourseDirectory, step: str, student: str, name: str, kind: str) -> Path:
    """Where nbgrader keeps such a file of a student's."""
    folder = course.format_path(getattr(course, f"{step}_directory"), student, name)
    return Path(folder) / f"{name}.{kind}"


def _write_whole(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with reports.replacement(path) as part:
        part.write_text(text, encoding="utf-8")


@contextmanager
def _zipped(path: Path) -> Iterator[zipfile.ZipFile]:
    """A zip file, there once it is whole."""
    with (
        reports.replacement(path) as part,
        zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        yield archive
