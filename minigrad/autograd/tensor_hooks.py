"""The hooks of a tensor: how they are registered, and where a walk finds them.

A computed tensor's hooks belong to the node that computed it; a leaf keeps its own, and each of its
AccumulateGrad nodes takes them over.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from typing import Any

from minigrad.autograd.grad_mode import state
from minigrad.autograd.hooks import Hook, HookDict, RemovableHandle, register
from minigrad.autograd.node import leaf_edge
from minigrad.c_code import ReadOnly
from minigrad.views import View

NO_GRADIENT = "cannot register a hook on a tensor that doesn't require gradient"


class TensorHooks(View):
    """What Tensor knows of hooks."""

    _grad: Any
    _accumulator: weakref.ref[Any] | None = None
    _hooks: HookDict | None = None
    _post_accumulate_hooks: HookDict | None = None
    _retains_grad = False  # whether it was ever asked for

    def register_hook(self, hook: Hook) -> RemovableHandle:
        """Call ``hook(gradient)`` whenever the gradient of this tensor has been computed.

        What the hook returns, if not None, takes the gradient's place: a Tensor of the same shape
        and dtype.

        Raises:
            RuntimeError: if the tensor does not require grad.

        Source: https://docs.pytorch.org/docs/stable/generated/torch.Tensor.register_hook.html

        >>> import minigrad as torch
        >>> x = torch.ones(2, requires_grad=True)
        >>> handle = x.register_hook(lambda gradient: gradient * 10)
        >>> x.sum().backward()
        >>> x.grad
        tensor([10., 10.])
        """
        if not self._requires_grad:
            raise RuntimeError(NO_GRADIENT)
        if self._hooks is None:
            edge = self._find_edge()
            self._backward_hooks = OrderedDict()
            if edge is not None:
                node, number, *_ = edge
                node.ensure_hooks().tensor.append((number, self._hooks))
        return register(self._hooks, hook)  # type: ignore[arg-type]

    def register_post_accumulate_grad_hook(self, hook: Hook) -> RemovableHandle:
        """Call ``hook(tensor)`` whenever a backward pass has added to the `.grad` of this leaf.

        Raises:
            RuntimeError: if the tensor does not require grad or is not a leaf; while walking
                backward, if a hook returns anything but None.

        Source: https://docs.pytorch.org/docs/stable/generated/torch.Tensor.register_post_accumulate_grad_hook.html

        >>> import minigrad as torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> handle = x.register_post_accumulate_grad_hook(lambda leaf: print(leaf.grad))
        >>> (x * x).sum().backward()
        tensor([2., 4.])
        """
        if not self._requires_grad:
            raise RuntimeError(NO_GRADIENT)
        if self._find_edge() is not None:
            raise RuntimeError(
                "post accumulate grad hooks cannot be registered on non-leaf tensors"
            )
        if self._post_accumulate_hooks is None:
            self._post_accumulate_grad_hooks = OrderedDict()
        return register(self._post_accumulate_hooks, hook)  # type: ignore[arg-type]

    @property
    def _backward_hooks(self) -> HookDict | None:
        return self._hooks

    @_backward_hooks.setter
    def _backward_hooks(self, hooks: HookDict | None) -> None:
        self._hooks = hooks
        self._tell_accumulator()

    @_backward_hooks.deleter
    def _backward_hooks(self) -> None:
        raise RuntimeError("Deletion of _backwards_hooks not allowed!")

    @property
    def _post_accumulate_grad_hooks(self) -> HookDict | None:
        return self._post_accumulate_hooks

    @_post_accumulate_grad_hooks.setter
    def _post_accumulate_grad_hooks(self, hooks: HookDict | None) -> None:
        self._post_accumulate_hooks = hooks
        self._tell_accumulator()

    @_post_accumulate_grad_hooks.deleter
    def _post_accumulate_grad_hooks(self) -> None:
        raise RuntimeError("Deletion of _post_accumulate_grad_hooks not allowed!")

    def _tell_accumulator(self) -> None:
        """Let the AccumulateGrad of a leaf, if a graph holds one, know of new hooks."""
        self._hooked = True
        if self._edge is None:
            leaf_edge(self)[0].find_hooks()

    def _warn_accumulator(self) -> None:
        """Let the AccumulateGrad that a graph holds look at this leaf again: it is changing."""
        node = None if self._accumulator is None else self._accumulator()
        if node is not None:
            node.ensure_hooks()

    @ReadOnly
    def retains_grad(self) -> bool:
        """Whether `retain_grad` was asked of this non-leaf tensor."""
        return self._retains_grad

    def retain_grad(self) -> None:
        """Keep the gradient of this non-leaf tensor in `.grad` as if it were a leaf.

        Raises:
            RuntimeError: if it does not require grad, or in the function of a transform.

        >>> import minigrad as torch
        >>> x = torch.ones(2, requires_grad=True)
        >>> y = x * 3
        >>> y.retain_grad()
        >>> (y * y).sum().backward()
        >>> y.grad
        tensor([6., 6.])
        """
        if not self._requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        state.refuse_in_transforms("retain_grad")
        edge = None if self._edge is None else self._find_edge()
        if edge is None or self._retains_grad:
            return
        self._retains_grad = True
        node, number, *_ = edge
        reference = weakref.ref(self)

        def retain(gradient: Any) -> None:
            tensor = reference()
            if tensor is not None:
                before = tensor._grad
                tensor._grad = gradient.clone() if before is None else before + gradient

        node.ensure_hooks().retained[number] = retain
