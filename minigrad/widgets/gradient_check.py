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
    >>> check.predict("1e-12")
    Not quite: 1e-12? So small a nudge changes f by less than rounding does: f(x + ε) and \
f(x − ε) agree in all but their last digits, and their difference is noise. Try again.
    """

    state: GradientCheckState

    def __init__(self, f: Callable[[Any], Any], x: Any) -> None:
        state = GradientCheckState(f, x)
        self.dtype = ipywidgets.Dropdown(
            options=DTYPES, description="dtype", layout=ipywidgets.Layout(width="14em")
        )
        self.entry = ipywidgets.BoundedIntText(
            0,
            0,
            max(state.size - 1, 0),
            description="entry of x",
            layout=ipywidgets.Layout(width="12em"),
        )
        self.nudge = ipywidgets.SelectionSlider(
            options=[(f"1e{exponent}", exponent) for exponent in reversed(EXPONENTS)],
            value=state.exponent,
            description="ε",
            readout=False,  # the chart above it shows which
            layout=ipywidgets.Layout(width="auto", margin="0 0 0 4%"),
            style={"description_width": "1.5em"},
        )
        self._chart, self._table = html(), html()
        beside = ipywidgets.Layout(flex="9 1 300px", max_width="500px")
        left = ipywidgets.VBox([self._chart, self.nudge], layout=beside)
        self._shown = row(left, self._table)
        controls = [self.dtype, *([self.entry] if state.size > 1 else [])]
        super().__init__(state, [row(*controls), self._shown])
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
        self._shown.layout.display = "" if self._chart.value else "none"
        rows = state.rows
        self._table.value = table(state.head, rows, state.current) if rows else ""

    def _on_change(self, change: dict[str, Any]) -> None:
        name = {self.dtype: "dtype", self.nudge: "exponent", self.entry: "entry"}[change["owner"]]
        if getattr(self.state, name) != change["new"]:
            self.act(lambda: self.state.choose(**{name: change["new"]}))
