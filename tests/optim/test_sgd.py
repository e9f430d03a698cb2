"""SGD: its steps by hand, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minigrad as torch

numbers = st.floats(-10, 10)
fractions = st.floats(0, 0.99)


@given(
    start=numbers,
    gradients=st.lists(numbers, min_size=1, max_size=5),
    lr=fractions,
    momentum=fractions,
    dampening=fractions,
    weight_decay=fractions,
    maximize=st.booleans(),
)
def test_steps_follow_the_rule(
    start: float,
    gradients: list[float],
    lr: float,
    momentum: float,
    dampening: float,
    weight_decay: float,
    maximize: bool,
) -> None:
    w = torch.tensor([start], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr, momentum, dampening, weight_decay, maximize=maximize)
    expected, buffer = start, None
    for gradient in gradients:
        w.grad = torch.tensor([gradient], dtype=torch.float64)
        optimizer.step()
        direction = (-gradient if maximize else gradient) + weight_decay * expected
        if momentum:
            first = buffer is None
            buffer = direction if first else momentum * buffer + (1 - dampening) * direction
            direction = buffer
        expected -= lr * direction
    assert w.item() == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_nesterov_looks_ahead_of_the_buffer() -> None:
    w = torch.tensor([0.0], requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=1.0, momentum=0.5, nesterov=True)
    for _ in range(2):
        w.grad = torch.ones(1)
        optimizer.step()
    # Buffers 1 and 1.5: steps 1 + 0.5 and 1 + 0.75.
    assert w.item() == -3.25


def test_it_finds_the_bottom_of_a_bowl() -> None:
    w = torch.tensor([5.0, -3.0], requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.5)
    for _ in range(100):
        optimizer.zero_grad()
        ((w - torch.tensor([1.0, 2.0])) ** 2).sum().backward()
        optimizer.step()
    assert w.tolist() == pytest.approx([1.0, 2.0], abs=1e-4)


def test_the_gradient_is_left_as_it_was() -> None:
    w = torch.ones(2, requires_grad=True)
    w.grad = torch.tensor([1.0, -1.0])
    optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.9, weight_decay=0.1, maximize=True)
    for _ in range(3):
        optimizer.step()
    assert w.grad.tolist() == [1.0, -1.0]


def test_the_learning_rate_may_be_changed_and_may_be_a_tensor() -> None:
    w = torch.tensor([1.0], requires_grad=True)
    w.grad = torch.ones(1)
    optimizer = torch.optim.SGD([w], lr=torch.tensor(0.5))
    optimizer.step()
    optimizer.param_groups[0]["lr"] = 0.25
    optimizer.step()
    assert w.item() == 0.25


def test_float16_parameters_stay_float16() -> None:
    w = torch.ones(2, dtype=torch.float16, requires_grad=True)
    w.grad = torch.ones(2, dtype=torch.float16)
    torch.optim.SGD([w], lr=0.5, momentum=0.9, weight_decay=0.1).step()
    assert w.dtype is torch.float16


def test_overflow_does_not_warn() -> None:
    w = torch.tensor([1e38], requires_grad=True)
    w.grad = torch.tensor([-1e38])
    torch.optim.SGD([w], lr=1e3).step()
    assert w.item() == float("inf")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lr": -1}, "Invalid learning rate: -1"),
        ({"lr": torch.ones(2)}, "Tensor lr must be 1-element"),
        ({"momentum": -0.5}, "Invalid momentum value: -0.5"),
        ({"weight_decay": -0.5}, "Invalid weight_decay value: -0.5"),
        ({"nesterov": True}, "Nesterov momentum requires a momentum and zero dampening"),
        (
            {"nesterov": True, "momentum": 0.9, "dampening": 0.1},
            "Nesterov momentum requires a momentum and zero dampening",
        ),
    ],
)
def test_options_that_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is compared below
        torch.optim.SGD([torch.ones(1)], **options)
    assert str(caught.value) == message
