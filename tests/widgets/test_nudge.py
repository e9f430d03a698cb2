"""Nudge: values, gradients and curves of a function of a few numbers, on either engine."""

import json
import math

import pytest

import minigrad
from minigrad.widgets import Nudge, neuron, nudge
from minigrad.widgets.nudge import MOST_NUMBERS, NudgeState

NEURON = {"x": 0.5, "w": 1.2, "b": -0.3}
TEXT = """\
x     0.500   grad   1.098
w     1.200   grad   0.458
b    -0.300   grad   0.915
out   0.291"""


def tensors(torch, numbers):
    return {name: torch.tensor(number) for name, number in numbers.items()}


@pytest.fixture
def state(torch):
    return NudgeState(neuron, tensors(torch, NEURON))


def edges(state):
    """What runs along each edge: forward, and back."""
    return {
        (edge["from"], edge["to"]): tuple([round(one, 4) for one in way] for way in ways)
        for edge, ways in zip(state.graph["edges"], state.numbers["edges"], strict=True)
    }


def signs(state):
    return [
        " ".join(filter(None, (one["before"], one["sign"], one["after"])))
        for one in state.graph["operations"]
    ]


def test_a_neuron(state):
    assert state.text == TEXT
    assert state.summary == "x, w, b to out"
    assert signs(state) == ["×", "+", "tanh"]
    assert edges(state) == {
        ("l0", "o0"): ([], [1.0982]),
        ("l1", "o0"): ([], [0.4576]),
        ("o0", "o1"): ([0.6], [0.9151]),
        ("l2", "o1"): ([], [0.9151]),
        ("o1", "o2"): ([0.3], [0.9151]),
        ("o2", "r"): ([0.2913], [1.0]),
    }


def test_names_are_those_of_the_function(state):
    assert [edge["name"] for edge in state.graph["edges"]] == ["x", "w", "", "b", "n", ""]
    assert [edge["factor"] for edge in state.graph["edges"][:2]] == ["w", "x"]
    assert state.outline == f"{TEXT}\n× of x, w = 0.600\n+ of ×, b = 0.300\ntanh of n = 0.291"


def test_a_name_in_the_function_never_hides_a_leaf(torch):
    def f(x):
        x = x * 2
        loss = x + 1
        return loss

    state = NudgeState(f, tensors(torch, {"x": 1.5}))
    assert [edge["name"] for edge in state.graph["edges"]] == ["x", "", ""]
    assert state.graph["result"] == "loss"
    assert NudgeState(lambda out: out * 2, {"out": 1.0}).graph["result"] == "result"


def test_moving_a_number_moves_what_follows_from_it(state):
    state.move("x", 0.6)
    assert state.numbers["result"] == pytest.approx(math.tanh(0.42), abs=1e-6)
    assert state.leaves[0].grads == [pytest.approx(1.2 * (1 - math.tanh(0.42) ** 2), abs=1e-6)]
    state.reset()
    assert state.text == TEXT
    with pytest.raises(KeyError):
        state.move("y", 1.0)
    with pytest.raises(IndexError):
        state.move("x", 1.0, index=1)


def test_the_curve_is_the_function(state):
    points = state.curve(0, 0)
    assert len(points) == 61
    for value, result in points:
        assert result == pytest.approx(math.tanh(value * 1.2 - 0.3), abs=1e-6)
    assert state.text == TEXT


def test_a_number_that_is_used_twice_has_a_gradient_for_each_use(torch):
    state = NudgeState(lambda a, c: a * c + a, tensors(torch, {"a": 3.0, "c": 4.0}))
    assert edges(state)["l0", "o0"] == ([], [4.0])
    assert edges(state)["l0", "o1"] == ([], [1.0])
    assert state.leaves[0].grads == [5.0]


def test_vectors_and_data(torch):
    x, y = torch.tensor([1.0, 2.0, -1.0]), torch.tensor([1.0, 2.0, 1.0])
    state = NudgeState(lambda w: ((w * x - y) ** 2).mean(), {"w": torch.tensor([1.5, 0.5, -0.5])})
    assert state.text.splitlines()[1] == "w[1]   0.500   grad  -1.333"
    assert state.graph["data"] == [{"name": "x", "shape": [3]}, {"name": "y", "shape": [3]}]
    assert signs(state) == ["×", "−", "^ 2", "mean"]
    state.move("w", 1.0, index=1)
    assert state.leaves[0].values == [1.5, 1.0, -0.5]
    assert state.leaves[0].grads[1] == 0.0
    matrix = NudgeState(lambda m: m.sum(), {"m": torch.tensor([[1.0, 2.0], [3.0, 4.0]])})
    assert [matrix.leaves[0].entry(index) for index in range(4)][2] == "m[1, 0]"


def test_the_learners_tensors_stay_as_they_are(torch):
    a, other = (torch.tensor(2.0, requires_grad=True) for _ in range(2))
    state = NudgeState(lambda a: a * other, {"a": a})
    state.move("a", 5.0)
    assert a.item() == 2.0
    assert a.grad is None
    assert other.grad is None
    assert state.graph["data"] == [{"name": "other", "shape": []}]


def test_values_inside_one_call_are_known_if_they_are_saved(torch):
    state = NudgeState(lambda a: 2 / a, tensors(torch, {"a": 0.5}))
    assert edges(state)["o0", "o1"] == ([2.0], [2.0])
    assert signs(state) == ["1 ÷", "× 2"]
    state = NudgeState(lambda a: 1 - a, tensors(torch, {"a": 0.5}))
    assert signs(state) == ["1 −"]
    assert signs(NudgeState(lambda x: 2**x, {"x": 0.5})) == ["2 ^"]


def test_a_function_that_branches_gets_another_graph(torch):
    state = NudgeState(lambda a: a * 2 if a > 0 else -a, tensors(torch, {"a": 1.0}))
    assert signs(state) == ["× 2"]
    state.move("a", -1.0)
    assert signs(state) == ["−"]
    assert state.numbers["result"] == 1.0


def test_where_no_gradient_flows_there_is_none(torch):
    state = NudgeState(lambda a, c: a.detach() * c, tensors(torch, {"a": 3.0, "c": 1.0}))
    assert state.text.splitlines()[0] == "a     3.000   grad    None"
    assert state.leaves[1].grads == [3.0]
    constant = NudgeState(lambda a: a.detach(), tensors(torch, {"a": 3.0}))
    assert constant.graph["edges"] == []
    assert constant.numbers["result"] == 3.0
    assert "<svg" in constant.svg()
    assert NudgeState(lambda a: a, tensors(torch, {"a": 3.0})).leaves[0].grads == [1.0]


def test_what_isnt_finite_goes_to_the_page_as_words(torch):
    state = NudgeState(lambda a: a.log(), tensors(torch, {"a": 1.0}))
    state.move("a", 0.0)
    assert state.numbers["result"] == "-Infinity"
    assert state.text.endswith("out    -inf")
    json.dumps([state.numbers, state.curve(0, 0)], allow_nan=False)


def test_an_error_of_the_function_goes_through_and_leaves_the_numbers(torch):
    def f(a):
        if a > 1:
            raise ZeroDivisionError("too large")
        return a * 2

    with pytest.raises(ZeroDivisionError, match="too large"):
        NudgeState(f, tensors(torch, {"a": 2.0}))
    state = NudgeState(f, tensors(torch, {"a": 1.0}))
    with pytest.raises(ZeroDivisionError):
        state.move("a", 1.5)
    assert state.leaves[0].values == [1.0]
    assert [result for value, result in state.curve(0, 0) if value > 1.01] == [None] * 15


@pytest.mark.parametrize(
    ("leaves", "kind", "message"),
    [
        ({}, TypeError, "nudge needs numbers to drag"),
        ({"x": 4}, TypeError, "x is 4, and an integer can't be nudged a little. Write 4.0"),
        ({"x": [1, 2]}, TypeError, r"x is \[1, 2\].* Write \[1.0, 2.0\]"),
        ({"x": minigrad.tensor(4)}, TypeError, "Write 4.0"),
        ({"x": True}, TypeError, "Write 1.0"),
        ({"x": "4"}, TypeError, "x must be a number, a list of numbers or a tensor, not a str"),
        ({"x": None}, TypeError, "not None"),
        ({"x": []}, ValueError, "x is empty"),
        ({"x": math.nan}, ValueError, "x must be finite"),
        ({"x": [0.5] * (MOST_NUMBERS + 1)}, ValueError, "at most 12 numbers to drag, but got 13"),
    ],
)
def test_what_cant_be_dragged_is_refused(leaves, kind, message):
    with pytest.raises(kind, match=message):
        nudge(lambda **given: sum(given.values()), **leaves)


def test_what_isnt_one_number_is_refused(torch):
    x = torch.tensor([1.0, 2.0])
    with pytest.raises(ValueError, match=r"shape \[2\]. Add .sum\(\) or .mean\(\)"):
        nudge(lambda x: x * 2, x=x)
    with pytest.raises(TypeError, match="a tensor with one number, but returned a float"):
        nudge(lambda x: x.sum().item(), x=x)
    with pytest.raises(TypeError, match="returned None"):
        nudge(lambda x: None, x=x)
    with pytest.raises(TypeError, match="nudge needs a function first, but got a Tensor"):
        nudge(x, x=x)

    def long(x):
        for _ in range(61):
            x = x * 2
        return x.sum()

    with pytest.raises(ValueError, match="at most 60 operations"):
        nudge(long, x=x)


@pytest.mark.parity
def test_both_engines_give_the_same(pytorch):
    with pytest.raises(TypeError, match="one package, but got those of minigrad and torch"):
        nudge(neuron, x=minigrad.tensor(0.5), w=pytorch.tensor(1.2), b=-0.3)
    one = NudgeState(neuron, NEURON)
    other = NudgeState(neuron, {**NEURON, "x": pytorch.tensor(0.5)})
    assert one.outline == other.outline
    assert one.graph == other.graph


def test_the_widget_answers_the_page():
    widget = nudge(neuron, **NEURON)
    assert repr(widget) == "<Nudge: x, w, b to out>"
    assert isinstance(widget, Nudge)
    assert widget.curve["leaf"] == 0
    widget._on_message(None, {"turn": 7, "moves": [[1, 0, 0.0]], "curve": [1, 0]}, [])
    assert widget.numbers["turn"] == 7
    assert widget.numbers["leaves"][0] == ([0.5], [0.0])
    assert widget.curve["leaf"] == 1
    widget._on_message(None, {"ping": True}, [])
    assert widget.numbers["turn"] == 7
    widget._on_message(None, {"turn": 8, "moves": [], "reset": True}, [])
    assert widget.outline.startswith(TEXT)
    widget.move("x", 0.6)
    assert widget.numbers["leaves"][0][0] == [0.6]
    widget.reset()
    data, _ = widget._repr_mimebundle_()
    assert data["text/plain"] == TEXT
    assert data["image/svg+xml"].startswith("<svg")


def test_the_page_is_told_of_an_error_and_harmful_names_are_names():
    def f(**given):
        (value,) = given.values()
        if value > 1:
            raise ValueError("<img src=x onerror=alert(1)>" * 1000)
        return value * 2

    name = '<b onclick="alert(1)">' + "x" * 1000
    widget = nudge(f, **{name: 0.5})
    assert len(widget.graph["leaves"][0]["name"]) <= 16
    widget._on_message(None, {"turn": 1, "moves": [[0, 0, 1.5]]}, [])
    assert widget.numbers["error"].startswith("ValueError: <img")
    assert len(widget.numbers["error"]) <= 200
    assert widget.numbers["leaves"][0][0] == [0.5]
    assert "<b onclick" not in widget.state.svg()
