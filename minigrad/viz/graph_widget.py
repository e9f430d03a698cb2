"""GraphWidget: a snapshot as a picture in the notebook, which moves when it is given the next."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from minigrad.viz.changes import describe_changes, keys
from minigrad.viz.details import details
from minigrad.viz.dot import dot_source
from minigrad.viz.drawing import Drawing
from minigrad.viz.outline import outline
from minigrad.viz.snapshot import Snapshot
from minigrad.viz.text import Words
from minigrad.viz.theme import THEMES


class GraphWidget(anywidget.AnyWidget):
    """One snapshot on the page; where it comes from is the business of whoever calls ``show``.

    ``snapshot`` is what is shown, as plain data; the other traits are made from it and are what the
    browser gets, each only when it has changed.

    empty: what to say instead of a graph where the snapshot has no tensors.
    """

    _esm = Path(__file__).parent / "static" / "live.js"

    snapshot = traitlets.Instance(Snapshot)
    dot = traitlets.Unicode(help="the picture, as Graphviz source").tag(sync=True)
    summary = traitlets.Unicode(help="one line of what is drawn").tag(sync=True)
    outline = traitlets.Unicode(help="the picture, as text").tag(sync=True)
    parts = traitlets.Dict(help="what each part is known by in the next picture").tag(sync=True)
    details = traitlets.Dict(help="title and labelled lines of each part").tag(sync=True)
    news = traitlets.Unicode(help="what has changed since the picture before").tag(sync=True)
    themes = traitlets.Dict(help="the colours, light and dark").tag(sync=True)

    def __init__(self, snapshot: Snapshot, empty: str = "Nothing to draw yet") -> None:
        self._empty = empty
        super().__init__(
            **self._pictured(snapshot),
            themes={name: asdict(theme) for name, theme in THEMES.items()},
        )
        self.snapshot = snapshot

    def show(self, snapshot: Snapshot, news: str | None = None) -> None:
        """Show another snapshot in place of the one before.

        news: what to announce, for a screen reader too; by default what has changed.
        """
        if news is None:
            news = ". ".join(describe_changes(self.snapshot, snapshot))
        with self.hold_sync():
            self.set_trait("snapshot", snapshot)
            for name, value in {**self._pictured(snapshot), "news": news}.items():
                self.set_trait(name, value)

    def _pictured(self, snapshot: Snapshot) -> dict[str, Any]:
        """The traits that the browser draws from."""
        return {
            "dot": dot_source(snapshot, THEMES["light"]),
            "summary": Words(snapshot).summary if snapshot.tensors else self._empty,
            "outline": outline(snapshot) if snapshot.tensors else self._empty,
            "parts": keys(snapshot),
            "details": details(snapshot),
        }

    def __repr__(self) -> str:
        kind = type(self).__name__
        if not self.snapshot.tensors:
            return f"<{kind}: {self.summary}>"
        return f"<{kind} {self.summary.removeprefix('Graph ')}>"

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """The widget; its outline and a picture for where no kernel runs."""
        data, metadata = super()._repr_mimebundle_(**options) or ({}, {})
        data["text/plain"] = self.outline
        if self.snapshot.tensors:
            data["image/svg+xml"] = Drawing(self.snapshot).svg()
        return data, metadata
