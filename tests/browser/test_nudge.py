"""Nudge in a real JupyterLab: dragged by mouse and by keyboard, looked at, and timed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.live import open_notebook

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

    from tests.browser.lesson import Lesson

pytestmark = pytest.mark.browser

SCREENSHOTS = Path(__file__).parents[2] / "test-results" / "nudge"
LOOKS = [("Light", 1280, 800), ("Dark", 1280, 800), ("Light", 900, 700), ("Dark", 900, 700)]
LATE = 250  # milliseconds: what is late for anybody, on however busy a machine

CELLS = [
    "import minigrad as torch\n"
    "from minigrad.widgets import neuron, nudge\n\n"
    "nudge(neuron, x=0.5, w=1.2, b=-0.3)",
    "nudge(lambda a, c: a * c + a, a=3.0, c=4.0)",
    "x, y = torch.tensor([1.0, 2.0, -1.0]), torch.tensor([1.0, 2.0, 1.0])\n"
    "nudge(lambda w: ((w * x - y) ** 2).mean(), w=[1.5, 0.5, -0.5])",
    "def long(x, w):\n    for _ in range(15):\n        x = (x * w).tanh()\n    return x\n"
    "nudge(long, x=0.5, w=1.2)",
    "nudge(lambda a, c: a.detach() * c if c < 1.5 else a.item() / 0, a=1.0, c=1.0)",
    "nudge(lambda a: a.detach(), a=1.0)",
]

# Texts that lie on a road, and texts that lie on another text.
COLLISIONS = """svg => {
    const found = [];
    const texts = [...svg.querySelectorAll('text')].filter(text => text.textContent.trim());
    const points = [...svg.querySelectorAll('.value, .grad-road')]
        .filter(road => road.style.display !== 'none')
        .flatMap(road => Array.from(
            { length: Math.ceil(road.getTotalLength() / 3) },
            (_, at) => road.getPointAtLength(3 * at)));
    for (const label of texts.filter(text => text.matches('.label'))) {
        const { x, y, width, height } = label.getBBox();
        if (points.some(point => point.x > x && point.x < x + width
                && point.y > y + 3 && point.y < y + height - 3))
            found.push(label.textContent + ' on a road');
    }
    texts.forEach((one, index) => texts.slice(index + 1).forEach(other => {
        const [a, b] = [one.getBBox(), other.getBBox()];
        if (Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) > 1
            && Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) > 4)
            found.push(one.textContent + ' on ' + other.textContent);
    }));
    return found;
}"""

RESTART = """async () => {
    await lesson.sessionContext.session.kernel.restart();
    await lesson.sessionContext.session.kernel.requestKernelInfo();
}"""


@pytest.fixture(scope="module")
def notebook(browser: Browser, lab: str) -> Iterator[Lesson]:
    with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        lesson = open_notebook(context, lab, CELLS, "nudge")
        lesson.page.set_default_timeout(30_000)
        yield lesson
        assert lesson.complaints == []
        lesson.page.evaluate("() => lesson.sessionContext.shutdown()")


def instrument(notebook: Lesson, number: int) -> Locator:
    """The one below a cell, in sight: what is out of sight is drawn when one comes to it."""
    notebook.page.evaluate("number => lesson.content.scrollToItem(number, 'start')", number)
    it = notebook.page.locator(".minigrad-nudge").nth(number)
    it.scroll_into_view_if_needed()
    it.locator(".result").wait_for()
    return it


def drag(notebook: Lesson, handle: Locator, by: int, steps: int = 10, name: str = "") -> None:
    """Drag with the mouse; name: of the screenshots on the way."""
    mouse, box = notebook.page.mouse, handle.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse.move(x, y)
    mouse.down()
    for step in range(1, steps + 1):
        mouse.move(x + by * step / steps, y)
        notebook.page.wait_for_timeout(30)
        if name and step % (steps // 5) == 0:
            notebook.page.screenshot(path=SCREENSHOTS / f"{name}-{step * 5 // steps}.png")
    mouse.up()


def says(it: Locator, words: str) -> None:
    it.get_by_role("status").filter(has_text=words).wait_for()


def shows(it: Locator, name: str, number: float) -> None:
    """Wait until the slider has this value."""
    it.page.wait_for_function(
        "([slider, number]) => Number(slider.getAttribute('aria-valuenow')) === number",
        arg=[it.get_by_role("slider", name=name, exact=True).element_handle(), number],
    )


def reset(it: Locator) -> None:
    it.get_by_role("button", name="Reset").click()
    says(it, "All numbers are back")


def test_it_fits_on_the_first_screen_in_every_look(notebook: Lesson) -> None:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    for theme, width, height in LOOKS:
        notebook.change_theme(f"JupyterLab {theme}")
        notebook.resize(width, height)
        it = instrument(notebook, 0)
        notebook.page.evaluate("() => lesson.content.scrollToItem(0, 'start')")
        notebook.page.wait_for_timeout(500)
        notebook.page.screenshot(path=SCREENSHOTS / f"neuron-{theme.lower()}-{width}.png")
        box = it.locator(".both").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < height
        frame = it.locator(".picture")
        assert frame.evaluate("frame => frame.scrollWidth <= frame.clientWidth + 1")
    for index in range(1, len(CELLS)):
        instrument(notebook, index).screenshot(path=SCREENSHOTS / f"other-{index}-900.png")
    notebook.change_theme("JupyterLab Light")
    notebook.resize(1280, 800)


@pytest.mark.parametrize("number", range(len(CELLS)))
def test_no_label_lies_on_a_line_or_on_another(notebook: Lesson, number: int) -> None:
    it = instrument(notebook, number)
    notebook.page.wait_for_timeout(300)
    it.screenshot(path=SCREENSHOTS / f"picture-{number}.png")
    assert it.locator("svg").first.evaluate(COLLISIONS) == []


def test_a_number_is_dragged_by_its_slider(notebook: Lesson) -> None:
    it = instrument(notebook, 0)
    assert it.locator(".sentence").inner_text().startswith("Drag a number")
    drag(notebook, it.locator(".thumb").first, 36, name="drag")
    says(it, "You moved x by +")
    notebook.page.screenshot(path=SCREENSHOTS / "dragged.png")
    reset(it)
    shows(it, "x", 0.5)


def test_a_number_is_dragged_itself_a_hundredth_for_each_pixel(notebook: Lesson) -> None:
    it = instrument(notebook, 0)
    drag(notebook, it.locator(".number").nth(1), 10)
    says(it, "You moved w by +0.10. out moved by 0.0451. The gradient predicted 0.0458.")
    shows(it, "w", 1.3)
    it.locator(".number").nth(1).dblclick()
    it.locator("text.number").nth(1).filter(has_text="1.20").wait_for()
    reset(it)


def test_by_keyboard(notebook: Lesson) -> None:
    it = instrument(notebook, 0)
    keys = notebook.page.keyboard
    slider = it.get_by_role("slider", name="x", exact=True)
    slider.focus()
    keys.press("ArrowRight")
    says(it, "You moved x by +0.10. out moved by 0.1056. The gradient predicted 0.1098.")
    for key, result in [
        ("Shift+ArrowRight", 0.61),
        ("PageUp", 1.11),
        ("ArrowDown", 1.01),
        ("Home", -2),
        ("End", 2),
        ("Delete", 0.5),
    ]:
        keys.press(key)
        shows(it, "x", result)
    notebook.page.wait_for_timeout(1000)  # keys pressed later are another move
    keys.press("ArrowRight")
    shows(it, "x", 0.6)
    keys.press("Escape")
    shows(it, "x", 0.5)
    it.locator("[aria-valuetext='0.50; grad 1.10: out rises with it']").wait_for()
    keys.press("Tab")
    assert it.get_by_role("slider", name="w", exact=True).evaluate(
        "slider => slider === document.activeElement"
    )
    assert notebook.page.evaluate("lesson.content.widgets.length") == len(CELLS)
    assert it.locator("svg").first.get_attribute("aria-label").startswith("x     0.500   grad")


def test_gradients_that_add_up_are_spelled_out_at_the_fork(notebook: Lesson) -> None:
    it = instrument(notebook, 1)
    assert it.get_by_text("4.00 + 1.00 = 5.00").is_visible()
    operation = it.locator(".operation").first
    operation.hover()
    assert it.locator(".sentence").inner_text() == (
        "1.00 arrives at ×. a gets 1.00 × c = 1.00 × 4.00 = 4.00; "
        "c gets 1.00 × a = 1.00 × 3.00 = 3.00."
    )


def test_a_vector_is_a_row_of_sliders(notebook: Lesson) -> None:
    it = instrument(notebook, 2)
    it.get_by_role("slider", name="w[1]", exact=True).focus()
    notebook.page.keyboard.press("ArrowRight")
    says(it, "You moved w[1] by +0.10. out moved by")


def test_an_error_of_the_function_is_told_and_a_missing_path_too(notebook: Lesson) -> None:
    it = instrument(notebook, 4)
    assert it.get_by_text("None: no path to out").first.is_visible()
    it.get_by_role("slider", name="c", exact=True).focus()
    notebook.page.keyboard.press("End")
    it.get_by_role("alert").filter(has_text="ZeroDivisionError").wait_for()
    notebook.page.keyboard.press("ArrowLeft")
    notebook.page.wait_for_function(
        "it => it.querySelector('[role=alert]').textContent === ''", arg=it.element_handle()
    )


def test_thirty_nodes_answer_while_they_are_dragged(notebook: Lesson) -> None:
    times: dict[str, Any] = {}
    for number in (0, 3):
        it = instrument(notebook, number)
        notebook.page.evaluate("performance.clearMeasures()")
        drag(notebook, it.locator(".thumb").first, 40, steps=40)
        says(it, "You moved x by")
        entries = "performance.getEntriesByName('minigrad: nudge').map(one => one.duration)"
        times[CELLS[number]] = median(notebook.page.evaluate(entries))
    print({cell[-30:]: f"{time:.0f} ms" for cell, time in times.items()})
    assert all(time < LATE for time in times.values())


def test_with_reduced_motion_nothing_runs(notebook: Lesson) -> None:
    notebook.page.emulate_media(reduced_motion="reduce")
    it = instrument(notebook, 0)
    slider = it.get_by_role("slider", name="b", exact=True)
    slider.focus()
    notebook.page.keyboard.press("ArrowRight")
    shows(it, "b", -0.2)
    assert not it.locator(".pulse[d*=M]").count()
    notebook.page.emulate_media(reduced_motion="no-preference")
    reset(it)


def test_a_kernel_that_has_gone_is_told_of(browser: Browser, lab: str) -> None:
    with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        lesson = open_notebook(context, lab, CELLS[:1], "nudge-gone")
        lesson.page.locator(".minigrad-nudge .result").wait_for()
        lesson.page.evaluate(RESTART)
        alert = lesson.page.locator(".minigrad-nudge").get_by_role("alert")
        alert.filter(has_text="The kernel has gone").wait_for()
        lesson.page.evaluate("() => lesson.sessionContext.shutdown()")
