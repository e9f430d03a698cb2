"""torch.nn.functional: layers, activations and losses as functions.

https://docs.pytorch.org/docs/stable/nn.functional.html
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minigrad.dtypes import TITLES
from minigrad.missing import module_hooks
from minigrad.modes import overridable
from minigrad.operands import argument_error, broadcast_error
from minigrad.ops import losses
from minigrad.ops import pointwise as activations
from minigrad.ops.copies import constant_pad_nd
from minigrad.ops.linear_algebra import addmm, matmul
from minigrad.ops.pointwise import share, sigmoid, tanh
from minigrad.ops.shapes import expand, reshape, t, view
from minigrad.tensor import Tensor, from_array
from minigrad.warn import warn

MEAN = "mean"
REDUCTIONS = {"none": 0, MEAN: 1, "sum": 2}  # as nodes save them

# Layers


@overridable
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Any:
    """``input @ weight.T + bias``, for `input` (..., in), `weight` (out, in) and `bias` (out).

    Raises RuntimeError if the shapes or dtypes don't fit.
    """
    if not isinstance(input, Tensor):
        raise argument_error(linear, "input", 1, input)
    if bias is None:
        return matmul(input, t(weight))
    shape = input._array.shape
    if len(shape) == 2:
        return addmm(bias, input, t(weight))
    rows = reshape(input, (-1, shape[-1]))
    return view(addmm(bias, rows, t(weight)), (*shape[:-1], weight._array.shape[0]))


@overridable
def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Integers as rows of zeros with a 1 at their place.

    The rows are as long as the largest integer needs, or `num_classes`. Raises RuntimeError for
    integers that are negative or too large, and for other dtypes than int64.

    >>> import minigrad as torch
    >>> torch.nn.functional.one_hot(torch.tensor([0, 2]))
    tensor([[1, 0, 0],
            [0, 0, 1]])
    """
    array = tensor._array
    if array.dtype != np.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if array.size and array.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    count = int(array.max()) + 1 if num_classes == -1 else num_classes
    if array.size and array.max() >= count:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return from_array((array[..., None] == np.arange(count)).astype(np.int64))


@overridable
def dropout(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """In training, set each element to zero with probability `p`, and divide the others by 1-p.

    https://arxiv.org/abs/1207.0580
    """
    check_probability(p)
    if p == 0 or not training:
        return input
    noise: Any = from_array(np.zeros(input.shape, input._array.dtype))
    if p < 1:
        noise.bernoulli_(1 - p).div_(1 - p)
    return input.mul_(noise) if inplace else input * noise


@overridable
def pad(input: Tensor, pad: Sequence[int], mode: str = "constant", value: float = 0) -> Any:
    """Put elements around the input: `pad` has (before, after) for the last dimension first.

    Negative numbers cut elements off. Only the mode ``"constant"`` exists here.

    >>> import minigrad as torch
    >>> torch.nn.functional.pad(torch.ones(2), (1, 2))
    tensor([0., 1., 1., 0., 0.])
    """
    if mode != "constant":
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    return constant_pad_nd(input, tuple(pad), value)


# Activations, with what PyTorch adds to the operations here: `inplace`, and a choice of `dim`


@overridable
def relu(input: Tensor, inplace: bool = False) -> Any:
    """``max(0, x)`` of each element."""
    result = activations.relu(input)
    return input._overwrite(result) if inplace else result


@overridable
def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Any:
    """Each element, multiplied by `negative_slope` if it is negative."""
    result = activations.leaky_relu(input, negative_slope)
    return input._overwrite(result) if inplace else result


softplus = activations.softplus


@overridable
def softmax(input: Tensor, dim: int | None = None, *, dtype: Any = None) -> Any:
    """``exp(input)``, divided by its sum along a dimension: positive numbers that add up to 1."""
    return losses.softmax(input, choose_dim(input, dim, "softmax"), dtype)


@overridable
def log_softmax(input: Tensor, dim: int | None = None, *, dtype: Any = None) -> Any:
    """The logarithm of `softmax`, without overflow."""
    return losses.log_softmax(input, choose_dim(input, dim, "log_softmax"), dtype)


def choose_dim(input: Tensor, dim: int | None, name: str) -> int:
    """The dimension of a softmax; PyTorch warns if it isn't given."""
    if dim is not None:
        return dim
    warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include "
        "dim=X as an argument."
    )
    return 0 if input.ndim in (0, 1, 3) else 1


# Losses. Their option `reduction` is "mean", "sum" or "none"; another one raises ValueError.


def choose_reduction(options: dict[str, Any]) -> dict[str, Any]:
    """The options of a loss, with `reduction` instead of the older `size_average` and `reduce`."""
    old = options.pop("size_average", None), options.pop("reduce", None)
    if old != (None, None):
        reduction = "none" if old[1] is False else "sum" if old[0] is False else "mean"
        options["reduction"] = reduction
        advice = f"please use reduction='{reduction}' instead."
        warn(f"size_average and reduce args will be deprecated, {advice}")
    return options


def loss(function: Callable[..., Any]) -> Callable[..., Any]:
    """A loss as users call it."""

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        return function(*args, **choose_reduction(options)) if options else function(*args)

    return overridable(call)


@loss
def mse_loss(input: Tensor, target: Tensor, *, reduction: str = MEAN) -> Any:
    """The squared differences, reduced. Warns if the shapes differ: that is usually a mistake."""
    return losses.mse_loss(*broadcast_pair(input, target), reduction_number(reduction))


@loss
def l1_loss(input: Tensor, target: Tensor, *, reduction: str = MEAN) -> Any:
    """The absolute differences, reduced. Warns as `mse_loss` does."""
    prediction, expected = broadcast_pair(input, target)
    distance, number = (prediction - expected).abs(), reduction_number(reduction)
    return (lambda: distance, distance.mean, distance.sum)[number]()


@loss
def smooth_l1_loss(input: Any, target: Any, *, reduction: str = MEAN, beta: float = 1.0) -> Any:
    """``d**2 / (2 * beta)`` where the distance d is below beta, else ``d - beta / 2``; reduced."""
    return losses.smooth_l1_loss(*broadcast_pair(input, target), reduction_number(reduction), beta)


@loss
def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, *, reduction: str = MEAN
) -> Any:
    """``-log(input)`` where the target is 1, ``-log(1 - input)`` where it is 0; reduced.

    `input` are probabilities, `weight` is broadcast to their shape. Raises ValueError if input and
    target differ in shape.
    """
    if target.shape != input.shape:
        raise ValueError(
            f"Using a target size ({target.shape}) that is different to the input size "
            f"({input.shape}) is deprecated. Please ensure they have the same size."
        )
    if target._array.dtype != input._array.dtype:
        raise RuntimeError(f"Found dtype {title(target)} but expected {title(input)}")
    return losses.binary_cross_entropy(input, target, weight, reduction_number(reduction))


@loss
def binary_cross_entropy_with_logits(
    input: Any, target: Any, weight: Any = None, *, reduction: str = MEAN, pos_weight: Any = None
) -> Any:
    """`binary_cross_entropy` of ``sigmoid(input)``, computed without overflow.

    `pos_weight` weighs the part where the target is 1.
    """
    if target.shape != input.shape:
        raise ValueError(
            f"Target size ({target.shape}) must be the same as input size ({input.shape})"
        )
    if target._array.dtype.kind != "f":
        casts = f"{title(input)} can't be cast to the desired output type {title(target)}"
        raise RuntimeError(f"result type {casts}")
    number = reduction_number(reduction)
    return losses.binary_cross_entropy_with_logits(input, target, weight, pos_weight, number)


@loss
def nll_loss(
    input: Any, target: Any, weight: Any = None, *, ignore_index: int = -100, reduction: str = MEAN
) -> Any:
    """Minus the log-probability of the target's class, reduced.

    `input` is (batch, classes), (classes) or (batch, classes, ...), `target` the same without the
    classes. `weight` has one value for each class; the mean is weighted, too. Targets
    `ignore_index` don't count. Raises IndexError if there is no such class.
    """
    return losses.nll_loss(input, target, weight, reduction_number(reduction), ignore_index)


@loss
def cross_entropy(
    input: Any, target: Any, weight: Any = None, *, ignore_index: int = -100, reduction: str = MEAN
) -> Any:
    """The `nll_loss` of ``log_softmax(input)``: `input` are scores, any numbers.

    The target may also be a probability for each class, in the shape of `input`.

    >>> import minigrad as torch
    >>> torch.nn.functional.cross_entropy(torch.zeros(2, 4), torch.tensor([0, 3]))
    tensor(1.3863)
    """
    dim = min(1, input.ndim - 1)
    scores = losses.log_softmax(input, dim)
    if input._array.shape != target._array.shape:
        return losses.nll_loss(scores, target, weight, reduction_number(reduction), ignore_index)
    if target._array.dtype.kind != "f":
        raise RuntimeError(
            f"Expected floating point type for target with class probabilities, got {title(target)}"
        )
    if weight is not None:
        scores = scores * weight.reshape(-1, *[1] * (input.ndim - 2))
    number, products = reduction_number(reduction), scores * target
    if number == 0:
        return -products.sum(dim)
    total = -products.sum()
    return total if number == 2 else share(total, input.numel() // input.shape[dim])


# Helpers


def title(tensor: Tensor) -> str:
    """What error texts call a tensor's dtype: "Float", "Long"."""
    return TITLES[tensor._array.dtype]


def reduction_number(reduction: str) -> int:
    if reduction not in REDUCTIONS:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return REDUCTIONS[reduction]


def broadcast_pair(input: Tensor, target: Tensor) -> list[Any]:
    """Input and target in one shape, with PyTorch's warning if they didn't have it."""
    if target._array.shape == input._array.shape:
        return [input, target]
    warn(
        f"Using a target size ({target.shape}) that is different to the input size "
        f"({input.shape}). This will likely lead to incorrect results due to broadcasting. "
        "Please ensure they have the same size."
    )
    if error := broadcast_error(input.shape, target.shape):
        raise error
    shape = np.broadcast_shapes(input.shape, target.shape)
    return [one if one.shape == shape else expand(one, shape) for one in (input, target)]


def check_probability(p: float) -> None:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


__all__ = ["sigmoid", "softplus", "tanh"]
__all__ += [
    name
    for name, value in globals().items()
    if hasattr(value, "__wrapped__") and value.__module__ == __name__
]
__dir__, __getattr__ = module_hooks(__name__, __all__)
