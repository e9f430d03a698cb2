"""Clinic: failing snippets to diagnose and to cure."""

from __future__ import annotations

from html import escape
from types import ModuleType
from typing import Any

import ipywidgets

from minigrad.viz.graph_widget import GraphWidget
from minigrad.widgets.base import Instrument, html, row
from minigrad.widgets.state.clinic import CURED, ClinicState


class Clinic(Instrument):
    """Snippets that fail: read the error and the graph, say what is wrong, and write it right.

    The error is what the engine really raises, and the graph is that of the moment when it did.
    After the diagnosis the snippet can be edited and run; a snippet that never ends is stopped.

    torch: minigrad or PyTorch. cases: a lesson's number, or the ids of cases.

    ValueError for cases that there are not.

    >>> import minigrad as torch
    >>> clinic = Clinic(torch, "01_whole_numbers")
    >>> print(clinic.state.symptom)
    line 1: RuntimeError: Only Tensors of floating point and complex dtype can require gradients
    >>> clinic.hint()
    'In which line is the error raised?'
    """

    state: ClinicState

    def __init__(self, torch: ModuleType, cases: int | list[str] | str = 13) -> None:
        state = ClinicState(torch, cases)
        wide = ipywidgets.Layout(width="auto", max_width="46em")
        self.case = ipywidgets.Dropdown(
            options=[(str(number), name) for number, name in enumerate(state.ids, 1)],
            description="Case",
            layout=ipywidgets.Layout(width="10em", display="" if state.ids[1:] else "none"),
        )
        self._told, self._hints, self._result = html(), html(), html()
        self._graph = GraphWidget(state.snapshot, empty="No tensor was made")
        self.editor = ipywidgets.Textarea(description="Your cure", layout=wide)
        self.buttons = {
            "hint": self.button("Hint", "Show the next hint", state.hint),
            "run": self.button("Run", "Run the snippet as you have written it", self._run),
            "original": self.button("Start over", "Put the first text back", self._start_over),
            "solution": self.button("Solution", "Show one way to write it", self._show_solution),
        }
        self._workbench = ipywidgets.VBox(
            [self.editor, row(*(self.buttons[name] for name in ("run", "original", "solution")))]
        )
        hints = [row(self.buttons["hint"]), self._hints]
        body = [self.case, self._told, self._graph, *hints, self._workbench, self._result]
        self._shown = ""  # the case that the editor belongs to
        super().__init__(state, body)
        self.case.observe(self._on_case, "value")

    def choose(self, name: str) -> None:
        """Take up another case."""
        self.state.choose(name)
        self.refresh()

    def hint(self) -> str:
        """The next hint."""
        hint = self.state.hint()
        self.refresh()
        return hint

    def cure(self, source: str) -> bool:
        """Run the snippet as it was rewritten; whether it does now what was wanted."""
        right = self.state.cure(source)
        self.editor.value = source
        self.refresh()
        return right

    def redraw(self) -> None:
        state = self.state
        if self._shown != state.name:
            self._shown = state.name
            self.case.value = state.name
            self._start_over()
            self._graph.show(state.snapshot, news="")
        self._told.value = (
            f"<div>“{escape(state.complaint)}”</div><pre>{_numbered(state)}</pre>"
            f'<pre class="mg-error">{escape(state.symptom)}</pre>'
        )
        hints = "".join(f"<li>{escape(hint)}</li>" for hint in state.hints)
        self._hints.value = f'<ol role="status">{hints}</ol>' if hints else ""
        self._workbench.layout.display = "none" if state.question is not None else ""
        self._result.value = _result(state)

    def _run(self) -> None:
        self.state.cure(self.editor.value)

    def _start_over(self) -> None:
        self.editor.value = self.state.source
        self.editor.rows = len(self.state.source.splitlines()) + 2

    def _show_solution(self) -> None:
        self.editor.value = self.state.solution

    def _on_case(self, change: dict[str, Any]) -> None:
        if change["new"] != self.state.name:
            self.choose(change["new"])


def _numbered(state: ClinicState) -> str:
    """The snippet with numbers before its lines, and an arrow before the one that raised."""
    lines = []
    for number, line in enumerate(state.source.splitlines(), 1):
        arrow = "→" if number == state.line else " "
        before = f'<span class="mg-muted">{arrow}{number:3}</span>'
        lines.append(f'<span class="mg-line">{before}  {escape(line)}\n</span>')
    return "".join(lines)


def _result(state: ClinicState) -> str:
    if state.tried is None:
        return ""
    kind = "mg-is-right" if state.status == CURED and state.said == "Cured." else "mg-is-wrong"
    printed = f"<pre>{escape(state.tried.printed)}</pre>" if state.tried.printed else ""
    return f'{printed}<div class="mg-verdict {kind}" role="status">{escape(state.said)}</div>'
