"""AccumulationLedger: the history of one tensor's .grad, each entry after a prediction."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import ipywidgets

from minigrad.viz.read.names import names_in_frame
from minigrad.viz.read.protocol import is_tensor
from minigrad.viz.read.values import read_value
from minigrad.widgets.base import Instrument, State, html, html_table, row, text_table
from minigrad.widgets.expected import Numbers
from minigrad.widgets.questions import Mistake, Question, Sealed

BACKWARD, NONE, ZERO, OTHER = "backward()", "set to None", "zero_()", "changed"
_COVERED = "?"


@dataclass(frozen=True)
class Grad:
    """A gradient as it was: its numbers, and how they are shown."""

    numbers: Any  # nested lists; None where there was no gradient
    shown: str

    @staticmethod
    def of(tensor: Any) -> Grad:
        if tensor is None:
            return Grad(None, "None")
        return Grad(tensor.detach().tolist(), read_value(tensor).text)


@dataclass(frozen=True)
class Entry:
    """One change of ``.grad``; what came of it, and who did it, is sealed until it was predicted.

    where: the cell, as far as it is known. was: what ``.grad`` held before, which is what is asked
    about the entry before. what: ``backward()``, ``set to None``, ``zero_()`` or ``changed``.
    added: what backward brought; None for other changes. pressed: the learner did it here, by a
    button that says what it does, so nothing is asked about it.
    """

    where: str
    was: Sealed
    what: Sealed
    added: Sealed
    now: Sealed
    pressed: bool = False

    @property
    def by_backward(self) -> bool:
        return bool(self.what.open() == BACKWARD)

    def who(self, shown: bool) -> str:
        """Who changed it; before it is shown, only what the learner knows without a prediction."""
        known = shown or self.pressed or self.by_backward
        what = self.what.open() if known else OTHER
        return f"{what} in {self.where}" if self.where else str(what)


class AccumulationLedgerState(State):
    """Follows a leaf's ``.grad`` through backward, zeroing and anything else that changes it.

    Every change is an entry, covered until what ``.grad`` then held was predicted, unless the
    learner asked for just that. Backward is heard of through hooks; other changes are found by
    ``look``, and before each backward.

    tensor: a leaf that requires grad; name: what to call it.
    where: says in which cell something happens, such as ``cell 5``; empty where nobody knows.

    TypeError for what is no tensor, ValueError for one that is no leaf or asks for no gradient.
    """

    title = "Accumulation ledger"

    def __init__(self, tensor: Any, name: str, where: Callable[[], str] = lambda: "") -> None:
        self.tensor: Any = tensor
        if not is_tensor(tensor):
            raise TypeError(f"The ledger follows a tensor, but got {type(tensor).__name__}")
        if not (tensor.is_leaf and tensor.requires_grad):
            raise ValueError(
                "The ledger follows a leaf that requires grad: no other tensor keeps a .grad"
            )
        self.name = name
        self.entries: list[Entry] = []
        self._where = where
        self._shown = 0  # how many entries are uncovered
        self._seen = Sealed(Grad.of(tensor.grad))
        self.start = self._seen.open()
        self._incoming = Sealed(None)
        self._open: Question | None = None
        self._hooks = [
            self.tensor.register_hook(self._before),
            self.tensor.register_post_accumulate_grad_hook(self._after),
        ]

    def close(self) -> None:
        """Follow the tensor no longer."""
        for hook in self._hooks:
            hook.remove()
        self._hooks = []

    def look(self, pressed: bool = False) -> None:
        """Enter what has changed since the last look, other than by backward.

        pressed: the learner has just done it by a button, which is entered in any case.
        """
        was, now = self._seen.open(), Grad.of(self.tensor.grad)
        same = repr(now.numbers) == repr(was.numbers)  # nan is nan here
        if (same and not pressed) or not self._hooks:
            return
        written = OTHER if any(_flat(now.numbers)) else ZERO
        self._enter(NONE if now.numbers is None else written, Grad.of(None), now, pressed)

    def zero(self) -> None:
        """``tensor.grad.zero_()``; where there is no gradient, the error that this is."""
        self.look()
        self.tensor.grad.zero_()
        self.look(pressed=True)

    def set_to_none(self) -> None:
        """``tensor.grad = None``, as zero_grad() does."""
        self.look()
        self.tensor.grad = None
        self.look(pressed=True)

    @property
    def question(self) -> Question | None:
        if self._open is None and self._shown < len(self.entries):
            self._open = self._ask(self.entries[self._shown])
        return self._open

    def answered(self, question: Question) -> None:
        self._open = None
        self._shown += 1
        self._skip_pressed()

    @property
    def summary(self) -> str:
        return f"{self.name}.grad, {self._shown} of {len(self.entries)} entries shown"

    @property
    def current(self) -> int | None:
        """The row that is asked about; the first row is where the history begins."""
        return None if self.question is None else self._shown + 1

    @property
    def head(self) -> list[str]:
        return ["", "who", "was", "", f"{self.name}.grad is"]

    @property
    def rows(self) -> list[list[str]]:
        """The start, then a row for each entry; what was not predicted yet is ``?``."""
        rows = [["0", "start", "", "", self.start.shown]]
        for number, entry in enumerate(self.entries, 1):
            shown = number <= self._shown
            # What it was before would be the answer to the entry before.
            was = entry.was.open().shown if number <= self._shown + 1 else _COVERED
            change = now = _COVERED
            if shown or entry.pressed:
                change = f"+ {entry.added.open().shown}" if entry.by_backward else ""
                now = entry.now.open().shown
            rows.append([str(number), entry.who(shown), was, change, now])
        return rows

    @property
    def text(self) -> str:
        return f"{self.title}: {self.summary}\n" + text_table([self.head, *self.rows])

    def _before(self, grad: Any) -> None:
        self.look()
        self._incoming = Sealed(Grad.of(grad))

    def _after(self, tensor: Any) -> None:
        self._enter(BACKWARD, self._incoming.open(), Grad.of(tensor.grad))

    def _enter(self, what: str, added: Grad, now: Grad, pressed: bool = False) -> None:
        sealed = Sealed(what), Sealed(added), Sealed(now)
        self.entries.append(Entry(self._where(), self._seen, *sealed, pressed))
        self._seen = sealed[-1]
        self._skip_pressed()

    def _skip_pressed(self) -> None:
        while self._shown < len(self.entries) and self.entries[self._shown].pressed:
            self._shown += 1

    def _ask(self, entry: Entry) -> Question:
        where = f" in {entry.where}" if entry.where else ""
        happened = "backward() ran" if entry.by_backward else "your code changed it"
        prompt = f"{self.name}.grad was {entry.was.open().shown}. Then {happened}{where}."
        return Question(
            f"{prompt} What does {self.name}.grad hold now?",
            Numbers(tuple(self.tensor.shape), or_none=True),
            lambda: entry.now.open().numbers,
            mistakes=lambda _: _mistakes(entry),
            because=lambda _: _because(entry),
        )


def _because(entry: Entry) -> str:
    what, was, now = entry.what.open(), entry.was.open(), entry.now.open()
    if what == BACKWARD:
        added = entry.added.open().shown
        if was.numbers is None:
            return f"None + {added} = {now.shown}: the first gradient is stored as it comes."
        return f"{was.shown} + {added} = {now.shown}: backward() adds to what is there."
    return {
        NONE: "The gradient is gone: zero_grad() and x.grad = None leave None.",
        ZERO: "zero_() writes zeros into the gradient.",
        OTHER: "Your code wrote into .grad.",
    }[what]


def _mistakes(entry: Entry) -> Iterator[Mistake]:
    what, was = entry.what.open(), entry.was.open().numbers
    if what == BACKWARD:
        yield Mistake(entry.added.open().numbers, "That is what this one backward() brought.")
        yield Mistake(None, "backward() stores a gradient in every leaf that it reaches.")
        yield Mistake(was, "That is what was there before it.")
    elif what == NONE:
        yield Mistake(_zeros(was), "None is not zero: there is no tensor there at all.")
    elif what == ZERO:
        yield Mistake(None, "Zero is not None: the tensor is still there, full of zeros.")


def _flat(numbers: Any) -> Iterator[float]:
    if isinstance(numbers, list):
        for part in numbers:
            yield from _flat(part)
    else:
        yield numbers


def _zeros(numbers: Any) -> Any:
    return [_zeros(part) for part in numbers] if isinstance(numbers, list) else 0.0


class AccumulationLedger(Instrument):
    """What happens to ``tensor.grad``, and who does it: backward(), zero_(), None, or you.

    It follows the notebook's cells until ``close()``. Each change is covered until you have
    predicted what ``.grad`` holds after it.

    loss: a function that computes a fresh loss, such as ``lambda: (x * 3).sum()``; with it come
    buttons for backward(), zero_() and ``grad = None``.
    name: what to call the tensor; by default the caller's variable.

    TypeError for what is no tensor, ValueError for one that is no leaf or asks for no gradient.

    >>> import minigrad as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> ledger = AccumulationLedger(x)
    >>> (x * 3).backward()
    >>> ledger.predict(3)
    Right: 3. None + 3 = 3: the first gradient is stored as it comes.
    >>> (x * 3).backward()
    >>> ledger.predict(3)
    Not quite: you said 3; the answer is 6. That is what this one backward() brought. 3 + 3 = 6: \
backward() adds to what is there.
    """

    state: AccumulationLedgerState

    def __init__(
        self,
        tensor: Any,
        loss: Callable[[], Any] | None = None,
        name: str | None = None,
    ) -> None:
        if name is None:
            named = names_in_frame(sys._getframe(1))
            name = next((name for name, other in named if other is tensor), "tensor")
        state = AccumulationLedgerState(tensor, name, self._where)
        self._table = html()
        body: list[ipywidgets.Widget] = [self._table]
        if loss is not None:
            backward = "Compute the loss again and call its backward()"
            self.buttons = (
                self.button("backward()", backward, lambda: loss().backward()),
                self.button("zero_()", f"{name}.grad.zero_()", state.zero),
                self.button(
                    "grad = None", f"{name}.grad = None, as zero_grad() does", state.set_to_none
                ),
            )
            body.append(row(*self.buttons))
        super().__init__(state, body)
        self.follow_cells()

    def redraw(self) -> None:
        state = self.state
        state.look()
        self._table.value = html_table(state.head, state.rows, state.current)

    def close(self) -> None:
        self.state.close()
        super().close()

    def _where(self) -> str:
        return "" if self.cell is None else f"cell {self.cell}"
