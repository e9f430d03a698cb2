"""The backward pass: walk the graph from its roots and pass gradients along its edges.

Nodes run when all gradients that can reach them have arrived; of those ready, the one recorded last
runs first. Gradients are arrays, or Tensors if the walk itself is to be recorded (`create_graph`);
hooks always see Tensors. Nothing is recursive, so a graph may be as deep as memory allows.
Source: https://docs.pytorch.org/docs/stable/notes/autograd.html
"""

from __future__ import annotations

import contextvars
from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from typing import Any

from minigrad.autograd.bridge import Exchange
from minigrad.autograd.fit import fit, fit_all, fits
from minigrad.autograd.grad_mode import recording, state
from minigrad.autograd.node import (
    Edge,
    Gradient,
    GraphRoot,
    Node,
    ancestors,
    count_edges,
    quiet_copy,
)

NOTHING: list[Gradient] = []  # what has arrived at a node that no gradient reached


def run_backward(
    roots: Sequence[Edge],
    gradients: Sequence[Gradient],
    *,
    retain_graph: bool,
    create_graph: bool,
    inputs: Sequence[Edge] | None = None,
    accumulate: bool = False,
) -> list[Gradient]:
    """Walk the graph below `roots`, starting with one gradient for each.

    Without `inputs`, gradients are added to every leaf's `.grad`. With `inputs` only what leads to
    those edges runs; then the gradients that arrive there are returned (None where none did), or,
    if `accumulate`, added to the `.grad` of those that are leaves.
    Gradients given are arrays or Tensors, Tensors alone if `create_graph`; those returned Tensors.
    """
    walk = Walk.kind(create_graph, retain_graph)
    if not walk.recorded:
        gradients = list(map(walk.exchange.array_of, gradients))
    if len(roots) == 1 and fits(gradients[0], roots[0]):
        # A single root may begin by itself.
        root, number, *_ = roots[0]
        arrived = [*[None] * number, gradients[0]]
    else:
        root, arrived = GraphRoot(roots, gradients), NOTHING
    if inputs is not None:
        walk.stop_at(root, inputs, capture=not accumulate)
    outer = state.grad_enabled, state.walk
    state.grad_enabled, state.walk = recording(create_graph), walk
    try:
        quiet_copy().run(walk.run, root, arrived)
        for callback in walk.callbacks:
            state.keeping(walk.outside.run, callback)
    finally:
        state.grad_enabled, state.walk = outer
    return [] if inputs is None else walk.wrap([walk.captured.get(edge[:2]) for edge in inputs], 0)


class Walk:
    """One backward pass: what it does at each node, besides the node's own formulas."""

    kind: type[Walk]  # that `run_backward` takes
    # Only with targets: what runs, and what is reached.
    running: set[Node] | None = None
    reached: set[Node] | None = None
    node: Node | None = None  # the last one in which the user's code ran
    # What the user's hooks asked to be called at the end; these may ask for more.
    callbacks: Sequence[Callable[[], Any]] = ()

    def __init__(self, recorded: bool, retain_graph: bool) -> None:
        self.recorded = recorded
        self.retain_graph = retain_graph
        # Only with targets: the gradients kept for the caller.
        self.captured: dict[tuple[Node | None, int], Gradient] = {}
        self.exchange = Exchange()  # of arrays for Tensors, where the user's code sees them
        self.outside = contextvars.copy_context()  # where the user's hooks run

    def stop_at(self, root: Node, inputs: Sequence[Edge], capture: bool) -> None:
        """Run only what leads to `inputs`, and capture what arrives there or run them as well."""
        targets = {node for node, *_ in inputs if node is not None}
        self.running = ancestors(targets, root)
        self.reached = self.running | targets
        if capture:
            self.captured = dict.fromkeys([edge[:2] for edge in inputs])
        else:
            self.running = self.reached

    def run(self, root: Node, arrived: list[Gradient]) -> None:
        """Pass the gradients that arrived at the root down until no node is ready any more."""
        recorded, reached = self.recorded, self.reached
        self.root = root
        counts = self.counts = count_edges(root)
        waiting = {root: arrived}
        ready = [root]
        while ready:
            node = heappop(ready)
            edges, gradients = node.run(waiting.pop(node, NOTHING), self)
            place = 0  # zip is slower
            for next_node, number, shape, dtype in edges:
                gradient = gradients[place]
                place += 1
                if next_node is None:
                    continue
                if gradient is not None:
                    value = gradient._value if recorded else gradient
                    if value.shape != shape or value.dtype is not dtype:
                        gradient = fit(node, gradients, gradient, shape, dtype)
                    if next_node in waiting or number:
                        add(waiting.setdefault(next_node, []), number, gradient)
                    else:
                        waiting[next_node] = [gradient]
                if counts[next_node] > 1:
                    counts[next_node] -= 1
                elif reached is None or next_node in reached:
                    heappush(ready, next_node)

    def run_watched(self, node: Node, arrived: list[Gradient]) -> Sequence[Gradient]:
        """Run a node that has hooks, or whose gradients the caller may want."""
        self.node = node
        if node.hooks is None:
            return self.run_hooked(node, arrived)
        # Until the node has run, modes are as its hooks leave them.
        gradients: Sequence[Gradient] = state.keeping(self.run_hooked, node, arrived)
        return gradients

    def run_hooked(self, node: Node, arrived: list[Gradient]) -> Sequence[Gradient]:
        """Run a node with its hooks, if it has some, and capture what is wanted."""
        hooks = node.hooks
        running = self.running is None or node in self.running
        if hooks is not None and not running:
            arrived = self.call(hooks.call_tensor_hooks, self.wrap(arrived, node.outputs))
        for number, gradient in enumerate(arrived):
            if gradient is not None and (node, number) in self.captured:
                self.captured[node, number] = gradient
        if not running:
            return [None] * len(node.edges)
        # What is captured on the way to other targets has not seen the hooks, as in PyTorch.
        if hooks is not None and (hooks.tensor or hooks.retained):
            arrived = self.call(hooks.call_tensor_hooks, self.wrap(arrived, node.outputs))
        if hooks is not None and hooks.before:
            arrived = self.call(hooks.call_before, tuple(self.wrap(arrived, node.outputs)))
        known = hooks is not None and bool(hooks.after)
        gradients = node.apply(arrived, self.recorded)
        grad_outputs = tuple(self.wrap(arrived, node.outputs)) if known else ()
        # The node may have registered hooks while it ran: they get no grad_outputs.
        hooks = node.hooks
        if hooks is not None:
            self.outside.run(hooks.call_accumulated)
        if hooks is not None and hooks.after:
            fitted = [
                gradient if node.gives(edge[0], self.reached) else None
                for edge, gradient in zip(node.edges, fit_all(node, gradients), strict=True)
            ]
            grad_inputs = tuple(self.wrap(fitted, len(fitted)))
            replaced = self.call(hooks.call_after, grad_inputs, grad_outputs)
            gradients = replaced or [None] * len(node.edges)
        if not self.retain_graph:
            node.release()
        return gradients

    def wrap(self, gradients: Sequence[Gradient], length: int) -> list[Any]:
        """Return so many gradients as Tensors for hooks; None for what did not arrive."""
        wrapped = gradients if self.recorded else list(map(self.exchange.tensor_of, gradients))
        return [*wrapped, *[None] * (length - len(wrapped))]

    def call(self, hooks: Callable[..., Sequence[Any]], *wrapped: Sequence[Any]) -> list[Gradient]:
        """Return what hooks give, as the walk's own kind of gradient; nothing if all are None."""
        gradients = self.outside.run(hooks, *wrapped)
        if all(one is None for one in gradients):
            return NOTHING
        return list(gradients if self.recorded else map(self.exchange.array_of, gradients))


Walk.kind = Walk


def add(arrived: list[Gradient], number: int, gradient: Gradient) -> None:
    """Add a gradient to what has arrived at a node for the output of that number."""
    if number >= len(arrived):
        arrived += [None] * (number + 1 - len(arrived))
    before = arrived[number]
    # A new array: what a formula returned may be somebody else's too.
    arrived[number] = gradient if before is None else before + gradient
