"""A question that is answered by a prediction before anything is revealed."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from minigrad.widgets.expected import Expected

_TEACHER = "MINIGRAD_TEACHER"
_teacher: bool | None = None  # as told by teacher_mode(), else the environment says


def teacher_mode(on: bool = True) -> None:
    """Let instruments reveal without a prediction, or not any more; for who prepares a class.

    Setting MINIGRAD_TEACHER=1 in the environment does the same from outside.
    """
    global _teacher
    _teacher = on


def is_teacher() -> bool:
    """Whether instruments may reveal without a prediction."""
    return os.environ.get(_TEACHER) == "1" if _teacher is None else _teacher


class PredictFirst(RuntimeError):
    """Something was to be revealed before a prediction was given."""


@dataclass(frozen=True)
class Mistake:
    """A wrong prediction that is often made, and what to say to who makes it."""

    prediction: Any
    says: str


@dataclass(frozen=True, repr=False)
class Verdict:
    """What is said of a prediction: whether it was right, and a kind sentence or two."""

    right: bool
    text: str

    def __repr__(self) -> str:
        return self.text


class Question:
    """Asked, then predicted, then judged and thereby revealed.

    prompt: what is asked, in one or two sentences of plain text.
    expected: what a prediction looks like, and when it is near enough (``Choice``, ``Numbers``...).
    answer: gives the right one. It is called when a prediction was given, or for a teacher, and
    never before; so nothing holds the answer until then.
    mistakes: predictions often made, or a function of the answer that gives them.
    because: why the answer is what it is, or a function of the answer that says so.
    again: how many wrong predictions leave it open, and are told what speaks against them; True
    for all of them.

    >>> from minigrad.widgets.expected import Numbers
    >>> question = Question("What is 1/3?", Numbers(), lambda: 1 / 3, because="1 = 3 × 1/3.")
    >>> question.answer
    Traceback (most recent call last):
    minigrad.widgets.questions.PredictFirst: Predict first: What is 1/3?
    >>> question.predict("0.33")
    Right: 0.3333. 1 = 3 × 1/3.
    """

    def __init__(
        self,
        prompt: str,
        expected: Expected,
        answer: Callable[[], Any],
        mistakes: Iterable[Mistake] | Callable[[Any], Iterable[Mistake]] = (),
        because: str | Callable[[Any], str] = "",
        again: bool | int = False,
    ) -> None:
        self.prompt = prompt
        self.expected = expected
        self.prediction: Any = None
        self.verdict: Verdict | None = None
        self._find_answer = answer
        self._find_mistakes = mistakes if callable(mistakes) else lambda _: mistakes
        self._find_reason = because if callable(because) else lambda _: because
        self._again = math.inf if again is True else again
        self._revealed: tuple[Any] | None = None

    @property
    def is_open(self) -> bool:
        """Whether the answer still waits for a prediction."""
        return self._revealed is None

    @property
    def answer(self) -> Any:
        """The right answer; PredictFirst while the question is open."""
        if self._revealed is None:
            raise PredictFirst(f"Predict first: {self.prompt}")
        return self._revealed[0]

    def predict(self, prediction: Any) -> Verdict:
        """Judge a prediction, which reveals the answer; later predictions change nothing.

        ValueError, and the question stays open, for what cannot be read as a prediction.
        """
        if self.verdict is None or self.is_open:
            read = self.expected.read(prediction)
            answer = self._find_answer()
            self.prediction, self.verdict = read, self._judge(read, answer)
            if self.verdict.right or self._again < 1:
                self._revealed = (answer,)
            self._again -= 1
        return self.verdict

    def reveal(self) -> Any:
        """The answer without a prediction, for teachers; for others PredictFirst."""
        if self._revealed is None and is_teacher():
            self._revealed = (self._find_answer(),)
        return self.answer

    def _judge(self, prediction: Any, answer: Any) -> Verdict:
        expected = self.expected
        said, true = expected.show(prediction), expected.show(answer)
        reason = self._find_reason(answer)
        if expected.near(prediction, answer):
            return Verdict(True, f"Right: {true}. {reason}".rstrip())
        hints = self._matching(self._find_mistakes(answer), prediction)
        if self._again >= 1:
            return Verdict(False, " ".join([f"Not quite: {said}?", *hints[:1], expected.again]))
        sentences = [f"Not quite: you said {said}; the answer is {true}.", *hints[:1], reason]
        return Verdict(False, " ".join(filter(None, sentences)))

    def _matching(self, mistakes: Iterable[Mistake], prediction: Any) -> Sequence[str]:
        near = self.expected.near
        return [mistake.says for mistake in mistakes if near(prediction, mistake.prediction)]


class Sealed:
    """A value that a question may ask for later: kept where looking at attributes finds nothing.

    >>> sealed = Sealed(42)
    >>> sealed
    Sealed()
    >>> sealed.open()
    42
    """

    __slots__ = ("open",)

    def __init__(self, value: Any) -> None:
        self.open: Callable[[], Any] = lambda: value

    def __repr__(self) -> str:
        return "Sealed()"
