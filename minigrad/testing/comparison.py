"""Comparing results in tests: `assert_close`, with PyTorch's tolerances and texts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np

from minigrad import dtypes
from minigrad.autograd.node import Array
from minigrad.creation import as_tensor, tensor
from minigrad.ops.pointwise import isclose
from minigrad.outside import warn
from minigrad.tensor import Tensor, from_array

Path = tuple[Any, ...]  # the indices and keys that lead to an item of nested containers
PYTHON_DTYPES: dict[type, dtypes.dtype] = {
    bool: dtypes.bool_,
    int: dtypes.int64,
    float: dtypes.float64,
}
TOLERANCES = {
    dtypes.float16: (1e-3, 1e-5),
    dtypes.float32: (1.3e-6, 1e-5),
    dtypes.float64: (1e-7, 1e-7),
}
FORMER_TOLERANCES = {
    dtypes.float16: (1e-3, 1e-3),
    dtypes.float32: (1e-4, 1e-5),
    dtypes.float64: (1e-5, 1e-8),
}
DEPRECATED = (
    "`torch.testing.assert_allclose()` is deprecated since 1.12 and will be removed in a future "
    "release. Please use `torch.testing.assert_close()` instead. You can find detailed upgrade "
    "instructions in https://github.com/pytorch/pytorch/issues/61844."
)


class Options(NamedTuple):
    """How to compare, as the user asked for it."""

    allow_subclasses: bool
    rtol: float | None
    atol: float | None
    equal_nan: bool
    check_dtype: bool
    check_stride: bool
    msg: str | Callable[[str], str] | None

    def fail(self, text: str, path: Path, error: type[Exception] = AssertionError) -> NoReturn:
        """Raise what is to be told, and where in nested containers it was found."""
        if path:
            text += f"\n\nThe failure occurred for item {''.join(f'[{key!r}]' for key in path)}"
        if self.msg is not None and error is AssertionError:
            text = self.msg(text) if callable(self.msg) else self.msg
        raise error(text)

    def tolerances(self, *dtypes: dtypes.dtype) -> tuple[float, float]:
        """Return how far values may differ, relatively and absolutely: what the worse dtype may."""
        if self.rtol is not None and self.atol is not None:
            return self.rtol, self.atol
        return loosest(TOLERANCES, *dtypes)


def loosest(
    table: Mapping[dtypes.dtype, tuple[float, float]], *dtypes: dtypes.dtype
) -> tuple[float, float]:
    """Return the largest tolerances that a table has for these dtypes; others have none."""
    relative, absolute = zip(*[table.get(one, (0.0, 0.0)) for one in dtypes], strict=True)
    return max(relative), max(absolute)


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: str | Callable[[str], str] | None = None,
) -> None:
    """Assert that ``|actual - expected| <= atol + rtol * |expected|`` holds everywhere.

    Tensors, arrays and numbers are compared, and sequences and mappings of them, nested as one
    likes. Shapes and dtypes have to be equal too. By default the tolerances are those of the
    dtype; integers and booleans have to be equal.

    Args:
        rtol: how far they may differ relatively; if given, `atol` has to be as well.
        atol: how far they may differ absolutely.
        equal_nan: whether NaN equals NaN.
        msg: what to say instead, or a function that makes it of what would be said.

    Raises:
        AssertionError: if they are not close; it says how many are not, and where they differ most.
        TypeError: if they are not of kinds that can be compared with each other.
        ValueError: if just one of the tolerances is given.

    Source: https://docs.pytorch.org/docs/stable/testing.html#torch.testing.assert_close

    >>> import minigrad as torch
    >>> torch.testing.assert_close(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.0 + 1e-6]))
    >>> torch.testing.assert_close({"loss": [1.0, 2.0]}, {"loss": [1.0, 2.5]})
    Traceback (most recent call last):
        ...
    AssertionError: Scalars are not close!
    <BLANKLINE>
    Expected 2.5 but got 2.0.
    Absolute difference: 0.5 (up to 1e-07 allowed)
    Relative difference: 0.2 (up to 1e-07 allowed)
    <BLANKLINE>
    The failure occurred for item ['loss'][1]
    """
    if (rtol is None) ^ (atol is None):
        raise ValueError(
            "Both 'rtol' and 'atol' must be either specified or omitted, but got no "
            f"{'rtol' if rtol is None else 'atol'}."
        )
    options = Options(allow_subclasses, rtol, atol, equal_nan, check_dtype, check_stride, msg)
    # All pairs are found before the first is compared: what cannot be compared is told first, in
    # PyTorch's own words.
    for compare, *pair in list(pairs(actual, expected, (), options._replace(msg=None))):
        compare(*pair, options)


def assert_allclose(
    actual: Any,
    expected: Any,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = True,
    msg: str = "",
) -> None:
    """Do what `assert_close` does now, of tensors and what they are made of, as it did before 1.12.

    NaN equals NaN, dtypes may differ, and the tolerances are others.

    >>> import minigrad as torch
    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     torch.testing.assert_allclose(torch.tensor([1.0, 2.0]), [1, 2])
    """
    warn(DEPRECATED, FutureWarning)
    if not isinstance(actual, Tensor):
        actual = tensor(actual)
    if not isinstance(expected, Tensor):
        expected = tensor(expected, dtype=actual.dtype)
    if rtol is None and atol is None:
        rtol, atol = loosest(FORMER_TOLERANCES, actual.dtype, expected.dtype)
    assert_close(
        actual,
        expected,
        rtol=rtol,
        atol=atol,
        equal_nan=equal_nan,
        check_dtype=False,
        msg=msg or None,
    )


def pairs(actual: Any, expected: Any, path: Path, options: Options) -> Iterator[tuple[Any, ...]]:
    """Yield what to compare: the function that can, two values, and the path to them."""
    if of_kind(Sequence, actual, expected) and not isinstance(actual, str):
        if len(actual) != len(expected):
            text = f"The length of the sequences mismatch: {len(actual)} != {len(expected)}"
            options.fail(text, path)
        for place in range(len(actual)):
            yield from pairs(actual[place], expected[place], (*path, place), options)
    elif of_kind(Mapping, actual, expected):
        missing, additional = set(expected) - set(actual), set(actual) - set(expected)
        if missing or additional:
            text = (
                "The keys of the mappings do not match:\n"
                f"Missing keys in the actual mapping: {sorted(missing)}\n"
                f"Additional keys in the actual mapping: {sorted(additional)}"
            )
            options.fail(text, path)
        for key in in_order(actual):
            yield from pairs(actual[key], expected[key], (*path, key), options)
    elif actual is None or expected is None or of_kind((bool, np.bool_), actual, expected):
        yield compare_identical, actual, expected, path
    elif of_kind((int, float, np.number), actual, expected):
        numbers = [one.item() if isinstance(one, np.number) else one for one in (actual, expected)]
        yield compare_numbers, *numbers, path
    else:
        yield compare_tensors, *as_tensors(actual, expected, path, options), path


def of_kind(kind: Any, actual: Any, expected: Any) -> bool:
    """Return whether both are instances of a class."""
    return isinstance(actual, kind) and isinstance(expected, kind)


def in_order(keys: Mapping[Any, Any]) -> list[Any]:
    """Return keys sorted, if they can be."""
    try:
        return sorted(keys)
    except TypeError:
        return list(keys)


def as_tensors(actual: Any, expected: Any, path: Path, options: Options) -> list[Tensor]:
    """Return both as tensors; raise TypeError if they are not of kinds that can be compared."""
    related = of_kind(type(expected), actual, expected) or of_kind(type(actual), actual, expected)
    alike = type(actual) is type(expected) or options.allow_subclasses
    if not (related and alike and isinstance(actual, (Tensor, np.ndarray))):
        text = "No comparison pair was able to handle inputs of type {} and {}."
        options.fail(text.format(type(actual), type(expected)), path, TypeError)
    return [as_tensor(actual).detach(), as_tensor(expected).detach()]


def compare_identical(actual: Any, expected: Any, path: Path, options: Options) -> None:
    """Compare two booleans, or None with whatever else."""
    kind = "None" if actual is None or expected is None else "Booleans"
    if not (actual is expected or (kind == "Booleans" and bool(actual) is bool(expected))):
        options.fail(f"{kind} mismatch: {actual} is not {expected}", path)


def compare_numbers(actual: Any, expected: Any, path: Path, options: Options) -> None:
    """Compare two Python numbers."""
    if options.check_dtype and type(actual) is not type(expected):
        text = f"The (d)types do not match: {type(actual)} != {type(expected)}."
        options.fail(text, path)
    rtol, atol = options.tolerances(PYTHON_DTYPES[type(actual)], PYTHON_DTYPES[type(expected)])
    if not (
        actual == expected
        or (options.equal_nan and math.isnan(actual) and math.isnan(expected))
        or (math.isfinite(expected) and abs(actual - expected) <= atol + rtol * abs(expected))
    ):
        options.fail(number_mismatch(actual, expected, rtol, atol), path)


def compare_tensors(actual: Tensor, expected: Tensor, path: Path, options: Options) -> None:
    """Compare shapes and dtypes of two tensors, then their elements."""
    asked = {"shape": True, "stride()": options.check_stride, "dtype": options.check_dtype}
    for name in [name for name, is_asked in asked.items() if is_asked]:
        values = [
            one.stride() if name == "stride()" else getattr(one, name) for one in (actual, expected)
        ]
        if values[0] != values[1]:
            text = f"The values for attribute '{name}' do not match: {values[0]} != {values[1]}."
            options.fail(text, path)
    rtol, atol = options.tolerances(actual.dtype, expected.dtype)
    dtype = dtypes.promote_types(actual.dtype, expected.dtype)
    if not dtype.is_floating_point:
        dtype = dtypes.int64
    arrays = [one._array.astype(dtype.numpy_dtype) for one in (actual, expected)]
    close = isclose(*map(from_array, arrays), rtol, atol, options.equal_nan)._array
    if close.all():
        return
    if actual.ndim == 0:
        options.fail(number_mismatch(actual.item(), expected.item(), rtol, atol), path)
    options.fail(tensor_mismatch(arrays[0], arrays[1], close, rtol, atol), path)


def number_mismatch(actual: Any, expected: Any, rtol: float, atol: float) -> str:
    """Say by how much two numbers differ."""
    difference = abs(actual - expected)
    relative = difference / abs(expected) if expected else math.inf
    return (
        f"Scalars are not {manner(rtol, atol)}!\n\n"
        f"Expected {expected} but got {actual}.\n"
        f"Absolute difference: {difference}{allowed(atol, rtol)}\n"
        f"Relative difference: {relative}{allowed(rtol, atol)}"
    )


def tensor_mismatch(actual: Array, expected: Array, close: Array, rtol: float, atol: float) -> str:
    """Say how many elements are not close, and which differ most."""
    with np.errstate(all="ignore"):
        difference = np.where(close, 0, np.abs(actual - expected)).astype(actual.dtype)
        dtype = np.float32 if actual.dtype.kind == "i" else actual.dtype
        relative = difference.astype(dtype) / np.abs(expected).astype(dtype)
    relative[close] = 0
    wrong = close.size - np.count_nonzero(close)
    text = (
        f"Tensor-likes are not {manner(rtol, atol)}!\n\n"
        f"Mismatched elements: {wrong} / {close.size} ({wrong / close.size:.1%})"
    )
    for kind, values, own, other in (
        ("absolute", difference, atol, rtol),
        ("relative", relative, rtol, atol),
    ):
        place = np.unravel_index(values.argmax(), values.shape)
        index = tuple(map(int, place))
        text += f"\nGreatest {kind} difference: {values[place].item()} at index {index}"
        text += allowed(own, other)
    return text


def manner(rtol: float, atol: float) -> str:
    """Return what is asked for."""
    return "close" if rtol or atol else "equal"


def allowed(own: float, other: float) -> str:
    """Return what is said of a tolerance; nothing if there is none of either kind."""
    return f" (up to {own} allowed)" if own or other else ""
