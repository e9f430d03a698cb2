"""A training loop with one of its four lines left out, or two of them swapped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from minigrad.viz.values import format_number
from minigrad.widgets.state.base import State, table
from minigrad.widgets.state.expected import Choice
from minigrad.widgets.state.plot import Axis, Series, chart
from minigrad.widgets.state.question import Mistake, Question

LINES = {
    "zero": "optimizer.zero_grad()",
    "forward": "loss = ((w * x - y) ** 2).mean()",
    "backward": "loss.backward()",
    "step": "optimizer.step()",
}
FALLS, SWINGS = "it falls to almost nothing", "it falls and rises again"
STAYS, RAISES = "it stays as it was", "an error is raised"
_ALMOST_NOTHING = 0.05  # of the loss before the first turn


@dataclass(frozen=True)
class Program:
    """The loop's lines in the order in which they run."""

    order: tuple[str, ...]

    @property
    def source(self) -> str:
        return "\n".join(LINES[line] for line in self.order)


@dataclass(frozen=True)
class Run:
    """What came of a program: loss and weight before the first turn and after each, or the error.

    grads: what ``w.grad`` held at the end of each turn.
    """

    losses: tuple[float, ...]
    weights: tuple[float, ...]
    grads: tuple[float | None, ...]
    error: str = ""

    @property
    def outcome(self) -> str:
        if self.error:
            return RAISES
        first, last = self.losses[0], self.losses[-1]
        if all(loss == first for loss in self.losses):
            return STAYS
        return FALLS if last < _ALMOST_NOTHING * first else SWINGS


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
        self.left_out: str | None = None
        self.swapped: tuple[str, str] | None = None
        self._runs: dict[Program, Run] = {}
        self._questions: dict[Program, Question] = {}

    def change(self, left_out: str | None = None, swapped: tuple[str, str] | None = None) -> None:
        """Leave out a line of ``LINES``, or swap two, or neither; which asks anew.

        ValueError for a line that the loop does not have.
        """
        for line in (*([left_out] if left_out else []), *(swapped or ())):
            if line not in LINES:
                raise ValueError(f"the loop's lines are {', '.join(LINES)}; not {line!r}")
        self.left_out, self.swapped, self.verdict = left_out, swapped, None

    @property
    def order(self) -> tuple[str, ...]:
        """All four lines as they are ordered now, the one that is left out among them."""
        order = list(LINES)
        if self.swapped is not None:
            one, other = map(order.index, self.swapped)
            order[one], order[other] = order[other], order[one]
        return tuple(order)

    @property
    def program(self) -> Program:
        return Program(tuple(line for line in self.order if line != self.left_out))

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
                f"The loop runs {self.turns} times{self._changed}. What does the loss do?",
                Choice((FALLS, SWINGS, STAYS, RAISES)),
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
        return f"{' → '.join(self.program.order)}: {run.outcome if run else 'not run yet'}"

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
        return ["turn", "loss", "w", "w.grad"]

    @property
    def rows(self) -> list[list[str]]:
        """Loss, weight and gradient after each turn; none before the prediction."""
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
            lines += [table([self.head, *self.rows]), self.run.error]
        return "\n".join(filter(None, lines))

    def chart(self) -> str:
        """The loss after each turn, as SVG; empty before the prediction."""
        run = self.run
        if run is None:
            return ""
        points = list(enumerate(run.losses))
        title = f"The loss over {self.turns} turns: {run.outcome}"
        axes = Axis("turn", reach=(0, self.turns)), Axis("loss", reach=(0,))
        return chart(title, *axes, [Series("loss", points)])

    def svg(self) -> str:
        return self.chart() or super().svg()

    @property
    def _changed(self) -> str:
        if self.left_out is not None and self.swapped is not None:
            return f" without {LINES[self.left_out]} and with {_both(self.swapped)} swapped"
        if self.left_out is not None:
            return f" without {LINES[self.left_out]}"
        return f" with {_both(self.swapped)} swapped" if self.swapped else ""

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
                error = f"In turn {turn + 1}: {type(raised).__name__}: {raised}"
                break
            looked.append(_look(space))
        losses, weights, grads = zip(*looked, strict=True)
        return Run(losses, weights, grads, error)


def _look(space: dict[str, Any]) -> tuple[float, float, float | None]:
    """The loss with the weight as it is, the weight, and its gradient."""
    w = space["w"]
    loss = ((w.detach() * space["x"] - space["y"]) ** 2).mean()
    return loss.item(), w.item(), None if w.grad is None else w.grad.item()


def _both(pair: tuple[str, str]) -> str:
    return " and ".join(LINES[line] for line in pair)


def _shown(number: float | None) -> str:
    return "None" if number is None else format_number(number)


def _mistakes(outcome: str) -> Iterator[Mistake]:
    if outcome != RAISES:
        yield Mistake(RAISES, "Every line can run: a loop may be wrong without any error.")
    else:
        yield Mistake(
            STAYS, "backward() needs a graph, and the one that there is was walked before."
        )
    if outcome == STAYS:
        yield Mistake(FALLS, "What does w.grad hold at the moment when step() reads it?")
        yield Mistake(SWINGS, "What does w.grad hold at the moment when step() reads it?")
    yield Mistake(STAYS, "The weight moves: w.grad is not empty when step() reads it.")


def _because(program: Program, run: Run) -> str:
    return next(_reasons(program, run))


def _reasons(program: Program, run: Run) -> Iterator[str]:
    order = program.order
    if run.error:
        yield f"The graph of one loss was walked twice: each turn needs a new loss. {run.error}"
    if "step" not in order:
        yield "backward() computes gradients; only step() changes the weight."
    if "backward" not in order:
        yield "Without backward() there is no gradient, and step() passes over weights without one."
    if run.outcome == STAYS:
        yield "zero_grad() takes the gradient away before step() can use it."
    if "zero" not in order:
        yield (
            "backward() adds to .grad: every step goes along the sum of all gradients so far, "
            "and goes too far."
        )
    if order.index("backward") < order.index("forward"):
        yield "The gradient is that of the turn before: late, but the steps are small enough."
    yield "Each step goes down the slope that this turn has computed."
