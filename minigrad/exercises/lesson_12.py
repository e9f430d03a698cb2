"""Lesson 12: optimizers by hand, None and zeros, frozen weights, and batches in parts."""

from collections.abc import Iterator

from minigrad.exercises.attempt import Attempt
from minigrad.exercises.exercise import Exercise, Observation, Slip
from minigrad.exercises.predictions import Explanation, Prediction

QUESTIONS = (
    Prediction(
        "12_r1",
        "Lesson 11. Where in the loop must the gradients not be cleared?",
        "between backward() and the step",
        {
            "before the forward pass": "At that point nothing needs the old gradients anymore.",
            "between backward() and the step": "They'd be thrown away before the step uses them.",
            "after the step": "By then they've been used.",
        },
    ),
    Prediction(
        "12_r2",
        "Lesson 09. w1 is frozen, out = w2 * (w1 * w0). Which weights get a gradient?",
        "w0 and w2",
        {
            "only w2": "A frozen weight gets no gradient. But does it block others?",
            "w0 and w2": "Frozen isn't cut.",
            "all three": "w1 doesn't require grad anymore.",
        },
    ),
    Prediction(
        "12_r3",
        "Lesson 06. y has shape [3]. What does y.backward(torch.ones(3)) give you in x.grad?",
        "the gradient of y.sum()",
        {
            "the gradient of y.mean()": "For that, each element of the vector would be 1/3.",
            "the gradient of y.sum()": "A vector of ones gives every output the weight 1.",
            "the Jacobian": "That takes one pass for each output.",
        },
    ),
    Prediction(
        "12_p1",
        "step() comes before any backward(). What happens to weights, which are all 1?",
        "nothing",
        {
            "an error: there's no gradient": "0.1 * None would raise one. But step() checks first.",
            "nothing": "A parameter whose .grad is None is skipped.",
            "they become 0.9": "That would be a gradient of 1. Where would it come from?",
        },
    ),
    Prediction(
        "12_p2",
        "After the first step w is 0.80. Where is it after the second?",
        "0.80 with None, 0.62 with zeros",
        {
            "0.80 both times": "A gradient of zero adds nothing. But what about the velocity?",
            "0.62 both times": "With None, does step() use the velocity at all?",
            "0.80 with None, 0.62 with zeros": "None is skipped. A zero lets the velocity act.",
            "0.62 with None, 0.80 with zeros": "Which of the two is skipped?",
        },
    ),
    Prediction(
        "12_p3",
        "Adam, lr 0.1, gradients 0.001 and 1,000. How far does the first step move each weight?",
        "0.1 and 0.1",
        {
            "0.0001 and 100": "That's plain SGD: the learning rate times the gradient.",
            "0.1 and 0.1": "Corrected, m is g and the root of v is |g|. Only the sign is left.",
            "0.1 and 100": "Each weight has its own m and v, so each is divided by its own size.",
        },
    ),
    Prediction(
        "12_p4",
        "w = 1 has the gradient 2 and is then frozen. What is w after optimizer.step()?",
        "0.8",
        {
            "1, it's frozen": "The flag keeps new gradients out. What about the old one?",
            "0.8": "step() looks at .grad, not at requires_grad.",
            "an error is raised": "A frozen leaf can be changed in place.",
        },
    ),
    Prediction(
        "12_p5",
        "Each of the three parts calls mean().backward(). What's in w.grad in the end?",
        "more than for the whole batch",
        {
            "the same as for the whole batch": "Sums add up. Do means?",
            "more than for the whole batch": "Three means are added, and there should be just one.",
            "a third of it": "The three gradients are added. Nothing divides them by 3.",
        },
    ),
    Explanation(
        "12_explain",
        "optimizer.zero_grad() leaves None, although its name says zero. Explain in two sentences "
        "why that's better than zeros.",
        "None means that no gradient arrived, so step() skips the parameter. Zeros count as a "
        "gradient, so with momentum, Adam or weight decay the parameter would move anyway.",
        ("None means that nothing arrived", "step() skips None", "with zeros a weight may move"),
    ),
)


def _momentum(attempt: Attempt) -> Iterator[Observation]:
    step, torch = attempt.function("momentum_step", gives=False, changes=True), attempt.torch
    for values in ([1.0, -2.0], attempt.drawn(2)):
        w, u = (torch.tensor(value, requires_grad=True) for value in values)
        velocities = [None, None]
        for iteration, lr in enumerate((0.1, 0.1, 0.05)):
            (w**2 if iteration == 1 else w**2 + 3 * u).backward()
            step(weights := [w, u], velocities, lr, 0.9)
            where = f"after step {iteration + 1} from {values}"
            yield f"the first weight {where}", w
            yield f"the second weight {where}", u
            yield f"the claim that the list holds your leaves {where}", weights[0] is w
            yield f"the claim that you left the gradient alone {where}", w.grad is not None
            w.grad, u.grad = None if w.grad is None else w.grad.zero_(), None


_LOOP = """def momentum_step(weights, velocities, lr, momentum):
    for i in range(len(weights)):
        if weights[i].grad is None:
            continue
        if velocities[i] is None:
            velocities[i] = weights[i].grad.clone()
        else:
            velocities[i] = momentum * velocities[i] + weights[i].grad
        with torch.no_grad():
            weights[i] -= lr * velocities[i]
"""
_ZEROS = """def momentum_step(weights, velocities, lr, momentum):
    for i in range(len(weights)):
        w = weights[i]
        gradient = torch.zeros_like(w) if w.grad is None else w.grad
        velocity = torch.zeros_like(w) if velocities[i] is None else velocities[i]
        velocities[i] = momentum * velocity.detach() + gradient
        with torch.no_grad():
            w -= lr * velocities[i]
"""

momentum = Exercise(
    id="12_momentum",
    title="Momentum, for a list of weights",
    prompt="""
**20 minutes.** Write `momentum_step(weights, velocities, lr, momentum)`. It does what one
`optimizer.step()` of `torch.optim.SGD` with momentum does. `weights` is a list of leaves.
`velocities` is a list of the same length, which starts as `[None, None, ...]`. Keep the velocities
in it from one call to the next. A weight's first velocity is its first gradient. A weight whose
`.grad` is `None` is skipped, and its velocity stays as it is. Don't clear the gradients. The caller
does that, either with `zero_()` or by setting them to `None`.
""",
    starter="def momentum_step(weights, velocities, lr, momentum):\n    ...",
    answers=("momentum_step",),
    solutions=(_LOOP,),
    hints=(
        "`PlainSGD.step` has the loop and the skipping, and `by_hand` in the section on momentum "
        "has the formula. Start with the first.",
        "Three cases for each weight: no gradient, a first gradient, a later one. Which of them "
        "write into `velocities`?",
        "The first velocity is `weights[i].grad.clone()`. What does `zero_()` do without the copy?",
    ),
    because="You skip `None`, keep a velocity for each weight, and move the leaf in place.",
    probe=_momentum,
    slips=(
        Slip(
            "None is a gradient of zero",
            _ZEROS,
            "In the second call one weight had no gradient, and you moved it anyway. You treated "
            "`None` as zeros, so its old velocity carried it on. In the lesson that's 0.62 "
            "instead of 0.80. What does `step()` do with such a weight?",
        ),
        Slip(
            "The first velocity *is* the gradient",
            _LOOP.replace(".clone()", ""),
            "The first step is right. Then the caller cleared the gradient in place, with "
            "`zero_()`, and your velocity changed with it: `velocities[i]` and `.grad` were the "
            "same tensor. How do you keep values that others may overwrite?",
            misconception=10,
        ),
        Slip(
            "A function remembers its local names",
            _LOOP.replace("velocities[i] = ", "velocity = ").replace(
                "* velocities[i]\n", "* velocity\n"
            ),
            "Your second step has no momentum. The velocity wasn't stored: a local name is gone "
            "when the function returns, and `velocities[i]` is still `None`. Write it there.",
        ),
        Slip(
            "The learning rate goes into the velocity",
            _LOOP.replace(".grad.clone()", ".grad * lr")
            .replace("+ weights[i].grad", "+ lr * weights[i].grad")
            .replace("-= lr *", "-="),
            "Two steps are right. Before the third, the learning rate was halved, but your "
            "velocity still contains the old rate. Multiply by `lr` only when you move the weight.",
        ),
        Slip(
            "A new tensor in the list is the weight",
            _LOOP.replace("weights[i] -= lr", "weights[i] = weights[i] - lr"),
            "The caller's weights didn't move. You put new tensors into the list, so the leaves "
            "kept their values. Change the leaves in place.",
            misconception=7,
        ),
    ),
)


def _freeze(attempt: Attempt) -> Iterator[Observation]:
    freeze, torch = attempt.function("freeze", gives=False), attempt.torch
    for values in ([1.0, 2.0], attempt.drawn(2)):
        w, head = (torch.tensor(value, requires_grad=True) for value in values)
        optimizer = torch.optim.SGD([w, head], lr=0.1, momentum=0.9)
        (w * head).backward()
        optimizer.step()
        start = w.item()
        freeze([w])
        optimizer.step()
        yield "how far a step moved a frozen weight", w.item() - start
        optimizer.zero_grad()
        (w * head).backward()
        optimizer.step()
        yield "how far it has moved after another backward() and step", w.item() - start
        yield "the weight that wasn't frozen", head
        yield "`requires_grad` of a frozen weight", w.requires_grad


_EACH = "def freeze(weights):\n    for w in weights:\n        "

freeze = Exercise(
    id="12_freeze",
    title="Freeze it for good",
    prompt="""
**5 minutes.** Write `freeze(weights)`. After the call, no optimizer moves the weights in the list,
not even one that was made earlier and has momentum. And no later `backward()` gives them a
gradient.
""",
    starter="def freeze(weights):\n    ...",
    answers=("freeze",),
    solutions=(
        f"{_EACH}w.requires_grad_(False)\n        w.grad = None",
        f"{_EACH}w.grad, w.requires_grad = None, False",
    ),
    hints=(
        "What does `step()` look at, and what does `backward()` look at?",
        "Two attributes of each weight have to change. You know one of them from lesson 09.",
        "One line sets the flag. The other makes `step()` skip the weight: what must `.grad` be?",
    ),
    because="The flag keeps new gradients out, and `None` makes the optimizer skip the weight.",
    probe=_freeze,
    slips=(
        Slip(
            "A frozen weight has no gradient",
            f"{_EACH}w.requires_grad_(False)",
            "The flag is off, and the next `step()` moved the weight anyway. Its old gradient is "
            "still in `.grad`, and `step()` doesn't look at flags. What else has to go?",
            misconception=21,
        ),
        Slip(
            "Zero is as good as None",
            f"{_EACH}w.requires_grad_(False)\n        w.grad.zero_()",
            "The gradient is zero, and the weight still moved: the optimizer's velocity carried it "
            "on. A zero is a gradient that arrived. Which value makes `step()` skip the weight?",
            misconception=12,
        ),
        Slip(
            "Without a gradient it's frozen",
            f"{_EACH}w.grad = None",
            "The next `step()` skipped the weight. Then the next `backward()` gave it a new "
            "gradient, and it moved. Keep new gradients out as well.",
        ),
    ),
)

_MICRO = """def accumulate(w, data, size):
    for start in range(0, len(data), size):
        part = data[start : start + size]
        loss = ((w * part) ** 2).mean()
        loss.backward()
"""


def _micro(attempt: Attempt) -> Iterator[Observation]:
    accumulate, torch = attempt.function("accumulate", gives=False), attempt.torch
    cases = (0.5, [1.0, 2.0, 3.0, 4.0, 5.0]), (attempt.drawn(), attempt.drawn(5))
    for start, numbers in cases:
        w = torch.tensor(start, requires_grad=True)
        passes: list[float] = []
        w.register_hook(lambda gradient, passes=passes: passes.append(gradient.item()))
        accumulate(w, torch.tensor(numbers), 2)
        yield f"`w.grad` for {numbers} in parts of 2", w.grad
        yield "the number of backward passes", len(passes)


micro = Exercise(
    id="12_micro",
    title="Micro-batches",
    prompt="""
**8 minutes.** `accumulate(w, data, size)` sends the data through in parts of `size` numbers, with
one `backward()` for each. The last part may be smaller. Change the function so that `w.grad`
holds the gradient of the *whole* batch, `((w * data) ** 2).mean()`. Keep one `backward()` per part.
""",
    starter=_MICRO,
    answers=("accumulate",),
    solutions=(
        _MICRO.replace(".mean()", ".mean() * len(part) / len(data)"),
        _MICRO.replace(".mean()", ".sum() / len(data)"),
    ),
    hints=(
        "On paper: five numbers in parts of 2, 2 and 1. What share of the data is each part?",
        "A mean is a sum divided by how many there are. Which of the two adds up over the parts?",
        "Only the line with `.mean()` changes, and `len` appears in it twice.",
    ),
    because="Each part is weighted by its share of the data, and `backward()` adds them up.",
    probe=_micro,
    slips=(
        Slip(
            "Every part counts the same",
            _MICRO.replace(".mean()", ".mean() / ((len(data) + size - 1) // size)"),
            "You gave all parts the same weight. That's right for parts of equal length, but the "
            "last part has a single number, which counted as much as two.",
            when=lambda seen: round(next(iter(seen.values()))) in (13, 16),
        ),
        Slip(
            "A sum is a mean",
            _MICRO.replace(".mean()", ".sum()"),
            "You get 55, five times the gradient of the mean. Sums add up over parts, so you're "
            "close. What's missing is one division.",
        ),
        Slip(
            "Each part starts from nothing",
            _MICRO.replace("        loss =", "        w.grad = None\n        loss ="),
            "Only the last part is left in `w.grad`. You clear before each `backward()`. Here you "
            "want the gradients to add up.",
        ),
        Slip(
            "One pass is enough",
            "def accumulate(w, data, size):\n    ((w * data) ** 2).mean().backward()",
            "The number is right, but all the data went through in one pass, which needs too much "
            "memory. Call `backward()` once for each part.",
        ),
    ),
)
