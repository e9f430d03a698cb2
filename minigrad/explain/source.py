"""Where in the user's program something ran: the line, and the very expression in it."""

import ast
import linecache
import os
import re
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType, TracebackType

from minigrad.viz.record.lines import running_shell

_PACKAGE = str(Path(__file__).resolve().parents[1]) + os.sep
_INSTALLED = tuple(
    {sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib", "purelib", "platlib")}
)


def is_users(filename: str) -> bool:
    """Whether a file is the user's own: neither Python's, nor installed, nor minigrad's."""
    if filename.startswith("<"):
        return filename.startswith(("<ipython-input", "<stdin"))
    return not os.path.abspath(filename).startswith((_PACKAGE, *_INSTALLED))


def users_frames(frame: FrameType | None, end: tuple[str, ...] = ()) -> Iterator[FrameType]:
    """The frames of the user's code, from this one out to a file with one of these endings."""
    while frame is not None and not frame.f_code.co_filename.endswith(end):
        if is_users(frame.f_code.co_filename):
            yield frame
        frame = frame.f_back


@dataclass(frozen=True)
class Place:
    """An instruction of the user's program.

    span: where its expression stands: first line, last line, first column, last column (in bytes).
    """

    filename: str
    number: int
    span: tuple[int, int, int, int] = field(compare=False)

    @property
    def text(self) -> str:
        """The line, without its indentation."""
        return linecache.getline(self.filename, self.number).strip()

    @cached_property
    def node(self) -> ast.AST | None:
        """The expression or statement that ran."""
        first, last, start, end = self.span
        wanted = (first, last, start, end)
        found = [
            node for node in _nodes(self.filename, _source(self.filename)) if _span(node) == wanted
        ]
        return found[-1] if found else self.statement  # an expression is deeper than its statement

    @cached_property
    def statement(self) -> ast.stmt | None:
        """The smallest statement around it."""
        holding = [
            node
            for node in _nodes(self.filename, _source(self.filename))
            if isinstance(node, ast.stmt) and node.lineno <= self.number <= (node.end_lineno or 0)
        ]
        return min(holding, key=lambda node: (node.end_lineno or 0) - node.lineno, default=None)

    def source(self, node: ast.AST | None) -> str:
        """The text of a part of the line, as the user wrote it."""
        if node is None:
            return ""
        return " ".join((ast.get_source_segment(_source(self.filename), node) or "").split())

    def replaced(self, node: ast.AST | None, new: str) -> str:
        """The line with ``new`` in the place of ``node``."""
        if node is None:
            return self.text
        first, last, start, end = _span(node)
        if first != last:
            return self.source(self.statement).replace(self.source(node), new, 1)
        line = linecache.getline(self.filename, first).encode()
        return (line[:start] + new.encode() + line[end:]).decode().strip()

    def chained(self, node: ast.AST | None, call: str) -> str:
        """The statement with ``call``, such as ``.sum()``, behind ``node``."""
        part = self.source(node)
        if isinstance(node, ast.BinOp | ast.UnaryOp | ast.Compare | ast.IfExp):
            if f"({part})" in self.text:
                return self.text.replace(f"({part})", f"({part}){call}", 1)
            part = f"({part})"
        return self.replaced(node, part + call)

    def with_argument(self, argument: str) -> str:
        """The line with one more argument in its call."""
        if not isinstance(self.node, ast.Call):
            return self.text
        text = self.source(self.node)
        comma = ", " if self.node.args or self.node.keywords else ""
        return self.replaced(self.node, f"{text[:-1].rstrip(', ')}{comma}{argument})")

    @property
    def target(self) -> str:
        """The name that the result of the expression is given; empty if there is none."""
        statement = self.statement
        if isinstance(statement, ast.Assign) and self.node in (statement, statement.value):
            return self.source(statement.targets[0])
        if isinstance(statement, ast.AugAssign | ast.AnnAssign) and self.node in (
            statement,
            statement.value,
        ):
            return self.source(statement.target)
        return ""


def switched_off(place: Place) -> Place | None:
    """The line that has switched recording off for a place, as far as the source tells it."""
    nodes = _nodes(place.filename, _source(place.filename))
    around = [node for node in nodes if _holds(node, place.number)]
    functions = [node.name for node in around if isinstance(node, ast.FunctionDef)]
    callers = [node for node in nodes if isinstance(node, ast.With) and _calls(node, functions)]
    for node in (*reversed(around), *callers):
        for part in _switches(node):
            if re.search(r"\b(no_grad|inference_mode|set_grad_enabled)\b", place.source(part)):
                return place_in(place.filename, part)
    return None


def function_around(place: Place) -> ast.FunctionDef | None:
    """The innermost function whose body a line is in."""
    nodes = _nodes(place.filename, _source(place.filename))
    around = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    around = [node for node in around if node.lineno < place.number <= (node.end_lineno or 0)]
    return max(around, key=lambda node: node.lineno, default=None)


def _holds(node: ast.AST, number: int) -> bool:
    where = node.__dict__
    return isinstance(node, ast.stmt) and where["lineno"] <= number <= where["end_lineno"]


def _switches(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.With):
        return [item.context_expr for item in node.items]
    return node.decorator_list if isinstance(node, ast.FunctionDef) else []


def _calls(node: ast.With, functions: list[str]) -> bool:
    """Whether a block calls one of these functions; every call may be one of ``forward``."""
    called = [ast.unparse(one.func) for one in ast.walk(node) if isinstance(one, ast.Call)]
    names = {name.rpartition(".")[2] for name in called[1:]}
    return bool(names & set(functions)) or ("forward" in functions and len(called) > 1)


def operand_nodes(node: ast.AST | None) -> list[ast.AST]:
    """The parts of an expression that are computed before it, in order."""
    if isinstance(node, ast.Call):
        method = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        return [*method, *node.args, *(keyword.value for keyword in node.keywords)]
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.AugAssign):
        return [node.target, node.value]
    if isinstance(node, ast.Subscript):
        return [node.value, node.slice]
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.UnaryOp):
        return [node.operand]
    if isinstance(node, ast.Attribute):
        return [node.value]
    return []


def place_of(code: CodeType, instruction: int) -> Place:
    """The place of an instruction."""
    first, last, start, end = next(islice(code.co_positions(), instruction // 2, None))
    line = first or code.co_firstlineno
    return Place(code.co_filename, line, (line, last or line, start or 0, end or 0))


def places(trace: TracebackType | None) -> Iterator[tuple[Place, TracebackType]]:
    """The user's lines in a traceback, the outermost first."""
    while trace is not None:
        code = trace.tb_frame.f_code
        if is_users(code.co_filename):
            yield place_of(code, trace.tb_lasti), trace
        trace = trace.tb_next


def find_lines(filename: str, pattern: str, within: ast.AST | None = None) -> Iterator[Place]:
    """The lines of statements of a file, or of a part of it, whose text has a pattern."""
    for node in ast.walk(within) if within else _nodes(filename, _source(filename)):
        if isinstance(node, ast.stmt):
            body: list[ast.stmt] = getattr(node, "body", [])  # of a block, its first lines alone
            last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            for number in range(node.lineno, max(last, node.lineno) + 1):
                place = Place(filename, number, _span(node))
                if re.search(pattern, place.text):
                    yield place


def find_headers(filename: str, pattern: str) -> Iterator[Place]:
    """The first lines of the definitions in a file whose text has a pattern."""
    for node in _nodes(filename, _source(filename)):
        place = place_in(filename, node)
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and re.match(pattern, place.text):
            yield place


def find_method(filename: str, class_name: str, name: str) -> ast.FunctionDef | None:
    """The definition of a method of a class in a file."""
    for node in _nodes(filename, _source(filename)):
        if isinstance(node, ast.ClassDef) and node.name == class_name:
            found = [
                one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == name
            ]
            return found[0] if found else None
    return None


def place_in(filename: str, node: ast.AST) -> Place:
    """The place of a part of a file."""
    span = _span(node)
    return Place(filename, span[0], span)


def file_name(filename: str) -> str:
    """``In[3]`` for a cell, and for a file its name without the folders."""
    shell = running_shell()
    named = None if shell is None else shell.compile.format_code_name(filename)
    numbered = re.match(r"<ipython-input-(\d+)-", filename)
    if named or numbered:
        return str(named[1]) if named else f"In[{numbered[1]}]" if numbered else ""
    return os.path.basename(filename)


def _source(filename: str) -> str:
    return "".join(linecache.getlines(filename))


@lru_cache(maxsize=100)
def _nodes(filename: str, source: str) -> list[ast.AST]:
    try:
        return [node for node in ast.walk(ast.parse(source)) if hasattr(node, "lineno")]
    except (SyntaxError, ValueError):
        return []


def _span(node: ast.AST) -> tuple[int, int, int, int]:
    where = node.__dict__
    return where["lineno"], where["end_lineno"], where["col_offset"], where["end_col_offset"]
