"""Activation functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.graph import Array
from minigrad.op import no_gradient, op
from minigrad.ops.pointwise import POINTWISE, gradient_op, sigmoid, where


@gradient_op("ThresholdBackwardBackward0", result=no_gradient)
def relu_gradient(grad_output: Array, result: Array) -> Any:
    return grad_output * (result > 0)


@op("relu", "ReluBackward0", **POINTWISE, self=relu_gradient)
def relu(self: Array) -> Any:
    """Each element, or 0 if it is negative. The derivative at 0 is 0."""
    return np.maximum(self, 0)


@gradient_op("LeakyReluBackwardBackward0", self=no_gradient)
def leaky_gradient(grad_output: Array, self: Array, negative_slope: float) -> Any:
    return np.where(self > 0, grad_output, grad_output * negative_slope)


@op("", "LeakyReluBackward0", self=leaky_gradient)
def leaky_relu(self: Array, negative_slope: float = 0.01) -> Any:
    """Each element, multiplied by `negative_slope` if it is negative."""
    return np.where(self > 0, self, self * negative_slope)


def softplus_slope(grad: Any, self: Any, beta: float, threshold: float) -> Any:
    return where(self * beta > threshold, grad, grad * sigmoid(self * beta))


@op("", "SoftplusBackward0", self=softplus_slope)
def softplus(self: Array, beta: float = 1.0, threshold: float = 20.0) -> Any:
    """log(1 + exp(beta * x)) / beta, or x itself where beta * x exceeds the threshold."""
    return np.where(self * beta > threshold, self, np.log1p(np.exp(self * beta)) / beta)
