"""Lesson 05: the order in which gradients are passed on."""

from collections.abc import Callable, Sequence
from typing import Any

from minigrad.exercises.attempt import Attempt, close, numerals, shown
from minigrad.exercises.exercise import Exercise, NotYet, Wrong


def _once(attempt: Attempt) -> None:
    given, right = attempt.number("engine_2_says"), attempt.number("right_answer")
    torch = attempt.torch
    a = torch.tensor(1.0, requires_grad=True)
    b = a + a
    drawn = {"c": b + b, "b": b, "a": a}
    if (given, right) == (2, 4):
        return
    if right != 4:
        raise NotYet(
            "First the right answer: how many ways lead from `c` back to `a`? Each of them counts "
            "1.",
            draw=drawn,
        )
    if given == 4:
        raise NotYet(
            "4 is right, and engine 2 does not find it. It goes on from `b` once, at the first "
            "arrival. What has arrived by then?",
            shows=5,
            draw=drawn,
        )
    raise NotYet(
        "By its first arrival `b` has got 1. How much does `b` then send to `a`, in all?",
        draw=drawn,
    )


once = Exercise(
    id="05_once",
    title="What does engine 2 say?",
    prompt="""
```python
a = torch.tensor(1.0, requires_grad=True)
b = a + a
c = b + b
```

Engine 2 adds what arrives, and goes on from a node only at the first arrival. Which number does it
find for `a`? And which number is right?
""",
    starter="engine_2_says = ...\nright_answer = ...",
    answers=("engine_2_says", "right_answer"),
    solutions=(
        "engine_2_says = 2\nright_answer = 4",
        """
a = torch.tensor(1.0, requires_grad=True)
b = a + a
c = b + b
c.backward()
right_answer = a.grad
first_arrival = 1
engine_2_says = first_arrival + first_arrival
""",
    ),
    hints=(
        "`c` sends 1 to `b`, and then 1 to `b` again. When does engine 2 go on from `b`?",
        "It goes on with the first 1, and sends it along both arrows to `a`.",
    ),
    check=_once,
    because="The second 1 comes to `b` when `b` has passed on the first. `a` never hears of it.",
    wrong=(
        Wrong("engine_2_says = 4\nright_answer = 4", shows=5),
        Wrong("right = 2 * 2\nengine_2_says = right\nright_answer = right", shows=5),
    ),
)


_PROGRAM = """
```python
a = torch.tensor(3.0, requires_grad=True)
b = a + a
c = b * a
d = c + b
```
"""


def _graph(torch: Any) -> dict[str, Any]:
    a = torch.tensor(3.0, requires_grad=True)
    b = a + a
    c = b * a
    return {"d": c + b, "c": c, "b": b, "a": a}


def _arrivals(attempt: Attempt) -> None:
    given = [attempt.number(f"at_{letter}") for letter in "cba"]
    drawn = _graph(attempt.torch)
    if given == [1, 2, 3]:
        return
    if given == [2, 2, 0]:
        raise NotYet(
            "You counted what goes *into* each operation. On the way back, gradients arrive from "
            "the other side: one for each arrow that leaves a value to the right.",
            shows="inputs counted",
            draw=drawn,
        )
    if given[:2] == [1, 2] and given[2] == 2:
        raise NotYet(
            "In `a + a` the same `a` is both summands. Two arrows, two gradients.",
            shows="two arrows counted as one",
            draw=drawn,
        )
    if given == [1, 1, 1]:
        raise NotYet(
            "Not one for each: a value that is used in several places gets a gradient from every "
            "one of them.",
            shows=5,
            draw=drawn,
        )
    wrong = next(n for n, x, y in zip("cba", given, (1, 2, 3), strict=True) if x != y)
    raise NotYet(
        f"Look again at `{wrong}`: count the arrows that leave it to the right.", draw=drawn
    )


arrivals = Exercise(
    id="05_arrivals",
    title="How many will arrive?",
    prompt=f"""
{_PROGRAM}
How many gradients will arrive at `c`, at `b` and at `a` when `d.backward()` walks?
""",
    starter="at_c = ...\nat_b = ...\nat_a = ...",
    answers=("at_c", "at_b", "at_a"),
    solutions=(
        "at_c = 1\nat_b = 2\nat_a = 3",
        """
a = torch.tensor(3.0, requires_grad=True)
b = a + a
c = b * a
d = c + b
arrivals = {}
for node in (d.grad_fn, c.grad_fn, b.grad_fn):
    for before, _ in node.next_functions:
        arrivals[before] = arrivals.get(before, 0) + 1
at_c, at_b = arrivals[c.grad_fn], arrivals[b.grad_fn]
at_a = sum(arrivals.values()) - at_c - at_b
""",
    ),
    hints=(
        "Draw `d`. A gradient comes back along every arrow.",
        "`b` is used in two places. `a` is used in two places, too, and in one of them twice.",
    ),
    check=_arrivals,
    because="`c` is used once, `b` in `c` and in `d`, and `a` twice in `b` and once in `c`.",
    wrong=(
        Wrong("at_c = 1\nat_b = 1\nat_a = 1", shows=5),
        Wrong("at_c = 1\nat_b = 2\nat_a = 2", shows="two arrows counted as one"),
        Wrong("at_c = 2\nat_b = 2\nat_a = 0", shows="inputs counted"),
    ),
)


_ORDERS = ("d c b a", "d b c a", "d c a b", "a b c d")


def _order(attempt: Attempt) -> None:
    given = attempt.flags("topological", len(_ORDERS))
    drawn = _graph(attempt.torch)
    if given == [True, False, False, False]:
        return
    if given[3]:
        raise NotYet(
            "`a b c d` is the order in which the program computed. Gradients go the other way: `d` "
            "is the first to have anything.",
            shows="forward order",
            draw=drawn,
        )
    if given[1] or given[2]:
        order, early, late = (_ORDERS[1], "b", "c") if given[1] else (_ORDERS[2], "a", "b")
        raise NotYet(
            f"In `{order}`, `{early}` passes its gradient on before `{late}` had its turn. But "
            f"`{late}` still has something to send to `{early}`.",
            shows=5,
            draw=drawn,
        )
    raise NotYet(
        "One of them does hold. Take the orders one by one: has everything that sends to a node "
        "been there before it?",
        draw=drawn,
    )


order = Exercise(
    id="05_order",
    title="Which order may it be?",
    prompt=f"""
{_PROGRAM}
Which of these orders of the four are topological, so that an engine may walk in them?

`{"`, `".join(_ORDERS)}`

Four times `True` or `False`.
""",
    starter="topological = [..., ..., ..., ...]",
    answers=("topological",),
    solutions=(
        "topological = [True, False, False, False]",
        """
sends = [("d", "c"), ("d", "b"), ("c", "b"), ("c", "a"), ("b", "a")]
topological = [
    all(text.index(early) < text.index(late) for early, late in sends)
    for text in ["d c b a", "d b c a", "d c a b", "a b c d"]
]
""",
    ),
    hints=(
        "Who sends to whom? `d` to `c` and to `b`; `c` to `b` and to `a`; `b` to `a`.",
        "In a topological order each sender stands before the one that it sends to.",
    ),
    check=_order,
    because="`b` has to wait for `c`, and `a` for `b`: only one order is left.",
    wrong=(
        Wrong("topological = [True, True, False, False]", shows=5),
        Wrong("topological = [True, False, True, False]", shows=5),
        Wrong("topological = [False, False, False, True]", shows="forward order"),
    ),
)


def _results(torch: Any) -> list[Any]:
    """Graphs to try an order on: a chain, a diamond, two with a long and a short way."""
    a = torch.tensor(2.0, requires_grad=True)
    b = a * a
    c = b + a
    doubled = a
    for _ in range(6):
        doubled = doubled + doubled
    return [a * 3.0 * a, (a + a) * (a * a), b * c, c * b, _graph(torch)["d"], doubled]


def _drawn_program(attempt: Attempt, length: int) -> Any:
    """A result of so many sums and products, each of the one before and of any before that."""
    value = abs(attempt.drawn())  # no sum is nearly 0
    made = [attempt.torch.tensor(value, requires_grad=True)]
    for _ in range(length):
        earlier = made[attempt.random.integers(len(made))]
        is_sum = attempt.random.random() < 0.5
        made.append(made[-1] + earlier if is_sum else made[-1] * earlier)
    return made[-1]


def _all_nodes(root: Any) -> list[Any]:
    found = [root]
    for node in found:
        found += [n for n, _ in node.next_functions if n is not None and n not in found]
    return found


def _leaf(nodes: list[Any]) -> Any:
    return next(node for node in nodes if hasattr(node, "variable"))


def _sort(attempt: Attempt) -> None:
    sort = attempt.function("sort")
    for result in [*_results(attempt.torch), _drawn_program(attempt, 6)]:
        given = sort(result.grad_fn)
        if not isinstance(given, Sequence) or not all(
            hasattr(node, "next_functions") for node in given
        ):
            raise NotYet(
                f"`sort` gives back {shown(given)}; a list of nodes is wanted, `root` among them."
            )
        _check_order(list(given), result)


def _check_order(given: list[Any], result: Any) -> None:
    nodes = _all_nodes(result.grad_fn)
    drawn = {"result": result, "a": _leaf(nodes).variable}
    if len(given) > len(set(given)):
        raise NotYet(
            "A node stands in the list more than once. It has its turn once, when all has arrived.",
            shows="a node twice",
            draw=drawn,
        )
    if set(given) != set(nodes):
        raise NotYet(
            f"The graph has {len(nodes)} nodes, those of the leaves included; the list has "
            f"{len(given)}.",
            shows="nodes missing",
            draw=drawn,
        )
    place = {node: index for index, node in enumerate(given)}
    pairs = [(n, m) for n in nodes for m, _ in n.next_functions if m is not None]
    if all(place[sender] > place[taker] for sender, taker in pairs):
        raise NotYet(
            "That is the order of the program, leaves first. Turn it round.",
            shows="forward order",
            draw=drawn,
        )
    for sender, taker in pairs:
        if place[sender] > place[taker]:
            raise NotYet(
                f"Here a node ({taker.name()}) has its turn before one that still sends to it "
                f"({sender.name()}). It passes on too little, and nobody notices.",
                shows=5,
                draw=drawn,
            )


_DEPTH_FIRST = """
def sort(root):
    found = []

    def visit(node):
        if node is None or node in found:
            return
        found.append(node)
        for before, _ in node.next_functions:
            visit(before)

    visit(root)
    return found
"""

sort = Exercise(
    id="05_sort",
    title="A topological sort",
    prompt="""
Write a function that takes the node of a result (its `grad_fn`) and gives a list of all nodes
behind it, `root` included, each exactly once, in a topological order: each node *after* all those
that send to it. (`before` may be None, for a constant. Skip it.)
""",
    starter="def sort(root):\n    ...",
    answers=("sort",),
    solutions=(
        """
def sort(root):
    waiting_for, to_look_at = {root: 0}, [root]
    while to_look_at:
        for before, _ in to_look_at.pop().next_functions:
            if before is not None:
                if before not in waiting_for:
                    waiting_for[before] = 0
                    to_look_at.append(before)
                waiting_for[before] += 1
    ready, order = [root], []
    while ready:
        node = ready.pop()
        order.append(node)
        for before, _ in node.next_functions:
            if before is not None:
                waiting_for[before] -= 1
                if waiting_for[before] == 0:
                    ready.append(before)
    return order
""",
        """
def sort(root):
    left = []

    def visit(node):
        if node is not None and node not in left:
            for before, _ in node.next_functions:
                visit(before)
            left.append(node)

    visit(root)
    return left[::-1]
""",
    ),
    hints=(
        "First count, for every node, how many gradients will be sent to it.",
        "Begin with `root`, which waits for nothing. Each node you take sends to the nodes before "
        "it: lower their counts. Who is at zero is ready.",
        "There is a shorter way, too: visit all that is before a node, and only then append the "
        "node itself. Which way round does the list stand in the end?",
    ),
    check=_sort,
    because="Each node once, and never before its senders: an engine can walk along this list.",
    wrong=(
        Wrong(_DEPTH_FIRST, shows=5),
        Wrong(
            "def sort(root):\n    found = [root]\n    for node in found:\n"
            "        for before, _ in node.next_functions:\n"
            "            if before is not None and before not in found:\n"
            "                found.append(before)\n    return found",
            shows=5,
        ),
        Wrong(
            "def sort(root):\n    found = [root]\n    for node in found:\n"
            "        found += [n for n, _ in node.next_functions if n is not None]\n"
            "    return found",
            shows="a node twice",
        ),
        Wrong(
            "def sort(root):\n    left = []\n    def visit(node):\n"
            "        if node is not None and node not in left:\n"
            "            for before, _ in node.next_functions:\n"
            "                visit(before)\n            left.append(node)\n"
            "    visit(root)\n    return left",
            shows="forward order",
        ),
        Wrong("def sort(root):\n    return [root]", shows="nodes missing"),
    ),
)


def _downstream(node: Any, upstream: float) -> list[float]:
    if node.name() == "AddBackward0":
        return [upstream, upstream]
    first, second = node._saved_self.item(), node._saved_other.item()
    return [upstream * second, upstream * first]


def _overwriting(attempt: Attempt) -> None:
    gradients = attempt.function("gradients")
    torch = attempt.torch
    a = torch.tensor(3.0, requires_grad=True)

    def at_leaf(result: Any) -> tuple[Any, float, float]:
        """The leaf, the gradient that the answer finds there, and the right one."""
        nodes = _in_order(result.grad_fn)
        found = gradients(nodes, _downstream)
        leaf = _leaf(nodes)
        if not isinstance(found, dict) or leaf not in found:
            raise NotYet("The function is to give back `grads`: for each node, its gradient.")
        given = attempt.checked_number(found[leaf], "The leaf's gradient")
        (wanted,) = torch.autograd.grad(result, leaf.variable, retain_graph=True)
        return leaf.variable, given, wanted.item()

    for program in _PROGRAMS:
        result = program(a)
        nodes = _in_order(result.grad_fn)
        _, given, wanted = at_leaf(result)
        if not close(given, wanted):
            said = f"For this graph the engine says {given:g} at `a`, and {wanted:g} is right. "
            drawn = {"result": result, "a": a}
            if given in [_stored(nodes, keep)[nodes[-1]] for keep in ("first", "last")]:
                raise NotYet(
                    f"{said}Look at a node where two arrows come back: what becomes of the first "
                    "gradient when the second arrives?",
                    shows=5,
                    draw=drawn,
                )
            if given == 0:
                raise NotYet(
                    f"{said}Somewhere a 0 was passed on, or multiplied with. Does each node have "
                    "its turn after all has arrived, and is what arrives *added* to the 0 that "
                    "stands there?",
                    shows=5,
                    draw=drawn,
                )
            raise NotYet(
                f"{said}Walk along on paper. Begin with 1 at the result; what `downstream` gives "
                "is to be added up at the nodes that it goes to.",
                draw=drawn,
            )
    result = _drawn_program(attempt, 3)
    leaf, given, wanted = at_leaf(result)
    drawn = {"result": result, "a": leaf}
    tried = f"this graph with {numerals(leaf)} at `a`"
    attempt.confirm("the engine finds there", given, wanted, tried, draw=drawn)


def _stored(order: list[Any], keep: str) -> dict[Any, float]:
    """What an engine stores that adds nothing, and keeps the first gradient or the last."""
    grads = {order[0]: 1.0}
    for node in order:
        if node.next_functions:
            for (before, _), share in zip(
                node.next_functions, _downstream(node, grads[node]), strict=True
            ):
                if keep == "last" or before not in grads:
                    grads[before] = share
    return grads


def _b_and_c(a: Any) -> Any:
    b = a * a
    return b * (b + a)


_PROGRAMS: list[Callable[[Any], Any]] = [lambda a: a * a, lambda a: a + a * a, _b_and_c]


def _in_order(root: Any) -> list[Any]:
    left: list[Any] = []

    def visit(node: Any) -> None:
        if node not in left:
            for before, _ in node.next_functions:
                visit(before)
            left.append(node)

    visit(root)
    return left[::-1]


_ENGINE = """
def gradients(order, downstream):
    \"\"\"The gradient of each node, found in a topological order.\"\"\"
    grads = dict.fromkeys(order, 0.0)
    grads[order[0]] = 1.0
    for node in order:
        if node.next_functions:
            shares = downstream(node, grads[node])
            for (before, _), share in zip(node.next_functions, shares):
                grads[before] = share
    return grads
"""

overwriting = Exercise(
    id="05_overwriting",
    title="Find the bug",
    prompt="""
This engine walks in the right order, and yet says that the slope of `x * x` at 3 is 3. No error is
raised. Find the bug and mend it.
""",
    starter=_ENGINE.strip(),
    answers=("gradients",),
    solutions=(
        _ENGINE.replace("grads[before] = share", "grads[before] += share"),
        """
def gradients(order, downstream):
    grads = {node: 0.0 for node in order}
    grads[order[0]] = 1.0
    for node in order:
        targets = [before for before, _ in node.next_functions]
        for before, share in zip(targets, downstream(node, grads[node]) if targets else []):
            grads[before] = grads[before] + share
    return grads
""",
    ),
    hints=(
        "Take `x * x` by hand: the node sends 3 to `x`, and then 3 to `x` again. What is stored?",
        "One sign is missing: where a gradient arrives, it is *added*.",
    ),
    check=_overwriting,
    because="Where several gradients arrive they are added: `+=`, not `=`.",
    wrong=(
        Wrong(_ENGINE.replace("= share", "= share + 0"), shows=5),
        Wrong(_ENGINE.replace("in order:\n        if", "in reversed(order):\n        if"), shows=5),
        Wrong(
            _ENGINE.replace("grads[before] = share", "grads[before] = grads[before] or share"),
            shows=5,
        ),
    ),
)
