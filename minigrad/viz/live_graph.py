"""LiveGraph: the widget that follows the graph of a notebook's tensors."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import anywidget
import traitlets
from IPython.core.getipython import get_ipython

from minigrad.viz.changes import describe_changes, keys
from minigrad.viz.details import details
from minigrad.viz.dot import dot_source
from minigrad.viz.drawing import Drawing
from minigrad.viz.names import NamedTensors, names_in
from minigrad.viz.outline import outline
from minigrad.viz.protocol import TensorLike
from minigrad.viz.snapshot import Snapshot, take_snapshot
from minigrad.viz.text import Words
from minigrad.viz.theme import THEMES

_EMPTY = "No variable holds a tensor that needs a gradient yet"


class LiveGraph(anywidget.AnyWidget):
    """The graph behind tensors, kept up to date; ``minigrad.viz.live`` makes one.

    ``snapshot`` is what is shown, as plain data; the other traits are made from it and are what the
    browser gets, each only when it has changed.
    """

    _esm = Path(__file__).parent / "static" / "live.js"

    _shell: Any = None  # the notebook's IPython, while it is followed

    snapshot = traitlets.Instance(Snapshot)
    dot = traitlets.Unicode(help="the picture, as Graphviz source").tag(sync=True)
    summary = traitlets.Unicode(help="one line of what is drawn").tag(sync=True)
    outline = traitlets.Unicode(help="the picture, as text").tag(sync=True)
    parts = traitlets.Dict(help="what each part is known by in the next picture").tag(sync=True)
    details = traitlets.Dict(help="title and labelled lines of each part").tag(sync=True)
    news = traitlets.Unicode(help="what has changed since the picture before").tag(sync=True)
    themes = traitlets.Dict(help="the colours, light and dark").tag(sync=True)

    def __init__(
        self, tensors: Sequence[TensorLike], namespace: Mapping[str, object], limit: int
    ) -> None:
        self._namespace = namespace
        self._limit = limit
        names = {id(tensor): name for name, tensor in reversed(names_in(namespace))}
        self._followed = [names.get(id(tensor), tensor) for tensor in tensors]
        snapshot = self._look()
        super().__init__(
            **_pictured(snapshot),
            themes={name: asdict(theme) for name, theme in THEMES.items()},
        )
        self.snapshot = snapshot
        self._shell = get_ipython()
        if self._shell is not None:
            self._shell.events.register("post_run_cell", self._after_cell)

    def refresh(self) -> None:
        """Show what the variables hold now; a notebook does this after each cell."""
        snapshot = self._look()
        if snapshot == self.snapshot:
            return
        news = ". ".join(describe_changes(self.snapshot, snapshot))
        with self.hold_sync():
            self.set_trait("snapshot", snapshot)
            for name, value in {**_pictured(snapshot), "news": news}.items():
                self.set_trait(name, value)

    def close(self) -> None:
        """Follow the notebook no longer, and take the widget off the page."""
        if self._shell is not None:
            self._shell.events.unregister("post_run_cell", self._after_cell)
            self._shell = None
        self._followed = []
        super().close()

    def _after_cell(self, _: object) -> None:
        self.refresh()

    def _look(self) -> Snapshot:
        named = names_in(self._namespace)
        if not self._followed:
            reached = [tensor for _, tensor in named if tensor.requires_grad]
            return _only_ends_drawn(take_snapshot(reached, named, self._limit))
        return take_snapshot(self._tensors(named), named, self._limit)

    def _tensors(self, named: NamedTensors) -> list[TensorLike]:
        """The tensors asked for: what their names stand for now, where they have any."""
        now = dict(named)
        found = [now.get(item) if isinstance(item, str) else item for item in self._followed]
        return [tensor for tensor in found if tensor is not None]

    def __repr__(self) -> str:
        return f"<Live{self.summary}>" if self.snapshot.tensors else f"<LiveGraph: {self.summary}>"

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """The widget; its outline and a picture for where no kernel runs."""
        data, metadata = super()._repr_mimebundle_(**options) or ({}, {})
        data["text/plain"] = self.outline
        if self.snapshot.tensors:
            data["image/svg+xml"] = Drawing(self.snapshot).svg()
        return data, metadata


def _pictured(snapshot: Snapshot) -> dict[str, Any]:
    """The traits that the browser draws from."""
    return {
        "dot": dot_source(snapshot, THEMES["light"]),
        "summary": Words(snapshot).summary if snapshot.tensors else _EMPTY,
        "outline": outline(snapshot) if snapshot.tensors else _EMPTY,
        "parts": keys(snapshot),
        "details": details(snapshot),
    }


def _only_ends_drawn(snapshot: Snapshot) -> Snapshot:
    """The same, with only those tensors asked for that nothing else was computed from."""
    used = {(source.node, source.output) for node in snapshot.nodes for source in node.inputs}
    ends = [
        replace(tensor, drawn=tensor.drawn and (tensor.node, tensor.output) not in used)
        for tensor in snapshot.tensors
    ]
    return replace(snapshot, tensors=tuple(ends))
