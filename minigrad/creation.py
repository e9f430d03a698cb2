"""New tensors: from numbers, lists and arrays, or of a size.

All functions take `dtype`, `device` (the cpu) and `requires_grad`; the latter two are passed on to
`leaf` as `options`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.device import require_cpu
from minigrad.dtypes import NumpyDtype
from minigrad.graph import Array
from minigrad.modes import quiet
from minigrad.ops.conversions import number as number_of
from minigrad.ops.copies import to
from minigrad.ops.shapes import Shape, alias, expand, flat_shape, memory_order, variadic, view
from minigrad.public import functions, public
from minigrad.shape import Size
from minigrad.tensor import Tensor, from_array
from minigrad.warn import warn

COPY_OF_TENSOR = (
    "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
    "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor)."
)


def leaf(array: Array, requires_grad: bool = False, device: Any = None) -> Tensor:
    """A tensor of this array without a history: what every function here returns."""
    require_cpu(device)
    if requires_grad and array.dtype.kind != "f":
        raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
    return from_array(array).requires_grad_() if requires_grad else from_array(array)


# From data


def array_of(data: Any, dtype: Any = None) -> Array:
    """A new array from a number, nested sequences of numbers, an array, or a tensor.

    By default, it has the dtype of the array or tensor, or the one that all numbers meet in.
    """
    if isinstance(data, np.ndarray | np.generic | Tensor):
        array = data._array if isinstance(data, Tensor) else data
        kind = dtypes.numpy_dtype(dtype, dtypes.of_numpy(array.dtype).numpy)
        return quiet().run(np.array, array, kind)
    kinds: set[NumpyDtype] = set()
    numbers = plain(data, kinds)
    try:
        array = np.array(numbers)
    except ValueError:
        raise ragged_error(numbers) from None
    own = functools.reduce(dtypes.promote, kinds) if kinds else dtypes.default
    kind = dtypes.numpy_dtype(dtype, own)
    extremes = [array.min(), array.max()] if array.size and kind.kind in "iu" else []
    if not all(dtypes.fits(number, kind) for number in extremes):
        raise RuntimeError(f"value cannot be converted to type {kind.name} without overflow")
    return quiet().run(array.astype, kind)


def plain(data: Any, kinds: set[NumpyDtype]) -> Any:
    """Nested lists of numbers; their dtypes are added to `kinds`."""
    if isinstance(data, list | tuple | range):
        return [plain(one, kinds) for one in data]
    if isinstance(data, np.ndarray | np.generic):
        kinds.add(data.dtype)
        return data.tolist()
    if isinstance(data, Tensor):
        kinds.add(data._array.dtype)
        return number_of(data)
    if isinstance(data, str):
        raise TypeError("new(): invalid data type 'str'")
    if not isinstance(data, int | float):
        raise RuntimeError(f"Could not infer dtype of {type(data).__name__}")
    kinds.add(dtypes.of_number(data))
    return data


def ragged_error(elements: list[Any], dim: int = 1) -> Exception:
    """What is wrong with the lengths of nested lists."""
    for one in elements:
        if not isinstance(one, list) or not isinstance(elements[0], list):
            return TypeError("not a sequence")
        if len(one) != (expected := len(elements[0])):
            text = f"expected sequence of length {expected} at dim {dim} (got {len(one)})"
            return ValueError(text)
    return ragged_error([inner for one in elements for inner in one], dim + 1)


@public("tensor", "function")
def tensor(
    data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """A new leaf with a copy of the data: a number, nested sequences, an array, or a tensor.

    By default, integers give int64, booleans bool, floats the default dtype, and an array its own.

    Raises:
        ValueError: if sequences differ in length.
        TypeError, RuntimeError: if something is no number or doesn't fit the dtype.

    >>> tensor([[1, 2], [3, 4.5]])
    tensor([[1.0000, 2.0000],
            [3.0000, 4.5000]])
    """
    if isinstance(data, Tensor):
        warn(COPY_OF_TENSOR)
    return leaf(array_of(data, dtype), requires_grad, device)


@public("from_numpy", "function")
def from_numpy(ndarray: Array) -> Tensor:
    """A tensor that shares the memory of a numpy array."""
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {dtypes.type_name(ndarray)})")
    dtypes.of_numpy(ndarray.dtype)
    return from_array(ndarray)


@public("as_tensor", "function")
def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """The data as a tensor: the same tensor, or the memory of an array, where possible."""
    require_cpu(device)
    if isinstance(data, np.ndarray):
        data = from_numpy(data)
    return to(data, dtype) if isinstance(data, Tensor) else tensor(data, dtype=dtype)


# Of a size


def filled(size: Shape, value: Any, dtype: NumpyDtype, **options: Any) -> Tensor:
    if negative := [length for length in size if length < 0]:
        raise RuntimeError(
            f"Trying to create tensor with negative dimension {negative[0]}: {list(size)}"
        )
    return leaf(np.full(size, value, dtype), **options)


def constant(name: str, value: int, words: str) -> tuple[Callable[..., Tensor], ...]:
    """Declare a function of a size, such as `zeros`, and one of another tensor (`zeros_like`)."""

    @variadic
    def of_size(size: Shape, *, dtype: Any = None, **options: Any) -> Tensor:
        return filled(size, value, dtypes.numpy_dtype(dtype), **options)

    def like(input: Tensor, *, dtype: Any = None, **options: Any) -> Tensor:
        kind = dtypes.numpy_dtype(dtype, input.dtype.numpy)
        return leaf(np.full_like(input._array, value, kind, memory_order(input._array)), **options)

    of_size.__doc__ = f"{words}: ``{name}(2, 3)`` or ``{name}((2, 3))``."
    like.__doc__ = f"{words}, by default in the shape and dtype of another tensor."
    return public(name, "function")(of_size), public(f"{name}_like", "function")(like)


zeros, zeros_like = constant("zeros", 0, "Zeros")
ones, ones_like = constant("ones", 1, "Ones")
empty, empty_like = constant("empty", 0, "Elements to be overwritten (zeros until then)")


@public("full", "function")
def full(size: Any, fill_value: Any, *, dtype: Any = None, **options: Any) -> Tensor:
    """A tensor full of one value, which also decides the dtype by default."""
    value = python_number(fill_value)
    kind = dtypes.numpy_dtype(dtype, dtypes.of_number(value))
    return filled(tuple(size), dtypes.cast(value, kind), kind, **options)


# Of regular numbers


def python_number(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic | Tensor) else value


@public("arange", "function")
def arange(
    start: Any = 0, end: Any = None, step: Any = 1, *, dtype: Any = None, **options: Any
) -> Tensor:
    """The numbers from `start`, in steps, up to but without `end`. One number alone is the end.

    Integers give int64, others the default dtype. Raises RuntimeError if the steps lead nowhere.

    >>> arange(3), arange(1, 2, 0.25)
    (tensor([0, 1, 2]), tensor([1.0000, 1.2500, 1.5000, 1.7500]))
    """
    bounds = (0, start, step) if end is None else (start, end, step)
    start, end, step = map(python_number, bounds)
    is_float = dtypes.default in map(dtypes.of_number, (start, end, step))
    kind = dtypes.numpy_dtype(dtype, dtypes.default if is_float else dtypes.int64.numpy)
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) / step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    if kind == np.int64:
        start, end, step = int(start), int(end), int(step)
    places = np.arange(math.ceil((end - start) / step))
    if kind.kind in "iu":
        return leaf((int(start) + places * int(step)).astype(kind), **options)
    # PyTorch goes in steps from the first number of each block. It rounds product and sum once (a
    # fused multiply-add), for which numpy needs more digits.
    block, step = 8 if kind == np.float32 else 4, np.longdouble(step)
    first, rest = places // block * block, places.size % (2 * block)
    first[places.size - rest :] = places[places.size - rest :]
    base = (start + first * step).astype(np.float64).astype(kind)
    values = base + (places - first) * step
    return leaf(values.astype(np.float64).astype(kind), **options)


@public("linspace", "function")
def linspace(start: Any, end: Any, steps: int, *, dtype: Any = None, **options: Any) -> Tensor:
    """`steps` numbers from `start` to `end`, both included, at equal distances.

    >>> linspace(0, 1, 5)
    tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    kind = dtypes.numpy_dtype(dtype)
    first, last = (dtypes.cast(python_number(one), kind) for one in (start, end))
    # As PyTorch rounds: the second half counts from the end, and product and sum are rounded once.
    wide = np.float64 if kind == np.float32 else np.longdouble
    step, places = wide((last - first) / max(steps - 1, 1)), np.arange(steps)
    rising, falling = wide(first) + step * places, wide(last) - step * places[::-1]
    values = np.where(places < max(steps // 2, 1), rising, falling)
    return leaf(values.astype(np.float64).astype(kind), **options)


@public("eye", "function")
def eye(n: int, m: int | None = None, *, dtype: Any = None, **options: Any) -> Tensor:
    """The identity matrix with `n` rows and `m` columns, by default `n`."""
    return leaf(np.eye(n, m, dtype=dtypes.numpy_dtype(dtype)), **options)


@public("meshgrid", "function")
def meshgrid(*tensors: Any, indexing: str = "ij") -> tuple[Tensor, ...]:
    """The coordinates of the points of a grid, from those on its axes: one view for each axis.

    With ``indexing="xy"``, the first two axes change places: x goes right, y goes down.

    >>> meshgrid(arange(2), arange(3), indexing="ij")[1]
    tensor([[0, 1, 2],
            [0, 1, 2]])
    """
    tensors = tuple(tensors[0]) if isinstance(tensors[0], list | tuple) else tensors
    axes = list(range(len(tensors)))
    if indexing == "xy":
        axes[:2] = axes[1::-1]
    shape = [tensors[axis].numel() for axis in axes]
    return tuple(
        expand(view(one, [-1 if axis == place else 1 for axis in axes]), shape)
        for place, one in enumerate(tensors)
    )


# The constructors from before PyTorch had dtypes


def construct(cls: Any, *args: Any) -> Tensor:
    """``FloatTensor(2, 3)`` of a size, or ``FloatTensor([1.0, 2.0])`` of data.

    ``Tensor(2, 3)`` and ``Tensor([1.0, 2.0])`` have the default dtype.
    """
    dtype = cls.dtype if isinstance(cls.dtype, dtypes.dtype) else dtypes.get_default_dtype()
    data = args[0] if args else []
    if len(args) > 1 or isinstance(data, int | np.integer | Size):
        return filled(flat_shape(args), 0, dtypes.numpy_dtype(dtype))
    return alias(data) if isinstance(data, Tensor) else leaf(array_of(data, dtype))


Tensor.__new__ = staticmethod(construct)  # type: ignore[assignment]
for _dtype in dtypes.ALL:  # they name dtypes, too: ``x.type(torch.FloatTensor)``
    _name = _dtype.type.removeprefix("torch.")
    _names = {"__module__": "torch", "__doc__": construct.__doc__, "__new__": construct}
    functions[_name] = type(_name, (), {**_names, "dtype": _dtype})
