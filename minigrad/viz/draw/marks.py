"""What a view adds to a snapshot while it draws it: where a walk is, and what moves along edges.

Marks are plain data, as a snapshot is, and say nothing of the graph itself. So one snapshot can be
drawn many times: once for each step of a backward pass, or beside another one to compare them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

CURRENT, WAITING, DONE, FADED = "current", "waiting", "done", "faded"
ADDED, REMOVED, CHANGED = "added", "removed", "changed"
STATES = (CURRENT, WAITING, DONE, FADED, ADDED, REMOVED, CHANGED)

# An edge, by where it ends: an input of a node, ("n2", 0), or the card of a tensor, ("t3", 0).
EdgeKey = tuple[str, int]


@dataclass(frozen=True)
class Mark:
    """What to say of one node or tensor: in which of ``STATES`` it is, and a few words.

    Views show the state by lines and fills; what it means is said in the words of ``note``.
    """

    state: str = ""
    note: str = ""


@dataclass(frozen=True)
class Gradient:
    """A gradient on its way back along an edge; ``passing`` while this is what is happening.

    Without text nothing is drawn yet, but the edge has room for it.
    """

    text: str = ""
    passing: bool = False


@dataclass(frozen=True)
class Marks:
    """Marks for the parts of a snapshot by their ids, and for its edges by where they end.

    ``sums``: what gradients of edges add up to, by all of these edges. ``title``: one line of what
    is drawn, instead of what the snapshot says of itself. ``least``: how much room the parts take
    at least, so that pictures have the same layout; ``picture.least_rooms`` measures it.
    """

    parts: Mapping[str, Mark] = field(default_factory=dict)
    gradients: Mapping[EdgeKey, Gradient] = field(default_factory=dict)
    sums: Mapping[tuple[EdgeKey, ...], str] = field(default_factory=dict)
    title: str = ""
    least: Mapping[tuple[str, bool, bool], tuple[float, float, float]] = field(default_factory=dict)


NO_MARKS = Marks()
NO_MARK = Mark()
