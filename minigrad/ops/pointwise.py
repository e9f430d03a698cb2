"""Operations on each element: arithmetic, functions, choices, activations, and comparisons.

The formulas are those of PyTorch's derivatives.yaml, factor by factor, so that a recorded second
derivative has PyTorch's nodes. A formula that is a function of its own is called a slope. Where
PyTorch has a node for the gradient, the gradient is an operation, too, and its formulas are called
curves.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.graph import Array
from minigrad.op import no_gradient, op
from minigrad.operands import ARRAYS, NUMBERS, operand, promote
from minigrad.ops.indexing import INPLACE, masked_fill_number, nonzero
from minigrad.ops.shapes import same
from minigrad.public import public
from minigrad.tensor import Tensor, from_array

POINTWISE: dict[str, Any] = {"kind": "pointwise", "variants": INPLACE}
OPERATOR: dict[str, Any] = {"kind": "pointwise", "variants": ""}


def negated(grad: Any) -> Any:
    return -grad


def with_number(array: Array, number: Any) -> Array:
    """An array in the dtype of an operation with a Python number: int with 1.5 becomes float."""
    dtype = array.dtype if number is None else dtypes.of_number(number)
    widens = dtypes.CATEGORY[dtype.kind] > dtypes.CATEGORY[array.dtype.kind]
    return array.astype(dtype) if widens else array


# Sums and differences


add_op = op(
    "add", "AddBackward0", np.add, **OPERATOR, operators="__add__ __radd__", self=same, other=same
)
sub_op = op(
    "sub", "SubBackward0", np.subtract, **OPERATOR, operators="__sub__", self=same, other=negated
)


@public("add", INPLACE)
def add(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """`input + alpha * other`, broadcast and in the common dtype."""
    return add_op(input, other if alpha == 1 else other * alpha)


@public("sub subtract", INPLACE)
def sub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """`input - alpha * other`, broadcast and in the common dtype."""
    return sub_op(input, other if alpha == 1 else other * alpha)


neg = op("neg negative", "NegBackward0", np.negative, **POINTWISE, self=negated)


@op("rsub", "RsubBackward1", variants="", self=negated)
def rsub(self: Array, other: Any) -> Any:
    return other - with_number(self, other)


# Products and quotients

mul = op(
    "mul multiply",
    "MulBackward0",
    np.multiply,
    **POINTWISE,
    operators="__mul__ __rmul__",
    self=lambda grad, other: grad * other,
    other=lambda grad, self: grad * self,
)
div = op(
    "div divide true_divide",
    "DivBackward0",
    np.true_divide,
    kind="floating",
    variants=INPLACE,
    operators="__truediv__",
    self=lambda grad, other: grad / other,
    other=lambda grad, self, other: -grad * ((self / other) / other),
)

# For formulas. Where PyTorch's have a number, its nodes have these names and a single edge.

scale = op("", "MulBackward1", np.multiply, self=lambda grad, other: scale(grad, other))
shift = op("", "AddBackward1", np.add, self=same)
share = op("", "DivBackward1", np.true_divide, self=lambda grad, other: share(grad, other))

# Division with a remainder


def check_divisor(array: Array, divisor: Array) -> None:
    if array.size and array.dtype.kind != "f" and not divisor.all():
        raise RuntimeError("ZeroDivisionError")


@op("floor_divide", "", **POINTWISE, operators="__floordiv__")
def floor_divide(self: Array, other: Array) -> Any:
    """The quotient, rounded down. It has no derivative."""
    check_divisor(self, other)
    return np.floor_divide(self, other)


def mod_slope(grad: Any, self: Any, other: Any) -> Any:
    return -grad * floor_divide(self, other)


@op("remainder", "RemainderBackward0", **POINTWISE, operators="__mod__", self=same, other=mod_slope)
def remainder(self: Array, other: Array) -> Any:
    """What a division that is rounded down leaves over; it has the sign of `other`."""
    check_divisor(self, other)
    return np.remainder(self, other)


# Powers


def power_slope(grad: Any, self: Any, exponent: Any) -> Any:
    return grad * scale(self ** (exponent - 1), exponent) if exponent else no_gradient(grad)


def base_slope(grad: Any, self: Any, other: Any) -> Any:
    return where(other == 0, 0, grad * (other * self ** shift(other, -1)))


def exponent_slope(grad: Any, self: Any, other: Any, result: Any) -> Any:
    return grad * where((self == 0) & (other >= 0), 0, result * log(self))


def exponential_slope(grad: Any, self: float, exponent: Any, result: Any) -> Any:
    if self == 0:
        return grad * where(exponent >= 0, 0, scale(result, -math.inf))
    return grad * scale(result, math.log(self) if self > 0 else math.nan)


@op("pow", "PowBackward0", variants="", self=power_slope)
def power_by_number(self: Array, exponent: Any) -> Any:
    self = with_number(self, exponent)
    # numpy squares by multiplying, but a cube would go through pow.
    return self * self * self if exponent == 3 else self**exponent


power = op("pow", "PowBackward1", np.power, **OPERATOR, self=base_slope, other=exponent_slope)


@op("pow", "PowBackward2", variants="", exponent=exponential_slope)
def power_of_number(exponent: Array, self: Any) -> Any:
    exponent = with_number(exponent, self)
    return np.power(exponent.dtype.type(self), exponent)


@public("pow", INPLACE)
def pow(input: Any, exponent: Any) -> Any:
    """`input` to the power of `exponent`; one of them may be a number."""
    if isinstance(exponent, NUMBERS) and isinstance(input, Tensor):
        return power_by_number(input, np.asarray(exponent).item())
    if isinstance(input, NUMBERS) and isinstance(exponent, Tensor):
        return power_of_number(exponent, np.asarray(input).item())
    return power(input, exponent)


@public("square", INPLACE)
def square(input: Any) -> Any:
    """Each element times itself, as `input ** 2`."""
    return pow(input, 2)


@public("addcmul", INPLACE)
def addcmul(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    """`input + value * tensor1 * tensor2`."""
    return input + scale(tensor1 * tensor2, value)


@public("addcdiv", INPLACE)
def addcdiv(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    """`input + value * tensor1 / tensor2`, as in the update of Adam."""
    return input + scale(tensor1 / tensor2, value)


# Functions


def floating(name: str, forward: Callable[..., Any], formula: Callable[..., Any]) -> Any:
    """Declare a function of each element whose results are floating point."""
    node_name = f"{name.capitalize().replace('1p', '1P')}Backward0"
    return op(name, node_name, forward, kind="floating", variants=INPLACE, self=formula)


def gradient_op(node_name: str, **curves: Any) -> Callable[..., Any]:
    """Declare a gradient as an operation, because PyTorch has a node for it.

    It is linear in its first parameter, `grad_output`, so its slope there is the operation itself.
    """

    def declare(forward: Callable[..., Any]) -> Any:
        itself = functools.wraps(forward)(lambda *args: operation(*args))
        operation = op("", node_name, forward, outputs="grad", grad_output=itself, **curves)
        return operation

    return declare


def tanh_curve(grad: Any, grad_output: Any, result: Any) -> Any:
    return grad * (-2 * result * grad_output)


def sigmoid_curve(grad: Any, grad_output: Any, result: Any) -> Any:
    return grad * (grad_output * (1 - 2 * result))


@gradient_op("TanhBackwardBackward0", result=tanh_curve)
def tanh_gradient(grad_output: Any, result: Any) -> Any:
    return grad_output * (1 - result * result)


@gradient_op("SigmoidBackwardBackward0", result=sigmoid_curve)
def sigmoid_gradient(grad_output: Any, result: Any) -> Any:
    return grad_output * ((1 - result) * result)


reciprocal = floating("reciprocal", np.reciprocal, lambda grad, result: -grad * (result * result))
exp = floating("exp", np.exp, lambda grad, result: grad * result)
log = floating("log", np.log, lambda grad, self: grad / self)
log2 = floating("log2", np.log2, lambda grad, self: grad / scale(self, math.log(2)))
log10 = floating("log10", np.log10, lambda grad, self: grad / scale(self, math.log(10)))
log1p = floating("log1p", np.log1p, lambda grad, self: grad / shift(self, 1))
sqrt = floating("sqrt", np.sqrt, lambda grad, result: grad / scale(result, 2))
sin = floating("sin", np.sin, lambda grad, self: grad * cos(self))
cos = floating("cos", np.cos, lambda grad, self: grad * -sin(self))
tan = floating("tan", np.tan, lambda grad, result: grad * shift(result**2, 1))
atan = floating("atan", np.arctan, lambda grad, self: grad / shift(self * self, 1))
sinh = floating("sinh", np.sinh, lambda grad, self: grad * cosh(self))
cosh = floating("cosh", np.cosh, lambda grad, self: grad * sinh(self))
tanh = floating("tanh", np.tanh, tanh_gradient)


def logistic(self: Array) -> Any:
    """1 / (1 + exp(-input)), which is between 0 and 1."""
    result = np.empty_like(self)
    np.exp(np.negative(self, result), result)
    return np.reciprocal(np.add(result, 1, result), result)


sigmoid = floating("sigmoid", logistic, sigmoid_gradient)

# Signs and rounding

sgn = op("", "SgnBackward0", np.sign, **OPERATOR, self=lambda grad, self, result: no_gradient(grad))
abs = op("abs", "AbsBackward0", np.abs, **POINTWISE, self=lambda grad, self: grad * sgn(self))
for name in ("sign", "floor", "ceil", "trunc"):
    op(name, f"{name.capitalize()}Backward0", getattr(np, name), **POINTWISE, self=no_gradient)


@op("round", "RoundBackward0", variants=INPLACE, self=no_gradient)
def round(self: Array, decimals: int = 0) -> Any:
    """The nearest integer, or number with so many decimals. Halves go to the even neighbor."""
    return np.round(self, decimals)


# Choices


def chosen_slope(grad: Any, condition: Any) -> Any:
    return where(condition, grad, 0)


def other_slope(grad: Any, condition: Any) -> Any:
    return where(condition, 0, grad)


@op("where", "WhereBackward0", variants="", self=chosen_slope, other=other_slope)
def choose(condition: Array, self: Array, other: Array) -> Any:
    return np.where(condition, *promote(self, other, False))


@public("where", "function")
def where(condition: Any, input: Any = None, other: Any = None) -> Any:
    """Elements of `input` where `condition` holds, and of `other` elsewhere.

    With a condition alone: the indices where it holds, one tensor for each dimension.
    """
    if isinstance(condition, ARRAYS):
        return np.where(condition, input, other)
    if input is None:
        return nonzero(condition, as_tuple=True)
    if not isinstance(input, Tensor):
        known = isinstance(other, Tensor)
        input = operand(input, other if known else from_array(np.empty(0, dtypes.of_number(input))))
    if not isinstance(other, Tensor):
        other = operand(other, input)
    return choose(condition, input, other)


def clamp_slope(grad: Any, self: Any, min: Any, max: Any) -> Any:
    inside = self >= min if max is None else self <= max
    return where(inside if None in (min, max) else inside & (self >= min), grad, 0)


@op("clamp clip", "ClampBackward1", variants=INPLACE, self=clamp_slope)
def clamp(self: Array, min: Any = None, max: Any = None) -> Any:
    """Each element, or the bound that it exceeds. The bounds are numbers.

    An element on a bound still gets its gradient; one beyond a bound gets 0.
    """
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    self = with_number(with_number(self, min), max)
    self = self if min is None else np.maximum(self, min)
    return self if max is None else np.minimum(self, max)


def larger_of_two(name: str, forward: np.ufunc, loses: Callable[[Any, Any], Any]) -> Any:
    """Declare maximum or minimum. Equal elements get half of the gradient each."""

    def self_slope(grad: Any, self: Any, other: Any) -> Any:
        part = where(self == other, share(grad, 2), grad)
        return masked_fill_number(part, loses(self, other), 0)

    def other_slope(grad: Any, self: Any, other: Any) -> Any:
        return self_slope(grad, other, self)

    node_name = f"{name.capitalize()}Backward0"
    return op(name, node_name, forward, kind="pointwise", self=self_slope, other=other_slope)


maximum = larger_of_two("maximum", np.maximum, lambda one, another: one < another)
minimum = larger_of_two("minimum", np.minimum, lambda one, another: one > another)

# Activations


@gradient_op("ThresholdBackwardBackward0", self=no_gradient)
def threshold_gradient(grad_output: Array, self: Array, threshold: float) -> Any:
    # np.where(self <= threshold, 0, grad_output), in a fraction of its time: the bits times 0 or 1.
    bits = grad_output.view("i4" if grad_output.itemsize == 4 else "i8")
    return (bits * ~(self <= threshold)).view(grad_output.dtype)


def relu_slope(grad: Any, result: Any) -> Any:
    return threshold_gradient(grad, result, 0)


@op("relu", "ReluBackward0", **POINTWISE, self=relu_slope)
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


def softplus_curve(grad: Any, grad_output: Any, self: Any, beta: float, threshold: float) -> Any:
    bent = self * beta
    return scale(sigmoid_gradient(grad * grad_output, sigmoid(bent)) * (bent < threshold), beta)


@gradient_op("SoftplusBackwardBackward0", self=softplus_curve)
def softplus_gradient(grad_output: Any, self: Any, beta: float, threshold: float) -> Any:
    return np.where(self * beta > threshold, grad_output, grad_output * sigmoid(self * beta))


@op("", "SoftplusBackward0", self=softplus_gradient)
def softplus(self: Array, beta: float = 1.0, threshold: float = 20.0) -> Any:
    """log(1 + exp(beta * x)) / beta, or x itself where beta * x exceeds the threshold."""
    return np.where(self * beta > threshold, self, np.log1p(np.exp(self * beta)) / beta)


# Comparisons and logic

COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")
for name, numpy_name in zip(("eq", "ne", "lt", "le", "gt", "ge"), COMPARISONS, strict=True):
    op(name, "", getattr(np, numpy_name), kind="pointwise", operators=f"__{name}__")
for name in ("and", "or", "xor"):
    op(f"logical_{name}", "", getattr(np, f"logical_{name}"), kind="pointwise")
    operators = f"__{name}__ __r{name}__"
    op(f"bitwise_{name}", "", getattr(np, f"bitwise_{name}"), kind="pointwise", operators=operators)
for name in ("isnan", "isinf", "isfinite", "logical_not"):
    op(name, "", getattr(np, name), kind="pointwise")
bitwise_not = op("bitwise_not", "", np.bitwise_not, kind="pointwise")


@public("equal")
def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape and the same elements."""
    return bool(np.array_equal(input._array, other._array))


@public("allclose")
def allclose(
    input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    """Whether all elements satisfy ``|input - other| <= atol + rtol * |other|``."""
    return bool(np.allclose(input._array, other._array, rtol, atol, equal_nan))


# Operators that aren't an operation with its operands in order


def operator(method: str, call: Callable[..., Any]) -> None:
    """Make a function an operator of Tensor, with a tensor or a number on the other side."""

    def operate(self: Tensor, other: Any) -> Any:
        known = isinstance(other, (Tensor, np.ndarray, *NUMBERS))
        return call(self, other) if known else NotImplemented

    setattr(Tensor, method, operate)


operator("__rsub__", rsub)
operator("__pow__", pow)
operator("__rpow__", lambda self, other: pow(other, self))
operator("__rmod__", lambda self, other: remainder(other, self))
operator("__rfloordiv__", lambda self, other: floor_divide(other, self))
operator("__rtruediv__", lambda self, other: reciprocal(self) * other)
for name in ("add", "sub", "mul", "div", "floor_divide", "remainder", "pow"):
    python_name = {"div": "truediv", "floor_divide": "floordiv", "remainder": "mod"}.get(name, name)
    operator(f"__i{python_name}__", getattr(Tensor, f"{name}_"))
for name, unary in {"neg": neg, "abs": abs, "pos": same, "invert": bitwise_not}.items():
    setattr(Tensor, f"__{name}__", unary)
