"""Silent stand-ins for what a notebook imports to show things: nothing is drawn in the sandbox.

``torch`` is minigrad, in a notebook that was written for PyTorch.
"""

import dis
import importlib
import operator
import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import FrameType, FunctionType, ModuleType
from typing import Any

import numpy as np

SILENT = (
    "IPython",
    "anywidget",
    "graphviz",
    "ipywidgets",
    "matplotlib",
    "minigrad.viz",
    "minigrad.widgets",
    "minigrad.exercises",
    "mpl_toolkits",
    "plotly",
    "seaborn",
    "tqdm",
)
LENGTH = 10  # of a stand-in, where the program doesn't say how many values it expects
_UNPACK = dis.opmap["UNPACK_SEQUENCE"]
_OPERATIONS = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "matmul"),
    *("and", "or", "xor", "lshift", "rshift"),
)
_GIVE_ITSELF = [
    *(f"__{side}{name}__" for name in _OPERATIONS for side in ("", "r", "i")),
    *(f"__{name}__" for name in ("neg", "pos", "abs", "invert", "round", "getitem", "next")),
    *("__enter__", "__array_ufunc__", "__array_function__"),
]
_CONSTANT = {
    "__bool__": True,
    "__len__": LENGTH,
    "__int__": 0,
    "__index__": 0,
    "__float__": 0.0,
    "__contains__": False,
    **dict.fromkeys(("__setitem__", "__delitem__", "__delattr__", "__exit__"), None),
    "__format__": "",
    "__mro_entries__": (),
}


class Mute:
    """Accepts everything, does nothing, and returns itself; a program can use it as any value."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __call__(self, *given: Any, **named: Any) -> Any:
        if len(given) == 1 and not named and isinstance(given[0], FunctionType):
            return given[0]  # as a decorator does
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __iter__(self) -> Iterator[Any]:
        return iter([self] * _expected(sys._getframe(1)))

    def __await__(self) -> Generator[None, None, "Mute"]:
        yield from ()
        return self

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.zeros(LENGTH, dtype)

    def __instancecheck__(self, thing: Any) -> bool:
        return isinstance(thing, Mute)

    @classmethod
    def __torch_function__(cls, *_: Any) -> Any:
        return MUTE


def _always(value: Any) -> Callable[..., Any]:
    return lambda *_, **__: value


def _compared(name: str) -> Callable[[Mute, Any], Any]:
    """A comparison of it, as of zero."""
    compare = getattr(operator, name)
    numbers = int | float | np.number | np.ndarray | Mute
    return lambda _, other: isinstance(other, numbers) and compare(0.0, other)


def _itself(mute: Mute, *_: Any, **__: Any) -> Mute:
    return mute


for _name in _GIVE_ITSELF:
    setattr(Mute, _name, _itself)
for _name, _value in _CONSTANT.items():
    setattr(Mute, _name, _always(_value))
for _name in ("__lt__", "__le__", "__gt__", "__ge__"):
    setattr(Mute, _name, _compared(_name))
MUTE = Mute()


def _expected(frame: FrameType) -> int:
    """How many values the program unpacks here."""
    code, at = frame.f_code.co_code, frame.f_lasti
    return code[at + 1] if code[at] == _UNPACK else LENGTH


def _subplots(nrows: int = 1, ncols: int = 1, *, squeeze: bool = True, **_: Any) -> Any:
    axes = np.full((nrows, ncols), None, object)
    axes.fill(MUTE)
    return MUTE, axes if not squeeze else axes.squeeze() if axes.size > 1 else MUTE


def _looped_over(things: Any = MUTE, *_: Any, **__: Any) -> Any:
    return things


# What a module gives by these names, whichever it is.
_GIVEN: dict[str, Any] = {"subplots": _subplots, "tqdm": _looped_over, "trange": range}


class _MuteModule(ModuleType):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _GIVEN.get(name, MUTE)


class Finder(MetaPathFinder, Loader):
    """Finds the silent modules, and minigrad under PyTorch's name."""

    def __init__(self, engine: ModuleType) -> None:
        self._engine = engine

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Itself as the loader, for what it knows."""
        ours = name.split(".")[0] == "torch" or _is_silent(name)
        return ModuleSpec(name, self, is_package=True) if ours else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """A silent module, or the engine's."""
        base, _, rest = spec.name.partition(".")
        if base != "torch":
            return _MuteModule(spec.name)
        return importlib.import_module(f"{self._engine.__name__}.{rest}") if rest else self._engine

    def exec_module(self, module: ModuleType) -> None:
        """Nothing: it is there already."""


def _is_silent(name: str) -> bool:
    return any(name == one or name.startswith(f"{one}.") for one in SILENT)


def install(engine: ModuleType, given: Mapping[str, Any]) -> None:
    """Import stand-ins from now on. given: what their modules give by name, for the rest a Mute."""
    _GIVEN.update(given)
    for name in list(filter(_is_silent, sys.modules)):
        del sys.modules[name]
    sys.meta_path.insert(0, Finder(engine))
