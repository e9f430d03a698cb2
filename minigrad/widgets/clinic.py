"""Clinic: failing snippets to diagnose and to cure."""

from __future__ import annotations

import random
from html import escape
from types import ModuleType
from typing import Any

import ipywidgets

from minigrad.viz.draw.drawing import Drawing
from minigrad.viz.draw.outline import outline
from minigrad.viz.live.graph_widget import GraphWidget
from minigrad.viz.read.names import names_in
from minigrad.viz.read.snapshot import Snapshot, take_snapshot
from minigrad.widgets.base import Instrument, State, html, message, row, verdict
from minigrad.widgets.clinic_case import Case
from minigrad.widgets.clinic_cases import CASES
from minigrad.widgets.code import highlighted
from minigrad.widgets.expected import Choice
from minigrad.widgets.questions import Question, Sealed, Verdict
from minigrad.widgets.running import PATIENCE, Ran, run

UNKNOWN, DIAGNOSED, CURED = "not diagnosed yet", "diagnosed, not cured yet", "cured"


class ClinicState(State):
    """Cases of the clinic, one at a time: diagnose, then write it right.

    A wrong diagnosis is told what speaks against it, brings the next hint, and leaves another try.

    torch: the engine that everything runs on. cases: the ids of the cases, or a lesson's number.
    patience: after how many seconds a cure that runs on is stopped.

    ValueError for cases that there are not.
    """

    title = "Clinic"

    def __init__(
        self, torch: ModuleType, cases: int | list[str] | str = 13, patience: float = PATIENCE
    ) -> None:
        self.torch = torch
        self._patience = patience
        self._cases = {case.id: Sealed(case) for case in _chosen(cases)}
        self._questions = {name: self._ask(name) for name in self._cases}
        self._hints = dict.fromkeys(self._cases, 0)
        self._healed: dict[str, tuple[str, Ran]] = {}  # by case: what cured it, and what it does
        self.choose(next(iter(self._cases)))

    @property
    def ids(self) -> list[str]:
        return list(self._cases)

    def choose(self, name: str) -> None:
        """Take up another case; ValueError for one that there is not."""
        if name not in self._cases:
            raise ValueError(f"choose one of: {', '.join(self._cases)}; not {name!r}")
        self.name = name
        self.verdict = None
        self.tried: Ran | None = None
        self.said = "Cured." if self.is_cured else ""
        self._sick = self._run(self.source)
        self.snapshot = _look(self._now)

    @property
    def complaint(self) -> str:
        return self._case.complaint

    @property
    def source(self) -> str:
        """The snippet as its author wrote it."""
        return self._case.source

    @property
    def program(self) -> str:
        """The snippet as it is now: what cured it, if something did."""
        return self._healed[self.name][0] if self.is_cured else self.source

    @property
    def error(self) -> str:
        return self._now.error

    @property
    def line(self) -> int | None:
        """The line that raised the error."""
        return self._now.line

    @property
    def cured(self) -> frozenset[str]:
        """The cases that are cured."""
        return frozenset(self._healed)

    @property
    def is_cured(self) -> bool:
        return self.name in self._healed

    @property
    def _now(self) -> Ran:
        return self._healed[self.name][1] if self.is_cured else self._sick

    @property
    def hints(self) -> tuple[str, ...]:
        """The hints that were asked for."""
        return self._case.hints[: self._hints[self.name]]

    def hint(self) -> str:
        """The next hint; the last again when there are no more."""
        most = len(self._case.hints)
        self._hints[self.name] = min(self._hints[self.name] + 1, most)
        return self.hints[-1]

    def cure(self, source: str) -> bool:
        """Run the snippet as it was rewritten; whether it does now what was wanted.

        From then on its graph, with the gradients, is what is shown. PredictFirst before the
        diagnosis. What the lines print or raise is in ``tried``.
        """
        self.require_answer()
        self.tried = self._run(source)
        right = not self.tried.error and self._does_what_was_wanted(self.tried)
        if right:
            self._healed[self.name] = source, self.tried
            self.snapshot = _look(self.tried)
        self.said = "Cured." if right else _not_yet(self.tried)
        return right

    @property
    def solution(self) -> str:
        """One way to write it right, once it was diagnosed (PredictFirst) and a cure was tried."""
        self.require_answer()
        if self.tried is None:
            raise RuntimeError("Try a cure of your own first")
        return self._case.fix

    @property
    def status(self) -> str:
        """``UNKNOWN``, ``DIAGNOSED`` or ``CURED``."""
        if self.is_cured:
            return CURED
        return UNKNOWN if self.question is not None else DIAGNOSED

    @property
    def question(self) -> Question | None:
        question = self._questions[self.name]
        return question if question.is_open else None

    def predict(self, prediction: Any) -> Verdict:
        judged = super().predict(prediction)
        if not judged.right:
            self.hint()
        return judged

    def answered(self, question: Question) -> None:
        """What follows is the cure."""

    @property
    def summary(self) -> str:
        """Where one is; the id of a case would tell too much."""
        if len(self._cases) == 1:
            return self.status
        place = f"case {self.ids.index(self.name) + 1} of {len(self._cases)}"
        return f"{place}, {self.status}; {len(self._healed)} cured"

    @property
    def symptom(self) -> str:
        """What the snippet printed and raised, the line that raised it first."""
        where = f"line {self.line}: " if self.error and self.line else ""
        return "\n".join(filter(None, [self._now.printed, where + self.error]))

    @property
    def text(self) -> str:
        graph = outline(self.snapshot) if self.snapshot.tensors else "No tensor was made."
        parts = [f"{self.title}: {self.summary}", f"“{self.complaint}”", self.program, self.symptom]
        return "\n\n".join(filter(None, [*parts, graph]))

    def svg(self) -> str:
        """The graph at the moment of the failure, or once it is cured."""
        return Drawing(self.snapshot).svg() if self.snapshot.tensors else super().svg()

    @property
    def _case(self) -> Case:
        found: Case = self._cases[self.name].open()
        return found

    def _ask(self, name: str) -> Question:
        case: Case = self._cases[name].open()
        options = [case.cause, *(str(other.prediction) for other in case.others)]
        random.Random(name).shuffle(options)
        sealed = self._cases[name]
        return Question(
            "What is wrong?",
            Choice(tuple(options)),
            lambda: sealed.open().cause,
            mistakes=lambda _: sealed.open().others,
            because=lambda _: str(sealed.open().because),
            again=True,
        )

    def _run(self, source: str) -> Ran:
        with self.torch.random.fork_rng():
            self.torch.manual_seed(0)
            return run(source, {"torch": self.torch}, self._patience)

    def _does_what_was_wanted(self, ran: Ran) -> bool:
        checked = run(f"_cured = bool({self._case.cured})", dict(ran.space), self._patience)
        return checked.space.get("_cured") is True


def _not_yet(ran: Ran) -> str:
    if not ran.error:
        return "Not yet: it runs without an error, but the result is not what was wanted."
    return f"Not yet. {f'Line {ran.line}: ' if ran.line else ''}{ran.error}"


def _chosen(cases: int | list[str] | str) -> list[Case]:
    by_id = {case.id: case for case in CASES}
    if isinstance(cases, int):
        chosen = [case for case in CASES if case.lesson == cases]
        if not chosen:
            raise ValueError(f"there are cases for the lessons 0 to 13, but got {cases}")
        return chosen
    names = [cases] if isinstance(cases, str) else list(cases)
    unknown = [name for name in names if name not in by_id]
    if unknown or not names:
        raise ValueError(f"the cases are {', '.join(by_id)}; not {unknown or names}")
    return [by_id[name] for name in names]


def _look(ran: Ran) -> Snapshot:
    """The graph of everything that the snippet had named when it ended or failed."""
    named = names_in({name: value for name, value in ran.space.items() if name != "torch"})
    used = [tensor for _, tensor in named]
    return take_snapshot(used, named)


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
