"""All parameters as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from minigrad.functions import cat
from minigrad.tensor import Tensor
from minigrad.typename import typename


def parameters_to_vector(parameters: Iterable[Tensor]) -> Any:
    """Return the elements of all parameters as one vector; gradients pass through it.

    >>> import minigrad as torch
    >>> torch.nn.utils.parameters_to_vector([torch.ones(2), torch.zeros(1, 1)])
    tensor([1., 1., 0.])
    """
    return cat([param.view(-1) for param in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Let parameters share the memory of a vector, each a part of it in its own shape.

    Raises:
        TypeError: if `vec` is no tensor.
        RuntimeError: if the vector is too short.
    """
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {typename(vec)}")
    start = 0
    for param in parameters:
        end = start + param.numel()
        param.data = vec[start:end].view_as(param).data
        start = end
