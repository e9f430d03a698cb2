"""Before and after: two snapshots as one picture, in which what differs is marked."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from minigrad.viz.draw.changes import keys
from minigrad.viz.draw.drawing import Drawing
from minigrad.viz.draw.marks import ADDED, CHANGED, REMOVED, Mark, Marks
from minigrad.viz.draw.text import shorten
from minigrad.viz.read.snapshot import Input, Node, Saved, Snapshot, Tensor

Part = TypeVar("Part", Node, Tensor)

_NOTES = {ADDED: "+ added", REMOVED: "− removed"}
_LONGEST_VALUE = 24


def diff(before: Drawing, after: Drawing) -> Drawing:
    """Draw what is different between two drawings of a graph, such as before and after backward.

    What was added has a heavy frame, what was removed a dotted one, and what has changed says what
    it was. ``graph.drawing`` of a live graph is one too. TypeError for anything but drawings.

    >>> import minigrad as torch
    >>> from minigrad.viz import draw
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> y = x * 3
    >>> before = draw(y)
    >>> y = (x * 3).exp()
    >>> diff(before, draw(y))
    Difference: 1 added, 1 changed
    x: leaf, float32 [] = 2, grad None
    n0 AccumulateGrad: adds to x.grad
    n1 MulBackward0(x, no grad)
      keeps other = 3
      gives n1: not kept
    n2 ExpBackward0(n1)
      keeps result = y
      gives y: result, float32 [] = 403.4288
      + added
      y: value was 6
    """
    for drawing in (before, after):
        if not isinstance(drawing, Drawing):
            raise TypeError(f"diff() takes two drawings, but got {type(drawing).__name__}")
    union = _Union(before.snapshot, after.snapshot)
    return Drawing(union.snapshot, marks=union.marks, detail=after.detail)


class _Union:
    """All parts of two snapshots, and marks for those that are not the same in both."""

    def __init__(self, before: Snapshot, after: Snapshot) -> None:
        self.old = keys(before)
        self.new = keys(after, before, self.old)
        now = {key: part for part, key in self.new.items()}
        gone = [node for node in before.nodes if self.old[node.id] not in now]
        lost = [t for t in before.tensors if self.old[t.id] not in now and _is_told(t)]
        self.tensors = {tensor.id: tensor for tensor in before.tensors}
        self.now = {tensor.id: tensor for tensor in after.tensors}
        # What the parts of the snapshot before are called in the picture.
        self.called = {part: now[key] for part, key in self.old.items() if key in now}
        self.called |= {node.id: f"n{len(after.nodes) + i}" for i, node in enumerate(gone)}
        self.called |= {tensor.id: f"t{len(after.tensors) + i}" for i, tensor in enumerate(lost)}
        self.snapshot = replace(
            after,
            limit=max(before.limit, after.limit),
            nodes=after.nodes + tuple(map(self._node, gone)),
            tensors=after.tensors + tuple(map(self._tensor, lost)),
        )
        removed = Mark(REMOVED, _NOTES[REMOVED])
        parts = dict(self._compared(before, after))
        parts |= {self.called[node.id]: removed for node in gone}
        parts |= {self.called[tensor.id]: removed for tensor in lost}
        counts = Counter(mark.state for mark in parts.values())
        told = [f"{counts[state]} {state}" for state in (ADDED, REMOVED, CHANGED) if counts[state]]
        self.marks = Marks(parts, title=f"Difference: {', '.join(told) or 'none'}")

    def _node(self, node: Node) -> Node:
        inputs = (
            source if source.node is None else Input(self.called[source.node], source.output)
            for source in node.inputs
        )
        saved = (self._saved(one) for one in node.saved)
        return replace(node, id=self.called[node.id], inputs=tuple(inputs), saved=tuple(saved))

    def _saved(self, saved: Saved) -> Saved:
        if saved.tensor is None:
            return saved
        tensor = self.tensors[saved.tensor]
        now = self.now.get(self.called.get(saved.tensor, ""))
        if now is not None and now.value == tensor.value:
            return replace(saved, tensor=now.id)
        return replace(saved, tensor=None, names=tensor.names, value=tensor.value)

    def _tensor(self, tensor: Tensor) -> Tensor:
        node = None if tensor.node is None else self.called[tensor.node]
        return replace(tensor, id=self.called[tensor.id], node=node, shares=())

    def _compared(self, before: Snapshot, after: Snapshot) -> Iterator[tuple[str, Mark]]:
        """Marks for what is new and for what has changed."""
        nodes = {self.old[node.id]: node for node in before.nodes}
        tensors = {self.old[tensor.id]: tensor for tensor in before.tensors}
        for node in after.nodes:
            yield from _marked(node.id, nodes.get(self.new[node.id]), node, _node_was)
        for tensor in filter(_is_told, after.tensors):
            # Views mark a leaf at the node that adds up its gradient.
            part = tensor.node if tensor.is_leaf and tensor.node is not None else tensor.id
            yield from _marked(part, tensors.get(self.new[tensor.id]), tensor, _tensor_was)


def _marked(
    part: str, old: Part | None, new: Part, was: Callable[[Part, Part], Iterator[str]]
) -> Iterator[tuple[str, Mark]]:
    if old is None:
        yield part, Mark(ADDED, _NOTES[ADDED])
    elif note := "; ".join(was(old, new)):
        yield part, Mark(CHANGED, note)


def _is_told(tensor: Tensor) -> bool:
    """Whether a picture shows the tensor, or what it is called, for itself."""
    return tensor.role != "constant" and bool(tensor.drawn or tensor.is_leaf or tensor.names)


def _node_was(old: Node, new: Node) -> Iterator[str]:
    states = {saved.name: saved.state for saved in old.saved}
    for saved in new.saved:
        if saved.state != states.get(saved.name, saved.state):
            yield f"{shorten(saved.name)} was {states[saved.name]}"


def _tensor_was(old: Tensor, new: Tensor) -> Iterator[str]:
    if old.value != new.value:
        yield f"value was {shorten(old.value.text, _LONGEST_VALUE)}"
    if (old.grad, old.grad_state) != (new.grad, new.grad_state):
        yield f"grad was {shorten(old.grad.text, _LONGEST_VALUE) if old.grad else 'None'}"
    if old.requires_grad != new.requires_grad:
        yield f"requires_grad was {old.requires_grad}"
