"""Directives that show examples, and the live pages and colours that these need.

```{graph} 04a_diamond       one example's live graph and its text
```{gallery}                 all examples
"""

from __future__ import annotations

from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from docs.extension.examples import Example, examples
from minigrad.viz.draw.theme import THEMES


def frame(example: Example, docname: str) -> nodes.raw:
    """The example's live graph, loaded when it is scrolled to."""
    address = "../" * docname.count("/") + example.page
    title = f"Live graph: {example.title}"
    text = (
        f'<iframe class="live-graph" src="{address}" title="{escape(title)}" loading="lazy">'
        "</iframe>\n"
        f'<p class="live-graph-link"><a href="{address}">Open this graph alone</a></p>'
    )
    return nodes.raw("", text, format="html")


class GraphDirective(SphinxDirective):
    """The live graph of one example, where a lesson speaks of it."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        example = {example.name: example for example in examples()}[self.arguments[0]]
        box = nodes.container("", classes=["live-example"])
        box += self.parse_text_to_nodes(f"**Live: {example.title}.** {example.text}")
        box += frame(example, self.env.docname)
        self.env.note_dependency(str(Path(__file__).parents[1] / "gallery" / f"{example.name}.py"))
        return [box]


class GalleryDirective(SphinxDirective):
    """All examples: program, picture, live graph."""

    def run(self) -> list[nodes.Node]:
        shown: list[nodes.Node] = []
        for example in examples():
            section = nodes.section(ids=[nodes.make_id(example.name)], names=[example.name])
            section += nodes.title("", example.title)
            place = f"(Lesson [{example.lesson[:2]}](/lessons/{example.lesson}.ipynb))"
            section += self.parse_text_to_nodes(f"{example.text} {place}")
            section += nodes.literal_block(example.program, example.program, language="python")
            section += nodes.raw("", picture(example), format="html")
            live = frame(example, self.env.docname).astext()
            live = f"<details><summary>Live graph</summary>\n{live}</details>"
            section += nodes.raw("", live, format="html")
            shown.append(section)
        return shown


def picture(example: Example) -> str:
    """The static picture of an example."""
    return f'<figure class="graph">{example.drawing().svg()}</figure>'


def colours() -> str:
    """CSS: pictures are drawn for light pages; on a dark one each colour becomes its dark one."""
    light, dark = (asdict(THEMES[name]) for name in ("light", "dark"))
    pairs = sorted({(light[role], dark[role]) for role in light})
    rules = " ".join(
        f'[{kind}="{bright}"] {{ {kind}: {dim} }}'
        for bright, dim in pairs
        for kind in ("fill", "stroke")
    )
    return (
        f'body[data-theme="dark"] figure.graph svg {{ {rules} }}\n'
        "@media (prefers-color-scheme: dark) {\n"
        f'  body:not([data-theme="light"]) figure.graph svg {{ {rules} }}\n'
        "}\n"
    )


def write_files(app: Sphinx) -> None:
    """The live pages and the colours, beside the pages that show them."""
    if app.builder.format != "html":
        return
    (Path(app.outdir) / "graphs").mkdir(parents=True, exist_ok=True)
    for example in examples():
        example.drawing().save(Path(app.outdir) / example.page)
    static = Path(app.outdir) / "_static"
    static.mkdir(exist_ok=True)
    (static / "graphs.css").write_text(colours(), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("graph", GraphDirective)
    app.add_directive("gallery", GalleryDirective)
    app.connect("builder-inited", write_files)
    app.add_css_file("graphs.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
