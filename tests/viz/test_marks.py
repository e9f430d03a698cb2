"""Marks: what is drawn besides a snapshot, in the picture, in the outline and in the widget."""

import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from minigrad.viz import draw
from minigrad.viz.draw.dot import dot_source, room_for
from minigrad.viz.draw.drawing import Drawing
from minigrad.viz.draw.marks import CURRENT, DONE, FADED, WAITING, Gradient, Mark, Marks, Room
from minigrad.viz.draw.theme import THEMES
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


@pytest.fixture
def square(torch):
    """The graph of ``out = x * x`` at 3."""
    x = torch.tensor(3.0, requires_grad=True)
    return draw(x * x, names={"x": x}).snapshot


def boxes_and_ways(svg):
    """Where the boxes are, and the paths of all arrows."""
    groups = ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}g")
    return [
        path.get("d")
        for group in groups
        if group.get("class") in ("node", "edge")
        for path in group.iter("{http://www.w3.org/2000/svg}path")
        if path.get("stroke") != "#a84300" or group.get("class") == "node"
    ]


def test_gradients_ride_on_their_edges_and_notes_stand_in_boxes(square):
    drawing = Drawing(square, marks=RUNNING)
    words = re.findall(">([^<>]+)<", drawing.svg().replace("\N{NO-BREAK SPACE}", " "))
    assert [word.strip() for word in words].count("1 × 3 = 3") == 2
    assert "runs" in words
    assert "stroke-dasharray" in drawing.svg()


def test_a_number_stands_close_to_its_arrow_however_much_room_it_has(square):
    room = Room(edges={("n1", 0): 20})
    marks = Marks(gradients={("n1", 0): Gradient("6")}, room=room)
    lines = re.findall(r">([^<>]*6[^<>]*)<", dot_source(square, THEMES["light"], "TB", marks))
    blank = "\N{NO-BREAK SPACE}"
    assert [line for line in lines if line.strip(blank) == "6"] == [f"{blank * 2}6{blank * 20}"]


def test_a_gradient_that_has_not_come_is_not_in_the_picture(square):
    marks = replace(START, room=room_for((square, marks) for marks in (START, RUNNING, END)))
    svg = Drawing(square, marks=marks).svg()
    assert "×" not in svg
    assert "stroke-dasharray" not in svg


def test_with_room_the_picture_does_not_jump(square):
    room = room_for((square, marks) for marks in (START, RUNNING, END))
    pictures = [
        boxes_and_ways(Drawing(square, marks=replace(marks, room=room)).svg())
        for marks in (START, RUNNING, END)
    ]
    assert len(pictures[0]) > 4
    nodes = [[path for path in picture if path.count("C") > 2] for picture in pictures]
    assert nodes[0] == nodes[1] == nodes[2]


def test_what_is_faded_is_dotted_and_says_so_in_one_color(square):
    source = Drawing(square, marks=Marks({"n1": Mark(FADED, "left out")})).dot
    (pill,) = re.findall(r"^  n1 \[.*", source, re.MULTILINE)
    assert "dotted" in pill
    assert set(re.findall('COLOR="([^"]*)"', pill)) == {"#57606a"}


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
    assert "×" not in widget.dot
    widget.show(square, news="MulBackward0 runs", marks=RUNNING)
    assert "1 × 3 = 3" in widget.dot.replace("\N{NO-BREAK SPACE}", " ")
    assert "passes 1 × 3 = 3 to x" in widget.outline
    assert widget.news == "MulBackward0 runs"
    data, _ = widget._repr_mimebundle_()
    assert data["text/plain"] == widget.outline
    assert "stroke-dasharray" in data["image/svg+xml"]
