"""Functions that make tensors of numbers: of given ones, of equal ones, of regular ones."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.autograd.node import Array, quiet_copy
from minigrad.c_code import type_name
from minigrad.data import (
    array_of_data,
    checked_array,
    checked_sizes,
    element,
    evenly,
    legacy_array,
)
from minigrad.device import check_device
from minigrad.layout import check_format, contiguous_format
from minigrad.memory import allocated, in_one_block, laid_out_as, seen_as
from minigrad.ops.calls import refusing
from minigrad.ops.check import check
from minigrad.ops.promotion import not_a_tensor
from minigrad.ops.registry import public
from minigrad.outside import warn
from minigrad.subclasses import WITHOUT_GRADIENTS
from minigrad.tensor import Tensor, from_array

NOT_WRITABLE = (
    "The given {0} is not writable, and PyTorch does not support non-writable tensors. This means "
    "{1}. You may want to copy the {2} to protect its data or make it writable before converting "
    "it to a tensor. This type of warning will be suppressed for the rest of this program."
)
UNSPECIFIED = (
    "torch.asarray: unspecified requires_grad now defaults to obj.requires_grad instead of False. "
    "Pass requires_grad=False explicitly to get the old behavior and silence this warning."
)
RANGE = (
    "torch.range is deprecated and will be removed in a future release because its behavior is "
    "inconsistent with Python's range builtin. Instead, use torch.arange, which produces values in "
    "[start, end)."
)
TENSOR_TYPE = (
    "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use "
    "torch.set_default_dtype() and torch.set_default_device() as alternatives."
)
COPY_CONSTRUCTED = (
    "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
    "sourceTensor.detach().clone().requires_grad_(True), rather than {}(sourceTensor)."
)


def numpy_dtype(function: str, dtype: Any, default: dtypes.dtype) -> np.dtype[Any]:
    """Return the numpy dtype for the argument `dtype` of a function.

    Raises:
        TypeError: if it is neither a dtype, a Python type of numbers, nor None.
    """
    wanted = dtypes.of_python(default if dtype is None else dtype)
    if wanted is None:
        raise TypeError(
            f"{function}(): argument 'dtype' must be torch.dtype, not {type(dtype).__name__}"
        )
    return wanted.numpy_dtype


def made(function: str, array: Array, requires_grad: bool, device: Any = None) -> Tensor:
    """Return a new leaf, for the function of this name.

    Raises:
        TypeError: if `requires_grad` is no bool.
        RuntimeError: if it is to require grad and is not floating point, or for another device.
    """
    check_device(device)
    if not (requires_grad is None or isinstance(requires_grad, bool)):
        raise TypeError(
            f"{function}(): argument 'requires_grad' must be bool, not "
            f"{type(requires_grad).__name__}"
        )
    if requires_grad and array.dtype.kind != "f":
        raise RuntimeError(WITHOUT_GRADIENTS)
    # A scalar as long as nobody shares the memory, as for the results of operations.
    made_tensor = from_array(array if array.ndim else array[()])
    if requires_grad:
        made_tensor._require_grad(True)
    return made_tensor


# Of given numbers


@refusing()
def tensor(
    data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """Return a leaf tensor with a copy of the data.

    Args:
        data: a number, nested sequences of numbers, a numpy array or a Tensor.
        dtype: of the elements; by default what holds all of the data, where Python floats are of
            the default dtype.

    Raises:
        ValueError, TypeError, RuntimeError: if the data are ragged or no numbers.

    >>> import minigrad as torch
    >>> torch.tensor([[1, 2], [3, 4.5]])
    tensor([[1.0000, 2.0000],
            [3.0000, 4.5000]])
    """
    if isinstance(data, Tensor):
        warn(COPY_CONSTRUCTED.format("torch.tensor"))
    target = None if dtype is None else numpy_dtype("tensor", dtype, dtypes.float32)
    return made("tensor", array_of_data(data, target), requires_grad, device)


@refusing()
def as_tensor(data: Any, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Return the data as a tensor; a Tensor or array of that dtype is not copied."""
    check_device(device)
    if isinstance(data, Tensor):
        return data if dtype is None else data.to(dtype)
    if isinstance(data, np.ndarray) and (dtype is None or data.dtype == dtype.numpy_dtype):
        return from_numpy(data)
    return tensor(data, dtype=dtype, device=device)


def from_numpy(array: Array, /) -> Tensor:
    """Return a tensor that shares its memory with a numpy array.

    Raises:
        TypeError: if it is no array, or of a dtype that tensors do not have.
    """
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type_name(array)})")
    array = checked_array(array)
    if not array.flags.writeable:
        means = "writing to this tensor will result in undefined behavior"
        warn(NOT_WRITABLE.format("NumPy array", means, "array"))
    return from_array(in_one_block(array))


@refusing()
def scalar_tensor(value: Any, *, dtype: Any = None, requires_grad: bool = False) -> Tensor:
    """Return a 0-d tensor, of the default dtype unless another is given."""
    target = numpy_dtype("scalar_tensor", dtype, dtypes.get_default_dtype())
    return made("scalar_tensor", np.asarray(element(value, target)), requires_grad)


@public("is_tensor", "function")
def is_tensor(obj: Any, /) -> bool:
    """Return whether an object is a Tensor."""
    return isinstance(obj, Tensor)


@public("numel", "function")
def numel(input: Tensor) -> int:
    """Return the number of elements of a tensor."""
    return input.numel()


@refusing()
def asarray(
    obj: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    copy: bool | None = None,
    requires_grad: bool | None = None,
) -> Tensor:
    """Return anything that holds numbers as a tensor, of the same memory where that is possible.

    Args:
        obj: a Tensor or numpy array, an object with a buffer, such as a bytearray, whose bytes are
            read as elements, or a number or sequences of numbers.
        copy: True for memory of its own; False to refuse what would need it.
        requires_grad: None to leave it as it is; False cuts off what was computed.

    Raises:
        ValueError: if a copy is needed and refused.
    """
    shared = shared_memory(obj, dtype)
    if shared is None:
        text = "can't alias NumPy scalars. Either remove copy=False or transform it in a ndarray. "
        check(copy is not False or not isinstance(obj, np.generic), text)
        text = "can't alias arbitrary sequence into a tensor."
        check(copy is not False, text, error=ValueError)
        return tensor(obj, dtype=dtype, device=device, requires_grad=bool(requires_grad))
    if requires_grad is None and shared.requires_grad:
        warn(UNSPECIFIED)
    check_device(device)
    wanted = dtypes.of_numpy(numpy_dtype("asarray", dtype, shared.dtype))
    same = wanted is shared.dtype
    text = "can't alias tensor with dtype '{}' into dtype '{}'."
    names = (shared.dtype.scalar_name, wanted.scalar_name)
    check(copy is not False or same, text, *names, error=ValueError)
    result: Tensor = shared.clone() if copy and same else shared.to(wanted)
    check(not requires_grad or result.is_floating_point(), WITHOUT_GRADIENTS)
    if requires_grad is False and not result.is_leaf:
        return result.detach()
    if requires_grad is not None and result.is_leaf:
        result.requires_grad_(requires_grad)
    return result


def shared_memory(obj: Any, dtype: Any) -> Tensor | None:
    """Return a tensor of the memory that an object has; None if it has none of its own."""
    if isinstance(obj, Tensor):
        return obj
    if isinstance(obj, np.ndarray):
        return from_numpy(obj)
    if isinstance(obj, np.generic):
        return None
    try:
        memoryview(obj)
    except TypeError:
        return None
    return frombuffer(obj, dtype=dtypes.get_default_dtype() if dtype is None else dtype)


@refusing()
def frombuffer(
    buffer: Any, *, dtype: Any, count: int = -1, offset: int = 0, requires_grad: bool = False
) -> Tensor:
    """Return a vector of the elements that lie in a buffer, such as bytes, and share its memory.

    Args:
        count: how many; -1 for all.
        offset: how many bytes come before the first.

    Raises:
        ValueError: if `buffer` is none, or has not so many bytes.
    """
    target = numpy_dtype("frombuffer", dtype, dtypes.float32)
    try:
        length = memoryview(buffer).nbytes
    except TypeError:
        raise ValueError("object does not implement Python buffer protocol.") from None
    text = "both buffer length ({}) and count ({}) must not be 0"
    check(length > 0 and count != 0, text, length, count, error=ValueError)
    text = (
        "offset ({} bytes) must be non-negative and no greater than buffer length ({} bytes) "
        "minus 1"
    )
    check(0 <= offset < length, text, offset, length, error=ValueError)
    left, size = length - offset, target.itemsize
    text = (
        "buffer length ({} bytes) after offset ({} bytes) must be a multiple of element size ({})"
    )
    check(count > 0 or left % size == 0, text, left, offset, size, error=ValueError)
    text = (
        "requested buffer length ({} * {} bytes) after offset ({} bytes) must not be greater than "
        "actual buffer length ({} bytes)"
    )
    check(count <= 0 or count * size <= left, text, count, size, offset, length, error=ValueError)
    array = np.frombuffer(buffer, target, count if count > 0 else -1, offset)
    if not array.flags.writeable:
        means = "you can write to the underlying (supposedly non-writable) buffer using the tensor"
        warn(NOT_WRITABLE.format("buffer", means, "buffer"))
    return made("frombuffer", array, requires_grad)


# Of equal numbers


def shape_from(function: str, size: tuple[Any, ...]) -> tuple[int, ...]:
    """Return the shape given as several integers or as one sequence of them.

    Raises:
        TypeError, RuntimeError: if it is none, with PyTorch's texts.
    """
    lengths = size[0] if len(size) == 1 and type(size[0]) in (tuple, list) else size
    if lengths and {int}.issuperset(map(type, lengths)) and min(lengths) >= 0:
        return tuple(lengths)
    text = '{}() missing 1 required positional arguments: "size"'
    check(size, text, function, error=TypeError)
    text = "{}() takes 1 positional argument but {} were given"
    check(len(size) == 1 or is_length(size[0]), text, function, len(size), error=TypeError)
    if isinstance(size[0], (tuple, list)):
        size = tuple(size[0])
    else:
        text = "{}(): argument 'size' (position 1) must be tuple of ints, not {}"
        check(is_length(size[0]), text, function, type(size[0]).__name__, error=TypeError)
    check_lengths(function, size)
    shape = tuple(int(length) for length in size)
    text = "zeros: Dimension size must be non-negative."
    check(function != "zeros" or all(length >= 0 for length in shape), text)
    return checked_sizes(shape)


def is_length(value: Any) -> bool:
    """Return whether a value is an integer, and no bool."""
    if isinstance(value, Tensor):
        return value._value.dtype.kind in "iu"
    if isinstance(value, np.ndarray):
        return value.ndim == 0 and value.dtype.kind in "iu"
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def check_lengths(function: str, lengths: Sequence[Any]) -> None:
    """Refuse what is no integer among several, with PyTorch's texts: the first has one of its own.

    Raises:
        TypeError: if there is such a one; a bool is one if it is the first.
    """
    text = (
        "{}(): argument 'size' (position 1) must be tuple of ints, but found element of type {} at "
        "pos 0"
    )
    for place, length in enumerate(lengths):
        fits = is_length(length) or (place > 0 and isinstance(length, bool))
        check(fits, text, function, type(length).__name__, place + 1, error=TypeError)
        text = (
            "{0}(): argument 'size' failed to unpack the object at pos {2} with error \"type must "
            'be tuple of ints,but got {1}"'
        )


FILLED_WITH = {
    np.zeros: "zeros in all places",
    np.ones: "ones in all places",
    np.empty: "whatever its memory holds",
}


def of_size(
    name: str,
    fill: Callable[..., Array],
    size: tuple[Any, ...],
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return a tensor of a size, given as several integers or as one sequence of them."""
    shape = shape_from(name, size)
    target = numpy_dtype(name, dtype, dtypes.get_default_dtype())
    return made(name, allocated(fill, shape, target), requires_grad, device)


def like_another(
    name: str,
    fill: Callable[..., Array],
    input: Tensor,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
    memory_format: Any = None,
) -> Tensor:
    """Return a tensor of another one's size, and of its dtype unless that is given."""
    if not isinstance(input, Tensor):
        raise not_a_tensor(name, "input", 1, input)
    array = fill(input._value.shape, numpy_dtype(name, dtype, input.dtype))
    return made(name, formatted(array, input, memory_format), requires_grad, device)


def filled(name: str, fill: Callable[..., Array]) -> Callable[..., Tensor]:
    """Return the function that makes a tensor of a given size with equal elements."""

    def function(
        *sizes: Any,
        size: Any = None,
        dtype: Any = None,
        device: Any = None,
        requires_grad: bool = False,
    ) -> Tensor:
        given = sizes if size is None else (size,)
        return of_size(name, fill, given, dtype, device, requires_grad)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"Return a tensor of the given size, with {FILLED_WITH[fill]}.\n\n"
        "Args:\n    size: several integers, or one sequence of them.\n"
        "    dtype: the default dtype unless given.\n"
    )
    return function


def formatted(array: Array, like: Tensor, wanted: Any) -> Array:
    """Return new elements in the memory format that is wanted, as those of `like` unless given."""
    if wanted is not None:
        check_format(wanted)
    return array if wanted is contiguous_format else laid_out_as(array, like._value)


def filled_like(name: str, fill: Callable[..., Array]) -> Callable[..., Tensor]:
    """Return the function that makes a tensor of another one's size with equal elements."""

    def function(
        input: Tensor,
        *,
        memory_format: Any = None,
        dtype: Any = None,
        device: Any = None,
        requires_grad: bool = False,
    ) -> Tensor:
        return like_another(name, fill, input, dtype, device, requires_grad, memory_format)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        "Return a tensor of the size and, unless given, dtype of `input`, with "
        f"{FILLED_WITH[fill]}."
    )
    return function


zeros = refusing(out=True)(filled("zeros", np.zeros))
zeros_like = refusing()(filled_like("zeros_like", np.zeros))
ones = refusing(out=True)(filled("ones", np.ones))
ones_like = refusing()(filled_like("ones_like", np.ones))
empty = refusing(out=True)(filled("empty", np.empty))
empty_like = refusing()(filled_like("empty_like", np.empty))


@refusing()
def empty_strided(
    size: Sequence[int],
    stride: Sequence[int],
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return a tensor of a size whose memory moves on by `stride` elements along each dimension.

    Raises:
        RuntimeError: if these are not as many, or negative.
    """
    text = "dimensionality of sizes ({}) must match dimensionality of strides ({})"
    check(len(size) == len(stride), text, len(size), len(stride))
    text = "Trying to create tensor with negative dimension {}: {}"
    least = min(size, default=0)
    check(least >= 0, text, least, list(size))
    text = "Storage size calculation overflowed with sizes={} and strides={}"
    check(min(stride, default=0) >= 0, text, list(size), list(stride))
    target = numpy_dtype("empty_strided", dtype, dtypes.get_default_dtype())
    last = sum((length - 1) * step for length, step in zip(size, stride, strict=True))
    memory = np.zeros(last + 1 if min(size, default=1) else 0, target)
    steps = [step * target.itemsize for step in stride]
    array = seen_as(memory, tuple(size), steps)
    return made("empty_strided", array, requires_grad, device)


@refusing(out=True)
def full(
    size: Sequence[int],
    fill_value: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return a tensor of the given size whose elements are all `fill_value`.

    >>> import minigrad as torch
    >>> torch.full((2, 3), 7)
    tensor([[7, 7, 7],
            [7, 7, 7]])
    """
    text = "full(): argument 'size' (position 1) must be tuple of ints, not {}"
    check(isinstance(size, (tuple, list)), text, type(size).__name__, error=TypeError)
    value = fill_value.item() if isinstance(fill_value, Tensor) else fill_value
    target = numpy_dtype("full", dtype, dtypes.of_number(value))
    number = element(value, target)
    shape = shape_from("full", (size,))
    return made("full", allocated(np.full, shape, number), requires_grad, device)


@refusing()
def full_like(
    input: Tensor,
    fill_value: Any,
    *,
    memory_format: Any = None,
    dtype: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return a tensor of the size and dtype of `input` whose elements are all `fill_value`."""
    made = full(
        tuple(input.shape), fill_value, dtype=dtype or input.dtype, requires_grad=requires_grad
    )
    made._value = formatted(made._value, input, memory_format)
    return made


# Of regular numbers


@refusing(out=True)
def arange(
    *bounds: Any,
    start: Any = None,
    end: Any = None,
    step: Any = None,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return the numbers from `start` up to, without, `end`: ``arange(start, end, step)``.

    One number alone is the end.

    Raises:
        RuntimeError: if `step` is 0 or leads away from `end`, or that is infinitely far.
        NotImplementedError: for booleans.
    """
    named = {"start": start, "end": end, "step": step}
    named = {name: one for name, one in named.items() if one is not None}
    order = ("start", "end", "step") if named or len(bounds) > 1 else ("end",)
    given = dict(zip(order, bounds, strict=False)) | named
    text = "arange() takes numbers, or tensors of no dimensions that require no grad"
    for one in given.values():
        check(stands_for_number(one), text, error=TypeError)
    whole = given.keys() == {"end"} or {"start", "end"} <= given.keys()
    text = "arange() takes an end, a start and an end, or these and a step"
    check(whole and len(given) == len(bounds) + len(named), text, error=TypeError)
    start, end, step = numbers_of_steps(given.get("start", 0), given["end"], given.get("step", 1))
    integral = {int, bool}.issuperset(map(type, (start, end, step)))
    default = dtypes.int64 if integral else dtypes.get_default_dtype()
    target = numpy_dtype("arange", dtype, default)
    text = "\"arange_cpu\" not implemented for 'Bool'"
    check(target != np.bool_, text, error=NotImplementedError)
    if target == np.int64:
        start, end, step = int(start), int(end), int(step)
        check(step, "step must be nonzero", error=ValueError)
    length = math.ceil((end - start) / step)
    check(length < 2**63, "invalid size, possible overflow?")
    if target.kind in "iu":
        start, step = int(start), int(step)
    array = quiet_copy().run(lambda: (start + np.arange(length) * step).astype(target))
    return made("arange", array, requires_grad, device)


def stands_for_number(value: Any) -> bool:
    """Return whether a value is no tensor, or one of no dimensions that requires no grad."""
    return not isinstance(value, Tensor) or (value.ndim == 0 and not value.requires_grad)


def numbers_of_steps(start: Any, end: Any, step: Any) -> tuple[Any, Any, Any]:
    """Return as numbers from where to where steps go, and their length.

    Raises:
        RuntimeError: if the steps lead nowhere.
    """
    start, end, step = [
        one.item() if isinstance(one, Tensor) else dtypes.python_number(one)
        for one in (start, end, step)
    ]
    check(step > 0 or step < 0, "step must be nonzero")
    finite = math.isfinite(start) and math.isfinite(end)
    check(finite, "unsupported range: {:g} -> {:g}", start, end)
    check((end - start) * step >= 0, "upper bound and lower bound inconsistent with step sign")
    return start, end, step


@refusing(out=True)
def range(
    start: Any,
    end: Any,
    step: Any = 1,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return the numbers from `start` up to, and with, `end`; deprecated: use `arange`.

    Raises:
        RuntimeError: if `step` is 0 or leads away from `end`, or that is infinitely far.
    """
    for place, (name, one) in enumerate((("start", start), ("end", end), ("step", step)), 1):
        text = "range(): argument '{}' (position {}) must be Number, not Tensor"
        check(stands_for_number(one), text, name, place, error=TypeError)
    warn(RANGE)
    start, end, step = numbers_of_steps(start, end, step)
    target = numpy_dtype("range", dtype, dtypes.get_default_dtype())
    refuse_bool("range", target)
    places = np.arange(math.floor((end - start) / step) + 1)
    return made("range", (start + places * step).astype(target), requires_grad, device)


@refusing(out=True)
def linspace(
    start: Any,
    end: Any,
    steps: int,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return `steps` numbers from `start` to `end`, both included, at equal distances.

    Raises:
        RuntimeError: if `steps` is negative, or an end has dimensions.

    >>> import minigrad as torch
    >>> torch.linspace(0, 1, 5)
    tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
    start, end = checked_ends("linspace", start, end, steps)
    target = numpy_dtype("linspace", dtype, dtypes.get_default_dtype())
    refuse_bool("linspace", target)
    numbers = quiet_copy().run(evenly, start, end, steps, target)
    return made("linspace", numbers, requires_grad, device)


@refusing(out=True)
def logspace(
    start: Any,
    end: Any,
    steps: int,
    base: float = 10.0,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return `steps` powers of `base`, whose exponents go evenly from `start` to `end`.

    Raises as `linspace`.
    """
    start, end = checked_ends("logspace", start, end, steps)
    target = numpy_dtype("logspace", dtype, dtypes.get_default_dtype())
    refuse_bool("logspace", target)
    exponents = quiet_copy().run(evenly, start, end, steps, np.dtype(float))
    powers = quiet_copy().run(lambda: np.power(base, exponents).astype(target))
    return made("logspace", powers, requires_grad, device)


def checked_ends(name: str, start: Any, end: Any, steps: Any) -> list[Any]:
    """Return both ends, if the steps are not negative, and ends have no dimensions."""
    check(steps >= 0, "number of steps must be non-negative")
    given = [(which, one) for which, one in (("start", start), ("end", end)) if is_tensor(one)]
    found = " and ".join([f"{which} with {one.ndim} dimension(s)" for which, one in given])
    text = "{} only supports 0-dimensional start and end tensors, but got {}."
    check(not any(one.ndim for _, one in given), text, name, found)
    return [one._array if is_tensor(one) else one for one in (start, end)]


def refuse_bool(name: str, dtype: np.dtype[Any]) -> None:
    """Refuse to step through booleans."""
    text = "\"{}_cpu\" not implemented for 'Bool'"
    check(dtype.kind != "b", text, name, error=NotImplementedError)


@refusing(out=True)
def eye(n: int, m: int | None = None, *, dtype: Any = None, requires_grad: bool = False) -> Tensor:
    """Return the identity matrix, with `n` rows and `m` columns (`n` unless given).

    >>> import minigrad as torch
    >>> torch.eye(2, 3)
    tensor([[1., 0., 0.],
            [0., 1., 0.]])
    """
    check(n >= 0, "n must be greater or equal to 0, got {}", n)
    check(m is None or m >= 0, "m must be greater or equal to 0, got {}", m)
    target = numpy_dtype("eye", dtype, dtypes.get_default_dtype())
    return made("eye", np.eye(n, m, dtype=target), requires_grad)


# Like another tensor


@public("new", "method")
def new(self: Tensor, *args: Any, size: Any = None, device: Any = None) -> Tensor:
    """Return a tensor of this one's dtype: of sizes, or of given elements; `new_tensor` of old."""
    return from_array(legacy_array(args, self._array.dtype, size, None, device))


@public("new_empty_strided", "method")
def new_empty_strided(
    self: Tensor,
    size: Sequence[int],
    stride: Sequence[int],
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return `empty_strided` of this tensor's dtype unless another is given."""
    dtype = dtype or self.dtype
    return empty_strided(size, stride, dtype=dtype, device=device, requires_grad=requires_grad)


@public("new_tensor", "method")
def new_tensor(
    self: Tensor, data: Any, *, dtype: Any = None, requires_grad: bool = False
) -> Tensor:
    """Return a tensor of the data, of this tensor's dtype unless another is given."""
    if isinstance(data, Tensor):
        warn(COPY_CONSTRUCTED.format("tensor.new_tensor"))
        data = data._array
    return tensor(data, dtype=dtype or self.dtype, requires_grad=requires_grad)


def _new_filled(name: str, fill: Callable[..., Array]) -> None:
    @public(f"new_{name}", "method")
    def method(
        self: Tensor,
        *sizes: Any,
        size: Any = None,
        dtype: Any = None,
        device: Any = None,
        requires_grad: bool = False,
    ) -> Tensor:
        given = sizes if size is None else (size,)
        return of_size(f"new_{name}", fill, given, dtype or self.dtype, device, requires_grad)

    method.__doc__ = f"Return `{name}` of this tensor's dtype unless another is given."


_new_filled("zeros", np.zeros)
_new_filled("ones", np.ones)
_new_filled("empty", np.empty)


@public("new_full", "method")
def new_full(
    self: Tensor,
    size: Sequence[int],
    fill_value: Any,
    *,
    dtype: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return `full` of this tensor's dtype unless another is given."""
    return full(size, fill_value, dtype=dtype or self.dtype, requires_grad=requires_grad)


# The old constructors, one for each dtype


class tensortype(type):
    """The type of ``torch.FloatTensor`` and its siblings, which construct tensors of one dtype."""

    __module__ = "torch"
    dtype: dtypes.dtype

    def __call__(cls, *args: Any, **named: Any) -> Tensor:
        return from_array(legacy_array(args, cls.dtype.numpy_dtype, **named))

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Tensor) and instance.dtype is cls.dtype


def _legacy(dtype: dtypes.dtype) -> tensortype:
    doc = f"Constructs {dtype} tensors of a size, or of given elements."
    members = {"__module__": "torch", "dtype": dtype, "__doc__": doc}
    return tensortype(f"{dtype.scalar_name}Tensor", (), members)


FloatTensor = _legacy(dtypes.float32)
DoubleTensor = _legacy(dtypes.float64)
HalfTensor = _legacy(dtypes.float16)
ByteTensor = _legacy(dtypes.uint8)
CharTensor = _legacy(dtypes.int8)
ShortTensor = _legacy(dtypes.int16)
IntTensor = _legacy(dtypes.int32)
LongTensor = _legacy(dtypes.int64)
BoolTensor = _legacy(dtypes.bool_)


def set_default_tensor_type(t: Any, /) -> None:
    """Set the dtype that Python floats become, by an old constructor or its name; deprecated.

    Raises:
        TypeError: if it does not stand for a floating point dtype.
    """
    kind: Any = t
    if isinstance(t, str):
        module, _, name = t.rpartition(".")
        kind = globals().get(name) if module == "torch" else importlib.import_module(module or t)
    warn(TENSOR_TYPE)
    text = "invalid type object: only floating-point types are supported as the default type"
    check(isinstance(kind, tensortype), text, error=TypeError)
    dtypes.set_default_dtype(kind.dtype)
