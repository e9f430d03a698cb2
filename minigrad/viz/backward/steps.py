"""Steps through a recorded backward pass, forward and back: what is drawn and said at each."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from minigrad.viz.backward.amounts import Amount
from minigrad.viz.backward.orders import ENGINE, RECURSION, in_order
from minigrad.viz.backward.questions import Question, question_of
from minigrad.viz.backward.recording import BackwardRecording, Event
from minigrad.viz.backward.sentences import Sentences, in_box, on_edge, short
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
from minigrad.viz.draw.picture import least_rooms
from minigrad.viz.read.saved import FREED
from minigrad.viz.read.snapshot import Node, Saved, Snapshot, Tensor

_YOUR_TURN = "your turn"
_MOST_MEASURED = 30  # steps

# What a stepper can ask for.
ASKABLE = {
    "steps": "one number of each step",
    "grads": "what each leaf's .grad will be",
}


class Steps:
    """A recorded backward pass and a position in it, which moves forward and back.

    ``position`` is 0 before the pass, then the number of the node that runs, and ``last`` after
    all of them. Moving touches nothing of the program. ``asking``: whether the node with the
    next question is marked.

    order: the engine's, or a wrong one, of ``ORDERS``; ValueError for another. ask: what to ask
    for, of ``ASKABLE``.

    >>> import minigrad as torch
    >>> from minigrad.viz.backward.recording import record_backward
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> y = x * 2
    >>> steps = Steps(record_backward([y], named=[("x", x), ("y", y)]))
    >>> steps.text
    'Before backward: it will begin at y with 1.'
    >>> steps.go(2)
    >>> steps.text
    '2 arrives for x.grad: None → 2.'
    """

    def __init__(
        self, recording: BackwardRecording, order: str = ENGINE, ask: str = "steps"
    ) -> None:
        self.order = order
        self.recorded = recording
        self.recording = in_order(recording, order)
        self.events = self.recording.events
        self.last = len(self.events) + 1
        self.position = 0
        self.asking = False
        self._ask = ask
        self._least: Mapping[tuple[str, bool, bool], tuple[float, float, float]] = {}
        self._sentences = Sentences(self.recording, order)
        self._nodes = {node.id: node for node in recording.snapshot.nodes}
        self._uses = self._sentences.words.uses
        self._runs: dict[str, list[int]] = {}  # the positions at which a node runs
        for position, event in enumerate(self.events, 1):
            self._runs.setdefault(event.node, []).append(position)

    def hold_still(self, detail: str) -> None:
        """Give all steps one layout, with room for what the largest of them says."""
        stride = 1 + self.last // _MOST_MEASURED
        self._least = least_rooms(self._pictures(stride), detail)
        self.position = 0

    def _pictures(self, stride: int) -> Iterator[tuple[Snapshot, Marks]]:
        for position in {*range(0, self.last + 1, stride), self.last}:
            self.position = position
            yield self.snapshot, self._marks_at(position)

    def go(self, position: int) -> None:
        """Go to any position; ValueError if there is no such one."""
        if not 0 <= position <= self.last:
            raise ValueError(f"position must be from 0 to {self.last}, but got {position}")
        self.position = position

    @property
    def text(self) -> str:
        """What happens at this step, in words."""
        if self.position == 0:
            return self._sentences.start()
        if self.position == self.last:
            return self._sentences.end(self.recorded)
        return self._sentences.event(self.events[self.position - 1])

    @property
    def places(self) -> list[str]:
        """The nodes that run, by what they are called, in their order."""
        names = [self._sentences.name(self._nodes[event.node]) for event in self.events]
        return [name.removeprefix("the ") for name in names]

    @property
    def question(self) -> Question | None:
        """What to ask about the next step before it is shown; None if there is nothing to ask."""
        event = self.events[self.position] if self.position < len(self.events) else None
        if event is None or not event.finished:
            return None
        if self._ask == "grads" and self._nodes[event.node].kind != "accumulate":
            return None
        return question_of(self._sentences, event)

    @property
    def snapshot(self) -> Snapshot:
        """The graph as it is at this step: what is stored and what is freed by now."""
        # A node's saved values are in use while it runs, and freed afterwards.
        freed = {event.node: event.freed for event in self.events[: max(self.position - 1, 0)]}
        grads = {u.tensor: u.new for event in self.events[: self.position] for u in event.updates}
        nodes = (_without(node, freed.get(node.id, ())) for node in self.recording.snapshot.nodes)
        tensors = (
            _with(tensor, grads.get(tensor.id)) for tensor in self.recording.snapshot.tensors
        )
        return replace(self.recording.snapshot, nodes=tuple(nodes), tensors=tuple(tensors))

    @property
    def marks(self) -> Marks:
        """What to draw on the graph at this step."""
        marks = self._marks_at(self.position)
        if not self.asking or self.question is None:
            return marks
        parts = dict(marks.parts)
        for event in self.events[: self.position][-1:]:
            done = replace(parts[event.node], state=DONE)
            is_leaf = self._nodes[event.node].kind == "accumulate"
            parts[event.node] = done if is_leaf else replace(done, note="done")
        parts[self.events[self.position].node] = Mark(CURRENT, _YOUR_TURN)
        return replace(marks, parts=parts)

    def _marks_at(self, position: int) -> Marks:
        done = self.events[:position]
        arrived = Counter(
            self._nodes[event.node].inputs[edge.input].node
            for event in done
            for edge in event.edges
        )
        parts = {name: self._mark(name, position, arrived[name]) for name in self._nodes}
        gradients = dict(self._edges())
        for number, event in enumerate(done, 1):
            now = number == position
            for edge in event.edges:
                text = on_edge(event, edge) if now else short(edge.gradient)
                gradients[event.node, edge.input] = Gradient(text, passing=now)
        for seed in self.recording.seeds:
            gradients[seed.tensor, 0] = Gradient(short(seed.gradient), passing=position == 0)
        return Marks(parts, gradients, dict(self._sums(done)), least=self._least)

    def _sums(self, done: Sequence[Event]) -> Iterator[tuple[tuple[EdgeKey, ...], str]]:
        """What the gradients of a tensor that is used several times add up to."""
        for event in done:
            edges = [
                (edge, self._nodes[edge[0]].inputs[edge[1]].output)
                for edge in self._uses.get(event.node, ())
            ]
            for output, upstream in enumerate(event.upstream):
                yield tuple(edge for edge, of in edges if of == output), short(upstream)

    def _edges(self) -> Iterator[tuple[EdgeKey, Gradient]]:
        """All edges that a gradient may come along; none has yet."""
        for node in self._nodes.values():
            for number, source in enumerate(node.inputs):
                if source.node is not None or source.left_out:
                    yield (node.id, number), Gradient()

    def _mark(self, name: str, position: int, arrived: int) -> Mark:
        runs = self._runs.get(name, [])
        before = sum(run < position for run in runs)
        if position in runs:
            mark = Mark(CURRENT, f"runs again, time {before + 1}" if before else "runs now")
        elif before:
            mark = Mark(DONE, "done" if before == 1 else f"ran {before} times")
        elif runs or self.recording.error:
            missing = len(self._uses.get(name, ())) - arrived
            waiting = "not yet" if self.order == RECURSION else f"waits for {missing}"
            ready = self.order != RECURSION and missing == 0
            mark = Mark(WAITING, "ready" if ready else waiting)
        else:
            mark = Mark(FADED, "not needed")
        updates = [u for run in runs if run <= position for u in self.events[run - 1].updates]
        if updates and self._nodes[name].kind == "accumulate":
            return replace(mark, note=in_box(updates[-1], self.order))
        return mark


def _without(node: Node, freed: Sequence[str]) -> Node:
    """The node after these of its saved values were freed."""
    saved = (Saved(kept.name, FREED) if kept.name in freed else kept for kept in node.saved)
    return replace(node, saved=tuple(saved))


def _with(tensor: Tensor, grad: Amount | None) -> Tensor:
    """The tensor once this gradient is stored."""
    return tensor if grad is None else replace(tensor, grad_state="stored", grad=grad.value)
