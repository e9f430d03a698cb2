"""The lessons in a browser alone: no server that computes, no network but for numpy's address.

numpy compiled for a browser is in no package index, so it is missing here, as it is for somebody
behind a strict filter. What stands on it is tested elsewhere; this is all that does not: the real
kernel, minigrad's wheel in it, the pictures, the widgets, the limits and the learner's progress.
"""

from __future__ import annotations

import base64
import importlib.metadata
import json
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import minigrad as torch
from minigrad.viz import draw
from minigrad.viz.read.snapshot import Snapshot
from tests.lite.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.lite

# A package whose __init__ wants numpy, without that: only what is in its folder.
WITHOUT_INIT = """
import importlib.util, pathlib, sys, types
minigrad = pathlib.Path(importlib.util.find_spec("minigrad").origin).parent
for name in ("", ".viz", ".exercises", ".widgets"):
    package = types.ModuleType("minigrad" + name)
    package.__path__ = [str(minigrad.joinpath(*name.split(".")))]
    sys.modules[package.__name__] = package
"""

INSTRUMENT = """
from minigrad.widgets.base import Instrument, State
from minigrad.viz.backward.answers import Numbers
from minigrad.widgets.questions import Question

class Slope(State):
    title, summary, text = "Slope", "a question", "x * x at 3"
    question = Question("What is the slope of x * x at 3?", Numbers(), lambda: 6, because="2 x.")

    def answered(self, question):
        self.question = None

instrument = Instrument(Slope(), [])
instrument
"""


@pytest.fixture(scope="module")
def asked(site: Site) -> list[str]:
    """What a cell shows that imports minigrad where numpy cannot be fetched."""
    outputs = site.run("import minigrad as torch")
    return [
        line for one in outputs if one["type"] == "error" for line in one["content"]["traceback"]
    ]


@pytest.fixture(scope="module")
def kernel(site: Site, asked: list[str]) -> Iterator[Site]:
    """The kernel, in which what needs no numpy can be imported."""
    site.printed(WITHOUT_INIT)
    yield site
    site.printed(
        "for name in [n for n in sys.modules if n.startswith('minigrad')]: del sys.modules[name]"
    )


@pytest.fixture(scope="module")
def snapshots() -> tuple[Snapshot, Snapshot]:
    """A graph before its backward pass, and after."""
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    before = draw(y, names={"x": x, "y": y}).snapshot
    y.backward()
    return before, draw(y, names={"x": x, "y": y}).snapshot


def carried(thing: object) -> str:
    """An expression that is `thing` in the kernel."""
    packed = base64.b64encode(pickle.dumps(thing)).decode()
    return f"__import__('pickle').loads(__import__('base64').b64decode('{packed}'))"


def test_the_kernel_starts_with_what_the_site_brings(site: Site) -> None:
    machine = site.data("import json, sys; print(json.dumps([sys.platform, sys.version_info[:2]]))")
    assert machine == ["emscripten", [3, 14]]
    assert not [url for url in site.asked_elsewhere if "numpy" not in url]


@pytest.mark.parametrize(("width", "app"), [(1280, "lab"), (390, "notebooks")])
def test_the_first_lesson_is_opened(browser: Browser, address: str, width: int, app: str) -> None:
    with browser.new_context(viewport={"width": width, "height": 844}) as context:
        page = context.new_page()
        page.goto(f"{address}/")
        page.wait_for_url(f"**/{app}/index.html*")
        page.locator(".jp-Notebook h1", has_text="Start here").wait_for()
        assert page.locator(".jp-Notebook").evaluate("it => it.clientWidth") > width / 2


def test_what_cannot_be_fetched_is_told_in_words(site: Site, asked: list[str]) -> None:
    (told,) = asked
    assert "numpy could not be fetched from" in told
    (address,) = set(site.asked_elsewhere)
    assert address in told
    assert "reload the\npage" in told
    assert "make lite WHEELS=FOLDER" in told


def test_the_wheel_is_minigrads_own(site: Site, asked: list[str]) -> None:
    found = site.printed("import importlib.metadata as it; print(it.version('minigrad-lessons'))")
    assert found.strip() == importlib.metadata.version("minigrad-lessons")


def test_a_lessons_cells_say_it_where_the_learner_looks(site: Site, asked: list[str]) -> None:
    shown = site.show("import minigrad as torch")
    shown.get_by_text("numpy could not be fetched").wait_for()


def test_the_lessons_are_those_of_the_repository_without_outputs(folder: Path) -> None:
    lessons = {path.name for path in Path(__file__).parents[2].glob("lessons/*.ipynb")}
    served = {path.name: json.loads(path.read_text()) for path in folder.glob("files/*.ipynb")}
    assert served.keys() == lessons
    cells = [cell for lesson in served.values() for cell in lesson["cells"]]
    assert not [cell for cell in cells if cell.get("outputs") or cell.get("execution_count")]


def test_webassembly_draws_pictures(kernel: Site, snapshots: tuple[Snapshot, Snapshot]) -> None:
    kernel.printed("import minigrad.viz.draw.drawing")
    shown = kernel.data(f"""
        import json
        from minigrad.viz.draw.drawing import Drawing
        drawing = Drawing({carried(snapshots[1])})
        print(json.dumps(drawing._repr_mimebundle_()))
        """)
    assert "MulBackward0" in shown["text/plain"]
    assert "<path" in shown["image/svg+xml"]  # arrows: not the outline in place of a picture
    assert "Graphviz did not draw" not in shown["image/svg+xml"]
    picture = kernel.show("drawing").locator("img")
    picture.wait_for()
    assert picture.bounding_box()["width"] > 200  # type: ignore[index]


def test_what_a_browser_cannot_save_is_told(kernel: Site) -> None:
    told = kernel.printed("""
        from minigrad.viz.draw.render import RenderError, render
        try:
            render("digraph {}", "png")
        except RenderError as error:
            print(error)
        """)
    assert told == "A browser draws no .png. Save as .svg, .html or .json there.\n"


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_the_live_graph_is_drawn_and_moves(
    kernel: Site, snapshots: tuple[Snapshot, Snapshot], theme: str
) -> None:
    kernel.change_theme(theme)
    before, after = map(carried, snapshots)
    shown = kernel.show(f"""
        from minigrad.viz.live.graph_widget import GraphWidget
        graph = GraphWidget({before})
        graph
        """)
    shown.locator("svg", has_text=re.compile(r"grad\s+None")).wait_for()
    kernel.printed(f"graph.show({after})")
    shown.locator("svg", has_text=re.compile(r"grad\s+6")).wait_for()


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_an_instrument_hears_the_learner(kernel: Site, theme: str) -> None:
    kernel.change_theme(theme)
    shown = kernel.show(INSTRUMENT)
    shown.get_by_text("What is the slope").wait_for()
    shown.get_by_label("Prediction").fill("6")
    shown.get_by_role("button", name="Predict").click()
    shown.locator(".mg-is-right").wait_for()


@pytest.mark.parametrize(
    "program",
    [
        "while True: pass",
        "while True:\n    with contextlib.suppress(BaseException): len('x')",
        "def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\nfib(80)",
        "sum(1 for _ in itertools.count())",
    ],
)
def test_what_does_not_end_is_stopped(kernel: Site, program: str) -> None:
    told = kernel.printed(f"""
        import contextlib, itertools
        from minigrad.exercises.limits import TimeLimit, TookTooLong
        try:
            with TimeLimit(0.2):
                exec({program!r})
        except TookTooLong as error:
            print(error)
        """)
    assert told == "stopped after 0.2 seconds\n"


def test_an_outer_limit_goes_on_after_an_inner_one_and_nothing_is_left(kernel: Site) -> None:
    told = kernel.printed("""
        from minigrad.exercises.limits import TimeLimit, TookTooLong

        def endless():
            while True:
                pass

        def inner_and_outer():
            try:
                with TimeLimit(0.05):
                    endless()
            except TookTooLong as error:
                print(error)
            endless()

        try:
            with TimeLimit(0.3):
                inner_and_outer()
        except TookTooLong as error:
            print(error)
        print([sys.monitoring.get_tool(tool) for tool in range(6)])
        """)
    assert told.splitlines() == [
        "stopped after 0.05 seconds",
        "stopped after 0.3 seconds",
        str([None] * 6),
    ]


def test_progress_survives_a_reload_of_the_page(kernel: Site) -> None:
    written = kernel.printed("""
        from minigrad.exercises import standing
        print(repr(standing.note("04_diamond", attempts=1)))
        print(repr(standing.note("04_diamond", attempts=1, hints=1, solved=True)))
        """)
    assert written == "''\n''\n"  # no word of what could not be saved
    kernel.open("00_start_here.ipynb")
    kernel.run("import minigrad")
    kernel.printed(WITHOUT_INIT)
    kept = kernel.printed("from minigrad.exercises import standing; print(standing.standings())")
    assert kept == "{'04_diamond': Standing(attempts=2, hints=1, solved=True)}\n"


def test_nothing_but_numpy_was_asked_of_anybody_else(site: Site) -> None:
    assert {url for url in site.asked_elsewhere if "/numpy-" not in url} == set()
