"""Hooks of all modules: on their calls, their gradients, and what is registered in them.

PyTorch has them in the namespace ``torch.nn.modules.module``, and what holds them as well, such as
``_global_forward_hooks``, which tests put empty ones in the place of.
"""

from __future__ import annotations

from collections import OrderedDict
from types import ModuleType
from typing import Any

from minigrad.autograd.hooks import Hook, HookDict, RemovableHandle, register
from minigrad.nn.modules.hooks import EVERYWHERE, KINDS, Hooked

# Called with a module, and the name and value of what is to become part of it.
REGISTRATION: dict[str, HookDict] = {
    "buffer": OrderedDict(),
    "module": OrderedDict(),
    "parameter": OrderedDict(),
}


class Everywhere(Hooked):
    """What holds the hooks that are called for every module, before its own."""

    _where = "as a global Module hook"

    def __init__(self) -> None:
        for kind in KINDS:
            setattr(self, kind, OrderedDict())


def everywhere() -> Hooked:
    """Return what holds the hooks of all modules; modules look at it from then on."""
    if not EVERYWHERE:
        EVERYWHERE.append(Everywhere())
    return EVERYWHERE[0]


def held(name: str) -> property:
    """Return an attribute of a namespace that is one of what holds the hooks of all modules."""

    def put(namespace: ModuleType, value: Any) -> None:
        setattr(everywhere(), name, value)

    return property(lambda namespace: getattr(everywhere(), name), put)


class HoldingHooks(ModuleType):
    """The namespace in which PyTorch has the hooks of all modules."""


for kind in (*KINDS, "_is_full_backward_hook"):
    setattr(HoldingHooks, f"_global{kind}", held(kind))


def register_module_forward_pre_hook(hook: Hook) -> RemovableHandle:
    """Call ``hook(module, args)`` before each `forward` of every module."""
    return everywhere().register_forward_pre_hook(hook)


def register_module_forward_hook(
    hook: Hook, *, with_kwargs: bool = False, always_call: bool = False
) -> RemovableHandle:
    """Call ``hook(module, args, output)`` after each `forward` of every module.

    With `with_kwargs` and `always_call` as `Module.register_forward_hook` says.

    >>> import minigrad as torch
    >>> def tell(module, args, output):
    ...     print(module, tuple(output.shape))
    >>> handle = torch.nn.modules.module.register_module_forward_hook(tell)
    >>> _ = torch.nn.Sequential(torch.nn.Tanh())(torch.ones(2))
    Tanh() (2,)
    Sequential(
      (0): Tanh()
    ) (2,)
    >>> handle.remove()
    """
    return everywhere().register_forward_hook(
        hook, with_kwargs=with_kwargs, always_call=always_call
    )


def register_module_full_backward_pre_hook(hook: Hook) -> RemovableHandle:
    """Call ``hook(module, grad_output)`` when the gradients of a module's outputs are known."""
    return everywhere().register_full_backward_pre_hook(hook)


def register_module_full_backward_hook(hook: Hook) -> RemovableHandle:
    """Call ``hook(module, grad_input, grad_output)`` when the gradients of both are known.

    Raises:
        RuntimeError: if there have been hooks of `register_module_backward_hook`.
    """
    return everywhere().register_full_backward_hook(hook)


def register_module_backward_hook(hook: Hook) -> RemovableHandle:
    """Call ``hook(module, grad_input, grad_output)`` after the last node of a module; deprecated.

    Raises:
        RuntimeError: if there have been hooks of `register_module_full_backward_hook`.
    """
    return everywhere().register_backward_hook(hook)


def register_module_buffer_registration_hook(hook: Hook) -> RemovableHandle:
    """Call ``hook(module, name, buffer)`` before a buffer becomes part of any module.

    What the hook returns, if not None, takes its place.
    """
    return register(REGISTRATION["buffer"], hook)


def register_module_module_registration_hook(hook: Hook) -> RemovableHandle:
    """Call ``hook(module, name, submodule)`` before a module becomes part of any other.

    What the hook returns, if not None, takes its place.
    """
    return register(REGISTRATION["module"], hook)


def register_module_parameter_registration_hook(hook: Hook) -> RemovableHandle:
    """Call ``hook(module, name, parameter)`` before a parameter becomes part of any module.

    What the hook returns, if not None, takes its place.
    """
    return register(REGISTRATION["parameter"], hook)


def as_registered(module: Any, kind: str, name: str, value: Any) -> Any:
    """Return what hooks make of a value that is to become part of a module."""
    for hook in list(REGISTRATION[kind].values()):
        replacement = hook(module, name, value)
        if replacement is not None:
            value = replacement
    return value
