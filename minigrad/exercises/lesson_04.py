"""Lesson 04: gradients add up, over paths and over calls."""

from minigrad.exercises.attempt import Attempt, close
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
            draw=d,
        )
    if close(given, 3 + 2):
        raise NotYet(
            "You added the two paths, and that is the idea. But look at `a * a`: `a` is both "
            "factors, so two arrows lead back from that multiplication alone.",
            shows="one factor only",
            draw=d,
        )
    if close(given, along_left * along_right):
        raise NotYet(
            "Along *one* path the slopes are multiplied. Where two paths meet, they are added.",
            shows="paths multiplied",
            draw=d,
        )
    if close(given, d.item()):
        raise NotYet(
            f"`{given:g}` is the value of `d`. Asked for is its slope: how fast `d` grows when "
            "`a` grows.",
            shows="value for slope",
            draw=d,
        )
    raise NotYet(
        f"`a_grad` is not `{given:g}`. Follow each arrow from `d` back to `a`, multiply the "
        "slopes along it, and add what the arrows bring.",
        draw=d,
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
        Wrong("left_alone = 3.0\na_grad = torch.tensor(left_alone)", shows=5),
        Wrong("a_grad = 3 + 2", shows="one factor only"),
        Wrong("a_grad = 3 * 4", shows="paths multiplied"),
        Wrong("a_grad = 2 * 3 + 2 * 2", shows="value for slope"),
    ),
)
