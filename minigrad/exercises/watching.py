"""What a learner's code calls of the engine, seen while it runs."""

from collections.abc import Callable
from typing import Any

from minigrad.viz.read.engines import overrides_of


def walks(torch: Any, program: Callable[[], Any]) -> tuple[Any, list[bool]]:
    """What the program gives, and for each ``backward`` in it whether it asked to retain_graph."""
    retained = []

    class Watch(overrides_of(torch).TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(
            self, function: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            named = kwargs or {}
            if getattr(function, "__name__", "") == "backward":
                retained.append(bool(named.get("retain_graph") or args[2:3] == (True,)))
            return function(*args, **named)

    with Watch():
        given = program()
    return given, retained
