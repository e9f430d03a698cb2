"""The picture as SVG: what its parts are called, how it looks, and that it doesn't jump."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from minigrad.viz import draw, record
from minigrad.viz.draw.drawing import Drawing
from minigrad.viz.draw.marks import CURRENT, FADED, Gradient, Mark, Marks

SVG = "{http://www.w3.org/2000/svg}"


def groups(drawing):
    """The parts of a picture: class, its words, and what its shapes are."""
    found = {}
    for group in ElementTree.fromstring(drawing.svg()).iter(f"{SVG}g"):
        name = group.get("data-part") or group.get("data-road")
        shapes = [(shape.tag.removeprefix(SVG), shape.get("class")) for shape in group]
        found[name] = group.get("class"), group.findtext(f"{SVG}title"), shapes
    return found


def test_parts_and_roads_are_named_for_the_browser(square):
    root = ElementTree.fromstring(Drawing(square).svg())
    roads = [group for group in root.iter(f"{SVG}g") if group.get("data-road")]
    ends = [(r.get("data-from"), r.get("data-to"), r.get("data-edges")) for r in roads]
    assert ends == [
        ("t0", "f0", "n1:0 n1:1"),
        ("f0", "n1", "n1:0"),
        ("f0", "n1", "n1:1"),
        ("n1", "t1", "t1:0"),
    ]
    kind, title, _ = groups(Drawing(square))["n1"]
    assert kind == "box operation"
    assert title.startswith("n1 MulBackward0(x, x)\n")


def test_a_sign_is_two_strokes_and_a_word_is_text(square, torch):
    assert groups(Drawing(square))["n1"][2][-3:-1] == [("line", "stroke")] * 2
    x = torch.tensor(3.0, requires_grad=True)
    assert ("text", "word") in groups(draw(x.tanh()))["n1"][2]


@pytest.mark.parametrize(("direction", "across"), [("LR", 1), ("TB", 0)])
def test_values_run_above_the_road_or_left_of_it_and_gradients_opposite(torch, direction, across):
    x = torch.tensor(3.0, requires_grad=True)
    with record():
        y = x * 2
        y.backward()
    root = ElementTree.fromstring(draw(y, direction=direction).svg())
    (road,) = (group for group in root.iter(f"{SVG}g") if group.get("data-from") == "t0")
    places = {}
    for shape in road:
        if shape.get("class", "").startswith("lane"):
            first, *_, last = re.findall(r"(-?[\d.]+),(-?[\d.]+)", shape.get("d"))
            places[shape.get("class")] = float(first[across]), float(last[across])
    (label,) = (text for text in road.iter(f"{SVG}text") if text.text == "2")
    assert max(places["lane"]) < min(places["lane back"])
    assert max(places["lane back"]) < float(label.get("xy"[across]))


def test_a_gradient_has_a_lane_of_its_own_once_it_has_come(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * 2
    before = draw(y)
    with record():
        y.backward()
    lanes = [
        [shape for shape in groups(drawing)["r0"][2] if shape[0] == "path"]
        for drawing in (before, draw(y))
    ]
    forward = [("path", "lane"), ("path", "tip")]
    assert lanes == [forward, [*forward, ("path", "lane back"), ("path", "tip back")]]


def test_marks_change_looks_and_words_but_no_places(square):
    def frames(marks):
        root = ElementTree.fromstring(Drawing(square, marks=marks).svg())
        rects = [rect.attrib for rect in root.iter(f"{SVG}rect") if rect.get("class") == "frame"]
        return [{**rect, "class": ""} for rect in rects]

    runs = Marks({"n1": Mark(CURRENT)}, {("n1", 0): Gradient("1 × 3", passing=True)})
    done = replace(runs, parts={"n1": Mark(FADED)}, gradients={("n1", 0): Gradient("3")})
    assert frames(runs) == frames(done)
    found = groups(Drawing(square, marks=runs))
    assert found["n1"][0] == "box operation current"
    assert found["r1"][0] == "road value passing"
    assert groups(Drawing(square, marks=done))["n1"][0] == "box operation faded"


def test_entries_are_squares_by_sign_and_size(torch):
    values = torch.tensor([[4.0, -4.0, 2.0, 0.0, 1.0]] * 2, requires_grad=True)
    root = ElementTree.fromstring(draw(values).svg())
    paths = [p for p in root.iter(f"{SVG}path") if p.get("class", "").startswith("heat")]
    seen = {(p.get("class"), p.get("fill-opacity")): p.get("d").count("M") for p in paths}
    positive = {("heat", opacity): 2 for opacity in ("0.25", "0.5", "1")}
    assert seen == {("heat negative", "1"): 2, **positive}


@pytest.mark.parity
def test_both_engines_give_the_same_bytes():
    import torch

    import minigrad

    def program(engine):
        engine.manual_seed(0)
        x = engine.ones(2, 2, requires_grad=True)
        w = engine.tensor([[0.5], [-1.5]], requires_grad=True)
        with record():
            y = (x + 2) @ w
            d = y.detach()
            out = (y * y * 0.25 - 1).sum()
            out.backward()
        return draw(out, d, detail="all")

    ours, theirs = program(minigrad), program(torch)
    assert ours.outline == theirs.outline
    assert ours.svg() == theirs.svg()
