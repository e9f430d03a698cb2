"""New tensors, of given sizes or data."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.op import functions, public
from minigrad.ops.shapes import flat_shape
from minigrad.tensor import Tensor, from_array


def finished(array: np.ndarray, requires_grad: bool = False) -> Tensor:
    if requires_grad and array.dtype.kind != "f":
        raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
    return from_array(array).requires_grad_() if requires_grad else from_array(array)


def plain(data: Any) -> Any:
    """Nested sequences with numbers in the place of tensors."""
    if isinstance(data, Tensor):
        return data._array
    return [plain(one) for one in data] if isinstance(data, (list, tuple)) else data


def to_array(data: Any, dtype: Any = None) -> np.ndarray:
    if isinstance(data, (np.ndarray, np.generic)):
        return np.array(data, None if dtype is None else dtypes.numpy_dtype(dtype))
    try:
        array = np.array(plain(data))
    except ValueError:
        text = "expected sequence of length {} at dim 1 (got {})"
        sizes = [len(one) for one in data]
        raise ValueError(text.format(sizes[0], next(n for n in sizes if n != sizes[0]))) from None
    if array.dtype.kind not in "biuf":
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    wanted = dtypes.numpy_dtype(dtype)
    if dtype is None:
        has_dtype = isinstance(data, (list, tuple)) and any(hasattr(x, "dtype") for x in data)
        keep = has_dtype or array.dtype.kind != "f" and array.size
        wanted = array.dtype if keep else dtypes.default
    return array.astype(wanted, copy=False)


def tensor(data: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """A new leaf of the data."""
    return finished(to_array(data, dtype), requires_grad)


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    if isinstance(data, Tensor):
        return data if dtype is None else data.to(dtype)
    return (
        from_array(data) if isinstance(data, np.ndarray) and dtype is None else tensor(data, dtype)
    )


def from_numpy(array: np.ndarray) -> Tensor:
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    return from_array(array)


def of_size(name: str, make: Callable) -> None:
    """A function of sizes, and another of a tensor that has the size."""

    def sized(
        *size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **_: Any
    ) -> Tensor:
        size = size or (_["size"],)
        return finished(make(flat_shape(size), dtypes.numpy_dtype(dtype)), requires_grad)

    def like(input: Tensor, *, dtype: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
        kind = dtypes.numpy_dtype(dtype, input._array.dtype)
        return finished(make(input._array.shape, kind), requires_grad)

    sized.__name__, like.__name__ = name, f"{name}_like"
    functions[name], functions[f"{name}_like"] = sized, like
    setattr(
        Tensor, f"new_{name}", lambda self, *size, **k: sized(*size, **{"dtype": self.dtype, **k})
    )


of_size("zeros", np.zeros)
of_size("ones", np.ones)
of_size("empty", np.zeros)


def full(
    size: Any,
    fill_value: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    kind = dtypes.numpy_dtype(dtype, dtypes.of_number(fill_value))
    return finished(np.full(tuple(size), fill_value, kind), requires_grad)


def full_like(input: Tensor, fill_value: Any, *, dtype: Any = None, **rest: Any) -> Tensor:
    return full(input.shape, fill_value, dtype=dtype or input.dtype, **rest)


def arange(
    start: Any,
    end: Any = None,
    step: Any = 1,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    start, end = (0, start) if end is None else (start, end)
    whole = all(isinstance(x, int) for x in (start, end, step))
    kind = dtypes.numpy_dtype(dtype, dtypes.int64.numpy if whole else dtypes.default)
    count = max(0, int(np.ceil((end - start) / step)))
    return finished((start + np.arange(count) * step).astype(kind), requires_grad)


def linspace(
    start: float,
    end: float,
    steps: int | None = None,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    if steps is None:
        kinds = ", ".join(type(one).__name__ for one in (start, end))
        kinds += ", requires_grad=bool" if requires_grad else ""
        raise TypeError(
            f"linspace() received an invalid combination of arguments - got ({kinds}), but "
            "expected one of:\n * (Number start, Number end, int steps, ...)"
        )
    kind = dtypes.numpy_dtype(dtype)
    return finished(np.linspace(start, end, steps, dtype=kind), requires_grad)


def eye(
    n: int,
    m: int | None = None,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    return finished(np.eye(n, m, dtype=dtypes.numpy_dtype(dtype)), requires_grad)


for call in (tensor, as_tensor, from_numpy, full, full_like, arange, linspace, eye):
    functions[call.__name__] = call
Tensor.new_tensor = lambda self, data, **k: tensor(data, **{"dtype": self.dtype, **k})
Tensor.new_full = lambda self, size, value, **k: full(size, value, **{"dtype": self.dtype, **k})
public(lambda obj: isinstance(obj, Tensor), "is_tensor", "function")
public(lambda obj: obj._array.size, "numel", "function")


def legacy_tensor(
    cls: type, *args: Any, requires_grad: bool = False, volatile: bool = False
) -> Tensor:
    """Tensor(2, 3) of a size, or Tensor([1., 2.]) of data; Variable is another name for it."""
    if volatile:
        text = "volatile was removed and now has no effect. Use `with torch.no_grad():` instead."
        warnings.warn(text, stacklevel=3)
    if args and all(isinstance(one, int) for one in args):
        return from_array(np.zeros(args, getattr(cls, "kind", dtypes.float32.numpy)))
    data = args[0] if args else []
    if isinstance(data, Tensor):
        return data.detach().requires_grad_(requires_grad)
    return from_array(np.array(plain(data), getattr(cls, "kind", dtypes.float32.numpy)))


def legacy_type(dtype: dtypes.dtype) -> Callable:
    def make(*args: Any) -> Tensor:
        return legacy_tensor(type("", (), {"kind": dtype.numpy}), *args)

    make.__name__ = dtype.tensor_type
    return make


for one in dtypes.ALL:
    functions[one.tensor_type] = legacy_type(one)
    functions[one.name] = one
for name in "float double half short int long".split():
    functions[name] = getattr(dtypes, name)
