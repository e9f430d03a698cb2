"""LoopLamps: the training loop, with a line left out or two of them swapped."""

from __future__ import annotations

from html import escape
from itertools import combinations
from types import ModuleType
from typing import Any

import ipywidgets

from minigrad.widgets.base import Instrument, html, row, table
from minigrad.widgets.state.loop_lamps import LINES, LoopLampsState

_NONE = "nothing"  # whose value is empty: one of None would be shown as a blank


class LoopLamps(Instrument):
    """Four lines of a training loop, each with a lamp: leave one out, swap two, and predict.

    After the prediction the loop really runs, on the engine that was given, and loss and weight are
    shown turn by turn, or the error that it raises.

    torch: minigrad or PyTorch. turns: how often the loop runs; rate: its learning rate.

    >>> import minigrad as torch
    >>> lamps = LoopLamps(torch)
    >>> lamps.change(left_out="step")
    >>> lamps.predict("it stays as it was")
    Right: “it stays as it was”. backward() computes gradients; only step() changes the weight.
    """

    state: LoopLampsState

    def __init__(self, torch: ModuleType, turns: int = 10, rate: float = 0.05) -> None:
        self.leave_out = _dropdown("Leave out", [(_NONE, ""), *((n, n) for n in LINES)])
        pairs = [(f"{one} and {other}", (one, other)) for one, other in combinations(LINES, 2)]
        self.swap = _dropdown("Swap", [(_NONE, ()), *pairs])
        self._lamps, self._results = html(), html()
        controls = row(self.leave_out, self.swap)
        super().__init__(LoopLampsState(torch, turns, rate), [controls, self._lamps, self._results])
        for dropdown in (self.leave_out, self.swap):
            dropdown.observe(self._on_change, "value")

    def change(self, left_out: str | None = None, swapped: tuple[str, str] | None = None) -> None:
        """Leave out a line (zero, forward, backward, step), or swap two; then it asks anew."""
        self.state.change(left_out, swapped)
        self.leave_out.value, self.swap.value = left_out or "", swapped or ()
        self.refresh()

    def redraw(self) -> None:
        state = self.state
        run = state.run
        self._lamps.value = _lamps(state)
        self._results.value = ""
        if run is not None:
            error = f"<pre>{escape(run.error)}</pre>" if run.error else ""
            self._results.value = (
                f'<div class="mg-columns"><div>{state.chart()}</div>'
                f"{table(state.head, state.rows)}</div>{error}"
            )

    def _on_change(self, _: object) -> None:
        self.state.change(self.leave_out.value or None, self.swap.value or None)
        self.refresh()


def _dropdown(description: str, options: list[tuple[str, Any]]) -> ipywidgets.Dropdown:
    layout = ipywidgets.Layout(width="18em")
    return ipywidgets.Dropdown(options=options, description=description, layout=layout)


def _lamps(state: LoopLampsState) -> str:
    """The program, each line of the loop behind a lamp; what was left out is struck through."""
    before, _, _ = state.source.partition("for turn")
    lines = [f'<span class="mg-muted">{escape(before)}</span>for turn in range({state.turns}):\n']
    for line in state.order:
        code = escape(LINES[line])
        if line == state.left_out:
            lines.append(f'    ○ <s class="mg-muted">{code}</s>  left out\n')
        else:
            swapped = "  ⇅" if state.swapped and line in state.swapped else ""
            lines.append(f'    <span class="mg-lamp">●</span> {code}{swapped}\n')
    return f"<pre>{''.join(lines)}</pre>"
