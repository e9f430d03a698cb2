"""Large graphs, folded: what is repeated or belongs to one module becomes one box."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minigrad.viz import draw
from minigrad.viz.draw.folding import MOST_DRAWN, fold, folds
from minigrad.viz.draw.outline import outline
from minigrad.viz.draw.picture import Picture
from minigrad.viz.live.graph_widget import GraphWidget
from minigrad.viz.read.snapshot import take_snapshot

EVERYTHING = 100_000


def snapshot_of(tensor, **names):
    return draw(tensor, names=names, limit=EVERYTHING).snapshot


@pytest.fixture
def deep(torch):
    """A net of 50 layers and a head, and its loss."""
    layers = [m for _ in range(50) for m in (torch.nn.Linear(3, 3), torch.nn.ReLU())]
    net = torch.nn.Sequential(*layers, torch.nn.Linear(3, 1))
    loss = net(torch.ones(2, 3)).sum()
    return draw(loss).snapshot


def test_a_net_of_fifty_layers_can_be_read_on_one_screen(deep):
    view = fold(deep)
    assert len(view.nodes) < 12
    (layers,) = [node for node in folds(view) if node.times > 1]
    assert layers.title == "49 × (TBackward0, AddmmBackward0, ReluBackward0)"
    assert layers.lines == ("3 operations each", "98 leaves: net.2.weight … net.98.bias")
    assert outline(view).startswith("Graph of loss: 102 leaves, 153 operations\n")


def test_parameters_of_a_module_stand_under_its_name(deep):
    first = next(node for node in folds(fold(deep)) if node.name == "net.0")
    assert first.lines == ("weight 3×3", "bias 3")


def test_folds_open_one_by_one(deep):
    view = fold(deep)
    layers = next(node for node in folds(view) if node.times > 1)
    opened = fold(deep, {layers.key})
    assert len(opened.nodes) > len(view.nodes)
    everything = {node.key for node in folds(opened)} | {layers.key}
    assert folds(fold(deep, everything)) == []


def test_of_what_is_too_long_to_open_the_ends_are_shown(torch):
    y = torch.ones(2, requires_grad=True)
    for _ in range(1000):
        y = y.exp()
    snapshot = snapshot_of(y, y=y)
    (whole,) = folds(fold(snapshot))
    (rest,) = folds(fold(snapshot, {whole.key}))
    assert rest.times == whole.times - 2
    (deeper,) = folds(fold(snapshot, {whole.key, rest.key}))
    assert deeper.times == whole.times - 4


def test_a_loop_with_shared_weights_is_folded_and_the_weights_stay_in_sight(torch):
    weights = torch.eye(3, requires_grad=True)
    state = torch.ones(3, requires_grad=True)
    h = state
    for _ in range(40):
        h = (weights @ h).tanh()
    view = fold(snapshot_of(h.sum(), weights=weights, state=state))
    (loop,) = folds(view)
    assert loop.name == "(MvBackward0, TanhBackward0)"
    assert "weights: leaf" in outline(view)
    assert "of weights, " in outline(view)


def test_small_graphs_and_those_asked_for_whole_are_left_as_they_are(torch):
    y = torch.ones(2, requires_grad=True)
    for _ in range(50):
        y = y.exp()
    small = snapshot_of(y, y=y)
    assert fold(small) is small
    for _ in range(50):
        y = y.exp()
    assert "folded" in draw(y).outline
    assert draw(y, fold=False).outline.count("ExpBackward0") == 100


def test_a_graph_without_repetition_is_cut_and_says_so(torch):
    rng = random.Random(1)
    y = torch.ones(2, requires_grad=True)
    functions = ("exp", "tanh", "sin", "cos", "neg", "abs", "sigmoid")
    for _ in range(2000):
        y = getattr(y, rng.choice(functions))()
    view = fold(snapshot_of(y, y=y))
    assert len(view.nodes) <= MOST_DRAWN
    assert f"stopped after {MOST_DRAWN} nodes: the rest is left out" in outline(view)


def test_the_widget_unfolds_what_the_browser_asks_for_and_folds_it_again(deep):
    widget = GraphWidget(deep)
    (fold_key,) = {d["fold"] for d in widget.details.values() if d["title"].startswith("49 ×")}
    before = widget.svg
    widget.unfolded = [fold_key]
    assert len(widget.svg) > 2 * len(before)
    assert widget.news == "Unfolded"
    widget.unfolded = []
    assert widget.svg == before
    assert widget.news == "Folded again"


def test_growing_by_a_layer_a_fold_stays_the_same_part(torch):
    y = torch.ones(2, requires_grad=True)
    for _ in range(100):
        y = y.exp().sin()
    widget = GraphWidget(snapshot_of(y, y=y))
    (before,) = folds(fold(widget.snapshot))
    key = widget.parts[before.id]
    y = y.exp().sin()
    widget.show(snapshot_of(y, y=y))
    (after,) = folds(fold(widget.snapshot))
    assert after.times == before.times + 1
    assert widget.parts[after.id] == key


@given(st.integers(0, 2**32), st.integers(70, 200), st.integers(1, 6))
def test_whatever_is_folded_is_still_a_graph_in_order(fake, seed, size, variety):
    """Nodes connected at random: inputs come first, and nothing is lost or there twice."""
    rng = random.Random(seed)
    nodes = [fake.Node("Leaf")]
    for _ in range(size):
        near = nodes[-rng.choice([1, 1, 1, 2, 5]) :]
        sources = [rng.choice(near) for _ in range(rng.choice([1, 1, 2]))]
        nodes.append(fake.Node(f"Op{rng.randrange(variety)}", *sources))
    snapshot = take_snapshot([fake.Tensor(nodes[-1])], limit=EVERYTHING)
    view = fold(snapshot)
    seen = set()
    for node in view.nodes:
        assert {source.node for source in node.inputs if source.node} <= seen
        seen.add(node.id)
    members = [member for node in folds(view) for member in node.members]
    plain = [node.id for node in view.nodes if node not in folds(view)]
    assert sorted(members + plain) == sorted(node.id for node in snapshot.nodes)
    outline(view)
    Picture(snapshot)
