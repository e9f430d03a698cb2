"""The gallery's programs run, on minigrad and on PyTorch, and stand where their lessons are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest

from docs.extension.examples import LESSONS, Example, examples, read, sections

ALL = pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)


@ALL
def test_a_program_draws_the_same_on_both_engines(example: Example, torch: Any) -> None:
    engine = torch.__name__
    program = example.program.replace("import minigrad as torch", f"import {engine} as torch")
    space: dict[str, Any] = {}
    exec(program.replace("from minigrad import nn", f"from {engine} import nn"), space)
    assert space["drawing"].outline == example.drawing().outline


@ALL
def test_its_section_is_in_its_lesson(example: Example) -> None:
    lesson = nbformat.read(LESSONS / f"{example.lesson}.ipynb", as_version=4)
    assert example.section in sections(lesson.cells)


def test_every_lesson_has_one() -> None:
    lessons = {path.stem for path in LESSONS.glob("*.ipynb")}
    assert {example.lesson for example in examples()} == lessons


def test_titles_tell_them_apart() -> None:
    titles = [example.title for example in examples()]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize(
    "docstring",
    ["Only a title", "A title\n\nA text, but no place.", "\n\nLesson: 03_x, after no title"],
)
def test_a_file_without_title_or_place_is_refused(docstring: str, tmp_path: Path) -> None:
    path = tmp_path / "example.py"
    path.write_text(f'"""{docstring}"""\n\ndrawing = None\n', encoding="utf-8")
    with pytest.raises(ValueError, match="does not begin with a title"):
        read(path)
