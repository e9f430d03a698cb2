"""Playground: a small network, seen while it learns."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from types import ModuleType
from typing import Any

import ipywidgets

from minigrad.widgets.base import Instrument, html, row
from minigrad.widgets.state.playground import ACTIVATIONS, PlaygroundState, Settings
from minigrad.widgets.state.points import SHAPES

_RATES = (0.01, 0.03, 0.1, 0.3, 0.5, 1.0, 3.0)
_AT_ONCE = 5  # iterations between two pictures
_PAUSE = 0.02  # seconds, in which the kernel does other things
_LONGEST_RUN = 1000  # iterations


class Playground(Instrument):
    """Points of two kinds, a small network, and what its gradients do, layer by layer.

    Step and Run train it; while it runs, the kernel goes on answering. Its plane, weights, loss and
    gradients are those of the engine that was given. For every shape of network you predict where
    the gradients are largest, once it has run; then they are shown.

    torch: minigrad or PyTorch. hide: the controls that a class should not see, of data, layers,
    units, activation, rate, seed, step, run, reset. settings: what to begin with, such as
    ``activation="sigmoid", layers=4``.

    ValueError for settings and controls that there are not.

    >>> import minigrad as torch
    >>> playground = Playground(torch, data="halves", layers=1)
    >>> playground.step()
    >>> playground.predict("layer 2, the last")
    Right: “layer 2, the last”. On average 3.1e-02 in the first layer and 8.1e-02 in the last. ...
    """

    state: PlaygroundState

    def __init__(self, torch: ModuleType, hide: Collection[str] = (), **settings: Any) -> None:
        state = PlaygroundState(torch, Settings(**settings))
        self._running: asyncio.Task[None] | None = None
        self.choices = self._build_choices(state.settings)
        self.buttons = {
            "step": self.button("Step", "Train for one iteration", state.step),
            "run": self.button("Run", "Train until you press it again", self.run),
            "reset": self.button("Reset", "Begin again with the seed's weights", self._reset),
        }
        buttons = self.buttons.values()
        controls = {**self.choices, **self.buttons}
        unknown = [name for name in hide if name not in controls]
        if unknown:
            raise ValueError(f"hide: one or more of {', '.join(controls)}; not {unknown[0]!r}")
        for name in hide:
            controls[name].layout.display = "none"
        self._plane, self._loss, self._net, self._bars = html(), html(), html(), html()
        right = ipywidgets.VBox([self._loss, self._net])
        pictures = ipywidgets.HBox([self._plane, right]).add_class("mg-playground")
        super().__init__(state, [row(*self.choices.values(), *buttons), pictures, self._bars])
        for name, choice in self.choices.items():
            choice.observe(self._on_choice(name), "value")

    def change(self, **settings: Any) -> None:
        """Choose other settings; the network begins again."""
        self._stop()
        self.state.change(**settings)
        self.refresh()

    def step(self, turns: int = 1) -> None:
        """Train for some iterations."""
        self.state.step(turns)
        self.refresh()

    def run(self) -> None:
        """Train in the background, or stop that.

        RuntimeError where no event loop runs, as outside of a notebook: use ``step`` there.
        """
        if self.is_running:
            self._stop()
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            raise RuntimeError("There is no notebook to run in: use step(turns)") from None
        self.state.is_running = True
        self._running = loop.create_task(self._train())

    @property
    def is_running(self) -> bool:
        return self._running is not None

    def redraw(self) -> None:
        state, settings = self.state, self.state.settings
        for name, choice in self.choices.items():
            choice.value = getattr(settings, name)
        self.buttons["run"].description = "Stop" if self.is_running else "Run"
        self._net.value = state.network()
        self._plane.value = state.boundary()
        self._loss.value = state.loss_chart()
        self._bars.value = state.gradient_bars()

    def close(self) -> None:
        self._stop()
        super().close()

    async def _train(self) -> None:
        said = ""
        try:
            for _ in range(_LONGEST_RUN // _AT_ONCE):
                self.step(_AT_ONCE)
                await asyncio.sleep(_PAUSE)
            said = f"Stopped after {_LONGEST_RUN} iterations. Press Run to go on."
        finally:
            self._running, self.state.is_running = None, False
            self.refresh(said)

    def _stop(self) -> None:
        if self._running is not None:
            self._running.cancel()

    def _reset(self) -> None:
        self._stop()
        self.state.reset()

    def _build_choices(self, settings: Settings) -> dict[str, ipywidgets.Widget]:
        rates = sorted({*_RATES, settings.rate})
        return {
            "data": _dropdown("data", SHAPES),
            "layers": _number("layers", 1, 6),
            "units": _number("units", 1, 32),
            "activation": _dropdown("activation", ACTIVATIONS),
            "rate": _dropdown("rate", rates),
            "seed": _number("seed", 0, 2**32 - 1),
        }

    def _on_choice(self, name: str) -> Any:
        def changed(change: dict[str, Any]) -> None:
            if getattr(self.state.settings, name) != change["new"]:
                self.change(**{name: change["new"]})

        return changed


def _dropdown(name: str, options: Iterable[Any]) -> ipywidgets.Dropdown:
    return ipywidgets.Dropdown(options=list(options), description=name, **_narrow())


def _number(name: str, low: int, high: int) -> ipywidgets.BoundedIntText:
    return ipywidgets.BoundedIntText(low, min=low, max=high, description=name, **_narrow())


def _narrow() -> dict[str, Any]:
    layout = ipywidgets.Layout(width="13em")
    return {"layout": layout, "style": {"description_width": "5.2em"}}
