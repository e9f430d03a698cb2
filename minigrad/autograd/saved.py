"""What nodes save of tensors for the backward pass, and how it is checked when it is used again."""

from __future__ import annotations

import weakref
from typing import Any

from minigrad.autograd.node import FREED, NO_EDGE, Node, operation_name


class Freed:
    """What is left of a saved tensor once it is freed: whoever checks its version is told so."""

    @property
    def _counter(self) -> list[int]:
        raise RuntimeError(FREED)


FREED_TENSOR = Freed()


class SavingNode(Node):
    """A node that saves values, of which tensors come first."""

    __slots__ = ("values", "versions")
    values: tuple[Any, ...]
    versions: tuple[int, ...]  # of those that are tensors

    def output_saved(self, position: int) -> int | None:
        """Return which output of this node a saved tensor is; None if it is none."""
        raise NotImplementedError

    def saved(self, position: int) -> Any:
        """Return a saved value; an output as it was, with this node as its grad_fn.

        Raises:
            RuntimeError: if it was freed, or is a tensor that was modified in place since.
        """
        value = self.values[position]
        if position < len(self.versions):
            if value._counter[0] != self.versions[position]:
                raise RuntimeError(self.modified(position))
            if self.output_saved(position) is not None and value._value.dtype.kind == "f":
                edge = self.producer(position)
                value = value._alias()
                value._edge = (*edge, value._value.shape, value._value.dtype)
                value._requires_grad = True
        return value

    def producer(self, position: int) -> tuple[Node, int | None]:
        """Return the grad_fn of a saved output, and the number it has there.

        That of a view that was changed in place is the view's own, as long as it is there.
        """
        reference = self.values[position]._accumulator
        node = None if reference is None else reference()
        return (self, self.output_saved(position)) if node is None else (node, 0)

    def show_outputs_as(self, node: Node) -> None:
        """Let the grad_fn of the outputs that were saved be another node, while it lives."""
        for position in range(len(self.versions)):
            if self.output_saved(position) is not None:
                self.values[position]._accumulator = weakref.ref(node)

    def modified(self, position: int) -> str:
        """Return PyTorch's message for a saved tensor that was modified in place."""
        tensor = self.values[position]
        node, output, *_ = tensor._find_edge() or NO_EDGE
        if self.output_saved(position) is not None:
            node, output = self.producer(position)
        producer = ""
        if node is not None:
            producer = f", which is output {output} of {operation_name(node)},"
        return (
            "one of the variables needed for gradient computation has been modified by an inplace "
            f"operation: [{tensor.type()} {list(tensor.shape)}]{producer} is at version "
            f"{tensor._version}; expected version {self.versions[position]} instead. Hint: enable "
            "anomaly detection to find the operation that failed to compute its gradient, with "
            "torch.autograd.set_detect_anomaly(True, check_nan=False)."
        )
