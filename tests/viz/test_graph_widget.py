"""The widget of one snapshot: what it sends to the browser, and what it leaves in a file."""

import pytest

from minigrad.viz import draw
from minigrad.viz.graph_widget import GraphWidget
from minigrad.viz.snapshot import take_snapshot


@pytest.fixture
def snapshots(torch):
    """Before and after backward."""
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    before = draw(y).snapshot
    y.backward()
    return before, draw(y).snapshot


def test_it_shows_the_snapshot_it_is_given(snapshots):
    before, after = snapshots
    widget = GraphWidget(before)
    assert repr(widget) == "<GraphWidget of y: 1 leaf, 1 operation>"
    assert "grad None" in widget.outline
    widget.show(after)
    assert widget.snapshot == after
    assert "grad 4" in widget.outline
    assert widget.news == "1 operation freed what was kept. x.grad is now 4"


def test_whoever_shows_a_snapshot_may_say_what_is_new(snapshots):
    widget = GraphWidget(snapshots[0])
    widget.show(snapshots[1], news="MulBackward0 has run")
    assert widget.news == "MulBackward0 has run"


def test_without_tensors_it_says_so():
    widget = GraphWidget(take_snapshot([]), empty="Nothing yet")
    assert repr(widget) == "<GraphWidget: Nothing yet>"
    data, _ = widget._repr_mimebundle_()
    assert data["text/plain"] == "Nothing yet"
