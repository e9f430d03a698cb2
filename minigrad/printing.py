"""The text of a tensor, as PyTorch prints it: one format for all elements, brackets, suffixes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minigrad import dtypes

PROFILES: dict[str, dict[str, Any]] = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": math.inf, "edgeitems": 3, "linewidth": 80},
}
options: dict[str, Any] = dict(PROFILES["default"], sci_mode=None)


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Set how tensors are printed.

    Args:
        precision: digits after the point (4 at first).
        threshold: a tensor with more elements is summarized (1000).
        edgeitems: elements that a summary shows at each end of a dimension (3).
        linewidth: characters in a line (80).
        profile: "default", "short" or "full" sets the four options above together.
        sci_mode: True for the scientific form, False for the plain one. By default, the values
            decide.
    """
    options.update(PROFILES[profile] if profile else {}, sci_mode=sci_mode)
    named = zip(PROFILES["default"], (precision, threshold, edgeitems, linewidth), strict=True)
    options.update({name: value for name, value in named if value is not None})


def tensor_text(tensor: Any) -> str:
    """The `repr` of a tensor: its elements, and what they don't show of size, dtype and graph."""
    array, suffixes, evident = tensor._array, [], [dtypes.default]
    if array.size:
        evident += [dtypes.int64.numpy, dtypes.bool_.numpy]
    elif array.ndim != 1:
        suffixes.append(f"size={array.shape}")
    if array.dtype not in evident:
        suffixes.append(f"dtype={tensor.dtype}")
    if (name := grad_fn_name(tensor)) is not None:
        suffixes.append(f"grad_fn=<{name}>")
    elif tensor.requires_grad:
        suffixes.append("requires_grad=True")
    text = "tensor(" + elements_text(array, len("tensor("))
    # PyTorch counts two characters more than there are until a suffix has started a line.
    used = len(text) - (text.rfind("\n") + 1) + 2
    for suffix in suffixes:
        used += len(", ") + len(suffix)
        if used > options["linewidth"]:
            text, used = f"{text},\n{' ' * len('tensor(')}{suffix}", len("tensor(") + len(suffix)
        else:
            text += ", " + suffix
    return text + ")"


def grad_fn_name(tensor: Any) -> str | None:
    try:
        node = tensor.grad_fn
    except RuntimeError:  # a view made under no_grad whose base has been changed since
        return "Invalid"
    return None if node is None else type(node).__name__


def elements_text(array: np.ndarray[Any, Any], indent: int) -> str:
    """The elements in brackets; an ellipsis replaces the middle of a large array."""
    if array.size == 0:
        return "[]"
    edge, is_large = options["edgeitems"], array.size > options["threshold"]
    cut = [is_large and size > 2 * edge for size in array.shape]
    for axis in range(array.ndim):
        if cut[axis]:
            array = array.take([*range(edge), *range(-edge, 0)], axis)
    values = array.ravel().tolist()
    form: Callable[[Any], str] = str
    deciding = values
    if array.dtype.kind == "f":
        deciding = [x for x in values if x != 0 and math.isfinite(x)]
        form = float_format(deciding)
    width = max((len(form(x)) for x in deciding), default=1)
    return bracketed([form(x).rjust(width) for x in values], width, array.shape, cut, indent)


def float_format(values: list[float]) -> Callable[[float], str]:
    """The one format for a tensor in which these values are neither zero, infinite nor NaN."""
    precision, scientific = options["precision"], options["sci_mode"]
    if scientific is None and values:
        largest, smallest = max(map(abs, values)), min(map(abs, values))
        scientific = largest / smallest > 1000 or largest > 1e8 or smallest < 1e-4
    if scientific and values:
        return lambda x: f"{x:.{precision}e}"
    if all(x.is_integer() for x in values):
        return lambda x: f"{x:.0f}." if math.isfinite(x) else str(x)
    return lambda x: f"{x:.{precision}f}"


def bracketed(
    texts: list[str], width: int, shape: Sequence[int], cut: list[bool], indent: int
) -> str:
    """Join the texts of the elements dimension by dimension, the last dimension first."""
    dims = len(shape)
    per_line = max(1, (options["linewidth"] - (indent + dims - 1)) // (width + 2))
    for axis in reversed(range(dims)):
        size, is_last = shape[axis], axis == dims - 1
        rows = [texts[start : start + size] for start in range(0, len(texts), size)]
        for row in rows:
            if cut[axis]:
                row.insert(size // 2, " ..." if is_last else "...")
            if is_last:
                row[:] = [", ".join(row[i : i + per_line]) for i in range(0, len(row), per_line)]
        separator = "," + "\n" * max(1, dims - 1 - axis) + " " * (indent + axis + 1)
        texts = ["[" + separator.join(row) + "]" for row in rows]
    return texts[0]
