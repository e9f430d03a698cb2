"""LoopLamps: the training loop, with lines switched off or in another order."""

from __future__ import annotations

from functools import partial
from html import escape
from types import ModuleType
from typing import Any

import ipywidgets

from minigrad.widgets.base import Instrument, html, table
from minigrad.widgets.code import highlighted
from minigrad.widgets.state.loop_lamps import LINES, LoopLampsState


class LoopLamps(Instrument):
    """Four lines of a training loop, each with a lamp: put one out, swap two, and predict.

    After the prediction the loop really runs, on the engine that was given, and loss and weight are
    shown for each iteration, or the error that it raises.

    torch: minigrad or PyTorch. turns: how often the loop runs; rate: its learning rate.

    >>> import minigrad as torch
    >>> lamps = LoopLamps(torch)
    >>> lamps.switch("step")
    >>> lamps.predict("it stays the same")
    Right: “it stays the same”. Only step() changes the weight.
    """

    state: LoopLampsState

    def __init__(self, torch: ModuleType, turns: int = 10, rate: float = 0.05) -> None:
        state = LoopLampsState(torch, turns, rate)
        self._start, self._results = html(_before_the_loop(state)), html()
        places = range(len(LINES))
        self.lamps = [self._button("9em", self._switch, place) for place in places]
        self.swaps = [self._button("auto", self._swap, place) for place in places]
        self._code = [html() for _ in places]
        for swap in self.swaps:
            swap.description, swap.tooltip = "⇅", "Swap this line with the next one"
        self.swaps[-1].layout.visibility = "hidden"
        lines = [
            ipywidgets.HBox(parts).add_class("mg-lamp-line")
            for parts in zip(self.lamps, self.swaps, self._code, strict=True)
        ]
        super().__init__(state, [self._start, ipywidgets.VBox(lines), self._results])

    def switch(self, line: str) -> None:
        """Put out the lamp of a line (zero, forward, backward, step), or switch it on again."""
        self.state.switch(line)
        self.refresh()

    def swap(self, line: str) -> None:
        """Swap a line with the next one."""
        self.state.swap(line)
        self.refresh()

    def redraw(self) -> None:
        state, run = self.state, self.state.run
        for line, lamp, code in zip(state.order, self.lamps, self._code, strict=True):
            off = line in state.off
            lamp.description = f"{'○' if off else '●'} {line}"
            lamp.tooltip = "Switch this line on again" if off else "Leave this line out"
            (lamp.add_class if off else lamp.remove_class)("mg-off")
            (written,) = highlighted(LINES[line])
            shown = f'<s class="mg-muted">{escape(LINES[line])}</s>' if off else written
            code.value = f'<pre class="mg-code">{shown}</pre>'
        self._results.value = ""
        if run is not None:
            error = f"<pre>{escape(run.error)}</pre>" if run.error else ""
            self._results.value = (
                f'<div class="mg-columns"><div>{state.chart()}</div>'
                f"{table(state.head, state.rows)}</div>{error}"
            )

    def _button(self, width: str, action: Any, place: int) -> ipywidgets.Button:
        made = self.button("", "", partial(action, place))
        made.layout.width = width
        return made

    def _switch(self, place: int) -> None:
        self.state.switch(self.state.order[place])

    def _swap(self, place: int) -> None:
        self.state.swap(self.state.order[place])


def _before_the_loop(state: LoopLampsState) -> str:
    before, loop, _ = state.source.partition(f"for turn in range({state.turns}):")
    return f'<pre class="mg-code">{"<br>".join(highlighted(before + loop))}</pre>'
