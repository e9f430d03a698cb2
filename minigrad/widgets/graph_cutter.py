"""GraphCutter: cut edges by detach, no_grad or requires_grad_(False), and predict what remains."""

from __future__ import annotations

from html import escape
from typing import Any

import ipywidgets

from minigrad.viz.draw.marks import FADED
from minigrad.viz.live.graph_widget import GraphWidget
from minigrad.widgets.base import Instrument, html, row, table
from minigrad.widgets.code import highlighted
from minigrad.widgets.state.cut_program import WAYS
from minigrad.widgets.state.graph_cutter import GraphCutterState


class GraphCutter(Instrument):
    """A few lines of code, their graph, and for every edge the choice of how to cut it.

    source: lines that each assign to one name; the last one's is what backward starts from.
    tensors: what the lines start with, by name: they are copied, and left alone.

    The cut is made in the code, which is shown: ``h.detach()``, ``with torch.no_grad():`` around
    the line, ``w.requires_grad_(False)`` before it. The graph after it, and the gradients, are
    shown once you have predicted which tensors still have a gradient.

    ValueError for other lines and where no tensor requires grad, TypeError for what is no tensor.

    >>> import minigrad as torch
    >>> x, w = (torch.tensor(v, requires_grad=True) for v in (2.0, 3.0))
    >>> cutter = GraphCutter('''
    ... h = x * w
    ... loss = h * x
    ... ''', x=x, w=w)
    >>> cutter.cut(2, "detach")
    >>> print(cutter.state.program)
    h = x * w
    loss = h.detach() * x
    >>> cutter.predict(["x"])
    Right: x. Every path from w is cut. Not all paths from x are cut: the gradient has another ...
    """

    state: GraphCutterState

    def __init__(self, source: str, **tensors: Any) -> None:
        state = GraphCutterState(source, tensors)
        room = 0.55 * max(map(len, state.labels))  # em
        self.edges = [
            ipywidgets.Dropdown(
                options=WAYS,
                description=label,
                layout=ipywidgets.Layout(width=f"{room + 13:.1f}em", max_width="100%"),
                style={"description_width": f"{room:.1f}em"},
            )
            for label in state.labels
        ]
        self._code, self._before_title, self._after_title = html(), html(), html()
        self._before = GraphWidget(state.uncut)
        self._after = GraphWidget(state.uncut)
        before = ipywidgets.VBox([self._before_title, self._before])
        self._result = ipywidgets.VBox([self._after_title, self._after])
        ways = html('<div class="mg-muted">How to cut the path from one tensor into another</div>')
        body = [ways, row(*self.edges), self._code]
        graphs = ipywidgets.HBox([before, self._result]).add_class("mg-before-after")
        super().__init__(state, body, below=[graphs])
        self.add_class("mg-wide")
        for edge in self.edges:
            edge.observe(self._on_edge, "value")

    def cut(self, edge: int, way: str) -> None:
        """Cut the edge of this number, from 0: none, detach, no_grad or requires_grad_(False)."""
        self.state.cut(edge, way)
        self.refresh()

    def redraw(self) -> None:
        state, after = self.state, self.state.after
        for number, edge in enumerate(self.edges):
            edge.value = state.way(number)
        shown = after is not None and state.is_cut
        code = f'<pre class="mg-code">{"<br>".join(highlighted(state.program))}</pre>'
        grads = table(state.head, state.rows) if shown else ""
        error = after.error if after is not None and state.verdict is None else ""  # it says so
        told = f'<pre class="mg-error">{escape(error)}</pre>' if error else ""
        self._code.value = f'<div class="mg-columns"><div>{code}</div>{grads}</div>{told}'
        faded = any(mark.state == FADED for mark in state.marks.parts.values())
        dotted = "; dotted: what is cut off" if faded else ""
        self._before_title.value = f'<div class="mg-muted">Before the cut{dotted}</div>'
        self._before.show(state.uncut, news="", marks=state.marks)
        if after is not None and shown:
            self._after_title.value = '<div class="mg-muted">The graph now</div>'
            self._after.show(after.snapshot, news="")
        visible = shown and after is not None and bool(after.snapshot.tensors)
        self._result.layout.display = "" if visible else "none"

    def _on_edge(self, change: dict[str, Any]) -> None:
        number = self.edges.index(change["owner"])
        if self.state.way(number) != change["new"]:
            self.cut(number, change["new"])
