"""What a notebook imports to show things: nothing is shown here, so nothing is drawn.

``torch`` is minigrad, in a notebook that was written for PyTorch.
"""

import importlib
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

SILENT = (
    "IPython",
    "anywidget",
    "graphviz",
    "ipywidgets",
    "matplotlib",
    "minigrad.viz",
    "minigrad.widgets",
    "minigrad.exercises",
)


class Mute:
    """Takes everything, does nothing, and gives itself."""

    def __call__(self, *_: Any, **__: Any) -> "Mute":
        return self

    def __getattr__(self, name: str) -> "Mute":
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, _: Any) -> "Mute":
        return self

    def __setitem__(self, *_: Any) -> None:
        pass

    def __iter__(self) -> Iterator[Any]:
        return iter((self, self))

    def __enter__(self) -> "Mute":
        return self

    def __exit__(self, *_: object) -> None:
        pass


class _MuteModule(ModuleType):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__: list[str] = []

    def __getattr__(self, name: str) -> Mute:
        if name.startswith("__"):
            raise AttributeError(name)
        return Mute()


class Finder(MetaPathFinder, Loader):
    """Finds the silent modules, and minigrad under PyTorch's name."""

    def __init__(self, engine: ModuleType) -> None:
        self._engine = engine

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Itself as the loader, for what it knows."""
        ours = name.split(".")[0] == "torch" or any(
            name == one or name.startswith(f"{one}.") for one in SILENT
        )
        return ModuleSpec(name, self, is_package=True) if ours else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """A silent module, or the engine's."""
        base, _, rest = spec.name.partition(".")
        if base != "torch":
            return _MuteModule(spec.name)
        return importlib.import_module(f"{self._engine.__name__}.{rest}") if rest else self._engine

    def exec_module(self, module: ModuleType) -> None:
        """Nothing: it is there already."""


def install(engine: ModuleType) -> None:
    """Let imports be so from now on."""
    for name in [name for name in sys.modules if name.startswith("minigrad.exercises")]:
        del sys.modules[name]
    sys.meta_path.insert(0, Finder(engine))
