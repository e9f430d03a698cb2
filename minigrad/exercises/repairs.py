"""Lesson 19: three programs to be fixed."""

from collections.abc import Iterator
from typing import Any

from minigrad.exercises.attempt import Attempt, close
from minigrad.exercises.exercise import Exercise, Observation, Slip

# 1. A loss without a slope.


def _metric(attempt: Attempt) -> Iterator[Observation]:
    torch, loss_of = attempt.torch, attempt.function("loss_of")
    sizes = [abs(one) for one in attempt.drawn(4)]
    signs = [1, -1, 1, -1]
    targets = torch.tensor([1.0, 1.0, 0.0, 0.0])
    for logits in ([2.0, -1.0, 0.5, -3.0], [a * b for a, b in zip(sizes, signs, strict=True)]):
        x = torch.tensor(logits, requires_grad=True)
        loss = loss_of(x, targets)
        if attempt.is_number(loss):
            yield "what `loss_of` returns", "a plain number"
            continue
        loss = attempt.checked_tensor(loss, "What `loss_of` returns")
        yield "the shape of the loss", str(list(loss.shape))
        yield "`requires_grad` of the loss", loss.requires_grad
        if not loss.requires_grad:
            continue
        (slopes,) = attempt.run("`backward()`", lambda: torch.autograd.grad(loss.sum(), x))  # noqa: B023
        yield _DOWNHILL, _pushed(logits, (-torch.sign(slopes)).tolist())
        with torch.no_grad():
            falls = loss_of(x - 0.1 * slopes, targets).sum() < loss.sum()
        yield "whether the loss falls downhill", bool(falls)


def _pushed(logits: list[float], moves: list[float]) -> list[float]:
    """The moves. Where a logit is on its side of 0 already, staying is as good as going on."""
    wanted = [1.0, 1.0, -1.0, -1.0]
    if not any(moves):
        return moves
    three = zip(logits, moves, wanted, strict=True)
    return [want if not move and logit * want > 0 else move for logit, move, want in three]


_LOSS = "def loss_of(logits, targets):\n    "
_DOWNHILL = "downhill, the four logits move by (signs)"

metric = Exercise(
    id="19_metric",
    title="Fix it · Nothing to follow",
    prompt="""
**5 minutes.** This loss counts mistakes: a logit above 0 means *yes*. `backward()` raises *element
0 of tensors does not require grad*. Return another loss of the same `logits` and `targets` (0 or
1): one number that pushes each logit toward the right side of 0.
""",
    starter=f"{_LOSS}decisions = (logits > 0).float()\n"
    "    return (decisions != targets).float().mean()",
    answers=("loss_of",),
    solutions=(
        f"{_LOSS}return torch.nn.functional.binary_cross_entropy_with_logits(logits, targets)",
        f"{_LOSS}return ((torch.sigmoid(logits) - targets) ** 2).mean()",
        f"{_LOSS}return torch.relu(1 - (2 * targets - 1) * logits).mean()",
    ),
    hints=(
        "Nudge one logit a little. What happens to the *number of mistakes*?",
        "Something between 0 and 1 should come close to the targets, and it should change smoothly "
        "when a logit does.",
        "`torch.sigmoid(logits)` is smooth and lies between 0 and 1. Or look for a loss in "
        "`torch.nn.functional` that has *logits* in its name.",
    ),
    because="Count mistakes to report them. To learn, follow something smooth.",
    probe=_metric,
    slips=(
        Slip(
            "A rounded number still has a slope",
            f"{_LOSS}return (torch.sigmoid(logits).round() - targets).abs().mean()",
            "There's a graph now, and every slope in it is 0. `round()` is a staircase, as `>` is: "
            "nudge a logit, and nothing changes. What happens if you leave it out?",
            when=lambda seen: seen[_DOWNHILL] == [0, 0, 0, 0],
        ),
        Slip(
            "A loss is a Python number",
            f"{_LOSS}return ((torch.sigmoid(logits) - targets) ** 2).mean().item()",
            "You returned a plain number. `.item()` took it out of the tensor and left the graph "
            "behind, so there's nothing to call `backward()` on. Return the tensor.",
            16,
            when=lambda seen: seen["what `loss_of` returns"] == "a plain number",
        ),
        Slip(
            "requires_grad can be switched on afterward",
            f"{_LOSS}loss = ((logits > 0).float() != targets).float().mean()\n"
            "    return loss.requires_grad_()",
            "No error anymore, and nothing arrives at the logits: your loss is a leaf. Its graph "
            "ended at the comparison, and a flag doesn't bring that back. What could you compute "
            "instead of a comparison?",
            8,
            when=lambda seen: "not have been used" in seen["error"],
        ),
        Slip(
            "A logit should be close to its target",
            f"{_LOSS}return ((logits - targets) ** 2).mean()",
            "This loss has slopes, but they lead to another place: it pulls each logit toward 1 or "
            "toward 0. And 0 is where *yes* begins. What can you compute from a logit that should "
            "come close to its target?",
            when=lambda seen: seen[_DOWNHILL] == [-1, 1, -1, 1],
        ),
        Slip(
            "A loss may have several elements",
            f"{_LOSS}return (torch.sigmoid(logits) - targets) ** 2",
            "The slopes are right, but you returned four losses, and `backward()` starts from one "
            "number. Make one of them.",
            4,
        ),
    ),
)


# 2. Written over.


def _soften(attempt: Attempt) -> Iterator[Observation]:
    torch, soften = attempt.torch, attempt.function("soften")
    arriving = torch.tensor([1.0, 10.0, 100.0])
    for values in ([0.0, 1.0, 2.0], attempt.drawn(3)):
        x = torch.tensor(values, requires_grad=True)
        y = attempt.checked_tensor(soften(x), "What `soften` returns")
        yield f"`soften` of {values}", y
        yield "`requires_grad` of its result", y.requires_grad
        if y.requires_grad:
            right = torch.autograd.grad(torch.softmax(x, 0), x, arriving)[0]
            grad = attempt.run("`backward()`", lambda: torch.autograd.grad(y, x, arriving))[0]  # noqa: B023
            yield f"the gradient at {values}, if [1, 10, 100] arrives", grad
            lost = y.grad_fn.name() == "ExpBackward0" and not close(grad, right)
            yield "whether the result that `exp` saved was overwritten", lost


_SOFTEN = "def soften(x):\n    y = x.exp()\n    {}\n    return y"

in_place = Exercise(
    id="19_in_place",
    title="Fix it · Written over",
    prompt="""
**5 minutes.** `soften` turns numbers into shares that add up to 1. Its values are right, and
`backward()` raises an error. Fix it: same values, right gradients.
""",
    starter=_SOFTEN.format("y /= y.sum()"),
    answers=("soften",),
    solutions=("def soften(x):\n    y = x.exp()\n    return y / y.sum()",),
    hints=(
        "Which tensor does the message say was modified, and who had saved it?",
        "The node of `exp` saves its result. It may be used, and it mustn't be overwritten.",
        "The line with `/=`. How do you divide into a *new* tensor?",
    ),
    because="`exp` keeps its result for the backward pass. A new tensor leaves it alone.",
    probe=_soften,
    slips=(
        Slip(
            "In place under another name is fine",
            _SOFTEN.format("y.div_(y.sum())"),
            "The error is still there. `div_` writes into `y`, as `/=` does. Make a new tensor.",
            11,
            when=lambda seen: "inplace" in seen["error"],
        ),
        Slip(
            "The error was the problem",
            _SOFTEN.format("y.data /= y.data.sum()"),
            "The error is gone, and the gradient is off. `.data` let you change the numbers that "
            "`exp` saved without raising the version that would have warned you. A repair is done "
            "when the numbers are right, not as soon as the error is gone.",
            11,
        ),
        Slip(
            "What isn't recorded can't fail",
            _SOFTEN.format("y = y.detach()\n    y /= y.sum()"),
            "No error anymore, and no graph either: nothing gets back to `x`. `detach()` makes "
            "almost any message go away, and the gradient with it.",
            16,
            when=lambda seen: not seen["`requires_grad` of its result"],
        ),
        Slip(
            "The sum is only a number",
            _SOFTEN.format("y = y / y.sum().item()"),
            "The values are right, and the gradient is that of a division by a constant. But the "
            "sum depends on `x` as well. Where did it lose its graph?",
            16,
        ),
    ),
)


# 3. A weight that stays where it is.


def _freezes(attempt: Attempt) -> Iterator[Observation]:
    torch, freeze = attempt.torch, attempt.function("freeze", gives=False)
    for values in ([1.0, 2.0], attempt.drawn(2)):
        body = torch.tensor(values, requires_grad=True)
        head = torch.tensor([3.0, -1.0], requires_grad=True)
        optimizer = torch.optim.SGD([body, head], lr=0.1)
        (body * head).sum().backward()
        freeze([body])
        grad = None if body.grad is None else body.grad.tolist()
        yield f"`.grad` right after `freeze`, for {values}", "None" if grad is None else grad
        optimizer.step()
        yield f"the body {values} after a step", body.detach().clone()
        optimizer.zero_grad()
        attempt.run("`backward()`", (body * head).sum().backward)
        optimizer.step()
        yield f"the body {values} after one more iteration", body.detach().clone()
        yield f"the head after both, for {values}", head.detach().clone()


def _moved(seen: dict[str, Any], when: str) -> bool:
    """Whether the body that began at [1, 2] is somewhere else."""
    return not close(next(seen[what] for what in seen if when in what), [1.0, 2.0])


_FREEZE = """
def freeze(parameters):
    for parameter in parameters:
        parameter.requires_grad_(False)
        parameter.grad = None
"""

freeze = Exercise(
    id="19_freeze",
    title="Fix it · It moves anyway",
    prompt="""
**5 minutes.** `freeze` gets a list of parameters in the middle of a training run, after a
`backward()`. From the next step on, the optimizer should leave them alone. Right now they take one
more step.
""",
    starter="""
def freeze(parameters):
    for parameter in parameters:
        parameter.requires_grad_(False)
""",
    answers=("freeze",),
    solutions=(_FREEZE,),
    hints=(
        "Print `parameter.grad` right after `freeze`, before the step.",
        "There are two things to switch off: gradients that will arrive, and the one that has "
        "arrived.",
        "One more line in the loop. It gives `parameter.grad` the value that an optimizer skips.",
    ),
    because="No new gradient, and no old one. That's what frozen means to an optimizer.",
    probe=_freezes,
    slips=(
        Slip(
            "No gradient now means none later",
            _FREEZE.replace("        parameter.requires_grad_(False)\n", ""),
            "The next step leaves them alone. In the iteration after that, a new gradient arrives, "
            "and they move again. You removed the line that keeps new gradients out.",
            when=lambda seen: _moved(seen, "after one more") and not _moved(seen, "after a step"),
        ),
        Slip(
            "A frozen weight has no gradient",
            _FREEZE.replace("        parameter.grad = None\n", "        parameter.detach()\n"),
            "They still take one more step: the gradient from before is in `.grad`, and the "
            "optimizer uses it. Which value of `.grad` does an optimizer skip?",
            21,
            when=lambda seen: _moved(seen, "after a step"),
        ),
        Slip(
            "Zero is as good as None",
            _FREEZE.replace("parameter.grad = None", "parameter.grad.zero_()"),
            "Right for this optimizer, but zeros aren't `None`. With momentum or weight decay, a "
            "parameter with a gradient of zeros keeps moving (lesson 12). `None` is what every "
            "optimizer skips.",
            12,
            accepted=True,
        ),
    ),
)
