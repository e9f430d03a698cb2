"""Hooks on saved tensors: how users pack what the graph saves, and unpack it again.

PyTorch has them in the namespace ``torch.autograd.graph``.
Source: https://docs.pytorch.org/tutorials/intermediate/autograd_saved_tensors_hooks_tutorial.html
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from minigrad.autograd.grad_mode import state
from minigrad.autograd.node import Node
from minigrad.autograd.saved import (
    DETACHED,
    FREED,
    Freed,
    Hook,
    Packed,
    PackedIndices,
    SavingNode,
    observers,
)
from minigrad.c_code import ReadOnly

Pair: TypeAlias = tuple[Hook, Callable[[Any], Any]]

INCOMPATIBLE = (
    "{}(): incompatible function arguments. The following argument types are supported:\n"
    "    1. ({}arg0: collections.abc.Callable, arg1: collections.abc.Callable) -> None\n\n"
    "Invoked with: {}"
)
NO_MESSAGE = (
    "_saved_tensors_hooks_disable(): incompatible function arguments. The following argument types "
    "are supported:\n    1. (error_message: str, fail_if_non_empty: bool = True) -> None\n\n"
    "Invoked with: {!r}"
)
REGISTERED_TOO_LATE = (
    "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values "
    "of the graph are freed when you call .backward() or autograd.grad(). Specify "
    "retain_graph=True if you need to backward through the graph a second time or if you need to "
    "access saved variables after calling backward."
)


class saved_tensors_hooks:
    """Pack what is saved for the backward pass inside a ``with`` block, and unpack it later.

    ``pack_hook(tensor)`` may return anything; from that ``unpack_hook`` makes a tensor of the same
    content when the backward pass, or whoever reads ``_saved_...``, needs it. Of nested blocks the
    innermost counts. Packed tensors are not checked for changes in place.

    Raises:
        TypeError: if a hook cannot be called, or what is unpacked is no tensor.
        RuntimeError: if `pack_hook` changes the tensor in place.

    Source: https://docs.pytorch.org/docs/stable/autograd.html#torch.autograd.graph.saved_tensors_hooks

    >>> import minigrad as torch
    >>> x = torch.tensor([2.0, 3.0], requires_grad=True)
    >>> def pack(tensor):
    ...     return tensor.tolist()
    >>> with torch.autograd.graph.saved_tensors_hooks(pack, torch.tensor):
    ...     y = x * x
    >>> y.sum().backward()
    >>> x.grad
    tensor([4., 6.])
    """

    __module__ = "torch.autograd.graph"

    def __init__(self, pack_hook: Hook, unpack_hook: Callable[[Any], Any]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        push(self.pack_hook, self.unpack_hook)

    def __exit__(self, *exception: object) -> None:
        pop()


def push(pack_hook: Hook, unpack_hook: Callable[[Any], Any], /) -> None:
    """Pack what this thread saves from now on with these hooks.

    Raises:
        TypeError, RuntimeError: as `saved_tensors_hooks`.
    """
    if state.no_saved_tensors_hooks is not None:
        raise RuntimeError(state.no_saved_tensors_hooks)
    check_callable("_push_saved_tensors_default_hooks", "", pack_hook, unpack_hook)
    state.saved_tensors_hooks = (*state.saved_tensors_hooks, (pack_hook, unpack_hook))
    observers.append(pack_saved)


def pop() -> None:
    """Take this thread's innermost hooks away."""
    if not state.saved_tensors_hooks:
        raise RuntimeError("There are no hooks on saved tensors to be taken away.")
    state.saved_tensors_hooks = state.saved_tensors_hooks[:-1]
    if pack_saved in observers:  # else a hook left the block already
        observers.remove(pack_saved)


class save_on_cpu(saved_tensors_hooks):
    """Keep saved tensors in the memory of the CPU, where they are anyway."""

    __module__ = "torch.autograd.graph"

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(lambda tensor: tensor.detach(), lambda tensor: tensor)


@contextlib.contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """Refuse hooks on saved tensors, with this message, inside a ``with`` block.

    Raises:
        TypeError: if the message is no string.
        RuntimeError: if there are some already.
    """
    before = state.no_saved_tensors_hooks
    disable(error_message)
    try:
        yield
    finally:
        state.no_saved_tensors_hooks = before


def disable(error_message: str, fail_if_non_empty: bool = True) -> None:
    """Refuse hooks on saved tensors from now on.

    Raises:
        TypeError, RuntimeError: as `disable_saved_tensors_hooks`.
    """
    if not isinstance(error_message, str):
        raise TypeError(NO_MESSAGE.format(error_message))
    if state.saved_tensors_hooks and fail_if_non_empty:
        raise RuntimeError(error_message)
    state.no_saved_tensors_hooks = error_message


def pack_saved(node: Node, result: Any = None) -> None:
    """Pack what a node has saved with this thread's innermost hooks.

    They get outputs themselves, which are in `result`; without it outputs wait.
    """
    if not state.saved_tensors_hooks or not isinstance(node, SavingNode):
        return
    outputs = result if isinstance(result, tuple) else (result,)
    for position, value in enumerate(node.values[: len(node.versions)]):
        if value is None or type(value) is Packed:
            continue
        number = node.output_saved(position)
        if value._number is None and (result is not None or number is None):
            tensor = node.saved(position) if number is None else outputs[number]
            node.pack(position, tensor, *state.saved_tensors_hooks[-1])
    indices = node.indices()
    if indices is not None:
        indices.tensors = [
            Packed(one, None, *state.saved_tensors_hooks[-1])
            if one is not None and type(one) is not Packed
            else one
            for one in indices.tensors
        ]


def unpacked(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
    """Call a function, and leave it to the caller to pack what its node has saved."""
    hooks, state.saved_tensors_hooks = state.saved_tensors_hooks, ()
    try:
        return function(*arguments, **keywords)
    finally:
        state.saved_tensors_hooks = hooks


class SavedTensor:
    """A tensor that a node has saved, as ``_raw_saved_...`` shows it: to register hooks on it."""

    __module__ = "torch._C._autograd"

    _node: SavingNode
    _position: int | None
    _number: int | None  # which of several indices

    def __init__(self) -> None:
        raise RuntimeError("Trying to create a SavedTensor object from Python is forbidden.")

    @classmethod
    def of(cls, node: SavingNode, position: int | None, number: int | None = None) -> SavedTensor:
        """Return that of a node by its position among the saved values; None if not saved."""
        handle = object.__new__(cls)
        handle._node, handle._position, handle._number = node, position, number
        return handle

    def _kept(self) -> Any:
        """Return what the node keeps; None for nothing."""
        values, position = self._node.values, self._position
        kept = None if position is None or values is None else values[position]
        return kept.tensors[self._number or 0] if isinstance(kept, PackedIndices) else kept

    @ReadOnly
    def data(self) -> Any:
        """What the node keeps: the tensor, or what it was packed as; None once it is freed."""
        kept = self._kept()
        if isinstance(kept, Packed):
            return kept.packed
        if kept is None or isinstance(kept, Freed):
            return None
        return kept.detach() if self._is_output() else kept

    def _is_output(self) -> bool:
        return self._position is not None and self._node.output_saved(self._position) is not None

    @ReadOnly
    def unpack_hook(self) -> Any:
        """The hook that gives the tensor back; None where it was not packed."""
        kept = self._kept()
        return kept.unpack_hook if isinstance(kept, Packed) else None

    def unpack(self) -> Any:
        """Return the tensor, as ``_saved_...`` shows it; None if nothing was saved.

        Raises:
            RuntimeError: if it was freed, or changed in place since, or is an output of the node.
        """
        kept, position = self._kept(), self._position
        if self._node.values is None:
            raise RuntimeError(FREED)
        if self._is_output() and not isinstance(kept, Freed):
            raise RuntimeError(DETACHED)  # PyTorch knows only the tensor here, not its node.
        if self._number is not None:
            return kept.unpack() if isinstance(kept, Packed) else kept
        return None if kept is None or position is None else self._node.saved(position)

    def register_hooks(self, *hooks: Any) -> None:
        """Pack the tensor with ``pack_hook``, and unpack it with ``unpack_hook`` when it is needed.

        Raises:
            TypeError: if these are not two hooks.
            RuntimeError: if nothing was saved, or it was freed, or it has hooks already.
        """
        check_callable("register_hooks", "self: torch._C._autograd.SavedTensor, ", *hooks, of=self)
        kept, position = self._kept(), self._position
        if self._node.values is None or isinstance(kept, Freed):
            raise RuntimeError(REGISTERED_TOO_LATE)
        if kept is None or position is None:
            raise RuntimeError(
                "Calling register_hooks on a saved tensor with value None is forbidden"
            )
        if isinstance(kept, Packed):
            raise RuntimeError(
                "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: "
                "only one pair of hooks is allowed at a time."
            )
        if self._number is not None:
            self._node.values[position].tensors[self._number] = Packed(kept, None, *hooks)
        else:
            self._node.pack(position, kept.detach(), *hooks)


def check_callable(function: str, first: str, *hooks: Any, of: SavedTensor | None = None) -> None:
    """Refuse anything but two hooks, with PyTorch's text."""
    if len(hooks) != 2 or not all(map(callable, hooks)):
        given = hooks if of is None else (of, *hooks)
        raise TypeError(INCOMPATIBLE.format(function, first, ", ".join(map(repr, given))))
