"""Shows of an error in a notebook the learner's own lines, and not the way through the engine."""

import sys
from types import FrameType, TracebackType
from typing import Any

# By their first name, the modules whose frames are left out.
_LEFT_OUT = ("minigrad", "torch", "numpy", "IPython", "contextlib")
_MOST = 20  # frames: a function that calls itself without end has thousands of the same


def shorten_errors(shell: Any) -> None:
    """Do so from now on in an IPython shell; ``%tb`` and ``%debug`` have the whole of it."""
    shell.set_custom_exc((Exception,), _show)


def _show(
    shell: Any, kind: type[BaseException], error: BaseException, trace: Any, tb_offset: Any = None
) -> None:
    own = _own(trace)
    if own is None:
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
        return
    shell.showtraceback((kind, error, own), tb_offset=0)
    sys.last_traceback = trace


def _own(trace: TracebackType | None) -> TracebackType | None:
    """The traceback without what is left out; None if nothing is left."""
    steps = []
    while trace is not None:
        if not _is_left_out(trace.tb_frame):
            steps.append(trace)
        trace = trace.tb_next
    if len(steps) > _MOST:
        steps = steps[: _MOST // 2] + steps[-_MOST // 2 :]
    below = None
    for step in reversed(steps):
        below = TracebackType(below, step.tb_frame, step.tb_lasti, step.tb_lineno)
    return below


def _is_left_out(frame: FrameType) -> bool:
    module = frame.f_globals.get("__name__")  # the engine's generated functions have none
    return module is None or str(module).partition(".")[0] in _LEFT_OUT
