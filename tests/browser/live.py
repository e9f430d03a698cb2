"""Notebooks with live graphs in them, and how to look at what these show."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

import nbformat

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page

from tests.browser.lesson import Lesson, in_time

RUN = in_time("""async code => {
    const kernel = lesson.sessionContext.session.kernel;
    const reply = await kernel.requestExecute({code}).done;
    if (reply.content.status !== 'ok') throw new Error(reply.content.evalue);
}""")

# A picture that another one is to take the place of, or that is still moving.
BUSY = ".minigrad-live [aria-busy=true]"

# The boxes of all text that can be seen, in each frame that the browser paints while code runs and
# until nothing moves any more; beside them the box around the picture and its frame.
WATCH = f"""async code => {{
    const frames = [];
    const rect = element => {{
        const {{ left, top, right, bottom }} = element.getBoundingClientRect();
        return [left, top, right, bottom];
    }};
    const around = (one, other) =>
        one.map((side, i) => (i < 2 ? Math.min : Math.max)(side, other[i]));
    const visible = element => {{
        for (let e = element; e; e = e.parentElement)
            if (Number(getComputedStyle(e).opacity) < 0.02) return false;
        return true;
    }};
    const look = () => {{
        const root = document.querySelector('.minigrad-live .picture');
        const words = [...root.querySelectorAll('text')].filter(visible);
        frames.push({{
            around: around(rect(root), rect(root.querySelector('svg') ?? root)),
            words: words.filter(word => word.textContent.trim())
                .map(word => [word.textContent, ...rect(word)]),
        }});
    }};
    const paint = () => new Promise(done => requestAnimationFrame(done));
    let running = true;
    const ran = ({RUN})(code).finally(() => (running = false));
    let quiet = 0;
    while (quiet < 20) {{
        await paint();
        look();
        quiet = running || document.querySelector("{BUSY}") ? 0 : quiet + 1;
    }}
    await ran;
    return frames;
}}"""


def open_notebook(
    context: BrowserContext, lab: str, cells: list[str], name: str = "live"
) -> Lesson:
    """A new notebook of these cells, opened in JupyterLab and run."""
    content = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in cells],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    write(lab, name, content)
    lesson = Lesson(context.new_page(), name)
    lesson.open(lab)
    return lesson


def write(lab: str, name: str, content: nbformat.NotebookNode) -> None:
    """Put a notebook into the folder that JupyterLab shows."""
    address = urlsplit(lab)
    request = Request(
        f"http://{address.netloc}/api/contents/{name}.ipynb",
        json.dumps({"type": "notebook", "format": "json", "content": content}).encode(),
        {"Authorization": f"token {parse_qs(address.query)['token'][0]}"},
        method="PUT",
    )
    with urlopen(request, timeout=60):
        pass


def settle(page: Page) -> None:
    """Wait until every live graph shows what its model holds, and nothing moves any more."""
    page.locator(BUSY).first.wait_for(state="detached")


def part(lesson: Lesson, name: str) -> Locator:
    """A node of the picture by the name it is announced with."""
    return lesson.page.locator(f".minigrad-live g.box[aria-label^='{name},']")


def watch(lesson: Lesson, code: str) -> list[dict[str, Any]]:
    """Run code as a cell; what could be read in each frame from then until all is at rest."""
    frames: list[dict[str, Any]] = lesson.page.evaluate(WATCH, code)
    return frames
