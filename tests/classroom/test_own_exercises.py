"""A teacher's own exercises, as the guide declares one, join check, the builds and the grading."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from minigrad import cli
from minigrad.classroom.assignment import edition
from minigrad.classroom.grading import NotRight, grade
from minigrad.exercises import check
from minigrad.exercises.exercise import OWN, all_exercises, find
from tests.classroom.running import ROOT, graded, rows

GUIDE = (ROOT / "docs" / "teachers-guide.md").read_text(encoding="utf-8")
NAME = "30_my_lesson"
RIGHT = "def slope_at(x):\n    return x + x"
WRONG = "def slope_at(x):\n    return x ** 2"


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A teacher's folder, which is the current one: the exercise, and a notebook with it."""
    (declared,) = re.findall(r"```python\n(from minigrad.exercises.exercise.*?)```", GUIDE, re.S)
    (tmp_path / OWN).write_text(declared, encoding="utf-8")
    write(tmp_path / f"{NAME}.ipynb", "...")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, answer: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    cells = [
        new_markdown_cell("# My lesson"),
        new_code_cell("import minigrad as torch\nfrom minigrad.exercises import check"),
        new_code_cell(f"# exercise 30_square\n{answer}"),
        new_code_cell('check("30_square")'),
    ]
    path.write_text(json.dumps(new_notebook(cells=cells)), encoding="utf-8")


def verdict(code: str) -> str:
    namespace: dict[str, Any] = {"check": check, "grade": grade}
    exec(code, namespace)
    return repr(eval('check("30_square")', namespace))


def test_check_and_grade_know_it(mine: Path) -> None:
    assert find("30_square") in all_exercises()
    assert verdict(RIGHT) == "<30_square: right>"
    assert verdict(WRONG) == "<30_square: not yet>"
    exec(f"{RIGHT}\ngrade('30_square')", {"grade": grade})
    with pytest.raises(NotRight, match="You return the value"):
        exec(f"{WRONG}\ngrade('30_square')", {"grade": grade})


def test_the_builds_hold_it(mine: Path) -> None:
    for kind in ("student", "solved", "nbgrader"):
        assert cli.main([kind, kind]) == 0
        assert (mine / kind / OWN).read_bytes() == (mine / OWN).read_bytes()
    square = find("30_square")
    student = (mine / "student" / f"{NAME}.ipynb").read_text(encoding="utf-8")
    assert json.dumps(square.starter)[1:-1] in student
    assert json.dumps(square.solutions[0])[1:-1] not in student
    assert square.hints[0] in (mine / "solved" / f"{NAME}.ipynb").read_text(encoding="utf-8")
    source = mine / "nbgrader" / "source" / NAME
    assert "30_square_grade" in (source / f"{NAME}.ipynb").read_text(encoding="utf-8")
    assert (source / OWN).exists()
    assert not (mine / "nbgrader" / "source" / "04_gradients_add_up" / OWN).exists()


def test_a_change_is_graded_anew(mine: Path) -> None:
    before = edition()
    with (mine / OWN).open("a") as file:
        file.write("# a remark\n")
    os.utime(mine / OWN, ns=(1, 1))
    assert before != edition()


def test_what_is_wrong_with_the_file(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    declared = (mine / OWN).read_text(encoding="utf-8")
    for text, said in (
        ("1 / 0", "division by zero"),
        (declared.replace("30_square", "04_diamond"), "an exercise of the series"),
    ):
        (mine / OWN).write_text(text, encoding="utf-8")
        os.utime(mine / OWN, ns=(len(text), len(text)))
        assert cli.main(["student", "lessons"]) == 1
        assert said in capsys.readouterr().err
        assert said in str(check("30_square"))


def test_it_is_not_taken_from_a_student(
    mine: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("nbgrader")
    assert cli.main(["grade", ".", "--lesson", "30"]) == 1
    assert "among the submissions" in capsys.readouterr().err


@pytest.mark.sandbox
@pytest.mark.classroom
def test_it_is_graded(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for student, answer in (("ada", RIGHT), ("bob", WRONG)):
        write(mine / "homework" / f"{student}.ipynb", answer)
    graded(mine / "homework", "--lesson", "30", "--workers", "1")
    table = rows(mine / "homework-graded-30" / f"grades-{NAME}.csv")
    assert {row["student"]: row["30_square"] for row in table} == {"ada": "right", "bob": "not yet"}
