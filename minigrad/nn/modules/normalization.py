"""Layer normalization."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minigrad import creation
from minigrad.nn import functional as F
from minigrad.nn import init
from minigrad.nn.modules.module import Module
from minigrad.nn.parameter import Parameter
from minigrad.tensor import Tensor


class LayerNorm(Module):
    """Takes from each sample its mean, divides it by its deviation, then scales and shifts it.

    Args:
        normalized_shape: the last dimensions, which are a sample, or the length of the last.
        eps: added to the variance, lest it be 0.
        elementwise_affine: whether it scales and shifts, by parameters of that shape.
        bias: whether it shifts.
        device, dtype: of the parameters.

    Source: https://arxiv.org/abs/1607.06450
    """

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if isinstance(normalized_shape, int):
            normalized_shape = (normalized_shape,)
        self.normalized_shape = tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        for name, wanted in (("weight", True), ("bias", bias)):
            param = None
            if elementwise_affine and wanted:
                empty = creation.empty(self.normalized_shape, device=device, dtype=dtype)
                param = Parameter(empty)
            self.register_parameter(name, param)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Make the weight ones and the bias zeros."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, input: Tensor) -> Any:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, "
            f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        )
