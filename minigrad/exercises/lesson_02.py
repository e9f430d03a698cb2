"""Lesson 02: recording the graph."""

from typing import Any

from minigrad.exercises.attempt import Attempt, close, numerals, shown
from minigrad.exercises.exercise import Exercise, NotYet, Wrong


def _leaves(attempt: Attempt) -> None:
    given = attempt.flags("leaves", 5)
    torch = attempt.torch
    a = torch.ones(3)
    b = torch.ones(3, requires_grad=True)
    c = a * 2
    d = b * 2
    e = a + b
    drawn = {"e": e, "d": d, "c": c, "b": b, "a": a}
    right = [tensor.is_leaf for tensor in (a, b, c, d, e)]
    if given == right:
        return
    if given == [tensor.requires_grad and tensor.is_leaf for tensor in (a, b, c, d, e)]:
        raise NotYet(
            "You took only the tensor that asked for a record. A leaf is a tensor without a "
            "`grad_fn`, whether it asked or not.",
            shows="leaf means request",
            draw=drawn,
        )
    if not given[2]:
        raise NotYet(
            "`c` was computed, but was it *recorded*? Did any input of `a * 2` require grad?",
            shows="computed means no leaf",
            draw=drawn,
        )
    if given[4]:
        raise NotYet(
            "`e` has two inputs. How many of them must require grad, for the sum to be recorded?",
            shows="one input is enough",
            draw=drawn,
        )
    if given == [not leaf for leaf in right]:
        raise NotYet("All five are the other way round.", shows="reversed", draw=drawn)
    wrong = ", ".join(
        f"`{name}`" for name, x, y in zip("abcde", given, right, strict=True) if x != y
    )
    raise NotYet(f"Look again at {wrong}. Has an operation made it that was recorded?", draw=drawn)


leaf_table = Exercise(
    id="02_leaves",
    title="Which are leaves?",
    prompt="""
```python
a = torch.ones(3)
b = torch.ones(3, requires_grad=True)
c = a * 2
d = b * 2
e = a + b
```

What is `is_leaf` of `a`, `b`, `c`, `d` and `e`? Write `True` or `False` five times, without running
the program.
""",
    starter="leaves = [..., ..., ..., ..., ...]  # a, b, c, d, e",
    answers=("leaves",),
    solutions=(
        "leaves = [True, True, True, False, False]",
        """
a = torch.ones(3)
b = torch.ones(3, requires_grad=True)
leaves = [tensor.grad_fn is None for tensor in (a, b, a * 2, b * 2, a + b)]
""",
    ),
    hints=(
        "A leaf is a tensor that no *recorded* operation made. Which of the operations here are "
        "recorded?",
        "An operation is recorded if at least one of its inputs requires grad. `a * 2` has no such "
        "input.",
    ),
    check=_leaves,
    because="`c` was computed without a record, so nothing made it as far as the graph knows.",
    wrong=(
        Wrong("leaves = [True, True, False, False, False]", shows="computed means no leaf"),
        Wrong("leaves = [False, True, False, False, False]", shows="leaf means request"),
        Wrong("leaves = [True, True, True, False, True]", shows="one input is enough"),
        Wrong("leaves = [False, False, False, True, True]", shows="computed means no leaf"),
    ),
)


def _structure(node: Any, depth: int = 6) -> Any:
    """A graph as nested tuples, the inputs of commutative operations sorted."""
    if node is None:
        return "no gradient"
    if depth == 0:
        return "…"
    name = node.name()
    if name.endswith("AccumulateGrad"):
        return "leaf"
    inputs = [_structure(source, depth - 1) for source, _ in node.next_functions]
    if name in ("AddBackward0", "MulBackward0"):
        inputs.sort(key=repr)
    return (name, *inputs)


def _nodes(node: Any) -> list[str]:
    """The names of a graph's nodes, each node once."""
    found: dict[Any, str] = {}
    waiting = [node]
    while waiting and len(found) < 50:
        here = waiting.pop()
        if here is not None and here not in found:
            found[here] = here.name()
            waiting.extend(source for source, _ in here.next_functions)
    return sorted(found.values())


def _from_graph(attempt: Attempt) -> None:
    out = attempt["out"]
    if isinstance(out, int | float):
        raise NotYet(
            f"`out` is {shown(out)}: a bare number, and a number carries no graph. Is anything in "
            "your program a tensor? Then leave out `.item()`.",
            shows=16,
        )
    attempt.tensor("out")
    if out.grad_fn is None:
        raise NotYet(
            "`out` has no `grad_fn`: no operation that made it was recorded. Recording begins at a "
            "tensor that asks for it, and goes on to what is computed from it, unless it is cut.",
            shows="nothing asked",
            draw=out,
        )
    x = attempt.torch.ones(2, requires_grad=True)
    operations = [name for name in _nodes(out.grad_fn) if not name.endswith("AccumulateGrad")]
    if len(_nodes(out.grad_fn)) - len(operations) > 1:
        raise NotYet(
            "Your graph begins at more than one leaf. In the one above, all arrows come from the "
            "same `x`.",
            shows="several leaves",
            draw=out,
        )
    if sorted(operations) != ["AddBackward0", "MulBackward0", "MulBackward0"]:
        raise NotYet(
            f"Your graph has the operations {', '.join(operations)}. Wanted are two "
            "`MulBackward0` and one `AddBackward0`.",
            shows="other operations",
            draw=out,
        )
    if _structure(out.grad_fn) != _structure((x * x + x * 2).grad_fn):
        raise NotYet(
            "The operations are right, but the arrows between them are not. Compare, node by node, "
            "what goes into each.",
            shows="other arrows",
            draw=out,
        )


code_from_graph = Exercise(
    id="02_code_from_a_graph",
    title="From the graph to the code",
    prompt="""
This is the outline of a graph, as `print(draw(out))` shows it. The numbers are left out.

```
x: leaf
n0 AccumulateGrad: adds to x.grad
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
        """
x = torch.tensor(3.0, requires_grad=True)
out = x * x + x * 2
""",
        """
x = torch.ones(4, requires_grad=True)
twice = 2 * x
square = x * x
out = twice + square
""",
    ),
    hints=(
        "Read it from the top: `n1` is a product of `x` with itself. `n2` is a product of `x` with "
        "something that wants no gradient, such as a plain number.",
        "Begin with `x = torch.tensor(3.0, requires_grad=True)`. The last line adds two products.",
    ),
    check=_from_graph,
    wrong=(
        Wrong(
            """
x = torch.tensor(3.0)
out = x * x + x * 2
""",
            shows="nothing asked",
        ),
        Wrong(
            """
x = torch.tensor(3.0, requires_grad=True)
out = (x * x + x * 2).item()
""",
            shows=16,
        ),
        Wrong(
            """
x = torch.tensor(3.0, requires_grad=True)
out = x**2 + x * 2
""",
            shows="other operations",
        ),
        Wrong(
            """
x = torch.tensor(3.0, requires_grad=True)
y = torch.tensor(3.0, requires_grad=True)
out = x * x + y * 2
""",
            shows="several leaves",
        ),
        Wrong(
            """
x = torch.tensor(3.0, requires_grad=True)
out = (x + x) * 2 * x
""",
            shows="other arrows",
        ),
    ),
)


def _assignment(attempt: Attempt) -> None:
    t = attempt.tensor("t")
    total = attempt["total"]
    if list(t.shape) != [5, 5]:
        raise NotYet(
            f"`t` has the shape {list(t.shape)}; a tensor of five rows and five columns is wanted.",
            shows="other shape",
        )
    if not t.requires_grad:
        raise NotYet(
            "`t` does not require grad, so nothing of the sum was recorded.",
            shows="nothing asked",
            draw={"t": t},
        )
    if isinstance(total, int | float):
        raise NotYet(
            f"`total` is {shown(total)}: a bare number. It carries no history, so no gradient will "
            "find its way back to `t`.",
            shows=16,
        )
    attempt.tensor("total")
    if not _reaches(attempt.torch, total, t):
        raise NotYet(
            "`total` is a tensor, but no road leads from it back to `t`. Was it computed from `t`? "
            "And was everything recorded on the way, or did it pass through a bare number, "
            "`detach()` or `no_grad()`?",
            shows=16,
            draw={"total": total, "t": t},
        )
    if not close(total, t.sum()):
        raise NotYet(
            f"`total` is computed from `t`, but it is {numerals(total)}, and the sum of the 25 "
            f"values is {numerals(t.sum())}.",
            shows="other result",
            draw={"total": total, "t": t},
        )


def _reaches(torch: Any, result: Any, tensor: Any) -> bool:
    """Whether the graph of `result` leads back to `tensor`; nothing of it is walked or freed."""
    if not result.requires_grad:
        return False
    waiting = [result.grad_fn]
    seen: set[Any] = set()
    while waiting and len(seen) < 10_000:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if node is tensor.grad_fn or getattr(node, "variable", None) is tensor:
            return True
        waiting.extend(source for source, _ in node.next_functions)
    return False


assignment = Exercise(
    id="02_first_sum",
    title="A tensor of your own",
    prompt="""
1. Create a tensor `t` of size 5 by 5 that requires grad. Which numbers it holds is up to you.
2. Add up all its values: `total`, a tensor that still knows where it came from.
""",
    starter="""
t = ...
total = ...
""",
    answers=("t", "total"),
    solutions=(
        """
t = torch.ones(5, 5, requires_grad=True)
total = t.sum()
""",
        """
t = torch.arange(25.0).reshape(5, 5).requires_grad_()
total = torch.sum(t)
""",
        """
t = torch.randn((5, 5), requires_grad=True)
total = t.sum(0).sum()
""",
    ),
    hints=(
        "`torch.ones(2, 2, requires_grad=True)` made a tensor of size 2 by 2.",
        "A tensor has a method that adds up its values. What it gives is a tensor again: leave it "
        "one.",
    ),
    check=_assignment,
    wrong=(
        Wrong(
            """
t = torch.ones(5, 5)
total = t.sum()
""",
            shows="nothing asked",
        ),
        Wrong(
            """
t = torch.tensor([[1] * 5] * 5, requires_grad=True)
total = t.sum()
""",
            shows=15,
        ),
        Wrong(
            """
t = torch.ones(5, 5, requires_grad=True)
total = t.sum().item()
""",
            shows=16,
        ),
        Wrong(
            """
t = torch.ones(5, 5, requires_grad=True)
number = t.sum().item()
total = torch.tensor(number, requires_grad=True)
""",
            shows=16,
        ),
        Wrong(
            """
t = torch.ones(5, 5, requires_grad=True)
total = t.sum().numpy()
""",
            shows=16,
        ),
        Wrong(
            """
t = torch.ones(25, requires_grad=True)
total = t.sum()
""",
            shows="other shape",
        ),
        Wrong(
            """
t = torch.ones(5, 5, requires_grad=True)
total = t.mean()
""",
            shows="other result",
        ),
    ),
)


def _floats(attempt: Attempt) -> None:
    ask = attempt.function("ask")
    for numbers in ([1, 2, 3], [0, -4, 7, 7], attempt.random.integers(-99, 99, 4).tolist()):
        made = attempt.checked_tensor(ask(numbers), "What `ask` gives back")
        if not made.requires_grad:
            raise NotYet(
                "The tensor that `ask` gives back does not require grad.",
                shows="nothing asked",
                draw={"made": made},
            )
        if not close(made, numbers):
            raise NotYet(
                f"For `{numbers}` the tensor holds other numbers: `{made.tolist()}`.",
                shows="other numbers",
                draw={"made": made},
            )


ask_with_integers = Exercise(
    id="02_integers",
    title="Whole numbers, and yet a gradient",
    prompt="""
Somebody has measured in whole numbers: `[1, 2, 3]`. Write `ask(numbers)`. It takes such a list and
gives back a tensor with the same values that requires grad.
""",
    starter="""
def ask(numbers):
    ...
""",
    answers=("ask",),
    solutions=(
        """
def ask(numbers):
    return torch.tensor(numbers, dtype=torch.float32, requires_grad=True)
""",
        """
def ask(numbers):
    return torch.tensor(numbers).float().requires_grad_()
""",
        """
def ask(numbers):
    whole = torch.tensor(numbers)
    halves = whole * 1.0
    halves.requires_grad = True
    return halves
""",
    ),
    hints=(
        "A tensor of integers cannot require grad. What must change first: the flag or the dtype?",
        "`torch.tensor(..., dtype=torch.float32)`, or `.float()` afterwards.",
    ),
    check=_floats,
    wrong=(
        Wrong(
            """
def ask(numbers):
    return torch.tensor(numbers, requires_grad=True)
""",
            shows=15,
        ),
        Wrong(
            """
def ask(numbers):
    return torch.tensor(numbers).requires_grad_()
""",
            shows=15,
        ),
        Wrong(
            """
def ask(numbers):
    return torch.tensor(numbers).float()
""",
            shows="nothing asked",
        ),
        Wrong(
            """
def ask(numbers):
    return torch.ones(len(numbers), requires_grad=True)
""",
            shows="other numbers",
        ),
    ),
)


def _keep_the_record(attempt: Attempt) -> None:
    total = attempt.function("total_square")
    torch = attempt.torch
    for values in ([1.0, 2.0, 3.0], [0.5, -4.0], attempt.drawn(4)):
        x = torch.tensor(values, requires_grad=True)
        result = total(x)
        if not attempt.is_number(result):
            attempt.checked_tensor(result, "What `total_square` gives back")
        right = (x * x).sum()
        if not close(result, right):
            raise NotYet(
                f"For `x = {values}` the sum of the squares is {numerals(right)}, and "
                f"`total_square` gives back {numerals(result)}.",
                shows="other result",
                draw={"result": result, "x": x},
            )
        if attempt.is_number(result):
            raise NotYet(
                "The number is right. But it is a bare number, and no gradient will ever find its "
                "way from it to `x`. Where does the record end?",
                shows=16,
            )
        if not _reaches(torch, result, x):
            raise NotYet(
                "The value is right, and it is a tensor. But no road leads from it back to `x`: "
                "somewhere on the way it was a bare number or an array, or was not recorded.",
                shows=16,
                draw={"result": result, "x": x},
            )


keep_the_record = Exercise(
    id="02_keep_the_record",
    title="Where did the record go?",
    prompt="""
`total_square(x)` should add up the squares of `x`, so that a gradient can flow from the result
back to `x`. The value is right. The graph is gone. Repair it.
""",
    starter="""
def total_square(x):
    total = 0.0
    for value in x:
        total = total + (value * value).item()
    return total
""",
    answers=("total_square",),
    solutions=(
        """
def total_square(x):
    total = 0.0
    for value in x:
        total = total + value * value
    return total
""",
        """
def total_square(x):
    return (x * x).sum()
""",
        """
def total_square(x):
    return x @ x
""",
    ),
    hints=(
        "Print the result. Is there a `grad_fn` behind it? In which line was it lost?",
        "`.item()` makes a bare number of a tensor. Numbers carry no history. Do you need it?",
    ),
    check=_keep_the_record,
    wrong=(
        Wrong(
            """
def total_square(x):
    total = 0.0
    for value in x:
        total = total + value.item() ** 2
    return torch.tensor(total, requires_grad=True)
""",
            shows=16,
        ),
        Wrong(
            """
def total_square(x):
    return sum(value.item() ** 2 for value in x)
""",
            shows=16,
        ),
        Wrong(
            """
def total_square(x):
    return torch.tensor((x.numpy() ** 2).sum())
""",
            shows=16,
        ),
        Wrong(
            """
def total_square(x):
    return (x.detach() * x.detach()).sum()
""",
            shows=16,
        ),
        Wrong(
            """
def total_square(x):
    return x.sum()
""",
            shows="other result",
        ),
    ),
)
