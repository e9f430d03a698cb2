"""predict, recall and explain: how a lesson asks, as widgets that are text without a kernel."""

from html import escape
from typing import Any

import ipywidgets
from IPython.core.getipython import get_ipython

from minigrad.exercises import standing
from minigrad.exercises.predictions import (
    Explanation,
    Prediction,
    find_explanation,
    find_prediction,
    predictions_of,
)
from minigrad.viz.backward.answers import Verdict
from minigrad.widgets.base import STYLE
from minigrad.widgets.page import button, html, message, verdict

_NO_PICK = Verdict(False, "You didn't pick anything this time. What would you have said?")


def predict(prediction_id: str) -> "Ask":
    """Ask for a prediction; the next cell that runs settles it.

    A pick can be changed until then, and is kept with the progress. LookupError for another id.
    """
    ask = Ask(Questions([find_prediction(prediction_id)], at_once=False))
    ask.settle_after_next_cell()
    return ask


def recall(lesson: int) -> "Ask":
    """Ask the lesson's three questions on earlier lessons; each is answered at once.

    LookupError for a lesson that has none.
    """
    known = [one for key, one in predictions_of(f"{lesson:02}").items() if key[3] == "r"]
    if not known:
        raise LookupError(f"There are no questions on earlier lessons for lesson {lesson}.")
    return Ask(Questions(known, at_once=True))


def explain(explanation_id: str) -> "ExplainIt":
    """Ask for an explanation in words, to compare with a model answer.

    LookupError for another id.
    """
    return ExplainIt(find_explanation(explanation_id))


class Questions:
    """One or more questions, the learner's picks, and what is said about them.

    at_once: whether a pick gets its answer at once, or only with ``settle``.
    """

    def __init__(self, questions: list[Prediction], at_once: bool) -> None:
        self.questions = questions
        self.picks: dict[str, str] = {}
        self.verdicts: dict[str, Verdict] = {}
        self._at_once = at_once
        self.settled = False

    def pick(self, question: Prediction, value: str) -> None:
        """Note a pick. ValueError for something that should be a number and isn't."""
        self.picks[question.id] = question.option(value)
        if self._at_once:
            self._judge(question)

    def settle(self) -> None:
        """Judge the picks: the output that answers them is there."""
        self.settled = True
        for question in self.questions:
            if question.id in self.picks:
                self._judge(question)
            else:
                self.verdicts[question.id] = _NO_PICK

    @property
    def text(self) -> str:
        """The questions, and what was said, as text."""
        said = {key: found.text for key, found in self.verdicts.items()}
        parts = [[one.text, said.get(one.id, "")] for one in self.questions]
        return "\n\n".join("\n".join(filter(None, part)) for part in parts)

    def _judge(self, question: Prediction) -> None:
        pick = self.picks[question.id]
        self.verdicts[question.id] = question.verdict(pick)
        standing.note(question.id, attempts=1, solved=pick == question.right)


class Asking(ipywidgets.VBox):  # type: ignore[misc]
    """A widget that is its text where no kernel runs. kind: a class for its style."""

    def __init__(self, kind: str, parts: list[ipywidgets.Widget]) -> None:
        super().__init__([html(STYLE), *parts])
        self.add_class("minigrad-instrument").add_class(kind)

    @property
    def text(self) -> str:
        """What it asks, and what was said."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        data: dict[str, Any] = super()._repr_mimebundle_(**options)
        return {**data, "text/plain": self.text}


class Ask(Asking):
    """Questions as a widget: options to click, or a field for a number."""

    def __init__(self, state: Questions) -> None:
        self.state = state
        self._verdicts = {one.id: html() for one in state.questions}
        self._controls: list[ipywidgets.Widget] = []
        parts: list[ipywidgets.Widget] = []
        for question in state.questions:
            prompt = html(f'<div class="mg-prompt">{escape(question.question)}</div>')
            parts += [prompt, self._control(question), self._verdicts[question.id]]
        super().__init__("minigrad-ask", parts)

    @property
    def text(self) -> str:
        return self.state.text

    def settle_after_next_cell(self) -> None:
        """Judge the pick once the next cell has run."""
        shell = get_ipython()
        if shell is None:
            return

        def start(_: Any) -> None:
            shell.events.unregister("pre_run_cell", start)
            shell.events.register("post_run_cell", settle)

        def settle(_: Any) -> None:
            shell.events.unregister("post_run_cell", settle)
            self.state.settle()
            self._show()

        shell.events.register("pre_run_cell", start)

    def _control(self, question: Prediction) -> ipywidgets.Widget:
        if question.number:
            control = ipywidgets.Text(placeholder="a number", continuous_update=False)
        else:
            control = ipywidgets.RadioButtons(options=tuple(question.options), value=None)
            control.layout.width = "auto"
        control.observe(lambda change: self._picked(question, change["new"]), "value")
        self._controls.append(control)
        return control

    def _picked(self, question: Prediction, value: str | None) -> None:
        if not value:
            return
        try:
            self.state.pick(question, value)
        except ValueError:
            self._verdicts[question.id].value = message(f"{value!r} isn't a number.")
            return
        self._show()

    def _show(self) -> None:
        for key, shown in self._verdicts.items():
            shown.value = verdict(self.state.verdicts.get(key))
        for control in self._controls:
            control.disabled = self.state.settled


class ExplainIt(Asking):
    """A question to answer in words, and a button that shows the model answer beside it."""

    def __init__(self, explanation: Explanation) -> None:
        self.explanation = explanation
        prompt = html(f'<div class="mg-prompt">{escape(explanation.question)}</div>')
        layout = ipywidgets.Layout(width="100%", height="5em")
        self.answer = ipywidgets.Textarea(placeholder="In your own words ...", layout=layout)
        self.button = button("Compare", "Show a model answer", self.compare)
        self._model = html()
        self._points = ipywidgets.VBox()
        parts = [prompt, self.answer, self.button, self._model, self._points]
        super().__init__("minigrad-explain", parts)

    @property
    def text(self) -> str:
        return f"{self.explanation.question}\n  (in your own words)"

    def compare(self) -> None:
        """Show the model answer and its points; something has to be written first."""
        if not self.answer.value.strip():
            self._model.value = message("Write a sentence first, even a doubtful one.")
            return
        standing.note(self.explanation.id, attempts=1, solved=True)
        self._model.value = message(f"A model answer: {self.explanation.answer}")
        wide = ipywidgets.Layout(width="auto")
        self._points.children = [
            ipywidgets.Checkbox(description=f"Yours says: {point}", indent=False, layout=wide)
            for point in self.explanation.points
        ]
