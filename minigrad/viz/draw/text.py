"""Words that every view of a snapshot uses: what its nodes and tensors are called."""

import ast

from minigrad.viz.draw.folded import Folded
from minigrad.viz.read.snapshot import Cut, Input, Node, Saved, Snapshot, Tensor
from minigrad.viz.read.values import SHORTENED

LONGEST_NAME = 40
LONGEST_VALUE = 200


def shorten(text: str, longest: int = LONGEST_NAME) -> str:
    """One printable line of at most ``longest`` characters."""
    start = text[: longest + 1]
    line = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in start)
    return line if len(line) <= longest else line[: longest - 1] + SHORTENED


def count(number: int, what: str) -> str:
    """A number of things, as in ``1 leaf`` or ``2 leaves``."""
    plural = {"leaf": "leaves"}.get(what, f"{what}s")
    return f"{number} {what if number == 1 else plural}"


class Words:
    """What the parts of one snapshot are called, and where its tensors are."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.tensors = {tensor.id: tensor for tensor in snapshot.tensors}
        self.at = {(t.node, t.output): t for t in snapshot.tensors if t.node is not None}
        self.folds = {node.id: node for node in snapshot.nodes if isinstance(node, Folded)}
        self.nodes = {node.id: node for node in snapshot.nodes}
        self.formulas: dict[tuple[str, int, int], tuple[ast.expr, str]] = {}  # of sentences
        self.uses: dict[str, list[tuple[str, int]]] = {}  # the edges that begin at a node
        for node in snapshot.nodes:
            for index, source in enumerate(node.inputs):
                self.uses.setdefault(source.node or "", []).append((node.id, index))
        self.outputs: dict[str, list[int]] = {}
        used = {(s.node, s.output) for node in snapshot.nodes for s in node.inputs if s.node}
        used |= {(cut.node, cut.output) for cut in snapshot.cuts if cut.node}
        for place, output in sorted({*used, *self.at}):
            self.outputs.setdefault(place, []).append(output)
        self.cuts: dict[str | None, list[Cut]] = {}
        for cut in snapshot.cuts:
            self.cuts.setdefault(cut.target, []).append(cut)

    @property
    def summary(self) -> str:
        """One line: what is drawn, and how much of it there is."""
        drawn = ", ".join(self.tensor(tensor) for tensor in self.snapshot.tensors if tensor.drawn)
        leaves = sum(tensor.role == "leaf" for tensor in self.snapshot.tensors)
        operations = sum(node.kind == "operation" for node in self.snapshot.nodes)
        leaves += sum(fold.leaves for fold in self.folds.values())
        operations += sum(fold.operations for fold in self.folds.values())
        return f"Graph of {drawn}: {count(leaves, 'leaf')}, {count(operations, 'operation')}"

    @property
    def stopped(self) -> str:
        """What to say of a graph that is larger than the limit."""
        return f"stopped after {count(self.snapshot.limit, 'node')}: the rest is left out"

    def place(self, node: str, output: int) -> str:
        """The tensor at a place by its first name, or else the place: ``n2``, or ``n2[1]``."""
        return self.named(node, output) or (f"{node}[{output}]" if output else node)

    def named(self, node: str, output: int) -> str:
        """The first name of the tensor at a place; nothing if the program has none for it."""
        tensor = self.at.get((node, output))
        return shorten(tensor.names[0] if tensor and tensor.names else self.given(node, output))

    def given(self, node: str, output: int) -> str:
        """What an output of a folded node is called, if anything."""
        gives = self.folds[node].gives if node in self.folds else ()
        return gives[output] if output < len(gives) else ""

    def tensor(self, tensor: Tensor) -> str:
        """The tensor's first name, or else its place."""
        if tensor.node is not None:
            return self.place(tensor.node, tensor.output)
        return shorten(tensor.names[0]) if tensor.names else "unnamed"

    def input(self, source: Input) -> str:
        """What goes into an operation at one of its inputs."""
        if source.node is None:
            return "left out" if source.left_out else "no grad"
        return self.place(source.node, source.output)

    def source(self, cut: Cut) -> str | None:
        """What a missing edge would come from; None where that is gone."""
        if cut.tensor is not None:
            return self.tensor(self.tensors[cut.tensor])
        return None if cut.node is None else self.place(cut.node, cut.output)

    def reasons(self, target: str) -> list[str]:
        """Why a tensor has no edge to others, as in ``detached, from y``."""
        found: dict[str, list[str]] = {}
        for cut in self.cuts.get(target, ()):
            source = self.source(cut)
            found.setdefault(cut.reason, []).extend([] if source is None else [source])
        return [f"{why}, from {' and '.join(it)}" if it else why for why, it in found.items()]

    def exits(self, tensor: Tensor) -> list[str]:
        """What the tensor has handed to Python, where there is no graph."""
        return [
            cut.reason
            for cut in self.cuts.get(None, ())
            if cut.tensor == tensor.id
            or (cut.node is not None and (cut.node, cut.output) == (tensor.node, tensor.output))
        ]

    def operation(self, node: Node) -> str:
        """The node's name without a namespace: ``AccumulateGrad``, not ``torch::autograd::...``."""
        return shorten(node.name.rpartition("::")[2])

    def saved(self, saved: Saved, longest: int = LONGEST_VALUE) -> str:
        """A saved value, as in ``self = y`` or ``other = 3``; only its name where it is unknown."""
        name = shorten(saved.name)
        if saved.tensor is not None:
            return f"{name} = {self.tensor(self.tensors[saved.tensor])}"
        if saved.names:
            return f"{name} = {shorten(saved.names[0])}"
        return name if saved.value is None else f"{name} = {shorten(saved.value.text, longest)}"
