"""The memory behind tensors: bytes, which several may share, or elements of one dtype.

Source: https://docs.pytorch.org/docs/stable/storage.html
"""

from __future__ import annotations

import copy
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.autograd.node import Array
from minigrad.c_code import ReadOnly, type_name
from minigrad.device import CPU
from minigrad.memory import address, whole

TYPED_IS_DEPRECATED = (
    "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the "
    "only storage class. This should only matter to you if you are using storages directly.  To "
    "access UntypedStorage directly, use tensor.untyped_storage() instead of tensor.storage()"
)
# By the array that owns the memory: tensors that share it have one storage.
_storages: weakref.WeakValueDictionary[int, UntypedStorage] = weakref.WeakValueDictionary()


class _Elements:
    """What both kinds of storages have: elements in one line."""

    _array: Array
    device = CPU
    is_cuda = is_sparse = False

    def clone(self) -> Any:
        """Return a copy."""
        return copy.deepcopy(self)

    __copy__ = clone

    def tolist(self) -> list[Any]:
        """Return the elements as a list."""
        return list(self)

    def data_ptr(self) -> int:
        """Return the address, equal for tensors that share memory; 0 if there is no element."""
        return address(self._array) if len(self) else 0

    def nbytes(self) -> int:
        """Return how many bytes they take."""
        return self._array.nbytes

    def size(self) -> int:
        """Return the number of elements."""
        return len(self)

    def element_size(self) -> int:
        """Return how many bytes an element takes."""
        return self._array.itemsize

    def is_shared(self) -> bool:
        """Return False: no other process shares it."""
        return False

    def __len__(self) -> int:
        return self._array.size

    def __iter__(self) -> Iterator[Any]:
        return iter(self._array.tolist())

    def __getitem__(self, place: Any) -> Any:
        return self._array[self._checked(place)].item()

    def __setitem__(self, place: Any, value: Any) -> None:
        self._array[self._checked(place)] = value

    def _checked(self, place: Any) -> int:
        """Return the number of an element, or raise IndexError or TypeError."""
        if not isinstance(place, int):
            raise TypeError(f"can't index a torch.{type(self).__name__} with {type_name(place)}")
        if not -len(self) <= place < len(self):
            raise IndexError(f"index {place} out of range for storage of size {len(self)}")
        return place

    def _lines(self) -> str:
        return "\n ".join(map(str, self))


class UntypedStorage(_Elements):
    """Memory as bytes: ``tensor.untyped_storage()``, one for all tensors that share it.

    Args:
        size: how many bytes, all 0.

    >>> import minigrad as torch
    >>> x = torch.zeros(4)
    >>> x[2:].untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
    True
    """

    __module__ = "torch.storage"

    def __init__(self, size: int = 0) -> None:
        self._array = self._owner = np.zeros(size, np.uint8)
        _storages[id(self._owner)] = self

    @ReadOnly
    def _cdata(self) -> int:
        return id(self._owner)

    def __getitem__(self, place: Any) -> Any:
        if not isinstance(place, slice):
            return super().__getitem__(place)
        part = object.__new__(UntypedStorage)
        part._array, part._owner = self._array[place], self._owner
        return part

    def untyped(self) -> UntypedStorage:
        """Return the storage itself."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> UntypedStorage:
        return storage_of(copy.deepcopy(self._owner, memo))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._array,)

    def copy_(self, source: UntypedStorage, non_blocking: bool = False) -> UntypedStorage:
        """Take over the bytes of another storage of the same size."""
        self._array[...] = source._array
        return self

    def fill_(self, value: int) -> UntypedStorage:
        """Make all bytes equal to `value`."""
        self._array[...] = value
        return self

    def __repr__(self) -> str:
        text = f"[torch.storage.UntypedStorage(device=cpu) of size {len(self)}]"
        return f" {self._lines()}\n{text}"


class TypedStorage(_Elements):
    """Memory as elements of one dtype: ``tensor.storage()``, deprecated."""

    __module__ = "torch.storage"

    def __init__(self, untyped: UntypedStorage, dtype: dtypes.dtype) -> None:
        self._untyped, self.dtype = untyped, dtype
        self._array = untyped._array.view(dtype.numpy_dtype)

    @ReadOnly
    def _cdata(self) -> int:
        return id(self._untyped._owner)

    def untyped(self) -> UntypedStorage:
        """Return the same memory as bytes."""
        return self._untyped

    def __deepcopy__(self, memo: dict[int, Any]) -> TypedStorage:
        return TypedStorage(copy.deepcopy(self._untyped, memo), self.dtype)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._untyped._array, self.dtype)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        return super().__getitem__(place)

    def __repr__(self) -> str:
        text = f"[torch.storage.TypedStorage(dtype={self.dtype}, device=cpu) of size {len(self)}]"
        return f" {self._lines()}\n{text}"


def _restored(memory: Array, dtype: dtypes.dtype | None = None) -> Any:
    """Return a storage from its bytes, and elements of a dtype if it has some."""
    untyped = storage_of(memory)
    return untyped if dtype is None else TypedStorage(untyped, dtype)


def is_storage(obj: Any, /) -> bool:
    """Return whether an object is a storage."""
    return isinstance(obj, _Elements)


def storage_of(array: Array) -> UntypedStorage:
    """Return the storage in which an array lies: the same one, as long as somebody holds it."""
    owner = whole(array)
    known = _storages.get(id(owner))
    if known is None:
        known = _storages[id(owner)] = object.__new__(UntypedStorage)
        known._array, known._owner = owner.ravel("K").view(np.uint8), owner
    return known
