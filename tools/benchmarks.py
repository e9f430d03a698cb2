"""The time minigrad takes beside PyTorch, hand-written numpy, and other engines of its size.

Run `python -m tools.benchmarks`. Every library runs the same programs on the same float32 arrays,
on one thread, in one process, in turn. Figures are medians of process time. A library without a
method for a program isn't in its row. A wrong result stops the run; no time does.
"""

import argparse
import gc
import importlib
import importlib.util
import os
import platform
import random
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Program = Iterator[Any]  # each `next` runs it once and gives arrays that must agree with numpy's

BEGIN, END = "<!-- benchmarks -->", "<!-- end of benchmarks -->"
PROGRAMS = {  # method and argument: title
    "tutorial": "tutorial graph, 3 elements",
    "one_layer": "one layer, binary cross-entropy",
    "small_net": "2-16-16-1 net, training step",
    "digits_net": "784-128-10 net, training step",
    "second_derivative": "second derivative of the tutorial graph",
    "chain": "chain of 10,000 products with a number",
    "tensor_chain": "chain of 10,000 products with a tensor",
    "forward": "forward pass of 6 operations, 1,000 elements",
    "forward no_grad": "the same under no_grad",
    "elementary tanh": "tanh, 1,000 elements",
    "elementary exp": "exp, 1,000 elements",
    "elementary log": "log, 1,000 elements",
    "elementary sigmoid": "sigmoid, 1,000 elements",
}
CHAIN, FACTOR = 10_000, 1.0001
SMALL_NET, DIGITS_NET = (2, 16, 16, 1), (784, 128, 10)
LEARNING_RATE = 0.01
OPERATIONS = 200_000  # recorded to measure memory
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # read when numpy is imported


def normal(*shape: int, seed: int = 0) -> Array:
    """Standard normal float32 numbers, the same in every call."""
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def layers(sizes: tuple[int, ...]) -> list[Array]:
    """Weight (out, in) and bias (out) of each layer of a net."""
    parameters = []
    for number, (width_in, width_out) in enumerate(pairwise(sizes)):
        parameters.append(normal(width_out, width_in, seed=number) / np.float32(width_in**0.5))
        parameters.append(normal(width_out, seed=number + 10) * np.float32(0.1))
    return parameters


# The programs: generators that prepare their inputs, and run once for each `next`


class TorchLike:
    """minigrad and PyTorch: one text for both."""

    def __init__(self, module: str) -> None:
        self.torch: Any = importlib.import_module(module)
        if module == "torch":
            self.torch.set_num_threads(1)

    def leaf(self, values: Any) -> Any:
        return self.torch.tensor(values, requires_grad=True)

    def tutorial(self) -> Program:
        x = self.leaf(normal(3))
        while True:
            x.grad = None
            y = x + 2
            z = y * y * 3
            z.mean().backward()
            yield [x.grad]

    def second_derivative(self) -> Program:
        x, torch = self.leaf(normal(3)), self.torch
        while True:
            x.grad = None
            y = x + 2
            z = y * y * 3
            (slope,) = torch.autograd.grad(z.mean(), x, create_graph=True)
            slope.sum().backward()
            yield [x.grad]

    def one_layer(self) -> Program:
        torch, f = self.torch, self.torch.nn.functional
        x, y, w, b = torch.ones(5), torch.zeros(3), self.leaf(normal(5, 3)), self.leaf(normal(3))
        while True:
            w.grad = b.grad = None
            z = torch.matmul(x, w) + b
            f.binary_cross_entropy_with_logits(z, y).backward()
            yield [w.grad, b.grad]

    def small_net(self) -> Program:
        torch, f = self.torch, self.torch.nn.functional
        w1, b1, w2, b2, w3, b3 = parameters = [self.leaf(array) for array in layers(SMALL_NET)]
        x, y = torch.tensor(normal(100, 2)), torch.tensor(normal(100, 1, seed=1))
        optimizer = torch.optim.SGD(parameters, lr=LEARNING_RATE)
        while True:
            optimizer.zero_grad()
            hidden = torch.tanh(f.linear(x, w1, b1))
            hidden = torch.tanh(f.linear(hidden, w2, b2))
            f.mse_loss(f.linear(hidden, w3, b3), y).backward()
            optimizer.step()
            yield parameters

    def digits_net(self) -> Program:
        torch, f = self.torch, self.torch.nn.functional
        w1, b1, w2, b2 = parameters = [self.leaf(array) for array in layers(DIGITS_NET)]
        x, labels = torch.tensor(normal(64, 784)), torch.tensor(np.arange(64) % 10)
        optimizer = torch.optim.SGD(parameters, lr=LEARNING_RATE)
        while True:
            optimizer.zero_grad()
            hidden = torch.relu(f.linear(x, w1, b1))
            f.cross_entropy(f.linear(hidden, w2, b2), labels).backward()
            optimizer.step()
            yield parameters

    def chain(self, factor: Any = FACTOR, length: int = CHAIN) -> Program:
        x = self.leaf(1.0)
        while True:
            x.grad = None
            y = x
            for _ in range(length):
                y = y * factor
            y.backward()
            yield [x.grad]

    def tensor_chain(self) -> Program:
        return self.chain(self.torch.tensor(FACTOR))

    def forward(self, mode: str = "enable_grad") -> Program:
        torch, mode_class, x = self.torch, getattr(self.torch, mode), self.leaf(normal(1000))
        while True:
            with mode_class():
                y = x * 2 + 1
                out = (torch.tanh(y) * x - y).mean()
            yield [out]

    def elementary(self, name: str) -> Program:
        function, x = getattr(self.torch, name), self.torch.tensor(abs(normal(1000)))
        while True:
            yield [function(x)]


class Numpy:
    """What you would write in numpy if you knew the derivatives: no graph, updates in place."""

    def tutorial(self) -> Program:
        x = normal(3)
        while True:
            y = x + 2
            (y * y * 3).mean()
            yield [y * (6 / y.size)]

    def second_derivative(self) -> Program:
        x = normal(3)
        while True:
            y = x + 2
            (y * y * 3).mean()
            (y * (6 / y.size)).sum()
            yield [np.full_like(x, 6 / x.size)]

    def one_layer(self) -> Program:
        x, y, w, b = np.ones(5, np.float32), np.zeros(3, np.float32), normal(5, 3), normal(3)
        while True:
            z = x @ w + b
            (np.maximum(z, 0) - z * y + np.log1p(np.exp(-np.abs(z)))).mean()
            z_grad = (1 / (1 + np.exp(-z)) - y) / z.size
            yield [np.outer(x, z_grad), z_grad]

    def small_net(self) -> Program:
        w1, b1, w2, b2, w3, b3 = parameters = layers(SMALL_NET)
        x, y = normal(100, 2), normal(100, 1, seed=1)
        while True:
            hidden1 = np.tanh(x @ w1.T + b1)
            hidden2 = np.tanh(hidden1 @ w2.T + b2)
            error = hidden2 @ w3.T + b3 - y
            (error * error).mean()
            grad3 = error * (2 / error.size)
            grad2 = grad3 @ w3 * (1 - hidden2 * hidden2)
            grad1 = grad2 @ w2 * (1 - hidden1 * hidden1)
            self.step(w3, b3, grad3, hidden2)
            self.step(w2, b2, grad2, hidden1)
            self.step(w1, b1, grad1, x)
            yield parameters

    def digits_net(self) -> Program:
        w1, b1, w2, b2 = parameters = layers(DIGITS_NET)
        x, labels, rows = normal(64, 784), np.arange(64) % 10, np.arange(64)
        while True:
            hidden = np.maximum(x @ w1.T + b1, 0)
            out = hidden @ w2.T + b2
            shifted = out - out.max(1, keepdims=True)
            exponentials = np.exp(shifted)
            sums = exponentials.sum(1, keepdims=True)
            (np.log(sums[:, 0]) - shifted[rows, labels]).mean()
            grad2 = exponentials / sums
            grad2[rows, labels] -= 1
            grad2 /= len(rows)
            grad1 = (grad2 @ w2) * (hidden > 0)
            self.step(w2, b2, grad2, hidden)
            self.step(w1, b1, grad1, x)
            yield parameters

    def step(self, weight: Array, bias: Array, grad: Array, input: Array) -> None:
        """Update a layer from the gradient of its output and from its input."""
        weight -= LEARNING_RATE * (grad.T @ input)
        bias -= LEARNING_RATE * grad.sum(0)

    def chain(self) -> Program:
        factor = np.float32(FACTOR)
        while True:
            y = grad = np.float32(1)
            for _ in range(CHAIN):
                y = y * factor
            for _ in range(CHAIN):
                grad = grad * factor
            yield [grad]

    tensor_chain = chain

    def forward(self, mode: str = "") -> Program:
        x = normal(1000)
        while True:
            y = x * 2 + 1
            yield [(np.tanh(y) * x - y).mean()]

    def elementary(self, name: str) -> Program:
        x = abs(normal(1000))
        function = getattr(np, name, lambda x: 1 / (1 + np.exp(-x)))
        while True:
            yield [function(x)]


class NumpyLike:
    """HIPS autograd and mygrad: their functions have numpy's names, so the losses are the same."""

    np: Any
    grads: Callable[..., Program]

    def cubic(self, x: Any) -> Any:
        y = x + 2
        return self.np.mean(y * y * 3)

    def tutorial(self) -> Program:
        return self.grads(self.cubic, normal(3))

    def one_layer(self) -> Program:
        np, x, y = self.np, normal(5) * 0 + 1, normal(3) * 0

        def loss(w: Any, b: Any) -> Any:
            z = np.matmul(x, w) + b
            return np.mean(np.maximum(z, 0) - z * y + np.log1p(np.exp(-np.abs(z))))

        return self.grads(loss, normal(5, 3), normal(3))

    def small_net(self) -> Program:
        np, x, y = self.np, normal(100, 2), normal(100, 1, seed=1)

        def loss(w1: Any, b1: Any, w2: Any, b2: Any, w3: Any, b3: Any) -> Any:
            hidden = np.tanh(np.matmul(x, w1.T) + b1)
            hidden = np.tanh(np.matmul(hidden, w2.T) + b2)
            return np.mean((np.matmul(hidden, w3.T) + b3 - y) ** 2)

        return self.descent(loss, *layers(SMALL_NET))

    def descent(self, loss: Callable[..., Any], *parameters: Array) -> Program:
        grads = self.grads(loss, *parameters)
        while True:
            for parameter, grad in zip(parameters, next(grads), strict=True):
                parameter -= LEARNING_RATE * grad
            yield parameters

    def chain(self) -> Program:
        def product(x: Any) -> Any:
            for _ in range(CHAIN):
                x = x * FACTOR
            return x

        return self.grads(product, normal() * 0 + 1)


class HipsAutograd(NumpyLike):
    def __init__(self) -> None:
        self.grad: Any = importlib.import_module("autograd").grad
        self.np: Any = importlib.import_module("autograd.numpy")

    def grads(self, loss: Callable[..., Any], *at: Any) -> Program:
        gradient = self.grad(loss, tuple(range(len(at))))
        while True:
            yield gradient(*at)

    def second_derivative(self) -> Program:
        slope = self.grad(self.cubic)
        return self.grads(lambda x: self.np.sum(slope(x)), normal(3))


class MyGrad(NumpyLike):
    def __init__(self) -> None:
        self.np: Any = importlib.import_module("mygrad")

    def grads(self, loss: Callable[..., Any], *at: Any) -> Program:
        leaves = [self.np.tensor(values, copy=False) for values in at]
        while True:
            loss(*leaves).backward()
            yield [leaf.grad for leaf in leaves]


class Micrograd:
    """Numbers instead of arrays; its `backward` is recursive and fails on the chains."""

    def __init__(self) -> None:
        self.value: Any = importlib.import_module("micrograd.engine").Value

    def tutorial(self) -> Program:
        xs = [self.value(float(number)) for number in normal(3)]
        while True:
            for x in xs:
                x.grad = 0
            ys = [x + 2 for x in xs]
            (sum(y * y * 3 for y in ys) / 3).backward()
            yield [[x.grad for x in xs]]


# The measurements

LIBRARIES: dict[str, tuple[str, Callable[[], Any]]] = {  # module: title and programs
    "torch": ("PyTorch", lambda: TorchLike("torch")),
    "minigrad": ("minigrad", lambda: TorchLike("minigrad")),
    "numpy": ("numpy", Numpy),
    "autograd": ("HIPS autograd", HipsAutograd),
    "mygrad": ("mygrad", MyGrad),
    "micrograd": ("micrograd", Micrograd),
}


def build(name: str, modules: Collection[str] = ()) -> dict[str, Program]:
    """The program in each installed library that has it; AssertionError if results differ."""
    method, *arguments = name.split()
    programs: dict[str, Program] = {}
    for module in modules or filter(importlib.util.find_spec, LIBRARIES):
        if hasattr(methods := LIBRARIES[module][1](), method):
            programs[module] = getattr(methods, method)(*arguments)
    for _ in range(3):
        expected = next(programs["numpy"])
        for module in programs.keys() - {"numpy"}:
            assert_agreement(f"{module}: {name}", next(programs[module]), expected)
    return programs


def assert_agreement(name: str, result: Any, expected: list[Array]) -> None:
    """AssertionError unless both hold the same numbers."""
    for ours, right in zip(result, expected, strict=True):
        ours = ours.detach() if hasattr(ours, "detach") else ours
        np.testing.assert_allclose(np.asarray(ours), right, 1e-3, 1e-4, err_msg=name)


def timed(program: Program, number: int) -> float:
    """Seconds of process time a run takes, over `number` runs."""
    start = time.process_time()
    for _ in range(number):
        next(program)
    return (time.process_time() - start) / number


def interleaved(programs: dict[str, Program], rounds: int, sample: float) -> dict[str, float]:
    """The median seconds of each program; each round times all of them, `sample` seconds each.

    What exists before is hidden from the garbage collector, so that nobody pays for the modules of
    the others. An untimed run goes before each sample, because the one before filled the caches.
    """
    numbers = {name: max(1, round(sample / timed(p, 3))) for name, p in programs.items()}
    samples: dict[str, list[float]] = {name: [] for name in programs}
    gc.collect()
    gc.freeze()
    order, shuffle = list(programs), random.Random(0).shuffle
    for _ in range(rounds):
        shuffle(order)
        for name in order:
            next(programs[name])
            samples[name].append(timed(programs[name], numbers[name]))
    gc.unfreeze()
    return {name: median(values) for name, values in samples.items()}


def per_node(length: int, rounds: int) -> dict[str, float]:
    """Seconds for each node of a chain to be built, traversed and freed; no garbage collector."""
    modules = [name for name in ("torch", "minigrad") if importlib.util.find_spec(name)]
    gc.disable()
    chains = {name: TorchLike(name).chain(length=length) for name in modules}
    medians = interleaved(chains, rounds, 0.2)
    gc.enable()
    return {name: seconds / length for name, seconds in medians.items()}


IMPORT = """
import time
start = time.process_time()
import MODULE
print(1e3 * (time.process_time() - start))
"""
MEMORY = f"""
import MODULE as torch
resident = lambda: 4096 * int(open("/proc/self/statm").read().split()[1])
y = torch.tensor(1.0, requires_grad=True)
(y * {FACTOR}).backward()
start = resident()
for _ in range({OPERATIONS}):
    y = y * {FACTOR}
print((resident() - start) / {OPERATIONS})
"""


def in_fresh_processes(code: str, modules: list[str], processes: int) -> dict[str, float]:
    """The median of what the code prints; the first turn, which may compile, doesn't count."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    samples: dict[str, list[float]] = {}
    for _ in range(processes + 1):
        for name in filter(importlib.util.find_spec, modules):
            command = [sys.executable, "-c", code.replace("MODULE", name)]
            printed = subprocess.check_output(command, env=environment, text=True)
            samples.setdefault(name, []).append(float(printed))
    return {name: median(values[1:]) for name, values in samples.items()}


# The tables


def main() -> None:
    """Measure, print Markdown, and write it into a document if asked to."""
    parser = argparse.ArgumentParser(prog="python -m tools.benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few rounds, a smaller large graph")
    parser.add_argument("--only", action="append", choices=PROGRAMS, help="repeatable")
    parser.add_argument("--into", type=Path, metavar="FILE", help="put the tables into a document")
    options = parser.parse_args()
    if not os.environ.keys() >= ONE_THREAD.keys():
        os.execve(sys.executable, sys.orig_argv, {**os.environ, **ONE_THREAD})
    rounds, sample = (9, 0.002) if options.quick else (75, 0.004)
    text = f"{environment()}\n\n{program_table(options.only or list(PROGRAMS), rounds, sample)}"
    if not options.only:
        text += "\n\n" + other_table(rounds, 100_000 if options.quick else 1_000_000)
    print(text)
    if options.into:
        document = options.into.read_text(encoding="utf-8")
        options.into.write_text(insert(document, text), encoding="utf-8")


def environment() -> str:
    """The versions of what is measured."""
    others = [name for name in LIBRARIES if name != "minigrad" and importlib.util.find_spec(name)]
    versions = [f"{LIBRARIES[name][0]} {version(name)}" for name in others]
    return f"Measured with {', '.join([f'Python {platform.python_version()}', *versions])}."


def program_table(names: list[str], rounds: int, sample: float) -> str:
    """A row for each program: PyTorch's time, and the others' as multiples of it."""
    titles = [title for title, _ in LIBRARIES.values()]
    rows = [["", f"{titles[0]}, µs", *titles[1:], "minigrad / numpy"]]
    for name in names:
        medians = interleaved(build(name), rounds, sample)
        base = medians.get("torch", medians["numpy"])
        ratios = [f"{medians[m] / base:.2f}" if m in medians else "" for m in [*LIBRARIES][1:]]
        ratios.append(f"{medians['minigrad'] / medians['numpy']:.2f}")
        rows.append([PROGRAMS[name], f"{1e6 * base:,.1f}", *ratios])
    return markdown(rows)


def other_table(rounds: int, large: int) -> str:
    """Import, memory, and large graphs."""
    modules = ["torch", "minigrad", "numpy"]
    measured = {
        "import, ms": in_fresh_processes(IMPORT, modules, rounds // 6),
        "bytes per recorded product": in_fresh_processes(MEMORY, modules[:2], rounds // 6),
        f"µs per node, {CHAIN:,} nodes": per_node(CHAIN, 3),
        f"µs per node, {large:,} nodes": per_node(large, 3),
    }
    rows = [["", *[LIBRARIES[module][0] for module in modules]]]
    for title, values in measured.items():
        scale = 1e6 if "µs" in title else 1
        cells = [f"{scale * values[m]:,.2f}" if m in values else "" for m in modules]
        rows.append([title, *cells])
    return markdown(rows)


def markdown(rows: list[list[str]]) -> str:
    rows.insert(1, ["---", *["---:"] * (len(rows[0]) - 1)])
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def insert(document: str, text: str) -> str:
    """The document with the text between its two markers; ValueError if it has none."""
    head, begin, rest = document.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"the document has no lines {BEGIN} and {END}")
    return f"{head}{begin}\n\n{text}\n\n{end}{tail}"


if __name__ == "__main__":
    main()
