"""Dropping elements at random."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minigrad.ops.calls import kernel
from minigrad.ops.promotion import not_a_tensor
from minigrad.tensor import Tensor, from_array


def check_probability(p: float) -> None:
    """Refuse to drop elements with what is no probability.

    Raises:
        ValueError: if it is below 0 or above 1.
    """
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


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
    if p == 0 or not training or not input.numel():
        return input
    noise = from_array(np.zeros_like(input._array))
    if p < 1:
        noise.bernoulli_(1 - p).div_(1 - p)
    return input.mul_(noise) if inplace else input * noise


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
    if p == 0 or not training or not input.numel():
        return input
    if p == 1:
        nothing = from_array(np.zeros((), input._array.dtype))
        return input.mul_(nothing) if inplace else input * nothing
    noise = from_array(np.zeros_like(input._array)).bernoulli_(1 - p)
    lowest = 1.7580993408473766
    scale = 1 / math.sqrt((lowest**2 * p + 1) * (1 - p))
    shift = noise.add(-1).mul_(lowest * scale).add_(lowest * scale * p)
    noise.mul_(scale)
    return input.mul_(noise).add_(shift) if inplace else (input * noise).add_(shift)
