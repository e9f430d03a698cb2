"""torch.save and torch.load, in a small file format of minigrad's own.

A file is the line `HEADER` and a pickle of containers, numbers and texts. Tensors and parameters
are described by tuples, which the pickle marks as references to something outside of it (persistent
ids). So loading calls nothing that a file names, and a file from a stranger can't run code.

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
from minigrad.nn import Parameter
from minigrad.shape import Size
from minigrad.tensor import Tensor, from_array

HEADER = b"minigrad 1\n"
PLAIN = (bool, int, float, str, bytes, tuple, list, dict, set, frozenset, OrderedDict)
CONTENTS = "a file holds tensors, containers, numbers and texts, as a module's state_dict() does"


class Pickler(pickle.Pickler):
    """Describes tensors and parameters by tuples."""

    def persistent_id(self, obj: Any) -> Any:
        """Return the description of an object, or None if the pickle can hold it by itself."""
        if obj is None or obj is OrderedDict or type(obj) in PLAIN:
            return None
        if isinstance(obj, Size):
            return (tuple(obj),)
        if isinstance(obj, Tensor):
            array, is_parameter = obj._array, isinstance(obj, Parameter)
            return array.shape, array.dtype.name, array.tobytes(), obj.requires_grad, is_parameter
        raise TypeError(f"can't save a {dtypes.type_name(obj)}: {CONTENTS}")


class Unpickler(pickle.Unpickler):
    """Rebuilds what a `Pickler` described, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        raise pickle.UnpicklingError(f"refused to load {module}.{name}: {CONTENTS}")

    def persistent_load(self, description: Any) -> Any:
        shape, *rest = description
        if not rest:
            return Size(shape)
        name, data, requires_grad, is_parameter = rest
        dtype = {dtype.name: dtype.numpy for dtype in dtypes.ALL}[name]
        tensor = from_array(np.ndarray(shape, dtype, bytearray(data)))
        if is_parameter:
            return Parameter(tensor, requires_grad)
        return tensor.requires_grad_(requires_grad)


def save(obj: Any, f: Any) -> None:
    """Write an object to a file, which is a path or an open binary file.

    The object consists of tensors, containers, numbers and texts, as a `state_dict` does. Tensors
    are saved with their values alone: they become leaves, with memory of their own.

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
    Pickler(buffer, protocol=5).dump(obj)
    with open(f, "wb") if isinstance(f, str | os.PathLike) else nullcontext(f) as file:
        file.write(HEADER + buffer.getvalue())


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
            raise pickle.UnpicklingError("PyTorch wrote this file, and only PyTorch can read it")
        if header != HEADER:
            raise pickle.UnpicklingError("this is not a file that minigrad's save has written")
        return Unpickler(file).load()
