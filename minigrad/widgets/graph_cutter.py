"""GraphCutter: cut edges by detach, no_grad or requires_grad_(False), and predict what remains."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import ipywidgets

from minigrad.viz.backward.answers import Mistake
from minigrad.viz.draw.drawing import Drawing
from minigrad.viz.draw.outline import outline
from minigrad.viz.live.graph_widget import GraphWidget
from minigrad.viz.read.engines import package_of
from minigrad.viz.read.protocol import is_tensor
from minigrad.viz.read.snapshot import Snapshot, take_snapshot
from minigrad.viz.read.values import read_value
from minigrad.viz.record.recording import record
from minigrad.widgets.answers import Subset
from minigrad.widgets.base import Instrument, State, on_state, text_table
from minigrad.widgets.checks import check_choice, check_range, check_tensor
from minigrad.widgets.cut_program import NONE, WAYS, Edge, Line, cut_source, read_program
from minigrad.widgets.page import beside, code, dropdown, error, highlighted, html, muted, row
from minigrad.widgets.questions import Question
from minigrad.widgets.running import run

RAISES = "an error is raised"
_ORDINALS = ("first", "second", "third", *(f"{number}th" for number in range(4, 100)))


@dataclass(frozen=True)
class Outcome:
    """The result of a program: its graph with the gradients after backward, or the error."""

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

    source: lines that each assign to a new name; backward starts from the last one.
    tensors: the tensors that the program starts with, by name; those that require grad are its
    leaves.

    ValueError for other lines and if no tensor requires grad, TypeError for anything but tensors.
    An error of the uncut program is raised here.
    """

    title = "Graph cutter"
    head = ("leaf", "grad before", "grad now")

    def __init__(self, source: str, tensors: Mapping[str, Any]) -> None:
        super().__init__()
        self.lines = read_program(source, tensors)
        self._tensors = {name: check_tensor(name, tensor) for name, tensor in tensors.items()}
        self.leaves = tuple(n for n, t in self._tensors.items() if t.requires_grad)
        if not (self.leaves and self.lines):
            raise ValueError("there must be a line, and a tensor that requires grad")
        self._torch = package_of(self._tensors[self.leaves[0]])
        self._cuts: dict[Edge, str] = {}
        space = self._space()
        exec(self.program, space)
        recorded = {n for n, value in space.items() if is_tensor(value) and value.requires_grad}
        self.edges = [edge for line in self.lines for edge in line.uses if edge.name in recorded]
        self._uncut = self._execute(self.program)
        self.uncut = self._uncut.snapshot
        self.arrows = _arrows(self.uncut, self.lines, self.edges)
        self._outcomes = {self.program: self._uncut}  # that of the uncut one is known

    def cut(self, edge: int, way: str) -> None:
        """Cut the edge with this number in ``edges`` in one of ``WAYS``, which include none."""
        check_range("edge", edge, 0, len(self.edges) - 1)
        check_choice("way", way, WAYS)
        self._cuts[self.edges[edge]] = way
        self.verdict = None

    def way(self, edge: int) -> str:
        """How an edge is cut."""
        return self._cuts.get(self.edges[edge], NONE)

    def press(self, edge: int, way: str) -> None:
        """Cut an edge; if it is cut in this way already, put it back."""
        self.cut(edge, NONE if self.way(edge) == way else way)

    @property
    def labels(self) -> list[str]:
        """The edges in words: which tensor goes into which line."""
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
        """The result of the program with its cuts; None before the prediction."""
        return self._outcomes.get(self.program)

    @property
    def topic(self) -> str | None:
        program = self.program
        return None if program in self._outcomes else program

    def question_about(self, topic: str) -> Question:
        return Question(
            f"After {self.lines[-1].target}.backward() in this program, "
            "which tensors have a gradient?",
            Subset((*self.leaves, RAISES)),
            lambda: self._execute(topic).reached,
            mistakes=self._mistakes,
            because=lambda _: self._because(self._execute(topic)),
        )

    def answered(self, question: Question) -> None:
        self._outcomes[self.program] = self._execute(self.program)

    @property
    def summary(self) -> str:
        number = sum(way != NONE for way in self._cuts.values())
        cut = f"{number} of {len(self.edges)} edges cut"
        return cut if self.after else f"{cut}, not run yet"

    @property
    def result(self) -> Outcome | None:
        """The result of the cut program; None before the prediction, and if nothing is cut."""
        return self.after if set(self._cuts.values()) - {NONE} else None

    @property
    def rows(self) -> list[list[str]]:
        """The gradients of the leaves, before the cut and after; none before the prediction."""
        if self.result is None:
            return []
        before, now = self._uncut.grads, self.result.grads
        return [[leaf, _shown(before[leaf]), _shown(now[leaf])] for leaf in self.leaves]

    @property
    def text(self) -> str:
        lines = [f"{self.title}: {self.summary}", self.program]
        result = self.result
        if result is None:
            return "\n".join([*lines, "", "Before the cut:", outline(self.uncut)])
        lines += [result.error] if result.error else []
        lines += [text_table(self.head, self.rows), "", "Now:", outline(result.snapshot)]
        return "\n".join([*lines, "", "Before:", outline(self.uncut)])

    def svg(self) -> str:
        """The graph: of the cut program after the prediction, else of the uncut one."""
        snapshot = self.after.snapshot if self.after else self.uncut
        return Drawing(snapshot).svg() if snapshot.tensors else super().svg()

    def _space(self) -> dict[str, Any]:
        copies = {
            name: tensor.detach().clone().requires_grad_(tensor.requires_grad)
            for name, tensor in self._tensors.items()
        }
        return {"torch": self._torch, **copies}

    def _execute(self, program: str) -> Outcome:
        """Run the program and backward(), and take its graph with the gradients."""
        space = self._space()
        leaves = {name: space[name] for name in self.leaves}
        result = self.lines[-1].target
        # The graph keeps what it saved, to show it.
        with record():
            error = run(f"{program}\n{result}.backward(retain_graph=True)", space).error
        named = [(name, value) for name, value in space.items() if is_tensor(value)]
        snapshot = take_snapshot([space[result]] if result in space else [], named)
        return Outcome(snapshot, {name: leaf.grad for name, leaf in leaves.items()}, error)

    def _mistakes(self, answer: frozenset[str]) -> Iterator[Mistake]:
        ways = {way for way in self._cuts.values() if way != NONE}
        uncut = self._uncut.reached
        if answer == {RAISES}:
            yield Mistake(frozenset(), "backward() raises an error if no path to a leaf is left.")
            yield Mistake(uncut, "One of these lines raises an error.")
        if answer == uncut and ways:
            only = "Only paths through this edge are cut. Look for other paths."
            yield Mistake(frozenset(), only)
        yield from (Mistake(uncut, WAYS[way]) for way in WAYS if way in ways)

    def _because(self, outcome: Outcome) -> str:
        if outcome.error:
            return outcome.error
        before, now = self._uncut.grads, outcome.grads
        lost = [leaf for leaf in self.leaves if now[leaf] is None and before[leaf] is not None]
        changed = [
            leaf
            for leaf in self.leaves
            if now[leaf] is not None and _shown(now[leaf]) != _shown(before[leaf])
        ]
        sentences = [f"Every path from {leaf} is cut." for leaf in lost]
        if changed:
            names = " and ".join(changed)
            what = "their gradients have" if len(changed) > 1 else "its gradient has"
            sentences.append(f"Not all paths from {names} are cut: {what} changed.")
        return " ".join(sentences) or "A path is left from every leaf."


def _nodes(snapshot: Snapshot) -> dict[str, str]:
    """By name of a tensor: the node that made it."""
    return {name: t.node for t in snapshot.tensors if t.node is not None for name in t.names}


def _arrows(snapshot: Snapshot, lines: Sequence[Line], edges: Sequence[Edge]) -> dict[str, int]:
    """By edge of the graph, as a picture names it: its number in ``edges``.

    Operands are looked at in their order, so the uses of a name come as in the line.
    """
    nodes, made = {node.id: node for node in snapshot.nodes}, _nodes(snapshot)
    named = {node: name for name, node in made.items()}

    def uses(node: str) -> Iterator[tuple[str, str]]:
        for slot, source in enumerate(nodes[node].inputs):
            if source.node in named:
                yield named[source.node], f"{node}:{slot}"
            elif source.node is not None:
                yield from uses(source.node)

    arrows = {}
    for number, line in enumerate(lines):
        left = [(index, edge.name) for index, edge in enumerate(edges) if edge.line == number]
        for name, arrow in uses(made[line.target]) if line.target in made else ():
            index = next(index for index, used in left if used == name)
            left.remove((index, name))
            arrows[arrow] = index
    return arrows


def _shown(grad: Any) -> str:
    return "None" if grad is None else read_value(grad).text


class GraphCutter(Instrument):
    """A few lines of code, their graph, and for every edge the choice of how to cut it.

    source: lines that each assign to a new name; backward starts from the last one.
    tensors: the tensors that the lines start with, by name; they are copied.

    The cut is made in the code, which is shown: ``h.detach()``, ``with torch.no_grad():`` around
    the line, ``w.requires_grad_(False)`` before it. The new graph and its gradients are shown
    after you have predicted which tensors still have a gradient.

    ValueError for other lines and if no tensor requires grad, TypeError for anything but tensors.

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
    Right: x. Every path from w is cut. Not all paths from x are cut: its gradient has ch...
    """

    state: GraphCutterState

    def __init__(self, source: str, **tensors: Any) -> None:
        state = GraphCutterState(source, tensors)
        self.way = dropdown("Cut by", (way for way in WAYS if way != NONE), 19)
        self._code, self._error = html(), html()
        self._before, self._after = GraphWidget(state.uncut), GraphWidget(state.uncut)
        self._result = ipywidgets.VBox([html(muted("The graph now")), self._after])
        how = html(muted("Click an arrow to cut it, and once more to put it back."))
        before = ipywidgets.VBox([html(muted("The graph before the cut")), self._before])
        graphs = beside(before, self._result)
        graphs.add_class("mg-graphs")
        code_and_table = beside(self._code, self.table)
        super().__init__(state, [row(self.way, how), graphs, code_and_table, self._error])
        self.add_class("mg-wide")
        self._before.observe(self._press, "pressed")

    cut = on_state(GraphCutterState.cut)

    def redraw(self) -> None:
        state, result = self.state, self.state.result
        self._code.value = code(highlighted(state.program))
        # With the prediction, the verdict shows the error.
        self._error.value = error(result.error) if result and state.verdict is None else ""
        labels = state.labels
        self._before.arrows = {
            arrow: (labels[edge], state.way(edge) != NONE) for arrow, edge in state.arrows.items()
        }
        if result is not None:
            self._after.show(result.snapshot, news="")
        shown = result is not None and result.snapshot.tensors
        self._result.layout.display = "" if shown else "none"

    def _press(self, change: dict[str, Any]) -> None:
        if change["new"]:
            edge = self.state.arrows[change["new"]]
            self.act(lambda: self.state.press(edge, self.way.value))
            self._before.pressed = ""
