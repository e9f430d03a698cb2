"""Lesson 08: what nodes save, when it is freed, and what becomes of it when it is changed."""

from collections.abc import Callable
from functools import partial
from typing import Any

from minigrad.exercises.attempt import Attempt, close, numerals
from minigrad.exercises.exercise import Exercise, NotYet, Wrong
from minigrad.exercises.watching import walks

_INPUT, _RESULT, _NOTHING = "input", "result", "nothing"
_SAVED = (_INPUT, _RESULT, _NOTHING)
_OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "exp": lambda u: u.exp(),
    "cos": lambda u: u.cos(),
    "plus_one": lambda u: u + 1,
    "sigmoid": lambda u: u.sigmoid(),
    "negative": lambda u: -u,
}


def _saves(attempt: Attempt) -> None:
    given = {name: attempt.choice(f"{name}_saves", _SAVED) for name in _OPERATIONS}
    u = attempt.torch.tensor([1.0, 2.0], requires_grad=True)
    for name, answer in given.items():
        result = _OPERATIONS[name](u)
        node = result.grad_fn
        kinds = {"_saved_self": _INPUT, "_saved_result": _RESULT}
        is_saved = [kind for attribute, kind in kinds.items() if hasattr(node, attribute)]
        right = is_saved[0] if is_saved else _NOTHING
        if answer == right:
            continue
        if right == _NOTHING:
            raise NotYet(
                f"`{name}`: its slope is the same number everywhere. What should it need?",
                shows="every node saves",
                draw={name: result, "u": u},
            )
        if answer == _NOTHING:
            raise NotYet(
                f"`{name}`: its slope depends on where you are, so the node has to know that.",
                shows="no node saves",
                draw={name: result, "u": u},
            )
        raise NotYet(
            f"`{name}`: write down its derivative. Does it contain the input, or the result?",
            shows="always the same one",
            draw={name: result, "u": u},
        )


def _answers(values: dict[str, str]) -> str:
    return "\n".join(f'{name}_saves = "{value}"' for name, value in values.items())


_RIGHT = dict(zip(_OPERATIONS, (_RESULT, _INPUT, _NOTHING, _RESULT, _NOTHING), strict=True))

saves = Exercise(
    id="08_saves",
    title="Which rule saves what?",
    prompt=r"""
What does the node of each operation save: `"input"`, `"result"` or `"nothing"`?

| operation | derivative |
| --- | --- |
| $y = e^u$ | $e^u$ |
| $y = \cos u$ | $-\sin u$ |
| $y = u + 1$ | 1 |
| $y = \sigma(u)$ | $\sigma(u)\,(1 - \sigma(u))$ |
| $y = -u$ | −1 |
""",
    starter="\n".join(f"{name}_saves = ..." for name in _OPERATIONS),
    answers=tuple(f"{name}_saves" for name in _OPERATIONS),
    solutions=(
        _answers(_RIGHT),
        'result, nothing = "result", "nothing"\nexp_saves = sigmoid_saves = result\n'
        'cos_saves = "input"\nplus_one_saves = negative_saves = nothing',
    ),
    hints=(
        "If the derivative can be written with $y$ itself, the result is all that is needed.",
        "A derivative that is just a number needs nothing.",
    ),
    check=_saves,
    because="What the derivative is made of is what the node keeps.",
    wrong=(
        Wrong(_answers(dict.fromkeys(_OPERATIONS, _INPUT)), shows="always the same one"),
        Wrong(_answers(_RIGHT | {"sigmoid": _INPUT}), shows="always the same one"),
        Wrong(_answers(_RIGHT | {"plus_one": _INPUT}), shows="every node saves"),
        Wrong(_answers(_RIGHT | {"exp": _NOTHING}), shows="no node saves"),
    ),
)

_TWICE: dict[str, Callable[[Any], Any]] = {
    "(x + 2).sum()": lambda x: (x + 2).sum(),
    "(x * x).sum()": lambda x: (x * x).sum(),
    "(x - 3).mean()": lambda x: (x - 3).mean(),
    "(x.sin() + x).sum()": lambda x: (x.sin() + x).sum(),
}


def _walks_twice(result: Any) -> bool:
    result.backward()
    try:
        result.backward()
    except RuntimeError:
        return False
    return True


def _twice(attempt: Attempt) -> None:
    given = attempt.flags("works_twice", len(_TWICE))
    for (text, program), answer in zip(_TWICE.items(), given, strict=True):
        x = attempt.torch.tensor([1.0, 2.0], requires_grad=True)
        result = program(x)
        if answer == _walks_twice(result):
            continue
        why = (
            "the first walk frees a saved value that the second one needs"
            if answer
            else "no node has saved a tensor, so the second walk misses nothing"
        )
        raise NotYet(f"`{text}`: {why}.", shows=3, draw={"result": result, "x": x})


twice = Exercise(
    id="08_twice",
    title="A second walk",
    prompt=f"""
Each result is walked through twice, without `retain_graph`. Does the second `backward()` work?

`{"`, `".join(_TWICE)}`

Four times `True` or `False`.
""",
    starter="works_twice = [..., ..., ..., ...]",
    answers=("works_twice",),
    solutions=(
        "works_twice = [True, False, True, False]",
        """
def second_walk(program):
    total = program(torch.tensor([1.0, 2.0], requires_grad=True))
    total.backward()
    try:
        total.backward()
    except RuntimeError:
        return False
    return True


works_twice = [
    second_walk(lambda x: (x + 2).sum()),
    second_walk(lambda x: (x * x).sum()),
    second_walk(lambda x: (x - 3).mean()),
    second_walk(lambda x: (x.sin() + x).sum()),
]
""",
    ),
    hints=(
        "For each operation ask: what has its node saved?",
        "Additions, subtractions, sums and means save no tensor. Products and sines do.",
    ),
    check=_twice,
    because="It fails exactly where some node needs a value that it had saved.",
    wrong=(
        Wrong("works_twice = [True, True, True, True]", shows=3),
        Wrong("works_twice = [False] * 4", shows=3),
        Wrong("works_twice = [True, False, False, False]", shows=3),
    ),
)


def _losses(attempt: Attempt) -> None:
    both = attempt.function("both_losses", gives=False)
    for values in ([1.0, 2.0], attempt.drawn(2)):
        w = attempt.torch.tensor(values, requires_grad=True)
        _, kept = walks(attempt.torch, partial(both, w))
        hidden = w * w
        total = hidden.sum() + (hidden * hidden).sum()
        drawn = {"total": total, "hidden": hidden, "w": w}
        if w.grad is None:
            raise NotYet("`w.grad` is still None: nothing has been left in it.", draw=drawn)
        (wanted,) = attempt.torch.autograd.grad(total, w, retain_graph=True)
        if not close(w.grad, wanted):
            raise NotYet(
                f"For `w = {values}`, `w.grad` is {numerals(w.grad)}; the gradients of both losses "
                f"add up to {numerals(wanted)}. Does each of them come back, whole, and once?",
                shows="one loss is missing",
                draw=drawn,
            )
        if any(kept):
            raise NotYet(
                "The numbers are right. But `retain_graph=True` keeps in memory what could go, for "
                "one more walk. The gradient of a sum is the sum of the gradients: one walk will "
                "do, and nothing has to be kept.",
                shows="retain_graph",
                draw=drawn,
            )


_LOSSES = """
def both_losses(w):
    hidden = w * w
    first = hidden.sum()
    second = (hidden * hidden).sum()
    first.backward()
    second.backward()
"""


def _with(old: str, new: str) -> str:
    assert old in _LOSSES
    return _LOSSES.replace(old, new)


losses = Exercise(
    id="08_two_losses",
    title="Two losses, one graph",
    prompt="""
`both_losses(w)` is to leave in `w.grad` the gradient of both losses together. As it stands it
raises. Mend it, **without** `retain_graph`.
""",
    starter=_LOSSES.strip(),
    answers=("both_losses",),
    solutions=(
        _with("    first.backward()\n    second.backward()", "    (first + second).backward()"),
        _with(
            "    first.backward()\n    second.backward()",
            "    torch.autograd.backward([first, second])",
        ),
        _with("    second = (hidden * hidden)", "    again = w * w\n    second = (again * again)"),
    ),
    hints=(
        "The gradient of a sum is the sum of the gradients.",
        "Add the two losses first. How many walks are needed then?",
    ),
    check=_losses,
    because="One walk brings both gradients, and nothing has to be kept for another.",
    wrong=(
        Wrong(_with("first.backward()", "first.backward(retain_graph=True)"), shows="retain_graph"),
        Wrong(_with("    first.backward()\n", ""), shows="one loss is missing"),
        Wrong(
            _with("(hidden * hidden).sum()", "(w.detach() ** 4).sum() + 0 * w.sum()"),
            shows="one loss is missing",
        ),
        Wrong(
            _with("    first.backward()", "    total = first\n    total.backward()"),
            shows=3,
        ),
    ),
)


def _carried(attempt: Attempt) -> None:
    train = attempt.function("train", gives=False)
    torch = attempt.torch
    other = abs(attempt.drawn()), int(attempt.random.integers(2, 6))
    for start, turns in ((0.5, 3), other):
        weight = torch.tensor(start, requires_grad=True)
        _, kept = walks(torch, partial(train, weight, turns))
        state, wanted, loss = torch.tensor(1.0), 0.0, None
        for _ in range(turns):
            state = torch.tanh(weight * state.detach())
            loss = state * state
            wanted += torch.autograd.grad(loss, weight, retain_graph=True)[0].item()
        drawn = {"loss": loss, "weight": weight}
        if weight.grad is None:
            raise NotYet("`weight.grad` is still None: nothing is left in it.", draw=drawn)
        if close(weight.grad, wanted):
            continue
        if any(kept):
            raise NotYet(
                f"It runs, but the gradient is {weight.grad.item():.4f} and not {wanted:.4f}. With "
                "`retain_graph=True` the second turn walks back through the first one, and the "
                "third through both. Only the *number* is to be carried over.",
                shows="retain_graph",
                draw=drawn,
            )
        raise NotYet(
            f"From a weight of {start:g}, after {turns} turns, `weight.grad` should be "
            f"{wanted:.4f}, and it is {weight.grad.item():.4f}. Each turn is to add the gradient "
            "of its own loss, with the state carried over as a number.",
            draw=drawn,
        )


_TRAIN = """
def train(weight, turns):
    state = torch.tensor(1.0)
    for _ in range(turns):
        state = torch.tanh(weight * state)
        loss = state * state
        loss.backward()
"""

carried = Exercise(
    id="08_carried",
    title="A state that is carried over",
    prompt="""
`train(weight, 3)` raises in the second turn. Each turn is to use the state in which the last one
ended, but as a number only: its gradient is to stay within the turn. Mend it.
""",
    starter=_TRAIN.strip(),
    answers=("train",),
    solutions=(
        _TRAIN.replace("weight * state)", "weight * state.detach())"),
        _TRAIN.replace("loss.backward()", "loss.backward()\n        state = state.detach()"),
        _TRAIN.replace("weight * state)", "weight * state.item())"),
    ),
    hints=(
        "Draw `loss` in the second turn, before it walks. Where should its graph end?",
        "Which tool makes a second tensor with the same number and no past?",
    ),
    check=_carried,
    because="`detach()` carries the number over and leaves the graph behind.",
    wrong=(
        Wrong(
            _TRAIN.replace("loss.backward()", "loss.backward(retain_graph=True)"),
            shows="retain_graph",
        ),
        Wrong(_TRAIN.replace("state * state", "state ** 2"), shows=3),
    ),
)

_WRITTEN: dict[str, Callable[[Any], Any]] = {
    "x.exp()": lambda x: x.exp(),
    "x * x": lambda x: x * x,
    "x.sigmoid()": lambda x: x.sigmoid(),
    "5 * x": lambda x: 5 * x,
    "x.sin()": lambda x: x.sin(),
}


def _harmless(attempt: Attempt) -> None:
    given = attempt.flags("harmless", len(_WRITTEN))
    for (text, program), answer in zip(_WRITTEN.items(), given, strict=True):
        x = attempt.torch.tensor([1.0, 2.0], requires_grad=True)
        y = program(x)
        y.add_(1)
        if answer == _walks(y):
            continue
        why = (
            "the node has saved its *result*, and that is what is overwritten"
            if answer
            else "the node has not saved its result. It does not care what becomes of it"
        )
        raise NotYet(f"`y = {text}`: {why}.", shows=11, draw={"y": y, "x": x})


def _walks(y: Any) -> bool:
    try:
        y.sum().backward()
    except RuntimeError:
        return False
    return True


harmless = Exercise(
    id="08_harmless",
    title="Overwritten: harmless or not?",
    prompt=f"""
`y` is computed from `x`, then `y.add_(1)` changes it in place, then `y.sum().backward()` is called.
For which of these is that harmless?

`y = {"`, `y = ".join(_WRITTEN)}`

Five times `True` or `False`.
""",
    starter="harmless = [..., ..., ..., ..., ...]",
    answers=("harmless",),
    solutions=(
        "harmless = [False, True, False, True, True]",
        """
harmless = []
for name in ["exp", "square", "sigmoid", "neg", "sin"]:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = getattr(x, name)()
    harmless.append(not hasattr(y.grad_fn, "_saved_result"))
""",
    ),
    hints=(
        "It is harmful only if a node still needs the number that is overwritten.",
        "Which of the five derivatives are written with the *result*?",
    ),
    check=_harmless,
    because="Only `exp` and `sigmoid` need their own result for the way back.",
    wrong=(
        Wrong("harmless = [False, False, False, False, False]", shows=11),
        Wrong("harmless = [True] * 5", shows=11),
        Wrong("harmless = [False, True, False, True, False]", shows=11),
    ),
)
