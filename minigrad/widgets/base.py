"""What all instruments share: a state, what is shown of it, and a place to predict."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

import ipywidgets
from IPython.core.getipython import get_ipython

from minigrad.viz.draw import svg
from minigrad.viz.draw.theme import THEMES
from minigrad.viz.live.keys import keep_keys
from minigrad.widgets.prediction import PredictionPanel
from minigrad.widgets.questions import PredictFirst, Question, Verdict, is_teacher


class State(ABC):
    """One instrument as it stands: the open question, and what has been revealed so far."""

    title: str  # the instrument's name in words, such as "Leaf inspector"
    verdict: Verdict | None = None  # what was said of the last prediction

    @property
    @abstractmethod
    def question(self) -> Question | None:
        """The question that waits for a prediction; None when there is none."""

    @property
    @abstractmethod
    def summary(self) -> str:
        """What is shown, in half a line."""

    @property
    @abstractmethod
    def text(self) -> str:
        """All that is shown, as text that is the same in every run."""

    def svg(self) -> str:
        """All that is shown, as a picture; by default the text as a picture."""
        return svg.of_text(self.text, "", THEMES["light"])

    def predict(self, prediction: Any) -> Verdict:
        """Answer the open question; it may stay open, if the prediction was wrong.

        ValueError for what is no prediction, RuntimeError when nothing is asked.
        """
        question = self.question
        if question is None:
            raise RuntimeError("There is no open question to predict the answer of")
        self.verdict = question.predict(prediction)
        if not question.is_open:
            self.answered(question)
        return self.verdict

    def reveal(self) -> None:
        """Show the answer of the open question without a prediction; only for teachers.

        PredictFirst for everybody else.
        """
        question = self.question
        if question is not None:
            question.reveal()
            self.verdict = None
            self.answered(question)

    @abstractmethod
    def answered(self, question: Question) -> None:
        """Called when a question's answer was revealed; asks the next, where there is one."""

    def require_answer(self) -> None:
        """PredictFirst while a question is open, a teacher's mode aside."""
        question = self.question
        if question is not None:
            if not is_teacher():
                raise PredictFirst(f"Predict first: {question.prompt}")
            self.reveal()


def text_table(rows: list[list[str]]) -> str:
    """Rows as lines of columns, each as wide as its widest entry."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)


_STYLE = f"<style>{(Path(__file__).parent / 'style.css').read_text(encoding='utf-8')}</style>"


class Instrument(ipywidgets.VBox):  # type: ignore[misc]
    """A state on the page: title, body, what was said of the last question, and the open one.

    A subclass makes its state and its body, hands both to ``__init__``, and redraws the body in
    ``redraw``, which is called whenever the state may have changed. below: what stands under the
    question, such as a large picture that it is about, so that both are in sight.
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
        self._heading = html()
        self._panel = PredictionPanel(self._on_prediction, self._take_back)
        self._feedback = html()
        asked = [self._feedback, self._panel]  # what was said of the last, then the next
        super().__init__([html(_STYLE), self._heading, *body, *asked, *below])
        self.add_class("minigrad-instrument")
        keep_keys()
        self.refresh()

    def redraw(self) -> None:
        """Bring the body up to date with the state."""

    def refresh(self, said: str = "") -> None:
        """Bring everything up to date; ``said`` is shown where verdicts are."""
        state = self.state
        self._heading.value = (
            f'<span class="mg-title" role="heading" aria-level="3">{escape(state.title)}'
            f'</span> <span class="mg-muted">· {escape(state.summary)}</span>'
        )
        self.redraw()
        self._panel.ask(state.question)
        self._feedback.value = message(said) if said else verdict(state.verdict)
        self._feedback.layout.visibility = "visible"

    def predict(self, prediction: Any) -> Verdict:
        """Answer the open question, as its controls do; what was right is shown then.

        ValueError for what is no prediction, RuntimeError when nothing is asked.
        """
        judged = self.state.predict(prediction)
        self.refresh()
        return judged

    def reveal(self) -> None:
        """Show the open question's answer without a prediction; only in ``teacher_mode()``."""
        self.state.reveal()
        self.refresh()

    def act(self, action: Callable[[], object]) -> None:
        """Do what a control stands for, and show what came of it, a refusal in words included.

        What was said before, and what was typed, is gone then.
        """
        said, self.state.verdict = "", None
        self._panel.clear()
        try:
            action()
        except PredictFirst as error:
            said = str(error)
        except Exception as error:  # of the learner's own code: told, as a cell would
            said = f"{type(error).__name__}: {error}"
        self.refresh(said)

    def button(
        self, text: str, tooltip: str, action: Callable[[], object], **more: Any
    ) -> ipywidgets.Button:
        """A button as wide as its text; the tooltip says what it does."""
        layout = ipywidgets.Layout(width="auto")
        made = ipywidgets.Button(description=text, tooltip=tooltip, layout=layout, **more)
        made.on_click(lambda _: self.act(action))
        return made

    def follow_cells(self) -> None:
        """Know which ``cell`` runs, and call ``after_cell`` after each, until ``close()``."""
        self._shell = get_ipython()
        if self._shell is not None:
            self._in_cell = True
            self._shell.events.register("pre_run_cell", self._before_cell)
            self._shell.events.register("post_run_cell", self._after_cell)

    @property
    def cell(self) -> int | None:
        """The number of the cell that runs; None between cells and where there are none."""
        if self._shell is None or not self._in_cell:
            return None
        return len(self._shell.history_manager.input_hist_parsed) - 1

    def after_cell(self) -> None:
        """What to do after a cell: by default, look again."""
        self.refresh()

    def close(self) -> None:
        """Follow the notebook no longer, and take the instrument off the page."""
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

    def _take_back(self) -> None:
        """Take back what was said of another prediction; its place stays, and nothing jumps."""
        self.state.verdict = None
        self._feedback.layout.visibility = "hidden"

    def _on_prediction(self, prediction: Any) -> None:
        said, self.state.verdict = "", None
        try:
            self.state.predict(prediction)
        except ValueError as error:  # it cannot be read as a prediction
            said = str(error)
        self.refresh(said)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.state.summary}>"

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """The widget; its text and a picture for where no kernel runs."""
        data: dict[str, Any] = super()._repr_mimebundle_(**options)
        return {**data, "text/plain": self.state.text, "image/svg+xml": self.state.svg()}


def html(value: str = "") -> ipywidgets.HTML:
    """A piece of the page."""
    return ipywidgets.HTML(value)


def row(*widgets: ipywidgets.Widget) -> ipywidgets.HBox:
    """Controls beside each other, in as many lines as the window needs."""
    layout = ipywidgets.Layout(flex_flow="row wrap", align_items="center", grid_gap="4px 8px")
    return ipywidgets.HBox(widgets, layout=layout)


def html_table(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    current: int | None = None,
    kind: str = "mg-scroll",
) -> str:
    """A table as HTML; ``current`` is the row that is asked about.

    kind: "mg-scroll" scrolls where it is too wide, "mg-cards" makes a card of each row there.
    """
    top = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    lines = []
    for index, cells in enumerate(rows):
        here = ' class="mg-current" aria-current="true"' if index == current else ""
        named = zip(head, cells, strict=True)
        body = "".join(f'<td data-head="{escape(n)}">{escape(cell)}</td>' for n, cell in named)
        lines.append(f"<tr{here}>{body}</tr>")
    return (
        f'<div class="{kind}" tabindex="0"><table>'
        f"<thead><tr>{top}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
    )


def message(text: str) -> str:
    """A sentence that a screen reader says when it appears."""
    return f'<div class="mg-verdict" role="status">{escape(text)}</div>' if text else ""


def verdict(judged: Verdict | None) -> str:
    """What was said of a prediction; its first word tells right from wrong, as the colour does."""
    if judged is None:
        return ""
    first, colon, rest = judged.text.partition(":")
    kind = "mg-is-right" if judged.right else "mg-is-wrong"
    said = f"<b>{escape(first)}{colon}</b>{escape(rest)}"
    return f'<div class="mg-verdict {kind}" role="status">{said}</div>'
