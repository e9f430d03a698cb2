"""A snapshot holds the graph as plain data, in order, within its limit."""

import gc
import json
import weakref

from minigrad.viz import draw, take_snapshot
from tests.viz.backward_programs import double


def test_nodes_come_after_their_inputs_and_edges_keep_their_order(torch):
    a = torch.tensor(2.0, requires_grad=True)
    b = torch.tensor(3.0, requires_grad=True)
    snapshot = draw((a - b) * b / 4).snapshot
    assert [(node.id, node.kind, node.name) for node in snapshot.nodes] == [
        ("n0", "accumulate", "torch::autograd::AccumulateGrad"),
        ("n1", "accumulate", "torch::autograd::AccumulateGrad"),
        ("n2", "operation", "SubBackward0"),
        ("n3", "operation", "MulBackward0"),
        ("n4", "operation", "DivBackward0"),
    ]
    sources = [[source.node for source in node.inputs] for node in snapshot.nodes]
    assert sources == [[], [], ["n0", "n1"], ["n2", "n1"], ["n3", None]]


def test_roles_and_places_of_tensors(torch):
    x = torch.ones(2, requires_grad=True)
    y, z = (x * 2).unbind()
    out = y + z
    number = torch.tensor(7)
    found = {
        t.names: (t.role, t.drawn, t.node, t.output) for t in draw(out, z, number).snapshot.tensors
    }
    assert found == {
        ("x",): ("leaf", False, "n0", 0),
        ("y",): ("intermediate", False, "n2", 0),
        ("z",): ("intermediate", True, "n2", 1),
        ("out",): ("result", True, "n3", 0),
        ("number",): ("constant", True, None, 0),
    }


def test_the_same_program_gives_the_same_json_and_no_address(torch):
    def program():
        x = torch.arange(3.0, requires_grad=True)
        loss = (x.tanh() * x).sum()
        return draw(loss).snapshot.to_json()

    first = program()
    assert first == program()
    assert "0x" not in first
    data = json.loads(first)
    assert data["schema"] == "minigrad.viz.snapshot/3"
    assert [tensor["names"] for tensor in data["tensors"] if tensor["names"]] == [["x"], ["loss"]]


def test_numbers_that_json_does_not_know_are_written_as_text(torch):
    x = torch.tensor([float("nan"), float("inf")], requires_grad=True)
    assert json.loads(draw(x).snapshot.to_json())["tensors"][0]["value"]["items"] == ["nan", "inf"]


def test_drawing_changes_nothing_and_keeps_nothing_alive(torch):
    x = torch.ones(3, requires_grad=True)
    y = x.exp()
    y.sum().backward(retain_graph=True)
    gradient, before = x.grad, (x.grad.tolist(), x._version, y._version)
    node_metadata = dict(y.grad_fn.metadata)
    drawing = draw(y, names={})
    assert x.grad is gradient
    assert (x.grad.tolist(), x._version, y._version) == before
    assert y.grad_fn.metadata == node_metadata
    watched = weakref.ref(y)
    del y
    gc.collect()
    assert watched() is None
    assert "ExpBackward0" in repr(drawing)


def test_a_drawing_shows_the_moment_it_was_made(torch):
    x = torch.tensor(1.0, requires_grad=True)
    y = x * x
    before = draw(y)
    y.backward()
    assert "grad None" in repr(before)
    assert "grad 2" in repr(draw(y))


def test_a_chain_is_walked_without_recursion_up_to_the_limit(torch):
    x = torch.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(5_000):
        y = y * 1
    drawing = draw(y)
    assert len(drawing.snapshot.nodes) == 1000
    assert drawing.snapshot.left_out
    assert repr(drawing).endswith("stopped after 1000 nodes: the rest is left out")
    assert "MulBackward0(left out, no grad)" in repr(drawing)


def test_a_limit_as_large_as_the_graph_leaves_nothing_out(fake):
    node = fake.Node("Start")
    for _ in range(20_000):
        node = fake.Node("Step", node)
    whole = take_snapshot([fake.Tensor(node)], limit=20_001)
    assert len(whole.nodes) == 20_001
    assert not whole.left_out
    assert take_snapshot([fake.Tensor(node)], limit=20_000).left_out


def test_the_nodes_nearest_to_the_drawn_tensors_are_kept(fake):
    far = fake.Node("Far", fake.Node("Farther"))
    near = fake.Node("Near")
    snapshot = take_snapshot([fake.Tensor(fake.Node("Root", far, near))], limit=3)
    assert {node.name for node in snapshot.nodes} == {"Root", "Far", "Near"}


def test_every_drawn_tensor_is_in_the_graph_whatever_the_limit(torch):
    a = torch.tensor(1.0, requires_grad=True)
    b, c = a * 2, a * 3
    snapshot = draw(b, c, limit=1).snapshot
    assert [tensor.names for tensor in snapshot.tensors if tensor.node] == [("b",), ("c",)]


def test_a_function_may_keep_something_that_it_calls_variable(fake):
    node = fake.Node("MyBackward", variable=1)
    assert take_snapshot([fake.Tensor(node)]).nodes[0].kind == "operation"


def test_a_function_of_ones_own(torch):
    x = torch.tensor(1.0, requires_grad=True)
    y = double(torch).apply(x)
    assert "keeps saved_tensors[0] = x, saved_tensors[1] = 2\n" in repr(draw(y))
    y.backward()
    assert "freed saved_tensors\n" in repr(draw(y))


def test_the_hooks_of_saved_tensors_are_not_run(torch):
    unpacked = []
    x = torch.ones(2, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, unpacked.append):
        y = x * x
    assert "  keeps self, other\n" in repr(draw(y))
    assert unpacked == []
