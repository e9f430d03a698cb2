"""Lesson 14: twelve operations whose backward rule is one line each."""

from collections.abc import Callable, Iterator
from typing import Any

from minigrad.exercises.attempt import Attempt, close, numerals
from minigrad.exercises.exercise import Exercise, NotYet, Observation, Slip

_TENS = "`g` = 10, 100, 1000, …"
_PADDED = "torch.cat([torch.zeros(1), g])", "torch.cat([g, torch.zeros(1)])"
_RULES = {
    "sum(g, x)": ("g * torch.ones_like(x)", "y = x.sum()"),
    "mean(g, x)": ("g * torch.ones_like(x) / len(x)", "y = x.mean()"),
    "repeat(g, x)": ("g.reshape(2, -1).sum(0)", "y = x.repeat(2)"),
    "index(g, x, places)": ("torch.zeros_like(x).index_add(0, places, g)", "y = x[places]"),
    "flip(g, x)": ("g.flip(0)", "y = x.flip(0)"),
    "transpose(g, x)": ("g.T", "y = x.T"),
    "max(g, x)": ("g * (x == x.max())", "y = x.max()"),
    "sort(g, x)": ("g[x.argsort().argsort()]", "y = x.sort()[0]"),
    "cumsum(g, x)": ("g.flip(0).cumsum(0).flip(0)", "y = x.cumsum(0)"),
    "difference(g, x)": (f"{_PADDED[0]} - {_PADDED[1]}", "y = x[1:] - x[:-1]"),
    "moving(g, x)": (f"{_PADDED[0]} + {_PADDED[1]}", "y = x[1:] + x[:-1]"),
    "outer(g, x, w)": ("g @ w", "y = x[:, None] * w"),
}


def _rules(**others: str) -> str:
    """The twelve functions as solved, except for `others`."""
    lines = []
    for head, (rule, formula) in _RULES.items():
        rule = others.get(head.split("(")[0], rule)
        lines.append(f"def back_{head}: return {rule}  # {formula}")
    return "\n".join(lines)


_FORWARD: dict[str, Callable[..., Any]] = {
    "sum": lambda x: x.sum(),
    "mean": lambda x: x.mean(),
    "repeat": lambda x: x.repeat(2),
    "index": lambda x, places: x[places],
    "flip": lambda x: x.flip(0),
    "transpose": lambda x: x.T,
    "max": lambda x: x.max(),
    "sort": lambda x: x.sort()[0],
    "cumsum": lambda x: x.cumsum(0),
    "difference": lambda x: x[1:] - x[:-1],
    "moving": lambda x: x[1:] + x[:-1],
    "outer": lambda x, w: x[:, None] * w,
}


def _puzzles(attempt: Attempt) -> Iterator[Observation]:
    torch = attempt.torch
    for name, forward in _FORWARD.items():
        back = attempt.function(f"back_{name}", gives=False)
        for numbers, gradient, weights, which in (
            ([3.0, 1.0, 4.0, 2.0, 6.0, 5.0], [10.0**n for n in range(1, 9)], [1.0, 2.0], _TENS),
            (attempt.drawn(6), attempt.drawn(8), attempt.drawn(2), "drawn numbers"),
        ):
            x = torch.tensor(numbers)
            x = (x.reshape(2, 3) if name == "transpose" else x[:4]).requires_grad_()
            more = {"index": torch.tensor([0, 0, 2]), "outer": torch.tensor(weights)}
            extra = [more[name]] if name in more else []
            y = forward(x, *extra)
            g = torch.tensor(gradient[: y.numel()]).reshape(y.shape)
            result = back(g, x.detach(), *extra)
            if result is None or result is ...:
                raise NotYet(f"`back_{name}` is still open. Those before it are right.")
            attempt.checked_tensor(result, f"What `back_{name}` returns")
            yield f"What `back_{name}` returns for {which}", result
            if not close(result, torch.autograd.grad(y, x, g)[0]):
                raise NotYet(
                    f"`back_{name}` returns {numerals(result)} for a `g` of {numerals(g)}. Read "
                    "down the columns of its heat map: is each entry of your answer the sum of "
                    "those entries of `g` that its column names, with these weights?"
                )


def _fixed(name: str, *values: float) -> Any:
    return lambda seen: seen[f"What `back_{name}` returns for {_TENS}"] == list(values)


puzzles = Exercise(
    id="14_puzzles",
    title="Twelve rules in one line each",
    prompt="""
**20 minutes.** Each function receives the upstream gradient `g` and the input `x`. Return the
gradient of `x` without using `backward` or `torch.autograd`. The comment says what the operation
is. `x` is a vector of four, except in `back_transpose`, where it's a matrix. Replace the dots in
any order; `check` reports the first rule that isn't right yet.
""",
    starter=_rules(**{head.split("(")[0]: "..." for head in _RULES}),
    answers=tuple(f"back_{head.split('(')[0]}" for head in _RULES),
    solutions=(
        _rules(),
        _rules(
            sum="g.expand(4)",
            repeat="g[:4] + g[4:]",
            sort="torch.zeros_like(x).scatter(0, x.argsort(), g)",
            cumsum="g.sum() - g.cumsum(0) + g",
            outer="(g * w).sum(1)",
        ),
    ),
    hints=(
        "Find the heat map of the operation and look at one column. Which outputs does that input "
        "go into, and with which weights?",
        "Each entry of the answer is a sum of entries of `g`. An input that's used twice gets a "
        "sum of two. An input that isn't used gets 0. If the map holds a single 1 in each column, "
        "the answer is `g` in another order.",
        "For `back_index`, look at `index_add`. For `back_sort`, ask where each `x` ended up: "
        "`x.argsort().argsort()`. For the moving sum and the difference, `torch.cat` puts a zero "
        "in front of `g` or at its end.",
    ),
    because="Twelve Jacobians, and you built none of them. Each rule is a sum down a column.",
    probe=_puzzles,
    slips=(
        Slip(
            "The slope of a sum is 1",
            _rules(sum="torch.ones_like(x)"),
            "`back_sum` returns ones, whatever arrives. That's the Jacobian itself. The rule is "
            "the upstream gradient times the Jacobian. What has to happen to `g`?",
            when=_fixed("sum", 1, 1, 1, 1),
        ),
        Slip(
            "A mean passes on what a sum passes on",
            _rules(mean="g * torch.ones_like(x)"),
            "`back_mean` passes `g` on in full. If you move one of four numbers by 1, how far "
            "does the mean move? The heat map shows it.",
            when=_fixed("mean", 10, 10, 10, 10),
        ),
        Slip(
            "The last use replaces the first",
            _rules(index="torch.zeros_like(x).scatter(0, places[1:], g[1:])"),
            "`places` names element 0 twice, and your `back_index` keeps only one of the two "
            "gradients, 100. Two paths lead from that element to the result. What happens to two "
            "gradients that arrive at the same place? There's a method with `add` in its name.",
            misconception=5,
            when=_fixed("index", 100, 0, 1000, 0),
        ),
        Slip(
            "The gradient is put in order like x",
            _rules(sort="g[x.argsort()]"),
            "`back_sort` reorders `g` in the way that sorts `x`. Backward has to undo it: the 3 "
            "was first and ended up third, so it gets the *third* gradient, 1000. What's the index "
            "where each `x` ended up?",
            when=_fixed("sort", 100, 10000, 10, 1000),
        ),
        Slip(
            "Backward repeats the forward computation",
            _rules(cumsum="g.cumsum(0)"),
            "`back_cumsum` sums from the left, as the forward computation does. Look at column 0 "
            "of the heat map: the first input goes into *all* outputs, so it gets all of `g`, "
            "11110. From which end do you have to sum?",
            when=_fixed("cumsum", 10, 110, 1110, 11110),
        ),
    ),
)
