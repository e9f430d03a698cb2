"""Embedding: rows of a matrix, looked up by number; several lookups of one row add up.

These are the operations; `minigrad.nn.functional` says what users may give.
"""

# Formulas refer to operations that are declared below them.
# mypy: disable-error-code="has-type"

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad.autograd.node import Array
from minigrad.ops.define import hidden


def looked_up(
    weight: Array, indices: Array, padding_idx: int, scale_grad_by_freq: bool, sparse: bool
) -> Any:
    """Return the rows of `weight` that the indices name.

    Raises:
        IndexError: if there is no such row.
    """
    if np.any((indices < 0) | (indices >= len(weight))):
        raise IndexError("index out of range in self")
    return weight[indices]


def added_up(
    grad_output: Array,
    indices: Array,
    num_weights: int,
    padding_idx: int,
    scale_grad_by_freq: bool,
) -> Any:
    """Return the sum of the gradients of each row's lookups; 0 for the row of the padding."""
    rows = np.zeros((num_weights, grad_output.shape[-1]), grad_output.dtype)
    np.add.at(rows, indices, grad_output)
    if scale_grad_by_freq:
        rows /= np.maximum(np.bincount(indices.ravel(), minlength=num_weights), 1)[:, None]
    if padding_idx >= 0:
        rows[padding_idx] = 0
    return rows


embedding = hidden(
    "EmbeddingBackward0",
    looked_up,
    weight=lambda grad, indices, weight_sym_sizes, padding_idx, scale_grad_by_freq, sparse: (
        embedding_dense_backward(
            grad, indices, weight_sym_sizes[0], padding_idx, scale_grad_by_freq
        )
    ),
)
embedding_dense_backward = hidden(
    "EmbeddingDenseBackwardBackward0",
    added_up,
    grad_output=lambda grad, indices, padding_idx: embedding_dense_double_backward(
        grad, indices, padding_idx
    ),
)


def embedding_dense_double_backward(grad: Any, indices: Any, padding_idx: int) -> Any:
    """Return the rows of a gradient that the indices name; 0 for the padding."""
    rows = embedding(grad, indices, padding_idx, False, False)
    return rows if padding_idx < 0 else rows * (indices != padding_idx)[..., None]
