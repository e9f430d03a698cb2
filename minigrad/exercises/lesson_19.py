"""Lesson 19: broken programs, to be repaired."""

from typing import Any

import numpy as np

from minigrad.exercises.attempt import Attempt, close, numerals
from minigrad.exercises.exercise import Exercise, NotYet, Wrong

_TURNS = 20
_RATE = 0.1


def _fit(attempt: Attempt) -> None:
    torch = attempt.torch
    # Far from the end after twenty steps, so that one more or less is seen.
    x, y = torch.tensor([0.2, 0.4, 0.6]), torch.tensor([0.4, 0.8, 1.2])
    fit, what = attempt.function("fit"), "What `fit` gives back"

    def descend(clear: bool, turns: int = _TURNS, rate: float = _RATE) -> float:
        w = total = 0.0
        for _ in range(turns):
            slope = (2 * (w * x - y) * x).mean().item()
            total = slope if clear else total + slope
            w -= rate * total
        return w

    given = fit(x, y)
    weight = attempt.checked_number(given, what)
    if close(weight, descend(clear=True)):
        if getattr(given, "grad_fn", None) is not None:
            raise NotYet(
                "The number is right. But `w` is a result, and hangs on the `w` of the turn "
                "before: each walk back goes through all turns, and the graph grows and grows.",
                shows=7,
                draw={"w": given},
            )
        x, y = torch.tensor(attempt.drawn(3)) / 5, torch.tensor(attempt.drawn(3))
        weight = attempt.checked_number(fit(x, y), what)
        tried = f"`x` {numerals(x)} and `y` {numerals(y)}"
        attempt.confirm("`fit` gives back", weight, descend(clear=True), tried)
        return
    if close(weight, descend(clear=False)):
        raise NotYet(
            "It runs, and the steps are made with the sum of all gradients so far.", shows=2
        )
    if weight == 0:
        raise NotYet("The weight did not move at all.", shows=13)
    said = f"For `x` {numerals(x)} and `y` {numerals(y)} the weight comes out as {weight:.4g}. "
    for turns in range(1, 2 * _TURNS):
        if close(weight, descend(clear=True, turns=turns)):
            steps = "one step leads" if turns == 1 else f"{turns} steps lead"
            raise NotYet(
                f"{said}That is where {steps}, and not {_TURNS}. How often is the loop walked "
                "through, and where does `return` stand?",
                shows="other turns",
            )
    if close(weight, descend(clear=True, rate=-_RATE)):
        raise NotYet(f"{said}Each step goes uphill, *along* the gradient.", shows="uphill")
    if close(weight, ((descend(clear=True, turns=_TURNS - 1) * x - y) ** 2).mean()):
        raise NotYet(
            "The steps are right, but what comes back is the last *loss*.", shows="the loss"
        )
    raise NotYet(
        f"{said}{_TURNS} steps of {_RATE} times that turn's gradient lead to "
        f"{descend(clear=True):.4g}.",
        shows="another step",
    )


_FIT = f"""
def fit(x, y):
    w = torch.tensor(0.0, requires_grad=True)
    for turn in range({_TURNS}):
        loss = ((w * x - y) ** 2).mean()
        loss.backward()
        {{}}
    return w
"""

_FITTED = _FIT.format(
    f"with torch.no_grad():\n            w -= {_RATE} * w.grad\n        w.grad = None"
)

fit = Exercise(
    id="19_fit",
    title="Repair: the weight that was lost",
    prompt="""
`fit` looks for the slope of a line. In the second turn it stops with *unsupported operand type(s)
for \\*: 'float' and 'NoneType'*. Repair it: twenty steps, each made with its own turn's gradient.
""",
    starter=_FIT.format(f"w = w - {_RATE} * w.grad"),
    answers=("fit",),
    solutions=(
        _FITTED,
        _FIT.format(f"w = (w - {_RATE} * w.grad).detach()\n        w.requires_grad_()"),
    ),
    hints=(
        "After the first turn, is `w` still a leaf? Print `w.is_leaf`.",
        "Change the leaf itself, in place, under `no_grad()`. And then clear.",
    ),
    check=_fit,
    because="In each turn `w` is a leaf, and it begins the turn without a gradient.",
    wrong=(
        Wrong(_FIT.format(f"w -= {_RATE} * w.grad"), shows=6),
        Wrong(_FIT.format(f"with torch.no_grad():\n            w -= {_RATE} * w.grad"), shows=2),
        Wrong(_FIT.format("w.grad = None"), shows=13),
        Wrong(_FITTED.replace(f"range({_TURNS})", f"range({_TURNS - 1})"), shows="other turns"),
        Wrong(_FITTED.replace("    return", "        return"), shows="other turns"),
        Wrong(_FITTED.replace("-=", "+="), shows="uphill"),
        Wrong(_FITTED.replace("return w", "return loss"), shows="the loss"),
        Wrong(_FITTED.replace(f"{_RATE}", f"{_RATE / 10}"), shows="another step"),
        Wrong(_FIT.format(f"w = w - {_RATE} * w.grad\n        w.retain_grad()"), shows=7),
    ),
)


def _metric(attempt: Attempt) -> None:
    function = attempt.function("loss_of")
    _check_metric(attempt, function, [2.0, -1.0, 0.5, -3.0])
    sizes = np.abs(attempt.drawn(4))
    _check_metric(attempt, function, (sizes * [1, -1, 1, -1]).tolist())


def _check_metric(attempt: Attempt, function: Any, values: list[float]) -> None:
    torch = attempt.torch
    logits = torch.tensor(values, requires_grad=True)
    targets = torch.tensor([1.0, 1.0, 0.0, 0.0])
    given = function(logits, targets)
    if attempt.is_number(given):
        raise NotYet(
            "What comes back is a bare number, and `backward()` has nowhere to begin. Leave out "
            "the `.item()`.",
            shows=16,
        )
    loss = attempt.checked_tensor(given, "What `loss_of` gives back")
    if loss.numel() != 1:
        raise NotYet("A loss is one number: take the mean.", shows="no single number")
    if not loss.requires_grad:
        raise NotYet(
            "What comes back has no graph, so `backward()` has nowhere to begin. A decision "
            "(`>`, `argmax`, `round`) or a Python number (`item()`) on the way has cut it.",
            shows=16,
        )
    (gradient,) = attempt.run("`backward()`", lambda: torch.autograd.grad(loss.sum(), logits))
    if close(gradient, torch.zeros(4)):
        raise NotYet(
            "There is a graph, and its gradient is zero everywhere: a decision is flat, however "
            "it is written. Measure how *far* the logits are from where they should be.",
            shows="flat",
            draw={"loss": loss, "logits": logits},
        )
    with torch.no_grad():
        better, worse = (function(logits + step * gradient, targets) for step in (-0.1, 0.1))
    drawn = {"loss": loss, "logits": logits}
    if close(torch.sign(gradient), torch.sign(logits - targets)):
        raise NotYet(
            "This can be followed downhill, but to the wrong place: it brings each logit to its "
            "target, to 1 or to 0. And 0 is where *yes* begins. What is it that should come near "
            "to the targets: the logit, or something between 0 and 1 that is made of it?",
            shows="logits for shares",
            draw=drawn,
        )
    for logit, target, slope in zip(values, targets.tolist(), gradient.tolist(), strict=True):
        if slope * (0.5 - target) <= 0:
            moves = "lower" if slope > 0 else "higher" if slope < 0 else "nowhere"
            raise NotYet(
                f"For logits {numerals(logits)} and targets {numerals(targets)}, look at the logit "
                f"{logit:g}, whose target is {target:g}: downhill it goes {moves}. Where should "
                "it go?",
                shows="wrong way",
                draw=drawn,
            )
    if not better.item() < worse.item():
        raise NotYet(
            "The gradient points the right way, but the loss does not fall along it.",
            shows="wrong way",
            draw=drawn,
        )


_LOSS_OF = "def loss_of(logits, targets):\n    {}"

metric = Exercise(
    id="19_metric",
    title="Repair: nothing to follow",
    prompt="""
This loss counts mistakes: a logit above 0 means *yes*. `backward()` raises *element 0 of tensors
does not require grad*. Give back another loss of the same `logits` and `targets` (0 or 1), which
can be followed downhill.
""",
    starter=_LOSS_OF.format(
        "decisions = (logits > 0).float()\n    return (decisions != targets).float().mean()"
    ),
    answers=("loss_of",),
    solutions=(
        _LOSS_OF.format(
            "return torch.nn.functional.binary_cross_entropy_with_logits(logits, targets)"
        ),
        _LOSS_OF.format("return ((torch.sigmoid(logits) - targets) ** 2).mean()"),
    ),
    hints=(
        "Nudge a logit a little: how does the *number of mistakes* change?",
        "`torch.sigmoid(logits)` is a number between 0 and 1, and it has a slope.",
    ),
    check=_metric,
    because="Count mistakes to report them. To learn, follow something smooth.",
    wrong=(
        Wrong(
            _LOSS_OF.format("return (torch.sigmoid(logits).round() - targets).abs().mean()"),
            shows="flat",
        ),
        Wrong(
            _LOSS_OF.format(
                "wrong = ((logits > 0).float() != targets).float().mean().item()\n"
                "    return torch.tensor(wrong)"
            ),
            shows=16,
        ),
        Wrong(
            _LOSS_OF.format("return ((logits.detach() - targets) ** 2).mean()"),
            shows=16,
        ),
        Wrong(_LOSS_OF.format("return (logits - targets) ** 2"), shows="no single number"),
        Wrong(
            _LOSS_OF.format("return ((logits - targets) ** 2).mean()"), shows="logits for shares"
        ),
        Wrong(_LOSS_OF.format("return (logits - targets).abs().mean()"), shows="logits for shares"),
        Wrong(_LOSS_OF.format("return (logits - targets).mean()"), shows="wrong way"),
        Wrong(
            _LOSS_OF.format(
                "loss = ((torch.sigmoid(logits) - targets) ** 2).mean()\n    return loss.item()"
            ),
            shows=16,
        ),
        Wrong(
            _LOSS_OF.format("return (torch.sigmoid(logits) * targets).mean()"), shows="wrong way"
        ),
    ),
)


_ARRIVING = [1.0, 10.0, 100.0]


def _soften(attempt: Attempt) -> None:
    soften = attempt.function("soften")
    drawn, given, wanted = _softened(attempt, soften, [0.0, 1.0, 2.0])
    if not close(given, wanted):
        if drawn["y"].grad_fn.name() == "ExpBackward0":
            raise NotYet(
                "No error any more, and the wrong gradient. `y` is still what `exp` gave, with "
                "other numbers in it: the division was written past the record. `.data`, and "
                "whatever is under `no_grad()`, changes numbers, and the node does not learn of "
                "it.",
                shows=11,
                draw=drawn,
            )
        if close(given, drawn["y"] * attempt.torch.tensor(_ARRIVING)):
            raise NotYet(
                "No error any more, and the gradient is that of a division by a *constant*. The "
                "sum depends on `x` as well: has it become a bare number, or been detached?",
                shows=16,
                draw=drawn,
            )
        raise NotYet(
            f"No error any more, but the gradient of `x` is {numerals(given)}, and "
            f"{numerals(wanted)} is right.",
            shows="wrong gradient",
            draw=drawn,
        )
    values = attempt.drawn(3)
    drawn, given, wanted = _softened(attempt, soften, values)
    tried = f"`x = {values}` and [1, 10, 100] from above"
    attempt.confirm("the gradient of `x` is", given, wanted, tried, draw=drawn)


def _softened(attempt: Attempt, soften: Any, values: list[float]) -> tuple[Any, Any, Any]:
    """What is to be drawn; the gradient that comes back through `soften`, and the right one."""
    torch = attempt.torch
    x = torch.tensor(values, requires_grad=True)
    y = attempt.checked_tensor(soften(x), "What `soften` gives back")
    right = torch.softmax(x, 0)
    if not close(y, right):
        raise NotYet(
            f"The forward values have changed. For `x = {values}` they are {numerals(y)}, and "
            f"should be {numerals(right)}.",
            shows="wrong forward",
        )
    if not y.requires_grad:
        raise NotYet(
            "No error any more, and no graph either: nothing will come back to `x`.",
            shows=16,
        )
    upstream = torch.tensor(_ARRIVING)
    (wanted,) = torch.autograd.grad(right, x, upstream)
    (given,) = attempt.run("`backward()`", lambda: torch.autograd.grad(y, x, upstream))
    return {"y": y, "x": x}, given, wanted


_SOFTEN = "def soften(x):\n    y = x.exp()\n    {}\n    return y"

in_place = Exercise(
    id="19_in_place",
    title="Repair: written into",
    prompt="""
`soften` turns numbers into shares of 1. Its values are right, and `backward()` raises. Repair it:
same values, right gradients.
""",
    starter=_SOFTEN.format("y /= y.sum()"),
    answers=("soften",),
    solutions=(
        "def soften(x):\n    y = x.exp()\n    return y / y.sum()",
        _SOFTEN.format("y = y.clone()\n    y /= y.detach() * 0 + y.sum()"),
    ),
    hints=(
        "What does the node of `exp` keep for its rule: its input, or its result?",
        "`y /= …` writes over that result. `y = y / …` makes a new tensor.",
    ),
    check=_soften,
    because="`exp` keeps its result. It may be used, but not overwritten.",
    wrong=(
        Wrong(_SOFTEN.format("y.div_(y.sum())"), shows=11),
        Wrong(_SOFTEN.format("y.data /= y.data.sum()"), shows=11),
        Wrong(_SOFTEN.format("y = y.detach()\n    y /= y.sum()"), shows=16),
        Wrong(_SOFTEN.format("y = y / y.sum().item()"), shows=16),
        Wrong(_SOFTEN.format("y = y / y.detach().sum()"), shows=16),
        Wrong("def soften(x):\n    return x / x.sum()", shows="wrong forward"),
    ),
)


def _layer(torch: Any, *rows: list[float]) -> Any:
    """A linear layer with these weights and a bias of zeros."""
    layer = torch.nn.Linear(len(rows[0]), len(rows))
    with torch.no_grad():
        layer.weight.copy_(torch.tensor(rows))
        layer.bias.zero_()
    return layer


def _frozen(attempt: Attempt) -> None:
    torch, compute = attempt.torch, attempt.function("compute")
    body, head = _layer(torch, [1.0, 2.0], [3.0, -1.0]), _layer(torch, [1.0, -2.0])
    _check_frozen(attempt, compute, body, head, [0.5, -0.3])
    body, head = _layer(torch, *attempt.drawn(2, 2)), _layer(torch, attempt.drawn(2))
    _check_frozen(attempt, compute, body, head, [one / 10 for one in attempt.drawn(2)])


def _check_frozen(
    attempt: Attempt, compute: Any, body: Any, head: Any, values: list[float]
) -> None:
    torch = attempt.torch
    x = torch.tensor(values, requires_grad=True)
    wanted = torch.tanh(body(x))
    known = dict(
        zip("whx", torch.autograd.grad(head(wanted), (head.weight, wanted, x)), strict=True)
    )
    result = attempt.checked_tensor(compute(body, head, x), "What `compute` gives back")
    if not close(result, head(wanted)):
        raise NotYet(
            f"The result is no longer `head(tanh(body(x)))`: for `x` {numerals(x)}, and the "
            f"weights {numerals(body.weight)} and {numerals(head.weight)}, it is "
            f"{numerals(result)}, and not {numerals(head(wanted))}.",
            shows="wrong forward",
        )
    layers = {"body": body, "head": head}
    parameters = {f"{a}.{b}": one for a in layers for b, one in layers[a].named_parameters()}
    drawn = {"result": result, "x": x, **parameters}
    if not result.requires_grad:
        raise NotYet("Nothing is recorded at all, so the head cannot learn either.", shows=9)
    attempt.run("`backward()`", lambda: result.sum().backward())
    if head.weight.grad is None:
        raise NotYet("`head` does not get its gradient any more.", shows=9, draw=drawn)
    if not close(head.weight.grad, known["w"]):
        raise NotYet(
            f"The gradient of `head.weight` is {numerals(head.weight.grad)}, and "
            f"{numerals(known['w'])} is right.",
            draw=drawn,
        )
    if x.grad is None:
        raise NotYet(
            "The body is spared, and so is everything *before* it: no gradient reaches `x`. Cut "
            "off is the whole stretch. To be frozen are only the two leaves in it.",
            shows=9,
            draw=drawn,
        )
    for name, one in body.named_parameters():
        if one.grad is not None:
            raise NotYet(f"`body.{name}` still collects a gradient.", shows="not frozen")
    if not close(x.grad, known["x"]):
        raise NotYet(
            f"The gradient of `x` is {numerals(x.grad)}, and {numerals(known['x'])} is right.",
            draw=drawn,
        )


_COMPUTE = "def compute(body, head, x):\n    {}"

frozen = Exercise(
    id="19_frozen",
    title="Repair: cut too much",
    prompt="""
`body` is trained already: its parameters shall collect no gradients. `head` shall learn, and we
want `x.grad`, to see which input matters. Under `no_grad()` the body is spared, but `x.grad` stays
None. Repair `compute`; the result must be the same.
""",
    starter=_COMPUTE.format(
        "with torch.no_grad():\n        middle = torch.tanh(body(x))\n    return head(middle)"
    ),
    answers=("compute",),
    solutions=(
        _COMPUTE.format(
            "for parameter in body.parameters():\n"
            "        parameter.requires_grad_(False)\n"
            "    return head(torch.tanh(body(x)))"
        ),
        _COMPUTE.format(
            "weight, bias = body.weight.detach(), body.bias.detach()\n"
            "    return head(torch.tanh(x @ weight.T + bias))"
        ),
    ),
    hints=(
        "Three tools: one cuts a stretch of code, one cuts a single use of a value, one freezes "
        "a leaf. Which leaves are to be frozen here?",
        "`parameter.requires_grad_(False)` for each of `body.parameters()`. Gradients still pass "
        "by them on their way to `x`.",
    ),
    check=_frozen,
    because="A frozen leaf gets no gradient, but its neighbours do.",
    wrong=(
        Wrong(
            _COMPUTE.format("middle = torch.tanh(body(x)).detach()\n    return head(middle)"),
            shows=9,
        ),
        Wrong(_COMPUTE.format("return head(torch.tanh(body(x.detach())))"), shows=9),
        Wrong(
            _COMPUTE.format("with torch.no_grad():\n        return head(torch.tanh(body(x)))"),
            shows=9,
        ),
        Wrong(_COMPUTE.format("return head(torch.tanh(body(x)))"), shows="not frozen"),
        Wrong(
            _COMPUTE.format(
                "body.requires_grad_(False)\n    head.requires_grad_(False)\n"
                "    return head(torch.tanh(body(x)))"
            ),
            shows=9,
        ),
    ),
)
