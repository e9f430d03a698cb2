"""What the panel says of a node and of a tensor."""

from minigrad.viz import draw
from minigrad.viz.draw.details import details


def panel(drawing, title, detail="all"):
    """The panel with this title."""
    (found,) = [
        one
        for one in details(drawing.snapshot, detail=detail).values()
        if one["title"] == title and not one["rows"][0][1].startswith("adds")
    ]
    return found


def about(drawing, title, detail="all"):
    """Its rows, as a dict."""
    return dict(panel(drawing, title, detail)["rows"])


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
    found = panel(draw(z), "MulBackward0")
    assert dict(found["rows"]) == {
        "kind": "operation",
        "inputs": "x, no grad",
        "gives": "y = [3, 6]",
        "saved other": "held: 3",
    }
    assert found["sentence"] == "y = x × 3, so x gets 3 times what arrives."
    assert found["mathematics"].startswith("<math")
    z.sum().backward()
    assert about(draw(z), "ExpBackward0")["saved result"] == "freed"
    u = y.exp()
    u.add_(1)
    assert "modified" in about(draw(u), "ExpBackward0")["saved result"]


def test_rows_for_later_lessons_wait_for_their_level(torch):
    x = torch.tensor(1.0, requires_grad=True)
    y = x * 3
    drawing = draw(y, x.detach())
    assert set(about(drawing, "x", "values")) == {"kind", "value", "grad"}
    assert set(about(drawing, "x", "saved")) == {"kind", "value", "grad"}
    assert set(about(drawing, "x")) > {"dtype", "requires_grad", "version", "memory"}
    assert set(about(drawing, "MulBackward0", "values")) == {"kind", "gives"}
    assert set(about(drawing, "MulBackward0", "saved")) == {"kind", "gives", "saved other"}
    assert details(drawing.snapshot) == details(drawing.snapshot, detail="values")


def test_a_leaf_says_where_what_arrives_is_added(torch):
    x = torch.tensor(1.0, requires_grad=True)
    assert details(draw(x * 3).snapshot)["n0"]["sentence"] == "What arrives is added to x.grad."
