"""How losses are reduced: by PyTorch's names, of old too."""

from __future__ import annotations

from typing import Any

from minigrad.ops import loss
from minigrad.outside import warn
from minigrad.tensor import Tensor

REDUCTIONS = {"none": loss.NONE, "mean": loss.MEAN, "sum": loss.SUM}


def chosen_reduction(size_average: Any, reduce: Any, reduction: str) -> str:
    """Return how a loss is to be reduced, as said with PyTorch's older arguments if they are given.

    Those are true unless given; a warning says what they are now.
    """
    if size_average is None and reduce is None:
        return reduction
    average, adds = (True if one is None else one for one in (size_average, reduce))
    chosen = "mean" if average and adds else "sum" if adds else "none"
    warn(
        f"size_average and reduce args will be deprecated, please use reduction='{chosen}' instead."
    )
    return chosen


def reduction_number(reduction: str, size_average: Any = None, reduce: Any = None) -> int:
    """Return how a loss is to be reduced, as operations know it.

    Raises:
        ValueError: if it is none of "none", "mean" and "sum".
    """
    if size_average is not None or reduce is not None:
        reduction = chosen_reduction(size_average, reduce, reduction)
    if reduction not in REDUCTIONS:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return REDUCTIONS[reduction]


def reduced(losses: Tensor, reduction: str) -> Any:
    """Return the losses of the elements, their mean or their sum."""
    number = reduction_number(reduction)
    if number == loss.NONE:
        return losses
    return losses.mean() if number == loss.MEAN else losses.sum()
