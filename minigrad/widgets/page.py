"""The pieces of which instruments are made on the page."""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any

import ipywidgets
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from minigrad.viz.backward.answers import Verdict


def html(value: str = "") -> ipywidgets.HTML:
    """A piece of HTML."""
    return ipywidgets.HTML(value)


def row(*widgets: ipywidgets.Widget) -> ipywidgets.HBox:
    """Controls side by side, in as many lines as the window needs."""
    layout = ipywidgets.Layout(flex_flow="row wrap", align_items="center", grid_gap="4px 8px")
    return ipywidgets.HBox(widgets, layout=layout)


def button(text: str, tooltip: str, action: Callable[[], object], **more: Any) -> ipywidgets.Button:
    """A button as wide as its text; the tooltip says what it does."""
    layout = ipywidgets.Layout(width="auto")
    made = ipywidgets.Button(description=text, tooltip=tooltip, layout=layout, **more)
    made.on_click(lambda _: action())
    return made


def beside(*widgets: ipywidgets.Widget) -> ipywidgets.HBox:
    """Columns side by side, or below each other in a narrow window."""
    return ipywidgets.HBox(widgets).add_class("mg-beside")


def dropdown(
    name: str, options: Iterable[Any], width: float, label: float = 5
) -> ipywidgets.Dropdown:
    """A list to choose from; its width, and that of its name, are in em."""
    return ipywidgets.Dropdown(options=tuple(options), description=name, **_look(width, label))


def number(name: str, low: int, high: int, label: float = 5) -> ipywidgets.BoundedIntText:
    """A field for a whole number."""
    return ipywidgets.BoundedIntText(low, low, high, description=name, **_look(12, label))


def _look(width: float, label: float) -> dict[str, Any]:
    layout = ipywidgets.Layout(width=f"{width:.1f}em", max_width="100%")
    return {"layout": layout, "style": {"description_width": f"{label:.1f}em"}}


def html_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], current: int | None = None
) -> str:
    """A table as HTML, nothing without rows; ``current`` is the row that the question is about."""
    if not rows:
        return ""
    top = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    lines = []
    for index, cells in enumerate(rows):
        here = ' class="mg-current" aria-current="true"' if index == current else ""
        body = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        lines.append(f"<tr{here}>{body}</tr>")
    return (
        '<div class="mg-scroll" tabindex="0"><table>'
        f"<thead><tr>{top}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
    )


def muted(text: str) -> str:
    """A remark in gray."""
    return f'<div class="mg-muted">{escape(text)}</div>'


def message(text: str) -> str:
    """A sentence that a screen reader says when it appears."""
    return f'<div class="mg-verdict" role="status">{escape(text)}</div>' if text else ""


def verdict(judged: Verdict | None) -> str:
    """A verdict; its first word tells right from wrong, as the color does."""
    if judged is None:
        return ""
    first, colon, rest = judged.text.partition(":")
    kind = "mg-is-right" if judged.right else "mg-is-wrong"
    text = f"<b>{escape(first)}{colon}</b>{escape(rest)}"
    return f'<div class="mg-verdict {kind}" role="status">{text}</div>'


def error(text: str) -> str:
    """What a program raised, word for word."""
    return f'<pre class="mg-error">{escape(text)}</pre>' if text else ""


def highlighted(source: str) -> list[str]:
    """The lines of a program as HTML, in the colors of the notebook's editor."""
    lines: str = highlight(source, PythonLexer(stripnl=False), HtmlFormatter(nowrap=True))
    return lines.splitlines()


def code(lines: Sequence[str]) -> str:
    """Lines of HTML as a program."""
    return f'<pre class="mg-code">{"<br>".join(lines)}</pre>'
