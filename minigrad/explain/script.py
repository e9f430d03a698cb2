"""A script, run and recorded; its error is explained in the terminal."""

import importlib
import os
import re
import runpy
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from minigrad.explain.diagnose import diagnose
from minigrad.explain.render import Report
from minigrad.explain.source import is_users
from minigrad.explain.trail import Trail
from minigrad.viz.record.tracebacks import shortened

_ENGINES = re.compile(r"^[ \t]*(?:import|from)[ \t]+(torch|minigrad)\b", re.MULTILINE)


def run_script(path: Path, arguments: Sequence[str] = (), page: Path | None = None) -> int:
    """Run a script as ``python path`` does, and explain its error on stderr; returns its status.

    page: where to write the explanation as a page, if there is one.
    """
    before, folder = sys.argv, str(path.resolve().parent)
    sys.argv = [str(path), *arguments]
    sys.path.insert(0, folder)
    try:
        error, report = watched(path)
    finally:
        sys.argv = before
        sys.path.remove(folder)
    if error is None:
        return 0
    if isinstance(error, SystemExit):
        return _status(error)
    trace = error.__traceback__ if report is None else own_lines(error.__traceback__)
    shown = "".join(traceback.format_exception(type(error), error, trace))
    print(shown, end="", file=sys.stderr)
    if report is not None:
        print(f"\n{report.colored if _in_color() else report}", file=sys.stderr)
        if page is not None:
            page.write_text(report.page(shown), encoding="utf-8")
    return 130 if isinstance(error, KeyboardInterrupt) else 1


def watched(
    path: Path, names: dict[str, Any] | None = None
) -> tuple[BaseException | None, Report | None]:
    """The error that a script ends with, if any, and what is to be said about it.

    names: what the script knows from the beginning.
    """
    for neighbor in path.resolve().parent.glob("*.py"):
        import_engines(neighbor.read_text(errors="replace"))
    trail = Trail()
    try:
        with trail:
            runpy.run_path(str(path), names, "__main__")
    except BaseException as error:
        error.__traceback__ = _from_the_script(error.__traceback__)
        known = diagnose(error, trail) if isinstance(error, Exception) else None
        return error, known
    return None, None


def import_engines(program: str) -> None:
    """Import the engines that a program will, so that a trail sees them from the beginning."""
    for name in _ENGINES.findall(program):
        with suppress(Exception):  # the program itself will say so
            importlib.import_module(name)


def _from_the_script(trace: TracebackType | None) -> TracebackType | None:
    """The traceback without the way that led into the script."""
    start = trace
    while start is not None and not is_users(start.tb_frame.f_code.co_filename):
        start = start.tb_next
    return start or trace


def own_lines(trace: TracebackType | None) -> TracebackType | None:
    """The user's lines of a traceback."""
    return shortened(trace, lambda frame: is_users(frame.f_code.co_filename))


def _in_color() -> bool:
    """Whether the output goes to a terminal that shows colors. https://no-color.org"""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stderr.isatty() and not plain


def _status(error: SystemExit) -> int:
    """What Python exits with: 1, and the text on stderr, for anything but a number."""
    if error.code is None or isinstance(error.code, int):
        return error.code or 0
    print(error.code, file=sys.stderr)
    return 1
