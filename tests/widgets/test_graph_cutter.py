"""The graph cutter: the cut program is really run, and what is left is asked before."""

import itertools

import pytest

from minigrad.widgets import GraphCutter
from minigrad.widgets.cut_program import DETACH, NO_GRAD, NONE, REQUIRES_GRAD
from minigrad.widgets.graph_cutter import RAISES, GraphCutterState

PROGRAM = """
h = x * w
y = h + b
loss = y * y
"""


@pytest.fixture
def tensors(torch):
    values = {"x": 2.0, "w": 3.0, "b": 1.0}
    return {name: torch.tensor(value, requires_grad=True) for name, value in values.items()}


@pytest.fixture
def cutter(tensors):
    return GraphCutterState(PROGRAM, tensors)


def test_each_use_of_a_tensor_is_an_edge(torch, tensors):
    program = PROGRAM.replace("h + b", "(h + b) * c")
    cutter = GraphCutterState(program, {**tensors, "c": torch.ones(1)})
    assert "; ".join(cutter.labels) == (
        "x into h; w into h; h into y; b into y; y into loss, first use; y into loss, second use"
    )


@pytest.mark.parametrize(
    ("edge", "way", "program", "reached"),
    [
        (0, DETACH, "h = x.detach() * w\ny = h + b\nloss = y * y", {"w", "b"}),
        (5, DETACH, "h = x * w\ny = h + b\nloss = y * y.detach()", {"x", "w", "b"}),
        (2, DETACH, "h = x * w\ny = h.detach() + b\nloss = y * y", {"b"}),
        (1, NO_GRAD, "with torch.no_grad():\n    h = x * w\ny = h + b\nloss = y * y", {"b"}),
        (1, REQUIRES_GRAD, "w.requires_grad_(False)\nh = x * w\ny = h + b\nloss = y * y", {*"xb"}),
        (3, NO_GRAD, "h = x * w\nwith torch.no_grad():\n    y = h + b\nloss = y * y", {RAISES}),
        (2, REQUIRES_GRAD, "h = x * w\nh.requires_grad_(False)\ny = h + b\nloss = y * y", {RAISES}),
    ],
)
def test_the_three_ways_to_cut(cutter, edge, way, program, reached):
    cutter.cut(edge, way)
    assert cutter.program == program
    assert cutter.predict(reached).right
    assert cutter.after.reached == reached


def test_any_two_cuts_do_what_the_code_does(torch, tensors, cutter):
    edges = range(len(cutter.edges))
    for one, other in itertools.combinations(edges, 2):
        for ways in itertools.product((DETACH, NO_GRAD, REQUIRES_GRAD), repeat=2):
            for edge in edges:
                cutter.cut(edge, {one: ways[0], other: ways[1]}.get(edge, NONE))
            if cutter.question is not None:
                cutter.predict([])
            space = {n: t.detach().clone().requires_grad_() for n, t in tensors.items()}
            leaves, error = dict(space), ""
            try:
                exec(f"{cutter.program}\nloss.backward()", space | {"torch": torch})
            except RuntimeError as raised:
                error = f"RuntimeError: {raised}"
            assert cutter.after.error == error
            grads = [str(leaf.grad) for leaf in leaves.values()]
            assert [str(grad) for grad in cutter.after.grads.values()] == grads


def test_the_uncut_graph_has_its_gradients_and_asks_nothing(cutter):
    assert cutter.question is None
    assert cutter.summary == "0 of 6 edges cut"
    assert "x: leaf, float32 [] = 2, grad 42" in cutter.text
    assert "Before the cut:\nGraph of loss: 3 leaves, 3 operations" in cutter.text
    assert "freed" not in cutter.text


def test_nothing_of_the_cut_graph_is_shown_before_the_prediction(cutter):
    cutter.cut(2, DETACH)
    assert cutter.after is None
    assert cutter.rows == []
    assert "Before the cut:\nGraph of loss: 3 leaves, 3 operations" in cutter.text
    assert cutter.summary == "1 of 6 edges cut, not run yet"
    cutter.predict(["x"])
    assert cutter.rows == [["x", "42", "None"], ["w", "28", "None"], ["b", "14", "14"]]
    now = cutter.text.partition("Now:")[2].partition("Before")[0]
    assert "b: leaf, float32 [] = 1, grad 14" in now
    assert "no edge from h (detached)" in now
    assert cutter.summary == "1 of 6 edges cut"


@pytest.mark.parametrize(
    ("edge", "way", "says"),
    [
        (2, DETACH, "No gradient goes back through a detached use. Every path from x is cut."),
        (0, NO_GRAD, "Under no_grad(), nothing in the line is recorded."),
        (0, REQUIRES_GRAD, "A leaf that doesn't require grad gets no gradient."),
        (4, NO_GRAD, "element 0 of tensors does not require grad and does not have a grad_fn"),
        (2, REQUIRES_GRAD, "you can only change requires_grad flags of leaf variables."),
    ],
)
def test_the_mistake_and_the_reason_are_told(cutter, edge, way, says):
    cutter.cut(edge, way)
    assert says in str(cutter.predict(["x", "w", "b"]))


def test_a_path_that_is_left_gives_another_gradient(cutter):
    cutter.cut(4, DETACH)
    verdict = str(cutter.predict([]))
    assert "Only paths through this edge are cut. Look for other paths." in verdict
    assert "Not all paths from x and w and b are cut: their gradients have changed." in verdict


def test_the_learners_tensors_are_left_alone(tensors, cutter):
    cutter.cut(0, REQUIRES_GRAD)
    cutter.predict([])
    assert all(t.requires_grad and t.grad is None for t in tensors.values())


def test_what_cannot_be_cut_is_refused(torch, tensors, cutter):
    with pytest.raises(ValueError, match="edge must be from 0 to 5, but got 6"):
        cutter.cut(6, DETACH)
    with pytest.raises(ValueError, match="way must be one of none, .*, but got 'scissors'"):
        cutter.cut(0, "scissors")
    with pytest.raises(ValueError, match="each line must assign to one new name"):
        GraphCutterState("h = x * 2\nh = h * w", tensors)
    with pytest.raises(SyntaxError):
        GraphCutterState("y = = x", tensors)
    with pytest.raises(ValueError, match="a tensor that requires grad"):
        GraphCutterState("y = x * 2", {"x": torch.ones(1)})
    with pytest.raises(TypeError, match="x must be a tensor, but is float"):
        GraphCutterState("y = x * 2", {"x": 1.0})
    with pytest.raises(NameError):
        GraphCutterState("y = x * z", tensors)


def test_the_arrows_of_its_picture(tensors):
    cutter = GraphCutter("h = (w + x) * x\nloss = h * b", **tensors)
    graph = cutter._before
    labels = {arrow: label for arrow, (label, _) in graph.arrows.items()}
    assert all(f'data-edges="{arrow}"' in graph.svg for arrow in labels)
    assert "; ".join(labels.values()) == (
        "w into h; x into h, first use; x into h, second use; h into loss; b into loss"
    )
    second = next(arrow for arrow, label in labels.items() if label == "x into h, second use")
    graph.pressed = second
    assert "h = (w + x) * x.detach()" in cutter.state.program
    assert [label for label, cut in graph.arrows.values() if cut] == ["x into h, second use"]
    cutter.way.value = NO_GRAD
    graph.pressed = second
    assert "with torch.no_grad():" in cutter.state.program
    graph.pressed = second
    assert cutter.state.program == "h = (w + x) * x\nloss = h * b"


def test_its_controls(tensors):
    cutter = GraphCutter(PROGRAM, **tensors)
    assert cutter._result.layout.display == "none"
    assert "grad 42" in cutter._before.outline
    cutter.cut(2, DETACH)
    assert "detach" in cutter._code.value
    for box in cutter._panel.boxes.children:
        box.value = box.description == "b"
    cutter._panel.button.click()
    assert "Right:" in cutter._feedback.value
    assert cutter._result.layout.display == ""
    assert "AddBackward0(no grad, b)" in cutter._after.outline
    assert "grad 14" in cutter._after.outline
    cutter.cut(2, NONE)
    assert cutter._result.layout.display == "none"
    assert repr(cutter) == "<GraphCutter: 0 of 6 edges cut>"
