"""minigrad grade: all submissions of a lesson, from a folder to grades, gradebook and feedback.

What is graded is kept at once, under a key made of what it is: a run that is stopped, in whatever
way, goes on where it was.
"""

import functools
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nbgrader.coursedir import CourseDirectory
from tqdm import tqdm

from minigrad.classroom import distributing, reports
from minigrad.classroom.assignment import Assignment
from minigrad.classroom.autograded import autograded
from minigrad.classroom.discovery import (
    File,
    Submission,
    find_submissions,
    is_course,
    shown,
    submitted,
)
from minigrad.classroom.errors import CannotGrade
from minigrad.classroom.gradebook import Gradebook, course_directory, gradebook
from minigrad.classroom.grades import ungraded
from minigrad.classroom.library import private_folder
from minigrad.classroom.protection import Unprotected, find_protection
from minigrad.classroom.reading import NotRead, Refused
from minigrad.classroom.store import Graded, Store, StoreError
from minigrad.classroom.task import LIMITS, grade_bytes
from minigrad.exercises.exercise import find

STORE = ".minigrad-results.sqlite"
TABLE = "grades-{}.csv"
MOST_NAMED = 20
CHANGED = "The notebook was changed while it was being graded. Run the command again."
TWICE = "It was graded twice, the second time alone, and used too much CPU time both times."
WAITED = "It took too long twice, without using much CPU time. This isn't final."


@dataclass(frozen=True)
class Order:
    """What is asked for.

    folder: where the submissions are. output: where the results go. network: a cluster of other
    machines. workers: of this machine's own, if there is none; one for each core if None.
    attempts: how many different answers to an exercise may earn its point; any number if None.
    """

    folder: Path
    assignment: Assignment
    output: Path
    network: distributing.Network | None = None
    workers: int | None = None
    unprotected: bool = False
    json: bool = False  # whether to say how it went in JSON
    attempts: int | None = None

    def key(self, notebook: bytes) -> str:
        """What the result is filed under; what was graded unprotected counts there alone."""
        return self.assignment.key(notebook) + ("-unprotected" if self.unprotected else "")


@dataclass
class Run:
    """What is known of each submission. keys: of those that can be read, by student.

    problems: by student; open: by key, what is known of those that the next run will try again.
    """

    order: Order
    submissions: list[Submission]
    keys: dict[str, str] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    open: dict[str, Graded] = field(default_factory=dict)

    def graded(self, submission: Submission, store: Store) -> Graded:
        """What came of it."""
        problem = submission.problem or self.problems.get(submission.student)
        if problem is not None:
            return self.without_grade(problem)
        key = self.keys[submission.student]
        graded = self.open[key] if key in self.open else store.get(key)
        return replace(graded, grade=graded.grade.within(self.order.attempts))

    def without_grade(self, problem: str) -> Graded:
        """A result that holds only the reason."""
        exercises = [find(one) for one in self.order.assignment.exercises]
        return Graded(ungraded(self.order.assignment.lesson, exercises, problem, final=False))


def default_output(submissions: Path, lesson: str) -> Path:
    """nbgrader's course if the submissions are in one, else a folder beside them."""
    for folder in (submissions, submissions.parent):
        if is_course(folder) and submitted(folder) in (submissions, submissions / "submitted"):
            return folder
    return submissions.with_name(f"{submissions.name}-graded-{lesson}")


def grade_class(order: Order) -> bool:
    """Grade what is not graded yet, and write everything down. CannotGrade says why not.

    Whether everything that was handed in is graded, and nothing needs a look.
    """
    found = _found(order)
    if order.output.resolve().is_relative_to(submitted(order.folder).resolve()):
        raise CannotGrade(f"{order.output} lies among the submissions. Choose another --output.")
    try:
        if not (order.unprotected or order.network):
            find_protection()
        if order.network:
            order.network.security()
        order.output.mkdir(parents=True, exist_ok=True)
        with Store(order.output / STORE) as store:
            run = Run(order, found)
            _grade(run, store, _look_at(run, store))
            rows = _write(run, store)
            _report(run, rows)
            return not any(row["problem"] or row["note"] for row in rows)
    except KeyboardInterrupt:
        kept = "What is graded is kept: run the same command again to go on."
        print(f"\nStopped. {kept}", file=sys.stderr)
        raise
    except Unprotected as error:
        raise CannotGrade(str(error)) from error
    except StoreError as error:
        raise CannotGrade(f"cannot grade into {order.output}: {error}") from error
    except OSError as error:
        raise CannotGrade(f"cannot write to {order.output}: {error}") from error


def _found(order: Order) -> list[Submission]:
    folder, name = order.folder, order.assignment.name
    try:
        found = find_submissions(folder, order.assignment, LIMITS.notebook)
    except OSError as error:
        raise CannotGrade(f"cannot read {folder}: {error.strerror}") from error
    if not any(submission.filed for submission in found):
        for submission in found:
            print(f"{shown(submission.student)}: {submission.problem}", file=sys.stderr)
        raise CannotGrade(
            f"nothing of lesson {name} in {folder}. Submissions are found there as\n"
            f"    STUDENT/{name}/{name}.ipynb    (nbgrader's)\n"
            "    STUDENT.ipynb, STUDENT.zip or STUDENT/….ipynb"
        )
    return found


def _look_at(run: Run, store: Store) -> dict[str, File]:
    """Note the key of each submission; those that are to be graded, each content once."""
    waiting: dict[str, File] = {}
    for submission in run.submissions:
        if submission.notebook is None:
            continue
        try:
            content = submission.notebook.content(LIMITS.notebook)
        except (Refused, NotRead) as reason:
            run.problems[submission.student] = str(reason)
            continue
        key = run.order.key(content)
        run.keys[submission.student] = key
        if key not in store:
            waiting.setdefault(key, submission.notebook)
    return waiting


def _grade(run: Run, store: Store, waiting: dict[str, File]) -> None:
    """Have all that waits graded, and keep each result at once.

    What lost its worker or ran out of time is graded again at the end, while nothing else is.
    """
    if not waiting:
        return
    order = run.order
    each = functools.partial(
        grade_bytes, assignment=order.assignment, unprotected=order.unprotected
    )
    with (
        private_folder() as folder,
        distributing.cluster(order.network, order.workers, folder) as client,
        _bar(f"Grading {order.assignment.name}", len(waiting)) as bar,
    ):
        for result in distributing.distribute(client, _contents(run, waiting), each):
            bar.update(keep(run, store, result, alone=False))
        again = {key: waiting[key] for key in run.open}
        for result in distributing.distribute(client, _contents(run, again), each, most=1):
            keep(run, store, result, alone=True)
            bar.update()


def keep(run: Run, store: Store, result: distributing.Result, alone: bool) -> bool:
    """Keep what is final, and say whether it is; what isn't will be graded again.

    alone: whether nothing else was graded at the same time, so that its CPU time tells of it.
    """
    key, graded = result.key, run.without_grade(result.problem)
    if result.answer is not None:
        graded = Graded.from_json(result.answer)
    grade = graded.grade
    if alone and grade.timeout:
        said = [grade.problem, TWICE if grade.timeout == "cpu" else WAITED]
        grade = replace(grade, problem=" ".join(filter(None, said)))
        graded = replace(graded, grade=grade)
    final = grade.final and (not grade.timeout or (alone and grade.timeout == "cpu"))
    if final:
        run.open.pop(key, None)
        store.put(key, graded)
    else:
        run.open[key] = graded
    return final


def _contents(run: Run, waiting: dict[str, File]) -> Iterator[tuple[str, bytes]]:
    for key, notebook in waiting.items():
        try:
            content = notebook.content(LIMITS.notebook)
        except (Refused, NotRead):
            content = b""
        if run.order.key(content) == key:
            yield key, content
        else:
            run.open[key] = run.without_grade(CHANGED)


def _write(run: Run, store: Store) -> list[dict[str, Any]]:
    """The table, the gradebook and the feedback, from what is kept; the rows of the table."""
    order = run.order
    name = order.assignment.name
    course = course_directory(order.output)
    rows = []
    with (
        reports.table(order.output / TABLE.format(name), order.assignment) as table,
        gradebook(course, order.assignment) as book,
        _bar("Writing gradebook and feedback", len(run.submissions)) as bar,
    ):
        for submission in run.submissions:
            graded, notebook = run.graded(submission, store), submission.notebook
            place = notebook.within(submitted(order.folder)) if notebook else ""
            report = reports.Report(submission.student, place, graded, submission.note)
            if submission.filed:
                try:
                    _file(report, order.assignment, course, book)
                except Exception as error:
                    report = reports.not_written(report, error)
            table.add(report)
            rows.append(reports.data(report, order.assignment))
            bar.update()
    return rows


def _file(
    report: reports.Report,
    assignment: Assignment,
    course: CourseDirectory,
    book: Gradebook,
) -> None:
    """A student's line in the gradebook, page and marked notebook."""
    student, name = report.student, assignment.name
    book.save(student, report.graded.grade)
    page = reports.feedback(report, assignment)
    _write_whole(_place(course, "feedback", student, name, "html"), page)
    marked = autograded(report.graded, assignment)
    if marked is not None:
        _write_whole(_place(course, "autograded", student, name, "ipynb"), marked)


def _place(course: CourseDirectory, step: str, student: str, name: str, kind: str) -> Path:
    """Where nbgrader keeps such a file of a student's."""
    folder = course.format_path(getattr(course, f"{step}_directory"), student, name)
    return Path(folder) / f"{name}.{kind}"


def _write_whole(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)


def _bar(what: str, total: int) -> "tqdm[None]":
    """With the rate and the time left; in a log, a line from time to time."""
    often = 0.2 if sys.stderr.isatty() else 30
    return tqdm(desc=what, total=total, unit=" submissions", mininterval=often, smoothing=0.05)


def _report(run: Run, rows: list[dict[str, Any]]) -> None:
    """Say how it went, and where everything is."""
    order = run.order
    name = order.assignment.name
    if order.json:
        print(json.dumps({"assignment": name, "output": str(order.output), "submissions": rows}))
        return
    print(f"{len(rows):,} submissions of {name} graded, in {order.output}:")
    print(f"  {TABLE.format(name)}, gradebook.db, feedback/STUDENT/{name}/{name}.html")
    for key, what in (("problem", "With a problem"), ("note", "To look at")):
        _say(what, [f"{shown(row['student'])}: {row[key]}" for row in rows if row[key]])
    if run.open:
        print("To try again what could not be graded, run the same command again.")


def _say(what: str, lines: list[str]) -> None:
    if lines:
        print(f"{what}, {len(lines):,}:")
        print("".join(f"  {line}\n" for line in lines[:MOST_NAMED]), end="")
    if len(lines) > MOST_NAMED:
        print(f"  … and {len(lines) - MOST_NAMED:,} more")
