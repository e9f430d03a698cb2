"""What a run leaves for spreadsheets and programs: tables, in which no text does any harm."""

import csv
import errno
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from minigrad.classroom.assignment import Assignment
from minigrad.classroom.grades import NOT_LOOKED_AT
from minigrad.classroom.lms import Roster
from minigrad.classroom.store import Graded
from minigrad.exercises.misconceptions import MISCONCEPTIONS

LONGEST = 20_100  # characters of a text; a spreadsheet's field takes 32,767
# Control characters, halves of letters, and what turns the direction of writing.
_ODD = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_FORMULA = re.compile(r"""(^|;)([\s"']*[=+\-@＝＋－＠])""")
_REMARKS = ("misconceptions", "problem", "note", "incidents", "seconds", "notebook")
_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)

Row = dict[str, Any]


@dataclass(frozen=True)
class Report:
    """One line of the table, one page: whose submission, and what came of it."""

    student: str
    notebook: str
    graded: Graded
    note: str | None = None


def data(report: Report, assignment: Assignment) -> Row:
    """A report as plain data, for programs."""
    grade = report.graded.grade
    outcomes = {one.exercise: one.outcome for one in grade.exercises}
    return {
        "student": plain(report.student),
        "assignment": assignment.name,
        "score": grade.points,
        "max_score": grade.max_points,
        "exercises": {one: outcomes.get(one, NOT_LOOKED_AT) for one in assignment.exercises},
        "misconceptions": {
            one.exercise: one.misconception for one in grade.exercises if one.misconception
        },
        "problem": grade.problem and plain(grade.problem),
        "note": report.note and plain(report.note),
        "incidents": [plain(one) for one in grade.incidents],
        "seconds": grade.seconds,
        "notebook": plain(report.notebook),
    }


def plain(text: str, most: int = LONGEST) -> str:
    """The text, cut to that length, in which what can't be stored or misleads the eye is spelled.

    >>> plain("a\\x00b\\u202ec")
    'a\\\\x00b\\\\u202ec'
    """
    if len(text) > most:
        text = f"{text[:most]}… ({len(text):,} characters in all)"
    return _ODD.sub(lambda found: ascii(found[0])[1:-1], text)


def harmless(text: str) -> str:
    """The text of a field in which no spreadsheet sees a formula, in one line.

    Nor does one that ends a field at a semicolon.

    >>> harmless("=HYPERLINK(1)")
    "'=HYPERLINK(1)"
    >>> harmless("a;=HYPERLINK(1)")
    "a;'=HYPERLINK(1)"
    """
    return _FORMULA.sub(r"\1'\2", " ".join(plain(text).split()))


def number(points: float) -> str:
    """Points as they are written.

    >>> number(2.0), number(0.5)
    ('2', '0.5')
    """
    return f"{points:.10g}"


def not_written(report: Report, error: Exception) -> Report:
    """A report whose page or line in the gradebook can't be written; raises what stops them all."""
    if isinstance(error, OSError) and error.errno in _DISK:
        raise error
    kind = type(error).__name__
    problem = f"It was graded, but its page or gradebook can't be written: {kind}: {error}"
    grade = replace(report.graded.grade, problem=problem)
    return replace(report, graded=replace(report.graded, grade=grade))


@contextmanager
def replacement(path: Path) -> Iterator[Path]:
    """Where to write a file that takes the place of the one at ``path`` once it is whole."""
    part = path.with_name(path.name + ".part")
    yield part
    os.replace(part, path)


def write_table(path: Path, rows: Iterable[Iterable[object]]) -> None:
    """A CSV file as spreadsheets and LMSs read it: quoted, in UTF-8 with its mark."""
    with (
        replacement(path) as part,
        part.open("w", encoding="utf-8-sig", newline="") as file,
    ):
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        for row in rows:
            writer.writerow(
                [number(one) if type(one) is float else harmless(str(one)) for one in row]
            )


def grades_table(rows: list[Row], assignment: Assignment) -> Iterator[list[object]]:
    """For the teacher: all that is known of each submission."""
    yield ["student", "assignment", "score", "max_score", *assignment.exercises, *_REMARKS]
    for row in rows:
        shown = [
            f"{exercise}: {number} ({MISCONCEPTIONS[number].name})"
            for exercise, number in row["misconceptions"].items()
        ]
        yield [
            *(row["student"], row["assignment"], float(row["score"]), float(row["max_score"])),
            *row["exercises"].values(),
            *("; ".join(shown), row["problem"] or "", row["note"] or ""),
            *("; ".join(row["incidents"]), f"{row['seconds']:.2f}", row["notebook"]),
        ]


def lms_tables(
    roster: Roster, scores: dict[str, tuple[float, float]], assignment: Assignment
) -> Iterator[tuple[str, list[list[object]]]]:
    """For the gradebooks of an LMS: which one, and its rows; no score for who handed in nothing."""
    most = max((most for _, most in scores.values()), default=float(len(assignment.exercises)))
    for lms, columns, title in roster.for_lms(assignment.name):
        rows: list[list[object]] = [[*columns, title]]
        if lms == "canvas":
            rows.append(["Points Possible", *[""] * (len(columns) - 1), float(most)])
        for student, row in roster.rows.items():
            given = [row.get(column, "") for column in columns]
            score = float(scores[student][0]) if student in scores else ""
            rows.append([*given, score])
        yield lms, rows
