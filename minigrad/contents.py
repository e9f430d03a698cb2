"""How `minigrad lab` opens notebooks: a widget whose kernel is gone is shown as its picture."""

from __future__ import annotations

from typing import Any

from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager

WIDGET = "application/vnd.jupyter.widget-view+json"


class LessonContents(AsyncLargeFileManager):
    """The files of a folder. A notebook without a kernel comes without references to its widgets.

    JupyterLab prefers a widget to the picture and the text that are saved beside it, and where the
    widget is gone it shows an error in their place. The file itself stays as it is. While the
    kernel runs, as after a reload of the page, its widgets are there again.
    """

    async def get(self, path: str, content: bool = True, *args: Any, **options: Any) -> Any:
        model = await super().get(path, content, *args, **options)  # type: ignore[no-untyped-call]
        if model["type"] == "notebook" and content and not await self._has_kernel(path):
            leave_out_widgets(model["content"])
        return model

    async def _has_kernel(self, path: str) -> bool:
        assert self.parent is not None  # the server
        sessions = await self.parent.session_manager.list_sessions()
        return path.strip("/") in {session["path"].strip("/") for session in sessions}


def leave_out_widgets(notebook: Any) -> None:
    """Take the references to widgets out of what a notebook shows, where something else is there.

    >>> shown = {"text/plain": "<Clinic>", WIDGET: {"model_id": "1"}}
    >>> cell = {"cell_type": "code", "outputs": [{"output_type": "execute_result", "data": shown}]}
    >>> leave_out_widgets({"cells": [cell]})
    >>> shown
    {'text/plain': '<Clinic>'}
    """
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if len(data) > 1:
                data.pop(WIDGET, None)
