"""One program, run on minigrad and on PyTorch: everything that a user could see must agree.

`agree(program, *inputs)` calls ``program(torch, *tensors)`` with ``torch`` bound to each of the two
in turn, and compares

- the results: types, shapes, dtypes, values, requires_grad, whether they share an input's memory,
- the graph behind them: the names of the nodes and every edge, the empty ones included, and the
  tensors that the first nodes have saved,
- the gradients for a random upstream, the graph that computing them recorded, second derivatives,
- the inputs afterwards: values and versions,
- warnings, and exceptions: their type and text.

Inputs that are arrays become leaves, which require grad where they can; anything else is handed on.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import minigrad

Array = np.ndarray[Any, Any]
Program = Callable[..., Any]

TRIGGERED = re.compile(r" \(Triggered internally at .*?\)$")
ADDRESS = re.compile(r"0x[0-9a-f]+")
# How far numbers may lie apart, in units of the last place of the largest one that was seen:
# differences of large numbers are as imprecise as these.
ULPS = 64


def numbers(*shape: int) -> np.ndarray[Any, Any]:
    """Return random numbers, all different."""
    drawn = np.random.default_rng(len(shape)).permutation(int(np.prod(shape))) + 0.5
    return np.asarray(drawn.reshape(shape) / drawn.size - 0.6).astype(np.float32)


INPUTS = {
    "s": numbers(),
    "v": numbers(3),
    "w": numbers(3)[::-1],
    "m": numbers(2, 3),
    "n": numbers(3, 4),
    "q": numbers(3, 3),
    "b": numbers(5, 2, 3),
    "c": numbers(5, 3, 4),
}


class Constant:
    """An array that becomes a tensor which does not require grad."""

    def __init__(self, array: Any) -> None:
        self.array = np.asarray(array)


def agree(program: Program, *inputs: Any, second_graph: bool = True) -> None:
    """Assert that a program does the same on minigrad and on PyTorch.

    `second_graph` says whether the graph of the gradients has to be the same as well; their values
    and those of the second derivatives have to in any case.
    """
    import torch

    torch.set_warn_always(True)
    ours, theirs = (observe(engine, program, inputs) for engine in (minigrad, torch))
    if not second_graph:
        for seen in (ours, theirs):
            seen.pop("graph of the gradients", None)
    same("", ours, theirs, ULPS * precision([ours, theirs, *inputs]) * largest(theirs))


def agree_on(expression: str, inputs: dict[str, Any], *, second_graph: bool = True) -> None:
    """Assert that an expression does the same on both, with `torch` and the inputs it names."""
    code = compile(expression, expression, "eval")
    used = {name: given for name, given in inputs.items() if name in code.co_names}

    def program(torch: Any, *tensors: Any) -> Any:
        names = {"torch": torch, "inf": math.inf, **dict(zip(used, tensors, strict=True))}
        return eval(code, names)

    agree(program, *used.values(), second_graph=second_graph)


def observe(engine: Any, program: Program, inputs: Sequence[Any]) -> dict[str, Any]:
    """Return what a user of one engine sees of a program, as plain data and arrays."""
    arguments = [argument(engine, one) for one in inputs]
    tensors = [one for one in arguments if isinstance(one, engine.Tensor)]
    seen: dict[str, Any] = {"exception": None}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            outputs = program(engine, *arguments)
            seen["results"] = described(engine, outputs, tensors)
            seen |= derivatives(engine, list(flattened(engine, outputs)), tensors)
        except Exception as error:
            seen["exception"] = [type(error).__name__, ADDRESS.sub("0x", str(error))]
    seen["warnings"] = [
        [one.category.__name__, TRIGGERED.sub("", str(one.message))] for one in caught
    ]
    seen["inputs afterwards"] = [[one._version, values(one)] for one in tensors]
    return seen


def argument(engine: Any, given: Any) -> Any:
    """Return what the program gets for an input: for an array a tensor, if possible a leaf."""
    if isinstance(given, Constant):
        return engine.from_numpy(given.array.copy("K"))
    if not isinstance(given, np.ndarray):
        return given
    tensor = engine.from_numpy(given.copy("K"))
    return tensor.requires_grad_() if given.dtype.kind == "f" else tensor


def flattened(engine: Any, outputs: Any) -> Any:
    """Yield the tensors among the results."""
    if isinstance(outputs, engine.Tensor):
        yield outputs
    elif isinstance(outputs, (tuple, list)):
        for one in outputs:
            yield from flattened(engine, one)


def described(engine: Any, output: Any, inputs: Sequence[Any]) -> Any:
    """Return a result as plain data."""
    if isinstance(output, engine.Tensor):
        memory = output.numpy(force=True)
        return {
            "shape": str(output.shape),
            "dtype": str(output.dtype),
            "requires_grad": output.requires_grad,
            "is_leaf": output.is_leaf,
            "is an input": [output is one for one in inputs],
            "shares memory with": [
                np.may_share_memory(memory, one.numpy(force=True)) for one in inputs
            ],
            "values": values(output),
            "graph": outline([output.grad_fn]),
        }
    if isinstance(output, (tuple, list)):
        return [type(output).__name__, [described(engine, one, inputs) for one in output]]
    return [type(output).__name__, output if isinstance(output, float) else str(output)]


def values(tensor: Any) -> Array:
    """Return a copy of the elements: of those that PyTorch knows to be zero numpy can see none."""
    return np.array(tensor.detach().clone().numpy(force=True))


def outline(roots: Sequence[Any]) -> list[str]:
    """Return a graph as lines: number and name of each node, and where its edges lead."""
    numbers: dict[Any, int] = {}
    lines: list[str] = []
    stack = [root for root in reversed(roots) if root is not None]
    while stack:
        node = stack.pop()
        if node in numbers:
            continue
        numbers[node] = len(numbers)
        lines.append(node)
        stack.extend(to for to, _ in reversed(node.next_functions) if to is not None)
    described = [
        f"{numbers[node]} {node.name()}"
        + "".join(
            " None" if to is None else f" {numbers[to]}:{number}"
            for to, number in node.next_functions
        )
        for node in lines
    ]
    return [f"roots {[None if one is None else numbers[one] for one in roots]}", *described]


def derivatives(engine: Any, outputs: Sequence[Any], tensors: Sequence[Any]) -> dict[str, Any]:
    """Return first and second derivatives of the results, and the graph of the first."""
    outputs = [one for one in outputs if one.grad_fn is not None]
    leaves = [one for one in tensors if one.requires_grad]
    if not outputs or not leaves:
        return {}
    upstream = [noise(engine, one, seed).requires_grad_() for seed, one in enumerate(outputs)]
    plain = engine.autograd.grad(outputs, leaves, upstream, retain_graph=True, allow_unused=True)
    first = engine.autograd.grad(outputs, leaves, upstream, create_graph=True, allow_unused=True)
    roots = [None if one is None else one.grad_fn for one in first]
    found = [one for one in first if one is not None and one.requires_grad]
    second: Sequence[Any] = ()
    if found:
        second = engine.autograd.grad(
            found,
            [*leaves, *upstream],
            [noise(engine, one, 100 + seed) for seed, one in enumerate(found)],
            allow_unused=True,
        )
    return {
        "gradients": [None if one is None else values(one) for one in plain],
        "gradients, recorded": [None if one is None else values(one) for one in first],
        "second derivatives": [None if one is None else values(one) for one in second],
        "graph of the gradients": outline(roots),
    }


def noise(engine: Any, like: Any, seed: int) -> Any:
    """Return the same random numbers on both engines, in the shape and dtype of a tensor."""
    like = values(like)
    drawn = np.random.default_rng(seed).uniform(0.5, 1.5, like.shape)
    return engine.from_numpy(np.asarray(drawn).astype(like.dtype))


def precision(seen: Any) -> float:
    """Return the rounding of the coarsest dtype among some arrays."""
    if isinstance(seen, dict):
        seen = list(seen.values())
    if isinstance(seen, (list, tuple)):
        return max(map(precision, seen), default=0.0)
    if isinstance(seen, np.ndarray) and seen.dtype.kind == "f":
        return float(np.finfo(seen.dtype).eps)
    return float(np.finfo(np.float64).eps)


def largest(seen: Any) -> float:
    """Return the largest finite number in some arrays, at least 1."""
    if isinstance(seen, dict):
        seen = list(seen.values())
    if isinstance(seen, list):
        return max(map(largest, seen), default=1.0)
    if isinstance(seen, np.ndarray) and seen.dtype.kind == "f":
        finite = np.abs(seen[np.isfinite(seen)]).astype(np.float64)
        return float(finite.max(initial=1.0))
    return 1.0


def same(where: str, ours: Any, theirs: Any, tolerance: float) -> None:
    """Assert that two observations are equal; numbers up to rounding."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in dict.fromkeys([*theirs, *ours]):
            same(f"{where}/{key}", ours.get(key), theirs.get(key), tolerance)
    elif isinstance(theirs, list) and isinstance(ours, list) and len(ours) == len(theirs):
        for place, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            same(f"{where}/{place}", a, b, tolerance)
    elif isinstance(theirs, (np.ndarray, float)) and isinstance(ours, (np.ndarray, float)):
        a, b = np.asarray(ours), np.asarray(theirs)
        assert (a.shape, a.dtype) == (b.shape, b.dtype), where
        if b.dtype.kind == "f":
            a, b = a.astype(np.float64), b.astype(np.float64)
        np.testing.assert_allclose(a, b, rtol=0, atol=tolerance, err_msg=where)
    else:
        text = f"{where}: {ours!r}, in PyTorch {theirs!r}"
        assert not isinstance(theirs, np.ndarray), text
        assert ours == theirs, text
