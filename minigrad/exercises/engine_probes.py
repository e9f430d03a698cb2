"""What checks look at that can only be seen where the answers are.

In lesson 20: programs of earlier lessons, on the learner's engine. In 08: what is held in memory.
Where a submission is graded in a sandbox this file is in there, too. It knows no solution.
"""

from collections.abc import Callable, Iterator
from functools import partial
from types import CodeType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

import minigrad
from minigrad.exercises.inputs import drawn

Observation = tuple[str, Any]
HELD = "the claim that one segment's values were held at a time"


class EngineParts(NamedTuple):
    """The names of the learner's other parts, and the pocket engine, which is all the rest."""

    theirs: set[str]
    pocket: CodeType


class Inside:
    """An attempt, as the probes see one where there is nothing but the notebook's names."""

    def __init__(self, namespace: dict[str, Any], names: list[str], seed: int) -> None:
        self.namespace = namespace
        self.names = tuple(names)
        self.random = generator(seed)
        self.torch = minigrad

    def __getitem__(self, name: str) -> Any:
        return self.namespace[name]

    def function(self, name: str, gives: bool = True) -> Any:
        """The answer of that name."""
        return self.namespace[name]

    def run(self, what: str, program: Callable[[], Any]) -> Any:
        """What the program returns."""
        return program()


def generator(seed: int) -> np.random.Generator:
    """Random numbers that begin with this seed."""
    return np.random.Generator(np.random.PCG64(seed))


def _engine_with(attempt: Any, engine_parts: EngineParts) -> Any:
    """The engine with the learner's part in it; what isn't theirs is the pocket engine's."""
    space = attempt.namespace
    kept = {name: attempt[name] for name in attempt.names}
    kept |= {name: space[name] for name in engine_parts.theirs & set(space)}
    exec(engine_parts.pocket, space)
    space.update(kept)
    engine = SimpleNamespace(**space)
    engine.leaf = lambda number: engine.Tensor(number, requires_grad=True)
    return engine


def _grad(leaf: Any) -> Any:
    if leaf.grad is not None and not hasattr(leaf.grad, "requires_grad"):
        return "a bare number, and not a Tensor"
    return "None" if leaf.grad is None else np.asarray(leaf.grad.data).tolist()


def _error_of(program: Callable[[], Any]) -> str:
    """The beginning of the error that a program raises."""
    try:
        program()
    except RuntimeError as error:
        return str(error).partition(" (")[0]
    return "no error"


def _at(arrived: Any, node: Any) -> Any:
    """The number that arrived at a node, or "nothing"."""
    number = arrived.get(node) if isinstance(arrived, dict) else None
    return "nothing" if number is None else np.asarray(number, dtype=float).tolist()


def _formula(tensor: Any, names: dict[str, Any]) -> str:
    """A recorded tensor as its nodes tell it, such as `AddBackward0(a, no grad)`."""
    known = {id(one.node): name for name, one in names.items()}

    def text(node: Any) -> str:
        if node is None or id(node) in known:
            return "no grad" if node is None else known[id(node)]
        return f"{node.name()}({', '.join(text(source) for source, _ in node.next_functions)})"

    if tensor is None:
        return "no result"
    return "no graph" if tensor.grad_fn is None else text(tensor.grad_fn)


# 1. A result remembers.


def _remembers(attempt: Any, engine_parts: EngineParts) -> Iterator[Observation]:
    engine = _engine_with(attempt, engine_parts)
    u, v, w = drawn(attempt.random, 3)
    a, b, data = engine.leaf(u), engine.leaf(v), engine.Tensor(w)
    names = {"a": a, "b": b, "data": data}
    record, add, mul = (attempt.function(name) for name in attempt.names)
    p = mul(a, b)
    q = add(p, a)
    yield "`(a * b).data`", p.data.item()
    yield "`(a * b + a).data`", q.data.item()

    # What isn't recorded has a result, too: that it is missing is an observation.
    plus, times = (attempt.function(name, gives=False) for name in ("add", "mul"))

    def look() -> Iterator[Observation]:
        yield "the graph of `a * b + a`", _formula(q, names)
        yield "the graph of `a + a`", _formula(add(a, a), names)
        yield "the graph of `a * data`", _formula(mul(a, data), names)
        yield "the graph of `data + data`", _formula(plus(data, data), names)
        yield "what the node of `a * b` saved", _saved(p, names)
        yield "what the node of `a * b` passes on", [one.item() for one in p.grad_fn(np.ones(()))]
        cubed = record("CubeBackward0", u**3, (a,), lambda one, x: [one * 3 * x.data**2], self=a)
        yield "what a node with another rule passes on", cubed.grad_fn(np.ones(()))[0].item()
        engine.Tensor.recording = False
        yield "the graph of `a * b` while recording is off", _formula(times(a, b), names)

    yield from attempt.run("Your engine", lambda: list(look()))


def _saved(result: Any, names: dict[str, Any]) -> str:
    """What its node saved: `self = a, other = another tensor`."""
    saved = [f"{key} = {_name(one, names)}" for key, one in result.grad_fn.saved.items()]
    return ", ".join(saved) or "nothing"


def _name(thing: Any, names: dict[str, Any]) -> str:
    other = "another tensor" if hasattr(thing, "requires_grad") else "not a tensor"
    return next((name for name, one in names.items() if one is thing), other)


# 2. Local slopes.


def _two(passed: Any) -> Any:
    if not isinstance(passed, tuple | list) or len(passed) != 2:
        return "not two gradients"
    if any(one is None for one in passed):
        return "a gradient and None"
    if any(hasattr(one, "requires_grad") for one in passed):
        return "a Tensor, and not an array"
    return [float(one) for one in passed]


def _local(attempt: Any, engine_parts: EngineParts) -> Iterator[Observation]:
    engine = _engine_with(attempt, engine_parts)
    add_rule, mul_rule = (attempt.function(name) for name in attempt.names)
    for upstream, u, v in [(1.0, 2.0, 5.0), (3.0, 2.0, 5.0), drawn(attempt.random, 3)]:
        at = f"upstream {upstream:g}"
        yield f"`add_rule` at {at}", _two(add_rule(upstream))
        passed = _two(mul_rule(upstream, engine.leaf(u), engine.leaf(v)))
        yield f"`mul_rule` at {at}, for {u:g} × {v:g},", passed
    a, b = map(engine.leaf, drawn(attempt.random, 2))
    attempt.run("Lesson 03's program", ((a * b + a) * 3).backward)
    yield "`a.grad` in lesson 03's program", _grad(a)
    yield "`b.grad` in lesson 03's program", _grad(b)


# 3. An order, and sums.


def _in_order(attempt: Any, engine_parts: EngineParts) -> Iterator[Observation]:
    engine = _engine_with(attempt, engine_parts)
    order, gradients = (attempt.function(name) for name in attempt.names)
    one = np.ones((), dtype=np.float32)
    for value, product in [(2.0, "b * c"), (2.0, "c * b"), (drawn(attempt.random), "b * c")]:
        a = engine.leaf(value)
        b = a * a
        c = b + a
        d = b * c if product == "b * c" else c * b
        names = {d.node: "d", c.node: "c", b.node: "b", a.node: "a"}
        found = order(d.node)
        text = " ".join(names.get(node, "?") for node in found) if _is_list(found) else "no list"
        at = f"for `d = {product}` at {value:g}"
        yield f"the order {at}", text
        arrived = gradients(d.node, one)
        yield f"what arrives {at}", [_at(arrived, node) for node in names]
        yield f"`a.grad` {at}", _grad(a)
    first = [_at(arrived, node) for node in names]
    arrived = gradients(d.node, one)
    again = [_at(arrived, node) for node in names]
    yield "what arrives in a second pass", again
    yield "whether that's what arrived in the first", again == first
    a, data = engine.leaf(drawn(attempt.random)), engine.Tensor(drawn(attempt.random))
    e = data * a
    yield "what arrives for `e = data * a`", _at(gradients(e.node, one), a.node)
    b = a + a
    c = b + b
    arrived = gradients(c.node, one)
    yield "what arrives for `b = a + a; c = b + b`", [_at(arrived, x.node) for x in (c, b, a)]
    yield from _costs(attempt, engine, order, gradients)


def _is_list(found: Any) -> bool:
    return isinstance(found, list | tuple | dict)


def _costs(attempt: Any, engine: Any, order: Any, gradients: Any) -> Iterator[Observation]:
    runs: list[Any] = []
    value = engine.leaf(1.0)
    for _ in range(10):
        value = value + value
        value.node.prehooks.append(runs.append)
    gradients(value.node, np.ones(()))
    yield "how many times ten doublings ran a node", len(runs)
    for _ in range(3000):
        value = value + 1.0
    try:
        found: bool | str = len(order(value.node)) == 3011
    except Exception as stop:
        found = "Recursion" in f"{stop!r} {getattr(stop, 'error', '')}" and "recursion"
    yield "whether a chain of 3,000 additions can be put in order", found


# 4. Leaves keep their gradient.


def _kept(attempt: Any, engine_parts: EngineParts) -> Iterator[Observation]:
    engine = _engine_with(attempt, engine_parts)
    accumulate = attempt.function("accumulate", gives=False)
    start = attempt.function("start")
    value, one, two = drawn(attempt.random, 3)
    leaf = engine.leaf(value)
    for gradient in (one, two):
        accumulate(leaf, np.asarray(gradient))
        yield f"`.grad` after {gradient:g} has arrived", _grad(leaf)
    seen = attempt.run("Lesson 04's programs", lambda: list(_added(engine, value)))
    yield from seen
    scalar = 3 * engine.leaf(value)
    vector = 3 * engine.Tensor([value, one], requires_grad=True)
    yield "`start(result, None)`", np.asarray(start(scalar, None)).tolist()
    short = 3 * engine.Tensor([value], requires_grad=True)
    yield "`start` for a result of shape [1]", np.asarray(start(short, None)).tolist()
    yield "`start` with a gradient", np.asarray(start(vector, engine.Tensor([1.0, two]))).tolist()
    for what, result in [("a tensor without a graph", engine.Tensor(value)), ("a vector", vector)]:
        said = attempt.run("`start`", partial(_error_of, partial(engine.start, result, None)))
        yield f"the error that `start` raises for {what}", said


def _added(engine: Any, value: float) -> Iterator[Observation]:
    w = engine.leaf(value)
    for count in ("one call", "two calls", "three calls"):
        (3 * w).backward()
        yield f"`.grad` after {count} of `(3 * w).backward()`", _grad(w)
    w.grad = None
    (3 * w).backward()
    yield "`.grad` after clearing it, and one call more", _grad(w)
    x = engine.leaf(value)
    (x * 2 + x * 5).backward()
    yield "`.grad` of a leaf with two paths", _grad(x)
    x.backward()
    yield "`.grad` of a leaf after its own `backward()`", _grad(x)


# 5. Freeing, and recording off.


def _frees(attempt: Any, engine_parts: EngineParts) -> Iterator[Observation]:
    engine = _engine_with(attempt, engine_parts)
    yield from attempt.run("Your engine", lambda: list(_passes(attempt, engine)))
    yield from attempt.run("Your engine", lambda: list(_cuts(attempt, engine)))


def _passes(attempt: Any, engine: Any) -> Iterator[Observation]:
    x = engine.leaf(drawn(attempt.random))
    y = x * x
    yield "the error of a first `y.backward()`", _error_of(y.backward)
    yield "`x.grad` then", _grad(x)
    yield "the error of a second one", _error_of(y.backward)
    x.grad, y = None, x * x
    yield "the error with `retain_graph=True`", _error_of(lambda: y.backward(retain_graph=True))
    yield "the error of one more pass after that", _error_of(y.backward)
    yield "`x.grad` after both", _grad(x)
    yield "the error of a third one", _error_of(y.backward)
    z = (x * x) * x
    inner = z.node.sources[0]
    z.backward()
    held = [name for name, one in inner.saved.items() if one is not None]
    yield "what the first product of `(x * x) * x` still holds after a pass", ", ".join(held)
    x.grad, z = None, x + 2
    yield (
        "the error of two passes through an addition",
        _error_of(z.backward) + _error_of(z.backward),
    )
    yield "`x.grad` after two passes through an addition", _grad(x)
    x.grad = None
    x.backward()
    yield "`x.grad` after `x.backward()`, for a leaf `x`,", _grad(x)


def _cuts(attempt: Any, engine: Any) -> Iterator[Observation]:
    x, w0, w1, w2 = map(engine.leaf, drawn(attempt.random, 4))
    h1 = w1 * (w0 * x)
    d = h1.detach()
    (w2 * d + h1).backward()
    yield "`d.requires_grad`, for `d = h1.detach()`", bool(d.requires_grad)
    yield "whether `d` and `h1` share memory", bool(np.shares_memory(d.data, h1.data))
    yield "the gradients in lesson 09's chain", [_grad(one) for one in (w0, w1, w2)]

    def is_recorded() -> bool:
        return (x * x).grad_fn is not None

    with engine.no_grad():
        yield "whether a product is recorded under `no_grad()`", is_recorded()
        with engine.no_grad():
            pass
        yield "whether one is recorded after an inner `no_grad()` has ended", is_recorded()
    yield "whether one is recorded after `no_grad()`", is_recorded()
    yield "what happens to an error under `no_grad()`", _error_of(lambda: _stopped(engine))
    yield "whether one is recorded after an error under `no_grad()`", is_recorded()


def _stopped(engine: Any) -> None:
    with engine.no_grad():
        raise RuntimeError("stopped")


# 6. Tensors.


def _broadcast(attempt: Any, engine_parts: EngineParts) -> Iterator[Observation]:
    engine = _engine_with(attempt, engine_parts)
    unbroadcast = attempt.function("unbroadcast")
    rows, columns = (int(one) for one in attempt.random.integers(2, 12, 2))
    for shape in [(columns,), (1, columns), (rows, 1), (rows, columns), (1, 1), ()]:
        gradient = attempt.random.normal(size=(rows, columns))
        at = f"`unbroadcast` of a [{rows}, {columns}] gradient to {list(shape)}"
        given = np.asarray(unbroadcast(gradient, shape))
        yield f"the shape of {at}", str(list(given.shape))
        yield at, given.tolist()
    x = engine.Tensor(drawn(attempt.random, 3, 2), requires_grad=True)
    w = engine.Tensor(drawn(attempt.random, 2, 3), requires_grad=True)
    for name in ("total", "mean", "tanh"):
        function = attempt.function(name)
        result = function(w)
        yield f"`{name}`", result.data.tolist()
        if name == "tanh":
            yield "what the node of `tanh` saved", _saved(result, {})
        attempt.run(f"`{name}`", result.backward if name != "tanh" else result.sum().backward)
        yield f"the gradient of `{name}`", _grad(w)
        w.grad = None
    product = attempt.function("matmul")(x, w)
    yield "`matmul`", product.data.tolist()
    yield "what the node of `matmul` saved", _saved(product, {"a": x, "b": w})
    yield from attempt.run("A layer", lambda: list(_layer(engine, drawn(attempt.random, 3), x, w)))


def _layer(engine: Any, numbers: list[float], x: Any, w: Any) -> Iterator[Observation]:
    b = engine.Tensor(numbers, requires_grad=True)
    weights = engine.Tensor([[0.5, -1.0, 2.0], [1.0, 3.0, -0.5], [0.2, 0.4, 0.8]])
    (engine.tanh((x @ w + b) * 0.1) * weights).mean().backward()
    for name, one in (("x", x), ("w", w), ("b", b)):
        yield f"`{name}.grad` after `tanh((x @ w + b) * 0.1)`", _grad(one)


def _segments(attempt: Any, _: EngineParts) -> Iterator[Observation]:
    run, torch, live = attempt.function("checkpointed", gives=False), attempt.torch, [0, 0]

    class Held:
        def __init__(self, tensor: Any) -> None:
            self.tensor = tensor.detach()
            live[:] = live[0] + 1, max(live[0] + 1, live[1])

        def __del__(self) -> None:
            live[0] -= 1

    for which, values in (("", [1.0, -2.0]), (" for other numbers", drawn(attempt.random, 3))):
        weights = [torch.tensor(value, requires_grad=True) for value in (0.5, 1.5, -0.8, 1.2)]
        calls: list[int] = []

        def segment(i: int, x: Any, weights: Any = weights, calls: Any = calls) -> Any:
            calls.append(i)
            for _ in range(4):
                x = torch.tanh(x * weights[i])
            return x if i < 3 else (x * x).sum()

        live[:] = [0, 0]
        with torch.autograd.graph.saved_tensors_hooks(Held, lambda held: held.tensor):
            run([partial(segment, i) for i in range(4)], torch.tensor(values))
        for i, weight in enumerate(weights):
            yield f"the gradient in segment {i}{which}", weight.grad
        yield f"{HELD}{which}", live[1] < 20
        often = max(map(calls.count, calls))
        yield f"the claim that no segment ran more than twice{which}", often <= 2


PROBES = {
    "08_checkpoint": _segments,
    "20_record": _remembers,
    "20_rules": _local,
    "20_order": _in_order,
    "20_accumulate": _kept,
    "20_free": _frees,
    "20_tensors": _broadcast,
}
