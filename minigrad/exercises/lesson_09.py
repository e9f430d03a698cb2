"""Lesson 09: three tools that cut the graph, and what they leave."""

from typing import Any

from minigrad.exercises.attempt import Attempt, close, numerals, shown
from minigrad.exercises.exercise import Exercise, NotYet, Wrong
from minigrad.viz.read.protocol import is_tensor


def _quiet(attempt: Attempt) -> None:
    quiet = attempt.tensor("quiet")
    if quiet.requires_grad:
        raise NotYet("`quiet` is still recorded.", shows="still recorded", draw=quiet)
    if tuple(quiet.shape) != (2,) or not close(quiet, [2.0, 4.0]):
        raise NotYet(
            f"`quiet` should hold the numbers of `x * 2`, 2 and 4. It holds {numerals(quiet)}."
        )


quiet = Exercise(
    id="09_quiet",
    title="A result that is not recorded",
    prompt="""
`x` is a leaf with the values 1 and 2 that requires grad. Make `quiet`, a tensor with the numbers
of `x * 2` that requires no grad. `x` is to stay as it is.
""",
    starter="x = torch.tensor([1.0, 2.0], requires_grad=True)\nquiet = ...",
    answers=("quiet",),
    solutions=(
        "x = torch.tensor([1.0, 2.0], requires_grad=True)\nquiet = (x * 2).detach()",
        "x = torch.tensor([1.0, 2.0], requires_grad=True)\n"
        "with torch.no_grad():\n    quiet = x * 2",
    ),
    hints=(
        "The flag of a result is not yours to set. What else takes a tensor out of the record?",
        "Either compute it where nothing is recorded, or detach it afterwards.",
    ),
    check=_quiet,
    because="A result's flag follows from its inputs; a detached tensor has a flag of its own.",
    wrong=(
        Wrong(
            "x = torch.tensor([1.0, 2.0], requires_grad=True)\nquiet = x * 2\n"
            "quiet.requires_grad_(False)",
            shows=8,
        ),
        Wrong(
            "x = torch.tensor([1.0, 2.0], requires_grad=True)\nquiet = x * 2\n"
            "quiet.requires_grad = False",
            shows=8,
        ),
        Wrong(
            "x = torch.tensor([1.0, 2.0], requires_grad=True)\nquiet = (x * 2).clone()",
            shows="still recorded",
        ),
    ),
)


_TOOLS = ("detach()", "no_grad()", "requires_grad_(False)")
_SITUATIONS = {
    "to_freeze_one_weight": (
        "requires_grad_(False)",
        "One leaf is to get no gradient, and gradients are still to pass by on their way to "
        "others. Which tool changes one leaf?",
    ),
    "to_use_a_value_once_without_its_past": (
        "detach()",
        "One use of a value is to be cut, while its other uses stay in the record. Which tool "
        "makes a second tensor?",
    ),
    "to_evaluate_a_whole_network": (
        "no_grad()",
        "A whole stretch of code is to leave no record. Which tool is put around code?",
    ),
}


def _tool(attempt: Attempt) -> None:
    for name, (right, why) in _SITUATIONS.items():
        if attempt.choice(name, _TOOLS) != right:
            raise NotYet(f"`{name}`: {why}", shows=9)


def _tools_named(*tools: str) -> str:
    pairs = zip(_SITUATIONS, tools, strict=True)
    return "\n".join(f'{name} = "{tool}"' for name, tool in pairs)


tool = Exercise(
    id="09_tool",
    title="Choose the tool",
    prompt="""
Which tool fits each purpose: `"detach()"`, `"no_grad()"` or `"requires_grad_(False)"`?

- to keep one weight of a network as it is, while the weights before it go on learning
- to use a value in one place as a plain number, while it stays in the record for another place
- to compute the results of a whole network, without training it
""",
    starter="\n".join(f"{name} = ..." for name in _SITUATIONS),
    answers=tuple(_SITUATIONS),
    solutions=(
        _tools_named("requires_grad_(False)", "detach()", "no_grad()"),
        _tools_named("requires_grad_(False)", "detach", "no_grad"),
    ),
    hints=(
        "One tool acts on a leaf, one on a single use of a tensor, one on a stretch of code.",
        "Look at the table *Three tools, three effects*.",
    ),
    check=_tool,
    because="A leaf, a single use, a stretch of code: that is where the three differ.",
    wrong=(
        Wrong(_tools_named("detach()", "detach()", "no_grad()"), shows=9),
        Wrong(_tools_named("requires_grad_(False)", "no_grad()", "no_grad()"), shows=9),
        Wrong(_tools_named("requires_grad_(False)", "detach()", "requires_grad_(False)"), shows=9),
    ),
)


def _chain(torch: Any, freeze: bool) -> tuple[list[Any], dict[str, Any]]:
    """The gradients of the three weights, and the tensors by name."""
    weights = [torch.tensor(value, requires_grad=True) for value in (2.0, 3.0, 4.0)]
    weights[1].requires_grad_(not freeze)
    h0 = weights[0] * 1
    h1 = weights[1] * h0
    out = weights[2] * (h1 if freeze else h1.detach())
    out.backward()
    named = {"out": out, "h1": h1, "h0": h0, "w2": weights[2], "w1": weights[1], "w0": weights[0]}
    return [None if w.grad is None else w.grad.item() for w in weights], named


def _gradients(attempt: Attempt) -> None:
    for name, freeze in (("frozen", True), ("detached", False)):
        given = attempt[name]
        if not isinstance(given, list | tuple) or len(given) != 3:
            raise NotYet(f"`{name}` is {shown(given)}; a list of three is wanted.")
        wanted, drawn = _chain(attempt.torch, freeze)
        for index, (one, right) in enumerate(zip(given, wanted, strict=True)):
            if one is not None and not attempt.is_number(one) and not is_tensor(one):
                raise NotYet(
                    f"`{name}[{index}]` is {shown(one)}; a number or None (no text) is wanted."
                )
            said = None if one is None else attempt.checked_number(one, f"`{name}[{index}]`")
            if said is None and right is None:
                continue
            if said == 0 and right is None:
                raise NotYet(
                    f"`{name}[{index}]`: 0 would be a gradient that has arrived, and is 0. What "
                    "stands in `.grad` if none has arrived?",
                    shows="zero for None",
                    draw=drawn,
                )
            if said is None or right is None:
                raise NotYet(f"`{name}[{index}]`: {_why(freeze, index)}", shows=9, draw=drawn)
            if not close(said, right):
                raise NotYet(
                    f"`{name}[{index}]` is a number, but not {said:g}. Multiply the slopes along "
                    "the road from `out`.",
                    draw=drawn,
                )


def _why(freeze: bool, index: int) -> str:
    if not freeze:
        return (
            "`detach()` cuts the road between `h1` and `out`. What is behind the cut gets nothing; "
            "what is on this side gets what it always got."
        )
    if index == 1:
        return "`w1` is frozen: it asks for no gradient and gets none."
    return "a frozen weight takes no gradient, but it lets gradients pass by, through the product."


gradients = Exercise(
    id="09_gradients",
    title="What is left?",
    prompt="""
```python
w0, w1, w2 = [torch.tensor(value, requires_grad=True) for value in (2.0, 3.0, 4.0)]
h0 = w0 * 1
h1 = w1 * h0
out = w2 * h1
```

Without a cut the gradients of `w0`, `w1` and `w2` are 12, 8 and 6. What are they

- if `w1.requires_grad_(False)` stands in the second line: `frozen`
- if the last line is `out = w2 * h1.detach()`: `detached`

Three entries each, numbers or `None`.
""",
    starter="frozen = [..., ..., ...]\ndetached = [..., ..., ...]",
    answers=("frozen", "detached"),
    solutions=(
        "frozen = [12, None, 6]\ndetached = [None, None, 6]",
        """
def chain(freeze):
    weights = [torch.tensor(value, requires_grad=True) for value in (2.0, 3.0, 4.0)]
    weights[1].requires_grad_(not freeze)
    h1 = weights[1] * (weights[0] * 1)
    out = weights[2] * (h1 if freeze else h1.detach())
    out.backward()
    return [weight.grad for weight in weights]


frozen, detached = chain(True), chain(False)
""",
    ),
    hints=(
        "Draw the chain after each cut. Which blue cards are left?",
        "A frozen leaf is no roadblock. A detached tensor is.",
    ),
    check=_gradients,
    because="Freezing takes one leaf out. Detaching takes out all that lies behind the cut.",
    wrong=(
        Wrong("frozen = [None, None, 6]\ndetached = [None, None, 6]", shows=9),
        Wrong("frozen = [12, None, 6]\ndetached = [12, None, 6]", shows=9),
        Wrong("frozen = [12, 0, 6]\ndetached = [None, None, 6]", shows="zero for None"),
        Wrong("frozen = [12, 8, 6]\ndetached = [None, None, 6]", shows=9),
    ),
)


def _half(attempt: Attempt) -> None:
    half = attempt.function("half_recorded")
    torch = attempt.torch
    for values in ([3.0, 5.0], attempt.drawn(2)):
        x = torch.tensor(values, requires_grad=True)
        y = attempt.checked_tensor(half(x), "What `half_recorded` gives back")
        if not close(y, x * x):
            raise NotYet(
                f"For `x = {values}` the values are {numerals(y)}. They should be those of "
                "`x * x`.",
                draw={"y": y, "x": x},
            )
        if not y.requires_grad:
            raise NotYet(
                "Now nothing leads back to `x` at all. Cut *one* of its two uses, not both.",
                shows=9,
                draw={"y": y, "x": x},
            )
        (gradient,) = torch.autograd.grad(y.sum(), x, retain_graph=True, allow_unused=True)
        if gradient is None or not close(gradient, x):
            said = "nothing" if gradient is None else numerals(gradient)
            raise NotYet(
                f"For `x = {values}` the gradient is {said}; only one of the two factors is to "
                "count.",
                shows="nothing is cut",
                draw={"y": y, "x": x},
            )


half = Exercise(
    id="09_half",
    title="Cut one road of two",
    prompt=r"""
Write a function with the value $x^2$ and the gradient $x$, not $2x$: one of the two factors is to
be treated as a constant.
""",
    starter="def half_recorded(x):\n    ...",
    answers=("half_recorded",),
    solutions=(
        "def half_recorded(x):\n    return x * x.detach()",
        "def half_recorded(x):\n    with torch.no_grad():\n        constant = x + 0\n"
        "    return constant * x",
    ),
    hints=(
        "In `x * x`, `x` is used twice. Which tool cuts a single use?",
        "`x.detach()` has the numbers of `x` and no past.",
    ),
    check=_half,
    because="Only the road through the factor that is not detached leads back.",
    wrong=(
        Wrong("def half_recorded(x):\n    return x * x", shows="nothing is cut"),
        Wrong("def half_recorded(x):\n    return (x * x).detach()", shows=9),
        Wrong("def half_recorded(x):\n    with torch.no_grad():\n        return x * x", shows=9),
    ),
)


def _shared(attempt: Attempt) -> None:
    changed = attempt.function("with_a_hundred", changes=True)
    for values in ([1.0, 2.0, 3.0], attempt.drawn(4)):
        x = attempt.torch.tensor(values, requires_grad=True)
        given = attempt.checked_tensor(changed(x), "What `with_a_hundred` gives back")
        if not close(x, values):
            raise NotYet(
                "`x` itself is changed now: you have written into *its* numbers. A second name, "
                "`detach()` and `.data` copy nothing.",
                shows=10,
                draw={"x": x},
            )
        if not close(given, [100.0, *values[1:]]):
            raise NotYet(
                f"For `x = {values}` you give back {numerals(given)}. The first of the numbers "
                "should be 100, and the others as in `x`."
            )
        if given.requires_grad:
            raise NotYet(
                "The numbers are right, and `x` is untouched. But the new tensor is still in the "
                "record: a copy made by `clone()` is an operation like any other.",
                shows="still recorded",
                draw={"given": given, "x": x},
            )


shared = Exercise(
    id="09_shared",
    title="One storage or two?",
    prompt="""
`with_a_hundred(x)` is to give back a tensor outside the record: the numbers of `x`, but 100 in
the first place. `x` itself must stay as it is.
""",
    starter="def with_a_hundred(x):\n    ...",
    answers=("with_a_hundred",),
    solutions=(
        "def with_a_hundred(x):\n    copy = x.detach().clone()\n    copy[0] = 100.0\n"
        "    return copy",
        "def with_a_hundred(x):\n    with torch.no_grad():\n        copy = x + 0\n"
        "        copy[0] = 100.0\n    return copy",
    ),
    hints=(
        "Print `x` after your function was called. Has it changed?",
        "`detach()` leaves the record, `clone()` copies the numbers. You need both.",
    ),
    check=_shared,
    because="Two tensors and two storages: writing into one is not seen in the other.",
    wrong=(
        Wrong(
            "def with_a_hundred(x):\n    d = x.detach()\n    d[0] = 100.0\n    return d", shows=10
        ),
        Wrong("def with_a_hundred(x):\n    d = x.data\n    d[0] = 100.0\n    return d", shows=10),
        Wrong(
            "def with_a_hundred(x):\n    copy = x.clone()\n    copy[0] = 100.0\n    return copy",
            shows="still recorded",
        ),
        Wrong("def with_a_hundred(x):\n    x[0] = 100.0\n    return x", shows=6),
    ),
)
