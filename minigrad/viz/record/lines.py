"""Which line of the user's program is running."""

import linecache
import os
import sys
from types import FrameType
from typing import Any

from minigrad.viz.read.notes import Line

_LONGEST_LINE = 200
_FUNCTION_FILE = os.path.join("autograd", "function.py")


def running_shell() -> Any:
    """IPython's shell, which runs the cells; None in a program of its own."""
    ipython = sys.modules.get("IPython")
    return None if ipython is None else ipython.get_ipython()


def find_line(frame: FrameType | None, folders: tuple[str, ...]) -> Line | None:
    """The line of the innermost frame whose code is not in ``folders``.

    Of what a custom Function's forward computes, it is the line that applies the Function.
    """
    while frame is not None and (is_within(frame, folders) or _is_applied(frame)):
        frame = frame.f_back
    return None if frame is None else _line(frame.f_code.co_filename, frame.f_lineno)


def is_within(frame: FrameType, folders: tuple[str, ...]) -> bool:
    """Whether the code that runs in ``frame`` comes from one of ``folders``."""
    return frame.f_code.co_filename.startswith(folders)


def _is_applied(frame: FrameType) -> bool:
    caller = frame.f_back
    return caller is not None and caller.f_code.co_filename.endswith(_FUNCTION_FILE)


def _line(filename: str, number: int) -> Line:
    text = linecache.getline(filename, number).strip()
    return Line(_where(filename), number, text[:_LONGEST_LINE])


def _where(filename: str) -> str:
    """``In[3]`` for a notebook's cell, and for a file its name, without the folders."""
    shell = running_shell()
    if shell is not None:
        named = shell.compile.format_code_name(filename)
        if named is not None:
            return str(named[1])
    return filename if filename.startswith("<") else os.path.basename(filename)
