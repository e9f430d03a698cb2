"""Where in a graph the same structure comes again and again: the layers of a deep net, a loop."""

from collections.abc import Iterator
from dataclasses import dataclass

from minigrad.viz.draw.marks import NO_MARK, NO_MARKS, Marks
from minigrad.viz.read.snapshot import Node, Snapshot

_LEAST_TIMES = 3
_LONGEST_PERIOD = 80


@dataclass(frozen=True)
class Repeat:
    """Operations that come ``times`` times, one block of them after the other."""

    nodes: tuple[Node, ...]
    times: int

    @property
    def blocks(self) -> list[tuple[Node, ...]]:
        period = len(self.nodes) // self.times
        return [self.nodes[i : i + period] for i in range(0, len(self.nodes), period)]


def find_repeats(snapshot: Snapshot, marks: Marks = NO_MARKS) -> list[Repeat]:
    """The repeated structures, none of which overlaps another.

    Operations that are marked as in different states, or drawn, are not the same.
    """
    sequence = _Sequence(snapshot, marks)
    found: list[Repeat] = []
    pieces = [(0, len(sequence.operations))]
    while pieces:
        start, end = pieces.pop()
        best = sequence.longest_run(start, end)
        if best is None:
            continue
        first, period, times = best
        last = first + period * times
        found.append(Repeat(tuple(sequence.operations[first:last]), times))
        pieces += [(start, first), (last, end)]
    return found


def in_depth_first_order(snapshot: Snapshot) -> list[Node]:
    """The nodes in topological order, each as near as possible before what uses it.

    Of the inputs of a node the one with the longest history comes first, so the blocks of a chain
    of blocks stand one after the other.
    """
    nodes = {node.id: node for node in snapshot.nodes}
    height: dict[str, int] = {}
    for node in snapshot.nodes:
        height[node.id] = 1 + max((height[s.node] for s in node.inputs if s.node), default=0)
    used = {source.node for node in snapshot.nodes for source in node.inputs}
    ordered: dict[str, Node] = {}
    stack = [(node.id, False) for node in reversed(snapshot.nodes) if node.id not in used]
    while stack:
        here, inputs_done = stack.pop()
        if here in ordered:
            continue
        if inputs_done:
            ordered[here] = nodes[here]
            continue
        stack.append((here, True))
        sources = [source.node for source in nodes[here].inputs if source.node]
        stack += [(source, False) for source in sorted(sources, key=height.__getitem__)]
    return list(ordered.values())


class _Sequence:
    """The operations of a graph in a row, and how each looks from where it stands."""

    def __init__(self, snapshot: Snapshot, marks: Marks) -> None:
        self.operations = [n for n in in_depth_first_order(snapshot) if n.kind == "operation"]
        self.position = {node.id: index for index, node in enumerate(self.operations)}
        shapes = {t.node: t.value.shape for t in snapshot.tensors if t.is_leaf}
        drawn = {t.node for t in snapshot.tensors if t.drawn}
        self.looks = [
            (node.name, node.id in drawn, marks.parts.get(node.id, NO_MARK).state)
            for node in self.operations
        ]
        self.inputs = [
            [(self.position.get(s.node or ""), s.output, shapes.get(s.node)) for s in node.inputs]
            for node in self.operations
        ]

    def longest_run(self, start: int, end: int) -> tuple[int, int, int] | None:
        """Where the run begins that covers most operations, its period, and how often it comes."""
        best: tuple[int, int, int] | None = None
        most = 0
        for period in range(1, min(_LONGEST_PERIOD, (end - start) // _LEAST_TIMES) + 1):
            for first, times in self.runs(period, start, end):
                if times * period > most:
                    best, most = (first, period, times), times * period
            if most + period > end - start:
                break  # a longer period cannot cover more
        return best

    def runs(self, period: int, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Where operations begin to come again after a period, and how often they do."""
        length = 0
        for index in range(start + period, end + 1):
            if index < end and self.same(index, index - period):
                length += 1
                continue
            if length >= (_LEAST_TIMES - 1) * period:
                first, times = self.aligned(index - length - period, index, period)
                if times >= _LEAST_TIMES:
                    yield first, times
            length = 0

    def same(self, one: int, other: int) -> bool:
        """Whether two look alike, with inputs from as far behind them or from the same place."""
        if self.looks[one] != self.looks[other] or len(self.inputs[one]) != len(self.inputs[other]):
            return False
        for (a, a_output, a_shape), (b, b_output, b_shape) in zip(
            self.inputs[one], self.inputs[other], strict=True
        ):
            if a_output != b_output or a_shape != b_shape or (a is None) != (b is None):
                return False
            if a is not None and b is not None and one - a != other - b and a != b:
                return False
        return True

    def aligned(self, start: int, end: int, period: int) -> tuple[int, int]:
        """Where the first whole block begins and how many there are: cut where least is cut."""

        def badness(first: int) -> tuple[int, int, int]:
            times = (end - first) // period
            return self.crossing(first + period), -times, end - first - times * period

        first = min(range(start, start + period), key=badness)
        return first, (end - first) // period

    def crossing(self, cut: int) -> int:
        """How many values from before a place are used within a block's length behind it."""
        behind = [one for inputs in self.inputs[cut : cut + _LONGEST_PERIOD] for one in inputs]
        return len({(a, output) for a, output, _ in behind if a is not None and a < cut})
