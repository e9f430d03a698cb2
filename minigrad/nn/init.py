"""How parameters begin: functions that fill a tensor in place, unrecorded, and return it.

They draw what PyTorch draws for the same seed.
Source: https://docs.pytorch.org/docs/stable/nn.init.html

>>> import minigrad as torch
>>> torch.nn.init.constant_(torch.empty(2), 0.5)
tensor([0.5000, 0.5000])
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad import creation
from minigrad.autograd.grad_mode import no_grad
from minigrad.autograd.node import quiet_copy
from minigrad.ops.bind import missing
from minigrad.ops.calls import asking
from minigrad.ops.check import of_full_precision
from minigrad.outside import warn
from minigrad.random import randperm
from minigrad.tensor import Tensor, from_array

LINEAR = {
    "linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d",
    "conv_transpose3d",
}  # fmt: skip
GAINS = {"sigmoid": 1, "tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4}


def calculate_gain(nonlinearity: str, param: Any = None) -> float:
    """Return by what factor weights before a nonlinearity are scaled.

    Args:
        nonlinearity: the name of the function in `minigrad.nn.functional`, or "linear".
        param: the slope of "leaky_relu" where the input is negative, by default 0.01.

    Raises:
        ValueError: for another nonlinearity, or a slope that is no number.
    """
    if nonlinearity in LINEAR:
        return 1
    if nonlinearity in GAINS:
        return GAINS[nonlinearity]
    if nonlinearity != "leaky_relu":
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    slope = 0.01 if param is None else param
    if isinstance(slope, bool) or not isinstance(slope, (int, float)):
        raise ValueError(f"negative_slope {param} not a valid number")
    return math.sqrt(2.0 / (1 + slope**2))


@asking
@no_grad()
def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with numbers drawn uniformly from [a, b)."""
    return tensor.uniform_(a, b, generator=generator)


@asking
@no_grad()
def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with normally distributed numbers."""
    return tensor.normal_(mean, std, generator=generator)


@asking
@no_grad()
def constant_(tensor: Tensor, val: float) -> Tensor:
    """Fill with one number."""
    return tensor.fill_(val)


@no_grad()
def ones_(tensor: Tensor) -> Tensor:
    """Fill with ones."""
    return tensor.fill_(1.0)


@no_grad()
def zeros_(tensor: Tensor) -> Tensor:
    """Fill with zeros."""
    return tensor.zero_()


@no_grad()
def eye_(tensor: Tensor) -> Tensor:
    """Make a matrix the identity.

    Raises:
        ValueError: if it is no matrix.
    """
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    return tensor.copy_(creation.eye(*tensor.shape))


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    """Return how many inputs each output depends on, and the reverse."""
    if tensor.dim() < 2:
        raise ValueError(
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
        )
    inputs, outputs = tensor.size(1), tensor.size(0)
    field = math.prod(tensor.shape[2:]) if tensor.dim() > 2 else 1
    return inputs * field, outputs * field


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fill uniformly, so that neither values nor gradients grow from layer to layer.

    Source: https://proceedings.mlr.press/v9/glorot10a.html
    """
    bound = math.sqrt(3.0) * xavier_std(tensor, gain)
    with no_grad():
        return tensor.uniform_(-bound, bound, generator=generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with normals, to the same end as `xavier_uniform_`."""
    std = xavier_std(tensor, gain)
    with no_grad():
        return tensor.normal_(0.0, std, generator=generator)


def xavier_std(tensor: Tensor, gain: float) -> float:
    """Return the standard deviation of `xavier_normal_`."""
    return gain * math.sqrt(2.0 / float(sum(_calculate_fan_in_and_fan_out(tensor))))


@asking
def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Tensor:
    """Fill uniformly, so that values, or gradients, keep their size through rectifiers.

    Args:
        tensor: of 2 dimensions or more.
        a: the slope of leaky_relu where the input is negative.
        mode: ``"fan_in"`` for values, ``"fan_out"`` for gradients.
        nonlinearity: as of `calculate_gain`.
        generator: draws the numbers.

    Source: https://arxiv.org/abs/1502.01852
    """
    if 0 in tensor.shape:
        return unfilled(tensor)
    bound = math.sqrt(3.0) * kaiming_std(tensor, a, mode, nonlinearity)
    with no_grad():
        return tensor.uniform_(-bound, bound, generator=generator)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Tensor:
    """Fill with normals, to the same end as `kaiming_uniform_`."""
    if 0 in tensor.shape:
        return unfilled(tensor)
    std = kaiming_std(tensor, a, mode, nonlinearity)
    with no_grad():
        return tensor.normal_(0, std, generator=generator)


def unfilled(tensor: Tensor) -> Tensor:
    """Return a tensor without elements, with PyTorch's warning."""
    warn("Initializing zero-element tensors is a no-op")
    return tensor


def kaiming_std(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float:
    """Return the standard deviation of `kaiming_normal_`."""
    modes = ["fan_in", "fan_out"]
    if mode.lower() not in modes:
        raise ValueError(f"Mode {mode.lower()} not supported, please use one of {modes}")
    fan = _calculate_fan_in_and_fan_out(tensor)[modes.index(mode.lower())]
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


@no_grad()
def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Any = None,
) -> Tensor:
    """Fill with normals that are drawn anew until they lie between a and b."""
    if mean < a - 2 * std or mean > b + 2 * std:
        warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of "
            "values may be incorrect."
        )
    low, high = ((1 + math.erf((end - mean) / std / math.sqrt(2))) / 2 for end in (a, b))
    if high - low > 0.3:
        return redrawn(tensor, mean, std, a, b, generator)
    return accepted(tensor, mean, std, a, b, generator)


def redrawn(tensor: Tensor, mean: float, std: float, a: float, b: float, generator: Any) -> Tensor:
    """Fill with normals, those outside drawn anew: where most lie inside."""
    drawn = kept = tensor.normal_(mean, std, generator=generator)._array
    low, high = kept.dtype.type(a), kept.dtype.type(b)
    while (outside := (kept < low) | (kept > high)).any():
        again = from_array(np.empty_like(kept)).normal_(mean, std, generator=generator)
        kept = np.where(outside, again._array, kept)
    return tensor if kept is drawn else tensor.copy_(from_array(kept))


def accepted(tensor: Tensor, mean: float, std: float, a: float, b: float, generator: Any) -> Tensor:
    """Fill uniformly, each number accepted with a chance in proportion to its density."""
    peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2
    kept = np.empty_like(tensor._array)
    pending = np.ones(kept.shape, bool)
    while pending.any():
        drawn = from_array(np.empty_like(kept)).uniform_(a, b, generator=generator)
        kept = np.where(pending, drawn._array, kept)
        log_density = drawn.sub_(mean).div_(std).pow_(2).mul_(-0.5).sub_(peak)._array
        chance = from_array(np.empty_like(kept)).uniform_(generator=generator)._array
        pending &= quiet_copy().run(np.log, chance) > log_density
    return tensor.copy_(from_array(kept))


@no_grad()
def orthogonal_(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """Fill with a matrix whose rows, or columns if they are fewer, are orthonormal, times `gain`.

    Dimensions after the first count as one.

    Raises:
        ValueError: if there are fewer than 2 dimensions.

    Source: https://arxiv.org/abs/1312.6120
    """
    if tensor.ndimension() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    rows = tensor.shape[0]
    drawn = np.empty((rows, tensor.numel() // rows), tensor._array.dtype)
    drawn = from_array(drawn).normal_(0, 1, generator=generator)._array
    of_full_precision(drawn, "geqrf_cpu")
    is_wide = rows < drawn.shape[1]
    q, r = np.linalg.qr(drawn.T if is_wide else drawn)
    q = q * np.sign(np.diagonal(r))
    return tensor.copy_(from_array((q.T if is_wide else q).reshape(tensor.shape))).mul_(gain)


@no_grad()
def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Any = None) -> Tensor:
    """Fill with normal numbers, but for a fraction of each column, which is 0 in random rows.

    Raises:
        ValueError: if it is no matrix.
    """
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    tensor.normal_(0, std, generator=generator)
    for column in range(columns):
        tensor[randperm(rows)[:zeros], column] = 0
    return tensor


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Fill the weight of a convolution, so that its channels are kept as they are.

    Raises:
        ValueError: unless it has 3 to 5 dimensions, the first divided evenly by `groups`.
    """
    if tensor.ndimension() not in [3, 4, 5]:
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    outputs, inputs, *size = tensor.shape
    if outputs % groups:
        raise ValueError("dim 0 must be divisible by groups")
    per_group = outputs // groups
    middle = tuple([length // 2 for length in size])
    with no_grad():
        tensor.zero_()
        for group in range(groups):
            for channel in range(min(per_group, inputs)):
                tensor[(group * per_group + channel, channel, *middle)] = 1
    return tensor


# What functions were called before they had an underscore.
OLD_NAMES = {
    "constant", "dirac", "eye", "kaiming_normal", "kaiming_uniform", "normal", "orthogonal",
    "sparse", "uniform", "xavier_normal", "xavier_uniform",
}  # fmt: skip


def by_old_name(name: str) -> Callable[..., Tensor]:
    """Return a function that warns of its old name."""

    def called(*arguments: Any, **keywords: Any) -> Any:
        text = f"`nn.init.{name}` is now deprecated in favor of `nn.init.{name}_`."
        warn(text, FutureWarning)
        return globals()[f"{name}_"](*arguments, **keywords)

    called.__name__ = called.__qualname__ = name
    return called


def __getattr__(name: str) -> Any:
    if name in OLD_NAMES:
        return by_old_name(name)
    raise missing("module 'torch.nn.init'", name, globals())
