"""LoopLamps: a training loop, with lines switched off or in another order."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from itertools import pairwise
from types import ModuleType
from typing import Any

import ipywidgets

from minigrad.viz.backward.answers import Mistake
from minigrad.viz.read.values import format_number
from minigrad.widgets.answers import Choice
from minigrad.widgets.base import Instrument, State, on_state, text_table
from minigrad.widgets.checks import check_choice
from minigrad.widgets.page import beside, code, error, highlighted, html
from minigrad.widgets.plot import Axis, Series, chart
from minigrad.widgets.questions import Question
from minigrad.widgets.running import run

LINES = {
    "zero": "optimizer.zero_grad()",
    "forward": "loss = ((w * x - y) ** 2).mean()",
    "backward": "loss.backward()",
    "step": "optimizer.step()",
}
FALLS, RISES = "it only falls", "it rises at least once"
STAYS, RAISES = "it stays the same", "an error is raised"
_ROUNDING = 0.001  # a smaller rise, as a share of the first loss, doesn't count

Program = tuple[str, ...]  # the names of the lines that run, in their order


@dataclass(frozen=True)
class Run:
    """The result of a program: loss, weight and gradient at first and after each iteration."""

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
        fell = all(later <= loss + _ROUNDING * first for loss, later in pairwise(self.losses))
        return FALLS if fell else RISES


class LoopLampsState(State):
    """Fits ``y = w * x`` to three points with the loop as it is now, after a prediction.

    torch: the engine that runs it. iterations: the number of iterations; rate: the learning rate.
    """

    title = "Loop lamps"
    head = ("iteration", "loss", "w", "w.grad")

    def __init__(self, torch: ModuleType, iterations: int = 10, rate: float = 0.05) -> None:
        super().__init__()
        if iterations < 1:
            raise ValueError(f"iterations must be at least 1, but got {iterations}")
        self.torch = torch
        self.iterations = iterations
        self.rate = rate
        self.order = tuple(LINES)  # all four, whether on or off
        self.off: frozenset[str] = frozenset()
        self._runs: dict[Program, Run] = {}

    def change(self, order: Sequence[str] = tuple(LINES), off: Collection[str] = ()) -> None:
        """Put the lines of ``LINES`` in this order, and switch some off.

        ValueError for an order without each line once, and for a line that isn't in the loop.
        """
        for line in off:
            check_choice("line", line, LINES)
        if sorted(order) != sorted(LINES):
            raise ValueError(f"order must have each of {', '.join(LINES)} once; not {list(order)}")
        self.order, self.off, self.verdict = tuple(order), frozenset(off), None

    def switch(self, line: str) -> None:
        """Switch a line off, or on again: zero, forward, backward or step."""
        self.change(self.order, self.off ^ {line})

    def swap(self, line: str) -> None:
        """Swap a line with the next one; ValueError for the last line."""
        check_choice("line", line, LINES)
        place, order = self.order.index(line), list(self.order)
        if line == order[-1]:
            raise ValueError(f"{line} is the last line: there is no next one")
        order[place : place + 2] = reversed(order[place : place + 2])
        self.change(order, self.off)

    @property
    def topic(self) -> Program:
        """The program that runs."""
        return tuple(line for line in self.order if line not in self.off)

    def question_about(self, topic: Program) -> Question:
        return Question(
            f"This loop runs {self.iterations} times. What does the loss do?",
            Choice((FALLS, RISES, STAYS, RAISES)),
            lambda: self._execute(topic).outcome,
            mistakes=_mistakes,
            because=lambda _: next(_reasons(topic, self._execute(topic))),
        )

    def answered(self, question: Question) -> None:
        self._runs[self.topic] = self._execute(self.topic)

    @property
    def run(self) -> Run | None:
        """The result of the program; None before the prediction."""
        return self._runs.get(self.topic)

    @property
    def summary(self) -> str:
        lines = " → ".join(self.topic) or "nothing"
        return f"{lines}: {self.run.outcome if self.run else 'not run yet'}"

    @property
    def start(self) -> str:
        """The program up to the loop's first line."""
        return (
            "x, y = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([2.0, 4.0, 6.0])\n"
            "w = torch.tensor(0.0, requires_grad=True)\n"
            f"optimizer = torch.optim.SGD([w], lr={self.rate})\n"
            f"{LINES['forward']}\n\n"
            f"for iteration in range({self.iterations}):"
        )

    @property
    def source(self) -> str:
        """The whole program."""
        lines = [f"    {LINES[line]}" for line in self.topic] or ["    pass"]
        return "\n".join([self.start, *lines])

    @property
    def rows(self) -> list[list[str]]:
        """Loss, weight and gradient after each iteration; none before the prediction."""
        run = self.run
        if run is None:
            return []
        rows = enumerate(zip(run.losses, run.weights, run.grads, strict=True))
        return [[str(turn or "start"), *map(_shown, numbers)] for turn, numbers in rows]

    @property
    def text(self) -> str:
        lines = [f"{self.title}: {self.summary}", self.source]
        if self.run is not None:
            lines += [text_table(self.head, self.rows), self.run.error]
        return "\n".join(filter(None, lines))

    def chart(self) -> str:
        """The loss after each iteration, as SVG; empty before the prediction."""
        run = self.run
        if run is None:
            return ""
        title = f"The loss over {self.iterations} iterations: {run.outcome}"
        axes = Axis("iteration", reach=(0, self.iterations)), Axis("loss", reach=(0,))
        return chart(title, *axes, [Series("loss", list(enumerate(run.losses)))])

    def _execute(self, program: Program) -> Run:
        """Run the program on the engine, as it is shown."""
        space: dict[str, Any] = {"torch": self.torch}
        run(self.start.partition("for ")[0], space)
        history = [_measure(space)]
        source, error = "\n".join(LINES[line] for line in program), ""
        while not error and len(history) <= self.iterations:
            error = run(source, space).error
            history += [] if error else [_measure(space)]
        error = f"In iteration {len(history)}: {error}" if error else ""
        losses, weights, grads = zip(*history, strict=True)
        return Run(losses, weights, grads, error)


def _measure(space: dict[str, Any]) -> tuple[float, float, float | None]:
    """The loss at the current weight, the weight, and its gradient."""
    w = space["w"]
    loss = ((w.detach() * space["x"] - space["y"]) ** 2).mean()
    return loss.item(), w.item(), None if w.grad is None else w.grad.item()


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
    yield Mistake(STAYS, "The weight moves: w.grad isn't None when step() reads it.")


def _reasons(program: Program, run: Run) -> Iterator[str]:
    """Why the loop does what it does; the first reason is the one to give."""
    if run.error:
        yield (
            "backward() went through the graph of one loss twice: each iteration needs a new loss. "
            f"{run.error}"
        )
    if "step" not in program:
        yield "Only step() changes the weight."
    if "backward" not in program:
        yield "Without backward() there's no gradient, and step() skips weights without one."
    if run.outcome == STAYS:
        yield "zero_grad() clears the gradient before step() can use it."
    if "zero" not in program:
        yield (
            "backward() adds to .grad, so each step uses the sum of all gradients so far and goes "
            "too far."
        )
    forward = program.index("forward")
    cycle = program[forward:] + program[:forward]
    if cycle.index("step") < cycle.index("backward"):
        yield (
            "The gradient is one iteration old: backward() uses the loss from before the step. "
            "So the weight goes too far, and the loss rises before it falls again."
        )
    too_far = ", but too far: the learning rate is too large" if run.outcome == RISES else ""
    yield f"Each step goes down the slope at the current weight{too_far}."


class LoopLamps(Instrument):
    """A training loop of four lines, each with a lamp: switch lines off, swap two, and predict.

    After the prediction the loop runs on the engine that you gave, and you see loss and weight
    after each iteration, or the error that it raises.

    torch: minigrad or PyTorch. iterations: the number of iterations; rate: the learning rate.

    >>> import minigrad as torch
    >>> lamps = LoopLamps(torch)
    >>> lamps.switch("step")
    >>> lamps.predict("it stays the same")
    Right: “it stays the same”. Only step() changes the weight.
    """

    state: LoopLampsState

    def __init__(self, torch: ModuleType, iterations: int = 10, rate: float = 0.05) -> None:
        state = LoopLampsState(torch, iterations, rate)
        places = range(len(LINES))
        self.lamps = [self.button("", "", partial(self._switch, place)) for place in places]
        swap = "Swap this line with the next one"
        self.swaps = [self.button("⇅", swap, partial(self._swap, place)) for place in places]
        self.swaps[-1].layout.visibility = "hidden"
        self._code = [html() for _ in places]
        lines = [
            ipywidgets.HBox(parts).add_class("mg-lamp-line")
            for parts in zip(self.lamps, self.swaps, self._code, strict=True)
        ]
        program = ipywidgets.VBox([html(code(highlighted(state.start))), *lines, self.chart])
        self._error = html()
        super().__init__(state, [beside(program.add_class("mg-lamps"), self.table), self._error])

    switch = on_state(LoopLampsState.switch)
    swap = on_state(LoopLampsState.swap)

    def redraw(self) -> None:
        state = self.state
        for line, lamp, shown in zip(state.order, self.lamps, self._code, strict=True):
            off = line in state.off
            lamp.description = f"{'○' if off else '●'} {line}"
            lamp.tooltip = "Switch this line on again" if off else "Leave this line out"
            (lamp.add_class if off else lamp.remove_class)("mg-off")
            struck = f'<s class="mg-muted">{escape(LINES[line])}</s>'
            shown.value = code([struck] if off else highlighted(LINES[line]))
        self._error.value = error(state.run.error) if state.run else ""

    def _switch(self, place: int) -> None:
        self.state.switch(self.state.order[place])

    def _swap(self, place: int) -> None:
        self.state.swap(self.state.order[place])
