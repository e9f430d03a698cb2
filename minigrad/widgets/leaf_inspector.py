"""LeafInspector: a table of the notebook's own tensors, each row after a prediction."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from minigrad.viz.read.names import NamedTensors, names_in
from minigrad.viz.read.protocol import TensorLike, is_tensor
from minigrad.viz.read.values import read_value
from minigrad.widgets.base import Instrument, State, html, html_table, text_table
from minigrad.widgets.expected import Choice
from minigrad.widgets.questions import Question

COLUMNS = (
    "dtype [shape]",
    "is_leaf",
    "requires_grad",
    "retains_grad",
    "grad_fn",
    "grad",
    "version",
    "shares memory with",
)
_COVERED = "?"
_YES_NO = Choice(("True", "False"))
# What can be asked, and what a prediction of it looks like.
ASKABLE = {
    "is_leaf": _YES_NO,
    "requires_grad": _YES_NO,
    "retains_grad": _YES_NO,
    "grad_fn": Choice(("None", "a node")),
    "grad": Choice(("None", "a tensor")),
}


class LeafInspectorState(State):
    """A table of tensors, with the columns that are asked about; with all, once all is answered.

    named: the tensors and what they are called. ask: which columns to predict, of ``ASKABLE``.
    A row belongs to a tensor, not to a name: what a name stands for later is asked about anew.

    ValueError for a column that cannot be asked about.
    """

    title = "Leaf inspector"

    def __init__(self, named: NamedTensors, ask: Sequence[str] = ("is_leaf",)) -> None:
        unknown = [column for column in ask if column not in ASKABLE]
        if unknown or not ask:
            asked = repr(unknown[0]) if unknown else "nothing"
            raise ValueError(f"ask: one or more of {', '.join(ASKABLE)}, but got {asked}")
        self.ask = tuple(ask)
        self._answered: dict[int, int] = {}  # by id of a tensor: how many of its questions
        self._open: Question | None = None
        self._asked_about: TensorLike | None = None
        self.named: NamedTensors = []
        self.look(named)

    def look(self, named: NamedTensors) -> None:
        """Show these tensors from now on; what was predicted of those that stay remains."""
        ids = {id(tensor) for _, tensor in named}
        self._answered = {key: count for key, count in self._answered.items() if key in ids}
        self.named = list(named)
        self._ask_next()

    @property
    def question(self) -> Question | None:
        return self._open

    def answered(self, question: Question) -> None:
        key = id(self._asked_about)
        self._answered[key] = self._answered.get(key, 0) + 1
        self._ask_next()

    @property
    def summary(self) -> str:
        shown = sum(self._is_shown(tensor) for _, tensor in self.named)
        return f"{shown} of {len(self.named)} tensors shown"

    @property
    def current(self) -> int | None:
        """The row that is asked about."""
        rows = (row for row, (_, tensor) in enumerate(self.named) if tensor is self._asked_about)
        return next(rows, None) if self._open is not None else None

    @property
    def columns(self) -> tuple[str, ...]:
        """What is shown of each tensor."""
        return COLUMNS if self._open is None else self.ask

    @property
    def head(self) -> list[str]:
        return ["tensor", *self.columns]

    @property
    def rows(self) -> list[list[str]]:
        """A row of texts for each tensor; what was not predicted yet is ``?``."""
        return [[name, *self._texts(tensor)] for name, tensor in self.named]

    @property
    def text(self) -> str:
        return f"{self.title}: {self.summary}\n" + text_table([self.head, *self.rows])

    def _is_shown(self, tensor: TensorLike) -> bool:
        return self._answered.get(id(tensor), 0) == len(self.ask)

    def _texts(self, tensor: TensorLike) -> list[str]:
        if self._open is None:
            return [*(_read(column, tensor) for column in COLUMNS[:-1]), self._sharing(tensor)]
        count = self._answered.get(id(tensor), 0)
        known = [_read(column, tensor) for column in self.ask[:count]]
        return known + [_COVERED] * (len(self.ask) - count)

    def _sharing(self, tensor: TensorLike) -> str:
        others = [(name, other) for name, other in self.named if other is not tensor]
        return ", ".join(name for name, other in others if _share(tensor, other)) or "–"

    def _ask_next(self) -> None:
        covered = [(n, t) for n, t in self.named if not self._is_shown(t)]
        if not covered:
            self._open = self._asked_about = None
            return
        name, tensor = covered[0]
        column = self.ask[self._answered.get(id(tensor), 0)]
        if tensor is self._asked_about and self._open is not None and self._open.is_open:
            return  # what is being typed stays
        self._asked_about = tensor
        self._open = Question(
            _PROMPTS[column].format(name=name),
            ASKABLE[column],
            lambda: _in_general(column, tensor),
            because=lambda _: f"{name}: {_why(column, tensor)}",
        )


_PROMPTS = {
    "is_leaf": "{name}.is_leaf: is {name} a leaf?",
    "requires_grad": "{name}.requires_grad: does {name} require grad?",
    "retains_grad": "{name}.retains_grad: is {name} a non-leaf that was told to keep its gradient?",
    "grad_fn": "{name}.grad_fn: None, or the node that made {name}?",
    "grad": "{name}.grad: None, or a tensor?",
}


def _read(column: str, tensor: TensorLike) -> str:
    """One column of one tensor in words, without causing a warning."""
    if column == "grad_fn":
        return "None" if tensor.grad_fn is None else tensor.grad_fn.name()
    if column == "dtype [shape]":
        return read_value(tensor).kind
    if column == "version":
        return str(tensor._version)  # type: ignore[attr-defined]
    if column == "grad":
        grad = _grad(tensor)
        return "None" if grad is None else read_value(grad).text
    return str(getattr(tensor, column))


def _in_general(column: str, tensor: TensorLike) -> str:
    """The answer to a question: what is read, or that there is something."""
    read = _read(column, tensor)
    kinds = {"grad_fn": "a node", "grad": "a tensor"}
    return read if read == "None" else kinds.get(column, read)


def _grad(tensor: TensorLike) -> TensorLike | None:
    """What is stored in ``.grad``; where nothing can be, PyTorch warns when it is read."""
    return tensor.grad if tensor.is_leaf or tensor.retains_grad else None


def _why(column: str, tensor: TensorLike) -> str:
    leaf, needs = tensor.is_leaf, tensor.requires_grad
    made_by = "" if tensor.grad_fn is None else tensor.grad_fn.name()
    if column == "is_leaf":
        if not leaf:
            return f"{made_by} computed it from a tensor that requires grad, so it is not a leaf."
        if needs:
            return "no recorded operation made it, and it requires grad, so it is a leaf."
        return "no recorded operation made it, so it is a leaf, even without requiring grad."
    if column == "requires_grad":
        if not leaf:
            return "one of its inputs requires grad, and recording was on."
        return "it was set for this leaf." if needs else "it was not set, and nothing was recorded."
    if column == "retains_grad":
        if leaf:
            return "a leaf keeps its gradient anyway, so the flag is only for the others."
        return (
            "retain_grad() was called."
            if tensor.retains_grad
            else "retain_grad() was never called."
        )
    if column == "grad_fn":
        return f"{made_by} made it." if made_by else "no recorded operation made it."
    if _grad(tensor) is not None:
        return "backward() stored it there."
    if not leaf:
        return "it is not a leaf, and only leaves keep theirs, unless you call retain_grad()."
    return "nothing was stored yet." if needs else "it doesn't require grad."


def _share(one: TensorLike, other: TensorLike) -> bool:
    """Whether a number of one is a number of the other too: writing to one changes the other."""
    return np.shares_memory(_elements(one), _elements(other))


def _elements(tensor: Any) -> np.ndarray:
    return tensor.detach().numpy()  # type: ignore[no-any-return]


class LeafInspector(Instrument):
    """What PyTorch knows of each of these tensors, or of all that the notebook's variables hold.

    ask: the columns to predict, one after another; of is_leaf, requires_grad, retains_grad,
    grad_fn, grad. Once all is answered, all columns are shown: these, dtype and shape, version (of
    in-place changes), and which other rows share memory. The table follows the notebook, cell by
    cell.

    TypeError for anything but tensors, ValueError for another column.

    >>> import minigrad as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> y = x * 2
    >>> inspector = LeafInspector(x, y)
    >>> inspector
    <LeafInspector: 0 of 2 tensors shown>
    >>> inspector.predict(True)
    Right: True. x: no recorded operation made it, and it requires grad, so it is a leaf.
    >>> inspector
    <LeafInspector: 1 of 2 tensors shown>
    """

    state: LeafInspectorState

    def __init__(self, *tensors: TensorLike, ask: Sequence[str] = ("is_leaf",)) -> None:
        for tensor in tensors:
            if not is_tensor(tensor):
                wrong = type(tensor).__name__
                raise TypeError(f"LeafInspector() takes tensors, but got {wrong}")
        self._tensors = tensors
        frame = sys._getframe(1)
        self._namespace: Mapping[str, object] = (
            {**frame.f_globals, **frame.f_locals} if tensors else frame.f_globals
        )
        self._table = html()
        super().__init__(LeafInspectorState(self._named(), ask), [self._table])
        if not tensors:
            self.follow_cells()

    def after_cell(self) -> None:
        self.state.look(self._named())
        self.refresh()

    def redraw(self) -> None:
        state = self.state
        self._table.value = html_table(state.head, state.rows, state.current, "mg-cards")

    def _named(self) -> NamedTensors:
        named = names_in(self._namespace)
        if not self._tensors:
            return _once(named)
        names = {id(tensor): name for name, tensor in reversed(named)}
        return [
            (names.get(id(tensor), f"tensor {index}"), tensor)
            for index, tensor in enumerate(self._tensors)
        ]


def _once(named: NamedTensors) -> NamedTensors:
    """Each tensor under its first name."""
    first: dict[int, tuple[str, TensorLike]] = {}
    for name, tensor in named:
        first.setdefault(id(tensor), (name, tensor))
    return list(first.values())
