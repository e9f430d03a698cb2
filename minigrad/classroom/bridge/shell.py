"""IPython's shell, as far as a notebook's cells can tell: magics, `display`, `_`, top-level await.

Cells are translated to Python by IPython's own code, where it is installed.
"""

import __future__

import ast
import builtins
import contextlib
import functools
import inspect
import io
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from minigrad.classroom.bridge.mute import MUTE, Mute

translated: Callable[[str], str] = str
with contextlib.suppress(ImportError):
    from IPython.core.inputtransformer2 import TransformerManager

    translated = TransformerManager().transform_cell  # type: ignore[no-untyped-call]

_ASYNC = re.compile(r"\b(asyncio|await|async)\b")
_FUTURES = functools.reduce(
    int.__or__,
    (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names),
)


class Shell(Mute):
    """Runs cells in a namespace. Of the magics, those run that run code: the others only show."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.user_ns = namespace
        self._file = ""
        self._futures = 0  # of the cells before: IPython keeps them, too
        self._count = 0
        self._waiting = False
        self._last: list[Any] = [""] * 3  # of which `_`, `__` and `___` are the names
        self._outputs: dict[int, Any] = {}
        self._inputs = [""]
        namespace.update({"_": "", "__": "", "___": "", "Out": self._outputs, "_oh": self._outputs})
        namespace["In"] = namespace["_ih"] = self._inputs
        vars(builtins).update(get_ipython=lambda: self, display=MUTE, help=MUTE)

    def run(self, source: str, file: str) -> None:
        """Run a cell, which is called `file` in tracebacks."""
        self._file = file
        if source.strip():
            self._count += 1
            self._inputs.append(source)
        value = self._value(source)
        if value is not None and not source.rstrip().endswith(";"):
            self._keep(value)

    def run_line_magic(self, name: str, line: str, *_: Any, **__: Any) -> Any:
        """``%time x = 2`` runs the statement."""
        return self._value(line) if name in ("time", "prun") else MUTE

    def run_cell_magic(self, name: str, line: str, cell: str) -> Any:
        """``%%time``, ``%%prun`` and ``%%capture`` run the cell below them."""
        below = f"\n{cell}"  # as many lines down as it stands in the notebook
        if name in ("time", "prun"):
            return self._value(below)
        if name == "capture":
            output = next((one for one in line.split() if not one.startswith("-")), None)
            text = io.StringIO()
            with contextlib.suppress(Exception), contextlib.redirect_stdout(text):
                self._value(below)  # whose error IPython puts into the output
            if output is not None:
                self.user_ns[output] = Mute()
                vars(self.user_ns[output])["stdout"] = text.getvalue()
        return None

    def getoutput(self, command: str, *_: Any, **__: Any) -> list[str]:
        """``lines = !command`` gives what the command prints."""
        done = subprocess.run(command, shell=True, stdout=subprocess.PIPE, text=True, check=False)
        return done.stdout.splitlines()

    def _value(self, source: str) -> Any:
        """Run code; the value of the last line, if it is an expression."""
        steps = self._steps(source)
        if not self._waiting and (_ASYNC.search(source) or "asyncio" in sys.modules):
            self._waiting = True  # as in a kernel, where the loop runs around every cell
            try:
                return self._loop.run_until_complete(steps)
            finally:
                self._waiting = False
        try:
            steps.send(None)
        except StopIteration as ended:
            return ended.value
        raise RuntimeError("This cannot wait for anything here.")

    async def _steps(self, source: str) -> Any:
        value = None
        tree = ast.parse(translated(source), self._file)
        for node in tree.body:  # each by itself, as IPython does
            part: ast.Module | ast.Expression = ast.Module([node], [])
            if node is tree.body[-1] and isinstance(node, ast.Expr):
                part = ast.Expression(node.value)
            mode = "eval" if isinstance(part, ast.Expression) else "exec"
            flags = self._futures | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
            code = compile(part, self._file, mode, flags, True)
            self._futures |= code.co_flags & _FUTURES
            value = eval(code, self.user_ns)
            if code.co_flags & inspect.CO_COROUTINE:
                value = await value
        return value

    @functools.cached_property
    def _loop(self) -> Any:
        import asyncio  # takes its time, and few cells wait for anything

        return asyncio.new_event_loop()

    def _keep(self, value: Any) -> None:
        """As `_`, unless the notebook uses the name itself, and among the outputs."""
        names = ("_", "__", "___")
        before = zip(names, self._last, strict=True)
        free = all(self.user_ns.get(name, value) is value for name, value in before)
        self._last = [value, *self._last[:2]]
        if free:
            self.user_ns.update(zip(names, self._last, strict=True))
        self.user_ns[f"_{self._count}"] = self._outputs[self._count] = value
