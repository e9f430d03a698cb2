"""Where a learner predicts: the question, a control that fits it, and a button."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

import ipywidgets

from minigrad.widgets.expected import NONE, Choice, Expected, Subset
from minigrad.widgets.questions import Question

_SHOWN, _HIDDEN = "", "none"  # not None, which the comms of a browser lose
_A_ROW = "1 1 100%"  # the button stands below what is chosen from


class PredictionPanel(ipywidgets.VBox):  # type: ignore[misc]
    """The open question with the control that fits it; hidden while nothing is asked.

    Controls and button stay the same from question to question, so that the keyboard's focus does.

    on_prediction: what to do with a prediction, when ``button`` or the Enter key gives it.
    on_change: what to do when another prediction is typed or chosen.
    """

    def __init__(self, on_prediction: Callable[[Any], None], on_change: Callable[[], None]) -> None:
        self._on_prediction, self._on_change = on_prediction, on_change
        self._question: Question | None = None
        self._prompt = ipywidgets.HTML()
        self.text = ipywidgets.Text(description="Prediction", layout=_layout(width="22em"))
        self.text.on_msg(self._on_message)
        self.choice = ipywidgets.RadioButtons(layout=_layout(width="auto", flex=_A_ROW))
        self.boxes = ipywidgets.VBox(layout=_layout(flex=_A_ROW))
        for control in (self.text, self.choice):
            control.observe(self._changed, "value")
        self.button = ipywidgets.Button(
            description="Predict",
            tooltip="Give this prediction, and read what is said of it",
            button_style="primary",
            layout=ipywidgets.Layout(width="auto"),
        )
        self.button.on_click(lambda _: self._give())
        answer = ipywidgets.HBox(
            [self.text, self.choice, self.boxes, self.button],
            layout=ipywidgets.Layout(flex_flow="row wrap", align_items="flex-end", grid_gap="6px"),
        )
        super().__init__([self._prompt, answer], layout=_layout())

    def ask(self, question: Question | None) -> None:
        """Show this question; what is typed stays while it is the same one."""
        if question is self._question:
            return
        self._question = None  # while the controls are emptied, which is nobody's choice
        if question is not None:
            self._prompt.value = f'<div class="mg-prompt">{escape(question.prompt)}</div>'
            self._fit(question.expected)
        self._question = question
        self.layout.display = _HIDDEN if question is None else _SHOWN

    def clear(self) -> None:
        """Forget what is typed, because something else has happened since."""
        self.text.value = ""

    def _fit(self, expected: Expected) -> None:
        """Show the one control that fits, without a prediction in it."""
        fitting = self.text
        if isinstance(expected, Choice):
            fitting = self.choice
            with self.choice.hold_sync():
                self.choice.options = expected.options
                self.choice.value = None
        elif isinstance(expected, Subset):
            fitting = self.boxes
            self.boxes.children = [self._checkbox(o) for o in (*expected.options, NONE)]
        else:
            self.clear()
            self.text.placeholder = expected.hint
        for control in (self.text, self.choice, self.boxes):
            control.layout.display = _SHOWN if control is fitting else _HIDDEN

    def _checkbox(self, option: str) -> ipywidgets.Checkbox:
        layout = ipywidgets.Layout(width="auto")
        box = ipywidgets.Checkbox(description=option, indent=False, layout=layout)
        box.observe(self._changed, "value")
        return box

    def _changed(self, change: dict[str, Any]) -> None:
        if not change["new"] or self._question is None:
            return
        for box in self.boxes.children:  # "none of them" excludes the others, and they exclude it
            if (box.description == NONE) != (change["owner"].description == NONE):
                box.value = False
        self._on_change()

    def _on_message(self, _: object, content: dict[str, Any], __: object) -> None:
        if content.get("event") == "submit":  # the Enter key
            self._give()

    def _give(self) -> None:
        if self._question is not None:
            self._on_prediction(self._given(self._question.expected))

    def _given(self, expected: Expected) -> Any:
        if isinstance(expected, Choice):
            return self.choice.value or ""
        if isinstance(expected, Subset):
            chosen = [box.description for box in self.boxes.children if box.value]
            return [] if chosen == [NONE] else chosen or ""
        return self.text.value


def _layout(**more: str) -> ipywidgets.Layout:
    return ipywidgets.Layout(display=_HIDDEN, **more)
