"""Schedulers change learning rates from epoch to epoch."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import minigrad as torch
from minigrad.optim import lr_scheduler


def optimizer(lr: float = 1.0) -> Any:
    """Return an optimizer of one parameter."""
    return torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=lr)


@pytest.mark.parametrize(
    ("make", "rates"),
    [
        (lambda one: lr_scheduler.StepLR(one, 2, gamma=0.5), [1.0, 1.0, 0.5, 0.5, 0.25]),
        (lambda one: lr_scheduler.ExponentialLR(one, 0.5), [1.0, 0.5, 0.25, 0.125, 0.0625]),
        (lambda one: lr_scheduler.LambdaLR(one, lambda epoch: 4 - epoch), [4, 3, 2, 1, 0]),
    ],
)
def test_learning_rates(make: Any, rates: list[float]) -> None:
    one = optimizer()
    scheduler = make(one)
    for rate in rates:
        assert one.param_groups[0]["lr"] == rate
        assert scheduler.get_last_lr() == [rate]
        one.step()
        scheduler.step()


def test_a_loaded_scheduler_goes_on() -> None:
    first = lr_scheduler.StepLR(optimizer(), 3, gamma=0.1)
    first.optimizer.step()
    first.step()
    second = lr_scheduler.StepLR(optimizer(), 7)
    second.load_state_dict(first.state_dict())
    assert (second.step_size, second.last_epoch) == (3, 1)


def test_stepping_before_the_optimizer_warns() -> None:
    scheduler = lr_scheduler.StepLR(optimizer(), 1)
    with pytest.warns(UserWarning, match="before `optimizer.step"):
        scheduler.step()
    with pytest.warns(UserWarning, match="please use `get_last_lr"):
        scheduler.get_lr()


def test_a_scheduled_optimizer_can_be_copied() -> None:
    one = optimizer()
    lr_scheduler.StepLR(one, 1)
    for duplicate in (copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert duplicate.param_groups[0]["initial_lr"] == 1.0
        duplicate.step()


def test_what_cannot_be_scheduled() -> None:
    with pytest.raises(TypeError, match="int is not an Optimizer"):
        lr_scheduler.StepLR(3, 1)  # type: ignore[arg-type]
    with pytest.raises(KeyError, match="'initial_lr' is not specified in param_groups"):
        lr_scheduler.StepLR(optimizer(), 1, last_epoch=2)
    with pytest.raises(ValueError, match="Expected 1 lr_lambdas, but got 2"):
        lr_scheduler.LambdaLR(optimizer(), [float, float])


@pytest.mark.parametrize(
    ("make", "rate"),
    [
        (lambda schedules, one: schedules.StepLR(one, 2), 0.1),
        (lambda schedules, one: schedules.MultiStepLR(one, [1, 3]), 0.01),
        (lambda schedules, one: schedules.ExponentialLR(one, 0.5), 0.125),
        (lambda schedules, one: schedules.ConstantLR(one, 0.5, 4), 0.5),
        (lambda schedules, one: schedules.LinearLR(one, 0.5, 1.0, 6), 0.75),
        (lambda schedules, one: schedules.CosineAnnealingLR(one, 6), 0.5),
        (lambda schedules, one: schedules.LambdaLR(one, lambda epoch: 0.5 * epoch), 1.5),
    ],
)
def test_another_epoch_than_the_next_may_be_given(torch: Any, make: Any, rate: float) -> None:
    optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
    schedule = make(torch.optim.lr_scheduler, optimizer)
    optimizer.step()
    with pytest.warns(UserWarning, match="The epoch parameter in `scheduler.step"):
        schedule.step(3)
    assert schedule.get_last_lr() == pytest.approx([rate])
    assert schedule.last_epoch == 3
