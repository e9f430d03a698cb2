"""LeafInspector: a table of the notebook's own tensors, each row after a prediction."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from minigrad.viz.read.names import NamedTensors, names_in
from minigrad.viz.read.protocol import TensorLike
from minigrad.viz.read.values import read_value
from minigrad.widgets.answers import Choice
from minigrad.widgets.base import Instrument, State
from minigrad.widgets.checks import check_choice, check_tensor
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
# The columns that can be predicted, each with its question and the options.
ASKABLE = {
    "is_leaf": ("is {name} a leaf?", ("True", "False")),
    "requires_grad": ("does {name} require grad?", ("True", "False")),
    "retains_grad": ("is {name} a non-leaf that keeps its gradient?", ("True", "False")),
    "grad_fn": ("None, or the node that made {name}?", ("None", "a node")),
    "grad": ("None, or a tensor?", ("None", "a tensor")),
}
_COVERED = "?"


class LeafInspectorState(State):
    """A table of tensors. It shows the columns to predict; with all predicted, all columns.

    named: the tensors and their names. ask: the columns to predict, of ``ASKABLE``.
    A row belongs to a tensor, not to a name: if the name gets another tensor, it is asked again.

    ValueError for another column, and for none.
    """

    title = "Leaf inspector"

    def __init__(self, named: NamedTensors, ask: Sequence[str] = ("is_leaf",)) -> None:
        super().__init__()
        for column in ask or ["nothing"]:
            check_choice("ask", column, ASKABLE)
        self.columns_to_predict = tuple(ask)
        self.look(named)

    def look(self, named: NamedTensors) -> None:
        """Show these tensors from now on; those that were there before stay predicted."""
        self.named = list(named)
        ids = {id(tensor) for _, tensor in named}
        self._questions = {k: q for k, q in self._questions.items() if k[0] in ids}  # type: ignore[index]

    @property
    def topic(self) -> tuple[int, str] | None:
        every = ((id(tensor), c) for _, tensor in self.named for c in self.columns_to_predict)
        return next((one for one in every if not self.knows(one)), None)

    def question_about(self, topic: tuple[int, str]) -> Question:
        key, column = topic
        name, tensor = next(one for one in self.named if id(one[1]) == key)
        prompt, options = ASKABLE[column]
        return Question(
            f"{name}.{column}: {prompt.format(name=name)}",
            Choice(options),
            lambda: _option(column, tensor),
            because=lambda _: f"{name}: {_reason(column, tensor)}",
        )

    @property
    def summary(self) -> str:
        known = [all(self._known(tensor).values()) for _, tensor in self.named]
        return f"{sum(known)} of {len(known)} tensors shown"

    @property
    def current(self) -> int | None:
        topic = self.topic
        rows = (
            row for row, (_, tensor) in enumerate(self.named) if topic and id(tensor) == topic[0]
        )
        return next(rows, None)

    @property
    def head(self) -> list[str]:
        return ["tensor", *(COLUMNS if self.topic is None else self.columns_to_predict)]

    @property
    def rows(self) -> list[list[str]]:
        return [[name, *self._cells(tensor)] for name, tensor in self.named]

    def _known(self, tensor: TensorLike) -> dict[str, bool]:
        return {column: self.knows((id(tensor), column)) for column in self.columns_to_predict}

    def _cells(self, tensor: TensorLike) -> list[str]:
        if self.topic is None:
            return [*(_read(column, tensor) for column in COLUMNS[:-1]), self._sharing(tensor)]
        known = self._known(tensor).items()
        return [_read(column, tensor) if is_known else _COVERED for column, is_known in known]

    def _sharing(self, tensor: TensorLike) -> str:
        """The tensors that change when this one is written to."""
        others = [(name, other) for name, other in self.named if other is not tensor]
        array = _array(tensor)
        return ", ".join(n for n, other in others if np.shares_memory(array, _array(other))) or "–"


def _array(tensor: Any) -> np.ndarray:
    return tensor.detach().numpy()  # type: ignore[no-any-return]


def _read(column: str, tensor: TensorLike) -> str:
    """One column of one tensor in words, without a warning."""
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


def _option(column: str, tensor: TensorLike) -> str:
    """The option that is right for a column."""
    text = _read(column, tensor)
    options = ASKABLE[column][1]
    return text if text in options else options[-1]


def _grad(tensor: TensorLike) -> TensorLike | None:
    """The gradient; PyTorch warns if one reads it where there can't be one."""
    return tensor.grad if tensor.is_leaf or tensor.retains_grad else None


def _reason(column: str, tensor: TensorLike) -> str:
    leaf, requires_grad = tensor.is_leaf, tensor.requires_grad
    node = "" if tensor.grad_fn is None else tensor.grad_fn.name()
    if column == "is_leaf":
        if not leaf:
            return f"{node} computed it from a tensor that requires grad, so it isn't a leaf."
        if requires_grad:
            return "no recorded operation made it, and it requires grad, so it is a leaf."
        return "no recorded operation made it, so it is a leaf, even without requiring grad."
    if column == "requires_grad":
        if not leaf:
            return "one of its inputs requires grad, and recording was on."
        return "it was set for this leaf." if requires_grad else "it was never set."
    if column == "retains_grad":
        if leaf:
            return "a leaf keeps its gradient anyway, so the flag is only for non-leaves."
        called = "was called" if tensor.retains_grad else "was never called"
        return f"retain_grad() {called}."
    if column == "grad_fn":
        return f"{node} made it." if node else "no recorded operation made it."
    if _grad(tensor) is not None:
        return "backward() stored it there."
    if not leaf:
        return "it isn't a leaf, and only leaves keep theirs, unless you call retain_grad()."
    return "nothing has been stored yet." if requires_grad else "it doesn't require grad."


class LeafInspector(Instrument):
    """What PyTorch knows about each of these tensors, or about all of the notebook's tensors.

    ask: the columns to predict, one after another: is_leaf, requires_grad, retains_grad, grad_fn,
    grad. After the last prediction all columns are shown: these, dtype and shape, version (of
    in-place changes), and the rows that share memory. The table follows the notebook, cell by
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
        for index, tensor in enumerate(tensors):
            check_tensor(f"tensor {index}", tensor)
        self._tensors = tensors
        frame = sys._getframe(1)
        self._namespace: Mapping[str, object] = (
            {**frame.f_globals, **frame.f_locals} if tensors else frame.f_globals
        )
        super().__init__(LeafInspectorState(self._named(), ask), [self.table])
        if not tensors:
            self.follow_cells()

    def after_cell(self) -> None:
        self.state.look(self._named())
        self.refresh()

    def _named(self) -> NamedTensors:
        """The tensors, each under its first name."""
        first: dict[int, tuple[str, TensorLike]] = {}
        for name, tensor in names_in(self._namespace):
            first.setdefault(id(tensor), (name, tensor))
        if not self._tensors:
            return list(first.values())
        return [
            first.get(id(tensor), (f"tensor {index}", tensor))
            for index, tensor in enumerate(self._tensors)
        ]
