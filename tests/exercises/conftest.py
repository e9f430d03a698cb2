"""What the exercises' tests share."""

from pathlib import Path

import pytest

from minigrad.exercises import cell_guard


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A notebook's folder of the test's own, and nothing remembered of other cells."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cell_guard, "_troubles", {})
    return tmp_path
