"""Shows of an error in a notebook the learner's own lines, and not the way through the engine."""

from types import FrameType
from typing import Any

from minigrad.viz.record.tracebacks import shortened, show_shortened

# By their first name, the modules whose frames are left out.
_LEFT_OUT = ("minigrad", "torch", "numpy", "IPython", "contextlib")


def shorten_errors(shell: Any) -> None:
    """Do so from now on in an IPython shell; ``%tb`` and ``%debug`` have the whole of it."""
    shell.set_custom_exc((Exception,), _show)


def _show(
    shell: Any, kind: type[BaseException], error: BaseException, trace: Any, tb_offset: Any = None
) -> None:
    show_shortened(shell, error, trace, shortened(trace, _is_kept), tb_offset)


def _is_kept(frame: FrameType) -> bool:
    module = frame.f_globals.get("__name__")  # the engine's generated functions have none
    return module is not None and str(module).partition(".")[0] not in _LEFT_OUT
