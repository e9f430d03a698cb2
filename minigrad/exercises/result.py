"""What check, hint and solution show: text, and the same for a page."""

import html
import re
from dataclasses import dataclass, field
from typing import Any

from minigrad.exercises.exercise import Exercise, Slip
from minigrad.exercises.misconceptions import MISCONCEPTIONS
from minigrad.viz.draw.drawing import Drawing

NOT_ATTEMPTED, NOT_YET, RIGHT = "not attempted", "not yet", "right"

_SIGNS = {NOT_ATTEMPTED: "○", NOT_YET: "→", RIGHT: "✓"}
# Okabe and Ito's, which are told apart with any eyes; the words and the sign say the same.
_COLORS = {NOT_ATTEMPTED: "#767676", NOT_YET: "#d55e00", RIGHT: "#009e73"}


@dataclass(frozen=True, repr=False)
class Told:
    """A heading and some paragraphs, in the little Markdown that `page` knows."""

    heading: str
    message: str

    @property
    def color(self) -> str:
        """The color of the bar beside it."""
        return "#0072b2"

    def __str__(self) -> str:
        return f"{self.heading}\n\n{self.message}" if self.message else self.heading

    def __repr__(self) -> str:
        return f"<{self._short()}>"

    def _short(self) -> str:
        return self.heading

    def _html_(self) -> str:
        return page(self.message)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def html(self) -> str:
        """Heading and message as HTML."""
        heading = f"<div><strong>{html.escape(self.heading)}</strong></div>"
        style = f"border-left: 4px solid {self.color}; padding: 0.2em 0.8em 0.4em; max-width: 50em"
        return f'<div style="{style}">{heading}{self._html_()}</div>'

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return {"text/plain": str(self), "text/html": self.html()}


@dataclass(frozen=True, repr=False)
class Result(Told):
    """What `check` found out.

    outcome: "not attempted", "not yet" or "right". misconception: the number of the one that the
    answer shows; slip: the name of another mistake that the exercise knows. drawing: the graph.
    buttons: a widget that shows the same with buttons for help, in a notebook.
    """

    exercise: str
    outcome: str
    misconception: int | None = None
    slip: str | None = None
    drawing: Drawing | None = None
    buttons: Any = field(default=None, compare=False)

    @property
    def color(self) -> str:
        """The color of the outcome."""
        return _COLORS[self.outcome]

    def _short(self) -> str:
        shows = f", misconception {self.misconception}" if self.misconception else ""
        return f"{self.exercise}: {self.outcome}{shows}"

    def __str__(self) -> str:
        drawn = [repr(self.drawing)] if self.drawing else []
        return "\n\n".join([super().__str__(), *drawn, *self._stuck()])

    def _html_(self) -> str:
        drawn = f"<div>{self.drawing.svg()}</div>" if self.drawing else ""
        stuck = [] if self.buttons else self._stuck()
        return super()._html_() + drawn + "".join(map(page, stuck))

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        view = self.buttons._repr_mimebundle_(**options) if self.buttons else {}
        return {**view, **super()._repr_mimebundle_()}

    def _stuck(self) -> list[str]:
        """What to do next, where the answer is not yet right."""
        return [f'Stuck? `hint("{self.exercise}")`'] if self.outcome == NOT_YET else []


def result(
    exercise: Exercise,
    outcome: str,
    message: str,
    shows: int | str | None = None,
) -> Result:
    """A Result with its heading and, after the message, the belief behind the answer."""
    misconception = shows if isinstance(shows, int) else None
    slip = shows if isinstance(shows, str) else None
    if misconception is not None:
        about = MISCONCEPTIONS[misconception]
        message += f"\n\nA common belief: *{about.belief}* In fact: {about.fact}"
    return _result(exercise, outcome, message, misconception, slip)


def slip_result(exercise: Exercise, slip: Slip, drawing: Drawing | None = None) -> Result:
    """The Result of an answer that shows a known slip."""
    outcome = RIGHT if slip.accepted else NOT_YET
    return _result(exercise, outcome, slip.says, slip.misconception, slip.name, drawing)


def _result(exercise: Exercise, outcome: str, message: str, *more: Any) -> Result:
    heading = f"{_SIGNS[outcome]} {exercise.title}: {outcome}"
    return Result(heading, message, exercise.id, outcome, *more)


def page(text: str) -> str:
    """A little Markdown as HTML: paragraphs, indented blocks, `code`, *emphasis*, **bold**."""
    blocks = re.split(r"\n\s*\n", text.strip("\n"))
    return "".join(map(_block, blocks)) if text else ""


def _block(block: str) -> str:
    lines = block.split("\n")
    if all(line.startswith("    ") for line in lines):
        text = html.escape("\n".join(line[4:] for line in lines), quote=False)
        style = "margin: 0.6em 1.2em; word-break: normal; overflow-wrap: anywhere"
        return f'<pre style="{style}">{text}</pre>'
    # Code first, and out of the way: an asterisk in it is a product.
    codes = re.findall(r"`([^`]+)`", block)
    text = html.escape(re.sub(r"`[^`]+`", "\0", block), quote=False)
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"\*(\S(?:.*?\S)?)\*", r"<em>\1</em>", text).replace("\n", "<br>")
    for code in codes:
        text = text.replace("\0", f"<code>{html.escape(code, quote=False)}</code>", 1)
    return f'<p style="margin: 0.4em 0">{text}</p>'
