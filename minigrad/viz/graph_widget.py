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
from minigrad.viz.marks import NO_MARKS, Marks
from minigrad.viz.outline import outline
from minigrad.viz.snapshot import Snapshot
from minigrad.viz.text import Words
from minigrad.viz.theme import THEMES


class GraphWidget(anywidget.AnyWidget):
    """One snapshot on the page; where it comes from is the business of whoever calls ``show``.

    ``snapshot`` is what is shown, as plain data, and ``marks`` what is drawn besides it; the other
    traits are made from these and are what the browser gets, each only when it has changed.

    empty: what to say instead of a graph where the snapshot has no tensors.
    """

    _esm = Path(__file__).parent / "static" / "live.js"

    snapshot = traitlets.Instance(Snapshot)
    marks = traitlets.Instance(Marks)
    dot = traitlets.Unicode(help="the picture, as Graphviz source").tag(sync=True)
    summary = traitlets.Unicode(help="one line of what is drawn").tag(sync=True)
    outline = traitlets.Unicode(help="the picture, as text").tag(sync=True)
    parts = traitlets.Dict(help="what each part is known by in the next picture").tag(sync=True)
    details = traitlets.Dict(help="title and labelled lines of each part").tag(sync=True)
    news = traitlets.Unicode(help="what has changed since the picture before").tag(sync=True)
    themes = traitlets.Dict(help="the colours, light and dark").tag(sync=True)

    def __init__(
        self, snapshot: Snapshot, empty: str = "Nothing to draw yet", marks: Marks = NO_MARKS
    ) -> None:
        self._empty = empty
        super().__init__(
            **self._pictured(snapshot, marks),
            themes={name: asdict(theme) for name, theme in THEMES.items()},
        )
        self.snapshot, self.marks = snapshot, marks

    def show(self, snapshot: Snapshot, news: str | None = None, marks: Marks = NO_MARKS) -> None:
        """Show another snapshot, or the same with other marks, in place of the one before.

        news: what to announce, for a screen reader too; by default what has changed.
        """
        if news is None:
            news = ". ".join(describe_changes(self.snapshot, snapshot))
        with self.hold_sync():
            self.snapshot, self.marks = snapshot, marks
            for name, value in {**self._pictured(snapshot, marks), "news": news}.items():
                self.set_trait(name, value)

    def _pictured(self, snapshot: Snapshot, marks: Marks) -> dict[str, Any]:
        """The traits that the browser draws from."""
        return {
            "dot": dot_source(snapshot, THEMES["light"], marks=marks),
            "summary": Words(snapshot).summary if snapshot.tensors else self._empty,
            "outline": outline(snapshot, marks) if snapshot.tensors else self._empty,
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
            data["image/svg+xml"] = Drawing(self.snapshot, marks=self.marks).svg()
        return data, metadata
