"""The widget of one snapshot: what it sends to the browser, and what it leaves in a file."""

from minigrad.viz import draw
from minigrad.viz.live.graph_widget import GraphWidget
from minigrad.viz.read.snapshot import take_snapshot


def test_it_shows_the_snapshot_it_is_given(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    widget = GraphWidget(draw(y).snapshot)
    assert repr(widget) == "<GraphWidget of y: 1 leaf, 1 operation>"
    assert "grad None" in widget.outline
    y.backward()
    after = draw(y).snapshot
    widget.show(after)
    assert widget.snapshot == after
    assert "grad 4" in widget.outline
    assert widget.news == "1 operation freed what was kept. x.grad is now 4"


def test_without_tensors_it_says_so():
    widget = GraphWidget(take_snapshot([]), empty="Nothing yet")
    assert repr(widget) == "<GraphWidget: Nothing yet>"
    data, _ = widget._repr_mimebundle_()
    assert data["text/plain"] == "Nothing yet"
