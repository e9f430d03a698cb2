"""The questions about a backward pass, and what to say about typical mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from minigrad.viz.backward.amounts import Amount, Array
from minigrad.viz.backward.answers import Mistake, Numbers, Verdict, judge
from minigrad.viz.backward.orders import OVERWRITE
from minigrad.viz.backward.recording import EdgeGradient, Event, GradUpdate
from minigrad.viz.backward.sentences import Sentences, amount

_MOST_NUMBERS = 4  # that one question asks for

_MULTIPLY_BY_ARRIVED = "That's the local derivative: multiply it by the gradient that arrives."
_MULTIPLY_BY_LOCAL = "That's the gradient that arrives: multiply it by the local derivative."
_NOT_ADDED = "Multiply the two instead of adding them."
_ADD_FIRST = "That's for one of the gradients that arrive. They're added up first."
_OTHER_INPUT = "That goes to its other input."
_VALUE = "That's the value, which goes forward. The question is about the gradient that goes back."
_SIGN = "It has the opposite sign."
_ACCUMULATES = "That's what arrives now. It's added to what .grad held before."
_WAS_THERE = "That's what was there before. What arrives now is added to it."
_REPLACES = "In this wrong order nothing is added: the new gradient replaces the old one."
_ONE_PATH = "That came along only one path. The gradients from all paths are added up."

_Wrong = Iterator[tuple[Array | None, str]]


@dataclass(frozen=True)
class Question:
    """A number of the next step, or a few: the prompt, the answer, and the reason for it."""

    prompt: str
    kind: Numbers
    answer: Any
    mistakes: tuple[Mistake, ...]
    because: str

    def judge(self, prediction: Any) -> Verdict:
        """What to say about a prediction; ValueError if it can't be read as one."""
        read = self.kind.read(prediction)
        return judge(self.kind, read, self.answer, self.mistakes, self.because)


def question_of(sentences: Sentences, event: Event) -> Question | None:
    """What to ask before a step is shown; None if none of its numbers is known."""
    return _Asking(sentences, event).question()


class _Asking:
    """The question about one run of a node."""

    def __init__(self, sentences: Sentences, event: Event) -> None:
        self.sentences = sentences
        self.event = event
        self.shape: tuple[int, ...] = ()
        self.place: tuple[int, ...] = ()  # of the number that is asked for, if not for all

    def question(self) -> Question | None:
        """About the leaf's ``.grad``, or else about the first edge with numbers."""
        for update in self.event.updates:
            if self.sentences.nodes[self.event.node].kind == "accumulate":
                return self._about_leaf(update)
        for edge in self.event.edges:
            if edge.gradient is not None and edge.gradient.array is not None:
                return self._about_edge(edge)
        return None

    def _about_leaf(self, update: GradUpdate) -> Question | None:
        new = None if update.new is None else update.new.array
        if new is None or not new.size:
            return None
        self._choose_place(new)
        tensor = self.sentences.tensor(update.tensor)
        grad = f"{tensor}.grad{list(self.place) if self.place else ''}"
        old = self._at(update.old)
        was = amount(update.old) if old is None else Numbers().show(old)
        prompt = f"The gradient reaches {tensor}; {grad} was {was} until now. "
        prompt += f"What is {grad} after this step?"
        because = self.sentences.grad_update(update, self.event)
        return self._made(prompt, new, self._mistakes_at_leaf(update, old), because)

    def _mistakes_at_leaf(self, update: GradUpdate, old: Array | None) -> _Wrong:
        arrived = self._at(self.event.upstream[0]) if self.event.upstream else None
        if arrived is not None and old is not None:
            yield arrived, _ACCUMULATES
            yield old, _WAS_THERE
            yield old + arrived, _REPLACES if self.sentences.order == OVERWRITE else ""
        for part in self._several_parts():
            yield part, _ONE_PATH
        yield self._value(update.tensor), _VALUE
        if arrived is not None:
            yield -(arrived + (0.0 if old is None else old)), _SIGN

    def _about_edge(self, edge: EdgeGradient) -> Question | None:
        assert edge.gradient is not None
        down = edge.gradient.array
        if down is None or not down.size:
            return None
        self._choose_place(down)
        target = self.sentences.which(self.event, edge)
        of = f", at {list(self.place)}" if self.place else ""
        prompt = f"{self.sentences.arrival(self.event)} What does it pass to {target}{of}?"
        because = f"It passes {self.sentences.product(self.event, edge)} to {target}."
        return self._made(prompt, down, self._mistakes_at_edge(edge), because)

    def _mistakes_at_edge(self, edge: EdgeGradient) -> _Wrong:
        upstream = self.event.upstream
        up = self._at(upstream[0]) if len(upstream) == 1 else None
        local = self._at(edge.local)
        if local is not None and up is not None and edge.factor != "1":
            yield local, _MULTIPLY_BY_ARRIVED
            yield up, _MULTIPLY_BY_LOCAL
            yield up + local, _NOT_ADDED
        for part in self._several_parts():
            yield None if part is None or local is None else part * local, _ADD_FIRST
        for other in self.event.edges:
            yield None if other.input == edge.input else self._at(other.gradient), _OTHER_INPUT
        source = self.sentences.nodes[self.event.node].inputs[edge.input]
        tensor = self.sentences.words.at.get((source.node or "", source.output))
        yield None if tensor is None else self._value(tensor.id), _VALUE
        down = self._at(edge.gradient)
        yield None if down is None else -down, _SIGN

    def _made(self, prompt: str, numbers: Array, mistakes: _Wrong, because: str) -> Question:
        answer = numbers[self.place]
        kind = Numbers(answer.shape)
        wrong = [(number, says) for number, says in mistakes if number is not None and says]
        known = [Mistake(number, says) for number, says in wrong if not kind.near(number, answer)]
        return Question(prompt, kind, answer.tolist(), tuple(known), because)

    def _choose_place(self, array: Array) -> None:
        """Ask for all of a few numbers; of many, for the first that is neither 0 nor 1."""
        self.shape = array.shape
        if array.size > _MOST_NUMBERS:
            places = np.argwhere((array != 0) & (array != 1))
            self.place = tuple(map(int, places[0])) if len(places) else (0,) * array.ndim

    def _at(self, one: Amount | None) -> Array | None:
        """The numbers in the places of the answer, also of what was broadcast there."""
        array = None if one is None else one.array
        try:
            return None if array is None else np.broadcast_to(array, self.shape)[self.place]
        except ValueError:
            return None

    def _several_parts(self) -> list[Array | None]:
        parts = self.event.parts
        return [self._at(part) for part in parts] if len(parts) > 1 else []

    def _value(self, tensor: str) -> Array | None:
        """The forward value of a tensor, if the snapshot shows all of it."""
        items = self.sentences.words.tensors[tensor].value.items
        try:
            numbers: Array = np.asarray(items, dtype=float)[self.place]
        except (TypeError, ValueError, IndexError):
            return None
        return numbers
