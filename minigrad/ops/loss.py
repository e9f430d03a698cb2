"""Losses: how far a prediction is from its target, for each element or as one number.

These are the operations; `minigrad.nn.functional` checks what users give and says how to reduce.
`reduction` is a number here, as in the nodes' ``_saved_reduction``.
Source: https://github.com/pytorch/pytorch/blob/main/tools/autograd/derivatives.yaml
"""

# Formulas refer to operations that are declared below them.
# mypy: disable-error-code="has-type"

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minigrad import elementary
from minigrad.arrays import constant
from minigrad.autograd.node import Array
from minigrad.memory import elementwise
from minigrad.ops.activation import logsigmoid
from minigrad.ops.check import check, name_of, require
from minigrad.ops.declare import op
from minigrad.ops.define import hidden
from minigrad.ops.half import HALF, once, rounded_once
from minigrad.ops.pointwise import (
    add_number,
    alike,
    as_numbers,
    choose,
    div_number,
    exp,
    logit,
    mul_number,
    sigmoid,
    zeros_like,
)
from minigrad.summing import in_blocks, total
from minigrad.tensor import Tensor, from_array

NONE, MEAN, SUM = range(3)
# Logarithms are not let below this, and their slopes not above its like, as in PyTorch.
LEAST_LOG = -100
LEAST_SPREAD = 1e-12


def reduced(losses: Array, reduction: int) -> Any:
    """Return the losses of the elements, their mean or their sum."""
    if reduction == NONE:
        return losses
    if losses.dtype is HALF:
        return once(reduced, losses, reduction)
    return total(losses) / losses.size if reduction == MEAN else total(losses)


def averaged(gradient: Any, reduction: int, input: Any = None) -> Any:
    """Return the gradient of the elements' losses as that of their mean, if there was one.

    The mean is of as many as `input` has, where there may be several gradients at once.
    """
    if reduction != MEAN:
        return gradient
    count = math.prod((gradient if input is None else input).shape)
    if isinstance(gradient, Tensor):
        return div_number(gradient, count)
    return gradient / constant(count, gradient.dtype)


# Losses of the difference between prediction and target

mse_loss = op(
    "",
    "MseLossBackward0",
    lambda self, target, reduction: reduced(difference(self, target, "mse_cpu") ** 2, reduction),
    self=lambda grad, self, target, reduction: mse_loss_backward(grad, self, target, reduction),
    target=lambda grad, self, target, reduction: mse_loss_backward(grad, target, self, reduction),
)


@elementwise
def difference(self: Array, target: Array, kernel: str) -> Any:
    """Return the difference of two arrays in their common dtype, which must be floating point."""
    self, target = alike(self, target)
    return require(self, "f", kernel) - target


def mse_slope(grad_output: Any, self: Array, target: Array, reduction: int) -> Any:
    """Return the gradient of a squared error."""
    error = self - target
    factor = constant(2 / max(error.size, 1) if reduction == MEAN else 2, error.dtype)
    if error.dtype is HALF:  # which rounds each product
        return factor * error * grad_output
    return error * (grad_output * factor)


mse_loss_backward = hidden(
    "MseLossBackwardBackward0",
    mse_slope,
    grad_output=lambda grad, self, target, reduction: mse_loss_backward(
        grad, self, target, reduction
    ),
    self=lambda grad, grad_output, self, reduction: averaged(
        mul_number(grad * grad_output, 2), reduction, self
    ),
    target=lambda grad, grad_output, target, reduction: (
        -averaged(mul_number(grad * grad_output, 2), reduction, target)
    ),
)
smooth_l1_loss = op(
    "",
    "SmoothL1LossBackward0",
    rounded_once(
        lambda self, target, reduction, beta: reduced(
            huber(difference(self, target, "smooth_l1_cpu"), beta) / beta, reduction
        )
    ),
    self=lambda grad, self, target, reduction, beta: smooth_l1_loss_backward(
        grad, self, target, reduction, beta
    ),
    target=lambda grad, self, target, reduction, beta: smooth_l1_loss_backward(
        grad, target, self, reduction, beta
    ),
)
smooth_l1_loss_backward = hidden(
    "SmoothL1LossBackwardBackward0",
    rounded_once(
        lambda grad_output, self, target, reduction, beta: averaged(
            grad_output * (np.clip(self - target, -beta, beta) / beta), reduction
        )
    ),
    grad_output=lambda grad, self, target, reduction, beta: smooth_l1_loss_backward(
        grad, self, target, reduction, beta
    ),
    self=lambda grad, grad_output, self, target, reduction, beta: smooth_l1_bent(
        grad * grad_output, self - target, reduction, beta
    ),
    target=lambda grad, grad_output, self, target, reduction, beta: (
        -smooth_l1_bent(grad * grad_output, self - target, reduction, beta)
    ),
)
huber_loss = op(
    "",
    "HuberLossBackward0",
    rounded_once(
        lambda self, target, reduction, delta: reduced(
            huber(difference(self, target, "huber_cpu"), delta), reduction
        ).astype(self.dtype, copy=False)
    ),
    self=lambda grad, self, target, reduction, delta: huber_loss_backward(
        grad, self, target, reduction, delta
    ),
    target=lambda grad, self, target, reduction, delta: huber_loss_backward(
        grad, target, self, reduction, delta
    ),
)
huber_loss_backward = hidden(
    "HuberLossBackwardBackward0",
    lambda grad_output, self, target, reduction, delta: (
        limited_slope(of_one_dtype(self, target), delta, reduction) * grad_output
    ),
    grad_output=lambda grad, self, target, reduction, delta: huber_loss_backward(
        grad, self, target, reduction, delta
    ),
    self=lambda grad, grad_output, self, target, reduction, delta: averaged(
        grad * grad_output * near(self - target, delta), reduction, self
    ),
    target=lambda grad, grad_output, self, target, reduction, delta: (
        -averaged(grad * grad_output * near(self - target, delta), reduction, target)
    ),
)


def odds_against(self: Any, target: Any) -> Any:
    """Return how much likelier the other sign than the target's is, by a logit."""
    return exp(-self * target)


def soft_margin_slope(self: Array, target: Array) -> Any:
    """Return the derivative of the logistic loss; nan where the odds are infinite."""
    odds = odds_against(self, target)
    return -target * odds / (odds + 1)


def soft_margin_bent(grad: Any, self: Any, target: Any) -> Any:
    """Return the gradient of the gradient of the logistic loss."""
    odds = odds_against(self, target)
    return grad * (target * target) * odds / ((odds + 1) * (odds + 1))


soft_margin_loss = op(
    "",
    "SoftMarginLossBackward0",
    elementwise(
        lambda self, target, reduction: reduced(
            elementary.log(odds_against(self, target.astype(self.dtype)) + 1), reduction
        )
    ),
    self=lambda grad, self, target, reduction: soft_margin_loss_backward(
        grad, self, target, reduction
    ),
)
soft_margin_loss_backward = hidden(
    "SoftMarginLossBackwardBackward0",
    lambda grad_output, self, target, reduction: averaged(
        grad_output * soft_margin_slope(self, target), reduction
    ),
    grad_output=lambda grad, self, target, reduction: soft_margin_loss_backward(
        grad, self, target, reduction
    ),
    self=lambda grad, grad_output, self, target, reduction: averaged(
        soft_margin_bent(grad * grad_output, self, target), reduction
    ),
)


def of_one_dtype(self: Array, target: Array) -> Array:
    """Return the difference of arrays; raise RuntimeError if their dtypes differ."""
    fits = self.dtype == target.dtype
    check(fits, "Found dtype {} but expected {}", name_of(target), name_of(self))
    return self - target


def limited_slope(error: Array, delta: float, reduction: int) -> Any:
    """Return the derivative of the Huber loss, or of its mean."""
    share = 1 / error.size if reduction == MEAN and error.size else 1
    return np.clip(error, -delta, delta) * constant(share, error.dtype)


def huber(difference: Array, delta: float) -> Array:
    """Return half the square of the difference, continued by its tangent beyond `delta`."""
    size = np.abs(difference)
    return np.where(size < delta, 0.5 * size * size, delta * (size - 0.5 * delta))


def smooth_l1_bent(grad: Any, difference: Any, reduction: int, beta: float) -> Any:
    """Return the gradient of the gradient of the smooth loss."""
    square = as_numbers(near(difference, beta), grad)
    return averaged(div_number(grad * square, beta), reduction)


def near(difference: Any, delta: float) -> Any:
    """Return where a difference is smaller than `delta`, in size."""
    return (difference < delta) & (difference > -delta)


# Losses of probabilities

binary_cross_entropy = op(
    "",
    "BinaryCrossEntropyBackward0",
    elementwise(
        lambda self, target, weight, reduction: reduced(
            weighted(
                (target - 1) * np.maximum(elementary.log1p(-self), LEAST_LOG)
                - target * np.maximum(elementary.log(self), LEAST_LOG),
                weight,
            ),
            reduction,
        )
    ),
    self=lambda grad, self, target, weight, reduction: binary_cross_entropy_backward(
        grad, self, target, weight, reduction
    ),
    target=lambda grad, self, weight, reduction: averaged(
        weighted(-logit(self) * grad, weight), reduction
    ),
)
binary_cross_entropy_backward = hidden(
    "BinaryCrossEntropyBackwardBackward0",
    lambda grad_output, self, target, weight, reduction: averaged(
        weighted(grad_output * (self - target) / spread(self), weight), reduction
    ),
    grad_output=lambda grad, self, target, weight, reduction: averaged(
        weighted(grad * (self - target) / raised_spread(self), weight), reduction
    ),
    self=lambda grad, grad_output, self, target, weight, reduction: averaged(
        weighted(grad * grad_output * bce_curvature(self, target), weight), reduction
    ),
    target=lambda grad, grad_output, self, weight, reduction: averaged(
        weighted(-grad * grad_output / spread(self), weight), reduction
    ),
)
binary_cross_entropy_with_logits = op(
    "",
    "BinaryCrossEntropyWithLogitsBackward0",
    lambda self, target, weight, pos_weight, reduction: reduced(
        weighted(bce_of_logits(self, target, pos_weight), weight).astype(target.dtype, copy=False),
        reduction,
    ),
    self=lambda grad, self, target, weight, pos_weight, reduction: logits_gradient(
        grad, self, target, weight, pos_weight, reduction
    ),
    target=lambda grad, self, target, weight, pos_weight, reduction: averaged(
        weighted(target_slope(self, pos_weight) * grad, weight), reduction
    ),
)


def weighted(losses: Any, weight: Any) -> Any:
    """Return the losses mul_number their weights, if there are any."""
    return losses if weight is None else losses * weight


def spread(probability: Any) -> Any:
    """Return p (1 - p), kept away from 0."""
    product = probability * (1 - probability)
    return choose(product < LEAST_SPREAD, LEAST_SPREAD, product)


def raised_spread(probability: Any) -> Any:
    """Return p (1 - p), each factor a little larger, as PyTorch's second derivatives have it."""
    return (probability + LEAST_SPREAD) * (1 - probability + LEAST_SPREAD)


def bce_curvature(self: Any, target: Any) -> Any:
    """Return the second derivative of the cross entropy in the probability."""
    return (self * self - 2 * self * target + target) / raised_spread(self) ** 2


def bce_of_logits(self: Array, target: Array, pos_weight: Array | None) -> Array:
    """Return the cross entropy of the probabilities sigmoid(self), without their rounding."""
    softplus = np.logaddexp(constant(0, self.dtype), -self)
    if pos_weight is not None:
        softplus = softplus * ((pos_weight - 1) * target + 1)
    return (constant(1, target.dtype) - target) * self + softplus


def logits_gradient(
    grad: Any, self: Any, target: Any, weight: Any, pos_weight: Any, reduction: int
) -> Any:
    """Return the gradient of the logits from that of the loss."""
    slope = logits_slope(self, target, pos_weight)
    if reduction == MEAN and not isinstance(grad, Tensor) and grad.dtype is not HALF:
        return weighted(slope, weight) * (grad / slope.size)
    return averaged(weighted(slope * grad, weight), reduction)


def logits_slope(self: Any, target: Any, pos_weight: Any) -> Any:
    """Return the derivative of `bce_of_logits` in the logits."""
    if pos_weight is None:
        return sigmoid(self) - target
    positive = pos_weight * target
    return (add_number(positive, 1) - target) * sigmoid(self) - positive


def target_slope(self: Any, pos_weight: Any) -> Any:
    """Return the derivative of `bce_of_logits` in the target."""
    if pos_weight is None:
        return -self
    return logsigmoid(-self) - logsigmoid(self) * pos_weight


# Losses of a class's number


def picking(forward_node: str, backward_node: str) -> Any:
    """Return the forward function of `nll_loss`, whose nodes have these names."""
    forward = op(
        "",
        forward_node,
        lambda self, target, weight, reduction, ignore_index, total_weight: nll_values(
            self, target, weight, reduction, ignore_index, total_weight
        ),
        self=lambda grad, self, target, weight, reduction, ignore_index, total_weight: backward(
            grad, self, target, weight, reduction, ignore_index, total_weight
        ),
    )
    backward = hidden(
        backward_node,
        lambda grad_output, self, target, weight, reduction, ignore_index, total_weight: nll_slope(
            grad_output, self, target, weight, reduction, ignore_index, total_weight
        ),
        grad_output=lambda grad, target, weight, reduction, ignore_index, total_weight: forward(
            grad, target, weight, reduction, ignore_index, total_weight
        ),
        self=lambda grad: zeros_like(grad),
    )
    return forward


nll_loss_forward = picking("NllLossBackward0", "NllLossBackwardBackward0")
nll_loss2d_forward = picking("NllLoss2DBackward0", "NllLoss2DBackwardBackward0")


def nll_loss(
    self: Tensor, target: Tensor, weight: Tensor | None, reduction: int, ignore_index: int
) -> Any:
    """Return minus the element of each row that the target points to.

    Args:
        self: log-probabilities, (C), (N, C) or (N, C, H, W).
        target: numbers of classes, (), (N) or (N, H, W).
        weight: of each class, (C); the mean is one of weighted losses.
        ignore_index: the target of rows that do not count.

    Raises:
        IndexError: if there is no such class.
    """
    array = self._array
    class_weights = None if weight is None else weight._array
    _, weights = rows_of(array, target._array, class_weights, ignore_index)
    total = target._array.size if weights is None else in_blocks(weights)
    total_weight = from_array(np.array(total, array.dtype))
    forward = nll_loss2d_forward if array.ndim == 4 else nll_loss_forward
    return forward(self, target, weight, reduction, ignore_index, total_weight)


def rows_of(
    self: Array, target: Array, weight: Array | None, ignore_index: int
) -> tuple[tuple[Array, ...], Array | None]:
    """Return the index of the elements pointed to, and their weights unless all are 1."""
    classes = self.shape[1] if self.ndim > 1 else self.shape[0]
    target = target.astype(np.int64, copy=False)
    outside = (target < 0) | (target >= classes)
    weights = None
    if weight is not None or np.count_nonzero(outside) or 0 <= ignore_index < classes:
        counts = target != ignore_index
        if np.count_nonzero(outside & counts):
            raise IndexError(f"Target {target[outside & counts].flat[0]} is out of bounds.")
        target = np.where(counts, target, 0)
        weights = counts if weight is None else weight.reshape(-1)[target] * counts
        weights = weights.astype(self.dtype)
    if self.ndim == 1:
        return (target,), weights
    if self.ndim == 2:
        return (np.arange(target.size), target), weights
    open_grid: tuple[Any, ...] = np.indices(target.shape, sparse=True)
    rows, *places = open_grid
    return (rows, target, *places), weights


def nll_values(
    self: Array,
    target: Array,
    weight: Array | None,
    reduction: int,
    ignore_index: int,
    total_weight: Array,
) -> Any:
    """Return the forward result of `nll_loss`."""
    index, weights = rows_of(self, target, weight, ignore_index)
    losses = -require(self, "f", "nll_loss_out_frame")[index]
    if weights is not None:
        losses = np.where(weights == 0, 0, losses * weights)
    if reduction == NONE and self.ndim > 1:
        return losses
    total = in_blocks(losses)
    return total / total_weight if reduction == MEAN else total


def nll_slope(
    grad_output: Array,
    self: Array,
    target: Array,
    weight: Array | None,
    reduction: int,
    ignore_index: int,
    total_weight: Array,
) -> Array:
    """Return the gradient of `nll_loss`: nothing but at the elements pointed to.

    PyTorch takes a vector for the batch here, unless the target has no dimensions.
    """
    fits = not target.ndim or self.shape[0] == target.shape[0]
    text = "size mismatch (got input: {}, target: {})"
    check(fits, text, list(self.shape), list(target.shape))
    index, weights = rows_of(self, target, weight, ignore_index)
    slope = np.zeros(self.shape, self.dtype)
    scale = -grad_output / total_weight if reduction == MEAN else -grad_output
    slope[index] = scale if weights is None else np.where(weights == 0, 0, scale * weights)
    return slope
