"""Schedulers: the learning rates of each epoch, states, warnings."""

import warnings
from typing import Any

import pytest


def optimizer(torch: Any) -> Any:
    weights = [torch.ones(1, requires_grad=True) for _ in range(2)]
    return torch.optim.SGD([{"params": weights[0]}, {"params": weights[1], "lr": 0.5}], lr=1.0)


@pytest.mark.parametrize(
    ("call", "rates"),
    [
        ("StepLR(o, 2, gamma=0.5)", [1.0, 0.5, 0.5, 0.25, 0.25]),
        ("CosineAnnealingLR(o, 2)", [0.5, 0.0, 0.5, 1.0, 0.5]),
        ("CosineAnnealingLR(o, 2, eta_min=0.2)", [0.6, 0.2, 0.6, 1.0, 0.6]),
        ("Halving(o)", [0.5, 0.25, 0.125, 0.0625, 0.03125]),
    ],
)
def test_rates(torch: Any, call: str, rates: list[float]) -> None:
    class Halving(torch.optim.lr_scheduler.LRScheduler):
        def get_lr(self) -> list[float]:
            return [base * 0.5**self.last_epoch for base in self.base_lrs]

    o = optimizer(torch)
    names = {"o": o, "Halving": Halving} | vars(torch.optim.lr_scheduler)
    scheduler, seen = eval(call, names), []
    assert scheduler.get_last_lr() == [1.0, 0.5]
    for epoch in range(5):
        o.step()
        scheduler.step()
        seen.append(scheduler.get_last_lr()[0])
        assert o.param_groups[0]["lr"] == seen[-1]
        assert scheduler.last_epoch == epoch + 1
        if epoch == 2:
            state = scheduler.state_dict()
            scheduler = eval(call, names)
            scheduler.load_state_dict(state)
            o.param_groups[0]["lr"] = seen[-1]
    assert seen == pytest.approx(rates)
    assert o.param_groups[0]["initial_lr"] == 1.0


def test_plateau(torch: Any) -> None:
    o = optimizer(torch)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(o, patience=1, min_lr=0.02)
    rates = []
    for metric in [1.0, 1.0, 1.0, 0.5, 0.5, torch.tensor(0.6), 0.6, 0.6, 0.6, 0.6]:
        scheduler.step(metric)
        rates.append(scheduler.get_last_lr()[0])
    assert rates == pytest.approx([1.0, 1.0, 0.1, 0.1, 0.1, 0.02, 0.02, 0.02, 0.02, 0.02])
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(o, "max", threshold=0.5)
    for metric in [2.0, 4.0, 4.1]:
        scheduler.step(metric)
    assert (scheduler.best, scheduler.num_bad_epochs) == (4.0, 1)
    with pytest.raises(ValueError, match="Factor should be < 1.0"):
        torch.optim.lr_scheduler.ReduceLROnPlateau(o, factor=1.0)


def test_warnings(torch: Any) -> None:
    o = optimizer(torch)
    scheduler = torch.optim.lr_scheduler.StepLR(o, 1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scheduler.step()
        scheduler.step()
        o.step()
        torch.optim.lr_scheduler.StepLR(o, 1).step()
    texts = [str(one.message) for one in caught]
    assert len(texts) == 1
    assert texts[0].startswith("Detected call of `lr_scheduler.step()` before")
