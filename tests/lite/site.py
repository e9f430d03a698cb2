"""The site in a browser: what is run there, what is seen, and what it has asked for."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

_PATIENCE = 120_000  # milliseconds: Python itself is compiled and started in the page

_OPEN = """async path => {
    const app = window.jupyterapp;
    await app.restored;
    const panel = await app.commands.execute('docmanager:open', { path });
    await panel.context.ready;
    await panel.sessionContext.ready;
    await panel.sessionContext.session.kernel.info;
    window.lesson = panel;
}"""

# What a cell shows, as a notebook keeps it.
_RUN = """async code => {
    const outputs = [];
    const kernel = lesson.sessionContext.session.kernel;
    const future = kernel.requestExecute({ code });
    future.onIOPub = ({ header, content }) => {
        outputs.push({ type: header.msg_type, content });
    };
    await future.done;
    return outputs;
}"""

_RUN_CELL = """async code => {
    const { commands } = window.jupyterapp;
    await commands.execute('notebook:insert-cell-below');
    lesson.content.activeCell.model.sharedModel.setSource(code);
    await commands.execute('notebook:run-cell');
    await lesson.sessionContext.session.kernel.requestExecute({ code: '', silent: true }).done;
}"""


class Site:
    """One page of the site."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.asked_elsewhere: list[str] = []
        page.set_default_timeout(_PATIENCE)
        page.context.on("request", self._on_request)

    def _on_request(self, request: Any) -> None:
        if not request.url.startswith((self.address, "blob:", "data:")):
            self.asked_elsewhere.append(request.url)

    def open(self, notebook: str) -> None:
        """Open a notebook, and wait for its kernel."""
        self.page.goto(f"{self.address}/lab/index.html")
        self.page.wait_for_function("window.jupyterapp")
        self.page.evaluate(_OPEN, notebook)

    def run(self, code: str) -> list[dict[str, Any]]:
        """Run code in the notebook's kernel, beside its cells; what it published."""
        outputs: list[dict[str, Any]] = self.page.evaluate(_RUN, textwrap.dedent(code))
        return outputs

    def printed(self, code: str) -> str:
        """What the code prints; an AssertionError with the traceback if it raises."""
        outputs = self.run(code)
        raised = [one["content"] for one in outputs if one["type"] == "error"]
        assert not raised, "\n".join(raised[0]["traceback"])
        return "".join(one["content"]["text"] for one in outputs if one["type"] == "stream")

    def data(self, code: str) -> Any:
        """What the code prints, which is JSON."""
        return json.loads(self.printed(code))

    def show(self, code: str) -> Locator:
        """Run code in a new cell below the chosen one; the cell's output on the page."""
        self.page.evaluate(_RUN_CELL, textwrap.dedent(code).strip())
        return self.page.locator(".jp-Cell.jp-mod-active .jp-OutputArea")

    def change_theme(self, theme: str) -> None:
        self.page.evaluate(
            "theme => jupyterapp.commands.execute('apputils:change-theme', { theme })", theme
        )
        self.page.locator(f"body[data-jp-theme-name='{theme}']").wait_for(state="attached")
