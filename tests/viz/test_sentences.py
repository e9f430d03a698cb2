"""What is said of an operation: in full, for small programs, and the same on both engines."""

from xml.etree import ElementTree

import pytest

from minigrad.viz.backward.recording import BackwardRecorder
from minigrad.viz.backward.steps import Steps
from minigrad.viz.draw.marks import NO_MARKS
from minigrad.viz.draw.sentences import Operation
from minigrad.viz.draw.text import Words
from minigrad.viz.read.snapshot import take_snapshot

NAMES = ["x", "w", "b", "v", "W", "D", "t", "y", "n"]


def variables(torch):
    """What every program can begin with, by name."""
    x, w = (torch.tensor(value, requires_grad=True) for value in (3.0, -2.0))
    v, b = (torch.tensor(value, requires_grad=True) for value in ([1.0, 2.0], [0.5, 0.5]))
    W = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], requires_grad=True)
    D, t = torch.ones(4, 3), torch.tensor([1.0, 0.0])
    return locals() | {"F": torch.nn.functional}


def operations(torch, program, backward=False, **more):
    """The operations behind y; backward: at the end of a recorded pass."""
    found = variables(torch) | more
    exec(program, found)
    named = [(name, found[name]) for name in NAMES if name in found]
    snapshot, marks = take_snapshot([found["y"]], named), NO_MARKS
    if backward:
        with BackwardRecorder([found["y"]], named=named) as recorder:
            found["y"].backward()
        steps = Steps(recorder.recording)
        steps.go(steps.last)
        snapshot, marks = steps.snapshot, steps.marks
    words = Words(snapshot)
    return [Operation(words, one, marks) for one in snapshot.nodes if one.kind == "operation"]


# ↓ stands for "what arrives".
BESIDE = {
    "y = x * 2": "y = x × 2, so x gets 2 times ↓.",
    "y = x + 1": "y = x + 1, so x gets ↓.",
    "y = 1 - x": "y = 1 − x, so x gets minus ↓.",
    "y = x / 4": "y = x ÷ 4, so x gets 1 ÷ 4 times ↓.",
    "y = x ** 2": "y = x², so x gets 2 × x times ↓.",
    "y = x * x": "y = x × x, so x gets x times ↓, twice.",
    "y = x / w": "y = x ÷ w, so x gets 1 ÷ w times ↓; w gets −x ÷ w² times ↓.",
    "y = x.tanh()": "y = tanh(x), so x gets (1 − y²) times ↓.",
    "y = (x * w).exp()": "y = exp(x × w), so x × w gets y times ↓.",
    "y = x.relu()": "y = relu(x), so x gets ↓ if y > 0 else 0.",
    "y = v.sum()": "y = v.sum(), so each entry of v gets ↓.",
    "y = v.mean()": "y = v.mean(), so each entry of v gets 1 ÷ 2 times ↓.",
    "y = W.mean(0)": "y = W.mean(…), so each entry of W gets 1 ÷ 3 times ↓, shape [3, 2].",
    "y = D @ W": "y = D @ W, so W gets Dᵀ @ ↓, shape [3, 2].",
    "y = W @ v": "y = W @ v, so W gets outer(↓, v), shape [3, 2]; v gets Wᵀ @ ↓.",
    "n = D @ W\ny = n + b": "y = n + b, so n gets ↓, shape [4, 2]; b gets ↓, summed to shape [2].",
    "y = v * x": "y = v × x, so v gets x times ↓; x gets v times ↓, summed.",
    "n = torch.ones(3)\ny = F.linear(D @ W, W, n)": "y = D @ W @ Wᵀ + data, "
    "so D @ W gets ↓ @ W, shape [4, 2]; Wᵀ gets (D @ W)ᵀ @ ↓, shape [2, 3].",
    "y = W.sum(0, True)": "y = W.sum(…), so each entry of W gets ↓, shape [3, 2].",
    "y = F.mse_loss(v, t, reduction='sum')": "y = mse_loss(v, t), so v gets 2 × (v − t) times ↓.",
    "y = F.mse_loss(v, t)": "y = mse_loss(v, t), so v gets 2 × (v − t) ÷ 2 times ↓.",
    "y = W.T": "y = Wᵀ, so W gets (↓)ᵀ, shape [3, 2].",
    "y = v.max()": "y = v.max(), so the entries of v that were chosen share ↓, the others get 0.",
    "y = torch.where(v > 1, v, b)": "y = v if the condition holds else b, so "
    "v gets ↓ if the condition holds else 0; b gets 0 if the condition holds else ↓.",
    "y = torch.cat([v, b, v])": "y = cat(v, b, v), so v gets its part of ↓, twice; "
    "b gets its part of ↓.",
    "y = v.softmax(0)": "y = v.softmax(…), so v gets y × (↓ − sum(↓ × y, …)).",
    "y = ((x * w + x).tanh() * w + x).tanh()": "y = tanh(… × w + x), so … × w + x gets "
    "(1 − y²) times ↓.",
}


@pytest.mark.parametrize(("program", "said"), BESIDE.items())
def test_what_is_said_beside_the_picture(torch, program, said):
    assert operations(torch, program)[-1].explanation == said.replace("↓", "what arrives")


POINTED_AT = {
    "y = x * 2": "1 arrives at ×. x gets 1 × 2 = 2.",
    "y = x * w": "1 arrives at ×. x gets 1 × w = 1 × −2 = −2; w gets 1 × x = 1 × 3 = 3.",
    "n = x * x\ny = n * n": "9 + 9 = 18 arrives at ×. x gets 18 × x = 18 × 3 = 54, twice.",
    "n = w * x\ny = n * n": "−6 − 6 = −12 arrives at ×. w gets −12 × x = −12 × 3 = −36; x gets "
    "−12 × w = −12 × −2 = 24.",
    "n = x.relu()\ny = n + n": "1 + 1 = 2 arrives at relu. x gets what arrives if n > 0 else 0: 2.",
    "n = x * 0.1\ny = n.tanh()": "0.9151 arrives at ×. x gets 0.9151 × 0.1 = 0.0915.",
    "y = v.mean()": "1 arrives at mean. Each entry of v gets 1 ÷ 2 = 0.5.",
    "n = v * x\ny = n.sum()": "[1, 1] arrives at ×. v gets [1, 1] × x = [1, 1] × 3 = [3, 3]; x "
    "gets v times what arrives, summed: 3.",
    "n = D @ W\ny = n.sum()": "A gradient of shape [4, 2] arrives at @. W gets dataᵀ @ what "
    "arrives, shape [3, 2].",
}


@pytest.mark.parametrize(("program", "said"), POINTED_AT.items())
def test_what_is_said_of_an_operation_that_is_pointed_at(torch, program, said):
    assert operations(torch, program, backward=True)[0].sentence == said


def test_beside_the_picture_numbers_follow_the_words(torch):
    (operation,) = operations(torch, "y = x * w", backward=True)
    assert operation.explanation == (
        "y = x × w, so x gets w times what arrives: 1 × w = 1 × −2 = −2; "
        "w gets x times what arrives: 1 × x = 1 × 3 = 3."
    )


def test_a_function_of_the_learner_is_called_by_its_name(torch):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, grad):
            return 3 * ctx.saved_tensors[0] ** 2 * grad

    (before,) = operations(torch, "y = Cube.apply(x)", Cube=Cube)
    (after,) = operations(torch, "y = Cube.apply(x)", backward=True, Cube=Cube)
    assert before.explanation == "y = Cube(x), so x gets what its backward returns. It keeps x."
    assert after.sentence == "1 arrives at Cube. x gets what its backward returns: 27."


def test_what_was_changed_since_is_not_taken_for_a_number_in_the_program(torch):
    program = "y = x * 2\ny.backward()\nwith torch.no_grad(): x += 1"
    (operation,) = operations(torch, program)
    assert operation.explanation == "y = x × a constant, so x gets a constant times what arrives."


def equations(operation):
    """The equations as text, without what only typesets them."""
    root = ElementTree.fromstring(operation.mathematics or "<math/>")
    return ["".join(row.itertext()) for row in root.iter("mtr")]


@pytest.mark.parametrize(
    ("program", "written"),
    [
        ("y = x * w", ["y=x·w", "∂y∂x=w", "∂y∂w=x"]),
        ("y = x * x", ["y=x·x", "∂y∂x=x+x"]),
        ("y = x.exp()", ["y=ex", "∂y∂x=y"]),
        ("y = v.sum()", ["y=∑v", "∂y∂v=1"]),
        ("n = D @ W\ny = n.sum()", ["n=D⁢W", "∂y∂W=DT⁢∂y∂n"]),
        ("y = D @ W", ["y=D⁢W", "∂ℒ∂W=DT⁢∂ℒ∂y"]),
        ("y = v.max()", []),
    ],
)
def test_mathematics_is_typeset_with_the_learners_names(torch, program, written):
    assert equations(operations(torch, program)[0]) == written


def test_names_with_markup_or_of_a_million_letters_do_no_harm(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    for name in ("<img src=x onerror=alert(1)>", "a'\"&b", "x" * 1_000_000, "a\nb"):
        words = Words(take_snapshot([y], [(name, x), ("y", y)]))
        operation = Operation(words, words.nodes["n1"])
        assert len(operation.explanation + operation.mathematics) < 1000
        assert "\n" not in operation.sentence
        ElementTree.fromstring(operation.mathematics)


def test_what_has_no_name_is_never_called_by_a_number_of_the_picture(torch):
    n0 = torch.tensor([3.0, 1.0], requires_grad=True)
    snapshot = take_snapshot([(n0 * n0).softmax(0)], [("n0", n0)])
    said = [Operation(Words(snapshot), node) for node in snapshot.nodes[1:]]
    assert [one.explanation for one in said] == [
        "The result is n0 × n0, so n0 gets n0 times what arrives, twice.",
        "The result is softmax(n0 × n0, …), so n0 × n0 gets "
        "softmax(n0 × n0, …) × (what arrives − sum(what arrives × softmax(n0 × n0, …), …)).",
    ]
    assert not any(name in one.mathematics for one in said for name in ("n1", "n2"))


def test_empty_tensors_and_numbers_that_are_none_raise_nothing(torch):
    for program in (
        "y = torch.ones(0, 3, requires_grad=True).mean(0)",
        "y = x.clamp(0, float('inf')) ** float('nan')",
        "y = x * float('nan') + float('inf')",
        "y = (x - x) / (x - x)",
        "y = v + x\ny.sum().backward()",
    ):
        for operation in operations(torch, program):
            assert operation.explanation
            assert operation.sentence
            ElementTree.fromstring(operation.mathematics or "<math/>")
