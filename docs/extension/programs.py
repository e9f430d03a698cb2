"""Programs in pages, run while the site is built: `{run}`.

The code is shown, and below it what a notebook would show: what is printed, and the value of the
last line, such as a picture. The programs of a page share their variables. With the option
`:raises:` the error is shown, too, and without it the build ends there.
"""

from __future__ import annotations

import ast
import contextlib
import io
import traceback
import warnings
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from docs.extension.graphs import figure
from minigrad.viz import Drawing


class RunDirective(SphinxDirective):
    """Code, and what it shows."""

    has_content = True
    option_spec = {"raises": directives.flag}  # noqa: RUF012

    def run(self) -> list[nodes.Node]:
        source = "\n".join(self.content)
        space = self.env.temp_data.setdefault("program", {"__name__": "__main__"})
        printed, value = run_program(source, space, "raises" in self.options)
        shown: list[nodes.Node] = [nodes.literal_block(source, source, language="python")]
        text = printed if isinstance(value, Drawing | None) else f"{printed}{value!r}\n"
        if text:
            shown.append(nodes.literal_block(text, text, language="text", classes=["shown"]))
        if isinstance(value, Drawing):
            shown.append(nodes.raw("", figure(value), format="html"))
        return shown


def run_program(source: str, space: dict[str, Any], raises: bool) -> tuple[str, object]:
    """What a program prints, its warnings and its error included, and the value of its last line.

    raises: whether it must raise an error; AssertionError if it doesn't.
    """
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            exec(compile(tree, "program", "exec"), space)
            if last is not None:
                value = eval(compile(ast.Expression(last.value), "program", "eval"), space)
        except Exception as error:
            if not raises:
                raise
            printed.write("".join(traceback.format_exception_only(error)))
        else:
            assert not raises, f"this raises no error:\n{source}"
    said = [f"{one.category.__name__}: {one.message}\n" for one in warned]
    return "".join(said) + printed.getvalue(), value


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("run", RunDirective)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
