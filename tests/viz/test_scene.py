"""What a picture shows: cards, operations, forks and data, and what stands at each road."""

import pytest

from minigrad.viz import draw, record
from minigrad.viz.draw.marks import NO_MARKS, Gradient, Marks
from minigrad.viz.draw.picture import Picture
from minigrad.viz.draw.scene import scene_of


class Seen:
    """A scene in words: boxes by their ids, and roads as (from, to, above, below)."""

    def __init__(self, drawing, marks=NO_MARKS, detail="values"):
        scene = scene_of(drawing.snapshot, marks, detail)
        self.kinds = {box.id: box.kind for box in scene.boxes}
        self.texts = {box.id: rows(box.rows) for box in scene.boxes}
        self.signs = {box.id: box.sign for box in scene.boxes if box.sign}
        self.roads = [(w.source, w.target, rows(w.above), rows(w.below)) for w in scene.ways]
        self.ways = [(way.source, way.target, way.kind) for way in scene.ways]


def rows(found):
    return ["heat" if row.heat else words(row) for row in found if row.heat or words(row)]


def words(row):
    inks = (ink.text.strip() for ink in (*row.left, *row.right) if ink.role != "none")
    return " ".join(filter(None, inks))


@pytest.fixture
def tutorial(torch):
    x = torch.ones(2, 2, requires_grad=True)
    with record():
        y = x + 2
        z = y * y * 3
        out = z.mean()
        out.backward()
    return draw(out)


def test_the_tutorials_graph(tutorial):
    seen = Seen(tutorial)
    assert seen.texts["t0"] == ["x 2×2", "value all 1", "grad all 4.5"]
    assert seen.signs == {"n1": "+ 2", "n2": "×", "n3": "× 3", "n4": "mean"}
    assert seen.texts["n1"] == ["AddBackward0"]
    operations = dict.fromkeys(("n1", "n2", "n3", "n4"), "operation")
    assert seen.kinds == {"t0": "leaf", "f0": "fork", "t3": "result", **operations}
    assert seen.roads == [
        ("t0", "n1", [], ["all 4.5"]),
        ("n1", "f0", ["y 2×2"], ["all 2.25 + all 2.25 = all 4.5"]),
        ("f0", "n2", [], ["all 2.25"]),
        ("f0", "n2", [], ["all 2.25"]),
        ("n2", "n3", [], ["all 0.75"]),
        ("n3", "n4", ["z 2×2"], ["all 0.25"]),
        ("n4", "t3", [], ["1"]),
    ]


def test_each_level_adds_to_the_one_before(tutorial):
    saved, everything = (Seen(tutorial, detail=detail).texts for detail in ("saved", "all"))
    assert saved["n2"] == ["MulBackward0", "□ self freed", "□ other freed"]
    assert saved["t0"][0] == "x 2×2"
    assert everything["t0"][0] == "x float32 [2, 2]"
    assert everything["n2"] == [*saved["n2"], "n2"]


def test_data_has_a_card_and_a_number_belongs_to_its_sign(torch):
    w = torch.ones(3, requires_grad=True)
    data = torch.tensor([1.0, 2.0, 3.0])
    seen = Seen(draw((w * data).exp() / 4))
    assert seen.texts["d0"] == ["data 3", "1  2  3"]
    assert ("d0", "n1", "data") in seen.ways
    assert seen.signs["n3"] == "÷ 4"
    with record():
        out = (2 - w) ** 3 - 0.5
        out.sum(0)
    assert list(Seen(draw(out)).signs.values()) == ["2 −", "** 3", "− 0.5"]


def test_a_tensor_that_keeps_its_gradient_is_a_card_on_the_way(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    y.retain_grad()
    out = y.exp()
    out.backward()
    seen = Seen(draw(out))
    assert seen.texts["t1"] == ["y", "value 6", "grad 403.4288"]
    ways = [way[:2] for way in seen.ways]
    assert ways == [("t0", "n1"), ("n1", "t1"), ("t1", "n2"), ("n2", "t2")]


def test_few_entries_are_digits_more_are_heat_and_most_are_a_shape(torch):
    few = torch.tensor([[1.0, -2.5]] * 4)
    values = (few, few.T, torch.ones(20, 20) * few[0, 1])
    texts = [Seen(draw(value, names={})).texts["t0"] for value in values]
    assert texts[0] == ["data 4×2", *["1  −2.5"] * 4]
    assert texts[1] == ["data 2×4", "1  1  1  1", "−2.5  −2.5  −2.5  −2.5"]
    assert texts[2] == ["data 20×20"]
    for value, shown in ((torch.arange(12.0), ["heat"]), (torch.arange(17.0), [])):
        assert Seen(draw(value)).texts["t0"][1:] == shown


def test_outputs_without_a_name_are_numbered(torch):
    x = torch.ones(2, 2, requires_grad=True)
    first, second = x.unbind()
    out = first * second
    above = [road[2] for road in Seen(draw(out, names={"out": out, "x": x})).roads]
    assert above == [[], ["output 0 2"], ["output 1 2"], []]


def test_a_cut_says_why_and_a_limit_what_it_leaves_out(torch):
    x = torch.tensor(2.0, requires_grad=True)
    with record():
        d = x.detach()
        x.sin().item()
    seen = Seen(draw(x.exp(), d))
    assert seen.texts["t2"] == ["d", "value 2", "detached"]
    assert ("t0", "t2", "missing") in seen.ways
    y = x
    for _ in range(5):
        y = y.exp()
    seen = Seen(draw(y, limit=3))
    assert seen.texts["more"] == ["… stopped after 3 nodes:", "the rest is left out"]
    assert ("more", "n0", "dotted") in seen.ways


def test_a_sum_says_when_more_has_come_than_is_drawn(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    with record():
        (y + x).backward()
    assert Seen(draw(y)).roads[0][3] == ["3 + 3 + … = 7"]


def test_gradients_that_are_marked_come_first(torch):
    x = torch.tensor(3.0, requires_grad=True)
    marks = Marks(gradients={("n1", 0): Gradient("1 × 2 = 2", passing=True)})
    drawing = draw(x * 2)
    assert Seen(drawing, marks).roads[0] == ("t0", "n1", [], ["1 × 2 = 2"])
    assert Seen(drawing).roads[0] == ("t0", "n1", [], [])


def test_a_module_has_its_values_above_the_road_and_its_gradients_below(torch):
    net = torch.nn.Sequential(*(torch.nn.Linear(4, 4) for _ in range(6)))
    before = draw(net(torch.ones(2, 4)).sum())
    out = net(torch.ones(2, 4)).sum()
    out.backward()
    for drawing, below in ((before, 0), (draw(out), 2)):
        scene = Picture(drawing.snapshot).scene
        module = next(box for box in scene.boxes if box.name == "net.1")
        (middle,) = [index for index, row in enumerate(module.rows) if row.lanes]
        assert rows(module.rows[:middle])[:3] == ["net.1", "weight 4×4", "bias 4"]
        assert len(rows(module.rows[middle:])) == below
