"""Graphviz, wherever there is one, and Cairo for the files that aren't SVG.

The system's ``dot`` program comes first; without it pygraphviz, whose wheels carry Graphviz, so
that pip alone is enough. Both run as a process of their own: what Graphviz writes to stderr stays
out of the notebook, and a layout that takes too long can be ended. In a browser, where there are no
processes, Graphviz is WebAssembly.
"""

import importlib.util
import re
import shutil
import subprocess
import sys
from functools import lru_cache

IN_BROWSER: bool = sys.platform == "emscripten"
if IN_BROWSER:
    from minigrad.viz.draw import wasm

INSTALL = "pip install pygraphviz, or install Graphviz (https://graphviz.org/download)"
_LONGEST_SECONDS = 60
_KEPT = 64  # layouts: steps through one graph have the same
_PDF_DATE = re.compile(rb"/(?:CreationDate|ModDate) ?\(([^)]*)\)")
_PYGRAPHVIZ = """
import sys, pygraphviz
graph = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode())
sys.stdout.buffer.write(graph.draw(format="plain", prog="dot"))
"""


class RenderError(RuntimeError):
    """The picture could not be made; the message says what to do about it."""


@lru_cache(_KEPT)
def layout(source: str) -> str:
    """Lay out Graphviz ``source``: places in Graphviz's plain format.

    RenderError if there is no Graphviz, or if it doesn't do it within a minute.
    """
    try:
        return wasm.layout(source) if IN_BROWSER else _run(source)
    except (OSError, RuntimeError, subprocess.TimeoutExpired) as error:
        if isinstance(error, RenderError):
            raise
        raise RenderError(f"Graphviz did not draw the graph: {error}") from error


def _run(source: str) -> str:
    done = subprocess.run(
        _command(), input=source.encode(), capture_output=True, timeout=_LONGEST_SECONDS
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode(errors="replace").strip())
    return done.stdout.decode(errors="replace")


def _command() -> list[str]:
    dot = shutil.which("dot")
    if dot is not None:
        return [dot, "-Tplain"]
    if importlib.util.find_spec("pygraphviz") is not None:
        return [sys.executable, "-P", "-c", _PYGRAPHVIZ]
    raise RenderError(f"There is no Graphviz to draw with. To see graphs drawn: {INSTALL}")


def convert(svg: str, file_format: str) -> bytes:
    """An SVG picture as ``"png"``, twice as large for dense screens, or as ``"pdf"``.

    RenderError without CairoSVG, or without the Cairo library that it needs.
    """
    try:
        import cairosvg
    except (ImportError, OSError) as error:
        hint = 'pip install cairosvg, which needs the Cairo library, or save as ".svg" or ".html"'
        raise RenderError(f"There is no CairoSVG to write .{file_format}: {hint}") from error
    svg = re.sub(r'(<svg [^>]*?) style="[^"]*"', r"\1", svg)  # for Cairo an automatic height is 0
    if file_format == "png":
        return bytes(cairosvg.svg2png(svg.encode(), scale=2))
    return _PDF_DATE.sub(_without_date, cairosvg.svg2pdf(svg.encode()))


def _without_date(match: re.Match[bytes]) -> bytes:
    """As many bytes, so that the offsets in the PDF stay right."""
    return match[0].replace(match[1], b"D:20000101000000Z".ljust(len(match[1]))[: len(match[1])])
