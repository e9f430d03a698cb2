"""Operations in place: a result that takes the place of a tensor's elements, and its history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.autograd.grad_mode import UNTRACKED, state
from minigrad.autograd.saved import observers
from minigrad.autograd.saved_tensors_hooks import pack_saved, unpacked
from minigrad.memory import PUT_ON_EXPANDED
from minigrad.ops.check import (
    OTHER_SHAPE,
    check,
    check_cast,
    check_receiver,
    check_shapes,
)
from minigrad.ops.pointwise import c_name, is_bool
from minigrad.ops.promotion import NUMBERS, array_of
from minigrad.ops.registry import Operation
from minigrad.ops.rule import OperationNode, only_inference
from minigrad.ops.shape import contiguous_clone, expanded_shape
from minigrad.ops.views import set_history
from minigrad.size import checked_dim
from minigrad.tensor import Tensor

# Operands of these are refused by shape and dtype before the kernel looks at them.
OPERANDS_FIRST = {
    *("__iand__", "__ifloordiv__", "__ilshift__", "__imod__", "__ior__", "__irshift__"),
    *("__ipow__", "__ixor__", "floor_divide_", "fmod_", "ldexp_", "masked_fill_", "pow_"),
    *("bitwise_and_", "bitwise_left_shift_", "bitwise_or_", "bitwise_right_shift_"),
    *("bitwise_xor_", "gcd_", "lcm_", "nextafter_", "remainder_"),
}
# What writes to places here and there may read nothing that it writes, not even all of it.
SCATTERING = {
    "index_add_",
    "index_copy_",
    "index_fill_",
    "index_reduce_",
    "put_",
    "scatter_",
    "scatter_add_",
    "scatter_reduce_",
}
# What is filled at random: these refuse several elements in one place themselves, after their
# numbers.
FILLING = {
    "uniform_", "normal_", "random_", "bernoulli_", "exponential_", "cauchy_", "log_normal_",
    "geometric_",
}  # fmt: skip


def in_place(name: str, function: Operation) -> Operation:
    """Return the in-place form of an operation: its result replaces the tensor's elements."""
    # Logic is not recorded, whatever it changes.
    rule = getattr(function, "rule", None)
    differentiable = rule is None or bool(rule.inputs)

    def modify(self: Tensor, *arguments: Any, **keywords: Any) -> Tensor:
        check_receiver(name, self)
        given = (*arguments, *keywords.values())
        tensors = [one for one in given if isinstance(one, Tensor)]
        require_grad = [True for one in (self, *tensors) if one._requires_grad]
        recorded = differentiable and state.grad_enabled and bool(require_grad)
        if recorded and self._requires_grad is UNTRACKED and len(tensors) == len(arguments):
            recorded = not only_inference(tensors)
        self._check_in_place(recorded, name, given)
        before = as_it_was(self, recorded)
        if observers:  # They may keep it as it is.
            before._value = before._array.copy()
        if name in PUT_ON_EXPANDED:
            self._check_put(name, [one for one in tensors if one.ndim])
        elif name not in ("zero_", "fill_"):
            if name not in FILLING:
                self._check_apart()
            self._check_whole(tensors, ("part", "all") if name in SCATTERING else ("part",))
        elif tensors:  # But a number may be written to several elements in one place.
            self._check_apart()
        if arguments and looks_first(name, **keywords):
            check_operand(name, self, arguments[0])
        if name == "masked_scatter_":
            expanded_shape([*tensors, self][0], self._array.shape)  # of the mask
        if name in ("cumsum_", "cumprod_"):
            check_running(name, self, *arguments, **keywords)
            keywords = {**keywords, "dtype": self.dtype}
        if observers:
            result = unpacked(function, before, *arguments, **keywords)
        else:
            result = function(before, *arguments, **keywords)
        check_result(name, self, result, given)
        edge = result._edge
        if edge is not None and isinstance(edge[0], OperationNode):
            keep_saved(edge[0], before, result, self)
        # What is written to one of several elements in one place must not be undone by the others.
        changed = result._array != self._array if name in PUT_ON_EXPANDED else True
        take_over(self, result, changed)
        if observers and edge is not None:
            pack_saved(edge[0], self)
        return self

    modify.__name__ = modify.__qualname__ = name
    modify.__wrapped__ = function  # type: ignore[attr-defined]
    modify.__doc__ = f"In-place version of `{name[:-1]}`: changes this tensor and returns it."
    return modify


def take_over(tensor: Tensor, result: Tensor, changed: Any) -> None:
    """Let a tensor have the elements of a result where they changed, and its history."""
    tensor._modify(result._array, changed)
    if result._edge is not None:
        set_history(tensor, result._edge[0])


def as_it_was(tensor: Tensor, recorded: bool) -> Tensor:
    """Return a tensor with the history and memory that `tensor` has before it is modified."""
    before = tensor._alias()
    before._counter = [*tensor._counter]
    if recorded and tensor._requires_grad:
        before._edge, before._requires_grad = tensor._find_edge(), True
    return before


def looks_first(
    name: str, alpha: Any = 1, rounding_mode: str | None = None, **keywords: Any
) -> bool:
    """Return whether an operand is refused by shape and dtype before anything is computed."""
    multiple = name in ("add_", "sub_", "subtract_") and (alpha != 1 or alpha is True)
    return name in OPERANDS_FIRST or multiple or rounding_mode in ("floor", "trunc")


def alike(one: Tensor, other: Tensor) -> bool:
    """Return whether two tensors are of one shape and dtype."""
    value, like = one._value, other._value
    return value.dtype is like.dtype and value.shape == like.shape


def check_operand(name: str, tensor: Tensor, other: Any) -> None:
    """Refuse what would make of `tensor` another shape or dtype, before its values are."""
    if name == "ldexp_":
        text = "ldexp can't be cast to the desired output type {}"
        check(tensor.is_floating_point(), text, tensor.dtype.scalar_name)
    if isinstance(other, Tensor) and alike(other, tensor):
        return
    if name in ("sub_", "subtract_") and (is_bool(tensor) or is_bool(other)):
        return
    if name in ("pow_", "__ipow__") and not isinstance(other, Tensor):
        return
    if isinstance(other, Tensor) and other.shape != tensor.shape:
        check_shapes(tensor, other)
        shape = np.broadcast_shapes(tensor.shape, other.shape)
        check(shape == tensor.shape, OTHER_SHAPE, list(tensor.shape), list(shape))
    if name != "masked_fill_":
        check_cast(tensor, dtypes.common(*map(array_of, (tensor, other))))


def check_running(name: str, tensor: Tensor, dim: int, dtype: dtypes.dtype | None = None) -> None:
    """Refuse running totals in another dtype, with PyTorch's texts."""
    checked_dim(dim, tensor.ndim)
    text = "Bad in-place call: input tensor dtype {} and output tensor dtype {} should match"
    fits = dtype in (None, tensor.dtype)
    check(fits, text, c_name(tensor.dtype), c_name(dtype or tensor.dtype))


def check_result(name: str, tensor: Tensor, result: Tensor, given: Sequence[Any]) -> None:
    """Refuse a result that does not fit into `tensor`, with PyTorch's texts."""
    if alike(result, tensor):
        return
    text = OTHER_SHAPE
    if name in ("addmm_", "addmv_", "baddbmm_"):
        text = "Bad in-place call: input tensor size {} and output tensor size {} should match"
    check(result._value.shape == tensor._value.shape, text, list(tensor.shape), list(result.shape))
    limits = name in ("clamp_", "clamp_min_", "clamp_max_", "clip_")
    limited = limits and any(isinstance(one, NUMBERS) for one in given)
    check_cast(tensor, result.dtype, c_name(tensor.dtype) if limited else None)


def keep_saved(node: OperationNode, before: Tensor, result: Tensor, tensor: Tensor) -> None:
    """Let the node keep what it saved: the elements before as a copy, the result in `tensor`.

    Hooks pack what it saved of others now, and the result when `tensor` has it.
    """
    values, versions = list(node.values), list(node.versions)
    for position in range(len(versions)):
        if values[position] is before:
            values[position], versions[position] = contiguous_clone(before), 0
    node.values, node.versions = tuple(values), tuple(versions)
    pack_saved(node)
    for position, saved in enumerate(node.values[: len(versions)]):
        if saved._counter is result._counter:
            saved._value, saved._counter = tensor._array, tensor._counter
            versions[position] = tensor._counter[0] + 1
    node.versions = tuple(versions)
