"""Normalization: each sample, channel or group, less its mean, over its standard deviation.

These are the operations; `minigrad.nn.functional` says what users may give.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minigrad.arrays import multiply_add
from minigrad.autograd.node import Array, quiet_copy
from minigrad.memory import in_line
from minigrad.ops.check import require
from minigrad.ops.define import hidden
from minigrad.ops.half import halved, rounded_once, widened
from minigrad.ops.reduction import mean_dims
from minigrad.ops.shape import expand_to, reshaped, sum_dims
from minigrad.tensor import Tensor, from_array


class Normalized:
    """An input of mean 0 and variance 1, and what its derivatives need besides.

    `average` gives means of what was normalized together; it is None where mean and deviation do
    not depend on the input.
    """

    def __init__(
        self, input: Any, mean: Any, scale: Any, average: Callable[[Any], Any] | None
    ) -> None:
        self.unit, self.scale, self.average = (input - mean) * scale, scale, average

    def backward(self, slope: Any) -> Any:
        """Return the gradient of the input from that of what is normalized."""
        if self.average is None:
            return slope * self.scale
        along = self.unit * self.average(slope * self.unit)
        return self.scale * (slope - self.average(slope) - along)

    def backward_twice(self, slope: Any, other: Any) -> Any:
        """Return the gradient of the input from that of `backward(slope)`, which is `other`."""
        if self.average is None:
            return None
        mean = self.average
        one, two = mean(slope * self.unit), mean(other * self.unit)
        both = mean(slope * other) - mean(slope) * mean(other) - one * two
        shared = self.scale * self.unit * both + one * self.backward(other)
        return -self.scale * (shared + two * self.backward(slope))


def weighted(gradient: Any, weight: Any) -> Any:
    """Return a gradient times a weight, if there is one."""
    return gradient if weight is None else gradient * weight


def total(terms: Sequence[Any]) -> Any:
    """Return the sum of what is not None; None if nothing is there."""
    found = None
    for term in terms:
        if term is not None:
            found = term if found is None else found + term
    return found


def first_gradients(
    grad: Array, normalized: Normalized, weight: Any, dims: tuple[int, ...], mask: Sequence[bool]
) -> tuple[Any, ...]:
    """Return the gradients of input, weight and bias, which are summed over some dimensions."""
    return (
        normalized.backward(weighted(grad, weight)) if mask[0] else None,
        (grad * normalized.unit).sum(dims) if mask[1] else None,
        grad.sum(dims) if mask[2] else None,
    )


def second_gradients(
    grads: Sequence[Any], grad_out: Any, normalized: Normalized, weight: Any
) -> tuple[Any, Any, Any]:
    """Return the gradients of `grad_out`, input and weight from those of the first gradients."""
    of_input, of_weight, of_bias = grads
    of_grad_out, of_slope, found = [], [], None
    if of_bias is not None:
        of_grad_out.append(expand_to(of_bias, tuple(grad_out.shape)))
    if of_weight is not None:
        of_grad_out.append(of_weight * normalized.unit)
        of_slope.append(normalized.backward(grad_out * of_weight))
    if of_input is not None:
        through = normalized.backward(of_input)
        of_grad_out.append(weighted(through, weight))
        of_slope.append(normalized.backward_twice(weighted(grad_out, weight), of_input))
        found = None if weight is None else grad_out * through
    return total(of_grad_out), total(of_slope), found


# Layer normalization
# Source: https://arxiv.org/abs/1607.06450


def layer_norm(
    input: Tensor,
    normalized_shape: tuple[int, ...],
    weight: Tensor | None,
    bias: Tensor | None,
    eps: float,
) -> Any:
    """Return the normalized input; its node keeps the means and scales of the samples."""
    array = require(input._array, "f", "LayerNormKernelImpl")
    kept = quiet_copy().run(moments, widened(array), normalized_shape, eps)
    mean, scale = [from_array(one.astype(array.dtype, copy=False)) for one in kept]
    return native_layer_norm(input, normalized_shape, weight, bias, eps, mean, scale)


def moments(input: Any, normalized_shape: tuple[int, ...], eps: float) -> tuple[Any, Any]:
    """Return the means of samples, and one over their standard deviations."""
    mean = mean_over(input, normalized_shape)
    return mean, (mean_over((input - mean) ** 2, normalized_shape) + eps) ** -0.5


def mean_over(values: Any, normalized_shape: tuple[int, ...]) -> Any:
    """Return the mean of each sample, of an array or a Tensor."""
    return mean_dims(values, tuple(range(-len(normalized_shape), 0)), True, None)


def normalized_samples(
    input: Any, normalized_shape: tuple[int, ...], mean: Any, scale: Any, eps: float
) -> Normalized:
    """Return what the derivatives need.

    Where the pass is recorded, mean and scale are functions of the input, not what was kept.
    """
    if isinstance(input, Tensor):
        mean, scale = moments(input, normalized_shape, eps)
    return Normalized(input, mean, scale, lambda values: mean_over(values, normalized_shape))


def scaled_and_shifted(unit: Any, weight: Any, bias: Any) -> Any:
    """Return a normalized input times a weight plus a bias, where there are some."""
    scaled = weighted(unit, weight)
    return scaled if bias is None else scaled + bias


def layer_norm_values(
    input: Array,
    normalized_shape: tuple[int, ...],
    weight: Any,
    bias: Any,
    eps: float,
    result1: Array,
    result2: Array,
) -> Any:
    """Return the normalized input; where it is float16, by means and scales not rounded to that."""
    exact = widened(input)
    if exact is not input:
        result1, result2 = moments(exact, normalized_shape, eps)
    values = scaled_and_shifted((in_line(exact) - result1) * result2, weight, bias)
    return values if exact is input else halved(values)


def layer_norm_backward(
    grad: Any,
    input: Any,
    normalized_shape: tuple[int, ...],
    result1: Any,
    result2: Any,
    weight: Any,
    bias: Any,
    eps: float,
    grad_input_mask: tuple[bool, ...],
) -> Any:
    """Return the gradients of input, weight and bias."""
    return native_layer_norm_backward(
        grad, input, normalized_shape, result1, result2, weight, bias, eps, grad_input_mask
    )


def layer_norm_gradients(
    grad_out: Array,
    input: Array,
    normalized_shape: tuple[int, ...],
    mean: Array,
    rstd: Array,
    weight: Any,
    bias: Any,
    eps: float,
    output_mask: tuple[bool, ...],
) -> tuple[Any, ...]:
    """Return the gradients of input, weight and bias, where the mask says so."""
    normalized = normalized_samples(input, normalized_shape, mean, rstd, eps)
    dims = tuple(range(input.ndim - len(normalized_shape)))
    return first_gradients(grad_out, normalized, weight, dims, output_mask)


def layer_norm_double_backward(
    grad: list[Any],
    grad_out: Any,
    input: Any,
    normalized_shape: tuple[int, ...],
    mean: Any,
    rstd: Any,
    weight: Any,
    eps: float,
    grad_input_mask: tuple[bool, ...],
) -> tuple[Any, ...]:
    """Return the gradients of what `native_layer_norm_backward` takes."""
    normalized = normalized_samples(input, normalized_shape, mean, rstd, eps)
    of_grad_out, of_input, of_weight = second_gradients(grad, grad_out, normalized, weight)
    return of_grad_out, of_input, None, None, of_weight, None


native_layer_norm = hidden(
    "NativeLayerNormBackward0",
    layer_norm_values,
    input=layer_norm_backward,
    weight=layer_norm_backward,
    bias=layer_norm_backward,
)
native_layer_norm_backward = hidden(
    "NativeLayerNormBackwardBackward0",
    rounded_once(layer_norm_gradients),
    outputs="result0 result1 result2",
    **dict.fromkeys(
        ("grad_out", "input", "mean", "rstd", "weight", "bias"), layer_norm_double_backward
    ),
)


# Batch normalization: each channel, the second dimension, less its mean, over its deviation.
# Source: https://arxiv.org/abs/1502.03167


def by_channel(vector: Any, like: Any) -> Any:
    """Return one number for each channel as they stand beside an input; None as it is."""
    if vector is None:
        return None
    return reshaped(vector, (1, -1, *[1] * (len(like.shape) - 2)))


def other_dims(input: Any) -> tuple[int, ...]:
    """Return all dimensions but that of the channels."""
    return (0, *range(2, len(input.shape)))


def mean_of_channels(input: Any) -> Any:
    """Return the mean of each channel as they stand beside an input."""
    return mean_dims(input, other_dims(input), True, None)


def batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    eps: float,
) -> Any:
    """Return the normalized input; its node keeps the statistics of the channels."""
    array = input._array
    kept = [np.empty(0, array.dtype)] * 2
    if training:
        kept = list(quiet_copy().run(batch_moments, widened(array), eps))
        kept = [one.reshape(-1).astype(array.dtype, copy=False) for one in kept]
    mean, scale = map(from_array, kept)
    return native_batch_norm(
        input, weight, bias, running_mean, running_var, training, eps, mean, scale
    )


def batch_moments(input: Any, eps: float) -> tuple[Any, Any]:
    """Return the means of channels, and one over their standard deviations."""
    mean = mean_of_channels(input)
    return mean, (mean_of_channels((input - mean) ** 2) + eps) ** -0.5


def statistics(
    input: Any, mean: Any, var: Any, training: bool, eps: float, result1: Any, result2: Any
) -> tuple[Any, Any]:
    """Return the mean of each channel and one over its deviation: the batch's own in training."""
    if not training:
        return by_channel(mean, input), (by_channel(var, input) + eps) ** -0.5
    if isinstance(input, Tensor):
        return batch_moments(input, eps)
    return by_channel(result1, input), by_channel(result2, input)


def normalized_channels(input: Any, mean: Any, var: Any, training: bool, *more: Any) -> Normalized:
    """Return what the derivatives need: in training, as `normalized_samples`."""
    found = statistics(input, mean, var, training, *more)
    return Normalized(input, *found, mean_of_channels if training else None)


def batch_norm_values(
    input: Array,
    weight: Any,
    bias: Any,
    running_mean: Any,
    running_var: Any,
    training: bool,
    eps: float,
    result1: Array,
    result2: Array,
) -> Any:
    """Return the normalized input, scaled and shifted."""
    mean, scale = statistics(input, running_mean, running_var, training, eps, result1, result2)
    return on_lines(input, mean, scale, by_channel(weight, input), by_channel(bias, input))


def on_lines(input: Array, mean: Array, scale: Array, weight: Any, bias: Any) -> Any:
    """Return what `scaled_and_shifted` does, by one line for each channel, rounded as PyTorch's."""
    factor = scale if weight is None else scale * weight
    shift = -mean * factor if bias is None else multiply_add(bias, -mean, factor)
    return multiply_add(np.broadcast_to(shift, input.shape), in_line(input), factor)


def batch_norm_backward(
    grad: Any,
    input: Any,
    weight: Any,
    running_mean: Any,
    running_var: Any,
    result1: Any,
    result2: Any,
    training: bool,
    eps: float,
    grad_input_mask: tuple[bool, ...],
) -> Any:
    """Return the gradients of input, weight and bias."""
    return native_batch_norm_backward(
        grad,
        input,
        weight,
        running_mean,
        running_var,
        result1,
        result2,
        training,
        eps,
        grad_input_mask,
    )


def batch_norm_gradients(
    grad_out: Array,
    input: Array,
    weight: Any,
    running_mean: Any,
    running_var: Any,
    save_mean: Array,
    save_invstd: Array,
    train: bool,
    eps: float,
    output_mask: tuple[bool, ...],
) -> tuple[Any, ...]:
    """Return the gradients of input, weight and bias, where the mask says so."""
    normalized = normalized_channels(
        input, running_mean, running_var, train, eps, save_mean, save_invstd
    )
    weight = by_channel(weight, input)
    return first_gradients(grad_out, normalized, weight, other_dims(input), output_mask)


def batch_norm_double_backward(
    grad: list[Any],
    grad_out: Any,
    input: Any,
    weight: Any,
    running_mean: Any,
    running_var: Any,
    save_mean: Any,
    save_invstd: Any,
    train: bool,
    eps: float,
    grad_input_mask: tuple[bool, ...],
) -> tuple[Any, ...]:
    """Return the gradients of what `native_batch_norm_backward` takes."""
    normalized = normalized_channels(
        input, running_mean, running_var, train, eps, save_mean, save_invstd
    )
    grads = [grad[0], by_channel(grad[1], input), by_channel(grad[2], input)]
    weight = by_channel(weight, input)
    of_grad_out, of_input, of_weight = second_gradients(grads, grad_out, normalized, weight)
    if of_weight is not None:
        of_weight = sum_dims(of_weight, other_dims(input), False, None)
    return of_grad_out, of_input, of_weight, None, None


native_batch_norm = hidden(
    "NativeBatchNormBackward0",
    rounded_once(batch_norm_values),
    input=batch_norm_backward,
    weight=batch_norm_backward,
    bias=batch_norm_backward,
)
native_batch_norm_backward = hidden(
    "NativeBatchNormBackwardBackward0",
    rounded_once(batch_norm_gradients),
    outputs="result0 result1 result2",
    **dict.fromkeys(
        ("grad_out", "input", "weight", "save_mean", "save_invstd"), batch_norm_double_backward
    ),
)


# Group normalization: in each sample, groups of channels, each less its mean, over its deviation.
# Source: https://arxiv.org/abs/1803.08494


def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None, bias: Tensor | None, eps: float
) -> Any:
    """Return the normalized input; its node keeps the means and scales of the groups."""
    array = require(input._array, "f", "GroupNormKernelImpl")
    samples, channels = array.shape[:2]
    sizes = samples, channels, math.prod(array.shape[2:])
    kept = quiet_copy().run(group_moments, widened(array), num_groups, eps)
    mean, scale = [from_array(one.astype(array.dtype, copy=False)) for one in kept]
    return native_group_norm(input, weight, bias, *sizes, num_groups, eps, mean, scale)


def in_groups(values: Any, group: int) -> Any:
    """Return an array or a Tensor as lines, one for each group of each sample."""
    rows = values.shape[0] * group
    return reshaped(values, (rows, math.prod(values.shape) // max(rows, 1)))


def group_moments(input: Any, group: int, eps: float) -> tuple[Any, Any]:
    """Return the means of each sample's groups, and one over their standard deviations."""
    mean, scale = moments(in_groups(input, group), (1,), eps)
    return mean.reshape(-1, group), scale.reshape(-1, group)


def group_norm_values(
    input: Array,
    weight: Any,
    bias: Any,
    N: int,
    C: int,
    HxW: int,
    group: int,
    eps: float,
    result1: Array,
    result2: Array,
) -> Any:
    """Return the normalized input, scaled and shifted; of float16 as `layer_norm_values` does."""
    exact, weight, bias = map(widened, (input, weight, bias))
    if exact is not input:
        result1, result2 = group_moments(exact, group, eps)
    beside = N, C, *[1] * (input.ndim - 2)
    mean, scale = (one.repeat(C // group, 1).reshape(beside) for one in (result1, result2))
    if weight is None and bias is None:
        values = (exact - mean) * scale
    else:
        values = on_lines(exact, mean, scale, by_channel(weight, input), by_channel(bias, input))
    return values if exact is input else halved(values)


def group_norm_backward(
    grad: Any,
    input: Any,
    weight: Any,
    result1: Any,
    result2: Any,
    N: int,
    C: int,
    HxW: int,
    group: int,
    eps: float,
    grad_input_mask: tuple[bool, ...],
) -> Any:
    """Return the gradients of input, weight and bias: recorded, of plain operations."""
    lines, shape, dims = in_groups(input, group), tuple(input.shape), other_dims(input)
    mean, scale = (reshaped(one, (-1, 1)) for one in (result1, result2))
    normalized = normalized_samples(lines, (1,), mean, scale, eps)
    found: list[Any] = [None, None, None]
    if grad_input_mask[0]:
        slope = in_groups(weighted(grad, by_channel(weight, input)), group)
        found[0] = reshaped(normalized.backward(slope), shape)
    if grad_input_mask[1]:
        found[1] = sum_dims(grad * reshaped(normalized.unit, shape), dims, False, None)
    if grad_input_mask[2]:
        found[2] = sum_dims(grad, dims, False, None)
    return tuple(found)


native_group_norm = hidden(
    "NativeGroupNormBackward0",
    group_norm_values,
    **dict.fromkeys(("input", "weight", "bias"), rounded_once(group_norm_backward)),
)
