"""What a call means is kept by the types in it: other values of these types may mean another."""

from __future__ import annotations

import gc
from typing import Any

import pytest

from minigrad.ops.calls import Call

# Of each pair the second has arguments of the same types, and is taken, or refused, by its own.
PAIRS = [
    ("x.scatter(1, i, value=x)", "x.scatter(1, i, value=torch.tensor(2.0))"),
    ("x.scatter(1, i, torch.tensor(2.0))", "x.scatter(1, i, x)"),
    ("torch.max(x, x)", "torch.max(x, torch.tensor(2.0))"),
    ("x.sum(axis=(0, 1))", "x.sum(axis=(True, 0))"),
    ("x.sum(axis=(0, 1))", "x.sum(axis=(0, 1.0))"),
    ("x.sum(axis=(0, 1))", "x.sum(axis=())"),
    ("x.sum(axis=[0])", "x.sum(axis=[x])"),
    ("x.sum(axis=1, keepdims=True)", "x.sum(axis=0, keepdims=False)"),
    ("x.to(torch.float64, copy=True)", "x.to(torch.int32, copy=True)"),
    ("torch.linspace(0, 1, 3)", "torch.linspace(1, 1, 1)"),
    ("torch.linspace(0, end=1, steps=3)", "torch.linspace(0, 1, 3, end=1)"),
    ("torch.Tensor.pow(x, exponent=2)", "torch.Tensor.pow(3, exponent=2)"),
    ("torch.Tensor.sum(x, axis=1)", "torch.Tensor.sum(3, axis=1)"),
    ("x.var(unbiased=False)", "x.var(False)"),
    ("torch.max(x, i)", "torch.max(x, torch.tensor(1))"),
    ("torch.normal(mean=x, std=0 * x)", "torch.normal(mean=x, std=torch.tensor(-1.0))"),
    ("torch.select(x, 0, index=torch.tensor(0))", "torch.select(x, 0, index=torch.tensor(1))"),
    ("x.sum(axis=torch.tensor(0))", "x.sum(axis=torch.tensor(1))"),
    ("x.sum(axis=[0])", "x.sum(axis=[torch.tensor(1)])"),
    ("x.sum(axis=[0])", "x.sum(axis=['0'])"),
    ("torch.full((2,), torch.tensor(1))", "torch.full((2,), torch.tensor(2))"),
    ("torch.Tensor.add(x, x2=x)", "torch.Tensor.add(3, x2=x)"),
    ("torch.logspace(0, 1, 3, device='cpu')", "torch.logspace(0, 1, 3, device='nowhere')"),
    ("torch.eye(2, pin_memory=False)", "torch.eye(2, pin_memory=True)"),
    ("x.to('cpu', torch.float64)", "x.to('nowhere', torch.float64)"),
]


@pytest.fixture(autouse=True)
def nothing_is_kept() -> None:
    """Let no call have been before."""
    for one in gc.get_objects():
        if type(one) is Call:
            one.orders.clear()


@pytest.mark.parametrize(("before", "call"), PAIRS)
def test_a_call_does_not_mean_what_one_of_the_same_types_did(
    torch: Any, before: str, call: str
) -> None:
    def told(expression: str) -> str:
        scope = {"torch": torch, "x": torch.tensor([[1.0, 2.0], [3.0, 4.0]])}
        scope["i"] = torch.tensor([[0, 1], [1, 0]])
        try:
            return repr(eval(expression, scope))
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    fresh = told(call)
    told(before)
    assert told(before) == told(before)
    assert told(call) == fresh
