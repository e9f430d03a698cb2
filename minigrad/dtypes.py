"""The dtypes: PyTorch's names for numpy's dtypes, and the rules for mixing them.

Tensors hold numpy arrays, so the engine computes with numpy's dtypes. PyTorch's own appear only
where users see them: as arguments, as `Tensor.dtype`, in printed text and in errors.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
NumpyDtype = np.dtype[Any]


class dtype:
    """The type of a tensor's elements, such as `torch.float32`."""

    def __init__(self, name: str, title: str) -> None:
        self.name = name
        self.numpy: NumpyDtype = np.dtype(name)
        self.type = f"torch.{title}Tensor"  # what `Tensor.type()` returns
        self.itemsize = self.numpy.itemsize
        self.is_floating_point, self.is_complex = self.numpy.kind == "f", False
        self.is_signed = self.numpy.kind in "if"

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> tuple[Any, ...]:
        return of_numpy, (self.numpy,)  # copies and pickles are the same object


_names = ("float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool")
_titles = ("Float", "Double", "Char", "Short", "Int", "Long", "Byte", "Bool")
ALL = tuple(map(dtype, _names, _titles))
float32, float64, int8, int16, int32, int64, uint8, bool_ = ALL
PYTHON: dict[Any, dtype] = {float: float64, int: int64, bool: bool_}
from_numpy = {one.numpy: one for one in ALL}
TITLES = dict(zip(from_numpy, _titles, strict=True))  # in error texts
CATEGORY = {"b": 0, "u": 1, "i": 1, "f": 2}  # by numpy's kind; the higher category wins

default: NumpyDtype = float32.numpy


def set_default_dtype(d: dtype) -> None:
    """Set the dtype of new floating point tensors: float32 at first, or float64."""
    global default
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    default = d.numpy


def get_default_dtype() -> dtype:
    """The dtype that new floating point tensors get if none is asked for."""
    return from_numpy[default]


def of_numpy(numpy_dtype: NumpyDtype) -> dtype:
    """PyTorch's dtype for one of numpy's. Raises TypeError if tensors can't have it."""
    if numpy_dtype not in from_numpy:
        raise TypeError(
            f"can't convert np.ndarray of type numpy.{numpy_dtype.type.__name__}. The only "
            "supported types are: float64, float32, int64, int32, int16, int8, uint8, and bool."
        )
    return from_numpy[numpy_dtype]


def numpy_dtype(d: Any, otherwise: NumpyDtype | None = None) -> NumpyDtype:
    """numpy's dtype for an argument `dtype`: one of PyTorch's, or Python's float, int or bool.

    If the argument is None, it is `otherwise`, or else the default dtype.
    """
    if d is None:
        return default if otherwise is None else otherwise
    known = PYTHON.get(d) if isinstance(d, type) else d
    if not isinstance(known, dtype):
        raise TypeError(f"argument 'dtype' must be torch.dtype, not {type_name(d)}")
    return known.numpy


def type_name(value: Any) -> str:
    """What error texts call the type of an argument: "list", "numpy.ndarray"."""
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def of_number(number: Any) -> NumpyDtype:
    """The dtype of a tensor made from a Python number, or from a scalar of numpy's."""
    if isinstance(number, bool | np.bool_):
        return bool_.numpy
    return int64.numpy if isinstance(number, int | np.integer) else default


def fits(number: Any, kind: NumpyDtype) -> bool:
    """Whether a dtype can hold a number; an unsigned one wraps negative integers around."""
    if kind.kind in "iu":
        limits = np.iinfo(kind)
        return bool((-limits.max if kind.kind == "u" else limits.min) <= number <= limits.max)
    return kind.kind == "b" or not math.isfinite(number) or abs(number) <= float(np.finfo(kind).max)


def cast(number: Any, kind: NumpyDtype) -> Any:
    """A number as an element of a dtype: an integer dtype drops its fraction.

    Raises RuntimeError if the dtype can't hold it.
    """
    if not fits(number, kind):
        name = {"float32": "float", "float64": "double"}.get(kind.name, f"{kind.name}_t")
        raise RuntimeError(f"value cannot be converted to type {name} without overflow")
    return np.array(number).astype(kind)[()]


def promote(x: NumpyDtype, y: NumpyDtype) -> NumpyDtype:
    """The dtype that can hold the values of two: of the higher category, or the wider one."""
    if CATEGORY[x.kind] == CATEGORY[y.kind]:
        return np.promote_types(x, y)
    return x if CATEGORY[x.kind] > CATEGORY[y.kind] else y


def common(a: Array, b: Array) -> NumpyDtype:
    """The dtype that an operation on two arrays computes in.

    Within a category, an array with dimensions wins over one without.
    Source: https://docs.pytorch.org/docs/stable/tensor_attributes.html#torch.dtype
    """
    x, y = a.dtype, b.dtype
    if (a.ndim == 0) != (b.ndim == 0) and CATEGORY[x.kind] == CATEGORY[y.kind]:
        return y if a.ndim == 0 else x
    return promote(x, y)
