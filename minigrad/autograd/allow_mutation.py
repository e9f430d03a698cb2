"""Changing tensors in place although the graph has saved them: they are copied just before.

PyTorch has it in the namespace ``torch.autograd.graph``.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary

from minigrad.autograd.saved_tensors_hooks import saved_tensors_hooks
from minigrad.memory import whole
from minigrad.tensor import Tensor
from minigrad.views import before_change

OUTSIDE = (
    "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context"
    "in which the graph was originally recorded."
)


class _Handle:
    """What the graph keeps in place of a saved tensor."""


class _AllowMutationOnSavedContext:
    """The saved tensors of one ``with`` block, as long as the graph holds their handles."""

    __module__ = "torch.autograd.graph"

    def __init__(self) -> None:
        self.original: WeakKeyDictionary[_Handle, Tensor] = WeakKeyDictionary()
        self.cloned: WeakKeyDictionary[_Handle, Tensor] = WeakKeyDictionary()
        # By place in memory and version: what is saved twice has one handle.
        self.tid_to_weakhandle: WeakValueDictionary[Any, _Handle] = WeakValueDictionary()

    def clear(self) -> None:
        """Forget all: the graph cannot be walked any more."""
        for known in (self.original, self.cloned, self.tid_to_weakhandle):
            known.clear()

    def pack(self, tensor: Tensor) -> _Handle:
        """Keep a tensor that the graph saves, and return its handle."""
        place = (tensor.data_ptr(), tensor._geometry(), tensor.dtype, tensor._version)
        handle = self.tid_to_weakhandle.get(place)
        if handle is None:
            handle = self.tid_to_weakhandle[place] = _Handle()
            self.original[handle] = tensor.detach()
        return handle

    def unpack(self, handle: _Handle) -> Tensor:
        """Return the tensor of a handle as it was when it was saved."""
        if handle in self.cloned:
            return self.cloned[handle]
        assert handle in self.original, OUTSIDE
        return self.original[handle]

    def keep_as_it_is(self, changed: Tensor, operation: str, operands: Sequence[Any]) -> None:
        """Copy what was saved of the memory of a tensor that is about to be changed."""
        memory = whole(changed._array)
        for handle, tensor in list(self.original.items()):
            if whole(tensor._array) is memory:
                self.cloned[handle] = tensor.detach().clone()
                del self.original[handle]


contexts: list[_AllowMutationOnSavedContext] = []  # that are entered: at most one


@contextlib.contextmanager
def allow_mutation_on_saved_tensors() -> Iterator[_AllowMutationOnSavedContext]:
    """Allow changing in place what is saved for backward, inside a ``with`` block.

    A saved tensor is copied just before it is changed; the backward pass uses the copy, and has to
    run inside the block too.

    Raises:
        RuntimeError: if such blocks are nested.

    Source: https://docs.pytorch.org/docs/stable/autograd.html#torch.autograd.graph.allow_mutation_on_saved_tensors

    >>> import minigrad as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> with torch.autograd.graph.allow_mutation_on_saved_tensors():
    ...     y = x.clone()
    ...     z = (y * y).sum()
    ...     _ = y.zero_()
    ...     z.backward()
    >>> x.grad
    tensor([2., 2.])
    """
    context = _AllowMutationOnSavedContext()
    with saved_tensors_hooks(context.pack, context.unpack):
        if contexts:
            raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
        contexts.append(context)
        before_change.append(context.keep_as_it_is)
        try:
            yield context
        finally:
            before_change.remove(context.keep_as_it_is)
            contexts.clear()
            context.clear()
