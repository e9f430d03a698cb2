"""The modules of a net: their parameters, and the operations that use these, as one box each."""

import math
from collections.abc import Iterable, Set

from minigrad.viz.draw.folded import Folded
from minigrad.viz.draw.marks import NO_MARK, Marks
from minigrad.viz.draw.replacing import replaced
from minigrad.viz.draw.rows import size_text
from minigrad.viz.draw.text import shorten
from minigrad.viz.read.snapshot import Node, Snapshot, Tensor


def fold_modules(snapshot: Snapshot, unfolded: Set[str], marks: Marks) -> Snapshot:
    """The snapshot with ``net.0.weight``, ``net.0.bias`` and what uses them as one node ``net.0``.

    unfolded: the keys of those to leave open. marks: what is in different states isn't folded.
    """
    parameters: dict[str, list[Tensor]] = {}
    for tensor in snapshot.tensors:
        if tensor.role == "leaf" and tensor.node is not None and tensor.names:
            module, dot, _ = tensor.names[0].rpartition(".")
            if dot and f"module {module}" not in unfolded:
                parameters.setdefault(module, []).append(tensor)
    users: dict[str, set[str]] = {}
    for node in snapshot.nodes:
        for source in node.inputs:
            users.setdefault(source.node or "", set()).add(node.id)
    found = []
    for name, tensors in parameters.items():
        leaves = [tensor.node for tensor in tensors if tensor.node is not None]
        inside = _operations(snapshot, leaves, users)
        states = {marks.parts.get(part, NO_MARK).state for part in (*leaves, *inside)}
        if len(leaves) + len(inside) > 1 and len(states) == 1:
            found.append(_module(name, tensors, leaves, inside))
    return replaced(snapshot, found)


def _operations(
    snapshot: Snapshot, leaves: Iterable[str], users: dict[str, set[str]]
) -> dict[str, Node]:
    """The operations of a module; none if it isn't one piece with one output."""
    own = set(leaves)  # what is computed from parameters alone
    inside: dict[str, Node] = {}
    for node in snapshot.nodes:
        sources = {source.node for source in node.inputs if source.node is not None}
        if isinstance(node, Folded) or not sources & own:
            continue
        inside[node.id] = node
        if sources <= own and all(source.node is not None for source in node.inputs):
            own.add(node.id)
    for node in reversed(snapshot.nodes):  # what lies between two of them, such as a view
        sources = {source.node for source in node.inputs if source.node is not None}
        between = users.get(node.id, set()) & inside.keys() and sources & inside.keys()
        if between and not isinstance(node, Folded):
            inside[node.id] = node
    whole = own | inside.keys()
    drawn = {tensor.node for tensor in snapshot.tensors if tensor.drawn and tensor.node}
    outputs = {part for part in whole if users.get(part, set()) - whole}
    outputs |= inside.keys() & drawn
    closed = len(outputs) == 1 and not outputs & own and _is_one_piece(snapshot, whole)
    return inside if closed else {}


def _is_one_piece(snapshot: Snapshot, whole: Set[str]) -> bool:
    """Whether no way leads out of it and in again."""
    beyond: set[str] = set()
    for node in snapshot.nodes:
        sources = {source.node for source in node.inputs if source.node is not None}
        if node.id in whole:
            if sources & beyond:
                return False
        elif sources & (whole | beyond):
            beyond.add(node.id)
    return True


def _module(
    name: str, parameters: list[Tensor], leaves: list[str], inside: dict[str, Node]
) -> Folded:
    members = (*leaves, *inside)
    parameters = sorted(parameters, key=lambda one: -math.prod(one.value.shape))
    parts: list[Tensor | Node] = [*parameters, *inside.values()]
    lines = [part.made for part in parts]
    return Folded(
        id=members[-1],
        kind="folded",
        name=shorten(name),
        inputs=(),
        saved=tuple(saved for node in inside.values() for saved in node.saved if saved.names),
        members=members,
        key=f"module {name}",
        operations=len(inside),
        leaves=len(leaves),
        lines=tuple(map(_parameter, parameters)),
        made_by=tuple(dict.fromkeys(line for line in lines if line is not None)),
        values=tuple(tensor.value for tensor in parameters),
        grads=tuple(tensor.grad for tensor in parameters if tensor.grad is not None),
    )


def _parameter(tensor: Tensor) -> str:
    name = tensor.names[0].rpartition(".")[2]
    return f"{shorten(name)} {size_text(tensor.value)}"
