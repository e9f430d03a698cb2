"""Nodes and objects that live on the other side, and what their mirrors do here."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from minigrad.autograd.function import Function
from minigrad.graph import Edge, Node, tick

if TYPE_CHECKING:
    from minigrad.classroom.bridge.peer import Peer

# What both sides may compute with each other's things, by Python's own names.
OPERATORS = {name: name for name in ["add", "sub", "mul", "truediv", "pow", "matmul", "neg", "abs"]}
_NAME = re.compile(r"(torch::autograd::)?[A-Za-z_]\w{0,80}\Z", re.ASCII)


def named(name: object, otherwise: str) -> str:
    """`name`, if it is one that Python code could give; it comes from the other side."""
    return name if isinstance(name, str) and _NAME.match(name) else otherwise


def is_saved(name: str) -> bool:
    """Whether an attribute of a node is what it has saved."""
    return name.startswith("_saved_") or name == "saved_tensors"


class RemoteNode(Node):
    """A node of the other side's: its edges stand here, its backward rule runs there."""

    __slots__ = ("output_count", "peer", "reference")
    label = "RemoteNode"

    def __init__(
        self, peer: Peer, reference: str, edges: tuple[Edge | None, ...], outputs: int
    ) -> None:
        self.peer, self.reference = peer, reference
        self.next_edges, self.output_count = edges, outputs
        self._hooks, self.sequence_nr = None, tick()

    def name(self) -> str:
        return self.label

    def apply(self, grads: list[Any], create_graph: bool) -> Sequence[Any]:
        gradients = self.peer.ask("apply", self, grads, create_graph)
        if not isinstance(gradients, list) or len(gradients) != len(self.next_edges):
            raise RuntimeError(f"{self.label} gives back another number of gradients")
        return gradients

    def release_variables(self) -> None:
        self.peer.ask("release", self)

    def __getattr__(self, name: str) -> Any:
        if not is_saved(name):
            raise AttributeError(f"'{self.label}' object has no attribute '{name}'")
        return self.peer.ask("get", self, name)


@functools.cache
def node_class(label: str) -> type[RemoteNode]:
    """The class of the mirrors of nodes of that name."""
    plain = label.rpartition(":")[2]
    return type(plain, (RemoteNode,), {"__slots__": (), "label": label, "__module__": "builtins"})


class Elsewhere:
    """An object of the other side's. Its public attributes are looked up there.

    unchanged: whether it still is what stands in the exercise's starter.
    """

    def __init__(self, peer: Peer, unchanged: bool) -> None:
        self._peer = peer
        self._unchanged = unchanged

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._peer.ask("get", self, name)


def _operation(name: str, reflected: bool) -> Any:
    def operate(mirror: Elsewhere, *other: Any) -> Any:
        operands = [*other, mirror] if reflected else [mirror, *other]
        return mirror._peer.ask("operate", name, operands)

    return operate


for _name in OPERATORS:
    setattr(Elsewhere, f"__{_name}__", _operation(_name, reflected=False))
    if _name not in ("neg", "abs"):
        setattr(Elsewhere, f"__r{_name}__", _operation(_name, reflected=True))


class CallableElsewhere(Elsewhere):
    """One that can be called: its body runs there."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._peer.call(self, arguments, named)


def mirror_of(peer: Peer, kind: str, calls: bool, unchanged: bool) -> Elsewhere:
    """A mirror that says of itself what the object is: ``a function``, ``an optimizer``."""
    base = CallableElsewhere if calls else Elsewhere
    mirror: Elsewhere = type(kind, (base,), {})(peer, unchanged)
    return mirror


def function_class(peer: Peer, name: str, thing: Elsewhere, unchanged: bool) -> type:
    """The mirror of a class on ``torch.autograd.Function``: `apply` runs there."""

    def apply(*arguments: Any, **named: Any) -> Any:
        return thing.apply(*arguments, **named)

    members = {"apply": staticmethod(apply), "_unchanged": unchanged, "elsewhere": thing}
    return type(name, (Function,), members)
