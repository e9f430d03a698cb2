"""Activations that are put together of pieces: lines, halves of their input, one slope or another.

`minigrad.nn.functional` gives them to users.
"""

# Formulas refer to operations that are declared below them.
# mypy: disable-error-code="has-type"

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad import elementary
from minigrad.autograd.node import Array
from minigrad.memory import is_dense
from minigrad.ops.activation import computed_in_place, elu_backward
from minigrad.ops.check import check, require
from minigrad.ops.define import hidden
from minigrad.ops.half import in_single, rounded_once
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
from minigrad.ops.registry import Operation, public
from minigrad.ops.shape import cat_tensors, slice_view
from minigrad.size import checked_dim
from minigrad.tensor import Tensor

celu = hidden(
    "CeluBackward0",
    rounded_once(
        lambda self, alpha: np.where(
            require(self, "f", "elu_cpu") > 0, self, alpha * elementary.expm1(self * (1 / alpha))
        )
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
    rounded_once(
        lambda self: (
            require(self, "f", "mish_cpu") * elementary.tanh(elementary.log1p(elementary.exp(self)))
        )
    ),
    self=rounded_once(lambda grad, self: grad * mish_slope(self)),
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
    rounded_once(lambda self: (require(self, "f", "hardsigmoid_cpu") + 3).clip(0, 6) / 6),
    self=lambda grad, self: hardsigmoid_backward(grad, self),
)
# Which PyTorch has in float32 here, whatever the dtype.
SIXTH = float(np.float32(1 / 6))
hardsigmoid_backward = hidden(
    "NotImplemented",
    rounded_once(
        lambda grad_output, self: np.where((self > -3) & (self < 3), grad_output * SIXTH, 0)
    ),
    grad_output=lambda grad: refuse_backward("hardsigmoid_backward"),
    self=lambda grad: refuse_backward("hardsigmoid_backward"),
)
hardswish = hidden(
    "HardswishBackward0",
    rounded_once(lambda self: self * (require(self, "f", "hardswish_cpu") + 3).clip(0, 6) / 6),
    self=lambda grad, self: hardswish_backward(grad, self),
)
hardswish_backward = hidden(
    "HardswishBackwardBackward0",
    rounded_once(
        lambda grad_output, self: np.where(
            self <= -3, 0, grad_output * np.where(self < 3, self / 3 + 0.5, 1)
        )
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


def shrunk(self: Array, lambd: float) -> Array:
    """Return elements moved towards zero, those that reach it as zero of their sign."""
    near = np.abs(require(self, "f", "softshrink_check")) <= lambd
    return np.where(near, self * 0, self - np.copysign(self.dtype.type(lambd), self))


shrunk_once = in_single(shrunk)


def softly_shrunk(self: Array, lambd: float) -> Array:
    """Return them with zeros that have no sign where PyTorch takes 64 bytes at a time."""
    found: Array = shrunk_once(self, lambd)
    if is_dense(self):
        line = found.ravel("K")
        line[: line.size - line.size % (64 // self.itemsize)] += 0
    return found


softshrink = hidden(
    "SoftshrinkBackward0",
    softly_shrunk,
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
    rounded_once(
        lambda self, weight: np.where(require(self, "f", "prelu_cpu") > 0, self, weight * self)
    ),
    self=lambda grad, self, weight, grad_input_mask: prelu_gradients(
        grad, self, weight, grad_input_mask
    ),
    weight=lambda grad, self, weight, grad_input_mask: prelu_gradients(
        grad, self, weight, grad_input_mask
    ),
)
prelu_backward = hidden(
    "PreluKernelBackwardBackward0",
    rounded_once(
        lambda grad_output, self, weight: (
            np.where(self > 0, grad_output, weight * grad_output),
            np.where(self > 0, 0, self * grad_output),
        )
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
    return first / (1 + elementary.exp(-second))  # type: ignore[no-any-return]


def joined_halves(first: Any, second: Any, dim: int) -> Any:
    """Return two halves as one again."""
    return cat_tensors([first, second], dim, (first.shape[dim], second.shape[dim]))


gate_slope = in_single(lambda gate, first, grad: (1 - gate) * gate * first * grad)


def glu_pulled(grad_output: Array, self: Array, dim: int) -> Array:
    """Return the gradient of `glu`."""
    first, second = halves(self, dim)
    gate = sigmoid(second)
    return np.concatenate((grad_output * gate, gate_slope(gate, first, grad_output)), dim)


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


glu = hidden(
    "GluBackward0", rounded_once(gated), self=lambda grad, self, dim: glu_backward(grad, self, dim)
)
glu_backward = hidden(
    "GluBackwardBackward0",
    glu_pulled,
    grad_output=lambda grad, self, dim: glu_pushed(grad, self, dim),
    self=lambda grad, grad_output, self, dim: glu_bent(grad, grad_output, self, dim),
)


# A slope drawn for each element


def mean_slope(lower: float, upper: float) -> float:
    """Return the slope of what is negative where none is drawn."""
    return (lower + upper) / 2


def drawn_slope(
    grad_output: Any,
    self: Any,
    noise: Any,
    lower: float,
    upper: float,
    training: bool,
    is_result: bool,
) -> Any:
    """Return the gradient of a ReLU whose slopes were drawn."""
    if training and upper - lower > 1e-6:
        return grad_output * noise
    slope = mean_slope(lower, upper)
    return np.where(self > 0, grad_output, grad_output * slope)


rrelu = hidden(
    "RreluWithNoiseBackward0",
    rounded_once(
        lambda self, noise, lower, upper, training: (
            self * noise if training else np.where(self > 0, self, self * mean_slope(lower, upper))
        )
    ),
    self=lambda grad, self, noise, lower, upper, training: rrelu_backward(
        grad, self, noise, lower, upper, training, False
    ),
)
rrelu_backward = hidden(
    "RreluWithNoiseBackwardBackward0",
    rounded_once(drawn_slope),
    grad_output=lambda grad, self, noise, lower, upper, training: rrelu_backward(
        grad, self, noise, lower, upper, training, False
    ),
    self=lambda grad: zeros_like(grad),
)
rrelu_in_place = computed_in_place(
    "RreluWithNoiseBackward1",
    rrelu,
    self=lambda grad, noise, lower, upper, training, result: rrelu_backward(
        grad, result, noise, lower, upper, training, True
    ),
)


# As methods


@public("hardshrink", "method")
def hardshrink_by_default(input: Tensor, lambd: float = 0.5) -> Any:
    """Return each element, or 0 if it is at most `lambd` from 0."""
    return hardshrink(input, lambd)


@public("prelu", "method")
def prelu_by_channel(input: Tensor, weight: Tensor) -> Any:
    """Return each element, times a weight if it is negative: one for all, or one for each channel.

    Raises:
        RuntimeError: if `weight` is neither of these, or of another dtype.
    """
    text = "prelu: Type promoting not supported. Got {} and {}"
    fits = input.dtype is weight.dtype
    check(fits, text, input.dtype.scalar_name, weight.dtype.scalar_name)
    if weight.numel() != 1:
        check(input.ndim > 0, "Not allow zero-dim input tensor.")
        channels = input.shape[1] if input.ndim > 1 else 1
        text = (
            "Mismatch of parameter numbers and input channel size. Found parameter numbers = {} "
            "and channel size = {}."
        )
        check(channels == weight.numel(), text, weight.numel(), channels)
    text = "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {}"
    check(weight.ndim <= 1, text, weight.ndim)
    if weight.ndim != input.ndim:
        weight = weight.reshape([1, -1, *[1] * (input.ndim - 2)][: input.ndim])
    return prelu(input, weight)
