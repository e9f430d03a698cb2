"""Activation functions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minigrad.graph import Array
from minigrad.op import no_gradient, op
from minigrad.ops.pointwise import POINTWISE, erf, exp, shift, sigmoid, sub_op, where


def relu_slope(grad: Any, result: Any) -> Any:
    return relu_gradient(grad, result)


@op("", "ThresholdBackwardBackward0", outputs="grad", grad_output=relu_slope, result=no_gradient)
def relu_gradient(grad_output: Array, result: Array) -> Any:
    return grad_output * (result > 0)


@op("relu", "ReluBackward0", **POINTWISE, self=relu_slope)
def relu(self: Array) -> Any:
    """Each element, or 0 if it is negative. The derivative at 0 is 0."""
    return np.maximum(self, 0)


def leaky_slope(grad: Any, self: Any, negative_slope: float) -> Any:
    return leaky_gradient(grad, self, negative_slope)


@op("", "LeakyReluBackwardBackward0", grad_output=leaky_slope, self=no_gradient)
def leaky_gradient(grad_output: Array, self: Array, negative_slope: float) -> Any:
    return np.where(self > 0, grad_output, grad_output * negative_slope)


@op("", "LeakyReluBackward0", self=leaky_slope)
def leaky_relu(self: Array, negative_slope: float = 0.01) -> Any:
    """Each element, multiplied by `negative_slope` if it is negative."""
    return np.where(self > 0, self, self * negative_slope)


def elu_slope(grad: Any, self: Any, alpha: float) -> Any:
    return where(self > 0, grad, grad * alpha * exp(self))


@op("", "EluBackward0", self=elu_slope)
def elu(self: Array, alpha: float = 1.0) -> Any:
    """Each element x, or alpha * (exp(x) - 1) if it is negative."""
    return np.where(self > 0, self, alpha * np.expm1(self))


def softplus_slope(grad: Any, self: Any, beta: float, threshold: float) -> Any:
    return where(self * beta > threshold, grad, grad * sigmoid(self * beta))


@op("", "SoftplusBackward0", self=softplus_slope)
def softplus(self: Array, beta: float = 1.0, threshold: float = 20.0) -> Any:
    """log(1 + exp(beta * x)) / beta, or x itself where beta * x exceeds the threshold."""
    return np.where(self * beta > threshold, self, np.log1p(np.exp(self * beta)) / beta)


def silu_slope(grad: Any, self: Any) -> Any:
    gate = sigmoid(self)
    return (grad * gate) * shift(self * sub_op(1, gate), 1)


@op("", "SiluBackward0", kind="floating", self=silu_slope)
def silu(self: Array) -> Any:
    """x * sigmoid(x), also known as swish."""
    return self * sigmoid(self)


# GELU is x times the share of a standard normal distribution below x.
# D. Hendrycks and K. Gimpel, "Gaussian Error Linear Units" (2016)


def normal_share(x: Any) -> Any:
    return (1 + erf(x * math.sqrt(0.5))) / 2


def gelu_slope(grad: Any, self: Any) -> Any:
    density = exp(-0.5 * self * self) / math.sqrt(2 * math.pi)
    return grad * (normal_share(self) + self * density)


@op("", "GeluBackward0", kind="floating", self=gelu_slope)
def gelu(self: Array) -> Any:
    """x times the share of a standard normal distribution below x."""
    return self * normal_share(self)
