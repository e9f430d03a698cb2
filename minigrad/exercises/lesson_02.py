"""Lesson 02: recording the graph."""

from collections.abc import Iterator
from typing import Any

from minigrad.exercises.attempt import Attempt, shown
from minigrad.exercises.exercise import Exercise, NotYet, Observation, Slip
from minigrad.exercises.predictions import Explanation, Prediction
from minigrad.viz.read.protocol import is_tensor

QUESTIONS = (
    Prediction(
        "02_r1",
        "Lesson 01. You halve the nudge of a central difference, far from rounding. Its error ...",
        "drops to a quarter",
        {
            "halves": "That's the one-sided slope.",
            "drops to a quarter": "It shrinks with the square of the nudge.",
            "grows": "Only where the nudge is so small that rounding takes over.",
        },
    ),
    Prediction(
        "02_r2",
        "Lesson 01. What does autograd need for the slopes of 1,000 entries?",
        "one run and one backward pass",
        {
            "one run and one backward pass": "However many entries there are.",
            "1,000 backward passes": "One pass reaches all of them.",
            "2,000 runs": "That's nudging.",
        },
    ),
    Prediction(
        "02_r3",
        "Lesson 00. In the picture of a graph, what's an arrow?",
        "a value on its way to the next operation",
        {
            "a tensor you made": "That's a blue card.",
            "an operation": "That's a gray pill.",
            "a value on its way to the next operation": "It points the way the program ran.",
        },
    ),
    Prediction(
        "02_p1",
        "Two operations made z. How many names does the loop print?",
        "3",
        {
            "1": "z's own node is the first. What made the tensor that went into it?",
            "2": "Two operations, yes. But what's at the end, where x is?",
            "3": "One for each operation, and one for x.",
        },
        number=True,
    ),
    Prediction(
        "02_p2",
        "c doesn't require grad, and total = c + 2. What is total.is_leaf?",
        "True",
        {
            "False": "It was computed, yes. But was it recorded?",
            "True": "No recorded operation made it.",
            "an error, because nothing was recorded": "is_leaf has an answer for every tensor.",
        },
    ),
    Prediction(
        "02_p3",
        "Are the two multiplications still in the graph of z?",
        "yes, both",
        {
            "yes, both": "Each node holds the nodes of its inputs. Names don't matter.",
            "only the first": "The mean needs what made its input.",
            "no, that z is gone": "Only the name is gone. What else still refers to the node?",
        },
    ),
    Prediction(
        "02_p4",
        "There's one * in the code. How many multiplications are in the graph?",
        "4",
        {
            "1": "The line is written once. How many times does it run?",
            "4": "One for each time the line ran.",
            "5": "At first b is a, which takes no multiplication.",
        },
        number=True,
    ),
    Prediction(
        "02_p5",
        "Which of the four printed results still lead back to w?",
        "only w.sum()",
        {
            "only w.sum()": "It's the only one with a grad_fn.",
            "w.sum() and its .item()": "Look at what's printed: does 6.0 carry a grad_fn?",
            "all but .item()": "Look for a grad_fn. Could w > 3 have a slope?",
        },
    ),
    Explanation(
        "02_explain",
        "A colleague writes `del y` before calling z.backward(), and is surprised that it still "
        "works. Tell them in a sentence or two what holds on to the graph.",
        "A name is only a label, and the graph doesn't use it. z holds its grad_fn, that node "
        "holds the nodes its inputs came from, and so on back to the leaves. So as long as z is "
        "there, the whole graph is.",
        ("names play no part", "z holds its grad_fn", "each node holds the nodes of its inputs"),
    ),
)


def _first_sum(attempt: Attempt) -> Iterator[Observation]:
    t, total = attempt.tensor("t"), attempt["total"]
    yield "the shape of `t`", list(t.shape)
    yield "`t.requires_grad`", t.requires_grad
    yield "the claim that `total` is a tensor", is_tensor(total)
    if is_tensor(total) and total.requires_grad and t.requires_grad:
        grad = attempt.torch.autograd.grad
        found = grad(attempt.torch.sum(total), t, retain_graph=True, allow_unused=True)
        yield "the gradient of `total` with respect to `t`", found[0]


_ONES = "t = torch.ones(5, 5, requires_grad=True)\n"

first_sum = Exercise(
    id="02_first_sum",
    title="A tensor of your own",
    prompt="""
**4 minutes.** Make a tensor `t` of size 5 by 5 that requires grad. The numbers in it are up to you.
Then add up all of them: `total`, a tensor whose graph leads back to `t`.
""",
    starter="t = ...\ntotal = ...",
    answers=("t", "total"),
    solutions=(
        f"{_ONES}total = t.sum()",
        "t = torch.arange(25.0).reshape(5, 5).requires_grad_()\ntotal = torch.sum(t)",
        "t = torch.randn((5, 5), requires_grad=True)\ntotal = t.sum(0).sum()",
    ),
    hints=(
        "`torch.randn(4, requires_grad=True)` made a tensor with four numbers. How would you get "
        "five rows of five?",
        "`mean()` is a method of a tensor, and so is what you need for `total`.",
        "`torch.ones` takes the number of rows, the number of columns, and `requires_grad`. The "
        "second line calls a method of `t`.",
    ),
    because="`total` has a `grad_fn`, and its graph ends at `t`.",
    probe=_first_sum,
    slips=(
        Slip(
            "Every tensor is recorded",
            "t = torch.ones(5, 5)\ntotal = t.sum()",
            "Your `t` doesn't require grad, so the sum wasn't recorded: `total` has the right "
            "value and no `grad_fn`. What does the line that makes `x` have that yours lacks?",
            when=lambda seen: not seen["`t.requires_grad`"],
        ),
        Slip(
            "A number is as good as a tensor",
            f"{_ONES}total = t.sum().item()",
            "`total` is a plain Python number. `.item()` took it out of its tensor and left the "
            "history behind. Print `t.sum()` without it. What's different?",
            misconception=16,
        ),
        Slip(
            "requires_grad brings the history back",
            f"{_ONES}total = torch.tensor(t.sum().item(), requires_grad=True)",
            "`total` is a tensor, but no path leads from it back to `t`. You made it from a bare "
            "number, so it's a new leaf. Which call in your line takes the number out of its "
            "tensor?",
            misconception=16,
        ),
    ),
)


def _from_graph(attempt: Attempt) -> Iterator[Observation]:
    out = attempt["out"]
    yield "the claim that `out` is a tensor", is_tensor(out)
    yield "the claim that `out` has a graph", getattr(out, "grad_fn", None) is not None
    if is_tensor(out) and out.grad_fn is not None:
        names: dict[Any, str] = {}
        arrows = _outline(out.grad_fn, names)
        leaves = [name for name in names.values() if name == "leaf"]
        yield "the list of operations", ", ".join(sorted({*names.values()} - {"leaf"}))
        yield "the number of leaves", len(leaves)
        yield "the graph, from `out` back,", arrows


def _outline(node: Any, names: dict[Any, str], depth: int = 6) -> str:
    """A graph as text, the inputs of each operation sorted."""
    if node is None or depth == 0:
        return "constant" if node is None else "..."
    names[node] = "leaf" if "AccumulateGrad" in node.name() else node.name()
    inputs = [_outline(source, names, depth - 1) for source, _ in node.next_functions]
    return f"{names[node]}({', '.join(sorted(inputs))})" if inputs else names[node]


_X = "x = torch.tensor(3.0, requires_grad=True)\n"

code_from_graph = Exercise(
    id="02_code_from_a_graph",
    title="From the graph to the code",
    prompt="""
**6 minutes.** This is a graph as text, without its numbers. The inputs of each operation
are in parentheses. *no grad* stands for an input that's a constant.

```
x: leaf
n1 MulBackward0(x, x)
n2 MulBackward0(x, no grad)
n3 AddBackward0(n1, n2)
  gives out: result
```

Write a program that records exactly this graph. Choose the numbers yourself.
""",
    starter="out = ...",
    answers=("out",),
    solutions=(
        f"{_X}out = x * x + x * 2",
        "x = torch.ones(4, requires_grad=True)\ntwice = 2 * x\nout = twice + x * x",
    ),
    hints=(
        "Read it from the top, and write one expression for each line.",
        "`n1` is a product of `x` with itself. `n2` is a product of `x` with a plain number. What "
        "does `n3` do with them?",
        "Begin with an `x` that requires grad. The last line is a sum of two products.",
    ),
    because="Two products that share one leaf, and a sum. To check, `draw(out)`.",
    probe=_from_graph,
    slips=(
        Slip(
            "A power is a product",
            f"{_X}out = x**2 + x * 2",
            "Your graph has a `PowBackward0`. The value is that of `x * x`, but the graph shows "
            "what *ran*. Which operation has `x` as both of its inputs?",
        ),
        Slip(
            "Equal values make one leaf",
            f"{_X}y = torch.tensor(3.0, requires_grad=True)\nout = x * x + y * 2",
            "Your graph has two leaves. They may hold the same number, but you made two tensors. "
            "In the outline, `x` goes into both products. Which name should both of your products "
            "contain?",
            when=lambda seen: seen["the number of leaves"] > 1,
        ),
        Slip(
            "The same operations are the same graph",
            f"{_X}out = (x + x) * 2 * x",
            "The operations are the ones in the outline, but your arrows run differently: in your "
            "graph, the addition comes first. What goes into `n3`, and what comes out of it?",
            when=lambda seen: seen["the list of operations"] == "AddBackward0, MulBackward0",
        ),
    ),
)


def _leaves_of(attempt: Attempt) -> Iterator[Observation]:
    torch, leaves_of = attempt.torch, attempt.function("leaves_of")

    def found(result: Any, *leaves: Any) -> list[int]:
        """Which of the leaves were returned, by their place; -1 for anything else."""
        returned = leaves_of(result)
        if not isinstance(returned, list | tuple | set):
            raise NotYet(f"`leaves_of` returned {shown(returned)}. It should return a list.")
        places = [[one is leaf for leaf in leaves] for one in returned]
        return sorted(place.index(True) if any(place) else -1 for place in places)

    a, b, c = (torch.tensor(value, requires_grad=True) for value in attempt.drawn(3))
    yield "the list of leaves of `a * b + c`", found(a * b + c, a, b, c)
    twin = a.detach().clone().requires_grad_()
    yield "the list of leaves of `a * b`, which hold the same number,", found(a * twin, a, twin)
    yield "the list of leaves of `2 * a`", found(2 * a, a)
    doubled = a
    for _ in range(10):
        doubled = doubled + doubled
    yield "the list of leaves after ten doublings", found(doubled, a)


def _finder(test: str, sources: str, note: str) -> str:
    return (
        "def leaves_of(result):\n    found, seen, waiting = [], [], [result.grad_fn]\n"
        f"    while waiting:\n        node = waiting.pop()\n        if {test}:\n"
        "            continue\n        seen.append(node)\n        if not node.next_functions:\n"
        f"            {note}\n        waiting += {sources}\n    return found"
    )


_SKIP = "node is None or node in seen"
_ALL = "[source for source, _ in node.next_functions]"
_NOTE = "found.append(node.variable)"

leaves = Exercise(
    id="02_leaves_of",
    title="All the leaves of a graph",
    prompt="""
**20 minutes.** Write `leaves_of(result)`. It returns a list of all leaves that `backward()` on
`result` would give a gradient: the tensors themselves, each of them once, in any order.

The loop in this lesson follows a single path. Yours has to follow all of them, however often they
split and meet again.
""",
    starter="def leaves_of(result):\n    ...",
    answers=("leaves_of",),
    solutions=(
        _finder(_SKIP, _ALL, _NOTE),
        "def leaves_of(result):\n    seen = {}\n\n    def visit(node):\n"
        "        if node is not None and node not in seen:\n            seen[node] = True\n"
        "            for source, _ in node.next_functions:\n                visit(source)\n\n"
        "    visit(result.grad_fn)\n"
        "    return [node.variable for node in seen if not node.next_functions]",
    ),
    hints=(
        "Draw `a * b + a` on paper. Where does the path split, and where do two paths meet?",
        "Keep a list of the nodes you still have to visit, and another of those you've visited. "
        "Take a node, skip it if you've been there, and add its sources to the first list.",
        "Start with `waiting = [result.grad_fn]` and loop while it isn't empty. A node without "
        "`next_functions` belongs to a leaf: `node.variable`.",
    ),
    because="Each node is visited once, however many paths lead to it. Lesson 05 needs that idea "
    "again.",
    probe=_leaves_of,
    slips=(
        Slip(
            "One path finds everything",
            _finder(_SKIP, "[node.next_functions[0][0]] if node.next_functions else []", _NOTE),
            "You followed the first input of each node only, so for `a * b + c` you found one leaf "
            "of three. How many pairs does `next_functions` hold for a product?",
        ),
        Slip(
            "Every path is another leaf",
            _finder("node is None", _ALL, _NOTE),
            "After ten times `a = a + a` you returned the same leaf 1,024 times, once for each "
            "path. What could you keep a list of, so that you notice when you reach a node again?",
        ),
        Slip(
            "Equal values make one leaf",
            _finder("node is None", _ALL, f"if node.variable not in found: {_NOTE}"),
            "For two leaves that hold the same number, you returned one. `in` compares tensors "
            "with `==`, and that compares their *values*. Nodes are compared by identity. Which "
            "of them should the list of what you've seen hold, tensors or nodes?",
        ),
    ),
)
