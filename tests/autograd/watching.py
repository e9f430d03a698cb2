"""Seeing what a backward pass does, through hooks, on either engine."""

from __future__ import annotations

from typing import Any


def watch(**tensors: Any) -> list[str]:
    """Return the list that a backward pass will fill with the names of the tensors it reaches.

    A tensor is reached when all of its gradient has arrived: just before its node runs.
    """
    reached: list[str] = []
    for name, tensor in tensors.items():
        tensor.register_hook(lambda _, name=name: reached.append(name))
    return reached


def nodes_below(*tensors: Any) -> list[Any]:
    """Return every node of the graph behind some tensors, once each."""
    found: dict[Any, None] = {}
    stack = [tensor.grad_fn for tensor in tensors]
    while stack:
        node = stack.pop()
        if node is not None and node not in found:
            found[node] = None
            stack.extend(to for to, _ in node.next_functions)
    return list(found)


def passed(node: Any) -> list[tuple[Any, Any]]:
    """Return the list that a backward pass will fill with ``(grad_inputs, grad_outputs)``."""
    seen: list[tuple[Any, Any]] = []
    node.register_hook(lambda *gradients: seen.append(gradients))
    return seen
