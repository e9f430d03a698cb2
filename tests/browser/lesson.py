"""A lesson that is open in JupyterLab, with every cell run."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import Page

PATIENCE = 180_000  # milliseconds: how long a busy machine may take for anything
_SVG = "data:image/svg+xml,"
_WIDGET = "application/vnd.jupyter.widget-view+json"


def in_time(script: str) -> str:
    """A script for the page that fails if it takes too long: Playwright would wait for ever."""
    return f"""argument => Promise.race([
        ({script})(argument),
        new Promise((_, fail) => setTimeout(fail, {PATIENCE}, new Error('it does not answer'))),
    ])"""


_OPEN = in_time("""async path => {
    await jupyterapp.restored;
    window.lesson = await jupyterapp.commands.execute('docmanager:open', {path});
    await lesson.context.ready;
    await lesson.sessionContext.ready;
    await lesson.sessionContext.session.kernel.info;
}""")

# Cells are queued one by one; when the last request is answered, so are those before it.
_RUN_ALL = in_time("""async () => {
    await jupyterapp.commands.execute('notebook:run-all-cells');
    const kernel = lesson.sessionContext.session.kernel;
    await kernel.requestExecute({code: '', silent: true}).done;
}""")

_CELLS = """() => lesson.content.widgets.filter(cell => cell.model.type === 'code').map(cell => ({
    source: cell.model.sharedModel.source,
    tags: cell.model.getMetadata('tags') ?? [],
    count: cell.model.executionCount,
    outputs: cell.outputArea.model.toJSON(),
}))"""

# Where the pictures of one cell stand on the page, beside the room that there is for them.
_PICTURES = """async number => {
    const cells = lesson.content.widgets.filter(cell => cell.model.type === 'code');
    const found = [...cells[number - 1].node.querySelectorAll('.jp-OutputArea-output img')];
    await Promise.all(found.map(img => img.decode()));
    return found.map(img => {
        const room = img.closest('.jp-OutputArea-output');
        const [box, around] = [img.getBoundingClientRect(), room.getBoundingClientRect()];
        return {
            source: img.src,
            natural: [img.naturalWidth, img.naturalHeight],
            size: [box.width, box.height],
            left: box.left - around.left,
            spare: around.left + room.clientWidth - box.right,
            scrolls: getComputedStyle(room).overflowX === 'auto',
        };
    });
}"""

# The notebook keeps its distance from the window's right and lower edges.
_DISTANCE = """() => {
    const { right, bottom } = lesson.node.getBoundingClientRect();
    return [innerWidth - right, innerHeight - bottom];
}"""
_LAID_OUT = f"distance => String(({_DISTANCE})()) === String(distance)"
_PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"

# What the window needs to show the whole notebook.
_HEIGHT = """() => {
    const [around, cells] = [lesson.content.outerNode, lesson.content.widgets];
    const first = cells[0].node.getBoundingClientRect();
    const last = cells[cells.length - 1].node.getBoundingClientRect();
    return Math.ceil(last.bottom - first.top + innerHeight - around.clientHeight) + 40;
}"""


@dataclass(frozen=True)
class Picture:
    """A picture as the browser shows it, in pixels.

    natural: the size it was made for; size: the size it has on the page.
    left, spare: free room on either side, negative where the picture is cut off; scrolls: whether
    what is cut off can be scrolled to.
    """

    svg: str
    natural: tuple[float, float]
    size: tuple[float, float]
    left: float
    spare: float
    scrolls: bool


@dataclass
class Cell:
    number: int
    source: str
    tags: list[str]
    count: int | None
    outputs: list[dict[str, Any]]

    @property
    def draws(self) -> bool:
        return re.search(r"^draw\(", self.source, re.MULTILINE) is not None

    @property
    def has_widget(self) -> bool:
        return any(_WIDGET in output.get("data", {}) for output in self.outputs)

    @property
    def errors(self) -> list[str]:
        return [
            f"{output['ename']}: {output['evalue']}"
            for output in self.outputs
            if output["output_type"] == "error"
        ]

    @property
    def outline(self) -> str:
        """What the drawing says it shows."""
        (text,) = (output["data"]["text/plain"] for output in self.outputs if "data" in output)
        return "".join(text)


@dataclass
class Lesson:
    """What a learner has in front of them, and what the page complained of on the way."""

    page: Page
    name: str
    complaints: list[str] = field(default_factory=list)
    fetched_from: set[str] = field(default_factory=set)
    _distance: tuple[float, float] = (0, 0)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(PATIENCE)

    def open(self, address: str, run: bool = True) -> None:
        """Open JupyterLab and in it the lesson; run: all its cells."""
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._on_console)
        self.page.on("request", lambda request: self.fetched_from.add(urlsplit(request.url).netloc))
        self.page.goto(f"{address}&reset")
        self._open()
        if run:
            self.page.evaluate(_RUN_ALL)
        self._distance = self.page.evaluate(_DISTANCE)

    def _open(self) -> None:
        self.page.wait_for_function("window.jupyterapp")
        self.page.evaluate(_OPEN, f"{self.name}.ipynb")

    def save(self) -> None:
        """Save it by the keyboard, wherever in it the focus is, and wait until that is done."""
        self.page.keyboard.press("Control+s")
        self.page.wait_for_function("!lesson.context.model.dirty")

    def reload(self) -> None:
        """Load the page anew; the kernel goes on."""
        self.page.reload()
        self._open()

    def _on_console(self, message: Any) -> None:
        if message.type == "error":
            self.complaints.append(message.text)

    @property
    def cells(self) -> list[Cell]:
        """The code cells."""
        return [Cell(number, **cell) for number, cell in enumerate(self.page.evaluate(_CELLS), 1)]

    @property
    def drawings(self) -> list[Cell]:
        return [cell for cell in self.cells if cell.draws]

    def picture(self, cell: Cell) -> Picture:
        """The one picture that the cell shows."""
        found = self.page.evaluate(_PICTURES, cell.number)
        assert len(found) == 1, f"{len(found)} pictures below: {cell.source}"
        (picture,) = found
        source = picture.pop("source")
        assert source.startswith(_SVG), source[:40]
        return Picture(svg=unquote(source.removeprefix(_SVG)), **picture)

    def resize(self, width: int, height: int = 900) -> None:
        """Give the browser's window another size, and wait until its page has taken it."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.wait_for_function(_LAID_OUT, arg=self._distance)
        self.page.evaluate(_PAINTED)

    def change_theme(self, theme: str) -> None:
        self.page.evaluate(
            "theme => jupyterapp.commands.execute('apputils:change-theme', { theme })", theme
        )
        self.page.locator(f"body[data-jp-theme-name='{theme}']").wait_for(state="attached")
        self.page.locator("#jupyterlab-splash").wait_for(state="detached")

    def save_screenshot(self, path: Path, width: int) -> None:
        """The whole notebook, from its first cell to its last, in a window of this width."""
        self.resize(width, 20_000)
        self.page.evaluate("() => lesson.content.scrollToItem(0, 'start')")
        self.resize(width, self.page.evaluate(_HEIGHT))
        self.page.screenshot(path=path)
