"""A backward pass in sentences: what arrives at each node, what it passes on, what is added up."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from minigrad.viz.backward.amounts import Amount, amount_of, close
from minigrad.viz.backward.local_factor import FUNCTIONS
from minigrad.viz.backward.orders import ENGINE, OVERWRITE
from minigrad.viz.backward.recording import BackwardRecording, EdgeGradient, Event, GradUpdate
from minigrad.viz.draw.text import Words, shorten
from minigrad.viz.read.snapshot import Node
from minigrad.viz.rules import sign_of

_LONGEST_IN_SENTENCE = 60
_LONGEST_ON_EDGE = 16
_LONGEST_PRODUCT = 24
_LONGEST_IN_BOX = 26
_LONGEST_ERROR = 400
_PLACES = ("first", "second", "third")


class Sentences:
    """The words for one recorded pass, in the learner's names."""

    def __init__(self, recording: BackwardRecording, order: str = ENGINE) -> None:
        self.recording = recording
        self.order = order
        self.words = Words(recording.snapshot)
        self.nodes = {node.id: node for node in recording.snapshot.nodes}
        self.error = shorten(recording.error, _LONGEST_ERROR)

    def start(self) -> str:
        """The sentence before the first step."""
        seeds = [
            f"{self.tensor(seed.tensor)} with {amount(seed.gradient)}"
            for seed in self.recording.seeds
        ]
        return (
            f"Before backward: it will begin at {_listed(seeds)}." if seeds else "Before backward."
        )

    def event(self, event: Event) -> str:
        """The sentences for one run of a node."""
        node = self.nodes[event.node]
        if not event.finished:
            return f"{self.arrival(event)} Backward ends there: {self.error}"
        if node.kind == "accumulate":
            updates = [self.grad_update(update, event) for update in event.updates]
            return " ".join(updates) or self.arrival(event)
        targets = Counter(
            f"{self.product(event, e)} to {self.target(node, e)}" for e in event.edges
        )
        phrases = [f"{text}, twice" if times == 2 else text for text, times in targets.items()]
        sentences = [self.arrival(event)]
        sentences += [f"It passes {_listed(phrases)}."] if phrases else []
        sentences += [self.grad_update(update, event) for update in event.updates]
        sentences += (
            [f"Then it frees its saved {' and '.join(event.freed)}."] if event.freed else []
        )
        return " ".join(sentences)

    def end(self, right: BackwardRecording) -> str:
        """The sentence after the last step; right: the same pass in the engine's order."""
        if self.error:
            return f"Backward has ended: {self.error}"
        real = _last_grads(right)
        grads = []
        for tensor, new in _last_grads(self.recording).items():
            should = amount(real.get(tensor))
            wrong = f", but the engine stores {should}" if should != amount(new) else ""
            grads.append(f"{self.tensor(tensor)}.grad is {amount(new)}{wrong}.")
        return " ".join(["Backward is over.", *grads])

    def tensor(self, tensor: str) -> str:
        """What a tensor is called."""
        return self.words.tensor(self.words.tensors[tensor])

    def name(self, node: Node) -> str:
        """What a node is called: by its sign and by its result, or by its number."""
        outputs = self.words.outputs.get(node.id, ())
        made = [self.words.at.get((node.id, output)) for output in outputs]
        names = [shorten(tensor.names[0]) for tensor in made if tensor and tensor.names]
        if node.kind == "accumulate":
            return (
                f"{names[0]}.grad" if names else f"the .grad of a leaf without a name ({node.id})"
            )
        sign = shorten(sign_of(node.name))
        return f"the {sign} that made {' and '.join(names)}" if names else f"the {sign} ({node.id})"

    def arrival(self, event: Event) -> str:
        """What has arrived at a node, and what it was made of."""
        name = self.name(self.nodes[event.node])
        if len(event.upstream) == 1:
            return f"{self.upstream(event)} arrives at {name}."
        numbered = [f"{amount(one)} for output {i}" for i, one in enumerate(event.upstream)]
        return f"{_listed(numbered)} arrive at {name}."

    def upstream(self, event: Event) -> str:
        """The gradient at a node with a single output, and what it was made of."""
        (upstream,) = event.upstream
        parts, total = [amount(one) for one in event.parts], amount(upstream)
        if len(parts) < 2 and parts in ([], [total]):
            return total
        if self.order == OVERWRITE and len(parts) > 1:
            return f"{', then '.join(parts)}; only the last is kept: {total}"
        if not _adds_up(event.parts, upstream):
            return f"{' + '.join(parts)}, which a hook has made {total}"
        return f"{' + '.join(parts)} = {total}"

    def grad_update(self, update: GradUpdate, event: Event) -> str:
        """What was added to the ``.grad`` of a tensor."""
        grad = f"{self.tensor(update.tensor)}.grad"
        if not event.upstream or event.upstream[0] is None:
            return f"No gradient arrives; {grad} stays {amount(update.old)}."
        arrived = self.upstream(event) if len(event.upstream) == 1 else "A gradient"
        return f"{arrived} arrives for {grad}: {arithmetic(update, self.order)}."

    def target(self, node: Node, edge: EdgeGradient) -> str:
        """Where one edge of a node leads back to."""
        source = node.inputs[edge.input]
        target = self.nodes.get(source.node or "")
        name = self.words.input(source)
        if target is not None and name.partition("[")[0] == target.id:  # it has no name of its own
            return "a leaf without a name" if target.kind == "accumulate" else self.name(target)
        return name

    def which(self, event: Event, edge: EdgeGradient) -> str:
        """Where an edge leads back to, told apart from others that lead there."""
        node = self.nodes[event.node]
        twins = [e for e in event.edges if node.inputs[e.input] == node.inputs[edge.input]]
        if len(twins) == 1:
            return self.target(node, edge)
        if all(amount(twin.gradient) == amount(edge.gradient) for twin in twins):
            return f"{self.target(node, edge)}, each time"
        place = _PLACES[edge.input] if edge.input < len(_PLACES) else f"{edge.input + 1}th"
        return f"{self.target(node, edge)}, its {place} input"

    def product(self, event: Event, edge: EdgeGradient) -> str:
        """What passes along an edge: upstream × local = downstream, where that is known."""
        down = amount(edge.gradient)
        if edge.gradient is None:
            return "nothing"
        if edge.local is None or len(event.upstream) != 1:
            return down
        up, local = amount(event.upstream[0]), amount(edge.local)
        if edge.factor == "1":
            return f"{up} on as {down}" if up != down else f"{down} on"
        named = self._factor(self.nodes[event.node], edge.factor)
        factor = f"{named} (= {local})" if named else local
        summed = ", summed where it was broadcast," if edge.summed else ""
        return f"{up} × {factor}{summed} = {down}"

    def _factor(self, node: Node, factor: str) -> str:
        """A rule's factor in the learner's names; empty if one of them is missing."""
        tensors = {kept.name: self.words.tensors.get(kept.tensor or "") for kept in node.saved}
        names = {name: shorten(t.names[0]) for name, t in tensors.items() if t and t.names}
        names |= {kept.name: shorten(kept.names[0]) for kept in node.saved if kept.names}
        words = set(re.findall(r"[a-z_]+", factor)) - set(FUNCTIONS)
        if not words or not words <= names.keys():
            return ""
        named = re.sub(r"[a-z_]+", lambda word: names.get(word[0], word[0]), factor)
        return named if re.fullmatch(r"[\w.()]+", named) else f"({named})"


def amount(one: Amount | None) -> str:
    """A gradient in a sentence."""
    return "None" if one is None else shorten(one.text, _LONGEST_IN_SENTENCE)


def short(one: Amount | None) -> str:
    """A gradient on its edge once it has passed; equal numbers once, where all are too long."""
    if one is None:
        return "None"
    if len(one.text) > _LONGEST_ON_EDGE and one.everywhere is not None:
        return f"all {one.everywhere}"
    return shorten(one.text, _LONGEST_ON_EDGE)


def in_box(update: GradUpdate, order: str) -> str:
    """How ``.grad`` has changed, for a small box in which the new value is seen."""
    whole = arithmetic(update, order)
    return whole if len(whole) <= _LONGEST_IN_BOX else f"was {short(update.old)}"


def arithmetic(update: GradUpdate, order: str = ENGINE) -> str:
    """How ``.grad`` has become what it is now: old + arrived = new."""
    old, new = update.old, update.new
    before, after = (None if one is None else one.array for one in (old, new))
    if new is None or before is None or after is None or order == OVERWRITE:
        return f"{amount(old)} → {amount(new)}"
    added = amount_of(after - before, new.value.dtype)
    return f"{amount(old)} + {amount(added)} = {amount(new)}"


def on_edge(event: Event, edge: EdgeGradient) -> str:
    """The gradient on its edge while it passes: upstream × local = downstream where that fits."""
    if edge.gradient is None:
        return "None"
    if edge.local is not None and edge.factor != "1" and len(event.upstream) == 1:
        product = f"{amount(event.upstream[0])} × {edge.local.text} = {edge.gradient.text}"
        if len(product) <= _LONGEST_PRODUCT and not edge.summed:
            return product
    return short(edge.gradient)


def _last_grads(recording: BackwardRecording) -> dict[str, Amount | None]:
    return {update.tensor: update.new for event in recording.events for update in event.updates}


def _adds_up(parts: Sequence[Amount], total: Amount | None) -> bool:
    """Whether the sum is what arrived; assumed if some of the numbers are not known."""
    arrays = [None if one is None else one.array for one in (total, *parts)]
    known = [array for array in arrays if array is not None]
    if len(known) < len(arrays) or len({array.shape for array in known}) > 1:
        return True
    whole, *addends = known
    return close(np.sum(addends, axis=0), whole)


def _listed(parts: Sequence[str]) -> str:
    return ", and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))
