"""The graph cutter: the cut program is really run, and what is left is asked before."""

import itertools

import pytest

from minigrad.viz.draw.marks import FADED
from minigrad.widgets import GraphCutter
from minigrad.widgets.cut_program import DETACH, NO_GRAD, NONE, REQUIRES_GRAD, WAYS
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
    cutter = GraphCutterState(
        PROGRAM.replace("h + b", "(h + b) * c"), {**tensors, "c": torch.ones(1)}
    )
    assert cutter.labels == [
        "x into h",
        "w into h",
        "h into y",
        "b into y",
        "y into loss, first use",
        "y into loss, second use",
    ]


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
    assert "Graph of loss: 1 leaf, 2 operations" in now
    assert "b: leaf, float32 [] = 1, grad 14" in now
    assert cutter.summary == "1 of 6 edges cut"


def marked(cutter):
    """What is marked in the uncut graph, by the names of tensors: faded or not, and the note."""
    tensors = {t.node: t.names[0] for t in cutter.uncut.tensors if t.names}
    return {
        tensors[part]: (mark.state, mark.note)
        for part, mark in cutter.marks.parts.items()
        if part in tensors
    }


@pytest.mark.parametrize(
    ("edge", "way", "marks"),
    [
        (
            2,
            DETACH,
            {"x": (FADED, ""), "w": (FADED, ""), "h": (FADED, ""), "y": ("", "h detached here")},
        ),
        (0, NO_GRAD, {"x": (FADED, ""), "w": (FADED, ""), "h": (FADED, "under no_grad()")}),
        (0, REQUIRES_GRAD, {"x": (FADED, ""), "h": ("", "x does not require grad")}),
        (4, DETACH, {"loss": ("", "y detached here")}),
        (2, REQUIRES_GRAD, {}),
    ],
)
def test_what_is_cut_off_is_marked_in_the_uncut_graph(cutter, edge, way, marks):
    cutter.cut(edge, way)
    assert not cutter.marks.parts
    cutter.predict([])
    assert marked(cutter) == marks
    assert all(note in cutter.text for _, note in marks.values())


def test_operations_without_a_name_are_cut_off_with_what_they_lead_to(tensors):
    cutter = GraphCutterState("h = (x * w).exp() * 2\nloss = h + b", tensors)
    cutter.cut(2, DETACH)
    cutter.predict([])
    lost = {node.name for node in cutter.uncut.nodes if node.id in cutter.marks.parts}
    assert {"MulBackward0", "ExpBackward0"} < lost


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
    with pytest.raises(ValueError, match="each line must assign to one name"):
        GraphCutterState("print(x)", tensors)
    with pytest.raises(SyntaxError):
        GraphCutterState("y = = x", tensors)
    with pytest.raises(ValueError, match="a tensor that requires grad"):
        GraphCutterState("y = x * 2", {"x": torch.ones(1)})
    with pytest.raises(TypeError, match="x must be a tensor, but is float"):
        GraphCutterState("y = x * 2", {"x": 1.0})
    with pytest.raises(NameError):
        GraphCutterState("y = x * z", tensors)


def test_its_controls(tensors):
    cutter = GraphCutter(PROGRAM, **tensors)
    assert [edge.options for edge in cutter.edges] == [tuple(WAYS)] * 6
    assert cutter._result.layout.display == "none"
    assert "grad 42" in cutter._before.outline
    cutter.edges[2].value = DETACH
    assert "detach" in cutter._code.value
    for box in cutter._panel.boxes.children:
        box.value = box.description == "b"
    cutter._panel.button.click()
    assert "Right:" in cutter._feedback.value
    assert cutter._result.layout.display == ""
    assert "AddBackward0(no grad, b)" in cutter._after.outline
    assert "grad 14" in cutter._after.outline
    cutter.cut(2, NONE)
    assert cutter.edges[2].value == NONE
    assert cutter._result.layout.display == "none"
    assert repr(cutter) == "<GraphCutter: 0 of 6 edges cut>"
