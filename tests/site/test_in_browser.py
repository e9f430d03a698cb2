"""The site in a real Chromium, from a server on loopback and from disk: nothing else is asked."""

from __future__ import annotations

import json
import linecache
import re
import runpy
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus, urlsplit

import pytest

from docs.extension.examples import LESSONS
from minigrad.explain import diagnose
from minigrad.explain.case import Case
from minigrad.explain.trail import Trail
from minigrad.widgets.nudge import NudgeState, neuron
from tests.replay import DATA
from tests.serving import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Route

pytestmark = pytest.mark.site

PAGES = """
    docs/index docs/gallery docs/benchmarks docs/reference/viz docs/read_the_engine
    docs/reading_the_picture docs/teachers-guide docs/hosting docs/for_pytorch_users docs/parity
    docs/when_it_raises docs/raises/graph_freed_before docs/questions/why_not_recurse 404
    docs/reference/functions docs/reference/tensors CHANGELOG CONTRIBUTING search
"""
EVERY_PAGE = [*PAGES.split(), *(f"lessons/{path.stem}" for path in sorted(LESSONS.glob("*.ipynb")))]
EACH_KIND = """
    docs/index docs/gallery docs/parity docs/questions/why_not_recurse
    docs/raises/graph_freed_before docs/reference/tensors lessons/03_backward_on_a_scalar
    lessons/19_debugging_clinic search 404 graphs/00_start_here_1 graphs/03a_upstream_times_local
    graphs/03a_upstream_times_local_steps
"""
GRAPH = "iframe.live-graph"
ERRORS = json.loads((DATA / "errors.json").read_text(encoding="utf-8"))
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}},
}


@pytest.fixture(scope="module")
def address(built: Path) -> Iterator[str]:
    """Where on loopback the site is."""
    with served(built) as address:
        yield address


def said(message: ConsoleMessage, complaints: list[str]) -> None:
    if message.type in ("error", "warning"):
        complaints.append(message.text)


@contextmanager
def opened(browser: Browser, **options: Any) -> Iterator[Page]:
    """A page without a network but loopback. All goes well on it, and asks nobody else."""
    elsewhere: list[str] = []
    complaints: list[str] = []

    def asked(request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.hostname != "127.0.0.1" and parts.scheme not in ("data", "blob", "file"):
            elsewhere.append(request.url)

    def closed(route: Route) -> None:
        if urlsplit(route.request.url).hostname == "127.0.0.1":
            route.continue_()
        else:
            route.abort()

    options = {"viewport": {"width": 1280, "height": 900}, **options}
    with browser.new_context(**options) as context:
        context.on("request", asked)
        context.route("http*://**", closed)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: said(message, complaints))
        yield page
        assert elsewhere == []
        assert complaints == []


def drawn(page: Page) -> None:
    """Wait until the first live page in a page is there, and as high as it wants to be."""
    page.locator(GRAPH).first.scroll_into_view_if_needed()
    page.frame_locator(GRAPH).first.locator("svg").first.wait_for()
    page.wait_for_function(f"document.querySelector('{GRAPH}').style.height !== ''")


def background(page: Page) -> str:
    inside = page.frame_locator(GRAPH).first.locator("body")
    return inside.evaluate("body => getComputedStyle(body).backgroundColor")


def test_every_page_opens_without_asking_anybody_else(browser: Browser, address: str) -> None:
    with opened(browser) as page:
        for name in EVERY_PAGE:
            answer = page.goto(f"{address}/{name}.html")
            assert answer is not None
            assert answer.status == 200
            for frame in page.locator(GRAPH).all():
                frame.scroll_into_view_if_needed()
            if page.locator(GRAPH).count() and name != "docs/gallery":
                drawn(page)


@pytest.mark.parametrize("width", [390, 800])
def test_no_page_is_wider_than_a_narrow_window(browser: Browser, address: str, width: int) -> None:
    with opened(browser, viewport={"width": width, "height": 900}) as page:
        wide = []
        for name in EVERY_PAGE:
            page.goto(f"{address}/{name}.html")
            if page.evaluate("document.documentElement.scrollWidth") > width:
                wide.append(name)
        assert wide == []


@pytest.mark.parametrize("part", [slice(None), slice(20, 70)], ids=["whole", "a part"])
def test_a_pasted_error_finds_its_page_first(
    browser: Browser, address: str, part: slice, tmp_path: Path
) -> None:
    wrong = []
    with opened(browser) as page:
        for name, one in ERRORS.items():
            page.goto(f"{address}/search.html?q={quote_plus(one['error'][part])}")
            first = page.locator("#causes li").first
            first.wait_for()
            pages = first.locator("a").evaluate_all("links => links.map(link => link.href)")
            cause = cause_of(one["program"], tmp_path / "program.py")
            if f"{address}/docs/raises/{cause}.html" not in pages:
                wrong.append((name, cause, pages))
    assert wrong == []


def cause_of(program: str, path: Path) -> str:
    """Why a program raises, as Explain finds it by running it."""
    path.write_text(f"import minigrad as t\n{program}\n", encoding="utf-8")
    linecache.checkcache()
    with pytest.raises(Exception) as raised, Trail() as trail:  # noqa: PT011
        runpy.run_path(str(path))
    found = diagnose.find_cause(Case(raised.value, trail))
    assert found is not None
    return found[0].name


def test_a_number_is_dragged_without_a_kernel(browser: Browser, address: str) -> None:
    state = NudgeState(neuron, {"x": 0.5, "w": 1.2, "b": -0.3})
    with opened(browser) as page:
        page.goto(f"{address}/docs/index.html")
        nudge = page.frame_locator(GRAPH).first
        for name, key, value in [("x", "ArrowRight", 0.6), ("b", "End", 2.0), ("w", "Home", -2.0)]:
            nudge.get_by_role("slider", name=name).press(key)
            state.move(name, value)
            shown = nudge.locator("svg[role=group]").get_attribute("aria-label")
            numbers = [float(one) for one in re.findall(r"-?\d+\.\d+", shown or "")]
            expected = [float(one) for one in re.findall(r"-?\d+\.\d+", state.text)]
            assert numbers == pytest.approx(expected, abs=1e-3)


def test_backward_is_stepped_through_without_a_kernel(browser: Browser, address: str) -> None:
    with opened(browser) as page:
        page.goto(f"{address}/docs/questions/why_not_recurse.html")
        for number, end in enumerate(["a.grad is 4.", "a.grad is 6, but the engine stores 4."]):
            stepper = page.frame_locator(GRAPH).nth(number)
            while stepper.get_by_role("button", name="Forward").is_enabled():
                stepper.get_by_role("button", name="Forward").click()
            assert (stepper.get_by_role("status").text_content() or "").endswith(end)


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_serious(browser: Browser, address: str, look: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    with opened(browser, **LOOKS[look]) as page:
        found = []
        for name in EACH_KIND.split():
            page.goto(f"{address}/{name}.html")
            found += [
                (name, one["id"], one["nodes"][0]["html"])
                for one in Axe().run(page).response["violations"]
                if one["impact"] in ("serious", "critical")
            ]
        assert found == []


def test_the_search_finds_a_lesson(browser: Browser, address: str) -> None:
    with opened(browser) as page:
        page.goto(f"{address}/docs/index.html")
        page.get_by_placeholder("Search").fill("retain_graph")
        page.keyboard.press("Enter")
        page.locator("#search-results a[href*='08_saved_and_freed']").first.wait_for()


def test_the_search_works_from_disk(browser: Browser, built: Path) -> None:
    with browser.new_context(offline=True) as context:
        page = context.new_page()
        page.goto((built / "search.html").as_uri() + "?q=retain_graph")
        page.locator("#search-results a[href*='08_saved_and_freed']").first.wait_for()


def test_it_opens_from_disk_with_its_live_graphs(browser: Browser, built: Path) -> None:
    with opened(browser, offline=True) as page:
        page.goto((built / "index.html").as_uri())
        page.wait_for_url("**/docs/index.html")
        drawn(page)
        page.goto((built / "lessons" / "04_gradients_add_up.html").as_uri())
        drawn(page)
        graph = page.frame_locator(GRAPH).first
        before = page.locator(GRAPH).first.bounding_box()
        graph.locator("g.box[aria-label^='AddBackward0,']").click()
        graph.get_by_role("region", name="About AddBackward0").wait_for()
        assert before is not None
        page.wait_for_function(
            f"height => document.querySelector('{GRAPH}').clientHeight > height",
            arg=before["height"],
        )


@pytest.mark.parametrize(("system", "other"), [("light", "dark"), ("dark", "light")])
def test_it_follows_the_system_and_the_switch(
    browser: Browser, address: str, system: Any, other: str
) -> None:
    colours = {"light": "rgb(255, 255, 255)", "dark": "rgb(18, 22, 27)"}
    with opened(browser, color_scheme=system) as page:
        page.goto(f"{address}/docs/index.html")
        drawn(page)
        assert background(page) == colours[system]
        switch = page.get_by_role("button", name="Toggle").last
        while page.evaluate("document.body.dataset.theme") != other:
            switch.click()
        page.wait_for_url("**/docs/index.html")
        said = f"body[data-jp-theme-light='{str(other == 'light').lower()}']"
        page.frame_locator(GRAPH).first.locator(said).wait_for()
        assert background(page) == colours[other]
        card = page.locator("figure.graph rect").first
        page.goto(f"{address}/docs/gallery.html")
        assert card.evaluate("rect => getComputedStyle(rect).fill") == colours[other]
