"""AccumulationLedger: the history of one tensor's .grad, each entry after a prediction."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import ipywidgets

from minigrad.viz.read.names import names_in_frame
from minigrad.widgets.base import Instrument, html, row, table
from minigrad.widgets.state.accumulation_ledger import AccumulationLedgerState


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
        self._table.value = table(state.head, state.rows, state.current)

    def close(self) -> None:
        self.state.close()
        super().close()

    def _where(self) -> str:
        return "" if self.cell is None else f"cell {self.cell}"
