"""The buttons below a verdict: the next hint, and the solution once there was an attempt."""

from collections.abc import Callable

import ipywidgets

from minigrad.exercises.result import NOT_ATTEMPTED, Result, Told
from minigrad.widgets.base import STYLE
from minigrad.widgets.page import html


class Help(ipywidgets.VBox):  # type: ignore[misc]
    """A verdict with its buttons. hint, solution: what they show, each time they are pressed."""

    def __init__(
        self, found: Result, hint: Callable[[], Told], solution: Callable[[], Told]
    ) -> None:
        self._shown = html()
        self.hint = self._button("Hint", "Show the next hint", hint)
        self.solution = self._button("Solution", "Show the solution", solution)
        self.solution.disabled = found.outcome == NOT_ATTEMPTED
        buttons = ipywidgets.HBox([self.hint, self.solution])
        super().__init__([html(STYLE), html(found.html()), buttons, self._shown])
        self.add_class("minigrad-instrument").add_class("minigrad-help")

    def _button(self, name: str, tooltip: str, tell: Callable[[], Told]) -> ipywidgets.Button:
        button = ipywidgets.Button(description=name, tooltip=tooltip, layout={"width": "auto"})
        button.on_click(lambda _: self._show(tell()))
        return button

    def _show(self, told: Told) -> None:
        self._shown.value = f'<div role="status">{told.html()}</div>'
