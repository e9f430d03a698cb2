"""Attention: what queries take of the values whose keys fit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.autograd.grad_mode import is_grad_enabled
from minigrad.creation import zeros, zeros_like
from minigrad.nn.functional.dropouts import dropout
from minigrad.ops import attention, pointwise
from minigrad.ops.calls import refusing
from minigrad.ops.check import OTHER_SHAPE, check
from minigrad.tensor import Tensor, from_array


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
    if not (query.shape[-2] and key.shape[-2] and value.numel()):
        everything = query.sum() + key.sum() + value.sum()
        return zeros(*query.shape[:-1], value.shape[-1], dtype=query.dtype) + pointwise.mul_number(
            everything, 0
        )
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
    factor = scale_of(query) if scale is None else scale
    root = math.sqrt(abs(factor))
    if enable_gqa:
        text = "Number of heads in key and value must divide the number of heads in "  # sic
        check(not any(query.size(-3) % one.size(-3) for one in (key, value)), text)
        if key.shape[-3] != query.shape[-3] or value.shape[-3] != query.shape[-3]:
            key, value = (
                one.repeat_interleave(query.shape[-3] // one.shape[-3], -3) for one in (key, value)
            )
    query = pointwise.mul_number(query, -root if factor < 0 else root)
    scores = query @ pointwise.mul_number(key.transpose(-2, -1), root)
    if mask is not None:
        shape, scores = list(scores.shape), scores + mask
        check(shape == [*scores.shape], OTHER_SHAPE, shape, list(scores.shape))
    return dropout(attention.safe_softmax(scores, -1), dropout_p) @ value


def scale_of(query: Tensor) -> float:
    """Return one over the root of a query's width."""
    width = query.shape[-1]
    return 1 / math.sqrt(width) if width else math.inf


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
