"""Lesson 05: the order in which gradients are passed on."""

from collections.abc import Iterator
from typing import Any

from minigrad.exercises.attempt import Attempt
from minigrad.exercises.exercise import Exercise, NotYet, Observation, Slip
from minigrad.exercises.predictions import Explanation, Prediction

QUESTIONS = (
    Prediction(
        "05_r1",
        "Lesson 04. w.grad is 3. A new loss has slope 3 at w. After its backward(), w.grad is ...",
        "6",
        {
            "3": "backward() doesn't replace what's there. What does it do?",
            "6": "It adds: 3 + 3.",
            "9": "Slopes along one path are multiplied. But this is a second call.",
        },
    ),
    Prediction(
        "05_r2",
        "Lesson 02. Which of these has a grad_fn?",
        "the result of an operation on a leaf that requires grad",
        {
            "a leaf that requires grad": "You made it yourself, so there's no operation to name.",
            "the result of an operation on a leaf that requires grad": "It names that operation.",
        },
    ),
    Prediction(
        "05_r3",
        "Lesson 01. A program has 10 inputs. How many runs do all its central differences take?",
        "20 times",
        {
            "10 times": "A central difference nudges up and down.",
            "20 times": "Two runs per input: one nudged up, one nudged down.",
        },
    ),
    Prediction(
        "05_p1",
        "The second 1 has arrived at b. What does our engine pass on from b to a now?",
        "2, along each arrow",
        {
            "1, along each arrow": "That's what just arrived. Look at what the code passes on.",
            "2, along each arrow": "It passes on all that b has.",
            "nothing": "For that, the code would have to note that b has been visited.",
        },
    ),
    Prediction(
        "05_p2",
        "One doubling takes engine 1 three visits. How many do ten doublings take?",
        "2047",
        {
            "11": "That's how many nodes there are. This engine visits most of them many times.",
            "1024": "That's the number of visits to the leaf. It visits the sums, too.",
            "2047": "1 + 2 + 4 + ... + 1024.",
        },
    ),
    Prediction(
        "05_p3",
        "When engine 2 has finished, which of b and a has the wrong gradient?",
        "only a",
        {
            "neither, b adds both": "b does add both. But what did it pass on, and when?",
            "only b": "The 4 is added at b, 6 + 4. But does it go any further?",
            "only a": "b adds the 4 and keeps it.",
        },
    ),
    Prediction(
        "05_p4",
        "How many gradients will arrive at a?",
        "3",
        {
            "1": "It's one leaf, but it's used more than once.",
            "2": "It's used in b and in c. But how many arrows lead back from a * a?",
            "3": "One for each arrow that leaves a.",
        },
    ),
    Prediction(
        "05_p5",
        "In which order do the three operations run in diamond.backward()?",
        "diamond, right, left",
        {
            "left, right, diamond": "That's the program's order. Where does backward start?",
            "diamond, left, right": "Topological, too. But which was recorded last?",
            "diamond, right, left": "What was recorded last comes first.",
        },
    ),
    Explanation(
        "05_explain",
        "A colleague's engine goes on from each node at the first arrival, and all its tests pass. "
        "Tell them in two sentences why it's wrong, and which test is missing.",
        "If a result is used twice, its second gradient comes after it has passed on the first, "
        "and never gets any further. So test it on b = a + a; c = b + b, where it finds 2, not 4.",
        ("the second gradient comes too late", "the test needs a result that's used twice"),
    ),
)

once = Exercise(
    id="05_once",
    title="What does engine 2 say?",
    prompt="""
**5 minutes.** Work this out on paper:

```python
a = torch.tensor(1.0, requires_grad=True)
b = a + a
c = b + b
d = c + c
```

Which number does engine 2 find at `a`? And which one is right?
""",
    starter="engine_2_says = ...\nright_answer = ...",
    answers=("engine_2_says", "right_answer"),
    solutions=("engine_2_says = 2\nright_answer = 8",),
    hints=(
        "Start with engine 2. What has arrived at `c` when the engine goes on from there?",
        "For the right answer, count paths. Two lead from `d` to `c`. How many lead on from there?",
        "Engine 2 goes on from `c` with 1, from `b` with 1, and gets to `a` along two arrows.",
    ),
    because="Engine 2 says 2 however often you double. Each second gradient comes too late.",
    slips=(
        Slip(
            "Adding is enough",
            "engine_2_says = 8\nright_answer = 8",
            "8 is right, but engine 2 doesn't find it. How much has arrived when it goes on?",
            misconception=5,
        ),
        Slip(
            "Paths are added up step by step",
            "engine_2_says = 2\nright_answer = 6",
            "For the right answer you counted arrows: 2 + 2 + 2. How many *paths* are there, if "
            "either arrow to `c` can be followed by either arrow to `b`?",
            when=lambda seen: seen["`right_answer`"] == 6,
        ),
        Slip(
            "Engine 2 passes on the running total",
            "engine_2_says = 26\nright_answer = 8",
            "26 is what the engine from the beginning says. It goes on at *every* arrival, with "
            "all it has. When does engine 2 go on?",
        ),
    ),
)


def _nodes(root: Any) -> list[Any]:
    found = [root]
    for node in found:
        sources = {source: None for source, _ in node.next_functions if source is not None}
        found += [source for source in sources if source not in found]
    return found


def _engine_2(root: Any) -> float:
    """What engine 2 finds at the leaf of a graph of additions."""
    done, at_leaf = set(), 0.0

    def go_on(node: Any, upstream: float) -> None:
        nonlocal at_leaf
        if hasattr(node, "variable"):
            at_leaf += upstream
        elif node is not None and node not in done:
            done.add(node)
            for source, _ in node.next_functions:
                go_on(source, upstream)

    go_on(root, 1.0)
    return at_leaf


def _trapped(attempt: Attempt) -> Iterator[Observation]:
    trap, torch = attempt.function("trap"), attempt.torch
    a = torch.tensor(attempt.drawn(), requires_grad=True)
    result = attempt.checked_tensor(trap(a), "What `trap` returns")
    if result.grad_fn is None:
        raise NotYet("What `trap` returns has no graph. Compute it from `a`.")
    names = {node.name() for node in _nodes(result.grad_fn) if not hasattr(node, "variable")}
    yield "The operations in your graph", ", ".join(sorted(names))
    yield "What engine 2 finds", _engine_2(result.grad_fn)
    yield "The slope", torch.autograd.grad(result.sum(), a, allow_unused=True)[0]


def _trap(returned: str) -> str:
    return f"def trap(a):\n    b = a + a\n    return {returned}\n"


trap = Exercise(
    id="05_trap",
    title="A trap for engine 2",
    prompt="""
**10 minutes.** Engine 2 is right on many graphs, so a test needs one that exposes it. Write
`trap(a)`. It uses only additions, and computes a result from `a` whose slope is 6 but for which
engine 2 finds 2.
""",
    starter="def trap(a):\n    ...",
    answers=("trap",),
    solutions=(_trap("b + b + b"), _trap("b + (b + b)")),
    hints=(
        "On which graphs is engine 2 right? Something has to be used more than once to fool it.",
        "Engine 2 finds 2 for `b = a + a; c = b + b`, which has 4 paths. You need 6 paths.",
        "Keep `b = a + a`. Each use of `b` adds two paths, and engine 2 misses all but the first.",
    ),
    because="Each use of `b` brings two paths, and engine 2 goes on from `b` only once.",
    probe=_trapped,
    slips=(
        Slip(
            "Using `a` often is enough",
            "def trap(a):\n    return a + a + a + a + a + a\n",
            "The slope is 6, and engine 2 finds 6 as well. You used only `a` several times. It's a "
            "leaf, so it passes nothing on, and all its gradients are added. Which kind of node "
            "can pass something on too early?",
        ),
        Slip(
            "Doubling adds two paths",
            "def trap(a):\n    b = a + a\n    c = b + b\n    return c + c\n",
            "Engine 2 finds 2, but the slope is 8: 2 · 2 · 2 paths. How do you get from 4 to 6?",
        ),
        Slip(
            "Three times is three uses",
            _trap("3 * b"),
            "You used a product, and engine 2 isn't fooled: `3 * b` uses `b` once. Use additions.",
            when=lambda seen: "Mul" in seen["The operations in your graph"],
        ),
    ),
)


def _faults(given: Any, root: Any) -> str:
    """What keeps a list of nodes from being a topological order of a graph."""
    nodes = _nodes(root)
    if not isinstance(given, list | tuple) or not all(hasattr(n, "next_functions") for n in given):
        return "no list of nodes"
    if len(given) != len(set(given)):
        return "a node is in it twice"
    if set(given) != set(nodes):
        return f"{len(given)} nodes of {len(nodes)}"
    place = {node: number for number, node in enumerate(given)}
    pairs = [(n, m) for n in nodes for m, _ in n.next_functions if m is not None]
    early = [f"{m.name()} before {n.name()}" for n, m in pairs if place[n] > place[m]]
    return ", ".join(early) or "topological"


def _sorted(attempt: Attempt) -> Iterator[Observation]:
    sort, torch = attempt.function("sort"), attempt.torch
    a = torch.tensor(2.0, requires_grad=True)
    b = a * a
    made = [torch.tensor(abs(attempt.drawn()), requires_grad=True)]
    for _ in range(6):
        made.append(made[-1] + made[attempt.random.integers(len(made))])
    found = {"b * (b + a)": b * (b + a), "(b + a) * b": (b + a) * b, "3 * b": 3 * b}
    found["a drawn program"] = made[-1]
    faults = {name: _faults(sort(one.grad_fn), one.grad_fn) for name, one in found.items()}
    yield from ((f"The verdict on your list for `{name}`", fault) for name, fault in faults.items())
    if {*faults.values()} == {"topological"}:  # is it right for long graphs, too?
        for _ in range(3000):
            a = a + 1.0
        try:
            fault = _faults(sort(a.grad_fn), a.grad_fn)
        except NotYet as stop:
            fault = stop.error.partition(":")[0]
        yield "The verdict on your list for 3,000 additions in a row", fault


def _recursive(before: str = "", after: str = "", end: str = "found") -> str:
    return f"""def sort(root):
    found = []
    def visit(node):
        if node is not None and node not in found:
            {before or "pass"}
            for source, _ in node.next_functions:
                visit(source)
            {after or "pass"}
    visit(root)
    return {end}"""


sort = Exercise(
    id="05_sort",
    title="Sort without counting",
    prompt="""
**20 minutes.** You can sort without counting if you go **depth first**: follow an arrow as far as
it leads before you take the next one. Think about *when* to add a node to your list: on arrival,
or when you leave it? A function that calls itself keeps the code short.

Write `sort(root)`. `root` is the node of a result (its `grad_fn`). Return a list of all nodes of
its graph, leaves included, each exactly once, and each *after* all the nodes that send something to
it. A source can be `None`, for a constant. Skip it.
""",
    starter="def sort(root):\n    ...",
    answers=("sort",),
    solutions=(
        """
def sort(root):
    seen, left, todo = set(), [], [(root, False)]
    while todo:
        node, leaving = todo.pop()
        if leaving:
            left.append(node)
        elif node is not None and node not in seen:
            seen.add(node)
            todo.append((node, True))
            todo += [(source, False) for source, _ in node.next_functions]
    return left[::-1]
""",
    ),
    hints=(
        "Do it on paper for `b * (b + a)`. In which order do you arrive at nodes and leave them?",
        "If you add each node when you leave it, do the leaves come first or last in your list?",
        "Visit all sources in a loop, *then* append the node. At the very end, `[::-1]`.",
    ),
    because="You leave a node after its sources, so in the reversed list it's ahead of them.",
    probe=_sorted,
    slips=(
        Slip(
            "Noted on arrival",
            _recursive(before="found.append(node)"),
            "Your list for `b * (b + a)` isn't topological: you note a node when you *arrive* at "
            "it. The short path gets to `b` before the `+` has sent anything there. "
            "When can you be sure that nothing is left to do at a node?",
            misconception=5,
        ),
        Slip(
            "Level by level",
            "def sort(root):\n    found = [root]\n    for node in found:\n"
            "        for source, _ in node.next_functions:\n"
            "            if source is not None and source not in found:\n"
            "                found.append(source)\n    return found\n",
            "You went level by level. That puts `b` and the `+` of `b * (b + a)` on one level, but "
            "the `+` sends to `b`. What counts is the *longest* path to a node. Go depth first.",
        ),
        Slip(
            "Leaves first",
            _recursive(after="found.append(node)"),
            "You note a node when you leave it, and that's the idea. But print the names in your "
            "list. At which end does an engine start?",
        ),
        Slip(
            "A function may call itself as often as it likes",
            _recursive(after="found.append(node)", end="found[::-1]"),
            "Right, but not for long graphs. On 3,000 additions in a row, Python stopped with a "
            "`RecursionError`, because it limits how deep calls may be nested. For such graphs, "
            "keep a list of what's left to do, as engine 3 does.",
            accepted=True,
        ),
    ),
)
