"""What PyTorch has in C: methods with arguments by place alone, integers, what it calls types.

`c_method` is for what is below Tensor: nodes, contexts and sizes. The methods of tensors, which
know their arguments by name, are refused wrong ones in `minigrad.ops.signatures`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

C_MODULES = ("torch", "torch._C", "torch.return_types")
HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: of classes made in Python

Method = TypeVar("Method", bound=Callable[..., Any])


def c_method(count: int) -> Callable[[Method], Method]:
    """Let the decorated method of a node refuse other arguments than `count`, as C does: 0 or 1."""
    taken = ("no arguments", "exactly one argument")[count]

    def decorate(method: Method) -> Method:
        @functools.wraps(method)
        def counted(self: Any, *arguments: Any, **keywords: Any) -> Any:
            if len(arguments) == count and not keywords:
                return method(self, *arguments)
            owner = getattr(self, "_type_name", type(self).__name__)
            name = f"{owner.rpartition('.')[2]}.{method.__name__}()"
            if keywords:
                raise TypeError(f"{name} takes no keyword arguments")
            raise TypeError(f"{name} takes {taken} ({len(arguments)} given)")

        return cast(Method, counted)

    return decorate


class ReadOnly(property):
    """A property that refuses to be set with PyTorch's text."""

    def __init__(self, fget: Any, name: str = "") -> None:
        super().__init__(fget)
        self.name = name or fget.__name__

    def __set__(self, owner: Any, value: Any) -> None:
        type_name = getattr(owner, "_type_name", type(owner).__name__)
        raise AttributeError(f"attribute '{self.name}' of '{type_name}' objects is not writable")

    def __delete__(self, owner: Any) -> None:
        self.__set__(owner, None)


def unsigned(number: Any) -> int:
    """Return an integer that C takes as an unsigned one of 64 bits.

    Raises:
        TypeError, OverflowError: for what is no integer, or has no place there, as C does.
    """
    if not isinstance(number, int):
        raise TypeError("an integer is required")
    if number < 0:
        raise OverflowError("can't convert negative int to unsigned")
    if number >= 2**64:
        raise OverflowError("int too big to convert")
    return int(number)


def type_name(value: Any) -> str:
    """Return the name of a value's type as C code has it: with the module if built in C."""
    kind = type(value)
    # In PyTorch all that is in its namespace itself is, but for Tensor.
    in_torch = kind.__module__ in C_MODULES and kind.__name__ != "Tensor"
    in_c = not kind.__flags__ & HEAP_TYPE or in_torch
    named = in_c and kind.__module__ != "builtins"
    return f"{kind.__module__}.{kind.__name__}" if named else kind.__name__


def disabled_torch_function(func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    """As ``__torch_function__`` of a class: what is computed with its tensors is plain tensors."""
    return func(*args, **(kwargs or {}))


def has_answer(one: Any) -> bool:
    """Return whether an object has a ``__torch_function__``, of its type or its own, that is on."""
    if isinstance(one, type):
        return False
    answer = getattr(one, "__torch_function__", disabled_torch_function)
    return getattr(answer, "__func__", answer) is not disabled_torch_function
