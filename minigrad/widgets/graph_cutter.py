"""GraphCutter: cut edges by detach, no_grad or requires_grad_(False), and predict what remains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import ipywidgets

from minigrad.viz.draw.drawing import Drawing
from minigrad.viz.draw.marks import FADED, NO_MARKS, Mark, Marks
from minigrad.viz.draw.outline import outline
from minigrad.viz.live.graph_widget import GraphWidget
from minigrad.viz.read.engines import package_of
from minigrad.viz.read.names import NamedTensors
from minigrad.viz.read.protocol import is_tensor
from minigrad.viz.read.snapshot import Snapshot, take_snapshot
from minigrad.viz.read.values import read_value
from minigrad.widgets.base import Instrument, State, html, html_table, row, text_table
from minigrad.widgets.code import highlighted
from minigrad.widgets.cut_program import (
    DETACH,
    NO_GRAD,
    NONE,
    REQUIRES_GRAD,
    WAYS,
    Edge,
    cut_source,
    read_program,
)
from minigrad.widgets.expected import Subset
from minigrad.widgets.questions import Mistake, Question

RAISES = "an error is raised"
_CUT_BY = {
    DETACH: "{} detached here",
    NO_GRAD: "under no_grad()",
    REQUIRES_GRAD: "{} does not require grad",
}


_ORDINALS = ("first", "second", "third", *(f"{number}th" for number in range(4, 100)))


@dataclass(frozen=True)
class Outcome:
    """What came of a program: its graph with the gradients after backward, or the error."""

    snapshot: Snapshot
    grads: Mapping[str, Any]
    error: str

    @property
    def reached(self) -> frozenset[str]:
        """The leaves that have a gradient, or that an error was raised."""
        if self.error:
            return frozenset({RAISES})
        return frozenset(name for name, grad in self.grads.items() if grad is not None)


class GraphCutterState(State):
    """Runs a program on copies of tensors, as it is and with edges cut.

    source: lines that each assign to one name; the last is what backward starts from.
    tensors: what the program starts with, by name; those that require grad are its leaves.

    ValueError for other lines and where no tensor requires grad, TypeError for what is no tensor;
    what the uncut program raises is raised here.
    """

    title = "Graph cutter"

    def __init__(self, source: str, tensors: Mapping[str, Any]) -> None:
        for name, tensor in tensors.items():
            if not is_tensor(tensor):
                raise TypeError(f"{name} must be a tensor, but is {type(tensor).__name__}")
        self.lines = read_program(source)
        self._tensors: dict[str, Any] = dict(tensors)
        self.leaves = tuple(n for n, t in self._tensors.items() if t.requires_grad)
        if not (self.leaves and self.lines):
            raise ValueError("there must be a line, and a tensor that requires grad")
        self._torch = package_of(self._tensors[self.leaves[0]])
        self._cuts: dict[Edge, str] = {}
        self._outcomes: dict[str, Outcome] = {}
        self._questions: dict[str, Question] = {}
        space = self._space()
        exec(self.program, space)
        recorded = {
            name for name, value in space.items() if is_tensor(value) and value.requires_grad
        }
        self.edges = [edge for line in self.lines for edge in line.uses if edge.name in recorded]
        self._uncut = self._execute(self.program)
        self.uncut = self._uncut.snapshot
        self._outcomes[self.program] = self._uncut  # there is nothing to predict

    def cut(self, edge: int, way: str) -> None:
        """Cut the edge with this number in ``edges`` in one of ``WAYS``, or none; it asks anew.

        ValueError for an edge or a way that there is not.
        """
        if not 0 <= edge < len(self.edges):
            raise ValueError(f"edge must be from 0 to {len(self.edges) - 1}, but got {edge}")
        if way not in WAYS:
            raise ValueError(f"an edge is cut by one of {', '.join(WAYS)}; not {way!r}")
        self._cuts[self.edges[edge]] = way
        self.verdict = None

    def way(self, edge: int) -> str:
        """How an edge is cut."""
        return self._cuts.get(self.edges[edge], NONE)

    @property
    def labels(self) -> list[str]:
        """The edges in words: which tensor goes into the line of which other one."""
        labels = []
        for edge in self.edges:
            line = self.lines[edge.line]
            same = [use for use in line.uses if use.name == edge.name]
            use = f", {_ORDINALS[same.index(edge)]} use" if len(same) > 1 else ""
            labels.append(f"{edge.name} into {line.target}{use}")
        return labels

    @property
    def program(self) -> str:
        """The program with its cuts."""
        return cut_source(self.lines, self.leaves, self._cuts)

    @property
    def after(self) -> Outcome | None:
        """What came of the program with its cuts; None before it was predicted."""
        return self._outcomes.get(self.program)

    @property
    def marks(self) -> Marks:
        """What to mark in the uncut graph: what no gradient reaches any more, and where it was cut.

        Nothing before the prediction, and nothing where the cut program does not run.
        """
        after = self.after
        if after is None or after.error:
            return NO_MARKS
        parts = {part: Mark(FADED) for part in cut_off(self.uncut, after.snapshot)}
        for edge, way in self._cuts.items():
            node = _made(self.uncut).get(self.lines[edge.line].target)
            if way != NONE and node is not None:
                before = parts.get(node, Mark())
                notes = dict.fromkeys(
                    [*filter(None, [before.note]), _CUT_BY[way].format(edge.name)]
                )
                parts[node] = replace(before, note=", ".join(notes))
        return Marks(parts)

    @property
    def question(self) -> Question | None:
        program = self.program
        if program in self._outcomes:
            return None
        if program not in self._questions:
            result = self.lines[-1].target
            self._questions[program] = Question(
                f"After {result}.backward() in this program, which tensors have a gradient?",
                Subset((*self.leaves, RAISES)),
                lambda: self._execute(program).reached,
                mistakes=self._mistakes,
                because=lambda _: self._because(program),
            )
        return self._questions[program]

    def answered(self, question: Question) -> None:
        self._outcomes[self.program] = self._execute(self.program)

    @property
    def summary(self) -> str:
        number = sum(way != NONE for way in self._cuts.values())
        cut = f"{number} of {len(self.edges)} edges cut"
        return cut if self.after else f"{cut}, not run yet"

    @property
    def is_cut(self) -> bool:
        return any(way != NONE for way in self._cuts.values())

    @property
    def head(self) -> list[str]:
        return ["leaf", "grad before", "grad now"]

    @property
    def rows(self) -> list[list[str]]:
        """The gradients of the leaves, before the cut and after; none before the prediction."""
        after = self.after
        if after is None:
            return []
        grads = self._uncut.grads
        return [[leaf, _shown(grads[leaf]), _shown(after.grads[leaf])] for leaf in self.leaves]

    @property
    def text(self) -> str:
        lines = [f"{self.title}: {self.summary}", self.program]
        after = self.after
        if after is None or not self.is_cut:
            return "\n".join([*lines, "", "Before the cut:", outline(self.uncut)])
        lines += [after.error] if after.error else []
        lines += [text_table([self.head, *self.rows]), "", "Now:", outline(after.snapshot)]
        return "\n".join(
            [*lines, "", "Before, and where it is cut:", outline(self.uncut, self.marks)]
        )

    def svg(self) -> str:
        """The graph: of the cut program where it was predicted, else of the uncut one."""
        snapshot = self.after.snapshot if self.after else self.uncut
        return Drawing(snapshot).svg() if snapshot.tensors else super().svg()

    def _space(self) -> dict[str, Any]:
        copies = {
            name: tensor.detach().clone().requires_grad_(tensor.requires_grad)
            for name, tensor in self._tensors.items()
        }
        return {"torch": self._torch, **copies}

    def _execute(self, program: str) -> Outcome:
        """Run the program and backward(), and look at its graph with the gradients then."""
        space, error = self._space(), ""
        leaves = {name: space[name] for name in self.leaves}
        try:
            exec(program, space)
        except Exception as raised:  # what is shown
            error = f"{type(raised).__name__}: {raised}"
        result = space.get(self.lines[-1].target)
        if not error:
            try:
                space[self.lines[-1].target].backward(retain_graph=True)  # to show what it saved
            except RuntimeError as raised:
                error = f"{type(raised).__name__}: {raised}"
        snapshot = take_snapshot([result] if is_tensor(result) else [], _named(space))
        return Outcome(snapshot, {name: leaf.grad for name, leaf in leaves.items()}, error)

    def _mistakes(self, answer: frozenset[str]) -> Iterator[Mistake]:
        ways = {way for way in self._cuts.values() if way != NONE}
        uncut = self._uncut.reached
        if answer == {RAISES}:
            yield Mistake(frozenset(), "backward() raises an error if no path to a leaf is left.")
            yield Mistake(uncut, "One of these lines raises an error.")
        if answer == uncut and ways:
            yield Mistake(
                frozenset(), "Only paths through this edge are cut. Look for other paths."
            )
        if NO_GRAD in ways:
            yield Mistake(uncut, "Under no_grad() the whole line is not recorded.")
        if DETACH in ways:
            yield Mistake(uncut, "No gradient goes back through a detached use.")
        if REQUIRES_GRAD in ways:
            yield Mistake(uncut, "A leaf that does not require grad gets none.")

    def _because(self, program: str) -> str:
        outcome = self._execute(program)
        if outcome.error:
            return outcome.error
        uncut = self._uncut
        lost = uncut.reached - outcome.reached
        changed = [
            name
            for name in self.leaves
            if name in outcome.reached and _shown(outcome.grads[name]) != _shown(uncut.grads[name])
        ]
        said = [f"Every path from {name} is cut." for name in self.leaves if name in lost]
        if changed:
            names = " and ".join(changed)
            said.append(f"Not all paths from {names} are cut: the gradient has another value.")
        return " ".join(said) or "A path is left from every leaf."


def _made(snapshot: Snapshot) -> dict[str, str]:
    """By name of a tensor: the node that it comes from."""
    return {name: t.node for t in snapshot.tensors if t.node is not None for name in t.names}


def cut_off(before: Snapshot, after: Snapshot) -> set[str]:
    """The nodes and tensors of one graph that are not in the other, found by tensors' names.

    A node whose result has no name is cut off when all that it leads to is.
    """
    left, made = _made(after), _made(before)
    named = {node: name for name, node in made.items()}
    leads_to: dict[str, set[str]] = {node.id: set() for node in before.nodes}
    for node in before.nodes:
        for source in node.inputs:
            if source.node is not None:
                leads_to[source.node].add(node.id)
    lost: set[str] = set()
    for node in reversed(before.nodes):
        name, onward = named.get(node.id), leads_to[node.id]
        if (name not in left) if name else (onward and onward <= lost):
            lost.add(node.id)
    return lost | {t.id for t in before.tensors if t.node in lost}


def _named(space: dict[str, Any]) -> NamedTensors:
    return [(name, value) for name, value in space.items() if is_tensor(value)]


def _shown(grad: Any) -> str:
    return "None" if grad is None else read_value(grad).text


class GraphCutter(Instrument):
    """A few lines of code, their graph, and for every edge the choice of how to cut it.

    source: lines that each assign to one name; the last one's is what backward starts from.
    tensors: what the lines start with, by name: they are copied, and left alone.

    The cut is made in the code, which is shown: ``h.detach()``, ``with torch.no_grad():`` around
    the line, ``w.requires_grad_(False)`` before it. The graph after it, and the gradients, are
    shown once you have predicted which tensors still have a gradient.

    ValueError for other lines and where no tensor requires grad, TypeError for what is no tensor.

    >>> import minigrad as torch
    >>> x, w = (torch.tensor(v, requires_grad=True) for v in (2.0, 3.0))
    >>> cutter = GraphCutter('''
    ... h = x * w
    ... loss = h * x
    ... ''', x=x, w=w)
    >>> cutter.cut(2, "detach")
    >>> print(cutter.state.program)
    h = x * w
    loss = h.detach() * x
    >>> cutter.predict(["x"])
    Right: x. Every path from w is cut. Not all paths from x are cut: the gradient has another ...
    """

    state: GraphCutterState

    def __init__(self, source: str, **tensors: Any) -> None:
        state = GraphCutterState(source, tensors)
        room = 0.55 * max(map(len, state.labels))  # em
        self.edges = [
            ipywidgets.Dropdown(
                options=WAYS,
                description=label,
                layout=ipywidgets.Layout(width=f"{room + 13:.1f}em", max_width="100%"),
                style={"description_width": f"{room:.1f}em"},
            )
            for label in state.labels
        ]
        self._code, self._before_title, self._after_title = html(), html(), html()
        self._before = GraphWidget(state.uncut)
        self._after = GraphWidget(state.uncut)
        before = ipywidgets.VBox([self._before_title, self._before])
        self._result = ipywidgets.VBox([self._after_title, self._after])
        ways = html('<div class="mg-muted">How to cut the path from one tensor into another</div>')
        body = [ways, row(*self.edges), self._code]
        graphs = ipywidgets.HBox([before, self._result]).add_class("mg-before-after")
        super().__init__(state, body, below=[graphs])
        self.add_class("mg-wide")
        for edge in self.edges:
            edge.observe(self._on_edge, "value")

    def cut(self, edge: int, way: str) -> None:
        """Cut the edge of this number, from 0: none, detach, no_grad or requires_grad_(False)."""
        self.state.cut(edge, way)
        self.refresh()

    def redraw(self) -> None:
        state, after = self.state, self.state.after
        for number, edge in enumerate(self.edges):
            edge.value = state.way(number)
        shown = after is not None and state.is_cut
        code = f'<pre class="mg-code">{"<br>".join(highlighted(state.program))}</pre>'
        grads = html_table(state.head, state.rows) if shown else ""
        error = after.error if after is not None and state.verdict is None else ""  # it says so
        told = f'<pre class="mg-error">{escape(error)}</pre>' if error else ""
        self._code.value = f'<div class="mg-columns"><div>{code}</div>{grads}</div>{told}'
        faded = any(mark.state == FADED for mark in state.marks.parts.values())
        dotted = "; dotted: what is cut off" if faded else ""
        self._before_title.value = f'<div class="mg-muted">Before the cut{dotted}</div>'
        self._before.show(state.uncut, news="", marks=state.marks)
        if after is not None and shown:
            self._after_title.value = '<div class="mg-muted">The graph now</div>'
            self._after.show(after.snapshot, news="")
        visible = shown and after is not None and bool(after.snapshot.tensors)
        self._result.layout.display = "" if visible else "none"

    def _on_edge(self, change: dict[str, Any]) -> None:
        number = self.edges.index(change["owner"])
        if self.state.way(number) != change["new"]:
            self.cut(number, change["new"])
