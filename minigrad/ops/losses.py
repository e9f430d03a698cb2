"""Softmax and losses: the operations behind torch.nn.functional.

`reduction` is 0 for the loss of each element, 1 for their mean, and 2 for their sum.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minigrad.dtypes import TITLES
from minigrad.graph import Array
from minigrad.op import no_gradient, op
from minigrad.operands import promote
from minigrad.ops.pointwise import clamp, exp, gradient_op, log, share, sigmoid, softplus
from minigrad.ops.reductions import converted, largest_along, sum_along, sum_dims
from minigrad.public import public
from minigrad.saved import to_array
from minigrad.shape import wrap_dim
from minigrad.tensor import Tensor, from_array

# Softmax


def shifted(scores: Array, dim: int, name: str) -> Any:
    """Scores less the largest one, so that exp doesn't overflow."""
    if scores.dtype.kind != "f":
        kernel = f'"{name}_lastdim_kernel_impl"'
        raise NotImplementedError(f"{kernel} not implemented for '{TITLES[scores.dtype]}'")
    dim = wrap_dim(dim, scores.ndim)
    return scores - largest_along(scores, dim, None, None, True, -math.inf)


def soft_curve(grad: Any, grad_output: Any, result: Any, dim: int) -> Any:
    first = grad_output * grad - sum_dims(grad * result, dim, True) * grad_output
    return first - grad * sum_dims(grad_output * result, dim, True)


@gradient_op("SoftmaxBackwardDataBackward0", result=soft_curve)
def softmax_gradient(grad_output: Array, result: Array, dim: int) -> Any:
    return result * (grad_output - sum_along(grad_output * result, dim, None, None, True))


@op("", "SoftmaxBackward0", self=softmax_gradient)
def softmax_op(self: Array, dim: int) -> Any:
    exponentials = np.exp(shifted(self, dim, "softmax"))
    return exponentials / sum_along(exponentials, dim, None, None, True)


def log_slope(grad: Any, result: Any, dim: int) -> Any:
    return grad - sum_dims(grad * exp(result), dim, True)


def log_curve(grad: Any, grad_output: Any, result: Any, dim: int) -> Any:
    return -grad * exp(result) * sum_dims(grad_output, dim, True)


@op("", "LogSoftmaxBackwardDataBackward0", outputs="grad", grad_output=log_slope, result=log_curve)
def log_softmax_gradient(grad_output: Array, result: Array, dim: int) -> Any:
    return grad_output - np.exp(result) * sum_along(grad_output, dim, None, None, True)


@op("", "LogSoftmaxBackward0", self=log_softmax_gradient)
def log_softmax_op(self: Array, dim: int) -> Any:
    scores = shifted(self, dim, "log_softmax")
    return scores - np.log(sum_along(np.exp(scores), dim, None, None, True))


@public("softmax")
def softmax(input: Any, dim: int, dtype: Any = None) -> Any:
    """exp(input), divided by its sum along a dimension: positive numbers that add up to 1."""
    return softmax_op(converted(input, dtype), dim)


@public("log_softmax")
def log_softmax(input: Any, dim: int, dtype: Any = None) -> Any:
    """The logarithm of softmax, without overflow."""
    return log_softmax_op(converted(input, dtype), dim)


# Losses of pairs of elements


def reduced(losses: Array, reduction: int) -> Any:
    if reduction == 0:
        return losses
    total = sum_along(losses, None)
    return total / losses.size if reduction == 1 else total


def weighted(x: Any, weight: Any) -> Any:
    return x if weight is None else x * weight


def each(grad: Any, slope: Any, reduction: int, weight: Any = None) -> Any:
    """The gradient of each element: its slope times its part of the loss's gradient."""
    if reduction == 1 and not isinstance(grad, Tensor):  # divide one element instead of all
        grad, reduction = grad / math.prod(slope.shape), 2
    product = weighted(slope * grad, weight)
    return share(product, math.prod(product.shape)) if reduction == 1 else product


def mse_target_slope(grad: Any, self: Any, target: Any, reduction: int) -> Any:
    return mse_gradient(grad, target, self, reduction)


def mse_curve(grad: Any, grad_output: Any, reduction: int) -> Any:
    return each(grad_output, 2 * grad, reduction)


def mse_target_curve(grad: Any, grad_output: Any, reduction: int) -> Any:
    return -mse_curve(grad, grad_output, reduction)


@gradient_op("MseLossBackwardBackward0", self=mse_curve, target=mse_target_curve)
def mse_gradient(grad_output: Array, self: Array, target: Array, reduction: int) -> Any:
    return each(grad_output, 2 * (self - target), reduction)


@op("", "MseLossBackward0", self=mse_gradient, target=mse_target_slope)
def mse_loss(self: Array, target: Array, reduction: int) -> Any:
    """The square of the difference."""
    difference = np.subtract(*promote(self, target, False))
    return reduced(difference * difference, reduction)


def smooth_l1_slope(grad: Any, self: Any, target: Any, reduction: int, beta: float) -> Any:
    return each(grad, clamp((self - target) / beta, -1, 1), reduction)


def smooth_l1_target_slope(grad: Any, self: Any, target: Any, reduction: int, beta: float) -> Any:
    return smooth_l1_slope(grad, target, self, reduction, beta)


@op("", "SmoothL1LossBackward0", self=smooth_l1_slope, target=smooth_l1_target_slope)
def smooth_l1_loss(self: Array, target: Array, reduction: int, beta: float) -> Any:
    """Half the square of a small difference d, divided by beta; |d| - beta / 2 from beta on."""
    size = np.abs(np.subtract(*promote(self, target, False)))
    return reduced(np.where(size < beta, size * size / (2 * beta), size - beta / 2), reduction)


def bce_slope(grad: Any, self: Any, target: Any, weight: Any, reduction: int) -> Any:
    return each(grad, (self - target) / (self * (1 - self)).clip(1e-12), reduction, weight)


def bce_target_slope(grad: Any, self: Any, weight: Any, reduction: int) -> Any:
    return each(grad, log(1 - self) - log(self), reduction, weight)


@op("", "BinaryCrossEntropyBackward0", self=bce_slope, target=bce_target_slope)
def binary_cross_entropy(self: Array, target: Array, weight: Any, reduction: int) -> Any:
    """Of probabilities. A logarithm counts as at least -100, as in PyTorch."""
    if ((self < 0) | (self > 1)).any():
        raise RuntimeError("all elements of input should be between 0 and 1")
    success, failure = [np.maximum(np.log(p), -100) for p in (self, 1 - self)]
    return reduced(weighted(-target * success - (1 - target) * failure, weight), reduction)


def logits_slope(
    grad: Any, self: Any, target: Any, weight: Any, pos_weight: Any, reduction: int
) -> Any:
    if pos_weight is None:
        return each(grad, sigmoid(self) - target, reduction, weight)
    positive = pos_weight * target
    return each(grad, (positive + 1 - target) * sigmoid(self) - positive, reduction, weight)


def logits_target_slope(grad: Any, self: Any, weight: Any, pos_weight: Any, reduction: int) -> Any:
    slope = -self if pos_weight is None else (pos_weight - 1) * softplus(-self, 1, 20) - self
    return each(grad, slope, reduction, weight)


@op("", "BinaryCrossEntropyWithLogitsBackward0", self=logits_slope, target=logits_target_slope)
def binary_cross_entropy_with_logits(
    self: Array, target: Array, weight: Any, pos_weight: Any, reduction: int
) -> Any:
    """Of sigmoid(input), without overflow. `pos_weight` multiplies the loss where target is 1."""
    log_loss = np.logaddexp(-self, 0)  # -log(sigmoid(self))
    if pos_weight is not None:
        log_loss = log_loss * ((pos_weight - 1) * target + 1)
    return reduced(weighted((1 - target) * self + log_loss, weight), reduction)


# Negative log-likelihood. The classes are dimension 1 of the scores, or their only dimension.


def class_key(scores: Array, classes: Array) -> tuple[Array, ...]:
    """The indices of the scores that belong to the targets."""
    if scores.ndim == 2:
        return np.arange(len(classes)), classes
    key: list[Array] = [*np.indices(classes.shape, sparse=True)]
    key.insert(min(1, scores.ndim - 1), classes)
    return tuple(key)


def classes_and_weights(target: Any, weight: Any, ignore_index: int, total: Any = None) -> Any:
    """The class of each target, and the weight of its loss: 0 if it doesn't count."""
    if weight is None and total == target.size:
        return target, 1  # all count alike, which is by far the most frequent case
    counted = target != ignore_index
    classes = np.multiply(target, counted)
    return classes, counted if weight is None else weight[classes] * counted


def nll_adjoint(
    grad: Any, target: Any, weight: Any, reduction: int, ignore_index: int, total_weight: Any
) -> Any:
    return nll_op(grad, target, weight, reduction, ignore_index, total_weight)


@op("", "NllLossBackwardBackward0", outputs="grad", grad_output=nll_adjoint, self=no_gradient)
def nll_gradient(
    grad_output: Array,
    self: Array,
    target: Array,
    weight: Any,
    reduction: int,
    ignore_index: int,
    total_weight: Any,
) -> Any:
    classes, weights = classes_and_weights(target, weight, ignore_index, total_weight)
    result = np.zeros(self.shape, self.dtype)
    part = grad_output / total_weight if reduction == 1 else grad_output
    result[class_key(self, classes)] = 0 - weights * part
    return result


@op("", "NllLossBackward0", self=nll_gradient)
def nll_op(
    self: Array, target: Array, weight: Any, reduction: int, ignore_index: int, total_weight: Any
) -> Any:
    classes, weights = classes_and_weights(target, weight, ignore_index, total_weight)
    # Without a sign, a negative class is a large number.
    if np.any(wrong := classes.astype(np.uint64) >= self.shape[min(1, self.ndim - 1)]):
        raise IndexError(f"Target {classes[wrong][0]} is out of bounds.")
    losses = 0 - self[class_key(self, classes)] * weights
    if reduction == 0:
        return losses
    return sum_along(losses, None) / (total_weight if reduction == 1 else 1)


def nll_loss(self: Tensor, target: Tensor, weight: Any, reduction: int, ignore_index: int) -> Any:
    """Minus the score of the target's class, times the weight of that class.

    The target `ignore_index` counts for nothing. IndexError for other classes that don't exist;
    ValueError or RuntimeError unless the target has one class for each row of scores.
    """
    scores, classes = self._array, target._array
    if scores.ndim > 1 and (classes.ndim == 0 or len(scores) != len(classes)):
        batch = len(classes) if classes.ndim else 0
        raise ValueError(
            f"Expected input batch_size ({len(scores)}) to match target batch_size ({batch})."
        )
    if scores.ndim < 3 and classes.ndim > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if (dtype := classes.dtype) not in (np.int64, np.uint8):
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {TITLES[dtype]}")
    _, weights = classes_and_weights(classes, to_array(weight), ignore_index)
    total_weight = from_array(np.array(sum_along(weights, None), scores.dtype))
    return nll_op(self, target, weight, reduction, ignore_index, total_weight)
