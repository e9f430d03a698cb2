"""What a browser draws a graph from, and a page that needs nothing else."""

import json
from dataclasses import asdict
from html import escape
from typing import Any

from minigrad.viz.draw.bundled import code
from minigrad.viz.draw.changes import keys
from minigrad.viz.draw.details import details
from minigrad.viz.draw.dot import dot_source
from minigrad.viz.draw.folded import Folded
from minigrad.viz.draw.folding import fold, folds
from minigrad.viz.draw.marks import Marks
from minigrad.viz.draw.outline import outline
from minigrad.viz.draw.text import Words, shorten
from minigrad.viz.draw.theme import THEMES
from minigrad.viz.read.notes import Line
from minigrad.viz.read.snapshot import Node, Snapshot, Tensor

_LONGEST_LINE = 80

# Nothing may be fetched; what is inside may run, and Graphviz may be WebAssembly in a worker.
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; worker-src blob:; "
    "script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:"
)
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
const {{ standalone }} = await import(url(data.live));
standalone(url(data.graphviz), data.states, document.getElementById("graph"));
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


def browser_state(
    view: Snapshot, marks: Marks, known: dict[str, str], direction: str | None = None
) -> dict[str, Any]:
    """The traits of a widget that follow from what it shows.

    known: the keys of all parts of the snapshot that is shown, by ``keys``.
    """
    opened = {node.id: f"fold {node.key}" for node in folds(view)}
    shown = {node.id for node in view.nodes} | {tensor.id for tensor in view.tensors}
    return {
        "dot": dot_source(view, THEMES["light"], direction, marks, live=True),
        "summary": marks.title or Words(view).summary,
        "outline": outline(view, marks),
        "parts": {part: opened.get(part, key) for part, key in known.items() if part in shown},
        "details": details(view, marks),
        "lines": [
            (shorten(str(line), _LONGEST_LINE), parts) for line, parts in _made_by_line(view)
        ],
    }


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
    """The colours that the browser chooses from."""
    return {name: asdict(theme) for name, theme in THEMES.items()}


def standalone_page(snapshot: Snapshot, marks: Marks, direction: str | None = None) -> str:
    """An HTML file that shows the graph as a notebook does, without a kernel and a network."""
    view, known = fold(snapshot, marks=marks), keys(snapshot)
    states = {"": _state(view, marks, known, direction)}
    for folded in folds(view):
        opened = _state(fold(snapshot, {folded.key}, marks), marks, known, direction)
        states[folded.key] = {**opened, "unfolded": [folded.key], "news": "Unfolded"}
    data = {"live": code("live.js"), "graphviz": code("graphviz.js"), "states": states}
    return _PAGE.format(
        policy=_POLICY,
        title=escape(states[""]["summary"]),
        outline=escape(states[""]["outline"]),
        light=THEMES["light"].background,
        dark=THEMES["dark"].background,
        data=json.dumps(data).replace("<", "\\u003c"),  # so that no text in it ends the script
    )


def _state(
    view: Snapshot, marks: Marks, known: dict[str, str], direction: str | None
) -> dict[str, Any]:
    state = browser_state(view, marks, known, direction)
    return {**state, "themes": themes(), "unfolded": [], "news": ""}
