"""Where boxes and roads are: columns, levels, and the way from one to the other."""

from itertools import pairwise

import pytest

from minigrad.viz import draw
from minigrad.viz.draw.layout import Layout, Road, Room
from minigrad.viz.draw.picture import Picture


def placed(drawing, direction="LR"):
    picture = Picture(drawing.snapshot, direction=direction)
    return picture.layout.place(), picture.scene


def test_a_chain_is_one_straight_line(torch):
    x = torch.tensor(0.5, requires_grad=True)
    out = (x * 2 + 1).tanh()
    for direction, axis in (("LR", 1), ("TB", 0)):
        lines = placed(draw(out), direction)[0].lines.values()
        assert len({point[axis] for line in lines for point in line}) == 1


def test_leaves_come_first_in_the_order_of_their_use_and_the_result_last(torch):
    leaves = {name: torch.tensor(2.0, requires_grad=True) for name in "abcd"}
    y = leaves["a"] * leaves["b"] + leaves["c"]
    places, scene = placed(draw(y * leaves["d"], names=leaves))
    names = {box.id: box.name for box in scene.boxes}
    cards = {names[box]: area for box, area in places.boxes.items()}
    column = sorted("abcd", key=lambda name: cards[name].y)
    assert column == list("abcd")
    assert {cards[name].x for name in "abcd"} == {cards["a"].x}
    result = places.boxes[scene.boxes[-1].id]
    assert all(area.x + area.width < result.x for area in places.boxes.values() if area != result)


def test_roads_that_end_at_one_box_end_beside_each_other(torch):
    leaves = [torch.tensor(float(i), requires_grad=True) for i in range(9)]
    places, scene = placed(draw(torch.stack(leaves)))
    ends = [places.lines[way.id][-1].y for way in scene.ways[:-1]]
    assert ends == sorted(ends)
    assert min(b - a for a, b in pairwise(ends)) >= 10


def test_a_label_stands_half_way_along_its_road(torch):
    a, b, c = (torch.tensor(2.0, requires_grad=True) for _ in range(3))
    places, scene = placed(draw((a * b).exp() + c))
    (start,) = [box.id for box in scene.boxes if box.name == "c"]
    (road,) = [way for way in scene.ways if way.source == start]
    label, line = places.labels[road.id], places.lines[road.id]
    level = [point.x for point in line if point.y == line[0].y]
    assert label.x + label.width / 2 == pytest.approx((level[0] + level[-1]) / 2, abs=1)


def test_what_does_not_fit_is_folded_and_then_runs_down(torch):
    x = torch.ones(2, 2, requires_grad=True)
    chain = ((x + 2) * 3).mean()
    assert not Picture(draw(chain).snapshot).layout.down
    for _ in range(12):
        chain = chain * 2
    assert Picture(draw(chain).snapshot).layout.down
    assert not Picture(draw(chain).snapshot, direction="LR").layout.down
    layers = [m for _ in range(2) for m in (torch.nn.Linear(2, 2), torch.nn.Tanh())]
    net = torch.nn.Sequential(*layers)
    picture = Picture(draw(net(torch.ones(1, 2)).sum()).snapshot)
    assert not picture.layout.down
    assert {box.name for box in picture.scene.boxes} > {"net.0", "net.2"}


def test_the_label_of_a_road_has_its_room():
    rooms = {"a": Room(40, 20, 20), "b": Room(40, 20, 20)}
    places = Layout(rooms, [Road("r", "a", "b", Room(60, 12, 30))]).place()
    label = places.labels["r"]
    assert (round(label.width), round(label.height)) == (60, 42)
    assert label.x >= places.boxes["a"].x + 40
    assert label.x + label.width <= places.boxes["b"].x
