"""The functions that networks are made of: activations, layers, losses.

They check what they are given as ``torch.nn.functional`` does, and are composed of the same
operations, so that their graphs are the same.

>>> import minigrad as torch
>>> import minigrad.nn.functional as F
>>> F.mse_loss(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
tensor(2.)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from operator import index as as_index
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.autograd.grad_mode import is_grad_enabled, no_grad
from minigrad.autograd.node import quiet_copy
from minigrad.c_code import type_name
from minigrad.creation import empty_like, zeros_like
from minigrad.nn.margins import cosine_embedding_loss as cosine_embedding_loss
from minigrad.nn.margins import gaussian_nll_loss as gaussian_nll_loss
from minigrad.nn.margins import hinge_embedding_loss as hinge_embedding_loss
from minigrad.nn.margins import margin_ranking_loss as margin_ranking_loss
from minigrad.nn.margins import (
    multilabel_soft_margin_loss as multilabel_soft_margin_loss,
)
from minigrad.nn.margins import pairwise_distance as pairwise_distance
from minigrad.nn.margins import poisson_nll_loss as poisson_nll_loss
from minigrad.nn.margins import triplet_margin_loss as triplet_margin_loss
from minigrad.nn.reductions import chosen_reduction, reduced, reduction_number
from minigrad.ops import (
    activation,
    attention,
    linalg,
    loss,
    normalization,
    piecewise,
    pointwise,
    scattering,
    shape,
)
from minigrad.ops import embedding as lookup
from minigrad.ops.bind import missing
from minigrad.ops.calls import asking, kernel, refusing
from minigrad.ops.check import OTHER_SHAPE, check, check_shapes, require
from minigrad.ops.in_place import in_place
from minigrad.ops.out import written_to
from minigrad.ops.promotion import answer, broadcasting_error, is_foreign, not_a_tensor
from minigrad.ops.shape import broadcast_shapes
from minigrad.ops.signatures import is_int
from minigrad.outside import warn
from minigrad.tensor import Tensor, from_array

# What users find here: the rest helps.
__all__ = [
    "alpha_dropout", "batch_norm", "binary_cross_entropy", "binary_cross_entropy_with_logits",
    "celu", "celu_", "cosine_embedding_loss", "cosine_similarity", "cross_entropy", "dropout",
    "elu", "elu_", "embedding", "gaussian_nll_loss", "gelu", "glu", "group_norm", "gumbel_softmax",
    "hardshrink", "hardsigmoid", "hardswish", "hardtanh", "hardtanh_", "hinge_embedding_loss",
    "huber_loss", "kl_div", "l1_loss", "layer_norm", "leaky_relu", "leaky_relu_", "linear",
    "log_softmax", "logsigmoid", "margin_ranking_loss", "mish", "mse_loss",
    "multilabel_soft_margin_loss", "nll_loss", "normalize", "one_hot", "pad",
    "pairwise_distance", "poisson_nll_loss", "prelu", "relu", "relu6", "relu_", "rms_norm",
    "scaled_dot_product_attention", "selu", "selu_", "sigmoid", "silu", "smooth_l1_loss",
    "soft_margin_loss", "softmax", "softmin", "softplus", "softshrink", "softsign", "tanh",
    "tanhshrink", "threshold", "threshold_", "triplet_margin_loss",
]  # fmt: skip

# Chosen so that activations keep mean 0 and variance 1 from layer to layer.
# Source: https://arxiv.org/abs/1706.02515
SELU_ALPHA = 1.6732632423543772848170429916717
SELU_SCALE = 1.0507009873554804934193349852946


def same_size(input: Any, target: Any) -> bool:
    """Return whether two tensors have the same shape."""
    if isinstance(input, Tensor) and isinstance(target, Tensor):
        return bool(input._value.shape == target._value.shape)
    # What is no tensor has no size(), which is what PyTorch says.
    return bool(target.size() == input.size())


# Activations


# What `inplace` asks for
threshold_in_place = in_place("threshold_", activation.threshold_in_place)
leaky_relu_in_place = in_place("leaky_relu_", activation.leaky_relu_in_place)
elu_in_place = in_place("elu_", activation.elu_in_place)
hardtanh_in_place = in_place("hardtanh_", activation.hardtanh)
silu_in_place = in_place("silu_", activation.silu)


celu_in_place = in_place("celu_", piecewise.celu_in_place)
mish_in_place = in_place("mish_", piecewise.mish)
hardsigmoid_in_place = in_place("hardsigmoid_", piecewise.hardsigmoid)
hardswish_in_place = in_place("hardswish_", piecewise.hardswish)


def relu(input: Tensor, inplace: bool = False) -> Any:
    """Return the larger of each element and 0; in place if so asked."""
    if input.__class__ is not Tensor and is_foreign(input):
        return answer(relu, (input, inplace))
    return input.relu_() if inplace else pointwise.relu(input)


def tanh(input: Tensor) -> Any:
    """Return the hyperbolic tangent of each element."""
    return input.tanh()


def sigmoid(input: Tensor) -> Any:
    """Return ``1 / (1 + exp(-input))``."""
    return input.sigmoid()


@kernel("threshold")
def _threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Any:
    """Put ``value`` in place of each element that is not above ``threshold``."""
    return (threshold_in_place if inplace else activation.threshold)(input, threshold, value)


threshold = _threshold  # by which name PyTorch's errors do not know it


@kernel("leaky_relu")
def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Any:
    """Return each element, times ``negative_slope`` if it is negative."""
    return (leaky_relu_in_place if inplace else activation.leaky_relu)(input, negative_slope)


@kernel("elu")
def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Any:
    """Return each element if it is positive, else ``alpha * (exp(input) - 1)``."""
    return (elu_in_place if inplace else activation.elu)(input, alpha, 1, 1)


@kernel("selu")
def selu(input: Tensor, inplace: bool = False) -> Any:
    """Return `elu`, scaled so that layers keep mean and variance."""
    return (elu_in_place if inplace else activation.elu)(input, SELU_ALPHA, SELU_SCALE, 1)


@refusing()
def gelu(input: Tensor, *, approximate: str = "none") -> Any:
    """Return each element times the normal distribution function of it.

    Raises:
        RuntimeError: if `approximate` is neither ``"none"`` nor ``"tanh"``.
    """
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return activation.gelu(input, approximate)


@asking
def silu(input: Tensor, inplace: bool = False) -> Any:
    """Return ``input * sigmoid(input)``."""
    return (silu_in_place if inplace else activation.silu)(input)


@refusing()
def softplus(input: Tensor, beta: float = 1, threshold: float = 20) -> Any:
    """Return ``log(1 + exp(beta * input)) / beta``, a smooth `relu`; beyond `threshold` a line."""
    return activation.softplus(input, beta, threshold)


@asking
def softsign(input: Tensor) -> Any:
    """Return ``input / (1 + |input|)``."""
    return input / (input.abs() + 1)


@asking
def tanhshrink(input: Tensor) -> Any:
    """Return ``input - tanh(input)``."""
    return input - input.tanh()


@asking
def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Any:
    """Limit each element to a range; its gradient is 0 at the bounds too.

    Raises:
        ValueError: if the lower bound is the higher one.
    """
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    if inplace:
        return hardtanh_(input, min_val, max_val)
    is_bool = isinstance(input, Tensor) and input.dtype is dtypes.bool_
    check(not is_bool, "Bool inputs not supported for hardtanh")
    return activation.hardtanh(input, min_val, max_val)


@kernel("relu6")
def relu6(input: Tensor, inplace: bool = False) -> Any:
    """Limit each element to the range from 0 to 6."""
    return hardtanh(input, 0, 6, inplace)


@refusing("log_sigmoid")
def logsigmoid(input: Tensor) -> Any:
    """Return ``log(sigmoid(input))``, without its rounding."""
    return activation.logsigmoid(input)


@kernel("celu")
def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Any:
    """Return each element if it is positive, else ``alpha * (exp(input / alpha) - 1)``.

    Raises:
        RuntimeError: if alpha is 0.
    """
    check(alpha != 0, "ZeroDivisionError: alpha cannot be 0 for CELU")
    return (celu_in_place if inplace else piecewise.celu)(input, alpha)


@asking
def mish(input: Tensor, inplace: bool = False) -> Any:
    """Return ``input * tanh(softplus(input))``."""
    return (mish_in_place if inplace else piecewise.mish)(input)


@asking
def hardsigmoid(input: Tensor, inplace: bool = False) -> Any:
    """Return a line from 0 at -3 to 1 at 3, and these beyond."""
    return (hardsigmoid_in_place if inplace else piecewise.hardsigmoid)(input)


@asking
def hardswish(input: Tensor, inplace: bool = False) -> Any:
    """Return each element times its `hardsigmoid`."""
    return (hardswish_in_place if inplace else piecewise.hardswish)(input)


@refusing()
def hardshrink(input: Tensor, lambd: float = 0.5) -> Any:
    """Return each element, or 0 if it is at most ``lambd`` from 0."""
    return piecewise.hardshrink(input, lambd)


@refusing()
def softshrink(input: Tensor, lambd: float = 0.5) -> Any:
    """Return each element, brought nearer to 0 by ``lambd``.

    Raises:
        RuntimeError: if `lambd` is negative.
    """
    if input.is_floating_point():
        text = "lambda must be in range [0, {:g}] for input dtype {}, but found {:g}"
        largest = np.finfo(input.dtype.numpy_dtype).max
        check(0 <= lambd <= largest, text, largest, input.dtype.scalar_name, lambd)
    return piecewise.softshrink(input, lambd)


@refusing()
def prelu(input: Tensor, weight: Tensor) -> Any:
    """Return each element, times a weight if it is negative: one for all, or one for each channel.

    Raises:
        RuntimeError: if `weight` is neither of these, or of another dtype.
    """
    text = "prelu: Type promoting not supported. Got {} and {}"
    fits = input.dtype is weight.dtype
    check(fits, text, input.dtype.scalar_name, weight.dtype.scalar_name)
    if weight.numel() != 1:
        check(input.ndim > 0, "Not allow zero-dim input tensor.")
        channels = input.shape[1] if input.ndim > 1 else 1
        text = (
            "Mismatch of parameter numbers and input channel size. Found parameter numbers = {} "
            "and channel size = {}."
        )
        check(channels == weight.numel(), text, weight.numel(), channels)
    text = "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {}"
    check(weight.ndim <= 1, text, weight.ndim)
    if weight.ndim != input.ndim:
        weight = weight.reshape([1, -1, *[1] * (input.ndim - 2)][: input.ndim])
    return piecewise.prelu(input, weight)


@kernel("glu", "input")
def glu(input: Tensor, dim: int = -1) -> Any:
    """Return one half along a dimension, times the sigmoid of the other.

    Raises:
        RuntimeError: if the length of the dimension is odd.
    """
    text = "glu does not support scalars because halving size must be even"
    check(input.dim() > 0, text)
    return piecewise.glu(input, dim)


@asking
def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """Return the exponentials, divided by their sum along a dimension: they add to 1 there.

    Raises:
        IndexError: if there is no such dimension.
    """
    return input.softmax(implicit_dim("softmax", input) if dim is None else dim, dtype=dtype)


@asking
def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Any:
    """Return the softmax of ``-input``."""
    chosen = implicit_dim("softmin", input) if dim is None else dim
    return (-input).softmax(chosen, dtype=dtype)


@asking
def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Any:
    """Return the logarithm of `softmax`, without its rounding."""
    chosen = implicit_dim("log_softmax", input) if dim is None else dim
    return input.log_softmax(chosen, dtype=dtype)


def implicit_dim(name: str, input: Tensor) -> int:
    """Return the dimension that PyTorch takes where none was given, with its warning."""
    dimensions = input.dim()
    warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include "
        "dim=X as an argument."
    )
    return 0 if dimensions in (0, 1, 3) else 1


# Activations in place


@refusing()
def relu_(input: Tensor) -> Any:
    """Do in place what `relu` does."""
    return relu(input, inplace=True)


@refusing()
def threshold_(input: Tensor, threshold: float, value: float) -> Any:
    """Do in place what the function `threshold` does."""
    return threshold_in_place(input, threshold, value)


@refusing()
def leaky_relu_(input: Tensor, negative_slope: float = 0.01) -> Any:
    """Do in place what `leaky_relu` does."""
    return leaky_relu(input, negative_slope, inplace=True)


@refusing()
def elu_(input: Tensor, alpha: float = 1.0) -> Any:
    """Do in place what `elu` does."""
    return elu(input, alpha, inplace=True)


@refusing()
def selu_(input: Tensor) -> Any:
    """Do in place what `selu` does."""
    return selu(input, inplace=True)


@refusing()
def celu_(input: Tensor, alpha: float = 1.0) -> Any:
    """Do in place what `celu` does."""
    return celu(input, alpha, inplace=True)


@refusing()
def hardtanh_(input: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Any:
    """Do in place what `hardtanh` does; if the lower bound is the higher one, `max_val` holds."""
    check(input.dtype is not dtypes.bool_, "Bool inputs not supported for hardtanh")
    return hardtanh_in_place(input, min_val, max_val)


# Layers


@refusing()
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Any:
    """Return ``input @ weight.T + bias``.

    Args:
        input: (..., in); (in) is one sample.
        weight: (out, in), or (in).
        bias: (out), or ().

    Raises:
        RuntimeError: if the shapes do not fit.
        TypeError: if input or weight is no tensor.
    """
    try:
        dimensions, dimensions_of_weight = input._value.ndim, weight._value.ndim
    except AttributeError:
        named = (("input", input), ("weight", weight))
        wrong = [isinstance(one, Tensor) for _, one in named].index(False)
        raise not_a_tensor("linear", named[wrong][0], wrong + 1, named[wrong][1]) from None
    if not (dimensions and dimensions_of_weight):
        raise RuntimeError(
            f"both arguments to linear need to be at least 1D, but they are {dimensions}D and "
            f"{dimensions_of_weight}D"
        )
    if bias is None:
        return input.matmul(weight.t())
    if dimensions_of_weight < 2:
        check(dimensions != 2, "mat2 must be a matrix, got 1-D tensor")
        return input.matmul(weight.t()) + bias
    if dimensions == 2:
        return linalg.addmm(bias, input, weight.t())
    rows = input.reshape(math.prod(input.shape[:-1]), input.shape[-1])
    return linalg.addmm(bias, rows, weight.t()).view(*input.shape[:-1], weight.shape[0])


def check_probability(p: float) -> None:
    """Refuse to drop elements with what is no probability.

    Raises:
        ValueError: if it is below 0 or above 1.
    """
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


@refusing()
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Any:
    """Return ``softmax(query @ key.mT * scale + attn_mask) @ value``.

    As in PyTorch, one operation computes it where queries, keys and values have four dimensions
    and the same width and number of heads, nothing is dropped, and the mask needs no gradient.

    Args:
        query, key, value: (..., length, width), as many keys as values.
        attn_mask: True where a query may see a key; or a number that is added to the score.
        dropout_p: the probability with which a weight is dropped, also in evaluation.
        is_causal: whether queries see the keys of their own place and those before alone.
        scale: of the scores; one over the root of the width if None.
        enable_gqa: whether several heads of queries may share one of keys and values.

    Raises:
        RuntimeError: for other shapes and dtypes.
    """
    check_attention(query, key, value, attn_mask)
    if not 0 <= dropout_p <= 1:
        text = f"dropout probability has to be between 0 and 1, but got {dropout_p:g}"
        raise RuntimeError(text)
    mask = attn_mask
    if mask is not None and mask.dtype is dtypes.bool_:
        hidden = from_array(np.full((), -np.inf, query._array.dtype))
        mask = zeros_like(mask, dtype=query.dtype).masked_fill(~mask, hidden)
    if not dropout_p and fits_flash(query, key, value, mask, enable_gqa):
        return attention.flash_attention(query, key, value, is_causal, mask, scale)
    if is_causal:
        if mask is not None:
            raise RuntimeError(
                "_scaled_dot_product_attention: Explicit attn_mask should not be set when "
                "is_causal=True"
            )
        seen = np.tri(query.shape[-2], key.shape[-2], dtype=bool)
        mask = from_array(np.where(seen, 0, -np.inf).astype(query._array.dtype))
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    root = math.sqrt(abs(factor))
    if enable_gqa:
        text = "Number of heads in key and value must divide the number of heads in "  # sic
        check(not any(query.size(-3) % one.size(-3) for one in (key, value)), text)
        key, value = (
            one.repeat_interleave(query.shape[-3] // one.shape[-3], -3) for one in (key, value)
        )
    query = pointwise.mul_number(query, -root if factor < 0 else root)
    scores = query @ pointwise.mul_number(key.transpose(-2, -1), root)
    if mask is not None:
        shape, scores = list(scores.shape), scores + mask
        check(shape == [*scores.shape], OTHER_SHAPE, shape, list(scores.shape))
    return dropout(attention.safe_softmax(scores, -1), dropout_p) @ value


def fits_flash(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, shared: bool
) -> bool:
    """Return whether one operation can compute the attention."""
    given = query, key, value
    if any(one.dim() != 4 or not one.numel() for one in given):
        return False
    heads, others = query.shape[1], key.shape[1]
    if not (heads == others or (shared and heads % others == 0)) or others != value.shape[1]:
        return False
    if any(len({one.shape[dim] for one in given}) > 1 for dim in (0, 3)):
        return False
    if any(one.stride(-1) != 1 for one in given):
        return False
    if mask is None:
        return True
    wanted = (*query.shape[:3], key.shape[2])[-mask.dim() :]
    fits = all(one in (1, length) for one, length in zip(mask.shape, wanted, strict=True))
    return mask.dim() in (2, 4) and fits and not (mask.requires_grad and is_grad_enabled())


def check_attention(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> None:
    """Refuse queries, keys, values and masks that do not fit, with PyTorch's texts."""
    text = "Expected query, key, and value to {0} query.{1}: {2} key.{1}: {3} and value.{1}: {4} "
    dims = query.dim(), key.dim(), value.dim()
    names = [one.dtype.cpp_name for one in (query, key, value)]
    if len(set(names)) > 1:
        raise RuntimeError(
            text.format("have the same dtype, but got", "dtype", *names) + "instead."
        )
    if not query.dtype.is_floating_point:
        raise RuntimeError(f"expected scalar type Float but found {query.dtype.scalar_name}")
    if min(dims) < 2:
        words = "all be  at least 2 dimensional, but got"
        raise RuntimeError(text.format(words, "dim", *dims) + "instead.")
    if mask is not None and mask.dtype not in (dtypes.bool_, dtypes.float32, query.dtype):
        raise RuntimeError(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got "
            f"attn_mask.dtype: {mask.dtype.cpp_name} and  query.dtype: {names[0]} instead."
        )


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


@asking
def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Any:
    """Return what a draw from the categories of `logits` is, in a form that has a gradient.

    With `hard` it is one-hot, but its gradient is that of the soft one.

    Source: https://arxiv.org/abs/1611.00712
    """
    if eps != 1e-10:
        warn("`eps` parameter is deprecated and has no effect.")
    gumbels = -empty_like(logits).contiguous().exponential_().log()
    soft = ((logits + gumbels) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    return zeros_like(logits).contiguous().scatter_(dim, index, 1.0) - soft.detach() + soft


@kernel("embedding", "padding_idx", indices="input")
def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Any:
    """Return the row of a matrix for each integer.

    Args:
        input: numbers of rows, of any shape, int64 or int32.
        weight: (rows, length).
        padding_idx: a row that gets no gradient.
        max_norm: rows that are looked up and longer are shortened to it first, in place.
        norm_type: how they are measured: the exponent of the norm.
        scale_grad_by_freq: divide a row's gradient by how often it is looked up.
        sparse: not supported unless left alone.

    Raises:
        IndexError: if there is no such row.
        RuntimeError: if `weight` is no matrix or `input` of another dtype.
        AssertionError: if there is no row `padding_idx`.
    """
    padding = padding_row(padding_idx, len(weight) if weight.ndim else 0)
    if sparse:
        raise NotImplementedError("minigrad's embedding has no sparse gradients")
    if not isinstance(input, Tensor):
        raise not_a_tensor("embedding", "indices", 2, input)
    if weight.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    if input._array.dtype not in (np.int64, np.int32):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
            f"Long, Int; but got {input.type()} instead (while checking arguments for embedding)"
        )
    if max_norm is not None:
        shorten(weight, np.unique(input._array), max_norm, norm_type)
    row = -1 if padding is None else padding
    return lookup.embedding(weight, input, row, scale_grad_by_freq, sparse)


def shorten(weight: Tensor, rows: np.ndarray[Any, Any], max_norm: float, norm_type: float) -> None:
    """Shorten rows of a matrix that are longer, if there are all of them; no node is recorded."""
    if not rows.size or rows[0] < 0 or rows[-1] >= len(weight):
        return
    array = weight._array
    if array.dtype.kind != "f":
        raise RuntimeError(
            "norm(): input dtype should be either floating point or complex. Got "
            f"{weight.dtype.scalar_name} instead."
        )
    norms = quiet_copy().run(np.linalg.norm, array[rows], norm_type, 1, keepdims=True)
    lengths = norms.astype(np.float64)
    shorter = array[rows] * (max_norm / (lengths + 1e-7)).astype(array.dtype)
    array[rows] = np.where(lengths > max_norm, shorter, array[rows])
    weight._count_change()


def padding_row(padding_idx: int | None, rows: int) -> int | None:
    """Return the row of the padding, counted from the front.

    Raises:
        AssertionError: if there is no such row.
    """
    if padding_idx is None:
        return None
    if not -rows <= padding_idx < max(rows, 1):
        raise AssertionError("Padding_idx must be within num_embeddings")
    return padding_idx % rows if padding_idx < 0 else padding_idx


@kernel("layer_norm")
def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Any:
    """Return each sample less its mean, over its standard deviation, scaled and shifted.

    Args:
        input: `(..., *normalized_shape)`, of floating point dtype.
        normalized_shape: the last dimensions: a sample.
        weight, bias: of that shape and the dtype of the input.
        eps: added to the variance, lest it be 0.

    Raises:
        TypeError: if `normalized_shape` is no sequence.
        RuntimeError: if shapes or dtypes do not fit.
    """
    shape = sample_shape("layer_norm", normalized_shape)
    check_affine(input, shape, weight, bias)
    return normalization.layer_norm(input, shape, weight, bias, eps)


@kernel("rms_norm")
def rms_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    eps: float | None = None,
) -> Any:
    """Return each sample over the root of the mean of its squares, scaled.

    Args:
        input: `(..., *normalized_shape)`, of floating point dtype.
        normalized_shape: the last dimensions: a sample.
        weight: of that shape.
        eps: added to the mean, lest it be 0; the smallest step from 1 of the dtype if None.

    Raises:
        TypeError: if `normalized_shape` is no sequence.
        RuntimeError: if shapes do not fit.
        NotImplementedError: for integers.
    """
    shape = sample_shape("rms_norm", normalized_shape)
    check_samples(input, shape, {"weight": weight}, "*")
    require(input._array, "f", "rms_norm")
    if weight is not None and weight.dtype is not input.dtype:
        warn(
            f"Mismatch dtype between input and weight: input dtype = {input.dtype.cpp_name}, "
            f"weight dtype = {weight.dtype.cpp_name}, Cannot dispatch to fused implementation."
        )
    wide = input.float() if input.dtype is dtypes.float16 else input
    least = np.finfo(wide._array.dtype).eps.item() if eps is None else eps
    dims = tuple(input.dim() - 1 - place for place in range(len(shape)))
    squares = pointwise.add_number(wide.pow(2).mean(dims, keepdim=True), least)
    result = wide * squares.rsqrt()
    return (result if weight is None else result * weight).type_as(input)


def sample_shape(function: str, normalized_shape: Any) -> tuple[int, ...]:
    """Return the shape of a sample, or refuse it with PyTorch's texts."""
    if not isinstance(normalized_shape, (list, tuple)):
        raise TypeError(
            f"{function}(): argument 'normalized_shape' (position 2) must be tuple of ints, not "
            f"{type(normalized_shape).__name__}"
        )
    for place, length in enumerate(normalized_shape):
        if not is_int(length):
            raise TypeError(
                f"{function}(): argument 'normalized_shape' "
                + (
                    f"failed to unpack the object at pos {place + 1} with error "
                    f'"type must be tuple of ints,but got {type_name(length)}"'
                    if place
                    else "(position 2) must be tuple of ints, but found element of type "
                    f"{type_name(length)} at pos 0"
                )
            )
    if not normalized_shape:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one "
            "element, but got normalized_shape = []"
        )
    return tuple(normalized_shape)


@kernel("batch_norm", "eps")
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
    """Return each channel less its mean, over its standard deviation, scaled and shifted.

    Args:
        input: (batch, channels, ...).
        running_mean, running_var: (channels), used unless `training`; in training, changed by
            `momentum` towards those of the batch.
        weight, bias: (channels).
        eps: added to the variance, lest it be 0.

    Raises:
        ValueError: if there is but one value for each channel, in training, or one of the running
            statistics alone, or `eps` is negative, in training 0.
        RuntimeError: if there are no running statistics to use, or not for each channel one.
        NotImplementedError: for integers.
    """
    check_batch(input.shape, training, eps)
    array = input._array
    if not array.size:
        result = pointwise.clone(input)
        result = result if weight is None else result * shape.select(weight, 0, 0)
        return result if bias is None else result + shape.select(bias, 0, 0)
    channels = array.shape[1] if array.ndim > 1 else 0
    for name, running in (("running_mean", running_mean), ("running_var", running_var)):
        check(running is not None or training, "{} must be defined in evaluation mode", name)
        check_channels(name, running, channels)
    check_channels("weight", weight, channels)
    check_channels("bias", bias, channels)
    text = "running_mean and running_var must either both be None or neither be None"
    check((running_mean is None) == (running_var is None), text, error=ValueError)
    require(array, "f", "batch_norm")
    if training:
        follow_batch(array, running_mean, running_var, momentum)
    return normalization.batch_norm(input, weight, bias, running_mean, running_var, training, eps)


def check_batch(shape: Sequence[int], training: bool, eps: float) -> None:
    """Refuse one value for each channel, in training, and an `eps` that is too small."""
    if training and not shape:
        raise IndexError("tuple index out of range")
    if training:
        check_values(shape)
    positive = eps > 0 if training else eps >= 0
    text = "batch_norm eps must be {}, but got {}"
    needed = "positive during training" if training else "non-negative"
    check(positive, text, needed, eps, error=ValueError)


def check_channels(name: str, given: Tensor | None, channels: int) -> None:
    """Refuse what has not one element for each channel."""
    if given is not None:
        text = "{} should contain {} elements not {}"
        check(given.numel() == channels, text, name, channels, given.numel())


def follow_batch(array: Any, mean: Tensor | None, var: Tensor | None, momentum: float) -> None:
    """Change running statistics towards those of a batch."""
    dims = normalization.other_dims(array)
    for running, found in ((mean, array.mean(dims)), (var, array.var(dims, ddof=1))):
        if running is not None:
            running._array[...] = (1 - momentum) * running._array + momentum * found


@kernel("group_norm", "input num_groups")
def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Any:
    """Return groups of channels of each sample less their mean, over their standard deviation.

    Args:
        input: (batch, channels, ...), of floating point dtype.
        num_groups: how many groups of as many channels there are.
        weight, bias: (channels); they scale and shift.
        eps: added to the variance, lest it be 0.

    Raises:
        ValueError: if there is but one value.
        RuntimeError: if shapes or dtypes do not fit.
        NotImplementedError: for integers.
    """
    if input.dim() < 2:
        raise RuntimeError(
            f"Expected at least 2 dimensions for input tensor but received {input.dim()}"
        )
    per_group = input.size(0) * input.size(1) // num_groups
    check_values([per_group, num_groups, *input.size()[2:]])
    text = "group_norm(): argument 'num_groups' (position 2) must be int, not {}"
    check(is_int(num_groups), text, type_name(num_groups), error=TypeError)
    channels, shape = input.shape[1], list(input.shape)
    check(num_groups > 0, "Expected num groups to be greater than 0, got {}", num_groups)
    text = (
        "Expected number of channels in input to be divisible by num_groups, but got input of "
        "shape {} and num_groups={}"
    )
    check(channels % num_groups == 0, text, shape, num_groups)
    for name, given in (("weight", weight), ("bias", bias)):
        if given is not None and given.shape != (channels,):
            told = [0] if weight is None else list(weight.shape)  # sic
            raise RuntimeError(
                f"Expected {name} to be a vector of size equal to the number of channels in input, "
                f"but got {name} of shape {told} and input of shape {shape}"
            )
    check_one_dtype(input, weight, bias)
    return normalization.group_norm(input, num_groups, weight, bias, eps)


def check_values(shape: Sequence[int]) -> None:
    """Refuse one value for each channel, which is the second dimension."""
    if math.prod([n for dim, n in enumerate(shape) if dim != 1]) == 1:
        raise ValueError(
            f"Expected more than 1 value per channel when training, got input size {shape}"
        )


def check_affine(
    input: Tensor, shape: tuple[int, ...], weight: Tensor | None, bias: Tensor | None
) -> None:
    """Refuse arguments of `layer_norm` that do not fit, with PyTorch's texts."""
    check_one_dtype(input, weight, bias)
    check_samples(input, shape, {"weight": weight, "bias": bias})


def check_one_dtype(input: Tensor, *params: Tensor | None) -> None:
    """Refuse parameters of another dtype than the input has, with PyTorch's texts."""
    given = [one for one in params if one is not None]
    if any(param.dtype is not input.dtype for param in given):
        all_float = all(param.dtype is dtypes.float32 for param in given)
        wanted = "all inputs must share same datatype."
        raise RuntimeError(
            "mixed dtype (CPU): "
            + (wanted if all_float else "expect parameter to have scalar type of Float")
        )


def check_samples(
    input: Tensor,
    shape: tuple[int, ...],
    params: Mapping[str, Tensor | None],
    others: str = "*, ",
) -> None:
    """Refuse an input that does not consist of samples, and parameters of another shape.

    `others` is how the message writes the dimensions before those of a sample.
    """
    for name, param in params.items():
        if param is not None and param.shape != shape:
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of "
                f"shape {list(param.shape)} and normalized_shape = {list(shape)}"
            )
    if input.shape[-len(shape) :] != shape:
        raise RuntimeError(
            f"Given normalized_shape={list(shape)}, expected input with shape "
            f"[{others}{', '.join(map(str, shape))}], but got input of size{list(input.shape)}"
        )


@refusing()
def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Return integers as rows that are 1 at that place and 0 elsewhere.

    Args:
        tensor: numbers of classes, of any shape and dtype int64.
        num_classes: length of the rows; by default what the largest number needs.

    Raises:
        RuntimeError: if a number is negative or too large, or the dtype another one.

    >>> import minigrad as torch
    >>> torch.nn.functional.one_hot(torch.tensor([0, 2]))
    tensor([[1, 0, 0],
            [0, 0, 1]])
    """
    array = tensor._array
    if array.dtype != np.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if array.size == 0 and num_classes <= 0:
        raise RuntimeError("Can not infer total number of classes from empty tensor.")
    if array.size and array.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    classes = int(array.max()) + 1 if num_classes == -1 else num_classes
    if array.size and array.max() >= classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return from_array((array[..., None] == np.arange(classes)).astype(np.int64))


@kernel("pad")
def pad(
    input: Tensor, pad: Sequence[int], mode: str = "constant", value: float | None = None
) -> Any:
    """Return a copy with so many elements more before and behind each of the last dimensions.

    Args:
        pad: before and behind the last dimension, then the one before it; negative to take away.
        value: of the new elements; 0 by default.

    Raises:
        RuntimeError: if these are not pairs, or more than there are dimensions.
        NotImplementedError: for another mode than ``"constant"``.

    >>> import minigrad as torch
    >>> torch.nn.functional.pad(torch.ones(2), (1, 2))
    tensor([0., 1., 1., 0., 0.])
    """
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) > 2 * input.ndim:
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got "
            f"padding length {len(pad)} and input of dimension {input.ndim}"
        )
    if mode in ("reflect", "replicate", "circular"):
        raise NotImplementedError(f"minigrad pads with constants alone, not in mode {mode}")
    if mode != "constant":
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    return scattering.constant_pad(input, tuple([as_index(one) for one in pad]), value or 0)


@asking
def normalize(
    input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, out: Tensor | None = None
) -> Any:
    """Divide by the p-norm along a dimension, or by `eps` where that is larger."""
    lengths = input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)
    if out is None:
        return input / lengths
    return written_to("div", out, lambda: input / lengths, (input, lengths))


@refusing()
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Any:
    """Return the cosine of the angle between vectors along a dimension.

    Raises:
        RuntimeError: if both are of integers or booleans.
    """
    dtype = dtypes.promote_types(x1.dtype, x2.dtype)
    if not dtype.is_floating_point:
        raise RuntimeError(
            "expected common dtype to be floating point, yet common dtype is " + dtype.scalar_name
        )
    x1, x2 = [one if one.is_floating_point() else one.to(dtype) for one in (x1, x2)]
    if x1.shape != x2.shape:
        check_shapes(x1, x2)
        common = shape.common_shape(x1.shape, x2.shape)
        x1, x2 = shape.expand_to(x1, common), shape.expand_to(x2, common)
    lengths = length(x1, dim, eps), length(x2, dim, eps)
    second = x2 / lengths[1]  # recorded first, as PyTorch does: the engine follows this order
    return (x1 / lengths[0] * second).sum(dim)


def length(vectors: Tensor, dim: int, eps: float) -> Any:
    """Return the 2-norm along a dimension, at least `eps`, whose gradient is not limited."""
    norm = vectors.norm(2, dim, keepdim=True).clone()
    with no_grad():
        norm.clamp_min_(eps)
    return norm


# Losses of the difference between prediction and target


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


def refuse_grad(function: str, name: str, tensor: Tensor | None) -> None:
    """Raise PyTorch's error if an argument through which no gradient passes requires one."""
    if tensor is not None and tensor.requires_grad and is_grad_enabled():
        raise RuntimeError(
            f"The function '{function}' is not differentiable with respect to argument '{name}'. "
            "This input cannot have requires_grad True."
        )


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


# Losses of probabilities and classes


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
    if target.dtype is dtypes.bool_:
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
            "`logical_xor()` operator instead."
        )
    if not target.is_floating_point():
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
    """Return the logistic loss of logits: ``log(1 + exp(-target * input))``.

    Args:
        input: logits, of any shape.
        target: 1 or -1, broadcast to that shape.

    Raises:
        RuntimeError: if the shapes do not fit, or `input` is of integers.
    """
    number = reduction_number(reduction, size_average, reduce)
    for place, (name, one) in enumerate((("input", input), ("target", target)), 1):
        if not isinstance(one, Tensor):
            raise not_a_tensor("soft_margin_loss", name, place, one)
    refuse_grad("soft_margin_loss", "target", target)
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
    if input.dim() == 1:
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
        target = pointwise.add_number(kept, label_smoothing / classes)
    products = scores * target
    if weight is not None:
        products = products * along(weight, input, dim)
    if reduction == loss.NONE:
        return -products.sum(dim)
    total = -products.sum()
    samples = input.numel() // classes
    return pointwise.div_number(total, samples) if reduction == loss.MEAN else total


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
    classes = scores.shape[classes_dim]
    return pointwise.mul_number(hard, 1 - label_smoothing) + pointwise.mul_number(
        even, label_smoothing / classes
    )


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


def __getattr__(name: str) -> Any:
    raise missing("module 'torch.nn.functional'", name, globals())
