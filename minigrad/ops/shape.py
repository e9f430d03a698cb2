"""Operations that show, repeat, join or reorder elements without computing with them.

Most results are views: they share the memory of what they show. The sums that undo broadcasting
are here too, since a sum and an expansion are each other's gradient.
Source: https://github.com/pytorch/pytorch/blob/main/tools/autograd/derivatives.yaml
"""

# Formulas refer to operations that are declared below them.
# mypy: disable-error-code="has-type"

from __future__ import annotations

import builtins
import itertools
import math
from collections.abc import Sequence
from operator import index as as_index
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.autograd.bridge import tensors as engine_tensors
from minigrad.autograd.grad_mode import state
from minigrad.autograd.node import Array, Gradient
from minigrad.c_code import type_name
from minigrad.data import checked_sizes
from minigrad.layout import check_format, contiguous_format
from minigrad.memory import in_line, laid_out_as, seen_as, strides
from minigrad.ops.calls import as_function
from minigrad.ops.check import (
    check,
    check_shapes,
    checked_dims,
    checked_tensors,
    integers,
    length_along,
    lengths,
)
from minigrad.ops.define import define, hidden
from minigrad.ops.pointwise import to_dtype
from minigrad.ops.promotion import broadcasting_error, check_tensor
from minigrad.ops.registry import Operation, public
from minigrad.outside import warn
from minigrad.size import Size, checked_dim
from minigrad.summing import sums, total
from minigrad.tensor import Tensor, from_array

FUNCTION = "function"
METHOD = "method"
PROPERTY = "property"
ALL = "function method inplace"

TO_THE_END = 2**63 - 1
_sum: Any = np.add.reduce

T_OF_OTHER_NDIM = (
    "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated "
    "and it will throw an error in a future release. Consider `x.mT` to transpose batches of "
    "matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a "
    "tensor."
)
OF_A_NUMBER = (
    "Tensor.{} is deprecated on 0-D tensors. This function is the identity in these cases."
)
NOT_A_VIEW = (
    "view size is not compatible with input tensor's size and stride (at least one dimension spans "
    "across two contiguous subspaces). Use .reshape(...) instead."
)
INDEXING = (
    "torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument."
)


# Other sizes for the same elements


def viewed(self: Array, size: tuple[int, ...]) -> Array:
    """Return the same memory in another shape.

    Raises:
        RuntimeError: if there is no such view, with PyTorch's texts.
    """
    try:
        if self.flags.c_contiguous:
            return self.reshape(size)
        return self.reshape(size, copy=False)
    except ValueError:
        raise RuntimeError(why_no_view(self, size)) from None


def why_no_view(self: Array, size: tuple[int, ...]) -> str:
    """Return PyTorch's reason why an array cannot be seen in that shape."""
    if size.count(-1) > 1:
        return "only one dimension can be inferred"
    known = math.prod(length for length in size if length != -1)
    if -1 in size and self.size == known == 0:
        return (
            f"cannot reshape tensor of 0 elements into shape {list(size)} because the unspecified "
            "dimension size -1 can be any value and is ambiguous"
        )
    fits = known and self.size % known == 0 if -1 in size else known == self.size
    return NOT_A_VIEW if fits else f"shape '{list(size)}' is invalid for input of size {self.size}"


def reshaped(input: Any, size: tuple[int, ...]) -> Any:
    """Return an array or tensor in another shape, recorded as PyTorch does."""
    if not isinstance(input, Tensor):
        return input.reshape(size)
    array = input._array
    if array.flags.c_contiguous:
        return view_as_size(input, size)
    if is_viewable(array, size):
        return reshape_alias(input, size)
    return unsafe_view(contiguous_clone(input), size)


def is_viewable(array: Array, size: tuple[int, ...]) -> bool:
    """Return whether such a shape would need no copy; True also if it does not fit at all."""
    try:
        viewed(array, size)
    except RuntimeError as error:
        return str(error) != NOT_A_VIEW
    return True


def shaped_back(grad: Any, self_sym_sizes: tuple[int, ...]) -> Any:
    """Return the gradient of what was seen in another shape."""
    return reshaped(grad, self_sym_sizes)


view_as_size = hidden("ViewBackward0", viewed, view=True, self=shaped_back)
reshape_alias = hidden("ReshapeAliasBackward0", viewed, view=True, self=shaped_back)
unsafe_view = hidden("UnsafeViewBackward0", viewed, self=shaped_back)
contiguous_clone = hidden("CloneBackward0", lambda self: self.copy(), self=lambda grad: grad)


@public("view", METHOD)
def view(input: Tensor, *shape: Any, size: Any = None, dtype: Any = None) -> Any:
    """Return the same memory seen with another shape; one length may be -1, to be worked out.

    With a dtype instead of a shape the memory is read as elements of that dtype.

    Raises:
        RuntimeError: if the shape has another number of elements, or the elements do not lie in
            memory in such a way.

    >>> import minigrad as torch
    >>> torch.arange(6).view(2, -1)
    tensor([[0, 1, 2],
            [3, 4, 5]])
    """
    if dtype is None and len(shape) == 1 and dtypes.of_python(shape[0]):
        dtype, shape = shape[0], ()
    if dtype is None:
        return view_as_size(input, lengths("view", "size", shape if size is None else (size,)))
    wanted = dtypes.of_python(dtype)
    if wanted is None or shape or size is not None:
        raise TypeError("view() takes a dtype or a size")
    return viewed_as(input, wanted)


def viewed_as(input: Tensor, dtype: dtypes.dtype) -> Any:
    """Return the same memory read as elements of another dtype, without a gradient.

    Raises:
        RuntimeError: if the elements are of another size, and do not fill or divide the last
            dimension.
    """
    array, before, after = input._array, input.dtype, dtype.itemsize
    if after != before.itemsize:
        names = (before.scalar_name, dtype.scalar_name)
        other = f" to view {names[0]} as {names[1]} (different element sizes)"
        check(array.ndim, "self.dim() cannot be 0" + other)
        step = array.strides[-1] // array.itemsize
        check(step == 1, "self.stride(-1) must be 1" + other + ", but got {}", step)
        ratio, length = after // before.itemsize, array.shape[-1]
        text = "self.size(-1) must be divisible by {}" + other + ", but got {}"
        check(ratio < 2 or length % ratio == 0, text, ratio, length)
    result = input._alias()
    result._value = array.view(dtype.numpy_dtype)
    return result


@public("reshape")
def reshape(input: Tensor, *sizes: Any, shape: Any = None) -> Any:
    """Return a tensor of another shape: a view if that is possible, otherwise a copy.

    Raises:
        RuntimeError: if the shape has another number of elements.

    >>> import minigrad as torch
    >>> torch.reshape(torch.arange(6), (2, -1))
    tensor([[0, 1, 2],
            [3, 4, 5]])
    """
    return reshaped(input, lengths("reshape", "shape", sizes if shape is None else (shape,)))


@public("view_as", METHOD)
def view_as(input: Tensor, other: Tensor) -> Any:
    """Return ``input.view(other.size())``."""
    return view_as_size(input, other._array.shape)


@public("reshape_as", METHOD)
def reshape_as(input: Tensor, other: Tensor) -> Any:
    """Return ``input.reshape(other.size())``."""
    return reshaped(input, other._array.shape)


@public("flatten")
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Any:
    """Make one dimension of those from `start_dim` to `end_dim`.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if `start_dim` comes after `end_dim`.
    """
    shape = input._array.shape
    start, end = checked_dim(start_dim, len(shape)), checked_dim(end_dim, len(shape))
    check(start <= end, "flatten() has invalid args: start_dim cannot come after end_dim")
    if shape and start == end:
        return input
    length = math.prod(shape[start : end + 1])
    return reshaped(input, (*shape[:start], length, *shape[end + 1 :]))


@public("ravel")
def ravel(input: Tensor) -> Any:
    """Return a tensor with one dimension."""
    return view_as_size(contiguous(input), (-1,))


@public("unflatten")
def unflatten(input: Tensor, dim: int, sizes: Sequence[int]) -> Any:
    """Make several dimensions of one; one of the `sizes` may be -1.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if the sizes do not multiply up to its length.
    """
    text = "unflatten(): argument 'sizes' (position 2) must be tuple of ints, not {}"
    check(isinstance(sizes, (tuple, list)), text, type_name(sizes), error=TypeError)
    text = text.replace("not {}", "but found element of type bool at pos 0")
    check(not isinstance(next(iter(sizes), None), bool), text, error=TypeError)
    shape, sizes = input._array.shape, [as_index(size) for size in sizes]
    check(sizes, "unflatten: sizes must be non-empty")
    dim = checked_dim(dim, len(shape))
    nowhere = (
        "unflatten got an unexpected error:\nDimension specified as 0 but tensor has no dimensions"
    )
    check(shape, nowhere)
    inferred = sizes.count(-1)
    check(inferred < 2, "unflatten got an unexpected error:\nonly one dimension can be inferred")
    known = math.prod(size for size in sizes if size != -1)
    fits = shape[dim] % known == 0 if inferred and known else shape[dim] == known
    text = (
        "unflatten: Provided sizes {} don't multiply up to the size of dim {} ({}) in the input "
        "tensor"
    )
    check(fits, text, sizes, dim, shape[dim])
    if inferred:
        text = (
            "unflatten got an unexpected error:\ncannot reshape tensor of 0 elements into shape {} "
            "because the unspecified dimension size -1 can be any value and is ambiguous"
        )
        check(known, text, sizes)
        sizes[sizes.index(-1)] = shape[dim] // known
    return view_as_size(input, (*shape[:dim], *sizes, *shape[dim + 1 :]))


@public("contiguous", METHOD)
def contiguous(input: Tensor, *, memory_format: Any = contiguous_format) -> Any:
    """Return the tensor itself if its elements lie in memory in their order, otherwise a copy.

    Raises:
        TypeError: if `memory_format` is none.
        RuntimeError: if it is `torch.preserve_format` and the elements lie otherwise.
    """
    check_format(memory_format)
    if input._array.flags.c_contiguous:
        return input
    text = "preserve memory format is unsupported by the contiguous operator"
    check(memory_format is contiguous_format, text)
    return contiguous_clone(input)


def in_order(values: Any) -> Any:
    """Return a tensor or array whose elements lie in memory in their order, copied if need be."""
    return contiguous(values) if isinstance(values, Tensor) else in_line(values)


# Dimensions of length 1


def squeezed(self: Array, dim: int | Sequence[int]) -> Array:
    """Return a view without those of the dimensions that have length 1."""
    shape = self.shape
    if dim == 0 and shape[:1] == (1,):
        return self[0, ...]
    dims = (dim,) if isinstance(dim, int) else dim
    places = {one % len(shape) for one in dims} if shape else ()
    return self.reshape(
        tuple([length for place, length in enumerate(shape) if length != 1 or place not in places])
    )


def unsqueezed(grad: Any, self_sym_sizes: tuple[int, ...], dim: int | Sequence[int]) -> Any:
    """Put back the dimensions that were squeezed out of something of this shape."""
    sizes = self_sym_sizes
    if not isinstance(grad, Tensor):
        return grad.reshape(sizes)
    for one in sorted(
        one % len(sizes) for one in ([dim] if isinstance(dim, int) else dim) if sizes
    ):
        if sizes[one] == 1:
            grad = unsqueeze(grad, one)
    return grad


squeeze_all = hidden(
    "SqueezeBackward0",
    lambda self: self.squeeze(),
    view=True,
    self=lambda grad, self_sym_sizes: unsqueezed(grad, self_sym_sizes, range(len(self_sym_sizes))),
)
squeeze_one = hidden("SqueezeBackward1", squeezed, view=True, self=unsqueezed)
squeeze_several = hidden("SqueezeBackward2", squeezed, view=True, self=unsqueezed)
# The in-place form: matrix products drop with it the dimension that they gave to a vector.
squeeze_in_place = hidden("SqueezeBackward4", squeezed, self=unsqueezed)


@define("UnsqueezeBackward0", view=True, self=lambda grad, dim: squeeze_one(grad, dim))
def unsqueeze(self: Array, dim: int) -> Any:
    """Return a view with a dimension of length 1 put in at `dim`.

    Raises:
        IndexError: if there is no such place.
    """
    place = checked_dim(dim, self.ndim + 1)
    shape = (*self.shape[:place], 1, *self.shape[place:])
    if self.size and self.flags.c_contiguous:
        return self.reshape(shape)
    # Which numpy may give other strides.
    known = [one * self.itemsize for one in strides(self)]
    step = self.shape[place] * known[place] if place < self.ndim else self.itemsize
    return seen_as(self, shape, (*known[:place], step, *known[place:]))


NOT_TO_SQUEEZE = (
    "squeeze() received an invalid combination of arguments - got ({0}), but expected one of:\n"
    + "".join(
        f" * {form}\n      didn't match because some of the arguments have invalid types: "
        "(!{0}!)\n"
        for form in ("()", "(int dim)", "(tuple of ints dim)")
    )
)


@public("squeeze")
def squeeze(input: Tensor, dim: Any = None) -> Any:
    """Return a view without the dimensions of length 1, or without those of them in `dim`.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if a dimension is named twice.
    """
    if dim is None:
        return squeeze_all(input)
    if isinstance(dim, (tuple, list)):
        checked_dims(dim, input._array.ndim)
        return squeeze_several(input, tuple(dim))
    if not hasattr(dim, "__index__"):
        raise TypeError(NOT_TO_SQUEEZE.format(type(dim).__name__))
    checked_dim(as_index(dim), input._array.ndim)
    return squeeze_one(input, as_index(dim))


# Dimensions in another order

permute_dims = hidden(
    "PermuteBackward0",
    lambda self, dims: self.transpose(dims),
    view=True,
    self=lambda grad, dims: permute_dims(grad, inverse(dims)),
)


def inverse(dims: Sequence[int]) -> tuple[int, ...]:
    """Return the order that undoes an order of dimensions."""
    places = [dim % len(dims) for dim in dims]
    return tuple(sorted(range(len(dims)), key=places.__getitem__))


@define("TransposeBackward0", view=True, self=lambda grad, dim0, dim1: transpose(grad, dim0, dim1))
def transpose(self: Array, dim0: int, dim1: int) -> Any:
    """Return a view with two dimensions exchanged.

    Raises:
        IndexError: if there are no such dimensions.
    """
    checked_dim(dim0, self.ndim)
    checked_dim(dim1, self.ndim)
    return self.swapaxes(dim0, dim1) if self.ndim else self[...]


public("swapdims")(transpose)


@public("swapaxes")
def swapaxes(input: Tensor, axis0: int, axis1: int) -> Any:
    """Return a view with two dimensions exchanged: `transpose`, by numpy's names."""
    return transpose(input, axis0, axis1)


@define("TBackward0", view=True, self=lambda grad: t(grad))
def t(self: Array) -> Any:
    """Return a view of a matrix with rows and columns exchanged, or of a vector as it is.

    Raises:
        RuntimeError: if there are more than two dimensions.
    """
    check(self.ndim <= 2, "t() expects a tensor with <= 2 dimensions, but self is {}D", self.ndim)
    return self.T


@public("T", PROPERTY)
def reversed_dims(input: Tensor) -> Any:
    """A view with all dimensions in reverse order; warns if there are not two of them."""
    ndim = input._array.ndim
    if ndim != 2:
        text = T_OF_OTHER_NDIM if ndim else OF_A_NUMBER.format("T")
        warn(text)
    return permute_dims(input, tuple(range(ndim - 1, -1, -1)))


@public("mT", PROPERTY)
def matrices_transposed(input: Tensor) -> Any:
    """A view with the last two dimensions exchanged.

    Raises:
        RuntimeError: if there are fewer than two dimensions.
    """
    ndim = input._array.ndim
    if not ndim:
        warn(OF_A_NUMBER.format("mT"))
        return input
    text = "tensor.mT is only supported on matrices or batches of matrices. Got {}-D tensor."
    check(ndim >= 2, text, ndim)
    return transpose(input, -2, -1)


@public("permute")
def permute(input: Tensor, *order: Any, dims: Any = None) -> Any:
    """Return a view with the dimensions in the given order.

    Raises:
        RuntimeError: if they are not all the dimensions, each once.
        IndexError: if there is no such dimension.
    """
    given = integers("permute", "dims", order if dims is None else (dims,))
    ndim = input._array.ndim
    text = (
        "permute(sparse_coo): number of dimensions in the tensor input does not match the length "
        "of the desired ordering of dimensions i.e. input.dim() = {} is not equal to len(dims) = {}"
    )
    check(len(given) == ndim, text, ndim, len(given))
    check(
        len({checked_dim(dim, ndim) for dim in given}) == ndim,
        "permute(): duplicate dims are not allowed.",
    )
    return permute_dims(input, given)


@public("movedim")
def movedim(input: Tensor, source: int | Sequence[int], destination: int | Sequence[int]) -> Any:
    """Return a view with the dimensions in `source` moved to the places in `destination`.

    Raises:
        IndexError: if there is no such dimension or place.
        RuntimeError: if one of them is named twice, or they are not as many.
    """
    ndim = input._array.ndim
    given = {"source": source, "destination": destination}
    dims = {name: list(integers("movedim", name, (one,))) for name, one in given.items()}
    text = (
        "movedim: Invalid source or destination dims: source ({} dims) should contain the same "
        "number of dims as destination ({} dims)"
    )
    check(len(dims["source"]) == len(dims["destination"]), text, *dims.values())
    places = {name: [checked_dim(dim, ndim) for dim in one] for name, one in dims.items()}
    for name, one in places.items():
        text = "movedim: repeated dim in `{}` ({})"
        check(len(set(one)) == len(one), text, name, dims[name])
    if not ndim:
        return input[...]
    order = [dim for dim in range(ndim) if dim not in places["source"]]
    for place, dim in sorted(zip(places["destination"], places["source"], strict=True)):
        order.insert(place, dim)
    return permute_dims(input, tuple(order))


public("moveaxis")(movedim)


# In place; `minigrad.ops.view_in_place` gives them to users

unsqueeze_in_place = hidden(
    "UnsqueezeBackward1",
    lambda self, dim: np.expand_dims(self, dim),
    self=lambda grad, dim: squeeze_one(grad, dim),
)
transpose_in_place = hidden(
    "TransposeBackward1",
    lambda self, dim0, dim1: self.swapaxes(dim0, dim1) if self.ndim else self,
    self=lambda grad, dim0, dim1: transpose(grad, dim0, dim1),
)


# Broadcasting and the sums that undo it


def expanded(self: Array, size: tuple[int, ...]) -> Array:
    """Return a view of a larger shape: dimensions that are repeated take no steps in memory."""
    if isinstance(self, np.generic):  # what is made of it is to be written to
        self = np.array(self)
    extra = len(size) - self.ndim
    steps = [0] * len(size)
    if self.ndim:
        steps[extra:] = [
            step if want == have else 0
            for have, want, step in zip(self.shape, size[extra:], self.strides, strict=True)
        ]
        for place in range(extra - 1, -1, -1):  # one more dimension that nothing is repeated in
            if size[place] == 1:
                steps[place] = size[place + 1] * steps[place + 1]
    if self.flags.c_contiguous:
        return np.ndarray(size, self.dtype, self, 0, steps)
    return seen_as(self, size, steps)


def added(self: Array, dim: Any, keepdim: bool, dtype: np.dtype[Any] | None) -> Any:
    """Return the sum of elements, converted to the given dtype; float16 is added up in float32."""
    if (dtype or self.dtype).kind != "f":
        return reduced(_sum(self, dim, dtype, None, keepdim), keepdim)
    if dtype is not None:
        self = self.astype(dtype, copy=False)
    if self.dtype.char == "e":
        return added(self.astype(np.float32), dim, keepdim, None).astype(self.dtype)
    if dim is None and not keepdim:
        return total(self)
    return reduced(sums(self, dim, keepdim), keepdim)


def reduced(total: Array, keepdim: bool) -> Array:
    """Return the result of a reduction with its elements in line.

    But what keeps its dimensions is there to be broadcast, beside what was reduced: numpy then
    gives the result the order in memory of both, which is to be that of the other one.
    """
    return total if keepdim else in_line(total)


def axes(self: Array, dim: tuple[int, ...] | None) -> tuple[int, ...] | None:
    """Return dimensions as numpy wants them: none means all, and a 0-d array has none."""
    return dim if dim and self.ndim else None


def restored(
    reduced: Any, sizes: tuple[int, ...], dim: int | Sequence[int] | None, keepdim: bool
) -> Any:
    """Put back, with length 1, the dimensions that a reduction of shape `sizes` took out."""
    if keepdim or not sizes or dim is None or dim == ():
        return reduced
    dims = sorted([one % len(sizes) for one in ((dim,) if isinstance(dim, int) else dim)])
    if isinstance(reduced, Tensor):
        for one in dims:
            reduced = unsqueeze(reduced, one)
        return reduced
    return reduced.reshape([1 if place in dims else n for place, n in enumerate(sizes)])


expand_to = hidden(
    "ExpandBackward0",
    expanded,
    view=True,
    self=lambda grad, self_sym_sizes: sum_to(grad, self_sym_sizes),
)
sum_all = hidden(
    "SumBackward0",
    lambda self, dtype: added(self, None, False, dtype),
    self=lambda grad, self_sym_sizes: expand_to(grad, self_sym_sizes),
)
sum_dims = hidden(
    "SumBackward1",
    lambda self, dim, keepdim, dtype: added(self, axes(self, dim), keepdim, dtype),
    self=lambda grad, self_sym_sizes, dim, keepdim: expand_to(
        restored(grad, self_sym_sizes, dim, keepdim), self_sym_sizes
    ),
)


@public("expand", METHOD)
def expand(input: Tensor, *sizes: Any, size: Any = None) -> Any:
    """Return a view of a larger shape, in which elements are repeated without being copied.

    Dimensions may be added in front, and those of length 1 made longer; -1 leaves a length alone.

    Raises:
        RuntimeError: if the tensor cannot be expanded to that shape.
    """
    given = integers("expand", "size", sizes if size is None else (size,))
    return expand_to(input, expanded_shape(input, given))


def expanded_shape(input: Tensor, size: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape to expand to, with -1 replaced.

    Raises:
        RuntimeError: if the tensor cannot be expanded to that shape, with PyTorch's texts.
    """
    shape = input._array.shape
    extra = len(size) - len(shape)
    text = (
        "expand({}{{{}}}, size={}): the number of sizes provided ({}) must be greater or equal to "
        "the number of dimensions in the tensor ({})"
    )
    kind = "CPUBoolType" if input._array.dtype.kind == "b" else input.type()
    check(extra >= 0, text, kind, list(shape), list(size), len(size), len(shape))
    full = size[:extra] + tuple(
        [have if want == -1 else want for have, want in zip(shape, size[extra:], strict=True)]
    )
    text = (
        "The expanded size of the tensor ({}) must match the existing size ({}) at non-singleton "
        "dimension {}.  Target sizes: {}.  Tensor sizes: {}"
    )
    for dim in range(len(full) - 1, extra - 1, -1):
        have, want = shape[dim - extra], full[dim]
        check(have in (1, want), text, want, have, dim, list(size), list(shape))
    text = (
        "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension {}"
    )
    leading = [place for place, length in enumerate(size[:extra]) if length == -1]
    check(not shape or not leading, text, max(leading, default=0))
    check(min(size[:extra], default=0) >= 0, "numel: integer multiplication overflow")
    return full


@public("expand_as", METHOD)
def expand_as(input: Tensor, other: Tensor) -> Any:
    """Return ``input.expand(other.size())``."""
    return expand_to(input, expanded_shape(input, other._array.shape))


@public("broadcast_to")
def broadcast_to(input: Tensor, *sizes: Any, size: Any = None) -> Any:
    """Return ``input.expand(size)``."""
    return expand(input, integers("broadcast_to", "size", sizes if size is None else (size,)))


def common_shape(*shapes: Sequence[int]) -> tuple[int, ...]:
    """Return the shape that arrays of these shapes are broadcast to.

    Raises:
        RuntimeError: if they cannot be.
    """
    result: tuple[int, ...] = ()
    for shape in shapes:
        try:
            result = np.broadcast_shapes(result, tuple(shape))
        except ValueError:
            raise broadcasting_error(result, tuple(shape)) from None
    return result


@public("broadcast_shapes", FUNCTION)
def broadcast_shapes(*shapes: int | Sequence[int]) -> Size:
    """Return the shape that tensors of these shapes are broadcast to; a number is one dimension.

    Raises:
        RuntimeError: if they cannot be.
        ValueError: for a negative length.

    >>> import minigrad as torch
    >>> torch.broadcast_shapes((2, 1), (1, 3), 3)
    torch.Size([2, 3])
    """
    text = "Input shapes should be of type ints, a tuple of ints, or a list of ints, got {}"
    for shape in shapes:
        check(isinstance(shape, (int, tuple, list)), text, shape)
    sizes = [(shape,) if isinstance(shape, int) else shape for shape in shapes]
    common = [1] * max(map(len, sizes), default=0)
    text = (
        "Attempting to broadcast a dimension of length {} at {}! Mismatching argument at index {} "
        "had {}; but expected shape should be broadcastable to {}"
    )
    for place, size in enumerate(sizes):
        for dim in range(-1, -len(size) - 1, -1):
            if size[dim] in (1, common[dim]):
                continue
            check(common[dim] == 1, text, size[dim], dim, place, size, common)
            negative = "Attempting to broadcast a dimension with negative length!"
            check(size[dim] >= 0, negative, error=ValueError)
            common[dim] = size[dim]
    return Size(common)


@public("broadcast_tensors", FUNCTION)
def broadcast_tensors(*tensors: Tensor) -> tuple[Any, ...]:
    """Return views of the tensors, expanded to one shape.

    Raises:
        RuntimeError: if they cannot be.
    """
    tensors = checked_tensors(tensors)
    if not tensors:
        return ()
    check_shapes(*tensors)
    shape = common_shape(*[tensor._array.shape for tensor in tensors])
    return tuple([one if one._array.shape == shape else expand_to(one, shape) for one in tensors])


@public("sum_to_size", METHOD)
def sum_to_size(input: Tensor, *sizes: Any, size: Any = None) -> Any:
    """Sum a tensor down to a shape from which it could have been broadcast.

    Raises:
        RuntimeError: if it could not.
    """
    sizes, shape = (sizes if size is None else (size,)), input._array.shape
    wanted = lengths("sum_to_size", "size", sizes)
    extra = len(shape) - len(wanted)
    fits = extra >= 0 and builtins.all(
        want in (1, have) for have, want in zip(shape[extra:], wanted, strict=True)
    )
    check(fits, "size {{{}}} is not expandable to size {{{}}}.", list(wanted), list(shape))
    return sum_to(input, wanted)


def sum_to(grad: Gradient, size: tuple[int, ...]) -> Gradient:
    """Sum a gradient, array or tensor, over what was broadcast from shape `size`."""
    if not size:
        return sum_all(grad, None)
    shape = grad.shape
    extra = len(shape) - len(size)
    dims = tuple(
        [
            dim
            for dim, length in enumerate(shape)
            if dim < extra or (size[dim - extra] == 1 and length != 1)
        ]
    )
    if dims:
        grad = sum_dims(grad, dims, True, None)
    return view_as_size(grad, size) if extra else grad


def fit(gradient: Gradient, shape: tuple[int, ...], dtype: np.dtype[Any] | None) -> Gradient:
    """Return a gradient summed to the shape it was broadcast from, in a dtype; for the engine."""
    if gradient.shape != shape:
        gradient = sum_to(gradient, shape)
    if dtype is None:
        return gradient
    if isinstance(gradient, Tensor):
        return to_dtype(gradient, dtypes.of_numpy(dtype))
    return gradient.astype(dtype, copy=False)


engine_tensors.fit = fit


# Parts


def along(self: Array, dim: int, index: Any) -> Array:
    """Return the view that a number or slice gives along a dimension."""
    view: Array = self[(slice(None),) * (dim % self.ndim) + (index, ...)]
    return view


def sliced(self: Array, dim: int, start: int, end: int, step: int) -> Array:
    """Return a view of every `step`-th place along a dimension, from `start` to before `end`."""
    return along(self, dim, slice(start, end, step))


def diagonals(self: Array, offset: int, dim1: int, dim2: int) -> Array:
    """Return a view of a diagonal; numpy's own cannot be written to."""
    view = self.diagonal(offset, dim1, dim2)
    view.flags.writeable = self.flags.writeable
    return view


def windows(self: Array, dimension: int, size: int, step: int) -> Array:
    """Return a view of windows along a dimension; they may overlap."""
    if not self.ndim:
        return seen_as(self, (size,), (self.itemsize,))
    lengths, steps = list(self.shape), [one * self.itemsize for one in strides(self)]
    dim = dimension % self.ndim
    within, steps[dim] = steps[dim], steps[dim] * step
    lengths[dim] = (lengths[dim] - size) // step + 1
    return seen_as(self, (*lengths, size), (*steps, within))


def placed(view: Any, part: Array, sizes: tuple[int, ...], *where: Any) -> Array:
    """Return zeros of shape `sizes` with `part` written, or added, to a view of them."""
    whole = np.zeros(sizes, part.dtype)
    shown = view(whole, *where)
    if view is windows:
        for place in range(part.shape[-1]):
            shown[..., place] += part[..., place]
    else:
        shown[...] = part
    return whole


slice_view = hidden(
    "SliceBackward0",
    sliced,
    view=True,
    self=lambda grad, self_sym_sizes, dim, start, end, step: slice_backward(
        grad, self_sym_sizes, dim, start, end, step
    ),
)
slice_backward = hidden(
    "SliceBackwardBackward0",
    lambda grad_output, input_sizes, dim, start, end, step: placed(
        sliced, grad_output, input_sizes, dim, start, end, step
    ),
    grad_output=lambda grad, dim, start, end, step: slice_view(grad, dim, start, end, step),
)
select_view = hidden(
    "SelectBackward0",
    along,
    view=True,
    self=lambda grad, self_sym_sizes, dim, index: select_backward(grad, self_sym_sizes, dim, index),
)
select_backward = hidden(
    "SelectBackwardBackward0",
    lambda grad_output, input_sizes, dim, index: placed(
        along, grad_output, input_sizes, dim, index
    ),
    grad_output=lambda grad, dim, index: select_view(grad, dim, index),
)
unfold_backward = hidden(
    "UnfoldBackwardBackward0",
    lambda grad_in, input_sizes, dim, size, step: placed(
        windows, grad_in, input_sizes, dim, size, step
    ),
    grad_in=lambda grad, dim, size, step: unfold(grad, dim, size, step),
)
diagonal_backward = hidden(
    "DiagonalBackwardBackward0",
    lambda grad_output, input_sizes, offset, dim1, dim2: placed(
        diagonals, grad_output, input_sizes, offset, dim1, dim2
    ),
    grad_output=lambda grad, offset, dim1, dim2: diagonal(grad, offset, dim1, dim2),
)


def split_evenly(self: Array, split_size: int, dim: int) -> tuple[Array, ...]:
    """Return views of parts of one length along a dimension, but for the last."""
    return pieces(self, dim, even_sizes(self.shape[dim], split_size))


def split_as_given(self: Array, split_sizes: Sequence[int], dim: int) -> tuple[Array, ...]:
    """Return views of parts of the given lengths along a dimension."""
    return pieces(self, dim, split_sizes)


def joined_evenly(grad: Any, self_sym_sizes: tuple[int, ...], split_size: int, dim: int) -> Any:
    """Return the gradient of what was split into parts of one length."""
    dim %= len(self_sym_sizes)
    return joined(grad, self_sym_sizes, dim, even_sizes(self_sym_sizes[dim], split_size))


def joined_as_given(
    grad: Any, self_sym_sizes: tuple[int, ...], split_sizes: Sequence[int], dim: int
) -> Any:
    """Return the gradient of what was split into parts of given lengths."""
    dim %= len(self_sym_sizes)
    return joined(grad, self_sym_sizes, dim, split_sizes)


split_by = hidden("SplitBackward0", split_evenly, view=True, self=joined_evenly)
split_with_sizes = hidden(
    "SplitWithSizesBackward0", split_as_given, view=True, self=joined_as_given
)
# These parts share the memory, too, but are no views for autograd.
unsafe_split_by = hidden("UnsafeSplitBackward0", split_evenly, self=joined_evenly)
unsafe_split_given = hidden("UnsafeSplitWithSizesBackward0", split_as_given, self=joined_as_given)


@public("select")
def select(input: Tensor, dim: int, index: int) -> Any:
    """Return a view of one place along a dimension, without that dimension.

    Raises:
        IndexError: if there is no such dimension or place.
    """
    shape = input._array.shape
    check(shape, "select() cannot be applied to a 0-dim tensor.", error=IndexError)
    place = checked_dim(dim, len(shape))
    text = "select(): index {} out of range for tensor of size {} at dimension {}"
    check(-shape[place] <= index < shape[place], text, index, list(shape), place, error=IndexError)
    return select_view(input, dim, index)


@public("narrow")
def narrow(input: Tensor, dim: int, start: Any, length: int) -> Any:
    """Return a view of `length` places along a dimension, from `start` on.

    Raises:
        IndexError: if there is no such dimension or start.
        RuntimeError: if there are not as many places, or no dimensions.
    """
    shape = input._array.shape
    check(shape, "narrow() cannot be applied to a 0-dim tensor.")
    check(length >= 0, "narrow(): length must be non-negative.")
    if isinstance(start, Tensor):
        integral = start._array.dtype.kind in "iu" and not start.ndim
        check(integral, "start must be an 0-dim integral Tensor.")
    size, start = shape[checked_dim(dim, len(shape))], as_index(start)
    text = "start out of range (expected to be in range of [{}, {}], but got {})"
    check(-size <= start <= size, text, -size, size, start, error=IndexError)
    start += size if start < 0 else 0
    text = "start ({}) + length ({}) exceeds dimension size ({})."
    check(start + length <= size, text, start, length, size)
    return slice_view(input, dim, start, start + length, 1)


@public("split", "function")
def split(tensor: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Any, ...]:
    """Return views of parts along a dimension: all of one length but the last, or of given lengths.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if the lengths are negative or do not sum up to that of the dimension.
    """
    if isinstance(split_size_or_sections, (int, Tensor)):
        return split_into(tensor, as_index(split_size_or_sections), dim)
    parts: tuple[Any, ...] = as_called(tensor, split_size_or_sections, dim)
    return parts


@public("split", "method")
def split_method(self: Tensor, split_size: Any, dim: int = 0) -> tuple[Any, ...]:
    """Return views of parts along a dimension, as the function `split` does."""
    parts: tuple[Any, ...] = split(self, split_size, dim)
    return parts


@public("split_with_sizes")
def split_with_given_sizes(
    input: Tensor, split_sizes: Sequence[int], dim: int = 0
) -> tuple[Any, ...]:
    """Return views of parts along a dimension, of the given lengths.

    Raises:
        IndexError, RuntimeError: as `split`.
    """
    text = "split_sizes must be tuple of ints, not {}"
    kind = type(split_sizes).__name__
    check(isinstance(split_sizes, (tuple, list)), text, kind, error=TypeError)
    return split_into(input, [as_index(one) for one in split_sizes], dim)


as_called = as_function("split_with_sizes", split_with_given_sizes)


@public("unsafe_split")
def unsafe_split(tensor: Tensor, split_size: int, dim: int = 0) -> tuple[Any, ...]:
    """Do as `split` does, but let the parts be changed in place as if they had their own memory."""
    return split_into(tensor, split_size, dim, unsafe=True)


@public("unsafe_split_with_sizes")
def unsafe_split_with_sizes(
    input: Tensor, split_sizes: Sequence[int], dim: int = 0
) -> tuple[Any, ...]:
    """Do as `unsafe_split`, with parts of the given lengths."""
    return split_into(input, split_sizes, dim, unsafe=True)


def split_into(tensor: Tensor, size: Any, dim: int, unsafe: bool = False) -> tuple[Any, ...]:
    """Return parts of one length, or of several: views, unless `unsafe` where autograd looks."""
    unsafe = unsafe and not (state.inference or tensor.is_inference())
    shape = tensor._array.shape
    check(shape, "split expects at least a 1-dimensional tensor")
    given, dim = dim, checked_dim(dim, len(shape))
    if not isinstance(size, int):
        text = (
            "split_with_sizes expects split_sizes have only non-negative entries, but got "
            "split_sizes={}"
        )
        check(min(size, default=0) >= 0, text, list(size))
        text = (
            "split_with_sizes expects split_sizes to sum exactly to {0} (input tensor's size at "
            "dimension {1}), but got split_sizes={2}"
        )
        check(builtins.sum(size) == shape[dim], text, shape[dim], given, list(size))
        by_sizes = unsafe_split_given if unsafe else split_with_sizes
        return as_tuple(by_sizes(tensor, tuple(size), given))
    check(size >= 0, "split expects split_size be non-negative, but got split_size={}", size)
    text = "split_size can only be 0 if dimension size is 0, but got dimension size of {}"
    check(size or not shape[dim], text, shape[dim])
    return as_tuple((unsafe_split_by if unsafe else split_by)(tensor, size, given))


@public("chunk")
def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Any, ...]:
    """Return at most `chunks` views of parts along a dimension, all of one length but the last.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if `chunks` is not positive.
    """
    parts: tuple[Any, ...] = split(input, chunk_size(input, chunks, dim), dim)
    return parts


@public("unsafe_chunk")
def unsafe_chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Any, ...]:
    """Do as `chunk` does, but let the parts be changed in place as if they had their own memory."""
    return split_into(input, chunk_size(input, chunks, dim), dim, unsafe=True)


def chunk_size(input: Tensor, chunks: int, dim: int) -> Any:
    """Return the length of each of so many parts along a dimension, or all their lengths."""
    shape = input._array.shape
    check(shape, "chunk expects at least a 1-dimensional tensor")
    chunks = as_index(chunks)
    check(chunks > 0, "chunk expects `chunks` to be greater than 0, got: {}", chunks)
    length = shape[checked_dim(dim, len(shape))]
    return -(-length // chunks) if length else (0,) * chunks


unbind_along = hidden(
    "UnbindBackward0",
    lambda self, dim: tuple([along(self, dim, index) for index in range(self.shape[dim])]),
    view=True,
    self=lambda grad, self_sym_sizes, dim: stack_tensors(
        with_zeros(grad, unbound_shapes(self_sym_sizes, dim)), dim
    ),
)


def unbound_shapes(sizes: tuple[int, ...], dim: int) -> list[tuple[int, ...]]:
    """Return the shapes of what `unbind` gives."""
    place = dim % len(sizes)
    return [sizes[:place] + sizes[place + 1 :]] * sizes[dim]


@public("unbind")
def unbind(input: Tensor, dim: int = 0) -> tuple[Any, ...]:
    """Return a view of each place along a dimension, without that dimension.

    Raises:
        IndexError: if there is no such dimension.
    """
    place = checked_dim(dim, input._array.ndim)
    text = "Dimension specified as {} but tensor has no dimensions"
    check(input._array.ndim, text, place, error=IndexError)
    return as_tuple(unbind_along(input, dim))


@define(
    "UnfoldBackward0",
    METHOD,
    view=True,
    self=lambda grad, self_sym_sizes, dimension, size, step: unfold_backward(
        grad, self_sym_sizes, dimension, size, step
    ),
)
def unfold(self: Array, dimension: int, size: int, step: int) -> Any:
    """Return a view of windows of `size` places along a dimension, `step` places apart.

    The places within a window are a new dimension, the last.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if it is shorter than a window, or the step is not positive.
    """
    dim = checked_dim(dimension, self.ndim)
    length = length_along(self.shape, dim)
    text = "maximum size for tensor at dimension {} is {} but size is {}"
    check(size <= length, text, dim, length, size)
    check(size >= 0, "size is {} but must be >= 0", size)
    check(step > 0, "step is {} but must be > 0", step)
    return windows(self, dim, size, step)


def even_sizes(length: int, split_size: int) -> list[int]:
    """Return the lengths of parts that all have one length, but the last, which may be shorter."""
    if not length:
        return [0]
    return [min(split_size, length - start) for start in range(0, length, split_size)]


def pieces(self: Array, dim: int, sizes: Sequence[int]) -> tuple[Array, ...]:
    """Return views of an array, of the given lengths along a dimension."""
    ends = itertools.accumulate(sizes)
    return tuple(
        [sliced(self, dim, end - size, end, 1) for end, size in zip(ends, sizes, strict=True)]
    )


def joined(grads: Any, sizes: tuple[int, ...], dim: int, split_sizes: Sequence[int]) -> Any:
    """Return the gradient of a whole from those of its parts."""
    shapes = [(*sizes[:dim], size, *sizes[dim + 1 :]) for size in split_sizes]
    return cat_tensors(with_zeros(grads, shapes), dim, tuple(split_sizes))


def with_zeros(grads: Any, shapes: Sequence[tuple[int, ...]]) -> list[Any]:
    """Return a list of gradients, with zeros in place of None."""
    grads = grads if isinstance(grads, list) else [grads]
    known = next(grad for grad in grads if grad is not None)
    return [
        zeros(shape, known) if grad is None else grad
        for grad, shape in zip(grads, shapes, strict=True)
    ]


def zeros(sizes: tuple[int, ...], like: Any) -> Any:
    """Return zeros of a shape: an array or a tensor, and of the dtype, as `like` is."""
    if isinstance(like, Tensor):
        return from_array(np.zeros(sizes, like._array.dtype))
    return np.zeros(sizes, like.dtype)


def as_tuple(outputs: Any) -> tuple[Any, ...]:
    """Return several outputs, or none, as a tuple."""
    return tuple(outputs) if isinstance(outputs, tuple) else (outputs,)


# Joining and repeating


def common_dtype(arrays: Sequence[Array]) -> np.dtype[Any]:
    """Return the dtype that arrays which are joined have in common."""
    dtype: np.dtype[Any] = arrays[0].dtype
    if all(array.dtype is dtype for array in arrays):
        return dtype
    return dtypes.common(*arrays).numpy_dtype


def concatenated(tensors: Sequence[Array], dim: int, lengths: Sequence[int | None]) -> Array:
    """Join arrays along a dimension, without those whose length is None."""
    parts = [one for one, length in zip(tensors, lengths, strict=True) if length is not None]
    dtype = common_dtype(tensors)
    return in_line(np.concatenate(parts or tensors, dim, dtype=dtype, casting="unsafe"))


def stacked(tensors: Sequence[Array], dim: int) -> Array:
    """Join arrays along a new dimension."""
    return in_line(np.stack(tensors, dim, dtype=common_dtype(tensors), casting="unsafe"))


def running_ends(lengths: Sequence[int | None]) -> list[int]:
    """Return where each part ends in the whole."""
    return list(itertools.accumulate(length or 0 for length in lengths))


def repeat_backward(grad: Any, self_sym_sizes: tuple[int, ...], repeats: tuple[int, ...]) -> Any:
    """Return the gradient of a repeated tensor: the sum over the repetitions."""
    sizes = self_sym_sizes
    if 0 in repeats:
        return zeros(sizes, grad)
    extra = len(repeats) - len(sizes)
    for _ in range(extra):
        grad = sum_dims(grad, (0,), False, None)
    pairs = zip(repeats[extra:], sizes, strict=True)
    split_up = [(times, length) if times != 1 else (length,) for times, length in pairs]
    ends = itertools.accumulate(map(len, split_up))
    dims = tuple(end - 2 for end, part in zip(ends, split_up, strict=True) if len(part) == 2)
    if not dims:
        return grad
    return sum_dims(reshaped(grad, tuple(itertools.chain(*split_up))), dims, False, None)


cat_tensors = hidden(
    "CatBackward0",
    concatenated,
    tensors=lambda grad, dim, lengths: [
        zeros((0,), grad)
        if length is None
        else slice_view(grad, dim % grad.ndim, end - length, end, 1)
        for length, end in zip(lengths, running_ends(lengths), strict=True)
    ],
)
stack_tensors = hidden(
    "StackBackward0",
    stacked,
    tensors=lambda grad, dim: [
        select_view(grad, dim % grad.ndim, place) for place in range(grad.shape[dim])
    ],
)
repeat_all = hidden(
    "RepeatBackward0", lambda self, repeats: in_line(np.tile(self, repeats)), self=repeat_backward
)


@public("cat", FUNCTION)
def cat(tensors: Sequence[Tensor], dim: int = 0) -> Any:
    """Join tensors along a dimension that they have.

    The dtype is the one they have in common. Tensors of shape ``(0,)`` are passed over.

    Raises:
        ValueError, TypeError: if there are none, or they are not tensors.
        RuntimeError: if their other dimensions differ.
        IndexError: if there is no such dimension.

    >>> import minigrad as torch
    >>> torch.cat([torch.zeros(2), torch.ones(1)])
    tensor([0., 0., 1.])
    """
    tensors = checked_list("cat", tensors)
    check(tensors, "torch.cat(): expected a non-empty list of Tensors", error=ValueError)
    shapes = [tensor._array.shape for tensor in tensors]
    if () in shapes:
        place = shapes.index(())
        raise RuntimeError(f"zero-dimensional tensor (at position {place}) cannot be concatenated")
    first = next((shape for shape in shapes if shape != (0,)), (0,))
    given = dim
    dim = 0 if first == (0,) else checked_dim(dim, len(first))
    for number, shape in enumerate(shapes):
        if shape == (0,):
            continue
        text = "Tensors must have same number of dimensions: got {} and {}"
        check(len(shape) == len(first), text, len(first), len(shape))
        text = (
            "Sizes of tensors must match except in dimension {}. Expected size {} but got size {} "
            "for tensor number {} in the list."
        )
        for place, (expected, got) in enumerate(zip(first, shape, strict=True)):
            check(expected == got or place == dim, text, dim, expected, got, number)
    lengths = tuple([None if shape == (0,) else shape[dim] for shape in shapes])
    return cat_tensors(tensors, dim if first == (0,) else given, lengths)


public("concat", FUNCTION)(cat)
public("concatenate", FUNCTION)(cat)


@public("stack", FUNCTION)
def stack(tensors: Sequence[Tensor], dim: int = 0) -> Any:
    """Join tensors of one shape along a new dimension.

    Raises:
        RuntimeError: if there are none, or their shapes differ.
        IndexError: if the new dimension has no such place.

    >>> import minigrad as torch
    >>> torch.stack([torch.ones(2), torch.zeros(2)], dim=1)
    tensor([[1., 0.],
            [1., 0.]])
    """
    tensors = checked_list("stack", tensors)
    check(tensors, "stack expects a non-empty TensorList")
    first = tensors[0]._array.shape
    checked_dim(dim, len(first) + 1)
    text = "stack expects each tensor to be equal size, but got {} at entry 0 and {} at entry {}"
    for number, tensor in enumerate(tensors):
        shape = tensor._array.shape
        check(shape == first, text, list(first), list(shape), number)
    return stack_tensors(tensors, dim)


engine_tensors.stack = stack


@public("hstack", FUNCTION)
def hstack(tensors: Sequence[Tensor]) -> Any:
    """Join tensors side by side: along the first dimension if that is all, else the second."""
    tensors = [atleast_1d(tensor) for tensor in checked_list("hstack", tensors)]
    return cat(tensors, 0 if tensors and tensors[0]._array.ndim == 1 else 1)


@public("vstack", FUNCTION)
def vstack(tensors: Sequence[Tensor]) -> Any:
    """Join tensors one below the other: along the first dimension of at least two."""
    return cat([atleast_2d(tensor) for tensor in checked_list("vstack", tensors)])


@public("atleast_1d", FUNCTION)
def atleast_1d(*tensors: Any) -> Any:
    """Return the tensor, a 0-d one as a vector of one element; of several a tuple."""

    def vector(input: Tensor) -> Any:
        return input if input._array.ndim else reshaped(input, (1,))

    return each("atleast_1d", vector, tensors)


@public("atleast_2d", FUNCTION)
def atleast_2d(*tensors: Any) -> Any:
    """Return the tensor, one of fewer than two dimensions as a matrix of one row; or several."""

    def matrix(input: Tensor) -> Any:
        if not input._array.ndim:
            return reshaped(input, (1, 1))
        return unsqueeze(input, 0) if input._array.ndim == 1 else input

    return each("atleast_2d", matrix, tensors)


def each(name: str, function: Operation, tensors: Sequence[Any]) -> Any:
    """Return what a function makes of a tensor, or a tuple of what it makes of several."""
    if len(tensors) == 1 and not isinstance(tensors[0], (tuple, list)):
        check_tensor(name, tensors[0])
        return function(tensors[0])
    return tuple(map(function, checked_tensors(tensors)))


@public("repeat", METHOD)
def repeat(input: Tensor, *times: Any, repeats: Any = None) -> Any:
    """Repeat a tensor along each dimension, as often as given; more dimensions come in front.

    Raises:
        RuntimeError: if fewer numbers than dimensions are given, or a negative one.
    """
    given = integers("repeat", "repeats", times if repeats is None else (repeats,))
    shape = input._array.shape
    text = (
        "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"
    )
    check(len(given) >= len(shape), text)
    checked_sizes([n * length for n, length in zip(given, padded(shape, len(given)), strict=True)])
    return repeat_all(input, given)


@public("tile")
def tile(input: Tensor, *times: Any, dims: Any = None) -> Any:
    """Repeat a tensor along its last dimensions, as often as given."""
    given = integers("tile", "dims", times if dims is None else (dims,))
    return repeat(input, padded(given, input._array.ndim))


def padded(numbers: tuple[int, ...], ndim: int) -> tuple[int, ...]:
    """Return the numbers with ones in front, up to `ndim` of them."""
    return (1,) * (ndim - len(numbers)) + tuple(numbers)


@public("meshgrid", FUNCTION)
def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Any, ...]:
    """Return grids of coordinates: views of vectors, each expanded along all the others.

    `indexing` is ``"ij"``, or ``"xy"`` to exchange the first two dimensions of the grids.

    Raises:
        RuntimeError: if a tensor has more than one dimension, or `indexing` is another word.
    """
    tensors = checked_tensors(tensors)
    if indexing is None:
        warn(INDEXING)
    text = 'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {}'
    check(indexing in (None, "ij", "xy"), text, indexing)
    check(tensors, "meshgrid expects a non-empty TensorList")
    for tensor in tensors:
        text = "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {}"
        check(tensor._array.ndim <= 1, text, tensor)
        same = tensor._array.dtype is tensors[0]._array.dtype
        check(same, "meshgrid expects all tensors to have the same dtype")
    places = list(range(len(tensors)))
    if indexing == "xy":
        places[:2] = places[1::-1]
    shape = tuple(tensors[place]._array.size for place in places)
    grids = [
        expand_to(
            view_as_size(tensors[one], (1,) * place + (-1,) + (1,) * (len(shape) - place - 1)),
            shape,
        )
        for place, one in enumerate(places)
    ]
    return tuple([grids[place] for place in places])


def checked_list(name: str, tensors: Any) -> list[Tensor]:
    """Return the tensors that are to be joined.

    Raises:
        TypeError: if they are no list of tensors, with PyTorch's texts.
    """
    text = "{}(): argument 'tensors' (position 1) must be tuple of Tensors, not {}"
    kind = type(tensors).__name__
    check(isinstance(tensors, (tuple, list)), text, name, kind, error=TypeError)
    text = "expected Tensor as element {} in argument 0, but got {}"
    for number, tensor in enumerate(tensors):
        check(isinstance(tensor, Tensor), text, number, type(tensor).__name__, error=TypeError)
    check(tensors or not name.endswith("stack"), "{} expects a non-empty TensorList", name)
    return list(tensors)


# Reordering, triangles, diagonals

flip_dims = hidden(
    "FlipBackward0",
    lambda self, dims: laid_out_as(np.flip(self, dims if self.ndim else ()).copy(), self),
    self=lambda grad, dims: flip_dims(grad, dims),
)
roll_by = hidden(
    "RollBackward0",
    lambda self, shifts, dims: in_line(
        np.roll(self, shifts, dims) if dims and self.size else np.roll(self, shifts[0])
    ),
    self=lambda grad, shifts, dims: roll_by(
        grad, tuple([-shift for shift in shifts[::-1]]), dims[::-1]
    ),
)


@public("flip")
def flip(input: Tensor, *order: Any, dims: Any = None) -> Any:
    """Return a copy with the elements along some dimensions in reverse order.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if a dimension is named twice.
    """
    given = integers("flip", "dims", order if dims is None else (dims,))
    checked_dims(given, input._array.ndim)
    return flip_dims(input, given)


@public("fliplr")
def fliplr(input: Tensor) -> Any:
    """Return a copy with the columns in reverse order; raises RuntimeError below two dimensions."""
    check(input._array.ndim >= 2, "Input must be >= 2-d.")
    return flip_dims(input, (1,))


@public("flipud")
def flipud(input: Tensor) -> Any:
    """Return a copy with the rows in reverse order; raises RuntimeError for a 0-d tensor."""
    check(input._array.ndim >= 1, "Input must be >= 1-d.")
    return flip_dims(input, (0,))


@public("roll")
def roll(input: Tensor, shifts: int | Sequence[int], dims: Any = None) -> Any:
    """Return a copy with the elements moved on along dimensions; those beyond the end come first.

    Without `dims`, elements are moved as if they were in one line. Where there are no elements,
    nobody asks for the dimensions.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if there are not as many shifts as dimensions.
    """
    by = integers("roll", "shifts", (shifts,))
    along = () if dims is None else integers("roll", "dims", (dims,))
    check(by, "`shifts` required")
    text = "shifts and dimensions must align. shifts: {}, dims:{}"
    check(len(by) == (len(along) or 1), text, len(by), len(along))
    for dim in along if input._array.size else ():
        dim = checked_dim(dim, input._array.ndim)
        text = "Dimension specified as {} but tensor has no dimensions"
        check(input._array.ndim, text, dim, error=IndexError)
    return roll_by(input, by, along)


@define("TrilBackward0", ALL, self=lambda grad, diagonal: tril(grad, diagonal))
def tril(self: Array, diagonal: int = 0) -> Any:
    """Return a copy with zeros above a diagonal of the last two dimensions.

    Raises:
        RuntimeError: if there are fewer than two dimensions.
    """
    check(self.ndim >= 2, "tril: input tensor must have at least 2 dimensions")
    return np.tril(in_line(self), diagonal)


@define("TriuBackward0", ALL, self=lambda grad, diagonal: triu(grad, diagonal))
def triu(self: Array, diagonal: int = 0) -> Any:
    """Return a copy with zeros below a diagonal of the last two dimensions.

    Raises:
        RuntimeError: if there are fewer than two dimensions.
    """
    check(self.ndim >= 2, "triu: input tensor must have at least 2 dimensions")
    return np.triu(in_line(self), diagonal)


def check_two_dims(dim1: int, dim2: int, ndim: int) -> None:
    """Refuse dimensions that are not there or the same."""
    differ = checked_dim(dim1, ndim) != checked_dim(dim2, ndim)
    check(differ, "diagonal dimensions cannot be identical {}, {}", dim1, dim2)


def diagonal_gradient(
    grad: Any, self_sym_sizes: tuple[int, ...], offset: int, dim1: int, dim2: int
) -> Any:
    """Return the gradient of what a diagonal was taken from."""
    return diagonal_backward(grad, self_sym_sizes, offset, dim1, dim2)


diagonal_copy = hidden(
    "DiagonalBackward0_copy",
    lambda self, offset, dim1, dim2: self.diagonal(offset, dim1, dim2).copy(),
    self=diagonal_gradient,
)


@define("DiagonalBackward0", view=True, self=diagonal_gradient)
def diagonal(self: Array, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    """Return a view of a diagonal of two dimensions, which comes last in the result.

    Raises:
        IndexError: if there are no such dimensions.
        RuntimeError: if they are the same.
    """
    check_two_dims(dim1, dim2, self.ndim)
    return diagonals(self, offset, dim1, dim2)


@public("diag")
def diag(input: Tensor, diagonal: int = 0) -> Any:
    """Return a copy of a diagonal of a matrix, or a matrix with a vector on its diagonal.

    Raises:
        RuntimeError: if it is neither matrix nor vector.
    """
    ndim = input._array.ndim
    check(ndim in (1, 2), "diag(): Supports 1D or 2D tensors. Got {}D", ndim)
    return diag_embed(input, diagonal) if ndim == 1 else diagonal_copy(input, diagonal, 0, 1)


@define(
    "DiagEmbedBackward0",
    self=lambda grad, offset, dim1, dim2: diagonal(grad, offset, dim1, dim2),
)
def diag_embed(self: Array, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """Return matrices whose diagonals are the last dimension, and zero elsewhere.

    Raises:
        IndexError: if the result has no such dimensions.
        RuntimeError: if they are the same.
    """
    ndim = self.ndim + 1
    check_two_dims(dim1, dim2, ndim)
    sizes = list(self.shape[:-1])
    for dim in sorted((dim1 % ndim, dim2 % ndim)):
        sizes.insert(dim, self.shape[-1] + abs(offset))
    return placed(diagonals, self, tuple(sizes), offset, dim1, dim2)
