"""The text of a tensor, as PyTorch prints it: one format for all elements, brackets, suffixes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minigrad import dtypes

PROFILES = {
    "default": dict(precision=4, threshold=1000, edgeitems=3, linewidth=80, sci_mode=None),
    "short": dict(precision=2, threshold=1000, edgeitems=2, linewidth=80, sci_mode=None),
    "full": dict(precision=4, threshold=math.inf, edgeitems=3, linewidth=80, sci_mode=None),
}
options: dict[str, Any] = dict(PROFILES["default"])


def set_printoptions(
    profile: str | None = None, sci_mode: bool | None = None, **given: Any
) -> None:
    """Set precision, threshold, edgeitems, linewidth, or all by a profile."""
    options.update(PROFILES[profile] if profile else {})
    options.update({k: v for k, v in given.items() if v is not None}, sci_mode=sci_mode)


def tensor_text(tensor: Any) -> str:
    array, suffixes, unsaid = tensor._array, [], [dtypes.default]
    if array.size == 0:
        if array.ndim != 1:
            suffixes.append(f"size={array.shape}")
    else:
        unsaid += [np.dtype("i8"), np.dtype("?")]
    if array.dtype not in unsaid:
        suffixes.append(f"dtype={tensor.dtype}")
    if (name := grad_fn_name(tensor)) is not None:
        suffixes.append(f"grad_fn=<{name}>")
    elif tensor.requires_grad:
        suffixes.append("requires_grad=True")
    text = "tensor(" + elements_text(array, len("tensor("))
    # PyTorch counts two characters more than there are until the first suffix has started a line.
    used = len(text) - (text.rfind("\n") + 1) + 2
    for suffix in suffixes:
        used += 2 + len(suffix)
        if used > options["linewidth"]:
            text, used = f"{text},\n{' ' * 7}{suffix}", 7 + len(suffix)
        else:
            text += ", " + suffix
    return text + ")"


def grad_fn_name(tensor: Any) -> str | None:
    try:
        node = tensor.grad_fn
    except RuntimeError:  # a view made under no_grad, whose base was changed
        return "Invalid"
    return None if node is None else type(node).__name__


def elements_text(array: np.ndarray, indent: int) -> str:
    """The bracketed elements; an ellipsis stands for the middle of a large tensor."""
    if array.size == 0:
        return "[]"
    edge, cut = options["edgeitems"], [False] * array.ndim
    if array.size > options["threshold"]:
        cut = [size > 2 * edge for size in array.shape]
    for axis in range(array.ndim):
        if cut[axis]:
            array = array.take([*range(edge), *range(-edge, 0)], axis)
    numbers = array.ravel().tolist()
    form: Callable[[Any], str] = str
    deciding = numbers
    if array.dtype.kind == "f":
        deciding = [x for x in numbers if x != 0 and math.isfinite(x)]
        form = float_format(deciding)
    width = max((len(form(x)) for x in deciding), default=1)
    return bracketed([form(x).rjust(width) for x in numbers], width, array.shape, cut, indent)


def float_format(numbers: list[float]) -> Callable[[float], str]:
    """One format for floats of which these are the finite ones other than zero."""
    precision, scientific = options["precision"], False
    if numbers:
        largest, smallest = max(map(abs, numbers)), min(map(abs, numbers))
        scientific = options["sci_mode"]
        if scientific is None:
            scientific = largest / smallest > 1000 or largest > 1e8 or smallest < 1e-4
    if scientific:
        return lambda x: f"{x:.{precision}e}"
    if all(x.is_integer() for x in numbers):
        return lambda x: f"{x:.0f}." if math.isfinite(x) else str(x)
    return lambda x: f"{x:.{precision}f}"


def bracketed(
    texts: list[str], width: int, shape: Sequence[int], cut: list[bool], indent: int
) -> str:
    """Join the texts dimension by dimension, beginning with the last."""
    dims = len(shape)
    if dims == 0:
        return texts[0]
    per_line = max(1, (options["linewidth"] - (indent + dims - 1)) // (width + 2))
    for axis in reversed(range(dims)):
        size, last = shape[axis], axis == dims - 1
        rows = [texts[start : start + size] for start in range(0, len(texts), size)]
        for row in rows:
            if cut[axis]:
                row.insert(size // 2, " ..." if last else "...")
            if last:
                row[:] = [", ".join(row[i : i + per_line]) for i in range(0, len(row), per_line)]
        separator = "," + "\n" * max(1, dims - 1 - axis) + " " * (indent + axis + 1)
        texts = ["[" + separator.join(row) + "]" for row in rows]
    return texts[0]
