"""Calling hooks: on the gradients of tensors, and before and after nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad.graph import Hook, HookDict, NodeHooks
from minigrad.modes import state
from minigrad.tensor import Tensor, from_array


def as_tensor(grad: Any) -> Tensor | None:
    """A gradient as hooks and users see it."""
    if grad is None or isinstance(grad, Tensor):
        return grad
    return from_array(np.asarray(grad))


def as_gradient(value: Any) -> Any:
    """What a hook returned, as the pass needs it: an array unless the pass is recorded."""
    return value._array if isinstance(value, Tensor) and not state.enabled else value


def hook_name(hook: Hook) -> str:
    return getattr(hook, "__name__", "<unknown>")


def run_tensor_hooks(hooks: NodeHooks, number: int, grad: Any) -> Any:
    """Run the hooks of a tensor in their order, then keep its gradient if it retains it."""
    for hook in tuple(hooks.tensor.get(number, {}).values()):
        result = hook(as_tensor(grad))
        if result is not None:
            check_hook_result(hook, result, as_tensor(grad))
            grad = as_gradient(result)
    retained = hooks.retain_grad.get(number)
    tensor = None if retained is None else retained()
    if tensor is not None and grad is not None:
        tensor._accumulate_grad([grad], isinstance(grad, Tensor))
    return grad


def check_hook_result(hook: Hook, result: Any, grad: Tensor | None) -> None:
    if not isinstance(result, Tensor):
        raise TypeError(f"expected Variable, but hook returned {type(result).__name__!r}")
    if grad is not None and result.shape != grad.shape:
        raise RuntimeError(f"hook '{hook_name(hook)}' has changed the size of value")
    if grad is not None and result.dtype is not grad.dtype:
        raise RuntimeError(f"hook '{hook_name(hook)}' has changed the type of value")


def run_node_hooks(hooks: HookDict, grads: Sequence[Any], *others: Any) -> list[Any]:
    """Run hooks before or after a node. Each may replace all gradients for those that follow."""
    current = tuple(map(as_tensor, grads))
    for hook in tuple(hooks.values()):
        result = hook(current, *others)
        if result is not None:
            result = result if isinstance(result, tuple) else (result,)
            if len(result) != len(current):
                raise RuntimeError(
                    f"hook '{hook_name(hook)}' has returned an incorrect number of values (got "
                    f"{len(result)}, but expected {len(current)})"
                )
            current = result
    return list(map(as_gradient, current))
