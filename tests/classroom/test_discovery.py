"""Submissions in a folder: which are found, which are refused, and what is said of them.

What needs links, pipes and every name that Linux allows carries the mark `classroom`.
"""

import os
from pathlib import Path

import pytest

from minigrad.classroom.discovery import (
    Refused,
    Submission,
    find_submissions,
    is_course,
    read_whole,
    shown,
)

NAME = "04_gradients_add_up"
LARGEST = 1000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "submitted").mkdir()
    return tmp_path / "submitted"


def put(path: Path, content: str = "{}") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


def found(folder: Path) -> dict[str, Submission]:
    return {one.student: one for one in find_submissions(folder, NAME, LARGEST).submissions}


def test_nbgraders_layout(folder: Path) -> None:
    put(folder / "ada" / NAME / f"{NAME}.ipynb")
    put(folder / "ada" / NAME / ".ipynb_checkpoints" / f"{NAME}-checkpoint.ipynb")
    put(folder / "ada" / "03_backward_on_a_scalar" / "03_backward_on_a_scalar.ipynb")
    put(folder / "bob" / NAME / "my version.ipynb")
    assert found(folder) == {
        "ada": Submission("ada", folder / "ada" / NAME / f"{NAME}.ipynb"),
        "bob": Submission("bob", folder / "bob" / NAME / "my version.ipynb"),
    }


def test_a_whole_course_will_do(folder: Path) -> None:
    put(folder / "ada" / NAME / f"{NAME}.ipynb")
    put(folder.parent / "nbgrader_config.py", "")
    assert list(found(folder.parent)) == ["ada"]


def test_what_students_hand_in_makes_no_course(folder: Path) -> None:
    put(folder / "ada.ipynb")
    put(folder / "nbgrader_config.py", "raise SystemExit")
    put(folder / "gradebook.db")
    assert not is_course(folder)
    assert list(found(folder)) == ["ada"]


def test_one_notebook_or_folder_for_each_student(folder: Path) -> None:
    put(folder / "ada.ipynb")
    put(folder / "Bob Óg_1234_assignsubmission_file" / "anything.ipynb")
    put(folder / "cy" / "deep" / "er" / f"{NAME}.ipynb")
    put(folder / "cy" / "scratch.ipynb")
    put(folder / "list of students.txt")
    put(folder / ".hidden" / "a.ipynb")
    assert {name: one.notebook and one.notebook.name for name, one in found(folder).items()} == {
        "Bob Óg_1234_assignsubmission_file": "anything.ipynb",
        "ada": "ada.ipynb",
        "cy": f"{NAME}.ipynb",
    }


def test_what_is_missing_is_said(folder: Path) -> None:
    (folder / "idle").mkdir()
    put(folder / "other" / "03_backward_on_a_scalar.ipynb")
    there = find_submissions(folder, NAME, LARGEST)
    assert there.submissions == []
    assert there.left_out == [f"{who}: no notebook of lesson {NAME}" for who in ("idle", "other")]


@pytest.mark.classroom
@pytest.mark.parametrize(
    ("student", "said"),
    [
        ("two", "2 notebooks: a.ipynb, b.ipynb"),
        ("large", "up to 0 MB"),
        ("linked", "Links are not followed"),
        ("linked inside", "Links are not followed"),
        ("linked folder", "Links are not followed"),
        ("pipe", "not an ordinary file"),
        ("both", "Two submissions"),
        ("full", "more than 1,000 files"),
    ],
)
def test_what_cannot_be_graded_has_a_reason(folder: Path, student: str, said: str) -> None:
    secret = put(folder.parent / "secret" / f"{NAME}.ipynb")
    put(folder / "two" / "a.ipynb")
    put(folder / "two" / "b.ipynb")
    put(folder / "large.ipynb", "x" * (LARGEST + 1))
    (folder / "linked.ipynb").symlink_to(secret)
    (folder / "linked folder").symlink_to(secret.parent)
    (folder / "linked inside").mkdir()
    (folder / "linked inside" / f"{NAME}.ipynb").symlink_to(secret)
    os.mkfifo(folder / "pipe.ipynb")
    put(folder / "both.ipynb")
    put(folder / "both" / "a.ipynb")
    for number in range(1001):
        put(folder / "full" / f"{number}.txt")
    put(folder / "fine.ipynb")
    problem = found(folder)[student].problem
    assert found(folder)[student].notebook is None
    assert problem is not None
    assert said in problem
    assert found(folder)["fine"].problem is None


@pytest.mark.classroom
@pytest.mark.parametrize("name", ["a\nb", "\x1b[2J", " ", "half\udcff"])
def test_a_name_that_cannot_be_written_down_is_left_out(folder: Path, name: str) -> None:
    put(folder / name / f"{NAME}.ipynb")
    put(folder / "fine.ipynb")
    there = find_submissions(folder, NAME, LARGEST)
    assert [one.student for one in there.submissions] == ["fine"]
    (line,) = there.left_out
    assert "its name" in line
    assert line.isprintable()


@pytest.mark.classroom
def test_strange_names_are_names(folder: Path) -> None:
    names = ["=1+1", "O'Neil; DROP TABLE", "<script>", "日本語", "a+b", "..b", "x.ipynb"]
    for name in names:
        (folder / name).mkdir()
        put(folder / name / f"{NAME}.ipynb")
    assert sorted(found(folder)) == sorted(set(names) - {"..b"})


@pytest.mark.classroom
def test_reading_follows_nothing_and_waits_for_nothing(tmp_path: Path) -> None:
    assert read_whole(put(tmp_path / "a", "abc"), 3) == b"abc"
    (tmp_path / "link").symlink_to(tmp_path / "a")
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "pipe", "none", "."):
        with pytest.raises(Refused):
            read_whole(tmp_path / name, 3)
    with pytest.raises(Refused, match="MB"):
        read_whole(tmp_path / "a", 2)


def test_what_is_shown_does_nothing_to_a_terminal() -> None:
    assert shown("Zoë") == "Zoë"
    assert shown("\x1b]0;title\x07") == r"'\x1b]0;title\x07'"
