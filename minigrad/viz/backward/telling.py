"""A backward pass in sentences: what each node receives, what it passes on, what is added up."""

from collections.abc import Iterator, Sequence

from minigrad.viz.backward.amounts import Amount, amount_of, close
from minigrad.viz.backward.orders import ENGINE, OVERWRITE
from minigrad.viz.backward.recording import BackwardRecording, Event, Passed, Stored
from minigrad.viz.draw.text import Words, shorten
from minigrad.viz.read.snapshot import Input, Node
from minigrad.viz.rules import RULES

_LONGEST_IN_SENTENCE = 60
_LONGEST_ON_EDGE = 16
_LONGEST_PRODUCT = 24
_LONGEST_IN_BOX = 26
_LONGEST_ERROR = 400


class Telling:
    """The words for one recorded pass."""

    def __init__(self, recording: BackwardRecording, order: str = ENGINE) -> None:
        self.recording = recording
        self.order = order
        self.words = Words(recording.snapshot)
        self.nodes = {node.id: node for node in recording.snapshot.nodes}

    def start(self) -> str:
        """What there is before the first step."""
        seeds = [
            f"{self.tensor(seed.tensor)} with {amount(seed.gradient)}"
            for seed in self.recording.seeds
        ]
        if not seeds:
            return "Before backward."
        return f"Before backward: it will begin at {_listed(seeds)}."

    def event(self, event: Event) -> str:
        """One node's turn."""
        node = self.nodes[event.node]
        if not event.finished:
            return f"{self.received(event)} There backward ends: {self.error}"
        if node.kind == "accumulate":
            stored = [self.stored(event, one) for one in event.stored]
            return " ".join(stored) or self.received(event)
        sentences = [self.received(event), *self._passes(node, event)]
        sentences += [self.stored(event, stored) for stored in event.stored]
        if event.freed:
            sentences.append(f"Then it frees what it kept: {' and '.join(event.freed)}.")
        return " ".join(sentences)

    def end(self, right: BackwardRecording) -> str:
        """What there is after the last step; right: the same pass in the engine's order."""
        if self.error:
            return f"Backward has ended: {self.error}"
        real = _last_stored(right)
        grads = []
        for tensor, now in _last_stored(self.recording).items():
            should = amount(real.get(tensor))
            is_wrong = should != amount(now)
            wrong = f", which is wrong: the engine stores {should}" if is_wrong else ""
            grads.append(f"{self.grad(tensor)} is {amount(now)}{wrong}")
        return " ".join(["Backward is over.", *(f"{grad}." for grad in grads)])

    @property
    def error(self) -> str:
        """The exception that ended the pass."""
        return shorten(self.recording.error, _LONGEST_ERROR)

    def turn(self, event: Event) -> str:
        """What runs in a turn, in a few words."""
        node = self.nodes[event.node]
        if node.kind == "accumulate":
            return self.grad(self.words.at[node.id, 0].id)
        made = [self.words.at.get((node.id, output)) for output in range(len(event.upstream))]
        names = [shorten(tensor.names[0]) for tensor in made if tensor and tensor.names]
        gives = f", which gave {' and '.join(names)}" if names else ""
        return f"{self.words.operation(node)}{gives}"

    def received(self, event: Event) -> str:
        """What has arrived at a node, and what it was made of."""
        name = self.words.operation(self.nodes[event.node])
        if len(event.upstream) == 1:
            return f"{name} receives {self.arrived(event)}."
        numbered = [f"{amount(one)} for output {i}" for i, one in enumerate(event.upstream)]
        return f"{name} receives {_listed(numbered)}."

    def arrived(self, event: Event) -> str:
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

    def stored(self, event: Event, stored: Stored) -> str:
        """What was added to the ``.grad`` of a tensor."""
        grad = self.grad(stored.tensor)
        if not event.upstream or event.upstream[0] is None:
            return f"No gradient arrives; {grad} stays {amount(stored.old)}."
        arrived = self.arrived(event) if len(event.upstream) == 1 else "A gradient"
        return f"{arrived} arrives for {grad}: {arithmetic(stored, self.order)}."

    def grad(self, tensor: str) -> str:
        """What the ``.grad`` of a tensor is called."""
        return f"{self.tensor(tensor)}.grad"

    def tensor(self, tensor: str) -> str:
        """What a tensor is called."""
        return self.words.tensor(self.words.tensors[tensor])

    def target(self, node: Node, passed: Passed) -> str:
        """Where one edge of a node leads back to; which edge it is, if two lead there."""
        source = node.inputs[passed.input]
        name = self._input(source)
        if node.inputs.count(source) == 1:
            return name
        rule = RULES.get(node.name)
        names = [] if rule is None else list(rule.backward)
        return f"{name} (as {names[passed.input] if names else f'input {passed.input}'})"

    def _input(self, source: Input) -> str:
        """What an edge leads back to; where it has no name of its own, the operation says more."""
        name = self.words.input(source)
        node = self.nodes.get(source.node or "")
        if node is None or name.partition("[")[0] != node.id:
            return name
        return f"{node.name} ({name})"

    def _passes(self, node: Node, event: Event) -> Iterator[str]:
        parts = [
            f"{self.product(event, passed)} to {self.target(node, passed)}"
            for passed in event.passed
        ]
        if parts:
            yield f"It passes {_listed(parts)}."

    def product(self, event: Event, passed: Passed) -> str:
        """What passes along an edge: upstream × local = downstream, where that is known."""
        down = amount(passed.gradient)
        if passed.gradient is None:
            return "nothing"
        if passed.local is None or len(event.upstream) != 1:
            return down
        up, local = amount(event.upstream[0]), amount(passed.local)
        if passed.factor == "1":
            return f"{up} on as {down}" if up != down else f"{down} on"
        named = local if passed.factor == "-1" else f"{_factor(passed.factor)} (= {local})"
        summed = ", summed where it was broadcast," if passed.summed else ""
        return f"{up} × {named}{summed} = {down}"


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


def in_box(stored: Stored, order: str) -> str:
    """The same where there is little room, and ``.grad`` itself can be seen."""
    whole = arithmetic(stored, order)
    return whole if len(whole) <= _LONGEST_IN_BOX else f"was {short(stored.old)}"


def arithmetic(stored: Stored, order: str = ENGINE) -> str:
    """How ``.grad`` comes to be what it is now: old + new = now."""
    old, now = stored.old, stored.now
    if old is None or now is None:
        return f"{amount(old)} → {amount(now)}"
    if order == OVERWRITE or old.array is None or now.array is None:
        return f"{amount(old)} → {amount(now)}"
    added = amount_of(now.array - old.array, now.value.dtype)
    return f"{amount(old)} + {amount(added)} = {amount(now)}"


def on_edge(event: Event, passed: Passed) -> str:
    """The gradient on its edge while it passes: upstream × local = downstream where that fits."""
    if passed.gradient is None:
        return "None"
    down = passed.gradient.text
    if passed.local is not None and passed.factor != "1" and len(event.upstream) == 1:
        product = f"{amount(event.upstream[0])} × {passed.local.text} = {down}"
        if len(product) <= _LONGEST_PRODUCT and not passed.summed:
            return product
    return short(passed.gradient)


def _last_stored(recording: BackwardRecording) -> dict[str, Amount | None]:
    return {stored.tensor: stored.now for event in recording.events for stored in event.stored}


def _adds_up(parts: Sequence[Amount], total: Amount | None) -> bool:
    """Whether the sum is what arrived; taken for granted where the numbers are not known."""
    arrays = [one.array for one in parts]
    whole = None if total is None else total.array
    known = [array for array in arrays if array is not None]
    if whole is None or not known or len(known) < len(arrays):
        return True
    return any(array.shape != whole.shape for array in known) or close(
        sum(known[1:], known[0]), whole
    )


def _factor(factor: str) -> str:
    return factor if factor.isidentifier() else f"({factor})"


def _listed(parts: Sequence[str]) -> str:
    return ", and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))
