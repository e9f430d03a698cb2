"""Losses of probabilities, classes and signs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.autograd.grad_mode import is_grad_enabled
from minigrad.nn.functional.differences import same_size
from minigrad.nn.functional.reductions import chosen_reduction, reduced, reduction_number
from minigrad.ops import loss, pointwise
from minigrad.ops.calls import kernel
from minigrad.ops.check import check, check_shapes, require
from minigrad.ops.promotion import not_a_tensor
from minigrad.ops.shape import broadcast_shapes
from minigrad.outside import warn
from minigrad.tensor import Tensor


def refuse_grad(function: str, name: str, tensor: Tensor | None) -> None:
    """Raise PyTorch's error if an argument through which no gradient passes requires one."""
    if tensor is not None and tensor.requires_grad and is_grad_enabled():
        raise RuntimeError(
            f"The function '{function}' is not differentiable with respect to argument '{name}'. "
            "This input cannot have requires_grad True."
        )


@kernel("binary_cross_entropy", "input target weight")
def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Return minus the logarithm of the probability that was given to what is the case.

    Args:
        input: probabilities, of any shape.
        target: 0 or 1, or something between, of the same shape and dtype.
        weight: of each element, broadcast to that shape.
        reduction: ``"none"``, ``"mean"`` or ``"sum"``.

    Raises:
        ValueError: if the shapes differ, or for another reduction.
        RuntimeError: if an element is not between 0 and 1, the dtypes differ, or the weights do not
            fit.
    """
    number = reduction_number(reduction, size_average, reduce)
    if not same_size(input, target):
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size "
            f"({input.size()}) is deprecated. Please ensure they have the same size."
        )
    if target.dtype is not input.dtype:
        raise RuntimeError(
            f"Found dtype {target.dtype.scalar_name} but expected {input.dtype.scalar_name}"
        )
    refuse_grad("binary_cross_entropy", "weight", weight)
    if weight is not None:
        check_weight(input, broadcast_shapes(target.shape, weight.shape))
    require(input._array, "f", "binary_cross_entropy")
    check_probabilities(input._array, target._array)
    return loss.binary_cross_entropy(input, target, weight, number)


def check_probabilities(input: np.ndarray[Any, Any], target: np.ndarray[Any, Any]) -> None:
    """Refuse what is not between 0 and 1, and name the first of both arrays that is not."""
    inside = [(one >= 0) & (one <= 1) for one in (input, target)]
    if not np.all(inside):
        first, second = (np.append(one, False).argmin() for one in inside)
        name = "input" if first <= second else "target"
        raise RuntimeError(f"all elements of {name} should be between 0 and 1")


def check_weight(input: Tensor, together: tuple[int, ...]) -> None:
    """Refuse weights with which the losses of an input would have another shape than it has."""
    text = "output with shape {} doesn't match the broadcast shape {}"
    check(together == input.shape, text, list(input.shape), list(together))


@kernel("binary_cross_entropy_with_logits", "input target")
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Any:
    """Return the `binary_cross_entropy` of ``sigmoid(input)``, without its rounding.

    Args:
        input: any numbers, of any shape.
        target: 0 or 1, or something between, of the same shape.
        weight: of each element, broadcast to that shape.
        reduction: ``"none"``, ``"mean"`` or ``"sum"``.
        pos_weight: of what is the case, broadcast to that shape.

    Raises:
        ValueError: if the shapes differ, or for another reduction.
        RuntimeError: if the target's dtype is not floating point, or the weights do not fit.
    """
    number = reduction_number(reduction, size_average, reduce)
    if not same_size(input, target):
        raise ValueError(
            f"Target size ({target.size()}) must be the same as input size ({input.size()})"
        )
    require(input._array, "f", "log_sigmoid_cpu")
    if not target.is_floating_point():
        check(target.dtype is not dtypes.bool_, pointwise.TWO_BOOLS)
        raise RuntimeError(
            f"result type {input.dtype.scalar_name} can't be cast to the desired output type "
            f"{target.dtype.scalar_name}"
        )
    refuse_grad("binary_cross_entropy_with_logits", "weight", weight)
    refuse_grad("binary_cross_entropy_with_logits", "pos_weight", pos_weight)
    for a, b in ((input, weight), (pos_weight, input)):
        if a is not None and b is not None:
            check_shapes(a, b)
            check_weight(input, np.broadcast_shapes(a.shape, b.shape))
    return loss.binary_cross_entropy_with_logits(input, target, weight, pos_weight, number)


@kernel("soft_margin_loss", "input target")
def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Return the logistic loss: ``log(1 + exp(-target * input))``.

    Args:
        input: any numbers, of any shape.
        target: 1 or -1, broadcast to that shape.

    Raises:
        RuntimeError: if the shapes do not fit, or `input` is of integers.
    """
    number = reduction_number(reduction, size_average, reduce)
    for place, (name, one) in enumerate((("input", input), ("target", target)), 1):
        if not isinstance(one, Tensor):
            raise not_a_tensor("soft_margin_loss", name, place, one)
    refuse_grad("soft_margin_loss", "target", target)
    check(input.dtype is not dtypes.bool_, pointwise.NEGATED_BOOL)
    check_shapes(input, target)
    check_weight(input, np.broadcast_shapes(input.shape, target.shape))
    text = "result type Float can't be cast to the desired output type {}"
    check(input.is_floating_point(), text, input.dtype.scalar_name)
    return loss.soft_margin_loss(input, target, number)


@kernel("nll_loss_nd")
def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Return minus the log-probability that was given to the class that is the case.

    Args:
        input: log-probabilities, (N, C) or (C), or (N, C, ...) of several places.
        target: numbers of classes, (N) or () or (N, ...), int64 or uint8.
        weight: of each class, (C); the mean is then that of weighted losses.
        ignore_index: a target that does not count.
        reduction: ``"none"``, ``"mean"`` or ``"sum"``.

    Raises:
        ValueError: if the shapes do not fit, or for another reduction.
        IndexError: if there is no such class.
        RuntimeError: if the target's dtype is another one.
    """
    number = reduction_number(reduction, size_average, reduce)
    return picked_losses(input, target, weight, number, ignore_index)


def picked_losses(
    input: Tensor, target: Tensor, weight: Tensor | None, reduction: int, ignore_index: int
) -> Any:
    """Return `nll_loss`; of other than one or two dimensions of places as of two."""
    check_classes(input, target, weight)
    if input.dim() < 3 or input.dim() == 4:
        refuse_grad(f"nll_loss{'2d' * (input.dim() == 4)}_forward", "weight", weight)
        return loss.nll_loss(input, target, weight, reduction, ignore_index)
    samples, classes, *places = input.shape
    if list(target.shape[1:]) != places:
        raise RuntimeError(f"Expected target size {[samples, *places]}, got {list(target.shape)}")
    one_row = (1, math.prod(places)) if input.numel() else (0, 0)
    flat = input.contiguous().view(samples, classes, *one_row)
    targets = target.contiguous().view(samples, *one_row)
    losses = picked_losses(flat, targets, weight, reduction, ignore_index)
    return losses.view(samples, *places) if reduction == loss.NONE else losses


def check_classes(input: Tensor, target: Tensor, weight: Tensor | None) -> None:
    """Refuse arguments of `nll_loss` that do not fit, with PyTorch's texts."""
    if input.dim() < 1:
        raise ValueError(f"Expected 1 or more dimensions (got {input.dim()})")
    if input.dim() == 1 and target.dim() < 2:
        check_target(target)
    if input.dim() == 1 and target.dim() == 1 and target.numel() != 1:
        raise ValueError(
            f"For 1D input, 1D target must have size 1, but got target size: {target.numel()}"
        )
    if input.dim() > 1 and (target.dim() < 1 or input.shape[0] != target.shape[0]):
        raise ValueError(
            f"Expected input batch_size ({input.shape[0]}) to match target batch_size "
            f"({target.shape[0] if target.dim() else 0})."
        )
    if input.dim() == 4 and target.dim() != 3:
        raise RuntimeError(
            "only batches of spatial targets supported (3D tensors) but got targets of dimension: "
            f"{target.dim()}"
        )
    if input.dim() == 4 and target.shape[1:] != input.shape[2:]:
        raise RuntimeError(
            f"size mismatch (got input: {list(input.shape)} , target: {list(target.shape)}"
        )
    if input.dim() < 3 and target.dim() > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if input.dim() in (1, 2, 4):
        check_kinds(input, target, weight)


def check_target(target: Tensor) -> None:
    """Refuse a target of another dtype than numbers of classes have."""
    if target._array.dtype not in (np.int64, np.uint8):
        raise RuntimeError(
            f"expected target dtype to be Long or Byte, but got {target.dtype.scalar_name}"
        )


def check_kinds(input: Tensor, target: Tensor, weight: Tensor | None) -> None:
    """Refuse targets and weights that are none, with PyTorch's texts."""
    check_target(target)
    classes = input.shape[min(1, input.dim() - 1)]
    if input.dim() == 4 and weight is not None and weight.numel() != classes:
        raise RuntimeError("weight tensor should be defined either for all or no classes")
    if input.dim() < 3 and weight is not None and weight.size() != (classes,):
        raise RuntimeError(
            f"weight tensor should be defined either for all {classes} classes or no classes but "
            f"got weight tensor of shape: {list(weight.shape)}"
        )
    if weight is not None and weight.dtype is not input.dtype:
        raise RuntimeError(
            f"expected scalar type {input.dtype.scalar_name} but found {weight.dtype.scalar_name}"
        )


@kernel("cross_entropy_loss")
def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Any:
    """Return the `nll_loss` of ``log_softmax(input)``.

    Args:
        input: scores of classes, (N, C) or (C) or (N, C, ...), any numbers.
        target: numbers of classes, as of `nll_loss`; or probabilities, of the shape of `input`.
        weight, ignore_index, reduction: as of `nll_loss`.
        label_smoothing: what part of the target is given to all classes evenly.

    Raises:
        ValueError, RuntimeError, IndexError: as `nll_loss`; also if the smoothing is above 1. One
            below 0 is none.

    >>> import minigrad as torch
    >>> torch.nn.functional.cross_entropy(torch.zeros(2, 4), torch.tensor([0, 3]))
    tensor(1.3863)
    """
    if label_smoothing > 1:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}")
    label_smoothing = label_smoothing if label_smoothing > 0 else 0.0
    reduction = chosen_reduction(size_average, reduce, reduction)
    number = reduction_number(reduction)
    classes_dim = 0 if input.dim() == 1 else 1
    if same_size(input, target):
        return soft_cross_entropy(input, target, weight, ignore_index, number, label_smoothing)
    scores = input.log_softmax(classes_dim)
    if label_smoothing == 0:
        return nll_loss(scores, target, weight, ignore_index=ignore_index, reduction=reduction)
    return smoothed_nll_loss(scores, target, weight, ignore_index, number, label_smoothing)


def soft_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None,
    ignore_index: int,
    reduction: int,
    label_smoothing: float,
) -> Any:
    """Return the cross entropy of probabilities of classes."""
    if not target.is_floating_point():
        raise RuntimeError(
            "Expected floating point type for target with class probabilities, got "
            f"{target.dtype.scalar_name}"
        )
    check(ignore_index < 0, "ignore_index is not supported for floating point target")
    dim = 0 if input.dim() == 1 else 1
    classes = input.shape[dim]
    if weight is not None:
        text = (
            "cross_entropy: weight tensor should be defined either for all {} classes or no "
            "classes but got weight tensor of shape: {}"
        )
        check(weight.shape == (classes,), text, classes, list(weight.shape))
    scores = input.log_softmax(dim)
    if label_smoothing:
        kept = pointwise.mul_number(target, 1 - label_smoothing)
        target = pointwise.add_number(kept, spread(label_smoothing, classes))
    products = scores * target
    if weight is not None:
        products = products * along(weight, input, dim)
    if reduction == loss.NONE:
        return -products.sum(dim)
    if reduction == loss.SUM:
        return -products.sum()
    if not input.numel():
        return -products.sum().fill_(math.nan)
    return pointwise.div_number(-products.sum(), input.numel() // classes)


def spread(label_smoothing: float, classes: int) -> float:
    """Return what each class gets of a part of the target; infinitely much if there are none."""
    return label_smoothing / classes if classes else math.inf


def along(weight: Tensor, input: Tensor, dim: int) -> Any:
    """Return weights so that they are broadcast to a dimension of the input."""
    return weight.view(*[1] * dim, -1, *[1] * (input.dim() - dim - 1))


def smoothed_nll_loss(
    scores: Tensor,
    target: Tensor,
    weight: Tensor | None,
    ignore_index: int,
    reduction: int,
    label_smoothing: float,
) -> Any:
    """Return `nll_loss` where a part of each target is spread over all classes."""
    hard = picked_losses(scores, target, weight, reduction, ignore_index)
    classes_dim = 0 if scores.dim() == 1 else 1
    weighted = scores if weight is None else scores * along(weight, scores, classes_dim)
    even = -weighted.sum(classes_dim)
    ignored = target == ignore_index
    even = even.masked_fill(ignored, 0.0)
    if reduction == loss.SUM:
        even = even.sum()
    elif reduction == loss.MEAN:
        counted = ~ignored
        if weight is not None:
            counted = weight[target.masked_fill(ignored, 0)].masked_fill(ignored, 0.0)
        even = even.sum() / counted.sum()
    smoothing = spread(label_smoothing, scores.shape[classes_dim])
    return pointwise.mul_number(hard, 1 - label_smoothing) + pointwise.mul_number(even, smoothing)


@kernel("kl_div", "input target")
def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Any:
    """Return the Kullback-Leibler divergence: ``target * (log(target) - input)``.

    Args:
        input: log-probabilities, of any shape.
        target: probabilities, or their logarithms if `log_target`, of the same shape.
        reduction: ``"none"``, ``"sum"``, ``"batchmean"`` (the sum over the first dimension's
            length, as it is defined) or ``"mean"`` (of all elements, with a warning).
    """
    if size_average is not None or reduce is not None:
        reduction = chosen_reduction(size_average, reduce, reduction)
    elif reduction == "mean":
        warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size."
            "'batchmean' divides only by the batch size, and aligns with the KL div math "
            "definition.'mean' will be changed to behave the same as 'batchmean' in the next major "
            "release."
        )
    for place, (name, one) in enumerate((("input", input), ("target", target)), 1):
        if not isinstance(one, Tensor):
            raise not_a_tensor("kl_div", name, place, one)
    if not (input.is_floating_point() and target.is_floating_point()):
        raise RuntimeError("kl_div: Integral inputs not supported.")
    if log_target:
        difference = target - input
        losses = target.exp() * difference
    else:
        product = target * input
        losses = pointwise.xlogy(target, target) - product
    if reduction == "batchmean":
        return losses.sum() / input.size()[0] if input.dim() else losses.sum()
    return reduced(losses, reduction)
