"""What happened in a backward pass, as plain data, and the hooks that find it out."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from types import TracebackType
from typing import Any

import numpy as np

from minigrad.viz.backward.amounts import Amount, amount_of, close, read_amount, sum_to
from minigrad.viz.backward.local_factor import Factor, factors
from minigrad.viz.read.engines import package_of
from minigrad.viz.read.names import NamedTensors
from minigrad.viz.read.protocol import TensorLike, is_leaf_node, is_tensor, keeps_grad, maker
from minigrad.viz.read.saved import FREED, HELD, read_saved
from minigrad.viz.read.snapshot import DEFAULT_LIMIT, Snapshot, take_snapshot
from minigrad.viz.read.walk import Walk

Gradients = Sequence[TensorLike | None]


@dataclass(frozen=True)
class Seed:
    """A gradient that the pass began with."""

    tensor: str
    gradient: Amount


@dataclass(frozen=True)
class EdgeGradient:
    """The gradient that a node passed along one of its edges.

    input: the edge, by the number of the node's input. gradient: None if nothing came along it.
    factor, local: if the rule is a product, what the upstream gradient was multiplied by, as the
    rule writes it and in numbers. summed: whether a broadcast was undone after that.
    """

    input: int
    gradient: Amount | None
    factor: str = ""
    local: Amount | None = None
    summed: bool = False


@dataclass(frozen=True)
class GradUpdate:
    """The ``.grad`` of a tensor (a leaf, or one that retains its gradient) before and after."""

    tensor: str
    old: Amount | None
    new: Amount | None


@dataclass(frozen=True)
class Event:
    """One run of a node.

    upstream: the gradient that arrived for each output, summed. parts: if there is one output, the
    gradients that arrived one by one, seeds first. saved: the names of the node's saved values;
    freed: those that were freed after the run. finished: False for the node that raised an error.
    """

    node: str
    upstream: tuple[Amount | None, ...]
    parts: tuple[Amount, ...] = ()
    edges: tuple[EdgeGradient, ...] = ()
    updates: tuple[GradUpdate, ...] = ()
    saved: tuple[str, ...] = ()
    freed: tuple[str, ...] = ()
    finished: bool = False


@dataclass(frozen=True)
class BackwardRecording:
    """A backward pass: the graph before it, and the runs of its nodes in their order.

    error: type and text of the exception that ended the pass; empty if there was none.
    """

    snapshot: Snapshot
    seeds: tuple[Seed, ...]
    events: tuple[Event, ...]
    error: str = ""


def record_backward(
    tensors: Sequence[TensorLike],
    gradient: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
    named: NamedTensors | None = None,
    limit: int = DEFAULT_LIMIT,
) -> BackwardRecording:
    """Run backward from ``tensors``; an error of the pass is recorded instead of raised.

    gradient: one for each of several tensors. TypeError for anything but tensors, ValueError for a
    limit below 1; then nothing has run.
    """
    if not tensors:
        raise TypeError("step() takes one or more tensors, but got none")
    for tensor in tensors:
        if not is_tensor(tensor):
            raise TypeError(f"step() takes tensors, but got {type(tensor).__name__}")
    if limit < 1:
        raise ValueError(f"limit must be at least 1, but got {limit}")
    gradients = list(gradient) if isinstance(gradient, list | tuple) else [gradient]
    known = gradients if len(gradients) == len(tensors) else None
    recorder = BackwardRecorder(tensors, known, named, limit)
    backward = _backward_of(tensors[0])
    with suppress(Exception), recorder:  # the recording has it
        backward(tensors, gradient, retain_graph, create_graph, inputs=inputs)
    return recorder.recording


def _backward_of(tensor: TensorLike) -> Callable[..., None]:
    """The engine's ``autograd.backward``; of an engine in one file, the tensor's own method."""
    try:
        backward: Callable[..., None] = package_of(tensor).autograd.backward
    except TypeError:
        return _one_backward
    return backward


def _one_backward(
    tensors: Sequence[Any], gradient: Any, retain_graph: bool | None, *_: Any, **named: Any
) -> None:
    tensors[0].backward(gradient, retain_graph=bool(retain_graph))


class _InList:
    """A hook in a node's list of them, where the engine has no more than that."""

    def __init__(self, hooks: list[Any], hook: Any) -> None:
        self._hooks, self._hook = hooks, hook
        hooks.append(hook)

    def remove(self) -> None:
        self._hooks.remove(self._hook)


def _hook_up(node: Any, begin: Any, finish: Any) -> Iterator[Any]:
    """Have ``begin`` called before each run of ``node``, and ``finish`` after it."""
    if hasattr(node, "register_hook"):
        yield node.register_prehook(begin)
        yield node.register_hook(finish)
    else:
        yield _InList(node.prehooks, begin)
        yield _InList(node.hooks, finish)


class BackwardRecorder:
    """Watches the backward passes inside its ``with`` block and changes nothing.

    Its hooks see the gradients and are removed at the end, also after an exception, which the
    caller gets. ``.grad``, errors, warnings, order, and freed values are those of a run without a
    recorder.

    tensors: where backward will begin; gradients: what it will be given, 1 where None.
    named: pairs of a name and a tensor. limit: how many nodes to watch, those nearest to
    ``tensors``.

    >>> import minigrad as torch
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> y = x * x
    >>> with BackwardRecorder([y]) as recorder:
    ...     y.backward()
    >>> [event.node for event in recorder.recording.events]
    ['n1', 'n0']
    >>> recorder.recording.events[1].updates[0].new.numbers
    6.0
    """

    def __init__(
        self,
        tensors: Sequence[TensorLike],
        gradients: Gradients | None = None,
        named: NamedTensors | None = None,
        limit: int = DEFAULT_LIMIT,
    ) -> None:
        self._snapshot = take_snapshot(tensors, named, limit)
        graph = Walk(tensors, named or [], limit).graph
        self._nodes = {f"n{index}": node for index, node in enumerate(graph)}
        self._ids = {node: name for name, node in self._nodes.items()}
        self._places = {(t.node, t.output): t for t in self._snapshot.tensors}
        self._seeds = tuple(self._find_seeds(tensors, gradients or [None] * len(tensors)))
        self._stores = self._find_stores([*tensors, *(tensor for _, tensor in named or [])])
        self._grads = {
            name: _grad_of(tensor)
            for stores in self._stores.values()
            for name, tensor in stores.items()
        }
        self._edges = {
            node.id: {i for i, source in enumerate(node.inputs) if source.node or source.left_out}
            for node in self._snapshot.nodes
        }
        self._factors: dict[str, list[Factor | None]] = {}  # of the nodes that are running
        self._handles: list[Any] = []
        self._events: list[Event] = []
        self._error = ""

    @property
    def recording(self) -> BackwardRecording:
        """The pass so far; complete after the ``with`` block."""
        return BackwardRecording(self._snapshot, self._seeds, tuple(self._events), self._error)

    def __enter__(self) -> "BackwardRecorder":
        for name, node in self._nodes.items():
            hooks = partial(self._begin, name), partial(self._finish, name)
            self._handles.extend(_hook_up(node, *hooks))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        for handle in self._handles:
            handle.remove()
        self._error = "" if kind is None else f"{kind.__name__}: {error}"
        self._events = list(self._completed())
        self._handles, self._nodes, self._ids, self._stores = [], {}, {}, {}  # nothing stays alive

    def _begin(self, name: str, gradients: Gradients) -> None:
        """A node begins to run; hooks that change its upstream gradient have run."""
        node = self._nodes[name]
        leaf = is_leaf_node(node)
        self._factors[name] = factors(node)
        saved = () if leaf else tuple(kept.name for kept in read_saved(node) if kept.state == HELD)
        upstream = tuple(None if one is None else read_amount(one) for one in gradients)
        updates = () if leaf else tuple(self._updates(name))
        self._events.append(Event(name, upstream, updates=updates, saved=saved))

    def _finish(self, name: str, gradients: Gradients, _: Gradients) -> None:
        """A node has run; hooks that change what it returns have run."""
        index = max(i for i, event in enumerate(self._events) if event.node == name)
        event, known = self._events[index], self._factors.pop(name)
        known += [None] * (len(gradients) - len(known))
        arrived = event.upstream[0] if len(event.upstream) == 1 else None
        edges = tuple(
            _edge_gradient(number, arrived, factor, gradient)
            for number, (factor, gradient) in enumerate(zip(known, gradients, strict=False))
            if number in self._edges[name]
        )
        leaf = is_leaf_node(self._nodes[name])
        updates = tuple(self._updates(name)) if leaf else event.updates
        self._events[index] = replace(event, edges=edges, updates=updates, finished=True)

    def _updates(self, node: str) -> Iterator[GradUpdate]:
        """The ``.grad`` of the tensors at a node that keep theirs, before and now."""
        for name, tensor in self._stores.get(node, {}).items():
            if keeps_grad(tensor):
                old, self._grads[name] = self._grads[name], _grad_of(tensor)
                yield GradUpdate(name, old, self._grads[name])

    def _completed(self) -> Iterator[Event]:
        """The events with what is known only afterwards: the parts, and the freed values."""
        nodes = {node.id: node for node in self._snapshot.nodes}
        places = {tensor.id: tensor.node for tensor in self._snapshot.tensors}
        arrived: dict[str | None, list[Amount]] = {}
        for seed in self._seeds:
            arrived.setdefault(places[seed.tensor], []).append(seed.gradient)
        for event in self._events:
            states = {kept.name: kept.state for kept in read_saved(self._nodes[event.node])}
            freed = tuple(name for name in event.saved if states.get(name, FREED) == FREED)
            parts = tuple(arrived.get(event.node, ())) if len(event.upstream) == 1 else ()
            yield replace(event, parts=parts, freed=freed)
            for edge in event.edges:
                if edge.gradient is not None:
                    source = nodes[event.node].inputs[edge.input].node
                    arrived.setdefault(source, []).append(edge.gradient)

    def _find_seeds(self, tensors: Sequence[TensorLike], gradients: Gradients) -> Iterator[Seed]:
        for tensor, gradient in zip(tensors, gradients, strict=False):
            found = self._places.get(self._place(tensor))
            single = math.prod(tensor.shape) == 1  # else backward refuses to begin without one
            if found is not None and (single or gradient is not None):
                ones = amount_of(np.ones(found.value.shape), found.value.dtype)
                yield Seed(found.id, ones if gradient is None else read_amount(gradient))

    def _find_stores(self, tensors: Sequence[TensorLike]) -> dict[str, dict[str, TensorLike]]:
        """By node and by their ids, the tensors whose ``.grad`` may change."""
        stores: dict[str, dict[str, TensorLike]] = {}
        for name, node in self._nodes.items():
            if is_leaf_node(node) and (name, 0) in self._places:
                stores[name] = {self._places[name, 0].id: node.variable}
        for tensor in tensors:
            place = self._place(tensor)
            if place[0] is not None and place in self._places:
                stores.setdefault(place[0], {})[self._places[place].id] = tensor
        return stores

    def _place(self, tensor: TensorLike) -> tuple[str | None, int]:
        node = maker(tensor)
        return (None, 0) if node is None else (self._ids.get(node), tensor.output_nr)


def _edge_gradient(
    number: int, arrived: Amount | None, factor: Factor | None, gradient: TensorLike | None
) -> EdgeGradient:
    """The gradient along one edge; as a product only if it is one, because hooks may change it."""
    given = None if gradient is None else read_amount(gradient)
    up, down = (None if one is None else one.array for one in (arrived, given))
    if given is None or up is None or down is None or factor is None:
        return EdgeGradient(number, given)
    written, slope = factor
    try:
        with np.errstate(all="ignore"):
            product = up * slope
            summed = product.size > down.size or product.ndim > down.ndim
            found = sum_to(product, down.shape) if summed else product * np.ones(down.shape)
    except ValueError:  # shapes that do not fit
        return EdgeGradient(number, given)
    if found is None or not close(found, down):
        return EdgeGradient(number, given)
    return EdgeGradient(number, given, written, amount_of(slope, given.value.dtype), summed)


def _grad_of(tensor: TensorLike) -> Amount | None:
    grad = tensor.grad if keeps_grad(tensor) else None
    return None if grad is None else read_amount(grad)
