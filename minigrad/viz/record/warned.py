"""Calls made in the name of the user's line: warnings are given for that line, not for ours."""

import re
import threading
import warnings
from types import FrameType
from typing import Any

# Lets through whatever is given for this file, to be given again, by the user's filters.
_FILTER = ("always", None, Warning, re.compile(re.escape(__name__) + "$"), 0)


def call_for(caller: FrameType, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``func(*args, **kwargs)``, whose warnings are those of ``caller``."""
    __tracebackhide__ = True  # IPython shows the user's lines alone
    callers = _hook.callers()
    callers.append(caller)
    _hook.enter()
    try:
        return func(*args, **kwargs)
    finally:
        _hook.leave()
        callers.pop()


class _Hook:
    """What Python shows warnings with while calls run, in any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._local = threading.local()
        self._running = 0
        self._filters: Any = []
        self._show: Any = None

    def callers(self) -> list[FrameType]:
        """For whom this thread calls, the innermost last."""
        found: list[FrameType] = self._local.__dict__.setdefault("callers", [])
        return found

    def enter(self) -> None:
        with self._lock:
            self._running += 1
            if self._running == 1:
                self._filters = warnings.filters
                self._show = warnings.showwarning
                self._filters.insert(0, _FILTER)
                warnings.showwarning = self.show

    def leave(self) -> None:
        with self._lock:
            self._running -= 1
            if self._running == 0:
                if _FILTER in self._filters:
                    self._filters.remove(_FILTER)
                if warnings.showwarning == self.show:
                    warnings.showwarning = self._show

    def show(
        self, message: Any, category: Any, filename: str, lineno: int, *more: Any, **named: Any
    ) -> None:
        if filename != __file__ or not self.callers():
            self._show(message, category, filename, lineno, *more, **named)
            return
        caller = self.callers()[-1]
        module = caller.f_globals.get("__name__", "<string>")  # as Python does
        registry = caller.f_globals.setdefault("__warningregistry__", {})
        where = caller.f_code.co_filename, caller.f_lineno
        warnings.warn_explicit(message, category, *where, module, registry)


_hook = _Hook()
