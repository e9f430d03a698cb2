"""Hooks: what users register on tensors and nodes, and how a walk calls it.

Hooks see Tensors, whatever the walk itself works on, and what they return is checked.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from minigrad.c_code import type_name

Hook: TypeAlias = Callable[..., Any]
HookDict: TypeAlias = OrderedDict[int, Hook]


class RemovableHandle:
    """What registering a hook returns: `remove()` takes the hook away again.

    It takes it out of `extra_dict`, one dictionary or several, as well. Used as a context manager
    it removes the hook at the end of the block. It keeps neither the hook alive nor what the hook
    was registered on.
    """

    __module__ = "torch.utils.hooks"

    id: int
    next_id = 0

    def __init__(self, hooks_dict: HookDict, *, extra_dict: Any = None) -> None:
        self.hooks_dict_ref = weakref.ref(hooks_dict)
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1
        self.extra_dict_ref: tuple[weakref.ref[HookDict], ...] = ()
        if extra_dict is not None:
            several = extra_dict if isinstance(extra_dict, list) else [extra_dict]
            self.extra_dict_ref = tuple([weakref.ref(one) for one in several])

    def remove(self) -> None:
        """Remove the hook; a second call does nothing."""
        for reference in (self.hooks_dict_ref, *self.extra_dict_ref):
            hooks = reference()
            if hooks is not None:
                hooks.pop(self.id, None)

    def __getstate__(self) -> tuple[Any, ...]:
        extra = tuple([reference() for reference in self.extra_dict_ref])
        return (self.hooks_dict_ref(), self.id, extra)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        # A dictionary that is gone leaves an empty one, which goes at once.
        self.hooks_dict_ref = weakref.ref(OrderedDict() if state[0] is None else state[0])
        self.id = state[1]
        RemovableHandle.next_id = max(RemovableHandle.next_id, self.id + 1)
        extra = state[2] if len(state) > 2 else ()
        self.extra_dict_ref = tuple(
            [weakref.ref(OrderedDict() if one is None else one) for one in extra]
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, self.__getstate__())

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exception: object) -> None:
        self.remove()


def _restored(*state: Any) -> RemovableHandle:
    handle = RemovableHandle.__new__(RemovableHandle)
    handle.__setstate__(state)
    return handle


def register(
    hooks: HookDict, hook: Hook, notes: Iterable[OrderedDict[int, Any]] = ()
) -> RemovableHandle:
    """Add a hook to others and return the handle that removes it, and what is noted of it."""
    handle = RemovableHandle(hooks, extra_dict=[*notes])
    hooks[handle.id] = hook
    return handle


class Hooks:
    """The hooks of one node, in the order in which they run.

    `tensor` hooks see the gradient of one output: a tensor's, with the output's number; `retained`
    keeps it for a tensor's `.grad`, by output number; `before` sees the gradients of all outputs,
    `accumulated` the leaf whose `.grad` is new, and `after` the gradients of inputs and outputs.
    `outputs` says how many outputs hooks know of, if not all.
    """

    __slots__ = ("accumulated", "after", "before", "outputs", "retained", "tensor")

    def __init__(self) -> None:
        self.tensor: list[tuple[int, HookDict]] = []
        self.retained: dict[int, Hook] = {}
        self.before: HookDict = OrderedDict()
        self.accumulated: tuple[Any, HookDict] | None = None
        self.after: HookDict = OrderedDict()
        self.outputs: int | None = None

    def call_tensor_hooks(self, gradients: list[Any]) -> list[Any]:
        """Let tensor hooks see and replace single gradients, then keep those to be retained."""
        for number, hooks in list(self.tensor):
            for hook in list(hooks.values()):
                replacement = hook(gradients[number])
                if replacement is not None:
                    gradients[number] = checked(hook, replacement, gradients[number])
        for number, retain in self.retained.items():
            if gradients[number] is not None:
                retain(gradients[number])
        return gradients

    def call_before(self, grad_outputs: tuple[Any, ...]) -> tuple[Any, ...]:
        """Let node prehooks see and replace the gradients of all outputs."""
        grad_outputs = grad_outputs[: self.outputs]
        for hook in list(self.before.values()):
            replacement = hook(grad_outputs)
            if replacement is not None:
                grad_outputs = checked_all(hook, replacement, grad_outputs)
        return grad_outputs

    def call_accumulated(self) -> None:
        """Let the hooks of a leaf see it after a gradient was added to its `.grad`."""
        if self.accumulated is not None:
            leaf, hooks = self.accumulated
            for hook in list(hooks.values()):
                replacement = hook(leaf)
                if replacement is not None and replacement is not leaf:
                    check_is_tensor(replacement)
                    raise RuntimeError("Tensor post accumulate grad hooks should return None.")

    def call_after(
        self, grad_inputs: tuple[Any, ...], grad_outputs: tuple[Any, ...]
    ) -> tuple[Any, ...]:
        """Let node hooks see the gradients of inputs and outputs, and replace the former."""
        for hook in list(self.after.values()):
            replacement = hook(grad_inputs, grad_outputs[: self.outputs])
            if replacement is not None:
                grad_inputs = checked_all(hook, replacement, grad_inputs)
        return grad_inputs


def checked_all(hook: Hook, replacement: Any, gradients: Sequence[Any]) -> tuple[Any, ...]:
    """Return what a node hook gave in place of `gradients`.

    Raises:
        TypeError, RuntimeError: if it does not fit them, with PyTorch's texts.
    """
    if not isinstance(replacement, tuple):
        raise TypeError(f"expected tuple, but hook returned '{type_name(replacement)}'")
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
    check_is_tensor(replacement)
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


def check_is_tensor(replacement: Any) -> None:
    """Refuse with PyTorch's text what a hook returned, if it is no Tensor."""
    if not hasattr(replacement, "requires_grad"):
        raise TypeError(f"expected Variable, but hook returned '{type_name(replacement)}'")


def hook_name(hook: Hook) -> str:
    """Return the name by which messages call a hook."""
    return getattr(hook, "__name__", "<unknown>")
