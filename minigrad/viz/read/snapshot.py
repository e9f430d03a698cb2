"""What a graph looked like at one moment, as plain data without addresses.

Every view (outline, dot, the picture) is made from a snapshot, and the same program gives the same
snapshot, byte for byte, on every engine that speaks PyTorch's public protocol.

The schema, version 3, as ``Snapshot.to_json`` writes it:

- ``schema``: ``"minigrad.viz.snapshot/3"``; ``limit``: how many nodes were looked at, at most.
- ``nodes``: the graph's nodes ``n0``, ``n1``, ... in topological order, inputs first. ``kind`` is
  ``operation`` or ``accumulate`` (AccumulateGrad: where the gradient of a leaf is added up).
  ``inputs`` follow ``next_functions``: each names the ``node`` and its ``output``; where ``node``
  is null, no gradient flows there or, if ``left_out``, the walk had reached its limit.
  ``saved`` is what the node keeps for backward: ``state`` is ``held``, ``freed`` or ``modified``
  (in place, since it was saved). A held value is a tensor of the graph (``tensor``), or a constant
  (``value``, and ``names`` if the program has any for it), or neither: packed away by a hook, which
  viz does not run.
  ``passed`` is the gradient that the node's last turn in a backward pass handed to each input,
  ``received`` the one that had come to each output, added up, where a recording saw it; else empty.
  ``number`` is the plain number beside a tensor in the call that made the node, as a recording saw
  it: ``2`` in ``x + 2``; else null.
  ``made`` is the line that made the node, where a recording saw it: ``where`` (a cell, as in
  ``In[3]``, or a file), ``number`` and ``text``; else null. ``numbers`` are those that the node was
  given, as pairs of a name and a text: an ``exponent``, ``min``, ``max``, ...
- ``tensors``: the known tensors ``t0``, ``t1``, ...: those drawn, those with a name, and those that
  a node keeps. ``node`` and ``output`` say where in the graph; ``node`` is null for a tensor
  outside of it. ``role`` is ``leaf``, ``intermediate``, ``result`` or ``constant``. ``grad_state``
  is ``none``, ``stored`` or ``not retained``. The numbers of ``value`` and ``grad`` are text.
  ``version`` counts its changes in place (null where the engine does not say), ``hooks`` are the
  names of its hooks, ``shares`` the ids of other known tensors that lie in the same memory.
- ``turns``: the nodes that ran in the last backward pass that a recording saw, in their order.
- ``cuts``: edges that are not there, with the ``reason`` in words; a recording has seen them. The
  ``source`` is a place in the graph (``node`` and ``output``) or a tensor outside of it
  (``tensor``), or neither where it is gone. The ``target`` is the id of a tensor or a node; null
  where numbers left for Python, as by ``.item()``.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from minigrad.viz.read.cuts import Cuts, Key, MissingEdge
from minigrad.viz.read.memory import sharing
from minigrad.viz.read.names import NamedTensors
from minigrad.viz.read.notes import Line, note_of, stamp_of
from minigrad.viz.read.protocol import (
    GraphNode,
    TensorLike,
    hooks_of,
    is_leaf_node,
    keeps_grad,
    version_of,
)
from minigrad.viz.read.saved import SavedTensor, read_numbers, read_saved
from minigrad.viz.read.values import Value, read_value
from minigrad.viz.read.walk import Walk

SCHEMA = "minigrad.viz.snapshot/3"
DEFAULT_LIMIT = 1000


@dataclass(frozen=True)
class Input:
    """Where one input of an operation came from."""

    node: str | None
    output: int
    left_out: bool = False


@dataclass(frozen=True)
class Saved:
    """A tensor that an operation keeps for its backward."""

    name: str
    state: str
    tensor: str | None = None
    names: tuple[str, ...] = ()
    value: Value | None = None


@dataclass(frozen=True)
class Node:
    """A node of the autograd graph: an operation, or the AccumulateGrad of a leaf."""

    id: str
    kind: str
    name: str
    inputs: tuple[Input, ...]
    saved: tuple[Saved, ...]
    made: Line | None = None
    numbers: tuple[tuple[str, str], ...] = ()
    number: str | None = None
    passed: tuple[Value | None, ...] = ()
    received: tuple[Value | None, ...] = ()


@dataclass(frozen=True)
class Tensor:
    """A tensor that was drawn, or that the program has a name for, or that a node keeps."""

    id: str
    names: tuple[str, ...]
    role: str
    drawn: bool
    node: str | None
    output: int
    requires_grad: bool
    is_leaf: bool
    value: Value
    grad_state: str
    grad: Value | None
    made: Line | None = None
    version: int | None = None
    hooks: tuple[str, ...] = ()
    shares: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cut:
    """An edge that the graph lacks, and why: seen by a recording."""

    reason: str
    target: str | None
    node: str | None = None
    output: int = 0
    tensor: str | None = None


@dataclass(frozen=True)
class Snapshot:
    """A graph at one moment: nodes in topological order, and the tensors known in it."""

    limit: int
    nodes: tuple[Node, ...]
    tensors: tuple[Tensor, ...]
    cuts: tuple[Cut, ...] = ()
    turns: tuple[str, ...] = ()
    schema: str = SCHEMA

    @property
    def left_out(self) -> bool:
        """Whether the walk stopped at its limit before it had seen the whole graph."""
        return any(source.left_out for node in self.nodes for source in node.inputs)

    def made_at(self, where: str | int, number: int) -> tuple[str, ...]:
        """The ids of the nodes and tensors that a line made, as a recording saw it.

        where: the number of a cell, or what ``Line`` calls it: ``In[3]``, or the name of a file.
        """
        where = f"In[{where}]" if isinstance(where, int) else where
        lines = {part.id: part.made for part in self.nodes}
        lines |= {part.id: part.made for part in self.tensors}
        return tuple(
            part
            for part, line in lines.items()
            if line and (line.where, line.number) == (where, number)
        )

    def to_json(self) -> str:
        """The snapshot as JSON text, in the schema that this module describes."""
        data = asdict(self)
        return json.dumps({"schema": data.pop("schema"), **data}, indent=2) + "\n"


def take_snapshot(
    tensors: Sequence[TensorLike], named: NamedTensors | None = None, limit: int = DEFAULT_LIMIT
) -> Snapshot:
    """Look at the graph behind ``tensors``; nothing of the program is changed or kept alive.

    named: pairs of a name and a tensor; a tensor with several names has them in this order.
    limit: how many nodes of the graph to look at, those nearest to ``tensors`` first.

    >>> import minigrad as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> [node.name for node in take_snapshot([x * x], [("x", x)]).nodes]
    ['torch::autograd::AccumulateGrad', 'MulBackward0']
    """
    return _Reading(Walk(tensors, named or [], limit), tensors, named or []).snapshot(limit)


class _Reading:
    """One look at a graph: which tensors are known in it, and what is to be said of each."""

    def __init__(self, walk: Walk, drawn: Sequence[TensorLike], named: NamedTensors) -> None:
        self.graph = graph = walk.graph
        self.aside = walk.aside
        self.nodes = {node: index for index, node in enumerate(graph)}
        self.variables = {node: node.variable for node in graph if is_leaf_node(node)}
        self.leaf_nodes = {id(leaf): node for node, leaf in self.variables.items()}
        self.saved = {node: read_saved(node) for node in graph}
        self.stamps = {node: stamp_of(node) for node in graph}
        self.used = {source for sources in graph.values() for source in sources}
        self.drawn = {self._key(tensor) for tensor in drawn}
        self.names = self._names(named)
        self.known = self._known(drawn, named)
        self.tensor_ids = {key: f"t{index}" for index, key in enumerate(self.known)}
        self.parts: dict[object, str] = {node: f"n{i}" for node, i in self.nodes.items()}
        self.parts.update(self.tensor_ids.items())
        self.shares = sharing(self.known)

    def snapshot(self, limit: int) -> Snapshot:
        nodes = tuple(self._node(node) for node in self.graph)
        tensors = tuple(self._tensor(key, tensor) for key, tensor in self.known.items())
        cuts = tuple(self._cut(edge) for edge in Cuts(self.stamps, self.known, self._key))
        return Snapshot(limit, nodes, tensors, cuts, self._turns())

    def _turns(self) -> tuple[str, ...]:
        """The nodes of the last backward pass, in the order of their turns."""
        turns = {node: stamp.turn for node, stamp in self.stamps.items() if stamp and stamp.turn}
        last = max((turn.run for turn in turns.values()), default=0)
        ran = sorted((turn.number, node) for node, turn in turns.items() if turn.run == last)
        return tuple(f"n{self.nodes[node]}" for _, node in ran)

    def _key(self, tensor: TensorLike) -> Key | None:
        """The place of ``tensor`` in the graph; outside of it, the id of the object."""
        try:
            node = tensor.grad_fn or self.leaf_nodes.get(id(tensor))
        except RuntimeError:  # a view whose history an in-place change has made impossible
            return None
        return id(tensor) if node is None else (node, tensor.output_nr)

    def _names(self, named: NamedTensors) -> dict[Key, list[str]]:
        names: dict[Key, list[str]] = {}
        for name, tensor in named:
            key = self._key(tensor)
            if key is not None:
                names.setdefault(key, []).append(name)
        return names

    def _known(self, drawn: Sequence[TensorLike], named: NamedTensors) -> dict[Key, TensorLike]:
        """The tensors to tell of, in the order of the graph; those without a graph come last."""
        candidates = [
            *drawn,
            *self.variables.values(),
            *(tensor for _, tensor in named),
            *(saved.tensor for kept in self.saved.values() for saved in kept),
            *self.aside.values(),
        ]
        known: dict[Key, TensorLike] = {}
        for tensor in candidates:
            if tensor is None:
                continue
            key = self._key(tensor)
            if key is not None and self._is_shown(key):
                known.setdefault(key, tensor)
        return dict(sorted(known.items(), key=lambda item: self._position(item[0])))

    def _is_shown(self, key: Key) -> bool:
        return key in self.drawn or key in self.aside or self._node_of(key) is not None

    def _node_of(self, key: Key | None) -> GraphNode | None:
        return key[0] if isinstance(key, tuple) and key[0] in self.nodes else None

    def _position(self, key: Key) -> tuple[int, int]:
        return (self.nodes[key[0]], key[1]) if isinstance(key, tuple) else (len(self.nodes), 0)

    def _node(self, node: GraphNode) -> Node:
        kind = "accumulate" if node in self.variables else "operation"
        inputs = tuple(self._input(source, output) for source, output in self.graph[node])
        saved = tuple(self._saved(saved) for saved in self.saved[node])
        numbers = read_numbers(node, self.saved[node])
        stamp = self.stamps[node]
        turn = None if stamp is None else stamp.turn
        return Node(
            f"n{self.nodes[node]}",
            kind,
            node.name(),
            inputs,
            saved,
            self._made(node),
            numbers,
            number=None if stamp is None else stamp.number,
            passed=() if turn is None else turn.passed,
            received=() if turn is None else turn.received,
        )

    def _made(self, node: GraphNode) -> Line | None:
        """The line that made a node; of a custom Function, the one that made its output."""
        stamp, output = self.stamps[node], self.known.get((node, 0))
        if stamp is not None and stamp.made is not None:
            return stamp.made
        note = None if output is None or node in self.variables else note_of(output)
        return None if note is None else note.made

    def _input(self, source: GraphNode | None, output: int) -> Input:
        if source is None or source not in self.nodes:
            return Input(None, output, left_out=source is not None)
        return Input(f"n{self.nodes[source]}", output)

    def _saved(self, saved: SavedTensor) -> Saved:
        if saved.tensor is None:
            return Saved(saved.name, saved.state)
        key = self._key(saved.tensor)
        if key in self.tensor_ids:
            return Saved(saved.name, saved.state, tensor=self.tensor_ids[key])
        names = tuple(self.names.get(key, ())) if key is not None else ()
        return Saved(saved.name, saved.state, names=names, value=read_value(saved.tensor))

    def _tensor(self, key: Key, tensor: TensorLike) -> Tensor:
        node = self._node_of(key)
        stores = keeps_grad(tensor)
        grad = tensor.grad if stores else None
        note = note_of(tensor)
        return Tensor(
            id=self.tensor_ids[key],
            names=tuple(self.names.get(key, ())),
            role=self._role(key, tensor),
            drawn=key in self.drawn,
            node=None if node is None else f"n{self.nodes[node]}",
            output=key[1] if isinstance(key, tuple) else 0,
            requires_grad=tensor.requires_grad,
            is_leaf=tensor.is_leaf,
            value=read_value(tensor),
            grad_state="not retained" if not stores else "none" if grad is None else "stored",
            grad=None if grad is None else read_value(grad),
            made=None if note is None else note.made,
            version=version_of(tensor),
            hooks=hooks_of(tensor),
            shares=tuple(self.tensor_ids[other] for other in self.shares[key]),
        )

    def _cut(self, edge: MissingEdge) -> Cut:
        source, target = edge.source, edge.target
        node = self._node_of(source)
        return Cut(
            reason=edge.reason,
            target=None if target is None else self.parts[target],
            node=None if node is None else f"n{self.nodes[node]}",
            output=source[1] if isinstance(source, tuple) else 0,
            tensor=self.tensor_ids[source] if source is not None and node is None else None,
        )

    def _role(self, key: Key, tensor: TensorLike) -> str:
        if not tensor.requires_grad:
            return "constant"
        if tensor.is_leaf:
            return "leaf"
        return "intermediate" if key in self.used or key not in self.drawn else "result"
