"""Lesson 21: what it asks, a loss without padding, attention, leaks, and temperature."""

from collections.abc import Iterator
from typing import Any

from minigrad.exercises.attempt import Attempt
from minigrad.exercises.exercise import Exercise, Observation, Slip
from minigrad.exercises.predictions import Explanation, Prediction

QUESTIONS = (
    Prediction(
        "21_r1",
        "Lesson 20. b is used twice. When may your engine run the rule of the node that made b?",
        "when both gradients have arrived and been added",
        {
            "as soon as one gradient arrives": "Then it would pass on only a part of the sum.",
            "when both gradients have arrived and been added": "It counts, waits, and runs once.",
            "at any time: the order doesn't matter": "If it runs too early, a part is missing.",
        },
    ),
    Prediction(
        "21_r2",
        "Lesson 18. Which argument records the backward pass, so you can differentiate a gradient?",
        "create_graph=True",
        {
            "retain_graph=True": "That keeps what the forward pass saved, but it records nothing.",
            "create_graph=True": "The gradient it returns has a graph of its own.",
            "requires_grad=True": "That makes a leaf track its gradient, not the backward pass.",
        },
    ),
    Prediction(
        "21_r3",
        "Lesson 15. Why do you hold out some of the data?",
        "to test the network on data it wasn't trained on",
        {
            "to make training faster": "It hardly does. What's special about this data?",
            "to test the network on data it wasn't trained on": "A low training loss can come from "
            "learning by heart.",
            "to compute gradients on it": "Then it would be training data.",
        },
    ),
    Prediction(
        "21_p1",
        "With four letters of memory, what share of the held-out letters follows a group that was "
        "never counted?",
        "about a quarter",
        {
            "almost none": "With one letter, yes. How many groups of four letters are there?",
            "about a tenth": "That's closer to the share for three letters.",
            "about a quarter": "There are many more groups of four than words in the list.",
            "nearly all": "It isn't that bad, because many words share beginnings and endings.",
        },
    ),
    Prediction(
        "21_p2",
        "A model has no opinion and gives all 27 letters the same logit. What's its loss?",
        "about 3.3",
        {
            "0": "That takes a probability of 1 for the right letter.",
            "about 1": "That takes a probability of 0.37. What does each letter get here?",
            "about 3.3": "Each letter gets 1/27, and -log(1/27) is log 27.",
            "27": "That's how many letters there are. The loss is a logarithm.",
        },
    ),
    Prediction(
        "21_p3",
        "The batch is just the word cat. How many of the table's 27 rows get a gradient that isn't "
        "0?",
        "4",
        {
            "3": "c, a and t. Which row is looked up at the beginning of the input?",
            "4": "Those are the rows that were looked up, for the dot and three letters.",
            "9": "All 9 places look up a row. Are these 9 different rows?",
            "27": "What in the loss depends on the rows that weren't looked up?",
        },
    ),
    Prediction(
        "21_p4",
        "You multiply a vector by 10 before the layer norm. What happens to the result?",
        "it stays the same",
        {
            "it's 10 times as large": "What happens to the number it's divided by?",
            "it's a tenth as large": "The vector grows, and so does its standard deviation.",
            "it stays the same": "The standard deviation grows by the same factor.",
        },
    ),
    Prediction(
        "21_p5",
        "Without the mask: what's the loss on held-out words after 100 steps?",
        "almost 0",
        {
            "about 3.3": "More information can be ignored, so why should it do worse?",
            "about 2.3, as with the mask": "Each place sees the others. What's in the next place?",
            "almost 0": "The answer is in the input, and the model looks it up.",
        },
    ),
    Prediction(
        "21_p6",
        "What kind of words does this model write?",
        "useless",
        {
            "better than before": "When it writes, is there a next letter to look at?",
            "words from the list": "For those, it would have to know what comes next.",
            "useless": "It learned to copy the next letter, and now there is none.",
        },
    ),
    Prediction(
        "21_p7",
        "The query weights are 1,000 times as large. What happens to their gradient?",
        "it shrinks",
        {
            "it grows": "The scores grow. What does softmax do with large scores?",
            "it stays about the same": "What were the slopes of scores × 30 in the bench?",
            "it shrinks": "The softmax is saturated, so its slopes are close to 0.",
        },
    ),
    Prediction(
        "21_p8",
        "We repeat the training without attention. Where does the held-out loss end?",
        "a little higher than with attention",
        {
            "near 3.3": "It still knows the last letter, as the bigram model did.",
            "a little higher than with attention": "The last letter and the place tell a lot.",
            "at the same value": "Then the earlier letters wouldn't help at all.",
            "lower": "With so little data, that could happen. Here the earlier letters do help.",
        },
    ),
    Explanation(
        "21_explain",
        "A colleague asks: 'When the model writes, there's no future to look at. So why does it "
        "need a mask?' What do you say?",
        "The mask is for training. There the whole word goes in at once, so the letter that a "
        "place has to guess is in the input, one place further on. Without the mask, the model "
        "learns to copy that letter, and when it writes, there's nothing to copy.",
        (
            "in training the whole word is in the input",
            "without a mask the model copies the answer",
            "when it writes, there's nothing to copy",
        ),
    ),
)


def _letter_loss(attempt: Attempt) -> Iterator[Observation]:
    function, torch = attempt.function("letter_loss"), attempt.torch

    def letter_loss(*given: Any) -> Any:
        return attempt.checked_tensor(function(*given), "What `letter_loss` returns")

    even = torch.zeros(1, 4, 3, requires_grad=True)
    asked = torch.tensor([[0, 1, -1, -1]])
    yield "with equal logits for 3 letters, the loss", letter_loss(even, asked)
    places = attempt.random.integers(0, 3, 4).tolist()
    targets = torch.tensor([places[:3], [places[3], -1, -1]])
    logits = torch.tensor(attempt.drawn(6, 3)).reshape(2, 3, 3).requires_grad_()
    loss = letter_loss(logits, targets)
    yield "for drawn logits, the loss", loss
    yield "the claim that the loss has a graph", loss.requires_grad
    if loss.requires_grad and loss.ndim == 0:
        name = loss.grad_fn.name()
        attempt.run("`backward()`", loss.backward)
        yield "the gradient of the logits", logits.grad
        yield "the claim that the library did it", name.startswith("NllLoss")


_LOSS = """
def letter_loss(logits, targets):
    asked = targets >= 0
    logs = torch.log_softmax(logits, dim=2)
    picked = logs.gather(2, targets.clamp(min=0).unsqueeze(2)).squeeze(2)
    return -picked[asked].mean()
"""
_RESULT = "-picked[asked].mean()"

loss = Exercise(
    id="21_loss",
    title="A loss without the padding",
    prompt="""
**12 minutes.** Write `letter_loss(logits, targets)` without `cross_entropy`. `logits` has the shape
[words, places, letters], and `targets` has [words, places]. Return the mean of $-\\log p$, where
$p$ is the probability of the right letter, over all places that have a target. Where the target is
−1, the place must count neither in the sum nor in the number you divide by.
""",
    starter="def letter_loss(logits, targets):\n    ...",
    answers=("letter_loss",),
    solutions=(
        "def letter_loss(logits, targets):\n    asked = targets >= 0\n"
        "    rows, right = logits[asked], targets[asked]\n"
        "    logs = torch.log_softmax(rows, dim=1)\n"
        "    return -logs[torch.arange(len(right)), right].mean()",
        _LOSS.strip(),
    ),
    hints=(
        "Logits become probabilities, one of them is picked at each place, and the places with a "
        "target are averaged. Which of these do you know from lesson 14?",
        "`targets >= 0` is a table of True and False, and you can index with it. What shape does "
        "`logits[targets >= 0]` have?",
        "`logits[asked]` and `targets[asked]` have one row and one number for each place that "
        "counts. `[torch.arange(n), right]` picks one entry from each of n rows.",
    ),
    because="Padding isn't counted anywhere, so its logits get a gradient of exactly 0.",
    probe=_letter_loss,
    slips=(
        Slip(
            "Padding counts as a place",
            _LOSS.replace(_RESULT, "-(picked * asked).sum() / targets.numel()").strip(),
            "You leave the padding out of the sum, and then you divide by the number of *all* "
            "places. With equal logits and two questions in four places, that gives half of log 3. "
            "How many places have a target?",
        ),
        Slip(
            "-1 is an index like any other",
            _LOSS.replace("targets.clamp(min=0)", "(targets % 3)")
            .replace(_RESULT, "-picked.mean()")
            .strip(),
            "Your mean includes the padding, where −1 was taken for a letter: as an index, it "
            "means the last one. So the model is trained to say that letter after the end of a "
            "word, and "
            "no error tells you. Which rows should you drop before you index?",
        ),
        Slip(
            "Softmax over the places",
            _LOSS.replace("dim=2", "dim=1").strip(),
            "Your probabilities add up to 1 over the *places* of a word. With equal logits for 3 "
            "letters at 4 places you get log 4, not log 3. Which dimension holds the letters?",
            misconception=20,
        ),
        Slip(
            "Each word weighs the same",
            _LOSS.replace(
                _RESULT, "-((picked * asked).sum(dim=1) / asked.sum(dim=1)).mean()"
            ).strip(),
            "You average within each word first, and then over the words. So a letter of a short "
            "word weighs more than one of a long word. When should you divide, and by what?",
        ),
        Slip(
            "The library does it",
            "def letter_loss(logits, targets):\n    rows = logits.flatten(0, 1)\n"
            "    entropy = torch.nn.functional.cross_entropy\n"
            "    return entropy(rows, targets.flatten(), ignore_index=-1)",
            "Right, but `cross_entropy` did the work, and the task was to do without it. Can you "
            "get the same number from `log_softmax` and an index?",
            accepted=True,
        ),
    ),
)


def _nearby(attempt: Attempt) -> Iterator[Observation]:
    function, torch = attempt.function("nearby_attention"), attempt.torch
    zeros, values = torch.zeros(1, 4, 1), torch.tensor([[[1.0], [2.0], [4.0], [8.0]]])
    even = function(zeros, zeros, values, 2)
    what = "with equal scores, the values 1, 2, 4, 8 and `window=2`, the result"
    yield what, attempt.checked_tensor(even, "What `nearby_attention` returns")
    drawn = [torch.tensor(attempt.drawn(5, 2)).unsqueeze(0) for _ in range(3)]
    yield "for drawn vectors and `window=3`, the result", function(*drawn, 3)


_NEARBY = """
def nearby_attention(q, k, v, window):
    place = torch.arange(q.shape[1])
    back = place.unsqueeze(1) - place
    hidden = (back < 0) | (back >= window)
    scores = q @ k.transpose(1, 2) / q.shape[2] ** 0.5
    weights = torch.softmax(scores.masked_fill(hidden, -torch.inf), dim=2)
    return weights @ v
"""

nearby = Exercise(
    id="21_nearby",
    title="Attention in a window",
    prompt="""
**20 minutes.** In a long text, looking at everything is expensive, so many models let each place
look only at itself and at a few places before it. Write `nearby_attention(q, k, v, window)`. All
three tensors have the shape [words, places, d]. Each place looks at `window` places, itself and the
`window - 1` before it. (Near the beginning there are fewer.) Scale the scores by $1/\\sqrt d$, and
return a tensor of shape [words, places, d].

To test it, make `q` and `k` all zeros. Then each result is the plain mean of the values in its
window.
""",
    starter="def nearby_attention(q, k, v, window):\n    ...",
    answers=("nearby_attention",),
    solutions=(
        _NEARBY.strip(),
        "def nearby_attention(q, k, v, window):\n    ones = torch.ones(q.shape[1], q.shape[1])\n"
        "    seen = ones.tril() - ones.tril(-window)\n"
        "    scores = q @ k.mT / q.shape[-1] ** 0.5 + seen.log()\n"
        "    return torch.softmax(scores, dim=-1) @ v",
    ),
    hints=(
        "The step-by-step cell has everything but the window, for one word. What has to change for "
        "several words, and which scores have to be hidden as well?",
        "For row i and column j, `i - j` says how far back j lies. Which values of it are allowed? "
        "`torch.arange` and `unsqueeze` make the whole table at once.",
        "`place.unsqueeze(1) - place` is that table. Hide where it's negative and where it's too "
        "large, then go on with `masked_fill` and `softmax` as in the cell.",
    ),
    because="This is called sliding-window attention. The weights add up to 1 over each window, "
    "even at the beginning, where there's less to see.",
    probe=_nearby,
    slips=(
        Slip(
            "A window has two sides",
            _NEARBY.replace("back < 0", "back <= -window").strip(),
            "Your window reaches forward as well as back. With the values 1, 2, 4, 8 and a window "
            "of 2, place 0 should get 1, its own value, and yours has some of the 2 in it. How do "
            "you tell a place in the future from one in the past?",
        ),
        Slip(
            "The place itself isn't counted",
            _NEARBY.replace("back >= window", "back > window").strip(),
            "Your window is one place too long: `window` places back *and* the place itself. With "
            "`window=2`, place 2 should average 2 and 4. How far back may the farthest one be?",
        ),
        Slip(
            "Masking can wait until after softmax",
            _NEARBY.replace("scores.masked_fill(hidden, -torch.inf), dim=2)", "scores, dim=2)")
            .replace("weights @ v", "(weights * ~hidden) @ v")
            .strip(),
            "You set weights to 0 after the softmax, so what's left adds up to less than 1. With "
            "four equal scores, place 0 gets a weight of 0.25 instead of 1. What could you do to "
            "the *scores*, so that softmax itself makes the zeros?",
        ),
        Slip(
            "The scale doesn't matter",
            _NEARBY.replace(" / q.shape[2] ** 0.5", "").strip(),
            "With equal scores your results are right, but with drawn vectors they aren't. Your "
            "scores are too large, so your softmax is too sharp. What are they divided by?",
        ),
    ),
)


def _peeks(attempt: Attempt) -> Iterator[Observation]:
    peeks, torch = attempt.function("peeks"), attempt.torch
    h = torch.tensor(attempt.drawn(4, 2))

    def mixing(row: int = 0, column: int = 0) -> Any:
        table = torch.ones(4, 4).tril()
        table[row, column] = 1.0
        return lambda h: torch.tanh(0.1 * (table @ h))

    def two_leaks(h: Any) -> Any:
        return h + torch.stack([h[2, 0] - h[2, 1], *[0.0 * h[0, 0]] * 7]).reshape(4, 2)

    row = int(attempt.random.integers(0, 3))
    models = [
        ("a masked model", mixing()),
        ("a model that looks one place ahead", mixing(row, row + 1)),
        ("a model that looks three places ahead", mixing(0, 3)),
        ("a model whose places see only themselves", lambda h: h * 2),
        ("a model with two leaks of opposite signs", two_leaks),
    ]
    for index in attempt.random.permutation(len(models)):
        name, model = models[index]
        yield f"for {name}, `peeks`", bool(peeks(model, h.clone()))


_PEEKS = """
def peeks(model, h):
    h = h.clone().requires_grad_()
    out = model(h)
    for place in range(len(h) - 1):
        (gradient,) = torch.autograd.grad(out[place].sum(), h, retain_graph=True)
        if gradient[place + 1 :].abs().max() > 0:
            return True
    return False
"""

peeking = Exercise(
    id="21_peeks",
    title="The experiment that exposes a leak",
    prompt="""
**20 minutes.** Write `peeks(model, h)`. `h` has one vector per place and the shape [places, d]. It
doesn't require grad. `model(h)` returns a tensor of the same shape. Return `True` if the output at
any place depends on `h` at a *later* place, and `False` if it doesn't.

You can't look into the model, so find out with gradients, or with anything else that works. `check`
tries your function on models with leaks and without. Some leaks are well hidden.
""",
    starter="def peeks(model, h):\n    ...\n    return False",
    answers=("peeks",),
    solutions=(
        _PEEKS.strip(),
        "def peeks(model, h):\n    for place in range(1, len(h)):\n        other = h.clone()\n"
        "        other[place, 0] += 1.0\n"
        "        if not torch.equal(model(other)[:place], model(h)[:place]):\n"
        "            return True\n    return False",
    ),
    hints=(
        "Take one place of the output, such as place 0. Which rows of `h` may it depend on, and "
        "which numbers tell you whether it does?",
        "One backward pass per place of the output shows everything that this place depends on. "
        "Look at the rows of the gradient that belong to later places.",
        "In a loop: `torch.autograd.grad(out[place].sum(), h, retain_graph=True)`, then look at "
        "`gradient[place + 1 :]`. `h` must require grad.",
    ),
    because="If a place uses something, there's usually a slope. So you can test any model that "
    "you can call, however large it is.",
    probe=_peeks,
    slips=(
        Slip(
            "One backward pass for all places",
            "def peeks(model, h):\n    h = h.clone().requires_grad_()\n"
            "    (gradient,) = torch.autograd.grad(model(h).sum(), h)\n"
            "    return bool(gradient[1:].abs().max() > 0)",
            "You return `True` even for a model whose places see only themselves. The slopes you "
            "look at include those between a place and itself, which are allowed. Ask about "
            "one place of the output at a time. Which rows of the gradient must then be 0?",
        ),
        Slip(
            "A leak is always next door",
            _PEEKS.replace("place + 1 :", "place + 1").strip(),
            "You find the model that looks one place ahead, but miss the one that looks three "
            "places ahead. Which rows of the gradient belong to later places?",
        ),
        Slip(
            "Slopes can be added up",
            _PEEKS.replace(".abs().max() > 0", ".sum().abs() > 1e-6").strip(),
            "You miss the model with two leaks of opposite signs: you added up the slopes, and "
            "they cancel. A leak is any slope that isn't 0. What could you do before adding?",
        ),
    ),
)


def _temperature(attempt: Attempt) -> Iterator[Observation]:
    function, torch = attempt.function("next_probabilities"), attempt.torch
    for heat in (1.0, 0.5):
        found = function(torch.tensor([2.0, 1.0, 0.0]), heat)
        yield f"for the logits 2, 1, 0 at temperature {heat}, the result", found
    drawn = torch.tensor(attempt.drawn(5))
    yield "for drawn logits at temperature 2, the result", function(drawn, 2.0)


_HEAT = "def next_probabilities(logits, temperature):\n    "

temperature = Exercise(
    id="21_temperature",
    title="Temperature",
    prompt="""
**6 minutes.** Write `next_probabilities(logits, temperature)` for one vector of logits. It returns
the probabilities at that temperature. At 1 they're the softmax.
""",
    starter="def next_probabilities(logits, temperature):\n    ...",
    answers=("next_probabilities",),
    solutions=(
        f"{_HEAT}return torch.softmax(logits / temperature, dim=0)",
        f"{_HEAT}p = torch.softmax(logits, dim=0) ** (1 / temperature)\n    return p / p.sum()",
    ),
    hints=(
        "Softmax looks only at the differences between logits. What should happen to the "
        "differences between 2, 1 and 0 when the temperature is 0.5?",
        "Softmax makes probabilities out of any numbers, so change the numbers before it.",
        "One line with `torch.softmax(..., dim=0)`, and one operation on the logits in it.",
    ),
    because="A small temperature makes the differences larger, so likely letters gain.",
    probe=_temperature,
    slips=(
        Slip(
            "Higher temperature, larger logits",
            f"{_HEAT}return torch.softmax(logits * temperature, dim=0)",
            "You multiplied, so at 0.5 your probabilities are closer together than at 1. They "
            "should be further apart. How could a small number make differences larger?",
        ),
        Slip(
            "Probabilities can be divided",
            f"{_HEAT}return torch.softmax(logits, dim=0) / temperature",
            "You divided *after* the softmax, so at 0.5 your results add up to 2. If you scale "
            "them back to 1, the temperature has no effect. What if you divide before it?",
        ),
    ),
)
