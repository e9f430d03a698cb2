"""A snapshot's picture: what is folded, how it is laid out, and its SVG."""

from collections.abc import Iterable, Iterator, Set
from dataclasses import replace
from functools import cached_property

from minigrad.viz.draw.folding import FOLD_ABOVE, fold
from minigrad.viz.draw.layout import NARROW, WIDE, Fit, Layout, Room
from minigrad.viz.draw.marks import NO_MARKS, Marks
from minigrad.viz.draw.outline import describe_node, describe_tensor, outline
from minigrad.viz.draw.scene import Scene, scene_of
from minigrad.viz.draw.svg import svg_of
from minigrad.viz.read.snapshot import Snapshot

WIDEST = 820  # pixels: a notebook has room for it
LEAST_SCALE, LEAST_SCALE_OF_MODULES = 0.85, 0.68


def least_rooms(
    pictures: Iterable[tuple[Snapshot, Marks]], detail: str
) -> dict[tuple[str, bool, bool], tuple[float, float, float]]:
    """The room that the largest version of each part takes: for ``Marks.least``."""
    least: dict[tuple[str, bool, bool], tuple[float, float, float]] = {}
    for snapshot, marks in pictures:
        view = fold(snapshot, marks=marks)
        for narrow in (False, True):
            scene = scene_of(view, marks, detail, narrow)
            for down in (False, True):
                for name, room in _rooms(scene, down).items():
                    key = name, narrow, down
                    largest = _at_least(room, least.get(key))
                    least[key] = largest.along, largest.before, largest.behind
    return least


def _rooms(scene: Scene, down: bool) -> dict[str, Room]:
    boxes = {box.id: box.room(down) for box in scene.boxes}
    return boxes | {way.id: way.road(down).room for way in scene.ways}


def _at_least(room: Room, least: tuple[float, float, float] | None) -> Room:
    if least is None:
        return room
    along, before, behind = map(max, (room.along, room.before, room.behind), least)
    return replace(room, along=along, before=before, behind=behind)


class Picture:
    """What is drawn of a snapshot.

    From left to right if that fits, shrunk a little if need be; else with its modules folded; else
    from top to bottom. direction: ``"LR"`` or ``"TB"``, to have it so in any case. detail: one of
    ``scene.DETAILS``. unfolded: the keys of the folds that are open; None folds nothing.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        marks: Marks = NO_MARKS,
        direction: str | None = None,
        detail: str = "values",
        unfolded: Set[str] | None = frozenset(),
    ) -> None:
        self.snapshot, self.marks, self.detail = snapshot, marks, detail
        self._direction = direction
        self._choose(unfolded, direction)

    def unfold(self, unfolded: Set[str]) -> "Picture":
        """The same picture with these folds open."""
        return Picture(self.snapshot, self.marks, self._direction, self.detail, unfolded)

    def _views(self, unfolded: Set[str] | None) -> Iterator[Snapshot]:
        """What may be drawn: with its modules open, then with those that it has folded."""
        if unfolded is None:
            yield self.snapshot
            return
        view = fold(self.snapshot, unfolded, self.marks)
        yield view
        if len(self.snapshot.nodes) <= FOLD_ABOVE:  # else they are folded by now
            folded = fold(self.snapshot, unfolded, self.marks, modules=True)
            if folded is not view:
                yield folded

    def _choose(self, unfolded: Set[str] | None, direction: str | None) -> None:
        for view in self._views(unfolded):
            self.view = view
            least = LEAST_SCALE if self.view is self.snapshot else LEAST_SCALE_OF_MODULES
            for fit in (WIDE, NARROW):
                self.scene = scene_of(self.view, self.marks, self.detail, fit == NARROW)
                self.layout = self._laid_out(fit, direction == "TB")
                if direction or self.layout.width * least <= WIDEST:
                    return
        self.layout = self._laid_out(WIDE, True)

    def _laid_out(self, fit: Fit, down: bool) -> Layout:
        rooms = {
            name: _at_least(room, self.marks.least.get((name, fit == NARROW, down)))
            for name, room in _rooms(self.scene, down).items()
        }
        roads = [way.road(down) for way in self.scene.ways]
        roads = [replace(road, room=rooms.pop(road.id)) for road in roads]
        return Layout(rooms, roads, fit, down)

    @cached_property
    def outline(self) -> str:
        """The picture as text."""
        return outline(self.view, self.marks)

    @property
    def title(self) -> str:
        """One line of what is drawn."""
        return self.marks.title or self.scene.words.summary

    @cached_property
    def svg(self) -> str:
        """The SVG, without colors; RenderError where there is no Graphviz."""
        words = self.scene.words
        about = {node.id: "\n".join(describe_node(words, node)) for node in self.view.nodes}
        about |= {tensor.id: describe_tensor(words, tensor) for tensor in self.view.tensors}
        placed = self.layout.place()
        # Columns can make it wider than the longest way through it, which `_choose` has measured.
        fitting = WIDEST / max(placed.width, WIDEST)
        scale = 1 if self.layout.down else max(LEAST_SCALE_OF_MODULES, fitting)
        return svg_of(self.scene, placed, self.layout.down, self.title, self.outline, about, scale)
