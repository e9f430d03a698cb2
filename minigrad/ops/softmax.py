"""Softmax, its logarithm, and the logarithm of a sum of exponentials.

Source: https://github.com/pytorch/pytorch/blob/main/tools/autograd/derivatives.yaml
"""

# Formulas refer to operations that are declared below them.
# mypy: disable-error-code="has-type"

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad import dtypes, elementary
from minigrad.autograd.node import Array
from minigrad.ops.check import (
    chosen_dims,
    require,
)
from minigrad.ops.define import define, hidden
from minigrad.ops.half import halved, rounded_once, widened
from minigrad.ops.pointwise import (
    exp,
    to_dtype,
)
from minigrad.ops.registry import public
from minigrad.ops.shape import (
    added,
    axes,
    restored,
    sum_dims,
)
from minigrad.size import checked_dim
from minigrad.summing import in_turn
from minigrad.tensor import Tensor

WIDEST = 64  # bytes, of a register of AVX-512
_max: Any = np.maximum.reduce


def is_last(dim: int, array: Array) -> bool:
    """Return whether a dimension is an array's last one, for which PyTorch has other kernels."""
    return dim % array.ndim == array.ndim - 1


def total_along(exponentials: Array, dim: int) -> Any:
    """Return the sum along a dimension: one by one where all lie within one register."""
    lies_within = exponentials.shape[-1] * exponentials.itemsize < WIDEST
    if lies_within and is_last(dim, exponentials):
        rows = exponentials.reshape(-1, exponentials.shape[-1])
        return in_turn(rows.T).reshape(*exponentials.shape[:-1], 1)
    return np.add.reduce(exponentials, dim, keepdims=True)


def softmax_of(self: Array, dim: int) -> Any:
    """Return the softmax along a dimension; the largest element is taken off first."""
    if not self.size:
        return self.copy()
    if not self.ndim:
        return self - self + 1  # what is not finite gives nan
    if not self.flags.c_contiguous:
        self = self.copy()
    exponentials = elementary.exp(self - _max(self, dim, None, None, True))
    total = total_along(exponentials, dim)
    return exponentials * (1 / total) if is_last(dim, self) else exponentials / total


def log_softmax_of(self: Array, dim: int) -> Any:
    """Return the logarithm of the softmax along a dimension."""
    if not self.size:
        return self.copy()
    if not self.ndim:
        return self - self
    if not self.flags.c_contiguous:
        self = self.copy()
    exact = widened(self)
    shifted = exact - _max(exact, dim, None, None, True)
    total = total_along(elementary.exp(shifted), dim)
    if exact is not self and is_last(dim, self):  # PyTorch keeps these as they are
        return halved(shifted - elementary.log(halved(total)))
    shifted -= elementary.log(total)
    return halved(shifted) if exact is not self else shifted


softmax_along = hidden(
    "SoftmaxBackward0",
    rounded_once(softmax_of),
    self=lambda grad, result, dim: softmax_backward(grad, result, dim),
)
softmax_backward = hidden(
    "SoftmaxBackwardDataBackward0",
    rounded_once(
        lambda grad_output, output, dim: (
            output * (grad_output - np.add.reduce(grad_output * output, dim, keepdims=True))
            if output.ndim
            else output * (grad_output - grad_output * output)
        )
    ),
    grad_output=lambda grad, output, dim: softmax_backward(grad, output, dim),
    output=lambda grad, grad_output, output, dim: (
        grad_output * grad
        - sum_dims(output * grad_output, (dim,), True, None) * grad
        - grad_output * sum_dims(output * grad, (dim,), True, None)
    ),
)
log_softmax_along = hidden(
    "LogSoftmaxBackward0",
    log_softmax_of,
    self=lambda grad, result, dim: log_softmax_backward(grad, result, dim),
)
log_softmax_backward = hidden(
    "LogSoftmaxBackwardDataBackward0",
    rounded_once(
        lambda grad_output, output, dim: (
            grad_output - elementary.exp(output) * np.add.reduce(grad_output, dim, keepdims=True)
            if output.ndim
            else grad_output - elementary.exp(output) * grad_output
        )
    ),
    grad_output=lambda grad, output, dim: grad - sum_dims(grad * exp(output), (dim,), True, None),
    output=lambda grad, grad_output, output, dim: (
        -sum_dims(grad_output, (dim,), True, None) * exp(output) * grad
    ),
)


def prepared(input: Tensor, dim: int, dtype: Any, name: str) -> Tensor:
    """Return a tensor in the dtype asked for.

    Raises:
        IndexError, NotImplementedError: if it has no such dimension, or is not floating point.
    """
    if dtype is not None:
        input = to_dtype(input, dtype)
    last = checked_dim(dim, input._array.ndim) >= input._array.ndim - 1
    if input._array.size:
        require(input._array, "f", f"{name}_{'lastdim_' if last else ''}kernel_impl")
    return input


@public("softmax")
def softmax(input: Tensor, dim: int, dtype: Any = None) -> Any:
    """Return exponentials along a dimension, divided by their sum: positive numbers with sum 1.

    Raises:
        IndexError: if there is no such dimension.
        NotImplementedError: if the dtype is not floating point.

    >>> import minigrad as torch
    >>> torch.softmax(torch.zeros(4), 0)
    tensor([0.2500, 0.2500, 0.2500, 0.2500])
    """
    return softmax_along(prepared(input, dim, dtype, "softmax"), dim)


@public("log_softmax")
def log_softmax(input: Tensor, dim: int, dtype: Any = None) -> Any:
    """Return the logarithm of `softmax`, without its loss of precision; raises as `softmax`."""
    return log_softmax_along(prepared(input, dim, dtype, "log_softmax"), dim)


@define(
    "LogsumexpBackward0",
    self=lambda grad, self, dim, keepdim, result: (
        restored(grad, self.shape, dim, keepdim)
        * exp(self - restored(result, self.shape, dim, keepdim))
    ),
)
def logsumexp(self: Array, dim: Any, keepdim: bool = False) -> Any:
    """Return the logarithm of the sum of exponentials along some dimensions, without overflow.

    Raises:
        IndexError: if there is no such dimension.
    """
    along = axes(self, chosen_dims("logsumexp", dim, self.ndim))
    if self.dtype.kind != "f":
        self = self.astype(dtypes.get_default_dtype().numpy_dtype)
    if not self.size:
        return elementary.log(added(elementary.exp(self), along, keepdim, None))
    largest = _max(self, along, None, None, True)
    largest = np.where(np.isinf(largest), self.dtype.type(0), largest)
    total = elementary.log(added(elementary.exp(self - largest), along, keepdim, None))
    return total + largest.reshape(np.shape(total))
