"""What can be asked of tensors: result_type, is_nonzero and their like."""

from __future__ import annotations

from typing import Any

import numpy as np

from minigrad import dtypes
from minigrad.device import check_device, device
from minigrad.layout import check_format
from minigrad.ops.check import check
from minigrad.ops.promotion import OPERANDS, array_of
from minigrad.ops.registry import public
from minigrad.outside import warn
from minigrad.tensor import Tensor

public("can_cast", "function")(dtypes.can_cast)
public("promote_types", "function")(dtypes.promote_types)


@public("result_type", "function")
def result_type(tensor1: Any, tensor2: Any) -> dtypes.dtype:
    """Return the dtype that the result of an operation on two tensors or numbers has."""
    text = "result_type() takes tensors and numbers, not {}"
    for one in (tensor1, tensor2):
        check(isinstance(one, (*OPERANDS, np.ndarray)), text, type(one).__name__, error=TypeError)
    return dtypes.common(array_of(tensor1), array_of(tensor2))


@public("is_floating_point", "function")
def is_floating_point(input: Tensor) -> bool:
    """Return whether the elements are floating point numbers."""
    return input.is_floating_point()


@public("is_complex", "function")
def is_complex(input: Tensor) -> bool:
    """Return False: minigrad has no complex numbers."""
    return input.is_complex()


@public("is_nonzero")
def is_nonzero(input: Tensor) -> bool:
    """Return whether the only element is not zero; raises RuntimeError if there are others."""
    return bool(input)


@public("is_signed")
def is_signed(input: Tensor) -> bool:
    """Return whether the elements can be negative."""
    return bool(input.dtype.is_signed)


@public("is_inference", "function")
def is_inference(input: Tensor) -> bool:
    """Return whether a tensor was made in `inference_mode`."""
    return input.is_inference()


@public("is_same_size")
def is_same_size(input: Tensor, other: Tensor) -> bool:
    """Return whether two tensors have the same shape."""
    return bool(input.shape == other.shape)


@public("cpu", "method")
def cpu(input: Tensor, *, memory_format: Any = None) -> Tensor:
    """Return the tensor itself: it is in the memory of the cpu, however it lies there."""
    if memory_format is not None:
        check_format(memory_format)
    return input


@public("cuda", "method")
def cuda(
    input: Tensor, device: Any = None, non_blocking: bool = False, memory_format: Any = None
) -> Tensor:
    """Copy the tensor to a graphics processor.

    Raises:
        AssertionError: with PyTorch's text, as minigrad computes on the cpu.
        RuntimeError: for another device.
    """
    check_device("cuda" if device is None else device)
    raise RuntimeError("Invalid device, must be cuda device")


@public("is_conj")
def is_conj(input: Tensor) -> bool:
    """Return False: no tensor waits to be conjugated."""
    return False


@public("is_neg")
def is_neg(input: Tensor) -> bool:
    """Return False: no tensor waits to be negated."""
    return False


@public("is_pinned", "method")
def is_pinned(input: Tensor, device: Any = None) -> bool:
    """Return False: no memory is pinned. To name a device is deprecated."""
    if device is not None:
        of_accelerator("is_pinned", device)
    return False


@public("pin_memory", "method")
def pin_memory(input: Tensor, device: Any = None) -> Tensor:
    """Raise RuntimeError, with PyTorch's text: there is no accelerator to copy from memory."""
    if device is not None:
        given = of_accelerator("pin_memory", device)
        of_accelerator("is_pinned", given)
        check(given.type == "cuda", "{} device type not an accelerator.", given.type.upper())
    raise RuntimeError("Cannot access accelerator device when none is available.")


def of_accelerator(name: str, given: Any) -> device:
    """Return the device whose memory is asked for, with a DeprecationWarning that one is named."""
    asked = device(given)
    warn(
        f"The argument 'device' of Tensor.{name}() is deprecated. Please do not pass this "
        "argument.",
        DeprecationWarning,
    )
    return asked


@public("is_shared", "method")
def is_shared(input: Tensor) -> bool:
    """Return False: memory is that of one process."""
    return False


@public("const_data_ptr", "method")
def const_data_ptr(input: Tensor) -> int:
    """Return the address of the first element."""
    return input.data_ptr()


@public("dim_order", "method")
def dim_order(input: Tensor) -> tuple[int, ...]:
    """Return the dimensions in the order in which they lie in memory, the outermost first."""
    steps = input.stride()
    return tuple(sorted(range(input.ndim), key=lambda dim: -steps[dim]))


@public("get_device")
def get_device(input: Tensor) -> int:
    """Return -1: the tensor is on the cpu."""
    return -1


@public("detach", "function")
def detach(input: Tensor) -> Tensor:
    """Return a tensor of the same memory that is cut off from the graph."""
    return input.detach()
