"""GradientCheck: the gradient by backward beside the central difference, for any ε."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ipywidgets

from minigrad.viz.backward.answers import Mistake, Numbers
from minigrad.viz.read.values import format_number
from minigrad.widgets.base import Instrument, State, on_state, text_table
from minigrad.widgets.checks import call_on_leaf, check_choice, check_range, check_tensor
from minigrad.widgets.page import beside, dropdown, number, row
from minigrad.widgets.plot import WIDTH, Axis, Series, chart
from minigrad.widgets.questions import Question

DTYPES = ("float32", "float64")
EXPONENTS = tuple(range(-1, -13, -1))  # of the ε that are tried
_NEAR = 1.5  # decades from the best ε that count as right
_WRONG = 0.1  # with a larger error of the best ε, relative to the slope, f or backward is to blame
_SMALL = (
    "Such a small nudge changes f by less than rounding does: f(x + ε) and f(x − ε) agree in all "
    "but their last digits, so their difference is noise."
)
_LARGE = "Such a large nudge measures the slope of a long piece of the curve, not the slope at x."


class Epsilon(Numbers):
    """An ε, kept as its exponent. It is given as itself or as the exponent: 0.001, 10^-3, or -3.

    >>> Epsilon().read("0.001")
    -3.0
    >>> Epsilon().show(Epsilon().read("2e-5"))
    '2e-5'
    """

    hint = "such as 0.1"

    def read(self, prediction: Any) -> float:
        number = super().read(prediction)
        exponent = round(math.log10(number), 6) if number > 0 else number
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
    """The derivative by nudging, and how far it is from backward's."""

    numeric: float
    error: float


class GradientCheckState(State):
    """Checks ``f`` at ``x``, one entry of ``x`` at a time, in float32 and in float64.

    f: a function of a tensor that returns one number. x: a tensor, which is copied.

    TypeError if ``x`` or ``f(x)`` isn't a tensor, ValueError if ``f`` returns more than a number,
    or if no gradient reaches ``x``; RuntimeError for integers, in PyTorch's words.
    """

    title = "Gradient check"
    head = ("ε", "by nudging", "backward", "error")

    def __init__(self, f: Callable[[Any], Any], x: Any) -> None:
        super().__init__()
        self.f = f
        self._start = check_tensor("x", x).detach().clone().requires_grad_()  # refuses integers
        self.dtype = DTYPES[0]
        self.entry = 0  # which entry of x is nudged, counted through all dimensions
        self.exponent = -1
        self.size = math.prod(x.shape)
        self._analytic(self.dtype)  # raises an error if f is wrong

    def choose(
        self, dtype: str | None = None, exponent: int | None = None, entry: int | None = None
    ) -> None:
        """Check in another dtype, with ε = 10 to this exponent, or another entry of ``x``."""
        self.verdict = None
        if dtype is not None:
            check_choice("dtype", dtype, DTYPES)
            self.dtype = dtype
        if exponent is not None:
            check_range("exponent", exponent, -12, -1)
            self.exponent = exponent
        if entry is not None:
            check_range("entry", entry, 0, self.size - 1)
            self.entry = entry

    @property
    def topic(self) -> str:
        return self.dtype

    def question_about(self, topic: str) -> Question:
        return Question(
            f"f(x + ε) and f(x − ε) in {topic}: with which ε, from 0.1 down to 1e-12, is "
            "the slope between them closest to what backward computes?",
            Epsilon(),
            lambda: min(EXPONENTS, key=lambda exponent: self._check(exponent, topic).error),
            mistakes=lambda best: [
                Mistake(exponent, _SMALL if exponent < best else _LARGE)
                for exponent in EXPONENTS
                if exponent != best
            ],
            because=self._because,
            again=1,
        )

    def answered(self, question: Question) -> None:
        self.exponent = question.answer

    @property
    def is_shown(self) -> bool:
        """Whether the best ε of this dtype is known."""
        return self.knows(self.dtype)

    @property
    def summary(self) -> str:
        if not self.is_shown:
            return f"{self.dtype}, nothing shown yet"
        error = self._check(self.exponent, self.dtype).error
        return f"{self.dtype}, ε = 1e{self.exponent}, error {_brief(error)}"

    @property
    def rows(self) -> list[list[str]]:
        """A row for each ε; none before the prediction."""
        if not self.is_shown:
            return []
        checks = [(exponent, self._check(exponent, self.dtype)) for exponent in EXPONENTS]
        analytic = _long(self._analytic(self.dtype))
        return [[f"1e{n}", _long(one.numeric), analytic, _brief(one.error)] for n, one in checks]

    @property
    def current(self) -> int | None:
        """The row of the chosen ε."""
        return EXPONENTS.index(self.exponent) if self.is_shown else None

    @property
    def text(self) -> str:
        lines = [f"{self.title}: {self.summary}"]
        if self.is_shown:
            where = f" for entry {self.entry}" if self.size > 1 else ""
            lines += [f"{self.dtype}{where}", text_table(self.head, self.rows)]
        return "\n".join(lines)

    def errors(self, dtype: str) -> list[tuple[float, float]]:
        """Each ε with its error, the smallest first."""
        return [(10.0**n, self._check(n, dtype).error) for n in EXPONENTS[::-1]]

    def chart(self) -> str:
        """The errors of the dtypes that were predicted, on logarithmic axes; empty before."""
        shown = [dtype for dtype in DTYPES if self.knows(dtype)]
        if not shown:
            return ""
        title = f"Error of the central difference for ε from 0.1 to 1e-12: {', '.join(shown)}"
        axes = Axis("ε", log=True, reach=(1e-12, 0.1)), Axis("error", log=True)
        mark = (10.0**self.exponent, f"ε = 1e{self.exponent}") if self.is_shown else None
        return chart(title, *axes, [Series(dtype, self.errors(dtype)) for dtype in shown], mark)

    def _because(self, best: int) -> str:
        error, slope = self._check(best, self.dtype).error, abs(self._analytic(self.dtype))
        if error > max(_WRONG * slope, _WRONG):
            return "No ε makes the two agree: backward is wrong here, or f has a jump or a corner."
        if best == EXPONENTS[0]:
            return "f is so straight here that even a large ε is exact. Only rounding matters."
        return (
            f"With an ε larger than 1e{best}, the line through the two points misses the slope by "
            "about ε². With a smaller one, rounding takes over, because its error is divided by ε."
        )

    def _at(self, dtype: str) -> Any:
        """A copy of x in this dtype."""
        start = self._start.detach()
        return (start.double() if dtype == "float64" else start.float()).clone()

    def _analytic(self, dtype: str) -> float:
        x, y = call_on_leaf("f", self.f, self._at(dtype))
        if math.prod(y.shape) != 1:
            raise ValueError(f"f(x) must be one number, but has shape {list(y.shape)}")
        y.backward()
        if x.grad is None:
            raise ValueError("no gradient reaches x from f(x)")
        return float(x.grad.flatten()[self.entry].item())

    def _check(self, exponent: int, dtype: str) -> Check:
        epsilon = 10.0**exponent
        above, below = (self._nudged(step, dtype) for step in (epsilon, -epsilon))
        numeric = (above - below) / (2 * epsilon)
        return Check(numeric, abs(numeric - self._analytic(dtype)))

    def _nudged(self, step: float, dtype: str) -> float:
        x = self._at(dtype)
        flat = x.flatten()
        flat[self.entry] += step
        return float(self.f(flat.reshape(x.shape)).item())


def _brief(error: float) -> str:
    return "0" if error == 0 else f"{error:.1e}"


def _long(number: float) -> str:
    return format_number(number) if number == 0 else f"{number:.9g}"


class GradientCheck(Instrument):
    """Is backward right? It is compared with the slope by nudging ``x``, for smaller and smaller ε.

    f: a function of a tensor that returns one number. x: a tensor, which is copied. Both may be
    minigrad's or PyTorch's. If ``x`` has several entries, one is nudged at a time.

    TypeError if ``x`` or ``f(x)`` isn't a tensor, ValueError if ``f`` returns more than a number,
    or if no gradient reaches ``x``; RuntimeError for integers, in PyTorch's words.

    >>> import minigrad as torch
    >>> check = GradientCheck(lambda x: x.sin(), torch.tensor(1.0))
    >>> check
    <GradientCheck: float32, nothing shown yet>
    >>> check.predict("1e-12")
    Not quite: 1e-12? Such a small nudge changes f by less than rounding does: f(x + ε) and \
f(x − ε) agree in all but their last digits, so their difference is noise. Try again.
    """

    state: GradientCheckState

    def __init__(self, f: Callable[[Any], Any], x: Any) -> None:
        state = GradientCheckState(f, x)
        self.dtype = dropdown("dtype", DTYPES, 13, 4)
        self.entry = number("entry of x", 0, max(state.size - 1, 0), 6)
        self.nudge = ipywidgets.SelectionSlider(
            options=[(f"1e{exponent}", exponent) for exponent in reversed(EXPONENTS)],
            value=state.exponent,
            description="ε",
            readout=False,  # the chart above the slider shows it
            layout=ipywidgets.Layout(width="auto", margin="0 0 0 4%"),
            style={"description_width": "1.5em"},
        )
        as_wide_as_chart = ipywidgets.Layout(max_width=f"{WIDTH}px")
        left = ipywidgets.VBox([self.chart, self.nudge], layout=as_wide_as_chart)
        self._results = beside(left, self.table)
        controls = [self.dtype, self.entry] if state.size > 1 else [self.dtype]
        super().__init__(state, [row(*controls), self._results])
        self.link(self.dtype, lambda: state.dtype, lambda dtype: state.choose(dtype=dtype))
        self.link(self.entry, lambda: state.entry, lambda entry: state.choose(entry=entry))
        self.link(self.nudge, lambda: state.exponent, lambda n: state.choose(exponent=n))

    choose = on_state(GradientCheckState.choose)

    def redraw(self) -> None:
        state = self.state
        self.nudge.disabled = self.entry.disabled = not state.is_shown
        self._results.layout.display = "" if self.chart.value else "none"
