"""A mark for methods that PyTorch has in C, with a fixed number of arguments and none by name.

It is for what is below Tensor: nodes, contexts and sizes. The methods of tensors, which know their
arguments by name, are refused wrong ones in `minigrad.ops.signatures`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

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
