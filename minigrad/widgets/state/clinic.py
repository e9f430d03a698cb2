"""Failing snippets: what they raise, their graph at that moment, a diagnosis, and a cure."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

from minigrad.viz.draw.drawing import Drawing
from minigrad.viz.draw.outline import outline
from minigrad.viz.read.names import names_in
from minigrad.viz.read.snapshot import Snapshot, take_snapshot
from minigrad.widgets.state.base import State
from minigrad.widgets.state.clinic_case import Case
from minigrad.widgets.state.clinic_cases import CASES
from minigrad.widgets.state.expected import Choice
from minigrad.widgets.state.question import Question, Sealed, Verdict
from minigrad.widgets.state.running import PATIENCE, Ran, run

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
