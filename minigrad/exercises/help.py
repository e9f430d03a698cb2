"""The buttons below a verdict: the next hint, and the solution once there was an attempt."""

from collections.abc import Callable

import ipywidgets

from minigrad.exercises.result import NOT_ATTEMPTED, Result, Told
from minigrad.widgets.base import STYLE
from minigrad.widgets.page import button, html


class Help(ipywidgets.VBox):  # type: ignore[misc]
    """A verdict with its buttons. hint, solution: what they show, each time they are pressed."""

    def __init__(
        self, found: Result, hint: Callable[[], Told], solution: Callable[[], Told]
    ) -> None:
        self._shown = html()
        self.hint = button("Hint", "Show the next hint", lambda: self._show(hint()))
        self.solution = button("Solution", "Show the solution", lambda: self._show(solution()))
        self.solution.disabled = found.outcome == NOT_ATTEMPTED
        buttons = ipywidgets.HBox([self.hint, self.solution])
        super().__init__([html(STYLE), html(found.html()), buttons, self._shown])
        self.add_class("minigrad-instrument").add_class("minigrad-help")

    def _show(self, told: Told) -> None:
        self._shown.value = f'<div role="status">{told.html()}</div>'
