"""Views and in-place changes: how the graph follows what happens to shared memory.

An in-place change is the out-of-place operation: its result is copied into the tensor, and its node
becomes the tensor's `grad_fn`. If the tensor is a view, the base gets a CopySlices node, which runs
the view's node on a part of the gradient. Every other view of that base looks its edge up again
when it is next used, by the recipe that tells how it was made from the base.
Source: https://docs.pytorch.org/docs/stable/notes/autograd.html#in-place-operations-with-autograd
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.graph import Edge, Node, tick
from minigrad.modes import rare_modes, state
from minigrad.op import OpNode, op, record_general
from minigrad.saved import SECOND_TIME
from minigrad.tensor import Tensor, from_array

LEAF = "{} leaf Variable that requires grad is being used in an in-place operation."
# Why a view must not change, by how it was made.
FORBIDDEN = {
    "multiple outputs": (
        " This view is the output of a function that returns multiple views. Such functions do not "
        "allow the output views to be modified inplace. You should replace the inplace operation "
        "by an out-of-place one."
    ),
    "custom function": (
        " This view was created inside a custom Function (or because an input was returned as-is) "
        "and the autograd logic to handle view+inplace would override the custom backward "
        "associated with the custom Function, leading to incorrect gradients. This behavior is "
        "forbidden. You can fix this by cloning the output of the custom Function."
    ),
    "no_grad": (
        " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify "
        "your code by moving both the view and the inplace either both inside the no_grad block "
        "(if you don't want the inplace to be tracked) or both outside (if you want the inplace to "
        "be tracked)."
    ),
}


def replay(recipe: Sequence[Any], base: Any) -> Any:
    """Make the same view of another base, a Tensor or an array."""
    for operation, args, number in recipe:
        base = operation(base, *args)
        base = base if number is None else base[number]
    return base


# The elements of a view, as the numbers of the base's elements: `recipe` is data, so no strides
# have to be known.


def embed(grad: Any, index: Any, shape: tuple[int, ...]) -> Any:
    """The gradient of a base from that of its elements in `index`; zeros elsewhere."""
    if isinstance(grad, Tensor):
        return as_strided_scatter(grad, index, shape)
    embedded = np.zeros(shape, grad.dtype)
    np.add.at(embedded.reshape(-1), index, grad)
    return embedded


as_strided_scatter = op(
    "",
    "AsStridedScatterBackward0",
    lambda self, index, shape: embed(self, index, shape),
    self=lambda grad, index: grad.reshape(-1)[index],
)
as_strided = op(
    "",
    "AsStridedBackward0",
    lambda self, index: self.reshape(-1)[index],
    self=lambda grad, index, self_shape: embed(grad, index, self_shape),
)


def follow_base(view: Tensor) -> None:
    """Give a view the edge that it has now that its memory has been changed."""
    base, current = view._base, from_array(view._array)
    assert base is not None
    if view._edge is not None or base.requires_grad:
        check_creation(view, "its base or another view of its base has been")
    if base._current_edge() is not None:
        record_part(base, view._recipe, current)
        set_edge(view, current._edge)
    view._edge_version = view._version


def record_part(base: Tensor, recipe: Sequence[Any], part: Tensor) -> None:
    """Record that a tensor is the part of a base that a recipe selects."""
    # Numbers in the memory layout of the base, in which each step of the recipe makes a view.
    numbers = np.empty_like(base._array, np.intp)
    numbers[...] = np.arange(numbers.size).reshape(numbers.shape)
    index = replay(recipe, numbers)
    record_general(as_strided.declaration, (base, index), part)  # type: ignore[attr-defined]


def set_edge(tensor: Tensor, edge: Edge | None) -> None:
    """Give a tensor another edge. It goes on retaining its gradient if it did."""
    retains, old = tensor.retains_grad, tensor._edge
    tensor._edge = edge
    if retains and old is not None:
        del old[0].node_hooks().retain_grad[old[1]]
        tensor.retain_grad()


def check_creation(view: Tensor, subject: str) -> None:
    """Raise RuntimeError if the way in which a view was made forbids in-place changes."""
    if not view._creation:
        return
    reason = FORBIDDEN[view._creation]
    if view._edge is None:
        raise RuntimeError(
            f"A view was created in no_grad mode and {subject} modified inplace with grad mode "
            f"enabled.{reason}"
        )
    node, number = view._edge[:2]
    raise RuntimeError(
        f"Output {number} of {node.operation_name()} is a view and {subject} modified inplace."
        f"{reason}"
    )


def check_in_place(tensor: Tensor) -> None:
    """Raise RuntimeError if a change of this tensor would be recorded and isn't allowed."""
    if not state.enabled:
        return
    if tensor._base is not None:
        check_creation(tensor, "is being")
        if tensor._base.requires_grad and tensor._base._edge is None:
            raise RuntimeError(LEAF.format("a view of a"))
    # As in PyTorch, a view is a leaf until it is used after its base got a history.
    if tensor.requires_grad and tensor._edge is None:
        raise RuntimeError(LEAF.format("a"))


def overwrite(target: Tensor, source: Tensor) -> Tensor:
    """Copy a result into a tensor, which takes over the history of the result.

    Raises RuntimeError, and changes nothing, if the shape or dtype doesn't fit or the tensor must
    not be changed.
    """
    old, value = target._array, source._array
    if value.shape != old.shape:
        raise RuntimeError(
            f"output with shape {list(old.shape)} doesn't match the broadcast shape "
            f"{list(value.shape)}"
        )
    if dtypes.CATEGORY[value.dtype.kind] > dtypes.CATEGORY[old.dtype.kind]:
        titles = [dtypes.TITLES[array.dtype] for array in (value, old)]
        raise RuntimeError(
            f"result type {titles[0]} can't be cast to the desired output type {titles[1]}"
        )
    node = source._edge[0] if source._edge is not None else None
    if node is not None or (target._base is not None and target._base.requires_grad):
        check_in_place(target)
    if node is not None and isinstance(node, OpNode):
        keep_original(node, target)
    np.copyto(old, value, casting="unsafe")
    target._bump_version()
    if node is not None and source._edge is not None:
        if isinstance(node, OpNode):
            share_outputs(node, target)
        rebase_history(target, (node, source._edge[1], old.shape, old.dtype))
    return target


def keep_original(node: OpNode, target: Tensor) -> None:
    """Let a node that saved its first input keep a copy of what is about to be overwritten.

    What else it saved of this memory fails in the backward pass.
    """
    first, named = node.declaration.names[0], zip(node.plan.names, node.saved or (), strict=True)
    node.saved = tuple([x.clone() if name == first and x is target else x for name, x in named])


def share_outputs(node: OpNode, target: Tensor) -> None:
    """Let the output that a node saved be the tensor it was copied to."""
    if node.plan.outputs and not (rare_modes and state.saved_hooks):
        saved, counter = list(node.saved or ()), target._version_counter
        if all(getattr(one, "_version_counter", None) is not counter for one in saved):
            node.sequence_nr = tick()  # after the change, so that the output counts as unchanged
        for place in node.plan.outputs:
            saved[place] = target._alias()
        node.saved = tuple(saved)


def rebase_history(target: Tensor, edge: Edge) -> None:
    """Make an edge that of a changed tensor and, through CopySlices, that of its base."""
    base = target._base
    if base is None:
        set_edge(target, edge)
        return
    node = CopySlices(base, target._recipe, edge[0])
    set_edge(base, (node, 0, base._array.shape, base._array.dtype))
    follow_base(target)


class CopySlices(Node):
    """The node of a base after a view of it was changed.

    The gradient of the changed elements goes through the view's own node; the rest passes by.
    """

    __slots__ = ("_change", "_order", "_recipe")
    __module__ = "builtins"
    _change: Node | None  # the view's own node; None once it was freed

    def __init__(self, base: Tensor, recipe: Sequence[Any], change: Node) -> None:
        self._recipe, self._change, self._hooks = recipe, change, None
        self.next_edges = (base._current_edge(), *change.next_edges[1:])
        self.sequence_nr = tick()
        # The order of the dimensions in memory: in another, steps of the recipe would copy.
        strides = base._array.strides
        self._order = sorted(range(len(strides)), key=lambda dim: -strides[dim])

    def name(self) -> str:
        return "torch::autograd::CopySlices"

    def apply(self, grads: list[Any], create_graph: bool) -> Sequence[Any]:
        (grad,) = grads
        if self._change is None:
            raise RuntimeError(SECOND_TIME)
        if grad is None:
            return [None] * len(self.next_edges)
        array = grad._array if create_graph else grad
        whole: Any = np.empty([array.shape[dim] for dim in self._order], array.dtype)
        whole = whole.transpose(np.argsort(self._order))
        if create_graph:
            return self.apply_recorded(from_array(whole).copy_(grad), self._change)
        whole[...] = grad
        part = replay(self._recipe, whole)
        first, *others = self._change.apply([part.copy()], False)
        part[...] = 0 if first is None else first
        return [whole, *others]

    def apply_recorded(self, whole: Any, change: Node) -> Sequence[Any]:
        part = replay(self._recipe, whole)
        if isinstance(change, OpNode):
            # What the change saved of its result is a part of the base as this node left it.
            base, saved_part = whole._as_output(self, 0), from_array(part._array)
            record_part(base, self._recipe, saved_part)
            assert saved_part._edge is not None
            change.output_edge = saved_part._edge
        try:
            first, *others = change.apply([part.clone()], True)
        finally:
            if isinstance(change, OpNode):
                del change.output_edge  # it leads back here
        part.copy_(part * 0 if first is None else first)
        return [whole, *others]

    def release_variables(self) -> None:
        if self._change is not None:
            self._change.release_variables()
            self._change = None


Tensor._follow_base = follow_base
Tensor._overwrite = overwrite
Tensor._check_in_place = check_in_place
