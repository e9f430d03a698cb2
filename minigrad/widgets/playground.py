"""Playground: a small network that learns to tell two classes of points apart."""

import asyncio
import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from types import ModuleType
from typing import Any

import ipywidgets
import numpy as np

from minigrad.viz.backward.answers import Mistake
from minigrad.viz.read.values import format_number
from minigrad.widgets import playground_pictures as pictures
from minigrad.widgets.answers import Choice
from minigrad.widgets.base import Instrument, State, on_state
from minigrad.widgets.checks import check_choice, check_range
from minigrad.widgets.page import beside, dropdown, html, number, row
from minigrad.widgets.plot import Axis, Series, chart
from minigrad.widgets.points import SHAPES, make_points
from minigrad.widgets.questions import Question

ACTIVATIONS = {"tanh": "Tanh", "relu": "ReLU", "sigmoid": "Sigmoid"}
_POINTS = 120
_MOST = {"layers": 6, "units": 32, "seed": 2**32 - 1}
_FINENESS = 48  # places in each direction where the network predicts
_RATES = (0.01, 0.03, 0.1, 0.3, 0.5, 1.0, 3.0)
_AT_ONCE = 5  # iterations between two pictures
_PAUSE = 0.02  # seconds, in which the kernel does other things
_LONGEST_RUN = 1000  # iterations


@dataclass(frozen=True)
class Settings:
    """What a learner can choose. ValueError for anything else."""

    data: str = "circles"
    layers: int = 2  # hidden ones
    units: int = 8  # in each hidden layer
    activation: str = "tanh"
    rate: float = 0.5
    seed: int = 0

    def __post_init__(self) -> None:
        check_choice("data", self.data, SHAPES)
        check_choice("activation", self.activation, ACTIVATIONS)
        for name, most in _MOST.items():
            check_range(name, getattr(self, name), int(name != "seed"), most)
        if not (self.rate > 0 and math.isfinite(self.rate)):
            raise ValueError(f"rate must be a positive number, but got {self.rate}")

    @property
    def widths(self) -> list[int]:
        """The number of values before and after each layer."""
        return [2, *[self.units] * self.layers, 1]

    @property
    def net(self) -> str:
        """The network in half a line, such as 2-8-8-1 tanh."""
        return f"{'-'.join(map(str, self.widths))} {self.activation}"


class PlaygroundState(State):
    """Trains a network on all points at once, step by step, by SGD.

    After the first iterations, and for every shape of network, it asks where the gradients are
    largest.

    torch: the engine that it runs on; the learner's random numbers stay as they were.
    """

    title = "Playground"
    head = ("layer", "mean |gradient|")

    def __init__(self, torch: ModuleType, settings: Settings | None = None) -> None:
        super().__init__()
        self.torch = torch
        self.settings = settings or Settings()
        self.is_running = False  # then it asks nothing
        self._known: set[Settings] = set()  # the shapes whose gradients are shown
        self.reset()

    def change(self, **settings: Any) -> None:
        """Choose other settings, by the names in ``Settings``; the network begins again.

        ValueError for values that can't be chosen; then nothing changes.
        """
        self.settings = replace(self.settings, **settings)
        self.reset()

    def setting(self, name: str) -> Any:
        """One of the settings, by its name."""
        return getattr(self.settings, name)

    def reset(self) -> None:
        """Begin again, with the seed's weights and no iteration done."""
        self.verdict = None
        self.places, self.kinds = make_points(self.settings.data, _POINTS, self.settings.seed)
        self.losses: list[float] = []
        self._network = self._new_network()
        self._optimizer = self.torch.optim.SGD(self._network.parameters(), lr=self.settings.rate)
        self._inputs = self.torch.from_numpy(self.places)
        self._targets = self.torch.from_numpy(self.kinds)

    def step(self, iterations: int = 1) -> None:
        """Train for some iterations."""
        self.verdict = None
        loss_of = self.torch.nn.functional.binary_cross_entropy_with_logits
        for _ in range(iterations):
            self._optimizer.zero_grad()
            loss = loss_of(self._network(self._inputs).squeeze(1), self._targets)
            loss.backward()
            self._optimizer.step()
            self.losses.append(loss.item())

    @property
    def iterations(self) -> int:
        return len(self.losses)

    @property
    def topic(self) -> tuple[Settings, int] | None:
        """The shape of the network and the iteration; None before the first, and while it runs."""
        if self.is_running or not self.losses or self._shape in self._known:
            return None
        return self._shape, self.iterations

    def question_about(self, topic: tuple[Settings, int]) -> Question:
        (shape, turn), layers = topic, self.layers
        return Question(
            f"{shape.layers} hidden layer{'s' if shape.layers > 1 else ''} of {shape.units}, "
            f"{shape.activation}. In iteration {turn}, which layer's weights had the larger "
            f"gradients, on average?",
            Choice((f"{layers[0]}, the first", f"{layers[-1]}, the last", "about the same")),
            lambda: _larger(layers, _sizes(self._network)),
            mistakes=_mistakes(layers),
            because=lambda _: _because(_sizes(self._network)),
        )

    def answered(self, question: Question) -> None:
        self._known.add(self._shape)

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
        return float(((self._predict(self.places) > 0) == (self.kinds == 1)).mean())

    @property
    def summary(self) -> str:
        net = f"{self.settings.data}, {self.settings.net}, seed {self.settings.seed}"
        if not self.losses:
            return f"{net}, not trained yet"
        return f"{net}, iteration {self.iterations}: loss {format_number(self.losses[-1])}"

    @property
    def rows(self) -> list[list[str]]:
        """The gradients' sizes by layer."""
        sizes = self.gradients or {}
        return [[name, f"{sizes[name]:.1e}" if sizes else "?"] for name in self.layers]

    @property
    def text(self) -> str:
        correct = f"\n{self._correct}" if self.losses else ""
        return super().text + correct

    @property
    def _correct(self) -> str:
        return f"{self.accuracy:.0%} of the points classified correctly"

    def boundary(self) -> str:
        """The points, and what the network predicts everywhere between them, as SVG."""
        ticks = (np.arange(_FINENESS) + 0.5) / _FINENESS * 2.2 - 1.1
        x, y = np.meshgrid(ticks, ticks[::-1])
        grid = np.stack([x.ravel(), y.ravel()], 1).astype(np.float32)
        outputs = self._predict(grid).reshape(_FINENESS, _FINENESS)
        title = f"{self.settings.data}: {self._correct}"
        return pictures.boundary(title, outputs, self.places, self.kinds)

    def chart(self) -> str:
        """The loss of each iteration, as SVG; empty before the first."""
        if not self.losses:
            return ""
        every = max(1, len(self.losses) // 200)
        points = list(enumerate(self.losses, 1))[::every]
        title = f"The loss over {self.iterations} iterations"
        axes = Axis("iteration", reach=(0, 10)), Axis("loss", reach=(0,))
        return chart(title, *axes, [Series("loss", points)])

    def gradient_bars(self) -> str:
        """The gradients' sizes as bars, as SVG; empty before the prediction."""
        gradients = self.gradients
        return "" if gradients is None else pictures.bars("Mean size of the gradients", gradients)

    def network(self) -> str:
        """The network's weights, layer by layer, as SVG."""
        weights = [np.array(w.tolist()) for w in _weights(self._network)]
        return pictures.network(self.settings.net, weights, self.settings.activation)

    def svg(self) -> str:
        return self.boundary()

    @property
    def _shape(self) -> Settings:
        """The settings that the question is about."""
        return replace(self.settings, data="circles", rate=1.0)

    def _new_network(self) -> Any:
        nn, layers = self.torch.nn, []
        activation = getattr(nn, ACTIVATIONS[self.settings.activation])
        with self.torch.random.fork_rng():
            self.torch.manual_seed(self.settings.seed)
            for before, after in pairwise(self.settings.widths):
                layers += [nn.Linear(before, after), activation()]
        return nn.Sequential(*layers[:-1])

    def _predict(self, places: np.ndarray) -> np.ndarray:
        """The network's output at these places; above 0 it predicts class 1."""
        with self.torch.no_grad():
            outputs = self._network(self.torch.from_numpy(places)).squeeze(1)
        return np.array(outputs.tolist())


def _larger(layers: list[str], sizes: list[float]) -> str:
    first, last = sizes[0], sizes[-1]
    if 0.5 * first < last < 2 * first:
        return "about the same"
    return f"{layers[-1]}, the last" if last > first else f"{layers[0]}, the first"


def _because(sizes: list[float]) -> str:
    measured = f"On average {sizes[0]:.1e} in the first layer and {sizes[-1]:.1e} in the last."
    if sizes[-1] > 2 * sizes[0]:
        measured += (
            " On the way back, each layer multiplies the gradient by a slope and by its weights."
        )
    return measured


def _mistakes(layers: list[str]) -> Iterator[Mistake]:
    yield Mistake(
        f"{layers[0]}, the first",
        "The gradient gets to the first layer last, after the factors of all other layers.",
    )
    yield Mistake("about the same", "Each layer multiplies: a few factors make a big difference.")


def _sizes(network: Any) -> list[float]:
    return [0.0 if w.grad is None else w.grad.abs().mean().item() for w in _weights(network)]


def _weights(network: Any) -> list[Any]:
    return [p for p in network.parameters() if len(p.shape) == 2]


class Playground(Instrument):
    """Two classes of points, a small network, and the gradients in each of its layers.

    Step and Run train it; while it runs, the kernel goes on answering. The pictures show its
    predictions, its weights, the loss and the gradients. For every shape of network you predict
    where the gradients are largest, after it has run; then they are shown.

    torch: minigrad or PyTorch. hide: the controls that a class should not see: data, layers,
    units, activation, rate, seed, step, run, reset. settings: what to begin with, such as
    ``activation="sigmoid", layers=4``.

    ValueError for other settings and controls.

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
        self.choices = {
            "data": dropdown("data", SHAPES, 12),
            "layers": number("layers", 1, _MOST["layers"]),
            "units": number("units", 1, _MOST["units"]),
            "activation": dropdown("activation", ACTIVATIONS, 12),
            "rate": dropdown("rate", sorted({*_RATES, state.settings.rate}), 12),
            "seed": number("seed", 0, _MOST["seed"]),
        }
        self.buttons = {
            "step": self.button("Step", "Train for one iteration", state.step),
            "run": self.button("Run", "Train until you press it again", self.run),
            "reset": self.button("Reset", "Start over with the seed's weights", self._reset),
        }
        controls = {**self.buttons, **self.choices}
        for name in hide:
            check_choice("hide", name, controls)
            controls[name].layout.display = "none"
        self._plane, self._net, self._bars = html(), html(), html()
        right = ipywidgets.VBox([self.chart, self._net])
        pictures = beside(self._plane, right).add_class("mg-playground")
        super().__init__(state, [row(*controls.values()), pictures, self._bars])
        for name, choice in self.choices.items():
            self.link(choice, partial(state.setting, name), partial(self._change, name))

    def change(self, **settings: Any) -> None:
        """Choose other settings; the network begins again."""
        self._stop()
        self.state.change(**settings)
        self.refresh()

    step = on_state(PlaygroundState.step)

    def run(self) -> None:
        """Train in the background, or stop that.

        RuntimeError without an event loop, as outside of a notebook: use ``step`` there.
        """
        if self.is_running:
            self._stop()
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            raise RuntimeError("There's no notebook to run in: use step(iterations)") from None
        self.state.is_running = True
        self._running = loop.create_task(self._train())

    @property
    def is_running(self) -> bool:
        return self._running is not None

    def redraw(self) -> None:
        state = self.state
        self.buttons["run"].description = "Stop" if self.is_running else "Run"
        self._net.value = state.network()
        self._plane.value = state.boundary()
        self._bars.value = state.gradient_bars()

    def close(self) -> None:
        self._stop()
        super().close()

    async def _train(self) -> None:
        news = ""
        try:
            for _ in range(_LONGEST_RUN // _AT_ONCE):
                self.step(_AT_ONCE)
                await asyncio.sleep(_PAUSE)
            news = f"Stopped after {_LONGEST_RUN} iterations. Press Run to go on."
        finally:
            self._running, self.state.is_running = None, False
            self.refresh(news)

    def _stop(self) -> None:
        if self._running is not None:
            self._running.cancel()

    def _reset(self) -> None:
        self._stop()
        self.state.reset()

    def _change(self, name: str, value: Any) -> None:
        self._stop()
        self.state.change(**{name: value})
