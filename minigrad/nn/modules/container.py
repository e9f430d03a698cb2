"""Modules that hold others, or parameters, in an order or by name."""

from __future__ import annotations

import itertools
import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self

from minigrad.nn.modules.module import Module
from minigrad.nn.parameter import Parameter
from minigrad.tensor import Tensor


def checked_index(index: Any, length: int) -> int:
    """Return an index counted from the front.

    Raises:
        IndexError: if it is out of range.
        TypeError: if it is no integer.
    """
    place = operator.index(index)
    if not -length <= place < length:
        raise IndexError(f"index {place} is out of range")
    return place % length


class Numbered(Module):
    """A module that holds others in an order; their names are numbers unless given."""

    def _name_at(self, index: Any) -> str:
        return list(self._modules)[checked_index(index, len(self))]

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return self._part(OrderedDict(list(self._modules.items())[idx]))
        return self._modules[self._name_at(idx)]

    def _part(self, modules: OrderedDict[str, Module]) -> Module:
        """Return a module of the same class that holds these."""
        return type(self)(modules)

    def __setitem__(self, idx: Any, module: Module) -> None:
        setattr(self, self._name_at(idx), module)

    def __delitem__(self, idx: Any) -> None:
        names = list(self._modules)[idx] if isinstance(idx, slice) else [self._name_at(idx)]
        for name in names:
            delattr(self, name)
        # The others move up.
        self._modules = {str(place): one for place, one in enumerate(self._modules.values())}

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def append(self, module: Module | None) -> Any:
        """Add a module at the end, and return this one."""
        self.add_module(str(len(self)), module)
        return self

    def pop(self, key: Any) -> Any:
        """Take the module at an index away and return it."""
        module = self[key]
        del self[key]
        return module

    def _shift(self, index: int) -> None:
        """Make room for a module at an index."""
        for place in range(len(self), index, -1):
            self._modules[str(place)] = self._modules[str(place - 1)]


class Sequential(Numbered):
    """Modules one after the other: the output of each is the input of the next.

    Args:
        args: modules; or one OrderedDict of them, which names them.

    >>> import minigrad as torch
    >>> torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU())
    Sequential(
      (0): Linear(in_features=2, out_features=3, bias=True)
      (1): ReLU()
    )
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            named: Iterable[tuple[str, Any]] = args[0].items()
        else:
            named = [(str(place), module) for place, module in enumerate(args)]
        for name, module in named:
            self.add_module(name, module)

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)
        return input

    def insert(self, index: int, module: Module) -> Sequential:
        """Put a module before the one at an index, and return this one."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        place = index + len(self) if index < 0 else index
        self._shift(place)
        self._modules[str(place)] = module
        return self

    def extend(self, sequential: Iterable[Any]) -> Sequential:
        """Add modules at the end, and return this one."""
        for module in sequential:
            self.append(module)
        return self

    def __add__(self, other: Any) -> Sequential:
        return Sequential(*self).__iadd__(other)

    def __iadd__(self, other: Any) -> Sequential:
        if not isinstance(other, Sequential):
            raise ValueError(
                "add operator supports only objects of Sequential class, but "
                f"{type(other)} is given."
            )
        return self.extend(list(other))

    def __mul__(self, other: Any) -> Sequential:
        return Sequential(*self).__imul__(other)

    __rmul__ = __mul__

    def __imul__(self, other: Any) -> Sequential:
        if not isinstance(other, int):
            raise TypeError(f"unsupported operand type(s) for *: {type(self)} and {type(other)}")
        if other <= 0:
            raise ValueError(f"Non-positive multiplication factor {other} for {type(self)}")
        return self.extend(list(self) * (other - 1))


class ModuleList(Numbered):
    """A list of modules that are part of the one that has it.

    Args:
        modules: what to begin with.

    Raises:
        TypeError: if it holds something else than modules.
    """

    def __init__(self, modules: Iterable[Any] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self += modules

    def _part(self, modules: OrderedDict[str, Module]) -> ModuleList:
        return type(self)(modules.values())

    def insert(self, index: int, module: Module) -> None:
        """Put a module before the one at an index."""
        self._shift(index)
        self._modules[str(index)] = module

    def extend(self, modules: Iterable[Any]) -> ModuleList:
        """Add modules at the end, and return this one."""
        if not isinstance(modules, Iterable):
            raise TypeError(
                "ModuleList.extend should be called with an iterable, but got "
                f"{type(modules).__name__}"
            )
        for module in list(modules):
            self.append(module)
        return self

    __iadd__ = extend

    def __add__(self, other: Iterable[Any]) -> ModuleList:
        return ModuleList(itertools.chain(self, other))

    def __repr__(self) -> str:
        """Return the printed form, in which equal modules in a row are shown once."""
        lines, start = [], 0
        for text, equal in itertools.groupby(map(repr, self)):
            end = start + len(list(equal)) - 1
            number = f"({start})" if start == end else f"({start}-{end})"
            times = "" if start == end else f"{end - start + 1} x "
            lines.append(f"  {number}: {times}{text}".replace("\n", "\n  ") + "\n")
            start = end + 1
        return f"{self._get_name()}(\n{''.join(lines)})" if lines else f"{self._get_name()}()"


class ModuleDict(Module):
    """A dict of modules that are part of the one that has it.

    Args:
        modules: a mapping, or pairs of names and modules, to begin with.
    """

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

    def clear(self) -> None:
        """Take all modules away."""
        self._modules.clear()

    def pop(self, key: str) -> Any:
        """Take the module of a name away and return it."""
        return self._modules.pop(key)

    def keys(self) -> Any:
        """Return the names."""
        return self._modules.keys()

    def items(self) -> Any:
        """Return the names and modules."""
        return self._modules.items()

    def values(self) -> Any:
        """Return the modules."""
        return self._modules.values()

    def update(self, modules: Any) -> None:
        """Add the modules of a mapping, or pairs of names and modules.

        Raises:
            TypeError, ValueError: if they are neither.
        """
        for name, module in checked_pairs("ModuleDict", modules):
            self[name] = module


def checked_pairs(kind: str, given: Any) -> Iterator[tuple[str, Any]]:
    """Yield names and what is given for them, by a mapping or as pairs.

    Raises:
        TypeError, ValueError: if it is given otherwise.
    """
    if not isinstance(given, Iterable):
        raise TypeError(
            f"{kind}.update should be called with an iterable of key/value pairs, but got "
            f"{type(given).__name__}"
        )
    if isinstance(given, (Mapping, ModuleDict)):
        yield from given.items()
        return
    for number, pair in enumerate(given):
        element = f"{kind} update sequence element #{number}"
        if not isinstance(pair, Iterable):
            raise TypeError(f"{element} should be Iterable; is{type(pair).__name__}")
        name, *rest = pair_of = list(pair)
        if len(pair_of) != 2:
            raise ValueError(f"{element} has length {len(pair_of)}; 2 is required")
        yield name, rest[0]


class ParameterList(Module):
    """A list of parameters that are part of the module that has it.

    Args:
        values: what to begin with. Tensors become parameters; other values are kept as they are.
    """

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        if values is not None:
            self += values

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return type(self)([self[place] for place in range(*idx.indices(len(self)))])
        return getattr(self, str(checked_index(idx, len(self))))

    def __setitem__(self, idx: Any, param: Any) -> None:
        if isinstance(param, Tensor) and not isinstance(param, Parameter):
            param = Parameter(param)
        setattr(self, str(checked_index(idx, len(self))), param)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return iter([self[place] for place in range(len(self))])

    def append(self, value: Any) -> ParameterList:
        """Add a value at the end, and return the list."""
        self._size += 1
        self[self._size - 1] = value
        return self

    def extend(self, values: Iterable[Any]) -> ParameterList:
        """Add values at the end, and return the list."""
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise TypeError(
                "ParameterList.extend should be called with an iterable, but got "
                f"{type(values).__name__}"
            )
        for value in values:
            self.append(value)
        return self

    __iadd__ = extend

    def extra_repr(self) -> str:
        return "\n".join([f"  ({place}): {described(one)}" for place, one in enumerate(self)])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("ParameterList should not be called.")


def described(value: Any, old: bool = False) -> str:
    """Return what the printed form of a list says of a value in it; of a dict, by `old` types."""
    if not isinstance(value, Tensor):
        return f"Object of type: {type(value).__name__}"
    kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
    elements = value.type() if old else value.dtype
    return f"{kind} containing: [{elements} of size {'x'.join(map(str, value.shape))}]"


class ParameterDict(Module):
    """A dictionary of parameters that are part of the module that has it.

    Args:
        parameters: what to begin with, a mapping or pairs. Tensors become parameters; other values
            are kept as they are.

    >>> import minigrad as torch
    >>> parameters = torch.nn.ParameterDict({"scale": torch.ones(2)})
    >>> parameters["scale"]
    Parameter containing:
    tensor([1., 1.], requires_grad=True)
    """

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self._keys: dict[str, None] = {}
        if parameters is not None:
            self.update(parameters)

    def _key_to_attr(self, key: Any) -> str:
        if not isinstance(key, str):
            raise TypeError(
                "Index given to ParameterDict cannot be used as a key as it is not a string "
                f"(type is '{type(key).__name__}'). Open an issue on github if you need "
                "non-string keys."
            )
        return key

    def __getitem__(self, key: str) -> Any:
        return getattr(self, self._key_to_attr(key))

    def __setitem__(self, key: str, value: Any) -> None:
        self._keys[self._key_to_attr(key)] = None
        if isinstance(value, Tensor) and not isinstance(value, Parameter):
            value = Parameter(value)
        setattr(self, key, value)

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, self._key_to_attr(key))

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __reversed__(self) -> Iterator[str]:
        return reversed(list(self._keys))

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def __or__(self, other: Any) -> ParameterDict:
        united = self.copy()
        united.update(other)
        return united

    def __ror__(self, other: Any) -> Any:
        united = other.copy()
        united.update(self)
        return united

    def __ior__(self, other: Any) -> Self:
        self.update(other)
        return self

    def fromkeys(self, keys: Iterable[str], default: Any = None) -> ParameterDict:
        """Return another one of these keys, all with the same value."""
        return ParameterDict((key, default) for key in keys)

    def copy(self) -> ParameterDict:
        """Return another one with the same parameters."""
        return ParameterDict(self.items())

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value of a key, or the default if it is not there."""
        return self[key] if key in self._keys else default

    def setdefault(self, key: str, default: Any = None) -> Any:
        """Return the value of a key, which gets the default if it is not there."""
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key: str) -> Any:
        """Take a key out and return its value."""
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> tuple[str, Any]:
        """Take out the key that was added last, and return it with its value."""
        key, _ = self._keys.popitem()
        self._keys[key] = None
        return key, self.pop(key)

    def clear(self) -> None:
        """Take all out."""
        for key in list(self._keys):
            del self[key]

    def keys(self) -> Iterable[str]:
        """Return the keys."""
        return self._keys.keys()

    def items(self) -> Iterable[tuple[str, Any]]:
        """Return the keys with their values."""
        return ((key, self[key]) for key in self._keys)

    def values(self) -> Iterable[Any]:
        """Return the values."""
        return (self[key] for key in self._keys)

    def update(self, parameters: Any) -> None:
        """Add what a mapping, or pairs, hold.

        Raises:
            TypeError, ValueError: if it is neither.
        """
        if not isinstance(parameters, Iterable):
            raise TypeError(
                "ParametersDict.update should be called with an iterable of key/value pairs, but "
                f"got {type(parameters).__name__}"
            )
        pairs: Iterable[tuple[str, Any]]
        if isinstance(parameters, (OrderedDict, ParameterDict)):
            pairs = parameters.items()
        elif isinstance(parameters, Mapping):
            pairs = sorted(parameters.items())  # as if dictionaries had no order
        else:
            pairs = checked_pairs("ParameterDict", parameters)
        for key, value in pairs:
            self[key] = value

    def extra_repr(self) -> str:
        return "\n".join(
            [f"  ({key}): {described(value, old=True)}" for key, value in self.items()]
        )

    def __call__(self, input: Any) -> Any:
        raise RuntimeError("ParameterDict should not be called.")
