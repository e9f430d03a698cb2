"""Run a few lines that somebody typed: what they print, what they raise, and never for ever."""

from __future__ import annotations

import contextlib
import io
import sys
import time
import warnings
from dataclasses import dataclass
from types import FrameType
from typing import Any

_FILE = "<the clinic>"
PATIENCE = 5.0  # seconds
_LONGEST_CALL = 0.1  # seconds that a line counts at most: an engine's first call imports a lot


class TookTooLong(Exception):
    """The lines ran for longer than they may, as an endless loop does."""


@dataclass(frozen=True)
class Ran:
    """What came of running: the names afterwards, what was printed and warned of, and the error."""

    space: dict[str, Any]
    printed: str
    error: str
    line: int | None  # that raised, from 1


def run(source: str, space: dict[str, Any], patience: float = PATIENCE) -> Ran:
    """Run ``source`` with the names of ``space``; whatever it raises is told, not raised."""
    printed = io.StringIO()
    with (
        contextlib.redirect_stdout(printed),
        warnings.catch_warnings(record=True) as warned,
    ):
        warnings.simplefilter("always")
        error, line = _run(source, space, patience)
    said = [f"{w.category.__name__}: {_first_sentence(str(w.message))}" for w in warned]
    return Ran(space, "\n".join([*said, printed.getvalue()]).strip(), error, line)


def _run(source: str, space: dict[str, Any], patience: float) -> tuple[str, int | None]:
    before, last, own = sys.gettrace(), time.monotonic(), 0.0

    def watch(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal last, own
        if frame.f_code.co_filename != _FILE:
            return None
        now = time.monotonic()
        own += min(now - last, _LONGEST_CALL)
        last = now
        if own > patience:
            raise TookTooLong(f"Stopped after {patience:g} seconds. Does a loop here ever end?")
        return watch

    try:
        code = compile(source, _FILE, "exec")
        sys.settrace(watch)
        exec(code, space)
    except KeyboardInterrupt:
        raise
    except TookTooLong as error:
        return str(error), _line(error)
    except BaseException as error:  # SystemExit too: it is the snippet that ends
        return f"{type(error).__name__}: {error}", _line(error)
    finally:
        sys.settrace(before)
    return "", None


def _line(error: BaseException) -> int | None:
    """The last of the snippet's lines on the way to the error."""
    if isinstance(error, SyntaxError):
        return error.lineno
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == _FILE:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _first_sentence(text: str) -> str:
    head, stop, _ = text.partition(". ")
    return head + stop.strip()
