"""Activations: what a network computes for each element between its layers.

`minigrad.nn.functional` gives them to users; `relu`, `sigmoid` and `tanh` are in
`minigrad.ops.pointwise`.
"""

# Formulas refer to operations that are declared below them.
# mypy: disable-error-code="has-type"

from __future__ import annotations

import inspect
import math
from typing import Any

import numpy as np

from minigrad import elementary
from minigrad.autograd.node import Array
from minigrad.data import element
from minigrad.memory import in_line
from minigrad.ops.check import check, require
from minigrad.ops.declare import op
from minigrad.ops.define import hidden
from minigrad.ops.half import halved, rounded_once, widened
from minigrad.ops.pointwise import (
    add_number,
    as_numbers,
    cosh,
    div_tensors,
    error_function,
    exp,
    limited,
    mul_number,
    sigmoid,
    sigmoid_backward,
    sub_number,
    sub_tensors,
    tanh,
    threshold_backward,
    zeros_like,
)
from minigrad.ops.registry import Operation
from minigrad.tensor import Tensor, from_array

# Activations: what is computed for each element between the layers of a network

threshold = op(
    "threshold",
    "ThresholdBackward0",
    lambda self, threshold, value: np.where(
        require(self, "fiu", "threshold_cpu") <= element(threshold, self.dtype),
        element(value, self.dtype),
        self,
    ),
    variants="function",
    self=lambda grad, self, threshold: threshold_backward(grad, self, threshold),
    about="Return each element above ``threshold``, and ``value`` for the others.",
)
hardtanh = hidden(
    "HardtanhBackward0",
    lambda self, min_val, max_val: limited(self, min_val, max_val).astype(self.dtype),
    self=lambda grad, self, min_val, max_val: hardtanh_backward(grad, self, min_val, max_val),
)
hardtanh_backward = hidden(
    "HardtanhBackwardBackward0",
    lambda grad_output, self, min_val, max_val: np.where(
        (self <= min_val) | (self >= max_val), 0, grad_output
    ),
    grad_output=lambda grad, self, min_val, max_val: hardtanh_backward(
        grad, self, min_val, max_val
    ),
    self=lambda grad: zeros_like(grad),
)
leaky_relu = hidden(
    "LeakyReluBackward0",
    rounded_once(
        lambda self, negative_slope: np.where(
            require(self, "f", "leaky_relu_cpu") > 0, self, self * negative_slope
        )
    ),
    self=lambda grad, self, negative_slope: leaky_relu_backward(grad, self, negative_slope),
)
leaky_relu_backward = hidden(
    "LeakyReluBackwardBackward0",
    rounded_once(
        lambda grad_output, self, negative_slope: np.where(
            self > 0, grad_output, grad_output * negative_slope
        )
    ),
    grad_output=lambda grad, self, negative_slope: leaky_relu_backward(grad, self, negative_slope),
    self=lambda grad: zeros_like(grad),
)
elu = hidden(
    "EluBackward0",
    rounded_once(
        lambda self, alpha, scale, input_scale: (
            scale
            * np.where(
                require(self, "f", "elu_cpu") < 0,
                alpha * elementary.expm1(self * input_scale),
                self,
            )
        )
    ),
    self=lambda grad, self, alpha, scale, input_scale: elu_backward(
        grad, self, alpha, scale, input_scale, False
    ),
)
elu_backward = hidden(
    "EluBackwardBackward0",
    rounded_once(
        lambda grad_output, self_or_result, alpha, scale, input_scale, is_result: np.where(
            self_or_result <= 0,
            elu_below(
                grad_output * input_scale, self_or_result, alpha * scale, input_scale, is_result
            ),
            grad_output * scale,
        )
    ),
    grad_output=lambda grad, self_or_result, alpha, scale, input_scale, is_result: elu_backward(
        grad, self_or_result, alpha, scale, input_scale, is_result
    ),
    self_or_result=lambda grad, grad_output, self_or_result, alpha, scale, input_scale, is_result: (
        elu_bent(grad * grad_output, self_or_result, alpha, scale, input_scale, is_result)
    ),
)


UNKNOWN_FROM_RESULT = (
    " backward calculation is triggered with a negative slope which is not supported. This is "
    "caused by calling in-place forward function with a negative slope, please call out-of-place "
    "version instead."
)


def elu_below(
    grad: Array, self_or_result: Array, scale: float, input_scale: float, is_result: bool
) -> Any:
    """Return the gradient of ELU below zero, from its input or its result.

    Raises:
        RuntimeError: if the result does not tell it, since a negative scale makes it positive.
    """
    if is_result:
        check(scale >= 0, "In-place elu" + UNKNOWN_FROM_RESULT)
        return grad * (self_or_result + scale)
    return grad * scale * elementary.exp(self_or_result * input_scale)


def elu_bent(
    grad: Any, self_or_result: Any, alpha: float, scale: float, input_scale: float, is_result: bool
) -> Any:
    """Return the gradient of the gradient of ELU with respect to what that was known from."""
    grad = mul_number(grad, input_scale)
    if not is_result:
        grad = elu_backward(grad, self_or_result, alpha, scale, input_scale, False)
    return grad * as_numbers(self_or_result < 0, grad)


def silu_slope(grad: Any, self: Any, gate: Any) -> Any:
    """Return the gradient of ``self * gate``, where the gate is the sigmoid of self."""
    bend = add_number(self * sub_tensors(1, gate), 1)
    return grad * gate * bend


silu = hidden(
    "SiluBackward0",
    rounded_once(lambda self: require(self, "f", "silu_cpu") / (1 + elementary.exp(-self))),
    self=rounded_once(lambda grad, self: silu_slope(grad, self, sigmoid(self))),
)
softplus = hidden(
    "SoftplusBackward0",
    rounded_once(
        lambda self, beta, threshold: np.where(
            require(self, "f", "softplus_cpu") * beta > threshold,
            self,
            elementary.log1p(elementary.exp(self * beta)) / beta,
        )
    ),
    self=lambda grad, self, beta, threshold: softplus_backward(grad, self, beta, threshold),
)
softplus_backward = hidden(
    "SoftplusBackwardBackward0",
    rounded_once(
        lambda grad_output, self, beta, threshold: np.where(
            self * beta > threshold, grad_output, grad_output * rising(elementary.exp(self * beta))
        )
    ),
    grad_output=lambda grad, self, beta, threshold: softplus_backward(grad, self, beta, threshold),
    self=lambda grad, grad_output, self, beta, threshold: softplus_bent(
        grad * grad_output, mul_number(self, beta), beta, threshold
    ),
)


def rising(power: Array) -> Array:
    """Return the sigmoid of a number from e to its power."""
    return power / (power + 1)  # type: ignore[no-any-return]


def softplus_bent(grad: Any, scaled: Any, beta: float, threshold: float) -> Any:
    """Return the gradient of the gradient of softplus, of an array or a Tensor."""
    curved = sigmoid_backward(grad, sigmoid(scaled))
    return mul_number(curved * as_numbers(scaled < threshold, grad), beta)


log_sigmoid = hidden(
    "LogSigmoidBackward0",
    lambda self, buffer: log_sigmoid_of(self, buffer),
    self=lambda grad, self, buffer: log_sigmoid_backward(grad, self, buffer),
)
log_sigmoid_backward = hidden(
    "LogSigmoidBackwardBackward0",
    rounded_once(
        lambda grad_output, self, buffer: grad_output * np.where(self < 0, 1, buffer) / (1 + buffer)
    ),
    grad_output=lambda grad, self, buffer: log_sigmoid_backward(grad, self, buffer),
    self=lambda grad, grad_output, self: log_sigmoid_bent(grad * grad_output, sigmoid(self)),
)


def log_sigmoid_of(self: Array, buffer: Array) -> Any:
    """Return the logarithm of the sigmoid; of float16 by a buffer not rounded to that."""
    exact = widened(self)
    if exact is not self:
        buffer = elementary.exp(-np.abs(exact))
    values = np.minimum(exact, 0) - elementary.log1p(buffer)
    return values if exact is self else halved(values)


def log_sigmoid_bent(grad: Any, gate: Any) -> Any:
    """Return the gradient of the gradient of the logarithm of a sigmoid, the gate."""
    return grad * sub_number(gate, 1) * gate


gelu = hidden(
    "GeluBackward0",
    rounded_once(lambda self, approximate: gelu_of(self, approximate)),
    self=lambda grad, self, approximate: gelu_backward(grad, self, approximate),
)
gelu_backward = hidden(
    "GeluBackwardBackward0",
    rounded_once(
        lambda grad_output, self, approximate: grad_output * gelu_slope(self, approximate)
    ),
    grad_output=lambda grad, self, approximate: gelu_backward(grad, self, approximate),
    self=lambda grad, grad_output, self, approximate: (
        grad * grad_output * gelu_curvature(self, approximate)
    ),
)

# GELU is x mul_number the normal distribution function, or a tanh that comes near to it.
# Source: https://arxiv.org/abs/1606.08415
GELU_SCALE = math.sqrt(2 / math.pi)
GELU_CUBIC = 0.044715


def gelu_of(self: Any, approximate: str) -> Any:
    """Return GELU of an array."""
    require(self, "f", "GeluKernelImpl")
    if approximate == "tanh":
        return self * (0.5 * (1 + elementary.tanh(GELU_SCALE * (self + GELU_CUBIC * self**3))))
    return self * (0.5 * (1 + error_function(self * math.sqrt(0.5))))


def gelu_slope(self: Any, approximate: str) -> Any:
    """Return the slope of GELU for an array."""
    if approximate == "tanh":
        inner_slope = GELU_SCALE * (1 + 3 * GELU_CUBIC * self**2)
        outer = elementary.tanh(GELU_SCALE * (self + GELU_CUBIC * self**3))
        return 0.5 * (1 + outer + self * (1 - outer * outer) * inner_slope)
    density = elementary.exp(-0.5 * self**2) / math.sqrt(2 * math.pi)
    return 0.5 * (1 + error_function(self * math.sqrt(0.5))) + self * density


def gelu_curvature(self: Any, approximate: str) -> Any:
    """Return the second derivative of GELU, for an array or a Tensor."""
    if approximate == "tanh":
        return tanh_gelu_curvature(self)
    square = self * self
    density = mul_number(exp(mul_number(square, -0.5)), 1 / math.sqrt(2 * math.pi))
    weighed = square * density
    return mul_number(density, 2) - weighed


def tanh_gelu_curvature(self: Any) -> Any:
    """Return the second derivative of GELU's approximation, ``half * (1 + tanh(inner))``."""
    inner = mul_number(self + mul_number(self**3, GELU_CUBIC), GELU_SCALE)
    outer = tanh(inner)
    secant = div_tensors(add_number(zeros_like(inner), 1), cosh(inner))
    half = mul_number(self, 0.5)
    slope = sub_tensors(1, outer * outer)
    inner_slope = mul_number(add_number(mul_number(self, 3 * GELU_CUBIC) * self, 1), GELU_SCALE)
    straight = mul_number(slope, 0.5) * inner_slope
    falling = -secant * outer
    bend = half * inner_slope * (mul_number(secant, 2) * falling * inner_slope)
    inner_bend = half * slope * mul_number(mul_number(self, 6 * GELU_CUBIC), GELU_SCALE)
    return mul_number(straight, 2) + bend + inner_bend


def logsigmoid(self: Any) -> Any:
    """Return the logarithm of the sigmoid of each element, of an array or a Tensor."""
    array = require(getattr(self, "_array", self), "f", "log_sigmoid_cpu")
    buffer = elementary.exp(-np.abs(in_line(array)))
    return log_sigmoid(self, from_array(buffer) if isinstance(self, Tensor) else buffer)


# In place: where the input is gone, its gradient is known from the result


def leaky_relu_told_by_result(grad: Any, result: Any, negative_slope: float) -> Any:
    """Return the gradient of a leaky ReLU from its result.

    Raises:
        RuntimeError: if that does not tell it, since a negative slope makes it positive.
    """
    text = "In-place leakyReLu" + UNKNOWN_FROM_RESULT
    text += (
        " File an issue at https://github.com/pytorch/pytorch if you do require supporting "
        "in-place leakRelu backward calculation with negative slope"
    )
    check(negative_slope >= 0, text)
    return leaky_relu_backward(grad, result, negative_slope)


def computed_in_place(node: str, function: Operation, **formulas: Any) -> Operation:
    """Declare what PyTorch computes in place by other formulas, and so in a node of its own."""
    return hidden(node, inspect.unwrap(function.rule.forward), **formulas)  # type: ignore[attr-defined]


threshold_in_place = computed_in_place(
    "ThresholdBackward1",
    threshold,
    self=lambda grad, self, threshold: threshold_backward(grad, self, threshold),
)
leaky_relu_in_place = computed_in_place(
    "LeakyReluBackward1",
    leaky_relu,
    self=lambda grad, result, negative_slope: leaky_relu_told_by_result(
        grad, result, negative_slope
    ),
)
elu_in_place = computed_in_place(
    "EluBackward1",
    elu,
    self=lambda grad, result, alpha, scale, input_scale: elu_backward(
        grad, result, alpha, scale, input_scale, True
    ),
)
