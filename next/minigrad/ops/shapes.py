"""Operations that rearrange elements: views of the same memory, copies, and joins."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.op import ARRAYS, functions, no_gradient, op, public
from minigrad.tensor import Tensor, from_array

ndarray = np.ndarray


def broadcast(self: Any, shape: tuple[int, ...]) -> Any:
    """numpy's broadcast_to, in a tenth of its time."""
    if self.shape == shape:
        return self
    if not self.ndim:
        return ndarray(shape, self.dtype, np.asarray(self), 0, (0,) * len(shape))
    extra = len(shape) - self.ndim
    strides = tuple(
        0 if have == 1 != want else stride
        for have, want, stride in zip(self.shape, shape[extra:], self.strides)
    )
    return np.lib.stride_tricks.as_strided(self, shape, (0,) * extra + strides)


expand_op = op(
    "",
    "ExpandBackward0",
    lambda self, shape: broadcast(self, shape),
    kind="view",
    self=lambda grad: grad,
)


def expand(self: Any, *shape: Any) -> Any:
    """A view in which dimensions of size 1 are repeated."""
    shape, have = flat_shape(shape), tuple(self.shape)
    extra = len(shape) - len(have)
    if -1 in shape:
        shape = tuple(have[i - extra] if n == -1 else n for i, n in enumerate(shape))
    if extra < 0 or any(h not in (1, n) for h, n in zip(have, shape[extra:])):
        raise RuntimeError(
            f"The expanded size of the tensor ({shape[-1]}) must match the existing size "
            f"({have[-1]}) at non-singleton dimension {len(shape) - 1}.  Target sizes: "
            f"{list(shape)}.  Tensor sizes: {list(have)}"
        )
    return expand_op(self, shape)


def flat_shape(shape: tuple) -> tuple[int, ...]:
    """Sizes given one by one, or as one sequence."""
    one = len(shape) == 1 and isinstance(shape[0], (tuple, list))
    return tuple([int(n) for n in shape[0]] if one else [int(n) for n in shape])


view_op = op(
    "",
    "ViewBackward0",
    lambda self, shape: self.reshape(shape),
    kind="view",
    self=lambda grad, self_shape: grad.reshape(self_shape),
)
clone = op("clone", "CloneBackward0", lambda self: self.copy(), self=lambda grad: grad)
unsafe_view = op(
    "",
    "UnsafeViewBackward0",
    lambda self, shape: self.reshape(shape),
    self=lambda grad, self_shape: grad.reshape(self_shape),
)


def complete(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    """The shape with the size that was left open as -1."""
    known = math.prod(n for n in shape if n != -1)
    full = tuple(size // known if n == -1 and known else n for n in shape)
    if math.prod(full) != size:
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {size}")
    return full


def reshape(self: Any, *shape: Any) -> Any:
    full = complete(flat_shape(shape), self._array.size)
    try:
        self._array.reshape(full, copy=False)
    except ValueError:
        return unsafe_view(clone(self), full)
    return view_op(self, full)


def view(self: Any, *shape: Any) -> Any:
    if isinstance(shape[0], dtypes.dtype):
        return from_array(self._array.view(shape[0].numpy))
    full = complete(flat_shape(shape), self._array.size)
    try:
        self._array.reshape(full, copy=False)
    except ValueError:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces). Use .reshape(...) instead."
        ) from None
    return view_op(self, full)


def flatten(self: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    shape, n = tuple(self.shape) or (1,), max(self.ndim, 1)
    start, end = start_dim % n, end_dim % n
    return reshape(self, (*shape[:start], math.prod(shape[start : end + 1]), *shape[end + 1 :]))


public(lambda self, *shape: expand(self, *shape), "expand", "method")
public(lambda self, other: expand(self, other.shape), "expand_as", "method")
public(lambda self, *shape: reshape(self, *shape), "reshape")
public(view, "view", "method")
public(lambda self: self.detach(), "detach", "function")
public(lambda self, other: view(self, other.shape), "view_as", "method")
public(lambda self, other: reshape(self, other.shape), "reshape_as", "method")
public(flatten, "flatten")
public(lambda self: reshape(self, -1), "ravel")
public(lambda self: self if self._array.flags.c_contiguous else clone(self), "contiguous", "method")


def with_axis(a: np.ndarray, dim: int) -> np.ndarray:
    """numpy's expand_dims, in a tenth of its time."""
    if not -a.ndim - 1 <= dim <= a.ndim:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-a.ndim - 1}, {a.ndim}], but "
            f"got {dim})"
        )
    return a[(slice(None),) * (dim % (a.ndim + 1)) + (None,)]


unsqueeze = op(
    "unsqueeze",
    "UnsqueezeBackward0",
    lambda self, dim: with_axis(self, dim),
    kind="view",
    self=lambda grad, self_shape: grad.reshape(self_shape),
)
squeeze_all = op(
    "",
    "SqueezeBackward0",
    lambda self: self.squeeze(),
    kind="view",
    self=lambda grad, self_shape: grad.reshape(self_shape),
)
squeeze_dim = op(
    "",
    "SqueezeBackward1",
    lambda self, dim: self.squeeze(dim) if self.shape[dim] == 1 else self[:],
    kind="view",
    self=lambda grad, self_shape: grad.reshape(self_shape),
)


def squeeze(self: Any, dim: Any = None) -> Any:
    if dim is not None and not -max(self.ndim, 1) <= dim < max(self.ndim, 1):
        size = max(self.ndim, 1)
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-size}, {size - 1}], "
            f"but got {dim})"
        )
    return squeeze_all(self) if dim is None else squeeze_dim(self, dim)


public(squeeze, "squeeze")
transpose = op(
    "transpose swapaxes swapdims",
    "TransposeBackward0",
    lambda self, dim0, dim1: self.swapaxes(dim0, dim1) if self.ndim else self[...],
    kind="view",
    self=lambda grad, dim0, dim1: transpose(grad, dim0, dim1),
)
t = op("t", "TBackward0", lambda self: self.T, kind="view", self=lambda grad: t(grad))
permute_op = op(
    "",
    "PermuteBackward0",
    lambda self, dims: self.transpose(dims),
    kind="view",
    self=lambda grad, dims: permute_op(grad, tuple(np.argsort([d % len(dims) for d in dims]))),
)
public(lambda self, *dims: permute_op(self, flat_shape(dims)), "permute")
diagonal = op(
    "diagonal",
    "DiagonalBackward0",
    lambda self, offset=0, dim1=0, dim2=1: self.diagonal(offset, dim1, dim2),
    kind="view",
    self=lambda grad, self_shape, offset, dim1, dim2: diagonal_put(
        grad, self_shape, offset, dim1, dim2
    ),
)
diagonal_put = op(
    "",
    "DiagonalScatterBackward0",
    lambda self, shape, offset, dim1, dim2: put_diagonal(self, shape, offset, dim1, dim2),
    self=lambda grad, offset, dim1, dim2: diagonal(grad, offset, dim1, dim2),
)


def put_diagonal(a: np.ndarray, shape: tuple, offset: int, dim1: int, dim2: int) -> np.ndarray:
    result = np.zeros(shape, a.dtype)
    place = result.diagonal(offset, dim1, dim2)
    place.flags.writeable = True
    place[...] = a
    return result


# Parts

put = op(
    "",
    "IndexPutBackward0",
    lambda self, key, shape, add: put_array(self, key, shape, add),
    self=lambda grad, key: take(grad, key),
)


def put_array(a: Any, key: Any, shape: tuple[int, ...], add: bool) -> np.ndarray:
    """Zeros, but for what is put (or added, where a place occurs twice) at a key."""
    result = np.zeros(shape, a.dtype)
    if add:
        np.add.at(result, key, a)
    else:
        result[key] = a
    return result


def take(x: Any, key: Any) -> Any:
    return x[key] if isinstance(x, ARRAYS) else index(x, key)


def along(dim: int, what: Any) -> tuple:
    return (slice(None),) * dim + (what,)


def zeros_around(node_name: str) -> Any:
    """Zeros in which a gradient is put where a part was taken."""
    return op(
        "",
        node_name,
        lambda self, dim, part, shape: put_array(self, along(dim, part), shape, False),
        self=lambda grad, dim, part: take(grad, along(dim, part)),
    )


slice_put = zeros_around("SliceBackwardBackward0")
select_put = zeros_around("SelectBackwardBackward0")


select_op = op(
    "",
    "SelectBackward0",
    lambda self, dim, index: self[(*along(dim, index), ...)],
    kind="view",
    self=lambda grad, self_shape, dim, index: select_put(grad, dim, index, self_shape),
)
slice_op = op(
    "",
    "SliceBackward0",
    lambda self, dim, part: self[along(dim, part)],
    kind="view",
    self=lambda grad, self_shape, dim, part: slice_put(grad, dim, part, self_shape),
)
index = op(
    "",
    "IndexBackward0",
    lambda self, key: self[key],
    self=lambda grad, self_shape, key: put(grad, key, self_shape, True),
)
unbind = op(
    "",
    "UnbindBackward0",
    lambda self, dim: tuple(np.moveaxis(self, dim, 0)),
    kind="view",
    outputs="many of them",
    self=lambda grads, dim: functions["stack"](grads, dim),
)
split_op = op(
    "",
    "SplitBackward0",
    lambda self, sizes, dim: tuple(np.split(self, np.cumsum(sizes)[:-1], dim)),
    kind="view",
    outputs="many of them",
    self=lambda grads, dim: functions["cat"](grads, dim),
)


def select(self: Any, dim: int, index: int) -> Any:
    size, dim = self.shape[dim], dim % self.ndim
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of bounds for dimension {dim} with size {size}")
    return select_op(self, dim, index)


def split(self: Any, split_size_or_sections: Any, dim: int = 0) -> Any:
    sizes, whole = split_size_or_sections, self.shape[dim]
    if isinstance(sizes, int):
        sizes = [min(sizes, whole - start) for start in range(0, whole, sizes)]
    return split_op(self, tuple(sizes), dim)


def chunk(self: Any, chunks: int, dim: int = 0) -> Any:
    return split(self, -(-self.shape[dim] // chunks), dim)


public(select, "select")
public(lambda self, dim=0: unbind(self, dim), "unbind")
public(split, "split")
public(chunk, "chunk")
public(lambda self, dim, start, length: slice_op(self, dim, slice(start, start + length)), "narrow")


def basic_part(self: Tensor, key: Any) -> tuple[Tensor, tuple | None]:
    """The view that integers, slices, None and ... select, and the rest of the key."""
    if isinstance(key, list) and any(isinstance(k, (list, slice, Tensor)) for k in key):
        key = tuple(key)
    key = key if isinstance(key, tuple) else (key,)
    used = sum(
        k.ndim if isinstance(k, Tensor) and k._array.dtype.kind == "b" else 1
        for k in key
        if k is not None and k is not ... and not isinstance(k, bool)
    )
    if used > self.ndim:
        raise IndexError(f"too many indices for tensor of dimension {self.ndim}")
    dim, rest, x = 0, [], self
    for k in key:
        if k is ...:
            dim += self.ndim - used
        elif k is None or isinstance(k, bool):
            x, dim = unsqueeze(x, dim), dim + 1
            if k is not None:
                rest.append((dim - 1, np.array([k])))
        elif isinstance(k, slice):
            if k.step is not None and int(k.step) <= 0:
                raise ValueError("step must be greater than zero")
            if k != slice(None):
                x = slice_op(
                    x,
                    dim,
                    slice(*[None if n is None else int(n) for n in (k.start, k.stop, k.step)]),
                )
            dim += 1
        elif isinstance(k, (int, np.integer)) or (
            isinstance(k, Tensor) and k.ndim == 0 and k._array.dtype.kind in "iu"
        ):
            x = select(x, dim, int(k))
        else:
            array = k._array if isinstance(k, Tensor) else np.asarray(k)
            rest.append((dim, array))
            dim += array.ndim if array.dtype.kind == "b" else 1
    return x, full_key(rest) if rest else None


def full_key(rest: list) -> tuple:
    key: list[Any] = []
    at = 0
    for dim, array in rest:
        key += [slice(None)] * (dim - at) + [array]
        at = dim + (array.ndim if array.dtype.kind == "b" else 1)
    return tuple(key)


def getitem(self: Tensor, key: Any) -> Tensor:
    part, rest = basic_part(self, key)
    if rest is not None:
        try:
            return index(part, rest)
        except IndexError as error:
            raise IndexError(str(error).replace("axis", "dimension")) from None
    return (
        slice_op(self, 0, slice(None))
        if part is self and self.ndim
        else (part if part is not self else view_op(self, ()))
    )


index_put = op(
    "",
    "IndexPutBackward0",
    lambda self, values, key, add: put_into(self.copy(), values, key, add),
    self=lambda grad, key, add: grad if add else erase(grad, key),
    values=lambda grad, key: take(grad, key),
)
erase = op(
    "",
    "IndexPutBackward0",
    lambda self, key: put_into(self.copy(), 0, key, False),
    self=lambda grad, key: erase(grad, key),
)


def put_into(a: np.ndarray, values: Any, key: Any, add: bool) -> np.ndarray:
    if add:
        np.add.at(a, key, values)
    else:
        a[key] = values
    return a


def setitem(self: Tensor, key: Any, value: Any) -> None:
    part, rest = basic_part(self, key)
    if not isinstance(value, Tensor):
        value = from_array(np.asarray(value, self._array.dtype))
    if rest is None:
        part.copy_(value)
    else:
        part._overwrite(index_put(part, value, rest, False))


Tensor.__getitem__, Tensor.__setitem__ = getitem, setitem
gather = op(
    "gather",
    "GatherBackward0",
    lambda self, dim, index: np.take_along_axis(self, index, dim),
    self=lambda grad, self_shape, dim, index: put(grad, grid(index, dim), self_shape, True),
)


def grid(index: Any, dim: int) -> tuple:
    index = index._array if isinstance(index, Tensor) else index
    key = list(np.ogrid[tuple(map(slice, index.shape))])
    key[dim] = index
    return tuple(key)


index_select = op(
    "index_select",
    "IndexSelectBackward0",
    lambda self, dim, index: np.take(self, index, dim),
    self=lambda grad, self_shape, dim, index: put(
        grad, along(dim, np.asarray(getattr(index, "_array", index))), self_shape, True
    ),
)
masked_fill = op(
    "masked_fill",
    "MaskedFillBackward0",
    lambda self, mask, value: np.where(mask, self.dtype.type(value), self),
    variants="function method inplace",
    self=lambda grad, mask: grad * (mask == 0),
)
masked_select = public(lambda self, mask: index(self, (mask._array,)), "masked_select")

# Copies

flip_op = op(
    "",
    "FlipBackward0",
    lambda self, dims: np.flip(self, dims).copy(),
    self=lambda grad, dims: flip_op(grad, dims),
)


def flip(self: Any, *dims: Any) -> Any:
    return flip_op(self, flat_shape(dims))


public(flip, "flip")
roll = op(
    "roll",
    "RollBackward0",
    lambda self, shifts, dims=None: np.roll(self, shifts, dims),
    self=lambda grad, shifts, dims: roll(grad, -shifts, dims),
)
tril = op(
    "tril",
    "TrilBackward0",
    lambda self, diagonal=0: np.tril(self, diagonal),
    self=lambda grad, diagonal: tril(grad, diagonal),
)
triu = op(
    "triu",
    "TriuBackward0",
    lambda self, diagonal=0: np.triu(self, diagonal),
    self=lambda grad, diagonal: triu(grad, diagonal),
)
repeat_op = op(
    "",
    "RepeatBackward0",
    lambda self, repeats: np.tile(self, repeats),
    self=lambda grad, self_shape, repeats: fold(grad, self_shape, repeats),
)


def fold(grad: Any, shape: tuple[int, ...], repeats: tuple[int, ...]) -> Any:
    shape = (1,) * (len(repeats) - len(shape)) + shape
    pairs = [n for pair in zip(repeats, shape) for n in pair]
    return grad.reshape(pairs).sum(tuple(range(0, len(pairs), 2)))


public(lambda self, *repeats: repeat_op(self, flat_shape(repeats)), "repeat tile", "method")


# Conversions, and what is copied into a tensor

convert = op("", "ToCopyBackward0", lambda self, dtype: self.astype(dtype), self=lambda grad: grad)


def to(self: Tensor, *args: Any, dtype: Any = None, copy: bool = False, **_: Any) -> Tensor:
    """The tensor in another dtype; other devices there are none."""
    for one in args:
        is_dtype = isinstance(one, (dtypes.dtype, type))
        dtype = one if is_dtype else getattr(one, "dtype", dtype)
    kind = dtypes.numpy_dtype(dtype, self._array.dtype)
    if kind == self._array.dtype:
        return clone(self) if copy else self
    return convert(self if kind.kind == "f" else self.detach(), kind)


public(to, "to", "method")
for name in "float double half short int long byte".split():
    public(lambda self, dtype=getattr(dtypes, name): to(self, dtype), name, "method")
public(lambda self: to(self, dtypes.bool_), "bool", "method")
public(lambda self, *_, **__: self, "cpu cuda", "method")
public(lambda self, other: to(self, other.dtype), "type_as", "method")
copied = op(
    "",
    "CopyBackwards",
    lambda self, src: broadcast(src.astype(self.dtype), self.shape).copy(),
    self=no_gradient,
    src=lambda grad: grad,
)
filled = op("", "FillBackward0", lambda self, value: np.full_like(self, value), self=no_gradient)
zeroed = op("", "ZeroBackward0", lambda self: np.zeros_like(self), self=no_gradient)


def copy_(self: Tensor, src: Tensor, non_blocking: bool = False) -> Tensor:
    if not isinstance(src, Tensor):
        src = from_array(np.asarray(src))
    expand(src, self.shape)
    return self._overwrite(copied(self, src))


def unsqueeze_(self: Tensor, dim: int) -> Tensor:
    if self.requires_grad:
        raise RuntimeError("unsqueeze_: not supported where a gradient is required")
    self._array = np.expand_dims(self._array, dim)
    return self


public(unsqueeze_, "unsqueeze_", "method")
public(copy_, "copy_", "method")
public(filled, "fill", "inplace")
public(zeroed, "zero", "inplace")
public(lambda self, fill_value=None: self, "alias", "method")
