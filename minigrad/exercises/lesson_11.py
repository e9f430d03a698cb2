"""Lesson 11: the training loop by hand, and where its gradients may be cleared."""

from collections.abc import Iterator

from minigrad.exercises.attempt import Attempt
from minigrad.exercises.exercise import Exercise, NotYet, Observation, Slip
from minigrad.exercises.predictions import Explanation, Prediction

QUESTIONS = (
    Prediction(
        "11_r1",
        "Lesson 10. y = x.exp() saved y. You change y in place and call backward(). What happens?",
        "an error names its version",
        {
            "the gradient is silently wrong": "The version counter exists to prevent that.",
            "an error names its version": "The node saved version 0 and finds version 1.",
            "nothing, y was copied": "Saving makes no copy. It keeps the tensor itself.",
        },
    ),
    Prediction(
        "11_r2",
        "Lesson 08. What frees the values that a graph has saved?",
        "backward()",
        {
            "the forward pass": "That's what saves them.",
            "backward()": "Unless you pass retain_graph=True.",
            "clearing .grad": "A .grad belongs to a leaf. Saved values belong to the graph's "
            "nodes.",
        },
    ),
    Prediction(
        "11_r3",
        "Lesson 05. b = a + a; c = b + b. What is a.grad after c.backward()?",
        "4",
        {
            "1": "Two gradients arrive at each of a and b. What happens to them there?",
            "2": "That's what arrives at b. And b reaches a along two paths.",
            "4": "2 arrives at b, and two paths lead on to a.",
        },
    ),
    Prediction(
        "11_p1",
        "Every element of x is 1. What do the five rows of w.grad look like?",
        "all five are equal",
        {
            "all five are equal": "Row i is x[i] times the same three numbers.",
            "as different as the rows of w": "The slope of x[i] * w[i, j] doesn't depend on w.",
            "one row has numbers, four are 0": "Every row of w contributes to the outputs.",
        },
    ),
    Prediction(
        "11_p2",
        "From (2, 1), in which direction does a short step lower the loss the most?",
        "against the gradient",
        {
            "toward (0, 0)": "That's where you want to be in the end. But the bowl isn't round.",
            "against the gradient": "From here, that's the steepest way down.",
            "along the gradient": "That's the steepest way up.",
        },
    ),
    Prediction(
        "11_p3",
        "The last line is w -= 0.1 * w.grad, in place. What happens?",
        "it raises an error",
        {
            "w moves and stays a leaf": "That's what you want. But recording is on.",
            "w moves but is no longer a leaf": "Autograd won't let a leaf turn into a result.",
            "it raises an error": "A leaf that requires grad can't be changed while recording.",
        },
    ),
    Prediction(
        "11_p4",
        "0.02 works. What will the learning rates 0.2 and 0.25 do?",
        "0.2 learns faster, 0.25 explodes",
        {
            "both learn faster": "A longer step isn't always a better one.",
            "0.2 learns faster, 0.25 explodes": "The limit for this loss is between the two.",
            "both explode": "Ten times the step is still short enough here.",
        },
    ),
    Prediction(
        "11_p5",
        "You can clear before forward, backward or step, or at the end. Where does that fail?",
        "only before the step",
        {
            "only before the step": "There the gradient is cleared before the step uses it.",
            "everywhere but at the end": "Before forward or backward is early enough, too.",
            "nowhere, as long as you clear once": "Once is right. But which move reads .grad?",
        },
    ),
    Prediction(
        "11_p6",
        "total = total + loss in each iteration. What happens to the graph of total?",
        "it grows",
        {
            "it grows": "Each addition is recorded, and it keeps the graph of its loss alive.",
            "it stays as large as one loss": "backward() frees saved values, but the nodes stay.",
            "there is none, total is a number": "A number plus a tensor is a tensor.",
        },
    ),
    Explanation(
        "11_explain",
        "Why is the step written w -= lr * w.grad under no_grad(), and not w = w - lr * w.grad? "
        "Explain it in two sentences.",
        "w = w - lr * w.grad gives the name w to the result of a recorded subtraction, whose .grad "
        "stays None. In place and under no_grad(), the leaf itself moves and nothing is recorded.",
        ("w = w - … makes a new tensor", "a result keeps no .grad", "the step isn't recorded"),
    ),
)


def _step(attempt: Attempt) -> Iterator[Observation]:
    step = attempt.function("step", gives=False, changes=True)
    for start, lr in (([1.0, -2.0], 0.1), (attempt.drawn(2), abs(attempt.drawn()) / 10)):
        w = attempt.torch.tensor(start, requires_grad=True)
        (w * w).sum().backward()
        step(w, lr)
        yield f"the weight after a step from {start} with lr = {lr}", w
        yield "`w.requires_grad` afterward", w.requires_grad
        yield "the claim that the version counter saw the step", w._version > 0


_UNDER = "def step(w, lr):\n    with torch.no_grad():\n        "

step = Exercise(
    id="11_step",
    title="One step by hand",
    prompt="""
**5 minutes.** Make `step(w, lr)` move the weight `w` downhill by `lr` times its gradient. Right now
it raises an error. `w` must stay the same leaf and still require grad.
""",
    starter="def step(w, lr):\n    w -= lr * w.grad",
    answers=("step",),
    solutions=(
        f"{_UNDER}w -= lr * w.grad",
        "@torch.no_grad()\ndef step(w, lr):\n    w.sub_(w.grad, alpha=lr)",
    ),
    hints=(
        "The table in *Move the leaf itself* has four rows. Which one is the starter?",
        "The step isn't part of the loss. How do you switch recording off for a single line?",
        "Keep your line and indent it. What goes on the line that it's indented under?",
    ),
    because="In place, `w` stays the same leaf. Under `no_grad()`, the step isn't recorded.",
    probe=_step,
    slips=(
        Slip(
            "A new tensor is the old weight",
            "def step(w, lr):\n    w = w - lr * w.grad\n    return w",
            "You computed a new tensor, and inside your function the name `w` moved to it. The "
            "caller's weight hasn't moved. Change the leaf itself, in place.",
            misconception=7,
        ),
        Slip(
            "Without the flag it's allowed",
            "def step(w, lr):\n    w.requires_grad_(False)\n    w -= lr * w.grad",
            "The step is right. But the leaf's flag is off now, so the next `backward()` won't "
            "reach this weight. Which tool switches recording off and leaves the leaf alone?",
            misconception=9,
        ),
        Slip(
            "The gradient points where you want to go",
            f"{_UNDER}w += lr * w.grad",
            "From 1 and -2 you got to 1.2 and -2.4, farther from the minimum. You added the "
            "gradient, and it points uphill.",
        ),
        Slip(
            "`.data` is the way to change a weight",
            "def step(w, lr):\n    w.data -= lr * w.grad",
            "Right, but `.data` goes around the version counter, so it also hides changes that "
            "spoil a gradient (lesson 10). Write `w -= ...` under `torch.no_grad()` instead.",
            accepted=True,
        ),
    ),
)

_FIT = """def fit(iterations):
    inputs, targets = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 6.0])
    slope = torch.tensor(0.0, requires_grad=True)
    for _ in range(iterations):
        loss = ((slope * inputs - targets) ** 2).mean()
        loss.backward()
        slope.grad.zero_()
        with torch.no_grad():
            slope = slope - 0.1 * slope.grad
    return slope
"""
_CLEAR = "        slope.grad.zero_()\n"
_IN_PLACE = _FIT.replace("slope = slope -", "slope -=")
_FITTED = _IN_PLACE.replace(_CLEAR, "").replace("    return", f"{_CLEAR}    return")


def _fit(attempt: Attempt) -> Iterator[Observation]:
    fit = attempt.function("fit")
    for count in (1, 3, 30, *(4 + attempt.random.permutation(11)[:3]).tolist()):
        found = attempt.checked_number(fit(count), "What `fit` returns")
        yield f"the slope after {count} iterations", found


fitted = Exercise(
    id="11_fit",
    title="Two bugs, one message",
    prompt="""
**8 minutes.** This loop should find the slope 3. It raises an error in the second iteration. There
are *two* bugs, and the error comes from only one of them. Fix both. You're done when the numbers
are right, not when the error is gone.
""",
    starter=_FIT,
    answers=("fit",),
    solutions=(_FITTED,),
    hints=(
        "Call `fit(1)` and print what comes out, then `fit(2)`. Is the first step right already?",
        "Which tensor gets the name `slope`, and what's in `slope.grad` when the step reads it?",
        "The step should work in place. And one line clears a gradient that's still needed.",
    ),
    because="The leaf moves in place, and each gradient is used before it's cleared.",
    probe=_fit,
    slips=(
        Slip(
            "No error, no bug",
            _IN_PLACE,
            "The error is gone, and the slope is 0 after 30 iterations. The gradient is cleared "
            "between `backward()` and the step, so each step subtracts 0.1 times 0. Which of the "
            "other three places will you use?",
        ),
        Slip(
            "Clearing was the only bug",
            _FIT.replace(_CLEAR, "").replace("    return", f"{_CLEAR}    return"),
            "There's still an error. Under `no_grad()`, `slope - …` makes a tensor that doesn't "
            "require grad, and the name `slope` moves to it. Change the leaf in place instead.",
            misconception=7,
            when=lambda seen: "element 0" in str(seen.get("error")),
        ),
        Slip(
            "Clearing isn't needed",
            _IN_PLACE.replace(_CLEAR, ""),
            "The first step is right: 1.5. In the second, the gradient of the first is still in "
            "`slope.grad`, so the step uses the sum of both. Clear once per iteration.",
            misconception=2,
        ),
    ),
)

_TRAIN = """def train(x, y, lr, iterations):
    w = torch.zeros(x.shape[1], requires_grad=True)
    b = torch.zeros(1, requires_grad=True)
    losses = []
    for _ in range(iterations):
        z = x @ w + b
        loss = torch.nn.functional.binary_cross_entropy_with_logits(z, y)
        loss.backward()
        with torch.no_grad():
            w -= lr * w.grad
            b -= lr * b.grad
        w.grad = b.grad = None
        losses.append(loss.item())
    return w, b, losses
"""


def _train(attempt: Attempt) -> Iterator[Observation]:
    train, torch = attempt.function("train"), attempt.torch
    fixed = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [-1.0, -2.0]]
    for points, lr, iterations in ((fixed, 0.5, 3), (attempt.drawn(4, 2), 0.25, 5)):
        x, y = torch.tensor(points), torch.tensor([1.0, 0.0, 1.0, 0.0])
        found = train(x, y, lr, iterations)
        if not isinstance(found, tuple) or len(found) != 3:
            raise NotYet("`train` should return three things: `w, b, losses`.")
        w, b, losses = found
        yield "`w`", attempt.checked_tensor(w, "The first thing that `train` returns")
        yield "`b`", attempt.checked_tensor(b, "The second thing that `train` returns")
        yield "the list of losses", losses
        are_plain = all(type(one) is float for one in losses)
        yield "the claim that the losses are plain numbers", are_plain


train = Exercise(
    id="11_train",
    title="A classifier from scratch",
    prompt="""
**20 minutes.** Write `train(x, y, lr, iterations)`. `x` has a row for each point, and `y` has a 0
or a 1 for each point. The model is one layer with one output, `z = x @ w + b`. `w` has an element
for each column of `x`, and `b` has shape [1]. Both start as zeros. The loss is
`torch.nn.functional.binary_cross_entropy_with_logits(z, y)`.

Take `iterations` steps with learning rate `lr`, by hand, and return `w, b, losses`. `losses` is a
list of plain numbers: the loss of each iteration, before its step. (The field calls this model
**logistic regression**.)
""",
    starter="def train(x, y, lr, iterations):\n    ...",
    answers=("train",),
    solutions=(_TRAIN,),
    hints=(
        "`train(lr)` in this lesson has the same skeleton. Which of its lines change?",
        "Make two leaves before the loop. In the loop: forward, backward, step, clear, and keep a "
        "number.",
        "`torch.zeros(x.shape[1], requires_grad=True)` is one leaf. The step takes two lines.",
    ),
    because="It's the same loop as for the line. Only the forward computation is new.",
    probe=_train,
    slips=(
        Slip(
            "`backward()` starts from zero each time",
            _TRAIN.replace("        w.grad = b.grad = None\n", ""),
            "Your first step is right, but the second is too long. Its gradient was added to the "
            "first one, and the step used the sum. Which of the four moves is missing?",
            misconception=2,
        ),
        Slip(
            "The gradient is cleared just before the step",
            _TRAIN.replace(
                "        with", "        w.grad.zero_()\n        b.grad.zero_()\n        with"
            ),
            "After all iterations `w` is still 0. You clear between `backward()` and the step, so "
            "there's nothing left to step with. Clear in one of the other three places instead.",
        ),
        Slip(
            "Only w is a weight",
            _TRAIN.replace("            b -= lr * b.grad\n", ""),
            "`w` moves and `b` is still 0. `b` is a parameter, too. It has a gradient, so it "
            "needs a step as well.",
        ),
        Slip(
            "Logits have to be squashed first",
            _TRAIN.replace("x @ w + b", "torch.sigmoid(x @ w + b)"),
            "You applied a sigmoid to `z`, and then the loss applied another. *With logits* means "
            "that the loss includes the sigmoid, so pass it `x @ w + b` directly.",
        ),
        Slip(
            "A loss is a number",
            _TRAIN.replace("loss.item()", "loss"),
            "Right, but your list holds tensors, and each of them keeps the graph of its iteration "
            "in memory. Append `loss.item()`.",
            accepted=True,
        ),
    ),
)
