"""One call of a function, with what its operations made on the way and what it calls that.

A node knows nothing about its output, so the values between the operations are seen by a
``TorchFunctionMode``, and their names by a look at the function's variables when it returns.
"""

import sys
from collections.abc import Callable, Mapping
from functools import cache
from types import FrameType, ModuleType
from typing import Any

from minigrad.viz.read.engines import overrides_of
from minigrad.viz.read.names import NamedTensors, names_in_frame
from minigrad.viz.read.protocol import GraphNode, is_tensor
from minigrad.viz.read.saved import read_saved

Key = tuple[GraphNode, int]  # a node of the graph, and the number of its output


class TracedCall:
    """``f(**given)``, made at once; its exceptions go through.

    ``result`` is what ``f`` returned, ``values`` the tensors at the places of the graph, and
    ``arguments`` what the call that made a node was given. ``named`` are the tensors that ``f`` had
    names for, with ``names`` only: looking for them slows ``f`` down.

    package: the package whose tensors ``f`` computes with.

    >>> import minigrad as torch
    >>> def square(x):
    ...     y = x * x
    ...     return y + 1
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> call = TracedCall(square, {"x": x}, torch)
    >>> [name for name, _ in call.named], len(call.values)
    (['x', 'y'], 2)
    """

    def __init__(
        self,
        f: Callable[..., Any],
        given: Mapping[str, Any],
        package: ModuleType,
        names: bool = True,
    ) -> None:
        self.values: dict[Key, Any] = {}
        self.arguments: dict[GraphNode, tuple[Any, ...]] = {}
        self.named: NamedTensors = []
        code = getattr(f, "__code__", None) if names else None

        def look(frame: FrameType, event: str, _: object) -> None:
            if event == "return" and frame.f_code is code:
                self.named = names_in_frame(frame)

        before = sys.getprofile()
        try:
            if code is not None:
                sys.setprofile(look)
            with _mode_class(package)(self._note):
                self.result = f(**given)
        finally:
            sys.setprofile(before)

    def add_saved(self, nodes: list[GraphNode]) -> None:
        """Of one call that made several nodes, the values between them may be saved there."""
        for saved in (saved for node in nodes for saved in read_saved(node)):
            if saved.tensor is not None:
                self._note((), saved.tensor)

    def _note(self, arguments: tuple[Any, ...], result: object) -> None:
        for tensor in result if isinstance(result, tuple | list) else (result,):
            if is_tensor(tensor) and tensor.grad_fn is not None:
                self.values.setdefault((tensor.grad_fn, tensor.output_nr), tensor)
                self.arguments.setdefault(tensor.grad_fn, arguments)


@cache
def _mode_class(package: ModuleType) -> Any:
    """A mode of the package's own kind that hands on what each public call took and returned."""

    class Watch(overrides_of(package).TorchFunctionMode):  # type: ignore[misc]
        def __init__(self, note: Callable[[tuple[Any, ...], object], None]) -> None:
            super().__init__()
            self.note = note

        def __torch_function__(
            self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
        ) -> Any:
            __tracebackhide__ = True  # IPython shows the learner's lines alone
            result = func(*args, **(kwargs or {}))
            self.note((*args, *(kwargs or {}).values()), result)
            return result

    return Watch
