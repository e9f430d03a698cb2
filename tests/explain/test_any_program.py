"""Whatever a program does: its own error comes out, and the explainer adds none."""

import random
import re
from pathlib import Path
from typing import Any

import pytest

from minigrad.explain import diagnose, script

LINES = [
    line
    for cause in diagnose.CAUSES
    for line in re.sub("  # cause", "", cause.example).splitlines()
    if line and not line.startswith((" ", "class", "def", "for", "with", "if", "why"))
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(10))
def test_a_program_ends_with_its_own_error(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed: list[Exception] = []
    explain = diagnose.report_on

    def noting(subject: Any) -> Any:
        try:
            return explain(subject)
        except Exception as error:  # which `diagnose` says nothing about
            failed.append(error)
            raise

    monkeypatch.setattr(diagnose, "report_on", noting)
    draw = random.Random(seed)
    for number in range(20):
        path = tmp_path / f"program{number}.py"
        drawn = [draw.choice(LINES) for _ in range(8)]
        path.write_text("\n".join(["import minigrad as torch", *drawn, "raise StopAsyncIteration"]))
        error, report = script.watched(path)
        assert error is not None
        assert error.__traceback__ is not None
        assert error.__traceback__.tb_frame.f_code.co_filename == str(path)
        assert report is None or report.text
        assert failed == []
