"""Layers: modules with parameters, and those that only training or shapes concern."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Self

from minigrad.creation import empty, ones, tensor, zeros
from minigrad.nn import functional as F
from minigrad.nn import init
from minigrad.nn.modules import Module
from minigrad.nn.parameters import Parameter
from minigrad.tensor import Tensor

__all__ = ["BatchNorm1d", "Dropout", "Embedding", "Flatten", "Identity", "LayerNorm", "Linear"]


class Linear(Module):
    """``input @ weight.T + bias``: inputs (..., in_features), outputs (..., out_features).

    `weight` and `bias` start with uniform random numbers between ``-1/sqrt(in_features)`` and
    ``1/sqrt(in_features)``.

    >>> import minigrad as torch
    >>> torch.nn.Linear(3, 2)(torch.ones(4, 3)).shape
    torch.Size([4, 2])
    """

    bias: Parameter | None

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        options = {"device": device, "dtype": dtype}
        self.weight = Parameter(empty(out_features, in_features, **options))
        self.register_parameter("bias", Parameter(empty(out_features, **options)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new random numbers."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Any:
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )


class Embedding(Module):
    """A table of vectors, looked up by their numbers: inputs of any shape, outputs (..., dim).

    The rows start with normal random numbers; the row `padding_idx` is zero and stays so.
    """

    def __init__(
        self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None
    ) -> None:
        super().__init__()
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise AssertionError("Padding_idx must be within num_embeddings")
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.padding_idx = None if padding_idx is None else padding_idx % num_embeddings
        self.weight = Parameter(init.normal_(empty(num_embeddings, embedding_dim)))
        if self.padding_idx is not None:
            self.weight._array[self.padding_idx] = 0

    @classmethod
    def from_pretrained(
        cls, embeddings: Tensor, freeze: bool = True, padding_idx: int | None = None
    ) -> Self:
        """An embedding with these rows, which are not trained unless `freeze` is False."""
        embedding = cls(*embeddings.shape, padding_idx=padding_idx)
        embedding.weight = Parameter(embeddings, requires_grad=not freeze)
        return embedding

    def forward(self, input: Tensor) -> Any:
        return F.embedding(input, self.weight, self.padding_idx)

    def extra_repr(self) -> str:
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"


class BatchNorm1d(Module):
    """Standardizes each feature: inputs (batch, features) or (batch, features, length).

    In training by mean and variance of the batch, which the running ones follow, in evaluation by
    the running ones. Then `weight` and `bias` scale and shift, if `affine`.
    https://arxiv.org/abs/1502.03167
    """

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
    ) -> None:
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        self.register_parameter("weight", Parameter(ones(num_features)) if affine else None)
        self.register_parameter("bias", Parameter(zeros(num_features)) if affine else None)
        track = track_running_stats
        self.register_buffer("running_mean", zeros(num_features) if track else None)
        self.register_buffer("running_var", ones(num_features) if track else None)
        self.register_buffer("num_batches_tracked", tensor(0) if track else None)

    def forward(self, input: Tensor) -> Any:
        if input.ndim not in (2, 3):
            raise ValueError(f"expected 2D or 3D input (got {input.ndim}D input)")
        momentum, batches = self.momentum, self.num_batches_tracked
        if self.training and batches is not None:
            batches.add_(1)
            if momentum is None:  # the average over all batches
                momentum = 1 / float(batches)
        training = self.training or self.running_mean is None
        statistics = (self.running_mean, self.running_var, self.weight, self.bias)
        return F.batch_norm(input, *statistics, training, momentum or 0.0, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class LayerNorm(Module):
    """Standardizes each sample over its last dimensions, which are `normalized_shape`.

    Then `weight` and `bias` scale and shift, if `elementwise_affine`.
    https://arxiv.org/abs/1607.06450
    """

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
    ) -> None:
        super().__init__()
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else normalized_shape
        self.normalized_shape = tuple(shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        self.register_parameter("weight", Parameter(ones(shape)) if elementwise_affine else None)
        shift = bias and elementwise_affine
        self.register_parameter("bias", Parameter(zeros(shape)) if shift else None)

    def forward(self, input: Tensor) -> Any:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, "
            f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        )


class Dropout(Module):
    """In training, sets elements to zero with probability `p`, and divides the others by 1-p."""

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        F.check_probability(p)
        self.p, self.inplace = p, inplace

    def forward(self, input: Tensor) -> Any:
        return F.dropout(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Flatten(Module):
    """Joins the dimensions from `start_dim` to `end_dim`: by default all but the batch."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Any) -> Any:
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Identity(Module):
    """Returns its input. Takes any arguments, so that it can stand in for any layer."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Any) -> Any:
        return input
