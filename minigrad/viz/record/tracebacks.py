"""Tracebacks without the frames that the user didn't write."""

import sys
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

_MOST = 20  # frames: a function that calls itself without end has thousands of the same


def shortened(
    trace: TracebackType | None, is_kept: Callable[[FrameType], bool]
) -> TracebackType | None:
    """The frames of a traceback that are kept, twenty at most; None if there are none."""
    steps = []
    while trace is not None:
        if is_kept(trace.tb_frame):
            steps.append(trace)
        trace = trace.tb_next
    if len(steps) > _MOST:
        steps = steps[: _MOST // 2] + steps[-_MOST // 2 :]
    below = None
    for step in reversed(steps):
        below = TracebackType(below, step.tb_frame, step.tb_lasti, step.tb_lineno)
    return below


def show_shortened(
    shell: Any, error: BaseException, trace: Any, short: TracebackType | None, tb_offset: Any
) -> None:
    """Show an error in an IPython shell with its short traceback, or whole if that is None.

    ``%tb`` and ``%debug`` have the whole of it.
    """
    if short is None:
        shell.showtraceback((type(error), error, trace), tb_offset=tb_offset)
        return
    shell.showtraceback((type(error), error, short), tb_offset=0)
    sys.last_traceback = trace
