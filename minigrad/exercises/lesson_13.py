"""Lesson 13: write your own operation, and expose a wrong rule."""

from collections.abc import Iterator
from typing import Any

from minigrad.exercises.attempt import Attempt, close
from minigrad.exercises.exercise import Exercise, NotYet, Observation, Slip
from minigrad.exercises.predictions import Explanation, Prediction

QUESTIONS = (
    Prediction(
        "13_r1",
        "Lesson 12. A weight's .grad is None. What does optimizer.step() do with it?",
        "skips it",
        {
            "skips it": "Without a gradient there's no step, not even a step by momentum.",
            "moves it by 0 or by its momentum": "That's what it does with a gradient of zeros.",
            "raises an error": "Then you couldn't leave any weight out of the loss.",
        },
    ),
    Prediction(
        "13_r2",
        "Lesson 10. y = x.exp(), then y[0] = 0. What does y.sum().backward() do?",
        "raises an error: exp saved y",
        {
            "works: exp saved x": "The slope of exp is its result, so that's what it saves.",
            "raises an error: exp saved y": "The version counter notices.",
            "gives a wrong gradient, silently": "It would be wrong if the engine didn't compare "
            "versions.",
        },
    ),
    Prediction(
        "13_r3",
        "Lesson 07. h = 2 * w, with a leaf w. What's h.grad after backward()?",
        "None",
        {
            "None": "Only leaves keep their gradients, unless you call retain_grad().",
            "zeros": "A .grad that was never filled isn't zeros.",
            "the gradient of h": "It was computed, used and then dropped. Which call would have "
            "kept it?",
        },
    ),
    Prediction(
        "13_p1",
        "x is [1, 2, 3], and we call Cube.apply(x).sum().backward(). What's in x.grad?",
        "[3, 12, 27]",
        {
            "[1, 8, 27]": "Those are the values of x³.",
            "[3, 6, 9]": "That's 3x. What's the slope of x³?",
            "[3, 12, 27]": "It's 3x² at 1, 2 and 3, times the 1 that arrives from the sum.",
            "None: the engine has no rule for Cube": "You're about to give it one.",
        },
    ),
    Prediction(
        "13_p2",
        "forward computes x**3. Which operations will the graph of y show?",
        "CubeBackward",
        {
            "CubeBackward": "Recording is off while forward runs.",
            "PowBackward0": "Then your rule would never be used.",
            "PowBackward0 and CubeBackward": "Then x**3 would be differentiated twice: by the "
            "rule for pow and by yours.",
        },
    ),
    Prediction(
        "13_p3",
        "Exp and ShortExp both give the right gradient. With which of them is the result still in "
        "memory after del y?",
        "with ShortExp only",
        {
            "with neither": "Python frees what nothing refers to. What still refers to ShortExp's "
            "result?",
            "with ShortExp only": "The node refers to the result, and the result to its node.",
            "with Exp only": "save_for_backward avoids a cycle. Does a plain attribute?",
            "with both": "save_for_backward stores an output without the tie to its own node.",
        },
    ),
    Prediction(
        "13_p4",
        "x is [1, 2]. We find the gradient of Forgetful(x).sum(), then that of (10 * "
        "Forgetful(x)).sum(). Which of the two is wrong?",
        "the second",
        {
            "neither": "3x² is the slope of x³. What's the slope of 10x³?",
            "the first": "The gradient that arrives from sum() is 1, and 1 times 3x² is right.",
            "the second": "It should be ten times the first.",
            "both": "Which gradient arrives from sum() in the first case? Does it matter that the "
            "rule ignores it?",
        },
    ),
    Prediction(
        "13_p5",
        "The Jacobian of x³ is diagonal: 3 and 12. What does Forgetful's rule give instead?",
        "3 and 12 on the diagonal, and no zeros beside it",
        {
            "the same: its slopes are right": "gradcheck sends in one-hot vectors, which contain "
            "zeros. What does the rule do with a zero?",
            "3 and 12 on the diagonal, and no zeros beside it": "Whichever output you ask about, "
            "the rule returns the same.",
            "zeros everywhere": "It ignores grad, so it can't pass a zero on.",
            "a diagonal with other numbers": "The zeros come from multiplying by a grad of zero. "
            "Does this rule multiply by grad?",
        },
    ),
    Prediction(
        "13_p6",
        "The rule is grad * 2 * x**2. What will its Jacobian look like?",
        "diagonal, with 2 and 8",
        {
            "diagonal, with 2 and 8": "The zeros come from grad, and this rule uses it.",
            "diagonal, with 3 and 12": "That's the Jacobian from the nudges. The question is about "
            "the one from the rule.",
            "full, with 2 and 8": "A full Jacobian means that grad was ignored. Is it ignored "
            "here?",
        },
    ),
    Prediction(
        "13_p7",
        "When is the missing gradient noticed?",
        "at backward()",
        {
            "at Product.apply(a, b)": "apply runs only forward, and forward is fine.",
            "at backward()": "That's when your rule runs for the first time.",
            "never: b.grad stays None": "The engine counts the gradients that the rule returns.",
        },
    ),
    Prediction(
        "13_p8",
        "RoundThrough passes grad on unchanged. What does gradcheck say about it?",
        "an error: nudging finds 0, the rule says 1",
        {
            "True: the engine uses the rule": "The engine uses any rule you give it. gradcheck "
            "compares the rule with a nudge.",
            "an error: nudging finds 0, the rule says 1": "The rule isn't the derivative of "
            "rounding.",
            "an error: nudging finds 1, the rule says 0": "Nudge 0.3 by a millionth, then round. "
            "Does the result change?",
        },
    ),
    Explanation(
        "13_explain",
        "A colleague's own operation trains a network, and the loss goes down. They conclude that "
        "its backward rule is right. Tell them in two sentences why that doesn't follow, and what "
        "they should run.",
        "A loss often goes down with a wrong rule, too: a rule that's off by a factor just acts "
        "like another learning rate, and the engine checks only the number and the shapes of the "
        "gradients. Run gradcheck in float64, which compares the rule with nudges.",
        (
            "a wrong rule can still go downhill",
            "the engine believes every rule",
            "compare with nudges: gradcheck",
        ),
    ),
)


def _applied(
    attempt: Attempt, name: str, values: list[float], arriving: list[float], where: str
) -> Iterator[Observation]:
    """What the learner's operation computes and saves, and what its rule makes of `arriving`."""
    operation, torch = attempt[name], attempt.torch
    x, upstream = torch.tensor(values, requires_grad=True), torch.tensor(arriving)
    if torch.autograd.Function not in getattr(operation, "__mro__", ()):
        raise NotYet(f"`{name}` should be a class on `torch.autograd.Function`.")
    result = attempt.run(f"`{name}.apply`", lambda: operation.apply(x))
    y = attempt.checked_tensor(result, f"What `{name}.forward` returns")
    saved = y.grad_fn.saved_tensors
    kept = len(saved), any(close(one, y) for one in saved)
    yield f"The value of `{name}` {where}", y
    grad = torch.autograd.grad
    found = attempt.run(f"`{name}.backward`", lambda: grad(y, x, upstream, allow_unused=True)[0])
    yield f"The gradient that `{name}.backward` returns {where}", found
    yield f"The number of tensors that `{name}` saves {where}", kept[0]
    yield f"The claim that it saves its output {where}", kept[1]


def _tanh(attempt: Attempt) -> Iterator[Observation]:
    fixed = [-1.0, 0.5, 2.0], [1.0, 10.0, 100.0]
    yield from _applied(attempt, "Tanh", *fixed, "at -1, 0.5 and 2")
    yield from _applied(attempt, "Tanh", attempt.drawn(4), attempt.drawn(4), "at drawn numbers")


_TANH = """\
class Tanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        result = torch.tanh(x)
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, grad):
        (result,) = ctx.saved_tensors
"""

tanh = Exercise(
    id="13_tanh",
    title="Your own tanh",
    prompt=r"""
**6 minutes.** Write the hyperbolic tangent as an operation of your own. `forward` may call
`torch.tanh`. The slope is $1 - \tanh^2(x)$. Save what the rule needs, and nothing else.
""",
    starter="class Tanh(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n"
    "        ...\n\n    @staticmethod\n    def backward(ctx, grad):\n        ...",
    answers=("Tanh",),
    solutions=(f"{_TANH}        return grad * (1 - result**2)",),
    hints=(
        "`Cube` and `Exp` differ in what they save. Which of the two is closer to tanh?",
        "The formula of the slope contains tanh(x), and `forward` has computed that already. "
        "Multiply the gradient that arrives in `backward` by the slope.",
        "In `backward`, unpack `ctx.saved_tensors` as `Exp` does. The `return` has the form `grad "
        "* (...)`.",
    ),
    because=(
        "The slope can be computed from the output, so you save that, and tanh is computed "
        "only once."
    ),
    probe=_tanh,
    slips=(
        Slip(
            "The rule is the local slope",
            f"{_TANH}        return 1 - result**2",
            "Your rule returns the local slope and ignores `grad`. With `Tanh.apply(x).sum()` you "
            "wouldn't notice, because the gradient that arrives is 1. Try `(10 * "
            "Tanh.apply(x)).sum()`: how steep should that be, and what does your rule say?",
        ),
        Slip(
            "The x in the formula is the input",
            """
class Tanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.tanh(x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * (1 - x**2)
""",
            "Your rule has the right form, with the *input* squared: at 2 it gives 1 - 4 = -3, "
            "and tanh never falls. The formula squares tanh(x). Which tensor holds that?",
        ),
        Slip(
            "`grad * 1 - result**2` needs no parentheses",
            f"{_TANH}        return grad * 1 - result**2",
            "Python multiplies before it subtracts, so your rule computes `(grad * 1) - "
            "result**2`. If `grad` is 1, that makes no difference. If it's 10, it does. Where do "
            "the parentheses go?",
        ),
        Slip(
            "It computes tanh a second time",
            """
class Tanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.tanh(x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * (1 - torch.tanh(x) ** 2)
""",
            "Right, but you saved the input, so `backward` has to compute tanh all over again. "
            "`forward` has it already. Save the result instead, as `Exp` does.",
            accepted=True,
        ),
        Slip(
            "It saves the input as well",
            """
class Tanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        result = torch.tanh(x)
        ctx.save_for_backward(x, result)
        return result

    @staticmethod
    def backward(ctx, grad):
        _, result = ctx.saved_tensors
        return grad * (1 - result**2)
""",
            "Right, but you save two tensors, and the rule uses one of them. The other stays in "
            "memory until the backward pass. Leave it out.",
            accepted=True,
        ),
        Slip(
            "The result is on `ctx`",
            "class Tanh(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n"
            "        ctx.result = torch.tanh(x)\n        return ctx.result\n\n    @staticmethod\n"
            "    def backward(ctx, grad):\n        return grad * (1 - ctx.result**2)",
            "Right, but you didn't use `save_for_backward`. That makes the same reference cycle "
            "as in `ShortExp`, and if `y` is changed in place, there's no error.",
            accepted=True,
        ),
    ),
)


def _cube(torch: Any, rule: Any) -> Any:
    class Operation(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return rule(grad, *ctx.saved_tensors)

    return Operation.apply


def _exposes(attempt: Attempt) -> Iterator[Observation]:
    exposes = attempt.function("exposes")
    (factor,) = attempt.drawn(1)
    rules = {
        "a right rule": lambda grad, x: grad * 3 * x**2,
        "`Forgetful`": lambda grad, x: 3 * x**2,
        "a rule that's off by a factor": lambda grad, x: grad * factor * x**2,
        "a rule that mixes up the elements": lambda grad, x: (grad * 3 * x**2).flip(0),
        "another right rule": lambda grad, x: 3 * x * grad * x,
    }
    for index in attempt.random.permutation(len(rules)):
        name, rule = list(rules.items())[index]
        x = attempt.torch.tensor(attempt.drawn(4), dtype=attempt.torch.float64)
        yield f"What `exposes` says about {name}", exposes(_cube(attempt.torch, rule), x)


_EXPOSES = """\
def exposes(f, x):
    x = x.clone().requires_grad_()
    upstream = 10 * torch.ones_like(x)
    (claimed,) = torch.autograd.grad(f(x), x, upstream)
    with torch.no_grad():
        nudged = (f(x + 1e-4) - f(x - 1e-4)) / 2e-4
"""

exposes = Exercise(
    id="13_exposes",
    title="Write the experiment that exposes a wrong rule",
    prompt="""
**20 minutes.** Write `exposes(f, x)`. `f` is an element-by-element operation such as `Cube.apply`,
and `x` is a float64 vector that doesn't require grad. Return `True` if the backward rule of `f` is
wrong at `x`, and `False` if it's right. You have two ways to find a slope: `backward`, which uses
the rule, and the nudge of lesson 01, which doesn't use it.

`check` tries rules that are right, `Forgetful`, and rules that are wrong in other ways.
""",
    starter="def exposes(f, x):\n    ...",
    answers=("exposes",),
    solutions=(f"{_EXPOSES}    return ((claimed - upstream * nudged).abs() > 1e-3).any().item()",),
    hints=(
        "In the cell above, `Forgetful` looked right in the first line and wrong in the second. "
        "What was different?",
        "Send in an upstream gradient other than 1. Then compare what the rule returns with that "
        "gradient times the nudged slope, element by element.",
        "`torch.autograd.grad(f(x), x, v)` takes the upstream gradient `v`. The nudged slope is "
        "`(f(x + 1e-4) - f(x - 1e-4)) / 2e-4`. Allow a small difference.",
    ),
    because=(
        "An upstream gradient that isn't 1, a nudge that knows nothing about the rule, and a "
        "comparison element by element. That's most of what `gradcheck` does."
    ),
    probe=_exposes,
    slips=(
        Slip(
            "A gradient of ones shows everything",
            """
def exposes(f, x):
    x = x.clone().requires_grad_()
    (claimed,) = torch.autograd.grad(f(x).sum(), x)
    with torch.no_grad():
        nudged = (f(x + 1e-4) - f(x - 1e-4)) / 2e-4
    return ((claimed - nudged).abs() > 1e-3).any().item()
""",
            "Your function says that `Forgetful` is right. In your experiment the rule always "
            "receives a gradient of 1, from `sum()` or from a vector of ones, and then a rule "
            "that ignores `grad` looks right. What could you send in instead?",
        ),
        Slip(
            "Ten times as much is the whole test",
            """
def exposes(f, x):
    x = x.clone().requires_grad_()
    (one,) = torch.autograd.grad(f(x).sum(), x)
    (ten,) = torch.autograd.grad((10 * f(x)).sum(), x)
    return ((ten - 10 * one).abs() > 1e-3).any().item()
""",
            "You caught `Forgetful`, but you missed a rule that returns a multiple of the right "
            "slope. That rule uses `grad`, so if you send in ten times as much, ten times as much "
            "comes out. You've only compared the rule with itself. Which slope doesn't come from "
            "the rule?",
        ),
        Slip(
            "Two right slopes are equal to the last digit",
            f"{_EXPOSES}    return (claimed != upstream * nudged).any().item()",
            "You call a right rule wrong. A nudged slope is rounded, and a nudge isn't infinitely "
            "small, so the two slopes agree only to a few digits. Compare with a tolerance, such "
            "as 1e-3.",
        ),
        Slip(
            "The slopes can be added up before comparing",
            f"{_EXPOSES}    return ((claimed - upstream * nudged).sum().abs() > 1e-3).item()",
            "You missed a rule that returns the right slopes in the wrong order. Their sum is the "
            "same. Compare element by element, and use `any()`.",
        ),
    ),
)


def _softplus(attempt: Attempt) -> Iterator[Observation]:
    fixed = [-1000.0, -1.0, 0.0, 2.0, 1000.0], [1.0, 10.0, 100.0, 1.0, 10.0]
    drawn = attempt.drawn(4), attempt.drawn(4), "at drawn numbers"
    for case in ((*fixed, "at -1000, -1, 0, 2 and 1000"), drawn):
        value, gradient, *_ = _applied(attempt, "Softplus", *case)
        yield value
        yield gradient


_SOFTPLUS = """\
class Softplus(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.clamp(x, min=0) + torch.log1p(torch.exp(-x.abs()))

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
"""

softplus = Exercise(
    id="13_softplus",
    title="A softplus that survives 1000",
    prompt=r"""
**8 minutes.** Write `Softplus` so that both its value and its slope are right from -1000 to 1000.
For the value, use $\max(x, 0) + \ln(1 + e^{-|x|})$, which never has a large exponent.
""",
    starter="class Softplus(torch.autograd.Function):\n    @staticmethod\n"
    "    def forward(ctx, x):\n        ...\n\n    @staticmethod\n"
    "    def backward(ctx, grad):\n        ...",
    answers=("Softplus",),
    solutions=(f"{_SOFTPLUS}        return grad * torch.sigmoid(x)",),
    hints=(
        "The formula for the value is in the task. The slope is in the last line of the cell "
        "above.",
        "`forward` isn't recorded, so it may use any formula. `backward` needs only the input, "
        "because the slope is a function that you know by name.",
        "`torch.clamp(x, min=0)` is max(x, 0). The rule is `grad` times one call of a function "
        "that you know.",
    ),
    because=(
        "`forward` computes the value with one formula and `backward` computes the slope with "
        "another. Both are safe, and they belong to the same function."
    ),
    probe=_softplus,
    slips=(
        Slip(
            "The rule is the local slope",
            f"{_SOFTPLUS}        return torch.sigmoid(x)",
            "The values are right, and your slope is right wherever the gradient that arrives is "
            "1. Your rule ignores `grad`, as `Forgetful` does. What should the rule do with it?",
        ),
        Slip(
            "The slope can be written with exp, too",
            f"{_SOFTPLUS}        return grad * torch.exp(x) / (1 + torch.exp(x))",
            "The values are right, but at 1000 your slope is `nan`. On paper your formula is the "
            "sigmoid, but in floats it's `inf / inf`. Which function computes the same without a "
            "large exponent?",
        ),
        Slip(
            "Only the slope needs care",
            """
class Softplus(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.log(1 + torch.exp(x))

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * torch.sigmoid(x)
""",
            "Your rule is right, but your value at 1000 is `inf`, and a loss of `inf` ruins the "
            "training as well. The task has a formula for the value without a large exponent.",
        ),
    ),
)
