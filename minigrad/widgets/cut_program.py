"""A few lines of tensor code, and the same with edges of its graph cut."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from dataclasses import dataclass

NONE, DETACH, NO_GRAD, REQUIRES_GRAD = "none", "detach", "no_grad", "requires_grad_(False)"
WAYS = (NONE, DETACH, NO_GRAD, REQUIRES_GRAD)


@dataclass(frozen=True)
class Edge:
    """One use of a tensor: ``name`` on the right side of a line, at a column; both from 0."""

    line: int
    column: int
    name: str


@dataclass(frozen=True)
class Line:
    """One assignment: its target, and the names that it uses, in order."""

    target: str
    text: str
    uses: tuple[Edge, ...]


def read_program(source: str) -> list[Line]:
    """The lines of a program; ValueError unless each assigns one expression to one name."""
    lines = []
    for statement in ast.parse(source).body:
        text = ast.get_source_segment(source, statement) or ""
        if not (
            isinstance(statement, ast.Assign)
            and len(statement.targets) == 1
            and isinstance(statement.targets[0], ast.Name)
        ):
            raise ValueError(f"each line must assign to one name, such as y = x * 2; not {text!r}")
        lines.append((statement.targets[0].id, statement.value))
    return [
        Line(target, ast.unparse(value), _uses(i, value)) for i, (target, value) in _each(lines)
    ]


def _each(lines: list[tuple[str, ast.expr]]) -> list[tuple[int, tuple[str, ast.expr]]]:
    """The lines with their numbers, each expression with columns as it is written out anew."""
    return [
        (i, (target, ast.parse(ast.unparse(value), mode="eval").body))
        for i, (target, value) in enumerate(lines)
    ]


def _uses(line: int, value: ast.expr) -> tuple[Edge, ...]:
    names = [node for node in ast.walk(value) if isinstance(node, ast.Name)]
    names.sort(key=lambda node: node.col_offset)
    return tuple(Edge(line, node.col_offset, node.id) for node in names)


def cut_source(lines: list[Line], leaves: Collection[str], cuts: Mapping[Edge, str]) -> str:
    """The program with its cuts, as Python that does just that."""
    frozen = {edge.name for edge, way in cuts.items() if way == REQUIRES_GRAD}
    written = [f"{name}.requires_grad_(False)" for name in leaves if name in frozen]
    for number, line in enumerate(lines):
        text = f"{line.target} = {_detached(line, cuts)}"
        if any(cuts.get(edge) == NO_GRAD for edge in line.uses):
            text = f"with torch.no_grad():\n    {text}"
        written.append(text)
        last = all(line.target != later.target for later in lines[number + 1 :])
        if line.target in frozen and last:
            written.append(f"{line.target}.requires_grad_(False)")
    return "\n".join(written)


def _detached(line: Line, cuts: Mapping[Edge, str]) -> str:
    text = line.text
    for edge in reversed(line.uses):
        if cuts.get(edge) == DETACH:
            end = edge.column + len(edge.name)
            text = f"{text[:end]}.detach(){text[end:]}"
    return text
