"""Elements chosen by index, by mask or by their order: ``x[...]``, gather, scatter, sort."""

# Formulas may call the operation that they belong to. Operations take and give arrays or Tensors.
# mypy: disable-error-code="has-type, no-any-return"

from __future__ import annotations

import operator
from typing import Any, NamedTuple

import numpy as np

from minigrad import dtypes
from minigrad.graph import Array
from minigrad.op import op
from minigrad.ops import shapes
from minigrad.ops.copies import copy, fill
from minigrad.ops.shapes import Shape, along, at, same
from minigrad.public import public
from minigrad.saved import to_array
from minigrad.shape import wrap_dim
from minigrad.tensor import Tensor, from_array

Indices = tuple[Any, ...]  # tensors or full slices; a mask covers several dimensions

INPLACE = "function method inplace"
INDEX_OF_NUMBER = (
    "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ "
    "to convert a 0-dim tensor to a number"
)


def zeros_for(grad: Any, shape: Shape) -> Any:
    """Zeros of a shape to collect a gradient in: an array or a Tensor, as the gradient is."""
    zeros = np.zeros(shape, to_array(grad).dtype)
    return from_array(zeros) if isinstance(grad, Tensor) else zeros


def written(self: Array, indices: Any, values: Any, write: Any = operator.setitem) -> Array:
    """A copy of an array into which values are written, or added by ``np.add.at``."""
    result = self.copy()
    write(np.atleast_1d(result), indices, values)
    return result


def index_formula(grad: Any, self_shape: Shape, indices: Indices) -> Any:
    return add_at(zeros_for(grad, self_shape), indices, grad)


index = op("", "IndexBackward0", at, self=index_formula)


@op("", "IndexPutImplBackward0", self=same, values=index)
def add_at(self: Array, indices: Indices, values: Array) -> Array:
    """Fresh zeros, to which values are added; those for the same element are summed."""
    once = all(isinstance(one, slice) or one.dtype.kind == "b" for one in indices)
    write: Any = operator.setitem if once else np.add.at  # which takes longer
    write(self, indices, values)
    return self


def index_put_formula(grad: Any, indices: Indices) -> Any:
    return index_put(grad, indices, 0)


index_put = op("", "IndexPutBackward0", written, self=index_put_formula, values=index)


# What is in the brackets: views first, then one operation for all lists and tensors


def index_item(item: Any) -> Any:
    """One item of a key: None, ..., a bool, an int, a slice, or a Tensor with dimensions."""
    if isinstance(item, list | tuple | range | np.ndarray | np.generic):
        item = from_array(np.asarray(item, None if np.size(item) else np.int64))
    if not isinstance(item, Tensor):
        if item is None or item is ... or isinstance(item, int | slice):
            return item
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are "
            f"valid indices (got {type(item).__name__})"
        )
    if item._array.dtype.kind == "f":
        raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    if item._array.dtype == np.uint8:  # a mask, as comparisons gave before PyTorch had bool
        item = item.bool()
    return item if item.ndim else item._array.item()


def dims_of(item: Any) -> int:
    """How many dimensions of the tensor an item stands for."""
    if isinstance(item, Tensor):
        return item.ndim if item._array.dtype.kind == "b" else 1
    return 0 if item is None or item is ... or isinstance(item, bool) else 1


def cut(self: Tensor, dim: int, part: slice) -> Tensor:
    size = self._array.shape[dim]
    start, stop, step = part.indices(size)
    if step < 0:
        raise ValueError("step must be greater than zero")
    whole = (start, stop, step) == (0, size, 1)
    return self if whole else shapes.slice_op(self, dim, slice(start, stop, step))


def basic_part(self: Tensor, key: Any) -> tuple[Tensor, Indices]:
    """The view that ints, slices, None and ... give, and the indices to apply to it."""
    if not self.ndim and isinstance(key, slice):
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    if not self.ndim and type(key) is int:
        raise IndexError(INDEX_OF_NUMBER)
    if isinstance(key, list) and any(isinstance(one, list | slice | Tensor) for one in key):
        key = tuple(key)
    items = [index_item(item) for item in (key if isinstance(key, tuple) else (key,))]
    rest = self.ndim - sum(map(dims_of, items))  # what ... stands for
    if rest < 0:
        raise IndexError(f"too many indices for tensor of dimension {self.ndim}")
    part, dim, indices = self, 0, list[Any]()
    for item in items:
        if type(item) is int:
            part = shapes.select(part, dim, item)
        elif isinstance(item, slice):
            part, dim = cut(part, dim, item), dim + 1
        elif item is ...:
            dim += rest
        else:
            part = part if isinstance(item, Tensor) else shapes.unsqueeze(part, dim)
            if isinstance(item, bool):  # all of the new dimension, or nothing of it
                item = from_array(np.zeros(int(item), np.int64))
            if item is not None:
                skipped = dim - sum(map(dims_of, indices))
                indices += [slice(None)] * skipped + [item]
            dim += 1 if item is None else dims_of(item)
    return part, tuple(indices)


@public("__getitem__", "method")
def getitem(self: Tensor, key: Any) -> Tensor:
    """``x[key]``: a view for ints, slices, None and ...; a copy for lists, tensors and masks.

    Raises IndexError for an index that is out of bounds, or for too many.
    """
    if type(key) is int and self.ndim:  # most calls
        return shapes.select(self, 0, key)
    part, indices = basic_part(self, key)
    if indices:
        return index(part, indices)
    if part is not self:
        return part
    return shapes.slice_op(self, 0, slice(None)) if isinstance(key, slice) else shapes.alias(self)


@public("__setitem__", "method")
def setitem(self: Tensor, key: Any, value: Any) -> None:
    """``x[key] = value``: an in-place change of a part, to a number or a tensor to broadcast.

    Raises as ``x[key]`` does, and RuntimeError if the value doesn't fit.
    """
    part, indices = basic_part(self, key)
    if isinstance(value, int | float | np.integer):
        value = from_array(np.asarray(dtypes.cast(value, self._array.dtype)))
    if not isinstance(value, Tensor):
        raise TypeError(f"can't assign a {dtypes.type_name(value)} to a {self.type()}")
    if indices:
        if part.requires_grad:
            part._check_in_place()
        if value.dtype is not self.dtype:
            titles = [dtypes.TITLES[one._array.dtype] for one in (self, value)]
            raise RuntimeError(
                "Index put requires the source and destination dtypes match, got "
                f"{titles[0]} for the destination and {titles[1]} for the source."
            )
    shape, target = value.shape, part.shape
    ones = next((dim for dim, size in enumerate(shape) if size != 1), len(shape))
    if ones if indices else shape and shape != target:
        value = shapes.view(value, shape[ones:])  # leading ones don't count
    if indices:
        result = index_put(part, indices, value)
    elif shape or not target:
        result = copy(part, value if value.shape == target else shapes.expand(value, target))
    else:
        result = fill(part, value)
    part._overwrite(result)


# Along a dimension


def key_along(self: Array, dim: int, index: Array) -> tuple[Any, ...]:
    """The numpy key of the elements that `index` names in a dimension; in the others, they are at
    the same place as in `index`. Raises RuntimeError for an index that doesn't fit."""
    dim, size = wrap_dim(dim, self.ndim), np.atleast_1d(self).shape
    if max(index.ndim, 1) != len(size):
        raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
    outside = index[(index < 0) | (index >= size[dim])]
    if outside.size:
        raise RuntimeError(
            f"index {outside.flat[0]} is out of bounds for dimension {dim} with size {size[dim]}"
        )
    key: list[Any] = list(np.ogrid[tuple(map(slice, np.atleast_1d(index).shape))])
    key[dim] = np.atleast_1d(index)
    return tuple(key)


def gather_formula(grad: Any, self: Any, dim: int, index: Any) -> Any:
    return scatter_add(zeros_for(grad, self.shape), dim, index, grad)


@op("gather", "GatherBackward0", self=gather_formula)
def gather(self: Array, dim: int, index: Array) -> Array:
    """``result[i, j] = self[index[i, j], j]`` for dimension 0, and so on: one element per index.

    Raises RuntimeError for an index that is out of bounds or has other dimensions.
    """
    return np.atleast_1d(self)[key_along(self, dim, index)].reshape(index.shape)


def put(self: Array, dim: int, index: Array, src: Any, write: Any = operator.setitem) -> Array:
    """A copy into which values are written, or added, at indices of a dimension."""
    key = key_along(self, dim, index)
    if not isinstance(src, np.ndarray):
        src = dtypes.cast(src, self.dtype)
    elif src.dtype != self.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    else:
        src = src[tuple(map(slice, index.shape))]
    return written(self, key, src, write)


def scatter_formula(grad: Any, dim: int, index: Any) -> Any:
    return scatter_number(grad, dim, index, 0)


scatter_tensor = op("", "ScatterBackward0", put, self=scatter_formula, src=gather)
scatter_number = op("", "ScatterBackward1", put, self=scatter_formula)


@public("scatter", INPLACE)
def scatter(self: Tensor, dim: int, index: Tensor, src: Any = None, *, value: Any = None) -> Tensor:
    """``result[index[i, j], j] = src[i, j]`` for dimension 0, and so on; elsewhere as before.

    The source is a tensor or a number. Raises as `gather` does.
    """
    src = value if src is None else src
    return (scatter_tensor if isinstance(src, Tensor) else scatter_number)(self, dim, index, src)


@op("scatter_add", "ScatterAddBackward0", variants=INPLACE, self=same, src=gather)
def scatter_add(self: Array, dim: int, index: Array, src: Array) -> Array:
    """As `scatter`, but the source is added to what is there."""
    return put(self, dim, index, src, np.add.at)


def index_select_formula(grad: Any, self_shape: Shape, dim: int, index: Any) -> Any:
    return index_add(zeros_for(grad, self_shape), dim, index, grad)


@op("index_select", "IndexSelectBackward0", self=index_select_formula)
def index_select(self: Array, dim: int, index: Array) -> Array:
    """The parts of a dimension that a vector of indices names.

    Raises IndexError for an index that is out of bounds.
    """
    size = np.atleast_1d(self).shape[wrap_dim(dim, self.ndim)]
    if np.any((index < 0) | (index >= size)):
        raise IndexError("index out of range in self")
    return np.take(self, np.ravel(index), dim)


def source_formula(grad: Any, source_shape: Shape, dim: int, index: Any) -> Any:
    return shapes.expand_op(index_select(grad, dim, index), source_shape)


@op("index_add", "IndexAddBackward0", self=same, source=source_formula)
def index_add(self: Array, dim: int, index: Array, source: Array) -> Array:
    """A copy in which parts of a source are added to the parts that a vector of indices names."""
    return written(self, along(wrap_dim(dim, self.ndim), index), source, np.add.at)


# By a mask


def unmasked(grad: Any, mask: Any) -> Any:
    return masked_fill_number(grad, mask, 0)


def where_masked(self: Array, mask: Array, value: Any) -> Array:
    return np.where(mask, dtypes.cast(value, self.dtype), self)


def masked_sum(grad: Any, mask: Any) -> Any:
    return (grad * mask).sum()


masked_fill_number = op("", "MaskedFillBackward0", where_masked, self=unmasked)
masked_fill_tensor = op("", "MaskedFillBackward1", where_masked, self=unmasked, value=masked_sum)


@public("masked_fill", INPLACE)
def masked_fill(self: Tensor, mask: Tensor, value: Any) -> Tensor:
    """A copy with a number, or the value of a 0-d tensor, where a mask is True."""
    if mask.dtype is not dtypes.bool_:
        raise RuntimeError(f"masked_fill_ only supports boolean masks, but got {mask.dtype}")
    if not isinstance(value, Tensor):
        return masked_fill_number(self, mask, value)
    if value.ndim:
        raise RuntimeError(
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{value.ndim} dimension(s)."
        )
    return masked_fill_tensor(self, mask, value)


# By order


class ValuesAndIndices(NamedTuple):
    """What `sort` and others return: elements, and where they were."""

    values: Tensor
    indices: Tensor

    def __repr__(self) -> str:
        name = type(self).__name__
        return f"torch.return_types.{name}(\nvalues={self.values!r},\nindices={self.indices!r})"


def scatter_grad(grads: Any, self_shape: Shape, dim: int, indices: Any) -> Any:
    """The gradient of elements that came from these indices: there, and zeros elsewhere."""
    return scatter_tensor(zeros_for(grads[0], self_shape), dim, indices, grads[0])


def ordered(self: Array, dim: int, descending: bool, count: int | None) -> tuple[Array, ...]:
    """The first elements in order, and where they were. Equal ones keep their order; NaN counts as
    the greatest."""
    dim, whole = wrap_dim(dim, self.ndim), np.atleast_1d(self)
    if count is not None and not 0 <= count <= whole.shape[dim]:
        raise RuntimeError("selected index k out of range")
    if descending:
        backwards = np.argsort(np.flip(whole, dim), dim, kind="stable")
        order = whole.shape[dim] - 1 - np.flip(backwards, dim)
    else:
        order = np.argsort(whole, dim, kind="stable")
    indices = order[along(dim, slice(count))]
    both = np.take_along_axis(whole, indices, dim), indices
    return both if self.ndim else tuple(one.reshape(()) for one in both)


sort_op, topk_op = (
    op("", f"{name}Backward0", ordered, outputs="values indices", self=scatter_grad)
    for name in ("Sort", "Topk")
)
SortResult = type("sort", (ValuesAndIndices,), {})
TopkResult = type("topk", (ValuesAndIndices,), {})


@public("sort")
def sort(self: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Any:
    """The elements in order along a dimension, and where they were. Equal ones keep their order."""
    return SortResult(*sort_op(self, dim, descending, None))


@public("argsort")
def argsort(self: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """Where the elements are that `sort` gives."""
    return sort(self, dim, descending).indices


@public("topk")
def topk(self: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """The `k` largest elements along a dimension, or the smallest, and where they were."""
    return TopkResult(*topk_op(self, dim, largest, k))


@op("unique", "")
def unique(
    self: Array,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """Each element once, in order, or each index of a dimension; also where each element is among
    them (`return_inverse`), and how often they occur (`return_counts`)."""
    options: Any = (False, return_inverse, return_counts, dim)
    return np.unique(self, *options)


@op("nonzero", "")
def nonzero(self: Array, as_tuple: bool = False) -> Any:
    """The indices of the elements that aren't zero: a row for each, or a tensor per dimension."""
    return np.nonzero(np.atleast_1d(self)) if as_tuple else np.argwhere(self)
