"""Layer normalization, and that by the root of the mean square."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minigrad import creation
from minigrad.nn import functional as F
from minigrad.nn import init
from minigrad.nn.modules.module import Module
from minigrad.nn.parameter import Parameter
from minigrad.tensor import Tensor


def sample_shape(given: int | Sequence[int]) -> tuple[int, ...]:
    """Return the last dimensions, which are a sample; of one alone its length may be given."""
    return (given,) if isinstance(given, int) else tuple(given)


def register(module: Any, name: str, wanted: bool, options: dict[str, Any]) -> None:
    """Give a module a parameter of its samples' shape, not filled yet, or None."""
    empty = creation.empty(module.normalized_shape, **options) if wanted else None
    module.register_parameter(name, None if empty is None else Parameter(empty))


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
        self.normalized_shape = sample_shape(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        options = {"device": device, "dtype": dtype}
        register(self, "weight", elementwise_affine, options)
        register(self, "bias", elementwise_affine and bias, options)
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


class RMSNorm(Module):
    """Divides each sample by the root of the mean of its squares, then scales it.

    Args:
        normalized_shape: the last dimensions, which are a sample, or the length of the last.
        eps: added to the mean, lest it be 0; the smallest step from 1 of the dtype if None.
        elementwise_affine: whether it scales, by a parameter of that shape.
        device, dtype: of the parameter.

    Source: https://arxiv.org/abs/1910.07467
    """

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.normalized_shape = sample_shape(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        options = {"device": device, "dtype": dtype}
        register(self, "weight", elementwise_affine, options)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Make the weight ones."""
        if self.weight is not None:
            init.ones_(self.weight)

    def forward(self, input: Tensor) -> Any:
        return F.rms_norm(input, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
        )


class GroupNorm(Module):
    """Takes from each group of channels its mean, divides it by its deviation, scales and shifts.

    Args:
        num_groups: the number of groups, of as many channels each.
        num_channels: the number of channels.
        eps: added to the variance, lest it be 0.
        affine, bias: whether it scales and shifts, by parameters, or only scales.
        device, dtype: of the parameters.

    Raises:
        ValueError: if the groups cannot be of as many channels.

    Source: https://arxiv.org/abs/1803.08494

    >>> import minigrad as torch
    >>> torch.nn.GroupNorm(1, 2, affine=False)(torch.tensor([[1.0, 3.0]]))
    tensor([[-1.0000,  1.0000]])
    """

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        if num_channels % num_groups != 0:
            raise ValueError(
                f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})"
            )
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        for name, wanted in (("weight", affine), ("bias", affine and bias)):
            param = creation.empty(num_channels, device=device, dtype=dtype) if wanted else None
            self.register_parameter(name, None if param is None else Parameter(param))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Make the weight ones and the bias zeros."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, input: Tensor) -> Any:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
            f"bias={self.bias is not None}"
        )
