"""From a Python function on arrays to an operation that users call, by name or as method."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from minigrad.ops.declare import op
from minigrad.ops.first_call import on_first_call
from minigrad.ops.promotion import ARRAYS, not_a_tensor
from minigrad.ops.registry import Operation, public
from minigrad.ops.rule import Formula, compiled, parameter_names
from minigrad.return_types import result_type
from minigrad.tensor import Tensor


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
    named tuple. The function gets arrays, and refuses what does not fit. Keyword-only parameters
    are so for users alone: formulas give them by position. Other arguments are those of `op`.
    """

    def declare(forward: Callable[..., Any]) -> Operation:
        name = forward.__name__.rstrip("_")
        operation = hidden(
            node_name,
            by_position(forward) if forward.__kwdefaults__ else forward,
            outputs=outputs,
            view=view,
            promote=promote,
            **formulas,
        )
        operation.rule.function = name  # type: ignore[attr-defined]
        result = result_type(name, outputs) if " " in outputs else None
        function = on_first_call(forward, on_tensors, name, operation, forward, result)
        function.__name__ = function.__qualname__ = name
        function.forward = forward  # type: ignore[attr-defined]
        return public(name, variants)(function) if variants else function

    return declare


def on_tensors(name: str, operation: Operation, forward: Any, result: Any) -> Operation:
    """Compile what users call: one that takes any arguments and hands them on would be slower."""
    only = forward.__kwdefaults__ or {}
    names = ["input", *parameter_names(forward)[1:]]
    given = [
        f"tensor({one}, '{one}', {place})" if forward.__annotations__.get(one) == "Array" else one
        for place, one in enumerate([*names, *only], 1)
    ]
    signature = ", ".join([*names, *(["*", *only] if only else [])])
    call = f"operation({', '.join(given)})"
    if result:
        call = f"result({call})"
    function: Any = compiled(
        f"def call({signature}): return {call}",
        {
            "operation": operation,
            "result": result,
            "tensor": functools.partial(tensor_or_array, name),
        },
    )
    function.__defaults__, function.__kwdefaults__ = forward.__defaults__, forward.__kwdefaults__
    return function  # type: ignore[no-any-return]


def by_position(function: Any) -> Any:
    """Return a function whose keyword-only parameters are taken by position, as formulas do."""
    code = function.__code__
    count = code.co_argcount + code.co_kwonlyargcount
    copy = types.FunctionType(
        code.replace(co_argcount=count, co_kwonlyargcount=0),
        function.__globals__,
        function.__name__,
        (*(function.__defaults__ or ()), *function.__kwdefaults__.values()),
    )
    copy.__dict__.update(function.__dict__)
    copy.__annotations__, copy.__doc__ = function.__annotations__, function.__doc__
    return copy


def tensor_or_array(function: str, value: Any, name: str, position: int) -> Any:
    """Return an argument that has to be a tensor, or in a formula an array."""
    if not isinstance(value, (Tensor, *ARRAYS)):
        raise not_a_tensor(function, name, position, value)
    return value


def named(name: str, documentation: str, declare: Any) -> Callable[[Any], Operation]:
    """Give a function that serves for several operations the name of one, and declare it."""

    def rename(function: Any) -> Operation:
        function.__name__ = function.__qualname__ = name
        function.__doc__ = documentation
        operation: Operation = declare(function)
        return operation

    return rename
