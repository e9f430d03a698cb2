"""Lesson 00: reading a picture, a gradient, and making a first graph."""

from typing import Any

from minigrad.exercises.attempt import Attempt, close, numerals, shown
from minigrad.exercises.exercise import Exercise, NotYet, Wrong
from minigrad.viz.read.protocol import is_tensor


def _tensors(torch: Any) -> dict[str, Any]:
    """The tensors of the first two exercises, by their names there."""
    a = torch.tensor(3.0, requires_grad=True)
    b = torch.tensor(4.0, requires_grad=True)
    return {"a": a, "b": b, "total": a * b + a}


def _picture(attempt: Attempt) -> None:
    leaves, operations = attempt.number("leaves"), attempt.number("operations")
    named = _tensors(attempt.torch)
    if leaves == 3:
        raise NotYet(
            "`a` is used twice, so two arrows leave it. It is still one tensor and one blue card.",
            shows="one leaf for each use",
            draw=named,
        )
    if leaves != 2:
        raise NotYet(
            f"You count {leaves:g} leaves. They are the blue cards with a thick edge.",
            draw=named,
        )
    if operations == 3:
        raise NotYet(
            "`leaves` is right. The operations are the gray circles alone. The purple card is what "
            "came out of the last one: a tensor.",
            shows="the result counted as an operation",
            draw=named,
        )
    if operations != 2:
        raise NotYet(
            f"`leaves` is right. You count {operations:g} operations. They are the gray circles.",
            draw=named,
        )


picture = Exercise(
    id="00_picture",
    title="Read a picture",
    prompt="""
Look at the picture above. How many **leaves** has it, and how many **operations**?

Write a number in place of each `...`, run the cell, then run the one below it.
""",
    starter="leaves = ...\noperations = ...",
    answers=("leaves", "operations"),
    solutions=("leaves = 2\noperations = 2", "leaves = len(['a', 'b'])\noperations = leaves"),
    hints=(
        "Leaves are the blue cards. Operations are the gray circles.",
        "`a * b` is one operation. What is done with its result is another.",
    ),
    check=_picture,
    because="The leaves `a` and `b`; a multiplication and an addition. `total` is the result.",
    wrong=(
        Wrong("leaves = 3\noperations = 2", shows="one leaf for each use"),
        Wrong("leaves = 2\noperations = 3", shows="the result counted as an operation"),
    ),
)


def _slope(attempt: Attempt) -> None:
    given = attempt.number("slope_of_a")
    named, walked = _tensors(attempt.torch), _tensors(attempt.torch)
    walked["total"].backward()
    a, b, total = walked.values()
    if close(given, a.grad):
        return
    if close(given, a) or close(given, total) or close(given, a * b):
        raise NotYet(
            f"`{given:g}` is a value. The slope is what stands beside the word *grad* on the card "
            "of `a`, once `total.backward()` has run.",
            shows="value for slope",
            draw=named,
        )
    if close(given, b) or close(given, 1):
        raise NotYet(
            f"`{given:g}` is the slope along *one* of the two arrows that leave `a`. When `a` "
            "grows, `total` grows along both.",
            shows="one use only",
            draw=named,
        )
    if close(given, 2 * a.grad):
        raise NotYet(
            f"`{given:g}` is what two calls of `backward()` leave in `a.grad`, one added to the "
            "other. Make `a`, `b` and `total` anew, and call it once.",
            shows=2,
            draw=named,
        )
    raise NotYet(
        f"It is not `{given:g}`. Call `total.backward()`, then look at the card of `a`, beside "
        "*grad*.",
        draw=named,
    )


slope = Exercise(
    id="00_slope",
    title="Read a slope",
    prompt="""
The same two leaves, `a = 3` and `b = 4`, and `total = a * b + a`. If `a` grew by a little, how many
times as much would `total` grow?

You may work it out, or let `total.backward()` do it and read the picture. Both count.
""",
    starter="slope_of_a = ...",
    answers=("slope_of_a",),
    solutions=(
        "slope_of_a = 5",
        """
a = torch.tensor(3.0, requires_grad=True)
b = torch.tensor(4.0, requires_grad=True)
total = a * b + a
total.backward()
slope_of_a = a.grad
""",
    ),
    hints=(
        "Write `total.backward()` into the cell and run it. Then `draw(total)` in a new cell.",
        "If `a` grows by 1, `a * b` grows by `b`, which is 4. And then there is the `+ a`.",
    ),
    check=_slope,
    because="4 by way of the product, and 1 by way of the sum: 5.",
    wrong=(
        Wrong("slope_of_a = 3", shows="value for slope"),
        Wrong("slope_of_a = 3 * 4 + 3", shows="value for slope"),
        Wrong("slope_of_a = 4", shows="one use only"),
        Wrong("slope_of_a = 1", shows="one use only"),
        Wrong(
            """
a = torch.tensor(3.0, requires_grad=True)
b = torch.tensor(4.0, requires_grad=True)
for _ in range(2):
    total = a * b + a
    total.backward()
slope_of_a = a.grad
""",
            shows=2,
        ),
        Wrong(
            "a = torch.tensor(3.0, requires_grad=True)\n"
            "b = torch.tensor(4.0, requires_grad=True)\n"
            "total = a * b + a\ntotal.backward()\nslope_of_a = b.grad + 0",
            shows="value for slope",
        ),
    ),
)


def _record(attempt: Attempt) -> None:
    p, q = attempt.tensor("p"), attempt["q"]
    if not p.requires_grad:
        raise NotYet(
            "Nobody asked for a gradient of `p`: its `requires_grad` is False. So nothing was "
            "recorded.",
            shows="nothing asked for",
            draw=p,
        )
    if p.numel() != 1 or p.item() != 4:
        raise NotYet(f"The value of `p` is {numerals(p)}, and not 4.", draw=p)
    if p.dim():
        raise NotYet("`p` is a *list* of one number. Leave out the brackets: `4.0`.", draw=p)
    if not is_tensor(q):
        raise NotYet(
            f"`q` is {shown(q)}. A plain number has no history, so no graph leads to it. Compute "
            "`q` from `p` itself, without `.item()`.",
            shows=16,
        )
    if not close(q, 13):
        raise NotYet(f"The value of `q` is {numerals(q)}; three times 4, plus 1, is 13.", draw=q)
    if not _leads_to(q.grad_fn, p):
        raise NotYet("No arrow leads from `p` to `q`. Compute `q` from `p`.", shows=16, draw=q)
    if p.grad is None:
        raise NotYet(
            "The graph is right. But `p.grad` is still None: call `q.backward()`.",
            shows="no backward",
            draw=q,
        )
    if not close(p.grad, 3):
        raise NotYet(
            f"`p.grad` is {p.grad.item():g}. `backward()` adds to what is there. Run the whole "
            "cell again, so that `p` is made anew.",
            shows=2,
            draw=q,
        )


def _leads_to(node: Any, leaf: Any) -> bool:
    """Whether a road through the graph leads from this node back to the leaf."""
    if node is None:
        return False
    if getattr(node, "variable", None) is leaf:
        return True
    return any(_leads_to(before, leaf) for before, _ in node.next_functions)


record = Exercise(
    id="00_record",
    title="A graph of your own",
    prompt="""
Make a tensor `p` with the value 4 that asks for a gradient. Compute `q`, three times `p` plus 1.
Then let `backward()` find the slope.
""",
    starter="p = ...\nq = ...",
    answers=("p", "q"),
    solutions=(
        "p = torch.tensor(4.0, requires_grad=True)\nq = p * 3 + 1\nq.backward()",
        "p = torch.tensor(4.0).requires_grad_()\ntripled = p + p + p\nq = 1 + tripled\n"
        "torch.autograd.backward(q)",
    ),
    hints=(
        "The cell *A first graph* above made such a tensor. Which word asked for the gradient?",
        "`p = torch.tensor(4.0, requires_grad=True)`. The point in `4.0` matters.",
        "The third line is `q.backward()`.",
    ),
    check=_record,
    because="`p.grad` is 3: whatever `p` grows by, `q` grows by three times as much.",
    wrong=(
        Wrong("p = torch.tensor(4.0)\nq = p * 3 + 1", shows="nothing asked for"),
        Wrong("p = torch.tensor(4, requires_grad=True)\nq = p * 3 + 1", shows=15),
        Wrong(
            "p = torch.tensor(4.0, requires_grad=True)\nq = 3 * p.item() + 1",
            shows=16,
        ),
        Wrong(
            "p = torch.tensor(4.0, requires_grad=True)\nq = torch.tensor(3 * p.item() + 1)",
            shows=16,
        ),
        Wrong("p = torch.tensor(4.0, requires_grad=True)\nq = 3 * p + 1", shows="no backward"),
        Wrong(
            "p = torch.tensor(4.0, requires_grad=True)\n"
            "for _ in range(2):\n    q = 3 * p + 1\n    q.backward()",
            shows=2,
        ),
    ),
)
