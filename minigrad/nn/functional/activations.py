"""Activations: each element, or each line of elements, by a function of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.creation import empty_like, zeros_like
from minigrad.ops import activation, piecewise, pointwise
from minigrad.ops.calls import asking, kernel, refusing
from minigrad.ops.check import check, of_full_precision, require
from minigrad.ops.in_place import in_place
from minigrad.ops.promotion import answer, is_foreign
from minigrad.outside import warn
from minigrad.random import Generator, chosen
from minigrad.tensor import Tensor, from_array

# Chosen so that activations keep mean 0 and variance 1 from layer to layer.
# Source: https://arxiv.org/abs/1706.02515
SELU_ALPHA = 1.6732632423543772848170429916717
SELU_SCALE = 1.0507009873554804934193349852946
# What `inplace` asks for
threshold_in_place = in_place("threshold_", activation.threshold_in_place)
leaky_relu_in_place = in_place("leaky_relu_", activation.leaky_relu_in_place)
elu_in_place = in_place("elu_", activation.elu_in_place)
hardtanh_in_place = in_place("hardtanh_", activation.hardtanh)
silu_in_place = in_place("silu_", activation.silu)
celu_in_place = in_place("celu_", piecewise.celu_in_place)
mish_in_place = in_place("mish_", piecewise.mish)
hardsigmoid_in_place = in_place("hardsigmoid_", piecewise.hardsigmoid)
rrelu_in_place = in_place("rrelu_", piecewise.rrelu_in_place)
hardswish_in_place = in_place("hardswish_", piecewise.hardswish)


def relu(input: Tensor, inplace: bool = False) -> Any:
    """Return the larger of each element and 0; in place if so asked."""
    if input.__class__ is not Tensor and is_foreign(input):
        return answer(relu, (input, inplace))
    return input.relu_() if inplace else pointwise.relu(input)


def tanh(input: Tensor) -> Any:
    """Return the hyperbolic tangent of each element."""
    return input.tanh()


def sigmoid(input: Tensor) -> Any:
    """Return ``1 / (1 + exp(-input))``."""
    return input.sigmoid()


@kernel("threshold")
def _threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Any:
    """Put ``value`` in place of each element that is not above ``threshold``."""
    return (threshold_in_place if inplace else activation.threshold)(input, threshold, value)


threshold = _threshold  # by which name PyTorch's errors do not know it


@kernel("leaky_relu")
def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Any:
    """Return each element, times ``negative_slope`` if it is negative."""
    return (leaky_relu_in_place if inplace else activation.leaky_relu)(input, negative_slope)


@kernel("elu")
def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Any:
    """Return each element if it is positive, else ``alpha * (exp(input) - 1)``."""
    return (elu_in_place if inplace else activation.elu)(input, alpha, 1, 1)


@kernel("selu")
def selu(input: Tensor, inplace: bool = False) -> Any:
    """Return `elu`, scaled so that layers keep mean and variance."""
    return (elu_in_place if inplace else activation.elu)(input, SELU_ALPHA, SELU_SCALE, 1)


@refusing()
def gelu(input: Tensor, *, approximate: str = "none") -> Any:
    """Return each element times the normal distribution function of it.

    Raises:
        RuntimeError: if `approximate` is neither ``"none"`` nor ``"tanh"``.
    """
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return activation.gelu(input, approximate)


@asking
def silu(input: Tensor, inplace: bool = False) -> Any:
    """Return ``input * sigmoid(input)``."""
    return (silu_in_place if inplace else activation.silu)(input)


@refusing()
def softplus(input: Tensor, beta: float = 1, threshold: float = 20) -> Any:
    """Return ``log(1 + exp(beta * input)) / beta``, a smooth `relu`; beyond `threshold` a line."""
    return activation.softplus(input, beta, threshold)


@asking
def softsign(input: Tensor) -> Any:
    """Return ``input / (1 + |input|)``."""
    return input / (input.abs() + 1)


@asking
def tanhshrink(input: Tensor) -> Any:
    """Return ``input - tanh(input)``."""
    return input - input.tanh()


@asking
def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Any:
    """Limit each element to a range; its gradient is 0 at the bounds too.

    Raises:
        ValueError: if the lower bound is the higher one.
    """
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    if inplace:
        return hardtanh_(input, min_val, max_val)
    is_bool = isinstance(input, Tensor) and input.dtype is dtypes.bool_
    check(not is_bool, "Bool inputs not supported for hardtanh")
    return activation.hardtanh(input, min_val, max_val)


@kernel("relu6")
def relu6(input: Tensor, inplace: bool = False) -> Any:
    """Limit each element to the range from 0 to 6."""
    return hardtanh(input, 0, 6, inplace)


@refusing("log_sigmoid")
def logsigmoid(input: Tensor) -> Any:
    """Return ``log(sigmoid(input))``, without its rounding."""
    return activation.logsigmoid(input)


@kernel("celu")
def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Any:
    """Return each element if it is positive, else ``alpha * (exp(input / alpha) - 1)``.

    Raises:
        RuntimeError: if alpha is 0.
    """
    check(alpha != 0, "ZeroDivisionError: alpha cannot be 0 for CELU")
    return (celu_in_place if inplace else piecewise.celu)(input, alpha)


@asking
def mish(input: Tensor, inplace: bool = False) -> Any:
    """Return ``input * tanh(softplus(input))``."""
    return (mish_in_place if inplace else piecewise.mish)(input)


@asking
def hardsigmoid(input: Tensor, inplace: bool = False) -> Any:
    """Return a line from 0 at -3 to 1 at 3, and these beyond."""
    return (hardsigmoid_in_place if inplace else piecewise.hardsigmoid)(input)


@asking
def hardswish(input: Tensor, inplace: bool = False) -> Any:
    """Return each element times its `hardsigmoid`."""
    return (hardswish_in_place if inplace else piecewise.hardswish)(input)


@refusing()
def hardshrink(input: Tensor, lambd: float = 0.5) -> Any:
    """Return each element, or 0 if it is at most ``lambd`` from 0."""
    return piecewise.hardshrink(input, lambd)


@refusing()
def softshrink(input: Tensor, lambd: float = 0.5) -> Any:
    """Return each element, brought nearer to 0 by ``lambd``.

    Raises:
        RuntimeError: if `lambd` is negative.
    """
    if input.is_floating_point():
        text = "lambda must be in range [0, {:g}] for input dtype {}, but found {:g}"
        largest = np.finfo(input.dtype.numpy_dtype).max
        check(0 <= lambd <= largest, text, largest, input.dtype.scalar_name, lambd)
    return piecewise.softshrink(input, lambd)


@refusing()
def prelu(input: Tensor, weight: Tensor) -> Any:
    """Return each element, times a weight if it is negative: one for all, or one for each channel.

    Raises:
        RuntimeError: if `weight` is neither of these, or of another dtype.
    """
    return piecewise.prelu_by_channel(input, weight)


@kernel("rrelu")
def rrelu(
    input: Tensor,
    lower: float = 1 / 8,
    upper: float = 1 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Any:
    """Return each element, times a slope if it is negative: while training drawn for each.

    Raises:
        RuntimeError: if the bounds of the slopes are not finite, or in no order.

    Source: https://arxiv.org/abs/1505.00853
    """
    return randomly_leaky(input, lower, upper, training, inplace)


def randomly_leaky(
    input: Tensor,
    lower: float,
    upper: float,
    training: bool,
    inplace: bool,
    generator: Generator | None = None,
) -> Any:
    """Return what `rrelu` does, with slopes that a generator draws."""
    for name, bound in (("lower", lower), ("upper", upper)):
        check(np.isfinite(bound), "rrelu: {} bound must be finite, got {:g}", name, bound)
    check(lower <= upper, "Lower bound should be less than or equal to the upper bound")
    array = input._array
    noise = np.zeros_like(array)
    if not training:
        require(array, "f", "leaky_relu_cpu")
    else:
        of_full_precision(array, "rrelu_with_noise_out_cpu")
        negative = array <= 0
        count = int(np.count_nonzero(negative))
        noise.fill(1)
        low, high = (float(array.dtype.type(bound)) for bound in (lower, upper))
        noise[negative] = chosen(generator).uniforms(count, True) * (high - low) + low
    function = rrelu_in_place if inplace else piecewise.rrelu
    return function(input, from_array(noise), lower, upper, training)


@kernel("glu", "input")
def glu(input: Tensor, dim: int = -1) -> Any:
    """Return one half along a dimension, times the sigmoid of the other.

    Raises:
        RuntimeError: if the length of the dimension is odd.
    """
    text = "glu does not support scalars because halving size must be even"
    check(input.dim() > 0, text)
    return piecewise.glu(input, dim)


@asking
def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """Return the exponentials, divided by their sum along a dimension: they add to 1 there.

    Raises:
        IndexError: if there is no such dimension.
    """
    return input.softmax(implicit_dim("softmax", input) if dim is None else dim, dtype=dtype)


@asking
def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """Return the softmax of ``-input``."""
    chosen = implicit_dim("softmin", input) if dim is None else dim
    return (-input).softmax(chosen, dtype=dtype)


@asking
def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Any:
    """Return the logarithm of `softmax`, without its rounding."""
    chosen = implicit_dim("log_softmax", input) if dim is None else dim
    return input.log_softmax(chosen, dtype=dtype)


def implicit_dim(name: str, input: Tensor) -> int:
    """Return the dimension that PyTorch takes where none was given, with its warning."""
    dimensions = input.dim()
    warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include "
        "dim=X as an argument."
    )
    return 0 if dimensions in (0, 1, 3) else 1


@asking
def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Any:
    """Return what a draw from the categories of `logits` is, in a form that has a gradient.

    With `hard` it is one-hot, but its gradient is that of the soft one.

    Source: https://arxiv.org/abs/1611.00712
    """
    if eps != 1e-10:
        warn("`eps` parameter is deprecated and has no effect.")
    gumbels = -empty_like(logits).contiguous().exponential_().log()
    soft = ((logits + gumbels) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    return zeros_like(logits).contiguous().scatter_(dim, index, 1.0) - soft.detach() + soft


@refusing()
def relu_(input: Tensor) -> Any:
    """Do in place what `relu` does."""
    return relu(input, inplace=True)


@refusing()
def threshold_(input: Tensor, threshold: float, value: float) -> Any:
    """Do in place what the function `threshold` does."""
    return threshold_in_place(input, threshold, value)


@refusing()
def leaky_relu_(input: Tensor, negative_slope: float = 0.01) -> Any:
    """Do in place what `leaky_relu` does."""
    return leaky_relu(input, negative_slope, inplace=True)


@refusing()
def elu_(input: Tensor, alpha: float = 1.0) -> Any:
    """Do in place what `elu` does."""
    return elu(input, alpha, inplace=True)


@refusing()
def selu_(input: Tensor) -> Any:
    """Do in place what `selu` does."""
    return selu(input, inplace=True)


@refusing()
def celu_(input: Tensor, alpha: float = 1.0) -> Any:
    """Do in place what `celu` does."""
    return celu(input, alpha, inplace=True)


@refusing()
def hardtanh_(input: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Any:
    """Do in place what `hardtanh` does; if the lower bound is the higher one, `max_val` holds."""
    check(input.dtype is not dtypes.bool_, "Bool inputs not supported for hardtanh")
    return hardtanh_in_place(input, min_val, max_val)


@refusing()
def rrelu_(
    input: Tensor,
    lower: float = 1 / 8,
    upper: float = 1 / 3,
    training: bool = False,
    generator: Generator | None = None,
) -> Any:
    """Do in place what `rrelu` does."""
    return randomly_leaky(input, lower, upper, training, True, generator)
