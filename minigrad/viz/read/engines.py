"""The packages that have tensors: whatever is imported and speaks PyTorch's public protocol."""

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from minigrad.viz.read.protocol import speaks_protocol

_PACKAGE = str(Path(__file__).resolve().parents[2]) + os.sep  # that viz is in


@dataclass(frozen=True)
class Engine:
    """A package of tensors, such as ``torch``, and its modes."""

    package: ModuleType
    overrides: ModuleType

    @cached_property
    def folders(self) -> tuple[str, ...]:
        """Where its code lies, and that of the package that viz is in."""
        return (_folder(self.package), _PACKAGE)

    @cached_property
    def asking(self) -> tuple[str, ...]:
        """Where the code lies that asks the modes."""
        defined_in = sys.modules[self.overrides.TorchFunctionMode.__module__]
        return (_folder(self.overrides), _folder(defined_in))

    @property
    def grad_enabled(self) -> bool:
        return bool(self.package.is_grad_enabled())

    @property
    def inference(self) -> bool:
        return bool(self.package.is_inference_mode_enabled())

    def unseen(self) -> AbstractContextManager[Any]:
        """A context in which no mode sees what is read."""
        place = vars(self.package).get("_C", self.overrides)
        context: AbstractContextManager[Any] = place.DisableTorchFunction()
        return context


def _folder(module: ModuleType) -> str:
    """The folder of a package, or the file of a module."""
    file = module.__file__ or module.__name__
    return os.path.dirname(file) + os.sep if hasattr(module, "__path__") else file


def tensor_packages() -> Iterator[ModuleType]:
    """The packages of tensors that are imported by now."""
    for name, module in list(sys.modules.items()):
        # Others are a browser's, such as `js`, or None.
        package = isinstance(module, ModuleType) and "." not in name and hasattr(module, "__path__")
        if package and speaks_protocol(vars(module).get("Tensor")):
            yield module


def loaded_engines() -> Iterator[Engine]:
    """The same with their modes."""
    for package in tensor_packages():
        yield Engine(package, overrides_of(package))


def overrides_of(package: ModuleType) -> Any:
    """The module of a package that has its ``TorchFunctionMode``."""
    return import_module(f"{package.__name__}.overrides")


def package_of(tensor: Any) -> ModuleType:
    """The imported package whose ``Tensor`` this is; TypeError if there is none."""
    for package in tensor_packages():
        if isinstance(tensor, package.Tensor):
            return package
    raise TypeError(f"no imported package has tensors of type {type(tensor).__name__}")
