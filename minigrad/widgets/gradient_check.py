"""GradientCheck: backward beside the central difference, for any nudge."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ipywidgets

from minigrad.viz.read.protocol import is_tensor
from minigrad.viz.read.values import format_number
from minigrad.widgets.base import Instrument, State, html, html_table, row, text_table
from minigrad.widgets.expected import Numbers
from minigrad.widgets.plot import Axis, Series, chart
from minigrad.widgets.questions import Mistake, Question

DTYPES = ("float32", "float64")
EXPONENTS = tuple(range(-1, -13, -1))  # of the nudges that are tried
_NEAR = 1.5  # decades of the best nudge that count as right
_WRONG = 0.1  # an error of the best nudge, beside the slope, that is not due to the nudge
_SMALL = (
    "So small a nudge changes f by less than rounding does: f(x + ε) and f(x − ε) agree in all "
    "but their last digits, and their difference is noise."
)
_LARGE = "So large a nudge measures the slope of a long piece of the curve, not the slope at x."


class Epsilon(Numbers):
    """A nudge, kept as its exponent, and given as itself or as that: 0.001, 10^-3, or -3.

    >>> Epsilon().read("0.001")
    -3.0
    >>> Epsilon().show(Epsilon().read("2e-5"))
    '2e-5'
    """

    hint = "such as 0.1"

    def read(self, prediction: Any) -> float:
        given = super().read(prediction)
        exponent = round(math.log10(given), 6) if given > 0 else given
        if not EXPONENTS[-1] <= exponent <= EXPONENTS[0]:
            raise ValueError("ε is between 1e-12 and 0.1. Type it as a number, such as 0.1.")
        return float(exponent)

    def near(self, prediction: Any, answer: Any) -> bool:
        return bool(abs(prediction - answer) <= _NEAR)

    def show(self, value: Any) -> str:
        power = math.floor(value)
        return f"{10 ** (value - power):.2g}e{power}"


@dataclass(frozen=True)
class Check:
    """One nudge: the derivative by it, and how far that is from backward's."""

    nudge: float
    numeric: float
    error: float


class GradientCheckState(State):
    """Checks ``f`` at ``x``, one entry of ``x`` at a time, in float32 and in float64.

    f: a function of a tensor that gives a single number. x: where; it is copied, and left alone.

    TypeError for what is no tensor, ValueError for an ``f`` that gives more than a number, or one
    through which no gradient reaches ``x``; RuntimeError for integers, in PyTorch's words.
    """

    title = "Gradient check"

    def __init__(self, f: Callable[[Any], Any], x: Any) -> None:
        self._start: Any = x
        if not is_tensor(x):
            raise TypeError(f"x must be a tensor, but got {type(x).__name__}")
        self.f = f
        self._start = self._start.detach().clone().requires_grad_().detach()  # refuses integers
        self.dtype = DTYPES[0]
        self.entry = 0  # which entry of x is nudged, counted through all dimensions
        self.exponent = -1
        self.size = math.prod(x.shape)
        self._analytic()  # raises what is wrong with f
        self._known: dict[str, Question] = {}

    def choose(
        self,
        dtype: str | None = None,
        exponent: int | None = None,
        entry: int | None = None,
    ) -> None:
        """Check in another dtype, at another power of ten, or another entry of ``x``.

        ValueError for what is not there to choose.
        """
        if dtype is not None and dtype not in DTYPES:
            raise ValueError(f"dtype must be one of {', '.join(DTYPES)}; not {dtype!r}")
        if exponent is not None and exponent not in EXPONENTS:
            raise ValueError(f"exponent must be from -12 to -1, but got {exponent}")
        if entry is not None and not 0 <= entry < self.size:
            raise ValueError(f"entry must be from 0 to {self.size - 1}, but got {entry}")
        self.verdict = None
        self.dtype = self.dtype if dtype is None else dtype
        self.exponent = self.exponent if exponent is None else exponent
        self.entry = self.entry if entry is None else entry

    @property
    def is_shown(self) -> bool:
        """Whether the best nudge of this dtype was predicted, or told after two tries."""
        return self.dtype in self._known and not self._known[self.dtype].is_open

    @property
    def question(self) -> Question | None:
        if self.is_shown:
            return None
        if self.dtype not in self._known:
            self._known[self.dtype] = Question(
                f"f(x + ε) and f(x − ε) in {self.dtype}: with which ε, from 0.1 down to 1e-12, is "
                "the slope between them closest to what backward computes?",
                Epsilon(),
                self._best,
                mistakes=lambda best: [
                    Mistake(exponent, _SMALL if exponent < best else _LARGE)
                    for exponent in EXPONENTS
                    if exponent != best
                ],
                because=self._because,
                again=1,
            )
        return self._known[self.dtype]

    def answered(self, question: Question) -> None:
        self.exponent = question.answer

    @property
    def check(self) -> Check | None:
        """What the chosen nudge gives; None before the prediction."""
        return self._check(self.exponent) if self.is_shown else None

    @property
    def analytic(self) -> float | None:
        """What backward gives for the chosen entry; None before the prediction."""
        return self._analytic() if self.is_shown else None

    @property
    def summary(self) -> str:
        check = self.check
        if check is None:
            return f"{self.dtype}, nothing shown yet"
        return f"{self.dtype}, ε = 1e{self.exponent}, error {_brief(check.error)}"

    @property
    def head(self) -> list[str]:
        return ["ε", "by nudging", "backward", "error"]

    @property
    def rows(self) -> list[list[str]]:
        """A row for each nudge; none before the prediction."""
        if not self.is_shown:
            return []
        analytic = _long(self._analytic())
        checks = [(exponent, self._check(exponent)) for exponent in EXPONENTS]
        return [
            [f"1e{exponent}", _long(check.numeric), analytic, _brief(check.error)]
            for exponent, check in checks
        ]

    @property
    def current(self) -> int | None:
        """The row of the chosen nudge."""
        return EXPONENTS.index(self.exponent) if self.is_shown else None

    @property
    def text(self) -> str:
        lines = [f"{self.title}: {self.summary}"]
        if self.is_shown:
            where = f" for entry {self.entry}" if self.size > 1 else ""
            lines.append(f"{self.dtype}{where}")
            lines.append(text_table([self.head, *self.rows]))
        return "\n".join(lines)

    def chart(self) -> str:
        """The errors of all dtypes that were predicted, on logarithmic axes; empty before."""
        shown = [dtype for dtype in DTYPES if dtype in self._known]
        shown = [dtype for dtype in shown if not self._known[dtype].is_open]
        series = [Series(dtype, self._errors(dtype)) for dtype in shown]
        if not series:
            return ""
        title = f"Error of the central difference for ε from 0.1 to 1e-12: {', '.join(shown)}"
        axes = Axis("ε", log=True, reach=(1e-12, 0.1)), Axis("error", log=True)
        mark = (10.0**self.exponent, f"ε = 1e{self.exponent}") if self.is_shown else None
        return chart(title, *axes, series, mark)

    def svg(self) -> str:
        return self.chart() or super().svg()

    def _errors(self, dtype: str) -> list[tuple[float, float]]:
        return [
            (10.0**exponent, self._check(exponent, dtype).error) for exponent in EXPONENTS[::-1]
        ]

    def _best(self) -> int:
        return min(EXPONENTS, key=lambda exponent: self._check(exponent).error)

    def _because(self, best: int) -> str:
        check = self._check(best)
        if check.error > max(_WRONG * abs(self._analytic()), _WRONG):
            return "No ε brings the two together: backward is wrong here, or f jumps or bends."
        if best == EXPONENTS[0]:
            return "f is so straight here that even this nudge misses little. Only rounding counts."
        return (
            f"With a larger ε than 1e{best} the line through the two points misses the curve, by "
            "about ε². With a smaller ε rounding takes over, because it is divided by ε."
        )

    def _at(self, dtype: str | None) -> Any:
        wide = (dtype or self.dtype) == "float64"
        return (self._start.double() if wide else self._start.float()).clone()

    def _analytic(self, dtype: str | None = None) -> float:
        x = self._at(dtype).requires_grad_()
        y = self.f(x)
        if not is_tensor(y) or math.prod(y.shape) != 1:
            got = f"a tensor of shape {list(y.shape)}" if is_tensor(y) else type(y).__name__
            raise ValueError(f"f must give a tensor with a single number, but gave {got}")
        if not y.requires_grad:
            raise ValueError("f gives a result that no gradient leads back from")
        y.backward()  # type: ignore[attr-defined]
        if x.grad is None:
            raise ValueError("no gradient of f reaches x")
        return float(x.grad.flatten()[self.entry].item())

    def _check(self, exponent: int, dtype: str | None = None) -> Check:
        nudge = 10.0**exponent
        up, down = (self._nudged(step, dtype) for step in (nudge, -nudge))
        numeric = (up - down) / (2 * nudge)
        return Check(nudge, numeric, abs(numeric - self._analytic(dtype)))

    def _nudged(self, step: float, dtype: str | None) -> float:
        x = self._at(dtype)
        flat = x.flatten()
        flat[self.entry] += step
        return float(self.f(flat.reshape(x.shape)).item())


def _brief(error: float) -> str:
    return "0" if error == 0 else f"{error:.1e}"


def _long(number: float) -> str:
    return format_number(number) if number == 0 else f"{number:.9g}"


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
        self._table.value = html_table(state.head, rows, state.current) if rows else ""

    def _on_change(self, change: dict[str, Any]) -> None:
        name = {self.dtype: "dtype", self.nudge: "exponent", self.entry: "entry"}[change["owner"]]
        if getattr(self.state, name) != change["new"]:
            self.act(lambda: self.state.choose(**{name: change["new"]}))
