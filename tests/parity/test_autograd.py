"""Random programs do on minigrad what they do on PyTorch: graphs, walks, changes, dtypes.

A program is drawn as plain data, so that both engines run the same one and a failing one is shrunk.
What a step refuses is part of what is compared.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minigrad
from tests.parity.compare import agree, largest, precision, same, values

pytestmark = pytest.mark.parity

Step = tuple[str, int, int, int]
REFUSALS = (RuntimeError, TypeError, IndexError, ValueError, OverflowError)
DTYPES = ["float32", "float64", "int64", "bool"]
SHAPES = [(), (1,), (3,), (2, 3), (3, 2), (2, 1), (1, 3), (0,), (0, 3), (2, 2, 3)]


def refusal(error: Exception) -> str:
    """Return an error as text."""
    return f"{type(error).__name__}: {error}"


@st.composite
def arrays(draw: Any, dtypes: Sequence[str] = DTYPES) -> np.ndarray[Any, Any]:
    """Draw small numbers, most of them exact in every dtype, of which some are equal."""
    shape = draw(st.sampled_from(SHAPES))
    size = int(np.prod(shape))
    quarters = draw(st.lists(st.integers(-6, 6), min_size=size, max_size=size))
    dtype = draw(st.sampled_from(dtypes))
    scale = 1.0 if dtype in ("int64", "bool") else 0.25
    return (np.array(quarters, np.float64) * scale).reshape(shape).astype(dtype)


# Graphs

UNARY: dict[str, Callable[[Any, Any, int], Any]] = {
    "exp": lambda torch, a, n: a.tanh().exp(),
    "tanh": lambda torch, a, n: a.tanh(),
    "sigmoid": lambda torch, a, n: torch.sigmoid(a),
    "neg": lambda torch, a, n: -a,
    "relu": lambda torch, a, n: a.relu(),
    "square": lambda torch, a, n: a**2,
    "number before": lambda torch, a, n: (n + 0.5) - a * 2,
    "number after": lambda torch, a, n: a * n + 1.5,
    "sum": lambda torch, a, n: a.sum(),
    "sum of a dimension": lambda torch, a, n: a.sum(n % 3 - 1, keepdim=n % 2 == 0),
    "mean": lambda torch, a, n: a.mean(),
    "mean of a dimension": lambda torch, a, n: a.mean(n % 3 - 1, keepdim=n % 2 == 0),
    "flat": lambda torch, a, n: a.reshape(-1),
    "view": lambda torch, a, n: a.view(*a.shape, 1),
    "transposed": lambda torch, a, n: a.transpose(0, -1),
    "expanded": lambda torch, a, n: a.expand(2, *a.shape),
    "unsqueezed": lambda torch, a, n: a.unsqueeze(n % 3 - 1),
    "squeezed": lambda torch, a, n: a.squeeze(),
    "first": lambda torch, a, n: a[0],
    "but one": lambda torch, a, n: a[..., 1:],
    "split": lambda torch, a, n: a.split(1)[n % 2],
    "cloned": lambda torch, a, n: a.clone(),
    "detached": lambda torch, a, n: a.detach(),
    "double": lambda torch, a, n: a.double(),
    "float": lambda torch, a, n: a.float(),
}
BINARY: dict[str, Callable[[Any, Any, Any, int], Any]] = {
    "+": lambda torch, a, b, n: a + b,
    "-": lambda torch, a, b, n: a - b,
    "*": lambda torch, a, b, n: a * b,
    "/": lambda torch, a, b, n: a / (b * b + 1),
    "@": lambda torch, a, b, n: a @ b,
    "where": lambda torch, a, b, n: torch.where(a > 0, a, b),
    "cat": lambda torch, a, b, n: torch.cat([a, b, a]),
    "stack": lambda torch, a, b, n: torch.stack([a, b], n % 2),
    "maximum": lambda torch, a, b, n: torch.maximum(a, b),
    "no_grad": lambda torch, a, b, n: a * torch.no_grad()(lambda: a * b)(),
}
OPERATIONS = [*UNARY, *BINARY]
STEPS = st.lists(
    st.tuples(st.sampled_from(OPERATIONS), st.integers(0, 9), st.integers(0, 9), st.integers(0, 5)),
    min_size=1,
    max_size=8,
)


def build(torch: Any, leaves: Sequence[Any], steps: Sequence[Step]) -> tuple[list[Any], list[str]]:
    """Return the tensors that the steps make, after the leaves, and what was refused."""
    tensors, refused = list(leaves), []
    for name, one, other, number in steps:
        # Counted from the end, so that graphs grow deep.
        a, b = tensors[-1 - one % len(tensors)], tensors[-1 - other % len(tensors)]
        try:
            tensors.append(
                UNARY[name](torch, a, number)
                if name in UNARY
                else BINARY[name](torch, a, b, number)
            )
        except REFUSALS as error:
            refused.append(refusal(error))
    return tensors, refused


@settings(max_examples=400, derandomize=True)
@given(inputs=st.lists(arrays(), min_size=1, max_size=3), steps=STEPS)
def test_random_graphs(inputs: list[Any], steps: list[Step]) -> None:
    def program(torch: Any, *leaves: Any) -> Any:
        tensors, refused = build(torch, leaves, steps)
        return tensors[len(leaves) :][-3:], refused

    agree(program, *inputs)


@settings(max_examples=60, derandomize=True)
@given(
    inputs=st.lists(arrays(["float32", "float64", "int64"]), min_size=2, max_size=2),
    number=st.sampled_from([0, 1, -2, 0.0, 2.5, True]),
)
def test_division_of_leaves_by_anything(inputs: list[Any], number: Any) -> None:
    agree(lambda torch, a, b: (a / b, a / number, number / b), *inputs)


@settings(max_examples=150, derandomize=True)
@given(
    inputs=st.lists(arrays(["float64"]), min_size=1, max_size=3),
    steps=STEPS.map(lambda steps: [step for step in steps if step[0] != "float"]),
)
def test_third_derivatives(inputs: list[Any], steps: list[Step]) -> None:
    def program(torch: Any) -> list[Any]:
        leaves = [torch.tensor(one, requires_grad=True) for one in inputs]
        slopes = [build(torch, leaves, steps)[0][-1].sum()]
        found: list[Any] = []
        for _ in range(3):
            if not slopes[0].requires_grad:
                break
            total = sum((slope**2).sum() for slope in slopes)
            slopes = torch.autograd.grad(total, leaves, create_graph=True, materialize_grads=True)
            found.append([values(slope) for slope in slopes])
        return found

    import torch

    ours, theirs = program(minigrad), program(torch)
    # Squared again and again, differences of rounding grow.
    same("", ours, theirs, 1e-9 * largest(theirs))


# Walks


def order_of(torch: Any, tensors: Sequence[Any], walk: Callable[[], Any]) -> list[int]:
    """Return in which order a walk reaches some tensors."""
    reached: list[int] = []
    for place, tensor in enumerate(tensors):
        if tensor.requires_grad:
            tensor.register_hook(lambda _, place=place: reached.append(place))
    walk()
    return reached


@settings(max_examples=300, derandomize=True)
@given(
    count=st.integers(1, 7),
    steps=st.lists(
        st.tuples(
            st.sampled_from(["cat", "sum", "mul", "two", "split"]),
            st.lists(st.integers(0, 12), min_size=1, max_size=6),
        ),
        min_size=1,
        max_size=12,
    ),
    create_graph=st.booleans(),
)
def test_nodes_run_in_the_same_order(
    count: int, steps: list[tuple[str, list[int]]], create_graph: bool
) -> None:
    def program(torch: Any) -> Any:
        tensors = [torch.ones(2, requires_grad=True) for _ in range(count)]
        leaves = list(tensors)
        for name, places in steps:
            used = [tensors[place % len(tensors)] for place in places]
            if name == "cat":
                tensors.append(torch.cat(used)[:2])
            elif name == "split":
                tensors.extend(one.reshape(1).expand(2) for one in used[0].split(1))
            elif name == "mul":
                tensors.append(used[0] * used[-1])
            elif name == "two":
                tensors.append(used[0] * 2)
            else:
                tensors.append(sum(used))
        total = sum(tensors[count:]).sum()
        return order_of(
            torch,
            tensors,
            lambda: torch.autograd.grad(
                total, leaves, create_graph=create_graph, allow_unused=True
            ),
        )

    agree(program)


CALL = st.tuples(
    st.sampled_from(["backward", "grad", "inputs", "both", "zero", "none"]),
    st.integers(0, 9),
    st.integers(0, 9),
    st.sampled_from([None, True, False]),
)


@settings(max_examples=300, derandomize=True)
@given(
    inputs=st.lists(arrays(["float32", "float64"]), min_size=1, max_size=3),
    steps=STEPS,
    calls=st.lists(CALL, min_size=1, max_size=5),
)
def test_the_same_graph_walked_again_and_in_parts(
    inputs: list[Any], steps: list[Step], calls: list[Any]
) -> None:
    def program(torch: Any, *leaves: Any) -> Any:
        tensors, _ = build(torch, leaves, steps)
        seen: list[Any] = []
        for call, one, other, retain in calls:
            a, b = tensors[-1 - one % len(tensors)], tensors[other % len(tensors)]
            try:
                seen.append(walk(torch, call, a, b, leaves, retain))
            except REFUSALS as error:
                seen.append(refusal(error))
            seen.append([None if leaf.grad is None else leaf.grad.clone() for leaf in leaves])
        return seen

    agree(program, *inputs)


def walk(torch: Any, call: str, a: Any, b: Any, leaves: Sequence[Any], retain: Any) -> Any:
    """Make one call that walks a graph, or that prepares the next one."""
    if call == "backward":
        return a.sum().backward(retain_graph=retain)
    if call == "inputs":
        return a.sum().backward(retain_graph=retain, inputs=[b])
    if call == "both":
        return torch.autograd.backward([a.sum(), b.sum()], retain_graph=retain)
    if call == "grad":
        return torch.autograd.grad(a.sum(), [b, leaves[0]], retain_graph=retain, allow_unused=True)
    for leaf in leaves:
        if call == "none":
            leaf.grad = None
        elif leaf.grad is not None:
            leaf.grad.zero_()
    return None


# Changes

CHANGES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "add_": lambda torch, a, b: a.add_(b),
    "mul_": lambda torch, a, b: a.mul_(b),
    "number": lambda torch, a, b: a.mul_(2.0).sub_(1),
    "tanh_": lambda torch, a, b: a.tanh_(),
    "exp_": lambda torch, a, b: a.tanh_().exp_(),
    "pow_": lambda torch, a, b: a.pow_(2),
    "zero_": lambda torch, a, b: a.zero_(),
    "copy_": lambda torch, a, b: a.copy_(b),
    "+=": lambda torch, a, b: operator.iadd(a, b),
    "data": lambda torch, a, b: a.data.mul_(2),
    "detach": lambda torch, a, b: a.detach().add_(1),
    "detached view": lambda torch, a, b: a.detach().view(-1).add_(1),
    "no_grad": lambda torch, a, b: torch.no_grad()(a.mul_)(b),
    "exp": lambda torch, a, b: (a.tanh().exp(), None)[0],
    "times": lambda torch, a, b: a * b,
    "saved": lambda torch, a, b: a.grad_fn._saved_self if a.grad_fn else None,
}


@settings(max_examples=400, derandomize=True)
@given(
    inputs=st.lists(arrays(["float32", "int64"]), min_size=2, max_size=2),
    before=STEPS.map(lambda steps: [step for step in steps if step[0] in ("*", "tanh", "square")]),
    changes=st.lists(
        st.tuples(st.sampled_from([*CHANGES]), st.integers(0, 5), st.integers(0, 5)),
        min_size=1,
        max_size=6,
    ),
)
def test_changes_in_place(inputs: list[Any], before: list[Step], changes: list[Any]) -> None:
    def program(torch: Any, *leaves: Any) -> Any:
        tensors, _ = build(torch, [*leaves, leaves[0] * 1, leaves[1].clone()], before)
        seen: list[Any] = []
        for name, one, other in changes:
            a, b = tensors[-1 - one % len(tensors)], tensors[-1 - other % len(tensors)]
            try:
                made = CHANGES[name](torch, a, b)
            except REFUSALS as error:
                seen.append(refusal(error))
            else:
                if name in ("exp", "times"):
                    tensors.append(made)
                seen.append(str(type(made).__name__))
            seen.append([tensor._version for tensor in tensors])
        return seen, tensors[-2:]

    agree(program, *inputs, second_graph=False)


# Dtypes

ALL_DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"]
NUMBERS = [True, 0, 3, -1, 200, 2**40, 2.5, -0.5, float("inf")]
COMBINED: dict[str, Callable[[Any, Any, Any], Any]] = {
    "+": lambda torch, a, b: a + b,
    "-": lambda torch, a, b: a - b,
    "*": lambda torch, a, b: a * b,
    "/": lambda torch, a, b: a / b,
    "//": lambda torch, a, b: a // b,
    "%": lambda torch, a, b: a % b,
    "**": lambda torch, a, b: a**b,
    "==": lambda torch, a, b: a == b,
    "<": lambda torch, a, b: a < b,
    "&": lambda torch, a, b: a & b,
    "^": lambda torch, a, b: a ^ b,
    "+=": lambda torch, a, b: operator.iadd(a.clone(), b) if isinstance(a, torch.Tensor) else None,
    "/=": lambda torch, a, b: operator.itruediv(a.clone(), b) if hasattr(a, "clone") else None,
    "where": lambda torch, a, b: torch.where(torch.tensor([True, False]), a, b),
    "clamp": lambda torch, a, b: torch.clamp(a, max=b),
    "pow_": lambda torch, a, b: a.clone().pow_(b) if isinstance(a, torch.Tensor) else None,
}
TWO_TENSORS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "maximum": lambda torch, a, b: torch.maximum(a, b),
    "atan2": lambda torch, a, b: torch.atan2(a, b),
    "cat": lambda torch, a, b: torch.cat([a.reshape(-1), b.reshape(-1)]),
    "stack": lambda torch, a, b: torch.stack([a.sum(), b.sum()]),
    "copy_": lambda torch, a, b: a.clone().copy_(b),
    "@": lambda torch, a, b: a.reshape(-1) @ b.reshape(-1),
    "promote_types": lambda torch, a, b: (
        torch.promote_types(a.dtype, b.dtype),
        torch.can_cast(a.dtype, b.dtype),
    ),
}


def outcome(torch: Any, function: Callable[..., Any], *operands: Any) -> Any:
    """Return the result of a function of tensors, made of arrays, and numbers; or that it fails.

    What it says then is compared in `tests.parity.test_texts`.
    """
    made = [
        torch.tensor(one) if isinstance(one, (np.ndarray, np.generic)) else one for one in operands
    ]
    try:
        result = function(torch, *made)
    except REFUSALS:
        return "refused"
    if isinstance(result, torch.Tensor):
        return [str(result.dtype), values(result)]
    return str(result)


def agree_on_all(function: Callable[..., Any], pairs: Any) -> None:
    """Assert that a function gives the same, of the same dtype, for all pairs of operands."""
    import torch

    differences = []
    for a, b in pairs:
        ours, theirs = (outcome(engine, function, a, b) for engine in (minigrad, torch))
        try:
            same("", ours, theirs, 8 * precision(theirs) * largest(theirs))
        except AssertionError:
            differences.append(f"{a!r}, {b!r}: {ours}, in PyTorch {theirs}")
    assert differences == []


def operands(dtype: str) -> list[Any]:
    return [np.array([3, 2]).astype(dtype), np.array(2).astype(dtype)]


# Differences that are known: powers of booleans, bounds of unsigned integers, and numbers that an
# integer dtype cannot hold, some of which PyTorch refuses.
OF_TWO_TENSORS = [name for name in (*COMBINED, *TWO_TENSORS) if name not in ("**", "clamp")]
WITH_A_NUMBER = [name for name in COMBINED if name not in ("%", "**", "where", "clamp", "pow_")]


@pytest.mark.parametrize("name", OF_TWO_TENSORS)
def test_two_tensors_of_any_dtypes(name: str) -> None:
    tensors = [one for dtype in ALL_DTYPES for one in operands(dtype)]
    agree_on_all((COMBINED | TWO_TENSORS)[name], itertools.product(tensors, repeat=2))


@pytest.mark.parametrize("name", WITH_A_NUMBER)
def test_a_tensor_and_a_number(name: str) -> None:
    tensors = [one for dtype in ALL_DTYPES for one in operands(dtype)]
    both = [*itertools.product(tensors, NUMBERS), *itertools.product(NUMBERS, tensors)]
    agree_on_all(COMBINED[name], both)


@pytest.mark.parametrize("dtype", ALL_DTYPES)
@pytest.mark.parametrize("to", ALL_DTYPES)
def test_casts(dtype: str, to: str) -> None:
    numbers = [0, 1, 2, 100] + ([-1, -3] if dtype not in ("bool", "uint8") else [])
    array = np.array(numbers + ([0.5, -2.75] if "float" in dtype else [])).astype(dtype)
    shapes = (array, array[1], array[:0])
    for function in (
        lambda torch, a, _: a.to(getattr(torch, to)),
        lambda torch, a, _: torch.tensor(a.tolist()).to(getattr(torch, to)),
        lambda torch, a, _: a.sum(dtype=getattr(torch, to)),
    ):
        agree_on_all(function, itertools.product(shapes, [None]))
