"""Nudge: the graph of a function whose numbers can be dragged; its gradients answer at once.

The state comes first: plain Python, which works on tensors of minigrad and of PyTorch and knows
nothing of a browser. The widget below it sends the state's numbers to the page, and each move of
the learner's hand back. The page's half is in ``viz/frontend/src/nudge.ts``.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import anywidget
import ipywidgets
import numpy as np
import traitlets

import minigrad
from minigrad.viz.backward.local_factor import factor_of
from minigrad.viz.draw import svg
from minigrad.viz.draw.browser_state import themes
from minigrad.viz.draw.bundled import STATIC
from minigrad.viz.draw.drawing import Drawing
from minigrad.viz.draw.render import RenderError
from minigrad.viz.draw.text import shorten
from minigrad.viz.draw.theme import THEMES
from minigrad.viz.live.bundle import Bundle, bundle
from minigrad.viz.live.keys import keep_keys
from minigrad.viz.read.engines import package_of
from minigrad.viz.read.protocol import GraphNode, is_leaf_node, is_tensor
from minigrad.viz.read.snapshot import take_snapshot
from minigrad.viz.read.walk import Walk
from minigrad.viz.record.traced_call import TracedCall
from minigrad.viz.rules import BETWEEN, RULES, sign_of
from minigrad.widgets.nudge_layout import layouts

MOST_NUMBERS = 12  # that can be dragged
MOST_OPERATIONS = 60
_MOST_SHOWN = 4  # entries of a tensor that are written on an edge
_CURVE_POINTS = 61
_LONGEST_NAME = 16
_LONGEST_ERROR = 200
_PARTS = ("before", "sign", "after")  # of an operation in the picture


def neuron(x: Any, w: Any, b: Any) -> Any:
    """One artificial neuron: ``tanh(x * w + b)``.

    >>> import minigrad as torch
    >>> neuron(torch.tensor(0.5), torch.tensor(1.2), torch.tensor(-0.3))
    tensor(0.2913)
    """
    n = x * w + b
    return n.tanh()


@dataclass
class Leaf:
    """A tensor whose numbers can be dragged between ``-limit`` and ``limit``."""

    name: str
    shape: tuple[int, ...]
    options: Mapping[str, Any]  # dtype, where the learner has chosen one
    first: tuple[float, ...]
    values: list[float]
    grads: list[float] | None = None  # None while no path leads from the result to the leaf

    @property
    def limit(self) -> float:
        """The least of 2, 5, 10, 20, ... that leaves room beyond the first values."""
        needed = max(1.6, *map(abs, self.first)) * 1.25
        power = 10.0 ** math.floor(math.log10(needed))
        return next(step * power for step in (1, 2, 5, 10) if step * power >= needed)

    def entry(self, index: int) -> str:
        """What an entry is called: ``x``, or ``w[2]`` of a vector, ``m[0, 1]`` of a matrix."""
        place = ", ".join(map(str, np.unravel_index(index, self.shape)))
        return f"{self.name}[{place}]" if self.shape else self.name

    def drawn(self) -> dict[str, Any]:
        """What the page needs to draw the leaf."""
        entries = [shorten(self.entry(index)) for index in range(len(self.first))]
        name = shorten(self.name, _LONGEST_NAME)
        return {"name": name, "entries": entries, "limit": self.limit, "first": self.first}

    def tensor(self, package: ModuleType, values: Sequence[float], requires_grad: bool) -> Any:
        """A new tensor that holds these values."""
        flat = package.tensor(list(values), **self.options)
        return flat.reshape(self.shape).requires_grad_(requires_grad)


class NudgeState:
    """A function, where its leaves are now, and the values and gradients along its graph.

    f: a function that is called with the leaves by name and returns a tensor with one number.
    leaves: numbers, lists of numbers, or tensors of minigrad or PyTorch, which are copied.

    TypeError for what can't be dragged, such as integers; ValueError for more than can be shown,
    and for a result that isn't one number. What ``f`` raises goes through.

    >>> state = NudgeState(neuron, {"x": 0.5, "w": 1.2, "b": -0.3})
    >>> print(state.text)
    x     0.500   grad   1.098
    w     1.200   grad   0.458
    b    -0.300   grad   0.915
    out   0.291
    >>> state.move("x", 0.6)
    >>> round(state.numbers["result"], 4)
    0.3969
    """

    def __init__(self, f: Callable[..., Any], leaves: Mapping[str, Any]) -> None:
        if not callable(f):
            raise TypeError(f"nudge needs a function first, but got {_kind(f)}")
        if not leaves:
            raise TypeError("nudge needs numbers to drag: nudge(f, x=0.5)")
        self.f = f
        self.package = _package(leaves)
        self.leaves = [_leaf(name, given) for name, given in leaves.items()]
        count = sum(len(leaf.values) for leaf in self.leaves)
        if count > MOST_NUMBERS:
            raise ValueError(f"nudge shows at most {MOST_NUMBERS} numbers to drag, but got {count}")
        self.graph: dict[str, Any] = {}
        self.numbers: dict[str, Any] = {}
        self._compute()

    def move(self, name: str, value: float, index: int = 0) -> None:
        """Give one entry of a leaf another value, and compute everything again.

        KeyError and IndexError for what isn't there. What ``f`` raises goes through; the numbers
        then stay as they were.
        """
        leaf = next((leaf for leaf in self.leaves if leaf.name == name), None)
        if leaf is None:
            raise KeyError(name)
        before, leaf.values[index] = leaf.values[index], float(value)
        try:
            self._compute()
        except Exception:
            leaf.values[index] = before
            raise

    def reset(self) -> None:
        """Give every leaf its first values again."""
        for leaf in self.leaves:
            leaf.values = list(leaf.first)
        self._compute()

    def curve(self, leaf: int, index: int) -> list[tuple[float, float | str | None]]:
        """The result for values of one entry across its range; None where ``f`` raises."""
        moved = self.leaves[leaf]
        tensors = {one.name: one.tensor(self.package, one.values, False) for one in self.leaves}
        points: list[tuple[float, float | str | None]] = []
        for step in range(_CURVE_POINTS):
            value = moved.limit * (2 * step / (_CURVE_POINTS - 1) - 1)
            values = [*moved.values[:index], value, *moved.values[index + 1 :]]
            tensors[moved.name] = moved.tensor(self.package, values, False)
            try:
                points.append((value, _json(_number(self.f(**tensors)))))
            except Exception:  # the domain of f ends here
                points.append((value, None))
        return points

    @property
    def summary(self) -> str:
        """The leaves and the result in half a line."""
        return f"{', '.join(leaf.name for leaf in self.leaves)} to {self.graph['result']}"

    @property
    def text(self) -> str:
        """All numbers that can be dragged, with their gradients, and the result."""
        rows = [
            (leaf.entry(index), value, None if leaf.grads is None else leaf.grads[index])
            for leaf in self.leaves
            for index, value in enumerate(leaf.values)
        ]
        result = str(self.graph["result"])
        width = max(len(result), *(len(name) for name, _, _ in rows))
        lines = [
            f"{name:<{width}} {value:>7.3f}   grad {'None' if grad is None else f'{grad:.3f}':>7}"
            for name, value, grad in rows
        ]
        return "\n".join([*lines, f"{result:<{width}} {float(self.numbers['result']):>7.3f}"])

    @property
    def outline(self) -> str:
        """The same, and what each operation makes of its inputs."""
        edges = list(zip(self.graph["edges"], self.numbers["edges"], strict=True))
        words = {f"l{index}": leaf.name for index, leaf in enumerate(self.leaves)}
        words |= {f"d{i}": one["name"] or "data" for i, one in enumerate(self.graph["data"])}
        lines = [self.text]
        for index, operation in enumerate(self.graph["operations"]):
            place = f"o{index}"
            inputs = [words[edge["from"]] for edge, _ in edges if edge["to"] == place]
            outputs = [(edge["name"], row) for edge, (row, _) in edges if edge["from"] == place]
            name, row = outputs[0]
            words[place] = name or operation["sign"]
            sign = " ".join(filter(None, (operation[part] for part in _PARTS)))
            value = f" = {', '.join(f'{float(one):.3f}' for one in row)}" if row else ""
            lines.append(f"{sign} of {', '.join(inputs)}{value}")
        return "\n".join(lines)

    def svg(self) -> str:
        """The graph as a picture that stays as it is."""
        call, tensors = self._call(names=True)
        if call.result.grad_fn is None:
            return svg.of_text(self.text, "", THEMES["light"])
        grads = _Reading(self.leaves, tensors, call).backward(self.package, keep=True)[0]
        for tensor, grad in zip(tensors, grads, strict=True):
            tensor.grad = grad
        named = [(leaf.name, tensor) for leaf, tensor in zip(self.leaves, tensors, strict=True)]
        named.append((self.graph["result"], call.result))
        return Drawing(take_snapshot([call.result], named)).svg()

    def _compute(self) -> None:
        graph, numbers = self._read(names=not self.graph)
        if not self.graph or _form(graph) == _form(self.graph):
            self.graph = self.graph or graph
        else:  # f has taken another branch
            self.graph, numbers = self._read(names=True)
        self.numbers = numbers
        for leaf, (_, grads) in zip(self.leaves, numbers["leaves"], strict=True):
            leaf.grads = None if grads is None else [float(grad) for grad in grads]

    def _read(self, names: bool) -> tuple[dict[str, Any], dict[str, Any]]:
        call, tensors = self._call(names)
        return _Reading(self.leaves, tensors, call).read(self.package)

    def _call(self, names: bool) -> tuple[TracedCall, list[Any]]:
        """Run ``f`` forward; names: look for the names of what it computes, too."""
        tensors = [leaf.tensor(self.package, leaf.values, True) for leaf in self.leaves]
        given = {leaf.name: tensor for leaf, tensor in zip(self.leaves, tensors, strict=True)}
        call = TracedCall(self.f, given, self.package, names)
        _check_result(call.result)
        return call, tensors


class Nudge(anywidget.AnyWidget):
    """The picture of a function in a notebook, with numbers to drag; ``nudge`` makes one.

    ``state`` holds the numbers. The page asks for a move and is answered with new numbers.
    """

    _esm = STATIC / "boot.js"

    instrument = traitlets.Unicode("nudge").tag(sync=True)
    graph = traitlets.Dict(help="what is drawn, without its numbers").tag(sync=True)
    layouts: Any = traitlets.List(help="its places, from spacious to close").tag(sync=True)
    numbers = traitlets.Dict(help="values and gradients, in the graph's order").tag(sync=True)
    curve = traitlets.Dict(help="the result across the range of one number").tag(sync=True)
    outline = traitlets.Unicode(help="the picture, as text").tag(sync=True)
    themes = traitlets.Dict(help="the colors, light and dark").tag(sync=True)
    bundle = traitlets.Instance(Bundle, help="what runs in the browser").tag(
        sync=True, **ipywidgets.widget_serialization
    )

    def __init__(self, f: Callable[..., Any], leaves: Mapping[str, Any]) -> None:
        self.state = NudgeState(f, leaves)
        self._drawn: object = None  # the graph that the page has the places of
        super().__init__(**self._shown(), themes=themes(), bundle=bundle())
        self.set_trait("curve", self._curve(0, 0))
        self.on_msg(self._on_message)
        keep_keys()

    def move(self, name: str, value: float, index: int = 0) -> None:
        """Give one entry of a leaf another value, as dragging it does."""
        self.state.move(name, value, index)
        self._show(self._shown())

    def reset(self) -> None:
        """Give every leaf its first values again."""
        self.state.reset()
        self._show(self._shown())

    def _on_message(self, _: object, message: Mapping[str, Any], __: object) -> None:
        """What the learner's hand did: ``turn``, ``moves``, and ``reset`` or ``curve``."""
        if "turn" not in message:
            return  # it was sent only so that the page hears sooner of the answer before
        error = ""
        try:
            if message.get("reset"):
                self.state.reset()
            for leaf, index, value in message["moves"]:
                self.state.move(self.state.leaves[leaf].name, value, index)
        except Exception as problem:  # of the learner's own function: shown, as below a cell
            error = f"{type(problem).__name__}: {problem}"
        shown = self._shown(message["turn"], error)
        if "curve" in message:
            shown["curve"] = self._curve(*message["curve"])
        self._show(shown)

    def _shown(self, turn: int = 0, error: str = "") -> dict[str, Any]:
        state = self.state
        numbers = {**state.numbers, "turn": turn, "error": shorten(error, _LONGEST_ERROR)}
        shown: dict[str, Any] = {"graph": state.graph, "numbers": numbers, "outline": state.outline}
        if state.graph is not self._drawn:
            self._drawn = state.graph
            shown["layouts"] = _layouts(state.graph)
        return shown

    def _curve(self, leaf: int, index: int) -> dict[str, Any]:
        return {"leaf": leaf, "index": index, "points": self.state.curve(leaf, index)}

    def _show(self, traits: Mapping[str, Any]) -> None:
        with self.hold_sync():
            for name, value in traits.items():
                self.set_trait(name, value)

    def __repr__(self) -> str:
        return f"<Nudge: {self.state.summary}>"

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """The widget; its text and a picture for where no kernel runs."""
        data, metadata = super()._repr_mimebundle_(**options) or ({}, {})
        data["text/plain"], data["image/svg+xml"] = self.state.text, self.state.svg()
        return data, metadata


def _layouts(graph: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The picture's places; none without Graphviz, and the page then says what to install."""
    try:
        return layouts(graph)
    except RenderError:
        return []


def nudge(f: Callable[..., Any], **leaves: Any) -> Nudge:
    """Show the graph of ``f`` with its leaves' numbers to drag, and their gradients at once.

    f: a function that is called with the leaves by name and returns a tensor with one number.
    leaves: numbers, lists of numbers, or tensors of minigrad or PyTorch, which are copied. Plain
    numbers become tensors of minigrad, or of PyTorch if another leaf is PyTorch's.

    TypeError for what can't be dragged, such as integers; ValueError for more than can be shown,
    and for a result that isn't one number. What ``f`` raises goes through.

    >>> nudge(neuron, x=0.5, w=1.2, b=-0.3)
    <Nudge: x, w, b to out>
    >>> nudge(lambda a: a * a, a=4)
    Traceback (most recent call last):
    TypeError: a is 4, and an integer can't be nudged a little. Write 4.0
    """
    return Nudge(f, leaves)


class _Reading:
    """One look at a graph that has just been recorded."""

    def __init__(self, leaves: Sequence[Leaf], tensors: Sequence[Any], call: TracedCall) -> None:
        self.leaves, self.tensors, self.call, self.result = leaves, tensors, call, call.result
        self.leaf_ids = {id(tensor): f"l{index}" for index, tensor in enumerate(tensors)}
        graph = Walk([self.result], [], 3 * MOST_OPERATIONS).graph
        self.operations = [node for node in graph if not is_leaf_node(node)]
        if len(self.operations) > MOST_OPERATIONS:
            raise ValueError(f"nudge draws at most {MOST_OPERATIONS} operations; f made more")
        self.places = {node: f"o{index}" for index, node in enumerate(self.operations)}
        self.data: dict[int, Any] = {}
        leaf_names = {leaf.name for leaf in leaves}
        self.names = {
            self._key(tensor): shorten(name, _LONGEST_NAME)
            for name, tensor in call.named
            if name not in leaf_names
        }
        inner = {edge for node in graph for edge in node.next_functions if edge[0] in self.places}
        if not inner <= call.values.keys():
            call.add_saved(self.operations)

    def read(self, package: ModuleType) -> tuple[dict[str, Any], dict[str, Any]]:
        """The graph without its numbers, and the numbers."""
        edges = list(self._edges())
        data = [_numbers(tensor) for tensor in self.data.values()]
        grads, passed = self.backward(package)
        numbers = {
            "leaves": [
                (list(leaf.values), None if grad is None else _numbers(grad, MOST_NUMBERS))
                for leaf, grad in zip(self.leaves, grads, strict=True)
            ],
            "data": data,
            "edges": [(value, passed.get((edge["to"], edge["port"]), [])) for edge, value in edges],
            "result": _json(_number(self.result)),
        }
        return self._graph([edge for edge, _ in edges]), numbers

    def _graph(self, edges: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "leaves": [leaf.drawn() for leaf in self.leaves],
            "data": [
                {"name": self.names.get(key, ""), "shape": list(tensor.shape)}
                for key, tensor in self.data.items()
            ],
            "operations": [self._operation(node) for node in self.operations],
            "edges": edges,
            "result": self.names.get(self._key(self.result)) or self._free_name(),
        }

    def _free_name(self) -> str:
        return "result" if any(leaf.name == "out" for leaf in self.leaves) else "out"

    def _key(self, tensor: Any) -> Any:
        return id(tensor) if tensor.grad_fn is None else (tensor.grad_fn, tensor.output_nr)

    def _edges(self) -> Iterator[tuple[dict[str, Any], list[float | str]]]:
        """The edges in topological order of their targets, each with the value that runs along it.

        The value of a leaf is written elsewhere. The last edge leads to the result.
        """
        for node, place in self.places.items():
            origins = [self._origin(node, port) for port in range(len(tuple(node.next_functions)))]
            names = ["" if origin is None else origin[0]["name"] for origin in origins]
            for port, origin in enumerate(origins):
                if origin is not None:
                    factor = self._factor(node, port, names)
                    yield self._edge(*origin, {"to": place, "port": port, "factor": factor})
        result = self.result
        start = self.places.get(result.grad_fn) or self.leaf_ids.get(id(result))
        if start:
            last = {"from": start, "output": result.output_nr, "name": "", "data": False}
            yield self._edge(last, result, {"to": "r", "port": 0, "factor": ""})

    def _edge(
        self, origin: dict[str, Any], tensor: Any, target: dict[str, Any]
    ) -> tuple[dict[str, Any], list[float | str]]:
        shape = None if tensor is None else list(tensor.shape)
        inner = tensor is not None and origin["from"][0] == "o"
        return {**origin, **target, "shape": shape}, _numbers(tensor) if inner else []

    def _origin(self, node: GraphNode, port: int) -> tuple[dict[str, Any], Any] | None:
        """Where an input of an operation comes from, and its tensor, as far as it is known.

        None for a plain number and the like.
        """
        inputs = tuple(node.next_functions)
        source, output = inputs[port]
        if source in self.places:
            assert source is not None
            name = self.names.get((source, output), "")
            origin = {"from": self.places[source], "output": output, "name": name, "data": False}
            return origin, self.call.values.get((source, output))
        tensor = source.variable if source is not None and is_leaf_node(source) else None
        if tensor is None:
            given = [one for one in self.call.arguments.get(node, ()) if is_tensor(one)]
            if len(given) != len(inputs) or source is not None:
                return None
            tensor = given[port]
        place = self.leaf_ids.get(id(tensor))
        if place is not None:
            name, data = shorten(self.leaves[int(place[1:])].name, _LONGEST_NAME), source is None
        else:
            self.data.setdefault(id(tensor), tensor)
            place = f"d{list(self.data).index(id(tensor))}"
            name, data = self.names.get(id(tensor), ""), True
        return {"from": place, "output": 0, "name": name, "data": data}, tensor

    def _factor(self, node: GraphNode, port: int, inputs: list[str]) -> str:
        """By what the gradient is multiplied on an edge, in the learner's names; "" if unnamed."""
        rule = RULES.get(node.name())
        formulas = [] if rule is None else list(rule.backward.items())
        written = factor_of(formulas[port][1]) if port < len(formulas) else None
        if written is None or re.search(r"numel|shape|math|exponent", written):
            return ""
        words = dict(zip((name for name, _ in formulas), inputs, strict=False))
        result = self._key(self.result) == (node, 0) and self._free_name()
        words |= {"alpha": "1", "result": self.names.get((node, 0)) or result or ""}
        used = [word for word in words if re.search(rf"\b{word}\b", written)]
        if any(not words[word] for word in used):
            return ""
        return re.sub(r"\b[a-z]+\b", lambda match: words.get(match[0], match[0]), written)

    def _operation(self, node: GraphNode) -> dict[str, str]:
        """The node's name, its sign, and a plain number that belongs before or after the sign."""
        sign = shorten(sign_of(node.name()), _LONGEST_NAME)
        drawn = {"name": node.name(), "sign": sign.replace("**", "^"), "before": "", "after": ""}
        given = self.call.arguments.get(node, ())
        plain = [f"{one:g}" for one in given if isinstance(one, float | int)]
        if sign in BETWEEN and len(plain) == 1:
            drawn["before" if RULES[node.name()].number_first else "after"] = plain[0]
        return drawn

    def backward(
        self, package: ModuleType, keep: bool = False
    ) -> tuple[list[Any], dict[tuple[str, int], list[float | str]]]:
        """The gradient of each leaf and each edge; ``.grad`` of other tensors stays as it is.

        keep: leave the graph as it is.
        """
        passed: dict[tuple[str, int], list[float | str]] = {("r", 0): [1.0]}
        if not self.result.requires_grad:
            return [None] * len(self.tensors), {}

        def hook(place: str) -> Callable[[Sequence[Any], Sequence[Any]], None]:
            def note(gradients: Sequence[Any], _: Sequence[Any]) -> None:
                for port, gradient in enumerate(gradients):
                    if gradient is not None:
                        passed[place, port] = _numbers(gradient)

            return note

        handles = [node.register_hook(hook(place)) for node, place in self.places.items()]
        grads = package.autograd.grad(
            self.result, self.tensors, retain_graph=keep, allow_unused=True
        )
        for handle in handles:
            handle.remove()
        return list(grads), passed


def _form(graph: Mapping[str, Any]) -> object:
    """What decides the layout: all but the names, which are looked for only now and then."""
    edges = [(e["from"], e["output"], e["to"], e["port"], e["shape"]) for e in graph["edges"]]
    data = [one["shape"] for one in graph["data"]]
    return graph["operations"], data, edges


def _package(leaves: Mapping[str, Any]) -> ModuleType:
    """Whose tensors to compute with: minigrad's, unless a leaf is PyTorch's."""
    packages = {package_of(leaf) for leaf in leaves.values() if is_tensor(leaf)}
    if len(packages) > 1:
        names = " and ".join(sorted(package.__name__ for package in packages))
        raise TypeError(f"nudge needs tensors of one package, but got those of {names}")
    return packages.pop() if packages else minigrad


def _leaf(name: str, given: Any) -> Leaf:
    """A leaf from a number, a list of numbers or a tensor; TypeError for anything else."""
    options = {"dtype": given.dtype} if is_tensor(given) else {}
    plain = given.detach().tolist() if is_tensor(given) else given
    numbers = np.asarray(plain) if isinstance(plain, float | int | list | tuple) else np.array("")
    if numbers.dtype.kind not in "biuf":
        raise TypeError(
            f"{name} must be a number, a list of numbers or a tensor, not {_kind(given)}"
        )
    if not numbers.size:
        raise ValueError(f"{name} is empty, so there is nothing to drag")
    if numbers.dtype.kind != "f":
        better = shorten(str(numbers.astype(float).tolist()))
        text = shorten(str(numbers.tolist()))
        raise TypeError(
            f"{name} is {text}, and an integer can't be nudged a little. Write {better}"
        )
    if not np.isfinite(numbers).all():
        raise ValueError(f"{name} must be finite to be dragged, but is {numbers.tolist()}")
    values = numbers.ravel().tolist()
    return Leaf(name, numbers.shape, options, tuple(values), values)


def _check_result(result: Any) -> None:
    if not is_tensor(result):
        raise TypeError(f"f must return a tensor with one number, but returned {_kind(result)}")
    if math.prod(result.shape) != 1:
        raise ValueError(
            f"f must return one number, but returned a tensor of shape {list(result.shape)}. "
            "Add .sum() or .mean()"
        )


def _kind(thing: object) -> str:
    return "None" if thing is None else f"a {type(thing).__name__}"


def _json(number: float) -> float | str:
    """A number as JSON can hold it: those that aren't finite go as JavaScript's words for them."""
    if math.isfinite(number):
        return number
    return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"


def _numbers(tensor: Any, most: int = _MOST_SHOWN) -> list[float | str]:
    """The entries of a tensor, if they are few."""
    if math.prod(tensor.shape) > most:
        return []
    return [_json(float(number)) for number in tensor.detach().reshape(-1).tolist()]


def _number(tensor: Any) -> float:
    return float(tensor.detach().item())
