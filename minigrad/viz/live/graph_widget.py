"""GraphWidget: a snapshot as a picture in the notebook, which moves when it is given the next."""

from collections.abc import Mapping
from os import PathLike
from typing import Any

import anywidget
import ipywidgets
import traitlets

from minigrad.viz.draw.browser_state import browser_state, hops, style, themes
from minigrad.viz.draw.bundled import STATIC
from minigrad.viz.draw.changes import describe_changes, keys
from minigrad.viz.draw.drawing import Drawing
from minigrad.viz.draw.marks import NO_MARKS, Marks
from minigrad.viz.draw.picture import Picture
from minigrad.viz.live.bundle import Bundle, bundle
from minigrad.viz.read.snapshot import Snapshot


class GraphWidget(anywidget.AnyWidget):
    """One snapshot on the page; where it comes from is the business of whoever calls ``show``.

    ``snapshot`` is what is shown, as plain data, and ``marks`` what is drawn besides it; the other
    traits are made from these and are what the browser gets, each only when it has changed.

    empty: what to say instead of a graph where the snapshot has no tensors. detail: how much the
    picture tells, as for ``draw``.
    """

    _esm = STATIC / "boot.js"

    snapshot = traitlets.Instance(Snapshot)
    marks = traitlets.Instance(Marks)
    svg = traitlets.Unicode(help="the picture, without colors").tag(sync=True)
    summary = traitlets.Unicode(help="one line of what is drawn").tag(sync=True)
    outline = traitlets.Unicode(help="the picture, as text").tag(sync=True)
    parts = traitlets.Dict(help="what each part is known by in the next picture").tag(sync=True)
    details = traitlets.Dict(help="title and labeled lines of each part").tag(sync=True)
    lines: Any = traitlets.List(help="lines of the program, and the parts each made").tag(sync=True)
    travel: Any = traitlets.Dict(
        {"run": 0, "hops": []}, help="a backward pass to show: its edges, turn by turn"
    ).tag(sync=True)
    news = traitlets.Unicode(help="what has changed since the picture before").tag(sync=True)
    # Not "style", which ipywidgets takes for a model of its own.
    stylesheet = traitlets.Unicode(help="the rules for pictures").tag(sync=True)
    themes = traitlets.Dict(help="the colors, light and dark").tag(sync=True)
    unfolded = traitlets.List(traitlets.Unicode(), help="folds that are open").tag(sync=True)
    arrows: Any = traitlets.Dict(
        help="arrows that are buttons, by edge as in n3:0: label, and whether it is pressed"
    ).tag(sync=True)
    pressed = traitlets.Unicode(help="the edge whose arrow was pressed; then empty").tag(sync=True)
    bundle = traitlets.Instance(Bundle, help="what runs in the browser").tag(
        sync=True, **ipywidgets.widget_serialization
    )

    def __init__(
        self,
        snapshot: Snapshot,
        empty: str = "Nothing to draw yet",
        marks: Marks = NO_MARKS,
        detail: str = "values",
    ) -> None:
        self._empty, self._detail = empty, detail
        self._keys = keys(snapshot)
        super().__init__(
            **self._pictured(Picture(snapshot, marks, detail=detail)),
            stylesheet=style(),
            themes=themes(),
            bundle=bundle(),
        )
        self.snapshot, self.marks = snapshot, marks

    def show(
        self,
        snapshot: Snapshot,
        news: str | None = None,
        marks: Marks = NO_MARKS,
        travels: bool = False,
    ) -> None:
        """Show another snapshot, or the same with other marks, in place of the one before.

        news: what to announce, for a screen reader too; by default what has changed. travels:
        whether the gradients of the last backward pass run back along the edges.
        """
        if news is None:
            news = ". ".join(describe_changes(self.snapshot, snapshot))
        if (snapshot, marks) == (self.snapshot, self.marks) and not travels:
            self.news = news
            return
        self._draw(snapshot, news, marks, travels)

    def _draw(self, snapshot: Snapshot, news: str, marks: Marks, travels: bool = False) -> None:
        self._keys = keys(snapshot, self.snapshot, self._keys)
        picture = Picture(snapshot, marks, None, self._detail, set(self.unfolded))
        pictured = self._pictured(picture)
        if travels:
            pictured["travel"] = {"run": self.travel["run"] + 1, "hops": hops(picture)}
        with self.hold_sync():
            self.snapshot, self.marks = snapshot, marks
            for name, value in {**pictured, "news": news}.items():
                self.set_trait(name, value)

    @traitlets.observe("unfolded")
    def _unfold(self, change: Mapping[str, Any]) -> None:
        opened = len(change["new"]) > len(change["old"])
        self._draw(self.snapshot, "Unfolded" if opened else "Folded again", self.marks)

    def _pictured(self, picture: Picture) -> dict[str, Any]:
        """The traits that the browser draws from."""
        state = browser_state(picture, self._keys)
        return (
            state
            if picture.view.tensors
            else {**state, "summary": self._empty, "outline": self._empty}
        )

    @property
    def drawing(self) -> Drawing:
        """What is shown, as ``draw`` gives it: to be saved, or compared by ``diff``."""
        return Drawing(self.snapshot, marks=self.marks, detail=self._detail)

    def save(self, path: str | PathLike[str]) -> None:
        """Write what is shown to a file, as ``Drawing.save`` does."""
        self.drawing.save(path)

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
            data["image/svg+xml"] = self.drawing.svg()
        return data, metadata
