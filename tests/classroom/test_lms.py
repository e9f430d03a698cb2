"""What an LMS calls students and uploads, and tables that its gradebook can import."""

import csv
from pathlib import Path

import pytest

from minigrad import cli
from minigrad.classroom.assignment import assignment
from minigrad.classroom.errors import CannotGrade
from minigrad.classroom.lms import Roster, read_roster, upload
from minigrad.classroom.reports import lms_tables, write_table

LESSON = assignment("04", cli.packaged_lessons())
CANVAS = f"""\
Student,ID,SIS User ID,SIS Login ID,Section,Essay (7),{LESSON.name} (881)
    Points Possible,,,,,10,5
"Lovelace, Ada",12,s1,ada@x.org,A,9,
"=cmd|' /C calc'!A0",13,s2,bob@x.org,A,8,
"Student, Test",99,,,A,,
"""
MOODLE = """\
First name;Last name;ID number;Email address
Ada;Lovelace;s1;ada@x.org
Carl Friedrich;Gauß;s3;carl@x.org
"""


def roster(tmp_path: Path, text: str) -> Roster:
    path = tmp_path / "roster.csv"
    path.write_text(text, encoding="utf-8-sig")
    return read_roster(path)


def canvas_imports(path: Path) -> dict[str, str]:
    """The scores by ID, read as the guide "How do I import grades in the Gradebook?" says.

    The columns before the assignments have fixed names, a second row may hold the points that are
    possible, an assignment is known by its name and ID, and an empty field changes nothing.
    """
    with path.open(encoding="utf-8-sig", newline="") as file:
        header, *lines = csv.reader(file, strict=True)
    assert header[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    assert header[5:] == [f"{LESSON.name} (881)"]
    assert all(len(line) == len(header) for line in lines)
    assert lines[0][0].strip().lower() == "points possible"
    assert float(lines[0][5]) == 8
    return {line[1]: line[5] for line in lines[1:] if line[5]}


def moodle_imports(path: Path) -> dict[str, float]:
    """The scores by email address, read as docs.moodle.org/en/Grade_import says.

    The first row names the columns; the teacher says which one holds whose grade.
    """
    with path.open(encoding="utf-8-sig", newline="") as file:
        lines = list(csv.DictReader(file, strict=True))
    return {line["Email address"]: float(line[LESSON.name]) for line in lines if line[LESSON.name]}


@pytest.mark.parametrize(
    ("name", "student", "file", "late"),
    [
        ("lovelaceada_12_500_hw.ipynb", "lovelaceada", "hw.ipynb", False),
        ("lovelaceada_LATE_12_500_04_x-2.ipynb", "lovelaceada", "04_x.ipynb", True),
        ("Ada Lovelace_12_assignsubmission_file_", "Ada Lovelace", "", False),
        ("Ada Lovelace_12_assignsubmission_file_04_x.ipynb", "Ada Lovelace", "04_x.ipynb", False),
        ("ada_12.ipynb", "?", "", False),
    ],
)
def test_a_name_says_whose_it_is(name: str, student: str, file: str, late: bool) -> None:
    said = upload(name, "?")
    assert (said.student, said.file, said.late) == (student, file, late)


@pytest.mark.parametrize(
    ("text", "names", "student"),
    [
        (
            CANVAS,
            ["lovelaceada_12_500_hw.ipynb", "ADA@x.org", "Ada Lovelace", "s1"],
            "Lovelace, Ada",
        ),
        (MOODLE, ["gausscarlfriedrich_1_2_a.ipynb", "Carl Friedrich Gauß"], "Carl Friedrich Gauß"),
        ("id,last_name,email\nzoe,Ó Briain,z@x.org\n", ["zoe", "O Briain"], "zoe"),
        ("name,group\n../a\u202enn,red\n", ["Red"], "-a-nn"),
        ("Identifier,Full name\nParticipant 7,Zoë\n", ["X_7_assignsubmission_file_"], "Zoë"),
    ],
)
def test_a_roster_knows_students(text: str, names: list[str], student: str, tmp_path: Path) -> None:
    known = roster(tmp_path, text)
    assert student in known.rows
    assert [known.students(upload(name, name)) for name in names] == [(student,)] * len(names)


def test_a_name_of_two_is_nobodys_but_a_group_is_all_of_them(tmp_path: Path) -> None:
    known = roster(tmp_path, "id,email,group\nann,x@x,red\nbob,x@x,red\n")
    assert known.students(upload("x@x", "x@x")) == ()
    assert known.students(upload("red", "red")) == ("ann", "bob")


@pytest.mark.parametrize(
    ("text", "said"),
    [("id\n", "no student"), ("id\nann\nann\n", "two students 'ann'"), ("", "no student")],
)
def test_a_roster_that_is_none_is_refused(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(CannotGrade, match=said):
        roster(tmp_path, text)
    with pytest.raises(CannotGrade, match="cannot read the roster"):
        read_roster(tmp_path)


def test_the_gradebooks_import_the_scores(tmp_path: Path) -> None:
    known = roster(tmp_path, CANVAS)
    bob = list(known.rows)[1]
    scores = {"Lovelace, Ada": (2.5, 8.0)}
    ((lms, lines),) = lms_tables(known, scores, LESSON)
    write_table(tmp_path / "canvas.csv", lines)
    assert lms == "canvas"
    assert canvas_imports(tmp_path / "canvas.csv") == {"12": "2.5"}
    assert bob.startswith("=")
    assert "\"'=cmd" in (tmp_path / "canvas.csv").read_text(encoding="utf-8-sig")
    ((lms, lines),) = lms_tables(roster(tmp_path, MOODLE), {"Ada Lovelace": (0.0, 8.0)}, LESSON)
    write_table(tmp_path / "moodle.csv", lines)
    assert lms == "moodle"
    assert moodle_imports(tmp_path / "moodle.csv") == {"ada@x.org": 0}
