"""The site in a real Chromium, from a server on loopback and from disk: nothing else is asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from docs.extension.examples import LESSONS
from tests.serving import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Route

pytestmark = pytest.mark.site

LOOK_AT = ["docs/index", "docs/gallery", "docs/benchmarks", "docs/reference/viz"]
EVERY_PAGE = [
    *LOOK_AT,
    "docs/read_the_engine",
    "docs/reading_the_picture",
    "docs/teachers-guide",
    "docs/hosting",
    "docs/reference/functions",
    "docs/reference/tensors",
    "CHANGELOG",
    "CONTRIBUTING",
    "search",
    *(f"lessons/{path.stem}" for path in sorted(LESSONS.glob("*.ipynb"))),
]
GRAPH = "iframe.live-graph"


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
    """Wait until the first live graph of a page is there, and as high as it wants to be."""
    page.locator(GRAPH).first.scroll_into_view_if_needed()
    page.frame_locator(GRAPH).first.locator("g.box").first.wait_for()
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


def test_no_page_is_wider_than_a_narrow_window(browser: Browser, address: str) -> None:
    with opened(browser, viewport={"width": 800, "height": 900}) as page:
        wide = []
        for name in EVERY_PAGE:
            page.goto(f"{address}/{name}.html")
            if page.evaluate("document.documentElement.scrollWidth") > 800:
                wide.append(name)
        assert wide == []


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
        graph = page.frame_locator(GRAPH).first
        before = page.locator(GRAPH).first.bounding_box()
        graph.locator("g.box[aria-label^='MeanBackward0,']").click()
        graph.get_by_role("region", name="About MeanBackward0").wait_for()
        assert before is not None
        page.wait_for_function(
            f"height => document.querySelector('{GRAPH}').clientHeight > height",
            arg=before["height"],
        )


@pytest.mark.parametrize(("system", "other"), [("light", "dark"), ("dark", "light")])
def test_it_follows_the_system_and_the_switch(
    browser: Browser, address: str, system: Any, other: str
) -> None:
    colours = {"light": "rgb(255, 255, 255)", "dark": "rgb(17, 20, 24)"}
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
