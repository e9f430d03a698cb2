"""What is kept of a run, and what is tried again."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.classroom


def test_only_what_is_final_is_kept(tmp_path: Path) -> None:
    from minigrad.classroom.assignment import Assignment
    from minigrad.classroom.class_run import TWICE, WAITED, keep
    from minigrad.classroom.distributing import Result
    from minigrad.classroom.grades import Grade
    from minigrad.classroom.run import Order, Run
    from minigrad.classroom.store import Graded, Store

    order = Order(tmp_path, Assignment("04_gradients_add_up", (), frozenset(), ""), tmp_path)
    run = Run(order, [])
    with Store(tmp_path / "results") as store:
        for alone in (False, True):
            for key, final, timeout in (
                ("done", True, ""),
                ("failed", False, ""),
                ("computed", True, "cpu"),
                ("waited", True, "clock"),
            ):
                grade = Grade("04", (), "Said.", final=final, timeout=timeout)
                if key in run.open or not alone:
                    keep(run, store, Result(key, Graded(grade).to_json()), alone)
            keep(run, store, Result("killed", None, "The worker was killed."), alone)
            assert [key for key in ("done", "computed") if key in store] == (
                ["done", "computed"] if alone else ["done"]
            )
        assert store.get("computed").grade.problem == f"Said. {TWICE}"
    assert {key: one.grade.problem for key, one in run.open.items()} == {
        "failed": "Said.",
        "waited": f"Said. {WAITED}",
        "killed": "The worker was killed.",
    }


def test_a_configuration_that_was_handed_in_is_not_run(tmp_path: Path) -> None:
    from minigrad.classroom.assignment import Assignment
    from minigrad.classroom.class_run import default_output, grade_class
    from minigrad.classroom.errors import CannotGrade
    from minigrad.classroom.run import Order

    folder = tmp_path / "handed-in"
    (folder / "ada").mkdir(parents=True)
    (folder / "ada.ipynb").write_text("{}")
    (folder / "nbgrader_config.py").write_text("raise SystemExit('it was run')")
    assert default_output(folder, "04") == tmp_path / "handed-in-graded-04"
    assert default_output(folder / "ada", "04").parent == folder
    assignment = Assignment("04_gradients_add_up", (), frozenset(), "")
    for output in (folder, folder / "ada", folder / "new"):
        with pytest.raises(CannotGrade, match="among the submissions"):
            grade_class(Order(folder, assignment, output))


def test_a_course_is_where_its_submissions_are(tmp_path: Path) -> None:
    from minigrad.classroom.class_run import default_output

    (tmp_path / "submitted" / "ada").mkdir(parents=True)
    (tmp_path / "nbgrader_config.py").touch()
    assert default_output(tmp_path, "04") == tmp_path
    assert default_output(tmp_path / "submitted", "04") == tmp_path
    assert default_output(tmp_path / "submitted" / "ada", "04") != tmp_path / "submitted"
