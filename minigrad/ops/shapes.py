"""Views: the same memory in another shape, in another order, or in parts; and parts joined.

A public function such as `reshape` checks its arguments and calls an operation, which is declared
with the node that PyTorch records. The operations also run on arrays, in formulas.
"""

# Formulas may call the operation that they belong to. Operations take and give arrays or Tensors.
# mypy: disable-error-code="has-type, no-any-return"

from __future__ import annotations

import functools
import inspect
import math
import operator
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from minigrad import dtypes
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
    place = inspect.unwrap(function).__code__.co_argcount - 1

    @functools.wraps(function)
    def call(*args: Any, **named: Any) -> Any:
        if len(args) > place:
            args = (*args[:place], flat_shape(args[place:]))
        return function(*args, **named)

    return call


def flat_shape(sizes: tuple[Any, ...]) -> Shape:
    """A tuple of ints, from ``(2, 3)`` or from ``((2, 3),)``."""
    one = sizes[0] if len(sizes) == 1 else None
    return tuple(map(operator.index, one if isinstance(one, tuple | list) else sizes))


def along(dim: int, index: Any) -> tuple[Any, ...]:
    """The numpy key that has this index in a dimension and everything in those before it."""
    return (*[slice(None)] * dim, index)


def at(self: Array, indices: tuple[Any, ...]) -> Array:
    """The elements at a numpy key. Raises IndexError with PyTorch's text."""
    try:
        return self[indices]
    except IndexError as error:
        raise IndexError(str(error).replace("axis", "dimension")) from None


def same(grad: Any) -> Any:
    """The formula of an operation whose gradient is that of its result."""
    return grad


def to_old_shape(grad: Any, self_shape: Shape) -> Any:
    """The formula of an operation that only changes the shape."""
    return grad.reshape(self_shape)


# Another shape


alias = op("", "AliasBackward0", lambda self: self[...], kind="view", self=same)


@op("", "UnsafeViewBackward0", self=to_old_shape)
def unsafe_view(self: Array, shape: Shape) -> Array:
    """A copy in another shape: not a view to the user, because nobody else has its memory."""
    return self.reshape(shape)


def memory_order(array: Array) -> Any:
    """How PyTorch lays out a copy: like the array, unless that has elements in the same place."""
    return "C" if 0 in array.strides else "K"


@op("clone", "CloneBackward0", self=same)
def clone(self: Array, order: Any = None) -> Array:
    """A copy. Gradients flow through it to the original."""
    return self.copy(order or memory_order(self))


def infer_shape(shape: Shape, size: int) -> Shape:
    """The shape with a size in the place of -1. Raises RuntimeError if it doesn't fit."""
    if shape.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    known = math.prod(n for n in shape if n != -1)
    full = tuple(size // known if n == -1 and known else n for n in shape)
    if math.prod(full) != size:
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {size}")
    return full


@public("view", "method")
@variadic
@op("view", "ViewBackward0", kind="view", variants="", self=to_old_shape)
def view(self: Array, shape: Shape) -> Array:
    """The same memory in another shape. Raises RuntimeError if that needs a copy."""
    full = infer_shape(shape, self.size)
    try:
        return self.reshape(full, copy=False)
    except ValueError:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces). Use .reshape(...) instead."
        ) from None


@public("reshape")
@variadic
def reshape(self: Tensor, shape: Shape) -> Tensor:
    """The elements in another shape: a view if the memory allows it, else a copy.

    One size may be -1, for what remains.
    """
    with suppress(RuntimeError):
        return view(self, shape)
    return unsafe_view(clone(self, "C"), infer_shape(shape, self.numel()))


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
    return view(contiguous(self), -1)


@public("contiguous", "method")
def contiguous(self: Tensor) -> Tensor:
    """The tensor itself if its elements are in memory row by row, else such a copy."""
    return self if self.is_contiguous() else clone(self, "C")


# Repeated without a copy


def broadcast(self: Array, shape: Shape) -> Array:
    """numpy's broadcast_to, in a tenth of its time."""
    if self.shape == shape:
        return self
    if not self.ndim:
        return np.ndarray(shape, self.dtype, np.asarray(self), 0, (0,) * len(shape))
    new_dims = len(shape) - self.ndim
    strides = tuple(
        0 if size == 1 != target else stride
        for size, target, stride in zip(self.shape, shape[new_dims:], self.strides, strict=True)
    )
    return np.lib.stride_tricks.as_strided(self, shape, (0,) * new_dims + strides)


# The engine sums the gradient to the input's shape.
expand_op = op("", "ExpandBackward0", broadcast, kind="view", self=same)


@public("expand", "method")
@variadic
def expand(self: Tensor, size: Shape) -> Tensor:
    """A view in which dimensions of size 1 are repeated, and new ones come first.

    A size of -1 leaves a dimension as it is. Raises RuntimeError for a size that doesn't fit.
    """
    old, new_dims = self.shape, len(size) - self.ndim
    if new_dims < 0:
        raise RuntimeError(
            f"expand({self.type()}{{{list(old)}}}, size={list(size)}): the number of sizes "
            f"provided ({len(size)}) must be greater or equal to the number of dimensions in the "
            f"tensor ({self.ndim})"
        )
    if -1 in size[:new_dims]:
        raise RuntimeError(
            "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing "
            f"dimension {size.index(-1)}"
        )
    new = [have if n == -1 else n for have, n in zip(old, size[new_dims:], strict=True)]
    for dim in reversed(range(self.ndim)):
        if old[dim] not in (1, new[dim]):
            raise RuntimeError(
                f"The expanded size of the tensor ({new[dim]}) must match the existing size "
                f"({old[dim]}) at non-singleton dimension {new_dims + dim}.  Target sizes: "
                f"{list(size)}.  Tensor sizes: {list(old)}"
            )
    return expand_op(self, (*size[:new_dims], *new))


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
        raise RuntimeError("unsqueeze_ isn't recorded: use unsqueeze where you need a gradient")
    self._array = unsqueeze(self._array, dim)
    self._bump_version()
    return self


def unsqueeze_dim(grad: Any, self_shape: Shape, dim: int) -> Any:
    return unsqueeze(grad, dim) if self_shape and self_shape[dim] == 1 else grad


def unsqueeze_all(grad: Any, self_shape: Shape) -> Any:
    for dim in range(len(self_shape)):
        grad = unsqueeze_dim(grad, self_shape, dim)
    return grad


@op("", "SqueezeBackward0", kind="view", self=unsqueeze_all)
def squeeze_all(self: Array) -> Array:
    return self.squeeze()


@op("", "SqueezeBackward1", kind="view", self=unsqueeze_dim)
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
    return permute(grad, np.argsort(np.mod(dims, len(dims))).tolist())


@public("permute")
@variadic
@op("permute", "PermuteBackward0", kind="view", variants="", self=permute_formula)
def permute(self: Array, dims: Shape) -> Array:
    """A view with the dimensions in another order."""
    if len(dims) != self.ndim:
        raise RuntimeError(f"permute(): the tensor has {self.ndim} dimensions, not {len(dims)}")
    return self.transpose(dims)


def reverse_dims(self: Tensor) -> Tensor:
    """`Tensor.T`: a view with all dimensions in reverse order."""
    if self.ndim not in (0, 2):
        warn_once(REVERSED)
    return permute(self, tuple(reversed(range(self.ndim))))


Tensor.T = property(reverse_dims)  # type: ignore[attr-defined]
Tensor.mT = property(lambda self: transpose(self, -2, -1))  # type: ignore[attr-defined]


# Parts


def in_zeros(grad: Array, shape: Shape, part: Callable[..., Array], *args: Any) -> Array:
    """The gradient of a view of a part: zeros in the whole shape, except for that part."""
    whole = np.zeros(shape, grad.dtype)
    part(whole, *args)[...] = grad
    return whole


@op("", "SelectBackwardBackward0", self=lambda grad, dim, index: select(grad, dim, index))
def select_backward(self: Array, self_shape: Shape, dim: int, index: int) -> Array:
    return in_zeros(self, self_shape, select, dim, index)


@op("select", "SelectBackward0", kind="view", self=select_backward)
def select(self: Array, dim: int, index: int) -> Array:
    """A view of one index of a dimension, which it loses. Raises IndexError if there is none."""
    # Without the ... numpy copies a single element.
    return at(self, (*along(wrap_dim(dim, self.ndim), index), ...))


@op("", "SliceBackwardBackward0", self=lambda grad, dim, part: slice_op(grad, dim, part))
def slice_backward(self: Array, self_shape: Shape, dim: int, part: slice) -> Array:
    return in_zeros(self, self_shape, slice_op, dim, part)


@op("", "SliceBackward0", kind="view", self=slice_backward)
def slice_op(self: Array, dim: int, part: slice) -> Array:
    return self[along(dim, part)]


def diagonal_again(grad: Any, offset: int, dim1: int, dim2: int) -> Any:
    return diagonal(grad, offset, dim1, dim2)


@op("", "DiagonalBackwardBackward0", self=diagonal_again)
def diagonal_backward(self: Array, self_shape: Shape, offset: int, dim1: int, dim2: int) -> Array:
    return in_zeros(self, self_shape, diagonal, offset, dim1, dim2)


@op("diagonal", "DiagonalBackward0", kind="view", self=diagonal_backward)
def diagonal(self: Array, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Array:
    """A view of the diagonal of each matrix, or of one `offset` places above it."""
    if wrap_dim(dim1, self.ndim) == wrap_dim(dim2, self.ndim):
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    part = self.diagonal(offset, dim1, dim2)
    part.flags.writeable = self.flags.writeable  # numpy gives one that isn't
    return part


@public("narrow")
def narrow(self: Tensor, dim: int, start: int, length: int) -> Tensor:
    """A view of `length` indices of a dimension, from `start` on."""
    if not self.ndim:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    size = self.size(dim)
    if not -size <= start <= size:
        raise IndexError(
            f"start out of range (expected to be in range of [{-size}, {size}], but got {start})"
        )
    start = start + size if start < 0 else start
    if not 0 <= length <= size - start:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return slice_op(self, wrap_dim(dim, self.ndim), slice(start, start + length))


# Several tensors from one, and one from several


def same_dtype(arrays: Sequence[Array]) -> list[Array]:
    """The arrays in the dtype that all of them meet in."""
    dtype = functools.reduce(dtypes.promote, {array.dtype for array in arrays})
    return [array.astype(dtype, copy=False) for array in arrays]


def cat_parts(grad: Any, tensors_shape: Sequence[Shape], dim: int) -> list[Any]:
    """The gradients of the tensors that were joined."""
    dim, start, parts = wrap_dim(dim, grad.ndim), 0, list[Any]()
    for shape in tensors_shape:
        size = shape[dim] if len(shape) == grad.ndim else 0  # an empty 1-d tensor had no part
        part = slice_op(grad, dim, slice(start, start + size))
        parts.append(part if part.shape == shape else part.reshape(shape))
        start += size
    return parts


@op("cat concat concatenate", "CatBackward0", kind="list", variants="function", tensors=cat_parts)
def cat(tensors: Sequence[Array], dim: int = 0) -> Array:
    """The tensors joined along a dimension. An empty 1-d tensor fits every other.

    Raises RuntimeError if their other sizes differ, and ValueError if there are none.
    """
    if not tensors:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    arrays = same_dtype(tensors)
    arrays = [array for array in arrays if array.shape != (0,)] or arrays
    first, dim = arrays[0].shape, wrap_dim(dim, arrays[0].ndim)
    for number, array in enumerate(arrays):
        if array.ndim != len(first):
            sizes = f"{len(first)} and {array.ndim}"
            raise RuntimeError(f"Tensors must have same number of dimensions: got {sizes}")
        for axis, (expected, size) in enumerate(zip(first, array.shape, strict=True)):
            if axis != dim and size != expected:
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {dim}. Expected size "
                    f"{expected} but got size {size} for tensor number {number} in the list."
                )
    return np.concatenate(arrays, dim)


def stack_parts(grad: Any, tensors_shape: Sequence[Shape], dim: int) -> list[Any]:
    return [select(grad, dim, number) for number in range(len(tensors_shape))]


@op("stack", "StackBackward0", kind="list", variants="function", tensors=stack_parts)
def stack(tensors: Sequence[Array], dim: int = 0) -> Array:
    """Tensors joined along a new dimension. Raises RuntimeError if their shapes differ."""
    if not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    for number, array in enumerate(tensors):
        if array.shape != tensors[0].shape:
            raise RuntimeError(
                "stack expects each tensor to be equal size, but got "
                f"{list(tensors[0].shape)} at entry 0 and {list(array.shape)} at entry {number}"
            )
    return np.stack(same_dtype(tensors), dim)


VIEWS: dict[str, Any] = {"kind": "view", "outputs": "several views"}


@op("unbind", "UnbindBackward0", **VIEWS, self=stack)
def unbind(self: Array, dim: int = 0) -> tuple[Array, ...]:
    """Views of each index of a dimension."""
    parts = np.moveaxis(self, dim, 0)
    return tuple(parts[index, ...] for index in range(len(parts)))  # 0-d views, not scalars


def divide(self: Array, sizes: Shape, dim: int) -> tuple[Array, ...]:
    return tuple(np.split(self, np.cumsum(sizes)[:-1], dim))


split_evenly = op("", "SplitBackward0", divide, **VIEWS, self=cat)
split_with_sizes = op("", "SplitWithSizesBackward0", divide, **VIEWS, self=cat)


@public("split")
def split(self: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Views of parts of one size, of which the last may be smaller, or of these sizes."""
    if self.ndim == 0:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    size, whole = split_size_or_sections, self.size(dim)
    if isinstance(size, int):
        if size < 1 <= whole:
            size_is = f"dimension size is 0, but got dimension size of {whole}"
            raise RuntimeError(f"split_size can only be 0 if {size_is}")
        sizes = [min(size, whole - start) for start in range(0, whole, size or 1)]
        return split_evenly(self, tuple(sizes) or (0,), dim)
    if sum(size) != whole:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {whole} (input tensor's size "
            f"at dimension {dim}), but got split_sizes={list(size)}"
        )
    return split_with_sizes(self, tuple(size), dim)


@public("chunk")
def chunk(self: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Views of at most `chunks` parts of one size, of which the last may be smaller."""
    if self.ndim == 0:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks < 1:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    return split(self, max(1, -(-self.size(dim) // chunks)), dim)
