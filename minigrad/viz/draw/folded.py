"""Folded: a node of a picture that stands for many nodes of the graph."""

from dataclasses import dataclass

from minigrad.viz.read.notes import Line
from minigrad.viz.read.snapshot import Node
from minigrad.viz.read.values import Value


@dataclass(frozen=True)
class Folded(Node):
    """What ``folding.fold`` puts in the place of ``members``, the ids of nodes.

    key: what it is known by from snapshot to snapshot, to unfold it. times: how often its structure
    is repeated; 1 for the parameters of a module. operations, leaves: how many of them it holds.
    gives: what its outputs are called, where they have names; lines: what else to say of it.
    made_by: the lines of the program that made its members, as far as a recording saw them.
    values, grads: those of a module's parameters.
    """

    members: tuple[str, ...] = ()
    key: str = ""
    times: int = 1
    operations: int = 0
    leaves: int = 0
    gives: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    made_by: tuple[Line, ...] = ()
    values: tuple[Value, ...] = ()
    grads: tuple[Value, ...] = ()

    @property
    def title(self) -> str:
        return f"{self.times} × {self.name}" if self.times > 1 else self.name
