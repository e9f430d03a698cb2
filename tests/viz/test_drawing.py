"""draw() and what can be done with a drawing, on a machine with Graphviz and on one without."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from minigrad.viz import draw, take_snapshot
from minigrad.viz.draw.drawing import Drawing
from minigrad.viz.draw.render import RenderError, layout
from minigrad.viz.draw.text import shorten

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def drawing(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    return draw(y)


def texts(svg):
    return [element.text for element in ET.fromstring(svg).iter(f"{SVG}text")]


def test_a_notebook_gets_outline_and_picture_and_nothing_else(drawing, capfd):
    bundle = drawing._repr_mimebundle_(include=None, exclude=None)
    assert bundle["text/plain"] == repr(drawing) == drawing.outline
    shown = texts(bundle["image/svg+xml"])
    assert {"x", "MulBackward0", "y", "4"} <= set(shown)
    assert capfd.readouterr() == ("", "")


def test_the_picture_can_be_read_aloud_and_stand_beside_another(drawing):
    svg = drawing.svg()
    root = ET.fromstring(svg)
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"] == "Graph of y: 1 leaf, 1 operation"
    assert root.find(f"{SVG}title").text == "Graph of y: 1 leaf, 1 operation"
    assert root.find(f"{SVG}desc").text == drawing.outline
    assert not [element for element in root.iter() if "id" in element.attrib]
    titles = [group.text for group in root.iter(f"{SVG}title")]
    assert "x: leaf, float32 [] = 2, grad None" in titles


@pytest.mark.parametrize(("theme", "background"), [("light", "#ffffff"), ("dark", "#12161b")])
def test_the_picture_has_a_background_of_its_own(torch, theme, background):
    picture = ET.fromstring(draw(torch.ones(1), theme=theme).svg())
    assert picture.find(f"{SVG}rect").attrib["class"] == "ground"
    assert f".ground {{ fill: {background};" in picture.find(f"{SVG}style").text


def test_the_picture_has_the_colors_of_its_page(torch):
    light, dark = draw(torch.ones(1)).svg().split("@media (prefers-color-scheme: dark)")
    assert ".ground { fill: #ffffff;" in light
    assert ".ground { fill: #12161b;" in dark


@pytest.mark.parametrize(
    ("ending", "start"),
    [
        (".svg", b"<svg"),
        (".png", b"\x89PNG"),
        (".pdf", b"%PDF"),
        (".json", b"{"),
        (".SVG", b"<svg"),
    ],
)
def test_saved_files_are_what_they_say_and_always_the_same(drawing, tmp_path, ending, start):
    once, again = tmp_path / f"once{ending}", tmp_path / f"again{ending}"
    drawing.save(once)
    drawing.save(str(again))
    assert once.read_bytes().startswith(start)
    assert once.read_bytes() == again.read_bytes()
    assert once.stat().st_size > 3_000 or ending == ".json"  # a blank one is smaller


@pytest.mark.parametrize("name", ["graph.txt", "graph", "graph.gif"])
def test_other_endings_are_refused(drawing, tmp_path, name):
    with pytest.raises(ValueError, match=r"can save as \.svg, \.png, \.pdf, \.html or \.json, but"):
        drawing.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_without_graphviz_the_outline_is_shown_with_a_hint(drawing, no_graphviz, capfd):
    bundle = drawing._repr_mimebundle_()
    assert bundle["text/plain"] == drawing.outline
    shown = texts(bundle["image/svg+xml"])
    assert "n1 MulBackward0(x, x)" in shown
    assert "pip install pygraphviz" in " ".join(text for text in shown if text)
    assert capfd.readouterr() == ("", "")


def test_without_graphviz_a_png_is_refused_with_a_hint(drawing, no_graphviz, tmp_path):
    with pytest.raises(RenderError, match="pip install pygraphviz"):
        drawing.save(tmp_path / "graph.png")
    assert list(tmp_path.iterdir()) == []


def put_dot(folder: Path, does: str) -> None:
    """A program `dot` in `folder` that reads its input, and then does this line of Python."""
    script = folder / "dot.py"
    script.write_text(f"import sys; sys.stdin.read(); {does}", encoding="utf-8")
    if sys.platform == "win32":
        (folder / "dot.bat").write_text(f'@"{sys.executable}" "{script}" %*')
    else:
        (folder / "dot").write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}" "$@"\n')
        (folder / "dot").chmod(0o755)


def test_the_systems_dot_comes_first(drawing, tmp_path, monkeypatch):
    put_dot(tmp_path, "print('graph 1 10 20', sys.argv[1:])")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    layout.cache_clear()
    assert layout("digraph {}") == "graph 1 10 20 ['-Tplain']\n"


def test_a_dot_that_fails_is_no_reason_to_show_nothing(drawing, tmp_path, monkeypatch):
    put_dot(tmp_path, "sys.exit('no such plugin')")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    layout.cache_clear()
    shown = " ".join(text for text in texts(drawing.svg()) if text)
    assert "n1 MulBackward0(x, x)" in shown
    assert "no such plugin" in shown
    with pytest.raises(RenderError, match="no such plugin"):
        drawing.save(tmp_path / "graph.png")


def drawn_with_name(fake, name):
    leaf = fake.Tensor()
    operation = fake.Node(name, None)
    result = fake.Tensor(operation)
    return Drawing(take_snapshot([result, leaf], [(name, leaf), (name, result)]))


HOSTILE = [
    "<script>alert(1)</script>",
    "</text></svg><img src=x onerror=alert(1)>",
    "&amp; &#60;b&#62; \"quoted\" 'single'",
    "{a|b} <i>",
    "a\nb\tc\0d\x1b[31m",
    "\\N \\G \\l \\\\ \\",
    "]]><!-- -->",
    "\ud800 \ufffe \u202e",
    "ünïcödé 𝛼 → ∂",
    "  ",
    "",
    "w" * 1_000_000,
]


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_is_shown_as_text(fake, name):
    svg = drawn_with_name(fake, name).svg()
    root = ET.fromstring(svg)
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert "path" in tags  # drawn, not the outline in its stead
    assert tags <= {"svg", "title", "desc", "style", "rect", "g", "path", "text"}
    assert not [key for e in root.iter() for key in e.attrib if key.startswith("on")]
    assert len(svg) < 20_000
    if name.strip():
        assert shorten(name, 24) in texts(svg)


@given(name=st.text(max_size=30))
@example(name="\\N")
@example(name="]")
@settings(max_examples=25)
def test_any_name_gives_a_picture(fake, name):
    drawing = drawn_with_name(fake, name)
    assert ET.fromstring(drawing.svg()).find(f".//{SVG}path") is not None
    assert len(drawing.outline.split("\n")) == 4


def test_bad_arguments_are_refused(torch):
    x = torch.ones(1, requires_grad=True)
    with pytest.raises(TypeError, match=r"draw\(\) takes one or more tensors, but got none"):
        draw()
    with pytest.raises(TypeError, match=r"draw\(\) takes tensors, but got list"):
        draw([x])
    with pytest.raises(TypeError, match=r"draw\(\) takes tensors, but got MulBackward0"):
        draw((x * 2).grad_fn)
    with pytest.raises(ValueError, match="direction must be 'LR' or 'TB', but got 'BT'"):
        draw(x, direction="BT")
    with pytest.raises(ValueError, match="theme must be 'light' or 'dark', but got 'blue'"):
        draw(x, theme="blue")
    with pytest.raises(ValueError, match="limit must be at least 1, but got 0"):
        draw(x, limit=0)


def test_the_same_tensor_twice_is_drawn_once(torch):
    x = torch.ones(1, requires_grad=True)
    assert repr(draw(x, x)) == repr(draw(x))


def test_viz_brings_neither_pytorch_nor_graphviz_nor_a_widget_with_it():
    program = (
        "import sys, minigrad.viz\n"
        "heavy = {'torch', 'graphviz', 'pygraphviz', 'anywidget', 'IPython'}\n"
        "print(heavy & {*sys.modules} or 'none')"
    )
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "none\n"


def test_a_page_holds_everything_and_no_text_in_it_is_markup(torch, tmp_path):
    nasty = "</script><script>alert(1)</script><!--"
    x = torch.tensor(2.0, requires_grad=True)
    drawing = draw(x * 3, names={nasty: x})
    drawing.save(tmp_path / "graph.html")
    page = (tmp_path / "graph.html").read_text(encoding="utf-8")
    assert page.count("</script>") == 2
    assert "<!--" not in page
    data = json.loads(re.search(r'id="data">(.*)</script>', page)[1])
    assert data["states"][""]["outline"] == drawing.outline
    assert not re.search(r"""(src|href)=["']?http|@import""", page)
