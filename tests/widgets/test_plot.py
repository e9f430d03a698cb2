"""Charts: whatever the numbers are, what is drawn is well-formed, inside, and said in words."""

from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from minigrad.widgets.plot import HEIGHT, WIDTH, Axis, Series, chart

SVG = "{http://www.w3.org/2000/svg}"
numbers = st.floats(allow_nan=True, allow_infinity=True, width=32)


@given(st.lists(st.tuples(numbers, numbers), max_size=30), st.booleans(), st.booleans())
def test_all_points_are_drawn_inside(points, log_x, log_y):
    picture = ET.fromstring(
        chart("A <chart>", Axis("x", log_x), Axis("y", log_y), [Series("a & b", points)])
    )
    assert picture.attrib["aria-label"] == picture.find(f"{SVG}title").text == "A <chart>"
    (line,) = picture.iter(f"{SVG}polyline")
    for point in line.attrib["points"].split():
        x, y = map(float, point.split(","))
        assert 0 <= x <= WIDTH
        assert 0 <= y <= HEIGHT


def test_series_differ_by_more_than_color():
    series = [Series(name, [(0, 0), (1, 1)]) for name in "ab"]
    picture = ET.fromstring(chart("Two", Axis("x"), Axis("y"), series))
    lines = list(picture.iter(f"{SVG}polyline"))
    assert len({line.attrib.get("stroke-dasharray") for line in lines}) == 2
    assert {text.text for text in picture.iter(f"{SVG}text")} >= {"a", "b", "x", "y", "0", "1"}


def test_ticks_are_round_numbers():
    texts = [
        text.text
        for text in ET.fromstring(
            chart("", Axis("t"), Axis("e", log=True), [Series("", [(0, 1e-9), (97, 0.3)])])
        ).iter(f"{SVG}text")
    ]
    assert {"0", "20", "40", "60", "80", "100", "1e-9", "1e-1"} <= set(texts)
