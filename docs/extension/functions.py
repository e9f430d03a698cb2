"""Directives that list names: `{functions}` documents all functions, `{surface}` has all names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from docs.extension.names import function_names

# One name a line; the tests keep it so.
SURFACE = Path(__file__).parents[2] / "tests" / "data" / "surface.txt"


class FunctionsDirective(SphinxDirective):
    def run(self) -> list[nodes.Node]:
        lines = [f".. autofunction:: minigrad.{name}" for name in function_names()]
        text = "\n".join(["```{eval-rst}", *lines, "```"])
        return self.parse_text_to_nodes(text)


class SurfaceDirective(SphinxDirective):
    """Every public name, by the module or class that it belongs to."""

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(SURFACE))
        owners: dict[str, list[str]] = {}
        for name in SURFACE.read_text(encoding="utf-8").split():
            owner, _, last = name.rpartition(".")
            owners.setdefault(owner, []).append(f"`{last}`")
        rows = [f"| `{owner}` | {' '.join(names)} |" for owner, names in owners.items()]
        return self.parse_text_to_nodes("\n".join(["| in | names |", "| --- | --- |", *rows]))


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("functions", FunctionsDirective)
    app.add_directive("surface", SurfaceDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
