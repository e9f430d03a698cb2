"""Run a few lines that a learner typed: what they print, what they raise, and never forever."""

import ast
import contextlib
import io
import math
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_FILE = "<the clinic>"
_CHECK = "__check_time__"  # how the lines know it
PATIENCE = 5.0  # seconds
_LONGEST = 2000  # characters that are shown of what was printed


class TookTooLong(BaseException):
    """The lines ran for too long, as an endless loop does."""


@dataclass(frozen=True)
class Ran:
    """The result of running: the names afterwards, what was printed and warned, and the error."""

    space: dict[str, Any]
    printed: str
    error: str
    line: int | None  # that raised it, from 1


def run(source: str, space: dict[str, Any], patience: float = math.inf) -> Ran:
    """Run ``source`` with the names of ``space``; an error that it raises is in the result.

    patience: after how many seconds to stop it.
    """
    printed = io.StringIO()
    with (
        contextlib.redirect_stdout(printed),
        warnings.catch_warnings(record=True) as warned,
    ):
        warnings.simplefilter("always")
        error, line = _run(source, space, patience)
    lines = [f"{w.category.__name__}: {_first_sentence(str(w.message))}" for w in warned]
    text = "\n".join([*lines, printed.getvalue()]).strip()
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}\n… and {len(text) - _LONGEST:,} more characters"
    return Ran(space, text, error, line)


def _run(source: str, space: dict[str, Any], patience: float) -> tuple[str, int | None]:
    space[_CHECK] = _timer(patience)
    try:
        program = ast.fix_missing_locations(_Checked().visit(ast.parse(source, _FILE)))
        exec(compile(program, _FILE, "exec"), space)
    except KeyboardInterrupt:
        raise
    except TookTooLong as error:
        return str(error), _line(error)
    except BaseException as error:  # SystemExit, too
        return f"{type(error).__name__}: {error}", _line(error)
    return "", None


def _timer(patience: float) -> Callable[[], bool]:
    """A function that is True until the time is over; from then on it raises TookTooLong."""
    end = time.monotonic() + patience

    def check() -> bool:
        if time.monotonic() > end:
            raise TookTooLong(f"Stopped after {patience:g} seconds. Does a loop here ever end?")
        return True

    return check


class _Checked(ast.NodeTransformer):
    """Checks the time wherever code can go on forever: in each loop and each function.

    It is checked first thing in ``except`` and ``finally``, too, so a program that catches every
    error can't catch this one for long: each time it does, the next check raises it again, one
    level further out. A trace function can't do that, because Python switches it off as soon as it
    raises; nor can a signal or another thread, whose error may always arrive inside a ``try``.
    """

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        match node:
            case ast.Lambda():
                node.body = ast.BoolOp(ast.And(), [_check(node.body), node.body])
            case ast.comprehension():
                node.ifs.insert(0, _check(node.iter))
            case ast.For() | ast.While() | ast.FunctionDef() | ast.ExceptHandler():
                self._check_first(node.body)
            case ast.Try() | ast.TryStar() if node.finalbody:
                self._check_first(node.finalbody)
        return node

    def _check_first(self, body: list[ast.stmt]) -> None:
        check = ast.Expr(_check(body[0]))
        body.insert(0, ast.copy_location(check, body[0]))


def _check(place: ast.AST) -> ast.expr:
    """A call of the timer, as if it were written at this place."""
    name = ast.copy_location(ast.Name(_CHECK, ast.Load()), place)
    return ast.copy_location(ast.Call(name, [], []), place)


def _line(error: BaseException) -> int | None:
    """The last of the learner's lines on the way to the error."""
    if isinstance(error, SyntaxError):
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno for frame in reversed(frames) if frame.filename == _FILE), None)


def _first_sentence(text: str) -> str:
    head, stop, _ = text.partition(". ")
    return head + stop.strip()
