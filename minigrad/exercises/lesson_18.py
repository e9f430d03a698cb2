"""Lesson 18: second derivatives, Hessian-vector products, Newton steps and a gradient penalty."""

from collections.abc import Iterator
from typing import Any

from minigrad.exercises.attempt import Attempt
from minigrad.exercises.exercise import Exercise, Observation, Slip
from minigrad.exercises.predictions import Explanation, Prediction

QUESTIONS = (
    Prediction(
        "18_r1",
        "Lesson 17. f takes 3 numbers and returns 1. How many forward-mode passes give its whole "
        "gradient?",
        "3",
        {
            "1": "That's reverse mode, which does it in one pass because there is one *output*.",
            "2": "One pass tells you how f reacts to one input. How many inputs are there?",
            "3": "One pass per input.",
        },
    ),
    Prediction(
        "18_r2",
        "Lesson 15. Which call in the training loop puts numbers into .grad?",
        "backward()",
        {
            "zero_grad()": "It empties `.grad`.",
            "backward()": "`step()` reads `.grad`, and `zero_grad()` empties it.",
            "step()": "It reads `.grad` and moves the weights. Who wrote what it reads?",
        },
    ),
    Prediction(
        "18_r3",
        "Lesson 12. What is w.grad right after optimizer.zero_grad()?",
        "None",
        {
            "zeros": "The name says so. Print it once, and you'll see `None`.",
            "None": "The name says zero, but the default is `set_to_none=True`.",
            "what it was before": "Then the gradients of all iterations would add up.",
        },
    ),
    Prediction(
        "18_p1",
        "At 3, x³ has slope 27. How fast does that slope grow there?",
        "18",
        {
            "3": "The 3 in 3x² stays in front. But what's the slope of x²?",
            "6": "The slope of 3x² is 6x, and x is 3.",
            "18": "The slope is 3x², and the slope of *that* is 6x.",
            "27": "That's the slope. The question is how fast it changes.",
        },
    ),
    Prediction(
        "18_p2",
        "slope is a tensor, so it has a backward(). What does slope.backward() do?",
        "an error: slope has no graph",
        {
            "puts 18 into x.grad": "That needs a graph from `slope` to `x`. Is there one?",
            "puts 27 into x.grad": "27 is already in `slope`. Going back from there would give "
            "18, if there were a graph.",
            "an error: the graph was freed": "The values saved for `y` were freed, yes. But the "
            "message is about `slope`.",
            "an error: slope has no graph": "The engine computed it with recording off.",
        },
    ),
    Prediction(
        "18_p3",
        "The graph of y = x * x has 1 operation. How many does the graph of its slope have?",
        "3, two products and a sum",
        {
            "0, a slope is just a number": "Without create_graph=True, it would have no graph.",
            "1, the same multiplication": "The graph shows how the *slope* was computed, and that "
            "took other operations.",
            "2, one for each factor": "Two gradients arrive at `x`. What happens to them there?",
            "3, two products and a sum": "`1 * x`, `1 * x`, and the `+` between them.",
        },
    ),
    Prediction(
        "18_p4",
        "Cube passes gradcheck. Now y = Cube(x)², which is x⁶. Its curvature at 2 is 30 · 2⁴ = "
        "480. What does the engine say?",
        "another number, and no error",
        {
            "480": "gradcheck promises a right *slope*. What does the second pass know about "
            "`ctx.square`?",
            "another number, and no error": "`ctx.square` is a constant to the second pass.",
            "an error": "An error would be kinder. One path from the slope to `x` is there, and "
            "only the other one is missing.",
        },
    ),
    Prediction(
        "18_p5",
        "At 2, relu has slope 1. What's the slope of that slope?",
        "0",
        {
            "0": "relu is straight on either side of its corner.",
            "1": "1 is the slope. Does it change when you move x from 2 to 2.1?",
            "an error: the slope has no graph": "relu's backward is recorded, so there is a "
            "graph. What flows through it is another question.",
        },
    ),
    Prediction(
        "18_p6",
        "x³ at 3: slope 27, curvature 18. We call backward(create_graph=True), then "
        "x.grad.backward(). What's in x.grad?",
        "45",
        {
            "18": "Only if the second pass replaced what the first one left. What does backward() "
            "do with a .grad that's already there?",
            "27": "The second pass does arrive at x.",
            "45": "backward() adds: 27 + 18.",
            "an error": "create_graph=True was there, so x.grad has a graph.",
        },
    ),
    Prediction(
        "18_p7",
        "The third run starts at 0.5, between the hilltop at 0 and the minimum at 1.2247. Where "
        "does it end?",
        "on the hilltop, at 0",
        {
            "at 1.2247": "Downhill from 0.5, yes. But what's the sign of the curvature there, and "
            "what does dividing by it do to the step?",
            "at -1.2247": "It does jump to the other side, and then it comes back.",
            "on the hilltop, at 0": "Newton looks for slope 0, and a hilltop has that too.",
            "it never settles": "It settles after a few steps, at a place where the slope is 0.",
        },
    ),
    Explanation(
        "18_explain",
        "A colleague writes backward(create_graph=True) everywhere, 'to be on the safe side'. "
        "Tell them in a sentence or two what it costs and when they need it.",
        "It makes the engine record the backward pass as well, so that pass's graph and "
        "everything it saved stay in memory as long as the gradients in `.grad` do. You need it "
        "only when you're going to differentiate the gradient itself.",
        (
            "it records the backward pass",
            "that takes memory",
            "only for differentiating a gradient",
        ),
    ),
)


def _hvp(attempt: Attempt) -> Iterator[Observation]:
    hvp, torch, arrived = attempt.function("hvp"), attempt.torch, []

    def bent(x: Any) -> Any:
        x.register_hook(lambda gradient: arrived.append(gradient.shape))
        return (x[1:] * x[:-1] ** 2).sum() + (x**3).sum()

    drawn = attempt.drawn(4), attempt.drawn(4)
    fixed = [1.0, 2.0, 1.0, -1.0], [1.0, -1.0, -1.0, 2.0]
    for (values, v), where in ((fixed, "at [1, 2, 1, -1]"), (drawn, "at drawn numbers")):
        x = torch.tensor(values, dtype=torch.float64, requires_grad=True)
        arrived.clear()
        result = hvp(bent, x, torch.tensor(v, dtype=torch.float64))
        yield f"What `hvp` returns {where}", attempt.checked_tensor(result, "What `hvp` returns")
        yield f"The claim that it took few backward passes {where}", len(arrived) < 5
        yield f"`x.grad` afterward, {where},", x.grad


_HVP = "def hvp(f, x, v):\n    (gradient,) = torch.autograd.grad(f(x), x, create_graph=True)\n"

hvp = Exercise(
    id="18_hvp",
    title="Hessian times vector",
    prompt="""
**6 minutes.** Write `hvp(f, x, v)`. `f` takes a vector and returns one number, `x` is a leaf that
requires grad, and `v` is a vector of the same shape. Return $Hv$ as a tensor. Don't build $H$.
""",
    starter="def hvp(f, x, v):\n    ...",
    answers=("hvp",),
    solutions=(f"{_HVP}    (result,) = torch.autograd.grad(gradient @ v, x)\n    return result",),
    hints=(
        "The 1,000-input cell above does this once, without a function around it. Which lines of "
        "it are about H, and which about Hv?",
        "You need two derivatives, and `v` goes in between: weigh the entries of the gradient, "
        "*then* go back.",
        "The second call differentiates `gradient @ v`, which is a single number, with respect to "
        "`x`.",
    ),
    because=(
        "Two backward passes, however many inputs there are. The vector goes in between, so the "
        "rows are weighed before they're added."
    ),
    probe=_hvp,
    slips=(
        Slip(
            "A gradient can always be differentiated",
            "def hvp(f, x, v):\n    (gradient,) = torch.autograd.grad(f(x), x)\n"
            "    return torch.autograd.grad(gradient @ v, x)[0]",
            "The second derivative found nothing to go back through: *element 0 of tensors does "
            "not require grad*. Your gradient holds the right numbers, but it was computed with "
            "recording off, so it has no history. Which argument of the *first* "
            "`torch.autograd.grad` records the backward pass?",
        ),
        Slip(
            "The slope in direction v is already Hv",
            f"{_HVP}    return gradient @ v",
            "You return one number, -7. That's the gradient times `v`: how fast `f` grows in "
            "direction `v`. A Hessian-vector product is the *gradient of that number* with "
            "respect to `x`, so one more derivative is missing.",
        ),
        Slip(
            "v can be multiplied in at the end",
            f"{_HVP}    (result,) = torch.autograd.grad(gradient.sum(), x)\n    return result * v",
            "You multiply by `v` after the second backward pass. By then the rows of H are "
            "already added up, with equal weights, and `v` comes too late to weigh them. Where "
            "must `v` go in, so that each row gets its own weight before they are added?",
        ),
        Slip(
            "The result is a tensor, not a tuple",
            f"{_HVP}    return torch.autograd.grad(gradient @ v, x)",
            "You return a tuple with one tensor in it, because `torch.autograd.grad` gives one "
            "gradient per input you name. Take it out with `[0]`, or unpack it: `(result,) = ...`.",
        ),
        Slip(
            "It builds H after all",
            "def hvp(f, x, v):\n    return torch.autograd.functional.hessian(f, x) @ v",
            "Right, but it took 5 backward passes for 4 inputs: your answer builds the whole "
            "Hessian, one row per pass. For a million weights that's a million passes. `v` first, "
            "then one pass: can you get it down to two?",
            accepted=True,
        ),
        Slip(
            "It leaves something in `.grad`",
            f"{_HVP}    (gradient @ v).backward()\n    return x.grad.clone()",
            "Right, but your function leaves a gradient in `x.grad`, which the caller didn't ask "
            "for and will find added to the next one. `torch.autograd.grad` returns its result "
            "and stores nothing.",
            accepted=True,
        ),
    ),
)


def _newton(attempt: Attempt) -> Iterator[Observation]:
    step, torch = attempt.function("safe_newton_step", changes=True), attempt.torch
    losses = (lambda x: 3 * (x - 2) ** 2, lambda x: x**4 - 3 * x**2)
    (near,) = attempt.drawn(1)
    starts = (losses[0], 10.0), (losses[1], 0.5), (losses[1], 2.0), (losses[1], near)
    for number, (f, start) in enumerate(starts):
        x = torch.tensor(start, dtype=torch.float64, requires_grad=True)
        new = attempt.checked_tensor(step(f, x, 0.1), "What `safe_newton_step` returns")
        yield f"Run {number}: the new `x`, from {start:g},", new
        yield f"Run {number}: its `requires_grad`", new.requires_grad


_NEWTON = """\
def safe_newton_step(f, x, lr):
    (slope,) = torch.autograd.grad(f(x), x, create_graph=True)
    (curvature,) = torch.autograd.grad(slope, x)
"""

newton = Exercise(
    id="18_newton",
    title="A Newton step that looks first",
    prompt="""
**7 minutes.** Write `safe_newton_step(f, x, lr)` for a single number `x`. Where the curvature is
positive, take the Newton step. Everywhere else, take a plain gradient step, `lr * slope`. Return
the new `x`. The starter has a first line, and it isn't quite enough.
""",
    starter="def safe_newton_step(f, x, lr):\n    (slope,) = torch.autograd.grad(f(x), x)\n    ...",
    answers=("safe_newton_step",),
    solutions=(
        f"{_NEWTON}    if curvature > 0:\n        step = slope / curvature\n    else:\n"
        "        step = lr * slope\n    return (x - step).detach()",
    ),
    hints=(
        "`newton` above has every piece except the `if`. What does it do with the slope that your "
        "starter doesn't?",
        "Two derivatives, one after the other: the second one differentiates the first. Then look "
        "at the sign of the second before you divide by it.",
        "The first line needs `create_graph=True`. After it come `curvature`, an `if` on "
        "`curvature > 0`, and a `return`.",
    ),
    because=(
        "It takes a Newton step where the curve opens upward and a gradient step everywhere else. "
        "Either way it moves against the slope."
    ),
    probe=_newton,
    slips=(
        Slip(
            "A gradient can always be differentiated",
            "def safe_newton_step(f, x, lr):\n    (slope,) = torch.autograd.grad(f(x), x)\n"
            "    (curvature,) = torch.autograd.grad(slope, x)\n    return x - slope / curvature",
            "The second derivative stopped with *element 0 of tensors does not require grad*. It "
            "isn't `x` that's missing a graph. It's the `slope` from the line above: the engine "
            "computed it with recording off. That line is in the starter, and it needs one more "
            "argument.",
        ),
        Slip(
            "Curvature scales the step up",
            f"{_NEWTON}    return x - slope * curvature",
            "On the parabola from 10 you land at -278. You multiplied by the curvature. Think of "
            "the units: the slope is 48 and falls by 6 with each step of length 1, so how many of "
            "those steps until it's 0?",
        ),
        Slip(
            "Newton always goes downhill",
            f"{_NEWTON}    return (x - slope / curvature).detach()",
            "On the parabola you're right. On `x**4 - 3 * x**2` from 0.5 the curvature is -3, and "
            "you divided by it all the same: the step went *up* the slope, toward the hilltop at "
            "0. Check the sign of the curvature before you divide.",
        ),
        Slip(
            "The second `backward()` replaces the first",
            """
def safe_newton_step(f, x, lr):
    f(x).backward(create_graph=True)
    slope = x.grad.clone()
    x.grad.backward()
    curvature = x.grad
    step = slope / curvature if curvature > 0 else lr * slope
    return (x - step).detach()
""",
            "Your curvature is off by exactly the slope: 54 instead of 6. You let two "
            "`backward()` calls write into `x.grad`, and the second one *added* to the first: 48 "
            "+ 6. Use `torch.autograd.grad` for both derivatives, because it returns them and "
            "stores nothing.",
        ),
        Slip(
            "The result can keep its graph",
            f"{_NEWTON}    return x - (slope / curvature if curvature > 0 else lr * slope)",
            "Right, but your result still has its graph: `requires_grad` is True. If you "
            "use it in the next step, the graphs of all steps stay connected, and all of them stay "
            "in memory. Return `.detach()`, or compute the step under `torch.no_grad()`.",
            accepted=True,
        ),
    ),
)


def _penalty(attempt: Attempt) -> Iterator[Observation]:
    loss, torch = attempt.function("penalized_loss"), attempt.torch
    fixed = [[0.5, 1.0], [-1.0, 0.25], [2.0, -0.5]]
    drawn = attempt.drawn(3, 2), attempt.drawn(3), "for drawn data"
    for values, out, which in ((fixed, [-1.0, -0.65, -0.25], "for fixed data"), drawn):
        layers = torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1)
        net = torch.nn.Sequential(*layers).double()
        with torch.no_grad():
            for parameter in net.parameters():
                steps = torch.arange(parameter.numel(), dtype=torch.float64)
                parameter.copy_((0.3 * steps - 0.5).reshape(parameter.shape))
        x = torch.tensor(values, dtype=torch.float64)
        y = torch.tensor(out, dtype=torch.float64).reshape(3, 1)
        result = attempt.checked_tensor(loss(net, x, y, 0.5), "What `penalized_loss` returns")
        yield f"The loss {which}", result
        yield f"The weights' `.grad` {which}, before `loss.backward()`,", net[0].weight.grad
        yield f"`x.requires_grad` afterward, {which},", x.requires_grad
        attempt.run("`loss.backward()`", result.backward)
        for name, parameter in net.named_parameters():
            yield f"The gradient of `{name}` {which}", parameter.grad


_PENALTY = """\
def penalized_loss(net, x, y, strength):
    x = x.detach().requires_grad_()
    out = net(x)
"""

penalty = Exercise(
    id="18_penalty",
    title="Penalize the slope",
    prompt=r"""
**20 minutes.** Write `penalized_loss(net, x, y, strength)`. It returns

$$\text{mean squared error} \;+\; \text{strength} \cdot \frac1n \sum_{i=1}^{n} \left\lVert
\frac{\partial\, \text{net}(x_i)}{\partial x_i} \right\rVert^2$$

`x` has one row per example and may have several columns; it doesn't require grad. `net(x)` has one
output per row. The penalty must train the weights: their gradients after `loss.backward()` have
to include it. `check` looks at that, too.
""",
    starter="def penalized_loss(net, x, y, strength):\n    loss = ((net(x) - y) ** 2).mean()\n"
    "    ...\n    return loss",
    answers=("penalized_loss",),
    solutions=(
        f"{_PENALTY}    (slopes,) = torch.autograd.grad(out.sum(), x, create_graph=True)\n"
        "    penalty = (slopes**2).sum(dim=1).mean()\n"
        "    return ((out - y) ** 2).mean() + strength * penalty",
    ),
    hints=(
        "Three things have to happen: get the slopes of the output with respect to `x`, make one "
        "number out of them, add it. Which of them is new?",
        "Slopes with respect to `x` need an `x` that requires grad. And `loss.backward()` will "
        "differentiate those slopes, so they have to be recorded.",
        "`(slopes,) = torch.autograd.grad(net(x).sum(), x, ...)` with the argument this lesson is "
        "about. Then square, sum over dimension 1, and average.",
    ),
    because=(
        "The inner derivative is recorded and returned; the outer one is an ordinary "
        "`loss.backward()`. This is a gradient penalty."
    ),
    probe=_penalty,
    slips=(
        Slip(
            "Nothing needs to be kept for later",
            f"{_PENALTY}    (slopes,) = torch.autograd.grad(out.sum(), x)\n"
            "    return ((out - y) ** 2).mean() + strength * (slopes**2).sum(dim=1).mean()",
            "Your function ran, and then `loss.backward()` stopped: *Trying to backward through "
            "the graph a second time*. The penalty and the data loss share the graph of `net(x)`, "
            "and your `torch.autograd.grad` freed it. Careful: the message recommends "
            "`retain_graph=True`, and that would only silence it. Which flag keeps the graph "
            "*and* records the slopes?",
        ),
        Slip(
            "The error message knows the fix: `retain_graph=True`",
            f"{_PENALTY}    (slopes,) = torch.autograd.grad(out.sum(), x, retain_graph=True)\n"
            "    return ((out - y) ** 2).mean() + strength * (slopes**2).sum(dim=1).mean()",
            "The *number* is right: 0.3379. But its gradient is exactly that of the data loss, so "
            "the penalty trains nothing, and no error tells you. To `loss.backward()` your "
            "penalty is a constant. Either the slopes were computed with recording off, or "
            "`.item()` or `detach()` cut them off later. Print the slopes, then the penalty: "
            "where does the `grad_fn` get lost?",
        ),
        Slip(
            "Data can be differentiated as it is",
            "def penalized_loss(net, x, y, strength):\n    out = net(x)\n"
            "    (slopes,) = torch.autograd.grad(out.sum(), x, create_graph=True)\n"
            "    return ((out - y) ** 2).mean() + strength * (slopes**2).sum(dim=1).mean()",
            "You asked for the gradient with respect to `x`, but `x` is plain data: nothing was "
            "recorded for it. Make a version of it that requires grad, and run the network on "
            "*that*: `x.detach().requires_grad_()`.",
        ),
        Slip(
            "`backward()` fills `x.grad` and nothing else",
            f"{_PENALTY}    out.sum().backward(create_graph=True)\n"
            "    return ((out - y) ** 2).mean() + strength * (x.grad**2).sum(dim=1).mean()",
            "After your function ran, and before `loss.backward()` was called, the weights "
            "already had gradients in `.grad`. `out.sum().backward(create_graph=True)` fills "
            "`x.grad`, but also the `.grad` of every weight, and the real gradient will be added "
            "on top. `torch.autograd.grad(out.sum(), x, ...)` touches nothing but `x`.",
        ),
        Slip(
            "It changes the caller's data",
            "def penalized_loss(net, x, y, strength):\n    x.requires_grad_()\n    out = net(x)\n"
            "    (slopes,) = torch.autograd.grad(out.sum(), x, create_graph=True)\n"
            "    return ((out - y) ** 2).mean() + strength * (slopes**2).sum(dim=1).mean()",
            "Right, but you switched `requires_grad` on for the caller's own `x`. From now on, "
            "everything computed from that data is recorded, wherever recording is on. Work on "
            "`x.detach().requires_grad_()`: a new tensor on the same memory, with its own flag.",
            accepted=True,
        ),
    ),
)
