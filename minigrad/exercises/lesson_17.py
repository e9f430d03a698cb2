"""Lesson 17: dual numbers, a Jacobian by columns, and a test of backward rules."""

from collections.abc import Iterator
from typing import Any

from minigrad.exercises.attempt import Attempt
from minigrad.exercises.exercise import Exercise, Observation, Slip
from minigrad.exercises.predictions import Explanation, Prediction

QUESTIONS = (
    Prediction(
        "17_r1",
        "Lesson 16. torch.where doesn't pick the sqrt(0). What gradient does sqrt then pass on?",
        "nan",
        {
            "none": "Both branches were computed, so backward goes through both.",
            "0": "where() sends a 0. The square root multiplies it by an infinite slope.",
            "nan": "0 from where(), times an infinite slope.",
        },
    ),
    Prediction(
        "17_r2",
        "Lesson 14. b, of shape [3], is added to a [2, 3] tensor. What gradient reaches b?",
        "the sum of two rows of gradients",
        {
            "the sum of two rows of gradients": "b is used in both rows, and paths add.",
            "their mean": "Paths add. Nothing divides.",
            "a gradient of shape [2, 3]": "A gradient has the shape of its tensor.",
        },
    ),
    Prediction(
        "17_r3",
        "Lesson 11. Where in the loop must you not clear the gradients?",
        "between backward() and step()",
        {
            "between backward() and step()": "step() would find nothing to use.",
            "before the forward pass": "That's the usual place.",
            "after step()": "They've been used by then, so you can clear them.",
        },
    ),
    Prediction(
        "17_p1",
        "x is (3, 1). What does times(x, x) return?",
        "(9, 6)",
        {
            "(9, 1)": "You multiplied the slopes. But each factor moves while the other one is 3.",
            "(9, 3)": "That's the part from one factor. The other factor is x, too, so it moves "
            "as well.",
            "(9, 6)": "1 * 3 from the left factor, 3 * 1 from the right one.",
            "(9, 2)": "You added the slopes. How fast does 3 * x move when only x moves?",
        },
    ),
    Prediction(
        "17_p2",
        "Which pair represents the constant 2?",
        "(2, 0)",
        {
            "(2, 0)": "It doesn't move when x moves.",
            "(2, 1)": "That would be an input that you move.",
            "(2, 2)": "2 is the slope of 2 * x. How fast does 2 itself move?",
        },
    ),
    Prediction(
        "17_p3",
        "One forward-mode pass, with only the first input moving. Which part of J is that?",
        "the first column, 3 numbers",
        {
            "the first row, 2 numbers": "A row is about one output and all inputs.",
            "the first column, 3 numbers": "It's about one input and all outputs.",
            "one entry": "All outputs are computed in that pass, each with its slope.",
            "all of J": "The second input didn't move.",
        },
    ),
    Prediction(
        "17_p4",
        "A loss depends on 200 weights. How many forward-mode passes give its whole gradient?",
        "200",
        {
            "1": "That's reverse mode. A forward-mode pass says how the loss reacts to one weight.",
            "2": "That's a central difference. If all weights move, which one moved the loss?",
            "200": "One for each weight.",
        },
    ),
    Prediction(
        "17_p5",
        "After 1,000 multiplications, how many pairs does forward mode still need?",
        "1",
        {
            "1": "The latest one.",
            "1,000": "That's what a graph keeps. Does forward mode go back to an old pair?",
            "1 for each input and output": "It keeps only what the next multiplication uses.",
        },
    ),
    Explanation(
        "17_explain",
        "A colleague says: 'Forward mode needs no graph and no backward pass. Why not train with "
        "it?' Answer in two sentences.",
        "One pass of forward mode says how the outputs react to one direction of the inputs, so a "
        "gradient with respect to a million weights would take a million passes. Reverse mode "
        "needs one pass per output, and a loss is one output.",
        ("one pass per input", "there are many weights", "a loss is a single output"),
    ),
)


def _dual(attempt: Attempt) -> Iterator[Observation]:
    attempt["Dual"]
    answer, called = attempt.function("derivative"), []

    def slope(f: Any, x: float) -> float:
        return attempt.checked_number(answer(f, x), "What `derivative` returns")

    def counted(x: Any) -> Any:
        called.append(x)
        return x * x

    yield "the slope of `x * x` at 3", slope(counted, 3.0)
    yield "how many times `f` was called", len(called)
    yield "the slope of `x * 2 + 5` at 3", slope(lambda x: x * 2 + 5, 3.0)
    yield "the slope of `5 + 2 * x` at 3", slope(lambda x: 5 + 2 * x, 3.0)
    yield "the slope of `(x * x).exp()` at 1", slope(lambda x: (x * x).exp(), 1.0)
    a, b, x = attempt.drawn(3)
    yield "a drawn slope", slope(lambda x: a * x * x * x + (b * x + a).exp() * x, x)


_DUAL = """import math

class Dual:
    def __init__(self, value, slope=0.0):
        self.value, self.slope = value, slope

    def __add__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value + other.value, self.slope + other.slope)

    def __mul__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        left, right = self.slope * other.value, self.value * other.slope
        return Dual(self.value * other.value, left + right)

    def exp(self):
        power = math.exp(self.value)
        return Dual(power, power * self.slope)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

def derivative(f, x):
    return f(Dual(x, 1.0)).slope"""

dual = Exercise(
    id="17_dual",
    title="Dual numbers",
    prompt="""
**20 minutes.** Write a class `Dual` for pairs of a value and a slope. Its objects can be added and
multiplied, with each other and with plain numbers on either side: `x * x`, `2 * x`, `x + 5`. A
method `exp()` returns $e^x$: `import math`, and use `math.exp`.

Then write `derivative(f, x)`: the slope of `f` at the number `x`, from a single call of `f`. About
20 lines are enough.
""",
    starter="class Dual:\n    ...\n\n\ndef derivative(f, x):\n    ...",
    answers=("Dual", "derivative"),
    solutions=(_DUAL,),
    hints=(
        "`plus` and `times` have the arithmetic. For `exp`, what are the new value and slope?",
        "Each operation returns a new `Dual`. A plain number becomes a `Dual` with the slope 0.",
        "`derivative` calls `f(Dual(x, 1.0))` once. `__radd__` may return `self + other`.",
    ),
    because="That's a forward-mode engine. Each operation multiplies what comes in by its slope.",
    probe=_dual,
    slips=(
        Slip(
            "The slopes are multiplied",
            _DUAL.replace("left + right", "self.slope * other.slope"),
            "For `x * x` at 3 your slope is 1. You multiplied the slopes of the factors. Move the "
            "left factor while the right one is 3: how fast does the product move? And then the "
            "other way around?",
        ),
        Slip(
            "A constant moves, too",
            _DUAL.replace("Dual(other)", "Dual(other, 1.0)"),
            "For `x * 2 + 5` at 3 your slope is 6 instead of 2. Your plain numbers have the slope "
            "1. Do 2 and 5 move when `x` moves?",
        ),
        Slip(
            "Numbers are on the right",
            _DUAL.replace("__radd__", "left_add").replace("__rmul__", "left_mul"),
            "`x * 2` works and `2 * x` doesn't: Python asks the number on the left first, and it "
            "knows nothing about `Dual`. Then it looks for `__radd__` or `__rmul__` on the right.",
        ),
        Slip(
            "exp has the slope exp",
            _DUAL.replace("power * self.slope", "power"),
            "The slope of `(x * x).exp()` at 1 should be 5.437, and yours is 2.718. $e^s$ moves "
            "with the slope $e^s$ when *s* moves by 1. How fast does *s* move?",
        ),
        Slip(
            "A nudge will do",
            _DUAL + "\ndef derivative(f, x):\n    return (f(x + 1e-6) - f(x - 1e-6)) / 2e-6",
            "You called `f` twice, with nudged plain numbers. The result isn't exact, and a plain "
            "number has no `exp()`. Call `f` once, with a `Dual`. Which slope does "
            "the input itself have?",
        ),
    ),
)


def _columns(attempt: Attempt) -> Iterator[Observation]:
    torch, answer, called = attempt.torch, attempt.function("columns"), []

    def f(p: Any) -> Any:
        called.append(p)
        return torch.stack([p[0] * p[1], p[0] ** 2])

    for what, numbers in (("at (2, 5)", [2.0, 5.0]), ("at a drawn point", attempt.drawn(2))):
        called.clear()
        found = answer(f, torch.tensor(numbers))
        yield f"{what}, the Jacobian", attempt.checked_tensor(found, "What `columns` returns")
        yield f"{what}, the claim that `f` runs once per input", len(called) in (2, 3)


_COLUMNS = """def columns(f, x):
    found = [torch.autograd.functional.jvp(f, x, unit)[1] for unit in torch.eye(len(x))]
    return torch.stack(found, dim=1)"""

columns = Exercise(
    id="17_columns",
    title="A Jacobian, column by column",
    prompt="""
**6 minutes.** Write `columns(f, x)`. `f` takes a vector and returns a vector. Return its Jacobian
at `x` as a matrix, with one row per output and one column per input. Use
`torch.autograd.functional.jvp` once for each input.
""",
    starter="def columns(f, x):\n    ...",
    answers=("columns",),
    solutions=(_COLUMNS,),
    hints=(
        "What did `jvp` with v = (1, 0) return, and what would it return with v = (0, 1)?",
        "The rows of `torch.eye(len(x))` are the directions. `jvp` returns a pair; which part?",
        "`torch.stack(list, dim=...)` makes a matrix. With which `dim` do they become columns?",
    ),
    because="One pass per input, and each of them is a column.",
    probe=_columns,
    slips=(
        Slip(
            "Vectors are rows",
            _COLUMNS.replace("dim=1", "dim=0"),
            "Your numbers are right, but your matrix is transposed. (5, 4) is how both *outputs* "
            "react to the first input, so it's a column. `stack` makes rows unless you name "
            "another dimension.",
        ),
        Slip(
            "All inputs can move at once",
            "def columns(f, x):\n    ones = torch.ones(len(x))\n"
            "    return torch.autograd.functional.jvp(f, x, ones)[1]",
            "You moved both inputs at once and got (7, 4), the sum of the columns. From a sum you "
            "can't tell which part belongs to which input. How do you move only one?",
        ),
        Slip(
            "The library has it",
            "def columns(f, x):\n    return torch.autograd.functional.jacobian(f, x)",
            "Right, but the library builds this matrix row by row, with one backward pass for each "
            "output. Can you get it from one `jvp` for each input?",
            accepted=True,
        ),
    ),
)


def _mismatch(attempt: Attempt) -> Iterator[Observation]:
    torch, answer = attempt.torch, attempt.function("mismatch")
    function: Any = torch.autograd.Function

    class Square(function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * ctx.saved_tensors[0]  # the factor 2 is missing

    fixed, drawn = [[1.0, 2.0], [3.0, -1.0], [1.0, 2.0]], attempt.drawn(3, 2)
    for name, f in (("`x * x`", lambda x: x * x), ("a wrong rule", Square.apply)):
        for kind, numbers in (("fixed", fixed), ("drawn", drawn)):
            x, v, u = (torch.tensor(one, dtype=torch.float64) for one in numbers)
            number = attempt.checked_number(answer(f, x, v, u), "What `mismatch` returns")
            yield f"for {name} and {kind} numbers, the mismatch", number


_MISMATCH = """def mismatch(f, x, v, u):
    moved = (f(x + 1e-6 * v) - f(x - 1e-6 * v)) / 2e-6
    x = x.clone().requires_grad_()
    (weighed,) = torch.autograd.grad(f(x), x, u)
    return abs((u @ moved - weighed @ v).item())"""

mismatch = Exercise(
    id="17_mismatch",
    title="The experiment that exposes a wrong rule",
    prompt="""
**9 minutes.** Write `mismatch(f, x, v, u)`. `f` takes a vector in float64 and returns a vector, and
its backward rule may be wrong. Return the absolute difference of $u \\cdot (Jv)$ and
$(u^\\mathsf{T}J) \\cdot v$ as a number. Nudge for $Jv$, and go backward once for $u^\\mathsf{T}J$.
""",
    starter="def mismatch(f, x, v, u):\n    ...",
    answers=("mismatch",),
    solutions=(_MISMATCH,),
    hints=(
        "There are two halves: a nudge, as in the opening, and a backward pass, as in lesson 06.",
        "Nudge in direction `v`, from `x - step * v` to `x + step * v`. How far apart are they?",
        "`torch.autograd.grad(f(x), x, u)` gives $u^\\mathsf{T}J$, for an `x` that requires grad.",
    ),
    because="It takes one nudge and one backward pass, however many entries the Jacobian has.",
    probe=_mismatch,
    slips=(
        Slip(
            "jvp is independent of backward",
            "def mismatch(f, x, v, u):\n"
            "    moved = torch.autograd.functional.jvp(f, x, v)[1]\n"
            "    weighed = torch.autograd.functional.vjp(f, x, u)[1]\n"
            "    return abs((u @ moved - weighed @ v).item())",
            "You report 0 for a rule that lacks a factor of 2. `jvp` here goes backward twice, so "
            "it uses the same rule as `vjp`, and you compared the rule with itself. What finds "
            "slopes without any backward rule?",
        ),
        Slip(
            "A nudge is a slope",
            _MISMATCH.replace(" / 2e-6", ""),
            "You report a mismatch even for `x * x`. You took the difference between two nudged "
            "results. What do you have to divide it by to get a slope?",
        ),
        Slip(
            "Ones will do for u",
            _MISMATCH.replace("x, u)", "x, torch.ones_like(u))"),
            "The two sides ask different questions: you weighed the nudged outputs with `u`, and "
            "the backward pass with ones. What has to go into `torch.autograd.grad`?",
            misconception=4,
        ),
    ),
)
