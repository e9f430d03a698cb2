"""Values as JSON and bytes, and back: each exactly what it is, whatever it says of itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import minigrad
from minigrad import Size
from minigrad import dtype as Dtype

LARGEST_INT = 1 << 16000  # further off than any float
LONGEST_TEXT = 100_000
MOST_VALUES = 300_000  # in a message
DEEPEST = 40
_KINDS = "biuf"
_DTYPES = {str(one): one for one in vars(minigrad).values() if isinstance(one, Dtype)}
_NUMPY_KINDS = [np.dtype(code) for code in np.typecodes["AllInteger"] + np.typecodes["Float"] + "?"]
_NUMPY_DTYPES = {one.str: one for kind in _NUMPY_KINDS for one in (kind, kind.newbyteorder())}
_FLOATS = [("fractions", "Fraction"), ("decimal", "Decimal")]  # as good as a float
_CONTAINERS: dict[str, Callable[[Any], Any]] = {
    kind.__name__: kind for kind in (list, tuple, set, frozenset)
}


class Unreadable(ValueError):
    """What arrived is no value, or too much of it."""


class Writer:
    """Makes JSON of values; arrays go into `arrays`. other: does so for what is no plain value."""

    def __init__(self, other: Callable[[Any], Any]) -> None:
        self.arrays = bytearray()
        self._other = other
        self._count = 0

    def value(self, value: Any, depth: int = 0) -> Any:
        """One value. Of an object of a class of somebody's own, the value beneath is taken."""
        self._count += 1
        if depth > DEEPEST or self._count > MOST_VALUES:
            raise Unreadable("This is too large, or goes too deep, to be an answer.")
        if value is None or value is True or value is False:
            return value
        kind = type(value)  # isinstance() would believe an object's `__class__`
        if issubclass(kind, np.ndarray | np.generic):
            return self._numbers(value)
        if issubclass(kind, str):
            return str.__str__(value)[:LONGEST_TEXT].encode("utf-8", "replace").decode()
        if issubclass(kind, float):
            return float.__float__(value)
        if issubclass(kind, int):
            number = max(-LARGEST_INT, min(LARGEST_INT, int.__int__(value)))
            return number if abs(number) < 1 << 53 else {"int": hex(number)}
        if (kind.__module__, kind.__name__) in _FLOATS:
            return float(value)
        if value is ...:
            return {"ellipsis": True}
        if issubclass(kind, Size):
            return {"size": [self.value(one, depth + 1) for one in tuple.__iter__(value)]}
        for name, container in _CONTAINERS.items():
            if issubclass(kind, container):  # type: ignore[arg-type]
                members = container.__iter__(value)  # type: ignore[attr-defined]
                return {name: [self.value(one, depth + 1) for one in members]}
        if issubclass(kind, dict):
            pairs = dict.items(value)
            return {"dict": [[self.value(one, depth + 1) for one in pair] for pair in pairs]}
        if issubclass(kind, slice):
            ends = (value.start, value.stop, value.step)
            return {"slice": [self.value(one, depth + 1) for one in ends]}
        if issubclass(kind, Dtype):
            return {"dtype": str(value)}
        return self._other(value)

    def array(self, array: Any) -> Any:
        """An array of numbers: its type, its shape, and where in `arrays` its bytes are."""
        plain = np.ascontiguousarray(np.asarray(array)).reshape(np.shape(array))
        place = len(self.arrays)
        self.arrays += plain.tobytes()
        return [plain.dtype.str, list(plain.shape), place]

    def _numbers(self, value: Any) -> Any:
        if value.dtype.kind not in _KINDS:
            return self._other(value)
        kind = "array" if isinstance(value, np.ndarray) else "scalar"
        return {kind: self.array(value)}


class Reader:
    """Makes values of JSON again; Unreadable for anything that no Writer writes."""

    def __init__(self, arrays: bytes, other: Callable[[str, Any], Any]) -> None:
        self._arrays = arrays
        self._other = other

    def value(self, written: Any) -> Any:
        """One value."""
        if written is None or isinstance(written, bool | int | float | str):
            return written
        if not isinstance(written, dict) or len(written) != 1:
            raise Unreadable("no value")
        ((kind, given),) = written.items()
        if kind in _CONTAINERS:
            return _CONTAINERS[kind](map(self.value, expect(given, list)))
        if kind == "dict":
            pairs = [expect(pair, list) for pair in expect(given, list)]
            return {self.value(key): self.value(value) for key, value in pairs}
        if kind == "int":
            return int(expect(given, str)[: LARGEST_INT.bit_length()], 16)
        if kind == "size":
            return Size([expect(self.value(one), int) for one in expect(given, list)])
        if kind == "slice":
            return slice(*map(self.value, expect(given, list)))
        if kind == "ellipsis":
            return ...
        if kind == "dtype":
            return known(_DTYPES, given)
        if kind == "array":
            return self.array(given)
        if kind == "scalar":
            return self.array(given)[()]
        return self._other(kind, given)

    def array(self, written: Any) -> np.ndarray[Any, Any]:
        """An array of numbers, with memory of its own."""
        dtype, shape, place = expect(written, list)
        kind = numbers(dtype)
        sizes = [expect(size, int) for size in expect(shape, list)]
        if any(size < 0 for size in sizes) or len(sizes) > 32:
            raise Unreadable("no array of numbers")
        count = int(np.prod(sizes, dtype=object)) if sizes else 1
        if not 0 <= expect(place, int) <= len(self._arrays) - count * kind.itemsize:
            raise Unreadable("an array without its numbers")
        flat = np.frombuffer(self._arrays, kind, count, place) if count else np.empty(0, kind)
        return flat.reshape(sizes).copy()


def numbers(written: Any) -> np.dtype[Any]:
    """numpy's type of numbers of that name."""
    found: np.dtype[Any] = known(_NUMPY_DTYPES, written)
    return found


def known(names: Mapping[str, Any], name: Any) -> Any:
    """What that name stands for; Unreadable if it is none of those that there are."""
    found = names.get(expect(name, str))
    if found is None:
        raise Unreadable("a name of nothing")
    return found


def expect(value: Any, kind: type) -> Any:
    """`value`, if it is exactly of that type; Unreadable if not."""
    if type(value) is not kind:
        raise Unreadable(f"{type(value).__name__} in place of {kind.__name__}")
    return value
