"""Lesson 06: backward from several outputs, and the vector it needs."""

from collections.abc import Iterator
from typing import Any

from minigrad.exercises.attempt import Attempt
from minigrad.exercises.exercise import Exercise, Observation, Slip
from minigrad.exercises.predictions import Explanation, Prediction

QUESTIONS = (
    Prediction(
        "06_r1",
        "Lesson 05. A tensor is used twice. When does its node pass its gradient on?",
        "once, when both gradients have arrived",
        {
            "once, when the first one arrives": "Then the second one never gets any further.",
            "at each arrival": "That's one visit per path, and there can be very many paths.",
            "once, when both gradients have arrived": "It waits, then passes on the sum.",
        },
    ),
    Prediction(
        "06_r2",
        "Lesson 03. y = 5 * x, and a gradient of 4 arrives at y. What's passed on to x?",
        "20",
        {
            "4": "An addition would pass it on as it is.",
            "5": "That's the local slope. Upstream times local, please.",
            "20": "Upstream times local, 4 × 5.",
        },
    ),
    Prediction(
        "06_r3",
        "Lesson 00. tanh is close to 1, so the neuron is saturated. What about its slopes?",
        "they're almost 0",
        {
            "they're almost 1": "The value is. How steep is tanh out there?",
            "they're almost 0": "tanh is nearly flat there.",
            "they're large": "The curve is steepest around 0, not far out.",
        },
    ),
    Prediction(
        "06_p1",
        "Three numbers go in, two come out. How many slopes are there to find?",
        "6",
        {
            "2": "One per output? Each output can react to several inputs.",
            "3": "One per input? Each input can move several outputs.",
            "5": "Not one per number, but one per pair of an output and an input.",
            "6": "One for each pair of an output and an input.",
        },
    ),
    Prediction(
        "06_p2",
        "g(x)[0].backward() starts from the first output. What does it put into x.grad?",
        "(2, 1, 0)",
        {
            "(2, 0)": "That's the first column. x.grad has the shape of x, three places.",
            "(2, 1, 0)": "How y0 reacts to each of the three inputs.",
            "(2, 2, 5)": "Those are both rows, added. The second output isn't involved.",
            "an error, as before": "g(x)[0] is a single number.",
        },
    ),
    Prediction(
        "06_p3",
        "g(x).backward(torch.tensor([10.0, 1.0])): what's in x.grad?",
        "(20, 11, 5)",
        {
            "(2, 2, 5)": "That's both rows with weight 1. What are the 10 and the 1 for?",
            "(20, 10, 0)": "That's ten times the first row. The second one has weight 1, not 0.",
            "(20, 11, 5)": "Ten times the first row, plus the second.",
            "an error: x has three entries": "It has. But the weights belong to the outputs.",
        },
    ),
    Prediction(
        "06_p4",
        "x has three entries, g(x) has two. What does g(x).backward(torch.ones(3)) do?",
        "it raises an error",
        {
            "it adds the rows": "For that it needs one weight per row. How many rows are there?",
            "it uses the first two ones": "It doesn't guess.",
            "it raises an error": "Two outputs, three weights.",
        },
    ),
    Prediction(
        "06_p5",
        "The slopes of the three losses are 2, -4 and -18. What does v = (1, 1, 1) find?",
        "-20",
        {
            "-20": "Their sum.",
            "-6.67": "That's the mean. Ones add, they don't divide.",
            "2, -4 and -18": "w.grad is one number, because w is.",
            "-18": "Nothing picks out the largest.",
        },
    ),
    Prediction(
        "06_p6",
        "Which of the three lines will x.grad repeat?",
        "v * 2 * x",
        {
            "2 * x": "That would be v = ones.",
            "v": "v is where it starts. Then come the slopes.",
            "v * 2 * x": "Upstream times local, entry by entry.",
        },
    ),
    Explanation(
        "06_explain",
        "A tutorial says: 'If y is not a scalar, pass a vector of random numbers to backward().' "
        "Correct it in two sentences.",
        "The vector has one entry for each entry of y, and says how much the final loss grows when "
        "that entry grows: it's the upstream gradient. Random numbers give the gradient of a "
        "randomly weighted sum, which is rarely what you want to know.",
        ("one entry for each output", "it's the upstream gradient, or the weights of a loss"),
    ),
)

questions = Exercise(
    id="06_questions",
    title="Ask the right question",
    prompt="""
**5 minutes.** A program computes `y` with three entries from `x`. Which `v` must you give to
`y.backward(v)`, so that `x.grad` becomes the gradient of

1. the loss $L = 2\\,y_0 + 10\\,y_1$,
2. the mean of the three entries,
3. the last entry alone?
""",
    starter="\n".join(f"v_for_{what} = [..., ..., ...]" for what in ("loss", "mean", "last")),
    answers=("v_for_loss", "v_for_mean", "v_for_last"),
    solutions=(
        "v_for_loss = [2, 10, 0]\nv_for_mean = [1 / 3, 1 / 3, 1 / 3]\nv_for_last = [0, 0, 1]",
    ),
    hints=(
        "What does each entry of `v` say? Look at the section with the 10 and the 1.",
        "$v_i$ is how much the number you care about grows when $y_i$ grows by 1.",
        "When $y_0$ grows by 1, $L$ grows by 2. And when $y_2$ does? And the mean?",
    ),
    because="$v_i = \\partial L / \\partial y_i$, the upstream gradient.",
    slips=(
        Slip(
            "An output that isn't mentioned counts once",
            "v_for_loss = [2, 10, 1]\nv_for_mean = [1 / 3, 1 / 3, 1 / 3]\nv_for_last = [0, 0, 1]",
            "In `v_for_loss` the last entry is 1, so $y_2$ gets a weight of its own. But $L$ "
            "doesn't contain it. If $y_2$ grows by 1, how much does $L$ grow?",
        ),
        Slip(
            "Ones ask for the mean",
            "v_for_loss = [2, 10, 0]\nv_for_mean = [1, 1, 1]\nv_for_last = [0, 0, 1]",
            "Ones ask for the *sum*, so your gradient for the mean is three times too large. If "
            "one entry grows by 1, how much does the mean of three grow?",
            when=lambda seen: seen["`v_for_mean`"] == [1, 1, 1],
        ),
        Slip(
            "Any vector will do",
            "v_for_loss = [0.1, 1.0, 0.0001]\nv_for_mean = [1 / 3] * 3\nv_for_last = [0, 0, 1]",
            "Your `v_for_loss` is the gradient of some weighted sum, but not of $L$. Read the two "
            "weights off the formula for $L$. Which entry of `y` does each belong to?",
            misconception=4,
            when=lambda seen: seen["`v_for_loss`"] in ([0.1, 1, 0.0001], [1, 1, 1]),
        ),
    ),
)

_J = "torch.tensor([[1.0, 2.0], [3.0, 4.0]])"

by_hand = Exercise(
    id="06_by_hand",
    title="A product on paper",
    prompt="""
**5 minutes.** `y` has two entries and `x` has two. The Jacobian is

$$J = \\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}.$$

What does `y.backward(torch.tensor([10.0, 1.0]))` store in `x.grad`?
""",
    starter="x_grad = [..., ...]",
    answers=("x_grad",),
    solutions=("x_grad = [13, 24]", f"x_grad = torch.tensor([10.0, 1.0]) @ {_J}"),
    hints=(
        "Does `v` weigh the rows of $J$ or its columns? The 2 × 3 table tells you.",
        "$v^{\\mathsf T} J$ takes each *row* as often as its entry of `v` says, and adds.",
        "Ten times the first row is (10, 20). Now the second row, and its weight.",
    ),
    because="10 × (1, 2) + 1 × (3, 4).",
    slips=(
        Slip(
            "J times v",
            f"x_grad = {_J} @ torch.tensor([10.0, 1.0])",
            "You computed $J v$: each row times `v`, which weighs the *columns*. Backward goes "
            "from the outputs to the inputs. Which of the two does `v` belong to?",
        ),
        Slip(
            "The rows are added",
            "x_grad = [4, 6]",
            "You added the rows as they are. That's what ones would ask for. How often should the "
            "first row count?",
            misconception=4,
        ),
        Slip(
            "v picks a row",
            "x_grad = [10, 20]",
            "You took ten times the first row. The second row has a weight, too. What's missing?",
        ),
    ),
)


def _crosswise(torch: Any, x: Any) -> Any:
    return torch.stack([x[0] * x[1], x[1] + 5 * x[2]])


def _cubes(torch: Any, x: Any) -> Any:
    return torch.stack([x[0] ** 3, x[0] * x[1], 7 * x[1]])


def _matrices(attempt: Attempt) -> Iterator[Observation]:
    whole, torch = attempt.function("whole_jacobian"), attempt.torch
    tried = [(_crosswise, [1.0, 2.0, 3.0]), (_cubes, [2.0, -1.0])]
    tried += [(_crosswise, attempt.drawn(3)), (_cubes, attempt.drawn(2))]
    library, called = torch.autograd.functional, []
    jacobian = library.jacobian

    def noted(*arguments: Any, **named: Any) -> Any:
        called.append(True)
        return jacobian(*arguments, **named)

    library.jacobian = noted
    try:
        for f, values in tried:
            x = torch.tensor(values, requires_grad=True)
            found = whole(lambda x, f=f: f(torch, x), x)
            shape = "2 × 3" if f is _crosswise else "3 × 2"
            yield f"At `x = {values}` your {shape} Jacobian", found
    finally:
        library.jacobian = jacobian
    yield "The help of the library", bool(called)


def _whole(row: str, end: str = "torch.stack(rows)", over: str = "torch.eye(len(f(x)))") -> str:
    return f"""def whole_jacobian(f, x):
    rows = []
    for v in {over}:
        {row}
    return {end}"""


_BACK = "f(x).backward(v)\n        rows.append({})"

rebuild = Exercise(
    id="06_rebuild",
    title="Rebuild the Jacobian",
    prompt="""
**20 minutes.** Write `whole_jacobian(f, x)`. It returns the whole matrix as a tensor, with one row
for each output of `f` and one column for each entry of `x`, put together from vector-Jacobian
products. `f` returns a vector, and `x` requires grad. It's called several times, with other
functions and other numbers of inputs and outputs.
""",
    starter="def whole_jacobian(f, x):\n    ...",
    answers=("whole_jacobian",),
    solutions=(
        _whole("x.grad = None\n        f(x).backward(v)\n        rows.append(x.grad)"),
        _whole("rows.append(torch.autograd.grad(f(x), x, v)[0])"),
        """
def whole_jacobian(f, x):
    rows = []
    for i in range(len(f(x))):
        x.grad = None
        f(x)[i].backward()
        rows.append(x.grad.tolist())
    return torch.tensor(rows)
""",
    ),
    hints=(
        "Which loop in this lesson found both rows of `g`? What has to change for any `f`?",
        "One pass gives one row. How many passes, and what must happen to `x.grad` between them?",
        "Collect the rows in a list. `torch.stack(rows)` makes a matrix of them.",
    ),
    because="One backward pass for each output. Libraries call this reverse-mode `jacobian`.",
    probe=_matrices,
    slips=(
        Slip(
            "Each pass starts from zero",
            _whole(_BACK.format("x.grad.clone()")),
            "Your first row is right, and each later row contains the ones above it: (2, 2, 5) "
            "instead of (0, 1, 5). `backward()` adds to `x.grad`. What's missing between two "
            "passes?",
            misconception=2,
        ),
        Slip(
            "A list keeps what was put in",
            _whole(_BACK.format("x.grad")),
            "All your rows are equal. You put `x.grad` itself into the list each time, and it's "
            "one tensor that changes in place. Give each pass an empty `.grad`, so that it makes a "
            "new tensor.",
            misconception=2,
        ),
        Slip(
            "One pass per input",
            _whole(
                "x.grad = None\n        f(x).backward(v)\n        rows.append(x.grad)",
                over="torch.eye(len(x))",
            ),
            "It stopped with *Mismatch in shape*. Your `v` is as long as `x`, and it needs an "
            "entry for each *output*. With as many inputs as outputs you wouldn't have noticed.",
            misconception=4,
        ),
        Slip(
            "Rows are columns",
            _whole(
                "x.grad = None\n        f(x).backward(v)\n        rows.append(x.grad)",
                end="torch.stack(rows).T",
            ),
            "Your matrix lies on its side: 3 × 2 where 2 × 3 is asked for. A row for each output, "
            "a column for each input. What does one backward pass find?",
        ),
        Slip(
            "The graph can be used again",
            "def whole_jacobian(f, x):\n    y, rows = f(x), []\n    for v in torch.eye(len(y)):\n"
            "        x.grad = None\n        y.backward(v)\n        rows.append(x.grad)\n"
            "    return torch.stack(rows)",
            "The second pass stopped with *Trying to backward through the graph a second time*. "
            "The first one had freed what the multiplications saved (lesson 08). Compute `f(x)` "
            "again for each row.",
            misconception=3,
        ),
        Slip(
            "The library has it",
            "def whole_jacobian(f, x):\n    return torch.autograd.functional.jacobian(f, x)",
            "Right, and in your own programs use it. Now without: it does the same as the loop "
            "you'd write, one backward pass for each output.",
            accepted=True,
        ),
    ),
)
