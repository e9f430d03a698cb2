"""Lesson 13: write your own operation, its rule, and the undoing of a broadcast."""

import math
from collections.abc import Callable
from typing import Any

from minigrad.exercises.attempt import Attempt, close, numerals, shown
from minigrad.exercises.exercise import Exercise, NotYet, Wrong


def _applied(attempt: Attempt, name: str, *inputs: Any) -> Any:
    """What the learner's operation gives for these inputs."""
    operation = attempt[name]
    if attempt.torch.autograd.Function not in getattr(operation, "__mro__", ()):
        raise NotYet(
            f"`{name}` is {shown(operation)}; a class on `torch.autograd.Function` is wanted."
        )
    output = attempt.run(f"`{name}.apply`", lambda: operation.apply(*inputs))
    if output is None:
        raise NotYet(f"`{name}.forward` gives back `None`. Does it `return` its result?")
    return attempt.checked_tensor(output, f"What `{name}.forward` gives back")


def _passed_back(attempt: Attempt, name: str, drawn: dict[str, Any], upstream: Any) -> Any:
    """The gradients that the learner's rule passes on, for that upstream gradient.

    drawn: the output, then the inputs, by the names that they have in a picture.
    """
    output, *inputs = drawn.values()
    gradients = attempt.run(
        f"`{name}.backward`",
        lambda: attempt.torch.autograd.grad(output, inputs, upstream, allow_unused=True),
    )
    if any(one is None for one in gradients):
        raise NotYet(
            f"`{name}.backward` gives back `None` for an input whose gradient is wanted. Does it "
            "`return` it?",
            draw=drawn,
        )
    return gradients


def _tanh(attempt: Attempt) -> None:
    _check_tanh(attempt, [-1.0, 0.5, 2.0], [1.0, 10.0, 100.0])
    _check_tanh(attempt, attempt.drawn(4), attempt.drawn(4))


def _check_tanh(attempt: Attempt, values: list[float], arriving: list[float]) -> None:
    torch = attempt.torch
    x = torch.tensor(values, requires_grad=True)
    y = _applied(attempt, "Tanh", x)
    drawn = {"y": y, "x": x}
    right = torch.tanh(x.detach())
    if not close(y, right):
        raise NotYet(
            f"For `x = {values}` `forward` gives {numerals(y)}, and not the hyperbolic tangent. "
            "`torch.tanh` computes it.",
            shows="wrong forward",
        )
    upstream = torch.tensor(arriving)
    (gradient,) = _passed_back(attempt, "Tanh", drawn, upstream)
    local = 1 - right**2
    if close(gradient, upstream * local):
        return
    if close(gradient, local):
        raise NotYet(
            "The local slope is right, and that is all `backward` gives back. What arrives from "
            "above, `grad`, has no effect: this rule is right only where nothing comes after it.",
            shows="upstream forgotten",
            draw=drawn,
        )
    if close(gradient, upstream * (1 - x.detach() ** 2)):
        raise NotYet(
            "The formula has the right form, but with the *input* where the *output* belongs.",
            shows="input for output",
            draw=drawn,
        )
    if close(gradient, upstream * right):
        raise NotYet(
            "`backward` multiplies `grad` by the value of tanh. The slope is wanted there.",
            shows="value for slope",
            draw=drawn,
        )
    for slip, (slope, said) in _SLIPS.items():
        if close(gradient, slope(upstream, right)):
            raise NotYet(said, shows=slip, draw=drawn)
    raise NotYet(
        f"For `x = {values}` and {numerals(upstream)} from above, `backward` gives "
        f"{numerals(gradient)}; upstream times local slope is {numerals(upstream * local)}. Try it "
        "yourself: `torch.autograd.gradcheck(Tanh.apply, (x,))` with an `x` in float64.",
        draw=drawn,
    )


# What would be passed on, from the upstream gradient and tanh, and what is to be said of it.
_SLIPS: dict[str, tuple[Callable[[Any, Any], Any], str]] = {
    "local forgotten": (
        lambda upstream, t: upstream,
        "`backward` hands on what arrives from above, as it is. It has to be multiplied by the "
        "local slope.",
    ),
    "not squared": (
        lambda upstream, t: upstream * (1 - t),
        "You multiply by $1 - \\tanh(x)$. Compare it with the formula of the slope.",
    ),
    "all of it squared": (
        lambda upstream, t: upstream * (1 - t) ** 2,
        "You multiply by $(1 - \\tanh(x))^2$. Only the tanh is squared.",
    ),
    "the other sign": (
        lambda upstream, t: upstream * (t**2 - 1),
        "The sizes are right, the signs are not. tanh climbs everywhere.",
    ),
    "parentheses forgotten": (
        lambda upstream, t: upstream - t**2,
        "Python multiplies before it subtracts: in `grad * 1 - …` only the 1 is multiplied by "
        "`grad`. Put the slope into parentheses.",
    ),
    "added": (
        lambda upstream, t: upstream + 1 - t**2,
        "You *add* the local slope to what arrives from above. Along a path slopes are multiplied.",
    ),
}


_TANH = """
class Tanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        {forward}

    @staticmethod
    def backward(ctx, grad):
        {backward}
"""
_KEEP_RESULT = (
    "result = torch.tanh(x)\n        ctx.save_for_backward(result)\n        return result"
)
_KEEP_INPUT = "ctx.save_for_backward(x)\n        return torch.tanh(x)"

tanh = Exercise(
    id="13_tanh",
    title="Your own tanh",
    prompt="""
Write the hyperbolic tangent as an operation of your own. `torch.tanh` may compute the forward
value. Its slope is $1 - \\tanh^2(x)$. Keep only what the rule needs.
""",
    starter=_TANH.format(forward="...", backward="..."),
    answers=("Tanh",),
    solutions=(
        _TANH.format(
            forward=_KEEP_RESULT,
            backward="(result,) = ctx.saved_tensors\n        return grad * (1 - result**2)",
        ),
        _TANH.format(
            forward=_KEEP_INPUT,
            backward="(x,) = ctx.saved_tensors\n        return grad / torch.cosh(x) ** 2",
        ),
    ),
    hints=(
        "`Exp` above keeps its result, since its slope is made of the result. This slope is, too.",
        "`backward` gives back upstream times local: `grad` times $1 - \\text{result}^2$.",
    ),
    check=_tanh,
    because="The slope is made of the output, so the input need not be kept.",
    wrong=(
        Wrong(
            _TANH.format(
                forward=_KEEP_RESULT,
                backward="(result,) = ctx.saved_tensors\n        return 1 - result**2",
            ),
            shows="upstream forgotten",
        ),
        Wrong(
            _TANH.format(
                forward=_KEEP_INPUT,
                backward="(x,) = ctx.saved_tensors\n        return grad * (1 - x**2)",
            ),
            shows="input for output",
        ),
        Wrong(
            _TANH.format(
                forward=_KEEP_RESULT,
                backward="(result,) = ctx.saved_tensors\n        return grad * result",
            ),
            shows="value for slope",
        ),
        *(
            Wrong(
                _TANH.format(
                    forward=_KEEP_RESULT,
                    backward=f"(result,) = ctx.saved_tensors\n        return {slope}",
                ),
                shows=slip,
            )
            for slip, slope in {
                "local forgotten": "grad",
                "not squared": "grad * (1 - result)",
                "all of it squared": "grad * (1 - result) ** 2",
                "the other sign": "grad * (result**2 - 1)",
                "parentheses forgotten": "grad * 1 - result**2",
                "added": "grad + (1 - result**2)",
            }.items()
        ),
        Wrong(
            _TANH.format(
                forward="ctx.save_for_backward(x)\n        return torch.sigmoid(x)",
                backward="(x,) = ctx.saved_tensors\n        return grad / torch.cosh(x) ** 2",
            ),
            shows="wrong forward",
        ),
    ),
)


def _row_sums(attempt: Attempt) -> None:
    torch = attempt.torch
    counted = [
        (_counted(torch, 1, rows, columns), _counted(torch, 1, rows))
        for rows, columns in ((3, 3), (2, 4))
    ]
    other = torch.tensor(attempt.drawn(3, 2)), torch.tensor(attempt.drawn(3))
    for matrix, upstream in [*counted, other]:
        x = matrix.requires_grad_()
        rows, columns = x.shape
        y = _applied(attempt, "RowSums", x)
        drawn = {"y": y, "x": x}
        if not close(y, x.detach().sum(1)):
            raise NotYet(
                "`forward` does not give the sum of each row: for a tensor of shape "
                f"[{rows}, {columns}] that is {rows} numbers.",
                shows="wrong forward",
            )
        (gradient,) = _passed_back(attempt, "RowSums", drawn, upstream)
        right = upstream.unsqueeze(1).expand(rows, columns)
        if close(gradient, right):
            continue
        if close(gradient, torch.ones(rows, columns)):
            raise NotYet(
                "Ones everywhere: that is the local slope alone. What arrives from above, `grad`, "
                "has no effect.",
                shows="upstream forgotten",
                draw=drawn,
            )
        if rows == columns and close(gradient, upstream.expand(rows, columns)):
            raise NotYet(
                "With three rows and three columns the shape fits, and yet the numbers are in the "
                "wrong places: the gradient of the first *row* went down the first *column*.",
                shows="rows for columns",
                draw=drawn,
            )
        raise NotYet(
            f"For {numerals(upstream)} from above, `backward` gives {numerals(gradient)}, and "
            f"{numerals(right)} is right: each element of a row must get the gradient of that "
            "row's sum, and no other.",
            draw=drawn,
        )


def _counted(torch: Any, first: int, *shape: int) -> Any:
    """A tensor of that shape that counts from `first`."""
    return torch.arange(first, first + math.prod(shape), dtype=torch.float32).reshape(shape)


_ROW_SUMS = """
class RowSums(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.shape = x.shape
        return x.sum(dim=1)

    @staticmethod
    def backward(ctx, grad):
        {}
"""

row_sums = Exercise(
    id="13_sum",
    title="Back into shape",
    prompt="""
`RowSums` takes a matrix to the sums of its rows, so a gradient for each *row* arrives. Write the
rule: the gradient must have the shape of `x`, which `forward` has put on `ctx`.
""",
    starter=_ROW_SUMS.format("..."),
    answers=("RowSums",),
    solutions=(
        _ROW_SUMS.format("return grad.unsqueeze(1).expand(ctx.shape)"),
        _ROW_SUMS.format("return grad.reshape(-1, 1) * torch.ones(ctx.shape)"),
    ),
    hints=(
        "Every element of the first row counts once in the first sum: its gradient is `grad[0]`.",
        "`grad.unsqueeze(1)` makes a column of it. A column can be stretched with `expand`.",
    ),
    check=_row_sums,
    because="A sum hands its gradient, unchanged, to each of the elements that went into it.",
    wrong=(
        Wrong(_ROW_SUMS.format("return torch.ones(ctx.shape)"), shows="upstream forgotten"),
        Wrong(
            _ROW_SUMS.format("return grad.expand(ctx.shape[1], len(grad))"),
            shows="rows for columns",
        ),
        Wrong(
            _ROW_SUMS.replace("dim=1", "dim=0").format("return grad.expand(ctx.shape)"),
            shows="wrong forward",
        ),
    ),
)

# Shapes before and after they are stretched against each other.
_STRETCHED = (
    ((3,), (2, 3)),
    ((2, 1), (2, 3)),
    ((1, 3), (4, 3)),
    ((), (2, 3)),
    ((2, 3), (2, 3)),
    ((2, 1, 1), (4, 2, 3, 5)),
)


def _unbroadcast(attempt: Attempt) -> None:
    torch = attempt.torch
    function = attempt.function("unbroadcast")
    for shape, stretched in _STRETCHED:
        x = torch.zeros(shape, requires_grad=True)
        y = x + torch.zeros(stretched)
        drawn = {"y": y, "x": x}
        count = y.numel()
        grad = _counted(torch, 1, *stretched)
        (right,) = torch.autograd.grad(y, x, grad, retain_graph=True)
        case = f"`grad` of shape {list(stretched)}, `shape` {shape}"
        given = attempt.checked_tensor(
            function(grad.clone(), shape), f"What `unbroadcast` gives back, for {case},"
        )
        if close(given, right):
            continue
        times = count // max(1, right.numel())
        if tuple(given.shape) != shape:
            raise NotYet(
                f"For {case}: the result has the shape {list(given.shape)}. Sum what was added in "
                "front, and sum *with* `keepdim=True` what had size 1.",
                shows="shape not restored",
                draw=drawn,
            )
        if close(given * times, right):
            raise NotYet(
                f"For {case}: the shape is right, and every number is {times} times too small. "
                "Each element was used several times, and what comes along several paths is "
                "added, not averaged.",
                shows="mean for sum",
                draw=drawn,
            )
        raise NotYet(
            f"For {case}: the shape is right, the numbers are not. Each element was used "
            f"{times} times, and all that comes back to it is added.",
            shows=5,
            draw=drawn,
        )
    grad = torch.tensor(attempt.drawn(2, 3, 2))
    given = attempt.checked_tensor(function(grad.clone(), (3, 1)), "What `unbroadcast` gives back")
    right = grad.sum(0).sum(1, keepdim=True)
    tried = f"a `grad` of {numerals(grad)} and the shape `(3, 1)`"
    attempt.confirm("`unbroadcast` gives back", given, right, tried)


_LOOPS = """
def unbroadcast(grad, shape):
    while grad.dim() > len(shape):
        grad = grad.{0}
    for dim, size in enumerate(shape):
        if size == 1:
            grad = grad.{1}
    return grad
"""

unbroadcast = Exercise(
    id="13_unbroadcast",
    title="Undo a broadcast",
    prompt="""
Do by hand what the engine does at an edge. `grad` has the shape of the result; `shape` is that of
an input before it was stretched. Give back the input's gradient: its shape is `shape`.
""",
    starter="def unbroadcast(grad, shape):\n    ...",
    answers=("unbroadcast",),
    solutions=(
        _LOOPS.format("sum(0)", "sum(dim, keepdim=True)"),
        """
def unbroadcast(grad, shape):
    extra = len(grad.shape) - len(shape)
    stretched = [extra + dim for dim, size in enumerate(shape) if size == 1]
    dims = list(range(extra)) + stretched
    return grad.sum(dims).reshape(shape) if dims else grad
""",
    ),
    hints=(
        "Two things can have happened to the input: dimensions were added in front, and "
        "dimensions of size 1 were stretched. Undo one after the other.",
        "While `grad` has more dimensions than `shape`: `grad = grad.sum(0)`. Then, for each "
        "dimension of size 1 in `shape`: `grad = grad.sum(dim, keepdim=True)`.",
    ),
    check=_unbroadcast,
    because="This is what `fit` does in the engine, once for all rules.",
    wrong=(
        Wrong("def unbroadcast(grad, shape):\n    return grad", shows="shape not restored"),
        Wrong(
            "def unbroadcast(grad, shape):\n"
            "    while grad.dim() > len(shape):\n"
            "        grad = grad.sum(0)\n"
            "    return grad",
            shows="shape not restored",
        ),
        Wrong(_LOOPS.format("mean(0)", "mean(dim, keepdim=True)"), shows="mean for sum"),
        Wrong(_LOOPS.format("select(0, 0)", "narrow(dim, 0, 1)"), shows=5),
    ),
)


def _matmul(attempt: Attempt) -> None:
    torch = attempt.torch
    counted = [
        (_counted(torch, 1, n, k), _counted(torch, 2, k, m), _counted(torch, 1, n, m))
        for n, k, m in ((2, 2, 2), (2, 3, 4))
    ]
    other = [torch.tensor(attempt.drawn(*shape)) for shape in ((1, 2), (2, 2), (1, 2))]
    for first, second, upstream in [*counted, other]:
        a, b = first.requires_grad_(), second.requires_grad_()
        y = _applied(attempt, "MatMul", a, b)
        drawn = {"y": y, "a": a, "b": b}
        product = a @ b
        if not close(y, product):
            raise NotYet(
                f"`forward` gives {numerals(y)}, and the product `a @ b` is {numerals(product)}.",
                shows="wrong forward",
            )
        given = _passed_back(attempt, "MatMul", drawn, upstream)
        right = torch.autograd.grad(product, (a, b), upstream)
        if all(map(close, given, right)):
            continue
        if a.shape == b.shape:
            _diagnose_product(given, a.detach(), b.detach(), upstream, drawn)
        for name, one, other in zip("ab", given, right, strict=True):
            if not close(one, other) and any(map(close, given, right)):
                raise NotYet(
                    f"One of the two is right. But for `a` {numerals(a)}, `b` {numerals(b)} and "
                    f"{numerals(upstream)} from above, the gradient of `{name}` comes out as "
                    f"{numerals(one)}, and {numerals(other)} is right. From which shapes does its "
                    "shape follow?",
                    shows="one of two",
                    draw=drawn,
                )
        raise NotYet(
            f"For `a` {numerals(a)}, `b` {numerals(b)} and {numerals(upstream)} from above, "
            f"`backward` gives {numerals(given)}, and {numerals(right)} is right. Let the shapes "
            "lead you: the gradient of `a` has the shape of `a`, and is made of `grad` and `b`.",
            draw=drawn,
        )


def _diagnose_product(given: Any, a: Any, b: Any, upstream: Any, drawn: Any) -> None:
    """Known slips, told from two square matrices, where every shape fits."""
    if close(given[0], upstream @ b) or close(given[1], a @ upstream):
        raise NotYet(
            "With two square matrices every shape fits, and the numbers are wrong: a transpose is "
            "missing. On its way back a gradient goes through the matrix the other way round.",
            shows="transpose forgotten",
            draw=drawn,
        )
    if close(given[0], upstream * b) and close(given[1], upstream * a):
        raise NotYet(
            "That is the rule of `a * b`, element by element. In `a @ b` every element of `a` is "
            "used with a whole row of `b`, and what comes back is added.",
            shows="rule of the elementwise product",
            draw=drawn,
        )
    if close(given[0], a.T @ upstream) and close(given[1], upstream @ b.T):
        raise NotYet(
            "Both gradients are right, and each belongs to the other input: `backward` gives them "
            "back in the order of `forward`'s arguments.",
            shows="gradients swapped",
            draw=drawn,
        )


_MATMUL = """
class MatMul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx, grad):
        {}
"""
_SAVED = "a, b = ctx.saved_tensors\n        return "

matmul = Exercise(
    id="13_matmul",
    title="The rule of a matrix product",
    prompt="""
Write the rule of `a @ b` for two matrices. `a` is $n \\times k$, `b` is $k \\times m$, so `grad` is
$n \\times m$. There is only one way for the shapes to fit, and it is the right one.
""",
    starter=_MATMUL.format("..."),
    answers=("MatMul",),
    solutions=(
        _MATMUL.format(_SAVED + "grad @ b.T, a.T @ grad"),
        _MATMUL.format(_SAVED + "(b @ grad.T).T, torch.einsum('nk,nm->km', a, grad)"),
    ),
    hints=(
        "The gradient of `a` is $n \\times k$. You have `grad`, $n \\times m$, and `b`, "
        "$k \\times m$. Which product of the two, one of them transposed, is $n \\times k$?",
        "`grad @ b.T` for `a`. And for `b`, $k \\times m$, from `a` and `grad`?",
    ),
    check=_matmul,
    because="$\\bar A = \\bar Y B^\\top$ and $\\bar B = A^\\top \\bar Y$: two more products. That "
    "is why a walk back takes about twice as long as the way forward.",
    wrong=(
        Wrong(_MATMUL.format(_SAVED + "grad @ b, a @ grad"), shows="transpose forgotten"),
        Wrong(
            _MATMUL.format(_SAVED + "grad * b, grad * a"), shows="rule of the elementwise product"
        ),
        Wrong(_MATMUL.format(_SAVED + "a.T @ grad, grad @ b.T"), shows="gradients swapped"),
        Wrong(_MATMUL.format(_SAVED + "grad @ b.T, grad @ a.T"), shows="one of two"),
    ),
)
