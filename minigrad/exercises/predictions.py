"""What a lesson asks before it shows: predictions, questions on earlier lessons, explanations.

Each is one declaration in ``lesson_NN.py``, beside the exercises.
"""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from minigrad.exercises.exercise import lesson_modules
from minigrad.viz.backward.answers import Numbers, Verdict

_Kind = TypeVar("_Kind")


@dataclass(frozen=True)
class Prediction:
    """A question with its options, in order, each with the sentence that answers it.

    id: the lesson and ``p1``, ``p2`` ... for predictions, ``r1`` to ``r3`` for questions on earlier
    lessons. right: one of the options. number: the learner types a number instead of choosing;
    then the options are the right number and the wrong ones that have a sentence.

    ValueError if the right answer is not among the options.
    """

    id: str
    question: str
    right: str
    options: Mapping[str, str]
    number: bool = False

    def __post_init__(self) -> None:
        if self.right not in self.options:
            raise ValueError(f"{self.id}: {self.right!r} is none of the options")

    def option(self, pick: str) -> str:
        """The option that a pick means: for numbers, 0.50 is 0.5. ValueError for no number."""
        if not self.number:
            return pick
        value = Numbers().read(pick.replace(",", "."))  # 1/2 and 1e-3 are numbers, too
        return next((one for one in self.options if float(one) == value), f"{value:g}")

    def verdict(self, pick: str) -> Verdict:
        """What to say about a pick."""
        option = self.option(pick)
        why = self.options.get(option, "Compare it with the output below.")
        if option == self.right:
            return Verdict(True, f"Right: {option}. {why}")
        return Verdict(False, f"You said {option}: {why}")

    @property
    def text(self) -> str:
        """The question as text."""
        if self.number:
            return f"{self.question}\n  (a number)"
        return "\n".join([self.question, *(f"  ○ {option}" for option in self.options)])


@dataclass(frozen=True)
class Explanation:
    """A question to answer in words, the model answer, and the points that it makes."""

    id: str
    question: str
    answer: str
    points: tuple[str, ...]


def predictions_of(lesson: str) -> dict[str, Prediction]:
    """The predictions and questions of a lesson such as ``"04"``, by id, in order."""
    return {one.id: one for one in _declared(lesson) if isinstance(one, Prediction)}


def find_prediction(prediction_id: str) -> Prediction:
    """The prediction of that id. LookupError if there is none."""
    return _found(predictions_of(prediction_id[:2]), prediction_id, "prediction")


def find_explanation(explanation_id: str) -> Explanation:
    """The explanation of that id. LookupError if there is none."""
    declared = _declared(explanation_id[:2])
    found = {one.id: one for one in declared if isinstance(one, Explanation)}
    return _found(found, explanation_id, "question")


def _declared(lesson: str) -> list[object]:
    module = f"lesson_{lesson}"
    if module not in lesson_modules():
        return []
    return list(getattr(importlib.import_module(f"minigrad.exercises.{module}"), "QUESTIONS", ()))


def _found(known: dict[str, _Kind], key: str, kind: str) -> _Kind:
    if key not in known:
        raise LookupError(f"There is no {kind} {key!r}. There are: {', '.join(known) or 'none'}.")
    return known[key]
