"""Lesson 07: leaves, hidden gradients, and what retain_grad is not."""

from functools import partial
from typing import Any

from minigrad.exercises.attempt import Attempt, close, numerals
from minigrad.exercises.exercise import Exercise, NotYet, Wrong
from minigrad.exercises.watching import walks

_LINES = (
    ("w", "torch.ones(2, requires_grad=True)"),
    ("scaled", "w * 0.1"),
    ("cut", "w.detach()"),
    ("wide", "w.double()"),
    ("plain", "torch.ones(2) + 1"),
    ("parameter", "torch.nn.Parameter(torch.ones(2))"),
)


def _made(torch: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"torch": torch}
    for name, code in _LINES:
        made[name] = eval(code, made)
    return made


def _filled(attempt: Attempt) -> None:
    given = attempt.flags("filled", len(_LINES))
    made = _made(attempt.torch)
    for (name, _), answer in zip(_LINES, given, strict=True):
        tensor = made[name]
        if answer == (tensor.requires_grad and tensor.is_leaf):
            continue
        drawn = {name: tensor} if tensor.is_leaf else {name: tensor, "w": made["w"]}
        if not answer:
            asked = "A Parameter asks by itself." if name == "parameter" else "It asked."
            raise NotYet(
                f"`{name}` is a leaf that requires grad. {asked} Its `.grad` is filled.",
                shows="a leaf that asked",
                draw=drawn,
            )
        if tensor.requires_grad:
            raise NotYet(
                f"`{name}` was computed from `w`, and that was recorded. It has a `grad_fn`, so it "
                "is no leaf, and its gradient passes by.",
                shows=1,
                draw=drawn,
            )
        raise NotYet(
            f"`{name}` is a leaf, but nobody asked: its `requires_grad` is False. No gradient ever "
            "comes there.",
            shows="a leaf that did not ask",
            draw=drawn,
        )


filled = Exercise(
    id="07_filled",
    title="Filled or not?",
    prompt="\n".join(
        (
            "```python",
            *(f"{name} = {code}" for name, code in _LINES),
            "```",
            "",
            "Each of the six goes into one result, and `backward()` is called on it. Whose `.grad` "
            "is filled? Six times `True` or `False`, in the order of the lines.",
        )
    ),
    starter="filled = [..., ..., ..., ..., ..., ...]",
    answers=("filled",),
    solutions=(
        "filled = [True, False, False, False, False, True]",
        """
w = torch.ones(2, requires_grad=True)
six = [w, w * 0.1, w.detach(), w.double(), torch.ones(2) + 1, torch.nn.Parameter(torch.ones(2))]
filled = [tensor.requires_grad and tensor.is_leaf for tensor in six]
""",
    ),
    hints=(
        "Two questions for each: does it require grad? And has it no `grad_fn`? Twice yes: filled.",
        "Which of the lines compute something from `w` that is recorded? These are no leaves.",
    ),
    check=_filled,
    because="Only `w` and the Parameter are leaves that require grad.",
    wrong=(
        Wrong("filled = [True, True, False, False, False, True]", shows=1),
        Wrong("filled = [True, False, False, True, False, True]", shows=1),
        Wrong("filled = [True] * 6", shows=1),
        Wrong("filled = [True, False, True, False, True, True]", shows="a leaf that did not ask"),
        Wrong("filled = [True] + [False] * 5", shows="a leaf that asked"),
    ),
)


_GRAD, _GRAPH, _NEITHER = "retain_grad", "retain_graph", "neither"
_OPTIONS = (_GRAD, _GRAPH, _NEITHER)


def _which(attempt: Attempt) -> None:
    see = attempt.choice("to_see_the_gradient_of_h", _OPTIONS)
    walk = attempt.choice("to_walk_twice", _OPTIONS)
    leaf = attempt.choice("to_see_the_gradient_of_a_leaf", _OPTIONS)
    if (see, walk) == (_GRAPH, _GRAD) or see == _GRAPH or walk == _GRAD:
        raise NotYet(
            "`retain_grad` is asked of a tensor and keeps a *gradient*. `retain_graph` is asked of "
            "`backward()` and keeps the *graph's* saved values, for another walk.",
            shows=18,
        )
    if leaf != _NEITHER:
        raise NotYet(
            "A leaf that requires grad keeps its gradient anyway.", shows="a leaf keeps it anyway"
        )
    if see == _NEITHER:
        raise NotYet("`h` is in the middle. Its gradient passes by unless it is kept.", shows=1)
    if walk == _NEITHER:
        raise NotYet("The product has saved values, and the first walk frees them.", shows=3)


which = Exercise(
    id="07_which",
    title="With d or with ph?",
    prompt="""
`x` is a leaf that requires grad, `h = x * x` is in the middle, `out = (h * h).sum()`. What is
needed in each case: `"retain_grad"`, `"retain_graph"` or `"neither"`?

- to see the gradient of `h` after one `backward()`
- to call `out.backward()` twice
- to see the gradient of `x`, a leaf, after one `backward()`
""",
    starter=(
        "to_see_the_gradient_of_h = ...\nto_walk_twice = ...\nto_see_the_gradient_of_a_leaf = ..."
    ),
    answers=("to_see_the_gradient_of_h", "to_walk_twice", "to_see_the_gradient_of_a_leaf"),
    solutions=(
        'to_see_the_gradient_of_h = "retain_grad"\nto_walk_twice = "retain_graph"\n'
        'to_see_the_gradient_of_a_leaf = "neither"',
        'retain = "retain_"\nto_see_the_gradient_of_h = retain + "grad"\n'
        'to_walk_twice = retain + "graph"\nto_see_the_gradient_of_a_leaf = "neither"',
    ),
    hints=(
        "Which of the two is said to a tensor, and which to `backward()`?",
        "For a second walk it is saved values that are missing, not gradients.",
    ),
    check=_which,
    because="retain_grad keeps a gradient, retain_graph keeps saved values, a leaf needs neither.",
    wrong=(
        Wrong(
            'to_see_the_gradient_of_h = "retain_graph"\nto_walk_twice = "retain_grad"\n'
            'to_see_the_gradient_of_a_leaf = "neither"',
            shows=18,
        ),
        Wrong(
            'to_see_the_gradient_of_h = "retain_grad"\nto_walk_twice = "retain_grad"\n'
            'to_see_the_gradient_of_a_leaf = "neither"',
            shows=18,
        ),
        Wrong(
            'to_see_the_gradient_of_h = "neither"\nto_walk_twice = "retain_graph"\n'
            'to_see_the_gradient_of_a_leaf = "neither"',
            shows=1,
        ),
        Wrong(
            'to_see_the_gradient_of_h = "retain_grad"\nto_walk_twice = "neither"\n'
            'to_see_the_gradient_of_a_leaf = "neither"',
            shows=3,
        ),
        Wrong(
            'to_see_the_gradient_of_h = "retain_grad"\nto_walk_twice = "retain_graph"\n'
            'to_see_the_gradient_of_a_leaf = "retain_grad"',
            shows="a leaf keeps it anyway",
        ),
    ),
)


def _hidden(attempt: Attempt) -> None:
    function = attempt.function("gradient_of_h", gives=False)
    torch, what = attempt.torch, "What `gradient_of_h` gives back"
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x * x
    out = (h * h).sum()
    drawn = {"out": out, "h": h, "x": x}
    given, retained = walks(torch, partial(function, x))
    if given is None and any(retained):
        raise NotYet(
            "It gives back None. `retain_graph=True` keeps what the *nodes* have saved. A gradient "
            "in the middle passes by all the same; another word, with a *d* at its end, keeps it.",
            shows=18,
            draw=drawn,
        )
    if given is None and not retained:
        raise NotYet(
            "It gives back None, and it has not called `backward()`: no gradient was ever on its "
            "way.",
            shows="no backward",
            draw=drawn,
        )
    if given is None:
        raise NotYet(
            "It gives back None. Does it `return` its result? If that is `h.grad`: `h` is no leaf, "
            "and its gradient is not kept unless somebody asks for it, *before* `backward()`.",
            shows=1,
            draw=drawn,
        )
    gradient = attempt.checked_tensor(given, what)
    if close(gradient, [4.0, 32.0]):
        raise NotYet(
            "That is the gradient of `x`: it has come through `h` and was multiplied on the way.",
            shows="the leaf's gradient",
            draw=drawn,
        )
    if close(gradient, [4.0, 16.0]):
        raise NotYet("Twice too much: two walks have added up in `h.grad`.", shows=2, draw=drawn)
    if close(gradient, h) or close(gradient, out):
        raise NotYet("That is a value. Where is the gradient?", shows="value for slope", draw=drawn)
    if not close(gradient, [2.0, 8.0]):
        raise NotYet(
            f"For `x` = (1, 2), `h` is (1, 4), and you give back {numerals(gradient)}. What is "
            "the slope of $h^2$ at 1, and what at 4?",
            draw=drawn,
        )
    if gradient.requires_grad:
        raise NotYet(
            "The numbers are right, but you have computed them with a formula: they have a "
            "`grad_fn` of their own. Let the engine find them.",
            shows="a formula",
            draw=drawn,
        )
    values = attempt.drawn(2)
    gradient = attempt.checked_tensor(function(torch.tensor(values, requires_grad=True)), what)
    wanted = [2 * value**2 for value in values]
    attempt.confirm("`gradient_of_h` gives back", gradient, wanted, f"`x = {values}`")


_MIDDLE = """
def gradient_of_h(x):
    h = x * x
    out = (h * h).sum()
"""


def _ending(*lines: str) -> str:
    return _MIDDLE + "".join(f"    {line}\n" for line in lines)


hidden = Exercise(
    id="07_hidden",
    title="The gradient in the middle",
    prompt=r"""
`h` stands in the middle. Complete the function, so that it gives back
$\partial\,\text{out}/\partial h$. (Let the engine find it; do not write a formula.)
""",
    starter=f"{_MIDDLE.strip()}\n    ...",
    answers=("gradient_of_h",),
    solutions=(
        _ending("h.retain_grad()", "out.backward()", "return h.grad"),
        _ending("(gradient,) = torch.autograd.grad(out, [h])", "return gradient"),
        _ending("seen = []", "h.register_hook(seen.append)", "out.backward()", "return seen[0]"),
    ),
    hints=(
        "Three ways are in the lesson's last table. One of them is a line before `backward()`.",
        "`h.retain_grad()`, then `out.backward()`, then `return h.grad`.",
    ),
    check=_hidden,
    because="$2h = (2, 8)$, as the engine found it on its way back.",
    wrong=(
        Wrong(_ending("out.backward()", "return h.grad"), shows=1),
        Wrong(_ending("out.backward()", "h.retain_grad()", "return h.grad"), shows=1),
        Wrong(_ending("out.backward(retain_graph=True)", "return h.grad"), shows=18),
        Wrong(_ending("out.backward()", "return x.grad"), shows="the leaf's gradient"),
        Wrong(_ending("h.retain_grad()", "return h.grad"), shows="no backward"),
        Wrong(_ending("h.retain_grad()", "out.backward()", "return h"), shows="value for slope"),
        Wrong(_ending("return 2 * h"), shows="a formula"),
        Wrong(
            _ending(
                "h.retain_grad()",
                "out.backward(retain_graph=True)",
                "out.backward()",
                "return h.grad",
            ),
            shows=2,
        ),
    ),
)


def _lost(attempt: Attempt) -> None:
    small = attempt.tensor("small")
    if not small.requires_grad:
        raise NotYet(
            "Small they are, but nobody asked for a gradient: `requires_grad` is False.",
            shows="nothing asked for",
            draw=small,
        )
    if not small.is_leaf:
        raise NotYet(
            "`small` is a result: it has a `grad_fn`. The leaf is what it was computed from, and "
            "there the gradient will go. Compute first, ask last.",
            shows=1,
            draw=small,
        )
    if tuple(small.shape) != (3,):
        raise NotYet(f"Three numbers are wanted; the shape is {list(small.shape)}.", draw=small)
    largest = max(map(abs, small.tolist()))
    if not 0 < largest < 1:
        raise NotYet("They should be random numbers, made ten times smaller.", draw=small)


lost = Exercise(
    id="07_lost",
    title="The lost leaf",
    prompt="""
Somebody wants three small random weights and writes
`small = torch.randn(3, requires_grad=True) * 0.1`. After `backward()` there is no gradient in
`small.grad`. Write it so that there is.
""",
    starter="small = ...",
    answers=("small",),
    solutions=(
        "small = (torch.randn(3) * 0.1).requires_grad_()",
        "small = torch.nn.Parameter(torch.randn(3) * 0.1)",
        "small = torch.randn(3, requires_grad=True)\nwith torch.no_grad():\n    small *= 0.1",
    ),
    hints=(
        "Which tensor is the leaf in that line? Has it a name?",
        "Make the small numbers first, without asking. Then ask, with `requires_grad_()`.",
    ),
    check=_lost,
    because="`small` itself is the leaf now, so the gradient is stored where you look for it.",
    wrong=(
        Wrong("small = torch.randn(3, requires_grad=True) * 0.1", shows=1),
        Wrong("big = torch.randn(3).requires_grad_()\nsmall = big / 10", shows=1),
        Wrong("small = torch.randn(3) * 0.1", shows="nothing asked for"),
        Wrong(
            "small = (torch.randn(3, requires_grad=True) * 0.1).detach()",
            shows=("nothing asked for"),
        ),
        Wrong("small = torch.randn(3, requires_grad=True)\nsmall *= 0.1", shows=6),
    ),
)
