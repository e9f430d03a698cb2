"""What becomes of a live graph when its kernel is gone, and where it stands in other pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import nbformat
import pytest

from tests.browser.lesson import PATIENCE, Lesson
from tests.browser.live import RUN, open_notebook, part, settle, write

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

SCREENSHOTS = Path(__file__).parents[2] / "test-results" / "live"

CELLS = [
    "import minigrad as torch\nfrom minigrad.viz import live",
    "x = torch.ones(2, requires_grad=True)\nout = x.exp().sum()",
    "live()",
]
RESTART = "async () => { await lesson.sessionContext.restartKernel(); }"
RUN_CELLS = """async () => {
    await jupyterapp.commands.execute('notebook:run-all-cells');
    await lesson.sessionContext.session.kernel.requestExecute({code: '', silent: true}).done;
}"""


def test_a_restarted_kernel_is_told_and_a_new_graph_follows_the_new_one(
    browser: Browser, lab: str
) -> None:
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        lesson = open_notebook(context, lab, CELLS, "restarted")
        part(lesson, "out").wait_for()
        alert = lesson.page.locator(".minigrad-live [role=alert]")
        assert alert.inner_text() == ""
        lesson.page.evaluate(RESTART)
        alert.filter(has_text="Run the cell again").wait_for()
        assert part(lesson, "out").count() == 1  # the last picture stays
        part(lesson, "x").click()
        lesson.page.get_by_role("region", name="About x").wait_for()
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        lesson.page.screenshot(path=SCREENSHOTS / "kernel-gone.png")
        lesson.page.evaluate(RUN_CELLS)
        lesson.page.wait_for_function(
            "document.querySelector('.minigrad-live [role=alert]').textContent === ''"
        )
        lesson.page.evaluate(RUN, "out.backward()")
        status = lesson.page.locator(".minigrad-live [role=status]")
        status.filter(has_text="x.grad is now").wait_for()
        assert lesson.complaints == []


def test_a_kernel_that_dies_is_told(browser: Browser, lab: str) -> None:
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        lesson = open_notebook(context, lab, CELLS, "dies")
        part(lesson, "out").wait_for()
        lesson.page.evaluate(
            "() => { lesson.sessionContext.session.kernel.requestExecute("
            "{code: 'import os, signal; os.kill(os.getpid(), signal.SIGKILL)'}); }"
        )
        alert = lesson.page.locator(".minigrad-live [role=alert]")
        alert.filter(has_text="The kernel has gone").wait_for()


def test_it_is_there_again_after_a_reload_and_in_a_second_page(browser: Browser, lab: str) -> None:
    grad = "document.querySelector('.minigrad-live')?.textContent.includes('x.grad is now')"
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        lesson = open_notebook(context, lab, CELLS, "reloaded")
        part(lesson, "out").wait_for()
        part(lesson, "out").focus()
        lesson.save()
        lesson.reload()
        part(lesson, "out").wait_for()
        other = Lesson(context.new_page(), lesson.name)
        # In a workspace of its own: from one that a page has, JupyterLab goes to another by itself,
        # while it is being asked.
        other.open(lab.replace("/lab?", "/lab/workspaces/other?"), run=False)
        part(other, "out").wait_for()
        other.page.evaluate(RUN, "out.backward()")
        for page in (lesson.page, other.page):
            page.wait_for_function(grad)
        assert lesson.complaints + other.complaints == []
        lesson.page.evaluate("() => lesson.sessionContext.shutdown()")


def test_without_a_kernel_the_picture_is_there(browser: Browser, lab: str) -> None:
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        lesson = open_notebook(context, lab, CELLS, "without")
        part(lesson, "out").wait_for()
        lesson.save()
        lesson.page.evaluate("() => lesson.sessionContext.shutdown()")
        lesson.reload()
        picture = lesson.page.get_by_role("img").and_(lesson.page.locator("[src*=svg]"))
        picture.wait_for()
        assert picture.evaluate("img => img.decode().then(() => img.naturalWidth)") > 100
        assert lesson.page.get_by_text("model not found").count() == 0
        assert lesson.complaints == []
        lesson.page.evaluate("() => lesson.sessionContext.shutdown()")


def test_it_works_in_notebook_7(browser: Browser, lab: str) -> None:
    """The same widget in the other application of the same server."""
    address = urlsplit(lab)
    token = parse_qs(address.query)["token"][0]
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    write(lab, "seven", nbformat.v4.new_notebook(cells=cells, metadata=kernel))
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        complaints: list[str] = []
        page.goto(f"http://{address.netloc}/notebooks/seven.ipynb?token={token}")
        page.locator(".jp-Notebook-cell").nth(2).wait_for()
        page.get_by_text("Python 3 (ipykernel)").first.wait_for()
        # From here on: Notebook itself complains, as it opens, of settings that it does not find.
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.locator(".jp-Notebook-cell").first.click()
        for _ in CELLS:
            page.keyboard.press("Shift+Enter")
        x = page.locator(".minigrad-live g.box[aria-label^='x,']")
        x.click()
        panel = page.get_by_role("region", name="About x")
        assert "nothing has arrived yet" in panel.inner_text()
        page.locator(".jp-Notebook-cell .cm-content").last.click()
        page.keyboard.type("out.backward()")
        page.keyboard.press("Shift+Enter")
        page.wait_for_function(
            "document.querySelector('.minigrad-live [role=status]').textContent.includes('x.grad')"
        )
        settle(page)
        assert "stored" in panel.inner_text()
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SCREENSHOTS / "notebook-7.png")
        assert complaints == []
