"""Stepper: a recorded backward pass to step through, in a notebook or without a browser."""

from __future__ import annotations

from html import escape
from typing import Any

import ipywidgets

from minigrad.viz.backward.orders import ENGINE, ORDERS
from minigrad.viz.backward.questions import Verdict
from minigrad.viz.backward.recording import BackwardRecording
from minigrad.viz.backward.steps import Steps
from minigrad.viz.draw.drawing import Drawing
from minigrad.viz.draw.outline import outline
from minigrad.viz.live.step_controls import StepControls


class Stepper(ipywidgets.VBox):  # type: ignore[misc]
    """A backward pass step by step; ``minigrad.viz.step`` makes one.

    ``steps`` is where one is. ``forward()``, ``back()``, ``go(position)``, ``end()`` and
    ``jump("n2")`` do what the controls do; so does ``predict(6)``, which says what is right about
    a prediction of the next step's number and goes there.
    """

    def __init__(self, recording: BackwardRecording, order: str = ENGINE) -> None:
        self.recording = recording
        self.steps = Steps(recording, order)
        self.verdict: Verdict | None = None
        self.controls = StepControls(self.steps, self.go, order)
        self.order = self.controls.order
        self.order.observe(self._on_order, "value")
        self.prediction = ipywidgets.Text(
            placeholder="a number",
            layout=ipywidgets.Layout(width="9em"),
        )
        self.prediction.on_msg(self._on_message)
        self.button = ipywidgets.Button(
            description="Predict",
            tooltip="Give this number; then the next step is shown",
            layout=ipywidgets.Layout(width="auto"),
        )
        self.button.on_click(lambda _: self._give())
        self._prompt, self._said = ipywidgets.HTML(), ipywidgets.HTML()
        self._asking = ipywidgets.HBox(
            [self._prompt, self.prediction, self.button],
            layout=ipywidgets.Layout(
                flex_flow="row wrap", align_items="center", grid_gap="4px 8px"
            ),
        )
        graph = self.controls.graph
        super().__init__([self.controls, graph, self._asking, self._said])
        self.add_class("minigrad-steps")
        self._show()

    def forward(self) -> None:
        """Go to the next step, if there is one."""
        self.go(min(self.steps.position + 1, self.steps.last))

    def back(self) -> None:
        """Go one step back, if there is one."""
        self.go(max(self.steps.position - 1, 0))

    def end(self) -> None:
        """Go to after the last step."""
        self.go(self.steps.last)

    def go(self, position: int) -> None:
        """Go to a step by its number, 0 before all of them; ValueError if there is no such one."""
        self.steps.go(position)
        self.verdict = None
        self._show()

    def jump(self, node: str) -> None:
        """Go to where a node runs, given by its id in the outline; ValueError if it never does."""
        turns = self.steps.turns(node)
        if not turns:
            raise ValueError(f"{node!r} does not run in this backward pass")
        self.go(turns[0])

    def choose(self, order: str) -> None:
        """Begin again in another order, of ``ORDERS``; ValueError if there is no such one."""
        if order not in ORDERS:
            raise ValueError(f"order must be one of {', '.join(ORDERS)}, but got {order!r}")
        self.order.value = order

    def predict(self, prediction: float) -> Verdict:
        """Judge a prediction of the number asked for, and go to the step that shows it.

        TypeError for what is no number, RuntimeError where nothing is asked.
        """
        if isinstance(prediction, bool) or not isinstance(prediction, int | float):
            raise TypeError(f"predict() takes a number, but got {type(prediction).__name__}")
        question = self.steps.question
        if question is None:
            raise RuntimeError("There is no number to predict at this step")
        verdict = question.judge(prediction)
        self.forward()
        self.verdict = verdict
        self._show()
        return verdict

    def _on_order(self, change: dict[str, str]) -> None:
        self.steps = Steps(self.recording, change["new"])
        self.go(0)

    def _show(self) -> None:
        self.controls.show(self.steps)
        question = self.steps.question
        self._asking.layout.display = "none" if question is None else "flex"
        self._prompt.value = "" if question is None else f"<b>{escape(question.prompt)}</b>"
        self._say("" if self.verdict is None else self.verdict.text)

    def _say(self, text: str) -> None:
        self._said.value = f'<div class="mg-verdict" role="status">{escape(text)}</div>'

    def _on_message(self, _: object, content: dict[str, Any], __: object) -> None:
        if content.get("event") == "submit":  # the Enter key
            self._give()

    def _give(self) -> None:
        try:
            number = float(self.prediction.value.replace(",", "."))
        except ValueError:
            self._say("Type a number, such as 1.5.")
            return
        self.prediction.value = ""
        self.predict(number)

    def __repr__(self) -> str:
        return f"<Stepper: step {self.steps.position} of {self.steps.last}>"

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """The widget; where it is as text and as a picture for where no kernel runs."""
        steps = self.steps
        data: dict[str, Any] = super()._repr_mimebundle_(**options)
        text = f"{steps.text}\n{outline(steps.snapshot, steps.marks)}"
        picture = Drawing(steps.snapshot, marks=steps.marks).svg()
        return {**data, "text/plain": text, "image/svg+xml": picture}
