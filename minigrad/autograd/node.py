"""The nodes of the autograd graph and the edges between them.

A node is made when an operation is recorded. It holds its edges (`next_functions`), what its
formulas need, and hooks. This file knows arrays and nodes; tensors only as things that have them.
"""

from __future__ import annotations

import contextvars
import threading
import weakref
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any, Protocol, TypeAlias

import numpy as np

from minigrad.autograd.hooks import Hook, Hooks, RemovableHandle, register
from minigrad.c_code import ReadOnly, c_method, unsigned

Array: TypeAlias = np.ndarray[Any, Any]
Gradient: TypeAlias = Any  # an array; a Tensor where the walk itself is recorded; None: undefined
# Where a gradient goes, and what it must be there: node, number of the node's output, shape, dtype.
Edge: TypeAlias = tuple[Any, int, tuple[int, ...], np.dtype[Any]]

NO_EDGE: Edge = (None, 0, (), np.dtype("float32"))
LAST = 2**64 - 1
# Nodes that PyTorch does not generate carry its namespace in their name.
WRITTEN_BY_HAND = {"AccumulateGrad", "CopyBackwards", "CopySlices", "Error", "NotImplemented"}


# A context in which numpy does not warn of overflow or division by zero, as PyTorch does not:
# running in a copy of it costs a tenth of numpy.errstate.
_quiet = contextvars.copy_context()
_quiet.run(np.seterr, all="ignore")
quiet_copy = _quiet.copy


# Held while a leaf that threads may share is changed. Called by themselves these cost a third of
# what a lock costs in a with statement.
_lock = threading.RLock()
acquire, release = _lock.acquire, _lock.release


class Watcher(Protocol):
    """What a node knows of the walk that runs it; see `minigrad.autograd.engine.Walk`."""

    recorded: bool
    retain_graph: bool
    reached: set[Node] | None

    def run_watched(self, node: Node, arrived: list[Gradient]) -> Sequence[Gradient]:
        """Run a node that has hooks, or whose gradients the caller may want."""


class Node:
    """One recorded operation: the `grad_fn` of its outputs.

    Subclasses carry PyTorch's names (``AddBackward0``) and say how gradients pass through.
    """

    __slots__ = ("__weakref__", "_metadata", "edges", "hooks", "outputs", "sequence_number")
    edges: tuple[Edge, ...]
    sequence_number: int
    outputs: int  # how many there are
    hooks: Hooks | None
    gives_all = False  # even gradients that lead nowhere, or to no input of the backward pass

    def __reduce__(self) -> Any:
        raise TypeError(f"cannot pickle {type(self).__name__!r} object")

    def public(self) -> Any:
        """Return what users know this node as: the node itself, but for custom functions."""
        return self

    @c_method(0)
    def name(self) -> str:
        """Return the name of the node, ``AddBackward0`` for instance."""
        name = type(self).__name__
        return f"torch::autograd::{name}" if name in WRITTEN_BY_HAND else name

    @ReadOnly
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """Where the gradients of the inputs go: pairs of node (or None) and output number."""
        return tuple([(node and node.public(), number) for node, number, *_ in self.edges])

    @ReadOnly
    def metadata(self) -> dict[Any, Any]:
        """A dictionary for whatever the user wants to keep with the node."""
        try:
            return self._metadata
        except AttributeError:
            self._metadata: dict[Any, Any] = {}
            return self._metadata

    @ReadOnly
    def requires_grad(self) -> bool:
        """Always True: without a gradient to pass on there would be no node."""
        return True

    def __call__(self, *grad_outputs: Any) -> Any:
        """Return what this node passes on for gradients of its outputs, Tensors or None.

        Raises:
            TypeError: if they are not as many as the outputs, or something else.
        """
        count = self.ensure_hooks().outputs or self.outputs
        if len(grad_outputs) != count:
            raise TypeError(f"expected {count} arguments, got {len(grad_outputs)} instead")
        for place, one in enumerate(grad_outputs):
            if one is not None and not hasattr(one, "_value"):
                raise TypeError(f"argument {place} is not a Variable")
        nothing = all(one is None for one in grad_outputs)
        grad_inputs = tuple(self.apply([] if nothing else grad_outputs, True))
        return grad_inputs[0] if len(grad_inputs) == 1 else grad_inputs

    @c_method(0)
    def _sequence_nr(self) -> int:
        return self.sequence_number

    @c_method(1)
    def _set_sequence_nr(self, number: int) -> None:
        self.sequence_number = unsigned(number)

    def __lt__(self, other: Node) -> bool:
        """Come before `other` in the engine's heap: the node recorded last runs first."""
        return self.sequence_number > other.sequence_number

    def run(
        self, arrived: list[Gradient], walk: Watcher
    ) -> tuple[tuple[Edge, ...], Sequence[Gradient]]:
        """Return the edges, and for each the gradient to pass on; free what is not needed again."""
        __tracebackhide__ = True
        if self.hooks is not None or walk.reached is not None:
            return self.edges, walk.run_watched(self, arrived)
        gradients = self.apply(arrived, walk.recorded)
        if not walk.retain_graph:
            self.release()
        return self.edges, gradients

    def gives(self, to: Node | None, reached: set[Node] | None) -> bool:
        """Return whether hooks see the gradient for an edge in a pass that reaches these nodes."""
        return self.gives_all or (to is not None and (reached is None or to in reached))

    def apply(self, arrived: Sequence[Gradient], recorded: bool) -> Sequence[Gradient]:
        """Return one gradient for each edge from those of the outputs; none at all if none arrived.

        `recorded`: gradients are Tensors and what happens to them is recorded; otherwise arrays.
        """
        raise NotImplementedError

    def release(self) -> None:
        """Let go of what was saved for the backward pass."""

    def ensure_hooks(self) -> Hooks:
        """Return the node's hooks, made on first use: most nodes never have one."""
        if self.hooks is None:
            self.hooks = Hooks()
        return self.hooks

    @c_method(1)
    def register_hook(self, fn: Hook) -> RemovableHandle:
        """Call ``fn(grad_inputs, grad_outputs)`` after this node has run in a backward pass.

        Both are tuples of Tensors or None; a returned tuple takes the place of `grad_inputs`.
        """
        return register(self.ensure_hooks().after, fn)

    @c_method(1)
    def register_prehook(self, fn: Hook) -> RemovableHandle:
        """Call ``fn(grad_outputs)`` before this node runs in a backward pass.

        `grad_outputs` is a tuple of Tensors or None, already summed; a returned tuple takes its
        place.
        """
        return register(self.ensure_hooks().before, fn)


class GraphRoot(Node):
    """The start of a walk: hands each root its gradient."""

    __slots__ = ("gradients",)

    def __init__(self, roots: Sequence[Edge], gradients: Sequence[Gradient]) -> None:
        self.edges = tuple(roots)
        self.outputs = 0
        self.hooks = None
        self.gradients = gradients

    def apply(self, arrived: Sequence[Gradient], recorded: bool) -> Sequence[Gradient]:
        return self.gradients


class AccumulateGrad(Node):
    """The end of the graph at a leaf: adds what arrives to the leaf's `.grad`."""

    __slots__ = ("leaf", "shape")
    variable = ReadOnly(attrgetter("leaf"), "variable")
    edges = ()
    outputs = 1

    def __init__(self, leaf: Any) -> None:
        self.leaf = leaf
        self.shape = leaf._value.shape
        self.sequence_number = LAST
        self.hooks = None
        if leaf._hooked:
            self.find_hooks()

    def find_hooks(self) -> None:
        """Take over the leaf's own hooks, which outlive its AccumulateGrad."""
        hooks, leaf = self.ensure_hooks(), self.leaf
        hooks.tensor = [] if leaf._hooks is None else [(0, leaf._hooks)]
        after = leaf._post_accumulate_hooks
        hooks.accumulated = None if after is None else (leaf, after)

    def run(
        self, arrived: list[Gradient], walk: Watcher
    ) -> tuple[tuple[Edge, ...], Sequence[Gradient]]:
        if self.hooks is not None or walk.reached is not None:
            walk.run_watched(self, arrived)
        elif arrived:
            self.add(arrived[0])
        return (), ()

    def apply(self, arrived: Any, recorded: bool) -> Sequence[Gradient]:
        if arrived:
            first = self.leaf._grad is None and not recorded
            self.add(self.leaf._take_gradient(arrived[0]))
            taken = self.leaf._grad if first else None
            if taken is not None and taken._array.strides == arrived[0].strides:
                arrived[0] = taken._array  # Hooks to come see what others make of it.
        return ()

    def add(self, gradient: Gradient) -> None:
        """Add a gradient to the leaf's."""
        if self.leaf._requires_grad:
            acquire()
            try:
                self.leaf._accumulate_grad(gradient)
            finally:
                release()


AccumulateGrad.__module__ = "builtins"


def leaf_edge(leaf: Any) -> Edge:
    """Return the edge to a leaf's AccumulateGrad: one that a graph holds, or a new one.

    The leaf refers to it weakly, since it holds the leaf.
    """
    reference = leaf._accumulator
    node = None if reference is None else reference()
    if node is None:
        acquire()
        try:
            # Another thread may have made it meanwhile.
            node = None if leaf._accumulator is reference else leaf._accumulator()
            if node is None:
                node = AccumulateGrad(leaf)
                leaf._accumulator = weakref.ref(node)
        finally:
            release()
    dtype = leaf._edge_dtype
    return (node, 0, node.shape, leaf._value.dtype if dtype is False else dtype)


def operation_name(node: Node) -> str:
    """Return the name of the operation that a node records, as error messages have it."""
    operation, _, number = node.name().rpartition("Backward")
    counted = not number or number.isdigit()
    return operation + number.removeprefix("0") if operation and counted else node.name()


def count_edges(root: Node) -> dict[Node, int]:
    """Return how many edges lead to each node below `root`: gradients it has to wait for."""
    counts: dict[Node, int] = {}
    stack = [root]
    while stack:
        for node, _, _, _ in stack.pop().edges:
            if node is None:
                continue
            if node in counts:
                counts[node] += 1
            else:
                counts[node] = 1
                stack.append(node)
    return counts


def ancestors(targets: Iterable[Node], root: Node) -> set[Node]:
    """Return the nodes between `root` and any target: those whose gradients pass on to it."""
    parents: dict[Node, list[Node]] = {root: []}
    stack = [root]
    while stack:
        parent = stack.pop()
        for node, *_ in parent.edges:
            if node is None:
                continue
            if node not in parents:
                parents[node] = []
                stack.append(node)
            parents[node].append(parent)
    found: set[Node] = set()
    stack = list(targets)
    while stack:
        for parent in parents.get(stack.pop(), ()):
            if parent not in found:
                found.add(parent)
                stack.append(parent)
    return found
