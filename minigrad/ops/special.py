"""More functions of each element by itself: inverses, of angles, of bits; and other names for some.

Source: https://github.com/pytorch/pytorch/blob/main/tools/autograd/derivatives.yaml
"""

# Formulas refer to operations that are declared below them.
# mypy: disable-error-code="has-type"

from __future__ import annotations

import math
from typing import Any, NoReturn

import numpy as np

from minigrad import dtypes, elementary
from minigrad.autograd.node import Array
from minigrad.memory import elementwise
from minigrad.ops import pointwise
from minigrad.ops.check import RESIZED, check, check_shapes, require
from minigrad.ops.declare import op
from minigrad.ops.define import define, hidden
from minigrad.ops.half import rounded_once
from minigrad.ops.pointwise import (
    ALL,
    add_number,
    choose,
    cos,
    error_function,
    exp,
    flat,
    floating,
    isnan,
    kernel,
    masked_fill,
    mul_number,
    pow,
    pow_of_number,
    refuse_backward,
    rsqrt,
    sin,
    sub_number,
    sub_tensors,
    to_dtype,
    unary,
)
from minigrad.ops.registry import Operation, public
from minigrad.ops.shape import FUNCTION, transpose
from minigrad.outside import warn
from minigrad.tensor import Tensor

ROOT_OF_PI = math.sqrt(math.pi)
OF_A_NUMBER = "{} is deprecated on 0-D tensors. Consider using x.conj()."


# Hyperbolic, exponential, angular


def atanh_gradient(grad: Any, divisor: Any) -> Any:
    """Return the gradient of `atanh`, which PyTorch multiplies by 1 after it knows the divisor."""
    return mul_number(grad, 1) / divisor


def undifferentiable(name: str, forward: Any) -> None:
    """Declare the in-place form of a function, which PyTorch records, but cannot differentiate."""

    def refuse(grad: Any) -> NoReturn:
        text = f"the derivative for 'inplace version of {name}' is not implemented."
        raise NotImplementedError(text)

    node = f"{name.capitalize()}Backward1"
    for alias in (name, f"arc{name[1:]}"):
        op(alias, node, forward, variants="inplace", promote="float", self=refuse)


acosh = unary(
    "acosh",
    np.arccosh,
    lambda grad, self: grad * rsqrt(sub_number(self * self, 1)),
    about="Return what the hyperbolic cosine maps to each element, from 1 on.",
    variants="function method",
)
asinh = unary(
    "asinh",
    np.arcsinh,
    lambda grad, self: grad * rsqrt(add_number(pow(self, 2), 1)),
    about="Return what the hyperbolic sine maps to each element.",
    variants="function method",
)
atanh = unary(
    "atanh",
    np.arctanh,
    lambda grad, self: atanh_gradient(grad, sub_tensors(1, pow(self, 2))),
    about="Return what the hyperbolic tangent maps to each element, between -1 and 1.",
    variants="function method",
)
undifferentiable("acosh", np.arccosh)
undifferentiable("asinh", np.arcsinh)
undifferentiable("atanh", np.arctanh)
exp2 = unary(
    "exp2",
    elementary.exp2,
    lambda grad, result: mul_number(grad * result, math.log(2)),
    about="Return 2 raised to each element.",
)
erfc = unary(
    "erfc",
    lambda self: np.asarray(np.frompyfunc(math.erfc, 1, 1)(self)).astype(self.dtype),
    lambda grad, self: mul_number(exp(-pow(self, 2)), -2 / ROOT_OF_PI) * grad,
    about="Return ``1 - erf(input)``, exact where that is small.",
)


def times(self: Any, factor: float) -> Any:
    """Return elements times a number, which keeps its digits beside float16 ones."""
    wide = np.promote_types(self.dtype, np.float32).type
    return (self * wide(factor)).astype(self.dtype)


deg2rad = unary(
    "deg2rad",
    lambda self: times(self, math.pi / 180),
    lambda grad: mul_number(grad, math.pi / 180),
    node="Deg2RadBackward0",
    about="Return degrees as radians.",
)
rad2deg = unary(
    "rad2deg",
    lambda self: times(self, 180 / math.pi),
    lambda grad: mul_number(grad, 180 / math.pi),
    node="Rad2DegBackward0",
    about="Return radians as degrees.",
)
logaddexp2 = op(
    "logaddexp2",
    "Logaddexp2Backward0",
    kernel("logaddexp2_cpu", "f", np.logaddexp2),
    promote="common",
    numbers=False,
    self=lambda grad, self, other: grad / add_number(pow(2, other - self), 1),
    other=lambda grad, self, other: grad / add_number(pow(2, self - other), 1),
    about="Return ``log2(2**input + 2**other)``, without overflow.",
)


def inverse_error_function(self: Any) -> Any:
    """Return what erf maps to each element: by the quantiles of the normal distribution."""
    import statistics  # which few need, and takes long to import

    x = np.asarray(self, np.float64)
    inside = np.where(np.abs(x) < 1, x, 0)
    quantile = np.frompyfunc(statistics.NormalDist().inv_cdf, 1, 1)
    found = np.asarray(quantile((inside + 1) / 2)).astype(np.float64) / math.sqrt(2)
    # Newton's step restores the digits that (x + 1) / 2 has lost.
    found -= (error_function(found) - inside) * elementary.exp(found * found) * ROOT_OF_PI / 2
    edge = np.where(np.abs(x) == 1, np.copysign(np.inf, x), np.nan)
    return np.where(np.abs(x) < 1, np.copysign(found, x), edge).astype(self.dtype)


erfinv = unary(
    "erfinv",
    inverse_error_function,
    lambda grad, self: mul_number(exp(pow(erfinv(self), 2)), ROOT_OF_PI / 2) * grad,
    about="Return what the error function maps to each element.",
)


def sinc_backward(grad: Any, self: Any) -> Any:
    """Return the gradient of sinc; 0 at 0."""
    angle, square = mul_number(self, math.pi), mul_number(self * self, math.pi)
    sine = sin(angle)
    return choose(square == 0, 0, grad * ((angle * cos(angle) - sine) / square))


sinc = unary(
    "sinc",
    rounded_once(lambda self: np.sinc(self)),
    sinc_backward,
    about="Return ``sin(pi * input) / (pi * input)``; 1 at 0.",
)


# The gamma function's logarithm, and the derivatives of that

# Bernoulli's numbers of index 2, 4, ...
BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)


def log_gamma(self: Any) -> Any:
    """Return log(abs(gamma)) of each element: numpy has none, so it is Python's."""
    poles = (self == np.floor(self)) & (self <= 0) | np.isinf(self)
    found = np.frompyfunc(math.lgamma, 1, 1)(np.where(poles, 1, self))
    return np.where(poles, np.inf, np.asarray(found).astype(self.dtype))


def digamma_of(self: Any) -> Any:
    """Return the slope of log(gamma): an asymptotic series, far enough to the right."""
    x = np.asarray(self, np.float64)
    left = x < 0
    far = np.where(left, 1 - x, x)
    shift = sum(1 / (far + step) for step in range(10))
    far = far + 10
    series = sum(b / (2 * k * far ** (2 * k)) for k, b in enumerate(BERNOULLI, 1))
    found = elementary.log(far) - 0.5 / far - series - shift
    found = np.where(left, found - np.pi / elementary.tan(np.pi * x), found)
    poles = np.where(x == 0, -np.copysign(np.inf, x), np.nan)
    return np.where((x <= 0) & (x == np.floor(x)), poles, found).astype(self.dtype)


lgamma = unary(
    "lgamma",
    log_gamma,
    lambda grad, self: grad * digamma(self),
    about="Return the logarithm of the absolute value of the gamma function.",
)
digamma = unary(
    "digamma",
    digamma_of,
    lambda grad, self: grad * polygamma(1, self),
    about="Return the derivative of `lgamma`.",
)
higher_gamma = hidden(
    "PolygammaBackward0",
    lambda n, self: polygamma_of(n, self),
    self=lambda grad, n, self: grad * polygamma(n + 1, self),
)


def trigamma_of(self: Any) -> Any:
    """Return the slope of digamma in as many steps and terms as PyTorch takes."""
    x = self.astype(np.float32) if self.dtype.char == "e" else self
    left = x < 0.5
    far = np.where(left, 1 - x, x)
    total = sum(1 / (far + step) ** 2 for step in range(6))
    far = far + 6
    square = 1 / (far * far)
    series = square * (1 / 6 - square * (1 / 30 - square / 42))
    total = total + (1 + 1 / (2 * far) + series) / far
    reflected = (np.pi / elementary.sin(np.pi * x)) ** 2 - total
    return np.where(left, reflected, total).astype(self.dtype)


def polygamma_of(n: int, self: Any) -> Any:
    """Return the n-th slope of digamma, by Euler's and Maclaurin's formula for Hurwitz's zeta."""
    if n < 2:
        return trigamma_of(self) if n else digamma_of(self)
    x, order = np.asarray(self, np.float64), n + 1
    steps = math.ceil(max(10 - x.min(initial=10, where=np.isfinite(x)), 10))
    far = x + steps
    zeta = sum((x + step) ** -float(order) for step in range(steps))
    zeta = zeta + far ** -float(n) / n + 0.5 * far ** -float(order)
    rising = 1.0
    for k, bernoulli in enumerate(BERNOULLI, 1):
        rising *= order if k == 1 else (order + 2 * k - 3) * (order + 2 * k - 2)
        zeta = zeta + bernoulli / math.factorial(2 * k) * rising * far ** -float(order + 2 * k - 1)
    zeta = np.where(np.isinf(x), np.where(x > 0, np.nan, np.inf), zeta)
    return ((-1) ** order * math.factorial(n) * zeta).astype(self.dtype)


@public("polygamma", FUNCTION)
def polygamma(n: int, input: Any) -> Any:
    """Return the n-th derivative of `digamma`.

    Raises:
        RuntimeError: if `n` is negative.
    """
    check(n >= 0, "polygamma(n, x) does not support negative n.")
    if isinstance(input, Tensor) and not input.is_floating_point():
        input = to_dtype(input, dtypes.get_default_dtype())
    return higher_gamma(n, input)


@public("polygamma", "method")
def polygamma_method(self: Tensor, n: int) -> Any:
    """Return the n-th derivative of `digamma`, as the function does."""
    return polygamma(n, self)


# Two that compete, signs

fmax = op(
    "fmax",
    "FmaxBackward0",
    np.fmax,
    promote="common",
    numbers=False,
    self=lambda grad, self, other: masked_fill(grad, ~((self >= other) | isnan(other)), 0),
    other=lambda grad, self, other: masked_fill(grad, (self >= other) | isnan(other), 0),
    about="Return the larger of two elements; the other if one is nan.",
)
fmin = op(
    "fmin",
    "FminBackward0",
    np.fmin,
    promote="common",
    numbers=False,
    self=lambda grad, self, other: masked_fill(grad, ~((self <= other) | isnan(other)), 0),
    other=lambda grad, self, other: masked_fill(grad, (self <= other) | isnan(other), 0),
    about="Return the smaller of two elements; the other if one is nan.",
)


nextafter = op(
    "nextafter",
    "NextafterBackward0",
    kernel("nextafter_cpu", "f", np.nextafter),
    variants=ALL,
    promote="common",
    numbers=False,
    self=lambda grad, self, other: choose(self != other, grad, 0),
    other=lambda grad, other: flat(grad),
    about="Return the next number that there is of `input`'s, on the way to `other`.",
)


def turned(grad: Any, self: Any, result: Any) -> Any:
    """Return the gradient of what was given another sign."""
    return grad * masked_fill(result / self, self == 0, 0)


copysign_tensors = hidden(
    "CopysignBackward0", np.copysign, promote="float", self=turned, other=flat
)
copysign_number = hidden(
    "CopysignBackward1", lambda self, other: np.copysign(self, other), self=turned
)


@public("copysign", ALL)
def copysign(input: Tensor, other: Any) -> Any:
    """Return the elements of `input` with the signs of `other`, a tensor or a number."""
    if isinstance(other, Tensor):
        return copysign_tensors(input, other)
    return copysign_number(floating(input), other)


def step(name: str, variants: str) -> Operation:
    """Declare Heaviside's step; the refusal to differentiate it names the form."""

    @define(
        "NotImplemented",
        variants,
        self=lambda grad: refuse_backward(name),
        values=lambda grad: refuse_backward(name),
    )
    @elementwise
    def heaviside(self: Array, values: Array) -> Any:
        """Return 0 for negative elements, 1 for positive ones, and those of `values` for 0.

        Raises:
            RuntimeError: if the dtypes differ, or the shapes cannot be broadcast.
        """
        text = "heaviside is not yet implemented for tensors with different dtypes."
        check(self.dtype is values.dtype, text)
        check_shapes(self, values)
        return np.where(self == 0, values, self > 0).astype(self.dtype)

    return heaviside


heaviside = step("heaviside", "function method")
step("heaviside_", "inplace")


@define("")
def signbit(self: Array) -> Any:
    """Return whether each element has a minus sign; -0.0 has one."""
    return np.signbit(self) if self.dtype.kind == "f" else self < 0


@define("")
def isposinf(self: Array) -> Any:
    """Return whether each element is infinite and positive."""
    return self == np.inf


@define("")
def isneginf(self: Array) -> Any:
    """Return whether each element is infinite and negative."""
    return self == -np.inf


@define("")
def isreal(self: Array) -> Any:
    """Return whether each element is a real number: minigrad has no others."""
    return np.ones(self.shape, np.bool_)


@public("float_power")
def float_power(input: Any, exponent: Any) -> Any:
    """Return a power, computed in float64."""
    base, power = [
        to_dtype(one, dtypes.float64) if isinstance(one, Tensor) else one
        for one in (input, exponent)
    ]
    return pow(base, power)


@public("float_power", "inplace")
def float_power_in_place(input: Tensor, exponent: Any) -> Any:
    """Return a power of a tensor of float64, to take its place; raise RuntimeError for others."""
    text = (
        "the base given to float_power_ has dtype {} but the operation's result requires dtype "
        "Double"
    )
    check(input.dtype is dtypes.float64, text, input.dtype.scalar_name)
    return pow(
        input, to_dtype(exponent, dtypes.float64) if isinstance(exponent, Tensor) else exponent
    )


def with_exponent(self: Array, other: Array) -> Array:
    """Return ``self * 2**other`` for integers, which change nothing but the exponent."""
    check_shapes(self, other)
    return np.ldexp(self, require(other, "iu", "ldexp_cpu_exp").astype(np.int32))


ldexp_of_floats = hidden(
    "LdexpBackward0",
    lambda self, other: self * elementary.exp2(other),
    promote="float",
    numbers=False,
    self=lambda grad, other: grad * pow_of_number(2, other),
    other=lambda grad, result: mul_number(grad * result, math.log(2)),
)
ldexp_by_integers = hidden(
    "LdexpBackward0",
    elementwise(with_exponent),
    self=lambda grad, other: grad * pow_of_number(2, other),
    # Integers get no gradient: this is here so that the result is saved, as in PyTorch.
    other=lambda grad, result: flat(grad),
)


@public("ldexp", ALL)
def ldexp(input: Tensor, other: Tensor) -> Any:
    """Return ``input * 2**other``; exactly, if `other` has integers and `input` has not.

    Raises:
        NotImplementedError: for booleans as powers.
    """
    two = isinstance(input, Tensor) and isinstance(other, Tensor)
    if two and input.is_floating_point() and not other.is_floating_point():
        result = ldexp_by_integers(input, other)
        if input.numel() and result.shape != input.shape:  # PyTorch's result begins as the input's
            warn(RESIZED.format(list(input.shape), list(result.shape)))
        return result
    return ldexp_of_floats(input, other)


# Integers and their bits

gcd = op(
    "gcd",
    "",
    kernel("gcd_cpu", "iu", np.gcd),
    variants=ALL,
    promote="common",
    numbers=False,
    about="Return the greatest common divisor of integers.",
)
lcm = op(
    "lcm",
    "",
    kernel("lcm_cpu", "iu", np.lcm),
    variants=ALL,
    promote="common",
    numbers=False,
    about="Return the least common multiple of integers.",
)
bitwise_left_shift = op(
    "bitwise_left_shift",
    "",
    kernel("lshift_cpu", "iu", np.left_shift),
    variants=ALL,
    promote="common",
    about="Return integers with their bits moved up by ``other`` places.",
)
bitwise_right_shift = op(
    "bitwise_right_shift",
    "",
    kernel("rshift_cpu", "iu", np.right_shift),
    variants=ALL,
    promote="common",
    about="Return integers with their bits moved down by ``other`` places.",
)


# Complex numbers, which minigrad does not have


@public("conj")
def conj(input: Tensor) -> Tensor:
    """Return the tensor itself: its elements are real."""
    return input


public("conj_physical")(conj)
public("resolve_conj")(conj)
public("resolve_neg")(conj)
public("real", "function property")(conj)


@public("imag", "function property")
def imag(input: Tensor) -> NoReturn:
    """Raise: the elements are real.

    Raises:
        RuntimeError: always.
    """
    raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")


@public("adjoint")
def adjoint(input: Tensor) -> Any:
    """Return a view with the last two dimensions exchanged; raise RuntimeError for a vector."""
    return exchanged(input, "adjoint()")


@public("mH", "property")
def matrices_adjoint(input: Tensor) -> Any:
    """A view with the last two dimensions exchanged; of a vector there is none."""
    return exchanged(input, "mH")


def exchanged(input: Tensor, name: str) -> Any:
    """Return matrices with rows and columns exchanged, under one of two names."""
    if not input.ndim:
        warn(OF_A_NUMBER.format(name if name == "adjoint()" else f"Tensor.{name}"))
        return input
    text = "tensor.{} is only supported on matrices or batches of matrices. Got {}-D tensor."
    check(input.ndim > 1, text, name, input.ndim)
    return transpose(input, -2, -1)


@public("H", "property")
def matrix_adjoint(input: Tensor) -> Any:
    """A view of a matrix with rows and columns exchanged.

    Raises:
        RuntimeError: if it is no matrix.
    """
    text = "tensor.H is only supported on matrices (2-D tensors). Got {}-D tensor."
    if input.ndim > 2:
        text += " For batches of matrices, consider using tensor.mH"
    check(input.ndim in (0, 2), text, input.ndim)
    if not input.ndim:
        warn(OF_A_NUMBER.format("Tensor.H"))
        return input
    return transpose(input, -2, -1)


# Comparisons in place: the answers take the place of the elements, as numbers


def compared_in_place(name: str, compare: Any) -> Operation:
    """Declare the in-place form of a comparison, through which no gradient passes."""

    def forward(self: Array, other: Any) -> Any:
        return compare(self, other).astype(self.dtype)

    with_number = hidden(f"{name.capitalize()}Backward0", forward, self=flat)
    with_tensor = hidden(f"{name.capitalize()}Backward1", forward, self=flat, other=flat)

    def comparison(input: Tensor, other: Any) -> Any:
        if not isinstance(other, Tensor):
            return with_number(input, other)
        check_shapes(input, other)
        return with_tensor(input, other)

    return comparison


for names, compare in {
    ("eq",): np.equal,
    ("ne", "not_equal"): np.not_equal,
    ("lt", "less"): np.less,
    ("le", "less_equal"): np.less_equal,
    ("gt", "greater"): np.greater,
    ("ge", "greater_equal"): np.greater_equal,
}.items():
    for name in names:
        public(name, "inplace")(compared_in_place(names[0], compare))


# Other names

for alias, function in {
    "arccos": pointwise.acos,
    "arcsin": pointwise.asin,
    "arctan": pointwise.atan,
    "arctan2": pointwise.atan2,
    "fix": pointwise.trunc,
}.items():
    public(alias, ALL)(function)
for alias, function in {
    "greater": pointwise.gt,
    "greater_equal": pointwise.ge,
    "less": pointwise.lt,
    "less_equal": pointwise.le,
    "not_equal": pointwise.ne,
    "arccosh": acosh,
    "arcsinh": asinh,
    "arctanh": atanh,
}.items():
    public(alias)(function)
