"""Normalization: each sample, or each channel, less its mean, over its standard deviation.

These are the operations; `minigrad.nn.functional` says what users may give.
"""

from __future__ import annotations

from typing import Any

from minigrad.autograd.node import quiet_copy
from minigrad.memory import in_line
from minigrad.ops.check import require
from minigrad.ops.define import hidden
from minigrad.ops.reduction import mean_dims
from minigrad.ops.shape import reshaped, sum_dims
from minigrad.tensor import Tensor, from_array

# Layer normalization
# Source: https://arxiv.org/abs/1607.06450


def layer_norm(
    input: Tensor, normalized_shape: tuple[int, ...], weight: Tensor, bias: Tensor, eps: float
) -> Any:
    """Return the normalized input; its node keeps the means and scales of the samples."""
    array = require(input._array, "f", "LayerNormKernelImpl")
    mean, scale = map(from_array, quiet_copy().run(moments, array, normalized_shape, eps))
    return native_layer_norm(input, normalized_shape, weight, bias, eps, mean, scale)


def moments(input: Any, normalized_shape: tuple[int, ...], eps: float) -> tuple[Any, Any]:
    """Return the means of samples, and one over their standard deviations."""
    mean = mean_over(input, normalized_shape)
    return mean, (mean_over((input - mean) ** 2, normalized_shape) + eps) ** -0.5


def mean_over(values: Any, normalized_shape: tuple[int, ...]) -> Any:
    """Return the mean of each sample, of an array or a Tensor."""
    return mean_dims(values, tuple(range(-len(normalized_shape), 0)), True, None)


def centred(
    input: Any, normalized_shape: tuple[int, ...], eps: float, mean: Any, scale: Any
) -> tuple[Any, Any]:
    """Return the input of mean 0 and variance 1, and what scaled it.

    Where the pass is recorded, mean and scale are functions of the input, not what was kept.
    """
    if isinstance(input, Tensor):
        mean, scale = moments(input, normalized_shape, eps)
    return (input - mean) * scale, scale


def gradient_of_input(
    grad: Any, normalized_shape: tuple[int, ...], weight: Any, unit: Any, scale: Any
) -> Any:
    """Return the gradient of the input, on which its mean and deviation depend too."""
    slope = grad * weight
    along = unit * mean_over(slope * unit, normalized_shape)
    return scale * (slope - mean_over(slope, normalized_shape) - along)


native_layer_norm = hidden(
    "NativeLayerNormBackward0",
    lambda input, normalized_shape, weight, bias, eps, result1, result2: (
        (in_line(input) - result1) * result2 * weight + bias
    ),
    input=lambda grad, input, normalized_shape, weight, eps, result1, result2: gradient_of_input(
        grad, normalized_shape, weight, *centred(input, normalized_shape, eps, result1, result2)
    ),
    weight=lambda grad, input, normalized_shape, eps, result1, result2: (
        grad * centred(input, normalized_shape, eps, result1, result2)[0]
    ),
    bias=lambda grad, bias: grad,
)


# Batch normalization: each channel, the second dimension, less its mean, over its deviation.
# Source: https://arxiv.org/abs/1502.03167


def by_channel(vector: Any, like: Any) -> Any:
    """Return one number for each channel as they stand beside an input."""
    return reshaped(vector, (1, -1, *[1] * (len(like.shape) - 2)))


def other_dims(input: Any) -> tuple[int, ...]:
    """Return all dimensions but that of the channels."""
    return (0, *range(2, len(input.shape)))


def batch_moments(input: Any, eps: float) -> tuple[Any, Any]:
    """Return the means of channels, and one over their standard deviations."""
    dims = other_dims(input)
    mean = mean_dims(input, dims, True, None)
    return mean, (mean_dims((input - mean) ** 2, dims, True, None) + eps) ** -0.5


def normalized(input: Any, training: bool, eps: float, mean: Any, scale: Any) -> tuple[Any, Any]:
    """Return the input of mean 0 and variance 1, and what scaled it."""
    if training and isinstance(input, Tensor):
        mean, scale = batch_moments(input, eps)
    return (input - mean) * scale, scale


def batch_gradient(grad: Any, weight: Any, training: bool, unit: Any, scale: Any) -> Any:
    """Return the gradient of the input, on which its mean and deviation depend in training."""
    slope = grad * by_channel(weight, grad)
    if not training:
        return slope * scale
    dims = other_dims(grad)
    along = unit * mean_dims(slope * unit, dims, True, None)
    return scale * (slope - mean_dims(slope, dims, True, None) - along)


native_batch_norm = hidden(
    "NativeBatchNormBackward0",
    lambda input, weight, bias, training, eps, result1, result2: (
        (in_line(input) - result1) * result2 * by_channel(weight, input) + by_channel(bias, input)
    ),
    input=lambda grad, input, weight, training, eps, result1, result2: batch_gradient(
        grad, weight, training, *normalized(input, training, eps, result1, result2)
    ),
    weight=lambda grad, input, training, eps, result1, result2: sum_dims(
        grad * normalized(input, training, eps, result1, result2)[0], other_dims(grad), False, None
    ),
    bias=lambda grad: sum_dims(grad, other_dims(grad), False, None),
)
