"""numpy's names of arguments: PyTorch takes `axis` for `dim` and `keepdims` for `keepdim`."""

from __future__ import annotations

import inspect
from typing import Any

from minigrad.ops.registry import Operation

NAMES = {"axis": "dim", "keepdims": "keepdim"}
NOTHING: Any = object()


def with_numpy_names(function: Operation) -> Operation:
    """Return a function that takes some arguments by numpy's names too, where it has such."""
    if set(NAMES.values()).isdisjoint(function.__code__.co_varnames):
        return function  # without a look at its signature, which takes long
    parameters = inspect.signature(function).parameters
    taken = {own: name for name, own in NAMES.items() if own in parameters}
    kinds = {one.kind for one in parameters.values()}
    listed = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
    known = set(taken.values()) & parameters.keys()
    if not taken or known or kinds & listed or needed_after_dim(parameters):
        return function
    signature, values = [], []
    for name, one in parameters.items():
        if one.kind is one.KEYWORD_ONLY and "*" not in signature:
            signature.append("*")
        given = name
        if name in taken:
            own = name if one.default is not one.empty else f"required({name}, '{name}')"
            given = f"{own} if {taken[name]} is NOTHING else {taken[name]}"
        bare = one.default is one.empty and name not in taken
        signature.append(name if bare else f"{name}=defaults['{name}']")
        values.append(f"{name}={given}" if one.kind is one.KEYWORD_ONLY else given)
    signature += ([] if "*" in signature else ["*"]) + [f"{one}=NOTHING" for one in taken.values()]

    def required(value: Any, name: str) -> Any:
        if value is NOTHING:
            raise TypeError(
                f'{function.__name__}() missing 1 required positional arguments: "{name}"'
            )
        return value

    defaults = {
        name: NOTHING if one.default is one.empty else one.default
        for name, one in parameters.items()
    }
    # Compiled, since a function that takes any arguments and hands them on would be slower.
    scope = {"function": function, "defaults": defaults, "NOTHING": NOTHING, "required": required}
    named: Any = eval(f"lambda {', '.join(signature)}: function({', '.join(values)})", scope)
    named.__name__ = named.__qualname__ = function.__name__
    named.__doc__, named.__annotations__ = function.__doc__, function.__annotations__
    return named  # type: ignore[no-any-return]


def needed_after_dim(parameters: Any) -> bool:
    """Return whether an argument that has to be given comes after `dim`: it stays where it is."""
    names = list(parameters)
    after = names[names.index("dim") + 1 :] if "dim" in names else []
    return any(
        parameters[name].default is inspect.Parameter.empty
        and parameters[name].kind is not inspect.Parameter.KEYWORD_ONLY
        for name in after
    )
