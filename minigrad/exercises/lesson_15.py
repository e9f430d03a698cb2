"""Lesson 15: accuracy over batches, units that do the same work, and a whole training loop."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from minigrad.exercises.attempt import Attempt
from minigrad.exercises.exercise import Exercise, Observation, Slip
from minigrad.exercises.predictions import Explanation, Prediction

QUESTIONS = (
    Prediction(
        "15_r1",
        "Lesson 14. a has shape [3, 1], b has shape [3]. What's the shape of a - b?",
        "[3, 3]",
        {
            "[3]": "That takes a.squeeze(1) first.",
            "[3, 1]": "That takes b.unsqueeze(1) first.",
            "[3, 3]": "They broadcast. So give targets the shape of the outputs: [200, 1] in this "
            "lesson.",
        },
    ),
    Prediction(
        "15_r2",
        "Lesson 12. SGD with momentum: in which case does step() leave a weight where it is?",
        ".grad is None",
        {
            ".grad is None": "Then the optimizer skips the weight.",
            ".grad is zeros": "The momentum of earlier iterations still moves it.",
            "both": "With zeros, the momentum of earlier iterations still moves it.",
        },
    ),
    Prediction(
        "15_r3",
        "Lesson 09. What does model.eval() do?",
        "changes what layers such as Dropout do",
        {
            "switches gradients off": "That's no_grad(). After eval(), operations are still "
            "recorded.",
            "freezes the weights": "That's requires_grad_(False).",
            "changes what layers such as Dropout do": "It does nothing else.",
        },
    ),
    Prediction(
        "15_p1",
        "The trained line gets 59.0% right. Is there a straight line that gets more?",
        "yes, clearly more",
        {
            "no, training found the best one": "It looked for the lowest loss. Is that the same?",
            "only a little, 59.5% at most": "A line can do better than always saying 'outside'.",
            "yes, clearly more": "There's one with 64.0%.",
        },
    ),
    Prediction(
        "15_p2",
        "We train two linear layers with 16 units between them. What share will they get right?",
        "about 59%, like one layer",
        {
            "about 59%, like one layer": "Together they're still one linear layer.",
            "more than 90%": "It has more numbers. Write both layers as formulas and multiply out.",
        },
    ),
    Prediction(
        "15_p3",
        "We train it for 2,000 iterations. What share of the points will it get right?",
        "about 99%",
        {
            "about 59%": "That's as far as linear layers get. Now there's something between them.",
            "about 75%": "That's what you'd get if its boundary had an open side.",
            "about 99%": "It puts a closed curve around the disc.",
        },
    ),
    Prediction(
        "15_p4",
        "It gets all 20 training points right. What share of 1,000 new points will it get right?",
        "about 75%",
        {
            "100%": "It has 65 parameters, so many boundaries fit 20 points. Which one did it "
            "find?",
            "about 99%": "That takes more than 20 training points.",
            "about 75%": "Its boundary fits the 20 points, not the disc.",
        },
    ),
    Prediction(
        "15_p5",
        "Which of the two has the lower loss after 100 epochs?",
        "batches of 20",
        {
            "all 200 at once": "Each of its gradients is exact. How many steps does it take?",
            "batches of 20": "It takes 1,000 steps, the other one 100.",
            "about the same": "Both see each point 100 times. But only step() moves a weight.",
        },
    ),
    Prediction(
        "15_p6",
        "In the first run, all incoming weights start at 0.5. What are they after training?",
        "four different rows",
        {
            "still four equal rows": "The units' values are equal. Are their gradients equal, too?",
            "four different rows": "Each unit's gradient comes through its own outgoing weight.",
        },
    ),
    Explanation(
        "15_explain",
        "A colleague says: 'My network gets all 50 examples right. It's done.' What do you ask?",
        "How does it do on held-out examples? With enough parameters, a network can fit its own 50 "
        "and learn little else: it overfits. So set some aside, and report the accuracy on those.",
        ("held-out examples", "fitting its own examples isn't enough", "overfitting"),
    ),
)


def _accuracy(attempt: Attempt) -> Iterator[Observation]:
    torch, answer, recorded = attempt.torch, attempt.function("accuracy"), []
    weight = torch.tensor(1.0, requires_grad=True)

    def model(inputs: Any) -> Any:
        recorded.append((inputs * weight).requires_grad)
        return inputs * weight

    def share(logits: list[float], inside: list[float], sizes: list[int]) -> Any:
        inputs, targets = (torch.tensor(one).unsqueeze(1).split(sizes) for one in (logits, inside))
        batches = list(zip(inputs, targets, strict=True))
        return attempt.checked_number(answer(model, batches), "What `accuracy` returns")

    five = share([2.0, -1.0, 0.3, 0.2, -0.4], [1.0, 0.0, 1.0, 1.0, 1.0], [4, 1])
    yield "for batches of 4 and 1, the share", five
    yield "the claim that the model runs with recording off", not any(recorded)
    for number in (1, 2, 3):
        inside = attempt.random.integers(0, 2, 11).astype(float).tolist()
        logits = [one / 4 for one in attempt.drawn(11)]
        yield f"in drawn test {number}, the share", share(logits, inside, [5, 5, 1])


_SHARE = """def accuracy(model, loader):
    right = count = 0
    with torch.no_grad():
        for points, inside in loader:
            right += ((model(points) > 0) == (inside > 0.5)).sum().item()
            count += len(points)
    return right / count"""

accuracy = Exercise(
    id="15_accuracy",
    title="Accuracy, batch by batch",
    prompt="""
**7 minutes.** Write `accuracy(model, loader)`. The loader yields pairs `points, inside`, as above,
and `model(points)` returns logits. Return the share of *all* points that the model classifies
correctly, as a number from 0 to 1. The last batch may be smaller than the others.
""",
    starter="def accuracy(model, loader):\n    ...",
    answers=("accuracy",),
    solutions=(_SHARE,),
    hints=(
        "`share_right` does this for a single batch. What has to be collected over several?",
        "Every point weighs the same, so count points, not batches.",
        "Inside the loop, add to two sums, `right += (...).sum().item()` and `count += ...`.",
    ),
    because="You count over all batches and divide once, so each point weighs the same.",
    probe=_accuracy,
    slips=(
        Slip(
            "The mean of means is the mean",
            _SHARE.replace("sum()", "float().mean()").replace("len(points)", "1"),
            "You average each batch, and then the averages. In batches of 4 and 1, the model gets "
            "four of five points right. That's 0.8, and you return 0.5: the single point in the "
            "last batch weighs as much as the other four. What could you add up instead?",
        ),
        Slip(
            "A logit is a probability",
            _SHARE.replace("> 0)", "> 0.5)"),
            "You compare the logits with 0.5, so a logit of 0.3 counts as *outside*. That's the "
            "threshold for a probability. Try `torch.sigmoid(torch.tensor(0.3))`: which logit "
            "belongs to the probability 0.5?",
        ),
        Slip(
            "Counting needs a graph",
            _SHARE.replace("no_grad", "enable_grad"),
            "Right, but your model runs with recording on, so each batch builds a graph that you "
            "never use. Put the loop under `with torch.no_grad():`.",
            accepted=True,
        ),
    ),
)


def _distinct(attempt: Attempt) -> Iterator[Observation]:
    torch, answer = attempt.torch, attempt.function("distinct_units")

    def units(rows: list[list[float]]) -> Any:
        first, second = torch.nn.Linear(2, len(rows)), torch.nn.Linear(len(rows), 1)
        numbers = torch.tensor(rows)
        with torch.no_grad():
            first.weight.copy_(numbers[:, :2])
            first.bias.copy_(numbers[:, 2])
            second.weight.copy_(numbers[:, 3:].t())
        return attempt.checked_number(answer(first, second), "What `distinct_units` returns")

    twins = [[1.0, 2.0, 0.5, out] for out in (1.0, 1.0, 2.0, 3.0)]
    yield "the count", units([*twins, [1.0, 2.0, -0.5, 1.0], [2.0, 1.0, 0.5, 1.0]])
    numbers = np.array(attempt.drawn(4))
    for size in (5, 7, 9):
        drawn = numbers * attempt.random.integers(1, 3, (size, 4))
        yield f"the count for {size} drawn units", units(drawn.tolist())


_DISTINCT = """def distinct_units(first, second):
    columns = [first.weight, first.bias.unsqueeze(1), second.weight.t()]
    units = torch.cat(columns, dim=1).tolist()
    return len({tuple(unit) for unit in units})"""

distinct = Exercise(
    id="15_distinct",
    title="How many units are there really?",
    prompt="""
**8 minutes.** `first` and `second` are two `nn.Linear` layers with an activation function between
them. Write `distinct_units(first, second)`. It returns the number of hidden units, where units that
will stay equal during training count as one. Compare numbers exactly.
""",
    starter="def distinct_units(first, second):\n    ...",
    answers=("distinct_units",),
    solutions=(_DISTINCT,),
    hints=(
        "Print the shapes of the weights of `Linear(2, 4)` and `Linear(4, 1)`. Where is the 4?",
        "A unit has incoming weights, a bias and outgoing weights. Which of them must be equal?",
        "Unit `i` has the outgoing weights `second.weight[:, i]`. A `set` of tuples drops copies.",
    ),
    because="Gradients stay equal only if incoming weights, bias and outgoing weights all are.",
    probe=_distinct,
    slips=(
        Slip(
            "Equal rows stay equal",
            _DISTINCT.replace(", first.bias.unsqueeze(1), second.weight.t()", ""),
            "You counted 2 distinct units out of six. You compared the rows of `first.weight` and "
            "nothing else. In the lesson's first run all rows started equal, too, and they still "
            "separated. Through which number does a unit's gradient arrive?",
        ),
        Slip(
            "What goes out doesn't matter",
            _DISTINCT.replace(", second.weight.t()", ""),
            "You counted 3 distinct units out of six. It's true that units with equal incoming "
            "weights and biases compute the same value. But the gradient comes back through the "
            "outgoing weights, the columns of `second.weight`. Are your units equal there, too?",
        ),
        Slip(
            "A bias doesn't matter",
            _DISTINCT.replace(" first.bias.unsqueeze(1),", ""),
            "You counted 4 distinct units out of six, and left out the bias. Units with different "
            "biases have their steps at different places, so their gradients differ. Where in "
            "`first` is the bias?",
        ),
    ),
)


def _loop(attempt: Attempt) -> Iterator[Observation]:
    torch, answer = attempt.torch, attempt.function("fit", changes=True)

    def trained(what: str, start: list[float], epochs: int, rate: float) -> Iterator[Observation]:
        model = torch.nn.Linear(2, 1)
        with torch.no_grad():
            model.weight.copy_(torch.tensor([start[:2]]))
            model.bias.copy_(torch.tensor([start[2]]))
        inputs = torch.tensor([[1.0, 0.5], [0.8, -0.4], [-0.7, 0.9], [-1.0, -0.2], [0.9, 0.1]])
        targets = torch.tensor([[1.0], [1.0], [0.0], [0.0], [1.0]])
        held_out = inputs[:4] * 1.5, torch.tensor([[1.0], [0.0], [0.0], [0.0]])
        batches = list(zip(inputs.split(2), targets.split(2), strict=True))
        losses = answer(model, batches, held_out, epochs, rate)
        yield f"{what}, the weight", model.weight
        yield f"{what}, the bias", model.bias
        yield f"{what}, the list of losses", losses
        plain = isinstance(losses, list) and all(map(attempt.is_number, losses))
        yield f"{what}, the claim that the losses are a list of numbers", plain

    yield from trained("from weights of 0", [0.0, 0.0, 0.0], 8, 0.5)
    yield from trained("from drawn weights", [one / 5 for one in attempt.drawn(3)], 6, 0.4)


_CLEAR = "            optimizer.zero_grad()\n"
_STEP = "            optimizer.step()\n"
_COPY = "{name: value.clone() for name, value in model.state_dict().items()}"
_FIT = f"""def fit(model, loader, held_out, epochs, lr):
    loss_of = torch.nn.functional.binary_cross_entropy_with_logits
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    losses = []
    for epoch in range(epochs):
        for points, inside in loader:
{_CLEAR}            loss_of(model(points), inside).backward()
{_STEP}        with torch.no_grad():
            loss = loss_of(model(held_out[0]), held_out[1])
        losses.append(loss.item())
        if losses[-1] == min(losses):
            best = {_COPY}
    model.load_state_dict(best)
    return losses"""

loop = Exercise(
    id="15_loop",
    title="Train, and keep the best",
    prompt="""
**20 minutes.** Write `fit(model, loader, held_out, epochs, lr)`. It trains `model` with
`torch.optim.SGD` and `binary_cross_entropy_with_logits`, one step for each batch.

After each epoch it computes the loss on `held_out`, a pair `(points, inside)`. It returns these
losses as a list of numbers, one for each epoch. When it's done, the model has the weights from the
epoch with the lowest held-out loss.
""",
    starter="def fit(model, loader, held_out, epochs, lr):\n    ...\n    return losses",
    answers=("fit",),
    solutions=(_FIT,),
    hints=(
        "`train_in_batches` above has the two loops. What has to happen after the inner one?",
        "Compute the held-out loss. If it's the lowest so far, *copy* the weights.",
        "If `losses[-1] == min(losses)`, clone each value of `model.state_dict()`.",
    ),
    because="You take a step per batch, measure a loss per epoch, and copy the best weights.",
    probe=_loop,
    slips=(
        Slip(
            "A state_dict is a copy",
            _FIT.replace(_COPY, "model.state_dict()"),
            "Your losses are right, and the model ends with the weights of the *last* epoch. "
            "Either you never put the best ones back, or you kept `model.state_dict()` itself. "
            "That dictionary shares its memory with the model, so each later step changes it, "
            "too. What makes a copy of a tensor?",
            misconception=10,
        ),
        Slip(
            "Each backward() starts at zero",
            _FIT.replace(_CLEAR, ""),
            "The first step is right. From the second batch on, each step uses the sum of *all* "
            "gradients so far. What has to happen between two calls of `backward()`?",
            misconception=2,
        ),
        Slip(
            "backward() moves the weights",
            _FIT.replace(_STEP, ""),
            "Your weights end where they started. Either you never took a step, or you cleared the "
            "gradients before it. Which call moves the weights?",
            misconception=13,
        ),
        Slip(
            "A method is as good as what it returns",
            _FIT.replace("model.parameters()", "model.parameters"),
            "You handed the optimizer the method `parameters` itself. It wants what the method "
            "returns: the parameters. Which two characters call a method?",
            misconception=14,
        ),
        Slip(
            "A loss is a number",
            _FIT.replace("loss.item()", "loss"),
            "Right, but you return tensors. `.item()` takes the number out, and it's a good habit: "
            "a loss that was computed with recording on keeps its whole graph alive.",
            accepted=True,
        ),
    ),
)
