"""Lesson 04: gradients add up, over paths and over calls."""

from typing import Any

import numpy as np

from minigrad.exercises.attempt import Attempt, close, numerals, shown
from minigrad.exercises.exercise import Exercise, NotYet, Wrong


def _diamond(attempt: Attempt) -> None:
    given = attempt.number("a_grad")
    torch = attempt.torch
    a = torch.tensor(2.0, requires_grad=True)
    left, right = a * 3, a * a
    d = left + right
    (whole,) = torch.autograd.grad(d, a, retain_graph=True)
    if close(given, whole):
        return
    along_left, along_right = 3.0, 2 * 2.0
    if close(given, along_left) or close(given, along_right):
        raise NotYet(
            f"`{given:g}` is what comes back along one of the two paths. Nothing overwrites it: "
            "what comes along the other path is added.",
            shows=5,
            draw={"d": d, "right": right, "left": left, "a": a},
        )
    if close(given, 3 + 2):
        raise NotYet(
            "You added the two paths, and that is the idea. But look at `a * a`: `a` is both "
            "factors, so two arrows lead back from that multiplication alone.",
            shows="one factor only",
            draw={"d": d, "right": right, "left": left, "a": a},
        )
    if close(given, along_left * along_right):
        raise NotYet(
            "Along *one* path the slopes are multiplied. Where two paths meet, they are added.",
            shows="paths multiplied",
            draw={"d": d, "right": right, "left": left, "a": a},
        )
    if close(given, d.item()):
        raise NotYet(
            f"`{given:g}` is the value of `d`. Asked for is its slope: how fast `d` grows when "
            "`a` grows.",
            shows="value for slope",
            draw={"d": d, "right": right, "left": left, "a": a},
        )
    raise NotYet(
        f"`a_grad` is not `{given:g}`. Follow each arrow from `d` back to `a`, multiply the "
        "slopes along it, and add what the arrows bring.",
        draw={"d": d, "right": right, "left": left, "a": a},
    )


diamond = Exercise(
    id="04_diamond",
    title="Around the diamond",
    prompt="""
A tensor is used in two places, and the results meet again:

```python
a = torch.tensor(2.0, requires_grad=True)
left = a * 3
right = a * a
d = left + right
d.backward()
```

Which number is in `a.grad`? Work it out on paper, path by path.
""",
    starter="a_grad = ...",
    answers=("a_grad",),
    solutions=(
        "a_grad = 7",
        """
a = torch.tensor(2.0, requires_grad=True)
d = a * 3 + a * a
d.backward()
a_grad = a.grad
""",
    ),
    hints=(
        "How many arrows end at `a`? One comes from `left`. How many from `right = a * a`?",
        "The addition passes 1 to `left` and 1 to `right`. `left` passes on 1 × 3. `right` passes "
        "on 1 × *the other factor*, once for each of its two factors.",
    ),
    check=_diamond,
    because="3 along the left path, and 2 + 2 along the two arrows of `a * a`: 7 in all.",
    wrong=(
        Wrong("a_grad = 4", shows=5),
        Wrong(
            """
left_alone = 3.0
a_grad = torch.tensor(left_alone)
""",
            shows=5,
        ),
        Wrong("a_grad = 3 + 2", shows="one factor only"),
        Wrong("a_grad = 3 * 4", shows="paths multiplied"),
        Wrong("a_grad = 2 * 3 + 2 * 2", shows="value for slope"),
    ),
)


def _engine(attempt: Attempt) -> None:
    walk = attempt.function("walk")
    chain = [("out", "b", 4.0), ("b", "a", 5.0)]
    diamond = [("out", "l", 1.0), ("out", "r", 1.0), ("l", "a", 3.0), ("r", "a", 4.0)]
    twice = [("out", "b", 1.0), ("out", "b", 1.0), ("b", "a", 1.0), ("b", "a", 1.0)]
    roads = [("out", "l"), ("out", "r"), ("out", "a"), ("l", "r"), ("l", "a"), ("r", "a")]
    drawn = [(*road, slope) for road, slope in zip(roads, attempt.drawn(6), strict=True)]
    for edges in (chain, diamond, twice, drawn):
        found = walk(list(edges))
        reached = found.get("a") if isinstance(found, dict) else None
        if not attempt.is_number(reached):
            raise NotYet(
                f"After the walk over `{edges}` the dictionary has no number for `'a'`. Is each "
                "edge's number stored under the name `below`, and is no edge left out?",
                shows="nothing stored",
            )
        right = _walked(edges, add=True)
        if close(reached, right):
            continue
        if close(reached, _walked(edges, add=False)):
            raise NotYet(
                f"In `{edges}` two edges lead to the same tensor. Your walk keeps the number that "
                "came last, and the other one is gone.",
                shows=5,
            )
        if close(reached, sum(slope for _, below, slope in edges if below == "a")):
            raise NotYet(
                f"For `{edges}` your walk adds up slopes. What travels along an edge is upstream × "
                "slope: the number that has arrived above it, times the slope.",
                shows="local only",
            )
        raise NotYet(
            f"For `{edges}` your walk finds {numerals(reached)} at `'a'`, and {numerals(right)} is "
            "right. Do it on paper: one multiplication for each edge, and an addition where two "
            "arrive.",
            shows="other result",
        )


def _walked(edges: list[tuple[str, str, float]], add: bool) -> float:
    """The gradient of a; without `add`, as an engine finds it that overwrites."""
    grads = {"out": 1.0}
    for above, below, slope in edges:
        grads[below] = grads[above] * slope + (grads.get(below, 0.0) if add else 0.0)
    return grads["a"]


engine = Exercise(
    id="04_engine",
    title="An engine in two lines",
    prompt="""
A graph is given as a list of edges, from the result to the leaves: `("out", "b", 4.0)` says that
`b` goes into `out`, with slope 4. They are in the right order: all edges that end at a tensor come
before those that begin there. Complete the walk, so that `grads` holds the gradient of every
tensor in the end.

```python
walk([("out", "b", 4.0), ("b", "a", 5.0)])   # {'out': 1.0, 'b': 4.0, 'a': 20.0}
```

It has to be right where two edges meet as well.
""",
    starter="""
def walk(edges):
    grads = {"out": 1.0}
    for above, below, slope in edges:
        ...
    return grads
""",
    answers=("walk",),
    solutions=(
        """
def walk(edges):
    grads = {"out": 1.0}
    for above, below, slope in edges:
        grads[below] = grads.get(below, 0.0) + grads[above] * slope
    return grads
""",
        """
from collections import defaultdict
def walk(edges):
    grads = defaultdict(float, out=1.0)
    for above, below, slope in edges:
        grads[below] += grads[above] * slope
    return grads
""",
    ),
    hints=(
        "One line computes what travels along the edge: upstream × local.",
        "The other line brings it to `below`. If something is there already, add to it. "
        "`grads.get(below, 0.0)` is what is there, or zero.",
    ),
    check=_engine,
    wrong=(
        Wrong(
            """
def walk(edges):
    grads = {"out": 1.0}
    for above, below, slope in edges:
        grads[below] = grads[above] * slope
    return grads
""",
            shows=5,
        ),
        Wrong(
            """
def walk(edges):
    grads = {"out": 1.0}
    for above, below, slope in edges:
        grads.setdefault(below, 0)
        grads[below] += slope
    return grads
""",
            shows="local only",
        ),
        Wrong(
            """
def walk(edges):
    grads = {"out": 1.0}
    for above, below, slope in edges:
        grads[below] += grads[above] * slope
    return grads
""",
            shows="error",
        ),
        Wrong(
            """
def walk(edges):
    grads = {"out": 1.0}
    for above, below, slope in edges:
        gradient = grads[above] * slope if above in grads else 0
    return grads
""",
            shows="nothing stored",
        ),
    ),
)


def _calls(attempt: Attempt) -> None:
    given = attempt.numbers("grad_each_turn", 3)
    w = attempt.torch.tensor(2.0, requires_grad=True)
    slope = 5.0
    if close(given, [slope, 2 * slope, 3 * slope]):
        return
    drawn = {"loss": w * 5, "w": w}
    if close(given, [slope] * 3):
        raise NotYet(
            "You wrote what each call *brings*. But the third line finds something in `w.grad` "
            "already. Does the second call take it away?",
            shows=2,
            draw=drawn,
        )
    if close(given, [2 * slope, 4 * slope, 6 * slope]) or close(given, [10] * 3):
        raise NotYet(
            "You took the value of `w * 5`. Asked for is its slope.",
            shows="value for slope",
            draw=drawn,
        )
    if close(given, [3 * slope] * 3):
        raise NotYet(
            "Three times the same number: did you keep `w.grad` itself? It is one tensor, and it "
            "changes from turn to turn. What `print` shows is its number in that turn.",
            shows="the same tensor",
            draw=drawn,
        )
    if close(given, [slope, slope**2, slope**3]):
        raise NotYet(
            "What a call brings is added to what is there, not multiplied with it.",
            shows="multiplied",
            draw=drawn,
        )
    raise NotYet(
        "For each turn write old + new = now. What is *old* in the first turn, and what is *new* "
        "in every turn?",
        draw=drawn,
    )


calls = Exercise(
    id="04_calls",
    title="Three calls",
    prompt="""
```python
w = torch.tensor(2.0, requires_grad=True)
for turn in range(3):
    loss = w * 5
    loss.backward()
    print(w.grad)
```

Which three numbers are printed?
""",
    starter="grad_each_turn = [..., ..., ...]",
    answers=("grad_each_turn",),
    solutions=(
        "grad_each_turn = [5, 10, 15]",
        """
w = torch.tensor(2.0, requires_grad=True)
grad_each_turn = []
for _ in range(3):
    (w * 5).backward()
    grad_each_turn.append(w.grad.item())
""",
    ),
    hints=(
        "What does one call bring? That is the slope of `w * 5`.",
        "Nobody clears `w.grad`. So: nothing + 5 = 5, then 5 + 5 = …",
    ),
    check=_calls,
    wrong=(
        Wrong("grad_each_turn = [5, 5, 5]", shows=2),
        Wrong(
            """
slope = torch.tensor(5.0)
grad_each_turn = [slope, slope, slope]
""",
            shows=2,
        ),
        Wrong("grad_each_turn = [10, 10, 10]", shows="value for slope"),
        Wrong(
            """
w = torch.tensor(2.0, requires_grad=True)
grad_each_turn = []
for _ in range(3):
    (w * 5).backward()
    grad_each_turn.append(w.grad)
""",
            shows="the same tensor",
        ),
        Wrong("grad_each_turn = [5, 25, 125]", shows="multiplied"),
    ),
)


def _repair(attempt: Attempt) -> None:
    gradients = attempt.function("gradient_of_each")
    for alone in ([[1.0, 2.0], [3.0, 5.0], [8.0, 7.0]], attempt.drawn(3, 2)):
        w = attempt.torch.ones(2, requires_grad=True)
        batches = [attempt.torch.tensor(one) for one in alone]
        found = gradients(w, batches)
        _check_each(attempt, found, alone)
        if any(one is batch for one, batch in zip(found, batches, strict=True)):
            raise NotYet(
                "These are the batches themselves. Their numbers are those of the gradients, for "
                "this loss; but let `backward()` find them.",
                shows="the batches themselves",
            )


def _check_each(attempt: Attempt, found: Any, alone: list[list[float]]) -> None:
    """alone: the numbers of each batch, which are the gradient of its own loss."""
    if not isinstance(found, list | tuple):
        raise NotYet(
            f"For three batches, `gradient_of_each` gives back {shown(found)}; a list of three "
            "tensors is wanted.",
            shows="other result",
        )
    if len(found) != 3:
        raise NotYet(
            f"For three batches the list has the length {len(found)}. What stands inside the loop, "
            "and what behind it: `append`, `return`?",
            shows="other result",
        )
    if any(one is None for one in found):
        raise NotYet(
            "There is a None in the list: when it was put there, `w.grad` was cleared, or not "
            "filled yet.",
            shows="cleared what was kept",
        )
    for one in found:
        attempt.checked_tensor(one, "An entry of the list")
    added = np.cumsum(alone, axis=0).tolist()
    if close(found, alone):
        return
    if close(found, added):
        raise NotYet(
            f"For the batches {numerals(alone)} you give back {numerals(found)}. From the second "
            "on, each holds what the ones before had left in `w.grad`: `backward()` adds.",
            shows=2,
        )
    if close(found, [added[2]] * 3):
        raise NotYet(
            f"For the batches {numerals(alone)} each entry is {numerals(added[2])}. That is the "
            "sum of all three, because `backward()` adds. And it stands there three times, because "
            "all entries are one and the same tensor, `w.grad`.",
            shows=2,
        )
    if close(found, [[0, 0]] * 3):
        raise NotYet(
            "All gradients are zero. Either they were cleared before they were kept, or all "
            "entries are the same tensor, and that was cleared in the end.",
            shows="cleared what was kept",
        )
    if close(found, [alone[2]] * 3):
        raise NotYet(
            "All three entries are alike: they *are* the same tensor, `w.grad`, and it changes in "
            "place. Keep a copy (`clone()`), or begin each turn with `w.grad = None`.",
            shows="the same tensor",
        )
    raise NotYet(
        f"For the batches {numerals(alone)} the list is {numerals(found)}. The gradient of "
        "`(w * batch).sum()` is the batch.",
        shows="other result",
    )


repair = Exercise(
    id="04_repair",
    title="Repair the doubled gradients",
    prompt="""
`gradient_of_each(w, batches)` should give back a list: for each batch the gradient of its own loss,
and of nothing else. It does not. Repair it. (`w` comes without a gradient.)
""",
    starter="""
def gradient_of_each(w, batches):
    found = []
    for batch in batches:
        loss = (w * batch).sum()
        loss.backward()
        found.append(w.grad)
    return found
""",
    answers=("gradient_of_each",),
    solutions=(
        """
def gradient_of_each(w, batches):
    found = []
    for batch in batches:
        w.grad = None
        loss = (w * batch).sum()
        loss.backward()
        found.append(w.grad)
    return found
""",
        """
def gradient_of_each(w, batches):
    found = []
    for batch in batches:
        loss = (w * batch).sum()
        loss.backward()
        found.append(w.grad.clone())
        w.grad.zero_()
    return found
""",
        """
def gradient_of_each(w, batches):
    return [torch.autograd.grad((w * batch).sum(), w)[0] for batch in batches]
""",
    ),
    hints=(
        "Call it with two batches and print what it gives back. Why are both entries alike?",
        "Two things are wrong. `w.grad` is never cleared, and the list holds the same tensor again "
        "and again.",
        "`w.grad = None` at the beginning of each turn mends both: the next `backward()` makes a "
        "new tensor.",
    ),
    check=_repair,
    wrong=(
        Wrong(
            """
def gradient_of_each(w, batches):
    found = []
    for batch in batches:
        (w * batch).sum().backward()
        found.append(w.grad.clone())
    return found
""",
            shows=2,
        ),
        Wrong(
            """
def gradient_of_each(w, batches):
    found = []
    for batch in batches:
        loss = (w * batch).sum()
        loss.backward()
        kept = w.grad
        found += [kept]
    return found
""",
            shows=2,
        ),
        Wrong(
            """
def gradient_of_each(w, batches):
    found = []
    for batch in batches:
        (w * batch).sum().backward()
        found.append(w.grad)
        w.grad.zero_()
    return found
""",
            shows="cleared what was kept",
        ),
        Wrong(
            """
def gradient_of_each(w, batches):
    found = []
    for batch in batches:
        (w * batch).sum().backward()
        w.grad = None
        found.append(w.grad)
    return found
""",
            shows="cleared what was kept",
        ),
        Wrong(
            """
def gradient_of_each(w, batches):
    return batches
""",
            shows="the batches themselves",
        ),
        Wrong(
            """
def gradient_of_each(w, batches):
    found = []
    for batch in batches:
        if w.grad is not None:
            w.grad.zero_()
        (w * batch).sum().backward()
        found.append(w.grad)
    return found
""",
            shows="the same tensor",
        ),
        Wrong(
            """
def gradient_of_each(w, batches):
    found = []
    for batch in batches:
        w.grad.zero_()
        (w * batch).sum().backward()
        found.append(w.grad.clone())
    return found
""",
            shows=12,
        ),
    ),
)


def _turns(attempt: Attempt) -> None:
    of_h, of_w = attempt.number("h_grad"), attempt.number("w_grad")
    w = attempt.torch.tensor(2.0, requires_grad=True)
    h = w * 3
    drawn = {"out": h * h, "h": h, "w": w}
    each_h, each_w = 2 * 6.0, 2 * 6.0 * 3
    if close(of_h, each_h) and close(of_w, 3 * each_w):
        return
    if close(of_h, 3 * each_h):
        raise NotYet(
            "You have `h` collecting over the three turns. But each turn makes a *new* `h`, and "
            "its `.grad` is empty. The name is the same, the tensor is not.",
            shows=17,
            draw=drawn,
        )
    if close(of_h, each_h) and close(of_w, each_w):
        raise NotYet(
            "`h` is right. `w` was made once, before the loop, and nobody clears its `.grad`.",
            shows=2,
            draw=drawn,
        )
    if close(of_h, 6):
        raise NotYet(
            "`h * h` has two factors, and each brings a gradient of `h`.",
            shows="one factor only",
            draw=drawn,
        )
    wrong = "h_grad" if not close(of_h, each_h) else "w_grad"
    raise NotYet(
        f"Look again at `{wrong}`. First find what *one* turn brings to `h` and to `w`. Then ask "
        "which of the two tensors is still the same in the next turn.",
        draw=drawn,
    )


turns = Exercise(
    id="04_turns",
    title="Who collects?",
    prompt="""
```python
w = torch.tensor(2.0, requires_grad=True)
for turn in range(3):
    h = w * 3
    h.retain_grad()
    out = h * h
    out.backward()
```

Nothing is cleared. After the three turns, which number is in `h.grad`, and which in `w.grad`?
""",
    starter="""
h_grad = ...
w_grad = ...
""",
    answers=("h_grad", "w_grad"),
    solutions=(
        """
h_grad = 12
w_grad = 108
""",
        """
w = torch.tensor(2.0, requires_grad=True)
for _ in range(3):
    h = w * 3
    h.retain_grad()
    (h * h).backward()
h_grad, w_grad = h.grad, w.grad
""",
    ),
    hints=(
        "One turn: $h = 6$, and the slope of $h^2$ is $2h$. From `h` to `w` it goes on times 3.",
        "Which of the two was made before the loop, and which is made anew in every turn?",
    ),
    check=_turns,
    because="Each turn has its own `h`: 12. `w` is one and the same: 36 + 36 + 36 = 108.",
    wrong=(
        Wrong(
            """
h_grad = 36
w_grad = 108
""",
            shows=17,
        ),
        Wrong(
            """
once = 12.0
h_grad = 3 * once
w_grad = 9 * once
""",
            shows=17,
        ),
        Wrong(
            """
h_grad = 12
w_grad = 36
""",
            shows=2,
        ),
        Wrong(
            """
h_grad = 6
w_grad = 54
""",
            shows="one factor only",
        ),
    ),
)
