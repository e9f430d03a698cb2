"""Lesson 08: what nodes save, when it's freed, and what a backward pass costs."""

from collections.abc import Iterator
from functools import partial

from minigrad.exercises.attempt import Attempt
from minigrad.exercises.engine_probes import HELD
from minigrad.exercises.engine_programs import probe_of
from minigrad.exercises.exercise import Exercise, Observation, Slip
from minigrad.exercises.predictions import Explanation, Prediction
from minigrad.exercises.watching import walks

QUESTIONS = (
    Prediction(
        "08_r1",
        "Lesson 07. w is a leaf that requires grad. Which of these is a leaf, too?",
        "torch.ones(2) * 2",
        {
            "w[0]": "Indexing is an operation, and it's recorded because w requires grad.",
            "w.double()": "Converting float32 to float64 is an operation, and it's recorded.",
            "torch.ones(2) * 2": "Computed, but nothing was recorded: it has no grad_fn.",
        },
    ),
    Prediction(
        "08_r2",
        "Lesson 05. b = a + a and c = b + b. When may the engine run the node of a + a?",
        "when both gradients from b + b have arrived",
        {
            "as soon as the first gradient arrives": "Then it passes on an incomplete sum.",
            "when both gradients from b + b have arrived": "It counts, waits, and runs once.",
            "twice, once for each gradient": "The sum comes out right, but long chains get "
            "exponentially slow.",
        },
    ),
    Prediction(
        "08_r3",
        "Lesson 02. Which attribute tells you which operation made a tensor?",
        "grad_fn",
        {
            "grad": "That's the gradient.",
            "grad_fn": "It's the node that made the tensor, or None for a leaf.",
            "requires_grad": "That says whether operations on it are recorded.",
        },
    ),
    Prediction(
        "08_p1",
        "y = u * v. What does y.grad_fn._saved_self is u print?",
        "True",
        {
            "True": "The node saves the tensor itself.",
            "False, it's a copy": "A copy would cost time and memory for each operation.",
        },
    ),
    Prediction(
        "08_p2",
        "The derivative of tanh(u) is 1 - tanh(u)². What does its node save?",
        "its result",
        {
            "its input": "It could, but then it would have to compute tanh again.",
            "its result": "The derivative can be written with the result alone.",
            "both": "One of the two is enough.",
            "nothing": "Then its slope would be the same everywhere.",
        },
    ),
    Prediction(
        "08_p3",
        "Three results: (u + 2).sum(), (u * v).sum(), (u.exp() + u).sum(). On which of them does a "
        "second backward() work?",
        "only the first",
        {
            "none": "It fails only where a rule needs a value that's gone. Does adding 2 need one?",
            "only the first": "No node in it has saved anything.",
            "the first and the third": "The + in the third saves nothing. What about exp?",
            "all three": "What did the product's node do with its factors?",
        },
    ),
    Prediction(
        "08_p4",
        "tripled = x * 3 is computed before the loop, with retain_graph=True. What do the three "
        "losses do while x moves downhill?",
        "they stay at 36",
        {
            "they fall": "The loss is computed from tripled. Which line updates it?",
            "they stay at 36": "tripled keeps the number from before the loop.",
            "an error in iteration 2": "retain_graph=True prevents that.",
        },
    ),
    Prediction(
        "08_p5",
        "We draw the state of iteration 2. How many tanh operations are in its graph?",
        "2",
        {
            "0": "Each iteration makes its state with a tanh.",
            "1": "That would be right if the first state were a plain number.",
            "2": "The second state was computed from the first.",
        },
        number=True,
    ),
    Prediction(
        "08_p6",
        "h.retain_grad() comes before the first backward(). What does that change?",
        "h.grad is filled, and that's all",
        {
            "a second backward() works, and that's all": "For that, the nodes would have to keep "
            "what they saved. What is kept here?",
            "h.grad is filled, and that's all": "It keeps one gradient, and nothing that the nodes "
            "saved.",
            "both": "Only retain_graph=True keeps what the nodes saved.",
        },
    ),
    Prediction(
        "08_p7",
        "There are 8 layers with 128 KiB of weights, and a batch of 64 KiB. How much do the nodes "
        "save, not counting the weights and the batch?",
        "512 KiB",
        {
            "64 KiB": "That's one layer. All eight are needed on the way back.",
            "128 KiB": "The weights are there anyway. What else do the rules need?",
            "512 KiB": "Eight results of tanh, 64 KiB each.",
            "1,024 KiB": "That's every product and every tanh. Does any rule need the product?",
        },
    ),
    Prediction(
        "08_p8",
        "Forward through a network takes some time. How long does its backward pass take?",
        "about as long, within a small factor",
        {
            "next to nothing, the values are there": "Saved values are inputs. The products with "
            "the upstream gradient are still to be computed.",
            "about as long, within a small factor": "It takes two products for each one on the way "
            "forward.",
            "32,768 times as long, once per weight": "That's nudging.",
        },
    ),
    Explanation(
        "08_explain",
        "A colleague's loop raises 'backward through the graph a second time'. They added "
        "retain_graph=True and it runs. What would you ask them, and why?",
        "I'd ask what connects the iterations: a tensor computed before the loop, or a state "
        "that's carried over? In the first case they train on old numbers; in the second, each "
        "pass goes back through all earlier ones. Compute it in the loop, add up the losses, or "
        "detach.",
        ("what connects the iterations", "old numbers, or growing cost", "a cure for each"),
    ),
)


def _losses(attempt: Attempt) -> Iterator[Observation]:
    both = attempt.function("both_losses", gives=False)
    for which, values in (("", [1.0, 2.0]), (" for other numbers", attempt.drawn(2))):
        w = attempt.torch.tensor(values, requires_grad=True)
        _, kept = walks(attempt.torch, partial(both, w))
        yield f"`w.grad`{which}", w.grad
        yield f"the claim that a graph was retained{which}", any(kept)
        yield f"the number of backward passes{which}", len(kept)


_LOSSES = """
def both_losses(w):
    hidden = w * w
    first = hidden.sum()
    second = (hidden * hidden).sum()
    first.backward()
    second.backward()
"""
_TWO = "    first.backward()\n    second.backward()"

losses = Exercise(
    id="08_two_losses",
    title="Two losses, one graph",
    prompt="""
**5 minutes.** Make `both_losses(w)` leave the sum of both losses' gradients in `w.grad`. Right
now it raises an error. Fix it without `retain_graph`.
""",
    starter=_LOSSES.strip(),
    answers=("both_losses",),
    solutions=(_LOSSES.replace(_TWO, "    (first + second).backward()"),),
    hints=(
        "Which node does the engine go through twice?",
        "The gradient of a sum is the sum of the gradients. How many passes do you need then?",
        "One line takes the place of the last two: a sum of two losses, and one `backward()`.",
    ),
    because="One pass brings both gradients, and nothing has to be kept for another.",
    probe=_losses,
    slips=(
        Slip(
            "The message knows the cure",
            _LOSSES.replace("first.backward()", "first.backward(retain_graph=True)"),
            "The gradient is right, but `retain_graph=True` kept everything in memory for a second "
            "pass through `hidden`. What if there were only one loss to go back from?",
            misconception=3,
        ),
        Slip(
            "One loss is enough",
            _LOSSES.replace("    first.backward()\n", ""),
            "You go back from one loss only, so there's no error, and the gradient of the other "
            "loss is missing from `w.grad`. How can one pass start from both?",
        ),
        Slip(
            "Compute it again",
            _LOSSES.replace("second = (hidden * hidden)", "again = w * w\n    second = (again**2)"),
            "Right, but you compute `hidden` twice and go back twice. With a whole network in its "
            "place that's twice the work. Add the losses, and one pass is enough.",
            accepted=True,
        ),
    ),
)


def _carried(attempt: Attempt) -> Iterator[Observation]:
    train, torch = attempt.function("train", gives=False), attempt.torch
    for window, inputs in ((2, [0.5, -0.3, 0.8, 0.2]), (3, attempt.drawn(6)), (1, [1.0, 2.0])):
        weight = torch.tensor(0.5, requires_grad=True)
        _, kept = walks(torch, partial(train, weight, inputs, window))
        yield f"`weight.grad` for a window of {window}", weight.grad
        yield f"the number of passes for a window of {window}", len(kept)


def _train(*lines: str, after: str = "") -> str:
    body = "".join(f"        {line}\n" for line in lines)
    return (
        "def train(weight, inputs, window):\n    state, total = torch.tensor(0.0), 0.0\n"
        "    for number, x in enumerate(inputs, 1):\n"
        f"        state = torch.tanh(weight * state + x)\n{body}{after}"
    )


_LOSS, _END = "total = total + state * state", "if number % window == 0:"
_RESET = "    state, total = state.detach(), 0.0"

carried = Exercise(
    id="08_carried",
    title="Truncate it",
    prompt="""
**12 minutes.** `train(weight, inputs, window)` leaves a gradient in `weight.grad`. It should do so
by truncated backpropagation through time: add up the losses of `window` iterations, go back once,
then carry only the *value* of the state into the next window. (`len(inputs)` is a multiple of
`window`.) Right now it raises an error in iteration 2.
""",
    starter=_train("loss = state * state", "loss.backward()"),
    answers=("train",),
    solutions=(_train(_LOSS, _END, "    total.backward()", _RESET),),
    hints=(
        "Three things have to happen at the end of each window, and at no other time.",
        "Between windows, the state loses its history and keeps its value. And the sum of the "
        "losses starts again from 0.",
        f"`{_END}` and below it: `total.backward()`, a detached state, and a `total` of 0.",
    ),
    because="Within a window the gradient is complete, and no pass is longer than a window.",
    probe=_carried,
    slips=(
        Slip(
            "Keep the graph",
            _train("(state * state).backward(retain_graph=True)"),
            "It runs, but each pass goes back through all earlier iterations. Nothing is "
            "truncated, and the last pass is the longest. Where should a graph end?",
            misconception=3,
        ),
        Slip(
            "Detach in every iteration",
            _train("(state * state).backward()", "state = state.detach()"),
            "You cut after each iteration, so your window is always 1. Let the graph grow for "
            "`window` iterations before you go back.",
        ),
        Slip(
            "One pass at the end",
            _train(_LOSS, after="    total.backward()\n"),
            "You went back once, through all iterations, so that's the complete gradient. It's "
            "right for short sequences. Here there should be a pass after every `window` "
            "iterations.",
        ),
    ),
)


_KEEP = """def checkpointed(segments, x):
    kept = [x.detach().requires_grad_()]
    for segment in segments[:-1]:
        kept.append(segment(kept[-1]).detach().requires_grad_())
"""
_BACK = """    segments[-1](kept[-1]).backward()
    for i in reversed(range(len(segments) - 1)):
        segments[i](kept[i]).backward(kept[i + 1].grad)
"""

checkpoint = Exercise(
    id="08_checkpoint",
    title="Checkpointing, for any number of segments",
    prompt="""
**20 minutes.** `segments` is a list of functions. The first one takes `x`, each of the others
takes what the one before it returns, and the last one returns a loss. Write
`checkpointed(segments, x)`: it leaves the gradient of the loss in every weight that the segments
use. It must never hold the saved tensors of two segments at once, and must not run a segment more
than twice. (Start from the two halves above.)
""",
    starter="def checkpointed(segments, x):\n    ...",
    answers=("checkpointed",),
    solutions=(_KEEP + _BACK,),
    hints=(
        "What did the two halves keep, and in which order did they go back?",
        "First a loop that keeps the input of each segment, without history. Then a loop from the "
        "last segment to the first, which needs the gradient of the *next* segment's input.",
        "In the second loop: run segment `i` on its kept input, and call "
        "`.backward(...)` with the gradient that arrived at kept input `i + 1`.",
    ),
    because="You kept one input per segment, and one segment's graph at a time. That's what "
    "`torch.utils.checkpoint` does.",
    probe=probe_of("08_checkpoint", "`checkpointed`"),
    slips=(
        Slip(
            "All segments in one graph",
            "def checkpointed(segments, x):\n    for segment in segments:\n"
            "        x = segment(x)\n    x.backward()\n",
            "The gradients are right, but the saved tensors of all segments were held at once. Cut "
            "between segments, and keep only each input.",
            when=lambda seen: not seen[HELD],
        ),
        Slip(
            "The loss finds its way across the cut",
            _KEEP + "    segments[-1](kept[-1]).backward()\n",
            "The last segment's weights have a gradient, the others have `None`: the pass ended at "
            "the last cut. What arrived there, and which segment needs it?",
            when=lambda seen: seen["the gradient in segment 2"] is None,
        ),
        Slip(
            "Ones will do as v",
            _KEEP + _BACK.replace("kept[i + 1].grad", "torch.ones_like(kept[i + 1])"),
            "The last segment's gradient is right, and the others aren't. You went back from each "
            "cut with ones. Which gradient arrived at that cut?",
            misconception=4,
        ),
    ),
)
