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
from _compat_pickle import IMPORT_MAPPING, NAME_MAPPING
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from minigrad import dtypes
from minigrad.copying import OWN, own_attributes, part, warn_if_has_hooks
from minigrad.device import check_device, device
from minigrad.dtypes import dtype
from minigrad.memory import geometry, whole
from minigrad.nn import Parameter
from minigrad.pickling import where
from minigrad.safe_globals import NEVER, UNSUPPORTED, by_name, refuse_unless
from minigrad.safe_globals import add_safe_globals as add_safe_globals
from minigrad.safe_globals import clear_safe_globals as clear_safe_globals
from minigrad.safe_globals import get_safe_globals as get_safe_globals
from minigrad.safe_globals import safe_globals as safe_globals
from minigrad.size import Size
from minigrad.storage import TypedStorage, UntypedStorage, storage_of
from minigrad.tensor import Tensor, from_array
from minigrad.typename import NamedAsInTorch

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
NO_ARCHIVE = (
    "PytorchStreamReader failed reading zip archive: not a ZIP archive. This is an internal miniz "
    "error. If you are seeing this error, there is a high likelihood that your checkpoint file is "
    "corrupted. This can happen if the checkpoint was not saved properly, was transferred "
    "incorrectly, or the file was modified after saving."
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
REBUILD_WITH_STATE = known("torch._utils", "_rebuild_parameter_with_state")
REBUILD_CLASS = known("torch._tensor", "_rebuild_from_type_v2")
UNTYPED = known("torch.storage", "UntypedStorage")


class Pickler(pickle._Pickler):
    """Writes tensors as PyTorch does, and keeps the memories that they lie in apart."""

    # Of the pickler that is written in Python, which type checkers do not know.
    get: Any
    memo: Any
    memoize: Any
    proto: int
    write: Any

    def __init__(self, file: Any) -> None:
        super().__init__(file, protocol=2)
        self.memories: dict[int, tuple[int, Any]] = {}  # number and array, by the array's id

    def save(self, obj: Any, save_persistent_id: bool = True) -> None:
        if isinstance(obj, dtype):
            obj = known("torch", repr(obj).removeprefix("torch."))
        elif isinstance(obj, type) and obj.__module__.startswith("torch."):
            obj = known(obj.__module__, obj.__qualname__)
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
        if isinstance(obj, (TypedStorage, UntypedStorage)):
            dtype = getattr(obj, "dtype", None)
            kind = UNTYPED if dtype is None else known("torch", NAMES[dtype])
            obj = self.stored(obj.untyped()._owner, kind, len(obj))
        if type(obj) is Storage:
            return ("storage", obj.kind, str(obj.number), "cpu", obj.length)
        return None

    def stored(self, memory: Any, kind: Global, length: int) -> Storage:
        """Note a memory, which lies beside the pickle, and return what stands for it there."""
        number, _ = self.memories.setdefault(id(memory), (len(self.memories), memory))
        return Storage(kind, number, length)

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, Tensor):
            if not issubclass(type(obj), Parameter):
                warn_if_has_hooks(obj)
            return self.rebuilding(obj)
        if isinstance(obj, Size):
            return known("torch", "Size"), (tuple(obj),)
        if isinstance(obj, device):
            return known("torch", "device"), obj.__reduce__()[1]
        if isinstance(obj, NamedAsInTorch):
            return obj.reduced(self.proto)
        return NotImplemented

    def rebuilding(self, tensor: Tensor) -> tuple[Global, tuple[Any, ...]]:
        """Return what rebuilds a tensor, of its class and with the user's attributes, and of what.

        Those of a tensor that was computed are left out.
        """
        state = own_attributes(tensor) if tensor.is_leaf else {}
        if issubclass(type(tensor), Parameter):
            hooks: Any = collections.OrderedDict()
            given = tensor.detach(), tensor.requires_grad, hooks
            return (REBUILD_WITH_STATE, (*given, state)) if state else (REBUILD_PARAMETER, given)
        if type(tensor) is Tensor and not state:
            return REBUILD_TENSOR, self.rebuilt(tensor)
        kind = known("torch", "Tensor") if type(tensor) is Tensor else type(tensor)
        return REBUILD_CLASS, (REBUILD_TENSOR, kind, self.rebuilt(tensor), state)

    def rebuilt(self, tensor: Tensor) -> tuple[Any, ...]:
        """Return what a tensor is rebuilt from."""
        array = tensor._array
        memory = whole(array)
        size, stride, offset = geometry(array)
        storage = self.stored(memory, known("torch", NAMES[tensor.dtype]), memory.size)
        hooks: Any = collections.OrderedDict()
        return storage, offset, size, stride, tensor.requires_grad, hooks


# What tensors and plain data are written with.
PLAIN = b"".join(
    [
        *(pickle.PROTO, pickle.STOP, pickle.MARK, pickle.GLOBAL, pickle.BINPERSID),
        *(pickle.BINGET, pickle.LONG_BINGET, pickle.BINPUT, pickle.LONG_BINPUT),
        *(pickle.NONE, pickle.NEWFALSE, pickle.NEWTRUE, pickle.BINFLOAT),
        *(pickle.BININT, pickle.BININT1, pickle.BININT2, pickle.LONG1),
        *(pickle.BINUNICODE, pickle.SHORT_BINSTRING),
        *(pickle.EMPTY_TUPLE, pickle.TUPLE, pickle.TUPLE1, pickle.TUPLE2, pickle.TUPLE3),
        *(pickle.EMPTY_LIST, pickle.APPEND, pickle.APPENDS),
        *(pickle.EMPTY_DICT, pickle.SETITEM, pickle.SETITEMS, pickle.EMPTY_SET),
    ]
)


class Unpickler(pickle._Unpickler):
    """Rebuilds what `Pickler`, or PyTorch, has written."""

    # Of the unpickler that is written in Python, which type checkers do not know.
    dispatch: ClassVar[Any]
    stack: list[Any]
    load_build: Callable[[], None]
    load_newobj: Callable[[], None]
    load_reduce: Callable[[], None]

    def __init__(self, file: Any, archive: zipfile.ZipFile, root: str, map_location: Any) -> None:
        super().__init__(file)
        self.archive, self.root, self.map_location = archive, root, map_location
        self.memories: dict[str, Any] = {}

    def find_class(self, module: str, name: str) -> Any:
        named = f"{module}.{name}"
        return ALLOWED[named] if named in ALLOWED else super().find_class(where(module), name)

    def persistent_load(self, pid: Any) -> Any:
        _, kind, number, _, length = pid
        if number not in self.memories:
            read = self.archive.read(f"{self.root}/data/{number}")
            memory = np.frombuffer(bytearray(read), kind.numpy_dtype, length)
            check_location(self.map_location, memory)
            self.memories[number] = TypedStorage(storage_of(memory), kind)
        return self.memories[number]


class WeightsUnpickler(Unpickler):
    """Rebuilds tensors, plain data, and what the user calls safe.

    Without that, no file changes anything but what it makes itself.
    """

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.safe = by_name()

    def find_class(self, module: str, name: str) -> Any:
        # Files are written in Python 2's format, which has its names.
        module, name = NAME_MAPPING.get((module, name), (IMPORT_MAPPING.get(module, module), name))
        path = f"{module}.{name}"
        blocked = f"Trying to load unsupported GLOBAL {path} whose module {module} is blocked."
        refuse_unless(module not in NEVER, blocked)
        if path in self.safe and path not in ALLOWED:
            return self.safe[path]
        refuse_unless(path in ALLOWED, UNSUPPORTED.format(path.removeprefix("builtins.")))
        return super().find_class(module, name)

    def is_safe(self, named: Any) -> bool:
        """Return whether the user has called a class or function safe."""
        return any(named is one for one in self.safe.values())

    def call(self) -> None:
        """Call a function, by the arguments above it."""
        function = self.stack[-2]
        safe = self.is_safe(function) or any(function is one for one in ALLOWED.values())
        refuse_unless(safe, f"Trying to call reduce for unrecognized function {function}")
        self.load_reduce()

    def make(self) -> None:
        """Make an instance of a class that the user has called safe."""
        text = (
            "Can only create new object for nn.Parameter or classes allowlisted via "
            f"`add_safe_globals` but got {self.stack[-2]}"
        )
        refuse_unless(self.is_safe(self.stack[-2]), text)
        self.load_newobj()

    def build(self) -> None:
        """Give an instance of such a class its state, or an OrderedDict its attributes."""
        state, made = self.stack[-1], self.stack[-2]
        if self.is_safe(type(made)):
            self.load_build()
            return
        text = (
            "Can only build Tensor, Parameter, OrderedDict or types allowlisted via "
            f"`add_safe_globals`, but got {type(made)}"
        )
        refuse_unless(type(made) is collections.OrderedDict and type(state) is dict, text)
        vars(made).update(self.stack.pop())

    def unsupported(self) -> None:
        """Refuse what neither tensors nor plain data are written with."""
        refuse_unless(False, "Unsupported operand")

    dispatch = dict.fromkeys(range(256), unsupported)
    dispatch |= {code: Unpickler.dispatch[code] for code in PLAIN}
    dispatch |= {pickle.REDUCE[0]: call, pickle.NEWOBJ[0]: make, pickle.BUILD[0]: build}


def check_location(map_location: Any, memory: Any) -> None:
    """Refuse to put a memory anywhere but where it is: in that of the cpu."""
    if isinstance(map_location, Mapping):
        map_location = map_location.get("cpu")
    elif callable(map_location):
        moved = map_location(memory, "cpu")
        if moved is not None and moved is not memory:
            raise NotImplementedError("minigrad heeds no function that moves what is loaded")
        return
    check_device(map_location)


def rebuilt_tensor(
    storage: TypedStorage,
    offset: int,
    size: Any,
    stride: Any,
    requires_grad: bool,
    hooks: Any,
    metadata: Any = None,
) -> Tensor:
    """Return a tensor that shows a part of a memory."""
    place = tuple(size), tuple(stride), offset
    tensor = from_array(part(storage._array, storage._array.dtype, place))
    return tensor.requires_grad_() if requires_grad else tensor


def rebuilt_parameter(data: Tensor, requires_grad: bool, hooks: Any, state: Any = None) -> Any:
    """Return a parameter of the same memory, with the user's attributes."""
    return with_attributes(Parameter(data, requires_grad), state)


def rebuilt_class(rebuild: Any, kind: Any, given: tuple[Any, ...], state: Any) -> Any:
    """Return a tensor of a class, with the user's attributes."""
    tensor = rebuild(*given)
    if kind is not Tensor:
        tensor = Tensor._make_subclass(kind, tensor, tensor.requires_grad)
    return with_attributes(tensor, state)


def with_attributes(tensor: Tensor, state: Any) -> Tensor:
    """Give a tensor attributes, but for such as it has itself."""
    for name, value in (state or {}).items():
        if name not in OWN and not hasattr(Tensor, name):
            vars(tensor)[name] = value
    return tensor


def encoded(text: str, encoding: str) -> bytes:
    """Return bytes, which are written as a text whose letters stand for them."""
    refuse_unless(encoding == "latin1", f"Unsupported encoding {encoding}")
    return text.encode(encoding)


# What a file may call, whoever made it.
ALLOWED: dict[str, Any] = {
    "torch._utils._rebuild_tensor_v2": rebuilt_tensor,
    "torch._utils._rebuild_parameter": rebuilt_parameter,
    "torch._utils._rebuild_parameter_with_state": rebuilt_parameter,
    "torch._tensor._rebuild_from_type_v2": rebuilt_class,
    "torch.Tensor": Tensor,
    "_codecs.encode": encoded,
    "collections.OrderedDict": collections.OrderedDict,
    "collections.Counter": collections.Counter,
    "torch.Size": Size,
    "torch.device": device,
    **{f"builtins.{kind.__name__}": kind for kind in (set, complex, bytearray)},
    **{f"torch.{name}": kind for name, kind in STORAGES.items()},
    "torch.storage.UntypedStorage": dtypes.uint8,
    **{repr(kind): kind for kind in dtypes.NAMED.values()},
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

    Raises:
        AttributeError: if it is neither.
        RuntimeError: if its folder does not exist.

    >>> import io
    >>> import minigrad as torch
    >>> file = io.BytesIO()
    >>> torch.save({"weight": torch.ones(2)}, file)
    >>> torch.load(io.BytesIO(file.getvalue()))
    {'weight': tensor([1., 1.])}
    """
    named = isinstance(f, (str, os.PathLike))
    if not named and not hasattr(f, "write"):
        raise AttributeError(
            "expected 'f' to be string, path, or a file-like object with a 'write' attribute"
        )
    if named and not Path(f).parent.is_dir():
        raise RuntimeError(f"Parent directory {Path(f).parent} does not exist.")
    text = io.BytesIO()
    pickler = Pickler(text)
    pickler.dump(obj)
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
        map_location: where to put what is loaded; there is nothing but the cpu.
        weights_only: whether to refuse what is neither tensors nor plain data, as is the default:
            such a file can run any program.

    Raises:
        pickle.UnpicklingError: if the file holds anything else.
        AttributeError, EOFError: if it is no file, or an empty one.
        RuntimeError: if it is no such file, or another device is asked for.
        NotImplementedError: if it shall be mapped into memory, or moved by a function.
    """
    if mmap:
        raise NotImplementedError("minigrad reads files whole: torch.load without mmap=True")
    with opened(f) as archive:
        root = next(iter(archive.namelist()), "").partition("/")[0]
        name = f"{root}/data.pkl"
        if name not in archive.namelist():
            raise RuntimeError("PytorchStreamReader failed locating file data.pkl: file not found")
        file = io.BytesIO(archive.read(name))
        unpickler = Unpickler if weights_only is False else WeightsUnpickler
        return unpickler(file, archive, root, map_location).load()


def opened(f: Any) -> zipfile.ZipFile:
    """Return a file as the archive that it has to be; raises what `load` says."""
    named = isinstance(f, (str, os.PathLike))
    for name in () if named else ("seek", "tell"):
        if not hasattr(f, name):
            raise AttributeError(
                f"'{type(f).__name__}' object has no attribute '{name}'. You can only torch.load "
                "from a file that is seekable. Please pre-load the data into a buffer like "
                "io.BytesIO and try to load from it instead."
            )
    if not named and not hasattr(f, "seekable"):  # which zipfile asks, and PyTorch does not
        f = io.BytesIO(f.read())
    try:
        return zipfile.ZipFile(f)
    except zipfile.BadZipFile:
        if not (os.path.getsize(f) if named else f.seek(0, os.SEEK_END)):
            raise EOFError from None
        raise RuntimeError(NO_ARCHIVE) from None
