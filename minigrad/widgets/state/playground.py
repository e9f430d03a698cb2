"""A small network that learns to tell two kinds of points apart, seen while it learns."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from types import ModuleType
from typing import Any

import numpy as np

from minigrad.viz.values import format_number
from minigrad.widgets.state import playground_pictures as pictures
from minigrad.widgets.state.base import State, table
from minigrad.widgets.state.expected import Choice
from minigrad.widgets.state.plot import Axis, Series, chart
from minigrad.widgets.state.points import SHAPES, make_points
from minigrad.widgets.state.question import Mistake, Question

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
    """Trains a network on all points at once, turn by turn, by SGD.

    What is asked first, for every shape of network, is where the gradients are largest.

    torch: the engine that it runs on; the learner's random numbers stay as they were.
    """

    title = "Playground"

    def __init__(self, torch: ModuleType, settings: Settings | None = None) -> None:
        self.torch = torch
        self.settings = settings or Settings()
        self._questions: dict[Settings, Question] = {}
        self.reset()

    def change(self, **settings: Any) -> None:
        """Choose other settings, by the names in ``Settings``; the network begins anew.

        ValueError for what there is not to choose; then nothing changes.
        """
        self.settings = replace(self.settings, **settings)
        self.verdict = None
        self.reset()

    def reset(self) -> None:
        """Begin anew: the weights that the seed gives, and no turn done."""
        places, kinds = make_points(self.settings.data, _POINTS, self.settings.seed)
        self.places, self.kinds = places, kinds
        self.losses: list[float] = []
        self._network = self._new_network()
        self._optimizer = self.torch.optim.SGD(self._network.parameters(), lr=self.settings.rate)
        self._inputs = self.torch.from_numpy(places)
        self._targets = self.torch.from_numpy(kinds)

    def step(self, turns: int = 1) -> None:
        """Train for some turns. PredictFirst before the prediction."""
        self.require_answer()
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
        shape = self._shape
        if shape not in self._questions:
            layers = self.layers
            self._questions[shape] = Question(
                f"{shape.layers} hidden layer{'s' if shape.layers > 1 else ''} of {shape.units}, "
                f"{shape.activation}. After the first backward(): whose weights have the larger "
                f"gradients, on average?",
                Choice((f"{layers[0]}, the first", f"{layers[-1]}, the last", "about the same")),
                lambda: self._larger(shape),
                mistakes=_mistakes(layers),
                because=lambda _: self._because(shape),
            )
        question = self._questions[shape]
        return question if question.is_open else None

    def answered(self, question: Question) -> None:
        """The answer is the gradients', which are shown from now on."""

    @property
    def layers(self) -> list[str]:
        """The names of the layers with weights."""
        return [f"layer {number + 1}" for number in range(self.settings.layers + 1)]

    @property
    def gradients(self) -> dict[str, float] | None:
        """The mean size of each layer's weight gradients now; None before the prediction."""
        if self.question is not None:
            return None
        if not self.losses:
            return self._first_gradients(self.settings)
        return dict(zip(self.layers, _sizes(self._network), strict=True))

    @property
    def accuracy(self) -> float:
        """The share of points that the network puts on the right side."""
        return float(((self._thinks(self.places) > 0) == (self.kinds == 1)).mean())

    @property
    def summary(self) -> str:
        s = self.settings
        net = f"{s.data}, {'-'.join(map(str, self._widths))} {s.activation}, seed {s.seed}"
        if not self.losses:
            return f"{net}, not trained yet"
        return f"{net}, turn {self.turns}: loss {format_number(self.losses[-1])}"

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
        lines = [f"{self.title}: {self.summary}", table([self.head, *self.rows])]
        if self.losses:
            lines.append(f"{self.accuracy:.0%} of the points on the right side")
        return "\n".join(lines)

    def boundary(self) -> str:
        """The points, and what the network thinks of every place between, as SVG."""
        ticks = (np.arange(_FINENESS) + 0.5) / _FINENESS * 2.2 - 1.1
        x, y = np.meshgrid(ticks, ticks[::-1])
        grid = np.stack([x.ravel(), y.ravel()], 1).astype(np.float32)
        thinks = self._thinks(grid).reshape(_FINENESS, _FINENESS)
        right = f"{self.accuracy:.0%} of the points on the right side"
        return pictures.boundary(f"{self.settings.data}: {right}", thinks, self.places, self.kinds)

    def loss_chart(self) -> str:
        """The loss of each turn, as SVG; empty before the first."""
        if not self.losses:
            return ""
        every = max(1, len(self.losses) // 200)
        points = list(enumerate(self.losses, 1))[::every]
        title = f"The loss over {self.turns} turns"
        axes = Axis("turn", reach=(0, 10)), Axis("loss", reach=(0,))
        return chart(title, *axes, [Series("loss", points)])

    def gradient_bars(self) -> str:
        """The gradients' sizes as bars, as SVG; empty before the prediction."""
        gradients = self.gradients
        return "" if gradients is None else pictures.bars("Mean size of the gradients", gradients)

    def svg(self) -> str:
        return self.boundary()

    @property
    def _shape(self) -> Settings:
        """The settings that the question is about."""
        return replace(self.settings, data="circles", rate=1.0)

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

    def _first_gradients(self, settings: Settings) -> dict[str, float]:
        fresh = PlaygroundState(self.torch, settings)
        fresh._loss(fresh._network).backward()
        return dict(zip(fresh.layers, _sizes(fresh._network), strict=True))

    def _larger(self, shape: Settings) -> str:
        gradients = self._first_gradients(replace(shape, data=self.settings.data))
        names = list(gradients)
        ratio = gradients[names[-1]] / gradients[names[0]]
        if 0.5 < ratio < 2:
            return "about the same"
        return f"{names[-1]}, the last" if ratio > 1 else f"{names[0]}, the first"

    def _because(self, shape: Settings) -> str:
        sizes = list(self._first_gradients(replace(shape, data=self.settings.data)).values())
        said = f"On average {sizes[0]:.1e} in the first layer and {sizes[-1]:.1e} in the last."
        if sizes[-1] > 2 * sizes[0]:
            said += (
                " On its way back a gradient is multiplied by a slope and by weights at each layer."
            )
        return said


def _mistakes(layers: list[str]) -> Iterator[Mistake]:
    yield Mistake(
        f"{layers[0]}, the first",
        "The first layer comes last on the way back, after all other layers' factors.",
    )
    yield Mistake("about the same", "Each layer multiplies: factors below 1 add up to a lot.")


def _sizes(network: Any) -> list[float]:
    weights = [p for p in network.parameters() if len(p.shape) == 2]
    return [0.0 if w.grad is None else w.grad.abs().mean().item() for w in weights]


def _among(name: str, value: str, options: Any) -> None:
    if value not in options:
        raise ValueError(f"{name} must be one of {', '.join(options)}; not {value!r}")


def _within(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise ValueError(f"{name} must be from {low} to {high}, but got {value}")
