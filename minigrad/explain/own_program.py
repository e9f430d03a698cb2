"""The clinic's case of a program of your own: its diagnosis is asked first, then told."""

import contextlib
import io
import random
import re
import tempfile
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

import ipywidgets

from minigrad.explain.diagnose import CAUSES
from minigrad.explain.script import watched
from minigrad.widgets import Clinic
from minigrad.widgets.clinic_cases.case import Case
from minigrad.widgets.page import button, html, message

_OPTIONS = 3  # beside the right one
_FINE = "It ends without an error, so there's nothing to diagnose."
_UNKNOWN = "The clinic doesn't know this error:"


class OwnProgram(ipywidgets.VBox):  # type: ignore[misc]
    """Paste a program that fails: the clinic asks what's wrong with it before it tells you.

    torch: minigrad or PyTorch, which the program may use as ``torch`` without an import. Like a
    cell, the program runs in this kernel, until it ends or fails.
    """

    children: Any  # of ipywidgets

    def __init__(self, torch: ModuleType) -> None:
        self._torch = torch
        self.editor = ipywidgets.Textarea(
            description="Your program", rows=10, layout={"width": "auto", "max_width": "46em"}
        )
        ask = button("Ask me", "Run the program, and ask what is wrong with it", self.ask)
        super().__init__([self.editor, ask])

    def ask(self) -> None:
        """Run the program, and show the clinic's question about it."""
        try:
            shown = Clinic(self._torch, case_of(self.editor.value, self._torch))
        except ValueError as error:
            shown = html(message(str(error)))
        self.children = (*self.children[:2], shown)


def case_of(source: str, torch: ModuleType) -> Case:
    """A case of the clinic that is made from a failing program.

    The wrong diagnoses are causes of other errors; a cure is a program that ends without an error.
    ValueError if the program doesn't fail, or with an error that isn't known.
    """
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        path = Path(folder) / "program.py"
        path.write_text(source, encoding="utf-8")
        error, report = watched(path, {"torch": torch})
    if report is None:
        raise ValueError(_FINE if error is None else f"{_UNKNOWN} {type(error).__name__}: {error}")
    known = [
        cause for cause in CAUSES if cause.title != report.title and "# cause" in cause.example
    ]
    others = random.Random(report.title).sample(known, _OPTIONS)
    return Case(
        id="00_your_own",
        complaint="My own program fails.",
        source=source,
        cause=report.title,
        others={one.title: _would_look_like(one.example) for one in others},
        because=report.what,
        hints=("Read the last line of the error: which property of which tensor does it name?",),
        fix=f"{textwrap.indent(report.fixes, '# ')}\n{source}",
        cured="True",
    )


def _would_look_like(example: str) -> str:
    line = re.findall("^ *(.*?)  # cause$", example, re.MULTILINE)[0]
    return f"That would take a line such as `{line}`."
