"""VJPBench: sliders for v, and a Jacobian that is built row by row from backward passes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import ipywidgets

from minigrad.widgets.base import Instrument, html, row, table
from minigrad.widgets.state.vjp_bench import VJPBenchState

_LOWEST, _HIGHEST, _STEP = -3.0, 3.0, 0.5


class VJPBench(Instrument):
    """vᵀJ for any v: what ``y.backward(v)`` leaves in ``x.grad``, after your prediction.

    A one-hot v gives one row of J; all of them give J, which backward never builds. Once you have
    predicted all rows and one other product, vᵀJ follows the sliders while you drag them.

    f: a function from a vector to a vector, or several by name. x: where; it is left alone. Both
    may be of minigrad or of PyTorch, with at most six numbers.

    TypeError for what is no tensor, ValueError for what is no such vector, and for a function
    through which no gradient reaches ``x``.

    >>> import minigrad as torch
    >>> bench = VJPBench(lambda x: x * x, torch.tensor([1.0, 2.0]))
    >>> bench.predict("2, 0")
    Right: [2, 0]. One-hot v picks row 0.
    >>> bench.set_v([1, 1])
    >>> bench.predict("2, 4")
    Right: [2, 4].
    """

    state: VJPBenchState

    def __init__(
        self, f: Callable[[Any], Any] | Mapping[str, Callable[[Any], Any]], x: Any
    ) -> None:
        functions = f if isinstance(f, Mapping) else {getattr(f, "__name__", "f"): f}
        functions = {("f" if name == "<lambda>" else name): g for name, g in functions.items()}
        state = VJPBenchState(functions, x)
        self.function = ipywidgets.Dropdown(
            options=list(functions), description="function", layout=ipywidgets.Layout(width="20em")
        )
        self.function.observe(self._on_function, "value")
        self.sliders: list[ipywidgets.FloatSlider] = []
        self.one_hots: list[ipywidgets.Button] = []
        self._v = ipywidgets.VBox()
        self._table = html()
        chooser = [self.function] if len(functions) > 1 else []
        super().__init__(state, [*chooser, self._v, self._table])

    def choose(self, name: str) -> None:
        """Take another of the functions."""
        self.state.choose(name)
        self.refresh()

    def one_hot(self, row: int) -> None:
        """Let v be 1 at one place and 0 elsewhere."""
        self.state.one_hot(row)
        self.refresh()

    def set_v(self, v: Any) -> None:
        """Let v be these numbers."""
        self.state.set_v(v)
        self.refresh()

    def redraw(self) -> None:
        state = self.state
        self.function.value = state.name
        if len(self.sliders) != state.size:
            self._build_v(state.size)
        for slider, number in zip(self.sliders, state.v, strict=True):
            slider.unobserve(self._on_slider, "value")
            slider.min, slider.max = min(_LOWEST, number), max(_HIGHEST, number)
            slider.value = number
            slider.observe(self._on_slider, "value")
        self._table.value = table(state.head, state.rows, state.row)

    def _build_v(self, size: int) -> None:
        layout = ipywidgets.Layout(width="auto", flex="1 1 26em")
        self.sliders = [
            ipywidgets.FloatSlider(
                0, min=_LOWEST, max=_HIGHEST, step=_STEP, description=f"v{place}", layout=layout
            )
            for place in range(size)
        ]
        self.one_hots = [self._one_hot_button(place, size) for place in range(size)]
        self._v.children = [row(*pair) for pair in zip(self.sliders, self.one_hots, strict=True)]

    def _one_hot_button(self, place: int, size: int) -> ipywidgets.Button:
        v = ", ".join(str(int(place == other)) for other in range(size))
        text = f"e{place}: one at place {place}"
        return self.button(text, f"v = [{v}]", lambda: self.state.one_hot(place))

    def _on_slider(self, _: object) -> None:
        self.set_v([slider.value for slider in self.sliders])

    def _on_function(self, change: dict[str, Any]) -> None:
        if change["new"] != self.state.name:
            self.choose(change["new"])
