"""Errors about changes in place: of leaves, of what a node has saved, of views."""

import ast
import re
from typing import NamedTuple

from minigrad.explain.case import Case
from minigrad.explain.history import Call
from minigrad.explain.page import Causes, Fields
from minigrad.explain.source import Place
from minigrad.viz.read.saved import MODIFIED

CAUSES = Causes()
_SAVED = "one of the variables needed for gradient computation has been modified by an inplace"
_LEAF = "a (view of a )?leaf Variable that requires grad is being used in an in-place"
# What nodes a product may have, as PyTorch names them.
_PRODUCTS = {"mm", "mv", "dot", "bmm", "addmm", "unsafeview", "squeeze", "t", "permute"}
_OF_PRODUCTS = {"matmul", "linear", "mm", "mv", "dot", "bmm", "addmm", "rmatmul", "einsum"}


class Change(NamedTuple):
    """Where a tensor was saved, where it was changed afterward, and its name."""

    saved: Place
    changed: Place
    name: str


def find_change(case: Case) -> Change | None:
    """The change that made a saved tensor stale; None if it wasn't recorded."""
    found = case.history.ancestors(id(case.root)).values()
    used = [call for call in reversed(list(found)) if call.requires_grad and not call.is_property]
    stale = list(case.saved(MODIFIED))
    for call in used:
        for saved in (saved for node, saved in stale if _made_by(node, call.name)):
            for changed in case.history.changed_after_use(call, saved == "result"):
                return Change(call.place, changed.place, _changed_name(case, changed))
    return _changed_by_step(case, used)


def _made_by(node: str, function: str) -> bool:
    node, function = node.lower(), function.strip("_").replace("_", "").lower()
    if function in _OF_PRODUCTS:
        return node in _PRODUCTS
    return function in (node, f"r{node}") or (function, node) == ("square", "pow")


def _changed_name(case: Case, changed: Call) -> str:
    node = changed.place.node
    if isinstance(node, ast.Call) and not _is_inplace_method(node):
        return f"{case.thing(changed.arguments[0], changed.index):}"
    return changed.place.source(written_part(node))


def _changed_by_step(case: Case, used: list[Call]) -> Change | None:
    """An optimizer's step, which may change weights without a call that a trail sees."""
    steps = [one for one in case.lines(r"\.step\(") if one != case.raised]
    earlier = list(case.lines(r"\.step\(", before=case.raised))
    for place in (*reversed(earlier), *steps):
        groups = getattr(case.resolved(place.text.partition(".step(")[0]), "param_groups", [])
        moved = {id(one) for group in groups for one in group["params"]}
        for call in (one for one in used if not one.writes):
            for given in moved & set(call.arguments):
                return Change(call.place, place, f"{case.thing(given):}")
    return None


def _is_inplace_method(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr.endswith("_")


def written_part(node: ast.AST | None) -> ast.AST | None:
    """What an in-place operation writes to, without its index."""
    if isinstance(node, ast.AugAssign):
        node = node.target
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    while isinstance(node, ast.Subscript):
        node = node.value
    return node


def out_of_place(place: Place, name: str = "") -> str | None:
    """The line with a new tensor in the place of the change: ``w = w + 1`` for ``w += 1``.

    name: what to call the new tensor, in the form of a page: lines with `` | `` between them.
    """
    node, text = place.node, place.text
    written = written_part(node)
    target, new = place.source(written), name or place.source(written)
    if isinstance(node, ast.AugAssign) and node.target is written:
        value = place.source(node.value)
        sign = text[len(target) :].lstrip().partition("=")[0]
        simple = sign == "+" or not isinstance(node.value, ast.BinOp)
        return f"{new} = {target} {sign} {value if simple else f'({value})'}"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if not _is_inplace_method(node):
            return text.replace("inplace=True", "inplace=False") if "inplace=True" in text else None
        arguments = ", ".join(map(place.source, node.args))
        return f"{new} = {target}.{node.func.attr.rstrip('_')}({arguments})"
    return f"{new} = {target}.clone() | {text.replace(target, new, 1)}"


def _written(case: Case) -> Fields:
    """The tensor that the line writes to."""
    name = case.raised.source(written_part(case.raised.node))
    return {"w": case.named(name), "new": out_of_place(case.raised)}


@CAUSES.declare(_LEAF, "11_training_by_hand")
def weight_moved_while_recording(case: Case) -> Fields | None:
    """A weight is moved by its gradient while autograd records.

    `{w}` is a leaf that requires grad, and autograd was recording when {here} changed it in place.

    cause: changes the leaf `{w}`
    line w: made the leaf `{w}`
    fix: with {torch}.no_grad(): | {line.text} -- the step isn't recorded; costs nothing
    fix: optimizer.step() -- an optimizer of [{w}] does the same
    more: If the change were recorded, `{w}` would be the result of a computation: no longer a leaf,
    and its old value would be gone. `{w} = {w} - ...` runs, but makes a new tensor that isn't a
    leaf, and its .grad stays None.

    Example::

        w = torch.ones(3, requires_grad=True)
        loss = (w * w).sum()
        loss.backward()
        w -= 0.1 * w.grad  # cause
    """
    moved = re.search(r"grad|\blr\b|learning_rate", case.raised.text)
    return _written(case) if moved else None


@CAUSES.declare(_LEAF, "10_in_place")
def leaf_changed_in_place(case: Case) -> Fields:
    """A leaf that requires grad, or a part of it, is changed in place.

    `{w}` is a leaf that requires grad, and {here} changes it in place: its old value would be lost
    to the graph.

    cause: changes the leaf `{w}`
    line w: made the leaf `{w}`
    fix: {copied} -- gradients reach the leaf through the copy; one more array
    fix: with {torch}.no_grad(): | {line.text} -- to set its value, unrecorded
    more: The gradient of a leaf is the one at its value. If that value changes while autograd
    records, no tensor is left that has it.

    Example::

        x = torch.ones(3, requires_grad=True)
        x[0] = 2.0  # cause
    """
    return {**_written(case), "copied": out_of_place(case.raised, "y")}


@CAUSES.declare(_SAVED, "12_optimizers")
def step_before_backward(case: Case) -> Fields | None:
    """The optimizer moves the weights between a forward pass and its backward pass.

    `{step.text}` in {at} changed `{name}`, after {saving} had saved it for its backward pass.

    cause: changes `{name}`
    line saved: saves `{name}`
    fix: {line} | {step.text} -- all backward passes first, then the step
    fix: {saved.text} -- compute this again after the step: one more forward pass
    graph: root
    more: The gradient belongs to the weights that the forward pass used. After the step they are
    gone, so the backward pass can't be right, and it says so.

    Example::

        w = torch.ones(2, 2, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.1)
        h = torch.ones(2, 2, requires_grad=True) @ w
        first = (h @ w).sum()
        second = (h @ w).mean()
        first.backward(retain_graph=True)
        optimizer.step()  # cause
        second.backward()
    """
    fields = _changed(case)
    step = fields and fields["cause"]
    return {**fields, "step": step} if fields and step and ".step(" in step.text else None


def _changed(case: Case) -> Fields | None:
    change = find_change(case)
    if change is None:
        return None
    where = {"at": case.at(change.changed), "saving": case.at(change.saved)}
    return {**where, "cause": change.changed, "saved": change.saved, "name": change.name}


@CAUSES.declare(_SAVED, "10_in_place")
def saved_tensor_changed(case: Case) -> Fields | None:
    """A tensor is changed in place after a node has saved it.

    `{name}` was changed by {at}, after {saving} had saved it for its backward pass.

    cause: changes `{name}`
    line saved: saves `{name}`
    fix: {new} -- keeps the old value of `{name}`: one more array
    fix: {earlier.text} | {saved.text} -- change it first, if the new value is the one you mean
    graph: root
    more: Some derivatives need a value of the forward pass: that of exp its result, that of a
    product its factors. A node keeps such a tensor without copying it, and counts its changes.

    Example::

        w = torch.ones(3, requires_grad=True)
        y = w.exp()
        y.add_(1)  # cause
        y.sum().backward()
    """
    fields = _changed(case)
    if fields is None:
        return None
    changed, saved = fields["cause"], fields["saved"]
    later = changed.filename == saved.filename and changed.number > saved.number
    first = changed if later and saved.target != fields["name"] else None
    return {**fields, "new": out_of_place(changed), "earlier": first}


@CAUSES.declare(_SAVED, "10_in_place")
def saved_tensor_changed_unseen(case: Case) -> Fields:
    """The same, without a recording.

    A tensor of shape {shape} that {node} had saved for the backward pass was changed in place
    afterward.

    fix: y = y + 1 -- instead of `y += 1` or `y.add_(1)`: keeps the old value, one more array
    graph: root
    """
    nodes = sorted({node for node, _ in case.saved(MODIFIED)})
    shape = re.search(r"Tensor (\[.*?\])\]", case.text)
    return {"shape": shape[1] if shape else "[]", "node": nodes[0] if nodes else "a node"}


@CAUSES.declare(
    r"output with shape (\[.*?\]) doesn't match the broadcast shape (\[.*?\])", "10_in_place"
)
def inplace_result_too_large(case: Case) -> Fields:
    """The result of an in-place operation doesn't fit into its tensor.

    `{w}` has shape {0}, and the result has shape {1}, which doesn't fit into it.

    cause: {1} into {0}
    line w: made `{w}` {0}
    fix: {new} -- a new tensor of shape {1}
    fix: {b:.sum(0)} -- if `{w}` should keep its shape: reduce the other one first

    Example::

        total = torch.ones(2)
        total += torch.ones(3, 2)  # cause
    """
    return _written(case)


@CAUSES.declare(r"result type (\w+) can't be cast to the desired output type (\w+)", "10_in_place")
def inplace_result_of_another_dtype(case: Case) -> Fields:
    """A tensor of integers can't hold the result of an in-place operation.

    `{w}` holds {1} numbers, and the result would be {0}: it can't be written into `{w}`.

    cause: {0} into {1}
    line w: made `{w}`, {1}
    fix: {new} -- a new tensor of {0} numbers
    fix: {w} = {w}.float() -- before this line: floating point from the start

    Example::

        counts = torch.arange(2)
        counts += 1.5  # cause
    """
    return _written(case)


@CAUSES.declare(
    "is a view and is being modified inplace|view was created in no_grad mode", "10_in_place"
)
def view_changed_in_place(case: Case) -> Fields:
    """A view that autograd can't follow is changed in place.

    `{w}` is a view of another tensor, made in a way that autograd can't follow a change of it.

    cause: changes the view `{w}`
    line w: made the view `{w}`
    fix: {new} -- a new tensor: nothing else changes

    Example::

        w = torch.ones(2, requires_grad=True)
        first, second = (w * 2).unbind(0)
        first += 1  # cause
    """
    return _written(case)
