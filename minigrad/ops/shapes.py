"""Views: the same memory in another shape, in another order, or in parts.

A public function such as `reshape` checks its arguments and calls an operation, which is declared
with the node that PyTorch records. The operations also run on arrays, in formulas.
"""

# Formulas may call the operation that they belong to. Operations take and give arrays or Tensors.
# mypy: disable-error-code="has-type, no-any-return"

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad.graph import Array
from minigrad.op import op
from minigrad.public import public
from minigrad.shape import wrap_dim
from minigrad.tensor import Tensor
from minigrad.warn import warn_once

Shape = tuple[int, ...]
REVERSED = (
    "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated "
    "and it will throw an error in a future release. Consider `x.mT` to transpose batches of "
    "matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a "
    "tensor."
)


def variadic(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let the last positional parameter be several ints, too: ``view(2, 3)``, ``view((2, 3))``."""
    code = function.__code__
    place, name = code.co_argcount - 1, code.co_varnames[code.co_argcount - 1]

    @functools.wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        if len(args) > place:
            args = (*args[:place], flat_shape(args[place:]))
        elif name in named:
            named[name] = flat_shape((named[name],))
        return function(*args, **named)

    return call


def flat_shape(sizes: tuple[Any, ...]) -> Shape:
    """A tuple of ints, from ``(2, 3)`` or from ``((2, 3),)``."""
    one = sizes[0] if len(sizes) == 1 else None
    return tuple(map(operator.index, one if isinstance(one, tuple | list) else sizes))


def along(dim: int, index: Any) -> tuple[Any, ...]:
    """The numpy key that has this index in a dimension and everything in those before it."""
    return (*[slice(None)] * dim, index)


def pass_on(grad: Any) -> Any:
    """The formula of an operation whose gradient is that of its result."""
    return grad


def to_old_shape(grad: Any, self_shape: Shape) -> Any:
    """The formula of an operation that only changes the shape."""
    return grad.reshape(self_shape)


# Another shape


@op("", "AliasBackward0", kind="view", self=pass_on)
def alias(self: Array) -> Array:
    return self[...]


@op("", "ViewBackward0", kind="view", self=to_old_shape)
def view_op(self: Array, shape: Shape) -> Array:
    return self.reshape(shape)


@op("", "UnsafeViewBackward0", self=to_old_shape)
def unsafe_view(self: Array, shape: Shape) -> Array:
    """A copy in another shape: not a view to the user, because nobody else has its memory."""
    return self.reshape(shape)


@op("", "CloneBackward0", self=pass_on)
def copy_array(self: Array, order: Any) -> Array:
    return self.copy(order)


def memory_order(array: Array) -> Any:
    """How PyTorch lays out a copy: like the array, unless that has elements in the same place."""
    return "C" if 0 in array.strides else "K"


def infer_shape(shape: Shape, size: int) -> Shape:
    """The shape with a size in the place of -1. Raises RuntimeError if it doesn't fit."""
    known = math.prod(n for n in shape if n != -1)
    full = tuple(size // known if n == -1 and known else n for n in shape)
    if math.prod(full) != size:
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {size}")
    return full


def can_view(array: Array, shape: Shape) -> bool:
    """Whether a shape needs no copy."""
    try:
        array.reshape(shape, copy=False)
    except ValueError:
        return False
    return True


@public("reshape")
@variadic
def reshape(self: Tensor, shape: Shape) -> Tensor:
    """The elements in another shape: a view if the memory allows it, else a copy.

    One size may be -1, for what remains.
    """
    full = infer_shape(shape, self.numel())
    if can_view(self._array, full):
        return view_op(self, full)
    return unsafe_view(copy_array(self, "C"), full)


@public("view", "method")
@variadic
def view(self: Tensor, shape: Shape) -> Tensor:
    """The same memory in another shape. Raises RuntimeError if that needs a copy."""
    full = infer_shape(shape, self.numel())
    if not can_view(self._array, full):
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces). Use .reshape(...) instead."
        )
    return view_op(self, full)


@public("view_as", "method")
def view_as(self: Tensor, other: Tensor) -> Tensor:
    """A view in the shape of another tensor."""
    return view(self, other.shape)


@public("flatten")
def flatten(self: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """The dimensions from `start_dim` to `end_dim` joined into one."""
    shape = self.shape or (1,)
    start, end = wrap_dim(start_dim, len(shape)), wrap_dim(end_dim, len(shape))
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if start == end and self.ndim:
        return self
    return reshape(self, *shape[:start], math.prod(shape[start : end + 1]), *shape[end + 1 :])


@public("ravel")
def ravel(self: Tensor) -> Tensor:
    """All elements in one dimension."""
    return view_op(contiguous(self), (self.numel(),))


@public("clone")
def clone(self: Tensor) -> Tensor:
    """A copy. Gradients flow through it to the original."""
    return copy_array(self, memory_order(self._array))


@public("contiguous", "method")
def contiguous(self: Tensor) -> Tensor:
    """The tensor itself if its elements are in memory row by row, else such a copy."""
    return self if self.is_contiguous() else copy_array(self, "C")


# Repeated without a copy


def broadcast(array: Array, shape: Shape) -> Array:
    """numpy's broadcast_to, in a tenth of its time."""
    if array.shape == shape:
        return array
    if not array.ndim:
        return np.ndarray(shape, array.dtype, np.asarray(array), 0, (0,) * len(shape))
    new_dims = len(shape) - array.ndim
    strides = tuple(
        0 if size == 1 != target else stride
        for size, target, stride in zip(array.shape, shape[new_dims:], array.strides, strict=True)
    )
    return np.lib.stride_tricks.as_strided(array, shape, (0,) * new_dims + strides)


@op("", "ExpandBackward0", kind="view", self=pass_on)
def expand_op(self: Array, shape: Shape) -> Array:
    return broadcast(self, shape)  # the engine sums the gradient to the input's shape


@public("expand", "method")
@variadic
def expand(self: Tensor, size: Shape) -> Tensor:
    """A view in which dimensions of size 1 are repeated, and new ones come first.

    A size of -1 leaves a dimension as it is. Raises RuntimeError for a size that doesn't fit.
    """
    new_dims, target = len(size) - self.ndim, list(size)
    if new_dims < 0:
        raise RuntimeError(
            f"the number of sizes provided ({len(size)}) must be greater or equal to the number of "
            f"dimensions in the tensor ({self.ndim})"
        )
    for dim in reversed(range(new_dims, len(size))):
        existing = self.shape[dim - new_dims]
        if size[dim] == -1:
            target[dim] = existing
        elif existing not in (1, size[dim]):
            raise RuntimeError(
                f"The expanded size of the tensor ({size[dim]}) must match the existing size "
                f"({existing}) at non-singleton dimension {dim}.  Target sizes: {list(size)}.  "
                f"Tensor sizes: {list(self.shape)}"
            )
    return expand_op(self, tuple(target))


@public("expand_as", "method")
def expand_as(self: Tensor, other: Tensor) -> Tensor:
    """`expand` to the shape of another tensor."""
    return expand(self, other.shape)


# Dimensions of size 1


@op("unsqueeze", "UnsqueezeBackward0", kind="view", self=lambda grad, dim: squeeze_dim(grad, dim))
def unsqueeze(self: Array, dim: int) -> Array:
    """A view with a new dimension of size 1."""
    return self[along(wrap_dim(dim, self.ndim + 1), None)]  # expand_dims takes ten times as long


@public("unsqueeze_", "method")
def unsqueeze_(self: Tensor, dim: int) -> Tensor:
    """Give this tensor a new dimension of size 1. Raises RuntimeError if it requires grad."""
    if self.requires_grad:
        raise RuntimeError(
            "unsqueeze_ isn't recorded; use unsqueeze on a tensor that requires grad"
        )
    self._array = unsqueeze(self._array, dim)
    self._bump_version()
    return self


def squeeze_dim_formula(grad: Any, self_shape: Shape, dim: int) -> Any:
    return unsqueeze(grad, dim) if self_shape and self_shape[dim] == 1 else grad


def squeeze_all_formula(grad: Any, self_shape: Shape) -> Any:
    for dim in range(len(self_shape)):
        grad = squeeze_dim_formula(grad, self_shape, dim)
    return grad


@op("", "SqueezeBackward0", kind="view", self=squeeze_all_formula)
def squeeze_all(self: Array) -> Array:
    return self.squeeze()


@op("", "SqueezeBackward1", kind="view", self=squeeze_dim_formula)
def squeeze_dim(self: Array, dim: int) -> Array:
    dim = wrap_dim(dim, self.ndim)
    return self.squeeze(dim) if self.ndim and self.shape[dim] == 1 else self[...]


@public("squeeze")
def squeeze(self: Tensor, dim: int | None = None) -> Tensor:
    """A view without the dimensions of size 1, or without this one if its size is 1."""
    return squeeze_all(self) if dim is None else squeeze_dim(self, dim)


# Another order of dimensions


def transpose_formula(grad: Any, dim0: int, dim1: int) -> Any:
    return transpose(grad, dim0, dim1)


@op("transpose swapaxes swapdims", "TransposeBackward0", kind="view", self=transpose_formula)
def transpose(self: Array, dim0: int, dim1: int) -> Array:
    """A view in which two dimensions change places."""
    dim0, dim1 = wrap_dim(dim0, self.ndim), wrap_dim(dim1, self.ndim)
    return self.swapaxes(dim0, dim1) if self.ndim else self[...]


@op("t", "TBackward0", kind="view", self=lambda grad: t(grad))
def t(self: Array) -> Array:
    """The transpose of a matrix, as a view; a vector stays as it is."""
    if self.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {self.ndim}D")
    return self.T


def permute_formula(grad: Any, dims: Shape) -> Any:
    return permute_op(grad, tuple(np.argsort(dims).tolist()))


@op("", "PermuteBackward0", kind="view", self=permute_formula)
def permute_op(self: Array, dims: Shape) -> Array:
    return self.transpose(dims)


@public("permute")
@variadic
def permute(self: Tensor, dims: Shape) -> Tensor:
    """A view with the dimensions in another order."""
    if len(dims) != self.ndim:
        raise RuntimeError(f"permute(): the tensor has {self.ndim} dimensions, not {len(dims)}")
    return permute_op(self, tuple(wrap_dim(dim, self.ndim) for dim in dims))


def reverse_dims(self: Tensor) -> Tensor:
    """`Tensor.T`: a view with all dimensions in reverse order."""
    if self.ndim not in (0, 2):
        warn_once(REVERSED)
    return permute_op(self, tuple(reversed(range(self.ndim))))


Tensor.T = property(reverse_dims)  # type: ignore[attr-defined]
Tensor.mT = property(lambda self: transpose(self, -2, -1))  # type: ignore[attr-defined]


# Parts


def part_backward(node_name: str, part: Callable[..., Any]) -> Callable[..., Any]:
    """Declare the gradient of a view of a part: zeros in the whole shape, except for that part."""

    def backward(self: Array, shape: Shape, args: tuple[Any, ...]) -> Array:
        whole = np.zeros(shape, self.dtype)
        part(whole, *args)[...] = self
        return whole

    return op("", node_name, backward, self=lambda grad, args: part(grad, *args))


def select_formula(grad: Any, self_shape: Shape, dim: int, index: int) -> Any:
    return select_backward(grad, self_shape, (dim, index))


@op("select", "SelectBackward0", kind="view", self=select_formula)
def select(self: Array, dim: int, index: int) -> Array:
    """A view of one index of a dimension, which it loses. Raises IndexError if there is none."""
    if not self.ndim:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    dim = wrap_dim(dim, self.ndim)
    size = self.shape[dim]
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of bounds for dimension {dim} with size {size}")
    return self[(*along(dim, index), ...)]  # without the ... numpy copies a single element


def slice_formula(grad: Any, self_shape: Shape, dim: int, part: slice) -> Any:
    return slice_backward(grad, self_shape, (dim, part))


@op("", "SliceBackward0", kind="view", self=slice_formula)
def slice_op(self: Array, dim: int, part: slice) -> Array:
    return self[along(dim, part)]


select_backward = part_backward("SelectBackwardBackward0", select)
slice_backward = part_backward("SliceBackwardBackward0", slice_op)


@public("narrow")
def narrow(self: Tensor, dim: int, start: int, length: int) -> Tensor:
    """A view of `length` indices of a dimension, from `start` on."""
    if not self.ndim:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    dim = wrap_dim(dim, self.ndim)
    size = self.shape[dim]
    if not -size <= start <= size:
        raise IndexError(
            f"start out of range (expected to be in range of [{-size}, {size}], but got {start})"
        )
    start = start + size if start < 0 else start
    if start + length > size:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return slice_op(self, dim, slice(start, start + length))
