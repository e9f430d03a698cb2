"""What is kept of a run, and what is tried again."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.classroom


def test_only_what_is_final_is_kept(tmp_path: Path) -> None:
    from minigrad.classroom.assignment import Assignment
    from minigrad.classroom.class_run import Order, Run, keep
    from minigrad.classroom.distributing import Result
    from minigrad.classroom.grades import Grade
    from minigrad.classroom.store import Graded, Store

    order = Order(tmp_path, Assignment("04_gradients_add_up", (), frozenset(), ""), tmp_path)
    run = Run(order, [])
    with Store(tmp_path / "results") as store:
        for key, final in (("done", True), ("failed", False)):
            grade = Grade("04", (), "The process that grades has ended.", final=final)
            keep(run, store, Result(key, Graded(grade).to_json()))
        keep(run, store, Result("killed", None, "The worker was killed."))
        assert "done" in store
        assert "failed" not in store
        assert "killed" not in store
    assert run.failures == {
        "failed": "The process that grades has ended.",
        "killed": "The worker was killed.",
    }
