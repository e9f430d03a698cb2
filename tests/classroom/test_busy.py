"""On a busy machine everyone gets the points of an idle one."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.classroom import synthetic
from tests.classroom.running import Run
from tests.classroom.test_grade import NAME, kept, table

pytestmark = pytest.mark.classroom


@pytest.fixture
def load() -> Iterator[None]:
    """Four programs that compute all the time."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(4)]
    yield
    for one in busy:
        one.kill()
        one.wait()


@pytest.mark.usefixtures("load")
def test_only_what_never_ends_loses_points(tmp_path: Path) -> None:
    lesson = synthetic.Lesson(NAME)
    solutions = {one.id: one.solutions[0] for one in lesson.exercises}
    first = lesson.exercises[0].id
    folder = tmp_path / "submitted"
    folder.mkdir()
    for number in range(8):
        notebook = lesson.filled_in(solutions, number)
        (folder / f"right-{number}.ipynb").write_bytes(notebook)
    endless = lesson.filled_in(solutions | {first: "while True:\n    pass"}, 8)
    (folder / "wrong.ipynb").write_bytes(endless)

    said = Run(folder, "--lesson", "01", "--workers", "8").end()
    assert "more workers than cores don't make it faster" in said
    rows = table(folder)
    assert [row["score"] for row in rows[:-1]] == [str(len(solutions))] * 8, said
    assert rows[-1]["score"] == str(len(solutions) - 1)
    assert "graded twice, the second time alone" in rows[-1]["problem"]
    assert len(kept(folder)) == 9  # so all are final
