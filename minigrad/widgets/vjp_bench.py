"""VJPBench: sliders for v, and a Jacobian that is built row by row from backward passes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import ipywidgets
import numpy as np

from minigrad.viz.read.protocol import is_tensor
from minigrad.viz.read.values import format_number
from minigrad.widgets.base import Instrument, State, html, html_table, row, text_table
from minigrad.widgets.expected import Numbers
from minigrad.widgets.questions import Mistake, Question, Verdict

_LARGEST = 6  # rows and columns that still fit
_Key = tuple[str, tuple[float, ...]]  # a function and v


class VJPBenchState(State):
    """vᵀJ of a function at ``x``, for any ``v``: each is a real backward pass.

    Each is shown after a prediction, until all rows of J and one other product were predicted;
    from then on all are shown at once.

    functions: by name, from a vector to a vector. x: where; it is copied, and left alone.

    TypeError for what is no tensor, ValueError for what is no vector, for more than six numbers,
    and for a function through which no gradient reaches ``x``.
    """

    title = "VJP bench"

    def __init__(self, functions: Mapping[str, Callable[[Any], Any]], x: Any) -> None:
        if not functions:
            raise ValueError("there must be a function to differentiate")
        if not is_tensor(x):
            raise TypeError(f"x must be a tensor, but got {type(x).__name__}")
        _check_vector("x", tuple(x.shape))
        self.functions = dict(functions)
        self._x: Any = x
        for name in self.functions:
            _check_vector(f"{name}(x)", tuple(self._run(name)[1].shape))
        self.columns = math.prod(x.shape)
        self._known: dict[_Key, list[float]] = {}
        self._questions: dict[_Key, Question] = {}
        self.choose(next(iter(self.functions)))

    def choose(self, name: str) -> None:
        """Take another of the functions; v is then its first one-hot vector.

        ValueError for a name that there is not.
        """
        if name not in self.functions:
            raise ValueError(f"choose one of: {', '.join(self.functions)}; not {name!r}")
        self.name = name
        y = self._run(name)[1].detach()
        self.y: list[float] = y.tolist()
        self.size = len(self.y)
        self.one_hot(0)

    def one_hot(self, row: int) -> None:
        """Let v be 1 at one place and 0 elsewhere: vᵀJ is then that row of J.

        IndexError for a row that J does not have.
        """
        if not 0 <= row < self.size:
            raise IndexError(f"J has rows 0 to {self.size - 1}, but got {row}")
        self.set_v([float(row == place) for place in range(self.size)])

    def set_v(self, v: Any) -> None:
        """Let v be these numbers; ValueError unless there is one for each entry of y."""
        numbers = np.asarray(v, dtype=float).tolist()
        if not isinstance(numbers, list) or len(numbers) != self.size:
            raise ValueError(f"v needs a number for each of the {self.size} entries of y")
        self.v: tuple[float, ...] = tuple(round(float(number), 6) for number in numbers)
        self.verdict = None

    @property
    def row(self) -> int | None:
        """Which row of J is asked for; None unless v is one-hot."""
        ones = [place for place, number in enumerate(self.v) if number == 1]
        return ones[0] if len(ones) == 1 and sum(map(abs, self.v)) == 1 else None

    @property
    def product(self) -> list[float] | None:
        """vᵀJ; None before it was predicted."""
        return self._vjp(*self._key) if self.is_free else self._known.get(self._key)

    @property
    def jacobian(self) -> list[list[float] | None]:
        """The rows of J; None for those that were not predicted yet."""
        hot = np.eye(self.size).tolist()
        return [self._known.get((self.name, tuple(row))) for row in hot]

    @property
    def is_free(self) -> bool:
        """Whether nothing is asked about this function any more, and v can be played with."""
        predicted = sum(name == self.name for name, _ in self._known)
        return None not in self.jacobian and predicted > self.size

    @property
    def question(self) -> Question | None:
        key = self._key
        if key in self._known or self.is_free:
            return None
        if key not in self._questions:
            which = "" if self.row is None else f" (row {self.row} of J)"
            self._questions[key] = Question(
                f"x = {_list(self._x.detach().tolist())}, v = {_list(self.v)}. What is vᵀJ{which}?",
                Numbers((self.columns,)),
                lambda: self._vjp(*key),
                mistakes=lambda _: self._mistakes(key[1]),
                because="" if self.row is None else f"One-hot v picks row {self.row}.",
            )
        return self._questions[key]

    def predict(self, prediction: Any) -> Verdict:
        """Answer the open question. One number stands for all, or is told that it does not."""
        number, question = _single(prediction), self.question
        if self.columns > 1 and number is not None and question is not None:
            expected = question.expected
            if not expected.near(expected.read(number), self._vjp(*self._key)):
                raise ValueError(
                    f"vᵀJ has {self.columns} entries, and they are not all {_number(number)}. "
                    f"Type all {self.columns}, {expected.hint}."
                )
        return super().predict(prediction)

    def answered(self, question: Question) -> None:
        self._known[self._key] = question.answer

    @property
    def summary(self) -> str:
        rows = sum(row is not None for row in self.jacobian)
        free = ", now move v freely" if self.is_free else ""
        return f"{self.name}, {rows} of {self.size} rows of J known{free}"

    @property
    def head(self) -> list[str]:
        return ["v", "y", *[f"∂y/∂x{column}" for column in range(self.columns)]]

    @property
    def rows(self) -> list[list[str]]:
        """J with v and y beside it, and vᵀJ below; what was not predicted yet is ``?``."""
        unknown = ["?"] * self.columns
        rows = [
            [_number(v), _number(y), *(unknown if row is None else map(_number, row))]
            for v, y, row in zip(self.v, self.y, self.jacobian, strict=True)
        ]
        product = self.product
        return [*rows, ["", "vᵀJ", *(unknown if product is None else map(_number, product))]]

    @property
    def text(self) -> str:
        x = _list(self._x.detach().tolist())
        return f"{self.title}: {self.summary}\nx = {x}\n" + text_table([self.head, *self.rows])

    @property
    def _key(self) -> tuple[str, tuple[float, ...]]:
        return self.name, self.v

    def _run(self, name: str) -> tuple[Any, Any]:
        x = self._x.detach().clone().requires_grad_()
        y = self.functions[name](x)
        if not is_tensor(y):
            raise TypeError(f"{name}(x) must be a tensor, but is {type(y).__name__}")
        if not y.requires_grad:
            raise ValueError(f"no gradient leads back from {name}(x)")
        return x, y

    def _vjp(self, name: str, v: tuple[float, ...]) -> list[float]:
        """What backward leaves in ``x.grad`` when it starts with v."""
        x, y = self._run(name)
        start = y.detach().clone()
        for place, number in enumerate(v):
            start[place] = number
        y.backward(start)
        return [0.0] * self.columns if x.grad is None else x.grad.tolist()

    def _mistakes(self, v: tuple[float, ...]) -> Iterator[Mistake]:
        jacobian = np.array(
            [self._vjp(self.name, tuple(row)) for row in np.eye(self.size).tolist()]
        )
        if jacobian.shape[0] == jacobian.shape[1]:
            if self.row is not None:
                yield Mistake(jacobian[:, self.row], "That is a column of J, but v picks a row.")
            yield Mistake(jacobian @ v, "That is Jv, which goes forward, while backward gives vᵀJ.")
        yield Mistake(jacobian.sum(0), "That is the sum of all rows, as v = 1, 1, … gives it.")
        yield Mistake(jacobian.sum(0) * sum(v), "Each row has its own weight: its entry of v.")


def _check_vector(name: str, shape: tuple[int, ...]) -> None:
    if len(shape) != 1 or not 1 <= shape[0] <= _LARGEST:
        raise ValueError(
            f"{name} must be a vector of 1 to {_LARGEST} numbers, not of shape {list(shape)}"
        )


def _single(prediction: Any) -> float | None:
    """The one number that was given; None if it is not one."""
    with suppress(ValueError):
        return float(Numbers().read(prediction))
    return None


def _list(numbers: Any) -> str:
    return f"[{', '.join(map(_number, numbers))}]"


def _number(number: float) -> str:
    return format_number(float(number))


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
        self._table.value = html_table(state.head, state.rows, state.row)

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
