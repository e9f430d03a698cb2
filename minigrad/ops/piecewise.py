"""Activations that are put together of pieces: lines, halves of their input, one slope or another.

`minigrad.nn.functional` gives them to users.
"""

# Formulas refer to operations that are declared below them.
# mypy: disable-error-code="has-type"

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.autograd.node import Array
from minigrad.ops.activation import computed_in_place, elu_backward
from minigrad.ops.check import check, require
from minigrad.ops.define import hidden
from minigrad.ops.pointwise import (
    choose,
    exp,
    log1p,
    mul_number,
    refuse_backward,
    sigmoid,
    sub_tensors,
    tanh,
    zeros_like,
)
from minigrad.ops.registry import Operation
from minigrad.ops.shape import cat_tensors, slice_view
from minigrad.size import checked_dim

celu = hidden(
    "CeluBackward0",
    lambda self, alpha: np.where(
        require(self, "f", "elu_cpu") > 0, self, alpha * np.expm1(self * (1 / alpha))
    ),
    self=lambda grad, self, alpha: elu_backward(grad, self, alpha, 1, 1 / alpha, False),
)
celu_in_place = computed_in_place(
    "CeluBackward1",
    celu,
    self=lambda grad, result, alpha: elu_backward(grad, result, alpha, 1, 1 / alpha, True),
)
mish = hidden(
    "MishBackward0",
    lambda self: require(self, "f", "mish_cpu") * np.tanh(np.logaddexp(self, 0, dtype=self.dtype)),
    self=lambda grad, self: grad * mish_slope(self),
)


def mish_slope(self: Any) -> Any:
    """Return the slope of ``self * tanh(log(1 + exp(self)))``."""
    gate = sigmoid(self)
    curve = tanh(log1p(exp(self)))
    slope = sub_tensors(1, curve * curve)
    return curve + self * gate * slope


# Lines, and nothing outside of them


hardsigmoid = hidden(
    "HardsigmoidBackward0",
    lambda self: (require(self, "f", "hardsigmoid_cpu") + 3).clip(0, 6) / 6,
    self=lambda grad, self: hardsigmoid_backward(grad, self),
)
# Which PyTorch has in float32 here, whatever the dtype.
SIXTH = float(np.float32(1 / 6))
hardsigmoid_backward = hidden(
    "NotImplemented",
    lambda grad_output, self: np.where((self > -3) & (self < 3), grad_output * SIXTH, 0),
    grad_output=lambda grad: refuse_backward("hardsigmoid_backward"),
    self=lambda grad: refuse_backward("hardsigmoid_backward"),
)
hardswish = hidden(
    "HardswishBackward0",
    lambda self: self * (require(self, "f", "hardswish_cpu") + 3).clip(0, 6) / 6,
    self=lambda grad, self: hardswish_backward(grad, self),
)
hardswish_backward = hidden(
    "HardswishBackwardBackward0",
    lambda grad_output, self: (
        grad_output * np.where(self <= -3, 0, np.where(self < 3, self / 3 + 0.5, 1))
    ),
    grad_output=lambda grad, self: hardswish_backward(grad, self),
    self=lambda grad, grad_output, self: choose(
        (self > -3) & (self < 3), mul_number(grad * grad_output, 1 / 3), 0
    ),
)
hardshrink = hidden(
    "HardshrinkBackward0",
    lambda self, lambd: np.where(np.abs(require(self, "f", "hardshrink_cpu")) <= lambd, 0, self),
    self=lambda grad, self, lambd: hardshrink_backward(grad, self, lambd),
)
softshrink = hidden(
    "SoftshrinkBackward0",
    lambda self, lambd: np.where(
        np.abs(require(self, "f", "softshrink_check")) <= lambd,
        self * 0,
        self - np.copysign(self.dtype.type(lambd), self),
    ),
    self=lambda grad, self, lambd: softshrink_backward(grad, self, lambd),
)


def shrink_backward(node: str) -> Operation:
    """Declare the gradient of what is zero near zero."""
    backward: Operation = hidden(
        node,
        lambda grad_output, self, lambd: np.where(
            (self >= -lambd) & (self <= lambd), 0, grad_output
        ),
        grad_output=lambda grad, self, lambd: choose((self >= -lambd) & (self <= lambd), 0, grad),
        self=lambda grad: zeros_like(grad),
    )
    return backward


hardshrink_backward = shrink_backward("HardshrinkBackwardBackward0")
softshrink_backward = shrink_backward("SoftshrinkBackwardBackward0")


# One slope or another


prelu = hidden(
    "PreluKernelBackward0",
    lambda self, weight: np.where(require(self, "f", "prelu_cpu") > 0, self, weight * self),
    self=lambda grad, self, weight, grad_input_mask: prelu_gradients(
        grad, self, weight, grad_input_mask
    ),
    weight=lambda grad, self, weight, grad_input_mask: prelu_gradients(
        grad, self, weight, grad_input_mask
    ),
)
prelu_backward = hidden(
    "PreluKernelBackwardBackward0",
    lambda grad_output, self, weight: (
        np.where(self > 0, grad_output, weight * grad_output),
        np.where(self > 0, 0, self * grad_output),
    ),
    outputs="result0 result1",
    grad_output=lambda grad, self, weight: (
        negative(self, grad[0], lambda one: weight * one, lambda one: one)
        + negative(self, grad[1], lambda one: self * one)
    ),
    self=lambda grad, grad_output, self: negative(self, grad[1], lambda one: one * grad_output),
    weight=lambda grad, grad_output, self: negative(self, grad[0], lambda one: one * grad_output),
)


def prelu_gradients(
    grad: Any, self: Any, weight: Any, grad_input_mask: tuple[bool, bool]
) -> tuple[Any, ...]:
    """Return the gradients of both inputs of `prelu`, where the mask says so."""
    found = prelu_backward(grad, self, weight)
    return tuple([one if need else None for one, need in zip(found, grad_input_mask, strict=True)])


def negative(self: Any, grad: Any, below: Any, above: Any = lambda one: 0) -> Any:
    """Return one function of a gradient where `self` is not from 0 on, else the other.

    PyTorch's second derivatives at 0 are those above it, though its first are those below.
    """
    return zeros_like(self) if grad is None else choose(self >= 0, above(grad), below(grad))


# One half opens or closes the other


def halves(self: Any, dim: int) -> tuple[Any, Any]:
    """Return both halves along a dimension, of an array or a tensor."""
    length = self.shape[dim]
    return slice_view(self, dim, 0, length // 2, 1), slice_view(self, dim, length // 2, length, 1)


def gated(self: Array, dim: int) -> Array:
    """Return one half of an array times the sigmoid of the other."""
    length = self.shape[checked_dim(dim, self.ndim)]
    text = "Halving dimension must be even, but dimension {} is size {}"
    check(length % 2 == 0, text, dim % self.ndim, length)
    first, second = halves(require(self, "f", "glu_cpu"), dim)
    return first / (1 + np.exp(-second))  # type: ignore[no-any-return]


def joined_halves(first: Any, second: Any, dim: int) -> Any:
    """Return two halves as one again."""
    return cat_tensors([first, second], dim, (first.shape[dim], second.shape[dim]))


def glu_pulled(grad_output: Array, self: Array, dim: int) -> Array:
    """Return the gradient of `glu`."""
    first, second = halves(self, dim)
    gate = sigmoid(second)
    pulled = grad_output * gate, grad_output * (first * gate * sub_tensors(1, gate))
    return np.concatenate(pulled, dim)


def glu_pushed(grad: Any, self: Any, dim: int) -> Any:
    """Return how much the result changes if the input changes by `grad`."""
    dim %= len(self.shape)
    first, second = halves(
        grad * glu_backward(zeros_like(halves(self, dim)[0]) + 1, self, dim), dim
    )
    return first + second


def glu_bent(grad: Any, grad_output: Any, self: Any, dim: int) -> Any:
    """Return the gradient of the gradient of `glu` with respect to its input."""
    first, second = halves(self, dim)
    gate = sigmoid(second)
    closed = sub_tensors(1, gate)
    slope = gate * closed
    one, other = halves(grad, dim)
    turned = other * first
    lower = other * grad_output * slope
    falling = gate * slope
    bend = slope * closed - falling
    straight = one * grad_output * slope
    return joined_halves(lower, turned * grad_output * bend + straight, dim)


glu = hidden("GluBackward0", gated, self=lambda grad, self, dim: glu_backward(grad, self, dim))
glu_backward = hidden(
    "GluBackwardBackward0",
    glu_pulled,
    grad_output=lambda grad, self, dim: glu_pushed(grad, self, dim),
    self=lambda grad, grad_output, self, dim: glu_bent(grad, grad_output, self, dim),
)
