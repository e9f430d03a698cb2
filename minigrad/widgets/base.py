"""What all instruments share: a state in plain Python, and the widget that shows it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property, wraps
from html import escape
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import ipywidgets
from IPython.core.getipython import get_ipython

from minigrad.viz.backward.answers import Verdict
from minigrad.viz.draw import svg
from minigrad.viz.draw.theme import THEMES
from minigrad.viz.live.keys import keep_keys
from minigrad.widgets.page import button, html, html_table, message, verdict
from minigrad.widgets.prediction import PredictionPanel
from minigrad.widgets.questions import PredictFirst, Question, is_teacher

STYLE = f"<style>{(Path(__file__).parent / 'style.css').read_text(encoding='utf-8')}</style>"
_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


class State(ABC):
    """An instrument without its widgets: the open question, and what has been revealed so far.

    A question is about the state's ``topic``, such as a program; ``question_about`` makes it.
    """

    title: str  # the instrument's name in words, such as "Leaf inspector"
    verdict: Verdict | None = None  # on the last prediction

    def __init__(self) -> None:
        self._questions: dict[Hashable, Question] = {}  # by topic

    @property
    def topic(self) -> Hashable | None:
        """What the question is about; None if there is nothing to ask."""
        return None

    def question_about(self, topic: Any) -> Question:
        """The question about a topic."""
        raise NotImplementedError

    def knows(self, topic: Hashable) -> bool:
        """Whether the question about this topic was answered."""
        return topic in self._questions and not self._questions[topic].is_open

    @property
    def question(self) -> Question | None:
        """The question that waits for a prediction, if there is one."""
        topic = self.topic
        if topic is None or self.knows(topic):
            return None
        if topic not in self._questions:
            self._questions[topic] = self.question_about(topic)
        return self._questions[topic]

    @property
    @abstractmethod
    def summary(self) -> str:
        """What is shown, in half a line."""

    @property
    def head(self) -> Sequence[str]:
        """The columns of the table."""
        return ()

    @property
    def rows(self) -> list[list[str]]:
        """The table, with ``?`` for everything that was not predicted yet."""
        return []

    @property
    def current(self) -> int | None:
        """The row that the question is about."""
        return None

    @property
    def text(self) -> str:
        """Everything that is shown, as text that is the same in every run."""
        return f"{self.title}: {self.summary}\n{text_table(self.head, self.rows)}"

    def chart(self) -> str:
        """A chart of the results as SVG; empty before there are results."""
        return ""

    def svg(self) -> str:
        """A picture of what is shown: the chart, or else the text."""
        return self.chart() or svg.of_text(self.text, "", THEMES["light"])

    def predict(self, prediction: Any) -> Verdict:
        """Answer the open question; after a wrong prediction it may stay open.

        ValueError for something that is no prediction, RuntimeError if no question is open.
        """
        question = self.question
        if question is None:
            raise RuntimeError("There's no open question to answer")
        self.verdict = question.predict(prediction)
        if not question.is_open:
            self.answered(question)
        return self.verdict

    def reveal(self) -> None:
        """Show the answer of the open question without a prediction; PredictFirst for learners."""
        question = self.question
        if question is not None:
            question.reveal()
            self.verdict = None
            self.answered(question)

    def answered(self, question: Question) -> None:  # noqa: B027 - nothing to do by default
        """Called when a question's answer was revealed."""

    def require_answer(self) -> None:
        """PredictFirst while a question is open; for a teacher, its answer is shown instead."""
        question = self.question
        if question is not None:
            if not is_teacher():
                raise PredictFirst(f"Predict first: {question.prompt}")
            self.reveal()


def text_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows as lines of columns, each as wide as its widest entry."""
    lines = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def on_state(
    method: Callable[Concatenate[Any, _Parameters], _Result],
) -> Callable[Concatenate[Any, _Parameters], _Result]:
    """A state's method as a method of the instrument, which then shows the result."""

    @wraps(method)
    def act(self: Any, *arguments: _Parameters.args, **options: _Parameters.kwargs) -> _Result:
        result = method(self.state, *arguments, **options)
        self.refresh()
        return result

    return act  # type: ignore[return-value]


class Instrument(ipywidgets.VBox):  # type: ignore[misc]
    """A state on the page: title, body, the open question, and the verdict on the last one.

    A subclass makes its state and its body, hands both to ``__init__``, and redraws the body in
    ``redraw``, which is called whenever the state may have changed.

    below: what comes below the question, such as a large picture.
    """

    _shell: Any = None  # the notebook's IPython, while its cells are followed
    _in_cell = False

    def __init__(
        self,
        state: State,
        body: Sequence[ipywidgets.Widget],
        below: Sequence[ipywidgets.Widget] = (),
    ) -> None:
        self.state = state
        self._links: list[tuple[ipywidgets.Widget, Callable[[], Any]]] = []
        self._heading = html()
        self._panel = PredictionPanel(self._on_prediction, self._hide_verdict)
        self._feedback = html()
        parts = [html(STYLE), self._heading, *body, self._feedback, self._panel, *below]
        super().__init__(parts)
        self.add_class("minigrad-instrument")
        keep_keys()
        self.refresh()

    @cached_property
    def table(self) -> ipywidgets.HTML:
        """The state's rows; a subclass puts it where it belongs."""
        return html()

    @cached_property
    def chart(self) -> ipywidgets.HTML:
        """The state's chart; a subclass puts it where it belongs."""
        return html()

    def redraw(self) -> None:
        """Bring the body up to date with the state."""

    def refresh(self, news: str = "") -> None:
        """Bring everything up to date; ``news`` takes the place of the verdict."""
        state = self.state
        self._heading.value = (
            f'<span class="mg-title" role="heading" aria-level="3">{escape(state.title)}'
            f'</span> <span class="mg-muted">· {escape(state.summary)}</span>'
        )
        self.chart.value = state.chart()
        self.table.value = html_table(state.head, state.rows, state.current)
        self.redraw()
        for control, read in self._links:
            control.value = read()
        self._panel.ask(state.question)
        self._feedback.value = message(news) if news else verdict(state.verdict)
        self._feedback.layout.visibility = "visible"
        self._feedback.layout.display = "" if self._feedback.value else "none"

    def predict(self, prediction: Any) -> Verdict:
        """Answer the open question, as its controls do; then the right answer is shown.

        ValueError for something that is no prediction, RuntimeError if no question is open.
        """
        judged = self.state.predict(prediction)
        self.refresh()
        return judged

    reveal = on_state(State.reveal)

    def act(self, action: Callable[[], object]) -> None:
        """Do what a control does, and show the result, or what it raised.

        The verdict and what was typed are cleared first.
        """
        news, self.state.verdict = "", None
        self._panel.clear()
        try:
            action()
        except PredictFirst as error:
            news = str(error)
        except Exception as error:  # of the learner's own code: shown as a cell would show it
            news = f"{type(error).__name__}: {error}"
        self.refresh(news)

    def button(
        self, text: str, tooltip: str, action: Callable[[], object], **more: Any
    ) -> ipywidgets.Button:
        """A button that acts on the state; the tooltip says what it does."""
        return button(text, tooltip, lambda: self.act(action), **more)

    def link(
        self,
        control: ipywidgets.Widget,
        read: Callable[[], Any],
        write: Callable[[Any], object],
    ) -> None:
        """Keep a control and a value of the state equal, whichever of the two changes."""

        def changed(change: dict[str, Any]) -> None:
            if change["new"] != read():
                self.act(lambda: write(change["new"]))

        control.value = read()
        control.observe(changed, "value")
        self._links.append((control, read))

    def follow_cells(self) -> None:
        """Call ``after_cell`` after each cell of the notebook, until ``close()``."""
        self._shell = get_ipython()
        if self._shell is not None:
            self._in_cell = True
            self._shell.events.register("pre_run_cell", self._before_cell)
            self._shell.events.register("post_run_cell", self._after_cell)

    @property
    def cell(self) -> int | None:
        """The number of the running cell; None between cells, and outside of a notebook."""
        if self._shell is None or not self._in_cell:
            return None
        return len(self._shell.history_manager.input_hist_parsed) - 1

    def after_cell(self) -> None:
        """What to do after a cell: by default, refresh."""
        self.refresh()

    def close(self) -> None:
        """Stop following the notebook, and remove the instrument from the page."""
        if self._shell is not None:
            self._shell.events.unregister("pre_run_cell", self._before_cell)
            self._shell.events.unregister("post_run_cell", self._after_cell)
            self._shell = None
        super().close()

    def _before_cell(self, _: object) -> None:
        self._in_cell = True

    def _after_cell(self, _: object) -> None:
        self.after_cell()
        self._in_cell = False

    def _hide_verdict(self) -> None:
        """Hide the verdict on another prediction; its place stays, so that nothing jumps."""
        self.state.verdict = None
        self._feedback.layout.visibility = "hidden"

    def _on_prediction(self, prediction: Any) -> None:
        news, self.state.verdict = "", None
        try:
            self.state.predict(prediction)
        except ValueError as error:  # it can't be read as a prediction
            news = str(error)
        self.refresh(news)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.state.summary}>"

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """The widget; its text and a picture for where no kernel runs."""
        data: dict[str, Any] = super()._repr_mimebundle_(**options)
        return {**data, "text/plain": self.state.text, "image/svg+xml": self.state.svg()}
