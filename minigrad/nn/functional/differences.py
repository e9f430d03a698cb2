"""Losses of the difference between prediction and target."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.nn.functional.reductions import chosen_reduction, reduced, reduction_number
from minigrad.ops import loss
from minigrad.ops.calls import asking, kernel
from minigrad.ops.check import check
from minigrad.ops.promotion import broadcasting_error
from minigrad.outside import warn
from minigrad.tensor import Tensor


def same_size(input: Any, target: Any) -> bool:
    """Return whether two tensors have the same shape."""
    if isinstance(input, Tensor) and isinstance(target, Tensor):
        return bool(input._value.shape == target._value.shape)
    # What is no tensor has no size(), which is what PyTorch says.
    return bool(target.size() == input.size())


@asking
def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Any:
    """Return the squared differences, or their mean or sum.

    Args:
        input, target: of the same shape; a warning is given where one has to be broadcast.
        reduction: ``"none"``, ``"mean"`` or ``"sum"``.
        weight: of each element, of the shape of `input`; the mean is one of weighted differences.
        size_average, reduce: PyTorch's older way to say `reduction`, with a warning.

    Raises:
        ValueError: for another reduction or shape of weight.
        RuntimeError: if the shapes cannot be broadcast.
    """
    pair = like_sized(input, target)
    if weight is None:
        return loss.mse_loss(*pair, reduction_number(reduction, size_average, reduce))
    check_like_input(weight, input)
    reduction = chosen_reduction(size_average, reduce, reduction)
    return weighted_mean((pair[0] - pair[1]).square(), weight, reduction)


@asking
def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Any:
    """Return the absolute differences, or their mean or sum; arguments as of `mse_loss`."""
    pair = like_sized(input, target)
    if weight is not None:
        check_like_input(weight, input)
    reduction = chosen_reduction(size_average, reduce, reduction)
    differences = (pair[0] - pair[1]).abs()
    if weight is None:
        return reduced(differences, reduction)
    return weighted_mean(differences, weight, reduction)


@kernel("smooth_l1_loss", "input target")
def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Any:
    """Return absolute differences less beta/2, where they are below beta squared over 2 beta.

    Args:
        input, target, reduction: as of `mse_loss`.
        beta: from where on the loss is a line; 0 makes it `l1_loss`.

    Raises:
        RuntimeError: if beta is negative or the shapes cannot be broadcast.
    """
    pair = like_sized(input, target)
    reduction = chosen_reduction(size_average, reduce, reduction)
    if beta == 0:
        return reduced((pair[0] - pair[1]).abs(), reduction)
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    return loss.smooth_l1_loss(*pair, reduction_number(reduction), beta)


@kernel("huber_loss", "input target")
def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Tensor | None = None,
) -> Any:
    """Return `smooth_l1_loss` times its beta, here called delta.

    Raises:
        RuntimeError: if delta is not positive or the shapes cannot be broadcast.
    """
    pair = like_sized(input, target)
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    if weight is None:
        return loss.huber_loss(*pair, reduction_number(reduction), delta)
    check_like_input(weight, input)
    check_named(reduction)
    return reduced(loss.huber_loss(*pair, loss.NONE, delta) * weight, reduction)


def like_sized(input: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Return prediction and target in one shape, with PyTorch's warning if it was not one."""
    if same_size(input, target):
        return input, target
    warn(
        f"Using a target size ({target.size()}) that is different to the input size "
        f"({input.size()}). This will likely lead to incorrect results due to broadcasting. "
        "Please ensure they have the same size."
    )
    try:
        common = np.broadcast_shapes(input.shape, target.shape)
    except ValueError:
        raise broadcasting_error(input.shape, target.shape) from None
    return expanded(input, common), expanded(target, common)


def expanded(tensor: Tensor, shape: tuple[int, ...]) -> Any:
    """Return a tensor in a shape to which it can be broadcast; itself if it has it already."""
    return tensor if tensor.shape == shape else tensor.expand(shape)


def check_like_input(weight: Tensor, input: Tensor) -> None:
    """Refuse weights of another shape than the prediction as it was given."""
    text = "Weights and input must have the same size."
    check(weight.size() == input.size(), text, error=ValueError)


def check_named(reduction: str) -> None:
    """Refuse another reduction of weighted losses than the three."""
    text = "Invalid reduction mode: {}. Expected one of 'none', 'mean', 'sum'."
    check(reduction in ("none", "mean", "sum"), text, reduction, error=ValueError)


def weighted_mean(losses: Tensor, weight: Tensor, reduction: str) -> Any:
    """Return weighted losses, their sum, or that divided by the sum of the weights."""
    check_named(reduction)
    weighted = losses * weight
    if reduction == "none":
        return weighted
    return weighted.sum() / weight.sum() if reduction == "mean" else weighted.sum()
