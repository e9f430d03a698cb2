"""Graphviz for Python that itself runs in a browser: the live graph's, compiled to WebAssembly.

No other program can be started there. Loading takes a moment, and begins when this is imported.
"""

from typing import Any
from urllib.parse import quote

from pyodide.code import run_js
from pyodide.ffi import can_run_sync, run_sync

from minigrad.viz.draw.bundled import code

_LOAD = "url => import(url).then(module => module.ready)"


class _Graphviz:
    def __init__(self) -> None:
        self._layout: Any = None
        self._failure = ""
        url = f"data:text/javascript,{quote(code('graphviz.js'))}"
        self._loading = run_js(_LOAD)(url).then(self._arrive, self._fail)

    def _arrive(self, layout: Any) -> None:
        self._layout = layout

    def _fail(self, error: Any) -> None:
        self._failure = str(error)

    def layout(self, source: str) -> str:
        if self._layout is None and not self._failure and can_run_sync():
            run_sync(self._loading)
        if self._layout is None:
            why = self._failure or "it is still being loaded; run this cell again"
            raise RuntimeError(why)
        answer = self._layout(source)
        if not hasattr(answer, "plain"):
            raise RuntimeError(answer.error)
        return str(answer.plain)


_graphviz = _Graphviz()


def layout(source: str) -> str:
    """The places in Graphviz ``source``; RuntimeError, which says why, where that cannot be."""
    return _graphviz.layout(source)
