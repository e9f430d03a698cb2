"""The operations that only layers use: looking up embeddings, and normalizing.

As in all declarations, formulas run on arrays, or on Tensors under `create_graph`.
Source: https://github.com/pytorch/pytorch/blob/main/tools/autograd/derivatives.yaml
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.graph import Array
from minigrad.op import op
from minigrad.tensor import Tensor

# Rows of a matrix


@op(
    "",
    "EmbeddingBackward0",
    weight=lambda grad, weight_shape, indices, padding_idx: embedding_backward(
        grad, indices, weight_shape[0], padding_idx
    ),
)
def embedding(weight: Array, indices: Array, padding_idx: int) -> Array:
    """The rows of a matrix for some row numbers. Raises IndexError if there is no such row."""
    if indices.size and not 0 <= indices.min() <= indices.max() < len(weight):
        raise IndexError("index out of range in self")
    return weight[indices]


@op(
    "",
    "EmbeddingDenseBackwardBackward0",
    grad_output=lambda grad, indices, padding_idx: (
        embedding(grad, indices, padding_idx) * (indices != padding_idx)[..., None]
    ),
)
def embedding_backward(grad_output: Array, indices: Array, rows: int, padding_idx: int) -> Array:
    """The gradient of the matrix: each row gets the sum over its uses, except for the padding."""
    width = grad_output.shape[-1]
    grad = np.zeros((rows, width), grad_output.dtype)
    np.add.at(grad, indices.reshape(-1), grad_output.reshape(-1, width))
    if padding_idx >= 0:
        grad[padding_idx] = 0
    return grad


# Padding


@op(
    "",
    "ConstantPadNdBackward0",
    self=lambda grad, pad: constant_pad(grad, tuple(-width for width in pad), 0),
)
def constant_pad(self: Array, pad: tuple[int, ...], value: float) -> Array:
    """The array with elements put around it, or cut off where a width is negative."""
    pairs = [(0, 0)] * (self.ndim - len(pad) // 2)
    pairs += [(pad[place], pad[place + 1]) for place in range(len(pad) - 2, -1, -2)]
    parts = [slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(self.shape, pairs, strict=True)]
    widths = [(max(a, 0), max(b, 0)) for a, b in pairs]
    return np.pad(self[tuple(parts)], widths, constant_values=value)


# Normalization: subtract the mean, divide by the standard deviation, scale and shift


def average(x: Any, dims: tuple[int, ...]) -> Any:
    """The mean over some dimensions, which are kept."""
    return x.mean(dims, True) if isinstance(x, Tensor) else x.mean(dims, keepdims=True)


def standardize(x: Any, dims: tuple[int, ...], eps: float, mean: Any, var: Any) -> tuple[Any, Any]:
    """``(x - mean) * scale``, and the scale. Mean and variance are those over `dims`, if None."""
    centered = x - (average(x, dims) if mean is None else mean)
    scale = ((average(centered * centered, dims) if mean is None else var) + eps) ** -0.5
    return centered * scale, scale


def input_gradient(
    grad: Any, x: Any, weight: Any, mean: Any, var: Any, dims: tuple[int, ...], eps: float
) -> Any:
    y, scale = standardize(x, dims, eps, mean, var)
    grad = grad if weight is None else grad * weight
    if mean is None:  # it and the variance depend on x, too
        grad = grad - average(grad, dims) - y * average(grad * y, dims)
    return grad * scale


def normalize(
    input: Array,
    weight: Array | None,
    bias: Array | None,
    running_mean: Array | None,
    running_var: Array | None,
    dims: tuple[int, ...],
    eps: float,
) -> Any:
    y, _ = standardize(input, dims, eps, running_mean, running_var)
    y = y if weight is None else y * weight
    return y if bias is None else y + bias


formulas = {
    "input": lambda grad, input, weight, running_mean, running_var, dims, eps: input_gradient(
        grad, input, weight, running_mean, running_var, dims, eps
    ),
    "weight": lambda grad, input, running_mean, running_var, dims, eps: (
        grad * standardize(input, dims, eps, running_mean, running_var)[0]
    ),
    "bias": lambda grad: grad,
}
batch_norm = op("", "NativeBatchNormBackward0", normalize, **formulas)
layer_norm = op("", "NativeLayerNormBackward0", normalize, **formulas)
