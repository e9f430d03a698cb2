"""The outline: a snapshot as text, for a screen reader, a diff and a notebook test."""

from collections.abc import Iterator

from minigrad.viz.draw.folded import Folded
from minigrad.viz.draw.marks import NO_MARK, NO_MARKS, Gradient, Marks
from minigrad.viz.draw.text import LONGEST_VALUE, Words, shorten
from minigrad.viz.read.saved import FREED, HELD, MODIFIED
from minigrad.viz.read.snapshot import Node, Snapshot, Tensor


def outline(snapshot: Snapshot, marks: Marks = NO_MARKS) -> str:
    """The snapshot and its marks as text, one fact to a line, in topological order."""
    words = Words(snapshot)
    lines = [marks.title or words.summary]
    lines += [_leaf(words, tensor) for tensor in snapshot.tensors if tensor.role == "leaf"]
    for node in snapshot.nodes:
        lines += describe_node(words, node)
        lines += _marked(words, node, marks)
    lines += [_constant(words, tensor) for tensor in snapshot.tensors if tensor.role == "constant"]
    if snapshot.left_out:
        lines.append(words.stopped)
    return "\n".join(lines)


def describe_node(words: Words, node: Node) -> Iterator[str]:
    """The lines of one node: its inputs, what it keeps, what it gives."""
    name = words.operation(node)
    if isinstance(node, Folded):
        yield from _folded(words, node)
        return
    if node.kind == "accumulate":
        leaf = words.at[node.id, 0]
        where = f"{words.tensor(leaf)}.grad" if leaf.names else "the .grad of a leaf without a name"
        yield f"{node.id} {name}: adds to {where}"
        return
    yield f"{node.id} {name}({', '.join(map(words.input, node.inputs))})"
    for state, verb in ((HELD, "keeps"), (FREED, "freed"), (MODIFIED, "modified since saved:")):
        saved = [words.saved(saved) for saved in node.saved if saved.state == state]
        if saved:
            yield f"  {verb} {', '.join(saved)}"
    missing = [f"{words.source(cut)} ({cut.reason})" for cut in words.cuts.get(node.id, ())]
    if missing:
        yield f"  no edge from {', '.join(missing)}"
    for output in words.outputs.get(node.id, ()):
        yield f"  gives {_output(words, node.id, output)}"


def _folded(words: Words, node: Folded) -> Iterator[str]:
    inputs = ", ".join(map(words.input, node.inputs))
    yield f"{node.id} folded: {node.title}" + (f" of {inputs}" if inputs else "")
    yield from (f"  {line}" for line in node.lines)
    for output in words.outputs.get(node.id, ()):
        if (node.id, output) in words.at:
            yield f"  gives {_output(words, node.id, output)}"


def _marked(words: Words, node: Node, marks: Marks) -> Iterator[str]:
    """What is said of a node for the moment, and the gradients on its edges."""
    of_outputs = (words.at.get((node.id, output)) for output in words.outputs.get(node.id, ()))
    for part in (node.id, *(tensor.id for tensor in of_outputs if tensor is not None)):
        note = marks.parts.get(part, NO_MARK).note
        if note:
            about = "" if part == node.id else f"{words.tensor(words.tensors[part])}: "
            yield f"  {about}{shorten(note, LONGEST_VALUE)}"
    for index, source in enumerate(node.inputs):
        gradient = marks.gradients.get((node.id, index), Gradient())
        if gradient.text:
            verb = "passes" if gradient.passing else "has passed"
            yield f"  {verb} {shorten(gradient.text, LONGEST_VALUE)} to {words.input(source)}"


def describe_tensor(words: Words, tensor: Tensor) -> str:
    """One line: what the tensor is called, what it is, its value and its gradient."""
    if tensor.role == "leaf":
        return _leaf(words, tensor)
    if tensor.role == "constant":
        return _constant(words, tensor)
    role = "result, " if tensor.role == "result" else ""
    return f"{_called(words, tensor)}: {role}{_value(tensor)}{_grad(tensor)}{_exits(words, tensor)}"


def _leaf(words: Words, tensor: Tensor) -> str:
    reasons = "; ".join(words.reasons(tensor.id))
    kind = f"leaf ({reasons})" if reasons else "leaf"
    called, exits = _called(words, tensor), _exits(words, tensor)
    return f"{called}: {kind}, {_value(tensor)}{_grad(tensor)}{exits}"


def _constant(words: Words, tensor: Tensor) -> str:
    reasons = "; ".join(words.reasons(tensor.id)) or "requires_grad=False"
    return f"{_called(words, tensor)}: no graph ({reasons}), {_value(tensor)}"


def _exits(words: Words, tensor: Tensor) -> str:
    return "".join(f"; {exit_}" for exit_ in words.exits(tensor))


def _called(words: Words, tensor: Tensor) -> str:
    others = ", ".join(shorten(name) for name in tensor.names[1:])
    return words.tensor(tensor) + (f" (also {others})" if others else "")


def _output(words: Words, node: str, output: int) -> str:
    tensor = words.at.get((node, output))
    if tensor is None:
        return f"{words.place(node, output)}: not kept"
    return describe_tensor(words, tensor)


def _value(tensor: Tensor) -> str:
    return f"{tensor.value.kind} = {shorten(tensor.value.text, LONGEST_VALUE)}"


def _grad(tensor: Tensor) -> str:
    if tensor.grad is not None:
        return f", grad {shorten(tensor.grad.text, LONGEST_VALUE)}"
    return ", grad None" if tensor.grad_state == "none" else ""
