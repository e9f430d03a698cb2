"""What layers do: a linear map, rows of a matrix, places around elements."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import index as as_index
from typing import Any

import numpy as np

from minigrad.autograd.node import quiet_copy
from minigrad.ops import embedding as lookup
from minigrad.ops import linalg, scattering
from minigrad.ops.calls import kernel, refusing
from minigrad.ops.check import check
from minigrad.ops.promotion import not_a_tensor
from minigrad.tensor import Tensor, from_array


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


@refusing()
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Any:
    """Return ``input1 @ weight[o] @ input2`` for each output, plus the bias; see `torch.bilinear`.

    Raises:
        RuntimeError: if the shapes do not fit, or the dtypes differ.
    """
    return linalg.bilinear(input1, input2, weight, bias)


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
    if not weight.is_inference():  # whose rows may be shortened outside inference mode as well
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
