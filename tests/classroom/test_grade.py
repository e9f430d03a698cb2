"""minigrad grade as a program: a class graded, stopped, killed, and graded on."""

import contextlib
import json
import os
import signal
import sqlite3
import zipfile
from pathlib import Path

import psutil
import pytest

from minigrad import cli
from minigrad.classroom.run import LATER
from minigrad.classroom.store import Store
from tests.classroom import synthetic
from tests.classroom.running import Run, graded, nbgrader, rows

pytestmark = pytest.mark.classroom

NAME = "01_slopes_by_nudging"
NUMBER = 12

OPTIONS = ("--lesson", "01", "--workers", "2")


def fill(folder: Path) -> Path:
    """A class that has done its best, without anything hostile."""
    drawn = (one for one in synthetic.submissions(NAME, 100, seed=4))
    tame = [one for one in drawn if one.kind not in synthetic.HARM]
    for one in tame[:NUMBER]:
        path = folder / one.student / NAME / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(one.content)
    return folder


def output(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}-graded-01")


def kept(folder: Path) -> dict[str, str]:
    """What is in the store, by key."""
    path = output(folder) / ".minigrad-results.sqlite"
    if not path.exists():
        return {}
    with Store(path):  # which brings a commit that was cut off to its end, or takes it back
        pass
    with contextlib.closing(sqlite3.connect(path)) as database:
        return dict(database.execute("SELECT key, graded FROM results").fetchall())


def scores(course: Path) -> dict[str, str]:
    """Each student's points, as nbgrader exports them."""
    nbgrader(course, "export", "--to", "exported.csv")
    return {row["student_id"]: row["score"] for row in rows(course / "exported.csv")}


def table(folder: Path) -> list[dict[str, str]]:
    found = rows(output(folder) / f"grades-{NAME}.csv")
    return [{name: value for name, value in row.items() if name != "seconds"} for row in found]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class graded in one go."""
    folder = fill(tmp_path_factory.mktemp("undisturbed") / "submitted")
    said = graded(folder, *OPTIONS)
    assert f"{NUMBER} submissions of {NAME} graded" in said
    return folder


def test_every_verdict_is_as_it_must_be(undisturbed: Path) -> None:
    expected = {one.student: one for one in synthetic.submissions(NAME, 100, seed=4)}
    found = table(undisturbed)
    assert len(found) == NUMBER
    for row in found:
        one = expected[row["student"]]
        for exercise, verdict in one.outcomes.items():
            assert verdict is None or row[exercise] == verdict[0], row
        assert bool(row["problem"]) == one.problem
    assert scores(output(undisturbed)) == {row["student"]: f"{row['score']}.0" for row in found}


def test_each_student_has_a_page(undisturbed: Path) -> None:
    for row in table(undisturbed):
        page = output(undisturbed) / "feedback" / row["student"] / NAME / f"{NAME}.html"
        assert row["student"] in page.read_text(encoding="utf-8")


def test_nothing_is_graded_twice(undisturbed: Path) -> None:
    before, found = kept(undisturbed), table(undisturbed)
    said = graded(undisturbed, *OPTIONS)
    assert "Grading" not in said
    assert kept(undisturbed) == before
    assert table(undisturbed) == found


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_stopped_goes_on_where_it_was(
    how: signal.Signals, undisturbed: Path, tmp_path: Path
) -> None:
    folder = fill(tmp_path / "submitted")
    run = Run(folder, *OPTIONS)
    run.wait_for(3)
    processes = psutil.Process(run.process.pid).children(recursive=True)
    if how == signal.SIGINT:
        os.killpg(run.process.pid, how)  # as Ctrl-C does
    else:
        run.process.send_signal(how)
    said = run.end()
    assert run.process.returncode == (130 if how == signal.SIGINT else -how), said
    assert how == signal.SIGKILL or "run the same command again to go on" in said
    assert psutil.wait_procs(processes, timeout=30)[1] == []

    first = kept(folder)
    assert 3 <= len(first) < NUMBER
    said = graded(folder, *OPTIONS)
    assert f" {len(first)}/{NUMBER} [" in said  # where the bar begins
    assert kept(folder).items() > first.items()
    assert table(folder) == table(undisturbed)
    assert scores(output(folder)) == scores(output(undisturbed))


def test_workers_that_are_killed_change_nothing(undisturbed: Path, tmp_path: Path) -> None:
    folder, temporary = fill(tmp_path / "submitted"), tmp_path / "temporary"
    temporary.mkdir()
    run = Run(folder, *OPTIONS, TMPDIR=str(temporary))
    run.wait_for(2)
    children = psutil.Process(run.process.pid).children()
    workers = [child for child in children if "minigrad.classroom.warm" in child.cmdline()]
    assert len(workers) == 2
    workers[0].kill()
    said = run.end()
    assert list(temporary.iterdir()) == []
    assert run.process.returncode == 0, said
    assert table(folder) == table(undisturbed)
    assert scores(output(folder)) == scores(output(undisturbed))


def test_the_same_notebook_of_two_is_graded_once(undisturbed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "submitted"
    folder.mkdir()
    one = next(undisturbed.rglob("*.ipynb"))
    for student in ("ada", "bob"):
        (folder / f"{student}.ipynb").write_bytes(one.read_bytes())
    graded(folder, *OPTIONS)
    assert [row["student"] for row in table(folder)] == ["ada", "bob"]
    assert len(kept(folder)) == 1


def test_a_course_that_uses_nbgrader_loses_nothing(tmp_path: Path) -> None:
    from nbgrader.api import Gradebook

    course = tmp_path / "course"
    assert cli.main(["nbgrader", str(course)]) == 0
    nbgrader(course, "generate_assignment", NAME)
    lesson = synthetic.Lesson(NAME, course / "release" / NAME / f"{NAME}.ipynb")
    solutions = {one.id: one.solutions[0] for one in lesson.exercises}
    for student, answers in (("ada", solutions), ("bob", {})):
        place = course / "submitted" / student / NAME
        place.mkdir(parents=True)
        (place / f"{NAME}.ipynb").write_bytes(lesson.filled_in(answers, seed=1))
        (place / "timestamp.txt").write_text("2030-01-02 03:04:05 UTC")
    first, most = lesson.exercises[0].id, len(lesson.exercises)
    graded(course, *OPTIONS)
    assert scores(course) == {"ada": f"{most}.0", "bob": "0.0"}

    address = f"sqlite:///{course / 'gradebook.db'}"
    with Gradebook(address, "minigrad") as book:
        cell = book.find_grade_cell(f"{first}_grade", NAME, NAME)
        cell.max_score = 5
        book.update_or_create_student("bob", first_name="Bob")
        book.find_grade(cell.name, NAME, NAME, "bob").manual_score = 2.5
        book.find_comment(first, NAME, NAME, "bob").manual_comment = "Nearly."
        book.db.commit()
    graded(course, *OPTIONS)
    assert scores(course) == {"ada": f"{most + 4}.0", "bob": "2.5"}
    told = {row["student"]: row for row in rows(course / f"grades-{NAME}.csv")}
    assert (told["ada"]["score"], told["bob"]["score"]) == (str(most + 4), "2.5")
    page = course / "feedback" / "bob" / NAME / f"{NAME}.html"
    assert f"2.5 of {most + 4} points" in page.read_text(encoding="utf-8")
    with Gradebook(address, "minigrad") as book:
        assert book.find_student("bob").first_name == "Bob"
        assert book.find_submission(NAME, "ada").timestamp is None  # students write it
        comment = book.find_comment(first, NAME, NAME, "bob")
        assert (comment.auto_comment, comment.manual_comment) == ("No response.", "Nearly.")
        assert len(book.find_notebook(NAME, NAME).source_cells) > 0
    feedback = course / "feedback" / "bob" / NAME / f"{NAME}.html"
    assert "There is no answer to this one" in feedback.read_text(encoding="utf-8")
    nbgrader(course, "generate_feedback", NAME, "--force")  # nbgrader's own, with the comment
    assert "Nearly." in feedback.read_text(encoding="utf-8")


def test_everything_has_a_row_and_the_exit_status_tells(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "submitted"
    folder.mkdir()
    lesson = synthetic.Lesson(NAME)
    answers = {one.id: one.solutions[0] for one in lesson.exercises}
    (folder / "ada.ipynb").write_bytes(lesson.filled_in(answers, seed=1))
    (tmp_path / "roster.csv").write_text("id,name,email\nada,Ada,a@x\nbob,Bob,b@x\n")
    roster = ["--roster", str(tmp_path / "roster.csv"), "--workers", "2"]
    assert cli.main(["grade", str(folder), *roster, "--dry-run"]) == 0
    said = capfd.readouterr().out
    assert "ada: to grade: ada.ipynb\nNot handed in, 1:\n  bob\n1 to grade." in said
    assert not output(folder).exists()
    assert cli.main(["grade", str(folder), *roster]) == 0
    assert "bob" in (output(folder) / f"class-{NAME}.html").read_text(encoding="utf-8")
    with zipfile.ZipFile(output(folder) / f"feedback-{NAME}.zip") as returned:
        assert returned.namelist() == [f"ada/{NAME}.html"]
    (folder / "bob.ipynb").write_bytes(b"[")
    (folder / "cy").mkdir()
    (folder / "cy" / "a.ipynb").write_bytes(lesson.filled_in(answers, seed=2))
    (folder / "cy" / "b.ipynb").write_bytes(lesson.filled_in({}, seed=3))
    (folder / "notes.txt").touch()
    capfd.readouterr()
    assert cli.main(["grade", str(folder), *OPTIONS, "--json"]) == 3
    told = {row["student"]: row for row in json.loads(capfd.readouterr().out)["submissions"]}
    assert (
        [row["student"] for row in table(folder)] == list(told) == ["ada", "bob", "cy", "notes.txt"]
    )
    most = len(lesson.exercises)
    assert [row["score"] for row in told.values()] == [most, 0, most, 0]
    assert "can't be read as JSON" in told["bob"]["problem"]
    assert told["cy"]["note"].endswith(f"Not graded: b.ipynb (0 of {most} answered).")
    assert "not a notebook" in told["notes.txt"]["problem"]
    assert {path.name for path in (output(folder) / "feedback").iterdir()} == {"ada", "bob", "cy"}
    (folder / "ada.ipynb").write_bytes(lesson.filled_in(answers, seed=4))
    (folder / "cy" / "a.ipynb").unlink()
    assert cli.main(["grade", str(folder), *OPTIONS, "--only", "cy"]) == 3
    told = {row["student"]: row for row in table(folder)}
    assert (told["ada"]["problem"], told["cy"]["score"]) == (LATER, "0")
    before = kept(folder)
    assert cli.main(["grade", str(folder), *OPTIONS, "--only", "ada", "--again"]) == 3
    assert kept(folder).keys() > before.keys()
    assert cli.main(["grade", str(folder), *OPTIONS, "--only", "adda"]) == 1
    assert "Did you mean ada?" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere", "--lesson", "01"], "No such file"),
        ([".", "--lesson", "01"], "nothing of lesson 01_slopes_by_nudging"),
        ([".", "--lesson", "99"], "There are: 00_start_here"),
    ],
)
def test_what_cannot_be_graded_is_said(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert cli.main(["grade", *arguments]) == 1
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [folder]


def test_an_absent_scheduler_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = fill(tmp_path / "submitted")
    assert cli.main(["grade", str(folder), "--lesson", "01", "--scheduler", "nonsense://x"]) == 1
    assert "--trust-network" in capsys.readouterr().err
    trusted = ["--scheduler", "nonsense://x", "--trust-network"]
    assert cli.main(["grade", str(folder), "--lesson", "01", *trusted]) == 1
    assert "no Dask scheduler answers at nonsense://x" in capsys.readouterr().err


def test_without_protection_nothing_is_graded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = fill(tmp_path / "submitted")
    monkeypatch.setenv("PATH", str(tmp_path))  # where there is neither bubblewrap nor unshare
    assert cli.main(["grade", str(folder), "--lesson", "01"]) == 1
    said = capsys.readouterr().err
    assert "cannot shut a submission in" in said
    assert "--unprotected" in said
    assert not output(folder).exists()


def test_without_protection_the_trusted_are_graded(undisturbed: Path, tmp_path: Path) -> None:
    folder = fill(tmp_path / "submitted")
    graded(folder, *OPTIONS, "--unprotected")
    assert table(folder) == table(undisturbed)
    assert kept(folder).keys().isdisjoint(kept(undisturbed))  # it counts there alone
