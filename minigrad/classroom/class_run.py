"""minigrad grade: all submissions of a lesson, from a folder to grades, gradebook and feedback.

What is graded is kept at once, under a key made of what it is: a run that is stopped, in whatever
way, goes on where it was.
"""

import difflib
import functools
import hashlib
import json
import sys
from collections.abc import Container, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from minigrad.classroom.discovery import (
    File,
    Submission,
    find_submissions,
    is_course,
    shown,
    submitted,
)
from minigrad.classroom.errors import CannotGrade
from minigrad.classroom.library import private_folder
from minigrad.classroom.lms import Roster, read_roster
from minigrad.classroom.progress import bar
from minigrad.classroom.protection import Unprotected, find_protection
from minigrad.classroom.reading import NotRead, Refused
from minigrad.classroom.run import Order, Run
from minigrad.classroom.store import Graded, Store, StoreError
from minigrad.classroom.task import LIMITS, grade_bytes

if TYPE_CHECKING:
    from minigrad.classroom.distributing import Result
    from minigrad.classroom.reports import Row

STORE = ".minigrad-results.sqlite"
WRITTEN = "written"
MOST_NAMED = 20
CHANGED = "The notebook was changed while it was being graded. Run the command again."
TWICE = "It was graded twice, the second time alone, and used too much CPU time both times."
WAITED = "It took too long twice, without using much CPU time. This isn't final."


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
    roster = read_roster(order.roster) if order.roster else Roster()
    run = Run(order, _found(order, roster), roster)
    _refuse_unknown(run)
    if order.output.resolve().is_relative_to(submitted(order.folder).resolve()):
        raise CannotGrade(f"{order.output} lies among the submissions. Choose another --output.")
    try:
        if order.dry:
            return _foretell(run)
        if order.network:
            order.network.security()
        elif not order.unprotected:
            find_protection()
        order.output.mkdir(parents=True, exist_ok=True)
        with Store(order.output / STORE) as store:
            _grade(run, store, _look_at(run, store))
            rows = _written(run, store)
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


def _found(order: Order, roster: Roster) -> list[Submission]:
    folder, name = order.folder, order.assignment.name
    try:
        found = find_submissions(folder, order.assignment, LIMITS.notebook, roster)
    except OSError as error:
        raise CannotGrade(f"cannot read {folder}: {error.strerror}") from error
    if not any(submission.filed for submission in found):
        for submission in found:
            print(f"{shown(submission.student)}: {submission.problem}", file=sys.stderr)
        raise CannotGrade(
            f"nothing of lesson {name} in {folder}. Submissions are found there as\n"
            f"    STUDENT/{name}/{name}.ipynb    (nbgrader's)\n"
            "    STUDENT.ipynb, STUDENT.zip or STUDENT/….ipynb\n"
            "    and as Canvas and Moodle name them"
        )
    return found


def _refuse_unknown(run: Run) -> None:
    there = [one.student for one in run.submissions]
    for student in set(run.order.only).difference(there):
        alike = difflib.get_close_matches(student, there, n=3, cutoff=0.3)
        meant = f" Did you mean {' or '.join(map(shown, alike))}?" if alike else ""
        raise CannotGrade(f"nothing was handed in by {shown(student)}.{meant}")


def _look_at(run: Run, store: Container[str]) -> dict[str, File]:
    """Note the key of each submission; those that are to be graded, each content once."""
    order, waiting = run.order, dict[str, File]()
    for submission in run.submissions:
        if submission.notebook is None:
            continue
        try:
            content = submission.notebook.content(LIMITS.notebook)
        except (Refused, NotRead) as reason:
            run.problems[submission.student] = str(reason)
            continue
        key = run.keys[submission.student] = order.key(content)
        asked = not order.only or submission.student in order.only
        if asked and (order.again or key not in store):
            waiting.setdefault(key, submission.notebook)
    return waiting


def _foretell(run: Run) -> bool:
    """Say what would be done, and do nothing; whether nothing needs a look."""
    path = run.order.output / STORE
    with ExitStack() as stack:
        store: Container[str] = stack.enter_context(Store(path)) if path.exists() else ()
        waiting = _look_at(run, store)
        for one in run.submissions:
            said = run.problems.get(one.student, one.problem)
            if said is None and one.notebook:
                key = run.keys[one.student]
                fate = "to grade" if key in waiting else "graded" if key in store else "left out"
                said = f"{fate}: {shown(one.notebook.place)}"
            print(f"{shown(one.student)}: {' '.join(filter(None, (said, one.note)))}")
    _say("Not handed in", map(shown, run.missing))
    print(f"{len(waiting):,} to grade. This was a dry run: nothing was written.")
    return not (run.problems or any(one.problem or one.note for one in run.submissions))


def _grade(run: Run, store: Store, waiting: dict[str, File]) -> None:
    """Have all that waits graded, and keep each result at once.

    What lost its worker or ran out of time is graded again at the end, while nothing else is.
    """
    if not waiting:
        return
    from minigrad.classroom import distributing  # Dask takes its time

    order = run.order
    done = sum(key in store for key in set(run.keys.values()) - waiting.keys())
    each = functools.partial(
        grade_bytes, assignment=order.assignment, unprotected=order.unprotected
    )
    with (
        bar(f"Grading {order.assignment.name}", done + len(waiting), done) as progress,
        private_folder() as folder,
        distributing.cluster(order.network, order.workers, folder) as client,
    ):
        for result in distributing.distribute(client, _contents(run, waiting), each):
            progress.update(keep(run, store, result, alone=False))
        again = {key: waiting[key] for key in run.open}
        for result in distributing.distribute(client, _contents(run, again), each, most=1):
            keep(run, store, result, alone=True)
            progress.update()


def keep(run: Run, store: Store, result: "Result", alone: bool) -> bool:
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


def _written(run: Run, store: Store) -> list["Row"]:
    """Write everything down, unless nothing has changed since it was; the rows of the table."""
    order = run.order
    if not (run.open or order.again) and order.file("grades", "csv").exists():
        state, _, rows = store.note(WRITTEN).partition("\n")
        if state == _state(run, store):
            written: list[Row] = json.loads(rows)
            return written
    from minigrad.classroom import results  # nbgrader takes its time

    written = results.write(run, store)
    store.put_note(WRITTEN, f"{_state(run, store)}\n{json.dumps(written)}")
    return written


def _state(run: Run, store: Store) -> str | None:
    """What the files are made of: the same for the same; None if that can't be told."""
    order = run.order
    book, config = (order.output / name for name in ("gradebook.db", "nbgrader_config.py"))
    if not book.exists():  # it's where the configuration says
        return None
    made_of = (
        [(one, run.keys.get(one.student), run.later(one, store)) for one in run.submissions],
        (run.problems, run.roster, order.attempts, order.assignment.edition),
        (book.stat().st_mtime_ns, config.exists() and config.read_bytes()),
    )
    return hashlib.sha256(repr(made_of).encode(errors="surrogatepass")).hexdigest()


def _report(run: Run, rows: list["Row"]) -> None:
    """Say how it went, and where everything is."""
    order = run.order
    name = order.assignment.name
    if order.json:
        told = {"assignment": name, "output": str(order.output), "submissions": rows}
        print(json.dumps(told | {"missing": run.missing}))
        return
    print(f"{len(rows):,} submissions of {name} graded, in {order.output}:")
    print(f"  class-{name}.html, grades-{name}.csv, gradebook.db, feedback-{name}.zip")
    _say("Not handed in", map(shown, run.missing))
    for key, what in (("problem", "With a problem"), ("note", "To look at")):
        _say(what, [f"{shown(row['student'])}: {row[key]}" for row in rows if row[key]])
    if run.open:
        print("To try again what could not be graded, run the same command again.")


def _say(what: str, said: Iterable[str]) -> None:
    lines = list(said)
    if lines:
        print(f"{what}, {len(lines):,}:")
        print("".join(f"  {line}\n" for line in lines[:MOST_NAMED]), end="")
    if len(lines) > MOST_NAMED:
        print(f"  … and {len(lines) - MOST_NAMED:,} more")
