"""Losses that compare distances, margins and counts.

PyTorch composes them of other operations too, so its graph shows the same parts.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minigrad import creation, dtypes
from minigrad.autograd.grad_mode import no_grad
from minigrad.nn.functional.distances import pairwise_distance, plus
from minigrad.nn.functional.reductions import chosen_reduction, reduced, reduction_number
from minigrad.ops import activation, class_margins, pointwise
from minigrad.ops.calls import asking, kernel
from minigrad.ops.check import check, of_full_precision
from minigrad.ops.pointwise import add_number, floating, mul_number, sub_number
from minigrad.tensor import Tensor, from_array

TINY = 1e-12  # added to squared lengths, lest one be 0


@kernel("margin_ranking_loss", "input1 input2 target")
def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Return by how much the first input is not `margin` above the second.

    Where the target is -1 instead of 1, the second is to be above the first.

    Raises:
        RuntimeError: if the numbers of dimensions differ.
    """
    reduction = chosen_reduction(size_average, reduce, reduction)
    if not input1.dim() == input2.dim() == target.dim():
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
            f"input1: {input1.size()}, input2: {input2.size()}, target: {target.size()} "
        )
    return reduced(plus(-target * (input1 - input2), margin).clamp_min(0), reduction)


@kernel("hinge_embedding_loss")
def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Return distances where the target is 1, and where it is -1 what they lack to the margin."""
    reduction = chosen_reduction(size_average, reduce, reduction)
    lacking = (creation.tensor(margin, dtype=input.dtype) - input).clamp_min(0)
    apart = pointwise.where(target != 1, lacking, 0)
    return reduced(apart + pointwise.where(target != -1, input, 0), reduction)


@kernel("triplet_margin_loss", "margin")
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Return by how much the negative is not `margin` farther from the anchor than the positive.

    With `swap`, the negative is as far as it is from the nearer of both.

    Raises:
        ValueError: if the margin is not positive.
        RuntimeError: if the numbers of dimensions differ.
    """
    reduction = chosen_reduction(size_average, reduce, reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    check_triplet(anchor, positive, negative)
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = pointwise.minimum(far, pairwise_distance(positive, negative, p, eps))
    return reduced((add_number(near, margin) - far).clamp_min(0), reduction)


@kernel("cosine_embedding_loss")
def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Return how far vectors are from the same direction where the target is 1.

    Where it is -1, return by how much the cosine of the angle between them is above the margin.

    Args:
        input1, input2: (batch, length), or (length).
        target: (batch), or ().

    Raises:
        RuntimeError: if the shapes are not these.
    """
    reduction = chosen_reduction(size_average, reduce, reduction)
    if target.ndim > 1 or {input1.ndim, input2.ndim} != {target.ndim + 1}:
        kind = f"{min(target.ndim, 2)}D target tensor"
        raise RuntimeError(
            f"{kind} expects {target.ndim + 1}D input tensors, but found inputs with sizes "
            f"{list(input1.shape)} and {list(input2.shape)}."
            if target.ndim < 2
            else "0D or 1D target tensor expected, multi-target not supported"
        )
    dim = target.ndim
    product = (input1 * input2).sum(dim)
    squares = [plus((one * one).sum(dim), TINY) for one in (input1, input2)]
    cosine = product / (squares[0] * squares[1]).sqrt()
    apart = creation.ones_like(cosine) - cosine
    near = sub_number(cosine, margin).clamp_min(0)
    losses = pointwise.where(target == 1, apart, 0.0) + pointwise.where(target == -1, near, 0.0)
    return reduced(losses, reduction)


@kernel("poisson_nll_loss")
def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: Any = None,
    eps: float = 1e-8,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Return the negative log-likelihood of counts, whose means, or their logarithms, are given.

    Args:
        log_input: whether `input` is the logarithm of the mean.
        full: whether to add Stirling's approximation of what does not depend on the input.
        eps: added to a mean before its logarithm is taken.

    Raises:
        ValueError: for another reduction.
    """
    reduction = chosen_reduction(size_average, reduce, reduction)
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not a valid value for reduction")
    rate = target * input if log_input else target * plus(input, eps).log()
    losses = (input.exp() if log_input else input) - rate
    if full:
        root = mul_number(mul_number(floating(target), 2 * math.pi).log(), 0.5)
        stirling = target * target.log() - target + root
        losses = losses + stirling.masked_fill(target <= 1, 0)
    return reduced(losses, reduction)


@asking
def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Any,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Any:
    """Return the negative log-likelihood of targets under normal distributions.

    Args:
        input, var: mean and variance of each; the variance may lack the last dimension, or have
            the length 1 along one.
        full: whether to add the constant term.
        eps: the least variance.

    Raises:
        ValueError: if a variance is negative, or its shape does not fit.
    """
    if isinstance(var, float):
        var = creation.full_like(input, var)
    if (var < 0).any():
        raise ValueError("var has negative entry/entries")
    if var.size() != input.size():
        if input.size()[:-1] == var.size():
            var = var.unsqueeze(-1)
        else:
            pairs = zip(input.size(), var.size(), strict=False)
            broadcast = input.ndim == var.ndim and sum(n for m, n in pairs if m != n) == 1
            check(broadcast, "var is of incorrect size", error=ValueError)
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid")
    var = var.clone()
    with no_grad():
        var.clamp_(min=eps)
    losses = 0.5 * (var.log() + (input - target) ** 2 / var)
    if full:
        losses += 0.5 * math.log(2 * math.pi)
    return reduced(losses, reduction)


@asking
def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Return the mean over the classes of the cross entropies of whether each is right.

    Args:
        input: (..., classes), logits.
        target: of the same shape, 0 or 1.
        weight: (classes).
    """
    reduction = chosen_reduction(size_average, reduce, reduction)
    right = target * activation.logsigmoid(input)
    losses = -(right + (1 - target) * activation.logsigmoid(-input))
    if weight is not None:
        losses = losses * weight
    text = "Dimension specified as -1 but tensor has no dimensions"
    check(input.ndim, text, error=IndexError)
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid")
    return reduced(losses.sum(input.ndim - 1) / input.size(-1), reduction)


@kernel("multi_margin_loss", "p", self="input")
def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Return by how much wrong classes come nearer to the right one than `margin`, to the power p.

    Args:
        input: (N, C) or (C), scores.
        target: (N) or one, the numbers of the right classes.
        p: 1 or 2.
        weight: (C).

    Raises:
        ValueError: for another p, or a weight that is no vector.
        RuntimeError: if the shapes do not fit, or there is no such class.
    """
    number = reduction_number(reduction, size_average, reduce)
    check(p in (1, 2), "only p == 1 and p == 2 supported", error=ValueError)
    fits = weight is None or weight.dim() == 1
    check(fits, "weight must be one-dimensional", error=ValueError)
    check_scores(input)
    samples = input.shape[0] if input.ndim > 1 else 1
    text = (
        "multi_margin_loss: target tensor should be 1-D with size equal to the number of input "
        "samples (batch size). Expected target size [{}], but got {}. Input has shape {}."
    )
    fits = target.ndim <= 1 and target.numel() == samples
    check(fits, text, samples, list(target.shape), list(input.shape))
    classes = input.shape[-1] if input.ndim else 1
    if weight is not None:
        text = "inconsistent weight size, expected {} but got {}"
        check(weight.numel() == classes, text, classes, list(weight.shape))
    of_full_precision(input._array, "multi_margin_loss_cpu_kernel")
    check_long(target)
    check(((target >= 0) & (target < classes)).all(), "target out of range")
    return class_margins.multi_margin_loss(input, target, p, margin, weight, number)


@kernel("multilabel_margin_loss", self="input")
def multilabel_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Return by how much wrong classes come nearer to right ones than 1.

    Args:
        input: (N, C) or (C), scores.
        target: of that shape, the numbers of the right classes, up to the first -1.

    Raises:
        RuntimeError: if the shapes do not fit, or there is no such class.
    """
    number = reduction_number(reduction, size_average, reduce)
    check_scores(input)
    text = "inconsistent target size: {} for input of size: {}"
    check(input.shape == target.shape, text, list(target.shape), list(input.shape))
    classes = input.shape[-1] if input.ndim else 1
    numbers = target._array.astype(np.int64)
    fits = ((numbers >= -1) & (numbers < classes)).all()
    check(fits, "argument #2 'target' is out of range")
    of_full_precision(input._array, "multilabel_margin_loss_forward_out_frame")
    check_long(target)
    is_target = from_array(class_margins.are_right(target._array).astype(input._array.dtype))
    return class_margins.multilabel_margin_loss(input, target, number, is_target)


def check_scores(input: Tensor) -> None:
    """Refuse what is neither a vector of scores nor a batch of them."""
    text = "Expected non-empty vector or matrix with optional 0-dim batch size, but got: {}"
    fits = input.ndim < 2 or (input.ndim == 2 and input.shape[1] > 0)
    check(fits and 0 not in input.shape[-1:], text, list(input.shape))


def check_long(target: Tensor) -> None:
    """Refuse numbers of classes that are no int64."""
    text = "expected scalar type Long but found {}"
    check(target.dtype is dtypes.int64, text, target.dtype.scalar_name)


def check_triplet(anchor: Tensor, positive: Tensor, negative: Tensor) -> None:
    """Refuse triplets of different numbers of dimensions."""
    text = (
        "The anchor, positive, and negative tensors are expected to have the same number of "
        "dimensions, but got: anchor {}D, positive {}D, and negative {}D inputs"
    )
    dims = [one.ndim for one in (anchor, positive, negative)]
    check(len(set(dims)) == 1, text, *dims)


@asking
def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Any = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Any:
    """Return by how much negatives are not farther than positives by `margin`, by any distance.

    Raises:
        ValueError: for another reduction, or a margin that is not positive.
        RuntimeError: if the numbers of dimensions differ.
    """
    reduction_number(reduction)
    check(margin > 0, "margin must be greater than 0, got {}", margin, error=ValueError)
    check_triplet(anchor, positive, negative)
    distance = pairwise_distance if distance_function is None else distance_function
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = far.minimum(distance(positive, negative))
    return reduced((margin + near - far).clamp_min(0), reduction)
