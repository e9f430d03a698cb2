"""Operations on each element by itself: arithmetic, functions, comparisons, choices, dtypes.

The formulas are PyTorch's, so that the graph of a recorded backward pass has its nodes too. Where
they combine a tensor with a number, the number is no input of the operation, which is then called
AddBackward1, MulBackward1 and so on (`add_number`, `mul_number`, ...).
Source: https://github.com/pytorch/pytorch/blob/main/tools/autograd/derivatives.yaml
"""

# Formulas refer to operations that are declared below them.
# mypy: disable-error-code="has-type"

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from minigrad import dtypes, elementary
from minigrad.arrays import constant, multiply_add
from minigrad.autograd.node import Array, quiet_copy
from minigrad.data import element
from minigrad.device import check_device
from minigrad.layout import check_format, contiguous_format, preserve_format
from minigrad.layout import memory_format as MemoryFormat
from minigrad.memory import elementwise, in_line, order_of
from minigrad.ops.check import OTHER_SHAPE, check, check_dtypes, check_shapes, require
from minigrad.ops.declare import op
from minigrad.ops.define import define, hidden
from minigrad.ops.half import HALF, rounded_once
from minigrad.ops.promotion import (
    ARRAYS,
    MISSING,
    NUMBERS,
    array_of,
    as_operand,
    two_numbers,
)
from minigrad.ops.registry import Operation, public
from minigrad.outside import warn
from minigrad.tensor import Tensor, from_array

ALL = "function method inplace"
PYTHON_NUMBERS = (int, float, bool)
METHOD = "method"
Function = Callable[..., Any]

TWO_BOOLS = (
    "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
    "`logical_xor()` operator instead."
)
ONE_BOOL = (
    "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to "
    "invert a mask, use the `~` or `logical_not()` operator instead."
)
NEGATED_BOOL = (
    "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a "
    "mask, use the `~` or `logical_not()` operator instead."
)
INTEGER_ADDCDIV = (
    "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will "
    "perform a true division of tensor1 and tensor2. The historic addcdiv behavior can be "
    "implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer "
    "inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv "
    "behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all "
    "dtypes."
)


# Declarations that are much alike


def unary(
    name: str,
    forward: Function,
    formula: Function,
    promote: str = "float",
    node: str = "",
    about: str = "",
    variants: str = ALL,
) -> Operation:
    """Declare a function of one tensor; by default one whose result is floating point.

    Its node is called as it is: ``exp`` makes ExpBackward0, unless another `node` is given.
    """
    node = node or f"{name.capitalize()}Backward0"
    return op(name, node, forward, variants=variants, promote=promote, about=about, self=formula)


def common(node: str, forward: Function, **formulas: Any) -> Operation:
    """Declare an operation that users do not see, on inputs brought to a common dtype."""
    return op("", node, forward, promote="common", **formulas)


def kernel(name: str, kinds: str, function: Any) -> Function:
    """Return a numpy function that refuses dtypes for which PyTorch's has no kernel."""
    if function.nin == 1:
        return lambda self: function(require(self, kinds, name))

    def apply(self: Any, other: Any) -> Any:
        if self.dtype.kind not in kinds:
            check_shapes(self, other)
        return function(require(self, kinds, name), other)

    return apply


def same(grad: Any) -> Any:
    """The formula of a function whose slope is 1."""
    return grad


def flat(grad: Any) -> Any:
    """The formula of a function that is constant almost everywhere."""
    return zeros_like(grad)


def promoted(input: Tensor, *numbers: Any) -> Any:
    """Return a tensor in the dtype that these numbers (or None) give the result."""
    if input.is_floating_point():
        return input
    given = [number for number in numbers if number is not None]
    return to_dtype(input, dtypes.common(input._array, *given))


def floating(input: Any) -> Any:
    """Return a tensor of integers or booleans in the default dtype, and others as they are."""
    if isinstance(input, Tensor) and not input.is_floating_point():
        return to_dtype(input, dtypes.get_default_dtype())
    return input


# What formulas are made of

zeros_like = hidden("", lambda self: np.zeros(self.shape, self.dtype))
add_number = hidden("AddBackward1", lambda self, other: self + other, self=same)
sub_number = hidden("SubBackward1", lambda self, other: self - other, self=same)
mul_number = hidden(
    "MulBackward1",
    rounded_once(lambda self, other: self * other),
    self=lambda grad, other: mul_number(grad, other),
)
div_number = hidden(
    "DivBackward1",
    rounded_once(lambda self, other: self / other),
    self=lambda grad, other: div_number(grad, other),
)
choose_tensors = hidden(
    "WhereBackward0",
    elementwise(lambda condition, self, other: np.where(condition, *alike(self, other))),
    self=lambda grad, condition: choose(condition, grad, 0),
    other=lambda grad, condition: choose(condition, 0, grad),
)


def choose(condition: Any, input: Any, other: Any) -> Any:
    """Take elements of one or the other, each a tensor, an array or a number."""
    if not isinstance(condition, Tensor):
        return np.where(condition, input, other)
    like = input if isinstance(input, Tensor) else other
    like = like if isinstance(like, Tensor) else condition
    return choose_tensors(condition, as_operand(input, like), as_operand(other, like))


def as_numbers(condition: Any, like: Any) -> Any:
    """Return 1 where something holds, else 0, in the dtype of another array or tensor."""
    if isinstance(condition, Tensor):
        return from_array(condition._value.astype(like._value.dtype))
    return condition.astype(like.dtype)


def in_dtype_of(like: Any, value: Any) -> Any:
    """Return an array or tensor in the dtype of another."""
    if isinstance(value, Tensor):
        return value if value.dtype is like.dtype else to_dtype(value, like.dtype)
    return value.astype(like.dtype, copy=False)


def alike(self: Array, other: Array) -> tuple[Array, Array]:
    """Return two arrays in their common dtype."""
    if self.dtype is other.dtype:
        return self, other
    dtype = dtypes.common(self, other).numpy_dtype
    return self.astype(dtype), other.astype(dtype)


# Arithmetic

add_tensors = common("AddBackward0", operator.add, self=same, other=same)
add_multiple = common(
    "AddBackward0",
    lambda self, other, alpha: multiply_add(self, other, alpha),
    self=same,
    other=lambda grad, alpha: mul_number(grad, alpha),
)
sub_tensors = common("SubBackward0", operator.sub, self=same, other=lambda grad: -grad)
sub_multiple = common(
    "SubBackward0",
    lambda self, other, alpha: multiply_add(self, -other, alpha),
    self=same,
    other=lambda grad, alpha: mul_number(-grad, alpha),
)
rsub_tensors = common(
    "RsubBackward0", lambda self, other: other - self, self=lambda grad: -grad, other=same
)
rsub_multiple = common(
    "RsubBackward0",
    lambda self, other, alpha: multiply_add(other, -self, alpha),
    self=lambda grad, alpha: mul_number(-grad, alpha),
    other=same,
)
rsub_number = hidden(
    "RsubBackward1",
    lambda self, other, alpha: other - (self if alpha == 1 else self * alpha),
    self=lambda grad, alpha: -grad if alpha == 1 else mul_number(-grad, alpha),
)


@public("add", ALL)
def add(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """Return ``input + alpha * other``.

    Raises:
        RuntimeError: if the shapes cannot be broadcast, or a fraction is to multiply integers.

    >>> import minigrad as torch
    >>> torch.add(torch.tensor([1.0, 2.0]), torch.tensor([10.0, 20.0]), alpha=2)
    tensor([21., 42.])
    """
    if type(alpha) is not int or alpha != 1:
        input, other, alpha = with_alpha("add", input, other, alpha)
    return add_tensors(input, other) if alpha == 1 else add_multiple(input, other, alpha)


@public("sub", ALL)
def sub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """Return ``input - alpha * other``.

    Raises:
        RuntimeError: if either is boolean; otherwise as `add`.
    """
    refuse_bools(input, other)
    if type(alpha) is not int or alpha != 1:
        input, other, alpha = with_alpha("sub", input, other, alpha)
    return sub_tensors(input, other) if alpha == 1 else sub_multiple(input, other, alpha)


@public("rsub", "function")
def rsub(input: Tensor, other: Any, *, alpha: Any = 1) -> Any:
    """Return ``other - alpha * input``; raises as `sub`."""
    refuse_bools(input, other)
    if type(alpha) is not int or alpha != 1:
        alpha = checked_alpha(alpha, other, input)
    if isinstance(other, Tensor):
        check_shapes(other, input)
        plain = alpha == 1
        return rsub_tensors(input, other) if plain else rsub_multiple(input, other, alpha)
    input = promoted(input, other)
    return rsub_number(input, wrapped(other, input), alpha)


def wrapped(number: Any, like: Tensor) -> Any:
    """Return a number as the dtype of a tensor holds it: an integer that is too large, wrapped."""
    dtype = like._value.dtype
    return number if dtype.kind == "f" else np.array(number).astype(dtype)[()]


def with_alpha(function: str, input: Any, other: Any, alpha: Any) -> tuple[Any, Any, Any]:
    """Return two operands, tensors for two numbers, and what the second is multiplied with."""
    input, other = operands(function, input, other)
    return input, other, checked_alpha(alpha, input, other)


def operands(function: str, input: Any, other: Any) -> tuple[Any, Any]:
    """Return two operands, or tensors for two numbers of Python, which formulas do not give."""
    if type(input) in PYTHON_NUMBERS and type(other) in PYTHON_NUMBERS:
        return two_numbers(function, input, other)
    return input, other


def checked_alpha(alpha: Any, *operands: Any) -> Any:
    """Return a multiplier that the operands' common dtype can hold, if they can be broadcast."""
    check_shapes(*[one for one in operands if isinstance(one, Tensor)])
    dtype = dtypes.common(*map(array_of, operands))
    fits = not isinstance(alpha, float) or dtype.is_floating_point
    text = "For integral input tensors, argument alpha must not be a floating point number."
    check(fits, text)
    fits = not isinstance(alpha, bool) or dtype is dtypes.bool_
    check(fits, "Boolean alpha only supported for Boolean results.")
    held = element(alpha, dtype.numpy_dtype)
    return alpha if dtype.is_floating_point else held


def refuse_bools(input: Any, other: Any) -> None:
    """Raise PyTorch's error for a difference with booleans."""
    if is_bool(input) or is_bool(other):
        raise RuntimeError(TWO_BOOLS if is_bool(input) and is_bool(other) else ONE_BOOL)


def is_true(value: Any) -> bool:
    """Return whether a 0-d array or tensor is true."""
    return bool(value)


def is_bool(value: Any) -> bool:
    """Return whether a tensor or number is boolean."""
    if isinstance(value, Tensor):
        return bool(value._value.dtype.kind == "b")
    return isinstance(value, bool)


def rounded_quotient(self: Array, other: Array, rounding_mode: str) -> Any:
    """Return the quotient of arrays, rounded toward zero or down."""
    floating = other.dtype.kind == "f"
    if floating or require(self, "fiu", f"div_{rounding_mode}_cpu").dtype.kind == "f":
        return np.floor_divide(self, other) if rounding_mode == "floor" else np.trunc(self / other)
    down = np.floor_divide(self, nonzero(self, other))
    return down if rounding_mode == "floor" else down + ((down < 0) & (down * other != self))


def nonzero(dividend: Any, divisor: Any) -> Any:
    """Return a divisor.

    Raises:
        RuntimeError: if it is zero somewhere and both are integers, of which there are some.
    """
    kinds = np.asarray(dividend).dtype.kind + np.asarray(divisor).dtype.kind
    if "f" not in kinds and not np.all(divisor):
        check_shapes(np.asarray(dividend), np.asarray(divisor))
        check(not np.broadcast(dividend, divisor).size, "ZeroDivisionError")
    return divisor


mul = op(
    "mul",
    "MulBackward0",
    operator.mul,
    variants=ALL,
    promote="common",
    self=lambda grad, other: grad * other,
    other=lambda grad, self: grad * self,
    about="Return ``input * other``; one of them may be a number.",
)
div_tensors = op(
    "true_divide",
    "DivBackward0",
    operator.truediv,
    variants=ALL,
    promote="float",
    self=lambda grad, other: grad / other,
    other=lambda grad, self, other: of_divisor(grad, (self / other) / other),
    about="Return ``input / other``, a float.",
)


def of_divisor(grad: Any, slope: Any) -> Any:
    """Return the gradient of a divisor; a function, since the slope is to be computed first."""
    return -grad * slope


div_rounded = common(
    "DivBackward2",
    rounded_quotient,
    # What they name is saved as in PyTorch.
    self=lambda grad, other, rounding_mode: flat(grad),
    other=lambda grad, self, other, rounding_mode: flat(grad),
)
div_unrounded = hidden(
    "DivBackward2",
    lambda self, other, rounding_mode: self / other,
    promote="float",
    self=lambda grad, other, rounding_mode: grad / other,
    other=lambda grad, self, other, rounding_mode: of_divisor(grad, (self / other) / other),
)


def floor_division(name: str, variants: str) -> Operation:
    """Declare division that rounds down; the refusal to differentiate it names the form."""
    return op(
        "floor_divide",
        "NotImplemented",
        lambda self, other: rounded_quotient(self, other, "floor"),
        variants=variants,
        promote="common",
        self=lambda grad: refuse_backward(name),
        other=lambda grad: refuse_backward(name),
        about="Return ``input / other``, rounded down to whole numbers.",
    )


floor_divide = floor_division("floor_divide", "function method")
floor_divide_in_place = floor_division("floor_divide_", "inplace")


@public("div", ALL)
def div(input: Any, other: Any, *, rounding_mode: Any = MISSING) -> Any:
    """Return ``input / other``, a float; or rounded to ``"trunc"`` (toward zero) or ``"floor"``.

    Raises:
        RuntimeError: for another rounding mode, shapes that cannot be broadcast, or integers that
            are divided by zero and rounded.

    >>> import minigrad as torch
    >>> torch.div(torch.tensor([7, -7]), 2, rounding_mode="floor")
    tensor([ 3, -4])
    """
    if rounding_mode is MISSING:
        return div_tensors(input, other)
    input, other = operands("true_divide", input, other)
    if rounding_mode is None:
        return div_unrounded(input, other, None)
    text = "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{}'"
    check(rounding_mode in ("trunc", "floor"), text, rounding_mode)
    return div_rounded(input, other, rounding_mode)


def refuse_backward(name: str) -> Any:
    """Raise the error for a backward pass through what PyTorch has no formula for."""
    raise RuntimeError(f"derivative for aten::{name} is not implemented")


def modulo(self: Any, other: Any) -> Any:
    """Return the remainder of arrays with the sign of the divisor; that of 0 is the dividend's."""
    left = np.fmod(require(np.asarray(self), "fiu", "remainder_cpu"), nonzero(self, other))
    return np.where((left != 0) & ((left < 0) != (other < 0)), left + other, left)


def fraction(self: Any, other: Any) -> Any:
    """Return the remainder of arrays with the sign of the dividend."""
    return np.fmod(require(self, "fiu", "fmod_cpu"), nonzero(self, other))


remainder_number = hidden("RemainderBackward0", modulo, self=same)
remainder_tensors = common(
    "RemainderBackward1",
    modulo,
    self=same,
    other=lambda grad, self, other: -grad * div(self, other, rounding_mode="floor"),
)
remainder_of_number = hidden(
    "NotImplemented", modulo, other=lambda grad: refuse_backward("remainder")
)
fmod_number = hidden("FmodBackward0", fraction, self=same)
fmod_tensors = common(
    "FmodBackward1",
    fraction,
    self=same,
    other=lambda grad, self, other: -grad * div(self, other, rounding_mode="trunc"),
)


@public("remainder", ALL)
def remainder(input: Any, other: Any) -> Any:
    """Return what is left of ``input`` after division by ``other``, with the sign of ``other``.

    Raises:
        RuntimeError: if integers are divided by zero.
    """
    if not isinstance(input, Tensor):
        other = promoted(other, input)
        number = quiet_copy().run(np.array(input).astype, other._value.dtype)
        return remainder_of_number(number, other)
    if isinstance(other, Tensor):
        return remainder_tensors(input, other)
    input = promoted(input, other)
    return remainder_number(input, wrapped(other, input))


@public("fmod", ALL)
def fmod(input: Tensor, other: Any) -> Any:
    """Return what is left of ``input`` after division by ``other``, with the sign of ``input``.

    Raises:
        RuntimeError: if integers are divided by zero.
    """
    if isinstance(other, Tensor):
        return fmod_tensors(input, other)
    input = promoted(input, other)
    return fmod_number(input, wrapped(other, input))


neg_tensor = op("", "NegBackward0", np.negative, promote="common", self=lambda grad: -grad)


@public("neg", ALL)
def neg(input: Tensor) -> Any:
    """Return ``-input``.

    Raises:
        RuntimeError: if it is boolean.
    """
    if is_bool(input):
        raise RuntimeError(NEGATED_BOOL)
    return neg_tensor(input)


@public("positive")
def positive(input: Tensor) -> Tensor:
    """Return ``input`` itself.

    Raises:
        RuntimeError: if it is boolean.
    """
    if is_bool(input):
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


# Powers, exponentials, logarithms


def pow_slope(grad: Any, self: Any, exponent: Any) -> Any:
    """Return the gradient of the base that was raised to a number."""
    if exponent == 0:
        return flat(grad)
    exponent = float(exponent)
    return grad * mul_number(pow(self, exponent - 1), exponent)


def power(self: Any, exponent: Any) -> Any:
    """Return a power of arrays; that of an integer to a negative one is truncated to 0, 1 or -1."""
    if exponent.dtype.kind == "f" and exponent.size == 1 and exponent == 0.5:
        # Of a single exponent numpy takes roots, which -inf and -0 have others of.
        exponent = np.full(np.broadcast_shapes(np.shape(self), exponent.shape), exponent)
    if exponent.dtype.kind == "f" or np.all(require(exponent, "iu", "pow") >= 0):
        return elementary.power(self, exponent)
    inverse = self ** np.abs(exponent)
    return np.where((exponent < 0) & (np.abs(inverse) != 1), 0, inverse)


# Powers that PyTorch computes without a logarithm.
OF_PRODUCTS: dict[float, Function] = {
    0.5: np.sqrt,
    2: np.square,
    3: lambda self: self * self * self,
    -0.5: lambda self: rsqrt(self),
    -1: lambda self: 1 / self,
    -2: lambda self: 1 / (self * self),
}


def number_power(self: Any, exponent: Any) -> Any:
    """Return a power of an array to a number; of booleans, to a boolean one, the base or True."""
    if self.dtype.kind == "b":
        return self | (not exponent)
    if self.dtype.kind != "f":
        return self ** element(exponent, self.dtype)
    if exponent in OF_PRODUCTS:
        return OF_PRODUCTS[exponent](self)
    return elementary.power(self, np.asarray(exponent, self.dtype))


def one_less(exponent: Any) -> Any:
    """Return an exponent less 1; raise RuntimeError for booleans."""
    check(exponent.dtype not in (dtypes.bool_, np.bool_), ONE_BOOL)
    return sub_number(exponent, 1)


pow_number = hidden(
    "PowBackward0",
    number_power,
    self=pow_slope,
)
pow_tensors = common(
    "PowBackward1",
    power,
    self=lambda grad, self, exponent, result: choose(
        exponent == 0, 0, grad * (exponent * pow(self, one_less(exponent)))
    ),
    exponent=lambda grad, self, exponent, result: (
        grad * choose((self == 0) & (exponent >= 0), 0, result * log(in_dtype_of(result, self)))
    ),
)
pow_of_number = hidden(
    "PowBackward2",
    lambda self, exponent: in_line(power(np.asarray(self, exponent.dtype), exponent)),
    exponent=lambda grad, self, exponent, result: (
        grad * choose(exponent >= 0, 0, mul_number(result, -math.inf))
        if self == 0
        else grad * mul_number(result, math.log(self) if self > 0 else math.nan)
    ),
)


@public("pow", ALL)
def pow(input: Any, exponent: Any) -> Any:
    """Return ``input`` raised to the power ``exponent``; one of them may be a number.

    Raises:
        RuntimeError: if integers are raised to a negative number.

    >>> import minigrad as torch
    >>> torch.pow(2, torch.tensor([1.0, 2.0, 3.0]))
    tensor([2., 4., 8.])
    """
    if isinstance(exponent, Tensor):
        if isinstance(input, Tensor):
            return pow_tensors(input, exponent)
        exponent = promoted(exponent, input)
        return pow_of_number(wrapped(input, exponent), exponent)
    if isinstance(exponent, ARRAYS) and exponent.dtype.kind == "f":
        return power(np.asarray(input, exponent.dtype), exponent)
    if not isinstance(input, Tensor):
        return number_power(input, exponent) if type(exponent) is float else input**exponent
    base = promoted(input, exponent)
    if exponent < 0 and not base.is_floating_point():
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    return pow_number(base, exponent)


@public("square", ALL)
def square(input: Tensor) -> Any:
    """Return ``input ** 2``."""
    return pow(input, 2)


reciprocal = unary(
    "reciprocal",
    lambda self: 1 / self,
    lambda grad, result: -grad * (result * result),
    about="Return ``1 / input``.",
)
exp = unary(
    "exp",
    elementary.exp,
    lambda grad, result: grad * result,
    about="Return e raised to each element.",
)
expm1 = unary(
    "expm1",
    elementary.expm1,
    lambda grad, result: grad * add_number(result, 1),
    about="Return ``exp(input) - 1``, exact where the input is small.",
)
log = unary(
    "log",
    elementary.log,
    lambda grad, self: grad / self,
    about="Return the natural logarithm of each element.",
)
log1p = unary(
    "log1p",
    elementary.log1p,
    lambda grad, self: grad / add_number(self, 1),
    node="Log1PBackward0",
    about="Return ``log(1 + input)``, exact where the input is small.",
)
log2 = unary(
    "log2",
    elementary.log2,
    lambda grad, self: grad / mul_number(self, math.log(2)),
    about="Return the logarithm of each element to base 2.",
)
log10 = unary(
    "log10",
    elementary.log10,
    lambda grad, self: grad / mul_number(self, math.log(10)),
    about="Return the logarithm of each element to base 10.",
)
sqrt = unary(
    "sqrt",
    np.sqrt,
    lambda grad, result: grad / mul_number(result, 2),
    about="Return the square root of each element; nan of negative ones.",
)


def inverse_root(self: Array) -> Any:
    """Return 1 over the square root; PyTorch rounds float16 once where it takes 32 at a time."""
    found: Any = 1 / np.sqrt(self)
    if self.dtype is HALF and self.size >= 32:
        together = self.size - self.size % 32
        line = found.reshape(-1)
        line[:together] = 1 / np.sqrt(self.reshape(-1)[:together].astype(np.float32))
        found = line.reshape(self.shape)
    return found


rsqrt = unary(
    "rsqrt",
    inverse_root,
    lambda grad, result: mul_number(grad, -0.5) * pow(result, 3),
    about="Return ``1 / sqrt(input)``.",
)
logaddexp = op(
    "logaddexp",
    "LogaddexpBackward0",
    kernel("logaddexp_cpu", "f", np.logaddexp),
    promote="common",
    numbers=False,
    self=lambda grad, self, other: grad / add_number(exp(other - self), 1),
    other=lambda grad, self, other: grad / add_number(exp(self - other), 1),
    about="Return ``log(exp(input) + exp(other))``, without overflow.",
)


def weighted_logarithm(self: Any, other: Any) -> Any:
    """Return ``self * log(other)`` of arrays; 0 where the weight is 0, unless the other is nan."""
    return np.where((self == 0) & (other == other), 0, self * elementary.log(other))


xlogy_tensors = hidden(
    "XlogyBackward0",
    weighted_logarithm,
    promote="float",
    self=lambda grad, self, other: masked_fill(xlogy(grad, other), (self == 0) & (other <= 0), 0),
    other=lambda grad, self, other: grad * self / other,
)
xlogy_of_number = hidden(
    "XlogyBackward1",
    lambda self, other: weighted_logarithm(other.dtype.type(self), other),
    other=lambda grad, self, other: mul_number(grad, self) / other,
)
xlogy_number = hidden(
    "XlogyBackward2",
    lambda self, other: weighted_logarithm(self, self.dtype.type(other)),
    self=lambda grad, self, other: (
        xlogy(grad, other) if other > 0 else masked_fill(xlogy(grad, other), self == 0, 0)
    ),
)


@public("xlogy", ALL)
def xlogy(input: Any, other: Any) -> Any:
    """Return ``input * log(other)``; 0 where the input is 0. One of them may be a number.

    Raises:
        RuntimeError: if the shapes cannot be broadcast.
        TypeError: if both are numbers.

    >>> import minigrad as torch
    >>> torch.xlogy(torch.tensor([0.0, 1.0]), torch.tensor([0.0, 1.0]))
    tensor([0., 0.])
    """
    if isinstance(input, NUMBERS) and isinstance(other, Tensor):
        return xlogy_of_number(input, floating(other))
    if isinstance(other, NUMBERS) and isinstance(input, (Tensor, np.ndarray)):
        return xlogy_number(floating(input), other)
    return xlogy_tensors(input, other)


# Trigonometry

sin = unary(
    "sin",
    elementary.sin,
    lambda grad, self: grad * cos(self),
    about="Return the sine of each element, in radians.",
)
cos = unary(
    "cos",
    elementary.cos,
    lambda grad, self: grad * -sin(self),
    about="Return the cosine of each element, in radians.",
)
tan = unary(
    "tan",
    elementary.tan,
    lambda grad, result: grad * add_number(pow(result, 2), 1),
    about="Return the tangent of each element, in radians.",
)
asin = unary(
    "asin",
    elementary.arcsin,
    lambda grad, self: grad * rsqrt(add_number(-self * self, 1)),
    about="Return the angle, in radians, whose sine each element is.",
)
acos = unary(
    "acos",
    elementary.arccos,
    lambda grad, self: grad * -rsqrt(add_number(-self * self, 1)),
    about="Return the angle, in radians, whose cosine each element is.",
)
atan = unary(
    "atan",
    elementary.arctan,
    lambda grad, self: grad / add_number(self * self, 1),
    about="Return the angle, in radians, whose tangent each element is.",
)
sinh = unary(
    "sinh",
    elementary.sinh,
    lambda grad, self: grad * cosh(self),
    about="Return the hyperbolic sine of each element.",
)
cosh = unary(
    "cosh",
    elementary.cosh,
    lambda grad, self: grad * sinh(self),
    about="Return the hyperbolic cosine of each element.",
)
tanh = unary(
    "tanh",
    elementary.tanh,
    lambda grad, result: tanh_backward(grad, result),
    about="Return the hyperbolic tangent of each element.",
)
tanh_backward = hidden(
    "TanhBackwardBackward0",
    rounded_once(
        lambda grad_output, output: grad_output * (constant(1, output.dtype) - output * output)
    ),
    grad_output=lambda grad, output: tanh_backward(grad, output),
    output=lambda grad, grad_output, output: grad * (mul_number(output, -2) * grad_output),
)


def atan2_backward(grad: Any, self: Any, other: Any, grad_input_mask: tuple[bool, bool]) -> Any:
    """Return the gradients of heights and widths from that of the angle, 0 at the origin."""
    widths = other * other
    square = self * self + widths
    inverse = masked_fill(reciprocal(square), square == 0, 0)
    return (
        grad * other * inverse if grad_input_mask[0] else None,
        grad * -self * inverse if grad_input_mask[1] else None,
    )


atan2 = op(
    "atan2",
    "Atan2Backward0",
    elementary.arctan2,
    variants=ALL,
    promote="float",
    numbers=False,
    self=atan2_backward,
    other=atan2_backward,
    about="Return the angle, in radians, of the points with these heights (``input``) and widths.",
)
hypot = op(
    "hypot",
    "HypotBackward0",
    kernel("hypot_cpu", "f", np.hypot),
    variants=ALL,
    promote="common",
    numbers=False,
    self=lambda grad, self, result: grad * self / result,
    other=lambda grad, other, result: grad * other / result,
    about="Return ``sqrt(input**2 + other**2)``.",
)


def logistic(self: Any) -> Any:
    """Return ``1 / (1 + exp(-self))`` of an array."""
    return np.reciprocal(elementary.exp(-self) + constant(1, self.dtype))


# Functions that statistics and networks use; more of these in `minigrad.ops.activation`

sigmoid = unary(
    "sigmoid",
    rounded_once(logistic),
    lambda grad, result: sigmoid_backward(grad, result),
    about="Return ``1 / (1 + exp(-input))``.",
)
sigmoid_backward = hidden(
    "SigmoidBackwardBackward0",
    lambda grad_output, output: grad_output * (constant(1, output.dtype) - output) * output,
    grad_output=lambda grad, output: sigmoid_backward(grad, output),
    output=lambda grad, grad_output, output: (
        grad * grad_output * add_number(mul_number(output, -2), 1)
    ),
)


def logit_backward(grad: Any, self: Any, eps: Any) -> Any:
    """Return the gradient of logit: nan, or with `eps` 0, where it is not the inverse."""
    low, outside = (0, math.nan) if eps is None else (eps, 0)
    inside = (self >= low) & (self <= 1 - low)
    if not isinstance(self, Tensor):  # where PyTorch asks for what lies outside
        inside = inside | np.isnan(self)
    return choose(inside, grad / (self * sub_tensors(1, self)), outside)


@define("LogitBackward0", ALL, promote="float", self=logit_backward)
def logit(self: Array, eps: float | None = None) -> Any:
    """Return ``log(input / (1 - input))``, the inverse of sigmoid; `eps` keeps it from 0 and 1."""
    kept = self if eps is None else np.clip(self, eps, 1 - eps)
    return elementary.log(kept / (1 - kept))


erf = unary(
    "erf",
    rounded_once(lambda self: error_function(self)),
    lambda grad, self: mul_number(exp(-pow(self, 2)), 2 / math.sqrt(math.pi)) * grad,
    about="Return the error function of each element.",
)
relu = unary(
    "relu",
    lambda self: np.maximum(0, not_bool(self, "relu")),  # of 0 and -0 the second
    lambda grad, result: threshold_backward(grad, result, 0),
    "common",
    about="Return the larger of each element and 0.",
)
threshold_backward = hidden(
    "ThresholdBackwardBackward0",
    lambda grad_output, self, threshold: np.where(self <= threshold, 0, grad_output),
    grad_output=lambda grad, self, threshold: threshold_backward(grad, self, threshold),
    self=flat,
)


def not_bool(array: Array, name: str) -> Array:
    """Return the array, or refuse a boolean one."""
    if array.dtype.kind == "b":
        raise RuntimeError(f"Boolean inputs not supported for {name}")
    return array


def error_function(self: Any) -> Any:
    """Return erf of each element: numpy has none, so it is Python's."""
    return np.asarray(np.frompyfunc(math.erf, 1, 1)(self)).astype(self.dtype)


# Signs, rounding, bounds

abs = unary(
    "abs",
    kernel("abs_cpu", "fiu", np.absolute),
    lambda grad, self: grad * sgn(self),
    "common",
    about="Return the absolute value of each element.",
)
sign = unary(
    "sign",
    lambda self: direction(self),
    flat,
    "common",
    about="Return -1, 0 or 1 for each element, as its sign is.",
)
sgn = unary(
    "sgn",
    lambda self: direction(self),
    lambda grad, self, result: flat(grad),  # saved as in PyTorch
    "common",
    about="Return -1, 0 or 1 for each element, as its sign is.",
)
floor = unary(
    "floor",
    kernel("floor_vml_cpu", "fiu", np.floor),
    flat,
    "common",
    about="Return each element rounded down.",
)
ceil = unary(
    "ceil",
    kernel("ceil_vml_cpu", "fiu", np.ceil),
    flat,
    "common",
    about="Return each element rounded up.",
)
trunc = unary(
    "trunc",
    kernel("trunc_vml_cpu", "fiu", np.trunc),
    flat,
    "common",
    about="Return each element rounded toward 0.",
)
frac = unary(
    "frac",
    lambda self: require(self, "f", "frac_cpu") - np.trunc(self),
    same,
    "common",
    about="Return what each element has beyond its whole number, with its sign.",
)
round_to_integer = hidden(
    "RoundBackward0", lambda self: np.round(require(self, "fiu", "round_vml_cpu")), self=flat
)
round_to_decimals = hidden(
    "RoundBackward1",
    rounded_once(
        lambda self, decimals: np.round(
            require(self, "f", "round_cpu" if decimals else "round_vml_cpu"), decimals
        )
    ),
    self=flat,
)


@public("round", ALL)
def round(input: Tensor, *, decimals: int | None = None) -> Any:
    """Round to the nearest integer, halves to the even one; or to so many decimals."""
    return round_to_integer(input) if decimals is None else round_to_decimals(input, decimals)


def direction(self: Any) -> Any:
    """Return -1, 0 or 1; 0 for nan, as PyTorch does."""
    return ((self > 0) ^ (self < 0)) * np.where(self < 0, -1, 1).astype(self.dtype)


maximum = op(
    "maximum",
    "MaximumBackward0",
    np.maximum,
    promote="common",
    numbers=False,
    self=lambda grad, self, other: shared(grad, self, other, self < other),
    other=lambda grad, self, other: shared(grad, self, other, self > other),
    about="Return the larger of two elements; nan if one is.",
)
minimum = op(
    "minimum",
    "MinimumBackward0",
    np.minimum,
    promote="common",
    numbers=False,
    self=lambda grad, self, other: shared(grad, self, other, self > other),
    other=lambda grad, self, other: shared(grad, self, other, self < other),
    about="Return the smaller of two elements; nan if one is.",
)


def shared(grad: Any, self: Any, other: Any, lost: Any) -> Any:
    """Return the gradient of one of two that compete: half of it where they are equal."""
    return masked_fill(choose(self == other, div_number(grad, 2), grad), lost, 0)


def limited(self: Array, min: Any, max: Any) -> Any:
    """Return an array within bounds, one of which may be None; 0 keeps its sign there."""
    result = self if min is None else np.maximum(as_bound(min, self), self)
    return result if max is None else np.minimum(as_bound(max, self), result)


def as_bound(bound: Any, like: Any) -> Any:
    """Return a bound, a number as the dtype of what is limited holds it."""
    return bound if isinstance(bound, np.ndarray) else element(bound, like.dtype)


def inside(grad: Any, self: Any, min: Any, max: Any) -> Any:
    """Return the gradient where the element was within its bounds, one of which may be None."""
    if min is None:
        return choose(self <= max, grad, 0)
    within = self >= min if max is None else joined(self >= min, operator.and_, self <= max)
    return choose(within, grad, 0)


def joined(first: Any, join: Callable[[Any, Any], Any], second: Any) -> Any:
    """Return two conditions joined in place of the first, as PyTorch does.

    Raises:
        RuntimeError: if the second has to be broadcast to more than the first's shape.
    """
    size, shape = list(first.shape), list(np.broadcast_shapes(first.shape, second.shape))
    check(size == shape, OTHER_SHAPE, size, shape)
    return join(first, second)


clamp_numbers = hidden("ClampBackward1", limited, self=inside)
clamp_tensors = common(
    "ClampBackward0",
    limited,
    self=inside,
    min=lambda grad, self, min, max: choose(joined(self < min, operator.and_, min < max), grad, 0),
    max=lambda grad, self, min, max: choose(joined(self > max, operator.or_, max < min), grad, 0),
)
clamp_min_number = hidden(
    "ClampMinBackward0",
    lambda self, min: limited(self, min, None),
    self=lambda grad, self, min: inside(grad, self, min, None),
)
clamp_min_tensor = common(
    "ClampMinBackward1",
    lambda self, min: limited(self, min, None),
    self=lambda grad, self, min: inside(grad, self, min, None),
    min=lambda grad, self, min: choose(self < min, grad, 0),
)
clamp_max_number = hidden(
    "ClampMaxBackward0",
    lambda self, max: limited(self, None, max),
    self=lambda grad, self, max: inside(grad, self, None, max),
)
clamp_max_tensor = common(
    "ClampMaxBackward1",
    lambda self, max: limited(self, None, max),
    self=lambda grad, self, max: inside(grad, self, None, max),
    max=lambda grad, self, max: choose(self > max, grad, 0),
)


@public("clamp", ALL)
def clamp(input: Tensor, min: Any = None, max: Any = None) -> Any:
    """Limit each element to the range from ``min`` to ``max``, two numbers or two tensors.

    The gradient passes where the element is inside the range, bounds included.

    Raises:
        RuntimeError: if there is neither bound, or the shapes cannot be broadcast.
        TypeError: if one is a number and the other a tensor, unless this is 0-d and needs no
            gradient: then it stands for its number.

    >>> import minigrad as torch
    >>> torch.clamp(torch.tensor([-1.0, 0.5, 2.0]), min=0, max=1)
    tensor([0.0000, 0.5000, 1.0000])
    """
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    kinds = {isinstance(bound, Tensor) for bound in (min, max) if bound is not None}
    if len(kinds) == 2:
        numbers = number_of(min), number_of(max)
        if isinstance(numbers[0], Tensor) or isinstance(numbers[1], Tensor):
            raise TypeError(mixed_bounds(min, max))
        min, max = numbers
    if not isinstance(min, Tensor) and not isinstance(max, Tensor):
        return clamp_numbers(limitable(input, min, max), min, max)
    given = [input, *[one for one in (min, max) if one is not None]]
    check_shapes(*given)
    dtype = dtypes.common(*map(array_of, given)).numpy_dtype
    if len(given) == 3:
        require(np.empty(0, dtype), "fiu", "clamp_cpu")
    shape = np.broadcast_shapes(*[tuple(one.shape) for one in given])
    bounds = [
        unreachable(dtype, sign, shape) if bound is None else bound
        for bound, sign in ((min, -1), (max, 1))
    ]
    return clamp_tensors(input, *bounds)


@public("clamp_min", ALL)
def clamp_min(input: Tensor, min: Any) -> Any:
    """Return the larger of each element and ``min``, a number or a tensor."""
    if isinstance(min, Tensor):
        check_shapes(input, min)
        return clamp_min_tensor(input, min)
    return clamp_min_number(limitable(input, min), min)


@public("clamp_max", ALL)
def clamp_max(input: Tensor, max: Any) -> Any:
    """Return the smaller of each element and ``max``, a number or a tensor."""
    if isinstance(max, Tensor):
        check_shapes(input, max)
        return clamp_max_tensor(input, max)
    return clamp_max_number(limitable(input, None, max), max)


def limitable(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Return a tensor in the dtype in which it is limited by numbers, which cannot be bool."""
    result: Tensor = promoted(input, min, max)
    bound = "_max" if min is None else "_min" if max is None else ""
    require(result._array, "fiu", f"clamp{bound}_scalar_cpu")
    return result


def number_of(bound: Any) -> Any:
    """Return the number that a 0-d tensor stands for; others as they are."""
    stands = isinstance(bound, Tensor) and not bound.ndim and not bound.requires_grad
    return bound.item() if stands else bound


def mixed_bounds(min: Any, max: Any) -> str:
    """Return PyTorch's message for a bound that is a number beside one that is a tensor."""
    names = ["Tensor" if isinstance(one, Tensor) else type(one).__name__ for one in (min, max)]
    wrong = "      didn't match because some of the arguments have invalid types: "
    wrong += f"(!{names[0]}!, !{names[1]}!)\n"
    return (
        "clamp() received an invalid combination of arguments - got "
        f"({', '.join(names)}), but expected one of:\n * (Tensor min = None, Tensor max = None)\n"
        f"{wrong} * (Number min = None, Number max = None)\n{wrong}"
    )


def unreachable(dtype: np.dtype[Any], direction: int, shape: tuple[int, ...]) -> Tensor:
    """Return a bound of a shape that no element of a dtype reaches, in place of None."""
    bound: Any = direction > 0
    if dtype.kind == "f":
        bound = direction * math.inf
    elif dtype.kind != "b":
        bound = np.iinfo(dtype).max if direction > 0 else np.iinfo(dtype).min
    return from_array(np.broadcast_to(np.array(bound, dtype), shape))


@define("NanToNumBackward0", ALL, self=lambda grad, self: grad * isfinite(self))
def nan_to_num(self: Array, nan: Any = None, posinf: Any = None, neginf: Any = None) -> Any:
    """Put numbers in place of nan (0) and infinities (the largest of the dtype)."""
    return np.nan_to_num(self, nan=nan or 0.0, posinf=posinf, neginf=neginf)


# Weighted combinations


@elementwise
def between(self: Array, end: Array, weight: Any) -> Any:
    """Return what is at `weight` on the way from one array to the other, from the nearer end."""
    by_number = not isinstance(weight, ARRAYS)
    way = require(end, "f", f"lerp_kernel_{'scalar' if by_number else 'tensor'}") - self
    if by_number:
        place: Any = self.dtype.type(weight)
        if -0.5 < place < 0.5:
            return multiply_add(self, way, place)
        return multiply_add(end, way, place - 1)
    from_end = multiply_add(end, way, weight - np.asarray(1, self.dtype))
    return np.where(np.abs(weight) < 0.5, multiply_add(self, way, weight), from_end)


lerp_number = hidden(
    "LerpBackward0",
    rounded_once(between),
    self=lambda grad, weight: mul_number(grad, 1 - weight),
    end=lambda grad, weight: mul_number(grad, weight),
)
lerp_tensor = common(
    "LerpBackward1",
    between,
    self=lambda grad, weight: grad * rest_of_one(weight),
    end=lambda grad, weight: grad * weight,
    weight=lambda grad, self, end: grad * (end - self),
)


def rest_of_one(weight: Any) -> Any:
    """Return what a weight leaves of 1; raise RuntimeError for booleans."""
    check(weight.dtype not in (dtypes.bool_, np.bool_), TWO_BOOLS)
    return sub_tensors(1, weight)


addcdiv_tensors = common(
    "AddcdivBackward0",
    rounded_once(
        lambda self, tensor1, tensor2, value: self + element(value, self.dtype) * tensor1 / tensor2
    ),
    self=same,
    tensor1=lambda grad, tensor2, value: grad * div_tensors(value, tensor2),
    tensor2=lambda grad, tensor1, tensor2, value: addcdiv_divisor(grad, tensor1, tensor2, value),
)


def addcdiv_divisor(grad: Any, tensor1: Any, tensor2: Any, value: Any) -> Any:
    """Return the gradient of the divisor, of which PyTorch computes the square first."""
    square = tensor2 * tensor2
    return of_divisor(grad, mul_number(tensor1, value) / square)


@public("lerp", ALL)
def lerp(input: Tensor, end: Tensor, weight: Any) -> Any:
    """Return ``input + weight * (end - input)``; ``weight`` is a number or a tensor.

    Raises:
        RuntimeError: if the dtypes differ or the shapes cannot be broadcast.
        NotImplementedError: if they are not floating point.
    """
    for name, tensor in (("end", end), ("weight", weight)):
        number = name == "weight" and not (isinstance(tensor, Tensor) and tensor.ndim)
        if not number and tensor.dtype is not input.dtype:
            expected, got = c_name(input.dtype), c_name(tensor.dtype)
            raise RuntimeError(f"expected dtype {expected} for `{name}` but got dtype {got}")
    if isinstance(weight, Tensor):
        check_shapes(input, end, weight)
        return lerp_tensor(input, end, weight)
    check_shapes(input, end)
    return lerp_number(input, end, weight)


def c_name(dtype: dtypes.dtype) -> str:
    """Return the C name of a dtype, as some messages have it."""
    names = {
        "Half": "c10::Half",
        "Long": "long int",
        "Short": "short int",
        "Byte": "unsigned char",
        "Char": "signed char",
    }
    return names.get(dtype.scalar_name, dtype.scalar_name.lower())


@define(
    "AddcmulBackward0",
    ALL,
    promote="common",
    self=same,
    tensor1=lambda grad, tensor2, value: grad * mul_number(tensor2, value),
    tensor2=lambda grad, tensor1, value: grad * mul_number(tensor1, value),
)
@rounded_once
def addcmul(self: Array, tensor1: Array, tensor2: Array, *, value: Any = 1) -> Any:
    """Return ``input + value * tensor1 * tensor2``."""
    check_shapes(self, tensor1, tensor2)
    # The number in the dtype of the tensors: what was a fraction is cut off.
    factor = element(value, require(self, "fiu", "addcmul_cpu_out").dtype)
    return multiply_add(self, factor * tensor1, tensor2)


@public("addcdiv", ALL)
def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Any = 1) -> Any:
    """Return ``input + value * tensor1 / tensor2``.

    Raises:
        RuntimeError: if both tensors of the quotient are integers.
    """
    check(tensor1.is_floating_point() or tensor2.is_floating_point(), INTEGER_ADDCDIV)
    check_shapes(input, tensor1, tensor2)
    return addcdiv_tensors(input, tensor1, tensor2, value)


# Choices


@public("where", "function")
def where(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """Take elements of ``input`` where ``condition`` holds and of ``other`` where it does not.

    Both may be numbers. With ``condition`` alone, return the indices where it holds, a tensor for
    each dimension.

    Raises:
        RuntimeError: if the condition is not boolean or the shapes cannot be broadcast.

    >>> import minigrad as torch
    >>> x = torch.tensor([-1.0, 2.0])
    >>> torch.where(x > 0, x, 0.0)
    tensor([0., 2.])
    """
    if input is None and other is None:
        from minigrad.ops.gathering import nonzero

        return nonzero(condition, as_tuple=True)
    if condition.dtype is dtypes.uint8:
        warn(
            "where received a uint8 condition tensor. This behavior is deprecated and will be "
            "removed in a future version of PyTorch. Use a boolean condition instead."
        )
    text = "where expected condition to be a boolean tensor, but got a tensor with dtype {}"
    fits = condition.dtype in (dtypes.bool_, dtypes.uint8)
    check(fits, text, condition.dtype.scalar_name)
    check_shapes(*[one for one in (condition, input, other) if isinstance(one, Tensor)])
    for one, beside in ((input, other), (other, input)):
        if isinstance(one, Tensor) and not isinstance(beside, Tensor):
            element(beside, dtypes.common(array_of(one), beside).numpy_dtype)
    return choose(condition, input, other)


@public("where", METHOD)
def where_method(self: Tensor, condition: Tensor, other: Any) -> Any:
    """Keep elements where `condition` holds and take those of `other` where it does not."""
    return where(condition, self, other)


def filled(self: Any, mask: Any, value: Any) -> Any:
    """Return an array with `value` where `mask` holds, of the same dtype."""
    return in_line(np.where(mask, np.asarray(value).astype(self.dtype), self))


def unfilled(grad: Any, mask: Any) -> Any:
    """Return the gradient of the elements that were kept."""
    return masked_fill(grad, mask, 0)


fill_number = hidden("MaskedFillBackward0", filled, self=unfilled)
fill_tensor = hidden(
    "MaskedFillBackward1",
    filled,
    self=unfilled,
    value=lambda grad, mask: held(grad, mask),
)


def held(grad: Any, mask: Any) -> Any:
    """Return the elements of a gradient, array or tensor, where a mask holds."""
    if isinstance(grad, Tensor):
        return grad.masked_select(mask)
    return np.asarray(grad)[np.broadcast_to(mask, grad.shape)]


@public("masked_fill", ALL)
def masked_fill(input: Any, mask: Any, value: Any) -> Any:
    """Put ``value``, a number or a 0-d tensor, where ``mask`` holds.

    Raises:
        RuntimeError: if the mask is not boolean, the value has dimensions or is more than the dtype
            can hold, or the shapes cannot be broadcast.
    """
    if not isinstance(input, Tensor):
        return filled(input, mask, value)
    text = "masked_fill_ only supports boolean masks, but got mask with dtype {}"
    check(mask.dtype is dtypes.bool_, text, c_name(mask.dtype))
    check_shapes(mask, input)
    if not isinstance(value, Tensor):
        element(value, input._value.dtype)
        return fill_number(input, mask, value)
    text = (
        "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {} "
        "dimension(s)."
    )
    check(not value.ndim, text, value.ndim)
    return fill_tensor(input, mask, value)


# Comparisons and logic: no gradient passes

eq = op(
    "eq",
    "",
    np.equal,
    promote="common",
    about="Return whether elements are equal.",
)
ne = op(
    "ne",
    "",
    np.not_equal,
    promote="common",
    about="Return whether elements differ.",
)
lt = op(
    "lt",
    "",
    np.less,
    promote="common",
    about="Return whether elements are less than those of ``other``.",
)
le = op(
    "le",
    "",
    np.less_equal,
    promote="common",
    about="Return whether elements are at most those of ``other``.",
)
gt = op(
    "gt",
    "",
    np.greater,
    promote="common",
    about="Return whether elements are greater than those of ``other``.",
)
ge = op(
    "ge",
    "",
    np.greater_equal,
    promote="common",
    about="Return whether elements are at least those of ``other``.",
)
logical_and = op(
    "logical_and",
    "",
    np.logical_and,
    variants=ALL,
    promote="common",
    numbers=False,
    about="Return whether both elements are true: not 0.",
)
logical_or = op(
    "logical_or",
    "",
    np.logical_or,
    variants=ALL,
    promote="common",
    numbers=False,
    about="Return whether one of two elements is true: not 0.",
)
logical_xor = op(
    "logical_xor",
    "",
    np.logical_xor,
    variants=ALL,
    promote="common",
    numbers=False,
    about="Return whether just one of two elements is true: not 0.",
)
logical_not = op(
    "logical_not",
    "",
    np.logical_not,
    variants=ALL,
    promote="common",
    about="Return whether each element is 0.",
)
isnan = op(
    "isnan",
    "",
    np.isnan,
    promote="common",
    about="Return whether each element is nan.",
)
isinf = op(
    "isinf",
    "",
    np.isinf,
    promote="common",
    about="Return whether each element is infinite.",
)
isfinite = op(
    "isfinite",
    "",
    np.isfinite,
    promote="common",
    about="Return whether each element is neither infinite nor nan.",
)


def of_bits(name: str, function: Any, about: str) -> Operation:
    """Declare an operation on the bits of integers, or on booleans."""
    forward = kernel(f"{name}_cpu", "biu", function)
    return op(name, "", forward, variants=ALL, promote="common", about=about)


bitwise_and = of_bits(
    "bitwise_and", np.bitwise_and, "Return the bits that both integers, or booleans, have."
)
bitwise_or = of_bits(
    "bitwise_or", np.bitwise_or, "Return the bits that one of two integers, or booleans, has."
)
bitwise_xor = of_bits(
    "bitwise_xor",
    np.bitwise_xor,
    "Return the bits that just one of two integers, or booleans, has.",
)
bitwise_not = op(
    "bitwise_not",
    "",
    kernel("bitwise_not_cpu", "biu", np.invert),
    variants=ALL,
    about="Return the bits that each integer, or boolean, has not.",
)


@public("__invert__", METHOD)
def invert(input: Tensor) -> Any:
    """Return ``~input``: the opposite of booleans, the complement of integers.

    Raises:
        TypeError: if the dtype is floating point.
    """
    text = "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
    check(not input.is_floating_point(), text, error=TypeError)
    return bitwise_not(input)


@define("")
@elementwise
def isclose(
    self: Array, other: Array, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Any:
    """Return where ``|input - other| <= atol + rtol * |other|``, and where both are the same.

    Raises:
        RuntimeError: if the dtypes differ, the shapes cannot be broadcast, or a tolerance is
            negative.
    """
    check_dtypes("{} did not match {}", self, other)
    check(rtol >= 0, "rtol must be greater than or equal to zero, but got {}", rtol)
    check(atol >= 0, "atol must be greater than or equal to zero, but got {}", atol)
    check_shapes(self, other)
    return np.asarray(np.isclose(self, other, rtol, atol, equal_nan))


@public("allclose")
def allclose(
    input: Tensor,
    other: Tensor,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = False,
) -> bool:
    """Return whether `isclose` holds everywhere; raises as it does.

    >>> import minigrad as torch
    >>> torch.allclose(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.0 + 1e-6]))
    True
    """
    return bool(np.all(isclose(input, other, rtol, atol, equal_nan)._array))


@public("equal")
def equal(input: Tensor, other: Tensor) -> bool:
    """Return whether two tensors have the same shape and elements."""
    return np.array_equal(input._array, other._array)


# Copies and dtypes


@define("CloneBackward0", promote="common", self=same)
def clone(self: Array, *, memory_format: Any = preserve_format) -> Any:
    """Return a copy; gradients pass through it.

    Its dimensions lie in memory as those of `input` do, or with `torch.contiguous_format` in order.
    """
    return self.copy(order_in(memory_format, self))


to_copy = hidden(
    "ToCopyBackward0",
    lambda self, dtype, memory_format: self.astype(
        dtype.numpy_dtype, order_in(memory_format, self)
    ),
    self=same,
)


def order_in(wanted: MemoryFormat | None, array: Array) -> Literal["C", "K"]:
    """Return in which of numpy's orders a copy in a memory format has its dimensions.

    Raises:
        TypeError: if it is no memory format.
    """
    if wanted is not None:
        check_format(wanted)
    return "C" if wanted is contiguous_format else order_of(array)


def to_dtype(input: Tensor, dtype: dtypes.dtype, memory_format: Any = preserve_format) -> Any:
    """Return a tensor in another dtype; itself if it has that one already."""
    return input if input.dtype is dtype else copied(input, dtype, memory_format)


def copied(input: Tensor, dtype: dtypes.dtype, memory_format: Any) -> Any:
    """Return a copy in a dtype: through which a gradient passes only if it is floating point."""
    return to_copy(input if dtype.is_floating_point else input.detach(), dtype, memory_format)


@public("to", METHOD)
def to(
    input: Tensor,
    device: Any = None,
    dtype: Any = None,
    non_blocking: bool = False,
    copy: bool = False,
    *,
    tensor: Tensor | None = None,
    memory_format: Any = preserve_format,
) -> Any:
    """Return the tensor in a dtype, given as such or as that of another tensor.

    A device may be given as well: the cpu. The tensor itself comes back where nothing changes,
    unless `copy`. The dimensions of a copy lie in memory as those of `clone` do.

    Raises:
        RuntimeError: for another device.

    >>> import minigrad as torch
    >>> torch.ones(2).to(torch.int64)
    tensor([1, 1])
    """
    check_device(device)
    if memory_format is not None:
        check_format(memory_format)
    wanted = dtype if tensor is None else dtype_like(tensor)
    wanted = input.dtype if wanted is None else wanted
    return (copied if copy else to_dtype)(input, wanted, memory_format)


def dtype_like(tensor: Any) -> dtypes.dtype:
    """Return the dtype of a tensor, or of a number that stands for one."""
    found = tensor.dtype if isinstance(tensor, Tensor) else dtypes.of_python(type(tensor))
    assert found is not None
    return found


@public("type", METHOD)
def type_(input: Tensor, dtype: Any = None) -> Any:
    """Return the name of the tensor's type, ``"torch.FloatTensor"``; or convert it to a dtype.

    Raises:
        ValueError: if `dtype` is the name of no type.
    """
    if dtype is None:
        return f"torch.{input.dtype.scalar_name}Tensor"
    wanted = getattr(dtype, "dtype", None) if isinstance(dtype, type) else dtype
    if isinstance(wanted, dtypes.dtype):
        return to_dtype(input, wanted)
    for one in dtypes.ALL:
        if wanted == f"torch.{one.scalar_name}Tensor":
            return to_dtype(input, one)
    fits = isinstance(dtype, (str, type))
    check(fits, "dtype must be a type, str, or dtype object", error=TypeError)
    raise ValueError(f"invalid type: '{getattr(dtype, '__name__', dtype)}'")


@public("type_as", METHOD)
def type_as(input: Tensor, other: Tensor) -> Any:
    """Return the tensor in the dtype of another one."""
    return to_dtype(input, other.dtype)


def conversion(name: str, dtype: dtypes.dtype) -> None:
    """Declare the method that converts to a dtype."""

    def convert(self: Tensor, *, memory_format: Any = preserve_format) -> Any:
        return to_dtype(self, dtype, memory_format)

    convert.__name__ = convert.__qualname__ = name
    convert.__doc__ = f"Return the tensor in dtype {dtype}; itself if it has that one already."
    public(name, METHOD)(convert)


conversion("half", dtypes.float16)
conversion("float", dtypes.float32)
conversion("double", dtypes.float64)
conversion("byte", dtypes.uint8)
conversion("char", dtypes.int8)
conversion("short", dtypes.int16)
conversion("int", dtypes.int32)
conversion("long", dtypes.int64)
conversion("bool", dtypes.bool_)

public("multiply", ALL)(mul)
public("subtract", ALL)(sub)
public("divide", ALL)(div)
public("negative", ALL)(neg)
public("absolute", ALL)(abs)
public("clip", ALL)(clamp)
public("__neg__", METHOD)(neg)
public("__pos__", METHOD)(positive)
public("__abs__", METHOD)(abs)
