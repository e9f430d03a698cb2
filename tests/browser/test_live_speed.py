"""How soon a live graph shows what a cell did, and what is sent for many of them."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

import pytest

from tests.browser.live import RUN, open_notebook, settle

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

SETUP = """import time, minigrad as torch
from minigrad.viz import live
from minigrad.viz.live.bundle import Bundle
x = torch.ones(2, 2, requires_grad=True)
y = x
for _ in range(24):
    y = (y * 1.5).tanh()"""

CHANGES = ["y = y * 3", "y = y.exp()", "y.sum().backward()", "y = y.log()", "y = -y", "del x"]

# Milliseconds from the last line of a cell to the first new picture: kernel and browser share a
# clock.
CHANGE = """async code => {
    performance.clearMeasures();
    const kernel = lesson.sessionContext.session.kernel;
    const wanted = document.querySelectorAll('.minigrad-live').length;
    let said = '';
    const future = kernel.requestExecute({code: code + '\\nprint(time.time())'});
    future.onIOPub = message => { said += message.content.text ?? ''; };
    await future.done;
    let pictures = [];
    for (const late = performance.now() + 60000; pictures.length < wanted;) {
        if (performance.now() > late) throw new Error(`${pictures.length} new pictures`);
        await new Promise(done => setTimeout(done, 10));
        pictures = performance.getEntriesByName('minigrad: new picture');
    }
    const ends = pictures.map(one => one.startTime + one.duration);
    return performance.timeOrigin + Math.min(...ends) - 1000 * Number(said);
}"""


@pytest.mark.parametrize("graphs", [1, 20])
def test_a_change_is_seen_and_the_code_is_sent_once(
    browser: Browser, lab: str, graphs: int
) -> None:
    """What takes a second is late for anybody."""
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        received: list[int] = []
        context.on(
            "page",
            lambda page: page.on(
                "websocket",
                lambda socket: socket.on(
                    "framereceived", lambda frame: received.append(len(frame))
                ),
            ),
        )
        lesson = open_notebook(context, lab, [SETUP, *["live(y)"] * graphs], "speed")
        lesson.page.wait_for_function(
            f"document.querySelectorAll('.minigrad-live svg').length === {graphs}"
        )
        lesson.page.wait_for_timeout(1000)  # JupyterLab, too, is done with opening then
        sent = sum(received)
        drawn = []
        for code in CHANGES:
            drawn.append(lesson.page.evaluate(CHANGE, code))
            settle(lesson.page)
        bundles = "assert sum(type(w) is Bundle for w in Bundle.widgets.values()) == 1"
        lesson.page.evaluate(RUN, bundles)
        assert median(drawn) < 1000
        assert sent < 10_000_000
        assert lesson.complaints == []
        lesson.page.evaluate("() => lesson.sessionContext.shutdown()")
