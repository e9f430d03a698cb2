"""No label lies on a line or on another label, and no line runs through a box of others."""

import json
import runpy
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad
from minigrad.viz import draw, record
from minigrad.viz.draw import legend
from minigrad.viz.draw.drawing import Drawing
from tests.viz.geometry import Sheet

ROOT = Path(__file__).parents[2]
GALLERY = sorted((ROOT / "docs" / "gallery").glob("*.py"))
PICTURE = 60  # nodes; lesson 21 prints a larger graph's outline, and shows no picture of it
LESSONS = sorted((ROOT / "lessons").glob("*.ipynb"))


def faults(drawing):
    """What is wrong with a drawing as it is, and in both directions with all that can be in it."""
    snapshot, marks = drawing.snapshot, drawing.marks
    ways = [Drawing(snapshot, way, marks=marks, detail="all") for way in ("LR", "TB")]
    return [fault for one in (drawing, *ways) for fault in Sheet(one.svg()).faults()]


@pytest.fixture
def drawn(monkeypatch):
    """The drawings that a program makes."""
    made = []
    keep = Drawing.__init__

    def note(self, *args, **options):
        keep(self, *args, **options)
        made.append(self)

    monkeypatch.setattr(Drawing, "__init__", note)
    return made


def distinct(drawings):
    return {drawing.snapshot.to_json(): drawing for drawing in drawings}.values()


@pytest.mark.parametrize("program", GALLERY, ids=lambda path: path.stem)
def test_graphs_of_the_gallery(program, drawn):
    with record():
        runpy.run_path(str(program))
    assert drawn
    assert [faults(drawing) for drawing in distinct(list(drawn)) if faults(drawing)] == []


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore")
def test_graphs_of_the_lessons(lesson, drawn):
    space = {"__name__": "__main__"}
    for cell in json.loads(lesson.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code" and "".join(cell["source"]).strip():
            with suppress(Exception):
                exec("".join(cell["source"]), space)
    sizes = [(len(drawing.snapshot.nodes), drawing) for drawing in distinct(list(drawn))]
    shown = [drawing for size, drawing in sizes if 0 < size <= PICTURE]
    assert shown or lesson.stem[:2] in ("01", "12", "14")  # which show instruments and leaves
    assert [faults(drawing) for drawing in shown if faults(drawing)] == []


STEPS = st.tuples(st.sampled_from("+-*@etd2k"), st.integers(0, 9), st.integers(0, 9))


@given(st.integers(1, 6), st.lists(STEPS, min_size=1, max_size=9), st.booleans(), st.booleans())
@settings(max_examples=25, deadline=None)
def test_any_small_program(leaves, steps, matrices, backward):
    torch = minigrad
    found = [
        torch.full((2, 2), i + 1.0, requires_grad=True)
        if matrices
        else torch.tensor(i / 7, requires_grad=True)
        for i in range(leaves)
    ]
    with record():
        for sign, i, j in steps:
            one, other = found[i % len(found)], found[j % len(found)]
            make = {
                "+": lambda a, b: a + b,
                "-": lambda a, b: 2 - a,
                "*": lambda a, b: a * b,
                "@": lambda a, b: a @ b if matrices else a / 3,
                "e": lambda a, b: (a / 9).exp(),
                "t": lambda a, b: torch.tanh(a),
                "d": lambda a, b: a.detach() * b,
                "2": lambda a, b: torch.stack([a, b]).sum(0),
                "k": lambda a, b: a.clone(),
            }[sign]
            found.append(make(one, other))
            if sign == "k" and found[-1].requires_grad:
                found[-1].retain_grad()
        out = found[-1].sum()
        if backward and out.requires_grad:
            out.backward()
    named = {f"v{index}": tensor for index, tensor in enumerate(found)}
    assert faults(draw(out, names=named | {"out": out})) == []


def test_the_legend():
    assert Sheet(legend.legend().svg()).faults() == []
