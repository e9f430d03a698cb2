"""torch.autograd.Variable: what tensors with gradients were called before PyTorch 0.4."""

from abc import ABC
from typing import Any

from minigrad.tensor import Tensor


class Variable(ABC):  # noqa: B024  (an ABC makes isinstance(tensor, Variable) true)
    """``Variable(tensor)`` is a new leaf with the memory of a tensor; every tensor is a Variable.

    Today's name for it is ``tensor.detach().requires_grad_()``.

    >>> import minigrad as torch
    >>> torch.autograd.Variable(torch.ones(2), requires_grad=True)
    tensor([1., 1.], requires_grad=True)
    """

    def __new__(cls, data: Any, requires_grad: bool = False) -> Any:
        if not isinstance(data, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        return data.detach().requires_grad_(requires_grad)


Variable.register(Tensor)
