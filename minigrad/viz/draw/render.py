"""Graphviz source to a picture, with whatever Graphviz there is.

The system's ``dot`` program comes first; without it pygraphviz, whose wheels carry Graphviz, so
that pip alone is enough. Both run as a process of their own: what Graphviz writes to stderr stays
out of the notebook, and a layout that takes too long can be ended. In a browser, where there are no
processes, it is the live graph's Graphviz.
"""

import importlib.util
import re
import shutil
import subprocess
import sys

IN_BROWSER: bool = sys.platform == "emscripten"
if IN_BROWSER:
    from minigrad.viz.draw import wasm

INSTALL = "pip install pygraphviz, or install Graphviz (https://graphviz.org/download)"
_LONGEST_SECONDS = 60
_PDF_DATE = re.compile(rb"/(?:CreationDate|ModDate) ?\(([^)]*)\)")
_PYGRAPHVIZ = """
import sys, pygraphviz
graph = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode())
sys.stdout.buffer.write(graph.draw(format=sys.argv[1], prog="dot", args=sys.argv[2]))
"""


class RenderError(RuntimeError):
    """The picture could not be made; the message says what to do about it."""


def render(source: str, file_format: str) -> bytes:
    """Lay out Graphviz ``source`` and return it as ``"svg"``, ``"png"`` or ``"pdf"``.

    RenderError if there is no Graphviz, or if it does not do it within a minute; in a browser for
    all but SVG.
    """
    if IN_BROWSER:
        return _in_browser(source, file_format)
    try:
        done = subprocess.run(
            _command(file_format),
            input=source.encode(),
            capture_output=True,
            timeout=_LONGEST_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RenderError(f"Graphviz did not draw the graph: {error}") from error
    if done.returncode != 0:
        reason = done.stderr.decode(errors="replace").strip()
        raise RenderError(f"Graphviz did not draw the graph: {reason}")
    return _PDF_DATE.sub(_without_date, done.stdout) if file_format == "pdf" else done.stdout


def _in_browser(source: str, file_format: str) -> bytes:
    if file_format != "svg":
        raise RenderError(f"A browser draws no .{file_format}. Save as .svg, .html or .json there.")
    try:
        return wasm.layout(source)
    except RuntimeError as error:
        raise RenderError(f"Graphviz did not draw the graph: {error}") from error


def _command(file_format: str) -> list[str]:
    options = ["-Gdpi=192"] if file_format == "png" else []  # sharp on a dense screen
    dot = shutil.which("dot")
    if dot is not None:
        return [dot, f"-T{file_format}", *options]
    if importlib.util.find_spec("pygraphviz") is not None:
        return [sys.executable, "-P", "-c", _PYGRAPHVIZ, file_format, " ".join(options)]
    raise RenderError(f"There is no Graphviz to draw with. To see graphs drawn: {INSTALL}")


def _without_date(match: re.Match[bytes]) -> bytes:
    """As many bytes, so that the offsets in the PDF stay right."""
    return match[0].replace(match[1], b"D:20000101000000Z".ljust(len(match[1]))[: len(match[1])])
