"""record(): watch a program's public calls, to say later which line made what, and why edges miss.

A ``TorchFunctionMode``, found beside the tensors' own package, sees each call. What it learns is
kept by ``minigrad.viz.read.notes``, and every picture made afterwards tells it.
"""

import os
import sys
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from minigrad.viz.read.engines import Engine
from minigrad.viz.read.notes import Line, note_of, roots
from minigrad.viz.read.protocol import TensorLike
from minigrad.viz.record.gradients import is_backward, with_gradients
from minigrad.viz.record.lines import find_line, is_within, running_shell
from minigrad.viz.record.observing import Observation
from minigrad.viz.record.warned import call_for
from minigrad.viz.record.watching import Watching

_MOST_PASSES = 50  # in a cell
_HERE = str(Path(__file__).resolve().parent) + os.sep
_VIZ = (str(Path(__file__).resolve().parents[1]) + os.sep,)


class Recording(Watching):
    """A stretch of the program that is watched; ``record`` makes one.

    gradients_only: whether to note nothing but the gradients of backward passes.
    """

    def __init__(self, gradients_only: bool = False) -> None:
        super().__init__()
        self._shell: Any = None
        self._gradients_only = gradients_only
        self.passes = 0  # backward passes since the cell began

    def __repr__(self) -> str:
        watches = "the notebook's cells" if self._shell else "nothing yet"
        return f"<Recording: watches {'this block' if self._stack else watches}>"

    def start(self) -> "Recording":
        """Watch all cells that follow in this notebook, until ``stop()``.

        RuntimeError outside of a notebook, where ``with record():`` says what is watched.
        """
        if self._shell is None:
            self._shell = running_shell()
            if self._shell is None:
                raise RuntimeError("start() needs a notebook; in a program, use `with record():`")
            self._shell.events.register("pre_run_cell", self._before_cell)
            self._shell.events.register("post_run_cell", self._after_cell)
        return self

    def stop(self) -> None:
        """Watch the notebook's cells no longer."""
        if self._shell is not None:
            self._shell.events.unregister("pre_run_cell", self._before_cell)
            self._shell.events.unregister("post_run_cell", self._after_cell)
            self._shell = None
            self._after_cell()

    def _before_cell(self, *_: object) -> None:
        self.passes = 0
        self.__enter__()

    def _after_cell(self, *_: object) -> None:
        self.leave()

    def _mode(self, engine: Engine) -> Any:
        """A mode of the engine's own kind that looks on."""
        recording = self

        class Recorder(engine.overrides.TorchFunctionMode):  # type: ignore[name-defined, misc]
            def __torch_function__(
                self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
            ) -> Any:
                __tracebackhide__ = True  # IPython shows the user's lines alone
                caller = _caller(func, engine)
                call = partial(call_for, caller, func, args, kwargs or {})
                if is_within(caller, _VIZ):
                    return call()
                if is_backward(func) and recording.begins_pass():
                    call = partial(with_gradients, engine, args, call)
                if recording._gradients_only:
                    return call()
                with engine.unseen():
                    observation = Observation(engine, func, args, kwargs or {})
                result = call()
                with engine.unseen():
                    observation.note(result, find_line(caller, engine.folders))
                return result

        return Recorder()

    def begins_pass(self) -> bool:
        """Whether to note the gradients of one more backward pass: not of a whole training."""
        self.passes += 1
        return self.passes <= _MOST_PASSES

    def line(self, tensor: TensorLike) -> Line | None:
        """The line that made ``tensor``; None if no recording saw it."""
        note = note_of(tensor)
        return None if note is None else note.made

    def why(self, tensor: TensorLike) -> tuple[str, ...]:
        """Why ``tensor`` has no edge to what it came from; empty if none is missing, or unseen."""
        note = note_of(tensor)
        causes = () if note is None or tensor.grad_fn is not None else roots(note.causes)
        return tuple(dict.fromkeys(cause.reason for cause in causes))


def record() -> Recording:
    """Watch what the program calls, so that pictures can say why an edge is missing, and which line
    made what.

    Use it as ``with record():``, or in a notebook ``record().start()`` for all cells that follow.
    It sees the public calls of this thread to the packages that are imported, minigrad's and
    PyTorch's, and changes nothing that they compute, raise or warn; nothing is kept alive. A node
    carries what is noted of it in its ``metadata``, under ``"minigrad.viz"``.

    >>> import minigrad as torch
    >>> from minigrad.viz import draw
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> with record() as recording:
    ...     y = x * 3
    ...     d = y.detach()
    ...     out = y * d
    >>> recording.why(d)
    ('detached',)
    >>> recording.line(out).number
    4
    >>> draw(out)
    Graph of out: 1 leaf, 2 operations
    x: leaf, float32 [] = 2, grad None
    n0 AccumulateGrad: adds to x.grad
    n1 MulBackward0(x, no grad)
      keeps other = 3
      gives y: float32 [] = 6
    n2 MulBackward0(y, no grad)
      keeps other = d
      no edge from d (requires_grad=False)
      gives out: result, float32 [] = 36
    d: no graph (detached, from y), float32 [] = 6
    """
    return Recording()


def _caller(func: Any, engine: Engine) -> FrameType:
    """The frame that has called ``func``: behind the modes, and what asks them."""
    frame = sys._getframe(2)
    code = getattr(func, "__code__", None)
    between = (*engine.asking, _HERE)
    while frame.f_back and (is_within(frame, between) or frame.f_code is code):
        frame = frame.f_back
    return frame
