"""What a notebook or a Python shell has of it: ``%load_ext``, ``explain()`` and ``why(x)``."""

import importlib
import sys
from contextlib import suppress
from types import FrameType
from typing import Any

from minigrad.explain import script
from minigrad.explain.diagnose import diagnose, report_on
from minigrad.explain.render import Report
from minigrad.explain.source import users_frames
from minigrad.explain.trail import Trail, current, unseen
from minigrad.explain.why import Question
from minigrad.viz.read.protocol import TensorLike, is_tensor
from minigrad.viz.record.lines import running_shell
from minigrad.viz.record.tracebacks import shortened, show_shortened

# By their first name, the modules whose frames are left out.
_LEFT_OUT = ("minigrad", "torch", "numpy", "IPython", "contextlib")
_RUNNERS = (script.__file__, "interactiveshell.py")  # what runs a script or a cell


class Extension:
    """It records each cell of a shell, and shows what is to be said about its error."""

    def __init__(self, shell: Any) -> None:
        self.trail = Trail()
        self.last: Report | None = None
        self._shell = shell
        shell.events.register("pre_run_cell", self._start)
        shell.events.register("post_run_cell", self._stop)
        self.show_errors()

    def show_errors(self) -> None:
        """Show the errors from now on, and leave unknown ones to what has shown them before."""
        self._before = self._shell.custom_exceptions, self._shell.CustomTB
        self._shell.set_custom_exc((Exception,), self._show)

    def close(self) -> None:
        """Leave the shell as it was."""
        self._stop()
        self._shell.events.unregister("pre_run_cell", self._start)
        self._shell.events.unregister("post_run_cell", self._stop)
        self._shell.custom_exceptions, self._shell.CustomTB = self._before

    def _start(self, info: Any = None) -> None:
        with suppress(Exception):
            self._stop()
            script.import_engines(getattr(info, "raw_cell", None) or "")
            self.trail.__enter__()

    def _stop(self, *_: object) -> None:
        self.trail.leave()

    def _show(
        self,
        shell: Any,
        kind: type[BaseException],
        error: BaseException,
        trace: Any,
        tb_offset: Any = None,
    ) -> None:
        self._stop()  # what is read and drawn now is no part of the program
        self.last = diagnose(error, self.trail)
        own = None if self.last is None else script.own_lines(trace)
        kinds, show_unknown = self._before
        if own is None and isinstance(error, kinds):
            show_unknown(kind, error, trace, tb_offset)
            return
        show_shortened(shell, error, trace, own, tb_offset)
        if own is not None:
            with suppress(Exception):
                _display(self.last)


def shorten_errors(shell: Any) -> None:
    """Show, of each error from now on, the learner's own lines, and not the way through the engine.

    ``%tb`` and ``%debug`` have the whole of it.
    """
    shell.set_custom_exc((Exception,), _show_shortened)
    extension = _extension_of(shell)
    if extension is not None:
        extension.show_errors()  # it explains what it knows, and leaves the others to this


def _show_shortened(
    shell: Any, kind: type[BaseException], error: BaseException, trace: Any, tb_offset: Any = None
) -> None:
    show_shortened(shell, error, trace, shortened(trace, _is_kept), tb_offset)


def _is_kept(frame: FrameType) -> bool:
    module = frame.f_globals.get("__name__")  # the engine's generated functions have none
    return module is not None and str(module).partition(".")[0] not in _LEFT_OUT


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext minigrad.explain``: record the cells that follow, and explain their errors."""
    if _extension_of(shell) is None:
        shell._minigrad_explain = Extension(shell)


def unload_ipython_extension(shell: Any) -> None:
    """``%unload_ext minigrad.explain``: leave the shell as it was."""
    extension = _extension_of(shell)
    if extension is not None:
        extension.close()
        shell._minigrad_explain = None


def _extension_of(shell: Any) -> Extension | None:
    found = getattr(shell, "_minigrad_explain", None)
    return found if isinstance(found, Extension) else None


def _display(report: Report | None) -> None:
    importlib.import_module("IPython.display").display(report)


class Explain:
    """``explain()`` explains the last error; ``explain.more()`` tells the long story."""

    def __call__(self, error: BaseException | None = None) -> Report | None:
        """What is to be said about an error, by default about the last one; None if it isn't known.

        Without a recording, the line that raised the error is known, but often not its cause.
        """
        extension = _extension_of(running_shell())
        if error is None and extension is not None and extension.last is not None:
            return extension.last
        error = error or sys.exc_info()[1] or getattr(sys, "last_value", None)
        if error is None:
            print("There's no error to explain.")
            return None
        with unseen():
            report = diagnose(error, None)
        if report is None:
            print(f"minigrad.explain doesn't know this error: {type(error).__name__}.")
        return report

    def more(self) -> None:
        """Print the long story of the last error."""
        report = self()
        if report is not None:
            print(report.more())


explain = Explain()


def why(tensor: TensorLike) -> Report | None:
    """Why ``tensor.grad`` is what it is: None, zero, or another value.

    TypeError for anything but a tensor. With ``%load_ext minigrad.explain`` before, the answer
    names the line; without it, it says what the graph alone shows.

    >>> import minigrad as torch
    >>> from minigrad.explain import why
    >>> y = torch.ones(2, requires_grad=True) * 2
    >>> print(why(y).what)
    `y` isn't a leaf: it was computed, and only leaves keep their gradient.
    """
    if not is_tensor(tensor):
        raise TypeError(f"why() takes a tensor, but got {type(tensor).__name__}")
    with suppress(Exception), unseen():
        return report_on(Question(tensor, program_frames(sys._getframe(1)), current()))
    return None


def program_frames(asking: FrameType) -> list[FrameType]:
    """The user's code that is running, from the cell or script on to the frame that asks."""
    return [*reversed([*users_frames(asking.f_back, _RUNNERS)]), asking]
