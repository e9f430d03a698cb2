"""Lesson 10: versions, views, and what happens when you write into a tensor in place."""

from collections.abc import Iterator
from typing import Any

from minigrad.exercises.attempt import Attempt
from minigrad.exercises.exercise import Exercise, Observation, Slip
from minigrad.exercises.predictions import Explanation, Prediction

QUESTIONS = (
    Prediction(
        "10_r1",
        "Lesson 09. In a chain of three weights, the middle one is frozen by "
        "requires_grad_(False). Which gradients do the others get?",
        "the same as before",
        {
            "the same as before": "A frozen leaf gets no gradient itself, but it lets the others "
            "pass.",
            "only the one next to the loss gets its own": "That's what detach() does to a chain.",
            "none": "The path from the loss is still there.",
        },
    ),
    Prediction(
        "10_r2",
        "Lesson 07. w is a leaf that requires grad. After backward(), w.grad is still None. Why?",
        "no path leads from the result to w",
        {
            "its gradient is 0": "Then w.grad would be 0. None says that nothing arrived.",
            "no path leads from the result to w": "A leaf that requires grad gets a gradient only "
            "if it takes part in the result.",
            "w.retain_grad() was forgotten": "A leaf doesn't need it.",
        },
    ),
    Prediction(
        "10_r3",
        "Lesson 04. Two paths lead from the loss to x, with slopes 2 and 5. What's x.grad?",
        "7",
        {
            "5": "Neither path replaces the other.",
            "7": "Multiply along a path, add over paths.",
            "10": "You multiply along one path. What happens where two paths meet?",
        },
    ),
    Prediction(
        "10_p1",
        "The cell makes t and gives it a second name. Then it runs t.add_(1), t[0] = 5.0 and t = "
        "t + 1. Which versions does it print, first for the second name, then for t?",
        "2 and 0",
        {
            "2 and 0": "The old tensor was written to twice, and the last line made a new one.",
            "3 and 3": "They'd both be 3 if t = t + 1 wrote into the old tensor. What does it do "
            "instead?",
            "1 and 1": "Does t[0] = 5.0 write into the tensor?",
            "0 and 3": "The second name still refers to the tensor that was written to.",
        },
    ),
    Prediction(
        "10_p2",
        "Three programs compute y as x ** 2 (which saves its input), 10 * x (which saves the 10) "
        "and x.sqrt() (which saves its result). Each then calls y.add_(1). After which of them "
        "does backward() raise the error?",
        "only after x.sqrt()",
        {
            "after none": "It was raised after exp above. What does one of these have in common "
            "with exp?",
            "only after x.sqrt()": "Its saved tensor is the one that you changed.",
            "after x ** 2 and x.sqrt()": "Which tensor does x ** 2 save? Did you write into it?",
            "after all three": "Which of the saved tensors did you write into?",
        },
    ),
    Prediction(
        "10_p3",
        "y = 10 * x, then y *= 3 in place. What's x.grad after y.sum().backward()?",
        "30",
        {
            "10": "It would be 10 if the engine had missed y *= 3.",
            "30": "y *= 3 is recorded like any other operation.",
            "an error": "The multiplication by 10 saved the 10, and that wasn't changed.",
        },
    ),
    Prediction(
        "10_p4",
        "We compute loss = (w * w).sum(), then change w under no_grad(), then call "
        "loss.backward(). What happens?",
        "an error",
        {
            "w.grad is 2w at the old w": "For that, the product would have to keep a copy of w.",
            "w.grad is 2w at the new w": "That would be wrong, and the counter prevents it.",
            "an error": "The product saved w, and w has changed since.",
        },
    ),
    Prediction(
        "10_p5",
        "x is all ones, y = x * 2, and row = y[0]. After row *= 5, what has happened to y, and "
        "what's the slope of y.sum() with respect to x in that row?",
        "y changes, and the slope is 10 in that row",
        {
            "nothing, because row is a new tensor": "It is a new tensor, but its values are in "
            "y's memory.",
            "y changes, and the slope stays 2": "For that, the engine would have to miss the "
            "write.",
            "y changes, and the slope is 10 in that row": "The write is recorded in y's graph, "
            "too.",
        },
    ),
    Prediction(
        "10_p6",
        "The cell adds 1 to the result of exp in five ways. Which of them silently give a wrong "
        "gradient?",
        ".data and numpy",
        {
            "none, the counter sees them all": "What .data returns is another tensor. Does it "
            "share y's counter?",
            "only .data": "numpy doesn't know about the version counter, either.",
            ".data and numpy": "Neither of them increases y's version.",
            "all but add_": "Writes under no_grad() and through detach() are counted.",
        },
    ),
    Explanation(
        "10_explain",
        "One colleague forbids in-place operations. Another uses them everywhere to save memory. "
        "What do you tell each of them, in one sentence?",
        "To the first: a write is harmless if no node saved the tensor, and otherwise there's an "
        "error. To the second: what a node saved stays in memory anyway, so you gain little; "
        "and writing through .data or numpy gives wrong gradients silently.",
        ("harmless if nothing was saved", "otherwise an error", "not through .data or numpy"),
    ),
)

harmless = Exercise(
    id="10_harmless",
    title="Who saved it, and when?",
    prompt="""
**5 minutes.** `x` is a leaf that requires grad. Which of the five programs run without an error?
Answer with `True` or `False`, in order.

```python
y = x.sigmoid(); y.add_(1); y.sum().backward()
y = x.sin(); y.add_(1); y.sum().backward()
y = 3 * x; z = y * y; y.add_(1); z.sum().backward()
y = 3 * x; y.add_(1); z = y * y; z.sum().backward()
y = 3 * x; z = y + 1; y.add_(1); z.sum().backward()
```
""",
    starter="harmless = [..., ..., ..., ..., ...]",
    answers=("harmless",),
    solutions=("harmless = [False, True, False, True, True]",),
    hints=(
        "For each program: which tensor is written to, and which nodes exist at that moment?",
        "A write hurts only if a node saved that tensor *before* the write. What does each "
        "operation save? Its derivative tells you.",
        "The sigmoid saves its result, the sine its input, and `y * y` saves `y`. A sum saves "
        "nothing.",
    ),
    because="It depends on what was saved, and on whether it was saved before the write.",
    slips=(
        Slip(
            "Every write is harmful",
            "harmless = [False, False, False, False, False]",
            "You answered `False` five times. Start with the second one: the sine's slope is the "
            "cosine of its *input*. Was the input changed?",
            misconception=11,
        ),
        Slip(
            "No write is harmful",
            "harmless = [True, True, True, True, True]",
            "You answered `True` five times. Start with the third one: `y * y` needs `y` in the "
            "backward pass. Which values does it find there?",
            misconception=11,
        ),
        Slip(
            "Only the operation counts, not the order",
            "harmless = [False, True, False, False, True]",
            "The third and the fourth program have the same operations, and you gave both the "
            "same answer. In which of them had the product saved `y` when `y` was changed?",
        ),
    ),
)


def _clip(attempt: Attempt) -> Iterator[Observation]:
    clip, torch = attempt.function("clip_weights", gives=False, changes=True), attempt.torch
    for values, most in (([0.5, -2.0, 3.0], 1.0), (attempt.drawn(3), 1.5)):
        w = torch.tensor(values, requires_grad=True)
        (w * w).sum().backward()
        clip(w, most)
        yield "`w` after the call", w
        yield "`w.requires_grad`", w.requires_grad
        yield "`w.is_leaf`", w.is_leaf
        yield "the claim that `w.grad` is still there", w.grad is not None
        yield "the claim that the write was counted", w._version > 0


_CLIP = "def clip_weights(w, most):\n    "

clip = Exercise(
    id="10_clip",
    title="Keep the weights small",
    prompt="""
**8 minutes.** Some networks need all weights to stay between `-most` and `most`.
`clip_weights(w, most)` is called after each step. It should change the leaf `w` itself, and `w`
should stay a leaf that requires grad. Right now it raises an error. (`clamp_` is `clamp` in place.)
""",
    starter=f"{_CLIP}w.clamp_(-most, most)",
    answers=("clip_weights",),
    solutions=(
        f"{_CLIP}with torch.no_grad():\n        w.clamp_(-most, most)",
        f"{_CLIP}w.detach().clamp_(-most, most)",
    ),
    hints=(
        "Is clipping part of the loss, or is it like a step?",
        "The write should happen while recording is off, and into `w` itself.",
        "`with torch.no_grad():`, and inside it a method whose name ends in an underscore.",
    ),
    because="It's the same leaf with new values. Nothing was recorded, and the write was counted.",
    probe=_clip,
    slips=(
        Slip(
            "A name is the tensor",
            f"{_CLIP}w = w.clamp(-most, most)",
            "`w` still has its old values. `clamp` without an underscore made a new tensor, and "
            "you gave it the name `w` *inside the function*. But it's the caller's tensor that "
            "you have to write to.",
            misconception=7,
        ),
        Slip(
            "Switch the flag off, then write",
            f"{_CLIP}w.requires_grad_(False)\n    w.clamp_(-most, most)",
            "The values are right, and `w.requires_grad` is now `False`, so `w` won't get another "
            "gradient. Which tool switches recording off for a few lines only?",
            misconception=9,
        ),
        Slip(
            "`.data` is the way to write",
            f"{_CLIP}w.data.clamp_(-most, most)",
            "Right, but `.data` also hides the write from the version counter. If a node had saved "
            "`w`, you'd get a wrong gradient instead of an error. Prefer `torch.no_grad()`.",
            accepted=True,
        ),
    ),
)


def _programs(torch: Any) -> dict[str, Any]:
    def counted(x: Any) -> Any:
        y = x.exp()
        y.add_(1)
        return y.sum()

    def recorded(x: Any) -> Any:
        y = 10 * x
        y.mul_(x)
        return y.sum()

    def by_data(x: Any) -> Any:
        y = x.exp()
        y.data.add_(1)
        return y.sum()

    def last_entry(x: Any) -> Any:
        y = 10 * x
        y.data[-1] *= 2
        return y.sum()

    def unrecorded(x: Any) -> Any:
        y = 10 * x
        with torch.no_grad():
            y *= 2
        return y.sum()

    return {
        "`y = x.exp(); y.add_(1)`": counted,
        "`y = 10 * x; y.mul_(x)`": recorded,
        "`y = x.exp(); y.data.add_(1)`": by_data,
        "`y = 10 * x; y.data[-1] *= 2`": last_entry,
        "`y = 10 * x`, doubled under `no_grad()`": unrecorded,
        "`x * x`": lambda x: (x * x).sum(),
    }


def _verdict(attempt: Attempt) -> Iterator[Observation]:
    verdict, programs = attempt.function("verdict"), _programs(attempt.torch)
    order = [list(programs)[i] for i in attempt.random.permutation(len(programs))]
    for values, names in (([0.5, 1.5], list(programs)), (attempt.drawn(3), order)):
        for name in names:
            yield f"the verdict on {name}", str(verdict(programs[name], values))


_MADE = """def verdict(program, values):
    x = torch.tensor(values, dtype=torch.float64, requires_grad=True)
"""
_TRY = """    try:
        program(x).backward()
    except RuntimeError:
        return "error"
"""
_COMPARE = """    for i in range(len(values)):
        high, low = (torch.tensor(values, dtype=torch.float64) for _ in range(2))
        high[i] += 1e-4
        low[i] -= 1e-4
        slope = (program(high) - program(low)).item() / 2e-4
        if abs(slope - x.grad[i].item()) > 1e-3 * max(1.0, abs(slope)):
            return "silently wrong"
    return "right"
"""

verdict = Exercise(
    id="10_verdict",
    title="Expose it",
    prompt="""
**20 minutes.** A program can run without an error and still give a wrong gradient. Write an
experiment that finds out: `verdict(program, values)`. `program` takes a tensor and returns one
number as a tensor, and `values` is a list of numbers to try it on. Return `"error"` if the program
or its backward pass raises a `RuntimeError`, `"silently wrong"` if any entry of the gradient
differs from the slope that nudging finds, and `"right"` if none does. (Lesson 01: nudge up, nudge
down, divide. In float64, 1e-4 is a good nudge.)
""",
    starter=f"{_MADE}    ...",
    answers=("verdict",),
    solutions=(_MADE + _TRY + _COMPARE,),
    hints=(
        "Does the program raise an error? If not, does `x.grad` agree with what nudging finds?",
        "For each entry, make two fresh tensors from `values`, change one entry in each, and "
        "run the program on both. They don't have to require grad.",
        "`slope = (program(high) - program(low)).item() / 2e-4`, compared with `x.grad[i]` with "
        "some tolerance.",
    ),
    because="This is a gradient check. Lesson 13 uses a ready-made one, and now you know what's "
    "inside.",
    probe=_verdict,
    slips=(
        Slip(
            "No error means right",
            _MADE + _TRY + '    return "right"\n',
            "For `y = x.exp(); y.data.add_(1)` you return `right`. It runs without an error, but "
            "each entry of its gradient is 1 too large. Where does your experiment look at the "
            "gradient?",
            misconception=11,
        ),
        Slip(
            "One entry is enough",
            _MADE + _TRY + _COMPARE.replace("range(len(values))", "range(1)"),
            "For `y = 10 * x; y.data[-1] *= 2` you return `right`. Its gradient is right in the "
            "first entry but not in the last. How many entries do you nudge?",
        ),
        Slip(
            "An error ends the experiment",
            _MADE + "    program(x).backward()\n" + _COMPARE,
            "The first program raises the version error, and your function doesn't catch it. To "
            "return `error`, it has to. Which kind of exception is it?",
        ),
    ),
)
