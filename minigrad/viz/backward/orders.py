"""The same backward pass in wrong ways, computed from a recording of the right one.

What a node would pass back for another gradient than the one it received follows from the
recording: a vector-Jacobian product is linear, so twice the gradient gives twice as much; and where
the rule is a product, its factor is known.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from minigrad.viz.backward.amounts import Amount, Array, amount_of, close, sum_to
from minigrad.viz.backward.recording import BackwardRecording, Event, Passed, Stored

ENGINE, RECURSION, OVERWRITE = "engine", "recursion", "overwrite"
ORDERS = {
    ENGINE: "each node waits for all its gradients, and adds them up",
    RECURSION: "naive recursion: a node runs again whenever a gradient arrives",
    OVERWRITE: "= instead of +=: what arrives takes the place of what was there",
}
_MOST_EVENTS = 500


def in_order(recording: BackwardRecording, order: str) -> BackwardRecording:
    """The recording as it is, or as it would have been in a wrong order of ``ORDERS``.

    ValueError for any other order. ``error`` says why the recording does not tell more, if so.
    """
    if order == ENGINE:
        return recording
    if order not in ORDERS:
        raise ValueError(f"order must be one of {', '.join(ORDERS)}, but got {order!r}")
    wrong = _Wrong(recording)
    turns = wrong.recursion() if order == RECURSION else wrong.overwriting()
    with np.errstate(all="ignore"):
        events = list(islice(turns, _MOST_EVENTS))
    error = wrong.error
    if next(turns, None) is not None:
        error = f"stopped after {_MOST_EVENTS} turns: the recursion takes each path by itself"
    return replace(recording, events=tuple(events), error=error)


@dataclass(frozen=True)
class _Arrival:
    """A gradient on its way to one output of a node."""

    node: str
    output: int
    gradient: Array


class _Wrong:
    """One wrong way through the graph; ``error`` says where the recording ended it."""

    def __init__(self, recording: BackwardRecording) -> None:
        self.error = recording.error
        self.recording = recording
        self.nodes = {node.id: node for node in recording.snapshot.nodes}
        self.turns = {event.node: event for event in recording.events if event.finished}
        places = {tensor.id: tensor for tensor in recording.snapshot.tensors}
        self.leaves = {tensor.node: tensor.id for tensor in places.values() if tensor.is_leaf}
        self.begin = [
            _Arrival(places[seed.tensor].node or "", places[seed.tensor].output, array)
            for seed in recording.seeds
            if (array := seed.gradient.array) is not None
        ]
        self.held: dict[str, list[Array | None]] = {
            event.node: [None] * len(event.upstream) for event in recording.events
        }
        self.parts: dict[str, list[Array]] = {event.node: [] for event in recording.events}
        self.grads = {
            stored.tensor: None if stored.old is None else stored.old.array
            for event in recording.events
            for stored in event.stored
        }

    def recursion(self) -> Iterator[Event]:
        """Depth first: whatever arrives is added, and all that has arrived is passed on at once."""
        stack = self.begin[::-1]
        while stack:
            arrival = stack.pop()
            if arrival.node not in self.turns:
                continue
            held = self.held[arrival.node]
            before = held[arrival.output]
            held[arrival.output] = arrival.gradient if before is None else before + arrival.gradient
            leaf = self.nodes[arrival.node].kind == "accumulate"
            self.parts[arrival.node] = [
                one for one in (None if leaf else before, arrival.gradient) if one is not None
            ]
            if leaf:
                yield self._at_leaf(arrival, add=True)
                continue
            event = self._turn(arrival.node)
            if event is None:
                return
            yield event
            stack.extend(reversed(list(self._arrivals(event))))

    def overwriting(self) -> Iterator[Event]:
        """In the right order, but what arrives takes the place of what was there."""
        for arrival in self.begin:
            self._overwrite(arrival)
        for node in self.turns:
            if self.nodes[node].kind == "accumulate":
                gradient = self.held[node][0]
                if gradient is not None:
                    yield self._at_leaf(_Arrival(node, 0, gradient), add=False)
                continue
            event = self._turn(node)
            if event is None:
                return
            yield event
            for arrival in self._arrivals(event):
                self._overwrite(arrival)

    def _overwrite(self, arrival: _Arrival) -> None:
        if arrival.node in self.held:
            self.held[arrival.node][arrival.output] = arrival.gradient
            self.parts[arrival.node].append(arrival.gradient)

    def _parts(self, node: str) -> tuple[Amount, ...]:
        single = len(self.held[node]) == 1
        return tuple(self._amount(node, part) for part in self.parts[node] if single)

    def _arrivals(self, event: Event) -> Iterator[_Arrival]:
        for passed in event.passed:
            source = self.nodes[event.node].inputs[passed.input]
            gradient = None if passed.gradient is None else passed.gradient.array
            if source.node is not None and gradient is not None:
                yield _Arrival(source.node, source.output, gradient)

    def _at_leaf(self, arrival: _Arrival, add: bool) -> Event:
        tensor = self.leaves[arrival.node]
        old = self.grads.get(tensor)
        now = arrival.gradient if old is None or not add else old + arrival.gradient
        self.grads[tensor] = now
        given = self._amount(arrival.node, arrival.gradient)
        stored = Stored(
            tensor,
            None if old is None else self._amount(arrival.node, old),
            self._amount(arrival.node, now),
        )
        parts = self._parts(arrival.node)
        return Event(arrival.node, (given,), parts, stored=(stored,), finished=True)

    def _turn(self, node: str) -> Event | None:
        """What the node passes back for what it holds now; None if the recording does not tell."""
        turn = self.turns[node]
        upstream = self.held[node]
        passed = [self._passed(turn, upstream, one) for one in turn.passed]
        if None in passed:
            self.error = (
                f"the recording does not tell what {self.nodes[node].name} passes on for "
                "another gradient than the one that it received"
            )
            return None
        amounts = tuple(None if one is None else self._amount(node, one) for one in upstream)
        known = tuple(one for one in passed if one is not None)
        parts = self._parts(node)
        return replace(turn, upstream=amounts, parts=parts, passed=known, stored=(), freed=())

    def _passed(
        self, turn: Event, upstream: Sequence[Array | None], passed: Passed
    ) -> Passed | None:
        if passed.gradient is None:
            return passed
        before = passed.gradient.array
        if before is None:
            return None
        arrived = [None if one is None else one.array for one in turn.upstream]
        scale = _scale(arrived, upstream)
        local = None if passed.local is None else passed.local.array
        if scale is not None:
            now = scale * before
        elif local is not None and upstream[0] is not None:
            product = upstream[0] * local
            summed = sum_to(product, before.shape)
            now = product * np.ones(before.shape) if summed is None else summed
        else:
            return None
        return replace(passed, gradient=amount_of(now, passed.gradient.value.dtype))

    def _amount(self, node: str, array: Array) -> Amount:
        (known, *_) = (one for one in self.turns[node].upstream if one is not None)
        return amount_of(array, known.value.dtype)


def _scale(before: Sequence[Array | None], now: Sequence[Array | None]) -> float | None:
    """By what ``before`` has to be multiplied to give ``now``; None if there is no such number."""
    if any((one is None) != (other is None) for one, other in zip(before, now, strict=True)):
        return None
    old = np.concatenate([np.ravel(one) for one in before if one is not None])
    new = np.concatenate([np.ravel(one) for one in now if one is not None])
    if old.shape != new.shape or not old.any():
        return None
    place = int(np.argmax(np.abs(old)))
    scale = float(new[place] / old[place])
    return scale if close(scale * old, new) else None
