"""Lesson 20, parts 1 and 2: what the engine records, and its slopes."""

from minigrad.exercises.engine_file import STEPS, parts
from minigrad.exercises.engine_programs import probe_of
from minigrad.exercises.exercise import Exercise, Slip

_RECORD, _RULES = parts()[1:3]


# 1. A result remembers.


record = Exercise(
    id=STEPS[0],
    title="Part 1 · A result remembers",
    prompt="""
**15 minutes.** Write three functions.

`record(name, value, inputs, rule, **saved)` returns a `Tensor` with that value. If recording is on
(`Tensor.recording`) and at least one of the inputs requires grad, the tensor gets a `grad_fn`:
`Node(name, inputs, rule, **saved)`. Otherwise it has no history.

`add(a, b)` and `mul(a, b)` return what `record` makes of two tensors. Call them `"AddBackward0"`
and `"MulBackward0"`. Their rules are `add_rule` and `mul_rule`, which you'll write in part 2. (The
check lends you these two. If you call `add` yourself before part 2, you get a `NameError`.) The
product's rule needs both factors, so save them, as PyTorch does: `self=a, other=b`.
""",
    starter="""
def record(name, value, inputs, rule, **saved):
    ...


def add(a, b):
    ...


def mul(a, b):
    ...
""",
    answers=("record", "add", "mul"),
    solutions=(_RECORD,),
    hints=(
        "`record` has two cases. Which one is `Tensor(value)` and nothing else?",
        "One input that requires grad is enough, and `any(...)` finds out whether there is one. "
        "The numbers of a tensor are in `.data`.",
        '`add` is one line: `return record("AddBackward0", ..., (a, b), add_rule)`. For `mul`, the '
        "saved tensors follow at the end.",
    ),
    because="Every operation you'll ever add goes through `record`. It's the whole recorder.",
    probe=probe_of(STEPS[0]),
    slips=(
        Slip(
            "All inputs have to require grad",
            _RECORD.replace("any(", "all("),
            "`a * data` has no graph, although `a` requires grad. You recorded only if *all* "
            "inputs require grad, so every network would lose its weights at the first product "
            "with data. How many of the inputs are enough?",
        ),
        Slip(
            "Everything is recorded",
            _RECORD.replace("Tensor.recording and any(one.requires_grad for one in inputs)", "1"),
            "`data + data` has a graph, and neither of its inputs requires grad. A backward pass "
            "through it would have nowhere to go. Ask the inputs before you make a node.",
            when=lambda seen: seen["the graph of `data + data`"] != "no graph",
        ),
        Slip(
            "Recording can't be off",
            _RECORD.replace("Tensor.recording and ", ""),
            "With `Tensor.recording` set to `False`, `a * b` still got a node. Part 5 will build "
            "`no_grad` on that flag, so `record` has to look at it. Where in the condition?",
        ),
        Slip(
            "An input counts once",
            _RECORD.replace("Node(name, inputs,", "Node(name, dict.fromkeys(inputs),"),
            "The graph of `a + a` has one edge. There are two *uses* of `a`, and each will bring a "
            "gradient back (lesson 04). Pass `inputs` on as they are.",
        ),
        Slip(
            "The result is all that a product needs",
            _RECORD.replace("self=a, other=b", "result=Tensor(a.data * b.data)"),
            "Your product saved its result. Look at the rule in part 2: each factor gets upstream "
            "times the *other* factor. What does it need, then?",
            when=lambda seen: seen["what the node of `a * b` saved"].endswith(" = another tensor"),
        ),
        Slip(
            "An array is as good as a tensor",
            _RECORD.replace("self=a, other=b", "self=a.data, other=b.data"),
            "Your product saved arrays. What a node saves are *tensors*: `mul_rule` will read "
            "their `.data`, and the picture shows them by name. What's too much in "
            "`self=a.data`?",
            when=lambda seen: "not a tensor" in seen["what the node of `a * b` saved"],
        ),
        Slip(
            "The rule knows the factors",
            _RECORD.replace(", self=a, other=b", ""),
            "The node of `a * b` saved nothing, so Python says that `mul_rule` is *missing 2 "
            "required positional arguments*. Does `mul` pass its factors to `record`, and does "
            "`record` pass them on to `Node`, with both stars?",
        ),
        Slip(
            "grad_fn is all that makes a history",
            _RECORD.replace(
                "return Tensor(value, grad_fn=Node(name, inputs, rule, **saved))",
                "result = Tensor(value)\n        result.grad_fn = Node(name, inputs, rule, **saved)"
                "\n        return result",
            ),
            "`a * b` has its `grad_fn`, but the graph of `a * b + a` doesn't lead to it. You set "
            "`grad_fn` on a finished tensor, so its `node` and `requires_grad` still say that "
            "there's no history. `Tensor(...)` sets all of them. Which argument does it take?",
            when=lambda seen: seen["the graph of `a * b + a`"] == "AddBackward0(no grad, a)",
        ),
        Slip(
            "No history, no result",
            _RECORD.replace("    return Tensor(value)\n", ""),
            "`data + data` returned `None`. You return a tensor if there's something to record, "
            "and nothing otherwise. A result without a history is a tensor, too.",
        ),
    ),
)


# 2. Local slopes.

_AT_ONE = "`mul_rule` at upstream 1, for 2 × 5,"


rules = Exercise(
    id=STEPS[1],
    title="Part 2 · Local slopes",
    prompt="""
**5 minutes.** A rule gets the gradient that arrives at its node (upstream), then what the node
saved. It returns one gradient for each input: *upstream × local*.

Write `add_rule(gradient)` for an addition, and `mul_rule(gradient, a, b)` for a product of the
tensors `a` and `b`. `gradient` and `a.data` are numpy arrays, or plain numbers. What you return is
of that kind, too, and not a `Tensor`.
""",
    starter="def add_rule(gradient):\n    ...\n\n\ndef mul_rule(gradient, a, b):\n    ...",
    answers=("add_rule", "mul_rule"),
    solutions=(_RULES,),
    hints=(
        "Lesson 03, the numbers on the edges: what did the `+` pass on to each side, and what did "
        "the `×`?",
        "Nudge one term of a sum by 0.1, and the sum moves by 0.1. Nudge one factor of a product "
        "by 0.1, and it moves by 0.1 times the other.",
        "Both functions end in `return ..., ...`. In the second, each entry is a product of "
        "`gradient` and a `.data`.",
    ),
    because="An addition passes on what arrives, and a product swaps its factors. So far, "
    "that's all your engine knows about slopes.",
    probe=probe_of(STEPS[1]),
    slips=(
        Slip(
            "Only one factor gets a gradient",
            _RULES.replace(", gradient * a.data", ", 0 * gradient"),
            "Your `mul_rule` has a gradient for one of the two factors only. A product moves when "
            "you nudge *either* of them. What's the slope with respect to the other one?",
            when=lambda seen: (
                seen[_AT_ONE] in ("not two gradients", "a gradient and None")
                or seen[_AT_ONE] in ([5, 0], [0, 2], [2, 0], [0, 5])
            ),
        ),
        Slip(
            "Both factors get the same gradient",
            _RULES.replace(", gradient * a.data", ", gradient * b.data"),
            "Both factors got upstream × `b`. That's right for the first. By how much does `a * b` "
            "move when you nudge `b` by 0.1, if `a` is 2?",
        ),
        Slip(
            "Each factor gets its own value",
            _RULES.replace("b.data, gradient * a.data", "a.data, gradient * b.data"),
            "For 2 × 5 you passed 2 to the 2, and 5 to the 5. Nudge the 2: the product moves five "
            "times as far. So whose value belongs in the gradient of `a`?",
        ),
        Slip(
            "The local slope is all",
            "def add_rule(gradient):\n    return 1.0, 1.0\n\n\n"
            "def mul_rule(gradient, a, b):\n    return b.data, a.data",
            "With upstream 1 you're right. With upstream 3 you pass on the same numbers, so "
            "whatever happened toward the loss is lost. Multiply the local slope by what arrives.",
        ),
        Slip(
            "A gradient is a tensor",
            _RULES.replace("gradient * b.data, gradient * a.data", "gradient * b, gradient * a"),
            "Your `mul_rule` returns tensors. Inside a backward pass, gradients are numpy arrays, "
            "and nothing about them is recorded. Where are a tensor's numbers?",
            when=lambda seen: seen[_AT_ONE] == "a Tensor, and not an array",
        ),
        Slip(
            "A sum divides its gradient",
            _RULES.replace("gradient, gradient\n", "gradient / 2, gradient / 2\n"),
            "Your sum splits what arrives between its two terms. But nudge one of them by 0.1: the "
            "sum moves by 0.1, not by half of it. What does each term get?",
        ),
    ),
)
