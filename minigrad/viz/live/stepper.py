"""Stepper: a recorded backward pass to watch, then to predict, in a notebook or headless."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets
import traitlets

from minigrad.viz.backward.answers import Verdict
from minigrad.viz.backward.orders import ENGINE, ORDERS
from minigrad.viz.backward.page import page_of
from minigrad.viz.backward.questions import Question
from minigrad.viz.backward.recording import BackwardRecording
from minigrad.viz.backward.steps import Steps
from minigrad.viz.live.graph_widget import GraphWidget
from minigrad.viz.live.keys import keep_keys

_HERE = Path(__file__).parent
_STYLE = (_HERE / "stepper.css").read_text(encoding="utf-8")
_SPEEDS = {"slow": 3.0, "medium": 1.0, "fast": 0.4}  # seconds a step
_SHOW, _ASK, _SHOW_AGAIN = "Show me", "Now you", "Show me again"
_PLAY, _PAUSE = "Play", "Pause"
_MORE, _LESS = "More ▾", "Less ▴"
_VISIBLE, _HIDDEN = "flex", "none"
_HINTS = {
    _SHOW: "Press “Show me” to watch once. Then you are asked.",
    _ASK: "Press “Now you” to predict the numbers yourself.",
    _SHOW_AGAIN: "",
}


class QuestionBox(anywidget.AnyWidget):
    """The open question with a field; it sends ``answer`` or, as long as one types, ``typing``.

    ipywidgets' own field tells of the Enter key before it tells of the last letters.
    """

    _esm = _HERE / "question_box.js"

    prompt = traitlets.Unicode(help="the question; empty if there is none").tag(sync=True)
    hint = traitlets.Unicode(help="what an answer looks like").tag(sync=True)
    step = traitlets.Int(help="a change empties the field").tag(sync=True)

    def ask(self, prompt: str, hint: str) -> None:
        """Show a question, with an empty field; an empty prompt hides it."""
        with self.hold_sync():
            self.prompt, self.hint, self.step = prompt, hint, self.step + 1


class Stepper(ipywidgets.VBox):  # type: ignore[misc]
    """A backward pass step by step; ``minigrad.viz.step`` makes one.

    First the learner watches, then predicts each number before its step is shown. ``steps`` holds
    the position, ``verdict`` the last verdict until something else happens. The methods do what
    the controls do.
    """

    def __init__(
        self,
        recording: BackwardRecording,
        order: str = ENGINE,
        ask: str = "steps",
        detail: str = "values",
    ):
        self.recording = recording
        self.detail = detail
        self.verdict: Verdict | None = None
        self._ask = ask
        self._watched = self._busy = False
        self._player: asyncio.Task[None] | None = None
        self.steps = Steps(recording, order, ask)
        self.steps.hold_still(detail)
        self.graph = GraphWidget(self.steps.snapshot, marks=self.steps.marks, detail=detail)
        self.graph.add_class("mg-graph")
        self._title, self._said = ipywidgets.HTML(), ipywidgets.HTML()
        self.box = QuestionBox()
        self.box.on_msg(self._on_message)
        zone = ipywidgets.VBox([self._said, self.box]).add_class("mg-zone")
        style = ipywidgets.HTML(f"<style>{_STYLE}</style>")
        controls = [self._make_bar(), self._make_more(order)]
        super().__init__([style, self._title, self.graph, zone, *controls])
        self.add_class("minigrad-steps")
        keep_keys()
        self._show()

    def _make_bar(self) -> ipywidgets.HBox:
        self.show = _button(_SHOW, "Watch the whole pass, or predict it", self._on_show)
        self.previous = _button("◂ Back", "Go one step back", self.back)
        self.next = _button("Forward ▸", "Go one step forward", self.forward)
        self.play = _button(_PLAY, "Go forward step by step, or stop", self._on_play)
        self.more = _button(_MORE, "Show or hide more controls", self._on_more)
        return _row("mg-bar", self.show, self.previous, self.next, self.play, self.more)

    def _make_more(self, order: str) -> ipywidgets.HBox:
        first = _button("Start", "Go to before the first step", lambda: self.go(0))
        end = _button("End", "Go to after the last step", lambda: self.go(self.steps.last))
        self.slider = ipywidgets.IntSlider(description="Step", **_wide("16em"))
        self.speed = _dropdown("Speed", _SPEEDS, _SPEEDS["medium"], "10em")
        self.place = _dropdown("Go to", self._places(), 0, "20em")
        orders = [(text, name) for name, text in ORDERS.items()]
        self.order = _dropdown("Order", orders, order, "30em")
        self.slider.observe(self._on_position, "value")
        self.place.observe(self._on_position, "value")
        self.order.observe(lambda change: self.choose(change["new"]), "value")
        self._more = _row("mg-more", first, end, self.slider, self.speed, self.place, self.order)
        self._more.layout.display = _HIDDEN
        return self._more

    def forward(self) -> None:
        """Go to the next step, if there is one."""
        self.go(min(self.steps.position + 1, self.steps.last))

    def back(self) -> None:
        """Go one step back, if there is one."""
        self.go(max(self.steps.position - 1, 0))

    def go(self, position: int) -> None:
        """Go to a step by its number, 0 before all of them; ValueError if there is none."""
        self._stop()
        self._go(position)

    def choose(self, order: str) -> None:
        """Begin again in another order of ``ORDERS``; ValueError if there is no such order."""
        if order != self.steps.order:
            asking = self.steps.asking
            self.steps = Steps(self.recording, order, self._ask)
            self.steps.hold_still(self.detail)
            self.steps.asking = asking
            self.order.value = order
            self._busy = True
            self.place.options = self._places()
            self._busy = False
        self.go(0)

    def predict(self, prediction: Any) -> Verdict:
        """Judge a prediction of what the next step shows, and go to that step.

        ValueError for something that can't be read as one, RuntimeError if nothing is asked.
        """
        question = self.steps.question
        if question is None:
            raise RuntimeError("There is nothing to predict at this step")
        verdict = question.judge(prediction)
        self.forward()
        self.verdict = verdict
        self._show()
        return verdict

    def save(self, path: str | PathLike[str]) -> None:
        """Write to ``path``: .html has all steps, .svg, .png, .pdf and .json have this one.

        The page needs no kernel and no network. ValueError for another ending, or for a page with
        more than 200 steps; RenderError for .png and .pdf without a Graphviz.
        """
        if Path(path).suffix.lower() == ".html":
            Path(path).write_text(page_of(self.steps, self.detail), encoding="utf-8")
        else:
            self.graph.save(path)

    def _open_question(self) -> Question | None:
        """The question that the learner sees now."""
        return self.steps.question if self.steps.asking and self._player is None else None

    def _go(self, position: int) -> None:
        """Nothing stays from the step before: no verdict, and nothing that was typed."""
        self.steps.go(position)
        self._watched = self._watched or position == self.steps.last
        self.verdict = None
        self._show()

    def _on_show(self) -> None:
        if self.show.description == _ASK:
            self.steps.asking = True
            self.go(0)
            self.box.send("focus")
        else:
            self._start(0)

    def _on_play(self) -> None:
        if self._player is None:
            at_end = self.steps.position == self.steps.last
            self._start(0 if at_end else self.steps.position)
        else:
            self.go(self.steps.position)

    def _start(self, position: int) -> None:
        """Play from there to the end, without questions."""
        self._stop()
        self.steps.asking = False
        self._player = asyncio.get_running_loop().create_task(self._run())
        self._go(position)

    async def _run(self) -> None:
        while self.steps.position < self.steps.last:
            await asyncio.sleep(self.speed.value)
            self._go(self.steps.position + 1)
        self._player = None
        self._show()

    def _stop(self) -> None:
        if self._player is not None:
            self._player.cancel()
            self._player = None

    def _on_position(self, change: dict[str, int]) -> None:
        if not self._busy and change["new"] != self.steps.position:
            self.go(change["new"])

    def _on_more(self) -> None:
        hidden = self._more.layout.display == _HIDDEN
        self._more.layout.display = _VISIBLE if hidden else _HIDDEN
        self.more.description = _LESS if hidden else _MORE

    def _on_message(self, _: object, content: dict[str, Any], __: object) -> None:
        if "answer" not in content:  # typing
            if self.verdict is not None:
                self.verdict = None
                self._say()
            return
        try:
            self.predict(content["answer"])
        except ValueError as error:  # no numbers
            self.verdict = Verdict(False, str(error))
            self._say()
        if self.box.prompt:
            self.box.send("focus")
        else:
            self.next.focus()

    def _show(self) -> None:
        """Bring everything up to date with the steps."""
        steps, question = self.steps, self._open_question()
        self._busy = True
        self._title.value = (
            '<b role="heading" aria-level="3">Backward stepper</b> '
            f"<span>step {steps.position} of {steps.last}</span>"
        )
        self.slider.max, self.slider.value = steps.last, steps.position
        self.place.value = steps.position
        self.previous.disabled = steps.position == 0
        self.next.disabled = steps.position == steps.last
        self.play.description = _PLAY if self._player is None else _PAUSE
        self.show.description = _SHOW_AGAIN if steps.asking else _ASK if self._watched else _SHOW
        primary = not steps.asking and self._player is None
        (self.show.add_class if primary else self.show.remove_class)("mg-main")
        self._busy = False
        if question is None:
            self.box.ask("", "")
        else:
            self.box.ask(question.prompt, question.kind.hint)
        self._say()

    def _say(self) -> None:
        """Say what happens, or the verdict, to those who see it and to those who listen."""
        steps, verdict = self.steps, self.verdict
        if verdict is None:
            at_end = steps.position in (0, steps.last) and self._player is None
            hint = _HINTS[self.show.description] if at_end else ""
            text = f"{steps.text} {hint}".rstrip()
            self._said.value = f'<div class="mg-step">{escape(text)}</div>'
        else:
            text = verdict.text
            kind, sign = ("right", "✓") if verdict.right else ("wrong", "✕")
            self._said.value = f'<div class="mg-verdict mg-{kind}">{sign} {escape(text)}</div>'
        news = f"{text} {self.box.prompt}".rstrip()
        self.graph.show(steps.snapshot, news=news, marks=steps.marks)

    def _places(self) -> list[tuple[str, int]]:
        names = ["before backward", *self.steps.places, "after backward"]
        return [(f"{number}. {name}", number) for number, name in enumerate(names)]

    def __repr__(self) -> str:
        return f"<Stepper: step {self.steps.position} of {self.steps.last}>"

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """The widget; this step as text and as a picture for a page without a kernel."""
        steps = self.steps
        data: dict[str, Any] = super()._repr_mimebundle_(**options)
        text = f"Backward stepper: step {steps.position} of {steps.last}\n{steps.text}"
        text += f"\n{self.graph.drawing.outline}"
        return {**data, "text/plain": text, "image/svg+xml": self.graph.drawing.svg()}


def _button(text: str, tooltip: str, action: Callable[[], None]) -> ipywidgets.Button:
    layout = ipywidgets.Layout(width="auto")
    made = ipywidgets.Button(description=text, tooltip=tooltip, layout=layout)
    made.on_click(lambda _: action())
    return made


def _dropdown(name: str, options: Any, value: Any, width: str) -> ipywidgets.Dropdown:
    return ipywidgets.Dropdown(options=options, value=value, description=name, **_wide(width))


def _row(name: str, *controls: ipywidgets.Widget) -> ipywidgets.HBox:
    return ipywidgets.HBox(controls).add_class(name)


def _wide(width: str) -> dict[str, Any]:
    """The look of a control of this width, its name beside it."""
    layout = ipywidgets.Layout(width=width, max_width="100%")
    return {"layout": layout, "style": {"description_width": "initial"}}
