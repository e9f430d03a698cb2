"""Which tensors lie in the same memory."""

from collections.abc import Mapping
from typing import TypeVar

from minigrad.viz.read.protocol import TensorLike

Key = TypeVar("Key")


def sharing(tensors: Mapping[Key, TensorLike]) -> dict[Key, list[Key]]:
    """For each tensor those of the others that its memory overlaps with."""
    spans = {key: span for key, tensor in tensors.items() if (span := _span(tensor)) is not None}
    found: dict[Key, list[Key]] = {key: [] for key in tensors}
    before: list[Key] = []
    for key in sorted(spans, key=spans.__getitem__):
        before = [other for other in before if spans[other][1] > spans[key][0]]
        for other in before:
            found[other].append(key)
            found[key].append(other)
        before.append(key)
    order = {key: place for place, key in enumerate(tensors)}
    return {key: sorted(others, key=order.__getitem__) for key, others in found.items()}


def _span(tensor: TensorLike) -> tuple[int, int] | None:
    """Where the tensor's elements begin and end; None where the engine does not say."""
    try:
        start = tensor.data_ptr()  # type: ignore[attr-defined]
        strides = tensor.stride()  # type: ignore[attr-defined]
        size = tensor.itemsize  # type: ignore[attr-defined]
    except (AttributeError, RuntimeError, NotImplementedError):  # no memory, as on meta
        return None
    if not start or 0 in tensor.shape:
        return None
    ends = (stride * (length - 1) for stride, length in zip(strides, tensor.shape, strict=True))
    return start, start + (1 + sum(ends)) * size
