"""torch.nn.functional: activations, and losses with one node each."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.ops.linear_algebra import addmm, matmul
from minigrad.op import functions, op
from minigrad.ops.pointwise import elu as elu_op, gelu, leaky_relu as leaky, sigmoid, silu as silu_op
from minigrad.ops.pointwise import softplus as soft, tanh, where
from minigrad.ops.reductions import log_softmax, softmax
from minigrad.ops.shapes import broadcast, put, t
from minigrad.tensor import Tensor, from_array


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """input @ weight.T + bias"""
    if bias is not None and input._array.ndim == 2:
        if input._array.shape[1] != weight._array.shape[1]:
            matmul(input, t(weight))
        return addmm(bias, input, t(weight))
    product = matmul(input, t(weight))
    return product if bias is None else product + bias


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    return input.relu_() if inplace else input.relu()


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    return leaky(input, negative_slope)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    return elu_op(input, alpha)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    return silu_op(input)


def softplus(input: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    return soft(input) if beta == 1 else soft(input * beta) / beta


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    if not training or p == 0:
        return input
    kept = functions["empty_like"](input).bernoulli_(1 - p)
    return input * kept.div_(1 - p)


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    count = int(tensor.max()) + 1 if num_classes == -1 else num_classes
    return functions["eye"](count, dtype=functions["int64"])[tensor]


# Losses: computed element by element, then reduced


def reduced(losses: np.ndarray, reduction: str) -> Any:
    if reduction == "none":
        return losses
    total = np.add.reduce(losses, None)
    return total / losses.dtype.type(losses.size) if reduction == "mean" else total


def share(grad: Any, like: Any, reduction: str) -> Any:
    """The gradient of each element's loss."""
    return (
        grad / like._array.size
        if reduction == "mean" and isinstance(like, Tensor)
        else (grad / like.size if reduction == "mean" else grad)
    )


def stable_bce(z: np.ndarray, target: np.ndarray) -> np.ndarray:
    return np.maximum(z, 0) - z * target + np.log1p(np.exp(-np.abs(z)))


mse = op(
    "",
    "MseLossBackward0",
    lambda self, target, reduction: reduced((d := self - target) * d, reduction),
    self=lambda grad, self, target, reduction: share(grad, self, reduction) * (2 * (self - target)),
    target=lambda grad, self, target, reduction: (
        share(grad, self, reduction) * (2 * (target - self))
    ),
)
l1 = op(
    "",
    "MeanBackward0",
    lambda self, target, r: reduced(np.abs(self - target), r),
    self=lambda grad, self, target, r: share(grad, self, r) * functions["sign"](self - target),
    target=lambda grad, self, target, r: share(grad, self, r) * functions["sign"](target - self),
)
bce = op(
    "",
    "BinaryCrossEntropyBackward0",
    lambda self, target, reduction: reduced(
        -(
            target * np.maximum(np.log(self), -100)
            + (1 - target) * np.maximum(np.log(1 - self), -100)
        ),
        reduction,
    ),
    self=lambda grad, self, target, reduction: (
        share(grad, self, reduction) * ((self - target) / (self * (1 - self)))
    ),
)
bce_with_logits = op(
    "",
    "BinaryCrossEntropyWithLogitsBackward0",
    lambda self, target, reduction: reduced(stable_bce(self, target), reduction),
    self=lambda grad, self, target, reduction: (
        share(grad, self, reduction) * (sigmoid(self) - target)
    ),
    target=lambda grad, self, reduction: share(grad, self, reduction) * -self,
)
nll = op(
    "",
    "NllLossBackward0",
    lambda self, target, weight, reduction: weighted_sum(
        -self[classes_of(target, self.ndim)], weight, reduction
    ),
    self=lambda grad, self_shape, target, weight, reduction: nll_gradient(
        grad, self_shape, target, weight, reduction
    ),
)


def classes_of(places: np.ndarray, ndim: int) -> tuple:
    """The key of the targets: their classes are the second dimension, or the only one."""
    if ndim == 2:
        return np.arange(len(places)), places
    key = list(np.ogrid[tuple(map(slice, places.shape))])
    key.insert(min(1, ndim - 1), places)
    return tuple(key)


def weighted_sum(losses: np.ndarray, weight: np.ndarray | None, reduction: str) -> Any:
    if weight is None:
        return reduced(losses, reduction)
    total = np.add.reduce(weight, None) if reduction == "mean" else 1
    return reduced(losses * weight, "none" if reduction == "none" else "sum") / total


def nll_gradient(grad: Any, shape: tuple, target: Any, weight: Any, reduction: str) -> Any:
    """What was taken of each target's score goes back to its place, times its weight."""
    places = getattr(target, "_array", target)
    scale = -1 if weight is None else -weight
    if reduction == "mean":
        scale = scale / (places.size if weight is None else np.add.reduce(weight, None))
    if isinstance(grad, Tensor) and weight is not None:
        scale = from_array(scale)
    return put(grad * scale, classes_of(places, len(shape)), shape, False)


def same_size(input: Tensor, target: Tensor, text: str) -> None:
    if input._array.shape != target._array.shape:
        raise ValueError(text.format(target=target.shape, input=input.shape))


def old_reduction(size_average: Any = None, reduce: Any = None, **_: Any) -> str:
    """What the arguments that came before `reduction` mean."""
    return "none" if reduce is False else "sum" if size_average is False else "mean"


def weighed(losses: Tensor, weight: Any, reduction: str) -> Tensor:
    losses = losses if weight is None else losses * weight
    return losses if reduction == "none" else getattr(losses, reduction)()


def mse_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    return mse(input, target, reduction)


def l1_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    return l1(input, target, reduction)


def smooth_l1_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", beta: float = 1.0
) -> Tensor:
    """Half the square of small differences, the size of large ones."""
    size = (input - target).abs()
    losses = where(size < beta, 0.5 * size * size / beta, size - 0.5 * beta)
    return weighed(losses, None, reduction)


def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Any = None, reduction: str = "mean"
) -> Tensor:
    same_size(
        input,
        target,
        "Using a target size ({target}) that is different to the input size ({input}) "
        "is deprecated. Please ensure they have the same size.",
    )
    if weight is None:
        return bce(input, target, reduction)
    return weighed(bce(input, target, "none"), weight, reduction)


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Any = None,
    reduction: str = "mean",
    pos_weight: Any = None,
) -> Tensor:
    same_size(input, target, "Target size ({target}) must be the same as input size ({input})")
    if weight is None and pos_weight is None:
        return bce_with_logits(input, target, reduction)
    losses = bce_with_logits(input, target, "none")
    if pos_weight is not None:
        losses = losses + (pos_weight - 1) * target * soft(-input)
    return weighed(losses, weight, reduction)


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: str = "mean",
    ignore_index: int = -100,
) -> Tensor:
    """Minus the score of the target's class; each class may have a weight."""
    places, weights = target._array, None if weight is None else weight._array[target._array]
    if (ignored := places == ignore_index).any():
        kept = np.ones(places.shape, input._array.dtype) if weights is None else weights
        weights, places = np.where(ignored, 0, kept), np.where(ignored, 0, places)
        return nll(input, from_array(places), weights.astype(kept.dtype), reduction)
    return nll(input, target, weights, reduction)


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: str = "mean",
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
) -> Tensor:
    """Of classes, or of probabilities, given scores."""
    dim = min(1, input.ndim - 1)
    scores = log_softmax(input, dim)
    if target._array.dtype.kind != "f" and not label_smoothing:
        return nll_loss(scores, target, weight, reduction, ignore_index)
    classes = input.shape[dim]
    if target._array.dtype.kind != "f":
        target = one_hot(target, classes).to(input.dtype)
    target = target * (1 - label_smoothing) + label_smoothing / classes
    return weighed(-(scores * target).sum(dim), weight, reduction)


def embedding(input: Tensor, weight: Tensor) -> Tensor:
    return lookup(weight, input)


lookup = op(
    "",
    "EmbeddingBackward0",
    lambda self, places: self[places],
    self=lambda grad, self_shape, places: put(
        grad, (getattr(places, "_array", places),), self_shape, True
    ),
)


def batch_norm(
    input: Tensor,
    running_mean: Tensor,
    running_var: Tensor,
    weight: Tensor,
    bias: Tensor,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    dims = [d for d in range(input.ndim) if d != 1]
    mean, var, count = running_mean, running_var, input.numel() // input.shape[1]
    if training:
        mean, var = input.mean(dims), input.var(dims, unbiased=False)
        for running, now in (running_mean, mean), (running_var, var * (count / (count - 1))):
            running.mul_(1 - momentum).add_(now.detach() * momentum)
    shape = [1, -1] + [1] * (input.ndim - 2)
    mean, scale = mean.reshape(shape), (weight * (var + eps).rsqrt()).reshape(shape)
    return (input - mean) * scale + bias.reshape(shape)


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    return input / input.norm(p, dim, True).clamp(min=eps).expand_as(input)
