"""Large graphs made readable: what is repeated, and the parameters of a module, become one box.

``fold`` makes a smaller snapshot of a snapshot, for the views; the snapshot itself stays as it is.
"""

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from minigrad.viz.draw.changes import keys
from minigrad.viz.draw.folded import Folded
from minigrad.viz.draw.marks import NO_MARK, NO_MARKS, Marks
from minigrad.viz.draw.repeats import Repeat, find_repeats, in_depth_first_order
from minigrad.viz.draw.text import count, shorten
from minigrad.viz.read.notes import Line
from minigrad.viz.read.snapshot import Cut, Input, Node, Saved, Snapshot, Tensor

FOLD_ABOVE = 60  # nodes: what is smaller is drawn as it is
MOST_DRAWN = 300
_MOST_UNFOLDED = 150
_MOST_NAMED = 4

Place = tuple[str, int]


def fold(snapshot: Snapshot, unfolded: Set[str] = frozenset(), marks: Marks = NO_MARKS) -> Snapshot:
    """The snapshot as it is to be seen: if it is large, with ``Folded`` among its nodes.

    unfolded: the keys of those to show open; marks: what is in different states is not folded into
    one. What is too large even so is cut, nearest to the
    tensors drawn first, and says that it was.
    """
    if len(snapshot.nodes) <= FOLD_ABOVE:
        return snapshot
    return _nearest(_group_parameters(_fold_repeats(snapshot, unfolded, marks), unfolded, marks))


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
    return _replaced(snapshot, made)


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
    leaves = [leaf for block in repeat.blocks for leaf in _own_leaves(block, snapshot, users)]
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
        made_by=_lines_of(repeat.nodes),
    )


def _own_leaves(
    block: tuple[Node, ...], snapshot: Snapshot, users: dict[str, set[str]]
) -> list[str]:
    """The leaves that nothing but this block uses; what blocks share is drawn outside of them."""
    inside = {node.id for node in block}
    sources = dict.fromkeys(source.node for node in block for source in node.inputs if source.node)
    leaves = {node.id for node in snapshot.nodes if node.kind == "accumulate"}
    return [here for here in sources if here in leaves and users[here] <= inside]


def _group_parameters(snapshot: Snapshot, unfolded: Set[str], marks: Marks) -> Snapshot:
    """Leaves called ``net.0.weight`` and ``net.0.bias`` as one box called ``net.0``."""
    modules: dict[tuple[str, str], list[Tensor]] = {}
    for tensor in snapshot.tensors:
        if tensor.role == "leaf" and tensor.node is not None and tensor.names:
            module, dot, _ = tensor.names[0].rpartition(".")
            if dot and f"module {module}" not in unfolded:
                state = marks.parts.get(tensor.node, NO_MARK).state
                modules.setdefault((module, state), []).append(tensor)
    made = [_module(name, group) for (name, _), group in modules.items() if len(group) > 1]
    return _replaced(snapshot, made)


def _module(name: str, parameters: list[Tensor]) -> Folded:
    nodes = [tensor.node for tensor in parameters if tensor.node is not None]
    return Folded(
        id=nodes[0],
        kind="folded",
        name=shorten(name),
        inputs=(),
        saved=(),
        members=tuple(nodes),
        key=f"module {name}",
        leaves=len(nodes),
        lines=tuple(map(_parameter, parameters)),
        made_by=_lines_of(parameters),
    )


def _lines_of(parts: Sequence[Node | Tensor]) -> tuple[Line, ...]:
    return tuple(dict.fromkeys(part.made for part in parts if part.made is not None))


def _parameter(tensor: Tensor) -> str:
    name = tensor.names[0].rpartition(".")[2]
    grad = {"none": "None", "stored": "stored"}.get(tensor.grad_state, tensor.grad_state)
    return f"{shorten(name)} {tensor.value.kind}, grad {grad}"


def _replaced(snapshot: Snapshot, made: list[Folded]) -> Snapshot:
    """The snapshot with each of these nodes in the place of its members."""
    return _Replacing(snapshot, made).snapshot() if made else snapshot


class _Replacing:
    """Where the outputs of nodes are to be found after some of them were replaced by one."""

    def __init__(self, before: Snapshot, made: list[Folded]) -> None:
        self.before = before
        self.inside = {member: node for node in made for member in node.members}
        self.tensors = {tensor.id: tensor for tensor in before.tensors}
        self.at = {(t.node, t.output): t for t in before.tensors if t.node is not None}
        self.outputs: dict[str, dict[Place, int]] = {node.id: {} for node in made}

    def snapshot(self) -> Snapshot:
        drawn = [tensor for tensor in self.before.tensors if self._stays(tensor)]
        kept = {tensor.id for tensor in drawn}
        inputs: dict[str, dict[Input, None]] = {}
        nodes: dict[str, Node] = {}
        for node in in_depth_first_order(self.before):
            whole = self.inside.get(node.id)
            if whole is None:
                moved = tuple(map(self._moved, node.inputs))
                saved = tuple(self._saved(one, kept) for one in node.saved)
                nodes[node.id] = replace(node, inputs=moved, saved=saved)
                continue
            own = inputs.setdefault(whole.id, {})
            for source in node.inputs:
                outside = source.left_out or source.node is not None
                if outside and self.inside.get(source.node or "") is not whole:
                    own[self._moved(source)] = None
            if whole.operations:
                nodes.pop(whole.id, None)  # it stands where its last member stood, leaves at once
            nodes[whole.id] = replace(whole, inputs=tuple(own))
        tensors = tuple(self._placed(tensor, kept) for tensor in drawn)
        cuts = (self._cut(cut, kept) for cut in self.before.cuts if self._is_seen(cut, kept))
        named = tuple(map(self._named, nodes.values()))
        return replace(self.before, nodes=named, tensors=tensors, cuts=tuple(cuts))

    def _stays(self, tensor: Tensor) -> bool:
        return tensor.node not in self.inside or (tensor.drawn and not tensor.is_leaf)

    def _moved(self, source: Input) -> Input:
        if source.node not in self.inside:
            return source
        whole = self.inside[source.node].id
        return Input(whole, self._output(whole, (source.node, source.output)))

    def _output(self, whole: str, place: Place) -> int:
        outputs = self.outputs[whole]
        return outputs.setdefault(place, len(outputs))

    def _placed(self, tensor: Tensor, kept: set[str]) -> Tensor:
        tensor = replace(tensor, shares=tuple(other for other in tensor.shares if other in kept))
        if tensor.node not in self.inside:
            return tensor
        whole = self.inside[tensor.node].id
        return replace(tensor, node=whole, output=self._output(whole, (tensor.node, tensor.output)))

    def _saved(self, saved: Saved, kept: set[str]) -> Saved:
        """What was said by a tensor that is not seen any more is said by its name and value."""
        if saved.tensor is None or saved.tensor in kept:
            return saved
        tensor = self.tensors[saved.tensor]
        return replace(saved, tensor=None, names=tensor.names, value=tensor.value)

    def _is_seen(self, cut: Cut, kept: set[str]) -> bool:
        """Whether what a cut leads to stands in the picture."""
        hidden = cut.target in self.tensors and cut.target not in kept
        return cut.target not in self.inside and not hidden

    def _cut(self, cut: Cut, kept: set[str]) -> Cut:
        if cut.tensor is not None and cut.tensor not in kept:
            return replace(cut, tensor=None)
        if cut.node not in self.inside:
            return cut
        whole = self.inside[cut.node].id
        return replace(cut, node=whole, output=self._output(whole, (cut.node, cut.output)))

    def _named(self, node: Node) -> Node:
        """A new node with what its outputs are called; any other as it is."""
        if not isinstance(node, Folded) or node.id not in self.outputs:
            return node
        known = (self.at.get(place) for place in self.outputs[node.id])
        return replace(node, gives=tuple(t.names[0] if t and t.names else "" for t in known))


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
