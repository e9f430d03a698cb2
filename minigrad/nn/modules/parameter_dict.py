"""A dictionary of parameters."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self

from minigrad.nn.modules.container import described
from minigrad.nn.modules.module import Module
from minigrad.nn.parameter import Parameter
from minigrad.tensor import Tensor


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
            TypeError: if it is neither.
        """
        if not isinstance(parameters, Iterable):
            raise TypeError(
                "ParametersDict.update should be called with an iterable of key/value pairs, but "
                f"got {type(parameters).__name__}"
            )
        pairs = parameters
        if isinstance(parameters, (OrderedDict, ParameterDict)):
            pairs = parameters.items()
        elif isinstance(parameters, Mapping):
            pairs = sorted(parameters.items())  # as if dictionaries had no order
        for key, value in pairs:
            self[key] = value

    def extra_repr(self) -> str:
        return "\n".join(
            [f"  ({key}): {described(value, old=True)}" for key, value in self.items()]
        )

    def __call__(self, input: Any) -> Any:
        raise RuntimeError("ParameterDict should not be called.")
