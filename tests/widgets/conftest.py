"""What the instruments' tests share."""

import pytest

from minigrad.widgets import clinic, questions
from minigrad.widgets.clinic_cases import CASES
from tests.widgets.sample_cases import SAMPLES


@pytest.fixture(autouse=True)
def students(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test begins as a student, whatever another test has switched on."""
    monkeypatch.setattr(questions, "_teacher", None)
    monkeypatch.delenv("MINIGRAD_TEACHER", raising=False)


@pytest.fixture(autouse=True)
def samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clinic has a few cases more."""
    monkeypatch.setattr(clinic, "CASES", (*CASES, *SAMPLES))
