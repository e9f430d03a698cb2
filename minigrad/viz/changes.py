"""What became of a graph between two snapshots: which of its parts are the same, and what is new.

A snapshot numbers its nodes afresh each time, so a part is known again by a key: an operation by
its name and what goes into it, a tensor by its first name or else by its place. Nothing but the
snapshot is needed, so a graph that the same program builds anew is the same graph, with new values.
"""

from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b

from minigrad.viz.saved import FREED
from minigrad.viz.snapshot import Node, Snapshot, Tensor
from minigrad.viz.text import Words, count, shorten

_MOST_NAMED = 4
_LONGEST_VALUE = 60


def keys(snapshot: Snapshot) -> dict[str, str]:
    """For the id of each node and tensor a key that stays the same from snapshot to snapshot."""
    leaves = {tensor.node: tensor for tensor in snapshot.tensors if tensor.is_leaf}
    found: dict[str | None, str] = {}
    seen: Counter[str] = Counter()
    for node in snapshot.nodes:
        inputs = [f"{found.get(source.node, '-')}:{source.output}" for source in node.inputs]
        names = leaves[node.id].names[:1] if node.id in leaves else ()
        found[node.id] = _numbered(_digest("node", node.name, *names, *inputs), seen)
    for tensor in snapshot.tensors:
        place = tensor.names[:1] or (found.get(tensor.node, "-"), str(tensor.output))
        found[tensor.id] = _numbered(_digest("tensor", *place), seen)
    return {part: key for part, key in found.items() if part is not None}


def _digest(*parts: str) -> str:
    return blake2b("\0".join(parts).encode(errors="replace"), digest_size=8).hexdigest()


def _numbered(key: str, seen: Counter[str]) -> str:
    """Equal parts of one graph are told apart by their order."""
    seen[key] += 1
    return key if seen[key] == 1 else f"{key}.{seen[key]}"


def describe_changes(before: Snapshot, after: Snapshot) -> list[str]:
    """What to say to somebody who knows ``before`` and does not see ``after``: a fact an item."""
    old, new = _Parts(before), _Parts(after)
    return [
        *_counted(new, new.nodes.keys() - old.nodes.keys(), "added"),
        *_counted(old, old.nodes.keys() - new.nodes.keys(), "removed"),
        *_freed(old, new),
        *_tensors(old, new),
    ]


class _Parts:
    """Operations and tensors of one snapshot by their keys."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.words = Words(snapshot)
        key = keys(snapshot)
        operations = (node for node in snapshot.nodes if node.kind == "operation")
        self.nodes = {key[node.id]: node for node in operations}
        self.tensors = {key[tensor.id]: tensor for tensor in snapshot.tensors}


def _counted(parts: _Parts, chosen: set[str], verb: str) -> Iterator[str]:
    named = [parts.words.operation(node) for key, node in parts.nodes.items() if key in chosen]
    if named:
        rest = [f"and {len(named) - _MOST_NAMED} more"] if len(named) > _MOST_NAMED else []
        listed = ", ".join([*named[:_MOST_NAMED], *rest])
        yield f"{count(len(named), 'operation')} {verb}: {listed}"


def _freed(old: _Parts, new: _Parts) -> Iterator[str]:
    both = old.nodes.keys() & new.nodes.keys()
    freed = sum(_has_freed(new.nodes[key]) and not _has_freed(old.nodes[key]) for key in both)
    if freed:
        yield f"{count(freed, 'operation')} freed what was kept"


def _has_freed(node: Node) -> bool:
    return any(saved.state == FREED for saved in node.saved)


def _tensors(old: _Parts, new: _Parts) -> Iterator[str]:
    for key, tensor in new.tensors.items():
        before = old.tensors.get(key)
        if before is None:
            continue
        name = new.words.tensor(tensor)
        if tensor.value != before.value:
            yield f"{name} is now {shorten(tensor.value.text, _LONGEST_VALUE)}"
        if (tensor.grad_state, tensor.grad) != (before.grad_state, before.grad):
            yield f"{name}.grad is now {_grad(tensor)}"


def _grad(tensor: Tensor) -> str:
    if tensor.grad is not None:
        return shorten(tensor.grad.text, _LONGEST_VALUE)
    return "None" if tensor.grad_state == "none" else "not kept"
