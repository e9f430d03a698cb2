"""Recording a backward pass by hooks, without changing what the program computes."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Any

import numpy as np

from minigrad.viz.backward.amounts import Amount, amount_of, close, ones_like, read_amount, sum_to
from minigrad.viz.backward.local_factor import Factor, factors
from minigrad.viz.backward.recording import BackwardRecording, Event, Passed, Seed, Stored
from minigrad.viz.read.names import NamedTensors
from minigrad.viz.read.protocol import TensorLike, is_leaf_node
from minigrad.viz.read.saved import FREED, HELD, read_saved
from minigrad.viz.read.snapshot import DEFAULT_LIMIT, take_snapshot
from minigrad.viz.read.walk import Walk

Gradients = Sequence[TensorLike | None]


class BackwardRecorder:
    """Watches the backward passes that run inside its ``with`` block, and changes nothing.

    Hooks see the gradients and are taken away at the end, also after an exception, which goes on
    to the caller. The program's ``.grad``, errors, warnings and order, and what is freed, are
    those of a run without a recorder.

    tensors: where backward will begin; gradients: those that it will be given, 1 where None.
    named: pairs of a name and a tensor. limit: how many nodes to watch, those nearest to
    ``tensors``.

    >>> import minigrad as torch
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> y = x * x
    >>> with BackwardRecorder([y]) as recorder:
    ...     y.backward()
    >>> [event.node for event in recorder.recording.events]
    ['n1', 'n0']
    >>> recorder.recording.events[1].stored[0].now.numbers
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
        self._seeds = tuple(self._find_seeds(tensors, gradients or [None] * len(tensors)))
        self._stores = self._find_stores([*tensors, *(tensor for _, tensor in named or [])])
        self._grads = {
            name: _stored_grad(tensor)
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
        """What was seen; complete after the ``with`` block."""
        return BackwardRecording(self._snapshot, self._seeds, tuple(self._events), self._error)

    def __enter__(self) -> "BackwardRecorder":
        for name, node in self._nodes.items():
            self._handles.append(node.register_prehook(partial(self._begin, name)))
            self._handles.append(node.register_hook(partial(self._finish, name)))
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
        """A node's turn begins; hooks that change what arrives have run."""
        node = self._nodes[name]
        leaf = is_leaf_node(node)
        self._factors[name] = factors(node)
        used = () if leaf else tuple(kept.name for kept in read_saved(node) if kept.state == HELD)
        upstream = tuple(None if one is None else read_amount(one) for one in gradients)
        stored = () if leaf else tuple(self._store(name))
        self._events.append(Event(name, upstream, stored=stored, used=used))

    def _finish(self, name: str, gradients: Gradients, _: Gradients) -> None:
        """A node's turn ends; hooks that change what it gives back have run."""
        index = max(i for i, event in enumerate(self._events) if event.node == name)
        event, known = self._events[index], self._factors.pop(name)
        known += [None] * (len(gradients) - len(known))
        arrived = event.upstream[0] if len(event.upstream) == 1 else None
        passed = tuple(
            _passed(number, arrived, factor, gradient)
            for number, (factor, gradient) in enumerate(zip(known, gradients, strict=False))
            if number in self._edges[name]
        )
        stored = tuple(self._store(name)) if is_leaf_node(self._nodes[name]) else event.stored
        self._events[index] = replace(event, passed=passed, stored=stored, finished=True)

    def _store(self, node: str) -> Iterator[Stored]:
        """What has become of the ``.grad`` of the tensors at a node that keep theirs."""
        for name, tensor in self._stores.get(node, {}).items():
            if _keeps_grad(tensor):
                old, self._grads[name] = self._grads[name], _stored_grad(tensor)
                yield Stored(name, old, self._grads[name])

    def _completed(self) -> Iterator[Event]:
        """The events with what is known only afterwards: who gave the parts, and what was freed."""
        nodes = {node.id: node for node in self._snapshot.nodes}
        places = {tensor.id: tensor.node for tensor in self._snapshot.tensors}
        arrived: dict[str | None, list[Amount]] = {}
        for seed in self._seeds:
            arrived.setdefault(places[seed.tensor], []).append(seed.gradient)
        for event in self._events:
            states = {kept.name: kept.state for kept in read_saved(self._nodes[event.node])}
            freed = tuple(name for name in event.used if states.get(name, FREED) == FREED)
            parts = tuple(arrived.get(event.node, ())) if len(event.upstream) == 1 else ()
            yield replace(event, parts=parts, freed=freed)
            for passed in event.passed:
                if passed.gradient is not None:
                    source = nodes[event.node].inputs[passed.input].node
                    arrived.setdefault(source, []).append(passed.gradient)

    def _find_seeds(self, tensors: Sequence[TensorLike], gradients: Gradients) -> Iterator[Seed]:
        known = {(t.node, t.output): t for t in self._snapshot.tensors}
        for tensor, gradient in zip(tensors, gradients, strict=False):
            found = known.get(self._place(tensor))
            single = math.prod(tensor.shape) == 1  # else backward refuses to begin without one
            if found is not None and (single or gradient is not None):
                given = ones_like(found.value) if gradient is None else read_amount(gradient)
                yield Seed(found.id, given)

    def _find_stores(self, tensors: Sequence[TensorLike]) -> dict[str, dict[str, TensorLike]]:
        """By node and by their ids, the tensors whose ``.grad`` may change."""
        known = {(t.node, t.output): t.id for t in self._snapshot.tensors if t.node is not None}
        stores: dict[str, dict[str, TensorLike]] = {}
        for name, node in self._nodes.items():
            if is_leaf_node(node) and (name, 0) in known:
                stores[name] = {known[name, 0]: node.variable}
        for tensor in tensors:
            place = self._place(tensor)
            if place in known and place[0] is not None:
                stores.setdefault(place[0], {})[known[place]] = tensor
        return stores

    def _place(self, tensor: TensorLike) -> tuple[str | None, int]:
        try:
            maker = tensor.grad_fn
        except RuntimeError:  # a view whose history an in-place change has made impossible
            return None, 0
        return self._ids.get(maker) if maker is not None else None, tensor.output_nr


def _passed(
    number: int, arrived: Amount | None, factor: Factor | None, gradient: TensorLike | None
) -> Passed:
    """What went along one edge; as a product only if it is one, for a hook may have changed it."""
    if gradient is None:
        return Passed(number, None)
    given = read_amount(gradient)
    if factor is None or arrived is None or arrived.array is None or given.array is None:
        return Passed(number, given)
    try:
        with np.errstate(all="ignore"):
            product = arrived.array * factor[1]
    except ValueError:  # of shapes that do not go together
        return Passed(number, given)
    local = amount_of(factor[1], given.value.dtype)
    shape = given.array.shape
    if product.size <= given.array.size and close(product * np.ones(shape), given.array):
        return Passed(number, given, factor[0], local)
    reduced = sum_to(product, shape)
    if reduced is not None and close(reduced, given.array):
        return Passed(number, given, factor[0], local, summed=True)
    return Passed(number, given)


def _keeps_grad(tensor: TensorLike) -> bool:
    return tensor.is_leaf or tensor.retains_grad  # else PyTorch warns when .grad is read


def _stored_grad(tensor: TensorLike) -> Amount | None:
    grad = tensor.grad if _keeps_grad(tensor) else None
    return None if grad is None else read_amount(grad)
