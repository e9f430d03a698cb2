"""Large graphs in the browser: folded, opened by mouse and keyboard, zoomed and moved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.lesson import PATIENCE, Lesson
from tests.browser.live import open_notebook, settle

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

SCREENSHOTS = Path(__file__).parents[2] / "test-results" / "live"

DEEP = """import minigrad as torch
from minigrad import nn
from minigrad.viz import draw, live
torch.manual_seed(0)
layers = [m for _ in range(50) for m in (nn.Linear(3, 3), nn.ReLU())]
net = nn.Sequential(*layers, nn.Linear(3, 1))
loss = net(torch.ones(2, 3)).sum()
draw(loss).save("deep.html")"""

FOCUSED = "document.activeElement.getAttribute('aria-label')"
SIZE = "svg => [svg.getBoundingClientRect().width, svg.getBoundingClientRect().height]"


@pytest.fixture
def deep(browser: Browser, lab: str) -> Iterator[Lesson]:
    """A notebook that shows a live graph of a net of 50 layers."""
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        lesson = open_notebook(context, lab, [DEEP, "live(loss)"], "deep")
        lesson.page.locator(".minigrad-live g.box").first.wait_for()
        yield lesson
        assert lesson.complaints == []
        lesson.page.evaluate("() => lesson.sessionContext.shutdown()")


def operations(page: Page) -> int:
    return page.locator("g.box[aria-label*='Backward0, operation']").count()


def test_layers_open_by_click_and_close_by_the_button(deep: Lesson) -> None:
    page = deep.page
    folded = operations(page)
    assert folded < 10
    again = page.get_by_role("button", name="Fold again")
    assert not again.is_visible()
    page.locator("g.box[aria-label^='49 × (TBackward0']").click()
    again.wait_for()
    page.wait_for_function("document.querySelectorAll('.minigrad-live g.box').length > 90")
    assert operations(page) > 45
    settle(page)
    assert page.evaluate(FOCUSED) is not None
    again.click()
    page.locator("g.box[aria-label^='49 × (TBackward0']").wait_for()
    assert operations(page) == folded


def test_the_keyboard_opens_a_module(deep: Lesson) -> None:
    page = deep.page
    module = page.locator(
        "g.box[aria-label^='net.0, 2 operations, 2 leaves, folded: press Enter to unfold']"
    )
    module.focus()
    page.keyboard.press("Enter")
    weight = page.locator("g.box[aria-label^='net.0.weight, leaf']")
    weight.wait_for()
    page.wait_for_function("document.activeElement.closest('g.box') !== null")
    assert "net.0." in page.evaluate(FOCUSED)
    assert "Unfolded" in page.locator(".minigrad-live [role=status]").inner_text()


def test_it_is_zoomed_by_buttons_keys_and_wheel_and_moved_by_dragging(deep: Lesson) -> None:
    page = deep.page
    page.locator("g.box[aria-label^='49 ×']").click()
    page.get_by_role("button", name="Fold again").wait_for()
    page.wait_for_function("document.querySelectorAll('.minigrad-live g.box').length > 90")
    settle(page)
    svg = page.locator(".minigrad-live svg")
    frame = page.locator(".minigrad-live .picture")
    small = svg.evaluate(SIZE)
    page.get_by_role("button", name="Zoom in").click()
    assert svg.evaluate(SIZE) > small
    page.locator("g.box[tabindex='0']").focus()
    page.keyboard.press("-")
    assert svg.evaluate(SIZE) == pytest.approx(small, rel=0.15)
    page.keyboard.press("0")
    (width, height), room = svg.evaluate(SIZE), frame.bounding_box()
    assert room is not None
    assert width <= room["width"] + 1
    assert height <= room["height"] + 1
    for _ in range(8):
        page.keyboard.press("+")
    before = svg.evaluate(SIZE)
    box = frame.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -100)
    page.keyboard.up("Control")
    page.wait_for_function(
        "width => document.querySelector('.minigrad-live svg').clientWidth > width", arg=before[0]
    )
    scrolled = "frame => [frame.scrollLeft, frame.scrollTop]"
    start = frame.evaluate(scrolled)
    middle = box["y"] + box["height"] / 2  # above it JupyterLab has the cell's buttons
    page.mouse.move(box["x"] + 5, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 5, middle - 65, steps=4)
    page.mouse.up()
    assert frame.evaluate(scrolled)[1] == pytest.approx(start[1] + 65, abs=2)


@pytest.mark.parametrize(("theme", "scale"), [("Light", 1), ("Dark", 1), ("Light", 2)])
def test_it_can_be_looked_at(deep: Lesson, theme: str, scale: int) -> None:
    """For human eyes; at 200% the page has half the room."""
    deep.change_theme(f"JupyterLab {theme}")
    deep.resize(1280 // scale, 900 // scale)
    part = deep.page.locator("g.box[aria-label^='49 ×']")
    part.scroll_into_view_if_needed()
    letters = part.locator("text").first.evaluate("text => text.getBoundingClientRect().height")
    assert letters * scale > 8
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    settle(deep.page)
    deep.page.screenshot(path=SCREENSHOTS / f"deep-{theme.lower()}-{scale * 100}.png")


def test_the_page_that_was_saved_works_from_disk(browser: Browser, tmp_path: Path) -> None:
    """Without a server, without a network: picture, panel, keys and folds."""
    space: dict[str, object] = {}
    exec(DEEP.replace("deep.html", str(tmp_path / "deep.html")), space)
    complaints: list[str] = []
    with browser.new_context(viewport={"width": 1000, "height": 700}, offline=True) as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text))
        page.goto((tmp_path / "deep.html").as_uri())
        page.locator("g.box").first.wait_for()
        assert page.title() == "Graph of loss: 102 leaves, 153 operations"
        page.locator("g.box[aria-label^='SumBackward0,']").click()
        assert "self.sum" in page.get_by_role("region", name="About SumBackward0").inner_text()
        page.keyboard.press("Escape")
        assert page.get_by_role("region").count() == 0
        page.locator("g.box[aria-label^='49 ×']").focus()
        page.keyboard.press("Enter")
        page.locator("g.box").nth(90).wait_for()  # a function to wait for is not let in here
        page.get_by_role("button", name="Fold again").click()
        page.locator("g.box[aria-label^='49 ×']").wait_for()
        page.emulate_media(color_scheme="dark")
        background = "getComputedStyle(document.querySelector('.minigrad-live')).backgroundColor"
        assert page.evaluate(background) == "rgb(18, 22, 27)"
        settle(page)
        page.screenshot(path=SCREENSHOTS / "standalone-dark.png")
        assert complaints == []
