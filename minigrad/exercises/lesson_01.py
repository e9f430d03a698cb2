"""Lesson 01: slopes by nudging, and how to choose the nudge."""

from collections.abc import Callable

from minigrad.exercises.attempt import Attempt, close, numerals
from minigrad.exercises.exercise import Exercise, NotYet, Wrong

_Function = Callable[[float], float]

# A function, as it is written, where it is tried, and with which nudge.
_PLACES: list[tuple[_Function, str, float, float]] = [
    (lambda x: x * x * x, "x * x * x", 2.0, 0.25),
    (lambda x: 5 * x - x * x, "5 * x - x * x", 1.0, 0.25),
]
_FOUND: dict[str, Callable[[_Function, float, float], float]] = {
    "one side only": lambda f, x, nudge: (f(x + nudge) - f(x)) / nudge,
    "one side only, below": lambda f, x, nudge: (f(x) - f(x - nudge)) / nudge,
    "divided by one nudge": lambda f, x, nudge: (f(x + nudge) - f(x - nudge)) / nudge,
    "half the nudge": lambda f, x, nudge: (f(x + nudge / 2) - f(x - nudge / 2)) / nudge,
    "added": lambda f, x, nudge: (f(x + nudge) + f(x - nudge)) / (2 * nudge),
    "divided by 2": lambda f, x, nudge: (f(x + nudge) - f(x - nudge)) / 2,
    "divided in part": lambda f, x, nudge: f(x + nudge) - f(x - nudge) / (2 * nudge),
    "not divided": lambda f, x, nudge: f(x + nudge) - f(x - nudge),
    "divided, then multiplied": lambda f, x, nudge: (f(x + nudge) - f(x - nudge)) / 2 * nudge,
    "the wrong way round": lambda f, x, nudge: (f(x - nudge) - f(x + nudge)) / (2 * nudge),
}
_SAID = {
    "one side only": "You nudged from one side. Nudge to both, and the bending of the curve "
    "cancels.",
    "one side only, below": "You nudged from one side. Nudge to both, and the bending of the curve "
    "cancels.",
    "divided by one nudge": "From one point to the other it is *two* nudges. That is what to "
    "divide by.",
    "half the nudge": "That is a central difference, with *half* the nudge. Go one whole "
    "nudge to each side.",
    "added": "You add the two values. How much the function has *grown* is their difference.",
    "divided by 2": "You divide by 2. Between the two points lie two *nudges*.",
    "divided in part": "Only the second value is divided: `/` comes before `-`. Put parentheses "
    "around the difference.",
    "not divided": "That is how much the function grew. The slope is the growth *per unit* of "
    "input.",
    "divided, then multiplied": "Python works from left to right: `/ 2 * nudge` divides by 2, then "
    "multiplies by the nudge. Put parentheses around `2 * nudge`.",
    "the wrong way round": "The sign is the wrong way round: the value further up comes first.",
}


def _central(attempt: Attempt) -> None:
    slope = attempt.function("central_slope")

    cubed, squared, place, width = attempt.drawn(4)
    written = f"{cubed:g} * x * x * x + {squared:g} * x * x"
    drawn = (lambda x: cubed * x * x * x + squared * x * x, written, place, abs(width) / 4)
    for f, written, x, nudge in [*_PLACES, drawn]:
        wanted = (f(x + nudge) - f(x - nudge)) / (2 * nudge)
        answer = attempt.checked_number(slope(f, x, nudge), "What `central_slope` gives back")
        if close(answer, wanted, 1e-6):
            continue
        for slip, formula in _FOUND.items():
            if close(answer, formula(f, x, nudge), 1e-6):
                raise NotYet(_SAID[slip], shows=slip.partition(",")[0] if "side" in slip else slip)
        raise NotYet(
            f"For `f(x) = {written}` at {x:g}, with a nudge of {nudge:g}, the central difference "
            f"is {numerals(wanted)}, and not {numerals(answer)}. Does your function use `f`, `x` "
            "and `nudge` as it is given them?"
        )


central = Exercise(
    id="01_central",
    title="A slope from both sides",
    prompt="""
Write a function that gives the central difference of any function `f` at `x`.
(The lesson has one. Try it without looking back.)
""",
    starter="def central_slope(f, x, nudge):\n    ...",
    answers=("central_slope",),
    solutions=(
        "def central_slope(f, x, nudge):\n    return (f(x + nudge) - f(x - nudge)) / (2 * nudge)",
        """
def central_slope(f, x, nudge):
    upward = (f(x + nudge) - f(x)) / nudge
    downward = (f(x) - f(x - nudge)) / nudge
    return (upward + downward) / 2
""",
    ),
    hints=(
        "Evaluate `f` one nudge above `x` and one nudge below. How far apart are the two points?",
        "`(… - …) / (2 * nudge)`",
    ),
    check=_central,
    because="The growth from one side to the other, divided by the way between: two nudges.",
    wrong=(
        Wrong(
            "def central_slope(f, x, nudge):\n    return (f(x + nudge) - f(x)) / nudge",
            shows="one side only",
        ),
        Wrong(
            "def central_slope(f, x, nudge):\n    return (f(x + nudge) - f(x - nudge)) / nudge",
            shows="divided by one nudge",
        ),
        Wrong(
            "def central_slope(f, x, nudge):\n    return (f(x + nudge) - f(x - nudge)) / 2 * nudge",
            shows="divided, then multiplied",
        ),
        Wrong(
            "def central_slope(f, x, nudge):\n    return (f(x + nudge) - f(x - nudge)) / 2",
            shows="divided by 2",
        ),
        Wrong(
            "def central_slope(f, x, nudge):\n"
            "    return (f(x + nudge) + f(x - nudge)) / (2 * nudge)",
            shows="added",
        ),
        Wrong(
            "def central_slope(f, x, nudge):\n    return f(x + nudge) - f(x - nudge) / (2 * nudge)",
            shows="divided in part",
        ),
        Wrong(
            "def central_slope(f, x, nudge):\n    half = nudge / 2\n"
            "    return (f(x + half) - f(x - half)) / nudge",
            shows="half the nudge",
        ),
        Wrong(
            "def central_slope(f, x, nudge):\n    grown = f(x + nudge) - f(x - nudge)\n"
            "    return grown",
            shows="not divided",
        ),
        Wrong(
            "def central_slope(f, x, nudge):\n"
            "    return (f(x - nudge) - f(x + nudge)) / (2 * nudge)",
            shows="the wrong way round",
        ),
    ),
)


def _nudge(attempt: Attempt) -> None:
    given = attempt.number("good_nudge")
    if not 0 < abs(given) < 1e30:
        raise NotYet("The nudge must be a number other than 0: we divide by it.", shows="no nudge")
    torch = attempt.torch
    x = torch.tensor(2.0)
    up, down = x + given, x - given
    found = ((up * up * up - down * down * down) / (2 * given)).item()
    if abs(found - 12) < 0.005:
        return
    if abs(given) < 5e-3:
        raise NotYet(
            f"With that nudge the slope comes out as {found:.4f}. float32 keeps about seven "
            "digits, and in the difference of two nearly equal numbers the first ones cancel. Too "
            "few are left. A smaller nudge is not always a better one.",
            shows="smaller is better",
        )
    raise NotYet(
        f"With that nudge the slope comes out as {found:.4f}: the curve bends on the way.",
        shows="too large",
    )


nudge = Exercise(
    id="01_nudge",
    title="A nudge for float32",
    prompt="""
Somebody checks the slope of `x * x * x` at 2, in float32, with a nudge of `1e-9`. The central
difference gives 0. The right answer is 12.

Find a nudge with which it comes out as 12 to two decimals, that is, between 11.995 and 12.005.
Try as many as you like.
""",
    starter="good_nudge = ...",
    answers=("good_nudge",),
    solutions=("good_nudge = 0.01", "good_nudge = 2.0**-8"),
    hints=(
        "Look at the picture of the two valleys. Where is the one of float32 deepest?",
        "The cube root of float32's precision, $10^{-7}$, is about 0.005.",
    ),
    check=_nudge,
    because="Large enough for seven digits to see it, small enough for the curve not to bend.",
    wrong=(
        Wrong("good_nudge = 1e-9", shows="smaller is better"),
        Wrong("tiny = 10**-6\ngood_nudge = tiny", shows="smaller is better"),
        Wrong("good_nudge = 0.5", shows="too large"),
        Wrong("good_nudge = 0", shows="no nudge"),
    ),
)


def _partial(attempt: Attempt) -> None:
    along_u, along_v = attempt.number("along_u"), attempt.number("along_v")
    torch = attempt.torch
    u = torch.tensor(3.0, requires_grad=True)
    v = torch.tensor(2.0, requires_grad=True)
    k = u * v + v * v
    drawn = {"k": k, "u": u, "v": v}
    right_u, right_v = torch.autograd.grad(k, (u, v), retain_graph=True)
    if close(along_u, right_u, 0.01) and close(along_v, right_v, 0.01):
        return
    if close(along_u, along_v) and close(along_u, right_u + right_v, 0.01):
        raise NotYet(
            "You moved both inputs at the same time. A partial derivative moves one and holds the "
            "other still.",
            shows="all inputs at once",
            draw=drawn,
        )
    if close(along_u, right_v, 0.01) and close(along_v, right_u, 0.01):
        raise NotYet("Two right numbers, the wrong way round.", shows="swapped", draw=drawn)
    if close(along_u, along_v) and close(along_u, k, 0.01):
        raise NotYet(
            f"`{along_u:g}` is the value of $k$ at that place. How fast does it grow?",
            shows="value for slope",
            draw=drawn,
        )
    if close(along_u, right_u, 0.01) and close(along_v, 2 * v, 0.01):
        raise NotYet(
            "`along_u` is right. And `along_v` is right for $v^2$ alone; but `v` stands in "
            "$u\\,v$ as well.",
            shows="one term only",
            draw=drawn,
        )
    if close(along_u, right_u, 0.01) and close(along_v, u + v, 0.01):
        raise NotYet(
            "`along_u` is right. In `v * v` both factors move when `v` moves.",
            shows="one factor only",
            draw=drawn,
        )
    wrong, other = ("along_u", "v") if not close(along_u, right_u, 0.01) else ("along_v", "u")
    raise NotYet(
        f"`{wrong}` is not right yet. Keep `{other}` where it is, move the other one a little up "
        "and a little down, and compute $k$ twice.",
        draw=drawn,
    )


partial = Exercise(
    id="01_partial",
    title="One input at a time",
    prompt=r"""
$k(u, v) = u\,v + v^2$. What are the two partial derivatives at $u = 3$, $v = 2$? On paper, or by
nudging; two correct digits are enough.
""",
    starter="along_u = ...\nalong_v = ...",
    answers=("along_u", "along_v"),
    solutions=(
        "along_u = 2\nalong_v = 3 + 2 * 2",
        """
def k(u, v):
    return u * v + v * v


along_u = (k(3.001, 2) - k(2.999, 2)) / 0.002
along_v = (k(3, 2.001) - k(3, 1.999)) / 0.002
""",
    ),
    hints=(
        "For `along_u`, keep `v` at 2. Then $k$ is $2u + 4$, a straight line.",
        "For `along_v`, keep `u` at 3. Then $k$ is $3v + v^2$.",
    ),
    check=_partial,
    because="$\\partial k/\\partial u = v = 2$ and $\\partial k/\\partial v = u + 2v = 7$.",
    wrong=(
        Wrong("along_u = 9\nalong_v = 9", shows="all inputs at once"),
        Wrong("along_u = 7\nalong_v = 2", shows="swapped"),
        Wrong("along_u = 2\nalong_v = 3 + 2", shows="one factor only"),
        Wrong("along_u = 2\nalong_v = 2 * 2", shows="one term only"),
        Wrong("along_u = along_v = 3 * 2 + 2**2", shows="value for slope"),
    ),
)


def _integers(attempt: Attempt) -> None:
    counts = attempt.tensor("counts")
    if not counts.is_floating_point():
        raise NotYet(
            "`counts` holds whole numbers still, and these cannot be nudged a little.", shows=15
        )
    if not counts.requires_grad:
        raise NotYet(
            "Now it holds numbers that can be nudged. But nobody has asked for a gradient: "
            "`requires_grad` is False.",
            shows="nothing asked for",
            draw=counts,
        )
    if not counts.is_leaf:
        raise NotYet(
            "It was converted *after* it was asked for: this tensor is a result. First convert, "
            "then ask.",
            shows="asked too early",
            draw=counts,
        )
    if tuple(counts.shape) != (3,) or not close(counts, [1, 2, 3]):
        raise NotYet("It should hold 1, 2 and 3.", draw=counts)


integers = Exercise(
    id="01_integers",
    title="Whole numbers that want a slope",
    prompt="""
`counts = torch.tensor([1, 2, 3], requires_grad=True)` raises. Write it so that `counts` holds these
three numbers and asks for a gradient.
""",
    starter="counts = ...",
    answers=("counts",),
    solutions=(
        "counts = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)",
        "whole = torch.tensor([1, 2, 3])\ncounts = whole.float().requires_grad_()",
        "counts = torch.tensor([1, 2, 3], dtype=torch.float64, requires_grad=True)",
    ),
    hints=(
        "What has a slope must be able to take small steps. Which kind of number can?",
        "A point after a number makes it one with decimals: `1.0`.",
    ),
    check=_integers,
    because="Numbers with decimals can be nudged by as little as you like.",
    wrong=(
        Wrong("counts = torch.tensor([1, 2, 3], requires_grad=True)", shows=15),
        Wrong("whole = torch.tensor([1, 2, 3])\ncounts = whole.requires_grad_()", shows=15),
        Wrong("counts = torch.tensor([1, 2, 3])", shows=15),
        Wrong("counts = torch.tensor([1.0, 2.0, 3.0])", shows="nothing asked for"),
        Wrong(
            "asked = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)\ncounts = asked.double()",
            shows="asked too early",
        ),
    ),
)
