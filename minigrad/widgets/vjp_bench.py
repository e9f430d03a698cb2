"""VJPBench: sliders for v, and a Jacobian that is built row by row from backward passes."""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import ipywidgets
import numpy as np

from minigrad.viz.backward.answers import Mistake, Numbers
from minigrad.viz.read.values import format_number
from minigrad.widgets.base import Instrument, State, on_state, text_table
from minigrad.widgets.checks import call_on_leaf, check_choice, check_range, check_tensor
from minigrad.widgets.page import dropdown, row
from minigrad.widgets.questions import Question

_LARGEST = 6  # rows and columns that still fit
_LOWEST, _HIGHEST, _STEP = -3.0, 3.0, 0.5  # of the sliders

Topic = tuple[str, tuple[float, ...]]  # a function and v


class VJPBenchState(State):
    """vᵀJ of a function at ``x``, for any ``v``: each is a real backward pass.

    Each is shown after a prediction, until all rows of J and one other product were predicted;
    from then on all are shown at once.

    functions: by name, from a vector to a vector. x: a vector, which is copied.

    TypeError for anything but tensors, ValueError for anything but vectors of at most six numbers,
    and if no gradient reaches ``x``.
    """

    title = "VJP bench"

    def __init__(self, functions: Mapping[str, Callable[[Any], Any]], x: Any) -> None:
        super().__init__()
        if not functions:
            raise ValueError("there must be a function to differentiate")
        self._x = check_tensor("x", x)
        _check_vector("x", tuple(x.shape))
        self.functions = dict(functions)
        for name in self.functions:
            _check_vector(f"{name}(x)", tuple(self._run(name)[1].shape))
        self.columns = math.prod(x.shape)
        self.choose(next(iter(self.functions)))

    def choose(self, name: str) -> None:
        """Choose another of the functions; v is then its first one-hot vector."""
        check_choice("function", name, self.functions)
        self.name = name
        self.y: list[float] = self._run(name)[1].detach().tolist()
        self.size = len(self.y)
        self.one_hot(0)

    def one_hot(self, row: int) -> None:
        """Set v to 1 at one index and 0 elsewhere: vᵀJ is then that row of J."""
        check_range("row", row, 0, self.size - 1)
        self.set_v([float(row == index) for index in range(self.size)])

    def set_v(self, v: Any) -> None:
        """Set v to these numbers; ValueError unless there is one for each entry of y."""
        numbers = np.asarray(v, dtype=float).tolist()
        if not isinstance(numbers, list) or len(numbers) != self.size:
            raise ValueError(f"v needs a number for each of the {self.size} entries of y")
        self.v: tuple[float, ...] = tuple(round(float(number), 6) for number in numbers)
        self.verdict = None

    @property
    def row(self) -> int | None:
        """The row of J that v picks; None unless v is one-hot."""
        ones = [index for index, number in enumerate(self.v) if number == 1]
        return ones[0] if len(ones) == 1 and sum(map(abs, self.v)) == 1 else None

    @property
    def current(self) -> int | None:
        return self.row

    @property
    def product(self) -> list[float] | None:
        """vᵀJ; None before the prediction."""
        known = self.is_free or self.knows((self.name, self.v))
        return self._vjp(self.name, self.v) if known else None

    @property
    def jacobian(self) -> list[list[float] | None]:
        """The rows of J; None for those that were not predicted yet."""
        one_hots: list[tuple[float, ...]] = [tuple(one) for one in np.eye(self.size).tolist()]
        known = [self.knows((self.name, v)) for v in one_hots]
        return [
            self._vjp(self.name, v) if k else None for v, k in zip(one_hots, known, strict=True)
        ]

    @property
    def is_free(self) -> bool:
        """Whether there is nothing left to ask about this function, so v can be moved freely."""
        known = [topic for topic in self._questions if self.knows(topic)]
        predicted = sum(topic[0] == self.name for topic in known)  # type: ignore[index]
        return predicted > self.size and None not in self.jacobian

    @property
    def topic(self) -> Topic | None:
        return None if self.is_free else (self.name, self.v)

    def question_about(self, topic: Topic) -> Question:
        which = "" if self.row is None else f" (row {self.row} of J)"
        return Question(
            f"x = {_list(self._x.detach().tolist())}, v = {_list(self.v)}. What is vᵀJ{which}?",
            Numbers((self.columns,), one_for_all=False),
            lambda: self._vjp(*topic),
            mistakes=lambda _: self._mistakes(topic[1]),
            because="" if self.row is None else f"One-hot v picks row {self.row}.",
        )

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
        """J with v and y beside it, and vᵀJ below."""
        left = [[_text(v), _text(y)] for v, y in zip(self.v, self.y, strict=True)]
        unknown = ["?"] * self.columns
        return [
            [*before, *(unknown if row is None else map(_text, row))]
            for before, row in zip(
                [*left, ["", "vᵀJ"]], [*self.jacobian, self.product], strict=True
            )
        ]

    @property
    def text(self) -> str:
        x = _list(self._x.detach().tolist())
        return f"{self.title}: {self.summary}\nx = {x}\n" + text_table(self.head, self.rows)

    def _run(self, name: str) -> tuple[Any, Any]:
        return call_on_leaf(name, self.functions[name], self._x)

    def _vjp(self, name: str, v: tuple[float, ...]) -> list[float]:
        """What backward leaves in ``x.grad`` when it starts with v."""
        x, y = self._run(name)
        start = y.detach().clone()
        for index, number in enumerate(v):
            start[index] = number
        y.backward(start)
        return [0.0] * self.columns if x.grad is None else x.grad.tolist()

    def _mistakes(self, v: tuple[float, ...]) -> Iterator[Mistake]:
        one_hots = np.eye(self.size).tolist()
        jacobian = np.array([self._vjp(self.name, tuple(row)) for row in one_hots])
        if jacobian.shape[0] == jacobian.shape[1]:
            if self.row is not None:
                yield Mistake(jacobian[:, self.row], "That's a column of J, but v picks a row.")
            yield Mistake(
                jacobian @ v, "That's Jv, which takes forward mode. backward() computes vᵀJ."
            )
        yield Mistake(jacobian.sum(0), "That's the sum of all rows, which you get with v = 1, 1, …")
        yield Mistake(jacobian.sum(0) * sum(v), "Each row has its own weight: its entry of v.")


def _check_vector(name: str, shape: tuple[int, ...]) -> None:
    if len(shape) != 1 or not 1 <= shape[0] <= _LARGEST:
        raise ValueError(
            f"{name} must be a vector of 1 to {_LARGEST} numbers, not of shape {list(shape)}"
        )


def _list(numbers: Any) -> str:
    return f"[{', '.join(map(_text, numbers))}]"


def _text(number: float) -> str:
    return format_number(float(number))


class VJPBench(Instrument):
    """vᵀJ for any v: what ``y.backward(v)`` leaves in ``x.grad``, after your prediction.

    A one-hot v gives one row of J; all of them give J, which backward never builds. After you have
    predicted all rows and one other product, vᵀJ follows the sliders while you drag them.

    f: a function from a vector to a vector, or several by name. x: a vector, which is copied. Both
    may be minigrad's or PyTorch's, with at most six numbers.

    TypeError for anything but tensors, ValueError for anything but such vectors, and if no gradient
    reaches ``x``.

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
        self.function = dropdown("function", functions, 20)
        self.sliders: list[ipywidgets.FloatSlider] = []
        self.one_hots: list[ipywidgets.Button] = []
        self._v = ipywidgets.VBox()
        chooser = [self.function] if len(functions) > 1 else []
        super().__init__(state, [*chooser, self._v, self.table])
        self.link(self.function, lambda: state.name, state.choose)

    choose = on_state(VJPBenchState.choose)
    one_hot = on_state(VJPBenchState.one_hot)
    set_v = on_state(VJPBenchState.set_v)

    def redraw(self) -> None:
        state = self.state
        if len(self.sliders) != state.size:
            self._build_v(state.size)
        for slider, number in zip(self.sliders, state.v, strict=True):
            slider.unobserve(self._on_slider, "value")
            slider.min, slider.max = min(_LOWEST, number), max(_HIGHEST, number)
            slider.value = number
            slider.observe(self._on_slider, "value")

    def _build_v(self, size: int) -> None:
        layout = ipywidgets.Layout(width="auto", flex="1 1 26em")
        self.sliders = [
            ipywidgets.FloatSlider(
                0, min=_LOWEST, max=_HIGHEST, step=_STEP, description=f"v{index}", layout=layout
            )
            for index in range(size)
        ]
        self.one_hots = [self._one_hot_button(index, size) for index in range(size)]
        self._v.children = [row(*pair) for pair in zip(self.sliders, self.one_hots, strict=True)]

    def _one_hot_button(self, index: int, size: int) -> ipywidgets.Button:
        v = ", ".join(str(int(index == other)) for other in range(size))
        return self.button(
            f"v = [{v}]", f"Pick row {index} of J", lambda: self.state.one_hot(index)
        )

    def _on_slider(self, _: object) -> None:
        self.set_v([slider.value for slider in self.sliders])
