"""What a browser draws a graph from, and a page that needs nothing else."""

from dataclasses import asdict
from html import escape
from typing import Any

from minigrad.viz.draw.bundled import code, script_data
from minigrad.viz.draw.changes import keys
from minigrad.viz.draw.details import details
from minigrad.viz.draw.folded import Folded
from minigrad.viz.draw.folding import folds
from minigrad.viz.draw.picture import Picture
from minigrad.viz.draw.render import RenderError
from minigrad.viz.draw.svg import stylesheet
from minigrad.viz.draw.text import shorten
from minigrad.viz.draw.theme import THEMES
from minigrad.viz.read.notes import Line
from minigrad.viz.read.snapshot import Node, Snapshot, Tensor

_LONGEST_LINE = 80

# Nothing may be fetched; what is inside may run.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' blob:"
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ margin: 12px; background: {light}; }}
@media (prefers-color-scheme: dark) {{
  body:not([data-jp-theme-light]) {{ background: {dark}; }}
}}
body[data-jp-theme-light="false"] {{ background: {dark}; }}
</style>
</head>
<body>
<main id="graph"></main>
<noscript><pre>{outline}</pre></noscript>
<script type="application/json" id="data">{data}</script>
<script type="module">
const data = JSON.parse(document.getElementById("data").textContent);
const url = code => URL.createObjectURL(new Blob([code], {{ type: "text/javascript" }}));
const live = await import(url(data.live));
const place = document.getElementById("graph");
{show}
// A page that embeds this one may say its theme, as in graph.html#dark, and is told the height.
const follow = () => {{
  const theme = location.hash.slice(1);
  if (["light", "dark"].includes(theme)) {{
    document.body.dataset.jpThemeLight = theme === "light";
  }} else {{
    delete document.body.dataset.jpThemeLight;
  }}
}};
follow();
addEventListener("hashchange", follow);
const room = () => document.body.getBoundingClientRect().height + 24;
new ResizeObserver(() => parent.postMessage({{ minigradHeight: room() }}, "*"))
  .observe(document.body);
</script>
</body>
</html>
"""


def browser_state(picture: Picture, known: dict[str, str]) -> dict[str, Any]:
    """The traits of a widget that follow from what it shows.

    known: the keys of all parts of the snapshot that is shown, by ``keys``.
    """
    view = picture.view
    opened = {node.id: f"fold {node.key}" for node in folds(view)}
    shown = {node.id for node in view.nodes} | {tensor.id for tensor in view.tensors}
    return {
        "svg": _svg(picture),
        "summary": picture.title,
        "outline": picture.outline,
        "parts": {part: opened.get(part, key) for part, key in known.items() if part in shown},
        "details": details(view, picture.marks, picture.detail),
        "lines": [
            (shorten(str(line), _LONGEST_LINE), parts) for line, parts in _made_by_line(view)
        ],
    }


def hops(picture: Picture) -> list[list[str]]:
    """The edges along which the last backward pass went, turn by turn, as the SVG names them."""
    nodes = {node.id: node for node in picture.view.nodes}
    ends = [tensor for tensor in picture.view.tensors if tensor.node in picture.snapshot.turns[:1]]
    found = [[f"{tensor.id}:0" for tensor in ends if not tensor.is_leaf]]
    for part in picture.snapshot.turns:
        passed = nodes[part].passed if part in nodes else ()
        found.append([f"{part}:{i}" for i, value in enumerate(passed) if value is not None])
    return [edges for edges in found if edges]


def _svg(picture: Picture) -> str:
    """The picture; nothing where there is no Graphviz, and the outline is shown instead."""
    try:
        return picture.svg
    except RenderError:
        return ""


def _made_by_line(view: Snapshot) -> list[tuple[Line, list[str]]]:
    """What each line of the program made, in the program's order, as far as a recording saw it."""
    found: dict[Line, list[str]] = {}
    parts: list[Node | Tensor] = [*view.nodes, *view.tensors]
    for part in parts:
        made = part.made_by if isinstance(part, Folded) else (part.made,)
        for line in filter(None, made):
            found.setdefault(line, []).append(part.id)
    return sorted(found.items(), key=lambda item: item[0].place)


def themes() -> dict[str, dict[str, str]]:
    """The colors that the browser chooses from."""
    return {name: asdict(theme) for name, theme in THEMES.items()}


def style() -> str:
    """The rules for pictures in a page, whose colors are variables."""
    names = {name: f"var(--minigrad-{name})" for name in asdict(THEMES["light"])}
    return stylesheet(".minigrad-live .minigrad-picture", names)


def standalone_page(picture: Picture) -> str:
    """An HTML file that shows the graph as a notebook does, without a kernel and a network.

    RenderError where there is no Graphviz to lay it out.
    """
    known = keys(picture.snapshot)
    states = {"": _state(picture, known)}
    for folded in folds(picture.view):
        opened = _state(picture.unfold({folded.key}), known)
        states[folded.key] = {**opened, "unfolded": [folded.key], "news": "Unfolded"}
    show = "live.standalone(data.states, place);"
    return page(picture.title, picture.outline, {"states": states}, show)


def page(title: str, outline: str, data: dict[str, Any], show: str) -> str:
    """An HTML file without a kernel and a network, for what ``live.js`` can show.

    show: JavaScript that shows ``data`` in ``place`` with what the module ``live`` exports. The
    outline is there for who runs no scripts.
    """
    return _PAGE.format(
        policy=_POLICY,
        title=escape(title),
        outline=escape(outline),
        light=THEMES["light"].background,
        dark=THEMES["dark"].background,
        data=script_data({"live": code("live.js"), **data}),
        show=show,
    )


def _state(picture: Picture, known: dict[str, str]) -> dict[str, Any]:
    state = {**browser_state(picture, known), "svg": picture.svg}  # which a page can't do without
    return {**state, "stylesheet": style(), "themes": themes(), "unfolded": [], "news": ""}
