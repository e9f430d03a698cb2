"""Until ops/losses.py and ops/activations.py exist: their functions, from the study."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from minigrad.op import op
from minigrad.ops import pointwise, reductions
from minigrad.ops.pointwise import sigmoid
from minigrad.public import functions
from minigrad.tensor import Tensor


def reduced(values: Any, reduction: int) -> Any:
    if reduction == 0:
        return values
    total = np.add.reduce(values, None)
    return total / values.dtype.type(values.size) if reduction == 1 else total


def share(grad: Any, like: Any, reduction: int) -> Any:
    size = like._array.size if isinstance(like, Tensor) else like.size
    return grad / size if reduction == 1 else grad


mse_loss = op(
    "",
    "MseLossBackward0",
    lambda self, target, reduction: reduced((self - target) ** 2, reduction),
    self=lambda grad, self, target, reduction: share(grad, self, reduction) * (2 * (self - target)),
    target=lambda grad, self, target, reduction: (
        share(grad, self, reduction) * (2 * (target - self))
    ),
)
bce = op(
    "",
    "BinaryCrossEntropyBackward0",
    lambda self, target, weight, reduction: reduced(
        -(
            target * np.maximum(np.log(self), -100)
            + (1 - target) * np.maximum(np.log(1 - self), -100)
        )
        * (1 if weight is None else weight),
        reduction,
    ),
    self=lambda grad, self, target, weight, reduction: (
        share(grad, self, reduction)
        * ((self - target) / (self * (1 - self)))
        * (1 if weight is None else weight)
    ),
)


def logits_loss(self: Any, target: Any, weight: Any, pos_weight: Any, reduction: int) -> Any:
    soft = np.logaddexp(0 * self, -self)
    if pos_weight is not None:
        soft = soft * ((pos_weight - 1) * target + 1)
    return reduced(((1 - target) * self + soft) * (1 if weight is None else weight), reduction)


bce_logits = op(
    "",
    "BinaryCrossEntropyWithLogitsBackward0",
    logits_loss,
    self=lambda grad, self, target, weight, pos_weight, reduction: (
        share(grad, self, reduction)
        * (
            sigmoid(self) - target
            if pos_weight is None
            else (pos_weight * target + 1 - target) * sigmoid(self) - pos_weight * target
        )
        * (1 if weight is None else weight)
    ),
)


def nll_parts(shape: Any, target: Any, weight: Any, ignore: int) -> Any:
    classes = shape[min(1, len(shape) - 1)]
    kept = target != ignore
    if ((target < 0) | (target >= classes))[kept].any():
        raise IndexError(
            f"Target {int(target[kept][(target[kept] < 0) | (target[kept] >= classes)][0])} is out of bounds."
        )
    safe = np.where(kept, target, 0)
    weights = kept * 1.0 if weight is None else weight[safe] * kept
    if len(shape) == 1:
        return (safe.reshape(()),), weights.reshape(())
    key = list(np.ogrid[tuple(map(slice, target.shape))])
    key.insert(1, safe)
    return tuple(key), weights


def nll_forward(self: Any, target: Any, weight: Any, reduction: int, ignore_index: int) -> Any:
    key, weights = nll_parts(self.shape, target, weight, ignore_index)
    values = (-self[key] * weights).astype(self.dtype)
    if reduction == 1:
        return (values.sum() / weights.sum()).astype(self.dtype)
    return reduced(values, reduction)


def nll_backward(
    grad: Any, shape: Any, target: Any, weight: Any, reduction: int, ignore: int
) -> Any:
    array = grad._array if isinstance(grad, Tensor) else grad
    target = target._array if isinstance(target, Tensor) else target
    weight = weight._array if isinstance(weight, Tensor) else weight
    key, weights = nll_parts(shape, target, weight, ignore)
    result = np.zeros(shape, array.dtype)
    result[key] = -array * weights / (weights.sum() if reduction == 1 else 1)
    return Tensor(result) if isinstance(grad, Tensor) else result


nll_loss = op(
    "",
    "NllLossBackward0",
    nll_forward,
    self=lambda grad, self_shape, target, weight, reduction, ignore_index: nll_backward(
        grad, self_shape, target, weight, reduction, ignore_index
    ),
)


def smooth_l1(input: Any, target: Any, reduction: int, beta: float) -> Any:
    size = (input - target).abs()
    values = pointwise.where(size < beta, 0.5 * size * size / beta, size - 0.5 * beta)
    return (values, values.mean, values.sum)[reduction]() if reduction else values


def softplus(input: Any, beta: float, threshold: float) -> Any:
    return pointwise.softplus(input) if beta == 1 else pointwise.softplus(input * beta) / beta


losses = SimpleNamespace(
    mse_loss=mse_loss,
    smooth_l1_loss=smooth_l1,
    binary_cross_entropy=bce,
    binary_cross_entropy_with_logits=bce_logits,
    nll_loss=nll_loss,
    softmax=lambda input, dim, dtype=None: functions["softmax"](input, dim),
    log_softmax=lambda input, dim, dtype=None: functions["log_softmax"](input, dim),
)
activations = SimpleNamespace(
    relu=pointwise.relu,
    leaky_relu=pointwise.leaky_relu,
    elu=pointwise.elu,
    silu=pointwise.silu,
    gelu=pointwise.gelu,
    softplus=softplus,
)
del reductions
