"""Anomaly mode on both engines: what it says of a backward pass that fails, but for their files."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

import minigrad
from tests.parity.told import told

pytestmark = pytest.mark.parity

# Calls that are not in this file: of PyTorch, which has Python functions of its own, and of pytest.
ELSEWHERE = re.compile(r'  File "(?!.*test_anomaly_mode\.py)[^\n]*\n(    [^\n]*\n)?')


def leaf(torch: Any) -> Any:
    return torch.tensor([0.0, 1.0, 2.0], requires_grad=True)


def failing(torch: Any) -> Any:
    class Failing(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 1

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            raise ValueError("on purpose")

    return Failing


def nan(torch: Any) -> Any:
    with torch.autograd.detect_anomaly():
        root = leaf(torch).sqrt()
        (root * 0).sum().backward()


def nan_that_is_not_looked_for(torch: Any) -> Any:
    x = leaf(torch)
    with torch.autograd.detect_anomaly(check_nan=False):
        (x.sqrt() * 0).sum().backward()
    return x.grad


def nan_in_grad(torch: Any) -> Any:
    x = leaf(torch)
    with torch.autograd.set_detect_anomaly(True):
        return torch.autograd.grad((x.sqrt() * 0).sum(), x)


def nan_while_recording(torch: Any) -> Any:
    x = leaf(torch)
    with torch.autograd.set_detect_anomaly(True):
        return torch.autograd.grad((x.sqrt() * 0).sum(), x, create_graph=True)


def nan_at_the_beginning(torch: Any) -> Any:
    with torch.autograd.detect_anomaly():
        leaf(torch).sum().backward(torch.tensor(float("nan")))


def nan_from_a_hook(torch: Any) -> Any:
    with torch.autograd.detect_anomaly():
        y = leaf(torch) * 2
        y.register_hook(lambda gradient: gradient * float("nan"))
        y.sum().backward()


def no_nan(torch: Any) -> Any:
    x = leaf(torch)
    with torch.autograd.detect_anomaly():
        (x.exp() * x + 1).sum().backward()
    return x.grad


def an_exception(torch: Any) -> Any:
    with torch.autograd.detect_anomaly():
        failing(torch).apply(leaf(torch)).sum().backward()


def recorded_outside(torch: Any) -> Any:
    y = failing(torch).apply(leaf(torch)).sum()
    with torch.autograd.detect_anomaly():
        y.backward()


def walked_outside(torch: Any) -> Any:
    with torch.autograd.detect_anomaly():
        y = failing(torch).apply(leaf(torch)).sum()
    y.backward()


def a_hook_fails(torch: Any) -> Any:
    with torch.autograd.detect_anomaly():
        y = leaf(torch) * 2
        y.register_hook(lambda gradient: 1 / 0)
        y.sum().backward()


def changed_in_place(torch: Any) -> Any:
    with torch.autograd.detect_anomaly():
        t = leaf(torch) * 1
        y = t * t
        t.add_(1)
        y.sum().backward()


def walked_twice(torch: Any) -> Any:
    with torch.autograd.detect_anomaly():
        y = leaf(torch).exp().sum()
        y.backward()
        y.backward()


def a_wrong_shape(torch: Any) -> Any:
    class Wrong(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 1

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            return gradient[:2]

    with torch.autograd.detect_anomaly():
        Wrong.apply(leaf(torch)).sum().backward()


def the_backward_of_a_backward(torch: Any) -> Any:
    class Outer(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            (x,) = ctx.saved_tensors
            return failing(torch).apply(gradient * x)

    x = leaf(torch)
    with torch.autograd.detect_anomaly():
        (g,) = torch.autograd.grad(Outer.apply(x).sum(), x, create_graph=True)
        g.sum().backward()


def metadata(torch: Any) -> Any:
    x = leaf(torch)
    with torch.autograd.detect_anomaly():
        y = x**3
        (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    print(*[line for line in y.grad_fn.metadata["traceback_"] if "test_anomaly_mode" in line])
    return list(y.grad_fn.metadata), list(g.grad_fn.metadata), g.grad_fn.metadata["parent_"]


def switches(torch: Any) -> Any:
    def now() -> None:
        print(torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled())

    now()
    with torch.autograd.set_detect_anomaly(True, check_nan=False):
        now()
        with torch.autograd.detect_anomaly():
            now()
        now()
    torch.autograd.set_detect_anomaly(True)
    now()
    torch.autograd.set_detect_anomaly(False)
    now()
    return torch.autograd.detect_anomaly, torch.autograd.set_detect_anomaly


def a_switch_that_is_no_bool(torch: Any) -> Any:
    torch.autograd.set_detect_anomaly("yes")


@pytest.mark.parametrize(
    "program",
    [
        value
        for name, value in list(globals().items())
        if getattr(value, "__module__", None) == __name__
        and not name.startswith("test_")
        and name not in ("leaf", "failing", "told")
    ],
    ids=lambda program: program.__name__,
)
def test_program(program: Callable[[Any], Any]) -> None:
    import torch

    expected, found = (
        [ELSEWHERE.sub("", text) for text in told(e, program)] for e in (torch, minigrad)
    )
    assert found == expected
