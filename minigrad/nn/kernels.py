"""What `torch` itself has of the functions of networks: the kernels that these call.

They leave less out than those of `torch.nn.functional`, and tell reductions by number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minigrad.nn import functional
from minigrad.nn.functional.activations import randomly_leaky
from minigrad.nn.functional.dropouts import dropped, dropped_to_lowest, of_channels
from minigrad.nn.functional.reductions import REDUCTIONS, reduced
from minigrad.ops import loss
from minigrad.ops.bind import make_public
from minigrad.ops.calls import refusing
from minigrad.random import Generator
from minigrad.tensor import Tensor

__all__ = [
    "alpha_dropout", "alpha_dropout_", "batch_norm", "binary_cross_entropy_with_logits", "celu",
    "cosine_embedding_loss", "dropout", "dropout_", "embedding", "feature_alpha_dropout",
    "feature_alpha_dropout_", "feature_dropout", "feature_dropout_", "group_norm",
    "hinge_embedding_loss", "kl_div", "layer_norm", "margin_ranking_loss", "poisson_nll_loss",
    "rms_norm", "rrelu", "selu", "triplet_margin_loss",
]  # fmt: skip
NAMES = {number: name for name, number in REDUCTIONS.items()}


def reduction_name(reduction: int) -> str:
    """Return the name of a reduction's number; whatever is none of them reduces nothing."""
    return NAMES.get(reduction, "none")


# Activations


@refusing()
def selu(input: Tensor) -> Any:
    """Return what `torch.nn.functional.selu` returns."""
    return functional.selu(input)


@refusing()
def celu(input: Tensor, alpha: float = 1.0) -> Any:
    """Return what `torch.nn.functional.celu` returns."""
    return functional.celu(input, alpha)


@refusing()
def rrelu(
    input: Tensor,
    lower: float = 1 / 8,
    upper: float = 1 / 3,
    training: bool = False,
    generator: Generator | None = None,
) -> Any:
    """Return what `torch.nn.functional.rrelu` returns; a generator may be given."""
    return randomly_leaky(input, lower, upper, training, False, generator)


# Dropping at random


@refusing()
def dropout(input: Tensor, p: float, train: bool) -> Any:
    """Return what `torch.nn.functional.dropout` returns."""
    return dropped(input, p, train, False)


@refusing()
def dropout_(input: Tensor, p: float, train: bool) -> Any:
    """Do in place what `dropout` does."""
    return dropped(input, p, train, True)


@refusing()
def feature_dropout(input: Tensor, p: float, train: bool) -> Any:
    """Return what `torch.nn.functional.dropout2d` returns, of inputs of two dimensions or more."""
    return dropped(input, p, train, False, of_channels)


@refusing()
def feature_dropout_(input: Tensor, p: float, train: bool) -> Any:
    """Do in place what `feature_dropout` does."""
    return dropped(input, p, train, True, of_channels)


@refusing()
def alpha_dropout(input: Tensor, p: float, train: bool) -> Any:
    """Return what `torch.nn.functional.alpha_dropout` returns."""
    return dropped_to_lowest(input, p, train, False)


@refusing()
def alpha_dropout_(input: Tensor, p: float, train: bool) -> Any:
    """Do in place what `alpha_dropout` does."""
    return dropped_to_lowest(input, p, train, True)


@refusing()
def feature_alpha_dropout(input: Tensor, p: float, train: bool) -> Any:
    """Return what `torch.nn.functional.feature_alpha_dropout` returns."""
    return dropped_to_lowest(input, p, train, False, of_channels)


@refusing()
def feature_alpha_dropout_(input: Tensor, p: float, train: bool) -> Any:
    """Do in place what `feature_alpha_dropout` does."""
    return dropped_to_lowest(input, p, train, True, of_channels)


# Layers


@refusing()
def embedding(
    weight: Tensor,
    indices: Tensor,
    padding_idx: int = -1,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Any:
    """Return what `torch.nn.functional.embedding` returns; the matrix comes first."""
    padding = None if padding_idx < 0 else padding_idx
    return functional.embedding(
        indices, weight, padding, scale_grad_by_freq=scale_grad_by_freq, sparse=sparse
    )


@refusing()
def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
    cudnn_enable: bool = True,
) -> Any:
    """Return what `torch.nn.functional.layer_norm` returns."""
    return functional.layer_norm(input, normalized_shape, weight, bias, eps)


@refusing()
def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
    cudnn_enabled: bool = True,
) -> Any:
    """Return what `torch.nn.functional.group_norm` returns."""
    return functional.group_norm(input, num_groups, weight, bias, eps)


@refusing()
def rms_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    eps: float | None = None,
) -> Any:
    """Return what `torch.nn.functional.rms_norm` returns."""
    return functional.rms_norm(input, normalized_shape, weight, eps)


@refusing()
def batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Any:
    """Return what `torch.nn.functional.batch_norm` returns."""
    return functional.batch_norm(
        input, running_mean, running_var, weight, bias, training, momentum, eps
    )


# Losses


@refusing()
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    pos_weight: Tensor | None = None,
    reduction: int = loss.MEAN,
) -> Any:
    """Return what `torch.nn.functional.binary_cross_entropy_with_logits` returns."""
    return functional.binary_cross_entropy_with_logits(
        input, target, weight, reduction=reduction_name(reduction), pos_weight=pos_weight
    )


@refusing()
def kl_div(
    input: Tensor, target: Tensor, reduction: int = loss.MEAN, *, log_target: bool = False
) -> Any:
    """Return what `torch.nn.functional.kl_div` returns."""
    losses = functional.kl_div(input, target, reduction="none", log_target=log_target)
    return reduced(losses, reduction_name(reduction))


@refusing()
def hinge_embedding_loss(
    input: Tensor, target: Tensor, margin: float = 1.0, reduction: int = loss.MEAN
) -> Any:
    """Return what `torch.nn.functional.hinge_embedding_loss` returns."""
    return functional.hinge_embedding_loss(
        input, target, margin, reduction=reduction_name(reduction)
    )


@refusing()
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = loss.MEAN
) -> Any:
    """Return what `torch.nn.functional.margin_ranking_loss` returns."""
    return functional.margin_ranking_loss(
        input1, input2, target, margin, reduction=reduction_name(reduction)
    )


@refusing()
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = loss.MEAN
) -> Any:
    """Return what `torch.nn.functional.cosine_embedding_loss` returns."""
    return functional.cosine_embedding_loss(
        input1, input2, target, margin, reduction=reduction_name(reduction)
    )


@refusing()
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2.0,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: int = loss.MEAN,
) -> Any:
    """Return what `torch.nn.functional.triplet_margin_loss` returns."""
    return functional.triplet_margin_loss(
        anchor, positive, negative, margin, p, eps, swap, reduction=reduction_name(reduction)
    )


@refusing()
def poisson_nll_loss(
    input: Tensor, target: Tensor, log_input: bool, full: bool, eps: float, reduction: int
) -> Any:
    """Return what `torch.nn.functional.poisson_nll_loss` returns."""
    return functional.poisson_nll_loss(
        input, target, log_input, full, eps=eps, reduction=reduction_name(reduction)
    )


for _kernel in __all__:
    make_public(globals()[_kernel], _kernel)
