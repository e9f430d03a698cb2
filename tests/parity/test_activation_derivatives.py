"""Derivatives of derivatives of activations and losses: values, and the graphs recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minigrad

pytestmark = pytest.mark.parity

ACTIVATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "gelu": lambda F, x: F.gelu(x),
    "gelu, tanh": lambda F, x: F.gelu(x, approximate="tanh"),
    "glu": lambda F, x: F.glu(x),
    "softsign": lambda F, x: F.softsign(x),
    "silu": lambda F, x: F.silu(x),
    "mish": lambda F, x: F.mish(x),
    "softplus": lambda F, x: F.softplus(x, 3, 1),
    "elu": lambda F, x: F.elu(x, 2.0),
    "elu_": lambda F, x: F.elu(x * 1, inplace=True),
    "celu": lambda F, x: F.celu(x, 2.0),
    "celu_": lambda F, x: F.celu(x * 1, inplace=True),
    "selu": lambda F, x: F.selu(x),
    "hardtanh": lambda F, x: F.hardtanh(x),
    "leaky_relu": lambda F, x: F.leaky_relu(x),
    "logsigmoid": lambda F, x: F.logsigmoid(x),
    "hardswish": lambda F, x: F.hardswish(x),
    "hardshrink": lambda F, x: F.hardshrink(x),
    "threshold": lambda F, x: F.threshold(x, 0.1, 20.0),
    "relu": lambda F, x: F.relu(x),
    "mse_loss": lambda F, x: F.mse_loss(x, x * x).reshape(1),
    "smooth_l1_loss": lambda F, x: F.smooth_l1_loss(x, x * x).reshape(1),
    "huber_loss": lambda F, x: F.huber_loss(x, x * x).reshape(1),
    "normalize": lambda F, x: F.normalize(x, dim=0),
}


def graph(node: Any, depth: int = 0) -> list[str]:
    """Return the names of a node and of all below, and what they have saved."""
    if node is None:
        return []
    saved = [f"{name}={shown(getattr(node, name))}" for name in dir(node) if name[:6] == "_saved"]
    lines = ["  " * depth + " ".join([node.name(), *sorted(saved)])]
    for after, _ in node.next_functions:
        lines += graph(after, depth + 1)
    return lines


def shown(value: Any) -> str:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list):
        return str([round(one, 6) for one in value])
    return str(round(value, 6) if isinstance(value, float) else value)


def derivatives(torch: Any, activation: Any, values: list[float], order: int) -> list[Any]:
    x = torch.tensor(values, dtype=torch.float64, requires_grad=True)
    y = activation(torch.nn.functional, x)
    found = []
    for weight in ([1.0, 2.0], [1.0, 1.0], [1.0, 1.0])[:order]:
        (y,) = torch.autograd.grad(
            y, x, torch.tensor(weight, dtype=torch.float64)[: len(y)], create_graph=True
        )
        found.append(y)
        if y.grad_fn is None:
            break
    return found


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_the_backward_pass_records_pytorchs_graph(name: str) -> None:
    import torch

    theirs, ours = (
        [graph(one.grad_fn) for one in derivatives(engine, ACTIVATIONS[name], [0.5, -0.7], 2)]
        for engine in (torch, minigrad)
    )
    assert ours == theirs


@pytest.mark.parametrize("name", ACTIVATIONS)
@pytest.mark.parametrize(
    "values", [[0.5, -0.7], [1.0, 6.0], [float("nan"), 0.3], [float("inf"), -0.5]]
)
def test_derivatives_are_pytorchs_where_there_are_none_too(name: str, values: list[float]) -> None:
    import torch

    theirs, ours = (
        [one.tolist() for one in derivatives(engine, ACTIVATIONS[name], values, 3)]
        for engine in (torch, minigrad)
    )
    assert len(ours) == len(theirs)
    for own, their in zip(ours, theirs, strict=True):
        assert own == pytest.approx(their, rel=1e-6, nan_ok=True)
