"""Lesson 15: train a small net, and see when and why it stands still."""

import math
from itertools import pairwise
from typing import Any

from minigrad.exercises.attempt import Attempt, close, numerals
from minigrad.exercises.exercise import Exercise, NotYet, Wrong


def _data(torch: Any, seed: int = 1) -> tuple[Any, Any]:
    """Points (the lesson's, from 1), and whether each is inside; leaves random numbers alone."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        points = torch.rand(200, 2) * 2 - 1
    return points, (points.norm(dim=1) < 0.65).float().unsqueeze(1)


def _net(torch: Any, *sizes: int, seed: int = 0) -> Any:
    """Linear layers of these sizes, tanh between them, from that seed."""
    nn = torch.nn
    layers: list[Any] = []
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        for entering, leaving in pairwise(sizes):
            layers += [nn.Linear(entering, leaving), nn.Tanh()]
    return nn.Sequential(*layers[:-1])


def _loss(torch: Any, model: Any, inputs: Any, targets: Any) -> Any:
    return torch.nn.functional.binary_cross_entropy_with_logits(model(inputs), targets)


def _parameters(attempt: Attempt) -> None:
    given = attempt.number("parameter_count")
    model = _net(attempt.torch, 2, 16, 1)
    sizes = [math.prod(one.shape) for one in model.parameters()]
    weights = sum(math.prod(one.shape) for one in model.parameters() if one.ndim == 2)
    if close(given, sum(sizes)):
        return
    if close(given, weights):
        raise NotYet(
            f"`{given:g}` counts the weights. Each layer has a bias as well: one number for each "
            "of its outputs.",
            shows="biases forgotten",
        )
    if close(given, len(sizes)):
        raise NotYet(
            "That is how many *tensors* are trained. Asked for is how many numbers are in them.",
            shows="tensors for numbers",
        )
    raise NotYet(
        "Each layer has a weight of shape [outputs, inputs], and a bias of shape [outputs]. "
        "`Tanh` has nothing."
    )


parameters = Exercise(
    id="15_parameters",
    title="How many numbers are trained?",
    prompt="""
Two inputs, sixteen units, one output: how many single numbers will the optimizer move in `model`?
""",
    starter="parameter_count = ...",
    answers=("parameter_count",),
    solutions=(
        "parameter_count = 2 * 16 + 16 + 16 * 1 + 1",
        "nn = torch.nn\n"
        "net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))\n"
        "parameter_count = sum(one.numel() for one in net.parameters())",
    ),
    hints=(
        "The first layer multiplies each of 2 inputs by a number, for each of 16 units, and adds "
        "a bias to each unit.",
        "`model.parameters()` gives all of them; `numel()` says how many numbers are in one.",
    ),
    check=_parameters,
    because="32 weights and 16 biases in the first layer, 16 weights and 1 bias in the second.",
    wrong=(
        Wrong("parameter_count = 2 * 16 + 16 * 1", shows="biases forgotten"),
        Wrong("parameter_count = 4", shows="tensors for numbers"),
    ),
)


def _vanishing(attempt: Attempt) -> None:
    torch = attempt.torch
    function = attempt.function("least_moved")
    points, inside = _data(torch)
    others = [
        (steep, int(attempt.random.integers(1, 10**9)))
        for steep in attempt.random.choice([0, 2, 4], 5)
    ]
    for steep, seed in [(4, 0), (6, 0), *others]:
        model = _net(torch, 2, 8, 8, 8, 1, seed=seed)
        with torch.no_grad():
            model[steep].weight.mul_(10)
        loss = _loss(torch, model, points * 10, inside)
        drawn = {"loss": loss, **dict(model.named_parameters())}
        layers = [one for one in model if hasattr(one, "weight")]
        weights = [layer.weight for layer in layers]
        gradients = torch.autograd.grad(loss, weights, retain_graph=True)
        sizes = [one.norm().item() for one in gradients]
        wanted = sizes.index(min(sizes))
        norms = [one.norm().item() for one in weights]
        given = attempt.checked_number(function(model, loss), "What `least_moved` gives back")
        if given == wanted:
            continue
        if seed:
            tried = f"a net with gradients of the sizes {numerals(sizes)}, from first to last"
            attempt.confirm("`least_moved` gives back", given, wanted, tried, draw=drawn)
        if given == sizes.index(max(sizes)):
            raise NotYet(
                "That is the layer with the *largest* gradient.", shows="largest for smallest"
            )
        if not float(given).is_integer():
            raise NotYet(
                f"`least_moved` gives back {numerals(given)}. Is that the *size* of the gradient? "
                "Asked for is which layer it belongs to: 0, 1, and so on.",
                shows="size for place",
            )
        if given in (0, norms.index(min(norms))):
            raise NotYet(
                f"In one of the nets it is not layer {given:g}, counted from 0. Is it the "
                "*gradients*, by their `norm()`, that are compared? The size of a weight, or its "
                "place, does not decide.",
                shows="gradient not measured",
                draw=drawn,
            )
        raise NotYet(
            f"For one of the nets `least_moved` gives back {given:g}, and that is not the place of "
            "the smallest gradient. Count the weights alone, without the biases, and from 0: with "
            "four layers the last is 3.",
            shows="counted otherwise",
            draw=drawn,
        )


_LEAST_MOVED = "def least_moved(model, loss):\n    {}\n"
_WEIGHTS = "weights = [layer.weight for layer in model if hasattr(layer, 'weight')]\n    "
_SMALLEST = (
    "sizes = [weight{}.norm().item() for weight in weights]\n    return sizes.index({}(sizes))"
)

vanishing = Exercise(
    id="15_vanishing",
    title="Who stands still?",
    prompt="""
Write `least_moved(model, loss)`. It gets a net like those above and the loss computed from it. It
walks back, and gives back which linear layer has the smallest gradient in its weight (by `norm()`):
0 for the first one, 1 for the second, and so on. It is tried on nets that you have not seen.
""",
    starter="def least_moved(model, loss):\n    ...",
    answers=("least_moved",),
    solutions=(
        _LEAST_MOVED.format(f"loss.backward()\n    {_WEIGHTS}{_SMALLEST.format('.grad', 'min')}"),
        _LEAST_MOVED.format(
            f"{_WEIGHTS}gradients = torch.autograd.grad(loss, weights, retain_graph=True)\n"
            "    sizes = torch.stack([one.norm() for one in gradients])\n"
            "    return sizes.argmin().item()"
        ),
    ),
    hints=(
        "`gradient_sizes` above has all but the last step: the sizes, from first to last.",
        "For a list `sizes`, `sizes.index(min(sizes))` is the place of the smallest.",
    ),
    check=_vanishing,
    because="Often it is the first layer, but not always. Only measuring tells.",
    wrong=(
        Wrong(_LEAST_MOVED.format("return 0"), shows="gradient not measured"),
        Wrong(
            _LEAST_MOVED.format(
                f"loss.backward()\n    {_WEIGHTS}{_SMALLEST.format('.grad', 'max')}"
            ),
            shows="largest for smallest",
        ),
        Wrong(
            _LEAST_MOVED.format(
                "loss.backward()\n"
                "    sizes = [one.grad.norm() for one in model.parameters()]\n"
                "    return sizes.index(min(sizes))"
            ),
            shows="counted otherwise",
        ),
        Wrong(
            _LEAST_MOVED.format(
                f"loss.backward()\n    {_WEIGHTS}"
                "return min(weight.grad.norm() for weight in weights)"
            ),
            shows="size for place",
        ),
        Wrong(
            _LEAST_MOVED.format(f"{_WEIGHTS}{_SMALLEST.format('', 'min')}"),
            shows="gradient not measured",
        ),
    ),
)

_TURNS = 100
_GOAL = 0.25


def _tune(attempt: Attempt) -> None:
    torch = attempt.torch
    lr = attempt.number("learning_rate")
    if not lr > 0:
        raise NotYet(
            "A step downhill has a positive length. With 0 nothing moves, and with a negative "
            "number it goes uphill.",
            shows="not downhill",
        )
    points, inside = _data(torch)
    model = _net(torch, 2, 16, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    losses = []  # as the lesson's `loss_after` tells them: each before its own step
    for _ in range(_TURNS):
        optimizer.zero_grad()
        loss = _loss(torch, model, points, inside)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    last = losses[-1]
    if last < _GOAL:
        return
    if not last < losses[0]:
        raise NotYet(
            f"With {lr:g} the loss ends higher than it began: the steps jump over the valley.",
            shows="step too long",
        )
    if all(after < before for before, after in pairwise(losses)):
        raise NotYet(
            f"With {lr:g} the loss went down in every turn, and in turn {_TURNS} it is {last:.4f}. "
            "The steps are safe, and short.",
            shows="step too short",
        )
    raise NotYet(
        f"With {lr:g} the loss is {last:.4f} in turn {_TURNS}, and on the way it also went up: the "
        "steps jump about.",
        shows="step too long",
    )


tune = Exercise(
    id="15_tune",
    title="The length of the step",
    prompt=f"""
The net with sixteen units, plain SGD, {_TURNS} turns. Choose a learning rate that brings the loss
below {_GOAL}. Use `loss_after` to try some. By how much should a next guess differ from the last?
""",
    starter="learning_rate = ...",
    answers=("learning_rate",),
    solutions=("learning_rate = 3.0", "learning_rate = torch.tensor(2.0)"),
    hints=(
        "Try learning rates that differ by a factor, not by a little: 0.1, 1, 10.",
        "The best ones are a little longer than 1, and far below 100.",
    ),
    check=_tune,
    because="A few times longer than looks safe, and well below where it begins to jump about.",
    wrong=(
        Wrong("learning_rate = 0.01", shows="step too short"),
        Wrong("learning_rate = 0.5", shows="step too short"),
        Wrong("learning_rate = 1000.0", shows="step too long"),
        Wrong("learning_rate = -1.0", shows="not downhill"),
    ),
)

_LR = 0.1


def _turns(torch: Any, turn: Any, seed: int = 0) -> tuple[Any, list[Any]]:
    """A small net after three turns, and what each turn gave back."""
    points, inside = _data(torch, 1 + seed)
    model = _net(torch, 2, 4, 1, seed=seed)
    optimizer = torch.optim.SGD(model.parameters(), lr=_LR)
    given = [turn(model, optimizer, points, inside) for _ in range(3)]
    return model, given


def _loop(attempt: Attempt) -> None:
    torch = attempt.torch

    def turn(model: Any, optimizer: Any, inputs: Any, targets: Any) -> float:
        optimizer.zero_grad()
        return summing(model, optimizer, inputs, targets)

    def summing(model: Any, optimizer: Any, inputs: Any, targets: Any) -> float:
        loss = _loss(torch, model, inputs, targets)
        loss.backward()
        optimizer.step()
        return float(loss.item())

    answer = attempt.function("turn")
    right, losses = _turns(torch, turn)
    model, given = _turns(torch, answer)
    if _same(model, _net(torch, 2, 4, 1)):
        if all(one.grad is None for one in model.parameters()):
            raise NotYet(
                "The weights stand where they stood, and every `.grad` is None. A step without "
                "gradients moves nothing: are they cleared too early, or is there no `backward()`?",
                shows="no gradient at the step",
            )
        raise NotYet(
            "The weights stand where they stood. The gradients are there: `backward()` has written "
            "them, and that is all it does.",
            shows=13,
        )
    summed, _ = _turns(torch, summing)
    if _same(model, summed):
        raise NotYet(
            "The first turn is right. From then on each step is made with the sum of *all* "
            "gradients so far.",
            shows=2,
        )
    if not _same(model, right):
        raise NotYet(
            "The weights moved, but not as one step of each turn's gradient would move them. Is it "
            "the loss that is asked for, of `model(inputs)` and `targets`, and one `step()`?",
            shows="another step",
        )
    if any(hasattr(one, "grad_fn") and one.grad_fn is not None for one in given):
        raise NotYet(
            "The weights are right. But what `turn` gives back still hangs on to its graph, and a "
            "list of such losses keeps every turn's graph in memory. Give back a number.",
            shows="keeps the graph",
            draw={"loss": given[0], **dict(model.named_parameters())},
        )
    given = [attempt.checked_number(one, "What `turn` gives back") for one in given]
    if close(given[:-1], losses[1:], 1e-6):
        raise NotYet(
            "The weights are right. But what `turn` gives back is the loss *after* its step. "
            "Wanted is the one whose gradient it has used.",
            shows="loss after the step",
        )
    if not close(given, losses):
        raise NotYet(
            f"The weights are right. The losses of three turns are {numerals(losses)}, and `turn` "
            f"gives back {numerals(given)}.",
            shows="another loss",
        )
    seed = int(attempt.random.integers(1, 10**9))
    right, losses = _turns(torch, turn, seed)
    model, given = _turns(torch, answer, seed)
    given = [float(one) for one in given]
    tried = "another net, other points and three turns"
    attempt.confirm("the last layer's weights are", model[-1].weight, right[-1].weight, tried)
    attempt.confirm("`turn` gives back", given, losses, tried)


_TURN = "def turn(model, optimizer, inputs, targets):\n    {}\n"
_ENTROPY = "torch.nn.functional.binary_cross_entropy_with_logits(model(inputs), targets)"

loop = Exercise(
    id="15_loop",
    title="One turn of the loop",
    prompt="""
Write `turn(model, optimizer, inputs, targets)`: one turn of training with
`binary_cross_entropy_with_logits`. It moves the weights by one step of this turn's gradient, and
gives back the loss as a number.
""",
    starter="def turn(model, optimizer, inputs, targets):\n    ...",
    answers=("turn",),
    solutions=(
        _TURN.format(
            "optimizer.zero_grad()\n"
            f"    loss = {_ENTROPY}\n"
            "    loss.backward()\n"
            "    optimizer.step()\n"
            "    return loss.item()"
        ),
        _TURN.format(
            f"loss = {_ENTROPY}\n"
            "    loss.backward()\n"
            "    optimizer.step()\n"
            "    for parameter in model.parameters():\n"
            "        parameter.grad = None\n"
            "    return float(loss)"
        ),
    ),
    hints=(
        "Clear, forward, backward, step. Each of them once.",
        "`loss.item()` is the number without the graph.",
    ),
    check=_loop,
    because="Clear, forward, backward, step: nothing else is done to train any net.",
    wrong=(
        Wrong(
            _TURN.format(
                f"loss = {_ENTROPY}\n"
                "    loss.backward()\n"
                "    optimizer.step()\n"
                "    return loss.item()"
            ),
            shows=2,
        ),
        Wrong(
            _TURN.format(
                "optimizer.zero_grad()\n"
                f"    loss = {_ENTROPY}\n"
                "    loss.backward()\n"
                "    return loss.item()"
            ),
            shows=13,
        ),
        Wrong(
            _TURN.format(
                f"loss = {_ENTROPY}\n"
                "    loss.backward()\n"
                "    optimizer.zero_grad()\n"
                "    optimizer.step()\n"
                "    return loss.item()"
            ),
            shows="no gradient at the step",
        ),
        Wrong(
            _TURN.format(
                "optimizer.zero_grad()\n"
                f"    loss = {_ENTROPY}\n"
                "    loss.backward()\n"
                "    optimizer.step()\n"
                "    return loss"
            ),
            shows="keeps the graph",
        ),
        Wrong(
            _TURN.format(
                "optimizer.zero_grad()\n"
                f"    {_ENTROPY}.backward()\n"
                "    optimizer.step()\n"
                f"    return {_ENTROPY}.item()"
            ),
            shows="loss after the step",
        ),
        Wrong(
            _TURN.format(
                "optimizer.zero_grad()\n"
                f"    loss = {_ENTROPY}\n"
                "    loss.backward()\n"
                "    optimizer.step()\n"
                "    optimizer.step()\n"
                "    return loss.item()"
            ),
            shows="another step",
        ),
    ),
)


def _same(one: Any, other: Any) -> bool:
    """Whether two nets of the same shape have the same numbers."""
    pairs = zip(one.parameters(), other.parameters(), strict=True)
    return all(close(a, b, tolerance=1e-5) for a, b in pairs)
