"""Warnings that point at the line of the user's program, as PyTorch's do."""

from __future__ import annotations

import os
import sys
import warnings
from types import FrameType

PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
warned: set[str] = set()  # what `warn_once` has said


def user_frame() -> tuple[FrameType, int]:
    """The frame of the program that called into minigrad, and its distance from here."""
    frame, distance = sys._getframe(), 0
    while frame.f_back is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame, distance = frame.f_back, distance + 1
    return frame, distance


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the user's line, however many calls within minigrad lie between."""
    warnings.warn(message, category, stacklevel=user_frame()[1])


def warn_once(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn the first time only, where PyTorch warns once per process."""
    if message not in warned:
        warned.add(message)
        warn(message, category)
