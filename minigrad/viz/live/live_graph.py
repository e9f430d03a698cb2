"""LiveGraph: the widget that follows the graph of a notebook's tensors."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from minigrad.viz.draw.changes import describe_changes
from minigrad.viz.draw.text import shorten
from minigrad.viz.live.graph_widget import GraphWidget
from minigrad.viz.read.names import NamedTensors, names_in
from minigrad.viz.read.notes import was_cut_off
from minigrad.viz.read.protocol import TensorLike
from minigrad.viz.read.snapshot import Snapshot, take_snapshot
from minigrad.viz.record.lines import running_shell
from minigrad.viz.record.recording import Recording

_LONGEST = 120
_EMPTY = "No variable holds a tensor that needs a gradient yet"


class LiveGraph(GraphWidget):
    """The graph behind tensors, kept up to date; ``minigrad.viz.live`` makes one."""

    _shell: Any = None  # the notebook's IPython, while it is followed

    def __init__(
        self,
        tensors: Sequence[TensorLike],
        namespace: Mapping[str, object],
        limit: int,
        recording: Recording | None = None,
        detail: str = "values",
    ) -> None:
        self._namespace = namespace
        self._limit = limit
        self._recording = recording
        names = {id(tensor): name for name, tensor in reversed(names_in(namespace))}
        self._followed = [names.get(id(tensor), tensor) for tensor in tensors]
        super().__init__(self._look(), _EMPTY, detail=detail)
        self._shell = running_shell()
        if self._shell is not None:
            self._shell.events.register("post_run_cell", self._after_cell)

    def refresh(self, *first: str) -> None:
        """Show what the variables hold now; a notebook does this after each cell.

        first: what to tell before what has changed.
        """
        snapshot = self._look()
        if first or snapshot != self.snapshot:
            news = ". ".join([*first, *describe_changes(self.snapshot, snapshot)])
            travels = self._recording is not None and self._recording.passes > 0
            self.show(snapshot, news, travels=travels and bool(snapshot.turns))

    def close(self) -> None:
        """Follow the notebook no longer, and take the widget off the page."""
        if self._shell is not None:
            self._shell.events.unregister("post_run_cell", self._after_cell)
            self._shell = None
        if self._recording is not None:
            self._recording.stop()
        self._followed = []
        super().close()

    def _after_cell(self, result: Any) -> None:
        """Called by IPython; what went wrong in the cell is told too, for it explains the graph."""
        error = result.error_in_exec
        self.refresh(*([f"The cell raised {_named(error)}"] if error is not None else []))

    def _look(self) -> Snapshot:
        named = names_in(self._namespace)
        if not self._followed:
            reached = [it for _, it in named if it.requires_grad or was_cut_off(it)]
            return _only_ends_drawn(take_snapshot(reached, named, self._limit))
        return take_snapshot(self._tensors(named), named, self._limit)

    def _tensors(self, named: NamedTensors) -> list[TensorLike]:
        """The tensors asked for: what their names stand for now, where they have any."""
        now = dict(named)
        found = [now.get(item) if isinstance(item, str) else item for item in self._followed]
        return [tensor for tensor in found if tensor is not None]


def _named(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:  # somebody's own error, which cannot be printed
        text = ""
    return shorten(f"{type(error).__name__}: {text}" if text else type(error).__name__, _LONGEST)


def _only_ends_drawn(snapshot: Snapshot) -> Snapshot:
    """The same, with only those tensors asked for that nothing else was computed from."""
    used = {(source.node, source.output) for node in snapshot.nodes for source in node.inputs}
    ends = [
        replace(tensor, drawn=tensor.drawn and (tensor.node, tensor.output) not in used)
        for tensor in snapshot.tensors
    ]
    return replace(snapshot, tensors=tuple(ends))
