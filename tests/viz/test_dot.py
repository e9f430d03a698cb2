"""The picture's source: what is a card, what rides on an arrow, which way it runs."""

import re

from minigrad.viz import draw

SPACE = "\N{NO-BREAK SPACE}"


def label(source, box):
    """The text of one box, line by line."""
    (table,) = re.findall(rf"^  {box} \[.*label=<(.*)>, style", source, re.MULTILINE)
    lines = re.findall(r"<TR>(.*?)</TR>", table)
    return [re.sub("<[^>]*>", "", line).replace(SPACE, " ").rstrip() for line in lines]


def arrows(dot):
    """The arrows with the names that ride on them."""
    found = re.findall(r"^  (\w+) -> (\w+) \[(.*)\]$", dot, re.MULTILINE)
    names = (
        re.sub("<[^>]*>|label=<|>$", "", name).replace(SPACE, " ").strip() for *_, name in found
    )
    return [(source, target, name) for (source, target, _), name in zip(found, names, strict=True)]


def direction(drawing):
    return re.search("rankdir=(..)", drawing.dot)[1]


def test_cards_pills_and_arrows_of_the_tutorial_graph(torch):
    x = torch.ones(2, 2, requires_grad=True)
    y = x + 2
    z = y * y * 3
    out = z.mean()
    source = draw(out).dot
    assert label(source, "t0") == [
        "x  leaf",
        "float32 [2, 2]",
        "value 1  1",
        "      1  1",
        "grad  None",
    ]
    assert label(source, "n1") == ["AddBackward0"]
    assert label(source, "n2") == ["MulBackward0", "keeps self, other"]
    assert label(source, "n3") == ["MulBackward0", "keeps other = 3"]
    assert label(source, "t3") == ["out  result", "float32 []", "value 27"]
    assert arrows(source) == [
        ("t0", "n1", ""),
        ("n1", "n2", "y"),
        ("n1", "n2", ""),
        ("n2", "n3", ""),
        ("n3", "n4", "z"),
        ("n4", "t3", ""),
    ]


def test_gradients_are_in_their_color_and_freed_values_in_words(torch):
    x = torch.ones(2, 2, requires_grad=True)
    out = (x * x).mean()
    out.backward()
    source = draw(out).dot
    assert label(source, "t0")[-2:] == ["grad  0.5  0.5", "      0.5  0.5"]
    assert 'COLOR="#a84300" POINT-SIZE="11" FACE="Courier">0.5' in source
    assert label(source, "n1") == ["MulBackward0", "self, other freed"]
    assert re.search("n1 .*dashed", source)


def test_columns_of_numbers_are_right_aligned(torch):
    x = torch.tensor([[1.0, -22.5], [333.0, 4.0]], requires_grad=True)
    assert label(draw(x).dot, "t0")[2:4] == ["value   1  -22.5", "      333      4"]


def test_a_drawn_value_in_the_middle_is_a_card_on_the_way(torch):
    a = torch.tensor(2.0, requires_grad=True)
    b = a + 1
    c = b * b
    drawing = draw(b, c)
    assert label(drawing.dot, "t1") == ["b  intermediate", "float32 []", "value 3"]
    assert [(s, t) for s, t, _ in arrows(drawing.dot)] == [
        ("t0", "n1"),
        ("n1", "t1"),
        ("t1", "n2"),
        ("t1", "n2"),
        ("n2", "t2"),
    ]


def test_outputs_without_a_name_are_numbered(torch):
    x = torch.ones(2, 2, requires_grad=True)
    out = x.unbind()[0] * x.unbind()[1]
    drawing = draw(out, names={"out": out, "x": x})
    assert "output 1" in [name for _, _, name in arrows(drawing.dot)]


def test_a_constant_is_shown_by_name_or_number(torch):
    w = torch.ones(3, requires_grad=True)
    data = torch.tensor([1.0, 2.0, 3.0])
    assert label(draw(w * data).dot, "n1")[1] == "keeps other = data"
    assert label(draw(w * data, names={"w": w}).dot, "n1")[1] == "keeps other"
    assert label(draw(w * 0.5).dot, "n1")[1] == "keeps other = 0.5"


def test_a_tensor_without_graph_is_a_card_that_says_so(torch):
    d = torch.tensor(1.0)
    source = draw(d).dot
    assert label(source, "t0") == ["d  no graph", "float32 []", "requires_grad=False", "value 1"]
    assert "dotted" in source


def test_left_to_right_where_it_fits_else_top_to_bottom(torch):
    x = torch.ones(2, 2, requires_grad=True)
    out = ((x + 2) * 3).mean()
    assert direction(draw(out)) == "LR"
    assert direction(draw(out, direction="TB")) == "TB"
    chain = x
    for _ in range(10):
        chain = chain * 2
    assert direction(draw(chain)) == "TB"
    assert direction(draw(chain, direction="LR")) == "LR"


def test_what_is_left_out_is_said(torch):
    y = torch.tensor(1.0, requires_grad=True)
    for _ in range(10):
        y = y + 1
    source = draw(y, limit=3).dot
    assert label(source, "more") == ["… stopped after 3 nodes: the rest is left out"]
    assert ("more", "n0") in [(s, t) for s, t, _ in arrows(source)]


def test_more_rows_than_fit_are_shortened(torch):
    lines = label(draw(torch.ones(5, 6, 2)).dot, "t0")
    assert len(lines) == 3 + 7
    assert lines[-1] == "      …"
