"""The widget of one snapshot: what it sends to the browser, and what it leaves in a file."""

import re

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


def test_the_panel_tells_as_much_as_the_picture(torch):
    x = torch.tensor(2.0, requires_grad=True)
    snapshot = draw(x * x).snapshot
    widgets = [GraphWidget(snapshot, detail=level) for level in ("values", "saved", "all")]
    labels = [{row[0] for panel in w.details.values() for row in panel["rows"]} for w in widgets]
    assert labels[0] < labels[1] < labels[2]
    assert {"saved self", "saved other"} <= labels[1] - labels[0]
    assert {"dtype", "version"} <= labels[2] - labels[1]


def test_without_tensors_it_says_so():
    widget = GraphWidget(take_snapshot([]), empty="Nothing yet")
    assert repr(widget) == "<GraphWidget: Nothing yet>"
    data, _ = widget._repr_mimebundle_()
    assert data["text/plain"] == "Nothing yet"


def test_the_picture_has_no_colors_and_its_rules_hold_in_the_page_alone(torch):
    x = torch.tensor(2.0, requires_grad=True)
    widget = GraphWidget(draw(x * x).snapshot)
    assert "#" not in widget.svg
    assert set(re.findall(r'data-part="(\w+)"', widget.svg)) >= set(widget.details) - {"n0"}
    rules = [line for line in widget.stylesheet.splitlines() if line]
    assert all(line.startswith(".minigrad-live .minigrad-picture ") for line in rules)
    roles = set(re.findall(r"var\(--minigrad-(\w+)\)", widget.stylesheet))
    assert roles <= set(widget.themes["light"])


def test_no_name_of_a_trait_is_one_that_ipywidgets_takes_for_a_model():
    # Its views look for these models, and fail on a text.
    assert not {"style", "layout"} & set(GraphWidget.class_own_traits())
