"""The backward stepper in a real JupyterLab: clicked, typed into, and looked at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import nbformat
import pytest

import minigrad
from minigrad.viz import step
from minigrad.viz.backward.orders import ORDERS
from tests.browser.lesson import Lesson
from tests.browser.live import RUN, settle, write

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, LocatorAssertions

pytestmark = pytest.mark.browser

SCREENSHOTS = Path(__file__).parents[2] / "test-results" / "stepper"

CELLS = [
    "import minigrad as torch\nfrom minigrad.viz import step",
    "x = torch.tensor(2.0, requires_grad=True)\ny = torch.tensor(3.0, requires_grad=True)\n"
    "b = x * y\nc = b + x\nloss = c * b",
    "stepper = step(loss)\nstepper",
]

# Where the boxes are, seen from the stepper: the page may have been scrolled.
BOXES = """() => [...document.querySelectorAll('.minigrad-live g.box:not(.fork)')].map(node => {
    const origin = document.querySelector('.minigrad-steps').getBoundingClientRect();
    const { left, top, width, height } = node.getBoundingClientRect();
    const box = [left - origin.left, top - origin.top, width, height];
    return [node.getAttribute('aria-label'), ...box.map(Math.round)];
})"""


@pytest.fixture
def notebook(browser: Browser, lab: str) -> Iterator[Lesson]:
    """A notebook with a stepper for the backward pass of a diamond."""
    content = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in CELLS],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        lesson = Lesson(context.new_page(), "stepper")
        write(lab, lesson.name, content)
        lesson.open(lab)
        lesson.page.locator(".minigrad-live g.box").first.wait_for()
        yield lesson
        assert lesson.complaints == []
        assert lesson.fetched_from - {""} == {urlsplit(lab).netloc}
        lesson.page.evaluate("() => lesson.sessionContext.shutdown()")


def far_apart(boxes: list[list[Any]], before: list[list[Any]]) -> list[str]:
    """The boxes that are not where they were, but for the rounding of a pixel."""
    assert [label for label, *_ in boxes] == [label for label, *_ in before]
    pairs = zip(boxes, before, strict=True)
    return [
        label
        for (label, *now), (_, *then) in pairs
        if max(abs(a - b) for a, b in zip(now, then, strict=True)) > 1
    ]


def expect(locator: Locator) -> LocatorAssertions:
    """Playwright's: these tests are collected where it isn't installed, too."""
    from playwright.sync_api import expect

    return expect(locator)


def button(notebook: Lesson, name: str) -> Locator:
    return notebook.page.locator(".minigrad-steps").get_by_role("button", name=name, exact=True)


def await_step(notebook: Lesson, text: str) -> None:
    """Wait until the stepper says so, for eyes and for ears, and has drawn it."""
    page = notebook.page
    page.locator(".minigrad-steps .mg-zone", has_text=text).wait_for()
    page.locator(".minigrad-live [role=status]", has_text=text).wait_for(state="attached")
    settle(page)


def watch(notebook: Lesson) -> None:
    """Let it play once, fast, and begin to predict."""
    button(notebook, "More ▾").click()
    notebook.page.locator(".minigrad-steps").get_by_label("Speed").select_option("fast")
    button(notebook, "Show me").click()
    button(notebook, "Now you").click()


def test_clicking_through_moves_numbers_and_no_box(notebook: Lesson) -> None:
    labels = notebook.page.locator(".minigrad-live .picture")
    before = notebook.page.evaluate(BOXES)
    assert len(before) == 6
    for said, seen in (
        ("1 arrives at the × that made loss.", "1 × 6 = 6"),
        ("6 arrives at the + that made c.", "ready"),
        ("8 + 6 = 14 arrives at the × that made b.", "14 × 3 = 42"),
        ("6 + 42 = 48 arrives for x.grad", "None → 48"),
        ("28 arrives for y.grad", "None → 28"),
        ("Backward is over.", "done"),
    ):
        button(notebook, "Forward ▸").click()
        await_step(notebook, said)
        assert seen in labels.text_content().replace("\xa0", " ")
        assert far_apart(notebook.page.evaluate(BOXES), before) == []
    assert button(notebook, "Forward ▸").is_disabled()
    button(notebook, "◂ Back").click()
    await_step(notebook, "28 arrives for y.grad")


def test_the_keyboard_is_enough_from_watching_to_predicting(notebook: Lesson) -> None:
    page = notebook.page
    button(notebook, "Show me").focus()
    page.keyboard.press("Enter")
    button(notebook, "Pause").wait_for()
    page.evaluate(RUN, "assert stepper.steps.position < stepper.steps.last")  # the kernel is free
    await_step(notebook, "Backward is over. x.grad is 48. y.grad is 28.")
    page.keyboard.press("Enter")
    field = page.get_by_role("textbox", name="1 arrives at the × that made loss.")
    expect(field).to_be_focused()
    page.keyboard.type("77")
    page.keyboard.press("Enter")
    await_step(notebook, "Not quite: you said 77; the answer is 6.")
    field = page.get_by_role("textbox", name="6 arrives at the + that made c.")
    expect(field).to_be_focused()
    expect(field).to_have_value("")
    page.keyboard.type("12/2")
    expect(page.locator(".minigrad-steps .mg-zone")).not_to_contain_text("Not quite")
    page.keyboard.press("Enter")
    await_step(notebook, "Right: 6.")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    for _ in range(4):  # Predict, Show me again, Back, Forward
        page.keyboard.press("Tab")
    page.keyboard.press("Space")
    await_step(notebook, "8 + 6 = 14 arrives at the × that made b.")


def test_a_control_leaves_nothing_stale(notebook: Lesson) -> None:
    page = notebook.page
    watch(notebook)
    field = page.locator(".minigrad-steps .mg-ask input")
    field.fill("7")
    field.press("Enter")
    await_step(notebook, "Not quite: you said 7; the answer is 6.")
    field.fill("12")
    button(notebook, "Start").click()
    await_step(notebook, "Before backward")
    assert "Not quite" not in page.locator(".minigrad-steps").inner_text()
    expect(field).to_have_value("")
    page.locator(".minigrad-steps").get_by_role("slider").press("ArrowRight")
    await_step(notebook, "1 arrives at the × that made loss. It passes")
    page.locator(".minigrad-steps").get_by_label("Go to").select_option("4. x.grad")
    await_step(notebook, "arrives for x.grad")
    page.locator(".minigrad-steps").get_by_label("Order").select_option(label=ORDERS["recursion"])
    await_step(notebook, "Before backward")
    button(notebook, "End").click()
    await_step(notebook, "x.grad is 66, but the engine stores 48.")


def test_a_saved_page_needs_no_kernel_and_no_network(browser: Browser, tmp_path: Path) -> None:
    x = minigrad.tensor(2.0, requires_grad=True)
    name = "<img src=x onerror=document.title='bad'>"
    step(x * x, names={name: x}).save(tmp_path / "loss.html")
    page = browser.new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: requests.append(str(error)))
    page.goto((tmp_path / "loss.html").as_uri())
    for act, said in (
        (lambda: page.keyboard.press("ArrowRight"), "1 arrives at the × (n1)."),
        (lambda: page.get_by_role("button", name="Forward").click(), "2 + 2 = 4 arrives for <img"),
        (lambda: page.get_by_role("button", name="Back").click(), "1 arrives at the × (n1)."),
        (lambda: page.get_by_role("button", name="Play").click(), "Backward is over."),
        (lambda: page.keyboard.press("Home"), "Before backward"),
    ):
        act()
        page.get_by_role("status").filter(has_text=said).wait_for()
        assert page.locator("#picture svg").is_visible()
    assert page.title() == "A backward pass, step by step"
    assert requests == [(tmp_path / "loss.html").as_uri()]
    page.close()


@pytest.mark.parametrize(
    ("theme", "width", "height"),
    [("Light", 1280, 800), ("Dark", 1280, 800), ("Light", 900, 700), ("Light", 800, 900)],
)
def test_picture_question_and_controls_fit_on_one_screen(
    notebook: Lesson, theme: str, width: int, height: int
) -> None:
    """For human eyes, CI keeps the screenshots."""
    notebook.change_theme(f"JupyterLab {theme}")
    notebook.resize(width, height)
    watch(notebook)
    field = notebook.page.locator(".minigrad-steps .mg-ask input")
    for _ in range(3):
        question = notebook.page.locator(".minigrad-steps .mg-zone").inner_text()
        field.fill("5")
        field.press("Enter")
        expect(notebook.page.locator(".minigrad-steps .mg-zone")).not_to_have_text(question)
        expect(field).to_have_value("")
    await_step(notebook, "What is x.grad after this step?")
    stepper = notebook.page.locator(".minigrad-steps")
    assert stepper.evaluate(
        "e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight"
    )
    room = notebook.page.locator(".jp-WindowedPanel-outer").last
    assert stepper.bounding_box()["height"] <= room.bounding_box()["height"]
    stepper.evaluate("element => element.scrollIntoView({ block: 'start' })")
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    notebook.page.screenshot(path=SCREENSHOTS / f"{theme.lower()}-{width}.png")
