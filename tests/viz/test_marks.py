"""Marks: what is drawn besides a snapshot, in the picture, in the outline and in the widget."""

from minigrad.viz.draw.drawing import Drawing
from minigrad.viz.draw.marks import CURRENT, DONE, WAITING, Gradient, Mark, Marks
from minigrad.viz.live.graph_widget import GraphWidget

START = Marks(
    {"n1": Mark(WAITING, "waits for 1")},
    {("n1", 0): Gradient(), ("n1", 1): Gradient(), ("t1", 0): Gradient()},
)
RUNNING = Marks(
    {"n1": Mark(CURRENT, "runs")},
    {
        ("n1", 0): Gradient("1 × 3 = 3", passing=True),
        ("n1", 1): Gradient("1 × 3 = 3", passing=True),
        ("t1", 0): Gradient("1"),
    },
)
END = Marks(
    {"n0": Mark("", "None + 6 = 6"), "n1": Mark(DONE, "done")},
    {("n1", 0): Gradient("3"), ("n1", 1): Gradient("3"), ("t1", 0): Gradient("1")},
)


def test_the_outline_says_it_in_words(square):
    assert Drawing(square, marks=RUNNING).outline == (
        "Graph of n1: 1 leaf, 1 operation\n"
        "x: leaf, float32 [] = 3, grad None\n"
        "n0 AccumulateGrad: adds to x.grad\n"
        "n1 MulBackward0(x, x)\n"
        "  keeps self = x, other = x\n"
        "  gives n1: result, float32 [] = 9\n"
        "  runs\n"
        "  passes 1 × 3 = 3 to x\n"
        "  passes 1 × 3 = 3 to x"
    )
    after = Drawing(square, marks=END).outline
    assert "adds to x.grad\n  None + 6 = 6\n" in after
    assert "  has passed 3 to x\n" in after


def test_the_widget_shows_marks_and_leaves_them_behind(square):
    widget = GraphWidget(square, marks=START)
    assert "waits for 1" in widget.outline
    assert "1 × 3" not in widget.svg
    widget.show(square, news="MulBackward0 runs", marks=RUNNING)
    assert "1 × 3 = 3" in widget.svg
    assert "passes 1 × 3 = 3 to x" in widget.outline
    assert widget.news == "MulBackward0 runs"
    data, _ = widget._repr_mimebundle_()
    assert data["text/plain"] == widget.outline
    assert "1 × 3 = 3" in data["image/svg+xml"]
