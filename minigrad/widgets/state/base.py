"""What the state of every instrument has."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from minigrad.viz.draw import svg
from minigrad.viz.draw.theme import THEMES
from minigrad.widgets.state.question import PredictFirst, Question, Verdict, is_teacher


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


def table(rows: list[list[str]]) -> str:
    """Rows as lines of columns, each as wide as its widest entry."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
