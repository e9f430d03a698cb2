"""Tensors are called what the program calls them."""

import sys

import pytest

from minigrad.viz import draw
from minigrad.viz.read.names import names_in_frame


def names(drawing):
    return {tensor.id: tensor.names for tensor in drawing.snapshot.tensors if tensor.names}


def test_local_variables_hide_global_ones(torch):
    space = {"torch": torch, "draw": draw}
    exec(
        "x = torch.tensor(1., requires_grad=True)\n"
        "g = x * 2\n"
        "def inner(x):\n"
        "    out = g * x\n"
        "    return draw(out)\n"
        "drawing = inner(torch.tensor(5., requires_grad=True))",
        space,
    )
    text = repr(space["drawing"])
    assert "x: leaf, float32 [] = 5, grad None" in text
    assert "n0: leaf, float32 [] = 1, grad None" in text
    assert "MulBackward0(g, x)" in text


def test_names_that_ipython_makes_are_ignored(torch):
    x = torch.tensor(1.0, requires_grad=True)
    space = {"_": x, "_1": x, "Out": {1: x}, "In": [""], "x": x, "draw": draw}
    exec("drawing = draw(x)", space)
    assert names(space["drawing"]) == {"t0": ("x",)}


def test_a_second_name_is_said_too(torch):
    loss = torch.tensor(1.0, requires_grad=True)
    total = loss
    drawing = draw(total)
    assert names(drawing) == {"t0": ("loss", "total")}
    assert "loss (also total): leaf" in repr(drawing)
    assert ">also total</text>" in drawing.svg()


def test_a_name_follows_the_value_not_the_object_it_had(torch):
    x = torch.tensor(1.0, requires_grad=True)
    y = x * 2
    old = y.grad_fn
    y = y + 1
    assert old is not y.grad_fn
    assert "gives n1: not kept\nn2 AddBackward0(n1, no grad)\n  gives y: result" in repr(draw(y))


def test_an_in_place_operation_takes_the_name_along(torch):
    x = torch.tensor(1.0, requires_grad=True)
    y = x * 2
    y.add_(1)
    text = repr(draw(y))
    assert "  gives n1: not kept\nn2 AddBackward0(n1, no grad)\n  gives y: result" in text


def test_containers_name_what_has_no_name_of_its_own(torch):
    w = torch.tensor(1.0, requires_grad=True)
    weights = [w, torch.tensor(2.0, requires_grad=True)]
    state = {"bias": torch.tensor(3.0, requires_grad=True)}
    drawing = draw(weights[0] * weights[1] + state["bias"])
    assert list(names(drawing).values()) == [("w",), ("weights[1]",), ("state['bias']",)]


def test_parameters_of_a_module_are_named_after_it(torch):
    parameter = torch.tensor(1.0, requires_grad=True)

    class Net:
        def named_parameters(self):
            return iter([("0.weight", parameter)])

    space = {"net": Net(), "draw": draw, "out": parameter * 2}
    exec("drawing = draw(out)", space)
    assert names(space["drawing"])["t0"] == ("net.0.weight",)


def test_a_loop_over_parameters_takes_no_name_away(torch):
    net = torch.nn.Sequential(torch.nn.Linear(1, 1), torch.nn.Linear(1, 1))
    out = net(torch.ones(1, 1))
    before = names(draw(out))
    for parameter in net.parameters():
        assert parameter.requires_grad
    assert names(draw(out)) == before


def test_attributes_name_what_lies_in_them(torch):
    space = {"torch": torch, "draw": draw, "__name__": "__main__"}
    exec(
        "class Layer:\n"
        "    def __init__(self):\n"
        "        self.w = torch.ones(2, requires_grad=True)\n"
        "        self.parts, self.owner = [torch.ones(2, requires_grad=True)], self\n"
        "class Net(torch.nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.layers, self.b = [Layer()], torch.ones(2, requires_grad=True)\n"
        "layer, net = Layer(), Net()\n"
        "out = layer.w * layer.parts[0] + net.b * net.layers[0].w\n"
        "drawing = draw(out)",
        space,
    )
    found = [one for many in names(space["drawing"]).values() for one in many]
    assert sorted(found) == ["layer.parts[0]", "layer.w", "net.b", "net.layers[0].w", "out"]


def test_containers_in_containers_take_no_time(torch):
    nested = [0.0]
    for _ in range(5):
        nested = [nested] * 100
    nested.append(nested)
    x = torch.ones(1, requires_grad=True)
    drawing = draw(x * 2)
    assert names(drawing) == {"t0": ("x",)}


def test_a_half_built_module_is_no_obstacle(torch):
    class Net:
        def named_parameters(self):
            raise AttributeError("__init__ was not called")

    space = {"net": Net(), "Net": Net, "draw": draw, "x": torch.ones(1, requires_grad=True)}
    exec("drawing = draw(x)", space)
    assert names(space["drawing"]) == {"t0": ("x",)}


def test_looking_for_names_runs_no_code_of_other_objects(torch):
    class Touchy:
        def __getattr__(self, name):
            raise AssertionError(f"asked for {name}")

        def __bool__(self):
            raise AssertionError("asked for its truth")

    x, touchy = torch.ones(1, requires_grad=True), Touchy()
    assert ("x", x) in [pair for pair in names_in_frame(sys._getframe()) if pair[0] == "x"]
    assert isinstance(touchy, Touchy)


def test_given_names_stand_in_for_the_variables(torch):
    x = torch.tensor(1.0, requires_grad=True)
    assert names(draw(x * 2, names={"weight": x})) == {"t0": ("weight",)}


def test_wrong_names_are_refused(torch):
    x = torch.tensor(1.0, requires_grad=True)
    for given, got in (({"x": 1.0}, "one with float"), ({1: x}, "one with int"), ([x], "a list")):
        said = f"names: expected a dict of str to Tensor, but got {got}"
        with pytest.raises(TypeError, match=said):
            draw(x, names=given)


@pytest.mark.parity
def test_a_view_that_pytorch_refuses_to_explain_is_left_unnamed():
    import torch

    base = torch.ones(2, requires_grad=True) * 1
    with torch.no_grad():
        view = base[:1]
    base.mul_(2)
    assert view is not None
    assert "gives base: result" in repr(draw(base))
