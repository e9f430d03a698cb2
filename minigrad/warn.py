"""Warnings that point at the line of the user's program, as PyTorch's do."""

from __future__ import annotations

import os
import sys
import warnings
from types import FrameType

PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
warned: set[str] = set()  # what `warn_once` has said


def user_frame() -> FrameType | None:
    """The frame of the program that called into minigrad; None if there is no such frame."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    return frame


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the user's line, however many calls within minigrad lie between."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def warn_once(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn the first time only, where PyTorch warns once per process."""
    if message not in warned:
        warned.add(message)
        warn(message, category)
