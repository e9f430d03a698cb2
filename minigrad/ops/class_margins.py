"""Losses of margins between the scores of right and of wrong classes, of float32 and float64.

PyTorch does not differentiate their gradients.
Source: https://github.com/pytorch/pytorch/blob/main/tools/autograd/derivatives.yaml
"""

# Formulas refer to operations that are declared below them.
# mypy: disable-error-code="has-type"

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from minigrad.autograd.node import Array
from minigrad.ops.define import hidden
from minigrad.ops.loss import MEAN, NONE, reduced
from minigrad.ops.pointwise import refuse_backward


def rows(scores: Array) -> Array:
    """Return scores as a matrix, one row for each sample; one sample may come by itself."""
    return scores.reshape(-1, scores.shape[-1] if scores.ndim else 1)


def shares(grad: Array, samples: int, reduction: int) -> Array:
    """Return the gradient of each sample's loss, in a column, from that of all."""
    each = grad if reduction == NONE else grad / (samples if reduction == MEAN else 1)
    return np.broadcast_to(each, samples)[:, None]


# One right class


def margins(self: Array, target: Array, p: int, margin: float, weight: Any) -> tuple[Array, ...]:
    """Return for each sample and class what it lacks to the margin, to a power, and the slope."""
    scores, right = rows(self), target.reshape(-1)
    every = np.arange(len(right))
    lack = np.maximum(self.dtype.type(margin) - scores[every, right][:, None] + scores, 0)
    lack[every, right] = 0
    scale = 1 if weight is None else weight[right][:, None]
    slope = (lack > 0).astype(lack.dtype) if p == 1 else 2 * lack
    count = self.dtype.type(scores.shape[1])
    return (lack if p == 1 else lack * lack) * scale / count, slope * scale / count


def multi_margin_values(
    self: Array, target: Array, p: int, margin: float, weight: Any, reduction: int
) -> Any:
    """Return by how much wrong classes come too near to the right one."""
    losses = margins(self, target, p, margin, weight)[0].sum(1)
    return reduced(losses if target.ndim else losses[0], reduction)


def multi_margin_slope(
    grad_output: Array,
    self: Array,
    target: Array,
    p: int,
    margin: float,
    weight: Any,
    reduction: int,
) -> Array:
    """Return the gradient of the scores."""
    slope, right = margins(self, target, p, margin, weight)[1], target.reshape(-1)
    slope[np.arange(len(right)), right] -= slope.sum(1)  # of 0 alone it is 0
    found: Array = (slope * shares(grad_output, len(right), reduction)).reshape(self.shape)
    return found


multi_margin_loss = hidden(
    "MultiMarginLossBackward0",
    multi_margin_values,
    self=lambda grad, self, target, p, margin, weight, reduction: multi_margin_loss_backward(
        grad, self, target, p, margin, weight, reduction
    ),
)
multi_margin_loss_backward = hidden(
    "NotImplemented",
    multi_margin_slope,
    grad_output=lambda grad: refuse_backward("multi_margin_loss_backward"),
    self=lambda grad: refuse_backward("multi_margin_loss_backward"),
)


# Several right classes: those named before the first -1


def right_classes(target: Array) -> Iterator[Array]:
    """Yield the right classes of each sample."""
    for named in rows(target):
        yield named[: np.append(named, -1).tolist().index(-1)]


def are_right(target: Array) -> Array:
    """Return for each class whether it is right."""
    found = np.zeros(target.shape, np.float32)
    for flags, right in zip(rows(found), right_classes(target), strict=True):
        flags[right] = 1
    return found


def multilabel_margin_values(self: Array, target: Array, reduction: int, is_target: Array) -> Any:
    """Return by how much wrong classes come too near to right ones."""
    losses = []
    for scores, right, flags in zip(
        rows(self), right_classes(target), rows(is_target), strict=True
    ):
        lack = 1 - scores[right][:, None] + scores[flags == 0]
        losses.append(np.maximum(lack, 0).sum() / self.dtype.type(len(scores)))
    found = np.array(losses, self.dtype)
    return reduced(found if self.ndim > 1 else found[0], reduction)


def multilabel_margin_slope(
    grad_output: Array, self: Array, target: Array, reduction: int, is_target: Array
) -> Array:
    """Return the gradient of the scores."""
    slope = np.zeros_like(rows(self))
    for row, scores, right, flags in zip(
        slope, rows(self), right_classes(target), rows(is_target), strict=True
    ):
        lacks = 1 - scores[right][:, None] + scores[flags == 0] > 0
        row[flags == 0] = lacks.sum(0)
        np.subtract.at(row, right, lacks.sum(1).astype(row.dtype))
    each = shares(grad_output, len(slope), reduction) / self.dtype.type(slope.shape[1])
    found: Array = (slope * each).reshape(self.shape)
    return found


multilabel_margin_loss = hidden(
    "MultilabelMarginLossBackward0",
    multilabel_margin_values,
    self=lambda grad, self, target, reduction, is_target: multilabel_margin_loss_backward(
        grad, self, target, reduction, is_target
    ),
)
multilabel_margin_loss_backward = hidden(
    "NotImplemented",
    multilabel_margin_slope,
    grad_output=lambda grad: refuse_backward("multilabel_margin_loss_backward"),
    self=lambda grad: refuse_backward("multilabel_margin_loss_backward"),
)
