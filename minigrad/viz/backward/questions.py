"""Asking for a number of a backward pass before it is shown, and what to say to a prediction."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from minigrad.viz.backward.amounts import Amount, Array
from minigrad.viz.backward.orders import OVERWRITE
from minigrad.viz.backward.recording import Event, Passed, Stored
from minigrad.viz.backward.telling import Telling, amount
from minigrad.viz.read.values import format_number

RELATIVE, ABSOLUTE = 0.01, 0.005  # how far off a prediction may be

Place = tuple[int, ...]


@dataclass(frozen=True)
class Mistake:
    """A number that comes of a mistake often made, and what to say to who predicts it."""

    number: float
    says: str


@dataclass(frozen=True)
class Verdict:
    """What is said of a prediction."""

    right: bool
    text: str


@dataclass(frozen=True)
class Question:
    """One number of the next step: what is asked, the answer, and why it is that."""

    prompt: str
    answer: float
    mistakes: tuple[Mistake, ...]
    because: str

    def judge(self, prediction: float) -> Verdict:
        """Whether a prediction is near enough; if not, which mistake it shows.

        >>> Question("2 + 2?", 4.0, (Mistake(0.0, "Add them."),), "2 + 2 = 4.").judge(0)
        Verdict(right=False, text='Not quite: you said 0; the answer is 4. Add them. 2 + 2 = 4.')
        """
        true = format_number(self.answer)
        if is_near(prediction, self.answer):
            return Verdict(True, f"Right: {true}. {self.because}")
        says = [m.says for m in self.mistakes if is_near(prediction, m.number)][:1]
        said = f"Not quite: you said {format_number(float(prediction))}; the answer is {true}."
        return Verdict(False, " ".join([said, *says, self.because]))


def is_near(prediction: float, answer: float) -> bool:
    """Whether two numbers are the same but for rounding."""
    return abs(prediction - answer) <= max(RELATIVE * abs(answer), ABSOLUTE)


def question_of(telling: Telling, event: Event) -> Question | None:
    """What to ask before a turn is shown; None where no number of it is known."""
    for stored in event.stored:
        if telling.nodes[event.node].kind == "accumulate":
            return _about_store(telling, event, stored)
    for passed in event.passed:
        if passed.gradient is not None and passed.gradient.array is not None:
            return _about_edge(telling, event, passed)
    return None


def _about_store(telling: Telling, event: Event, stored: Stored) -> Question | None:
    now = None if stored.now is None else stored.now.array
    if now is None or not now.size:
        return None
    place = _telling_place(now)
    grad = f"{telling.grad(stored.tensor)}{_index(place)}"
    was = "None" if stored.old is None else _shown(stored.old, place)
    prompt = f"The gradient reaches {telling.tensor(stored.tensor)}; {grad} was {was} until now. "
    mistakes = [
        Mistake(number, says)
        for number, says in _mistaken_store(telling, event, stored, place)
        if not is_near(number, float(now[place]))
    ]
    return Question(
        f"{prompt}What is {grad} after this step?",
        float(now[place]),
        tuple(mistakes),
        f"{telling.stored(event, stored)}",
    )


def _mistaken_store(
    telling: Telling, event: Event, stored: Stored, place: Place
) -> Iterator[tuple[float, str]]:
    arrived = _number(event.upstream[0], place) if event.upstream else None
    old = _number(stored.old, place)
    if arrived is not None and old is not None:
        yield arrived, "That is what arrives now: .grad adds to what was there before."
        yield old, "That was there before: what arrives now is added to it."
    if old is not None and telling.order == OVERWRITE and arrived is not None:
        yield (
            old + arrived,
            "In this wrong order nothing is added: the new takes the old one's place.",
        )
    for part in event.parts if len(event.parts) > 1 else ():
        number = _number(part, place)
        if number is not None:
            yield number, "That came along one way only: what comes along all ways is added up."
    value = _value(telling, stored.tensor, place)
    if value is not None:
        yield value, "That is the value, forward; asked for is the gradient."
    if arrived is not None:
        yield -(arrived + (old or 0.0)), "The sign is the other way round."


def _about_edge(telling: Telling, event: Event, passed: Passed) -> Question | None:
    assert passed.gradient is not None
    down = passed.gradient.array
    if down is None or not down.size:
        return None
    place = _telling_place(down)
    node = telling.nodes[event.node]
    target = telling.target(node, passed)
    of = f", at {_index(place)}" if place else ""
    mistakes = [
        Mistake(number, says)
        for number, says in _mistaken_edge(telling, event, passed, place)
        if not is_near(number, float(down[place]))
    ]
    return Question(
        f"{telling.received(event)} What does it pass to {target}{of}?",
        float(down[place]),
        tuple(mistakes),
        f"It passes {telling.product(event, passed)}.",
    )


def _mistaken_edge(
    telling: Telling, event: Event, passed: Passed, place: Place
) -> Iterator[tuple[float, str]]:
    up = _number(event.upstream[0], place) if len(event.upstream) == 1 else None
    local = _number(passed.local, place)
    if local is not None and up is not None and passed.factor != "1":
        yield local, "That is the local derivative: multiply it by the gradient that arrives."
        yield up, "That is the gradient that arrives: multiply it by the local derivative."
        yield up + local, "Multiply the two; they are not added."
    for part in event.parts if len(event.parts) > 1 and local is not None else ():
        number = _number(part, place)
        if number is not None:
            yield (
                number * (local or 0.0),
                ("That is for one of the gradients that arrive: they are added up first."),
            )
    others = [one for one in event.passed if one.input != passed.input]
    for other in others:
        number = _number(other.gradient, place)
        if number is not None:
            yield number, "That goes to its other input."
    source = telling.nodes[event.node].inputs[passed.input]
    tensor = telling.words.at.get((source.node or "", source.output))
    value = None if tensor is None else _value(telling, tensor.id, place)
    if value is not None:
        yield value, "That is the value, forward; asked for is the gradient on its way back."
    down = _number(passed.gradient, place)
    if down is not None:
        yield -down, "The sign is the other way round."


def _telling_place(array: Array) -> Place:
    """Where to ask: the first number that is neither 0 nor 1, for these are guessed too easily."""
    places = list(product(*map(range, array.shape)))
    return next((place for place in places if array[place] not in (0, 1)), places[0])


def _number(one: Amount | None, place: Place) -> float | None:
    """The number at a place; of what was broadcast, the one that stands there."""
    array = None if one is None else one.array
    if array is None or array.ndim > len(place):
        return None
    inner = place[len(place) - array.ndim :]
    at = tuple(0 if size == 1 else index for index, size in zip(inner, array.shape, strict=True))
    return float(array[at]) if all(np.less(at, array.shape)) else None


def _value(telling: Telling, tensor: str, place: Place) -> float | None:
    """The forward value of a tensor at a place, as far as the snapshot shows it."""
    items = telling.words.tensors[tensor].value.items
    for index in place:
        if not isinstance(items, tuple) or index >= len(items):
            return None
        items = items[index]
    try:
        return float(items) if isinstance(items, str) else None
    except ValueError:  # shortened
        return None


def _shown(one: Amount, place: Place) -> str:
    number = _number(one, place)
    return amount(one) if number is None else format_number(number)


def _index(place: Place) -> str:
    return f"[{', '.join(map(str, place))}]" if place else ""
