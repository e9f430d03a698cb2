"""BackwardStepper: the steps of a backward pass, each after a prediction."""

import sys
from collections.abc import Mapping
from typing import Any

from minigrad.viz.backward import questions
from minigrad.viz.backward.orders import ENGINE, ORDERS
from minigrad.viz.backward.recording import BackwardRecording
from minigrad.viz.backward.run import recorded_backward
from minigrad.viz.backward.steps import Steps
from minigrad.viz.draw.drawing import Drawing
from minigrad.viz.draw.outline import outline
from minigrad.viz.live.step_controls import StepControls
from minigrad.viz.read.names import given_names, names_in_frame
from minigrad.viz.read.protocol import TensorLike
from minigrad.widgets.answers import Numbers
from minigrad.widgets.base import Instrument, State
from minigrad.widgets.questions import Mistake, Question

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


class BackwardStepper(Instrument):
    """Runs ``tensor.backward()``, of minigrad or of PyTorch, and asks for its numbers, one by one.

    The arguments are those of ``minigrad.viz.step``. order: in which order the graph is walked;
    the learner may choose another. ask: what to predict, ``"steps"`` (one number of each) or
    ``"grads"`` (only what each leaf's ``.grad`` will be).

    TypeError for anything but tensors, ValueError for an unknown order or thing to ask.

    >>> import minigrad as torch
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> y = x * x
    >>> stepper = BackwardStepper(y)
    >>> stepper
    <BackwardStepper: step 0 of 3>
    >>> stepper.forward()
    Traceback (most recent call last):
    minigrad.widgets.questions.PredictFirst: Predict first: MulBackward0 receives 1. \
What does it pass to x (as self)?
    >>> stepper.predict(3)
    Right: 3. It passes 1 × other (= 3) = 3.
    >>> stepper.predict(3)
    Not quite: you said 3; the answer is 6. That came along one way only: what comes \
along all ways is added up. 3 + 3 = 6 arrives for x.grad: None → 6.
    """

    state: BackwardStepperState

    def __init__(
        self,
        *tensors: TensorLike,
        gradient: Any = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Any = None,
        names: Mapping[str, TensorLike] | None = None,
        order: str = ENGINE,
        ask: str = "steps",
    ) -> None:
        named = names_in_frame(sys._getframe(1)) if names is None else given_names(names)
        recording = recorded_backward(
            tensors, gradient, retain_graph, create_graph, inputs, named=named
        )
        state = BackwardStepperState(recording, order, ask)
        self.controls = StepControls(
            state.steps, lambda step: self.act(lambda: state.go(step)), order
        )
        self.order = self.controls.order
        self.order.observe(lambda change: self.act(lambda: state.choose(change["new"])), "value")
        super().__init__(state, [self.controls], below=[self.controls.graph])
        self.add_class("minigrad-steps")

    def redraw(self) -> None:
        self.controls.show(self.state.steps)

    def forward(self) -> None:
        """Go to the next step, if there is one; PredictFirst while it asks for a prediction."""
        self.go(min(self.state.steps.position + 1, self.state.steps.last))

    def back(self) -> None:
        """Go one step back, if there is one."""
        self.go(max(self.state.steps.position - 1, 0))

    def go(self, position: int) -> None:
        """Go to a step by its number; PredictFirst while one on the way asks for a prediction."""
        try:
            self.state.go(position)
        finally:
            self.refresh()

    def choose(self, order: str) -> None:
        """Begin again in another order: ``"engine"``, ``"recursion"`` or ``"overwrite"``."""
        if order not in ORDERS:
            raise ValueError(f"order must be one of {', '.join(ORDERS)}, but got {order!r}")
        self.order.value = order
