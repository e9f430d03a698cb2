"""The instruments in a real JupyterLab: each is used as a learner would, and looked at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
import pytest

from tests.browser.instruments import ANSWERED
from tests.browser.lesson import Lesson
from tests.browser.live import settle, write

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

pytestmark = pytest.mark.browser

SCREENSHOTS = Path(__file__).parents[2] / "test-results" / "widgets"
WIDTHS = [1280, 900, 640]  # 640 is what 200 % leaves of 1280
LOOKS = [(theme, width) for theme in ("Light", "Dark") for width in WIDTHS]
ONE_SCREEN = 680  # pixels of a notebook in a window of 1280 x 800

CELLS = [
    "import minigrad as torch\n"
    "from minigrad.widgets import (AccumulationLedger, Clinic, GradientCheck, GraphCutter,\n"
    "    LeafInspector, LoopLamps, Playground, VJPBench)",
    "x = torch.tensor([1.0, 2.0], requires_grad=True)\ny = x * 2\nLeafInspector(x, y)",
    "AccumulationLedger(x, loss=lambda: (x * 3).sum())",
    "w, b = (torch.tensor(v, requires_grad=True) for v in (3.0, 1.0))\n"
    "GraphCutter('h = w * 2\\ny = h + b\\nloss = y * y', w=w, b=b)",
    "LoopLamps(torch)",
    "GradientCheck(lambda x: x.sin().sum(), torch.tensor([1.0, 2.0]))",
    "A = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])\n"
    "VJPBench({'A @ x': lambda x: A @ x, 'x * x': lambda x: x * x}, torch.tensor([1.0, 2.0]))",
    "Playground(torch)",
    "Clinic(torch, ['08_written_over', '06_which_slope'])",
]

ASK = """async () => {
    const kernel = lesson.sessionContext.session.kernel;
    const reply = await kernel.requestExecute({code: '1 + 1'}).done;
    return reply.content.status;
}"""


@pytest.fixture(scope="module")
def notebook(browser: Browser, lab: str) -> Iterator[Lesson]:
    """A notebook with every instrument."""
    content = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in CELLS],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        lesson = Lesson(context.new_page(), "widgets")
        write(lab, lesson.name, content)
        lesson.open(lab)
        lesson.page.locator(".minigrad-instrument").last.wait_for()
        lesson.page.evaluate("() => jupyterapp.shell.collapseLeft()")  # the list of files
        yield lesson
        assert lesson.complaints == []
        lesson.page.evaluate("() => lesson.sessionContext.shutdown()")


def instrument(notebook: Lesson, title: str) -> Locator:
    """The instrument with this heading."""
    heading = notebook.page.get_by_role("heading", name=title, exact=True)
    return notebook.page.locator(".minigrad-instrument").filter(has=heading)


def said(it: Locator, words: str) -> None:
    """Wait until the instrument has announced these words, and shows all that came with them."""
    it.get_by_role("status").filter(has_text=words).first.wait_for()
    it.page.evaluate(ANSWERED)


def look(notebook: Lesson, it: Locator, name: str) -> None:
    """Nothing is cut off in any look, and axe-core finds no serious fault; CI keeps screenshots."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    for theme, width in LOOKS:
        notebook.change_theme(f"JupyterLab {theme}")
        notebook.resize(width, 2400)
        it.scroll_into_view_if_needed()
        settle(notebook.page)
        it.screenshot(path=SCREENSHOTS / f"{name}-{theme.lower()}-{width}.png")
        assert it.evaluate("it => it.scrollWidth <= it.clientWidth")
        assert faults_of(it) == []
        assert width < 1280 or it.evaluate("it => it.offsetHeight") <= ONE_SCREEN
        room = it.locator("xpath=ancestor::*[contains(@class, 'jp-OutputArea-output')]").last
        assert room.evaluate("room => room.scrollWidth <= room.clientWidth")
        for button in it.get_by_role("button").all():
            if button.is_visible():
                assert button.evaluate("b => b.scrollWidth <= b.clientWidth + 1")
    notebook.change_theme("JupyterLab Light")
    notebook.resize(1280)


def faults_of(it: Locator) -> list[str]:
    """What axe-core finds serious in an element."""
    from axe_playwright_python.sync_playwright import Axe

    it.evaluate("it => it.dataset.looked = ''")
    found = Axe().run(it.page, context="[data-looked]").response["violations"]
    it.evaluate("it => delete it.dataset.looked")
    return [
        f"{one['id']}: {node['html']}: {node['failureSummary']}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


def press(notebook: Lesson, *keys: str) -> None:
    for key in keys:
        notebook.page.keyboard.press(key)


def middle(it: Locator) -> tuple[float, float]:
    box = it.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


# A group of radio buttons is one stop of the Tab key.
CONTROLS = """it => [...it.querySelectorAll('button, input, select, textarea, [role=slider]')]
    .filter(one => one.checkVisibility({visibilityProperty: true}) && !one.disabled
        && !one.closest('.minigrad-live'))"""


@pytest.mark.parametrize(
    "title",
    [
        "Leaf inspector",
        "Accumulation ledger",
        "Graph cutter",
        "Loop lamps",
        "Gradient check",
        "VJP bench",
        "Playground",
        "Clinic",
    ],
)
def test_every_control_is_reached_by_the_tab_key(notebook: Lesson, title: str) -> None:
    it = instrument(notebook, title)
    settle(notebook.page)
    number = it.evaluate(
        f"it => {{ const all = ({CONTROLS})(it); all[0].focus(); window.reached ="
        " new Set([all[0]]); return all.length; }"
    )
    for _ in range(number + 10):  # the tables and the graph are stops, too
        notebook.page.keyboard.press("Tab")
        notebook.page.evaluate("() => window.reached.add(document.activeElement)")
    missed = it.evaluate(
        f"it => ({CONTROLS})(it).filter(one => !window.reached.has(one) && one.type !== 'radio')"
        ".map(one => one.outerHTML)"
    )
    assert missed == []


def test_leaf_inspector_by_keyboard_alone(notebook: Lesson) -> None:
    it = instrument(notebook, "Leaf inspector")
    cells = it.locator("tbody tr").first.locator("td")
    assert "True" not in cells.all_inner_texts()
    it.get_by_label("True").focus()
    press(notebook, "Space", "Tab", "Tab")
    ring = it.get_by_role("button", name="Predict")
    assert ring.evaluate("button => button === document.activeElement")
    assert ring.evaluate("button => getComputedStyle(button).outlineStyle") == "solid"
    press(notebook, "Enter")
    said(it, "Right: True. x: no recorded operation made it")
    assert cells.all_inner_texts() == ["x", "True"]  # only what is asked about
    # The focus has stayed, and the next question is answered from there.
    assert ring.evaluate("button => button === document.activeElement")
    it.locator("input:checked").first.wait_for(state="detached")
    press(notebook, "Shift+Tab", "Space", "Tab", "Space")
    said(it, "Right: False. y: MulBackward0 computed it")
    assert cells.all_inner_texts()[:3] == ["x", "float32 [2]", "True"]
    look(notebook, it, "leaf-inspector")


def test_keys_pressed_in_an_instrument_are_not_for_the_notebook(notebook: Lesson) -> None:
    it = instrument(notebook, "Loop lamps")
    lamp = it.get_by_role("button", name="forward")
    lamp.focus()
    press(notebook, "Space")
    it.get_by_text("zero → backward → step: not run yet").wait_for()
    press(notebook, "Tab", "Enter")
    it.get_by_text("zero → backward → step: not run yet").wait_for()
    it.get_by_label("it only falls").focus()
    press(notebook, "Space", "ArrowDown", "a", "x")
    assert it.get_by_role("radio").nth(1).is_checked()
    assert notebook.page.evaluate("lesson.content.widgets.length") == len(CELLS)
    lamp.click()
    it.get_by_text("zero → backward → forward → step: not run yet").wait_for()
    it.get_by_role("button", name="⇅").nth(1).click()
    it.get_by_text("zero → forward → backward → step: not run yet").wait_for()
    notebook.save()


def test_accumulation_ledger(notebook: Lesson) -> None:
    it = instrument(notebook, "Accumulation ledger")
    for _ in range(2):
        it.get_by_role("button", name="backward()").click()
    row = it.locator("tbody tr")
    row.nth(2).wait_for()
    assert row.nth(1).locator("td").all_inner_texts()[2:] == ["None", "?", "?"]
    it.get_by_label("Prediction").fill("three")
    press(notebook, "Enter")
    said(it, "Type 2 numbers, such as 1, 1, or None.")
    it.get_by_label("Prediction").fill("3")
    press(notebook, "Enter")
    said(it, "Right: [3, 3].")
    it.get_by_label("Prediction").fill("3, 3")
    it.get_by_role("button", name="Predict").click()
    said(it, "That's what this one backward() added.")
    assert row.nth(2).locator("td").last.inner_text() == "[6, 6]"
    it.get_by_role("button", name="grad = None").click()
    row.nth(3).wait_for()
    assert row.nth(3).locator("td").all_inner_texts()[1:] == ["set to None", "[6, 6]", "", "None"]
    assert not it.get_by_role("button", name="Predict").is_visible()
    look(notebook, it, "accumulation-ledger")


def test_graph_cutter(notebook: Lesson) -> None:
    it = instrument(notebook, "Graph cutter")
    arrow = it.get_by_role("button", name="h into y")
    arrow.locator(".target").click()
    it.get_by_text("y = h.detach() + b").wait_for()
    arrow.press("Delete")
    it.get_by_text("y = h + b").wait_for()
    arrow.press("Enter")
    it.get_by_text("y = h.detach() + b").wait_for()
    graphs = it.locator(".minigrad-live svg")
    graphs.first.get_by_text("28").first.wait_for()  # the gradient of w
    assert not graphs.nth(1).is_visible()
    it.get_by_label("b", exact=True).check()
    it.get_by_role("button", name="Predict").click()
    said(it, "Right: b. Every path from w is cut.")
    graphs.nth(1).get_by_text("14").first.wait_for()  # that of b, which is left
    assert it.locator("tbody tr").first.locator("td").all_inner_texts() == ["w", "28", "None"]
    look(notebook, it, "graph-cutter")


def test_loop_lamps(notebook: Lesson) -> None:
    it = instrument(notebook, "Loop lamps")
    it.get_by_role("button", name="zero").click()
    it.get_by_text("forward → backward → step: not run yet").wait_for()
    it.get_by_label("it only falls").check()
    assert it.locator("tbody tr").count() == 0
    it.get_by_role("button", name="Predict").click()
    said(it, "the answer is “it rises at least once”.")
    assert it.locator("tbody tr").count() == 11
    assert it.get_by_role("img", name="The loss over 10 iterations").is_visible()
    look(notebook, it, "loop-lamps")


def test_gradient_check(notebook: Lesson) -> None:
    it = instrument(notebook, "Gradient check")
    assert it.get_by_role("img").count() == 0
    it.get_by_label("Prediction").fill("1e-12")
    press(notebook, "Enter")
    said(it, "Such a small nudge changes f by less than rounding does")
    assert it.get_by_role("img").count() == 0
    it.get_by_label("Prediction").fill("1/100")
    it.get_by_role("status").wait_for(state="hidden")
    press(notebook, "Enter")
    said(it, "Right: 1e-2.")
    it.get_by_role("slider").focus()
    press(notebook, "ArrowLeft")
    it.locator("tr.mg-current", has_text="1e-3").wait_for()
    it.get_by_label("dtype").select_option("float64")
    it.get_by_text("in float64: with which").wait_for()
    it.get_by_label("Prediction").fill("10^-5")
    press(notebook, "Enter")
    it.get_by_role("img", name="float32, float64").wait_for()
    look(notebook, it, "gradient-check")


def test_vjp_bench(notebook: Lesson) -> None:
    it = instrument(notebook, "VJP bench")
    it.get_by_role("button", name="v = [0, 1, 0]").click()
    it.get_by_text("row 1 of J").wait_for()
    it.get_by_label("Prediction").fill("3, 4")
    press(notebook, "Enter")
    said(it, "Right: [3, 4]. One-hot v picks row 1.")
    slider = it.get_by_role("slider").first
    slider.focus()
    press(notebook, "ArrowRight", "ArrowRight")
    it.get_by_text("v = [1, 1, 0]").wait_for()
    for number, row in enumerate(("1, 2", "5, 6")):
        it.get_by_role("button", name=("v = [1, 0, 0]", "v = [0, 0, 1]")[number]).click()
        it.get_by_text(f"row {2 * number} of J").wait_for()
        it.get_by_label("Prediction").fill(row)
        press(notebook, "Enter")
        said(it, f"Right: [{row}].")
    notebook.page.mouse.move(*middle(slider))
    notebook.page.mouse.down()
    notebook.page.mouse.move(middle(slider)[0] + 150, middle(slider)[1])
    it.get_by_text(re.compile(r"v = \[[1-3](\.5)?, 0, 1\]")).wait_for()  # while it is dragged
    notebook.page.mouse.up()
    look(notebook, it, "vjp-bench")


def test_playground_runs_while_the_kernel_answers(notebook: Lesson) -> None:
    it = instrument(notebook, "Playground")
    it.get_by_role("button", name="Run").click()
    it.get_by_text(re.compile(r"iteration \d\d")).wait_for()
    assert notebook.page.evaluate(ASK) == "ok"
    it.get_by_role("button", name="Stop").click()
    it.get_by_role("button", name="Run").wait_for()
    it.get_by_label("layer 3, the last").check()
    it.get_by_role("button", name="Predict").click()
    said(it, "in the first layer and")
    assert it.get_by_role("img", name="2-8-8-1 tanh").is_visible()
    look(notebook, it, "playground")
    it.get_by_label("data").select_option("moons")
    it.get_by_text("moons, 2-8-8-1 tanh, seed 0, not trained yet").wait_for()


def test_circles_stand_before_their_words_and_above_the_button(notebook: Lesson) -> None:
    it = instrument(notebook, "Clinic")
    it.evaluate("it => { it.style.width = '220px'; }")
    settle(notebook.page)
    labels = it.locator(".widget-radio-box label").all()
    boxes = [(label.bounding_box(), label.locator("input").bounding_box()) for label in labels]
    button = it.get_by_role("button", name="Diagnose").bounding_box()
    it.evaluate("it => { it.style.width = ''; }")
    assert button is not None
    for words, circle in boxes:
        assert words is not None
        assert circle is not None
        assert circle["x"] - words["x"] < circle["width"]
        assert circle["y"] + circle["height"] / 2 < words["y"] + words["height"] / 2
        assert words["y"] + words["height"] <= button["y"]
        assert words["height"] > 30  # in two lines


def test_clinic(notebook: Lesson) -> None:
    it = instrument(notebook, "Clinic")
    assert it.get_by_text("is at version 1; expected version 0 instead").is_visible()
    it.get_by_role("button", name="Hint").click()
    said(it, "What does ExpBackward0 keep?")
    assert not it.get_by_label("Your cure").is_visible()
    it.get_by_label("x is a leaf and was changed").check()
    it.get_by_role("button", name="Diagnose").click()
    said(it, "y was changed, not x. Choose again.")
    said(it, "y = y + 1 makes a new tensor.")
    it.get_by_label("exp saved its result").check()
    it.get_by_role("button", name="Diagnose").click()
    said(it, "the version shows that this has changed.")
    editor = it.get_by_label("Your cure")
    editor.fill("while True:\n    try:\n        while True: pass\n    except: pass")
    it.get_by_role("button", name="Run").click()
    said(it, "Running…")
    said(it, "Stopped after 5 seconds. Does a loop here ever end?")
    it.get_by_role("button", name="Start over").click()
    notebook.page.wait_for_function(
        "editor => editor.value.includes('y += 1')", arg=editor.element_handle()
    )
    editor.fill(editor.input_value().replace("y += 1", "y = y + 1"))
    it.get_by_role("button", name="Run").click()
    said(it, "Cured.")
    it.locator(".mg-error").wait_for(state="detached")
    it.locator(".minigrad-live svg").get_by_text("2.7183").wait_for()  # the gradient of exp
    look(notebook, it, "clinic")


def test_without_its_kernel_each_says_so_once(notebook: Lesson) -> None:
    notebook.page.evaluate("() => lesson.sessionContext.session.kernel.restart()")
    it = instrument(notebook, "VJP bench")
    notebook.page.wait_for_function(
        "it => getComputedStyle(it, '::before').content.includes('Run its cell again.')",
        arg=it.element_handle(),
    )
    chains = """it => [...it.querySelectorAll('.jupyter-widgets-disconnected')]
        .filter(one => getComputedStyle(one, '::before').display !== 'none').length"""
    assert it.evaluate(chains) == 0
    assert notebook.page.evaluate(ASK) == "ok"


def test_axe_finds_a_button_without_a_name(notebook: Lesson) -> None:
    it = instrument(notebook, "Clinic")
    it.evaluate("it => it.append(document.createElement('button'))")
    found = faults_of(it)
    it.evaluate("it => it.lastChild.remove()")
    assert [one for one in found if one.startswith("button-name: <button></button>")]
