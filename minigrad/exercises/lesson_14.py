"""Lesson 14: shapes, broadcasting, Jacobians and cross-entropy by hand."""

from collections.abc import Iterator

from minigrad.exercises import puzzles_14, questions_14
from minigrad.exercises.attempt import Attempt
from minigrad.exercises.exercise import Exercise, NotYet, Observation, Slip

QUESTIONS = questions_14.QUESTIONS


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
[n, 1]. Return the mean of the n squared differences as a tensor.
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
    because="Both are vectors before they meet, so there's nothing to stretch.",
    probe=_loss,
    slips=(
        Slip(
            "Shapes that run are right",
            f"{_LOSS}    return ((prediction - target) ** 2).mean()",
            "For a perfect prediction of shape [4, 1] and a target of shape [4] your loss is 2.5, "
            "and it should be 0. You subtract the two as they come, and [4, 1] minus [4] is a "
            "table of 4 × 4 differences. Print the shape of the difference. What can you do to "
            "both tensors before you subtract?",
            misconception=20,
        ),
        Slip(
            "The prediction is always a column",
            f"{_LOSS}    return ((prediction - target.reshape(-1, 1)) ** 2).mean()",
            "You make a column of the target. That fits a prediction of shape [4, 1]. With one of "
            "shape [4] you get the table of 4 × 4 differences again. What can you do to the "
            "prediction, so that you know its shape?",
            misconception=20,
        ),
        Slip(
            "Only the prediction can be a column",
            f"{_LOSS}    return ((prediction.reshape(-1) - target) ** 2).mean()",
            "You flatten the prediction and take the target as it comes. With a target of shape "
            "[4, 1] the table of 4 × 4 differences is back. Which of the two do you know less "
            "about?",
            misconception=20,
        ),
        Slip(
            "A sum is as good as a mean",
            f"{_LOSS}    return ((prediction.reshape(-1) - target.reshape(-1)) ** 2).sum()",
            "The shapes are right, and your loss is n times too large: you add the n squares up. "
            "What's missing for the mean?",
        ),
        Slip(
            "A loss is a number",
            f"{_LOSS}    return ((prediction.reshape(-1) - target.reshape(-1)) ** 2).mean().item()",
            "The number is right, and it's only a number. `.item()` takes it out of the tensor, "
            "so there's no graph for `backward()`. Leave it out.",
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
        "Dimensions were added in front, and dimensions of size 1 were stretched. Undo one after "
        "the other, each by a sum.",
        "While `grad.dim()` is larger than `len(shape)`, sum over dimension 0. Then loop over "
        "`enumerate(shape)`, and where the size is 1, sum with `keepdim=True`.",
    ),
    because="The engine does this once, at the edge, so that no rule has to.",
    probe=_unbroadcast,
    slips=(
        Slip(
            "Added dimensions are all there is",
            f"{_UNBROADCAST}        grad = grad.sum(0)\n    return grad",
            "You sum over the dimensions that were added in front, and that settles (3,). For the "
            "shape (2, 1) your result is still [2, 3]. Which dimension was stretched there, "
            "although none was added?",
        ),
        Slip(
            "A sum keeps the number of dimensions",
            f"{_UNBROADCAST}        grad = grad.sum(0)\n"
            "    for dim, size in reversed(list(enumerate(shape))):\n        if size == 1:\n"
            "            grad = grad.sum(dim)\n    return grad",
            "The numbers are right, and the shape isn't: for (2, 1) you return [2]. `sum(dim)` "
            "removes the dimension. Which argument keeps it, with size 1?",
        ),
        Slip(
            "Copies are averaged",
            f"{_UNBROADCAST}        grad = grad.mean(0)\n    for dim, size in enumerate(shape):\n"
            "        if size == 1:\n            grad = grad.mean(dim, keepdim=True)\n"
            "    return grad",
            "The shapes are right, and the numbers are too small: with two rows, by a factor of "
            "2. You average over the copies. Nudge an entry that's used twice: by how much more "
            "does the result move than for one use?",
        ),
        Slip(
            "One copy is as good as another",
            f"{_UNBROADCAST}        grad = grad[0]\n    for dim, size in enumerate(shape):\n"
            "        if size == 1:\n            grad = grad.narrow(dim, 0, 1)\n    return grad",
            "The shapes are right. You keep the gradient of the first copy and drop those of the "
            "others. Each copy is a path to the loss. What happens where paths meet?",
            misconception=5,
        ),
    ),
)


puzzles = puzzles_14.puzzles


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
to `logits`. It must work for logits of 1000, too. There `exp` overflows, unless you first subtract
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
        "What do they do that can't survive an exponent of 1000?",
        "Subtracting the same number from all logits of a row changes no probability. And ln(e / "
        "s) is the exponent minus ln(s), so you never have to take the logarithm of a probability "
        "that was rounded to 0.",
        "`z = logits - logits.max(dim=1, keepdim=True)[0]`, and then `log_p` is `z` minus the "
        "logarithm of the row sums of `z.exp()`.",
    ),
    because=(
        "Subtract the maximum, stay in logarithms, and take p minus one-hot for the gradient. "
        "It's what libraries do, too."
    ),
    probe=_cross_entropy,
    slips=(
        Slip(
            "Large logits don't occur",
            f"{_CROSS_ENTROPY}    e = logits.exp()\n    p = e / e.sum(dim=1, keepdim=True)\n"
            "    loss = -(p.log() * hot).sum() / len(targets)\n"
            "    return loss, (p - hot) / len(targets)",
            "For small logits both results are right. For a logit of 1000 your loss is `nan`: "
            "`exp(1000)` is `inf`, and `inf / inf` isn't a number. What can you subtract from all "
            "logits of a row without changing the probabilities?",
        ),
        Slip(
            "Shifting the logits is enough",
            f"{_CROSS_ENTROPY}    e = (logits - logits.max(dim=1, keepdim=True)[0]).exp()\n"
            "    p = e / e.sum(dim=1, keepdim=True)\n"
            "    loss = -(p.log() * hot).sum() / len(targets)\n"
            "    return loss, (p - hot) / len(targets)",
            "`exp` doesn't overflow any more, and your gradient is right. But a logit that's 1000 "
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
            "The loss is right. Your gradient is too large by a factor of 3 for three examples, "
            "and of 2 for two. The loss is a mean. What does that do to the gradient?",
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
