"""What of a lesson's own cells a submission needs: the rest would only take time.

A lesson trains networks to show what happens, and few answers have to do with them. Random numbers
that it draws on the way aren't drawn then; no exercise of the series asks for any.
"""

import ast
import re
import symtable
from collections.abc import Iterable, Set
from dataclasses import dataclass, replace

from minigrad.classroom.bridge.cells import names_in, symbols
from minigrad.classroom.reading import Cell

# By these, code may use names that don't stand in it; `_` is the last value, or thrown away.
_REACHING = {"dir", "doctest", "eval", "exec", "gc", "get_ipython", "globals", "importlib"}
_REACHING |= {"inspect", "locals", "vars", "sys", "In", "Out"}
ANY_NAME = re.compile(
    r"__(main|builtins|dict|globals|import)__|(?<!\w)_([ido]h|\d+)\b"
    r"|(?<!\w)_{1,3}(?![\w,])(?!\s*(=[^=]|in\b))"
)
_PLAIN = ast.Constant | ast.Attribute | ast.Name | ast.UnaryOp | ast.unaryop | ast.expr_context


@dataclass(frozen=True)
class Statement:
    """One of a lesson's. makes: the names it binds; uses: all that it has to do with.

    kind: "import", "definition", "plain" if it only gives a name to a constant or to a part of a
    module, or "other". body: what a definition has to do with when it's called. changes: names that
    functions in it bind.
    """

    lines: range
    kind: str
    makes: frozenset[str]
    uses: frozenset[str]
    body: frozenset[str]
    changes: frozenset[str]


def needed(cells: list[Cell], given: Set[int], wanted: set[str]) -> list[Cell]:
    """The cells, with blank lines for what nobody wants.

    given: the numbers of the lesson's own cells. wanted: the names that the others use.
    """
    if wanted & _REACHING:
        return cells
    lessons = {one.number: _statements(one.source) for one in cells if one.number in given}
    kept = _kept([one for cell in lessons.values() for one in cell], wanted)
    return [
        replace(one, source=_only(one.source, kept.intersection(lessons[one.number])))
        if one.number in given
        else one
        for one in cells
    ]


def _kept(statements: list[Statement], wanted: set[str]) -> set[Statement]:
    """Those that have to do with nothing that can change, or with something that is wanted."""
    fixed = {name for one in statements if one.kind == "import" for name in one.makes}
    data = {name for one in statements for name in one.changes}
    for one in statements:
        if one.kind == "other" or (one.kind == "plain" and not one.uses - one.makes <= fixed):
            data |= one.makes
    bodies = {name: one.body for one in statements if one.body for name in one.makes}
    about = {one: _reached(one.uses, bodies) & data for one in statements}
    kept = {one for one in statements if not about[one] or one.kind == "definition"}
    wanted = wanted.union(*(one.uses - one.makes for one in kept if one.kind == "definition"))
    while True:
        wanted = _reached(wanted, bodies)
        more = {one for one in about.keys() - kept if about[one] & wanted}
        if not more:
            return kept
        kept |= more
        wanted = wanted.union(*(one.uses for one in more))


def _reached(names: Iterable[str], bodies: dict[str, frozenset[str]]) -> set[str]:
    """The names, and those in the bodies of functions among them."""
    found, waiting = set(names), list(names)
    while waiting:
        new = bodies.get(waiting.pop(), frozenset()) - found
        found |= new
        waiting += new
    return found


def _only(source: str, statements: Set[Statement]) -> str:
    kept = {line for one in statements for line in one.lines}
    lines = enumerate(source.split("\n"))
    return "\n".join(line if number in kept else "" for number, line in lines)


def _statements(source: str) -> list[Statement]:
    lines = source.split("\n")
    return [_statement(node, lines) for node in ast.parse(source).body]


def _statement(node: ast.stmt, lines: list[str]) -> Statement:
    first = min(one.lineno for one in [node, *getattr(node, "decorator_list", [])])
    where = range(first - 1, node.end_lineno or first)
    text = "\n".join(lines[line] for line in where)
    table = symtable.symtable(text, "", "exec")
    at_once, names = {one.get_name() for one in table.get_symbols()}, names_in(text)
    made = (one for one in table.get_symbols() if one.is_assigned() or one.is_imported())
    inner = (one for child in table.get_children() for one in symbols(child))
    kind = _kind(node)
    return Statement(
        where,
        kind,
        frozenset(one.get_name() for one in made),
        frozenset(at_once if kind == "definition" else names),
        frozenset(names if kind == "definition" else ()),
        frozenset(one.get_name() for one in inner if one.is_declared_global()),
    )


def _kind(node: ast.stmt) -> str:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return "import"
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return "definition"
    plain = isinstance(node, ast.Assign) and all(
        isinstance(one, _PLAIN) for one in ast.walk(node.value)
    )
    return "plain" if plain else "other"
