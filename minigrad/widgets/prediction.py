"""Where a learner predicts: the question, a control for its kind of answer, and a button."""

from collections.abc import Callable
from html import escape
from typing import Any

import ipywidgets

from minigrad.viz.backward.answers import AnswerKind
from minigrad.widgets.answers import NONE, Choice, Subset
from minigrad.widgets.page import button
from minigrad.widgets.questions import Question

_SHOWN, _HIDDEN = "", "none"  # not None, which doesn't reach a browser
_WHOLE_LINE = "1 1 100%"  # the button comes below the options


class PredictionPanel(ipywidgets.VBox):  # type: ignore[misc]
    """The open question with a control for its answer; hidden if there is no question.

    Controls and button stay the same from question to question, so the keyboard's focus stays, too.

    on_prediction: called with a prediction, when the button or the Enter key is pressed.
    on_change: called when another prediction is typed or chosen.
    """

    def __init__(self, on_prediction: Callable[[Any], None], on_change: Callable[[], None]) -> None:
        self._on_prediction, self._on_change = on_prediction, on_change
        self._question: Question | None = None
        self._prompt = ipywidgets.HTML()
        self.text = ipywidgets.Text(description="Prediction", layout=_layout(width="22em"))
        self.text.on_msg(self._on_message)
        self.choice = ipywidgets.RadioButtons(layout=_layout(width="auto", flex=_WHOLE_LINE))
        self.boxes = ipywidgets.HBox(
            layout=_layout(flex=_WHOLE_LINE, flex_flow="row wrap", grid_gap="0 16px")
        )
        for control in (self.text, self.choice):
            control.observe(self._changed, "value")
        self.button = button(
            "Predict", "Check this prediction", self._submit, button_style="primary"
        )
        wrapped = ipywidgets.Layout(flex_flow="row wrap", align_items="flex-end", grid_gap="6px")
        self.controls = ipywidgets.HBox(
            [self.text, self.choice, self.boxes, self.button], layout=wrapped
        )
        super().__init__([self._prompt, self.controls], layout=_layout())

    def ask(self, question: Question | None) -> None:
        """Show this question; what was typed stays while it is the same one."""
        if question is self._question:
            return
        self._question = None  # while the controls are emptied, which isn't the learner's choice
        if question is not None:
            self._prompt.value = f'<div class="mg-prompt">{escape(question.prompt)}</div>'
            self._show_control(question.kind)
        self._question = question
        self.layout.display = _HIDDEN if question is None else _SHOWN

    def clear(self) -> None:
        """Empty the text field."""
        self.text.value = ""

    def _show_control(self, kind: AnswerKind) -> None:
        """Show the control for this kind of answer, without a prediction in it."""
        shown = self.text
        if isinstance(kind, Choice):
            shown = self.choice
            with self.choice.hold_sync():
                self.choice.options = kind.options
                self.choice.value = None
        elif isinstance(kind, Subset):
            shown = self.boxes
            self.boxes.children = [self._checkbox(option) for option in (*kind.options, NONE)]
        else:
            self.clear()
            self.text.placeholder = kind.hint
        for control in (self.text, self.choice, self.boxes):
            control.layout.display = _SHOWN if control is shown else _HIDDEN

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
            self._submit()

    def _submit(self) -> None:
        if self._question is not None:
            self._on_prediction(self._prediction(self._question.kind))

    def _prediction(self, kind: AnswerKind) -> Any:
        if isinstance(kind, Choice):
            return self.choice.value or ""
        if isinstance(kind, Subset):
            chosen = [box.description for box in self.boxes.children if box.value]
            return [] if chosen == [NONE] else chosen or ""
        return self.text.value


def _layout(**more: str) -> ipywidgets.Layout:
    return ipywidgets.Layout(display=_HIDDEN, **more)
