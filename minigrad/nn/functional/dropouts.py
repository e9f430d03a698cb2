"""Dropping elements at random."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minigrad.ops.calls import kernel
from minigrad.ops.check import check
from minigrad.ops.promotion import not_a_tensor
from minigrad.outside import warn
from minigrad.tensor import Tensor, from_array

NO_PROBABILITY = "dropout probability has to be between 0 and 1, but got {}"


def check_probability(p: float) -> None:
    """Raise ValueError for what is below 0 or above 1; nan is left to `dropped`, as in PyTorch."""
    check(not (p < 0.0 or p > 1.0), NO_PROBABILITY, p, error=ValueError)


@kernel("dropout", "p", train="training")
def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """While training, put 0 in place of elements, each with probability `p`, and scale the others.

    Raises:
        ValueError: if `p` is no probability.
        TypeError: if `input` is no tensor.
    """
    check_probability(p)
    if not isinstance(input, Tensor):
        raise not_a_tensor("dropout", "input", 1, input)
    return dropped(input, p, training, inplace)


@kernel("alpha_dropout", "p", train="training")
def alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Any:
    """While training, drop elements to SELU's lowest value, and keep mean and variance.

    Raises:
        ValueError: if `p` is no probability.

    Source: https://arxiv.org/abs/1706.02515
    """
    check_probability(p)
    return dropped_to_lowest(input, p, training, inplace)


@kernel("feature_dropout", "p", train="training")
def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """While training, put 0 in place of whole channels, (N, C, L) or (C, L), and scale the others.

    Raises:
        ValueError: if `p` is no probability.
        RuntimeError: for inputs of other dimensions.
    """
    check_probability(p)
    ndim = input.dim()
    text = (
        f"dropout1d: Expected 2D or 3D input, but received a {ndim}D input. Note that dropout1d "
        "exists to provide channel-wise dropout on inputs with 1 spatial dimension, a channel "
        "dimension, and an optional batch dimension (i.e. 2D or 3D inputs)."
    )
    check(ndim in (2, 3), text)
    return channels_dropped(input, p, training, inplace, ndim == 3)


@kernel("feature_dropout", "p", train="training")
def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """While training, put 0 in place of whole channels, (N, C, H, W), and scale the others.

    Raises:
        ValueError: if `p` is no probability.
    """
    check_probability(p)
    ndim = input.dim()
    warn_of_dimensions("dropout2d", ndim, 2)
    if ndim == 3:
        warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout "
            "behavior is desired - input is interpreted as shape (N, C, L), where C is the channel "
            "dim. This behavior will change in a future release to interpret the input as one "
            "without a batch dimension, i.e. shape (C, H, W). To maintain the 1D channel-wise "
            "dropout behavior, please switch to using dropout1d instead."
        )
    return channels_dropped(input, p, training, inplace, True)


@kernel("feature_dropout", "p", train="training")
def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """While training, put 0 in place of whole channels, (N, C, D, H, W) or without N.

    Raises:
        ValueError: if `p` is no probability.
    """
    check_probability(p)
    warn_of_dimensions("dropout3d", input.dim(), 3)
    return channels_dropped(input, p, training, inplace, input.dim() == 5)


@kernel("feature_alpha_dropout", "p", train="training")
def feature_alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Any:
    """While training, drop whole channels as `alpha_dropout` drops elements.

    Raises:
        ValueError: if `p` is no probability.
        RuntimeError: if there are no channels.
    """
    check_probability(p)
    return dropped_to_lowest(input, p, training, inplace, of_channels)


def warn_of_dimensions(name: str, ndim: int, spatial: int) -> None:
    """Warn of inputs with other dimensions than a batch's, or one sample's, and channels."""
    if ndim not in (spatial + 1, spatial + 2):
        warn(
            f"{name}: Received a {ndim}-D input to {name}, which is deprecated and will result in "
            "an error in a future release. To retain the behavior and silence this warning, please "
            f"use dropout instead. Note that {name} exists to provide channel-wise dropout on "
            f"inputs with {spatial} spatial dimensions, a channel dimension, and an optional batch "
            f"dimension (i.e. {spatial + 1}D or {spatial + 2}D inputs)."
        )


def channels_dropped(input: Tensor, p: float, training: bool, inplace: bool, batch: bool) -> Any:
    """Return a batch, or one sample, whose channels are dropped."""
    if batch:
        return dropped(input, p, training, inplace, of_channels)
    input = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    result = dropped(input, p, training, inplace, of_channels)
    return result.squeeze_(0) if inplace else result.squeeze(0)


def of_elements(input: Tensor) -> Tensor:
    """Return zeros, one for each element."""
    return from_array(np.zeros_like(input._array))


def of_channels(input: Tensor) -> Tensor:
    """Return zeros, one for each channel of each sample."""
    check(input.dim() >= 2, "Feature dropout requires at least 2 dimensions in the input")
    shape = (*input.shape[:2], *[1] * (input.dim() - 2))
    return from_array(np.zeros(shape, input._array.dtype))


def dropped(
    input: Tensor, p: float, training: bool, inplace: bool, zeros: Any = of_elements
) -> Any:
    """Return an input of which parts are dropped, and the others scaled.

    Raises:
        RuntimeError: if `p` is no probability.
    """
    check(0 <= p <= 1, NO_PROBABILITY, p)
    if p == 0 or not training or not input.numel():
        return input
    if p == 1:
        noise = from_array(np.zeros((), input._array.dtype))
    else:
        noise = zeros(input).bernoulli_(1 - p).div_(1 - p)
    return input.mul_(noise) if inplace else input * noise


def dropped_to_lowest(
    input: Tensor, p: float, training: bool, inplace: bool, zeros: Any = of_elements
) -> Any:
    """Return an input of which parts are at SELU's lowest value; mean and variance stay.

    Raises:
        RuntimeError: if `p` is no probability.
    """
    check(0 <= p <= 1, NO_PROBABILITY, p)
    if p == 0 or not training or not input.numel():
        return input
    if p == 1:
        nothing = from_array(np.zeros((), input._array.dtype))
        return input.mul_(nothing) if inplace else input * nothing
    noise = zeros(input).bernoulli_(1 - p)
    lowest = 1.7580993408473766
    scale = 1 / math.sqrt((lowest**2 * p + 1) * (1 - p))
    shift = noise.add(-1).mul_(lowest * scale).add_(lowest * scale * p)
    noise.mul_(scale)
    return input.mul_(noise).add_(shift) if inplace else (input * noise).add_(shift)
