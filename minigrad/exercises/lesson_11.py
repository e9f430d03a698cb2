"""Lesson 11: loops that update weights, and four that do not."""

from functools import partial
from typing import Any

from minigrad.exercises.attempt import Attempt, close, numerals, shown
from minigrad.exercises.exercise import Exercise, NotYet, Wrong
from minigrad.exercises.watching import walks


def _step(attempt: Attempt) -> None:
    step = attempt.function("step", gives=False, changes=True)
    w, loss = _stepped(attempt.torch, step, [1.0, -2.0], 0.1)
    if close(w, [1.0, -2.0]):
        raise NotYet(
            "`w` is where it was: nothing was written into it. A line such as `w = w - …` makes a "
            "*new* tensor, and gives it the name `w` within your function.",
            shows=7,
            draw={"loss": loss, "w": w},
        )
    if not close(w, [0.8, -1.6]):
        raise NotYet(
            f"`w` is now {numerals(w)}. Downhill from (1, −2), with the gradient (2, −4) and a "
            "rate of 0.1, is (0.8, −1.6).",
            shows="another step",
        )
    if not (w.is_leaf and w.requires_grad):
        raise NotYet(
            "`w` has moved, but it is no longer a leaf that requires grad: the next turn has "
            "nothing to walk to.",
            shows="no leaf that asks",
        )
    start, lr = attempt.drawn(2), int(attempt.random.integers(2, 9)) / 20
    w, _ = _stepped(attempt.torch, step, start, lr)
    tried = f"a weight of {numerals(start)}, with twice that for its gradient, and a rate of {lr:g}"
    attempt.confirm("the weight is then", w, [(1 - 2 * lr) * one for one in start], tried)


def _stepped(torch: Any, step: Any, start: list[float], lr: float) -> tuple[Any, Any]:
    """A weight after a step, and the loss that gave it its gradient."""
    w = torch.tensor(start, requires_grad=True)
    loss = (w * w).sum()
    loss.backward()
    step(w, lr)
    return w, loss


step = Exercise(
    id="11_step",
    title="One step by hand",
    prompt="""
`step(w, lr)` is to move the weight `w` downhill by `lr` times its gradient. As it stands it raises.
""",
    starter="def step(w, lr):\n    w -= lr * w.grad",
    answers=("step",),
    solutions=(
        "def step(w, lr):\n    with torch.no_grad():\n        w -= lr * w.grad",
        "@torch.no_grad()\ndef step(w, lr):\n    w.sub_(w.grad, alpha=lr)",
    ),
    hints=(
        "The step is no part of the computation. Where is nothing recorded?",
        "`with torch.no_grad():`, and the line indented below it.",
    ),
    check=_step,
    because="In place, so that it stays the same leaf; and not recorded, for it is no part of the "
    "loss.",
    wrong=(
        Wrong("def step(w, lr):\n    w.sub_(lr * w.grad)", shows=6),
        Wrong("def step(w, lr):\n    w = w - lr * w.grad", shows=7),
        Wrong(
            "def step(w, lr):\n    with torch.no_grad():\n"
            "        w = w - lr * w.grad\n    return w",
            shows=7,
        ),
        Wrong(
            "def step(w, lr):\n    w.requires_grad_(False)\n    w -= lr * w.grad",
            shows="no leaf that asks",
        ),
        Wrong(
            "def step(w, lr):\n    with torch.no_grad():\n        w += lr * w.grad",
            shows="another step",
        ),
    ),
)

_FIT = """
def fit(turns):
    inputs, targets = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 6.0])
    slope = torch.tensor(0.0, requires_grad=True)
    for _ in range(turns):
        loss = ((slope * inputs - targets) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            slope -= 0.1 * slope.grad
    return slope
"""


def _fit(attempt: Attempt) -> None:
    fit = attempt.function("fit")

    def slopes_after(*turns: int) -> list[float]:
        return [attempt.checked_number(fit(count), "What `fit` gives back") for count in turns]

    slopes = slopes_after(1, 3, 30)
    right, summed = _descended(cleared=True), _descended(cleared=False)
    if close(slopes, [right[turns] for turns in (1, 3, 30)]):
        turns = sorted((4 + attempt.random.permutation(11)[:3]).tolist())
        wanted = [right[count] for count in turns]
        tried = f"{turns[0]}, {turns[1]} and {turns[2]} turns"
        attempt.confirm("`fit` gives back", slopes_after(*turns), wanted, tried)
        return
    if close(slopes, [0.0, 0.0, 0.0]):
        raise NotYet(
            "The slope ends where it began. Is the gradient cleared *before* it is used, or the "
            "slope itself set back?",
            shows="cleared too early",
        )
    if close(slopes[:2], [summed[1], summed[3]]):
        raise NotYet(
            "Each step is still made with the sum of all gradients so far: `backward()` adds.",
            shows=2,
        )
    if close(slopes, [2.5 * (right[turns - 1] - 3) ** 2 for turns in (1, 3, 30)]):
        raise NotYet(
            "The steps are right, but what `fit` gives back is the last *loss*.",
            shows="the loss given back",
        )
    raise NotYet(
        f"After 1, 3 and 30 turns the slope should be {right[1]:.3f}, {right[3]:.3f} and "
        f"{right[30]:.3f}; it is {slopes[0]:.3f}, {slopes[1]:.3f} and {slopes[2]:.3f}. Only one "
        "line was missing: all others can stay as they were."
    )


def _descended(cleared: bool) -> list[float]:
    """The slope after each turn: the loss is 2.5 (slope - 3)²."""
    slopes, grad = [0.0], 0.0
    for _ in range(30):
        grad = 5 * (slopes[-1] - 3) + (0 if cleared else grad)
        slopes.append(slopes[-1] - 0.1 * grad)
    return slopes


_MOVE = "            slope -= 0.1 * slope.grad\n"

fitted = Exercise(
    id="11_fit",
    title="Something is missing",
    prompt="""
This loop is to find the slope 3. It raises nothing, and swings about for ever. One line is missing.
""",
    starter=_FIT.strip(),
    answers=("fit",),
    solutions=(
        _FIT.replace(_MOVE, _MOVE + "        slope.grad.zero_()\n"),
        _FIT.replace("        loss =", "        slope.grad = None\n        loss ="),
    ),
    hints=(
        "Print `slope.grad` in every turn, and compute the gradient of the first two by hand.",
        "`backward()` adds to `.grad`. Clear it, once a turn, after it was used.",
    ),
    check=_fit,
    because="With the old gradient cleared, each step uses the gradient of its own turn.",
    wrong=(
        Wrong(_FIT.replace("0.1 * slope.grad", "slope.grad * 0.1"), shows=2),
        Wrong(
            _FIT.replace(_MOVE, _MOVE + "        slope.grad = None\n").replace(
                "return slope", "return loss"
            ),
            shows="the loss given back",
        ),
        Wrong(
            _FIT.replace("        with torch", "        slope.grad.zero_()\n        with torch"),
            shows="cleared too early",
        ),
        Wrong(
            _FIT.replace("        loss =", "        slope.grad.zero_()\n        loss ="), shows=12
        ),
    ),
)


def _optimizer(attempt: Attempt) -> None:
    make = attempt.function("optimizer_for")
    a, b = _optimized(attempt.torch, make, 1.0, [2.0, 3.0])
    if close(a, 0.7, 1e-6) and close(b, [1.8, 2.8], 1e-6):
        start, starts = attempt.drawn(), attempt.drawn(2)
        a, b = _optimized(attempt.torch, make, start, starts)
        wanted = [start - 0.3, *(one - 0.2 for one in starts)]
        tried = f"the weights {numerals(start)} and {numerals(starts)}, with the gradients 3 and 2"
        attempt.confirm("they are after a step", [a.item(), *b.tolist()], wanted, tried)
        return
    started = (("a", a, 1.0), ("b", b, [2.0, 3.0]))
    still = [name for name, w, old in started if close(w, old, 1e-6)]
    if still:
        raise NotYet(
            f"`optimizer.step()` moves nothing of {' and '.join(f'`{name}`' for name in still)}. "
            "The list has to hold this very tensor, and not one that was made from it.",
            shows=14,
        )
    raise NotYet(
        f"It steps, but by another length: with a gradient of 3, `a` went from 1 to {numerals(a)}. "
        "Is it plain SGD, with a rate of 0.1?",
        shows="another step",
    )


def _optimized(torch: Any, make: Any, at_a: float, at_b: list[float]) -> tuple[Any, Any]:
    """Two weights after a step of the optimizer; their gradients are 3 and 2."""
    a = torch.tensor(at_a, requires_grad=True)
    b = torch.tensor(at_b, requires_grad=True)
    optimizer = make(a, b)
    if not callable(getattr(optimizer, "step", None)):
        raise NotYet(f"It gives back {shown(optimizer)}; an optimizer is wanted.")
    if not hasattr(optimizer, "param_groups"):
        raise NotYet(
            "What it gives back can step, but holds no parameters. Is it the class itself? Call "
            "it, and an optimizer is made.",
            shows="not called",
        )
    (a * 3 + (b * 2).sum()).backward()
    optimizer.step()
    return a, b


optimizer = Exercise(
    id="11_optimizer",
    title="What an optimizer wants",
    prompt="""
Write a function that takes two weights and gives back an optimizer for both, `torch.optim.SGD` with
the learning rate 0.1.
""",
    starter="def optimizer_for(a, b):\n    ...",
    answers=("optimizer_for",),
    solutions=(
        "def optimizer_for(a, b):\n    return torch.optim.SGD([a, b], lr=0.1)",
        "def optimizer_for(a, b):\n    groups = [{'params': [a]}, {'params': [b]}]\n"
        "    return torch.optim.SGD(groups, lr=0.1)",
    ),
    hints=("It wants an iterable of leaves.", "Put the two into a list."),
    check=_optimizer,
    because="A list of leaves: the optimizer moves these tensors, and no others.",
    wrong=(
        Wrong("def optimizer_for(a, b):\n    return torch.optim.SGD(a, lr=0.1)", shows=14),
        Wrong("def optimizer_for(a, b):\n    return torch.optim.SGD([a * 1, b], lr=0.1)", shows=14),
        Wrong("def optimizer_for(a, b):\n    return torch.optim.SGD([], lr=0.1)", shows=14),
        Wrong("def optimizer_for(a, b):\n    return torch.optim.SGD", shows="not called"),
        Wrong("def optimizer_for(a, b):\n    return torch.optim.SGD([a, b])", shows="another step"),
        Wrong("def optimizer_for(a, b):\n    return torch.optim.SGD([a], lr=0.1)", shows=14),
    ),
)

_STEPS = ("zero_grad", "forward", "backward", "step")


def _turn(attempt: Attempt) -> None:
    given = attempt["turn"]
    if not isinstance(given, list | tuple) or sorted(map(str, given)) != sorted(_STEPS):
        raise NotYet(
            f"`turn` is {shown(given)}. All four are wanted, each once, in a list: "
            + ", ".join(f'`"{name}"`' for name in _STEPS)
            + "."
        )
    place = {name: index for index, name in enumerate(given)}
    if place["backward"] < place["forward"]:
        raise NotYet(
            "`backward` walks the graph that `forward` records. What would it walk in the first "
            "turn?",
            shows="backward before forward",
        )
    if place["step"] < place["backward"]:
        raise NotYet(
            "`backward()` moves nothing; it measures. `step` moves, and it needs what was "
            "measured.",
            shows=13,
        )
    if place["backward"] < place["zero_grad"] < place["step"]:
        raise NotYet(
            "The gradient is thrown away before anybody has used it. After `zero_grad` it is None, "
            "and `step` passes over such weights.",
            shows=12,
        )


turn = Exercise(
    id="11_turn",
    title="Four steps in a turn",
    prompt="""
Put the four steps of one turn in an order that works: `"zero_grad"`, `"forward"`, `"backward"`,
`"step"`.
""",
    starter="turn = [..., ..., ..., ...]",
    answers=("turn",),
    solutions=(
        'turn = ["zero_grad", "forward", "backward", "step"]',
        'turn = ["forward", "backward"]\nturn += ["step", "zero_grad"]',
        'turn = ("forward", "zero_grad", "backward", "step")',
    ),
    hints=(
        "`backward` needs what `forward` has recorded, and `step` needs what `backward` has found.",
        "The gradient may be cleared anywhere, except between `backward` and `step`.",
    ),
    check=_turn,
    because="Forward, backward, step, in this order; cleared anywhere outside backward and step.",
    wrong=(
        Wrong('turn = ["zero_grad", "forward", "step", "backward"]', shows=13),
        Wrong('turn = ["forward", "backward", "zero_grad", "step"]', shows=12),
        Wrong(
            'turn = ["zero_grad", "backward", "forward", "step"]', shows="backward before forward"
        ),
    ),
)

_MICRO = """
def in_two_halves(w, data):
    for half in (data[:2], data[2:]):
        loss = ((w * half) ** 2).mean()
        loss.backward()
"""


def _micro(attempt: Attempt) -> None:
    halves = attempt.function("in_two_halves", gives=False)
    for start, numbers in ((0.5, [1.0, 2.0, 3.0, 4.0]), (attempt.drawn(), attempt.drawn(4))):
        w = attempt.torch.tensor(start, requires_grad=True)
        data = attempt.torch.tensor(numbers)
        _, passes = walks(attempt.torch, partial(halves, w, data))
        _check_halves(attempt.torch, w, data)
        if len(passes) == 1:
            raise NotYet(
                "The number is right. But all four numbers went through in a single walk, and "
                "that is what the memory is too small for.",
                shows="one walk",
            )


def _check_halves(torch: Any, w: Any, data: Any) -> None:
    loss = ((w * data) ** 2).mean()
    (wanted,) = torch.autograd.grad(loss, w, retain_graph=True)
    (last,) = torch.autograd.grad(((w * data[2:]) ** 2).mean(), w)
    drawn = {"loss": loss, "w": w}
    if w.grad is None:
        raise NotYet("`w.grad` is None: no gradient has been left in it.", draw=drawn)
    given = w.grad.item()
    if close(given, wanted):
        return
    if close(given, 2 * wanted):
        raise NotYet(
            f"{given:g} is the *sum* of the two halves' means; the mean over all four numbers has "
            f"the gradient {wanted.item():g}. Each half is only half of the data.",
            shows="the sum of two means",
            draw=drawn,
        )
    if close(given, len(data) * wanted):
        raise NotYet(
            f"{given:g} belongs to the *sum* over all the numbers. A mean is the sum divided by "
            "how many there are.",
            shows="sum for mean",
            draw=drawn,
        )
    if close(given, last) or close(given, last / 2):
        raise NotYet(
            f"{given:g} comes from the second half alone. Has the first half walked back, and was "
            "what it left in `w.grad` cleared away?",
            shows="cleared in between",
            draw=drawn,
        )
    raise NotYet(
        f"For `w = {w.item():.4g}` and the data {numerals(data)}, `w.grad` is {given:g}; "
        f"{wanted.item():g} is wanted.",
        draw=drawn,
    )


micro = Exercise(
    id="11_micro",
    title="Micro-batches",
    prompt="""
The data do not fit into memory, so they go through in two halves, with one `backward()` each. What
is left in `w.grad` should be the gradient of the mean over *all* four numbers,
`((w * data) ** 2).mean()`. It is twice that. Mend it; there are still to be two halves.
""",
    starter=_MICRO.strip(),
    answers=("in_two_halves",),
    solutions=(
        _MICRO.replace(".mean()", ".mean() / 2"),
        _MICRO.replace(".mean()", ".sum() / len(data)"),
    ),
    hints=(
        "The gradients of the two halves are added. But a mean of four numbers is not the *sum* of "
        "two means.",
        "Let each half count for one half.",
    ),
    check=_micro,
    because="Each half contributes its share of the mean, and `backward()` adds them up.",
    wrong=(
        Wrong(
            _MICRO.replace("(w * half) ** 2", "w * half * w * half"), shows=("the sum of two means")
        ),
        Wrong(
            _MICRO.replace("        loss =", "        w.grad = None\n        loss ="),
            shows="cleared in between",
        ),
        Wrong(
            _MICRO.replace("        loss.backward()", "    loss.backward()"),
            shows="cleared in between",
        ),
        Wrong(_MICRO.replace(".mean()", ".sum()"), shows="sum for mean"),
        Wrong(
            "def in_two_halves(w, data):\n    ((w * data) ** 2).mean().backward()",
            shows="one walk",
        ),
    ),
)
