"""Lesson 00: reading a picture and a slope, and making a first graph."""

from collections.abc import Iterator

from minigrad.exercises.attempt import Attempt
from minigrad.exercises.exercise import Exercise, Observation, Slip
from minigrad.exercises.predictions import Prediction
from minigrad.viz.read.protocol import is_tensor

QUESTIONS = (
    Prediction(
        "00_p1",
        "Suppose the weight w is 0. What's the slope of x then?",
        "0",
        {
            "0": "x is multiplied by 0 before it gets to out.",
            "0.5": "That's the value of x.",
            "1.2": "That was the value of w.",
            "about 1.1, as before": "The slope of x depends on what x is multiplied by. Drag w in "
            "the first picture and watch.",
        },
    ),
    Prediction(
        "00_p2",
        "b goes up to 3, and out comes close to 1. What happens to the three slopes?",
        "they shrink to almost 0",
        {
            "they grow": "The value grows. Look at the curve beside the picture: how steep is it "
            "out there?",
            "they shrink to almost 0": "Near 1, tanh is almost flat.",
            "only the slope of b changes": "All three act on out through the same tanh.",
            "nothing": "Look at the curve beside the picture. Is it equally steep everywhere?",
        },
    ),
    Prediction(
        "00_p3",
        "The next cell has two calculations, 2 + 3 and 10 * 2. What appears below it?",
        "20",
        {
            "5": "It's computed, and then the last line wins.",
            "20": "A notebook shows the value of the last line.",
            "5 and 20": "Both are computed. Only the last one is shown.",
        },
    ),
    Prediction(
        "00_p4",
        "out.backward() computes the slopes. Which numbers in the picture change?",
        "the grads of x, w and b",
        {
            "the values of x, w and b": "A slope says what would happen if you moved x. "
            "You didn't.",
            "the grads of x, w and b": "backward() measures, it moves nothing.",
            "the value of out": "Nothing that goes into out changes.",
            "all of them": "Measuring a hill doesn't move it.",
        },
    ),
)

_LEAVES = """
a = torch.tensor(3.0, requires_grad=True)
c = torch.tensor(4.0, requires_grad=True)
"""

picture = Exercise(
    id="00_picture",
    title="Read a picture",
    prompt="""
**2 minutes.** Look at the graph above. How many **leaves** does it have, and how many
**operations**?

Replace each `...` with a number, run the cell, then run the `check` cell below it.
""",
    starter="leaves = ...\noperations = ...",
    answers=("leaves", "operations"),
    solutions=("leaves = 2\noperations = 2",),
    hints=(
        "Look at the colors. Which cards are blue, and which shapes are gray?",
        "A leaf is a tensor you made. An operation is something you did with tensors. In "
        "`a * c + a`, which is which?",
        "For `operations`, count the `*` and `+` signs in `total = a * c + a`.",
    ),
    because="Two leaves, `a` and `c`. Two operations, a multiplication and an addition. `total` is "
    "the result.",
    slips=(
        Slip(
            "One leaf per arrow",
            "leaves = 3\noperations = 2",
            "You counted three leaves, so `a` probably counted twice: two arrows leave it. An "
            "arrow is a *use*. The tensor `a` is one blue card, no matter how many times you use "
            "it. Try it: draw `a * c + a + a`. Another arrow leaves `a`, and there are still two "
            "blue cards.",
            when=lambda seen: seen["`leaves`"] == 3,
        ),
        Slip(
            "The result is an operation",
            "leaves = 2\noperations = 3",
            "The leaves are right. With three operations you've probably counted the purple card "
            "as well. It's the tensor that *came out* of the last operation, not an operation. Try "
            "counting the `*` and `+` signs in the formula.",
        ),
    ),
)

slope = Exercise(
    id="00_slope",
    title="Read a slope",
    prompt="""
**3 minutes.** How fast does `total` move when you move `a`?

Work it out on paper, or let `backward()` find it. Both count.
""",
    starter=f"{_LEAVES}total = a * c + a\nslope_of_a = ...",
    answers=("slope_of_a",),
    solutions=(f"{_LEAVES}total = a * c + a\ntotal.backward()\nslope_of_a = a.grad",),
    hints=(
        "You've seen `backward()` and `.grad` in the section on the neuron. Which of the two do "
        "you call, and which do you read?",
        "`a` is used in two places, so moving it moves `total` in two ways. How much does each of "
        "them contribute?",
        "Add a line `total.backward()` above the last one, and read `a.grad` in the last one.",
    ),
    because="4 through the product and 1 through the sum make 5.",
    slips=(
        Slip(
            "A slope is a value",
            f"{_LEAVES}total = a * c + a\nslope_of_a = total",
            "15 is the value of `total`. A slope isn't a value. It says how far `total` moves when "
            "you move `a`. Try it on paper: with `a` = 3.1 instead of 3, what does `total` become, "
            "and how far did it move for that 0.1?",
        ),
        Slip(
            "Only one of the two uses counts",
            f"{_LEAVES}total = a * c + a\nslope_of_a = 4",
            "4 is the slope through `a * c` alone. But `a` is used a second time, in `+ a`, and "
            "moving `a` moves both. Try it on paper: with `a` = 3.1, `total` is 3.1 × 4 + 3.1. How "
            "far is that from 15?",
        ),
        Slip(
            "`.grad` is there from the start",
            f"{_LEAVES}total = a * c + a\nslope_of_a = a.grad",
            "`slope_of_a` is `None`. Either you read `a.grad` before anything was stored there, or "
            "you kept what `backward()` returns, and it always returns `None`. Call "
            "`total.backward()` on one line and read `a.grad` on the next.",
        ),
        Slip(
            "A second `backward()` replaces the first",
            f"{_LEAVES}(a * c + a).backward()\n(a * c + a).backward()\nslope_of_a = a.grad",
            "10 is exactly twice the slope. `backward()` *adds* to `.grad`, so two calls leave 5 + "
            "5. Run the whole cell again, so that `a` is new and its `.grad` starts empty, and "
            "call `backward()` once. (Lesson 04 is about this.)",
            misconception=2,
        ),
    ),
)


def _own_graph(attempt: Attempt) -> Iterator[Observation]:
    p, q = attempt.tensor("p"), attempt["q"]
    yield "`p.requires_grad`", p.requires_grad
    yield "`p`", p
    yield "`q`", q
    yield "the claim that `q` is a tensor", is_tensor(q)
    yield "`p.grad`", p.grad


_P = "p = torch.tensor(4.0, requires_grad=True)\n"

record = Exercise(
    id="00_record",
    title="A graph of your own",
    prompt="""
**5 minutes.** Make a tensor `p` with the value 4 that requires grad. Compute `q`: three times `p`,
plus 1. Then let `backward()` find the slope.
""",
    starter="p = ...\nq = ...",
    answers=("p", "q"),
    solutions=(
        f"{_P}q = 3 * p + 1\nq.backward()",
        "p = torch.tensor(4.0).requires_grad_()\nq = 1 + (p + p + p)\ntorch.autograd.backward(q)",
    ),
    hints=(
        "The cell that rebuilds the neuron does the same three things with more letters. Find the "
        "line for each.",
        "A tensor tracks slopes only if you say so when you make it. And a graph holds no slopes "
        "until you ask for them.",
        "The first line is `torch.tensor(...)` with two arguments. The last line calls a method of "
        "`q`.",
    ),
    because="`p.grad` is 3: however far you move `p`, `q` moves three times as far.",
    probe=_own_graph,
    slips=(
        Slip(
            "Every tensor tracks slopes",
            "p = torch.tensor(4.0)\nq = 3 * p + 1",
            "`p.requires_grad` is `False`, so nothing you computed from `p` was recorded. A tensor "
            "doesn't track slopes unless you ask for it when you make it. Compare your line with "
            "the one that makes `x` in the neuron above.",
            when=lambda seen: not seen["`p.requires_grad`"],
        ),
        Slip(
            "4 and 4.0 are the same",
            "p = torch.tensor(4, requires_grad=True)\nq = 3 * p + 1\nq.backward()",
            "`4` is an integer, and an integer can't be nudged a little: the next one is 5. Write "
            "`4.0`.",
            misconception=15,
        ),
        Slip(
            "A number is as good as a tensor",
            f"{_P}q = 3 * p.item() + 1",
            "`q` is `13.0`, a plain Python number. `.item()` takes the number out of the tensor "
            "and leaves its history behind, so there's no graph from `q` back to `p`. Compute `q` "
            "from `p` itself.",
            misconception=16,
        ),
        Slip(
            "The graph already holds the slope",
            f"{_P}q = 3 * p + 1",
            "The graph is right, and `p.grad` is still `None`. Building the graph doesn't compute "
            "slopes; that's what `backward()` is for. Add a line that calls it on `q`.",
        ),
        Slip(
            "A second `backward()` replaces the first",
            f"{_P}(3 * p + 1).backward()\nq = 3 * p + 1\nq.backward()",
            "`p.grad` is 6, twice the slope. `backward()` *adds* to what is there. Run the whole "
            "cell again, so that `p` is new, and call `backward()` once.",
            misconception=2,
        ),
        Slip(
            "A list of one number",
            "p = torch.tensor([4.0], requires_grad=True)\nq = 3 * p + 1\nq.backward()",
            "Right, but `p` has shape [1]: a list that holds one number. PyTorch treats that as "
            "different from a single number, and from lesson 06 on the difference matters. Drop "
            "the square brackets: `torch.tensor(4.0, …)`.",
            accepted=True,
        ),
    ),
)
