"""What recordings have noted of nodes and tensors, for as long as these live.

A node carries its stamp in ``metadata``, which every engine keeps with the node; a tensor is known
by a weak reference. So a note keeps nothing alive, and outlives the recording that made it.
"""

import weakref
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from minigrad.viz.read.protocol import GraphNode, TensorLike
from minigrad.viz.read.values import Value

_KEY = "minigrad.viz"
NO_GRADIENT = "requires_grad=False"  # why there is no edge from data
_MOST_CAUSES = 8


@dataclass(frozen=True)
class Line:
    """A line of the program: ``where`` is a cell, as in ``In[3]``, or the name of a file."""

    where: str
    number: int
    text: str

    @property
    def place(self) -> tuple[int, str, int]:
        """What puts lines in order: ``In[10]`` comes after ``In[9]``."""
        return len(self.where), self.where, self.number

    def __str__(self) -> str:
        return f"{self.where}, line {self.number}: {self.text}"


class Source(NamedTuple):
    """A tensor as it was when something was made from it: its place in the graph, held weakly.

    ``stamp`` is that of its ``grad_fn``; None where it had none. ``behind``: why the tensor itself
    has no gradient, back to tensors that have one.
    """

    tensor: "weakref.ref[TensorLike]"
    dtype: str
    depth: int
    requires_grad: bool = False
    stamp: "weakref.ref[Stamp] | None" = None
    output: int = 0
    behind: tuple["Cause", ...] = ()

    def place(self) -> object:
        """What says where in the graph it was, or else the tensor; None if that is gone."""
        return (self.tensor if self.stamp is None else self.stamp)()


class Cause(NamedTuple):
    """Why there is no edge from ``source``."""

    reason: str
    source: Source


class Turn(NamedTuple):
    """A node's turn in a backward pass: which pass, when, and what came and went.

    ``passed``: the gradient handed to each input; ``received``: that of each output, added up.
    """

    run: int
    number: int
    passed: tuple[Value | None, ...]
    received: tuple[Value | None, ...]


class Stamp:
    """What is noted of a node, and how it is known again.

    ``missing``: why there is no edge to other tensors that went into it. ``depth``: how many
    stamped nodes lie behind it, one behind the other. ``number``: the plain number that the call
    was given. ``turn``: its last one in a backward pass.
    """

    __slots__ = ("__weakref__", "depth", "made", "missing", "number", "turn")

    def __init__(self, made: Line | None, depth: int, number: str | None = None) -> None:
        self.made = made
        self.depth = depth
        self.number = number
        self.missing: tuple[Cause, ...] = ()
        self.turn: Turn | None = None

    def __repr__(self) -> str:
        return f"<made in {self.made.where}, line {self.made.number}>" if self.made else "<seen>"


@dataclass
class Note:
    """What is noted of a tensor: what made it, and why it has no edge to what it came from.

    ``exits``: what it handed to Python, as in ``.item() gives a number without a graph``.
    """

    made: Line | None = None
    causes: tuple[Cause, ...] = ()
    exits: tuple[str, ...] = ()
    depth: int = 0


_notes: dict[int, tuple["weakref.ref[object]", Note]] = {}


def note_of(thing: object) -> Note | None:
    """The note of a tensor, or of an array that holds its numbers."""
    reference, note = _notes.get(id(thing), (None, None))
    return note if reference is not None and reference() is thing else None


def write_note(thing: object, note: Note) -> None:
    """Keep ``note`` for as long as ``thing`` lives."""
    key = id(thing)

    def forget(reference: "weakref.ref[object]") -> None:
        if _notes.get(key, (None,))[0] is reference:
            _notes.pop(key, None)

    _notes[key] = (weakref.ref(thing, forget), note)


def stamp_of(node: GraphNode) -> Stamp | None:
    """The stamp of a node that a recording has seen."""
    stamp = getattr(node, "metadata", {}).get(_KEY)
    return stamp if isinstance(stamp, Stamp) else None


def write_stamp(node: GraphNode, stamp: Stamp) -> None:
    """Let the node carry ``stamp``."""
    node.metadata[_KEY] = stamp  # type: ignore[attr-defined]


def merge(causes: Iterable[Cause]) -> tuple[Cause, ...]:
    """The causes, each source once, and not too many."""
    found: dict[tuple[int, int], Cause] = {}
    for cause in causes:
        found.setdefault((id(cause.source.place()), cause.source.output), cause)
    return tuple(found.values())[:_MOST_CAUSES]


def living(causes: Iterable[Cause]) -> Iterator[Cause]:
    """The causes whose sources have not gone; in the place of others what is behind them."""
    for cause in causes:
        if cause.source.place() is not None:
            yield cause
        else:
            yield from living(cause.source.behind)


def roots(causes: Iterable[Cause]) -> Iterator[Cause]:
    """The causes that lead to tensors with a gradient, at once or behind others."""
    for cause in causes:
        yield from (cause,) if cause.source.requires_grad else cause.source.behind


def was_cut_off(thing: object) -> bool:
    """Whether a tensor has no edge to others that a gradient could have reached."""
    note = note_of(thing)
    return note is not None and any(roots(note.causes))
