"""The gallery's programs: each is one file in docs/gallery, with what is said about it.

A file's docstring has a title, a blank line, a text in Markdown, and where it belongs:

    Lesson: 03_backward_on_a_scalar, after "Upstream times local"

It ends with `drawing`, what `draw` or `diff` gives. The gallery and that section of that lesson
show it, and its last backward pass can be stepped through. A program without one is asked for that
of what it draws.
"""

from __future__ import annotations

import ast
import re
import runpy
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any
from unittest.mock import patch

import minigrad
from minigrad.viz import Drawing, step
from minigrad.viz.live.stepper import Stepper

FOLDER = Path(__file__).parents[1] / "gallery"
LESSONS = Path(__file__).parents[2] / "lessons"
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_MOST_STEPS = 12  # of the backward pass of a large graph
_PLACE = re.compile(r'^Lesson: (?P<lesson>\w+), after "(?P<section>.+)"$', re.MULTILINE)


@dataclass(frozen=True)
class Example:
    """One program and what is said about it."""

    name: str
    title: str
    text: str
    lesson: str
    section: str
    program: str

    @property
    def page(self) -> str:
        """Where in the site its live graph is."""
        return f"graphs/{self.name}.html"

    @property
    def steps_page(self) -> str:
        """Where its backward pass can be stepped through."""
        return f"graphs/{self.name}_steps.html"

    def drawing(self) -> Drawing:
        """Run the program: what it has drawn."""
        return self._run[0]

    def stepper(self) -> Stepper:
        """Run the program: its last backward pass."""
        return self._run[1]

    @cached_property
    def _run(self) -> tuple[Drawing, Stepper]:
        passes: list[Stepper] = []

        def backward(tensor: Any, gradient: Any = None) -> None:
            passes.append(stepped(sys._getframe(1).f_globals, tensor, gradient=gradient))

        with patch.object(minigrad.Tensor, "backward", backward):
            space = runpy.run_path(str(FOLDER / f"{self.name}.py"))
        drawing = space["drawing"]
        assert isinstance(drawing, Drawing)
        if not passes:
            ends = [space[one.names[0]] for one in drawing.snapshot.tensors if one.drawn]
            passes.append(stepped(space, *ends, gradient=[minigrad.ones_like(one) for one in ends]))
        return drawing, passes[-1]


def stepped(space: dict[str, Any], *tensors: Any, gradient: Any) -> Stepper:
    """Step through a backward pass, with the names of a program's variables."""
    names = {name: one for name, one in space.items() if isinstance(one, minigrad.Tensor)}
    return step(*tensors, gradient=gradient, names=names, limit=_MOST_STEPS)


def read(path: Path) -> Example:
    """The example in a file; ValueError where its docstring says no title or no place."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    title, _, rest = (ast.get_docstring(tree) or "").partition("\n\n")
    place = _PLACE.search(rest)
    if not title or place is None:
        raise ValueError(f'{path} does not begin with a title and `Lesson: ..., after "..."`')
    text = " ".join(rest[: place.start()].split())
    program = "\n".join(source.splitlines()[tree.body[0].end_lineno :]).strip("\n")
    return Example(path.stem, title, text, program=program, **place.groupdict())


@cache
def examples() -> tuple[Example, ...]:
    """All, in the order of their files' names."""
    return tuple(read(path) for path in sorted(FOLDER.glob("*.py")))


def sections(cells: Iterable[Any]) -> Iterator[str]:
    """The headings of a notebook's cells, in their order."""
    for cell in cells:
        if cell.cell_type == "markdown":
            yield from _HEADING.findall(cell.source)
