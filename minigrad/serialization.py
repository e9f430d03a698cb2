"""Saving and loading: tensors, and what holds them, in files that PyTorch reads and writes too.

A file is a zip archive: a pickle of the object, and beside it the memory of each storage. What
unpickling may call is limited to what rebuilds tensors, unless the caller trusts the file.
Source: https://docs.pytorch.org/docs/stable/notes/serialization.html
"""

from __future__ import annotations

import collections
import functools
import io
import os
import pickle
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from minigrad import dtypes
from minigrad.copying import part
from minigrad.device import device
from minigrad.dtypes import dtype
from minigrad.memory import geometry, whole
from minigrad.nn.parameter import Parameter
from minigrad.size import Size
from minigrad.tensor import Tensor, from_array

STORAGES = {
    "DoubleStorage": dtypes.float64,
    "FloatStorage": dtypes.float32,
    "HalfStorage": dtypes.float16,
    "LongStorage": dtypes.int64,
    "IntStorage": dtypes.int32,
    "ShortStorage": dtypes.int16,
    "CharStorage": dtypes.int8,
    "ByteStorage": dtypes.uint8,
    "BoolStorage": dtypes.bool_,
}
NAMES = {kind: name for name, kind in STORAGES.items()}
NOT_ALLOWED = (
    "Weights only load failed. In PyTorch 2.6, we changed the default value of the `weights_only` "
    "argument in `torch.load` from `False` to `True`. Re-running `torch.load` with `weights_only` "
    "set to `False` will likely succeed, but it can result in arbitrary code execution. Do it only "
    "if you got the file from a trusted source.\nUnsupported global: GLOBAL {}.{} was not an "
    "allowed global by default."
)


class Global(NamedTuple):
    """A function or class by the name that it has in PyTorch."""

    module: str
    name: str

    def __call__(self) -> None:
        """Be callable, as the pickler asks of what it is to call when the file is loaded."""


class Storage(NamedTuple):
    """A memory by its number in the file."""

    kind: Global
    number: int
    length: int


known = functools.cache(Global)  # so that each is written once
REBUILD_TENSOR = known("torch._utils", "_rebuild_tensor_v2")
REBUILD_PARAMETER = known("torch._utils", "_rebuild_parameter")


class Pickler(pickle._Pickler):
    """Writes tensors as PyTorch does, and keeps the memories that they lie in apart."""

    # Of the pickler that is written in Python, which type checkers do not know.
    get: Any
    memo: Any
    memoize: Any
    write: Any

    def __init__(self, file: Any) -> None:
        super().__init__(file, protocol=2)
        self.memories: dict[int, tuple[int, Any]] = {}  # number and array, by the array's id

    def save(self, obj: Any, save_persistent_id: bool = True) -> None:
        if isinstance(obj, dtype):
            obj = known("torch", repr(obj).removeprefix("torch."))
        if type(obj) is Global:
            self.save_named(obj)
        else:
            super().save(obj, save_persistent_id)  # type: ignore[misc]

    def save_named(self, named: Global) -> None:
        """Write a name that need not be there in this program."""
        kept = self.memo.get(id(named))
        if kept is not None:
            self.write(self.get(kept[0]))
            return
        self.write(pickle.GLOBAL + f"{named.module}\n{named.name}\n".encode())
        self.memoize(named)

    def persistent_id(self, obj: Any) -> Any:
        if type(obj) is Storage:
            return ("storage", obj.kind, str(obj.number), "cpu", obj.length)
        return None

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, Parameter):
            hooks: Any = collections.OrderedDict()
            return REBUILD_PARAMETER, (obj.detach(), obj.requires_grad, hooks)
        if isinstance(obj, Tensor):
            return REBUILD_TENSOR, self.rebuilt(obj)
        if isinstance(obj, Size):
            return known("torch", "Size"), (tuple(obj),)
        if isinstance(obj, device):
            return known("torch", "device"), ("cpu",)
        return NotImplemented

    def rebuilt(self, tensor: Tensor) -> tuple[Any, ...]:
        """Return what a tensor is rebuilt from."""
        array = tensor._array
        memory = whole(array)
        number, _ = self.memories.setdefault(id(memory), (len(self.memories), memory))
        size, stride, offset = geometry(array)
        storage = Storage(known("torch", NAMES[tensor.dtype]), number, memory.size)
        hooks: Any = collections.OrderedDict()
        return storage, offset, size, stride, tensor.requires_grad, hooks


class Unpickler(pickle.Unpickler):
    """Rebuilds what `Pickler`, or PyTorch, has written."""

    def __init__(self, file: Any, archive: zipfile.ZipFile, root: str, weights_only: bool) -> None:
        super().__init__(file)
        self.archive, self.root, self.weights_only = archive, root, weights_only
        self.memories: dict[str, Any] = {}

    def find_class(self, module: str, name: str) -> Any:
        named = f"{module}.{name}"
        if named in ALLOWED:
            return ALLOWED[named]
        if self.weights_only:
            raise pickle.UnpicklingError(NOT_ALLOWED.format(module, name))
        return super().find_class(module, name)

    def persistent_load(self, pid: Any) -> Any:
        _, kind, number, _, length = pid
        if number not in self.memories:
            read = self.archive.read(f"{self.root}/data/{number}")
            memory = np.frombuffer(bytearray(read), kind.numpy_dtype, length)
            self.memories[number] = memory
        return self.memories[number]


def rebuilt_tensor(
    memory: Any,
    offset: int,
    size: Any,
    stride: Any,
    requires_grad: bool,
    hooks: Any,
    metadata: Any = None,
) -> Tensor:
    """Return a tensor that shows a part of a memory."""
    tensor = from_array(part(memory, memory.dtype, (tuple(size), tuple(stride), offset)))
    return tensor.requires_grad_() if requires_grad else tensor


def rebuilt_parameter(data: Tensor, requires_grad: bool, hooks: Any) -> Parameter:
    """Return a parameter of the same memory."""
    return Parameter(data, requires_grad)


# What a file may call, whoever made it.
ALLOWED: dict[str, Any] = {
    "torch._utils._rebuild_tensor_v2": rebuilt_tensor,
    "torch._utils._rebuild_parameter": rebuilt_parameter,
    "collections.OrderedDict": collections.OrderedDict,
    "collections.Counter": collections.Counter,
    "torch.Size": Size,
    "torch.device": device,
    "builtins.set": set,
    **{f"torch.{name}": kind for name, kind in STORAGES.items()},
    **{repr(kind): kind for kind in STORAGES.values()},
}


def save(
    obj: Any,
    f: str | os.PathLike[str] | Any,
    pickle_module: Any = pickle,
    pickle_protocol: int = 2,
    _use_new_zipfile_serialization: bool = True,
) -> None:
    """Write an object, the tensors that it holds included, to a file that PyTorch reads too.

    Args:
        f: a path, or a file that is open for writing bytes.

    >>> import io
    >>> import minigrad as torch
    >>> file = io.BytesIO()
    >>> torch.save({"weight": torch.ones(2)}, file)
    >>> torch.load(io.BytesIO(file.getvalue()))
    {'weight': tensor([1., 1.])}
    """
    text = io.BytesIO()
    pickler = Pickler(text)
    pickler.dump(obj)
    named = isinstance(f, (str, os.PathLike))
    root = Path(f).stem if named else "archive"
    with zipfile.ZipFile(f, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(f"{root}/data.pkl", text.getvalue())
        archive.writestr(f"{root}/byteorder", "little")
        for number, memory in pickler.memories.values():
            archive.writestr(f"{root}/data/{number}", memory.tobytes("A"))
        archive.writestr(f"{root}/version", "3\n")


def load(
    f: str | os.PathLike[str] | Any,
    map_location: Any = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    **pickle_load_args: Any,
) -> Any:
    """Read what `save`, or PyTorch's own, has written.

    Args:
        f: a path, or a file that is open for reading bytes.
        weights_only: whether to refuse what is neither tensors nor plain data, as is the default:
            such a file can run any program.

    Raises:
        pickle.UnpicklingError: if the file holds anything else.
        RuntimeError: if it is no such file.
    """
    try:
        archive = zipfile.ZipFile(f)
    except zipfile.BadZipFile:
        raise RuntimeError(
            "PytorchStreamReader failed reading zip archive: not a ZIP archive"
        ) from None
    with archive:
        (name,) = [one for one in archive.namelist() if one.endswith("/data.pkl")]
        file = io.BytesIO(archive.read(name))
        root = name.removesuffix("/data.pkl")
        return Unpickler(file, archive, root, weights_only is not False).load()
