"""Directives that show examples and live pages, and the colors of pictures.

```{graph} 04a_diamond       one example's live graph and its text
```{gallery}                 all examples
```{live} graphs/x.html      a live page; its title is the directive's content
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from docs.extension.examples import examples
from docs.extension.live import example_frame, frame
from minigrad.viz import Drawing
from minigrad.viz.draw.svg import stylesheet
from minigrad.viz.draw.theme import THEMES


class GraphDirective(SphinxDirective):
    """The live graph of one example, where a lesson speaks of it."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        example = {example.name: example for example in examples()}[self.arguments[0]]
        box = nodes.container("", classes=["live-example"])
        box += self.parse_text_to_nodes(f"**Live: {example.title}.** {example.text}")
        box += nodes.raw("", example_frame(example, self.env.docname), format="html")
        self.env.note_dependency(str(Path(__file__).parents[1] / "gallery" / f"{example.name}.py"))
        return [box]


class LiveDirective(SphinxDirective):
    """A live page by itself."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        text = frame(self.arguments[0], " ".join(self.content), self.env.docname)
        return [nodes.raw("", text, format="html")]


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
            section += nodes.raw("", figure(example.drawing()), format="html")
            live = example_frame(example, self.env.docname)
            live = f"<details><summary>Live graph</summary>\n{live}</details>"
            section += nodes.raw("", live, format="html")
            shown.append(section)
        return shown


def figure(drawing: Drawing) -> str:
    """A picture that stays as it is."""
    return f'<figure class="graph">{drawing.svg()}</figure>'


def colors() -> str:
    """CSS: a picture has the theme that the reader has chosen for the site.

    Without a choice it follows the system by itself. A picture of text has its colors as
    attributes, which are those of a light page: on a dark one each becomes its dark one.
    """
    light, dark = (asdict(THEMES[name]) for name in ("light", "dark"))
    pairs = sorted({(light[role], dark[role]) for role in light})
    rules = " ".join(
        f'[{kind}="{bright}"] {{ {kind}: {dim} }}'
        for bright, dim in pairs
        for kind in ("fill", "stroke")
    )
    chosen = (
        stylesheet(f'body[data-theme="{name}"] figure.graph .minigrad-picture', asdict(theme))
        for name, theme in THEMES.items()
    )
    return "".join(chosen) + (
        f'body[data-theme="dark"] figure.graph svg {{ {rules} }}\n'
        "@media (prefers-color-scheme: dark) {\n"
        f'  body:not([data-theme="light"]) figure.graph svg {{ {rules} }}\n'
        "}\n"
    )


def write_colors(app: Sphinx) -> None:
    """The colors, beside the pages that show pictures."""
    if app.builder.format == "html":
        static = Path(app.outdir) / "_static"
        static.mkdir(parents=True, exist_ok=True)
        (static / "graphs.css").write_text(colors(), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("graph", GraphDirective)
    app.add_directive("live", LiveDirective)
    app.add_directive("gallery", GalleryDirective)
    app.connect("builder-inited", write_colors)
    app.add_css_file("graphs.css")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
