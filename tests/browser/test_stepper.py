"""The backward stepper in a real JupyterLab: clicked, typed into, and looked at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import nbformat
import pytest

from minigrad.viz.backward.orders import ORDERS
from tests.browser.lesson import Lesson
from tests.browser.live import RUN, settle, write

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

pytestmark = pytest.mark.browser

SCREENSHOTS = Path(__file__).parents[2] / "test-results" / "stepper"

CELLS = [
    "import minigrad as torch\nfrom minigrad.viz import step",
    "x = torch.tensor(2.0, requires_grad=True)\ny = torch.tensor(3.0, requires_grad=True)\n"
    "b = x * y\nc = b + x\nloss = c * b",
    "stepper = step(loss)\nstepper",
]

# Where the boxes are, seen from the first button: the page may have been scrolled to it.
BOXES = """() => [...document.querySelectorAll('.minigrad-live g.box')].map(node => {
    const origin = document.querySelector('.minigrad-steps button').getBoundingClientRect();
    const { left, top, width, height } = node.getBoundingClientRect();
    const box = [left - origin.left, top - origin.top, width, height];
    return [node.getAttribute('aria-label'), ...box.map(Math.round)];
})"""


INSTRUMENT = [
    "import minigrad as torch\nfrom minigrad.widgets import BackwardStepper",
    CELLS[1],
    "stepper = BackwardStepper(loss)\nstepper",
]


@pytest.fixture
def notebook(browser: Browser, lab: str, request: pytest.FixtureRequest) -> Iterator[Lesson]:
    """A notebook with a stepper, or the instrument, for the backward pass of a diamond."""
    cells = getattr(request, "param", CELLS)
    content = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in cells],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
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


def button(notebook: Lesson, name: str) -> Locator:
    return notebook.page.locator(".minigrad-steps").get_by_role("button", name=name, exact=True)


def await_step(notebook: Lesson, text: str) -> None:
    """Wait until the stepper says so, in its text and to who listens, and all is drawn."""
    page = notebook.page
    page.locator(".mg-step", has_text=text).wait_for()
    page.locator(".minigrad-live [role=status]", has_text=text).wait_for(state="attached")
    settle(page)


def test_clicking_through_moves_numbers_and_no_box(notebook: Lesson) -> None:
    labels = notebook.page.locator(".minigrad-live .picture")
    before = notebook.page.evaluate(BOXES)
    assert len(before) == 6
    for said, seen in (
        ("MulBackward0 receives 1.", "1 × 6 = 6"),
        ("AddBackward0 receives 6.", "ready"),
        ("MulBackward0 receives 8 + 6 = 14.", "14 × 3 = 42"),
        ("6 + 42 = 48 arrives for x.grad", "None → 48"),
        ("28 arrives for y.grad", "None → 28"),
        ("Backward is over.", "done"),
    ):
        button(notebook, "Forward").click()
        await_step(notebook, said)
        assert seen in labels.text_content().replace("\xa0", " ")
        assert far_apart(notebook.page.evaluate(BOXES), before) == []
    assert button(notebook, "Forward").is_disabled()
    button(notebook, "Back").click()
    await_step(notebook, "28 arrives for y.grad")
    button(notebook, "Start").click()
    await_step(notebook, "Before backward")
    assert "×" not in labels.text_content()


def test_the_keyboard_is_enough(notebook: Lesson) -> None:
    page = notebook.page
    button(notebook, "Forward").focus()
    page.keyboard.press("Enter")
    await_step(notebook, "MulBackward0 receives 1.")
    page.keyboard.press("Space")
    await_step(notebook, "AddBackward0 receives 6.")
    page.locator(".minigrad-steps").get_by_role("slider").focus()
    page.get_by_role("slider", name="Step").press("ArrowRight")
    await_step(notebook, "MulBackward0 receives 8 + 6 = 14.")
    page.locator(".minigrad-steps").get_by_label("Go to").select_option("4. x.grad")
    await_step(notebook, "arrives for x.grad")


def test_a_prediction_is_typed_and_judged(notebook: Lesson) -> None:
    page = notebook.page
    field = page.locator(".minigrad-steps input[type=text]")
    page.get_by_text("MulBackward0 receives 1. What does it pass to c?").wait_for()
    field.fill("7")
    field.press("Enter")
    await_step(notebook, "MulBackward0 receives 1.")
    said = page.locator(".mg-verdict", has_text="Not quite: you said 7; the answer is 6.")
    said.wait_for()
    assert said.get_attribute("role") == "status"
    assert "they are not added" in said.inner_text()
    page.get_by_text("AddBackward0 receives 6. What does it pass to b?").wait_for()
    field.fill("6")
    button(notebook, "Predict").click()
    page.locator(".mg-verdict", has_text="Right: 6.").wait_for()


def test_it_plays_by_itself_and_leaves_the_kernel_free(notebook: Lesson) -> None:
    page = notebook.page
    page.locator(".minigrad-steps").get_by_label("Speed").select_option("fast")
    button(notebook, "Play").click()
    button(notebook, "Pause").wait_for()
    page.evaluate(RUN, "assert stepper.steps.position < stepper.steps.last")
    await_step(notebook, "Backward is over. x.grad is 48. y.grad is 28.")
    button(notebook, "Play").wait_for()


def test_a_wrong_order_is_seen_to_go_wrong(notebook: Lesson) -> None:
    page = notebook.page
    chosen = page.locator(".minigrad-steps").get_by_label("Order")
    chosen.select_option(label=ORDERS["recursion"])
    button(notebook, "End").click()
    await_step(notebook, "x.grad is 66, which is wrong: the engine stores 48.")


@pytest.mark.parametrize("notebook", [INSTRUMENT], indirect=True, ids=["instrument"])
def test_the_instrument_shows_no_step_before_its_number_was_predicted(notebook: Lesson) -> None:
    page = notebook.page
    button(notebook, "End").click()
    said = page.locator(".mg-verdict")
    said.get_by_text("Predict first: MulBackward0 receives 1. What does it pass to c?").wait_for()
    assert "×" not in page.locator(".minigrad-live .picture").text_content()
    field = page.locator(".minigrad-instrument input[type=text]")
    for number, judged in (("8", "goes to its other input"), ("6", "Right: 6.")):
        field.fill(number)
        field.press("Enter")
        said.get_by_text(judged).wait_for()
    await_step(notebook, "AddBackward0 receives 6.")


@pytest.mark.parametrize(("theme", "width"), [("Light", 1280), ("Dark", 1280), ("Light", 800)])
def test_it_fits_and_can_be_looked_at(notebook: Lesson, theme: str, width: int) -> None:
    """Nothing is cut off; for human eyes, CI keeps the screenshots."""
    notebook.change_theme(f"JupyterLab {theme}")
    notebook.resize(width)
    for _ in range(3):
        button(notebook, "Forward").click()
    await_step(notebook, "MulBackward0 receives 8 + 6 = 14.")
    room = notebook.page.locator(".jp-OutputArea-output:has(.minigrad-steps)").last
    assert room.evaluate("element => element.scrollWidth <= element.clientWidth")
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    notebook.page.screenshot(path=SCREENSHOTS / f"{theme.lower()}-{width}.png")
