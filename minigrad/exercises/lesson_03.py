"""Lesson 03: backward on a scalar."""

import math

from minigrad.exercises.attempt import Attempt, close, numerals
from minigrad.exercises.exercise import Exercise, NotYet, Wrong


def _edges(attempt: Attempt) -> None:
    torch = attempt.torch
    a = torch.tensor(2.0, requires_grad=True)
    b = torch.tensor(5.0, requires_grad=True)
    p = a * b
    q = p + a
    out = q * 3
    nodes = {"out": out, "q": q, "p": p, "a": a, "b": b}
    asked = {f"at_{name}": nodes[name] for name in ("q", "p", "b", "a")}
    given = {name: attempt.number(name) for name in asked}
    slopes = torch.autograd.grad(out, list(asked.values()), retain_graph=True)
    if all(map(close, given.values(), slopes)):
        return
    # The first that is wrong decides: the others follow from it.
    wrong = next(n for n, slope in zip(given, slopes, strict=True) if not close(given[n], slope))
    number, value = given[wrong], asked[wrong]
    local = {"at_p": 1, "at_b": 2}  # without what arrives from above
    if close(number, value):
        raise NotYet(
            f"`{number:g}` is the value of `{wrong[3:]}`, computed on the way forward. Asked for "
            f"is a slope, on the way back: how fast does `out` grow when `{wrong[3:]}` grows?",
            shows="value for slope",
            draw=nodes,
        )
    if close(number, local.get(wrong, math.nan)):
        raise NotYet(
            f"`{wrong}`: `{number:g}` is the *local* slope. What goes on is upstream × local: the "
            "number that arrived there, times the slope of this operation.",
            shows="local only",
            draw=nodes,
        )
    if wrong == "at_b" and close(number, 3 * 5):
        raise NotYet(
            "At a multiplication each factor receives upstream × the *other* factor. You gave `b` "
            "its own value.",
            shows="own factor",
            draw=nodes,
        )
    if wrong == "at_a" and (close(number, 3 * 5) or close(number, 3)):
        raise NotYet(
            "`a` is used in two places, so two numbers come back to it. You have one of them.",
            shows=5,
            draw=nodes,
        )
    if wrong == "at_a" and close(number, 3 * 5 * 3):
        raise NotYet(
            "Two numbers come back to `a`. They are added, not multiplied.",
            shows="paths multiplied",
            draw=nodes,
        )
    above = (
        "`a` goes into two operations. For each of them: which number arrives there, and what is "
        "the operation's own slope? Then add."
        if wrong == "at_a"
        else f"Which number arrives at the operation that `{wrong[3:]}` goes into, and what is "
        "that operation's own slope?"
    )
    raise NotYet(f"`{wrong}` is not {number:g}. {above}", draw=nodes)


edges = Exercise(
    id="03_edges",
    title="The numbers on the edges",
    prompt="""
```python
a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(5.0, requires_grad=True)
p = a * b
q = p + a
out = q * 3
out.backward()
```

The walk starts at `out` with 1. Which gradient arrives at `q`, at `p`, at `b`, and at `a`? Draw the
graph on paper and write a number on each edge, from `out` backward.
""",
    starter="""
at_q = ...
at_p = ...
at_b = ...
at_a = ...
""",
    answers=("at_q", "at_p", "at_b", "at_a"),
    solutions=(
        """
at_q = 3
at_p = 3
at_b = 6
at_a = 18
""",
        """
at_q = 1 * 3
at_p = at_q * 1
at_b = at_p * 2.0
at_a = at_p * 5.0 + at_q * 1
""",
        """
a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(5.0, requires_grad=True)
p = a * b
q = p + a
for tensor in (p, q):
    tensor.retain_grad()
(q * 3).backward()
at_q, at_p, at_b, at_a = q.grad, p.grad, b.grad, a.grad
""",
    ),
    hints=(
        "The slope of `q * 3` is 3, so 1 × 3 arrives at `q`. An addition passes on to both sides "
        "what it receives.",
        "At `p = a * b` arrives what you wrote for `at_p`. `b` receives that × 2, because 2 is "
        "the other factor.",
        "`a` receives something from `p = a * b`, and something from `q = p + a`.",
    ),
    check=_edges,
    because="3 · 5 from the product and 3 from the addition: 18 at `a`.",
    wrong=(
        Wrong(
            """
at_q = 12
at_p = 10
at_b = 5
at_a = 2
""",
            shows="value for slope",
        ),
        Wrong(
            """
at_q = 3
at_p = 1
at_b = 2
at_a = 6
""",
            shows="local only",
        ),
        Wrong(
            """
at_q = 3
at_p = at_q
at_b = at_p * 5
at_a = at_p * 2 + at_q
""",
            shows="own factor",
        ),
        Wrong(
            """
at_q = 3
at_p = 3
at_b = 6
at_a = 15
""",
            shows=5,
        ),
        Wrong(
            """
at_q = 3
at_p = 3
at_b = 6
at_a = 3
""",
            shows=5,
        ),
        Wrong(
            """
at_q = 3
at_p = 3
at_b = 6
at_a = 45
""",
            shows="paths multiplied",
        ),
    ),
)


def _by_hand(attempt: Attempt) -> None:
    gradient = attempt.function("slope_by_hand")
    torch = attempt.torch
    for values in ([[1.0, 1.0], [1.0, 1.0]], [0.5, -3.0, 2.0], attempt.drawn(5)):
        x = torch.tensor(values, requires_grad=True)
        y = x + 2
        out = (y * y * 3).mean()
        (right,) = torch.autograd.grad(out, x, retain_graph=True)
        found = attempt.checked_tensor(
            gradient(torch.tensor(values)), "What `slope_by_hand` gives back"
        )
        drawn = {"out": out, "x": x}
        if list(found.shape) != list(x.shape):
            raise NotYet(
                f"For an `x` of shape {list(x.shape)} the gradient has the shape "
                f"{list(found.shape)}. A gradient has the shape of what it belongs to.",
                shows="other shape",
                draw=drawn,
            )
        if close(found, right):
            continue
        if close(found, right * x.numel()):
            raise NotYet(
                "Each number is too large by the same factor. Which node divides by the number of "
                "entries?",
                shows="mean forgotten",
                draw=drawn,
            )
        if close(found, right / 2):
            raise NotYet(
                "Each number is half of what it should be. `y * y` has two factors, and each "
                "brings a gradient.",
                shows="one factor only",
                draw=drawn,
            )
        if close(found, right * x.numel() / len(x)):
            raise NotYet(
                f"For an `x` of shape {list(x.shape)} each number is too large by the same factor. "
                "`len(x)` counts the rows; `x.numel()` counts all entries.",
                shows="rows for entries",
                draw=drawn,
            )
        if close(found, right * x.numel() / 4):
            raise NotYet(
                "For four entries it is right. It has to be right for any number of them.",
                shows="four entries only",
                draw=drawn,
            )
        if close(found, 4.5 * torch.ones_like(x)):
            raise NotYet("4.5 is the answer for `x = 1` alone.", shows="four entries only")
        raise NotYet(
            f"For `x = {values}` the slopes are {numerals(right)}, and not {numerals(found)}. Go "
            "from `out` back to `x`, and multiply by one local slope at each node.",
            draw=drawn,
        )


by_hand = Exercise(
    id="03_by_hand",
    title="Be the engine",
    prompt="""
For the program

```python
y = x + 2
z = y * y * 3
out = z.mean()
```

write `slope_by_hand(x)`: it gives back what `out.backward()` would store in `x.grad`, computed by
you, from upstream × local. It has to be right for an `x` of any shape. (`x.numel()` is the
number of its entries.)
""",
    starter="""
def slope_by_hand(x):
    ...
""",
    answers=("slope_by_hand",),
    solutions=(
        """
def slope_by_hand(x):
    return 6 * (x + 2) / x.numel()
""",
        """
def slope_by_hand(x):
    y = x + 2
    after_mean = torch.ones_like(x) / x.numel()
    after_times_three = after_mean * 3
    after_square = after_times_three * y + after_times_three * y
    return after_square * 1
""",
    ),
    hints=(
        "Start with 1. The mean passes `1 / x.numel()` to each entry; times three makes it three "
        "times as much.",
        "At `y * y` each of the two factors receives upstream × `y`. Both go to the same `y`, so "
        "they are added.",
    ),
    check=_by_hand,
    because="$\\frac{6}{n}\\,(x_i + 2)$: at $x = 1$ with four entries that is 4.5.",
    wrong=(
        Wrong(
            """
def slope_by_hand(x):
    return 6 * (x + 2)
""",
            shows="mean forgotten",
        ),
        Wrong(
            """
def slope_by_hand(x):
    return 6 * (x + 2) / len(x)
""",
            shows="rows for entries",
        ),
        Wrong(
            """
def slope_by_hand(x):
    return 3 * (x + 2) / x.numel()
""",
            shows="one factor only",
        ),
        Wrong(
            """
def slope_by_hand(x):
    return 1.5 * (x + 2)
""",
            shows="four entries only",
        ),
        Wrong(
            """
def slope_by_hand(x):
    return 4.5 * torch.ones_like(x)
""",
            shows="four entries only",
        ),
        Wrong(
            """
def slope_by_hand(x):
    return (6 * (x + 2) / x.numel()).sum()
""",
            shows="other shape",
        ),
    ),
)


def _no_record(attempt: Attempt) -> None:
    slopes = attempt.function("slopes_of_squares", gives=False)
    for values in ([1.0, 2.0], [-3.0, 0.5, 4.0], attempt.drawn(4)):
        found = slopes(values)
        if found is None:
            raise NotYet(
                "`slopes_of_squares` gives back None. Is something returned? If it is a `.grad`: "
                "has `backward()` been *called*, is it that of a leaf, and had the leaf asked "
                "before the record was made?",
                shows="no gradient",
            )
        attempt.checked_tensor(found, "What `slopes_of_squares` gives back")
        wanted = [2 * value for value in values]
        if not close(found, wanted):
            raise NotYet(
                f"For `{values}` the slopes of the squares are {numerals(wanted)}, and not "
                f"{numerals(found)}.",
                shows="other result",
            )


no_record = Exercise(
    id="03_no_record",
    title="Nothing to walk through",
    prompt="""
`slopes_of_squares([1.0, 2.0])` should give back the slopes of the squares. It raises *element 0 of
tensors does not require grad and does not have a grad_fn*. Repair it.
""",
    starter="""
def slopes_of_squares(values):
    x = torch.tensor(values)
    total = (x * x).sum()
    total.backward()
    return x.grad
""",
    answers=("slopes_of_squares",),
    solutions=(
        """
def slopes_of_squares(values):
    x = torch.tensor(values, requires_grad=True)
    total = (x * x).sum()
    total.backward()
    return x.grad
""",
        """
def slopes_of_squares(values):
    x = torch.tensor(values)
    x.requires_grad_()
    (slopes,) = torch.autograd.grad((x * x).sum(), x)
    return slopes
""",
    ),
    hints=(
        "Print `requires_grad` of `x` and of `total`. Where is the first False?",
        "Who has to ask for the record, and when: before or after `x * x` is computed?",
    ),
    check=_no_record,
    wrong=(
        Wrong(
            """
def slopes_of_squares(values):
    x = torch.tensor(values)
    total = (x * x).sum()
    total.requires_grad_()
    total.backward()
    return x.grad
""",
            shows="no gradient",
        ),
        Wrong(
            """
def slopes_of_squares(values):
    x = torch.tensor(values, requires_grad=True)
    total = (x * x).sum()
    total.backward()
    return total.grad
""",
            shows="no gradient",
        ),
        Wrong(
            """
def slopes_of_squares(values):
    x = torch.tensor(values)
    total = (x * x).sum()
    x.requires_grad = True
    total.backward()
    return x.grad
""",
            shows="error",
        ),
        Wrong(
            """
def slopes_of_squares(values):
    x = torch.tensor(values, requires_grad=True)
    total = (x * x).sum()
    total.backward()
    return x
""",
            shows="other result",
        ),
    ),
)


def _weights_after(attempt: Attempt) -> None:
    weights = attempt.numbers("w_after", 2)
    gradient = attempt.numbers("grad_after", 2)
    torch = attempt.torch
    w = torch.tensor([3.0, -2.0], requires_grad=True)
    loss = (w * w).sum()
    (slope,) = torch.autograd.grad(loss, w, retain_graph=True)
    drawn = {"loss": loss, "w": w}
    if not close(weights, w):
        raise NotYet(
            "You have `w` changed by `backward()`. It writes into `w.grad` and into nothing else.",
            shows=13,
            draw=drawn,
        )
    if close(gradient, w):
        raise NotYet(
            "`w * w` has two factors, and each brings a gradient of `w`. You have one of them.",
            shows="one factor only",
            draw=drawn,
        )
    if close(gradient, w * w):
        raise NotYet(
            "These are the squares, the values. Asked for are the slopes of the squares.",
            shows="value for slope",
            draw=drawn,
        )
    if not close(gradient, slope):
        raise NotYet(
            "`w` is right, it stays as it was. The gradient is not. What is the slope of $w^2$ "
            "where $w$ is 3, and where it is −2?",
            draw=drawn,
        )


weights_after = Exercise(
    id="03_weights_after",
    title="What does backward change?",
    prompt="""
```python
w = torch.tensor([3.0, -2.0], requires_grad=True)
loss = (w * w).sum()
loss.backward()
```

Which two numbers does `w` hold now? Which two does `w.grad` hold?
""",
    starter="""
w_after = [..., ...]
grad_after = [..., ...]
""",
    answers=("w_after", "grad_after"),
    solutions=(
        """
w_after = [3, -2]
grad_after = [6, -4]
""",
        """
w = torch.tensor([3.0, -2.0], requires_grad=True)
(w * w).sum().backward()
w_after, grad_after = w, w.grad
""",
    ),
    hints=(
        "`backward()` measures. Does measuring move anything?",
        "The slope of $w^2$ is $2w$. That is what is stored in `w.grad`.",
    ),
    check=_weights_after,
    because="`backward()` measures slopes. Moving the weights is a step of its own (lesson 10).",
    wrong=(
        Wrong(
            """
w_after = [-3, 2]
grad_after = [6, -4]
""",
            shows=13,
        ),
        Wrong(
            """
gradient = torch.tensor([6.0, -4.0])
moved = torch.tensor([3.0, -2.0]) - 0.1 * gradient
w_after = moved
grad_after = gradient
""",
            shows=13,
        ),
        Wrong(
            """
w_after = [3, -2]
grad_after = [3, -2]
""",
            shows="one factor only",
        ),
        Wrong(
            """
w_after = [3, -2]
grad_after = [9, 4]
""",
            shows="value for slope",
        ),
    ),
)


def _second_walk(attempt: Attempt) -> None:
    given = attempt.flags("walks_twice", 4)
    x = attempt.torch.tensor([1.0, 2.0], requires_grad=True)
    results = {
        "(x + 2).sum()": (x + 2).sum(),
        "(x * x).sum()": (x * x).sum(),
        "x.exp().sum()": x.exp().sum(),
        "x.mean()": x.mean(),
    }
    right = [_walks_twice(attempt.torch, result, x) for result in results.values()]
    if given == right:
        return
    if len(set(given)) == 1:
        said = "always works" if given[0] else "always fails"
        raise NotYet(
            f"You say that it {said}. It depends on what the nodes had to save for the way back. "
            "Draw the four graphs, and look at what each node keeps.",
            shows=3,
        )
    name = next(name for name, left, r in zip(results, given, right, strict=True) if left != r)
    repeats = right[list(results).index(name)]
    raise NotYet(
        f"Look again at `{name}`. Which numbers do its nodes need, to send a gradient back? "
        + (
            "None that they would have to save, so the first walk frees nothing."
            if repeats
            else "Those they have saved, and the first walk frees them."
        ),
        shows="what is saved",
        draw={"out": results[name], "x": x},
    )


def _walks_twice(torch: object, result: object, x: object) -> bool:
    grad = torch.autograd.grad  # type: ignore[attr-defined]
    grad(result, x)
    try:
        grad(result, x)
    except RuntimeError:
        return False
    return True


second_walk = Exercise(
    id="03_second_walk",
    title="Twice through the same graph",
    prompt="""
For each of these results, `backward()` is called twice, without `retain_graph`. Does the second
call work? Write `True` if it does and `False` if it raises.

| | result |
| --- | --- |
| first | `(x + 2).sum()` |
| second | `(x * x).sum()` |
| third | `x.exp().sum()` |
| fourth | `x.mean()` |
""",
    starter="walks_twice = [..., ..., ..., ...]",
    answers=("walks_twice",),
    solutions=(
        "walks_twice = [True, False, False, True]",
        """
def twice(f):
    result = f(torch.ones(2, requires_grad=True))
    result.backward()
    try:
        result.backward()
        return True
    except RuntimeError:
        return False
walks_twice = [
    twice(lambda x: (x + 2).sum()),
    twice(lambda x: (x * x).sum()),
    twice(lambda x: x.exp().sum()),
    twice(lambda x: x.mean()),
]
""",
    ),
    hints=(
        "A second walk fails where a node needs a number that it had saved. Which of these "
        "operations need to know, for their slope, what the numbers were?",
        "The slope of $x \\cdot x$ is $2x$, and the slope of $e^x$ is $e^x$: both depend on the "
        "numbers. The slope of $x + 2$ is 1, and that of the mean is $1/n$.",
    ),
    check=_second_walk,
    because="An addition and a mean have the same slope whatever the numbers: they save none.",
    wrong=(
        Wrong("walks_twice = [False, False, False, False]", shows=3),
        Wrong("walks_twice = [True] * 4", shows=3),
        Wrong("walks_twice = [True, False, True, True]", shows="what is saved"),
        Wrong("walks_twice = [True, False, False, False]", shows="what is saved"),
    ),
)
