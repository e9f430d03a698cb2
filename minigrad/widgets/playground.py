"""Playground: a small network, seen while it learns."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from types import ModuleType
from typing import Any

import ipywidgets
import numpy as np

from minigrad.viz.read.values import format_number
from minigrad.widgets import playground_pictures as pictures
from minigrad.widgets.base import Instrument, State, html, row, text_table
from minigrad.widgets.expected import Choice
from minigrad.widgets.plot import Axis, Series, chart
from minigrad.widgets.points import SHAPES, make_points
from minigrad.widgets.questions import Mistake, Question

ACTIVATIONS = {"tanh": "Tanh", "relu": "ReLU", "sigmoid": "Sigmoid"}
_POINTS = 120
_MOST_LAYERS, _MOST_UNITS = 6, 32
_FINENESS = 48  # places in each direction at which the network is asked what it thinks


@dataclass(frozen=True)
class Settings:
    """What a learner can choose. ValueError for what there is not."""

    data: str = "circles"
    layers: int = 2  # hidden ones
    units: int = 8  # in each hidden layer
    activation: str = "tanh"
    rate: float = 0.5
    seed: int = 0

    def __post_init__(self) -> None:
        _among("data", self.data, SHAPES)
        _among("activation", self.activation, ACTIVATIONS)
        _within("layers", self.layers, 1, _MOST_LAYERS)
        _within("units", self.units, 1, _MOST_UNITS)
        _within("seed", self.seed, 0, 2**32 - 1)
        if not (self.rate > 0 and math.isfinite(self.rate)):
            raise ValueError(f"rate must be a positive number, but got {self.rate}")


class PlaygroundState(State):
    """Trains a network on all points at once, step by step, by SGD.

    Once it has begun, and for every shape of network, it asks where the gradients are largest.

    torch: the engine that it runs on; the learner's random numbers stay as they were.
    """

    title = "Playground"

    def __init__(self, torch: ModuleType, settings: Settings | None = None) -> None:
        self.torch = torch
        self.settings = settings or Settings()
        self.is_running = False  # then it asks nothing
        self._known: set[Settings] = set()  # the shapes whose gradients are shown
        self._open: tuple[tuple[Settings, int], Question] | None = None
        self.reset()

    def change(self, **settings: Any) -> None:
        """Choose other settings, by the names in ``Settings``; the network begins anew.

        ValueError for what there is not to choose; then nothing changes.
        """
        self.settings = replace(self.settings, **settings)
        self.reset()

    def reset(self) -> None:
        """Begin again: the weights that the seed gives, and no iteration done."""
        self.verdict = None
        places, kinds = make_points(self.settings.data, _POINTS, self.settings.seed)
        self.places, self.kinds = places, kinds
        self.losses: list[float] = []
        self._network = self._new_network()
        self._optimizer = self.torch.optim.SGD(self._network.parameters(), lr=self.settings.rate)
        self._inputs = self.torch.from_numpy(places)
        self._targets = self.torch.from_numpy(kinds)

    def step(self, turns: int = 1) -> None:
        """Train for some iterations; what was said of the gradients before is over."""
        self.verdict = None
        for _ in range(turns):
            self._optimizer.zero_grad()
            loss = self._loss(self._network)
            loss.backward()
            self._optimizer.step()
            self.losses.append(loss.item())

    @property
    def turns(self) -> int:
        return len(self.losses)

    @property
    def question(self) -> Question | None:
        """Where the gradients of the last iteration are largest; for each shape until it is known.

        None before the first iteration, and while it runs.
        """
        shape = self._shape
        if self.is_running or not self.losses or shape in self._known:
            return None
        asked = shape, self.turns
        if self._open is None or self._open[0] != asked:
            self._open = asked, self._ask(shape)
        return self._open[1]

    def answered(self, question: Question) -> None:
        """The gradients of networks of this shape are shown from now on."""
        self._known.add(self._shape)

    def _ask(self, shape: Settings) -> Question:
        layers = self.layers
        return Question(
            f"{shape.layers} hidden layer{'s' if shape.layers > 1 else ''} of {shape.units}, "
            f"{shape.activation}. In iteration {self.turns}, which layer's weights had the larger "
            f"gradients, on average?",
            Choice((f"{layers[0]}, the first", f"{layers[-1]}, the last", "about the same")),
            lambda: _larger(layers, _sizes(self._network)),
            mistakes=_mistakes(layers),
            because=lambda _: _because(_sizes(self._network)),
        )

    @property
    def layers(self) -> list[str]:
        """The names of the layers with weights."""
        return [f"layer {number + 1}" for number in range(self.settings.layers + 1)]

    @property
    def gradients(self) -> dict[str, float] | None:
        """The mean size of each layer's weight gradients in the last iteration.

        None before the prediction, and before the first iteration.
        """
        if not self.losses or self._shape not in self._known:
            return None
        return dict(zip(self.layers, _sizes(self._network), strict=True))

    @property
    def accuracy(self) -> float:
        """The share of points that the network classifies correctly."""
        return float(((self._thinks(self.places) > 0) == (self.kinds == 1)).mean())

    @property
    def summary(self) -> str:
        net = f"{self.settings.data}, {self._net}, seed {self.settings.seed}"
        if not self.losses:
            return f"{net}, not trained yet"
        return f"{net}, iteration {self.turns}: loss {format_number(self.losses[-1])}"

    @property
    def head(self) -> list[str]:
        return ["layer", "mean |gradient|"]

    @property
    def rows(self) -> list[list[str]]:
        """The gradients' sizes by layer; ``?`` before the prediction."""
        gradients = self.gradients
        if gradients is None:
            return [[layer, "?"] for layer in self.layers]
        return [[layer, f"{size:.1e}"] for layer, size in gradients.items()]

    @property
    def text(self) -> str:
        lines = [f"{self.title}: {self.summary}", text_table([self.head, *self.rows])]
        if self.losses:
            lines.append(f"{self.accuracy:.0%} of the points classified correctly")
        return "\n".join(lines)

    def boundary(self) -> str:
        """The points, and what the network thinks of every place between, as SVG."""
        ticks = (np.arange(_FINENESS) + 0.5) / _FINENESS * 2.2 - 1.1
        x, y = np.meshgrid(ticks, ticks[::-1])
        grid = np.stack([x.ravel(), y.ravel()], 1).astype(np.float32)
        thinks = self._thinks(grid).reshape(_FINENESS, _FINENESS)
        right = f"{self.accuracy:.0%} of the points classified correctly"
        return pictures.boundary(f"{self.settings.data}: {right}", thinks, self.places, self.kinds)

    def loss_chart(self) -> str:
        """The loss of each iteration, as SVG; empty before the first."""
        if not self.losses:
            return ""
        every = max(1, len(self.losses) // 200)
        points = list(enumerate(self.losses, 1))[::every]
        title = f"The loss over {self.turns} iterations"
        axes = Axis("iteration", reach=(0, 10)), Axis("loss", reach=(0,))
        return chart(title, *axes, [Series("loss", points)])

    def gradient_bars(self) -> str:
        """The gradients' sizes as bars, as SVG; empty before the prediction."""
        gradients = self.gradients
        return "" if gradients is None else pictures.bars("Mean size of the gradients", gradients)

    def network(self) -> str:
        """The network's weights, layer by layer, as SVG."""
        weights = [np.array(w.tolist()) for w in _weights(self._network)]
        return pictures.network(self._net, weights, self.settings.activation)

    def svg(self) -> str:
        return self.boundary()

    @property
    def _shape(self) -> Settings:
        """The settings that the question is about."""
        return replace(self.settings, data="circles", rate=1.0)

    @property
    def _net(self) -> str:
        """The network in half a line, such as 2-8-8-1 tanh."""
        return f"{'-'.join(map(str, self._widths))} {self.settings.activation}"

    @property
    def _widths(self) -> list[int]:
        return [2, *[self.settings.units] * self.settings.layers, 1]

    def _new_network(self) -> Any:
        nn = self.torch.nn
        activation = getattr(nn, ACTIVATIONS[self.settings.activation])
        widths, layers = self._widths, []
        with self.torch.random.fork_rng():
            self.torch.manual_seed(self.settings.seed)
            for before, after in pairwise(widths):
                layers += [nn.Linear(before, after), activation()]
        return nn.Sequential(*layers[:-1])

    def _loss(self, network: Any) -> Any:
        outputs = network(self._inputs).squeeze(1)
        functional = self.torch.nn.functional
        return functional.binary_cross_entropy_with_logits(outputs, self._targets)

    def _thinks(self, places: np.ndarray) -> np.ndarray:
        """The network's output at these places: above 0 it thinks of the second kind."""
        with self.torch.no_grad():
            outputs = self._network(self.torch.from_numpy(places)).squeeze(1)
        return np.array(outputs.tolist())


def _larger(layers: list[str], sizes: list[float]) -> str:
    first, last = sizes[0], sizes[-1]
    if 0.5 * first < last < 2 * first:
        return "about the same"
    return f"{layers[-1]}, the last" if last > first else f"{layers[0]}, the first"


def _because(sizes: list[float]) -> str:
    said = f"On average {sizes[0]:.1e} in the first layer and {sizes[-1]:.1e} in the last."
    if sizes[-1] > 2 * sizes[0]:
        said += " On its way back, each layer multiplies a gradient by a slope and by weights."
    return said


def _mistakes(layers: list[str]) -> Iterator[Mistake]:
    yield Mistake(
        f"{layers[0]}, the first",
        "The first layer comes last on the way back, after all other layers' factors.",
    )
    yield Mistake("about the same", "Each layer multiplies: a few factors make a big difference.")


def _sizes(network: Any) -> list[float]:
    return [0.0 if w.grad is None else w.grad.abs().mean().item() for w in _weights(network)]


def _weights(network: Any) -> list[Any]:
    return [p for p in network.parameters() if len(p.shape) == 2]


def _among(name: str, value: str, options: Any) -> None:
    if value not in options:
        raise ValueError(f"{name} must be one of {', '.join(options)}; not {value!r}")


def _within(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise ValueError(f"{name} must be from {low} to {high}, but got {value}")


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
