"""Which frames are minigrad's own, and how a warning names the line of the program around them.

What the warnings say is with what warns.
"""

from __future__ import annotations

import os
import sys
import types
import warnings

PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
# The file of what is compiled while a program runs, in tracebacks.
COMPILED = "<minigrad>"
_always = False


def is_ours(frame: types.FrameType) -> bool:
    """Return whether a frame runs code of minigrad."""
    file = frame.f_code.co_filename
    return file.startswith(PACKAGE) or file == COMPILED


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn, and name the line of the caller's program, whatever of minigrad lies between.

    >>> import warnings
    >>> import minigrad as torch
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     y = torch.ones(1).std()
    >>> caught[0].filename == torch.std.__code__.co_filename
    False
    """
    frame: types.FrameType | None = sys._getframe(1)
    level = 2
    while frame is not None and is_ours(frame):
        frame = frame.f_back
        level += 1
    warnings.warn(message, category, stacklevel=level)


def set_warn_always(b: bool) -> None:
    """Say whether PyTorch shall give each warning each time; minigrad always does.

    Raises:
        RuntimeError: if it is no bool.
    """
    global _always
    if not isinstance(b, bool):
        raise RuntimeError(f"setWarnOnlyOnce expects a bool, but got {type(b).__name__}")
    _always = b


def is_warn_always_enabled() -> bool:
    """Return what `set_warn_always` has said last; False before."""
    return _always
