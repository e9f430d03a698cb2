"""Large graphs made readable: what is repeated, and the parameters of a module, become one box.

``fold`` makes a smaller snapshot of a snapshot, for the views; the snapshot itself stays as it is.
"""

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from minigrad.viz.draw.changes import keys
from minigrad.viz.draw.folded import Folded
from minigrad.viz.draw.marks import NO_MARKS, Marks
from minigrad.viz.draw.modules import fold_modules
from minigrad.viz.draw.repeats import Repeat, find_repeats
from minigrad.viz.draw.replacing import replaced
from minigrad.viz.draw.text import count, shorten
from minigrad.viz.read.notes import Line
from minigrad.viz.read.snapshot import Input, Node, Snapshot, Tensor

FOLD_ABOVE = 60  # nodes: what is smaller is drawn as it is
MOST_DRAWN = 300
_MOST_UNFOLDED = 150
_MOST_NAMED = 4

Place = tuple[str, int]


def fold(
    snapshot: Snapshot,
    unfolded: Set[str] = frozenset(),
    marks: Marks = NO_MARKS,
    modules: bool = False,
) -> Snapshot:
    """The snapshot as it is to be seen: if it is large, with ``Folded`` among its nodes.

    unfolded: the keys of those to show open; marks: what is in different states is not folded into
    one; modules: whether to fold the modules of a smaller graph, too. What is too large even so is
    cut, nearest to the tensors drawn first, and says that it was.
    """
    if len(snapshot.nodes) > FOLD_ABOVE:
        repeated = _fold_repeats(snapshot, unfolded, marks)
        return _nearest(fold_modules(repeated, unfolded, marks))
    return fold_modules(snapshot, unfolded, marks) if modules else snapshot


def folds(snapshot: Snapshot) -> list[Folded]:
    """The nodes that stand for many."""
    return [node for node in snapshot.nodes if isinstance(node, Folded)]


def _fold_repeats(snapshot: Snapshot, unfolded: Set[str], marks: Marks) -> Snapshot:
    known = keys(snapshot)
    users: dict[str, set[str]] = {}
    for node in snapshot.nodes:
        for source in node.inputs:
            users.setdefault(source.node or "", set()).add(node.id)
    made = []
    for repeat in find_repeats(snapshot, marks):
        for part in _closed(repeat, known, unfolded):
            made.append(_folded(part, known, users, snapshot))
    return replaced(snapshot, made)


def _closed(repeat: Repeat, known: dict[str, str], unfolded: Set[str]) -> Iterable[Repeat]:
    """What of a repeated structure stays folded: of a very long one, opened, all but the ends."""
    while known[repeat.nodes[0].id] in unfolded:
        if len(repeat.nodes) <= _MOST_UNFOLDED:
            return
        inner = [node for block in repeat.blocks[1:-1] for node in block]
        repeat = Repeat(tuple(inner), repeat.times - 2)
    yield repeat


def _folded(
    repeat: Repeat, known: dict[str, str], users: dict[str, set[str]], snapshot: Snapshot
) -> Folded:
    known_leaves = {node.id for node in snapshot.nodes if node.kind == "accumulate"}
    leaves = [leaf for block in repeat.blocks for leaf in _own_leaves(block, known_leaves, users)]
    called = {t.node: t.names[0] for t in snapshot.tensors if t.names and t.node is not None}
    names = [called[leaf] for leaf in leaves if leaf in called]
    block = [node.name.rpartition("::")[2] for node in repeat.blocks[0]]
    listed = [shorten(name) for name in block[:_MOST_NAMED]]
    listed += ["…"] if len(block) > _MOST_NAMED else []
    lines = [f"{count(len(block), 'operation')} each"] if len(block) > 1 else []
    if leaves:
        some = f": {shorten(names[0])} … {shorten(names[-1])}" if len(names) > 1 else ""
        lines.append(count(len(leaves), "leaf") + some)
    members = (*leaves, *(node.id for node in repeat.nodes))
    return Folded(
        id=repeat.nodes[-1].id,
        kind="folded",
        name=f"({', '.join(listed)})" if len(block) > 1 else listed[0],
        inputs=(),
        saved=(),
        members=members,
        key=known[repeat.nodes[0].id],
        times=repeat.times,
        operations=len(repeat.nodes),
        leaves=len(leaves),
        lines=tuple(lines),
        made_by=lines_of(repeat.nodes),
    )


def _own_leaves(block: tuple[Node, ...], leaves: Set[str], users: dict[str, set[str]]) -> list[str]:
    """The leaves that nothing but this block uses; what blocks share is drawn outside of them."""
    inside = {node.id for node in block}
    sources = dict.fromkeys(source.node for node in block for source in node.inputs if source.node)
    return [here for here in sources if here in leaves and users[here] <= inside]


def lines_of(parts: Sequence[Node | Tensor]) -> tuple[Line, ...]:
    return tuple(dict.fromkeys(part.made for part in parts if part.made is not None))


def _nearest(snapshot: Snapshot) -> Snapshot:
    """The snapshot without what is farthest from the tensors drawn, if there is too much of it."""
    if len(snapshot.nodes) <= MOST_DRAWN:
        return snapshot
    nodes = {node.id: node for node in snapshot.nodes}
    drawn = [tensor.node for tensor in snapshot.tensors if tensor.drawn and tensor.node]
    waiting, kept = drawn, dict.fromkeys(drawn[:MOST_DRAWN])
    while waiting and len(kept) < MOST_DRAWN:
        sources = (s.node for here in waiting for s in nodes[here].inputs if s.node)
        waiting = [source for source in dict.fromkeys(sources) if source not in kept]
        kept.update(dict.fromkeys(waiting[: MOST_DRAWN - len(kept)]))
    left = tuple(_cut(nodes[here], kept) for here in nodes if here in kept)
    used = {saved.tensor for node in left for saved in node.saved}
    tensors = [t for t in snapshot.tensors if t.node in kept or t.node is None or t.id in used]
    cut = [t if t.node is None or t.node in kept else replace(t, node=None) for t in tensors]
    seen = {*kept, *(tensor.id for tensor in tensors), None}
    cuts = (c for c in snapshot.cuts if {c.target, c.node, c.tensor} <= seen)
    alone = (replace(t, shares=tuple(s for s in t.shares if s in seen)) for t in cut)
    return replace(snapshot, limit=MOST_DRAWN, nodes=left, tensors=tuple(alone), cuts=tuple(cuts))


def _cut(node: Node, kept: dict[str, None]) -> Node:
    ins = (s if s.node is None or s.node in kept else Input(None, 0, True) for s in node.inputs)
    return replace(node, inputs=tuple(ins))
