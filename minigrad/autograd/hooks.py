"""Hooks: what users register on tensors and nodes, and how a walk calls it.

Hooks see Tensors, whatever the walk itself works on, and what they return is checked.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

Hook: TypeAlias = Callable[..., Any]


class RemovableHandle:
    """What registering a hook returns: `remove()` takes the hook away again.

    Used as a context manager it removes the hook at the end of the block.
    """

    __module__ = "torch.utils.hooks"

    _ids = itertools.count()

    def __init__(self, hooks: dict[int, Any]) -> None:
        self._hooks = hooks
        self.id = next(self._ids)

    def remove(self) -> None:
        """Remove the hook; a second call does nothing."""
        self._hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exception: object) -> None:
        self.remove()


def register(hooks: dict[int, Any], hook: Any) -> RemovableHandle:
    """Add a hook to others and return the handle that removes it."""
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


class Hooks:
    """The hooks of one node, in the order in which they run.

    `tensor` hooks see the gradient of one output, as (output number, hook); `retained` keeps it for
    a tensor's `.grad`, by output number; `before` sees the gradients of all outputs, and `after`
    also those of the inputs.
    """

    __slots__ = ("after", "before", "retained", "tensor")

    def __init__(self) -> None:
        self.tensor: dict[int, tuple[int, Hook]] = {}
        self.retained: dict[int, Hook] = {}
        self.before: dict[int, Hook] = {}
        self.after: dict[int, Hook] = {}

    def call_tensor_hooks(self, gradients: list[Any]) -> list[Any]:
        """Let tensor hooks see and replace single gradients, then keep those to be retained."""
        for number, hook in list(self.tensor.values()):
            replacement = hook(gradients[number])
            if replacement is not None:
                gradients[number] = checked(hook, replacement, gradients[number])
        for number, retain in self.retained.items():
            if gradients[number] is not None:
                retain(gradients[number])
        return gradients

    def call_before(self, grad_outputs: tuple[Any, ...]) -> tuple[Any, ...]:
        """Let node prehooks see and replace the gradients of all outputs."""
        for hook in list(self.before.values()):
            replacement = hook(grad_outputs)
            if replacement is not None:
                grad_outputs = checked_all(hook, replacement, grad_outputs)
        return grad_outputs

    def call_after(
        self, grad_inputs: tuple[Any, ...], grad_outputs: tuple[Any, ...]
    ) -> tuple[Any, ...]:
        """Let node hooks see the gradients of inputs and outputs, and replace the former."""
        for hook in list(self.after.values()):
            replacement = hook(grad_inputs, grad_outputs)
            if replacement is not None:
                grad_inputs = checked_all(hook, replacement, grad_inputs)
        return grad_inputs


def checked_all(hook: Hook, replacement: Any, gradients: Sequence[Any]) -> tuple[Any, ...]:
    """Return what a node hook gave in place of `gradients`.

    Raises:
        TypeError, RuntimeError: if it does not fit them, with PyTorch's texts.
    """
    if not isinstance(replacement, tuple):
        raise TypeError(f"expected tuple, but hook returned '{type(replacement).__name__}'")
    if len(replacement) != len(gradients):
        raise RuntimeError(
            f"hook '{hook_name(hook)}' has returned an incorrect number of values "
            f"(got {len(replacement)}, but expected {len(gradients)})"
        )
    return tuple(
        None if one is None else checked(hook, one, before)
        for one, before in zip(replacement, gradients, strict=True)
    )


def checked(hook: Hook, replacement: Any, gradient: Any) -> Any:
    """Return what a hook gave in place of one gradient, if its type and shape are the same.

    Raises:
        TypeError, RuntimeError: if they are not, with PyTorch's texts.
    """
    if not hasattr(replacement, "requires_grad"):
        raise TypeError(f"expected Variable, but hook returned '{type(replacement).__name__}'")
    if gradient is None:
        raise RuntimeError("can't replace a None gradient with a non-None value")
    if replacement.dtype is not gradient.dtype:
        raise RuntimeError(
            f"hook '{hook_name(hook)}' has changed the type of value "
            f"(was {gradient.type()} got {replacement.type()})"
        )
    if replacement.shape != gradient.shape:
        raise RuntimeError(f"hook '{hook_name(hook)}' has changed the size of value")
    return replacement


def hook_name(hook: Hook) -> str:
    """Return the name by which messages call a hook."""
    return getattr(hook, "__name__", "<unknown>")
