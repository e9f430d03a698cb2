"""Batch normalization."""

from __future__ import annotations

from typing import Any

from minigrad import creation
from minigrad.nn import functional as F
from minigrad.nn import init
from minigrad.nn.modules.module import Module
from minigrad.nn.parameter import Parameter
from minigrad.tensor import Tensor


class _BatchNorm(Module):
    """What batch normalizations have in common, of inputs of whatever dimensions."""

    _version = 2

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        options = {"device": device, "dtype": dtype}
        for name, wanted in (("weight", affine), ("bias", affine and bias)):
            param = Parameter(creation.empty(num_features, **options)) if wanted else None
            self.register_parameter(name, param)
        for name, make in (("running_mean", creation.zeros), ("running_var", creation.ones)):
            buffer = make(num_features, **options) if track_running_stats else None
            self.register_buffer(name, buffer)
        seen = creation.tensor(0) if track_running_stats else None
        self.register_buffer("num_batches_tracked", seen)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Forget what was seen of the batches so far."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Make the weight ones and the bias zeros, and forget what was seen."""
        self.reset_running_stats()
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: dict[str, Any], *problems: Any
    ) -> None:
        key = prefix + "num_batches_tracked"
        first = (local_metadata.get("version") or 1) < 2  # which did not count batches
        if first and self.num_batches_tracked is not None and key not in state_dict:
            state_dict[key] = self.num_batches_tracked
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *problems)

    def _check_input_dim(self, input: Tensor) -> None:
        raise NotImplementedError

    def forward(self, input: Tensor) -> Any:
        self._check_input_dim(input)
        momentum = self.momentum or 0.0
        updates = self.training and self.track_running_stats
        if updates and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:
                momentum = 1.0 / float(self.num_batches_tracked)
        # Buffers that are there are looked at, if not tracked, without being changed.
        follows = updates or not self.training
        return F.batch_norm(
            input,
            self.running_mean if follows else None,
            self.running_var if follows else None,
            self.weight,
            self.bias,
            self.training or (self.running_mean is None and self.running_var is None),
            momentum,
            self.eps,
        )

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class BatchNorm1d(_BatchNorm):
    """Takes from each channel its mean, divides it by its deviation, then scales and shifts it.

    In training these are the batch's; otherwise, those that it remembers of the batches so far.

    Args:
        num_features: the number of channels.
        eps: added to the variance, lest it be 0.
        momentum: how much of each batch's statistics is remembered; None for the mean of all.
        affine, bias: whether it scales and shifts, by parameters, or only scales.
        track_running_stats: whether it remembers.
        device, dtype: of parameters and buffers.

    Source: https://arxiv.org/abs/1502.03167

    >>> import minigrad as torch
    >>> torch.nn.BatchNorm1d(1, affine=False)(torch.tensor([[1.0], [3.0]]))
    tensor([[-1.0000],
            [ 1.0000]])
    """

    def _check_input_dim(self, input: Tensor) -> None:
        if input.dim() not in (2, 3):
            raise ValueError(f"expected 2D or 3D input (got {input.dim()}D input)")
