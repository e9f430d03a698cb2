"""A snapshot with one node in the place of many."""

from dataclasses import replace

from minigrad.viz.draw.folded import Folded
from minigrad.viz.draw.repeats import in_depth_first_order
from minigrad.viz.read.snapshot import Cut, Input, Node, Saved, Snapshot, Tensor
from minigrad.viz.read.values import Value

Place = tuple[str, int]


def replaced(snapshot: Snapshot, made: list[Folded]) -> Snapshot:
    """The snapshot with each of these nodes in the place of its members."""
    return _Replacing(snapshot, made).snapshot() if made else snapshot


class _Replacing:
    """Where the outputs of nodes are to be found after some of them were replaced by one."""

    def __init__(self, before: Snapshot, made: list[Folded]) -> None:
        self.before = before
        self.inside = {member: node for node in made for member in node.members}
        self.nodes = {node.id: node for node in before.nodes}
        self.tensors = {tensor.id: tensor for tensor in before.tensors}
        self.at = {(t.node, t.output): t for t in before.tensors if t.node is not None}
        self.outputs: dict[str, dict[Place, int]] = {node.id: {} for node in made}

    def snapshot(self) -> Snapshot:
        drawn = [tensor for tensor in self.before.tensors if self._stays(tensor)]
        kept = {tensor.id for tensor in drawn}
        inputs: dict[str, dict[Input, Value | None]] = {}
        nodes: dict[str, Node] = {}
        for node in in_depth_first_order(self.before):
            whole = self.inside.get(node.id)
            if whole is None:
                moved = tuple(map(self._moved, node.inputs))
                saved = tuple(self._saved(one, kept) for one in node.saved)
                nodes[node.id] = replace(node, inputs=moved, saved=saved)
                continue
            own = inputs.setdefault(whole.id, {})
            for index, source in enumerate(node.inputs):
                outside = source.left_out or source.node is not None
                if outside and self.inside.get(source.node or "") is not whole:
                    known = index < len(node.passed) and self._moved(source) not in own
                    own[self._moved(source)] = node.passed[index] if known else None
            if whole.operations:
                nodes.pop(whole.id, None)  # it stands where its last member stood, leaves at once
            nodes[whole.id] = replace(whole, inputs=tuple(own), passed=tuple(own.values()))
        tensors = tuple(self._placed(tensor, kept) for tensor in drawn)
        cuts = (self._cut(cut, kept) for cut in self.before.cuts if self._is_seen(cut, kept))
        named = tuple(map(self._named, nodes.values()))
        return replace(self.before, nodes=named, tensors=tensors, cuts=tuple(cuts))

    def _stays(self, tensor: Tensor) -> bool:
        return tensor.node not in self.inside or (tensor.drawn and not tensor.is_leaf)

    def _moved(self, source: Input) -> Input:
        if source.node not in self.inside:
            return source
        whole = self.inside[source.node].id
        return Input(whole, self._output(whole, (source.node, source.output)))

    def _output(self, whole: str, place: Place) -> int:
        outputs = self.outputs[whole]
        return outputs.setdefault(place, len(outputs))

    def _placed(self, tensor: Tensor, kept: set[str]) -> Tensor:
        tensor = replace(tensor, shares=tuple(other for other in tensor.shares if other in kept))
        if tensor.node not in self.inside:
            return tensor
        whole = self.inside[tensor.node].id
        return replace(tensor, node=whole, output=self._output(whole, (tensor.node, tensor.output)))

    def _saved(self, saved: Saved, kept: set[str]) -> Saved:
        """What was said by a tensor that is not seen any more is said by its name and value."""
        if saved.tensor is None or saved.tensor in kept:
            return saved
        tensor = self.tensors[saved.tensor]
        return replace(saved, tensor=None, names=tensor.names, value=tensor.value)

    def _is_seen(self, cut: Cut, kept: set[str]) -> bool:
        """Whether what a cut leads to stands in the picture."""
        if cut.target in self.inside:
            return self.inside[cut.target].times == 1
        return cut.target not in self.tensors or cut.target in kept

    def _cut(self, cut: Cut, kept: set[str]) -> Cut:
        if cut.target in self.inside:
            cut = replace(cut, target=self.inside[cut.target].id)
        if cut.tensor is not None and cut.tensor not in kept:
            return replace(cut, tensor=None)
        if cut.node not in self.inside:
            return cut
        whole = self.inside[cut.node].id
        return replace(cut, node=whole, output=self._output(whole, (cut.node, cut.output)))

    def _named(self, node: Node) -> Node:
        """A new node with what its outputs are called; any other as it is."""
        if not isinstance(node, Folded) or node.id not in self.outputs:
            return node
        places = self.outputs[node.id]
        known = (self.at.get(place) for place in places)
        gives = tuple(t.names[0] if t and t.names else "" for t in known)
        return replace(node, gives=gives, received=tuple(map(self._received, places)))

    def _received(self, place: Place) -> Value | None:
        node, output = place
        received = self.nodes[node].received
        return received[output] if output < len(received) else None
