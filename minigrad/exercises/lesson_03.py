"""Lesson 03: backward on a scalar."""

from collections.abc import Iterator
from functools import partial

from minigrad.exercises.attempt import Attempt, shown
from minigrad.exercises.exercise import Exercise, NotYet, Observation, Slip
from minigrad.exercises.predictions import Explanation, Prediction
from minigrad.exercises.watching import passes

QUESTIONS = (
    Prediction(
        "03_r1",
        "Lesson 02. a requires grad and k doesn't. What about a * k?",
        "it requires grad and has a grad_fn",
        {
            "it requires grad and has a grad_fn": "One input that requires grad is enough.",
            "it doesn't require grad": "That would take two inputs that don't.",
            "it requires grad and is a leaf": "A recorded operation made it.",
        },
    ),
    Prediction(
        "03_r2",
        "Lesson 01. h(x, y) = x * y. At x = 2 and y = 7, what is the partial derivative along x?",
        "7",
        {
            "2": "That's the one along y.",
            "7": "While x moves, y is a constant 7.",
            "9": "That's for moving both at once.",
            "14": "That's the value of h.",
        },
    ),
    Prediction(
        "03_r3",
        "Lesson 00. A neuron's tanh is saturated. What are the slopes of x, w and b?",
        "almost 0",
        {
            "almost 0": "tanh is nearly flat there, so whatever you move, out hardly reacts.",
            "almost 1": "That's the value of out.",
            "as before": "All three act on out through the same tanh.",
        },
    ),
    Prediction(
        "03_p1",
        "z is the mean of the four numbers in x + 2. What's in x.grad?",
        "four times 0.25",
        {
            "four times 0.25": "Each entry has a weight of a quarter in the mean.",
            "four times 1": "That would be the slope of the sum.",
            "four different numbers": "x's numbers differ. Does the slope depend on them?",
            "a single number": "There's one slope for each entry of x.",
        },
    ),
    Prediction(
        "03_p2",
        "What is the last downstream in your table?",
        "4.5",
        {
            "0.75": "That's after the times 3.",
            "2.25": "That's with one factor of y * y. How many factors are there?",
            "4.5": "1 / 4, times 3, times 3 + 3, times 1.",
            "18": "That's without the mean, which divides by four.",
            "27": "That's the value of out. The table is about slopes.",
        },
        number=True,
    ),
    Prediction(
        "03_p3",
        "a is 2, b is 5, and 10 arrives at the gate. At which gate does a get more than b?",
        "at the multiplication",
        {
            "at the addition": "Move either input by 0.1, and the sum moves by 0.1.",
            "at the multiplication": "a's slope is b, and b is the larger one.",
            "at the maximum": "What happens to the maximum of 2 and 5 if you nudge the 2?",
            "at none of them": "Look at the lines for mul. Which of the two gradients is larger?",
        },
    ),
    Prediction(
        "03_p4",
        "Five lines will be printed. The last one, x.grad, is twice which other line?",
        "the second, y",
        {
            "the first, x": "The slope of y * y comes from y, which is x + 2.",
            "the second, y": "A third, times 3, times y + y.",
            "the third, a": "a is the value of y * y * 3. Its slope is made of y, not of y * y.",
            "none of them": "Compare the last line with each of the others.",
        },
    ),
    Prediction(
        "03_p5",
        "What does the last line do, the one that passes torch.tensor([1.0])?",
        "it raises an error about shapes",
        {
            "the same as with 1.0": "The number is the same. The shape isn't.",
            "it adds a gradient of shape [1]": "x.grad always has the shape of x.",
            "it raises an error about shapes": "[1.0] has shape [1], and the sum has shape [].",
        },
    ),
    Prediction(
        "03_p6",
        "Which of these lines raises an error?",
        "b.backward()",
        {
            "x = torch.randn(3)": "By default, no tensor requires grad. That's allowed.",
            "b = a.mean()": "Values can be computed without recording anything.",
            "b.backward()": "It's the first line that needs a graph.",
            "print(x.grad)": "x.grad would be None, and that can be printed.",
        },
    ),
    Explanation(
        "03_explain",
        "A million weights, one loss: why does a single backward pass find all million slopes? "
        "Explain it in two or three sentences.",
        "The pass starts at the loss with 1. Each node multiplies the gradient that arrives by its "
        "own local slope and passes it on, once for each of its inputs. Every weight is at the end "
        "of such a path, so nothing has to be computed again for each weight.",
        ("it starts at the loss with 1", "upstream times local", "each node works once for all"),
    ),
)

edges = Exercise(
    id="03_edges",
    title="The numbers on the edges",
    prompt="""
**8 minutes.**

```python
a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(5.0, requires_grad=True)
p = a * b
q = p + a
out = q * 3
out.backward()
```

The backward pass starts at `out` with 1. Which gradient arrives at `q`, at `p`, at `b` and at `a`?
Draw the graph on paper and write a number on each edge, from `out` toward the inputs.
""",
    starter="at_q = ...\nat_p = ...\nat_b = ...\nat_a = ...",
    answers=("at_q", "at_p", "at_b", "at_a"),
    solutions=(
        "at_q = 3\nat_p = 3\nat_b = 6\nat_a = 18",
        "at_q = 1 * 3\nat_p = at_q * 1\nat_b = at_p * 2.0\nat_a = at_p * 5.0 + at_q * 1",
    ),
    hints=(
        "Start at `out`, not at the leaves. What's the slope of `q * 3`?",
        "The addition passes on what it gets, to both inputs. The product multiplies what it gets "
        "by the other factor.",
        "For `at_a`, add two numbers: what comes from `p = a * b` and what comes from `q = p + a`.",
    ),
    because="At `a`, 3 · 5 from the product and 3 from the addition make 18.",
    slips=(
        Slip(
            "A gradient is a value",
            "at_q = 12\nat_p = 10\nat_b = 5\nat_a = 2",
            "12, 10, 5 and 2 are the *values*, computed on the way forward. A gradient says how "
            "fast `out` grows. If `q` grows by 0.1, how far does `q * 3` move?",
            when=lambda seen: seen["`at_q`"] == 12,
        ),
        Slip(
            "The local slope is enough",
            "at_q = 3\nat_p = 1\nat_b = 2\nat_a = 6",
            "`at_q` is right. For `at_p` you wrote 1, the slope of the addition alone. But a 3 "
            "arrives at the addition. What do you do with the two numbers?",
            when=lambda seen: seen["`at_q`"] == 3 and seen["`at_p`"] == 1,
        ),
        Slip(
            "A factor gets itself",
            "at_q = 3\nat_p = 3\nat_b = 15\nat_a = 9",
            "At the product you gave `b` its own value, 3 · 5. If `b` grows by 0.1, `a * b` grows "
            "by 0.1 times which number?",
            when=lambda seen: seen["`at_p`"] == 3 and seen["`at_b`"] == 15,
        ),
        Slip(
            "One path is enough",
            "at_q = 3\nat_p = 3\nat_b = 6\nat_a = 15",
            "The other three are right. `a` goes into two operations, and you have what one of "
            "them sends back. What does the other one send, and what happens to the two numbers?",
            misconception=5,
            when=lambda seen: seen["`at_b`"] == 6 and seen["`at_a`"] in (3, 45),
        ),
    ),
)

gates = Exercise(
    id="03_gates",
    title="Read it off",
    prompt="""
**5 minutes.**

```python
a, b, c, d = 3.0, -4.0, 2.0, 5.0  # all four require grad
out = 2 * (a * b + torch.maximum(c, d))
```

What are the four gradients? Find them at a glance: distribute, swap, route.
""",
    starter="to_a = ...\nto_b = ...\nto_c = ...\nto_d = ...",
    answers=("to_a", "to_b", "to_c", "to_d"),
    solutions=("to_a = -8\nto_b = 6\nto_c = 0\nto_d = 2",),
    hints=(
        "Start on the left: what does `2 * (...)` send into the parentheses?",
        "The addition sends the same number to both gates. One of them swaps, and the other one "
        "routes.",
        "A 2 arrives at the product and a 2 at the maximum. `to_a` is 2 times the other factor.",
    ),
    because="2 goes through the addition to both gates. One swaps: 2 · (-4) and 2 · 3. The other "
    "sends its 2 to the larger input.",
    slips=(
        Slip(
            "A factor gets itself",
            "to_a = 6\nto_b = -8\nto_c = 0\nto_d = 2",
            "`to_c` and `to_d` are right. At the product, each factor got its own value. If `a` "
            "grows by 0.1, `a * b` changes by 0.1 times which number?",
        ),
        Slip(
            "Both inputs of a maximum count",
            "to_a = -8\nto_b = 6\nto_c = 1\nto_d = 1",
            "You let a gradient through to `c`. Nudge `c` from 2 to 2.1: does the maximum of `c` "
            "and 5 notice?",
            when=lambda seen: seen["`to_a`"] == -8 and seen["`to_c`"] != 0,
        ),
        Slip(
            "The local slope is enough",
            "to_a = -4\nto_b = 3\nto_c = 0\nto_d = 1",
            "Your four numbers are right for what's inside the parentheses. What does the 2 in "
            "front of them do to each?",
        ),
    ),
)

_AT_W, _AT_B = "`at_w` for the first inputs", "`at_b` for the first inputs"


_ENGINE = "the claim that the engine computed it"


def _by_hand(attempt: Attempt) -> Iterator[Observation]:
    gradients = attempt.function("gradients")
    first = [[1.0, 2.0, -1.0], [2.0, 3.0, 4.0], [0.0, 1.0, 1.0], [3.0, 1.0, 1.0]]
    for which, numbers in (("the first", first), ("other", attempt.drawn(4, 5))):
        inputs = [attempt.torch.tensor(one) for one in numbers]
        returned, calls = passes(attempt.torch, partial(gradients, *inputs))
        yield f"{_ENGINE} for {which} inputs", bool(calls)
        if not isinstance(returned, list | tuple) or len(returned) != 2:
            raise NotYet(f"`gradients` returned {shown(returned)}. It should return two tensors.")
        for name, one in zip(("at_w", "at_b"), returned, strict=True):
            yield f"`{name}` for {which} inputs", attempt.checked_tensor(one, f"`{name}`")


def _gradients(at_h: str, at_p: str = "at_h * (p > 0)", at_w: str = "at_p * x") -> str:
    return (
        "def gradients(w, x, b, t):\n    p = w * x + b\n    h = torch.relu(p)\n"
        f"    at_h = {at_h}\n    at_p = {at_p}\n    return {at_w}, at_p"
    )


_MEAN = "2 * (h - t) / h.numel()"

by_hand = Exercise(
    id="03_by_hand",
    title="Be the engine",
    prompt="""
**20 minutes.** A row of neurons: `w`, `x`, `b` and the targets `t` are tensors of the same length.

```python
p = w * x + b
h = torch.relu(p)
loss = ((h - t) * (h - t)).mean()
```

Write `gradients(w, x, b, t)`. It returns two tensors, the gradients of `w` and of `b`, as
`loss.backward()` would store them. Compute them yourself, gate by gate, without calling `backward`.

Two tools: `h.numel()` is the number of entries. Multiplying by `(p > 0)` leaves a number as it is
where `p` is positive, and makes it 0 elsewhere.
""",
    starter="def gradients(w, x, b, t):\n    ...\n    return at_w, at_b",
    answers=("gradients",),
    solutions=(
        _gradients(_MEAN),
        "def gradients(w, x, b, t):\n    p = w * x + b\n    e = torch.relu(p) - t\n"
        "    at_square = torch.ones_like(e) / e.numel()\n    at_e = at_square * e + at_square * e\n"
        "    at_b = torch.where(p > 0, at_e, torch.zeros_like(e))\n    return at_b * x, at_b",
    ),
    hints=(
        "Compute `p` and `h` first, as the program does. Then go back from the loss. What does "
        "the mean send to each entry?",
        "In this order: mean, product of two equal factors, relu, addition, product. Write down "
        "what each of them does to what arrives.",
        "After the square you have `2 * (h - t) / h.numel()`. For the relu, multiply by `(p > 0)`. "
        "That's what arrives at `b`. For `w`, one more gate swaps.",
    ),
    because="Mean, square, relu, add, multiply: five small rules, and no formula for the whole.",
    probe=_by_hand,
    slips=(
        Slip(
            "The slope of a square is its root",
            _gradients("(h - t) / h.numel()"),
            "Every number is exactly half. It's the mistake from the lesson's opening: "
            "`(h - t) * (h - t)` has two factors. What does each of them send back?",
        ),
        Slip(
            "A mean is a sum",
            _gradients("2 * (h - t)"),
            "Every number is too large by the same factor, the number of entries: for three "
            "neurons, three times. Which gate divides by it?",
        ),
        Slip(
            "relu lets gradients through",
            _gradients(_MEAN, "at_h"),
            "Your gradients are right where `p` is positive. For the third neuron `p` is -3, so "
            "its relu is 0 and stays 0 if you nudge `w`. Which gradient should arrive there?",
            when=lambda seen: abs(seen[_AT_B][0] + 2 / 3) < 0.01 and abs(seen[_AT_B][2]) > 0.01,
        ),
        Slip(
            "A factor gets itself",
            _gradients(_MEAN, at_w="at_p * w"),
            "The gradient of `b` is right. For `w` you multiplied by `w` itself. Multiply swaps: "
            "which tensor is the other factor?",
        ),
        Slip(
            "The engine may do it",
            "def gradients(w, x, b, t):\n    w, b = w.clone().requires_grad_(), b.clone()\n"
            "    h = torch.relu(w * x + b.requires_grad_())\n"
            "    ((h - t) * (h - t)).mean().backward()\n    return w.grad, b.grad",
            "You called the engine. This time you're the engine. What does the mean send to each "
            "entry?",
            when=lambda seen: seen[f"{_ENGINE} for the first inputs"],
        ),
        Slip(
            "relu works on gradients",
            _gradients(_MEAN, "torch.relu(at_h)"),
            "You applied relu to the *gradient*, so every negative gradient was lost. Whether the "
            "gate is open depends on the number that went into it on the way forward. Which "
            "tensor holds that?",
        ),
    ),
)
