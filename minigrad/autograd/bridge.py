"""What the engine needs of Tensor, handed to it by the modules above."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


class TensorBridge:
    """The class Tensor, and what the engine does with tensors."""

    type: Any
    # Makes a tensor of an array.
    wrap: Callable[[Any], Any]
    # Sums a gradient, array or Tensor, down to a shape and casts it to a dtype.
    fit: Callable[[Any, tuple[int, ...], np.dtype[Any]], Any]
    # Joins Tensors along a new first dimension, and records it.
    stack: Callable[[Sequence[Any]], Any]
    # Tells whether types of arguments answer a call, and returns what they do.
    foreign: Callable[..., bool]
    answer: Callable[[Callable[..., Any], tuple[Any, ...]], Any]


tensors = TensorBridge()


class Exchange:
    """Makes arrays of gradients that the user's code gives, and Tensors of those that it gets.

    What it gave is what it gets again, if nothing has become of it.
    """

    def __init__(self) -> None:
        # By the id of the array: the Tensor, kept only if it requires grad though nothing is
        # recorded.
        self.given: dict[int, tuple[weakref.ref[Any], Any]] = {}

    def array_of(self, gradient: Any) -> Any:
        """Return the array of a Tensor; what is none as it is."""
        if not isinstance(gradient, tensors.type):
            return gradient
        kept = gradient if gradient._requires_grad else None
        self.given[id(gradient._value)] = weakref.ref(gradient), kept
        return gradient._value

    def tensor_of(self, array: Any) -> Any:
        """Return the Tensor of an array; None if that is None."""
        if array is None:
            return None
        if id(array) in self.given:
            tensor = self.given[id(array)][0]()
            if tensor is not None and tensor._value is array:
                return tensor
        return tensors.wrap(array)
