"""Film README's animation: `python -m docs.make_animation` writes docs/nudge*.webp and the stills.

A real JupyterLab in Chromium, a real mouse: three numbers of a neuron are dragged, and values and
gradients answer. The mouse's arrow is drawn, because no picture of a page has it.
Needs the dependency groups `test` and `browser`, and Chromium.
"""

import io
import math
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Locator, Page, sync_playwright

from tests.browser.conftest import ARGUMENTS, CHROMIUM
from tests.browser.lab import running_lab
from tests.browser.live import open_notebook

HERE = Path(__file__).parent
CELL = """\
import minigrad as torch
from minigrad.widgets import neuron, nudge

nudge(neuron, x=0.5, w=1.2, b=-0.3)"""

# Which slider is dragged, and by how many pixels: there and back.
DRAGS = [(0, 20), (1, -40)]
FRAMES = 16  # of each drag
AFTER = 6  # frames, while the gradients go on travelling
MARGIN = 6
MILLISECONDS = 70
REST = 700

# The mouse's arrow, and nothing of the instrument but its graph and its curve.
DRESS = """() => {
    const style = document.createElement('style');
    style.textContent = '.minigrad-nudge > :not(.picture) { visibility: hidden; border: 0 }';
    document.head.append(style);
    const arrow = document.createElement('div');
    arrow.innerHTML = '<svg width="22" height="22"><path fill="#000" stroke="#fff" '
        + 'stroke-width="1.4" d="M3 2l14 9-6.5 1.2L7.5 19z"/></svg>';
    arrow.style.cssText = 'position: fixed; z-index: 9999; pointer-events: none';
    document.body.append(arrow);
    addEventListener('pointermove', event => {
        arrow.style.left = `${event.clientX - 3}px`;
        arrow.style.top = `${event.clientY - 2}px`;
    }, true);
}"""


def drag(page: Page, instrument: Locator, number: int, distance: int) -> Iterator[Image.Image]:
    """A frame for each step of a slider to its new place and back."""
    box = instrument.locator(".thumb").nth(number).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for frame in range(FRAMES):
        page.mouse.move(x + distance * math.sin(math.pi * frame / FRAMES), y)
        page.wait_for_timeout(120)
        yield picture(instrument)
    page.mouse.move(x, y)
    page.mouse.up()


def picture(instrument: Locator) -> Image.Image:
    """The instrument's graph, without the sentence above it."""
    box = instrument.locator(".both").bounding_box()
    assert box is not None
    clip = {
        "x": box["x"] - MARGIN,
        "y": box["y"] - MARGIN,
        "width": box["width"] + 2 * MARGIN,
        "height": box["height"] + 2 * MARGIN,
    }
    return Image.open(io.BytesIO(instrument.page.screenshot(clip=clip))).convert("RGB")


def film(page: Page, instrument: Locator) -> list[Image.Image]:
    frames = [picture(instrument)]
    for number, distance in DRAGS:
        frames += drag(page, instrument, number, distance)
        for _ in range(AFTER):
            page.wait_for_timeout(MILLISECONDS)
            frames.append(picture(instrument))
    return frames


def save(frames: list[Image.Image], name: str) -> None:
    rests = range(0, len(frames), FRAMES + AFTER)
    durations = [REST if at in rests else MILLISECONDS for at in range(len(frames))]
    first, *others = frames
    first.save(
        HERE / f"{name}.webp",
        save_all=True,
        append_images=others,
        duration=durations,
        loop=0,
        quality=70,
        method=6,
    )
    frames[FRAMES // 2].save(HERE / f"{name}.png", optimize=True)


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as place,
        running_lab(Path(place)) as lab,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        context = browser.new_context(
            viewport={"width": 1000, "height": 760}, device_scale_factor=1.5
        )
        notebook = open_notebook(context, lab, [CELL], "animation")
        notebook.page.evaluate(DRESS)
        for name, theme in {"nudge": "Light", "nudge-dark": "Dark"}.items():
            notebook.change_theme(f"JupyterLab {theme}")
            instrument = notebook.page.locator(".minigrad-nudge")
            instrument.locator(".result").wait_for()
            notebook.page.wait_for_timeout(500)
            save(film(notebook.page, instrument), name)
        notebook.page.evaluate("() => lesson.sessionContext.shutdown()")
        browser.close()


if __name__ == "__main__":
    main()
