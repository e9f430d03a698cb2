"""The table and the pages of feedback: what is in them, and that students cannot break them."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from minigrad import cli
from minigrad.classroom.assignment import Assignment, assignment
from minigrad.classroom.grades import ExerciseGrade, Grade
from minigrad.classroom.reading import parse
from minigrad.classroom.reports import Report, data, grades_table, harmless, write_table
from minigrad.classroom.store import Cell, Graded, Store
from minigrad.classroom.task import cells_of
from minigrad.exercises.exercise import find
from tests.classroom import synthetic
from tests.classroom.running import rows

EVIL = '</pre><script>alert(1)</script><img src=x onerror="alert(2)">&lt;'


@pytest.fixture(scope="module")
def lesson() -> Assignment:
    return assignment("04", cli.packaged_lessons())


def report(lesson: Assignment, student: str = "ada", text: str = "Look again.") -> Report:
    first, *others = lesson.exercises
    exercises = (
        ExerciseGrade(first, "not yet", text, 5),
        *(ExerciseGrade(one, "right", "", points=1) for one in others),
    )
    cells = (Cell("code", f"a_grad = 4  # {text}", first), Cell("text", f"My note: {text}"))
    grade = Grade("04", exercises, f"Odd: {text}", (f"tried {text}",), 2.0)
    return Report(student, f"{student}.ipynb", Graded(grade, cells))


class Tags(HTMLParser):
    """The names of a page's elements, its attributes' names, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.classroom
def test_a_page_says_what_is_right_and_then_what_to_do(lesson: Assignment) -> None:
    from minigrad.classroom.pages import feedback

    page = feedback(report(lesson), lesson)
    text = Tags(page).text
    for expected in ("✓ Which one collects?: right", "→ not yet", "Look again.", "My note"):
        assert expected in text
    assert text.index("What is right") < text.index("What to do next")
    assert f"{len(lesson.exercises) - 1} of {len(lesson.exercises)} points" in text
    assert "tried" not in text  # that is for the teacher
    assert text.count("Look again.") == 3  # answer, note, and the problem once
    assert "default-src 'none'" in page
    assert "http" not in page.replace("http-equiv", "")


@pytest.mark.classroom
def test_a_page_repeats_the_question_and_draws_the_graph_without_the_answer() -> None:
    from minigrad.classroom.pages import Class, feedback

    lesson = assignment("06", cli.packaged_lessons())
    by_hand = find("06_by_hand")
    told = ExerciseGrade(by_hand.id, "not yet", by_hand.slips[0].says)
    diamond = ExerciseGrade("04_diamond", "not yet", find("04_diamond").slips[0].says, 5)
    found = [told, diamond, ExerciseGrade(by_hand.id, "right", "", points=1, tried=3)]
    grades = [Grade("06", (one,)) for one in found]
    page = feedback(Report("ada", "", Graded(grades[0])), lesson)
    assert Tags(page).names.count("mtable") == 1  # a matrix
    assert "pmatrix" not in page
    page = feedback(Report("ada", "", Graded(grades[1])), lesson)
    (drawn,) = re.findall(r'alt="([^"]*)"', page)
    assert "a: leaf, float32 [] = 2, grad None" in drawn
    students = Class(Assignment("06_x", (by_hand.id, "04_diamond"), frozenset(), ""))
    for grade in grades:
        students.add(grade)
    text = Tags(students.page(["Zoë <b>"])).text
    assert re.search(r"J times v\s+1 of 3 students", text)
    assert re.search(r"no order and no sum are needed\s+1 of 3 students", text)
    assert f"{by_hand.title}\n0\n1\n" in text  # right at first, and in the end
    assert "Zoë <b>" in text


@pytest.mark.classroom
def test_students_write_text_and_never_markup(lesson: Assignment) -> None:
    from minigrad.classroom.pages import feedback

    page = Tags(feedback(report(lesson, student=EVIL, text=EVIL), lesson))
    plain = Tags(feedback(report(lesson), lesson))
    assert page.names == plain.names
    assert page.attributes == plain.attributes
    assert page.text.count(EVIL) == 5  # title, lead, message, answer, note


def test_the_table(lesson: Assignment, tmp_path: Path) -> None:
    reports = [report(lesson), report(lesson, student='=HYPERLINK("x")', text="@a\nb")]
    told = [data(one, lesson) for one in reports]
    write_table(tmp_path / "grades.csv", grades_table(told, lesson))
    ada, other = rows(tmp_path / "grades.csv")
    assert ada["student"] == "ada"
    most = len(lesson.exercises)
    assert (ada["score"], ada["max_score"]) == (str(most - 1), str(most))
    assert ada[lesson.exercises[0]] == "not yet"
    assert ada["misconceptions"] == f"{lesson.exercises[0]}: 5 (no order and no sum are needed)"
    assert ada["incidents"] == "tried Look again."
    assert other["student"] == '\'=HYPERLINK("x")'
    assert other["problem"] == "Odd: @a b"


def test_the_students_own_cells_are_kept(lesson: Assignment) -> None:
    notebook = synthetic.Lesson(lesson.name).filled_in({"04_diamond": "a_grad = 12"}, seed=7)
    cells = cells_of(parse(notebook), lesson)
    assert [cell.exercise for cell in cells if cell.kind == "code"] == list(lesson.exercises)
    (answer,) = (cell.source for cell in cells if cell.exercise == "04_diamond")
    assert "a_grad = 12" in answer
    assert [cell.source for cell in cells if cell.kind == "text"] == ["My note, 7."]


def test_an_answer_is_known_by_its_first_line_too(lesson: Assignment) -> None:
    notebook = json.loads(synthetic.Lesson(lesson.name).filled_in({}, seed=7))
    for cell in notebook["cells"]:
        cell["metadata"] = {}
    cells = cells_of(parse(json.dumps(notebook).encode()), lesson)
    assert [cell.exercise for cell in cells if cell.kind == "code"] == list(lesson.exercises)


@pytest.mark.classroom
def test_only_notebooks_of_nbgraders_are_given_back_to_it(lesson: Assignment) -> None:
    from minigrad.classroom.autograded import autograded

    notebook = parse(synthetic.Lesson(lesson.name).filled_in({}, seed=1))
    graded = replace(report(lesson).graded, cells=cells_of(notebook, lesson))
    assert autograded(graded, lesson) is None


# What a text may hold, and what a spreadsheet, a page, a database and a terminal may make of it.
ODD = [
    "\ud800",
    "a\0b",
    "\u202egnp.exe",
    "\x1b[2J",
    "\x9b2J",
    "\r\n-1",
    "x" * 10**7,
    EVIL,
    "\uffff",
]


@pytest.mark.classroom
@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_every_output_accepts_any_text(lesson: Assignment, tmp_path: Path, text: str) -> None:
    from minigrad.classroom.autograded import autograded
    from minigrad.classroom.gradebook import course_directory, gradebook
    from minigrad.classroom.pages import feedback

    odd = report(lesson, student=text, text=text)
    cells = tuple(Cell("code", text, grade_id=one, given=True) for one in lesson.grade_ids)
    with Store(tmp_path / "store") as store:
        store.put("key", odd.graded)
        assert store.get("key") == odd.graded
    told = [data(one, lesson) for one in (odd, report(lesson, "next"))]
    write_table(tmp_path / "grades.csv", grades_table(told, lesson))
    with gradebook(course_directory(tmp_path), lesson) as book:
        book.save("ada", odd.graded.grade)
    marked = autograded(replace(odd.graded, cells=cells), lesson)
    written = (tmp_path / "grades.csv").read_text(encoding="utf-8")
    for output in (written, feedback(odd, lesson), str(marked), json.dumps(data(odd, lesson))):
        assert len(output.encode()) < 10**6
        assert not set(output) & set("\0\x1b\x9b\u202e\uffff")
    assert [row["student"] for row in rows(tmp_path / "grades.csv")][1:] == ["next"]


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t=", "\r=", " =", "＝", '"=', "'="])
@pytest.mark.parametrize("before", ["", "Zoë;", "a; "])
def test_no_field_begins_a_formula_in_any_locale(begin: str, before: str) -> None:
    for field in harmless(f"{before}{begin}HYPERLINK(1)").split(";"):
        assert field.strip(' "')[:1] not in ("=", "+", "-", "@", "＝")
