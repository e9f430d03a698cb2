"""What a learner's code calls of the engine, seen while it runs."""

from collections.abc import Callable
from typing import Any

from minigrad.viz.read.engines import overrides_of

PASSES = ("backward", "grad")  # the engine's functions that run a backward pass


def walks(torch: Any, program: Callable[[], Any]) -> tuple[Any, list[bool]]:
    """What the program gives, and for each ``backward`` in it whether it asked to retain_graph."""
    given, calls = passes(torch, program)
    asked = [(named, more) for name, named, more in calls if name == "backward"]
    return given, [bool(named.get("retain_graph") or more == (True,)) for named, more in asked]


def passes(torch: Any, program: Callable[[], Any]) -> tuple[Any, list[Any]]:
    """What the program gives, and the calls in it that run a backward pass."""
    calls = []

    class Watch(overrides_of(torch).TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(
            self, function: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            named, name = kwargs or {}, getattr(function, "__name__", "")
            if name in PASSES:
                calls.append((name, named, args[2:3]))
            return function(*args, **named)

    with Watch():
        given = program()
    return given, calls
