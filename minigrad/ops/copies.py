"""Copies: repeated, turned round, cut, padded, converted, or written into a tensor."""

# Formulas may call the operation that they belong to. Operations take and give arrays or Tensors.
# mypy: disable-error-code="has-type, no-any-return"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.device import require_cpu
from minigrad.graph import Array
from minigrad.op import no_gradient, op
from minigrad.ops.shapes import Shape, broadcast, same, variadic
from minigrad.public import public
from minigrad.tensor import Tensor


@public("flip")
@variadic
@op("flip", "FlipBackward0", variants="", self=lambda grad, dims: flip(grad, dims))
def flip(self: Array, dims: Shape) -> Array:
    """A copy with the elements along these dimensions in reverse order."""
    return np.flip(self, dims).copy() if self.ndim else self.copy()


def roll_formula(grad: Any, shifts: Any, dims: Any) -> Any:
    return roll(grad, np.negative(shifts), dims)


@op("roll", "RollBackward0", self=roll_formula)
def roll(self: Array, shifts: Any, dims: Any = None) -> Array:
    """A copy with the elements moved along dimensions; what leaves at the end enters at the start.

    Without `dims`, the elements move as if they were in one row.
    """
    return np.roll(self, shifts, dims)


def triangle(cut: Callable[..., Array], self: Array, diagonal: int) -> Array:
    if self.ndim < 2:
        raise RuntimeError(f"{cut.__name__}: input tensor must have at least 2 dimensions")
    return cut(self, diagonal)


@op("tril", "TrilBackward0", self=lambda grad, diagonal: tril(grad, diagonal))
def tril(self: Array, diagonal: int = 0) -> Array:
    """The lower triangle of each matrix, up to a diagonal; zeros above it."""
    return triangle(np.tril, self, diagonal)


@op("triu", "TriuBackward0", self=lambda grad, diagonal: triu(grad, diagonal))
def triu(self: Array, diagonal: int = 0) -> Array:
    """The upper triangle of each matrix, down to a diagonal; zeros below it."""
    return triangle(np.triu, self, diagonal)


def sum_repeats(grad: Any, self_shape: Shape, repeats: Shape) -> Any:
    """The gradient of a tensor that was repeated: the sum over its repetitions."""
    new_dims = len(repeats) - len(self_shape)
    for _ in range(new_dims):
        grad = grad.sum(0)
    pairs = zip(repeats[new_dims:], self_shape, strict=True)
    grad = grad.reshape(tuple(n for pair in pairs for n in pair))
    return grad.sum(tuple(range(0, grad.ndim, 2)))


@public("repeat", "method")
@variadic
@op("repeat", "RepeatBackward0", variants="", self=sum_repeats)
def repeat(self: Array, repeats: Shape) -> Array:
    """A copy in which each dimension is repeated; new dimensions come first."""
    if len(repeats) < self.ndim:
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of "
            "tensor"
        )
    return np.tile(self, repeats)


def pad_formula(grad: Any, pad: Shape) -> Any:
    return constant_pad_nd(grad, tuple(-n for n in pad), 0)


@op("", "ConstantPadNdBackward0", self=pad_formula)
def constant_pad_nd(self: Array, pad: Shape, value: float) -> Array:
    """A value before and after the elements: `pad` has pairs of lengths, the last dimension first.

    A negative length cuts elements off.
    """
    ends = np.zeros((self.ndim, 2), int)
    ends[self.ndim - len(pad) // 2 :] = np.reshape(pad, (-1, 2))[::-1]
    cuts = zip(self.shape, np.maximum(-ends, 0), strict=True)
    kept = tuple(slice(before, size - after) for size, (before, after) in cuts)
    return np.pad(self[kept], np.maximum(ends, 0), constant_values=value)


# Another dtype


# The engine converts the gradient to the input's dtype.
convert = op("", "ToCopyBackward0", lambda self, dtype: self.astype(dtype), self=same)


@public("to", "method")
def to(self: Tensor, *args: Any, dtype: Any = None, device: Any = None, **flags: bool) -> Tensor:
    """The tensor in a dtype, or in that of another tensor; the tensor itself if it has it.

    A device may be named, too: the cpu. Of PyTorch's flags, `copy` forces a copy, and
    `non_blocking` has no meaning here.
    """
    for arg in args:
        if isinstance(arg, Tensor | dtypes.dtype | type):
            dtype = arg.dtype if isinstance(arg, Tensor) else arg
        elif not isinstance(arg, bool):  # the flags non_blocking and copy
            device = arg
    require_cpu(device)
    kind = dtypes.numpy_dtype(dtype, self._array.dtype)
    if kind == self._array.dtype and not flags.get("copy"):
        return self
    return convert(self if kind.kind == "f" else self.detach(), kind)


def cast_method(dtype: dtypes.dtype) -> None:
    """Declare a method such as `Tensor.float`."""

    def cast(self: Tensor) -> Tensor:
        return to(self, dtype)

    cast.__doc__ = f"The tensor in {dtype}."
    public(dtypes.TITLES[dtype.numpy].lower(), "method")(cast)


for _dtype in dtypes.ALL:
    cast_method(_dtype)


@public("type", "method")
def type_(self: Tensor, dtype: Any = None) -> Any:
    """The name of the tensor's type, ``torch.FloatTensor``, or the tensor in another type."""
    if dtype is None:
        return self.dtype.type
    dtype = {one.type: one for one in dtypes.ALL}.get(dtype, dtype)
    return to(self, dtype=getattr(dtype, "dtype", dtype))


@public("type_as", "method")
def type_as(self: Tensor, other: Tensor) -> Tensor:
    """The tensor in the dtype of another one."""
    return to(self, other)


@public("cpu", "method")
def cpu(self: Tensor) -> Tensor:
    """The tensor itself, which is on the cpu."""
    return self


@public("cuda", "method")
def cuda(self: Tensor, device: Any = None) -> Tensor:
    """Raises AssertionError: there is no such device."""
    return to(self, "cuda")


# Into a tensor: these are published in place only, as `copy_`, `fill_` and `zero_`.


@op("", "CopyBackwards", self=no_gradient, other=same)
def copy_op(self: Array, other: Array) -> Array:
    return broadcast(other.astype(self.dtype), np.broadcast_shapes(self.shape, other.shape))


copy_op.declaration.node_class.name = lambda self: "torch::autograd::CopyBackwards"


@public("copy", "inplace")
def copy(self: Tensor, other: Any, non_blocking: bool = False) -> Tensor:
    """The elements of another tensor, or a number, converted and broadcast."""
    if not isinstance(other, Tensor):
        return fill_number(self, other)
    return copy_op(self, other if self._array.dtype.kind == "f" else other.detach())


def filled(self: Array, value: Any) -> Array:
    is_array = isinstance(value, np.ndarray)
    return np.full_like(self, value if is_array else dtypes.cast(value, self.dtype))


fill_number = op("", "FillBackward2", filled, self=no_gradient)
fill_tensor = op("", "FillBackward3", filled, self=no_gradient, value=lambda grad: grad.sum())


@public("fill", "inplace")
def fill(self: Tensor, value: Any) -> Tensor:
    """A number, or the value of a 0-d tensor, in every element."""
    if not isinstance(value, Tensor):
        return fill_number(self, value)
    return fill_tensor(self, value if self._array.dtype.kind == "f" else value.detach())


@op("zero", "ZeroBackward0", variants="inplace", self=no_gradient)
def zero(self: Array) -> Array:
    """Zeros."""
    return np.zeros_like(self)
