"""A few lines of tensor code, and the same lines with edges of their graph cut."""

import ast
from collections.abc import Collection, Mapping
from dataclasses import dataclass

NONE, DETACH, NO_GRAD, REQUIRES_GRAD = "none", "detach", "no_grad", "requires_grad_(False)"


# Ways to cut an edge, and what learners may not know about them.
WAYS = {
    NONE: "",
    DETACH: "No gradient goes back through a detached use.",
    NO_GRAD: "Under no_grad(), nothing in the line is recorded.",
    REQUIRES_GRAD: "A leaf that doesn't require grad gets no gradient.",
}


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


def read_program(source: str, given: Collection[str] = ()) -> list[Line]:
    """The lines of a program; ValueError unless each assigns one expression to a new name.

    given: the names that have a value before the first line.
    """
    lines: list[Line] = []
    known = set(given)
    for number, statement in enumerate(ast.parse(source).body):
        match statement:
            case ast.Assign([ast.Name(target)], value) if target not in known:
                known.add(target)
                text = ast.unparse(value)
                lines.append(Line(target, text, _uses(number, text)))
            case _:
                text = ast.get_source_segment(source, statement) or ""
                raise ValueError(
                    f"each line must assign to one new name, such as y = x * 2; not {text!r}"
                )
    return lines


def _uses(line: int, text: str) -> tuple[Edge, ...]:
    tree = ast.walk(ast.parse(text, mode="eval"))
    names = [node for node in tree if isinstance(node, ast.Name)]
    names.sort(key=lambda node: node.col_offset)
    return tuple(Edge(line, node.col_offset, node.id) for node in names)


def cut_source(lines: list[Line], leaves: Collection[str], cuts: Mapping[Edge, str]) -> str:
    """The program with its cuts, as Python code."""
    frozen = {edge.name for edge, way in cuts.items() if way == REQUIRES_GRAD}
    written = [f"{name}.requires_grad_(False)" for name in leaves if name in frozen]
    for line in lines:
        text = f"{line.target} = {_detached(line, cuts)}"
        if any(cuts.get(edge) == NO_GRAD for edge in line.uses):
            text = f"with torch.no_grad():\n    {text}"
        written.append(text)
        if line.target in frozen:
            written.append(f"{line.target}.requires_grad_(False)")
    return "\n".join(written)


def _detached(line: Line, cuts: Mapping[Edge, str]) -> str:
    text = line.text
    for edge in reversed(line.uses):
        if cuts.get(edge) == DETACH:
            end = edge.column + len(edge.name)
            text = f"{text[:end]}.detach(){text[end:]}"
    return text
