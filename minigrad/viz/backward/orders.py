"""The same backward pass in wrong orders, computed from a recording of the right one.

The recording tells what a node would pass on for another upstream gradient: a vector-Jacobian
product is linear, so twice the gradient gives twice as much; and if the rule is a product, its
factor is known.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from minigrad.viz.backward.amounts import Amount, Array, amount_of, close, sum_to
from minigrad.viz.backward.recording import BackwardRecording, EdgeGradient, Event, GradUpdate

ENGINE, RECURSION, OVERWRITE = "engine", "recursion", "overwrite"
ORDERS = {
    ENGINE: "each node waits for all its gradients, and adds them up",
    RECURSION: "naive recursion: a node runs again whenever a gradient arrives",
    OVERWRITE: "= instead of +=: what arrives takes the place of what was there",
}
_MOST_EVENTS = 500

# A gradient on its way: to which output of which node.
_Arrival = tuple[str, int, Array]


def in_order(recording: BackwardRecording, order: str) -> BackwardRecording:
    """The recording, or what it would have been in a wrong order of ``ORDERS``.

    ``error`` says why it ends early, if it does. ValueError for an unknown order.
    """
    if order not in ORDERS:
        raise ValueError(f"order must be one of {', '.join(ORDERS)}, but got {order!r}")
    if order == ENGINE:
        return recording
    wrong = _WrongOrder(recording)
    runs = wrong.recursion() if order == RECURSION else wrong.overwriting()
    with np.errstate(all="ignore"):
        events = list(islice(runs, _MOST_EVENTS))
    error = wrong.error
    if next(runs, None) is not None:
        error = f"stopped after {_MOST_EVENTS} steps: the recursion takes each path by itself"
    return replace(recording, events=tuple(events), error=error)


class _WrongOrder:
    """A wrong way through the graph; ``error`` says why it ended early."""

    def __init__(self, recording: BackwardRecording) -> None:
        self.error = recording.error
        self.nodes = {node.id: node for node in recording.snapshot.nodes}
        self.events = {event.node: event for event in recording.events if event.finished}
        self.held: dict[str, list[Array | None]] = {
            node: [None] * len(event.upstream) for node, event in self.events.items()
        }
        self.parts: dict[str, list[Array]] = {node: [] for node in self.events}
        self.grads = {
            update.tensor: None if update.old is None else update.old.array
            for event in recording.events
            for update in event.updates
        }
        tensors = {tensor.id: tensor for tensor in recording.snapshot.tensors}
        self.leaves = {tensor.node: tensor.id for tensor in tensors.values() if tensor.is_leaf}
        self.seeds: list[_Arrival] = [
            (tensors[seed.tensor].node or "", tensors[seed.tensor].output, seed.gradient.array)
            for seed in recording.seeds
            if seed.gradient.array is not None
        ]

    def recursion(self) -> Iterator[Event]:
        """Depth first: a node adds what arrives to what it has, and passes all of it on at once."""
        stack = self.seeds[::-1]
        while stack:
            node, output, gradient = stack.pop()
            if node not in self.events:
                continue
            old = None if node in self.leaves else self.held[node][output]
            self.held[node][output] = gradient if old is None else old + gradient
            self.parts[node] = [gradient] if old is None else [old, gradient]
            event = self._run(node, add=True)
            if event is None:
                return
            yield event
            stack += reversed(list(self._arrivals(event)))

    def overwriting(self) -> Iterator[Event]:
        """In the right order, but what arrives replaces what was there."""
        self._overwrite(self.seeds)
        for node in self.events:
            event = self._run(node, add=False)
            if event is None:
                return
            yield event
            self._overwrite(self._arrivals(event))

    def _overwrite(self, arrivals: Sequence[_Arrival] | Iterator[_Arrival]) -> None:
        for node, output, gradient in arrivals:
            if node in self.events:
                self.held[node][output] = gradient
                self.parts[node].append(gradient)

    def _arrivals(self, event: Event) -> Iterator[_Arrival]:
        for edge in event.edges:
            source = self.nodes[event.node].inputs[edge.input]
            if source.node and edge.gradient is not None and edge.gradient.array is not None:
                yield source.node, source.output, edge.gradient.array

    def _run(self, node: str, add: bool) -> Event | None:
        """The node's run with what it holds now; None if the recording doesn't tell."""
        event, held = self.events[node], self.held[node]
        upstream = tuple(None if one is None else self._amount(node, one) for one in held)
        parts = tuple(self._amount(node, part) for part in self.parts[node] if len(held) == 1)
        run = replace(event, upstream=upstream, parts=parts, updates=(), freed=())
        if node in self.leaves:
            return replace(run, updates=(self._update(node, held[0], add),))
        edges = [self._edge(event, edge) for edge in event.edges]
        if None not in edges:
            return replace(run, edges=tuple(edge for edge in edges if edge is not None))
        self.error = (
            f"the recording does not tell what {self.nodes[node].name} passes on for another "
            "gradient than the one that it received"
        )
        return None

    def _update(self, node: str, gradient: Array | None, add: bool) -> GradUpdate:
        tensor = self.leaves[node]
        old = self.grads.get(tensor)
        added = gradient is not None and old is not None and add
        new = self.grads[tensor] = old + gradient if added else gradient  # type: ignore[operator]
        amounts = [None if one is None else self._amount(node, one) for one in (old, new)]
        return GradUpdate(tensor, *amounts)

    def _edge(self, event: Event, edge: EdgeGradient) -> EdgeGradient | None:
        held = self.held[event.node]
        before = None if edge.gradient is None else edge.gradient.array
        if edge.gradient is None or before is None:
            return edge if edge.gradient is None else None
        scale = _scale([None if one is None else one.array for one in event.upstream], held)
        now = None if scale is None else scale * before
        local = None if edge.local is None else edge.local.array
        if now is None and local is not None and held[0] is not None:
            now = sum_to(held[0] * local, before.shape)
        amount = None if now is None else amount_of(now, edge.gradient.value.dtype)
        return None if amount is None else replace(edge, gradient=amount)

    def _amount(self, node: str, array: Array) -> Amount:
        dtypes = (one.value.dtype for one in self.events[node].upstream if one is not None)
        return amount_of(array, next(dtypes))


def _scale(before: Sequence[Array | None], now: Sequence[Array | None]) -> float | None:
    """The number that ``before`` times gives ``now``; None if there is none."""
    if any((one is None) != (other is None) for one, other in zip(before, now, strict=True)):
        return None
    old = np.concatenate([np.ravel(one) for one in before if one is not None])
    new = np.concatenate([np.ravel(one) for one in now if one is not None])
    if old.shape != new.shape or not old.any():
        return None
    place = int(np.argmax(np.abs(old)))
    scale = float(new[place] / old[place])
    return scale if close(scale * old, new) else None
