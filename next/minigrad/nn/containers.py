"""Modules that contain others: in a sequence, in a list, or by name."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import ItemsView, Iterable, Iterator, KeysView, ValuesView
from itertools import groupby
from typing import Any, Self

from minigrad.nn.modules import Module

__all__ = ["ModuleDict", "ModuleList", "Sequential"]


class NumberedModules(Module):
    """What `Sequential` and `ModuleList` share: modules in order, named by numbers by default."""

    _modules: dict[str, Any]

    def _name_at(self, index: Any) -> str:
        place, length = operator.index(index), len(self)
        if not -length <= place < length:
            raise IndexError(f"index {place} is out of range")
        return list(self._modules)[place]

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice):
            return self._modules[self._name_at(index)]
        return self._part(OrderedDict(list(self._modules.items())[index]))

    def _part(self, modules: OrderedDict[str, Module]) -> Self:
        return type(self)(modules)

    def __setitem__(self, index: Any, module: Module) -> None:
        setattr(self, self._name_at(index), module)

    def __delitem__(self, index: Any) -> None:
        names = list(self._modules)[index] if isinstance(index, slice) else [self._name_at(index)]
        for name in names:
            del self._modules[name]
        self._modules = {str(place): one for place, one in enumerate(self._modules.values())}

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
        if not isinstance(modules, Iterable):
            raise TypeError(
                f"{type(self).__name__}.extend should be called with an iterable, but got "
                f"{type(modules).__name__}"
            )
        for module in list(modules):
            self.append(module)
        return self

    def __add__(self, other: Iterable[Module]) -> Self:
        return type(self)().extend(self).extend(other)

    __iadd__ = extend


class Sequential(NumberedModules):
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
        super().__init__()
        named: Iterable[Any] = [(str(place), module) for place, module in enumerate(args)]
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            named = args[0].items()
        for name, module in named:
            self.add_module(name, module)

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)
        return input


class ModuleList(NumberedModules):
    """A list of modules, so that the module it is assigned to knows them. It can't be called."""

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def _part(self, modules: OrderedDict[str, Module]) -> Self:
        return type(self)(modules.values())

    def __repr__(self) -> str:
        """The printed form shows equal modules in a row once, with their number."""
        lines, start = [], 0
        for text, equal in groupby(map(repr, self)):
            end = start + len(list(equal)) - 1
            title = f"({start})" if start == end else f"({start}-{end})"
            count = "" if start == end else f"{end - start + 1} x "
            lines.append(f"{title}: {count}{text}".replace("\n", "\n  "))
            start = end + 1
        name = type(self).__name__
        return "\n  ".join([f"{name}(", *lines]) + "\n)" if lines else f"{name}()"


class ModuleDict(Module):
    """A dict of modules, so that the module it is assigned to knows them. It can't be called.

    Takes a mapping, or pairs of a name and a module.
    """

    _modules: dict[str, Any]

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: str) -> bool:
        return key in self._modules

    def keys(self) -> KeysView[str]:
        """The names."""
        return self._modules.keys()

    def values(self) -> ValuesView[Any]:
        """The modules."""
        return self._modules.values()

    def items(self) -> ItemsView[str, Any]:
        """The pairs of a name and a module."""
        return self._modules.items()

    def update(self, modules: Any) -> None:
        """Add the modules of a mapping or of pairs. Raises TypeError for anything else."""
        if not isinstance(modules, Iterable):
            raise TypeError(
                "ModuleDict.update should be called with an iterable of key/value pairs, but got "
                f"{type(modules).__name__}"
            )
        for key, module in modules.items() if hasattr(modules, "items") else modules:
            self[key] = module
