"""The hooks of optimizers: around their steps, and around saving and loading their state."""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from minigrad.autograd.hooks import Hook, HookDict, RemovableHandle, register

# Those of all optimizers.
before_all: HookDict = OrderedDict()
after_all: HookDict = OrderedDict()


def register_optimizer_step_pre_hook(hook: Hook) -> RemovableHandle:
    """Call ``hook(optimizer, args, kwargs)`` before each step of every optimizer."""
    return register(before_all, hook)


def register_optimizer_step_post_hook(hook: Hook) -> RemovableHandle:
    """Call ``hook(optimizer, args, kwargs)`` after each step of every optimizer."""
    return register(after_all, hook)


class OptimizerHooks:
    """What an optimizer knows of hooks."""

    def _hook_step(self) -> None:
        """Let the hooks run around the steps of this class, unless they do.

        As in PyTorch that is when an optimizer is made: a class may be given its step late. And so
        they run twice if a step calls the one of a base class of which an optimizer was made.
        """
        cls: Any = type(self)
        if not getattr(cls.step, "hooked", False):
            cls.step = hooked(cls.step)
            cls.step.hooked = True

    def register_step_pre_hook(self, hook: Hook) -> RemovableHandle:
        """Call ``hook(optimizer, args, kwargs)`` before each step.

        `args` begins with the optimizer. What the hook returns, if not None, is a pair of both to
        go on with.
        """
        return self._register("step_pre", hook)

    def register_step_post_hook(self, hook: Hook) -> RemovableHandle:
        """Call ``hook(optimizer, args, kwargs)`` after each step."""
        return self._register("step_post", hook)

    def register_state_dict_pre_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Call ``hook(optimizer)`` before `state_dict`; with `prepend` before other hooks."""
        return self._register("state_dict_pre", hook, prepend)

    def register_state_dict_post_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Call ``hook(optimizer, state_dict)`` after `state_dict`.

        What the hook returns, if not None, takes the place of the dict. `prepend` as above.
        """
        return self._register("state_dict_post", hook, prepend)

    def register_load_state_dict_pre_hook(
        self, hook: Hook, prepend: bool = False
    ) -> RemovableHandle:
        """Call ``hook(optimizer, state_dict)`` before `load_state_dict`, with a shallow copy.

        What the hook returns, if not None, takes the place of the dict. `prepend` as above.
        """
        return self._register("load_state_dict_pre", hook, prepend)

    def register_load_state_dict_post_hook(
        self, hook: Hook, prepend: bool = False
    ) -> RemovableHandle:
        """Call ``hook(optimizer)`` after `load_state_dict`. `prepend` as above."""
        return self._register("load_state_dict_post", hook, prepend)

    def _register(self, kind: str, hook: Hook, prepend: bool = False) -> RemovableHandle:
        hooks = vars(self).setdefault(f"_optimizer_{kind}_hooks", OrderedDict())
        handle = register(hooks, hook)
        if prepend:
            hooks.move_to_end(handle.id, last=False)
        return handle

    def _hooks(self, kind: str) -> Iterator[Hook]:
        """Yield the hooks of one kind; most optimizers have none."""
        yield from list(vars(self).get(f"_optimizer_{kind}_hooks", {}).values())


def hooked(step: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method `step` that calls the hooks around it."""

    @functools.wraps(step)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        optimizer = args[0]
        for hook in chain(list(before_all.values()), optimizer._hooks("step_pre")):
            result = hook(optimizer, args, kwargs)
            if result is not None:
                args, kwargs = checked(step, result)
        result = step(*args, **kwargs)
        for hook in chain(optimizer._hooks("step_post"), list(after_all.values())):
            hook(optimizer, args, kwargs)
        return result

    return wrapper


def checked(step: Callable[..., Any], result: Any) -> Any:
    """Return the arguments that a hook gave in place of others.

    Raises:
        RuntimeError: if they are no pair, with PyTorch's text.
    """
    if not isinstance(result, tuple) or len(result) != 2:
        raise RuntimeError(
            f"{step} must return None or a tuple of (new_args, new_kwargs), but got {result}."
        )
    return result
