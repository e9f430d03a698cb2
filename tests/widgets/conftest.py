"""What the instruments' tests share."""

import pytest

from minigrad.widgets import questions


@pytest.fixture(autouse=True)
def students(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs a test is a student at first, whatever another test has switched on."""
    monkeypatch.setattr(questions, "_teacher", None)
    monkeypatch.delenv("MINIGRAD_TEACHER", raising=False)
