"""Where the grader fails, nothing final is said; where a time is up, by which clock it was."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from minigrad.classroom import submission
from minigrad.classroom.bridge.channel import Lost
from minigrad.classroom.grades import NOT_LOOKED_AT, Grade, exercises_of_lesson
from minigrad.classroom.judging import STARTS, grade_here
from minigrad.classroom.protection import Limits, Protection
from minigrad.classroom.reading import Cell, parse
from minigrad.classroom.session import Place, running
from minigrad.exercises.limits import BACKSTOP
from tests.classroom.one import grade_submission
from tests.classroom.sandbox.submitting import written

pytestmark = pytest.mark.sandbox

EXERCISES = exercises_of_lesson("04")
ENDLESS = "while True:\n    pass"
SLEEPS = "import time\ntime.sleep(600)"


@pytest.fixture
def grade(tmp_path: Path) -> Callable[..., Grade]:
    """Grades lesson 04 with these answers, all others solved, below so many endless cells."""

    def graded(place: Place, answers: dict[str, str], endless: int = 0, **limits: float) -> Grade:
        notebook = written(tmp_path / "it.ipynb", "04", answers)
        cells = parse(notebook.read_bytes()).code(EXERCISES)
        cells = [Cell(0, ENDLESS, None, ())] * endless + cells
        cells = [replace(cell, number=number) for number, cell in enumerate(cells)]
        limited = replace(place, limits=replace(place.limits, **limits))
        return grade_here(cells, "04", EXERCISES, limited)

    return graded


def test_a_sandbox_that_does_not_start_is_not_the_students_fault(
    tmp_path: Path, grade: Callable[..., Grade]
) -> None:
    (tmp_path / "library").mkdir()
    found = grade(Place(tmp_path / "library", Protection.BUBBLEWRAP, Limits()), {})
    assert "The sandbox did not start" in str(found.problem)
    assert {one.outcome for one in found.exercises} == {NOT_LOOKED_AT}
    assert not found.final


def test_a_submission_is_never_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A grader may start in the folder of the submissions, and Python looks there first."""
    submission.end_graders()
    (tmp_path / "json.py").write_text("open('ran', 'w').close()\nraise SystemExit")
    notebook = written(tmp_path / "it.ipynb", "04", {})
    monkeypatch.chdir(tmp_path)
    assert grade_submission(notebook, "04", protection=Protection.NONE).final
    submission.end_graders()
    assert not (tmp_path / "ran").exists()


def test_a_grader_that_is_gone_is_not_the_students_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submission._Grader, "ask", lambda self, request: None)
    notebook = written(tmp_path / "it.ipynb", "04", {})
    found = grade_submission(notebook, "04", protection=Protection.NONE)
    submission.end_graders()
    assert "has ended" in str(found.problem)
    assert not found.final
    assert not Grade.from_json(found.to_json()).final


def test_a_killed_grader_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, ask = [], submission._Grader.ask

    def killed_at_first(grader: submission._Grader, line: str) -> Grade | None:
        asked.append(grader)
        if len(asked) == 1:
            grader.process.kill()
        return ask(grader, line)

    monkeypatch.setattr(submission._Grader, "ask", killed_at_first)
    notebook = written(tmp_path / "it.ipynb", "04", {})
    found = grade_submission(notebook, "04", protection=Protection.NONE)
    assert (found.points, len(asked)) == (len(EXERCISES), 2)
    submission.end_graders()


def test_what_a_submission_does_is_final(place: Place, grade: Callable[..., Grade]) -> None:
    found = grade(place, {"04_diamond": "import os\nos._exit(1)"})
    assert found.points == len(EXERCISES) - 1
    assert found.final
    assert not found.timeout


@pytest.mark.parametrize(("code", "timeout"), [(ENDLESS, "cpu"), (SLEEPS, "clock")])
def test_it_is_told_by_what_the_time_of_an_answer_was_up(
    code: str, timeout: str, place: Place, grade: Callable[..., Grade]
) -> None:
    found = grade(place, {"04_diamond": code}, cell_seconds=0.5)
    assert found.points == len(EXERCISES) - 1
    assert found.timeout == timeout


def test_waiting_for_the_machine_costs_nothing(place: Place) -> None:
    limits = replace(place.limits, cell_seconds=0.5)
    with running(replace(place, limits=limits)) as session:
        assert session.run(0, "import time\ntime.sleep(1.5)", True) == (None, [])
        assert session.timeouts == set()


@pytest.mark.parametrize(("number", "points"), [(2, len(EXERCISES)), (STARTS, 0)])
def test_endless_cells_cost_only_themselves(
    number: int, points: int, place: Place, grade: Callable[..., Grade]
) -> None:
    found = grade(place, {}, endless=number, scratch_seconds=0.5)
    assert found.points == points
    assert "In the cell that begins with “while True:”: it went on for more than 0.5" in str(
        found.problem
    )
    assert found.timeout == "cpu"
    if not points:
        assert {one.outcome for one in found.exercises} == {NOT_LOOKED_AT}


def test_the_start_has_a_time_of_its_own(place: Place) -> None:
    quick = replace(place, limits=replace(place.limits, order_seconds=0.01))
    late = pytest.raises(Lost, match=r"more than 0\.01 seconds of CPU time")
    with running(quick) as session, late:
        session.run(0, "while True: pass", True)


def test_nobody_waits_for_what_cannot_be_interrupted(place: Place) -> None:
    code = f"import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))\n{SLEEPS}"
    quick = replace(place, limits=replace(place.limits, order_seconds=0.1))
    with running(quick) as session:
        with pytest.raises(Lost, match=f"It took more than {BACKSTOP * 0.1:g} seconds"):
            session.run(0, code, True)
        assert session.timeouts == {"clock"}
