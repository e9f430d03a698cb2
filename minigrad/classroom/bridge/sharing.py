"""What both sides know: tensors kept alike, nodes, and objects, each under one reference.

A reference begins with the mark of the side that made the thing. With each message go the tensors
that are new to the other side, and those that have changed since: their numbers, `.grad`, flag,
version and place in the graph. Which tensors share memory does not travel along.
"""

from __future__ import annotations

import io
import pickle
import weakref
from collections.abc import Callable
from contextlib import suppress
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from minigrad.autograd.function import Function
from minigrad.classroom.bridge.mirrors import (
    Elsewhere,
    function_class,
    mirror_of,
    named,
    node_class,
)
from minigrad.classroom.bridge.values import Reader, Unreadable, Writer, expect, numbers
from minigrad.graph import AccumulateGrad, Edge, Node
from minigrad.nn import Module, Parameter
from minigrad.optim import Optimizer
from minigrad.tensor import Tensor, from_array

if TYPE_CHECKING:
    from minigrad.classroom.bridge.peer import Peer

MOST_NODES = 100_000


class Shared:
    """The things that both sides know, by reference.

    mark: this side's. trusted: whether the other side may be sent pickles, and sent them by.
    unchanged: tells of an object whether it still stands as in the exercise's starter.
    """

    def __init__(self, mark: str, trusting: bool, unchanged: Callable[[Any], bool]) -> None:
        self.mark = mark
        self.trusting = trusting
        self.unchanged = unchanged
        self.handed: list[Any] = []  # functions that the other side may have called
        self.things: dict[str, Any] = {}
        self.references: dict[int, str] = {}
        self.known: dict[str, tuple[Any, ...]] = {}  # the other side's state of a tensor

    def reference(self, thing: Any) -> str | None:
        """The reference of a thing that the other side knows."""
        return self.references.get(id(thing))

    def give(self, thing: Any) -> str:
        """A new reference for a thing of this side's."""
        reference = f"{self.mark}{len(self.things)}"
        self.keep(reference, thing)
        return reference

    def keep(self, reference: str, thing: Any) -> None:
        """Remember a thing, which lives as long as this does."""
        self.things[reference] = thing
        self.references[id(thing)] = reference

    def find(self, reference: Any, kind: type) -> Any:
        """What a reference stands for; Unreadable if it is nothing of that kind."""
        thing = self.things.get(expect(reference, str))
        if not isinstance(thing, kind):
            raise Unreadable("a reference to nothing")
        return thing


class Sender:
    """Writes one message."""

    def __init__(self, shared: Shared) -> None:
        self.shared = shared
        self.writer = Writer(self._other)
        self.nodes: list[Any] = []
        self.fresh: list[tuple[str, Any]] = []  # tensors that the other side has yet to hear of

    def message(self, body: Any) -> tuple[Any, bytes]:
        """The body, and all that the other side must know to understand it."""
        written = self.writer.value(body)
        self.fresh += [
            (reference, self.shared.things[reference])
            for reference, known in self.shared.known.items()
            if known != condition(self.shared.things[reference])
        ]
        states = []
        while self.fresh:
            states.append(self._state(*self.fresh.pop()))
        return {"body": written, "tensors": states, "nodes": self.nodes}, bytes(self.writer.arrays)

    def _other(self, value: Any) -> Any:
        if isinstance(value, Tensor):
            return {"tensor": self._tensor(value)}
        if isinstance(value, AccumulateGrad):
            return {"leaf": self._tensor(value.variable)}
        if isinstance(value, Node):
            return {"node": self._node(value)}
        value = vars(value).get("elsewhere", value) if isinstance(value, type) else value
        reference = self.shared.reference(value)
        if reference is not None:
            return {"known": reference}
        reference = self.shared.give(value)
        if self.shared.trusting and isinstance(value, Module | Optimizer):
            return {"pickle": [reference, self.writer.array(self._pickled(value))]}
        is_function = isinstance(value, type) and issubclass(value, Function)
        name = value.__name__ if is_function else type(value).__name__
        unchanged = self.shared.unchanged(value)
        return {"thing": [reference, name, callable(value), is_function, unchanged]}

    def _pickled(self, thing: Any) -> Any:
        stream = io.BytesIO()
        pickler = pickle.Pickler(stream)
        pickler.persistent_id = self._kept  # type: ignore[method-assign]
        pickler.dump(thing)
        return np.frombuffer(stream.getvalue(), np.uint8)

    def _kept(self, one: Any) -> Any:
        """What isn't pickled with a model: tensors, and functions that have no name elsewhere."""
        if isinstance(one, FunctionType) and "<" in one.__qualname__:
            return self._handed(one)
        return self._other(one) if isinstance(one, Tensor | Node) else None

    def _handed(self, function: Any) -> Any:
        self.shared.handed.append(function)
        return self._other(function)

    def _hooks(self, tensor: Any) -> list[Any]:
        """The hooks of a tensor that the other side has yet to hear of, and is to call."""
        new = [one for one in hooks_of(tensor) if self.shared.reference(one) is None]
        return [self._handed(one) for one in new] if self.shared.trusting else []

    def _tensor(self, tensor: Tensor) -> str:
        reference = self.shared.reference(tensor)
        if reference is None:
            reference = self.shared.give(tensor)
            self.fresh.append((reference, tensor))
        return reference

    def _state(self, reference: str, tensor: Any) -> Any:
        grad, edge = tensor._grad, found_edge(tensor)
        written = [
            reference,
            isinstance(tensor, Parameter),
            self.writer.array(tensor._array),
            tensor._leaf_requires_grad,
            tensor._version,
            self._tensor(grad) if isinstance(grad, Tensor) else None,
            None if edge is None else [self._node(edge[0]), edge[1]],
            tensor.retains_grad,
            self._hooks(tensor),
        ]
        self.shared.known[reference] = condition(tensor)
        return written

    def _node(self, root: Node) -> str:
        """The reference of a node, after those that its edges lead to."""
        waiting = [root]
        while waiting:
            node = waiting[-1]
            behind = [
                one
                for one, *_ in filter(None, node.next_edges)
                if not isinstance(one, AccumulateGrad) and self.shared.reference(one) is None
            ]
            if behind:
                waiting += behind
                continue
            waiting.pop()
            if self.shared.reference(node) is None:
                reference = self.shared.give(node)
                edges = [self._edge(edge) for edge in node.next_edges]
                self.nodes.append([reference, node.name(), node.output_count, edges])
                if len(self.nodes) > MOST_NODES:
                    raise Unreadable("This graph is too large to be an answer.")
        return self.shared.references[id(root)]

    def _edge(self, edge: Edge | None) -> Any:
        if edge is None:
            return None
        node, number, shape, dtype = edge
        if isinstance(node, AccumulateGrad):
            return ["leaf", self._tensor(node.variable), number, list(shape), dtype.str]
        return ["node", self.shared.reference(node), number, list(shape), dtype.str]


class Receiver:
    """Reads one message."""

    def __init__(self, peer: Peer, message: Any, arrays: bytes) -> None:
        self.peer = peer
        self.shared = peer.shared
        self.reader = Reader(arrays, self._other)
        self.message = expect(message, dict)

    def body(self) -> Any:
        """What was said, once all tensors and nodes are as the other side has them."""
        states = [expect(one, list) for one in expect(self.message["tensors"], list)]
        for one in states:
            self._appear(one)
        for node in expect(self.message["nodes"], list):
            self._node(*expect(node, list))
        for one in states:
            self._connect(one)
        for one in states:
            self.shared.known[one[0]] = condition(self.shared.things[one[0]])
        return self.reader.value(self.message["body"])

    def _other(self, kind: str, given: Any) -> Any:
        if kind == "tensor":
            return self.shared.find(given, Tensor)
        if kind == "leaf":
            return accumulate_node(self.shared.find(given, Tensor))
        if kind == "node":
            return self.shared.find(given, Node)
        if kind == "known":
            thing = self.shared.find(given, object)
            return vars(thing).get("as_class", thing) if isinstance(thing, Elsewhere) else thing
        if kind == "thing":
            return self._thing(*expect(given, list))
        if kind == "pickle" and not self.shared.trusting:
            return self._unpickled(*given)
        raise Unreadable("a value of an unknown kind")

    def _thing(
        self, reference: Any, name: Any, calls: Any, is_function: Any, unchanged: Any
    ) -> Any:
        kind = named(name, "object")
        flags = expect(calls, bool), expect(unchanged, bool)
        thing = mirror_of(self.peer, "type" if is_function else kind, *flags)
        self._keep(reference, thing)
        if expect(is_function, bool):
            vars(thing)["as_class"] = function_class(self.peer, kind, thing, unchanged)
            return vars(thing)["as_class"]
        return thing

    def _unpickled(self, reference: str, written: Any) -> Any:
        unpickler = pickle.Unpickler(io.BytesIO(self.reader.array(written).tobytes()))
        unpickler.persistent_load = self.reader.value  # type: ignore[method-assign]
        thing = unpickler.load()
        self._keep(reference, thing)
        return thing

    def _keep(self, reference: Any, thing: Any) -> None:
        """Remember a thing of the other side's, which may not pass for one of this side's."""
        mine = expect(reference, str).startswith(self.shared.mark)
        if mine or reference in self.shared.things:
            raise Unreadable("a reference that is taken")
        self.shared.keep(reference, thing)

    def _appear(self, written: Any) -> None:
        reference, parameter, array, requires_grad, version, *_ = written
        value = self.reader.array(array)
        needs = expect(requires_grad, bool)
        if needs and value.dtype.kind != "f":
            raise Unreadable("a tensor of integers that requires grad")
        tensor = self.shared.things.get(expect(reference, str))
        if tensor is None:
            tensor = from_array(value)
            if expect(parameter, bool):
                tensor = Parameter(tensor, needs)
            self._keep(reference, tensor)
        elif not isinstance(tensor, Tensor):
            raise Unreadable("a reference to no tensor")
        elif same_kind(tensor._array, value) and tensor._array.flags.writeable:
            if tensor._array.tobytes() != value.tobytes():
                np.copyto(tensor._array, value)
        else:
            tensor._array = value
        tensor._leaf_requires_grad = needs
        if tensor._version != expect(version, int):
            tensor._bump_version()
            tensor._shared_version_counter().version = version

    def _connect(self, written: Any) -> None:
        reference, _, _, _, _, grad, edge, retains, hooks = written
        tensor = self.shared.things[reference]
        tensor._grad = None if grad is None else self.shared.find(grad, Tensor)
        if edge is None:
            tensor._edge = None
        else:
            node, number = expect(edge, list)
            value = tensor._array
            tensor._edge = (self.shared.find(node, Node), expect(number, int), *kind_of(value))
        tensor._edge_is_current = tensor._base is None and not tensor._leaf_requires_grad
        tensor._edge_version = tensor._version
        if expect(retains, bool) and edge is not None and not tensor.retains_grad:
            tensor.retain_grad()
        if not self.shared.trusting:
            for hook in hooks:
                tensor.register_hook(self.reader.value(hook))

    def _node(self, reference: Any, name: Any, outputs: Any, edges: Any) -> None:
        kind = node_class(named(name, "Node"))
        led = tuple([self._edge(edge) for edge in expect(edges, list)])
        self._keep(reference, kind(self.peer, reference, led, expect(outputs, int)))

    def _edge(self, written: Any) -> Edge | None:
        if written is None:
            return None
        kind, reference, number, shape, dtype = expect(written, list)
        sizes = tuple([expect(size, int) for size in expect(shape, list)])
        what = sizes, numbers(dtype)
        if kind == "leaf":
            return (accumulate_node(self.shared.find(reference, Tensor)), 0, *what)
        return (self.shared.find(reference, Node), expect(number, int), *what)


def condition(tensor: Any) -> tuple[Any, ...]:
    """What the other side has to be told when it changes."""
    array, edge = tensor._array, found_edge(tensor) or (None, 0)
    return (
        array.tobytes(),
        kind_of(array),
        tensor._leaf_requires_grad,
        tensor._version,
        id(tensor._grad),
        (id(edge[0]), edge[1]),
        tensor.retains_grad,
        len(hooks_of(tensor)),
    )


def hooks_of(tensor: Any) -> list[Any]:
    """What a tensor calls with its gradient."""
    edge = found_edge(tensor)
    hooks, number = (tensor._leaf_hooks, 0) if edge is None else (edge[0]._hooks, edge[1])
    return [] if hooks is None else list(hooks.tensor.get(number, {}).values())


def found_edge(tensor: Any) -> Edge | None:
    """The edge to what computed a tensor; the old one of a view whose history is lost."""
    with suppress(RuntimeError):
        tensor._current_edge()
    edge: Edge | None = tensor._edge
    return edge


def accumulate_node(leaf: Any) -> AccumulateGrad:
    """The node that adds to a leaf's `grad`, even if the leaf has stopped requiring it."""
    node: AccumulateGrad | None = leaf._accumulator and leaf._accumulator()
    if node is None:
        node = AccumulateGrad(leaf, leaf._leaf_hooks)
        leaf._accumulator = weakref.ref(node)
    return node


def kind_of(array: Any) -> tuple[tuple[int, ...], Any]:
    """Shape and dtype."""
    return array.shape, array.dtype


def same_kind(one: Any, other: Any) -> bool:
    """Whether two arrays are of the same shape and dtype."""
    return kind_of(one) == kind_of(other)
