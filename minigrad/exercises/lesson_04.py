"""Lesson 04: gradients add up, over calls and over paths."""

from collections.abc import Callable, Iterator
from typing import Any

from minigrad.exercises.attempt import Attempt
from minigrad.exercises.exercise import Exercise, Observation, Slip
from minigrad.exercises.predictions import Explanation, Prediction

QUESTIONS = (
    Prediction(
        "04_r1",
        "Lesson 03. What does a multiplication pass to each of its two inputs?",
        "upstream times the other factor",
        {
            "the upstream gradient as it is": "An addition does that.",
            "upstream times the other factor": "Nudge one factor, and the other one scales it.",
            "upstream times its own value": "Nudge the 3 in 3 × 4 by 0.1. How far does 12 go?",
        },
    ),
    Prediction(
        "04_r2",
        "Lesson 01. x is 3 and you nudge it by 0.01. By about how much does x² move?",
        "0.06",
        {
            "0.01": "That's the nudge. At 3, the curve is steeper than that.",
            "0.06": "The slope is 2x, which is 6, times the nudge.",
            "6": "That's the slope. The nudge was only 0.01.",
        },
    ),
    Prediction(
        "04_r3",
        "Lesson 00. Which numbers does backward() change?",
        "the .grad of leaves",
        {
            "the values of leaves": "backward() measures, it moves nothing.",
            "the value of the result": "Nothing that goes into the result changes.",
            "the .grad of leaves": "And the values stay as they were.",
        },
    ),
    Prediction(
        "04_p1",
        "Each call finds the slope 3 for every weight. What are the three printed lines?",
        "3s, then 6s, then 9s",
        {
            "3s, then 3s, then 3s": "Each call brings 3. What happens to the 3 that's there?",
            "3s, then 6s, then 9s": "Each call adds its 3.",
            "3s, then 9s, then 27s": "What a call brings is added, not multiplied.",
        },
    ),
    Prediction(
        "04_p2",
        "In the next cell the last two lines are swapped. What does the loop print?",
        "0s, twice",
        {
            "3s, twice": "zero_() runs before print. What's left to print?",
            "0s, twice": "Each gradient is cleared before it's printed.",
            "None, twice": "zero_() leaves a tensor there. What does it hold?",
        },
    ),
    Prediction(
        "04_p3",
        "In the last line .grad is None. What does weights.grad.zero_() do there?",
        "it raises an error",
        {
            "it makes zeros": "zero_() fills a tensor that exists. Is there one?",
            "nothing, it's empty already": "A method is called on None. Does None have a zero_()?",
            "it raises an error": "There's no tensor to fill.",
        },
    ),
    Prediction(
        "04_p4",
        "first = weights.grad, then a second backward(). What do the two lines print?",
        "6s and True",
        {
            "3s and False": "An assignment makes a second name, not a second tensor.",
            "3s and True": "True says that they're one tensor. What did the second call do to it?",
            "6s and True": "One tensor with two names.",
        },
    ),
    Prediction(
        "04_p5",
        "y = x * x, and x is 3. What does y.backward() leave in x.grad?",
        "6",
        {
            "3": "That's what comes back along one arrow. But x is both factors.",
            "6": "Two arrows, 3 each.",
            "9": "That's y itself. What comes back along each of the two arrows that leave x?",
        },
    ),
    Prediction(
        "04_p6",
        "Three iterations, and nothing is cleared. Which numbers are printed?",
        "h.grad: 1, 1, 1   weights.grad: 3, 6, 9",
        {
            "h.grad: 1, 2, 3   weights.grad: 3, 6, 9": "Is there one h in the loop, or three?",
            "h.grad: 1, 1, 1   weights.grad: 3, 6, 9": "Each iteration has its own h.",
            "h.grad: 1, 1, 1   weights.grad: 3, 3, 3": "Nothing clears the weights' .grad.",
        },
    ),
    Explanation(
        "04_explain",
        "A colleague says: 'backward() should replace .grad, not add to it.' What's your answer?",
        "Where paths meet, gradients have to be added. Adding over calls works the same way, and "
        "lets you handle a large batch in parts. But you have to clear .grad in every iteration.",
        ("paths that meet have to be added", "micro-batches need it, too", "clearing is up to you"),
    ),
)


def _repaired(attempt: Attempt) -> Iterator[Observation]:
    gradients = attempt.function("gradient_of_each")
    tried = ([1.0, 1.0], [[1.0, 2.0], [3.0, 1.0]]), (attempt.drawn(2), attempt.drawn(3, 2))
    for values, numbers in tried:
        w = attempt.torch.tensor(values, requires_grad=True)
        found = gradients(w, [attempt.torch.tensor(batch) for batch in numbers])
        yield f"Your list for the batches `{numbers}` and `w = {values}`", found


def _repair(lines: str, first: str = "") -> str:
    return f"""def gradient_of_each(w, batches):
    found = []
    for batch in batches:{first}
        loss = ((w * batch) ** 2).sum()
        loss.backward()
        {lines}
    return found"""


repair = Exercise(
    id="04_repair",
    title="Repair the doubled gradients",
    prompt="""
**10 minutes.** `gradient_of_each(w, batches)` should return a list: for each batch the gradient of
its own loss, and of nothing else. It doesn't. Fix it. (`w` comes with an empty `.grad`.)
""",
    starter=_repair("found.append(w.grad)"),
    answers=("gradient_of_each",),
    solutions=(
        _repair("found.append(w.grad)", first="\n        w.grad = None"),
        _repair("found.append(w.grad.clone())\n        w.grad.zero_()"),
    ),
    hints=(
        "Call it with two batches and print the list. Why are its entries equal?",
        "Two things go wrong: nothing clears `w.grad`, and the list holds the same tensor twice.",
        "Start each iteration with an empty `.grad`. Or append a copy, and clear after that.",
    ),
    because="Each entry is the gradient of one loss, and no later call changes it.",
    probe=_repaired,
    slips=(
        Slip(
            "A copy cures both",
            _repair("found.append(w.grad.clone())"),
            "The first gradient is right, (2, 8). The second is (20, 10) instead of (18, 2): the "
            "first is still in `w.grad`. What has to happen to it between two batches?",
            misconception=2,
        ),
        Slip(
            "A name keeps a copy",
            _repair("kept = w.grad; found += [kept]"),
            "All entries are equal. You put `w.grad` itself into the list each time, and each call "
            "added to it. Print `found[0] is found[1]`. How does each batch get a new `.grad`?",
            misconception=2,
        ),
        Slip(
            "`zero_()` leaves the list alone",
            _repair("found.append(w.grad); w.grad.zero_()"),
            "All entries are zeros: you put `w.grad` into the list and then cleared that tensor. "
            "Append a copy, or clear in a way that leaves the old tensor as it is.",
        ),
    ),
)

diamond = Exercise(
    id="04_diamond",
    title="Around the diamond",
    prompt="""
**5 minutes.** Which number is in `a.grad`? Work it out on paper, path by path.

```python
a = torch.tensor(2.0, requires_grad=True)
left = a * 5
right = a * a
d = left + right
d.backward()
```
""",
    starter="a_grad = ...",
    answers=("a_grad",),
    solutions=("a_grad = 9",),
    hints=(
        "How many arrows lead back to `a`? One comes from `left`. How many from `right = a * a`?",
        "Multiply the slopes along each path. Then add up the results of all paths.",
        "`left` passes on 1 × 5. `right` passes on 1 × *the other factor*, once for each factor.",
    ),
    because="5 along the left path, and 2 + 2 along the two arrows of `a * a`.",
    slips=(
        Slip(
            "The second path replaces the first",
            "a_grad = 4",
            "That's what comes back through one side of the diamond. The other side doesn't "
            "replace it. Move `a` by 0.1 on paper: how far do `left`, `right` and `d` move?",
            misconception=5,
            when=lambda seen: seen["`a_grad`"] in (4, 5),
        ),
        Slip(
            "One use, one factor",
            "a_grad = 5 + 2",
            "You added the two paths, and that's the idea. But `a * a` uses `a` twice. How many "
            "arrows lead back from there?",
        ),
        Slip(
            "Paths are multiplied",
            "a_grad = 5 * 4",
            "You multiplied what comes back through the two sides. Slopes are multiplied along "
            "*one* path. What happens where two paths meet?",
        ),
    ),
)

turns = Exercise(
    id="04_turns",
    title="Which one collects?",
    prompt="""
**5 minutes.** Nothing is cleared here.

```python
w = torch.tensor(2.0, requires_grad=True)
for iteration in range(3):
    h = w * 3
    h.retain_grad()
    (h * h).backward()
```

After three iterations, which number is in `h.grad`, and which in `w.grad`? Work it out on paper.
""",
    starter="h_grad = ...\nw_grad = ...",
    answers=("h_grad", "w_grad"),
    solutions=("h_grad = 12\nw_grad = 108",),
    hints=(
        "Do one iteration first. What's `h`, and how many arrows lead back to it from `h * h`?",
        "Which of the two is created before the loop, and which one is new in every iteration?",
        "One iteration sends `h` two gradients of 6. It sends `w` three times their sum.",
    ),
    because="Each iteration has its own `h`, with 6 + 6. `w` collects 36 + 36 + 36.",
    slips=(
        Slip(
            "Intermediates collect, too",
            "h_grad = 36\nw_grad = 108",
            "`w.grad` is right. For `h` you added up three iterations, too. But each iteration "
            "runs `h = w * 3`. Is that the same tensor as in the iteration before?",
            misconception=17,
        ),
        Slip(
            "Each `backward()` replaces the last",
            "h_grad = 12\nw_grad = 36",
            "`h.grad` is right. For `w` you counted *one* iteration, which adds 36. Nothing clears "
            "`w.grad`, so what do three iterations leave there?",
            misconception=2,
        ),
    ),
)


def _colleagues() -> dict[str, Callable[[Any, Callable[[Any], Any]], Any]]:
    """Functions that should return the gradient of one loss; the second one does."""

    def never_clears(w: Any, loss: Any) -> Any:
        loss(w).backward()
        return w.grad.clone()

    def clears_before(w: Any, loss: Any) -> Any:
        w.grad = None
        return never_clears(w, loss)

    def clears_too_early(w: Any, loss: Any) -> Any:
        return never_clears(w, loss) * 0

    def keeps_no_copy(w: Any, loss: Any) -> Any:
        w.grad = w.grad if w.grad is None else w.grad.zero_()
        loss(w).backward()
        return w.grad

    every = (never_clears, clears_before, clears_too_early, keeps_no_copy)
    return {one.__name__: one for one in every}


def _verdicts(attempt: Attempt) -> Iterator[Observation]:
    is_clean, colleagues = attempt.function("is_clean"), _colleagues()
    for call, name in enumerate(attempt.random.permutation([*colleagues] * 3), start=1):
        w = attempt.torch.tensor(attempt.drawn(2), requires_grad=True)
        verdict = bool(is_clean(colleagues[name], w))
        yield f"Your verdict on a function that `{name}` (call {call})", verdict


def _clean(verdict: str) -> str:
    return f"""def is_clean(gradient_of, w):
    first = gradient_of(w, lambda w: (2 * w).sum())
    at_once = first.tolist()
    {verdict}"""


_SECOND = "second = gradient_of(w, lambda w: ({} * w).sum())\n    return "
_BOTH = "at_once == [2.0, 2.0] and second.tolist() == [5.0, 5.0]"

leak = Exercise(
    id="04_leak",
    title="Write the test",
    prompt="""
**20 minutes.** Functions such as the one above make two promises: to return the gradient of
`loss(w)` alone, whatever was computed with the same `w` before, and never to change a gradient that
they've returned. Write `is_clean(gradient_of, w)`, which returns `True` if a function keeps both
promises, and `False` if not. `w` has two entries and an empty `.grad`. Choose losses whose
gradients you know: that of `lambda w: (2 * w).sum()` is (2, 2), whatever `w` is.
""",
    starter="def is_clean(gradient_of, w):\n    ...",
    answers=("is_clean",),
    solutions=(_clean(f"{_SECOND.format(5)}{_BOTH} and first.tolist() == at_once"),),
    hints=(
        "Of the three ways to get a wrong gradient, which ones can a single call reveal?",
        "Call it twice with the same `w` and two losses. You know what both gradients should be.",
        "Compare the second gradient with what you know. Then look at the *first* one again.",
    ),
    because="It makes two calls with known answers, and looks at the first gradient again.",
    probe=_verdicts,
    slips=(
        Slip(
            "One call, or a new weight each time",
            _clean("return at_once == [2.0, 2.0]"),
            "Your test passes a function that never clears, because you call it once, or with a "
            "new `w` each time. What would a second call with the *same* `w` return?",
            misconception=2,
        ),
        Slip(
            "Equal answers are right answers",
            _clean(f"{_SECOND.format(2)}at_once == second.tolist()"),
            "Your test passes a function that clears too early and returns zeros both times. The "
            "two calls agree, and both are useless. Compare with a gradient that you *know*.",
        ),
        Slip(
            "What was returned stays",
            _clean(f"{_SECOND.format(5)}{_BOTH}"),
            "Your test passes a function that returns `w.grad` itself and fills that same tensor "
            "again in the next call. What does your first gradient hold after the second call?",
        ),
    ),
)
