"""The results that are kept: they outlive the process, and one run at a time has them."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from minigrad.classroom.grades import ExerciseGrade, Grade
from minigrad.classroom.store import Cell, Graded, Store, StoreError

GRADE = Grade("04", (ExerciseGrade("04_diamond", "not yet", "é\n`x`", 5),), "late", ("tried",), 1.5)
GRADED = Graded(GRADE, (Cell("code", "a = 1", "04_diamond"), Cell("text", "mine")))


def test_what_is_put_in_comes_out(tmp_path: Path) -> None:
    with Store(tmp_path / "results") as store:
        store.put("key", GRADED)
    with Store(tmp_path / "results") as store:
        assert "key" in store
        assert store.get("key") == GRADED
        assert "other" not in store
        with pytest.raises(KeyError):
            store.get("other")


@pytest.mark.classroom
def test_nothing_is_lost_when_the_process_is_killed(tmp_path: Path) -> None:
    program = """
import os, sys
from pathlib import Path
from minigrad.classroom.store import Store
from tests.classroom.test_store import GRADED
store = Store(Path(sys.argv[1]))
for number in range(10):
    store.put(str(number), GRADED)
print("put", flush=True)
os.kill(os.getpid(), 9)
"""
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path / "results")], check=False)
    assert done.returncode == -signal.SIGKILL
    with Store(tmp_path / "results") as store:
        assert [store.get(str(number)) for number in range(10)] == [GRADED] * 10


def test_two_runs_do_not_share_it_and_a_refused_file_is_not_kept_open(tmp_path: Path) -> None:
    with Store(tmp_path / "results"):
        for _ in range(3):
            with pytest.raises(StoreError, match="another run"):
                Store(tmp_path / "results")
    folder = Path("/proc/self/fd")
    if folder.exists():
        opened = [os.path.realpath(one) for one in folder.iterdir()]
        assert str(tmp_path / "results") not in opened
    with Store(tmp_path / "results"):
        pass


def test_a_damaged_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "results").write_bytes(os.urandom(5000))
    with pytest.raises(StoreError, match="Delete it if it is damaged"):
        Store(tmp_path / "results")
