"""Steps through a recorded backward pass, forward and back: what is drawn and said at each."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from minigrad.viz.backward.orders import ENGINE, RECURSION, in_order
from minigrad.viz.backward.questions import Question, question_of
from minigrad.viz.backward.recording import BackwardRecording, Event
from minigrad.viz.backward.telling import Telling, in_box, on_edge, short
from minigrad.viz.draw.marks import (
    CURRENT,
    DONE,
    FADED,
    WAITING,
    EdgeKey,
    Gradient,
    Mark,
    Marks,
)
from minigrad.viz.read.saved import FREED
from minigrad.viz.read.snapshot import Snapshot


class Steps:
    """Where one is in a recorded backward pass.

    ``position`` is 0 before the pass, then the number of the node whose turn it is, and ``last``
    when all is over. Nothing of the program is touched: one may go back and forward at will.

    order: the engine's, or a wrong one, of ``ORDERS``; ValueError for another.

    >>> import minigrad as torch
    >>> from minigrad.viz.backward.recorder import BackwardRecorder
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> y = x * 2
    >>> with BackwardRecorder([y], named=[("x", x), ("y", y)]) as recorder:
    ...     y.backward()
    >>> steps = Steps(recorder.recording)
    >>> steps.text
    'Before backward: it will begin at y with 1.'
    >>> steps.go(2)
    >>> steps.text
    '2 arrives for x.grad: None → 2.'
    """

    def __init__(self, recording: BackwardRecording, order: str = ENGINE) -> None:
        self.order = order
        self.recorded = recording
        self.recording = in_order(recording, order)
        self.position = 0
        self.telling = Telling(self.recording, order)
        self._nodes = {node.id: node for node in recording.snapshot.nodes}
        self._leaves = {t.node: t.id for t in recording.snapshot.tensors if t.is_leaf}
        self._awaited = Counter(
            source.node for node in self._nodes.values() for source in node.inputs if source.node
        )
        self._turns: dict[str, list[int]] = {}  # the positions at which a node runs
        for position, event in enumerate(self.events, 1):
            self._turns.setdefault(event.node, []).append(position)

    @property
    def events(self) -> tuple[Event, ...]:
        """The turns that are stepped through."""
        return self.recording.events

    @property
    def last(self) -> int:
        """The position at which all is over."""
        return len(self.events) + 1

    @property
    def event(self) -> Event | None:
        """The turn at this position; None before the pass and after it."""
        return self.events[self.position - 1] if 0 < self.position < self.last else None

    def forward(self) -> None:
        """Go to the next step, if there is one."""
        self.go(min(self.position + 1, self.last))

    def back(self) -> None:
        """Go to the step before, if there is one."""
        self.go(max(self.position - 1, 0))

    def go(self, position: int) -> None:
        """Go to any position; ValueError if there is no such one."""
        if not 0 <= position <= self.last:
            raise ValueError(f"position must be from 0 to {self.last}, but got {position}")
        self.position = position

    def turns(self, node: str) -> list[int]:
        """The positions at which a node, given by its id, runs; none if it never does."""
        return self._turns.get(node, [])

    @property
    def text(self) -> str:
        """What happens at this step, in words."""
        if self.position == 0:
            return self.telling.start()
        if self.event is None:
            return self.telling.end(self.recorded)
        return self.telling.event(self.event)

    @property
    def question(self) -> Question | None:
        """What to ask about the next step before it is shown; None where there is nothing."""
        turn = self.events[self.position] if self.position < len(self.events) else None
        return None if turn is None or not turn.finished else question_of(self.telling, turn)

    @property
    def snapshot(self) -> Snapshot:
        """The graph as it is at this step: what is stored and what is freed by now."""
        return self._snapshot_at(self.position)

    @property
    def marks(self) -> Marks:
        """What to draw on the graph at this step."""
        return self._marks_at(self.position)

    def _source(self, event: Event, number: int) -> str | None:
        return self._nodes[event.node].inputs[number].node

    def _snapshot_at(self, position: int) -> Snapshot:
        # A node's saved values are in use during its turn, and freed after it.
        freed = {event.node: event.freed for event in self.events[: max(position - 1, 0)]}
        grads = {s.tensor: s.now for event in self.events[:position] for s in event.stored}
        snapshot = self.recording.snapshot
        nodes = [
            replace(
                node,
                saved=tuple(
                    replace(kept, state=FREED, tensor=None, names=(), value=None)
                    if kept.name in freed.get(node.id, ())
                    else kept
                    for kept in node.saved
                ),
            )
            for node in snapshot.nodes
        ]
        tensors = [
            replace(tensor, grad_state="stored", grad=now.value)
            if (now := grads.get(tensor.id)) is not None
            else tensor
            for tensor in snapshot.tensors
        ]
        return replace(snapshot, nodes=tuple(nodes), tensors=tuple(tensors))

    def _marks_at(self, position: int) -> Marks:
        done = self.events[:position]
        arrived = Counter(
            self._source(event, passed.input) for event in done for passed in event.passed
        )
        parts = {name: self._mark(name, position, arrived[name]) for name in self._nodes}
        gradients = dict(self._edges())
        for number, event in enumerate(done, 1):
            now = number == position
            for passed in event.passed:
                text = on_edge(event, passed) if now else short(passed.gradient)
                gradients[event.node, passed.input] = Gradient(text, passing=now)
        for seed in self.recording.seeds:
            gradients[seed.tensor, 0] = Gradient(short(seed.gradient), passing=position == 0)
        return Marks(parts, gradients)

    def _edges(self) -> Iterator[tuple[EdgeKey, Gradient]]:
        """All edges that a gradient may come along; none has yet."""
        for node in self._nodes.values():
            for number, source in enumerate(node.inputs):
                if source.node is not None or source.left_out:
                    yield (node.id, number), Gradient()

    def _mark(self, name: str, position: int, arrived: int) -> Mark:
        turns = self.turns(name)
        ran = sum(turn < position for turn in turns)
        if position in turns:
            state, note = CURRENT, "runs now" if ran == 0 else f"runs again, time {ran + 1}"
        elif ran:
            state, note = DONE, "done" if ran == 1 else f"ran {ran} times"
        elif turns or self.recording.error:
            state, note = WAITING, self._waiting(name, arrived)
        else:
            state, note = FADED, "not needed"
        stored = [s for turn in turns if turn <= position for s in self.events[turn - 1].stored]
        if name in self._leaves and stored:
            note = in_box(stored[-1], self.order)
        return Mark(state, note)

    def _waiting(self, name: str, arrived: int) -> str:
        awaited = self._awaited[name]
        if self.order == RECURSION:
            return "not yet"
        return "ready" if arrived == awaited else f"waits for {awaited - arrived}"
