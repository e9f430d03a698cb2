"""GradientCheck: backward beside the central difference, for any nudge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets

from minigrad.widgets.base import Instrument, html, row, table
from minigrad.widgets.state.gradient_check import DTYPES, EXPONENTS, GradientCheckState


class GradientCheck(Instrument):
    """Is backward right? The slope by nudging ``x`` is compared with it, for ever smaller nudges.

    f: a function of a tensor that gives a single number. x: where to check; it is left alone.
    Both may be of minigrad or of PyTorch. If ``x`` has several entries, one is nudged at a time.

    TypeError for what is no tensor, ValueError for an ``f`` that gives more than a number, or one
    through which no gradient reaches ``x``; RuntimeError for integers, in PyTorch's words.

    >>> import minigrad as torch
    >>> check = GradientCheck(lambda x: x.sin(), torch.tensor(1.0))
    >>> check
    <GradientCheck: float32, nothing shown yet>
    >>> check.predict(-12).right
    False
    """

    state: GradientCheckState

    def __init__(self, f: Callable[[Any], Any], x: Any) -> None:
        state = GradientCheckState(f, x)
        self.dtype = ipywidgets.Dropdown(
            options=DTYPES, description="dtype", layout=ipywidgets.Layout(width="14em")
        )
        self.nudge = ipywidgets.SelectionSlider(
            options=[(f"1e{exponent}", exponent) for exponent in EXPONENTS],
            description="ε",
            layout=ipywidgets.Layout(width="22em"),
        )
        self.entry = ipywidgets.BoundedIntText(
            0,
            0,
            max(state.size - 1, 0),
            description="entry of x",
            layout=ipywidgets.Layout(width="12em"),
        )
        self._chart, self._table = html(), html()
        controls = [self.dtype, self.nudge, *([self.entry] if state.size > 1 else [])]
        super().__init__(state, [row(*controls), self._chart, self._table])
        for control in (self.dtype, self.nudge, self.entry):
            control.observe(self._on_change, "value")

    def choose(
        self, dtype: str | None = None, exponent: int | None = None, entry: int | None = None
    ) -> None:
        """Check in another dtype, with ε = 10 to this exponent, or another entry of ``x``."""
        self.state.choose(dtype, exponent, entry)
        self.refresh()

    def redraw(self) -> None:
        state = self.state
        self.dtype.value, self.nudge.value, self.entry.value = (
            state.dtype,
            state.exponent,
            state.entry,
        )
        self.nudge.disabled = self.entry.disabled = not state.is_shown
        self._chart.value = state.chart()
        rows = state.rows
        self._table.value = table(state.head, rows, state.current) if rows else ""

    def _on_change(self, change: dict[str, Any]) -> None:
        name = {self.dtype: "dtype", self.nudge: "exponent", self.entry: "entry"}[change["owner"]]
        if getattr(self.state, name) != change["new"]:
            self.choose(**{name: change["new"]})
