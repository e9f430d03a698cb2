"""Submissions in a folder: which are found, which are refused, and what is said of them.

What needs links, pipes and every name that Linux allows carries the mark `classroom`.
"""

import os
import zipfile
from pathlib import Path

import pytest

from minigrad import cli
from minigrad.classroom.assignment import assignment
from minigrad.classroom.discovery import Submission, find_lesson, find_submissions, is_course, shown
from minigrad.classroom.errors import CannotGrade
from minigrad.classroom.lms import Roster
from minigrad.classroom.reading import Refused, read_whole
from tests.classroom import synthetic

LESSON = assignment("04", cli.packaged_lessons())
NAME = LESSON.name
LARGEST = 1 << 20


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "submitted").mkdir()
    return tmp_path / "submitted"


def put(path: Path, content: str | bytes = "{}") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def answering(lesson: str, number: int) -> bytes:
    """A notebook of that lesson with so many answers."""
    blank = synthetic.Lesson(lesson)
    return blank.filled_in({one.id: "answer = 1" for one in blank.exercises[:number]}, seed=1)


def packed(path: Path, **files: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def found(folder: Path, roster: Roster | None = None) -> dict[str, Submission]:
    there = find_submissions(folder, LESSON, LARGEST, roster or Roster())
    assert len({one.student for one in there}) == len(there)
    return {one.student: one for one in there}


def problem(submission: Submission) -> str:
    """Why it can't be graded."""
    if submission.notebook is None:
        return str(submission.problem)
    with pytest.raises(Refused) as refused:
        submission.notebook.content(LARGEST)
    return str(refused.value)


def graded(folder: Path) -> dict[str, str | None]:
    """The place of the notebook that is graded, by student."""
    return {name: one.notebook and one.notebook.place for name, one in found(folder).items()}


def test_nbgraders_layout(folder: Path) -> None:
    put(folder / "ada" / NAME / f"{NAME}.ipynb")
    put(folder / "ada" / NAME / ".ipynb_checkpoints" / f"{NAME}-checkpoint.ipynb")
    put(folder / "ada" / "03_backward_on_a_scalar" / "03_backward_on_a_scalar.ipynb")
    put(folder / "bob" / NAME / "my version.ipynb")
    put(folder / "cy" / "03_backward_on_a_scalar" / "03_backward_on_a_scalar.ipynb")
    assert graded(folder) == {
        "ada": f"{NAME}/{NAME}.ipynb",
        "bob": f"{NAME}/my version.ipynb",
        "cy": None,
    }
    assert not found(folder)["cy"].filed


def test_a_whole_course_will_do(folder: Path) -> None:
    put(folder / "ada" / NAME / f"{NAME}.ipynb")
    put(folder.parent / "nbgrader_config.py", "")
    assert list(found(folder.parent)) == ["ada"]


def test_what_students_hand_in_makes_no_course(folder: Path) -> None:
    put(folder / "ada.ipynb")
    put(folder / "nbgrader_config.py", "raise SystemExit")
    put(folder / "gradebook.db")
    assert not is_course(folder)
    assert {name for name, one in found(folder).items() if one.filed} == {"ada"}


def test_one_notebook_or_folder_for_each_student(folder: Path) -> None:
    put(folder / "ada.ipynb")
    put(folder / "Bob Óg_1234_assignsubmission_file" / "anything.ipynb")
    put(folder / "cy" / "deep" / "er" / f"{NAME}.ipynb")
    put(folder / "cy" / "list.txt")
    assert graded(folder) == {
        "Bob Óg": "anything.ipynb",
        "ada": "ada.ipynb",
        "cy": f"deep/er/{NAME}.ipynb",
    }


def test_uploads_of_an_lms(folder: Path) -> None:
    put(folder / "lovelaceada_12_500_hw.ipynb")
    put(folder / "lovelaceada_LATE_12_600_hw-1.ipynb")
    put(folder / "lovelaceada_77_550_hw.ipynb")  # another student of that name
    put(folder / "eulerleo_13_502_essay.pdf")
    put(folder / "Carl Gauß_9_assignsubmission_file_hw.ipynb")
    there = found(folder)
    ada = there["lovelaceada canvas 12"]
    assert ada.notebook is not None
    assert ada.notebook.place == "lovelaceada_LATE_12_600_hw-1.ipynb"
    assert ada.note == "It was handed in late."
    assert ada.returned == "lovelaceada_LATE_12_600_"
    assert there["lovelaceada canvas 77"].note is None
    assert "There is only eulerleo_13_502_essay.pdf." in str(there["eulerleo"].problem)
    assert there["Carl Gauß"].returned == "Carl Gauß_9_assignsubmission_file_"
    roster = Roster(rows={"ada": {}, "bob": {}}, known={"canvas12": ("ada", "bob")})
    there = found(folder, roster)
    assert {"ada", "bob", "eulerleo"} < set(there)
    assert "roster doesn't have" in str(there["eulerleo"].note)


def test_the_lesson_is_found(folder: Path) -> None:
    names = [path.stem for path in cli.packaged_lessons()]
    with pytest.raises(CannotGrade, match="of no lesson that is known"):
        find_lesson(folder, names, LARGEST)
    put(folder / "a.ipynb", answering(NAME, 1))
    put(folder / "b.ipynb", answering(NAME, 1))
    put(folder / "c.ipynb", answering("03_backward_on_a_scalar", 1))
    assert find_lesson(folder, names, LARGEST) == "04"
    for name in (NAME, "03_backward_on_a_scalar"):  # their folders say it
        put(folder / "d" / name / "x.ipynb")
    with pytest.raises(CannotGrade, match="03_backward_on_a_scalar, 04_gradients_add_up"):
        find_lesson(folder, names, LARGEST)


@pytest.mark.parametrize("name", ["a.IPYNB", "a.ipynb.txt", "a.ipynb.json", "a.zip", "a/b.ZIP"])
def test_a_notebook_is_found_under_every_name(folder: Path, name: str) -> None:
    content = answering(NAME, 1)
    if name.lower().endswith("zip"):
        packed(folder / name, **{"__MACOSX/._x.ipynb": b"", "work/x.ipynb": content})
    else:
        put(folder / name, content)
    (submission,) = found(folder).values()
    assert submission.student == "a"
    assert submission.notebook is not None
    assert submission.notebook.content(LARGEST) == content


def test_of_several_the_finished_one_is_graded_and_the_others_are_named(folder: Path) -> None:
    put(folder / "ada" / f"{NAME}.ipynb", answering(NAME, 0))
    put(folder / "ada" / f"{NAME}-Copy1.ipynb", answering(NAME, 3))
    put(folder / "ada" / "week 3" / "Untitled.ipynb", answering("03_backward_on_a_scalar", 1))
    packed(folder / "ada" / "more.zip", **{"old.ipynb": b"{}"})
    put(folder / "bob" / f"{NAME}.ipynb", answering("03_backward_on_a_scalar", 2))
    put(folder / "bob" / "03_homework.ipynb", answering(NAME, 1))
    put(folder / "cy.ipynb", answering(NAME, 1))
    put(folder / "cy" / "a.ipynb", answering(NAME, 2))
    assert graded(folder) == {
        "ada": f"{NAME}-Copy1.ipynb",
        "bob": "03_homework.ipynb",
        "cy": "a.ipynb",
    }
    note = str(found(folder)["ada"].note)
    assert f"Graded: {NAME}-Copy1.ipynb (3 of 4 answered). Not graded: " in note
    assert f"{NAME}.ipynb (0 of 4 answered)" in note
    assert "more.zip/old.ipynb (The file is not a notebook" in note
    assert "Untitled" not in note
    assert found(folder)["bob"].note is None
    assert "cy.ipynb (1 of 4 answered)" in str(found(folder)["cy"].note)


def test_everything_has_a_row(folder: Path) -> None:
    said = {
        "idle": "no notebook of lesson 04",
        "report": "There is only essay.pdf, scan.png",
        "list of students.txt": "not a notebook",
        "work.rar": "archive isn't opened",
        ".hidden": "hidden",
        ".ipynb": "empty or hidden",
        "zip": "zip file can't be opened (BadZipFile)",
        "two": "There is no notebook of lesson 04_gradients_add_up: a.ipynb (of lesson 03); ",
    }
    (folder / "idle").mkdir()
    put(folder / "report" / "essay.pdf")
    put(folder / "report" / "scan.png")
    put(folder / "list of students.txt")
    put(folder / "work.rar")
    put(folder / ".hidden" / "a.ipynb")
    put(folder / ".DS_Store")
    put(folder / ".ipynb")
    put(folder / "zip.zip", b"PK")
    put(folder / "two" / "a.ipynb", answering("03_backward_on_a_scalar", 1))
    put(folder / "two" / "b.ipynb")
    there = found(folder)
    assert there.keys() == said.keys()
    for name, reason in said.items():
        assert reason in problem(there[name]), name


def test_a_zip_file_has_limits(folder: Path) -> None:
    packed(folder / "large.zip", **{"a.ipynb": bytes((20 << 20) + 1)})
    packed(folder / "many.zip", **{f"{number}": b"" for number in range(1001)})
    packed(folder / "lies.zip", **{"a.ipynb": b"x" * 1000})
    lies = (folder / "lies.zip").read_bytes()
    put(folder / "lies.zip", lies.replace((1000).to_bytes(4, "little"), bytes([9, 0, 0, 0])))
    there = found(folder)
    assert "up to 21 MB" in problem(there["large"])
    assert "1,001 files" in problem(there["many"])
    assert "can't be opened" in problem(there["lies"])


@pytest.mark.classroom
@pytest.mark.parametrize(
    ("student", "said"),
    [
        ("large", "up to 1 MB"),
        ("linked", "Links are not followed"),
        ("linked inside", "Links are not followed"),
        ("linked folder", "Links are not followed"),
        ("pipe", "not an ordinary file"),
        ("full", "more than 1,000 files"),
    ],
)
def test_what_cannot_be_graded_has_a_reason(folder: Path, student: str, said: str) -> None:
    secret = put(folder.parent / "secret" / f"{NAME}.ipynb")
    put(folder / "large.ipynb", "x" * (LARGEST + 1))
    (folder / "linked.ipynb").symlink_to(secret)
    (folder / "linked folder").symlink_to(secret.parent)
    (folder / "linked inside").mkdir()
    (folder / "linked inside" / f"{NAME}.ipynb").symlink_to(secret)
    os.mkfifo(folder / "pipe.ipynb")
    for number in range(1001):
        put(folder / "full" / f"{number}.txt")
    put(folder / "fine.ipynb")
    assert said in problem(found(folder)[student])
    assert graded(folder)["fine"] == "fine.ipynb"


@pytest.mark.classroom
@pytest.mark.parametrize("name", ["a\nb", "\x1b[2J", " ", "half\udcff", "\u202efdp.exe"])
def test_a_name_that_cannot_be_written_down_has_a_row(folder: Path, name: str) -> None:
    put(folder / name / f"{NAME}.ipynb")
    put(folder / "fine.ipynb")
    there = found(folder)
    assert there["fine"].notebook is not None
    assert "Rename it" in str(there[name].problem)
    assert not there[name].filed


@pytest.mark.classroom
def test_strange_names_are_names(folder: Path) -> None:
    names = ["=1+1", "O'Neil; DROP TABLE", "<script>", "日本語", "a+b", "..b", "x.ipynb"]
    for name in names:
        (folder / name).mkdir()
        put(folder / name / f"{NAME}.ipynb")
    assert {name for name, one in found(folder).items() if one.notebook} == set(names) - {"..b"}


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
