"""Lesson 20, parts 5 and 6: what is freed, and tensors of more than one number."""

from minigrad.exercises.engine_file import STEPS, parts
from minigrad.exercises.engine_programs import probe_of
from minigrad.exercises.exercise import Exercise, Slip

_FREE, _TENSORS = parts()[5:]


# 5. Freeing, and recording off.


free = Exercise(
    id=STEPS[4],
    title="Part 5 · Free, detach, stop recording",
    prompt="""
**20 minutes.** Write a whole backward pass, and the ways to keep its memory small.

`backward(result, gradient, retain_graph)` puts your parts together: `start`, then `gradients` from
`result.node`. After the pass, unless `retain_graph` is true, it calls `node.free()` for every node
of the graph. (A freed node that had saved something raises PyTorch's error when it's run again. One
that saved nothing runs as often as you like.)

`detach(a)` returns a `Tensor` with the same numbers, in the same memory, without a history.

`no_grad` is a class for `with no_grad():`. It has two methods. `__enter__(self)` sets
`Tensor.recording` to `False`, and `__exit__(self, *error)` sets it back to what it was before.
""",
    starter="def backward(result, gradient, retain_graph):\n    ...\n\n\n"
    "def detach(a):\n    ...\n\n\nclass no_grad:\n    ...",
    answers=("backward", "detach", "no_grad"),
    solutions=(_FREE,),
    hints=(
        "`backward` has two halves: run the pass, then clean up. Everything it needs is in parts 3 "
        "and 4.",
        "A node may be freed when nothing in this pass needs it anymore. `order(result.node)` "
        "lists them all. And `no_grad()` may be inside another one: what was the flag before?",
        "`for node in order(result.node): node.free()`, under an `if`. In `__enter__`: keep the "
        "old flag in `self.before`, then set it.",
    ),
    because="A second pass through a product raises PyTorch's error, and `retain_graph=True` "
    "prevents it. Nothing that's still needed is freed, and nothing that isn't is kept.",
    probe=probe_of(STEPS[4]),
    slips=(
        Slip(
            "Free first, then run",
            "def backward(result, gradient, retain_graph):\n    if not retain_graph:\n"
            "        for node in order(result.node):\n            node.free()\n"
            "    gradients(result.node, start(result, gradient))\n\n\n"
            + _FREE.partition("\n\n\n")[2],
            "Your first `y.backward()` raises *Trying to backward through the graph a second "
            "time*. You freed the saved values before the pass had used them. Which of your two "
            "halves has to come first?",
            when=lambda seen: seen["the error of a first `y.backward()`"].startswith("Trying"),
        ),
        Slip(
            "A pass always frees",
            _FREE.replace("if not retain_graph:", "if True:"),
            "With `retain_graph=True`, one more pass still raises an error. You freed the nodes "
            "although you were asked to keep them, so they were freed one pass too early. Where "
            "does `retain_graph` come in?",
            3,
        ),
        Slip(
            "A graph can be used again and again",
            _FREE.replace("if not retain_graph:", "if False:"),
            "A second `y.backward()` runs without an error, because nothing is freed. It's "
            "convenient, and it costs memory: every saved tensor lives as long as the graph. "
            "PyTorch frees them unless you say `retain_graph=True`.",
            3,
        ),
        Slip(
            "The last node is the graph",
            _FREE.partition("    if not")[0] + "    if not retain_graph:\n"
            "        result.node.free()\n\n\n" + _FREE.partition("\n\n\n")[2],
            "After a pass through `(x * x) * x`, the first product still holds its factors. You "
            "freed the node of the result, and the others kept what they had saved. What lists "
            "all nodes of a graph?",
        ),
        Slip(
            "detach() copies",
            _FREE.replace("Tensor(a.data)", "Tensor(a.data.copy())"),
            "Your detached tensor has its own memory. PyTorch's shares it (lesson 09), so that "
            "detaching a large tensor costs nothing. `Tensor(...)` doesn't copy an array that's "
            "already float32. Who made the copy?",
            10,
        ),
        Slip(
            "Recording is on outside",
            _FREE.replace("Tensor.recording = self.before", "Tensor.recording = True"),
            "When an inner `no_grad()` ends, you switch recording on, and the outer one isn't over "
            "yet. Put back what you found. Where could `__enter__` leave it for `__exit__`?",
        ),
    ),
)


# 6. Tensors.


tensors = Exercise(
    id=STEPS[5],
    title="Part 6 · Tensors",
    prompt="""
**20 minutes.** `data` has been an array all along. What's missing is what happens to gradients when
shapes change.

`unbroadcast(gradient, shape)` undoes broadcasting: `gradient` is an array, and `shape` is the shape
that numpy stretched to get it. Return an array of that shape. Each element gets the *sum* over all
places it was stretched to (lesson 14). `Node` calls it for every gradient that a rule returns.

Then four operations, each of which returns what `record` makes:

- `total(a)` and `mean(a)`, of all elements: `"SumBackward0"` and `"MeanBackward0"`. A rule may
  return a single number; `Node` stretches it to the input's shape.
- `tanh(a)`: `"TanhBackward0"`, with the slope $1 - y^2$. It saves its result: `result=y`, where `y`
  is a `Tensor` (what a node saves are always tensors).
- `matmul(a, b)`, of two matrices: `"MmBackward0"`. It saves `self=a, mat2=b`, and its rule returns
  $G\\,B^\\mathsf{T}$ and $A^\\mathsf{T}\\,G$ for the gradient $G$.

A rule can be a `lambda`. It always returns a list or a tuple, even for one input.
""",
    starter="def unbroadcast(gradient, shape):\n    ...\n\n\ndef total(a):\n    ...\n\n\n"
    "def mean(a):\n    ...\n\n\ndef tanh(a):\n    ...\n\n\ndef matmul(a, b):\n    ...",
    answers=("unbroadcast", "total", "mean", "tanh", "matmul"),
    solutions=(_TENSORS,),
    hints=(
        "Numpy stretches in two ways: it adds dimensions on the left, and it repeats dimensions of "
        "size 1. Undo them one after the other.",
        "Both are undone by a sum over the right axes. The second must keep its dimensions. For "
        "the rules: what did each operation do to *one* element?",
        "`gradient.sum(axis=tuple(range(gradient.ndim - len(shape))))`, then a sum over the axes "
        "where `shape` has 1, with `keepdims=True`. Rules: `lambda g: [g]` for the sum, and "
        "`[g / a.data.size]` for the mean.",
    ),
    because="Paths add, once more: a bias that was used in every row gets the sum over the rows.",
    probe=probe_of(STEPS[5]),
    slips=(
        Slip(
            "Only the missing dimensions were stretched",
            _TENSORS.replace(
                "return gradient.sum(axis=tuple(i for i, n in enumerate(shape) if n == 1), "
                "keepdims=True)",
                "return gradient",
            ),
            "You sum over the dimensions that numpy added. It also repeats those of size 1: for "
            "the shape [1, n] your gradient still has all its rows. Which axes are these, and what "
            "keeps them from disappearing when you sum?",
            20,
        ),
        Slip(
            "Stretched copies share the gradient by its mean",
            _TENSORS.replace("gradient.sum(", "gradient.mean("),
            "The shapes are right, and the numbers are too small. You averaged over the copies. "
            "Each copy is a path to the loss, and over paths we add (lesson 04).",
        ),
        Slip(
            "A mean is a sum",
            _TENSORS.replace("[g / a.data.size]", "[g]"),
            "The gradient of your `mean` is that of a sum. If you move one of n elements by 0.1, "
            "how far does the mean move?",
        ),
        Slip(
            "tanh's slope comes from its input",
            _TENSORS.replace("[g * (1 - y.data**2)], result=y", "[g * (1 - a.data**2)], result=a"),
            "Your `tanh` has the slope 1 - x². The formula is 1 - y², and y is the *result*. Save "
            "that one.",
        ),
        Slip(
            "An array can be saved as it is",
            _TENSORS.replace("result=y)", "result=y.data)").replace("y.data**2", "y**2"),
            "The numbers of your `tanh` are right, but what it saved isn't a tensor. What a node "
            "saves are tensors: the pictures can't show an array. What makes a `Tensor` of one?",
            when=lambda seen: seen["what the node of `tanh` saved"] == "result = not a tensor",
        ),
        Slip(
            "One input, one number",
            _TENSORS.replace("lambda g: [g])", "lambda g: g)"),
            "One of your rules returned a gradient, and not a list of gradients. `Node` goes "
            "through what a rule returns, one gradient for each input, and there it found a bare "
            "number. Where are the brackets missing?",
            when=lambda seen: (
                "iteration over a 0-d array" in seen["error"]
                or "object is not iterable" in seen["error"]
            ),
        ),
        Slip(
            "A matrix product swaps like a product",
            _TENSORS.replace("(g @ b.data.T, a.data.T @ g)", "(g @ b.data, a.data @ g)"),
            "In your rule for `matmul`, the shapes don't fit. Try it on paper: for `a` [3, 2] and "
            "`b` [2, 4], the gradient `g` that arrives is [3, 4]. What do you have to multiply it "
            "by, and from which side, to get [3, 2]?",
            when=lambda seen: seen.get("error", "").startswith("ValueError: matmul"),
        ),
    ),
)
