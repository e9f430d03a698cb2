"""What became of a graph between two snapshots: which of its parts are the same, and what is new.

A snapshot numbers its nodes afresh each time, so a part is known again by a key: an operation by
its name and what goes into it, a tensor by its first name or else by its place. A tensor whose name
has gone is known again by its place and what it holds. Nothing but snapshots is needed, so a graph
that the same program builds anew is the same graph, with new values.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b

from minigrad.viz.draw.text import Words, count, shorten
from minigrad.viz.read.saved import FREED
from minigrad.viz.read.snapshot import Node, Snapshot, Tensor

_MOST_NAMED = 4
_LONGEST_VALUE = 60


def keys(
    snapshot: Snapshot, before: Snapshot | None = None, known: Mapping[str, str] | None = None
) -> dict[str, str]:
    """For the id of each node and tensor a key that stays the same from snapshot to snapshot.

    before: the last snapshot, and known: its keys; they are needed only to know a tensor again that
    has been renamed.
    """
    old = _Known(
        before, known or {}, {tensor.names[0] for tensor in snapshot.tensors if tensor.names}
    )
    leaves = {t.node: t for t in snapshot.tensors if t.is_leaf and t.node is not None}
    found = {node: key for node, leaf in leaves.items() if (key := old.leaf(leaf)) is not None}
    seen = Counter(found.values())
    for node in snapshot.nodes:
        if node.id not in found:
            inputs = [
                f"{found.get(source.node or '', '-')}:{source.output}" for source in node.inputs
            ]
            names = leaves[node.id].names[:1] if node.id in leaves else ()
            found[node.id] = _numbered(_digest("node", node.name, *names, *inputs), seen)
    places = {t.id: (found.get(t.node or "", "-"), str(t.output)) for t in snapshot.tensors}
    kept = {part: key for t in snapshot.tensors if (key := old.tensor(t, places[part := t.id]))}
    seen.update(kept.values())
    for tensor in snapshot.tensors:
        place = tensor.names[:1] or places[tensor.id]
        found[tensor.id] = kept.get(tensor.id) or _numbered(_digest("tensor", *place), seen)
    return found


class _Known:
    """The tensors of the last snapshot, each of which can be known again once."""

    def __init__(
        self, before: Snapshot | None, keys: Mapping[str, str], names_now: set[str]
    ) -> None:
        tensors = before.tensors if before is not None else ()
        self.names_now = names_now
        self.leaves = {t: keys[t.node] for t in tensors if t.is_leaf and t.node is not None}
        self.keys = {t: keys[t.id] for t in tensors}
        self.named = {t.names[0]: t for t in tensors if t.names}
        self.places = {(keys.get(t.node or "", "-"), str(t.output)): t for t in tensors}

    def leaf(self, tensor: Tensor) -> str | None:
        """The key of a leaf's node: of the same name, or of one like it that lost its name."""
        alike = (leaf for leaf in self.leaves if _looks(leaf) == _looks(tensor))
        return self._pop(self.leaves, tensor, alike)

    def tensor(self, tensor: Tensor, place: tuple[str, str]) -> str | None:
        """The key of a tensor: of the same name, or at its place if that lost its name."""
        there = (self.places[place],) if place in self.places else ()
        return self._pop(self.keys, tensor, there)

    def _pop(
        self, known: dict[Tensor, str], tensor: Tensor, others: Iterable[Tensor]
    ) -> str | None:
        """The key of the tensor of the same name, or of the first of others that lost its name."""
        old = self.named.get(tensor.names[0]) if tensor.names else None
        lost = (one for one in others if not one.names or one.names[0] not in self.names_now)
        old = old or next(lost, None)
        return None if old is None else known.pop(old, None)


def _looks(tensor: Tensor) -> tuple[object, ...]:
    return tensor.value, tensor.grad_state, tensor.grad


def _digest(*parts: str) -> str:
    return blake2b("\0".join(parts).encode(errors="replace"), digest_size=8).hexdigest()


def _numbered(key: str, seen: Counter[str]) -> str:
    """Equal parts of one graph are told apart by their order."""
    seen[key] += 1
    return key if seen[key] == 1 else f"{key}.{seen[key]}"


def describe_changes(before: Snapshot, after: Snapshot) -> list[str]:
    """What to say to somebody who knows ``before`` and does not see ``after``: a fact an item."""
    known = keys(before)
    old, new = _Parts(before, known), _Parts(after, keys(after, before, known))
    return [
        *_counted(new, new.nodes.keys() - old.nodes.keys(), "added"),
        *_counted(old, old.nodes.keys() - new.nodes.keys(), "removed"),
        *_freed(old, new),
        *_tensors(old, new),
    ]


class _Parts:
    """Operations and tensors of one snapshot by their keys."""

    def __init__(self, snapshot: Snapshot, key: Mapping[str, str]) -> None:
        self.words = Words(snapshot)
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
            yield from _cut_off(new.words, tensor)
            continue
        name = new.words.tensor(tensor)
        if before.names and before.names[0] not in tensor.names:
            yield f"{old.words.tensor(before)} is now called {name}"
        if tensor.value != before.value:
            yield f"{name} is now {shorten(tensor.value.text, _LONGEST_VALUE)}"
        if (tensor.grad_state, tensor.grad) != (before.grad_state, before.grad):
            yield f"{name}.grad is now {_grad(tensor)}"


def _cut_off(words: Words, tensor: Tensor) -> Iterator[str]:
    reasons = words.reasons(tensor.id)
    if reasons:
        yield f"{words.tensor(tensor)} has no edge: {'; '.join(reasons)}"


def _grad(tensor: Tensor) -> str:
    if tensor.grad is not None:
        return shorten(tensor.grad.text, _LONGEST_VALUE)
    return "None" if tensor.grad_state == "none" else "not kept"
