"""A directive that documents all functions of the package, from their docstrings: `{functions}`."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from docs.extension.names import function_names


class FunctionsDirective(SphinxDirective):
    def run(self) -> list[nodes.Node]:
        lines = [f".. autofunction:: minigrad.{name}" for name in function_names()]
        text = "\n".join(["```{eval-rst}", *lines, "```"])
        return self.parse_text_to_nodes(text)


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("functions", FunctionsDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
