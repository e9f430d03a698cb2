"""What nodes save of tensors for the backward pass, and how it is checked when it is used again."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from typing import Any

from minigrad.autograd.grad_mode import Unrecorded, anomaly
from minigrad.autograd.node import (
    NO_EDGE,
    AccumulateGrad,
    Edge,
    Node,
    operation_name,
)

Hook = Callable[[Any], Any]

FREED = (
    "Trying to backward through the graph a second time (or directly access saved tensors after "
    "they have already been freed). Saved intermediate values of the graph are freed when you call "
    ".backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the "
    "graph a second time or if you need to access saved tensors after calling backward."
)
HINT = (
    "enable anomaly detection to find the operation that failed to compute its gradient, with "
    "torch.autograd.set_detect_anomaly(True, check_nan=False)."
)
HINT_IN_ANOMALY_MODE = (
    "the backtrace further above shows the operation that failed to compute its gradient. The "
    "variable in question was changed in there or anywhere later. Good luck!"
)
CHANGED_BY_PACK_HOOK = (
    "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack "
    "hook cannot be modified by in-place operations as this can lead to unexpected side-effects. "
    "Please open an issue if you need to perform in-place operations on the input to a pack hook."
)
DETACHED = (
    "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is "
    "not supported, please use out-of-place `.detach()` instead"
)
# Told of every node that is recorded, while hooks on saved tensors or a mode that watches are on.
observers: list[Callable[[Node, Any], None]] = []


def observe(node: Node, result: Any) -> None:
    """Tell all observers of a node that has just been recorded, and of its output or outputs."""
    for observer in tuple(observers):
        observer(node, result)


class Freed:
    """What is left of a saved tensor once it is freed: whoever wants to use it is told so."""

    @property
    def _counter(self) -> list[int]:
        raise RuntimeError(FREED)

    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError(FREED)


FREED_TENSOR = Freed()


class Packed:
    """What a user's hook made of a saved tensor, and what it takes to make it a tensor again."""

    _counter = (None,)  # at no version: whoever checks that has it unpacked
    _accumulator: weakref.ref[Node] | None = None  # see SavingNode.producer

    def __init__(self, tensor: Any, edge: Edge | None, pack_hook: Hook, unpack_hook: Hook) -> None:
        self.edge = edge
        self.unpack_hook = unpack_hook
        version = int(tensor._counter[0])
        with Unrecorded():
            self.packed = pack_hook(tensor)
        if int(tensor._counter[0]) != version:
            raise RuntimeError(CHANGED_BY_PACK_HOOK)

    def unpack(self) -> Any:
        """Return the tensor, part of the graph as it was.

        Raises:
            TypeError: if the user's hook returns something else, with PyTorch's text.
        """
        unpacked = self.unpack_hook(self.packed)
        if not hasattr(unpacked, "_counter"):
            raise TypeError(
                "Output of saved tensor unpack_hook expected to be a Tensor but got result of type "
                f"{type(unpacked).__name__}"
            )
        if self.edge is None and not unpacked._requires_grad:
            return unpacked
        tensor = unpacked._alias()
        if self.edge is not None:
            tensor._requires_grad = True
            node = self.edge[0]
            if isinstance(node, AccumulateGrad):
                tensor._accumulator = weakref.ref(node)
            elif node is not None:  # but for a view that was not recorded
                tensor._edge = self.edge
        return tensor


class PackedIndices:
    """Saved indices, of which hooks may have packed some.

    `places` are what they stood for, `tensors` the indices, each a tensor, Packed or None.
    """

    def __init__(self, places: Any, tensors: list[Any]) -> None:
        self.places, self.tensors = places, tensors

    def unpack(self) -> Any:
        """Return the places that they stand for."""
        found = [one.unpack() if type(one) is Packed else one for one in self.tensors]
        places = type(self.places)([None if one is None else one._array for one in found])
        kept = set(map(id, self.tensors))
        places.tensors = [pair for pair in self.places.tensors if id(pair[0]) in kept]
        return places


class SavingNode(Node):
    """A node that saves values, of which tensors come first."""

    __slots__ = ("values", "versions")
    values: tuple[Any, ...]
    versions: tuple[int, ...]  # of those that are tensors

    def output_saved(self, position: int) -> int | None:
        """Return which output of this node a saved tensor is; None if it is none."""
        raise NotImplementedError

    def saved(self, position: int) -> Any:
        """Return a saved value; an output as it was, with this node as its grad_fn.

        Raises:
            RuntimeError: if it was freed, or is a tensor that was modified, or detached, in place
                since.
        """
        value = self.values[position]
        if position < len(self.versions):
            if type(value) is Packed:
                value = value.unpack()
            elif value._counter[0] != self.versions[position]:
                self.check_unchanged(position)
            if self.output_saved(position) is not None and value._value.dtype.kind == "f":
                edge = self.producer(position)
                value = value._alias()
                value._edge = (*edge, value._value.shape, value._value.dtype)
                value._requires_grad = True
        elif value is FREED_TENSOR:
            raise RuntimeError(FREED)
        elif type(value) is PackedIndices:
            value = value.unpack()
        return value

    def indices(self) -> PackedIndices | None:
        """Return the indices that it saved, for hooks to pack; None if it saved none."""
        return None

    def check_unchanged(self, position: int) -> None:
        """Refuse a saved tensor that was detached or modified in place since."""
        tensor = self.values[position]
        detached = tensor._edge is None and tensor._leaf_since > self.sequence_number
        if detached and self.output_saved(position) is None:
            raise RuntimeError(DETACHED)
        if not tensor._counter[0] == self.versions[position]:
            raise RuntimeError(self.modified(position))

    def pack(self, position: int, tensor: Any, pack_hook: Hook, unpack_hook: Hook) -> None:
        """Keep what a hook makes of a saved tensor, in its place."""
        saved, edge = self.values[position], None
        if saved._requires_grad and self.output_saved(position) is None:
            edge = saved._gradient_edge()
        packed = Packed(tensor, edge, pack_hook, unpack_hook)
        packed._accumulator = saved._accumulator
        self.values = (*self.values[:position], packed, *self.values[position + 1 :])
        self.ensure_hooks()  # the hook that unpacks may register some

    def producer(self, position: int) -> tuple[Node, int | None]:
        """Return the grad_fn of a saved output, and the number it has there.

        That of a view that was changed in place is the view's own, as long as it is there.
        """
        reference = self.values[position]._accumulator
        node = None if reference is None else reference()
        return (self, self.output_saved(position)) if node is None else (node, 0)

    def show_outputs_as(self, node: Node) -> None:
        """Let the grad_fn of the outputs that were saved be another node, while it lives."""
        for position in range(len(self.versions)):
            if self.output_saved(position) is not None:
                self.values[position]._accumulator = weakref.ref(node)

    def modified(self, position: int) -> str:
        """Return PyTorch's message for a saved tensor that was modified in place."""
        tensor = self.values[position]
        node, output, *_ = tensor._find_edge() or NO_EDGE
        if node is None and tensor._leaf_since > self.sequence_number:
            node = self  # PyTorch knows no other once it is detached.
        if self.output_saved(position) is not None and tensor._value.dtype.kind == "f":
            node, output = self.producer(position)
        producer = ""
        if node is not None:
            producer = f", which is output {output} of {operation_name(node)},"
        return modified(tensor, self.versions[position], producer)


def modified(tensor: Any, expected: int, producer: str = "") -> str:
    """Return PyTorch's message for a tensor that was modified in place since it was saved."""
    kind = "CPUBoolType" if tensor._value.dtype.kind == "b" else tensor.type()
    return (
        "one of the variables needed for gradient computation has been modified by an inplace "
        f"operation: [{kind} {list(tensor.shape)}]{producer} is at version {tensor._version}; "
        f"expected version {expected} instead. Hint: "
        + (HINT_IN_ANOMALY_MODE if anomaly.enabled else HINT)
    )
