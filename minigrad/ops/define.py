"""From a Python function on arrays to an operation that users call, by name or as method."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

from minigrad.ops.declare import op
from minigrad.ops.registry import Operation, public
from minigrad.ops.rule import Formula, parameter_names


def hidden(node_name: str, forward: Callable[..., Any], **options: Any) -> Operation:
    """Declare an operation that users do not call: the part of others that is recorded."""
    return op("", node_name, forward, **options)


def define(
    node_name: str,
    variants: str = "function method",
    *,
    outputs: str = "result",
    view: bool = False,
    promote: str = "",
    **formulas: Formula,
) -> Callable[[Callable[..., Any]], Operation]:
    """Make the decorated function the forward function of an operation that users call.

    The operation takes its name, its documentation and its defaults; several outputs come as a
    named tuple. The function gets arrays, and refuses what does not fit. Other arguments are those
    of `op`.
    """

    def declare(forward: Callable[..., Any]) -> Operation:
        name = forward.__name__.rstrip("_")
        operation = hidden(
            node_name, forward, outputs=outputs, view=view, promote=promote, **formulas
        )
        operation.rule.function = name  # type: ignore[attr-defined]
        result = result_type(name, outputs) if " " in outputs else None
        # Compiled, since a function that takes any arguments and hands them on would be slower.
        names = ", ".join(["input", *parameter_names(forward)[1:]])
        call = f"result(*operation({names}))" if result else f"operation({names})"
        bind = eval(f"lambda operation, result: lambda {names}: {call}", forward.__globals__)
        function: Any = bind(operation, result)
        function.__defaults__ = forward.__defaults__
        function.__name__ = function.__qualname__ = name
        function.__doc__ = forward.__doc__
        return public(name, variants)(function)

    return declare


def result_type(name: str, fields: str) -> Any:
    """Make the type of a result with several named parts, which prints as PyTorch's."""
    names = fields.split()

    def text(self: Any) -> str:
        parts = ",\n".join(f"{one}={getattr(self, one)!r}" for one in names)
        return f"torch.return_types.{name}(\n{parts})"

    base = namedtuple(name, names)  # type: ignore[misc]
    members = {"__slots__": (), "__module__": "torch.return_types", "__repr__": text}
    return type(name, (base,), members)
