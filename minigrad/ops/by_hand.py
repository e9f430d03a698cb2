"""What changes a tensor's memory by hand, where autograd does not follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.autograd.grad_mode import state
from minigrad.autograd.node import NO_EDGE, Array
from minigrad.memory import allocated, geometry, whole
from minigrad.ops.check import check, lengths
from minigrad.ops.define import hidden
from minigrad.ops.registry import public
from minigrad.ops.shape import expand
from minigrad.ops.views import checked_place, set_history, strided
from minigrad.storage import TypedStorage, UntypedStorage
from minigrad.tensor import Tensor

METHOD = "method"


@public("resize_", METHOD)
def resize_(input: Tensor, *size: Any) -> Tensor:
    """Give a tensor another shape: the elements are those of its memory, one after the other.

    Where it has too few, a new memory begins with them; what follows is anything.

    Raises:
        RuntimeError: if the tensor requires grad, but in inference mode.
    """
    shape = lengths("resize_", "size", size)
    input._check_in_place(False, "resize_")
    check_resizable(input)
    fits = min(shape, default=0) >= 0 and prod(shape) < 2**63
    check(fits, "numel: integer multiplication overflow")
    if shape == input.shape:
        return input
    memory, begin = whole(input._array).ravel("K"), input.storage_offset()
    end = begin + prod(shape)
    if end > memory.size:
        longer = allocated(lambda _, dtype: np.zeros(end, dtype), shape, memory.dtype)
        memory, known = longer, memory
        memory[: known.size] = known
    input._value = memory[begin:end].reshape(shape)
    input._count_change()
    return input


def check_resizable(input: Tensor) -> None:
    """Refuse to give a tensor another shape that needs a gradient of its own."""
    text = "cannot resize variables that require grad"
    check(state.inference or input._requires_grad is not True, text)


@public("resize_as_", METHOD)
def resize_as_(input: Tensor, the_template: Tensor) -> Tensor:
    """Give a tensor the shape of another, as `resize_` does."""
    resize_(input, tuple(the_template.shape))
    return input


@public("is_set_to", METHOD)
def is_set_to(input: Tensor, tensor: Tensor) -> bool:
    """Return whether two tensors show the same elements of one memory, in the same shape."""
    one, other = input._array, tensor._array
    same = whole(one) is whole(other) and one.dtype == other.dtype
    return same and geometry(one) == geometry(other)


@public("set_", METHOD)
def set_(
    input: Tensor,
    source: Tensor | UntypedStorage | TypedStorage | None = None,
    storage_offset: int = 0,
    size: Sequence[int] | None = None,
    stride: Sequence[int] | None = None,
) -> Tensor:
    """Let a tensor share the memory and shape of another, or all of a storage; or be empty.

    With a `size` it shows a part of that memory, as `as_strided` does; without a `stride` it keeps
    its own if it has that size, else the elements are those one after the other. There is no
    derivative: it is an error to differentiate it.

    Raises:
        RuntimeError: if the dtypes differ, it is a leaf that requires grad, or there are not as
            many elements.
    """
    array = memory_of(source, input._array.dtype)
    source = source if isinstance(source, Tensor) and size is None else None
    given = (input,) if source is None else (input, source)
    recorded = is_recorded(given)
    input._check_in_place(recorded and input._requires_grad, "set_", (source,))
    if size is not None:
        if stride is None and tuple(size) == input.shape:
            stride = input.stride()
        array = part_of(array, storage_offset, size, stride)
    text = "Could not set tensor of type {} to a tensor of type {}"
    names = [dtypes.of_numpy(one.dtype).cpp_name for one in (array, input._array)]
    check(names[0] == names[1], text, *names)
    operation = emptied if source is None else without_derivative
    edge = operation(*given)._edge if recorded else None
    if edge is not None:  # of both, which only this refusal has
        edge[0].edges = tuple(
            [one._gradient_edge() if one._requires_grad else NO_EDGE for one in given]
        )
    input._value = array
    input._accumulator = None  # graphs that exist go on to what the tensor was
    input._count_change()
    if edge is not None:
        set_history(input, edge[0])
    return input


def is_recorded(tensors: Sequence[Tensor]) -> bool:
    """Return whether it is recorded that a tensor gets another memory, given by tensors or not."""
    return state.grad_enabled and any(one._requires_grad for one in tensors)


def memory_of(source: Any, dtype: np.dtype[Any]) -> Array:
    """Return the elements of a tensor, a storage, or nothing; of bytes those of a dtype."""
    if source is None:
        return np.empty(0, dtype)
    if isinstance(source, UntypedStorage):
        return source._array.view(dtype)
    if isinstance(source, TypedStorage):
        wanted = dtypes.of_numpy(dtype)
        text = (
            "Expected a Storage of type {} or an UntypedStorage, but got type {} for argument 1 "
            "'storage'"
        )
        check(source.dtype is wanted, text, wanted.cpp_name, source.dtype.scalar_name)
    array: Array = source._array
    return array


def refuse_backward(grad: Any) -> Any:
    """Raise RuntimeError: who has another memory has no derivative."""
    raise RuntimeError("derivative for set_ is not implemented")


emptied = hidden("NotImplemented", lambda self: self, self=refuse_backward)
without_derivative = hidden(
    "NotImplemented", lambda self, source: self, self=refuse_backward, source=refuse_backward
)


def part_of(
    array: Array, storage_offset: int, size: Sequence[int], stride: Sequence[int] | None
) -> Array:
    """Return what lies in an array's memory at some places."""
    check(min(size, default=0) >= 0, "numel: integer multiplication overflow")
    if stride is None:
        stride = [prod(size[place + 1 :]) for place in range(len(size))]
    text = "unequal size length ({}) and stride length ({})"
    check(len(size) == len(stride), text, len(size), len(stride))
    return strided(array, *checked_place(size, stride, storage_offset))


@public("apply_", METHOD)
def apply_(input: Tensor, callable: Callable[[Any], Any]) -> Tensor:
    """Replace each element by what a function of it returns; slow, as the function is Python's.

    Raises:
        RuntimeError: if the tensor requires grad.
    """
    check_replaceable("apply_", input)
    return replaced(input, callable)


@public("map_", METHOD)
def map_(input: Tensor, other: Tensor, callable: Callable[[Any, Any], Any]) -> Tensor:
    """Replace each element by what a function of it and an element of another tensor returns.

    Raises:
        RuntimeError: if the tensor requires grad.
        TypeError: if the other is no tensor, or of another dtype.
    """
    check_replaceable("map_", input, other)
    names = [one.type().replace("torch.BoolTensor", "CPUBoolType") for one in (input, other)]
    check(names[0] == names[1], "map_: expected {} for 'other' (got {})", *names, error=TypeError)
    return replaced(input, callable, expand(other.detach(), tuple(input.shape))._array)


def check_replaceable(name: str, *tensors: Tensor) -> None:
    """Refuse tensors that require grad to what calls a function of each element."""
    text = "Can't call {0}() on Variable that requires grad. Use var.detach().{0}() instead."
    check(not any(one._requires_grad for one in tensors), text, name)


def replaced(input: Tensor, function: Callable[..., Any], *others: Array) -> Tensor:
    """Write what a function of the elements returns into a tensor, which counts as no change."""
    flat = [one.reshape(-1).tolist() for one in (input._array, *others)]
    results = [function(*elements) for elements in zip(*flat, strict=True)]
    input._array[...] = np.array(results, input._array.dtype).reshape(input.shape)
    return input
