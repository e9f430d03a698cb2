"""Copies of tensors, by `copy.deepcopy` and by pickle: they keep all that the user gave them."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from minigrad.autograd.bridge import tensors
from minigrad.autograd.grad_mode import new_counter
from minigrad.autograd.node import Array
from minigrad.memory import Geometry, geometry, whole
from minigrad.outside import warn

# What tensors have without a default.
OWN = ("_value", "_counter")
DEEP_COPY_OF_SUBCLASS = (
    "The default implementation of __deepcopy__() for non-wrapper subclasses only works for "
    "subclass types that implement new_empty() and for which that function returns another "
    "instance of the same subclass. You should either properly implement new_empty() for your "
    "subclass or override __deepcopy__() if it is intended behavior for new_empty() to return an "
    "instance of a different type."
)


def deep_copied(tensor: Any, memo: dict[int, Any]) -> Any:
    """Return a copy of a leaf with its flags, its gradient and the user's attributes.

    Raises:
        RuntimeError: if the tensor is no leaf.
    """
    if not tensor.is_leaf:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy "
            "protocol at the moment.  If you were attempting to deepcopy a module, this may be "
            "because of a torch.nn.utils.weight_norm usage, see "
            "https://github.com/pytorch/pytorch/pull/103001"
        )
    if type(tensor.new_empty([])) is not type(tensor):
        raise RuntimeError(DEEP_COPY_OF_SUBCLASS)
    copied: Any = object.__new__(type(tensor))
    memo[id(tensor)] = copied
    memory = copy.deepcopy(whole(tensor._array), memo)
    copied._value = part(memory, tensor._array.dtype, geometry(tensor._array))
    copied._counter = new_counter(1)  # PyTorch has written the elements into an empty tensor
    copied._require_grad(tensor.requires_grad)
    copied._grad = copy.deepcopy(tensor._grad, memo)
    vars(copied).update(copy.deepcopy(own_attributes(tensor), memo))
    return copied


def reduced(tensor: Any, rebuild: Any, plain: type) -> tuple[Any, ...]:
    """Return what pickle keeps of a tensor, for `rebuild` to be called with."""
    warn_if_has_hooks(tensor)
    array = tensor._array
    memory = whole(array).ravel("K")  # in its own order, which pickle would change
    given: tuple[Any, ...] = (memory, array.dtype, geometry(array), tensor.requires_grad)
    if plain is not type(tensor):
        given = (*given, type(tensor))
    kind: Any = type(tensor)
    as_usual = kind.__getstate__ == object.__getstate__
    state = own_attributes(tensor) if as_usual else tensor.__getstate__()
    return rebuild, given, state or None


def warn_if_has_hooks(tensor: Any) -> None:
    """Warn of the hooks of a tensor that is saved: they are not."""
    for hook in (tensor._hooks or {}).values():
        if not hasattr(hook, "__torch_unserializable__"):
            warn(
                f"backward hook {hook!r} on tensor will not be serialized.  If this is expected, "
                "you can decorate the function with @torch.utils.hooks.unserializable_hook to "
                "suppress this warning"
            )


def own_attributes(tensor: Any) -> dict[str, Any]:
    """Return the attributes that the user gave a tensor: the others have defaults in Tensor."""
    return {
        name: value
        for name, value in vars(tensor).items()
        if name not in OWN and not hasattr(tensors.type, name)
    }


def part(memory: Array, dtype: np.dtype[Any], place: Geometry) -> Array:
    """Return an array that shows a part of a memory, as `geometry` describes it."""
    shape, strides, offset = place
    steps = [step * dtype.itemsize for step in strides]
    return np.ndarray(shape, dtype, memory.ravel("K"), offset * dtype.itemsize, steps)
