"""Optimizers are PyTorch's: their steps, state, printed form, warnings and errors."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pytest

import minigrad
from tests.parity.expressions import lines

pytestmark = pytest.mark.parity

OPTIMIZERS = """
SGD(params, lr=0.1)
SGD(params, lr=torch.tensor(0.1))
SGD(params, lr=0.1, momentum=0.9)
SGD(params, lr=0.1, momentum=0.9, nesterov=True)
SGD(params, 0.1, 0.9, 0.3, 0.01)
SGD(params, lr=0.01, maximize=True, weight_decay=0.1)
SGD([{"params": params[:1], "lr": 0.5}, {"params": params[1:]}], lr=0.01, momentum=0.5)
Adam(params, lr=0.1)
Adam(params, lr=0.1, amsgrad=True, weight_decay=0.1)
Adam(params, lr=0.1, maximize=True, betas=(0.5, 0.9), eps=1e-3)
AdamW(params, lr=0.1, weight_decay=0.3)
"""

# What is asked of an optimizer of w, a leaf, and b, another.
QUESTIONS = """
SGD(w, lr=0.1)
SGD([], lr=0.1)
SGD([w * 2], lr=0.1)
SGD([1], lr=0.1)
SGD([[w]])
SGD([None])
SGD("ab")
SGD(5)
SGD(lambda: 1)
SGD([w, w], lr=0.1)
SGD([w, {"params": b}])
SGD([{"params": b}, w])
SGD([{"params": w}, {"params": w}], lr=0.1)
SGD([{"params": {w}}], lr=0.1)
SGD([{"lr": 1}])
SGD(iter([w, b]))
SGD({"a": w}.values())
SGD({"a": w})
SGD([torch.tensor([1])], lr=0.1)
SGD([w], lr=-1)
SGD([w], lr="a")
SGD([w], lr=torch.tensor([1.0, 2.0]))
SGD([w], momentum=-1)
SGD([w], weight_decay=-1)
SGD([w], nesterov=True)
SGD([w], nesterov=True, momentum=0.9, dampening=0.1)
SGD([w], bad=1)
SGD([w], foreach=True)
SGD([w]).defaults
SGD([w]).state
SGD([w]).state_dict()
SGD([w]).step()
SGD([w]).step(3)
SGD([w]).zero_grad()
SGD([w]).add_param_group([b])
SGD([w]).add_param_group({"params": w})
SGD([w]).add_param_group({"params": w * 1})
SGD([w]).load_state_dict({"state": {}, "param_groups": []})
SGD([w]).load_state_dict({"state": {}, "param_groups": [{"params": [0, 1]}]})
Adam(w)
Adam([w])
Adam([w], lr=-1)
Adam([w], eps=-1)
Adam([w], betas=(1.0, 0.9))
Adam([w], betas=(0.9, -1))
Adam([w], weight_decay=-1)
Adam([w], amsgrad=True).state_dict()
AdamW([w])
AdamW([w], lr=-1)
"""


def named(engine: Any) -> dict[str, Any]:
    """Return what the expressions may use."""
    optim = engine.optim
    return {"torch": engine, "SGD": optim.SGD, "Adam": optim.Adam, "AdamW": optim.AdamW}


def after_steps(engine: Any, expression: str) -> list[Any]:
    """Return parameters, their versions and the optimizer's state after each of a few steps."""
    w = engine.tensor([1.0, -2.0, 0.5], requires_grad=True)
    s = engine.tensor(0.3, dtype=engine.float64, requires_grad=True)
    unused = engine.tensor([1.0], requires_grad=True)
    optimizer = eval(expression, named(engine) | {"params": [w, s, unused]})
    seen: list[Any] = []
    for step in range(5):
        optimizer.zero_grad()
        ((w * w).sum() * s.float() + (w * step).sum()).backward()
        optimizer.step()
        seen += [w.tolist(), s.item(), w._version, s._version, unused._version]
        for state in optimizer.state_dict()["state"].values():
            seen += [[name, value.tolist(), str(value.dtype)] for name, value in state.items()]
    seen.append(repr(optimizer))
    return seen


def answer(engine: Any, question: str) -> tuple[Any, list[str]]:
    """Return what is printed, or the error, and the warnings."""
    w = engine.tensor([1.0, 2.0], requires_grad=True)
    b = engine.tensor([0.0], requires_grad=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            shown: Any = repr(eval(question, named(engine) | {"w": w, "b": b}))
        except Exception as error:
            shown = (type(error).__name__, str(error))
    return re.sub("0x[0-9a-f]+", "0x", str(shown)), [str(one.message) for one in caught]


def assert_close(ours: Any, theirs: Any) -> None:
    """Compare nested lists, numbers up to the rounding of float32."""
    if isinstance(theirs, list):
        assert len(ours) == len(theirs)
        for a, b in zip(ours, theirs, strict=True):
            assert_close(a, b)
    elif isinstance(theirs, float):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)
    else:
        assert ours == theirs


@pytest.mark.parametrize("expression", lines(OPTIMIZERS))
def test_steps(expression: str) -> None:
    import torch

    assert_close(after_steps(minigrad, expression), after_steps(torch, expression))


@pytest.mark.parametrize("question", lines(QUESTIONS))
def test_what_is_shown_and_refused(question: str) -> None:
    import torch

    assert answer(minigrad, question) == answer(torch, question)
