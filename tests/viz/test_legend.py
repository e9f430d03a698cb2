"""The legend shows every kind of box and arrow as pictures have them."""

import doctest
import json
from pathlib import Path

import pytest

from minigrad.viz import legend
from minigrad.viz.draw.theme import THEMES


def test_a_notebook_shows_a_picture_and_its_text():
    data = legend()._repr_mimebundle_()
    assert data["text/plain"] == repr(legend())
    assert data["image/svg+xml"].startswith("<svg")
    assert "a tensor that was cut off" in data["image/svg+xml"]
    json.dumps(data)


@pytest.mark.parametrize("theme", THEMES)
def test_it_has_the_colours_of_its_theme(theme):
    colours = THEMES[theme]
    source = legend(theme).svg()
    for colour in (colours.leaf, colours.result, colours.operation, colours.grad, colours.muted):
        assert colour in source
    with pytest.raises(ValueError, match="theme must be 'light' or 'dark', but got 'blue'"):
        legend("blue")


def test_it_needs_no_graphviz(no_graphviz):
    assert "data-part" in legend().svg()


def test_the_examples_of_the_page_about_it_run():
    page = Path(__file__).parents[2] / "docs" / "reading_the_picture.md"
    assert doctest.testfile(str(page), module_relative=False).failed == 0
