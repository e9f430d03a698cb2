"""LoopLamps: the training loop, with lines switched off or in another order."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from itertools import pairwise
from types import ModuleType
from typing import Any

import ipywidgets

from minigrad.viz.read.values import format_number
from minigrad.widgets.base import Instrument, State, html, html_table, text_table
from minigrad.widgets.code import highlighted
from minigrad.widgets.expected import Choice
from minigrad.widgets.plot import Axis, Series, chart
from minigrad.widgets.questions import Mistake, Question

LINES = {
    "zero": "optimizer.zero_grad()",
    "forward": "loss = ((w * x - y) ** 2).mean()",
    "backward": "loss.backward()",
    "step": "optimizer.step()",
}
FALLS, RISES = "it only falls", "it rises at least once"
STAYS, RAISES = "it stays the same", "an error is raised"
_A_RISE = 0.001  # of the loss before the first iteration: less than that is rounding


@dataclass(frozen=True)
class Program:
    """The loop's lines in the order in which they run."""

    order: tuple[str, ...]

    @property
    def source(self) -> str:
        return "\n".join(LINES[line] for line in self.order) or "pass"


@dataclass(frozen=True)
class Run:
    """What came of a program: loss and weight at first and after each iteration, or the error.

    grads: what ``w.grad`` held at the end of each iteration.
    """

    losses: tuple[float, ...]
    weights: tuple[float, ...]
    grads: tuple[float | None, ...]
    error: str = ""

    @property
    def outcome(self) -> str:
        if self.error:
            return RAISES
        first = self.losses[0]
        if all(loss == first for loss in self.losses):
            return STAYS
        fell = all(later <= loss + _A_RISE * first for loss, later in pairwise(self.losses))
        return FALLS if fell else RISES


class LoopLampsState(State):
    """Fits ``y = w * x`` to three points with the loop as it stands, after a prediction.

    torch: the engine that really runs it. turns: how often; rate: the learning rate.
    """

    title = "Loop lamps"

    def __init__(self, torch: ModuleType, turns: int = 10, rate: float = 0.05) -> None:
        if turns < 1:
            raise ValueError(f"turns must be at least 1, but got {turns}")
        self.torch = torch
        self.turns = turns
        self.rate = rate
        self.order = tuple(LINES)  # all four, also those that are off
        self.off: frozenset[str] = frozenset()
        self._runs: dict[Program, Run] = {}
        self._questions: dict[Program, Question] = {}

    def change(self, order: Sequence[str] = tuple(LINES), off: Collection[str] = ()) -> None:
        """Put the lines of ``LINES`` in this order, and switch some off; it asks about that loop.

        ValueError for an order without each line once, and for lines that the loop does not have.
        """
        for line in off:
            _check(line)
        if sorted(order) != sorted(LINES):
            raise ValueError(f"order must have each of {', '.join(LINES)} once; not {list(order)}")
        self.order, self.off, self.verdict = tuple(order), frozenset(off), None

    def switch(self, line: str) -> None:
        """Put the lamp of a line out, or on again; ValueError for a line that there is not."""
        _check(line)
        self.change(self.order, self.off ^ {line})

    def swap(self, line: str) -> None:
        """Swap a line with the next one; ValueError for the last, and for none of the lines."""
        _check(line)
        place, order = self.order.index(line), list(self.order)
        if line == order[-1]:
            raise ValueError(f"{line} is the last line: there is no next one")
        order[place : place + 2] = reversed(order[place : place + 2])
        self.change(order, self.off)

    @property
    def program(self) -> Program:
        return Program(tuple(line for line in self.order if line not in self.off))

    @property
    def run(self) -> Run | None:
        """What came of the program; None before it was predicted."""
        return self._runs.get(self.program)

    @property
    def question(self) -> Question | None:
        program = self.program
        if program in self._runs:
            return None
        if program not in self._questions:
            self._questions[program] = Question(
                f"This loop runs {self.turns} times. What does the loss do?",
                Choice((FALLS, RISES, STAYS, RAISES)),
                lambda: self._execute(program).outcome,
                mistakes=_mistakes,
                because=lambda _: _because(program, self._execute(program)),
            )
        return self._questions[program]

    def answered(self, question: Question) -> None:
        self._runs[self.program] = self._execute(self.program)

    @property
    def summary(self) -> str:
        run = self.run
        lines = " → ".join(self.program.order) or "nothing"
        return f"{lines}: {run.outcome if run else 'not run yet'}"

    @property
    def source(self) -> str:
        """The whole program, as it is run."""
        body = "\n".join(f"    {line}" for line in self.program.source.splitlines())
        return (
            "x, y = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([2.0, 4.0, 6.0])\n"
            "w = torch.tensor(0.0, requires_grad=True)\n"
            f"optimizer = torch.optim.SGD([w], lr={self.rate})\n"
            f"{LINES['forward']}\n\n"
            f"for turn in range({self.turns}):\n{body}"
        )

    @property
    def head(self) -> list[str]:
        return ["iteration", "loss", "w", "w.grad"]

    @property
    def rows(self) -> list[list[str]]:
        """Loss, weight and gradient after each iteration; none before the prediction."""
        run = self.run
        if run is None:
            return []
        rows = [
            [str(turn), *map(_shown, numbers)]
            for turn, numbers in enumerate(zip(run.losses, run.weights, run.grads, strict=True))
        ]
        return [["start", *rows[0][1:]], *rows[1:]]

    @property
    def text(self) -> str:
        lines = [f"{self.title}: {self.summary}", self.source]
        if self.run is not None:
            lines += [text_table([self.head, *self.rows]), self.run.error]
        return "\n".join(filter(None, lines))

    def chart(self) -> str:
        """The loss after each iteration, as SVG; empty before the prediction."""
        run = self.run
        if run is None:
            return ""
        points = list(enumerate(run.losses))
        title = f"The loss over {self.turns} iterations: {run.outcome}"
        axes = Axis("iteration", reach=(0, self.turns)), Axis("loss", reach=(0,))
        return chart(title, *axes, [Series("loss", points)])

    def svg(self) -> str:
        return self.chart() or super().svg()

    def _execute(self, program: Program) -> Run:
        """Run the program on the engine, line by line as it is shown."""
        start, _, _ = self.source.partition("for turn")
        space: dict[str, Any] = {"torch": self.torch}
        exec(start, space)
        looked = [_look(space)]
        body = compile(program.source, "<the loop>", "exec")
        error = ""
        for turn in range(self.turns):
            try:
                exec(body, space)
            except Exception as raised:  # what is shown
                error = f"In iteration {turn + 1}: {type(raised).__name__}: {raised}"
                break
            looked.append(_look(space))
        losses, weights, grads = zip(*looked, strict=True)
        return Run(losses, weights, grads, error)


def _look(space: dict[str, Any]) -> tuple[float, float, float | None]:
    """The loss with the weight as it is, the weight, and its gradient."""
    w = space["w"]
    loss = ((w.detach() * space["x"] - space["y"]) ** 2).mean()
    return loss.item(), w.item(), None if w.grad is None else w.grad.item()


def _check(line: str) -> None:
    if line not in LINES:
        raise ValueError(f"the loop's lines are {', '.join(LINES)}; not {line!r}")


def _shown(number: float | None) -> str:
    return "None" if number is None else format_number(number)


def _mistakes(outcome: str) -> Iterator[Mistake]:
    if outcome == RAISES:
        yield Mistake(STAYS, "backward() frees the graph of its loss, so it works once per loss.")
    else:
        yield Mistake(RAISES, "Every line can run. A loop can be wrong without raising an error.")
    if outcome == STAYS:
        for moves in (FALLS, RISES):
            yield Mistake(moves, "What does w.grad hold at the moment when step() reads it?")
    yield Mistake(STAYS, "The weight moves: w.grad is not None when step() reads it.")


def _because(program: Program, run: Run) -> str:
    return next(_reasons(program, run))


def _reasons(program: Program, run: Run) -> Iterator[str]:
    order = program.order
    if run.error:
        yield (
            "backward() went through the graph of one loss twice: each iteration needs a new loss. "
            f"{run.error}"
        )
    if "step" not in order:
        yield "Only step() changes the weight."
    if "backward" not in order:
        yield "Without backward() there is no gradient, and step() skips weights without one."
    if run.outcome == STAYS:
        yield "zero_grad() takes the gradient away before step() can use it."
    if "zero" not in order:
        yield (
            "backward() adds to .grad. So every step goes along the sum of all gradients so far, "
            "which is too far."
        )
    cycle = order[order.index("forward") :] + order[: order.index("forward")]
    if cycle.index("step") < cycle.index("backward"):
        yield (
            "The gradient is one iteration old: backward() uses the loss from before the step. "
            "So the weight goes too far, and the loss rises before it falls again."
        )
    too_far = ", but too far: the learning rate is too large" if run.outcome == RISES else ""
    yield f"Each step goes down the slope at the current weight{too_far}."


class LoopLamps(Instrument):
    """Four lines of a training loop, each with a lamp: put one out, swap two, and predict.

    After the prediction the loop really runs, on the engine that was given, and loss and weight are
    shown for each iteration, or the error that it raises.

    torch: minigrad or PyTorch. turns: how often the loop runs; rate: its learning rate.

    >>> import minigrad as torch
    >>> lamps = LoopLamps(torch)
    >>> lamps.switch("step")
    >>> lamps.predict("it stays the same")
    Right: “it stays the same”. Only step() changes the weight.
    """

    state: LoopLampsState

    def __init__(self, torch: ModuleType, turns: int = 10, rate: float = 0.05) -> None:
        state = LoopLampsState(torch, turns, rate)
        self._start, self._results = html(_before_the_loop(state)), html()
        places = range(len(LINES))
        self.lamps = [self._button("9em", self._switch, place) for place in places]
        self.swaps = [self._button("auto", self._swap, place) for place in places]
        self._code = [html() for _ in places]
        for swap in self.swaps:
            swap.description, swap.tooltip = "⇅", "Swap this line with the next one"
        self.swaps[-1].layout.visibility = "hidden"
        lines = [
            ipywidgets.HBox(parts).add_class("mg-lamp-line")
            for parts in zip(self.lamps, self.swaps, self._code, strict=True)
        ]
        super().__init__(state, [self._start, ipywidgets.VBox(lines), self._results])

    def switch(self, line: str) -> None:
        """Put out the lamp of a line (zero, forward, backward, step), or switch it on again."""
        self.state.switch(line)
        self.refresh()

    def swap(self, line: str) -> None:
        """Swap a line with the next one."""
        self.state.swap(line)
        self.refresh()

    def redraw(self) -> None:
        state, run = self.state, self.state.run
        for line, lamp, code in zip(state.order, self.lamps, self._code, strict=True):
            off = line in state.off
            lamp.description = f"{'○' if off else '●'} {line}"
            lamp.tooltip = "Switch this line on again" if off else "Leave this line out"
            (lamp.add_class if off else lamp.remove_class)("mg-off")
            (written,) = highlighted(LINES[line])
            shown = f'<s class="mg-muted">{escape(LINES[line])}</s>' if off else written
            code.value = f'<pre class="mg-code">{shown}</pre>'
        self._results.value = ""
        if run is not None:
            error = f"<pre>{escape(run.error)}</pre>" if run.error else ""
            self._results.value = (
                f'<div class="mg-columns"><div>{state.chart()}</div>'
                f"{html_table(state.head, state.rows)}</div>{error}"
            )

    def _button(self, width: str, action: Any, place: int) -> ipywidgets.Button:
        made = self.button("", "", partial(action, place))
        made.layout.width = width
        return made

    def _switch(self, place: int) -> None:
        self.state.switch(self.state.order[place])

    def _swap(self, place: int) -> None:
        self.state.swap(self.state.order[place])


def _before_the_loop(state: LoopLampsState) -> str:
    before, loop, _ = state.source.partition(f"for turn in range({state.turns}):")
    return f'<pre class="mg-code">{"<br>".join(highlighted(before + loop))}</pre>'
