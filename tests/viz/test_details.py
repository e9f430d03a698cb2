"""What the panel says of a node and of a tensor."""

from minigrad.viz import draw
from minigrad.viz.draw.details import details


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
        "version": "0: never changed in place",
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
        "mathematics": "y = x ⊙ z; ∂L/∂x = g ⊙ z, ∂L/∂z = g ⊙ x",
        "its letters": "x is self, z is other, y the result, g = ∂L/∂y what arrives",
    }
    z.sum().backward()
    assert about(draw(z), "ExpBackward0")["saved result"] == "freed"
    u = y.exp()
    u.add_(1)
    assert "modified" in about(draw(u), "ExpBackward0")["saved result"]


def test_an_operation_without_a_rule_says_so(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    padded = torch.nn.functional.pad(x, (1, 1))
    assert "none is written down" in about(draw(padded), "ConstantPadNdBackward0")["rule"]
