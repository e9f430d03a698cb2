"""The text of a tensor, character for character as PyTorch 2.13 prints it.

One path leads from numbers to text: choose the elements that are shown, choose one format for all
of them, bracket the formatted elements from the last dimension outwards, append the suffixes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from minigrad import dtypes

if TYPE_CHECKING:
    import numpy.typing as npt


class Printable(Protocol):
    """What is printed of a tensor; Tensor, which prints itself with this module, offers it."""

    @property
    def _array(self) -> npt.NDArray[Any]: ...

    @property
    def dtype(self) -> dtypes.dtype: ...

    @property
    def requires_grad(self) -> bool: ...

    @property
    def grad_fn(self) -> Any: ...


class _Options(NamedTuple):
    """What `set_printoptions` sets."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


_PROFILES = {
    "default": _Options(),
    "short": _Options(precision=2, edgeitems=2),
    "full": _Options(threshold=math.inf),
}
_options = _PROFILES["default"]


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Set how tensors are printed.

    What is not given stays as it is, except that `sci_mode` becomes None again.

    Args:
        precision: digits after the decimal point (at first 4).
        threshold: tensors of more elements than this are printed in summary (1000).
        edgeitems: elements shown in a summary at either end of each dimension (3).
        linewidth: characters after which a line is wrapped (80).
        profile: "default", "short" (2 digits, 2 edge items) or "full" (no summaries); the other
            arguments are applied on top of it.
        sci_mode: whether to print in scientific notation; None decides by the numbers.

    Raises:
        TypeError: if a number is not a number, or not an integer where it must be one.
        ValueError: if `precision` or `edgeitems` is negative, or the profile is unknown. PyTorch
            fails later, when it prints, or ignores the profile.

    >>> import minigrad as torch
    >>> torch.set_printoptions(precision=2)
    >>> torch.tensor([1.12345])
    tensor([1.12])
    >>> torch.set_printoptions(profile="default")
    >>> torch.tensor([1.12345])
    tensor([1.1235])
    """
    global _options
    if profile is not None and profile not in _PROFILES:
        raise ValueError(f"profile must be one of {', '.join(_PROFILES)}, but got {profile!r}")
    given = {
        "precision": precision,
        "threshold": threshold,
        "edgeitems": edgeitems,
        "linewidth": linewidth,
    }
    changed: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    for name, value in changed.items():
        _check_option(name, value)
    start = _options if profile is None else _PROFILES[profile]
    _options = start._replace(sci_mode=sci_mode, **changed)


def get_printoptions() -> dict[str, Any]:
    """Return what `set_printoptions` has set, by name."""
    return _options._asdict()


def _check_option(name: str, value: Any) -> None:
    kind, wanted = (Real, "a number") if name == "threshold" else (Integral, "an integer")
    if not isinstance(value, kind):
        raise TypeError(f"{name} must be {wanted}, but got {type(value).__name__}")
    if name in ("precision", "edgeitems") and value < 0:
        raise ValueError(f"{name} must not be negative, but got {value}")


# What parameters have that are neither tensors nor parameters by their class alone.
MARKS = ("_is_param", "_shown_as_parameter")


# Each may give the whole text of a tensor: see `minigrad.func`.
told_otherwise: list[Callable[[Any], str]] = []


def tensor_repr(tensor: Printable, contents: str | None = None) -> str:
    """Return what ``repr`` and ``print`` show of a tensor."""
    for tell in told_otherwise:
        if text := tell(tensor):
            return text
    return own_text(tensor, contents)


def own_text(tensor: Printable, contents: str | None = None) -> str:
    """Return the text of a tensor by itself.

    The dtype is named unless it is the default one, int64 or bool; in an empty tensor, whose
    elements cannot tell, unless it is the default one. A subclass is shown by its own name; it may
    give the text in the place of the elements.

    >>> import minigrad as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> x, x * 0.25
    (tensor([1., 2.], requires_grad=True), tensor([0.2500, 0.5000], grad_fn=<MulBackward0>))
    """
    class_name = type(tensor).__name__
    plain = class_name in ("Tensor", "Parameter")
    prefix = "tensor(" if plain else f"{class_name}("
    suffixes = _suffixes(tensor)
    text = format_tensor(tensor._array, prefix=prefix, suffixes=suffixes, contents=contents)
    flagged = not plain and any(hasattr(tensor, mark) for mark in MARKS)
    return f"Parameter({text})" if flagged else text


# Each says what is kept apart of a tensor, or nothing: see `minigrad.autograd.forward_ad`.
said_besides: list[Callable[[Any], str]] = []


def _suffixes(tensor: Printable) -> list[str]:
    """Return what is said of a tensor after its elements."""
    suffixes = []
    array, unsaid = tensor._array, {dtypes.get_default_dtype()}
    if array.size == 0:
        says_size = array.ndim != 1
    else:
        says_size = _options.edgeitems == 0
        unsaid |= {dtypes.int64, dtypes.bool_}
    if says_size:
        suffixes.append(f"size={tuple(array.shape)}")
    if tensor.dtype not in unsaid:
        suffixes.append(f"dtype={tensor.dtype}")
    node_name = _node_name(tensor)
    if node_name is not None:
        suffixes.append(f"grad_fn=<{node_name}>")
    elif tensor.requires_grad:
        suffixes.append("requires_grad=True")
    return suffixes + [text for say in said_besides if (text := say(tensor))]


def _node_name(tensor: Printable) -> str | None:
    """Return the name of the node as it is printed: of its class."""
    try:
        node = tensor.grad_fn
    except RuntimeError:
        # A view made under no_grad whose base was then changed in place has no valid grad_fn;
        # printing it must work all the same.
        return "Invalid"
    return None if node is None else type(node).__name__


def tensor_format(tensor: Printable, format_spec: str) -> str:
    """Return ``format(tensor, format_spec)``: of a 0-d tensor that of its number.

    Raises:
        TypeError: if there is a `format_spec` and the tensor has dimensions or is of a subclass.
        ValueError: if the number cannot be formatted like that.

    >>> import minigrad as torch
    >>> f"{torch.tensor(0.5):.3f}"
    '0.500'
    """
    if tensor._array.ndim == 0 and type(tensor).__name__ == "Tensor":
        return format(tensor._array.item(), format_spec)
    return object.__format__(tensor, format_spec)


def format_tensor(
    array: npt.NDArray[Any],
    *,
    prefix: str = "tensor(",
    suffixes: Sequence[str] = (),
    contents: str | None = None,
) -> str:
    """Return the text of an array between `prefix` and the suffixes and closing parenthesis.

    Args:
        array: booleans, integers or floating point numbers, of any shape.
        prefix: what stands before the elements; later lines are indented by its length.
        suffixes: such as ``"dtype=torch.float64"``; one that would not fit starts a line.
        contents: the text of the elements, if it is not to be theirs.

    >>> import numpy as np
    >>> format_tensor(np.array([[1.5, -2.0], [0.0, 40.0]]), suffixes=["requires_grad=True"])
    'tensor([[ 1.5000, -2.0000],\\n        [ 0.0000, 40.0000]], requires_grad=True)'
    """
    indent = len(prefix)
    text = prefix + (format_elements(array, indent) if contents is None else contents)
    # PyTorch counts two characters more than there are until the first suffix has started a line.
    used = len(text) - (text.rfind("\n") + 1) + 2
    for suffix in suffixes:
        used += 2 + len(suffix)
        if used > _options.linewidth:
            text += ",\n" + " " * indent + suffix
            used = indent + len(suffix)
        else:
            text += ", " + suffix
    return text + ")"


def format_elements(array: npt.NDArray[Any], indent: int = 0) -> str:
    """Return the bracketed elements of an array; lines after the first are indented by `indent`.

    >>> import numpy as np
    >>> print(format_elements(np.eye(2, dtype=np.float32), indent=2))
    [[1., 0.],
       [0., 1.]]
    """
    if array.size == 0:
        return "[]"
    edge, is_cut = _options.edgeitems, [False] * array.ndim
    if array.size > _options.threshold:
        is_cut = [size > 2 * edge for size in array.shape]
    if any(is_cut) and edge == 0:
        return "[...]"
    for axis in range(array.ndim):
        if is_cut[axis]:
            array = array.take([*range(edge), *range(-edge, 0)], axis)
    texts, width = _format_numbers(array.ravel().tolist(), array.dtype.kind == "f")
    return _bracket(texts, width, array.shape, is_cut, indent)


def _format_numbers(numbers: list[Any], is_floating: bool) -> tuple[list[str], int]:
    """Return the texts of all numbers in one common format, and the width they share."""
    if is_floating:
        deciding = [x for x in numbers if x != 0 and math.isfinite(x)]
        format_number = _float_format(deciding)
    else:
        deciding, format_number = numbers, str
    width = max((len(format_number(x)) for x in deciding), default=1)
    return [format_number(x).rjust(width) for x in numbers], width


def _float_format(numbers: list[float]) -> Callable[[float], str]:
    """Return the format for floats among which these are the finite ones other than zero."""
    precision, is_scientific = _options.precision, False
    if numbers:
        largest, smallest = max(map(abs, numbers)), min(map(abs, numbers))
        is_scientific = (
            largest / smallest > 1000 or largest > 1e8 or smallest < 1e-4
            if _options.sci_mode is None
            else _options.sci_mode
        )
    if is_scientific:
        return lambda x: f"{x:.{precision}e}"
    if all(x.is_integer() for x in numbers):
        return lambda x: f"{x:.0f}." if math.isfinite(x) else str(x)
    return lambda x: f"{x:.{precision}f}"


def _bracket(
    texts: list[str], width: int, shape: tuple[int, ...], is_cut: list[bool], indent: int
) -> str:
    """Join the texts of the elements, dimension by dimension, beginning with the last.

    Args:
        texts: one for each element shown, in row-major order.
        width: how wide an element is taken to be where lines are wrapped.
        shape: of the elements shown.
        is_cut: for each dimension, whether an ellipsis stands between its halves.
        indent: of every line but the first.
    """
    dimensions = len(shape)
    per_line = max(1, (_options.linewidth - (indent + dimensions - 1)) // (width + 2))
    for axis in reversed(range(dimensions)):
        size, is_last = shape[axis], axis == dimensions - 1
        rows = [texts[start : start + size] for start in range(0, len(texts), size)]
        if is_cut[axis]:
            for row in rows:
                row.insert(size // 2, " ..." if is_last else "...")
        if is_last:
            rows = [
                [", ".join(row[i : i + per_line]) for i in range(0, len(row), per_line)]
                for row in rows
            ]
        newlines = "\n" * max(1, dimensions - 1 - axis)
        separator = "," + newlines + " " * (indent + axis + 1)
        texts = ["[" + separator.join(row) + "]" for row in rows]
    return texts[0]
