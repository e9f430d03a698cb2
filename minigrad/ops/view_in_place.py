"""In-place forms of views: the tensor itself is seen with other dimensions from now on."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index as as_index
from typing import Any

from minigrad.autograd.grad_mode import state
from minigrad.ops.check import check, checked_dims
from minigrad.ops.define import hidden
from minigrad.ops.in_place import as_it_was
from minigrad.ops.registry import Operation, public
from minigrad.ops.shape import (
    METHOD,
    squeeze_in_place,
    squeezed,
    t,
    transpose_in_place,
    unsqueeze_in_place,
    unsqueezed,
)
from minigrad.ops.views import as_strided_in_place, checked_place
from minigrad.size import checked_dim
from minigrad.tensor import Tensor

t_in_place = hidden("TBackward1", lambda self: self.T, self=lambda grad: t(grad))
squeeze_all_in_place = hidden(
    "SqueezeBackward3",
    lambda self: self.squeeze(),
    self=lambda grad, self_sym_sizes: unsqueezed(grad, self_sym_sizes, range(len(self_sym_sizes))),
)
squeeze_several_in_place = hidden("SqueezeBackward5", squeezed, self=unsqueezed)


def recorded(input: Tensor, name: str, *operands: Any) -> bool:
    """Return whether to record the change of a tensor; refuse leaves that require grad then."""
    recorded = state.grad_enabled and input._requires_grad
    input._check_in_place(recorded, name, operands)
    return recorded


def seen_otherwise(input: Tensor, recorded: bool, operation: Operation, *arguments: Any) -> Tensor:
    """Let a tensor show its memory as the result of an operation does, and be that result."""
    result = operation(as_it_was(input, recorded), *arguments)
    input._value = result._array
    input._count_change()
    input._warn_accumulator()
    if result._edge is not None:
        # A gradient that is retained stays with the node before: it has the shape from then.
        input._edge, input._edge_version = result._edge, input._version
    return input


@public("t_", METHOD)
def t_(input: Tensor) -> Tensor:
    """In-place version of `t`."""
    watched = recorded(input, "t_")
    text = "t_() expects a tensor with <= 2 dimensions, but self is {}D"
    check(input.ndim <= 2, text, input.ndim)
    return seen_otherwise(input, watched, t_in_place)


@public("transpose_", METHOD)
def transpose_(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """In-place version of `transpose`."""
    watched = recorded(input, "transpose_")
    dims = [checked_dim(dim, input.ndim) for dim in (dim0, dim1)]
    return seen_otherwise(input, watched, transpose_in_place, *dims)


public("swapaxes_", METHOD)(transpose_)
public("swapdims_", METHOD)(transpose_)


@public("unsqueeze_", METHOD)
def unsqueeze_(input: Tensor, dim: int) -> Tensor:
    """In-place version of `unsqueeze`."""
    watched = recorded(input, "unsqueeze_")
    return seen_otherwise(input, watched, unsqueeze_in_place, checked_dim(dim, input.ndim + 1))


@public("as_strided_", METHOD)
def as_strided_(
    input: Tensor, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None
) -> Tensor:
    """In-place version of `as_strided`."""
    watched = recorded(input, "as_strided_")
    place = checked_place(size, stride, storage_offset)
    return seen_otherwise(input, watched, as_strided_in_place, *place)


@public("squeeze_", METHOD)
def squeeze_(input: Tensor, dim: Any = None) -> Tensor:
    """In-place version of `squeeze`."""
    watched = recorded(input, "squeeze_")
    if dim is None:
        return seen_otherwise(input, watched, squeeze_all_in_place)
    if isinstance(dim, (tuple, list)):
        checked_dims(dim, input.ndim)
        return seen_otherwise(input, watched, squeeze_several_in_place, tuple(dim))
    checked_dim(as_index(dim), input.ndim)
    return seen_otherwise(input, watched, squeeze_in_place, as_index(dim))
