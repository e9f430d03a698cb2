"""What the panel says of a node and of a tensor."""

import pytest

from minigrad.viz import draw
from minigrad.viz.details import details
from minigrad.viz.rules import RULES


def about(drawing, title):
    """The panel with this title, as a dict."""
    (found,) = [
        panel
        for part, panel in details(drawing.snapshot).items()
        if panel["title"] == title and not panel["rows"][0][1].startswith("adds")
    ]
    return dict(found["rows"])


def test_a_leaf_before_and_after_backward(torch):
    x = torch.tensor([[1.0, 2.0]], requires_grad=True)
    y = (x * 3).sum()
    assert about(draw(y), "x") == {
        "kind": "leaf",
        "dtype": "float32",
        "shape": "[1, 2]",
        "value": "[[1, 2]]",
        "requires_grad": "True",
        "grad": "None: nothing has arrived yet",
    }
    y.backward()
    assert about(draw(y), "x")["grad"] == "[[3, 3]], stored"
    x.grad.zero_()
    assert about(draw(y), "x")["grad"] == "[[0, 0]], stored: zero everywhere"
    assert about(draw(y), "y")["grad"].startswith("not kept: call retain_grad()")


def test_an_operation_and_what_it_keeps(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3
    z = y.exp()
    assert about(draw(z), "MulBackward0") == {
        "kind": "operation",
        "inputs": "x, no grad",
        "gives": "y: float32 [2] = [3, 6]",
        "saved other": "held: 3",
        "result": "self * other",
        "grad of self": "grad * other",
        "grad of other": "grad * self",
    }
    z.sum().backward()
    assert about(draw(z), "ExpBackward0")["saved result"] == "freed"
    u = y.exp()
    u.add_(1)
    assert "modified" in about(draw(u), "ExpBackward0")["saved result"]


def test_an_operation_without_a_rule_says_so(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    assert "none is written down" in about(draw(x.cumsum(0)), "CumsumBackward0")["rule"]


FUNCTIONS = ["exp", "log", "sqrt", "sin", "cos", "tanh", "sigmoid", "relu", "abs", "sign"]
SETTINGS = {"dim": 0, "dims": (1, 0), "shape": (2, 2), "alpha": 1, "exponent": 3.0, "other": 2.0}
INPUTS = {
    "self": [[0.5, 1.5], [2.0, 0.25]],
    "other": [[1.0, 3.0], [0.5, 2.0]],
    "mat2": [[1.0, 3.0], [0.5, 2.0]],
    "vec": [1.0, 2.0],
    "tensor": [3.0, 4.0],
    "exponent": [[1.0, 3.0], [0.5, 2.0]],
}
VECTORS = {"DotBackward0": {"self": [1.0, 2.0]}}


@pytest.mark.parametrize("name", sorted(RULES))
def test_each_rule_is_what_the_engine_does(torch, name):
    """The formulas run: the forward one records this node, the others give its gradients."""
    rule = RULES[name]
    values = INPUTS | VECTORS.get(name, {})
    inputs = {
        word: torch.tensor(values[word], dtype=torch.float64, requires_grad=True)
        for word in rule.backward
    }
    scope = SETTINGS | {word: getattr(torch, word) for word in FUNCTIONS} | inputs
    result = eval(rule.forward, scope)
    assert result.grad_fn.name() == name
    grad = torch.arange(1.0, 1 + result.numel(), dtype=torch.float64).reshape(result.shape)
    result.backward(grad)
    for word, formula in rule.backward.items():
        if "," not in formula:  # else it is said in words
            expected = eval(formula, scope | {"grad": grad, "result": result})
            assert torch.allclose(inputs[word].grad, expected), (word, formula)
