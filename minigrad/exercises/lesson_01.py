"""Lesson 01: slopes by nudging, and how to choose the nudge."""

from collections.abc import Iterator
from typing import Any

from minigrad.exercises.attempt import Attempt
from minigrad.exercises.exercise import Exercise, Observation, Slip
from minigrad.exercises.predictions import Explanation, Prediction

QUESTIONS = (
    Prediction(
        "01_r1",
        "A slope is 4. You move the input by 0.1. About how far does the result move?",
        "0.4",
        {
            "0.4": "Slope times nudge.",
            "4": "That's for a nudge of 1, if the slope stays the same on the way.",
            "4.1": "A slope and a nudge are multiplied, not added.",
        },
    ),
    Prediction(
        "01_r2",
        "You restart the kernel and run a cell in the middle: NameError: name 'w' is not defined. "
        "What happened?",
        "the cell that makes w hasn't run yet",
        {
            "w is misspelled": "That can be the cause, too. But here the cell worked before the "
            "restart.",
            "the cell that makes w hasn't run yet": "A restart forgets every name.",
            "w has no slope": "The message is about the name, not about the tensor.",
        },
    ),
    Prediction(
        "01_r3",
        "p requires grad, and you compute q = 3 * p. When does p.grad become 3?",
        "when q.backward() has run",
        {
            "as soon as q is computed": "That records the graph. Which call computes the slopes?",
            "when q.backward() has run": "Until then, p.grad is None.",
            "when you print p.grad": "Printing only shows what's there.",
        },
    ),
    Prediction(
        "01_p1",
        "The first line will end in 6.5. Which number does the last column approach?",
        "6",
        {
            "6": "What the nudge adds to it gets smaller and smaller.",
            "0": "The growth approaches 0, but so does the nudge that you divide it by.",
            "6.5": "The curve bends on the way, and with a smaller nudge it bends less.",
            "9": "9 is the value at 3. The question is how fast it grows.",
        },
        number=True,
    ),
    Prediction(
        "01_p2",
        "Halve the nudge, and the one-sided error roughly halves. What does the error of the "
        "central difference do?",
        "it drops to a quarter",
        {
            "it halves, too": "Look at the last column: how many times smaller does 0.25 get?",
            "it drops to a quarter": "It shrinks with the square of the nudge.",
            "it's 0 for every nudge": "For the parabola it was. A cube doesn't bend equally on "
            "both sides.",
        },
    ),
    Prediction(
        "01_p3",
        "At which of these nudges is the central difference closest to 12?",
        "1e-5",
        {
            "1e-1": "The curve still bends too much on the way.",
            "1e-5": "Large enough to keep the digits, small enough for the curve to be nearly "
            "straight.",
            "1e-9": "The curve is as good as straight by then. So what else goes wrong?",
            "1e-15": "A smaller nudge isn't always better. Look at the last lines.",
        },
    ),
    Prediction(
        "01_p4",
        "x is 2 and y is 3. You move only x, by very little. How many times as far does h move?",
        "12",
        {
            "12": "y is a constant while you do that.",
            "5": "That's what happens if you move y.",
            "15": "That's the value of h there.",
            "17": "That's for moving both at once: 12 + 5.",
        },
        number=True,
    ),
    Prediction(
        "01_p5",
        "How many times does the function run for a tensor with 1,000 entries?",
        "2000",
        {
            "2": "That's for one entry. The others need nudges of their own.",
            "1000": "Each entry is nudged up *and* down.",
            "1001": "One-sided slopes would need that many. Central ones need two runs per entry.",
            "2000": "Once up and once down for each entry.",
        },
        number=True,
    ),
    Prediction(
        "01_p6",
        "The second line is the slope of |x| at 0, by autograd. What is it?",
        "0",
        {
            "1": "That's the slope on the right of the corner.",
            "-1": "That's the slope on the left of the corner.",
            "0": "Of all reasonable answers, the one closest to 0.",
            "an error": "PyTorch answers at a corner, too. It has a rule for it.",
        },
    ),
    Explanation(
        "01_explain",
        "A friend says: for the most exact slope, take the smallest nudge the computer can "
        "represent. In a sentence or two, why not?",
        "A smaller nudge reduces the error from the bend of the curve. But the two values then "
        "agree in nearly all their digits, so their difference is mostly rounding, and dividing "
        "by a tiny nudge makes that large. The best nudge lies in between.",
        ("the curve bends less", "rounding is left when digits cancel", "the best is in between"),
    ),
)

_AT_2 = "`central_slope` for `x * x * x` at 2 with a nudge of 0.25"


def _central(attempt: Attempt) -> Iterator[Observation]:
    def found(f: Any, x: float, size: float) -> float:
        returned = attempt.function("central_slope")(f, x, size)
        return attempt.checked_number(returned, "What `central_slope` returns")

    yield _AT_2, found(lambda x: x * x * x, 2.0, 0.25)
    yield "`central_slope` for `5 * x - x * x` at 1", found(lambda x: 5 * x - x * x, 1.0, 0.5)
    a, b, x, size = attempt.drawn(4)
    yield "`central_slope` for another function", found(lambda x: a * x**3 + b * x * x, x, size)


_CENTRAL = "def central_slope(f, x, size):\n    "

central = Exercise(
    id="01_central",
    title="A slope from both sides",
    prompt="""
**5 minutes.** Write `central_slope(f, x, size)`. It returns the central difference of any function
`f` at `x`, with a nudge of `size`. (The lesson has one. Try it without looking.)
""",
    starter=f"{_CENTRAL}...",
    answers=("central_slope",),
    solutions=(
        f"{_CENTRAL}return (f(x + size) - f(x - size)) / (2 * size)",
        f"{_CENTRAL}upward = (f(x + size) - f(x)) / size\n"
        "    downward = (f(x) - f(x - size)) / size\n    return (upward + downward) / 2",
    ),
    hints=(
        "Mark `x` on a line, and the two places where you evaluate `f`. How far apart are they?",
        "A slope is growth divided by distance. The growth is the difference of those two values.",
        "One `return`. Put parentheses around the difference of the two calls, and around what "
        "you divide it by.",
    ),
    because="It's the growth from one side to the other, divided by their distance of two nudges.",
    probe=_central,
    slips=(
        Slip(
            "One side is enough",
            f"{_CENTRAL}return (f(x + size) - f(x)) / size",
            "You nudged to one side only. For `x * x * x` at 2 with a nudge of 0.25 you're then "
            "more than 1 away from 12, because the curve bends on the way. What cancels if you go "
            "to the other side as well?",
            when=lambda seen: abs(seen[_AT_2] - 10.5625) < 0.01,  # downward
        ),
        Slip(
            "One nudge lies between the two points",
            f"{_CENTRAL}return (f(x + size) - f(x - size)) / size",
            "Your slope is exactly twice what it should be: 24.125 for `x * x * x` at 2. You "
            "divided by one nudge. How many nudges is it from `x - size` to `x + size`?",
        ),
        Slip(
            "/ 2 * size divides by both",
            f"{_CENTRAL}return (f(x + size) - f(x - size)) / 2 * size",
            "Python works from left to right, so `/ 2 * size` divided by 2 and then *multiplied* "
            "by the nudge. What do you have to put around `2 * size`?",
        ),
    ),
)

partial = Exercise(
    id="01_partial",
    title="One input at a time",
    prompt=r"""
**5 minutes.** $k(u, v) = u\,v + v^2$. What are the two partial derivatives at $u = 3$, $v = 2$?
Find them on paper or by nudging.
""",
    starter="along_u = ...\nalong_v = ...",
    answers=("along_u", "along_v"),
    solutions=(
        "along_u = 2\nalong_v = 3 + 2 * 2",
        "def k(u, v):\n    return u * v + v * v\n\n\n"
        "along_u = (k(3.001, 2) - k(2.999, 2)) / 0.002\n"
        "along_v = (k(3, 2.001) - k(3, 1.999)) / 0.002",
    ),
    hints=(
        "For `along_u`, `v` doesn't move. Write $k$ with a 2 in place of $v$.",
        "That's a straight line in $u$. For `along_v`, put 3 in place of $u$, and find the slope "
        "of each of the two terms.",
        "`along_v` has two parts, one from $3v$ and one from $v^2$ at 2. Add them.",
    ),
    because="$\\partial k/\\partial u = v = 2$ and $\\partial k/\\partial v = u + 2v = 7$.",
    slips=(
        Slip(
            "All inputs are nudged at once",
            "along_u = 9\nalong_v = 9",
            "9 is what you get if `u` and `v` move together: both slopes added up. A partial "
            "derivative moves one input. Try it: keep `v` at 2, and compute $k$ at `u` = 2.99 and "
            "3.01.",
        ),
        Slip(
            "v * v moves once",
            "along_u = 2\nalong_v = 3 + 2",
            "`along_u` is right. For `along_v` you counted one factor of `v * v`, but both move "
            "when `v` moves. How far does $v^2$ go if `v` goes from 2 to 2.01?",
        ),
        Slip(
            "v is only in one term",
            "along_u = 2\nalong_v = 2 * 2",
            "`along_u` is right, and 4 is the slope of $v^2$ alone. Which other term contains `v`?",
        ),
    ),
)

_RIGHT = "whether `max_error` is below 0.000001 for a right claim"
_LOW = "`max_error` for cubes at [1, 2, 3] and the claim [3, 12, 26.75]"
_HIGH = "`max_error` for cubes at [1, 2, 3] and the claim [3, 12, 27.5]"


def _own_check(attempt: Attempt) -> Iterator[Observation]:
    torch, error = attempt.torch, attempt.function("max_error")

    def found(claimed: list[float], weights: Any = 1, at: Any = (1.0, 2.0, 3.0)) -> float:
        # autograd doesn't see that the last factor moves, but nudging does
        f = lambda x: (weights * x * x * x.detach()).sum()  # noqa: E731
        returned = error(f, torch.tensor(at), torch.tensor(claimed))
        return attempt.checked_number(returned, "What `max_error` returns")

    yield _RIGHT, found([3.0, 12.0, 27.0]) < 1e-6
    yield _LOW, found([3.0, 12.0, 26.75])
    yield _HIGH, found([3.0, 12.0, 27.5])
    yield "`max_error` for cubes at [1, 2, 3] and the claim [3, 11.9, 26]", found([3.0, 11.9, 26.0])
    weights, at, off = attempt.drawn(3, 4)
    claimed = [3 * w * x * x + error for w, x, error in zip(weights, at, off, strict=True)]
    yield "`max_error` for another function", found(claimed, torch.tensor(weights), at)


def _checker(step: str = "step[i]", end: str = "    return max(errors)", size: str = "1e-5") -> str:
    return (
        "def max_error(f, x, claimed):\n    x = x.double()\n    errors = []\n"
        f"    for i in range(len(x)):\n        step = torch.zeros(len(x))\n"
        f"        {step} = {size}\n"
        f"        slope = (f(x + step) - f(x - step)).item() / {size} / 2\n"
        f"        errors.append(abs(slope - claimed[i].item()))\n{end}"
    )


own_check = Exercise(
    id="01_own_check",
    title="A checker of your own",
    prompt="""
**20 minutes.** Write the tool that exposes a wrong gradient: `max_error(f, x, claimed)`.

`f` takes a tensor of several entries and returns a tensor with one number. `x` is such a tensor.
`claimed` holds one slope for each of its entries, as an engine might report them. Nudge each entry
by itself, from both sides. Return the largest distance between a slope that you found and the one
that's claimed, as a plain Python number.

`x` comes as float32. If the claim is right, your answer should still be below 0.000001, so you need
more digits: `x.double()` returns the same numbers in float64. Leave `x` itself unchanged.
""",
    starter="def max_error(f, x, claimed):\n    ...",
    answers=("max_error",),
    solutions=(
        _checker(),
        "def max_error(f, x, claimed):\n    x, worst = x.double(), 0.0\n"
        "    for i in range(len(x)):\n        up, down = x.clone(), x.clone()\n"
        "        up[i] += 1e-6\n        down[i] -= 1e-6\n"
        "        slope = (f(up) - f(down)) / 2e-6\n"
        "        worst = max(worst, (slope - claimed[i]).abs().item())\n    return worst",
    ),
    hints=(
        "`gradient_by_nudging` in this lesson does most of the work. What does it lack?",
        "It lacks three things: more digits, a nudge that suits them, and a comparison of each "
        "slope with "
        "`claimed[i]`.",
        "Begin with `x = x.double()`, collect `abs(slope - claimed[i].item())` in a list, and "
        "return the largest of them after the loop.",
    ),
    because="That's `gradcheck` in ten lines. It can find a mistake in any engine's rules, because "
    "it uses none of them.",
    probe=_own_check,
    slips=(
        Slip(
            "All entries are nudged at once",
            _checker("step[:]"),
            "You nudged all entries at the same time, so every slope you found is the sum: 42 for "
            "cubes at [1, 2, 3]. Your answer for a right claim is 39. Which entry of the step "
            "should be different from 0?",
        ),
        Slip(
            "An engine can check itself",
            "def max_error(f, x, claimed):\n    x = x.double().requires_grad_()\n"
            "    f(x).backward()\n    return (x.grad - claimed).abs().max().item()",
            "You asked `backward()`. But a checker mustn't use what it checks: `check` tried a "
            "function with a factor that's hidden from the engine, so your slopes were too small. "
            "Nudging sees that factor move. Which function of this lesson nudges each entry?",
        ),
        Slip(
            "A return can wait inside the loop",
            _checker(end="        return max(errors)"),
            "Your function returned after the first entry, so an error in the last one stays "
            "hidden: for the claim [3, 12, 27.5] you returned about 0. How far is your `return` "
            "indented?",
        ),
        Slip(
            "A difference is a distance",
            _checker().replace("abs(slope - claimed[i].item())", "slope - claimed[i].item()"),
            "You compared differences with their signs, so a claim that's off to one side counts "
            "as negative, and the largest difference is then about 0. Try the claims [3, 12, "
            "26.75] and [3, 12, 27.5]. Which function turns a difference into a distance?",
            when=lambda seen: (abs(seen[_LOW]) < 1e-4) != (abs(seen[_HIGH]) < 1e-4),
        ),
        Slip(
            "7 digits will do",
            _checker().replace("x.double()", "x"),
            "For a right claim, your largest error isn't below 0.000001. Either the slopes were "
            "computed in float32, whose 7 digits don't allow that, or the nudge is far from "
            "float64's valley. Print `x.dtype` inside the function, and look at the picture of the "
            "two valleys.",
            when=lambda seen: not seen[_RIGHT] and abs(seen[_HIGH] - 0.5) < 0.25,
        ),
    ),
)
