"""Everything there is to say of one node or tensor: a sentence, mathematics, labeled lines."""

from collections.abc import Iterable, Iterator
from typing import NotRequired, TypedDict

from minigrad.viz.draw.folded import Folded
from minigrad.viz.draw.marks import CURRENT, DONE, NO_MARK, NO_MARKS, Marks
from minigrad.viz.draw.sentences import Operation
from minigrad.viz.draw.text import Words, count, shorten
from minigrad.viz.read.notes import Line
from minigrad.viz.read.saved import HELD, MODIFIED
from minigrad.viz.read.snapshot import Node, Saved, Snapshot, Tensor
from minigrad.viz.read.values import Items, Value

_LONGEST_NAME = 200
_LONGEST_VALUE = 2000
_MOST = 10
_IN_ALL = ("inputs", "dtype", "requires_grad", "version", "memory", "hooks")
# What a backward pass has done with what a node saved, by where the pass is.
_USED = {CURRENT: "used now; ", DONE: "used; "}


class Details(TypedDict):
    """What a panel beside the picture shows: text, but for the mathematics, which is MathML."""

    title: str
    rows: list[tuple[str, str]]
    sentence: str
    mathematics: str
    fold: NotRequired[str]  # the key that unfolds it


def details(
    snapshot: Snapshot, marks: Marks = NO_MARKS, detail: str = "values"
) -> dict[str, Details]:
    """The details of every node and tensor, by its id.

    marks: where a backward pass is: what has arrived, and which saved values were used.
    detail: ``"values"`` says what lesson 0 explains, ``"saved"`` also what nodes keep for backward,
    ``"all"`` also dtypes, versions, memory and hooks.
    """
    words = Words(snapshot)
    found: dict[str, Details] = {}
    parts: list[Node | Tensor] = [*snapshot.nodes, *snapshot.tensors]
    for part in parts:
        panel = _panel(words, part, marks)
        panel["rows"] = [row for row in panel["rows"] if _is_shown(row[0], detail)]
        found[part.id] = panel
    return found


def _is_shown(label: str, detail: str) -> bool:
    if label.startswith("saved "):
        return detail != "values"
    return detail == "all" or label not in _IN_ALL


def _panel(words: Words, part: Node | Tensor, marks: Marks) -> Details:
    if isinstance(part, Tensor):
        return _details(words.tensor(part), _tensor(words, part))
    if isinstance(part, Folded):
        return {**_details(part.title, _folded(part)), "fold": part.key}
    rows = _node(words, part, marks)
    if part.kind == "operation":
        operation = Operation(words, part, marks)
        return _details(words.operation(part), rows, operation.explanation, operation.mathematics)
    leaf = words.tensor(words.at[part.id, 0])
    return _details(words.operation(part), rows, f"What arrives is added to {leaf}.grad.")


def _details(
    title: str, rows: Iterable[tuple[str, str]], sentence: str = "", mathematics: str = ""
) -> Details:
    return {"title": title, "rows": [*rows], "sentence": sentence, "mathematics": mathematics}


def _folded(node: Folded) -> Iterator[tuple[str, str]]:
    held = [(node.operations, "operation"), (node.leaves, "leaf")]
    yield "kind", ", ".join(count(number, name) for number, name in held if number)
    yield from (("holds", line) for line in node.lines)


def _node(words: Words, node: Node, marks: Marks) -> Iterator[tuple[str, str]]:
    yield "kind", "operation" if node.kind == "operation" else "adds to the gradient of a leaf"
    if node.inputs:
        yield "inputs", ", ".join(map(words.input, node.inputs))
    for output in words.outputs.get(node.id, ()):
        if (tensor := words.at.get((node.id, output))) is not None:
            named = words.named(node.id, output)
            yield "gives", f"{named}{' = ' * bool(named)}{_text(tensor.value)}"
    for saved in node.saved:
        used = _USED.get(marks.parts.get(node.id, NO_MARK).state, "")
        yield f"saved {shorten(saved.name)}", used + _saved(words, saved)
    for cut in words.cuts.get(node.id, ()):
        yield "no edge", f"from {words.source(cut)}: {cut.reason}"
    yield from _made(node.made)


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
    if tensor.value.shape:
        yield "shape", str(list(tensor.value.shape))
    yield "value", _text(tensor.value)
    yield "requires_grad", str(tensor.requires_grad)
    if tensor.requires_grad:
        yield "grad", _grad(tensor)
    for reason in [*words.reasons(tensor.id), *words.exits(tensor)]:
        yield "no edge", reason
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
