"""The dtypes, the default one, and PyTorch's rules of type promotion.

Nothing here knows of tensors: promotion works on numpy arrays and Python numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

BOOL, INTEGER, FLOATING = range(3)


CPP_NAMES = {
    "half": "c10::Half",
    "char": "signed char",
    "byte": "unsigned char",
    "short": "short int",
    "long": "long int",
}


class dtype:
    """The type of a tensor's elements, such as ``torch.float32``.

    There is one object for each dtype, so dtypes may be compared with ``is`` or ``==``.

    >>> import minigrad as torch
    >>> torch.float32, torch.float32.itemsize, torch.int64.is_floating_point
    (torch.float32, 4, False)
    """

    __slots__ = ("category", "name", "numpy_dtype", "scalar_name")
    __module__ = "torch"

    def __init__(self, name: str, scalar_name: str) -> None:
        self.name = name
        self.scalar_name = scalar_name
        self.numpy_dtype: np.dtype[Any] = np.dtype(name)
        self.category = {"b": BOOL, "i": INTEGER, "u": INTEGER, "f": FLOATING}[
            self.numpy_dtype.kind
        ]

    @property
    def cpp_name(self) -> str:
        """What C++ calls it, in some messages."""
        name = self.scalar_name.lower()
        return CPP_NAMES.get(name, name)

    @property
    def is_floating_point(self) -> bool:
        """Whether the elements are floating point numbers."""
        return self.category == FLOATING

    @property
    def is_complex(self) -> bool:
        """Always False: minigrad has no complex numbers."""
        return False

    @property
    def is_signed(self) -> bool:
        """Whether the elements can be negative."""
        return self.numpy_dtype.kind in "if"

    @property
    def itemsize(self) -> int:
        """Size of one element in bytes."""
        return self.numpy_dtype.itemsize

    @property
    def abbr(self) -> str:
        """A short name, such as "f32"."""
        return f"{self.name[0]}{8 * self.itemsize}"

    def to_real(self) -> dtype:
        """Return the dtype itself: it has no imaginary part."""
        return self

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"'torch.dtype' object has no attribute '{name}'")

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str | tuple[Any, ...]:
        return (named, (self.name,))


float16 = dtype("float16", "Half")
float32 = dtype("float32", "Float")
float64 = dtype("float64", "Double")
uint8 = dtype("uint8", "Byte")
int8 = dtype("int8", "Char")
int16 = dtype("int16", "Short")
int32 = dtype("int32", "Int")
int64 = dtype("int64", "Long")
bool_ = dtype("bool", "Bool")

ALL = (float16, float32, float64, uint8, int8, int16, int32, int64, bool_)
_OF_NUMPY = {one.numpy_dtype: one for one in ALL}
_OF_PYTHON = {float: float64, int: int64, bool: bool_}


def no_complex() -> NotImplementedError:
    """Return the error for complex numbers."""
    return NotImplementedError("minigrad has no complex numbers")


def python_number(value: Any) -> Any:
    """Return a number of Python for one of numpy, whose truth values PyTorch takes for 1.0 and 0.0.

    Raises:
        NotImplementedError: if it is complex.
    """
    if isinstance(value, (complex, np.complexfloating)):
        raise no_complex()
    if isinstance(value, np.generic):
        return float(value) if isinstance(value, np.bool_) else value.item()
    return value


def named(name: str) -> dtype:
    """Return the dtype of that name, ``"float32"`` for instance."""
    return _OF_NUMPY[np.dtype(name)]


def of_python(value: Any) -> dtype | None:
    """Return a dtype, or the one that a Python type of numbers stands for; None if it is none.

    Raises:
        NotImplementedError: for ``complex``.
    """
    if value is complex:
        raise no_complex()
    if isinstance(value, type):
        return _OF_PYTHON.get(value)
    return value if isinstance(value, dtype) else None


def of_numpy(numpy_dtype: np.dtype[Any]) -> dtype:
    """Return the dtype that stands for a numpy dtype.

    Raises:
        NotImplementedError: for complex numbers.
        TypeError: if there is none, with PyTorch's text.
    """
    try:
        return _OF_NUMPY[numpy_dtype]
    except KeyError:
        if numpy_dtype.kind == "c":
            raise no_complex() from None
        raise TypeError(
            f"can't convert np.ndarray of type {numpy_dtype.type.__module__}."
            f"{numpy_dtype.type.__name__}. The only supported types are: "
            f"float64, float32, float16, "
            "complex64, complex128, int64, int32, int16, int8, uint64, "
            "uint32, uint16, uint8, and bool."
        ) from None


_default = float32


def get_default_dtype() -> dtype:
    """Return the dtype that Python floats become: float32 unless it was set."""
    return _default


def set_default_dtype(d: dtype, /) -> None:
    """Set the dtype that Python floats become.

    Raises:
        TypeError: if `d` is not a floating point dtype.
    """
    global _default
    if not isinstance(d, dtype):
        raise TypeError(
            "invalid dtype object: only floating-point types are supported as the default type"
        )
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    _default = d


def of_number(value: Any) -> dtype:
    """Return the dtype of a Python number: bool, int64 or the default dtype."""
    if isinstance(value, bool):
        return bool_
    return int64 if isinstance(value, int) else _default


def promote_types(type1: dtype, type2: dtype) -> dtype:
    """Return the smallest dtype that both dtypes fit into, as PyTorch orders them.

    A floating dtype absorbs every integer one, whatever their sizes.

    >>> import minigrad as torch
    >>> torch.promote_types(torch.int64, torch.float32)
    torch.float32
    """
    if type1.category == type2.category:
        return _OF_NUMPY[np.promote_types(type1.numpy_dtype, type2.numpy_dtype)]
    return type1 if type1.category > type2.category else type2


def can_cast(from_: dtype, to: dtype) -> bool:
    """Return whether the result of an operation may be stored in a tensor of dtype `to`.

    >>> import minigrad as torch
    >>> torch.can_cast(torch.float32, torch.int64)
    False
    """
    return from_.category <= to.category


def common(*operands: Any) -> dtype:
    """Return the dtype in which an operation on these arrays and Python numbers is computed.

    Arrays with dimensions come first; a 0-d array, and after it a number, changes the result only
    if its category (bool, integer, floating) is a higher one.
    Source: https://docs.pytorch.org/docs/stable/tensor_attributes.html#type-promotion-doc
    """
    ranks: list[dtype | None] = [None, None, None]
    for operand in operands:
        if isinstance(operand, (np.ndarray, np.generic)):
            rank, found = (0 if operand.ndim else 1), _OF_NUMPY[operand.dtype]
        else:
            rank, found = 2, of_number(operand)
        before = ranks[rank]
        ranks[rank] = found if before is None else promote_types(before, found)
    result: dtype | None = None
    for candidate in ranks:
        if result is None or (candidate is not None and candidate.category > result.category):
            result = candidate
    assert result is not None
    return result
