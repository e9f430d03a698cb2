"""Everything there is to say of one node or tensor, as a title and labelled lines."""

from collections.abc import Iterator
from typing import NotRequired, TypedDict

from minigrad.viz.draw.folded import Folded
from minigrad.viz.draw.marks import CURRENT, DONE, NO_MARK, NO_MARKS, Marks
from minigrad.viz.draw.text import Words, count, shorten
from minigrad.viz.read.notes import Line
from minigrad.viz.read.saved import HELD, MODIFIED
from minigrad.viz.read.snapshot import Node, Saved, Snapshot, Tensor
from minigrad.viz.read.values import Items, Value
from minigrad.viz.rules import RULES

_LONGEST_NAME = 200
_LONGEST_VALUE = 2000
_MOST = 10
# What a backward pass has done with what a node saved, by where the pass is.
_USED = {CURRENT: "used now; ", DONE: "used; "}


class Details(TypedDict):
    """What a panel beside the picture shows."""

    title: str
    rows: list[tuple[str, str]]
    fold: NotRequired[str]  # the key that unfolds it


def details(snapshot: Snapshot, marks: Marks = NO_MARKS) -> dict[str, Details]:
    """The details of every node and tensor, by its id.

    marks: where a backward pass is, which tells saved values that were used from those that wait.
    """
    words = Words(snapshot)
    found: dict[str, Details] = {}
    for node in snapshot.nodes:
        if isinstance(node, Folded):
            found[node.id] = {"title": node.title, "rows": _folded(node), "fold": node.key}
            continue
        found[node.id] = {"title": words.operation(node), "rows": list(_node(words, node, marks))}
    for tensor in snapshot.tensors:
        found[tensor.id] = {"title": words.tensor(tensor), "rows": list(_tensor(words, tensor))}
    return found


def _folded(node: Folded) -> list[tuple[str, str]]:
    held = [(node.operations, "operation"), (node.leaves, "leaf")]
    what = ", ".join(count(number, name) for number, name in held if number)
    return [("kind", what), *(("holds", line) for line in node.lines)]


def _node(words: Words, node: Node, marks: Marks) -> Iterator[tuple[str, str]]:
    inputs = ", ".join(map(words.input, node.inputs))
    yield "kind", "operation" if node.kind == "operation" else "adds to the gradient of a leaf"
    if inputs:
        yield "inputs", inputs
    for output in words.outputs.get(node.id, ()):
        tensor = words.at.get((node.id, output))
        known = "not kept" if tensor is None else f"{tensor.value.kind} = {_text(tensor.value)}"
        yield "gives", f"{words.place(node.id, output)}: {known}"
    for saved in node.saved:
        used = _USED.get(marks.parts.get(node.id, NO_MARK).state, "")
        yield f"saved {shorten(saved.name)}", used + _saved(words, saved)
    for cut in words.cuts.get(node.id, ()):
        yield "no edge", f"from {words.source(cut)}: {cut.reason}"
    if node.kind == "operation":
        yield from _rule(node)
    else:
        leaf = words.tensor(words.at[node.id, 0])
        yield "rule", f"{leaf}.grad = grad, or {leaf}.grad + grad if there is one"
    yield from _made(node.made)


def _rule(node: Node) -> Iterator[tuple[str, str]]:
    rule = RULES.get(node.name)
    if rule is None:
        yield "rule", "none is written down here for this operation"
        return
    yield "result", rule.forward
    for name, formula in rule.backward.items():
        yield f"grad of {name}", formula
    yield "mathematics", rule.mathematics
    yield "its letters", rule.letters


def _saved(words: Words, saved: Saved) -> str:
    if saved.state == MODIFIED:
        return "modified in place since it was saved"
    if saved.state != HELD:
        return "freed"
    if saved.tensor is not None:
        tensor = words.tensors[saved.tensor]
        return f"held: {words.tensor(tensor)} = {_text(tensor.value)}"
    if saved.value is None:
        return "held, packed away by a hook"
    name = f"{shorten(saved.names[0])} = " if saved.names else ""
    return f"held: {name}{_text(saved.value)}"


def _made(line: Line | None) -> Iterator[tuple[str, str]]:
    if line is not None:
        yield "made in", shorten(str(line), _LONGEST_VALUE)


def _tensor(words: Words, tensor: Tensor) -> Iterator[tuple[str, str]]:
    yield "kind", "no graph" if tensor.role == "constant" else tensor.role
    if tensor.names[1:]:
        yield "also named", ", ".join(shorten(name, _LONGEST_NAME) for name in tensor.names[1:])
    yield "dtype", tensor.value.dtype
    yield "shape", str(list(tensor.value.shape))
    yield "value", _text(tensor.value)
    yield "requires_grad", str(tensor.requires_grad)
    if tensor.requires_grad:
        yield "grad", _grad(tensor)
    for reason in words.reasons(tensor.id):
        yield "no edge", reason
    for exit_ in words.exits(tensor):
        yield "no edge", exit_
    if tensor.version is not None:
        yield "version", f"{tensor.version}: {_changes(tensor.version)}"
    if tensor.shares:
        others = ", ".join(words.tensor(words.tensors[other]) for other in tensor.shares[:_MOST])
        yield "memory", f"shared with {others}{' and others' * (len(tensor.shares) > _MOST)}"
    if tensor.hooks:
        yield "hooks", ", ".join(shorten(name) for name in tensor.hooks[:_MOST])
    yield from _made(tensor.made)


def _changes(version: int) -> str:
    return f"changed in place {count(version, 'time')}" if version else "never changed in place"


def _grad(tensor: Tensor) -> str:
    if tensor.grad is None:
        never = "not kept: call retain_grad() before backward()"
        return "None: nothing has arrived yet" if tensor.grad_state == "none" else never
    note = ", stored: zero everywhere" if _is_zero(tensor.grad.items) else ", stored"
    return _text(tensor.grad) + note


def _is_zero(items: Items | None) -> bool:
    if isinstance(items, tuple):
        return all(map(_is_zero, items))
    return items in ("0", "-0")


def _text(value: Value) -> str:
    return shorten(value.text, _LONGEST_VALUE)
