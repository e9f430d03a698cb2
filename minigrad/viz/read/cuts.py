"""Edges that a graph lacks, as recordings have noted them, between what is in the picture."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from minigrad.viz.read.notes import Cause, Source, Stamp, note_of
from minigrad.viz.read.protocol import GraphNode, TensorLike

# A tensor's place in the graph: the node that made it, and which output of that node it is.
Place = tuple[GraphNode, int]
# How a tensor is found: by its place, or outside of the graph by the id of the object.
Key = Place | int


class MissingEdge(NamedTuple):
    """``source`` is None for what is gone; ``target`` for numbers that left for Python."""

    reason: str
    source: Key | None
    target: GraphNode | Key | None


class Cuts:
    """The missing edges of one picture.

    stamps: what recordings have noted of its nodes. known: its tensors. key_of: how each is found.
    """

    def __init__(
        self,
        stamps: Mapping[GraphNode, Stamp | None],
        known: Mapping[Key, TensorLike],
        key_of: Callable[[TensorLike], Key | None],
    ) -> None:
        self._stamps = stamps
        self._stamped = {id(stamp): node for node, stamp in stamps.items() if stamp is not None}
        self._known = known
        self._key_of = key_of

    def __iter__(self) -> Iterator[MissingEdge]:
        for node, stamp in self._stamps.items():
            for reason, source in () if stamp is None else self._sources(stamp.missing):
                if source is not None:
                    yield MissingEdge(reason, source, node)
        for key, tensor in self._known.items():
            yield from self._beside(key, tensor)

    def _beside(self, key: Key, tensor: TensorLike) -> Iterator[MissingEdge]:
        note = note_of(tensor)
        if note is None:
            return
        if tensor.is_leaf:
            sources = [(why, None if it == key else it) for why, it in self._sources(note.causes)]
            living = [(reason, source) for reason, source in sources if source is not None]
            for reason, source in living or sources[:1]:
                yield MissingEdge(reason, source, key)
        for reason in note.exits:
            yield MissingEdge(reason, key, None)

    def _sources(self, causes: Iterable[Cause]) -> Iterator[tuple[str, Key | None]]:
        """Where the causes lead to in the picture, each place once; None for what is gone."""
        return iter(dict.fromkeys(self._followed(causes)))

    def _followed(self, causes: Iterable[Cause]) -> Iterator[tuple[str, Key | None]]:
        for cause in causes:
            key = self._place(cause.source)
            if key is not None or cause.source.requires_grad:
                yield cause.reason, key
            else:
                yield from self._followed(cause.source.behind)

    def _place(self, source: Source) -> Key | None:
        stamp = None if source.stamp is None else source.stamp()
        if stamp is not None and id(stamp) in self._stamped:
            return self._stamped[id(stamp)], source.output
        tensor = source.tensor() if source.stamp is None else None
        key = None if tensor is None else self._key_of(tensor)
        return key if key in self._known else None
