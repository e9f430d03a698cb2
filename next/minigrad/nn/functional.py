"""torch.nn.functional: layers, activations and losses as functions.

https://docs.pytorch.org/docs/stable/nn.functional.html
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad.dtypes import TITLES
from minigrad.missing import module_hooks
from minigrad.modes import overridable
from minigrad.nn import layer_ops
from minigrad.nn.transition import activations, losses
from minigrad.operands import broadcast_error
from minigrad.ops.linear_algebra import addmm, matmul
from minigrad.ops.shapes import reshape, t, transpose, view
from minigrad.tensor import Tensor, from_array
from minigrad.warn import warn

REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}


# Layers


@overridable
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Any:
    """``input @ weight.T + bias``, for `input` (..., in), `weight` (out, in) and `bias` (out).

    Raises RuntimeError if the shapes or dtypes don't fit.
    """
    check_tensor("linear", "input", 1, input)
    if bias is None:
        return matmul(input, t(weight))
    shape = input._array.shape
    if len(shape) == 2:
        return addmm(bias, input, t(weight))
    rows = reshape(input, (math.prod(shape[:-1]), shape[-1]))
    return view(addmm(bias, rows, t(weight)), (*shape[:-1], weight._array.shape[0]))


@overridable
def embedding(input: Tensor, weight: Tensor, padding_idx: int | None = None) -> Any:
    """The row of `weight` for each integer of `input`, which has any shape.

    The row `padding_idx` gets no gradient. Raises IndexError if there is no such row.
    """
    check_tensor("embedding", "indices", 2, input)
    if input._array.dtype not in (np.int64, np.int32):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
            f"Long, Int; but got {input.type()} instead (while checking arguments for embedding)"
        )
    return layer_ops.embedding(weight, input, -1 if padding_idx is None else padding_idx)


@overridable
def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Integers as rows of zeros with a 1 at their place.

    The rows are as long as the largest integer needs, or `num_classes`. Raises RuntimeError for
    integers that are negative or too large.

    >>> import minigrad as torch
    >>> torch.nn.functional.one_hot(torch.tensor([0, 2]))
    tensor([[1, 0, 0],
            [0, 0, 1]])
    """
    array = tensor._array
    if array.dtype != np.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if not array.size and num_classes <= 0:
        raise RuntimeError("Can not infer total number of classes from empty tensor.")
    if array.size and array.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    count = int(array.max()) + 1 if num_classes == -1 else num_classes
    if array.size and array.max() >= count:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return from_array((array[..., None] == np.arange(count)).astype(np.int64))


@overridable
def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """In training, set each element to zero with probability `p`, and divide the others by 1-p.

    https://arxiv.org/abs/1207.0580
    """
    check_probability(p)
    if p == 0 or not training or not input.numel():
        return input
    noise: Any = from_array(np.zeros(input._array.shape, input._array.dtype))
    if p < 1:
        noise.bernoulli_(1 - p).div_(1 - p)
    return input.mul_(noise) if inplace else input * noise


@overridable
def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    """Subtract each channel's mean, divide by its standard deviation, scale and shift.

    `input` is (batch, channels, ...). In training, mean and variance are those of the batch, and
    the running ones move towards them by `momentum`. Otherwise the running ones are used.
    https://arxiv.org/abs/1502.03167
    """
    check_dtypes("batch_norm", input, weight)
    size = input._array.shape[1]
    for name, one in (("running_mean", running_mean), ("weight", weight)):
        if one is not None and one._array.size != size:
            raise RuntimeError(f"{name} should contain {size} elements not {one._array.size}")
    count = input._array.size // size if size else 0
    if training and count == 1:
        raise ValueError(
            f"Expected more than 1 value per channel when training, got input size {input.shape}"
        )
    # The channels come last, where weight and bias are broadcast.
    rows = input if input.ndim == 2 else transpose(input, 1, -1)
    dims = tuple(range(input.ndim - 1))
    if training and running_mean is not None and running_var is not None and count:
        unbiased = rows._array.var(dims) * (count / (count - 1))
        for running, batch in ((running_mean, rows._array.mean(dims)), (running_var, unbiased)):
            # As in PyTorch, this doesn't count as an in-place change.
            running._array[...] = (1 - momentum) * running._array + momentum * batch
    statistics = (None, None) if training else (running_mean, running_var)
    result = layer_ops.batch_norm(rows, weight, bias, *statistics, dims, eps)
    return result if input.ndim == 2 else transpose(result, 1, -1)


@overridable
def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Any:
    """Subtract each sample's mean, divide by its standard deviation, scale and shift.

    A sample is the last dimensions, which must be `normalized_shape` (else RuntimeError).
    https://arxiv.org/abs/1607.06450
    """
    shape = list(normalized_shape)
    if list(input.shape[-len(shape) :]) != shape:
        raise RuntimeError(
            f"Given normalized_shape={shape}, expected input with shape "
            f"[*{''.join(f', {size}' for size in shape)}], but got input of "
            f"size{list(input.shape)}"
        )
    check_dtypes("LayerNormKernelImpl", input, weight)
    return layer_ops.layer_norm(input, weight, bias, None, None, tuple(range(-len(shape), 0)), eps)


@overridable
def pad(input: Tensor, pad: Sequence[int], mode: str = "constant", value: float = 0) -> Any:
    """Put elements around the input: `pad` has (before, after) for the last dimension first.

    Negative numbers cut elements off. Only the mode ``"constant"`` exists here.

    >>> import minigrad as torch
    >>> torch.nn.functional.pad(torch.ones(2), (1, 2))
    tensor([0., 1., 1., 0., 0.])
    """
    if len(pad) % 2 or len(pad) > 2 * input.ndim:
        raise RuntimeError("Padding length must be divisible by 2 and at most twice the dimensions")
    if mode != "constant":
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    return layer_ops.constant_pad(input, tuple(pad), value)


# Activations


@overridable
def relu(input: Any, inplace: bool = False) -> Any:
    """``max(0, x)`` for each element."""
    return input.relu_() if inplace else activations.relu(input)


@overridable
def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Any:
    """x where it is positive, else ``negative_slope * x``."""
    return result_of(activations.leaky_relu(input, negative_slope), input, inplace)


@overridable
def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Any:
    """x where it is positive, else ``alpha * (exp(x) - 1)``. https://arxiv.org/abs/1511.07289"""
    return result_of(activations.elu(input, alpha), input, inplace)


@overridable
def silu(input: Tensor, inplace: bool = False) -> Any:
    """``x * sigmoid(x)`` for each element, also known as swish."""
    return result_of(activations.silu(input), input, inplace)


@overridable
def gelu(input: Tensor, approximate: str = "none") -> Any:
    """x times the probability that a standard normal variable is below x.

    ``approximate="tanh"`` computes it by a tanh. https://arxiv.org/abs/1606.08415
    """
    return activations.gelu(input, approximate)


@overridable
def softplus(input: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Any:
    """``log(1 + exp(beta * x)) / beta``, or x itself where ``beta * x`` exceeds the threshold."""
    return activations.softplus(input, beta, threshold)


@overridable
def sigmoid(input: Any) -> Any:
    """``1 / (1 + exp(-x))`` for each element."""
    return input.sigmoid()


@overridable
def tanh(input: Any) -> Any:
    """The hyperbolic tangent of each element."""
    return input.tanh()


@overridable
def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """``exp(x) / exp(x).sum(dim)``: positive values with the sum 1 along a dimension."""
    return losses.softmax(input, implicit_dim("softmax", input, dim), dtype)


@overridable
def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Any:
    """The logarithm of `softmax`, computed without overflow."""
    return losses.log_softmax(input, implicit_dim("log_softmax", input, dim), dtype)


# Losses. They also accept `size_average` and `reduce`, which PyTorch had before `reduction`.


@overridable
def mse_loss(input: Tensor, target: Tensor, *, reduction: str = "mean", **legacy: Any) -> Any:
    """The squared differences: their mean or sum, or with reduction ``"none"`` all of them.

    Warns if the shapes differ, because broadcasting them is usually a mistake. Raises ValueError
    for another reduction.
    """
    number = reduction_number(reduction, legacy)
    return losses.mse_loss(*broadcast_pair(input, target), number)


@overridable
def l1_loss(input: Tensor, target: Tensor, *, reduction: str = "mean", **legacy: Any) -> Any:
    """The absolute differences; as `mse_loss`."""
    number = reduction_number(reduction, legacy)
    input, target = broadcast_pair(input, target)
    return reduced((input - target).abs(), number)


@overridable
def smooth_l1_loss(
    input: Tensor, target: Tensor, *, reduction: str = "mean", beta: float = 1.0, **legacy: Any
) -> Any:
    """``d**2 / (2 * beta)`` where the distance d is below beta, else ``d - beta / 2``."""
    number = reduction_number(reduction, legacy)
    input, target = broadcast_pair(input, target)
    return losses.smooth_l1_loss(input, target, number, beta)


@overridable
def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    *,
    reduction: str = "mean",
    **legacy: Any,
) -> Any:
    """``-log(input)`` where the target is 1, ``-log(1 - input)`` where it is 0, and in between.

    `input` are probabilities (else RuntimeError), `weight` is broadcast to their shape. Raises
    ValueError if input and target differ in shape.
    """
    number = reduction_number(reduction, legacy)
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size "
            f"({input.size()}) is deprecated. Please ensure they have the same size."
        )
    return losses.binary_cross_entropy(input, target, weight, number)


@overridable
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    *,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
    **legacy: Any,
) -> Any:
    """`binary_cross_entropy` of ``sigmoid(input)``, computed without overflow.

    `pos_weight` weighs the part where the target is 1.
    """
    number = reduction_number(reduction, legacy)
    if target.size() != input.size():
        raise ValueError(
            f"Target size ({target.size()}) must be the same as input size ({input.size()})"
        )
    return losses.binary_cross_entropy_with_logits(input, target, weight, pos_weight, number)


@overridable
def nll_loss(
    input: Any,
    target: Any,
    weight: Tensor | None = None,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
    **legacy: Any,
) -> Any:
    """Minus the log-probability of the target's class.

    `input` is (batch, classes), (classes) or (batch, classes, ...), `target` the same without the
    classes. `weight` has one value for each class; the mean is weighted, too. Targets
    `ignore_index` don't count. Raises IndexError if there is no such class.
    """
    number = reduction_number(reduction, legacy)
    if input.ndim > 1 and (target.ndim == 0 or len(input) != len(target)):
        size = len(target) if target.ndim else 0
        raise ValueError(
            f"Expected input batch_size ({len(input)}) to match target batch_size ({size})."
        )
    if input.ndim == 3 or input.ndim > 4:
        batch, classes, *others = input.shape
        if list(target.shape[1:]) != others:
            expected = [batch, *others]
            raise RuntimeError(f"Expected target size {expected}, got {list(target.shape)}")
        scores, labels = input.reshape(batch, classes, 1, -1), target.reshape(batch, 1, -1)
        loss = losses.nll_loss(scores, labels, weight, number, ignore_index)
        return loss if number else loss.view(batch, *others)
    return losses.nll_loss(input, target, weight, number, ignore_index)


@overridable
def cross_entropy(
    input: Any,
    target: Any,
    weight: Any = None,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
    **legacy: Any,
) -> Any:
    """The `nll_loss` of ``log_softmax(input)``: `input` are scores, any numbers.

    The target may also be a probability for each class, in the shape of `input`. `label_smoothing`
    spreads that share of each target over all classes (https://arxiv.org/abs/1512.00567).

    >>> import minigrad as torch
    >>> torch.nn.functional.cross_entropy(torch.zeros(2, 4), torch.tensor([0, 3]))
    tensor(1.3863)
    """
    check_tensor("cross_entropy_loss", "target", 2, target)
    if label_smoothing > 1:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}")
    number = reduction_number(reduction, legacy)
    name, dim = list(REDUCTIONS)[number], 0 if input.ndim == 1 else 1
    scores = losses.log_softmax(input, dim)
    share = label_smoothing / input.shape[dim] if label_smoothing > 0 else 0.0
    if input.shape == target.shape:
        if not target.is_floating_point():
            raise RuntimeError(
                "Expected floating point type for target with class probabilities, got "
                f"{TITLES[target._array.dtype]}"
            )
        if share:
            target = target * (1 - label_smoothing) + share
        products = weighted(scores * target, weight, dim)
        if name == "none":
            return -products.sum(dim)
        total = -products.sum()
        return total / (input.numel() // input.shape[dim]) if number == 1 else total
    loss = nll_loss(scores, target, weight, ignore_index=ignore_index, reduction=name)
    if not share:
        return loss
    ignored = target == ignore_index
    smooth = (-weighted(scores, weight, dim).sum(dim)).masked_fill(ignored, 0.0)
    if number == 1:
        counted = ~ignored if weight is None else weight[target * ~ignored] * ~ignored
        smooth = smooth.sum() / counted.sum()
    elif number == 2:
        smooth = smooth.sum()
    return loss * (1 - label_smoothing) + smooth * share


# Helpers


def weighted(scores: Any, weight: Any, dim: int) -> Any:
    """The scores of the classes, which are dimension `dim`, times their weights."""
    if weight is None:
        return scores
    return scores * weight.reshape(-1, *[1] * (scores.ndim - dim - 1))


def reduced(values: Any, number: int) -> Any:
    return (values, values.mean, values.sum)[number]() if number else values


def reduction_number(reduction: str, legacy: dict[str, Any]) -> int:
    """The number of a reduction, as nodes save it. Raises ValueError if there is no such name."""
    reduction = legacy_reduction(reduction, **legacy)
    if reduction not in REDUCTIONS:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return REDUCTIONS[reduction]


def legacy_reduction(
    reduction: str, size_average: bool | None = None, reduce: bool | None = None
) -> str:
    """A reduction, or what the arguments that PyTorch had before it mean, with its warning."""
    if size_average is None and reduce is None:
        return reduction
    reduction = "none" if reduce is False else "sum" if size_average is False else "mean"
    warn(
        "size_average and reduce args will be deprecated, please use "
        f"reduction='{reduction}' instead."
    )
    return reduction


def broadcast_pair(input: Any, target: Any) -> tuple[Any, Any]:
    """Input and target in one shape, with PyTorch's warning if they didn't have it."""
    if target.size() == input.size():
        return input, target
    warn(
        f"Using a target size ({target.size()}) that is different to the input size "
        f"({input.size()}). This will likely lead to incorrect results due to broadcasting. "
        "Please ensure they have the same size."
    )
    try:
        shape = np.broadcast_shapes(input.shape, target.shape)
    except ValueError:
        raise broadcast_error(input.shape, target.shape) from None
    pair = [one if one.shape == shape else one.expand(shape) for one in (input, target)]
    return pair[0], pair[1]


def result_of(result: Any, input: Tensor, inplace: bool) -> Any:
    return input._overwrite(result) if inplace else result


def implicit_dim(name: str, input: Tensor, dim: int | None) -> int:
    """The dimension of a softmax, with PyTorch's warning if it isn't given."""
    if dim is not None:
        return dim
    warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include "
        "dim=X as an argument."
    )
    return 0 if input.ndim in (0, 1, 3) else 1


def check_probability(p: float) -> None:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def check_tensor(function: str, name: str, position: int, value: Any) -> None:
    if not isinstance(value, Tensor):
        kind = type(value)
        title = (
            kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
        )
        raise TypeError(
            f"{function}(): argument '{name}' (position {position}) must be Tensor, not {title}"
        )


def check_dtypes(kernel: str, input: Tensor, weight: Tensor | None) -> None:
    if weight is not None and weight._array.dtype != input._array.dtype:
        raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")
    if input._array.dtype.kind != "f":
        title = TITLES[input._array.dtype]
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{title}'")


# What modes see is public; the helpers are not.
__all__ = [
    name
    for name, value in globals().items()
    if hasattr(value, "__wrapped__") and value.__module__ == __name__
]
__dir__, __getattr__ = module_hooks(__name__, __all__)
