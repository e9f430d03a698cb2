"""Modules that contain others: in a sequence, in a list, or by name."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, Self

from minigrad.nn.modules import Module

__all__ = ["ModuleDict", "ModuleList", "Sequential"]


class Container(Module):
    """A module that contains others, which can be looked up, replaced and removed."""

    def __init__(self, named: Iterable[tuple[Any, Module]]) -> None:
        super().__init__()
        for name, module in named:
            self.add_module(str(name), module)

    def _name_of(self, key: Any) -> Any:
        """The name of the module that a key stands for."""
        if not -len(self) <= operator.index(key) < len(self):
            raise IndexError(f"index {key} is out of range")
        return list(self._modules)[key]

    def __getitem__(self, key: Any) -> Any:
        return self._modules[self._name_of(key)]

    def __setitem__(self, key: Any, module: Module) -> None:
        self.add_module(self._name_of(key), module)

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def append(self, module: Module) -> Self:
        """Add a module at the end, and return this one."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Module]) -> Self:
        """Add modules at the end, and return this one."""
        for module in modules:
            self.append(module)
        return self


class Sequential(Container):
    """Modules in a row: the output of each is the input of the next.

    Takes the modules, or one OrderedDict that names them.

    >>> import minigrad as torch
    >>> torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU())
    Sequential(
      (0): Linear(in_features=2, out_features=3, bias=True)
      (1): ReLU()
    )
    """

    def __init__(self, *args: Any) -> None:
        named = args and isinstance(args[0], OrderedDict)
        super().__init__(args[0].items() if named else enumerate(args))

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)
        return input

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return type(self)(OrderedDict(list(self._modules.items())[key]))
        return super().__getitem__(key)


class ModuleList(Container):
    """A list of modules, so that the module it is assigned to knows them. It can't be called."""

    def __init__(self, modules: Iterable[Module] = ()) -> None:
        super().__init__(enumerate(modules))

    def __getitem__(self, key: Any) -> Any:
        return type(self)(list(self)[key]) if isinstance(key, slice) else super().__getitem__(key)

    def _child_lines(self) -> list[str]:
        """The printed form shows equal modules in a row once, with their number."""
        lines, start = [], 0
        for text, equal in groupby(map(repr, self)):
            count = len(list(equal))
            places = f"({start}): " if count == 1 else f"({start}-{start + count - 1}): {count} x "
            lines.append(places + text)
            start += count
        return lines


class ModuleDict(Container):
    """A dict of modules, so that the module it is assigned to knows them. It can't be called.

    Takes a mapping, or pairs of a name and a module.
    """

    def __init__(self, modules: Any = ()) -> None:
        super().__init__(dict(modules).items())

    def _name_of(self, key: str) -> str:
        return key

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def keys(self) -> Any:
        """The names."""
        return self._modules.keys()

    def values(self) -> Any:
        """The modules."""
        return self._modules.values()

    def items(self) -> Any:
        """The pairs of a name and a module."""
        return self._modules.items()
