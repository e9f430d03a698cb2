"""Limits for code that others wrote: it may loop for ever, and may print for ever."""

import ctypes
import io
import linecache
import random
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any, Self

# A loop with a bare `except:` swallows the first interruption. It gets another, and another: an
# alarm may always find it inside its `try`, so from the second on one of its next lines raises.
_AGAIN = 0.05
_LINES = 8

# What is stopped while it is imported stays broken, and large packages import parts of themselves
# late. So an import may go on; when it is time again it is looked at anew, so many times at most.
_IMPORTS = 12
# Limits on CPU time also limit the clock's, to so many times as much: others may have the machine.
BACKSTOP = 10

_IMPORTING = "<frozen importlib._bootstrap>"


class TookTooLong(BaseException):
    """Raised in code that does not end, or prints too much; no `except Exception` stops it."""

    def __init__(self, message: str = "stopped", frame: FrameType | None = None) -> None:
        super().__init__(message)
        self._line = None if frame is None else frame.f_lineno
        self._source = "" if frame is None else linecache.getline(*_place(frame)).strip()

    def _render_traceback_(self) -> list[str]:
        # What IPython shows below the cell.
        where = f" in line {self._line}: {self._source}" if self._line else ""
        return [f"TookTooLong: {self}{where}", "Does it loop forever?"]


def _innermost_import(frame: FrameType | None) -> FrameType | None:
    while frame is not None and frame.f_code.co_filename != _IMPORTING:
        frame = frame.f_back
    return frame


def _place(frame: FrameType) -> tuple[str, int]:
    return frame.f_code.co_filename, frame.f_lineno


class TimeLimit:
    """Stop what runs in the ``with`` block after `seconds`, by a TookTooLong raised in it.

    An import is not stopped, unless it is endless; after it the time begins anew.
    within: tells of a frame whether its code may be stopped; by default all may.
    cpu: count the seconds of CPU time that this process uses, where that can be told; then BACKSTOP
    times as many by the clock.

    In the main thread, where the system has interval timers (all but Windows), waiting is stopped
    too (``time.sleep``, ``input``). Elsewhere a watching thread does it, and a call that waits is
    left first. In a browser, which has neither, Python itself looks at the clock whenever it loops
    or calls. Nothing stops a single endless call into C, such as ``10**10**10``: neither does
    Jupyter's own button.
    """

    def __init__(
        self,
        seconds: float,
        within: Callable[[FrameType], bool] | None = None,
        cpu: bool = False,
    ) -> None:
        self._seconds = seconds
        self._cpu = cpu
        self._within = within
        self._over = False
        self._strikes = 0
        self._imports = _IMPORTS
        self._watch = self._way_to_stop()

    def _way_to_stop(self) -> "_Alarm | _Monitor | _Watcher":
        if sys.platform == "emscripten":
            return _Monitor(self._ring)
        if hasattr(signal, "setitimer") and (threading.current_thread() is threading.main_thread()):
            return _Alarm(self._ring, self._cpu)
        return _Watcher(self._waits)

    def __enter__(self) -> Self:
        # The block itself may be in a module that is being imported: that one may be stopped.
        self._import_around = _innermost_import(sys._getframe())
        self._trace = sys.gettrace()
        self._watch.start(self._seconds)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._over = True
        self._watch.stop()
        if self._strikes > 1:
            sys.settrace(self._trace)
        self._import_around = None

    def _ring(self, frame: FrameType | None) -> bool:
        """Raise in what runs; or say whether its time is to begin anew."""
        if self._over or (frame is not None and frame.f_globals is globals()):
            return False
        if self._waits(frame):
            return True
        while self._within and frame is not None and not self._within(frame):
            frame = frame.f_back
        if frame is not None:
            self._strikes += 1
            if self._strikes > 1:
                self._raise_in_a_line(frame)
            raise self._stopped(frame)
        return False

    def _stopped(self, frame: FrameType) -> TookTooLong:
        return TookTooLong(f"stopped after {self._seconds:g} seconds", frame)

    def _raise_in_a_line(self, frame: FrameType) -> None:
        """Have one of the next lines that run in this frame raise: any, so also outside a `try`."""
        lines = random.randrange(_LINES)

        def trace(where: FrameType, event: str, _: object) -> Any:
            nonlocal lines
            if where is not frame:
                return None
            lines -= event == "line"
            if lines < 0:
                raise self._stopped(where)  # which ends the tracing
            return trace

        frame.f_trace = trace
        sys.settrace(trace)

    def _waits(self, frame: FrameType | None) -> bool:
        """Whether what runs is not to be stopped now."""
        if not self._imports or _innermost_import(frame) in (None, self._import_around):
            return False
        self._imports -= 1
        return True


class _Alarm:
    """By the system's interval timers; those that were running already go on afterwards."""

    def __init__(self, ring: Callable[[FrameType | None], bool], cpu: bool) -> None:
        self._ring = ring
        self._timers = [(signal.ITIMER_REAL, signal.SIGALRM, BACKSTOP if cpu else 1)]
        if cpu:
            self._timers.append((signal.ITIMER_PROF, signal.SIGPROF, 1))

    def start(self, seconds: float) -> None:
        self._started = time.monotonic(), time.process_time()
        self._seconds = seconds
        self._handlers = [signal.signal(number, self._rung) for _, number, _ in self._timers]
        self._others = [
            signal.setitimer(timer, times * seconds, _AGAIN) for timer, _, times in self._timers
        ]

    def _rung(self, _: int, frame: FrameType | None) -> None:
        if self._ring(frame):
            for timer, _, times in self._timers:
                signal.setitimer(timer, times * self._seconds, _AGAIN)

    def stop(self) -> None:
        for timer, _, _ in self._timers:
            signal.setitimer(timer, 0)
        passed = time.monotonic() - self._started[0], time.process_time() - self._started[1]
        for at, (timer, number, _) in enumerate(self._timers):
            signal.signal(number, self._handlers[at])
            others, again = self._others[at]
            if others:
                signal.setitimer(timer, max(others - passed[at], 0.001), again)


class _Monitor:
    """By Python's own monitoring, where there is neither timer nor thread.

    Python hands the exception to the caller of the function that loops, past any ``except`` in it:
    what the ``with`` block runs has to be a call.
    """

    def __init__(self, ring: Callable[[FrameType | None], bool]) -> None:
        self._ring = ring
        self._monitoring: Any = vars(sys)["monitoring"]
        events = self._monitoring.events
        self._events = (events.JUMP, events.PY_START)

    def start(self, seconds: float) -> None:
        self._seconds = seconds
        self._deadline = time.monotonic() + seconds
        free = (tool for tool in range(6) if self._monitoring.get_tool(tool) is None)
        self._tool = next(free)  # an outer limit has one of its own
        self._monitoring.use_tool_id(self._tool, __name__)
        for event in self._events:
            self._monitoring.register_callback(self._tool, event, self._look)
        self._monitoring.set_events(self._tool, sum(self._events))

    def stop(self) -> None:
        self._monitoring.set_events(self._tool, 0)
        for event in self._events:
            self._monitoring.register_callback(self._tool, event, None)
        self._monitoring.free_tool_id(self._tool)

    def _look(self, *_: object) -> None:
        now = time.monotonic()
        if now >= self._deadline:
            self._deadline = now + _AGAIN
            if self._ring(sys._getframe(1)):
                self._deadline = now + self._seconds


class _Watcher:
    """By a thread that has the exception raised in the one which started it."""

    def __init__(self, waits: Callable[[FrameType | None], bool]) -> None:
        self._waits = waits

    def start(self, seconds: float) -> None:
        self._watched = threading.get_ident()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, args=(seconds,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        while self._thread.is_alive():
            with suppress(TookTooLong):
                self._done.set()
                self._thread.join()
        # One may still be on its way. If it were taken back, Python 3.11 would go on looking for it
        # at each step and trace nothing any more, so the last one is let arrive.
        with suppress(TookTooLong):
            self._raise_there()
            while True:
                pass

    def _watch(self, seconds: float) -> None:
        wait = seconds
        while not self._done.wait(wait):
            importing = self._waits(sys._current_frames().get(self._watched))
            wait = seconds if importing else _AGAIN
            if not importing:
                self._raise_there()

    def _raise_there(self) -> None:
        watched = ctypes.c_ulong(self._watched)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(watched, ctypes.py_object(TookTooLong))


class Bounded(io.TextIOBase):
    """Hands on what is written to `stream`; whoever writes too much is stopped by a TookTooLong."""

    def __init__(self, stream: Any, most: int) -> None:
        self._stream = stream
        self._most = most
        self._written = 0

    def write(self, text: str) -> int:
        self._written += len(text)
        if self._written > self._most:
            self._written = 0  # whoever reports this may write, too
            raise TookTooLong(f"stopped after {self._most:,} printed characters")
        written: int = self._stream.write(text)
        return written

    def flush(self) -> None:
        self._stream.flush()

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return False


class Silence(io.TextIOBase):
    """A stream that takes everything and keeps nothing."""

    def write(self, text: Any) -> int:
        return len(text)

    def writable(self) -> bool:
        return True
