"""What search engines and links elsewhere say of a page: its description, and the site's card."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from docs.extension.examples import examples
from minigrad.viz.draw.render import convert

_LONGEST = 160
_CARD = """<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630">
<rect width="1200" height="630" fill="#fff"/>
<g font-family="Helvetica, Arial, 'Liberation Sans', sans-serif" fill="#1b1f24">
<text x="80" y="130" font-size="76" font-weight="bold">minigrad</text>
<text x="80" y="196" font-size="34">PyTorch's autograd, small enough to read,</text>
<text x="80" y="242" font-size="34">and lessons that show it at work</text>
</g>
<g transform="translate(80 310) scale(1.24)">{picture}</g>
</svg>"""


def describe(
    app: Sphinx, name: str, _template: str, context: dict[str, Any], page: nodes.document | None
) -> None:
    """Say what a page begins with, what its title is, and where its picture is."""
    start = next(page.findall(nodes.paragraph), None) if page is not None else None
    text = " ".join(start.astext().split()) if start is not None else app.config.html_title
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 3].rpartition(" ")[0] + " ..."
    base = app.config.html_baseurl
    found = {
        "og:type": "website",
        "og:title": context.get("title", app.config.html_title),
        "og:description": text,
        "og:url": f"{base}{name}.html",
        "og:image": f"{base}_static/card.png",
    }
    tags = [f'<meta name="description" content="{escape(text)}">']
    tags += [f'<meta property="{key}" content="{escape(it)}">' for key, it in found.items()]
    context["metatags"] = context.get("metatags", "") + "\n".join(tags)


def write_card(app: Sphinx) -> None:
    """Draw the picture that links to the site show."""
    if app.builder.format == "html":
        graph = next(example for example in examples() if example.name == app.config.card_graph)
        card = _CARD.format(picture=graph.drawing().svg())
        static = Path(app.outdir) / "_static"
        static.mkdir(parents=True, exist_ok=True)
        (static / "card.png").write_bytes(convert(card, "png"))


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_config_value("card_graph", "", "html")
    app.connect("builder-inited", write_card)
    app.connect("html-page-context", describe)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
