"""Lesson 07: which tensors get a .grad, and how to see the other gradients."""

from collections.abc import Iterator
from typing import Any

from minigrad.exercises.attempt import Attempt, shown
from minigrad.exercises.exercise import Exercise, NotYet, Observation, Slip
from minigrad.exercises.predictions import Explanation, Prediction

QUESTIONS = (
    Prediction(
        "07_r1",
        "Lesson 06. x has shape [2] and y has shape [3]. Which shape must v have in y.backward(v)?",
        "[3]",
        {
            "[2]": "That's the shape of x.grad. v weighs the outputs.",
            "[3]": "One weight for each output.",
            "[3, 2]": "That's the Jacobian's shape, and backward() never builds it.",
        },
    ),
    Prediction(
        "07_r2",
        "Lesson 04. w.grad is 3, and another backward() finds 3 again. What's w.grad now?",
        "6",
        {
            "3": "That would be so if the new number replaced the old one. Does it?",
            "6": "Calls add.",
            "9": "The gradients are added, not multiplied.",
        },
    ),
    Prediction(
        "07_r3",
        "Lesson 01. How many runs of a program does it take to nudge 5 inputs from both sides?",
        "10",
        {
            "1": "One run gives one number, and a slope takes the difference of two.",
            "5": "Each input is nudged up and down.",
            "10": "Two for each input. backward() needs one pass for all five.",
        },
    ),
    Prediction(
        "07_p1",
        "backward() ran and weights.grad is None. Where did the gradient go?",
        "into a tensor that has no name",
        {
            "nowhere, because weights doesn't require grad": "It does: the opening cell printed "
            "True.",
            "into weights, and then backward() cleared it": "backward() adds and never clears.",
            "into a tensor that has no name": "The leaf is what randn returned.",
            "into loss.grad": "The pass starts at loss with a 1. It's going toward the inputs.",
        },
    ),
    Prediction(
        "07_p2",
        "Nine of these ten go into the sum. After backward(), how many of the ten have a .grad?",
        "3",
        {
            "2": "w and the Parameter, yes. What does w.float() return if w is float32 already?",
            "3": "w, w.float() and the Parameter.",
            "4": "There are four leaves that require grad. Did all of them go into the sum?",
            "7": "Seven of them require grad and are used. Is that enough?",
        },
    ),
    Prediction(
        "07_p3",
        "In the first program below, out doesn't use skip. What's skip.grad after backward()?",
        "None",
        {
            "None": "No path leads from out to skip, so no gradient arrives.",
            "tensor(0.)": "That says: a gradient arrived and it's 0. Did one arrive?",
            "an error": "backward() follows the paths that exist. It doesn't look for others.",
        },
    ),
    Prediction(
        "07_p4",
        "x = (1, 2), h = 3x, out is the sum of the squares of h. h retains its grad. What is it?",
        "(6, 12)",
        {
            "(3, 3)": "That's the slope of h with respect to x. What's the slope of out?",
            "(6, 12)": "The slope of h² is 2h, and h is (3, 6).",
            "(18, 36)": "That's the gradient of x: one operation further, so times 3.",
            "None, because h isn't a leaf": "That's the rule, and retain_grad() makes an "
            "exception.",
        },
    ),
    Prediction(
        "07_p5",
        "Now h.retain_grad() comes one line after backward(). What does h.grad print?",
        "None",
        {
            "(6, 12)": "For that, backward() would have to keep it in case you ask later.",
            "None": "The gradient was dropped before the call.",
            "zeros": "A zero would mean that a gradient arrived and was stored.",
        },
    ),
    Explanation(
        "07_explain",
        "Before backward() you printed None three times; afterward, twos, ones and a 1. Say in two "
        "sentences where the 1 comes from, and what you'd have seen without retain_grad().",
        "The backward pass starts at total with a 1, the slope of total with respect to itself, "
        "and total kept it. Without retain_grad() only the leaf x has a .grad; doubled and total "
        "print None, with a warning, because their gradients are used and dropped.",
        (
            "the pass starts with 1",
            "without retain_grad() only x has one",
            "they're used and dropped",
        ),
    ),
)


def _weights(attempt: Attempt) -> Iterator[Observation]:
    make = attempt.function("small_weights")
    drawn = [int(attempt.random.integers(60, 99)), int(attempt.random.integers(60, 99))]
    for rows, columns in ([100, 64], drawn):
        w = attempt.checked_tensor(make(rows, columns), "What `small_weights` returns")
        called = f"`small_weights({rows}, {columns})`"
        yield f"the shape of {called}", list(w.shape)
        yield f"the type of {called}", str(w.dtype)
        yield f"`is_leaf` of {called}", w.is_leaf
        yield f"`requires_grad` of {called}", w.requires_grad
        size = (w.detach() ** 2).mean().item() * columns
        yield f"the claim that {called} has the size asked for", 0.8 < size < 1.25


_MAKE = "def small_weights(rows, columns):\n    return "

lost = Exercise(
    id="07_lost",
    title="Two lost leaves in one line",
    prompt="""
**10 minutes.** `small_weights(rows, columns)` makes the start for a layer: normal random numbers,
divided by the square root of `columns`, in float64. Its author wants to read `.grad` later, but
can't. Change it so that what it returns is a leaf that requires grad.
""",
    starter=f"{_MAKE}torch.randn(rows, columns, requires_grad=True).double() / columns**0.5",
    answers=("small_weights",),
    solutions=(
        f"{_MAKE}(torch.randn(rows, columns).double() / columns**0.5).requires_grad_()",
        f"{_MAKE}torch.nn.Parameter(torch.randn(rows, columns).double() / columns**0.5)",
    ),
    hints=(
        "How many operations run after the leaf is made? Print `is_leaf` after each.",
        "A recorded operation returns a non-leaf. When is an operation not recorded?",
        "Drop `requires_grad=True` from `randn`. Which method sets the flag on a finished tensor?",
    ),
    because="Nothing is recorded on the way, because the flag comes last. So what you return is "
    "the leaf.",
    probe=_weights,
    slips=(
        Slip(
            "What comes from a leaf is a leaf",
            f"{_MAKE}torch.randn(rows, columns).requires_grad_().double() / columns**0.5",
            "`is_leaf` is `False`: you return the result of a recorded operation. The leaf is a "
            "tensor on the way, without a name. Where would the flag have to be set so that no "
            "operation comes after it?",
            misconception=1,
        ),
        Slip(
            "A new leaf requires grad by itself",
            f"{_MAKE}torch.randn(rows, columns).double() / columns**0.5",
            "You return a leaf, but its `requires_grad` is `False`. Which call switches the flag "
            "on?",
        ),
        Slip(
            "float32 is close enough",
            f"{_MAKE}(torch.randn(rows, columns) / columns**0.5).requires_grad_()",
            "You return float32, and the task asks for float64. If you convert at the end, print "
            "`is_leaf` again. Which order keeps it `True`?",
            when=lambda seen: "32" in seen["the type of `small_weights(100, 64)`"],
        ),
    ),
)


def _notes(attempt: Attempt) -> Iterator[Observation]:
    x, doubled, total = (attempt.tensor(name) for name in ("x", "doubled", "total"))
    yield "the claim that `x` is a leaf that requires grad", x.is_leaf and x.requires_grad
    yield "`doubled - 2 * x`", doubled - 2 * x
    yield "the claim that `total` is one number", total.numel() == 1
    yield "`doubled.retains_grad`", doubled.retains_grad
    for name in ("before", "after"):
        noted: Any = attempt[name]
        if not isinstance(noted, list | tuple) or len(noted) != 3:
            raise NotYet(f"`{name}` is {shown(noted)}. It should be a list of three gradients.")
        for whose, one in zip(("x", "doubled", "total"), noted, strict=True):
            yield f"the gradient of `{whose}` in `{name}`", one


_GRADS = "[x.grad, doubled.grad, total.grad]\n"
_MADE = "x = torch.ones(3, requires_grad=True)\ndoubled = x * 2\ntotal = doubled.sum()\n"
_QUIET = "import warnings\n\nwarnings.simplefilter('ignore')\n"
_KEEP = "for tensor in [x, doubled, total]:\n    tensor.retain_grad()\n"
_BACK = "total.backward()\n"

before_and_after = Exercise(
    id="07_before_and_after",
    title="Before and after",
    prompt="""
**10 minutes.** From a widely used tutorial: make a tensor `x` with three elements that requires
grad. Double it and assign the result to `doubled`, sum that into `total`, and call `retain_grad()`
on each. Put all three gradients into the list `before`. Call `backward()` on the last tensor, and
put the three gradients into the list `after`. Print both lists. What do you notice?
""",
    starter="x = ...\ndoubled = ...\ntotal = ...\nbefore = ...\nafter = ...",
    answers=("x", "doubled", "total", "before", "after"),
    solutions=(
        f"{_MADE}{_KEEP}before = {_GRADS}{_BACK}after = {_GRADS}print(before)\nprint(after)",
    ),
    hints=(
        "Go through the task sentence by sentence. Which line of yours does which step?",
        "A list keeps what `.grad` was when you made the list. Where must each list be made?",
        "After calling `retain_grad()` three times: `before = [x.grad, ...]`, then `backward()`, "
        "then `after = [x.grad, ...]`.",
    ),
    because="All three have a gradient now, even `total`: it's the 1 that the pass starts with.",
    probe=_notes,
    slips=(
        Slip(
            "retain_grad() works at any time",
            f"{_QUIET}{_MADE}before = {_GRADS}{_BACK}{_KEEP}after = {_GRADS}",
            "`after` holds the gradient of `x` and two `None`. `doubled` and `total` aren't "
            "leaves, so their gradients were dropped during `backward()`. Had you asked for them "
            "by then?",
            misconception=1,
        ),
        Slip(
            "retain_grad() fetches the gradient",
            f"{_MADE}{_KEEP}before = {_GRADS}after = {_GRADS}",
            "`after` is three times `None`: either no `backward()` ran, or `after` was made before "
            "it. `retain_grad()` only says *keep it when it comes*.",
        ),
        Slip(
            "retain_graph keeps gradients",
            f"{_QUIET}{_MADE}before = {_GRADS}total.backward(retain_graph=True)\nafter = {_GRADS}",
            "`doubled` didn't keep its gradient: `doubled.retains_grad` is `False`. If you passed "
            "`retain_graph=True`, that kept something else: what the *nodes* need for another "
            "backward pass. Which call makes one tensor keep its gradient?",
            misconception=18,
            when=lambda seen: not seen["`doubled.retains_grad`"],
        ),
        Slip(
            "The old name can be used again",
            "x = torch.ones(3, requires_grad=True)\nx = x * 2\ndoubled = x\ntotal = doubled.sum()\n"
            f"{_KEEP}before = {_GRADS}{_BACK}after = {_GRADS}",
            "`x` isn't a leaf: you gave its name to the doubled tensor. The leaf is still in the "
            "graph, without a name, like the one from the start of the lesson. Use a new name.",
            misconception=1,
            when=lambda seen: not seen["the claim that `x` is a leaf that requires grad"],
        ),
    ),
)


def _will(attempt: Attempt) -> Iterator[Observation]:
    ask, torch = attempt.function("will_fill"), attempt.torch
    for also, values in (("", [1.0, 2.0]), (" with other numbers", attempt.drawn(2))):
        x, w, spare = (torch.tensor(values, requires_grad=True) for _ in range(3))
        product = x * w
        kept = product + x
        result = ((kept * product).exp() + 1).sum()
        kept.retain_grad()
        passed: list[Any] = []
        result.register_hook(passed.append)
        named = {"x": x, "w": w, "spare": spare, "product": product, "kept": kept}
        named["an intermediate of another graph"] = other = spare * 2
        other.retain_grad()
        named["a constant"] = torch.tensor(values)
        order = [list(named)[i] for i in attempt.random.permutation(len(named))]
        yield f"its first answer for `x`{also}", bool(ask(result, x))
        for name in order:
            whose = f"`{name}`" if " " not in name else name
            yield f"its answer for {whose}{also}", bool(ask(result, named[name]))
        yield f"the claim that no gradient was computed{also}", x.grad is None and not passed


_BOTH = "    if not (tensor.requires_grad and (tensor.is_leaf or tensor.retains_grad)):\n"
_HEAD = f"def will_fill(result, tensor):\n{_BOTH}        return False\n"
_MARK = "getattr(node, 'variable', None) is tensor or node is tensor.grad_fn"
_LOOP = f"""    todo, seen = [result.grad_fn], set()
    while todo:
        node = todo.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if {_MARK}:
            return True
        todo += [source for source, _ in node.next_functions]
    return False
"""

will_fill = Exercise(
    id="07_will_fill",
    title="The three questions as code",
    prompt="""
**20 minutes.** Write `will_fill(result, tensor)`. It returns `True` if `result.backward()` would
fill `tensor.grad`, and `False` if not. It must not compute any gradient: read the graph instead.

Remember `retain_grad()`, too: a non-leaf with `retains_grad` gets its gradient if a path from
`result` leads to it. In the graph, `node.next_functions` (lesson 02) gives pairs whose first part
is a node or `None`. A leaf's node has `variable`, the leaf itself; a non-leaf's node is its
`grad_fn`.
""",
    starter="def will_fill(result, tensor):\n    ...",
    answers=("will_fill",),
    solutions=(_HEAD + _LOOP,),
    hints=(
        "Two of the three questions are attributes of `tensor`. Which one needs the graph?",
        "Start at `result.grad_fn` with a list of nodes to visit, and add each node's "
        "`next_functions`. What tells you that you've arrived at `tensor`?",
        "`getattr(node, 'variable', None) is tensor` for a leaf, `node is tensor.grad_fn` for a "
        "retained non-leaf.",
    ),
    because="That's the three questions in a dozen lines. It's also a debugging tool: before you "
    "train, run it for every weight.",
    probe=_will,
    slips=(
        Slip(
            "Two conditions are enough",
            "def will_fill(result, tensor):\n"
            "    return tensor.requires_grad and (tensor.is_leaf or tensor.retains_grad)\n",
            "Your function says that `spare.grad` gets filled. `spare` is a leaf that requires "
            "grad, but `result` wasn't computed from it. Follow the graph: does any path reach it?",
            when=lambda seen: seen["its answer for `spare`"],
        ),
        Slip(
            "Only leaves are ever filled",
            _HEAD.replace(" or tensor.retains_grad", "") + _LOOP,
            "Your function says that `kept.grad` stays `None`. It isn't a leaf, but "
            "`kept.retain_grad()` was called. Which attribute tells you, and which node of the "
            "graph made it?",
            when=lambda seen: not seen["its answer for `kept`"] and seen["its answer for `w`"],
        ),
        Slip(
            "Whatever is in the graph keeps its gradient",
            "def will_fill(result, tensor):\n" + _LOOP,
            "Your function says that `product.grad` gets filled. Its gradient passes through, but "
            "it isn't a leaf and doesn't retain: what happens to the gradient then?",
            misconception=1,
            when=lambda seen: seen["its answer for `product`"],
        ),
        Slip(
            "Try it and look",
            _HEAD
            + "    (found,) = torch.autograd.grad(\n        result, tensor, retain_graph=True, "
            "allow_unused=True)\n    return found is not None\n",
            "Your answers are right, but each costs a whole backward pass: a hook on `result` saw "
            "the gradient go by. All you need to know is in the graph before any pass runs.",
        ),
    ),
)
