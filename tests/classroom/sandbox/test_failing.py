"""Where the grader fails, not the submission, nothing final is said."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from minigrad.classroom import judging, submission
from minigrad.classroom.bridge.channel import Lost
from minigrad.classroom.grades import exercises_of_lesson
from minigrad.classroom.judging import grade_here
from minigrad.classroom.protection import Limits, Protection
from minigrad.classroom.session import Place, running
from tests.classroom.sandbox.submitting import written

pytestmark = pytest.mark.sandbox


def test_a_sandbox_that_does_not_start_is_not_the_students_fault(tmp_path: Path) -> None:
    (tmp_path / "library").mkdir()
    place = Place(tmp_path / "library", Protection.BUBBLEWRAP, Limits(seconds=10))
    notebook = written(tmp_path / "it.ipynb", "04", {})
    grade = grade_here(notebook, "04", exercises_of_lesson("04"), place)
    assert "The sandbox did not start" in str(grade.problem)
    assert not grade.final


def test_a_sandbox_that_starts_too_late_is_not_the_students_fault(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(place: Place, end: float) -> Any:
        raise Lost("It went on for more than 0 seconds in all.")

    monkeypatch.setattr(judging, "running", late)
    none = replace(place, limits=replace(place.limits, seconds=0))
    notebook = written(tmp_path / "it.ipynb", "04", {})
    grade = grade_here(notebook, "04", exercises_of_lesson("04"), none)
    assert "The sandbox did not start" in str(grade.problem)
    assert not grade.final


def test_a_grader_that_is_gone_is_not_the_students_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submission._Grader, "ask", lambda self, line: None)
    notebook = written(tmp_path / "it.ipynb", "04", {})
    grade = submission.grade_submission(notebook, "04", protection=Protection.NONE)
    submission.end_graders()
    assert "has ended" in str(grade.problem)
    assert not grade.final
    assert not type(grade).from_json(grade.to_json()).final


def test_what_a_submission_does_is_final(place: Place, tmp_path: Path) -> None:
    notebook = written(tmp_path / "it.ipynb", "04", {"04_diamond": "import os\nos._exit(1)"})
    grade = grade_here(notebook, "04", exercises_of_lesson("04"), place)
    assert grade.points == 4
    assert grade.final


def test_the_start_has_a_time_of_its_own(place: Place) -> None:
    quick = replace(place, limits=replace(place.limits, order_seconds=0.01))
    late = pytest.raises(Lost, match="more than 0.01 seconds")
    with running(quick, time.monotonic() + 60) as session, late:
        session.run(0, "while True: pass", True)


SLEEPS = """
import signal, time
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))
time.sleep(600)
"""


def test_what_hardly_had_the_machine_is_graded_once_more(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = []

    def counted(place: Place, end: float) -> Any:
        started.append(end)
        return running(place, end)

    monkeypatch.setattr(judging, "running", counted)
    notebook = written(tmp_path / "it.ipynb", "04", {"04_diamond": SLEEPS})
    slow = replace(place, limits=replace(place.limits, seconds=8))
    grade = grade_here(notebook, "04", exercises_of_lesson("04"), slow)
    assert len(started) == 2
    assert "more than 8 seconds in all" in str(grade.problem)
    assert grade.final
