"""Lesson 19: broken programs, and experiments that show what's broken."""

from collections.abc import Iterator
from typing import Any

from minigrad.exercises.attempt import Attempt, close
from minigrad.exercises.exercise import Exercise, Observation, Slip
from minigrad.exercises.predictions import Explanation, Prediction

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
        "You need a value between 0 and 1 that can come close to the target, and that changes "
        "smoothly when the logit does.",
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
            "There's no error anymore, but no gradient reaches the logits, because your loss is a "
            "leaf. Its graph ended at the comparison, and a flag doesn't bring that back. What "
            "could you compute instead of a comparison?",
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
            "number. Combine them into one.",
            4,
        ),
    ),
)


# 2. A saved result that is overwritten.


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
    title="Fix it · Overwritten",
    prompt="""
**5 minutes.** `soften` turns numbers into shares that add up to 1. Its values are right, and
`backward()` raises an error. Fix it: same values, right gradients.
""",
    starter=_SOFTEN.format("y /= y.sum()"),
    answers=("soften",),
    solutions=("def soften(x):\n    y = x.exp()\n    return y / y.sum()",),
    hints=(
        "Which tensor does the message say was modified, and which node had saved it?",
        "The node of `exp` saves its result. You can use that tensor, but don't overwrite it.",
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
            "There's no error anymore, and no graph to `x` either. `detach()` makes "
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
        "Add one line to the loop. It gives `parameter.grad` the value that an optimizer skips.",
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


# 3. An experiment that exposes a wrong loss.


def _losses(torch: Any, seen: list[str]) -> list[Any]:
    def told(loss: Any) -> Any:
        def function(predictions: Any, targets: Any) -> Any:
            seen.append(f"{list(predictions.shape)} and {list(targets.shape)}")
            return loss(predictions, targets)

        return function

    losses = (
        lambda p, t: ((p - t) ** 2).mean(),
        lambda p, t: (p - t).abs().sum(),
        lambda p, t: ((t - p) ** 2).sum().sqrt(),
        lambda p, t: ((p.reshape(-1) - t.reshape(-1)) ** 2).mean(),
        lambda p, t: (p - t.reshape(p.shape)).abs().sum(),
        lambda p, t: (p[:, 0] - t.reshape(-1)).abs().max(),
    )
    return [told(loss) for loss in losses]


_SAID = "what `exposes` says of six losses, of which the first three are broken,"


def _exposed(attempt: Attempt) -> Iterator[Observation]:
    exposes = attempt.function("exposes")
    shapes: list[str] = []
    losses = _losses(attempt.torch, shapes)
    found = [False] * len(losses)
    for place in attempt.random.permutation(len(losses)):
        answer = exposes(losses[place], attempt.drawn(3))
        found[place] = bool(attempt.checked_number(float(bool(answer)), "What `exposes` returns"))
    yield _SAID, found
    if found != [True, True, True, False, False, False]:
        yield "the shapes that the losses got", shapes[0] if shapes else "none"


_EXPOSES = """
def exposes(loss_function, numbers):
    predictions = torch.tensor(numbers).unsqueeze(1)
    targets = torch.tensor(numbers)
    return loss_function(predictions, targets).item() > 1e-6
"""

expose = Exercise(
    id="19_expose",
    title="Write the experiment",
    prompt="""
**10 minutes.** Some loss functions mix up rows when predictions of shape [n, 1] meet targets of
shape [n]. You can't see their code. Write the experiment that exposes them.

`exposes(loss_function, numbers)` gets a function of predictions and targets, and a list of three
different numbers to use. It returns `True` if the loss function mixes up rows, and `False` if it
doesn't. Both kinds compute one number from the differences of predictions and targets.
""",
    starter="def exposes(loss_function, numbers):\n    ...",
    answers=("exposes",),
    solutions=(_EXPOSES,),
    hints=(
        "For which predictions and targets do you *know* what a right loss must be?",
        "When every prediction equals its target, a loss made from differences is 0. With rows "
        "mixed up, it isn't.",
        "Make `predictions` with `torch.tensor(numbers).unsqueeze(1)` and `targets` without the "
        "`unsqueeze`. Then compare the loss with 0.",
    ),
    because="A test needs an input for which you know the answer. Here it's predictions that equal "
    "their targets, because then a right loss is 0.",
    probe=_exposed,
    slips=(
        Slip(
            "The shapes don't matter for the test",
            _EXPOSES.replace("targets = torch.tensor(numbers)", "targets = predictions.clone()"),
            "Every loss passes your experiment, even the broken ones. Your predictions and targets "
            "have the same shape, and then nothing is stretched. In which shapes does the mistake "
            "happen?",
            20,
            when=lambda seen: (
                seen["the shapes that the losses got"].split(" and ")[0]
                == seen["the shapes that the losses got"].split(" and ")[-1]
            ),
        ),
        Slip(
            "Any numbers will do",
            _EXPOSES.replace("torch.tensor(numbers)", "torch.ones(3)"),
            "The shapes are right, and the broken losses pass. All your numbers are the same, so "
            "it doesn't show when row 1 is compared with row 2. Use the three that you get.",
            20,
        ),
        Slip(
            "A loss above 0 is broken",
            _EXPOSES.replace("targets = torch.tensor(numbers)", "targets = torch.zeros(3)"),
            "Your experiment calls every loss broken. Predictions that differ from their targets "
            "*should* have a loss. For which targets must it be 0?",
            when=lambda seen: all(seen[_SAID]),
        ),
    ),
)


# 4. Two bugs at once.


def _train(attempt: Attempt) -> Iterator[Observation]:
    torch, train = attempt.torch, attempt.function("train")
    labels = torch.tensor([0, 1, 2])
    for rows in ([[1.0, 0.5], [-1.0, 2.0], [0.3, -1.5]], attempt.drawn(3, 2)):
        weight = attempt.checked_tensor(train(torch.tensor(rows), labels), "What `train` returns")
        yield f"the weight for {rows}", weight
        yield "whether it's a leaf that requires grad", weight.is_leaf and weight.requires_grad


_TRAIN = """
def train(inputs, labels):
    weight = torch.zeros(2, 3, requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=0.5)
    total = 0.0
    for step in range(20):
        optimizer.zero_grad()
        shares = torch.softmax(inputs @ weight, dim=1)
        loss = torch.nn.functional.cross_entropy(shares, labels)
        total = total + loss
        total.backward()
        optimizer.step()
    return weight
"""
_ONE_LOSS = _TRAIN.replace("total + loss\n", "total + loss.item()\n").replace(
    "total.backward", "loss.backward"
)
_LOGITS = (
    "        shares = torch.softmax(inputs @ weight, dim=1)\n",
    "        shares = inputs @ weight\n",
)
_TRAINED = _ONE_LOSS.replace(*_LOGITS).replace("shares", "logits")

two = Exercise(
    id="19_two",
    title="Fix it · Two bugs at once",
    prompt="""
**20 minutes.** `train` is a classifier: two inputs, three classes, twenty steps. In the second
iteration it raises an error. That's the first bug. The second one never raises an error.

Fix both. Each step should use the gradient of its own iteration's loss. `total` was meant for a
report.
""",
    starter=_TRAIN,
    answers=("train",),
    solutions=(_TRAINED,),
    hints=(
        "First the error: which of the three questions is it? Then, when it runs, print the loss "
        "of one example that's certainly right.",
        "From which iterations does `total` hold a graph? And what does `cross_entropy` do with "
        "what it's given?",
        "`backward()` belongs to `loss`, and `total` needs only `loss.item()`. The line with "
        "`softmax` is the second one to look at.",
    ),
    because="One bug had a message, the other only a number that was off. You found both because "
    "you didn't stop when the error was gone.",
    probe=_train,
    slips=(
        Slip(
            "The message says what to do",
            _TRAIN.replace("total.backward()", "total.backward(retain_graph=True)"),
            "You took the message's advice, and now it says *modified by an inplace operation*. "
            "The graphs of earlier iterations are kept, and they saved a weight that the optimizer "
            "has changed since. Do you want the gradient of earlier losses at all?",
            3,
            when=lambda seen: "inplace" in seen["error"],
        ),
        Slip(
            "The error was the only bug",
            _ONE_LOSS,
            "The error is gone, and each step uses its own loss. But the weights hardly grow: "
            "`cross_entropy` gets probabilities and takes the softmax of them again. What "
            "does it want instead?",
        ),
        Slip(
            "The silent bug was the only one",
            _TRAIN.replace(*_LOGITS),
            "`cross_entropy` now gets logits, so the silent bug is fixed. The error is still "
            "there: `total` still contains the graph of the first iteration, which was freed. "
            "On which tensor should `backward()` be called?",
            3,
            when=lambda seen: "second time" in seen["error"],
        ),
        Slip(
            "Nothing to clear",
            _TRAINED.replace("        optimizer.zero_grad()\n", ""),
            "Both bugs are fixed, and there's a new one: you removed `zero_grad()`, so each step "
            "uses the sum of all gradients so far.",
            2,
        ),
    ),
)


QUESTIONS = (
    Prediction(
        "19_r1",
        "Lesson 18. slope prints as tensor(27.), without a grad_fn, and slope.backward() fails. "
        "Which flag was missing where slope was computed?",
        "create_graph=True",
        {
            "retain_graph=True": "It keeps what the forward pass saved. The backward pass still "
            "isn't recorded.",
            "create_graph=True": "It records the backward pass, so the slope gets a history.",
            "requires_grad=True": "A flag on a result doesn't give it a history.",
        },
    ),
    Prediction(
        "19_r2",
        "Lesson 16. A gradient is 0 · inf. What is it?",
        "nan",
        {
            "0": "In mathematics you might argue for it. Floating point says: not a number.",
            "inf": "0 times anything finite is 0, so neither factor wins.",
            "nan": "And from there it spreads to everything that's computed with it.",
        },
    ),
    Prediction(
        "19_r3",
        "Lesson 13. backward() of a rule that you wrote returns numbers of the right shape. What "
        "tells you whether they're right?",
        "gradcheck",
        {
            "that no error is raised": "A rule that returns the wrong numbers raises no error.",
            "that the loss falls": "It also falls for many wrong gradients.",
            "gradcheck": "It nudges the inputs and compares.",
        },
    ),
    Prediction(
        "19_p1",
        "The loss becomes nan in step 1. Where does the first nan come from?",
        "backward() in step 0",
        {
            "the distance in step 0": "It's 0 for one of the points, and 0 is a fine number.",
            "the loss in step 0": "It's 0.75. You can see it in the output.",
            "backward() in step 0": "The root has slope inf at 0, and it meets a 0 on the way.",
            "the loss in step 1": "It's the first one that you see. But it was computed from a "
            "center that was nan already.",
        },
    ),
    Prediction(
        "19_p2",
        "The next cell raises an error in its last line. Which line is to blame?",
        "y += 1",
        {
            "y = torch.sigmoid(x)": "It saved its result, as it should.",
            "z = y * 3": "A new tensor. It overwrites nothing.",
            "y += 1": "It overwrites the result that sigmoid saved.",
            "z.sum().backward()": "It only found out.",
        },
    ),
    Prediction(
        "19_p3",
        "w.grad should be [8, 12], and it's [2, 4]. Which entry of the table will show why?",
        "scaled is a leaf",
        {
            "the loss isn't a leaf": "It's a result, so it shouldn't be one.",
            "scaled is a leaf": "It was computed from w. With w in its history, it wouldn't be.",
            "data has no grad": "It's data, and doesn't require grad.",
            "w has version 1": "Nothing here was written in place.",
        },
    ),
    Prediction(
        "19_p4",
        "Predictions 1, 2, 3 in a column, targets 1, 2, 3 in a row. What's the mean squared error?",
        "1.3333",
        {
            "0": "It should be. Look at the shapes: [3, 1] minus [3].",
            "1.3333": "Nine differences, and only three of them are 0.",
            "12": "That's the sum of all squared differences. Look at how many there are.",
        },
    ),
    Prediction(
        "19_p5",
        "w is 1, its gradient is 2. We freeze w with requires_grad_(False), then call step() with "
        "lr = 0.1. What's w?",
        "0.8",
        {
            "1": "Freezing keeps new gradients out. What about the one that's there?",
            "0.8": "The optimizer uses whatever is in .grad.",
            "1.2": "A step goes down the slope, so it subtracts.",
        },
    ),
    Explanation(
        "19_own",
        "Bring your own. Take a program of yours that went wrong. Which of the three questions "
        "was it, and which single print showed the cause?",
        "Mine was question 1: the loss went down on one machine and not on another. Printing "
        "requires_grad for every parameter showed False for the whole body: a colleague's cell had "
        "frozen it, and I'd run that cell on one machine only.",
        ("names one of the three questions", "names one print", "says what it printed"),
    ),
)
