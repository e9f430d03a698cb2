"""Attention in one operation, as PyTorch computes it where it can.

Source: https://arxiv.org/abs/2205.14135
"""

# Formulas refer to operations that are declared below them.
# mypy: disable-error-code="has-type"

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minigrad import elementary
from minigrad.autograd.node import Array, quiet_copy
from minigrad.ops.define import hidden
from minigrad.ops.pointwise import refuse_backward
from minigrad.ops.softmax import softmax_backward, softmax_of
from minigrad.tensor import Tensor, from_array


def flash_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    is_causal: bool,
    attn_mask: Tensor | None,
    scale: float | None,
) -> Any:
    """Return what each query takes of the values; the node keeps no weights, but their sums.

    Args:
        query, key, value: (N, heads, length, width); keys and values may have fewer heads.
        is_causal: whether a query sees the keys of its own place and those before alone.
        attn_mask: added to the scores, broadcast to (N, heads, queries, keys).
        scale: of the scores; one over the root of the width if None.
    """
    mask = None if attn_mask is None else attn_mask._array
    given = query._array, key._array, is_causal, mask, scale
    logsumexp = from_array(quiet_copy().run(lambda: log_of_sums(scores_of(*given))))
    return flash(query, key, value, 0.0, is_causal, attn_mask, scale, logsumexp)


def scores_of(
    query: Array, key: Array, is_causal: bool, attn_mask: Array | None, scale: float | None
) -> Any:
    """Return how well each query and each key fit."""
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query @ for_heads(key, query).swapaxes(-2, -1)) * factor
    if attn_mask is not None:
        scores = scores + attn_mask
    if is_causal:
        scores = np.where(np.tri(*scores.shape[-2:]) > 0, scores, -np.inf)
    return scores.astype(query.dtype, copy=False)


def for_heads(values: Array, query: Array) -> Any:
    """Return keys or values for as many heads as the queries have."""
    groups = query.shape[1] // values.shape[1]
    return values if groups == 1 else values.repeat(groups, 1)


def of_heads(gradient: Array, values: Array) -> Any:
    """Return the gradient of keys or values that served several heads."""
    groups = gradient.shape[1] // values.shape[1]
    if groups == 1:
        return gradient
    samples, heads, *rest = values.shape
    return gradient.reshape(samples, heads, groups, *rest).sum(2)


def exponentials(scores: Array) -> tuple[Any, Any]:
    """Return the exponentials of scores above the greatest of each line, and those greatest."""
    greatest = scores.max(-1, keepdims=True)
    greatest = np.where(np.isfinite(greatest), greatest, 0)
    return elementary.exp(scores - greatest), greatest


def log_of_sums(scores: Array) -> Any:
    """Return the logarithms of the sums of exponentials along the last dimension."""
    powers, greatest = exponentials(scores)
    return (elementary.log(powers.sum(-1)) + greatest[..., 0]).astype(scores.dtype)


def weights_of(scores: Array, logsumexp: Array) -> Any:
    """Return how much each query takes of each value; nothing where it may take none."""
    sums = np.where(np.isfinite(logsumexp), logsumexp, 0).astype(scores.dtype)
    return elementary.exp(scores - sums[..., None])


def attended(
    query: Array,
    key: Array,
    value: Array,
    dropout_p: float,
    is_causal: bool,
    attn_mask: Array | None,
    scale: float | None,
    logsumexp: Array,
) -> Any:
    """Return what each query takes of the values.

    The sums divide last, as in PyTorch: equal values come out as they are.
    """
    powers, _ = exponentials(scores_of(query, key, is_causal, attn_mask, scale))
    sums = powers.sum(-1, keepdims=True)
    return (powers @ for_heads(value, query)) / np.where(sums == 0, 1, sums)


def attention_slopes(
    grad_out: Array,
    query: Array,
    key: Array,
    value: Array,
    dropout_p: float,
    is_causal: bool,
    attn_mask: Array | None,
    scale: float | None,
    logsumexp: Array,
    output: Array,
) -> tuple[Array, Array, Array]:
    """Return the gradients of queries, keys and values."""
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    weights = weights_of(scores_of(query, key, is_causal, attn_mask, scale), logsumexp)
    of_weights = grad_out @ for_heads(value, query).swapaxes(-2, -1)
    along = (grad_out * output).sum(-1, keepdims=True)
    of_scores = weights * (of_weights - along) * factor
    return (
        of_scores @ for_heads(key, query),
        of_heads(of_scores.swapaxes(-2, -1) @ query, key),
        of_heads(weights.swapaxes(-2, -1) @ grad_out, value),
    )


def refuse(grad: Any) -> Any:
    """Raise RuntimeError: PyTorch has no derivative of these derivatives."""
    return refuse_backward("_scaled_dot_product_flash_attention_for_cpu_backward")


flash_backward = hidden(
    "NotImplemented",
    attention_slopes,
    outputs="result0 result1 result2",
    **dict.fromkeys(("grad_out", "query", "key", "value", "logsumexp", "output"), refuse),
)


def flash_gradients(
    grad: Any,
    query: Any,
    key: Any,
    value: Any,
    dropout_p: float,
    is_causal: bool,
    attn_mask: Any,
    scale: float | None,
    logsumexp: Any,
    output: Any,
    grad_input_mask: tuple[bool, ...],
) -> Any:
    """Return the gradients of all three, whichever are asked for."""
    return flash_backward(
        grad, query, key, value, dropout_p, is_causal, attn_mask, scale, logsumexp, output
    )


flash = hidden(
    "ScaledDotProductFlashAttentionForCpuBackward0",
    attended,
    outputs="output",
    **dict.fromkeys(("query", "key", "value"), flash_gradients),
)


def safe_softmax_of(self: Array, dim: int) -> Any:
    """Return the softmax along a dimension; zeros where all elements are minus infinity."""
    nothing = np.isneginf(self).all(dim, keepdims=True)
    return np.where(nothing, self.dtype.type(0), softmax_of(np.where(nothing, 0, self), dim))


safe_softmax = hidden(
    "SafeSoftmaxBackward0",
    safe_softmax_of,
    self=lambda grad, result, dim: softmax_backward(grad, result, dim),
)
