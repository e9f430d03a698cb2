"""Lesson 06: the vector-Jacobian product."""

from collections.abc import Callable
from functools import partial
from typing import Any

from minigrad.exercises.attempt import Attempt, close, numerals, shown
from minigrad.exercises.exercise import Exercise, NotYet, Wrong


def _upstream(attempt: Attempt) -> None:
    given = attempt.numbers("v_for_loss", 3)
    torch = attempt.torch
    y = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    loss = 2 * y[0] + 10 * y[1]
    (right,) = torch.autograd.grad(loss, y, retain_graph=True)
    if close(given, right):
        return
    if close(given, [1, 1, 1]):
        raise NotYet(
            "Ones ask for the gradient of the plain *sum* of the outputs. Here they do not count "
            "alike.",
            shows=4,
            draw={"loss": loss, "y": y},
        )
    if close(given, [2, 10, 1]):
        raise NotYet(
            "How much does the loss grow when the last entry of `y` grows? It is not in the sum.",
            shows="output that does not count",
            draw={"loss": loss, "y": y},
        )
    if close(given, [2, 20, 0]):
        raise NotYet(
            "These are the terms of the loss, with the values of `y` in them. Asked for is how "
            "fast the loss grows with each `y`.",
            shows="value for slope",
            draw={"loss": loss, "y": y},
        )
    if close(given, [-2, -10, 0]):
        raise NotYet(
            "The sizes are right. When $y_0$ grows, does $L$ grow or shrink?",
            shows="the other sign",
            draw={"loss": loss, "y": y},
        )
    raise NotYet(
        "`v` is not arbitrary: its entry $i$ is how fast the loss grows when $y_i$ grows. Nudge "
        "one entry of `y`, and see what becomes of $L$.",
        shows=4,
        draw={"loss": loss, "y": y},
    )


upstream = Exercise(
    id="06_upstream",
    title="The right question",
    prompt="""
A program computes `y` with three entries, from `x`. In the end the loss will be

$$L = 2\\,y_0 + 10\\,y_1,$$

but you have only `y`. Which `v` must you give to `y.backward(v)`, so that `x.grad` becomes the
gradient of $L$?
""",
    starter="v_for_loss = [..., ..., ...]",
    answers=("v_for_loss",),
    solutions=(
        "v_for_loss = [2, 10, 0]",
        """
y = torch.zeros(3, requires_grad=True)
(2 * y[0] + 10 * y[1]).backward()
v_for_loss = y.grad
""",
    ),
    hints=(
        "$v_i$ is how much the loss grows when $y_i$ grows.",
        "When $y_0$ grows by a little, $L$ grows by twice as much. And when $y_2$ grows?",
    ),
    check=_upstream,
    because="$v_i = \\partial L / \\partial y_i$: the upstream gradient.",
    wrong=(
        Wrong("v_for_loss = [1, 1, 1]", shows=4),
        Wrong("v_for_loss = torch.tensor([0.1, 1.0, 0.0001])", shows=4),
        Wrong("v_for_loss = [2, 10, 1]", shows="output that does not count"),
        Wrong("v_for_loss = [2, 20, 0]", shows="value for slope"),
    ),
)


def _by_hand(attempt: Attempt) -> None:
    given = attempt.numbers("x_grad", 2)
    jacobian, v = [[1.0, 2.0], [3.0, 4.0]], [10.0, 1.0]
    if close(given, [10 * 1 + 3, 10 * 2 + 4]):
        return
    if close(given, [10 * 1 + 2, 10 * 3 + 4]):
        raise NotYet(
            "You computed $J v$: each *row* times `v`. `v` stands on the other side and weighs the "
            "rows: 10 of the first, 1 of the second, added.",
            shows="J times v",
        )
    sums = [sum(column) for column in zip(*jacobian, strict=True)]
    if close(given, sums):
        raise NotYet(
            "You added the rows as they are, as if `v` were all ones. It is not: it says how much "
            "each output counts.",
            shows=4,
        )
    if any(close(given, row) for row in jacobian):
        raise NotYet("This is one row of $J$. `v` asks for both, weighted.", shows="one row")
    if close(given, v):
        raise NotYet("This is `v` itself. It goes through $J$ first.", shows=4)
    raise NotYet(
        f"It is not {numerals(given.tolist())}. `v` weighs the *rows* of $J$: how much does the "
        "first count, and how much the second? Then add the two.",
        shows="other weights",
    )


vector_by_hand = Exercise(
    id="06_by_hand",
    title="A product on paper",
    prompt="""
`y` has two entries and `x` has two. The Jacobian is

$$J = \\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}.$$

What does `y.backward(torch.tensor([10.0, 1.0]))` store in `x.grad`?
""",
    starter="x_grad = [..., ...]",
    answers=("x_grad",),
    solutions=(
        "x_grad = [13, 24]",
        """
J = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
x_grad = torch.tensor([10.0, 1.0]) @ J
""",
    ),
    hints=(
        "$v^{\\mathsf T} J$: `v` weighs the *rows* of $J$.",
        "Ten times the first row is (10, 20). Add the second row.",
    ),
    check=_by_hand,
    wrong=(
        Wrong("x_grad = [12, 34]", shows="J times v"),
        Wrong(
            """
J = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
x_grad = J.sum(0)
""",
            shows=4,
        ),
        Wrong("x_grad = [1, 2]", shows="one row"),
        Wrong("x_grad = [10, 1]", shows=4),
        Wrong("x_grad = [31, 42]", shows="other weights"),
    ),
)


def _tried(attempt: Attempt) -> list[tuple[Callable[[Any, Any], Any], list[float]]]:
    """Functions, and where to try them: at last where nobody knows beforehand."""
    return [
        (_crosswise, [1.0, 2.0, 3.0]),
        (_cubes, [2.0, -1.0]),
        (_crosswise, attempt.drawn(3)),
        (_cubes, attempt.drawn(2)),
    ]


def _row(attempt: Attempt) -> None:
    row = attempt.function("row")
    torch = attempt.torch
    for f, values in _tried(attempt):
        x = torch.tensor(values, requires_grad=True)
        y = f(torch, x)
        matrix = _jacobian(torch, y, x)
        before = [0.0] * len(values)
        for i in range(len(y)):
            found = attempt.checked_tensor(
                row(partial(f, torch), x, i), "What `row` gives back"
            ).tolist()
            if close(found, matrix[i]):
                before = found
                continue
            if i and close(found, [a + b for a, b in zip(before, matrix[i].tolist(), strict=True)]):
                raise NotYet(
                    f"Row 0 is right. Row {i}, asked for afterwards, holds row 0 as well: the call "
                    "before had left it in `x.grad`, and `backward` adds.",
                    shows=2,
                    draw={"y": y, "x": x},
                )
            if close(found, matrix.sum(0)):
                raise NotYet(
                    "These are all rows at once, added. A `v` of ones asks for the sum.",
                    shows="all rows at once",
                    draw={"y": y, "x": x},
                )
            if i < len(values) and close(found, matrix[:, i]):
                raise NotYet("This is a column of $J$; a row is wanted.", shows="column")
            raise NotYet(
                f"For $i = {i}$ at `x = {values}` the row is {numerals(matrix[i])}, and not "
                f"{numerals(found)}. Which `v` lets output {i} count, and no other?",
                shows="other result",
                draw={"y": y, "x": x},
            )


read_row = Exercise(
    id="06_row",
    title="Read off one row",
    prompt="""
Write `row(f, x, i)`. It gives back row $i$ of the Jacobian of `f` at `x`, as a tensor of the shape
of `x`, found by one vector-Jacobian product. It may be called several times with the same `x`.
""",
    starter="""
def row(f, x, i):
    ...
""",
    answers=("row",),
    solutions=(
        """
def row(f, x, i):
    y = f(x)
    v = torch.zeros(y.shape)
    v[i] = 1.0
    x.grad = None
    y.backward(v)
    return x.grad
""",
        """
def row(f, x, i):
    (found,) = torch.autograd.grad(f(x)[i], x)
    return found
""",
        """
def row(f, x, i):
    x = x.detach().requires_grad_()
    f(x)[i].backward()
    return x.grad
""",
    ),
    hints=(
        "A `v` with a single 1 reads off one row. Where must the 1 stand, and how long must `v` "
        "be?",
        "`x.grad` may hold something from the call before. Clear it.",
    ),
    check=_row,
    wrong=(
        Wrong(
            """
def row(f, x, i):
    y = f(x)
    v = torch.zeros(y.shape)
    v[i] = 1.0
    y.backward(v)
    return x.grad
""",
            shows=2,
        ),
        Wrong(
            """
def row(f, x, i):
    x.grad = None
    v = torch.zeros(x.shape)
    v[i] = 1.0
    f(x).backward(v)
    return x.grad
""",
            shows=4,
        ),
        Wrong(
            """
def row(f, x, i):
    x.grad = None
    y = f(x)
    y.backward(torch.ones(y.shape))
    return x.grad
""",
            shows="all rows at once",
        ),
        Wrong(
            """
def row(f, x, i):
    f(x).backward()
    return x.grad
""",
            shows=4,
        ),
    ),
)


def _rebuild(attempt: Attempt) -> None:
    jacobian = attempt.function("whole_jacobian")
    torch = attempt.torch
    for f, values in _tried(attempt):
        x = torch.tensor(values, requires_grad=True)
        y = f(torch, x)
        matrix = _jacobian(torch, y, x)
        found = jacobian(partial(f, torch), x)
        what = "What `whole_jacobian` gives back"
        if isinstance(found, list | tuple) and found:
            rows = [attempt.checked_tensor(row, "A row of " + what.lower()) for row in found]
            found = attempt.run(what, partial(torch.stack, rows))
        attempt.checked_tensor(found, what)
        if close(found, matrix):
            continue
        drawn = {"y": y, "x": x}
        if close(found, torch.zeros(matrix.shape)):
            raise NotYet(
                "All rows are zero. If you keep `x.grad` itself and clear it with `zero_()`, you "
                "clear what you have kept.",
                shows="cleared what was kept",
                draw=drawn,
            )
        if close(found, matrix.cumsum(0)):
            raise NotYet(
                "The first row is right, and each further row holds those above it as well. "
                "`backward` adds to `x.grad`.",
                shows=2,
                draw=drawn,
            )
        if any(close(found, [one] * len(y)) for one in (*matrix.tolist(), matrix.sum(0))):
            raise NotYet(
                "All rows are alike. If you keep `x.grad` itself, you keep the same tensor each "
                "time, and it changes in place.",
                shows="the same tensor",
                draw=drawn,
            )
        if close(found, matrix.T):
            raise NotYet(
                "Rows and columns are exchanged: a row for each output, a column for each input.",
                shows="transposed",
                draw=drawn,
            )
        raise NotYet(
            f"At `x = {values}` the matrix, whose rows are the slopes of each output, is "
            f"{numerals(matrix)}. Yours is {numerals(found)}.",
            shows="other result",
            draw=drawn,
        )


rebuild = Exercise(
    id="06_rebuild",
    title="Rebuild the Jacobian",
    prompt="""
Write `whole_jacobian(f, x)`: the whole matrix, one row for each output of `f` and one column for
each entry of `x`, put together from vector-Jacobian products.
""",
    starter="""
def whole_jacobian(f, x):
    ...
""",
    answers=("whole_jacobian",),
    solutions=(
        """
def whole_jacobian(f, x):
    y = f(x)
    rows = []
    for i in range(len(y)):
        v = torch.zeros(y.shape)
        v[i] = 1.0
        (row,) = torch.autograd.grad(y, x, v, retain_graph=True)
        rows.append(row)
    return torch.stack(rows)
""",
        """
def whole_jacobian(f, x):
    rows = []
    for v in torch.eye(len(f(x))):
        x.grad = None
        f(x).backward(v)
        rows.append(x.grad)
    return torch.stack(rows)
""",
        """
def whole_jacobian(f, x):
    return torch.autograd.functional.jacobian(f, x)
""",
    ),
    hints=(
        "One walk gives one row. How many walks do you need?",
        "Each walk needs a graph with its saved values: compute `f(x)` again, or keep them with "
        "`retain_graph=True`. And `x.grad` has to be cleared in between.",
    ),
    check=_rebuild,
    wrong=(
        Wrong(
            """
def whole_jacobian(f, x):
    rows = []
    for v in torch.eye(len(f(x))):
        f(x).backward(v)
        rows.append(x.grad.clone())
    return torch.stack(rows)
""",
            shows=2,
        ),
        Wrong(
            """
def whole_jacobian(f, x):
    y = f(x)
    rows = []
    for v in torch.eye(len(y)):
        x.grad = None
        y.backward(v)
        rows.append(x.grad)
    return torch.stack(rows)
""",
            shows=3,
        ),
        Wrong(
            """
def whole_jacobian(f, x):
    rows = []
    for v in torch.eye(len(x)):
        x.grad = None
        f(x).backward(v)
        rows.append(x.grad)
    return torch.stack(rows)
""",
            shows=4,
        ),
        Wrong(
            """
def whole_jacobian(f, x):
    rows = []
    for v in torch.eye(len(f(x))):
        x.grad = None
        f(x).backward(v)
        rows.append(x.grad)
    return torch.stack(rows).T
""",
            shows="transposed",
        ),
        Wrong(
            """
def whole_jacobian(f, x):
    rows = []
    for i in range(len(f(x))):
        f(x)[i].backward()
        rows.append(x.grad)
        x.grad.zero_()
    return torch.stack(rows)
""",
            shows="cleared what was kept",
        ),
        Wrong(
            """
def whole_jacobian(f, x):
    rows = []
    for v in torch.eye(len(f(x))):
        f(x).backward(v)
        rows.append(x.grad)
        last = x.grad
    return torch.stack(rows)
""",
            shows="the same tensor",
        ),
    ),
)


def _crosswise(torch: Any, x: Any) -> Any:
    return torch.stack([x[0] * x[1], x[1] + 5 * x[2]])


def _cubes(torch: Any, x: Any) -> Any:
    return torch.stack([x[0] ** 3, x[0] * x[1], 7 * x[1]])


def _jacobian(torch: Any, y: Any, x: Any) -> Any:
    """The whole matrix, as lists of numbers."""
    rows = [torch.autograd.grad(one, x, retain_graph=True)[0].tolist() for one in y]
    return torch.tensor(rows)


def _shape_of_v(attempt: Attempt) -> None:
    answer = attempt["v_shape"]
    sizes = [answer] if isinstance(answer, int) else answer
    if not isinstance(sizes, list | tuple) or not all(type(size) is int for size in sizes):
        raise NotYet(
            f"`v_shape` is {shown(answer)}. Write the shape as a list of sizes, such as `[4]` or "
            "`[2, 4]`."
        )
    given = list(sizes)
    torch = attempt.torch
    x = torch.ones(5, requires_grad=True)
    y = torch.ones(3, 5) @ x
    drawn = {"y": y, "x": x}
    if given == list(y.shape):
        return
    if given == list(x.shape):
        raise NotYet(
            "This is the shape of the input. `v` holds one weight for each *output*: it says how "
            "much each of them counts.",
            shows=4,
            draw=drawn,
        )
    if given in ([3, 5], [5, 3]):
        raise NotYet(
            "This is the shape of the Jacobian, which is never built. `v` chooses among its rows.",
            shows="shape of the Jacobian",
            draw=drawn,
        )
    if given in ([], [1]):
        raise NotYet(
            "One number would do for one output. How many outputs has `y`?",
            shows="as for a scalar",
            draw=drawn,
        )
    if given in ([1, 3], [3, 1]):
        raise NotYet(
            "The number of entries is right. But `y` is no table of rows and columns: it has one "
            "dimension, and so has `v`.",
            shows="a dimension too many",
            draw=drawn,
        )
    raise NotYet("How many outputs has `y`? `v` has a weight for each.", draw=drawn)


shape_of_v = Exercise(
    id="06_shape",
    title="Which shape has v?",
    prompt="""
```python
x = torch.ones(5, requires_grad=True)
W = torch.ones(3, 5)
y = W @ x
y.backward(v)
```

Which shape must `v` have? Write it as a list, such as `[4]` or `[2, 4]`.
""",
    starter="v_shape = ...",
    answers=("v_shape",),
    solutions=(
        "v_shape = [3]",
        """
x = torch.ones(5, requires_grad=True)
v_shape = (torch.ones(3, 5) @ x).shape
""",
    ),
    hints=(
        "In $v^{\\mathsf T} J$ the vector stands to the left of $J$. $J$ has a row for each "
        "output.",
        "`y` has three entries. `v` weighs each of them.",
    ),
    check=_shape_of_v,
    wrong=(
        Wrong("v_shape = [5]", shows=4),
        Wrong("v_shape = tuple(torch.ones(5).shape)", shows=4),
        Wrong("v_shape = [3, 5]", shows="shape of the Jacobian"),
        Wrong("v_shape = []", shows="as for a scalar"),
        Wrong("v_shape = (1, 3)", shows="a dimension too many"),
    ),
)
