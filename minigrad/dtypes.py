"""The dtypes, the default one, and PyTorch's rules of type promotion.

Nothing here knows of tensors: promotion works on numpy arrays and Python numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

BOOL, INTEGER, FLOATING, COMPLEX = range(4)
CATEGORIES = {"b": BOOL, "i": INTEGER, "u": INTEGER, "f": FLOATING, "c": COMPLEX}

CPP_NAMES = {
    "half": "c10::Half",
    "char": "signed char",
    "byte": "unsigned char",
    "short": "short int",
    "long": "long int",
}


class dtype:
    """The type of a tensor's elements, such as ``torch.float32``.

    There is one object for each dtype, so dtypes may be compared with ``is`` or ``==``. Of some,
    such as ``torch.bfloat16``, there are no tensors here: whatever would need one raises
    NotImplementedError.

    >>> import minigrad as torch
    >>> torch.float32, torch.float32.itemsize, torch.int64.is_floating_point
    (torch.float32, 4, False)
    """

    __slots__ = ("abbr", "category", "itemsize", "kind", "name", "numpy_dtype", "scalar_name")
    __module__ = "torch"

    numpy_dtype: np.dtype[Any]

    def __init__(
        self, name: str, scalar_name: str, kind: str = "", itemsize: int = 0, abbr: str = ""
    ) -> None:
        self.name = name
        self.scalar_name = scalar_name
        if not kind:
            self.numpy_dtype = np.dtype(name)
            kind, itemsize = self.numpy_dtype.kind, self.numpy_dtype.itemsize
        self.kind = kind  # as numpy has it; "q" if it is quantized
        self.itemsize = itemsize
        self.abbr = abbr or f"{name[0]}{8 * itemsize}"
        if kind in CATEGORIES:
            self.category = CATEGORIES[kind]

    @property
    def cpp_name(self) -> str:
        """What C++ calls it, in some messages."""
        name = self.scalar_name.lower()
        return CPP_NAMES.get(name, name)

    @property
    def is_floating_point(self) -> bool:
        """Whether the elements are floating point numbers."""
        return self.kind == "f"

    @property
    def is_complex(self) -> bool:
        """Whether the elements are complex numbers, of which minigrad has no tensors."""
        return self.kind == "c"

    @property
    def is_signed(self) -> bool:
        """Whether the elements can be negative.

        Raises:
            RuntimeError: if they are quantized.
        """
        if self.kind == "q":
            raise RuntimeError("isSignedType not supported for quantized types")
        return self.kind in "ifc"

    def to_real(self) -> dtype:
        """Return the dtype of the real part."""
        return _REAL.get(self, self)

    def to_complex(self) -> dtype:
        """Return the dtype of complex numbers with such parts.

        Raises:
            RuntimeError: if there is none.
        """
        if self.is_complex:
            return self
        if self not in _COMPLEX:
            raise RuntimeError(f"Unknown Complex ScalarType for {self.scalar_name}")
        return _COMPLEX[self]

    def __getattr__(self, name: str) -> Any:
        if name in dtype.__slots__:
            raise NotImplementedError(f"minigrad has no tensors of dtype {self!r}")
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

# By name alone: programs ask whether a tensor is of one.
bfloat16 = dtype("bfloat16", "BFloat16", "f", 2, "bf16")
complex32 = dtype("complex32", "ComplexHalf", "c", 4)
complex64 = dtype("complex64", "ComplexFloat", "c", 8)
complex128 = dtype("complex128", "ComplexDouble", "c", 16)
uint16 = dtype("uint16", "UInt16", "u", 2)
uint32 = dtype("uint32", "UInt32", "u", 4)
uint64 = dtype("uint64", "UInt64", "u", 8)
float8_e4m3fn = dtype("float8_e4m3fn", "Float8_e4m3fn", "f", 1, "f8e4m3fn")
float8_e5m2 = dtype("float8_e5m2", "Float8_e5m2", "f", 1, "f8e5m2")
quint8 = dtype("quint8", "QUInt8", "q", 1, "quint8")
qint8 = dtype("qint8", "QInt8", "q", 1, "qint8")
qint32 = dtype("qint32", "QInt32", "q", 4, "qint32")
quint4x2 = dtype("quint4x2", "QUInt4x2", "q", 1, "quint4x2")
quint2x4 = dtype("quint2x4", "QUInt2x4", "q", 1, "quint2x4")

ALL = (float16, float32, float64, uint8, int8, int16, int32, int64, bool_)
_OF_NUMPY = {one.numpy_dtype: one for one in ALL}
NAMED = {one.name: one for one in list(vars().values()) if isinstance(one, dtype)}
_REAL = {complex32: float16, complex64: float32, complex128: float64}
_COMPLEX = {real: one for one, real in _REAL.items()} | {bfloat16: complex64}
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
    return NAMED[name]


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
        NotImplementedError: if minigrad has no tensors of it.
    """
    global _default
    if not isinstance(d, dtype):
        raise TypeError(
            "invalid dtype object: only floating-point types are supported as the default type"
        )
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    np.dtype(d.numpy_dtype)
    _default = d


def of_number(value: Any) -> dtype:
    """Return the dtype of a Python number: bool, int64 or the default dtype."""
    if isinstance(value, bool):
        return bool_
    return int64 if isinstance(value, int) else _default


def promote_types(type1: dtype, type2: dtype) -> dtype:
    """Return the smallest dtype that both dtypes fit into, as PyTorch orders them.

    A floating dtype absorbs every integer one, whatever their sizes.

    Raises:
        NotImplementedError: if minigrad has no tensors of one of them.

    >>> import minigrad as torch
    >>> torch.promote_types(torch.int64, torch.float32)
    torch.float32
    """
    one, other = type1.numpy_dtype, type2.numpy_dtype
    if type1.category == type2.category:
        return _OF_NUMPY[np.promote_types(one, other)]
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
