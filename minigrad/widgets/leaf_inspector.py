"""LeafInspector: a table of the notebook's own tensors, each row after a prediction."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from minigrad.viz.read.names import NamedTensors, names_in
from minigrad.viz.read.protocol import TensorLike, is_tensor
from minigrad.widgets.base import Instrument, html, table
from minigrad.widgets.state.leaf_inspector import LeafInspectorState


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
        self._table.value = table(state.head, state.rows, state.current, "mg-cards")

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
