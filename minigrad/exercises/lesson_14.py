"""Lesson 14: shapes, broadcasting, Jacobians and cross-entropy by hand."""

from collections.abc import Callable, Iterator
from typing import Any

from minigrad.exercises.attempt import Attempt, close, numerals
from minigrad.exercises.exercise import Exercise, NotYet, Observation, Slip
from minigrad.exercises.predictions import Explanation, Prediction

QUESTIONS = (
    Prediction(
        "14_p1",
        "x * w has shape [4, 1] and y has shape [4]. What's the shape of x * w - y?",
        "[4, 4]",
        {
            "[4]": "That would be one difference per point, as intended. Line the two shapes up "
            "from the right: do the 4s meet?",
            "[4, 1]": "That's the shape of x * w. If you line the two shapes up from the right, "
            "where is the 4 of y?",
            "[4, 4]": "Both tensors are stretched, each to 4 × 4.",
            "an error: the shapes differ": "An error would be kinder. But two shapes may differ, "
            "as long as each can be stretched to fit.",
        },
    ),
    Prediction(
        "14_r1",
        "Lesson 13. A backward rule is off by a factor of 2. What tells you?",
        "gradcheck",
        {
            "backward() raises an error": "The engine believes every rule, right or wrong.",
            "gradcheck": "It compares the rule with a nudge.",
            "the loss goes up": "Twice or half the gradient still points the same way, so the "
            "loss often goes down.",
        },
    ),
    Prediction(
        "14_r2",
        "Lesson 11. In a training loop, between which two steps must you not clear .grad?",
        "backward() and the update",
        {
            "the update and the next forward pass": "That's the usual place to clear it.",
            "the forward pass and backward()": "That works, because the new gradient isn't there "
            "yet.",
            "backward() and the update": "The gradient would be gone before it's used.",
        },
    ),
    Prediction(
        "14_r3",
        "Lesson 08. What does c = a + b save for the backward pass?",
        "nothing",
        {
            "a and b": "A product would save them. What's the slope of a sum?",
            "c": "exp saves its result. Does the slope of a sum depend on the result?",
            "nothing": "Both slopes are 1, whatever a and b are.",
        },
    ),
    Prediction(
        "14_p2",
        "column is [[1], [2]], row is [0.5, 1, 1.5]. What's the gradient of column?",
        "[[3], [3]]",
        {
            "[[1], [1]]": "1 is the mean of the row. Are paths averaged?",
            "[[1.5], [1.5]]": "1.5 counts only the last of the three uses.",
            "[[3], [3]]": "It's 0.5 + 1 + 1.5, because there's one path per use.",
            "a table of 2 × 3 numbers": "That's what arrives, but a gradient has the shape of "
            "its tensor. So how does the table become a column?",
        },
    ),
    Prediction(
        "14_p3",
        "Plus passes a gradient of shape [2, 3] to b, which has shape [3]. Total passes a single "
        "number to its input, which has shape [2, 3]. Which of them raises an error?",
        "Total only",
        {
            "neither": "The engine can undo a broadcast. Which of the two cases isn't a broadcast?",
            "Plus only": "[3] can be stretched to [2, 3], so the engine knows how to undo it.",
            "Total only": "The engine can sum a gradient down to the right shape. It doesn't "
            "guess how to spread one out.",
            "both": "[3] can be stretched to [2, 3], so the engine knows how to undo that one.",
        },
    ),
    Prediction(
        "14_p4",
        "grad is [2, 4], b is [3, 4], and the gradient of a must be [2, 3]. Which product is it?",
        "grad @ b.T",
        {
            "grad @ b": "[2, 4] times [3, 4]: the inner sizes differ.",
            "grad @ b.T": "[2, 4] times [4, 3] is [2, 3].",
            "b.T @ grad": "[4, 3] times [2, 4]: the inner sizes differ.",
            "grad * b": "Element by element, [2, 4] and [3, 4] don't fit together.",
        },
    ),
    Prediction(
        "14_p5",
        "In y = x.cumsum(0), each entry is the sum of x up to that place. Where are the ones in "
        "the Jacobian?",
        "on the diagonal and to the left of it",
        {
            "on the diagonal only": "Then each output would depend on one input only.",
            "on the diagonal and to the left of it": "Output i depends on the inputs 0 to i, and "
            "those are the ones in row i.",
            "on the diagonal and to the right of it": "A row belongs to an output. Does output 0 "
            "depend on the later inputs?",
            "everywhere": "Does output 0 depend on input 3?",
        },
    ),
    Prediction(
        "14_p6",
        "The gradient of the logits has one row per example. What does each row add up to?",
        "0",
        {
            "0": "Adding the same amount to all logits of a row doesn't change the loss.",
            "1": "The probabilities in a row add up to 1. The gradient isn't a row of "
            "probabilities.",
            "1/3: the mean over 3 examples": "Each row is divided by 3, yes. What did it add up "
            "to before?",
            "the loss of that example": "The loss is a value. Add the same amount to all logits "
            "of a row: does the loss change?",
        },
    ),
    Explanation(
        "14_explain",
        "A bias of shape [10] is added to a batch of shape [32, 10]. Explain in two sentences why "
        "its gradient is the sum over the 32 rows and not their mean.",
        "Each entry of the bias is used in all 32 rows, so 32 paths lead from it to the loss, and "
        "paths add: if you nudge it, all 32 rows move. A mean appears only if the loss itself is "
        "a mean, and then the 1/32 is already in the gradient that arrives.",
        ("it's used once per row", "paths add", "a mean comes from the loss, not from the bias"),
    ),
)


def _loss(attempt: Attempt) -> Iterator[Observation]:
    loss, torch = attempt.function("mean_squared_error"), attempt.torch
    perfect, others = [1.0, 2.0, 3.0, 4.0], (attempt.drawn(4), attempt.drawn(4))
    for first, second in (((4, 1), (4,)), ((4,), (4,)), ((4,), (4, 1)), ((4, 1), (4, 1))):
        shapes = f"{list(first)} and {list(second)}"
        for values, wanted in ((perfect, perfect), others):
            which = "a perfect prediction" if values is perfect else "drawn numbers"
            prediction = torch.tensor(values).reshape(first).requires_grad_()
            result = loss(prediction, torch.tensor(wanted).reshape(second))
            yield (
                f"The loss for {which}, shapes {shapes},",
                attempt.checked_tensor(result, "What `mean_squared_error` returns"),
            )
            attempt.run("`backward()`", result.backward)
            yield f"The gradient of {which}, shapes {shapes},", prediction.grad


_LOSS = "def mean_squared_error(prediction, target):\n"

loss = Exercise(
    id="14_loss",
    title="A loss that can't be fooled",
    prompt="""
**4 minutes.** Write `mean_squared_error(prediction, target)`. Each of the two may have shape [n] or
[n, 1]. Return the mean of the n squared differences, as a tensor.
""",
    starter="def mean_squared_error(prediction, target):\n    ...",
    answers=("mean_squared_error",),
    solutions=(f"{_LOSS}    return ((prediction.reshape(-1) - target.reshape(-1)) ** 2).mean()",),
    hints=(
        "What did the cell that trained correctly do to `y`?",
        "The formula is the one in `train`. Before you subtract, bring *both* tensors into the "
        "same shape.",
        "`tensor.reshape(-1)` makes a vector out of a column, and leaves a vector as it is.",
    ),
    because="Both are vectors before you subtract, so nothing is stretched.",
    probe=_loss,
    slips=(
        Slip(
            "Shapes that run are right",
            f"{_LOSS}    return ((prediction - target) ** 2).mean()",
            "For a perfect prediction of shape [4, 1] and a target of shape [4] your loss is 2.5, "
            "and it should be 0. You subtract the two in the shapes they come in, and [4, 1] "
            "minus [4] is a table of 4 × 4 differences. Print the shape of the difference. What "
            "can you do to both tensors before you subtract?",
            misconception=20,
        ),
        Slip(
            "The prediction is always a column",
            f"{_LOSS}    return ((prediction - target.reshape(-1, 1)) ** 2).mean()",
            "You turn the target into a column. That fits a prediction of shape [4, 1]. With one "
            "of shape [4], you get the table of 4 × 4 differences again. What can you do to the "
            "prediction so that its shape is certain, too?",
            misconception=20,
        ),
        Slip(
            "Only the prediction can be a column",
            f"{_LOSS}    return ((prediction.reshape(-1) - target) ** 2).mean()",
            "You flatten the prediction but leave the target as it comes. With a target of shape "
            "[4, 1], the table of 4 × 4 differences is back. What can you do to the target so "
            "that its shape is certain, too?",
            misconception=20,
        ),
        Slip(
            "A sum is as good as a mean",
            f"{_LOSS}    return ((prediction.reshape(-1) - target.reshape(-1)) ** 2).sum()",
            "The shapes are right, but your loss is n times too large, because you add up the n "
            "squares. What's missing for the mean?",
        ),
        Slip(
            "A loss is a number",
            f"{_LOSS}    return ((prediction.reshape(-1) - target.reshape(-1)) ** 2).mean().item()",
            "The number is right, but it's only a number. `.item()` takes it out of the tensor, "
            "so there's no graph for `backward()`. Leave `.item()` out.",
            misconception=16,
        ),
    ),
)


# Shapes before and after they are stretched.
_STRETCHED = (
    ((3,), (2, 3)),
    ((2, 1), (2, 3)),
    ((1, 3), (4, 3)),
    ((), (2, 3)),
    ((2, 3), (2, 3)),
    ((2, 1, 1), (4, 2, 3, 2)),
    ((3, 1), (2, 3, 2)),
)


def _unbroadcast(attempt: Attempt) -> Iterator[Observation]:
    function, torch = attempt.function("unbroadcast"), attempt.torch
    for shape, stretched in _STRETCHED:
        size = torch.ones(stretched).numel()
        counted = torch.arange(1.0, size + 1) if size > 20 else torch.tensor(attempt.drawn(size))
        result = function(counted.reshape(stretched), shape)
        attempt.checked_tensor(result, "What `unbroadcast` returns")
        yield f"What `unbroadcast` returns for {list(stretched)} and {shape}", result


_UNBROADCAST = "def unbroadcast(grad, shape):\n    while grad.dim() > len(shape):\n"

unbroadcast = Exercise(
    id="14_unbroadcast",
    title="Undo a broadcast",
    prompt="""
**10 minutes.** Do by hand what the engine does at an edge. `grad` has the shape of the result, and
`shape` is the shape of an input before it was stretched. Return the gradient of that input.
""",
    starter="def unbroadcast(grad, shape):\n    ...",
    answers=("unbroadcast",),
    solutions=(
        f"{_UNBROADCAST}        grad = grad.sum(0)\n    for dim, size in enumerate(shape):\n"
        "        if size == 1:\n            grad = grad.sum(dim, keepdim=True)\n    return grad",
        """
def unbroadcast(grad, shape):
    extra = grad.dim() - len(shape)
    dims = [*range(extra), *(extra + dim for dim, size in enumerate(shape) if size == 1)]
    return grad.sum(dims).reshape(shape) if dims else grad
""",
    ),
    hints=(
        "Look at the table of shapes in the first section. Two different things happened there, "
        "one to `x * w` and one to `y`.",
        "Dimensions were added in front, and dimensions of size 1 were stretched. Undo these one "
        "after the other, each by a sum.",
        "While `grad.dim()` is larger than `len(shape)`, sum over dimension 0. Then loop over "
        "`enumerate(shape)`, and where the size is 1, sum with `keepdim=True`.",
    ),
    because="The engine does this once, at the edge, so that no rule has to.",
    probe=_unbroadcast,
    slips=(
        Slip(
            "Added dimensions are all there is",
            f"{_UNBROADCAST}        grad = grad.sum(0)\n    return grad",
            "You sum over the dimensions that were added in front, and for (3,) that's enough. "
            "For the shape (2, 1) your result is still [2, 3]. Which dimension was stretched "
            "there, although none was added?",
        ),
        Slip(
            "A sum keeps the number of dimensions",
            f"{_UNBROADCAST}        grad = grad.sum(0)\n"
            "    for dim, size in reversed(list(enumerate(shape))):\n        if size == 1:\n"
            "            grad = grad.sum(dim)\n    return grad",
            "The numbers are right, but the shape isn't: for (2, 1) you return [2]. `sum(dim)` "
            "removes the dimension. Which argument keeps it, with size 1?",
        ),
        Slip(
            "Copies are averaged",
            f"{_UNBROADCAST}        grad = grad.mean(0)\n    for dim, size in enumerate(shape):\n"
            "        if size == 1:\n            grad = grad.mean(dim, keepdim=True)\n"
            "    return grad",
            "The shapes are right, but the numbers are too small: with two rows, by a factor of "
            "2. You average over the copies. If you nudge an entry that's used twice, how much "
            "more does the result move than if it were used once?",
        ),
        Slip(
            "One copy is as good as another",
            f"{_UNBROADCAST}        grad = grad[0]\n    for dim, size in enumerate(shape):\n"
            "        if size == 1:\n            grad = grad.narrow(dim, 0, 1)\n    return grad",
            "The shapes are right, but you keep the gradient of the first copy and drop the "
            "others. Each copy is a path to the loss. What happens where paths meet?",
            misconception=5,
        ),
    ),
)


_TENS = "`g` = 10, 100, 1000, …"
_PADDED = "torch.cat([torch.zeros(1), g])", "torch.cat([g, torch.zeros(1)])"
_RULES = {
    "sum(g, x)": ("g * torch.ones_like(x)", "y = x.sum()"),
    "mean(g, x)": ("g * torch.ones_like(x) / len(x)", "y = x.mean()"),
    "repeat(g, x)": ("g.reshape(2, -1).sum(0)", "y = x.repeat(2)"),
    "index(g, x, places)": ("torch.zeros_like(x).index_add(0, places, g)", "y = x[places]"),
    "flip(g, x)": ("g.flip(0)", "y = x.flip(0)"),
    "transpose(g, x)": ("g.T", "y = x.T"),
    "max(g, x)": ("g * (x == x.max())", "y = x.max()"),
    "sort(g, x)": ("g[x.argsort().argsort()]", "y = x.sort()[0]"),
    "cumsum(g, x)": ("g.flip(0).cumsum(0).flip(0)", "y = x.cumsum(0)"),
    "difference(g, x)": (f"{_PADDED[0]} - {_PADDED[1]}", "y = x[1:] - x[:-1]"),
    "moving(g, x)": (f"{_PADDED[0]} + {_PADDED[1]}", "y = x[1:] + x[:-1]"),
    "outer(g, x, w)": ("g @ w", "y = x[:, None] * w"),
}


def _rules(**others: str) -> str:
    """The twelve functions as solved, except for `others`."""
    lines = []
    for head, (rule, formula) in _RULES.items():
        rule = others.get(head.split("(")[0], rule)
        lines.append(f"def back_{head}: return {rule}  # {formula}")
    return "\n".join(lines)


_FORWARD: dict[str, Callable[..., Any]] = {
    "sum": lambda x: x.sum(),
    "mean": lambda x: x.mean(),
    "repeat": lambda x: x.repeat(2),
    "index": lambda x, places: x[places],
    "flip": lambda x: x.flip(0),
    "transpose": lambda x: x.T,
    "max": lambda x: x.max(),
    "sort": lambda x: x.sort()[0],
    "cumsum": lambda x: x.cumsum(0),
    "difference": lambda x: x[1:] - x[:-1],
    "moving": lambda x: x[1:] + x[:-1],
    "outer": lambda x, w: x[:, None] * w,
}


def _puzzles(attempt: Attempt) -> Iterator[Observation]:
    torch = attempt.torch
    for name, forward in _FORWARD.items():
        back = attempt.function(f"back_{name}", gives=False)
        for numbers, gradient, weights, which in (
            ([3.0, 1.0, 4.0, 2.0, 6.0, 5.0], [10.0**n for n in range(1, 9)], [1.0, 2.0], _TENS),
            (attempt.drawn(6), attempt.drawn(8), attempt.drawn(2), "drawn numbers"),
        ):
            x = torch.tensor(numbers)
            x = (x.reshape(2, 3) if name == "transpose" else x[:4]).requires_grad_()
            more = {"index": torch.tensor([0, 0, 2]), "outer": torch.tensor(weights)}
            extra = [more[name]] if name in more else []
            y = forward(x, *extra)
            g = torch.tensor(gradient[: y.numel()]).reshape(y.shape)
            result = back(g, x.detach(), *extra)
            if result is None or result is ...:
                raise NotYet(f"`back_{name}` is still open. Those before it are right.")
            attempt.checked_tensor(result, f"What `back_{name}` returns")
            yield f"What `back_{name}` returns for {which}", result
            if not close(result, torch.autograd.grad(y, x, g)[0]):
                raise NotYet(
                    f"`back_{name}` returns {numerals(result)} for a `g` of {numerals(g)}. Read "
                    "the columns of its heat map: is each entry of your answer the sum of the "
                    "entries of `g`, weighted by the numbers in its column?"
                )


def _fixed(name: str, *values: float) -> Any:
    return lambda seen: seen[f"What `back_{name}` returns for {_TENS}"] == list(values)


puzzles = Exercise(
    id="14_puzzles",
    title="Twelve rules in one line each",
    prompt="""
**20 minutes.** Each function receives the upstream gradient `g` and the input `x`. Return the
gradient of `x` without using `backward` or `torch.autograd`. The comment says what the operation
is. `x` is a vector of four, except in `back_transpose`, where it's a matrix. Replace the dots in
any order; `check` reports the first rule that isn't right yet.
""",
    starter=_rules(**{head.split("(")[0]: "..." for head in _RULES}),
    answers=tuple(f"back_{head.split('(')[0]}" for head in _RULES),
    solutions=(
        _rules(),
        _rules(
            sum="g.expand(4)",
            repeat="g[:4] + g[4:]",
            sort="torch.zeros_like(x).scatter(0, x.argsort(), g)",
            cumsum="g.sum() - g.cumsum(0) + g",
            outer="(g * w).sum(1)",
        ),
    ),
    hints=(
        "Find the heat map of the operation and look at one column. Which outputs does that input "
        "go into, and with what weights?",
        "Each entry of the answer is a sum of entries of `g`. An input that's used twice gets a "
        "sum of two. An input that isn't used gets 0. If the map holds a single 1 in each column, "
        "the answer is `g` in another order.",
        "For `back_index`, look at `index_add`. For `back_sort`, ask where each `x` ended up: "
        "`x.argsort().argsort()`. For the moving sum and the difference, `torch.cat` puts a zero "
        "in front of `g` or at its end.",
    ),
    because="You applied twelve Jacobians without building one. Each rule is a weighted sum down "
    "a column.",
    probe=_puzzles,
    slips=(
        Slip(
            "The slope of a sum is 1",
            _rules(sum="torch.ones_like(x)"),
            "`back_sum` returns ones, whatever `g` is. That's the Jacobian itself. The rule is "
            "the upstream gradient times the Jacobian. What has to happen to `g`?",
            when=_fixed("sum", 1, 1, 1, 1),
        ),
        Slip(
            "A mean passes on what a sum passes on",
            _rules(mean="g * torch.ones_like(x)"),
            "`back_mean` passes `g` on in full. If you move one of four numbers by 1, how far "
            "does the mean move? The heat map shows it.",
            when=_fixed("mean", 10, 10, 10, 10),
        ),
        Slip(
            "The last use replaces the first",
            _rules(index="torch.zeros_like(x).scatter(0, places[1:], g[1:])"),
            "`places` names element 0 twice, and your `back_index` keeps only one of the two "
            "gradients, 100. Two paths lead from that element to the result. What happens to two "
            "gradients that arrive at the same place? There's a method with `add` in its name.",
            misconception=5,
            when=_fixed("index", 100, 0, 1000, 0),
        ),
        Slip(
            "Backward sorts `g` the way forward sorted `x`",
            _rules(sort="g[x.argsort()]"),
            "`back_sort` reorders `g` in the way that sorts `x`. Backward has to undo it: the 3 "
            "was first and ended up third, so it gets the *third* gradient, 1000. What's the index "
            "where each `x` ended up?",
            when=_fixed("sort", 100, 10000, 10, 1000),
        ),
        Slip(
            "Backward repeats the forward computation",
            _rules(cumsum="g.cumsum(0)"),
            "`back_cumsum` sums from the left, as the forward computation does. Look at column 0 "
            "of the heat map: the first input goes into *all* outputs, so it gets all of `g`, "
            "11110. From which end do you have to sum?",
            when=_fixed("cumsum", 10, 110, 1110, 11110),
        ),
    ),
)


def _cross_entropy(attempt: Attempt) -> Iterator[Observation]:
    torch, function = attempt.torch, attempt.function("cross_entropy")
    fixed = [[2.0, 1.0, 0.0], [0.0, 3.0, 1.0], [1.0, 1.0, 1.0]]
    large = [[1000.0, 0.0, -1.0], [0.0, -1000.0, 1.0]]
    for values, right in ((fixed, [0, 2, 1]), (attempt.drawn(2, 4), [3, 0]), (large, [0, 1])):
        result = function(torch.tensor(values), torch.tensor(right))
        if not isinstance(result, tuple | list) or len(result) != 2:
            raise NotYet("`cross_entropy` should return two tensors: the loss and the gradient.")
        size = {id(fixed): "small", id(large): "large"}.get(id(values), "drawn")
        for what, one in zip(("loss", "gradient"), result, strict=True):
            yield f"The {what} for {size} logits", attempt.checked_tensor(one, f"The {what}")


_CROSS_ENTROPY = (
    "def cross_entropy(logits, targets):\n"
    "    hot = torch.nn.functional.one_hot(targets, logits.shape[1])\n"
)

cross_entropy = Exercise(
    id="14_cross_entropy",
    title="Cross-entropy for large logits",
    prompt="""
**10 minutes.** Write `cross_entropy(logits, targets)` without `backward` and without the functions
of `torch.nn` (`one_hot` is fine). Return two tensors: the mean loss, and its gradient with respect
to `logits`. It must work for logits of 1000, too. There `exp` overflows unless you first subtract
the largest logit of each row.
""",
    starter="def cross_entropy(logits, targets):\n    ...\n    return loss, gradient",
    answers=("cross_entropy",),
    solutions=(
        f"{_CROSS_ENTROPY}    z = logits - logits.max(dim=1, keepdim=True)[0]\n"
        "    log_p = z - z.exp().sum(dim=1, keepdim=True).log()\n"
        "    loss = -(log_p * hot).sum() / len(targets)\n"
        "    return loss, (log_p.exp() - hot) / len(targets)",
    ),
    hints=(
        "The last two cells have both parts: the loss in five steps, and the gradient in one. "
        "Which step in them fails for an exponent of 1000?",
        "Subtracting the same number from all logits of a row doesn't change the probabilities. "
        "And ln(e / s) is the logit minus ln(s), so you never have to take the logarithm of a "
        "probability that was rounded to 0.",
        "`z = logits - logits.max(dim=1, keepdim=True)[0]`, and then `log_p` is `z` minus the "
        "logarithm of the row sums of `z.exp()`.",
    ),
    because=(
        "You subtract the maximum, keep the logarithms, and use p minus one-hot for the gradient. "
        "Libraries do the same."
    ),
    probe=_cross_entropy,
    slips=(
        Slip(
            "Large logits don't occur",
            f"{_CROSS_ENTROPY}    e = logits.exp()\n    p = e / e.sum(dim=1, keepdim=True)\n"
            "    loss = -(p.log() * hot).sum() / len(targets)\n"
            "    return loss, (p - hot) / len(targets)",
            "For small logits, both results are right. For a logit of 1000, your loss is `nan`: "
            "`exp(1000)` is `inf`, and `inf / inf` isn't a number. What can you subtract from all "
            "logits of a row without changing the probabilities?",
        ),
        Slip(
            "Shifting the logits is enough",
            f"{_CROSS_ENTROPY}    e = (logits - logits.max(dim=1, keepdim=True)[0]).exp()\n"
            "    p = e / e.sum(dim=1, keepdim=True)\n"
            "    loss = -(p.log() * hot).sum() / len(targets)\n"
            "    return loss, (p - hot) / len(targets)",
            "`exp` no longer overflows, and your gradient is right. But a logit that's 1000 "
            "below the largest gets a probability of exactly 0, and its logarithm is `-inf`. "
            "Write ln(e / s) as a difference: what's the logarithm of `e`?",
        ),
        Slip(
            "One maximum serves all rows",
            f"{_CROSS_ENTROPY}    z = logits - logits.max()\n"
            "    log_p = z - z.exp().sum(dim=1, keepdim=True).log()\n"
            "    loss = -(log_p * hot).sum() / len(targets)\n"
            "    return loss, (log_p.exp() - hot) / len(targets)",
            "You subtract the largest logit of the whole table. In a row whose own largest is "
            "1000 below that, every `exp` rounds to 0, and so does their sum. Give each row its "
            "own maximum. Which arguments of `max` do that?",
        ),
        Slip(
            "Each example counts in full",
            f"{_CROSS_ENTROPY}    z = logits - logits.max(dim=1, keepdim=True)[0]\n"
            "    log_p = z - z.exp().sum(dim=1, keepdim=True).log()\n"
            "    loss = -(log_p * hot).sum() / len(targets)\n    return loss, log_p.exp() - hot",
            "The loss is right, but your gradient is too large: by a factor of 3 for three "
            "examples, and of 2 for two. The loss is a mean. What does that do to the gradient?",
        ),
        Slip(
            "Softmax runs down the columns",
            f"{_CROSS_ENTROPY}    z = logits - logits.max(dim=0, keepdim=True)[0]\n"
            "    log_p = z - z.exp().sum(dim=0, keepdim=True).log()\n"
            "    loss = -(log_p * hot).sum() / len(targets)\n"
            "    return loss, (log_p.exp() - hot) / len(targets)",
            "You compare the examples with one another: dimension 0 runs over the examples, and "
            "your *columns* add up to 1. An example's probabilities are in its row. Which "
            "dimension is that?",
            misconception=20,
        ),
    ),
)
