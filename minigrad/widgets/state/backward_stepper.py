"""A backward pass step by step, each number after a prediction."""

from __future__ import annotations

from minigrad.viz.backward import questions
from minigrad.viz.backward.orders import ENGINE
from minigrad.viz.backward.recording import BackwardRecording
from minigrad.viz.backward.steps import Steps
from minigrad.viz.draw.drawing import Drawing
from minigrad.viz.draw.outline import outline
from minigrad.widgets.state.base import State
from minigrad.widgets.state.expected import Numbers
from minigrad.widgets.state.question import Mistake, Question

# What can be asked for.
ASKABLE = {
    "steps": "one number of each step",
    "grads": "what each leaf's .grad will be",
}


class BackwardStepperState(State):
    """Steps through a recorded backward pass. A step is shown once its number was predicted.

    order: the engine's, or a wrong one of ``minigrad.viz.backward.orders.ORDERS``.
    ask: what to predict, of ``ASKABLE``. ValueError for another order or another thing to ask.
    """

    title = "Backward stepper"

    def __init__(
        self, recording: BackwardRecording, order: str = ENGINE, ask: str = "steps"
    ) -> None:
        if ask not in ASKABLE:
            raise ValueError(f"ask: one of {', '.join(ASKABLE)}, but got {ask!r}")
        self.ask = ask
        self._recording = recording
        self.choose(order)

    def choose(self, order: str) -> None:
        """Begin again in another order."""
        self.steps = Steps(self._recording, order)
        self.verdict = None
        self._shown = 0  # the last position that may be seen
        self._ask_next()

    def go(self, position: int) -> None:
        """Go to a step; PredictFirst, at the last that may be seen, if it asks for a prediction.

        ValueError if there is no such step.
        """
        self.steps.go(min(position, self._shown) if position <= self.steps.last else position)
        while self._shown < position:
            self.require_answer()
            if self._shown < position and self._open is None:
                self._show_next()
        if self.steps.position != position:
            self.steps.go(position)

    @property
    def question(self) -> Question | None:
        return self._open

    def answered(self, question: Question) -> None:
        self._show_next()

    @property
    def summary(self) -> str:
        return f"step {self.steps.position} of {self.steps.last}"

    @property
    def text(self) -> str:
        steps = self.steps
        return f"{self.title}: {self.summary}\n{steps.text}\n{outline(steps.snapshot, steps.marks)}"

    def svg(self) -> str:
        return Drawing(self.steps.snapshot, marks=self.steps.marks).svg()

    def _show_next(self) -> None:
        self._shown += 1
        self.steps.go(self._shown)
        self._ask_next()

    def _ask_next(self) -> None:
        asked = self.steps.question if self._asks() else None
        self._open = None if asked is None else _asking(asked)

    def _asks(self) -> bool:
        turns = self.steps.events[self._shown : self._shown + 1]
        leaves = self.steps.telling.nodes
        kinds = [leaves[turn.node].kind for turn in turns]
        return self.ask == "steps" or kinds == ["accumulate"]


def _asking(asked: questions.Question) -> Question:
    return Question(
        asked.prompt,
        Numbers(),
        lambda: asked.answer,
        mistakes=[Mistake(mistake.number, mistake.says) for mistake in asked.mistakes],
        because=asked.because,
    )
