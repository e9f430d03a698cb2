"""Adam and AdamW: their steps by hand, and what they refuse."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad as torch

numbers = st.floats(-10, 10).filter(lambda number: number == 0 or abs(number) > 1e-6)
fractions = st.floats(0, 0.99)


@given(
    start=numbers,
    gradients=st.lists(numbers, min_size=1, max_size=5),
    lr=fractions,
    betas=st.tuples(fractions, fractions),
    weight_decay=fractions,
    amsgrad=st.booleans(),
    maximize=st.booleans(),
    decoupled=st.booleans(),
)
def test_steps_follow_the_rule(
    start: float,
    gradients: list[float],
    lr: float,
    betas: tuple[float, float],
    weight_decay: float,
    amsgrad: bool,
    maximize: bool,
    decoupled: bool,
) -> None:
    w = torch.tensor([start], dtype=torch.float64, requires_grad=True)
    make = torch.optim.AdamW if decoupled else torch.optim.Adam
    optimizer = make([w], lr, betas, 1e-3, weight_decay, amsgrad, maximize=maximize)
    expected, mean, squares, largest = start, 0.0, 0.0, 0.0
    for step, gradient in enumerate(gradients, 1):
        w.grad = torch.tensor([gradient], dtype=torch.float64)
        optimizer.step()
        direction = -gradient if maximize else gradient
        if decoupled:
            expected *= 1 - lr * weight_decay
        else:
            direction += weight_decay * expected
        mean = betas[0] * mean + (1 - betas[0]) * direction
        squares = betas[1] * squares + (1 - betas[1]) * direction**2
        largest = max(largest, squares) if amsgrad else squares
        root = math.sqrt(largest / (1 - betas[1] ** step)) + 1e-3
        expected -= lr * mean / (1 - betas[0] ** step) / root
    assert w.item() == pytest.approx(expected, rel=1e-7, abs=1e-9)


def test_the_first_step_is_as_long_as_the_learning_rate() -> None:
    w = torch.tensor([1.0, 1.0, 1.0], requires_grad=True)
    w.grad = torch.tensor([1e-3, -50.0, 0.0])
    torch.optim.Adam([w], lr=0.1).step()
    assert w.tolist() == pytest.approx([0.9, 1.1, 1.0], abs=1e-5)


def test_the_state_is_pytorchs() -> None:
    w = torch.tensor([1.0], requires_grad=True)
    w.grad = torch.tensor([2.0])
    optimizer = torch.optim.Adam([w], lr=0.1, amsgrad=True)
    optimizer.step()
    state = optimizer.state[w]
    assert list(state) == ["step", "exp_avg", "exp_avg_sq", "max_exp_avg_sq"]
    assert state["step"].item() == 1.0
    assert state["exp_avg"].item() == pytest.approx(0.2)
    assert state["exp_avg_sq"].item() == pytest.approx(0.004)


def test_adamw_decays_by_default_and_adam_does_not() -> None:
    a, b = (torch.tensor([1.0], requires_grad=True) for _ in range(2))
    a.grad, b.grad = torch.zeros(1), torch.zeros(1)
    torch.optim.AdamW([a], lr=0.1).step()
    torch.optim.Adam([b], lr=0.1).step()
    assert a.item() == pytest.approx(0.999)
    assert b.item() == 1.0


def test_it_finds_the_bottom_of_a_bowl() -> None:
    w = torch.tensor([2.0, -1.0], requires_grad=True)
    optimizer = torch.optim.Adam([w], lr=0.1)
    for _ in range(300):
        optimizer.zero_grad()
        ((w - torch.tensor([1.0, 2.0])) ** 2).sum().backward()
        optimizer.step()
    assert w.tolist() == pytest.approx([1.0, 2.0], abs=1e-2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lr": -1}, "Invalid learning rate: -1"),
        ({"eps": -1}, "Invalid epsilon value: -1"),
        ({"betas": (1.0, 0.9)}, "Invalid beta parameter at index 0: 1.0"),
        ({"betas": (0.9, -1)}, "Invalid beta parameter at index 1: -1"),
        ({"weight_decay": -1}, "Invalid weight_decay value: -1"),
    ],
)
@pytest.mark.parametrize("optimizer", [torch.optim.Adam, torch.optim.AdamW])
def test_options_that_are_refused(optimizer: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is compared below
        optimizer([torch.ones(1)], **options)
    assert str(caught.value) == message
