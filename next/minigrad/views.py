"""Views and changes in place: how the graph follows what happens to shared memory.

A change in place is the operation out of place, whose result is then copied into the tensor, and
whose node becomes the tensor's own. If the tensor is a view, the base gets a node that changes a
slice of its gradient (CopySlices), and its views get new edges when they are next asked for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.graph import Node, state, tick
from minigrad.op import OpNode, Rule, op, record
from minigrad.tensor import Tensor, from_array

LEAF = "{} leaf Variable that requires grad is being used in an in-place operation."
SEVERAL = (
    " This view is the output of a function that returns multiple views. Such functions do not "
    "allow the output views to be modified inplace. You should replace the inplace operation by an "
    "out-of-place one."
)
NO_GRAD = (
    " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify "
    "your code by moving both the view and the inplace either both inside the no_grad block (if "
    "you don't want the inplace to be tracked) or both outside (if you want the inplace to be "
    "tracked)."
)


def replay(tensor: Any, steps: tuple) -> Any:
    """Take the same view of another base, a Tensor or an array."""
    for call, args, number in steps:
        tensor = call(tensor, *args)
        tensor = tensor if number is None else tensor[number]
    return tensor


def scatter(grad: Any, index: Any, self_shape: tuple[int, ...]) -> Any:
    """The gradient of a base, given that of the elements that a view shows."""
    if isinstance(grad, Tensor):
        return scattered(grad, index, self_shape)
    index = index._array if isinstance(index, Tensor) else index
    result = np.zeros(self_shape, grad.dtype)
    np.add.at(result.reshape(-1), index, grad)
    return result


scattered = op(
    "",
    "AsStridedScatterBackward0",
    lambda self, index, shape: scatter(self, index, shape),
    self=lambda grad, index: grad.reshape(-1)[index],
)
AS_STRIDED = Rule("AsStridedBackward0", lambda self, index: self, dict(self=scatter), "result")


def follow_base(view: Tensor) -> None:
    """Give a view the edge that it has now that its base has been changed."""
    base = view._base
    if base._edge is not None:
        refuse_view(view, "its base or another view of its base has been")
        index = replay(np.arange(base._array.size).reshape(base._array.shape), view._steps)
        stand_in, old, retained = from_array(view._array), view._edge, view.retains_grad
        record(AS_STRIDED, (True,), (base._edge,), (base, index), stand_in)
        view._edge = stand_in._edge
        if retained:
            move_retained(view, old)
    view._as_of = len(view._changes)


def refuse_view(view: Tensor, what: str) -> None:
    """Raise if a view was made so that it must not be changed, or what is said of it must not."""
    if not view._made_in:
        return
    if view._made_in == "no_grad":
        raise RuntimeError(
            f"A view was created in no_grad mode and {what} modified inplace with grad mode "
            f"enabled.{NO_GRAD}"
        )
    which = "A view was created"
    if (edge := view._edge) is not None:
        which = f"Output {edge[1]} of {edge[0].operation()} is a view and {what} modified inplace."
    raise RuntimeError(which + (SEVERAL if view._made_in == "several" else view._made_in))


def check_writable(tensor: Tensor, needs_grad: bool) -> None:
    """Refuse to change what may not be changed in place."""
    if not state.enabled or not needs_grad:
        return
    base = tensor._base
    if base is None:
        if tensor._edge is not None and tensor.grad_fn is None:
            raise RuntimeError(LEAF.format("a"))
        return
    tensor._fresh_edge()
    refuse_view(tensor, "is being")
    if base._edge is not None and base.grad_fn is None:
        raise RuntimeError(LEAF.format("a view of a"))


def overwrite(target: Tensor, source: Tensor) -> Tensor:
    """Copy a result into the memory of a tensor, which takes over the result's history."""
    old, value = target._array, source._array
    if value.shape != old.shape:
        raise RuntimeError(
            f"output with shape {list(old.shape)} doesn't match the broadcast shape "
            f"{list(value.shape)}"
        )
    if dtypes.CATEGORY[value.dtype.kind] > dtypes.CATEGORY[old.dtype.kind]:
        kinds = [dtypes.TITLES[one.dtype] for one in (value, old)]
        raise RuntimeError(
            f"result type {kinds[0]} can't be cast to the desired output type {kinds[1]}"
        )
    node, number = (None, 0) if source._edge is None else source._edge[:2]
    if node is not None or target._base is not None and target._base._edge is not None:
        check_writable(target, True)
        if isinstance(node, OpNode):
            keep_original(node, target)
    np.copyto(old, value, casting="unsafe")
    target._stamp()
    if node is not None:
        if isinstance(node, OpNode):
            share_results(node, target)
        rebase(target, (node, number, old.shape, old.dtype))
    return target


def keep_original(node: OpNode, target: Tensor) -> None:
    """Let a node that saved the tensor have a copy of what is about to be overwritten."""
    if any(one is target for one in node.saved):
        original = from_array(target._array.copy())
        original._edge = target._edge
        node.saved = tuple([original if one is target else one for one in node.saved])


def share_results(node: OpNode, target: Tensor) -> None:
    """Let the result that a node saved be the tensor it was copied to."""
    if node.plan.outputs and not state.hooks:
        saved = list(node.saved)
        for place, _ in node.plan.outputs:
            saved[place] = target._alias()
        node.saved = tuple(saved)
    node.sequence = tick()  # newer than the change


def rebase(target: Tensor, edge: tuple) -> None:
    """Make an edge that of a tensor, and through CopySlices that of its base."""
    base = target._base
    if base is None:
        retained, old = target.retains_grad, target._edge
        target._edge = edge
        if retained:
            move_retained(target, old)
    else:
        base_retained, base_old = base.retains_grad, base._edge
        node = CopySlices(base, target._steps, edge[0])
        base._edge = (node, 0, base._array.shape, base._array.dtype)
        if base_retained:
            move_retained(base, base_old)
        follow_base(target)


def move_retained(tensor: Tensor, old: tuple) -> None:
    del old[0].hooks().retain[old[1]]
    tensor.retain_grad()


class CopySlices(Node):
    """The node of a base of which a view was changed: runs the view's node on a slice."""

    __slots__ = ("_inner", "_steps")

    def __init__(self, base: Tensor, steps: tuple, inner: Node) -> None:
        self._steps, self._inner, self._hooks = steps, inner, None
        self.edges, self.sequence = (base._edge, *inner.edges[1:]), tick()

    def name(self) -> str:
        return "torch::autograd::CopySlices"

    def apply(self, grads: list[Any], taped: bool) -> Sequence[Any]:
        (grad,) = grads
        if grad is None:
            return [None] * len(self.edges)
        whole = grad.clone() if taped else np.array(grad)
        part = replay(whole, self._steps)
        first, *rest = self._inner.apply([part.clone() if taped else part.copy()], taped)
        if first is None:
            first = part * 0
        if taped:
            part.copy_(first)
        else:
            part[...] = first
        return [whole, *rest]

    def release(self) -> None:
        self._inner.release()


methods: dict[str, Callable] = dict(
    _follow_base=follow_base, _check_writable=check_writable, _overwrite=overwrite
)
for name, method in methods.items():
    setattr(Tensor, name, method)
