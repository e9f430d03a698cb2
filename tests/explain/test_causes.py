"""Each declaration explains its example, in the same words on both engines, and names its line."""

import io
import linecache
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from minigrad.explain import diagnose, script, shell
from minigrad.explain.page import Cause, Explanation
from minigrad.explain.render import Report

EXAMPLES = [cause for cause in diagnose.CAUSES if cause.example.strip()]
ANSWER = re.compile(r"^why\((.*)\)$", re.MULTILINE)


class Watched:
    """What was found while a program ran, and what it looked like."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.found: list[tuple[Cause, Explanation]] = []
        find = diagnose.find_causes

        def noting(subject: Any) -> Iterator[tuple[Cause, Explanation]]:
            for found in find(subject):
                self.found.append(found)
                yield found

        monkeypatch.setattr(diagnose, "find_causes", noting)

    def run(self, program: str, engine: str, folder: Path) -> str:
        path = folder / "program.py"
        header = f"import {engine} as torch; from minigrad.explain import checkup, why\n"
        path.write_text(header + ANSWER.sub(r"answer = why(\1); raise SystemExit(answer)", program))
        linecache.checkcache()
        with redirect_stdout(io.StringIO()) as printed:
            error, report = script.watched(path)
        if isinstance(error, SystemExit):
            report = error.code  # type: ignore[assignment]
        said = printed.getvalue().removeprefix("checkup found 1 problem.\n\n")
        assert isinstance(report, Report) or (said and error is None), error
        return report.text if report else said


def without_mark(example: str) -> str:
    return re.sub("  # cause$", "", example, flags=re.MULTILINE)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("cause", EXAMPLES, ids=lambda cause: cause.name)
@pytest.mark.parametrize("engine", ["minigrad", pytest.param("torch", marks=pytest.mark.parity)])
def test_the_example_is_explained_and_its_line_named(
    engine: str, cause: Cause, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Watched(monkeypatch)
    said = watched.run(without_mark(cause.example), engine, tmp_path)
    found, explanation = watched.found[-1]
    assert found.name == cause.name
    lines = enumerate(cause.example.splitlines(), 2)
    assert explanation.cause is not None
    assert [explanation.cause.number] == [number for number, text in lines if "# cause" in text]
    assert f"line {explanation.cause.number}" in said
    assert explanation.what.endswith(".")
    assert max(map(len, said.splitlines())) <= 100
    if engine == "torch":
        assert said == watched.run(without_mark(cause.example), "minigrad", tmp_path)


def test_each_lesson_that_is_named_is_there() -> None:
    lessons = {path.stem for path in (Path(__file__).parents[2] / "lessons").glob("*.ipynb")}
    assert {cause.lesson for cause in diagnose.CAUSES} <= lessons


def test_why_takes_tensors() -> None:
    with pytest.raises(TypeError, match="takes a tensor, but got int"):
        shell.why(3)  # type: ignore[arg-type]
