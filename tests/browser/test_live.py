"""The live graph in a real JupyterLab: it follows the notebook, and obeys the keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from tests.browser.lesson import Lesson
from tests.browser.live import RUN, open_notebook, part, settle, watch

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

SCREENSHOTS = Path(__file__).parents[2] / "test-results" / "live"

CELLS = [
    "import minigrad as torch\nfrom minigrad.viz import live",
    "x = torch.ones(2, 2, requires_grad=True)\ny = x + 2\nout = y.mean()",
    "graph = live()\ngraph",
]


@pytest.fixture
def notebook(browser: Browser, lab: str) -> Iterator[Lesson]:
    """A notebook that shows a live graph of ``out = (x + 2).mean()``."""
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        lesson = open_notebook(context, lab, CELLS)
        part(lesson, "out").wait_for()
        yield lesson
        assert lesson.complaints == []
        assert lesson.fetched_from - {""} == {urlsplit(lab).netloc}
        lesson.page.evaluate("() => lesson.sessionContext.shutdown()")


def assert_legible(frames: list[dict[str, Any]]) -> None:
    """In no frame does any text lie over other text, or reach out of the picture."""
    for frame in frames:
        left, top, right, bottom = frame["around"]
        for word, *box in frame["words"]:
            inside = box[0] >= left - 1 and box[1] >= top - 1
            assert inside and box[2] <= right + 1 and box[3] <= bottom + 1, word  # noqa: PT018
        for (one, *a), (other, *b) in combinations(frame["words"], 2):
            across = min(a[2], b[2]) - max(a[0], b[0])
            down = min(a[3], b[3]) - max(a[1], b[1])
            # Lines of one box stand close: their boxes hold room above and below the letters.
            assert across < 2 or down < 4, (one, other)


def moved(frames: list[dict[str, Any]], word: str) -> set[tuple[float, ...]]:
    """The places at which a word was seen, to the pixel."""
    return {
        tuple(map(round, box)) for frame in frames for text, *box in frame["words"] if text == word
    }


def test_gradients_travel_in_six_frames(notebook: Lesson) -> None:
    """The page's clock stands between frames, however busy the machine is. CI keeps them."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page, graph = notebook.page, notebook.page.locator(".minigrad-live")
    page.evaluate(RUN, "a = x.sum() * 2\nz = a * a + a")
    settle(page)
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()"))
    page.evaluate(f"code => void ({RUN})(code)", "z.backward()")
    pulses, left = graph.locator(".token"), []
    while not pulses.count():
        page.clock.run_for(20)
    for frame in range(6):
        graph.screenshot(path=SCREENSHOTS / f"backward-{frame}.png", animations="allow")
        left.append(pulses.count())
        page.clock.run_for(280)
    page.clock.resume()
    settle(page)
    assert left == sorted(left, reverse=True)
    assert left[0] > left[3] > left[5] == 0
    part(notebook, "x").get_by_text("all 34").wait_for()


def slow_down(notebook: Lesson, times: int) -> None:
    """Let all motion take so many times as long: a busy machine, too, then paints it."""
    page = notebook.page
    browser = page.context.new_cdp_session(page)
    browser.send("Animation.enable")
    browser.send("Animation.setPlaybackRate", {"playbackRate": 1 / times})


def test_it_follows_the_notebook_and_can_be_read_at_every_moment(notebook: Lesson) -> None:
    slow_down(notebook, 5)
    frames = watch(notebook, "z = y * y * 3\nout = z.mean()")
    assert part(notebook, "MulBackward0").count() == 2
    assert len(moved(frames, "out")) > 5
    assert_legible(frames)
    status = notebook.page.locator(".minigrad-live [role=status]")
    assert "3 operations added: MulBackward0, MulBackward0, MeanBackward0" in status.inner_text()

    frames = watch(notebook, "out.backward()")
    assert "x.grad is now [[4.5, 4.5], [4.5, 4.5]]" in status.inner_text()
    assert "all 4.5" in part(notebook, "x").text_content()
    assert_legible(frames)

    assert_legible(watch(notebook, "w = (x * 2).exp().sum()\nlong_name = w + out"))
    assert_legible(watch(notebook, "del w, z\nout, long_name = long_name, out"))
    assert_legible(watch(notebook, "del out, long_name, y"))
    assert notebook.page.locator(".minigrad-live g.box").count() == 1


def test_a_state_that_overtakes_another_is_what_is_shown(notebook: Lesson) -> None:
    notebook.page.evaluate(RUN, "out = out * 2")
    notebook.page.evaluate(RUN, "out = out.exp()")
    frames = watch(notebook, "out = out.tanh()")
    assert_legible(frames[-10:])
    assert part(notebook, "TanhBackward0").count() == 1
    assert part(notebook, "out").count() == 1


def test_the_keyboard_reaches_every_node_and_opens_its_panel(notebook: Lesson) -> None:
    page = notebook.page
    page.locator(".minigrad-live g.box[tabindex='0']").focus()
    part(notebook, "x").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("Add")
    page.keyboard.press("Enter")
    panel = page.get_by_role("region", name="About AddBackward0")
    assert "y = x + 2, so x gets what arrives." in panel.inner_text()
    page.keyboard.press("Escape")
    assert panel.count() == 0
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    panel = page.get_by_role("region", name="About x")
    assert "None: nothing has arrived yet" in panel.inner_text()
    watch(notebook, "out.backward()")
    assert "[[0.25, 0.25], [0.25, 0.25]], stored" in panel.inner_text()
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "x, leaf"


def test_a_line_of_a_cell_leads_to_what_it_made(notebook: Lesson) -> None:
    page = notebook.page
    page.evaluate(RUN, "from minigrad.viz import record\nrecording = record().start()")
    watch(notebook, "y = x * 3\nz = y * y\nout = z.sum()")
    lines = page.get_by_label("Made by")
    lines.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert lines.evaluate("list => list.value").endswith("line 2: z = y * y")
    marked = page.locator(".minigrad-live g.box[aria-current=true]")
    assert marked.count() == 1
    assert "MulBackward0" in (marked.text_content() or "")
    page.locator(".minigrad-live [role=status]", has_text="Made there: MulBackward0").wait_for()
    watch(notebook, "out.backward()")
    assert marked.count() == 1  # the line stays chosen
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / "line.png")
    lines.select_option("any line")
    assert marked.count() == 0


# What can be seen of the gradients in each frame while code runs.
TRAVEL = f"""async code => {{
    const frames = [];
    const look = () => {{
        const svg = document.querySelector('.minigrad-live svg');
        const seen = [...svg.querySelectorAll('.road text.grad, .leaf text.grad')]
            .filter(text => getComputedStyle(text).visibility === 'visible');
        const lanes = [...svg.querySelectorAll('.lane.back')]
            .filter(lane => getComputedStyle(lane).visibility === 'visible');
        frames.push({{
            time: performance.now(), seen: seen.map(text => text.textContent), lanes: lanes.length,
            tokens: [...svg.querySelectorAll('.token')].map(token => token.textContent).join(''),
        }});
    }};
    const paint = () => new Promise(done => requestAnimationFrame(done));
    let running = true;
    const ran = ({RUN})(code).finally(() => (running = false));
    while (running || document.querySelector('.minigrad-live [aria-busy=true]')) {{
        await paint();
        look();
    }}
    await ran;
    return frames;
}}"""


def test_gradients_travel_back_to_the_leaf_after_a_cell_that_called_backward(
    notebook: Lesson,
) -> None:
    page = notebook.page
    watch(notebook, "del y\nout = ((x * 2) * (x + 1)).sum()")
    frames = page.evaluate(TRAVEL, "out.backward()")
    all_of_it = frames[-1]["seen"]
    assert len(all_of_it) > 5
    first = next(frame for frame in frames if frame["tokens"])
    assert first["tokens"] == "1"
    assert first["seen"] == []
    counts = [frame["lanes"] for frame in frames[frames.index(first) :]]
    assert counts == sorted(counts)
    assert set(counts) >= {1, 2, 4}
    grown = [len(frame["seen"]) for frame in frames[frames.index(first) :]]
    assert grown == sorted(grown)
    moving = [frame["time"] for frame in frames if frame["tokens"]]
    assert moving[-1] - moving[0] < 1500
    page.evaluate(RUN, "unrelated = 1")
    settle(page)
    frames = page.evaluate(TRAVEL, "out = ((x * 2) * (x + 1)).sum()")
    assert not any(frame["tokens"] for frame in frames)  # nothing has come back on this one

    page.emulate_media(reduced_motion="reduce")
    frames = page.evaluate(TRAVEL, "out.backward()")
    assert not any(frame["tokens"] for frame in frames)
    assert len(frames[-1]["seen"]) == len(all_of_it)


def test_what_is_pointed_at_says_what_it_does(notebook: Lesson) -> None:
    """Beside the sentence its rule is typeset, and nothing but MathML is ever taken for markup."""
    page = notebook.page
    page.evaluate(
        RUN,
        """details = {part: dict(entry) for part, entry in graph.details.items()}
mean = next(entry for entry in details.values() if entry["title"] == "MeanBackward0")
mean["sentence"] = "1 arrives at mean. Each entry of <b>y</b> gets 1 / 4 = 0.25"
mean["mathematics"] = (
    '<math xmlns="http://www.w3.org/1998/Math/MathML" onclick="alert(1)"><mi href="javascript:0">y'
    '</mi><mo stretchy="false">=</mo><mi>&lt;img&gt;</mi><script>alert(1)</script>'
    '<img xmlns="http://www.w3.org/1999/xhtml" src="x"/></math>'
)
graph.details = details""",
    )
    settle(page)
    frame = page.locator(".minigrad-live .picture")
    height = frame.evaluate("frame => frame.parentElement.offsetHeight")
    sentence = page.locator(".minigrad-live .sentence")
    part(notebook, "MeanBackward0").hover()
    assert sentence.inner_text() == "1 arrives at mean. Each entry of <b>y</b> gets 1 / 4 = 0.25"
    part(notebook, "x").hover()
    assert sentence.text_content() == ""
    part(notebook, "MeanBackward0").focus()
    assert sentence.inner_text().startswith("1 arrives")
    assert frame.evaluate("frame => frame.parentElement.offsetHeight") == height
    page.keyboard.press("Enter")
    panel = page.get_by_role("region", name="About MeanBackward0")
    assert "1 arrives at mean" in panel.inner_text()
    rule = panel.locator("math")
    assert rule.evaluate("math => math.outerHTML") == (
        '<math><mi>y</mi><mo stretchy="false">=</mo><mi>&lt;img&gt;</mi></math>'
    )
    assert rule.evaluate("math => math instanceof MathMLElement")


def test_it_is_pinned_beside_the_notebook_by_mouse_and_keyboard(notebook: Lesson) -> None:
    page = notebook.page
    graph = page.locator(".minigrad-live")
    page.get_by_role("button", name="Pin", exact=True).focus()
    page.keyboard.press("Enter")
    assert graph.evaluate("graph => graph.parentElement === document.body")
    cell = page.locator(".jp-Cell").last
    beside, room = graph.bounding_box(), cell.bounding_box()
    assert beside is not None
    assert room is not None
    assert room["x"] + room["width"] <= beside["x"] + 1
    page.get_by_text("This graph is pinned at the right").wait_for()
    watch(notebook, "out.backward()")
    assert "x.grad is now" in page.locator(".minigrad-live [role=status]").inner_text()
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / "pinned.png")
    part(notebook, "x").focus()
    page.keyboard.press("ArrowRight")  # its keys are still its own
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("Add")
    page.get_by_role("button", name="Unpin").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.textContent") == "Pin"
    assert graph.evaluate("graph => graph.closest('.jp-Cell') !== null")
    page.get_by_role("button", name="Pin", exact=True).click()
    page.get_by_role("button", name="Put it back here").click()
    assert graph.evaluate("graph => graph.closest('.jp-Cell') !== null")


def test_with_reduced_motion_nothing_moves(notebook: Lesson) -> None:
    notebook.page.emulate_media(reduced_motion="reduce")
    frames = watch(notebook, "z = y * y\nout = z.mean()")
    assert len(moved(frames, "out")) <= 2
    assert part(notebook, "MulBackward0").count() == 1


def test_names_and_errors_with_markup_are_only_text(notebook: Lesson) -> None:
    code = "nasty = {'<img src=x onerror=alert(1)>\\'\"&\\\\N': x * 2}"
    watch(notebook, code)
    assert notebook.page.locator(".minigrad-live img").count() == 0
    assert "<img src=x" in notebook.page.locator(".minigrad-live pre").text_content()


@pytest.mark.parametrize(("theme", "width"), [("Light", 1280), ("Dark", 1280), ("Light", 800)])
def test_it_fits_and_can_be_looked_at(notebook: Lesson, theme: str, width: int) -> None:
    """Nothing is cut off; for human eyes, CI keeps the screenshots."""
    watch(notebook, "z = y * y * 3\nout = z.mean()\nout.backward()\nwide = (out * 2).exp().log()")
    notebook.change_theme(f"JupyterLab {theme}")
    notebook.resize(width)
    part(notebook, "x").click()
    room = notebook.page.locator(".jp-OutputArea-output:has(.minigrad-live)").last
    assert room.evaluate("element => element.scrollWidth <= element.clientWidth")
    labels = notebook.page.locator(".minigrad-live dt")
    heights = labels.evaluate_all("labels => labels.map(label => label.offsetHeight)")
    assert len(heights) == 4
    assert max(heights) < 30  # each in one line
    background = notebook.page.locator(".minigrad-live").evaluate(
        "element => getComputedStyle(element).backgroundColor"
    )
    assert background == {"Light": "rgb(255, 255, 255)", "Dark": "rgb(18, 22, 27)"}[theme]
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    notebook.page.screenshot(path=SCREENSHOTS / f"{theme.lower()}-{width}.png")
