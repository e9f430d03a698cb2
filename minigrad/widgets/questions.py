"""Questions that show their answer only after a prediction."""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from minigrad.viz.backward.answers import AnswerKind, Mistake, Verdict, judge

_TEACHER = "MINIGRAD_TEACHER"
_teacher: bool | None = None  # set by teacher_mode(); if None, the environment decides


def teacher_mode(on: bool = True) -> None:
    """Let instruments reveal answers without a prediction, or stop that; for preparing a class.

    MINIGRAD_TEACHER=1 in the environment does the same.
    """
    global _teacher
    _teacher = on


def is_teacher() -> bool:
    """Whether instruments may reveal without a prediction."""
    return os.environ.get(_TEACHER) == "1" if _teacher is None else _teacher


class PredictFirst(RuntimeError):
    """An answer was needed before there was a prediction."""


@dataclass(eq=False, repr=False)
class Question:
    """A question that shows its answer only after a prediction.

    prompt: the question, in one or two sentences of plain text.
    kind: how a prediction is read, and when it is right (``Choice``, ``Numbers``, ...).
    find: computes the answer. It is called after a prediction, or for a teacher, and never
    before, so nothing holds the answer until then.
    mistakes: typical wrong predictions, or a function of the answer that gives them.
    because: why the answer is right, or a function of the answer that says so.
    again: how many wrong predictions leave the question open (True: all); each of these is told
    what is wrong with it.

    >>> from minigrad.viz.backward.answers import Numbers
    >>> question = Question("What is 1/3?", Numbers(), lambda: 1 / 3, because="1 = 3 × 1/3.")
    >>> question.answer
    Traceback (most recent call last):
    minigrad.widgets.questions.PredictFirst: Predict first: What is 1/3?
    >>> question.predict("0.33")
    Right: 0.3333. 1 = 3 × 1/3.
    """

    prompt: str
    kind: AnswerKind
    find: Callable[[], Any]
    mistakes: Iterable[Mistake] | Callable[[Any], Iterable[Mistake]] = ()
    because: str | Callable[[Any], str] = ""
    again: bool | int = False
    prediction: Any = field(init=False, default=None)
    verdict: Verdict | None = field(init=False, default=None)
    _revealed: tuple[Any] | None = field(init=False, default=None)

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

        ValueError for something that can't be read as a prediction; the question stays open.
        """
        if self.verdict is None or self.is_open:
            read = self.kind.read(prediction)
            answer = self.find()
            mistakes = self.mistakes(answer) if callable(self.mistakes) else self.mistakes
            because = self.because(answer) if callable(self.because) else self.because
            self.prediction = read
            self.verdict = judge(self.kind, read, answer, mistakes, because, bool(self.again))
            if self.verdict.right or not self.again:
                self._revealed = (answer,)
            if self.again is not True:
                self.again -= 1
        return self.verdict

    def reveal(self) -> Any:
        """The answer without a prediction, for teachers; PredictFirst for learners."""
        if self._revealed is None and is_teacher():
            self._revealed = (self.find(),)
        return self.answer


class Sealed:
    """A value that a question may ask for later, which attributes don't show.

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
