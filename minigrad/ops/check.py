"""What operations ask of their arguments, and the errors, with PyTorch's texts, if it is not so."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index as as_index
from typing import Any

from minigrad import dtypes
from minigrad.autograd.node import Array
from minigrad.c_code import type_name
from minigrad.ops.promotion import check_broadcast
from minigrad.size import checked_dim
from minigrad.tensor import Tensor

OTHER_SHAPE = "output with shape {} doesn't match the broadcast shape {}"
RESIZED = (
    "An output with one or more elements was resized since it had shape {}, which does not match "
    "the required output shape {}. This behavior is deprecated, and in a future PyTorch release "
    "outputs will not be resized unless they have zero elements. You can explicitly reuse an out "
    "tensor t by resizing it, inplace, to zero elements with t.resize_(0)."
)


def check(holds: Any, text: str, *values: Any, error: type[Exception] = RuntimeError) -> None:
    """Raise an error, its text formatted with these values, unless something holds."""
    if not holds:
        raise error(text.format(*values))


def require(array: Array, kinds: str, kernel: str) -> Array:
    """Return the array if its dtype is of one of the kinds, as numpy abbreviates them.

    Raises:
        NotImplementedError: if it is not, with the name of the kernel that PyTorch lacks.
    """
    if array.dtype.kind not in kinds:
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{name_of(array)}'")
    return array


def name_of(array: Array) -> str:
    """Return what messages call the dtype of an array."""
    return dtypes.of_numpy(array.dtype).scalar_name


def check_receiver(name: str, receiver: Any) -> None:
    """Refuse to call a method of tensors on something else."""
    if not isinstance(receiver, Tensor):
        kind = type(receiver).__name__
        raise TypeError(
            f"descriptor '{name}' for 'torch._C.TensorBase' objects doesn't apply to a '{kind}' "
            "object"
        ) from None


def check_dtypes(text: str, *arrays: Array) -> None:
    """Refuse arrays of different dtypes; the text gets the names of all of them."""
    names = [name_of(one) for one in arrays]
    check(len(set(names)) == 1, text, *names)


def check_cast(tensor: Tensor, dtype: dtypes.dtype, name: str | None = None) -> None:
    """Refuse a result whose dtype cannot be cast to that of `tensor`, with PyTorch's text.

    It calls the dtype of `tensor` by its name, unless it is given another.
    """
    if not dtypes.can_cast(dtype, tensor.dtype):
        raise RuntimeError(
            f"result type {dtype.scalar_name} can't be cast to the desired output type "
            f"{name or tensor.dtype.scalar_name}"
        )


def check_shapes(*tensors: Tensor | Array) -> None:
    """Refuse tensors, or arrays, whose shapes cannot be broadcast to one."""
    check_broadcast([tuple(tensor.shape) for tensor in tensors])


def checked_tensors(values: Sequence[Any], argument: int = 0) -> tuple[Tensor, ...]:
    """Return tensors that were given one by one, or as one sequence: the argument of that number.

    Raises:
        TypeError: if there is anything else among them.
    """
    if len(values) == 1 and isinstance(values[0], (tuple, list)):
        values = values[0]
    text = "expected Tensor as element {} in argument {}, but got {}"
    for place, one in enumerate(values):
        check(isinstance(one, Tensor), text, place, argument, type_name(one), error=TypeError)
    return tuple(values)


# Dimensions


def checked_dims(dims: Sequence[int], ndim: int) -> list[int]:
    """Return dimensions counted from the front; a bool is one unless it comes first.

    Raises:
        IndexError: if there is no such dimension.
        RuntimeError: if one is named twice.
    """
    checked = [checked_dim(int(dim) if place else dim, ndim) for place, dim in enumerate(dims)]
    for place, dim in enumerate(checked):
        text = "dim {} appears multiple times in the list of dims"
        check(dim not in checked[:place], text, dim)
    return checked


def chosen_dims(name: str, dim: Any, ndim: int) -> tuple[int, ...] | None:
    """Return the dimensions of a reduction as a tuple; None for all.

    Raises:
        IndexError, RuntimeError: if there is none such, or one is named twice.
        TypeError: if they are no integers.
    """
    if dim is None:
        return None
    if dim.__class__ is int:
        checked_dim(dim, ndim)
        return (dim,)
    if isinstance(dim, (tuple, list)):
        for place, one in enumerate(dim, 1):
            text = (
                "{}(): argument 'dim' failed to unpack the object at pos {} with error \"type "
                'must be tuple of ints,but got {}"'
            )
            kind = type_name(one)
            check(hasattr(one, "__index__"), text, name, place, kind, error=TypeError)
        checked_dims(dim, ndim)
        return tuple([int(one) for one in dim])
    fits = hasattr(dim, "__index__") and not isinstance(dim, bool)
    text = "{}(): argument 'dim' must be tuple of ints, not {}"
    check(fits, text, name, type_name(dim), error=TypeError)
    return (as_index(dim),)


def checked_int(name: str, dim: Any) -> int:
    """Return a dimension that has to be an integer; raise TypeError if it is none."""
    text = "{}(): argument 'dim' (position 1) must be int, not {}"
    check(hasattr(dim, "__index__"), text, name, type_name(dim), error=TypeError)
    return as_index(dim)


def length_along(shape: Sequence[int], dim: int) -> int:
    """Return the length along a dimension; a 0-d tensor has one element there."""
    return shape[dim] if shape else 1


# Integers in a row


def integers(name: str, parameter: str, given: Sequence[Any]) -> tuple[int, ...]:
    """Return integers that were given one by one, or as one sequence.

    Raises:
        TypeError: if there are none or they are none, with PyTorch's texts.
    """
    missing = '{}() missing 1 required positional arguments: "{}"'
    check(given, missing, name, parameter, error=TypeError)
    if len(given) == 1 and isinstance(given[0], (tuple, list)):
        given = given[0]
    try:
        if given and isinstance(given[0], bool):
            raise TypeError
        return tuple([as_index(one) for one in given])
    except TypeError:
        wrong = next((one for one in given if not hasattr(one, "__index__")), given[0])
        raise TypeError(
            f"{name}(): argument '{parameter}' (position 1) must be tuple of ints, not "
            f"{type_name(wrong)}"
        ) from None


def lengths(name: str, parameter: str, given: Sequence[Any]) -> tuple[int, ...]:
    """Return the lengths of a shape, in which -1 may stand for one to be worked out.

    Raises:
        TypeError, RuntimeError: if they are no such lengths, with PyTorch's texts.
    """
    shape = integers(name, parameter, given)
    for place, length in enumerate(shape):
        text = "invalid shape dimension {} at index {} of shape {}"
        check(length >= -1, text, length, place, list(shape))
    return shape


def squares(name: str, A: Array, any_dtype: bool = False, half: bool = False) -> Array:
    """Return an array, if it is a square matrix or a batch of them.

    Raises:
        RuntimeError: if it is not, or not of a dtype to compute with, float16 unless `half`.
    """
    who = name if name == "logdet" else f"linalg.{name}"
    text = "{}: The input tensor A must have at least 2 dimensions."
    check(A.ndim >= 2, text, who)
    text = "{}: A must be batches of square matrices, but they are {} by {} matrices"
    check(A.shape[-1] == A.shape[-2], text, who, *A.shape[-2:])
    if not any_dtype:
        text = "{}: Expected a floating point or complex tensor as input. Got {}"
        check(A.dtype.kind == "f", text, who, name_of(A))
        text = "{}: Low precision dtypes not supported. Got {}"
        check(half or A.dtype.char != "e", text, who, name_of(A))
    return A


def of_full_precision(array: Array, kernel: str) -> Array:
    """Return an array of float32 or float64; raise NotImplementedError if it is another."""
    text = "\"{}\" not implemented for '{}'"
    fits = array.dtype.char in "fd"
    check(fits, text, kernel, name_of(array), error=NotImplementedError)
    return array
