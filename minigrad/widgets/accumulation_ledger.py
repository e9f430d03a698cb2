"""AccumulationLedger: the history of one tensor's .grad, each entry after a prediction."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Self

import ipywidgets
import numpy as np

from minigrad.viz.backward.answers import Mistake, Numbers
from minigrad.viz.read.names import names_in_frame
from minigrad.viz.read.values import read_value
from minigrad.widgets.base import Instrument, State
from minigrad.widgets.checks import check_tensor
from minigrad.widgets.page import row
from minigrad.widgets.questions import Question, Sealed

BACKWARD, NONE, ZERO, OTHER = "backward()", "set to None", "zero_()", "changed"
_COVERED = "?"


@dataclass(frozen=True)
class Grad:
    """A gradient at one moment: its numbers, and how they are shown."""

    numbers: Any  # nested lists; None if there was no gradient
    text: str

    @classmethod
    def of(cls, tensor: Any) -> Self:
        if tensor is None:
            return cls(None, "None")
        return cls(tensor.detach().tolist(), read_value(tensor).text)


_NO_GRAD = Grad.of(None)


@dataclass(frozen=True)
class Change:
    """A change of ``.grad``; ``added`` is what backward() added."""

    what: str  # backward(), set to None, zero_() or changed
    was: Grad
    added: Grad
    now: Grad


@dataclass(frozen=True)
class Entry:
    """A line of the ledger; the change is sealed until it was predicted.

    where: the cell, if it is known. pressed: the learner made the change here, by a button that
    says what it does, so there is nothing to ask about it.
    """

    where: str
    change: Sealed
    pressed: bool

    def cells(self, before_known: bool, known: bool) -> list[str]:
        """The entry as a row of the table, as far as it is known."""
        change = self.change.open()
        by_backward, shown = change.what == BACKWARD, known or self.pressed
        what = change.what if shown or by_backward else OTHER
        added = f"+ {change.added.text}" if by_backward else ""
        return [
            f"{what} in {self.where}" if self.where else what,
            change.was.text if before_known else _COVERED,
            added if shown else _COVERED,
            change.now.text if shown else _COVERED,
        ]


class AccumulationLedgerState(State):
    """Follows a leaf's ``.grad`` through backward, zeroing and any other change.

    Every change is an entry, covered until the learner has predicted what ``.grad`` holds after
    it. Hooks notice backward; ``look`` finds other changes, and runs before each backward, too.

    tensor: a leaf that requires grad; name: what to call it.
    where: says in which cell the code runs, such as ``cell 5``; empty if that isn't known.

    TypeError for anything but a tensor, ValueError for a tensor that isn't such a leaf.
    """

    title = "Accumulation ledger"

    def __init__(self, tensor: Any, name: str, where: Callable[[], str] = lambda: "") -> None:
        super().__init__()
        self.tensor = check_tensor("tensor", tensor)
        if not (tensor.is_leaf and tensor.requires_grad):
            raise ValueError(
                "tensor must be a leaf that requires grad: no other tensor keeps its .grad"
            )
        self.name = name
        self.entries: list[Entry] = []
        self._where = where
        self._shown = 0  # how many entries are uncovered
        self.start = Grad.of(tensor.grad)
        self._last = Sealed(self.start)
        self._incoming = Sealed(_NO_GRAD)
        self._hooks = [
            self.tensor.register_hook(self._before),
            self.tensor.register_post_accumulate_grad_hook(self._after),
        ]

    def close(self) -> None:
        """Stop following the tensor."""
        for hook in self._hooks:
            hook.remove()
        self._hooks = []

    def look(self, pressed: bool = False) -> None:
        """Enter a change since the last look that backward didn't make.

        pressed: the learner just pressed a button for it, which is entered in any case.
        """
        was, now = self._last.open(), Grad.of(self.tensor.grad)
        same = repr(now.numbers) == repr(was.numbers)  # nan equals nan here
        if (same and not pressed) or not self._hooks:
            return
        written = OTHER if np.any(now.numbers) else ZERO
        self._enter(NONE if now.numbers is None else written, _NO_GRAD, now, pressed)

    def zero(self) -> None:
        """``tensor.grad.zero_()``; without a gradient, the error that this raises."""
        self.look()
        self.tensor.grad.zero_()
        self.look(pressed=True)

    def set_to_none(self) -> None:
        """``tensor.grad = None``, as zero_grad() does."""
        self.look()
        self.tensor.grad = None
        self.look(pressed=True)

    @property
    def topic(self) -> int | None:
        return self._shown if self._shown < len(self.entries) else None

    def answered(self, question: Question) -> None:
        self._shown += 1
        self._skip_pressed()

    @property
    def summary(self) -> str:
        return f"{self.name}.grad, {self._shown} of {len(self.entries)} entries shown"

    @property
    def current(self) -> int | None:
        return None if self.topic is None else self.topic + 1

    @property
    def head(self) -> list[str]:
        return ["", "who", "was", "", f"{self.name}.grad is"]

    @property
    def rows(self) -> list[list[str]]:
        shown = self._shown
        entries = [
            [str(number), *entry.cells(number <= shown + 1, number <= shown)]
            for number, entry in enumerate(self.entries, 1)
        ]
        return [["0", "start", "", "", self.start.text], *entries]

    def _before(self, grad: Any) -> None:
        self.look()
        self._incoming = Sealed(Grad.of(grad))

    def _after(self, tensor: Any) -> None:
        self._enter(BACKWARD, self._incoming.open(), Grad.of(tensor.grad))

    def _enter(self, what: str, added: Grad, now: Grad, pressed: bool = False) -> None:
        change = Sealed(Change(what, self._last.open(), added, now))
        self.entries.append(Entry(self._where(), change, pressed))
        self._last = Sealed(now)
        self._skip_pressed()

    def _skip_pressed(self) -> None:
        while self._shown < len(self.entries) and self.entries[self._shown].pressed:
            self._shown += 1

    def question_about(self, topic: int) -> Question:
        entry = self.entries[topic]
        change: Callable[[], Change] = entry.change.open
        happened = "backward() ran" if change().what == BACKWARD else "your code changed it"
        where = f" in {entry.where}" if entry.where else ""
        grad = f"{self.name}.grad"
        return Question(
            f"{grad} was {change().was.text}. Then {happened}{where}. What does {grad} hold now?",
            Numbers(tuple(self.tensor.shape), or_none=True),
            lambda: change().now.numbers,
            mistakes=lambda _: _mistakes(change()),
            because=lambda _: _because(change()),
        )


def _because(change: Change) -> str:
    was, added, now = change.was, change.added.text, change.now.text
    if change.what == BACKWARD and was.numbers is None:
        return f"None + {added} = {now}: the first gradient is stored as it is."
    return {
        BACKWARD: f"{was.text} + {added} = {now}: backward() adds to what is there.",
        NONE: "The gradient is gone: zero_grad() and x.grad = None leave None.",
        ZERO: "zero_() writes zeros into the gradient.",
        OTHER: "Your code wrote into .grad.",
    }[change.what]


def _mistakes(change: Change) -> Iterator[Mistake]:
    if change.what == BACKWARD:
        yield Mistake(change.added.numbers, "That's what this one backward() added.")
        yield Mistake(None, "backward() stores a gradient in every leaf that it reaches.")
        yield Mistake(change.was.numbers, "That's what was there before.")
    elif change.what == NONE:
        zeros = np.zeros_like(change.was.numbers, float)
        yield Mistake(zeros, "None isn't zero: there's no tensor at all.")
    elif change.what == ZERO:
        yield Mistake(None, "Zero isn't None: the tensor is still there, full of zeros.")


class AccumulationLedger(Instrument):
    """What happens to ``tensor.grad``, and what changes it: backward(), zero_(), None, or you.

    It follows the notebook's cells until ``close()``. Each change is covered until you have
    predicted what ``.grad`` holds after it.

    loss: a function that computes a new loss, such as ``lambda: (x * 3).sum()``; it adds buttons
    for backward(), zero_() and ``grad = None``.
    name: what to call the tensor; by default the caller's variable.

    TypeError for anything but a tensor, ValueError for a tensor that isn't a leaf, or doesn't
    require grad.

    >>> import minigrad as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> ledger = AccumulationLedger(x)
    >>> (x * 3).backward()
    >>> ledger.predict(3)
    Right: 3. None + 3 = 3: the first gradient is stored as it is.
    >>> (x * 3).backward()
    >>> ledger.predict(3)
    Not quite: you said 3; the answer is 6. That's what this one backward() added. 3 + 3 = 6: \
backward() adds to what is there.
    """

    state: AccumulationLedgerState

    def __init__(
        self, tensor: Any, loss: Callable[[], Any] | None = None, name: str | None = None
    ) -> None:
        if name is None:
            named = names_in_frame(sys._getframe(1))
            name = next((name for name, other in named if other is tensor), "tensor")
        state = AccumulationLedgerState(tensor, name, self._where)
        body: list[ipywidgets.Widget] = [self.table]
        if loss is not None:
            backward = "Compute the loss again and call its backward()"
            none = f"{name}.grad = None, as zero_grad() does"
            self.buttons = (
                self.button("backward()", backward, lambda: loss().backward()),
                self.button("zero_()", f"{name}.grad.zero_()", state.zero),
                self.button("grad = None", none, state.set_to_none),
            )
            body.append(row(*self.buttons))
        super().__init__(state, body)
        self.follow_cells()

    def refresh(self, news: str = "") -> None:
        self.state.look()
        super().refresh(news)

    def close(self) -> None:
        self.state.close()
        super().close()

    def _where(self) -> str:
        return "" if self.cell is None else f"cell {self.cell}"
