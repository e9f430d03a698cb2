"""Lesson 16: an entropy without nan, weights for relu, and a step that looks before it moves."""

from collections.abc import Iterator
from typing import Any

from minigrad.exercises.attempt import Attempt
from minigrad.exercises.exercise import Exercise, Observation, Slip
from minigrad.exercises.predictions import Explanation, Prediction

QUESTIONS = (
    Prediction(
        "16_r1",
        "Lesson 15. 200 points in batches of 20. How many iterations are 3 epochs?",
        "30",
        {
            "10": "That's one epoch.",
            "30": "10 batches for each pass over the data.",
            "60": "20 is the number of points in a batch. How many batches are there?",
        },
    ),
    Prediction(
        "16_r2",
        "Lesson 13. Your forward takes 2 tensors. How many gradients does your backward return?",
        "2",
        {
            "1": "That's how many it receives if forward returns one tensor.",
            "2": "One for each input of forward.",
            "as many as forward returns": "Those arrive. It returns one for each input.",
        },
    ),
    Prediction(
        "16_r3",
        "Lesson 10. y = x.exp(), then y[0] = 0, then y.sum().backward(). What happens?",
        "an error: y was modified",
        {
            "an error: y was modified": "exp saved its result, and its version changed.",
            "wrong numbers, no error": "That's what .data does. Here the version counter notices.",
            "the right gradient": "exp needs its result for the backward pass. Is it still there?",
        },
    ),
    Prediction(
        "16_p1",
        "The loss of step 312 is nan. What became nan first?",
        "the gradients of step 311",
        {
            "the loss of step 312": "Its weights were nan before it was computed.",
            "the colors of pair 312": "Look at them above: they're six ordinary numbers.",
            "the weights, before step 311": "Then step 311 would have had a loss of nan, too.",
            "the gradients of step 311": "step() then carried the nan into the weights.",
        },
    ),
    Prediction(
        "16_p2",
        "What's the gradient of x in (x**2).sqrt() at x = 0?",
        "nan",
        {
            "0": "That's what abs(x) says. Here two local slopes are multiplied. Which ones?",
            "1": "That's the slope to the right of 0.",
            "infinite": "The square root's slope is infinite. What's the slope of x**2?",
            "nan": "An infinite slope times a slope of 0.",
        },
    ),
    Prediction(
        "16_p3",
        "x is [0, 4], and where() takes x.sqrt() only where x > 0. What's in x.grad?",
        "[nan, 0.25]",
        {
            "[0, 0.25]": "The first entry doesn't use its root, but the root was computed.",
            "[infinite, 0.25]": "The root's slope is infinite. What does where() send to it?",
            "[nan, 0.25]": "0 from where(), times an infinite slope.",
        },
    ),
    Prediction(
        "16_p4",
        "The logits are 1000 and 0. What does the formula return for the first entry?",
        "nan",
        {
            "1, as it should": "On paper, yes. How large can a float32 be?",
            "infinite": "The numerator is infinite. What about the denominator?",
            "nan": "Infinity divided by infinity.",
        },
    ),
    Prediction(
        "16_p5",
        "By about what factor does each layer of sigmoids multiply the gradient?",
        "1/7",
        {
            "1/4": "That's the sigmoid's share. The gradient also goes through the weights.",
            "1/7": "1/4 comes from the sigmoid, and the rest from the weights.",
            "1": "The sigmoid alone shrinks it to a quarter or less.",
        },
    ),
    Prediction(
        "16_p6",
        "Which of the two keeps more of the gradient, with the default weights?",
        "tanh",
        {
            "tanh": "Near 0 its slope is 1, and the signal is small.",
            "relu": "Its slope is 1 for half of the entries. What is it for the others?",
            "both the same": "One of them stops half of the entries.",
        },
    ),
    Prediction(
        "16_p7",
        "The gradient is (30, 40), and its length is 50. What is it after clipping to max_norm=1?",
        "(0.6, 0.8)",
        {
            "(0.6, 0.8)": "Both entries are divided by 50.",
            "(1, 1)": "That limits each entry, and it changes the direction.",
            "(0.75, 1)": "That limits the largest entry to 1. The length would be 1.25.",
        },
    ),
    Explanation(
        "16_explain",
        "A colleague says: 'where() took the nan out of my loss, but now my weights are nan.' Why?",
        "where picks values, but backward also runs through the branch that wasn't picked. It "
        "sends a 0 there, and 0 times an infinite slope is nan. Make the input safe first.",
        ("backward runs through both branches", "0 times infinity is nan", "make the input safe"),
    ),
)


def _entropy(attempt: Attempt) -> Iterator[Observation]:
    torch, answer = attempt.torch, attempt.function("entropy")
    drawn = [*(abs(one) / 10 for one in attempt.drawn(3)), 0.0]
    for what, numbers in (("(0.5, 0, 0.5)", [0.5, 0.0, 0.5]), ("drawn numbers", drawn)):
        p = torch.tensor(numbers, requires_grad=True)
        value = attempt.checked_tensor(answer(p), "What `entropy` returns")
        yield f"for {what}, the value", value
        attempt.run("`backward()` on your result", value.backward)
        yield f"for {what}, the gradient", p.grad


_ENTROPY = """def entropy(p):
    safe = torch.where(p > 0, p, torch.ones_like(p))
    return -(safe * safe.log()).sum()"""

entropy = Exercise(
    id="16_entropy",
    title="An entropy without nan",
    prompt="""
**8 minutes.** The entropy of probabilities $p$ is $-\\sum_i p_i \\log p_i$, and where a probability
is 0, its term is 0. Write `entropy(p)` so that an entry of 0 adds nothing to the value and gets a
gradient of 0. `p` requires grad.
""",
    starter="def entropy(p):\n    ...",
    answers=("entropy",),
    solutions=(
        _ENTROPY,
        "def entropy(p):\n    some = p[p > 0]\n    return -(some * some.log()).sum()",
    ),
    hints=(
        "Which part of the formula has an infinite slope at 0?",
        "Choose before the logarithm, not after it. The logarithm must never see a 0.",
        "`safe = torch.where(p > 0, p, ...)` with a number whose term is 0. What's log 1?",
    ),
    because="The logarithm only sees numbers above 0, so there's no infinite slope to multiply.",
    probe=_entropy,
    slips=(
        Slip(
            "where keeps nan out",
            "def entropy(p):\n    terms = torch.where(p > 0, p * p.log(), torch.zeros_like(p))\n"
            "    return -terms.sum()",
            "The value is right, and the gradient is nan where `p` is 0. You picked *after* the "
            "logarithm, so backward still runs through it and multiplies 0 by an infinite slope. "
            "What could you give the logarithm instead of that 0?",
            misconception=19,
        ),
        Slip(
            "0 times anything is 0",
            "def entropy(p):\n    return -(p * p.log()).sum()",
            "Your entropy of (0.5, 0, 0.5) is nan. The logarithm of 0 is minus infinity, and 0 "
            "times that is nan. Which numbers may the logarithm see?",
        ),
        Slip(
            "A small number is as good as 0",
            "def entropy(p):\n    return -(p * (p + 1e-12).log()).sum()",
            "The value is right, and there's no nan. But where `p` is 0, your gradient is 27.6, "
            "which is -log 1e-12, and the task asks for 0. How can you leave those entries out?",
        ),
    ),
)


def _rescale(attempt: Attempt) -> Iterator[Observation]:
    torch, nn = attempt.torch, attempt.torch.nn
    answer = attempt.function("rescale_", gives=False, changes=True)
    fixed, drawn = [[1.0, -2.0], [0.5, 3.0]], attempt.drawn(2, 2)
    for what, numbers in (("with fixed weights", fixed), ("with drawn weights", drawn)):
        net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 2))
        with torch.no_grad():
            for layer in (net[0], net[2]):
                layer.weight.copy_(torch.tensor(numbers))
        answer(net)
        for index in (0, 2):
            weight, name = net[index].weight, f"{what}, `{index}.weight"
            yield f"{name}`", weight
            yield f"{what}, `{index}.bias`", net[index].bias
            yield f"{name}.requires_grad`", weight.requires_grad
            yield f"{name}.is_leaf`", weight.is_leaf


_RESCALE = """def rescale_(net):
    with torch.no_grad():
        for layer in net:
            if isinstance(layer, torch.nn.Linear):
                layer.weight.mul_(6**0.5)
                layer.bias.zero_()"""

rescale = Exercise(
    id="16_rescale",
    title="From the default weights to He's",
    prompt="""
**8 minutes.** A `Sequential` of `Linear` and `ReLU` layers has its default weights, with variance
$\\frac{1}{3n}$ for $n$ inputs. Write `rescale_(net)`. It multiplies the weights of each `Linear` in
place by one number, so that their variance is $\\frac{2}{n}$, and sets the biases to 0.
""",
    starter="def rescale_(net):\n    ...",
    answers=("rescale_",),
    solutions=(_RESCALE, _RESCALE.replace("weight.mul_(6**0.5)", "weight *= 6**0.5")),
    hints=(
        "By what number do you have to multiply the *variance*?",
        "Multiplying by c multiplies the variance by c². And the change mustn't be recorded.",
        "Under `no_grad()`, for each `Linear`: `layer.weight.mul_(...)` and `layer.bias.zero_()`.",
    ),
    because="From 1/(3n) to 2/n the variance grows by 6, so the weights grow by the root of 6.",
    probe=_rescale,
    slips=(
        Slip(
            "Variance scales like the numbers",
            _RESCALE.replace("6**0.5", "6"),
            "You multiplied the weights by 6, so their variance, which is made of squares, grew by "
            "36. Which number, squared, is 6?",
        ),
        Slip(
            "relu lets everything through",
            _RESCALE.replace("6**0.5", "3**0.5"),
            "You multiplied the weights by √3, which gives the variance 1/n. That's right for an "
            "activation with slope 1. `relu` stops half of the entries, and the other half has to "
            "make up for it. What's missing from your factor?",
        ),
        Slip(
            "Weights change like other tensors",
            _RESCALE.replace("torch.no_grad()", "torch.enable_grad()"),
            "*A leaf Variable that requires grad is being used in an in-place operation*: you "
            "changed the weights while recording was on. Which context manager do steps belong "
            "under?",
            misconception=6,
        ),
    ),
)


def _guard(attempt: Attempt) -> Iterator[Observation]:
    torch, nn = attempt.torch, attempt.torch.nn
    answer = attempt.function("guarded_step", changes=True)

    def step(what: str, numbers: list[float], norm: float, extra: Any) -> Iterator[Observation]:
        net = nn.Sequential(nn.Linear(2, 1), nn.Linear(1, 1))
        with torch.no_grad():
            for one in net.parameters():
                one.copy_(torch.zeros_like(one) + numbers[0] * 0.1)
            net[1].bias.zero_()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
        net(torch.ones(1, 2)).sum().backward()  # left behind by an earlier step
        loss = net(torch.tensor([numbers[1:]])).sum() * 20 + extra(net[1].bias)
        yield f"in the {what} test, what it returns", answer(net, optimizer, loss, norm)
        for name, one in net.named_parameters():
            yield f"in the {what} test, `{name}`", one

    def nothing(bias: Any) -> Any:
        return bias.sum() * 0

    start = [1.0, 3.0, 4.0]
    yield from step("first", start, 2.0, nothing)
    yield from step("second", start, 2.0, lambda bias: (bias**2).sqrt().sum())
    yield from step("third", start, 2.0, lambda bias: bias.sqrt().sum())
    yield from step("last", attempt.drawn(3), 1.5, nothing)


_GUARD = """def guarded_step(net, optimizer, loss, max_norm):
    optimizer.zero_grad()
    loss.backward()
    named = list(net.named_parameters())
    bad = [name for name, one in named if not one.grad.isfinite().all()]
    if not bad:
        torch.nn.utils.clip_grad_norm_(net.parameters(), max_norm)
        optimizer.step()
    return bad"""

guard = Exercise(
    id="16_guard",
    title="A step that looks first",
    prompt="""
**20 minutes.** Write `guarded_step(net, optimizer, loss, max_norm)`. It computes the gradients of
this loss alone. If one of them contains nan or infinity, it leaves the weights as they are and
returns a list with the *names* of those parameters, such as `["2.bias"]`. If not, it clips all
gradients together to `max_norm`, takes a step, and returns an empty list.
""",
    starter="def guarded_step(net, optimizer, loss, max_norm):\n    ...",
    answers=("guarded_step",),
    solutions=(_GUARD,),
    hints=(
        "`net.named_parameters()` yields pairs of a name and a parameter. `isfinite()` is False "
        "for nan and for infinity.",
        "First clear, go backward and look. Then clip and step. Why must you look before you clip?",
        "List the names for which `not parameter.grad.isfinite().all()`, and step if it's empty.",
    ),
    because="You clear, go backward, look, clip and step, so a nan is reported where it starts.",
    probe=_guard,
    slips=(
        Slip(
            "A good loss has good gradients",
            _GUARD.replace("not one.grad.isfinite().all()", "not loss.isfinite()"),
            "You looked at the loss. In the second test the loss is a fine number and the gradient "
            "of `1.bias` is nan, as in step 311. Your step carried it into the weights. What "
            "should you look at instead?",
            misconception=19,
        ),
        Slip(
            "Infinity is nan",
            _GUARD.replace("not one.grad.isfinite().all()", "one.grad.isnan().any()"),
            "You let infinity pass. In the third test `1.bias` has an infinite gradient, clipping "
            "divides by an infinite norm, and a weight is nan. Which check finds both?",
        ),
        Slip(
            "Each backward() starts at zero",
            _GUARD.replace("    optimizer.zero_grad()\n", ""),
            "Your gradients contain what an earlier step left in `.grad`. *This loss alone* means "
            "clearing first. Which line is missing?",
            misconception=2,
        ),
        Slip(
            "Clipping can come first",
            _GUARD.replace("    loss.backward()\n", "    clip_\n    loss.backward()\n")
            .replace("        torch.nn.utils.clip_grad_norm_(net.parameters(), max_norm)\n", "")
            .replace("clip_", "torch.nn.utils.clip_grad_norm_(net.parameters(), max_norm)"),
            "Your step has the full length of the gradient. You clipped before `backward()`, when "
            "there was nothing to clip, or not at all. At which point do the gradients exist, but "
            "haven't been used yet?",
        ),
    ),
)
