"""Programs as HTML, in the colors of the notebook's editor."""

from __future__ import annotations

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer


def highlighted(source: str) -> list[str]:
    """The lines of a program, each as HTML."""
    html: str = highlight(source, PythonLexer(stripnl=False), HtmlFormatter(nowrap=True))
    return html.splitlines()
