"""Clinic: failing snippets to diagnose and to cure."""

import random
from functools import partial
from html import escape
from types import ModuleType
from typing import Any

import ipywidgets

from minigrad.viz.backward.answers import Mistake, Verdict
from minigrad.viz.draw.drawing import Drawing
from minigrad.viz.draw.outline import outline
from minigrad.viz.live.graph_widget import GraphWidget
from minigrad.viz.read.names import names_in
from minigrad.viz.read.snapshot import Snapshot, take_snapshot
from minigrad.widgets.answers import Choice
from minigrad.widgets.base import Instrument, State, on_state
from minigrad.widgets.checks import check_choice
from minigrad.widgets.clinic_cases import CASES
from minigrad.widgets.clinic_cases.case import Case
from minigrad.widgets.page import beside, error, highlighted, html, message, row, verdict
from minigrad.widgets.questions import Question, Sealed
from minigrad.widgets.running import PATIENCE, Ran, run

_MOST_ROWS = 8  # of the editor
_MOST_BESIDE = 2  # nodes of a graph that fits beside the program
UNKNOWN, DIAGNOSED, CURED = "not diagnosed yet", "diagnosed, not cured yet", "cured"


class ClinicState(State):
    """Cases of the clinic, one at a time: diagnose, then rewrite.

    A wrong diagnosis gets a counterargument and the next hint, and leaves another try.

    torch: the engine that everything runs on. cases: the ids of the cases, or a lesson's number,
    or a case of your own.
    patience: after how many seconds a cure is stopped.

    ValueError for other cases.
    """

    title = "Clinic"

    def __init__(
        self,
        torch: ModuleType,
        cases: int | list[str] | str | Case = 19,
        patience: float = PATIENCE,
    ) -> None:
        super().__init__()
        self.torch = torch
        self._patience = patience
        self._cases = {case.id: Sealed(case) for case in _chosen(cases)}
        self._hints = dict.fromkeys(self._cases, 0)
        self._healed: dict[str, tuple[str, Ran]] = {}  # by case: the cure, and its result
        self.choose(next(iter(self._cases)))

    @property
    def ids(self) -> list[str]:
        return list(self._cases)

    def choose(self, name: str) -> None:
        """Go to another case."""
        check_choice("case", name, self._cases)
        self.name = name
        self.verdict = None
        self.tried: Ran | None = None
        self.result = "Cured." if self.is_cured else ""
        self._sick = self._run(self.source)
        self.snapshot = _graph(self._now)

    @property
    def complaint(self) -> str:
        return self._case.complaint

    @property
    def source(self) -> str:
        """The snippet as its author wrote it."""
        return self._case.source

    @property
    def program(self) -> str:
        """The snippet as it is now: the cure, if there is one."""
        return self._healed[self.name][0] if self.is_cured else self.source

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
        """The hints so far."""
        return self._case.hints[: self._hints[self.name]]

    def hint(self) -> str:
        """The next hint; the last one again if there are no more."""
        most = len(self._case.hints)
        self._hints[self.name] = min(self._hints[self.name] + 1, most)
        return self.hints[-1]

    def cure(self, source: str) -> bool:
        """Run a rewritten snippet; True if it now does what its author wanted.

        Then its graph, with the gradients, takes the place of the sick one. PredictFirst before
        the diagnosis. What the lines print or raise is in ``tried``.
        """
        self.require_answer()
        self.tried = self._run(source, self._patience)
        right = not self.tried.error and self._is_cure(self.tried)
        if right:
            self._healed[self.name] = source, self.tried
            self.snapshot = _graph(self.tried)
        self.result = "Cured." if right else _not_yet(self.tried)
        return right

    @property
    def solution(self) -> str:
        """One way to write it. It takes a diagnosis (PredictFirst) and an attempt."""
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
    def topic(self) -> str:
        return self.name

    def question_about(self, topic: str) -> Question:
        sealed, case = self._cases[topic], self._case
        diagnoses = [case.cause, *case.others]
        random.Random(topic).shuffle(diagnoses)
        return Question(
            "What's wrong?",
            Choice(tuple(diagnoses)),
            lambda: sealed.open().cause,
            mistakes=lambda _: [Mistake(*other) for other in sealed.open().others.items()],
            because=lambda _: str(sealed.open().because),
            again=True,
        )

    def predict(self, prediction: Any) -> Verdict:
        judged = super().predict(prediction)
        if not judged.right:
            self.hint()
        return judged

    @property
    def summary(self) -> str:
        """The case's number and status; its id would give too much away."""
        if len(self._cases) == 1:
            return self.status
        place = f"case {self.ids.index(self.name) + 1} of {len(self._cases)}"
        return f"{place}, {self.status}; {len(self._healed)} cured"

    @property
    def symptom(self) -> str:
        """What the snippet printed and raised, with the line that raised it."""
        where = f"line {self.line}: " if self.line else ""
        return "\n".join(filter(None, [self._now.printed, where + self._now.error]))

    @property
    def text(self) -> str:
        graph = outline(self.snapshot) if self.snapshot.tensors else "No tensor was made."
        parts = [f"{self.title}: {self.summary}", f"“{self.complaint}”", self.program, self.symptom]
        return "\n\n".join(filter(None, [*parts, graph]))

    def svg(self) -> str:
        """The graph at the moment of the failure, or of the cure."""
        picture = Drawing(self.snapshot, detail="saved")
        return picture.svg() if self.snapshot.tensors else super().svg()

    @property
    def _case(self) -> Case:
        found: Case = self._cases[self.name].open()
        return found

    def _run(self, source: str, *patience: float) -> Ran:
        with self.torch.random.fork_rng():
            self.torch.manual_seed(0)
            return run(source, {"torch": self.torch}, *patience)

    def _is_cure(self, ran: Ran) -> bool:
        checked = run(f"_cured = bool({self._case.cured})", dict(ran.space), self._patience)
        return checked.space.get("_cured") is True


def _not_yet(ran: Ran) -> str:
    if not ran.error:
        return "Not yet: it runs without an error, but the result isn't what the author wanted."
    return f"Not yet. {f'Line {ran.line}: ' if ran.line else ''}{ran.error}"


def _chosen(cases: int | list[str] | str | Case) -> list[Case]:
    if isinstance(cases, Case):
        return [cases]
    by_id = {case.id: case for case in CASES}
    if isinstance(cases, int):
        chosen = [case for case in CASES if case.lesson == cases]
        if not chosen:
            raise ValueError(f"there's no case for lesson {cases}")
        return chosen
    names = [cases] if isinstance(cases, str) else list(cases)
    for name in names or ["nothing"]:
        check_choice("cases", name, by_id)
    return [by_id[name] for name in names]


def _graph(ran: Ran) -> Snapshot:
    """The graph of all tensors that had a name when the snippet ended or failed."""
    named = names_in({name: value for name, value in ran.space.items() if name != "torch"})
    return take_snapshot([tensor for _, tensor in named], named)


class Clinic(Instrument):
    """Snippets that fail: read the error and the graph, say what is wrong, and rewrite the snippet.

    The error is what the engine raises, and the graph is that of the moment when it did. After the
    diagnosis you can edit the snippet and run it; it is stopped after five seconds.

    torch: minigrad or PyTorch. cases: a lesson's number, or the ids of cases, or a case itself.

    ValueError for other cases.

    >>> import minigrad as torch
    >>> clinic = Clinic(torch, "00_nothing_asked")
    >>> print(clinic.state.symptom)
    line 3: RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn
    >>> clinic.hint()
    'Read the last line of the error. Which property of a tensor does it name?'
    """

    state: ClinicState
    children: Any  # of ipywidgets

    def __init__(self, torch: ModuleType, cases: int | list[str] | str | Case = 19) -> None:
        state = ClinicState(torch, cases)
        several = state.ids if len(state.ids) > 1 else []
        self.cases = {name: self.button("", "", partial(state.choose, name)) for name in several}
        self._program, self._hints, self._result = html(), html(), html()
        self._graph = GraphWidget(state.snapshot, empty="No tensor was made", detail="saved")
        self.editor = ipywidgets.Textarea(
            description="Your cure", layout=ipywidgets.Layout(width="auto", max_width="46em")
        )
        self._own = ""  # what the learner wrote before another text replaced it
        self.buttons = {
            "hint": self.button("Hint", "Show the next hint", state.hint),
            "run": self.button("Run", "Run the program as you've written it", self._run),
            "original": self.button(
                "Start over", "Show the original program again", lambda: self._replace(state.source)
            ),
            "solution": self.button(
                "Solution", "Show one way to write it", lambda: self._replace(state.solution)
            ),
            "own": self.button(
                "Back to my text", "Show your own version again", lambda: self._write(self._own)
            ),
        }
        hint, *others = self.buttons.values()
        tools = row(*others, hint)
        self._workbench = ipywidgets.VBox([self.editor, tools, self._result])
        self._patient = beside(self._program, self._graph)
        self._shown = ""  # the case that the editor belongs to
        cards = row(*self.cases.values())
        super().__init__(state, [cards, self._patient], [self._hints, self._workbench])
        self._panel.button.description, self._panel.button.tooltip = "Diagnose", "Say what is wrong"
        self._panel.controls.children += (hint,)
        order = [child for child in self.children if child is not self._feedback]
        order.insert(order.index(self._panel) + 1, self._feedback)
        self.children = order

    choose = on_state(ClinicState.choose)
    hint = on_state(ClinicState.hint)

    def cure(self, source: str) -> bool:
        """Run a rewritten snippet; True if it now does what its author wanted."""
        right = self.state.cure(source)
        self.editor.value = source
        self.refresh()
        return right

    def redraw(self) -> None:
        state = self.state
        if self._shown != state.name:
            self._shown, self._own = state.name, ""
            self._write(state.program)
        for number, (name, button) in enumerate(self.cases.items(), 1):
            cured, current = name in state.cured, name == state.name
            button.description = f"{number} ✓" if cured else str(number)
            button.tooltip = f"Case {number}{', cured' if cured else ''}"
            button.button_style = "primary" if current else "success" if cured else ""
        self._graph.show(state.snapshot, news="")
        wide = len(state.snapshot.nodes) > _MOST_BESIDE
        (self._patient.add_class if wide else self._patient.remove_class)("mg-stacked")
        symptom = f"<pre>{escape(state.symptom)}</pre>" if state.is_cured else error(state.symptom)
        self._program.value = f"<div>“{escape(state.complaint)}”</div>{_numbered(state)}{symptom}"
        hints = "".join(f"<li>{escape(hint)}</li>" for hint in state.hints)
        self._hints.value = f'<ol role="status">{hints}</ol>' if hints else ""
        self._hints.layout.display = "none" if state.is_cured or not hints else ""
        self._workbench.layout.display = "none" if state.question is not None else ""
        self.buttons["own"].disabled = not self._own
        self.buttons["solution"].disabled = state.tried is None
        self._result.value = _result(state)

    def _run(self) -> None:
        self._result.value = message("Running… A loop that doesn't end is stopped after 5 seconds.")
        self.state.cure(self.editor.value)

    def _replace(self, source: str) -> None:
        """Show another text, and keep the learner's own."""
        state = self.state
        shown = [state.source] if state.tried is None else [state.source, state.solution]
        if self.editor.value not in shown:
            self._own = self.editor.value
        self._write(source)

    def _write(self, source: str) -> None:
        self.editor.value = source
        self.editor.rows = min(len(source.splitlines()) + 1, _MOST_ROWS)


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
    judged = Verdict(state.result == "Cured.", state.result) if state.result else None
    return printed + verdict(judged)
