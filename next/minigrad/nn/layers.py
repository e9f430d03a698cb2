"""Layers with parameters or a mode, and the operations that only they use."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minigrad.creation import empty, ones, tensor, zeros
from minigrad.dtypes import TITLES
from minigrad.graph import Array
from minigrad.nn import functional as F
from minigrad.nn import init
from minigrad.nn.modules import Module, Parameter
from minigrad.op import op
from minigrad.ops.indexing import add_at, zeros_for
from minigrad.ops.shapes import transpose
from minigrad.tensor import Tensor

__all__ = ["BatchNorm1d", "Dropout", "Embedding", "Flatten", "Identity", "Linear"]


class Linear(Module):
    """``input @ weight.T + bias``: inputs (..., in_features), outputs (..., out_features).

    `weight` and `bias` start with uniform random numbers between ``-1/sqrt(in_features)`` and
    ``1/sqrt(in_features)``. The options are `dtype` and `device`.

    >>> import minigrad as torch
    >>> torch.nn.Linear(3, 2)(torch.ones(4, 3)).shape
    torch.Size([4, 2])
    """

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, **options: Any
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(empty(out_features, in_features, **options))
        self.register_parameter("bias", Parameter(empty(out_features, **options)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new random numbers."""
        if self.in_features:
            init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Any:
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        features = f"in_features={self.in_features}, out_features={self.out_features}"
        return f"{features}, bias={self.bias is not None}"


@op(
    "embedding",
    "EmbeddingBackward0",
    variants="",
    weight=lambda grad, weight_shape, indices, padding_idx: add_at(
        zeros_for(grad, weight_shape), (indices,), grad * (indices != padding_idx)[..., None]
    ),
)
def embedding(weight: Array, indices: Array, padding_idx: int) -> Array:
    """The rows of a matrix for some row numbers. The padding row gets no gradient."""
    if indices.dtype not in (np.int64, np.int32):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
            f"Long, Int; but got torch.{TITLES[indices.dtype]}Tensor instead (while checking "
            "arguments for embedding)"
        )
    if indices.size and not 0 <= indices.min() <= indices.max() < len(weight):
        raise IndexError("index out of range in self")
    return weight[indices]


class Embedding(Module):
    """A table of vectors, looked up by their numbers: inputs of any shape, outputs (..., dim).

    The rows start with normal random numbers. The row `padding_idx` is zero and stays so. Raises
    IndexError if there is no such row, and RuntimeError if the numbers aren't int64 or int32.
    """

    def __init__(
        self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None
    ) -> None:
        super().__init__()
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.padding_idx = None if padding_idx is None else padding_idx % num_embeddings
        self.weight = Parameter(init.normal_(empty(num_embeddings, embedding_dim)))
        if self.padding_idx is not None:
            self.weight._array[self.padding_idx] = 0

    def forward(self, input: Tensor) -> Any:
        return embedding(self.weight, input, -1 if self.padding_idx is None else self.padding_idx)

    def extra_repr(self) -> str:
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"


def average(x: Any, dims: tuple[int, ...]) -> Any:
    total = x.sum(dims, True) if isinstance(x, Tensor) else np.add.reduce(x, dims, keepdims=True)
    return total / math.prod([x.shape[dim] for dim in dims])


def standardize(x: Any, running: Any, eps: float) -> tuple[Any, Any]:
    """``(x - mean) * scale`` and the scale, by the running mean and variance or those of x."""
    dims = tuple(range(x.ndim - 1))
    centered = x - (average(x, dims) if running is None else running[0])
    var = average(centered * centered, dims) if running is None else running[1]
    scale = (var + eps) ** -0.5
    return centered * scale, scale


def standardize_gradient(grad: Any, x: Any, weight: Any, running: Any, eps: float) -> Any:
    y, scale = standardize(x, running, eps)
    grad = grad if weight is None else grad * weight
    if running is None:  # mean and variance depend on x, too
        dims = tuple(range(x.ndim - 1))
        grad = grad - average(grad, dims) - y * average(grad * y, dims)
    return grad * scale


@op(
    "batch_norm",
    "NativeBatchNormBackward0",
    variants="",
    input=lambda grad, input, weight, running, eps: standardize_gradient(
        grad, input, weight, running, eps
    ),
    weight=lambda grad, input, running, eps: grad * standardize(input, running, eps)[0],
    bias=lambda grad: grad,
)
def batch_norm(input: Array, weight: Any, bias: Any, running: Any, eps: float) -> Any:
    """Standardize the last dimension; then scale and shift it."""
    y, _ = standardize(input, running, eps)
    return y if weight is None else y * weight + bias


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
        momentum: float = 0.1,
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
        # The features come last, where weight and bias are broadcast.
        rows = input if input.ndim == 2 else transpose(input, 1, 2)
        running: Any = (self.running_mean, self.running_var)
        if self.training or not self.track_running_stats:
            running = None
        result = batch_norm(rows, self.weight, self.bias, running, self.eps)
        if running is None:
            self._follow(rows._array)
        return result if input.ndim == 2 else transpose(result, 1, 2)

    def _follow(self, rows: Array) -> None:
        """Move the running mean and variance towards those of a batch."""
        dims, count = tuple(range(rows.ndim - 1)), rows.size // rows.shape[-1]
        if count == 1:
            raise ValueError(
                "Expected more than 1 value per channel when training, got input size "
                f"torch.Size({list(rows.shape)})"
            )
        if self.track_running_stats and count:
            self.num_batches_tracked.add_(1)
            batch = (rows.mean(dims), rows.var(dims) * (count / (count - 1)))
            for running, value in zip((self.running_mean, self.running_var), batch, strict=True):
                # As in PyTorch, this doesn't count as an in-place change.
                running._array[...] = (1 - self.momentum) * running._array + self.momentum * value

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.affine}, track_running_stats={self.track_running_stats}"
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
