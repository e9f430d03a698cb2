"""Which functions and classes of the user's own a file may name, and how all others are refused.

PyTorch has them in the namespace ``torch.serialization``.
Source: https://docs.pytorch.org/docs/stable/notes/serialization.html#weights-only
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Sequence
from typing import Any

UNSAFE = (
    "In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` "
    "from `False` to `True`. Re-running `torch.load` with `weights_only` set to `False` will "
    "likely succeed, but it can result in arbitrary code execution. Do it only if you got the file "
    "from a trusted source."
)
TWO_OPTIONS = (
    "Weights only load failed. This file can still be loaded, to do so you have two options, "
    "\033[1mdo those steps only if you trust the source of the checkpoint\033[0m. \n"
    f"\t(1) {UNSAFE}\n"
    "\t(2) Alternatively, to load with `weights_only=True` please check the recommended steps in "
    "the following error message.\n"
    "\tWeightsUnpickler error: {}"
)
PLEASE_REPORT = (
    f"Weights only load failed. {UNSAFE}\n"
    "Please file an issue with the following so that we can make `weights_only=True` compatible "
    "with your use case: WeightsUnpickler error: \n\n{}"
)
BLOCKED = f"Weights only load failed. {UNSAFE}\n\n\n{{}}"
DOCUMENTED = (
    "\n\nCheck the documentation of torch.load to learn more about types accepted by default with "
    "weights_only https://pytorch.org/docs/stable/generated/torch.load.html."
)
UNSUPPORTED = (
    "Unsupported global: GLOBAL {0} was not an allowed global by default. Please use "
    "`torch.serialization.add_safe_globals([{0}])` or the "
    "`torch.serialization.safe_globals([{0}])` context manager to allowlist this global if you "
    "trust this class/function."
)
# Modules that no file may name, whatever the user says.
NEVER = {"sys", "os", "posix", "nt"}
_safe: set[Any] = set()


def add_safe_globals(safe_globals: Sequence[Any]) -> None:
    """Let files that are loaded with `weights_only` name these classes and functions.

    Files may then call them, and set the state of instances of these classes. Each may be a pair
    with the name that it has in files.

    >>> import io
    >>> from fractions import Fraction
    >>> import minigrad as torch
    >>> file = io.BytesIO()
    >>> torch.save(Fraction(1, 3), file)
    >>> with torch.serialization.safe_globals([Fraction]):
    ...     torch.load(io.BytesIO(file.getvalue()))
    Fraction(1, 3)
    """
    _safe.update(safe_globals)


def get_safe_globals() -> list[Any]:
    """Return what `add_safe_globals` was given."""
    return list(_safe)


def clear_safe_globals() -> None:
    """Let files name none of these any more."""
    _safe.clear()


class safe_globals:
    """Let files name some classes and functions inside a ``with`` block."""

    __module__ = "torch.serialization"

    def __init__(self, safe_globals: Sequence[Any]) -> None:
        self.safe_globals = safe_globals

    def __enter__(self) -> None:
        add_safe_globals(self.safe_globals)

    def __exit__(self, *exception: object) -> None:
        _safe.difference_update(self.safe_globals)


def by_name() -> dict[str, Any]:
    """Return what is safe by the name that it has in files.

    Raises:
        ValueError, TypeError: if something that was added is a tuple, but no pair with a name.
    """
    named = {}
    for one in _safe:
        if not isinstance(one, tuple):
            named[f"{one.__module__}.{one.__qualname__}"] = one
            continue
        if len(one) != 2:
            raise ValueError(
                "Expected tuple of length 2 (global, str of callable full path), but got tuple of "
                f"length: {len(one)}"
            )
        if type(one[1]) is not str:
            raise TypeError(
                "Expected second item in tuple to be str of callable full path, but got: "
                f"{type(one[1])}"
            )
        named[one[1]] = one[0]
    return named


def refuse_unless(holds: bool, text: str) -> None:
    """Raise UnpicklingError, with what was wrong and what can be done, unless something holds."""
    if not holds:
        reason = PLEASE_REPORT
        if "was not an allowed global by default." in text:
            reason = TWO_OPTIONS
        elif re.search(r"whose module \S+ is blocked", text):
            reason = BLOCKED
        raise pickle.UnpicklingError(reason.format(text) + DOCUMENTED)
