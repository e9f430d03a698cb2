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
            "at each arrival": "That's one visit per path, and there can be a great many paths.",
            "once, when both gradients have arrived": "It waits, then passes on the sum.",
        },
    ),
    Prediction(
        "06_r2",
        "Lesson 03. y = 5 * x, and a gradient of 4 arrives at y. What's passed on to x?",
        "20",
        {
            "4": "An addition would pass it on as it is.",
            "5": "That's the local slope. It still has to be multiplied by what arrives.",
            "20": "Upstream times local, 4 × 5.",
        },
    ),
    Prediction(
        "06_r3",
        "Lesson 00. In tanh(x * w + b), the weight w is 0. What's the slope of x?",
        "0",
        {
            "0": "x is multiplied by 0 on its way to the result.",
            "the same as that of b": "Nothing scales b. What is x multiplied by?",
            "it depends on b": "b decides how steep tanh is. But what is x multiplied by?",
        },
    ),
    Prediction(
        "06_p1",
        "Three numbers go in, two come out. How many slopes are there to find?",
        "6",
        {
            "2": "One per output? Each output can react to several inputs.",
            "3": "One per input? Each input can move several outputs.",
            "5": "You added. Each of the three inputs can move each of the two outputs.",
            "6": "One for each pair of an output and an input.",
        },
    ),
    Prediction(
        "06_p2",
        "g(x)[0].backward() starts from the first output. What does it put into x.grad?",
        "(2, 1, 0)",
        {
            "(2, 0)": "That's the first column. But x.grad has the shape of x: three entries.",
            "(2, 1, 0)": "It says how y0 reacts to each of the three inputs.",
            "(2, 2, 5)": "Those are both rows, added. The second output isn't involved.",
            "an error, as before": "g(x)[0] is a single number.",
        },
    ),
    Prediction(
        "06_p3",
        "What does g(x).backward(torch.tensor([10.0, 1.0])) put into x.grad?",
        "(20, 11, 5)",
        {
            "(2, 2, 5)": "That's both rows with weight 1. What are the 10 and the 1 for?",
            "(20, 10, 0)": "That's ten times the first row. The second one has weight 1, not 0.",
            "(20, 11, 5)": "Ten times the first row, plus the second.",
            "an error: x has three entries": "True of x. But the weights belong to the outputs.",
        },
    ),
    Prediction(
        "06_p4",
        "x has three entries, g(x) has two. What does g(x).backward(torch.ones(3)) do?",
        "it raises an error",
        {
            "it adds the rows": "For that it needs one weight per row. How many rows are there?",
            "it uses the first two ones": "Then a v that's too long by mistake would go unnoticed.",
            "it raises an error": "Two outputs, three weights.",
        },
    ),
    Prediction(
        "06_p5",
        "The slopes of the three losses are 2, -4 and -18. What does v = (1, 1, 1) find?",
        "-20",
        {
            "-20": "Their sum.",
            "-6.67": "That's the mean. With ones, nothing is divided by 3.",
            "2, -4 and -18": "w is one number, so w.grad has room for one number.",
            "-18": "That's the last one alone. v has a 1 for all three.",
        },
    ),
    Prediction(
        "06_p6",
        "Which of the three lines will x.grad repeat?",
        "v * 2 * x",
        {
            "2 * x": "It would, if v were all ones.",
            "v": "That's where backward starts. What multiplies each entry on its way to x?",
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
**5 minutes.** A program computes `y` with three entries from `x`. Which `v` must you pass to
`y.backward(v)` so that `x.grad` becomes the gradient of

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
            "Your `v_for_loss` asks for the gradient of some weighted sum, but not of $L$. Read "
            "the two weights off the formula for $L$. Which entry of `y` does each belong to?",
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
**5 minutes.** `x` and `y` have two entries each. The Jacobian is

$$J = \\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}.$$

What does `y.backward(torch.tensor([10.0, 1.0]))` store in `x.grad`?
""",
    starter="x_grad = [..., ...]",
    answers=("x_grad",),
    solutions=("x_grad = [13, 24]", f"x_grad = torch.tensor([10.0, 1.0]) @ {_J}"),
    hints=(
        "Does `v` weigh the rows of $J$ or its columns? The 2 × 3 table tells you.",
        "$v^{\\mathsf T} J$ multiplies each *row* by its entry of `v`, and adds up the results.",
        "Ten times the first row is (10, 20). Now the second row, and its weight.",
    ),
    because="10 × (1, 2) + 1 × (3, 4).",
    slips=(
        Slip(
            "J times v",
            f"x_grad = {_J} @ torch.tensor([10.0, 1.0])",
            "You computed $J v$: each row times `v`, which weighs the *columns*. There's a row for "
            "each output and a column for each input. Which of the two does `v` belong to?",
        ),
        Slip(
            "The rows are added",
            "x_grad = [4, 6]",
            "You added the rows as they are. That's what ones would ask for. How much should the "
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
**20 minutes.** Write `whole_jacobian(f, x)`. It builds the whole Jacobian from vector-Jacobian
products and returns it as a tensor, with one row for each output of `f` and one column for each
entry of `x`. `f` returns a vector, and `x` requires grad. `check` tries several functions, with
different numbers of inputs and outputs.
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
            "one tensor that changes in place. What must `.grad` be before a pass, so that the "
            "pass makes a new tensor?",
            misconception=2,
        ),
        Slip(
            "One pass per input",
            _whole(
                "x.grad = None\n        f(x).backward(v)\n        rows.append(x.grad)",
                over="torch.eye(len(x))",
            ),
            "Your function stopped with *Mismatch in shape*. Your `v` is as long as `x`, and it "
            "needs an entry for each *output*. With a square Jacobian you wouldn't have noticed.",
            misconception=4,
        ),
        Slip(
            "Rows are columns",
            _whole(
                "x.grad = None\n        f(x).backward(v)\n        rows.append(x.grad)",
                end="torch.stack(rows).T",
            ),
            "Your matrix is 3 × 2 where 2 × 3 is asked for: its rows and columns are swapped. Does "
            "one backward pass find a row or a column?",
        ),
        Slip(
            "The graph can be used again",
            "def whole_jacobian(f, x):\n    y, rows = f(x), []\n    for v in torch.eye(len(y)):\n"
            "        x.grad = None\n        y.backward(v)\n        rows.append(x.grad)\n"
            "    return torch.stack(rows)",
            "The second pass stopped with *Trying to backward through the graph a second time*. "
            "The first one had freed what the multiplications saved (lesson 08). Where would you "
            "have to compute `f(x)`, so that each pass has a graph of its own?",
            misconception=3,
        ),
        Slip(
            "The library has it",
            "def whole_jacobian(f, x):\n    return torch.autograd.functional.jacobian(f, x)",
            "Right, and that's what to use in your own programs. Now try it without. The library "
            "runs the loop that you'd write: one backward pass for each output.",
            accepted=True,
        ),
    ),
)
