"""Clinic: failing snippets to diagnose and to cure."""

from __future__ import annotations

from html import escape
from types import ModuleType
from typing import Any

import ipywidgets

from minigrad.viz.live.graph_widget import GraphWidget
from minigrad.widgets.base import Instrument, html, message, row, verdict
from minigrad.widgets.code import highlighted
from minigrad.widgets.state.clinic import ClinicState
from minigrad.widgets.state.question import Verdict


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
    children: Any  # of ipywidgets

    def __init__(self, torch: ModuleType, cases: int | list[str] | str = 13) -> None:
        state = ClinicState(torch, cases)
        wide = ipywidgets.Layout(width="auto", max_width="46em")
        shown = "" if state.ids[1:] else "none"
        self.case = ipywidgets.Dropdown(
            options=_labels(state),
            description="Case",
            layout=ipywidgets.Layout(width="10em", display=shown),
            style={"description_width": "initial"},
        )
        self.case.observe(self._on_case, "value")
        self._told, self._hints, self._result = html(), html(), html()
        self._graph = GraphWidget(state.snapshot, empty="No tensor was made")
        self.editor = ipywidgets.Textarea(description="Your cure", layout=wide)
        self._own = ""  # what the learner had written before another text replaced it
        self.buttons = {
            "hint": self.button("Hint", "Show the next hint", state.hint),
            "run": self.button("Run", "Run the program as you have written it", self._run),
            "original": self.button("Start over", "Show the first text again", self._start_over),
            "solution": self.button("Solution", "Show one way to write it", self._show_solution),
            "own": self.button("Back to my text", "Show your own text again", self._show_own),
        }
        self._hint_row = ipywidgets.VBox([row(self.buttons["hint"]), self._hints])
        tools = row(*(self.buttons[name] for name in ("run", "original", "solution", "own")))
        self._workbench = ipywidgets.VBox([self.editor, tools, self._result])
        patient = ipywidgets.HBox([self._told, self._graph]).add_class("mg-patient")
        self._shown = ""  # the case that the editor belongs to
        super().__init__(state, [self.case, patient], [self._hint_row, self._workbench])
        self._panel.button.description, self._panel.button.tooltip = "Diagnose", "Say what is wrong"
        order = [child for child in self.children if child is not self._feedback]
        order.insert(order.index(self._panel) + 1, self._feedback)
        self.children = order

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
            self._write(state.program)
            self._own = ""
        self._show_cases()
        self._graph.show(state.snapshot, news="")
        symptom = f'<pre class="{_kind(state)}">{escape(state.symptom)}</pre>'
        self._told.value = f"<div>“{escape(state.complaint)}”</div>{_numbered(state)}" + (
            symptom if state.symptom else ""
        )
        hints = "".join(f"<li>{escape(hint)}</li>" for hint in state.hints)
        self._hints.value = f'<ol role="status">{hints}</ol>' if hints else ""
        self._hint_row.layout.display = "none" if state.is_cured else ""
        self._workbench.layout.display = "none" if state.question is not None else ""
        self.buttons["own"].disabled = not self._own
        self._result.value = _result(state)

    def _show_cases(self) -> None:
        labels = _labels(self.state)
        self.case.unobserve(self._on_case, "value")  # other labels choose the first case
        if self.case.options != labels:
            self.case.options = labels
        self.case.value = self.state.name
        self.case.observe(self._on_case, "value")

    def _run(self) -> None:
        self._result.value = message("Running… A loop that doesn't end is stopped after 5 seconds.")
        self.state.cure(self.editor.value)

    def _start_over(self) -> None:
        self._replace(self.state.source)

    def _show_solution(self) -> None:
        self._replace(self.state.solution)

    def _replace(self, source: str) -> None:
        """Show another text, and keep the learner's own."""
        if self.editor.value not in (self.state.source, self.state.solution):
            self._own = self.editor.value
        self._write(source)

    def _show_own(self) -> None:
        self._write(self._own)

    def _write(self, source: str) -> None:
        self.editor.value = source
        self.editor.rows = len(source.splitlines()) + 1

    def _on_case(self, change: dict[str, Any]) -> None:
        if change["new"] != self.state.name:
            self.choose(change["new"])


def _labels(state: ClinicState) -> tuple[tuple[str, str], ...]:
    """The cases by number; those that are cured have a check mark."""
    return tuple(
        (f"{number} ✓ cured" if name in state.cured else str(number), name)
        for number, name in enumerate(state.ids, 1)
    )


def _kind(state: ClinicState) -> str:
    return "" if state.is_cured else "mg-error"


def _numbered(state: ClinicState) -> str:
    """The program with numbers before its lines, and an arrow before the one that raised."""
    lines = []
    for number, line in enumerate(highlighted(state.program), 1):
        arrow = "→" if number == state.line else " "
        before = f'<span class="mg-muted">{arrow}{number:3}</span>'
        lines.append(f'<span class="mg-line">{before}  {line}\n</span>')
    return f'<pre class="mg-code">{"".join(lines)}</pre>'


def _result(state: ClinicState) -> str:
    printed = ""
    if state.tried is not None and state.tried.printed and not state.is_cured:
        printed = f"<pre>{escape(state.tried.printed)}</pre>"
    said = verdict(Verdict(state.said == "Cured.", state.said)) if state.said else ""
    return printed + said
