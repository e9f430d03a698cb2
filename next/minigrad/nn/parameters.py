"""Parameter: the tensor that modules train."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.printing import tensor_text
from minigrad.tensor import Tensor, from_array, new


class Parameter(Tensor):
    """A leaf that a `Module` adds to its parameters when it is assigned to an attribute.

    It shares the memory of `data`. Raises RuntimeError if it should require grad and isn't of a
    floating point dtype.
    https://docs.pytorch.org/docs/stable/generated/torch.nn.parameter.Parameter.html

    >>> import minigrad as torch
    >>> torch.nn.Parameter(torch.ones(2))
    Parameter containing:
    tensor([1., 1.], requires_grad=True)
    """

    __module__ = "torch.nn.parameter"  # as PyTorch prints the class

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Any:
        source = from_array(np.empty(0, np.float32)) if data is None else data.detach()
        parameter = new(cls)
        parameter._array = source._array
        parameter._version_counter = source._version_counter
        parameter.requires_grad = requires_grad
        return parameter

    def __repr__(self) -> str:
        return "Parameter containing:\n" + tensor_text(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """A copy without the gradient, as in PyTorch."""
        if id(self) not in memo:
            memo[id(self)] = type(self)(from_array(self._array.copy()), self.requires_grad)
        return memo[id(self)]

    def __reduce_ex__(self, protocol: Any) -> Any:
        return rebuild_parameter, (self._array, self.requires_grad)


def rebuild_parameter(array: Any, requires_grad: bool) -> Any:
    """The parameter that was pickled."""
    return Parameter(from_array(array), requires_grad)
