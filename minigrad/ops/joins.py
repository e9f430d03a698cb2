"""One tensor divided into several views, and several joined into one."""

# Formulas may call the operation that they belong to. Operations take and give arrays or Tensors.
# mypy: disable-error-code="has-type, no-any-return"

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.graph import Array
from minigrad.op import op
from minigrad.ops.shapes import Shape, along, select, slice_op
from minigrad.public import public
from minigrad.shape import wrap_dim
from minigrad.tensor import Tensor


def same_dtype(arrays: Sequence[Array]) -> list[Array]:
    """The arrays in the dtype that all of them meet in."""
    dtype = functools.reduce(dtypes.promote, {array.dtype for array in arrays})
    return [array.astype(dtype, copy=False) for array in arrays]


def cat_parts(grad: Any, tensors_shape: Sequence[Shape], dim: int) -> list[Any]:
    """The gradients of the tensors that were joined."""
    dim, start, parts = wrap_dim(dim, grad.ndim), 0, list[Any]()
    for shape in tensors_shape:
        fits = len(shape) == grad.ndim  # an empty 1-d tensor had no part
        end = start + (shape[dim] if fits else 0)
        part = slice_op(grad, dim, slice(start, end))
        parts.append(part if fits else part.reshape(shape))
        start = end
    return parts


@op("cat concat concatenate", "CatBackward0", kind="list", variants="function", tensors=cat_parts)
def cat(tensors: Sequence[Array], dim: int = 0) -> Array:
    """The tensors joined along a dimension. An empty 1-d tensor fits every other.

    Raises RuntimeError if their other sizes differ.
    """
    if not tensors:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    arrays = same_dtype(tensors)
    arrays = [array for array in arrays if array.shape != (0,)] or arrays
    first, dim = arrays[0].shape, wrap_dim(dim, arrays[0].ndim)
    for number, array in enumerate(arrays):
        for axis, (expected, size) in enumerate(zip(first, array.shape, strict=False)):
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
    for number, array in enumerate(tensors):
        if array.shape != tensors[0].shape:
            raise RuntimeError(
                "stack expects each tensor to be equal size, but got "
                f"{list(tensors[0].shape)} at entry 0 and {list(array.shape)} at entry {number}"
            )
    return np.stack(same_dtype(tensors), dim)


VIEWS: dict[str, Any] = {"kind": "view", "outputs": "several views"}


@op("unbind", "UnbindBackward0", **VIEWS, self=lambda grads, dim: stack(grads, dim))
def unbind(self: Array, dim: int = 0) -> tuple[Array, ...]:
    """Views of each index of a dimension."""
    parts = np.moveaxis(self, wrap_dim(dim, self.ndim), 0)
    return tuple(parts[index, ...] for index in range(len(parts)))  # 0-d views, not scalars


def divide(self: Array, sizes: Shape, dim: int) -> tuple[Array, ...]:
    ends = np.cumsum(sizes)
    parts = zip(ends, sizes, strict=True)
    return tuple(self[along(dim, slice(end - size, end))] for end, size in parts)


def divide_formula(grads: Any, dim: int) -> Any:
    return cat(grads, dim)


split_evenly = op("", "SplitBackward0", divide, **VIEWS, self=divide_formula)
split_with_sizes = op("", "SplitWithSizesBackward0", divide, **VIEWS, self=divide_formula)


@public("split")
def split(
    self: Tensor, split_size_or_sections: int | Sequence[int], dim: int = 0
) -> tuple[Tensor, ...]:
    """Views of parts of one size, of which the last may be smaller, or of these sizes."""
    if self.ndim == 0:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    size, dim = split_size_or_sections, wrap_dim(dim, self.ndim)
    whole = self.shape[dim]
    if isinstance(size, int):
        count, rest = divmod(whole, size)
        return split_evenly(self, (size,) * count + (rest,) * (rest > 0 or count == 0), dim)
    if sum(size) != whole:
        raise RuntimeError(f"split_with_sizes expects split_sizes to sum exactly to {whole}")
    return split_with_sizes(self, tuple(size), dim)


@public("chunk")
def chunk(self: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Views of at most `chunks` parts of one size, of which the last may be smaller."""
    if self.ndim == 0:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    return split(self, max(1, -(-self.shape[dim] // chunks)), dim)
