"""Operations element by element."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.op import ARRAYS, NUMBERS, functions, no_gradient, op, operand, public
from minigrad.tensor import Tensor, from_array

METHOD = "function method inplace"

# Arithmetic

_add = op(
    "", "AddBackward0", np.add, kind="pointwise", self=lambda grad: grad, other=lambda grad: grad
)
_sub = op(
    "",
    "SubBackward0",
    np.subtract,
    kind="pointwise",
    self=lambda grad: grad,
    other=lambda grad: -grad,
)
rsub = op(
    "",
    "RsubBackward1",
    lambda self, other: other - self,
    kind="pointwise",
    self=lambda grad: -grad,
    other=lambda grad: grad,
)
mul = op(
    "",
    "MulBackward0",
    np.multiply,
    kind="pointwise",
    self=lambda grad, other: grad * other,
    other=lambda grad, self: grad * self,
)
div = op(
    "",
    "DivBackward0",
    np.true_divide,
    kind="floating",
    self=lambda grad, other: grad / other,
    other=lambda grad, self, other: -grad * (self / other / other),
)
share = op(  # a gradient divided among the elements of a mean
    "",
    "DivBackward1",
    lambda self, number: self / number,
    self=lambda grad, number: share(grad, number),
)


def add(input: Any, other: Any, *, alpha: Any = 1, out: Any = None) -> Any:
    return _add(input, other if alpha == 1 else other * alpha, out=out)


def sub(input: Any, other: Any, *, alpha: Any = 1, out: Any = None) -> Any:
    return _sub(input, other if alpha == 1 else other * alpha, out=out)


for names, call in {
    "add": add,
    "sub subtract": sub,
    "mul multiply": mul,
    "div divide true_divide": div,
}.items():
    public(call, names, METHOD)

neg = op(
    "neg negative",
    "NegBackward0",
    np.negative,
    kind="pointwise",
    variants=METHOD,
    self=lambda grad: -grad,
)
reciprocal = op(
    "reciprocal",
    "ReciprocalBackward0",
    np.reciprocal,
    kind="floating",
    variants=METHOD,
    self=lambda grad, result: -grad * (result * result),
)
floor_divide = op("floor_divide", "", np.floor_divide, kind="pointwise")
remainder = op(
    "remainder", "RemainderBackward0", np.remainder, kind="pointwise", self=lambda grad: grad
)


def power_gradient(grad: Any, base: Any, exponent: Any) -> Any:
    return where(exponent == 0, 0 * grad, grad * (exponent * base ** (exponent - 1)))


def exponent_gradient(grad: Any, base: Any, exponent: Any, result: Any) -> Any:
    zero = (base == 0) & (exponent >= 0) if exponent.ndim else base == 0
    return grad * where(zero, result * 0, result * log(where(zero, base * 0 + 1, base)))


power = op(
    "",
    "PowBackward0",
    lambda self, exponent: np.power(self, exponent),
    self=lambda grad, self, exponent: (
        grad * 0 if exponent == 0 else grad * (exponent * self ** (exponent - 1))
    ),
)
tensor_power = op(
    "",
    "PowBackward1",
    np.power,
    kind="pointwise",
    self=lambda grad, self, other: power_gradient(grad, self, other),
    other=lambda grad, self, other, result: exponent_gradient(grad, self, other, result),
)
number_power = op(
    "",
    "PowBackward2",
    np.power,
    kind="pointwise",
    self=lambda grad, self, other: power_gradient(grad, self, other),
    other=lambda grad, self, other, result: exponent_gradient(grad, self, other, result),
)


def pow(input: Any, exponent: Any) -> Any:
    if isinstance(exponent, NUMBERS) and isinstance(input, Tensor):
        if isinstance(exponent, builtins.float) and input._array.dtype.kind != "f":
            input = input.to(dtypes.get_default_dtype())
        return power(input, exponent)
    return tensor_power(input, exponent)


public(pow, "pow", METHOD)
public(lambda input: pow(input, 2), "square", METHOD)

# Functions


def sigmoid_of(self: Any) -> Any:
    return 1 / (1 + np.exp(-self))


erf_of = np.vectorize(math.erf, otypes=["f8"])


def bell(x: Any) -> Any:
    """The derivative of erf."""
    return exp(-x * x) * (2 / math.sqrt(math.pi))


def backward_op(node_name: str, forward: Any, slope: Any) -> Any:
    """The gradient of a function as an operation of its own: of a gradient, and of what was saved.

    `slope` is the derivative of the gradient by what was saved, given both.
    """
    call = op(
        "",
        node_name,
        forward,
        kind="pointwise",
        self=lambda grad, other: call(grad, other),
        other=lambda grad, self, other: grad * slope(self, other),
    )
    return lambda grad, saved: (call if isinstance(grad, Tensor) else forward)(grad, saved)


tanh_backward = backward_op(
    "TanhBackwardBackward0", lambda self, other: self * (1 - other * other), lambda g, y: -2 * g * y
)
sigmoid_backward = backward_op(
    "SigmoidBackwardBackward0",
    lambda self, other: self * ((1 - other) * other),
    lambda g, y: g * (1 - 2 * y),
)
threshold_backward = backward_op(
    "ThresholdBackwardBackward0", lambda self, other: self * (other > 0), lambda g, y: 0
)


FLOATING: dict[str, tuple] = {
    "exp": (np.exp, lambda grad, result: grad * result),
    "exp2": (np.exp2, lambda grad, result: grad * result * math.log(2)),
    "expm1": (np.expm1, lambda grad, result: grad * (result + 1)),
    "log": (np.log, lambda grad, self: grad / self),
    "log2": (np.log2, lambda grad, self: grad / (self * math.log(2))),
    "log10": (np.log10, lambda grad, self: grad / (self * math.log(10))),
    "log1p": (np.log1p, lambda grad, self: grad / (self + 1)),
    "sqrt": (np.sqrt, lambda grad, result: grad / (2 * result)),
    "rsqrt": (lambda self: 1 / np.sqrt(self), lambda grad, result: -0.5 * grad * result**3),
    "sin": (np.sin, lambda grad, self: grad * cos(self)),
    "cos": (np.cos, lambda grad, self: grad * -sin(self)),
    "tan": (np.tan, lambda grad, result: grad * (1 + result * result)),
    "asin": (np.arcsin, lambda grad, self: grad / sqrt(1 - self * self)),
    "acos": (np.arccos, lambda grad, self: -grad / sqrt(1 - self * self)),
    "atan": (np.arctan, lambda grad, self: grad / (1 + self * self)),
    "sinh": (np.sinh, lambda grad, self: grad * cosh(self)),
    "cosh": (np.cosh, lambda grad, self: grad * sinh(self)),
    "tanh": (np.tanh, lambda grad, result: tanh_backward(grad, result)),
    "sigmoid": (sigmoid_of, lambda grad, result: sigmoid_backward(grad, result)),
    "erf": (lambda self: erf_of(self).astype(self.dtype), lambda grad, self: grad * bell(self)),
}
for name, (forward, formula) in FLOATING.items():
    node_name = f"{name.capitalize().replace('1p', '1P')}Backward0"
    op(name, node_name, forward, kind="floating", variants=METHOD, self=formula)
exp, log, sqrt, sin, cos, sinh, cosh, tanh, sigmoid = (
    functions[name] for name in "exp log sqrt sin cos sinh cosh tanh sigmoid".split()
)

abs = op(
    "abs",
    "AbsBackward0",
    np.abs,
    kind="pointwise",
    variants=METHOD,
    self=lambda grad, self: grad * sign(self),
)
sign = op("sign", "SignBackward0", np.sign, kind="pointwise", self=no_gradient)
for name in ("floor", "ceil", "round", "trunc"):
    forward = np.rint if name == "round" else getattr(np, name)
    node_name = f"{name.capitalize()}Backward0"
    op(name, node_name, forward, kind="pointwise", variants=METHOD, self=no_gradient)
relu = op(
    "relu",
    "ReluBackward0",
    lambda self: np.maximum(self, 0),
    kind="pointwise",
    variants=METHOD,
    self=lambda grad, result: threshold_backward(grad, result),
)
leaky_relu = op(
    "",
    "LeakyReluBackward0",
    lambda self, negative_slope=0.01: np.where(self > 0, self, self * negative_slope),
    self=lambda grad, self, negative_slope: leaky_backward(grad, self, negative_slope),
)
leaky_backward = op(
    "",
    "LeakyReluBackwardBackward0",
    lambda self, input, negative_slope: np.where(input > 0, self, self * negative_slope),
    self=lambda grad, input, negative_slope: leaky_backward(grad, input, negative_slope),
    input=no_gradient,
)
silu = op(
    "",
    "SiluBackward0",
    lambda self: self * sigmoid_of(self),
    kind="floating",
    self=lambda grad, self: grad * ((s := sigmoid(self)) * (1 + self * (1 - s))),
)
gelu = op(
    "",
    "GeluBackward0",
    lambda self, approximate="none": (self * normal_share(self, approximate)).astype(self.dtype),
    self=lambda grad, self, approximate: grad * gelu_slope(self, approximate),
)


def normal_share(x: Any, approximate: str) -> Any:
    """The share of a normal distribution below x, exactly or by a tanh."""
    if approximate == "none":
        return 0.5 * (1 + functions["erf"](x * math.sqrt(0.5)))
    return 0.5 * (1 + functions["tanh"](math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)))


def gelu_slope(x: Any, approximate: str) -> Any:
    share = normal_share(x, approximate)
    if approximate == "none":
        return share + x * exp(-0.5 * x * x) * (1 / math.sqrt(2 * math.pi))
    inner = math.sqrt(2 / math.pi) * (1 + 3 * 0.044715 * x * x)
    return share + 2 * x * share * (1 - share) * inner


elu = op(
    "",
    "EluBackward0",
    lambda self, alpha=1.0: np.where(self > 0, self, alpha * np.expm1(self)),
    self=lambda grad, self, alpha: where(self > 0, grad, grad * alpha * exp(self)),
)
softplus = op(
    "",
    "SoftplusBackward0",
    lambda self: np.logaddexp(self, 0 * self),
    kind="floating",
    self=lambda grad, self: grad * sigmoid(self),
)
clamp = op(
    "clamp clip",
    "ClampBackward1",
    lambda self, min=None, max=None: np.clip(self, min, max),
    variants=METHOD,
    self=lambda grad, self, min, max: grad * within(self, min, max),
)


def within(x: Any, low: Any, high: Any) -> Any:
    return (
        1
        if low is None and high is None
        else (x <= high if low is None else x >= low if high is None else (x >= low) & (x <= high))
    )


atan2 = op(
    "atan2 arctan2",
    "Atan2Backward0",
    np.arctan2,
    kind="floating",
    self=lambda grad, self, other: grad * (other / (self * self + other * other)),
    other=lambda grad, self, other: grad * (-self / (self * self + other * other)),
)


def pick(grad: Any, self: Any, other: Any, first: Any) -> Any:
    """The gradient of the larger (or smaller) of two: equals share it."""
    return where(self == other, grad / 2, where(first, grad, grad * 0))


maximum = op(
    "maximum",
    "MaximumBackward0",
    np.maximum,
    kind="pointwise",
    self=lambda grad, self, other: pick(grad, self, other, self > other),
    other=lambda grad, self, other: pick(grad, self, other, other > self),
)
minimum = op(
    "minimum",
    "MinimumBackward0",
    np.minimum,
    kind="pointwise",
    self=lambda grad, self, other: pick(grad, self, other, self < other),
    other=lambda grad, self, other: pick(grad, self, other, other < self),
)
choose = op(
    "",
    "WhereBackward0",
    lambda condition, self, other: np.where(condition, self, other),
    self=lambda grad, condition: where(condition, grad, grad * 0),
    other=lambda grad, condition: where(condition, grad * 0, grad),
)


def where(condition: Any, input: Any = None, other: Any = None) -> Any:
    """Elements of `input` where the condition holds, else of `other`."""
    if input is None:
        return tuple(from_array(a) for a in np.nonzero(condition._array))
    if isinstance(condition, ARRAYS):
        return np.where(condition, input, other)
    some = input if isinstance(input, Tensor) else other
    if not isinstance(some, Tensor):
        some = from_array(np.zeros(1, dtypes.of_number(input)))
    input, other = (x if isinstance(x, Tensor) else operand(x, some) for x in (input, other))
    dtype = dtypes.from_numpy[dtypes.common(input._array, other._array)]
    return choose(condition, input.to(dtype), other.to(dtype))


functions["where"] = where
Tensor.where = lambda self, condition, other: where(condition, self, other)

# Comparisons and logic

for name in "eq ne lt le gt ge".split():
    numpy_name = {
        "eq": "equal",
        "ne": "not_equal",
        "lt": "less",
        "le": "less_equal",
        "gt": "greater",
        "ge": "greater_equal",
    }[name]
    compare = op(name, "", getattr(np, numpy_name), kind="pointwise")
    setattr(Tensor, f"__{name}__", compare)
equal_to = Tensor.eq
Tensor.__eq__ = lambda self, other: False if other is None else equal_to(self, other)
Tensor.__ne__ = lambda self, other: True if other is None else Tensor.ne(self, other)
for name in ("and", "or", "xor", "not"):
    op(f"logical_{name}", "", getattr(np, f"logical_{name}"), kind="pointwise")
    bitwise = op(f"bitwise_{name}", "", getattr(np, f"bitwise_{name}"), kind="pointwise")
    setattr(Tensor, "__invert__" if name == "not" else f"__{name}__", bitwise)
for name in ("isnan", "isinf", "isfinite"):
    op(name, "", getattr(np, name), kind="pointwise")


def allclose(
    input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    return bool(np.allclose(input._array, other._array, rtol, atol, equal_nan))


public(allclose, "allclose")
public(lambda a, b: bool(np.array_equal(a._array, b._array)), "equal")

# Operators

OPERATORS = dict(
    add=_add,
    radd=_add,
    sub=_sub,
    rsub=rsub,
    mul=mul,
    rmul=mul,
    truediv=div,
    rtruediv=lambda self, other: reciprocal(self) * other,
    pow=pow,
    rpow=lambda self, other: number_power(other, self),
    neg=neg,
    abs=abs,
    pos=lambda self: self,
    mod=remainder,
    floordiv=floor_divide,
    iadd=Tensor.add_,
    isub=Tensor.sub_,
    imul=Tensor.mul_,
    itruediv=Tensor.div_,
    ipow=Tensor.pow_,
)
for name, call in OPERATORS.items():
    setattr(Tensor, f"__{name}__", call)
