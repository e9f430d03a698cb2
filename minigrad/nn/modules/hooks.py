"""The hooks of a module, and the call that runs them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from minigrad.autograd.hooks import Hook, RemovableHandle, register
from minigrad.nn.modules.backward_hooks import BackwardHook
from minigrad.outside import warn
from minigrad.tensor import Tensor

KINDS = (
    "_backward_hooks",
    "_backward_pre_hooks",
    "_forward_pre_hooks",
    "_forward_pre_hooks_with_kwargs",
    "_forward_hooks",
    "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called",
)
# What holds the hooks of all modules, once there are some; see `minigrad.nn.modules.everywhere`.
EVERYWHERE: list[Hooked] = []


def registered(
    hooks: OrderedDict[int, Any],
    hook: Hook,
    prepend: bool = False,
    notes: Sequence[OrderedDict[int, bool]] = (),
) -> RemovableHandle:
    """Add a hook after the others, or before them, and return the handle that removes it."""
    handle = register(hooks, hook, notes)
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


class Hooked:
    """A callable whose `forward` hooks see and may change what goes in and what comes out."""

    forward: Any
    _where = "on a single Module"
    _is_full_backward_hook: bool | None = None  # False: those of `register_backward_hook`
    _backward_pre_hooks: OrderedDict[int, Hook]
    _backward_hooks: OrderedDict[int, Hook]
    _forward_pre_hooks: OrderedDict[int, Hook]
    _forward_hooks: OrderedDict[int, Hook]
    # Which of them, by the ids of their handles, also take keyword arguments or run in any case.
    _forward_pre_hooks_with_kwargs: OrderedDict[int, bool]
    _forward_hooks_with_kwargs: OrderedDict[int, bool]
    _forward_hooks_always_called: OrderedDict[int, bool]

    def register_forward_pre_hook(
        self, hook: Hook, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call ``hook(module, args)`` before each `forward`.

        What the hook returns, if not None, takes the arguments' place; a single value is taken for
        the only one. With `with_kwargs` it is ``hook(module, args, kwargs)``, and a pair of both is
        returned. With `prepend` the hook runs before those that were registered earlier.
        """
        notes = (self._forward_pre_hooks_with_kwargs,)
        handle = registered(self._forward_pre_hooks, hook, prepend, notes)
        if with_kwargs:
            self._forward_pre_hooks_with_kwargs[handle.id] = True
        return handle

    def register_forward_hook(
        self,
        hook: Hook,
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> RemovableHandle:
        """Call ``hook(module, args, output)`` after each `forward`.

        What the hook returns, if not None, takes the output's place. With `with_kwargs` it is
        ``hook(module, args, kwargs, output)``; with `always_call` it also runs, with an output of
        None, when `forward` or another hook raised an error. `prepend` as for
        `register_forward_pre_hook`.
        """
        notes = (self._forward_hooks_with_kwargs, self._forward_hooks_always_called)
        handle = registered(self._forward_hooks, hook, prepend, notes)
        if with_kwargs:
            self._forward_hooks_with_kwargs[handle.id] = True
        if always_call:
            self._forward_hooks_always_called[handle.id] = True
        return handle

    def register_full_backward_pre_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Call ``hook(module, grad_output)`` when the gradients of the outputs are known.

        `grad_output` is a tuple of tensors or None; what the hook returns, if not None, takes its
        place. `prepend` as for `register_forward_pre_hook`.
        """
        return registered(self._backward_pre_hooks, hook, prepend)

    def register_full_backward_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Call ``hook(module, grad_input, grad_output)`` when the gradients of both are known.

        They are tuples of tensors or None; what the hook returns, if not None, takes the place of
        `grad_input`. Inputs and outputs then become views, which cannot be changed in place.
        """
        self._choose_backward_hooks(full=True)
        return registered(self._backward_hooks, hook, prepend)

    def register_backward_hook(self, hook: Hook) -> RemovableHandle:
        """Call ``hook(module, grad_input, grad_output)`` after the last node of the module.

        Deprecated: the gradients are those of that node's inputs, which need not be the module's.
        Use `register_full_backward_hook`.
        """
        self._choose_backward_hooks(full=False)
        return registered(self._backward_hooks, hook)

    def _choose_backward_hooks(self, full: bool) -> None:
        """Note which kind of backward hooks there are.

        Raises:
            RuntimeError: if there have been some of the other kind.
        """
        if self._is_full_backward_hook not in (None, full):
            raise RuntimeError(
                "Cannot use both regular backward hooks and full backward hooks "
                f"{self._where}. Please use only one of them."
            )
        self._is_full_backward_hook = full

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not (
            self._backward_hooks
            or self._backward_pre_hooks
            or self._forward_hooks
            or self._forward_pre_hooks
            or EVERYWHERE
        ):
            return self.forward(*args, **kwargs)
        return HookedCall(self, args, kwargs).run()


class HookedCall:
    """One call of a module that has hooks."""

    def __init__(self, module: Hooked, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.module = module
        self.holders = (*EVERYWHERE, module)
        self.args, self.kwargs = args, kwargs
        self.result: Any = None
        self.called: set[int] = set()

    def run(self) -> Any:
        """Run hooks and `forward`, and return the output."""
        try:
            hooks, last_hooks, pre_hooks = self.backward_hooks()
            self.run_pre_hooks()
            backward = None
            if hooks or pre_hooks:
                backward = BackwardHook(self.module, hooks, pre_hooks)
                self.args = backward.watch_inputs(self.args)
            self.result = self.module.forward(*self.args, **self.kwargs)
            for holder in self.holders:
                for number, hook in list(holder._forward_hooks.items()):
                    self.run_hook(holder, number, hook)
            if backward is not None:
                self.result = backward.watch_outputs(checked_output(self.result))
            if last_hooks:
                from minigrad.nn.modules.last_node import watch_last_node  # rare

                watch_last_node(self.module, last_hooks, self.args, self.result)
        except Exception:
            self.run_remaining()
            raise
        return self.result

    def backward_hooks(self) -> tuple[list[Hook], list[Hook], list[Hook]]:
        """Return the backward hooks: full ones, those of the last node, and pre-hooks."""
        full: list[Hook] = []
        last: list[Hook] = []
        before: list[Hook] = []
        for holder in self.holders:
            (full if holder._is_full_backward_hook else last).extend(
                holder._backward_hooks.values()
            )
            before.extend(holder._backward_pre_hooks.values())
        return full, last, before

    def run_pre_hooks(self) -> None:
        """Let the pre-hooks see and replace the arguments."""
        for holder in self.holders:
            for number, hook in list(holder._forward_pre_hooks.items()):
                self.run_pre_hook(hook, number in holder._forward_pre_hooks_with_kwargs)

    def run_pre_hook(self, hook: Hook, with_kwargs: bool) -> None:
        """Let a pre-hook see and replace the arguments."""
        if not with_kwargs:
            replacement = hook(self.module, self.args)
            if replacement is not None:
                single = not isinstance(replacement, tuple)
                self.args = (replacement,) if single else replacement
            return
        replacement = hook(self.module, self.args, self.kwargs)
        if replacement is None:
            return
        if not (isinstance(replacement, tuple) and len(replacement) == 2):
            raise RuntimeError(
                "forward pre-hook must return None or a tuple of (new_args, new_kwargs), but "
                f"got {replacement}."
            )
        self.args, self.kwargs = replacement

    def run_hook(self, holder: Hooked, number: int, hook: Hook) -> None:
        """Let a hook see and replace the output."""
        self.called.add(number)
        with_kwargs = number in holder._forward_hooks_with_kwargs
        keywords = (self.kwargs,) if with_kwargs else ()
        replacement = hook(self.module, self.args, *keywords, self.result)
        if replacement is not None:
            self.result = replacement

    def run_remaining(self) -> None:
        """Run the hooks that want to be called though there was an error; theirs become warnings.

        Raises nothing: the error that there was is to be seen.
        """
        for holder in self.holders:
            everywhere = "" if holder is self.module else "global "
            for number, hook in list(holder._forward_hooks.items()):
                if number in self.called or number not in holder._forward_hooks_always_called:
                    continue
                try:
                    self.run_hook(holder, number, hook)
                except Exception as error:
                    warn(
                        f"{everywhere}module forward hook with ``always_call=True`` raised an "
                        "exception that was silenced as another error was raised in forward: "
                        f"{error}"
                    )


def checked_output(result: Any) -> Any:
    """Return an output, with PyTorch's warning if backward hooks will not see its gradient."""
    if not isinstance(result, (Tensor, tuple)):
        warn(
            "For backward hooks to be called, module output should be a Tensor or a tuple of "
            f"Tensors but received {type(result)}"
        )
    return result
