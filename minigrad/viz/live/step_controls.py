"""What one sees of steps through a backward pass, and what moves them: for stepper and lesson."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

import ipywidgets

from minigrad.viz.backward.orders import ORDERS
from minigrad.viz.backward.steps import Steps
from minigrad.viz.live.graph_widget import GraphWidget

_STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
_SPEEDS = {"slow": 3.0, "medium": 1.5, "fast": 0.5}  # seconds a step
_PLAY, _PAUSE = "Play", "Pause"


class StepControls(ipywidgets.VBox):  # type: ignore[misc]
    """The controls, and what happens at the step in words; ``graph`` beside them is the picture.

    go: called with the position that a control asks for; it decides, and then calls ``show``.

    ``first``, ``back``, ``next``, ``end`` are buttons; ``play`` goes on by itself, at the ``speed``
    in seconds a step, while the kernel is free for other things; ``slider`` and ``place`` go to a
    step or to a node. ``order`` chooses from ``ORDERS``; what then happens is its owner's business.
    """

    def __init__(self, steps: Steps, go: Callable[[int], object], order: str) -> None:
        self._go = go
        self._busy = False
        self._steps = steps
        self.graph = GraphWidget(steps.snapshot, marks=steps.marks)
        self._playing: asyncio.Task[None] | None = None
        self.first = self._button("Start", "Go to before the first step", self._to(_first))
        self.back = self._button("Back", "Go one step back", self._to(_back))
        self.next = self._button("Forward", "Go one step forward", self._to(_next))
        self.end = self._button("End", "Go to after the last step", self._to(_last))
        self.play = self._button(_PLAY, "Go forward by itself, or stop", self._on_play)
        self.speed = ipywidgets.Dropdown(
            options=_SPEEDS, value=_SPEEDS["medium"], description="Speed", **_wide("10em")
        )
        self.slider = ipywidgets.IntSlider(description="Step", **_wide("16em"))
        self.place = ipywidgets.Dropdown(
            options=_places(steps), description="Go to", **_wide("24em")
        )
        self.order = ipywidgets.Dropdown(
            options=[(text, name) for name, text in ORDERS.items()],
            value=order,
            description="Order",
            **_wide("24em"),
        )
        self.order.layout.flex = "1 1 24em"
        self._text = ipywidgets.HTML()
        self.slider.observe(self._on_position, "value")
        self.place.observe(self._on_place, "value")
        buttons = (self.first, self.back, self.next, self.end, self.play)
        bar = _row(*buttons, self.slider, self.speed, self.place, self.order)
        super().__init__([ipywidgets.HTML(f"<style>{_STYLE}</style>"), bar, self._text])
        self.show(steps)

    def show(self, steps: Steps) -> None:
        """Show where these steps are now."""
        self._busy = True
        if steps is not self._steps:
            self.place.options = _places(steps)
        self._steps = steps
        self._text.value = f'<div class="mg-step">{escape(steps.text)}</div>'
        self.place.value = None if steps.event is None else steps.position
        self.slider.max, self.slider.value = steps.last, steps.position
        self.first.disabled = self.back.disabled = steps.position == 0
        self.next.disabled = self.end.disabled = steps.position == steps.last
        self._busy = False
        snapshot, marks = steps.snapshot, steps.marks
        if (self.graph.snapshot, self.graph.marks) != (snapshot, marks):
            self.graph.show(snapshot, news=steps.text, marks=marks)

    def _on_position(self, change: dict[str, int]) -> None:
        if not self._busy and change["new"] != self._steps.position:
            self._move(change["new"])

    def _on_place(self, change: dict[str, int | None]) -> None:
        if not self._busy and change["new"] is not None:
            self._move(change["new"])

    def _move(self, position: int) -> None:
        self._go(position)
        self.show(self._steps)  # also where it was refused: the controls go back

    def _to(self, position: Callable[[Steps], int]) -> Callable[[], None]:
        return lambda: self._move(position(self._steps))

    def _on_play(self) -> None:
        if self._playing is None:
            self._playing = asyncio.get_running_loop().create_task(self._run())
            self.play.description = _PAUSE
        else:
            self._playing.cancel()

    async def _run(self) -> None:
        """Go on until the end, or until a step is refused."""
        try:
            before = -1
            while before < self._steps.position < self._steps.last:
                before = self._steps.position
                await asyncio.sleep(self.speed.value)
                if self._steps.position == before:  # else somebody has moved meanwhile
                    self._move(before + 1)
                else:
                    before = self._steps.position - 1
        finally:
            self._playing = None
            self.play.description = _PLAY

    def _button(self, text: str, tooltip: str, action: Callable[[], None]) -> ipywidgets.Button:
        layout = ipywidgets.Layout(width="auto")
        made = ipywidgets.Button(description=text, tooltip=tooltip, layout=layout)
        made.on_click(lambda _: action())
        return made


def _first(steps: Steps) -> int:
    return 0


def _back(steps: Steps) -> int:
    return max(steps.position - 1, 0)


def _next(steps: Steps) -> int:
    return min(steps.position + 1, steps.last)


def _last(steps: Steps) -> int:
    return steps.last


def _places(steps: Steps) -> list[tuple[str, int | None]]:
    """The turns by the names of their nodes and of what these made, in their order."""
    told = [steps.telling.turn(event) for event in steps.events]
    turns = [(f"{number}. {name}", number) for number, name in enumerate(told, 1)]
    return [("a node", None), *turns]


def _row(*controls: ipywidgets.Widget) -> ipywidgets.HBox:
    layout = ipywidgets.Layout(flex_flow="row wrap", align_items="center", grid_gap="4px 8px")
    return ipywidgets.HBox(controls, layout=layout)


def _wide(width: str) -> dict[str, Any]:
    """The look of a control of this width, its name beside it."""
    layout = ipywidgets.Layout(width=width, max_width="100%")
    return {"layout": layout, "style": {"description_width": "initial"}}
