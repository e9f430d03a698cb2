"""Layers that multiply by a matrix, and the one that does nothing."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from minigrad import creation
from minigrad.nn import functional as F
from minigrad.nn import init
from minigrad.nn.modules.module import Module
from minigrad.nn.parameter import Parameter
from minigrad.tensor import Tensor


class Identity(Module):
    """Returns what it is given; arguments of its construction are ignored."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Any) -> Any:
        return input


class Linear(Module):
    """Computes ``input @ weight.T + bias``, for input of shape (..., in_features).

    Args:
        in_features, out_features: the sizes of the last dimension of input and output.
        bias: whether there is one.
        device, dtype: of the parameters.

    Attributes:
        weight: (out_features, in_features), drawn uniformly from ±1/sqrt(in_features).
        bias: (out_features), drawn likewise; or None.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.Linear.html

    >>> import minigrad as torch
    >>> torch.nn.Linear(2, 3)(torch.ones(4, 2)).shape
    torch.Size([4, 3])
    """

    __constants__: ClassVar[list[str]] = ["in_features", "out_features"]

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        empty = creation.empty((out_features, in_features), device=device, dtype=dtype)
        self.weight = Parameter(empty)
        if bias:
            self.bias = Parameter(creation.empty(out_features, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weight and bias anew."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            bound = 1 / math.sqrt(fan_in) if fan_in > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Any:
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )


class Bilinear(Module):
    """Computes ``input1 @ weight[o] @ input2`` for each output, plus a bias.

    Args:
        in1_features, in2_features, out_features: the sizes of the last dimensions.
        bias: whether there is one.
        device, dtype: of the parameters.

    Raises:
        ValueError: if `in1_features` is not positive.
    """

    __constants__: ClassVar[list[str]] = ["in1_features", "in2_features", "out_features"]

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        shape = out_features, in1_features, in2_features
        self.weight = Parameter(creation.empty(shape, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(creation.empty(out_features, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weight and bias anew, uniformly from ±1/sqrt(in1_features)."""
        if self.in1_features <= 0:
            raise ValueError(
                f"in1_features must be > 0, but got (in1_features={self.in1_features})"
            )
        bound = 1 / math.sqrt(self.weight.size(1))
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1: Tensor, input2: Tensor) -> Any:
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, "
            f"out_features={self.out_features}, bias={self.bias is not None}"
        )
