"""Where a learner predicts: the question, a control that fits it, and a button."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

import ipywidgets

from minigrad.widgets.state.expected import Choice, Expected, Subset
from minigrad.widgets.state.question import Question

_WIDE = "22em"


class PredictionPanel(ipywidgets.VBox):  # type: ignore[misc]
    """The open question with its controls; empty while nothing is asked.

    ``control`` is what holds the prediction, and ``button.click()`` gives it.
    """

    def __init__(self, on_prediction: Callable[[Any], None]) -> None:
        self._on_prediction = on_prediction
        self._question: Question | None = None
        self._prompt = ipywidgets.HTML()
        self.control: ipywidgets.Widget | None = None
        self.button = ipywidgets.Button(
            description="Predict",
            tooltip="Give this prediction; then the answer is shown",
            button_style="primary",
            layout=ipywidgets.Layout(width="auto"),
        )
        self.button.on_click(lambda _: self._give())
        super().__init__()

    def ask(self, question: Question | None) -> None:
        """Show this question; what is typed stays while it is the same one."""
        if question is self._question:
            return
        self._question = question
        if question is None:
            self.control = None
            self.children = []
            return
        self._prompt.value = f'<div class="mg-prompt">{escape(question.prompt)}</div>'
        self.control = self._fitting(question.expected)
        layout = ipywidgets.Layout(flex_flow="row wrap", align_items="flex-end", grid_gap="6px")
        answer = ipywidgets.HBox([self.control, self.button], layout=layout)
        self.children = [self._prompt, answer]

    def _fitting(self, expected: Expected) -> ipywidgets.Widget:
        if isinstance(expected, Choice):
            layout = ipywidgets.Layout(width="auto")
            return ipywidgets.RadioButtons(options=expected.options, value=None, layout=layout)
        if isinstance(expected, Subset):
            boxes = [
                ipywidgets.Checkbox(
                    description=option, indent=False, layout=ipywidgets.Layout(width="auto")
                )
                for option in expected.options
            ]
            return ipywidgets.VBox(boxes)
        text = ipywidgets.Text(
            description="Prediction",
            placeholder=expected.hint,
            layout=ipywidgets.Layout(width=_WIDE),
        )
        text.on_msg(self._on_message)
        return text

    def _on_message(self, _: object, content: dict[str, Any], __: object) -> None:
        if content.get("event") == "submit":  # the Enter key
            self._give()

    def _give(self) -> None:
        self._on_prediction(self._given())

    def _given(self) -> Any:
        if isinstance(self.control, ipywidgets.VBox):
            return [box.description for box in self.control.children if box.value]
        return "" if self.control is None or self.control.value is None else self.control.value
