"""What a backward pass is limited to, and what hooks can know about a running pass."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from minigrad.graph import Edge, Node
from minigrad.modes import rare_modes, state


class Targets:
    """What a backward pass is limited to: the inputs of `grad`, or `inputs=` of `backward`."""

    def __init__(self, edges: Sequence[Edge], capture: bool) -> None:
        self.nodes = {edge[0] for edge in edges}
        # By node and output number: the gradients that `grad` returns.
        self.captured: dict[Any, Any] = dict.fromkeys([e[:2] for e in edges]) if capture else {}
        self.leading: set[Node] = set()

    def find_leading(self, nodes: Iterable[Node]) -> None:
        """Keep the nodes from which a target can be reached. `nodes` come newest first."""
        self.leading = set(self.nodes)
        for node in reversed(list(nodes)):
            if self.below(node):
                self.leading.add(node)

    def below(self, node: Node) -> bool:
        """Whether an edge of the node leads to a target."""
        return any(self.leading_edges(node))

    def leading_edges(self, node: Node) -> list[Edge | None]:
        """The edges of a node; None for those that lead to no target."""
        return [edge if edge and edge[0] in self.leading else None for edge in node.next_edges]

    def capture(self, node: Node, grads: Sequence[Any]) -> None:
        """Keep the gradients of a node's outputs that the caller wants."""
        for number, grad in enumerate(grads):
            if (node, number) in self.captured:
                self.captured[node, number] = grad

    def runs(self, node: Node) -> bool:
        """Whether the node computes gradients: one that is only captured does not."""
        return (node in self.nodes and not self.captured) or self.below(node)


class BackwardPass:
    """A pass that is running, for hooks that wait for several gradients."""

    def __init__(self, nodes: list[Node], leaves: dict[Node, int], targets: Targets | None) -> None:
        self.reached = {*nodes, *leaves} if targets is None else targets.leading
        self.gradients: dict[Any, Any] = {}  # what such hooks have collected


def announce(nodes: list[Node], leaves: dict[Node, int], targets: Targets | None) -> None:
    """Tell the targets, and hooks that wait for several gradients, what a pass reaches."""
    if targets is not None:
        targets.find_leading(nodes)
    if rare_modes:
        state.backward_pass = BackwardPass(nodes, leaves, targets)
