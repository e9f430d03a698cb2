"""Samples, channels or vectors brought to one size."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.c_code import type_name
from minigrad.ops import normalization, pointwise, shape
from minigrad.ops.calls import asking, kernel
from minigrad.ops.check import check, require
from minigrad.ops.out import written_to
from minigrad.ops.signatures import is_int
from minigrad.outside import warn
from minigrad.tensor import Tensor


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
    return (result if weight is None else result * weight).type_as(input).contiguous()


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


def check_affine(
    input: Tensor, shape: tuple[int, ...], weight: Tensor | None, bias: Tensor | None
) -> None:
    """Refuse arguments of `layer_norm` that do not fit, with PyTorch's texts."""
    check_one_dtype(input, weight, bias)
    check_samples(input, shape, {"weight": weight, "bias": bias})


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


@asking
def normalize(
    input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12, out: Tensor | None = None
) -> Any:
    """Divide by the p-norm along a dimension, or by `eps` where that is larger."""
    lengths = input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)
    if out is None:
        return input / lengths
    return written_to("div", out, lambda: input / lengths, (input, lengths))
