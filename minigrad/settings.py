"""What programs set before they begin, and minigrad has no choice about.

What is set is kept, to be asked for; it changes nothing.
"""

from __future__ import annotations

import os
from typing import Any

from minigrad.outside import warn

PRECISIONS = ("highest", "high", "medium")
_set: dict[str, Any] = {
    "threads": os.cpu_count() or 1,
    "deterministic": False,
    "warn_only": False,
    "precision": "highest",
}


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Ask for results that are the same every time: minigrad's always are.

    Raises:
        TypeError: if `mode` is no bool.

    >>> import minigrad as torch
    >>> torch.use_deterministic_algorithms(True)
    >>> torch.are_deterministic_algorithms_enabled()
    True
    """
    if not isinstance(mode, bool):
        raise TypeError(
            "_set_deterministic_algorithms(): argument 'mode' (position 1) must be bool, not "
            f"{type(mode).__name__}"
        )
    _set.update(deterministic=mode, warn_only=warn_only)


def are_deterministic_algorithms_enabled() -> bool:
    """Return what `use_deterministic_algorithms` was given last."""
    return bool(_set["deterministic"])


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Return whether only a warning was asked for where results could differ."""
    return bool(_set["warn_only"])


def set_num_threads(threads: int) -> None:
    """Say how many threads an operation may take.

    numpy's products of matrices take as many as OMP_NUM_THREADS said when it was imported, and
    everything else takes one.

    Raises:
        RuntimeError: if `threads` is no positive integer.
    """
    if not isinstance(threads, int) or isinstance(threads, bool):
        raise RuntimeError(f"set_num_threads expects an int, but got {type(threads).__name__}")
    if threads < 1:
        raise RuntimeError("set_num_threads expects a positive integer")
    _set["threads"] = threads


def get_num_threads() -> int:
    """Return what `set_num_threads` was given last; at first the number of processors."""
    return int(_set["threads"])


def set_float32_matmul_precision(precision: str) -> None:
    """Say how exact products of float32 matrices have to be: numpy's are always the "highest".

    Anything but "highest", "high" and "medium" has no effect but a warning.
    """
    if precision in PRECISIONS:
        _set["precision"] = precision
    else:
        warn(
            f"{precision} is not one of 'highest', 'high', or 'medium'; the current"
            "setFloat32MatmulPrecision call has no effect."
        )


def get_float32_matmul_precision() -> str:
    """Return what `set_float32_matmul_precision` was given last; "highest" before."""
    return str(_set["precision"])
