"""torch.save and torch.load, in a small file format of minigrad's own.

A file is the line `HEADER` and a pickle of containers, numbers and texts. Tensors and parameters
are described by tuples, which the pickle marks as references to something outside of it (persistent
ids). So loading calls nothing that a file names, and a file from a stranger can't run code. Tensors
that share memory refer to the same bytes, and still share memory when they are loaded.

Source: https://docs.python.org/3/library/pickle.html#persistence-of-external-objects
"""

from __future__ import annotations

import io
import os
import pickle
from collections import OrderedDict
from contextlib import nullcontext
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.device import device, require_cpu
from minigrad.dtypes import Array
from minigrad.nn._parameter import Parameter
from minigrad.op import functions
from minigrad.tensor import Size, Tensor, from_array

HEADER = b"minigrad 1\n"
# What a pickle holds by itself; bytearray is for the memory of tensors.
PLAIN = (bool, int, float, str, bytes, bytearray, tuple, list, dict, set, frozenset, OrderedDict)
CONTENTS = "tensors, containers, numbers and texts"
DTYPES = {dtype.name: dtype for dtype in dtypes.ALL}


class Pickler(pickle.Pickler):
    """Describes a tensor by its memory and its place there."""

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, protocol=5)
        self.memories: dict[int, tuple[Array, bytearray]] = {}  # by the id of the array

    def persistent_id(self, obj: Any) -> Any:
        """Return the tuple that describes an object, or None if the pickle can hold it."""
        if obj is None or obj is OrderedDict or type(obj) in PLAIN:
            return None
        if isinstance(obj, Tensor):
            kind = "Parameter" if isinstance(obj, Parameter) else "Tensor"
            return kind, id(obj), obj.requires_grad, *self.place(obj._array)
        if isinstance(obj, Size):
            return "Size", tuple(obj)
        raise TypeError(
            f"can't save a {type(obj).__module__}.{type(obj).__qualname__}: a file holds only "
            f"{CONTENTS}, such as the state_dict() of a module"
        )

    def place(self, array: Array) -> tuple[Any, ...]:
        """Return the memory of an array, and its dtype, shape, offset and strides there."""
        owner = array
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        if not owner.flags.forc:  # its memory has gaps, so the array gets memory of its own
            owner = array = np.array(array, order="C")
        if id(owner) not in self.memories:
            self.memories[id(owner)] = (owner, bytearray(owner.tobytes("A")))
        memory, offset = self.memories[id(owner)][1], array.ctypes.data - owner.ctypes.data
        return memory, array.dtype.name, array.shape, offset, array.strides


class Unpickler(pickle.Unpickler):
    """Rebuilds what a `Pickler` described, and nothing else."""

    def __init__(self, file: Any) -> None:
        super().__init__(file)
        self.tensors: dict[int, Tensor] = {}  # by the id that they had

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        raise pickle.UnpicklingError(
            f"refused to load {module}.{name}: a file holds only {CONTENTS}"
        )

    def persistent_load(self, description: Any) -> Any:
        kind, first, *rest = description
        if kind == "Size":
            return Size(first)
        if first not in self.tensors:
            requires_grad, memory, dtype, shape, offset, strides = rest
            array: Array = np.ndarray(shape, DTYPES[dtype].numpy, memory, offset, strides)
            tensor = from_array(array)
            if kind == "Parameter":
                self.tensors[first] = Parameter(tensor, requires_grad)
            else:
                self.tensors[first] = tensor.requires_grad_(requires_grad)
        return self.tensors[first]


def save(obj: Any, f: Any) -> None:
    """Write an object to a file, which is a path or an open binary file.

    The object consists of tensors, containers, numbers and texts, as a `state_dict` does. What a
    tensor was computed from isn't saved: it becomes a leaf.

    Raises:
        TypeError: if there is something else in the object. The file is as it was.

    >>> import io
    >>> import minigrad as torch
    >>> file = io.BytesIO()
    >>> torch.save({"weight": torch.ones(2), "epoch": 3}, file)
    >>> torch.load(io.BytesIO(file.getvalue()))
    {'weight': tensor([1., 1.]), 'epoch': 3}
    """
    buffer = io.BytesIO()
    buffer.write(HEADER)
    Pickler(buffer).dump(obj)
    with open(f, "wb") if isinstance(f, str | os.PathLike) else nullcontext(f) as file:
        file.write(buffer.getvalue())


def load(f: Any, map_location: Any = None, *, weights_only: bool = True) -> Any:
    """Read what `save` wrote to a file, which is a path or an open binary file.

    `map_location` can only be the cpu. `weights_only` changes nothing: there is nothing else in
    minigrad's files.

    Raises:
        pickle.UnpicklingError: if the file isn't minigrad's, is damaged, or holds something else.
    """
    if isinstance(map_location, str | device):
        require_cpu(map_location)
    with open(f, "rb") if isinstance(f, str | os.PathLike) else nullcontext(f) as file:
        header = file.read(len(HEADER))
        if header.startswith((b"PK\x03\x04", b"\x80\x02")):
            raise pickle.UnpicklingError(
                "PyTorch wrote this file, and only PyTorch can read it: save its tensors as numpy "
                "arrays there to load them here"
            )
        if header != HEADER:
            raise pickle.UnpicklingError("this is not a file that minigrad's save has written")
        try:
            return Unpickler(file).load()
        except pickle.UnpicklingError:
            raise
        except Exception as error:
            raise pickle.UnpicklingError(f"the file is damaged: {error}") from error


functions.update(save=save, load=load)
