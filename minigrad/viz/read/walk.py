"""Which nodes and tensors belong to a picture: the graph, and what a recording knows beside it."""

from collections import deque
from collections.abc import Sequence

from minigrad.viz.read.names import NamedTensors
from minigrad.viz.read.notes import Cause, note_of, stamp_of
from minigrad.viz.read.protocol import GraphNode, TensorLike, is_leaf_node, maker

Graph = dict[GraphNode, tuple[tuple[GraphNode | None, int], ...]]


class Walk:
    """A breadth-first walk from ``tensors`` over at most ``limit`` nodes, those nearest first.

    ``graph``: the nodes with their ``next_functions``, each node after those it takes its inputs
    from. ``aside``: tensors that no edge leads to, though others were made from them, as recordings
    have noted. The walk goes on behind them.
    """

    def __init__(self, tensors: Sequence[TensorLike], named: NamedTensors, limit: int) -> None:
        self.aside: dict[int, TensorLike] = {}
        self._shown = {id(tensor) for tensor in tensors} | {id(tensor) for _, tensor in named}
        roots = [node for node in map(maker, tensors) if node is not None]
        self._waiting = deque(roots)
        for tensor in tensors:
            self._look_behind(tensor)
        self.graph = _in_topological_order(self._nearest(max(limit, len(roots))))

    def _nearest(self, limit: int) -> Graph:
        graph: Graph = {}
        while self._waiting and len(graph) < limit:
            node = self._waiting.popleft()
            if node not in graph:
                graph[node] = tuple(node.next_functions)
                self._waiting.extend(source for source, _ in graph[node] if source is not None)
                self._look_beside(node)
        return graph

    def _look_beside(self, node: GraphNode) -> None:
        """Follow what went into a node without an edge."""
        if is_leaf_node(node):
            self._look_behind(node.variable)
            return
        stamp = stamp_of(node)
        for cause in () if stamp is None else stamp.missing:
            self._follow(cause)

    def _look_behind(self, tensor: TensorLike) -> None:
        """Follow what a tensor without an edge was made from."""
        note = note_of(tensor) if tensor.is_leaf else None
        for cause in () if note is None else note.causes:
            self._follow(cause)

    def _follow(self, cause: Cause) -> None:
        """Take in the tensor behind a missing edge; if it has no name, those it came from."""
        source = cause.source
        tensor = source.tensor()
        if source.requires_grad:
            if tensor is None:
                return
            node = maker(tensor)
            if node is None:
                self.aside.setdefault(id(tensor), tensor)
            elif source.stamp is None or source.stamp() is stamp_of(node):
                self._waiting.append(node)
        elif tensor is not None and id(tensor) in self._shown:
            if id(tensor) not in self.aside:
                self.aside[id(tensor)] = tensor
                self._look_behind(tensor)
        else:
            for behind in source.behind:
                self._follow(behind)


def _in_topological_order(graph: Graph) -> Graph:
    """The same graph, every node after those it takes its inputs from."""
    ordered: Graph = {}
    for root in graph:
        stack = [(root, False)]
        while stack:
            node, inputs_done = stack.pop()
            if node in ordered:
                continue
            if inputs_done:
                ordered[node] = graph[node]
                continue
            stack.append((node, True))
            sources = (source for source, _ in reversed(graph[node]))
            stack.extend((source, False) for source in sources if source in graph)
    return ordered
